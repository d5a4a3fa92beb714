#!/usr/bin/env python3
"""Two disks in a bowl by symmetry: one disk on a circle of radius l, sliding or rolling, against a mirror plane.
Runge-Kutta of order 4 in small steps, events by bisection; shares nothing with carom.
s = l gamma', w: spin in the sense of outward rolling, velocity of the contact point s - r w."""
import math

g, l, r, mu = 9.81, 0.4, 0.1, math.tan(math.radians(15))
first = math.asin(r / l)


def slope(y, mode):
    gamma, s, w = y
    normal = g * math.cos(gamma) + s * s / l
    if mode == 0:  # rolls
        a = -g * math.sin(gamma) / 1.5
        return (s / l, a, a / r)
    return (s / l, -g * math.sin(gamma) - mode * mu * normal, mode * mu * normal * 2 / r)  # I = m r^2/2


def step(y, h, mode):
    k1 = slope(y, mode)
    k2 = slope([a + h / 2 * b for a, b in zip(y, k1)], mode)
    k3 = slope([a + h / 2 * b for a, b in zip(y, k2)], mode)
    k4 = slope([a + h * b for a, b in zip(y, k3)], mode)
    return [a + h / 6 * (p + 2 * q + 2 * u + v) for a, p, q, u, v in zip(y, k1, k2, k3, k4)]


def can_roll(y):
    gamma, s, _ = y
    return g * math.sin(abs(gamma)) / 3 <= mu * (g * math.cos(gamma) + s * s / l)


def energy(y):
    gamma, s, w = y
    return s * s / 2 + r * r * w * w / 4 - g * l * math.cos(gamma)


def locate(y, h, mode, event):
    low, high = 0.0, h
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if event(step(y, middle, mode)) > 0 else (low, middle)
    return high


t, y, mode, h, end = 0.0, [math.pi / 4, 0.0, 0.0], -1, 1e-5, 1.05
while t < end - 1e-14:
    h1 = min(h, end - t)
    new = step(y, h1, mode)
    sign = 1 if y[1] - r * y[2] > 0 else -1
    if new[0] < first and new[1] < 0:
        h1 = locate(y, h1, mode, lambda z: z[0] - first)
        new = step(y, h1, mode)
        gamma, s, w = new
        stick, jt = r * abs(w), 0
        # impulses per mass: J cos = 2 |s| + Jt, Jt = min(stick, mu J sin)
        j = 2 * abs(s) / (math.cos(first) - mu * math.sin(first))
        jt = mu * j * math.sin(first)
        if jt > stick:
            jt = stick
        print("t %.9f impact s %.9f w %.9f E %.9f" % (t + h1, s, w, energy(new)))
        y, t = [gamma, -s, w + 2 * jt / r], t + h1
        print("   after: s %.9f w %.9f E %.9f" % (y[1], y[2], energy(y)))
        mode = 1 if y[1] - r * y[2] > 0 else -1
        continue
    if mode and (new[1] - r * new[2]) * mode < 0:
        h1 = locate(y, h1, mode, lambda z: (z[1] - r * z[2]) * mode)
        y, t = step(y, h1, mode), t + h1
        if can_roll(y):
            mode = 0
            print("t %.9f rolls gamma %.9f s %.9f E %.9f" % (t, y[0], y[1], energy(y)))
        continue
    if mode == 0 and not can_roll(new):
        mode = 1 if new[1] > 0 else -1
        mode = -1 if new[0] > 0 else 1
        print("t %.9f slides gamma %.9f" % (t + h1, new[0]))
    y, t = new, t + h1
print("t %.9f gamma %.9f s %.9f w %.9f E %.9f" % (t, y[0], y[1], y[2], energy(y)))
print("x %.9f y %.9f" % (l * math.sin(y[0]), -l * math.cos(y[0])))
