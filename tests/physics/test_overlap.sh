#!/bin/bash
# Overlap is measured both ways, whatever contact looks at: the columns overlap_ab, overlap_ba and unseen, the warning,
# and the end of a run whose bodies pass through each other. Expected depths follow from the geometry of driven bodies.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

last() { # column of the last row of contacts.csv
  awk -F, -v name="$1" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) at = i} END {print $at}' out/contacts.csv
}
number() { sed -n "s/^[[:space:]]*\"$1\":[[:space:]]*\([^,]*\),*$/\1/p" out/audit.json; }
is() { # column, value, tolerance, what
  near "$(last "$1")" "$2" "$3"
  check $? "$4: $1 is $(last "$1"), expected $2"
}
says() {
  grep -qE -- "$1" stderr
  check $? "$2: expected \"$1\""
}
silent() {
  grep -q -e 'inside' -e 'penetration' stderr
  check $((! $?)) "$1: a warning of overlap"
}

# The corner of a driven block passes between the nodes of a ramp, which alone are slaves: 0.25 beyond the ramp along
# x, with its slope of 1:2.
cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1.0e-3}]
bodies:
  - {name: ramp, mesh: {quad: {corners: [[0, 0], [4, 2], [4, 5], [0, 5]], elements: [12, 9]}}, material: m}
  - {name: tool, mesh: {block: {from: [2.75, -2], to: [5.75, 1.3], elements: [3, 3]}}, material: m}
contact: [{between: [ramp.bottom, tool], friction: 0, sides: first}]
conditions:
  - {on: ramp.top, fix: [x, y]}
  - {on: tool, velocity: [-1, 0]}
time: {method: dissipative, step: 0.02, end: 0.4}
methods: {explicit: {step: auto}}
DECK
deep=$(awk 'BEGIN {print 0.25 / sqrt(5)}')
for method in dissipative midpoint newmark velocity-update bipotential explicit; do
  run_deck 0 --set time.method=$method
  is overlap_ab 0 0 "$method"
  is overlap_ba "$deep" 1e-6 "$method"
  is unseen "$deep" 1e-6 "$method"
  says 'pair "ramp.bottom-tool": node [0-9]+ of tool lies 0\.[0-9]+ .* inside ramp at \(.*, 1.3\), t = 0\.[123][0-9]*, and no contact force acts there' "$method"
  [ "$(number unseen_pairs)" = 1 ] && near "$(number unseen)" "$deep" 1e-6
  check $? "$method: audit.json says unseen $(number unseen), pairs $(number unseen_pairs)"
  grep -q '^  deepest overlap   0.000e+00 ramp in tool, 1.118e-01 tool in ramp, unseen 0.112$' stdout
  check $? "$method: $(grep '^  deepest overlap' stdout)"
done
# rows are thinned by `every`, the last one is there; a limit on max_penetration changes nothing here
run_deck 0 --set output.every=7 --set audit.max_penetration=1
is unseen "$deep" 1e-6 "every seventh row"
# pairs that the program finds by itself: the finer ramp is slave, and its row is there although nothing touched
run_deck 0 --set 'contact=[{default: {sides: first}}]'
is unseen "$deep" 1e-6 "a pair that is found"
# the corner is a slave now: what presses is seen, and not deep
run_deck 0 --set 'contact.0.between=[tool, ramp.bottom]'
is unseen 0 0 "tool first"
silent "tool first"
below "$(last overlap_ab)" 0.02 && ! below "$(last overlap_ab)" 1e-6
check $? "tool first: overlap_ab is $(last overlap_ab)"

# Edge on edge: two prisms with their edges up and down, crosswise; no node comes near the other one. An edge that is
# 0.2 below the other must go 0.2 sqrt(2) along either face to be out.
cat >deck.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1.0e-3}]
bodies:
  - {name: lower, mesh: {block: {from: [-2, -0.5, -0.5], to: [2, 0.5, 0.5], elements: [3, 1, 1]}}, axis: [1, 0, 0], angle: 45, material: m}
  - {name: upper, mesh: {block: {from: [-0.5, -2, -0.5], to: [0.5, 2, 0.5], elements: [1, 3, 1]}}, axis: [0, 1, 0], angle: 45, position: [0.1, 0.05, 1.5142135623730951], material: m}
contact: [{between: [lower, upper], friction: 0, sides: first}]
conditions:
  - {on: lower, velocity: [0, 0, 0]}
  - {on: upper, velocity: [0, 0, -1]}
time: {method: dissipative, step: 0.05, end: 0.3}
DECK
run_deck 0
for column in overlap_ab overlap_ba unseen; do is $column 0.28284271 1e-7 "edge on edge"; done
says 'an edge at node [0-9]+ of (lower|upper) lies 0\.2[0-9]+ ' "edge on edge"

