/* Makes a state of the game from what a player knows of a battle.
 *
 *    request (own side, exact)  --.
 *    tracker, chronicle (lines) ---+--> position --> struct pokemon: known parts are exact,
 *    memory (earlier requests)  --'                  other parts are drawn and marked as not seen
 *                                           `------> belief: how the other parts may be drawn again
 *
 * Own Pokémon are in the request's order.  Of the foe's Pokémon the active one is first, and the others
 * are in the order in which they appeared.  The state should offer the choices of the request;
 * position_differences tells where it does not, and then the request is right.
 */
#ifndef SHOWDOWN_POSITION_H
#define SHOWDOWN_POSITION_H

#include "showdown/chronicle.h"
#include "showdown/request.h"

#include "games/pokemon/belief.h"

/* Facts from earlier requests that the present one does not repeat. */
struct position_memory {
    struct position_known {
        char name[PROTOCOL_NAME];
        char moves[REQUEST_MOVES][PROTOCOL_ID];
        int pp[REQUEST_MOVES];   /* as last reported; -1: never reported */
        int used[REQUEST_MOVES]; /* the PP that it was seen to use by then */
        int hp_max;              /* 0: not known */
        bool gigantamax;
    } own[REQUEST_TEAM];
    int count;
};

/* Stores the facts of a request; to be called for every request. */
void position_remember(struct position_memory *memory, const struct request *request,
                       const struct tracker *tracker);

struct position_source {
    const struct request *request; /* the open request, for a move or a switch */
    const struct tracker *tracker;
    const struct chronicle *chronicle;
    const struct position_memory *memory;
    /* Likelihood of what happened, for each candidate; by the tracker's index; NULL: not known. */
    const struct belief_mon *evidence; /* [TRACKER_TEAM] */
};

/* BANYAN_UNSUPPORTED: a name is not in the tables, or a Pokémon is missing.  rng: draws what is not
 * shown, such as turns of sleep and the unseen parts of the foe's Pokémon. */
enum banyan_status position_build(const struct position_source *source, struct pokemon *out,
                                  struct belief *belief, struct banyan_rng *rng,
                                  struct banyan_error *err);

/* The game's action for a choice of the request; 0: there is none. */
banyan_action position_action(const struct request *request, const struct pokemon *state,
                              struct request_choice choice);

/* The choice for an action of the game; false: the request does not offer it. */
bool position_choice(const struct request *request, const struct pokemon *state,
                     banyan_action action, struct request_choice *out);

/* Compares what the request offers with what the game allows: returns how many actions only one of
 * them has, and writes them as text. */
int position_differences(const struct request *request, const struct pokemon *state, char *out,
                         size_t size);

/* The ids of names; 0: unknown. */
int position_species(const char *name);
int position_move(const char *name);
int position_item(const char *name);
int position_ability(const char *name);

#endif
