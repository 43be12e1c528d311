#!/bin/sh
# The levels of strength that `banyan play --level` offers: does each win at least three of five games against
# the one below?
#
#   tools/results/levels.sh [-p] [-b BANYAN] [-o FOLDER] [-j JOBS] [-n GAMES] [GAME...]
#
# With -p it plays two games of each match that is missing, and prints how many hours 200 games will take.  Without
# games: all games that have levels.  A match is played in parts of GAMES games (default 20), each with its own seed.
# It ends when lo is above 0.60 or hi below it, where lo and hi are the 99.9 % interval of the score, so that looking
# after each part misleads nobody; or after 200 games, with the 95 % interval, and then yes is a score of at least 0.60.
# A part is kept in FOLDER and not played again, so the script goes on where it was stopped.  Exit status 1: a row
# says NO.  The best player, the highest level, is limited by time: leave the machine idle.
set -eu

banyan=build/banyan
folder=build/levels
jobs=1
games=20
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

file_of() { # game level number: the file of a part
    echo "$folder/$1-$2-$games-$3.json"
}

# Prints the hours that each missing match of the games takes.
plan_games() { # games...
    for game; do
        count=$(levels_of "$game")
        level=2
        while [ "$level" -le "$count" ]; do
            if [ ! -s "$(file_of "$game" "$level" 1)" ]; then
                printf '%-14s %-8s ' "$game" "$level"
                "$banyan" match "$game" "level:$level" "level:$((level - 1))" --games 2 --json |
                    awk -v jobs="$jobs" '
                        $1 == "\"elapsed_s\":" { printf "%.2f\n", ($2 + 0) / 2 * 200 / jobs / 3600 }'
            fi
            level=$((level + 1))
        done
    done
}

play() { # game level number
    part=$(file_of "$1" "$2" "$3")
    test -s "$part" && return
    "$banyan" match "$1" "level:$2" "level:$(($2 - 1))" --games "$games" --jobs "$jobs" --seed "$3" --json >"$part.tmp"
    mv "$part.tmp" "$part"
}

# Prints the row of the parts that are there.  Exit status 0: yes; 1: NO; 2: not decided.
judge() { # game level file...
    python3 - "$@" <<'PYTHON'
import json
import math
import sys

parts = [json.load(open(name)) for name in sys.argv[3:]]
games = sum(part["games"] for part in parts)
score = sum(part["wins_a"] + part["draws"] / 2 for part in parts) / games
whole = games >= 200
z = 1.959964 if whole else 3.290527
middle = (score + z * z / (2 * games)) / (1 + z * z / games)
half = z / (1 + z * z / games) * math.sqrt(score * (1 - score) / games + (z / (2 * games)) ** 2)
low, high = middle - half, middle + half
if low < 0.6 <= high and not whole:
    sys.exit(2)
good = score >= 0.6
print("%-14s %-8s %-6d %-6.3f %6.3f %6.3f %s" % (*sys.argv[1:3], games, score, low, high, "yes" if good else "NO"))
sys.exit(not good)
PYTHON
}

row() { # game level: plays until the row is decided
    number=0
    game=$1 level=$2
    shift 2
    while :; do
        number=$((number + 1))
        play "$game" "$level" "$number"
        set -- "$@" "$(file_of "$game" "$level" "$number")"
        verdict=0
        judge "$game" "$level" "$@" || verdict=$?
        [ "$verdict" -eq 2 ] || return "$verdict"
    done
}

if [ -n "$plan" ]; then
    printf '%-14s %-8s %s\n' game level hours
    plan_games "$@" | awk '{ print; sum += $3 } END { printf "%-14s %-8s %.2f\n", "all", "", sum }'
    exit
fi
printf '%-14s %-8s %-6s %-6s %6s %6s %6s\n' game level games score lo hi '60 %?'
bad=0
for game; do
    count=$(levels_of "$game")
    for level in $(seq 2 "$count"); do
        (row "$game" "$level") || bad=1
    done
done
exit $bad
