/* From what is known to a state that the engine can play on.
 *
 *     request (own side, exact)  --.
 *     tracker, chronicle (lines) ---+--> position --> struct pokemon: what is known as it is,
 *     memory (earlier requests)  --'                  the rest drawn, marked as not seen
 *                                            `------> belief: how the rest may be drawn again
 *
 * Own Pokémon stand in the request's order, the foe's in the order in which they appeared.  The
 * state offers the choices of the request; where it does not, position_choices tells, and the
 * request is right.
 */
#ifndef SHOWDOWN_POSITION_H
#define SHOWDOWN_POSITION_H

#include "showdown/chronicle.h"
#include "showdown/request.h"

#include "games/pokemon/belief.h"

/* What earlier requests said and the present one does not. */
struct position_memory {
    struct position_known {
        char name[PROTOCOL_NAME];
        char moves[REQUEST_MOVES][PROTOCOL_ID];
        int pp[REQUEST_MOVES];   /* as last said; -1: never */
        int used[REQUEST_MOVES]; /* seen to be used by then */
        int hp_max;              /* 0: not known */
        bool gigantamax;
    } own[REQUEST_TEAM];
    int count;
};

/* Takes note of a request; call it for every one. */
void position_remember(struct position_memory *memory, const struct request *request,
                       const struct tracker *tracker);

struct position_source {
    const struct request *request; /* a move or a switch is asked for */
    const struct tracker *tracker;
    const struct chronicle *chronicle;
    const struct position_memory *memory;
    /* How well each candidate explains what happened, by the tracker's index; NULL: not known. */
    const struct belief_mon *evidence; /* [TRACKER_TEAM] */
};

/* Fails with BANYAN_UNSUPPORTED where a name is not in the tables.  rng: for what is not known of
 * counts that run in secret, such as sleep. */
enum banyan_status position_build(const struct position_source *source, struct pokemon *out,
                                  struct belief *belief, struct banyan_rng *rng,
                                  struct banyan_error *err);

/* The engine's action of a choice of the request; 0: there is none. */
banyan_action position_action(const struct request *request, const struct pokemon *state,
                              struct request_choice choice);

/* The choice for an engine's action; false: the request does not offer it. */
bool position_choice(const struct request *request, const struct pokemon *state,
                     banyan_action action, struct request_choice *out);

/* Compares what the request offers and what the engine allows: how many actions only one of them
 * has; which, as text. */
int position_differences(const struct request *request, const struct pokemon *state, char *out,
                         size_t size);

/* Ids of names; 0: unknown. */
int position_species(const char *name);
int position_move(const char *name);
int position_item(const char *name);
int position_ability(const char *name);

#endif
