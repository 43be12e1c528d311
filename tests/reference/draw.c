/* Drawing comparisons by seed. */
#include "reference/draw.h"

#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool one_in(struct banyan_rng *rng, uint32_t n)
{
    return rng_below(rng, n) == 0;
}

/* --- the evaluator --- */

static void write_priors(const struct banyan_leaf *leaf, uint64_t hash)
{
    for (int p = 0; p < leaf->game->players; ++p) {
        float sum = 0;
        for (int i = 0; (leaf->movers >> p & 1) && i < leaf->count[p]; ++i)
            sum += leaf->priors[p][i] =
                1 + (float)(rng_mix(hash ^ rng_mix(leaf->actions[p][i] + (uint64_t)p)) >> 44);
        for (int i = 0; (leaf->movers >> p & 1) && i < leaf->count[p]; ++i)
            leaf->priors[p][i] /= sum;
    }
}

/* Priors that are known without a value; they differ from the game's. */
static void draw_priors(void *ctx, const void *state, int player, const banyan_action *actions,
                        int n, float *out)
{
    const struct draw_evaluator *own = ctx;
    uint64_t hash = rng_mix(own->game->key(own->game, state, player) ^ own->seed);
    float sum = 0;
    for (int i = 0; i < n; ++i)
        sum += out[i] = 1 + (float)(rng_mix(hash ^ rng_mix(actions[i])) >> 44);
    for (int i = 0; i < n; ++i)
        out[i] /= sum;
}

/* Adds a few moves of a playout that did not take place; actions of one byte are multiples of 7. */
static void note_playout(const struct banyan_leaf *leaf, uint64_t hash)
{
    for (uint64_t n = hash % 8; n > 0 && leaf->playout; --n, hash = rng_mix(hash))
        if (leaf->playout->count < leaf->playout->room)
            leaf->playout->moves[leaf->playout->count++] =
                (uint32_t)((hash >> 8) % (uint64_t)leaf->game->players * 256 +
                           7 * (1 + (hash >> 32) % 12));
}

/* The best return that the mover can get if every action ends the game; false: some action does
 * not. */
static bool last_ply(const struct banyan_leaf *leaf, float *values)
{
    const struct banyan_game *game = leaf->game;
    banyan_action actions[RANDOM_GAME_LEGAL], joint[BANYAN_MAX_PLAYERS];
    int mover = 0;
    while (!(leaf->movers >> mover & 1))
        ++mover;
    int count = game->legal(game, leaf->state, mover, actions);
    for (int i = 0; i < count; ++i) {
        struct random_game_state next;
        float returns[BANYAN_MAX_PLAYERS];
        memcpy(&next, leaf->state, sizeof next);
        joint[mover] = actions[i];
        game->apply(game, &next, joint, NULL);
        if (game->movers(game, &next))
            return false;
        game->returns(game, &next, returns);
        if (i == 0 || returns[mover] > values[mover])
            memcpy(values, returns, sizeof returns);
    }
    return true;
}

static enum banyan_status draw_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                        struct banyan_error *err)
{
    const struct draw_evaluator *own = ctx;
    (void)err;
    for (int i = 0; i < n; ++i) {
        struct banyan_leaf *leaf = &leaves[i];
        const struct random_game_state *state = leaf->state;
        uint64_t hash = random_game_hash(state, own->seed);
        note_playout(leaf, rng_mix(hash ^ 1));
        if (own->noisy)
            hash ^= banyan_rng_next(leaf->rng);
        random_game_values(&state->rules, hash, leaf->values);
        if (own->exact && last_ply(leaf, leaf->values))
            leaf->exact = true;
        if (own->evaluator.wants_actions && !(own->undecided && hash >> 9 & 1))
            write_priors(leaf, rng_mix(hash));
    }
    return BANYAN_OK;
}

/* Draws the other players' cards with another distribution than that of the game. */
static void draw_sample(void *ctx, const void *root, int viewer, void *out, struct banyan_rng *rng)
{
    struct random_game_state *state = out;
    (void)ctx;
    memcpy(state, root, sizeof *state);
    for (int p = 0; p < state->rules.players; ++p)
        if (p != viewer && one_in(rng, 2))
            state->card[p] = (uint8_t)rng_below(rng, state->rules.cards);
}

/* --- the game --- */

