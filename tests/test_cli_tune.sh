#!/bin/sh
# banyan tune, as a user runs it: sh tests/test_cli_tune.sh BUILD
set -u
# shellcheck source=tests/program.sh
. tests/program.sh

# expect CODE TEXT WORD...: banyan tune WORD... ends with CODE and says TEXT on stderr, in one line
expect() {
    code=$1 text=$2
    shift 2
    ends "$code" "$text" tune "$@"
    [ -z "$text" ] || one_line
}

player=mcts:simulations=8,exploration=1.9
param=exploration=0.1..2
expect 2 'needs GAME PLAYER' tictactoe
expect 2 'needs --param' tictactoe mcts
for wrong in exploration exploration=1 exploration=1..0 exploration=0..1:2 exploration=0..1: =0..1 exploration=a..b exploration=0..1:log \
    exploration=1..2:lag; do
    expect 2 '--param is NAME=LO..HI[:STEP|:log]' tictactoe mcts --param $wrong
done
expect 2 'exploration=1.9 of the player is not in 0..1' tictactoe $player --param exploration=0..1
expect 2 '--jobs 20 needs --ahead 19' tictactoe $player --param $param -j 20
expect 2 "did you mean 'exploration'" tictactoe mcts --param exploratoin=0..1 --games 10
expect 2 'has two ranges' tictactoe mcts --param $param --param $param
expect 2 '--games 3 is odd' tictactoe $player --param $param --games 3
# both ends of a range are tried before the first game
for range in -0.5..3 1..2000000; do
    expect 2 'an end of the range of exploration: option exploration=' tictactoe $player --param exploration=$range
done
# values have units: those of the player, and of the range
expect 2 'has another unit' tictactoe mcts:time=1ms --param time=0.1..3 --games 2
expect 2 'has another unit' tictactoe mcts:memory=4M --param memory=1048576..8388608:1024 --games 2
expect 2 '--param is' tictactoe mcts --param time=0.1..3ms --games 2
start() { # start VALUE LAST PLAYER PARAM: tuning starts from VALUE, and LAST begins the last line
    expect 0 '' tictactoe "$3" --param "$4" --games 2 --json
    grep -q "\"start\": $1," "$work/out" || fail "$3, $4: $(cat "$work/out")"
    grep -q "\"found\": \"mcts:$2" "$work/out" || fail "$3, $4: $(cat "$work/out")"
}
start 1000.0 simulations=1000 mcts:simulations=1k simulations=100..3000:1
start 1.0 time=1ms mcts:time=1ms time=0.1ms..3ms:log
start 0.001 time=0.001s mcts:time=1ms time=0.0001s..0.003s:log
start 4.0 simulations=5,memory=4M mcts:memory=4M,simulations=5 memory=1M..64M:1
start 4194304.0 simulations=5,memory=4194304 mcts:memory=4194304,simulations=5 memory=1048576..8388608:1024
expect 2 "'pig-3'" pig-3 mcts --param $param

# The same with any number of threads, stopped and not stopped.
expect 0 '' tictactoe $player --param $param --games 200 --json
sed '/elapsed_s/d' "$work/out" >"$work/one"
grep -q '"games": 200' "$work/one" || fail "$(cat "$work/out")"
grep -q '"start": 1.9' "$work/one" || fail "$(cat "$work/out")"
expect 0 '' tictactoe $player --param $param --games 200 --json -j 3 --run "$work/run"
sed '/elapsed_s/d' "$work/out" | cmp -s - "$work/one" || fail 'other values with -j 3'
head -40 "$work/run/results.txt" >"$work/few"
cp "$work/few" "$work/run/results.txt"
expect 0 '' tictactoe $player --param $param --games 200 --json --run "$work/run"
sed '/elapsed_s/d' "$work/out" | cmp -s - "$work/one" || fail 'other values after a stop'
expect 2 "holds a run with 'seed 1', not 'seed 2'" tictactoe $player --param $param --games 200 --run "$work/run" -s 2
expect 1 'cannot make folder' tictactoe $player --param $param --games 2 --run "$work/no/such"

# A file of openings with other lines is another run; runs of earlier versions have no hash of the lines.
printf 'a1\nb2\n' >"$work/openings"
set -- tictactoe $player --param $param --games 4 --openings "$work/openings" --run "$work/opened"
expect 0 '' "$@"
printf '# the same\na1\n\nb2\n' >"$work/openings"
expect 0 '' "$@"
printf 'a1\nb2\nc3\n' >"$work/openings"
expect 2 "holds a run with 'openings-hash " "$@"
sed -i '/^openings-hash/d' "$work/opened/settings.txt"
expect 0 '' "$@"
grep -q '^openings-hash' "$work/opened/settings.txt" || fail 'an earlier run gets no hash of its openings'

# The text that is printed is a player.
expect 0 '' tictactoe $player --param $param --param simulations=1..20:1 --games 20
text=$(tail -1 "$work/out")
case $text in mcts:exploration=*,simulations=*) ;; *) fail "not a player: $text" ;; esac
"$banyan" match tictactoe "$text" random --games 2 >"$work/out" || fail "$text does not play"

expect 0 '' tictactoe mcts:simulations=8 --param exploration=0.25..4:log --games 2 --json
grep -q '"start": 1.0' "$work/out" || fail "not the geometric middle: $(cat "$work/out")"

# Ctrl-C: what is done is told.
"$banyan" tune othello mcts:simulations=50 --param $param --games 1000000 --json --run "$work/long" \
    >"$work/out" 2>"$work/err" &
tune=$!
until grep -q . "$work/long/results.txt" 2>/dev/null || ! kill -0 $tune 2>/dev/null; do sleep 0.1; done
kill -INT $tune
wait $tune
got=$?
[ $got -eq 130 ] || fail "interrupted: exit code $got, not 130"
grep -q '"interrupted": true' "$work/out" || fail "interrupted: $(cat "$work/out")"
grep -q 'stopped after [1-9][0-9]* of 1000000 games' "$work/err" || fail "interrupted: $(cat "$work/err")"
exit $bad
