"""A block strikes the rim of another one and spins. The whole model is rotated: all results must rotate with it. The
dents of the blocks end at sharp edges, and nodes beside these edges are behind the planes of the dented facets. If the
search takes them for nodes in a dent, only the size of its boxes decides about contact, which depends on the axes.

usage: turned_frames.py     ($CAROM is the program)
"""

import csv
import math
import os
import subprocess
import sys
import tempfile

CAROM = os.path.realpath(os.environ["CAROM"])
AXIS = [1.0, 2.0, -0.7]
MOST = 1e-9  # of an impulse of 0.5; nodes beside the rim change it by 3e-4 to 1e-3

DECK = """carom: 1
dimension: 3
materials: [{{name: m, model: neo-hookean, young: 500, poisson: 0.3, density: 1}}]
bodies:
  - {{name: a, material: m, angle: {angle}, axis: {axis}, velocity: {velocity}, spin: {spin}, mesh: {{block: {{from: [-0.4, -0.3, 0.02], to: [0.5, 0.45, 0.7], elements: [3, 2, 2]}}}}}}
  - {{name: b, material: m, angle: {angle}, axis: {axis}, mesh: {{block: {{from: [-1, -0.6, -0.6], to: [0.3, 0.4, 0], elements: [4, 3, 2]}}}}}}
contact: [{{between: [b, a], friction: {friction}}}]
time: {{method: {method}, step: 0.002, end: 0.09}}
output: {{frames: 0, report: false}}
"""


def rotated(v, angle):
    length = math.sqrt(sum(x * x for x in AXIS))
    k, c, s = [x / length for x in AXIS], math.cos(math.radians(angle)), math.sin(math.radians(angle))
    along = sum(x * y for x, y in zip(k, v))
    cross = [k[1] * v[2] - k[2] * v[1], k[2] * v[0] - k[0] * v[2], k[0] * v[1] - k[1] * v[0]]
    return [v[i] * c + cross[i] * s + k[i] * along * (1 - c) for i in range(3)]


def impulse(method, friction, angle):
    """The impulse on the second block, seen in the frame of the blocks."""
    velocity, spin = rotated([0.7, 0.3, -1.5], angle), rotated([0.8, 0.3, 0.1], angle)
    open("deck.yaml", "w").write(DECK.format(method=method, friction=friction, angle=angle, axis=AXIS,
                                             velocity=velocity, spin=spin))
    subprocess.run([CAROM, "run", "deck.yaml", "-o", "out", "--force"], check=True, stdin=subprocess.DEVNULL,
                   capture_output=True)
    last = list(csv.DictReader(open("out/contacts.csv")))[-1]
    return rotated([float(last[f"impulse_{x}"]) for x in "xyz"], -angle)


def main():
    bad = 0
    for method, friction in (("dissipative", 0), ("newmark", 0), ("velocity-update", 0), ("dissipative", 0.4)):
        straight = impulse(method, friction, 0)
        for angle in (63, 45):
            turned = impulse(method, friction, angle)
            error = max(abs(x - y) for x, y in zip(straight, turned))
            good = error < MOST and straight[2] < -0.4
            print(f"{method}, friction {friction}, {angle} degrees: {error:.1e}" + ("" if good else "  FAILED"))
            bad += not good
    return 1 if bad else 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.exit(main())
