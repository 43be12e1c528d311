/* exec:gtp: a program for Othello, Hex or another game of black and white that speaks the Go Text
 * Protocol, version 2 (Farneback 2002), as Edax and others do: "play b d3", "genmove w", "pass".
 *
 * GTP cannot describe a position, so a game must start from the usual one; the match plays
 * openings move by move.  In Go either colour may place stones, so every position can be built
 * up from its text: komi, stones, moves. */
#include "base/clock.h"
#include "players/budget.h"
#include "players/program/offers.h"
#include "players/program/player_exec.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GTP_CHATTER = 100 }; /* most lines before a reply that are skipped */

struct gtp {
    const struct banyan_game *game;
    struct process *process;
    double timeout_ms;
    int size; /* of the board: squares in a row */
    int seat;
    bool greeted;           /* the program has answered a GTP command */
    bool played;            /* genmove has already made our move on the program's board */
    void *start;            /* [state_size] the usual start position */
    banyan_action *actions; /* [max_legal] */
};

static const char *gtp_colour(int player)
{
    return player == 0 ? "black" : "white";
}

/* Sends a command; answer[size] gets the first line of the reply.  BANYAN_ILLEGAL: the program
 * answered "? ...". */
static enum banyan_status gtp_ask(struct gtp *gtp, const char *command, double timeout_ms,
                                  char *answer, size_t size, struct banyan_error *err)
{
    const char *line;
    double until_ms = clock_now_ms() + timeout_ms;
    enum banyan_status status = process_send(gtp->process, command, timeout_ms, err);
    int chatter =
        /* lines that are not replies, such as reports of the program's search */
        gtp->greeted ? GTP_CHATTER : 0;
    do {
        if (status == BANYAN_OK)
            status = process_receive(gtp->process, &line, until_ms - clock_now_ms(), err);
    } while (status == BANYAN_OK && (!*line || (!strchr("=?", *line) && chatter-- > 0)));
    if (status != BANYAN_OK)
        return status;
    if (!strchr("=?", *line))
        return banyan_fail(err, BANYAN_CORRUPT,
                           "'%s' answered '%.80s' to '%s': a GTP reply begins with '=' or '?'",
                           process_command(gtp->process), line, command);
    bool refused = *line == '?';
    line += 1 + strspn(line + 1, "0123456789");
    line += strspn(line, " \t");
    snprintf(answer, size, "%s", line);
    do /* a reply ends with an empty line */
        status = process_receive(gtp->process, &line, until_ms - clock_now_ms(), err);
    while (status == BANYAN_OK && *line);
    if (status == BANYAN_OK && refused)
        return banyan_fail(err, BANYAN_ILLEGAL, "'%s' refuses '%s': %.200s",
                           process_command(gtp->process), command, answer);
    return status;
}

static enum banyan_status gtp_tell(struct gtp *gtp, const char *command, struct banyan_error *err)
{
    char answer[256];
    return gtp_ask(gtp, command, gtp->timeout_ms, answer, sizeof answer, err);
}

/* Plays the moves in a text.  list: commas separate the moves, a blank ends them, and all are of
 * this colour; otherwise blanks separate them, and the colours take turns, this one first. */
static enum banyan_status gtp_place(struct gtp *gtp, const char *text, int colour, bool list,
                                    struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; *text && (!list || *text != ' ') && status == BANYAN_OK; ++i) {
        char command[40];
        int length = (int)strcspn(text, ", ");
        snprintf(command, sizeof command, "play %s %.*s",
                 gtp_colour(list ? colour : (colour + i) % 2), length, text);
        status = gtp_tell(gtp, command, err);
        text += length;
        text += strspn(text, list ? "," : " ");
    }
    return status;
}

/* Places handicap stones: there are only black stones, and white moves first. */
static enum banyan_status gtp_place_handicap(struct gtp *gtp, const char *points,
                                             struct banyan_error *err)
{
    char command[BANYAN_TEXT_MAX];
    snprintf(command, sizeof command, "set_free_handicap %.*s", (int)strcspn(points, " "), points);
    for (char *at = command; *at; ++at)
        if (*at == ',')
            *at = ' ';
    return gtp_tell(gtp, command, err);
}

