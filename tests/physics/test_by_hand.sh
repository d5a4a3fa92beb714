#!/bin/bash
# Small problems whose answers can be worked out by hand, in units and at step lengths that others use.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
audit() { sed -n "s/.*\"$1\":[[:space:]]*\([^,}]*\).*/\1/p" "$2.out/audit.json"; }
column() { # table, column, body: last value
  awk -F, -v c="$2" -v b="${3:-}" 'NR == 1 {for (i = 1; i <= NF; i++) {if ($i == c) k = i; if ($i == "body") w = i}; next}
    b == "" || $w == b {v = $k} END {print v}' "$1"
}
run() { cpu 600 "$CAROM" run "$1.yaml" -o "$1.out" --force "${@:2}" >stdout 2>stderr; }

# ---- free fall of steel in mm, t, s: a step is a thousand transits of a wave ------------------------------

cat >fall.yaml <<'DECK'
carom: 1
dimension: 2
thickness: 5
materials: [{name: steel, young: 210000, poisson: 0.3, density: 7.85e-9}]
bodies:
  - {name: plate, mesh: {block: {from: [0, 0], to: [40, 20], elements: [4, 2], type: Q8}}, material: steel, velocity: [100, 0]}
conditions:
  - gravity: [0, -9810]
time: {method: midpoint, step: 0.01, end: 0.1}
output: {frames: 0, report: false}
DECK
for method in midpoint dissipative velocity-update bipotential newmark; do
  run fall --set time.method=$method
  check $? "$method: steel falls"
  [ "$(audit rejected_steps fall)" = 0 ]
  check $? "$method: $(audit rejected_steps fall) steps of free fall rejected"
  near "$(column fall.out/bodies.csv y plate)" -39.05 1e-6 # 10 - 9810 t^2/2
  check $? "$method: height $(column fall.out/bodies.csv y plate), expected -39.05"
  near "$(column fall.out/bodies.csv x plate)" 30 1e-6
  check $? "$method: way $(column fall.out/bodies.csv x plate), expected 30"
done

# ---- the same of elements six hundred times as long as thick: what rounding makes of them is no reason to cut -----

sed -e 's/velocity: .*}/velocity: [100, 0]}/' -e 's/elements: .*type: Q8/elements: [1200, 1]/' fall.yaml >slender.yaml
for method in midpoint bipotential newmark; do
  run slender --set time.method=$method --set time.end=0.02
  check $? "$method: slender elements fall"
  [ "$(audit rejected_steps slender)" = 0 ]
  check $? "$method: $(audit rejected_steps slender) steps of slender elements in free fall rejected"
  near "$(column slender.out/bodies.csv y plate)" 8.038 1e-6 # 10 - 9810 t^2/2
  check $? "$method: height $(column slender.out/bodies.csv y plate), expected 8.038"
done

# ---- a push that comes at 0.2 and goes at 0.8 gives its impulse, whatever instants a method takes its forces at ----

cat >push.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, young: 1e5, poisson: 0.2, density: 1.5}]
bodies: [{name: cart, mesh: {block: {from: [0, 0], to: [2, 1], elements: [3, 2]}}, material: m}]
conditions: [{on: cart.left, force: [5, 0], from: 0.2, until: 0.8}]
time: {method: midpoint, step: 0.05, end: 1}
methods: {explicit: {step: 0.0005}}
output: {frames: 0, report: false}
DECK
for method in midpoint newmark bipotential explicit; do
  run push --set time.method=$method
  check $? "$method: a push"
  near "$(column push.out/history.csv momentum_x)" 3 1e-9
  check $? "$method: impulse $(column push.out/history.csv momentum_x), expected 3"
done
# and so does one that comes and goes between the ends of steps, the first of them too: 5 (0.53721 - 0.01313)
for method in midpoint dissipative velocity-update newmark bipotential explicit; do
  run push --set time.method=$method --set conditions.0.from=0.01313 --set conditions.0.until=0.53721
  check $? "$method: a push between steps: $(cat stderr)"
  near "$(column push.out/history.csv momentum_x)" 2.6204 1e-9
  check $? "$method: impulse $(column push.out/history.csv momentum_x), expected 2.6204"
