/* What GTP has for Go alone: komi, handicap, games in SGF, dead stones. */
#include "cli/gtp.h"

#include "base/input.h"
#include "base/output.h"
#include "cli/ownership.h"
#include "records/sgf.h"

#include <banyan/board.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *gtp_after_komi(const char *text)
{
    return strncmp(text, "komi=", 5) == 0 ? text + strcspn(text, " ") : NULL;
}

bool gtp_has_komi(const struct gtp *gtp)
{
    char text[BANYAN_TEXT_MAX];
    gtp->game->format(gtp->game, gtp->history, text, sizeof text);
    return gtp_after_komi(text) != NULL;
}

/* Changes the komi of every state so far. */
enum banyan_status gtp_komi(struct gtp *gtp, struct banyan_error *err)
{
    char text[BANYAN_TEXT_MAX], setup[BANYAN_TEXT_MAX + 32];
    double komi;
    enum banyan_status status = gtp_number(gtp->words[1], &komi, err);
    for (int i = 0; i < gtp->length && status == BANYAN_OK; ++i) {
        unsigned char *state = gtp->history + (size_t)i * gtp->game->state_size;
        gtp->game->format(gtp->game, state, text, sizeof text);
        const char *after = gtp_after_komi(text);
        if (!after)
            return BANYAN_OK; /* a game without komi, such as Othello, ignores the command */
        snprintf(setup, sizeof setup, "komi=%g%s", komi, after);
        status = gtp->game->init(gtp->game, state, setup, NULL, err);
    }
    return status == BANYAN_OK ? gtp_open(gtp, gtp->seat, err) : status;
}

enum banyan_status gtp_get_komi(struct gtp *gtp, struct banyan_error *err)
{
    char text[BANYAN_TEXT_MAX];
    (void)err;
    gtp->game->format(gtp->game, gtp->history, text, sizeof text);
    const char *after = gtp_after_komi(text);
    snprintf(gtp->answer, sizeof gtp->answer, "%.*s", after ? (int)(after - text - 5) : 1,
             after ? text + 5 : "0");
    return BANYAN_OK;
}

/* Begins again with a setup of handicap stones; the game must have komi (Go), and its board must be
 * empty. */
static enum banyan_status gtp_handicap(struct gtp *gtp, const char *setup, struct banyan_error *err)
{
    char text[BANYAN_TEXT_MAX];
    gtp->game->format(gtp->game, gtp_state(gtp), text, sizeof text);
    if (!gtp_after_komi(text))
        return banyan_fail(err, BANYAN_UNSUPPORTED, "%s has no handicap stones", gtp->game->title);
    if (gtp->length > 1 || strstr(text, "black="))
        return banyan_fail(err, BANYAN_ILLEGAL, "board not empty");
    return gtp_restart(gtp, setup, err);
}

/* fixed_handicap N and place_free_handicap N: answers with the points. */
enum banyan_status gtp_fixed_handicap(struct gtp *gtp, struct banyan_error *err)
{
    char text[BANYAN_TEXT_MAX];
    snprintf(text, sizeof text, " handicap=%.20s", gtp->words[1]);
    enum banyan_status status = gtp_handicap(gtp, text, err);
    if (status != BANYAN_OK)
        return status;
    gtp->game->format(gtp->game, gtp_state(gtp), text, sizeof text);
    char *points = strstr(text, "black=") + strlen("black=");
    points[strcspn(points, " ")] = 0;
    for (char *at = points; *at; ++at)
        if (*at == ',')
            *at = ' ';
    return gtp_answer(gtp, points);
}

enum banyan_status gtp_set_free_handicap(struct gtp *gtp, struct banyan_error *err)
{
    char text[GTP_LINE_MAX];
    size_t length = (size_t)snprintf(text, sizeof text, " first=white black=");
    for (int i = 1; i < gtp->word_count; ++i)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i > 1 ? "," : "",
                                   gtp->words[i]);
    return gtp_handicap(gtp, text, err);
}

/* --- SGF --- */

/* Plays the moves of a game that is known to be legal. */
static enum banyan_status gtp_play_moves(struct gtp *gtp, const char *moves,
                                         struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    while (*moves && status == BANYAN_OK) {
        char move[16];
        banyan_action action;
        size_t length = strcspn(moves, " ");
        int player = gtp->game->movers(gtp->game, gtp_state(gtp)) == 2;
        snprintf(move, sizeof move, "%.*s", (int)length, moves);
        moves += length + strspn(moves + length, " ");
        status = gtp->game->action_parse(gtp->game, gtp_state(gtp), player, move, &action, err);
        if (status == BANYAN_OK)
            status = gtp_apply(gtp, player, action, err);
    }
    return status;
}

