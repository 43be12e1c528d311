/* DIR/report.html: one page with charts of all generations and one game of the last generation. */
#include "train/loop_state.h"

#include "base/output.h"
#include "match/elo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPORT_WIDTH = 560, REPORT_HEIGHT = 236, REPORT_LEFT = 52, REPORT_BOTTOM = 40 };
enum { REPORT_LINES = 16, REPORT_PICTURES = 12, REPORT_BOARD = 170, REPORT_CELL = 26 };

/* A value with its interval; NaN: none. */
struct report_point {
    double x, y, lo, hi;
};

struct report_line {
    char name[256];
    struct report_point *points; /* [room] */
    int count, room;
};

struct report_chart {
    const char *title;
    struct report_line lines[REPORT_LINES];
    int count;
};

struct report {
    struct loop *loop;
    FILE *file;
    struct loop_generation *rows; /* [count] */
    int count, room;
    struct report_chart losses, tests, elo, speed;
};

static const char *const report_colours[REPORT_LINES] = {
    "#1f6fb4", "#d1662b", "#2e8b57", "#8a4fbf", "#b8860b", "#c2185b", "#00838f", "#5d4037",
    "#9ec5e8", "#f0b48a", "#8fd3ab", "#c9aee5", "#e0c068", "#e893b3", "#7cc4cb", "#b39a90"};

/* --- data --- */

/* line may be NULL: its chart has no place for it. */
static void report_add(struct report_line *line, double x, double y, double lo, double hi)
{
    if (!line)
        return;
    if (line->count == line->room) {
        int room = 2 * line->room + 64;
        struct report_point *more = realloc(line->points, sizeof *more * (size_t)room);
        if (!more)
            return; /* without memory the line ends here */
        line->points = more;
        line->room = room;
    }
    line->points[line->count++] = (struct report_point){x, y, lo, hi};
}

/* Finds the chart's line called name, or adds it; NULL: the chart is full. */
static struct report_line *report_line(struct report_chart *chart, const char *name)
{
    for (int i = 0; i < chart->count; ++i)
        if (strcmp(chart->lines[i].name, name) == 0)
            return &chart->lines[i];
    if (chart->count == REPORT_LINES)
        return NULL;
    struct report_line *line = &chart->lines[chart->count++];
    snprintf(line->name, sizeof line->name, "%s", name);
    return line;
}

static void report_put(struct report_chart *chart, const char *name, double x, double y)
{
    report_add(report_line(chart, name), x, y, NAN, NAN);
}

static enum banyan_status report_row(void *ctx, const struct loop_generation *g)
{
    struct report *report = ctx;
    if (report->count == report->room) {
        int room = 2 * report->room + 64;
        struct loop_generation *more = realloc(report->rows, sizeof *more * (size_t)room);
        if (!more)
            return BANYAN_NO_MEMORY;
        report->rows = more;
        report->room = room;
    }
    report->rows[report->count++] = *g;
    return BANYAN_OK;
}

static void report_test(void *ctx, const struct train_database_test *test)
{
    struct report *report = ctx;
    double lo, hi;
    elo_wilson(test->score * (double)test->games, (double)test->games, ELO_Z95, &lo, &hi);
    report_add(report_line(&report->tests, test->opponent), (double)test->generation,
               100 * test->score, 100 * lo, 100 * hi);
}

/* Elo of the best network: the sum of the gates' differences; their errors are added as squares. */
static void report_elo(struct report *report)
{
    double squares = 0;
    bool gates = false;
    for (int i = 0; i < report->count; ++i)
        gates = gates || report->rows[i].gate_games;
    if (!gates)
        return; /* no comparison was made */
    struct report_line *line = report_line(&report->elo, "best network");
    for (int i = 0; i < report->count; ++i) {
        const struct loop_generation *g = &report->rows[i];
        if (g->published && g->gate_games) {
            double lo, hi;
            elo_wilson(g->gate_score * (double)g->gate_games, (double)g->gate_games, ELO_Z95, &lo,
                       &hi);
            double half = (elo_from_score(hi < 0.999 ? hi : 0.999) -
                           elo_from_score(lo > 0.001 ? lo : 0.001)) /
                          2;
            squares += half * half;
        }
        report_add(line, (double)g->generation, g->elo, g->elo - sqrt(squares),
                   g->elo + sqrt(squares));
    }
}

