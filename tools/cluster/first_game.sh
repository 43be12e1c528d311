#!/bin/sh
# Measures after what time a new worker's first game of tic-tac-toe is in the owner's file: with a network of 1 MB, with
# one that the worker's machine has already, and with a network of 50 MB:
#
#     tools/cluster/first_game.sh
set -eu
. "$(dirname "$0")/queue.sh"

size() { stat -c %s "$1" 2>/dev/null || echo 0; }

# first WHAT NET BOUND: a run whose owner is waiting when the worker starts
first() {
    run=$folder/$1
    rm -rf "$run"
    "$banyan" train tictactoe --run "$run" --net "$2" --play simulations=2,at-once=1 --queue "$queue?prefix=$1" \
        -o generations=1,games=1,passes=0.001,test=,gate-games=0,backend=plain >/dev/null &
    owner=$!
    file=$run/records/g00001.rec
    until redis-cli -s "$folder/socket" xlen "banyan:{$1}:jobs" | grep -q '^[1-9]'; do
        kill -0 $owner || exit 1
        sleep 0.05
    done
    empty=$(size "$file")
    begin=$(date +%s%N)
    start_worker "$1" --threads 1
    while [ "$(size "$file")" -le "$empty" ]; do sleep 0.01; done
    told "$1, first game" "$(calc %.2f '$1 / 1e9' $(($(date +%s%N) - begin)))" s '<=' "$3"
    wait $owner
    wait_workers
}

first new-1MB channels=56,blocks=4 1.0
first cached-1MB channels=56,blocks=4 0.3
first new-50MB channels=256,blocks=10 6
exit $bad
