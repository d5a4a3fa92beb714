# The include direction holds in the tree, and the script that says so sees a breach.
set -eu
"$CAROM_SOURCE/scripts/check-includes"

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir -p "$copy/scripts" "$copy/src/mesh" "$copy/src/run" "$copy/app" "$copy/src/integrate/efda"
for room in geometry laws pairs touch partners springs multipliers cones; do
  mkdir -p "$copy/src/contact/$room"
done
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

# The rooms of src/contact.
breach src/contact/geometry/a.c contact/contact.h           # from below to the top
breach src/contact/laws/a.c contact/geometry/kinematics.h   # a law computes no geometry
breach src/contact/a.h contact/touch/touch.h                # a header of the top knows no step
breach src/contact/a.c contact/partners/partners.h
breach src/contact/pairs/a.c contact/touch/touch.h
breach src/contact/touch/a.c contact/partners/partners.h    # upwards
breach src/contact/partners/a.c contact/springs/a.h
breach src/contact/multipliers/a.c contact/touch/touch.h    # two ways of contact that do not mix
breach src/contact/cones/a.c contact/multipliers/multipliers.h
breach src/integrate/a.c contact/touch/touch.h              # the inside of contact, from outside
breach src/contact/touch/a.c integrate/integrator.h

# efda keeps its headers to itself.
breach src/integrate/a.c integrate/efda/crowd.h
breach src/run/a.c integrate/efda/efda.h
breach app/a.c integrate/efda/efda.h

allowed() { # file, include
  echo "#include \"$2\"" > "$copy/$1"
  "$copy/scripts/check-includes"
  rm "$copy/$1"
}
allowed src/contact/a.c contact/touch/touch.h
allowed src/integrate/a.c contact/multipliers/multipliers.h
allowed src/integrate/efda/a.c integrate/integrator.h

# A header with too much in it.
declare_many() { # number
  echo '#include "base/base.h"' > "$copy/src/mesh/a.h"
  for k in $(seq "$1"); do echo "void CrFunction$k(void);"; done >> "$copy/src/mesh/a.h"
}
declare_many 30
"$copy/scripts/check-includes"
declare_many 31
if "$copy/scripts/check-includes" > "$copy/said"; then
  echo "a header with 31 functions passes" && exit 1
fi
grep -q "src/mesh/a.h: declares 31" "$copy/said"
