#!/bin/sh
# Puts defects that published tutorials have into a copy of the sources, one after another, and prints which
# tests of the search fail.
#
#   tools/results/defects.sh FOLDER
#
# FOLDER is where the copy is built; the sources here are not changed.  Exit code 1 if a defect cannot be put in
# any more (its line is gone), or if no test fails.
set -eu
folder=${1:?"give a folder to build in"}
tests="test_search_rules test_search_luck test_search_models test_search_tictactoe"

# what | file | sed command, and further files and commands
defects() {
    cat <<'END'
the reward is taken for the side to move at the root, then flipped from the leaf upward | src/search/update.c | s/double utility = search_utility(search, simulation->values, step->mover);/double utility = ((simulation->path + simulation->length - step) % 2 ? 1 : -1) * simulation->values[search->root.viewer];/
children have their parent's actions: the move is not played | src/search/descend.h | s/^    apply_joint(search->game, simulation->state, joint, &search->dice);/    const struct banyan_game *game = search->game; banyan_action first[256], other[BANYAN_MAX_PLAYERS]; memcpy(other, joint, sizeof other); for (int p = 0; p < game->players; ++p) if (game->movers(game, simulation->state) >> p \& 1) { game->legal(game, simulation->state, p, first); other[p] = first[0]; } apply_joint(game, simulation->state, other, \&search->dice);/
the opponent's turn is missing: everybody plays for the player who searches | src/search/update.c | s/simulation->values, step->mover)/simulation->values, search->root.viewer)/
the highest mean is chosen whatever the rule says | src/search/final.c | s/switch (options->final) {/switch (BANYAN_FINAL_MAX) {/
the most visits are chosen whatever the rule says | src/search/final.c | s/switch (options->final) {/switch (BANYAN_FINAL_ROBUST) {/
the true state is evaluated, hidden cards and all | src/search/descend.c | s/^    game->determinize(game, out, search->root.viewer, &search->rng);//
an unvisited child scores infinity, whatever its prior | src/search/select_puct.c | s/puct->unvisited = mean - .*/puct->unvisited = INFINITY;/
the cache is emptied after every evaluation | src/search/evaluators_around.c | s/^    pthread_mutex_unlock(&cache->lock);/    memset(cache->entries, 0, (size_t)cache->size * sizeof *cache->entries);\n&/
one position per call of the evaluator | src/search/run.c | s/(uint64_t)run->search->options.batch)/1)/
a loss counts -1 where a win counts 1 and a draw 1/2, for one player only | src/search/update.c | s/double utility = search_utility(search, simulation->values, step->mover);/double utility = search_utility(search, simulation->values, step->mover); utility = step->mover == 0 \&\& utility >= 0 ? (utility + 1) \/ 2 : utility;/
the side to move is taken for the wrong one (player 1 plays against himself) | src/search/update.c | s/double utility = search_utility(search, simulation->values, step->mover);/double utility = search_utility(search, simulation->values, 0);/
children are tried from left to right | src/search/expand.c | s/search->options.order == BANYAN_ORDER_RANDOM/false/
END
}

root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$folder/pristine"
(cd "$root" && git ls-files -co --exclude-standard | tar cf - -T -) | tar xf - -C "$folder/pristine"
rm -rf "$folder/copy"
cp -a "$folder/pristine" "$folder/copy"
cd "$folder/copy"
build() { cmake --build build -j2 --target $tests > build.log 2>&1; }
cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release > build.log 2>&1

failed() { # names of the failed tests of all programs
    for test in $tests; do
        timeout 300 "build/$test" 2>&1 | sed -n 's/^\[  FAILED  \] \([a-z_0-9]*\)$/\1/p' | sort -u
        # a program that crashes has failed, too
    done | sort -u | tr '\n' ' '
}
build || { tail -n 5 build.log >&2; exit 1; }
test -z "$(failed)" || { echo "tests fail without any defect" >&2; exit 1; }

bad=0
echo "| defect | tests that fail |"
echo "|---|---|"
defects > ../defects.txt
while IFS='|' read -r what file command; do
    file=$(echo $file)
    before=$(cksum < "$file")
    sed -i "$command" "$file"
    found=
    if [ "$before" = "$(cksum < "$file")" ]; then
        found="(cannot be put in: $file has changed)"
        bad=1
    elif ! build; then
        found="(does not build)"
        bad=1
    else
        found=$(failed)
        test -n "$found" || { found="NONE" bad=1; }
    fi
    echo "| $what| $(echo $found | sed 's/[a-z_0-9]\{6,\}/`&`/g; s/` `/`, `/g') |"
    cp -p "../pristine/$file" "$file"
    touch "$file"
done < ../defects.txt
exit $bad