# Self-contact: a ring is pressed flat between two plates, so that its inner side meets itself on a soft spring. What is
# measured is the gap that contact has: between the nodes of the one half and the facets of the other.
cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies: [{name: ring, mesh: {ring: {center: [0, 0], radius: 1, thickness: 0.1, around: 60, across: 2}}, material: m}]
obstacles:
  - {name: low, plane: {point: [0, -1], normal: [0, 1]}, velocity: [0, 5]}
  - {name: high, plane: {point: [0, 1], normal: [0, -1]}, velocity: [0, -5]}
contact:
  - {between: [ring, low]}
  - {between: [ring, high]}
  - {between: [ring, ring], normal_penalty: PENALTY, name: fold}
time: {method: dissipative, step: 1.0e-3, end: 0.155}
DECK
sed -i s/PENALTY/3000/ deck.yaml
run_deck 0 --set audit.max_penetration=1
deep=$(last max_penetration)
! below "$deep" 0.005
check $? "self-contact: deepest gap is $deep"
is overlap_ab "$deep" "$(awk -v d="$deep" 'BEGIN {print 0.02 * d}')" "self-contact"
is overlap_ba 0 0 "self-contact"

# Two arms of one body, both 0.4 thick, go through each other. No place inside an arm is more than 0.2 from its surface, so
# the run must end before that depth. Without the lower limit it went on to t = 0.258, when the arms were stretched.
cat >deck.yaml <<DECK
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, lambda: 200, shear: 150, density: 2}]
bodies: [{name: c, material: m, velocity_gradient: [[0, 0], [0, -8]], mesh: {file: $CAROM_SOURCE/tests/data/jaws-2d.msh}}]
contact: [{between: [c, c], normal_penalty: 0.01}]
time: {method: newmark, step: 0.002, end: 0.15}
DECK
run_deck 1
says 'lies 0\.1[89][0-9]* .* near the middle of the body there, whose half thickness is 0\.2' "arms that go through each other"

# A rigid disk falls between the nodes of a block. Its depth is its radius less its height, and it is through when the
# centre is.
cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies:
  - {name: block, mesh: {block: {from: [-1, -1], to: [1, 0], elements: [1, 1]}}, material: m}
  - {name: ball, rigid: {disk: {radius: 0.1}, mass: 1}, position: [0.1, 0.15], velocity: [0, -1]}
contact: [{between: [block.top, ball], slaves: nodes}]
time: {method: dissipative, step: 0.02, end: 0.12}
DECK
run_deck 0
is unseen 0.07 1e-12 "a disk between nodes"
is overlap_ba 0.07 1e-12 "a disk between nodes"
run_deck 1 --set time.end=0.2
says 'a point of ball lies 0.11 .* more than 0.1, half of the thinner body there' "a disk that is through"

# A penalty that is too soft for the weight: the block sinks by half of its height, and the run ends there.
cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials:
  - {name: m, young: 1.0e7, poisson: 0.3, density: 1000}
bodies:
  - {name: block, mesh: {block: {from: [0, 0], to: [0.2, 0.1], elements: [4, 2]}}, material: m}
obstacles:
  - {name: floor, plane: {point: [0, 0], normal: [0, 1]}}
contact:
  - {between: [block.bottom, floor], friction: 0.3, normal_penalty: 1.0e4, tangential_penalty: 1.0e4}
conditions:
  - {gravity: [0, -9.81]}
time: {method: dissipative, step: 2.0e-3, end: 0.6}
DECK
run_deck 1
says 'node [0-9]+ of block lies 0\.05[0-9]* .* inside floor at .*, t = 0\.1[0-9]*, more than 0\.05, half of the thinner body' "a soft penalty"
grep -q '"completed":[[:space:]]*false' out/audit.json
check $? "a soft penalty: not completed"
run_deck 0 --set audit.max_penetration=1
near "$(number overlap_ab)" "$(number max_penetration)" 1e-12
check $? "a soft penalty: overlap $(number overlap_ab), max_penetration $(number max_penetration)"
run_deck 1 --set audit.max_penetration=0.1
says 'audit: max_penetration is 0.19' "a soft penalty with a limit"

# Overlap of the start is kept and is no news; behind an open surface and the body beyond it nothing overlaps.
cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]
bodies:
  - {name: low, mesh: {block: {from: [0, 0], to: [2, 1], elements: [4, 2]}}, material: m}
  - {name: high, mesh: {block: {from: [0.3, 0.9], to: [1.7, 1.9], elements: [3, 2]}}, material: m}
contact: [{between: [high, low.top], friction: 0}]
time: {method: dissipative, step: 0.01, end: 0.05}
DECK
run_deck 0
is overlap_ab 0.1 1e-12 "kept overlap"
is overlap_ba 0.1 1e-12 "kept overlap"
is unseen 0 0 "kept overlap"
says 'starts with an overlap of 0.1, which stays' "kept overlap"
run_deck 0 --set 'contact.0.between=[high, low.bottom]' --set 'bodies.1.position=[0, 0.15]'
for column in overlap_ab overlap_ba unseen; do is $column 0 0 "from behind"; done
# The same with a rigid tool: nodes alone do not see its corner, corners as points do; so do corners alone.
cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1.0e-3}]
bodies:
  - {name: ramp, mesh: {quad: {corners: [[0, 0], [4, 2], [4, 5], [0, 5]], elements: [12, 9]}}, material: m}
  - {name: tool, rigid: {box: {size: [3, 3.3]}, mass: 1.0e+6}, position: [4.25, -0.35], velocity: [-1, 0]}
