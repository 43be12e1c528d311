/* The players "alphabeta", "tournament" and "greedy".  The first two use the search of engine.h,
 * with a clock or with fixed limits. */
#include "games/mushroom/engine.h"
#include "games/mushroom/table.h"

#include <banyan/options.h>
#include <banyan/player.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct players_player {
    int depth;           /* 0: no limit */
    int64_t nodes;       /* 0: no limit */
    double time_ms;      /* per move when there is no clock; 0: no limit */
    uint64_t size_bytes; /* of the table of positions */
    int tempo, tilt;     /* in 1/16 */
    int look;            /* replies that are looked at */
    bool selective, endings;
    struct engine *engine;
    int seat;
    double bank_ms; /* the largest remaining time that the clock has shown in this game */
};

#define AT(member) offsetof(struct players_player, member)
static const struct banyan_option players_table[] = {
    {"depth", BANYAN_OPTION_INT, AT(depth), 0, ENGINE_MAX_DEPTH, NULL, 0,
     "search depth in plies; 0: no limit"},
    {"nodes", BANYAN_OPTION_INT64, AT(nodes), 0, 1e15, NULL, 0, "positions per move; 0: no limit"},
    {"time", BANYAN_OPTION_TIME, AT(time_ms), 0, 1e9, NULL, 0,
     "time per move where there is no clock; 0: no limit"},
    {"tempo", BANYAN_OPTION_INT, AT(tempo), 0, 16, NULL, 0,
     "at the last ply, how many sixteenths of the largest change of the lead by one rectangle are "
     "added for the side to move"},
    {"tilt", BANYAN_OPTION_INT, AT(tilt), 0, 16, NULL, 0,
     "at the last ply, how many sixteenths of the tilt are added (opponent's minus own cells in "
     "all rectangles)"},
    {"look", BANYAN_OPTION_INT, AT(look), 0, 16, NULL, 0,
     "at the last ply, how many of the rectangles that change the lead most are tried, each with "
     "an "
     "estimate of the position after it; 0: none"},
    {"selective", BANYAN_OPTION_BOOL, AT(selective), 0, 0, NULL, 0,
     "search late moves less deeply"},
    {"endings", BANYAN_OPTION_BOOL, AT(endings), 0, 0, NULL, 0,
     "solve the end of the game exactly as soon as possible"},
    {"memory", BANYAN_OPTION_SIZE, AT(size_bytes), 1024, 1e12, NULL, 0,
     "memory of the table of positions"},
    {0},
};
#undef AT

static enum banyan_status players_open(void *ctx, const void *state, int seat, uint64_t seed,
                                       struct banyan_error *err)
{
    (void)state;
    (void)seed;
    (void)err;
    struct players_player *player = ctx;
    player->seat = seat;
    player->bank_ms = 0;
    engine_clear(player->engine);
    return BANYAN_OK;
}

/* A move may use up a time limit per move, but only a share of a clock for the whole game. */
static struct engine_limits players_limits(struct players_player *player,
                                           const struct banyan_player_clock *clock)
{
    struct engine_limits limits = {.soft_ms = player->time_ms / 2, .hard_ms = player->time_ms};
    double left_ms = clock ? clock->left_ms[player->seat] : -1;
    player->bank_ms = left_ms > player->bank_ms ? left_ms : player->bank_ms;
    if (left_ms >= 0 && left_ms <= clock->increment_ms)
        limits = (struct engine_limits){.soft_ms = left_ms / 2, .hard_ms = left_ms};
    else if (left_ms >= 0 && !player->nodes && !player->depth)
        engine_budget(left_ms, player->bank_ms, &limits);
    limits.nodes = (uint64_t)player->nodes;
    limits.stop = clock ? clock->stop : NULL;
    if (player->depth > 0)
        limits.depth = player->depth;
    return limits;
}

/* Converts a lead to an expected result: 1/2 for a lead of 10 cells, 2/3 for 20 cells, 1 for a win.
 */
static double players_value(int value)
{
    double cells = (double)value / ENGINE_CELL;
    if (value >= ENGINE_WIN || value <= -ENGINE_WIN)
        return value > 0 ? 1 : -1;
    return cells / (10 + (cells < 0 ? -cells : cells));
}

static enum banyan_status players_choose(void *ctx, const void *state,
                                         const struct banyan_player_clock *clock,
                                         struct banyan_player_move *out, struct banyan_error *err)
{
    (void)err;
    struct players_player *player = ctx;
    struct engine_limits limits = players_limits(player, clock);
    struct engine_result result;
    engine_think(player->engine, state, &limits, &result);
    *out = (struct banyan_player_move){.action = (banyan_action)result.action,
                                       .value = players_value(result.value),
                                       .simulations = result.nodes,
                                       .elapsed_ms = result.elapsed_ms};
    return BANYAN_OK;
}

