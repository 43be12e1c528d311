#!/bin/sh
# A game in a file of its own has what the program's games have (`banyan --game ./nim.so COMMAND`), and a file
# that cannot be used is refused with one line that says why.
#
# Argument: the build folder.
set -u
build=$(cd "$1" && pwd)
banyan=$build/banyan
include=$PWD/include
examples=$PWD/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
bad=0
cd "$work" || exit 1

fail() {
    echo "FAILED: $*"
    bad=1
}
plugin() { # plugin NAME: NAME.c becomes NAME.so
    "$compiler" -std=c17 -Wall -Wextra -Wpedantic -Wno-unused-parameter -Werror -shared -fPIC -fvisibility=hidden \
        -I"$include" -I"$examples" "$1.c" -o "$1.so" || fail "$1.c does not compile"
}
# shows TEXT WORD...: banyan --game ./nim.so WORD... ends well and prints TEXT
shows() {
    text=$1
    shift
    timeout 600 "$banyan" --game ./nim.so "$@" >out 2>err </dev/null || fail "$*: exit code $?: $(cat err)"
    grep -qF -- "$text" out || fail "$*: '$(head -c 2000 out)' lacks '$text'"
}
# refuses TEXT WORD...: banyan WORD... ends with 2 and one line that has TEXT
refuses() {
    text=$1
    shift
    timeout 600 "$banyan" "$@" >out 2>err </dev/null
    got=$?
    [ $got -eq 2 ] || fail "banyan $*: exit code $got, not 2"
    grep -qF -- "$text" err || fail "banyan $*: '$(cat err)' lacks '$text'"
    # an emulator adds a line of its own when the program crashes
    [ "$(grep -vc '^qemu: uncaught target signal' err)" -eq 1 ] || fail "banyan $*: more than one line: $(cat err)"
}

# --- a game that works ---
cp "$examples/nim.c" .
plugin nim
shows 'nim' list
shows 'no broken promise' check nim
shows 'nim, ply 3: ' perft nim 3
shows 'a' search nim -n 1000
shows 'UCB1' explain nim -n 3
shows '<svg' tree nim -n 200 --format=svg
shows 'random' match nim random mcts:simulations=20 -n 4
printf 'a1\nquit\n' | "$banyan" --game=nim.so play nim >out 2>err || fail "play: $(cat err)"
grep -q 'c' out || fail "play: $(cat out)"
printf 'genmove b\nquit\n' | "$banyan" --game ./nim.so gtp -g nim -p mcts:simulations=100 >out 2>err || fail "gtp: $(cat err)"
grep -qi '^= [abc][1-9]' out || fail "gtp: $(cat out)"

"$banyan" --game ./nim.so train nim -r run -o generations=1,games=10,window=100,gate-games=0,test= --play=simulations=4 \
    --net=channels=4,blocks=1 >out 2>err || fail "train: $(cat err)"
shows 'net:run/best.safetensors' match nim net:run/best.safetensors random -n 2

# --- an evaluator that fails in a search of few moves: the next search has all moves again ---
cat >fails_once.h <<'C'
#include <banyan/evaluator.h>
static enum banyan_status once_evaluate(void *ctx, struct banyan_leaf *leaves, int n, struct banyan_error *err)
{
    static int calls;
    if (calls++ == 0)
        return banyan_fail(err, BANYAN_IO, "the first call fails");
    for (int i = 0; i < n; ++i)
        leaves[i].values[0] = leaves[i].values[1] = 0;
    return BANYAN_OK;
}
static enum banyan_status once_create(const struct banyan_game *game, const char *args,
                                      const struct banyan_offer *offers, struct banyan_evaluator *out,
                                      struct banyan_error *err)
{
    *out = (struct banyan_evaluator){.struct_size = sizeof *out, .name = "once", .evaluate = once_evaluate};
    return BANYAN_OK;
}
static const struct banyan_offer once[] = {{"once", "", "fails once", once_create, NULL}, {0}};
C
sed -e '1i #include "fails_once.h"' -e 's/^    \.name = "nim",/&\n    .offers = once,/' nim.c >fails.c
plugin fails
printf 'lz-genmove_analyze b allow b a1,a2 1\nlz-genmove_analyze b\n' |
    "$banyan" --game ./fails.so gtp -g nim -p mcts:evaluator=once,simulations=200 >out 2>err || fail "gtp: $(cat err)"
grep -q '^? the first call fails' out || fail "an evaluator that fails: $(cat out)"
grep -q 'info move C5 ' out || fail "a limit stays after a search that failed: $(cat out)"

# --- two plugins at once, one with two games ---
sed -e '/^BANYAN_PLUGIN/d' nim.c >nim_renamed.c
cat >two.c <<'C'
#include "nim_renamed.c"
#include <banyan/plugin.h>
#define NAMED(NAME)                                                                               \
    {.struct_size = sizeof(struct banyan_game), .name = NAME, .title = "Nim", .players = 2,       \
     .state_size = sizeof(struct nim_state), .action_bytes = 1, .max_legal = 27, .max_plies = 27, \
     .return_min = -1, .return_max = 1, .traits = BANYAN_ZERO_SUM, .init = nim_init,              \
     .movers = nim_movers, .legal = nim_legal, .apply = nim_apply, .returns = nim_returns,        \
     .key = nim_key, .format = nim_format, .action_format = nim_action_format,                    \
     .action_parse = nim_action_parse}
static const struct banyan_game first = NAMED("nim-1"), second = NAMED("nim-2");
BANYAN_PLUGIN(&first, &second);
C
plugin two
"$banyan" --game ./nim.so --game=./two.so list >out 2>err || fail "two plugins: $(cat err)"
for name in nim nim-1 nim-2; do
    grep -q "^ *$name " out || fail "two plugins: list lacks $name"
