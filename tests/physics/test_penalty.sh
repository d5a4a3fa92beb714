#!/bin/bash
# The automatic penalty goes by the stiffness of a layer of elements: ten times min(lambda, 20 G) + 2 G over the height
# of the elements behind the facets. Penetration of more than 5 % of a layer is warned of with the number to set.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

penalty() { "$CAROM" check deck.yaml "$@" | sed -n 's/^ *normal penalty \([^ ]*\) .*/\1/p'; }
is() { # penalty expected, relative tolerance, arguments of the program
  local expected=$1 tolerance=$2 got
  shift 2
  got=$(penalty "$@")
  near "$(awk -v a="$got" -v b="$expected" 'BEGIN {print a / b}')" 1 "$tolerance"
  check $? "$*: penalty $got, expected $expected"
}

# Flat elements, 1 x 0.02, pressed on a floor by 0.01: E 0.05 on a length of 10, and a spring in series that is ten times
# as stiff as one of the ten layers.
cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials:
  - {name: m, model: linear, young: 1.0e6, poisson: 0, density: 1}
bodies:
  - {name: slab, mesh: {block: {from: [0, 0], to: [10, 0.2], elements: [10, 10]}}, material: m}
obstacles:
  - {name: floor, plane: {point: [0, 0], normal: [0, 1]}}
contact:
  - {between: [slab.bottom, floor]}
conditions:
  - {on: slab.left, fix: [x]}
  - {on: slab.top, displacement: [~, -0.01], ramp: [0, 1]}
time: {method: newmark, analysis: quasi-static, steps: [[0.5, 3]]}
DECK
run_deck 0
force=$(awk -F, 'END {print $7}' out/contacts.csv)
near "$force" "$(awk 'BEGIN {print 5e5 / 1.01}')" 1
check $? "flat elements: force $force, expected 5e5 / 1.01"
[ ! -s stderr ]
check $? "flat elements: a warning"
is 5e8 1e-5
is 5e8 1e-5 --set 'bodies.0.mesh.block.elements=[40, 10]' # the length of facets has no say
is 1e9 1e-5 --set bodies.0.mesh.block.type=Q8             # two layers of nodes in each element
is 5e8 1e-5 --set bodies.0.mesh.block.type=T3             # the altitude
is 123 1e-5 --set contact.0.normal_penalty=123
# nu = 0.49: lambda is 49 G
G=$(awk 'BEGIN {print 1e6 / 2.98}')
is "$(awk -v G="$G" 'BEGIN {print 22 * G * 10 / 0.02}')" 1e-5 --set materials.0.poisson=0.49
# nu = 0.4: lambda is 4 G
is "$(awk 'BEGIN {print 6 * 1e6 / 2.8 * 10 / 0.02}')" 1e-5 --set materials.0.poisson=0.4
"$CAROM" check deck.yaml --set materials.0.poisson=0.49 | grep -q '20 shear + 2 shear of slab) / 0.02 (height of its layer)'
check $? "check says where the penalty comes from"

# In space: hexahedra, and tetrahedra whose altitude over a facet is the edge of the cube.
cat >deck.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: linear, young: 1.0e6, poisson: 0, density: 1}]
bodies: [{name: slab, mesh: {block: {from: [0, 0, 0], to: [2, 2, 1], elements: [4, 4, 4]}}, material: m}]
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]
contact: [{between: [slab.bottom, floor]}]
time: {method: dissipative, step: 0.1, end: 1}
DECK
is 4e7 1e-5
is 4e7 1e-5 --set bodies.0.mesh.block.type=T4
is 8e7 1e-5 --set bodies.0.mesh.block.type=T10

# A penalty that is too soft for the weight of the block is warned of once, with the number that the automatic rule has.
cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, young: 1.0e7, poisson: 0.3, density: 1000}]
bodies: [{name: block, mesh: {block: {from: [0, 0], to: [0.2, 0.1], elements: [4, 2]}}, material: m}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [block.bottom, floor], friction: 0.3, normal_penalty: 1.0e4, tangential_penalty: 1.0e4}]
conditions: [{gravity: [0, -9.81]}]
time: {method: dissipative, step: 2.0e-3, end: 0.6}
audit: {max_penetration: 1}
DECK
run_deck 0
[ "$(grep -c 'of the height of the elements there, because normal_penalty 1e+04 is too soft; set normal_penalty to about 2.7e+09' stderr)" = 1 ]
check $? "a soft penalty: $(cat stderr)"
run_deck 0 --set contact.0.normal_penalty=auto
[ ! -s stderr ]
check $? "the automatic penalty: a warning"
# A thin layer under a stiff block: its sides are much smaller than its top, and must not decide which surface is finer.
# In uniaxial strain the force is (lambda + 2 shear) x strain; the finite strain of 1 % adds 0.9 %.
cat >thin.yaml <<'DECK'
carom: 1
dimension: 2
materials:
  - {name: soft, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}
  - {name: hard, model: neo-hookean, young: 1.0e+8, poisson: 0, density: 1}
