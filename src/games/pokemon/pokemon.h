/* Pokémon Showdown's gen8randombattle: the state of a battle.
 *
 * Two sides of six Pokémon; one of each is active.  A state is taken between
 * actions of the queue, when somebody must choose:
 *
 *      choices --> queue (by order, priority, speed) --> action --> action --> ...
 *         ^                                                |
 *         +---- request: a move for both, or a switch -----+
 *
 * The queue is the only continuation: a turn that stops for a pivot (U-turn)
 * keeps its other actions in it.  What only the active Pokémon has stands in
 * struct pokemon_active and vanishes when it leaves.
 */
#ifndef GAMES_POKEMON_H
#define GAMES_POKEMON_H

#include "games/pokemon/dex/dex.h"

#include <banyan/game.h>

#include <assert.h>

enum { POKEMON_TEAM = 6, POKEMON_QUEUE = 9, POKEMON_TURN_LIMIT = 1000 };

/* The four moves of a Pokémon; masks have a bit for each. */
struct pokemon_slots {
    uint16_t id[4];
    uint8_t pp[4], max_pp[4];
    uint8_t count;
    uint8_t used;     /* since it came in */
    uint8_t disabled; /* may not be chosen */
    uint8_t hard;     /* not even while Dynamaxed */
};

enum pokemon_mon_flag {
    MON_FAINTED = 1,
    MON_GIGANTAMAX = 2,
    MON_ATE_BERRY = 4,
    MON_REGRESSES = 8,    /* fainting gives back the forme that it started in */
    MON_FOE_STATUS = 16,  /* its status comes from a foe */
    MON_FAINT_QUEUED = 32 /* has fainted, and fainting has been noted */
};

/* What the other player has seen. */
enum pokemon_seen {
    SEEN_MOVE = 1, /* << slot, 4 bits */
    SEEN_SPECIES = 16,
    SEEN_ITEM = 32,
    SEEN_ABILITY = 64
};

struct pokemon_mon {
    uint16_t species, base_species, set_species; /* now; when it leaves; in its set */
    uint16_t hp, max_hp, base_max_hp;            /* max_hp: doubled by Dynamax */
    uint16_t stats[STAT_COUNT - 1];              /* of its base forme, from attack */
    struct pokemon_slots slots;
    uint8_t evs[STAT_COUNT], ivs[STAT_COUNT];
    uint8_t level;
    char gender; /* 'M', 'F', or 0 */
    uint8_t ability, base_ability, set_ability;
    uint8_t item, last_item;
    uint8_t status;
    uint8_t status_time, status_start; /* sleep: turns left and drawn; tox: stage */
    uint8_t flags;                     /* enum pokemon_mon_flag */
    uint8_t seen;                      /* enum pokemon_seen */
};

enum pokemon_active_flag {
    ACTIVE_TRANSFORMED = 1 << 0,
    ACTIVE_SWITCH = 1 << 1,       /* must leave at the next chance */
    ACTIVE_FORCED = 1 << 2,       /* will be dragged out */
    ACTIVE_SWITCH_READY = 1 << 3, /* what happens before leaving has happened */
    ACTIVE_CALLED_BACK = 1 << 4,
    ACTIVE_RAISED = 1 << 5, /* a boost rose this turn */
    ACTIVE_LOWERED = 1 << 6,
    ACTIVE_NEW = 1 << 7, /* came in this turn */
    ACTIVE_LOST_FOCUS = 1 << 9,
    ACTIVE_COUNTER_HIT = 1 << 10,
    ACTIVE_MIRROR_HIT = 1 << 11,
    ACTIVE_EXIT = 1 << 12 /* leaves by Emergency Exit */
};

/* What could be seen of the active Pokémon when it came in, and what it has shown of itself since:
 * whoever looks like it may be another in disguise (disguise.c). */
struct pokemon_arrival {
    uint16_t hp; /* 0: not known, so nobody is in disguise */
    uint8_t status, status_time, status_start;
    uint8_t item, last_item; /* if SEEN_ITEM, else 0 */
    uint8_t flags;           /* MON_FOE_STATUS, MON_ATE_BERRY */
    uint8_t seen;            /* enum pokemon_seen */
    uint8_t struck;          /* an attack has damaged it since: a disguise would have ended */
    uint8_t spent[4];        /* PP since, by slot */
};

