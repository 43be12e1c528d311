/* best: the strongest player of a game, whatever its name there. */
#include "base/options.h"
#include "players/budget.h"
#include "players/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEST_DEFAULT_MS = 500, BEST_TEXT = 512 };

struct best {
    double time_ms; /* time of a decision without a clock; 0: the default of the strongest
                       player */
    int seat;
    struct banyan_player player; /* the player that chooses */
};

static const struct banyan_option best_table[] = {
    {"time", BANYAN_OPTION_TIME, offsetof(struct best, time_ms), 0.1, 1e9, NULL, 0,
     "time per decision where there is no clock"},
    {0},
};

static enum banyan_status best_open(void *ctx, const void *state, int seat, uint64_t seed,
                                    struct banyan_error *err)
{
    struct best *best = ctx;
    best->seat = seat;
    return best->player.open(best->player.ctx, state, seat, seed, err);
}

static enum banyan_status best_choose(void *ctx, const void *state,
                                      const struct banyan_player_clock *clock,
                                      struct banyan_player_move *out, struct banyan_error *err)
{
    struct best *best = ctx;
    struct banyan_player_clock own = budget_per_move(best->time_ms);
    own.stop = clock ? clock->stop : NULL;
    if (best->time_ms > 0 && !budget_limited(clock, best->seat))
        clock = &own;
    return best->player.choose(best->player.ctx, state, clock, out, err);
}

static enum banyan_status best_observe(void *ctx, const void *before, const banyan_action joint[],
                                       const void *after, struct banyan_error *err)
{
    struct best *best = ctx;
    return best->player.observe ? best->player.observe(best->player.ctx, before, joint, after, err)
                                : BANYAN_OK;
}

static void best_close(void *ctx)
{
    struct best *best = ctx;
    banyan_player_close(&best->player);
    free(best);
}

/* Writes the text of the strongest player, with the options that are not best's own; sets best's own options. */
static enum banyan_status best_text(const char *strongest, struct best *best, const char *args,
                                    char text[2 * BEST_TEXT], struct banyan_error *err)
{
    char own[BEST_TEXT], rest[BEST_TEXT];
    enum banyan_status status = options_split(best_table, args, own, rest, BEST_TEXT, err);
    best->time_ms = status == BANYAN_OK && *rest ? 0 : BEST_DEFAULT_MS;
    if (status == BANYAN_OK)
        status = banyan_options_parse(best_table, best, own, err);
    if (status == BANYAN_OK)
        player_with(strongest, rest, text, 2 * BEST_TEXT);
    return status;
}

enum banyan_status player_best_create(const struct banyan_game *game, const char *args,
                                      const struct banyan_offer *offers, uint64_t seed,
                                      struct banyan_player *out, struct banyan_error *err)
{
    char text[2 * BEST_TEXT];
    struct best *best = calloc(1, sizeof *best);
    if (!best)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player 'best'");
    enum banyan_status status = best_text(player_best_of(game), best, args, text, err);
    if (status == BANYAN_OK)
        status = banyan_player_create(game, text, offers, seed, &best->player, err);
    if (status != BANYAN_OK) {
        free(best);
        return status;
    }
    out->ctx = best;
    out->open = best_open;
    out->choose = best_choose;
    out->observe = best_observe;
    out->close = best_close;
    return BANYAN_OK;
}

const struct banyan_player *player_best_inner(const struct banyan_player *player)
{
    const struct best *best = player->ctx;
    return player->choose == best_choose ? player_best_inner(&best->player) : player;
}

const char *player_best_of(const struct banyan_game *game)
{
    return game->best ? game->best : "mcts";
}
