#!/bin/bash
# An elastic block slides down a slope. A rigid one has the acceleration g (sin - mu cos), and the mean of the elastic
# one is the same as long as it does not vibrate. Steady sliding with friction is unstable without damping (theory
# 19.7): the test holds explicit to the bound that the manual states, and the remedy to the right answer.
set -u
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"

# The slope is 3 % steeper than the friction cone, and gravity grows to its value within 0.4 s; its integral is 0.8 s.
deck() { # friction, end
  awk -v mu="$1" -v end="$2" 'BEGIN {
    t = mu / 0.97; c = 1 / sqrt(1 + t * t); g = 9.81
    print "carom: 1\ndimension: 3"
    print "materials: [{name: m, young: 1.0e7, poisson: 0, density: 1000}]"
    print "bodies:"
    print "  - {name: block, mesh: {block: {from: [0, 0, 0], to: [0.2, 0.2, 0.1], elements: [4, 4, 2]}}, material: m}"
    print "obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]"
    print "contact: [{between: [block.bottom, floor], friction: " mu "}]"
    print "conditions:"
    printf "  - {gravity: [%.15g, %.15g, %.15g], ", 0.6 * g * t * c, 0.8 * g * t * c, -g * c
    print "table: [[0, 0], [0.1, 0.146], [0.2, 0.5], [0.3, 0.854], [0.4, 1]]}"
    print "time: {method: explicit, step: auto, end: " end "}"
    print "output: {report: false}"
  }'
}
run() { "$CAROM" run deck.yaml -o out --force "$@" >/dev/null 2>stderr; }
speed() { # of the mass centre at the end
  awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) c[$i] = i}
           END {print sqrt($c["momentum_x"]^2 + $c["momentum_y"]^2) / 4}' out/history.csv
}
exact() { # friction: speed of the rigid block at 1 s
  awk -v mu="$1" 'BEGIN {t = mu / 0.97; c = 1 / sqrt(1 + t * t); print 0.8 * 9.81 * c * (t - mu)}'
}
friction_of() { # friction: impulse of friction down the slope, over mu times the normal impulse
  awk -F, -v mu="$1" 'NR == 1 {for (i = 1; i <= NF; i++) c[$i] = i; next}
    {s -= 0.6 * $c["fx"] + 0.8 * $c["fy"]; n += $c["fz"]} END {print s / n / mu}' out/contacts.csv
}

# Little friction: vibrations grow too slowly to be seen within a second.
deck 0.1 1 >deck.yaml
run
check $? "little friction runs"
near "$(speed)" "$(exact 0.1)" 3e-5
check $? "little friction: speed $(speed), exact $(exact 0.1)"

# More friction: the block vibrates, and friction on its nodes no longer points up the slope. The manual says 4 %.
deck 0.411741 1 >deck.yaml
run
check $? "friction 0.41 runs"
near "$(friction_of 0.411741)" 0.98 0.02
check $? "friction 0.41: $(friction_of 0.411741) of Coulomb's, within 4 %"
run --set time.safety=0.2
near "$(friction_of 0.411741)" 0.98 0.02
check $? "smaller steps: $(friction_of 0.411741) of Coulomb's, within 4 %"

# The remedy: an implicit method whose steps are longer than the periods of the vibration.
run --set time.method=dissipative --set time.step=0.002
check $? "dissipative runs"
near "$(speed)" "$(exact 0.411741)" 3e-5
check $? "dissipative: speed $(speed), exact $(exact 0.411741)"

check_end