static void players_close(void *ctx)
{
    struct players_player *player = ctx;
    engine_destroy(player->engine);
    free(player);
}

static enum banyan_status players_create(bool selective, const char *args,
                                         struct banyan_player *out, struct banyan_error *err)
{
    struct players_player *player = calloc(1, sizeof *player);
    if (!player)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a player");
    struct engine_options options;
    engine_options_default(!selective, &options);
    *player = (struct players_player){.size_bytes = options.table_bytes,
                                      .tempo = options.tempo,
                                      .tilt = options.tilt,
                                      .look = options.look,
                                      .selective = options.selective,
                                      .endings = options.endings};
    enum banyan_status status = banyan_options_parse(players_table, player, args, err);
    if (player->depth == 0 && player->nodes == 0 && player->time_ms <= 0)
        player->time_ms = 500; /* only used without a clock */
    options.selective = player->selective;
    options.tempo = player->tempo;
    options.tilt = player->tilt;
    options.look = player->look;
    options.endings = player->endings;
    options.table_bytes = (size_t)player->size_bytes;
    if (status == BANYAN_OK)
        status = engine_create(&player->engine, &options, err);
    if (status != BANYAN_OK) {
        players_close(player);
        return status;
    }
    out->ctx = player;
    out->open = players_open;
    out->choose = players_choose;
    out->close = players_close;
    return BANYAN_OK;
}

static enum banyan_status players_alphabeta(const struct banyan_game *game, const char *args,
                                            const struct banyan_offer *offers, uint64_t seed,
                                            struct banyan_player *out, struct banyan_error *err)
{
    (void)game;
    (void)seed;
    return players_create(false, args, out, err);
}

static enum banyan_status players_tournament(const struct banyan_game *game, const char *args,
                                             const struct banyan_offer *offers, uint64_t seed,
                                             struct banyan_player *out, struct banyan_error *err)
{
    (void)game;
    (void)seed;
    return players_create(true, args, out, err);
}

/* Chooses the rectangle with the largest swing, at a tie the one with the smallest action number;
 * the contest's sample players do the same. */
static enum banyan_status players_greedy_choose(void *ctx, const void *at,
                                                const struct banyan_player_clock *clock,
                                                struct banyan_player_move *out,
                                                struct banyan_error *err)
{
    (void)ctx;
    (void)clock;
    (void)err;
    const struct mushroom_state *state = at;
    const struct banyan_game *game = mushroom_at(mushroom_level());
    banyan_action legal[BOARD_MAX_LEGAL + 1];
    float priors[BOARD_MAX_LEGAL + 1];
    int count = game->legal(game, state, state->mover, legal), best = count - 1;
    game->priors(game, state, state->mover, legal, count, priors);
    for (int i = 0; i < count - 1; ++i)
        if (priors[i] > priors[best] || (priors[i] == priors[best] && legal[i] < legal[best]))
            best = i;
    *out = (struct banyan_player_move){.action = legal[best], .value = (double)NAN};
    return BANYAN_OK;
}

static enum banyan_status players_greedy_open(void *ctx, const void *state, int seat, uint64_t seed,
                                              struct banyan_error *err)
{
    (void)ctx;
    (void)state;
    (void)seat;
    (void)seed;
    (void)err;
    return BANYAN_OK;
}

static void players_greedy_close(void *ctx)
{
    (void)ctx;
}

static enum banyan_status players_greedy(const struct banyan_game *game, const char *args,
                                         const struct banyan_offer *offers, uint64_t seed,
                                         struct banyan_player *out, struct banyan_error *err)
{
    (void)game;
    (void)seed;
    if (*args)
        return banyan_fail(err, BANYAN_INVALID, "player 'greedy' takes no options, but has '%.60s'",
                           args);
    out->open = players_greedy_open;
    out->choose = players_greedy_choose;
    out->close = players_greedy_close;
    return BANYAN_OK;
}

const struct banyan_offer mushroom_offers[] = {
    {"alphabeta", "depth=0,nodes=0,time=500ms,memory=64M", "full-width search that counts cells",
     NULL, players_alphabeta},
    {"tournament", "depth=0,nodes=0,time=500ms,memory=64M",
     "the strongest player; uses the clock if there is one", NULL, players_tournament},
    {"greedy", "", "the rectangle that changes the difference of cells most", NULL, players_greedy},
    {0},
};