static void report_collect(struct report *report)
{
    report->losses.title = "Losses of learning";
    report->tests.title = "Tests against fixed opponents: score in %, with 95 % intervals (Wilson)";
    report->elo.title = "Elo of the best network above the first, by its gates";
    report->speed.title = "Games per second";
    for (int i = 0; i < report->count; ++i) {
        const struct loop_generation *g = &report->rows[i];
        double x = (double)g->generation;
        report_put(&report->losses, "policy", x, g->learned.policy);
        report_put(&report->losses, "entropy of its targets", x, g->learned.entropy);
        report_put(&report->losses, "value", x, g->learned.value);
        if (g->held.positions) {
            report_put(&report->losses, "policy, on held-out games", x, g->held.policy);
            report_put(&report->losses, "value, on held-out games", x, g->held.value);
        }
        if (report->loop->model.arch.owner)
            report_put(&report->losses, "owner", x, g->learned.owner);
        if (report->loop->model.arch.score)
            report_put(&report->losses, "score", x, g->learned.score);
        if (g->play_s > 0)
            report_put(&report->speed, "self-play", x, (double)g->games / g->play_s);
    }
    report_elo(report);
}

/* --- charts --- */

struct report_scale {
    double x0, x1, y0, y1;
};

static void report_stretch(struct report_scale *scale, double y)
{
    if (isnan(y))
        return;
    scale->y0 = fmin(scale->y0, y);
    scale->y1 = fmax(scale->y1, y);
}

/* The round distance between grid lines that divides the span into four to ten parts. */
static double report_step(double span)
{
    double step = pow(10, floor(log10(span / 4)));
    return span / step >= 20 ? 5 * step : span / step >= 8 ? 2 * step : step;
}

static struct report_scale report_scale(const struct report_chart *chart)
{
    struct report_scale scale = {INFINITY, -INFINITY, 0, -INFINITY};
    for (int i = 0; i < chart->count; ++i)
        for (int j = 0; j < chart->lines[i].count; ++j) {
            const struct report_point *p = &chart->lines[i].points[j];
            scale.x0 = fmin(scale.x0, p->x);
            scale.x1 = fmax(scale.x1, p->x);
            report_stretch(&scale, p->y);
            report_stretch(&scale, p->lo);
            report_stretch(&scale, p->hi);
        }
    if (scale.x1 <= scale.x0)
        scale.x1 = scale.x0 + 1;
    if (scale.y1 <= scale.y0)
        scale.y1 = scale.y0 + 1;
    /* a whole number of steps, so that nothing is drawn outside the grid */
    double step = report_step(scale.y1 - scale.y0);
    scale.y0 = floor(scale.y0 / step) * step;
    scale.y1 = ceil(scale.y1 / step) * step;
    return scale;
}

static double report_x(const struct report_scale *s, double x)
{
    return REPORT_LEFT + (x - s->x0) / (s->x1 - s->x0) * (REPORT_WIDTH - REPORT_LEFT - 12);
}

static double report_y(const struct report_scale *s, double y)
{
    return 8 + (s->y1 - y) / (s->y1 - s->y0) * (REPORT_HEIGHT - REPORT_BOTTOM - 16);
}

static void report_axes(FILE *file, const struct report_scale *s)
{
    double step = report_step(s->y1 - s->y0), across = report_step(s->x1 - s->x0);
    for (double y = s->y0; y <= s->y1 + step / 2; y += step)
        fprintf(file,
                "<path class=\"%s\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
                "text-anchor=\"end\">%g</text>\n",
                fabs(y) < step / 2 ? "zero" : "grid", REPORT_LEFT, report_y(s, y),
                REPORT_WIDTH - 12, REPORT_LEFT - 6, report_y(s, y) + 4, fabs(y) < step / 2 ? 0 : y);
    for (double x = ceil(s->x0 / fmax(across, 1)) * fmax(across, 1); x <= s->x1;
         x += fmax(across, 1))
        fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
                report_x(s, x), REPORT_HEIGHT - 20, x);
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">generation</text>\n",
            (REPORT_LEFT + REPORT_WIDTH - 12) / 2, REPORT_HEIGHT - 4);
}

static void report_draw_line(FILE *file, const struct report_scale *s,
                             const struct report_line *line, const char *colour)
{
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour);
    for (int i = 0; i < line->count; ++i)
        fprintf(file, "%.1f,%.1f ", report_x(s, line->points[i].x), report_y(s, line->points[i].y));
    fprintf(file, "\"/>\n");
    for (int i = 0; i < line->count; ++i) {
        const struct report_point *p = &line->points[i];
        double x = report_x(s, p->x);
        if (!isnan(p->lo))
            fprintf(file, "<path stroke=\"%s\" d=\"M%.1f %.1fV%.1f\"/>\n", colour, x,
                    report_y(s, p->lo), report_y(s, p->hi));
        if (line->count < 60)
            fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n", x,
                    report_y(s, p->y), colour);
    }
}

