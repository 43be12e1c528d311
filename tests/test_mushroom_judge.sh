#!/bin/sh
# banyan judge and banyan nypc when things go wrong: a message, the right exit code and verdict, and
# nobody left behind.
set -eu
build=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
banyan=$PWD/$build/banyan
case $build in /*) banyan=$build/banyan ;; esac
cd "$dir"

fails() { # fails CODE WORDS COMMAND...: the exit code, and words of the message
    want=$1 words=$2 code=0
    shift 2
    "$@" >out 2>err || code=$?
    [ "$code" -eq "$want" ] || { echo "exit $code, not $want: $*"; cat err; exit 1; }
    grep -q -- "$words" out err || { echo "no '$words': $*"; cat out err; exit 1; }
}
me="$banyan nypc --nodes 200 --memory 65536 NYPC"
patient="--bank 1000s" # a busy machine has time enough, too

# Files that cannot be written or read.
fails 1 "/no/such/folder" "$banyan" judge --first "$me" --second "$me" --log /no/such/folder/a.log
fails 2 "no-board" "$banyan" judge --first "$me" --second "$me" --board no-board
echo 12345 >board
fails 1 . "$banyan" judge --first "$me" --second "$me" --board board
for wrong in '' '# no digits'; do
    echo "$wrong" >board
    fails 1 "has no board" "$banyan" judge --first "$me" --second "$me" --board board
done
fails 1 "Is a directory" "$banyan" judge --first "$me" --second "$me" --board .
echo INPUT=board >setting.ini
fails 1 "EXEC1" "$banyan" judge --setting setting.ini
for words in "--first cat" "--second cat" "a=cat b=cat"; do
    # shellcheck disable=SC2086 # words
    fails 2 "setting names the programs" "$banyan" judge --setting setting.ini $words
done
fails 2 "setting or --board" "$banyan" judge --setting setting.ini --board board
fails 2 "setting or --log" "$banyan" judge --setting setting.ini --log log
fails 2 "random boards, not for that of --setting" "$banyan" judge --setting setting.ini --seed 3
fails 2 "random boards, not for that of --board" "$banyan" judge --first "$me" --second "$me" --board board --seed 3
fails 2 "two programs are called 'a'" "$banyan" judge "a=$me" "b=$me" "a=cat"
fails 2 "at most 63 bytes" "$banyan" judge "$(printf '%064d' 0)=$me" "b=$me"
fails 2 "nothing.ini" "$banyan" judge --setting nothing.ini
fails 2 "two programs" "$banyan" judge --first "$me"
fails 2 "unexpected argument .OTHER." "$banyan" nypc OTHER
if [ -w /dev/full ]; then
    fails 1 "log\\|/dev/full" "$banyan" judge --first "$me" --second "$me" --log /dev/full
fi

# Programs that cannot start have not lost: an error before the first game.
ages=$((900000 + $$)) # nobody else's
for bad in "exit 3" "kill -9 \$\$" "/no/such/program" "./board"; do
    fails 1 "program 'second' cannot play: '" "$banyan" judge --first "$me" --second "$bad" --log none.log
    [ ! -e none.log ] && [ ! -s out ] || { echo "$bad: a game was played"; exit 1; }
done
fails 1 "not found" "$banyan" judge --games 2 "a=$me" "b=$me" "c=/no/such/program"

# Programs that hang or do not follow the protocol lose, and none of their processes stays.
for bad in "sleep $ages & sleep $ages" "cat"; do
    "$banyan" judge --first "$bad" --second "$me" --bank 300ms --log bad.log >out
    grep -q "^ABORT 0 TLE" bad.log || { echo "$bad"; cat bad.log; exit 1; }
done
hang="read a; echo OK; read a; sleep $ages & sleep $ages"
"$banyan" judge --first "$me" --second "$hang" --bank 10000ms --log bad.log >out
grep -q "^ABORT 1 TLE" bad.log
if command -v pgrep >/dev/null; then
    tries=0
    while pgrep -f "^sleep $ages" >/dev/null; do # a process may need a moment to die when it is killed
        tries=$((tries + 1))
        [ $tries -lt 600 ] || { echo 'judge leaves programs behind'; exit 1; }
        sleep 0.1
    done
fi

# The agent: the judge goes away before, between and after; no signal.
"$banyan" nypc </dev/null
printf 'READY FIRST\n' | "$banyan" nypc NYPC | grep -qx OK
rows='52466443835422223 13254826938785712 87598398564241564 72722154162442227 43968227685821641 27727492381231148 56138649164249527 36281415328768234 62682694189422313 62269566965435457'
(printf 'READY FIRST\nINIT %s\n' "$rows"; sleep 0.2; printf 'TIME 300 300\nTIME 9 9\n') |
    { code=0; $me 2>err || code=$?; echo $code >code; } | head -c 1 >/dev/null
[ "$(cat code)" -lt 128 ]
[ "$(cat code)" -eq 0 ] || grep -q . err

# Lines that make no sense: one answer to each TIME, and a message on standard error.
printf 'READY\nINIT 12\nTIME x\nOPP 1\nTIME 10 10\nFINISH\n' | $me >out 2>err
[ "$(grep -c -- '-1 -1 -1 -1' out)" -eq 2 ]
grep -q "READY must be followed by" err
grep -q "INIT needs ten rows" err
grep -q "OPP needs four numbers" err

# Games are saved in our own format, also those that a rule ended.
"$banyan" judge $patient --games 2 "a<b=$me" "c=$me" "wrong=read a; echo OK; read a; read a; echo 5" --save games.jsonl --quiet >out
"$banyan" verify mushroom games.jsonl >out
grep -q ' 0 differences' out || { cat out; exit 1; }
grep -q '"players":\["a<b","c"\]' games.jsonl
grep -q '"forfeited":1,"reason":"Parse failed"' games.jsonl
fails 2 "games.jsonl' is there already" "$banyan" judge --first "$me" --second "$me" --save games.jsonl
"$banyan" judge --first "$me" --second "$me" --save games.jsonl --append >out
"$banyan" page games.jsonl -o page.html
grep -q '"source":"games.jsonl, game 1"' page.html
fails 2 "has no game 99" "$banyan" page games.jsonl --game 99
"$banyan" judge --first "$me" --second "$me" --log one.log >out
"$banyan" page one.log | grep -q 'Mushroom game'

# The games of a pair are those of a match: any number at a time, a test that ends it, a database.
"$banyan" judge $patient --games 6 -j 3 "a=$me" "b=$banyan nypc --player greedy NYPC" --seed 3 --save three.jsonl --log three.log >out
grep -q '^by whole rounds: score of the first' out || { cat out; exit 1; }
"$banyan" judge $patient --games 6 "a=$me" "b=$banyan nypc --player greedy NYPC" --seed 3 --save one.jsonl >out
for file in three one; do sed 's/,"ms":.*//' $file.jsonl >$file.plain; done
cmp -s one.plain three.plain || { echo 'other games with -j 3'; exit 1; }
[ -s three-6.log ] && "$banyan" page three-6.log | grep -q 'Mushroom game'
cat >once <<'END' # plays once, and never again
#!/bin/sh
echo played >>plays
END
echo "exec $me" >>once
chmod +x once
"$banyan" judge $patient --games 4 "a=./once" "b=$me" --db games.db >all
before=$(wc -l <plays)
"$banyan" judge $patient --games 4 "a=./once" "b=$me" --db games.db --resume >again
[ $(($(wc -l <plays) - before)) -eq 1 ] || { echo 'stored games were played again'; exit 1; } # the try before them
[ "$(grep '^[ab] ' all | cut -c 1-76)" = "$(grep '^[ab] ' again | cut -c 1-76)" ] || { cat all again; exit 1; }
# ... and a file with another board is another match
echo "$rows" | sed 's/^5/6/' | tr ' ' '\n' >board
"$banyan" judge $patient --games 2 "a=./once" "b=$me" --board board --db boards.db --quiet >out
before=$(wc -l <plays)
"$banyan" judge $patient --games 2 "a=./once" "b=$me" --board board --db boards.db --resume --quiet >out
[ $(($(wc -l <plays) - before)) -eq 1 ] || { echo 'stored games on the same board were played again'; exit 1; }
echo "$rows" | tr ' ' '\n' >board
"$banyan" judge $patient --games 2 "a=./once" "b=$me" --board board --db boards.db --resume --quiet >out
[ $(($(wc -l <plays) - before)) -eq 4 ] || { echo 'games on another board counted'; exit 1; }
"$banyan" judge $patient --games 200 "a=$me" "bad=read a; echo OK; read a; read a; echo 5" --sprt 0,400 --quiet >out
grep -q 'elo1 holds' out || { cat out; exit 1; }
[ "$(grep -c loses out)" -lt 50 ] || { echo 'the test did not end the match'; exit 1; }
fails 2 "sprt is for two programs" "$banyan" judge --games 2 --sprt 0,10 "a=$me" "b=$me" "c=$me"
fails 2 "resume needs --db" "$banyan" judge --games 2 --resume "a=$me" "b=$me"

# A game that ends before its first move has a board, too.
"$banyan" judge --first "read a; echo NO" --second "$me" --save early.jsonl >out
grep -q '"overstepped":0' early.jsonl || { cat early.jsonl; exit 1; }
"$banyan" verify mushroom early.jsonl | grep -q ' 0 differences'
