#!/bin/sh
# Bytes per visited position, and what a full tree costs: Othello from the start, UCB1.
#
#   tools/results/memory.sh [BANYAN [SIMULATIONS]]
set -eu
banyan=${1:-build/banyan}
simulations=${2:-5000000}
out=$(mktemp)
trap 'rm -f "$out"' EXIT

json() { sed -n 's/^ *"'"$1"'": \([^,]*\),*$/\1/p' "$out" | head -n 1; }

# The peak of a search's resident memory in kB.  It is read while the search runs, so the end may be missed, but the
# peak is reached long before the end.
peak_kb() { # words...
    "$banyan" search othello --json "$@" > "$out" &
    pid=$!
    peak=0
    while now=$(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$pid/status" 2> /dev/null) && test -n "$now"; do
        peak=$now
        sleep 0.01
    done
    wait $pid
    echo "$peak"
}

echo "| solver | simulations | positions visited | bytes of the tree | bytes per visited position |"
echo "|---|---|---|---|---|"
for solver in off on; do
    for n in 10000 300000 1000000; do
        "$banyan" search othello -n $n -o solver=$solver,memory=1G --json > "$out"
        echo "$solver $n $(json edges) $(json bytes_used)"
    done
done | awk '{ printf "| %s | %d | %d | %d | %.1f |\n", $1, $2, $3 + 1, $4, $4 / ($3 + 1) }'
echo

before=$(peak_kb -n 10000 -o memory=64M)
empty=$(json bytes_used)
full=$(peak_kb -n "$simulations" -o memory=64M)
capped=$(json simulations_per_s) best=$(json best) compactions=$(json compactions)
"$banyan" search othello -n "$simulations" -o memory=2G --json > "$out"
free=$(json simulations_per_s) freebytes=$(json bytes_used)
awk -v before="$before" -v empty="$empty" -v full="$full" -v capped="$capped" -v free="$free" \
    -v freebytes="$freebytes" -v n="$simulations" -v best="$best" -v compactions="$compactions" 'BEGIN {
    grown = full * 1024 - (before * 1024 - empty)
    printf "%d simulations under a cap of 64 MiB: resident memory grew by %.1f MiB, %.3f of the cap; ", n, grown / 1048576, grown / 67108864
    printf "%s compactions, answer %s\n", compactions, best
    printf "%.0f simulations/s under the cap, %.0f without (%.0f MiB): %.1f %%\n", capped, free, freebytes / 1048576, 100 * capped / free
}'
