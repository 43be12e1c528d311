/* mcts: a player that searches with one tree, kept through the whole game. */
#include "base/clock.h"
#include "base/options.h"
#include "players/book.h"
#include "players/budget.h"
#include "players/player.h"
#include "players/ponder.h"

#include <banyan/search.h>

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MCTS_OPTIONS_MAX = 128, MCTS_DEFAULT_SIMULATIONS = 1000, MCTS_TEXT = 4096 };

struct mcts_settings {
    /* first, so that offsets in its table of options are valid for the whole struct */
    struct banyan_search_options search;
    int64_t simulations;
    double time_ms;
    bool early, endgame, ponder;
    char evaluator[240];
    char book[240];
    char name[64];
};

static_assert(offsetof(struct mcts_settings, search) == 0, "shared offsets");

#define MCTS_AT(member) offsetof(struct mcts_settings, member)

static const struct banyan_option mcts_own_table[] = {
    {"simulations", BANYAN_OPTION_INT64, MCTS_AT(simulations), 1, 1e15, NULL, 0,
     "simulations per decision; the default does not apply when a time limit is set"},
    {"time", BANYAN_OPTION_TIME, MCTS_AT(time_ms), 0, 1e9, NULL, 0,
     "time per decision; 0: no limit"},
    {"early", BANYAN_OPTION_BOOL, MCTS_AT(early), 0, 0, NULL, 0,
     "stop when no other action can be chosen any more; always on with a game clock"},
    {"evaluator", BANYAN_OPTION_TEXT, MCTS_AT(evaluator), 0, 0, NULL, 240,
     "what estimates the value of a leaf: rollout, heuristic, ...; if it gives priors, the default "
     "of rule is puct, unless an option of ucb1 is set"},
    {"endgame", BANYAN_OPTION_BOOL, MCTS_AT(endgame), 0, 0, NULL, 0,
     "ask the game's own endgame solver first, and the evaluator where it has no answer"},
    {"book", BANYAN_OPTION_TEXT, MCTS_AT(book), 0, 0, NULL, 240,
     "file of an opening book, from whose visits and means every tree starts (docs/book.md)"},
    {"ponder", BANYAN_OPTION_BOOL, MCTS_AT(ponder), 0, 0, NULL, 0,
     "search in the background while other players think; such games cannot be repeated exactly"},
    {"name", BANYAN_OPTION_TEXT, MCTS_AT(name), 0, 0, NULL, 64, "name of this player"},
};

struct mcts {
    const struct banyan_game *game;
    const struct banyan_offer *offers; /* the caller's offers */
    struct mcts_settings settings;
    bool simulations_given, rule_given;
    struct banyan_evaluator evaluator;
    struct banyan_search *search;
    struct book book;
    struct ponder ponder; /* holds the search while it runs in the background */
    int seat;
    struct banyan_rng rng;  /* for the random games that estimate how many decisions are left */
    void *state;            /* the position of the tree's root */
    banyan_action *actions; /* [max_legal] */
};

/* Writes the options of the search, followed by this player's own, to joined[MCTS_OPTIONS_MAX]. */
static void mcts_table(struct banyan_option *joined)
{
    int count = 0;
    for (const struct banyan_option *option = banyan_search_option_table(); option->name; ++option)
        joined[count++] = *option;
    assert((size_t)count + sizeof mcts_own_table / sizeof *mcts_own_table < MCTS_OPTIONS_MAX);
    memcpy(joined + count, mcts_own_table, sizeof mcts_own_table);
    count += (int)(sizeof mcts_own_table / sizeof *mcts_own_table);
    joined[count] = (struct banyan_option){.name = NULL};
}

/* If one of these options is set, the default of rule does not change to puct. */
static const struct banyan_option mcts_rule_table[] = {{.name = "rule"},
                                                       {.name = "exploration"},
                                                       {.name = "raw-rewards"},
                                                       {.name = "children-first"},
                                                       {0}};

static void mcts_default(struct mcts_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    banyan_search_options_default(&settings->search);
    settings->simulations = MCTS_DEFAULT_SIMULATIONS;
    snprintf(settings->evaluator, sizeof settings->evaluator, "rollout");
}

