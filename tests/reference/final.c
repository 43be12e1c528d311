/* What is read at the root, the final choice, and whole runs. */
#include "reference/inside.h"

#include "base/numeric.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

void plain_root_values(struct plain *const *r, int searches, float *out)
{
    double sums[BANYAN_MAX_PLAYERS] = {0}, visits = 0;
    for (int s = 0; s < searches; ++s)
        for (const struct plain_result *i = r[s]->through_root.first; i; i = i->next) {
            visits += (double)i->visits;
            for (int p = 0; p < r[s]->game->players; ++p)
                sums[p] += (double)i->visits * (double)i->values[p];
        }
    for (int p = 0; p < r[0]->game->players; ++p)
        out[p] = visits > 0 ? (float)(sums[p] / visits) : NAN;
}

/* --- the final choice --- */

uint64_t plain_contenders(const struct plain *r, const struct plain_node *node, uint64_t offered)
{
    int64_t done = r->simulated + (int64_t)r->waiting;
    double most = 0, left = (double)(r->end - done) / r->options.root_pruning;
    uint64_t contenders = offered;
    if (r->options.root_pruning <= 0 || node->mover != r->viewer || r->end <= done)
        return offered;
    for (int i = 0; i < node->count; ++i) {
        const struct plain_edge *edge = node->edges[i];
        bool is_sure = r->solver && edge->tried &&
                       (plain_proven(plain_edge_bounds(edge)) || plain_pruned(edge));
        if (plain_is_offered(edge, offered) && !is_sure)
            most = fmax(most, plain_edge_arrivals(edge));
    }
    for (int i = 0; i < node->count; ++i) {
        const struct plain_edge *edge = node->edges[i];
        bool is_proven = r->solver && edge->tried && plain_proven(plain_edge_bounds(edge));
        if (plain_edge_arrivals(edge) + left < most && !is_proven)
            contenders &= ~((uint64_t)1 << edge->id);
    }
    return contenders;
}

/* A root action, as a row of a table. */
struct banyan_search_move plain_row(const struct plain_edge *edge)
{
    const struct plain *r = edge->node->search;
    uint64_t visits = plain_edge_visits(edge);
    struct plain_bounds bounds =
        r->solver && edge->tried ? plain_own_bounds(edge) : plain_all_returns(r);
    double mean = visits ? plain_edge_sum(edge) / (double)visits : NAN, score = -INFINITY;
    if (r->options.rule == BANYAN_RULE_GUMBEL && visits)
        score =
            plain_improved_logit(edge) + (edge->node->mover == r->viewer ? r->gumbel[edge->id] : 0);
    return (struct banyan_search_move){.action = edge->action,
                                       .visits = (uint32_t)visits,
                                       .mean = mean,
                                       .prior =
                                           r->priors && !edge->node->waiting ? edge->prior : NAN,
                                       .lo = bounds.lo,
                                       .hi = bounds.hi,
                                       .score = score};
}

/* Orders rows by visits, the most first, then by number. */
static int by_visits(const void *a, const void *b)
{
    const struct banyan_search_move *x = a, *y = b;
    if (x->visits != y->visits)
        return x->visits > y->visits ? -1 : 1;
    return x->action < y->action ? -1 : x->action > y->action;
}

static void join_rows(struct banyan_search_move *row, const struct banyan_search_move *more)
{
    double visits = (double)row->visits + (double)more->visits;
    row->mean = ((row->visits ? row->mean * (double)row->visits : 0) +
                 (more->visits ? more->mean * (double)more->visits : 0)) /
                visits;
    row->score = row->visits ? row->score : more->score;
    row->visits += more->visits;
    row->lo = fmaxf(row->lo, more->lo);
    row->hi = fminf(row->hi, more->hi);
}