done

# --- C++ ---
if command -v c++ >/dev/null; then
    "$compiler" -std=c17 -fPIC -I"$include" -I"$examples" -c nim_renamed.c -o nim.o || fail 'nim_renamed.c does not compile'
    printf '#include <banyan/plugin.h>\nextern "C" const banyan_game nim_game;\nBANYAN_PLUGIN(&nim_game);\n' >shown.cpp
    c++ -std=c++17 -Wall -Wextra -Werror -shared -fPIC -fvisibility=hidden -I"$include" shown.cpp nim.o -o cpp.so ||
        fail 'shown.cpp does not compile'
    "$banyan" --game ./cpp.so perft nim 2 >out 2>err || fail "C++: $(cat err)"
fi

# --- files that are refused ---
refuses './none.so: No such file or directory' --game ./none.so list
refuses '--game needs a file' --game
refuses "'./nim.so' is a file, not a game: \`banyan --game ./nim.so list\` names its games" play ./nim.so
refuses 'it stands before the command, as in `banyan --game ./nim.so play nim`' play nim --game ./nim.so
echo 'this is no program' >text.so
refuses 'text.so cannot be loaded as a shared library' --game ./text.so list
echo 'int nothing(void); int nothing(void) { return 0; }' >empty.c
plugin empty
refuses 'empty.so has no symbol banyan_plugin: its source needs the line' --game ./empty.so list
cat >later.c <<'C'
#include <banyan/plugin.h>
static const struct banyan_game *const games[] = {NULL};
extern const struct banyan_plugin banyan_plugin;
__attribute__((visibility("default"))) const struct banyan_plugin banyan_plugin = {
    sizeof(struct banyan_plugin), BANYAN_VERSION_NUMBER + 100, games};
C
plugin later
refuses 'later.so was compiled for banyan 0.2, and this is 0.1.0: compile it again' --game ./later.so list
sed 's/VERSION_NUMBER + 100/VERSION_NUMBER/' later.c >gameless.c
plugin gameless
refuses 'gameless.so has no games: BANYAN_PLUGIN' --game ./gameless.so list
sed 's/VERSION_NUMBER + 100, games/VERSION_NUMBER, NULL/; /games\[\]/d' later.c >listless.c
plugin listless
refuses 'listless.so has no games: BANYAN_PLUGIN' --game ./listless.so list
refuses "a game is called 'nim' already" --game ./nim.so --game ./nim.so list
sed 's/"nim",$/"othello",/' nim.c >taken.c
plugin taken
refuses "a game is called 'othello' already" --game ./taken.so list
sed 's/\.action_bytes = 1/.action_bytes = 3/' nim.c >bytes.c
plugin bytes
refuses 'nim: action_bytes is 3, and 1, 2, 4 and 8 are possible' --game ./bytes.so list
sed 's/return banyan_rng_child(bytes.*/return bytes > 0;/' nim.c >blind.c
plugin blind
refuses 'nim: key() equals that of a position with other movers or legal actions' --game ./blind.so list
sed 's/^    \.struct_size = .*/    .struct_size = 8,/' nim.c >early.c
plugin early
refuses 'struct banyan_game: struct_size is 8' --game ./early.so list

# --- the whole check of a broken game ---
timeout 600 "$banyan" --game ./blind.so check nim >out 2>err && fail 'check of a broken game: exit code 0'
grep -q 'broken promise' out || fail "check: $(cat out err)"

# --- a game that crashes ---
sed 's/^    state->mover = !state->mover;/    if (state->heap[0] == 0) *(volatile int *)0 = 1;\n&/' nim.c >crash.c
cmp -s nim.c crash.c && fail 'crash.c does not crash'
plugin crash
refuses "a function of the game 'nim' crashes; \`banyan --game FILE check GAME\` tells more" --game ./crash.so list
timeout 600 "$banyan" --game ./crash.so check nim >out 2>err
[ $? -eq 1 ] || fail "check of a game that crashes: $(cat out err)"
crashed='^nim: apply() crashed at the start of game 0: Segmentation fault; --first 0 --games 1 --seed 1 does it again$'
grep -q "$crashed" out || fail "check of a game that crashes: $(cat out err)"

# another function, another signal, in the middle of a game
sed '/^static int nim_legal(/,/^}/s/^    int count = 0;/    if (((const struct nim_state *)at)->heap[1] == 0) abort();\n&/; 1a #include <stdlib.h>' nim.c >abort.c
cmp -s nim.c abort.c && fail 'abort.c does not crash'
plugin abort
timeout 600 "$banyan" --game ./abort.so check nim >out 2>err
[ $? -eq 1 ] || fail "check of a game that aborts: $(cat out err)"
grep -q '^nim: legal() crashed at the start of game [0-9]*: Aborted; --first ' out ||
    fail "check of a game that aborts: $(cat out err)"

# no game crashes alone: all of them are played again, until the function is known
sed '/^static void nim_apply(/,/^}/s/^    state->mover = !state->mover;/    static int calls;\n    if (++calls == 9000) abort();\n&/; 1a #include <stdlib.h>' nim.c >late.c
plugin late
timeout 600 "$banyan" --game ./late.so check nim >out 2>err
[ $? -eq 1 ] || fail "check of a game that aborts late: $(cat out err)"
grep -q '^nim: apply() crashed in game [1-9][0-9]*, ply [0-9]*: Aborted$' out ||
    fail "check of a game that aborts late: $(cat out err)"

exit $bad
