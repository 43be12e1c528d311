/* Writes one game of a match as a line of JSON. */
#include "match/match_game.h"

#include <jansson.h>

#include <errno.h>
#include <string.h>

/* 64-bit seeds do not fit into the integers of JSON readers. */
static json_t *match_record_word(uint64_t word)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)word);
    return json_string(text);
}

enum banyan_status match_game_save(const struct match_plan *plan, const struct match_game *game,
                                   FILE *out, struct banyan_error *err)
{
    json_t *players = json_array(), *returns = json_array();
    for (int seat = 0; seat < plan->game->players; ++seat) {
        json_array_append_new(players, json_string(plan->specs[game->seats[seat]]));
        json_array_append_new(returns, json_real((double)game->returns[seat]));
    }
    json_t *line = json_object();
    json_object_set_new(line, "game", json_string(plan->game->name));
    json_object_set_new(line, "number", json_integer(game->number));
    json_object_set_new(line, "players", players);
    json_object_set_new(line, "start", json_string(game->start));
    json_object_set_new(line, "setup_seed", match_record_word(game->setup_seed));
    json_object_set_new(line, "dice_seed", match_record_word(game->dice_seed));
    json_object_set_new(line, "opening_plies", json_integer(game->opening_plies));
    json_object_set_new(line, "plies", json_integer(game->plies));
    json_object_set_new(line, "actions", json_string(game->actions));
    json_object_set_new(line, "returns", returns);
    if (plan->game->points) {
        json_t *points = json_array();
        for (int seat = 0; seat < plan->game->players; ++seat)
            json_array_append_new(points, json_real((double)game->points[seat]));
        json_object_set_new(line, "points", points);
    }
    json_object_set_new(line, "overstepped",
                        game->overstepped < 0 ? json_null() : json_integer(game->overstepped));
    errno = 0;
    int failed = json_dumpf(line, out, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(line);
    if (failed || putc('\n', out) == EOF || fflush(out) != 0)
        return banyan_fail(err, BANYAN_IO, "cannot save a game: %s", strerror(errno));
    return BANYAN_OK;
}
