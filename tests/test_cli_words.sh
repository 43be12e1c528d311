#!/bin/sh
# Small promises of the program: which exit code a wrong name has, what is shown and what is not:
# sh tests/test_cli_words.sh BUILD
set -u
# shellcheck source=tests/program.sh
. tests/program.sh

# --- a name that nothing has: 2, whatever it was to be the name of ---
suite=tests/data/othello/fforum.suite
ends 2 "did you mean 'mcts'" suite $suite --player=mtcs
ends 2 "did you mean 'rule'" suite $suite -o rul=ucb1
ends 2 "did you mean 'random'" pokemon simulate --p1=randm --p2=random
ends 2 "no backend is called 'plane'" net bench -g tictactoe -b plane
ends 2 'not in fp8' net check -g tictactoe -t fp8
ends 2 "did you mean 'bloodbowl-1'" bloodbowl position bloodbowl-9
ends 2 'othello is not Blood Bowl' bloodbowl position othello
ends 2 "did you mean 'mcts'" showdown --ladder --name=x --player=mtcs
none=$work/none
for words in "suite $none" "verify tictactoe $none" "net info $none" "net bench $none" "page $none" \
    "bloodbowl html $none" "bloodbowl paths $none" "search tictactoe --book=$none" \
    "search pokemon --replay=$none" "match tictactoe random random --openings=$none" \
    "match tictactoe mcts:book=$none random" "match othello net:$none random" \
    "judge --setting=$none" "net export $none $work/onnx"; do
    # shellcheck disable=SC2086 # words
    ends 2 "$none" $words
    grep -q 'No such file or directory' "$work/err" || fail "banyan $words: $(cat "$work/err")"
done
# ... but what stands in a file is not a word, and a folder is there
echo 'game chess' >"$work/chess.suite"
ends 1 "no game is called 'chess'" suite "$work/chess.suite"
echo nonsense >"$work/nonsense"
ends 1 "$work/nonsense" net info "$work/nonsense"
ends 1 "cannot read '$work': Is a directory" net info "$work"
ends 1 "cannot read '$work': Is a directory" match othello "net:$work" random
ends 2 "the property 'dynamax' takes no value" pokemon calc garchomp,dynamax=1 earthquake blissey
ends 2 "the property 'item' needs a value" pokemon calc garchomp,item earthquake blissey
ends 2 "no property 'dynamx' of a Pokemon: did you mean 'dynamax'?" pokemon calc garchomp,dynamx earthquake blissey

# a zero byte would hide the rest of its line
printf 'b2\n\0c3\nzz\n' >"$work/zero"
ends 2 "openings '$work/zero': not a text file" match tictactoe random random --games=2 --openings="$work/zero"
ends 1 "$work/zero:2: not a text file" verify tictactoe "$work/zero" --format=moves
printf 'game tictactoe\nposition one\n\0best c3\n' >"$work/zero"
ends 1 "$work/zero:3: not a text file" suite "$work/zero"

# --- what would have no effect ---
for option in --nodes=5 --full-width --memory=1M; do
    ends 2 'is for the built-in engine' nypc --player=greedy $option
done
ends 2 '--game is a network without a file' net check -g tictactoe weights/othello.safetensors
ends 2 'are for net bench and net check' net info weights/othello.safetensors -b plain
ends 2 'are for net bench' net check weights/othello.safetensors -n 5
ends 2 "'example' has a position" explain example -p x
ends 2 "'example' has a position" explain example -e heuristic
ends 2 "'5'" bloodbowl html FILE 1 5
ends 2 "'x'" bloodbowl follow x
ends 2 "'x'" bloodbowl position bloodbowl-1 mode=path x

# --- an empty name of a file or folder is no name ---
for words in 'train tictactoe --run' 'tune tictactoe mcts --param exploration=0.1..1 --run' \
    'tune tictactoe mcts --param exploration=0.1..1 --openings' 'match tictactoe random random --db' \
    'match tictactoe random random --save' 'match tictactoe random random --openings' 'worker --queue redis://x --cache' \
    'tree tictactoe --output' 'judge --db' 'judge --board' 'judge --log' 'judge --save' 'judge --setting'; do
    # shellcheck disable=SC2086 # words
    ends 2 "--${words##* --} is empty: it needs a name" $words ''
    one_line
done
# ... and SQLite keeps nothing under this one
ends 2 "--db needs a file: ':memory:' keeps nothing" match tictactoe random random --db :memory:
ends 2 "--db needs a file: ':memory:' keeps nothing" judge --db :memory:

# --- a suite's player: its text is whole, and no option is without effect ---
zeros=$(printf '%0600d' 1)
ends 2 "did you mean 'rule'" suite $suite --player="mcts:exploration=$zeros,rul=ucb1"
ends 2 "did you mean 'rule'" suite $suite -n 5 -o "exploration=$zeros,rul=ucb1"
ends 2 '--simulations or --time, not both' suite $suite -n 5 -t 1ms
for words in '-n 5' '-t 1ms' '-o rule=ucb1'; do
    # shellcheck disable=SC2086 # words
    ends 2 'are for the default player' suite $suite --player random $words
done
ends 2 '--audit is for --queue' train tictactoe --run "$work/none" --audit 0.5
ends 2 '--lease is for --queue' train tictactoe --run "$work/none" --lease 10s

