#!/bin/sh
# banyan train --queue with banyan worker; what both say when something is wrong; commands of earlier versions:
# sh tests/test_cli_worker.sh BUILD
set -u
. tests/program.sh

# expect CODE TEXT WORD...: banyan WORD... ends with CODE, and the one line that it says on stderr has TEXT
expect() {
    ends "$@"
    one_line
}

# --- without a server ---
for earlier in selfplay learn gate; do
    expect 2 'any number of `banyan worker --queue URL` play' $earlier tictactoe --run "$work/run"
done
expect 2 'needs --queue URL' worker
expect 2 "'tictactoe' is one word too many" worker -q redis://127.0.0.1 tictactoe
expect 2 'is no queue: redis://HOST' worker -q here
expect 2 "'memory:' is a queue within one process" worker -q memory:
expect 2 "'memory:' is a queue within one process" train tictactoe --run "$work/run" -q memory:
expect 2 '--lease' train tictactoe --run "$work/run" -q redis://127.0.0.1 --lease 1ms
expect 2 "'gate' is no kind of job: play, match" worker -q redis://127.0.0.1 --kinds play,gate
expect 2 '--local is for --queue' train tictactoe --run "$work/run" --local 2
if "$banyan" worker -q redis://127.0.0.1:1 2>&1 | grep -q 'knows no Redis'; then # -DBANYAN_REDIS=OFF
    for command in worker 'match tictactoe random random' "train tictactoe --run $work/run"; do
        # shellcheck disable=SC2086 # words
        expect 2 'Debian: libhiredis-dev' $command --queue redis://127.0.0.1
    done
    echo 'SKIPPED: a build without hiredis, so no worker plays (Debian: libhiredis-dev)'
    [ $bad -eq 0 ] && exit 77
    exit 1
fi
if ! command -v redis-server >/dev/null || ! command -v redis-cli >/dev/null; then
    echo 'SKIPPED: no redis-server here, so no worker plays (Debian: redis-server)'
    [ $bad -eq 0 ] && exit 77
    exit 1
fi
expect 1 'start one (`make redis`' worker -q "redis+unix://$work/socket"

# --- with one ---
BANYAN=$banyan
. tools/cluster/queue.sh
trap 'queue_close; rm -rf "$work"' EXIT

settings='games=20,window=200,gate-games=0,test=,generations=2'
small() { # small RUN WORD...
    run=$folder/$1
    shift
    timeout 600 "$banyan" train tictactoe --run "$run" -o $settings --play simulations=4 --net channels=4,blocks=1 "$@"
}
small alone >/dev/null 2>"$work/err" || fail "a run alone: $(cat "$work/err")"
timeout 600 "$banyan" worker -q "$queue" --threads 1 --name one --cache "$folder/cache" >"$folder/one" 2>"$work/err" &
one=$!
small shared -q "$queue" --json >"$folder/json" || fail "a run by a worker: $(cat "$folder/json")"
wait $one || fail "a worker: $(cat "$work/err")"
grep -q '^there are no more jobs: [0-9]* jobs done' "$folder/one" || fail "a worker said: $(cat "$folder/one")"
for file in learner best; do
    cmp "$folder/alone/$file.safetensors" "$folder/shared/$file.safetensors" || fail "other bytes: $file"
done
grep -q '<tr><td>one</td><td>40</td><td>100.0 %</td>' "$folder/shared/report.html" || fail 'no workers in the report'
grep -q '<h2>Workers' "$folder/alone/report.html" && fail 'workers in the report of a run alone'
find "$folder/cache" -type f | grep -q '/[0-9a-f]\{64\}$' || fail 'no network is in the cache'
grep -q '^{"type":"begin",.*"networks":"plain' "$folder/json" || fail "no beginning: $(cat "$folder/json")"
grep -q '^{"type":"generation","generation":2,"games":20,' "$folder/json" || fail "no generation: $(cat "$folder/json")"
tail -1 "$folder/json" | grep -q '"type":"end","why":"last","finished":2,' || fail "no end: $(tail -1 "$folder/json")"
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]' <"$folder/json" || fail 'no JSON lines'
    [ "$(python3 tools/cluster/digest.py "$folder/alone")" = "$(python3 tools/cluster/digest.py "$folder/shared" 1)" ] ||
        fail 'the games are others'
fi

# A worker that does one job, after it another one, and one that plays only matches share a run with gates and tests; then
# its owner plays alone.
gates=gate-games=6,gate-plies=2,test=random,test-games=4,test-stop=off
small matches -o $gates >/dev/null 2>"$work/err" || fail "a run with gates alone: $(cat "$work/err")"
start_worker gates --threads 1 --name matches --kinds match
(
    timeout 600 "$banyan" worker -q "$queue?prefix=gates" --threads 1 --once
    timeout 600 "$banyan" worker -q "$queue?prefix=gates" --threads 1
) >>"$folder/workers.out" 2>&1 &
workers="$workers $!"
small gates -o $gates -q "$queue?prefix=gates" >/dev/null 2>"$work/err" || fail "a run with gates: $(cat "$work/err")"
wait_workers
small local -o $gates -q "$queue?prefix=local" --local 2 >/dev/null 2>"$work/err" || fail "--local: $(cat "$work/err")"
grep -q '^one job is done (--once): 1 jobs done' "$folder/workers.out" || fail "--once: $(cat "$folder/workers.out")"
for file in learner best; do
    cmp "$folder/matches/$file.safetensors" "$folder/gates/$file.safetensors" || fail "other bytes by gates: $file"
    cmp "$folder/matches/$file.safetensors" "$folder/local/$file.safetensors" || fail "other bytes by --local: $file"
done
grep -q '<td>matches</td>' "$folder/gates/report.html" && fail 'a worker for matches has played games of self-play'

# SIGTERM ends a worker soon, with the code of an interrupted command.
"$banyan" worker -q "$queue?prefix=none" --threads 1 >"$folder/out" 2>&1 &
worker=$!
until redis-cli -s "$folder/socket" keys 'banyan:{none}:w:*' | grep -q .; do # it has reported
    kill -0 $worker || { fail "a worker without a run: $(cat "$folder/out")"; break; }
    sleep 0.05
done
kill -TERM $worker
wait $worker
[ $? -eq 130 ] || fail "a worker after SIGTERM: $(cat "$folder/out")"
grep -q '^stopped; unfinished games are returned: 0 jobs done' "$folder/out" || fail "SIGTERM: $(cat "$folder/out")"
exit $bad
