#!/usr/bin/env bash
# contacts.csv has the force on the body that `between` names first, for every kind of pair and every method. In each deck
# one body lies on another, and the lower one holds the upper one. So the force on the upper one points upwards, whoever
# is named first. The impulse, the filtered force and both overlaps change places with the names too.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

# upper and lower: entries of `bodies` or `obstacles`
head='carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.3, density: 1}]'
soft_above='{name: above, mesh: {block: {from: [0.2, 0], to: [0.8, 0.5], elements: [3, 2]}}, material: m, velocity: [0.3, -1]}'
soft_below='{name: below, mesh: {block: {from: [0, -0.5], to: [1, 0], elements: [4, 2]}}, material: m}'
rigid_above='{name: above, rigid: {box: {size: [0.6, 0.5]}, mass: 0.3}, position: [0.5, 0.25], velocity: [0.3, -1]}'
rigid_below='{name: below, rigid: {box: {size: [1, 0.5]}, mass: 2}, position: [0.5, -0.25]}'
floor='{name: below, plane: {point: [0, 0], normal: [0, 1]}}'

deck() { # upper, lower, obstacle, supports
  cat >deck.yaml <<DECK
$head
bodies: [$1${2:+, $2}]
obstacles: [$3]
contact: [{between: [above, below], friction: 0.2}]
conditions: [$4]
time: {method: dissipative, step: 0.002, end: 0.02}
DECK
  [ -n "$3" ] || sed -i '/^obstacles/d' deck.yaml
  [ -n "$4" ] || sed -i '/^conditions/d' deck.yaml
}

# The last row of contacts.csv: force, impulse, filtered force along y; overlaps.
row() {
  awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) name[$k] = k} NR > 1 && $name["points"] > 0 {
    last = $name["fy"] " " $name["impulse_y"] " " $name["normal_impulse_y"] " " $name["filtered_y"] " " $name["overlap_ab"] " " $name["overlap_ba"] }
    END {print last}' out/contacts.csv
}

both() { # what, arguments of the program
  local what=$1 one other
  shift
  rm -rf out
  run_deck 0 "$@"
  one=$(row)
  mv out/reactions.csv reactions
  run_deck 0 "$@" --set 'contact.0.between=[below, above]'
  other=$(row)
  cmp -s reactions out/reactions.csv
  check $? "$what: reactions.csv depends on the order of names"
  echo "$one $other" | awk '{exit !(NF == 12 && $1 > 0 && $2 > 0 && $3 > 0 && $4 > 0 && $7 < 0 && $8 < 0 && $9 < 0 && $10 < 0)}'
  check $? "$what: force, impulses and filtered force of [above, below] are $one; of [below, above] $other"
  echo "$one $other" | awk 'function near(a, b) {return (a - b) ^ 2 <= 1e-18 * (1 + b ^ 2)}
    {exit !(NF == 12 && near($1, -$7) && near($2, -$8) && near($3, -$9) && near($4, -$10) && near($5, $12) && near($6, $11))}'
  check $? "$what: the rows are not the same but for signs and places: $one; $other"
}

every() { # what, methods
  local what=$1 method
  shift
  for method in "$@"; do
    case $method in
      explicit) both "$what, $method" --set time.method=explicit --set time.step=auto ;;
      *) both "$what, $method" --set time.method="$method" ;;
    esac
  done
}

all="dissipative midpoint newmark velocity-update bipotential explicit"
held='{on: below.bottom, fix: [x, y]}'
deck "$soft_above" "$soft_below" "" "$held"
every "two deformable bodies" $all
deck "$rigid_above" "$soft_below" "" "$held"
every "rigid on deformable" $all
deck "$soft_above" "$rigid_below" "" ""
every "deformable on rigid" $all
deck "$soft_above" "" "$floor" ""
every "deformable on obstacle" $all
deck "$rigid_above" "" "$floor" ""
every "rigid on obstacle" efda
deck "$rigid_above" "$rigid_below" "" ""
every "two rigid bodies" efda

# Points of the rigid body as slaves, alone and beside nodes.
deck "$rigid_above" "$soft_below" "" "$held"
both "points of the rigid body" --set contact.0.slaves=body
both "points of both" --set contact.0.slaves=both
# Statics: the lower body is pushed up against the upper one.
deck "$soft_above" "$soft_below" "" '{on: above.top, fix: [x, y]}, {on: below.bottom, displacement: [0, 0.02], ramp: [0, 1]}'
both "two deformable bodies, statics" --set time.analysis=quasi-static --set time.step=0.5 --set time.end=1 --set bodies.0.velocity='[0, 0]'
deck "$soft_above" "" "$floor" '{on: above.top, displacement: [0, -0.02], ramp: [0, 1]}'
both "deformable on obstacle, statics" --set time.analysis=quasi-static --set time.step=0.5 --set time.end=1 --set bodies.0.velocity='[0, 0]'

check_end
