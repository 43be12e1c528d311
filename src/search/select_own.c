/* Rules behind the public interface (banyan/rule.h): those of users, and UCB1-tuned. */
#include "base/numeric.h"
#include "search/select.h"

double banyan_ln(double x)
{
    return numeric_ln(x);
}

double banyan_exp(double x)
{
    return numeric_exp(x);
}

/* The layouts are equal, so a rule may read the edges of the tree as its own array, if no edge is left out or replaced
 * (own_pick_plain). */
_Static_assert(sizeof(struct banyan_rule_edge) == sizeof(struct tree_edge) &&
                   offsetof(struct banyan_rule_edge, mean) == offsetof(struct tree_edge, mean) &&
                   offsetof(struct banyan_rule_edge, visits) == offsetof(struct tree_edge, visits),
               "an edge of the tree begins as a rule sees it");

/* The arrays in which the edges for a rule are gathered: those of the search, or of one entry. */
struct own_room {
    struct banyan_rule_edge *edges;
    double *chances, *variances, *roots, *scores;
    float *priors;
    uint16_t *at; /* indices in the node */
    /* what the short forms show to the rule; they set only the members that differ between nodes */
    struct banyan_rule_node seen;
};

size_t select_own_bytes(size_t room)
{
    return sizeof(struct own_room) +
           (room + 1) * (sizeof(struct banyan_rule_edge) + 4 * sizeof(double) + sizeof(float) +
                         sizeof(uint16_t)) +
           8;
}

void select_own_open(struct banyan_search *search, size_t room)
{
    struct own_room *own = search->scratch.own_rule;
    size_t entries =
        room + 1; /* an edge that is left out is written behind those that are gathered */
    own->edges = (struct banyan_rule_edge *)(own + 1);
    own->chances = (double *)(own->edges + entries);
    own->variances = own->chances + entries;
    own->roots = own->variances + entries;
    own->scores = own->roots + entries;
    own->priors = (float *)(own->scores + entries);
    own->at = (uint16_t *)(own->priors + entries);
    own->seen = (struct banyan_rule_node){
        .game = search->game, .reward_width = search->reward_width, .rng = &search->rng};
}

static double own_sqrt_ln(double visits)
{
    return visits > 1 ? sqrt(numeric_ln(visits)) : 0;
}

/* The variance of the returns of the edge's finished visits. */
static double own_variance(const struct select_view *view, int i)
{
    double done = view->edges[i].visits, mean = view->edges[i].mean;
    return done > 0 ? view->squares[i] / done - mean * mean : NAN;
}

/* Adds edge i to those that the rule sees. */
static void own_add(const struct banyan_rule *rule, const struct select_view *view, int i,
                    struct own_room *own, struct banyan_rule_node *node)
{
    int k = node->count++;
    own->at[k] = (uint16_t)i;
    own->edges[k] = (struct banyan_rule_edge){
        .mean = select_mean(view, i),
        .visits = tree_counted((uint64_t)view->edges[i].visits +
                               (view->in_flight ? view->in_flight[i] : 0))};
    if (view->legal)
        own->chances[k] = select_chances(view, i);
    if (rule->wants_variances)
        own->variances[k] = own_variance(view, i);
    if (rule->wants_priors)
        own->priors[k] = view->priors[i];
}

static struct banyan_rule_node own_open(const struct banyan_search *search,
                                        const struct select_view *view, struct own_room *own)
{
    const struct banyan_rule *rule = &search->own_rule;
    return (struct banyan_rule_node){
        .game = search->game,
        .player = view->mover,
        .visits = view->visits,
        .mean = rule->scores_untried ? select_node_mean(view) : 0,
        .sqrt_ln_visits = own_sqrt_ln(view->visits),
        .reward_width = search->reward_width,
        .edges = own->edges,
        .inverse_sqrt = rule->wants_inverse_sqrt ? own->roots : NULL,
        .chances = view->legal ? own->chances : NULL,
        .priors = rule->wants_priors ? own->priors : NULL,
        .variances = rule->wants_variances ? own->variances : NULL,
    };
}

/* The place of the highest of count scores, the first of equal ones. */
static int own_highest(const double *scores, int count)
{
    int best = 0;
    double highest = scores[0];
    for (int k = 1; k < count; ++k) {
        best = scores[k] > highest ? k : best;
        highest = scores[k] > highest ? scores[k] : highest;
    }
    return best;
}

/* Fills 1/sqrt(visits) of all edges that the rule sees, if it wants that. */
static void own_add_roots(const struct banyan_rule *rule, const struct banyan_rule_node *seen,
                          double *roots)
{
    for (int k = 0; rule->wants_inverse_sqrt && k < seen->count; ++k)
        roots[k] = numeric_inverse_sqrt(seen->edges[k].visits);
    if (rule->wants_inverse_sqrt && seen->has_untried)
        roots[seen->count] = 1;
}

