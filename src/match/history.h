/* Matches of a database, as another process reads them while they are played.
 *
 *      follow_look --> match_history_each: the matches --> match_history_games: one match's games
 *
 * Texts of rows are borrowed until the called function returns. */
#ifndef MATCH_HISTORY_H
#define MATCH_HISTORY_H

#include "match/follow.h"
#include "match/match.h"

struct match_history_row {
    int64_t id;
    const char *game, *setup, *openings; /* setup, openings: NULL: none */
    const char *seed;
    const char *started, *finished; /* UTC; finished: NULL: not (yet) */
    int64_t games_wanted, games_counted;
    int opening_plies;
    struct playing_time time;
    int count; /* number of players */
    const char *specs[MATCH_MAX_PLAYERS];
    int64_t process; /* id of the process that plays it; 0: unknown */
    bool use_sprt;
    struct sprt sprt;
};

/* Calls fn for matches, the last one first, until it returns false.  id: only this match; 0: all.  A file
 * without tables has none. */
enum banyan_status match_history_each(struct follow *follow, int64_t id,
                                      bool (*fn)(void *ctx, const struct match_history_row *row),
                                      void *ctx, struct banyan_error *err);

/* Whether the process that plays a match is still running. */
bool match_history_is_alive(const struct match_history_row *row);

struct match_history_game {
    int64_t number;
    int seats[BANYAN_MAX_PLAYERS]; /* by seat: number of the player of the match */
    float returns[BANYAN_MAX_PLAYERS];
    int overstepped; /* seat; -1: none */
    int plies, opening_plies;
    double elapsed_ms;
    const char *start, *actions, *setup_seed, *dice_seed; /* set by match_history_game only, as is
                                                             opening_plies */
};

/* Calls fn for the games of a match from number `first` on, in order, until it returns false.  row:
 * the one that match_history_each gave to its fn.  BANYAN_CORRUPT: a row makes no sense. */
typedef bool match_history_fn(void *ctx, const struct match_history_game *game);
enum banyan_status match_history_games(struct follow *follow, const struct match_history_row *row,
                                       int64_t first, match_history_fn *fn, void *ctx,
                                       struct banyan_error *err);

/* Calls fn for one game with all its columns.  BANYAN_NOT_FOUND: the match has no such game. */
enum banyan_status match_history_game(struct follow *follow, const struct match_history_row *row,
                                      int64_t number, match_history_fn *fn, void *ctx,
                                      struct banyan_error *err);

#endif
