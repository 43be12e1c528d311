/* Cuts the tree to what a page can show, as columns of rows. */
#include "web/tree_rows.h"

#include "search/states.h"
#include "json/show.h"

#include <banyan/tree.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TREE_ROWS_MOST ((uint64_t)1 << 62) /* more visits than any row has */

enum { TREE_ROWS_ID = 48, TREE_ROWS_LABEL = 64, TREE_ROWS_PICTURE = 1 << 16 };

/* --- paths --- */

/* Reads "/ACTION" or "/ACTION@KEY" at *at and moves past it. */
static bool tree_rows_read_step(const char **at, struct tree_rows_step *step)
{
    char *end;
    if (**at != '/' || (*at)[1] < '0' || (*at)[1] > '9')
        return false;
    step->action = strtoull(*at + 1, &end, 10);
    step->key = 0;
    if (*end == '@') {
        const char *key = end + 1;
        step->key = strtoull(key, &end, 16);
        if (end == key || strspn(key, "0123456789abcdef") != (size_t)(end - key))
            return false;
    }
    *at = end;
    return true;
}

enum banyan_status tree_rows_parse(const char *text, int players, struct tree_rows_path *out,
                                   struct banyan_error *err)
{
    out->player = *text - '0';
    out->length = 0;
    if (out->player < 0 || out->player >= players)
        return banyan_fail(err, BANYAN_INVALID,
                           "a path begins with the number of a player, 0 to %d", players - 1);
    for (const char *at = text + 1; *at; ++out->length)
        if (out->length == TREE_ROWS_STEPS || !tree_rows_read_step(&at, &out->steps[out->length]))
            return banyan_fail(err, BANYAN_INVALID,
                               "a path has at most %d steps, each /ACTION or /ACTION@KEY",
                               TREE_ROWS_STEPS);
    return BANYAN_OK;
}

/* --- rows --- */

enum tree_rows_flag {
    TREE_ROWS_OUTCOME = 1, /* dice, hidden cards or the others decided */
    TREE_ROWS_PROVEN = 2
};

struct tree_rows_row {
    int parent; /* row; -1: none */
    int player; /* who chose the action; of a root: who is to move */
    uint64_t visits;
    double mean, prior; /* NaN: none */
    int flags;
    int more; /* children that were left out */
    char label[TREE_ROWS_LABEL];
    char id[TREE_ROWS_ID]; /* step of a path from the row above */
};

/* One cut of the tree. */
struct tree_rows {
    const struct tree_rows_source *source;
    const struct tree_rows_path *path; /* NULL: the whole tree */
    struct states states;
    uint64_t least; /* rows with fewer visits are left out */
    int depth, budget;
    struct tree_rows_row *rows; /* [budget + 1], owned */
    int count;
    bool failed; /* no memory */
};

/* A node on the way down. */
struct tree_rows_place {
    banyan_node node;  /* 0: none */
    const void *state; /* NULL: not known */
    int row;
    int level; /* number of actions on the path to the node */
};

/* Returns the number of the new row; -1: there is no room. */
static int tree_rows_add(struct tree_rows *rows, const struct tree_rows_row *row)
{
    if (rows->count > rows->budget)
        return -1;
    rows->rows[rows->count] = *row;
    return rows->count++;
}

/* The step of the path at this level; NULL: the path has ended, so all actions are shown. */
static const struct tree_rows_step *tree_rows_only(const struct tree_rows *rows, int level)
{
    return rows->path && level < rows->path->length ? &rows->path->steps[level] : NULL;
}

static void tree_rows_below(struct tree_rows *rows, const struct tree_rows_place *place);

/* Adds what follows an action in one of its outcomes. */
static void tree_rows_outcome(struct tree_rows *rows, const struct states_step *step,
                              const struct banyan_tree_outcome *outcome,
                              const struct tree_rows_place *above)
{
    const struct banyan_search *search = rows->source->search;
    struct banyan_tree_node node = {.player = step->mover};
    struct tree_rows_place place = {outcome->node, NULL, above->row, above->level + 1};
    void *after = step->state ? malloc(rows->source->game->state_size) : NULL;
    rows->failed |= step->state && !after;
    if (outcome->node)
        banyan_tree_node(search, outcome->node, &node, sizeof node);
    if (after && states_is_legal(&rows->states, step->state, step->mover, step->action)) {
        if (outcome->key == 0)
            states_after(rows->source->game, step, after);
        if (outcome->key == 0 || states_find(&rows->states, step, outcome->key, node.player, after))
            place.state = after;
    }
    if (outcome->key) {
        struct tree_rows_row row = {.parent = above->row,
                                    .player = step->mover,
                                    .visits = outcome->visits,
                                    .mean = NAN,
                                    .prior = NAN,
                                    .flags = TREE_ROWS_OUTCOME};
        snprintf(row.label, sizeof row.label, "%s", place.state ? rows->states.label : "");
        snprintf(row.id, sizeof row.id, "@%" PRIx64, outcome->key);
        place.row = tree_rows_add(rows, &row);
    }
    if (place.row >= 0)
        tree_rows_below(rows, &place);
    free(after);
}

