#!/bin/sh
# Runs of tic-tac-toe and of 6x6 Othello, each played by threads of one process and by 1, 2, 4 and 8 workers over a queue in
# Redis: learner, best network and sorted records must be the same bytes, and no worker may play less than a tenth of
# its fair share:
#
#     tools/cluster/same_bytes.sh [SEED [OPTION...]]      such as: 7 -o ahead=1
set -eu
seed=${1:-1}
[ $# -lt 1 ] || shift
. "$(dirname "$0")/queue.sh"

# play GAME WORKERS OPTION...: a run in $folder/run-WORKERS; 0 workers: without a queue
play() {
    game=$1 count=$2
    shift 2
    run=$folder/$game-$count
    set -- train "$game" --run "$run" -o "seed=$seed,backend=plain" "$@"
    if [ "$count" -gt 0 ]; then
        for worker in $(seq "$count"); do
            start_worker "$game-$count" --threads 1 --name "worker-$worker"
        done
        set -- "$@" --queue "$queue?prefix=$game-$count"
    fi
    "$banyan" "$@" >"$run.out"
    python3 "$here/digest.py" "$run" "$count"
}

for game in tictactoe othello-6x6; do
    simulations=100
    [ $game = tictactoe ] || simulations=40
    wanted=
    for count in 0 1 2 4 8; do
        got=$(play $game $count -o generations=3,games=160,gate-games=20,test= --net channels=8,blocks=2 \
            --play "simulations=$simulations,at-once=4" "$@")
        [ -n "$wanted" ] || wanted=$got
        same='the same bytes'
        [ "$got" = "$wanted" ] || { same='OTHER BYTES'; bad=1; }
        echo "$game, $count workers: $got $same"
    done
done
exit $bad
