#!/bin/sh
# banyan analyze: answers equal those of banyan search, errors name what is wrong, questions can be ended.
set -eu
banyan=$1/banyan
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*"
    exit 1
}

# --- the same answers as search, with one worker and with three ---
cat >"$work/questions" <<'END'
{"id": "start", "simulations": 300, "seed": 5}
{"id": "moves", "moves": ["f5", "d6", "c3"], "simulations": 200, "seed": 6}
{"id": "text", "moves": "f5 d6 c3", "simulations": 200, "seed": 6}
{"id": "puct", "options": "rule=puct,cpuct=2", "simulations": 250, "allow": ["d3", "c4"]}
END
"$banyan" analyze othello <"$work/questions" >"$work/one"
"$banyan" analyze othello -j 3 <"$work/questions" >"$work/three"
# what does not depend on the time: from "best" to "nodes", without blanks
middle() {
    tr -d ' \n' | sed 's/.*"best"/"best"/; s/,"nodes".*//'
}
part() { # file id
    grep "\"id\":\"$2\"" "$1" | middle
}
asked() { # words of search
    "$banyan" search othello --json "$@" | middle
}
for file in one three; do
    [ "$(wc -l <"$work/$file")" = 4 ] || fail "$file: $(cat "$work/$file")"
    [ "$(part "$work/$file" start)" = "$(asked -n 300 --seed 5)" ] || fail "start differs from search"
    [ "$(part "$work/$file" moves)" = "$(asked -n 200 --seed 6 --moves "f5 d6 c3")" ] || fail "moves differs"
    [ "$(part "$work/$file" text)" = "$(part "$work/$file" moves)" ] || fail "moves as a text differ"
    [ "$(part "$work/$file" puct)" = "$(asked -n 250 -o rule=puct,cpuct=2 --allow d3 --allow c4)" ] ||
        fail "puct differs"
done

echo '{"id": "a", "simulations": 50}' | "$banyan" analyze tictactoe --profile | grep -q '"profile":{' || fail "no profile"

# --- a network: leaves of four searches in common batches ---
for seed in 1 2 3 4 5 6; do
    echo "{\"id\": \"$seed\", \"moves\": \"f5 d6\", \"simulations\": 40, \"seed\": $seed}"
done >"$work/questions"
net="net:weights/othello.safetensors,backend=plain"
"$banyan" analyze othello -e "$net" -o rule=puct -j 4 <"$work/questions" >"$work/net"
for seed in 2 6; do
    [ "$(part "$work/net" $seed)" = "$(asked -e "$net" -o rule=puct --moves "f5 d6" -n 40 --seed $seed)" ] ||
        fail "with a network in common batches: $(cat "$work/net")"
done

# --- who owns the cells, and the points of both: black has played alone ---
echo '{"id": "a", "moves": "C3 pass G7 pass G3 pass C7 pass E5", "simulations": 1, "ownership": true}' |
    "$banyan" analyze go-9x9 -e rollout:policy=light >"$work/out"
sed 's/.*"ownership":\[\([^]]*\)\].*/\1/' "$work/out" | tr ',' '\n' |
    awk '{ sum += $1; most = $1 > most ? $1 : most } END { exit !(NR == 81 && sum > 20 && most > 0.8 && most <= 1) }' ||
    fail "ownership: $(cat "$work/out")"
sed 's/.*"points":\[\([^]]*\)\].*/\1/' "$work/out" | tr ',' ' ' | awk '{ exit !(NF == 2 && $1 > $2 && $2 >= 7.5) }' ||
    fail "points: $(cat "$work/out")"
echo '{"id": "a", "ownership": true}' | "$banyan" analyze tictactoe |
    grep -q '"error":"tictactoe does not say who owns the cells"' || fail "ownership where nothing is owned"

# --- higher priorities first: the first question ends when the others have come ---
cat >"$work/questions" <<'END'
{"id": "first", "simulations": 1000000000000}
{"id": "low", "simulations": 10, "priority": -1}
{"id": "high", "simulations": 10, "priority": 7}
{"id": "middle", "simulations": 10}
{"id": "end", "terminate": "first"}
END
"$banyan" analyze othello <"$work/questions" | sed 's/{"id":"\([a-z]*\)".*/\1/' | grep -v 'first\|end' | tr '\n' ' ' >"$work/order"
[ "$(cat "$work/order")" = "high middle low " ] || fail "order: $(cat "$work/order")"

