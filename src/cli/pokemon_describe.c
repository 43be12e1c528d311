/* Reads and writes one Pokémon of a damage calculation as a line of text. */
#include "cli/pokemon.h"

#include "games/pokemon/belief.h"
#include "games/pokemon/text_fields.h"

#include <banyan/options.h>
#include <banyan/rng.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DESCRIBE_NAMES = 512, DESCRIBE_WORD = 64 };

/* --- names --- */

static void describe_id(const char *name, char out[DESCRIBE_WORD])
{
    size_t length = 0;
    for (; *name && length + 1 < DESCRIBE_WORD; ++name)
        if (isalnum((unsigned char)*name))
            out[length++] = (char)tolower((unsigned char)*name);
    out[length] = 0;
}

/* Finds the index of name.  ids[count + 1]: the first one is "none"; NULL is written to the
 * last. */
static enum banyan_status describe_find(const char *what, const char *name, const char **ids,
                                        int count, int *out, struct banyan_error *err)
{
    char id[DESCRIBE_WORD];
    describe_id(name, id);
    for (int i = 1; i < count; ++i)
        if (strcmp(ids[i], id) == 0) {
            *out = i;
            return BANYAN_OK;
        }
    ids[count] = NULL;
    const char *near = banyan_options_nearest(id, ids + 1);
    return banyan_fail(err, BANYAN_NOT_FOUND, "no %s '%.60s'%s%s%s", what, name,
                       near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
}

#define DESCRIBE_FIND(scope, function, what, table, size)                                   \
    scope enum banyan_status function(const char *name, int *out, struct banyan_error *err) \
    {                                                                                       \
        const char *ids[(size) + 1];                                                        \
        for (int i = 0; i < (size); ++i)                                                    \
            ids[i] = (table)[i].id ? (table)[i].id : "";                                    \
        return describe_find(what, name, ids, size, out, err);                              \
    }

DESCRIBE_FIND(, pokemon_find_species, "Pokemon", dex_species, SPECIES_COUNT)
DESCRIBE_FIND(, pokemon_find_move, "move", dex_moves, MOVE_COUNT)
DESCRIBE_FIND(static, describe_item, "item", dex_items, ITEM_COUNT)
DESCRIBE_FIND(static, describe_ability, "ability", dex_abilities, ABILITY_COUNT)

void pokemon_write(const struct pokemon_mon *mon, char *out, size_t size)
{
    snprintf(out, size, "%s L%d @ %s, %s", dex_species[mon->species].name, mon->level,
             mon->item ? dex_items[mon->item].name : "no item",
             mon->ability ? dex_abilities[mon->ability].name : "no ability");
}

/* --- a Pokémon --- */

struct describe {
    struct pokemon *s;
    int side;
    bool dynamax;
    double hp_share;
    int hp;
};

static int describe_boost(const char *key)
{
    static const char *const keys[BOOST_COUNT] = {"atk", "def",      "spa",    "spd",
                                                  "spe", "accuracy", "evasion"};
    for (int i = 0; i < BOOST_COUNT; ++i)
        if (strcmp(keys[i], key) == 0)
            return i;
    return -1;
}

static enum banyan_status describe_number(const char *what, const char *text, int least, int most,
                                          int *out, struct banyan_error *err)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (end == text || *end || number < least || number > most)
        return banyan_fail(err, BANYAN_INVALID, "%s is a number of %d to %d, not '%.40s'", what,
                           least, most, text);
    *out = (int)number;
    return BANYAN_OK;
}

static enum banyan_status describe_hp(struct describe *to, const char *text,
                                      struct banyan_error *err)
{
    char *end;
    double number = strtod(text, &end);
    bool percent = *end == '%' && !end[1];
    if (end == text || (*end && !percent) || !(number > 0) || number > (percent ? 100 : 5000))
        return banyan_fail(err, BANYAN_INVALID,
                           "hp is a number above 0, or per cent of the full hp, not '%.40s'", text);
    if (percent)
        to->hp_share = number / 100;
    else
        to->hp = (int)number;
    return BANYAN_OK;
}

static enum banyan_status describe_status(struct pokemon_mon *mon, const char *text,
                                          struct banyan_error *err)
{
    for (int i = 1; i < STATUS_FNT; ++i)
        if (strcmp(text_status_names[i], text) == 0) {
            mon->status = (uint8_t)i;
            mon->status_time = i == STATUS_SLP ? 2 : 0;
            return BANYAN_OK;
        }
    return banyan_fail(err, BANYAN_INVALID, "status is brn, par, slp, frz, psn or tox, not '%.40s'",
                       text);
}

