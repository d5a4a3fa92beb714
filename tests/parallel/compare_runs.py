"""Compares the tables of two runs: every column of every table, relative to the column's scale.

usage: compare_runs.py RUN_A RUN_B [--bound 1e-9]

The scale of a column is its greatest absolute value in run A; columns of one kind (the components of a
vector, the energies) share the greatest of theirs, so that round-off in a zero component is not blown up.
Exit 0 if all agree, 1 with the worst of each column that does not.
"""

import argparse
import csv
import math
import os
import sys

GROUPS = [
    "momentum_x momentum_y momentum_z",
    "angular_x angular_y angular_z",
    "kinetic strain potential penalty external_work friction_loss energy balance contact_work defect plastic viscous",
    "x y z ux uy uz",
    "vx vy vz",
    "fx fy fz filtered_x filtered_y filtered_z",
    "mx my mz",
    "impulse_x impulse_y impulse_z normal_impulse_x normal_impulse_y normal_impulse_z "
    "tangential_impulse_x tangential_impulse_y tangential_impulse_z",
    "px py pz",
    "jx jy jz",
    "spin_x spin_y spin_z",
    "min max",
    "overlap_ab overlap_ba unseen",
    # the least slip may be that of a point that sticks: rounding, many orders below the others
    "mean_slip min_slip max_slip",
]
LEAST = {"max_penetration": 1e-5, "overlap_ab overlap_ba unseen": 1e-5}  # of bodies of size 1: methods without penetration have its round-off alone
COUNTS = {"iterations"}  # of Newton: may differ by one where round-off decides
GROUP = {name: group for group in GROUPS for name in group.split()}


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def compare(name, path_a, path_b, bound, skip=(), least=LEAST, each=None):
    """What is wrong, and the greatest difference. each: gets the difference of every column."""
    a, b = (list(csv.DictReader(open(p, newline=""))) for p in (path_a, path_b))
    if len(a) != len(b):
        return [f"{name}: {len(a)} and {len(b)} rows"], 0
    if not a:
        return [], 0
    if list(a[0]) != list(b[0]):
        return [f"{name}: other columns"], 0
    scale, worst, wrong = dict(least), {}, []
    for row in a:
        for key, text in row.items():
            group, value = GROUP.get(key, key), number(text)
            if value is not None and math.isfinite(value):
                scale[group] = max(scale.get(group, 0), abs(value))
    for line, (row_a, row_b) in enumerate(zip(a, b), 2):
        for key in row_a:
            va, vb = number(row_a[key]), number(row_b[key])
            if va is None or vb is None:
                if row_a[key] != row_b[key]:
                    wrong.append(f"{name}:{line}: {key}: {row_a[key]} and {row_b[key]}")
                continue
            if key in COUNTS or key in skip or va == vb:  # also the gap of a node that is far, inf
                continue
            group = GROUP.get(key, key)
            off = abs(va - vb) / scale[group] if scale[group] > 0 else abs(va - vb)
            if not off <= worst.get(key, (0, 0))[0]:
                worst[key] = (off, line)
    for key, (off, line) in worst.items():
        if not off <= bound:
            wrong.append(f"{name}:{line}: {key} differs by {off:.2e} of its scale")
        if each is not None:
            each[name, key] = (off, line)
    return wrong, max((off for off, _ in worst.values()), default=0)


def main():
    parser = argparse.ArgumentParser(description="Compares the tables of two runs.")
    parser.add_argument("run_a")
    parser.add_argument("run_b")
    parser.add_argument("--bound", type=float, default=1e-9)
    parser.add_argument("--skip", default="", help="columns that are not compared")
    args = parser.parse_args()
    names = sorted(n for n in os.listdir(args.run_a) if n.endswith(".csv"))
    wrong, greatest = [], 0
    if "history.csv" not in names:
        wrong.append(f"{args.run_a}: no history.csv")
    if names != sorted(n for n in os.listdir(args.run_b) if n.endswith(".csv")):
        wrong.append("the runs wrote different tables")
    else:
        for name in names:
            found, off = compare(
                name, os.path.join(args.run_a, name), os.path.join(args.run_b, name), args.bound, args.skip.split(",")
            )
            wrong += found
            greatest = max(greatest, off)
    print("\n".join(wrong) if wrong else f"greatest difference {greatest:.1e}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
