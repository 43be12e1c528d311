#!/bin/sh
# The first Ctrl-C ends every command soon, with exit code 130 and what it has done so far:
# sh tests/test_cli_interrupt.sh BUILD
set -u
banyan=$1/banyan
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

fail() {
    echo "FAILED: $*"
    bad=1
}

# stopped OUT ERR WORD...: banyan WORD..., which would run for a minute or more, is interrupted after
# a second and ends within five (a busy machine has time enough; a command that does not look at the
# signal has not), with code 130, and says OUT on stdout and ERR on stderr ('': anything).
stopped() {
    out=$1 err=$2
    shift 2
    "$banyan" "$@" >"$work/out" 2>"$work/err" </dev/null &
    command=$!
    sleep 1
    kill -INT $command || { fail "banyan $*: ended by itself: $(cat "$work/err")"; return; }
    (sleep 5; kill -KILL $command 2>/dev/null; :) &
    watchdog=$!
    wait $command
    code=$?
    kill $watchdog 2>/dev/null
    wait $watchdog 2>/dev/null
    [ $code -eq 130 ] || fail "banyan $*: exit code $code, not 130 (137: it did not stop)"
    [ -z "$out" ] || grep -q -- "$out" "$work/out" || fail "banyan $*: stdout lacks '$out': $(cat "$work/out")"
    [ -z "$err" ] || grep -q -- "$err" "$work/err" || fail "banyan $*: stderr lacks '$err': $(cat "$work/err")"
}

# --- searches ---
stopped '^best ' 'stopped after [0-9]* of 1000000000 simulations' search othello -n 1G --memory=8M
stopped '"interrupted": true' 'stopped after [0-9]* of 600000 ms' search othello -t 10m --memory=8M --json
stopped '^root ' 'stopped after [0-9]* of 1000000000 simulations' tree othello -n 1G --memory=8M

# --- a long decision of every kind of player ---
stopped '' 'stopped after 0 of 10 games' match connect4 perfect:memory=4G random --games 10
stopped '' 'stopped after 0 of 10 games' match othello mcts:simulations=1G,memory=8M random --games 10
stopped '' 'stopped after 0 of 10 games' match othello-6x6 endgame:empties=36 random --games 10
stopped '' 'stopped after 0 of 10 games' match mushroom tournament:time=600000ms random --games 10
stopped '' 'stopped after 0 of 10 games' match bloodbowl-3 agent:time=600000ms random --games 10
stopped '' 'stopped after 0 of 10 games' match pokemon agent:time=600000ms random --games 10
stopped '' 'stopped after 0 of 10 games' match tictactoe first "exec:tests/data/engines/fake.sh hang" --games 10

# --- what was answered, and what was not asked ---
stopped ' right, [1-9][0-9]* not asked, ' 'stopped after [0-9]* of 79 positions' \
    suite tests/data/othello/fforum.suite -t 1500ms -o memory=8M
stopped '"interrupted": true' 'stopped after [0-9]* of 79 positions' \
    suite tests/data/othello/fforum.suite -t 10m -o memory=8M --json
stopped 'won-drawn-lost' 'stopped after 0 of 1 games' demo othello --time=6000s
grep -q '^othello' "$work/out" && fail 'demo tells of games that were not played'
stopped 'won-drawn-lost' 'stopped after [0-9]* of 5 games' demo --time=6000s

# --- the judge: the game in hand does not count ---
me="$banyan nypc --nodes 20 --memory 65536 NYPC"
hang='read a; echo OK; read a; read a || exit; sleep 98764'
stopped '' 'stopped after 0 of 3 games' judge --games 3 --bank 100000ms --first "$hang" --second "$me"
stopped '^first ' 'stopped after [1-9][0-9]* of 1000000 games' \
    judge --games 1000000 --quiet --first "$me" --second "$me"
if command -v pgrep >/dev/null && pgrep -f '^sleep 98764' >/dev/null; then
    fail 'judge leaves programs behind'
fi

# --- records that never end ---
mkfifo "$work/records"
(cat tests/data/records/othello.txt; exec sleep 20) >"$work/records" &
feeder=$!
stopped ' 0 differences' 'stopped before the end' verify othello "$work/records"
kill $feeder 2>/dev/null

exit $bad
