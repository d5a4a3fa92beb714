#!/usr/bin/env python3
"""Do results depend on the number of ranks? Every contact example, every method that accepts it.

usage: tests/parallel/every_example.py [--program build/carom] [--ranks 1,2,3,5,8] [--only WORD] [--methods LIST]
                                       [--short] [--after 8] [--look 300] [--seconds 60] [--bound 1e-9]

A deck first runs on one rank alone for at most LOOK steps or SECONDS of processor time, to find the first step in
contact. All runs then take AFTER steps more than that, with a tolerance of Newton's method of 1e-12, so that its
remainder does not hide what is looked for. The tables of every number of ranks are compared with those of the first
(compare_runs.py); columns that are zero by symmetry get their scale from others (least_scales). A line has the method,
the number of steps, how many of them were in contact, and for each number of ranks the largest difference, as a part of its column's scale. A star: columns of overlap differ, because nodes lie
on the rim of the other surface. `refused`: the method does not take the deck.
Where a difference is above the bound, one rank runs again with the first stiffness of the deck changed by 1e-14 of its
value. The line then has what this changes, after `rounding`. In each column a difference of at most TIMES as much is
that of rounding.
--short takes a few decks that cover all kinds of passes, which is what the tests do.
"""
import argparse
import contextlib
import csv
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare_runs  # noqa: E402

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
METHODS = ["dissipative", "velocity-update", "bipotential", "midpoint", "newmark", "explicit", "efda"]
SHORT = ["crossed-bars.deck dissipative", "crossed-bars.deck velocity-update", "rigid-points.deck dissipative",
         "friction-blocks.deck velocity-update", "two-cylinders.deck bipotential", "two-cylinders.deck newmark",
         "blocks-explicit.deck explicit"]
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_rmaps_base_oversubscribe="1", OPENBLAS_NUM_THREADS="1")
TIMES = 10
STOPPED = 130  # exit code of --stop-after
# The overlap check decides whether a node is over the other surface or beside it. On meshes that match, nodes lie on the
# rim, and rounding decides. These columns are judged apart from the others.
RIMS = "overlap_ab,overlap_ba,unseen".split(",")


def decks():
    """Names and files of the examples that state contact."""
    top = os.path.join(TOP, "examples")
    for example in sorted(os.listdir(top)):
        folder = os.path.join(top, example)
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            path = os.path.join(folder, name)
            if name.endswith(".yaml") and name != "expected.yaml":
                with open(path) as file:
                    if re.search(r"^contact:", file.read(), re.M):
                        yield example + "." + name[:-5], path


def run(given, deck, method, ranks, steps, seconds=None):
    """Exit code, folder and last line of one run. Its processor time is limited if `seconds` is given."""
    out = os.path.join(given.work, "%s.%d" % (method, ranks))
    shutil.rmtree(out, ignore_errors=True)
    launch = ["mpiexec", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
    limit = (lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))) if seconds else None
    call = launch + [given.program, "run", deck, "-o", out, "--stop-after", str(steps), "--set", "time.method=" + method,
                     "--set", "output.frames=0", "--set", "output.report=false"]
    for more in (["--set", "time.tolerance=1e-12"], []):  # not every method has a tolerance
        done = subprocess.run(call + more, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              preexec_fn=limit)
        if done.returncode != 2:
            break
    return done.returncode, out, (done.stderr.strip().splitlines() or [""])[-1]


