/* Reads (by recursive descent), writes and draws the language of game trees. */
#include "games/tree/tree.h"

#include "base/rng.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

enum { TREE_PRIOR_DIGITS = 4, TREE_WEIGHT_DIGITS = 6, TREE_WEIGHT_MAX = 1000 };

struct tree_reader {
    struct tree *tree;
    struct text_reader text;
    bool zero_sum;
    struct banyan_error *err;
};

/* Reports what was expected.  Returns -1, which means failure in every function that returns a
 * node. */
static int tree_expected(struct tree_reader *reader, const char *what)
{
    banyan_fail(reader->err, BANYAN_INVALID, "tree, %s: expected %s",
                text_where(&reader->text).text, what);
    return -1;
}

static int tree_read_node(struct tree_reader *reader);

/* Reads one number per player up to the closing bracket; a zero-sum tree may leave out the last
 * one. */
static int tree_read_values(struct tree_reader *reader, int at, const char *close)
{
    struct tree_node *node = &reader->tree->node[at];
    int players = reader->tree->players, n = 0, sum = 0;
    int64_t number;
    while (n < players &&
           text_decimal(&reader->text, 2, -100 * TREE_CENTS, 100 * TREE_CENTS, &number)) {
        sum += (int)number;
        node->value[n++] = (int16_t)number;
    }
    if (reader->zero_sum && n == players - 1) {
        node->value[n++] = (int16_t)-sum;
        sum = 0;
    }
    if (n < players)
        return tree_expected(reader,
                             "a payoff of -100..100 with at most 2 decimals for each player");
    if (reader->zero_sum && sum != 0)
        return tree_expected(reader, "payoffs that sum to 0");
    if (!text_take(&reader->text, close))
        return tree_expected(reader, *close == ']' ? "']' after as many payoffs as players"
                                                   : "'}' after as many estimates as players");
    return at;
}

/* Reads "label" or "label*prior", which stands before the branch of a decision. */
static bool tree_read_label(struct tree_reader *reader, struct tree_node *into)
{
    int64_t prior = 0;
    if (!text_word(&reader->text, into->label, sizeof into->label)) {
        tree_expected(reader, "a label of 1..9 letters, digits, '+', '-', '_', or ')'");
        return false;
    }
    if (text_take(&reader->text, "*") &&
        !text_decimal(&reader->text, TREE_PRIOR_DIGITS, 1, 10000 * TREE_WEIGHT_MAX, &prior)) {
        tree_expected(reader, "a prior above 0 with at most 4 decimals");
        return false;
    }
    into->weight = (uint32_t)prior;
    return true;
}

static bool tree_read_weight(struct tree_reader *reader, struct tree_node *into)
{
    int64_t weight;
    if (!text_decimal(&reader->text, TREE_WEIGHT_DIGITS, 1, TREE_CERTAIN * TREE_WEIGHT_MAX,
                      &weight)) {
        tree_expected(reader, "a probability with at most 6 decimals, a weight of 1..1000, or ')'");
        return false;
    }
    into->weight = (uint32_t)weight;
    return true;
}

static bool tree_label_taken(const struct tree *tree, int at, const char *label)
{
    for (int child = at + 1; child && child < tree->nodes; child = tree->node[child].next)
        if (strcmp(tree->node[child].label, label) == 0)
            return true;
    return false;
}

static int tree_read_branch(struct tree_reader *reader, int at)
{
    struct tree *tree = reader->tree;
    struct tree_node edge = {.label = ""};
    bool chance = tree->node[at].kind == TREE_CHANCE;
    if (!(chance ? tree_read_weight(reader, &edge) : tree_read_label(reader, &edge)))
        return -1;
    if (!chance && tree_label_taken(tree, at, edge.label))
        return tree_expected(reader, "a label that no other branch of this node has");
    if (!text_take(&reader->text, ":"))
        return tree_expected(reader, chance ? "':' after the probability" : "':' after the label");
    int child = tree_read_node(reader);
    if (child < 0)
        return -1;
    if (chance && tree->node[child].kind == TREE_CHANCE)
        return tree_expected(
            reader, "no chance node directly below another (multiply their probabilities)");
    memcpy(tree->node[child].label, edge.label, sizeof edge.label);
    tree->node[child].weight = edge.weight;
    return child;
}

/* Weights with decimals are probabilities and must sum to 1; whole numbers are relative weights. */
static int tree_check_weights(struct tree_reader *reader, int at)
{
    struct tree *tree = reader->tree;
    uint64_t sum = 0;
    bool whole = true;
    for (int child = at + 1; child; child = tree->node[child].next) {
        sum += tree->node[child].weight;
        whole = whole && tree->node[child].weight % TREE_CERTAIN == 0;
    }
    if (!whole && sum != TREE_CERTAIN)
        return tree_expected(reader, "probabilities that sum to 1, or whole weights");
    for (int child = at + 1; whole && child; child = tree->node[child].next)
        tree->node[child].weight /= TREE_CERTAIN;
    return at;
}

