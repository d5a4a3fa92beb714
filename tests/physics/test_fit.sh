#!/bin/bash
# Interference fit of two rings (overlap: resolve) against Lame's press fit, plane strain: however the rings are turned
# against each other and divided, it is the overlap of the curves that is pushed out.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

cat >deck.yaml <<'DECK'
carom: 1
dimension: 2
materials:
  - {name: s, model: linear, young: 2.1e5, poisson: 0.3, density: 1}
  - {name: b, model: linear, young: 1.05e5, poisson: 0.34, density: 1}
bodies:
  - {name: in, mesh: {ring: {center: [0, 0], radius: 50.02, thickness: 20.02, around: 96, across: 8}}, material: s}
  - {name: out, mesh: {ring: {center: [0, 0], radius: 70, thickness: 20, around: 96, across: 8}}, angle: 0, material: b}
contact:
  - {between: [in.outer, out.inner], overlap: resolve, ramp: [0, 1]}
conditions:
  - {on: in, at: [30, 0], fix: [y]}
  - {on: in, at: [-30, 0], fix: [y]}
  - {on: in, at: [0, 30], fix: [x]}
  - {on: in, at: [0, -30], fix: [x]}
  - {on: out, at: [70, 0], fix: [y]}
  - {on: out, at: [-70, 0], fix: [y]}
time: {method: newmark, analysis: quasi-static, steps: [[0.25, 5]]}
output: {frames: 0, report: false, probes: [{name: seat, surface: in.outer}]}
DECK
# radii 30, 50, 70, radial interference 0.02; moduli and ratios of plane strain
lame=$(awk 'function side(E, nu, ratio, sign,   e, n) {e = E / (1 - nu^2); n = nu / (1 - nu); return (ratio + sign * n) / e}
  BEGIN {print 0.02 / 50 / (side(2.1e5, 0.3, (50^2 + 30^2) / (50^2 - 30^2), -1) + side(1.05e5, 0.34, (70^2 + 50^2) / (70^2 - 50^2), 1))}')
pressure() { awk -F, '$2 ~ /^seat/ {if ($1 != t) {t = $1; n = s = 0} n++; s += $17} END {print s / n}' out/probes.csv; }
fits() { # tolerance, what, arguments of the program
  local tolerance=$1 what=$2
  shift 2
  cpu 600 "$CAROM" run deck.yaml -o out --force "$@" >stdout 2>stderr
  check $? "$what: exit code"
  near "$(awk -v p="$(pressure)" -v q="$lame" 'BEGIN {print p / q}')" 1 "$tolerance"
  check $? "$what: pressure $(pressure), Lame $lame"
}
near "$lame" 10.62 0.01
check $? "Lame's pressure is $lame"
fits 0.01 "side on side"
[ ! -s stderr ]
check $? "side on side: a warning"
for method in newmark dissipative midpoint bipotential; do
  fits 0.01 "turned by a third of a side, $method" --set bodies.1.angle=1.3 --set time.method=$method
  grep -q 'meshes of its two surfaces differ' stderr
  check $? "turned by a third of a side, $method: no word about it"
done
fits 0.01 "turned by half a side" --set bodies.1.angle=1.875
fits 0.01 "turned by a tenth of a side" --set bodies.1.angle=0.375
fits 0.01 "hardly turned" --set bodies.1.angle=0.1
# pressures are those of the slaves, which the order of names decides only with `sides: first`
fits 0.01 "the outer ring first" --set bodies.1.angle=1.3 --set 'contact.0.between=[out.inner, in.outer]' --set contact.0.sides=first \
  --set 'output.probes=[{name: seat, surface: out.inner}]'
# Facets that overlap at the start must end apart from each other, because the curve of the master is above its facets.
lame=$(awk -v p="$lame" 'BEGIN {print 5 * p}')
for method in dissipative bipotential; do
  fits 0.015 "the outer ring first, deeper than its facets, $method" --set bodies.1.angle=1.875 --set time.method=$method \
    --set bodies.0.mesh.ring.radius=50.1 --set bodies.0.mesh.ring.thickness=20.1 \
    --set 'contact.0.between=[out.inner, in.outer]' --set contact.0.sides=first \
    --set 'output.probes=[{name: seat, surface: out.inner}]'
done
lame=$(awk -v p="$lame" 'BEGIN {print p / 5}')
fits 0.01 "48 in 96 sides" --set bodies.1.angle=1.3 --set bodies.0.mesh.ring.around=48 --set contact.0.sides=first
fits 0.01 "48 in 96 sides, the finer ring has the slaves" --set bodies.1.angle=1.3 --set bodies.0.mesh.ring.around=48 \
  --set 'output.probes=[{name: seat, surface: out.inner}]'
check_end
