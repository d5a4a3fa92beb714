#!/usr/bin/env bash
# velocity-update with friction: oblique impact, sliding to rest, blocks that must hold at rest, on slopes, on conveyors.
exec python3 "$CAROM_SOURCE/tests/physics/velocity_update_cases.py"
