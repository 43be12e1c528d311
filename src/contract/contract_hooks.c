/* The contract: functions that a game may leave out; hidden cards, estimates, networks, pictures. */
#include "contract/contract.h"

#include <banyan/observe.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- hidden information --- */

static int contract_write_picture(struct contract *c, const void *state, int viewer, char *out,
                                  size_t size)
{
    return contract_calls(c, "draw")->draw(c->game, state, viewer, out, size);
}

static int contract_write_sheet(struct contract *c, const void *state, int viewer, char *out,
                                size_t size)
{
    return contract_calls(c, "sheet")->sheet(c->game, state, viewer, out, size);
}

/* Checks that describe() says the same about the actions of viewer in two states, if viewer moves. */
static void contract_check_descriptions(struct contract *c, const void *a, const void *b,
                                        int viewer)
{
    const struct banyan_game *g = c->game;
    if (!g->describe || !(contract_calls(c, "movers")->movers(g, a) >> viewer & 1))
        return;
    for (int i = 0; i < c->count[viewer]; ++i) {
        contract_calls(c, "describe")
            ->describe(g, a, viewer, c->legal[viewer][i], c->text, BANYAN_TEXT_MAX);
        contract_calls(c, "describe")
            ->describe(g, b, viewer, c->legal[viewer][i], c->text_2, BANYAN_TEXT_MAX);
        contract_check(c, strcmp(c->text, c->text_2) == 0,
                       "describe() tells player %d what determinize() may change: %.100s", viewer,
                       c->text);
    }
}

/* Checks that two states look the same to viewer: picture, sheet, actions, board, planes and
 * observation. */
static void contract_check_look(struct contract *c, const void *a, const void *b, int viewer)
{
    const struct banyan_game *g = c->game;
    if (g->draw) {
        contract_write(c, contract_write_picture, a, viewer, c->text, "draw()");
        contract_write(c, contract_write_picture, b, viewer, c->text_2, "draw()");
        contract_check(c, strcmp(c->text, c->text_2) == 0,
                       "draw() shows player %d what determinize() may change", viewer);
    }
    if (g->sheet) {
        contract_write(c, contract_write_sheet, a, viewer, c->text, "sheet()");
        contract_write(c, contract_write_sheet, b, viewer, c->text_2, "sheet()");
        contract_check(c, strcmp(c->text, c->text_2) == 0,
                       "sheet() shows player %d what determinize() may change", viewer);
    }
    contract_check_descriptions(c, a, b, viewer);
    if (g->board)
        contract_check_board_look(c, a, b, viewer);
    if (g->encode) {
        size_t bytes = contract_planes(g) * sizeof(float);
        contract_calls(c, "encode")->encode(g, a, viewer, c->planes);
        contract_calls(c, "encode")->encode(g, b, viewer, c->planes_2);
        contract_check(c, memcmp(c->planes, c->planes_2, bytes) == 0,
                       "encode() shows player %d what determinize() may change", viewer);
    }
    if (g->observe) {
        size_t bytes = (size_t)banyan_observation_size(g) * sizeof(float);
        contract_calls(c, "observe")->observe(g, a, viewer, c->planes);
        contract_calls(c, "observe")->observe(g, b, viewer, c->planes_2);
        contract_check(c, memcmp(c->planes, c->planes_2, bytes) == 0,
                       "observe() shows player %d what determinize() may change", viewer);
    }
}

/* Checks that determinize() depends only on what player knows: states of equal keys give equal results. */
static void contract_check_known(struct contract *c, const void *a, const void *b, int player)
{
    const struct banyan_game *g = c->game;
    if (contract_calls(c, "key")->key(g, a, player) != contract_calls(c, "key")->key(g, b, player))
        return;
    struct banyan_rng rng = c->rng, again = c->rng;
    void *drawn = contract_copy(c, SLOT_NEXT, a), *other = contract_copy(c, SLOT_COPY, b);
    contract_calls(c, "determinize")->determinize(g, drawn, player, &rng);
    contract_calls(c, "determinize")->determinize(g, other, player, &again);
    contract_check(c, contract_same(c, drawn, other),
                   "key() of player %d is the same in two states whose draws differ", player);
}

