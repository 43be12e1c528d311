#!/bin/sh
# Compares the speed of searches of two builds, in pairs: old, new, old, new ...
#
#   tools/results/builds.sh OLD NEW [PAIRS [WHAT...]]      two programs `banyan`; default 15 pairs of all
#
# WHAT is tictactoe, tictactoe-solver, othello, othello-solver, mushroom, bloodbowl or pokemon.  Where
# the defaults differ, NEW_OPTIONS=NAME=VALUE,... makes the newer program search as the older one does.
# Measures processor time of one thread; the result is the median of the ratios new / old of the pairs.
# Needs an idle machine.
set -eu
old=${1:?"give the path of the older program"}
new=${2:?"give the path of the newer program"}
pairs=${3:-15}
shift $(($# < 3 ? $# : 3))
whats=${*:-tictactoe tictactoe-solver othello othello-solver mushroom bloodbowl pokemon}

json() { sed -n 's/^ *"'"$1"'": \([^,]*\),*$/\1/p' | head -n 1; }
rate() { # PROGRAM WHAT [OPTIONS]
    options=memory=1G${3:+,$3}
    case $2 in
    tictactoe) "$1" search tictactoe -n 500000 -o "solver=off,$options" --json ;;
    tictactoe-solver) "$1" search tictactoe -n 100000 -o "solver=on,$options" --json ;;
    othello) "$1" search othello -n 150000 -o "solver=off,$options" --json ;;
    othello-solver) "$1" search othello -n 150000 -o "solver=on,$options" --json ;;
    mushroom) "$1" search mushroom -e heuristic -n 300000 -o "$options" --json ;;
    bloodbowl) "$1" search bloodbowl -e heuristic -n 30000 -o "$options" --json ;;
    pokemon) "$1" search pokemon -e heuristic -n 60000 -o "$options" --json ;;
    esac | json simulations_per_s
}

pair=0
while [ "$pair" -lt "$pairs" ]; do
    pair=$((pair + 1))
    for what in $whats; do
        echo "$what $(rate "$old" "$what") $(rate "$new" "$what" "${NEW_OPTIONS:-}")"
    done
    printf 'pair %d of %d\r' "$pair" "$pairs" >&2
done | awk '
    !($1 in n) { order[++kinds] = $1 }
    { n[$1]++; old[$1] += $2; new[$1] += $3; ratio[$1, n[$1]] = $3 / $2 }
    function sort(what,   i, j, x) {
        for (i = 2; i <= n[what]; ++i) {
            x = ratio[what, i]
            for (j = i; j > 1 && ratio[what, j - 1] > x; --j) ratio[what, j] = ratio[what, j - 1]
            ratio[what, j] = x
        }
    }
    END {
        print "| search | old, simulations per s | new | median of new / old | lowest .. highest |"
        print "|---|---|---|---|---|"
        for (k = 1; k <= kinds; ++k) {
            what = order[k]
            sort(what)
            printf "| %s | %.4g | %.4g | %.3f | %.3f .. %.3f |\n", what, old[what] / n[what],
                new[what] / n[what], ratio[what, int((n[what] + 1) / 2)], ratio[what, 1], ratio[what, n[what]]
        }
    }'