done

# ---- a lightly loaded block far from the origin: rounding of positions in stiff springs is no reason to fail -------

cat >far.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: linear, young: 2e5, poisson: 0.3, density: 1e-3}]
bodies: [{name: b, mesh: {block: {from: [500, 1000], to: [502, 1001], elements: [4, 2]}}, material: m}]
obstacles: [{name: floor, plane: {point: [0, 1000], normal: [0, 1]}}]
contact: [{between: [b.bottom, floor], friction: 0.3}]
conditions: [{on: b.top, pressure: 1, ramp: [0, 1]}, {on: b, at: [500, 1000], fix: [x]}]
time: {method: newmark, analysis: quasi-static, step: 0.1, end: 1.2}
output: {frames: 0, report: false}
DECK
for method in newmark midpoint dissipative; do
  run far --set time.method=$method
  check $? "$method: far from the origin"
  [ "$(audit rejected_steps far)" = 0 ]
  check $? "$method: $(audit rejected_steps far) steps far from the origin rejected"
  near "$(column far.out/contacts.csv fy)" 2 1e-5 # pressure times 2; rounding: 1e-13 of 1000 in springs of 5e6
  check $? "$method: the floor carries $(column far.out/contacts.csv fy), expected 2"
done

# ---- a node high above a warped side has no foot on it: it is open, in units of any size -----------------------

cat >warped.yaml <<'DECK'
carom: 1
dimension: 3
materials:
  - {name: stiff, model: neo-hookean, young: 96, poisson: 0.2, density: 0.76}
  - {name: soft, model: neo-hookean, young: 17, poisson: 0.22, density: 1.14}
bodies:
  - {name: ball, mesh: {ball: {center: [-1.1, 0, 0], radius: 1, elements: 3}}, material: stiff, velocity: [1.43, 0.52, 0.52], spin: [0.73, -0.62, -1.19]}
  - {name: block, mesh: {block: {from: [0.1, -0.47, -0.81], to: [2.1, 1.53, 1.19], elements: [3, 3, 2]}}, material: soft, spin: [-1.34, 0.77, -1.38]}
contact: [{between: [ball, block], friction: 0.8, sides: both}]
time: {method: dissipative, step: 0.0147, end: 0.2205}
output: {frames: 0, report: false}
DECK
run warped
check $? "a node above a warped side"
near "$(audit balance_relative warped)" 0 1e-10
check $? "a node above a warped side: balance $(audit balance_relative warped)"
small=$(audit friction_loss warped)
run warped --set materials.0.young=96e9 --set materials.0.density=0.76e9 --set materials.1.young=17e9 --set materials.1.density=1.14e9
check $? "a node above a warped side, large units"
near "$(awk -v a="$(audit friction_loss warped)" -v b="$small" 'BEGIN {print a / b}')" 1e9 10
check $? "a node above a warped side: friction took $(audit friction_loss warped), expected 1e9 times $small"

# ---- an edge is driven along a floor and into it: its corner cannot turn back, the rest of the block can ---------

cat >driven.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies: [{name: b, mesh: {block: {from: [0, 0.0123], to: [2, 1.0123], elements: [6, 3]}}, material: m, velocity: [0, -0.1]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [b.bottom, floor], friction: 0.2}]
conditions: [{on: b.left, velocity: [0, -0.1]}]
time: {method: velocity-update, step: 0.01, end: 0.5}
output: {frames: 0, report: false}
DECK
run driven
check $? "velocity-update: a driven edge"
[ "$(audit rejected_steps driven)" = 0 ]
check $? "velocity-update: $(audit rejected_steps driven) steps of a driven edge rejected"
near "$(audit defect_max_abs driven)" 0 1e-11
check $? "velocity-update: a driven edge leaves $(audit defect_max_abs driven) unexplained"
awk -v a="$(audit contact_work driven)" 'BEGIN {exit !(a < -0.01)}' # what the edge spends on its corner
check $? "velocity-update: a driven edge loses $(audit contact_work driven) at its corner"

# ---- a rigid ball falls 5 m under g = 10 and comes back with 0.8 of its speed ---------------------------------

