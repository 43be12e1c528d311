#!/bin/sh
# Tests network links that fail and come back, for two of four workers, and a slow link; the workers are in a network
# namespace, so the script must run as root:
#
#     tools/cluster/links.sh [DOWNS [SECONDS]]      the link is down DOWNS (20) times, for 2 to SECONDS (60) s
#
# A run must end with the same bytes as a run in one process, workers must reach the server again soon after their link
# is back, and a network of 1 MB must arrive over a link of 1 Mbit/s.
set -eu
downs=${1:-20}
most=${2:-60}
. "$(dirname "$0")/queue.sh"
space=banyan-$$
trap 'queue_close; ip netns del $space' EXIT

# a second server, with an address that the workers in the namespace can reach
ip netns add $space
ip link add "b$$" type veth peer name "c$$" netns $space
ip addr add 10.211.211.1/30 dev "b$$"
ip link set "b$$" up
ip -n $space addr add 10.211.211.2/30 dev "c$$"
ip -n $space link set "c$$" up
kill $server
wait $server 2>/dev/null || :
redis-server --bind 10.211.211.1 --port 6391 --unixsocket "$folder/socket" --dir "$folder" --save '' --appendonly yes \
    --protected-mode no >"$folder/redis.log" &
server=$!
until redis-cli -s "$folder/socket" ping 2>/dev/null | grep -q PONG; do sleep 0.05; done

# start_far PREFIX WORD...: a worker in the namespace
start_far() {
    prefix=$1
    shift
    ip netns exec $space "$banyan" worker --queue "redis://10.211.211.1:6391?prefix=$prefix" "$@" >>"$folder/workers.out" 2>&1 &
    workers="$workers $!"
}
# play RUN GENERATIONS OPTION...: takes the place of this shell, so that a signal reaches the program.  The learning rate
# stays what it is, so that a generation does not depend on how many follow.
play() {
    run=$folder/$1 generations=$2
    shift 2
    exec "$banyan" train tictactoe --run "$run" --json --net channels=8,blocks=2 --play simulations=2000,at-once=1,threads=2 \
        -o "generations=$generations,rate-end=1,games=160,gate-games=20,gate-plies=2,test=,backend=plain" "$@"
}
silent() { # the longest time in ms that a worker behind the link has not been heard by the server
    redis-cli -s "$folder/socket" xinfo consumers 'banyan:{links}:jobs' w |
        awk '/^far/ { far = 1 } /^near/ { far = 0 } idle { if (far && $1 > most) most = $1; idle = 0 } /^idle$/ { idle = 1 }
             END { print most + 0 }'
}

# --- links that go down ---
play shared 1000000 --queue "$queue?prefix=links" --lease 5s >"$folder/shared.out" &
owner=$!
start_worker links --threads 1 --name near-1
start_worker links --threads 1 --name near-2
start_far links --threads 1 --name far-1 --cache "$folder/far"
start_far links --threads 1 --name far-2 --cache "$folder/far"
sleep 3
late=0
for down in $(seq "$downs"); do
    kill -0 $owner 2>/dev/null || { echo 'the run failed'; exit 1; }
    ip link set "b$$" down
    sleep $((2 + down * 7919 % (most - 1)))
    ip link set "b$$" up
    begin=$(date +%s%N)
    took=0
    while [ "$(silent)" -ge "$took" ] && kill -0 $owner 2>/dev/null; do
        sleep 0.05
        took=$((($(date +%s%N) - begin) / 1000000))
    done
    [ $took -le $late ] || late=$took
done
told 'workers speak again after a link has returned' "$(calc %.2f '$1 / 1000' $late)" 's at most' '<=' 2
kill -INT $owner # the run has no other end: it stops in a generation, which another owner finishes
wait $owner || [ $? = 130 ] || { echo 'the run failed'; exit 1; }
generations=$(($(sed -n 's/^generation \([0-9]*\):.*/\1/p' "$folder/shared/log" | tail -1) + 1))
(play shared $generations --queue "$queue?prefix=links" --lease 5s) >"$folder/shared.out"
wait_workers
echo "links went down $downs times during $generations generations"
(play alone $generations) >"$folder/alone.out"
shared=$(python3 "$here/digest.py" "$folder/shared")
alone=$(python3 "$here/digest.py" "$folder/alone")
echo "with links that went down $shared, alone $alone"
[ "$shared" = "$alone" ] || bad=1

# --- a slow link ---
tc qdisc add dev "b$$" root tbf rate 1mbit burst 32kbit latency 400ms
"$banyan" train tictactoe --run "$folder/slow" --net channels=56,blocks=4 --play simulations=2,at-once=1 \
    --queue "$queue?prefix=slow" -o generations=1,games=1,passes=0.001,test=,gate-games=0 >/dev/null &
owner=$!
begin=$(date +%s%N)
start_far slow --threads 1 --cache "$folder/slow-cache"
wait $owner
told 'first game with a network of 1 MB, at 1 Mbit/s' "$(calc %.1f '$1 / 1e9' $(($(date +%s%N) - begin)))" s '<=' 12
wait_workers
exit $bad
