#!/bin/sh
# banyan train on folders that are not what they should be:
# sh tests/test_cli_train.sh BUILD
set -u
# shellcheck source=tests/program.sh
. tests/program.sh

small='games=10,window=100,gate-games=0,test=,generations=1'
train() {
    folder=$1
    shift
    set -- train tictactoe -r "$folder" "$@" --play simulations=4 --net channels=4,blocks=1
    timeout 600 "$banyan" "$@" >"$work/out" 2>"$work/err"
}

# --- the settings of a run: gone, empty, cut off, garbage ---
train "$work/run" -o "$small" || fail "a new run: $(cat "$work/err")"
# boards are images: their styles would change the charts
grep -q '<img alt="board" src="data:image/svg+xml,%3Csvg' "$work/run/report.html" || fail 'the report has no boards'
[ "$(grep -c '<style' "$work/run/report.html")" -eq 1 ] || fail 'a board is a part of the report'
cp "$work/run/options" "$work/options"
size=$(wc -c <"$work/options")
damage() { # damage TEXT: the run in its present state is refused, and nothing is overwritten
    cp "$work/run/options" "$work/before" 2>/dev/null || rm -f "$work/before"
    ends "$damaged" "$1" train tictactoe -r "$work/run"
    ends "$damaged" "$1" train tictactoe -r "$work/run" -o generations=2
    if [ -e "$work/before" ]; then
        cmp -s "$work/before" "$work/run/options" || fail "'$1': the options were overwritten"
    else
        [ ! -e "$work/run/options" ] || fail "'$1': options were made"
    fi
    cp "$work/options" "$work/run/options"
}
damaged=1
: >"$work/run/options"
damage "options' is damaged: the line 'game' is missing"
echo 'nothing that we wrote' >"$work/run/options"
damage "options' is damaged: no part of a run is called 'nothing'"
head -c 3000 "$banyan" >"$work/run/options"
damage "options' is damaged"
echo 'game tictactoe' >"$work/run/options"
damage "the line 'loop' is missing"
grep -v '^search' "$work/options" >"$work/run/options"
damage "the line 'search' is missing"
sed 's/^loop generations=1,/loop generation=1,/' "$work/options" >"$work/run/options"
damage "did you mean 'generations'"
for bytes in 1 20 $((size / 2)) $((size - 2)) $((size - 1)); do
    head -c "$bytes" "$work/options" >"$work/run/options"
    damage "options' is damaged"
done
damaged=2
rm "$work/run/options"
damage "options' is missing, but there is"
ends 2 'belongs to a run of the game tictactoe, not of connect4' train connect4 -r "$work/run"
train "$work/run" -o generations=2 || fail "a run whose options are back: $(cat "$work/err")"
grep -q 'generation 2:' "$work/run/log" || fail 'a run whose options are back does not go on'

# A folder where a run was killed before it wrote anything is a new one.
mkdir "$work/new" "$work/new/records"
: >"$work/new/lock"
train "$work/new" -o "$small" || fail "a folder without a run: $(cat "$work/err")"

# --- the learner of a run is gone: the best network is not replaced by a new one ---
cp -r "$work/run" "$work/headless"
rm "$work/headless"/learner*
ends 1 'is of generation 2, but learner.safetensors is missing' train tictactoe -r "$work/headless" -o generations=3
cmp -s "$work/run/best.safetensors" "$work/headless/best.safetensors" || fail 'the best network was replaced'

# --- the network of a run stays: its options would say something else ---
cp "$work/run/options" "$work/before"
ends 2 "is another one than with --net channels=8" train tictactoe -r "$work/run" --net channels=8 -o generations=3
one_line
cmp -s "$work/before" "$work/run/options" || fail 'options were written with another network'

# --- a finished run has nothing to learn ---
lines=$(wc -l <"$work/run/log")
train "$work/run" || fail "a finished run: $(cat "$work/err")"
[ "$(wc -l <"$work/run/log")" -eq "$lines" ] || fail 'a finished run trained on'
grep -q 'is finished: all 2 generations are done' "$work/out" || fail "a finished run is not called so: $(cat "$work/out")"
# ... and says how its network is played
command=$(sed -n 's/^  play against it:  banyan //p' "$work/out")
# shellcheck disable=SC2086 # words
echo quit | "$banyan" $command >"$work/played" 2>&1 || fail "banyan $command: $(cat "$work/played")"
# ... also one that ended before its last generation, because it lost no game of its test
train "$work/passed" -o 'games=10,window=100,gate-games=0,generations=9,test=(mcts:simulations=4),test-games=1' \
    -o test-every=1,test-stop=on,test-simulations=100
lines=$(wc -l <"$work/passed/log")
[ "$lines" -lt 9 ] || fail 'no generation of nine passed a single game'
train "$work/passed" || fail "a run that passed its test: $(cat "$work/err")"
[ "$(wc -l <"$work/passed/log")" -eq "$lines" ] || fail 'a run that passed its test trained on'
grep -q "finished after $lines of at most 9 generations: its last test was without a loss" "$work/out" ||
    fail "why a run ended: $(cat "$work/out")"
train "$work/passed" -o test-stop=off || fail "a run that goes on: $(cat "$work/err")"
[ "$(wc -l <"$work/passed/log")" -eq 9 ] || fail 'a run does not go on without test_stop'

# --- a run has one owner at a time ---
timeout 600 "$banyan" train tictactoe -r "$work/owned" -o "$small" -o generations=1000000,games=100000 \
    --play simulations=4 --net channels=4,blocks=1 >"$work/out" 2>"$work/owner" &
owner=$!
tries=0
until grep -qs . "$work/owned/records/g00001.rec" || [ $tries -ge 6000 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
ends 1 "'$work/owned' is being trained by another process" train tictactoe -r "$work/owned"
kill $owner
wait $owner 2>/dev/null

exit $bad
