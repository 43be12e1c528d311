/* Quick opinions about fights: how much of its hp an attack is expected to take from a foe.
 *
 *      struct pokemon --estimate_active/_bench--> struct estimate_fighter --+
 *                                                                           +--> share of hp
 *                     --estimate_field--> weather, terrain, screens --------+
 *
 * The rules themselves are damage.c; this is for priors, rollouts and the value of a position, which
 * need a number in some twenty nanoseconds and not the last percent of it.  Tables of what abilities
 * do to it stand in estimate_data.c.
 */
#ifndef GAMES_POKEMON_PLAYERS_ESTIMATE_H
#define GAMES_POKEMON_PLAYERS_ESTIMATE_H

#include "games/pokemon/battle.h"

/* A Pokémon as far as attacks see it. */
struct estimate_fighter {
    uint32_t types;                    /* a set */
    float stats[5];                    /* attack to speed, with boosts, items and abilities; > 0 */
    float hp, max_hp;                  /* max_hp > 0 */
    const struct pokemon_slots *slots; /* borrowed */
    uint8_t closed;                    /* slots that cannot be used, a bit for each */
    uint16_t weight;                   /* hectograms */
    uint8_t ability, item, status, level;
    uint8_t boosted;      /* sum of boosts above 0 */
    bool grounded, fresh; /* fresh: has made no move since it came in */
    bool forces, guards;  /* its ability may matter to its attacks, to those on it */
};

struct estimate_field {
    int weather, terrain;
    float screen[3]; /* by category: what hits this side is multiplied by it */
};

/* What an ability does to the holder's attacks. */
struct estimate_force {
    float physical, special;     /* 0: 1 */
    float typed, flagged, pinch; /* for moves of `type`, with one of `flags`; at a third of hp */
    uint8_t type;                /* + 1; 0: none */
    uint32_t flags;
};

/* What an ability does to attacks on its holder. */
struct estimate_guard {
    uint8_t immune;                            /* type + 1; 0: none */
    uint8_t type;                              /* + 1, of `typed`; 0: none */
    float typed, physical, special, effective; /* 0: 1; effective: of super effective ones */
    uint32_t immune_flags;
};

extern const struct estimate_force estimate_forces[ABILITY_COUNT];
extern const struct estimate_guard estimate_guards[ABILITY_COUNT];

/* side: whose field it is, who is hit there. */
void estimate_field(const struct pokemon *s, int side, struct estimate_field *out);
void estimate_active(const struct pokemon *s, int side, struct estimate_fighter *out);
/* One of the bench, as it would come in. */
void estimate_bench(const struct pokemon *s, int side, int index, struct estimate_fighter *out);

/* Expected share of the defender's full hp (0.., may be above 1), accuracy counted in; max: as a Max
 * move. */
float estimate_share(const struct estimate_fighter *by, const struct estimate_fighter *on,
                     const struct estimate_field *field, int move, bool max);

/* The best of its moves that have PP; or the first that is enough: to whom it is all the same how much
 * more than that it would be, the other moves are not asked. */
float estimate_best(const struct estimate_fighter *by, const struct estimate_fighter *on,
                    const struct estimate_field *field, bool max, float enough);
/* The share that is `part` of the hp that it has left, and surely not less. */
static inline float estimate_part(const struct estimate_fighter *on, float part)
{
    return 1.001f * part * on->hp / on->max_hp;
}

/* The attacks of one Pokémon, looked at once for several targets. */
struct estimate_attack {
    float product;        /* what damage begins with, less the defence */
    float stab, accuracy; /* factors */
    uint16_t move;
    uint8_t type;
    bool physical;
    bool plain; /* nothing else about it depends on the target */
};

struct estimate_arms {
    struct estimate_attack attacks[4];
    int count;
    bool max; /* as Max moves */
};

void estimate_arm(const struct estimate_fighter *by, bool max, struct estimate_arms *out);
/* As estimate_best. */
float estimate_best_armed(const struct estimate_fighter *by, const struct estimate_arms *arms,
                          const struct estimate_fighter *on, const struct estimate_field *field,
                          float enough);

/* By types alone: the best factor of an attack of one of these types. */
float estimate_type_factor(int type, uint32_t target_types);

#endif
