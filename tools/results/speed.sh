#!/bin/sh
# Compares Banyan's speed with that of a bare program, in pairs: ours, theirs, ours, theirs ...
#
#   tools/results/speed.sh [-y YARDSTICK] [BANYAN [PAIRS]]
#
# YARDSTICK (without it tools/results/bare_uct.c is compiled) is a program that prints, among other words,
#   YARDSTICK othello|ttt SIMULATIONS   "sims/s=X"      UCT from the start, c = sqrt 2 on -1..1
#   YARDSTICK play othello SECONDS      "playouts/s=X"  random games from the start
#   YARDSTICK perft DEPTH               "leaves/s=X"    Othello
# Both sides count processor time of one thread, so that other programs on the machine matter little; the
# result is the median of the ratios of the pairs.
set -eu
yardstick=
while getopts y: option; do
    case $option in
    y) yardstick=$OPTARG ;;
    *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
banyan=${1:-build/banyan}
pairs=${2:-7}
same="raw-rewards=on,exploration=0.70710678,reuse=off,memory=1G"
if [ -z "$yardstick" ]; then
    yardstick=$(mktemp)
    trap 'rm -f "$yardstick"' EXIT
    "${CC:-cc}" -O3 -march=native -o "$yardstick" "$(dirname "$0")/bare_uct.c" -lm
fi

theirs() { # key words...
    key=$1
    shift
    "$yardstick" "$@" | tr ' ' '\n' | sed -n "s|^$key=||p"
}
json() { # key, from standard input
    sed -n 's/^ *"'"$1"'": \([^,]*\),*$/\1/p' | head -n 1
}
search() { "$banyan" search "$1" -n "$2" -o "$same,solver=off" --json | json simulations_per_s; }
# searches of the start until it is proven, with a hundred seeds
prove() {
    seed=0
    while [ "$((seed += 1))" -le 100 ]; do
        "$banyan" search tictactoe -n 1000000 -o "$same,solver=on,seed=$seed" --json
    done | awk -F'[:,]' '/"simulations":/ { n = $2 } /"simulations_per_s":/ { all += n; s += n / $2 }
        END { print all / s }'
}
playouts() { "$banyan" bench othello --time=1s --json | json playouts_per_s; }
leaves() { "$banyan" perft othello "$1" --json | json leaves_per_s; }

measure() {
    case $1 in
    othello) our=$(search othello 300000) their=$(theirs sims/s othello 300000) ;;
    tictactoe) our=$(search tictactoe 1000000) their=$(theirs sims/s ttt 1000000) ;;
    proof) our=$(prove) their=$(theirs sims/s ttt 1000000) ;;
    playouts) our=$(playouts) their=$(theirs playouts/s play othello 1) ;;
    perft) our=$(leaves 10) their=$(theirs leaves/s perft 10) ;;
    esac
    echo "$1 $our $their"
}

pair=0
while [ "$pair" -lt "$pairs" ]; do
    pair=$((pair + 1))
    for what in othello tictactoe proof playouts perft; do measure "$what"; done
done | awk '
    { n[$1]++; our[$1] += $2; their[$1] += $3; ratio[$1, n[$1]] = $2 / $3 }
    function sort(what,   i, j, x) {
        for (i = 2; i <= n[what]; ++i) {
            x = ratio[what, i]
            for (j = i; j > 1 && ratio[what, j - 1] > x; --j) ratio[what, j] = ratio[what, j - 1]
            ratio[what, j] = x
        }
    }
    function row(what, title) {
        sort(what)
        printf "| %s | %.4g | %.4g | %.1f %% | %.1f .. %.1f %% |\n", title, our[what] / n[what],
            their[what] / n[what], 100 * ratio[what, int((n[what] + 1) / 2)],
            100 * ratio[what, 1], 100 * ratio[what, n[what]]
    }
    END {
        print "| | ours per s | yardstick per s | median of ratios | lowest .. highest |"
        print "|---|---|---|---|---|"
        row("othello", "Othello, 300,000 simulations")
        row("tictactoe", "tic-tac-toe, 1,000,000 simulations")
        row("proof", "tic-tac-toe with the solver, until it is proven")
        row("playouts", "Othello, random games")
        row("perft", "Othello perft 10, leaves")
    }'
