/* Makes a search: derives its settings from the options and the game, and reserves its memory. */
#include "base/struct_size.h"
#include "search/amaf.h"
#include "search/workers.h"

#include <stdlib.h>

static const struct select_rule *create_rule(enum banyan_search_rule rule)
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
static bool create_opposed(const struct banyan_search *search)
{
    const struct banyan_game *game = search->game;
    return search->options.opponents != BANYAN_OPPONENTS_COALITION || game->players == 1 ||
           search->options.side[0] != search->options.side[1];
}

/* Whether a minimax value of positions has a meaning: for one player, or two with a constant sum,
 * without luck. */
static bool create_minimax(const struct banyan_search *search)
{
    const struct banyan_game *game = search->game;
    bool luck = game->traits & (BANYAN_CHANCE | BANYAN_HIDDEN | BANYAN_SIMULTANEOUS);
    bool sum = game->players == 1 || (game->players == 2 && (game->traits & BANYAN_ZERO_SUM));
    return !luck && sum && create_opposed(search);
}

static bool create_solvable(const struct banyan_search *search)
{
    /* With transpositions a path may come back to itself, and bounds would prove each other.
     * Regret matching needs mixed strategies, where a bound on one action says little. */
    bool rule = search->options.rule != BANYAN_RULE_REGRET && !search->options.transpositions &&
                !search->own_backup.back;
    return search->options.solver != BANYAN_SOLVER_OFF && rule && create_minimax(search);
}

/* Utility of p = offset[p] + sum over q of weight[p][q] * return of q.  It stays within the
 * return range. */
