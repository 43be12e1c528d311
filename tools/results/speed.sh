#!/bin/sh
# Our speed beside that of an outside program, in pairs: ours, theirs, ours, theirs ...
#
#   tools/results/speed.sh YARDSTICK [BANYAN [PAIRS]]
#
# YARDSTICK is a program that prints, among other words,
#   YARDSTICK othello|ttt SIMULATIONS   "sims/s=X"      UCT from the start, c = sqrt 2 on -1..1
#   YARDSTICK play othello SECONDS      "playouts/s=X"  random games from the start
#   YARDSTICK perft DEPTH               "leaves/s=X"    Othello
# Both sides count processor time of one thread, so that others at work on the machine matter
# little; the median of the ratios of neighbours is what counts.
set -eu
yardstick=${1:?"give the path of the other program"}
banyan=${2:-build/banyan}
pairs=${3:-7}
same="raw-rewards=on,exploration=0.70710678,solver=off,reuse=off,memory=1G"

theirs() { # key words...
    key=$1
    shift
    "$yardstick" "$@" | tr ' ' '\n' | sed -n "s|^$key=||p"
}
json() { # key, from standard input
    sed -n 's/^ *"'"$1"'": \([^,]*\),*$/\1/p' | head -n 1
}
search() { "$banyan" search "$1" -n "$2" -o "$same" --json | json simulations_per_s; }
playouts() { "$banyan" bench othello --time=1s --json | json playouts_per_s; }
leaves() { "$banyan" perft othello "$1" --json | json leaves_per_s; }

measure() {
    case $1 in
    othello) our=$(search othello 300000) their=$(theirs sims/s othello 300000) ;;
    tictactoe) our=$(search tictactoe 1000000) their=$(theirs sims/s ttt 1000000) ;;
    playouts) our=$(playouts) their=$(theirs playouts/s play othello 1) ;;
    perft) our=$(leaves 10) their=$(theirs leaves/s perft 10) ;;
    esac
    echo "$1 $our $their"
}

pair=0
while [ "$pair" -lt "$pairs" ]; do
    pair=$((pair + 1))
    for what in othello tictactoe playouts perft; do measure "$what"; done
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
        row("playouts", "Othello, random games")
        row("perft", "Othello perft 10, leaves")
    }'
