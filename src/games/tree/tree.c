/* Game trees that are given as text: rules, setups and the tables of their functions. */
#include "games/tree/tree.h"

#include "base/rng.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int tree_game_child(const struct tree *tree, int at, int index)
{
    if (tree->node[at].kind == TREE_END)
        return 0;
    int child = at + 1;
    while (child && index-- > 0)
        child = tree->node[child].next;
    return child;
}

static enum banyan_status tree_load(const char *path, char *text, size_t size,
                                    struct banyan_error *err)
{
    FILE *file = fopen(path, "r");
    char reason[128] = "";
    if (!file && strerror_r(errno, reason, sizeof reason) == 0)
        return banyan_fail(err, BANYAN_IO, "tree: cannot open '%s': %s", path, reason);
    if (!file)
        return banyan_fail(err, BANYAN_IO, "tree: cannot open '%s'", path);
    size_t length = fread(text, 1, size - 1, file);
    bool whole = feof(file) != 0;
    fclose(file);
    text[length] = 0;
    if (!whole)
        return banyan_fail(err, BANYAN_INVALID,
                           "tree: '%s' cannot be read or has more than %zu bytes", path, size - 1);
    return BANYAN_OK;
}

static enum banyan_status tree_setup(void *state, const char *setup, const char *usual, int players,
                                     bool zero_sum, struct banyan_error *err)
{
    static const char prefix[] = "file:";
    char text[16384];
    if (!setup || !*setup)
        return tree_game_read(state, usual, players, zero_sum, err);
    if (strncmp(setup, prefix, sizeof prefix - 1) != 0)
        return tree_game_read(state, setup, players, zero_sum, err);
    enum banyan_status status = tree_load(setup + sizeof prefix - 1, text, sizeof text, err);
    return status == BANYAN_OK ? tree_game_read(state, text, players, zero_sum, err) : status;
}

static enum banyan_status tree_init_1(const struct banyan_game *game, void *state,
                                      const char *setup, struct banyan_rng *rng,
                                      struct banyan_error *err)
{
    (void)rng;
    return tree_setup(state, setup, "(1 a:(1 c:[20] d:[5]) b:(chance 0.5:[0] 0.5:[30]))", 1, false,
                      err);
}

static enum banyan_status tree_init_2(const struct banyan_game *game, void *state,
                                      const char *setup, struct banyan_rng *rng,
                                      struct banyan_error *err)
{
    (void)rng;
    return tree_setup(state, setup, "(1 a:(2 c:[3 1] d:[1 2]) b:(2 e:[2 3] f:[4 0]))", 2, false,
                      err);
}

/* The default tree is the example of Russell and Norvig, "Artificial Intelligence", chapter on
 * adversarial search: action a is best, with minimax value 3. */
static enum banyan_status tree_init_zero(const struct banyan_game *game, void *state,
                                         const char *setup, struct banyan_rng *rng,
                                         struct banyan_error *err)
{
    (void)rng;
    return tree_setup(
        state, setup,
        "(1 a:(2 d:[3] e:[12] f:[8]) b:(2 g:[2] h:[4] i:[6]) c:(2 j:[14] k:[5] l:[2]))", 2, true,
        err);
}

/* The best action depends on how player 1 expects the others to play: tests/data/tree/three.tree.
 */
static enum banyan_status tree_init_3(const struct banyan_game *game, void *state,
                                      const char *setup, struct banyan_rng *rng,
                                      struct banyan_error *err)
{
    (void)rng;
    return tree_setup(state, setup,
                      "(1 a:(2 l:(3 l:[6 5 1] r:[2 6 0]) r:(3 l:[1 4 7] r:[8 3 2]))"
                      " b:(2 l:(3 l:[4 2 5] r:[5 9 3]) r:(3 l:[3 1 6] r:[4 0 5]))"
                      " c:(2 l:(3 l:[0 20 1] r:[9 9 0]) r:(3 l:[5 4 8] r:[0 0 9])))",
                      3, false, err);
}

static enum banyan_status tree_init_4(const struct banyan_game *game, void *state,
                                      const char *setup, struct banyan_rng *rng,
                                      struct banyan_error *err)
{
    (void)rng;
    return tree_setup(state, setup,
                      "(1 go:(2 go:(3 go:(4 go:[4 4 4 4] stop:[0 0 0 9]) stop:[0 0 6 1])"
                      " stop:[0 3 1 1]) stop:[1 1 1 1])",
                      4, false, err);
}

static unsigned tree_movers(const struct banyan_game *game, const void *state)
{
    const struct tree *tree = state;
    int kind = tree->node[tree->at].kind;
    return kind == TREE_END ? 0 : 1u << (kind - 1);
}

static int tree_legal(const struct banyan_game *game, const void *state, int player,
                      banyan_action *out)
{
    (void)player;
    const struct tree *tree = state;
    int n = 0;
    for (int child = tree->at + 1; child; child = tree->node[child].next, ++n)
        out[n] = (banyan_action)n;
    return n;
}

/* Draws an outcome.  Each outcome in turn is taken with its share of the weights that are left; the
 * last one needs no die. */
static int tree_outcome(const struct tree *tree, int at, struct banyan_dice *dice)
{
    int left = 0, child;
    for (child = at + 1; child; child = tree->node[child].next)
        left += (int)tree->node[child].weight;
    for (child = at + 1; tree->node[child].next; child = tree->node[child].next) {
        int weight = (int)tree->node[child].weight;
        if (banyan_dice_chance(dice, TREE_OUTCOME, weight, left))
            break;
        left -= weight;
    }
    return child;
}