void search_set_weights(struct banyan_search *search)
{
    int players = search->game->players;
    const int *side = search->options.side;
    search->plain_utility = search->options.opponents == BANYAN_OPPONENTS_MAXN;
    memset(search->weight, 0, sizeof search->weight);
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
static bool create_decisive(const struct banyan_search *search)
{
    const struct banyan_game *game = search->game;
    bool maxn = search->options.opponents == BANYAN_OPPONENTS_MAXN;
    return search->options.decisive && game->decisive && search->trees == 1 &&
           (maxn || (game->players <= 2 && create_opposed(search)));
}

/* Whether a rule may read nothing but the edges of a node and their bounds. */
static bool create_bounded(const struct banyan_search *search)
{
    const struct banyan_search_options *options = &search->options;
    return !search->in_flight && !search->masked && options->implicit_minimax <= 0 &&
           options->widen_factor <= 0;
}

/* Whether a rule may read nothing but the edges of a node, which all take part. */
static bool create_plain(const struct banyan_search *search)
{
    return create_bounded(search) && !search->solver;
}

/* The shortest form of a rule of one's own that is right. */
static const struct select_rule *create_own_rule(const struct banyan_search *search)
{
    const struct banyan_rule *own = &search->own_rule;
    if (own->scores_untried || own->wants_variances || !create_bounded(search))
        return &select_by_rule;
    if (!search->solver)
        return &select_by_rule_plain;
    return own->wants_priors ? &select_by_rule : &select_by_rule_bounded;
}

/* Gives UCB1, or what stands in its place, its short form where that is right. */
static void create_settle_rule(struct banyan_search *search)
{
    const struct banyan_search_options *options = &search->options;
    search->rule = create_rule(options->rule);
    if (options->rule == BANYAN_RULE_UCB1_TUNED)
        search->own_rule = select_tuned_rule(search);
    if (options->own_rule)
        struct_size_copy(&search->own_rule, sizeof search->own_rule, options->own_rule,
                         options->own_rule->struct_size);
    if (options->own_rule)
        search->rule = create_own_rule(search);
    else if (options->rule == BANYAN_RULE_UCB1 && create_plain(search) && options->children_first &&
             options->progressive_bias <= 0)
        search->rule = &select_ucb1_plain;
}

/* Copies the user's own functions; their sizes were checked. */
static void create_copy_own(struct banyan_search *search)
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
static void create_settle(struct banyan_search *search)
{
    const struct banyan_game *game = search->game;
    struct banyan_search_options *options = &search->options;
    double range = game->return_max - game->return_min;
    create_copy_own(search);
    search->trees = game->traits & (BANYAN_SIMULTANEOUS | BANYAN_HIDDEN) ? game->players : 1;
    search->shares = workers_fit(search);
    search->in_flight = options->batch > 1 ||
                        (search->shares ? search->evaluator->wants_actions : options->threads > 1);
    search->masked = game->traits & BANYAN_HIDDEN;
    search->coarse = search->masked && game->coarse_keys && options->keys == BANYAN_KEYS_COARSE;
    search->draws_all = search->masked && !options->sampler.sample &&
                        (options->draw == BANYAN_DRAW_ALL || (options->draw == BANYAN_DRAW_AUTO &&
                                                              options->rule == BANYAN_RULE_REGRET));
    search->keeps_offers =
        search->masked && (options->availability || options->rule == BANYAN_RULE_REGRET);
    search->action_room = game->max_legal;
    search->depth_max = game->max_plies < SEARCH_DEPTH_MAX ? game->max_plies : SEARCH_DEPTH_MAX;
    search->solver = create_solvable(search);
    search->decisive = create_decisive(search);
    search->constant_sum = (double)game->return_min + game->return_max;
    search->reward_scale = options->raw_rewards || range <= 0 ? 1 : 1 / range;
    search->reward_width = 1 / search->reward_scale;
    search->reward_low = options->raw_rewards ? 0 : game->return_min;
    create_settle_rule(search);
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
static bool create_needs_vector(const struct banyan_search *search)
{
    int players = search->game->players;
    bool told = (search->game->traits & BANYAN_ZERO_SUM) &&
                search->options.opponents == BANYAN_OPPONENTS_MAXN && !search->own_backup.back;
    return players > 2 || (players == 2 && !told);
}

static bool create_needs_priors(const struct banyan_search *search)
{
    const struct banyan_game *game = search->game;
    const struct banyan_search_options *options = &search->options;
    return search->evaluator->wants_actions || (search->evaluator->game_priors && game->priors) ||
           options->progressive_bias > 0 || (options->widen_factor > 0 && game->priors) ||
           search->own_rule.wants_priors;
}

/* The columns of the tree, as bits: those of the rule and those that other options need. */
static unsigned create_columns(const struct banyan_search *search)
{
    const bool wanted[TREE_COLUMNS] = {
        [TREE_SQUARES] = search->own_rule.wants_variances,
        [TREE_VECTOR] = create_needs_vector(search),
        [TREE_BOUNDS] = search->solver,
        [TREE_IN_FLIGHT] = search->in_flight,
        [TREE_IMPLICIT] = search->options.implicit_minimax > 0,
        [TREE_PRIORS] = create_needs_priors(search),
        [TREE_MISSED] = search->masked && search->options.availability,
    };
    unsigned columns = search->rule->columns;
    for (int i = 0; i < TREE_COLUMNS; ++i)
        columns |= (unsigned)wanted[i] << i;
    return columns;
}

static struct tree_layout create_layout(const struct banyan_search *search)
{
    const struct banyan_game *game = search->game;
    struct tree_layout layout = {
        .action_bytes = (unsigned)game->action_bytes,
        .players = game->players,
        .keyed = (game->traits & (BANYAN_CHANCE | BANYAN_HIDDEN | BANYAN_SIMULTANEOUS)) != 0,
        .growing = search->masked,
    };
    tree_lay_out(&layout, create_columns(search));
    return layout;
}

static void *create_take(unsigned char **at, size_t bytes)
{
    void *taken = *at;
    if (*at)
        *at += (bytes + 15) & ~(size_t)15;
    return taken;
}

/* Sets up the working memory that is indexed by actions from `at` on (NULL: nothing is set up),
 * and returns its bytes. */
static size_t create_by_action(struct banyan_search *search, size_t room, unsigned char *at)
{
    unsigned char *begin = at;
    const size_t sizes[] = {room * sizeof *search->scratch.policy,
                            room * sizeof *search->gumbel.noise,
                            room * sizeof *search->gumbel.before,
                            room * sizeof *search->gumbel.kept,
                            room * sizeof *search->scratch.rows,
                            search->own_rule.scores ? select_own_bytes(room) : 0};
    size_t bytes = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        bytes += (sizes[i] + 15) & ~(size_t)15;
    if (!begin)
        return bytes;
    search->scratch.by_action = begin;
    search->scratch.policy = create_take(&at, sizes[0]);
    search->gumbel.noise = create_take(&at, sizes[1]);
    search->gumbel.before = create_take(&at, sizes[2]);
    search->gumbel.kept = create_take(&at, sizes[3]);
    search->scratch.rows = create_take(&at, sizes[4]);
    search->scratch.own_rule = create_take(&at, sizes[5]);
    search->action_room = (int)room;
    return bytes;
}

/* Gives a search whose tree has room for it the working memory for this many actions; false: no memory. */
bool search_grow_actions(struct banyan_search *search, int room)
{
    unsigned char *block = malloc(create_by_action(search, (size_t)room, NULL));
    unsigned char *outgrown = search->scratch.by_action;
    size_t known = (size_t)search->action_room;
    const double *gumbel = search->gumbel.noise;
    const uint32_t *before = search->gumbel.before, *kept = search->gumbel.kept;
    if (!block)
        return false;
    create_by_action(search, (size_t)room, block);
    memcpy(search->gumbel.noise, gumbel, known * sizeof *gumbel);
    memcpy(search->gumbel.before, before, known * sizeof *before);
    memcpy(search->gumbel.kept, kept, known * sizeof *kept);
    free(outgrown);
    return true;
}

bool search_reserve_actions(struct banyan_search *search, int count)
{
    int room = search->action_room;
    if (count <= room)
        return true;
    if (count > TREE_ACTIONS_MAX)
        return false;
    if (search->worker)
        return worker_needs_actions(search, count);
    while (room < count)
        room = 2 * room < TREE_ACTIONS_MAX ? 2 * room : TREE_ACTIONS_MAX;
    size_t bytes = create_by_action(search, (size_t)room, NULL) -
                   create_by_action(search, (size_t)search->action_room, NULL);
    return tree_reserve(&search->tree, room, bytes + workers_growth(search, room, bytes)) &&
           search_grow_actions(search, room) && workers_grow(search);
}

/* Sets up the working memory from `at` on; with NULL it only adds up its bytes in *bytes. */
static void create_slots(struct banyan_search *search, unsigned char *at, size_t *bytes)
{
    const struct banyan_game *game = search->game;
    size_t legal = (size_t)game->max_legal, players = (size_t)game->players, total = 0;
    size_t path = ((size_t)search->depth_max + 1) * players;
#define TAKE(count, type)                                  \
    (total += ((count) * sizeof(type) + 15) & ~(size_t)15, \
     (type *)create_take(&at, (count) * sizeof(type)))
    search->root.state = TAKE(game->state_size, unsigned char);
    bool hidden = game->traits & BANYAN_HIDDEN;
    search->root.drawn = TAKE(search->draws_all ? game->state_size : 0, unsigned char);
    search->root.worlds =
        TAKE(hidden ? game->state_size * (size_t)search->options.worlds : 0, unsigned char);
    search->scratch.legal = TAKE(legal, banyan_action);
    search->scratch.legal_priors = TAKE(legal, float);
    search->scratch.lookup.size = 8;
    /* the table is mostly empty, so that a missing key is found to be missing at once */
    while (search->scratch.lookup.size < 4 * legal)
        search->scratch.lookup.size *= 2;
    search->scratch.lookup.places = TAKE(search->scratch.lookup.size, uint16_t);
    search->scratch.lookup.known = TAKE(legal, uint8_t);
    for (size_t p = 0; p < players; ++p)
        search->scratch.offers[p] = TAKE(hidden || search->decisive ? legal : 0, uint16_t);
    search->flights.slots = TAKE((size_t)search->flights.slot_count, struct simulation);
    search->flights.leaves = TAKE((size_t)search->flights.slot_count, struct banyan_leaf);
    for (int i = 0; i < search->flights.slot_count; ++i) {
        struct simulation dummy, *slot = at ? &search->flights.slots[i] : &dummy;
        memset(slot, 0, sizeof *slot);
        slot->state = TAKE(game->state_size, unsigned char);
        slot->path = TAKE(path, struct path_step);
        slot->offers = TAKE(search->keeps_offers ? path : 0, struct path_offer);
        slot->amaf = TAKE(search->amaf ? path : 0, struct amaf_step);
        slot->log.room = search->amaf ? search->amaf->log_room : 0;
        slot->log.moves = TAKE((size_t)slot->log.room, uint32_t);
        for (size_t p = 0; p < players && search->evaluator->wants_actions; ++p) {
            slot->actions[p] = TAKE(legal, banyan_action);
            slot->priors[p] = TAKE(legal, float);
        }
    }
#undef TAKE
    *bytes = total;
}

static enum banyan_status create_check_grave(const struct banyan_search *search,
                                             struct banyan_error *err)
{
    const struct banyan_game *game = search->game;
    if (search->trees > 1)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "rule=grave is for games of alternate moves and open cards, not for %s",
                           game->name);
    if (!banyan_game_action_count(game))
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "rule=grave needs a game that says how many actions there are "
                           "(action_count); %s does not",
                           game->name);
    if (search->options.threads > 1)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "rule=grave serves one thread; use threads=1 and ensemble=N");
    return BANYAN_OK;
}

