/* The species, moves, abilities and items of gen8randombattle: tables only.
 *
 * The tables (dex_*_data.c, sets_data.c) and the names (dex_ids.h) are written by tools/make_dex.js
 * from the data of Pokémon Showdown.  The effects of moves and abilities beyond these numbers are
 * functions (effects.h).
 */
#ifndef GAMES_POKEMON_DEX_DEX_H
#define GAMES_POKEMON_DEX_DEX_H

#include "games/pokemon/dex/dex_ids.h"

#include <stdbool.h>
#include <stdint.h>

enum dex_type {
    TYPE_NORMAL,
    TYPE_FIGHTING,
    TYPE_FLYING,
    TYPE_POISON,
    TYPE_GROUND,
    TYPE_ROCK,
    TYPE_BUG,
    TYPE_GHOST,
    TYPE_STEEL,
    TYPE_FIRE,
    TYPE_WATER,
    TYPE_GRASS,
    TYPE_ELECTRIC,
    TYPE_PSYCHIC,
    TYPE_ICE,
    TYPE_DRAGON,
    TYPE_DARK,
    TYPE_FAIRY,
    TYPE_NONE,
    TYPE_COUNT
};

/* Indices of stats[6] of a species.  Arrays of a Pokémon's five stats without hp begin with attack,
 * as boosts do. */
enum dex_stat { STAT_HP, STAT_ATK, STAT_DEF, STAT_SPA, STAT_SPD, STAT_SPE, STAT_COUNT };
enum dex_boost {
    BOOST_ATK,
    BOOST_DEF,
    BOOST_SPA,
    BOOST_SPD,
    BOOST_SPE,
    BOOST_ACCURACY,
    BOOST_EVASION,
    BOOST_COUNT
};

enum dex_status {
    STATUS_NONE,
    STATUS_BRN,
    STATUS_PAR,
    STATUS_SLP,
    STATUS_FRZ,
    STATUS_PSN,
    STATUS_TOX,
    STATUS_FNT,
    STATUS_COUNT
};

enum dex_category { CATEGORY_STATUS, CATEGORY_PHYSICAL, CATEGORY_SPECIAL };

enum dex_target {
    TARGET_FOE,
    TARGET_SELF,
    TARGET_ALL,
    TARGET_FOE_SIDE,
    TARGET_ALLY_SIDE,
    TARGET_ALLY_TEAM
};

enum dex_weather {
    WEATHER_NONE,
    WEATHER_SUNNYDAY,
    WEATHER_RAINDANCE,
    WEATHER_SANDSTORM,
    WEATHER_HAIL,
    WEATHER_COUNT
};
enum dex_terrain {
    TERRAIN_NONE,
    TERRAIN_ELECTRICTERRAIN,
    TERRAIN_GRASSYTERRAIN,
    TERRAIN_MISTYTERRAIN,
    TERRAIN_PSYCHICTERRAIN,
    TERRAIN_COUNT
};
enum dex_pseudo { PSEUDO_NONE, PSEUDO_TRICKROOM, PSEUDO_IONDELUGE };

/* Side conditions: hazards first. */
enum dex_side {
    SIDE_NONE,
    SIDE_STEALTHROCK,
    SIDE_SPIKES,
    SIDE_TOXICSPIKES,
    SIDE_STICKYWEB,
    SIDE_GMAXSTEELSURGE,
    SIDE_REFLECT,
    SIDE_LIGHTSCREEN,
    SIDE_AURORAVEIL,
    SIDE_GMAXVINELASH,
    SIDE_GMAXCANNONADE,
    SIDE_GMAXVOLCALITH,
    SIDE_COUNT,
    SIDE_HAZARDS = SIDE_GMAXSTEELSURGE + 1 /* hazards have smaller numbers */
};
enum dex_slot { SLOT_NONE, SLOT_WISH, SLOT_HEALINGWISH, SLOT_FUTUREMOVE };

/* Conditions of an active Pokémon, as bits of a set. */
enum dex_volatile {
    VOLATILE_NONE,
    VOLATILE_BANEFULBUNKER,
    VOLATILE_BOUNCE,
    VOLATILE_CHOICELOCK,
    VOLATILE_CONFUSION,
    VOLATILE_COUNTER,
    VOLATILE_CURSE,
    VOLATILE_DESTINYBOND,
    VOLATILE_DISABLE,
    VOLATILE_DYNAMAX,
    VOLATILE_ENCORE,
    VOLATILE_FLASHFIRE,
    VOLATILE_FLINCH,
    VOLATILE_FLY,
    VOLATILE_FOCUSENERGY,
    VOLATILE_FOCUSPUNCH,
    VOLATILE_GEOMANCY,
    VOLATILE_KINGSSHIELD,
    VOLATILE_LEECHSEED,
    VOLATILE_LOCKEDMOVE,
    VOLATILE_MAGNETRISE,
    VOLATILE_MAXGUARD,
    VOLATILE_METEORBEAM,
    VOLATILE_MIRRORCOAT,
    VOLATILE_NORETREAT,
    VOLATILE_PARTIALLYTRAPPED,
    VOLATILE_PHANTOMFORCE,
    VOLATILE_PROTECT,
    VOLATILE_ROOST,
    VOLATILE_SMACKDOWN,
    VOLATILE_SOLARBEAM,
    VOLATILE_SPARKLINGARIA,
    VOLATILE_SPIKYSHIELD,
    VOLATILE_STALL,
    VOLATILE_SUBSTITUTE,
    VOLATILE_TAUNT,
    VOLATILE_THROATCHOP,
    VOLATILE_TRAPPED,
    VOLATILE_TRAPPER,
    VOLATILE_TWOTURNMOVE,
    VOLATILE_UNBURDEN,
    VOLATILE_YAWN,
    VOLATILE_COUNT
};

