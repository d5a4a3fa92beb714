#!/usr/bin/env bash
# The order of bodies in a deck does not matter: examples of contact with their bodies swapped, under every method.
set -euo pipefail
swap() { python3 "$CAROM_SOURCE/scripts/swap-bodies" "$CAROM" "$@"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$CAROM_SOURCE"/examples/{free-corners,crossed-bars,corner-on-ramp,contact-patch,two-blocks,sliding-blocks,friction-blocks} \
  "$CAROM_SOURCE"/examples/{stiff-block,bar-rebound,tube,interference-fit,rigid-partners,rigid-points,bars,pyramid,pendulum} "$work"
cd "$work"
bad=0
swap free-corners/deck*.yaml crossed-bars/deck.yaml --method dissipative --method midpoint --method newmark \
  --method velocity-update --method bipotential > log || bad=1
swap free-corners/deck*.yaml --method explicit --set bodies.0.mass=lumped --set bodies.1.mass=lumped --set time.step=auto >> log || bad=1
swap corner-on-ramp/deck.yaml contact-patch/deck-flat.yaml --method dissipative --method bipotential >> log || bad=1
# decks of other kinds, under their own methods; those that name `sides: first` in the complete form
swap {two,sliding}-blocks/deck.yaml --set contact.0.sides=auto >> log || bad=1
swap {friction-blocks,stiff-block,bar-rebound}/deck.yaml --set contact.0.sides=auto --set time.impulse_friction=coulomb >> log || bad=1
swap tube/rods.yaml rigid-partners/deck{,-box}.yaml rigid-points/deck{,-block,-small}.yaml bars/deck.yaml pyramid/stack.yaml \
  pendulum/deck.yaml >> log || bad=1
# swapped names under `between`, where nodes of one side only are slaves
swap {two-blocks,interference-fit}/deck.yaml --between --steps 8 >> log || bad=1
cat log
[ "$(grep -c "momenta" log)" -ge 60 ] || { echo "too few runs"; bad=1; }
exit $bad
