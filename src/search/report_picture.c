/* The tree as a picture: DOT for graphviz, and SVG drawn here. */
#include "base/least.h"
#include "base/text.h"
#include "search/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Where the mean of a line lies in the range of returns, 0..1; -1: no mean. */
static double report_share(const struct report *report, const struct report_line *line)
{
    double lo = report->game->return_min, range = report->game->return_max - lo;
    if (isnan(line->mean) || !(range > 0))
        return -1;
    return least_double(most_double((line->mean - lo) / range, 0), 1);
}

void report_colour(const struct report *report, const struct report_line *line, char out[8])
{
    double share = report_share(report, line);
    if (share < 0)
        snprintf(out, 8, "#dddddd");
    else
        snprintf(out, 8, "#%02x%02xa0", (unsigned)(share < 0.5 ? 240 : 240 - 160 * (share - 0.5)),
                 (unsigned)(share > 0.5 ? 240 : 140 + 200 * share));
}

bool report_has_box(const struct report *report, int index)
{
    const struct report_line *line = &report->lines[index];
    return line->kind == REPORT_EDGE || line->parent < 0 || report->lines[line->parent].chance;
}

int report_box_above(const struct report *report, int index)
{
    int above = report->lines[index].parent;
    while (above >= 0 && !report_has_box(report, above))
        above = report->lines[above].parent;
    return above;
}

void report_box_text(const struct report *report, const struct report_line *line, char *title,
                     char *detail, size_t size)
{
    if (line->kind == REPORT_EDGE)
        snprintf(title, size, "%s", line->label);
    else if (line->parent < 0)
        snprintf(title, size, "%s", banyan_game_player_name(report->game, line->player));
    else if (*line->label)
        snprintf(title, size, "%s", line->label);
    else
        snprintf(title, size, "%.1f %%", 100 * line->probability);
    if (isnan(line->mean) && *line->label && line->kind == REPORT_NODE)
        snprintf(detail, size, "n %" PRIu32 "  %.1f %%", line->visits, 100 * line->probability);
    else if (isnan(line->mean))
        snprintf(detail, size, "n %" PRIu32, line->visits);
    else
        snprintf(detail, size, "n %" PRIu32 "  %+.3f", line->visits, line->mean);
}

void report_box_more(const struct report *report, const struct report_line *line, char *out,
                     size_t size)
{
    char title[96], detail[96];
    struct text text = text_start(out, size);
    report_box_text(report, line, title, detail, sizeof title);
    text_add(&text, "%s: %s, %" PRIu32 " visits", title,
             banyan_game_player_name(report->game, line->player), line->visits);
    if (!isnan(line->mean))
        text_add(&text, ", mean %.6f", line->mean);
    if (line->kind == REPORT_EDGE && report_bounded(report, line))
        text_add(&text, ", proven %g..%g", (double)line->lo, (double)line->hi);
    if (line->left_out)
        text_add(&text, ", %d not shown", line->left_out);
}

void report_write_dot(const struct report *report, struct report_out *out)
{
    report_print(out,
                 "digraph tree {\n  node [shape=box, style=filled, fontname=\"sans-serif\"];\n");
    for (int i = 0; i < report->count; ++i) {
        const struct report_line *line = &report->lines[i];
        char title[96], detail[96], colour[8];
        if (!report_has_box(report, i))
            continue;
        report_box_text(report, line, title, detail, sizeof title);
        report_colour(report, line, colour);
        report_print(out, "  n%d [fillcolor=\"%s\", shape=%s, label=", i, colour,
                     line->kind == REPORT_NODE && line->parent >= 0 ? "ellipse" : "box");
        char both[200];
        snprintf(both, sizeof both, "%s / %s", title, detail);
        report_write_quoted(both, out);
        report_print(out, "];\n");
        int above = report_box_above(report, i);
        if (above >= 0)
            report_print(out, "  n%d -> n%d;\n", above, i);
    }
    report_print(out, "}\n");
}

enum {
    REPORT_BOX_WIDTH = 112,
    REPORT_BOX_HEIGHT = 40,
    REPORT_GAP_X = 12,
    REPORT_GAP_Y = 44,
    REPORT_MARGIN = 16
};

struct report_place {
    double x; /* of its middle */
    int row;
};

