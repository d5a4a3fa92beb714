# What test scripts share: the program, a folder of their own that goes when they end, and checks that are counted.
# Sourced first: . "${CAROM_SOURCE:?the source folder}/tests/check.sh"; check_end last.
CAROM=$(realpath "${CAROM:?the program}")
CAROM_SOURCE=$(realpath "$CAROM_SOURCE")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
checks=0 failed=0

# Ends a command that has computed for so many seconds: time of the processor, so that a busy machine changes nothing.
cpu() { (ulimit -t "$1" && exec "${@:2}"); }

check() { # condition, what
  checks=$((checks + 1))
  [ "$1" = 0 ] && return
  failed=$((failed + 1))
  echo "FAILED: $2"
  [ ! -f "$WORK/stderr" ] || sed 's/^/    stderr: /' "$WORK/stderr" # of the last run
}
# These are also false for what is no number.
near() { awk -v a="$1" -v b="$2" -v t="$3" 'BEGIN {d = a - b; exit !(a ~ /[0-9]/ && b ~ /[0-9]/ && d <= t && -d <= t)}'; }
below() { awk -v a="$1" -v b="$2" 'BEGIN {exit !(a ~ /[0-9]/ && b ~ /[0-9]/ && a + 0 <= b + 0)}'; }
run_deck() { # exit code, arguments of the program: deck.yaml into out, tables only
  local code=$1 got
  shift
  cpu 600 "$CAROM" run deck.yaml -o out --force --set output.frames=0 --set output.report=false "$@" >stdout 2>stderr
  got=$?
  check "$((got != code))" "$*: exit code $got, expected $code"
}
check_end() { # more words
  echo "$checks checks, $failed failed$*"
  [ "$failed" = 0 ] && [ "$checks" -gt 0 ]
}
