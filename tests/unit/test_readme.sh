# The deck that README.md shows is a good one, runs, and keeps its energy as the text says.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
awk '/^```yaml$/ { on = 1; next } /^```$/ { on = 0 } on' "$CAROM_SOURCE/README.md" > impact.yaml
test -s impact.yaml
"$CAROM" check impact.yaml
# until the wheels are apart again; 1e-10 is ten times the tolerance of Newton
"$CAROM" run impact.yaml --set time.end=0.025 --set output.frames=0 --set 'audit={balance_relative: 1.0e-10}'

# every file that the documents point to is there
for page in README.md docs/manual.md docs/theory.md docs/developing.md; do
  grep -oE '\]\([^)#]+' "$CAROM_SOURCE/$page" | cut -c3- | while read -r link; do
    test -e "$(dirname "$CAROM_SOURCE/$page")/$link" || { echo "$page: no $link"; exit 1; }
  done
done
