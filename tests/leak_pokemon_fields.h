/* Pokémon, the leak test: which members of the state are hidden, by their names in a state's
 * text. */
#ifndef TESTS_LEAK_POKEMON_FIELDS_H
#define TESTS_LEAK_POKEMON_FIELDS_H

#include "games/pokemon/battle.h"
#include "games/pokemon/text_fields.h"
#include "leak.h"

/* --- every byte --- */

struct leak_member {
    const char *key;
    enum leak_class own, foe;
};

#define P LEAK_PUBLIC
#define H LEAK_HIDDEN
#define D LEAK_DERIVED

/* Members that are not listed are public on both sides. */
static const struct leak_member leak_mon_members[] = {
    {"species", P, H},     {"base", P, H},       {"set", P, H},   {"level", P, H},
    {"gender", P, H},      {"hp", P, H},         {"maxhp", P, H}, {"basehp", P, H},
    {"status", P, D},      {"time", H, H},       {"start", H, H}, {"ability", P, H},
    {"baseability", P, H}, {"setability", P, H}, {"item", P, H},  {"lastitem", P, D},
    {"moves", P, H},       {"pp", P, H},         {"maxpp", P, H}, {"count", P, D},
    {"used", P, H},        {"disabled", P, H},   {"hard", P, D},  {"stats", P, D},
    {"evs", P, H},         {"ivs", P, H},        {"flags", P, H}, {"seen", P, H},
    {NULL, P, P}};

static const struct leak_member leak_active_members[] = {{"volatiles", P, H},
                                                         {"types", P, H},
                                                         {"flags", P, D},
                                                         {"stats", P, D},
                                                         {"weight", P, D},
                                                         {"speed", D, D},
                                                         {"hurt", P, H},
                                                         {"lastbase", P, H},
                                                         {"disabled", P, D},
                                                         {"hard", P, D},
                                                         {"illusion", P, H},
                                                         {"abilityflags", P, H},
                                                         {"gorillatactics", P, D},
                                                         {"hitby", D, P},
                                                         {"choicelock", P, H},
                                                         {"confusion", H, H},
                                                         {"counter", P, H},
                                                         {"mirrorcoat", P, H},
                                                         {"lockedtrue", H, H},
                                                         {"trapturns", H, H},
                                                         {"trapsource", D, P},
                                                         {"substitute", H, H},
                                                         {"confusiondrawn", H, H},
                                                         {"lockeddrawn", H, H},
                                                         {"trapdrawn", H, H},
                                                         {"arrivedhp", P, H},
                                                         {"arrivedstatus", P, D},
                                                         {"arrivedtime", P, D},
                                                         {"arrivedstart", P, D},
                                                         {"arriveditem", P, D},
                                                         {"arrivedlastitem", P, D},
                                                         {"arrivedflags", P, D},
                                                         {"arrivedseen", P, D},
                                                         {"spent", P, D},
                                                         {NULL, P, P}};

static const struct leak_member leak_side_members[] = {
    {"order", P, H}, {"wishhp", P, H}, {NULL, P, P}};

static const struct leak_member leak_battle_members[] = {{NULL, P, P}};

static const struct leak_member leak_action_members[] = {
    {"move", H, H},   {"choice", D, D},   {"side", D, D},     {"mon", D, D},   {"max", D, D},
    {"target", D, D}, {"priority", D, D}, {"fraction", D, D}, {"speed", D, D}, {NULL, P, P}};

static inline int leak_width(enum text_kind kind)
{
    return kind == TEXT_VOLATILES                                                              ? 8
           : kind == TEXT_U16 || kind == TEXT_I16 || kind == TEXT_SPECIES || kind == TEXT_MOVE ? 2
                                                                                               : 1;
}

struct leak_list {
    struct leak_field *out;
    int count;
};

static inline void leak_put(struct leak_list *list, const char *name, size_t offset, size_t size,
                            enum leak_class class)
{
    struct leak_field *field = &list->out[list->count++];
    assert_true(list->count <= LEAK_FIELDS);
    snprintf(field->name, sizeof field->name, "%s", name);
    field->offset = offset;
    field->size = (int)size;
    field->class = class;
}

