/* Derives the settings of a search from its options and its game: rule, solver, columns of the tree. */
#include "base/struct_size.h"
#include "search/create.h"
#include "search/workers.h"

static const struct select_rule *settle_rule(enum banyan_search_rule rule)
{
    switch (rule) {
    case BANYAN_RULE_UCB1_TUNED:
        return &select_by_rule;
    case BANYAN_RULE_PUCT:
        return &select_puct;
    case BANYAN_RULE_GUMBEL:
        return &select_gumbel;
    case BANYAN_RULE_REGRET:
        return &select_regret;
    case BANYAN_RULE_GRAVE:
        return &select_grave;
    default:
        return &select_ucb1;
    }
}

/* Whether the solver's assumption fits the model of the opponents: each of two players wants the
 * least for the other. */
static bool settle_opposed(const struct banyan_search *search)
{
    const struct banyan_game *game = search->game;
    return search->options.opponents != BANYAN_OPPONENTS_COALITION || game->players == 1 ||
           search->options.side[0] != search->options.side[1];
}

/* A minimax value of positions has a meaning for one player or two opponents with a constant sum, without
 * dice, hidden cards and simultaneous choices. */
const char *search_not_minimax(const struct banyan_search *search)
{
    const struct banyan_game *game = search->game;
    if (game->traits & BANYAN_CHANCE)
        return "has dice";
    if (game->traits & BANYAN_HIDDEN)
        return "hides cards";
    if (game->traits & BANYAN_SIMULTANEOUS)
        return "has choices at the same time";
    if (game->players > 2)
        return "has more than two players";
    if (game->players == 2 && !(game->traits & BANYAN_ZERO_SUM))
        return "has returns without a constant sum (BANYAN_ZERO_SUM)";
    return settle_opposed(search) ? NULL : "is played by players of one side";
}

bool search_is_minimax(const struct banyan_search *search)
{
    return !search_not_minimax(search);
}

static bool settle_solvable(const struct banyan_search *search)
{
    /* With transpositions a path may come back to itself, and bounds would prove each other.
     * Regret matching needs mixed strategies, where a bound on one action says little. */
    bool rule = search->options.rule != BANYAN_RULE_REGRET && !search->options.transpositions &&
                !search->own_backup.back && search->options.score_weight <= 0;
    return search->options.solver != BANYAN_SOLVER_OFF && rule && search_is_minimax(search);
}

/* Utility of p = offset[p] + sum over q of weight[p][q] * return of q.  It stays within the
 * return range. */
void search_set_weights(struct banyan_search *search)
{
    int players = search->game->players;
    const int *side = search->options.side;
    search->plain_utility = search->options.opponents == BANYAN_OPPONENTS_MAXN;
    bool paranoid = search->options.opponents == BANYAN_OPPONENTS_PARANOID;
    for (int p = 0; p < players; ++p) {
        int friends = 0;
        search->offset[p] = paranoid && p != search->root.viewer ? search->constant_sum : 0;
        for (int q = 0; q < players; ++q)
            friends += side[q] == side[p];
        for (int q = 0; q < players; ++q) {
            if (search->options.opponents == BANYAN_OPPONENTS_MAXN)
                search->weight[p][q] = p == q;
            else if (search->options.opponents == BANYAN_OPPONENTS_COALITION)
                search->weight[p][q] = side[p] == side[q] ? 1.0 / friends : 0;
            else if (p == search->root.viewer)
                search->weight[p][q] = p == q;
            else
                search->weight[p][q] = q == search->root.viewer ? -1 : 0;
        }
    }
}

/* Whether the game names decisive moves, and in this model of opponents a player who can win at
 * once does so. */
static bool settle_decisive(const struct banyan_search *search)
{
    const struct banyan_game *game = search->game;
    bool maxn = search->options.opponents == BANYAN_OPPONENTS_MAXN;
    return search->options.decisive && game->decisive && search->trees == 1 &&
           (maxn || (game->players <= 2 && settle_opposed(search)));
}

/* Whether a rule need not read more than the edges of a node, their bounds and their visits in
 * flight. */
static bool settle_short(const struct banyan_search *search)
{
    const struct banyan_search_options *options = &search->options;
    return !search->masked && options->implicit_minimax <= 0 && options->widen_factor <= 0;
}

/* The shortest form of a user's rule that gives the right choices in this search. */
static const struct select_rule *settle_own_rule(const struct banyan_search *search)
{
    const struct banyan_rule *own = &search->own_rule;
    if (own->scores_untried || own->wants_variances || search->in_flight || !settle_short(search))
        return &select_by_rule;
    if (!search->solver)
        return &select_by_rule_plain;
    return own->wants_priors ? &select_by_rule : &select_by_rule_bounded;
}

/* The shortest form of UCB1 that makes the same choices in this search. */
static const struct select_rule *settle_ucb1(const struct banyan_search *search)
{
    const struct banyan_search_options *options = &search->options;
    if (!settle_short(search) || !options->children_first || options->progressive_bias > 0 ||
        options->progressive_history > 0)
        return &select_ucb1;
    if (search->in_flight)
        return &select_ucb1_in_flight;
    return search->solver ? &select_ucb1_bounded : &select_ucb1_plain;
}