enum dex_species_flag {
    SPECIES_IS_NFE = 1, /* can still evolve */
    SPECIES_IS_NO_DYNAMAX = 2,
    SPECIES_IS_ONE_HP = 4,
    SPECIES_IS_MAY_TRAP = 8 /* one of its abilities traps the foe */
};

struct dex_species {
    const char *id, *name;
    uint8_t types[2]; /* the second may be TYPE_NONE */
    uint8_t stats[STAT_COUNT];
    uint16_t weight; /* hectograms */
    uint16_t number; /* in the Pokédex; formes share it */
    uint16_t base;   /* the species of which it is a forme, or itself */
    uint16_t gmax;   /* its G-Max move */
    uint8_t ability; /* first ability */
    char gender;     /* 'M', 'F', 'N': always this; 0: either */
    uint8_t flags;
};

enum dex_move_flag {
    MOVE_FLAG_CONTACT = 1 << 0,
    MOVE_FLAG_PROTECT = 1 << 1,
    MOVE_FLAG_REFLECTABLE = 1 << 2,
    MOVE_FLAG_SOUND = 1 << 3,
    MOVE_FLAG_PUNCH = 1 << 4,
    MOVE_FLAG_BITE = 1 << 5,
    MOVE_FLAG_BULLET = 1 << 6,
    MOVE_FLAG_POWDER = 1 << 7,
    MOVE_FLAG_PULSE = 1 << 8,
    MOVE_FLAG_HEAL = 1 << 9,
    MOVE_FLAG_BYPASSSUB = 1 << 10,
    MOVE_FLAG_DEFROST = 1 << 11,
    MOVE_FLAG_CHARGE = 1 << 12,
    MOVE_FLAG_NOSLEEPTALK = 1 << 13,
    MOVE_FLAG_FAILENCORE = 1 << 14,
    MOVE_FLAG_FUTUREMOVE = 1 << 15,
    MOVE_FLAG_MUSTPRESSURE = 1 << 16
};

enum dex_move_prop {
    MOVE_IS_WILL_CRIT = 1 << 0,
    MOVE_IS_SELF_SWITCH = 1 << 1,
    MOVE_IS_FORCE_SWITCH = 1 << 2,
    MOVE_IS_IGNORE_ABILITY = 1 << 3,
    MOVE_IS_IGNORE_DEFENSIVE = 1 << 4,
    MOVE_IS_IGNORE_EVASION = 1 << 5,
    MOVE_IS_BREAKS_PROTECT = 1 << 6,
    MOVE_IS_STEALS_BOOSTS = 1 << 7,
    MOVE_IS_THAWS_TARGET = 1 << 8,
    MOVE_IS_SLEEP_USABLE = 1 << 9,
    MOVE_IS_CALLS_MOVE = 1 << 10,
    MOVE_IS_MULTIACCURACY = 1 << 11,
    MOVE_IS_CRASH = 1 << 12,
    MOVE_IS_MIND_BLOWN = 1 << 13,
    MOVE_IS_STRUGGLE_RECOIL = 1 << 14,
    MOVE_IS_IGNORE_IMMUNITY = 1 << 15,
    MOVE_IS_MAX = 1 << 16,
    MOVE_IS_EXPLODES = 1 << 17,
    MOVE_IS_DIES_IF_HIT = 1 << 18,
    MOVE_IS_FOE_ATTACK = 1 << 19,
    MOVE_IS_FIXED_DAMAGE = 1 << 20,
    MOVE_IS_SMART_TARGET = 1 << 21,
    MOVE_IS_STALLING = 1 << 22,
    MOVE_IS_DAMAGE_LEVEL = 1 << 23
};

/* An effect that follows a hit with some probability. */
struct dex_secondary {
    uint8_t chance; /* percent */
    uint8_t status, volatile_id;
    bool has_boosts, has_self, custom; /* custom: the move's hook `secondary` */
    int8_t boosts[BOOST_COUNT];        /* of the target */
    int8_t self_boosts[BOOST_COUNT];
};

