/* A battle in progress: the state, the dice, and the move that is being used.
 *
 * Everything here exists during one apply().  Sides are numbered 0 and 1; a Pokémon that takes part
 * in a move is given by its side.  Each function is in the file of its subject; the effects of
 * single abilities, items and moves are in tables of functions (effects.h).
 */
#ifndef GAMES_POKEMON_BATTLE_H
#define GAMES_POKEMON_BATTLE_H

#include "games/pokemon/pokemon.h"

/* Results of a step of a move, as the rules distinguish them.  A result >= 0 is an amount of
 * damage. */
enum battle_result {
    HIT_FAIL = -1,      /* failed, and counts as failed */
    HIT_NULL = -2,      /* ended without effect, and Showdown says nothing */
    HIT_NOTHING = -3,   /* this step has no result: continue */
    HIT_DONE = -4,      /* did something */
    HIT_NOT_FAIL = -5,  /* ended, but does not count as failed */
    HIT_SUBSTITUTE = -6 /* a substitute took the damage */
};

/* What causes damage, healing, a boost or a status. */
enum battle_cause {
    CAUSE_NONE,
    CAUSE_MOVE, /* also damage from confusion, which counts as a move */
    CAUSE_RECOIL,
    CAUSE_STRUGGLE,
    CAUSE_CRASH,
    CAUSE_DRAIN,
    CAUSE_STATUS,
    CAUSE_VOLATILE,
    CAUSE_HAZARD,
    CAUSE_STICKY_WEB,
    CAUSE_TOXIC_SPIKES,
    CAUSE_WEATHER,
    CAUSE_ITEM,
    CAUSE_ABILITY,
    CAUSE_INTIMIDATE,
    CAUSE_SYNCHRONIZE,
    CAUSE_YAWN,
    CAUSE_MIRROR_ARMOR,
    CAUSE_LIFE_ORB
};

/* The move in use, with all changes by abilities, items and conditions. */
struct battle_move {
    const struct dex_move *row;
    uint32_t flags, props;
    uint16_t id;
    uint16_t base;   /* for a Max move, the move it came from; else 0 */
    uint16_t caller; /* 0, the move that called it, or USE_CALLED_BY_* */
    int16_t power;
    int16_t current; /* power of this hit, before modifiers */
    uint8_t type, category, target;
    int8_t priority;
    uint8_t accuracy; /* 0: never misses */
    uint8_t hits_from, hits_to;
    uint8_t chance_factor; /* 2 with Serene Grace */
    /* what kind of move it is */
    bool is_max;          /* a Max move */
    bool becomes_max;     /* is made a Max move when it is used */
    bool is_future;       /* hits two turns later, as Future Sight does */
    bool is_bounced;      /* was sent back by Magic Bounce */
    bool is_by_prankster; /* has its priority from Prankster */
    bool is_ghost_curse;  /* Curse as a Ghost uses it */
    /* how it reaches the target */
    bool aims_each_hit;    /* each hit after the first can miss */
    bool ignores_immunity; /* of the target's types */
    bool hits_ghosts;      /* Normal and Fighting moves hit Ghosts: Scrappy */
    bool infiltrates;      /* ignores screens and substitutes: Infiltrator */
    /* what changes its power */
    bool type_was_changed; /* by Pixilate, which also raises its power */
    bool has_sheer_force;  /* gives up its secondary effects for power */
    bool meets_aura_break; /* auras weaken it instead of strengthening it */
    /* effects that do not happen, although its row of dex_moves has them */
    struct {
        bool secondaries, self_effects, boosts, volatile_condition, switch_out;
    } skips;
    bool self_effects_done; /* its effects on the user take place once, even with several hits */
    /* of the current hit */
    bool is_critical;
    bool hits_through_protect; /* as a Max move does, with a quarter of its damage */
    int8_t effectiveness;
    uint8_t hit;
    int32_t total_damage; /* of all hits so far */
};

/* A Pokémon whose hp have come to 0. */
struct battle_faint {
    int8_t side, source; /* source: the side that caused it; -1: none */
    bool is_by_move;     /* Destiny Bond may follow */
    bool is_by_future;   /* by a move of two turns ago: Destiny Bond does not follow */
};

/* What calls a move: 0 (the player chose it), the number of a move, or one of these. */
enum { USE_CALLED_BY_LOCK = 0x7ffe, USE_CALLED_BY_EFFECT = 0x7fff };

struct battle {
    struct pokemon *s;
    struct banyan_dice *dice;
    struct battle_move *move; /* the move in use, or NULL */
    int user, target;         /* sides of the active move, -1: none */
    struct battle_faint faints[4];
    int faint_count;
    bool confused;               /* a Pokémon is hitting itself */
    struct battle_move moves[8]; /* every move used in this action; moves may call others */
    int move_count;
};

