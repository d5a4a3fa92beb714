#!/bin/bash
# A run goes on with the deck that it began with: what was changed in run.yaml since is named and refused, but for what
# changes no result. Takes the program from $CAROM and the sources from $CAROM_SOURCE.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials: [{name: r, young: 1.0e5, poisson: 0.3, density: 1000}]
bodies:
  - {name: b, mesh: {file: disc.msh}, material: r, velocity: [0.5, -1], spin: 5}
obstacles: [{name: f, plane: {point: [0, -1.01], normal: [0, 1]}}]
contact: [{between: [b, f], friction: 0.3}]
conditions: [{gravity: [0, -9.81]}]
time: {method: dissipative, step: 0.001, end: 0.02}
methods: {newmark: {step: 0.002}}
output: {frames: 4, checkpoint_steps: 7}
DECK
cp "$CAROM_SOURCE/tests/data/disc-273.msh" disc.msh
"$CAROM" run deck.yaml -o whole --set contact.0.friction=0.4 >stdout 2>stderr
check $? "the whole run"
"$CAROM" run deck.yaml -o half --set contact.0.friction=0.4 --stop-after 9 >stdout 2>stderr
check "$(($? != 130))" "half of it"

edited() { # sed's words
  rm -rf edited && cp -r half edited && sed -i "$1" edited/run.yaml
  cmp -s half/run.yaml edited/run.yaml && check 1 "nothing is edited by: $1"
}
refused() { # sed's words, the message
  edited "$1"
  find edited -type f -exec cksum {} + >before
  "$CAROM" resume edited >stdout 2>stderr
  check "$(($? != 2))" "resume after $1: exit code 2"
  check "$(($(wc -l <stderr) != 1))" "resume after $1: one line"
  grep -qE "^carom: edited/run.yaml:[0-9]+:[0-9]+: $2; restore the old value(, or| and use resume --until T, or) start a new run" stderr
  check $? "resume after $1: says \"$2\""
  find edited -type f -exec cksum {} + | cmp -s - before
  check $? "resume after $1: nothing is written"
}
refused 's/young: .*/young: 5/' 'materials.0.young: the value is 5, but was 1.*e\+?0?5 when the run began'
refused 's/-9.81/-1/' 'conditions.0.gravity.1: the value is -1, but was -9.81 when the run began'
refused 's/friction: 0.4/friction: 0.3/' 'contact.0.friction: the value is 0.3, but was 0.4 when the run began'
refused 's/model: .*/model: neo-hookean/' 'materials.0.model: the value is neo-hookean, but was saint-venant-kirchhoff when the run began'
refused 's/end: .*/end: 1/' 'time.end: the value is 1, but was 0.02 when the run began'
refused 's/frames: .*/frames: 8/' 'output.frames: the value is 8, but was 4 when the run began'
refused 's/tolerance: .*/tolerance: 1.0e-8/' 'time.tolerance: the value is 1.0e-8, but was 1.*e-11 when the run began'
refused 's/every: .*/every: 2/' 'output.every: the value is 2, but was 1 when the run began'
refused '/^conditions:/a\  - gravity: [1, 0]' 'conditions.0.gravity.0: the value is 1, but was 0 when the run began'
refused 's/^methods:.*/methods: {}/; /^  newmark:/d; /^    step: 0.002/d' 'methods: "newmark" is missing; when the run began its value was a mapping'

# what changes no result may change, and the run ends as if nothing had been
edited 's/checkpoint_steps: .*/checkpoint_steps: 3/; s/report: .*/report: false/'
sed -i '1i title: another' edited/run.yaml
sed -i '/^title: .*""/d; s/^carom:/audit: {balance_relative: 1}\ncarom:/' edited/run.yaml
mkdir elsewhere && mv disc.msh elsewhere && sed -i "s|$WORK/disc.msh|$WORK/elsewhere/disc.msh|" edited/run.yaml
"$CAROM" resume edited >stdout 2>stderr
check $? "title, limits, checkpoints, report and the place of a mesh may change"
for file in history bodies contacts; do
  cmp -s whole/$file.csv edited/$file.csv
  check $? "$file.csv is that of a run without a stop"
done
[ ! -e edited/report.html ]
check $? "and the change counts"

# comments, spelling and order are no change; another mesh under the same name is
rm -rf edited && cp -r half edited
sed -i 's/young: .*/young: 100000.0 # as before/' edited/run.yaml
mv elsewhere/disc.msh .
"$CAROM" resume edited >stdout 2>stderr
check $? "another spelling"
rm -rf edited && cp -r half edited
awk '/^\$Nodes/ { n = 1 } n && /^1 / { $2 += 1e-9; n = 0 } { print }' disc.msh >other.msh && mv other.msh disc.msh
"$CAROM" resume edited >stdout 2>stderr
check "$(($? != 2))" "another mesh: exit code 2"
grep -q "checkpoint.h5: this checkpoint belongs to another mesh" stderr
check $? "another mesh: says so"

check_end
