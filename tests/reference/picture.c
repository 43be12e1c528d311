/* The picture of a tree (SVG) from the same boxes as its DOT text, which tree_text.c knows word by word: leaves of the
 * picture stand side by side, every other box over the middle of its children, and lines are as thick as their share. */
#include "reference/pair.h"

#include "base/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PICTURE_BOXES = 4000, WIDTH = 112, HEIGHT = 40, GAP_X = 12, GAP_Y = 44, MARGIN = 16 };

struct box {
    int number, above; /* above: an index of a box, -1: none */
    bool is_round;
    char colour[8], title[96], detail[96];
    double visits, x, y; /* x: of its middle, y: of its upper edge */
};

struct picture {
    struct box boxes[PICTURE_BOXES];
    int count;
};

struct written {
    char *text;
    size_t length, room;
};

static bool keep(void *ctx, const char *text, size_t length)
{
    struct written *out = ctx;
    while (out->length + length + 1 > out->room) {
        out->room = 2 * out->room + 4096;
        out->text = realloc(out->text, out->room);
    }
    memcpy(out->text + out->length, text, length);
    out->length += length;
    out->text[out->length] = 0;
    return true;
}

/* --- the boxes of DOT --- */

static int box_of(const struct picture *picture, int number)
{
    int i = picture->count - 1;
    while (i >= 0 && picture->boxes[i].number != number)
        --i;
    return i;
}

/* A string in quotes from *text on, with \\ before quotes and backslashes that belong to it. */
static void unquote(const char *text, char *out, size_t size)
{
    size_t at = 0;
    for (; *text && *text != '"' && at + 1 < size; ++text) {
        text += *text == '\\';
        out[at++] = *text;
    }
    out[at] = 0;
}

