#!/bin/sh
# Many battles on the real server while connections break and the server is killed:
#
#     tools/results/showdown_faults.sh BANYAN [GAMES [PORT]]       # default 1000 games, about 10 min
#
# Eight battles at once; the first player's connection breaks after every 100 of its decisions, and
# every two minutes the server is killed and started again.  Prints both players' counts, memory
# early and at the end, and how often the server was killed.  Fails unless all games were finished (or given
# up, because the server forgot them) without an invalid or late choice.
set -eu
banyan=$(realpath "$1")
games=${2:-1000}
port=${3:-8330}
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
killer=
trap 'kill $killer 2>/dev/null || true; kill_server; rm -rf "$work"' EXIT

tools/showdown/start --install
# The server and its workers are one process group, which is killed: a worker that survived would keep the port.
kill_server() {
    kill -s KILL -- "-$(cat "$work/pid")" 2>/dev/null || true
}
serve() { # returns when the server listens
    while :; do
        setsid tools/showdown/start "$port" >"$work/server" 2>&1 &
        echo $! >"$work/pid"
        for _ in $(seq 60); do
            ! grep -q 'now listening' "$work/server" || return 0
            sleep 1
        done
        cat "$work/server" >&2
        kill_server
    done
}
serve
(
    kills=0
    while sleep 120; do
        kill_server
        sleep 3
        kills=$((kills + 1))
        echo $kills >"$work/kills"
        serve
    done
) &
killer=$!
status=0
tools/showdown/play "$banyan" "$port" "$games" 8 "mcts:simulations=10 --seed 3 --patience 600s --drop-every 100" \
    "heuristic --seed 4 --patience 600s" >"$work/out" 2>"$work/err" || status=$?
cat "$work/out"
grep -v 'no connection: ' "$work/err" | tail -n 20
echo "the server was killed $(cat "$work/kills" 2>/dev/null || echo 0) times"
for zero in invalid late timed_out differences; do
    if grep "\"$zero\":" "$work/out" | grep -qv ': 0,'; then
        echo "FAILED: $zero is not 0"
        status=1
    fi
done
exit $status