# --- errors, each with the id of its line ---
cat >"$work/questions" <<'END'
no json
[1]
{"simulations": 5}
{"id": "", "simulations": 5}
{"id": "a", "simulation": 5}
{"id": "b", "simulations": 0}
{"id": "c", "moves": "z9"}
{"id": "d", "moves": [1]}
{"id": "e", "options": "rule=none"}
{"id": "f", "allow": ["a1"], "avoid": ["a2"]}
{"id": "g", "as": "red"}
{"id": "h", "early": 1}
{"id": "i", "terminate": "nobody"}

{"id": "j", "simulations": 5, "simulations": 6}
{"id": "k", "position": "???"}
{"id": "l", "terminate_all": false}
END
"$banyan" analyze tictactoe <"$work/questions" | sort >"$work/out"
for part in 'needs \\"id\\"' 'no JSON object' '"id":"a","error":"\\"simulation\\" is unknown' \
    '"id":"b","error":"\\"simulations\\" must be a number of 1' '"id":"c","error":".*z9' \
    '"id":"d","error":"\\"moves\\" must be' '"id":"e","error":".*none' '"id":"f","error":".*cannot both' \
    '"id":"g","error":".*red' '"id":"h","error":"\\"early\\"' '"id":"i","terminated":0' 'duplicate' \
    '"id":"k","error"' '"id":"l","error":"\\"terminate_all\\" must be true"'; do
    grep -q -e "$part" "$work/out" || fail "no answer with $part: $(cat "$work/out")"
done
[ "$(wc -l <"$work/out")" = 16 ] || fail "answers: $(cat "$work/out")"

# --- reports, an id in use, and the end of a question that would last for ever ---
mkfifo "$work/in"
"$banyan" analyze othello <"$work/in" >"$work/out" &
pid=$!
exec 3>"$work/in"
echo '{"id": "long", "simulations": 1000000000000, "report_ms": 20}' >&3
tries=0
until grep -q '"id":"long","during":true' "$work/out"; do
    tries=$((tries + 1))
    [ $tries -lt 15000 ] || fail "no report"
    sleep 0.02
done
echo '{"id": "long", "simulations": 1}' >&3
echo '{"id": "end", "terminate_all": true}' >&3
exec 3>&-
wait $pid || fail "exit code $?"
grep -q '"id":"long","error":"a question with this id' "$work/out" || fail "two questions of one id"
grep -q '"id":"end","terminated":1' "$work/out" || fail "not terminated: $(cat "$work/out")"
# this answer and the line "terminated" come in any order
grep '"id":"long","during"' "$work/out" | tail -1 | grep -q '"during":false,.*"interrupted":true' || fail "no answer at the end"

# --- over TCP: what the protocol is like is in test_threads_analyze; here the command ---
"$banyan" analyze othello --listen 0 >"$work/out" 2>"$work/err" &
pid=$!
tries=0
until grep -q '^listening on 127.0.0.1, port [1-9][0-9]*$' "$work/out"; do
    tries=$((tries + 1))
    [ $tries -lt 15000 ] || fail "it does not listen: $(cat "$work/err")"
    sleep 0.02
done
port=$(sed 's/.*port //' "$work/out")
code=0
"$banyan" analyze othello --listen "$port" >"$work/second" 2>&1 || code=$?
[ $code = 1 ] && grep -q "cannot listen on 127.0.0.1, port $port: " "$work/second" || fail "a second one: $(cat "$work/second")"
kill -INT $pid
code=0
wait $pid || code=$?
[ $code = 130 ] || fail "Ctrl-C: exit code $code"

# --- a wrong evaluator is an error at the start ---
code=0
"$banyan" analyze othello -e nothing </dev/null >"$work/out" 2>"$work/err" || code=$?
[ $code = 2 ] && [ ! -s "$work/out" ] || fail "evaluator: exit code $code, $(cat "$work/out")"