static int tree_check_priors(struct tree_reader *reader, int at)
{
    struct tree *tree = reader->tree;
    int given = 0, n = 0;
    for (int child = at + 1; child; child = tree->node[child].next, ++n)
        given += tree->node[child].weight > 0;
    if (given != 0 && given != n)
        return tree_expected(reader, "priors on all branches of a node or on none");
    return at;
}

static int tree_read_branches(struct tree_reader *reader, int at)
{
    struct tree *tree = reader->tree;
    int n = 0;
    for (int last = 0; n == 0 || !text_take(&reader->text, ")"); ++n) {
        if (n == TREE_BRANCHES)
            return tree_expected(reader, "')' after at most 32 branches");
        int child = tree_read_branch(reader, at);
        if (child < 0)
            return -1;
        if (last)
            tree->node[last].next = (uint8_t)child;
        last = child;
    }
    return tree->node[at].kind == TREE_CHANCE ? tree_check_weights(reader, at)
                                              : tree_check_priors(reader, at);
}

static int tree_read_inner(struct tree_reader *reader, int at)
{
    struct tree *tree = reader->tree;
    int64_t player;
    if (!reader->zero_sum && text_take(&reader->text, "chance"))
        tree->node[at].kind = TREE_CHANCE;
    else if (text_integer(&reader->text, 1, tree->players, &player))
        tree->node[at].kind = (uint8_t)player;
    else
        return tree_expected(reader, reader->zero_sum ? "the number of the mover (no chance here)"
                                                      : "the number of the mover or 'chance'");
    if (text_take(&reader->text, "{") && tree_read_values(reader, at, "}") < 0)
        return -1;
    return tree_read_branches(reader, at);
}

static int tree_read_node(struct tree_reader *reader)
{
    struct tree *tree = reader->tree;
    if (tree->nodes == TREE_NODES)
        return tree_expected(reader, "at most 170 nodes");
    int at = tree->nodes++;
    if (text_take(&reader->text, "["))
        return tree_read_values(reader, at, "]");
    if (text_take(&reader->text, "("))
        return tree_read_inner(reader, at);
    return tree_expected(reader, "'(' or '['");
}

/* Reads one step of a path: the label of a branch or the number of an outcome. */
static int tree_read_step(struct tree_reader *reader, int at)
{
    const struct tree *tree = reader->tree;
    struct tree_node step = {.label = ""};
    int64_t number;
    int child = tree_game_child(tree, at, 0);
    if (tree->node[at].kind == TREE_CHANCE) {
        if (!text_integer(&reader->text, 1, TREE_BRANCHES, &number))
            return tree_expected(reader, "the number of an outcome");
        child = tree_game_child(tree, at, (int)number - 1);
    } else {
        if (!text_word(&reader->text, step.label, sizeof step.label))
            return tree_expected(reader, "the label of a branch");
        while (child && strcmp(tree->node[child].label, step.label) != 0)
            child = tree->node[child].next;
    }
    return child ? child : tree_expected(reader, "a step that is a branch of its node");
}

static int tree_read_path(struct tree_reader *reader)
{
    int at = 0;
    if (text_take(&reader->text, "at"))
        do
            at = tree_read_step(reader, at);
        while (at > 0 && text_take(&reader->text, "/"));
    if (at >= 0 && reader->tree->node[at].kind == TREE_CHANCE)
        return tree_expected(reader, "a path that ends at a player's node, not at a chance node");
    return at;
}

static uint64_t tree_hash(const struct tree *tree)
{
    uint64_t hash = rng_mix(tree->nodes * 8u + tree->players);
    for (int i = 0; i < tree->nodes; ++i) {
        uint64_t words[sizeof *tree->node / 8];
        memcpy(words, &tree->node[i], sizeof words);
        for (size_t w = 0; w < sizeof words / sizeof *words; ++w)
            hash = rng_mix(hash ^ words[w]) + 0x9e3779b97f4a7c15u;
    }
    return hash;
}

