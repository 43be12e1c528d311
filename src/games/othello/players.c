/* The evaluator "endgame", and the table of Othello's own evaluators and players.  The evaluator
 * gives exact outcomes near the end of the game and asks another evaluator before that.
 *
 *    empty squares <= empties: solved, leaf->exact set; if time runs out, the other evaluator
 *                  >  empties: the evaluator `then`, in groups of neighbouring leaves of the batch
 */
#include "games/othello/players.h"
#include "games/othello/endgame.h"
#include "games/othello/othello.h"

#include <banyan/evaluator.h>
#include <banyan/options.h>

#include <stdlib.h>

struct players_evaluator {
    int empties;         /* positions with at most this many empty squares are solved */
    uint64_t size_bytes; /* memory of the solver */
    char then[256];      /* name and settings of the evaluator for other positions */
    uint64_t area;
    struct endgame_solver *solver;
    struct banyan_evaluator inner;
};

#define AT(member) offsetof(struct players_evaluator, member)
static const struct banyan_option players_table[] = {
    {"empties", BANYAN_OPTION_INT, AT(empties), 0, 30, NULL, 0,
     "positions with at most this many empty squares are solved"},
    {"memory", BANYAN_OPTION_SIZE, AT(size_bytes), ENDGAME_MIN_BYTES, 1e12, NULL, 0,
     "memory of the solver"},
    {"then", BANYAN_OPTION_TEXT, AT(then), 0, 0, NULL, sizeof((struct players_evaluator *)0)->then,
     "evaluator of positions with more empty squares"},
    {0},
};
#undef AT

static bool players_can_solve(const struct players_evaluator *offer, const struct banyan_leaf *leaf)
{
    struct board board = othello_board(leaf->state);
    return bits_count64(board_empty(board, offer->area)) <= offer->empties;
}

/* Writes equal priors.  That is enough, because no search continues below a solved leaf. */
static void players_write_priors(const struct banyan_leaf *leaf, int mover)
{
    for (int i = 0; i < leaf->count[mover]; ++i)
        leaf->priors[mover][i] = 1.0f / (float)leaf->count[mover];
}

/* Solves the position; returns false when the calling search must stop before it is solved. */
static bool players_solve(const struct players_evaluator *offer, struct banyan_leaf *leaf)
{
    const struct endgame_limits limits = {.stop = leaf->stop, .deadline_ms = leaf->deadline_ms};
    struct endgame_result result;
    int mover = othello_mover(leaf->state);
    if (endgame_outcome(offer->solver, othello_board(leaf->state), &limits, &result) != BANYAN_OK)
        return false;
    leaf->values[mover] = (float)result.score;
    leaf->values[1 - mover] = (float)-result.score;
    leaf->exact = true;
    if (offer->inner.wants_actions)
        players_write_priors(leaf, mover);
    return true;
}

static enum banyan_status players_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                           struct banyan_error *err)
{
    struct players_evaluator *offer = ctx;
    enum banyan_status status = BANYAN_OK;
    for (int i = 0, run; i < n && status == BANYAN_OK; i = run) {
        for (run = i; run < n && !players_can_solve(offer, leaves + run); ++run)
            ;
        if (run > i)
            status = offer->inner.evaluate(offer->inner.ctx, leaves + i, run - i, err);
        for (; run < n && status == BANYAN_OK && players_can_solve(offer, leaves + run); ++run)
            if (!players_solve(offer, leaves + run))
                status = offer->inner.evaluate(offer->inner.ctx, leaves + run, 1, err);
    }
    return status;
}

static void players_priors(void *ctx, const void *state, int player, const banyan_action *actions,
                           int n, float *out)
{
    const struct banyan_evaluator *inner = &((struct players_evaluator *)ctx)->inner;
    inner->priors(inner->ctx, state, player, actions, n, out);
}

static void players_close(void *ctx)
{
    struct players_evaluator *offer = ctx;
    if (offer->inner.evaluate)
        banyan_evaluator_close(&offer->inner);
    endgame_destroy(offer->solver);
    free(offer);
}

static enum banyan_status players_create(const struct banyan_game *game, const char *args,
                                         const struct banyan_offer *offers,
                                         struct banyan_evaluator *out, struct banyan_error *err)
{
    struct othello_state start;
    struct players_evaluator *offer = calloc(1, sizeof *offer);
    if (!offer)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the evaluator 'endgame'");
    *offer = (struct players_evaluator){
        .empties = 12, .size_bytes = (uint64_t)4 << 20, .then = "rollout"};
    enum banyan_status status = banyan_options_parse(players_table, offer, args, err);
    if (status == BANYAN_OK)
        status = game->init(game, &start, NULL, NULL, err);
    if (status == BANYAN_OK) {
        offer->area = othello_area(&start);
        status = endgame_create(offer->size_bytes, offer->area, &offer->solver, err);
    }
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(game, offer->then, offers, &offer->inner, err);
    if (status != BANYAN_OK) {
        players_close(offer);
        return status;
    }
    *out = (struct banyan_evaluator){.struct_size = sizeof(struct banyan_evaluator),
                                     .name = "endgame",
                                     .wants_actions = offer->inner.wants_actions,
                                     .game_priors = offer->inner.game_priors,
                                     .ctx = offer,
                                     .evaluate = players_evaluate,
                                     .close = players_close,
                                     .priors = offer->inner.priors ? players_priors : NULL};
    return BANYAN_OK;
}

const struct banyan_offer othello_offers[] = {
    {"endgame", "empties=12,memory=4M,then=rollout",
     "exact results near the end of the game; the player of this name has empties=18,memory=64M",
     players_create, othello_endgame_player},
    {0},
};
