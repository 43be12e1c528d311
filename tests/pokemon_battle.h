/* Battles of Pokémon for tests: two teams by name, and turns by choices. */
#ifndef TESTS_POKEMON_BATTLE_H
#define TESTS_POKEMON_BATTLE_H

#include "games/pokemon/pokemon.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Two teams of level 100, 85 effort and 31 individual points in everything: hp is 2 base + 31 + 21 +
 * 110, every other number 2 base + 31 + 21 + 5.  The caller gives the first two of the first side
 * and the first of the second; all others are Wailord. */
static inline void open_battle(struct pokemon *s, const char *const first[2], const char *second)
{
    static const char wailord[] = "species=wailord ability=pressure moves=protect,none,none,none";
    const struct banyan_game *game;
    struct banyan_rng rng;
    struct banyan_error err = {.message = ""};
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "teams");
    banyan_rng_seed(&rng, 1);
    assert_int_equal(banyan_game_find("pokemon", &game, NULL), BANYAN_OK);
    for (int p = 0; p < 2; ++p)
        for (int i = 0; i < POKEMON_TEAM; ++i) {
            const char *mon = p == 0 && i < 2 ? first[i] : p == 1 && i == 0 ? second : wailord;
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     " | p%d.%d %s level=100 evs=85,85,85,85,85,85 "
                                     "ivs=31,31,31,31,31,31",
                                     p + 1, i, mon);
        }
    if (game->init(game, s, text, &rng, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
}

static inline void play_turn(struct pokemon *s, const char *first, const char *second)
{
    const struct banyan_game *game;
    const char *const texts[2] = {first, second};
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct banyan_dice dice;
    struct banyan_rng rng;
    struct banyan_error err = {.message = ""};
    banyan_rng_seed(&rng, 1);
    assert_int_equal(banyan_game_find("pokemon", &game, NULL), BANYAN_OK);
    for (int p = 0; p < 2; ++p)
        if (game->action_parse(game, s, p, texts[p], &joint[p], &err) != BANYAN_OK)
            fail_msg("%s: %s", texts[p], err.message);
    banyan_dice_drawn(&dice, &rng);
    game->apply(game, s, joint, &dice);
}

#endif
