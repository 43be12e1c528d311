/* The one place that names all games (through games.def).  Each folder exports
 *
 *     const struct banyan_game *<folder>_variant(int index);
 *
 * which returns its variant number index (0, 1, ...; NULL past the last), with
 * the functions that suit the processor it runs on.  What else knows a game is
 * listed in docs/architecture.md. */
#include <banyan/game.h>
#include <banyan/options.h>

#include <string.h>

#define GAME(folder) extern const struct banyan_game *folder##_variant(int index);
#include "games/games.def"
#undef GAME

enum { REGISTRY_MAX = 64 };

typedef const struct banyan_game *registry_variant_fn(int index);

static registry_variant_fn *const folders[] = {
#define GAME(folder) folder##_variant,
#include "games/games.def"
#undef GAME
    NULL};

const struct banyan_game *banyan_game_at(int index)
{
    for (int f = 0; folders[f]; ++f) {
        const struct banyan_game *game;
        for (int i = 0; (game = folders[f](i)); ++i)
            if (index-- == 0)
                return game;
    }
    return NULL;
}

const char *banyan_game_player_name(const struct banyan_game *game, int player)
{
    static const char *const names[BANYAN_MAX_PLAYERS] = {"player 1", "player 2", "player 3",
                                                          "player 4", "player 5", "player 6",
                                                          "player 7", "player 8"};
    if (player < 0 || player >= game->players)
        return "nobody";
    return game->player_names ? game->player_names[player] : names[player];
}

enum banyan_status banyan_game_find(const char *name, const struct banyan_game **out,
                                    struct banyan_error *err)
{
    const char *names[REGISTRY_MAX + 1] = {NULL};
    const struct banyan_game *game;
    for (int i = 0; (game = banyan_game_at(i)); ++i) {
        if (strcmp(game->name, name) == 0) {
            *out = game;
            return BANYAN_OK;
        }
        if (i < REGISTRY_MAX)
            names[i] = game->name;
    }
    const char *near = banyan_options_nearest(name, names);
    return banyan_fail(err, BANYAN_NOT_FOUND,
                       "no game is called '%s'%s%s%s `banyan list` shows all games", name,
                       near ? ": did you mean '" : "", near ? near : "", near ? "'?" : ";");
}