int player_mcts_help(char *out, size_t size)
{
    struct banyan_option table[MCTS_OPTIONS_MAX];
    struct mcts_settings settings;
    mcts_table(table);
    mcts_default(&settings);
    return banyan_options_help(table, &settings, out, size);
}

int player_mcts_add_option(struct text *text, const char *word)
{
    struct banyan_option table[MCTS_OPTIONS_MAX];
    struct mcts_settings settings;
    size_t length = strcspn(word, "=");
    mcts_table(table);
    mcts_default(&settings);
    if (banyan_options_parse(table, &settings, word, NULL) != BANYAN_OK)
        return -1;
    for (int i = 0; table[i].name; ++i)
        if (strlen(table[i].name) == length && memcmp(table[i].name, word, length) == 0) {
            text_add(text, "%s=", table[i].name);
            options_add_value(text, &table[i], &settings);
            return i;
        }
    return -1; /* an old name of an option, from an early state of version 0.1 */
}

/* --- one game --- */

static void mcts_clear(struct mcts *mcts)
{
    ponder_stop(&mcts->ponder, NULL);
    banyan_search_destroy(mcts->search);
    mcts->search = NULL;
    if (mcts->evaluator.evaluate)
        banyan_evaluator_close(&mcts->evaluator);
    memset(&mcts->evaluator, 0, sizeof mcts->evaluator);
}

static enum banyan_status mcts_set_root(struct mcts *mcts, const void *state,
                                        struct banyan_error *err)
{
    memcpy(mcts->state, state, mcts->game->state_size);
    if (!mcts->game->movers(mcts->game, state))
        return BANYAN_OK; /* there will be no decision */
    return banyan_search_set_root(mcts->search, state, mcts->seat, err);
}

/* A game gets a new tree and a new evaluator, so that caches and random numbers of an earlier
 * game have no effect. */
static enum banyan_status mcts_open(void *ctx, const void *state, int seat, uint64_t seed,
                                    struct banyan_error *err)
{
    struct mcts *mcts = ctx;
    struct banyan_search_options options = mcts->settings.search;
    options.seed = banyan_rng_child(seed, "mcts", options.seed);
    banyan_rng_seed(&mcts->rng, banyan_rng_child(seed, "clock", 0));
    mcts->seat = seat;
    mcts_clear(mcts);
    enum banyan_status status = banyan_evaluator_create(mcts->game, mcts->settings.evaluator,
                                                        mcts->offers, &mcts->evaluator, err);
    if (status != BANYAN_OK)
        return status;
    status = banyan_search_create(&mcts->search, mcts->game, &options, &mcts->evaluator, err);
    if (status == BANYAN_OK)
        status = mcts_set_root(mcts, state, err);
    if (status == BANYAN_OK && mcts->book.count && mcts->game->movers(mcts->game, state))
        status = book_apply(&mcts->book, mcts->game, state, mcts->search, err);
    return status;
}

static enum banyan_status mcts_observe(void *ctx, const void *before, const banyan_action joint[],
                                       const void *after, struct banyan_error *err)
{
    struct mcts *mcts = ctx;
    unsigned next = mcts->game->movers(mcts->game, after);
    enum banyan_status status = ponder_stop(&mcts->ponder, err);
    if (status != BANYAN_OK)
        return status;
    if (memcmp(mcts->state, before, mcts->game->state_size) != 0 || !next) {
        status = mcts_set_root(mcts, after, err);
    } else {
        memcpy(mcts->state, after, mcts->game->state_size);
        banyan_search_advance(mcts->search, joint, after);
    }
    if (status == BANYAN_OK && mcts->settings.ponder && next && !(next >> mcts->seat & 1))
        ponder_start(&mcts->ponder, mcts->search);
    return status;
}

static struct banyan_search_limits mcts_limits(struct mcts *mcts, const void *state,
                                               const struct banyan_player_clock *clock)
{
    const struct mcts_settings *settings = &mcts->settings;
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = settings->simulations,
                                          .time_ms = settings->time_ms,
                                          .early = settings->early,
                                          .stop = clock ? clock->stop : NULL};
    if (budget_limited(clock, mcts->seat)) {
        bool shared = clock->left_ms[mcts->seat] > clock->increment_ms;
        double start_ms = clock_now_ms();
        double decisions =
            shared ? budget_decisions_left(mcts->game, state, mcts->seat, &mcts->rng) : 1;
        double budget = budget_ms(clock, mcts->seat, decisions) - (clock_now_ms() - start_ms);
        if (limits.time_ms <= 0 || budget < limits.time_ms)
            limits.time_ms = budget > 0.1 ? budget : 0.1; /* 0 would mean no limit */
        limits.early |= shared;
    }
    if (limits.time_ms > 0 && !mcts->simulations_given)
        limits.simulations = 0;
    return limits;
}

