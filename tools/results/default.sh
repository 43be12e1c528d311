#!/bin/sh
# The strength of the default search: matches against perfect play in tic-tac-toe, and against the earlier
# default (exploration 1/sqrt 2, no decisive moves) in four games.
#
#   tools/results/default.sh [-b BANYAN] [-o FOLDER] [-j JOBS] [NAME...]
#
# Without names: all of them.  A match whose result lies in FOLDER is not played again, so the tables
# can be made anew at any time; results do not depend on JOBS.
set -eu

banyan=build/banyan
folder=build/default
jobs=2
while getopts b:o:j: option; do
    case $option in
    b) banyan=$OPTARG ;;
    o) folder=$OPTARG ;;
    j) jobs=$OPTARG ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))

before=exploration=0.70710678,decisive=off

# name | game | seed | player a | player b | further options
matches() {
    for seed in 1 2 3 4 5; do
        echo "perfect-$seed|tictactoe|$seed|mcts:simulations=1000|perfect|"
        echo "perfect-plain-$seed|tictactoe|$seed|mcts:simulations=1000,solver=off|perfect|"
        echo "perfect-before-$seed|tictactoe|$seed|mcts:simulations=1000,$before|perfect|"
    done
    for game in connect4 othello pig mushroom; do
        openings=
        case $game in connect4 | othello) openings=--opening-plies=4 ;; esac
        echo "$game|$game|1|mcts:simulations=1000|mcts:simulations=1000,$before|$openings"
    done
}

play() { # name game seed a b further
    result=$folder/$1.json
    test -s "$result" && return
    echo "$1: $4 against $5" >&2
    # shellcheck disable=SC2086
    "$banyan" match "$2" "$4" "$5" -n 1000 -s "$3" -j "$jobs" $6 --json > "$result.part"
    mv "$result.part" "$result"
}

row() { # name: numbers of the keys that stand once, and the limits of the score
    awk -v name="$1" '
        { key = $1; gsub(/[":]/, "", key); value = $0; sub(/^[^:]*: */, "", value); sub(/,$/, "", value) }
        key == "players" { exit }
        key == "ci95" || key == "ci95_pairs" || key == "elo_ci95" { list = key; n = 0; next }
        list != "" && /\]/ { list = ""; next }
        list != "" { sub(/^ */, "", value); ci[list, n++] = value; next }
        { v[key] = value }
        END {
            printf "| %s | %d-%d-%d | %.3f [%.3f, %.3f] |\n", name, v["wins_a"], v["draws"],
                v["wins_b"], v["score_a"], ci["ci95", 0], ci["ci95", 1]
        }' "$folder/$1.json"
}

mkdir -p "$folder"
matches | while IFS='|' read -r name game seed a b further; do
    case " $* " in "  " | *" $name "*) play "$name" "$game" "$seed" "$a" "$b" "$further" </dev/null ;; esac
done
echo "| match of 1,000 games | won-drawn-lost | score, 95 % |"
echo "|---|---|---|"
matches | while IFS='|' read -r name rest; do
    if test -s "$folder/$name.json"; then row "$name"; fi
done
