/* Makes the list of lines from which reports are written: visits the tree's nodes together with the
 * game's states, so that actions can be written as the players of the game write them. */
#include "search/report.h"
#include "search/search.h"
#include "search/states.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    /* where positions may meet again, a tree may be infinite, and double with each level */
    REPORT_MAX_LEVEL = 512,
    REPORT_MAX_LINES = 1 << 20,
    REPORT_MAX_PICTURE = 4000,
    REPORT_PIECE = 2048,         /* bytes written at once, at most */
    REPORT_PICTURES = 1000,      /* lines that get a picture, at most */
    REPORT_PICTURE_MAX = 1 << 15 /* bytes of a picture, at most */
};

struct report_walk {
    const struct banyan_search *search;
    const struct banyan_search_tree_view *view;
    struct report *report;
    struct states states;
    int pictures; /* how many lines have one */
};

/* As malloc, but the report remembers that there was no memory. */
static void *report_block(struct report *report, size_t size)
{
    void *block = malloc(size);
    report->failed |= !block;
    return block;
}

static int report_add(struct report *report, const struct report_line *line)
{
    report->too_long |= report->most > 0 && report->count == report->most;
    if (report->too_long)
        return -1;
    if (report->count == report->room) {
        int room = report->room ? 2 * report->room : 256;
        struct report_line *lines = realloc(report->lines, (size_t)room * sizeof *lines);
        if (!lines) {
            report->failed = true;
            return -1;
        }
        report->lines = lines;
        report->room = room;
    }
    report->lines[report->count] = *line;
    return report->count++;
}

/* Gives the line at index the picture of state (NULL: not known), as viewer sees it. */
static void report_add_picture(struct report_walk *walk, int index, const void *state, int viewer)
{
    const struct banyan_game *game = walk->search->game;
    int (*draw)(const struct banyan_game *, const void *, int, char *, size_t) =
        game->svg ? game->svg : game->draw;
    if (!walk->report->pictures || index < 0 || !state || !draw ||
        walk->pictures >= REPORT_PICTURES)
        return;
    int shown = game->traits & BANYAN_HIDDEN ? viewer : -1;
    int length = draw(game, state, shown, NULL, 0);
    if (length >= REPORT_PICTURE_MAX)
        return;
    char *picture = report_block(walk->report, (size_t)length + 1);
    if (!picture)
        return;
    draw(game, state, shown, picture, (size_t)length + 1);
    free(walk->report->lines[index].picture);
    walk->report->lines[index].picture = picture;
    ++walk->pictures;
}

/* --- from the tree to the list of lines --- */

static void report_node(struct report_walk *walk, const struct tree_node *node, const void *state,
                        struct report_line line);

/* Adds the line of a node, or of a leaf without a node, below an edge. */
static void report_outcome(struct report_walk *walk, uint32_t ref, const void *state,
                           const struct report_line *edge, int parent, uint32_t visits)
{
    const struct tree_node *node = ref ? tree_node(&walk->search->tree, ref) : NULL;
    struct report_line line = {.kind = REPORT_NODE,
                               .level = edge->level + 1,
                               .parent = parent,
                               .player = node ? node->mover : -1,
                               .actions = node ? node->count : 0,
                               .probability = edge->visits ? (double)visits / edge->visits : 0,
                               .visits = visits,
                               .mean = NAN};
    if (line.probability > 1) /* another thread visited the node after the edge was read */
        line.probability = 1;
    if (edge->chance && state)
        snprintf(line.label, sizeof line.label, "%s", walk->states.label);
    if (node) {
        report_node(walk, node, state, line);
    } else {
        int at = report_add(walk->report, &line);
        if (at >= 0)
            walk->report->lines[at].end = at + 1;
        if (edge->chance)
            report_add_picture(walk, at, state, edge->player);
    }
}

/* A candidate for a line below another one: an edge of a node, or an outcome of an edge. */
struct report_choice {
    uint32_t visits;
    uint32_t at; /* index of the edge, or number of the outcome */
    int order;   /* order among candidates of equal visits */
};

static int report_compare(const void *a, const void *b)
{
    const struct report_choice *x = a, *y = b;
    int by_visits = (x->visits < y->visits) - (x->visits > y->visits);
    return by_visits ? by_visits : x->order - y->order;
}

/* Sorts the candidates, most visited first.  Returns how many of them the view shows, and
 * counts the others as left out of the line at parent. */
static int report_pick(const struct report_walk *walk, struct report_choice *choices, int count,
                       int parent)
{
    int most = walk->view->max_children, shown = 0;
    qsort(choices, (size_t)count, sizeof *choices, report_compare);
    while (shown < count && choices[shown].visits >= walk->view->min_visits &&
           (most == 0 || shown < most))
        ++shown;
    walk->report->lines[parent].left_out += count - shown;
    return shown;
}