/* State of its own that an ability keeps while active. */
enum pokemon_ability_flag {
    ABILITY_UNNERVED = 1,
    ABILITY_CHECKED_BERSERK = 2,
    ABILITY_ENDING = 4,
    ABILITY_GLUTTONY_AWAKE = 8,
    ABILITY_BUSTED = 16,
    ABILITY_SEEK = 32,
    ABILITY_BERSERK_KNOWN = 64 /* checked has been set one way or the other */
};

enum pokemon_result { RESULT_NONE, RESULT_NULL, RESULT_FAILED, RESULT_DONE };

struct pokemon_active {
    uint64_t volatiles;         /* bits of enum dex_volatile */
    struct pokemon_slots slots; /* of who has transformed */
    uint16_t stats[STAT_COUNT - 1];
    uint16_t weight;
    uint16_t speed;                /* as last computed for the order of actions */
    uint16_t flags;                /* enum pokemon_active_flag */
    uint16_t hurt;                 /* hp after the last damage of this turn, 0: none */
    uint16_t last_move, last_base; /* last_base: the move that a Max move was */
    uint16_t choice_move, locked_move, charge_move, encore_move, disable_move, gorilla_move;
    uint16_t substitute, counter_damage, mirror_damage, stall_counter;
    uint16_t turns, actions; /* ends of turn as active; moves tried */
    int8_t boosts[BOOST_COUNT];
    uint8_t types[2], added_type;
    uint8_t illusion; /* index + 1 of the Pokémon that it shows; 0: itself */
    uint8_t ability_flags, ability_counter;
    uint8_t result_last, result_now; /* enum pokemon_result */
    uint8_t hit_by;                  /* foes (bits) that damaged it this turn */
    uint8_t dynamax_turns, confusion, trap_divisor, locked_true;
    uint8_t stall_turns, taunt_turns, encore_turns, disable_turns, throat_turns, yawn_turns;
    uint8_t magnet_turns, locked_turns, charge_turns, hidden_turns, trap_turns;
    uint8_t trap_source; /* index of the foe that traps it partially */
    struct pokemon_arrival arrival;
    /* what was drawn for confusion, locked_true and trap_turns: the difference has been seen */
    uint8_t confusion_start, locked_start, trap_start;
};

struct pokemon_side {
    struct pokemon_mon mons[POKEMON_TEAM];
    struct pokemon_active active;
    uint8_t order[POKEMON_TEAM]; /* indices into mons; the first is active */
    uint8_t left;                /* not fainted */
    uint8_t dynamax_used;
    uint8_t condition[SIDE_COUNT]; /* layers of hazards, turns of others; 0: not there */
    uint8_t stamp[SIDE_HAZARDS];   /* hazards strike in the order of these, 1.. */
    uint8_t web_source;            /* who laid the web: side * 6 + index */
    uint8_t healing_wish;
    uint8_t wish_there, wish_turn;
    uint8_t future_move; /* there is one */
    uint8_t future_turn, future_source;
    uint8_t wish_source; /* index of who wished */
    uint16_t wish_hp;    /* hp of who wished; half of it is given */
};

enum pokemon_choice {
    CHOICE_NONE,
    CHOICE_START,
    CHOICE_INSTASWITCH,
    CHOICE_BEFORE_TURN,
    CHOICE_BEFORE_MOVE, /* Counter gets ready */
    CHOICE_RUN_SWITCH,
    CHOICE_SWITCH,
    CHOICE_DYNAMAX,
    CHOICE_CHARGE, /* Focus Punch gets ready */
    CHOICE_MOVE,
    CHOICE_RESIDUAL,
    CHOICE_COUNT
};

struct pokemon_action {
    uint16_t move;
    uint16_t speed;
    int16_t priority;  /* tenths, with the fraction of Custap Berry */
    uint8_t choice;    /* enum pokemon_choice */
    uint8_t side, mon; /* who acts: index into mons */
    uint8_t target;    /* switches: index into mons */
    uint8_t max;       /* as a Max move */
    uint8_t fraction;  /* tenths of priority that are no real priority */
};

