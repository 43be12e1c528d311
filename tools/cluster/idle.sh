#!/bin/sh
# Measures the bytes a minute between the server and workers without jobs: while there is no owner, and while another
# worker has the owner's only game (the bytes between owner and server are subtracted):
#
#     tools/cluster/idle.sh [SECONDS [WORKERS]]
set -eu
seconds=${1:-60}
count=${2:-8}
. "$(dirname "$0")/queue.sh"
traffic() {
    redis-cli -s "$folder/socket" info stats | tr -d '\r' |
        awk -F: '/^total_net_(in|out)put_bytes/ { sum += $2 } END { print sum }'
}

# measure: the bytes of some seconds, with those of the measurement itself
measure() {
    sleep 5 # until the workers are connected
    bytes=$(traffic)
    sleep "$seconds"
    echo $(($(traffic) - bytes))
}
start_idle() { # start_idle NAME
    for worker in $(seq "$count"); do
        start_worker idle --threads 1 --name "$1-$worker"
    done
}
told_idle() { # told_idle WHAT BYTES
    told "$1" "$(calc %.1f '60 * $1 / $2 / $3 / 1000' "$2" "$seconds" "$count")" 'kB a worker and minute' '<=' 3
}

start_idle early
told_idle 'no owner' "$(measure)"
# shellcheck disable=SC2086 # a list
kill $workers
wait_stopped() { wait "$1" || [ $? -eq 130 ]; }
for process in $workers; do wait_stopped "$process"; done
workers=

"$banyan" train othello --run "$folder/run" --net channels=8,blocks=2 --play simulations=2M --queue "$queue?prefix=idle" \
    -o generations=1,games=1,test=,gate-games=0 --json >"$folder/owner.out" 2>&1 &
owner=$!
start_worker idle --threads 1 --name busy
alone=$(measure)
kill -0 $owner || { cat "$folder/owner.out"; exit 1; }
start_idle late
told_idle 'an owner without a job for them' $(($(measure) - alone))
kill -KILL $owner
exit $bad
