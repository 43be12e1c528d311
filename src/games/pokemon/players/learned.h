/* The evaluator "learned": the value of a position by a small network.
 *
 *     state --learned_inputs, each side's numbers--> mine, theirs
 *     h(mine, theirs) = rectified(W mine + V theirs + b)         LEARNED_HIDDEN numbers
 *     g(h, h')        = rectified(R h + S h' + c)                LEARNED_SECOND numbers
 *     value           = tanh(l (mine - theirs) + u (g(h, h') - g(h', h)))
 *
 * where h' is h(theirs, mine): the values of the two players always add up to 0.  The weights W, V,
 * b, R, S, c, l and u are declared at the end of this header.  Sums are taken in one order, so
 * every processor computes the same bits.
 */
#ifndef GAMES_POKEMON_PLAYERS_LEARNED_H
#define GAMES_POKEMON_PLAYERS_LEARNED_H

#include "games/pokemon/pokemon.h"

#include <banyan/evaluator.h>

/* The numbers of one side, most of them between 0 and 1.  "Its share" is hp left as a share of full
 * hp; the front is the active Pokémon, the bench the others that have not fainted. */
enum learned_input {
    /* the team */
    INPUT_LEFT, /* Pokémon that have not fainted, as a share of six */
    INPUT_LAST, /* 1 if only one is left */
    INPUT_LAST_TWO,
    INPUT_HP,   /* the sum of their shares, divided by six */
    INPUT_WEAK, /* Pokémon below a third of full hp, as a share of six */
    INPUT_BURNT,
    INPUT_PARALYSED,
    INPUT_ASLEEP,
    INPUT_FROZEN,
    INPUT_POISONED,
    INPUT_LEFTOVERS,
    INPUT_HEALERS, /* Pokémon that have a status move that heals */
    INPUT_DYNAMAX, /* may still be used */
    /* its half of the field */
    INPUT_REFLECT, /* turns left, as a share of eight */
    INPUT_LIGHT_SCREEN,
    INPUT_VEIL,
    INPUT_ENTRY,       /* shares of full hp that hazards would take from the bench, summed, / 5 */
    INPUT_ENTRY_FAINT, /* Pokémon of the bench that hazards would make faint, as a share of five */
    INPUT_TOXIC_SPIKES,
    INPUT_WEB,
    INPUT_ROCKS,
    INPUT_SPIKES,
    INPUT_WISH,
    INPUT_HEALING_WISH,
    INPUT_FUTURE,
    INPUT_GMAX, /* turns left of G-Max moves that hurt each turn, as a share of four */
    /* what is asked of it */
    INPUT_CHOOSES_SWITCH,
    INPUT_WAITS, /* its move of this turn is still to come */
    INPUT_TRICK_ROOM,
    /* the front */
    INPUT_FRONT, /* 1 if there is one */
    INPUT_FRONT_HP,
    INPUT_DYNAMAXED,
    INPUT_DYNAMAX_TURNS, /* turns since it Dynamaxed, as a share of three */
    INPUT_FRONT_ASLEEP,
    INPUT_FRONT_SLEEP, /* turns left, as a share of three */
    INPUT_FRONT_FROZEN,
    INPUT_FRONT_PARALYSED,
    INPUT_FRONT_BURNT,
    INPUT_FRONT_POISONED,
    INPUT_FRONT_TOXIC,
    INPUT_ATTACK, /* boosts, as a share of six */
    INPUT_DEFENCE,
    INPUT_SPECIAL_ATTACK,
    INPUT_SPECIAL_DEFENCE,
    INPUT_SPEED,
    INPUT_ACCURACY,
    INPUT_EVASION,
    INPUT_SUBSTITUTE,
    INPUT_SEEDED,
    INPUT_CONFUSED,
    INPUT_YAWNING,
    INPUT_TAUNTED,
    INPUT_ENCORED,
    INPUT_TRAPPED,
    INPUT_CHOICE_LOCKED,
    INPUT_RAMPAGING,
    INPUT_CHARGING,
    INPUT_STALLED, /* has just protected itself */
    INPUT_CURSED,
    INPUT_LOSS, /* share of full hp that it loses at the end of each turn, times four */
    INPUT_RECOVERS,
    INPUT_SETS_UP,
    INPUT_LIFE_ORB,
    INPUT_CHOICE_ITEM,
    INPUT_SURVIVES, /* Focus Sash or Sturdy at full hp */
    INPUT_PP,       /* PP left of its attacks, as a share */
    INPUT_NO_PP,    /* it has attacks and none of them has more than two PP left */
    /* front against front */
    INPUT_THREAT,      /* share of the foe's hp left that its best move is expected to take, up to
                        * all of it */
    INPUT_THREAT_FULL, /* the same as a share of the foe's full hp */
    INPUT_QUICK,       /* as INPUT_THREAT, for its best move with priority */
    INPUT_MAX,         /* as INPUT_THREAT, for its best Max move, if it could Dynamax */
    INPUT_FASTER,      /* 1, or a half at equal speed */
    INPUT_KO_FIRST,
    INPUT_KO_SECOND,
    INPUT_DUEL, /* learned_duel of the two */
    /* pairs of Pokémon, by the table of match-ups */
    INPUT_FRONT_TAKES,       /* the mean over the foe's Pokémon of the share of their hp left that
                              * the front takes */
    INPUT_FRONT_TAKES_FIRST, /* the same, if it is faster */
    INPUT_BENCH_TAKES,       /* the sum over the bench, as a share of six */
    INPUT_BENCH_TAKES_FIRST,
    INPUT_FRONT_DUELS,   /* the mean duel of the front against the foe's Pokémon */
    INPUT_DUELS,         /* the mean over all pairs */
    INPUT_BEST_DUELS,    /* the best mean of one Pokémon */
    INPUT_UNANSWERED,    /* share of the foe's Pokémon against which none of this side wins */
    INPUT_ANSWER,        /* the best duel of the bench against the foe's front */
    INPUT_ANSWER_STRUCK, /* the same if it is struck once on its way in, and hazards hurt it */
    INPUT_WALL, /* 1 - the least share of hp left that the foe's front takes from the bench */
    /* learned numbers of the species (learned_kinds): two summed over the Pokémon that are left, two
     * summed over them times their shares, four of the front */
    INPUT_KINDS,
    INPUT_COUNT = INPUT_KINDS + 8
};

