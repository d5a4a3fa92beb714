#!/bin/bash
# `resolution` of audit.json: the same impact with thirty steps and with three, beside what is known of a mass on a
# spring and what contacts.csv says; over a restart; and null where contacts have no duration.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

# A mass 1 strikes a spring of stiffness 1 with the velocity 0.01: half a sine of duration pi and depth 0.01.
cat >spring.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: stiff, model: linear, young: 1.0e+4, poisson: 0, density: 1}]
bodies: [{name: block, mesh: {block: {from: [0, 0.005], to: [1, 1.005], elements: [1, 2]}}, material: stiff, velocity: [0, -0.01]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [block.bottom, floor], friction: 0, normal_penalty: 1}]
time: {method: dissipative, step: 0.10471975511965977, end: 6}
output: {frames: 0, report: false}
DECK
run() { # folder, arguments
  cpu 600 "$CAROM" run "${DECK:-spring.yaml}" -o "$@" >"$1.log" 2>stderr
  check $? "run $1"
}
number() { python3 -c "import json, sys; v = json.load(open('$1/audit.json'))$2; print('null' if v is None else v)"; }
of() { number "$1" "['resolution']$2"; }

run fine
run coarse --set time.step=1.0471975511965976
near "$(of fine "['steps_per_contact']['least']")" 30 1
check $? "thirty steps: $(of fine "['steps_per_contact']")"
near "$(of coarse "['steps_per_contact']['least']")" 3 1
check $? "three steps: $(of coarse "['steps_per_contact']")"
near "$(of fine "['ripple']")" 2 0.05
check $? "a force that rises and falls once: $(of fine "['ripple']")"
near "$(of fine "['penetration_layers']")" 0.02 0.0005 # two layers of elements in the block
check $? "penetration: $(of fine "['penetration_layers']")"
grep -qE '^  resolution +(29|30|31) steps per contact at least \(median (29|30|31)\), force ripple 2' fine.log &&
  grep -q "^ *$CAROM converge spring.yaml estimates the error of these numbers$" fine.log
check $? "lines of the terminal: $(grep -A1 resolution fine.log)"

# hints can be typed: the program by its name if the search path has it, and the deck from the current folder
(PATH="$(dirname "$(realpath "$CAROM")"):$PATH" && carom run "$PWD/spring.yaml" -o named >named.log 2>&1)
check $? "a program on the search path"
grep -q '^ *carom converge spring.yaml estimates the error of these numbers$' named.log && grep -qx '# deck: spring.yaml' named/run.yaml && grep -qx '# program: carom' named/run.yaml
check $? "hints that can be typed: $(grep converge named.log), $(head -4 named/run.yaml)"
mkdir -p deep/er && (cd deep/er && "$CAROM" run "$(dirname "$(dirname "$PWD")")/spring.yaml" -o up >up.log 2>&1 && grep -q 'converge ../../spring.yaml estimates' up.log)
check $? "a deck two folders above: $(grep converge deep/er/up.log)"

# two blocks on springs of stiffness 1 and 4: each pair has its own duration, 30 and 15 steps, and depth
sed -e 's/^bodies: \[\(.*\)\]$/bodies: [\1, {name: other, mesh: {block: {from: [3, 0.005], to: [4, 1.005], elements: [1, 2]}}, material: stiff, velocity: [0, -0.01]}]/' \
  -e 's/^contact: .*/contact: [{name: soft, between: [block.bottom, floor], normal_penalty: 1}, {name: hard, between: [other.bottom, floor], normal_penalty: 4}]/' spring.yaml >two.yaml
cat >pairs.py <<'END'
import json, sys
r = json.load(open(sys.argv[1] + "/audit.json"))["resolution"]
soft, hard = r["pairs"]
assert (soft["pair"], hard["pair"]) == ("soft", "hard"), r
for pair, steps, depth in ((soft, 30, 0.02), (hard, 15, 0.01)):
    assert abs(pair["steps_per_contact"]["least"] - steps) <= 1 and abs(pair["steps_per_contact"]["median"] - steps) <= 1, pair
    assert abs(pair["ripple"] - 2) < 0.05 and abs(pair["penetration_layers"] - depth) < 0.03 * depth, pair
assert r["steps_per_contact"]["least"] == hard["steps_per_contact"]["least"], r
END
DECK=two.yaml run two
python3 pairs.py two
check $? "durations pair by pair: $(of two "['pairs']")"
grep -qE '^ +soft: (29|30|31) steps per contact, force ripple 2$' two.log && grep -qE '^ +hard: 1[456] steps per contact, force ripple 2$' two.log
check $? "pair by pair on the terminal: $(grep -A3 resolution two.log)"
cpu 600 "$CAROM" run two.yaml -o two.cut --stop-after 20 >log 2>stderr
cpu 600 "$CAROM" resume two.cut >log 2>stderr
[ "$(of two '')" = "$(of two.cut '')" ]
check $? "pair by pair after a restart: $(of two.cut '')"

