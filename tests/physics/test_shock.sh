#!/bin/bash
# Bulk viscosity of explicit: a shock in a column against the jump conditions, books, meshes, ranks, restarts.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
python3 "$CAROM_SOURCE/tests/physics/shock.py" "$CAROM"
check $? "shock.py"
check_end
