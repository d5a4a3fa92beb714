# The include direction holds in the tree, and the script that says so sees a breach.
set -eu
"$CAROM_SOURCE/scripts/check-includes"

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/scripts" "$copy/src/mesh" "$copy/src/run" "$copy/app"
cp "$CAROM_SOURCE/scripts/check-includes" "$copy/scripts"
breach() { # file, include
  echo "#include \"$2\"" > "$copy/$1"
  if "$copy/scripts/check-includes" > "$copy/said"; then
    echo "$1 may not include $2, but the script lets it pass" && exit 1
  fi
  grep -q "$2" "$copy/said"
  rm "$copy/$1"
}
breach src/mesh/a.c model/model.h       # upwards
breach src/run/a.c output/internal.h    # another folder's private header
breach src/mesh/a.c mesh.h              # not spelled from src/
breach app/a.c nowhere/a.h
