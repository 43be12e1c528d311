/* The parts of a position: Pokémon, sides, and conditions of the active Pokémon. */
#ifndef SHOWDOWN_POSITION_PARTS_H
#define SHOWDOWN_POSITION_PARTS_H

#include "showdown/position.h"

/* The six Pokémon of a side, from the request (own) or from what was seen (the foe's). */
enum banyan_status parts_own(const struct position_source *source, struct pokemon_side *side,
                             struct banyan_rng *rng, struct banyan_error *err);
enum banyan_status parts_foe(const struct position_source *source, struct pokemon_side *side,
                             struct belief *belief, struct banyan_rng *rng,
                             struct banyan_error *err);

/* Sets hazards, screens, wishes, Future Sight, and whether Dynamax was used. */
void parts_side(const struct position_source *source, struct pokemon *s, int side);

/* Numbers the hazards of both sides, which parts_side has set, in the order in which they were laid. */
void parts_hazards(const struct position_source *source, struct pokemon *s);

/* Sets volatiles, boosts, types, and how many turns and actions the Pokémon has had. */
void parts_active(const struct position_source *source, struct pokemon *s, int side,
                  struct banyan_rng *rng);

/* The turns that are left when `ended` of `length` turns are over; at least 1. */
uint8_t parts_left(int length, int ended);

/* The tracker's entry for the Pokémon of this name, or NULL. */
const struct tracker_pokemon *parts_tracked(const struct tracker_side *side, const char *name);

/* Species and level of the set, for belief_candidates; false: not in the tables. */
bool parts_identity(const struct tracker_pokemon *from, struct pokemon_mon *mon);

/* The PP that the Pokémon was seen to use for a move. */
int parts_used(const struct tracker_pokemon *tracked, const char *move);

#endif
