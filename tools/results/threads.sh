#!/bin/sh
# Two threads on one Othello tree beside two searches of one thread at the same time; wall clock.
#
#   tools/results/threads.sh [-b BANYAN] [-n SIMULATIONS] [-r ROUNDS] [OPTIONS...]
#
# OPTIONS: search options of the two threads (default: batch=1 batch=2 batch=4 batch=8).  Each round
# measures two independent searches together, then every option; the median of each round's ratio
# counts.  Wants a machine with two cores and nothing else to do.
set -eu
banyan=build/banyan
simulations=300000
rounds=5
while getopts b:n:r: option; do
    case $option in
    b) banyan=$OPTARG ;;
    n) simulations=$OPTARG ;;
    r) rounds=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
test $# -gt 0 || set -- batch=1 batch=2 batch=4 batch=8

rate() { # simulations per second of wall clock
    "$banyan" search othello -n "$simulations" "$@" --json |
        awk -F'[:,]' '/"simulations":/ { n = $2 } /"elapsed_ms":/ { print 1000 * n / $2 }'
}
together() { # what two searches of different seeds reach in sum
    rate --seed=1 > "$parts.1" &
    rate --seed=2 > "$parts.2"
    wait $!
    cat "$parts.1" "$parts.2" | awk '{ sum += $1 } END { print sum }'
}

parts=$(mktemp)
trap 'rm -f "$parts" "$parts.1" "$parts.2"' EXIT
round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    two=$(together)
    for options in "$@"; do
        echo "$options $two $(rate -o "threads=2,$options")"
    done
done | awk '
    !($1 in n) { order[++kinds] = $1 }
    { k = ++n[$1]; ratio[$1, k] = $3 / $2; two[$1] += $2; one[$1] += $3 }
    END {
        print "| options | two searches together, per s | two threads on one tree, per s | median of ratios | lowest .. highest |"
        print "|---|---|---|---|---|"
        for (o = 1; o <= kinds; ++o) {
            what = order[o]
            for (i = 2; i <= n[what]; ++i)
                for (j = i; j > 1 && ratio[what, j - 1] > ratio[what, j]; --j) {
                    x = ratio[what, j]; ratio[what, j] = ratio[what, j - 1]; ratio[what, j - 1] = x
                }
            printf "| `threads=2,%s` | %.4g | %.4g | %.1f %% | %.1f .. %.1f %% |\n", what,
                two[what] / n[what], one[what] / n[what], 100 * ratio[what, int((n[what] + 1) / 2)],
                100 * ratio[what, 1], 100 * ratio[what, n[what]]
        }
    }'
