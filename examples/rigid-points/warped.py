#!/usr/bin/env python3
"""Writes warped.msh: the block [-1.5, 1.5]^2 x [-1, 0] in 4 x 4 x 1 bricks, its top nodes lowered by
0.03 (1 - cos 2x cos 1.5y), so that every facet of the top is a twisted quadrilateral; with the argument `tetrahedra`
warped-t4.msh, each brick as six of them."""
import sys
from math import cos

N = (4, 4, 1)
LOW, HIGH = (-1.5, -1.5, -1.0), (1.5, 1.5, 0.0)
SIX = ((0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6))


def node(i, j, k):
    return 1 + i + (N[0] + 1) * (j + (N[1] + 1) * k)


def place(i, j, k):
    x, y, z = (LOW[d] + (HIGH[d] - LOW[d]) * n / N[d] for d, n in enumerate((i, j, k)))
    if k == N[2]:
        z += 0.03 * (cos(2 * x) * cos(1.5 * y) - 1)
    return x, y, z


def layer(k):
    """The corners of the quadrilaterals at height k, counter-clockwise from above."""
    for j in range(N[1]):
        for i in range(N[0]):
            yield node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k), node(i, j + 1, k)


tetrahedra = "tetrahedra" in sys.argv
nodes = [place(i, j, k) for k in range(N[2] + 1) for j in range(N[1] + 1) for i in range(N[0] + 1)]
if tetrahedra:  # 2: triangle, 4: tetrahedron
    cells = [(2, 1, t) for a, b, c, d in layer(N[2]) for t in ((a, b, c), (a, c, d))]
    for k in range(N[2]):
        for low, high in zip(layer(k), layer(k + 1)):
            cells += [(4, 2, tuple((low + high)[v] for v in six)) for six in SIX]
else:           # 3: quadrilateral, 5: brick
    cells = [(3, 1, q) for q in layer(N[2])]
    for k in range(N[2]):
        cells += [(5, 2, low + high) for low, high in zip(layer(k), layer(k + 1))]

with open("warped-t4.msh" if tetrahedra else "warped.msh", "w") as f:
    f.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n")
    f.write('$PhysicalNames\n2\n2 1 "top"\n3 2 "block"\n$EndPhysicalNames\n')
    f.write("$Nodes\n%d\n" % len(nodes))
    for n, x in enumerate(nodes, 1):
        f.write("%d %.17g %.17g %.17g\n" % (n, *x))
    f.write("$EndNodes\n$Elements\n%d\n" % len(cells))
    for n, (kind, group, corners) in enumerate(cells, 1):
        f.write("%d %d 2 %d %d %s\n" % (n, kind, group, group, " ".join(map(str, corners))))
    f.write("$EndElements\n")