enum pokemon_request { REQUEST_NONE, REQUEST_MOVE, REQUEST_SWITCH };
enum pokemon_winner { WINNER_NONE, WINNER_FIRST, WINNER_SECOND, WINNER_TIE };

struct pokemon {
    struct pokemon_side sides[2];
    uint8_t matchup[2][POKEMON_TEAM][POKEMON_TEAM]; /* see matchup.c */
    struct pokemon_action queue[POKEMON_QUEUE];
    uint16_t turn;
    uint16_t last_success; /* move that last succeeded this turn */
    uint8_t queued;
    uint8_t request[2]; /* enum pokemon_request */
    uint8_t mid_turn;
    uint8_t weather, weather_turns;
    uint8_t terrain, terrain_turns;
    uint8_t trick_room, ion_deluge; /* turns */
    uint8_t winner;                 /* enum pokemon_winner */
    uint8_t unused[1];
};

static_assert(sizeof(struct pokemon) <= 1536, "the state stays small: it is copied for each move");

/* What luck is asked for. */
enum pokemon_die {
    DIE_ACCURACY,
    DIE_CRIT,
    DIE_DAMAGE,    /* one of 16: per cent below 100 */
    DIE_SECONDARY, /* tests of d100 */
    DIE_SELF,      /* effect on oneself */
    DIE_HITS,      /* one of 20 */
    DIE_SLEEP,     /* one of 3 */
    DIE_CONFUSION_TURNS,
    DIE_CONFUSION, /* hits itself? */
    DIE_PARALYSIS,
    DIE_THAW,
    DIE_STALL,   /* does it protect itself again? */
    DIE_LOCKED,  /* one of 2: turns */
    DIE_TRAP,    /* one of 2: turns */
    DIE_ABILITY, /* Flame Body, Static, Cursed Body */
    DIE_EFFECT_SPORE,
    DIE_HARVEST,
    DIE_SHED_SKIN,
    DIE_DRAG, /* who comes in */
    DIE_SLEEP_TALK,
    DIE_PICK_STATUS,
    DIE_GMAX,
    DIE_SHELL_SIDE_ARM,
    DIE_ORDER_ACTION, /* of two equally fast: 0 the first player's, 1 the second's goes first */
    DIE_ORDER_SWITCH,
    DIE_ORDER_RESIDUAL,
    DIE_ORDER_WEATHER,
    DIE_COUNT
};

/* Actions: kind << 16 | id. */
enum pokemon_action_kind { ACTION_MOVE = 1, ACTION_DYNAMAX = 2, ACTION_SWITCH = 3 };
#define POKEMON_ACTION(kind, id) ((banyan_action)(kind) << 16 | (banyan_action)(id))

const struct banyan_game *pokemon_variant(int index);

/* --- the parts of the game (private to this folder) --- */

/* setup.c: teams */
void setup_mon(struct pokemon_mon *mon, int species, int level, bool gmax, char gender, int item,
               int ability, const uint16_t moves[4], const uint8_t evs[STAT_COUNT],
               const uint8_t ivs[STAT_COUNT]);
void setup_team(struct pokemon_side *side, struct banyan_rng *rng);
const struct dex_entry *setup_draw_entry(struct banyan_rng *rng);
void setup_from_set(struct pokemon_mon *mon, const struct dex_entry *entry,
                    const struct dex_set *set, struct banyan_rng *rng);
/* Both leads come in, and the first turn begins. */
void setup_start(struct pokemon *s, struct banyan_dice *dice);

/* turn.c: movers, choices and the queue */
unsigned turn_movers(const struct pokemon *s);
void turn_play(struct pokemon *s, const banyan_action joint[], struct banyan_dice *dice);
/* Of a move, as side would make it now. */
int turn_move_priority(const struct pokemon *s, int side, int move);
/* Puts the actions that a choice comes to in the place of the one at index. */
void turn_plan(struct pokemon *s, int index, int side, banyan_action choice);
/* Speeds of the active Pokémon, and speeds and priorities of what is queued, as things stand. */
void turn_rate(struct pokemon *s);

/* legal.c */
int legal_actions(const struct pokemon *s, int player, banyan_action *out);
bool legal_trapped(const struct pokemon *s, int player);

