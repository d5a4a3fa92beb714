#!/usr/bin/env bash
# report.html and compare.html in a browser (web/test/page.mjs), beside what the files of the runs say.
set -euo pipefail
carom=$CAROM source=$CAROM_SOURCE

for name in chromium chromium-browser google-chrome; do
  browser=$(command -v $name) && break
done
skip() {
  echo "SKIPPED: $1"
  exit 77
}
[ -n "${browser:-}" ] || skip "no chromium here"
[ -d "${CAROM_PAGE_MODULES:-}" ] || skip "npm could not get playwright-core when this was built"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

two=$source/examples/two-cylinders/deck.yaml
$carom run "$two" -o flat --set 'time.steps=[[1.6, 1], [0.01, 70]]' --set output.frames=60 \
  --set 'output.probes=[{name: A, at: [-0.8, 0], body: left}]' > log
[ -e flat/report.html ] || skip "the program was built without its page"
$carom run "$source/examples/spinning-balls/deck.yaml" -o space --set time.end=0.05 --set output.frames=8 > log
$carom run "$source/examples/free-flight/deck.yaml" -o bare --set output.frames=0 > log
# rigid bodies, alone in the plane and beside others in space
$carom run "$source/examples/carom/deck.yaml" -o ellipse --set time.end=1.2 --set output.frames=20 > log
cat > mixed.yaml << 'END'
carom: 1
dimension: 3
materials:
  - {name: soft, model: saint-venant-kirchhoff, lambda: 200, shear: 150, density: 2}
bodies:
  - {name: block, mesh: {block: {from: [-1, -1, -1], to: [1, 1, 0], elements: [3, 3, 2]}}, material: soft, velocity: [0.1, 0, 0]}
  - {name: ball, rigid: {sphere: {radius: 0.4}, mass: 1.5}, position: [-0.2, 0.1, 0.45], velocity: [1.5, 0.5, -2], spin: [3, -6, 2]}
  - {name: brick, rigid: {box: {size: [0.6, 0.4, 0.2]}, mass: 1}, position: [2, 0, 0], velocity: [0, 1, 0.5], spin: [1, 8, 2], axis: [1, 1, 0], angle: 30}
contact:
  - {between: [block.top, ball], slaves: nodes, friction: 0.3, normal_penalty: 1000, tangential_penalty: 1000, weight: unit}
time: {method: dissipative, step: 0.01, end: 0.4}
audit: {max_penetration: 1}  # the ball goes between nodes
output: {frames: 10}
END
$carom run mixed.yaml -o mixed > log
# warnings, one with what HTML would take for a tag; a run that was stopped has them in its log alone
cat > '<b>.yaml' << 'END'
carom: 1
dimension: 2
materials: [{name: soft, model: saint-venant-kirchhoff, lambda: 200, shear: 150, density: 2}]
bodies:
  - {name: one, mesh: {block: {from: [0, 0], to: [1, 1], elements: [2, 2]}}, material: soft}
  - {name: two, mesh: {block: {from: [2, 0], to: [3, 1], elements: [2, 2]}}, material: soft}
time: {method: midpoint, step: 0.01, end: 0.02}
output: {frames: 2, probes: [{name: far, at: [99, 1], body: one}]}
END
$carom run '<b>.yaml' -o warned > log 2>&1
$carom run '<b>.yaml' -o half --stop-after 1 > log 2>&1 || [ $? = 130 ]
$carom report half > log
$carom compare "$two" --methods dissipative,velocity-update,newmark,explicit -o both \
  --set 'time.steps=[[1.6, 1], [0.01, 40]]' > log || { cat log; exit 1; }
# explicit steps far above the critical one: it gives up
sed 's/end: 676.7.*/end: 10.8272/' "$source/examples/free-flight/deck.yaml" > flight.yaml
$carom compare flight.yaml --methods midpoint,explicit -o wild --set 'methods={explicit: {step: 0.6767}}' > log
$carom compare "$source/examples/patch-test/deck.yaml" --methods explicit -o none > log 2>&1 || [ $? = 1 ]
# nothing moves: what is left of the energies is rounding, also where they add up to zero
cat > still.yaml << 'END'
carom: 1
dimension: 2
bodies:
  - {name: stone, rigid: {box: {size: [0.2, 0.1]}, mass: 1}, position: [0, -0.1], repeat: {counts: [1, 3], spacing: [1, 0.1]}}
