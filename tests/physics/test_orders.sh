#!/bin/bash
# The orders at which methods converge are those that the manual says (orders.py).
set -eu
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
(ulimit -t 900 && exec python3 "$CAROM_SOURCE/tests/physics/orders.py" "$(realpath "$CAROM")" "$CAROM_SOURCE/tests/data/sure" "$CAROM_SOURCE/docs/manual.md")
