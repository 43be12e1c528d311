/* The part of the tracker for single Pokémon and their places in the team. */
#ifndef SHOWDOWN_TRACKER_POKEMON_H
#define SHOWDOWN_TRACKER_POKEMON_H

#include "showdown/tracker.h"

/* The Pokémon that text names, or NULL; *side (may be NULL): its side, -1: there is none. */
struct tracker_pokemon *tracker_named(struct tracker *tracker, struct protocol_text text,
                                      int *side);

/* tracker_enter reads |switch| and |drag|, tracker_replace reads |replace|. */
void tracker_enter(struct tracker *tracker, const struct protocol_line *line);
void tracker_replace(struct tracker *tracker, const struct protocol_line *line);

void tracker_condition(struct tracker *tracker, struct tracker_pokemon *pokemon,
                       struct protocol_text text);
void tracker_move_used(struct tracker *tracker, const struct protocol_line *line);
void tracker_item_seen(struct tracker_pokemon *pokemon, const char *item);
/* By Trick and similar moves: the item came from giver, which may be NULL. */
void tracker_item_given(struct tracker_pokemon *pokemon, struct tracker_pokemon *giver,
                        const char *item);
void tracker_item_lost(struct tracker_pokemon *pokemon, const char *item);
void tracker_ability_seen(struct tracker_pokemon *pokemon, const char *ability, bool own);
void tracker_status(struct tracker *tracker, struct tracker_pokemon *pokemon, const char *status);

/* Notes what a line shows in addition: "[from] item: X", "[from] ability: Y|[of] P". */
void tracker_evidence(struct tracker *tracker, const struct protocol_line *line);

void tracker_strange(struct tracker *tracker, const struct protocol_line *line);

#endif
