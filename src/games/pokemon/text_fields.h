/* A state as text: the key of each member of each struct.
 *
 *    battle turn=3 request=1,1 ... | p1 order=0,1,2,... | p1.0 species=... | ... | p1.active ...
 *    | ... | q choice=...
 *
 * Members that are 0 are left out, so equal states have equal texts.
 */
#ifndef GAMES_POKEMON_TEXT_FIELDS_H
#define GAMES_POKEMON_TEXT_FIELDS_H

#include "games/pokemon/pokemon.h"

#include <stddef.h>

enum text_kind {
    TEXT_U8,
    TEXT_I8,
    TEXT_U16,
    TEXT_I16,
    TEXT_CHAR,
    TEXT_SPECIES, /* u16 */
    TEXT_MOVE,    /* u16 */
    TEXT_ABILITY, /* u8, as the kinds below, except TEXT_VOLATILES */
    TEXT_ITEM,
    TEXT_STATUS,
    TEXT_TYPE,
    TEXT_WEATHER,
    TEXT_TERRAIN,
    TEXT_CHOICE,
    TEXT_VOLATILES /* u64 */
};

struct text_field {
    const char *key;
    enum text_kind kind;
    int count; /* length of the array */
    size_t offset;
};

extern const struct text_field text_mon_fields[], text_active_fields[], text_side_fields[],
    text_battle_fields[], text_action_fields[]; /* key NULL at the end */
extern const char *const text_status_names[STATUS_COUNT];
extern const char *const text_weather_names[WEATHER_COUNT];
extern const char *const text_terrain_names[TERRAIN_COUNT];
extern const char *const text_choice_names[CHOICE_COUNT];
extern const char *const text_volatile_names[VOLATILE_COUNT];

#endif