/* Asks the rule for scores; returns the place of the highest. */
static int own_ask(const struct banyan_rule *rule, const struct banyan_rule_node *seen,
                   double *scores)
{
    rule->scores(rule->ctx, seen, scores);
    return own_highest(scores, seen->count + seen->has_untried);
}

/* Whether the edges stand in the node as the rule is to see them, so that nothing need be gathered. */
static bool own_in_place(const struct banyan_rule *rule, const struct tree_node *node,
                         const struct select_view *view)
{
    bool changed = view->offered || view->legal || view->implicit || rule->wants_variances ||
                   node->in_flight || node->flags & TREE_UNVISITED;
    for (int i = 0; view->bounds && !changed && i < view->tried; ++i)
        changed = search_proven(&view->bounds[i]) || select_skip(view, i);
    return !changed;
}

/* Gathers the edges that may be chosen.  Returns the index of an edge without visits, which is
 * chosen before all others; -1: there is none. */
static int own_gather(const struct banyan_search *search, const struct select_view *view,
                      struct own_room *own, struct banyan_rule_node *seen)
{
    for (int k = 0; k < view->offered_tried; ++k) {
        int i = select_at(view, k);
        if (select_skip(view, i))
            continue;
        if (select_arrivals(view, i) <= 0) /* from a book */
            return i;
        own_add(&search->own_rule, view, i, own, seen);
    }
    return -1;
}

/* Adds the action to try next to what the rule sees. */
static void own_add_untried(const struct banyan_rule *rule, const struct select_view *view,
                            int fresh, struct own_room *own, struct banyan_rule_node *seen)
{
    seen->has_untried = true;
    if (rule->wants_priors)
        own->priors[seen->count] = view->priors[fresh];
    if (view->legal)
        own->chances[seen->count] = select_chances(view, fresh);
}

static int own_pick(struct banyan_search *search, struct tree_node *node,
                    struct select_choice *choice)
{
    const struct banyan_rule *rule = &search->own_rule;
    int fresh = select_fresh(search, node, &choice->offer), first = -1;
    if (fresh >= 0 && !rule->scores_untried)
        return fresh;
    struct select_view view;
    struct own_room *own = search->scratch.own_rule;
    select_open(search, node, &choice->offer, &view);
    struct banyan_rule_node seen = own_open(search, &view, own);
    bool in_place = fresh < 0 && own_in_place(rule, node, &view);
    if (in_place) {
        seen.count = view.tried;
        seen.edges = (const void *)view.edges;
        seen.priors = rule->wants_priors ? view.priors : NULL;
    } else {
        first = own_gather(search, &view, own, &seen);
    }
    if (first >= 0 || seen.count == 0)
        return first >= 0 ? first : fresh >= 0 ? fresh : select_or_any(&view, -1);
    if (fresh >= 0)
        own_add_untried(rule, &view, fresh, own, &seen);
    seen.rng = &search->rng;
    own_add_roots(rule, &seen, own->roots);
    int best = own_ask(rule, &seen, own->scores);
    return in_place ? best : best == seen.count ? fresh : own->at[best];
}

/* What the rule sees of a node in the short forms: its edges as they stand in the tree. */
static struct banyan_rule_node *own_show(const struct banyan_search *search,
                                         const struct tree_node *node, struct own_room *own)
{
    struct banyan_rule_node *seen = &own->seen;
    seen->player = node->mover;
    seen->count = node->tried;
    seen->visits = node->visits;
    seen->sqrt_ln_visits = node->sqrt_ln_visits;
    seen->edges = (const void *)tree_edges(&search->tree, node);
    return seen;
}

/* The short form where all edges stand in the node as the rule sees them: no visits in flight, no
 * proofs, no hidden cards, no widening, no variances, no scores of untried actions. */
static int own_pick_plain(struct banyan_search *search, struct tree_node *node,
                          struct select_choice *choice)
{
    const struct banyan_rule *rule = &search->own_rule;
    struct own_room *own = search->scratch.own_rule;
    if (node->tried < node->count)
        return tree_next(&search->tree, node);
    int unvisited = node->flags & TREE_UNVISITED ? select_unvisited(search, node) : -1;
    if (unvisited >= 0)
        return unvisited;
    struct banyan_rule_node *seen = own_show(search, node, own);
    seen->inverse_sqrt = tree_column_or_null(&search->tree, node, TREE_ROOTS);
    seen->priors = rule->wants_priors ? tree_priors(&search->tree, node) : NULL;
    return own_ask(rule, seen, own->scores);
}

/* Gathers the edges that are not refuted, proven ones with their values, where the tree has nothing but bounds that
 * changes what the rule sees.  Returns how many. */
