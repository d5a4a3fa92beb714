#!/bin/bash
# Corners, edges, grooves and ramps under bipotential: see bipotential_features.py.
set -u
exec python3 "${CAROM_SOURCE:?the source folder}/tests/physics/bipotential_features.py"