# --- texts that are not UTF-8, which JSON and records would leave out ---
latin=$(printf '\351')
for words in "match tictactoe mcts:name=$latin,simulations=3 random -n 2 --save $work/latin.jsonl" \
    "match tictactoe mcts random --handicap 1:name=$latin" "tune tictactoe mcts:name=$latin --param exploration=0..1" \
    "suite $suite --player mcts:name=$latin" "suite $latin.suite --json" "judge $latin=cat b=cat"; do
    # shellcheck disable=SC2086 # words
    ends 2 "?" $words
    grep -q "' is not UTF-8$" "$work/err" || fail "banyan $words: $(cat -v "$work/err")"
    one_line
    [ ! -s "$work/out" ] || fail "banyan $words: prints $(cat -v "$work/out")"
done
[ ! -e "$work/latin.jsonl" ] || fail 'a game with a text that is not UTF-8 was saved'
sed "s/^position .*/position $latin/" $suite >"$work/latin.suite"
ends 1 'its texts are not UTF-8' suite "$work/latin.suite" -n 1 --json
name=$(printf 'caf\303\251 \342\202\254')
ends 0 '' match tictactoe "mcts:name=$name,simulations=3" random -n 2 --json
grep -q "name=$name" "$work/out" || fail "not UTF-8: $(cat "$work/out")"

# --- a human's game ---
play() { printf 'quit\n' | "$banyan" play mushroom --player2=random "$@" >"$work/$out" 2>&1; }
out=first play
out=second play
seed=$(sed -n 's/^seed \([0-9]*\) .*/\1/p' "$work/first")
[ -n "$seed" ] || fail 'a human is not told the seed of the game'
cmp -s "$work/first" "$work/second" && fail 'a human gets the same game every time'
out=again play --seed="${seed:-1}"
sed 1d "$work/first" >"$work/board"
[ -s "$work/board" ] && cmp -s "$work/board" "$work/again" || fail "--seed=$seed is another game"
for out in third fourth; do
    "$banyan" play tictactoe --player1=random --player2=random >"$work/$out"
done
cmp -s "$work/third" "$work/fourth" || fail 'programs among themselves play another game every time'
grep -q '^seed' "$work/third" && fail 'programs among themselves need no new seed'

# x wins immediately: the search proves it after a few simulations, and their mean means nothing
printf 'eval\nhint\nquit\n' |
    "$banyan" play tictactoe --moves='a1 a2 b1 b2' --hint-simulations=500 --seed=1 >"$work/out"
grep -q '= 1$' "$work/out" || fail "hint proves nothing: $(cat "$work/out")"
grep -Eq '^proven after [0-9]+ simulations: X \+1.0000 O -1.0000$' "$work/out" ||
    fail "eval contradicts a proven hint: $(grep simulations: "$work/out")"
# a draw is proven to be the least, and no more is proven yet: the value is not less than a draw
printf 'eval\nquit\n' |
    "$banyan" play tictactoe --moves='b2 a1 b1 b3' --hint-simulations=3000 --seed=1 >"$work/out"
grep -Eq '^proven after [0-9]+ simulations: X \+0.0000 O [-+]0.0000$' "$work/out" ||
    fail "eval of a proven draw: $(grep simulations: "$work/out")"

# --- the help of an option ---
# argp begins a new line after a name that reaches beyond column 32, and if its buffer is nearly full
# it puts the blanks of that line into an earlier one (glibc 2.36, argp-fmtstream.c)
commands=$("$banyan" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
[ -n "$commands" ] || fail 'banyan --help lists no command'
for command in $commands 'pokemon calc' 'pokemon sets' 'pokemon simulate'; do
    # shellcheck disable=SC2086 # words
    "$banyan" $command --help >"$work/out" 2>&1 || fail "banyan $command --help: exit code $?"
    [ -s "$work/out" ] || fail "banyan $command --help prints nothing"
    awk '/^ +-[^ ]*(, --[^ ]*)?$/ && length > 32' "$work/out" >"$work/long"
    [ -s "$work/long" ] && fail "banyan $command --help: the name is too long: $(cat "$work/long")"
done

# --- what an outside program or a judge writes does not reach the terminal as it is ---
printf '\033[31mRED\007\233 OPP\nTIME x\033]0;title\007\nFINISH\n' | "$banyan" nypc --memory=65536 >"$work/out" 2>"$work/err"
grep -q 'not a command of the judge: ?\[31mRED' "$work/err" || fail "nypc: $(cat -v "$work/err")"
LC_ALL=C grep -q '[^ -~]' "$work/err" && fail "nypc writes raw bytes: $(cat -v "$work/err")"
me="$banyan nypc --nodes 20 --memory 65536 NYPC"
printf '#!/bin/sh\nread a; echo OK; read a; read a; printf "\\033[31mred\\n"; cat >/dev/null\n' >"$work/red"
"$banyan" judge --first "sh $work/red" --second "$me" >"$work/out" 2>&1
grep -q "answered '?\[31mred'" "$work/out" || fail "judge: $(cat -v "$work/out")"
LC_ALL=C grep -q '[^ -~]' "$work/out" && fail "judge writes raw bytes: $(cat -v "$work/out")"

# --- damage to a Pokemon that has lost hp already ---
"$banyan" pokemon calc garchomp,item=choiceband,atk=+1 earthquake blissey,hp=80% >"$work/out"
grep -Fq '627-738 of 572 hp (109.6 - 129.0 %); of the 458 hp left: 136.9 - 161.1 %' "$work/out" ||
    fail "calc at 80 % of hp: $(cat "$work/out")"
"$banyan" pokemon calc garchomp earthquake blissey >"$work/out"
grep -q 'left' "$work/out" && fail "calc at full hp: $(cat "$work/out")"

exit $bad
