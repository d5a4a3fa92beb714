#!/bin/bash
# The installed tree: a C program of the user's own is compiled against it with pkg-config and with CMake, and runs;
# libcarom.so shows nothing but carom.h; the installed program and module find what they need.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
build=$(dirname "$CAROM")
prefix=$WORK/prefix
cmake --install "$build" --prefix "$prefix" >install.log 2>&1
check $? "cmake --install: $(tail -1 install.log)"
library=$(find "$prefix" -name 'libcarom.so' | head -1)
lib=$(dirname "${library:-$prefix}")
export PKG_CONFIG_PATH=$lib/pkgconfig LD_LIBRARY_PATH=$lib
unset CAROM_LIBRARY OMPI_MCA_ess_singleton_isolated

nm -D --defined-only "$library" | awk '$2 ~ /[TDB]/ {print $3}' | grep -v '^carom_\|^CrMain$\|^_' >others
check "$([ ! -s others ]; echo $?)" "libcarom.so shows more than its header: $(head -3 others | tr '\n' ' ')"
for name in $(grep -o 'carom_[a-z_]*(' "$CAROM_SOURCE/include/carom.h" | tr -d '(' | sort -u); do
  nm -D --defined-only "$library" | grep -qw "$name"
  check $? "carom.h declares $name, which the library has not got"
done

deck=$CAROM_SOURCE/examples/two-cylinders/deck.yaml
sets="--set time.steps=[[0.5,1],[0.05,40]]"
sanitize=$(grep -q 'CAROM_SANITIZE:BOOL=ON' "$build/CMakeCache.txt" && echo -fsanitize=address,undefined)
# shellcheck disable=SC2046,SC2086
cc -std=c99 -Wall -Wextra -Werror -pedantic $sanitize "$CAROM_SOURCE/examples/library/impact.c" $(pkg-config --cflags --libs carom) -o impact 2>cc.log
check $? "the example compiles with pkg-config: $(head -2 cc.log)"
"$CAROM" run "$deck" $sets -o out --force --set output.frames=0 --set output.report=false >stdout 2>stderr
python3 - <<'P' >deck.yaml
import re, os
text = open(os.environ["CAROM_SOURCE"] + "/examples/two-cylinders/deck.yaml").read()
print(re.sub(r"steps: .*", "steps: [[0.5, 1], [0.05, 40]]", text))
P
./impact deck.yaml >said 2>stderr
check $? "the example runs: $(head -1 stderr)"
loss=$(sed -n 's/.*friction loss \([^,]*\),.*/\1/p' said)
near "$loss" "$(tail -1 out/history.csv | cut -d, -f10)" 1e-9
check $? "the library and the command line lose the same: $loss"
./impact nothing.yaml >said 2>stderr
check "$([ $? = 1 ] && grep -q 'nothing.yaml: cannot be read' stderr; echo $?)" "a missing deck is an error with its reason: $(cat stderr)"
[ -z "$sanitize" ] || { check_end ", without CMake and Python under sanitizers"; exit; }

mkdir project && cat >project/CMakeLists.txt <<P
cmake_minimum_required(VERSION 3.20)
project(user C)
find_package(carom REQUIRED)
add_executable(impact $CAROM_SOURCE/examples/library/impact.c)
target_link_libraries(impact carom::carom)
P
cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$prefix" >cmake.log 2>&1 && cmake --build project/build >>cmake.log 2>&1
check $? "find_package(carom): $(tail -2 cmake.log)"
project/build/impact deck.yaml >again 2>stderr
check $? "the program that CMake built runs"

"$prefix/bin/carom" methods >methods 2>stderr
check $? "the installed program runs"
module=$(find "$prefix" -path '*dist-packages' -type d | head -1)
PATH=$prefix/bin:$PATH PYTHONPATH=$module /usr/bin/python3 - <<'P' 2>stderr
import carom
with carom.Simulation("deck.yaml") as sim:
    assert sim.step() and sim.bodies == ["left", "right"]
P
check $? "the installed module runs"
check_end