static void report_text(FILE *file, const char *text)
{
    for (; *text; ++text)
        switch (*text) {
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        default:
            fputc(*text, file);
        }
}

/* Writes text as a part of a data: URL.  An SVG picture in an img element has styles of its own,
 * which do not affect the page. */
static void report_encoded(FILE *file, const char *text)
{
    for (; *text; ++text)
        if (strchr("%#<>\"'&?\n ", *text) || (unsigned char)*text > 126)
            fprintf(file, "%%%02X", (unsigned)(unsigned char)*text);
        else
            fputc(*text, file);
}

static void report_chart(FILE *file, const struct report_chart *chart)
{
    if (!chart->count || !chart->lines[0].count)
        return;
    struct report_scale scale = report_scale(chart);
    fprintf(file,
            "<figure class=\"chart\"><figcaption>%s</figcaption>\n<svg viewBox=\"0 0 %d %d\">\n",
            chart->title, REPORT_WIDTH, REPORT_HEIGHT);
    report_axes(file, &scale);
    for (int i = 0; i < chart->count; ++i)
        report_draw_line(file, &scale, &chart->lines[i], report_colours[i]);
    fprintf(file, "</svg>\n<p>");
    for (int i = 0; i < chart->count; ++i) {
        fprintf(file, "<span style=\"color:%s\">&#9632;</span> ", report_colours[i]);
        report_text(file, chart->lines[i].name);
        fputs(" &nbsp; ", file);
    }
    fprintf(file, "</p></figure>\n");
}

/* --- a game --- */

struct report_game {
    FILE *file;
    const struct banyan_game *game;
    int total; /* positions */
};

static void report_position(void *ctx, const void *state, int number)
{
    struct report_game *shown = ctx;
    int every = (shown->total + REPORT_PICTURES - 1) / REPORT_PICTURES;
    if (number % (every > 0 ? every : 1) && number != shown->total)
        return;
    int (*draw)(const struct banyan_game *, const void *, int, char *, size_t) =
        shown->game->svg ? shown->game->svg : shown->game->draw;
    int length = draw ? draw(shown->game, state, -1, NULL, 0)
                      : shown->game->format(shown->game, state, NULL, 0);
    char *text = malloc((size_t)length + 1);
    if (!text)
        return;
    if (draw)
        draw(shown->game, state, -1, text, (size_t)length + 1);
    else
        shown->game->format(shown->game, state, text, (size_t)length + 1);
    int wide = REPORT_CELL * shown->game->planes[2];
    fprintf(shown->file, "<figure class=\"board\" style=\"width:%dpx\"><figcaption>",
            wide > REPORT_BOARD ? wide : REPORT_BOARD);
    fprintf(shown->file, number ? "after %d</figcaption>" : "start</figcaption>", number);
    if (shown->game->svg) {
        fputs("<img alt=\"board\" src=\"data:image/svg+xml,", shown->file);
        report_encoded(shown->file, text);
        fputs("\">", shown->file);
    } else {
        fputs("<pre>", shown->file);
        report_text(shown->file, text);
        fputs("</pre>", shown->file);
    }
    fputs("</figure>\n", shown->file);
    free(text);
}

/* Reads the first undamaged game of the generation that has as many choices as the average game or more. */
static bool report_read_sample(const struct loop *loop, struct record_reader *reader,
                               struct record *record)
{
    while (record_reader_next(reader, record))
        if (record->choice_count * loop->now.games >= loop->now.choices)
            return true;
    return false;
}

/* A game of the generation, in about a dozen pictures. */
static void report_sample(struct report *report)
{
    struct loop *loop = report->loop;
    char path[LOOP_PATH], name[48];
    struct record_reader *reader;
    struct record record = {.start = NULL};
    snprintf(name, sizeof name, "records/g%05lld.rec", (long long)loop->now.generation);
    loop_path(loop, path, name);
    if (record_reader_open(&reader, path, loop->game->name, NULL) != BANYAN_OK)
        return;
    if (report_read_sample(loop, reader, &record)) {
        struct report_game shown = {report->file, loop->game, record.choice_count};
        fprintf(report->file, "<h2>Game %lld of generation %lld</h2>\n<p>%d choice%s; returns",
                (long long)record.number + 1, (long long)record.generation, record.choice_count,
                record.choice_count == 1 ? "" : "s");
        for (int p = 0; p < loop->game->players; ++p)
            fprintf(report->file, " %g", (double)record.returns[p]);
        fprintf(report->file, "%s</p>\n<div class=\"row\">\n", record.resigned ? ", given up" : "");
        replay_show(loop->game, &record, report_position, &shown);
        fprintf(report->file, "</div>\n");
    }
    record_free(&record);
    record_reader_close(reader);
}

