#!/bin/sh
# Plays matches between Blood Bowl's players, one PIECE at a time; every piece adds a row to a table.
#
#   tools/results/bloodbowl_strength.sh [-b BANYAN] [-s SOLVE] [-o FILE] PIECE [BOARD [GAMES [SEED [MS]]]]
#
#   random    the agent at MS (20) a decision against random
#   scripted  the script against random
#   script    the agent at MS (100) against the script
#   longer    the agent at ten times MS (100) against itself at MS
#   tutorial  the agent at a hundredth of MS (1000) against the tutorial's search, no rollouts
#   rollouts  the same with rollouts
#   table     the tutorial against random with as many iterations as were published, no rollouts
#   table-rollouts      ... with rollouts
#   exact     the agent's loss at MS (100) against exact values; BOARD is 1, GAMES the positions,
#             SEED the turns that are left (1), step mode
#
# The first player is home in half of the games.  Intervals are of 95 %.  A piece is GAMES games with SEED;
# results of pieces with other seeds can be added.
set -eu

banyan=build/banyan
solve=build/slow_bloodbowl_solve
file=build/bloodbowl_strength.md
while getopts b:s:o: option; do
    case $option in
    b) banyan=$OPTARG ;;
    s) solve=$OPTARG ;;
    o) file=$OPTARG ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
if [ $# -lt 1 ]; then
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
piece=$1 board=${2:-1} games=${3:-40} seed=${4:-1} ms=${5:-}
setup=mode=step

# published numbers of iterations in five seconds; the one for board 7 lies between those for 5 and 11
iterations() {
    case $1-$2 in
    1-off) echo 2038 ;; 1-on) echo 1592 ;; 3-off) echo 1735 ;; 3-on) echo 688 ;;
    5-off) echo 1299 ;; 5-on) echo 555 ;; 7-off) echo 1125 ;; 7-on) echo 458 ;;
    11-off) echo 951 ;; 11-on) echo 361 ;;
    *) echo "no board $1" >&2; exit 2 ;;
    esac
}

table() { # rollout
    a=tutorial:simulations=$(iterations "$board" "$1"),rollout=$1 b=random
}

against_tutorial() { # rollout
    ms=${ms:-1000}
    a=agent:time=$(awk "BEGIN { print $ms / 100 }")ms b=tutorial:time=${ms}ms,rollout=$1
}

case $piece in
random) a=agent:time=${ms:-20}ms b=random ;;
scripted) a=scripted b=random ;;
script) a=agent:time=${ms:-100}ms b=scripted ;;
longer) # MS may have options behind it, as 100,bank=0
    ms=${ms:-100}
    a=agent:time=${ms%%,*}0ms${ms#"${ms%%,*}"} b=agent:time=${ms%%,*}ms${ms#"${ms%%,*}"}
    ;;
tutorial) against_tutorial off ;;
rollouts) against_tutorial on ;;
table) table off ;;
table-rollouts) table on ;;
exact)
    mkdir -p "$(dirname "$file")"
    "$solve" "$games" "$seed" 1e-3 "agent:time=${ms:-100}ms" | tee -a "$file"
    exit ;;
*) echo "bloodbowl_strength.sh: no piece '$piece'" >&2; exit 2 ;;
esac
case $piece in
tutorial|rollouts|table*) setup='mode=path ask=human' ;;
esac

mkdir -p "$(dirname "$file")"
test -s "$file" || cat > "$file" <<'END'
| board | a | b | setup | seed | games | wins-draws-losses | score [95 %] | home | away | home - away | touchdowns | ms a decision of a |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
END
"$banyan" match "bloodbowl-$board" "$a" "$b" --games "$games" -j 1 --seed "$seed" \
    --setup "$setup" --json | python3 -c '
import json, math, sys
board, setup, seed = sys.argv[1:]
match = json.load(sys.stdin)
player = match["players"][0]
home, away = player["seats"]

def spread(seat):
    n = max(seat["games"], 1)
    return ((seat["wins"] + seat["draws"] / 4) / n - seat["score"] ** 2) / n

def mean(key):
    return sum(seat[key] * seat["games"] for seat in (home, away)) / max(match["games"], 1)

print("| %s | `%s` | `%s` | %s | %s | %d | %d-%d-%d | %.3f [%.3f, %.3f] | %.3f | %.3f | %+.3f ± %.3f | %.2f - %.2f | %.1f |" % (
    board, match["a"], match["b"], setup, seed, match["games"],
    match["wins_a"], match["draws"], match["wins_b"], match["score_a"], *match["ci95"],
    home["score"], away["score"], home["score"] - away["score"],
    1.96 * math.sqrt(max(spread(home) + spread(away), 0)),
    mean("points"), mean("points_against"), player["ms_per_move"]))
' "$board" "$setup" "$seed" | tee -a "$file"
