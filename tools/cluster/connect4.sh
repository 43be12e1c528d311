#!/bin/sh
# A run of Connect Four that two workers play, which are killed again and again, in turn: with backend plain its bytes
# must be those of a run in one process, and with another backend its network must know as many of a thousand solved
# positions as with backend plain, within chance.
#
#     tools/cluster/connect4.sh [SECONDS [OPTION...]]     SECONDS between two kills; such as:
#     tools/cluster/connect4.sh 60 -o generations=60,games=300 --play simulations=80,threads=2 --net channels=24
#
# Runs without OPTION take hours.
set -eu
seconds=${1:-60}
[ $# -lt 1 ] || shift
. "$(dirname "$0")/queue.sh"

play() { # play RUN BACKEND OPTION...
    run=$folder/$1 backend=$2
    shift 2
    "$banyan" train connect4 --run "$run" -o "backend=$backend,test=" "$@"
}

# share RUN BACKEND OPTION...: two workers play a run, and every SECONDS seconds one of them is killed and replaced
share() {
    name=$1
    play "$@" --queue "$queue?prefix=$name" --lease 10s >"$folder/$name.out" &
    owner=$!
    start_worker "$name" --threads 1 --name worker-1 && one=$!
    start_worker "$name" --threads 1 --name worker-2 && two=$!
    count=2
    while sleep "$seconds" && kill -0 $owner 2>/dev/null; do
        kill -KILL $one 2>/dev/null || :
        one=$two
        count=$((count + 1))
        start_worker "$name" --threads 1 --name "worker-$count" # a new worker: the killed one is not started again
        two=$!
    done
    wait $owner || { echo 'the run failed'; exit 1; }
    workers=
    cat "$folder/$name.out"
    echo "$name: $((count - 2)) workers killed"
}

# right RUN: of the solved positions, how many choices of the run's network keep the value
right() {
    "$banyan" suite -q --need=0 --player "net:$folder/$1/best.safetensors,simulations=400" \
        "$here/../../tests/data/connect4/solved.suite" | sed -n 's/^\([0-9]*\) of [0-9]* right.*/\1/p'
}

share shared plain "$@"
play alone plain "$@" >/dev/null
shared=$(python3 "$here/digest.py" "$folder/shared")
alone=$(python3 "$here/digest.py" "$folder/alone")
echo "two workers: $shared, one process: $alone"
[ "$shared" = "$alone" ] || bad=1
share other onednn "$@"
plain=$(right shared) onednn=$(right other)
echo "solved positions of 1,000 whose value the network keeps at 400 simulations: backend plain $plain, onednn $onednn"
told 'difference' "$(calc %d '$1 > $2 ? $1 - $2 : $2 - $1' "$plain" "$onednn")" positions '<=' \
    "$(calc %.0f '1.96 * sqrt(($1 * (1000 - $1) + $2 * (1000 - $2)) / 1000)' "$plain" "$onednn")"
exit $bad
