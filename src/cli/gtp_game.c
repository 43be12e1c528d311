/* The game of banyan gtp: its states since the start, and the player who follows it. */
#include "cli/gtp.h"

#include "players/program/offers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *gtp_state(const struct gtp *gtp)
{
    return gtp->history + (size_t)(gtp->length - 1) * gtp->game->state_size;
}

/* Makes room for one more state, whose bytes the caller writes to gtp_state(). */
static enum banyan_status gtp_push(struct gtp *gtp, struct banyan_error *err)
{
    if (gtp->length == gtp->room) {
        int room = 2 * gtp->room + 128;
        void *larger = realloc(gtp->history, (size_t)room * gtp->game->state_size);
        if (!larger)
            return banyan_fail(err, BANYAN_NO_MEMORY, "no memory");
        gtp->history = larger;
        bool *inserted = realloc(gtp->inserted, (size_t)room * sizeof *inserted);
        if (!inserted)
            return banyan_fail(err, BANYAN_NO_MEMORY, "no memory");
        gtp->inserted = inserted;
        gtp->room = room;
    }
    gtp->inserted[gtp->length++] = false;
    return BANYAN_OK;
}

enum banyan_status gtp_open(struct gtp *gtp, int seat, struct banyan_error *err)
{
    uint64_t seed = banyan_rng_child(gtp->seed, "gtp", (uint64_t)gtp->length);
    gtp->seat = seat;
    return gtp->player.open(gtp->player.ctx, gtp_state(gtp), seat, seed, err);
}

enum banyan_status gtp_start(struct gtp *gtp, const char *setup, struct banyan_error *err)
{
    void *state = calloc(1, gtp->game->state_size);
    if (!state)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory");
    enum banyan_status status = gtp->game->init(gtp->game, state, setup, NULL, err);
    if (status == BANYAN_OK)
        gtp->length = 0;
    if (status == BANYAN_OK)
        status = gtp_push(gtp, err);
    if (status == BANYAN_OK)
        memcpy(gtp_state(gtp), state, gtp->game->state_size);
    free(state);
    return status == BANYAN_OK ? gtp_open(gtp, 0, err) : status;
}

/* Writes the setting of the game's komi to out[size]; "": the game has no komi. */
static void gtp_komi_setting(const struct gtp *gtp, char *out, size_t size)
{
    char text[BANYAN_TEXT_MAX] = "";
    if (gtp->length > 0)
        gtp->game->format(gtp->game, gtp->history, text, sizeof text);
    const char *after = gtp_after_komi(text);
    snprintf(out, size, "%.*s", after ? (int)(after - text) : 0, text);
}

enum banyan_status gtp_restart(struct gtp *gtp, const char *rest, struct banyan_error *err)
{
    char komi[32], setup[BANYAN_TEXT_MAX];
    gtp_komi_setting(gtp, komi, sizeof komi);
    snprintf(setup, sizeof setup, "%s%s", komi, rest);
    return gtp_start(gtp, setup, err);
}

void gtp_forget(struct gtp *gtp)
{
    if (gtp->made)
        banyan_player_close(&gtp->player);
    gtp->made = false;
    free(gtp->history);
    free(gtp->inserted);
    gtp->history = NULL;
    gtp->inserted = NULL;
    gtp->length = gtp->room = 0;
}

enum banyan_status gtp_begin(struct gtp *gtp, const struct banyan_game *game,
                             struct banyan_error *err)
{
    struct banyan_player player;
    char komi[32];
    enum banyan_status status =
        banyan_player_create(game, gtp->spec, program_offers, gtp->seed, &player, err);
    if (status != BANYAN_OK)
        return status;
    gtp_komi_setting(gtp, komi, sizeof komi);
    gtp_forget(gtp);
    gtp->game = game;
    gtp->player = player;
    gtp->made = true;
    /* a komi may be too large for a smaller board */
    return gtp_start(gtp, komi, NULL) == BANYAN_OK ? BANYAN_OK : gtp_start(gtp, "", err);
}

enum banyan_status gtp_apply(struct gtp *gtp, int player, banyan_action action,
                             struct banyan_error *err)
{
    size_t size = gtp->game->state_size;
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    joint[player] = action;
    enum banyan_status status = gtp_push(gtp, err);
    if (status != BANYAN_OK)
        return status;
    const void *before = gtp->history + (size_t)(gtp->length - 2) * size;
    memcpy(gtp_state(gtp), before, size);
    gtp->game->apply(gtp->game, gtp_state(gtp), joint, NULL);
    return gtp->player.observe
               ? gtp->player.observe(gtp->player.ctx, before, joint, gtp_state(gtp), err)
               : BANYAN_OK;
}

/* Whether two passes have ended a game of Go. */
static bool gtp_was_passed(const struct gtp *gtp)
{
    static const char end[] = "pass pass";
    char text[BANYAN_TEXT_MAX];
    gtp->game->format(gtp->game, gtp_state(gtp), text, sizeof text);
    size_t length = strlen(text);
    return gtp_after_komi(text) && length >= strlen(end) &&
           strcmp(text + length - strlen(end), end) == 0;
}

/* Plays on after two passes ended the game: adds the last state before them in which it was
 * player's turn.  A pass makes no new board, so superko still forbids the same moves. */
static enum banyan_status gtp_resume(struct gtp *gtp, int player, struct banyan_error *err)
{
    size_t size = gtp->game->state_size;
    int back = gtp->length - 2;
    if (!gtp_was_passed(gtp) || gtp->length < 3)
        return banyan_fail(err, BANYAN_ILLEGAL, "the game is over");
    back -= gtp->game->movers(gtp->game, gtp->history + (size_t)back * size) != 1u << player;
    enum banyan_status status = gtp_push(gtp, err);
    if (status != BANYAN_OK)
        return status;
    memcpy(gtp_state(gtp), gtp->history + (size_t)back * size, size);
    gtp->inserted[gtp->length - 1] = true;
    return gtp_open(gtp, gtp->seat, err);
}

enum banyan_status gtp_turn(struct gtp *gtp, int player, struct banyan_error *err)
{
    unsigned movers = gtp->game->movers(gtp->game, gtp_state(gtp));
    if (movers == 1u << player)
        return BANYAN_OK;
    if (!movers)
        return gtp_resume(gtp, player, err);
    banyan_action pass;
    if (gtp->game->action_parse(gtp->game, gtp_state(gtp), 1 - player, "pass", &pass, NULL) !=
        BANYAN_OK)
        return banyan_fail(err, BANYAN_ILLEGAL, "it is %s's turn", player ? "black" : "white");
    enum banyan_status status = gtp_apply(gtp, 1 - player, pass, err);
    gtp->inserted[gtp->length - 1] = true;
    if (status != BANYAN_OK || gtp->game->movers(gtp->game, gtp_state(gtp)))
        return status;
    status = gtp_back(gtp, gtp->length - 1, err);
    return status != BANYAN_OK ? status
                               : banyan_fail(err, BANYAN_ILLEGAL, "a pass of %s would end the game",
                                             player ? "black" : "white");
}

enum banyan_status gtp_back(struct gtp *gtp, int length, struct banyan_error *err)
{
    if (length == gtp->length)
        return BANYAN_OK;
    gtp->length = length;
    return gtp_open(gtp, gtp->seat, err);
}
