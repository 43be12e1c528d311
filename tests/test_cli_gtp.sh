#!/bin/sh
# banyan gtp as the GUIs of Go use it: games in SGF, searches that report until the next line, dead stones.
set -eu
banyan=$1/banyan
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAILED: $*"
    exit 1
}

# --- Othello: the shortest game leaves 13 discs, all of them black ---
{
    for move in e6 f4 e3 f6 g5 d6 e7 f5 c5; do
        [ "${black:=b}" = b ] && colour=b black=w || colour=w black=b
        echo "play $colour $move"
    done
    echo final_score
} | "$banyan" gtp >"$work/out"
grep -qx '= B+13' "$work/out" || fail "the score of a game of Othello: $(cat "$work/out")"

# --- answers that do not depend on the search ---
cat >"$work/game.sgf" <<'END'
(;GM[1]FF[4]SZ[9]KM[6.50]HA[2]AB[cc][gg]C[a comment (;B[aa\])];W[ee](;B[ce];W[];B[tt])(;B[aa]))
END
cat >"$work/in" <<END
1 loadsgf $work/game.sgf 3
get_komi
printsgf
undo
printsgf $work/Out.sgf
loadsgf $work/none.sgf
loadsgf $work/game.sgf 0
boardsize 13
loadsgf $work/game.sgf
final_score
final_status_list seki
final_status_list most
play b a1
clear_board
lz-analyze 10 nonsense 1
kata-analyze w interval
kata-analyze b interval -1
kata-analyze b allow w e5 1 avoid b z9 1
time_left b 30 0
END
"$banyan" gtp --game go --player mcts:simulations=50 <"$work/in" | grep -v '^$' >"$work/out"
cat >"$work/expected" <<END
=1
= 6.5
= (;GM[1]FF[4]CA[UTF-8]AP[Banyan:VERSION]SZ[9]KM[6.5]RU[Chinese]HA[2]AB[cc][gg]PL[W]
;W[ee];B[ce])
=
=
? cannot read '$work/none.sgf': No such file or directory
? moves are counted from 1
=
=
= W+4.5
=
? 'most' is no status: write dead, alive or seki
=
=
? 'nonsense' is unknown
? 'interval' needs a value
? the interval is 0 to 100000000 centiseconds
? 'z9' is not a move: write A1 to J9 (there is no column I), or pass
=
END
sed 's/Banyan:[0-9.]*/Banyan:VERSION/' "$work/out" | cmp -s - "$work/expected" ||
    fail "$(diff "$work/out" "$work/expected")"
grep -q '^;W\[ee\])$' "$work/Out.sgf" || fail "printsgf FILE: $(cat "$work/Out.sgf")"

# the written game is read again, as a record, as a position, and as a page
[ "$("$banyan" verify go-9x9 "$work/Out.sgf" "$work/game.sgf")" = "2 games, 5 steps, 0 differences" ] ||
    fail "verify"
"$banyan" page "$work/game.sgf" -o "$work/page.html"
grep -q '"E5"' "$work/page.html" || fail "no page of an SGF"
"$banyan" page "$work/game.sgf" --sgf | sed 1d >"$work/again"
[ "$(cat "$work/again")" = ";W[ee];B[ce];W[];B[])" ] || fail "page --sgf: $(cat "$work/again")"
"$banyan" match go-9x9 first random --games 1 --save "$work/games.jsonl" >/dev/null
"$banyan" page "$work/games.jsonl" --sgf >"$work/match.sgf"
"$banyan" verify go-9x9 "$work/match.sgf" | grep -q '^1 games, .* 0 differences$' || fail "a match as SGF"
"$banyan" search go-9x9 -n 10 --position "$(cat "$work/Out.sgf")" --json | grep -q '"position": "komi=6.5 first=white black=C7,G3 moves:E5"' ||
    fail "--position SGF"
"$banyan" search go -n 10 --position "$(cat "$work/Out.sgf")" 2>"$work/err" && fail "another board"
grep -q 'the position is one of go-9x9, not of go' "$work/err" || fail "$(cat "$work/err")"

# --- Sabaki sends komi before the size of the board, stones of one colour in a row, and takes them back ---
cat >"$work/in" <<END
0 list_commands
1 komi 6.5
2 boardsize 9
3 clear_board
4 set_free_handicap C3 G7
5 play W E5
6 play W D4
7 kata-analyze B 50 ownership true
8 protocol_version
9 undo
10 printsgf
11 boardsize 13
12 get_komi
13 play B D4
14 play W pass
15 lz-analyze B 1 allow B pass 1
16 genmove_analyze
17 play B pass
18 genmove W
19 komi 100
20 boardsize 9
21 get_komi
END
"$banyan" gtp --game go --player mcts:simulations=20 <"$work/in" | grep -v '^$' >"$work/out"
sed -n '/^=0/,/^=1$/p' "$work/out" | tr '\n' ' ' >"$work/commands"
for command in undo set_free_handicap kata-analyze lz-analyze kata-genmove_analyze lz-genmove_analyze loadsgf; do
    grep -q " $command " "$work/commands" || fail "list_commands: no $command"