void contract_check_determinize(struct contract *c, const void *state, unsigned movers, int viewer)
{
    const struct banyan_game *g = c->game;
    struct banyan_rng rng = c->rng, again = c->rng;
    void *sampled = contract_copy(c, SLOT_OTHER, state), *copy = contract_copy(c, SLOT_COPY, state);
    contract_calls(c, "determinize")->determinize(g, sampled, viewer, &rng);
    contract_check_guard(c, SLOT_OTHER, "determinize()");
    contract_calls(c, "determinize")->determinize(g, copy, viewer, &again);
    c->rng = rng;
    contract_check(c, contract_same(c, sampled, copy),
                   "determinize() twice with the same stream gave different bytes");
    ++c->determinized;
    bool changed = !contract_same(c, sampled, state);
    c->determinized_changed += changed;
    c->deals_uncertain = c->deals_uncertain || (changed && c->ply == 0);
    contract_calls(c, "determinize")
        ->determinize(g, contract_copy(c, SLOT_COPY, state), viewer, &again);
    c->determinized_apart += !contract_same(c, sampled, c->slot[SLOT_COPY]);
    contract_check(c,
                   contract_calls(c, "key")->key(g, sampled, viewer) ==
                       contract_calls(c, "key")->key(g, state, viewer),
                   "determinize() changed key() of its viewer, player %d", viewer);
    contract_check(c,
                   contract_coarse_key(c, sampled, viewer) == contract_coarse_key(c, state, viewer),
                   "determinize() changed coarse_keys() of its viewer, player %d", viewer);
    for (int player = 0; player < g->players; ++player)
        contract_check_known(c, state, sampled, player);
    if (movers >> viewer & 1) {
        int n = contract_calls(c, "movers")->movers(g, sampled) >> viewer & 1
                    ? contract_legal(c, sampled, viewer, c->actions)
                    : 0;
        size_t bytes = (size_t)c->count[viewer] * sizeof(banyan_action);
        contract_check(c, n == c->count[viewer] && memcmp(c->actions, c->legal[viewer], bytes) == 0,
                       "determinize() changed the legal actions of its viewer, player %d", viewer);
    }
    contract_check_look(c, state, sampled, viewer);
    contract_check_format(c, sampled);
    if (c->endless)
        return; /* nothing more is played */
    bool ends = contract_play_out(c, contract_copy(c, SLOT_PLAY, sampled), &c->rng) >= 0;
    contract_check(c, ends || c->too_long, "after determinize() the game %s", c->why);
}

void contract_check_deals(struct contract *c)
{
    if (!contract_check(c, c->determinized_changed > 0,
                        "determinize() never changed anything in %ld calls", c->determinized))
        return;
    contract_check(c, c->determinized_apart > 0,
                   "determinize() gives the same state for every rng, in %ld calls",
                   c->determinized);
    contract_check(c, c->deals < 5 || c->deals_differ || !c->deals_uncertain,
                   "init() dealt the same state in all of %d games, and determinize() draws "
                   "others: deal by rng",
                   c->deals);
}

/* --- estimates --- */

bool contract_in_range(const struct contract *c, float value)
{
    float slack = 1e-5f * (c->game->return_max - c->game->return_min);
    return value >= c->game->return_min - slack && value <= c->game->return_max + slack;
}

/* Whether player's action ends the game in `state` with the most that player can get. */
static bool contract_wins(struct contract *c, const void *state, int player, banyan_action action)
{
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    float out[BANYAN_MAX_PLAYERS];
    void *next = contract_copy(c, SLOT_COPY, state);
    joint[player] = action;
    contract_calls(c, "apply")->apply(c->game, next, joint, NULL);
    if (contract_calls(c, "movers")->movers(c->game, next))
        return false;
    contract_returns(c, next, out);
    return out[player] >= c->game->return_max;
}

/* Whether the other of two players can win immediately after player's action. */
static bool contract_lets_win(struct contract *c, const void *state, int player,
                              banyan_action action)
{
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    void *next = contract_copy(c, SLOT_OTHER, state);
    joint[player] = action;
    contract_calls(c, "apply")->apply(c->game, next, joint, NULL);
    int other = 1 - player, n = 0;
    if (contract_calls(c, "movers")->movers(c->game, next) >> other & 1)
        n = contract_legal(c, next, other, c->actions);
    bool wins = false;
    for (int i = 0; i < n && !wins; ++i)
        wins = contract_wins(c, next, other, c->actions[i]);
    return wins;
}

/* Checks decisive() where no action wins: it names all actions after which the other player cannot win, or any
 * one action if there are none of these. */
static void contract_check_anti_decisive(struct contract *c, const void *state, int player,
                                         const banyan_action *part, int n)
{
    int safe = 0, named = 0;
    for (int i = 0, j = 0; i < c->count[player]; ++i) {
        bool in = j < n && part[j] == c->legal[player][i];
        bool lets = contract_lets_win(c, state, player, c->legal[player][i]);
        j += in;
        safe += !lets;
        named += in && !lets;
    }
    if (safe == c->count[player])
        contract_check(c, n == safe,
                       "decisive() names %d actions, but nobody threatens to win here: it must "
                       "return 0",
                       n);
    else
        contract_check(
            c, safe == 0 ? n == 1 : named == safe && n == safe,
            "decisive() names %d actions; of the %d that keep the other player from winning "
            "it names %d",
            n, safe, named);
}

