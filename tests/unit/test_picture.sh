#!/bin/bash
# carom picture and carom plot: colours, sizes and curves are those of the run; mistakes are answered.
set -eu
CAROM=$(realpath "${CAROM:?the program}")
CHECK=$(realpath "${CAROM_SOURCE:?the source folder}")/tests/unit/check_picture.py
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK"

# a stiff block that spins: the speed grows linearly from its middle
cat >spin.yaml <<'DECK'
carom: 1
title: A & B <spin>
dimension: 2
materials: [{name: m, model: neo-hookean, young: 1.0e9, poisson: 0.3, density: 1}]
bodies:
  - {name: b, mesh: {block: {from: [-2, -1], to: [2, 1], elements: [8, 4]}}, material: m, spin: 3}
time: {method: midpoint, step: 0.01, end: 0.05}
output: {frames: 5}
DECK
# the same in space above a floor
cat >box.yaml <<'DECK'
carom: 1
title: Box
dimension: 3
materials: [{name: m, young: 1.0e4, poisson: 0.3, density: 1}]
bodies:
  - {name: b, mesh: {block: {from: [0, 0, 0.1], to: [2, 1, 1.1], elements: [4, 2, 2]}}, material: m, velocity: [0, 0, -1]}
obstacles:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
contact:
  - {between: [b.bottom, floor], friction: 0.3}
time: {method: dissipative, step: 0.02, end: 0.16}
output: {frames: 4}
DECK
"$CAROM" run spin.yaml >/dev/null
"$CAROM" run box.yaml >/dev/null

"$CAROM" picture spin.out -o spin.png --frame 0 --field velocity --size 400x300 --plain --no-mesh >/dev/null
"$CAROM" picture spin.out >/dev/null                  # its default name and size
"$CAROM" picture box.out -o front.png --field none --view front --size 300x240 --plain >/dev/null
"$CAROM" picture box.out -o top.png --field none --view top --size 300x240 --plain >/dev/null
for field in displacement velocity von-mises pressure status; do
  "$CAROM" picture box.out -o "box-$field.png" --field $field --frame 3 --size 240 --view 20,-10 --range run --whole >/dev/null
done
for kind in svg pdf; do # lines and areas in place of pixels; several frames
  "$CAROM" picture spin.out -o spin.$kind --frame 0 --field velocity >/dev/null
  "$CAROM" picture spin.out -o panels.$kind --frame 0,2,-1 --field velocity >/dev/null
done
"$CAROM" picture spin.out -o many.png --panels 4 --size 640 >/dev/null
"$CAROM" picture box.out -o bodies.png --panels 9 --field none --size 640 >/dev/null # as many frames as there are
# rigid bodies alone: a colour for each, no scale of a stress that there is not
cat >stones.yaml <<'DECK'
carom: 1
title: Stones
dimension: 3
bodies:
  - {name: stone, rigid: {box: {size: [0.2, 0.2, 0.2]}, mass: 1}, position: [0.2, 0.2, 0.2], repeat: {counts: [2, 1, 1], spacing: [0.4, 0.4, 0.4]}}
obstacles: [{name: bin, box: {from: [0, 0, 0], to: [0.8, 0.4, 3]}}]
contact: [{default: {friction: 0.3}}]
time: {method: efda, step: 0.01, end: 0.02}
output: {frames: 1, report: false}
DECK
"$CAROM" run stones.yaml >/dev/null
"$CAROM" picture stones.out -o stones.png --size 400x300 >/dev/null
"$CAROM" picture stones.out -o stones-none.png --field none --size 400x300 >/dev/null
"$CAROM" picture stones.out -o stones-velocity.png --field velocity --size 400x300 >/dev/null
cmp -s stones.png stones-none.png && ! cmp -s stones.png stones-velocity.png || { echo "FAILED: rigid bodies alone get a colour each"; exit 1; }
"$CAROM" plot spin.out -o curves >/dev/null
"$CAROM" plot box.out >/dev/null

# a long run with one peak in one row, and a table with two columns only
mkdir long short empty
cp spin.out/run.yaml long; cp spin.out/run.yaml short; cp spin.out/run.yaml empty
python3 - <<'PY'
with open("long/history.csv", "w") as f:
    f.write("time,kinetic,iterations\n")
    for k in range(200001):
        f.write(f"{k * 1e-5},{7.5 if k == 123457 else 1.0},{'nan' if k == 10 else 3}\n")
open("short/history.csv", "w").write("time,kinetic\n0,1\n")
PY
"$CAROM" plot long >/dev/null
"$CAROM" plot short >/dev/null
python3 "$CHECK"

refuse() { # code, words of the message, command...
  local code=$1 words=$2 got=0
  shift 2
  "$CAROM" "$@" >out 2>err || got=$?
  [ $got = "$code" ] && grep -qF -- "$words" err || { echo "FAILED: $*: exit $got, $(cat err)"; exit 1; }
}
refuse 2 "contains no run" picture nowhere
refuse 2 "has no frames" picture short
refuse 2 "6 frames, 0 to 5" picture spin.out --frame 6
refuse 2 "6 frames, 0 to 5" picture spin.out --frame -7
refuse 2 'did you mean "velocity"' picture spin.out --field velocty
refuse 2 "do not contain this field" picture spin.out --field pressure
refuse 2 "from the front only" picture spin.out --view top
refuse 2 "AZIMUTH,ELEVATION" picture box.out --view sideways
refuse 2 "from 64 to" picture box.out --size 10
refuse 2 "name the file .png" picture box.out -o box.svg
refuse 2 ".png, .svg or .pdf" picture spin.out -o spin.gif
refuse 2 "several whole numbers separated by commas" picture spin.out --frame 1,,2
refuse 2 "at most 16" picture spin.out --frame 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
refuse 2 "cannot be given together" picture spin.out --frame 1 --panels 2
refuse 2 "from 1 to 16" picture spin.out --panels 17
refuse 2 "MIN,MAX" picture box.out --range 3,1
refuse 3 "cannot be created" picture box.out -o nowhere/x.png
refuse 2 "has no file history.csv" plot empty
refuse 2 "contains no run" plot nowhere
printf 'garbage' >spin.out/fields/0002.vtu
refuse 2 "not a field file" picture spin.out --frame 2
[ -z "$(find . -name '*.tmp')" ] || { echo "FAILED: something half-written is left"; exit 1; }
echo "pictures and plots are right"
