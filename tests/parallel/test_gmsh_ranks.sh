#!/bin/bash
# Gmsh files on several ranks, which read them in chunks: results agree to 1e-9 with those of one rank, and a file with
# a mistake ends with the message that one rank gives.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
compare="$CAROM_SOURCE/tests/parallel/compare_runs.py"
ranks() { mpiexec --oversubscribe -n "$1" "$CAROM" "${@:2}"; }
cp "$CAROM_SOURCE"/tests/data/*.msh "$CAROM_SOURCE"/tests/bad/msh-*.msh .

deck() { # dimension, mesh, conditions, output
  cat <<DECK
carom: 1
dimension: $1
materials: [{name: m, lambda: 130, shear: 43.33, density: 8.93}]
bodies: [{name: b, material: m, mesh: {file: $2}}]
conditions: [$3, {gravity: $([ "$1" = 2 ] && echo "[0.3, -1]" || echo "[0.3, 0.2, -1]")}]
time: {method: midpoint, step: 0.05, end: 0.1, tolerance: 1.0e-12}
output: {frames: 1, report: false}
DECK
}
for mesh in tets-22b tets-41 tets-order2; do
  deck 3 $mesh.msh "{on: b.$(sed -n 's/^2 [0-9]* "\(.*\)"$/\1/p' tets-22.msh | head -n 1), fix: [x, y, z]}" >$mesh.yaml
done
deck 2 mixed.msh "{on: b.$(sed -n 's/^1 [0-9]* "\(.*\)"$/\1/p' mixed.msh | head -n 1), fix: [x, y]}" >mixed.yaml
sed 's/mixed.msh/mixed-q8.msh, refine: 1/' mixed.yaml >mixed-q8.yaml
for name in tets-22b tets-41 tets-order2 mixed-q8; do
  "$CAROM" run $name.yaml -o $name.1 >stdout 2>stderr
  check $? "$name on one rank: $(cat stderr)"
  for n in 2 3 5; do
    ranks $n run $name.yaml -o $name.$n >stdout 2>stderr
    check $? "$name on $n ranks: $(cat stderr)"
    python3 "$compare" $name.1 $name.$n >said 2>&1
    check $? "$name on $n ranks: $(cat said)"
  done
done

# ---- mistakes: the same message with its place, and exit code 2 -------------------------------------------------

for mesh in msh-*.msh; do
  deck 2 $mesh "{on: b, fix: [x]}" >bad.yaml
  "$CAROM" run bad.yaml -o bad --force >stdout 2>one
  code=$?
  ranks 3 run bad.yaml -o bad --force >stdout 2>three
  check $(($? != code)) "$mesh: exit code on three ranks"
  check $((code != 2 && code != 0)) "$mesh: exit code $code"
  grep "^carom" one >expected
  grep "^carom" three | cmp -s - expected
  check $? "$mesh on three ranks: $(cat three)"
done
check $((checks < 50)) "there are files with mistakes"
check_end