def contact_steps(folder):
    """Steps of history.csv, and those in contact. Events of `efda` count as contact."""
    with contextlib.suppress(OSError):
        with open(os.path.join(folder, "history.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        touching = [int(float(row["step"])) for row in rows if float(row.get("contacts") or 0) > 0]
        return max((int(float(row["step"])) for row in rows), default=0), touching
    return 0, []


def greatest(rows, *columns):
    return max((abs(float(row.get(key) or 0)) for row in rows for key in columns), default=0)


def least_scales(folder):
    """Columns that symmetry makes zero have only rounding in them. Their scale is made from other columns."""
    tables = {}
    for name in ("history", "bodies", "probes"):
        tables[name] = []
        with contextlib.suppress(FileNotFoundError), open(os.path.join(folder, name + ".csv"), newline="") as file:
            tables[name] = list(csv.DictReader(file))
    bodies, history = tables["bodies"], tables["history"]
    size = greatest(bodies + tables["probes"], "x", "y", "z") or 1
    start = {row["body"]: row for row in reversed(bodies)}
    way = max((abs(float(row[k] or 0) - float(start[row["body"]][k] or 0)) for row in bodies for k in "xyz"), default=0)
    mass = sum(float(row["mass"]) for row in start.values())
    energy = greatest(history, "kinetic", "strain", "external_work", "penalty")
    momentum = (2 * mass * energy) ** 0.5
    force = momentum / (float(history[-1]["time"]) or 1)
    scales = dict(compare_runs.LEAST)
    for key, value in (("mean_slip", way), ("min_slip", way), ("max_slip", way), ("max_penetration", way),
                       ("overlap_ab", way), ("slip", way), ("gap", way), ("x", size),
                       ("momentum_x", momentum), ("px", momentum), ("angular_x", momentum * size),
                       ("jx", momentum * size), ("spin_x", momentum / mass / size), ("kinetic", energy),
                       ("impulse_x", momentum), ("fx", force), ("mx", force * size), ("angle", 1)):
        group = compare_runs.GROUP.get(key, key)
        scales[group] = max(scales.get(group, 0), value)
    return scales


def differences(one, other, bound, small=None):
    """The largest difference of two runs, those above the bound, whether columns of overlap differ, and the difference of
    every column. small: what rounding does to each column; differences of at most TIMES as much are no mistakes."""
    most, wrong, rims, each, scales = 0, [], False, {}, least_scales(one)
    for name in sorted(os.listdir(one)):
        if name.endswith(".csv"):
            paths = os.path.join(one, name), os.path.join(other, name)
            found, off = compare_runs.compare(name, *paths, bound, skip=RIMS, least=scales, each=each)
            rims = rims or compare_runs.compare(name, *paths, bound, least=scales)[0] != found
            wrong, most = wrong + found, max(most, off)
    if small is not None:
        excused = ["%s:%d: %s differs" % (name, line, key) for (name, key), (off, line) in each.items()
                   if off <= TIMES * small.get((name, key), (0, 0))[0]]
        wrong = [word for word in wrong if not word.startswith(tuple(excused) or ("\0",))]
    return most, wrong, rims, each


def rounding(given, deck, method, count, first):
    """Where the first run is now, and what the smallest change of a stiffness changes on one rank (None: there is no
    stiffness)."""
    with open(deck) as file:
        text, n = re.subn(r"\b((?:young|lambda|shear): )([0-9.]+(?:[eE][-+]?[0-9]+)?)",
                          lambda found: found.group(1) + repr(float(found.group(2)) * (1 + 1e-14)), file.read(), count=1)
    folder = os.path.join(given.work, "changed")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(os.path.dirname(deck), folder)
    with open(os.path.join(folder, "changed.yaml"), "w") as file:
        file.write(text)
    kept = first + ".first"
    shutil.rmtree(kept, ignore_errors=True)
    os.rename(first, kept)
    _, out, _ = run(given, os.path.join(folder, "changed.yaml"), method, given.ranks[0], count)
    small = differences(kept, out, given.bound) if n and os.path.exists(os.path.join(out, "history.csv")) else None
    return kept, small


def judge(given, name, deck, method):
    """One line of the table; False: results depend on the number of ranks."""
    code, out, last = run(given, deck, method, given.ranks[0], given.look, given.seconds)
    if code == 2:
        print("%-36s %-16s refused" % (name, method), flush=True)
        return True
    steps, touching = contact_steps(out)
    if not touching:
        print("%-36s %-16s no contact in the first %d steps" % (name, method, steps), flush=True)
        return True
    count = min(touching[0] + given.after, given.look)
    if code not in (0, STOPPED) and count > steps - 1:
        count = max(steps - 1, 1)
    code, first, last = run(given, deck, method, given.ranks[0], count)
    _, touching = contact_steps(first)
    cells, bad, folders = [], [], {}
    for ranks in given.ranks[1:]:
        other, folder, words = run(given, deck, method, ranks, count)
        if other != code:
            cells.append("exit %d" % other)
            bad.append("%d ranks: exit %d in place of %d: %s" % (ranks, other, code, words))
            continue
        most, wrong, rims, _ = differences(first, folder, given.bound)
        cells.append(("rows" if wrong and not most else "%.0e" % most) + ("*" if rims else ""))
        folders.update({ranks: folder} if wrong else {})
    if folders:
        first, small = rounding(given, deck, method, count, first)
        cells.append("rounding %.0e" % small[0] if small else "no stiffness to change")
        for ranks, folder in folders.items():
            wrong = differences(first, folder, given.bound, small[3] if small else None)[1]
            bad += ["%d ranks: %s" % (ranks, word) for word in wrong[:3]]
    print("%-36s %-16s %4d steps, %3d in contact  %s%s" %
          (name, method, count, len(touching), "  ".join("%-8s" % cell for cell in cells),
           "" if code in (0, STOPPED) else "  exit %d: %s" % (code, last)), flush=True)
    for line in bad:
        print("    " + line, flush=True)
    return not bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.environ.get("CAROM", "build/carom"))
    parser.add_argument("--ranks", default="1,2,3,5,8")
    parser.add_argument("--only", default="")
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--after", type=int, default=8)
    parser.add_argument("--look", type=int, default=300)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--bound", type=float, default=1e-9)
    given = parser.parse_args()
    given.program = os.path.abspath(given.program)
    given.ranks = [int(word) for word in given.ranks.split(",")]
    cases = [(name, deck, method) for name, deck in decks() for method in given.methods.split(",")
             if given.only in name and (not given.short or name + " " + method in SHORT)]
    bad = 0
    with tempfile.TemporaryDirectory() as given.work:
        for case in cases:
            bad += not judge(given, *case)
    print("%d cases, %d depend on the number of ranks by more than %g" % (len(cases), bad, given.bound))
    return 1 if bad or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
