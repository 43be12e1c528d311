/* The plain tree as a book's lines, and as text, XML, JSON and DOT: what the kernel writes is compared with it
 * word by word. */
#include "reference/inside.h"
#include "reference/pair.h"

#include "base/rng.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_LINES = 1 << 20, /* of a view, where positions meet */
    MOST_LINES_DRAWN = 4000
};

/* --- a growing text --- */

struct page {
    char *text;
    size_t length, room;
    const struct pair *pair;
    const struct banyan_search_tree_view *view;
    const struct plain_node *met[1024]; /* with transpositions: nodes written before */
    int met_count;
    uint64_t least;
    int lines, above; /* DOT: number of lines so far; the line of the nearest box above, -1: none */
};

static void page_room(struct page *page, size_t length)
{
    while (page->length + length + 1 > page->room) {
        page->room = 2 * page->room + 4096;
        page->text = realloc(page->text, page->room);
    }
}

static bool page_write(void *ctx, const char *text, size_t length)
{
    struct page *page = ctx;
    page_room(page, length);
    memcpy(page->text + page->length, text, length);
    page->length += length;
    page->text[page->length] = 0;
    return true;
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
say(struct page *page, const char *format, ...)
{
    char text[512];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    page_write(page, text, (size_t)length);
}

/* Moves past one word in both texts, if they are equal there; numbers may differ slightly. */
static bool skip_same(const char **a, const char **b, double tolerance)
{
    char *end_a, *end_b;
    if (!isdigit((unsigned char)**a) || !isdigit((unsigned char)**b))
        return *(*a)++ == *(*b)++;
    double x = strtod(*a, &end_a), y = strtod(*b, &end_b);
    bool same = fabs(x - y) <= tolerance * fmax(1, fabs(x));
    *a = same ? end_a : *a;
    *b = same ? end_b : *b;
    return same;
}

static const char *skip_blanks(const char *text)
{
    while (isspace((unsigned char)*text))
        ++text;
    return text;
}

/* Checks that both texts are equal but for blanks and rounding. */
static void expect_same(struct pair *pair, const char *what, const struct page *kernel,
                        const struct page *plain, double tolerance)
{
    const char *a = skip_blanks(kernel->length ? kernel->text : "");
    const char *b = skip_blanks(plain->length ? plain->text : "");
    while (pair->same && (*a || *b)) {
        const char *from_a = a, *from_b = b;
        if (!skip_same(&a, &b, tolerance)) {
            compare_differ(pair, what, NAN, NAN);
            size_t at = strlen(pair->comparison->message);
            snprintf(pair->comparison->message + at, sizeof pair->comparison->message - at,
                     "\nkernel: ... %.200s\nreference: ... %.200s\nof: %.1500s", from_a, from_b,
                     plain->text);
        }
        a = skip_blanks(a);
        b = skip_blanks(b);
    }
}

/* --- the lines of a book --- */

static void tell_line(void *ctx, const banyan_action *line, int length, uint64_t visits,
                      double mean)
{
    struct page *page = ctx;
    for (int i = 0; i < length; ++i)
        say(page, "%" PRIu64 " ", line[i]);
    say(page, "visits %" PRIu64 " mean %.9g\n", visits, mean);
}

static bool is_before(const struct plain_edge *a, const struct plain_edge *b)
{
    uint64_t x = plain_edge_visits(a), y = plain_edge_visits(b);
    return x > y || (x == y && a->action < b->action);
}

static bool met_before(struct page *page, const struct plain_node *node)
{
    if (!page->pair->drawing->options.transpositions)
        return false;
    for (int i = 0; i < page->met_count; ++i)
        if (page->met[i] == node)
            return true;
    if (page->met_count < 1024)
        page->met[page->met_count++] = node;
    return false;
}

/* Orders edges by visits, the most first; of equal ones by the smaller action. */
static void tell_lines(struct page *page, const struct plain_node *node, banyan_action *line,
                       int depth)
{
    const struct plain_edge *sorted[PLAIN_ACTIONS];
    int count = 0;
    if (!node || depth >= page->pair->drawing->game.max_plies || met_before(page, node))
        return;
    for (int i = 0; i < node->count; ++i) {
        int at = count;
        if (!node->edges[i]->tried)
            continue;
        for (; at > 0 && is_before(node->edges[i], sorted[at - 1]); --at)
            sorted[at] = sorted[at - 1];
        sorted[at] = node->edges[i];
        ++count;
    }
    for (int i = 0; i < count; ++i) {
        uint64_t visits = plain_edge_visits(sorted[i]);
        if (visits && visits < page->least)
            continue;
        line[depth] = sorted[i]->action;
        if (visits)
            tell_line(page, line, depth + 1, visits, plain_edge_sum(sorted[i]) / (double)visits);
        if (sorted[i]->outcomes)
            tell_lines(page, sorted[i]->outcomes->node, line, depth + 1);
    }
}

/* Every line of the trees, from the root. */
void compare_lines(struct pair *pair)
{
    static struct page kernel, plain;
    banyan_action line[64];
    uint64_t least = banyan_rng_child(pair->drawing->seed, "least visits", 0) % 4;
    kernel.length = plain.length = 0;
    plain.pair = pair;
    plain.least = least;
    if (banyan_search_each_line(pair->whole, least, tell_line, &kernel, NULL) != BANYAN_OK)
        return;
    for (int i = 0; i < pair->searches; ++i) {
        const struct plain_outcome *root = pair->plains[i]->root[0].outcomes;
        plain.met_count = 0;
        if (root)
            tell_lines(&plain, root->node, line, 0);
    }
    expect_same(pair, "the lines of a book", &kernel, &plain, 1e-8);
}

/* --- the tree to look at --- */

/* A node as the kernel writes it; node NULL: an outcome without a node.  Texts for people count
 * players from 1, those for programs (JSON, XML) from 0. */
struct shown {
    const struct plain_node *node;
    int player, level;
    double probability, mean;
    uint64_t visits;
    bool is_root;
};

static void say_number(struct page *page, const char *key, double value)
{
    if (isfinite(value))
        say(page, ",\"%s\":%.9g", key, value);
    else
        say(page, ",\"%s\":null", key);
}

/* Draws a box of a DOT picture below the nearest one; the colour goes from red (least return) to
 * green (highest). */
static void say_box(struct page *page, const char *title, const char *shape, uint64_t visits,
                    double mean)
{
    const struct banyan_game *game = &page->pair->drawing->game;
    double low = (double)game->return_min, range = (double)game->return_max - low;
    double share = fmin(1, fmax(0, (mean - low) / range));
    int index = page->lines - 1, above = page->above;
    unsigned red = share < 0.5 ? 240 : (unsigned)(240 - 160 * (share - 0.5));
    unsigned green = share > 0.5 ? 240 : (unsigned)(140 + 200 * share);
    if (isnan(mean))
        say(page, "n%d [fillcolor=\"#dddddd\", shape=%s, label=\"%s / n %" PRIu64 "\"];\n", index,
            shape, title, visits);
    else
        say(page,
            "n%d [fillcolor=\"#%02x%02xa0\", shape=%s, label=\"%s / n %" PRIu64 " %+.3f\"];\n",
            index, red, green, shape, title, visits, mean);
    if (above >= 0)
        say(page, "n%d -> n%d;\n", above, index);
    page->above = index;
}

/* An outcome gets a box of its own only where an action may have several outcomes. */
static void say_node_box(struct page *page, const struct shown *shown)
{
    char title[64];
    if (shown->is_root)
        snprintf(title, sizeof title, "player %d", shown->player + 1);
    else
        snprintf(title, sizeof title, "%.1f %%", 100 * shown->probability);
    if (shown->is_root || page->pair->plains[0]->keyed)
        say_box(page, title, shown->is_root ? "box" : "ellipse", shown->visits, shown->mean);
}

static void open_node(struct page *page, const struct shown *shown)
{
    int actions = shown->node ? shown->node->count : 0;
    ++page->lines;
    switch (page->view->format) {
    case BANYAN_TREE_DOT:
        say_node_box(page, shown);
        break;
    case BANYAN_TREE_JSON:
        if (shown->player < 0)
            say(page, "{\"player\":null,\"actions\":null");
        else
            say(page, "{\"player\":%d,\"actions\":%d", shown->player, actions);
        say_number(page, "probability", shown->probability);
        say(page, ",\"visits\":%" PRIu64, shown->visits);
        say_number(page, "mean", shown->mean);
        say(page, ",\"edges\":[");
        break;
    case BANYAN_TREE_XML:
        say(page, "<ActionNode p=\"%.9g\" visits=\"%" PRIu64 "\"", shown->probability,
            shown->visits);
        if (shown->player >= 0)
            say(page, " player=\"%d\" actions=\"%d\"", shown->player, actions);
        if (!isnan(shown->mean))
            say(page, " score=\"%.9g\"", shown->mean);
        break;
    default:
        if (shown->is_root)
            say(page, "root player %d n %" PRIu64 " mean %+.4f %d actions\n", shown->player + 1,
                shown->visits, shown->mean, actions);
        else if (shown->probability < 1)
            say(page, "(outcome %.1f %% n %" PRIu64 ")\n", 100 * shown->probability, shown->visits);
    }
}

static bool is_bounded(const struct page *page, const struct banyan_search_move *row)
{
    const struct banyan_game *game = &page->pair->drawing->game;
    return row->lo > game->return_min || row->hi < game->return_max;
}

/* The label as the format of the page has it: markup or a quoted string. */
static void escape(const struct page *page, const char *label, char *out, size_t size)
{
    enum banyan_search_tree_format format = page->view->format;
    size_t at = 0;
    for (out[0] = 0; *label && at < size; ++label) {
        const char *text = NULL;
        if (format == BANYAN_TREE_XML)
            text = *label == '<'   ? "&lt;"
                   : *label == '>' ? "&gt;"
                   : *label == '&' ? "&amp;"
                   : *label == '"' ? "&quot;"
                                   : NULL;
        else if (format != BANYAN_TREE_TEXT)
            text = *label == '"' ? "\\\"" : *label == '\\' ? "\\\\" : NULL;
        at += (size_t)(text ? snprintf(out + at, size - at, "%s", text)
                            : snprintf(out + at, size - at, "%c", *label));
    }
}

static void open_edge(struct page *page, const struct banyan_search_move *row, int player,
                      const char *name)
{
    char label[256];
    escape(page, name, label, sizeof label);
    ++page->lines;
    switch (page->view->format) {
    case BANYAN_TREE_DOT:
        say_box(page, label, "box", row->visits, row->mean);
        break;
    case BANYAN_TREE_JSON:
        say(page, "{\"action\":\"%s\",\"player\":%d", label, player);
        say_number(page, "prior", (double)row->prior);
        say_number(page, "lo", (double)row->lo);
        say_number(page, "hi", (double)row->hi);
        say(page, ",\"visits\":%" PRIu64, (uint64_t)row->visits);
        say_number(page, "mean", row->mean);
        say(page, ",\"nodes\":[");
        break;
    case BANYAN_TREE_XML:
        say(page, "<ChanceNode action=\"%s\" player=\"%d\" visits=\"%" PRIu64 "\"", label, player,
            (uint64_t)row->visits);
        if (!isnan(row->prior))
            say(page, " prior=\"%.9g\"", (double)row->prior);
        if (is_bounded(page, row))
            say(page, " lo=\"%g\" hi=\"%g\"", (double)row->lo, (double)row->hi);
        if (!isnan(row->mean))
            say(page, " score=\"%.9g\"", row->mean);
        break;
    default:
        say(page, "%s player %d n %" PRIu64, label, player + 1, (uint64_t)row->visits);
        if (!isnan(row->mean))
            say(page, " mean %+.4f", row->mean);
        if (!isnan(row->prior))
            say(page, " prior %.4f", (double)row->prior);
        if (is_bounded(page, row) && row->lo < row->hi)
            say(page, " proven %g..%g", (double)row->lo, (double)row->hi);
        else if (is_bounded(page, row))
            say(page, " proven %g", (double)row->lo);
        say(page, "\n");
    }
}

static void show_node(struct page *page, const struct shown *shown,
                      const struct random_game_state *state);

/* With transpositions a tree may be endless. */
static bool has_too_many_lines(const struct page *page)
{
    return page->pair->drawing->options.transpositions && page->lines > MOST_LINES;
}

/* Closes what begin_below opened; a tag with nothing below it is written as one tag. */
static void end_below(struct page *page, size_t opened, const char *tag)
{
    bool is_empty = page->length == opened + 1;
    if (page->view->format == BANYAN_TREE_JSON)
        say(page, "]}");
    if (page->view->format != BANYAN_TREE_XML)
        return;
    page->length = is_empty ? opened : page->length;
    if (is_empty)
        say(page, "/>");
    else
        say(page, "</%s>", tag);
}

static size_t begin_below(struct page *page)
{
    size_t opened = page->length;
    if (page->view->format == BANYAN_TREE_XML)
        say(page, ">");
    return opened;
}

static bool goes_first(const struct plain_outcome *a, const struct plain_outcome *b)
{
    return a->arrivals > b->arrivals || (a->arrivals == b->arrivals && a->key < b->key);
}

static void say_comma(struct page *page, int index)
{
    if (index && page->view->format == BANYAN_TREE_JSON)
        say(page, ",");
}

static void show_outcomes(struct page *page, const struct plain_edge *edge, uint64_t edge_visits,
                          int level, const struct random_game_state *state)
{
    const struct plain_outcome *sorted[4096];
    const struct banyan_search_tree_view *view = page->view;
    bool keyed = edge->node->search->keyed;
    int count = 0;
    for (const struct plain_outcome *i = edge->outcomes; i && count < 4096; i = i->next) {
        int at = count;
        if (!keyed && !i->node)
            continue;
        for (; at > 0 && goes_first(i, sorted[at - 1]); --at)
            sorted[at] = sorted[at - 1];
        sorted[at] = i;
        ++count;
    }
    for (int i = 0; i < count; ++i) {
        uint64_t visits = keyed ? sorted[i]->arrivals : edge_visits;
        if (keyed && (visits < view->min_visits || (view->max_children && i >= view->max_children)))
            break;
        struct shown shown = {.node = sorted[i]->node,
                              .player = sorted[i]->node ? sorted[i]->node->mover : -1,
                              .level = level + 1,
                              .probability =
                                  edge_visits ? fmin(1, (double)visits / (double)edge_visits) : 0,
                              .mean = NAN,
                              .visits = visits};
        say_comma(page, i);
        show_node(page, &shown, state);
    }
}

static void show_edge(struct page *page, const struct plain_edge *edge, int level,
                      const struct random_game_state *state)
{
    const struct banyan_game *game = &page->pair->drawing->game;
    struct random_game_state next = *state;
    struct banyan_search_move row = plain_row(edge);
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    char label[64];
    int above = page->above;
    game->action_format(game, state, edge->node->mover, edge->action, label, sizeof label);
    open_edge(page, &row, edge->node->mover, label);
    size_t opened = begin_below(page);
    joint[edge->node->mover] = edge->action;
    if (!edge->node->search->keyed)
        game->apply(game, &next, joint, NULL);
    if (page->view->depth == 0 || level + 1 < page->view->depth)
        show_outcomes(page, edge, plain_edge_visits(edge), level, &next);
    end_below(page, opened, "ChanceNode");
    page->above = above;
}

static void show_node(struct page *page, const struct shown *shown,
                      const struct random_game_state *state)
{
    const struct plain_edge *sorted[PLAIN_ACTIONS];
    const struct plain_node *node = shown->node;
    int count = 0, above = page->above;
    open_node(page, shown);
    size_t opened = begin_below(page);
    if (has_too_many_lines(page))
        return;
    for (int i = 0; node && i < node->count; ++i) {
        uint64_t visits = plain_edge_visits(node->edges[i]);
        int at = count;
        if (!node->edges[i]->tried)
            continue;
        for (; at > 0 && visits > plain_edge_visits(sorted[at - 1]); --at)
            sorted[at] = sorted[at - 1];
        sorted[at] = node->edges[i];
        ++count;
    }
    for (int i = 0; i < count; ++i) {
        if (plain_edge_visits(sorted[i]) < page->view->min_visits ||
            (page->view->max_children && i >= page->view->max_children))
            break;
        say_comma(page, i);
        show_edge(page, sorted[i], shown->level, state);
    }
    end_below(page, opened, "ActionNode");
    page->above = above;
}

static void show_roots(struct page *page, struct pair *pair)
{
    const struct banyan_game *game = &pair->drawing->game;
    unsigned movers = game->movers(game, &pair->state);
    float values[BANYAN_MAX_PLAYERS];
    uint64_t visits = 0;
    int count = 0;
    plain_root_values(pair->plains, pair->searches, values);
    for (const struct plain_result *i = pair->plains[0]->through_root.first; i; i = i->next)
        visits += i->visits;
    for (int p = 0; p < game->players; ++p) {
        if (!(movers >> p & 1))
            continue;
        struct shown shown = {.node = plain_root(pair->plains[0], p),
                              .player = p,
                              .probability = 1,
                              .mean = (double)values[p],
                              .visits = visits,
                              .is_root = true};
        say_comma(page, count++);
        show_node(page, &shown, &pair->state);
    }
}

/* Writes the tree of the first search, in a format and with limits drawn by seed. */
void compare_pictures(struct pair *pair)
{
    static struct page kernel, plain;
    uint64_t draw = banyan_rng_child(pair->drawing->seed, "view", 0);
    struct banyan_search_tree_view view = {.format = (enum banyan_search_tree_format)(draw % 4),
                                           .depth = (int)(draw >> 8 & 3),
                                           .min_visits = draw >> 16 & 3,
                                           .max_children = (int)(draw >> 24 & 3)};
    kernel.length = plain.length = 0;
    plain.pair = pair;
    plain.view = &view;
    plain.lines = 0;
    plain.above = -1;
    enum banyan_status status =
        banyan_search_write_tree(pair->whole, &view, page_write, &kernel, NULL);
    if (view.format == BANYAN_TREE_JSON)
        say(&plain, "{\"game\":\"random\",\"roots\":[");
    if (view.format == BANYAN_TREE_XML)
        say(&plain, "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Tree game=\"random\">");
    if (view.format == BANYAN_TREE_DOT)
        say(&plain, "digraph tree { node [shape=box, style=filled, fontname=\"sans-serif\"];\n");
    show_roots(&plain, pair);
    bool is_too_long = (view.format == BANYAN_TREE_DOT && plain.lines > MOST_LINES_DRAWN) ||
                       has_too_many_lines(&plain);
    compare_expect(pair, "writing the tree", status, is_too_long ? BANYAN_INVALID : BANYAN_OK);
    if (status != BANYAN_OK)
        return;
    if (view.format == BANYAN_TREE_DOT)
        say(&plain, "}");
    if (view.format == BANYAN_TREE_JSON)
        say(&plain, "]}");
    if (view.format == BANYAN_TREE_XML)
        say(&plain, "</Tree>");
    page_room(&kernel, kernel.length); /* "outcome" may be longer than a name */
    forget_outcome_names(kernel.text, view.format);
    if (view.format == BANYAN_TREE_DOT) /* there titles are shares where a name is missing */
        forget_outcome_names(plain.text, view.format);
    expect_same(pair, "the tree as text", &kernel, &plain,
                view.format == BANYAN_TREE_TEXT ? 1.01e-3 : 2e-6);
}
