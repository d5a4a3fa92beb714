#!/bin/bash
# Files that several ranks write: checkpoints are read by any number of ranks and stay whole whoever dies; frames in
# pieces show what frames in one file show, before and after a restart.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
compare="$CAROM_SOURCE/tests/parallel"
ranks() { mpiexec --oversubscribe -n "$1" "$CAROM" "${@:2}"; }
same() { # run, run, what
  python3 "$compare/compare_runs.py" "$1" "$2" >said 2>&1
  check $? "$3: $(cat said)"
}

cat >solid.yaml <<'DECK'
carom: 1
dimension: 3
materials: [{name: m, lambda: 130, shear: 43.33, density: 8.93}]
bodies:
  - {name: a, material: m, velocity: [0.05, 0.02, -0.2], mesh: {block: {from: [0, 0, 0], to: [1, 1, 1], elements: [4, 3, 3]}}}
  - {name: b, material: m, position: [0.008, 0.005, 0], mesh: {block: {from: [0, 0, -1], to: [1, 1, 0], elements: [2, 2, 2], type: T10}}}
contact: [{between: [a.bottom, b.top], friction: 0.3}]
time: {method: dissipative, step: 0.01, end: 0.12, tolerance: 1.0e-12}
output: {frames: 3, report: false, checkpoint_steps: 1, extremes: []}
DECK
cat >flat.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: m, lambda: 130, shear: 43.33, density: 8.93}]
bodies:
  - {name: disc, material: m, mesh: {disc: {center: [0, 1], radius: 1, core: 3, rings: 2}}, velocity: [0, -1]}
  - {name: ball, rigid: {disk: {radius: 0.5}, density: 5}, position: [0, 2.6], velocity: [0, -2]}
obstacles: [{name: floor, plane: {point: [0, -0.05], normal: [0, 1]}}]
contact: [{between: [disc, floor], friction: 0.2}, {between: [disc, ball]}]
time: {method: explicit, step: auto, end: 0.2}
output: {frames: 2, report: false, extremes: []}
DECK
for deck in solid flat; do
  "$CAROM" run $deck.yaml -o $deck >stdout 2>stderr
  check $? "$deck on one rank"
done

# ---- checkpoints: any number of ranks goes on after any other --------------------------------------------------

for way in "1 3" "3 1" "2 5" "5 2"; do
  read -r first second <<<"$way"
  ranks "$first" run solid.yaml -o way --force --stop-after 5 >stdout 2>stderr
  ranks "$second" resume way >stdout 2>stderr
  check $? "$first ranks, then $second"
  same solid way "$first ranks, then $second"
done

# one run in four pieces, each on another number of ranks: springs of contact, and plastic strain
sed -e 's/{name: m, lambda/{name: m, model: j2, yield: 0.5, hardening: 2, lambda/' -e 's/-0.2\]/-0.6]/' solid.yaml >plastic.yaml
"$CAROM" run plastic.yaml -o plastic >stdout 2>stderr
check $? "plastic on one rank"
awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == "plastic") c = i} END {exit !($c > 1e-6)}' plastic/history.csv
check $? "it flows"
for deck in solid plastic; do
  "$CAROM" run $deck.yaml -o way --force --stop-after 3 >stdout 2>stderr
  ranks 3 resume way --stop-after 3 >stdout 2>stderr
  ranks 2 resume way --stop-after 3 >stdout 2>stderr
  ranks 5 resume way >stdout 2>stderr
  check $? "$deck on 1, 3, 2, 5 ranks"
  same $deck way "$deck on 1, 3, 2, 5 ranks"
done

# ---- one rank dies: the run ends, and the last checkpoint is whole ---------------------------------------------

for _ in 1 2 3; do
  rm -rf dead
  ranks 3 run solid.yaml -o dead --set time.end=60 >stdout 2>stderr &
  launcher=$!
  while kill -0 $launcher 2>/dev/null && ! { [ -e dead/checkpoint.h5 ] && [ "$(wc -l <dead/history.csv)" -gt 3 ]; }; do sleep 0.05; done
  victim=$(pgrep -P $launcher | tail -n 1)
  kill -9 "$victim"
  wait $launcher
  check $(($? == 0)) "a run that has lost a rank says so"
  ranks 2 resume dead --until 0.12 >stdout 2>stderr
  check $? "goes on after the death of a rank"
  [ ! -e dead/checkpoint.h5.tmp ]
  check $? "the half-written checkpoint is replaced"
done

# ---- no room on the disk ---------------------------------------------------------------------------------------

# the limit holds for carom alone, and the ranks talk without files
ranks 2 run solid.yaml -o full --force --stop-after 3 >stdout 2>stderr
cp full/checkpoint.h5 before.h5
limit=$(($(stat -c %s before.h5) / 1024 - 8))
OMPI_MCA_btl=tcp,self mpiexec --oversubscribe -n 2 bash -c "ulimit -f $limit; exec '$CAROM' resume full" >stdout 2>stderr
check $(($? != 3)) "no room: exit code"
grep -q "checkpoint.h5: cannot be written: File too large" stderr
check $? "no room: the run says so"
cmp -s before.h5 full/checkpoint.h5
check $? "the older checkpoint is whole"

# ---- frames in pieces ------------------------------------------------------------------------------------------

for deck in solid flat; do
  for n in 1 3; do
    ranks $n run $deck.yaml -o $deck.$n --set output.pieces=each >stdout 2>stderr
    check $? "$deck in pieces on $n ranks"
    "$CAROM" picture $deck -o whole.png >stdout 2>stderr && "$CAROM" picture $deck.$n -o pieces.png >stdout 2>stderr
    check $? "$deck in pieces, $n ranks: picture"
  done
done
"$CAROM" picture solid -o whole.png >stdout 2>stderr
"$CAROM" picture solid.1 -o pieces.png >stdout 2>stderr
cmp -s whole.png pieces.png
check $? "the surface of pieces is drawn as the whole"
"$CAROM" report solid.3 >stdout 2>stderr
check $? "the page of a run in pieces"

# a run in pieces goes on in pieces, and no frame later than the checkpoint stays
ranks 3 run solid.yaml -o again --set output.pieces=each --stop-after 6 >stdout 2>stderr
touch again/fields/0002.pvtu again/fields/0002_p0.vtu again/fields/0002_p7.vtu again/fields/0002_surface.vtu
ranks 2 resume again >stdout 2>stderr
check $? "pieces: resume"
check $(($(ls again/fields/0003* | wc -l) != 4)) "pieces: two, the surface, and the file that joins them"
vtk=/usr/bin/python3
if $vtk -c "import vtk" 2>/dev/null; then
  for deck in solid flat; do
    $vtk "$compare/compare_pieces.py" $deck $deck.1 $deck.3 >said 2>&1
    check $? "$deck: $(tail -n 1 said)"
  done
  $vtk "$compare/compare_pieces.py" solid again >said 2>&1
  check $? "again: $(tail -n 1 said)"
else
  echo "SKIPPED: pieces were not opened, the Python module vtk (package python3-vtk9) is missing"
fi
"$CAROM" run solid.yaml -o again --force >stdout 2>stderr
check $(($(ls again/fields | grep -c -e _ -e pvtu) != 0)) "--force removes pieces"
check_end
