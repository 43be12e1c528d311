/* The evaluator mast: playouts that prefer the moves that have done well in the playouts before.
 *
 *     grams=1   the move-average sampling technique (Finnsson and Bjornsson 2008): a move of a player has
 *               the mean of the playouts in which it was played
 *     grams=2   the n-gram selection technique (Tak, Winands and Bjornsson 2012, section IV): a
 *               move has the average of that mean and of its mean over the playouts in which it
 *               followed the move just before, once this pair was played often enough.  After a ply
 *               with several movers, the move just before is that of the last of them
 *
 * With probability epsilon a move is random, else the best by these means; a move that was never
 * played counts as a win.  Means are those of the last thousands of playouts with the move, so
 * playouts from earlier positions of the game lose their weight.  Moves of the tree above the leaf
 * are not counted.
 */
#include "search/evaluators.h"

#include "base/options.h"
#include "base/rng.h"
#include "search/apply.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAST_STATE_MAX = 8192,     /* bytes of the largest state */
    MAST_PAIRS_MAX = 1 << 22,  /* entries of the table of pairs */
    MAST_PAIR_VISITS = 7,      /* visits that a pair needs before it counts (Tak 2012) */
    MAST_FORGET_VISITS = 8192, /* at this count the numbers of an entry are halved */
    MAST_PLAYED_MAX = 4096     /* most moves of a playout that are counted */
};

struct mast_entry {
    float sum; /* of the returns of the player who moves */
    uint32_t visits;
};

/* A move of a playout. */
struct mast_step {
    uint32_t move, before; /* before: the last move of the ply before; mast->moves: none */
};

struct mast {
    const struct banyan_game *game;
    double epsilon;
    int grams;
    uint32_t moves;            /* players * actions */
    struct mast_entry *single; /* [moves] */
    struct mast_entry
        *pairs;           /* [moves + 1][moves] by the move before and this one; NULL: grams=1 */
    banyan_action *legal; /* [max_legal] */
    struct mast_step *played; /* [played_count] the moves of the playout */
    int played_count;
};

#define AT(member) offsetof(struct mast, member)
static const struct banyan_option mast_table[] = {
    {"epsilon", BANYAN_OPTION_REAL, AT(epsilon), 0, 1, NULL, 0, "probability of a random move"},
    {"grams", BANYAN_OPTION_INT, AT(grams), 1, 2, NULL, 0,
     "1: moves by themselves; 2: also after the move just before"},
    {0},
};
#undef AT

static double mast_mean(const struct mast *mast, const struct mast_entry *entry)
{
    return entry->visits ? (double)entry->sum / entry->visits : (double)mast->game->return_max;
}

/* What a move is worth after the move `before`, which is mast->moves at the start of a playout. */
static double mast_value(const struct mast *mast, uint32_t before, uint32_t move)
{
    double value = mast_mean(mast, &mast->single[move]);
    if (!mast->pairs)
        return value;
    const struct mast_entry *pair = &mast->pairs[(size_t)before * mast->moves + move];
    return pair->visits < MAST_PAIR_VISITS ? value : (value + mast_mean(mast, pair)) / 2;
}

/* The move of player's action. */
static uint32_t mast_move(const struct mast *mast, int player, banyan_action action)
{
    return (uint32_t)(player * banyan_game_action_count(mast->game)) + (uint32_t)action;
}

/* The action of the highest value, each of equal ones as likely; with probability epsilon any action. */
static banyan_action mast_choose(const struct mast *mast, const void *state, int player,
                                 uint32_t before, struct banyan_rng *rng)
{
    int count = mast->game->legal(mast->game, state, player, mast->legal), best = 0;
    uint32_t equal = 1;
    if (count == 1 || rng_unit(rng) < mast->epsilon)
        return mast->legal[rng_below(rng, (uint32_t)count)];
    double best_value = mast_value(mast, before, mast_move(mast, player, mast->legal[0]));
    for (int i = 1; i < count; ++i) {
        double value = mast_value(mast, before, mast_move(mast, player, mast->legal[i]));
        equal = value > best_value ? 1 : equal + (value >= best_value);
        if (value > best_value || (value >= best_value && rng_below(rng, equal) == 0)) {
            best = i;
            best_value = value;
        }
    }
    return mast->legal[best];
}

static void mast_note(struct mast *mast, struct banyan_playout *playout, struct mast_step step)
{
    if (mast->played_count < MAST_PLAYED_MAX)
        mast->played[mast->played_count++] = step;
    if (playout && playout->count < playout->room)
        playout->moves[playout->count++] = step.move;
}

