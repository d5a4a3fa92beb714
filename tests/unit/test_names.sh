#!/bin/bash
# Names that scripts rely on: commands, columns of the tables, keys of the audit, defaults, lists. They may become more,
# but none may change. Takes the program from $CAROM.
set -u
CAROM=$(realpath "${CAROM:?the program}")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
failed=0

fail() {
  echo "FAILED: $*"
  failed=1
}

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: rubber, young: 1.0e6, poisson: 0.3, density: 1000}]
bodies: [{name: block, mesh: {block: {from: [0, 0], to: [1, 1], elements: [2, 2]}}, material: rubber, velocity: [0, -1]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [block, floor]}]
time: {method: dissipative, step: 0.001, end: 0.002}
output: {probes: [{name: corner, at: [1, 1], body: block}]}
DECK
"$CAROM" run deck.yaml >log 2>&1 || fail "$(cat log)"

# ---- the version, which stands in CMakeLists.txt alone --------------------------------------------------------

version=$(sed -nE 's/^project\(carom VERSION ([0-9]+\.[0-9]+\.[0-9]+) .*/\1/p' "$CAROM_SOURCE/CMakeLists.txt")
[ -n "$version" ] && [ "$("$CAROM" --version)" = "carom $version" ] || fail "carom --version is not $version"
grep -qxF "# carom $version" deck.out/run.yaml || fail "run.yaml is not by carom $version"

# ---- files and their columns ---------------------------------------------------------------------------------

columns() { # file, columns it begins with
  case $(head -1 "deck.out/$1") in "$2" | "$2",*) ;; *) fail "$1 begins with $(head -1 "deck.out/$1")" ;; esac
}
columns history.csv time,step,h,iterations,kinetic,strain,potential,penalty,external_work,friction_loss,energy,balance,momentum_x,momentum_y,momentum_z,angular_x,angular_y,angular_z,contacts,sticking,max_penetration,contact_work,defect
columns bodies.csv time,body,mass,x,y,z,px,py,pz,jx,jy,jz,kinetic,strain,angle,spin_x,spin_y,spin_z
columns contacts.csv time,pair,points,sticking,slipping,fx,fy,fz,friction_loss,max_penetration,mean_slip,min_slip,max_slip,overlap_ab,overlap_ba,unseen,impulse_x,impulse_y,impulse_z,normal_impulse_x,normal_impulse_y,normal_impulse_z,tangential_impulse_x,tangential_impulse_y,tangential_impulse_z,filtered_x,filtered_y,filtered_z
columns reactions.csv time,name,fx,fy,fz,mx,my,mz,work,impulse_x,impulse_y,impulse_z
columns probes.csv time,probe,x,y,z,ux,uy,uz,vx,vy,vz,fx,fy,fz,gap,slip,pressure
columns extremes.csv time,field,body,min,max
columns events.csv time,pair,state,jn,jt,energy_change
for file in fields.pvd fields/0000.vtu checkpoint.h5 run.yaml; do
  [ -s "deck.out/$file" ] || fail "no $file"
done

# ---- the audit -----------------------------------------------------------------------------------------------

for key in completed method steps iterations wall_seconds wall_seconds_by_part energy_initial energy_final energy_max_gain balance_max_abs \
  balance_relative path_error defect_max_abs momentum_drift angular_drift friction_loss contact_work max_penetration overlap_ab overlap_ba unseen unseen_pairs ghost_renewals max_contacts \
  rejected_steps searched_steps min_det_f resolution steps_per_contact least median ripple penetration_layers elements_per_step \
  points_along facet_turn volumetric_ratio size pairs pair; do
  grep -q "\"$key\":" deck.out/audit.json || fail "audit.json has no $key"
done
tail -15 log | grep -q "^audit (" || fail "the run does not end with its audit"

# ---- defaults, as run.yaml fills them in ---------------------------------------------------------------------

while IFS='|' read -r section line; do
  sed -n "/^$section/,/^[a-z]/p" deck.out/run.yaml | grep -qE "^ *(- )?$line\$" || fail "run.yaml, $section: no \"$line\""
done <<'LINES'
plane|plane: strain
thickness|thickness: 1(\.0)?
bodies|mass: lumped
bodies|integration: full
contact|friction: 0
contact|restitution: 1
contact|normal_penalty: auto
contact|tangential_penalty: auto
contact|weight: area
contact|sides: auto
contact|overlap: keep
time|analysis: dynamic
time|adaptive: true
time|stick_point: return
time|theta: 0.5
output|frames: 100
output|every: 1
output|filter: auto
output|checkpoint: 60
output|extremes: \[von-mises\]
output|fields: \[displacement, velocity, stress, von-mises\]
LINES

# ---- commands and lists --------------------------------------------------------------------------------------

"$CAROM" --help >help || fail "--help"
for command in run check compare resume examples verify friction report view picture plot schema methods; do
  grep -q "^  $command " help || fail "--help does not name $command"
  "$CAROM" $command --help >log || fail "$command --help"
done
"$CAROM" methods >methods || fail "methods"
while IFS='|' read -r section names; do
  for name in $names; do
    sed -n "/^$section/,/^[a-z]/p" methods | grep -qE "^  $name +\S" || fail "methods, $section: no $name"
  done
done <<'LISTS'
methods|dissipative velocity-update bipotential efda explicit newmark midpoint
materials|saint-venant-kirchhoff linear neo-hookean mooney-rivlin
elements|T3 Q4 T6 Q8 Q9 T4 H8 T10
contact laws|penalty multipliers restitution
friction laws|Coulomb
LISTS
for method in $(awk '/^materials/ {exit} /^  [a-z]/ {print $1}' methods); do # each presses by one of the laws
  [ "$(sed -n '/^contact laws/,/^friction laws/p' methods | grep -cE "(used by: |, )$method(,|\$)")" = 1 ] || fail "methods: no contact law of $method"
done
"$CAROM" schema | python3 -c "import json, sys; json.load(sys.stdin)['properties']['bodies']" || fail "schema"

[ $failed = 0 ] && echo "names are as they were"
exit $failed