/* Sends a position of Go, "komi=7.5 first=white black=C3,G7 moves:E5 pass". */
static enum banyan_status gtp_build(struct gtp *gtp, const char *text, struct banyan_error *err)
{
    const char *black = strstr(text, " black="), *white = strstr(text, " white=");
    const char *moves = strstr(text, " moves:");
    bool white_first = strstr(text, " first=white") != NULL;
    char command[40];
    snprintf(command, sizeof command, "komi %.*s", (int)strcspn(text + 5, " "), text + 5);
    enum banyan_status status = gtp_tell(gtp, command, err);
    if (status == BANYAN_OK && black)
        status = white_first && !white && strcspn(black + 7, ",") < strcspn(black + 7, " ")
                     ? gtp_place_handicap(gtp, black + 7, err)
                     : gtp_place(gtp, black + 7, 0, true, err);
    if (status == BANYAN_OK && white)
        status = gtp_place(gtp, white + 7, 1, true, err);
    if (status == BANYAN_OK && moves)
        status = gtp_place(gtp, moves + 7, white_first, false, err);
    return status;
}

static enum banyan_status gtp_open(void *ctx, const void *state, int seat, uint64_t seed,
                                   struct banyan_error *err)
{
    struct gtp *gtp = ctx;
    char command[32], text[BANYAN_TEXT_MAX];
    (void)seed;
    gtp->seat = seat;
    gtp->played = false;
    gtp->game->format(gtp->game, state, text, sizeof text);
    bool is_go = strncmp(text, "komi=", 5) == 0;
    if (!is_go && memcmp(state, gtp->start, gtp->game->state_size) != 0)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "a GTP program starts from the usual position only: give openings as "
                           "moves");
    snprintf(command, sizeof command, "boardsize %d", gtp->size);
    enum banyan_status status = gtp_tell(gtp, command, err);
    if (status == BANYAN_OK)
        status = gtp_tell(gtp, "clear_board", err);
    return status == BANYAN_OK && is_go ? gtp_build(gtp, text, err) : status;
}

static bool gtp_is_pass(const char *text)
{
    return tolower((unsigned char)text[0]) == 'p';
}

static enum banyan_status gtp_observe(void *ctx, const void *before, const banyan_action joint[],
                                      const void *after, struct banyan_error *err)
{
    struct gtp *gtp = ctx;
    int player = gtp->game->movers(gtp->game, before) == 1 ? 0 : 1;
    char text[16], command[32];
    (void)after;
    bool known = gtp->played && player == gtp->seat;
    gtp->played = false;
    if (known)
        return BANYAN_OK;
    gtp->game->action_format(gtp->game, before, player, joint[player], text, sizeof text);
    snprintf(command, sizeof command, "play %s %s", gtp_colour(player), text);
    enum banyan_status status = gtp_tell(gtp, command, err);
    /* Some programs pass by themselves when they have no other legal move, and then refuse a
     * pass. */
    return status == BANYAN_ILLEGAL && gtp_is_pass(text) ? BANYAN_OK : status;
}

static enum banyan_status gtp_send_clock(struct gtp *gtp, const struct banyan_player_clock *clock,
                                         struct banyan_error *err)
{
    char command[64];
    /* a fixed time per move is sent as the time for one stone */
    bool per_move = clock->increment_ms >= clock->left_ms[gtp->seat];
    double seconds = floor(clock->left_ms[gtp->seat] / 1000);
    snprintf(command, sizeof command, "time_left %s %.0f %d", gtp_colour(gtp->seat),
             per_move && seconds < 1 ? 1 : seconds, per_move);
    enum banyan_status status = gtp_tell(gtp, command, err);
    return status == BANYAN_ILLEGAL ? BANYAN_OK : status; /* not every program has this command */
}

