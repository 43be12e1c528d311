/* random and first: players that choose without looking at the position. */
#include "players/player.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct simple {
    const struct banyan_game *game;
    struct banyan_rng rng;
    bool first;
    int seat;
    banyan_action actions[]; /* [max_legal] */
};

static enum banyan_status simple_open(void *ctx, const void *state, int seat, uint64_t seed,
                                      struct banyan_error *err)
{
    struct simple *simple = ctx;
    (void)state;
    (void)err;
    simple->seat = seat;
    banyan_rng_seed(&simple->rng, seed);
    return BANYAN_OK;
}

/* The action whose text comes first: it does not depend on the order of legal(). */
static int simple_least(const struct simple *simple, const void *state, int count)
{
    char least[BANYAN_TEXT_MAX], text[BANYAN_TEXT_MAX];
    int index = 0;
    for (int i = 0; i < count; ++i) {
        simple->game->action_format(simple->game, state, simple->seat, simple->actions[i], text,
                                    sizeof text);
        if (i == 0 || strcmp(text, least) < 0) {
            memcpy(least, text, sizeof least);
            index = i;
        }
    }
    return index;
}

static enum banyan_status simple_choose(void *ctx, const void *state,
                                        const struct banyan_player_clock *clock,
                                        struct banyan_player_move *out, struct banyan_error *err)
{
    struct simple *simple = ctx;
    (void)clock;
    (void)err;
    int count = simple->game->legal(simple->game, state, simple->seat, simple->actions);
    int index = simple->first ? simple_least(simple, state, count)
                              : (int)banyan_rng_below(&simple->rng, (uint32_t)count);
    *out = (struct banyan_player_move){.action = simple->actions[index], .value = (double)NAN};
    return BANYAN_OK;
}

static enum banyan_status simple_create(const struct banyan_game *game, const char *args,
                                        uint64_t seed, bool first, struct banyan_player *out,
                                        struct banyan_error *err)
{
    const char *name = first ? "first" : "random";
    enum banyan_status status = player_no_args(name, args, err);
    if (status != BANYAN_OK)
        return status;
    struct simple *simple =
        malloc(sizeof *simple + (size_t)game->max_legal * sizeof *simple->actions);
    if (!simple)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player '%s'", name);
    *simple = (struct simple){.game = game, .first = first};
    banyan_rng_seed(&simple->rng, seed);
    out->ctx = simple;
    out->open = simple_open;
    out->choose = simple_choose;
    out->close = free;
    return BANYAN_OK;
}

enum banyan_status player_random_create(const struct banyan_game *game, const char *args,
                                        const struct banyan_offer *offers, uint64_t seed,
                                        struct banyan_player *out, struct banyan_error *err)
{
    return simple_create(game, args, seed, false, out, err);
}

enum banyan_status player_first_create(const struct banyan_game *game, const char *args,
                                       const struct banyan_offer *offers, uint64_t seed,
                                       struct banyan_player *out, struct banyan_error *err)
{
    return simple_create(game, args, seed, true, out, err);
}
