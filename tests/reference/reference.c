/* A plain Monte Carlo tree search: the textbook's algorithms over lists of results. */
#include "reference/inside.h"

#include "base/rng.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum ending { OPEN, FINISHED, KNOWN, COLLISION, GOES_ON };

struct plain_block {
    struct plain_block *next;
    _Alignas(16) unsigned char bytes[];
};

void *plain_take(struct plain *r, size_t bytes)
{
    struct plain_block *block = calloc(1, sizeof *block + bytes);
    assert(block);
    block->next = r->memory;
    r->memory = block;
    return block->bytes;
}

void plain_add(struct plain *r, struct plain_results *results, const struct plain_result *result)
{
    struct plain_result *copy = plain_take(r, sizeof *copy);
    *copy = *result;
    copy->next = NULL;
    if (results->last)
        results->last->next = copy;
    else
        results->first = copy;
    results->last = copy;
}

/* --- one decision --- */

/* Chooses by the selection rule; returns an index into the node's edges. */
static int choose_by_rule(struct plain *r, struct plain_node *node, uint64_t offered, bool is_root,
                          float *probability)
{
    double scores[PLAIN_ACTIONS] = {0};
    if (r->options.rule == BANYAN_RULE_REGRET)
        return plain_sample_regret(r, node, offered, probability);
    if (r->options.rule == BANYAN_RULE_PUCT)
        plain_score_puct(r, node, offered, is_root, scores);
    else if (r->options.rule == BANYAN_RULE_GRAVE)
        plain_score_grave(r, node, scores);
    else if (r->options.rule != BANYAN_RULE_GUMBEL)
        plain_score_bandit(r, node, offered, scores);
    else if (is_root && node->mover == r->viewer) /* the root with halving */
        plain_score_gumbel_root(r, node, offered, scores);
    else
        plain_score_gumbel_inside(node, offered, scores);
    for (int i = 0; i < node->count; ++i)
        if (!plain_is_offered(node->edges[i], offered))
            scores[i] = -INFINITY;
    int best = plain_best_of(r, node, scores);
    for (int i = 0; best < 0 && i < node->count; ++i)
        best = plain_is_offered(node->edges[i], offered) ? i : best; /* none scores */
    return best;
}

/* A visit of a proven edge gives no new information, so every second of them goes to the action
 * with the fewest visits among those that may still be better; by PUCT to an untried one, if there is none. */
int plain_instead_of_proven(struct plain_node *node, uint64_t offered, int index)
{
    const struct plain_edge *chosen = node->edges[index];
    if (!node->search->solver || !chosen->tried || !plain_proven(plain_edge_bounds(chosen)) ||
        plain_node_visits(node) % 2 != 0)
        return index;
    int least = -1;
    for (int i = 0; i < node->count && node->edges[i]->tried; ++i) {
        const struct plain_edge *edge = node->edges[i];
        if (plain_is_offered(edge, offered) && !plain_proven(plain_edge_bounds(edge)) &&
            !plain_pruned(edge) &&
            (least < 0 || plain_edge_visits(edge) < plain_edge_visits(node->edges[least])))
            least = i;
    }
    const struct banyan_search_options *options = &node->search->options;
    if (least < 0 && options->rule == BANYAN_RULE_PUCT && !options->own_rule)
        least = plain_next_untried(node->search, node, offered);
    return least < 0 ? index : least;
}

/* Moves the edge behind the edges that were tried before it. */
void plain_try_edge(struct plain_node *node, struct plain_edge *edge)
{
    int at = 0, end = 0;
    while (node->edges[at] != edge)
        ++at;
    while (end < at && node->edges[end]->tried)
        ++end;
    for (; at > end && !edge->tried; --at)
        node->edges[at] = node->edges[at - 1];
    node->edges[at] = edge;
    edge->tried = true;
}