/* Markup as people read it. */
static void unescape(char *text)
{
    static const struct {
        const char *name;
        char sign;
    } names[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&amp;", '&'}};
    char *to = text;
    for (const char *at = text; *at;) {
        size_t i = 0;
        while (i < 4 && strncmp(at, names[i].name, strlen(names[i].name)) != 0)
            ++i;
        *to++ = i < 4 ? names[i].sign : *at;
        at += i < 4 ? strlen(names[i].name) : 1;
    }
    *to = 0;
}

static void read_boxes(const char *dot, struct picture *picture)
{
    picture->count = 0;
    for (const char *line = dot; (line = strstr(line, "\n  n")) != NULL; ++line) {
        struct box box = {.above = -1};
        char shape[16], label[200];
        int above;
        if (sscanf(line, "\n n%d -> n%d;", &above, &box.number) == 2) {
            picture->boxes[picture->count - 1].above = box_of(picture, above);
            continue;
        }
        const char *quoted = strstr(line, "label=\"");
        if (sscanf(line, "\n n%d [fillcolor=\"%7[^\"]\", shape=%15[a-z]", &box.number, box.colour,
                   shape) != 3 ||
            !quoted || picture->count == PICTURE_BOXES)
            continue;
        unquote(quoted + 7, label, sizeof label);
        char *slash = strstr(label, " / ");
        snprintf(box.title, sizeof box.title, "%.*s", (int)(slash - label), label);
        snprintf(box.detail, sizeof box.detail, "%s", slash + 3);
        sscanf(box.detail, "n %lf", &box.visits);
        box.is_round = strcmp(shape, "ellipse") == 0;
        picture->boxes[picture->count++] = box;
    }
}

/* --- where they stand --- */

static void place_box(struct picture *picture, int index, int *columns)
{
    struct box *box = &picture->boxes[index];
    double first = -1, last = -1;
    box->y = box->above < 0 ? MARGIN : picture->boxes[box->above].y + HEIGHT + GAP_Y;
    for (int i = index + 1; i < picture->count; ++i) {
        if (picture->boxes[i].above != index)
            continue;
        place_box(picture, i, columns);
        first = first < 0 ? picture->boxes[i].x : first;
        last = picture->boxes[i].x;
    }
    box->x = first < 0 ? MARGIN + WIDTH / 2.0 + (*columns)++ * (WIDTH + GAP_X) : (first + last) / 2;
}

static int place_boxes(struct picture *picture)
{
    int columns = 0;
    for (int i = 0; i < picture->count; ++i)
        if (picture->boxes[i].above < 0)
            place_box(picture, i, &columns);
    return columns;
}

/* --- what the picture says --- */

static void expect_near(struct pair *pair, const char *what, double kernel, double plain)
{
    compare_expect(pair, what, fabs(kernel - plain) < 0.06, 1);
}

/* The line to a box from the one above. */
static const char *compare_path(struct pair *pair, const struct picture *picture,
                                const struct box *box, const char *at)
{
    const struct box *above = &picture->boxes[box->above];
    double x[4], y[4], width;
    at = strstr(at, "<path");
    if (!at || sscanf(at, "<path d=\"M%lf %lfC%lf %lf %lf %lf %lf %lf\" stroke-width=\"%lf\"", x, y,
                      x + 1, y + 1, x + 2, y + 2, x + 3, y + 3, &width) != 9) {
        compare_differ(pair, "a line of a picture", NAN, NAN);
        return NULL;
    }
    double from = above->y + HEIGHT, middle = (from + box->y) / 2;
    double share = above->visits > 0 ? fmin(1, box->visits / above->visits) : 0;
    for (int i = 0; i < 4; ++i)
        expect_near(pair, "where a line runs", x[i], i < 2 ? above->x : box->x);
    expect_near(pair, "where a line begins", y[0], from);
    expect_near(pair, "how a line goes on", y[1], middle);
    expect_near(pair, "how a line comes", y[2], middle);
    expect_near(pair, "where a line ends", y[3], box->y);
    expect_near(pair, "the thickness of a line", 10 * width, 10 * (0.6 + 5 * share));
    return at + 1;
}

static const char *compare_box(struct pair *pair, const struct box *box, const char *at)
{
    double x, y, width, height, rx, text[4], visits = -1;
    char colour[8], title[96], detail[96], name[96];
    at = strstr(at, "<g><title>");
    const char *rect = at ? strstr(at, "<rect") : NULL;
    if (!rect || sscanf(at, "<g><title>%95[^:]: %*[^,], %lf visits", name, &visits) != 2 ||
        sscanf(
            rect,
            "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\" rx=\"%lf\" fill=\"%7[^\"]\"/>"
            "<text x=\"%lf\" y=\"%lf\" font-weight=\"bold\">%95[^<]</text>"
            "<text x=\"%lf\" y=\"%lf\">%95[^<]</text></g>",
            &x, &y, &width, &height, &rx, colour, text, text + 1, title, text + 2, text + 3,
            detail) != 12) {
        compare_differ(pair, "a box of a picture", NAN, NAN);
        return NULL;
    }
    unescape(title);
    unescape(name);
    expect_near(pair, "where a box stands", x, box->x - WIDTH / 2.0);
    expect_near(pair, "how deep a box stands", y, box->y);
    expect_near(pair, "how wide a box is", width, WIDTH);
    expect_near(pair, "how high a box is", height, HEIGHT);
    expect_near(pair, "how round a box is", rx, box->is_round || box->above < 0 ? HEIGHT / 2 : 5);
    expect_near(pair, "where a title stands", text[0] - text[2] + text[1], box->y + 17);
    expect_near(pair, "where details stand", text[2] - box->x + text[3], box->y + 33);
    expect_near(pair, "the visits of a box", visits, box->visits);
    bool same = strcmp(title, box->title) == 0 && strcmp(name, title) == 0 &&
                strcmp(detail, box->detail) == 0 && strcmp(colour, box->colour) == 0;
    compare_expect(pair, "what a box says", same, 1);
    return at + 1;
}

static void compare_svg(struct pair *pair, struct picture *picture, const char *svg)
{
    double width = 0, height = 0;
    int columns = place_boxes(picture), rows = 0;
    const char *at = strstr(svg, "<svg");
    for (int i = 0; i < picture->count; ++i)
        rows = (int)fmax(rows, (picture->boxes[i].y - MARGIN) / (HEIGHT + GAP_Y) + 1);
    compare_expect(pair, "a picture has a size", at != NULL, 1);
    if (at)
        sscanf(at, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%lf\" height=\"%lf\"", &width,
               &height);
    expect_near(pair, "the width of a picture", width,
                2 * MARGIN + columns * (WIDTH + GAP_X) - GAP_X);
    expect_near(pair, "the height of a picture", height,
                2 * MARGIN + rows * (HEIGHT + GAP_Y) - GAP_Y);
    for (int i = 0; i < picture->count && at && pair->same; ++i)
        if (picture->boxes[i].above >= 0)
            at = compare_path(pair, picture, &picture->boxes[i], at);
    for (int i = 0; i < picture->count && at && pair->same; ++i)
        at = compare_box(pair, &picture->boxes[i], at);
    compare_expect(pair, "boxes of a picture that are too many",
                   at && (strstr(at, "<path") || strstr(at, "<g><title>")), 0);
}

void compare_drawn(struct pair *pair)
{
    static struct picture picture;
    static struct written dot, svg;
    uint64_t draw = banyan_rng_child(pair->drawing->seed, "drawn", 0);
    struct banyan_search_tree_view view = {.format = BANYAN_TREE_DOT,
                                           .depth = (int)(draw >> 8 & 3),
                                           .min_visits = draw >> 16 & 3,
                                           .max_children = (int)(draw >> 24 & 3)};
    dot.length = svg.length = 0;
    if (banyan_search_write_tree(pair->whole, &view, keep, &dot, NULL) != BANYAN_OK)
        return; /* too many lines */
    view.format = BANYAN_TREE_SVG;
    compare_expect(pair, "drawing the tree",
                   banyan_search_write_tree(pair->whole, &view, keep, &svg, NULL), BANYAN_OK);
    read_boxes(dot.text, &picture);
    compare_svg(pair, &picture, svg.text);
}
