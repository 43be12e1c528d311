#!/bin/sh
# banyan match, serve and gtp, as a user runs them: sh tests/test_cli_match.sh BUILD
set -u
# shellcheck source=tests/program.sh
. tests/program.sh

engine=tests/data/engines/fake.sh

# expect CODE TEXT WORD...: banyan WORD... ends with CODE and says TEXT on stderr, in one line ('': nothing)
expect() {
    ends "$@"
    if [ -n "$2" ]; then one_line; else [ ! -s "$work/err" ] || fail "says $(cat "$work/err")"; fi
}

said() {
    grep -qF -- "$1" "$work/out" || fail "output lacks '$1': $(cat "$work/out")"
}

# --- wrong arguments ---
expect 2 'needs GAME PLAYER PLAYER' match
expect 2 "did you mean 'othello'" match othelo random random
expect 2 'at least 2 players' match othello random
expect 2 "did you mean 'random'" match othello random randm
expect 2 "did you mean '--games'" match othello random random --gams 3
expect 2 '--games is an integer' match othello random random --games 0
expect 2 '--sprt is ELO0,ELO1' match othello random random --sprt 10,0
expect 2 'seats 2 players, not 3' match othello random random random
expect 2 '--handicap is SEAT:OPTIONS' match othello mcts mcts --handicap nodes=5
expect 2 'the seats of othello are 1 (black) to 2 (white)' match othello mcts mcts --handicap red:simulations=5
expect 2 'seat Black has two' match othello mcts mcts --handicap 1:simulations=5 --handicap Black:time=5ms
expect 2 "'random' takes no options" match othello mcts random --handicap 1:simulations=5
expect 2 '--resume needs --db' match othello mcts mcts --resume
expect 2 '--resume or --save' match othello mcts mcts --resume --db x --save y
expect 2 '--openings or --opening-plies' match othello random random --openings x --opening-plies 2
expect 2 'one word too many' serve othello random
expect 2 'a human cannot' serve othello --player human
expect 2 'GTP is for two players' gtp --game pig
expect 2 "no player 'perfct'" gtp --player perfct

# --- errors of files and programs ---
expect 1 'no-such-folder' match tictactoe random random --db "$work/no-such-folder/x.db"
expect 1 'no-such-folder' match tictactoe random random --save "$work/no-such-folder/x"
echo 'this is no database, but long enough to be looked at: 0123456789 0123456789 0123456789' >"$work/bad.db"
expect 1 'not a database' match tictactoe random random --db "$work/bad.db"
expect 1 'ended with exit code 3; it said: out of cheese' match tictactoe random "exec:$engine crash"
expect 1 "instead of 'ready NAME'" match tictactoe random "exec:$engine babble"
expect 1 'not legal here' match tictactoe first "exec:$engine illegal"
expect 1 'did not answer within' match tictactoe random "exec:timeout=300ms:$engine hang"

# --- memory that the system refuses ---
refused() { # refused TEXT WORD...: with 200 MB
    text=$1
    shift
    (ulimit -v 200000 && exec "$banyan" "$@") >"$work/out" 2>"$work/err" && fail "banyan $*: exit code 0"
    grep -qF -- "$text" "$work/err" || fail "banyan $*: '$(cat "$work/err")' lacks '$text'"
}
if (ulimit -v 200000 && exec "$banyan" --version) >/dev/null 2>&1; then
    refused 'the system does not give 268435456 bytes for a search of tictactoe' search tictactoe -n 10
    refused 'the system does not give 1073741824 bytes' match othello mcts:memory=1G random --games 2
    refused "the system does not give more memory for exact values of 'connect4'" \
        match connect4 perfect:memory=4G random --games 2
else
    echo 'not tested: little memory (the program does not start with 200 MB)'
fi
expect 1 'memory=131072 bytes is too little' match mushroom mcts:memory=128K random --games 2
expect 1 'memory=131072 bytes is too little for 2 trees of kuhn' match kuhn mcts:memory=128K,ensemble=2 random --games 2

# --- what works ---
expect 0 '' match tictactoe perfect random --games 20 --json --db "$work/m.db" --save "$work/direct"
for key in game a b games wins_a draws wins_b score_a ci95 elo elo_ci95 distinct_games seed elapsed_s; do
    said "\"$key\":"
done
said '"games": 20'
said '"wins_b": 0'
[ "$(wc -l <"$work/direct")" -eq 20 ] || fail 'not 20 games saved'