void plain_draw_noise(struct plain *r);
static struct plain_edge *choose(struct plain *r, struct plain_simulation *simulation,
                                 struct plain_node *node, struct plain_outcome *outcome,
                                 uint64_t offered)
{
    float probability = 1;
    bool is_root = simulation->depth == 0;
    if (is_root)
        plain_draw_noise(r);
    if (plain_notes_moves(r))
        plain_meet_position(r, simulation, node);
    uint64_t contenders = is_root ? plain_contenders(r, node, offered) : offered;
    r->is_narrowed = contenders != offered;
    r->contenders = contenders;
    int index = node->count == 1 ? 0 : choose_by_rule(r, node, contenders, is_root, &probability);
    struct plain_edge *edge = node->edges[plain_instead_of_proven(node, contenders, index)];
    const struct plain_told *told = r->told_next < r->told_count ? &r->told[r->told_next] : NULL;
    if (told && (told->player != node->mover || told->action != edge->action) && !r->disputed) {
        r->disputed = node;
        r->kernel_choice = told->action;
        r->own_choice = edge->action;
    }
    if (is_root && r->options.rule == BANYAN_RULE_GUMBEL && node->mover == r->viewer) {
        uint64_t of_action = rng_mix(r->gumbel_stream + edge->action);
        banyan_rng_seed(&r->rng, rng_mix(of_action + (uint64_t)plain_edge_arrivals(edge)));
    }
    ++r->choices;
    ++r->told_next;
    for (int i = 0; i < node->count; ++i)
        node->edges[i]->missed += !plain_is_offered(node->edges[i], offered);
    plain_try_edge(node, edge);
    simulation->steps[simulation->length++] =
        (struct plain_step){node, edge, outcome, probability, offered};
    ++node->in_flight;
    ++edge->in_flight;
    return edge;
}

/* --- making nodes --- */

uint64_t plain_node_key(const struct plain *r, const void *state, int mover)
{
    if (!r->keyed && !r->options.transpositions)
        return 0;
    uint64_t keys[BANYAN_MAX_PLAYERS];
    keys[mover] = r->game->key(r->game, state, mover);
    if (r->options.keys == BANYAN_KEYS_COARSE && r->game->coarse_keys)
        r->game->coarse_keys(r->game, state, 1u << mover, keys);
    /* two movers have different nodes even if they see the same */
    return rng_mix(keys[mover] + 0x9e3779b97f4a7c15u * (uint64_t)(mover + 1));
}

/* Whether priors are known when a node is made. */
static bool knows_priors(const struct plain *r)
{
    return r->evaluator->priors || r->game->priors;
}

/* The priors of these actions of mover that are known when a node is made: the evaluator's own, else the game's,
 * else equal ones. */
static void known_priors(const struct plain *r, const void *state, int mover,
                         const banyan_action *actions, int count, float *priors)
{
    const struct banyan_evaluator *evaluator = r->evaluator;
    for (int i = 0; i < count; ++i)
        priors[i] = 1.0f / (float)count;
    if (evaluator->priors)
        evaluator->priors(evaluator->ctx, state, mover, actions, count, priors);
    else if (r->game->priors)
        r->game->priors(r->game, state, mover, actions, count, priors);
    plain_heat(priors, count, r->options.prior_temperature);
}

static void add_edge(struct plain_node *node, banyan_action action, float prior)
{
    struct plain *r = node->search;
    struct plain_edge **edges = plain_take(r, (size_t)(node->count + 1) * sizeof *edges);
    for (int i = 0; i < node->count; ++i)
        edges[i] = node->edges[i];
    node->edges = edges;
    edges[node->count] = plain_take(r, sizeof **edges);
    *edges[node->count] = (struct plain_edge){.node = node,
                                              .action = action,
                                              .prior = prior,
                                              .id = node->count,
                                              .known = plain_all_returns(r)};
    ++node->count;
}

static bool limit_allows(const struct plain_limit *limit, banyan_action action)
{
    bool named = false;
    for (int i = 0; i < limit->count; ++i)
        named = named || limit->actions[i] == action;
    return limit->count == 0 || named != limit->avoids;
}

int plain_legal(const struct plain *r, const void *state, int player, bool at_root,
                banyan_action *out)
{
    banyan_action legal[PLAIN_ACTIONS];
    int count = r->game->legal(r->game, state, player, legal), allowed = 0, written = 0;
    for (int i = 0; i < count; ++i)
        allowed += at_root && limit_allows(&r->limits[player], legal[i]);
    for (int i = 0; i < count; ++i)
        if (allowed == 0 || limit_allows(&r->limits[player], legal[i]))
            out[written++] = legal[i];
    return written;
}