/* Plays state to the end, and notes the moves. */
static void mast_play(struct mast *mast, void *state, struct banyan_rng *rng,
                      struct banyan_playout *playout)
{
    const struct banyan_game *game = mast->game;
    banyan_action joint[BANYAN_MAX_PLAYERS];
    struct banyan_dice dice;
    unsigned movers;
    uint32_t before = mast->moves;
    banyan_dice_drawn(&dice, rng);
    mast->played_count = 0;
    for (int ply = 0; ply < game->max_plies && (movers = game->movers(game, state)); ++ply) {
        uint32_t last = before;
        for (int p = 0; p < game->players; ++p) {
            if (!(movers >> p & 1))
                continue;
            joint[p] = mast_choose(mast, state, p, before, rng);
            last = mast_move(mast, p, joint[p]);
            mast_note(mast, playout, (struct mast_step){.move = last, .before = before});
        }
        before = last;
        apply_joint(game, state, joint, &dice);
    }
}

static void mast_count(struct mast_entry *entry, float value)
{
    entry->sum += value;
    if (++entry->visits == MAST_FORGET_VISITS) {
        entry->visits /= 2;
        entry->sum /= 2;
    }
}

/* Counts the playout's moves. */
static void mast_learn(struct mast *mast, const float *values)
{
    uint32_t actions = mast->moves / (uint32_t)mast->game->players;
    for (int i = 0; i < mast->played_count; ++i) {
        const struct mast_step *step = &mast->played[i];
        float value = values[step->move / actions];
        mast_count(&mast->single[step->move], value);
        if (mast->pairs)
            mast_count(&mast->pairs[(size_t)step->before * mast->moves + step->move], value);
    }
}

static enum banyan_status mast_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                        struct banyan_error *err)
{
    struct mast *mast = ctx;
    const struct banyan_game *game = mast->game;
    _Alignas(16) unsigned char state[MAST_STATE_MAX];
    for (int i = 0; i < n; ++i) {
        memcpy(state, leaves[i].state, game->state_size);
        mast_play(mast, state, leaves[i].rng, leaves[i].playout);
        if (game->movers(game, state))
            return banyan_fail(err, BANYAN_INVALID,
                               "a playout of %s is not over after max_plies=%d plies: the game's "
                               "max_plies is too small",
                               game->name, game->max_plies);
        banyan_score_returns(game, leaves[i].score, state, leaves[i].values);
        mast_learn(mast, leaves[i].values);
    }
    return BANYAN_OK;
}

static void mast_close(void *ctx)
{
    struct mast *mast = ctx;
    free(mast->single);
    free(mast->pairs);
    free(mast->legal);
    free(mast->played);
    free(mast);
}

static enum banyan_status mast_check(const struct mast *mast, struct banyan_error *err)
{
    const struct banyan_game *game = mast->game;
    if (!mast->moves)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "mast needs a game that says how many actions there are (action_count); "
                           "%s does not",
                           game->name);
    if (game->state_size > MAST_STATE_MAX)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "states of %s are larger than %d bytes",
                           game->name, MAST_STATE_MAX);
    if (mast->grams > 1 && (uint64_t)(mast->moves + 1) * mast->moves > MAST_PAIRS_MAX)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "mast:grams=2 keeps at most %d pairs of moves, %s has more: use grams=1",
                           MAST_PAIRS_MAX, game->name);
    return BANYAN_OK;
}

static enum banyan_status mast_reserve(struct mast *mast, struct banyan_error *err)
{
    mast->single = calloc(mast->moves, sizeof *mast->single);
    mast->legal = calloc((size_t)mast->game->max_legal, sizeof *mast->legal);
    mast->played = calloc(MAST_PLAYED_MAX, sizeof *mast->played);
    if (mast->grams > 1)
        mast->pairs = calloc((size_t)(mast->moves + 1) * mast->moves, sizeof *mast->pairs);
    if (mast->single && mast->legal && mast->played && (mast->pairs || mast->grams == 1))
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the evaluator 'mast'");
}

enum banyan_status evaluator_mast_create(const struct banyan_game *game, const char *args,
                                         const struct banyan_offer *offers,
                                         struct banyan_evaluator *out, struct banyan_error *err)
{
    struct mast *mast = calloc(1, sizeof *mast);
    (void)offers;
    if (!mast)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for an evaluator");
    mast->game = game;
    mast->epsilon = 0.4;
    mast->grams = 1;
    mast->moves = (uint32_t)(game->players * banyan_game_action_count(game));
    enum banyan_status status = banyan_options_parse(mast_table, mast, args, err);
    if (status == BANYAN_OK)
        status = mast_check(mast, err);
    if (status == BANYAN_OK)
        status = mast_reserve(mast, err);
    if (status != BANYAN_OK) {
        mast_close(mast);
        return status;
    }
    *out = (struct banyan_evaluator){.struct_size = sizeof(struct banyan_evaluator),
                                     .name = "mast",
                                     .ctx = mast,
                                     .evaluate = mast_evaluate,
                                     .close = mast_close};
    return BANYAN_OK;
}