# --save keeps what is there
cp "$work/direct" "$work/kept"
expect 2 "'$work/direct' is there already: --append adds to it" match tictactoe random random --games 2 --save "$work/direct"
cmp -s "$work/direct" "$work/kept" || fail 'a file of saved games was overwritten'
expect 0 '' match tictactoe random random --games 2 --save "$work/direct" --append
[ "$(wc -l <"$work/direct")" -eq 22 ] || fail '2 games were not added to 20'
head -20 "$work/direct" | cmp -s - "$work/kept" || fail 'adding changed the games before'
printf %s "$(cat "$work/kept")" >"$work/open" # without the last newline
expect 0 '' match tictactoe random random --games 2 --save "$work/open" --append
expect 0 '' verify tictactoe "$work/open"
said '22 games'
expect 0 '' match tictactoe random random --games 2 --save "$work/fresh" --append
[ "$(wc -l <"$work/fresh")" -eq 2 ] || fail '2 games were not added to none'

# records are read from pipes as from files, their format is found there too
for name in - /dev/stdin; do
    said_of=$("$banyan" verify tictactoe $name <"$work/direct")
    piped=$(cat "$work/direct" | "$banyan" verify tictactoe $name 2>&1)
    case $piped in *22\ games,*\ 0\ differences) ;; *) fail "verify $name of a pipe: $piped" ;; esac
    [ "$said_of" = "$piped" ] || fail "verify $name of a file: $said_of"
done
printf '# remark\n\na1 a2 b1 b2 c1 1-0\na1 a1\n' | "$banyan" verify tictactoe - >"$work/out" 2>"$work/err"
said '2 games, 6 steps, 1 differences'
grep -q '^-:4: ' "$work/err" || fail "verify counts other lines: $(cat "$work/err")"
cat "$work/direct" | "$banyan" page - --game 2 >"$work/out" || fail 'no page of a pipe'
said '"source":"-, game 2"'
printf '(;GM[1]SZ[9]AB[aa];W[ee])\n' | "$banyan" page - --sgf >"$work/out" || fail 'no SGF of a pipe'
said 'W[ee]'

expect 0 '' match tictactoe random random --games 2 --save /dev/null
expect 2 '--append needs --save FILE' match tictactoe random random --append

# a number of simulations that is none is as one that is not told
sed 's/simulations=42/simulations=99999999999999999999999/' $engine >"$work/many"
expect 0 '' match tictactoe "exec:sh $work/many info" random --games 2 --save "$work/counted"
grep -qF '[-1]' "$work/counted" && fail "$(cat "$work/counted")"

expect 0 '' match tictactoe random first perfect --round-robin --games 6
said 'points'
expect 0 '' match tictactoe perfect mcts --games 4 --handicap 2:memory=64M
said 'handicap as O: memory=64M'
expect 0 '' match tictactoe "exec:$banyan serve tictactoe --player mcts:simulations=20" mcts --games 2 \
    --handicap 1:simulations=1 --save "$work/handicapped"
grep -q 'mcts:simulations=20,simulations=1' "$work/handicapped" || fail "$(cat "$work/handicapped")"
if command -v python3 >/dev/null; then
    for boards in 4 6; do # the second time goes on from the first
        sh tools/results/mushroom_seats.sh -b "$banyan" -o "$work/seats" -n $boards -f 50 tournament:nodes=300 \
            exec:"$banyan serve mushroom --player tournament:nodes=300" >"$work/out" 2>"$work/err" || fail "seats: $(cat "$work/err")"
        said "difference +0.000 [+0.000, +0.000], $boards boards of seed $(cat "$work/seats/seed")"
    done
fi
expect 0 '' match tictactoe "exec:$engine good" perfect --games 4
expect 0 '' match othello "exec:gtp:$banyan gtp --player random" random --games 4 --opening-plies 6
expect 0 '' match othello-6x6 "exec:gtp:$banyan gtp --player random" random --games 4
expect 0 '' match hex-7x7 "exec:gtp:$banyan gtp --game hex --player random" random --games 4
expect 0 '' match breakthrough "exec:gtp:$banyan gtp --game breakthrough --player random" random --games 4

