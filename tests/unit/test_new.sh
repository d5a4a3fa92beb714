#!/bin/bash
# carom new: a deck that runs, from the template and from every example with its meshes; nothing is written over.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
"$CAROM" new deck.yaml >stdout 2>stderr
check $? "carom new"
run_deck 0 --set time.end=0.0002
cp deck.yaml before.yaml
"$CAROM" new deck.yaml >stdout 2>stderr
check "$([ $? = 2 ] && grep -q 'deck.yaml: this file exists already' stderr && cmp -s deck.yaml before.yaml; echo $?)" \
  "a deck that is there is left as it is"
"$CAROM" new nowhere/deck.yaml >stdout 2>stderr
check "$([ $? = 2 ] && grep -q 'nowhere/deck.yaml' stderr; echo $?)" "a folder that is not there"
"$CAROM" new other.yaml --from two-cylindres >stdout 2>stderr
check "$([ $? = 2 ] && grep -q 'did you mean "two-cylinders"' stderr && [ ! -e other.yaml ]; echo $?)" "an example that is not there"
for name in $("$CAROM" examples | awk '$1 ~ /^[0-9]+$/ {print $2}'); do
  mkdir "$name"
  "$CAROM" new "$name/mine.yaml" --from "$name" >stdout 2>stderr && "$CAROM" check "$name/mine.yaml" >stdout 2>stderr
  check $? "carom new --from $name"
done

# the list goes from easy to hard and holds every example once
"$CAROM" examples >list
check "$([ "$(awk '$1 ~ /^[0-9]+$/' list | wc -l)" = "$(ls "$CAROM_SOURCE"/examples/*/deck.yaml | wc -l)" ]; echo $?)" "all examples are listed"
check "$([ "$(awk '$1 ~ /^[0-9]+$/ {print $2}' list | sort | uniq -d | wc -l)" = 0 ]; echo $?)" "none is listed twice"
check "$(grep -q '^  1  first-throw  *a block thrown under gravity$' list; echo $?)" "the first is the easiest"
check "$(! awk '$1 ~ /^[0-9]+$/ && NF < 4' list | grep -q .; echo $?)" "each says what it shows"
check_end
