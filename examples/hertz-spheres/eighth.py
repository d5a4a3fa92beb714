#!/usr/bin/env python3
"""Writes eighth.msh: an eighth of a ball of radius 50 that touches the plane z = 0 in the origin, centre at (0, 0, 50),
cut by the planes x = 0, y = 0 and z = 50; bricks, fine where it will touch. Surfaces: contact (up to 60 degrees
from the pole), flat (z = 50), x0 and y0 (the planes of symmetry).

In the plane of the pole's tangent: a square of CORE x CORE elements about the pole, then RADII of circles, as arc
lengths on the ball. Across: LAYERS, growing by RATIO, from the ball's surface to the flat face."""
from math import cos, pi, sin

R, LIMIT = 50.0, pi / 3
CORE, SQUARE = 6, 3.6
RADII = [5.5, 6.5, 7.5, 8.3, 9.0, 9.7, 10.4, 11.2, 12.2, 13.7, 16, 19.5, 25, 32, 41, R * LIMIT]
LAYERS, RATIO = 11, 1.45


def square(i, j):
    """A point of the square, its outer sides a little round."""
    u, v = i / CORE, j / CORE
    return SQUARE * u * (1 + 0.15 * (1 - v * v)), SQUARE * v * (1 + 0.15 * (1 - u * u))


points, number = [], {}
for j in range(CORE + 1):
    for i in range(CORE + 1):
        number["core", i, j] = len(points)
        points.append(square(i, j))
for k in range(2 * CORE + 1):                           # around: from the axis y = 0 to the axis x = 0
    number["ring", -1, k] = number["core", CORE, k] if k <= CORE else number["core", 2 * CORE - k, CORE]
    angle = pi / 2 * k / (2 * CORE)
    for r, radius in enumerate(RADII):
        number["ring", r, k] = len(points)
        points.append((radius * cos(angle), radius * sin(angle) if k < 2 * CORE else radius))
        if k == 2 * CORE:
            points[-1] = (0.0, radius)
quads = [tuple(number["core", a, b] for a, b in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)))
         for j in range(CORE) for i in range(CORE)]
quads += [tuple(number["ring", a, b] for a, b in ((r - 1, k), (r, k), (r, k + 1), (r - 1, k + 1)))
          for r in range(len(RADII)) for k in range(2 * CORE)]


def ball(a, b, theta):
    """The point of the ball at the angle theta from the pole in the direction (a, b)."""
    s = (a * a + b * b) ** 0.5
    if s == 0:
        return 0.0, 0.0, 0.0
    return R * sin(theta) * a / s, R * sin(theta) * b / s, R - R * cos(theta)


def place(a, b, w):
    """From the ball's surface (w = 0) to the flat face (w = 1); the last circle runs along the ball."""
    q = (a * a + b * b) ** 0.5 / (R * LIMIT)
    low, high = ball(a, b, q * LIMIT), (a / LIMIT, b / LIMIT, R)
    chord = [(1 - w) * x + w * y for x, y in zip(ball(a, b, LIMIT), ball(a, b, pi / 2))]
    arc = ball(a, b, LIMIT + w * (pi / 2 - LIMIT))
    return tuple((1 - w) * x + w * y + q ** 4 * (s - c) for x, y, s, c in zip(low, high, arc, chord))


heights = [(RATIO ** k - 1) / (RATIO ** LAYERS - 1) for k in range(LAYERS + 1)]
n = len(points)
nodes = [place(a, b, w) for w in heights for a, b in points]
cells = [(3, 1, (a, d, c, b)) for a, b, c, d in quads]                      # 3: quadrilateral, outward
cells += [(3, 2, tuple(LAYERS * n + x for x in q)) for q in quads]
for group, axis in ((3, 0), (4, 1)):
    for q in quads:
        for a, b in zip(q, q[1:] + q[:1]):
            if points[a][axis] == 0 and points[b][axis] == 0:
                cells += [(3, group, (a + k * n, b + k * n, b + (k + 1) * n, a + (k + 1) * n)) for k in range(LAYERS)]
cells += [(5, 5, tuple(k * n + x for x in q) + tuple((k + 1) * n + x for x in q))   # 5: brick
          for k in range(LAYERS) for q in quads]

with open("eighth.msh", "w") as f:
    f.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n")
    f.write('2 1 "contact"\n2 2 "flat"\n2 3 "x0"\n2 4 "y0"\n3 5 "eighth"\n$EndPhysicalNames\n')
    f.write("$Nodes\n%d\n" % len(nodes))
    for k, x in enumerate(nodes, 1):
        f.write("%d %.15g %.15g %.15g\n" % (k, *x))
    f.write("$EndNodes\n$Elements\n%d\n" % len(cells))
    for k, (kind, group, corners) in enumerate(cells, 1):
        f.write("%d %d 2 %d %d %s\n" % (k, kind, group, group, " ".join(str(1 + c) for c in corners)))
    f.write("$EndElements\n")
print("%d nodes, %d bricks" % (len(nodes), LAYERS * len(quads)))
