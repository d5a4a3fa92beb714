"""Throws random deformable convex bodies at each other and looks at what overlaps.

usage: throws.py CAROM FOLDER METHOD DIMENSION FIRST LAST [swapped] [returned]

Each number from FIRST to LAST - 1 is the seed of one run: BODIES bodies of random shape, size, mesh, turn and
speed fly towards one place. contacts.csv must say that nothing lies unseen inside another body for longer than a step:
what comes in within a step is at most WAY deep. A penalty method may let nodes in by 5 % of the least facet. Under `dissipative` nothing is unseen at any row (in the plane up to LIFTED at mid-side nodes), and energy and momentum are kept to rounding. With
`swapped`, the deck also runs with its bodies in reverse order, and must give the same depth. bipotential and explicit
(with closing) let nothing in. Contact makes almost no energy: at most GAIN over all steps, and MORE in some seeds of explicit. With
`returned` bipotential returns what impacts take, so that contact has never given more than it took, but for GAIN.

The test runs some seeds; 0 to 17 in the plane and 0 to 22 in space are 200 bodies."""
import csv
import json
import math
import os
import random
import subprocess
import sys

BODIES = {2: 6, 3: 4}
EXACT = ("bipotential", "explicit")
CREATE = ("midpoint", "newmark")  # these create energy at impacts, and warn of it; at half of the step they create much less
ROUNDING = 1e-9  # ledgers, of the energy and the momentum at the start
SWAPPED = 1e-6  # of the depth: rounding, grown by impacts
STEP = 0.0025
EXACT_DEPTH = 1e-10  # of the size of the bodies, which is about 1
# of the energy: all steps in which exact contact does work on the bodies; facets that turn give a little
GAIN = {"bipotential": 2e-4, "explicit": 5e-3}
# in space, explicit: corners slide over edges, and normals turn; halves with the step (theory 19.9)
MORE = {10: 7e-3, 11: 1.2e-2, 18: 6e-3}
LIFTED = 1e-4  # of the size: springs act on vertices that are lifted from mid-side nodes, up to a third of the sagitta (theory 13.1)
WAY = 4 * STEP  # two bodies at the greatest speed


def turned(points, angle):
    c, s = math.cos(angle), math.sin(angle)
    return [[c * x - s * y, s * x + c * y] for x, y in points]


