#!/usr/bin/env bash
# A rotated model has rotated results: see turned_frames.py.
set -euo pipefail
exec python3 "$CAROM_SOURCE/tests/physics/turned_frames.py"
