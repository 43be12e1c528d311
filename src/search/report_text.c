/* The tree as text, XML and JSON. */
#include "search/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

void report_write_escaped(const char *text, struct report_out *out)
{
    for (; *text; ++text) {
        switch (*text) {
        case '<':
            report_print(out, "&lt;");
            break;
        case '>':
            report_print(out, "&gt;");
            break;
        case '&':
            report_print(out, "&amp;");
            break;
        case '"':
            report_print(out, "&quot;");
            break;
        default:
            if ((unsigned char)*text >= ' ')
                report_print(out, "%c", *text);
        }
    }
}

void report_write_quoted(const char *text, struct report_out *out)
{
    report_print(out, "\"");
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\')
            report_print(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            report_print(out, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            report_print(out, "%c", *text);
    }
    report_print(out, "\"");
}

/* --- text: one line per edge, its outcomes below it when there is more than one --- */

static void report_text_edge(const struct report *report, const struct report_line *line,
                             struct report_out *out)
{
    report_print(out, "%*s%-8s %s  n %" PRIu32, 2 * line->level + 2, "", line->label,
                 banyan_game_player_name(report->game, line->player), line->visits);
    if (!isnan(line->mean))
        report_print(out, "  mean %+.4f", line->mean);
    if (!isnan(line->prior))
        report_print(out, "  prior %.4f", (double)line->prior);
    if (report_bounded(report, line))
        report_print(out, line->lo == line->hi ? "  proven %g" : "  proven %g..%g",
                     (double)line->lo, (double)line->hi);
    report_print(out, "\n");
}

static void report_text_node(const struct report *report, const struct report_line *line,
                             struct report_out *out)
{
    if (line->parent < 0)
        report_print(out, "root     %s  n %" PRIu32 "  mean %+.4f  %d actions\n",
                     banyan_game_player_name(report->game, line->player), line->visits, line->mean,
                     line->actions);
    else if (line->probability < 1)
        report_print(out, "%*s(%s%s%.1f %%  n %" PRIu32 ")\n", 2 * line->level + 1, "",
                     *line->label ? line->label : "outcome", *line->label ? ": " : " ",
                     100 * line->probability, line->visits);
}

void report_write_text(const struct report *report, struct report_out *out)
{
    for (int i = 0; i < report->count; ++i) {
        const struct report_line *line = &report->lines[i];
        if (line->kind == REPORT_EDGE)
            report_text_edge(report, line, out);
        else
            report_text_node(report, line, out);
    }
}

/* --- nested formats: an element is closed when the report leaves its line --- */

typedef void report_tag_fn(const struct report *report, int index, struct report_out *out);

static void report_nested(const struct report *report, report_tag_fn *open, report_tag_fn *close,
                          struct report_out *out)
{
    int at = -1; /* the innermost open line */
    for (int i = 0; i < report->count; ++i) {
        while (at >= 0 && report->lines[at].end <= i) {
            close(report, at, out);
            at = report->lines[at].parent;
        }
        open(report, i, out);
        at = i;
    }
    for (; at >= 0; at = report->lines[at].parent)
        close(report, at, out);
}

/* Blanks before a line: an action and the node below it are one nesting level each. */
static int report_indent(const struct report_line *line)
{
    return 2 * (2 * line->level + (line->kind == REPORT_EDGE) + 1);
}

static void report_xml_open(const struct report *report, int index, struct report_out *out)
{
    const struct report_line *line = &report->lines[index];
    report_print(out, "%*s", report_indent(line), "");
    if (line->kind == REPORT_NODE) {
        report_print(out, "<ActionNode p=\"%.6g\" visits=\"%" PRIu32 "\"", line->probability,
                     line->visits);
        if (*line->label) {
            report_print(out, " outcome=\"");
            report_write_escaped(line->label, out);
            report_print(out, "\"");
        }
        if (line->player >= 0)
            report_print(out, " player=\"%d\" actions=\"%d\"", line->player, line->actions);
    } else {
        report_print(out, "<ChanceNode action=\"");
        report_write_escaped(line->label, out);
        report_print(out, "\" player=\"%d\" visits=\"%" PRIu32 "\"", line->player, line->visits);
        if (!isnan(line->prior))
            report_print(out, " prior=\"%.6g\"", (double)line->prior);
        if (report_bounded(report, line))
            report_print(out, " lo=\"%g\" hi=\"%g\"", (double)line->lo, (double)line->hi);
    }
    if (!isnan(line->mean))
        report_print(out, " score=\"%.9g\"", line->mean);
    report_print(out, line->end == index + 1 ? "/>\n" : ">\n");
}

static void report_xml_close(const struct report *report, int index, struct report_out *out)
{
    const struct report_line *line = &report->lines[index];
    if (line->end > index + 1)
        report_print(out, "%*s</%s>\n", report_indent(line), "",
                     line->kind == REPORT_NODE ? "ActionNode" : "ChanceNode");
}

void report_write_xml(const struct report *report, struct report_out *out)
{
    report_print(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Tree game=\"");
    report_write_escaped(report->game->name, out);
    report_print(out, "\">\n");
    report_nested(report, report_xml_open, report_xml_close, out);
    report_print(out, "</Tree>\n");
}

static void report_json_number(const char *key, double value, struct report_out *out)
{
    if (isfinite(value))
        report_print(out, ", \"%s\": %.9g", key, value);
    else
        report_print(out, ", \"%s\": null", key);
}

static void report_json_open(const struct report *report, int index, struct report_out *out)
{
    const struct report_line *line = &report->lines[index];
    bool first = line->parent == index - 1; /* among its siblings; the first root has index 0 */
    report_print(out, "%s\n%*s{", first ? "" : ",", report_indent(line), "");
    if (line->kind == REPORT_NODE) {
        if (line->player >= 0)
            report_print(out, "\"player\": %d, \"actions\": %d", line->player, line->actions);
        else
            report_print(out, "\"player\": null, \"actions\": null");
        report_json_number("probability", line->probability, out);
        if (*line->label) {
            report_print(out, ", \"outcome\": ");
            report_write_quoted(line->label, out);
        }
    } else {
        report_print(out, "\"action\": ");
        report_write_quoted(line->label, out);
        report_print(out, ", \"player\": %d", line->player);
        report_json_number("prior", line->prior, out);
        report_json_number("lo", line->lo, out);
        report_json_number("hi", line->hi, out);
    }
    report_print(out, ", \"visits\": %" PRIu32, line->visits);
    report_json_number("mean", line->mean, out);
    report_print(out, ", \"%s\": [", line->kind == REPORT_NODE ? "edges" : "nodes");
}

static void report_json_close(const struct report *report, int index, struct report_out *out)
{
    const struct report_line *line = &report->lines[index];
    if (line->end > index + 1)
        report_print(out, "\n%*s", report_indent(line), "");
    report_print(out, "]}");
}

void report_write_json(const struct report *report, struct report_out *out)
{
    report_print(out, "{\"game\": ");
    report_write_quoted(report->game->name, out);
    report_print(out, ", \"roots\": [");
    report_nested(report, report_json_open, report_json_close, out);
    report_print(out, "\n]}\n");
}
