#!/usr/bin/env bash
# carom view: what the server answers and what it refuses (check_view.py), and its pages in a browser (web/test/view.mjs).
set -euo pipefail
CAROM=$(realpath "$CAROM") source=$(realpath "$CAROM_SOURCE")
export CAROM
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
two=$source/examples/two-cylinders/deck.yaml
"$CAROM" run "$two" -o run --set 'time.steps=[[0.16, 10], [0.01, 20]]' --set output.frames=10 > log
mkdir decks && cp "$two" decks/deck.yaml
"$CAROM" view --help | grep -q -- --edit
refuse() { # code, words, command...
  local code=$1 words=$2 got=0 # one that is not refused would serve for ever
  shift 2
  timeout 1200 "$CAROM" "$@" > out 2> err || got=$?
  [ $got = "$code" ] && grep -qF -- "$words" err || { echo "FAILED: $*: exit $got, $(cat err)"; exit 1; }
}
refuse 2 "contains no run" view nowhere
refuse 2 "its folder" view --edit nowhere/deck.yaml
refuse 2 "must end in .yaml" view --edit nowhere.yml
refuse 2 "usage" view
refuse 2 "usage" view run --edit decks/deck.yaml
refuse 2 "0 to 65535" view run --port 70000

# --open gives the printed address to the desktop, or says that there is none
mkdir bin && printf '#!/bin/sh\necho "$1" > "%s/shown"\n' "$dir" > bin/xdg-open && chmod +x bin/xdg-open
opens() { # variables of a desktop..., the file that must appear
  env -u DISPLAY -u WAYLAND_DISPLAY -u BROWSER PATH="$dir/bin:$PATH" "${@:1:$#-1}" "$CAROM" view run --open > out 2> err &
  local server=$!
  for _ in $(seq 600); do [ -s "${@: -1}" ] && [ -s out ] && grep -q Ctrl-C err && break || sleep 0.1; done
  kill $server && wait $server || true
}
opens err
grep -qF -- "--open: there is no desktop here" err && [ ! -e shown ] || { echo "FAILED: no desktop: $(cat err)"; exit 1; }
opens DISPLAY=:9 shown
[ "$(cat shown)" = "$(cat out)" ] && ! grep -q -- --open err || { echo "FAILED: a desktop: $(cat shown err)"; exit 1; }

python3 "$source/tests/unit/check_view.py"

for name in chromium chromium-browser google-chrome; do
  browser=$(command -v $name) && break
done
if [ -z "${browser:-}" ] || [ ! -d "${CAROM_PAGE_MODULES:-}" ]; then
  echo "SKIPPED: the pages, no chromium or no playwright-core"
  exit 0
fi
node "$source/web/test/view.mjs" "$CAROM_PAGE_MODULES" "$browser" "$two"