static void draw_rules(struct banyan_rng *rng, struct random_game_rules *rules,
                       struct random_game_functions *functions)
{
    static const uint8_t bytes[] = {1, 2, 4, 8}, branching[] = {2, 3, 4, 6, 10, 24};
    bool solvable = one_in(rng, 3); /* then the game has neither chance nor hidden cards;
                                       otherwise each trait has probability 1/2 */
    unsigned traits = 0;
    rules->seed = rng_next(rng);
    rules->players = (uint8_t)(solvable ? 1 + rng_below(rng, 2) : 1 + rng_below(rng, 4));
    for (unsigned t = BANYAN_CHANCE; t <= BANYAN_HIDDEN && !solvable; t *= 2)
        traits |= one_in(rng, 2) && (rules->players > 1 || t == BANYAN_CHANCE) ? t : 0;
    if (rules->players > 1 && (solvable || one_in(rng, 2)))
        traits |= BANYAN_ZERO_SUM;
    rules->traits = (uint8_t)traits;
    rules->plies = (uint8_t)(2 + rng_below(rng, 6));
    rules->branching = branching[rng_below(rng, sizeof branching)];
    rules->cards = (uint8_t)(2 + rng_below(rng, 3));
    rules->returns = (uint8_t)rng_below(rng, RANDOM_RETURNS_COUNT);
    rules->end_percent = (uint8_t)(one_in(rng, 2) ? 0 : rng_below(rng, 40));
    rules->width = one_in(rng, 3) ? 1 + rng_below(rng, 6) : 0;
    rules->hidden_luck = one_in(rng, 2);
    rules->turns_by_hash = one_in(rng, 2);
    rules->narrowing = one_in(rng, 2);
    rules->action_bytes = bytes[rng_below(rng, 4)];
    functions->priors = one_in(rng, 2);
    functions->bounds = one_in(rng, 2);
    functions->coarse_keys = one_in(rng, 2);
    /* as many numbers as fit into an action's bytes */
    rules->own_actions =
        rules->branching * rules->cards <= RANDOM_GAME_LEGAL && rng_mix(rules->seed) & 1;
}

/* --- the options --- */

static void draw_rule(struct banyan_rng *rng, struct banyan_search_options *options)
{
    static const double explorations[] = {0, 0.3, 0.70710678118654752, 2};
    options->rule = (enum banyan_search_rule)rng_below(rng, 5);
    options->exploration = explorations[rng_below(rng, 4)];
    options->raw_rewards = one_in(rng, 4);
    options->cpuct = 0.2 + rng_unit(rng) * 3;
    options->fpu = rng_unit(rng) - 0.3;
    options->puct_log_base = one_in(rng, 3) ? 1 + rng_unit(rng) * 100 : 0;
    options->order = (enum banyan_search_order)rng_below(rng, 2);
    options->children_first = !one_in(rng, 3);
    options->widen_factor = one_in(rng, 4) ? 0.5 + rng_unit(rng) * 2 : 0;
    options->widen_power = rng_unit(rng);
    options->progressive_bias = one_in(rng, 4) ? rng_unit(rng) * 4 : 0;
    options->gumbel_actions = 1 + (int)rng_below(rng, 8);
    options->gumbel_visit = rng_unit(rng) * 50;
    options->gumbel_scale = rng_unit(rng) * 0.2;
    options->regret_explore = rng_unit(rng) * 0.6;
    options->noise_weight = one_in(rng, 4) ? rng_unit(rng) : 0;
    options->noise_alpha = one_in(rng, 2) ? 0.05 + rng_unit(rng) : 1 + rng_unit(rng) * 5;
    options->forced_playouts = one_in(rng, 3);
}

static void draw_options(struct banyan_rng *rng, const struct random_game_rules *rules,
                         struct banyan_search_options *options)
{
    banyan_search_options_default(options);
    draw_rule(rng, options);
    options->opponents =
        one_in(rng, 2) ? BANYAN_OPPONENTS_MAXN : (enum banyan_search_opponents)rng_below(rng, 3);
    for (int p = 0; p < RANDOM_GAME_PLAYERS; ++p)
        options->side[p] = (int)rng_below(rng, 2);
    options->solver = one_in(rng, 3) ? BANYAN_SOLVER_OFF : BANYAN_SOLVER_AUTO;
    options->transpositions = one_in(rng, 4);
    options->worlds = one_in(rng, 3) ? 1 + (int)rng_below(rng, 5) : 0;
    options->expand_visits = (int)rng_below(rng, 5);
    options->prebuild_depth = one_in(rng, 5) ? 1 + (int)rng_below(rng, 3) : 0;
    options->final = (enum banyan_search_final)rng_below(rng, 6);
    options->final_w1 = rng_unit(rng);
    options->final_w2 = rng_unit(rng);
    options->final_agree = one_in(rng, 2);
    options->temperature = one_in(rng, 4) ? 0 : 0.2 + rng_unit(rng) * 2;
    options->secure_z = rng_unit(rng) * 2;
    options->batch = one_in(rng, 3) ? 2 + (int)rng_below(rng, 7) : 1;
    options->reuse = !one_in(rng, 4);
    options->memory_bytes = (uint64_t)2 << 20;
    options->seed = rng_next(rng);
    if ((rules->traits & BANYAN_HIDDEN) && one_in(rng, 3))
        options->sampler.sample = draw_sample;
}

