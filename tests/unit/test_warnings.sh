#!/bin/bash
# What is allowed but hardly meant: one warning with its place, and none where all is well.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >good.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: rubber, young: 1.0e6, poisson: 0.3, density: 1000}]
bodies:
  - {name: block, mesh: {block: {from: [0, 0], to: [1, 1], elements: [3, 3]}}, material: rubber}
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [block, floor]}]
conditions:
  - {on: block, at: [0.4, 1], force: [0, -10]}
time: {method: dissipative, step: 0.001, end: 0.002}
output: {frames: 0, report: false, probes: [{name: corner, at: [1, 1], body: block}]}
DECK
cat >parts.msh <<'MESH'
$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
8
1 0 0 0
2 1 0 0
3 2 0 0
4 0 1 0
5 1 1 0
6 2 1 0
7 1 0 0
8 1 1 0
$EndNodes
$Elements
2
1 3 2 0 1 1 2 5 4
2 3 2 0 1 7 3 6 8
$EndElements
MESH
sed 's/1 7 3 6 8/1 2 3 6 5/' parts.msh >joined.msh

cat >rigid.yaml <<'DECK'
carom: 1
dimension: 2
bodies: [{name: disk, rigid: {disk: {radius: 1}, mass: 1}, position: [0, 1]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [disk, floor]}]
conditions: [gravity: [0, -10]]
time: {method: efda, step: 0.001, end: 0.002}
output: {frames: 0, report: false}
DECK

cat >small.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: rubber, young: 1.0e6, poisson: 0.3, density: 1000}]
bodies:
  - {name: block, mesh: {block: {from: [0, 0], to: [1, 1], elements: [3, 3]}}, material: rubber}
  - {name: pea, rigid: {disk: {radius: 0.05}, mass: 1}, position: [0.5, 1.2]}
contact: [{between: [block.top, pea]}]
time: {method: dissipative, step: 0.001, end: 0.002}
output: {frames: 0, report: false}
DECK

cat >shear.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: metal, model: j2, young: 200, poisson: 0.3, density: 1, yield: 0.4, kinematic: 1}]
bodies:
  - {name: sheet, mesh: {block: {from: [0, 0], to: [1, 1], elements: [1, 1]}}, material: metal}
conditions:
  - {on: sheet.bottom, fix: [x, y]}
  - {on: sheet.top, displacement: [1.7, 0], ramp: [0, 1]}
time: {method: midpoint, analysis: quasi-static, step: 0.05, end: 1}
output: {frames: 0, report: false}
DECK

while IFS='|' read -r words sets; do
  args=()
  for set in $sets; do args+=(--set "$set"); done
  deck=good.yaml
  case $sets in *disk*) deck=rigid.yaml ;; *pea*) deck=small.yaml ;; *sheet*) deck=shear.yaml ;; esac
  cpu 600 "$CAROM" run $deck -o out --force "${args[@]}" >stdout 2>stderr || {
    echo "FAILED: $sets: $(cat stderr)"
    failed=1
  }
  if [ -z "$words" ]; then
    [ -s stderr ] && { echo "FAILED: $sets: a warning for nothing: $(cat stderr)"; failed=1; }
  elif ! grep -qF "carom: warning: $words" stderr || [ "$(wc -l <stderr)" != 1 ]; then
    echo "FAILED: $sets: expected \"$words\", said: $(cat stderr)"
    failed=1
  fi
