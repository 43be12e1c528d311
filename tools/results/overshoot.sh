#!/bin/sh
# How far searches of Othello go beyond their time limit.
#
#   tools/results/overshoot.sh [BANYAN [LIMIT_MS [RUNS]]]
#
# elapsed_ms is measured inside the search, from its beginning to its end.  Needs an idle machine: while other
# programs have the processor, the search cannot read the clock.
set -eu
banyan=${1:-build/banyan}
limit=${2:-100}
runs=${3:-200}
run=0
while [ "$run" -lt "$runs" ]; do
    run=$((run + 1))
    "$banyan" search othello --time="${limit}ms" --seed="$run" --json | sed -n 's/^ *"elapsed_ms": \([^,]*\),*/\1/p'
done | sort -n | awk -v limit="$limit" '
    { over[NR] = $1 - limit }
    END {
        printf "%d runs of %g ms: overshoot median %.3f ms, 90 %% %.3f, 95 %% %.3f, 99 %% %.3f, longest %.3f\n",
            NR, limit, over[int((NR + 1) / 2)], over[int(NR * 0.9 + 0.5)],
            over[int(NR * 0.95 + 0.5)], over[int(NR * 0.99 + 0.5)], over[NR]
    }'
