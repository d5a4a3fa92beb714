#!/bin/bash
# carom converge on problems with analytic answers: stated errors contain the true ones (how_sure.py). Those that take
# longer come with scripts/how-sure.
set -eu
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
(ulimit -t 600 && exec python3 "$CAROM_SOURCE/tests/physics/how_sure.py" "$(realpath "$CAROM")" "$CAROM_SOURCE/tests/data/sure")