obstacles: [{name: floor, plane: {point: [0, -0.15], normal: [0, 1]}}]
contact: [{default: {friction: 0.3, restitution: 0}}]
conditions: [{gravity: [0, -9.81]}]
time: {method: efda, step: 1.0e-3, end: 0.1}
output: {frames: 1}
END
$carom run still.yaml -o still > log
# the same stones fall askew: impacts take energy, and so does friction
$carom run still.yaml -o fallen --set 'bodies.0.repeat.spacing=[1, 0.3]' --set bodies.0.angle=20 --set 'bodies.0.position=[0, 0.3]' --set time.end=0.6 > log
# the corner of a driven block goes between the nodes of another, which alone are slaves
cat > unheld.yaml << 'END'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1.0e-3}]
bodies:
  - {name: ramp, mesh: {quad: {corners: [[0, 0], [4, 2], [4, 5], [0, 5]], elements: [12, 9]}}, material: m}
  - {name: tool, mesh: {block: {from: [2.75, -2], to: [5.75, 1.3], elements: [3, 3]}}, material: m}
contact: [{between: [ramp.bottom, tool], friction: 0, sides: first}]
conditions: [{on: ramp.top, fix: [x, y]}, {on: tool, velocity: [-1, 0]}]
time: {method: dissipative, step: 0.02, end: 0.4}
output: {frames: 1}
END
$carom run unheld.yaml -o unheld > log 2>&1
# a block on a spring, whose contact lasts 30 steps, or 3
cat > spring.yaml << 'END'
carom: 1
dimension: 2
units: {length: mm, mass: kg, time: ms}
materials: [{name: stiff, model: linear, young: 1.0e+4, poisson: 0, density: 1}]
bodies: [{name: block, mesh: {block: {from: [0, 0.005], to: [1, 1.005], elements: [1, 1]}}, material: stiff, velocity: [0, -0.01]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [block.bottom, floor], friction: 0, normal_penalty: 1}]
time: {method: dissipative, step: 0.10471975511965977, end: 6}
output: {frames: 1}
END
$carom run spring.yaml -o fine > log
$carom run spring.yaml -o coarse --set time.step=1.0471975511965976 > log
# a disc of 24 facets, 15 degrees from one to the next
cat > round.yaml << 'END'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1.0e+4, poisson: 0.3, density: 1}]
bodies: [{name: disc, mesh: {disc: {center: [0, 1.001], radius: 1, core: 6, rings: 3}}, material: m, velocity: [0, -1]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [disc, floor], friction: 0}]
time: {method: dissipative, step: 0.002, end: 0.02}
output: {frames: 1}
END
$carom run round.yaml -o round > log
# one unknown on a spring, at three steps
cat > swing.yaml << 'END'
carom: 1
dimension: 2
materials: [{name: m, model: linear, young: 1, poisson: 0, density: 1}]
bodies: [{name: bar, mesh: {block: {from: [0, 0], to: [1, 1], elements: [1, 1]}}, material: m, velocity: [1, 0]}]
conditions: [{on: bar.left, fix: [x, y]}, {on: bar, fix: [y]}]
time: {method: midpoint, step: 0.5, end: 2}
output: {frames: 2, probes: [{name: tip, at: [1, 0]}]}
END
$carom converge swing.yaml -o study --workers 1 > log
# balls on a floor, of which one rolls
cat > balls.yaml << 'END'
carom: 1
dimension: 3
bodies:
  - {name: still, rigid: {sphere: {radius: 0.1}, mass: 1}, position: [0, 0, 0.1], repeat: {counts: [3, 3, 1], spacing: [0.4, 0.4, 1]}}
  - {name: rolls, rigid: {sphere: {radius: 0.15}, mass: 1}, position: [-0.5, 0.2, 0.15], velocity: [1, 0, 0], spin: [0, 6.666666666666667, 0]}
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]
contact: [{default: {friction: 0.3, restitution: 0}}]
conditions: [{gravity: [0, 0, -9.81]}]
time: {method: efda, step: 1.0e-3, end: 0.1}
output: {frames: 10}
END
$carom run balls.yaml -o balls > log
# a block that drifts: its stress is rounding
cat > drifts.yaml << 'END'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies: [{name: block, mesh: {block: {from: [0.1, 0.2], to: [1.2, 1.3], elements: [5, 4]}}, material: m, velocity: [0.31, 0.17]}]
time: {method: midpoint, step: 0.01, end: 0.3}
output: {frames: 5}
END
$carom run drifts.yaml -o drifts > log
# a page as small as can be
cp -r flat thin && $carom report thin --limit 0.02 > log

node "$source/web/test/page.mjs" "$CAROM_PAGE_MODULES" "$browser" "$dir"

# the frames of the page are those that VTK reads, to the steps of the coding
vtk=/usr/bin/python3 # where Debian's module is
if ! $vtk -c "import vtk" 2> /dev/null; then
  echo "SKIPPED: field files were not opened, the Python module vtk (package python3-vtk9) is missing"
  exit 0
fi
$vtk - << 'END'
import json
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
from vtkmodules.util.numpy_support import vtk_to_numpy
import numpy as np

def field(grid, name):
    return vtk_to_numpy(grid.GetPointData().GetArray(name))

