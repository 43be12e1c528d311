/* The tree as a page that can be folded, moved and zoomed: report.html with the boxes as data. */
#include "search/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes a JSON text inside a script element; '<' is escaped, so that the text cannot end the element. */
static void page_text(const char *text, struct report_out *out)
{
    report_print(out, "\"");
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\')
            report_print(out, "\\%c", *text);
        else if (*text == '<' || (unsigned char)*text < ' ')
            report_print(out, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            report_print(out, "%c", *text);
    }
    report_print(out, "\"");
}

static void page_pair(const char *key, const char *text, struct report_out *out)
{
    report_print(out, ",\"%s\":", key);
    page_text(text, out);
}

/* The picture of a box: its own, or that of the node which shares the box. */
static const char *page_picture(const struct report *report, int index)
{
    const struct report_line *line = &report->lines[index];
    if (line->picture || line->kind == REPORT_NODE || line->end == index + 1 ||
        report_has_box(report, index + 1))
        return line->picture;
    return report->lines[index + 1].picture;
}

static void page_box(const struct report *report, const int *numbers, int index,
                     struct report_out *out)
{
    const struct report_line *line = &report->lines[index];
    int above = report_box_above(report, index);
    char title[96], detail[96], more[512], colour[8];
    const char *picture = page_picture(report, index);
    double all = above < 0 ? 0 : report->lines[above].visits;
    report_box_text(report, line, title, detail, sizeof title);
    report_box_more(report, line, more, sizeof more);
    report_colour(report, line, colour);
    report_print(out, "%s{\"up\":%d,\"share\":%.3f,\"round\":%d", numbers[index] ? ",\n" : "",
                 above < 0 ? -1 : numbers[above], all > 0 ? fmin(1, line->visits / all) : 1,
                 line->kind == REPORT_NODE);
    page_pair("title", title, out);
    page_pair("detail", detail, out);
    page_pair("more", more, out);
    page_pair("colour", colour, out);
    if (picture)
        page_pair("board", picture, out);
    report_print(out, "}");
}

/* "black: d3, 612 of 2000 visits, mean +0.120": the most visited action of each root. */
static void page_result(const struct report *report, struct report_out *out)
{
    char text[512] = "";
    size_t length = 0;
    for (int i = 0; i < report->count; ++i) {
        const struct report_line *root = &report->lines[i], *edge = root + 1;
        if (root->parent >= 0 || root->end == i + 1 || length >= sizeof text)
            continue;
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "%s%s: %s, %" PRIu32 " of %" PRIu32 " visits, mean %+.3f",
                                   length ? "; " : "",
                                   banyan_game_player_name(report->game, edge->player), edge->label,
                                   edge->visits, root->visits, edge->mean);
    }
    page_pair("result", text, out);
}

static void page_data(const struct report *report, const int *numbers, struct report_out *out)
{
    report_print(out, "{\"svg\":%s", report->game->svg ? "true" : "false");
    page_pair("title", report->game->title, out);
    page_result(report, out);
    report_print(out, ",\"boxes\":[");
    for (int i = 0; i < report->count; ++i)
        if (report_has_box(report, i))
            page_box(report, numbers, i, out);
    report_print(out, "]}");
}

static void page_write(const char *text, size_t length, struct report_out *out)
{
    if (!out->failed)
        out->failed = !out->write(out->ctx, text, length);
}

void report_write_html(const struct report *report, struct report_out *out)
{
    static const char mark[] = "@DATA@";
    const char *at = strstr(report_html, mark), *rest = at + sizeof mark - 1;
    int *numbers = calloc((size_t)report->count + 1, sizeof *numbers), count = 0;
    out->refused = !numbers;
    if (!numbers)
        return;
    for (int i = 0; i < report->count; ++i)
        if (report_has_box(report, i))
            numbers[i] = count++;
    page_write(report_html, (size_t)(at - report_html), out);
    page_data(report, numbers, out);
    page_write(rest, strlen(rest), out);
    free(numbers);
}
