/* Shows what `banyan showdown` does: a live line for each battle, notes, the result. */
#include "cli/showdown_view.h"

#include "cli/show.h"

#include "base/clock.h"
#include "match/elo.h"

#include <jansson.h>

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { VIEW_EVERY_MS = 200, VIEW_LINES = 16, VIEW_WIDTH = 118 };

void showdown_view_start(struct showdown_view *view)
{
    view->started_ms = clock_now_ms();
    view->live = !view->quiet && !view->json && isatty(STDOUT_FILENO);
}

/* Erases the live lines from the terminal. */
static void view_clear(struct showdown_view *view)
{
    if (view->lines)
        printf("\033[%dA\033[J", view->lines);
    view->lines = 0;
    fflush(stdout);
}

void showdown_view_say(void *self, enum host_level level, const char *line)
{
    struct showdown_view *view = self;
    bool shown = level == HOST_WARNING || view->verbose || (level == HOST_NOTE && !view->quiet);
    if (!shown)
        return;
    view_clear(view);
    char stamp[16] = "";
    time_t now = time(NULL);
    struct tm local;
    if (localtime_r(&now, &local))
        strftime(stamp, sizeof stamp, "%H:%M:%S ", &local);
    fprintf(stderr, "%s%s%s\n", stamp, level == HOST_WARNING ? "warning: " : "", line);
}

void showdown_view_moved(void *self, const struct lobby *lobby)
{
    struct showdown_view *view = self;
    double now_ms = clock_now_ms();
    if (!view->live || now_ms - view->drawn_ms < VIEW_EVERY_MS)
        return;
    view->drawn_ms = now_ms;
    view_clear(view);
    for (int i = 0; i < lobby->battle_count && i < VIEW_LINES; ++i) {
        char line[512];
        battle_view(lobby->battles[i], line, sizeof line);
        printf("%.*s\n", VIEW_WIDTH, line);
        ++view->lines;
    }
    fflush(stdout);
}

void showdown_view_over(void *self, const struct battle *battle)
{
    struct showdown_view *view = self;
    if (view->quiet || view->json)
        return;
    view_clear(view);
    char line[512];
    battle_view(battle, line, sizeof line);
    printf("%s\n", line);
    fflush(stdout);
}

/* --- the result --- */

static void view_json(const struct client_settings *settings, const char *player,
                      const struct lobby_count *count, double seconds, double low, double high)
{
    const struct battle_count *all = &count->battles;
    double points = count->won + 0.5 * count->tied;
    show_json(json_pack(
        "{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:i, s:i, s:i, s:i, s:i, s:i, s:i, "
        "s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:o}",
        "name", settings->lobby.name, "player", player, "format", lobby_format, "games",
        count->finished, "won", count->won, "lost", count->lost, "tied", count->tied, "score",
        show_number(count->finished ? points / count->finished : 0), "low95", show_number(low),
        "high95", show_number(high), "abandoned", count->abandoned, "reconnects", count->reconnects,
        "rebuilt", all->rebuilt, "decisions", all->decisions, "invalid", all->invalid,
        "unavailable", all->unavailable, "late", all->late, "defaults", all->defaults, "timed_out",
        all->timed_out, "unknown_lines", all->unknown + all->broken, "differences",
        all->differences, "unsearched", all->unsearched, "think_ms",
        show_number(all->decisions ? all->think_ms / all->decisions : 0), "think_most_ms",
        show_number(all->think_most_ms), "elapsed_s", show_number(seconds)));
}

static void view_text(const struct lobby_count *count, double seconds, double low, double high)
{
    const struct battle_count *all = &count->battles;
    double points = count->won + 0.5 * count->tied;
    printf("%d games in %.1f s: %d won, %d lost, %d tied", count->finished, seconds, count->won,
           count->lost, count->tied);
    if (count->finished)
        printf(": %.1f %% (95 %%: %.1f to %.1f)", 100 * points / count->finished, 100 * low,
               100 * high);
    printf("\n%d decisions, %.2f ms each, %.1f ms at most; %d left to the server's default\n",
           all->decisions, all->decisions ? all->think_ms / all->decisions : 0, all->think_most_ms,
           all->defaults);
    printf("refused: %d invalid, %d unavailable, %d late; %d lost on time; %d unknown lines\n",
           all->invalid, all->unavailable, all->late, all->timed_out, all->unknown + all->broken);
    printf("%d requests offered other choices than the rules of Banyan; %d decisions without a "
           "search\n",
           all->differences, all->unsearched);
    printf("%d reconnects, %d battles continued after one, %d given up\n", count->reconnects,
           all->rebuilt, count->abandoned);
}

void showdown_view_result(struct showdown_view *view, const struct client_settings *settings,
                          const char *player, const struct lobby_count *count)
{
    double seconds = (clock_now_ms() - view->started_ms) / 1000, low = 0, high = 1;
    view_clear(view);
    if (count->finished)
        elo_wilson(count->won + 0.5 * count->tied, count->finished, ELO_Z95, &low, &high);
    if (view->json)
        view_json(settings, player, count, seconds, low, high);
    else
        view_text(count, seconds, low, high);
}