int plain_root_moves(struct plain *const *r, int searches, int player,
                     struct banyan_search_move *rows)
{
    int count = 0;
    for (int s = 0; s < searches; ++s) {
        const struct plain_node *node = plain_root(r[s], player);
        for (int i = 0; node && i < node->count; ++i) {
            struct banyan_search_move row = plain_row(node->edges[i]);
            int at = 0;
            while (at < count && rows[at].action != row.action)
                ++at;
            if (at == count)
                rows[count++] = row;
            else if (row.visits)
                join_rows(&rows[at], &row);
        }
    }
    qsort(rows, (size_t)count, sizeof *rows, by_visits);
    return count;
}

/* The value by which an action is compared: its mean, cut to its bounds. */
static double row_value(const struct banyan_search_move *row)
{
    return !row->visits ? (double)row->lo : fmin(fmax(row->mean, row->lo), row->hi);
}

/* The number by which the rule of the final choice ranks actions. */
static double final_score(const struct plain *r, const struct banyan_search_move *row, double total)
{
    double range = (double)r->game->return_max - (double)r->game->return_min;
    double share = (row_value(row) - r->game->return_min) / range, visits = (double)row->visits;
    switch (r->options.final) {
    case BANYAN_FINAL_MAX:
        return visits > 0 ? share : -INFINITY;
    case BANYAN_FINAL_MAX_ROBUST:
        return r->options.final_w1 * (visits > 0 ? share : 0) +
               r->options.final_w2 * visits / (total > 0 ? total : 1);
    case BANYAN_FINAL_SECURE:
        return visits > 0 ? share - r->options.secure_z / sqrt(visits) : -INFINITY;
    default:
        return visits;
    }
}

static bool row_proven(const struct banyan_search_move *row)
{
    return row->lo >= row->hi;
}

/* Whether another row is certainly at least as good, and the two do not have the same bounds. */
static bool row_out(const struct banyan_search_move *rows, int count, int i)
{
    bool out = false;
    for (int j = 0; j < count; ++j)
        out = out || (j != i && rows[j].lo >= rows[i].hi &&
                      (rows[j].lo > rows[i].lo || rows[j].hi > rows[i].hi));
    return out;
}

/* Gumbel: the visits of the actions that halving considered in its last phase. */
static double last_considered(const struct plain *r, const struct banyan_search_move *rows,
                              int count)
{
    double most = 0;
    for (int i = 0; i < count; ++i)
        if (!row_proven(&rows[i]) && !row_out(rows, count, i))
            most = fmax(most, r->gumbel_made[i]);
    return most > 1 && r->gumbel_in_round ? most - 1 : most;
}

/* The unproven row of the highest score; of equal ones the one with the higher value, then the
 * first. -1: none. */
static int favourite(struct plain *r, const struct banyan_search_move *rows, int count)
{
    bool gumbel = r->options.rule == BANYAN_RULE_GUMBEL && rows[0].visits > 0 &&
                  r->options.final != BANYAN_FINAL_SAMPLE &&
                  r->options.final != BANYAN_FINAL_AVERAGE;
    double total = 0, scores[PLAIN_ACTIONS], least = last_considered(r, rows, count);
    int best = -1;
    for (int i = 0; i < count; ++i)
        total += (double)rows[i].visits;
    for (int i = 0; i < count; ++i) {
        scores[i] = gumbel ? rows[i].score : final_score(r, &rows[i], total);
        if (row_proven(&rows[i]) || row_out(rows, count, i))
            continue;
        bool survived = !gumbel || r->gumbel_made[i] >= least;
        bool told = r->told && rows[i].action == r->told->action;
        if (best >= 0 && told && survived && fabs(scores[i] - scores[best]) < 1e-9)
            best = i;
        if (survived && (best < 0 || scores[i] > scores[best] ||
                         (!gumbel && scores[i] >= scores[best] &&
                          row_value(&rows[i]) > row_value(&rows[best]))))
            best = i;
    }
    return best;
}