/* text.c */
int text_format(const struct banyan_game *game, const void *state, char *out, size_t size);
enum banyan_status text_parse(struct pokemon *s, const char *text, struct banyan_error *err);
int text_action_format(const struct banyan_game *game, const void *state, int player,
                       banyan_action action, char *out, size_t size);
enum banyan_status text_action_parse(const struct banyan_game *game, const void *state, int player,
                                     const char *text, banyan_action *out,
                                     struct banyan_error *err);

/* disguise.c: Illusion */
/* What can be seen of a Pokémon that is about to come in. */
void disguise_arrival(const struct pokemon_mon *mon, struct pokemon_arrival *out);
/* The disguise ends for all to see: the Pokémon has been seen. */
void disguise_end(struct pokemon_side *side);
/* Who is in play leaves.  If nothing has told of the disguise, the one that it showed was seen instead. */
void disguise_leave(struct pokemon_side *side);
/* Whether who is in play may be the one that it looks like, for all that the other player saw. */
bool disguise_holds(const struct pokemon_side *side);
/* Whether `wearer`, on the bench, may be who is in play. */
bool disguise_possible(const struct pokemon_side *side, int wearer);
/* As if Pokémon `to` had come in instead of who did and had shown all that was seen since. */
void disguise_pass(struct pokemon *s, int side, int to);
/* The part of it that the other side's active Pokémon remembers: who hit it, who traps it. */
void disguise_pass_foe(struct pokemon_active *foe, int from, int to);
/* The side as the other player sees it, a disguise taken for what it shows: side itself or *out. */
const struct pokemon_side *disguise_face(const struct pokemon_side *side, struct pokemon_side *out);

/* hp as the other player is told: per cent, rounded up, 100 only when it is full. */
static inline int hp_percent(int hp, int max_hp)
{
    if (hp <= 0 || hp >= max_hp)
        return hp <= 0 ? 0 : 100;
    int percent = (100 * hp + max_hp - 1) / max_hp;
    return percent > 99 ? 99 : percent;
}
/* The least and the most hp that are told as this. */
void hp_percent_range(int percent, int max_hp, int *least, int *most);

/* conceal.c: wipes from s all that viewer cannot see and takes disguises for what they show, so that
 * states which look the same to viewer become the same. */
void conceal(struct pokemon *s, int viewer);
/* Parts of it.  Of a player's own side, what that player does not know: */
void conceal_own(struct pokemon_side *own);
/* lengths that luck decides, which neither player knows: */
void conceal_lengths(struct pokemon_side *side);
/* what nobody tells of mon, which is in play, but hp and stats: a Choice lock, a Counter that waits,
 * Unburden, what an ability remembers. */
void conceal_active(struct pokemon_active *active, const struct pokemon_mon *mon);
/* The ability is neither told nor shown by the forme. */
bool conceal_hides_ability(const struct pokemon_mon *mon);
/* Conditions that the other player is not told of. */
#define CONCEALED_VOLATILES                                                  \
    ((uint64_t)1 << VOLATILE_CHOICELOCK | (uint64_t)1 << VOLATILE_UNBURDEN | \
     (uint64_t)1 << VOLATILE_COUNTER | (uint64_t)1 << VOLATILE_MIRRORCOAT)

/* key_full.c: all that a player knows */
uint64_t key_full(const struct banyan_game *game, const void *state, int viewer);
/* key_coarse.c: what both players see, rounded */
void key_coarse(const struct banyan_game *game, const void *state, unsigned viewers,
                uint64_t out[]);

/* hidden.c: drawing what a player has not seen */
void hidden_determinize(const struct banyan_game *game, void *state, int viewer,
                        struct banyan_rng *rng);

/* evaluate.c */
float evaluate_heuristic(const struct banyan_game *game, const void *state, int player);

/* matchup.c: s->matchup[side][i][k], the share of full hp, in hundredths, that the best attack of i is
 * expected to take from the other side's k, both as their sets are, without items.  Follows from the
 * sets alone; whoever changes a set fills it again.  The rules do not look at it. */
enum { MATCHUP_WHOLE = 100 };
void matchup_fill(struct pokemon *s);

#endif
