/* level: players of growing strength, which every game has. */
#include "players/player.h"

#include <stdio.h>
#include <stdlib.h>

/* The levels of games that name none. */
static const char *const level_usual[] = {
    "random", "mcts:simulations=8", "mcts:simulations=50", "mcts:simulations=400", "best", NULL};

int player_levels(const struct banyan_game *game, const char *const **texts)
{
    int count = 0;
    *texts = game->levels ? game->levels : level_usual;
    while ((*texts)[count])
        ++count;
    return count;
}

enum banyan_status player_level_create(const struct banyan_game *game, const char *args,
                                       const struct banyan_offer *offers, uint64_t seed,
                                       struct banyan_player *out, struct banyan_error *err)
{
    const char *const *texts;
    char *end;
    int count = player_levels(game, &texts);
    long level = strtol(args, &end, 10);
    if (end == args || *end || level < 1 || level > count)
        return banyan_fail(err, BANYAN_INVALID,
                           "'level:%.40s': the levels of %s are 1 to %d, as in 'level:%d'", args,
                           game->name, count, count);
    enum banyan_status status =
        banyan_player_create(game, texts[level - 1], offers, seed, out, err);
    if (status == BANYAN_OK)
        snprintf(out->name, sizeof out->name, "level:%ld", level);
    return status;
}