/* Initialises the battle; entries of moves are filled in as they are used. */
static inline void battle_open(struct battle *b, struct pokemon *s, struct banyan_dice *dice)
{
    b->s = s;
    b->dice = dice;
    b->move = NULL;
    b->user = b->target = -1;
    b->faint_count = 0;
    b->confused = false;
    b->move_count = 0;
}

/* --- state (state.c) --- */

static inline struct pokemon_side *side_of(const struct battle *b, int side)
{
    return &b->s->sides[side];
}
static inline struct pokemon_active *active_of(const struct battle *b, int side)
{
    return &b->s->sides[side].active;
}
static inline struct pokemon_mon *mon_of(const struct battle *b, int side)
{
    struct pokemon_side *s = &b->s->sides[side];
    return &s->mons[s->order[0]];
}
static inline bool has_volatile(const struct battle *b, int side, int id)
{
    return (active_of(b, side)->volatiles >> id & 1) != 0;
}
static inline bool is_fainted(const struct battle *b, int side)
{
    return (mon_of(b, side)->flags & MON_FAINTED) != 0;
}
/* Whether the side's active Pokémon has not fainted.  A Pokémon with 0 hp faints in hp_faints(). */
static inline bool is_active(const struct battle *b, int side)
{
    return !is_fainted(b, side);
}
static inline bool is_dynamaxed(const struct battle *b, int side)
{
    return has_volatile(b, side, VOLATILE_DYNAMAX);
}

static inline struct pokemon_slots *state_slots(struct pokemon_side *side)
{
    return side->active.flags & ACTIVE_TRANSFORMED ? &side->active.slots
                                                   : &side->mons[side->order[0]].slots;
}
int state_slot_of(const struct pokemon_slots *slots, int move);
/* The ability in effect; 0 if the Pokémon has fainted, or has transformed and cannot use it. */
static inline int state_ability(const struct battle *b, int side)
{
    int ability = mon_of(b, side)->ability;
    if (is_fainted(b, side))
        return ABILITY_NONE;
    if ((active_of(b, side)->flags & ACTIVE_TRANSFORMED) &&
        (dex_abilities[ability].flags & ABILITY_FLAG_NOTRANSFORM))
        return ABILITY_NONE;
    return ability;
}

/* Whether the move in use ignores this side's ability, if it is breakable.  No move ignores the
 * ability of its user. */
static inline bool state_breaks(const struct battle *b, int side)
{
    return b->move && b->user >= 0 && b->user != side && is_active(b, b->user) &&
           (b->move->props & MOVE_IS_IGNORE_ABILITY);
}

/* The ability in effect; 0 also while the move in use ignores it. */
static inline int state_ability_unbroken(const struct battle *b, int side)
{
    int ability = state_ability(b, side);
    if (!b->move || !(b->move->props & MOVE_IS_IGNORE_ABILITY)) /* the usual case */
        return ability;
    bool breakable = (dex_abilities[ability].flags & ABILITY_FLAG_BREAKABLE) != 0;
    return breakable && state_breaks(b, side) ? ABILITY_NONE : ability;
}
/* The types as a set of bits; after Roost, without Flying. */
static inline uint32_t state_types(const struct battle *b, int side)
{
    const struct pokemon_active *active = active_of(b, side);
    uint32_t set = 1u << active->types[0] | 1u << active->types[1];
    set &= ~(1u << TYPE_NONE);
    if (has_volatile(b, side, VOLATILE_ROOST))
        set &= ~(1u << TYPE_FLYING);
    return set ? set : 1u << TYPE_NORMAL;
}
static inline bool state_has_type(const struct battle *b, int side, int type)
{
    return (state_types(b, side) >> type & 1) != 0;
}
bool state_grounded(const struct battle *b, int side);
/* Whether the active Pokémon is semi-invulnerable. */
static inline bool state_hidden(const struct battle *b, int side)
{
    const uint64_t hidden = (uint64_t)1 << VOLATILE_FLY | (uint64_t)1 << VOLATILE_BOUNCE |
                            (uint64_t)1 << VOLATILE_PHANTOMFORCE;
    return (active_of(b, side)->volatiles & hidden) != 0;
}
int state_weather_unless_suppressed(const struct battle *b);
/* The weather; 0 while it is suppressed. */
static inline int state_weather(const struct battle *b)
{
    return b->s->weather ? state_weather_unless_suppressed(b) : WEATHER_NONE;
}
static inline int state_terrain(const struct battle *b)
{
    return b->s->terrain;
}
/* hp without the doubling by Dynamax, rounded up. */
static inline int state_undynamaxed(const struct battle *b, int side, int hp)
{
    const struct pokemon_mon *mon = mon_of(b, side);
    if (!is_dynamaxed(b, side))
        return hp;
    return (hp * mon->base_max_hp + mon->max_hp - 1) / mon->max_hp;
}
int state_switches(const struct pokemon_side *side); /* number of Pokémon that could come in */
bool state_will_move(const struct battle *b, int side);
const struct pokemon_action *state_move_action(const struct battle *b, int side);
bool state_will_act(const struct battle *b);
/* The sides in the order in which an event reaches them: the faster first.  die: decides between
 * equally fast Pokémon; < 0: their order makes no difference, and side 0 is first. */