/* The actions of a new node.  The root has all legal actions; a node below it has only the
 * decisive and anti-decisive ones if the game names some (Teytaud and Teytaud 2010). */
static int node_actions(const struct plain *r, const struct plain_simulation *simulation, int mover,
                        banyan_action *out)
{
    bool asks = r->decisive && simulation->depth > 0;
    int count = asks ? r->game->decisive(r->game, simulation->state, mover, out) : 0;
    return count ? count : plain_legal(r, simulation->state, mover, simulation->depth == 0, out);
}

static void shuffle(struct plain *r, banyan_action *actions, int count)
{
    for (int i = count; i > 1; --i) {
        uint32_t j = rng_below(&r->rng, (uint32_t)i);
        banyan_action action = actions[i - 1];
        actions[i - 1] = actions[j];
        actions[j] = action;
    }
}

struct plain_node *plain_make_node(struct plain *r, const struct plain_simulation *simulation,
                                   int mover, uint64_t before)
{
    banyan_action actions[PLAIN_ACTIONS];
    float priors[PLAIN_ACTIONS];
    uint64_t key = plain_node_key(r, simulation->state, mover);
    for (struct plain_node *node = r->nodes; node && r->options.transpositions; node = node->next)
        if (node->key == key)
            return node;
    bool waits = r->evaluator->wants_actions, ordered = waits || (r->priors && knows_priors(r));
    int count = node_actions(r, simulation, mover, actions);
    if (r->options.order == BANYAN_ORDER_RANDOM && !ordered)
        shuffle(r, actions, count);
    known_priors(r, simulation->state, mover, actions, count, priors);
    struct plain_node *node = plain_take(r, sizeof *node);
    *node = (struct plain_node){.search = r,
                                .key = key,
                                .mover = mover,
                                .before = before,
                                .waiting = waits,
                                .state = plain_take(r, r->game->state_size),
                                .next = r->nodes};
    memcpy(node->state, simulation->state, r->game->state_size);
    for (int i = 0; i < count; ++i)
        add_edge(node, actions[i], priors[i]);
    return r->nodes = node;
}

/* The evaluator's priors of all legal actions; the known ones if the evaluator wrote none.  Those that the limits of
 * the root leave sum to 1; those of decisive moves do not. */
void plain_receive_priors(struct plain_node *node, const struct plain_simulation *simulation,
                          const float *priors)
{
    const void *state = simulation->state;
    const struct plain *r = node->search;
    banyan_action actions[PLAIN_ACTIONS];
    float standing_in[PLAIN_ACTIONS];
    int count = r->game->legal(r->game, state, node->mover, actions);
    float own[PLAIN_ACTIONS];
    double sum = 0;
    for (int i = 0; i < count && priors; ++i)
        sum += (double)(own[i] = priors[i]);
    if (sum > 0)
        plain_heat(own, count, r->options.prior_temperature);
    known_priors(r, state, node->mover, actions, count, standing_in);
    for (int i = 0; i < count; ++i) {
        struct plain_edge *edge = plain_find_edge(node, actions[i]);
        if (edge)
            edge->prior = sum > 0 ? own[i] : standing_in[i];
    }
    if (node->count < count && simulation->depth == 0)
        plain_normalise(node);
    node->waiting = false;
}

struct plain_edge *plain_find_edge(const struct plain_node *node, banyan_action action)
{
    for (int i = 0; i < node->count; ++i)
        if (node->edges[i]->action == action)
            return node->edges[i];
    return NULL;
}

/* Adds the actions to node that are legal in state and that node does not have yet. */
void plain_complete_node(struct plain_node *node, const void *state, bool at_root)
{
    const struct plain *r = node->search;
    banyan_action actions[PLAIN_ACTIONS];
    float priors[PLAIN_ACTIONS];
    int count = plain_legal(r, state, node->mover, at_root, actions);
    known_priors(r, state, node->mover, actions, count, priors);
    for (int i = 0; i < count; ++i) {
        if (plain_find_edge(node, actions[i]))
            continue;
        add_edge(node, actions[i], priors[i]);
        plain_find_edge(node, actions[i])->missed = (uint64_t)plain_node_arrivals(node);
    }
}

