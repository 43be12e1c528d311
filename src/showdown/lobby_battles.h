/* The part of the lobby that manages its battles. */
#ifndef SHOWDOWN_LOBBY_BATTLES_H
#define SHOWDOWN_LOBBY_BATTLES_H

#include "showdown/lobby.h"

/* Reads the lines of a frame that belong to a room. */
void lobby_room(struct lobby *lobby, struct protocol_text room, struct protocol_text lines,
                double now_ms);

/* Joins again every battle that was lost with the connection and has not come back. */
void lobby_rejoin(struct lobby *lobby);

/* Updates all battles with the time, and removes those that are over. */
void lobby_battles_tick(struct lobby *lobby, double now_ms);

#endif
