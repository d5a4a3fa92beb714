#!/usr/bin/env python3
"""The ellipse in the box from event to event: straight flight, the instant of the next impact by scanning and bisection, the
impact in closed form (theory 18.4). Shares nothing with carom. Prints the impacts and the states at 0.5, 2 and 4 s."""
import math

a, b, mu = 0.075, 0.03, math.tan(math.radians(15))
walls = (((1, 0), 0), ((-1, 0), -1), ((0, 1), 0), ((0, -1), -1))  # normal, offset: n.x >= offset


def support(theta, n):
    """Point of the ellipse farthest along -n, from its centre, and its distance."""
    c, s = math.cos(theta), math.sin(theta)
    l = (-(n[0] * c + n[1] * s), -(-n[0] * s + n[1] * c))
    h = math.hypot(a * l[0], b * l[1])
    p = (a * a * l[0] / h, b * b * l[1] / h)
    return (c * p[0] - s * p[1], s * p[0] + c * p[1]), h


def gap(q, wall):
    n, offset = wall
    return q[0] * n[0] + q[1] * n[1] - offset - support(q[2], n)[1]


def fly(q, v, t):
    return [x + t * u for x, u in zip(q, v)]


def next_impact(q, v, skip):
    best = (math.inf, None)
    for wall in walls:
        step, t0 = 1e-4, 0.0
        if wall is skip:  # it leaves this wall first
            while gap(fly(q, v, t0), wall) < 1e-9 and t0 < 1e-2:
                t0 += 1e-6
        while t0 < min(best[0], 5):
            if gap(fly(q, v, t0 + step), wall) < 0:
                low, high = t0, t0 + step
                for _ in range(80):
                    m = (low + high) / 2
                    low, high = (m, high) if gap(fly(q, v, m), wall) > 0 else (low, m)
                if high < best[0]:
                    best = (high, wall)
                break
            t0 += step
    return best


def strike(q, v, wall):
    n = wall[0]
    t = (-n[1], n[0])
    r, _ = support(q[2], n)
    inertia = (a * a + b * b) / 4
    rn, rt = r[0] * n[1] - r[1] * n[0], r[0] * t[1] - r[1] * t[0]
    un = v[0] * n[0] + v[1] * n[1] + rn * v[2]
    ut = v[0] * t[0] + v[1] * t[1] + rt * v[2]
    wnn, wnt, wtt = 1 + rn * rn / inertia, rn * rt / inertia, 1 + rt * rt / inertia
    det = wnn * wtt - wnt * wnt
    jn, jt = -2 * (wtt * un - wnt * ut) / det, -2 * (wnn * ut - wnt * un) / det
    state = "stick"
    if abs(jt) > mu * jn:
        state = "slip"
        for psi in (1, -1):
            jn = -2 * un / (wnn - psi * mu * wnt)
            jt = -psi * mu * jn
            if psi * (ut + (wnt * jn + wtt * jt) / 2) >= 0:
                break
    new = [v[0] + jn * n[0] + jt * t[0], v[1] + jn * n[1] + jt * t[1], v[2] + (jn * rn + jt * rt) / inertia]
    energy = lambda w: (w[0] ** 2 + w[1] ** 2 + inertia * w[2] ** 2) / 2
    return new, jn, state, energy(new) - energy(v)


q, v, t, skip = [0.45, 0.1, math.radians(50)], [1.0, -0.4, 0.0], 0.0, None
times = [0.5, 2.0, 4.0]
while times:
    dt, wall = next_impact(q, v, skip)
    while times and times[0] <= t + dt:
        print("t %.3f q" % times[0], *["%.9f" % x for x in fly(q, v, times[0] - t)], "v", *["%.9f" % x for x in v])
        times.pop(0)
    if not times:
        break
    q, t, skip = fly(q, v, dt), t + dt, wall
    v, jn, state, change = strike(q, v, wall)
    print("t %.9f %s jn %.9f dE %.9f" % (t, state, jn, change))
