/* Fast estimates of damage: the share of hp that an attack is expected to take from a foe.
 *
 *     struct pokemon --estimate_active/_bench--> struct estimate_fighter --+
 *                                                                          +--> share of hp
 *                    --estimate_field--> weather, terrain, screens --------+
 *
 * The exact rules are in damage.c.  Priors, rollouts and the value of a position need a number in
 * about twenty nanoseconds, and can accept small errors.  estimate_data.c has tables of what
 * abilities change.
 */
#ifndef GAMES_POKEMON_PLAYERS_ESTIMATE_H
#define GAMES_POKEMON_PLAYERS_ESTIMATE_H

#include "games/pokemon/battle.h"

/* What matters about a Pokémon for attacks. */
struct estimate_fighter {
    uint32_t types;                    /* a set */
    float stats[5];                    /* attack to speed, with boosts, items and abilities; > 0 */
    float hp, max_hp;                  /* max_hp > 0 */
    const struct pokemon_slots *slots; /* borrowed */
    uint8_t closed;                    /* slots that cannot be used, one bit for each */
    uint16_t weight;                   /* hectograms */
    uint8_t ability, item, status, level;
    uint8_t boosted;      /* sum of boosts above 0 */
    bool grounded, fresh; /* fresh: has not used a move since it came in */
    bool forces, guards;  /* whether its ability may change its own attacks, and attacks on it */
};

struct estimate_field {
    int weather, terrain;
    float screen[3]; /* by category: factor of the damage to this side */
};

/* How an ability changes the holder's attacks; a factor of 0 means 1. */
struct estimate_force {
    float physical, special;
    float typed, flagged, pinch; /* typed: for moves of `type`; pinch: for them at a third of hp or
                                  * less; flagged: for moves with one of `flags` */
    uint8_t type;                /* type + 1; 0: none */
    uint32_t flags;
};

/* How an ability changes attacks on its holder; a factor of 0 means 1. */
struct estimate_guard {
    uint8_t immune;                            /* type + 1; 0: none */
    uint8_t type;                              /* type + 1 of the attacks with factor `typed` */
    float typed, physical, special, effective; /* effective: for super effective attacks */
    uint32_t immune_flags;
};

extern const struct estimate_force estimate_forces[ABILITY_COUNT];
extern const struct estimate_guard estimate_guards[ABILITY_COUNT];

/* side: the side that is hit. */
void estimate_field(const struct pokemon *s, int side, struct estimate_field *out);
void estimate_active(const struct pokemon *s, int side, struct estimate_fighter *out);
/* A Pokémon on the bench, as it would come in. */
void estimate_bench(const struct pokemon *s, int side, int index, struct estimate_fighter *out);

/* Expected share of the defender's full hp, accuracy included; it may be above 1.  max: as a Max
 * move. */
float estimate_share(const struct estimate_fighter *by, const struct estimate_fighter *on,
                     const struct estimate_field *field, int move, bool max);

/* The largest share among the moves that can be used.  If one move reaches `enough`, the largest share
 * so far is returned without estimating the others. */
float estimate_best(const struct estimate_fighter *by, const struct estimate_fighter *on,
                    const struct estimate_field *field, bool max, float enough);
/* The share that equals `part` of the hp left, rounded so that it is never less. */
static inline float estimate_part(const struct estimate_fighter *on, float part)
{
    return 1.001f * part * on->hp / on->max_hp;
}

/* One attack of a Pokémon, prepared once for several targets. */
struct estimate_attack {
    float product;        /* damage without the target's defence */
    float stab, accuracy; /* factors */
    uint16_t move;
    uint8_t type;
    bool physical;
    bool plain; /* the move has no rule of its own: its share follows from these members */
};

struct estimate_arms {
    struct estimate_attack attacks[4];
    int count;
    bool max; /* estimated as Max moves */
};

void estimate_arm(const struct estimate_fighter *by, bool max, struct estimate_arms *out);
/* The same as estimate_best. */
float estimate_best_armed(const struct estimate_fighter *by, const struct estimate_arms *arms,
                          const struct estimate_fighter *on, const struct estimate_field *field,
                          float enough);

/* By types alone: the factor of an attack of this type on a target with this set of types. */
float estimate_type_factor(int type, uint32_t target_types);

#endif
