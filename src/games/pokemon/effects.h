/* The functions that single abilities, items and moves add to the rules: each has a row of
 * functions, one for each event.
 *
 *     event in the rules --> ability_hooks[ability].event   (abilities_*.c)
 *                        --> item_hooks[item].event         (items.c)
 *                        --> move_hooks[move].event         (moves_*.c)
 *
 * NULL means that nothing changes.  `side` is the holder.  A modifier is a factor in 4096ths;
 * a hook_modifier gets the factor so far and returns the new one.
 */
#ifndef GAMES_POKEMON_EFFECTS_H
#define GAMES_POKEMON_EFFECTS_H

#include "games/pokemon/battle.h"

typedef int hook_modifier(const struct battle *b, int side, int other,
                          const struct battle_move *move, int modifier);

/* Members that are used together are neighbours, because the table is larger than the first-level
 * cache: first the turn, then the attacker, then the target, then rare events. */
struct ability_hooks {
    int8_t start_priority; /* order among the effects of coming in */
    bool no_crit;          /* cannot be hit critically */
    bool announced;        /* the other player sees the ability when its holder comes in */
    int8_t crit;           /* stages added */
    int8_t boost_factor;   /* -1: Contrary, 2: Simple */
    uint8_t residual_order, residual_sub;
    uint8_t hit_order;      /* of hit_taken: 1 early, 0 late */
    uint8_t power_priority; /* of power: the highest first */

    void (*update)(struct battle *b, int side);
    void (*residual)(struct battle *b, int side);
    hook_modifier *spe;
    int (*priority)(const struct battle *b, int side, const struct battle_move *move);
    bool (*traps)(const struct battle *b, int side, int foe);
    void (*disable)(struct battle *b, int side);

    void (*modify_type)(struct battle *b, int side, struct battle_move *move);
    void (*modify_move)(struct battle *b, int side, struct battle_move *move);
    bool (*before_move)(struct battle *b, int side, const struct battle_move *move);
    void (*prepare)(struct battle *b, int side, const struct battle_move *move);
    hook_modifier *accuracy;
    void (*try_primary)(struct battle *b, int side, int target, struct battle_move *move);
    hook_modifier *power, *any_power;
    hook_modifier *atk, *spa;
    int (*raw_atk)(int attack); /* Hustle: changes the stat directly */
    hook_modifier *stab, *damage;

    bool (*foe_try_move)(struct battle *b, int side, const struct battle_move *move, int target);
    /* returns HIT_DONE to continue */
    int (*try_hit)(struct battle *b, int side, int source, struct battle_move *move);
    bool (*prevents_crit)(struct battle *b, int side, const struct battle_move *move);
    hook_modifier *foe_power;
    hook_modifier *foe_attack; /* changes the stat of an attacker of the holder */
    hook_modifier *def, *spd;
    int (*effectiveness)(const struct battle *b, int side, const struct battle_move *move, int mod);
    hook_modifier *foe_damage;
    /* returns the new amount, or HIT_FAIL or HIT_NULL: no damage */
    int (*hurt)(struct battle *b, int side, int amount, int source, int cause);
    void (*hit_taken)(struct battle *b, int side, int source, struct battle_move *move, int damage);
    void (*after_hit)(struct battle *b, int side, int source, struct battle_move *move, int last);

    void (*start)(struct battle *b, int side);
    void (*end)(struct battle *b, int side);
    void (*leave)(struct battle *b, int side);
    void (*weather)(struct battle *b, int side, int weather);
    void (*weather_changed)(struct battle *b, int side, bool suppressing);
    void (*terrain_changed)(struct battle *b, int side);
    hook_modifier *weight;
    int (*try_hit_side)(struct battle *b, int side, int source, struct battle_move *move);
    void (*after_faint)(struct battle *b, int side, int count); /* when the holder made another
                                                                 * faint */
    void (*any_faint)(struct battle *b, int side);
    bool (*blocks_status)(const struct battle *b, int side, int status);
    bool (*blocks_volatile)(const struct battle *b, int side, int id);
    bool (*immune)(const struct battle *b, int side, int what); /* enum dex_immune */
    void (*after_status)(struct battle *b, int side, int status, int source, int cause);
    void (*try_boost)(struct battle *b, int side, int source, int8_t *boosts, bool *there,
                      int cause);
    void (*each_boost)(struct battle *b, int side, int source, int stages);
    void (*lost_item)(struct battle *b, int side);
    void (*eaten)(struct battle *b, int side);
};

extern const struct ability_hooks ability_hooks[ABILITY_COUNT];

struct item_hooks {
    int8_t crit;
    uint8_t residual_order, residual_sub;
    hook_modifier *atk, *spa, *def, *spd, *spe, *power, *damage, *accuracy;
    int (*crit_for)(const struct battle *b, int side); /* stages, for some species only */
    void (*start)(struct battle *b, int side);
    void (*update)(struct battle *b, int side);
    void (*residual)(struct battle *b, int side);
    void (*modify_move)(struct battle *b, int side, struct battle_move *move);
    bool (*charge)(struct battle *b, int side); /* true: the move needs no charging turn */
    int (*hurt)(struct battle *b, int side, int amount, int source, int cause);
    void (*hit_taken)(struct battle *b, int side, int source, struct battle_move *move, int damage);
    void (*after_move)(struct battle *b, int side, int target, struct battle_move *move);
    void (*after_status)(struct battle *b, int side);
    void (*eat)(struct battle *b, int side);
    void (*disable)(struct battle *b, int side);
    bool (*hurries)(struct battle *b, int side); /* Custap Berry */
};

extern const struct item_hooks item_hooks[ITEM_COUNT];

struct move_hooks {
    /* power of this hit */
    int (*power)(struct battle *b, int user, int target, struct battle_move *move);
    hook_modifier *boost;
    int (*damage)(struct battle *b, int user, int target, struct battle_move *move);
    /* returns HIT_DONE to continue; otherwise the result */
    int (*attempt)(struct battle *b, int user, int target, struct battle_move *move);
    int (*prepare)(struct battle *b, int user, int target, struct battle_move *move);
    int (*try_move)(struct battle *b, int user, int target, struct battle_move *move);
    int (*try_hit)(struct battle *b, int user, int target, struct battle_move *move);
    bool (*works_on)(struct battle *b, int user, int target, struct battle_move *move);
    int (*hit)(struct battle *b, int user, int target, struct battle_move *move);
    void (*self)(struct battle *b, int user, int target, struct battle_move *move);
    void (*secondary)(struct battle *b, int user, int target, struct battle_move *move);
    void (*after_hit)(struct battle *b, int user, int target, struct battle_move *move);
    void (*after_substitute)(struct battle *b, int user, int target, struct battle_move *move);
    void (*type)(struct battle *b, int user, int target, struct battle_move *move);
    void (*modify)(struct battle *b, int user, int target, struct battle_move *move);
    void (*fail)(struct battle *b, int user, int target, struct battle_move *move);
    void (*after)(struct battle *b, int user, int target, struct battle_move *move);
    int (*effectiveness)(const struct battle *b, int target, int type, int mod);
    int (*priority)(const struct battle *b, int user);
    void (*before_turn)(struct battle *b, int user);
    void (*charge)(struct battle *b, int user);
    bool (*spoiled)(struct battle *b, int user); /* called just before the move is used; true: the
                                                  * move fails */
};

extern const struct move_hooks move_hooks[MOVE_COUNT];

#endif
