/* An evaluator values leaves: it gives a value for each player and, if it gives priors, a prior for
 * each action.
 *
 * A value is a vector by player in the game's return units, never a scalar
 * whose sign is flipped on the way up.  Leaves come in batches: from one tree or
 * from a thousand games.
 *
 * Threads: any number of threads may call evaluate of an evaluator that is
 * reentrant, else one at a time.  No thread may be in evaluate during close.
 */
#ifndef BANYAN_EVALUATOR_H
#define BANYAN_EVALUATOR_H

#include <banyan/game.h>
#include <banyan/rng.h>
#include <banyan/status.h>
#include <banyan/stop.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Counts by how many points a game of two players was won, besides who won it.  Let m be the player's points minus
 * the other player's (points() of the game), and s = m / (|m| + scale), which lies between -1 and 1.  Then the
 * player's value is
 *
 *     (1 - weight) * return + weight * (middle of the return range + s * half its width)
 *
 * rounded to a multiple of 2^-16 of half the width, so that the values of both keep a constant sum. */
struct banyan_score {
    double weight; /* 0..1 */
    double scale;  /* points, > 0: a lead of this many points has s = 1/2 */
};

/* Writes to values[players] the returns of a finished state, mixed with its score unless `score` is NULL. */
void banyan_score_returns(const struct banyan_game *game, const struct banyan_score *score,
                          const void *final, float *values);

/* One position that waits for its value. */
struct banyan_leaf {
    const struct banyan_game *game;
    const void *state;      /* borrowed until the leaf is given back */
    unsigned movers;        /* never 0: finished games are not sent to evaluators */
    struct banyan_rng *rng; /* the stream of the search that asks; borrowed */

    /* for each mover p, only if the evaluator `wants_actions`: the legal actions, and room for priors */
    const banyan_action *actions[BANYAN_MAX_PLAYERS]; /* [count[p]] */
    int count[BANYAN_MAX_PLAYERS];
    float *priors[BANYAN_MAX_PLAYERS]; /* [count[p]] written by the evaluator, >= 0, sums to 1 */

    float values[BANYAN_MAX_PLAYERS]; /* [players] written by the evaluator, return units */
    bool exact; /* false before the call; the evaluator sets it if the values are exact, not
                  estimates: the solver may then use them */

    /* An evaluator that may take more than about 10 ms checks `stop` and `deadline_ms` now and then.
     * Once the flag is set or the deadline has passed, it must return soon: its values are then
     * estimates, and exact stays false. */
    const banyan_flag *stop; /* NULL: there is no stop flag */
    double deadline_ms;      /* by CLOCK_MONOTONIC; 0: there is no deadline */

    /* An evaluator that plays on from the leaf adds the moves of its playouts here; NULL: they are
     * not needed. */
    struct banyan_playout *playout;

    /* How a finished game's score changes its value (options.score_weight); NULL: not at all.  An evaluator that
     * plays to the end passes it to banyan_score_returns. */
    const struct banyan_score *score;

    uint32_t ticket; /* used by the search only: number of the simulation */
};

struct banyan_evaluator {
    size_t struct_size; /* sizeof(struct banyan_evaluator) */
    const char *name;   /* static or owned by ctx */
    bool wants_actions; /* writes priors */
    /* Writes no priors; when a node is made, those of its own priors(), else those of the game's, are used with its
     * values, whatever the rule. */
    bool game_priors;
    void *ctx;
    bool reentrant; /* evaluate may be called by several threads at the same time */
    /* Writes values (and priors) of n leaves. */
    enum banyan_status (*evaluate)(void *ctx, struct banyan_leaf *leaves, int n,
                                   struct banyan_error *err);
    void (*close)(void *ctx); /* frees ctx; may be NULL */
    /* If it writes no priors with the values: those of a node's actions, in place of the game's priors() and by the
     * same rules (banyan_game.priors).  It is asked when the node is made, so most leaves never need them.  Any
     * number of threads may call it at the same time.  NULL: the game's. */
    void (*priors)(void *ctx, const void *state, int player, const banyan_action *actions, int n,
                   float *out);
};

/* --- by name --- */

struct banyan_player;

/* An evaluator, a player or both, made by name from text.  A list of offers ends with name == NULL.  There are
 * three lists: the caller's (the argument `offers` of the functions that create), the game's (banyan_game.offers),
 * and the library's (banyan_evaluator_list, banyan_player_list).  A name that stands in several lists means
 * the caller's offer, else the game's, else the library's.
 *
 * An offer's functions get the caller's list, because they may create evaluators or players by name themselves.
 * That list and the game are borrowed, and live at least as long as what the functions make. */
struct banyan_offer {
    /* "table": letters, digits, hyphens.  The name "endgame" is special: with the option endgame=on
     * the player mcts asks the game's evaluator "endgame:then=(EVALUATOR)", so an evaluator of that
     * name must take the argument `then`: the text of an evaluator for all positions that it does not know. */
    const char *name;
    const char *args; /* the arguments after "NAME:" as help shows them, such as "depth=7"; "":
                         none */
    const char *help; /* one line of help */
    /* Either may be NULL.  args: the text after the colon, never NULL.  Before the call *out is all
     * 0 except struct_size; after a failure the caller closes nothing in it.
     * An evaluator or player that was made but cannot be used (another struct_size, a function missing)
     * is closed by the library. */
    enum banyan_status (*evaluator)(const struct banyan_game *game, const char *args,
                                    const struct banyan_offer *offers, struct banyan_evaluator *out,
                                    struct banyan_error *err);
    enum banyan_status (*player)(const struct banyan_game *game, const char *args,
                                 const struct banyan_offer *offers, uint64_t seed,
                                 struct banyan_player *out, struct banyan_error *err);
};

/* Makes an evaluator from text, NAME or NAME:ARGS, where ARGS are mostly key=value,...:
 *
 *   uniform                                   the middle of the return range, equal priors
 *   rollout[:count=1,cutoff=0,policy=random]  play by a rollout policy of the game to the end, or for `cutoff`
 *                                             plies, after which the game's heuristic() gives the value
 *   mast[:epsilon=0.4,grams=1]                play to the end: with probability epsilon a random move, else the one
 *                                             that did best in earlier playouts (grams=2: also after the move
 *                                             just before); it learns, so it serves one search of one thread at a time
 *   heuristic                                 the game's heuristic() and priors()
 *   mixture:weight=0.5,A|B                    weight * A + (1 - weight) * B
 *   cache:size=N,A                            A, with a table that keeps its values for up to N positions
 *   script:V V ...                            values for player 0, in order; the last one repeats
 *   or an offer of the caller or of the game
 *
 * offers: the caller's list; NULL: none.  It and the game are borrowed as long as the evaluator lives.
 * The caller closes *out with banyan_evaluator_close; on failure there is nothing to close.
 * BANYAN_NOT_FOUND: the text names an evaluator, an option or a policy that does not exist; the message names
 * those that exist, or the nearest. */
enum banyan_status banyan_evaluator_create(const struct banyan_game *game, const char *text,
                                           const struct banyan_offer *offers,
                                           struct banyan_evaluator *out, struct banyan_error *err);

/* The evaluators that every game has; static storage. */
const struct banyan_offer *banyan_evaluator_list(void);

/* Frees what the evaluator owns.  Does nothing to an evaluator that is closed already, or all 0. */
void banyan_evaluator_close(struct banyan_evaluator *evaluator);

#ifdef __cplusplus
}
#endif
#endif