# A player is the same at the far end of a pipe, games with dice among them.
for game in tictactoe pig othello-6x6; do
    rm -f "$work/near" "$work/far"
    expect 0 '' match $game random mcts:simulations=20 --games 6 --save "$work/near"
    expect 0 '' match $game "exec:$banyan serve $game --player random" \
        "exec:$banyan serve $game --player mcts:simulations=20" --games 6 -j 2 --save "$work/far"
    for file in near far; do
        # what the player thought does not pass the pipe; times are never the same
        sed 's/"players":\[[^]]*\]//; s/,"values":.*//' "$work/$file" >"$work/$file.plain"
    done
    cmp -s "$work/near.plain" "$work/far.plain" || fail "$game: another match through a pipe"
done

# A program gets whole states, which it can read, also with a fainted Zoroark.
expect 0 '' match pokemon "exec:$banyan serve --player heuristic pokemon" random --games 100 -s 5

# Ctrl-C: what is finished is reported.
"$banyan" match othello mcts:simulations=500 random --games 1000000 --json --save "$work/games" \
    >"$work/out" 2>"$work/err" &
match=$!
until cat "$work"/games* 2>/dev/null | grep -q . || ! kill -0 $match 2>/dev/null; do sleep 0.1; done
kill -INT $match
wait $match
got=$?
[ $got -eq 130 ] || fail "interrupted: exit code $got, not 130"
said '"interrupted": true'
grep -q 'stopped after [1-9][0-9]* of 1000000 games' "$work/err" || fail "interrupted: $(cat "$work/err")"

# --- the protocols, word by word ---
"$banyan" serve tictactoe --player first >"$work/out" <<'END'
banyan 1 tictactoe
choose
banyan 2 tictactoe
banyan 1 chess
new 1 7 .../.../... x
choose
play 0 a1
state x../.../... o
choose
play 0 b1
nonsense
new 5 7 .../.../... x
new 1 18446744073709551615 .../.../... x
new 1 18446744073709551616 .../.../... x
new 1 -1 .../.../... x
quit
END
cat >"$work/expected" <<'END'
ready first
error choose: no game; send 'new' first
error protocol 2 tictactoe: this program knows 1
error this program plays 'tictactoe', not 'chess'
error choose: O does not move now
action a2
error play: expects PLAYER ACTION of one who moves now
error unknown word 'nonsense'; expected banyan, new, play, state, clock, choose or quit
error new: expects SEAT SEED STATE, SEAT from 0 to 1, SEED a whole number below 2^64
error new: expects SEAT SEED STATE, SEAT from 0 to 1, SEED a whole number below 2^64
error new: expects SEAT SEED STATE, SEAT from 0 to 1, SEED a whole number below 2^64
END
cmp -s "$work/out" "$work/expected" || fail "serve: $(diff "$work/out" "$work/expected")"

# Go: komi, handicap, moves of one colour in a row, the score as the board stands
"$banyan" gtp --game go-9x9 --player first >"$work/out" <<'END'
komi 6
fixed_handicap 3
get_komi
play w E5
play w D4
undo
play b D5
komi 6.3
final_score
set_free_handicap C3 G7
clear_board
set_free_handicap C3 G7
final_score
boardsize 13
get_komi
END
grep -v '^$' "$work/out" >"$work/lines"
cat >"$work/expected" <<'END'
=
= C7 G7 C3
= 6
=
=
=
=
? komi= needs a number of -81 to 81, in halves
= W+3
? board not empty
=
=
= B+75
=
= 6
END
cmp -s "$work/lines" "$work/expected" || fail "gtp of Go: $(diff "$work/lines" "$work/expected")"
"$banyan" match go-9x9 first "exec:gtp:$banyan gtp --game go-9x9 --player first" --games 2 \
    --setup "handicap=2 komi=0.5 moves:E5" --json >"$work/out"
grep -q '"games": 2' "$work/out" || fail "a match of Go by GTP from a position: $(cat "$work/out")"

"$banyan" gtp --player first >"$work/out" <<'END'
1 protocol_version
known_command play
known_command jump

# a comment
2 jump
boardsize 7
boardsize 4
3 genmove b
play b a1
play w c1
play green c1
play w
undo
undo
undo
final_score
time_settings 60 0 0
time_left b 59 0
komi 0
quit
name
END
cat >"$work/expected" <<'END'
=1 2

= true

= false

?2 unknown command

? unacceptable size

=

=3 A2

? it is white's turn

=

? 'green' is not a colour: write b or w

? play takes 2 arguments

=

=

? cannot undo

? cannot score: the game is not over

=

=

=

=

END
cmp -s "$work/out" "$work/expected" || fail "gtp: $(diff "$work/out" "$work/expected")"

exit $bad