static enum banyan_status describe_word(struct describe *to, char *word, struct banyan_error *err)
{
    static const char *const keys[] = {"item",     "ability", "level",   "hp",   "status",
                                       "atk",      "def",     "spa",     "spd",  "spe",
                                       "accuracy", "evasion", "dynamax", "gmax", NULL};
    struct pokemon_mon *mon = &to->s->sides[to->side].mons[0];
    char *value = strchr(word, '=');
    int number = 0;
    if (strcmp(word, "dynamax") == 0 || strcmp(word, "gmax") == 0) {
        to->dynamax = true;
        mon->flags |= word[0] == 'g' ? MON_GIGANTAMAX : 0;
        return BANYAN_OK;
    }
    if (value)
        *value++ = 0;
    enum banyan_status status = BANYAN_OK;
    int boost = describe_boost(word);
    if (value && strcmp(word, "item") == 0) {
        if (strcmp(value, "none") != 0)
            status = describe_item(value, &number, err);
        mon->item = (uint8_t)number;
    } else if (value && strcmp(word, "ability") == 0) {
        status = describe_ability(value, &number, err);
        mon->ability = mon->base_ability = mon->set_ability = (uint8_t)number;
    } else if (value && strcmp(word, "level") == 0) {
        status = describe_number("level", value, 1, 100, &number, err);
        mon->level = (uint8_t)number;
    } else if (value && strcmp(word, "hp") == 0) {
        status = describe_hp(to, value, err);
    } else if (value && strcmp(word, "status") == 0) {
        status = describe_status(mon, value, err);
    } else if (value && boost >= 0) {
        status = describe_number(word, value, -6, 6, &number, err);
        to->s->sides[to->side].active.boosts[boost] = (int8_t)number;
    } else {
        const char *near = banyan_options_nearest(word, keys);
        if (near && strcmp(near, word) == 0)
            return banyan_fail(err, BANYAN_INVALID,
                               value ? "the property '%s' takes no value"
                                     : "the property '%s' needs a value, as in level=50",
                               word);
        return banyan_fail(err, BANYAN_INVALID, "no property '%.40s' of a Pokemon%s%s%s", word,
                           near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    return status;
}

static void describe_set(struct pokemon_mon *mon, int species)
{
    static const uint16_t none[4] = {MOVE_STRUGGLE, 0, 0, 0};
    struct pokemon_mon wanted = {.set_species = (uint16_t)species, .level = 100};
    const struct dex_entry *entry = NULL;
    for (int i = 0; i < dex_entry_count && !entry; ++i)
        if (dex_entries[i].species == species)
            entry = &dex_entries[i];
    if (entry)
        wanted.level = entry->level;
    struct belief_candidates of = belief_candidates(&wanted);
    const struct dex_set *set = of.count ? &dex_sets[of.first] : NULL;
    const struct dex_spread *spread = &dex_spreads[set ? set->spread : 1];
    setup_mon(mon,
              &(struct pokemon_set){.species = species,
                                    .level = wanted.level,
                                    .gmax = of.entry && of.entry->gmax,
                                    .item = set ? set->item : 0,
                                    .ability = set ? set->ability : dex_species[species].ability,
                                    .moves = set ? set->moves : none,
                                    .evs = spread->evs,
                                    .ivs = spread->ivs});
    mon->seen = SEEN_SPECIES;
}

/* Computes stats and hp, and makes the Pokémon active. */
static void describe_enter(const struct describe *to)
{
    struct pokemon_side *side = &to->s->sides[to->side];
    struct pokemon_mon *mon = &side->mons[0];
    uint16_t stats[STAT_COUNT];
    dex_stats(mon->species, mon->level, mon->evs, mon->ivs, stats);
    memcpy(mon->stats, stats + 1, sizeof mon->stats);
    mon->base_max_hp = stats[STAT_HP];
    mon->max_hp = (uint16_t)(to->dynamax ? 2 * stats[STAT_HP] : stats[STAT_HP]);
    int hp = to->hp ? to->hp : (int)(to->hp_share * mon->max_hp + 0.5);
    mon->hp = (uint16_t)(hp < 1 ? 1 : hp > mon->max_hp ? mon->max_hp : hp);
    memcpy(side->active.stats, stats + 1, sizeof side->active.stats);
    memcpy(side->active.types, dex_species[mon->species].types, sizeof side->active.types);
    side->active.weight = dex_species[mon->species].weight;
    side->active.speed = stats[STAT_SPE];
    side->active.turns = 1;
    if (to->dynamax)
        side->active.volatiles |= (uint64_t)1 << VOLATILE_DYNAMAX;
}

enum banyan_status pokemon_describe(struct pokemon *s, int side, const char *text,
                                    struct banyan_error *err)
{
    struct describe to = {s, side, false, 1, 0};
    struct banyan_rng rng;
    char words[256];
    int species = 0;
    if (snprintf(words, sizeof words, "%s", text) >= (int)sizeof words)
        return banyan_fail(err, BANYAN_INVALID,
                           "the text of a Pokemon has more than 255 characters");
    banyan_rng_seed(&rng, 1);
    setup_team(&s->sides[side], &rng); /* the other five are not used */
    char *next = strchr(words, ',');
    if (next)
        *next++ = 0;
    enum banyan_status status = pokemon_find_species(words, &species, err);
    if (status != BANYAN_OK)
        return status;
    describe_set(&s->sides[side].mons[0], species);
    for (char *word = next; word && status == BANYAN_OK; word = next) {
        next = strchr(word, ',');
        if (next)
            *next++ = 0;
        status = describe_word(&to, word, err);
    }
    if (status == BANYAN_OK)
        describe_enter(&to);
    return status;
}