/* Makes state the root unless it is the root already. */
static enum banyan_status mcts_turn_to(struct mcts *mcts, const void *state,
                                       struct banyan_error *err)
{
    return memcmp(mcts->state, state, mcts->game->state_size) == 0
               ? BANYAN_OK
               : mcts_set_root(mcts, state, err);
}

static enum banyan_status mcts_search(struct mcts *mcts, const void *state,
                                      const struct banyan_player_clock *clock,
                                      struct banyan_player_move *out, struct banyan_error *err)
{
    struct banyan_search_stats before, after;
    struct banyan_search_move chosen;
    struct banyan_search_limits limits = mcts_limits(mcts, state, clock);
    enum banyan_status status = mcts_turn_to(mcts, state, err);
    banyan_search_stats(mcts->search, &before, sizeof before);
    if (status == BANYAN_OK)
        status = banyan_search_run(mcts->search, &limits, err);
    if (status == BANYAN_OK)
        status = banyan_search_choose(mcts->search, mcts->seat, &chosen, err);
    if (status != BANYAN_OK)
        return status;
    banyan_search_stats(mcts->search, &after, sizeof after);
    out->action = chosen.action;
    out->value = chosen.mean;
    out->simulations = after.simulations - before.simulations;
    out->visits = chosen.visits;
    return BANYAN_OK;
}

static enum banyan_status mcts_choose(void *ctx, const void *state,
                                      const struct banyan_player_clock *clock,
                                      struct banyan_player_move *out, struct banyan_error *err)
{
    struct mcts *mcts = ctx;
    double start_ms = clock_now_ms();
    *out = (struct banyan_player_move){.value = (double)NAN};
    enum banyan_status status = ponder_stop(&mcts->ponder, err);
    if (status != BANYAN_OK)
        return status;
    if (mcts->game->legal(mcts->game, state, mcts->seat, mcts->actions) == 1) {
        out->action = mcts->actions[0];
        return BANYAN_OK;
    }
    status = mcts_search(mcts, state, clock, out, err);
    out->elapsed_ms = clock_now_ms() - start_ms;
    return status;
}

static void mcts_close(void *ctx)
{
    struct mcts *mcts = ctx;
    mcts_clear(mcts);
    book_free(&mcts->book);
    free(mcts->state);
    free(mcts->actions);
    free(mcts);
}

enum banyan_status player_search(const struct banyan_player *player, const void *state,
                                 struct banyan_search **out, struct banyan_error *err)
{
    const struct banyan_player *inner = player_best_inner(player);
    if (inner->choose != mcts_choose)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "the player does not search: take mcts or best");
    struct mcts *mcts = inner->ctx;
    enum banyan_status status = ponder_stop(&mcts->ponder, err);
    if (status == BANYAN_OK)
        status = mcts_turn_to(mcts, state, err);
    *out = mcts->search;
    return status;
}

/* --- making a player --- */

/* Puts the game's evaluator "endgame" before the one that the options name. */
static enum banyan_status mcts_endgame(struct mcts *mcts, struct banyan_error *err)
{
    char then[sizeof mcts->settings.evaluator];
    const struct banyan_offer *offer = mcts->game->offers;
    for (; offer && offer->name; ++offer)
        if (offer->evaluator && strcmp(offer->name, "endgame") == 0)
            break;
    if (!offer || !offer->name)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "'%s' has no endgame solver: remove endgame=on",
                           mcts->game->name);
    memcpy(then, mcts->settings.evaluator, sizeof then);
    int length = snprintf(mcts->settings.evaluator, sizeof mcts->settings.evaluator,
                          "endgame:then=(%s)", then);
    return length < (int)sizeof mcts->settings.evaluator
               ? BANYAN_OK
               : banyan_fail(err, BANYAN_INVALID, "evaluator=%.60s...: too long", then);
}