static enum banyan_status create_check_own(const struct banyan_search *search,
                                           struct banyan_error *err)
{
    const struct banyan_rule *own = &search->own_rule;
    const struct banyan_search_options *options = &search->options;
    const char *name = own->name ? own->name : "own_rule";
    if (options->rule != BANYAN_RULE_UCB1)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "the rule '%s' takes the place of rule=ucb1: leave that option as it is",
                           name);
    if (!own->scores)
        return banyan_fail(err, BANYAN_INVALID, "the rule '%s' has no function scores", name);
    if (!own->reentrant && (options->threads > 1 || options->ensemble > 1))
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "the rule '%s' serves one thread; use threads=1 and ensemble=1", name);
    return BANYAN_OK;
}

static enum banyan_status create_check_backup(const struct banyan_search *search,
                                              struct banyan_error *err)
{
    const struct banyan_backup *own = &search->own_backup;
    const struct banyan_search_options *options = &search->options;
    const char *name = own->name ? own->name : "own_backup";
    if (!own->back)
        return banyan_fail(err, BANYAN_INVALID, "the backup '%s' has no function back", name);
    if (search->game->traits & BANYAN_SIMULTANEOUS)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "the backup '%s' is for games of one choice at a time, not for %s", name,
                           search->game->name);
    if (options->solver == BANYAN_SOLVER_ON || options->implicit_minimax > 0 ||
        options->rule == BANYAN_RULE_GRAVE)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "the backup '%s' does not go with solver=on, implicit-minimax and "
                           "rule=grave",
                           name);
    if (!own->reentrant && (options->threads > 1 || options->ensemble > 1))
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "the backup '%s' serves one thread; use threads=1 and ensemble=1", name);
    return BANYAN_OK;
}

