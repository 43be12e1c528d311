#!/bin/sh
# Compares two threads on one tree with two searches of one thread that run at the same time; wall clock.
#
#   tools/results/threads.sh [-b BANYAN] [-g GAME] [-e EVALUATOR] [-n SIMULATIONS] [-p POSITIONS] [-r ROUNDS]
#       [-t] [OPTIONS...]
#
# OPTIONS: search options, the same for both (default: solver=off solver=on).  For each of them a round measures
# two searches of SIMULATIONS at the same time, then one search with two threads and twice as many; the result is
# the median of the rounds' ratios.  A larger tree is slower to search; with -t the search of two threads makes
# SIMULATIONS too, so that all trees are equally large.  With POSITIONS each search is a series of that many, from
# starts drawn with the seeds 1, 2, 3 and so on.  Needs an idle machine with two cores.  Examples:
#
#   tools/results/threads.sh
#   tools/results/threads.sh -g tictactoe -n 1000000 solver=off
#   tools/results/threads.sh -g mushroom -e heuristic -n 100000 rule=ucb1
#   tools/results/threads.sh -e net:weights/othello.safetensors -n 100000 rule=puct,batch=16
#   tools/results/threads.sh -g pokemon -e position -n 40000 -p 20 -t rule=puct,cpuct=0.8,expand-visits=2,worlds=100
#       (as the player agent searches)
set -eu
banyan=build/banyan
game=othello
evaluator=rollout
simulations=300000
positions=1
rounds=7
larger=2
while getopts b:g:e:n:p:r:t option; do
    case $option in
    b) banyan=$OPTARG ;;
    g) game=$OPTARG ;;
    e) evaluator=$OPTARG ;;
    n) simulations=$OPTARG ;;
    p) positions=$OPTARG ;;
    r) rounds=$OPTARG ;;
    t) larger=1 ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
test $# -gt 0 || set -- solver=off solver=on

rate() { # SIMULATIONS OPTIONS [SEED]: simulations per second of wall clock
    first=${3:-1}
    last=$((first + positions - 1))
    while [ "$first" -le "$last" ]; do
        "$banyan" search "$game" -e "$evaluator" -n "$1" -o "$2,seed=$first,memory=1G" --json
        first=$((first + 1))
    done | awk -F'[:,]' '/"simulations":/ { n += $2 } /"elapsed_ms":/ { ms += $2 } END { print 1000 * n / ms }'
}
together() { # OPTIONS: the sum of two searches' rates; with one position they have different seeds
    rate "$simulations" "$1" > "$parts.1" &
    rate "$simulations" "$1" $((positions > 1 ? 1 : 2)) > "$parts.2"
    wait $!
    cat "$parts.1" "$parts.2" | awk '{ sum += $1 } END { print sum }'
}

parts=$(mktemp)
trap 'rm -f "$parts" "$parts.1" "$parts.2"' EXIT
round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    for options in "$@"; do
        echo "$options $(together "$options") $(rate $((larger * simulations)) "$options,threads=2")"
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
