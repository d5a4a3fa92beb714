#!/bin/bash
# carom converge: orders and limits of problems with known answers, errors that hold the true ones, limits of the
# deck, folders that go on, and what is refused.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

# One element with one unknown: u(t) = sin(w t) / w with w^2 = 2 E / (rho L^2).
cat >bar.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: linear, young: 1, poisson: 0, density: 1}]
bodies: [{name: bar, mesh: {block: {from: [0, 0], to: [1, 1], elements: [1, 1]}}, material: m, velocity: [1, 0]}]
conditions: [{on: bar.left, fix: [x, y]}, {on: bar, fix: [y]}]
time: {method: midpoint, step: 0.1, end: 2}
output: {frames: 0, probes: [{name: tip, at: [1, 0]}]}
DECK
exact=$(awk 'BEGIN {w = sqrt(2); printf "%.15g", sin(2 * w) / w}')

value() { # row, column of converge.csv
  awk -F, -v row="\"$1\"" -v col="$2" 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == col) c = i} $1 == row {print $c}' out/converge.csv
}

"$CAROM" converge bar.yaml -o out >said 2>stderr
check $? "the study runs"
near "$(value tip.ux order)" 2 0.1
check $? "the mid-point rule is of second order: $(value tip.ux order)"
near "$(value tip.ux limit)" "$exact" 2e-5
check $? "the limit is the exact answer: $(value tip.ux limit) for $exact"
for k in 0 1 2; do
  off=$(awk -v a="$(value tip.ux value_$k)" -v b="$exact" 'BEGIN {d = a - b; print d < 0 ? -d : d}')
  below "$off" "$(value tip.ux error_$k)"
  check $? "level $k is off by $off, stated $(value tip.ux error_$k)"
done
! grep -q spin said
check $? "a bar that does not turn has no spin: $(grep spin said)"
grep -q "^tip.ux .* converg" said
check $? "the table says it"
[ -s out/converge.html ]
check $? "there is a page"

# the same words again: nothing runs, the same table
stat -c %Y out/level-*/history.csv >before
"$CAROM" converge bar.yaml -o out >again 2>stderr
check $? "again"
stat -c %Y out/level-*/history.csv | cmp -s - before
check $? "levels that are there are only read"
diff <(grep tip said) <(grep tip again) >/dev/null
check $? "with the same table"

# an interrupted level goes on
"$CAROM" run bar.yaml --set time.step=0.025 -o part --stop-after 7 >/dev/null 2>&1
rm -rf out/level-2 && mv part out/level-2
"$CAROM" converge bar.yaml -o out >again 2>stderr
check $? "a level that was interrupted"
diff <(grep tip said) <(grep tip again) >/dev/null
check $? "goes on to the same table"

# another deck does not overwrite a study
"$CAROM" converge bar.yaml -o out --set time.step=0.05 >/dev/null 2>stderr
[ $? = 2 ] && grep -q "another deck" stderr
check $? "other words are refused"
mkdir foreign && touch foreign/thesis.tex
"$CAROM" converge bar.yaml -o foreign >/dev/null 2>stderr
[ $? = 2 ] && [ "$(ls foreign)" = thesis.tex ]
check $? "a foreign folder is left alone"

# by mesh: the first mode of a bar in tension, w = pi/2; lumped masses converge at second order
sed 's/velocity: \[1, 0\]/velocity_gradient: [[1, 0], [0, 0]]/; s/elements: \[1, 1\]/elements: [4, 1]/; s/step: 0.1/step: 0.01/' bar.yaml >rod.yaml
"$CAROM" converge rod.yaml -o out2 --of mesh --levels 4 >said 2>stderr
check $? "by mesh"
grep -q "elements / 8" said
check $? "levels say what they changed"

