"""The non-matching patch test: two flat blocks, 4 x 1 on 4 x 1, linear, uniaxial strain 0.01, penalty 10 M/h. Bands of the
stress at the centres of the elements at the interface are those of the spec of complete contact, section 10, whichever
body comes first in the deck. Stresses follow from the displacements of the field files.

usage: patch_table.py     ($CAROM is the program)
"""

import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

CAROM = os.path.realpath(os.environ["CAROM"])
LAMBDA, SHEAR = 200.0, 150.0
M = LAMBDA + 2 * SHEAR
TABLE = {(5, 8): 0.006, (8, 13): 0.006, (3, 8): 0.009, (2, 10): 0.004}
SAMPLES = {(5, 8): 0.004, (3, 8): 0.004, (2, 10): 0.004}  # 8 on 13: 0.006, by reference.py of contact-patch as well

DECK = """carom: 1
dimension: 2
materials: [{{name: m, model: linear, lambda: 200, shear: 150, density: 1}}]
bodies:
  - {{name: {names[0]}, material: m, mesh: {{block: {{{shapes[0]}}}}}}}
  - {{name: {names[1]}, material: m, mesh: {{block: {{{shapes[1]}}}}}}}
contact: [{{between: [upper.bottom, lower.top], normal_penalty: {penalty:.17g}, samples: {samples}}}]
conditions:
  - {{on: lower.bottom, fix: [y]}}
  - {{on: upper.top, displacement: [~, -0.02], ramp: [0, 1]}}
  - {{on: lower.left, fix: [x]}}
  - {{on: lower.right, fix: [x]}}
  - {{on: upper.left, fix: [x]}}
  - {{on: upper.right, fix: [x]}}
time: {{method: dissipative, analysis: quasi-static, steps: [[0.5, 2]]}}
output: {{frames: 1, report: false}}
"""


def fields(path):
    """The arrays of a field file by name: blocks of zlib after the mark of appended data."""
    data = open(path, "rb").read()
    head, start = data[:data.index(b"<AppendedData")].decode(), data.index(b"_", data.index(b"<AppendedData")) + 1
    arrays = {}
    for kind, name, offset in re.findall(r'<DataArray type="(\w+)" Name="([^"]+)"[^>]*offset="(\d+)"', head):
        at = start + int(offset)
        count = struct.unpack_from("<Q", data, at)[0]
        sizes = struct.unpack_from("<%dQ" % count, data, at + 24)
        at, raw = at + 24 + 8 * count, b""
        for size in sizes:
            raw, at = raw + zlib.decompress(data[at:at + size]), at + size
        code = {"Float64": "d", "Int64": "q", "UInt8": "B"}[kind]
        arrays[name] = struct.unpack("<%d%s" % (len(raw) // struct.calcsize(code), code), raw)
    return arrays


def stress_error(a, exact):
    """The greatest error of the stress across the interface at the centres of the elements beside it."""
    u, worst, first = a["displacement"], 0.0, 0
    X = [round(x - d, 9) for x, d in zip(a["Points"], u)]
    for last, kind in zip(a["offsets"], a["types"]):
        nodes, first = a["connectivity"][first:last], last
        if kind != 9:
            continue
        low, high = ([f(X[3 * n + i] for n in nodes) for i in (0, 1)] for f in (min, max))
        if abs(low[1] - 1) > 1e-6 and abs(high[1] - 1) > 1e-6:
            continue
        strain = [sum(u[3 * n + i] * (1 if X[3 * n + i] > low[i] else -1) for n in nodes) / 2 / (high[i] - low[i])
                  for i in (0, 1)]
        worst = max(worst, abs(-(M * strain[1] + LAMBDA * strain[0]) / exact - 1))
    return worst


def run(lower, upper, samples, swapped):
    h = 4 / max(lower, upper)
    names, shapes = ["lower", "upper"], [f"from: [0, 0], to: [4, 1], elements: [{lower}, 2]",
                                         f"from: [0, 1], to: [4, 2], elements: [{upper}, 2]"]
    if swapped:
        names, shapes = names[::-1], shapes[::-1]
    open("deck.yaml", "w").write(DECK.format(names=names, shapes=shapes, penalty=10 * M / h, samples=samples))
    subprocess.run([CAROM, "run", "deck.yaml", "-o", "out", "--force"], check=True, stdin=subprocess.DEVNULL,
                   capture_output=True)
    return stress_error(fields("out/fields/0001.vtu"), 0.01 * M / (1 + h / 20))


def main():
    bad = 0
    for samples, table in ((1, TABLE), (2, SAMPLES)):
        for (lower, upper), band in table.items():
            errors = [run(lower, upper, samples, swapped) for swapped in (False, True)]
            good = max(errors) < band and abs(errors[0] - errors[1]) < 1e-6
            print(f"{lower}:{upper}, samples {samples}: {errors[0]:.4f}, bodies swapped {errors[1]:.4f}, below {band}"
                  + ("" if good else "  FAILED"))
            bad += not good
    return 1 if bad else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.exit(main())
