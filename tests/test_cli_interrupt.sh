#!/bin/sh
# The first Ctrl-C ends every command soon, with exit code 130 and what it has done so far:
# sh tests/test_cli_interrupt.sh BUILD
set -u
# shellcheck source=tests/program.sh
. tests/program.sh

# lives PROCESS: it has not ended
lives() { grep -qs '^State:[[:space:]]*[^ZX]' "/proc/$1/status"; }

# catches PROCESS: it has a handler for SIGINT, the second of the signals; before that it may ignore it
catches() { grep -qs '^SigCgt:.*[2367abef]$' "/proc/$1/status"; }

# computed PROCESS: its processor time so far, in clock ticks
computed() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f12,13 | tr ' ' +; }

# must_end PROCESS: kills it when it has computed for five seconds more, or after five minutes.  A busy machine has time
# enough, since the wait for a processor does not count; a command that does not look at the signal has not.
must_end() {
    most=$(($(computed $1) + 5 * $(getconf CLK_TCK)))
    for _ in $(seq 3000); do
        now=$(computed $1)
        [ -n "$now" ] || return 0 # it has ended
        [ $(($now)) -lt $most ] || break # now is a sum
        sleep 0.1
    done
    kill -KILL $1
}

# stopped OUT ERR WORD...: banyan WORD..., which would run for a minute or more, is interrupted a second after its
# beginning and ends soon, with code 130, and says OUT on stdout and ERR on stderr ('': anything).  Where $begun names
# a file, the signal waits until something is in the file.
begun=
stopped() {
    out=$1 err=$2
    shift 2
    "$banyan" "$@" >"$work/out" 2>"$work/err" </dev/null &
    command=$!
    while lives $command && ! catches $command; do sleep 0.05; done
    sleep 1
    while [ -n "$begun" ] && [ ! -s "$begun" ] && lives $command; do sleep 0.05; done
    lives $command && kill -INT $command || { fail "banyan $*: ended by itself: $(cat "$work/err")"; return; }
    must_end $command &
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

# --- outside programs that never greet ---
for program in 'exec:sleep 300' 'exec:gtp:sleep 300'; do
    stopped '' "stopped while waiting for 'sleep 300'" match othello "$program" random -j 2
    stopped '' "stopped while waiting for 'sleep 300'" play othello --player1="$program" --player2=random
    stopped '' "stopped while waiting for 'sleep 300'" suite tests/data/othello/fforum.suite --player="$program"
done

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
ages=$((900000 + $$)) # nobody else's
hang="read a; echo OK; read a; read a || exit; sleep $ages"
stopped '' 'stopped after 0 of 3 games' judge --games 3 --bank 100000ms --first "$hang" --second "$me"
begun=$work/judged
stopped '^first ' 'stopped after [1-9][0-9]* of 1000000 games' \
    judge --games 1000000 --quiet --first "$me" --second "$me" --save "$begun"
begun=
left=$(command -v pgrep)
for _ in $(seq 600); do # a process may need a moment to die when it is killed
    [ -n "$left" ] && left=$(pgrep -f "^sleep $ages") || break
    sleep 0.1
done
[ -z "$left" ] || fail 'judge leaves programs behind'

# --- a signal that ends the command at once leaves no program behind ---
# The program takes no notice of the end of its input.
for signal in TERM HUP; do
    case $signal in TERM) number=15 ;; HUP) number=1 ;; esac
    rm -f "$work/program"
    "$banyan" match othello "exec:echo \$\$ >$work/program; exec sleep $ages" random >"$work/out" 2>&1 </dev/null &
    command=$!
    until [ -s "$work/program" ] || ! lives $command; do sleep 0.05; done
    kill -$signal $command
    wait $command
    code=$?
    [ $code -eq $((128 + number)) ] || fail "match after SIG$signal: exit code $code: $(cat "$work/out")"
    for _ in $(seq 600); do
        lives "$(cat "$work/program")" && sleep 0.1 || break
    done
    lives "$(cat "$work/program")" && fail "match after SIG$signal leaves its program behind"
done

# --- records that never end ---
mkfifo "$work/records"
(cat tests/data/records/othello.txt; exec sleep 300) >"$work/records" &
feeder=$!
stopped ' 0 differences' 'stopped before the end' verify othello "$work/records"
kill $feeder 2>/dev/null

exit $bad