/* Which of node's actions are legal in state: a set of ids.  With open cards all of node's
 * actions are. */
uint64_t plain_offered_actions(struct plain_node *node, const void *state, bool at_root)
{
    const struct banyan_game *game = node->search->game;
    banyan_action actions[PLAIN_ACTIONS];
    uint64_t offered = 0;
    if (!(game->traits & BANYAN_HIDDEN))
        return UINT64_MAX >> (64 - node->count);
    plain_complete_node(node, state, at_root);
    int count = plain_legal(node->search, state, node->mover, at_root, actions);
    for (int i = 0; i < count; ++i)
        offered |= (uint64_t)1 << plain_find_edge(node, actions[i])->id;
    return offered;
}

/* --- the way down --- */

/* The outcome of this key; made if it is new, unless the tree is full. */
struct plain_outcome *plain_outcome_of(struct plain *r, struct plain_edge *edge, uint64_t key)
{
    struct plain_outcome *outcome = edge->outcomes;
    while (outcome && outcome->key != key)
        outcome = outcome->next;
    if (outcome || (r->full && r->keyed))
        return outcome;
    outcome = plain_take(r, sizeof *outcome);
    *outcome = (struct plain_outcome){.key = key, .next = edge->outcomes};
    return edge->outcomes = outcome;
}

enum arrival { READY, NEW, EARLY, NOWHERE };

/* Mover arrives at an outcome of the last edge.  A node is made there on visit number
 * expand_visits, on the first visit within the prebuilt tree, and at the root if it has priors,
 * since noise is drawn between simulations.  A simulation ends where a node waits for priors,
 * and at the first node that it makes outside the prebuilt tree. */
static enum arrival arrive(struct plain *r, struct plain_simulation *simulation, int mover)
{
    struct plain_edge *above = simulation->above[r->trees > 1 ? mover : 0];
    uint64_t key = r->keyed ? plain_node_key(r, simulation->state, mover) : 0;
    struct plain_outcome *outcome = simulation->arrived[mover] = plain_outcome_of(r, above, key);
    if (!outcome)
        return NOWHERE;
    uint64_t before = outcome->arrivals++;
    uint64_t at = simulation->depth == 0 && r->priors ? 1 : (uint64_t)r->expand_visits;
    bool prebuilt = simulation->depth < r->options.prebuild_depth;
    struct plain_node *newest = r->nodes;
    if (!outcome->node && !r->full && (before + 1 >= at || prebuilt))
        outcome->node = plain_make_node(r, simulation, mover, before);
    bool ends = r->evaluator->wants_actions || (at == 1 && before == 0 && !prebuilt);
    if (r->nodes == newest || !ends)
        return outcome->node ? READY : EARLY;
    simulation->made[mover] = outcome->node;
    return NEW;
}

/* If other movers go on, so does a mover who has no node yet, or whose node has just been made. */
static bool settle(struct plain *r, struct plain_simulation *simulation, int mover)
{
    struct plain_outcome *outcome = simulation->arrived[mover];
    struct plain_node *newest = r->nodes;
    if (!outcome->node && !r->full)
        outcome->node = plain_make_node(r, simulation, mover, outcome->arrivals - 1);
    if (!outcome->node)
        return false;
    if (outcome->node->waiting && (r->nodes != newest || simulation->made[mover]))
        plain_receive_priors(outcome->node, simulation, NULL);
    simulation->made[mover] = NULL;
    return true;
}

