#!/bin/sh
# banyan train and its parts on folders that are not what they should be:
# sh tests/test_cli_train.sh BUILD
set -u
banyan=$1/banyan
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

fail() {
    echo "FAILED: $*"
    bad=1
}

# expect CODE TEXT WORD...: banyan WORD... ends with CODE and says TEXT on stderr
expect() {
    code=$1 text=$2
    shift 2
    timeout 60 "$banyan" "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    [ $got -eq "$code" ] || fail "banyan $*: exit code $got, not $code: $(cat "$work/err")"
    grep -qF -- "$text" "$work/err" || fail "banyan $*: '$(cat "$work/err")' lacks '$text'"
}

small='games=10,window=100,gate-games=0,test=,generations=1'
train() {
    folder=$1
    shift
    set -- train tictactoe -r "$folder" "$@" --play simulations=4 --net channels=4,blocks=1
    timeout 60 "$banyan" "$@" >"$work/out" 2>"$work/err"
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
    for part in train selfplay; do
        expect "$damaged" "$1" $part tictactoe -r "$work/run"
        expect "$damaged" "$1" $part tictactoe -r "$work/run" -o generations=2
    done
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
expect 2 'belongs to a run of the game tictactoe, not of connect4' train connect4 -r "$work/run"
train "$work/run" -o generations=2 || fail "a run whose options are back: $(cat "$work/err")"
grep -q 'generation 2:' "$work/run/log" || fail 'a run whose options are back does not go on'

# A folder where a run was killed before it wrote anything is a new one.
mkdir "$work/new" "$work/new/records"
: >"$work/new/lock"
train "$work/new" -o "$small" || fail "a folder without a run: $(cat "$work/err")"

# --- the learner of a run is gone: the best network is not replaced by a new one ---
cp -r "$work/run" "$work/headless"
rm "$work/headless"/learner*
expect 1 'is of generation 2, but learner.safetensors is missing' train tictactoe -r "$work/headless" -o generations=3
cmp -s "$work/run/best.safetensors" "$work/headless/best.safetensors" || fail 'the best network was replaced'

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

# --- who only learns or compares waits for a run that somebody begins, but not for ever ---
timeout 60 "$banyan" learn tictactoe -r "$work/mistyped" 2>"$work/learn" &
learn=$!
expect 2 "'$work/mistyped' holds no run" gate tictactoe -r "$work/mistyped"
wait $learn
[ $? -eq 2 ] || fail 'learn in a folder without a run does not end with 2'
grep -q 'holds no run' "$work/learn" || fail "learn: $(cat "$work/learn")"
[ ! -e "$work/mistyped" ] || fail 'learn or gate made a run'

exit $bad