/* --- the page --- */

static void report_settings(struct report *report)
{
    char text[LOOP_TEXT];
    fprintf(report->file, "<h2>Settings</h2>\n<table>\n");
    for (int i = 0; loop_parts[i]; ++i) {
        void *values;
        const struct banyan_option *table =
            loop_part(&report->loop->settings, loop_parts[i], &values);
        banyan_options_dump(table, values, NULL, text, sizeof text);
        fprintf(report->file, "<tr><th>%s</th><td>", loop_parts[i]);
        for (const char *at = text; *at; ++at)
            if (*at == ',')
                fputs(", ", report->file);
            else
                report_text(report->file, (char[]){*at, 0});
        fprintf(report->file, "</td></tr>\n");
    }
    fprintf(report->file, "</table>\n");
}

static void report_totals(struct report *report)
{
    int64_t games = 0, choices = 0;
    double seconds = 0;
    for (int i = 0; i < report->count; ++i) {
        const struct loop_generation *g = &report->rows[i];
        games += g->games;
        choices += g->choices;
        seconds += g->play_s + g->learn_s + g->gate_s + g->test_s;
    }
    bool is_short = seconds < 120;
    fprintf(report->file, "<p>%d generations, %lld games, %lld choices, %.1f %s", report->count,
            (long long)games, (long long)choices, is_short ? seconds : seconds / 60,
            is_short ? "seconds" : "minutes");
    for (int i = 0; i < report->tests.count; ++i) {
        const struct report_line *line = &report->tests.lines[i];
        if (!line->count)
            continue;
        fprintf(report->file, "; <b>%.1f %%</b> against ", line->points[line->count - 1].y);
        report_text(report->file, line->name);
        fprintf(report->file, " after generation %.0f", line->points[line->count - 1].x);
    }
    fprintf(report->file, "</p>\n");
}

static void report_page(struct report *report)
{
    FILE *file = report->file;
    fprintf(file,
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>%s: a run</title>\n<style>\n"
            "body{font:15px/1.4 system-ui,sans-serif;margin:2em auto;max-width:1180px;"
            "padding:0 1em;color:#222}\n"
            "figure{display:inline-block;margin:.5em "
            "0;width:560px;max-width:100%%;vertical-align:top}\n"
            "figure.board{margin:.5em}figure.board img{width:100%%}pre{overflow:auto}\n"
            "td{overflow-wrap:anywhere}\n"
            "figcaption{font-weight:600}.chart text{font-size:11px;fill:#555}\n"
            "@media(max-width:600px){body{margin-top:.5em}.chart text{font-size:16px}}\n"
            ".grid{stroke:#ddd}.zero{stroke:#999}figure p{margin:.2em 0;font-size:13px}\n"
            "pre{font-size:10px;line-height:1.1}table{border-collapse:collapse;font-size:13px}\n"
            "th{text-align:left;vertical-align:top;padding-right:1em}\n"
            "</style></head><body>\n<h1>%s</h1>\n",
            report->loop->game->name, report->loop->game->title);
    report_totals(report);
    report_chart(file, &report->losses);
    report_chart(file, &report->tests);
    report_chart(file, &report->elo);
    report_chart(file, &report->speed);
    report_sample(report);
    loop_workers_report(report->loop, file);
    report_settings(report);
    fprintf(file, "</body></html>\n");
}

static void report_free(struct report *report)
{
    struct report_chart *const charts[] = {&report->losses, &report->tests, &report->elo,
                                           &report->speed};
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < charts[i]->count; ++j)
            free(charts[i]->lines[j].points);
    free(report->rows);
}

static enum banyan_status report_write(struct report *report, struct banyan_error *err)
{
    char path[LOOP_PATH];
    struct output output;
    loop_path(report->loop, path, "report.html");
    enum banyan_status status = output_open(&output, path, err);
    if (status != BANYAN_OK)
        return status;
    report->file = output.stream;
    report_page(report);
    return output_close(&output, BANYAN_OK, err);
}

enum banyan_status loop_report(struct loop *loop, struct banyan_error *err)
{
    struct report *report = calloc(1, sizeof *report);
    if (!report)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a report");
    report->loop = loop;
    enum banyan_status status = train_database_each_generation(
        loop->database, TRAIN_DATABASE_GENERATIONS, 0, report_row, report, err);
    if (status == BANYAN_OK)
        status = train_database_each_test(loop->database, report_test, report, err);
    report_collect(report);
    if (status == BANYAN_OK)
        status = report_write(report, err);
    report_free(report);
    free(report);
    return status;
}