def flat_body(rng, place):
    """A convex quadrilateral around the place, or a disc."""
    size = rng.uniform(0.5, 0.9)
    if rng.random() < 0.3:
        return {"disc": {"center": place, "radius": round(size / 2, 4), "core": rng.choice([2, 3, 4]), "rings": rng.choice([1, 2])}}, size / 6
    corners = [[size / 2 * (x + rng.uniform(-0.25, 0.25)), size / 2 * (y + rng.uniform(-0.25, 0.25))] for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    corners = [[place[0] + x, place[1] + y] for x, y in turned(corners, rng.uniform(0, 2 * math.pi))]
    n = [rng.randint(2, 5), rng.randint(2, 5)]
    return {"quad": {"corners": corners, "elements": n, "type": rng.choice(["Q4", "T3", "T6", "Q8"])}}, size / max(n)


def solid_body(rng, place):
    """A hexahedron with plane faces around the place, or a ball; the deck turns it."""
    size = rng.uniform(0.5, 0.9)
    if rng.random() < 0.25:
        return {"ball": {"radius": round(size / 2, 4), "elements": rng.choice([2, 3])}}, size / 4
    edges = [size * rng.uniform(0.6, 1) for _ in range(3)]
    n = [rng.randint(1, 3) for _ in range(3)]
    return {"block": {"from": [-e / 2 for e in edges], "to": [e / 2 for e in edges], "elements": n, "type": rng.choice(["H8", "T4"])}}, size / max(n)


def deck(rng, method, dimension, returned=False):
    bodies, least = [], 1.0
    count = BODIES[dimension]
    for k in range(count):
        a = 2 * math.pi * (k + rng.uniform(-0.15, 0.15)) / count
        place = [1.6 * math.cos(a), 1.6 * math.sin(a)] + ([rng.uniform(-0.2, 0.2)] if dimension == 3 else [])
        speed = rng.uniform(1, 2)
        mesh, h = (flat_body if dimension == 2 else solid_body)(rng, place)
        least = min(least, h)
        body = {"name": f"b{k}", "mesh": mesh, "material": "m",
                "velocity": [-speed * place[0] / 1.6, -speed * place[1] / 1.6] + ([0.0] if dimension == 3 else []),
                "spin": rng.uniform(-2, 2) if dimension == 2 else [rng.uniform(-2, 2) for _ in range(3)]}
        if dimension == 3:
            axis = [rng.gauss(0, 1) for _ in range(3)]
            body.update(position=place, angle=rng.uniform(0, 3), axis=axis)
        bodies.append(body)
    time = {"method": method, "end": 1.2}
    time.update({"step": "auto", "closing": "yes"} if method == "explicit" else {"step": STEP / 2 if method in CREATE else STEP})
    if method == "bipotential":
        time["impact_energy"] = "returned" if returned else "lost"
    return {"carom": 1, "dimension": dimension,
            "materials": [{"name": "m", "model": "neo-hookean", "young": 5000.0, "poisson": 0.3, "density": 1.0}],
            "bodies": bodies, "contact": [{"default": {"friction": rng.choice([0.0, 0.3])}}], "time": time,
            "output": {"frames": 0}}, least


def flow(value):
    """A value as YAML in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(v) for v in value) + "]"
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def look(rows, method, least):
    """The worst of a run: depth in facets (penalties) or sizes (exact methods), and what nothing holds."""
    depth = max((max(float(r["overlap_ab"] or 0), float(r["overlap_ba"] or 0)) for r in rows), default=0)
    unseen = max((float(r["unseen"] or 0) for r in rows), default=0)
    return (depth if method in EXACT else depth / least), unseen


def books(audit):
    """The greatest defect of energy, momentum and angular momentum."""
    return max(audit["balance_relative"], audit["momentum_drift"], audit["angular_drift"])


def gain(name, returned):
    """The work of contact in all steps in which it is positive, over the energy at the start. If contact returns what
    it took, the greatest work since the start."""
    with open(os.path.join(name[:-5], "history.csv")) as f:
        rows = list(csv.DictReader(f))
    work = [float(r["contact_work"]) for r in rows]
    if returned:
        return max(work) / float(rows[0]["energy"])
    return sum(max(b - a, 0) for a, b in zip(work, work[1:])) / float(rows[0]["energy"])


def limits(method, dimension):
    """How deep a node may be, and how deep where nothing holds it."""
    if method in EXACT:
        return EXACT_DEPTH, EXACT_DEPTH
    return 0.05, (LIFTED if dimension == 2 else 0) if method == "dissipative" else WAY


def run(carom, name, data):
    """Runs a deck. Returns the rows of contacts.csv and the audit, or None."""
    with open(name, "w") as f:
        f.write("".join(f"{k}: {flow(v)}\n" for k, v in data.items()))
    done = subprocess.run([carom, "run", name, "-o", name[:-5], "--force"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        print(f"{name}: exit {done.returncode}: {done.stderr.strip().splitlines()[-1:]}")
        return None
    with open(os.path.join(name[:-5], "contacts.csv")) as rows, open(os.path.join(name[:-5], "audit.json")) as audit:
        return list(csv.DictReader(rows)), json.load(audit)


def depends_on_order(carom, name, data, method, least, depth):
    """Does the order of the bodies matter?"""
    other = run(carom, name[:-5] + "-swapped.yaml", dict(data, bodies=data["bodies"][::-1]))
    return other is None or abs(look(other[0], method, least)[0] - depth) > SWAPPED * depth


def main():
    carom, folder, method, dimension, first, last = sys.argv[1:3] + [sys.argv[3]] + [int(a) for a in sys.argv[4:7]]
    bad, returned = 0, "returned" in sys.argv
    for seed in range(first, last):
        data, least = deck(random.Random(seed), method, dimension, returned)
        name = os.path.join(folder, f"throw-{dimension}-{seed}.yaml")
        result = run(carom, name, data)
        if result is None:
            bad += 1
            continue
        depth, unseen = look(result[0], method, least)
        deepest, most_unseen = limits(method, dimension)
        wrong = unseen > most_unseen or depth > deepest or not result[0]
        wrong = wrong or (method == "dissipative" and books(result[1]) > ROUNDING)
        made = gain(name, returned) if method in EXACT else 0
        most = MORE.get(seed, 0) if method == "explicit" and dimension == 3 else 0
        wrong = wrong or made > max(GAIN.get(method, 0), most)
        wrong = wrong or ("swapped" in sys.argv and depends_on_order(carom, name, data, method, least, depth))
        bad += wrong
        print(f"{name}: {method}: depth {depth:.3g}, unseen {unseen:.3g}, books {books(result[1]):.2g}, made {made:.1g}{'  WRONG' if wrong else ''}")
    sys.exit(1 if bad else 0)


main()
