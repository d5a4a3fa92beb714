#!/usr/bin/env bash
# Random deformable convex bodies thrown at each other: nothing passes unseen, in the plane and in space.
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
throw() { python3 "$CAROM_SOURCE/tests/physics/throws.py" "$CAROM" "$work" "$@" || failed=1; }
throw dissipative 2 0 6
throw dissipative 2 9 10 swapped
throw dissipative 2 13 14
throw dissipative 3 0 5
throw dissipative 3 11 12 swapped
throw dissipative 3 14 15
throw dissipative 3 20 21
throw bipotential 2 0 9
throw bipotential 3 0 4
throw bipotential 3 5 6
throw bipotential 3 17 18
throw explicit 2 0 6
throw explicit 2 9 10 # a corner slides around a corner
throw explicit 3 0 6
throw midpoint 2 0 2
throw newmark 3 0 1
throw velocity-update 2 0 2
throw velocity-update 3 0 1
exit $failed