static int tree_rows_by_visits(const void *a, const void *b)
{
    const struct banyan_tree_outcome *x = a, *y = b;
    return (x->visits < y->visits) - (x->visits > y->visits);
}

static void tree_rows_outcomes(struct tree_rows *rows, int index, const struct states_step *step,
                               const struct tree_rows_place *above, int count)
{
    const struct tree_rows_step *only = tree_rows_only(rows, above->level);
    struct banyan_tree_outcome *outcomes = malloc((size_t)(count + 1) * sizeof *outcomes);
    rows->failed |= !outcomes;
    count = outcomes
                ? banyan_tree_outcomes(rows->source->search, above->node, index, outcomes, count)
                : 0;
    if (count)
        qsort(outcomes, (size_t)count, sizeof *outcomes, tree_rows_by_visits);
    const struct tree_rows_place place = {above->node, above->state, rows->count - 1, above->level};
    for (int i = 0; i < count; ++i) {
        bool wanted = only && only->key ? outcomes[i].key == only->key
                                        : outcomes[i].visits >= rows->least || only;
        if (wanted)
            tree_rows_outcome(rows, step, &outcomes[i], &place);
        else if (!only)
            ++rows->rows[place.row].more;
    }
    free(outcomes);
}

static void tree_rows_edge(struct tree_rows *rows, int index, const struct banyan_tree_edge *edge,
                           int player, const struct tree_rows_place *place)
{
    const struct banyan_game *game = rows->source->game;
    const struct banyan_search_move *move = &edge->move;
    struct tree_rows_row row = {.parent = place->row,
                                .player = player,
                                .visits = move->visits,
                                .mean = move->mean,
                                .prior = (double)move->prior,
                                .flags = edge->is_proven ? TREE_ROWS_PROVEN : 0};
    if (states_is_legal(&rows->states, place->state, player, move->action))
        game->action_format(game, place->state, player, move->action, row.label, sizeof row.label);
    else
        snprintf(row.label, sizeof row.label, "#%" PRIu64, move->action);
    snprintf(row.id, sizeof row.id, "/%" PRIu64, move->action);
    if (tree_rows_add(rows, &row) >= 0 && place->level + 1 < rows->depth)
        tree_rows_outcomes(rows, index, &(struct states_step){place->state, player, move->action},
                           place, edge->outcomes);
}

struct tree_rows_choice {
    int index;
    struct banyan_tree_edge edge;
};

/* Orders choices: the most visited first, equally visited ones in the order in which they were
 * tried. */
static int tree_rows_compare(const void *a, const void *b)
{
    const struct tree_rows_choice *x = a, *y = b;
    uint64_t one = x->edge.move.visits, other = y->edge.move.visits;
    return one != other ? (one < other) - (one > other) : x->index - y->index;
}

/* The edges of a node that were tried, sorted; caller frees; NULL: no memory. */
static struct tree_rows_choice *tree_rows_choices(const struct banyan_search *search,
                                                  banyan_node at, struct banyan_tree_node *node)
{
    banyan_tree_node(search, at, node, sizeof *node);
    struct tree_rows_choice *choices = malloc(((size_t)node->tried + 1) * sizeof *choices);
    for (int i = 0; choices && i < node->tried; ++i) {
        choices[i].index = i;
        banyan_tree_edge(search, at, i, &choices[i].edge, sizeof choices[i].edge);
    }
    if (choices)
        qsort(choices, (size_t)node->tried, sizeof *choices, tree_rows_compare);
    return choices;
}

/* Adds the actions of a node and all below them. */
static void tree_rows_below(struct tree_rows *rows, const struct tree_rows_place *place)
{
    struct banyan_tree_node node;
    const struct tree_rows_step *only = tree_rows_only(rows, place->level);
    if (!place->node || rows->count > rows->budget)
        return;
    struct tree_rows_choice *choices = tree_rows_choices(rows->source->search, place->node, &node);
    rows->failed |= !choices;
    for (int i = 0; choices && i < node.tried; ++i) {
        const struct banyan_tree_edge *edge = &choices[i].edge;
        if (only ? edge->move.action == only->action : edge->move.visits >= rows->least)
            tree_rows_edge(rows, choices[i].index, edge, node.player, place);
        else if (!only)
            ++rows->rows[place->row].more;
    }
    free(choices);
}