# Several contacts, with short touches in between, as contacts.csv has them; those below 1 % of the greatest impulse
# leave out their duration. A bar of several elements springs off its own waves.
cat >bar.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: linear, young: 1, poisson: 0, density: 1}]
bodies: [{name: bar, mesh: {block: {from: [0, 0], to: [0.25, 1], elements: [1, 10]}}, material: m, velocity: [0, -0.001]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [bar, floor], friction: 0}]
time: {method: newmark, step: 0.0666, end: 4}
output: {frames: 0, report: false}
DECK
cat >expect.py <<'END'
import csv, json, math, statistics, sys
run = sys.argv[1]
contacts, now = [], []
for row in list(csv.DictReader(open(run + "/contacts.csv")))[1:] + [{"points": 0}]:
    if int(row["points"]):
        now.append(math.hypot(*(float(row[f]) for f in ("fx", "fy", "fz"))))
    elif now:
        contacts.append(now)
        now = []
greatest = max(map(sum, contacts))
bins = {}
for c in contacts:
    bins.setdefault(len(c), []).append(sum(c))
lengths = sorted(len(c) for c in contacts if max(bins[len(c)]) >= 0.01 * greatest)
ripple = max(sum(abs(a - b) for a, b in zip([0] + c, c + [0])) / max(c) for c in contacts)
r = json.load(open(run + "/audit.json"))["resolution"]
assert len(contacts) > 2, contacts
assert r["steps_per_contact"] == {"least": lengths[0], "median": statistics.median_low(lengths)}, (r, lengths)
assert abs(r["ripple"] - ripple) < 1e-12 * ripple, (r, ripple)
END
DECK=bar.yaml run bar
python3 expect.py bar
check $? "durations and ripple are those of contacts.csv"

# over a restart in the middle of contact
cpu 600 "$CAROM" run bar.yaml -o cut --stop-after 9 >log 2>stderr
check "$(($? != 130))" "stopped"
[ "$(tail -1 cut/contacts.csv | cut -d, -f3)" -gt 0 ]
check $? "stopped in contact"
cpu 600 "$CAROM" resume cut >log 2>stderr
check $? "resumed"
[ "$(of bar '')" = "$(of cut '')" ]
check $? "after a restart: $(of cut ''), not $(of bar '')"

# no contact; statics; impacts of rigid bodies, which take no time
DECK=spring.yaml run apart --set time.end=0.3
[ "$(of apart "['steps_per_contact']['least']") $(of apart "['ripple']")" = "null null" ] && ! grep -q 'resolution  ' apart.log
check $? "without contact: $(of apart '')"
sed -e 's/0\.005\]/0]/; s/1\.005\]/1]/; s/, velocity: .*/}]/; s/^time:.*/time: {method: midpoint, analysis: quasi-static, step: 0.1, end: 0.5}/' spring.yaml >press.yaml
echo 'conditions: [{on: block.top, velocity: [0, -0.01]}]' >>press.yaml
DECK=press.yaml run press
near "$(of press "['ripple']")" 1 1e-6 # the force only rises
check $? "statics: $(of press '')"
[ "$(of press "['steps_per_contact']['least']")" = null ] && grep -qE '^  resolution +force ripple 1$' press.log
check $? "statics has no durations: $(grep -A1 'resolution  ' press.log)"
cat >stone.yaml <<'DECK'
carom: 1
dimension: 2
bodies: [{name: stone, rigid: {disk: {radius: 1}, mass: 1}, position: [0, 1.05], velocity: [0, -1]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{default: {friction: 0, restitution: 1}}]
time: {method: efda, step: 0.01, end: 0.2}
output: {frames: 0, report: false}
DECK
DECK=stone.yaml run stone
[ "$(number stone "['max_contacts']") $(of stone "['steps_per_contact']['least']")" = "1 null" ] && ! grep -q 'resolution  ' stone.log
check $? "impacts of rigid bodies: $(of stone '')"

# what elements resolve: waves cross h c / height = h 100 / 0.5 elements in a step; two nodes press, on a flat side
near "$(of fine "['elements_per_step']")" 20.943951 1e-5
check $? "elements that a wave crosses in a step: $(of fine "['elements_per_step']")"
[ "$(of fine "['points_along']") $(of fine "['facet_turn']")" = "[2] 0" ]
check $? "points of the block: $(of fine "['points_along']"), turn $(of fine "['facet_turn']")"
grep -qE '^ +a wave crosses 21 elements per step, 2 contact points$' fine.log
check $? "line of the terminal: $(grep waves fine.log)"

# a disc of 4 x 6 facets turns by 15 degrees from one to the next; its corners of the core do not count
cat >disc.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1.0e+4, poisson: 0.3, density: 1}]
bodies: [{name: disc, mesh: {disc: {center: [0, 1.001], radius: 1, core: 6, rings: 3}}, material: m, velocity: [0, -1]}]
obstacles: [{name: floor, plane: {point: [0, 0], normal: [0, 1]}}]
contact: [{between: [disc, floor], friction: 0}]
time: {method: dissipative, step: 0.002, end: 0.02}
output: {frames: 0, report: false}
DECK
for method in dissipative velocity-update bipotential newmark; do
  DECK=disc.yaml run disc.$method --set time.method=$method
  near "$(of disc.$method "['facet_turn']")" 15 1e-9
  check $? "$method: facets of a disc turn by $(of disc.$method "['facet_turn']") degrees"
