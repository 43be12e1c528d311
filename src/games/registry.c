/* The one place that names all games (through games.def).  Each folder exports
 *
 *     const struct banyan_game *<folder>_variant(int index);
 *
 * which returns variant number `index` of the folder's games (0, 1, ...; NULL past the last), with
 * the functions that suit the processor.  docs/architecture.md lists the other places that depend
 * on single games. */
#include <banyan/check.h>
#include <banyan/game.h>
#include <banyan/options.h>

#include <stdatomic.h>

#include <string.h>

#define GAME(folder) extern const struct banyan_game *folder##_variant(int index);
#include "games/games.def"
#undef GAME

enum { REGISTRY_MAX = 256, REGISTRY_ADDED = 64 };

typedef const struct banyan_game *registry_variant_fn(int index);

static registry_variant_fn *const folders[] = {
#define GAME(folder) folder##_variant,
#include "games/games.def"
#undef GAME
    NULL};

/* The games that were registered, without gaps.  A place is filled once and never emptied, so
 * that readers need no lock.  Release and acquire: a thread that reads a pointer also sees the
 * table that the pointer leads to. */
static const struct banyan_game *_Atomic registry_added[REGISTRY_ADDED];

static const struct banyan_game *registry_at(int index)
{
    if (index >= REGISTRY_ADDED)
        return NULL;
    return atomic_load_explicit(&registry_added[index], memory_order_acquire);
}

const struct banyan_game *banyan_game_at(int index)
{
    if (index < 0)
        return NULL;
    for (int f = 0; folders[f]; ++f) {
        const struct banyan_game *game;
        for (int i = 0; (game = folders[f](i)); ++i)
            if (index-- == 0)
                return game;
    }
    return registry_at(index);
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

static enum banyan_status registry_taken(const struct banyan_game *game, struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_INVALID, "a game is called '%s' already", game->name);
}

/* Compares the name with the game in every place that is taken, also with those that another thread
 * adds meanwhile, so that no name is registered twice. */
static enum banyan_status registry_add(const struct banyan_game *game, struct banyan_error *err)
{
    for (int i = 0; i < REGISTRY_ADDED; ++i) {
        const struct banyan_game *there = NULL;
        if (atomic_compare_exchange_strong_explicit(&registry_added[i], &there, game,
                                                    memory_order_acq_rel, memory_order_acquire))
            return BANYAN_OK;
        if (strcmp(there->name, game->name) == 0)
            return registry_taken(game, err);
    }
    return banyan_fail(err, BANYAN_UNSUPPORTED,
                       "%d games are registered: there is no room for '%s'", REGISTRY_ADDED,
                       game->name);
}

enum banyan_status banyan_game_register(const struct banyan_game *game, struct banyan_error *err)
{
    struct banyan_check_options table;
    const struct banyan_game *found;
    banyan_check_options_default(&table);
    table.games = 0;
    enum banyan_status status = banyan_game_check(game, &table, NULL, err);
    if (status != BANYAN_OK)
        return status;
    if (banyan_game_find(game->name, &found, NULL) == BANYAN_OK)
        return registry_taken(game, err);
    return registry_add(game, err);
}