/* Adds one root for every player who moves there. */
static void tree_rows_roots(struct tree_rows *rows)
{
    const struct tree_rows_source *source = rows->source;
    struct banyan_search_stats stats;
    float values[BANYAN_MAX_PLAYERS];
    unsigned movers = source->game->movers(source->game, source->state);
    banyan_search_stats(source->search, &stats, sizeof stats);
    banyan_search_root_values(source->search, values);
    rows->count = 0;
    for (int p = 0; p < source->game->players; ++p) {
        if (!(movers >> p & 1) || (rows->path && rows->path->player != p))
            continue;
        struct tree_rows_row row = {.parent = -1,
                                    .player = p,
                                    .visits = stats.simulations,
                                    .mean = (double)values[p],
                                    .prior = NAN};
        snprintf(row.id, sizeof row.id, "%d", p);
        const struct tree_rows_place place = {banyan_tree_root(source->search, p, 0), source->state,
                                              tree_rows_add(rows, &row), 0};
        if (place.row >= 0)
            tree_rows_below(rows, &place);
    }
}

/* --- columns --- */

static json_t *tree_rows_columns(const struct tree_rows *rows)
{
    json_t *parent = json_array(), *label = json_array(), *id = json_array(),
           *player = json_array(), *visits = json_array(), *mean = json_array(),
           *prior = json_array(), *flags = json_array(), *more = json_array();
    for (int i = 0; i < rows->count; ++i) {
        const struct tree_rows_row *row = &rows->rows[i];
        json_array_append_new(parent, json_integer(row->parent));
        json_array_append_new(label, json_string(row->label));
        json_array_append_new(id, json_string(row->id));
        json_array_append_new(player, json_integer(row->player));
        json_array_append_new(visits, json_integer((json_int_t)row->visits));
        json_array_append_new(mean, show_number(row->mean));
        json_array_append_new(prior, show_number(row->prior));
        json_array_append_new(flags, json_integer(row->flags));
        json_array_append_new(more, json_integer(row->more));
    }
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "parent", parent, "label",
                     label, "id", id, "player", player, "visits", visits, "mean", mean, "prior",
                     prior, "flags", flags, "more", more);
}

enum banyan_status tree_rows_json(const struct tree_rows_source *source,
                                  const struct tree_rows_path *path, int depth, int budget,
                                  json_t **out, struct banyan_error *err)
{
    struct banyan_search_stats stats;
    struct tree_rows rows = {.source = source,
                             .path = path,
                             .depth = depth + (path ? path->length : 0),
                             .budget = budget,
                             .rows = malloc(((size_t)budget + 1) * sizeof *rows.rows)};
    banyan_search_stats(source->search, &stats, sizeof stats);
    rows.least = stats.nodes / (uint64_t)budget / 8 + 1;
    rows.failed = !states_begin(&rows.states, source->search, 0) || !rows.rows;
    for (bool again = !rows.failed; again; rows.least *= 2) {
        tree_rows_roots(&rows);
        again = !rows.failed && rows.count > budget && rows.least <= TREE_ROWS_MOST;
    }
    if (rows.count > budget) /* the rows of the path alone are too many */
        rows.count = budget;
    *out = rows.failed ? NULL : tree_rows_columns(&rows);
    states_end(&rows.states);
    free(rows.rows);
    return *out ? BANYAN_OK
                : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a view of the tree");
}

/* --- one node --- */

/* The node at the end of a path. */
struct tree_rows_found {
    bool found;
    int player; /* who moves there; -1: a leaf without a node */
    uint64_t visits;
    banyan_node node;
    void *state; /* [state_size] the caller's; valid if state_known */
    bool state_known;
};

/* Follows one step: edge and outcome.  False: the tree does not reach so far. */
static bool tree_rows_follow(const struct banyan_search *search, const struct tree_rows_step *step,
                             struct tree_rows_found *at, void *scratch, size_t state_size)
{
    struct banyan_tree_node node;
    struct banyan_tree_edge edge = {.outcomes = 0};
    struct banyan_tree_outcome *outcomes = NULL;
    int index = 0, pick = -1;
    banyan_tree_node(search, at->node, &node, sizeof node);
    while (index < node.tried && banyan_tree_edge(search, at->node, index, &edge, sizeof edge) &&
           edge.move.action != step->action)
        ++index;
    if (index < node.tried && edge.outcomes > 0)
        outcomes = malloc((size_t)edge.outcomes * sizeof *outcomes);
    int count =
        outcomes ? banyan_tree_outcomes(search, at->node, index, outcomes, edge.outcomes) : 0;
    for (int i = 0; i < count; ++i)
        if (step->key ? outcomes[i].key == step->key
                      : pick < 0 || outcomes[i].visits > outcomes[pick].visits)
            pick = i;
    if (pick >= 0) {
        const struct banyan_tree_step way = {at->node, index, outcomes[pick], at->state, 0};
        at->state_known =
            at->state_known && banyan_tree_state(search, &way, scratch, NULL) == BANYAN_OK;
        memcpy(at->state, scratch, state_size);
        at->node = outcomes[pick].node;
        at->visits = outcomes[pick].visits;
    }
    free(outcomes);
    return pick >= 0;
}