done
cat >"$work/expected" <<END
=1
=2
=3
=4
=5
=6
=7
info
=8 2
=9
=10 (;GM[1]FF[4]CA[UTF-8]AP[Banyan:VERSION]SZ[9]KM[6.5]RU[Chinese]HA[2]AB[gc][cg]PL[W]
;W[ee])
=11
=12 6.5
=13
=14
=15
info move pass
?16 unknown command
=17
=18 pass
=19
=20
=21 7.5
END
sed -e '1,/^loadsgf/d' -e '/^lz-\|^kata-\|^final\|^printsgf/d' -e 's/Banyan:[0-9.]*/Banyan:VERSION/' \
    -e 's/^info move [A-Z].*ownership.*/info/' -e 's/^\(info move pass\) visits .* pv pass$/\1/' "$work/out" |
    cmp -s - "$work/expected" || fail "Sabaki: $(cat "$work/out")"

# black cannot make up for this komi
printf 'komi 81\ngenmove b\nlz-genmove_analyze b\ngenmove w\nplay b pass\nplay b a1\nundo\ngenmove b\n' |
    "$banyan" gtp --game go-9x9 --resign 0.5 --player best:simulations=20 | grep -v '^$\|^info' | tr '\n' ' ' >"$work/out"
grep -q '^= = resign = play resign = [A-J][1-9] = ? a pass of white would end the game = = resign $' "$work/out" ||
    fail "resign: $(cat "$work/out")"

# a move after two passes takes back the second pass; undo takes back that move only
printf 'play b C3\nplay w pass\nplay b pass\nplay w E5\nundo\nplay b G7\nprintsgf\nundo\nfinal_score\nkata-analyze w\nplay b a1\n' |
    "$banyan" gtp --game go-9x9 --player mcts:simulations=20 | grep -v '^$\|^info' | sed 's/(;GM.*//' | tr '\n' ' ' >"$work/out"
[ "$(cat "$work/out")" = "= = = = = = =  ;B[cg];W[];B[gc]) = = B+73.5 = = " ] || fail "after two passes: $(cat "$work/out")"

# a refused command changes nothing: the pass for the other side is taken back
printf 'play b E5\nplay b E5\nprintsgf\nlz-genmove_analyze b\nprintsgf\ngenmove w\n' |
    "$banyan" gtp --game go-9x9 --player random | grep -v '^$' | sed 's/^= (;GM.*/=/' | tr '\n' ' ' >"$work/out"
grep -q '^= ? .* = ;B\[ee\]) ? the player does not search.* = ;B\[ee\]) = [A-J][1-9] $' "$work/out" ||
    fail "after a refused command: $(cat "$work/out")"

# genmove_analyze keeps to allow and avoid, for this move alone
printf 'kata-genmove_analyze b allow b C4 1\nkata-genmove_analyze w avoid w C3,C5 1\nlz-analyze b\n' |
    "$banyan" gtp --player mcts:simulations=200 | grep -v '^$' >"$work/out"
sed '3,$d' "$work/out" | grep -q '^info move C4 visits [0-9]*.* order 0 pv C4' && ! grep -q 'move D3' "$work/out" ||
    fail "allow: $(cat "$work/out")"
[ "$(grep '^play' "$work/out" | tr '\n' ' ')" = 'play C4 play E3 ' ] || fail "avoid: $(cat "$work/out")"
[ "$(tail -1 "$work/out" | grep -o 'info move' | wc -l)" -gt 3 ] || fail "a limit stays: $(cat "$work/out")"

# a player that serves one size only keeps its board
printf 'boardsize 6\nplay b d3\nshowboard\n' |
    "$banyan" gtp --player net:weights/othello.safetensors,simulations=1 >"$work/out"
grep -q '^? .*network for another game' "$work/out" && grep -q '^ *8 ' "$work/out" || fail "size: $(cat "$work/out")"

# --- a session with a GUI, which reads before it writes ---
mkfifo "$work/to" "$work/from"
"$banyan" gtp --game go-9x9 --player best:simulations=200 <"$work/to" >"$work/from" &
exec 3>"$work/to" 4<"$work/from"
say() { echo "$*" >&3; }
heard=
hear() { # pattern: reads up to a line like this
    while read -r heard <&4; do
        # shellcheck disable=SC2254
        case $heard in $1) return ;; esac
    done
    fail "the engine ended; last: $heard"
}
say 'set_free_handicap D5 E6 E4'
hear '='
say '5 lz-genmove_analyze w 10'
hear '=5'
hear 'info move [A-J][1-9] visits [0-9]* winrate [0-9]* prior [0-9]* lcb [0-9]* order 0 pv *'
hear 'play *'
[ -n "${heard#play }" ] || fail "no move"
say '6 undo'
hear '=6'
say 'play w E5'
hear '='
say '7 lz-analyze b 1 allow b F5 1'
hear '=7'
hear 'info move F5 * order 0 pv F5*'
hear 'info move F5 * order 0 pv F5*' # reports go on until the next line
say '8 kata-analyze interval 1 maxmoves 2 rootInfo true ownership true'
hear '=8'
hear 'info move * visits * utility * winrate 0.* prior 0.* lcb * order 0 pv * info move * order 1 pv * rootInfo visits * scoreLead * ownership *'
[ "$(echo "${heard#*ownership }" | wc -w)" = 81 ] || fail "ownership: $heard"
say '9 kata-analyze w 1 avoid w F5,F6 5' # black passes for it
hear '=9'
hear 'info move *'
case $heard in *'move F5 '*) fail "F5 was to be avoided: $heard" ;; esac
say '10 showboard' # the search for the other colour has changed nothing
hear '5 *X(O)*'
say '11 kata-genmove_analyze b'
hear '=11'
hear 'play *'
say '12 quit'
hear '=12'
exec 3>&- 4<&-
wait
