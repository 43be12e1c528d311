/* When a run may end early: no simulations that are still to come could change its choice, whatever they return and
 * whichever actions they visit. */
#include "reference/inside.h"
#include "reference/pair.h"

#include "base/rng.h"

/* Whether the choice is drawn, or the run may go on past its limit. */
static bool is_open(const struct banyan_search_options *options)
{
    return (options->final == BANYAN_FINAL_SAMPLE && options->temperature > 0) ||
           (options->final == BANYAN_FINAL_AVERAGE && options->rule == BANYAN_RULE_REGRET) ||
           (options->final == BANYAN_FINAL_MAX_ROBUST && options->final_agree);
}

/* Whether the most visited action is chosen. */
static bool goes_by_visits(const struct pair *pair)
{
    enum banyan_search_final final = pair->drawing->options.final;
    return !pair->kernel->solver && final != BANYAN_FINAL_MAX && final != BANYAN_FINAL_MAX_ROBUST &&
           final != BANYAN_FINAL_SECURE;
}

static void add_visits(struct banyan_search_move *row, uint64_t visits, double value)
{
    double sum = row->visits ? row->mean * (double)row->visits : 0;
    if (!visits)
        return;
    row->visits += visits;
    row->mean = (sum + (double)visits * value) / (double)row->visits;
}

/* A future: of `left` simulations some go to the row that is chosen now and return the least, some to another one
 * and return the most, and the others to any row with any value. */
static void imagine(struct pair *pair, struct banyan_search_move *rows, int count,
                    banyan_action chosen, uint64_t left)
{
    const struct banyan_game *game = &pair->drawing->game;
    double low = (double)game->return_min, range = (double)game->return_max - low;
    uint32_t lucky = rng_below(&pair->imagined, (uint32_t)count);
    uint64_t bad =
        rng_below(&pair->imagined, 3) ? 0 : rng_below(&pair->imagined, (uint32_t)left + 1);
    uint64_t good = left - bad;
    if (rng_below(&pair->imagined, 3) == 0) {
        good = rng_below(&pair->imagined, (uint32_t)(left - bad) + 1);
        add_visits(&rows[rng_below(&pair->imagined, (uint32_t)count)], left - bad - good,
                   low + range * rng_unit(&pair->imagined));
    }
    add_visits(&rows[lucky], good, low + range);
    for (int i = 0; i < count; ++i)
        if (rows[i].action == chosen)
            add_visits(&rows[i], bad, low);
}

static void compare_futures(struct pair *pair, const struct banyan_search_move *rows, int count,
                            uint64_t left)
{
    struct banyan_search_move later[PLAIN_ACTIONS];
    memcpy(later, rows, (size_t)count * sizeof *rows);
    banyan_action chosen = plain_choose_of(pair->plain, later, count);
    for (int i = 0; i < 10 && pair->same; ++i) {
        memcpy(later, rows, (size_t)count * sizeof *rows);
        imagine(pair, later, count, chosen, left);
        compare_expect(pair, "the choice in a future of a run that may end",
                       (double)plain_choose_of(pair->plain, later, count), (double)chosen);
    }
}

/* Where visits alone decide: the most visited stays ahead, whatever the others get. */
static bool is_ahead(const struct banyan_search_move *rows, int count, uint64_t left)
{
    uint64_t most = 0, second = 0;
    for (int i = 0; i < count; ++i) {
        second = rows[i].visits > most ? most : rows[i].visits > second ? rows[i].visits : second;
        most = rows[i].visits > most ? rows[i].visits : most;
    }
    return count == 1 || most > second + left;
}

/* Gumbel chooses among the actions that halving visits most, which may differ by one visit within a round. */
static bool is_halved(struct pair *pair, const struct banyan_search_move *rows, int count,
                      uint64_t left)
{
    struct plain *r = pair->plain;
    int player = pair->kernel->root.viewer;
    banyan_action chosen = plain_choose(pair->plains, 1, player);
    double most = plain_visits_by_halving(r, player, chosen);
    bool halved = true;
    for (int i = 0; i < count; ++i)
        halved = halved &&
                 (rows[i].action == chosen ||
                  most > plain_visits_by_halving(r, player, rows[i].action) + (double)left + 1);
    return count == 1 || halved;
}

void compare_decided(struct pair *pair)
{
    const struct banyan_search_options *options = &pair->drawing->options;
    struct banyan_search *search = pair->kernel;
    struct banyan_search_move *rows = search->scratch.rows;
    int count = search_choice_rows(search, search->root.viewer, rows);
    bool viewer_moves =
        pair->drawing->game.movers(&pair->drawing->game, &pair->state) >> search->root.viewer & 1;
    if (pair->searches > 1 || count == 0 || !viewer_moves)
        return;
    bool gumbel = options->rule == BANYAN_RULE_GUMBEL;
    if (gumbel && (search->solver || rows[0].visits == 0 || options->final == BANYAN_FINAL_SAMPLE ||
                   options->final == BANYAN_FINAL_AVERAGE))
        return;
    for (uint64_t left = 0; left < 100 && pair->same; left = 2 * left + 1) {
        bool decided = search_final_decided(search, rows, count, left);
        if (is_open(options))
            compare_expect(pair, "an open choice is decided", decided, count == 1);
        else if (gumbel)
            compare_expect(pair, "a choice by halving is decided", decided,
                           is_halved(pair, rows, count, left));
        else if (goes_by_visits(pair))
            compare_expect(pair, "a choice by visits is decided", decided,
                           is_ahead(rows, count, left));
        if (decided && !gumbel)
            compare_futures(pair, rows, count, left);
    }
}