done <<'LIST'
|
|time.method=explicit
|time.method=explicit time.closing=yes
|time.method=explicit time.algorithm=sym
`closing: yes` has no effect in this deck|time.method=explicit time.closing=yes time.algorithm=sym
`closing: yes` has no effect in this deck|time.method=explicit time.closing=yes time.impact_energy=returned
|bodies.0.mesh.block= bodies.0.mesh.file=joined.msh
|obstacles.0.plane.point=[0,1e-5]
pair "block-floor" starts with an overlap of 0.5, which stays and exerts no force|obstacles.0.plane.point=[0,0.5]
pair "block-floor" starts with an overlap of 0.5, which stays and exerts no force|obstacles.0.plane.point=[0,0.5] time.method=explicit
pair "block-floor" starts with an overlap of 0.5, which stays and exerts no force|obstacles.0.plane.point=[0,0.5] time.method=bipotential
|obstacles.0.plane.point=[0,0.5] contact.0.overlap=resolve contact.0.ramp=[0,1]
--set conditions.0.at=[99,1]: the nearest node has a distance of 98 from this point|conditions.0.at=[99,1]
--set output.probes.0.at=[1,100]: the nearest node has a distance of 99 from this point|output.probes.0.at=[1,100]
parts.msh: nodes 2 and 7 lie at the same place, and so do others|bodies.0.mesh.block= bodies.0.mesh.file=parts.msh
--set time.step=0.01: time.step: 0.01 is longer than the run, which ends at 0.002|time.step=0.01
|time.step=0.002
the deck has no `contact`: its bodies pass through each other|obstacles=[] contact=[] bodies.1={"name":"second","mesh":{"block":{"from":[0,2],"to":[1,3],"elements":[1,1]}},"material":"rubber"}
|materials.0.poisson=0.4
body block (rubber, Poisson's ratio 0.49): its Q4 elements lock (are much too stiff), and `volume: mean` cannot be used with this law|materials.0.poisson=0.49
body block: its elements of first order may lock (be too stiff) at a Poisson ratio of 0.49|materials.0.poisson=0.49 bodies.0.volume=point
|materials.0.poisson=0.49 materials.0.model=neo-hookean
|materials.0.poisson=0.49 plane=stress
body block (rubber, Poisson's ratio 0.49): its T3 elements lock|materials.0.poisson=0.49 materials.0.model=neo-hookean bodies.0.mesh.block.type=T3
body block (rubber, Poisson's ratio 0.49): its T3 elements lock|materials.0.poisson=0.49 materials.0.model=neo-hookean bodies.0.mesh.block.type=T3 materials.0.prony=[{"shear":1e6,"time":1}]
|materials.0.poisson=0.49 materials.0.model=neo-hookean bodies.0.mesh.block.type=T6 bodies.0.volume=mean
body block (rubber, Poisson's ratio 0.3): its Q8 elements are too soft with `volume: mean`|materials.0.model=neo-hookean bodies.0.mesh.block.type=Q8 bodies.0.volume=mean
|bodies.0.name=disk
rigid bodies overlap by up to 0.7 in|bodies.0.name=disk bodies.0.position=[0,0.3]
rigid bodies overlap by up to 0.7 in|bodies.0.name=disk bodies.0.position=[0,0.3] time.engine=many
rigid bodies overlap by up to 0.7 in|bodies.0.name=disk bodies.0.position=[0,0.3] time.engine=many bodies.0.rigid={"ellipse":{"semi_axes":[1,1]},"mass":1}
|bodies.0.name=disk time.engine=many
`engine: many` resolves all impacts of a step at once, so impacts: sequential has no effect|bodies.0.name=disk time.engine=many time.impacts=sequential
`engine: many` resolves all impacts of a step at once, so tangential_restitution has no effect|bodies.0.name=disk time.engine=many time.tangential_restitution=0
|bodies.0.name=disk time.impacts=sequential time.tangential_restitution=0
|bodies.1.name=pea
|bodies.1.name=pea contact.0.slaves=body
contact block.top-pea: the distance between nodes is 0.333 and the rigid body is 0.1 thick, so it may pass between nodes; refine the mesh or set `slaves: both`|bodies.1.name=pea contact.0.slaves=nodes
|bodies.1.name=pea time.method=explicit
|bodies.1.name=pea bodies.0.mesh.block.elements=[12,12] contact.0.slaves=both time.method=explicit
contact block.top-pea: the distance between nodes is 0.333|bodies.1.name=pea time.method=explicit contact.0.slaves=nodes
t = 0.95: the back strain (the internal variable of kinematic hardening) grew to 1.0|bodies.0.name=sheet
|bodies.0.name=sheet time.end=0.8
|bodies.0.name=sheet materials.0.kinematic=0
LIST

# Far behind the back of a body is not inside it: a way of many bodies in one step finds all its facets.
cat >fast.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: rubber, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies:
  - {name: bullet, mesh: {block: {from: [0, 0], to: [1, 1], elements: [3, 3]}}, material: rubber, velocity: [0, -1000]}
  - {name: block, mesh: {block: {from: [-0.5, -1.02], to: [1.5, -0.02], elements: [5, 2]}}, material: rubber}
contact: [{between: [bullet, block]}]
time: {method: dissipative, step: 0.02, end: 0.02}
output: {frames: 0, report: false}
DECK
cpu 600 "$CAROM" run fast.yaml >stdout 2>stderr
grep -q "at the start" stderr && { echo "FAILED: fast.yaml: $(cat stderr)"; failed=1; }

# A mesh of two parts that share no nodes: `check` says so.
for name in parts joined; do
  cpu 60 "$CAROM" check good.yaml --set bodies.0.mesh.block= --set bodies.0.mesh.file=$name.msh --set 'conditions=[gravity: [0, -1]]' --set 'output.probes=[]' >stdout 2>stderr
  said=$(grep -c "this body has 2 parts that share no nodes" stdout)
  [ "$said" = "$([ $name = parts ] && echo 1 || echo 0)" ] || { echo "FAILED: check $name.msh: $(cat stdout stderr)"; failed=1; }
done

# A body that is stable only where contact holds it: bipotential fails and names the remedy.
cpu 600 "$CAROM" run "$CAROM_SOURCE/examples/rubber-press/deck.yaml" -o press --set time.method=bipotential --set output.frames=0 --set output.report=false >stdout 2>stderr
grep -q "a body is unstable without its contacts.*use .method: dissipative." stderr || { echo "FAILED: rubber-press: $(cat stderr)"; failed=1; }

# Contact springs that do not control energy: a run that creates energy says so, and one that does not is silent.
cat >created.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 2.0e5, poisson: 0.3, density: 1000}]
bodies: [{name: b, mesh: {block: {from: [0, 0.02], to: [1, 1.02], elements: [4, 4]}}, material: m, velocity: [0, -5]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [b, floor]}]
time: {method: midpoint, step: 1.0e-2, end: 0.2}
output: {frames: 0, report: false}
DECK
for step in 1.0e-2 2.0e-4; do
  cpu 600 "$CAROM" run created.yaml -o created --force --set time.step=$step >stdout 2>stderr
  share=$(sed -n 's/.*"balance_relative":[[:space:]]*\([^,]*\).*/\1/p' created/audit.json)
  said=$(grep -c "of the energy is unexplained: method midpoint creates or loses energy at contact" stderr)
  awk -v a="$share" -v n="$said" 'BEGIN {exit !((a > 0.01) == (n == 1))}' || { echo "FAILED: created.yaml, step $step: balance $share, $said warnings"; failed=1; }
  echo "midpoint, step $step: balance $share, $said warnings"
done

# Explicit contact that does not close gaps: a fast block with one iteration per step stays 6 % of a facet deep.
cat >kept.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies:
  - {name: low, mesh: {block: {from: [0, 0], to: [2, 1], elements: [8, 4]}}, material: m}
  - {name: up, mesh: {block: {from: [0.31, 1.005], to: [1.69, 2], elements: [12, 4]}}, material: m, velocity: [0, -20]}
contact: [{between: [up, low], sides: both}]
time: {method: explicit, step: auto, end: 0.03, iterations: 1, algorithm: legacy}
output: {frames: 0, report: false}
DECK
for case in "1 --set time.algorithm=legacy" "0 --set time.algorithm=3 --set time.closing=yes"; do
  cpu 600 "$CAROM" run kept.yaml -o kept --force ${case#* } >stdout 2>stderr
  said=$(grep -c 'contact keeps this depth' stderr)
  [ "$said" = "${case%% *}" ] || { echo "FAILED: kept.yaml, ${case#* }: $said warnings, expected ${case%% *}"; failed=1; }
done
exit $failed
