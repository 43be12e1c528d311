#!/bin/sh
# Does a second thread, or a batch, weaken the search, and what does it bring at equal time?
#
#   [BANYAN=PROGRAM] tools/results/threads_strength.sh [-G GAME] [-n GAMES] [-l SIMULATIONS] [-m MILLISECONDS]
#       [-s SEED] [NAME...]
#
#   -G  othello
#   -n  2000     games of each match
#   -l  2000     simulations a move, where they are equal
#   -m  100      milliseconds a move, where the time is equal
#   -s  5        seed of the matches
#
# Names: simulations (two threads against one), time (the same at equal time), batch (leaves by 16 against
# one by one, in one thread).  Without names all of them.  Both sides have the same settings otherwise, and
# games begin with 8 random moves.  Equal time wants a machine with two cores and nothing else to do.
set -eu

banyan=${BANYAN:-build/banyan}
game=othello games=2000 simulations=2000 milliseconds=100 seed=5
while getopts G:n:l:m:s: option; do
    case $option in
    G) game=$OPTARG ;;
    n) games=$OPTARG ;;
    l) simulations=$OPTARG ;;
    m) milliseconds=$OPTARG ;;
    s) seed=$OPTARG ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
test $# -gt 0 || set -- simulations time batch

play() { # NAME PLAYER PLAYER
    echo "$1: $2 against $3"
    "$banyan" match "$game" "$2" "$3" --games "$games" -s "$seed" --opening-plies 8
}

for name in "$@"; do
    case $name in
    simulations) play "$name" "mcts:simulations=$simulations,threads=2" "mcts:simulations=$simulations" ;;
    time) play "$name" "mcts:time=${milliseconds}ms,threads=2" "mcts:time=${milliseconds}ms" ;;
    batch) play "$name" "mcts:simulations=$simulations,batch=16" "mcts:simulations=$simulations" ;;
    *) echo "$0: there is no match '$name': simulations, time or batch" >&2; exit 2 ;;
    esac
done
