/* Banyan's own record of a game, which is one line of JSON (docs/records.md):
 * what `match --save` and `judge --save` write, and `verify` and `page` read.
 *
 *      a running game     --> game_record_step ... game_record_end --> game_record_write
 *                                                                            |
 *      game_replay_next: the rules, ply by ply <-- game_record_parse <-- a line of a file
 *
 * A record holds what happened, not what follows from it: the first state, the choices, the dice.
 * The rules give everything else, so a reader replays the game, and finds every record that breaks
 * the rules.
 *
 * Threads: a record and a replay belong to one thread at a time.
 */
#ifndef RECORDS_GAME_RECORD_H
#define RECORDS_GAME_RECORD_H

#include <banyan/game.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A player's values for a decision. */
struct game_thought {
    double value;         /* expected return of the player, in the game's units; NaN: no opinion */
    double elapsed_ms;    /* time of the decision; NaN: not measured, or no player decided */
    uint64_t simulations; /* simulations made for the decision; 0: none, or not counted */
};

/* One ply: the choices of all movers, and the dice that followed. */
struct game_step {
    unsigned movers; /* bits: who chose */
    banyan_action
        joint[BANYAN_MAX_PLAYERS]; /* the movers' actions; a parsed record has them only after a
                                      replay */
    struct game_thought thoughts[BANYAN_MAX_PLAYERS]; /* the movers' thoughts */
    size_t text;                /* offset in texts of the ply's actions: "d3", "a|b" */
    int dice_first, dice_count; /* range of the ply's dice in dice */
};

/* The limits of time in the game; 0: none of this kind. */
struct game_limits {
    double move_ms, clock_ms, increment_ms;
};

struct game_record {
    const struct banyan_game *game;
    int64_t number;                    /* number in its file or match, from 0 */
    char *players[BANYAN_MAX_PLAYERS]; /* texts of the players, such as "mcts:simulations=100";
                                          owned */
    char *start;                       /* text of the first state; owned */
    uint64_t setup_seed, dice_seed;    /* seeds of the deal and of the dice, if has_seeds */
    bool has_seeds;
    int opening_plies; /* number of plies at the start that no player decided */
    struct game_limits limits;

    struct game_step *steps; /* [plies]; owned */
    int plies, room;
    char *texts; /* the actions of each ply as text, a 0 after each; owned */
    size_t text_used, text_room;
    struct banyan_die *dice; /* [dice_count]; owned */
    int dice_count, dice_room;
    bool has_dice;   /* false: a replay draws the dice from dice_seed */
    bool is_checked; /* the reader has checked all actions by the rules: a replay does not look for
                        them in the list of legal actions, from which a game may leave out actions
                        that change nothing or are as good as others */

    bool finished;                     /* the game is over: returns are set */
    float returns[BANYAN_MAX_PLAYERS]; /* by player */
    float points[BANYAN_MAX_PLAYERS];  /* by player, if has_points */
    bool has_points;                   /* the game counts points */
    int overstepped;                   /* player who lost on time; -1: none */
    int forfeited;                     /* player who lost by breaking a rule of play; -1: none */
    char *reason;                      /* the rule that was broken; NULL: none; owned */
};

/* --- writing --- */

/* Begins the record of a game that starts in state (copied as text). */
enum banyan_status game_record_begin(struct game_record *record, const struct banyan_game *game,
                                     const void *state, struct banyan_error *err);
void game_record_free(struct game_record *record);

/* Sets the text of the player in a seat. */
enum banyan_status game_record_player(struct game_record *record, int player, const char *text,
                                      struct banyan_error *err);

/* Adds a ply that was played in the state `before`.  dice: their log holds the dice of this ply, and
 * is emptied; NULL: no dice were used. thoughts[players]; NULL: no player decided. */
struct game_played {
    const void *before;
    unsigned movers;
    const banyan_action *joint;
    struct banyan_dice *dice;
    const struct game_thought *thoughts;
};
enum banyan_status game_record_step(struct game_record *record, const struct game_played *played,
                                    struct banyan_error *err);

/* Keeps the first `plies` plies.  If others are removed, the game is unfinished again. */
void game_record_cut(struct game_record *record, int plies);

/* Ends the record with the last state.  The player in `overstepped` or `forfeited`, if that is >= 0, has lost; else the
 * returns are those of the rules if the game is over, and otherwise the game is unfinished.  Points are
 * those of the rules in any case. */
void game_record_end(struct game_record *record, const void *state);

/* The actions of a ply as text: "d3", or "a|b" where several players chose. */
const char *game_record_text(const struct game_record *record, int ply);

/* All actions in one text, as --moves and opening files take it: separated by blanks, or by ';'
 * if a text of an action has a blank or comma.  The caller frees it; NULL: no memory. */
char *game_record_actions(const struct game_record *record);

/* Opens path, to which games are added one by one as they end.  BANYAN_INVALID: the file is not empty, and
 * append is not set, so that its games would be lost.  A device or a pipe is opened in any case. */
enum banyan_status game_records_open(const char *path, bool append, FILE **out,
                                     struct banyan_error *err);

/* Appends the record to out as one line, and flushes it. */
enum banyan_status game_record_write(const struct game_record *record, FILE *out,
                                     struct banyan_error *err);

/* --- reading --- */

/* Reads one line.  BANYAN_CORRUPT: it is no record; BANYAN_NOT_FOUND: Banyan does not have the
 * game; BANYAN_UNSUPPORTED: a later version wrote it. */
enum banyan_status game_record_parse(struct game_record *record, const char *line, size_t length,
                                     struct banyan_error *err);

/* Reads the game with this index (from 0) in a file of records. */
enum banyan_status game_record_read(struct game_record *record, const char *path, int index,
                                    struct banyan_error *err);

/* The same for a source (records/records.h), from its next line on. */
struct records_source;
enum banyan_status game_record_read_from(struct game_record *record, struct records_source *source,
                                         int index, struct banyan_error *err);

/* Reads the game that place names: FILE, FILE:PLY or FILE:GAME:PLY, with games from 1. *ply is
 * -1 if place has no ply. */
enum banyan_status game_record_find(struct game_record *record, const char *place, int *ply,
                                    struct banyan_error *err);

/* The replay of a recorded game. */
struct game_replay {
    struct game_record *record; /* borrowed; the replay sets joint and movers of its steps */
    void *state, *before;       /* [state_size]; owned */
    banyan_action *legal;       /* [max_legal] scratch; owned */
    struct banyan_rng rng;
    struct banyan_dice dice;
    int ply; /* number of plies that have been played */
};

enum banyan_status game_replay_begin(struct game_replay *replay, struct game_record *record,
                                     struct banyan_error *err);
void game_replay_end(struct game_replay *replay);

/* Plays the next ply.  BANYAN_ILLEGAL, BANYAN_INVALID: Banyan's rules do not allow it, or ask for other
 * dice.  Precondition: replay->ply < record->plies. */
enum banyan_status game_replay_next(struct game_replay *replay, struct banyan_error *err);

/* Checks that the result in the record is that of the state which the replay has reached. */
enum banyan_status game_replay_check(const struct game_replay *replay, struct banyan_error *err);

/* Plays on to ply (-1: to the end of the record). */
enum banyan_status game_replay_to(struct game_replay *replay, int ply, struct banyan_error *err);

#endif
