#!/usr/bin/env bash
# The table of non-matching patch tests: see patch_table.py.
set -euo pipefail
exec python3 "$CAROM_SOURCE/tests/physics/patch_table.py"
