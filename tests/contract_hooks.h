/* The contract: the functions that a game may leave out. */
#ifndef TESTS_CONTRACT_HOOKS_H
#define TESTS_CONTRACT_HOOKS_H

#include "contract_text.h"

/* --- hidden information --- */

static inline int contract_write_picture(struct contract *c, const void *state, int viewer,
                                         char *out, size_t size)
{
    return c->game->draw(c->game, state, viewer, out, size);
}

static inline int contract_write_sheet(struct contract *c, const void *state, int viewer, char *out,
                                       size_t size)
{
    return c->game->sheet(c->game, state, viewer, out, size);
}

/* Whether the actions of viewer, who moves, mean the same in two states. */
static inline void contract_check_descriptions(struct contract *c, const void *a, const void *b,
                                               int viewer)
{
    const struct banyan_game *g = c->game;
    if (!g->describe || !(g->movers(g, a) >> viewer & 1))
        return;
    for (int i = 0; i < c->count[viewer]; ++i) {
        g->describe(g, a, viewer, c->legal[viewer][i], c->text, BANYAN_TEXT_MAX);
        g->describe(g, b, viewer, c->legal[viewer][i], c->text_2, BANYAN_TEXT_MAX);
        contract_check(c, strcmp(c->text, c->text_2) == 0,
                       "describe() tells player %d what determinize() may change: %.100s", viewer,
                       c->text);
    }
}

/* Whether two states look the same to viewer: picture, sheet, actions, planes and observation. */
static inline void contract_check_look(struct contract *c, const void *a, const void *b, int viewer)
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
    if (g->encode) {
        size_t bytes = contract_planes(g) * sizeof(float);
        g->encode(g, a, viewer, c->planes);
        g->encode(g, b, viewer, c->planes_2);
        contract_check(c, memcmp(c->planes, c->planes_2, bytes) == 0,
                       "encode() shows player %d what determinize() may change", viewer);
    }
    if (g->observe) {
        size_t bytes = (size_t)banyan_observation_size(g) * sizeof(float);
        g->observe(g, a, viewer, c->planes);
        g->observe(g, b, viewer, c->planes_2);
        contract_check(c, memcmp(c->planes, c->planes_2, bytes) == 0,
                       "observe() shows player %d what determinize() may change", viewer);
    }
}

/* A draw depends only on what player knows: states of equal keys give equal draws. */
static inline void contract_check_known(struct contract *c, const void *a, const void *b,
                                        int player)
{
    const struct banyan_game *g = c->game;
    if (g->key(g, a, player) != g->key(g, b, player))
        return;
    struct banyan_rng rng = c->rng, again = c->rng;
    void *drawn = contract_copy(c, SLOT_NEXT, a), *other = contract_copy(c, SLOT_COPY, b);
    g->determinize(g, drawn, player, &rng);
    g->determinize(g, other, player, &again);
    contract_check(c, contract_same(c, drawn, other),
                   "key() of player %d is the same in two states whose draws differ", player);
}

static inline void contract_check_determinize(struct contract *c, const void *state,
                                              unsigned movers, int viewer)
{
    const struct banyan_game *g = c->game;
    struct banyan_rng rng = c->rng, again = c->rng;
    void *sampled = contract_copy(c, SLOT_OTHER, state), *copy = contract_copy(c, SLOT_COPY, state);
    g->determinize(g, sampled, viewer, &rng);
    g->determinize(g, copy, viewer, &again);
    c->rng = rng;
    contract_check(c, contract_same(c, sampled, copy),
                   "determinize() twice with the same stream gave different bytes");
    ++c->determinized;
    c->determinized_changed += !contract_same(c, sampled, state);
    contract_check(c, g->key(g, sampled, viewer) == g->key(g, state, viewer),
                   "determinize() changed key() of its viewer, player %d", viewer);
    contract_check(c,
                   contract_coarse_key(c, sampled, viewer) == contract_coarse_key(c, state, viewer),
                   "determinize() changed coarse_keys() of its viewer, player %d", viewer);
    for (int player = 0; player < g->players; ++player)
        contract_check_known(c, state, sampled, player);
    if (movers >> viewer & 1) {
        int n = g->movers(g, sampled) >> viewer & 1 ? g->legal(g, sampled, viewer, c->actions) : 0;
        size_t bytes = (size_t)c->count[viewer] * sizeof(banyan_action);
        contract_check(c, n == c->count[viewer] && memcmp(c->actions, c->legal[viewer], bytes) == 0,
                       "determinize() changed the legal actions of its viewer, player %d", viewer);
    }
    contract_check_look(c, state, sampled, viewer);
    contract_check_format(c, sampled);
    contract_check(c, contract_play_out(c, contract_copy(c, SLOT_PLAY, sampled), &c->rng) >= 0,
                   "after determinize() the game does not end by legal play");
}