void contract_check_decisive(struct contract *c, const void *state, int player)
{
    banyan_action *part = c->mapped;
    int n = contract_calls(c, "decisive")->decisive(c->game, state, player, part),
        count = c->count[player], found = 0, wins = 0;
    for (int i = 0; i < count; ++i) {
        found += found < n && part[found] == c->legal[player][i];
        wins += contract_wins(c, state, player, c->legal[player][i]);
    }
    if (!contract_check(
            c, found == n,
            "decisive() gives %d actions, and only %d of them are those of legal(), in its order",
            n, found))
        return;
    if (wins)
        contract_check(c, n == 0 || (n == 1 && contract_wins(c, state, player, part[0])),
                       "decisive() must name one action, one of the %d that win", wins);
    else if (n)
        contract_check_anti_decisive(c, state, player, part, n);
}

/* Remembers what bounds() promises; at the end it is compared with returns(). */
void contract_check_bounds(struct contract *c, const void *state)
{
    for (int p = 0; p < c->game->players; ++p) {
        float lo = NAN, hi = NAN;
        contract_calls(c, "bounds")->bounds(c->game, state, p, &lo, &hi);
        struct contract_bounds now = {lo, hi, c->ply};
        if (!contract_check(c, lo <= hi, "bounds() of player %d are %g..%g: lo must be <= hi", p,
                            (double)lo, (double)hi) ||
            !contract_check(c, contract_in_range(c, lo) && contract_in_range(c, hi),
                            "bounds() of player %d are %g..%g, outside return_min..return_max, "
                            "which is %g..%g",
                            p, (double)lo, (double)hi, (double)c->game->return_min,
                            (double)c->game->return_max))
            continue;
        if (lo > c->low[p].lo)
            c->low[p] = now;
        if (hi < c->high[p].hi)
            c->high[p] = now;
    }
}

void contract_check_bounds_kept(struct contract *c, const void *final)
{
    float out[BANYAN_MAX_PLAYERS];
    contract_returns(c, final, out);
    for (int p = 0; p < c->game->players; ++p) {
        const struct contract_bounds *said = out[p] < c->low[p].lo ? &c->low[p] : &c->high[p];
        contract_check(c, out[p] >= said->lo && out[p] <= said->hi,
                       "bounds() said %g..%g for player %d at ply %d, who got %g", (double)said->lo,
                       (double)said->hi, p, said->ply, (double)out[p]);
    }
}

void contract_check_heuristic(struct contract *c, const void *state)
{
    for (int p = 0; p < c->game->players; ++p) {
        float value = contract_calls(c, "heuristic")->heuristic(c->game, state, p);
        contract_check(c, contract_in_range(c, value),
                       "heuristic() of player %d is %g, outside return_min..return_max, which is "
                       "%g..%g",
                       p, (double)value, (double)c->game->return_min, (double)c->game->return_max);
    }
}

void contract_check_priors(struct contract *c, const void *state, int player)
{
    int n = c->count[player];
    float *out = c->priors;
    double sum = 0;
    for (int i = 0; i < n + CONTRACT_GUARD; ++i)
        out[i] = 12345;
    contract_calls(c, "priors")->priors(c->game, state, player, c->legal[player], n, out);
    for (int i = 0; i < n; ++i) {
        contract_check(c, out[i] >= 0 && out[i] <= 1.0001f,
                       "priors() gave %g, and a prior is 0 to 1", (double)out[i]);
        sum += (double)out[i];
    }
    contract_check(c, fabs(sum - 1) < 1e-3, "priors() sum to %g, and they must sum to 1", sum);
    for (int i = n; i < n + CONTRACT_GUARD; ++i)
        if (!contract_check(c, out[i] == 12345, "priors() wrote past the end of its actions"))
            break;
}

/* --- what a network sees --- */

void contract_check_encode(struct contract *c, const void *state, int viewer)
{
    size_t n = contract_planes(c->game);
    for (size_t i = 0; i < n + CONTRACT_GUARD; ++i)
        c->planes[i] = NAN;
    contract_calls(c, "encode")->encode(c->game, state, viewer, c->planes);
    for (size_t i = 0; i < n; ++i)
        if (!contract_check(c, isfinite(c->planes[i]),
                            "encode() wrote %g to plane value %zu of %zu", (double)c->planes[i], i,
                            n))
            return;
    bool behind = false;
    for (size_t i = n; i < n + CONTRACT_GUARD; ++i)
        behind = behind || !isnan(c->planes[i]);
    contract_check(c, !behind, "encode() wrote past the end of its planes");
}