/* All movers arrive.  The simulation goes on if one of them already had a node. */
static enum ending meet(struct plain *r, struct plain_simulation *simulation)
{
    enum arrival arrivals[BANYAN_MAX_PLAYERS];
    bool ready = false, stuck = false;
    for (int p = 0; p < r->game->players; ++p) {
        if (!(simulation->movers >> p & 1))
            continue;
        arrivals[p] = arrive(r, simulation, p);
        ready = ready || arrivals[p] == READY;
        stuck = stuck || arrivals[p] == NOWHERE;
    }
    if (!ready || stuck)
        return OPEN;
    for (int p = 0; p < r->game->players; ++p)
        if (simulation->movers >> p & 1 && arrivals[p] != READY && !settle(r, simulation, p))
            return OPEN;
    for (int p = 0; p < r->game->players; ++p)
        if (simulation->movers >> p & 1 && simulation->arrived[p]->node->waiting)
            return COLLISION;
    return GOES_ON;
}

/* All movers choose, and the game moves to its next state. */
static void play(struct plain *r, struct plain_simulation *simulation)
{
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct plain_edge *edge = NULL;
    for (int p = 0; p < r->game->players; ++p) {
        if (!(simulation->movers >> p & 1))
            continue;
        struct plain_outcome *outcome = simulation->arrived[p];
        uint64_t offered =
            plain_offered_actions(outcome->node, simulation->state, simulation->depth == 0);
        edge = choose(r, simulation, outcome->node, outcome, offered);
        simulation->above[r->trees > 1 ? p : 0] = edge;
        simulation->arrived[p] = NULL;
        joint[p] = edge->action;
    }
    r->game->apply(r->game, simulation->state, joint, &r->dice);
    ++simulation->depth;
    if (r->solver && r->game->bounds &&
        plain_edge_arrivals(edge) <= 1) /* bounds that follow from the rules alone */
        r->game->bounds(r->game, simulation->state, 0, &edge->known.lo, &edge->known.hi);
}

/* The values of a finished game: returns, and a share of the lead in points. */
static void finish(const struct plain *r, struct plain_simulation *simulation)
{
    const struct banyan_game *game = r->game;
    double w = r->options.score_weight, low = game->return_min, high = game->return_max;
    float points[BANYAN_MAX_PLAYERS];
    game->returns(game, simulation->state, simulation->values);
    if (w <= 0)
        return;
    game->points(game, simulation->state, points);
    for (int p = 0; p < 2; ++p) {
        double lead = (double)points[p] - (double)points[1 - p];
        double own = (2 * (double)simulation->values[p] - low - high) / (high - low);
        double both = (1 - w) * own + w * lead / (fabs(lead) + r->options.score_scale);
        simulation->values[p] =
            (float)((low + high) / 2 + (high - low) / 2 * (rint(both * 65536) / 65536));
    }
}

static enum ending descend(struct plain *r, struct plain_simulation *simulation)
{
    simulation->movers = r->game->movers(r->game, simulation->state);
    memset(simulation->arrived, 0, sizeof simulation->arrived);
    if (!simulation->movers) {
        finish(r, simulation);
        return FINISHED;
    }
    struct plain_edge *above = simulation->above[0];
    if (r->solver && simulation->length > 0 && plain_proven(plain_edge_bounds(above))) {
        simulation->arrived[0] = plain_outcome_of(r, above, 0);
        ++simulation->arrived[0]->arrivals;
        simulation->values[0] = plain_edge_bounds(above).lo;
        simulation->values[1] = (float)(plain_constant_sum(r) - (double)simulation->values[0]);
        return KNOWN;
    }
    enum ending ending = meet(r, simulation);
    if (ending != GOES_ON)
        return ending;
    play(r, simulation);
    return descend(r, simulation);
}

/* --- the way up --- */

/* world-baseline: how far player's results in the world are above those in all worlds.  The mean of all counts
 * like two more simulations of the world. */
static double above_others(const struct plain *r, int world, int player)
{
    double all = 0, count = 0, here = 0, visits = 0;
    double unit = ((double)r->game->return_max - (double)r->game->return_min) / 2 / 65536;
    for (const struct plain_result *i = r->by_world.first; i; i = i->next) {
        bool is_here = i->world == world;
        all += (double)i->values[player];
        here += is_here ? (double)i->values[player] : 0;
        visits += is_here;
        ++count;
    }
    if (count == 0)
        return 0;
    double mean = all / count;
    return rint(((here + 2 * mean) / (visits + 2) - mean) / unit) * unit;
}