/* --- estimates --- */

static inline bool contract_in_range(const struct contract *c, float value)
{
    float slack = 1e-5f * (c->game->return_max - c->game->return_min);
    return value >= c->game->return_min - slack && value <= c->game->return_max + slack;
}

/* Whether player's action ends the game in `state` with the most that player can get. */
static inline bool contract_wins(struct contract *c, const void *state, int player,
                                 banyan_action action)
{
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    float out[BANYAN_MAX_PLAYERS];
    void *next = contract_copy(c, SLOT_COPY, state);
    joint[player] = action;
    c->game->apply(c->game, next, joint, NULL);
    if (c->game->movers(c->game, next))
        return false;
    c->game->returns(c->game, next, out);
    return out[player] >= c->game->return_max;
}

/* Whether the other of two players can win at once after player's action. */
static inline bool contract_lets_win(struct contract *c, const void *state, int player,
                                     banyan_action action)
{
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    void *next = contract_copy(c, SLOT_OTHER, state);
    joint[player] = action;
    c->game->apply(c->game, next, joint, NULL);
    int other = 1 - player, n = 0;
    if (c->game->movers(c->game, next) >> other & 1)
        n = c->game->legal(c->game, next, other, c->actions);
    bool wins = false;
    for (int i = 0; i < n && !wins; ++i)
        wins = contract_wins(c, next, other, c->actions[i]);
    return wins;
}

/* No action wins: decisive() gives actions that stop the other player from winning. */
static inline void contract_check_anti_decisive(struct contract *c, const void *state, int player,
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
    contract_check(c, safe == 0 ? n == 1 : named == safe && n == safe,
                   "decisive() names %d actions, %d of %d that keep the other from winning", n,
                   named, safe);
}

static inline void contract_check_decisive(struct contract *c, const void *state, int player)
{
    banyan_action *part = c->mapped;
    int n = c->game->decisive(c->game, state, player, part), count = c->count[player], found = 0,
        wins = 0;
    for (int i = 0; i < count; ++i) {
        found += found < n && part[found] == c->legal[player][i];
        wins += contract_wins(c, state, player, c->legal[player][i]);
    }
    if (!contract_check(c, found == n, "decisive() gives %d actions, %d of legal() in order", n,
                        found))
        return;
    if (wins)
        contract_check(c, n == 0 || (n == 1 && contract_wins(c, state, player, part[0])),
                       "decisive() does not name one of %d winning actions", wins);
    else if (n)
        contract_check_anti_decisive(c, state, player, part, n);
}

/* Remembers what bounds() promise; at the end they are compared with returns(). */
static inline void contract_check_bounds(struct contract *c, const void *state)
{
    for (int p = 0; p < c->game->players; ++p) {
        float lo = NAN, hi = NAN;
        c->game->bounds(c->game, state, p, &lo, &hi);
        contract_check(c, lo <= hi && contract_in_range(c, lo) && contract_in_range(c, hi),
                       "bounds() of player %d are %g..%g", p, (double)lo, (double)hi);
        c->lo[p] = fmaxf(c->lo[p], lo);
        c->hi[p] = fminf(c->hi[p], hi);
    }
}

static inline void contract_check_bounds_kept(struct contract *c, const void *final)
{
    float out[BANYAN_MAX_PLAYERS];
    c->game->returns(c->game, final, out);
    for (int p = 0; p < c->game->players; ++p)
        contract_check(c, out[p] >= c->lo[p] && out[p] <= c->hi[p],
                       "player %d got %g, bounds() had promised %g..%g", p, (double)out[p],
                       (double)c->lo[p], (double)c->hi[p]);
}

static inline void contract_check_heuristic(struct contract *c, const void *state)
{
    for (int p = 0; p < c->game->players; ++p) {
        float value = c->game->heuristic(c->game, state, p);
        contract_check(c, contract_in_range(c, value), "heuristic() of player %d is %g", p,
                       (double)value);
    }
}

static inline void contract_check_priors(struct contract *c, const void *state, int player)
{
    int n = c->count[player];
    float *out = contract_alloc(sizeof(float) * ((size_t)n + 1));
    double sum = 0;
    out[n] = 12345;
    c->game->priors(c->game, state, player, c->legal[player], n, out);
    for (int i = 0; i < n; ++i) {
        contract_check(c, out[i] >= 0 && out[i] <= 1.0001f, "a prior is %g", (double)out[i]);
        sum += (double)out[i];
    }
    contract_check(c, fabs(sum - 1) < 1e-3, "priors() sum to %g", sum);
    contract_check(c, out[n] == 12345, "priors() wrote behind its actions");
    free(out);
}