/* Whether moves are counted wherever they are played, in tables that have room for actions of one byte. */
static bool draws_history(uint64_t seed, const struct random_game_rules *rules)
{
    return banyan_rng_child(seed, "history", 0) % 5 == 0 &&
           !(rules->traits & (BANYAN_SIMULTANEOUS | BANYAN_HIDDEN));
}

static void draw_history(uint64_t seed, struct banyan_search_options *options)
{
    static const double weights[] = {0.1, 1, 5, 1000};
    options->rule = BANYAN_RULE_UCB1;
    options->progressive_history = weights[banyan_rng_child(seed, "history's weight", 0) % 4];
    options->memory_bytes = (uint64_t)64 << 20;
}

/* Whether the rule is GRAVE, whose table of moves has room for actions of one byte. */
static bool draws_grave(uint64_t seed, const struct random_game_rules *rules)
{
    return banyan_rng_child(seed, "grave", 0) % 5 == 0 &&
           !(rules->traits & (BANYAN_SIMULTANEOUS | BANYAN_HIDDEN));
}

static void draw_grave(uint64_t seed, struct banyan_search_options *options)
{
    static const int visits[] = {0, 3, 8, 20};
    static const double biases[] = {0, 1e-4, 0.1, 1}, explorations[] = {0, 0, 0.2, 1};
    static const double priors[] = {0, 0.5, 3, 40};
    uint64_t hash = banyan_rng_child(seed, "grave's numbers", 0);
    options->rule = BANYAN_RULE_GRAVE;
    options->grave_visits = visits[hash % 4];
    options->grave_bias = biases[hash >> 2 & 3];
    options->grave_exploration = explorations[hash >> 4 & 3];
    options->grave_prior = priors[hash >> 6 & 3];
    options->memory_bytes = (uint64_t)64 << 20; /* for tables of all positions */
}

static void draw_heat(uint64_t seed, struct banyan_search_options *options)
{
    static const double temperatures[] = {1, 1, 0.5, 0.03, 1.4, 30, 1, 1};
    uint64_t hash = banyan_rng_child(seed, "heat", 0);
    options->prior_temperature = temperatures[hash % 8];
    options->root_prior_temperature = temperatures[hash >> 3 & 7];
}

/* Whether points count beside the returns: banyan_search_create refuses other games. */
static bool takes_score(const struct drawing *d)
{
    return d->rules.players == 2 && d->functions.points &&
           banyan_rng_child(d->seed, "score", 0) % 3 == 0;
}

static void draw_score(uint64_t seed, struct banyan_search_options *options)
{
    static const double weights[] = {0.1, 0.3, 0.5, 1}, scales[] = {0.5, 5, 20, 1000};
    uint64_t hash = banyan_rng_child(seed, "score's numbers", 0);
    options->score_weight = weights[hash % 4];
    options->score_scale = scales[hash >> 2 & 3];
}

static double draw_own_score(const struct banyan_rule_node *node, int i, double mean, double factor)
{
    double root = node->sqrt_ln_visits;
    if (node->chances)
        root = node->chances[i] > 1 ? sqrt(banyan_ln(node->chances[i])) : 0;
    return mean + factor * root * node->inverse_sqrt[i];
}

/* UCB1 behind the interface for rules of your own. */
static void draw_own_scores(void *ctx, const struct banyan_rule_node *node, double *out)
{
    double factor = 2 * *(const double *)ctx * node->reward_width;
    for (int i = 0; i < node->count; ++i)
        out[i] = draw_own_score(node, i, node->edges[i].mean, factor);
    if (node->has_untried)
        out[node->count] = draw_own_score(node, node->count, node->mean, factor);
}

/* Whether a rule of your own can do what these options say. */
static bool takes_own_rule(const struct drawing *d)
{
    const struct banyan_search_options *options = &d->options;
    return options->rule == BANYAN_RULE_UCB1 && options->progressive_bias <= 0 &&
           options->progressive_history <= 0;
}

/* Draws root pruning, which the search refuses where another number than visits decides. */
static void draw_pruning(struct drawing *out)
{
    static const double factors[] = {1, 1, 1.33, 3, 0.5};
    struct banyan_search_options *options = &out->options;
    uint64_t hash = banyan_rng_child(out->seed, "pruning", 0);
    bool plans = options->rule == BANYAN_RULE_GUMBEL || options->rule == BANYAN_RULE_REGRET;
    if (plans || options->ensemble > 1 || hash % 4)
        return;
    options->final = BANYAN_FINAL_ROBUST;
    options->root_pruning = factors[(hash >> 8) % 5];
}

