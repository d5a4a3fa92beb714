#!/usr/bin/env bash
# A few contact examples, which have all kinds of passes, on 1, 2 and 3 ranks: every number of every table agrees to
# 1e-9 of its column's scale. tests/parallel/every_example.py without --short runs all examples under all methods.
set -euo pipefail
python3 "$CAROM_SOURCE/tests/parallel/every_example.py" --program "$CAROM" --short --ranks 1,2,3