static enum banyan_status create_check(const struct banyan_search *search, struct banyan_error *err)
{
    const struct banyan_game *game = search->game;
    if (game->max_legal > TREE_ACTIONS_MAX)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "%s has more than %d actions in a state",
                           game->name, TREE_ACTIONS_MAX);
    if ((game->traits & BANYAN_HIDDEN) && !game->determinize && !search->options.sampler.sample)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "%s hides cards, but has neither determinize() nor a sampler",
                           game->name);
    if (search->options.draw == BANYAN_DRAW_ALL && search->options.rule == BANYAN_RULE_GUMBEL)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "draw=all does not go with rule=gumbel, which searches from what one "
                           "player knows: use draw=auto or hidden");
    if (search->options.solver == BANYAN_SOLVER_ON && search->options.transpositions)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "solver=on does not go with transpositions=on: use solver=auto or off");
    if (search->options.solver == BANYAN_SOLVER_ON && search->options.rule == BANYAN_RULE_REGRET)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "solver=on does not go with rule=regret: use solver=auto or off");
    if (search->options.threads > 1 && !search->evaluator->reentrant)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "the evaluator '%s' serves one thread; use threads=1 and batch=N",
                           search->evaluator->name);
    if (search->options.implicit_minimax > 0 && !(create_minimax(search) && game->heuristic))
        return banyan_fail(
            err, BANYAN_UNSUPPORTED,
            "implicit-minimax is for games with a heuristic, without luck and hidden "
            "cards, of one player or of two opponents with a constant sum; %s is not "
            "searched as such a game",
            game->name);
    enum banyan_status status =
        search->options.own_backup ? create_check_backup(search, err) : BANYAN_OK;
    if (status != BANYAN_OK)
        return status;
    if (search->options.own_final && !search->own_final.choose)
        return banyan_fail(err, BANYAN_INVALID, "the final choice '%s' has no function choose",
                           search->own_final.name ? search->own_final.name : "own_final");
    if (search->options.own_rule)
        return create_check_own(search, err);
    return search->options.rule == BANYAN_RULE_GRAVE ? create_check_grave(search, err) : BANYAN_OK;
}

