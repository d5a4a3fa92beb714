"""Mesh of the necking bar: Q4, nr x nz, heights y = 26.667 t^1.5, radius 1.8 % smaller in the middle, linear in y.

    python3 bar.py [nr nz] > bar.msh
"""
import sys

nr, nz = (int(a) for a in sys.argv[1:3]) if len(sys.argv) > 2 else (5, 16)
radius, height, thinner = 6.413, 26.667, 0.018


def number(i, j):
    return 1 + i + j * (nr + 1)


def group(name, lines, first):
    return [f"{first + k} 1 2 {name} {name} {a} {b}" for k, (a, b) in enumerate(lines)]


nodes = []
for j in range(nz + 1):
    y = height * (j / nz) ** 1.5
    for i in range(nr + 1):
        x = radius * (1 - thinner * (1 - y / height)) * i / nr
        nodes.append(f"{number(i, j)} {x:.15g} {y:.15g} 0")
bottom = [(number(i, 0), number(i + 1, 0)) for i in range(nr)]
top = [(number(i + 1, nz), number(i, nz)) for i in range(nr)]
side = [(number(nr, j), number(nr, j + 1)) for j in range(nz)]
cells = [(number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)) for j in range(nz) for i in range(nr)]
elements = group(1, bottom, 1)
elements += group(2, top, len(elements) + 1)
elements += group(3, side, len(elements) + 1)
elements += [f"{len(elements) + 1 + k} 3 2 4 4 " + " ".join(map(str, c)) for k, c in enumerate(cells)]
print("$MeshFormat\n2.2 0 8\n$EndMeshFormat")
print('$PhysicalNames\n4\n1 1 "bottom"\n1 2 "top"\n1 3 "side"\n2 4 "bar"\n$EndPhysicalNames')
print("$Nodes", len(nodes), *nodes, "$EndNodes", sep="\n")
print("$Elements", len(elements), *elements, "$EndElements", sep="\n")
