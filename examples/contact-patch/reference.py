#!/usr/bin/env python3
"""What contact of nodes with surfaces makes of the patch test when the meshes do not fit: an independent
small-displacement model, linear bricks or quadrilaterals without lateral contraction (nu = 0), springs of
stiffness k_N times tributary area between slave nodes and the master's bilinear surface, all closed.
Prints the pressures at the slave nodes over those of exact contact, and the total force. Of flat blocks (4 x 1 on
4 x 1, k_N = 10 E/h) it prints the greatest error of the stress in the layers of elements at the interface, at their
centres. Plain elimination: small meshes only."""
from itertools import product
from sys import argv

E, KN, PRESS = 2.0e6, 1.0e10, 0.1


class Block:
    """n elements per direction on the unit square or cube, or on one of another width, its lowest corner at height z;
    dofs from `first`."""

    def __init__(self, n, z, first, width=1.0):
        self.n, self.dim, self.z, self.first, self.width = n, len(n), z, first, width
        self.nodes = list(product(*(range(k + 1) for k in n)))
        self.number = {p: i for i, p in enumerate(self.nodes)}
        self.ndof = self.dim * len(self.nodes)

    def dof(self, p, i):
        return self.first + self.dim * self.number[p] + i

    def face(self, level):
        return [p for p in self.nodes if p[-1] == level]

    def stiffness(self, K):
        """sigma = E eps: K = int E/2 (grad N_a . grad N_b delta_ij + N_a,j N_b,i), two Gauss points each way."""
        d, h, g = self.dim, [1.0 / k for k in self.n], 0.5 / 3 ** 0.5
        h[0] *= self.width
        corners = list(product((0, 1), repeat=d))
        volume = 1.0
        for s in h:
            volume *= s / 2
        local = {}
        for q in product((0.5 - g, 0.5 + g), repeat=d):
            grads = []
            for c in corners:
                N = [q[i] if c[i] else 1 - q[i] for i in range(d)]
                D = []
                for i in range(d):
                    v = (1 if c[i] else -1) / h[i]
                    for j in range(d):
                        if j != i:
                            v *= N[j]
                    D.append(v)
                grads.append(D)
            for a, A in enumerate(grads):
                for b, B in enumerate(grads):
                    dot = sum(x * y for x, y in zip(A, B))
                    for i in range(d):
                        for j in range(d):
                            v = E / 2 * volume * ((dot if i == j else 0) + A[j] * B[i])
                            local[a, i, b, j] = local.get((a, i, b, j), 0) + v
        for e in product(*(range(k) for k in self.n)):
            dofs = [[self.dof(tuple(x + y for x, y in zip(e, c)), i) for i in range(d)] for c in corners]
            for (a, i, b, j), v in local.items():
                K[dofs[a][i]][dofs[b][j]] += v


def share(slave, master):
    """Of its area, what a point stands for where both sides have points: by the squares of the spacings. The blocks lie
    flat on each other, so that their corners have no more."""
    return slave.n[0] ** 2 / (slave.n[0] ** 2 + master.n[0] ** 2)


def shapes(block, level, x):
    """Nodes of the face at a level, and their shape functions at the place x, each coordinate in [0, 1]."""
    d = block.dim
    cell = [min(int(x[i] * block.n[i] + 1e-12), block.n[i] - 1) for i in range(d - 1)]
    for c in product((0, 1), repeat=d - 1):
        N = 1.0
        for i in range(d - 1):
            t = x[i] * block.n[i] - cell[i]
            N *= t if c[i] else 1 - t
        if abs(N) > 1e-12:
            yield tuple(cell[i] + c[i] for i in range(d - 1)) + (level,), N


def springs(slave, level, master, other, both, kn, samples, K):
    """Adds the springs of one pass; returns (place, [(dof, coefficient)], tributary area) of every point."""
    points, d = [], slave.dim
    counts = [samples * slave.n[i] for i in range(d - 1)]
    for p in product(*(range(k + 1) for k in counts)):
        x = [p[i] / counts[i] for i in range(d - 1)]
        w = slave.width
        for i in range(d - 1):
            w *= (0.5 if p[i] in (0, counts[i]) else 1.0) / counts[i]
        if both:
            w *= share(slave, master)
        row = [(slave.dof(q, d - 1), N) for q, N in shapes(slave, level, x)]
        row += [(master.dof(q, d - 1), -N) for q, N in shapes(master, other, x)]
        for a, ca in row:
            for b, cb in row:
                K[a][b] += kn * w * ca * cb
        points.append((x, row, w))
    return points