static void draw_own_rule(struct drawing *out)
{
    out->own_rule = (struct banyan_rule){.struct_size = sizeof(struct banyan_rule),
                                         .name = "own",
                                         .ctx = &out->options.exploration,
                                         .scores = draw_own_scores,
                                         .wants_inverse_sqrt = true,
                                         .scores_untried = !out->options.children_first,
                                         .reentrant = true};
    out->options.own_rule = &out->own_rule;
}

/* Whether a book can be used: banyan_search_add_line. */
static bool takes_book(const struct drawing *d)
{
    unsigned traits = d->rules.traits;
    bool certain = !(traits & (BANYAN_CHANCE | BANYAN_SIMULTANEOUS | BANYAN_HIDDEN));
    bool constant = d->rules.players == 1 || (d->rules.players == 2 && traits & BANYAN_ZERO_SUM);
    return certain && constant && d->options.rule != BANYAN_RULE_GUMBEL &&
           d->options.rule != BANYAN_RULE_REGRET && d->options.opponents == BANYAN_OPPONENTS_MAXN;
}

/* Whether minimax values have a meaning: banyan_search_create refuses the others. */
static bool takes_implicit(const struct drawing *d)
{
    unsigned traits = d->rules.traits;
    bool certain = !(traits & (BANYAN_CHANCE | BANYAN_SIMULTANEOUS | BANYAN_HIDDEN));
    bool friends = d->options.opponents == BANYAN_OPPONENTS_COALITION &&
                   d->options.side[0] == d->options.side[1];
    bool opposed = d->rules.players == 2 && traits & BANYAN_ZERO_SUM && !friends;
    return certain && (d->rules.players == 1 || opposed) &&
           banyan_rng_child(d->seed, "implicit", 0) % 4 == 0;
}

/* Draws how the simulations are run. */
static void draw_course(struct banyan_rng *rng, struct drawing *out)
{
    out->by_run = one_in(rng, 3);
    out->early = out->by_run && one_in(rng, 2);
    if (out->early) /* with both options, agree=on decides last */
        out->options.final_agree = false;
    if (out->by_run && !out->early && one_in(rng, 2))
        out->options.ensemble = 2 + (int)rng_below(rng, 2);
    out->lines = takes_book(out) && one_in(rng, 2) ? 1 + (int)rng_below(rng, 8) : 0;
    out->leaves_out = !out->by_run && out->options.batch > 1 && out->options.reuse &&
                      out->moves > 0 && banyan_rng_child(out->seed, "leaves out", 0) & 1;
    out->fills = !out->by_run && one_in(rng, 20) && out->options.rule != BANYAN_RULE_GRAVE &&
                 out->options.progressive_history <= 0;
    if (!out->fills)
        return;
    out->options.memory_bytes = 1 << 17;
    out->options.batch = 1;
    out->leaves_out = false;
    out->simulations = 300 + (int)rng_below(rng, 400);
}

/* How many simulations there are at later roots, and what may end a run before. */
static void draw_end(struct drawing *out)
{
    uint64_t few = banyan_rng_child(out->seed, "few at later roots", 0);
    uint64_t end = banyan_rng_child(out->seed, "end", 0);
    bool alone = out->by_run && !out->early && out->options.ensemble == 1;
    out->later = few & 1 && !out->fills ? 1 + (int)(few >> 8 & 7) : out->simulations;
    if (alone && end % 3 != 0)
        out->ends_at = 1 + (int64_t)((end >> 8) % (uint64_t)out->simulations);
    out->fails = end >> 4 & 1;
    out->has_time = out->by_run && out->options.rule != BANYAN_RULE_GUMBEL && end >> 5 & 1;
}

