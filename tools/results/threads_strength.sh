#!/bin/sh
# Does a second thread, or a batch, weaken the search at equal simulations, and what does it gain at equal time?
#
#   [BANYAN=PROGRAM] tools/results/threads_strength.sh [-G GAME] [-n GAMES] [-l SIMULATIONS] [-m MILLISECONDS]
#       [-s SEED] [-d FOLDER] [-q] [NAME...]
#
#   -G  othello
#   -n  2000     games of each match
#   -l  2000     simulations a move, where they are equal
#   -m  100      milliseconds a move, where the time is equal
#   -s  5        seed of the matches
#   -d           folder for the games: a match that was stopped goes on there, and -n may be larger then
#   -q           end a match as soon as it is clear on which side of the score below it is
#
# Names, with the score that the first player should reach:
#   simulations  0.48  two threads against one
#   time         0.53  the same at equal time
#   batch        0.47  batches of 16 leaves against single leaves, in one thread
# Without names all of them.  Both sides have the same settings otherwise, and games begin with 8 random
# moves.  Equal time needs an idle machine with two cores.
set -eu

banyan=${BANYAN:-build/banyan}
game=othello games=2000 simulations=2000 milliseconds=100 seed=5 folder='' quick=''
while getopts G:n:l:m:s:d:q option; do
    case $option in
    G) game=$OPTARG ;;
    n) games=$OPTARG ;;
    l) simulations=$OPTARG ;;
    m) milliseconds=$OPTARG ;;
    s) seed=$OPTARG ;;
    d) folder=$OPTARG ;;
    q) quick=yes ;;
    *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
test $# -gt 0 || set -- simulations time batch
test -z "$folder" || mkdir -p "$folder"

play() { # NAME ELO0,ELO1 PLAYER PLAYER: the wanted score lies in the middle of the Elo differences
    echo "$1: $3 against $4"
    db=$folder/$1-$game.db
    "$banyan" match "$game" "$3" "$4" --games "$games" -s "$seed" --opening-plies 8 \
        ${quick:+--sprt=$2} ${folder:+--db="$db" --resume}
}

for name in "$@"; do
    case $name in
    simulations) play "$name" -28,0 "mcts:simulations=$simulations,threads=2" "mcts:simulations=$simulations" ;;
    time) play "$name" 0,42 "mcts:time=${milliseconds}ms,threads=2" "mcts:time=${milliseconds}ms" ;;
    batch) play "$name" -42,0 "mcts:simulations=$simulations,batch=16" "mcts:simulations=$simulations" ;;
    *) echo "$0: there is no match '$name': simulations, time or batch" >&2; exit 2 ;;
    esac
done
