#!/bin/sh
# Stops an owner (SIGSTOP) while two workers play: results must wait up to a limit, then the workers must wait; when the
# owner goes on, the workers must play again:
#
#     tools/cluster/pressure.sh [SECONDS]
set -eu
seconds=${1:-120}
. "$(dirname "$0")/queue.sh"

length() { redis-cli -s "$folder/socket" xlen "banyan:{run}:$1"; }
size() { stat -c %s "$folder/run/records/g00001.rec" 2>/dev/null || echo 0; }

"$banyan" train tictactoe --run "$folder/run" --net channels=8,blocks=2 --play simulations=50 --queue "$queue?prefix=run" \
    -o generations=1,games=500k,passes=0.001,test=,gate-games=0 >/dev/null &
owner=$!
start_worker run --threads 1 && one=$!
start_worker run --threads 1 && two=$!
until [ "$(size)" -gt 10000 ]; do
    kill -0 $owner || exit 1
    sleep 0.1
done
limit=$(redis-cli -s "$folder/socket" hget 'banyan:{run}:run' limit)
kill -STOP $owner
sleep "$seconds"
told 'results that wait' "$(length done)" results '<=' "$limit"
told 'memory of the server' "$(calc %.1f '$1 / 1e6' "$(info used_memory)")" MB '<=' 64
alive=0
for process in $one $two; do
    ! kill -0 "$process" 2>/dev/null || alive=$((alive + 1))
done
told 'workers that are still there' $alive workers '>=' 2
before=$(size)
kill -CONT $owner
begin=$(date +%s%N)
while [ "$(size)" -le "$before" ] || [ "$(length done)" -gt "$((limit / 2))" ]; do sleep 0.02; done
told 'until games are stored again' "$(calc %.2f '$1 / 1e9' $(($(date +%s%N) - begin)))" s '<=' 2
kill -KILL $owner
exit $bad