static bool contract_feature_allows(const struct banyan_feature *feature, float number)
{
    if (feature->hidden && number == (float)BANYAN_UNKNOWN)
        return true;
    bool whole = feature->kind == BANYAN_FEATURE_REAL || number == (float)(int64_t)number;
    return number >= feature->min && number <= feature->max && whole;
}

static bool contract_check_feature(struct contract *c, const struct banyan_feature *feature,
                                   const float *numbers)
{
    int count = feature->shape[0] * feature->shape[1] * feature->shape[2];
    for (int k = 0; k < count; ++k)
        if (!contract_check(
                c, contract_feature_allows(feature, numbers[k]),
                "feature %s has %g at index %d, which its kind or its bounds %g..%g forbid",
                feature->name, (double)numbers[k], k, (double)feature->min, (double)feature->max))
            return false;
    return true;
}

void contract_check_observation(struct contract *c, const void *state, int viewer)
{
    int size = banyan_observation_size(c->game), at;
    struct banyan_feature feature;
    bool behind = false, right = true;
    for (int i = 0; i < size + CONTRACT_GUARD; ++i)
        c->planes[i] = NAN;
    banyan_observe(contract_calls(c, "observe"), state, viewer, c->planes);
    for (int i = 0; right && (at = banyan_observation_feature(c->game, i, &feature)) >= 0; ++i)
        right = contract_check_feature(c, &feature, c->planes + at);
    for (int i = size; i < size + CONTRACT_GUARD; ++i)
        behind = behind || !isnan(c->planes[i]);
    contract_check(c, !behind, "observe() wrote past the end of its features");
}

void contract_check_policy_index(struct contract *c, const void *state, int player)
{
    unsigned char *taken = memset(c->taken, 0, (size_t)c->game->policy_size);
    int step =
        1 + c->count[player] / 16; /* the inverse, which is slow, is checked for some actions */
    for (int i = 0; i < c->count[player]; ++i) {
        int index = contract_calls(c, "policy_index")
                        ->policy_index(c->game, state, player, c->legal[player][i]);
        if (!contract_check(c, index >= 0 && index < c->game->policy_size,
                            "policy_index() is %d, policy_size %d", index, c->game->policy_size))
            break;
        banyan_action action = 0;
        contract_check(c, !taken[index], "policy_index() is %d for two legal actions", index);
        if (i % step == 0)
            contract_check(c,
                           banyan_policy_action(contract_calls(c, "policy_index"), state, player,
                                                index, c->mapped, &action) &&
                               action == c->legal[player][i],
                           "policy index %d leads to another action", index);
        taken[index] = 1;
    }
}

void contract_check_targets(struct contract *c, const void *final)
{
    size_t cells = (size_t)c->game->planes[1] * (size_t)c->game->planes[2];
    for (int viewer = 0; viewer < c->game->players; ++viewer) {
        float score = NAN;
        memset(c->planes, 0, contract_planes(c->game) * sizeof(float));
        contract_calls(c, "targets")->targets(c->game, final, viewer, &score, c->planes);
        contract_check(c, isfinite(score), "targets() gave the score %g", (double)score);
        for (size_t i = 0; i < cells; ++i)
            contract_check(c, isfinite(c->planes[i]), "targets() gave an ownership of %g",
                           (double)c->planes[i]);
    }
}

/* --- pictures --- */

static void contract_check_svg(struct contract *c, const void *state, int viewer)
{
    const struct banyan_game *g = c->game;
    int length = contract_calls(c, "svg")->svg(g, state, viewer, NULL, 0);
    char *svg = length > 0 ? malloc((size_t)length + 1) : NULL;
    contract_check(
        c,
        svg && contract_calls(c, "svg")->svg(g, state, viewer, svg, (size_t)length + 1) == length &&
            strlen(svg) == (size_t)length && strncmp(svg, "<svg", 4) == 0,
        "svg() did not write an SVG of the length that it returned");
    free(svg);
}

void contract_check_pictures(struct contract *c, const void *state)
{
    const struct banyan_game *g = c->game;
    for (int viewer = -1; viewer < g->players; ++viewer) {
        if (g->draw)
            contract_write(c, contract_write_picture, state, viewer, c->text, "draw()");
        if (g->sheet)
            contract_write(c, contract_write_sheet, state, viewer, c->text, "sheet()");
        if (g->svg)
            contract_check_svg(c, state, viewer);
        if (g->board)
            contract_check_board(c, state, viewer);
    }
}