/* The rule that the options name, or the user's. */
static void settle_by_options(struct banyan_search *search)
{
    const struct banyan_search_options *options = &search->options;
    search->rule = settle_rule(options->rule);
    if (options->rule == BANYAN_RULE_UCB1_TUNED)
        search->own_rule = select_tuned_rule(search);
    if (options->own_rule)
        struct_size_copy(&search->own_rule, sizeof search->own_rule, options->own_rule,
                         options->own_rule->struct_size);
    if (options->own_rule)
        search->rule = settle_own_rule(search);
    else if (options->rule == BANYAN_RULE_UCB1)
        search->rule = settle_ucb1(search);
    search->keeps_sqrt_ln = search->rule->keeps_sqrt_ln;
}

/* Copies the user's own functions; their sizes were checked. */
static void settle_copy_own(struct banyan_search *search)
{
    const struct banyan_search_options *options = &search->options;
    if (options->own_backup)
        struct_size_copy(&search->own_backup, sizeof search->own_backup, options->own_backup,
                         options->own_backup->struct_size);
    if (options->own_final)
        struct_size_copy(&search->own_final, sizeof search->own_final, options->own_final,
                         options->own_final->struct_size);
}

/* Derives all settings that follow from the options and the game. */
void search_settle(struct banyan_search *search)
{
    const struct banyan_game *game = search->game;
    struct banyan_search_options *options = &search->options;
    double range = game->return_max - game->return_min;
    settle_copy_own(search);
    search->trees = game->traits & (BANYAN_SIMULTANEOUS | BANYAN_HIDDEN) ? game->players : 1;
    search->shares = workers_fit(search);
    bool alone = search->shares && !search->evaluator->wants_actions &&
                 options->rule !=
                     BANYAN_RULE_GUMBEL; /* its root counts the visits in flight of each action */
    search->in_flight = options->batch > 1 || (options->threads > 1 && !alone);
    search->gumbel = &search->own_gumbel;
    search->masked = game->traits & BANYAN_HIDDEN;
    search->coarse = search->masked && game->coarse_keys && options->keys == BANYAN_KEYS_COARSE;
    search->draws_all = search->masked && !options->sampler.sample &&
                        (options->draw == BANYAN_DRAW_ALL || (options->draw == BANYAN_DRAW_AUTO &&
                                                              options->rule == BANYAN_RULE_REGRET));
    search->keeps_offers =
        search->masked && (options->availability || options->rule == BANYAN_RULE_REGRET);
    search->action_room = game->max_legal;
    search->depth_max = game->max_plies < SEARCH_DEPTH_MAX ? game->max_plies : SEARCH_DEPTH_MAX;
    search->solver = settle_solvable(search);
    search->score =
        (struct banyan_score){.weight = options->score_weight, .scale = options->score_scale};
    search->decisive = settle_decisive(search);
    search->constant_sum = (double)game->return_min + game->return_max;
    search->reward_scale = options->raw_rewards || range <= 0 ? 1 : 1 / range;
    search->reward_width = 1 / search->reward_scale;
    search->reward_low = options->raw_rewards ? 0 : game->return_min;
    settle_by_options(search);
    search->ucb_factor = 2 * options->exploration / search->reward_scale;
    search->expand_visits = options->expand_visits;
    if (search->evaluator->wants_actions)
        search->expand_visits = 1;
    else if (search->expand_visits == 0)
        search->expand_visits = 2;
    if (options->rule == BANYAN_RULE_REGRET && options->expand_visits == 0)
        search->expand_visits = 1;
}

/* Whether the values of all players cannot be computed from the sum of an edge, which holds the
 * mover's utility only. */
static bool settle_needs_vector(const struct banyan_search *search)
{
    int players = search->game->players;
    bool told = (search->game->traits & BANYAN_ZERO_SUM) &&
                search->options.opponents == BANYAN_OPPONENTS_MAXN && !search->own_backup.back;
    return players > 2 || (players == 2 && !told);
}

static bool settle_needs_priors(const struct banyan_search *search)
{
    const struct banyan_search_options *options = &search->options;
    bool known = search_knows_priors(search);
    return search->evaluator->wants_actions || (search->evaluator->game_priors && known) ||
           options->progressive_bias > 0 ||
           (options->rule == BANYAN_RULE_GRAVE && options->grave_prior > 0) ||
           (options->widen_factor > 0 && known) || search->own_rule.wants_priors;
}

/* The columns of the tree, as bits: those of the rule and those that other options need. */
static unsigned settle_columns(const struct banyan_search *search)
{
    const bool wanted[TREE_COLUMNS] = {
        [TREE_SQUARES] = search->own_rule.wants_variances,
        [TREE_VECTOR] = settle_needs_vector(search),
        [TREE_BOUNDS] = search->solver,
        [TREE_IN_FLIGHT] = search->in_flight,
        [TREE_IMPLICIT] = search->options.implicit_minimax > 0,
        [TREE_ROOTS] = search->rule->keeps_roots && search->own_rule.wants_inverse_sqrt,
        [TREE_PRIORS] = settle_needs_priors(search),
        [TREE_LEGAL] = search->masked && search->options.availability,
    };
    unsigned columns = search->rule->columns;
    for (int i = 0; i < TREE_COLUMNS; ++i)
        columns |= (unsigned)wanted[i] << i;
    return columns;
}

struct tree_layout search_layout(const struct banyan_search *search)
{
    const struct banyan_game *game = search->game;
    struct tree_layout layout = {
        .action_bytes = (unsigned)game->action_bytes,
        .players = game->players,
        .keyed = (game->traits & (BANYAN_CHANCE | BANYAN_HIDDEN | BANYAN_SIMULTANEOUS)) != 0,
        .nodes_count = workers_fit(search) && !search->options.transpositions,
        .growing = search->masked,
    };
    tree_lay_out(&layout, settle_columns(search));
    return layout;
}
