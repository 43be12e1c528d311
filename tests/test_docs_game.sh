#!/bin/sh
# The code of docs/adding-a-game.md is right: a block either stands in examples/, word for word, or is
# compiled behind examples/nim.c with the public headers alone.  The tables that these blocks make are
# then played by banyan_game_check and searched.
#
# Argument: the build folder.
set -eu
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")

# Every block as a file of its own.
awk -v folder="$folder" '
    /^```c$/ { inside = 1; file = sprintf("%s/block%02d", folder, ++count); next }
    /^```/ { inside = 0 }
    inside { print >file }' docs/adding-a-game.md
quoted=0
{
    echo '#include "nim.c"'
    echo '#include <banyan/search.h>'
    echo '#include <banyan/check.h>'
} >"$folder/page.c"
for block in "$folder"/block*; do
    if cat examples/nim.h examples/nim.c examples/own_game.c | awk -v block="$block" '
        BEGIN { while ((getline line < block) > 0) want[++lines] = line }
        { have[NR] = $0 }
        END {
            for (i = 0; i + lines <= NR && !found; ++i) {
                for (j = 1; j <= lines && have[i + j] == want[j]; ++j) ;
                found = j > lines
            }
            exit !found
        }'; then
        quoted=$((quoted + 1))
    else
        cat "$block" >>"$folder/page.c"
    fi
done
cat >>"$folder/page.c" <<'C'
static bool is_searched(const struct banyan_game *game)
{
    struct banyan_search_options options;
    struct banyan_evaluator evaluator;
    struct banyan_search *search = NULL;
    struct banyan_search_move best;
    struct banyan_error err;
    struct nim_state state;
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = 2000};
    banyan_search_options_default(&options);
    return banyan_evaluator_create(game, "rollout", NULL, &evaluator, &err) == BANYAN_OK &&
           banyan_search_create(&search, game, &options, &evaluator, &err) == BANYAN_OK &&
           game->init(game, &state, NULL, NULL, &err) == BANYAN_OK &&
           banyan_search_set_root(search, &state, -1, &err) == BANYAN_OK &&
           banyan_search_run(search, &limits, &err) == BANYAN_OK &&
           banyan_search_choose(search, 0, &best, &err) == BANYAN_OK &&
           (banyan_search_destroy(search), banyan_evaluator_close(&evaluator), true);
}

/* 1 0 0: who takes the last object has lost, so the mover has. */
static bool last_object_loses(const struct banyan_game *game)
{
    struct nim_state state;
    float returns[2];
    if (game->init(game, &state, "1 0 0 1", NULL, NULL) != BANYAN_OK)
        return false;
    game->apply(game, &state, &(banyan_action){1}, NULL);
    game->returns(game, &state, returns);
    return returns[0] == -1 && returns[1] == 1;
}

int main(void)
{
    struct nim_rules rules = {.last_loses = true};
    struct banyan_game games[] = {nim_game, nim_with(&rules), nim_with_coin(), nim_with_mirror()};
    int failed = !last_object_loses(&games[1]);
    for (int i = 0; i < 4; ++i)
        if (!keeps_the_contract(&games[i]) || !is_searched(&games[i])) {
            fprintf(stderr, "%s fails\n", games[i].name);
            failed = 1;
        }
    return failed;
}
C
test "$quoted" -ge 10 || { echo "only $quoted blocks stand in examples/"; exit 1; }
"$compiler" -std=c17 -Wall -Wextra -Werror -Wno-unused-parameter -Iexamples -Iinclude "$folder/page.c" \
    "$build/libbanyan.a" -lm -pthread -o "$folder/page"
"$folder/page"
