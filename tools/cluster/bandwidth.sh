#!/bin/sh
# Measures the bytes to the server for each game, and how often the workers of one machine download a network:
#
#     tools/cluster/bandwidth.sh [GAMES]      (idle.sh: the bytes of workers that have nothing to do)
set -eu
games=${1:-4000}
. "$(dirname "$0")/queue.sh"

"$banyan" train tictactoe --run "$folder/run" --net channels=56,blocks=4 --play simulations=2 --queue "$queue?prefix=run" \
    -o "generations=1,games=$games,passes=0.001,test=,gate-games=0,backend=plain" >/dev/null &
owner=$!
until redis-cli -s "$folder/socket" xlen 'banyan:{run}:jobs' | grep -q '^[1-9]'; do
    kill -0 $owner || exit 1
    sleep 0.05
done
in=$(info total_net_input_bytes) out=$(info total_net_output_bytes) # after the owner has sent the network
for worker in 1 2 3 4 5 6 7 8; do
    start_worker run --threads 1
done
wait $owner
wait_workers
in=$(($(info total_net_input_bytes) - in)) out=$(($(info total_net_output_bytes) - out))
frames=$(stat -c %s "$folder/run/records/g00001.rec")
net=$(stat -c %s "$folder/run/best.safetensors")
echo "a game's frame: $((frames / games)) bytes; network: $net bytes"
told 'to the server, beside the frame' $(((in - frames) / games)) 'bytes a game' '<=' 250
# besides the network the server sends about as many bytes as it receives
told 'downloads by 8 workers of one machine' "$(calc %.2f '($1 - $2) / $3' "$out" "$in" "$net")" networks '<' 2
exit $bad
