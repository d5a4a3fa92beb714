#!/usr/bin/env bash
# No sentence of the documents, headers, messages and help has more than 40 words, and the script that says so sees one.
. "${CAROM_SOURCE:?the source folder}/tests/check.sh"
cd "$WORK" || exit 1
"$CAROM_SOURCE/scripts/check-sentences" --long >said
check $? "sentences of at most 40 words: $(grep -E '^   ' said | head -3)"
for name in README.md docs/manual.md docs/theory.md headers messages help; do
  check "$(awk -v n="$name" '$1 == n && $2 >= 90 && 10 * $3 < $2 {ok = 1} END {exit !ok}' said; echo $?)" \
    "$name: it is read, and nine of ten sentences have at most 25 words"
done

# a copy with one sentence too many of each kind
mkdir -p copy/scripts copy/docs copy/src/a copy/app copy/include
cp "$CAROM_SOURCE/scripts/check-sentences" copy/scripts
long="This sentence $(printf 'goes on and %.0s' {1..13})ends."
short='This one ends soon enough for everybody who reads it.'
plain() {
  echo "$short" | tee copy/README.md copy/docs/theory.md >/dev/null
  echo "/* $short */" >copy/src/a/a.h
  echo "CrWarn(\"$short\");" >copy/src/a/a.c
  echo "{.help = \"$short\"}" >copy/app/main.c
}
plain && copy/scripts/check-sentences >said
check $? "short sentences pass: $(cat said)"
breach() { # file, text
  plain
  echo "$2" >"copy/$1"
  copy/scripts/check-sentences --long >said
  check "$([ $? = 1 ] && grep -q '42: This sentence' said; echo $?)" "a long sentence in $1 is seen: $(cat said)"
}
breach README.md "$short $long $short"
breach docs/theory.md "| word | $long |"
breach src/a/a.h "/* $short
   $long */"
breach src/a/a.c "CrInputFail(\"${long:0:40}\"
  \"${long:40}\", x);"
breach app/main.c "{.help = \"$long\"}"
check_end
