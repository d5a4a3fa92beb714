#!/bin/bash
# Axial symmetry: a thick sphere under pressure approaches Lame's displacement with the square of the element size; a
# sphere strikes a wall and another sphere, and energy and axial momentum are booked to the last digits, by any number of ranks.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

# A quarter of an annulus (half: of a disc section) in the plane of radius and axis, as Gmsh 2.2.
cat >mesh.py <<'PYTHON'
import math, sys
n, inner, first, last, name = int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]), sys.argv[5]
m = int(n * (last - first) / 90 * 2)
angles = [math.radians(first + (last - first) * j / m) for j in range(m + 1)]
nodes = [((inner + (2 - inner) * i / n) * math.cos(a), (inner + (2 - inner) * i / n) * math.sin(a)) for a in angles for i in range(n + 1)]
at = lambda i, j: j * (n + 1) + i + 1
cells = [(3, 4, (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1))) for j in range(m) for i in range(n)]
cells += [(1, 1, (at(0, j), at(0, j + 1))) for j in range(m)] + [(1, 2, (at(n, j), at(n, j + 1))) for j in range(m)]
cells += [(1, 3, (at(i, 0), at(i + 1, 0))) for i in range(n)]
with open(name, "w") as f:
    f.write('$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n1 1 "inner"\n1 2 "outer"\n1 3 "equator"\n2 4 "all"\n$EndPhysicalNames\n')
    f.write("$Nodes\n%d\n" % len(nodes))
    for k, (x, y) in enumerate(nodes):
        f.write("%d %.17g %.17g 0\n" % (k + 1, x if abs(x) > 1e-14 else 0, y))
    f.write("$EndNodes\n$Elements\n%d\n" % len(cells))
    for k, (kind, group, c) in enumerate(cells):
        f.write("%d %d 2 %d %d %s\n" % (k + 1, kind, group, group, " ".join(map(str, c))))
    f.write("$EndElements\n")
PYTHON
for n in 4 8 16; do python3 mesh.py $n 1 0 90 sphere-$n.msh; done

# Lame: u(1) = p/(E (b^3 - 1)) [(1 - 2 nu) + (1 + nu) b^3/2], b = 2, E = 1000, nu = 0.3, p = 1e-3
for n in 4 8 16; do
  cat >lame-$n.yaml <<DECK
carom: 1
dimension: 2
symmetry: axial
materials: [{name: metal, model: linear, young: 1000, poisson: 0.3, density: 1}]
bodies: [{name: ball, mesh: {file: sphere-$n.msh}, material: metal}]
conditions:
  - {on: ball.equator, fix: [y]}
  - {on: ball.inner, pressure: 1.0e-3}
time: {analysis: quasi-static, method: dissipative, step: 1, end: 1}
output: {frames: 0, report: false, probes: [{name: side, body: ball, at: [1, 0]}, {name: pole, body: ball, at: [0, 1]}]}
DECK
  cpu 600 "$CAROM" run lame-$n.yaml -o lame-$n >stdout 2>stderr || { echo "FAILED: lame-$n: $(cat stderr)"; failed=1; }
done
python3 - <<'PYTHON' || failed=1
import csv, sys
exact = 1e-3 / (1000 * 7) * (0.4 + 1.3 * 8 / 2)
errors = {}
for n in (4, 8, 16):
    rows = {r["probe"]: r for r in csv.DictReader(open(f"lame-{n}/probes.csv")) if float(r["time"]) == 1}
    errors[n] = abs(float(rows["side"]["ux"]) / exact - 1), abs(float(rows["pole"]["uy"]) / exact - 1)
    assert abs(float(rows["pole"]["ux"])) < 1e-18, "the axis moved"
print("Lame sphere, relative errors at the equator and at the pole:", errors)
for k in range(2):
    if not (errors[16][k] < 0.01 and errors[16][k] < 0.35 * errors[8][k] < 0.35 * 0.35 * 1.3 * errors[4][k]):
        sys.exit(print("FAILED: no second order"))
PYTHON

# Half a section of a solid-walled ball strikes a wall, then two of them each other.
python3 mesh.py 4 1 -90 90 ball.msh
cat >wall.yaml <<'DECK'
carom: 1
dimension: 2
symmetry: axial
materials: [{name: rubber, model: neo-hookean, young: 1000, poisson: 0.49, density: 1}]
bodies:
  - {name: one, mesh: {file: ball.msh}, position: [0, 2.01], material: rubber, velocity: [0, -1]}
obstacles: [{name: wall, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [one.outer, wall], friction: 0.3}]
time: {method: dissipative, step: 0.01, end: 0.6, tolerance: 1.0e-10}
output: {frames: 0, report: false}
DECK
sed -e 's/^obstacles.*//' -e 's/between: .one.outer, wall./between: [one.outer, two.outer]/' \
  -e 's/^contact/  - {name: two, mesh: {file: ball.msh}, position: [0, -2], material: rubber}\ncontact/' wall.yaml >two.yaml
for deck in wall two; do
  for ranks in 1 2; do
    cpu 600 mpiexec --oversubscribe -n $ranks "$CAROM" run $deck.yaml -o $deck-$ranks --force >stdout 2>stderr ||
      { echo "FAILED: $deck on $ranks: $(cat stderr)"; failed=1; }
  done
done
python3 - <<'PYTHON' || failed=1
import csv, sys
bad = 0
for deck in ("wall", "two"):
    runs = [list(csv.DictReader(open(f"{deck}-{r}/history.csv"))) for r in (1, 2)]
    energy = float(runs[0][0]["energy"])
    worst = max(abs(float(r["balance"])) for r in runs[0]) / energy
    touched = max(int(r["contacts"]) for r in runs[0])
    ranks = max(abs(float(a["strain"]) - float(b["strain"])) for a, b in zip(*runs)) / energy
    drift = max(abs(float(r["momentum_y"]) - float(runs[0][0]["momentum_y"])) for r in runs[0]) / energy
    print(deck, "balance", worst, "contacts", touched, "ranks", ranks, "momentum", drift)
    if not (worst < 1e-9 and touched > 1 and ranks < 1e-9):
        bad = print("FAILED:", deck) or 1
    if deck == "two" and not drift < 1e-9:
        bad = print("FAILED: axial momentum") or 1
sys.exit(bad)
PYTHON
exit $failed