done
DECK=disc.yaml run disc.explicit --set time.method=explicit --set time.step=auto
near "$(of disc.explicit "['facet_turn']")" 15 1e-9
check $? "explicit: facets of a disc turn by $(of disc.explicit "['facet_turn']") degrees"

# 5 x 3 nodes of a block in space, pressed evenly; the same on two processes
cat >slab.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: linear, young: 1000, poisson: 0, density: 1}]
bodies: [{name: slab, mesh: {block: {from: [0, 0, 0], to: [2, 1, 1], elements: [4, 2, 2]}}, angle: 30, axis: [0, 0, 1], material: m}]
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]
contact: [{between: [slab.bottom, floor], friction: 0.1}]
conditions: [{on: slab.top, velocity: [0, 0, -0.01]}]
time: {method: midpoint, analysis: quasi-static, step: 0.1, end: 0.3}
output: {frames: 0, report: false}
DECK
DECK=slab.yaml run slab
[ "$(of slab "['points_along']")" = "[5, 3]" ]
check $? "5 x 3 points: $(of slab "['points_along']")"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpiexec --oversubscribe -n 2 "$CAROM" run slab.yaml -o slab2 >slab2.log 2>stderr
check $? "on two processes"
[ "$(of slab2 "['points_along']")" = "[5, 3]" ]
check $? "5 x 3 points on two processes: $(of slab2 "['points_along']")"

# A short bar of rubber is bent: bilinear elements of full integration lock, others do not. Pulled, with free sides, its
# volumetric energy is (1 - 2 nu) / (2 (1 + nu)) of the deviatoric one in space.
cat >rubber.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, model: neo-hookean, young: 1000, poisson: 0.49, density: 1}]
bodies: [{name: bar, mesh: {block: {from: [0, 0, 0], to: [4, 1, 1], elements: [4, 1, 1]}}, material: m, volume: point}]
conditions:
  - {on: bar.left, fix: [x]}
  - {on: bar.bottom, fix: [z]}
  - {on: bar.front, fix: [y]}
  - {on: bar.right, traction: [0.001, 0, 0], ramp: [0, 1]}
time: {method: midpoint, analysis: quasi-static, step: 1, end: 1}
output: {frames: 0, report: false}
DECK
DECK=rubber.yaml run pulled
near "$(of pulled "['volumetric_ratio']")" 0.0067114 1e-6 # 0.02 / 2.98
check $? "free tension: $(of pulled "['volumetric_ratio']")"
! grep -q lock stderr
check $? "free tension does not lock: $(cat stderr)"
bend='conditions=[{on: bar.left, fix: [x, y, z]}, {on: bar.right, traction: [0, 0, 0.001], ramp: [0, 1]}]'
DECK=rubber.yaml run bent --set "$bend"
grep -q 'body bar: .*may lock (be too stiff) at a Poisson ratio of 0.49.*volume: mean' stderr
check $? "bent: $(cat stderr)"
mpiexec --oversubscribe -n 2 "$CAROM" run rubber.yaml -o bent2 --set "$bend" >bent2.log 2>stderr
check $? "bent on two processes"
near "$(of bent2 "['volumetric_ratio']")" "$(of bent "['volumetric_ratio']")" 1e-6
check $? "bent on two processes: $(of bent2 "['volumetric_ratio']"), not $(of bent "['volumetric_ratio']")"
for other in bodies.0.integration=one-point bodies.0.mesh.block.type=T10 materials.0.poisson=0.3; do
  DECK=rubber.yaml run other --force --set "$bend" --set $other
  [ "$(of other "['volumetric_ratio']")" = null ] && ! grep -q lock stderr
  check $? "$other does not lock: $(cat stderr)"
done
check_end