/* --- what a network sees --- */

static inline void contract_check_encode(struct contract *c, const void *state, int viewer)
{
    size_t n = contract_planes(c->game);
    for (size_t i = 0; i < n + CONTRACT_GUARD; ++i)
        c->planes[i] = NAN;
    c->game->encode(c->game, state, viewer, c->planes);
    for (size_t i = 0; i < n; ++i)
        if (!contract_check(c, isfinite(c->planes[i]),
                            "encode() wrote %g to plane value %zu of %zu", (double)c->planes[i], i,
                            n))
            return;
    for (size_t i = n; i < n + CONTRACT_GUARD; ++i)
        if (!contract_check(c, isnan(c->planes[i]), "encode() wrote behind its planes"))
            return;
}

static inline bool contract_feature_allows(const struct banyan_feature *feature, float number)
{
    if (feature->hidden && number == (float)BANYAN_UNKNOWN)
        return true;
    bool whole = feature->kind == BANYAN_FEATURE_REAL || number == (float)(int64_t)number;
    return number >= feature->min && number <= feature->max && whole;
}

/* Checks that the numbers of an observation are those that the table of features promises. */
static inline void contract_check_observation(struct contract *c, const void *state, int viewer)
{
    int size = banyan_observation_size(c->game);
    struct banyan_feature feature;
    for (int i = 0; i < size + CONTRACT_GUARD; ++i)
        c->planes[i] = NAN;
    banyan_observe(c->game, state, viewer, c->planes);
    for (int i = 0, at; (at = banyan_observation_feature(c->game, i, &feature)) >= 0; ++i) {
        int count = feature.shape[0] * feature.shape[1] * feature.shape[2];
        for (int k = 0; k < count; ++k)
            if (!contract_check(c, contract_feature_allows(&feature, c->planes[at + k]),
                                "feature %s shows %g at %d, and not %g..%g of its kind",
                                feature.name, (double)c->planes[at + k], k, (double)feature.min,
                                (double)feature.max))
                return;
    }
    for (int i = size; i < size + CONTRACT_GUARD; ++i)
        if (!contract_check(c, isnan(c->planes[i]), "observe() wrote behind its features"))
            return;
}

static inline void contract_check_policy_index(struct contract *c, const void *state, int player)
{
    unsigned char *taken = calloc(1, (size_t)c->game->policy_size);
    for (int i = 0; taken && i < c->count[player]; ++i) {
        int index = c->game->policy_index(c->game, state, player, c->legal[player][i]);
        if (!contract_check(c, index >= 0 && index < c->game->policy_size,
                            "policy_index() is %d, policy_size %d", index, c->game->policy_size))
            break;
        banyan_action action = 0;
        contract_check(c, !taken[index], "policy_index() is %d for two legal actions", index);
        contract_check(c,
                       banyan_policy_action(c->game, state, player, index, c->mapped, &action) &&
                           action == c->legal[player][i],
                       "policy index %d leads to another action", index);
        taken[index] = 1;
    }
    free(taken);
}

static inline void contract_check_targets(struct contract *c, const void *final)
{
    size_t cells = (size_t)c->game->planes[1] * (size_t)c->game->planes[2];
    for (int viewer = 0; viewer < c->game->players; ++viewer) {
        float score = NAN;
        memset(c->planes, 0, contract_planes(c->game) * sizeof(float));
        c->game->targets(c->game, final, viewer, &score, c->planes);
        contract_check(c, isfinite(score), "targets() gave the score %g", (double)score);
        for (size_t i = 0; i < cells; ++i)
            contract_check(c, isfinite(c->planes[i]), "targets() gave an ownership of %g",
                           (double)c->planes[i]);
    }
}

/* --- images: symmetries, and the mirror that exchanges the players --- */

enum { CONTRACT_MIRROR = -1 }; /* stands for the mirror, beside the numbers of symmetries */

static inline void contract_image(const struct contract *c, const void *state, int k, void *out)
{
    if (k == CONTRACT_MIRROR)
        c->game->mirror(c->game, state, out);
    else
        c->game->symmetry(c->game, state, k, out);
}

static inline banyan_action contract_image_action(const struct contract *c, const void *state,
                                                  int k, banyan_action action)
{
    return k == CONTRACT_MIRROR ? c->game->mirror_action(c->game, state, action)
                                : c->game->symmetry_action(c->game, state, k, action);
}

static inline int contract_image_player(int k, int player)
{
    return k == CONTRACT_MIRROR ? !player : player;
}

