/* One game at a table: state, dice, clocks, and a player at every seat.
 *
 *      table_begin --> table_force (opening) ... --> table_step ... until table_movers() == 0
 *                                                        |
 *              choose of every mover --> apply with dice +--> observe by everybody
 *
 * The table checks what players answer; players need not trust one another.
 */
#ifndef MATCH_TABLE_H
#define MATCH_TABLE_H

#include <banyan/player.h>

#include <stdbool.h>

/* How time is limited; all 0: not at all. */
struct table_time {
    double move_ms;      /* per decision, not enforced */
    double clock_ms;     /* per game; who runs out of it loses */
    double increment_ms; /* added after every decision */
};

/* What the player of one seat did in this game. */
struct table_seat {
    struct banyan_player *player; /* borrowed */
    int64_t decisions;
    uint64_t simulations;
    double elapsed_ms, longest_ms; /* of all decisions, of one */
    double left_ms;                /* of the clock */
};

struct table {
    const struct banyan_game *game;
    void *state, *before;   /* [state_size] now, and before the last joint action; owned */
    banyan_action *actions; /* [max_legal] scratch; owned */
    banyan_action joint[BANYAN_MAX_PLAYERS]; /* the last one played */
    unsigned moved;                          /* who played it */
    struct banyan_rng rng;
    struct banyan_dice dice;
    struct table_time time;
    const banyan_flag *stop; /* ends decisions early; borrowed; NULL: nobody asks */
    struct table_seat seats[BANYAN_MAX_PLAYERS];
    int overstepped; /* seat whose clock ran out; -1: none */
    int plies;
};

enum banyan_status table_create(struct table *table, const struct banyan_game *game,
                                struct banyan_error *err);
void table_destroy(struct table *table);

/* A new game from state (copied).  players[seat] is borrowed and gets seeds[seat] as its stream;
 * dice_seed: the dice. */
enum banyan_status table_begin(struct table *table, const void *state,
                               struct banyan_player *const players[], const uint64_t seeds[],
                               uint64_t dice_seed, struct banyan_error *err);

/* Who must choose now; 0: over, by the rules or by the clock. */
unsigned table_movers(const struct table *table);

/* Plays joint without asking anybody. */
enum banyan_status table_force(struct table *table, const banyan_action joint[],
                               struct banyan_error *err);

/* Asks every mover and plays what they choose. */
enum banyan_status table_step(struct table *table, struct banyan_error *err);

/* Returns by seat of the game that is over.  Who overstepped gets return_min, the others
 * return_max. */
void table_returns(const struct table *table, float *out);

#endif
