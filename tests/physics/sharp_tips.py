"""Edges and corners of a fine, stiff body that indent a coarse, soft one, at rest. The small area of a sharp node must not
make the contact spring softer than the facet below it. The expected forces are those of `bipotential`, whose contact has
no springs.

usage: sharp_tips.py     ($CAROM is the program)
"""

import csv
import math
import os
import subprocess
import sys
import tempfile

CAROM = os.path.realpath(os.environ["CAROM"])
POSES = {"edge": f"angle: 45, axis: [0, 1, 0], position: [0, 0, {math.sqrt(0.5):.6f}]",
         "corner": f"angle: 54.7356103, axis: [1, -1, 0], position: [0, 0, {math.sqrt(0.75):.6f}]"}
BAND = 0.08  # 31 % and 42 % if a sharp node has the area of its own small facets

DECK = """carom: 1
dimension: 3
materials:
  - {{name: soft, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}}
  - {{name: hard, model: neo-hookean, young: 1.0e5, poisson: 0.3, density: 1}}
bodies:
  - {{name: tool, material: hard, {pose}, mesh: {{block: {{from: [-0.5, -0.5, -0.5], to: [0.5, 0.5, 0.5], elements: [4, 4, 4]}}}}}}
  - {{name: base, material: soft, mesh: {{block: {{from: [-1, -1, -1], to: [1, 1, 0], elements: [2, 2, 2]}}}}}}
contact: [{{between: [tool, base]}}]
conditions:
  - {{on: base.bottom, fix: [x, y, z]}}
  - {{on: tool.top, displacement: [0, 0, -0.08], ramp: [0, 1]}}
time: {{method: {method}, analysis: quasi-static, step: 0.2, end: 1}}
output: {{frames: 0, report: false}}
"""


def force(pose, method):
    open("deck.yaml", "w").write(DECK.format(pose=POSES[pose], method=method))
    subprocess.run([CAROM, "run", "deck.yaml", "-o", "out", "--force"], check=True, stdin=subprocess.DEVNULL,
                   capture_output=True)
    return float(list(csv.DictReader(open("out/contacts.csv")))[-1]["fz"])


def main():
    bad = 0
    for pose in POSES:
        springs, exact = force(pose, "dissipative"), force(pose, "bipotential")
        good = abs(springs / exact - 1) < BAND
        print(f"{pose}: force {springs:.4g} with springs, {exact:.4g} without" + ("" if good else "  FAILED"))
        bad += not good
    return 1 if bad else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.exit(main())
