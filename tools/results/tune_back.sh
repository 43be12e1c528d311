#!/bin/sh
# Does tuning bring a parameter that is four times too large back to a good value?  Is it better than the shipped one?
#
#   tools/results/tune_back.sh [-b BANYAN] [-o FOLDER] [-j JOBS] [-n GAMES] [-m GAMES] [-s SEED]
#
#   -b  build/banyan
#   -o  build/tune_back: games are kept there, and not played again
#   -n  10000  games of the tuning run
#   -m  20000  most games of each match
#   -s  1      seed of the tuning run; the matches have the next seeds, so their games differ from its games
#
# Othello at 200 simulations a move: UCB1's exploration starts at 2, where 0.5 is shipped.  Then SPRT(0, 20) of the value
# found against 2, and against 0.5.
set -eu

banyan=build/banyan folder=build/tune_back jobs=1 games=10000 most=20000 seed=1
while getopts b:o:j:n:m:s: option; do
    case $option in
    b) banyan=$OPTARG ;;
    o) folder=$OPTARG ;;
    j) jobs=$OPTARG ;;
    n) games=$OPTARG ;;
    m) most=$OPTARG ;;
    s) seed=$OPTARG ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done

mkdir -p "$folder"
off=mcts:simulations=200,memory=4M,exploration=2
shipped=mcts:simulations=200,memory=4M
"$banyan" tune othello "$off" --param exploration=0.1..4:log --games "$games" -s "$seed" -j "$jobs" --opening-plies 6 \
    --run "$folder/run-$games-$seed" >"$folder/tuned"
cat "$folder/tuned"
found=$(tail -1 "$folder/tuned")

for other in "$off" "$shipped"; do
    seed=$((seed + 1))
    echo "$found against $other"
    "$banyan" match othello "$found" "$other" --games "$most" -s "$seed" -j "$jobs" --opening-plies 6 --sprt 0,20 \
        --db "$folder/games.db" --resume
done