static void make_relative(struct plain *r, const struct plain_simulation *simulation,
                          struct plain_result *result)
{
    struct plain_result absolute = *result;
    for (int p = 0; p < r->game->players; ++p)
        result->values[p] -= (float)above_others(r, simulation->world, p);
    absolute.world = simulation->world;
    plain_add(r, &r->by_world, &absolute);
}

static void back_up(struct plain *r, struct plain_simulation *simulation, enum ending ending)
{
    struct plain_result result = {.visits = 1};
    memcpy(result.values, simulation->values, sizeof result.values);
    if (r->options.world_baseline && simulation->world >= 0)
        make_relative(r, simulation, &result);
    for (int p = 0; p < r->game->players; ++p)
        if (simulation->made[p])
            ++simulation->made[p]->ended;
    for (int i = 0; i < simulation->length; ++i) {
        struct plain_step *step = &simulation->steps[i];
        result.edge = step->edge;
        result.probability = step->probability;
        result.offered = step->offered;
        plain_add(r, &step->edge->back, &result);
        plain_add(r, &step->node->back, &result);
        --step->node->in_flight;
        --step->edge->in_flight;
    }
    if (r->options.implicit_minimax > 0)
        plain_back_up_implicit(r, simulation, ending != OPEN || simulation->exact);
    if (plain_notes_moves(r))
        plain_pass_positions(r, simulation);
    memcpy(result.values, simulation->values, sizeof result.values);
    plain_add(r, &r->through_root, &result);
    ++r->simulated;
    r->decisions += simulation->depth;
    r->deepest = simulation->depth > r->deepest ? simulation->depth : r->deepest;
    bool exact = ending == FINISHED || simulation->exact;
    if (r->solver && exact && simulation->length > 0)
        simulation->steps[simulation->length - 1].edge->known =
            (struct plain_bounds){simulation->values[0], simulation->values[0]};
}

/* Takes a simulation back, as if it had never begun. */
static void take_back(struct plain *r, struct plain_simulation *simulation)
{
    for (int i = 0; i < simulation->length; ++i) {
        struct plain_node *node = simulation->steps[i].node;
        for (int e = 0; e < node->count; ++e)
            node->edges[e]->missed -=
                !plain_is_offered(node->edges[e], simulation->steps[i].offered);
        --node->in_flight;
        --simulation->steps[i].edge->in_flight;
        --simulation->steps[i].outcome->arrivals;
    }
    for (int p = 0; p < r->game->players; ++p) {
        if (simulation->arrived[p])
            --simulation->arrived[p]->arrivals;
        if (simulation->made[p] && simulation->made[p]->waiting)
            plain_receive_priors(simulation->made[p], simulation, NULL);
    }
}

/* --- ask and tell --- */

bool plain_draws_all(const struct plain *r)
{
    bool regret = r->options.rule == BANYAN_RULE_REGRET;
    return !r->options.sampler.sample &&
           (r->options.draw == BANYAN_DRAW_ALL || (r->options.draw == BANYAN_DRAW_AUTO && regret));
}

/* Draws a full state that is possible for the player who searches; or, if everything is drawn
 * anew, one drawn for each player in turn, each from the state drawn before. */
void plain_draw_state(struct plain *r, void *out)
{
    const struct banyan_search_sampler *sampler = &r->options.sampler;
    memcpy(out, r->root_state, r->game->state_size);
    if (sampler->sample)
        sampler->sample(sampler->ctx, r->root_state, r->viewer, out, &r->rng);
    else if (!plain_draws_all(r))
        r->game->determinize(r->game, out, r->viewer, &r->rng);
    else {
        for (int p = 0; p < r->game->players; ++p)
            r->game->determinize(r->game, r->drawn, p, &r->rng);
        memcpy(out, r->drawn, r->game->state_size);
    }
}

/* Begins a simulation at the root, in a state of its own or in one of the worlds that all
 * simulations share. */