def solve(K, f, fixed):
    """Gaussian elimination without pivots: K is symmetric and positive on the free unknowns."""
    n = len(f)
    free = [i for i in range(n) if i not in fixed]
    A = [[K[i][j] for j in free] + [f[i] - sum(K[i][j] * v for j, v in fixed.items() if v)] for i in free]
    m = len(free)
    for i in range(m):
        pivot = A[i]
        for r in range(i + 1, m):
            if A[r][i]:
                s = A[r][i] / pivot[i]
                A[r][i:] = [x - s * y for x, y in zip(A[r][i:], pivot[i:])]
    u = [0.0] * n
    for i, v in fixed.items():
        u[i] = v
    for i in reversed(range(m)):
        u[free[i]] = (A[i][m] - sum(A[i][j] * u[free[j]] for j in range(i + 1, m))) / A[i][i]
    return u


def layer_error(block, layer, u, exact):
    """The greatest error of the stress at the centres of one layer of elements (2D)."""
    worst = 0.0
    for e in range(block.n[0]):
        strain = 0.0
        for c in product((0, 1), repeat=2):
            strain += (1 if c[1] else -1) * u[block.dof((e + c[0], layer + c[1]), 1)] / 2 * block.n[1]
        worst = max(worst, abs(-E * strain / exact - 1))
    return worst


def supports(lower, upper, press):
    fixed, d = {}, lower.dim
    for b, level, value in ((lower, 0, 0.0), (upper, upper.n[-1], -press)):
        for p in b.face(level):
            fixed[b.dof(p, d - 1)] = value
        low = (0,) * (d - 1) + (level,)
        for i in range(d - 1):
            fixed[b.dof(low, i)] = 0.0
        if d == 3:
            fixed[b.dof((b.n[0], 0, level), 1)] = 0.0
    return fixed


def run(upper_n, lower_n, slave="upper", width=1.0, samples=1):
    lower = Block(lower_n, 0, 0, width)
    upper = Block(upper_n, 1, lower.ndof, width)
    flat = width != 1.0
    kn, press = (10 * E * max(upper_n[0], lower_n[0]) / width, 0.02) if flat else (KN, PRESS)
    d, n = lower.dim, lower.ndof + upper.ndof
    K = [[0.0] * n for _ in range(n)]
    lower.stiffness(K)
    upper.stiffness(K)
    sets = []
    if slave != "lower":
        sets.append(springs(upper, 0, lower, lower.n[-1], slave == "both", kn, samples, K))
    if slave != "upper":
        sets.append(springs(lower, lower.n[-1], upper, 0, slave == "both", kn, samples, K))
    u = solve(K, [0.0] * n, supports(lower, upper, press))
    force = 0.0
    for s, points in enumerate(sets):
        for x, row, w in points:
            p = abs(sum(c * u[a] for a, c in row)) * kn
            force += p * w
            if not flat:
                print("  pass %d  x %s  pressure %.6f" % (s + 1, " ".join("%.4f" % v for v in x), p / (E * press / 2)))
    print("  total force %.8f" % (force / (E * press / 2 * width)))
    if flat:
        exact = E * press / (2 + E / kn)
        print("  stress off by %.4f in the layers at the interface" % max(
            layer_error(upper, 0, u, exact), layer_error(lower, lower.n[1] - 1, u, exact)))
    for name, b, level in (("upper", upper, 0), ("lower", lower, lower.n[-1])):
        v = [u[b.dof(p, d - 1)] for p in b.face(level)]
        print("  %s face moves by %.10f to %.10f" % (name, min(v), max(v)))


CASES = {
    "nested": ((8, 8), (4, 4)),
    "unlike": ((5, 5), (4, 4)),
    "swapped": ((5, 5), (4, 4), "lower"),
    "nested-swapped": ((8, 8), (4, 4), "lower"),
    "both": ((5, 5), (4, 4), "both"),
    "both-finer": ((8, 8), (3, 3), "both"),
    "nested-3d": ((4, 4, 2), (2, 2, 2)),
    "unlike-3d": ((4, 4, 2), (3, 3, 2)),
    "swapped-3d": ((4, 4, 2), (3, 3, 2), "lower"),
    "both-3d": ((4, 4, 2), (3, 3, 2), "both"),
    "flat-8-8": ((8, 2), (8, 2), "both", 4.0),
    "flat-5-8": ((8, 2), (5, 2), "both", 4.0),
    "flat-8-13": ((13, 2), (8, 2), "both", 4.0),
    "flat-3-8": ((8, 2), (3, 2), "both", 4.0),
    "flat-2-10": ((10, 2), (2, 2), "both", 4.0),
    "flat-5-8-samples": ((8, 2), (5, 2), "both", 4.0, 2),
    "flat-8-13-samples": ((13, 2), (8, 2), "both", 4.0, 2),
    "flat-3-8-samples": ((8, 2), (3, 2), "both", 4.0, 2),
    "flat-2-10-samples": ((10, 2), (2, 2), "both", 4.0, 2),
}

for name in argv[1:] or CASES:
    print(name)
    run(*CASES[name])