void draw(uint64_t seed, struct drawing *out)
{
    struct banyan_rng rng;
    memset(out, 0, sizeof *out);
    out->seed = seed;
    banyan_rng_seed(&rng, banyan_rng_child(seed, "drawing", 0));
    draw_rules(&rng, &out->rules, &out->functions);
    out->functions.decisive = banyan_rng_child(seed, "knows decisive", 0) % 4 != 0;
    out->functions.points = banyan_rng_child(seed, "has points", 0) % 4 != 0;
    bool grave = draws_grave(seed, &out->rules);
    bool history = draws_history(seed, &out->rules) && !grave;
    if (grave || history)
        out->rules.action_bytes = 1;
    random_game_make(&out->rules, &out->functions, &out->game, &out->start);
    draw_options(&rng, &out->rules, &out->options);
    if (grave)
        draw_grave(seed, &out->options);
    if (history)
        draw_history(seed, &out->options);
    if (takes_implicit(out))
        out->options.implicit_minimax =
            0.25 * (double)(1 + banyan_rng_child(seed, "implicit's weight", 0) % 4);
    draw_heat(seed, &out->options);
    if (takes_score(out))
        draw_score(seed, &out->options);
    out->options.draw = (enum banyan_search_draw)(banyan_rng_child(seed, "draw", 0) % 3);
    if (out->options.draw == BANYAN_DRAW_ALL && out->options.rule == BANYAN_RULE_GUMBEL)
        out->options.draw = BANYAN_DRAW_HIDDEN; /* the search refuses this combination */
    out->options.decisive = banyan_rng_child(seed, "decisive", 0) & 1;
    out->evaluator.undecided = banyan_rng_child(seed, "undecided", 0) % 3 == 0;
    out->options.availability = banyan_rng_child(seed, "availability", 0) & 1;
    out->options.rare_share = banyan_rng_child(seed, "rare", 0) & 1;
    out->options.world_baseline = banyan_rng_child(seed, "baseline", 0) & 1;
    if (banyan_rng_child(seed, "keys", 0) % 4 == 0)
        out->options.keys = BANYAN_KEYS_FULL;
    bool certain = !(out->rules.traits & (BANYAN_CHANCE | BANYAN_SIMULTANEOUS | BANYAN_HIDDEN));
    out->evaluator.game = &out->game;
    out->evaluator.seed = rng_next(&rng);
    out->evaluator.noisy = one_in(&rng, 3);
    out->evaluator.exact = certain && one_in(&rng, 4);
    out->evaluator.evaluator =
        (struct banyan_evaluator){.struct_size = sizeof(struct banyan_evaluator),
                                  .name = "drawn",
                                  .wants_actions = one_in(&rng, 3),
                                  .game_priors = one_in(&rng, 3),
                                  .reentrant = true,
                                  .ctx = &out->evaluator,
                                  .evaluate = draw_evaluate};
    if (banyan_rng_child(seed, "evaluator's own priors", 0) % 3 == 0)
        out->evaluator.evaluator.priors = draw_priors;
    out->viewer = one_in(&rng, 3) ? (int)rng_below(&rng, out->rules.players) : -1;
    out->simulations = 5 + (int)rng_below(&rng, one_in(&rng, 4) ? 150 : 40);
    if (banyan_rng_child(seed, "few simulations", 0) % 8 == 0) /* halving ends in its first round */
        out->simulations = 1 + out->simulations % 8;
    out->moves = one_in(&rng, 3) ? 1 + (int)rng_below(&rng, 3) : 0;
    out->planned = one_in(&rng, 2);
    out->explores = !one_in(&rng, 4);
    draw_course(&rng, out);
    draw_end(out);
    out->limited = out->lines == 0 && !out->options.transpositions &&
                   banyan_rng_child(seed, "limited root", 0) % 4 == 0;
    draw_pruning(out);
    if (takes_own_rule(out) && banyan_rng_child(seed, "own rule", 0) & 1)
        draw_own_rule(out);
}

/* --- the table --- */

static const char *const option_names[DRAW_OPTIONS] = {"ucb1",
                                                       "ucb1 children-first=off",
                                                       "own rule",
                                                       "ucb1-tuned",
                                                       "puct",
                                                       "gumbel",
                                                       "regret",
                                                       "grave",
                                                       "raw-rewards",
                                                       "puct-log-base",
                                                       "forced-playouts",
                                                       "root-pruning",
                                                       "noise",
                                                       "prior-temperature",
                                                       "widening",
                                                       "progressive-bias",
                                                       "progressive-history",
                                                       "implicit-minimax",
                                                       "score-weight",
                                                       "order=first",
                                                       "paranoid",
                                                       "coalition",
                                                       "solver",
                                                       "solver=off",
                                                       "transpositions",
                                                       "worlds",
                                                       "world-baseline",
                                                       "draw=all",
                                                       "availability",
                                                       "rare-share",
                                                       "keys=full",
                                                       "own sampler",
                                                       "expand-visits=1",
                                                       "expand-visits>2",
                                                       "prebuild-depth",
                                                       "batch",
                                                       "reuse",
                                                       "evaluator's priors",
                                                       "game's priors",
                                                       "own priors",
                                                       "noisy evaluator",
                                                       "exact evaluator",
                                                       "final=max",
                                                       "final=max-robust",
                                                       "final=secure",
                                                       "final=sample",
                                                       "final=average",
                                                       "agree",
                                                       "run",
                                                       "early",
                                                       "ensemble",
                                                       "full tree",
                                                       "decisive",
                                                       "no opinion",
                                                       "leaves out",
                                                       "a run that ends",
                                                       "time limit",
                                                       "book",
                                                       "limited root"};