# the limit of the deck
sed '$a audit: {resolution_error: 1.0e-4}' bar.yaml >limit.yaml
"$CAROM" converge limit.yaml -o out3 >/dev/null 2>stderr
[ $? = 1 ] && grep -q "resolution\|error of" stderr
check $? "a broken limit is exit code 1"
"$CAROM" run limit.yaml -o single >/dev/null 2>stderr
check $? "a single run does not judge it"
sed '$a audit: {resolution_error: 0.5}' bar.yaml >limit.yaml
"$CAROM" converge limit.yaml -o out4 --quantities tip.ux >said 2>stderr
check $? "a kept limit"
[ "$(grep -c "^tip\|^bar\|^energy\|^kinetic" said)" = 1 ]
check $? "only the quantity that was asked for"

# a limit of single runs: the study says which level exceeds it, and still has its table
sed '$a audit: {friction_loss: -1}' bar.yaml >limit.yaml
"$CAROM" converge limit.yaml -o out5 >said 2>stderr
[ $? = 1 ] && grep -q "^level-2: audit: friction_loss is 0, above its limit -1" said && grep -q "^tip.ux" said
check $? "levels above a limit of the deck: exit code 1, $(grep level-2 said)"

# a free block bounces on a floor without friction: the impulse of the floor is twice the momentum m v = 1 x 0.1,
# whatever the step; the filtered force has a peak, and the parts of the impulse are what they say
cat >bounce.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: stiff, model: linear, young: 1.0e+4, poisson: 0, density: 1}]
bodies: [{name: block, mesh: {block: {from: [0, 0.01], to: [1, 1.01], elements: [1, 1]}}, material: stiff, velocity: [0, -0.1]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [block.bottom, floor], normal_penalty: 1, name: foot}]
time: {method: dissipative, step: 0.1, end: 6}
output: {frames: 0, report: false, filter: 0.5, every: 4}
DECK
rm -rf out
"$CAROM" converge bounce.yaml -o out --quantities 'foot.*' >said 2>stderr
check $? "the study of a bounce: $(cat stderr)"
for k in 0 1 2; do
  near "$(value foot.normal_impulse_y value_$k)" 0.2 1e-4
  check $? "level $k: the normal impulse is $(value foot.normal_impulse_y value_$k), in rows of every fourth step"
done
[ -z "$(value foot.tangential_impulse_x value_0)" ]
check $? "there is no tangential impulse"
# the force is 0.1 sin(t), 0 < t < pi; the greatest mean over 0.5 is 0.1 sin(0.25)/0.25
near "$(value foot.peak_force value_2)" "$(awk 'BEGIN {print 0.1 * sin(0.25) / 0.25}')" 1e-3
check $? "the peak of the filtered force is $(value foot.peak_force value_2)"

# every loss is a number of the study: free flight against a drag a = 0.5 loses m v^2/2 (1 - exp(-2 a t)) of its energy
cat >drag.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: linear, young: 1, poisson: 0, density: 1, damping: {mass: 0.5}}]
bodies: [{name: block, mesh: {block: {from: [0, 0], to: [1, 1], elements: [1, 1]}}, material: m, velocity: [1, 0]}]
time: {method: midpoint, step: 0.1, end: 1}
output: {frames: 0, report: false}
DECK
rm -rf out
"$CAROM" converge drag.yaml -o out >said 2>stderr
near "$(value drag limit)" "$(awk 'BEGIN {print 0.5 * (1 - exp(-1))}')" 1e-5
check $? "the loss of drag: $(value drag limit)"
sed -i 's/damping: {mass: 0.5}/viscosity: {shear: 0.1}/; s/velocity: \[1, 0\]/velocity_gradient: [[1, 0], [0, 0]]/' drag.yaml
rm -rf out
"$CAROM" converge drag.yaml -o out >said 2>stderr
below 1e-3 "$(value viscous value_0)"
check $? "the loss of viscosity: $(value viscous value_0)"

# A block pressed evenly from both sides stays where it is: its place, to rounding, is no number of the study, and
# its levels are not apart. The same in motion.
cat >press.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: linear, young: 1000, poisson: 0.3, density: 1}]
bodies: [{name: block, mesh: {disc: {center: [0, 0], radius: 1, core: 4, rings: 2}}, material: m}]
obstacles:
  - {name: upper, plane: {point: [0, 1], normal: [0, -1]}, velocity: [0, -0.05]}
  - {name: lower, plane: {point: [0, -1], normal: [0, 1]}, velocity: [0, 0.05]}
