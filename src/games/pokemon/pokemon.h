/* Pokémon Showdown's gen8randombattle: the state of a battle.
 *
 * Two sides of six Pokémon; one of each is active.  A state is a point between the actions of the
 * queue at which a player must choose:
 *
 *     choices --> queue (by order, priority, speed) --> action --> action --> ...
 *        ^                                                |
 *        +---- request: a move for both, or a switch -----+
 *
 * The queue says everything that is still to happen in a turn: a turn that stops because a Pokémon
 * is replaced (U-turn) keeps its other actions there.  struct pokemon_active holds what only the
 * active Pokémon has; it is cleared when the Pokémon leaves.
 */
#ifndef GAMES_POKEMON_H
#define GAMES_POKEMON_H

#include "games/pokemon/dex/dex.h"

#include <banyan/game.h>

#include <assert.h>

enum { POKEMON_TEAM = 6, POKEMON_QUEUE = 9, POKEMON_TURN_LIMIT = 1000 };

/* The four moves of a Pokémon; masks have one bit for each. */
struct pokemon_slots {
    uint16_t id[4];
    uint8_t pp[4], max_pp[4];
    uint8_t count;
    uint8_t used;     /* mask: used since it came in */
    uint8_t disabled; /* mask: may not be chosen */
    uint8_t hard;     /* mask: may not be chosen even while Dynamaxed */
};

enum pokemon_mon_flag {
    MON_FAINTED = 1,
    MON_GIGANTAMAX = 2,
    MON_ATE_BERRY = 4,
    MON_REGRESSES = 8,    /* when it faints, it returns to the forme that it started in */
    MON_FOE_STATUS = 16,  /* its status was caused by a foe */
    MON_FAINT_QUEUED = 32 /* it has 0 hp, and its fainting was queued (hp.c) */
};

/* What the other player has seen of a Pokémon. */
enum pokemon_seen {
    SEEN_MOVE = 1, /* shifted left by the slot: 4 bits */
    SEEN_SPECIES = 16,
    SEEN_ITEM = 32,
    SEEN_ABILITY = 64
};

struct pokemon_mon {
    uint16_t species, base_species, set_species; /* species now; after it leaves; in its set */
    uint16_t hp, max_hp, base_max_hp;            /* max_hp includes the doubling by Dynamax */
    uint16_t stats[STAT_COUNT - 1];              /* of its own forme, also after Transform;
                                                  * without hp: the first is attack */
    struct pokemon_slots slots;
    uint8_t evs[STAT_COUNT], ivs[STAT_COUNT];
    uint8_t level;
    char gender; /* 'M', 'F', or 0 */
    uint8_t ability, base_ability, set_ability;
    uint8_t item, last_item;
    uint8_t status;
    uint8_t status_time, status_start; /* sleep: turns left, and turns drawn; toxic: stage */
    uint8_t flags;                     /* enum pokemon_mon_flag */
    uint8_t seen;                      /* enum pokemon_seen */
};

enum pokemon_active_flag {
    ACTIVE_TRANSFORMED = 1 << 0,
    ACTIVE_SWITCH = 1 << 1,       /* must leave as soon as possible */
    ACTIVE_FORCED = 1 << 2,       /* a move forces it to leave */
    ACTIVE_SWITCH_READY = 1 << 3, /* the effects before leaving have taken place */
    ACTIVE_CALLED_BACK = 1 << 4,
    ACTIVE_RAISED = 1 << 5, /* a boost rose this turn */
    ACTIVE_LOWERED = 1 << 6,
    ACTIVE_NEW = 1 << 7, /* came in this turn */
    ACTIVE_LOST_FOCUS = 1 << 9,
    ACTIVE_COUNTER_HIT = 1 << 10,
    ACTIVE_MIRROR_HIT = 1 << 11,
    ACTIVE_EXIT = 1 << 12 /* leaves because of Emergency Exit */
};

/* What the other player could see of the active Pokémon when it came in, and what it has shown
 * since.  A Pokémon with Illusion may look like this one (disguise.c). */