static inline void state_order(const struct battle *b, int first[2], int die)
{
    int a = active_of(b, 0)->speed, c = active_of(b, 1)->speed;
    int lead = a >= c ? 0 : 1;
    if (a == c && die >= 0)
        lead = banyan_dice_pick(b->dice, die, 2);
    first[0] = lead;
    first[1] = !lead;
}

/* --- numbers (stats.c) --- */

/* Factors of power, stats, damage, accuracy and healing, in 4096ths; the name gives the value.  Two
 * of them exist in two roundings, as in the games. */
enum {
    MODIFIER_BITS = 12,
    MODIFIER_1 = 1 << MODIFIER_BITS,
    MODIFIER_0_25 = 1024,
    MODIFIER_0_5 = 2048,
    MODIFIER_2_THIRDS = 2732,
    MODIFIER_0_75 = 3072,
    MODIFIER_0_8 = 3277,
    MODIFIER_1_1_DOWN = 4505, /* 1.1 rounded down */
    MODIFIER_1_1_UP = 4506,
    MODIFIER_1_2 = 4915,
    MODIFIER_1_25 = 5120,
    MODIFIER_1_3_DOWN = 5324, /* 1.3 rounded down */
    MODIFIER_1_3_UP = 5325,
    MODIFIER_1_33 = 5448,
    MODIFIER_1_5 = 6144,
    MODIFIER_2 = 8192
};
/* The product of two factors, rounded to the nearest. */
static inline int modifier_chain(int modifier, int factor)
{
    return (modifier * factor + MODIFIER_1 / 2) >> MODIFIER_BITS;
}
/* value times modifier; a half is rounded down. */
static inline int modifier_apply(int value, int modifier)
{
    return (int)(((int64_t)value * modifier + MODIFIER_1 / 2 - 1) >> MODIFIER_BITS);
}

/* The stat at boost stage -6..6: half of the stat more for each stage above 0, and the inverse
 * factors below 0. */
static inline int stats_boosted(int stat, int boost)
{
    if (boost == 0)
        return stat;
    boost = boost > 6 ? 6 : boost < -6 ? -6 : boost;
    return boost >= 0 ? stat * (2 + boost) / 2 : stat * 2 / (2 - boost);
}
/* The stat with boosts.  unboosted: without boosts; unmodified: without abilities and items. */
int stats_get(const struct battle *b, int side, int stat, bool unboosted, bool unmodified);
int stats_action_speed(const struct battle *b, int side);
void stats_update_speed(const struct battle *b, int side);
void stats_update_speeds(const struct battle *b);
int stats_best(const struct battle *b, int side);
int stats_weight(const struct battle *b, int side);
/* The stage of a boost that counts: 0 if the other Pokémon's Unaware ignores it. */
int stats_seen_boost_by(const struct battle *b, int side, int boost, int value);
static inline int stats_seen_boost(const struct battle *b, int side, int boost, int value)
{
    return value == 0 || b->user < 0 ? value : stats_seen_boost_by(b, side, boost, value);
}
/* boosts[]: stages; source -1: none.  Returns HIT_DONE, HIT_NULL (nothing changed), HIT_FAIL, or 0 if
 * the Pokémon has no hp. */
int boost_change(struct battle *b, int side, int source, const int8_t boosts[BOOST_COUNT],
                 int cause);
int boost_one(struct battle *b, int side, int source, int boost, int stages, int cause);
void boost_clear(struct battle *b, int side);

/* --- hp (hp.c) --- */

int hp_damage(struct battle *b, int side, int amount, int source, int cause);
/* Deals damage that nothing can prevent. */
int hp_direct(struct battle *b, int side, int amount, int source, int cause);
int hp_heal(struct battle *b, int side, int amount);
int hp_restore(struct pokemon_mon *mon, int amount);
void hp_set(struct pokemon_mon *mon, int hp);
void hp_faint(struct battle *b, struct battle_faint faint);
/* The active Pokémon faints by its own move: an explosion, or the cost of the move. */
static inline void hp_faint_by_own_move(struct battle *b, int side)
{
    hp_faint(
        b, (struct battle_faint){.side = (int8_t)side, .source = (int8_t)side, .is_by_move = true});
}
/* Makes the Pokémon in faints[] faint; returns true when the battle is over. */
bool hp_faints_now(struct battle *b, bool check_win);
bool hp_check_win(struct battle *b, int last_side);
static inline bool is_over(const struct battle *b)
{
    return b->s->winner != WINNER_NONE;
}
/* hp_faints_now, but fast when no Pokémon has fainted: it is called after every step of a turn. */
static inline bool hp_faints(struct battle *b, bool check_win)
{
    return is_over(b) || (b->faint_count && hp_faints_now(b, check_win));
}

