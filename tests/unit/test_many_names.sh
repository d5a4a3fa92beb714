#!/bin/bash
# Decks with thousands of names. What grew with the square or the cube of their number took minutes to hours here and now takes
# a second or two: the limit of processor time only says "not at all".
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
ulimit -t 40

frame='carom: 1
dimension: 2
materials: [{name: r, young: 100, poisson: 0.3, density: 1}]'
names() { # how many, text with @ for the number and # for the next one
  seq 0 $(($1 - 1)) | awk -v text="$2" '{line = text; gsub("@", $1, line); gsub("#", $1 + 1, line); print line}'
}
passes() { # deck, what
  "$CAROM" check "$1" >stdout 2>stderr
  check $? "$2"
}

{
  echo "$frame"
  echo 'bodies: [{name: b, mesh: {block: {from: [0, 0], to: [1, 1], elements: [1, 1]}}, material: r}]'
  echo 'time: {method: explicit, step: 0.001, end: 0.002}'
  echo 'output:'
  echo '  probes:'
  names 40000 '    - {name: p@, at: [0, 0], body: b}'
} >probes.yaml
passes probes.yaml "40 000 probes"

{
  echo "$frame"
  echo 'bodies:'
  names 8000 '  - {name: b@, mesh: {block: {from: [0, @], to: [1, @.9], elements: [1, 1]}}, material: r}'
  echo 'contact:'
  names 7999 '  - {between: [b@, b#]}'
  echo 'conditions:'
  names 8000 '  - {on: b@.left, fix: [x]}'
  echo 'time: {method: explicit, step: 0.001, end: 0.002}'
} >meshes.yaml
passes meshes.yaml "8000 bodies with a mesh, each in contact with the next"

rigid='  - {name: b@, rigid: {disk: {radius: 0.4}, density: 1}, position: [@, 0]}'
{
  printf 'carom: 1\ndimension: 2\nbodies:\n'
  names 4000 "$rigid"
  echo 'contact:'
  names 3999 '  - {between: [b@, b#], friction: 0.1}'
  echo 'time: {method: efda, step: 0.001, end: 0.002}'
} >chain.yaml
passes chain.yaml "4000 rigid bodies, each in contact with the next"

{
  printf 'carom: 1\ndimension: 2\nbodies:\n'
  names 1000 "$rigid"
  echo 'contact: [{default: {friction: 0.1}}]'
  echo 'time: {method: efda, step: 0.001, end: 0.002}'
  echo 'output: {frames: 0, report: false}'
} >all.yaml
"$CAROM" run all.yaml >stdout 2>stderr
check $? "1000 rigid bodies, each of which may meet each other"

# Names still clash where they did.
sed 's/name: p39999/name: p17/' probes.yaml >bad.yaml
"$CAROM" check bad.yaml >stdout 2>stderr
check $((1 - ($? == 2))) "a probe's name twice"
grep -q 'another probe has the name "p17"' stderr
check $? "the probe is named"
sed 's/name: b3999,/name: b17,/' chain.yaml >bad.yaml
"$CAROM" check bad.yaml >stdout 2>stderr
check $((1 - ($? == 2))) "a body's name twice"
grep -q 'another body is called "b17" already' stderr
check $? "the body is named"
sed 's/between: \[b3998, b3999\]/between: [b1, b0]/' chain.yaml >bad.yaml
"$CAROM" check bad.yaml >stdout 2>stderr
check $((1 - ($? == 2))) "a pair twice, the other way round"
grep -q 'already has these two sides' stderr
check $? "the pair is refused"
check_end
