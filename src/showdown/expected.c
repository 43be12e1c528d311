/* Finds what a search expects: the replies of the foe, and the line of play. */
#include "showdown/expected.h"

#include <banyan/tree.h>

#include <assert.h>
#include <stdlib.h>

enum {
    EXPECTED_DRAWS = 48,  /* states drawn, of which the line follows one */
    EXPECTED_VISITS = 10, /* an action with fewer visits does not continue the line */
    EXPECTED_LEGAL = 16   /* most legal actions, not less than the game's max_legal */
};

/* --- replies --- */

/* All actions of the foe at the root, in *rows (owned; NULL: no memory); returns how many. */
static int expected_rows(const struct expected_question *question, int foe,
                         struct banyan_search_move **rows)
{
    for (int room = 64;; room *= 2) {
        *rows = calloc((size_t)room, sizeof **rows);
        int count = *rows ? banyan_search_root_moves(question->search, foe, *rows, room) : 0;
        if (count < room)
            return count;
        free(*rows);
    }
}

static void expected_replies(const struct expected_question *question, struct expected *out)
{
    struct banyan_search_move *rows;
    int foe = !question->belief->viewer;
    if (question->keys == BANYAN_KEYS_FULL ||
        !(question->game->movers(question->game, question->root) >> foe & 1))
        return;
    int count = expected_rows(question, foe, &rows);
    for (int i = 0; i < count && rows[i].visits; ++i) {
        out->reply_visits += rows[i].visits;
        if (i < EXPECTED_REPLIES)
            out->replies[out->reply_count++] = rows[i];
    }
    free(rows);
}

/* --- the line of play --- */

/* The node at which a player has chosen last, and the edge of their action; node 0: above the
 * root. */
struct expected_place {
    banyan_node node;
    int edge;
};

struct expected_walk {
    const struct expected_question *question;
    struct banyan_rng rng;
    struct pokemon state;
    struct expected_place at[2]; /* by player */
};

static bool expected_legal(const struct expected_walk *walk, int player, banyan_action action)
{
    banyan_action legal[EXPECTED_LEGAL];
    const struct banyan_game *game = walk->question->game;
    int count = game->legal(game, &walk->state, player, legal);
    for (int i = 0; i < count; ++i)
        if (legal[i] == action)
            return true;
    return false;
}

/* The node at which the player chooses in state; 0: none. */
static banyan_node expected_node(const struct expected_walk *walk, int player,
                                 const struct pokemon *state)
{
    const struct expected_place *at = &walk->at[player];
    return banyan_tree_at(walk->question->search, at->node, at->edge, player, state);
}

/* How often the trees have visited the state. */
static uint64_t expected_visits(const struct expected_walk *walk, const struct pokemon *state)
{
    uint64_t visits = 0;
    for (int player = 0; player < 2; ++player) {
        struct banyan_tree_node node = {.visits = 0};
        banyan_node number = expected_node(walk, player, state);
        if (number)
            banyan_tree_node(walk->question->search, number, &node, sizeof node);
        visits += node.visits;
    }
    return visits;
}

/* The player's edge of most visits among the legal actions, or that of the wanted action; -1:
 * none. */
static int expected_edge(const struct expected_walk *walk, banyan_node node, int player,
                         banyan_action wanted, struct banyan_tree_edge *out)
{
    struct banyan_tree_edge edge;
    int best = -1;
    for (int i = 0; banyan_tree_edge(walk->question->search, node, i, &edge, sizeof edge); ++i) {
        bool better = wanted ? edge.move.action == wanted
                             : edge.is_tried && (best < 0 || edge.move.visits > out->move.visits);
        if (!better || !edge.is_tried || !expected_legal(walk, player, edge.move.action))
            continue;
        best = i;
        *out = edge;
    }
    return best;
}

/* Adds the player's action to the ply.  False: the tree does not know it. */
static bool expected_choose(struct expected_walk *walk, int player, banyan_action wanted,
                            struct expected_ply *ply)
{
    struct banyan_tree_edge edge;
    banyan_node node = expected_node(walk, player, &walk->state);
    int index = node ? expected_edge(walk, node, player, wanted, &edge) : -1;
    if (index < 0)
        return false;
    walk->at[player] = (struct expected_place){node, index};
    ply->movers |= 1u << player;
    ply->actions[player] = edge.move.action;
    if (!ply->visits) /* the viewer comes first */
        ply->visits = edge.move.visits;
    return true;
}

/* Lets everybody who chooses in the state choose.  False: the line ends here. */
static bool expected_play(struct expected_walk *walk, banyan_action wanted, struct expected *out)
{
    const struct banyan_game *game = walk->question->game;
    int viewer = walk->question->belief->viewer;
    unsigned movers = game->movers(game, &walk->state);
    struct expected_ply ply = {.movers = 0};
    if (movers >> viewer & 1 && !expected_choose(walk, viewer, wanted, &ply))
        return false;
    if (movers >> !viewer & 1)
        expected_choose(walk, !viewer, 0, &ply);
    if (!ply.movers || (out->line_length && ply.visits < EXPECTED_VISITS))
        return false;
    out->line[out->line_length++] = ply;
    return ply.movers == movers;
}

/* Draws dice until the state that the trees have visited most is found.  False: they know none of
 * those states. */
static bool expected_go_on(struct expected_walk *walk, const struct expected_ply *ply)
{
    const struct banyan_game *game = walk->question->game;
    struct pokemon best = walk->state;
    uint64_t most = 0;
    for (int i = 0; i < EXPECTED_DRAWS; ++i) {
        struct pokemon after = walk->state;
        struct banyan_dice dice;
        banyan_dice_drawn(&dice, &walk->rng);
        game->apply(game, &after, ply->actions, &dice);
        uint64_t visits = expected_visits(walk, &after);
        if (visits > most) {
            most = visits;
            best = after;
        }
    }
    walk->state = best;
    return most > 0;
}

/* Draws the state with which the line begins, in which the foe's expected reply is legal if
 * possible. */
static void expected_begin(struct expected_walk *walk, const struct expected *out)
{
    const struct expected_question *question = walk->question;
    int foe = !question->belief->viewer;
    banyan_rng_seed(&walk->rng, banyan_rng_child(question->seed, "line", 0));
    for (int i = 0; i < EXPECTED_DRAWS; ++i) {
        belief_draw(question->belief, question->root, &walk->state, &walk->rng);
        if (!out->reply_count || expected_legal(walk, foe, out->replies[0].action))
            return;
    }
}

static void expected_line(const struct expected_question *question, struct expected *out)
{
    struct expected_walk walk = {.question = question};
    expected_begin(&walk, out);
    banyan_action wanted = question->chosen;
    while (expected_play(&walk, wanted, out) && out->line_length < EXPECTED_PLIES) {
        wanted = 0;
        if (!expected_go_on(&walk, &out->line[out->line_length - 1]))
            return;
    }
}

void expected_find(const struct expected_question *question, struct expected *out)
{
    *out = (struct expected){.reply_count = 0};
    assert(question->game->max_legal <= EXPECTED_LEGAL);
    expected_replies(question, out);
    expected_line(question, out);
}