static const char *const trait_names[DRAW_TRAITS] = {
    "turns", "dice",     "simult", "hidden", "coarse", "1 pl",  "2 pl",   "3 pl",
    "4 pl",  "win/loss", "shares", "scores", "points", "const", "bounds", "meeting"};

/* Whether the solver can prove something: bounds on the return of one player, or of two
 * opponents. */
static bool is_solvable(const struct drawing *d)
{
    const struct banyan_search_options *o = &d->options;
    unsigned luck = BANYAN_CHANCE | BANYAN_SIMULTANEOUS | BANYAN_HIDDEN;
    bool friends = o->opponents == BANYAN_OPPONENTS_COALITION && o->side[0] == o->side[1];
    bool two = d->rules.players == 2 && d->rules.traits & BANYAN_ZERO_SUM && !friends;
    return !(d->rules.traits & luck) && (two || d->rules.players == 1) && !o->transpositions &&
           o->rule != BANYAN_RULE_REGRET && o->score_weight <= 0;
}

static void mark_options(const struct drawing *d, bool *is)
{
    const struct banyan_search_options *o = &d->options;
    bool ucb1 = o->rule == BANYAN_RULE_UCB1, puct = o->rule == BANYAN_RULE_PUCT;
    bool gumbel = o->rule == BANYAN_RULE_GUMBEL, regret = o->rule == BANYAN_RULE_REGRET;
    bool hidden = d->rules.traits & BANYAN_HIDDEN, others = d->rules.players > 1;
    const struct banyan_evaluator *evaluator = &d->evaluator.evaluator;
    bool priors = puct || gumbel || evaluator->wants_actions;
    bool open_turns = !(d->rules.traits & (BANYAN_SIMULTANEOUS | BANYAN_HIDDEN));
    bool solvable = is_solvable(d);
    is[DRAW_UCB1] = ucb1;
    is[DRAW_UCB1_PARENT] = ucb1 && !o->children_first;
    is[DRAW_OWN_RULE] = o->own_rule != NULL;
    is[DRAW_TUNED] = o->rule == BANYAN_RULE_UCB1_TUNED;
    is[DRAW_PUCT] = puct;
    is[DRAW_GUMBEL] = gumbel;
    is[DRAW_REGRET] = regret;
    is[DRAW_GRAVE] = o->rule == BANYAN_RULE_GRAVE;
    is[DRAW_RAW_REWARDS] = o->raw_rewards && !regret;
    is[DRAW_LOG_BASE] = puct && o->puct_log_base > 0;
    is[DRAW_FORCED] = puct && o->forced_playouts && d->explores;
    is[DRAW_PRUNING] = o->root_pruning > 0 && (d->planned || d->by_run);
    is[DRAW_NOISE] = o->noise_weight > 0 && d->explores && priors;
    is[DRAW_HEAT] = priors && (o->prior_temperature != 1 || o->root_prior_temperature != 1);
    is[DRAW_WIDENING] = o->widen_factor > 0 && !gumbel && !regret;
    is[DRAW_BIAS] = ucb1 && o->progressive_bias > 0;
    is[DRAW_HISTORY] = ucb1 && o->progressive_history > 0;
    is[DRAW_IMPLICIT] = o->implicit_minimax > 0 && !regret;
    is[DRAW_SCORE] = o->score_weight > 0;
    is[DRAW_ORDER_FIRST] = o->order == BANYAN_ORDER_FIRST;
    is[DRAW_PARANOID] = o->opponents == BANYAN_OPPONENTS_PARANOID && others;
    is[DRAW_COALITION] = o->opponents == BANYAN_OPPONENTS_COALITION && others;
    is[DRAW_SOLVER] = solvable && o->solver != BANYAN_SOLVER_OFF;
    is[DRAW_NO_SOLVER] = solvable && o->solver == BANYAN_SOLVER_OFF;
    is[DRAW_TRANSPOSITIONS] = o->transpositions;
    is[DRAW_WORLDS] = o->worlds > 0 && hidden;
    is[DRAW_BASELINE] = is[DRAW_WORLDS] && o->world_baseline;
    is[DRAW_ALL] = o->draw == BANYAN_DRAW_ALL && hidden && !o->sampler.sample;
    is[DRAW_AVAILABILITY] = o->availability && hidden && !regret;
    is[DRAW_RARE] = is[DRAW_AVAILABILITY] && o->rare_share && o->rule == BANYAN_RULE_PUCT;
    is[DRAW_FULL_KEYS] = o->keys == BANYAN_KEYS_FULL && d->functions.coarse_keys && hidden;
    is[DRAW_SAMPLER] = o->sampler.sample != NULL;
    is[DRAW_EXPAND_1] = o->expand_visits == 1;
    is[DRAW_EXPAND_3] = o->expand_visits > 2;
    is[DRAW_PREBUILD] = o->prebuild_depth > 0;
    is[DRAW_BATCH] = o->batch > 1;
    is[DRAW_REUSE] = o->reuse && d->moves > 0;
    is[DRAW_PRIORS] = evaluator->wants_actions;
    is[DRAW_GAME_PRIORS] = evaluator->game_priors && d->functions.priors && !evaluator->priors;
    is[DRAW_OWN_PRIORS] = evaluator->priors && (priors || evaluator->game_priors);
    is[DRAW_NOISY] = d->evaluator.noisy;
    is[DRAW_EXACT] = d->evaluator.exact;
    is[DRAW_FINAL_MAX] = o->final == BANYAN_FINAL_MAX;
    is[DRAW_FINAL_MAX_ROBUST] = o->final == BANYAN_FINAL_MAX_ROBUST;
    is[DRAW_FINAL_SECURE] = o->final == BANYAN_FINAL_SECURE;
    is[DRAW_FINAL_SAMPLE] = o->final == BANYAN_FINAL_SAMPLE;
    is[DRAW_FINAL_AVERAGE] = o->final == BANYAN_FINAL_AVERAGE && regret;
    is[DRAW_AGREE] = d->by_run && o->final == BANYAN_FINAL_MAX_ROBUST && o->final_agree;
    is[DRAW_RUN] = d->by_run;
    is[DRAW_EARLY] = d->early;
    is[DRAW_ENSEMBLE] = o->ensemble > 1;
    is[DRAW_FULL] = d->fills;
    is[DRAW_BOOK] = d->lines > 0;
    is[DRAW_LIMITED] = d->limited;
    is[DRAW_DECISIVE] = o->decisive && d->functions.decisive && open_turns;
    is[DRAW_UNDECIDED] = evaluator->wants_actions && d->evaluator.undecided;
    is[DRAW_LEAVES_OUT] = d->leaves_out;
    is[DRAW_ENDS] = d->ends_at > 0;
    is[DRAW_HAS_TIME] = d->has_time;
}