static int report_count_outcomes(const struct tree *tree, uint32_t ref)
{
    if (!ref)
        return 0;
    const struct tree_outcome *outcome = tree_outcome(tree, ref);
    return 1 + report_count_outcomes(tree, outcome->left) +
           report_count_outcomes(tree, outcome->right);
}

/* Outcomes of smaller keys come first. */
static int report_list_outcomes(const struct tree *tree, uint32_t ref,
                                struct report_choice *choices, int count)
{
    if (!ref)
        return count;
    const struct tree_outcome *outcome = tree_outcome(tree, ref);
    count = report_list_outcomes(tree, outcome->left, choices, count);
    choices[count] = (struct report_choice){tree_arrivals(tree, outcome), ref, count};
    return report_list_outcomes(tree, outcome->right, choices, count + 1);
}

static void report_outcomes(struct report_walk *walk, uint32_t ref, const struct states_step *step,
                            const struct report_line *edge, int parent)
{
    const struct tree *tree = &walk->search->tree;
    int count = report_count_outcomes(tree, ref);
    struct report_choice *choices =
        report_block(walk->report, (size_t)(count + 1) * sizeof *choices);
    if (!choices)
        return;
    report_list_outcomes(tree, ref, choices, 0);
    int shown = report_pick(walk, choices, count, parent);
    for (int i = 0; i < shown; ++i) {
        const struct tree_outcome *outcome = tree_outcome(tree, choices[i].at);
        int player = outcome->node ? tree_node(tree, outcome->node)->mover : step->mover;
        void *after =
            step->state ? report_block(walk->report, walk->search->game->state_size) : NULL;
        bool found = after && states_find(&walk->states, step, outcome->key, player, after);
        report_outcome(walk, outcome->node, found ? after : NULL, edge, parent,
                       tree_arrivals(tree, outcome));
        free(after);
    }
    free(choices);
}

/* The state after an action that has one outcome; the caller frees it; NULL: no memory. */
static void *report_after(const struct report_walk *walk, const struct tree_node *node,
                          banyan_action action, const void *state)
{
    const struct banyan_game *game = walk->search->game;
    void *after = report_block(walk->report, game->state_size);
    if (after)
        states_after(game, &(struct states_step){state, node->mover, action}, after);
    return after;
}

static void report_below(struct report_walk *walk, const struct tree_node *node, int index,
                         const void *state, const struct report_line *edge, int parent)
{
    const struct tree *tree = &walk->search->tree;
    uint32_t child = tree_edges(tree, node)[index].child;
    banyan_action action = tree_action(tree, node, index);
    if (tree->layout.keyed) {
        report_outcomes(walk, child, &(struct states_step){state, node->mover, action}, edge,
                        parent);
        return;
    }
    void *after = child && state ? report_after(walk, node, action, state) : NULL;
    if (child)
        report_outcome(walk, child, after, edge, parent, edge->visits);
    free(after);
}

static void report_edge(struct report_walk *walk, const struct tree_node *node, int index,
                        const void *state, int level, int parent)
{
    const struct banyan_game *game = walk->search->game;
    struct banyan_search_move row;
    search_fill_row(walk->search, node, index, NULL, &row);
    struct report_line line = {.kind = REPORT_EDGE,
                               .level = level,
                               .parent = parent,
                               .player = node->mover,
                               .visits = (uint32_t)row.visits,
                               .mean = row.mean,
                               .prior = row.prior,
                               .lo = row.lo,
                               .hi = row.hi,
                               .chance = walk->search->tree.layout.keyed};
    if (states_is_legal(&walk->states, state, node->mover, row.action))
        game->action_format(game, state, node->mover, row.action, line.label, sizeof line.label);
    else
        snprintf(line.label, sizeof line.label, "#%llu", (unsigned long long)row.action);
    int at = report_add(walk->report, &line);
    if (at < 0)
        return;
    if (!line.chance && state && walk->report->pictures) {
        void *after = report_after(walk, node, row.action, state);
        report_add_picture(walk, at, after, node->mover);
        free(after);
    }
    int depth = walk->view->depth > 0 ? walk->view->depth : REPORT_MAX_LEVEL;
    if (level + 1 < depth)
        report_below(walk, node, index, state, &line, at);
    walk->report->lines[at].end = walk->report->count;
}

