#!/bin/sh
# The levels of strength that `banyan play --level` offers: does each win at least three of five games against
# the one below?
#
#   tools/results/levels.sh [-p] [-b BANYAN] [-o FOLDER] [-j JOBS] [-n GAMES] [GAME...]
#
# With -p it plays two games of each match that is missing, and prints how many hours the whole match will
# take.  Without games: all games that have levels.  A match is kept in FOLDER and not played again, so the script
# goes on where it was stopped.  A row says yes if the score is at least 0.60; lo and hi are its 95 % interval.  Exit
# status 1: a row says NO.  The best player, the highest level, is limited by time: leave the machine idle.
set -eu

banyan=build/banyan
folder=build/levels
jobs=1
games=200
plan=
while getopts pb:o:j:n: option; do
    case $option in
    p) plan=yes ;;
    b) banyan=$OPTARG ;;
    o) folder=$OPTARG ;;
    j) jobs=$OPTARG ;;
    n) games=$OPTARG ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- tictactoe connect4 othello othello-6x6 othello-4x4 hex-7x7 breakthrough pig mushroom mushroom-n2 \
    bloodbowl-1 bloodbowl-3 bloodbowl-5 bloodbowl-7 bloodbowl-11 pokemon
mkdir -p "$folder"

levels_of() { # game
    "$banyan" list "$1" | grep -c '^level:[0-9]* is '
}

file_of() { # game level
    echo "$folder/$1-$2-$games.json"
}

# Prints the hours that each missing match of the games takes.
plan_games() { # games...
    for game; do
        count=$(levels_of "$game")
        level=2
        while [ "$level" -le "$count" ]; do
            if [ ! -s "$(file_of "$game" "$level")" ]; then
                printf '%-14s %-8s ' "$game" "$level"
                "$banyan" match "$game" "level:$level" "level:$((level - 1))" --games 2 --json |
                    awk -v games="$games" -v jobs="$jobs" '
                        $1 == "\"elapsed_s\":" { printf "%.2f\n", ($2 + 0) / 2 * games / jobs / 3600 }'
            fi
            level=$((level + 1))
        done
    done
}

if [ -n "$plan" ]; then
    printf '%-14s %-8s %s\n' game level hours
    plan_games "$@" | awk '{ print; sum += $3 } END { printf "%-14s %-8s %.2f\n", "all", "", sum }'
    exit
fi
printf '%-14s %-8s %-6s %6s %6s %6s\n' game level score lo hi '60 %?'
bad=0
for game; do
    count=$(levels_of "$game")
    level=2
    while [ "$level" -le "$count" ]; do
        file=$(file_of "$game" "$level")
        if [ ! -s "$file" ]; then
            "$banyan" match "$game" "level:$level" "level:$((level - 1))" --games "$games" --jobs "$jobs" --json \
                >"$file.tmp"
            mv "$file.tmp" "$file"
        fi
        python3 - "$file" "$game" "$level" <<'PYTHON' || bad=1
import json, sys
match = json.load(open(sys.argv[1]))
good = match["score_a"] >= 0.6
low, high = match["ci95"]
print("%-14s %-8s %-6.3f %6.3f %6.3f %s" % (sys.argv[2], sys.argv[3], match["score_a"], low, high,
                                          "yes" if good else "NO"))
sys.exit(not good)
PYTHON
        level=$((level + 1))
    done
done
exit $bad
