/* The half of the lobby that keeps its battles. */
#ifndef SHOWDOWN_LOBBY_BATTLES_H
#define SHOWDOWN_LOBBY_BATTLES_H

#include "showdown/lobby.h"

/* The lines of a frame that belong to a room. */
void lobby_room(struct lobby *lobby, struct protocol_text room, struct protocol_text lines,
                double now_ms);

/* Asks again for every battle that the connection took away and that did not come back. */
void lobby_rejoin(struct lobby *lobby);

/* Time passes for all battles, and those that are over go. */
void lobby_battles_tick(struct lobby *lobby, double now_ms);

#endif