static void mark_traits(const struct drawing *d, bool *is)
{
    const struct random_game_rules *r = &d->rules;
    is[DRAW_DICE] = r->traits & BANYAN_CHANCE;
    is[DRAW_SIMULTANEOUS] = r->traits & BANYAN_SIMULTANEOUS;
    is[DRAW_HIDDEN] = r->traits & BANYAN_HIDDEN;
    is[DRAW_TURNS] = !is[DRAW_DICE] && !is[DRAW_SIMULTANEOUS] && !is[DRAW_HIDDEN];
    is[DRAW_COARSE_KEYS] = d->game.coarse_keys && d->options.keys == BANYAN_KEYS_COARSE;
    is[DRAW_1_PLAYER] = r->players == 1;
    is[DRAW_2_PLAYERS] = r->players == 2;
    is[DRAW_3_PLAYERS] = r->players == 3;
    is[DRAW_4_PLAYERS] = r->players == 4;
    is[DRAW_WIN_LOSS] = r->returns == RANDOM_WIN_LOSS;
    is[DRAW_SHARES] = r->returns == RANDOM_SHARE;
    is[DRAW_SCORES] = r->returns == RANDOM_SCORE;
    is[DRAW_POINTS] = r->returns == RANDOM_POINTS;
    is[DRAW_CONSTANT_SUM] = r->traits & BANYAN_ZERO_SUM;
    is[DRAW_BOUNDS] = d->functions.bounds && r->narrowing;
    is[DRAW_MEETING] = r->width > 0;
}

void draw_count(const struct drawing *drawing, draw_table table)
{
    bool options[DRAW_OPTIONS], traits[DRAW_TRAITS];
    mark_options(drawing, options);
    mark_traits(drawing, traits);
    for (int o = 0; o < DRAW_OPTIONS; ++o)
        for (int t = 0; t < DRAW_TRAITS; ++t)
            table[o][t] += options[o] && traits[t];
}

/* --- which pairs make sense --- */

/* A set of options and a set of traits that exclude each other. */
#define OPTION(o) ((uint64_t)1 << DRAW_##o)
#define TRAIT(t)  (1u << DRAW_##t)

