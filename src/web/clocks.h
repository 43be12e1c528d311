/* The clocks of a game that is played at the page: for each seat the time that is left for the
 * game.
 *
 *     clocks_begin --> clocks_start --> clocks_stop (player) ... --> clocks_start --> ...
 *                      a position        who has chosen, spends the time since then
 *
 * now_ms is the caller's time (base/clock.h), so that tests need not wait. */
#ifndef WEB_CLOCKS_H
#define WEB_CLOCKS_H

#include <banyan/game.h>
#include <banyan/player.h>

#include <jansson.h>

struct clocks {
    bool runs; /* false: the game has no clocks */
    double left_ms[BANYAN_MAX_PLAYERS];
    double increment_ms; /* added after every decision */
    double since_ms;     /* when the present position began */
    int lost;            /* who has used up all time; -1: nobody */
};

/* Every player gets clock_ms; 0: there are no clocks. */
void clocks_begin(struct clocks *clocks, double clock_ms, double increment_ms);

/* Starts the clocks of a position: a new one, or one to which a player went back. */
void clocks_start(struct clocks *clocks, double now_ms);

/* clocks_stop: player has chosen; clocks_check: checks whether player has time left.  False: a
 * player, this one or another, has lost on time. */
bool clocks_stop(struct clocks *clocks, int player, double now_ms);
bool clocks_check(struct clocks *clocks, int player, double now_ms);

/* The clock to be given to a player of the program. */
struct banyan_player_clock clocks_for(const struct clocks *clocks, const banyan_flag *stop);

/* {"left_ms", "lost"} as the players' clocks stand now; movers' clocks run.  Null: there are no clocks. */
json_t *clocks_json(const struct clocks *clocks, int players, unsigned movers, double now_ms);

#endif