contact: [{between: [ramp.bottom, tool], friction: 0, slaves: nodes}]
conditions: [{on: ramp.top, fix: [x, y]}]
time: {method: dissipative, step: 0.02, end: 0.4}
DECK
run_deck 0
deep=$(awk 'BEGIN {print 0.25 / sqrt(5)}')
is unseen "$deep" 1e-6 "a rigid corner, nodes alone"
says 'pair "ramp.bottom-tool": a point of tool lies 0\.[0-9]+ .* inside ramp at .*, and no contact force acts there' "a rigid corner"
for slaves in body both auto; do
  run_deck 0 --set contact.0.slaves=$slaves
  is unseen 0 0 "a rigid corner, slaves: $slaves"
  below 1e-4 "$(last overlap_ba)"
  check $? "a rigid corner, slaves: $slaves: overlap $(last overlap_ba) is not measured"
  silent "a rigid corner, slaves: $slaves"
done

# A rigid bar falls crosswise on a rail, both with an edge ahead. It is 0.01 above and comes with speed 1: at t = 0.06 the
# edge of the rail goes through the wedge of the bar, 0.05 sqrt(2) from its faces. Edges on edges hold it.
cat >deck.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: saint-venant-kirchhoff, lambda: 200, shear: 150, density: 1}]
bodies:
  - {name: rail, material: m, angle: 45, axis: [0, 1, 0], mesh: {block: {from: [-0.25, -1.5, -0.25], to: [0.25, 1.5, 0.25], elements: [1, 3, 1]}}}
  - {name: bar, rigid: {box: {size: [3, 0.5, 0.5]}, mass: 100}, position: [0.07, 0.03, 0.71710678], angle: 45, axis: [1, 0, 0], velocity: [0, 0, -1]}
contact: [{between: [rail, bar], slaves: nodes}]
time: {method: dissipative, step: 0.01, end: 0.06}
DECK
run_deck 0
is unseen "$(awk 'BEGIN {print 0.05 * sqrt(2)}')" 1e-6 "crossed edges, nodes alone"
says 'pair "rail-bar": an edge at node [0-9]+ of rail lies 0\.[0-9]+ .* inside bar at .*, and no contact force acts there' "crossed edges"
run_deck 0 --set contact.0.slaves=auto
is unseen 0 0 "crossed edges"
silent "crossed edges"

# Bodies that overlap at the start: the deck names the depth. 0.05 is a warning, at 0.4 (more than a
# facet) no point is held and the run is refused, 0.6 of a body that is 1 thick ends the run.
cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, young: 1.0e3, poisson: 0.3, density: 1}]
bodies:
  - {name: lower, mesh: {block: {from: [0, 0], to: [2, 1], elements: [6, 3]}}, material: m}
  - {name: upper, mesh: {block: {from: [0.3, 0.95], to: [1.3, 2.5], elements: [4, 4]}}, material: m}
contact: [{between: [lower.top, upper.bottom]}]
conditions: [{on: lower.bottom, fix: [x, y]}]
time: {method: dissipative, step: 0.01, end: 0.02}
DECK
for method in dissipative newmark velocity-update bipotential explicit; do
  run_deck 0 --set time.method=$method --set bodies.1.mesh.block.from='[0.3, 0.999]'
  silent "$method: an overlap of 0.4 % of a facet"
  run_deck 0 --set time.method=$method --set bodies.1.mesh.block.from='[0.3, 0.95]'
  says 'pair "lower.top-upper.bottom" starts with an overlap of 0.05, which stays and exerts no force.*: node [0-9]+ of .* lies 0.05 .* t = 0; move the bodies apart' "$method: 0.05 at the start"
  [ "$(grep -c 'starts with an overlap' stderr)" = 1 ]
  check $? "$method: the overlap of 0.05 is told once"
  is unseen 0 0 "$method: 0.05 at the start"
  run_deck 2 --set time.method=$method --set bodies.1.mesh.block.from='[0.3, 0.6]' # no point is held
  says 'pair "lower.top-upper.bottom" starts with an overlap of 0.4. It is deeper than half a facet, .*: node [0-9]+ of .* lies 0.4 .* t = 0. Move the bodies apart' "$method: 0.4 at the start"
  run_deck 1 --set time.method=$method --set bodies.1.mesh.block.from='[0.3, 0.4]'
  says 'lies 0.6 .* t = 0, more than 0.5, half of the thinner body there' "$method: 0.6 at the start"
  run_deck 0 --set time.method=$method --set bodies.1.mesh.block.from='[0.3, 0.4]' --set audit.max_penetration=1
done
run_deck 0 --set contact.0.overlap=resolve --set contact.0.ramp='[0, 1]'
silent "an overlap that is resolved"

check_end