bool search_make_memory(struct banyan_search *search)
{
    size_t size, legal = (size_t)search->game->max_legal;
    create_slots(search, NULL, &size);
    search->scratch.block = malloc(size);
    if (search->scratch.block)
        create_slots(search, search->scratch.block, &size);
    search->scratch.by_action = malloc(create_by_action(search, legal, NULL));
    if (search->scratch.by_action)
        create_by_action(search, legal, search->scratch.by_action);
    return search->scratch.block && search->scratch.by_action;
}

void search_free_memory(struct banyan_search *search)
{
    for (int i = 0; search->scratch.block && i < search->flights.slot_count; ++i)
        free(search->flights.slots[i].offered);
    free(search->scratch.block);
    free(search->scratch.by_action);
}

static void create_free(struct banyan_search *search)
{
    workers_destroy(search);
    search_unlimit(search);
    search_forget_root_priors(search);
    amaf_destroy(search->amaf);
    tree_free(&search->tree);
    search_free_memory(search);
    free(search);
}

static enum banyan_status create_refused(uint64_t bytes, const struct banyan_game *game,
                                         struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_NO_MEMORY,
                       "the system gives no %llu bytes for a search of %s (`ulimit -v` shows its "
                       "limit): take a smaller memory=",
                       (unsigned long long)bytes, game->name);
}

/* Makes the tree's arena from what the working memory (`size` bytes) leaves of `bytes`. */
static enum banyan_status create_tree(struct banyan_search *search,
                                      const struct tree_layout *layout, size_t size, uint64_t bytes,
                                      struct banyan_error *err)
{
    enum banyan_status status = BANYAN_INVALID;
    if (size <= bytes)
        status = tree_init(&search->tree, layout, bytes - size, search->options.transpositions,
                           search->game->max_legal);
    uint64_t tables = search->amaf ? search->amaf->bytes : 0;
    size += tables;
    bytes += tables;
    if (status == BANYAN_NO_MEMORY)
        return create_refused(bytes, search->game, err);
    if (status != BANYAN_OK)
        return banyan_fail(err, BANYAN_NO_MEMORY,
                           "memory=%llu bytes is too little for a search of %s: it needs %zu",
                           (unsigned long long)bytes, search->game->name, size + (256u << 10));
    return BANYAN_OK;
}

/* Makes the tables of all moves as first from a quarter of *bytes, which are reduced. */
static enum banyan_status create_amaf(struct banyan_search *search, uint64_t *bytes,
                                      struct banyan_error *err)
{
    if (search->options.rule != BANYAN_RULE_GRAVE)
        return BANYAN_OK;
    search->amaf = amaf_create(search->game, &search->options, search->depth_max, *bytes / 4);
    if (!search->amaf)
        return banyan_fail(err, BANYAN_NO_MEMORY,
                           "memory=%llu bytes is too little for rule=grave in %s",
                           (unsigned long long)*bytes, search->game->name);
    *bytes -= search->amaf->bytes;
    return BANYAN_OK;
}

/* Makes one tree with its memory; `bytes` is its share of the limit. */
static enum banyan_status create_one(struct banyan_search **out, const struct banyan_game *game,
                                     const struct banyan_search_options *options,
                                     struct banyan_evaluator *evaluator, uint64_t bytes,
                                     struct banyan_error *err)
{
    struct banyan_search *search = calloc(1, sizeof *search);
    if (!search)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a search");
    search->game = game;
    search->evaluator = evaluator;
    search->options = *options;
    if (search->options.threads == 0)
        search->options.threads = workers_best(search);
    create_settle(search);
    search->flights.slot_count = options->batch * (search->shares ? 1 : search->options.threads);
    enum banyan_status status = create_check(search, err);
    if (status == BANYAN_OK)
        status = create_amaf(search, &bytes, err);
    size_t size = 0;
    struct tree_layout layout = create_layout(search);
    create_slots(search, NULL, &size);
    size_t fixed = size + create_by_action(search, (size_t)game->max_legal, NULL);
    if (search->shares)
        fixed += workers_bytes(search, fixed + tree_lists_bytes(&layout, game->max_legal));
    if (status == BANYAN_OK)
        status = create_tree(search, &layout, fixed, bytes, err);
    if (status == BANYAN_OK &&
        (!search_make_memory(search) || (search->shares && !workers_create(search))))
        status = create_refused(bytes, game, err);
    if (status != BANYAN_OK) {
        create_free(search);
        return status;
    }
    search->tree.fixed_bytes += fixed + (search->amaf ? search->amaf->bytes : 0);
    pthread_mutex_init(&search->parallel.lock, NULL);
    banyan_rng_seed(&search->rng, options->seed);
    banyan_dice_drawn(&search->dice, &search->rng);
    *out = search;
    return BANYAN_OK;
}