cat >bounce.yaml <<'DECK'
carom: 1
dimension: 2
bodies:
  - {name: ball, rigid: {disk: {radius: 0.5}, mass: 2}, position: [0, 5.5]}
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 2]}}]
contact: [{between: [ball, floor], restitution: 0.8}]
conditions: [gravity: [0, -10]]
time: {method: efda, step: 0.01, end: 1.8}
output: {frames: 0, report: false}
DECK
run bounce
check $? "a ball falls"
near "$(column bounce.out/bodies.csv y ball)" 3.7 1e-12 # up to 0.64 of 5 m at 1 + 0.8 s
check $? "second height $(column bounce.out/bodies.csv y ball), expected 3.7"
near "$(audit contact_work bounce)" -36 1e-11 # 0.36 of 100
check $? "restitution took $(audit contact_work bounce), expected -36"
awk '/^  contact work / {left = $11} END {exit !(left ~ /[0-9]/ && left + 0 < 1e-11 && left + 0 > -1e-11)}' stdout
check $? "the audit says what restitution leaves of the balance: $(grep 'contact work' stdout)"
awk '/^  energy balance / {most = $3} END {exit !(most != "" && most + 0 < 1e-11)}' stdout # what restitution took is booked
check $? "what impacts take is no error of the balance: $(grep 'energy balance' stdout)"

# ---- central differences: what the steps miss is not what contact took, and falls with the square of the step ---------

cat >rubber.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: rubber, model: neo-hookean, young: 1, poisson: 0.3, density: 1}]
bodies: [{name: block, mesh: {block: {from: [0, 0], to: [1, 1], elements: [2, 2]}}, material: rubber, velocity: [0, -0.3]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [block.bottom, floor]}]
time: {method: explicit, step: 0.02, end: 2}
output: {frames: 0, report: false}
DECK
said() { awk -v line="^  $1 " -v word="$2" '$0 ~ line {print $word}' stdout; } # a word of the audit
for step in 0.02 0.01; do
  run rubber --set "time.step=$step"
  check $? "a rubber block under explicit, step $step"
  near "$(said 'contact work' 11)" 0 1e-13
  check $? "step $step: contact work leaves nothing of the balance: $(grep 'contact work' stdout)"
  near "$(said 'step error' 3)" "$(awk -v b="$(column rubber.out/history.csv balance)" -v c="$(column rubber.out/history.csv contact_work)" 'BEGIN {print b - c}')" 1e-8
  check $? "step $step: the rest of the balance is the error of the steps: $(grep 'step error' stdout)"
  eval "steps_${step#0.}=$(said 'step error' 3)"
done
near "$(awk -v a="$steps_02" -v b="$steps_01" 'BEGIN {print a / b}')" 4 0.8
check $? "it falls with the square of the step: $steps_02, $steps_01"

# ---- a wall that meets a block is a block that meets a wall, seen from it (Galilei) -----------------------------

for wall in obstacle support; do
  cat >$wall.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: rubber, young: 1.0e5, poisson: 0.3, density: 1000}]
bodies:
  - {name: block, mesh: {block: {from: [0, 0], to: [1, 0.2], elements: [8, 2]}}, material: rubber, velocity: [0, -2]}
DECK
done
cat >>obstacle.yaml <<'DECK'
obstacles: [{name: wall, plane: {point: [0, -0.1003], normal: [0, 1]}, velocity: [0, 0]}]
contact: [{between: [block, wall]}]
time: {method: dissipative, step: 5.0e-4, end: 0.2}
output: {frames: 0, report: false}
DECK
cat >>support.yaml <<'DECK'
  - {name: wall, mesh: {block: {from: [-1, -0.3], to: [2, -0.1003], elements: [3, 1]}}, material: rubber}
