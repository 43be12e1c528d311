/* The tree as text, XML and JSON. */
#include "search/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

void report_write_escaped(const char *text, FILE *out)
{
    for (; *text; ++text) {
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            if ((unsigned char)*text >= ' ')
                fputc(*text, out);
        }
    }
}

void report_write_quoted(const char *text, FILE *out)
{
    fputc('"', out);
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            fprintf(out, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            fputc(*text, out);
    }
    fputc('"', out);
}

/* --- text: one line per edge, its outcomes below it when there is more than one --- */

static void report_text_edge(const struct report *report, const struct report_line *line, FILE *out)
{
    fprintf(out, "%*s%-8s player %d  n %" PRIu32, 2 * line->level + 2, "", line->label,
            line->player, line->visits);
    if (!isnan(line->mean))
        fprintf(out, "  mean %+.4f", line->mean);
    if (!isnan(line->prior))
        fprintf(out, "  prior %.4f", (double)line->prior);
    if (report_bounded(report, line))
        fprintf(out, line->lo == line->hi ? "  proven %g" : "  proven %g..%g", (double)line->lo,
                (double)line->hi);
    fputc('\n', out);
}

static void report_text_node(const struct report_line *line, FILE *out)
{
    if (line->parent < 0)
        fprintf(out, "root     player %d  n %" PRIu32 "  mean %+.4f  %d actions\n", line->player,
                line->visits, line->mean, line->actions);
    else if (line->probability < 1)
        fprintf(out, "%*s(outcome %.1f %%  n %" PRIu32 ")\n", 2 * line->level + 1, "",
                100 * line->probability, line->visits);
}

void report_write_text(const struct report *report, FILE *out)
{
    for (int i = 0; i < report->count; ++i) {
        const struct report_line *line = &report->lines[i];
        if (line->kind == REPORT_EDGE)
            report_text_edge(report, line, out);
        else
            report_text_node(line, out);
    }
}

/* --- nested formats: what opens is closed when the walk leaves it --- */

typedef void report_tag_fn(const struct report *report, int index, FILE *out);

static void report_nested(const struct report *report, report_tag_fn *open, report_tag_fn *close,
                          FILE *out)
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

/* Nesting of a line: two steps per action. */
static int report_indent(const struct report_line *line)
{
    return 2 * (2 * line->level + (line->kind == REPORT_EDGE) + 1);
}

static void report_xml_open(const struct report *report, int index, FILE *out)
{
    const struct report_line *line = &report->lines[index];
    fprintf(out, "%*s", report_indent(line), "");
    if (line->kind == REPORT_NODE) {
        fprintf(out, "<ActionNode p=\"%.6g\" visits=\"%" PRIu32 "\"", line->probability,
                line->visits);
        if (line->player >= 0)
            fprintf(out, " player=\"%d\" actions=\"%d\"", line->player, line->actions);
    } else {
        fprintf(out, "<ChanceNode action=\"");
        report_write_escaped(line->label, out);
        fprintf(out, "\" player=\"%d\" visits=\"%" PRIu32 "\"", line->player, line->visits);
        if (!isnan(line->prior))
            fprintf(out, " prior=\"%.6g\"", (double)line->prior);
        if (report_bounded(report, line))
            fprintf(out, " lo=\"%g\" hi=\"%g\"", (double)line->lo, (double)line->hi);
    }
    if (!isnan(line->mean))
        fprintf(out, " score=\"%.9g\"", line->mean);
    fprintf(out, line->end == index + 1 ? "/>\n" : ">\n");
}

static void report_xml_close(const struct report *report, int index, FILE *out)
{
    const struct report_line *line = &report->lines[index];
    if (line->end > index + 1)
        fprintf(out, "%*s</%s>\n", report_indent(line), "",
                line->kind == REPORT_NODE ? "ActionNode" : "ChanceNode");
}

void report_write_xml(const struct report *report, FILE *out)
{
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Tree game=\"");
    report_write_escaped(report->game->name, out);
    fprintf(out, "\">\n");
    report_nested(report, report_xml_open, report_xml_close, out);
    fprintf(out, "</Tree>\n");
}

static void report_json_number(const char *key, double value, FILE *out)
{
    if (isfinite(value))
        fprintf(out, ", \"%s\": %.9g", key, value);
    else
        fprintf(out, ", \"%s\": null", key);
}

static void report_json_open(const struct report *report, int index, FILE *out)
{
    const struct report_line *line = &report->lines[index];
    bool first = line->parent == index - 1; /* of its siblings; roots have none before them */
    fprintf(out, "%s\n%*s{", first ? "" : ",", report_indent(line), "");
    if (line->kind == REPORT_NODE) {
        if (line->player >= 0)
            fprintf(out, "\"player\": %d, \"actions\": %d", line->player, line->actions);
        else
            fprintf(out, "\"player\": null, \"actions\": null");
        report_json_number("probability", line->probability, out);
    } else {
        fprintf(out, "\"action\": ");
        report_write_quoted(line->label, out);
        fprintf(out, ", \"player\": %d", line->player);
        report_json_number("prior", line->prior, out);
        report_json_number("lo", line->lo, out);
        report_json_number("hi", line->hi, out);
    }
    fprintf(out, ", \"visits\": %" PRIu32, line->visits);
    report_json_number("mean", line->mean, out);
    fprintf(out, ", \"%s\": [", line->kind == REPORT_NODE ? "edges" : "nodes");
}

static void report_json_close(const struct report *report, int index, FILE *out)
{
    const struct report_line *line = &report->lines[index];
    if (line->end > index + 1)
        fprintf(out, "\n%*s", report_indent(line), "");
    fprintf(out, "]}");
}

void report_write_json(const struct report *report, FILE *out)
{
    fprintf(out, "{\"game\": ");
    report_write_quoted(report->game->name, out);
    fprintf(out, ", \"roots\": [");
    report_nested(report, report_json_open, report_json_close, out);
    fprintf(out, "\n]}\n");
}
