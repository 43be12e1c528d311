/* A game that is played in the page: each seat has a person, or a player that the program makes by name.
 *
 *     table_open --> table_step ... --> somebody at the page must choose --> table_choose --> table_step ...
 *                                                  ^                                          |
 *                                                  +----------- table_undo <------------------+
 *
 * The dice of a ply depend on the seed and on the ply alone, so the same choices have the same luck again
 * after an undo.  A page whose person has one seat of a game with hidden information is told only what that
 * seat knows. */
#ifndef WEB_TABLE_H
#define WEB_TABLE_H

#include "records/game_record.h"
#include "web/clocks.h"

#include <banyan/player.h>
#include <banyan/stop.h>

#include <jansson.h>

/* What is to be played; texts are borrowed for the call. */
struct table_question {
    const char *game;
    const char *seats;    /* one line for each player: "human", or a player such as "level:2" */
    const char *position; /* NULL or "": the usual start */
    const char *record;   /* a line of a file of games to go on with; NULL or "": a new game */
    uint64_t seed;
    double clock_ms, increment_ms; /* for each seat; 0: no clocks */
};

struct table_seat {
    struct banyan_player player; /* all 0 for a person */
    char *text;                  /* owned */
};

struct table {
    const struct banyan_game *game; /* NULL: nothing is open */
    struct table_seat seats[BANYAN_MAX_PLAYERS];
    unsigned persons; /* bits: seats of persons */
    uint64_t seed;
    unsigned char *states; /* [room][state_size] before each ply, and now; owned */
    int room;
    struct game_record record; /* its plies lead from the first state to the present one */
    banyan_action joint[BANYAN_MAX_PLAYERS];
    unsigned chosen; /* bits: persons who have chosen for this ply */
    struct game_thought thoughts[BANYAN_MAX_PLAYERS]; /* of the last ply */
    struct clocks clocks;
    banyan_flag *stop; /* ends a decision early; borrowed */
};

/* Opens a game in place of the one before.  On failure nothing is open.  Outside programs (exec:) are refused:
 * a page starts no programs. */
enum banyan_status table_open(struct table *table, const struct table_question *question,
                              struct banyan_error *err);
void table_close(struct table *table);

/* Chooses for a person. */
enum banyan_status table_choose(struct table *table, int player, const char *text,
                                struct banyan_error *err);

/* Plays one ply, unless the game waits for a person or is over: then *played is false. */
enum banyan_status table_step(struct table *table, bool *played, struct banyan_error *err);

/* Whether table_step would play. */
bool table_is_ready(const struct table *table);

/* Checks whether a person has used up all time, and has lost. */
enum banyan_status table_look_at_clocks(struct table *table, struct banyan_error *err);

/* Goes back to the last position in which a person chose. */
enum banyan_status table_undo(struct table *table, struct banyan_error *err);

/* What the page shows; caller frees. */
json_t *table_json(const struct table *table);

/* The game as a line of a file of games; caller frees; NULL: no memory, or the record would tell what a
 * person must not know yet. */
char *table_record(struct table *table, struct banyan_error *err);

/* What the best player would choose for player, who is a person and moves: {"action", "value"}; caller frees
 * *out. */
enum banyan_status table_hint(struct table *table, int player, json_t **out,
                              struct banyan_error *err);

#endif
