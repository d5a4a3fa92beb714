#!/usr/bin/env bash
# Corners, edges, grooves and ramps under explicit contact, against another program on the same data.
exec python3 "$CAROM_SOURCE/tests/physics/feature_cases.py"