/* Checks that the game is legal, before anything changes. */
static enum banyan_status gtp_check_sgf(const struct sgf_game *sgf, struct banyan_error *err)
{
    char setup[2 * BANYAN_TEXT_MAX + 16];
    void *state = calloc(1, sgf->game->state_size);
    if (!state)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory");
    snprintf(setup, sizeof setup, "%s moves:%s", sgf->settings, sgf->moves);
    enum banyan_status status = sgf->game->init(sgf->game, state, setup, NULL, err);
    free(state);
    return status;
}

static enum banyan_status gtp_take_sgf(struct gtp *gtp, const struct sgf_game *sgf,
                                       struct banyan_error *err)
{
    enum banyan_status status = gtp_check_sgf(sgf, err);
    if (status == BANYAN_OK && sgf->game != gtp->game)
        status = gtp_begin(gtp, sgf->game, err);
    if (status == BANYAN_OK)
        status = gtp_start(gtp, sgf->settings, err);
    return status == BANYAN_OK ? gtp_play_moves(gtp, sgf->moves, err) : status;
}

static enum banyan_status gtp_needs_go(const struct gtp *gtp, struct banyan_error *err)
{
    return sgf_serves(gtp->game)
               ? BANYAN_OK
               : banyan_fail(err, BANYAN_UNSUPPORTED, "%s has no SGF", gtp->game->title);
}

/* loadsgf FILE [MOVE]: the position before this move, counted from 1. */
enum banyan_status gtp_loadsgf(struct gtp *gtp, struct banyan_error *err)
{
    char *bytes;
    size_t length;
    double before = INT_MAX;
    enum banyan_status status = gtp_needs_go(gtp, err);
    if (status == BANYAN_OK && gtp->word_count > 2)
        status = gtp_number(gtp->words[2], &before, err);
    if (status == BANYAN_OK && (before < 1 || before > INT_MAX))
        status = banyan_fail(err, BANYAN_INVALID, "moves are counted from 1");
    if (status == BANYAN_OK)
        status = input_read(gtp->written[1], "", &bytes, &length, err);
    if (status != BANYAN_OK)
        return status;
    struct sgf_game *sgf = malloc(sizeof *sgf);
    status = sgf ? sgf_read(bytes, length, before < INT_MAX ? (int)before - 1 : INT_MAX, sgf, err)
                 : banyan_fail(err, BANYAN_NO_MEMORY, "no memory");
    if (status == BANYAN_OK)
        status = gtp_take_sgf(gtp, sgf, err);
    free(sgf);
    free(bytes);
    return status;
}

/* printsgf [FILE]: without FILE the game is the answer. */
enum banyan_status gtp_printsgf(struct gtp *gtp, struct banyan_error *err)
{
    char bytes[GTP_ANSWER_MAX];
    struct text text = text_start(bytes, sizeof bytes);
    struct output output;
    enum banyan_status status = gtp_needs_go(gtp, err);
    if (status != BANYAN_OK)
        return status;
    sgf_write(&text, gtp->game, gtp_state(gtp), NULL);
    if (gtp->word_count < 2)
        return gtp_answer(gtp, bytes);
    status = output_open(&output, gtp->written[1], err);
    if (status != BANYAN_OK)
        return status;
    fputs(bytes, output.stream);
    return output_close(&output, BANYAN_OK, err);
}

/* --- dead stones --- */

/* A stone is alive if playouts leave its cell to its colour more often than not. */
static bool gtp_stone_is(const struct banyan_cell *cell, float owner, const char *status)
{
    bool alive = (cell->owner == 0) == (owner > 0);
    return (cell->looks & BANYAN_CELL_PIECE) && alive == (*status == 'a');
}

/* final_status_list dead, alive or seki: lists the stones of this status.  Playouts do not show
 * which stones live in seki; such stones are listed as alive. */
enum banyan_status gtp_final_status_list(struct gtp *gtp, struct banyan_error *err)
{
    const struct banyan_game *game = gtp->game;
    struct ownership now;
    struct banyan_board board;
    struct text text = text_start(gtp->answer, sizeof gtp->answer);
    const char *wanted = gtp->words[1];
    if (strcmp(wanted, "dead") != 0 && strcmp(wanted, "alive") != 0 && strcmp(wanted, "seki") != 0)
        return banyan_fail(err, BANYAN_INVALID, "'%.20s' is no status: write dead, alive or seki",
                           wanted);
    enum banyan_status status = gtp_needs_go(gtp, err);
    if (status == BANYAN_OK)
        status = ownership_estimate(game, gtp_state(gtp), gtp->seed, &now, err);
    if (status != BANYAN_OK || *wanted == 's')
        return status;
    game->board(game, gtp_state(gtp), -1, &board);
    for (int cell = 0; cell < now.cells; ++cell)
        if (gtp_stone_is(&board.cells[cell], now.owner[cell], wanted))
            text_add(&text, "%s%s%s", text.length ? " " : "", board.col_names[cell % board.cols],
                     board.row_names[cell / board.cols]);
    return BANYAN_OK;
}
