/* Keeps the battles of the lobby: opens them, passes lines to them and removes them. */
#include "showdown/lobby_battles.h"

#include "showdown/battle_files.h"

#include <stdlib.h>
#include <string.h>

enum { LOBBY_FORGOTTEN_MS = 40000 }; /* for a battle to come back after a reconnect */

static struct battle *lobby_find(struct lobby *lobby, const char *room)
{
    for (int i = 0; i < lobby->battle_count; ++i)
        if (strcmp(lobby->battles[i]->room, room) == 0)
            return lobby->battles[i];
    return NULL;
}

/* Checks a room name, because files are named after rooms: only small letters, digits and '-'. */
static bool lobby_room_name(struct protocol_text room, char out[BATTLE_ROOM])
{
    if (room.length == 0 || room.length >= BATTLE_ROOM)
        return false;
    for (size_t i = 0; i < room.length; ++i) {
        char c = room.at[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'))
            return false;
    }
    protocol_copy(room, out, BATTLE_ROOM);
    return true;
}

/* Whether the room is a battle of the format that this client plays:
 * battle-gen8randombattle-NUMBER... */
static bool lobby_room_format(const char *room)
{
    size_t length = strlen(lobby_format);
    return strncmp(room, "battle-", 7) == 0 && strncmp(room + 7, lobby_format, length) == 0 &&
           room[7 + length] == '-';
}

/* Forfeits a battle that cannot be played, so that the opponent need not wait for its end. */
static void lobby_give_up(struct lobby *lobby, const char *room, const char *why)
{
    host_say(&lobby->host.host, HOST_WARNING, "%s: forfeited: %s", room, why);
    host_send(&lobby->host.host, room, "/forfeit");
    host_send(&lobby->host.host, "", "/leave %s", room);
}

static struct battle *lobby_add(struct lobby *lobby, const char *room, double now_ms)
{
    if (!lobby_room_format(room)) {
        host_say(&lobby->host.host, HOST_WARNING, "%s: refused: only %s is played here", room,
                 lobby_format);
        host_send(&lobby->host.host, "", "/leave %s", room);
        return NULL;
    }
    bool full = lobby->battle_count == LOBBY_BATTLES;
    struct battle *battle = full ? NULL : malloc(sizeof *battle);
    if (!battle) {
        lobby_give_up(lobby, room, full ? "too many battles" : "no memory for it");
        return NULL;
    }
    battle_open(battle, room, lobby->id, &lobby->settings.battle, &lobby->host.host, now_ms);
    lobby->battles[lobby->battle_count++] = battle;
    ++lobby->count.started;
    lobby->challenged = lobby->searching = false; /* at most one own challenge or search is open
                                                   * at a time */
    lobby->ask_ms = lobby->asked_ms + lobby->settings.gap_ms;
    host_say(&lobby->host.host, HOST_NOTE, "%s: begins", room);
    return battle;
}

static void lobby_add_counts(struct battle_count *sum, const struct battle_count *add)
{
    sum->decisions += add->decisions;
    sum->defaults += add->defaults;
    sum->invalid += add->invalid;
    sum->unavailable += add->unavailable;
    sum->late += add->late;
    sum->unknown += add->unknown;
    sum->broken += add->broken;
    sum->differences += add->differences;
    sum->unsearched += add->unsearched;
    sum->rebuilt += add->rebuilt;
    sum->timed_out += add->timed_out;
    sum->think_ms += add->think_ms;
    if (add->think_most_ms > sum->think_most_ms)
        sum->think_most_ms = add->think_most_ms;
}

static void lobby_remove(struct lobby *lobby, int index)
{
    struct battle *battle = lobby->battles[index];
    struct lobby_count *count = &lobby->count;
    lobby_add_counts(&count->battles, &battle->count);
    if (battle->result == BATTLE_ABANDONED) {
        ++count->abandoned;
        --count->started; /* another battle will be played instead */
    } else {
        ++count->finished;
        count->won += battle->result == BATTLE_WON;
        count->lost += battle->result == BATTLE_LOST;
        count->tied += battle->result == BATTLE_TIED;
    }
    if (lobby->state == LOBBY_READY)
        host_send(&lobby->host.host, "", "/leave %s", battle->room);
    battle_files_save(battle);
    lobby->host.over(lobby->host.host.self, battle);
    battle_close(battle);
    free(battle);
    lobby->battles[index] = lobby->battles[--lobby->battle_count];
    lobby->battles[lobby->battle_count] = NULL;
}

static void lobby_room_line(struct lobby *lobby, struct battle **battle, const char *room,
                            struct protocol_text text, double now_ms)
{
    struct protocol_line line;
    protocol_parse(text, &line);
    if (line.kind == PROTOCOL_INIT && protocol_is(line.args[0], "battle") && !*battle)
        *battle = lobby_add(lobby, room, now_ms);
    if (!*battle)
        return; /* a room that this client has left, or never entered */
    if (line.kind == PROTOCOL_NOINIT || line.kind == PROTOCOL_DEINIT ||
        line.kind == PROTOCOL_EXPIRE) {
        if ((*battle)->state != BATTLE_OVER)
            battle_abandon(*battle, line.kind == PROTOCOL_NOINIT ? "the server does not know it"
                                                                 : "the server closed it");
        return;
    }
    if (line.kind == PROTOCOL_RAW && protocol_holds(line.rest, "message-throttle-notice"))
        battle_resend(*battle);
    battle_line(*battle, text, now_ms);
}

void lobby_room(struct lobby *lobby, struct protocol_text name, struct protocol_text lines,
                double now_ms)
{
    char room[BATTLE_ROOM];
    if (!lobby_room_name(name, room) || strncmp(room, "battle-", 7) != 0)
        return; /* chat rooms; and names that no server uses */
    struct battle *battle = lobby_find(lobby, room);
    struct protocol_text text;
    while (protocol_next(&lines, &text))
        lobby_room_line(lobby, &battle, room, text, now_ms);
}

void lobby_rejoin(struct lobby *lobby)
{
    for (int i = 0; i < lobby->battle_count; ++i)
        if (lobby->battles[i]->lost)
            host_send(&lobby->host.host, "", "/join %s", lobby->battles[i]->room);
}

void lobby_battles_tick(struct lobby *lobby, double now_ms)
{
    bool long_back = lobby->state == LOBBY_READY && now_ms - lobby->state_ms > LOBBY_FORGOTTEN_MS;
    for (int i = lobby->battle_count - 1; i >= 0; --i) {
        struct battle *battle = lobby->battles[i];
        if (battle->lost && long_back && battle->state != BATTLE_OVER)
            battle_abandon(battle, "the server did not bring it back");
        battle_tick(battle, now_ms);
        if (battle->state == BATTLE_OVER)
            lobby_remove(lobby, i);
    }
}

bool lobby_decide(struct lobby *lobby, double now_ms)
{
    struct battle *next = NULL;
    for (int i = 0; i < lobby->battle_count; ++i) {
        struct battle *battle = lobby->battles[i];
        if (battle->state == BATTLE_ASKED && !battle->lost &&
            (!next || battle->asked_ms < next->asked_ms))
            next = battle;
    }
    if (next)
        battle_decide(next, now_ms);
    return next != NULL;
}