static inline enum leak_class leak_class_of(const struct leak_member *members, const char *key,
                                            bool own)
{
    while (members->key && strcmp(members->key, key) != 0)
        ++members;
    return own ? members->own : members->foe;
}

/* Members of one struct at an offset, and the padding at its end. */
static inline void leak_put_struct(struct leak_list *list, const char *name, size_t offset,
                                   size_t size, const struct text_field *fields,
                                   const struct leak_member *members, bool own)
{
    size_t end = 0;
    for (; fields->key; ++fields) {
        int width = leak_width(fields->kind);
        bool whole = strcmp(fields->key, "evs") == 0 || strcmp(fields->key, "ivs") == 0;
        for (int i = 0; i < (whole ? 1 : fields->count); ++i) {
            char label[48];
            size_t bytes = (size_t)(whole ? width * fields->count : width);
            size_t at = fields->offset + (size_t)(i * width);
            snprintf(label, sizeof label, "%s.%s%d", name, fields->key, i);
            leak_put(list, label, offset + at, bytes, leak_class_of(members, fields->key, own));
            end = at + bytes > end ? at + bytes : end;
        }
    }
    if (size > end)
        leak_put(list, "padding", offset + end, size - end, LEAK_PADDING);
}

static inline void leak_put_side(struct leak_list *list, int side, bool own)
{
    char name[16];
    size_t at = offsetof(struct pokemon, sides) + (size_t)side * sizeof(struct pokemon_side);
    size_t mons = POKEMON_TEAM * sizeof(struct pokemon_mon);
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        snprintf(name, sizeof name, "p%d.mon%d", side, i);
        leak_put_struct(list, name, at + (size_t)i * sizeof(struct pokemon_mon),
                        sizeof(struct pokemon_mon), text_mon_fields, leak_mon_members, own);
    }
    size_t active = offsetof(struct pokemon_side, active);
    if (active > mons)
        leak_put(list, "padding", at + mons, active - mons, LEAK_PADDING);
    snprintf(name, sizeof name, "p%d.active", side);
    leak_put_struct(list, name, at + active, sizeof(struct pokemon_active), text_active_fields,
                    leak_active_members, own);
    /* the side's own members come last; conditions and stamps of kind 0 have no key */
    snprintf(name, sizeof name, "p%d", side);
    leak_put(list, "padding", at + offsetof(struct pokemon_side, condition), 1, LEAK_PADDING);
    leak_put_struct(list, name, at, sizeof(struct pokemon_side), text_side_fields,
                    leak_side_members, own);
}

static inline int leak_pokemon_fields(int viewer, struct leak_field *out)
{
    struct leak_list list = {out, 0};
    for (int side = 0; side < 2; ++side)
        leak_put_side(&list, side, side == viewer);
    for (size_t i = 0; i < sizeof((struct pokemon *)0)->matchup; ++i)
        leak_put(&list, "matchup", offsetof(struct pokemon, matchup) + i, 1, LEAK_DERIVED);
    for (size_t i = 0; i < POKEMON_QUEUE; ++i) {
        char name[16];
        snprintf(name, sizeof name, "queue%zu", i);
        leak_put_struct(
            &list, name, offsetof(struct pokemon, queue) + i * sizeof(struct pokemon_action),
            sizeof(struct pokemon_action), text_action_fields, leak_action_members, true);
    }
    leak_put(&list, "queued", offsetof(struct pokemon, queued), 1, LEAK_DERIVED);
    leak_put_struct(&list, "battle", 0, sizeof(struct pokemon), text_battle_fields,
                    leak_battle_members, true);
    return list.count;
}

#undef P
#undef H
#undef D

/* Finds a member by its key, where this version of the state has it. */
static inline uint8_t *leak_active_byte(struct pokemon_active *active, const char *key)
{
    for (const struct text_field *field = text_active_fields; field->key; ++field)
        if (strcmp(field->key, key) == 0)
            return (uint8_t *)active + field->offset;
    return NULL;
}

#endif
