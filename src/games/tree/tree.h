/* Game trees that are given as text: the worked examples of textbooks, and trees for tests of a
 * search.
 *
 *    players=2 (1 a:(2 c:[3 -3] d:[0 0])
 *                 b:(chance 0.5:[1 -1] 0.5:[2 -2]))
 *
 *                1                text  = ["players=N"] node ["at" step/step/...]
 *             a / \ b             node  = "[" payoff per player "]"
 *              2   o                    | "(" mover|"chance" ["{" estimate per player "}"]
 *           c / \ d \                             branch ... ")"
 *            3   0   1 or 2       branch = label["*"prior] ":" node      below a player
 *                                        | weight ":" node               below chance
 *
 * The state contains the whole tree, in preorder: the first child of a node is the next node in the
 * array, and `next` leads from a node to its next sibling.
 */
#ifndef GAMES_TREE_H
#define GAMES_TREE_H

#include <banyan/observe.h>

#include <assert.h>

enum {
    TREE_PLAYERS = 4,
    TREE_NODES = 170,      /* so that a state is 4 KiB and its text fits BANYAN_TEXT_MAX */
    TREE_BRANCHES = 32,    /* of one node */
    TREE_CENTS = 100,      /* payoffs are -100.00..100.00 */
    TREE_CERTAIN = 1000000 /* the sum of the weights of a chance node if they are
                            * probabilities */
};

/* Kinds 1..4 are decisions of player 0..3. */
enum tree_kind { TREE_END = 0, TREE_CHANCE = 5 };

enum tree_die { TREE_OUTCOME };

struct tree_node {
    int16_t value[TREE_PLAYERS]; /* in cents: the payoffs of a final node, the estimates of any
                                  * other node */
    uint32_t weight; /* below chance: the outcome's share; below a player: the prior in 1/10000,
                      * 0: none given */
    char label[10];  /* of the action that leads here; zeros to the end */
    uint8_t kind;
    uint8_t next; /* sibling; 0: none */
};

struct tree {
    uint64_t fingerprint; /* hash of everything but `at` */
    uint8_t players;
    uint8_t nodes;
    uint8_t at; /* the current node: never a chance node */
    uint8_t zero[5];
    struct tree_node node[TREE_NODES];
};

static_assert(sizeof(struct tree_node) == 24, "no padding");
static_assert(sizeof(struct tree) == 4096, "no padding");

/* Fills *tree from a setup text for this number of players. */
enum banyan_status tree_game_read(struct tree *tree, const char *text, int players, bool zero_sum,
                                  struct banyan_error *err);
int tree_game_write(const struct tree *tree, char *out, size_t size);
int tree_game_picture(const struct tree *tree, char *out, size_t size);

/* Child number `index` of node `at`; 0 when there is none (the root is never a child). */
int tree_game_child(const struct tree *tree, int at, int index);

const struct banyan_game *tree_variant(int index);

/* planes.c */
enum { TREE_PLANES = 4 + 2 * TREE_PLAYERS };
void tree_encode(const struct banyan_game *game, const void *state, int viewer, float *planes);
extern const struct banyan_feature tree_features[];

#endif
