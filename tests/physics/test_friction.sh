#!/bin/bash
# The stored friction problems: every one is solved to eps 1e-8 (and 1e-12) within three times the usual number of
# iterations, which are chaotic and differ between compilers; the plain solvers take the sweeps that the
# originating library takes. Files with a mistake are refused with one line and exit code 2.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
DATA=$CAROM_SOURCE/tests/data/friction
value() { sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p" json; }
friction() { cpu "${CPU:-600}" "$CAROM" friction "$@" >json 2>stderr; }

# ---- all problems ---------------------------------------------------------------------------------

# file, dimension, contacts, bound on iterations at 1e-8: about three times what is usual
while read -r file dimension contacts most; do
  for tolerance in 1e-8 1e-12; do
    friction "$DATA/$file" --json --tolerance $tolerance
    check $? "$file is solved to $tolerance"
    below "$(value error)" $tolerance
    check $? "$file: error $(value error), bound $tolerance"
    below "$(value error_scaled)" 1e-4
    check $? "$file: scaled error $(value error_scaled), bound 1e-4"
  done
  CPU=10 friction "$DATA/$file" --json # a tenth of a second is usual
  check $? "$file is solved within ten seconds"
  below "$(value iterations)" "$most"
  check $? "$file: $(value iterations) iterations, bound $most"
  [ "$(value contacts) $(value dimension) $(value solver)" = "$contacts $dimension \"hybrid\"" ]
  check $? "$file: contacts, dimension, solver"
done <<'LIST'
Box_Stacks-i0122-82-5.hdf5 3 82 60
BoxesStack1-i100000-32.hdf5.dat 3 52 1000
Capsules-i100-889.dat 3 276 400
Confeti-ex03-Fc3D-SBM.dat 3 54 60
FC2D_SliderCrankLagrangian00000.dat 2 2 40
FrictionContact3D_RR_1c.dat 3 1 3
FrictionContactProblem00071.dat 2 89 70
FrictionContactProblem00237.dat 2 376 200
NESpheres_10_1.dat 3 9 40
OneObject-i1028-138.hdf5.dat 3 23 220
Rover1039.dat 3 4 40
gfc2d_granularflowonwall_00069_00350.dat 2 69 50
LIST

# ---- plain sweeps: as many as the originating library needs, within 10 % (and one or two) ----------

while read -r file sweeps; do
  friction "$DATA/$file" --json --solver gauss-seidel
  check $? "$file is solved by plain sweeps"
  n=$(value iterations)
  awk -v n="$n" -v s="$sweeps" 'BEGIN {d = n - s; d = d < 0 ? -d : d; exit !(d <= 0.1 * s + 2)}'
  check $? "$file: $n plain sweeps, published $sweeps"
  friction "$DATA/$file" --json --solver projection
  check $? "$file is solved by projections"
done <<'LIST'
FrictionContact3D_RR_1c.dat 1
Rover1039.dat 14
NESpheres_10_1.dat 19
OneObject-i1028-138.hdf5.dat 954
Confeti-ex03-Fc3D-SBM.dat 31
Box_Stacks-i0122-82-5.hdf5 32
Capsules-i100-889.dat 3310
FC2D_SliderCrankLagrangian00000.dat 367
gfc2d_granularflowonwall_00069_00350.dat 18
FrictionContactProblem00071.dat 66
FrictionContactProblem00237.dat 343
LIST

# A stack of boxes is too much for plain sweeps: that is a result, exit code 1, and the best is printed.
friction "$DATA/BoxesStack1-i100000-32.hdf5.dat" --json --solver gauss-seidel
check "$(($? != 1))" "plain sweeps stall on the stack: exit code 1"
grep -q 'carom: warning: not solved: the error ' stderr
check $? "and it says so"

# ---- one problem in all text storages -------------------------------------------------------------

# the answers themselves are checked in tests/unit/test_cone_read.c
printf '2 1  0 2 2  2 2  2 0 1 3  -1 5  0.1\n' >dense.dat
printf '2 1  1 2 2  1 1 1  2  2  2 1  0 1  0  0  2 0 1 3  -1 5  0.1 1\n' >blocks.dat
printf '2 1\n2 2 2\n1\nbanner\ntriplet: 2-by-2, nzmax: 3 nnz: 3\n0 0 : 2\n0 1 : 1\n1 1 : 3\n-1 5\n0.1\n' >triplets.dat
printf '2 1\n2 2 2\n2\nbanner\n2-by-2, nzmax: 3 nnz: 3, 1-norm: 4\ncol 0 : locations 0 to 0\n0 : 2\ncol 1 : locations 1 to 2\n0 : 1\n1 : 3\n-1 5\n0.1\n' >columns.dat
# M = W^-1, H = I, f = 0
printf '2 1  0 2 2 2 2  0.5 0 -0.16666666666666666 0.33333333333333331  0 2 2 2 2  1 0 0 1  0 0  -1 5  0.1\n' >global.dat
# q that looks like the head of a matrix
printf '2 1  0 2 2  2 2  2 0 1 3  0 2  2\n' >looks-global.dat
for file in dense blocks triplets columns global; do
  friction $file.dat --json --tolerance 1e-14 && mv json $file.json
  check $? "$file.dat is solved"
done
for file in blocks triplets columns; do
  [ "$(sed 's/"seconds": [^,]*//' $file.json)" = "$(sed 's/"seconds": [^,]*//' dense.json)" ]
  check $? "$file.dat is the same problem as dense.dat"
done
friction looks-global.dat --json
check $? "a local problem whose q looks like a matrix"
printf '3 0  0 0 0  0 0\n' >none.dat
friction none.dat --json
check $? "no contact is no problem"
[ "$(value contacts)" = 0 ] && [ "$(value iterations)" = 0 ]
check $? "no contact, no iteration"

# ---- bad files ------------------------------------------------------------------------------------

refused() { # part of the message, arguments
  local text=$1 code
  shift
  friction "$@"
  code=$?
  check "$((code != 2))" "friction $*: exit code $code, expected 2"
  check "$(($(wc -l <stderr) != 1))" "friction $*: one line on standard error"
  grep -qF -- "$text" stderr
  check $? "friction $*: expected \"$text\""
  check "$(wc -c <json)" "friction $*: nothing on standard output"
}
bad() { # text of the file, part of the message
  printf '%b' "$1" >bad.dat
  refused "$2" bad.dat
  grep -q '^carom: bad.dat:' stderr
  check $? "$2: the line names the file"
}
bad '' '1:1: the file ends where a dimension, 2 or 3 should be'
bad '4 1' '1:1: expected a dimension, 2 or 3, found "4"'
bad $'\001\377x' '1:1: expected a dimension, 2 or 3, found "??x"'
bad 'hello' '1:1: expected a dimension, 2 or 3, found "hello"'
bad '2 -1' '1:3: expected the number of contacts, found "-1"'
bad '2 99999999 0 2 2' '1:3: expected the number of contacts'
bad '2 1\n7 2 2' '2:1: expected a storage of a matrix (0 dense, 1 blocks, 2 sparse), found "7"'
bad '2 1 0 2 2 2 2 2 0 1' '1:20: the file ends where an entry of a dense matrix should be'
bad '2 1 0 2 2 2 2 2 0 1 x' '1:21: expected an entry of a dense matrix, found "x"'
bad '2 1 0 2 2 2 2 2 0 1 nan -1 5 0.1' '1:21: expected an entry of a dense matrix, found "nan"'
bad '2 1 0 2 2 3 3 2 0 1 3 -1 5 0.1' '1:11: expected the number of rows again, found "3"'
bad '2 1 0 2 2 2 2 2 0 1 3 -1' 'the file ends where a number of q should be'
bad '2 1 0 2 2 2 2 2 0 1 3 -1 5' 'the file ends where a coefficient of friction should be'
bad '2 1 0 2 2 2 2 2 0 1 3 -1 5 -0.1' ' the friction coefficient of contact 0 is -0.1, but must not be negative'
bad '2 1 0 2 2 2 2 2 0 1 3 -1 5 0.1 1 2 3' 'expected the end of the file, found "2"'
bad '2 1 0 3 2 3 2 1 2 3 4 5 6 -1 5 0.1' ' the matrix is 3 by 2, expected 3 by 3'
bad '2 1  1 2 2  1 1 1  2  2  2 1  0 1  4  0  2 0 1 3  -1 5  0.1' 'expected a block column, found "4"'
bad '2 1  1 2 2  1 1 1  2  3  2 1  0 1  0  0  2 0 1 3  -1 5  0.1' 'expected an ascending size of block rows or columns, found "3"'
bad '2 1  1 2 2  1 1 1  2  2  2 1  0 1  0  5  2 0 1 3  -1 5  0.1' 'expected the number of the next block, found "5"'
bad '2 1\n2 2 2\n1\nbanner\ntriplet: no count\n0 0 : 2' 'expected a line with "nnz: " and a number'
bad '2 1\n2 2 2\n1\nb\ntriplet: nnz: 3\n0 0 : 2\n0 2 : 1\n' '7:3: expected the column of an entry, found "2"'
bad '2 1\n2 2 2\n2\nb\nnnz: 2\ncol 0 : locations 0 to 0\n0 : 2\ncol 2 : ' '8:5: expected the number of the next column, found "2"'
bad '2 1 0 2 2 2 2 0 0 0 1  0 2 2 2 2  1 0 0 1  0 0  -1 5  0.1' ' M is singular'
bad '2 1 0 2 2 2 2 1 0 0 1  0 3 2 3 2  1 0 0 1 0 0 0 0 0  -1 5  0.1' 'expected the end of the file'
refused 'nothing.dat: cannot be read: No such file or directory' nothing.dat
mkdir folder && refused 'folder: cannot be read: Is a directory' folder
head -c 4000 "$DATA/Capsules-i100-889.dat" >cut.dat && refused 'cut.dat:' cut.dat
head -c 20000 "$DATA/Box_Stacks-i0122-82-5.hdf5" >cut.hdf5 && refused 'cut.hdf5: is a truncated or damaged HDF5 file' cut.hdf5
head -c 4000 /dev/urandom | tr -d '0-9' >noise.dat && refused 'noise.dat:' noise.dat
refused '--solver: unknown "hybird"; did you mean "hybrid"?' dense.dat --solver hybird
refused '--tolerance 0: expected a number greater than 0' dense.dat --tolerance 0
refused "usage: $CAROM friction FILE"

check_end