static const struct {
    uint64_t options;
    unsigned traits;
    const char *reason;
} senseless[] = {
    {OPTION(WORLDS) | OPTION(BASELINE) | OPTION(ALL) | OPTION(AVAILABILITY) | OPTION(RARE) |
         OPTION(FULL_KEYS) | OPTION(SAMPLER),
     TRAIT(TURNS) | TRAIT(1_PLAYER), "they are about hidden cards"},
    {OPTION(PARANOID) | OPTION(COALITION), TRAIT(1_PLAYER), "one player has no opponents"},
    {OPTION(SOLVER) | OPTION(NO_SOLVER) | OPTION(EXACT) | OPTION(BOOK) | OPTION(IMPLICIT),
     TRAIT(DICE) | TRAIT(SIMULTANEOUS) | TRAIT(HIDDEN) | TRAIT(COARSE_KEYS),
     "they are for games without luck and secrets"},
    {OPTION(SOLVER) | OPTION(NO_SOLVER) | OPTION(BOOK) | OPTION(IMPLICIT),
     TRAIT(3_PLAYERS) | TRAIT(4_PLAYERS), "the returns of all must follow from one of them"},
    {OPTION(SCORE), TRAIT(1_PLAYER) | TRAIT(3_PLAYERS) | TRAIT(4_PLAYERS),
     "a lead in points is one player's over another"},
    {OPTION(FULL_KEYS), TRAIT(COARSE_KEYS), "they are opposites"},
    {OPTION(GRAVE) | OPTION(HISTORY), TRAIT(SIMULTANEOUS) | TRAIT(HIDDEN) | TRAIT(COARSE_KEYS),
     "it is for games of alternate moves and open cards"},
    {OPTION(DECISIVE), TRAIT(SIMULTANEOUS) | TRAIT(HIDDEN) | TRAIT(COARSE_KEYS),
     "a move wins at once only where moves alternate and cards are open"},
};

static bool makes_sense(int option, int trait)
{
    for (size_t i = 0; i < sizeof senseless / sizeof *senseless; ++i)
        if (senseless[i].options >> option & 1 && senseless[i].traits >> trait & 1)
            return false;
    return true;
}

static void print_senseless(void)
{
    for (size_t i = 0; i < sizeof senseless / sizeof *senseless; ++i) {
        const char *comma = "";
        printf("-: ");
        for (int o = 0; o < DRAW_OPTIONS; ++o)
            if (senseless[i].options >> o & 1) {
                printf("%s%s", comma, option_names[o]);
                comma = ", ";
            }
        printf(" with");
        for (int t = 0; t < DRAW_TRAITS; ++t)
            if (senseless[i].traits >> t & 1)
                printf(" %s", trait_names[t]);
        printf(": %s\n", senseless[i].reason);
    }
}

void draw_print(draw_table table)
{
    printf("%-24s", "");
    for (int t = 0; t < DRAW_TRAITS; ++t)
        printf("%9s", trait_names[t]);
    for (int o = 0; o < DRAW_OPTIONS; ++o) {
        printf("\n%-24s", option_names[o]);
        for (int t = 0; t < DRAW_TRAITS; ++t)
            if (makes_sense(o, t))
                printf("%9llu", (unsigned long long)table[o][t]);
            else
                printf("%9s", "-");
    }
    printf("\n");
    print_senseless();
}

void draw_print_rare(draw_table table, uint64_t least)
{
    for (int o = 0; o < DRAW_OPTIONS; ++o)
        for (int t = 0; t < DRAW_TRAITS; ++t)
            if (makes_sense(o, t) && table[o][t] < least)
                printf("rare: %s with %s, %llu times of at least %llu\n", option_names[o],
                       trait_names[t], (unsigned long long)table[o][t], (unsigned long long)least);
}

uint64_t draw_least(draw_table table)
{
    uint64_t least = UINT64_MAX;
    for (int o = 0; o < DRAW_OPTIONS; ++o)
        for (int t = 0; t < DRAW_TRAITS; ++t)
            if (makes_sense(o, t) && table[o][t] < least)
                least = table[o][t];
    return least;
}

void draw_describe(const struct drawing *drawing, char *out, size_t size)
{
    bool options[DRAW_OPTIONS] = {0}, traits[DRAW_TRAITS] = {0};
    mark_options(drawing, options);
    mark_traits(drawing, traits);
    size_t at = (size_t)snprintf(out, size, "seed %llu:", (unsigned long long)drawing->seed);
    for (int t = 0; t < DRAW_TRAITS; ++t)
        if (traits[t] && at < size)
            at += (size_t)snprintf(out + at, size - at, " %s;", trait_names[t]);
    for (int o = 0; o < DRAW_OPTIONS; ++o)
        if (options[o] && at < size)
            at += (size_t)snprintf(out + at, size - at, " %s;", option_names[o]);
}