struct dex_move {
    const char *id, *name;
    uint32_t flags, props;
    uint8_t type, category, power;
    uint8_t accuracy; /* percent; 0: never misses */
    uint8_t pp, base_pp;
    int8_t priority;
    uint8_t target;
    uint8_t crit;      /* critical-hit stage; 1: usual, 0: never critical */
    uint8_t hits[2];   /* of multi-hit moves: from, to */
    uint8_t recoil[2]; /* share of the damage done: numerator, denominator */
    uint8_t drain[2], heal[2];
    uint8_t max_power;                 /* of the Max move that it becomes */
    uint8_t attack_stat, defence_stat; /* dex_stat if it is not the usual one, else 0 */
    uint8_t status, volatile_id, side_condition, slot_condition, weather, terrain, pseudo_weather;
    bool has_boosts, has_self, self_has_boosts, has_after_boosts;
    int8_t boosts[BOOST_COUNT];       /* of the target */
    int8_t self_boosts[BOOST_COUNT];  /* of the user, after a hit */
    int8_t after_boosts[BOOST_COUNT]; /* of the user, after the whole move succeeded */
    uint8_t self_volatile, self_side_condition, self_chance;
    uint8_t secondaries;
    struct dex_secondary secondary[2];
};

enum dex_ability_flag {
    ABILITY_FLAG_BREAKABLE = 1, /* Mold Breaker ignores it */
    ABILITY_FLAG_CANTSUPPRESS = 2,
    ABILITY_FLAG_NOTRANSFORM = 4, /* has no effect for a Pokémon that has transformed */
    ABILITY_FLAG_NOTRACE = 8,
    ABILITY_FLAG_FAILSKILLSWAP = 16
};

struct dex_ability {
    const char *id, *name;
    uint8_t flags;
};

enum dex_item_flag { ITEM_FLAG_BERRY = 1, ITEM_FLAG_CHOICE = 2, ITEM_FLAG_EATEN = 4 };

struct dex_item {
    const char *id, *name;
    uint16_t kept_by; /* Pokédex number of the Pokémon that cannot lose it */
    uint8_t memory;   /* for a Memory: the type that it gives */
    uint8_t flags;
    bool has_boosts;
    int8_t boosts[BOOST_COUNT]; /* of the Pokémon that uses it */
};

extern const struct dex_species dex_species[SPECIES_COUNT];
extern const struct dex_move dex_moves[MOVE_COUNT];
extern const struct dex_ability dex_abilities[ABILITY_COUNT];
extern const struct dex_item dex_items[ITEM_COUNT];
extern const uint16_t dex_max_moves[TYPE_COUNT];

enum dex_immune {
    IMMUNE_POISON,
    IMMUNE_BURN,
    IMMUNE_PARALYSIS,
    IMMUNE_FREEZE,
    IMMUNE_SANDSTORM,
    IMMUNE_HAIL,
    IMMUNE_POWDER,
    IMMUNE_PRANKSTER,
    IMMUNE_TRAPPED,
    IMMUNE_COUNT
};

extern const int8_t dex_effectiveness[TYPE_COUNT][TYPE_COUNT]; /* [attack][defence] -1, 0, 1 */
extern const uint32_t dex_immune_types[TYPE_COUNT];            /* [attack] set of types */
extern const uint32_t dex_immune_to[IMMUNE_COUNT];             /* [what] set of types */
extern const char *const dex_type_names[TYPE_COUNT];

/* --- frequencies of sets --- */

struct dex_spread {
    uint8_t evs[STAT_COUNT], ivs[STAT_COUNT];
};

/* What the team generator draws: a species at its level, with or without Gigantamax. */
struct dex_entry {
    uint16_t species;
    uint8_t level;
    bool gmax;
    uint16_t sets, first_set; /* number and first of its rows in dex_sets, most frequent first */
    uint32_t count;           /* how often it was drawn in the sample */
};

struct dex_set {
    uint8_t item, ability, spread;
    uint16_t moves[4]; /* in increasing order of id text; 0: none */
    uint32_t count;
};

extern const struct dex_spread dex_spreads[];
extern const int dex_spread_count;
extern const struct dex_entry dex_entries[]; /* in the order of species */
extern const int dex_entry_count;
extern const uint32_t dex_entry_total; /* sum of all counts */
extern const struct dex_set dex_sets[];
extern const int dex_set_count;

/* --- lookups (dex.c) --- */

/* The index of the row with this id; 0: there is none. */
int dex_find_species(const char *id);
int dex_find_move(const char *id);
int dex_find_ability(const char *id);
int dex_find_item(const char *id);

/* Stats of a species at a level: out[STAT_COUNT], hp first. */
void dex_stats(int species, int level, const uint8_t evs[STAT_COUNT], const uint8_t ivs[STAT_COUNT],
               uint16_t out[STAT_COUNT]);

#endif