static int own_gather_bounded(const struct banyan_search *search, const struct tree_node *node,
                              const struct own_room *own)
{
    const struct tree *tree = &search->tree;
    const struct tree_edge *edges = tree_edges(tree, node);
    const struct tree_bounds *bounds = tree_column(tree, node, TREE_BOUNDS);
    const float guaranteed = search_guaranteed(bounds, node);
    const bool first = node->mover == 0;
    const double sum = first ? 0 : search->constant_sum, sign = first ? 1 : -1;
    int count = 0;
    for (int i = 0, tried = node->tried; i < tried; ++i) {
        double value = sum + sign * (double)bounds[i].lo;
        own->at[count] = (uint16_t)i;
        own->edges[count].mean = search_proven(&bounds[i]) ? value : edges[i].mean;
        own->edges[count].visits = edges[i].visits;
        own->roots[count] = numeric_inverse_sqrt(edges[i].visits);
        count += !search_pruned(&bounds[i], node->mover, guaranteed);
    }
    return count;
}

/* The choice where edges may be proven or refuted. */
static int own_pick_narrowed(struct banyan_search *search, const struct tree_node *node,
                             struct own_room *own)
{
    const struct banyan_rule *rule = &search->own_rule;
    struct banyan_rule_node *seen = own_show(search, node, own);
    seen->count = own_gather_bounded(search, node, own);
    seen->edges = own->edges;
    seen->inverse_sqrt = rule->wants_inverse_sqrt ? own->roots : NULL;
    if (seen->count == 0)
        return 0;
    return own->at[own_ask(rule, seen, own->scores)];
}

/* The short form with a solver.  Here 1/sqrt(visits) has no column: the table of
 * numeric_inverse_sqrt() is faster than 8 bytes more at every edge. */
static int own_pick_bounded(struct banyan_search *search, struct tree_node *node,
                            struct select_choice *choice)
{
    const struct banyan_rule *rule = &search->own_rule;
    struct own_room *own = search->scratch.own_rule;
    if (node->tried < node->count)
        return tree_next(&search->tree, node);
    int unvisited = node->flags & TREE_UNVISITED ? select_unvisited(search, node) : -1;
    if (unvisited >= 0)
        return own_pick(search, node, choice);
    if (node->flags & TREE_NARROWED)
        return own_pick_narrowed(search, node, own);
    struct banyan_rule_node *seen = own_show(search, node, own);
    own_add_roots(rule, seen, own->roots);
    seen->inverse_sqrt = rule->wants_inverse_sqrt ? own->roots : NULL;
    return own_ask(rule, seen, own->scores);
}

/* The score of one edge for a table.  It is computed in arrays of one entry, so that the search
 * does not change. */
static double own_row_score(const struct banyan_search *search, const struct tree_node *node,
                            int index, const struct offer *offer)
{
    struct banyan_rule_edge edge;
    double chances, variance, root, score;
    float prior;
    uint16_t at;
    struct own_room own = {&edge, &chances, &variance, &root, &score, &prior, &at, {.count = 0}};
    struct select_view view;
    struct banyan_rng rng = search->rng;
    select_open(search, node, offer, &view);
    if (select_arrivals(&view, index) <= 0)
        return INFINITY;
    struct banyan_rule_node seen = own_open(search, &view, &own);
    own_add(&search->own_rule, &view, index, &own, &seen);
    const double *roots = tree_column_or_null(&search->tree, node, TREE_ROOTS);
    own_add_roots(&search->own_rule, &seen, &root);
    if (roots)
        root = roots[index];
    seen.rng = &rng;
    search->own_rule.scores(search->own_rule.ctx, &seen, &score);
    return score;
}

/* Auer, Cesa-Bianchi, Fischer 2002, section 4: rewards in [0,1], n visits of the node, n_j of the
 * action, mean + sqrt(ln n / n_j * min(1/4, variance + sqrt(2 ln n / n_j))). */
static void tuned_scores(void *ctx, const struct banyan_rule_node *node, double *out)
{
    double scale = *(const double *)ctx;
    for (int i = 0; i < node->count; ++i) {
        double chances = node->chances ? node->chances[i] : node->visits;
        double ln = chances > 1 ? numeric_ln(chances) : 0, n = node->edges[i].visits;
        double variance = node->variances[i] * scale * scale;
        double bound = (variance > 0 ? variance : 0) + sqrt(2 * ln / n);
        bound = bound < 0.25 && !isnan(variance) ? bound : 0.25;
        out[i] = node->edges[i].mean + sqrt(ln / n * bound) / scale;
    }
}

struct banyan_rule select_tuned_rule(struct banyan_search *search)
{
    return (struct banyan_rule){.struct_size = sizeof(struct banyan_rule),
                                .name = "ucb1-tuned",
                                .ctx = &search->reward_scale,
                                .scores = tuned_scores,
                                .wants_variances = true,
                                .reentrant = true};
}

const struct select_rule select_by_rule = {.pick = own_pick, .score = own_row_score};
const struct select_rule select_by_rule_bounded = {.pick = own_pick_bounded,
                                                   .pick_offered = own_pick,
                                                   .score = own_row_score,
                                                   .keeps_sqrt_ln = true};
const struct select_rule select_by_rule_plain = {.pick = own_pick_plain,
                                                 .pick_offered = own_pick,
                                                 .score = own_row_score,
                                                 .keeps_sqrt_ln = true,
                                                 .keeps_roots = true};