static inline const char *contract_image_name(int k)
{
    return k == CONTRACT_MIRROR ? "mirror()" : "symmetry()";
}

/* Makes the image of SLOT_STATE in SLOT_IMAGE, and checks movers and legal actions. */
static inline void contract_check_image(struct contract *c, unsigned movers, int k)
{
    const struct banyan_game *g = c->game;
    const void *state = c->slot[SLOT_STATE];
    void *image = contract_soil(c, SLOT_IMAGE, 0xff);
    contract_image(c, state, k, image);
    unsigned expected = k == CONTRACT_MIRROR ? movers >> 1 | (movers & 1) << 1 : movers;
    if (!contract_check(c, g->movers(g, image) == expected, "%s has other movers",
                        contract_image_name(k)))
        return;
    for (int p = 0; p < g->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        int q = contract_image_player(k, p), n = g->legal(g, image, q, c->actions);
        for (int i = 0; i < c->count[p]; ++i)
            c->mapped[i] = contract_image_action(c, state, k, c->legal[p][i]);
        contract_check(c, contract_same_set(c->mapped, c->count[p], c->actions, n),
                       "%s %d: the legal actions of the image are not the image of the legal ones",
                       contract_image_name(k), k);
    }
    if (k == 0)
        contract_check(c, contract_same(c, image, state), "symmetry 0 is not the identity");
    if (k == CONTRACT_MIRROR) {
        g->mirror(g, image, contract_soil(c, SLOT_COPY, 0xee));
        contract_check(c, contract_same(c, c->slot[SLOT_COPY], state),
                       "mirror() twice is not the same state");
    }
}

static inline void contract_check_image_values(struct contract *c, int k, bool over)
{
    const struct banyan_game *g = c->game;
    const void *state = c->slot[SLOT_STATE], *image = c->slot[SLOT_IMAGE];
    float out[BANYAN_MAX_PLAYERS], out_image[BANYAN_MAX_PLAYERS];
    float slack = 1e-4f * (g->return_max - g->return_min);
    if (over) {
        g->returns(g, state, out);
        g->returns(g, image, out_image);
    }
    for (int p = 0; p < g->players; ++p) {
        int q = contract_image_player(k, p);
        contract_check(c, !over || out[p] == out_image[q], "%s changes returns()",
                       contract_image_name(k));
        contract_check(c,
                       !g->heuristic ||
                           fabsf(g->heuristic(g, state, p) - g->heuristic(g, image, q)) <= slack,
                       "%s %d changes heuristic()", contract_image_name(k), k);
    }
}

/* Checks that playing and then taking the image gives the same state as the reverse; only asked
 * if no dice fell. */
static inline void contract_check_image_apply(struct contract *c, const banyan_action joint[],
                                              int k)
{
    const struct banyan_game *g = c->game;
    const void *state = c->slot[SLOT_STATE];
    banyan_action image_joint[BANYAN_MAX_PLAYERS];
    unsigned movers = g->movers(g, state);
    contract_image(c, state, k, contract_soil(c, SLOT_IMAGE, 0xff));
    void *image_next = contract_copy(c, SLOT_IMAGE_NEXT, c->slot[SLOT_IMAGE]);
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        image_joint[p] = UINT64_MAX;
    for (int p = 0; p < g->players; ++p)
        if (movers >> p & 1)
            image_joint[contract_image_player(k, p)] = contract_image_action(c, state, k, joint[p]);
    struct banyan_rng rng = c->rng;
    struct banyan_dice dice;
    banyan_dice_drawn(&dice, &rng);
    g->apply(g, image_next, image_joint, &dice);
    contract_image(c, c->slot[SLOT_NEXT], k, contract_soil(c, SLOT_COPY, 0xff));
    contract_check(c, contract_same(c, image_next, c->slot[SLOT_COPY]),
                   "%s %d and apply() do not commute", contract_image_name(k), k);
}

/* --- rollouts --- */

static inline int contract_policies(const struct banyan_game *g)
{
    int n = 0;
    while (g->rollout_policies && g->rollout_policies[n])
        ++n;
    return n > 0 ? n : 1;
}