/* Checks that the tree is kept from move to move, without which `option` has no use. */
static enum banyan_status mcts_needs_reuse(const struct mcts *mcts, const char *option,
                                           struct banyan_error *err)
{
    return mcts->settings.search.reuse
               ? BANYAN_OK
               : banyan_fail(err, BANYAN_INVALID, "%s needs reuse=on", option);
}

static enum banyan_status mcts_read_book(struct mcts *mcts, struct banyan_error *err)
{
    if (!*mcts->settings.book)
        return BANYAN_OK;
    enum banyan_status status = mcts_needs_reuse(mcts, "book", err);
    return status == BANYAN_OK ? book_read(&mcts->book, mcts->settings.book, err) : status;
}

static enum banyan_status mcts_parse(struct mcts *mcts, const char *args, struct banyan_error *err)
{
    struct banyan_option table[MCTS_OPTIONS_MAX];
    char of_rule[MCTS_TEXT], others[MCTS_TEXT];
    mcts_table(table);
    mcts_default(&mcts->settings);
    mcts->settings.simulations = 0; /* not set by the user */
    enum banyan_status status = banyan_options_parse(table, &mcts->settings, args, err);
    if (status == BANYAN_OK)
        status = options_split(mcts_rule_table, args, of_rule, others, MCTS_TEXT, err);
    mcts->rule_given = status == BANYAN_OK && *of_rule;
    mcts->simulations_given = mcts->settings.simulations > 0;
    if (!mcts->simulations_given)
        mcts->settings.simulations = MCTS_DEFAULT_SIMULATIONS;
    return status;
}

static bool mcts_has_priors(const struct mcts *mcts)
{
    const struct banyan_evaluator *evaluator = &mcts->evaluator;
    return evaluator->wants_actions ||
           (evaluator->game_priors && (evaluator->priors || mcts->game->priors));
}

/* Makes evaluator and search once, so that options that cannot work are reported before a game
 * starts; sets the default of rule for an evaluator that gives priors. */
static enum banyan_status mcts_try(struct mcts *mcts, struct banyan_error *err)
{
    enum banyan_status status = banyan_evaluator_create(mcts->game, mcts->settings.evaluator,
                                                        mcts->offers, &mcts->evaluator, err);
    if (status == BANYAN_OK && mcts_has_priors(mcts) && !mcts->rule_given)
        mcts->settings.search.rule = BANYAN_RULE_PUCT;
    if (status == BANYAN_OK)
        status = banyan_search_create(&mcts->search, mcts->game, &mcts->settings.search,
                                      &mcts->evaluator, err);
    mcts_clear(mcts);
    return status;
}

enum banyan_status player_mcts_create(const struct banyan_game *game, const char *args,
                                      const struct banyan_offer *offers, uint64_t seed,
                                      struct banyan_player *out, struct banyan_error *err)
{
    struct mcts *mcts = calloc(1, sizeof *mcts);
    if (!mcts)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player 'mcts'");
    mcts->game = game;
    mcts->offers = offers;
    (void)seed; /* open sets the seed of every game */
    enum banyan_status status = mcts_parse(mcts, args, err);
    if (status == BANYAN_OK && mcts->settings.endgame)
        status = mcts_endgame(mcts, err);
    if (status == BANYAN_OK)
        status = mcts_read_book(mcts, err);
    if (status == BANYAN_OK && mcts->settings.ponder)
        status = mcts_needs_reuse(mcts, "ponder", err);
    if (status == BANYAN_OK)
        status = mcts_try(mcts, err);
    mcts->state = malloc(game->state_size);
    mcts->actions = malloc((size_t)game->max_legal * sizeof *mcts->actions);
    if (status == BANYAN_OK && !(mcts->state && mcts->actions))
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player 'mcts'");
    if (status != BANYAN_OK) {
        mcts_close(mcts);
        return status;
    }
    snprintf(out->name, sizeof out->name, "%s", mcts->settings.name);
    out->ctx = mcts;
    out->open = mcts_open;
    out->choose = mcts_choose;
    out->observe = mcts_observe;
    out->close = mcts_close;
    return BANYAN_OK;
}