static void begin(struct plain *r, struct plain_simulation *simulation)
{
    size_t size = r->game->state_size;
    int worlds = r->options.worlds, world = r->worlds_drawn;
    simulation->length = simulation->depth = 0;
    simulation->exact = false;
    simulation->world = -1;
    simulation->log.count = 0;
    memset(simulation->made, 0, sizeof simulation->made);
    for (int t = 0; t < r->trees; ++t)
        simulation->above[t] = &r->root[t];
    memcpy(simulation->state, r->root_state, size);
    if (!(r->game->traits & BANYAN_HIDDEN))
        return;
    if (worlds == 0) {
        plain_draw_state(r, simulation->state);
        return;
    }
    if (world < worlds)
        plain_draw_state(r, r->worlds + size * (size_t)r->worlds_drawn++);
    else
        world = (int)rng_below(&r->rng, (uint32_t)worlds);
    simulation->world = world;
    memcpy(simulation->state, r->worlds + size * (size_t)world, size);
}

void plain_fill_leaf(struct plain *r, struct plain_simulation *simulation, struct banyan_leaf *leaf)
{
    *leaf = (struct banyan_leaf){.game = r->game,
                                 .state = simulation->state,
                                 .movers = simulation->movers,
                                 .rng = &r->rng,
                                 .playout = plain_notes_moves(r) ? &simulation->log : NULL,
                                 .ticket = (uint32_t)(simulation - r->simulations)};
    for (int p = 0; p < r->game->players && r->evaluator->wants_actions; ++p) {
        if (!(simulation->movers >> p & 1))
            continue;
        leaf->count[p] = r->game->legal(r->game, simulation->state, p, simulation->actions[p]);
        leaf->actions[p] = simulation->actions[p];
        leaf->priors[p] = simulation->priors[p];
        memset(leaf->priors[p], 0, PLAIN_ACTIONS * sizeof *leaf->priors[p]);
    }
}

int plain_select(struct plain *r, struct banyan_leaf *leaves, int max)
{
    int found = 0;
    for (int i = 0; i < max && r->waiting < (uint64_t)r->options.batch; ++i) {
        struct plain_simulation *simulation = r->simulations;
        while (simulation->busy)
            ++simulation;
        plain_draw_noise(r);
        begin(r, simulation);
        enum ending ending = descend(r, simulation);
        if (ending == COLLISION) { /* a leaf that waits for values is not given out twice */
            take_back(r, simulation);
            break;
        }
        if (ending == OPEN) {
            simulation->busy = true;
            ++r->waiting;
            plain_fill_leaf(r, simulation, &leaves[found++]);
            continue;
        }
        back_up(r, simulation, ending);
    }
    return found;
}

void plain_take_back(struct plain *r)
{
    for (int i = 0; i < r->options.batch; ++i) {
        if (r->simulations[i].busy)
            take_back(r, &r->simulations[i]);
        r->simulations[i].busy = false;
    }
    r->waiting = 0;
}

void plain_update(struct plain *r, const struct banyan_leaf *leaves, int n)
{
    for (int i = 0; i < n; ++i) {
        struct plain_simulation *simulation = &r->simulations[leaves[i].ticket];
        memcpy(simulation->values, leaves[i].values, sizeof simulation->values);
        simulation->exact = leaves[i].exact;
        for (int p = 0; p < r->game->players; ++p)
            if (simulation->made[p] && simulation->made[p]->waiting)
                plain_receive_priors(simulation->made[p], simulation, simulation->priors[p]);
        back_up(r, simulation, OPEN);
        simulation->busy = false;
        --r->waiting;
    }
}

void plain_plan(struct plain *r, int64_t simulations, bool explore)
{
    r->planned = simulations;
    r->end = simulations > 0 ? r->simulated + simulations : 0;
    r->gumbel_done = 0;
    r->explores = explore;
}

/* --- making a search --- */

/* Whether two players may maximise the same value. */
static bool has_friends(const struct plain *r)
{
    const struct banyan_search_options *options = &r->options;
    return options->opponents == BANYAN_OPPONENTS_COALITION && r->game->players == 2 &&
           options->side[0] == options->side[1];
}

/* Whether bounds are proven: in games of one player, or of two opponents with a constant sum,
 * without chance and hidden information. */
