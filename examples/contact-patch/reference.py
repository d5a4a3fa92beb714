#!/usr/bin/env python3
"""What contact of nodes with surfaces makes of the patch test when the meshes do not fit: an independent
small-displacement model, linear bricks or quadrilaterals without lateral contraction (nu = 0), springs of
stiffness k_N times tributary area between slave nodes and the master's bilinear surface, all closed.
Prints the pressures at the slave nodes over E 0.05, and the total force. Plain elimination: small meshes only."""
from itertools import product
from sys import argv

E, KN, PRESS = 2.0e6, 1.0e10, 0.1


class Block:
    """n elements per direction on the unit square or cube, its lowest corner at height z; dofs from `first`."""

    def __init__(self, n, z, first):
        self.n, self.dim, self.z, self.first = n, len(n), z, first
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


def share(p, slave, master):
    """Of its area, what a node stands for where both sides have points: the squares of the spacings, and at least
    a half at the edges of the block."""
    s = slave.n[0] ** 2 / (slave.n[0] ** 2 + master.n[0] ** 2)
    return max(s, 0.5) if any(p[i] in (0, slave.n[i]) for i in range(slave.dim - 1)) else s


def springs(slave, level, master, other, both, K):
    """Adds the springs of one pass; returns (place, [(dof, coefficient)], tributary area) of every slave node."""
    points, d = [], slave.dim
    for p in slave.face(level):
        x = [p[i] / slave.n[i] for i in range(d - 1)]
        w = 1.0
        for i in range(d - 1):
            w *= (0.5 if p[i] in (0, slave.n[i]) else 1.0) / slave.n[i]
        if both:
            w *= share(p, slave, master)
        cell = [min(int(x[i] * master.n[i] + 1e-12), master.n[i] - 1) for i in range(d - 1)]
        row = [(slave.dof(p, d - 1), 1.0)]
        for c in product((0, 1), repeat=d - 1):
            N = 1.0
            for i in range(d - 1):
                t = x[i] * master.n[i] - cell[i]
                N *= t if c[i] else 1 - t
            if N:
                q = tuple(cell[i] + c[i] for i in range(d - 1)) + (other,)
                row.append((master.dof(q, d - 1), -N))
        for a, ca in row:
            for b, cb in row:
                K[a][b] += KN * w * ca * cb
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


def run(upper_n, lower_n, slave="upper"):
    lower = Block(lower_n, 0, 0)
    upper = Block(upper_n, 1, lower.ndof)
    d, n = lower.dim, lower.ndof + upper.ndof
    K = [[0.0] * n for _ in range(n)]
    lower.stiffness(K)
    upper.stiffness(K)
    sets = []
    if slave != "lower":
        sets.append(springs(upper, 0, lower, lower.n[-1], slave == "both", K))
    if slave != "upper":
        sets.append(springs(lower, lower.n[-1], upper, 0, slave == "both", K))
    fixed = {}
    for b, level, value in ((lower, 0, 0.0), (upper, upper.n[-1], -PRESS)):
        for p in b.face(level):
            fixed[b.dof(p, d - 1)] = value
        low = (0,) * (d - 1) + (level,)
        for i in range(d - 1):
            fixed[b.dof(low, i)] = 0.0
        if d == 3:
            fixed[b.dof((b.n[0], 0, level), 1)] = 0.0
    u = solve(K, [0.0] * n, fixed)
    force = 0.0
    for s, points in enumerate(sets):
        for x, row, w in points:
            p = abs(sum(c * u[a] for a, c in row)) * KN
            force += p * w
            print("  pass %d  x %s  pressure %.6f" % (s + 1, " ".join("%.4f" % v for v in x), p / (E * PRESS / 2)))
    print("  total force %.8f" % (force / (E * PRESS / 2)))
    for name, b, level in (("upper", upper, 0), ("lower", lower, lower.n[-1])):
        v = [u[b.dof(p, d - 1)] for p in b.face(level)]
        print("  %s face moves by %.8f to %.8f" % (name, min(v), max(v)))


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
}

for name in argv[1:] or CASES:
    print(name)
    run(*CASES[name])
