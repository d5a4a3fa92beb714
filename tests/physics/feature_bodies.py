"""Bodies with corners, edges and grooves, and checks that are counted: for bipotential_features.py and feature_cases.py."""

import math
import os

CAROM = os.path.realpath(os.environ["CAROM"])
failures, checks = [], 0


def check(good, what):
    global checks
    checks += 1
    if not good:
        failures.append(what)
        print(f"FAILED: {what}")


def grid(name, start, end, n, bend):
    """A mesh file of quads: a block whose nodes are moved by `bend`."""
    nodes, cells = [], []
    for j in range(n[1] + 1):
        for i in range(n[0] + 1):
            x = start[0] + (end[0] - start[0]) * i / n[0]
            y = start[1] + (end[1] - start[1]) * j / n[1]
            nodes.append(bend(x, y))
    for j in range(n[1]):
        for i in range(n[0]):
            a = 1 + i + (n[0] + 1) * j
            cells.append((a, a + 1, a + n[0] + 2, a + n[0] + 1))
    with open(f"{name}.msh", "w") as f:
        f.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n" % len(nodes))
        f.writelines("%d %.17g %.17g 0\n" % (k + 1, *x) for k, x in enumerate(nodes))
        f.write("$EndNodes\n$Elements\n%d\n" % len(cells))
        f.writelines("%d 3 2 1 1 %d %d %d %d\n" % (k + 1, *c) for k, c in enumerate(cells))
        f.write("$EndElements\n")
    return f"mesh: {{file: {name}.msh}}"


def block(start, end, n):
    return f"mesh: {{block: {{from: {start}, to: {end}, elements: {n}}}}}"


def disc(center, extra=""):
    return f"mesh: {{disc: {{center: {center}, radius: 1, core: 6, rings: 3}}}}{extra}"


def lower_groove(x, y):
    return x, y * (0.45 + 0.55 * abs(x) / 1.5)


def upper_groove(x, y):
    return x + 0.05, 2 - (2 - y) * (1 + 0.9 * (1 - abs(x) / 0.6)) - 0.30


NEO = "model: neo-hookean, lambda: 200, shear: 150, density: 1"
SVK = "model: saint-venant-kirchhoff, lambda: 130, shear: 43.33, density: 8.93"
TURN = "angle: %.17g" % math.degrees(math.pi / 4 + 0.1)


def end():
    """Says how many checks there were; the exit code."""
    print(f"{checks} checks, {len(failures)} failed")
    return 1 if failures or not checks else 0
