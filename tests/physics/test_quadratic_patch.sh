#!/usr/bin/env bash
# Non-matching patch tests of quadratic elements: see quadratic_patch.py.
set -euo pipefail
exec python3 "$CAROM_SOURCE/tests/physics/quadratic_patch.py"
