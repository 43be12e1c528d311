#!/bin/sh
# Matches of Othello, one after another, and their table.
#
#   tools/results/strength.sh [-b BANYAN] [-o FOLDER] [-j JOBS] [NAME...]
#
# Without names: all of them.  A match whose result lies in FOLDER is not played
# again, so the table can be made anew at any time; results do not depend on JOBS.
# 400 games each (threads: 1,000) from random openings of 8 plies, each opening
# twice with sides swapped.
set -eu

banyan=build/banyan
folder=build/strength
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

# name | games | player a | player b
matches() {
    cat <<'END'
10000-1000 | 400 | mcts:simulations=10000 | mcts:simulations=1000
reuse | 400 | mcts:simulations=1000,reuse=on | mcts:simulations=1000,reuse=off
puct | 400 | mcts:simulations=1000,rule=puct | mcts:simulations=1000
gumbel | 400 | mcts:simulations=1000,rule=gumbel | mcts:simulations=1000
tuned | 400 | mcts:simulations=1000,rule=ucb1-tuned | mcts:simulations=1000
cp-0.5 | 400 | mcts:simulations=1000,exploration=0.5 | mcts:simulations=1000,exploration=0.70710678
cp-0.35 | 400 | mcts:simulations=1000,exploration=0.35355339 | mcts:simulations=1000,exploration=0.70710678
cp-0.2 | 400 | mcts:simulations=1000,exploration=0.2 | mcts:simulations=1000,exploration=0.35355339
threads-2 | 1000 | mcts:simulations=400,threads=2 | mcts:simulations=400
END
}

play() { # name games a b
    result=$folder/$1.json
    test -s "$result" && return
    echo "$1: $3 against $4" >&2
    "$banyan" match othello "$3" "$4" -n "$2" -j "$jobs" --opening-plies=8 --json > "$result.part"
    mv "$result.part" "$result"
}

row() { # name: prints a row from the keys that stand before the list of players
    awk -v name="$1" '
        { key = $1; gsub(/[":]/, "", key); value = $0; sub(/^[^:]*: */, "", value); sub(/,$/, "", value) }
        key == "players" { exit }
        key == "ci95" || key == "ci95_pairs" || key == "elo_ci95" { list = key; n = 0; next }
        list != "" && /\]/ { list = ""; next }
        list != "" { sub(/^ */, "", value); ci[list, n++] = value; next }
        { v[key] = value }
        END {
            gsub(/"/, "", v["a"]); gsub(/"/, "", v["b"])
            printf "| `%s` | `%s` | %d | %d-%d-%d | %.3f [%.3f, %.3f] | %+.0f [%+.0f, %+.0f] | %d |\n",
                v["a"], v["b"], v["games"], v["wins_a"], v["draws"], v["wins_b"], v["score_a"],
                ci["ci95", 0], ci["ci95", 1], v["elo"], ci["elo_ci95", 0], ci["elo_ci95", 1],
                v["distinct_games"]
        }' "$folder/$1.json"
}

mkdir -p "$folder"
wanted=" $* "
matches | while IFS='|' read -r name games a b; do
    name=$(echo $name) games=$(echo $games) a=$(echo $a) b=$(echo $b)
    case $wanted in "  " | *" $name "*) play "$name" "$games" "$a" "$b" < /dev/null ;; esac
done
echo "| a | b | games | wins-draws-losses of a | score of a [95 %] | Elo [95 %] | different games |"
echo "|---|---|---|---|---|---|---|"
matches | while IFS='|' read -r name rest; do
    name=$(echo $name)
    test ! -s "$folder/$name.json" || row "$name"
done