enum { LEARNED_HIDDEN = 32, LEARNED_SECOND = 16 };

void learned_inputs(const struct pokemon *s, float out[2][INPUT_COUNT]);
/* Who wins if two Pokémon only attack each other, -1..1, by the number of hits that each survives.
 * takes: the share of the foe's hp left that a hit takes; given: the share of its own hp left that a hit
 * of the foe takes; first: it is faster. */
float learned_duel(float takes, float given, bool first);
/* The value for the first player. */
float learned_value(const float sides[2][INPUT_COUNT]);

/* The evaluator. */
enum banyan_status learned_create(const struct banyan_game *game, const char *args,
                                  const struct banyan_offer *offers, struct banyan_evaluator *out,
                                  struct banyan_error *err);

/* By input, then hidden number, so that inputs that are 0 can be skipped. */
extern const float learned_mine[INPUT_COUNT][LEARNED_HIDDEN];   /* W */
extern const float learned_theirs[INPUT_COUNT][LEARNED_HIDDEN]; /* V */
/* By species of the set: two numbers for being alive, two for hp, four for being the front. */
extern const float learned_kinds[SPECIES_COUNT][INPUT_COUNT - INPUT_KINDS];
extern const float learned_bias[LEARNED_HIDDEN];                             /* b */
extern const float learned_second[2][LEARNED_HIDDEN][LEARNED_SECOND];        /* R, S */
extern const float learned_second_bias[LEARNED_SECOND];                      /* c */
extern const float learned_out[LEARNED_SECOND], learned_linear[INPUT_COUNT]; /* u, l */

#endif
