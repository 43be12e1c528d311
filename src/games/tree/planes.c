/* Written trees as input of a network: the whole tree in preorder, and where the game stands in it.
 */
#include "games/tree/tree.h"

#include <banyan/observe.h>

#include <string.h>

enum tree_planes {
    PLANES_HERE,   /* 1 for the current node */
    PLANES_CHANCE, /* 1 for a node of chance */
    PLANES_MOVER,  /* four planes: 1 where this player moves, the viewer first */
    PLANES_NEXT = PLANES_MOVER + TREE_PLAYERS, /* number of the next sibling; 0: none */
    PLANES_WEIGHT,
    PLANES_VALUE, /* four planes: payoffs or estimates, the viewer's first */
    PLANES = PLANES_VALUE + TREE_PLAYERS
};

static_assert((int)PLANES == (int)TREE_PLANES,
              "the table of the game says how many planes there are");

static void planes_node(const struct tree *tree, int at, int viewer, float *planes)
{
    const struct tree_node *node = &tree->node[at];
    bool decision = node->kind != TREE_END && node->kind != TREE_CHANCE;
    planes[PLANES_HERE * TREE_NODES + at] = at == tree->at;
    planes[PLANES_CHANCE * TREE_NODES + at] = node->kind == TREE_CHANCE;
    planes[PLANES_NEXT * TREE_NODES + at] = node->next;
    planes[PLANES_WEIGHT * TREE_NODES + at] = (float)node->weight;
    for (int i = 0; i < tree->players; ++i) {
        int player = (viewer + i) % tree->players;
        planes[(PLANES_MOVER + i) * TREE_NODES + at] = decision && node->kind - 1 == player;
        planes[(PLANES_VALUE + i) * TREE_NODES + at] = (float)node->value[player] / TREE_CENTS;
    }
}

void tree_encode(const struct banyan_game *game, const void *state, int viewer, float *planes)
{
    const struct tree *tree = state;
    memset(planes, 0, sizeof(float) * PLANES * TREE_NODES);
    for (int at = 0; at < tree->nodes; ++at)
        planes_node(tree, at, viewer, planes);
}

const struct banyan_feature tree_features[] = {
    {.name = "here",
     .help = "1 for the current node of the tree in preorder",
     .shape = {1},
     .max = 1},
    {.name = "chance", .help = "1 for nodes of chance", .shape = {1}, .max = 1},
    {.name = "mover",
     .help = "1 where a player moves, the viewer first",
     .shape = {TREE_PLAYERS},
     .max = 1},
    {.name = "next",
     .help = "number of the next sibling, 0 where there is none",
     .kind = BANYAN_FEATURE_COUNT,
     .shape = {1},
     .max = TREE_NODES},
    {.name = "weight",
     .help = "share of the outcome, or prior of the branch",
     .kind = BANYAN_FEATURE_COUNT,
     .shape = {1},
     .max = 4294967296.0f},
    {.name = "values",
     .help = "payoffs or estimates, the viewer's first",
     .kind = BANYAN_FEATURE_REAL,
     .shape = {TREE_PLAYERS},
     .min = -400,
     .max = 400},
    {0}};