PARTS = ["xx", "yy", "zz", "xy", "yz", "xz"]
checked = 0
for run, frames in json.load(open("seen.json")).items():
    for seen in frames:
        reader = vtkXMLUnstructuredGridReader()
        reader.SetFileName(f"{run}/fields/{seen['frame']:04d}.vtu")
        reader.Update()
        grid = reader.GetOutput()
        points = vtk_to_numpy(grid.GetPoints().GetData()).astype(float)
        x = np.array(seen["positions"]).reshape(-1, 3)
        body = np.array(seen["nodeBody"])
        # each node of the page is the point of the file that it names, within a coding step
        extent = np.array(seen["extent"])[body]
        rigid = body >= seen["first_rigid"]
        # rigid bodies are turned: a step of the angle, or of each component of a quaternion, at that distance
        turned = np.sqrt(3) * extent * (2 * np.pi / 65536 if seen["dim"] == 2 else 4 / 32767)
        step = extent / 32767 + 1e-6 * np.abs(points).max() + np.where(rigid, turned, 0)
        node = np.array(seen["node"])  # 3D: the surface only; of a ball four
        assert (np.diff(node) > 0).all(), run
        assert (np.abs(points[node] - x).max(axis=1) <= step).all(), (run, seen["frame"])
        # coding steps of the components: motions, velocity, stress
        coded = {f["name"]: f for f in seen["fields"] if "levels" in f}
        half = {n: 0.51 * (f["range"][1] - f["range"][0]) / f["levels"] + 1e-6 * max(map(abs, f["range"])) for n, f in coded.items()}
        moved_step = 0.51 * np.array(seen["reach"])[body] / seen["position_levels"] + 2e-6 * np.abs(points).max()
        tensor = sum(half.get("stress-" + c, 0) ** 2 * (1 if c[0] == c[1] else 2) for c in PARTS) ** 0.5
        inside = np.ones(len(node), bool)  # the page cuts values off that are far above all others
        for c in PARTS:
            if "stress-" + c in coded:
                s = field(grid, "stress")[node, PARTS.index(c)]
                inside &= (s >= coded["stress-" + c]["range"][0] - 1e-12) & (s <= coded["stress-" + c]["range"][1] + 1e-12)
        for f in seen["fields"]:
            kind, _, which = f["name"].partition("-")
            if kind in ("displacement", "velocity"):
                v = field(grid, kind)[node].astype(float)
                v = v[:, "xyz".index(which)] if which else np.sqrt((v**2).sum(1))
            elif kind == "stress":
                v = field(grid, kind)[node, PARTS.index(which)]
            elif kind == "principal":
                s = field(grid, "stress")[node].astype(float)
                v = np.linalg.eigvalsh(s[:, [[0, 3, 5], [3, 1, 4], [5, 4, 2]]])[:, 3 - int(which)]
            else:
                v = field(grid, f["name"])[node]
            if f["name"] in coded:
                v = np.clip(v, *f["range"])
                bound = np.full(len(v), half[f["name"]])
            elif kind == "displacement":
                bound = np.sqrt(1 if which else 3) * moved_step
            elif kind == "velocity":
                bound = np.full(len(v), sum(half.get("velocity-" + a, 0) ** 2 for a in "xyz") ** 0.5)
            else:  # Weyl's inequality; the von Mises stress is sqrt(3/2) of the deviator's norm
                bound = np.where(inside, (1.5**0.5 if kind == "von" else 1) * tensor, np.inf) + 1e-6 * abs(f["greatest"])
            error = np.abs(v - np.array(f["values"]))
            # rigid: from positions, or from velocity and spin, whose components have steps of their own
            moved = np.sqrt(3) * (seen["speed"] + np.sqrt(3) * extent * seen["spin"]) / seen["speed_levels"] + 1e-3 * extent * seen["spin"]
            bound[rigid] += np.sqrt(3) * step[rigid] if kind == "displacement" else moved[rigid] if kind == "velocity" else 0
            assert (error <= bound).all(), (run, f["name"], error.max())
            if rigid.any() and f["name"] in ("displacement", "velocity"):
                assert seen["frame"] == 0 or v[rigid].max() > 100 * bound[rigid].max(), (run, f["name"])
            checked += 1
        force = np.zeros_like(points)
        for k, *f in seen["forces"]:
            force[node[k]] = f
        true = field(grid, "contact-force")
        true = np.where(np.isin(np.arange(len(points)), node)[:, None], true, 0)
        assert np.abs(force - true).max() <= 0.51 * seen["greatest"] / 32767 + 1e-6 * seen["greatest"], run
        assert seen["greatest"] > 0 or run == "ellipse"
assert checked == 3 * (16 + 20 + 6 + 20), checked  # in the plane 2 + 2 components, sizes, 4 + 3 + 1 stresses, contact
END