/* The number of nodes on the longest path down from at. */
static int tree_depth(const struct tree *tree, int at)
{
    int deepest = 0;
    for (int child = tree_game_child(tree, at, 0); child; child = tree->node[child].next) {
        int depth = tree_depth(tree, child);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}

static enum banyan_status tree_read_players(struct tree_reader *reader, int players)
{
    int64_t declared = players;
    if (text_take(&reader->text, "players=") &&
        !text_integer(&reader->text, 1, TREE_PLAYERS, &declared)) {
        tree_expected(reader, "1..4");
        return BANYAN_INVALID;
    }
    if (declared == players)
        return BANYAN_OK;
    return banyan_fail(
        reader->err, BANYAN_INVALID,
        "tree: this tree is for %d players, this game for %d; the games are tree (1 player), "
        "tree-2, tree-zero, tree-3, tree-4",
        (int)declared, players);
}

enum banyan_status tree_game_read(struct tree *tree, const char *text, int players, bool zero_sum,
                                  struct banyan_error *err)
{
    struct tree_reader reader = {.tree = tree, .zero_sum = zero_sum, .err = err};
    memset(tree, 0, sizeof *tree);
    tree->players = (uint8_t)players;
    text_open(&reader.text, text);
    if (tree_read_players(&reader, players) != BANYAN_OK || tree_read_node(&reader) < 0)
        return BANYAN_INVALID;
    int at = tree_read_path(&reader);
    if (at < 0)
        return BANYAN_INVALID;
    if (!text_end(&reader.text)) {
        tree_expected(&reader, "'at' and a path, or the end");
        return BANYAN_INVALID;
    }
    int step = (int)sizeof tree->node->label; /* bytes that each level of the tree can add to a
                                               * path */
    if (tree_game_write(tree, NULL, 0) + step * tree_depth(tree, 0) >= BANYAN_TEXT_MAX - 8)
        return banyan_fail(err, BANYAN_INVALID,
                           "tree: the text of this tree is too long; shorten the labels");
    tree->fingerprint = tree_hash(tree);
    tree->at = (uint8_t)at;
    return BANYAN_OK;
}

/* --- writing --- */

static void tree_write_values(const struct tree *tree, int at, const char *brackets,
                              struct text *out)
{
    for (int p = 0; p < tree->players; ++p) {
        text_add(out, "%c", p ? ' ' : brackets[0]);
        text_add_decimal(out, tree->node[at].value[p], 2);
    }
    text_add(out, "%c", brackets[1]);
}

static bool tree_estimated(const struct tree_node *node)
{
    for (int p = 0; p < TREE_PLAYERS; ++p)
        if (node->value[p])
            return true;
    return false;
}

static void tree_write_mover(const struct tree *tree, int at, struct text *out)
{
    const struct tree_node *node = &tree->node[at];
    if (node->kind == TREE_CHANCE)
        text_add(out, "chance");
    else
        text_add(out, "%d", node->kind);
    if (tree_estimated(node)) {
        text_add(out, " ");
        tree_write_values(tree, at, "{}", out);
    }
}

/* Writes the text before the colon of `child`, which is a branch of `at`. */
static void tree_write_edge(const struct tree *tree, int at, int child, struct text *out)
{
    const struct tree_node *node = &tree->node[child];
    if (tree->node[at].kind == TREE_CHANCE) {
        uint64_t sum = 0;
        for (int i = at + 1; i; i = tree->node[i].next)
            sum += tree->node[i].weight;
        text_add_decimal(out, node->weight, sum == TREE_CERTAIN ? TREE_WEIGHT_DIGITS : 0);
        return;
    }
    text_add(out, "%s", node->label);
    if (node->weight) {
        text_add(out, "*");
        text_add_decimal(out, node->weight, TREE_PRIOR_DIGITS);
    }
}

static void tree_write_node(const struct tree *tree, int at, struct text *out)
{
    if (tree->node[at].kind == TREE_END) {
        tree_write_values(tree, at, "[]", out);
        return;
    }
    text_add(out, "(");
    tree_write_mover(tree, at, out);
    for (int child = at + 1; child; child = tree->node[child].next) {
        text_add(out, " ");
        tree_write_edge(tree, at, child, out);
        text_add(out, ":");
        tree_write_node(tree, child, out);
    }
    text_add(out, ")");
}

/* Writes the path to the current node.  Nodes are stored in preorder, so at each level the path
 * leads to the last child whose number is not greater than that of the current node. */
static void tree_write_path(const struct tree *tree, struct text *out)
{
    for (int at = 0; at != tree->at;) {
        int child = at + 1, number = 1;
        for (; tree->node[child].next && tree->node[child].next <= tree->at; ++number)
            child = tree->node[child].next;
        text_add(out, at ? "/" : " at ");
        if (tree->node[at].kind == TREE_CHANCE)
            text_add(out, "%d", number);
        else
            text_add(out, "%s", tree->node[child].label);
        at = child;
    }
}

int tree_game_write(const struct tree *tree, char *out, size_t size)
{
    struct text writer = text_start(out, size);
    text_add(&writer, "players=%d ", tree->players);
    tree_write_node(tree, 0, &writer);
    tree_write_path(tree, &writer);
    return (int)writer.length;
}

/* --- the picture: three levels of the tree below the current node --- */

static void tree_draw_node(const struct tree *tree, int at, int level, struct text *out)
{
    if (tree->node[at].kind == TREE_END) {
        tree_write_values(tree, at, "[]", out);
        text_add(out, "\n");
        return;
    }
    tree_write_mover(tree, at, out);
    text_add(out, level == 3 ? " ...\n" : "\n");
    for (int child = at + 1; level < 3 && child; child = tree->node[child].next) {
        if (out->length > BANYAN_TEXT_MAX - 256) {
            text_add(out, "...\n");
            return;
        }
        text_add(out, "%*s", 4 * (level + 1), "");
        tree_write_edge(tree, at, child, out);
        text_add(out, ": ");
        tree_draw_node(tree, child, level + 1, out);
    }
}

int tree_game_picture(const struct tree *tree, char *out, size_t size)
{
    struct text writer = text_start(out, size);
    tree_draw_node(tree, tree->at, 0, &writer);
    return (int)writer.length;
}