struct pokemon_arrival {
    uint16_t hp; /* 0: not known, so a disguise is ruled out */
    uint8_t status, status_time, status_start;
    uint8_t item, last_item; /* valid if SEEN_ITEM, else 0 */
    uint8_t flags;           /* MON_FOE_STATUS, MON_ATE_BERRY */
    uint8_t seen;            /* enum pokemon_seen */
    uint8_t struck;          /* it was damaged by an attack, which would have ended a disguise */
    uint8_t spent[4];        /* PP used since then, by slot */
};

/* State that an ability keeps while its holder is active. */
enum pokemon_ability_flag {
    ABILITY_UNNERVED = 1,
    ABILITY_CHECKED_BERSERK = 2,
    ABILITY_ENDING = 4,
    ABILITY_GLUTTONY_AWAKE = 8,
    ABILITY_BUSTED = 16,
    ABILITY_SEEK = 32,
    ABILITY_BERSERK_KNOWN = 64 /* ABILITY_CHECKED_BERSERK was set or cleared */
};

enum pokemon_result { RESULT_NONE, RESULT_NULL, RESULT_FAILED, RESULT_DONE };

struct pokemon_active {
    uint64_t volatiles;         /* bits of enum dex_volatile */
    struct pokemon_slots slots; /* of a Pokémon that has transformed */
    uint16_t stats[STAT_COUNT - 1];
    uint16_t weight;
    uint16_t speed;                /* as last computed for the order of actions */
    uint16_t flags;                /* enum pokemon_active_flag */
    uint16_t hurt;                 /* hp after the last damage of this turn; 0: none */
    uint16_t last_move, last_base; /* last_base: the move that a Max move came from */
    uint16_t choice_move, locked_move, charge_move, encore_move, disable_move, gorilla_move;
    uint16_t substitute, counter_damage, mirror_damage, stall_counter;
    uint16_t turns, actions; /* number of turns completed as active; number of moves tried */
    int8_t boosts[BOOST_COUNT];
    uint8_t types[2], added_type;
    uint8_t illusion; /* 1 + index of the Pokémon that it looks like; 0: itself */
    uint8_t ability_flags, ability_counter;
    uint8_t result_last, result_now; /* enum pokemon_result */
    uint8_t hit_by;                  /* set of foes (bits) that damaged it this turn */
    uint8_t dynamax_turns, confusion, trap_divisor, locked_true; /* dynamax_turns: turns passed */
    uint8_t stall_turns, taunt_turns, encore_turns, disable_turns, throat_turns, yawn_turns;
    uint8_t magnet_turns, locked_turns, charge_turns, hidden_turns, trap_turns;
    uint8_t trap_source; /* index of the foe whose partial trap holds it */
    struct pokemon_arrival arrival;
    /* the lengths drawn for confusion, locked_true and trap_turns; the players see only how many
     * turns have passed */
    uint8_t confusion_start, locked_start, trap_start;
};

struct pokemon_side {
    struct pokemon_mon mons[POKEMON_TEAM];
    struct pokemon_active active;
    uint8_t order[POKEMON_TEAM]; /* indices into mons; the first is active */
    uint8_t left;                /* number that have not fainted */
    uint8_t dynamax_used;
    uint8_t condition[SIDE_COUNT]; /* hazards: layers; others: turns left; 0: not there */
    uint8_t stamp[SIDE_HAZARDS];   /* hazards take effect in the order of these numbers, 1.. */
    uint8_t web_source;            /* who laid the Sticky Web: side * 6 + index */
    uint8_t healing_wish;
    uint8_t wish_there, wish_turn;
    uint8_t future_move; /* 1: Future Sight will hit this side; 0: nothing will */
    uint8_t future_turn, future_source;
    uint8_t wish_source; /* index of the Pokémon that used Wish */
    uint16_t wish_hp;    /* max hp of that Pokémon; half of it is restored */
};

enum pokemon_choice {
    CHOICE_NONE,
    CHOICE_START,
    CHOICE_INSTASWITCH,
    CHOICE_BEFORE_TURN,
    CHOICE_BEFORE_MOVE, /* Counter prepares before the moves */
    CHOICE_RUN_SWITCH,
    CHOICE_SWITCH,
    CHOICE_DYNAMAX,
    CHOICE_CHARGE, /* Focus Punch prepares before the moves */
    CHOICE_MOVE,
    CHOICE_RESIDUAL,
    CHOICE_COUNT
};

