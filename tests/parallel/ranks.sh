# What the scripts of this folder share: a folder of their own that goes when they end, runs on a number of ranks, and the
# comparison of two runs. Sourced first: . "${CAROM_SOURCE:?the source folder}/tests/parallel/ranks.sh"; exit $bad last.
set -euo pipefail
here="$CAROM_SOURCE/tests"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
bad=0

fail() { echo "FAILED: $*"; cat log; exit 1; }

on() # ranks, arguments of the program: what it says goes to log
{
  local launch=() ranks=$1
  shift
  if [ "$ranks" != 1 ]; then launch=(mpiexec --oversubscribe -n "$ranks"); fi
  "${launch[@]}" "$CAROM" "$@" > log 2>&1
}

run() # ranks, deck, options: results in deck.ranks
{
  local ranks=$1 deck=$2
  shift 2
  on $ranks run $deck.yaml -o $deck.$ranks --force "$@" || fail "$deck on $ranks ranks, $*"
}

stop_and_resume() # step at which to stop, ranks before, ranks after, deck, options: results in deck.parts
{
  local step=$1 before=$2 after=$3 deck=$4 code=0
  shift 4
  on $before run $deck.yaml -o $deck.parts --force --stop-after $step "$@" || code=$?
  [ $before != 1 ] || [ $code = 130 ] || fail "$deck, $*: the stop ended with $code" # mpiexec has its own codes
  [ -e $deck.parts/checkpoint.h5 ] || fail "$deck, $*: no checkpoint"
  on $after resume $deck.parts || fail "$deck, $*: resume on $after ranks"
}

same() # two runs, what they are: every number of every table to 1e-9 of its column's scale
{
  echo -n "${*:3}: "
  python3 "$here/parallel/compare_runs.py" $1 $2 || bad=1
}
