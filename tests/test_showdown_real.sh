#!/bin/sh
# banyan showdown on the real Pokemon Showdown server: sh tests/test_showdown_real.sh BUILD
#
# Games both ways by the search, against random and base power; games with connections that are
# broken again and again, a server that is killed and comes back.  Skipped only where npm cannot bring the server (exit status 77).
set -u
banyan=$1/banyan
tracker=$1/test_showdown_tracker
work=$(mktemp -d)
port=$((20000 + $$ % 10000)) # below those that the system gives to outgoing connections
patient='--patience 1200s --silence 300s' # no matter how busy the machine is
server= second=
bad=0

stop() {
    for process in $server $second; do
        { kill "$process" && wait "$process"; } 2>/dev/null
    done
    server= second=
}
trap 'stop; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

fail() {
    echo "FAILED: $*"
    bad=1
}

tools/showdown/start --install >"$work/install" 2>&1
status=$?
if [ $status = 77 ]; then
    tail -n 5 "$work/install"
    echo 'SKIPPED: no real Showdown server here, npm cannot install it: nothing was played'
    exit 77
elif [ $status != 0 ]; then
    cat "$work/install"
    exit 1
fi

# Does somebody listen on the port?  The server says so a moment before its worker does.
answers() {
    node -e "require('net').connect($port, '127.0.0.1', () => process.exit(0)).on('error', () => process.exit(1))"
}

while answers; do port=$((port + 1)); done # this one is somebody else's

start() {
    tools/showdown/start $port >"$work/server" 2>&1 &
    server=$!
    while kill -0 $server 2>/dev/null; do
        grep -q 'now listening' "$work/server" && answers && return
        sleep 0.2
    done
    echo 'the server did not start:'
    cat "$work/server"
    exit 1
}

# play GAMES CHALLENGER PLAYER ACCEPTER PLAYER [WORD...]: both sides end well; their results are in
# files of their names
play() {
    games=$1 one=$2 one_player=$3 two=$4 two_player=$5
    shift 5
    timeout 1200 "$banyan" showdown $patient -s localhost:$port --name "$two" --accept "$one" \
        -n "$games" --player "$two_player" --json --seed 7 --save "$work/games-$two" "$@" \
        >"$work/$two" 2>"$work/$two.err" &
    other=$!
    timeout 1200 "$banyan" showdown $patient -s localhost:$port --name "$one" --challenge "$two" \
        -n "$games" --player "$one_player" --json --seed 8 --save "$work/games-$one" "$@" \
        >"$work/$one" 2>"$work/$one.err"
    status=$?
    wait $other
    other=$?
    for name in "$one" "$two"; do
        [ $status = 0 ] && [ $other = 0 ] || { fail "$name: exit codes $status and $other"; tail -n 20 "$work/$name.err"; }
        is "$name" games "$games"
        for zero in invalid late defaults timed_out unknown_lines differences unsearched; do
            is "$name" $zero 0
        done
    done
}
value() { sed -n 's/^ *"'"$2"'": *\([0-9.]*\),\{0,1\}$/\1/p' "$work/$1"; }
is() { [ "$(value "$1" "$2")" = "$3" ] || fail "$1: $2 is $(value "$1" "$2"), not $3"; }

start

# --- both ways; what one wins the other loses ---
# Battles are drawn by the server, and a good player loses some.  With 3 % of losses against random and 15 % against
# base power, of 100,000 runs one has fewer than 6 wins of 12.  A number of simulations, not a time, so that a slow
# machine plays as well.
play 6 albanyan mcts:simulations=300 bobanyan random -j 2
is bobanyan won "$(value albanyan lost)"
is bobanyan abandoned 0
random=$(value albanyan won)
play 6 bobanyan max-base-power albanyan mcts:simulations=300 -j 2
is bobanyan won "$(value albanyan lost)"
is bobanyan abandoned 0
power=$(value albanyan won)
[ $((${random:-0} + ${power:-0})) -ge 6 ] || fail "the search won $random of 6 against random, $power of 6 against base power"
for dump in "$work"/games-albanyan/*.jsonl; do
    "$banyan" search pokemon --replay "$dump" --json >"$work/replay" || fail "$dump: not the same decisions again"
    grep -q '"same":true' "$work/replay" || fail "$dump: nothing was searched"
done
for name in albanyan bobanyan; do
    "$tracker" "$work/games-$name" >"$work/tracker" 2>&1 || { fail "tracker of $name"; cat "$work/tracker"; }
    files=$(ls "$work/games-$name"/*.html | wc -l)
    [ "$files" = 12 ] || fail "$name saved $files replays, not 12"
done
grep -q 'id="data">"|' "$work"/games-albanyan/*.html || fail 'no log in the replays'

# --- connections that break: often enough that four short battles have two such ---
play 4 carbanyan mcts:simulations=50 dobanyan heuristic -j 2 --drop-every 15
for name in carbanyan dobanyan; do
    is $name abandoned 0
    [ "$(value $name reconnects)" -ge 2 ] || fail "$name: $(value $name reconnects) reconnects"
    [ "$(value $name rebuilt)" -ge 1 ] || fail "$name: no battle was taken up again"
done

# --- a server that is killed, and comes back ---
(
    until grep -qs begins "$work/elbanyan.err"; do sleep 0.1; done
    kill $server
) &
killer=$!
(
    while kill -0 $server 2>/dev/null; do sleep 0.1; done
    exec tools/showdown/start $port >"$work/server2" 2>&1
) &
second=$!
play 2 elbanyan mcts:simulations=50 febanyan random
{ kill $killer && wait $killer; } 2>/dev/null # it is done, or there was nothing to wait for
stop
[ "$(value elbanyan reconnects)" -ge 1 ] || fail 'the killed server was not noticed'

for name in albanyan bobanyan carbanyan elbanyan; do
    echo "$name: $(value $name games) games, $(value $name decisions) decisions," \
        "$(value $name reconnects) reconnects, $(value $name elapsed_s) s"
done
exit $bad