contact: [{between: [block, upper], normal_penalty: 1.0e+5}, {between: [block, lower], normal_penalty: 1.0e+5}]
conditions: [{on: block, at: [0, 1], fix: [x]}, {on: block, at: [0, -1], fix: [x]}]
time: {method: newmark, analysis: quasi-static, step: 0.5, end: 1}
output: {frames: 0, report: false}
audit: {resolution_error: 3}
DECK
for words in "--of mesh" "--of step --set time.analysis=dynamic --set time.step=0.01 --set time.end=0.2 --set time.method=dissipative"; do
  rm -rf out
  # shellcheck disable=SC2086
  "$CAROM" converge press.yaml $words -o out >said 2>stderr
  check $? "pressed from both sides: $words"
  ! grep -q "block.position\|block.velocity\|block.spin\|are apart" said
  check $? "a block that stays has no place, and levels are not apart: $(grep "^block\|apart" said)"
done

# several methods: one table with what each one costs
"$CAROM" compare bar.yaml --methods midpoint,newmark --converge --quantities tip.ux -o both >said 2>stderr
check $? "compare --converge"
[ "$(grep -c "^  midpoint .* converg\|^  newmark .* converg" said)" = 2 ]
check $? "a row per method"
[ "$(grep -c '"tip.ux"' both/converge.csv)" = 6 ] && [ -s both/compare.html ] && [ -s both/newmark/converge.html ]
check $? "a table, and pages"

# a name that is no number; what is zero is no mistake
"$CAROM" converge bar.yaml -o named --quantities tip.ut,tip.ux >said 2>stderr
[ $? = 2 ] && [ "$(wc -l <stderr)" = 1 ] && grep -q 'no quantity is called "tip.ut"; did you mean "tip.u' stderr && [ ! -e named/converge.csv ]
check $? "a wrong name: $(cat stderr)"
"$CAROM" converge bar.yaml -o named --quantities 'tip.ux,friction_loss' >said 2>stderr
check $? "the right names go on with the same levels"
"$CAROM" compare bar.yaml --methods midpoint,newmark --converge --quantities 'nothing*' -o named2 >said 2>stderr
[ $? = 2 ] && grep -q 'no quantity is called "nothing\*"' stderr
check $? "a wrong name under compare: $(cat stderr)"

# no mesh to refine; and a number that a level does not have is named
cat >disk.yaml <<'DECK'
carom: 1
dimension: 2
bodies: [{name: disk, rigid: {disk: {radius: 1}, mass: 1}, position: [0, 1.5], velocity: [1, -1]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{default: {friction: 0.3, restitution: 0.5}}]
time: {method: efda, step: 0.01, end: 1}
output: {frames: 0, report: false}
DECK
for of in mesh both; do
  "$CAROM" converge disk.yaml --of $of -o no >/dev/null 2>stderr
  [ $? = 2 ] && [ ! -e no ] && grep -q "^carom: disk.yaml:3:9: bodies: there is no mesh to refine" stderr
  check $? "no mesh, --of $of: $(cat stderr)"
done
"$CAROM" converge disk.yaml -o part >said 2>stderr
check $? "rigid bodies by the step"
rm part/level-1/bodies.csv
"$CAROM" converge disk.yaml -o part >said 2>stderr
grep -q "^left out, because some level does not have them: disk.velocity_x, disk.velocity_y" said
check $? "numbers that a level lacks are named: $(grep "left out" said)"

for words in "--of everything" "--levels 1" "--ratio 1.5" "--workers 0"; do
  # shellcheck disable=SC2086
  "$CAROM" converge bar.yaml -o no $words >/dev/null 2>stderr
  [ $? = 2 ] && [ ! -e no ] && [ "$(wc -l <stderr)" = 1 ]
  check $? "refused with one line: $words"
done
check_end
