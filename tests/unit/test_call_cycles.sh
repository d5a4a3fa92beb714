# Files of a folder do not call each other in circles, and the script that says so sees one.
set -eu
cycles="$CAROM_SOURCE/scripts/call-cycles"
"$cycles" "$CAROM_SOURCE/src/integrate/efda" "$CAROM_SOURCE/src/contact"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/below"
printf 'void Second(int);\nvoid First(int n)\n{\n  if (n) Second(n);\n}\n' > "$folder/first.c"
printf 'void Third(void);\nvoid Second(int n)\n{\n  if (n) Third();\n}\n' > "$folder/second.c"
printf 'static void First(void)\n{\n}\nvoid Third(void)\n{\n  /* First(1) */\n}\n' > "$folder/below/third.c"
"$cycles" "$folder" # a chain is none, whatever comments say
printf 'void First(int);\nvoid Third(void)\n{\n  First(0);\n}\n' > "$folder/below/third.c"
if "$cycles" "$folder" > "$folder/said"; then
  echo "three files call each other, but the script lets them pass" && exit 1
fi
grep -q "3 files call each other: below/third.c first.c second.c" "$folder/said"
grep -q "below/third.c -> first.c: First" "$folder/said"
"$cycles" "$folder" --most 3