/* Leaves stand side by side in preorder; every other box stands over the middle of its children. */
static int report_layout(const struct report *report, struct report_place *places)
{
    int columns = 0;
    for (int i = report->count - 1; i >= 0; --i) {
        if (!report_has_box(report, i))
            continue;
        double first = -1, last = -1;
        for (int j = i + 1; j < report->lines[i].end; ++j)
            if (report_has_box(report, j) && report_box_above(report, j) == i) {
                first = first < 0 ? places[j].x : first;
                last = places[j].x;
            }
        places[i].x = first < 0 ? columns++ : (first + last) / 2;
    }
    for (int i = 0; i < report->count; ++i) {
        int above = report_box_above(report, i);
        places[i].x = columns - 1 - places[i].x; /* they were counted from the right */
        places[i].row = above < 0 ? 0 : places[above].row + 1;
    }
    return columns;
}

static double report_x(const struct report_place *place)
{
    return REPORT_MARGIN + REPORT_BOX_WIDTH / 2.0 + place->x * (REPORT_BOX_WIDTH + REPORT_GAP_X);
}

static double report_y(const struct report_place *place)
{
    return REPORT_MARGIN + (double)place->row * (REPORT_BOX_HEIGHT + REPORT_GAP_Y);
}

static void report_svg_line(const struct report *report, const struct report_place *places,
                            int index, struct report_out *out)
{
    int above = report_box_above(report, index);
    if (above < 0)
        return;
    double share = report->lines[above].visits
                       ? (double)report->lines[index].visits / report->lines[above].visits
                       : 0;
    double x1 = report_x(&places[above]), y1 = report_y(&places[above]) + REPORT_BOX_HEIGHT;
    double x2 = report_x(&places[index]), y2 = report_y(&places[index]);
    report_print(
        out, "<path d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\" stroke-width=\"%.2f\"/>\n", x1,
        y1, x1, (y1 + y2) / 2, x2, (y1 + y2) / 2, x2, y2, 0.6 + 5 * (share < 1 ? share : 1));
}

static void report_svg_box(const struct report *report, const struct report_place *places,
                           int index, struct report_out *out)
{
    const struct report_line *line = &report->lines[index];
    char title[96], detail[96], colour[8], more[512];
    double x = report_x(&places[index]), y = report_y(&places[index]);
    report_box_text(report, line, title, detail, sizeof title);
    report_colour(report, line, colour);
    report_box_more(report, line, more, sizeof more);
    report_print(out, "<g><title>");
    report_write_escaped(more, out);
    report_print(out,
                 "</title><rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"%d\" "
                 "fill=\"%s\"/>",
                 x - REPORT_BOX_WIDTH / 2.0, y, REPORT_BOX_WIDTH, REPORT_BOX_HEIGHT,
                 line->kind == REPORT_EDGE ? 5 : REPORT_BOX_HEIGHT / 2, colour);
    report_print(out, "<text x=\"%.1f\" y=\"%.1f\" font-weight=\"bold\">", x, y + 17);
    report_write_escaped(title, out);
    report_print(out, "</text><text x=\"%.1f\" y=\"%.1f\">", x, y + 33);
    report_write_escaped(detail, out);
    report_print(out, "</text></g>\n");
}

void report_write_svg(const struct report *report, struct report_out *out)
{
    struct report_place *places = calloc((size_t)report->count + 1, sizeof *places);
    int rows = 0;
    out->refused = !places;
    if (!places)
        return;
    int columns = report_layout(report, places);
    for (int i = 0; i < report->count; ++i)
        rows = report_has_box(report, i) && places[i].row >= rows ? places[i].row + 1 : rows;
    int width = 2 * REPORT_MARGIN + columns * (REPORT_BOX_WIDTH + REPORT_GAP_X) - REPORT_GAP_X;
    int height = 2 * REPORT_MARGIN + rows * (REPORT_BOX_HEIGHT + REPORT_GAP_Y) - REPORT_GAP_Y;
    report_print(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"13\" "
        "text-anchor=\"middle\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
        "<g fill=\"none\" stroke=\"#888888\">\n",
        width, height, width, height);
    for (int i = 0; i < report->count; ++i)
        if (report_has_box(report, i))
            report_svg_line(report, places, i, out);
    report_print(out, "</g>\n<g stroke=\"none\" fill=\"#111111\">\n");
    for (int i = 0; i < report->count; ++i)
        if (report_has_box(report, i))
            report_svg_box(report, places, i, out);
    report_print(out, "</g>\n</svg>\n");
    free(places);
}