static bool is_solvable(const struct plain *r)
{
    const struct banyan_search_options *options = &r->options;
    bool constant = r->game->players == 2 && r->game->traits & BANYAN_ZERO_SUM;
    return options->solver != BANYAN_SOLVER_OFF && (constant || r->game->players == 1) &&
           !has_friends(r) && !r->keyed && !options->transpositions &&
           options->rule != BANYAN_RULE_REGRET && options->score_weight <= 0;
}

/* Whether nodes hold decisive moves only: this needs movers who take an immediate win. */
static bool is_decisive(const struct plain *r)
{
    bool selfish =
        r->options.opponents == BANYAN_OPPONENTS_MAXN || (r->game->players <= 2 && !has_friends(r));
    return r->options.decisive && r->game->decisive && r->trees == 1 && selfish;
}

static bool has_priors(const struct plain *r)
{
    const struct banyan_search_options *options = &r->options;
    return options->rule == BANYAN_RULE_PUCT || options->rule == BANYAN_RULE_GUMBEL ||
           r->evaluator->wants_actions || (r->evaluator->game_priors && knows_priors(r)) ||
           options->progressive_bias > 0 ||
           (options->rule == BANYAN_RULE_GRAVE && options->grave_prior > 0) ||
           (options->widen_factor > 0 && knows_priors(r));
}

static void make_simulation(struct plain *r, struct plain_simulation *simulation)
{
    int players = r->game->players, most = r->game->max_plies * players;
    simulation->state = plain_take(r, r->game->state_size);
    simulation->steps = plain_take(r, (size_t)most * sizeof *simulation->steps);
    simulation->watched = plain_take(r, (size_t)most * sizeof *simulation->watched);
    simulation->keys = plain_take(r, (size_t)most * sizeof *simulation->keys);
    simulation->log.room = r->game->max_plies;
    simulation->log.moves = plain_take(r, (size_t)most * sizeof *simulation->log.moves);
    for (int p = 0; p < players; ++p) {
        simulation->actions[p] = plain_take(r, PLAIN_ACTIONS * sizeof(banyan_action));
        simulation->priors[p] = plain_take(r, PLAIN_ACTIONS * sizeof(float));
    }
}

struct plain *plain_create(const struct banyan_game *game,
                           const struct banyan_search_options *options,
                           struct banyan_evaluator *evaluator)
{
    struct plain *r = calloc(1, sizeof *r);
    assert(r);
    r->game = game;
    r->options = *options;
    r->evaluator = evaluator;
    banyan_rng_seed(&r->rng, options->seed);
    banyan_dice_drawn(&r->dice, &r->rng);
    r->trees = game->traits & (BANYAN_SIMULTANEOUS | BANYAN_HIDDEN) ? game->players : 1;
    r->keyed = game->traits & (BANYAN_CHANCE | BANYAN_SIMULTANEOUS | BANYAN_HIDDEN);
    r->priors = has_priors(r);
    r->solver = is_solvable(r);
    r->decisive = is_decisive(r);
    r->short_ucb1 = options->rule == BANYAN_RULE_UCB1 && options->implicit_minimax <= 0 &&
                    options->children_first && !r->solver && options->batch == 1 &&
                    options->progressive_bias <= 0 && options->progressive_history <= 0 &&
                    options->widen_factor <= 0 && !(game->traits & BANYAN_HIDDEN);
    r->expand_visits = options->expand_visits                ? options->expand_visits
                       : options->rule == BANYAN_RULE_REGRET ? 1
                                                             : 2;
    if (evaluator->wants_actions)
        r->expand_visits = 1;
    r->root_state = plain_take(r, game->state_size);
    r->drawn = plain_take(r, game->state_size);
    r->worlds = plain_take(r, game->state_size * (size_t)(options->worlds + 1));
    r->simulations = plain_take(r, (size_t)options->batch * sizeof *r->simulations);
    for (int i = 0; i < options->batch; ++i)
        make_simulation(r, &r->simulations[i]);
    return r;
}

void plain_destroy(struct plain *r)
{
    for (struct plain_block *block = r->memory, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    free(r);
}