static enum banyan_status gtp_genmove(struct gtp *gtp, const void *state,
                                      const struct banyan_player_clock *clock, banyan_action *out,
                                      struct banyan_error *err)
{
    char command[32], answer[256];
    snprintf(command, sizeof command, "genmove %s", gtp_colour(gtp->seat));
    enum banyan_status status =
        gtp_ask(gtp, command, exec_answer_ms(gtp->timeout_ms, clock, gtp->seat), answer,
                sizeof answer, err);
    if (status != BANYAN_OK)
        return status;
    for (char *at = answer; *at; ++at)
        *at = (char)tolower((unsigned char)*at);
    answer[strcspn(answer, " \t")] = 0;
    status = exec_find_action(&(struct exec_decision){gtp->game, state, gtp->seat, gtp->actions},
                              answer, out, err);
    gtp->played = true;
    return status == BANYAN_OK ? BANYAN_OK : exec_blame(err, process_command(gtp->process), status);
}

static enum banyan_status gtp_choose(void *ctx, const void *state,
                                     const struct banyan_player_clock *clock,
                                     struct banyan_player_move *out, struct banyan_error *err)
{
    struct gtp *gtp = ctx;
    double start_ms = clock_now_ms();
    enum banyan_status status = BANYAN_OK;
    *out = (struct banyan_player_move){.value = (double)NAN};
    if (gtp->game->legal(gtp->game, state, gtp->seat, gtp->actions) == 1) {
        out->action = gtp->actions[0]; /* sent as "play" when it is observed */
        return BANYAN_OK;
    }
    process_watch(gtp->process, clock ? clock->stop : NULL);
    if (budget_limited(clock, gtp->seat))
        status = gtp_send_clock(gtp, clock, err);
    if (status == BANYAN_OK)
        status = gtp_genmove(gtp, state, clock, &out->action, err);
    process_watch(gtp->process, NULL);
    out->elapsed_ms = clock_now_ms() - start_ms;
    return status;
}

static void gtp_close(void *ctx)
{
    struct gtp *gtp = ctx;
    if (gtp->process)
        process_send(gtp->process, "quit", EXEC_GRACE_MS, NULL);
    process_stop(gtp->process, EXEC_GRACE_MS);
    free(gtp->start);
    free(gtp->actions);
    free(gtp);
}

/* Checks that the program speaks GTP, by the one command that every version must have. */
static enum banyan_status gtp_greet(struct gtp *gtp, struct banyan_error *err)
{
    char answer[64];
    enum banyan_status status =
        gtp_ask(gtp, "protocol_version", gtp->timeout_ms, answer, sizeof answer, err);
    gtp->greeted = status == BANYAN_OK;
    return status;
}

static enum banyan_status gtp_start(struct gtp *gtp, const char *command, struct banyan_error *err)
{
    const struct banyan_game *game = gtp->game;
    gtp->start = calloc(1, game->state_size);
    gtp->actions = malloc((size_t)game->max_legal * sizeof *gtp->actions);
    if (!gtp->start || !gtp->actions)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player 'exec:gtp'");
    enum banyan_status status = game->init(game, gtp->start, NULL, NULL, err);
    if (status == BANYAN_OK)
        status = process_start(&gtp->process, command, err);
    return status == BANYAN_OK ? gtp_greet(gtp, err) : status;
}

enum banyan_status player_gtp_create(const struct banyan_game *game, const char *args,
                                     const struct banyan_offer *offers, uint64_t seed,
                                     struct banyan_player *out, struct banyan_error *err)
{
    const char *command;
    double timeout_ms;
    (void)seed; /* GTP has no command that sets a seed */
    if (game->players != 2 || strcmp(banyan_game_player_name(game, 0), "black") != 0)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "exec:gtp plays games of black and white on a board, such as othello "
                           "and hex, not '%s'",
                           game->name);
    enum banyan_status status = exec_arguments(args, &command, &timeout_ms, err);
    if (status != BANYAN_OK)
        return status;
    struct gtp *gtp = calloc(1, sizeof *gtp);
    if (!gtp)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player 'exec:gtp'");
    gtp->game = game;
    gtp->timeout_ms = timeout_ms;
    gtp->size = game->planes[1];
    status = gtp_start(gtp, command, err);
    if (status != BANYAN_OK) {
        gtp_close(gtp);
        return status;
    }
    out->ctx = gtp;
    out->open = gtp_open;
    out->choose = gtp_choose;
    out->observe = gtp_observe;
    out->close = gtp_close;
    return BANYAN_OK;
}
