"""How sure `carom converge` is, and how sure it may be: problems with analytic answers, at three levels each.

    how_sure.py CAROM DECKS [--all]

Every problem has a number whose true value is known. The stated error of a level should contain the true one. It may
miss it in one problem of ten at the finest level and in two of ten at the coarser ones, never by more than three times.
The answers are those of the model that the deck describes: a whole disc between plates, not a half-space."""
import csv
import math
import subprocess
import sys
import tempfile

G = 9.81


def swing(rate, angle, time, n=4000):
    """Angle of a pendulum, a'' = -rate sin a, let go at rest: Runge-Kutta of order 4, far below any error here."""
    h, a, w = time / n, angle, 0.0
    for _ in range(n):
        k1 = (w, -rate * math.sin(a))
        k2 = (w + h / 2 * k1[1], -rate * math.sin(a + h / 2 * k1[0]))
        k3 = (w + h / 2 * k2[1], -rate * math.sin(a + h / 2 * k2[0]))
        k4 = (w + h * k3[1], -rate * math.sin(a + h * k3[0]))
        a += h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
        w += h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
    return a


def disc_force(depth, young=1000, nu=0.3, radius=1):
    """Force at which each of two plates is pressed so deep into a disc (Johnson, Contact Mechanics, 5.57)."""
    soft = (1 - nu * nu) / (math.pi * young)

    def approach(p):
        return 2 * p * soft * (math.log(4 * radius / math.sqrt(4 * p * radius * soft)) - 0.5)

    low, high = 1e-9, 100.0
    for _ in range(200):
        low, high = ((low + high) / 2, high) if approach((low + high) / 2) < depth else (low, (low + high) / 2)
    return low


def ball_force(depth, young=1000, nu=0.3, radius=1):
    """Force at which each of two plates is pressed so deep into a ball (Hertz, with Tatara's correction for the whole ball)."""
    def force(a):
        return 4 * young * a**3 / (3 * radius * (1 - nu * nu))

    def approach(a):
        far = a * a + 4 * radius**2
        return a * a / radius - force(a) / (math.pi * young) * (2 * (1 + nu) * radius**2 / far**1.5 + (1 - nu * nu) / far**0.5)

    low, high = 0.0, 0.6
    for _ in range(100):
        low, high = ((low + high) / 2, high) if approach((low + high) / 2) < depth else (low, (low + high) / 2)
    return force(low)


def rolled(time, speed=5, mu=0.3):
    """Way of a ball that slides until it rolls with 5/7 of its speed."""
    rolls = 2 * speed / (7 * mu * G)
    return speed * rolls - mu * G * rolls**2 / 2 + 5 / 7 * speed * (time - rolls)


# deck, number, its true value, words of the command, is it small?
PROBLEMS = [
    ("oscillator", "tip.ux", math.sin(4 * math.sqrt(2)) / math.sqrt(2), [], True),
    ("bar-wall", "bar.velocity_y", 10, ["--of", "both"], True),
    ("transmission", "second.velocity_x", 20 * 0.5 / 40, ["--of", "both"], False),
    ("explicit-bars", "second.velocity_x", 1, ["--of", "both"], True),
    ("midpoint-bars", "second.velocity_x", 1, ["--of", "both"], True),  # its books are open by 0.2 to 0.6 % of the energy
    ("traction", "bar.velocity_x", 0.5, ["--of", "both"], True),  # the wall pushes back from t = 1 on, twice as hard
    ("lame", "bore.ux", 1.3e-3 / 3 * (0.4 + 4), ["--of", "mesh"], True),
    ("pressed-disc", "upper.impulse_y", -0.25 * sum(disc_force(0.005 * k) * (0.5 if k == 4 else 1) for k in (1, 2, 3, 4)), ["--of", "mesh"],
     True),  # statics: the impulse of a step has half of the force at either end
    ("pressed-ball", "upper.impulse_z", -0.5 * ball_force(0.1), ["--of", "mesh"], False),  # the same, in one step
    ("slope", "block.velocity_x", -9.8 * (0.5 - 0.3 * math.sqrt(0.75)) * 0.5 * math.sqrt(0.75), [], True),
    ("stop", "block.position_x", 0.5 + 1 / (2 * 0.3 * G), [], True),
    ("rolling", "ball.position_x", rolled(0.6), [], True),
    ("bowl-disk", "disk.position_x", 0.4 * math.sin(swing(2 / 3 * G / 0.4, math.pi / 4, 0.6)), [], True),
    ("bead", "bead.position_x", math.sin(swing(G, math.pi / 3, 0.6)), [], True),
    ("spring", "floor.contact_time", math.pi, [], True),
]


def study(carom, deck, number, words):
    with tempfile.TemporaryDirectory() as out:
        command = [carom, "converge", deck, "--workers", "1", "--quantities", number, "-o", out, *words]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
        (row,) = csv.DictReader(open(out + "/converge.csv"))
    return row, [(float(row[f"value_{k}"]), float(row[f"error_{k}"])) for k in range(3)]


def main(carom, decks, every):
    held, worst, count = [0, 0, 0], 0, 0
    print(f"{'problem':14} {'number':18} {'true':>10} {'order':>6} word        off / stated, level by level")
    for name, number, true, words, small in PROBLEMS:
        if not (small or every):
            continue
        count += 1
        row, levels = study(carom, f"{decks}/{name}.yaml", number, words)
        off = [abs(value - true) for value, _ in levels]
        for k, (_, error) in enumerate(levels):
            held[k] += off[k] <= error
            worst = max(worst, off[k] / error if error else math.inf)
        said = "   ".join(f"{o:.2g} / {e:.2g}{'' if o <= e else ' !'}" for o, (_, e) in zip(off, levels))
        print(f"{name:14} {number:18} {true:10.6g} {row['order'][:5] or '-':>6} {row['word']:11} {said}", flush=True)
    print(f"{count} problems; the stated error holds the true one in {held[2]} at the finest level, {held[1]} and {held[0]} before; at worst {worst:.2g} times the stated one")
    return held[2] >= 0.9 * count and min(held[:2]) >= 0.8 * count and worst <= 3


if __name__ == "__main__":
    sys.exit(not main(sys.argv[1], sys.argv[2], "--all" in sys.argv[3:]))
