#!/bin/sh
# Compares self-play by two workers behind a bad link with self-play by two workers beside the server: games of 6x6 Othello a
# second, in turn.
#
#     tools/cluster/delays.sh [ROUNDS [DELAY_MS [PERCENT [GAMES]]]]
#
# Over the link all data comes DELAY_MS (200) later in either direction, and PERCENT (1) % of the pieces of data reset
# their connection.  GAMES of a generation (1,600), of which a job has a sixty-fourth.  The owner is beside the server.
# Wants an idle machine.
set -eu
rounds=${1:-3}
delay=${2:-200}
percent=${3:-1}
games=${4:-1600}
port=${PORT:-6392}
. "$(dirname "$0")/queue.sh"

# play NAME URL: a run of two generations by two workers that connect to URL; adds the seconds of the second
# generation, in which the workers are already connected, to NAME.seconds
play() {
    name=$1-$round url=$2
    "$banyan" train othello-6x6 --run "$folder/$name" --net channels=16,blocks=3 --play simulations=200 \
        -o "generations=2,games=$games,passes=0.001,test=,gate-games=0,backend=plain" \
        --queue "$queue?prefix=$name" --audit 0 >"$folder/$name.out" 2>&1 &
    owner=$!
    for worker in 1 2; do
        "$banyan" worker --queue "$url?prefix=$name" --cache "$folder/cache-$name-$worker" --threads 1 \
            >>"$folder/workers.out" 2>&1 &
        workers="$workers $!"
    done
    wait $owner || { echo 'the run failed'; exit 1; }
    wait_workers
    tail -1 "$folder/$name/log" | sed 's/.*(play \([0-9.]*\),.*/\1/' >>"$folder/$1.seconds"
}
sum() { awk '{ s += $1 } END { print s }' "$1"; }

python3 "$here/proxy.py" "$port" "$folder/socket" "$delay" "$percent" >"$folder/proxy.out" &
proxy=$!
trap 'kill $proxy 2>/dev/null; queue_close' EXIT
until grep -q "$(printf ':%04X ' "$port")" /proc/net/tcp; do sleep 0.05; done
for round in $(seq "$rounds"); do
    play near "$queue"
    play far "redis://127.0.0.1:$port"
done
kill $proxy
wait $proxy || :
cat "$folder/proxy.out"
near=$(sum "$folder/near.seconds") far=$(sum "$folder/far.seconds")
echo "$games games: $(calc %.1f '$1 / $2' "$near" "$rounds") s beside the server, $(calc %.1f '$1 / $2' "$far" "$rounds") s over the link"
told 'games a second over the link' "$(calc %.1f '100 * $1 / $2' "$near" "$far")" '% of those beside the server' '>=' 90
exit $bad