struct pokemon_action {
    uint16_t move;
    uint16_t speed;
    int16_t priority;  /* in tenths, with the fraction of Custap Berry */
    uint8_t choice;    /* enum pokemon_choice */
    uint8_t side, mon; /* the acting Pokémon; mon: index into mons */
    uint8_t target;    /* switches: index into mons */
    uint8_t max;       /* used as a Max move */
    uint8_t fraction;  /* tenths of priority that only Custap Berry added */
};

enum pokemon_request { REQUEST_NONE, REQUEST_MOVE, REQUEST_SWITCH };
enum pokemon_winner { WINNER_NONE, WINNER_FIRST, WINNER_SECOND, WINNER_TIE };

struct pokemon {
    struct pokemon_side sides[2];
    uint8_t matchup[2][POKEMON_TEAM][POKEMON_TEAM]; /* see matchup_fill */
    struct pokemon_action queue[POKEMON_QUEUE];
    uint16_t turn;
    uint16_t last_success; /* the last successful move of this turn */
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

/* The kinds of random events. */
enum pokemon_die {
    DIE_ACCURACY,
    DIE_CRIT,
    DIE_DAMAGE,    /* one of 16: percent below 100 */
    DIE_SECONDARY, /* one of 100: whether a secondary effect happens */
    DIE_SELF,      /* effect on the user */
    DIE_HITS,      /* one of 20: the number of hits */
    DIE_SLEEP,     /* one of 3 */
    DIE_CONFUSION_TURNS,
    DIE_CONFUSION, /* whether it hits itself */
    DIE_PARALYSIS,
    DIE_THAW,
    DIE_STALL,   /* whether it protects itself again */
    DIE_LOCKED,  /* one of 2 numbers of turns */
    DIE_TRAP,    /* one of 2 numbers of turns */
    DIE_ABILITY, /* Flame Body, Static, Cursed Body */
    DIE_EFFECT_SPORE,
    DIE_HARVEST,
    DIE_SHED_SKIN,
    DIE_DRAG, /* which Pokémon is dragged in */
    DIE_SLEEP_TALK,
    DIE_PICK_STATUS,
    DIE_GMAX,
    DIE_SHELL_SIDE_ARM,
    DIE_ORDER_ACTION, /* of two equally fast: 0 if the first player's goes first, 1 if the
                       * second's */
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
struct pokemon_set {
    int species, level;
    bool gmax;
    char gender; /* 'M', 'F', 'N' or 0 */
    int item, ability;
    const uint16_t *moves;    /* [4], 0: none */
    const uint8_t *evs, *ivs; /* [STAT_COUNT] */
};
void setup_mon(struct pokemon_mon *mon, const struct pokemon_set *set);
void setup_team(struct pokemon_side *side, struct banyan_rng *rng);
const struct dex_entry *setup_draw_entry(struct banyan_rng *rng);
void setup_from_set(struct pokemon_mon *mon, const struct dex_entry *entry,
                    const struct dex_set *set, struct banyan_rng *rng);
/* The first Pokémon of both teams come in, and the first turn begins. */
void setup_start(struct pokemon *s, struct banyan_dice *dice);

/* turn.c: movers, choices and the queue */
unsigned turn_movers(const struct pokemon *s);
void turn_play(struct pokemon *s, const banyan_action joint[], struct banyan_dice *dice);
/* The priority of a move if side used it now. */
int turn_move_priority(const struct pokemon *s, int side, int move);
/* Replaces the queued action at index by the actions that the choice stands for. */
void turn_plan(struct pokemon *s, int index, int side, banyan_action choice);
/* Recomputes the speeds of the active Pokémon, and the speeds and priorities of the queued actions.
 */
void turn_rate(struct pokemon *s);

/* legal.c */
int legal_actions(const struct pokemon *s, int player, banyan_action *out);
bool legal_trapped(const struct pokemon *s, int player);

/* text.c */
int text_state(const struct pokemon *s, char *out, size_t size);
int text_action(banyan_action action, char *out, size_t size);
/* As text_state, with the arguments of format() in <banyan/game.h>. */
int text_format(const struct banyan_game *game, const void *state, char *out, size_t size);
enum banyan_status text_parse(struct pokemon *s, const char *text, struct banyan_error *err);
int text_action_format(const struct banyan_game *game, const void *state, int player,
                       banyan_action action, char *out, size_t size);
enum banyan_status text_action_parse(const struct banyan_game *game, const void *state, int player,
                                     const char *text, banyan_action *out,
                                     struct banyan_error *err);

/* disguise.c: Illusion */
/* What the other player can see of a Pokémon that is about to come in. */
void disguise_arrival(const struct pokemon_mon *mon, struct pokemon_arrival *out);
/* Ends the disguise for both players to see, so the Pokémon counts as seen. */
void disguise_end(struct pokemon_side *side);
/* The active Pokémon leaves.  If nothing has revealed its disguise, the Pokémon that it looked like
 * counts as seen instead. */
void disguise_leave(struct pokemon_side *side);
/* Whether the active Pokémon may be the one that it looks like, given what the other player saw. */
bool disguise_holds(const struct pokemon_side *side);
/* Whether the Pokémon `wearer` on the bench may be the active one, in disguise. */
bool disguise_possible(const struct pokemon_side *side, int wearer);
/* Changes the state as if Pokémon `to` had come in instead of the active one and had shown all that
 * was seen since. */
void disguise_pass(struct pokemon *s, int side, int to);
/* Makes the same change in what the foe's active Pokémon remembers: who hit it, who traps it. */
void disguise_pass_foe(struct pokemon_active *foe, int from, int to);
/* The side as the other player sees it: a disguised Pokémon is replaced by the one that it looks
 * like.  Returns side itself or *out. */
const struct pokemon_side *disguise_face(const struct pokemon_side *side, struct pokemon_side *out);

/* hp as the other player sees it: percent, rounded up; 100 only at full hp. */
static inline int hp_percent(int hp, int max_hp)
{
    if (hp <= 0 || hp >= max_hp)
        return hp <= 0 ? 0 : 100;
    int percent = (100 * hp + max_hp - 1) / max_hp;
    return percent > 99 ? 99 : percent;
}
/* The smallest and the largest hp that are shown as this percentage. */
void hp_percent_range(int percent, int max_hp, int *least, int *most);

/* conceal.c: removes from s everything that viewer cannot see, and replaces disguised Pokémon by
 * what they look like.  States that look the same to viewer become equal. */
void conceal(struct pokemon *s, int viewer);
/* Parts of conceal.  Removes from a player's own side what that player does not know. */
void conceal_own(struct pokemon_side *own);
/* Removes random lengths (of sleep, confusion, ...), which neither player knows. */
void conceal_lengths(struct pokemon_side *side);
/* Removes what is hidden about mon, which is active: a Choice lock, a Counter that waits, Unburden,
 * the state of an ability; but not its hp and stats. */
void conceal_active(struct pokemon_active *active, const struct pokemon_mon *mon);
/* Whether the ability is hidden: it was not shown, and the forme does not imply it. */
bool conceal_hides_ability(const struct pokemon_mon *mon);
/* Conditions that the other player cannot see. */
#define CONCEALED_VOLATILES                                                  \
    ((uint64_t)1 << VOLATILE_CHOICELOCK | (uint64_t)1 << VOLATILE_UNBURDEN | \
     (uint64_t)1 << VOLATILE_COUNTER | (uint64_t)1 << VOLATILE_MIRRORCOAT)

/* key_full.c: a hash of everything that a player knows. */
uint64_t key_full(const struct banyan_game *game, const void *state, int viewer);
/* key_coarse.c: a hash of what both players see, rounded. */
void key_coarse(const struct banyan_game *game, const void *state, unsigned viewers,
                uint64_t out[]);

/* hidden.c: draws what a player has not seen. */
void hidden_determinize(const struct banyan_game *game, void *state, int viewer,
                        struct banyan_rng *rng);

/* evaluate.c */
float evaluate_heuristic(const struct banyan_game *game, const void *state, int player);

/* matchup.c: s->matchup[side][i][k] is the share of full hp, in hundredths, that the best attack of
 * i is expected to take from the other side's k.  Both have the stats of their sets, without items.
 * The table depends only on the sets; a function that changes a set must fill the table again.  The
 * rules do not use it. */
enum { MATCHUP_WHOLE = 100 };
void matchup_fill(struct pokemon *s);

#endif
