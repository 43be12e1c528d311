#!/bin/sh
# The layer check finds every kind of include that goes where it must not, and only those.
set -eu
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

fresh() { # a small sound tree
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/include/banyan "$tree"/src/base "$tree"/src/search "$tree"/src/games/othello \
        "$tree"/src/games/go "$tree"/src/players/program "$tree"/src/match "$tree"/src/records "$tree"/src/nn "$tree"/src/cli
    put include/banyan/game.h '<stdint.h>'
    put include/banyan/player.h '<banyan/game.h>'
    put include/banyan/search.h '<banyan/game.h>'
    put src/base/arena.h '<stddef.h>'
    put src/base/arena.c '"base/arena.h"' '<stdlib.h>' '<sys/stat.h>'
    put src/search/tree.h '<banyan/search.h>' '"base/arena.h"'
    put src/search/tree.c '"search/tree.h"' '"tree.h"' '<math.h>'
    put src/games/games.def
    put src/games/registry.c '"games/games.def"' '<banyan/game.h>'
    put src/games/othello/board.h '<banyan/game.h>'
    put src/games/othello/flip_avx2.c '"games/othello/board.h"' '"base/arena.h"' '<immintrin.h>'
    put src/games/go/go.h '<banyan/game.h>'
    put src/nn/model.h '<stddef.h>'
    put src/nn/model.c '"base/arena.h"' '<banyan/game.h>'
    put src/players/budget.h '<banyan/player.h>'
    put src/players/program/net.h '"nn/model.h"' '"players/budget.h"' '<sys/wait.h>'
    put src/match/match.c '<banyan/search.h>' '"players/program/net.h"' '<sqlite3.h>'
    put src/records/othello_json.c '"base/arena.h"' '<jansson.h>'
    put src/cli/cli.h '<banyan/search.h>'
    put src/cli/main.c '"cli/cli.h"' '"search/tree.h"' '<jansson.h>'
}
put() { # put FILE INCLUDE...
    file=$1
    shift
    for include; do echo "#include $include"; done >"$tree/$file"
}
checks=0
refuses() { # refuses FILE INCLUDE: the sound tree with that include is refused, for that alone
    fresh
    echo "  #  include $2 /* x */" >>"$tree/$1"
    complains "$1" "$2"
}
complains() { # complains FILE WHAT: about that file, once
    if output=$(tools/check-layers "$tree"); then
        echo "not found: $2 in $1"
        exit 1
    fi
    if [ "$(echo "$output" | wc -l)" != 1 ] || ! echo "$output" | grep -q "^$1:"; then
        echo "expected one complaint about $1, got:"
        echo "$output"
        exit 1
    fi
    checks=$((checks + 1))
}

fresh
tools/check-layers "$tree"
refuses include/banyan/game.h '"base/arena.h"'
refuses include/banyan/game.h '<banyan/none.h>'
refuses include/banyan/game.h '<jansson.h>'
refuses src/base/arena.c '"search/tree.h"'
refuses src/base/arena.c '<jansson.h>'
refuses src/search/tree.c '"games/othello/board.h"'
refuses src/search/tree.c '"match/match.h"'
refuses src/search/tree.c '"nowhere.h"'
refuses src/search/tree.c '"../base/arena.h"'
refuses src/search/tree.c '<sys/socket.h>'
refuses src/search/tree.c '<sqlite3.h>'
refuses src/search/tree.c '<immintrin.h>'
refuses src/search/tree.c 'TREE_HEADER'
refuses src/games/othello/board.h '"games/go/go.h"'
refuses src/games/othello/board.h '"search/tree.h"'
refuses src/games/othello/board.h '"games/games.def"'
refuses src/games/registry.c '"games/go/go.h"'
refuses src/nn/model.c '"search/tree.h"'
refuses src/nn/model.c '"games/go/go.h"'
refuses src/players/budget.h '"nn/model.h"'
refuses src/players/budget.h '"players/program/net.h"'
refuses src/players/budget.h '<sys/wait.h>'
refuses src/players/program/net.h '"search/tree.h"'
refuses src/match/match.c '"search/tree.h"'
refuses src/match/match.c '"games/go/go.h"'
refuses src/match/match.c '"cli/cli.h"'
refuses src/match/match.c '<dnnl.h>'
refuses src/records/othello_json.c '"games/othello/board.h"'
refuses src/records/othello_json.c '<sqlite3.h>'
refuses src/nn/model.c '<cpuid.h>'
fresh
echo 'if (__builtin_cpu_supports("avx2")) return;' >>"$tree/src/nn/model.c"
complains src/nn/model.c 'a look at the processor'
fresh
echo 'const struct banyan_game *game = othello_variant(0);' >>"$tree/src/search/tree.c"
complains src/search/tree.c 'the name of a game'
fresh
echo 'while (board_movers(NULL, state))' >>"$tree/src/games/othello/board.h"
complains src/games/othello/board.h 'a function of a game without its game'
# Declarations by hand: of a function or an object that another file defines.
declares() { # declares DECLARATION: search/tree.c with it is refused, for that alone
    fresh
    echo "$1" >>"$tree/src/search/tree.c"
    complains src/search/tree.c "$1"
}
declares 'int arena_size(int n);'
declares 'struct arena *arena_make(size_t first, const char *name,
                         void *ctx);'
declares 'extern const struct banyan_game *arena_game(int index);'
declares 'extern int arena_count;'
declares 'arena_visit_fn arena_visit;'
declares 'void tree_walk(void)
{
    extern int arena_size(int n);
}'
fresh
cat >>"$tree/src/search/tree.c" <<'CODE'
/* What a file may well say. */
struct tree;
enum tree_kind { TREE_SMALL };
struct tree {
    int (*visit)(struct tree *tree);
};
extern char **environ;
#define TREE(name) extern const struct tree tree_##name;
typedef int tree_fn(struct tree *tree);
static int tree_size(const struct tree *tree);
static tree_fn tree_visit;
const struct tree *tree_first(int index);
extern const struct tree tree_table[];
const struct tree tree_table[] = {{0}};
const struct tree *tree_first(int index)
{
    tree_size(
        tree_table);
again:
    return tree_table;
}
CODE
tools/check-layers "$tree"
echo "$checks bad trees are refused"

tools/check-layers
