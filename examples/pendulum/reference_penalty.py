#!/usr/bin/env python3
"""`variant: penalty` on its own: the spring and dashpot of the source for the two disks in the bowl, by symmetry one
disk that meets a mirror at x = 0 (gap x - r, half of that of the pair). Shares nothing with carom. Velocities of the
middle obey Coulomb's law; the displacement psi h p/m of a contact along its normal solves the quadratic equation of
theory 18.7. No settling. Prints how deep the disk goes into the bowl and the disks into each other (twice the mirror)."""
import math
import sys

g, big, r, mu, omega, S = 9.81, 0.5, 0.1, math.tan(math.radians(15)), 2.0, 1.0
h = float(sys.argv[1]) if len(sys.argv) > 1 else 1e-3
m, inertia = 1.0, 0.005


def root(A, b, c):
    square = b * b + 4 * A * c
    if square < 0:
        return b / (2 * A)
    return -2 * c / (b + math.sqrt(square)) if b > 0 else (b - math.sqrt(square)) / (2 * A)


def bowl_gap(x, y):
    return big - math.hypot(x, y) - r


def psi_of(A, g0, Dg):
    return root(A, (1 + S) * A - Dg, 2 * (2 * A / omega**2 + g0) + (1 + S) * Dg)


def step(q, v):
    x, y, _ = q
    gb, gw = bowl_gap(x, y), x - r
    free = (v[0], v[1] - h * g / 2, v[2])
    new = [q[i] + h * free[i] for i in range(3)]
    bowl = gb <= 1e-3 * h * h * g or bowl_gap(new[0], new[1]) < 0
    wall = gw < 0 or new[0] < r
    pn = pt = pw = psi_b = psi_w = 0.0
    for _ in range(60):
        mx, my = (x + new[0]) / 2, (y + new[1]) / 2
        d = math.hypot(mx, my)
        nx, ny = -mx / d, -my / d
        tx, ty = -ny, nx
        # lever arm -r n: r x n = 0, r x t = -r
        for _ in range(500):
            last = (pn, pt, pw)
            if bowl:
                vx, vy, w = free[0] + pw / m, free[1], free[2]
                un, ut = vx * nx + vy * ny, vx * tx + vy * ty - r * w
                wt = 1 / m + r * r / inertia
                pn = max(0.0, -un * m)
                pt = max(-mu * pn, min(mu * pn, -ut / wt))
            if wall:
                pw = max(0.0, -m * (free[0] + (pn * nx + pt * tx) / m))
            if last == (pn, pt, pw):
                break
        vm = (free[0] + (pn * nx + pt * tx + pw) / m, free[1] + (pn * ny + pt * ty) / m, free[2] - r * pt / inertia)
        # displacements: each contact sees what the other does
        if pn > 0:
            A = h * pn / m
            psi_b = psi_of(A, gb, bowl_gap(new[0], new[1]) - gb - psi_b * A)
        if pw > 0:
            A = h * pw / m
            psi_w = psi_of(A, gw, new[0] - r - gw - psi_w * A)
        old = new
        sb, sw = psi_b * h * pn / m if pn > 0 else 0.0, psi_w * h * pw / m if pw > 0 else 0.0
        new = [x + h * vm[0] + sb * nx + sw, y + h * vm[1] + sb * ny, q[2] + h * vm[2]]
        if max(abs(a - b) for a, b in zip(new, old)) < 1e-16:
            break
    return new, [2 * vm[i] - v[i] for i in range(3)], pw > 0


q, v = [0.4 * math.sin(math.pi / 4), -0.4 * math.cos(math.pi / 4), 0.0], [0.0, 0.0, 0.0]
deep = [0.0, 0.0]
for k in range(round(1.05 / h)):
    q, v, met = step(q, v)
    deep[0], deep[1] = max(deep[0], -bowl_gap(q[0], q[1])), max(deep[1], -2 * (q[0] - r))
    if met:
        print("t %.4f met: disks %.6e deep, bowl %.6e" % ((k + 1) * h, -2 * (q[0] - r), -bowl_gap(q[0], q[1])))
print("deepest: bowl %.6e, disks %.6e; x %.6f at the end" % (deep[0], deep[1], q[0]))