/* The row with the highest lower bound, then the highest upper bound, then the most visits. */
static int safest(const struct banyan_search_move *rows, int count)
{
    int best = 0;
    for (int i = 1; i < count; ++i)
        if (rows[i].lo > rows[best].lo ||
            (rows[i].lo >= rows[best].lo &&
             (rows[i].hi > rows[best].hi ||
              (rows[i].hi >= rows[best].hi && rows[i].visits > rows[best].visits))))
            best = i;
    return best;
}

/* The action that the rule chooses, unless another action guarantees more than that one is
 * worth.  Where visits decide, a proven action with more visits is chosen too, if its value is
 * at least the root's mean. */
static int best_row(struct plain *r, const struct banyan_search_move *rows, int count)
{
    int open = favourite(r, rows, count), sure = safest(rows, count);
    enum banyan_search_final final = r->options.final;
    bool by_value = final == BANYAN_FINAL_MAX || final == BANYAN_FINAL_MAX_ROBUST ||
                    final == BANYAN_FINAL_SECURE;
    double sum = 0, visits = 0;
    for (int i = 0; i < count; ++i) {
        sum += rows[i].visits ? rows[i].mean * (double)rows[i].visits : 0;
        visits += (double)rows[i].visits;
    }
    if (open < 0 || row_value(&rows[open]) < (double)rows[sure].lo)
        return sure;
    bool stands = !by_value && row_proven(&rows[sure]) && rows[sure].visits > rows[open].visits &&
                  (double)rows[sure].lo >= sum / visits;
    return stands ? sure : open;
}

banyan_action plain_choose_of(struct plain *r, struct banyan_search_move *rows, int count)
{
    qsort(rows, (size_t)count, sizeof *rows, by_visits);
    return rows[best_row(r, rows, count)].action;
}

/* Draws an index in proportion to its weight; the first if all are 0. */
static int draw_row(struct plain *r, const double *weights, int count)
{
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += weights[i];
    double draw = rng_unit(&r->rng) * sum;
    for (int i = 0; i < count; ++i)
        if ((draw -= weights[i]) < 0)
            return i;
    return 0;
}

/* Draws in proportion to visits^(1/temperature), among the actions that are not certainly
 * dominated by another. */
static int draw_by_visits(struct plain *r, const struct banyan_search_move *rows, int count)
{
    double weights[PLAIN_ACTIONS], most = rows[0].visits ? (double)rows[0].visits : 1;
    int best = best_row(r, rows, count);
    if (r->options.temperature < 1e-3)
        return best;
    for (int i = 0; i < count; ++i)
        weights[i] = row_out(rows, count, i)
                         ? 0
                         : numeric_pow((double)rows[i].visits / most, 1 / r->options.temperature);
    int drawn = draw_row(r, weights, count);
    return weights[drawn] > 0 ? drawn : best;
}

/* The root's rows whose actions are legal in its state; a node may hold actions of other states
 * too, which are not chosen. */
static int choice_rows(struct plain *const *searches, int count, int player,
                       struct banyan_search_move *rows)
{
    struct plain *r = searches[0];
    banyan_action actions[PLAIN_ACTIONS];
    int moves = plain_root_moves(searches, count, player, rows);
    int legal = plain_legal(r, r->root_state, player, true, actions), kept = 0;
    r->gumbel_in_round = player == r->viewer && plain_is_in_round(r);
    for (int i = 0; i < moves; ++i) {
        bool is_legal = false;
        for (int k = 0; k < legal; ++k)
            is_legal = is_legal || actions[k] == rows[i].action;
        if (!is_legal)
            continue;
        r->gumbel_made[kept] = 0;
        for (int k = 0; k < count; ++k)
            r->gumbel_made[kept] += plain_visits_by_halving(searches[k], player, rows[i].action);
        rows[kept++] = rows[i];
    }
    return kept;
}