static void tree_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                       struct banyan_dice *dice)
{
    struct tree *tree = state;
    int player = tree->node[tree->at].kind - 1;
    int at = tree_game_child(tree, tree->at, (int)joint[player]);
    if (tree->node[at].kind == TREE_CHANCE)
        at = tree_outcome(tree, at, dice);
    tree->at = (uint8_t)at;
}

static void tree_returns(const struct banyan_game *game, const void *state, float *out)
{
    const struct tree *tree = state;
    for (int p = 0; p < tree->players; ++p)
        out[p] = (float)tree->node[tree->at].value[p] / TREE_CENTS;
}

static uint64_t tree_key(const struct banyan_game *game, const void *state, int viewer)
{
    (void)viewer;
    const struct tree *tree = state;
    return rng_mix(tree->fingerprint ^ tree->at);
}

static int tree_format(const struct banyan_game *game, const void *state, char *out, size_t size)
{
    return tree_game_write(state, out, size);
}

static int tree_action_format(const struct banyan_game *game, const void *state, int player,
                              banyan_action action, char *out, size_t size)
{
    (void)player;
    const struct tree *tree = state;
    return snprintf(out, size, "%s",
                    tree->node[tree_game_child(tree, tree->at, (int)action)].label);
}

static enum banyan_status tree_action_parse(const struct banyan_game *game, const void *state,
                                            int player, const char *text, banyan_action *out,
                                            struct banyan_error *err)
{
    const struct tree *tree = state;
    if (tree_movers(game, state) != 1u << player)
        return banyan_fail(err, BANYAN_ILLEGAL, "player %d has no move here", player + 1);
    int n = 0;
    for (int child = tree->at + 1; child; child = tree->node[child].next, ++n)
        if (strcmp(tree->node[child].label, text) == 0) {
            *out = (banyan_action)n;
            return BANYAN_OK;
        }
    return banyan_fail(err, BANYAN_INVALID,
                       "no branch of this node is called '%s'; the first branch is '%s'", text,
                       tree->node[tree->at + 1].label);
}

/* The estimate that the text gives for this node; 0 where it gives none. */
static float tree_heuristic(const struct banyan_game *game, const void *state, int player)
{
    const struct tree *tree = state;
    return (float)tree->node[tree->at].value[player] / TREE_CENTS;
}

static void tree_priors(const struct banyan_game *game, const void *state, int player,
                        const banyan_action *actions, int n, float *out)
{
    (void)player;
    const struct tree *tree = state;
    float sum = 0;
    for (int child = tree->at + 1; child; child = tree->node[child].next)
        sum += (float)tree->node[child].weight;
    for (int i = 0; i < n; ++i) {
        int child = tree_game_child(tree, tree->at, (int)actions[i]);
        out[i] = sum > 0 ? (float)tree->node[child].weight / sum : 1.0f / (float)n;
    }
}

static int tree_policy_index(const struct banyan_game *game, const void *state, int player,
                             banyan_action action)
{
    (void)state;
    return (int)action;
}

static int tree_draw(const struct banyan_game *game, const void *state, int viewer, char *out,
                     size_t size)
{
    (void)viewer;
    return tree_game_picture(state, out, size);
}

static const char *const tree_dice_kinds[] = {[TREE_OUTCOME] = "outcome", NULL};

static const char *const tree_levels[] = {"best", NULL}; /* trees are searched completely */

#define TREE_VARIANT(NAME, TITLE, PLAYERS, TRAITS, INIT)                                          \
    {                                                                                             \
        .struct_size = sizeof(struct banyan_game), .name = NAME, .title = TITLE,                  \
        .players = PLAYERS, .state_size = sizeof(struct tree), .action_bytes = 1,                 \
        .max_legal = TREE_BRANCHES, .max_plies = TREE_NODES - 1, .return_min = -100,              \
        .return_max = 100, .policy_size = TREE_BRANCHES, .traits = TRAITS, .init = INIT,          \
        .movers = tree_movers, .legal = tree_legal, .apply = tree_apply, .returns = tree_returns, \
        .key = tree_key, .format = tree_format, .action_format = tree_action_format,              \
        .action_parse = tree_action_parse, .heuristic = tree_heuristic, .priors = tree_priors,    \
        .policy_index = tree_policy_index, .planes = {TREE_PLANES, TREE_NODES, 1},                \
        .encode = tree_encode, .features = tree_features, .draw = tree_draw,                      \
        .levels = tree_levels, .dice_kinds = (TRAITS)&BANYAN_CHANCE ? tree_dice_kinds : NULL      \
    }

static const struct banyan_game tree_variants[] = {
    TREE_VARIANT("tree", "Written tree, 1 player", 1, BANYAN_CHANCE, tree_init_1),
    TREE_VARIANT("tree-2", "Written tree, 2 players", 2, BANYAN_CHANCE, tree_init_2),
    TREE_VARIANT("tree-zero", "Written tree, 2 players, zero sum", 2, BANYAN_ZERO_SUM,
                 tree_init_zero),
    TREE_VARIANT("tree-3", "Written tree, 3 players", 3, BANYAN_CHANCE, tree_init_3),
    TREE_VARIANT("tree-4", "Written tree, 4 players", 4, BANYAN_CHANCE, tree_init_4),
};

const struct banyan_game *tree_variant(int index)
{
    int n = (int)(sizeof tree_variants / sizeof *tree_variants);
    return index >= 0 && index < n ? &tree_variants[index] : NULL;
}