/* --- status (status.c) --- */

bool status_immune(const struct battle *b, int side, int what);
/* The dex_immune that keeps a status away; -1: there is none. */
int status_immunity(int status);
/* Returns HIT_DONE or HIT_FAIL. */
int status_set(struct battle *b, int side, int status, int source, int cause);
int status_try(struct battle *b, int side, int status, int source, int cause);
bool status_cure(struct battle *b, int side);
void status_clear(struct pokemon_mon *mon);

/* Returns HIT_DONE, HIT_FAIL or HIT_NULL. */
int volatile_add(struct battle *b, int side, int id, int source);
/* Ends a condition with the consequences of its end (Yawn: sleep; a rampage: confusion).  Returns
 * false if there was no such condition, or the Pokémon has no hp. */
bool volatile_end(struct battle *b, int side, int id);
/* Removes a condition and its numbers, without consequences. */
void volatile_remove(struct battle *b, int side, int id);

/* --- items, abilities, formes --- */

bool item_eat(struct battle *b, int side, bool forced);
bool item_use(struct battle *b, int side);
/* Takes the item away and returns it; 0: there was none; -1: it cannot be taken. */
int item_take(struct battle *b, int side, int source);
bool item_may_leave(const struct battle *b, int item, int side, int source);
bool item_give(struct battle *b, int side, int item);
void item_eaten(struct battle *b, int item, int side);
bool item_after_use(struct battle *b, int side);

bool ability_set(struct battle *b, int side, int ability, bool from_forme, bool transform);
void ability_start(struct battle *b, int side);
void ability_end(struct battle *b, int side, int ability);

void forme_species(struct battle *b, int side, int species, bool transform);
void forme_change(struct battle *b, int side, int species, bool permanent, bool keep_ability);
bool forme_transform(struct battle *b, int side, int into);
void forme_clear(struct battle *b, int side, bool switching);
void forme_max_hp(struct pokemon_mon *mon, bool dynamaxed);

/* --- field (field.c) --- */

/* Sources of a boost that are not on the field. */
enum { FIELD_ABSENT_ALLY = 2, FIELD_ABSENT_FOE = 3 };

bool field_weather(struct battle *b, int weather);
void field_clear_weather(struct battle *b);
bool field_terrain(struct battle *b, int terrain, int side);
void field_clear_terrain(struct battle *b);
void field_weather_changed(struct battle *b, bool suppressing);
bool field_side_add(struct battle *b, int side, int condition, int source);
bool field_side_remove(struct battle *b, int side, int condition);
void field_hazard(struct battle *b, int side, int hazard);

/* --- actions --- */

/* update.c: checks both Pokémon after each action. */
void update_all(struct battle *b);
void update_emergency_exit(struct battle *b, int side);

/* entry.c */
bool entry_switch(struct battle *b, int side, int mon, bool drag);
void entry_run(struct battle *b, unsigned sides);
void entry_arrive(struct battle *b, int side);
void entry_leave_ready(struct battle *b, int side);

/* residual.c */
void residual_run(struct battle *b);

/* turn.c */
void turn_insert(struct battle *b, int choice, int side);
void turn_cancel(struct battle *b, int side);
void turn_cancel_move(struct battle *b, int side);
/* Finds the moves that may not be chosen in the coming turn. */
void turn_disable_moves(struct battle *b, int side);

/* use.c */
void use_run(struct battle *b, const struct pokemon_action *action);
bool use_move(struct battle *b, struct battle_move *move, int user, int target, int caller);
void use_fill(struct battle_move *move, int id);
int use_locked_move(const struct battle *b, int side);
int use_max_move(const struct pokemon_mon *mon, int move, int type);

/* hit.c */
bool hit_try(struct battle *b, int user, int target, struct battle_move *move);
int hit_field(struct battle *b, int user, struct battle_move *move);
void hit_recoil(struct battle *b, int user, struct battle_move *move, int damage);
void hit_future(struct battle *b, int side);

/* damage.c */
int damage_get(struct battle *b, int user, int target, struct battle_move *move);
int damage_effectiveness(const struct battle *b, int target, const struct battle_move *move);
bool damage_immune(const struct battle *b, int target, const struct battle_move *move);
int damage_confusion(struct battle *b, int side);

#endif
