#!/bin/bash
# The Python module: tests/python/*.py, each with the library of this build.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
python=/usr/bin/python3 # where Debian's NumPy is
$python -c 'import numpy' 2>stderr || { echo "NumPy is not there"; exit 77; }
export PYTHONPATH=$CAROM_SOURCE/python CAROM_LIBRARY=$(dirname "$CAROM")/libcarom.so PYTHONDONTWRITEBYTECODE=1
if grep -q 'CAROM_SANITIZE:BOOL=ON' "$(dirname "$CAROM")/CMakeCache.txt"; then
  LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)"
  export LD_PRELOAD
fi
for file in "$CAROM_SOURCE"/tests/python/test_*.py; do
  $python "$file" >stdout 2>stderr
  check $? "$(basename "$file"): $(grep -E '^(FAIL|ERROR|[A-Za-z]*Error)' stderr | head -5 | tr '\n' ' ')"
  tail -3 stderr | grep -E '^(Ran|OK|FAILED)'
done
check_end
