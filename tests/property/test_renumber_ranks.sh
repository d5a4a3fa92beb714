#!/usr/bin/env bash
# A mesh in random order, which the model numbers anew, against the same mesh from the generator: the tables
# agree to 1e-9 of their scale on 1 and on 3 ranks, stopped and resumed on another number of ranks too.
set -euo pipefail
here="$CAROM_SOURCE/tests"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

python3 - <<'MESH'
import random

n = 80  # quads along an edge
random.seed(7)
at = lambda i, j: i + (n + 1) * j
nodes = [(i / n, j / n, 0) for j in range(n + 1) for i in range(n + 1)]
cells = [[at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)] for j in range(n) for i in range(n)]
place = list(range(len(nodes)))
random.shuffle(place)
random.shuffle(cells)
with open("random.msh", "w") as out:
    print("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes", file=out)
    print(f"1 {len(nodes)} 1 {len(nodes)}\n2 1 0 {len(nodes)}", file=out)
    print(*range(1, len(nodes) + 1), sep="\n", file=out)
    for a in sorted(range(len(nodes)), key=lambda a: place[a]):
        print(*(repr(x) for x in nodes[a]), file=out)
    print(f"$EndNodes\n$Elements\n1 {len(cells)} 1 {len(cells)}\n2 1 3 {len(cells)}", file=out)
    for e, cell in enumerate(cells):
        print(e + 1, *(place[a] + 1 for a in cell), file=out)
    print("$EndElements", file=out)
MESH

deck() # mesh
{
  cat <<DECK
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, lambda: 130, shear: 43.33, density: 8.93}]
bodies: [{name: b, material: m, spin: 1.5, mesh: {$1}}]
conditions:
  - {on: b, at: [0, 0], fix: [x]}
  - {on: b, at: [1, 1], force: [0.02, 0.01]}
  - {on: b.boundary, pressure: 1, ramp: [0, 0.01]}
time: {method: explicit, step: 1.0e-3, end: 0.02}
output:
  frames: 1
  extremes: [von-mises]
  probes: [{name: A, at: [1, 1], body: b}, {name: B, at: [0.5, 1], body: b}]
DECK
}
deck "block: {from: [0, 0], to: [1, 1], elements: [80, 80]}" > ordered.yaml
deck "file: random.msh" > random.yaml

run() # folder, command ...: a run that must end well
{
  if ! "${@:2}" > log 2>&1; then
    echo "$1 failed"
    cat log
    exit 1
  fi
}
bad=0
compare()
{
  echo -n "$2: "
  python3 "$here/parallel/compare_runs.py" "$1" "$2" || bad=1
}

run ordered "$CAROM" run ordered.yaml -o ordered
run one "$CAROM" run random.yaml -o one
run three mpiexec --oversubscribe -n 3 "$CAROM" run random.yaml -o three
compare ordered one
compare ordered three

code=0
"$CAROM" run random.yaml -o stopped --stop-after 5 > log 2>&1 || code=$?
[ $code = 130 ] || { echo "exit $code instead of 130"; bad=1; }
run stopped mpiexec --oversubscribe -n 2 "$CAROM" resume stopped
compare one stopped

# the pictures hold the nodes in the order of the file
vtk=/usr/bin/python3
if $vtk -c "import vtk" 2> /dev/null; then
  $vtk - one/fields random.msh <<'PICTURE' || bad=1
import glob, sys, vtk
reader = vtk.vtkXMLUnstructuredGridReader()
reader.SetFileName(sorted(glob.glob(sys.argv[1] + "/*.vtu"))[0])
reader.Update()
grid = reader.GetOutput()
lines = open(sys.argv[2]).read().split("\n")
n = int(lines[4].split()[1])
worst = max(abs(a - float(b)) for k in range(n) for a, b in zip(grid.GetPoint(k), lines[6 + n + k].split()))
print(f"first picture: nodes off the file's by {worst:.2g}")
sys.exit(worst > 1e-6)
PICTURE
else
  echo "SKIPPED: pictures were not opened, the Python module vtk (package python3-vtk9) is missing"
fi
exit $bad