static void report_node(struct report_walk *walk, const struct tree_node *node, const void *state,
                        struct report_line line)
{
    const struct tree_edge *edges = tree_edges(&walk->search->tree, node);
    int at = report_add(walk->report, &line);
    struct report_choice *choices =
        report_block(walk->report, (size_t)(node->tried + 1) * sizeof *choices);
    if (at < 0 || !choices) {
        free(choices);
        return;
    }
    int above = line.parent;
    if (above < 0 || walk->report->lines[above].chance) /* else the edge above has the picture */
        report_add_picture(walk, at, state,
                           above < 0 ? line.player : walk->report->lines[above].player);
    for (int i = 0; i < node->tried; ++i)
        choices[i] = (struct report_choice){edges[i].visits, (uint32_t)i, i};
    int shown = report_pick(walk, choices, node->tried, at);
    for (int i = 0; i < shown; ++i)
        report_edge(walk, node, (int)choices[i].at, state, line.level, at);
    walk->report->lines[at].end = walk->report->count;
    free(choices);
}

/* Adds one root line for every player who moves at the root. */
static void report_roots(struct report_walk *walk)
{
    const struct banyan_search *search = walk->search;
    unsigned movers = search->game->movers(search->game, search->root.state);
    float values[BANYAN_MAX_PLAYERS];
    banyan_search_root_values(search, values);
    for (int p = 0; p < search->game->players; ++p) {
        const struct tree_node *node = movers >> p & 1 ? search_root_node(search, p) : NULL;
        struct report_line line = {.kind = REPORT_NODE,
                                   .parent = -1,
                                   .player = p,
                                   .probability = 1,
                                   .visits = tree_counted(search->root.visits),
                                   .mean = values[p]};
        if (node) {
            line.actions = node->count;
            report_node(walk, node, search->root.state, line);
        } else if (movers >> p & 1) {
            int at = report_add(walk->report, &line);
            if (at >= 0)
                walk->report->lines[at].end = at + 1;
        }
    }
}

void report_print(struct report_out *out, const char *format, ...)
{
    char text[REPORT_PIECE];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    assert(length >= 0 && length < REPORT_PIECE); /* labels and names are short enough */
    if (!out->failed)
        out->failed = !out->write(out->ctx, text, (size_t)length);
}

static enum banyan_status report_gather(const struct banyan_search *search,
                                        const struct banyan_search_tree_view *view,
                                        struct report *report, struct banyan_error *err)
{
    struct report_walk walk = {.search = search, .view = view, .report = report};
    bool begun = states_begin(&walk.states, search, search->options.seed);
    report->most = search->options.transpositions ? REPORT_MAX_LINES : 0;
    if (begun)
        report_roots(&walk);
    report->failed |= !begun;
    states_end(&walk.states);
    if (report->failed)
        return banyan_fail(err, BANYAN_NO_MEMORY,
                           "no memory for a view of the tree; show less of it (depth, min-visits)");
    if (report->too_long)
        return banyan_fail(err, BANYAN_INVALID,
                           "with transpositions, the view has more than %d lines; show less of the "
                           "tree (depth, min-visits, max-children)",
                           REPORT_MAX_LINES);
    return BANYAN_OK;
}

enum banyan_status banyan_search_write_tree(const struct banyan_search *search,
                                            const struct banyan_search_tree_view *view,
                                            banyan_write_fn *write, void *ctx,
                                            struct banyan_error *err)
{
    static void (*const writers[])(const struct report *, struct report_out *) = {
        [BANYAN_TREE_TEXT] = report_write_text, [BANYAN_TREE_XML] = report_write_xml,
        [BANYAN_TREE_JSON] = report_write_json, [BANYAN_TREE_DOT] = report_write_dot,
        [BANYAN_TREE_SVG] = report_write_svg,   [BANYAN_TREE_HTML] = report_write_html,
    };
    struct report report = {.game = search->game, .pictures = view->format == BANYAN_TREE_HTML};
    if (search_needs_root(search, err) != BANYAN_OK)
        return BANYAN_INVALID;
    if (view->format < 0 || view->format > BANYAN_TREE_HTML)
        return banyan_fail(err, BANYAN_INVALID, "format is %d: the formats of a tree are 0 to %d",
                           view->format, BANYAN_TREE_HTML);
    enum banyan_status status = report_gather(search, view, &report, err);
    if (status == BANYAN_OK && view->format >= BANYAN_TREE_DOT && report.count > REPORT_MAX_PICTURE)
        status = banyan_fail(err, BANYAN_INVALID,
                             "%d lines are too many for a picture (%d); show less of the tree "
                             "(depth, min-visits, max-children)",
                             report.count, REPORT_MAX_PICTURE);
    if (status == BANYAN_OK) {
        struct report_out out = {.write = write, .ctx = ctx};
        writers[view->format](&report, &out);
        if (out.refused)
            status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a picture of the tree");
        else if (out.failed)
            status = banyan_fail(err, BANYAN_IO,
                                 "the tree could not be written: is there room on the disk?");
    }
    for (int i = 0; i < report.count; ++i)
        free(report.lines[i].picture);
    free(report.lines);
    return status;
}
