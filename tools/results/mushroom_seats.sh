#!/bin/sh
# How strong is a player of mushroom in the second seat?  Between equal players the first mover nearly always wins, so
# in this test the first mover searches few positions, and both sides win games.
#
#   tools/results/mushroom_seats.sh [-b BANYAN] [-o FOLDER] [-n BOARDS] [-j JOBS] [-f POSITIONS] [-s SEED] [A [B]]
#
#   -b  build/banyan
#   -o  build/mushroom_seats: games are kept there, and not played again
#   -n  1000  boards; on each A and B have the second seat once
#   -f  500   positions for each move of the first mover
#   -s  seed of the boards.  Default: the seed in FOLDER, or a new one if FOLDER has none
#   A   tournament:nodes=50000
#   B   the same as A: then the measure must find no difference
#
# An older version is the player "exec:OLD/banyan serve mushroom --player tournament:nodes=50000".
# Prints the scores of A and B in the second seat, and their difference with its 95 % interval.  The interval is that of
# rounds: A's game and B's game in the second seat on the same board.
set -eu

banyan=build/banyan folder=build/mushroom_seats boards=1000 jobs=1 first=500 seed=
while getopts b:o:n:j:f:s: option; do
    case $option in
    b) banyan=$OPTARG ;;
    o) folder=$OPTARG ;;
    n) boards=$OPTARG ;;
    j) jobs=$OPTARG ;;
    f) first=$OPTARG ;;
    s) seed=$OPTARG ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
a=${1:-tournament:nodes=50000}
b=${2:-$a}

mkdir -p "$folder"
[ -n "$seed" ] || [ -s "$folder/seed" ] || od -An -N4 -tu4 /dev/urandom | tr -d ' ' >"$folder/seed"
[ -n "$seed" ] || seed=$(cat "$folder/seed")
"$banyan" match mushroom "$a" "$b" --games $((2 * boards)) -s "$seed" -j "$jobs" --handicap "first:nodes=$first" \
    --db "$folder/games.db" --resume --json >"$folder/result.json"
python3 - "$folder/result.json" "$seed" <<'PYTHON'
import json, sys
match = json.load(open(sys.argv[1]))
for player in match["players"]:
    second = player["seats"][1]
    print("%-40.40s as SECOND %4d %4d %4d  %.3f [%.3f, %.3f]" % (
        player["player"], second["wins"], second["draws"], second["losses"], second["score"], *second["ci95"]))
low, high = match["ci95_pairs"] or (0, 1)
print("difference %+.3f [%+.3f, %+.3f], %d boards of seed %s" % (
    2 * match["score_a"] - 1, 2 * low - 1, 2 * high - 1, match["games"] // 2, sys.argv[2]))
PYTHON
