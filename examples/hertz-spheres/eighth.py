#!/usr/bin/env python3
"""Writes fine.msh and coarse.msh: an eighth of a ball of radius 50 that touches the plane z = 0 in the origin, centre at (0, 0, 50),
cut by the planes x = 0, y = 0 and z = 50; bricks, fine where it will touch. Surfaces: contact (up to 60 degrees
from the pole), flat (z = 50), x0 and y0 (the planes of symmetry).

In the plane of the pole's tangent: a square of core x core elements about the pole, then circles, their radii as arc
lengths on the ball. Across: layers, growing by ratio, from the ball's surface to the flat face."""
from math import cos, pi, sin

R, LIMIT = 50.0, pi / 3


def square(core, side, i, j):
    """A point of the square, its outer sides a little round."""
    u, v = i / core, j / core
    return side * u * (1 + 0.15 * (1 - v * v)), side * v * (1 + 0.15 * (1 - u * u))


def pole_grid(core, side, radii):
    """Points and quadrilaterals (counter-clockwise) of the quarter of the tangent plane."""
    points, number = [], {}
    for j in range(core + 1):
        for i in range(core + 1):
            number["core", i, j] = len(points)
            points.append(square(core, side, i, j))
    for k in range(2 * core + 1):                       # around: from the axis y = 0 to the axis x = 0
        number["ring", -1, k] = number["core", core, k] if k <= core else number["core", 2 * core - k, core]
        c, s = (0.0, 1.0) if k == 2 * core else (cos(pi / 4 * k / core), sin(pi / 4 * k / core))
        for r, radius in enumerate(radii):
            number["ring", r, k] = len(points)
            points.append((radius * c, radius * s))
    quads = [tuple(number["core", a, b] for a, b in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)))
             for j in range(core) for i in range(core)]
    quads += [tuple(number["ring", a, b] for a, b in ((r - 1, k), (r, k), (r, k + 1), (r - 1, k + 1)))
              for r in range(len(radii)) for k in range(2 * core)]
    return points, quads


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


def cells_of(points, quads, layers):
    """(Gmsh type, physical group, corners from 0): the four surfaces, then the bricks."""
    n = len(points)
    cells = [(3, 1, (a, d, c, b)) for a, b, c, d in quads]
    cells += [(3, 2, tuple(layers * n + x for x in q)) for q in quads]
    for group, axis in ((3, 0), (4, 1)):
        for q in quads:
            for a, b in zip(q, q[1:] + q[:1]):
                if points[a][axis] == 0 and points[b][axis] == 0:
                    cells += [(3, group, (a + k * n, b + k * n, b + (k + 1) * n, a + (k + 1) * n))
                              for k in range(layers)]
    cells += [(5, 5, tuple(k * n + x for x in q) + tuple((k + 1) * n + x for x in q))
              for k in range(layers) for q in quads]
    return cells


def write(path, core, side, radii, layers, ratio):
    points, quads = pole_grid(core, side, radii + [R * LIMIT])
    heights = [(ratio ** k - 1) / (ratio ** layers - 1) for k in range(layers + 1)]
    nodes = [place(a, b, w) for w in heights for a, b in points]
    cells = cells_of(points, quads, layers)
    with open(path, "w") as f:
        f.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5\n")
        f.write('2 1 "contact"\n2 2 "flat"\n2 3 "x0"\n2 4 "y0"\n3 5 "eighth"\n$EndPhysicalNames\n')
        f.write("$Nodes\n%d\n" % len(nodes))
        for k, x in enumerate(nodes, 1):
            f.write("%d %.12g %.12g %.12g\n" % (k, *x))
        f.write("$EndNodes\n$Elements\n%d\n" % len(cells))
        for k, (kind, group, corners) in enumerate(cells, 1):
            f.write("%d %d 2 %d %d %s\n" % (k, kind, group, group, " ".join(str(1 + c) for c in corners)))
        f.write("$EndElements\n")
    print("%s: %d nodes, %d bricks" % (path, len(nodes), layers * len(quads)))


write("fine.msh", 6, 3.6, [5.5, 6.5, 7.5, 8.3, 9.0, 9.7, 10.4, 11.2, 12.2, 13.7, 16, 19.5, 25, 32, 41], 11, 1.45)
write("coarse.msh", 5, 3.8, [5.8, 7.0, 8.1, 9.2, 10.3, 11.5, 13.0, 15.5, 19, 25, 33, 42], 10, 1.5)
