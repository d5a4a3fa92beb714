#!/usr/bin/env bash
# Sharp edges and corners of a fine, stiff body on a coarse, soft one: see sharp_tips.py.
set -euo pipefail
exec python3 "$CAROM_SOURCE/tests/physics/sharp_tips.py"