bodies:
  - {name: layer, material: soft, mesh: {block: {from: [0, -0.02], to: [1, 0], elements: [4, 1]}}}
  - {name: block, material: hard, mesh: {block: {from: [0, 0], to: [1, 0.5], elements: [5, 3]}}}
contact: [{between: [block, layer]}]
conditions:
  - {on: layer.bottom, fix: [y]}
  - {on: layer, fix: [x]}
  - {on: block.top, displacement: [0, -2.0e-4], ramp: [0, 1]}
time: {method: bipotential, analysis: quasi-static, step: 0.5, end: 1}
output: {frames: 0, report: false}
DECK
cpu 600 "$CAROM" run thin.yaml -o thin.out --force >stdout 2>stderr
check $? "a thin layer: $(cat stderr)"
thin=$(awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "fy") k = i} END {print $k / 13.4615}' thin.out/contacts.csv)
near "$thin" 1.009 0.005
check $? "a thin layer: force $thin of that of uniaxial strain"

# Contact springs in series with the layer: where they decide the force, a warning says by how much, and what to set.
# The force is that of the layer divided by 1 + energy of springs / energy of bodies.
press() { # a penalty, or auto; Poisson's ratio
  cpu 600 "$CAROM" run thin.yaml -o thin.out --force --set time.method=dissipative --set contact.0.normal_penalty="$1" \
    --set materials.0.poisson="$2" --set bodies.1.mesh.block.elements=[4,3] >stdout 2>stderr
  check $? "springs on a thin layer: $(cat stderr)"
}
press 1e3 0.3
factor=$(sed -n 's/.*too small by a factor of \([0-9.e+]*\);.*/\1/p' stderr)
thin=$(awk -F, -v f="$factor" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "fy") k = i} END {print $k / 13.4615 * f}' thin.out/contacts.csv)
near "$thin" 1 0.15 # corners weigh more than their length, so the pressure is not quite even
check $? "springs on a thin layer: factor $factor, force times factor $thin of that of uniaxial strain"
press auto 0.4999
grep -q 'contact springs stored .* set `normal_penalty`' stderr
check $? "automatic springs on a thin layer that hardly changes its volume: $(cat stderr)"
press 1e8 0.3
[ "$(grep -c "contact springs stored" stderr)" = 0 ]
check $? "stiff springs on a thin layer: $(cat stderr)"

# The same in motion: a column is pressed slowly on a plane. Column and spring are in series, so that their energies have
# the ratio E/(kn L) at any time, whatever the step is.
cat >column.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: linear, young: 1000, poisson: 0, density: 0.01}]
bodies: [{name: column, mesh: {block: {from: [0, 0], to: [0.5, 1], elements: [2, 4]}}, material: m}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [column.bottom, floor]}]
conditions:
  - {on: column.top, traction: [0, -1], ramp: [0, 1]}
time: {method: dissipative, step: 0.01, end: 1}
output: {frames: 0, report: false}
DECK
column() { # penalty, step, method, more options
  cpu 600 "$CAROM" run column.yaml -o column.out --force --set contact.0.normal_penalty="$1" --set time.step="$2" \
    --set time.method="$3" "${@:4}" >stdout 2>stderr
  check $? "a column on springs: $(cat stderr)"
}
for method in dissipative midpoint newmark; do
  for step in 0.02 0.005; do
    column 500 $step $method
    ratio=$(sed -n 's/.*during contact, contact springs stored \([0-9.e+]*\) times.*/\1/p' stderr)
    near "$ratio" 2 0.1
    check $? "a column on springs, $method, step $step: ratio $ratio, expected 2: $(cat stderr)"
  done
  column 2.0e4 0.02 $method # a ratio of 0.05
  [ "$(grep -c "contact springs stored" stderr)" = 0 ]
  check $? "a column on stiff springs, $method: $(cat stderr)"
done
# At rest: springs that make a force 13 % too small are worth a warning, those that take 5 % are not.
column 6666.67 0.5 dissipative --set time.analysis=quasi-static
ratio=$(sed -n 's/.*contact springs stored \([0-9.e+]*\) times.*/\1/p' stderr)
near "$ratio" 0.15 0.005
check $? "a column at rest on springs: ratio $ratio, expected 0.15: $(cat stderr)"
column 2.0e4 0.5 dissipative --set time.analysis=quasi-static
[ "$(grep -c "contact springs stored" stderr)" = 0 ]
check $? "a column at rest on stiff springs: $(cat stderr)"
check_end