static void tree_rows_find(const struct tree_rows_source *source, const struct tree_rows_path *path,
                           struct tree_rows_found *at, void *scratch)
{
    struct banyan_search_stats stats;
    struct banyan_tree_node node;
    banyan_search_stats(source->search, &stats, sizeof stats);
    memcpy(at->state, source->state, source->game->state_size);
    at->state_known = true;
    at->visits = stats.simulations;
    at->node = banyan_tree_root(source->search, path->player, 0);
    at->found = source->game->movers(source->game, source->state) >> path->player & 1;
    for (int i = 0; i < path->length && at->found; ++i)
        at->found = at->node && tree_rows_follow(source->search, &path->steps[i], at, scratch,
                                                 source->game->state_size);
    at->player = -1;
    if (at->found && at->node) {
        banyan_tree_node(source->search, at->node, &node, sizeof node);
        at->player = node.player;
    }
}

static json_t *tree_rows_actions(const struct tree_rows_source *source,
                                 const struct tree_rows_found *at, struct states *states)
{
    const struct banyan_game *game = source->game;
    struct banyan_tree_node node;
    json_t *out = json_array();
    struct tree_rows_choice *choices =
        at->node ? tree_rows_choices(source->search, at->node, &node) : NULL;
    for (int i = 0; choices && i < node.tried; ++i) {
        const struct banyan_search_move *move = &choices[i].edge.move;
        char label[TREE_ROWS_LABEL];
        snprintf(label, sizeof label, "#%" PRIu64, move->action);
        if (at->state_known && states_is_legal(states, at->state, node.player, move->action))
            game->action_format(game, at->state, node.player, move->action, label, sizeof label);
        json_array_append_new(
            out, json_pack("{s:s, s:I, s:o, s:o, s:o, s:o, s:o}", "action", label, "visits",
                           (json_int_t)move->visits, "mean", show_number(move->mean), "prior",
                           show_number((double)move->prior), "lo", show_number((double)move->lo),
                           "hi", show_number((double)move->hi), "score", show_number(move->score)));
    }
    free(choices);
    return out;
}

/* The picture of a state as viewer sees it; null: there is none. */
static json_t *tree_rows_picture(const struct banyan_game *game, const void *state, int viewer)
{
    int (*draw)(const struct banyan_game *, const void *, int, char *, size_t) =
        game->svg ? game->svg : game->draw;
    int length = draw ? draw(game, state, viewer, NULL, 0) : TREE_ROWS_PICTURE;
    char *text = length < TREE_ROWS_PICTURE ? malloc((size_t)length + 1) : NULL;
    if (!text)
        return json_null();
    draw(game, state, viewer, text, (size_t)length + 1);
    json_t *out = json_string(text);
    free(text);
    return out ? out : json_null();
}

static json_t *tree_rows_describe(const struct tree_rows_source *source,
                                  const struct tree_rows_path *path,
                                  const struct tree_rows_found *at, struct states *states)
{
    const struct banyan_game *game = source->game;
    int viewer = game->traits & BANYAN_HIDDEN ? path->player : -1;
    return json_pack("{s:i, s:I, s:b, s:o, s:o}", "player", at->player, "visits",
                     (json_int_t)at->visits, "svg", game->svg != NULL, "picture",
                     at->state_known ? tree_rows_picture(game, at->state, viewer) : json_null(),
                     "actions", tree_rows_actions(source, at, states));
}

enum banyan_status tree_rows_node(const struct tree_rows_source *source,
                                  const struct tree_rows_path *path, json_t **out,
                                  struct banyan_error *err)
{
    struct states states;
    size_t size = source->game->state_size;
    struct tree_rows_found at = {.state = malloc(size)};
    void *scratch = calloc(1, size);
    enum banyan_status status = BANYAN_OK;
    *out = NULL;
    if (!states_begin(&states, source->search, 0) || !at.state || !scratch)
        status = banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a node");
    if (status == BANYAN_OK)
        tree_rows_find(source, path, &at, scratch);
    if (status == BANYAN_OK && !at.found)
        status = banyan_fail(err, BANYAN_NOT_FOUND, "the tree has no node there");
    if (status == BANYAN_OK)
        *out = tree_rows_describe(source, path, &at, &states);
    states_end(&states);
    free(scratch);
    free(at.state);
    return status;
}