contact: [{between: [block.bottom, wall.top]}]
conditions: [{on: wall, velocity: [0, 0]}]
time: {method: dissipative, step: 5.0e-4, end: 0.2}
output: {frames: 0, report: false}
DECK
while read -r wall method set; do
  moving=obstacles.0.velocity
  [ $wall = support ] && moving=conditions.0.velocity
  run $wall --set time.method=$method --set "$set"
  check $? "$method, $wall at rest"
  rest=$(column $wall.out/bodies.csv py block)
  run $wall --set time.method=$method --set "$set" --set bodies.0.velocity='[0, 0]' --set $moving='[0, 2]'
  check $? "$method, $wall in motion"
  moved=$(column $wall.out/bodies.csv py block) # both in kg m/s of 200 kg; chatter of rounding grows to some 1e-5
  near "$moved" "$(awk -v p="$rest" 'BEGIN {printf "%.15g", p + 400}')" 0.4
  check $? "$method, $set: momentum $rest off a $wall at rest, $moved off a moving one: should be 400 more"
  work=$(column $wall.out/history.csv external_work)
  near "$work" "$(awk -v p="$moved" 'BEGIN {printf "%.15g", 2 * p}')" 1e-5 # impulse times 2 m/s
  check $? "$method, $set: the $wall did the work $work on a body of momentum $moved"
  near "$(column $wall.out/history.csv defect)" 0 1e-5
  check $? "$method, $set: defect $(column $wall.out/history.csv defect) of 1500 J off a moving $wall"
done <<'LIST'
obstacle dissipative time.tolerance=1e-12
obstacle velocity-update time.update=local
obstacle velocity-update time.update=spread
obstacle velocity-update bodies.0.mass=consistent
obstacle bipotential time.level=gap
obstacle bipotential time.level=increment
obstacle bipotential time.level=velocity
obstacle explicit time.algorithm=3
obstacle explicit time.algorithm=sym
obstacle explicit time.algorithm=legacy
support dissipative time.tolerance=1e-12
support velocity-update time.update=local
support velocity-update time.update=spread
support velocity-update bodies.0.mass=consistent
support bipotential time.level=gap
support explicit time.algorithm=2
LIST

# ---- a node beside a body has nothing to do with the far end of its outline --------------------------------------
# The block's lower side passes the disc; it faces the disc's right-hand facets, which end well above it. Pressed
# surfaces of explicit part at most by what four iterations leave: far less than a facet, which is 0.078 long.

cat >beside.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: rubber, model: neo-hookean, young: 1.0e5, poisson: 0.3, density: 1000}]
bodies:
  - {name: disc, mesh: {disc: {center: [0.3, 0.5], radius: 0.2, core: 4, rings: 3}}, material: rubber, velocity: [3, 2], spin: 5}
  - name: block
    mesh: {quad: {corners: [[0.6, 0.3], [0.9, 0.35], [0.85, 0.6], [0.6, 0.6]], elements: [4, 4], type: Q8}}
    material: rubber
    velocity: [-2, 1]
contact: [{between: [block, disc], friction: 0.4}]
time: {method: explicit, step: auto, end: 0.12}
output: {frames: 0, report: false}
DECK
for algorithm in 3 1 2; do
  run beside --set time.algorithm=$algorithm
  check $? "disc and block, algorithm $algorithm"
  near "$(audit max_penetration beside)" 0 0.0015
  check $? "disc and block, algorithm $algorithm: $(audit max_penetration beside) deep, at most a fiftieth of a facet"
done

# ---- a ring crushed flat: the element bound falls to a half, an automatic step follows at its distance -----
# (at the bound itself this run ends with 23 % more energy than it has a right to)

cat >crushed.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: rubber, model: neo-hookean, young: 1.0e5, poisson: 0.3, density: 1000}]
bodies:
  - name: ring
    mesh: {ring: {center: [0, 0], radius: 1, thickness: 0.1, around: 60, across: 2}}
    material: rubber
    velocity_gradient: [[0, 0], [0, -6]]
contact: [{between: [ring.inner, ring.inner], friction: 0.1}]
time: {method: explicit, step: auto, end: 0.6}
output: {frames: 0, report: false}
DECK
run crushed
check $? "crushed ring"
told=$(awk -v a="$(audit energy_initial crushed)" -v b="$(audit friction_loss crushed)" -v c="$(audit contact_work crushed)" 'BEGIN {print a - b + c}')
near "$(audit energy_final crushed)" "$told" 100
check $? "crushed ring: $(audit energy_final crushed) J at the end where contact accounts for $told"

check_end