static void create_destroy_one(struct banyan_search *search)
{
    pthread_mutex_destroy(&search->parallel.lock);
    create_free(search);
}

/* Checks that the caller's structs have a size that this library knows. */
static enum banyan_status create_check_sizes(const struct banyan_game *game,
                                             const struct banyan_search_options *options,
                                             const struct banyan_evaluator *evaluator,
                                             struct banyan_error *err)
{
    enum banyan_status status =
        struct_size_match("banyan_game", game->struct_size, sizeof *game, err);
    if (status == BANYAN_OK)
        status =
            struct_size_match("banyan_evaluator", evaluator->struct_size, sizeof *evaluator, err);
    if (status == BANYAN_OK)
        status =
            struct_size_check("banyan_search_options", options->struct_size, sizeof *options, err);
    return status;
}

/* Makes the search and the other trees of its ensemble; the options are complete and in range. */
static enum banyan_status create_all(struct banyan_search **out, const struct banyan_game *game,
                                     const struct banyan_search_options *options,
                                     struct banyan_evaluator *evaluator, struct banyan_error *err)
{
    uint64_t share = options->memory_bytes / (uint64_t)options->ensemble;
    enum banyan_status status = create_one(out, game, options, evaluator, share, err);
    if (status != BANYAN_OK || options->ensemble == 1)
        return status;
    struct banyan_search *search = *out;
    search->parallel.members = calloc((size_t)options->ensemble, sizeof(struct banyan_search *));
    struct banyan_search_options own = *options;
    own.ensemble = 1;
    own.threads = search->options.threads;
    if (!search->parallel.members)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for an ensemble");
    for (int i = 1; status == BANYAN_OK && i < options->ensemble; ++i) {
        own.seed = banyan_rng_child(options->seed, "ensemble", (uint64_t)i);
        status = create_one(&search->parallel.members[i - 1], game, &own, evaluator, share, err);
        search->parallel.member_count += status == BANYAN_OK;
    }
    if (status == BANYAN_OK && !evaluator->reentrant)
        status =
            banyan_fail(err, BANYAN_UNSUPPORTED,
                        "the evaluator '%s' serves one thread; use ensemble=1", evaluator->name);
    if (status != BANYAN_OK) {
        banyan_search_destroy(search);
        *out = NULL;
    }
    return status;
}

static enum banyan_status create_check_own_sizes(const struct banyan_search_options *options,
                                                 struct banyan_error *err)
{
    const struct banyan_rule *rule = options->own_rule;
    const struct banyan_backup *backup = options->own_backup;
    const struct banyan_choice *choice = options->own_final;
    enum banyan_status status = BANYAN_OK;
    if (rule)
        status = struct_size_check("banyan_rule", rule->struct_size, sizeof *rule, err);
    if (backup && status == BANYAN_OK)
        status = struct_size_check("banyan_backup", backup->struct_size, sizeof *backup, err);
    if (choice && status == BANYAN_OK)
        status = struct_size_check("banyan_choice", choice->struct_size, sizeof *choice, err);
    return status;
}

enum banyan_status banyan_search_create(struct banyan_search **out, const struct banyan_game *game,
                                        const struct banyan_search_options *options,
                                        struct banyan_evaluator *evaluator,
                                        struct banyan_error *err)
{
    if (!game || !options || !evaluator)
        return banyan_fail(err, BANYAN_INVALID, "a search needs a game, options and an evaluator");
    enum banyan_status status = create_check_sizes(game, options, evaluator, err);
    if (status != BANYAN_OK)
        return status;
    struct banyan_search_options all;
    banyan_search_options_default(&all);
    struct_size_copy(&all, sizeof all, options, options->struct_size);
    all.struct_size = sizeof all;
    if (banyan_options_check(banyan_search_option_table(), &all, err) != BANYAN_OK)
        return BANYAN_INVALID;
    status = create_check_own_sizes(&all, err);
    if (status != BANYAN_OK)
        return status;
    return create_all(out, game, &all, evaluator, err);
}

void banyan_search_destroy(struct banyan_search *search)
{
    if (!search)
        return;
    for (int i = 0; i < search->parallel.member_count; ++i)
        create_destroy_one(search->parallel.members[i]);
    free(search->parallel.members);
    create_destroy_one(search);
}
