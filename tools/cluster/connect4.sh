#!/bin/sh
# A run of Connect Four that two workers play, one of which is killed again and again, in turn: with backend plain its bytes
# must be those of a run in one process.
#
#     tools/cluster/connect4.sh [SECONDS [OPTION...]]     SECONDS between two kills; such as:
#     tools/cluster/connect4.sh 60 -o generations=20,games=400
set -eu
seconds=${1:-60}
[ $# -lt 1 ] || shift
. "$(dirname "$0")/queue.sh"

play() { # play RUN OPTION...
    run=$folder/$1
    shift
    "$banyan" train connect4 --run "$run" -o backend=plain,test= "$@"
}

play shared "$@" --queue "$queue?prefix=c4" --lease 10s >"$folder/shared.out" &
owner=$!
start_worker c4 --threads 1 --name worker-1 && one=$!
start_worker c4 --threads 1 --name worker-2 && two=$!
count=2
while sleep "$seconds" && kill -0 $owner 2>/dev/null; do
    kill -KILL $one 2>/dev/null || :
    one=$two
    count=$((count + 1))
    start_worker c4 --threads 1 --name "worker-$count" # a new worker: the killed one is not started again
    two=$!
done
wait $owner || { echo 'the run failed'; exit 1; }
cat "$folder/shared.out"
play alone "$@" >/dev/null
echo "workers killed: $((count - 2))"
shared=$(python3 "$here/digest.py" "$folder/shared")
alone=$(python3 "$here/digest.py" "$folder/alone")
echo "two workers: $shared, one process: $alone"
[ "$shared" = "$alone" ]