bool plain_strategy_sum(struct plain *const *searches, int count, int player, banyan_action action,
                        double *sum)
{
    bool known = false;
    *sum = 0;
    for (int i = 0; i < count; ++i) {
        const struct plain_node *node = plain_root(searches[i], player);
        const struct plain_edge *edge = node ? plain_find_edge(node, action) : NULL;
        if (!edge || !edge->tried)
            continue;
        known = true;
        for (const struct plain_play *play = node->plays; play; play = play->next)
            *sum += edge->id < play->count ? play->strategy[edge->id] : 0;
    }
    return known;
}

banyan_action plain_choose(struct plain *const *searches, int count, int player)
{
    struct plain *r = searches[0];
    struct banyan_search_move rows[PLAIN_ACTIONS];
    banyan_action actions[PLAIN_ACTIONS];
    double weights[PLAIN_ACTIONS], sum = 0;
    int moves = choice_rows(searches, count, player, rows), listed = 0;
    if (moves == 0) {
        int legal = plain_legal(r, r->root_state, player, true, actions);
        return actions[rng_below(&r->rng, (uint32_t)legal)];
    }
    if (r->options.final == BANYAN_FINAL_SAMPLE)
        return rows[draw_by_visits(r, rows, moves)].action;
    for (int i = 0; i < moves; ++i) {
        listed += plain_strategy_sum(searches, count, player, rows[i].action, &weights[i]);
        sum += weights[i];
    }
    if (r->options.final != BANYAN_FINAL_AVERAGE || r->options.rule != BANYAN_RULE_REGRET ||
        !listed)
        return rows[best_row(r, rows, moves)].action;
    for (int i = 0; i < moves && sum <= 0; ++i)
        weights[i] = 1;
    return rows[draw_row(r, weights, moves)].action;
}

/* --- a whole run --- */

enum { BATCH_MAX = 64 };

enum banyan_status plain_simulate(struct plain *r, int64_t goal, int64_t end)
{
    struct banyan_leaf leaves[BATCH_MAX];
    while (r->simulated < end) {
        int64_t left = goal - r->simulated, batch = r->options.batch;
        if (banyan_flag_is_set(r->stop))
            return BANYAN_INTERRUPTED;
        if (r->solver && plain_proven(plain_root_bounds(r)))
            break;
        int n = plain_select(r, leaves, (int)(left < batch ? left : batch));
        enum banyan_status status =
            n ? r->evaluator->evaluate(r->evaluator->ctx, leaves, n, NULL) : BANYAN_OK;
        if (status != BANYAN_OK) {
            plain_take_back(r);
            return status;
        }
        plain_update(r, leaves, n);
    }
    return BANYAN_OK;
}

/* Whether the most visited action has the highest mean. */
static bool agrees(struct plain *const *r, int searches)
{
    struct banyan_search_move rows[PLAIN_ACTIONS];
    int count = choice_rows(r, searches, r[0]->viewer, rows);
    bool agreed = true;
    for (int i = 1; i < count; ++i)
        agreed = agreed && !(rows[i].visits && rows[i].mean > rows[0].mean);
    return agreed;
}

/* Shares the simulations evenly; the first searches get the remainder.  With options.final_agree
 * the search goes on in sixteenths of its simulations, at most for as many again, until visits
 * and means agree. */
enum banyan_status plain_run(struct plain *const *r, int searches, int64_t simulations)
{
    const struct banyan_search_options *options = &r[0]->options;
    bool agreeing = options->final == BANYAN_FINAL_MAX_ROBUST && options->final_agree;
    for (int part = 0; part <= 16; ++part) {
        int64_t now = part ? simulations / 16 : simulations;
        if (part && (!agreeing || now == 0 || agrees(r, searches)))
            return BANYAN_OK;
        for (int i = 0; i < searches; ++i) {
            int64_t share = now / searches + (i < now % searches);
            if (share == 0)
                continue; /* the tree stays as it is when the root is proven */
            plain_plan(r[i], share, r[i]->explores);
            int64_t goal = r[i]->simulated + share;
            enum banyan_status status = plain_simulate(r[i], goal, goal);
            if (status != BANYAN_OK)
                return status;
        }
    }
    return BANYAN_OK;
}
