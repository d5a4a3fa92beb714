#!/usr/bin/env bash
# Contact as a user meets it: bodies in touch, stacks, bullets, edges, boxes, moving walls, overlaps.
exec python3 "$CAROM_SOURCE/tests/physics/contact_cases.py"