/* Checks every rollout policy: it ends the game, and one ply of it is a legal ply. */
static inline void contract_check_rollout(struct contract *c, const void *state, int policy)
{
    const struct banyan_game *g = c->game;
    struct banyan_rng again = c->rng;
    void *end = contract_copy(c, SLOT_OTHER, state), *copy = contract_copy(c, SLOT_COPY, state);
    g->rollout(g, end, policy, g->max_plies, &c->rng);
    g->rollout(g, copy, policy, g->max_plies, &again);
    contract_check(c, contract_same(c, end, copy),
                   "rollout() twice with the same stream gave different bytes");
    if (contract_check(c, g->movers(g, end) == 0, "rollout() policy %d does not end the game",
                       policy))
        contract_check_returns(c, end);
    copy = contract_copy(c, SLOT_COPY, state);
    g->rollout(g, copy, policy, 0, &c->rng);
    contract_check(c, contract_same(c, copy, state), "rollout() of 0 plies changes the state");
}

/* After one ply of the rollout the state is one that apply() also gives; for games without dice. */
static inline void contract_check_rollout_ply(struct contract *c, const void *state, int policy)
{
    const struct banyan_game *g = c->game;
    unsigned movers = g->movers(g, state);
    if ((g->traits & BANYAN_CHANCE) || (movers & (movers - 1)))
        return;
    int p = contract_first(movers);
    struct banyan_dice dice;
    banyan_dice_drawn(&dice, &c->rng);
    void *rolled = contract_copy(c, SLOT_OTHER, state);
    g->rollout(g, rolled, policy, 1, &c->rng);
    for (int i = 0; i < c->count[p]; ++i) {
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        joint[p] = c->legal[p][i];
        void *copy = contract_copy(c, SLOT_COPY, state);
        g->apply(g, copy, joint, &dice);
        if (contract_same(c, copy, rolled))
            return;
    }
    contract_check(c, false, "one ply of rollout() policy %d is no legal move", policy);
}

struct contract_mean {
    double n, sum[BANYAN_MAX_PLAYERS], squares[BANYAN_MAX_PLAYERS];
};

static inline void contract_count(struct contract *c, struct contract_mean *mean, const void *end)
{
    float out[BANYAN_MAX_PLAYERS];
    c->game->returns(c->game, end, out);
    ++mean->n;
    for (int p = 0; p < c->game->players; ++p) {
        mean->sum[p] += (double)out[p];
        mean->squares[p] += (double)out[p] * (double)out[p];
    }
}

/* The random policy means the same as random play by legal() and apply(), from SLOT_STATE on.  The
 * number of games depends only on their length, so the outcome is always the same. */
static inline void contract_check_random_policy(struct contract *c)
{
    const struct banyan_game *g = c->game;
    struct contract_mean fast = {.n = 0}, plain = {.n = 0};
    const void *state = c->slot[SLOT_STATE];
    int length = contract_play_out(c, contract_copy(c, SLOT_PLAY, state), &c->rng);
    int games = 60000 / (length > 0 ? length : 1);
    games = games < 24 ? 24 : games > 4000 ? 4000 : games;
    for (int i = 0; i < games && length >= 0; ++i) {
        void *play = contract_copy(c, SLOT_PLAY, state);
        length = contract_play_out(c, play, &c->rng);
        contract_count(c, &plain, play);
        play = contract_copy(c, SLOT_PLAY, state);
        g->rollout(g, play, 0, g->max_plies, &c->rng);
        if (g->movers(g, play) == 0)
            contract_count(c, &fast, play);
    }
    for (int p = 0; p < g->players && length >= 0 && fast.n > 0; ++p) {
        double a = plain.sum[p] / plain.n, b = fast.sum[p] / fast.n;
        double spread = (plain.squares[p] / plain.n - a * a) / plain.n +
                        (fast.squares[p] / fast.n - b * b) / fast.n;
        double error = sqrt(fmax(spread, 0)) + 1e-6 * (double)(g->return_max - g->return_min);
        contract_check(c, fabs(a - b) < 4.5 * error,
                       "player %d gets %g by the random rollout and %g by random play, standard "
                       "error %g",
                       p, b, a, error);
    }
}

/* --- pictures --- */

static inline void contract_check_pictures(struct contract *c, const void *state)
{
    const struct banyan_game *g = c->game;
    for (int viewer = -1; viewer < g->players; ++viewer) {
        if (g->draw)
            contract_write(c, contract_write_picture, state, viewer, c->text, "draw()");
        if (g->sheet)
            contract_write(c, contract_write_sheet, state, viewer, c->text, "sheet()");
        if (g->svg) {
            int length = g->svg(g, state, viewer, NULL, 0);
            char *svg = contract_alloc((size_t)(length > 0 ? length : 0) + 1);
            contract_check(c,
                           length > 0 &&
                               g->svg(g, state, viewer, svg, (size_t)length + 1) == length &&
                               strlen(svg) == (size_t)length && strncmp(svg, "<svg", 4) == 0,
                           "svg() is no SVG of the length it says");
            free(svg);
        }
    }
}

#endif
