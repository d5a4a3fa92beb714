"""Orders at which methods converge, measured, beside the table of the manual.

    orders.py CAROM DECKS MANUAL

closed: contact that stays closed, by the step, against the solution of its equations of motion.
impact: a bar on a wall, by step and mesh together, against the speed at which it came.
friction: a block dragged to and fro, by the step, its loss against that of a step 16 times as short as the finest.
The order is the slope of a straight line through the logarithms of the errors. The manual must have it to 0.25; where
errors do not fall at 0.3 or more, it must say `none`."""
import csv
import math
import re
import subprocess
import sys
import tempfile

METHODS = ["dissipative", "velocity-update", "bipotential", "explicit", "midpoint", "newmark"]
LEVELS = 4


def closed(penalty, time=8, n=8000):
    """Displacement of the upper side: two masses of 1/2, a spring 1 between them, the lower one on a spring 10 or held."""
    def rate(t, s):
        u, v, w, z = s  # upper and lower side: place, velocity
        load = -0.01 * (1 - math.cos(t / 2))
        return (v, (load - (u - w)) / 0.5, z if penalty else 0, (u - w - 10 * w) / 0.5 if penalty else 0)

    def along(s, k, h):
        return tuple(a + h * b for a, b in zip(s, k))

    h, s = time / n, (0.0, 0.0, 0.0, 0.0)
    for i in range(n):
        k1 = rate(i * h, s)
        k2 = rate((i + 0.5) * h, along(s, k1, h / 2))
        k3 = rate((i + 0.5) * h, along(s, k2, h / 2))
        k4 = rate((i + 1) * h, along(s, k3, h))
        s = tuple(a + h / 6 * (p + 2 * q + 2 * r + w) for a, p, q, r, w in zip(s, k1, k2, k3, k4))
    return s[0]


def study(carom, deck, method, number, *words):
    with tempfile.TemporaryDirectory() as out:
        command = [carom, "converge", deck, "--workers", "1", "--quantities", number, "-o", out, "--set", f"time.method={method}", *words]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
        (row,) = csv.DictReader(open(out + "/converge.csv"))
    return [float(v) for k, v in row.items() if k.startswith("value_")]


def slope(errors):
    """Of a straight line through log2 |error| over the level, sign turned."""
    y = [math.log2(max(abs(e), 1e-300)) for e in errors]
    x = [k - (len(y) - 1) / 2 for k in range(len(y))]
    return -sum(a * b for a, b in zip(x, y)) / sum(a * a for a in x)


def measure(carom, decks, method):
    springs = method in ("dissipative", "velocity-update", "midpoint", "newmark")
    step = ["--set", "time.step=0.1"] if method == "explicit" else []
    held = closed(springs)
    a = study(carom, f"{decks}/closed.yaml", method, "top.uy", "--levels", str(LEVELS), *step)
    b = study(carom, f"{decks}/bar-wall.yaml", method, "bar.velocity_y", "--of", "both", "--levels", str(LEVELS))
    c = study(carom, f"{decks}/drag.yaml", method, "friction_loss", "--levels", str(LEVELS + 4))
    return [slope([v - held for v in a]), slope([v - 10 for v in b]), slope([v - c[-1] for v in c[:LEVELS]])]


def main(carom, decks, manual):
    good = True
    text = open(manual).read()
    for method in METHODS:
        row = re.search(rf"^\| `{method}` \| (\S+) \| (\S+) \| (\S+) \|", text, flags=re.M)
        said = row.groups() if row else ("?", "?", "?")
        found = measure(carom, decks, method)
        right = [s == "none" if f < 0.3 else re.fullmatch(r"[\d.]+", s) and abs(float(s) - f) <= 0.25 for s, f in zip(said, found)]
        good &= all(right)
        print(f"{method:16}", "  ".join(f"{f:5.2f} (manual {s}{'' if r else ', WRONG'})" for f, s, r in zip(found, said, right)), flush=True)
    return good


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:]))
