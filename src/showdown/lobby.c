/* Logs in, and finds, accepts and counts battles. */
#include "showdown/lobby.h"

#include "showdown/lobby_battles.h"

#include <jansson.h>

#include <stdlib.h>
#include <string.h>

const char *const lobby_format = "gen8randombattle";

enum {
    LOBBY_AGAIN_MS = 3000,     /* before a refused challenge or search is repeated */
    LOBBY_COOLDOWN_MS = 11000, /* after the server has said that a challenge came too soon */
    LOBBY_REJOIN_MS = 4000,    /* for the server to open the battles again */
};

void lobby_open(struct lobby *lobby, const struct lobby_settings *settings,
                const struct lobby_host *host)
{
    memset(lobby, 0, sizeof *lobby);
    lobby->settings = *settings;
    lobby->host = *host;
    protocol_id(protocol_text(settings->name), lobby->id, sizeof lobby->id);
}

void lobby_close(struct lobby *lobby)
{
    for (int i = 0; i < lobby->battle_count; ++i) {
        battle_close(lobby->battles[i]);
        free(lobby->battles[i]);
    }
    lobby->battle_count = 0;
}

static void lobby_enter(struct lobby *lobby, enum lobby_state state, double now_ms)
{
    lobby->state = state;
    lobby->state_ms = now_ms;
}

static void lobby_fail(struct lobby *lobby, double now_ms, const char *message)
{
    banyan_fail(&lobby->error, BANYAN_INVALID, "%s", message);
    lobby_enter(lobby, LOBBY_FAILED, now_ms);
}

bool lobby_done(const struct lobby *lobby)
{
    return lobby->settings.games > 0 && lobby->count.finished >= lobby->settings.games &&
           lobby->battle_count == 0;
}

/* --- the connection --- */

void lobby_connected(struct lobby *lobby, double now_ms)
{
    lobby->challenger_count = 0;
    lobby->challenged = lobby->searching = false;
    lobby_enter(lobby, LOBBY_CONNECTED, now_ms);
}

void lobby_lost(struct lobby *lobby, double now_ms)
{
    for (int i = 0; i < lobby->battle_count; ++i)
        battle_lost(lobby->battles[i]);
    lobby->rejoin_ms = 0;
    if (lobby->state != LOBBY_FAILED)
        lobby_enter(lobby, LOBBY_OFFLINE, now_ms);
}

/* --- the login --- */

static void lobby_challstr(struct lobby *lobby, struct protocol_text challstr, double now_ms)
{
    char text[1100];
    protocol_copy(challstr, text, sizeof text);
    lobby_enter(lobby, LOBBY_NAMING, now_ms);
    if (lobby->settings.assertion)
        lobby->host.login(lobby->host.host.self, text);
    else
        host_send(&lobby->host.host, "", "/trn %s,0,", lobby->settings.name);
}

void lobby_assertion(struct lobby *lobby, const char *assertion, const struct banyan_error *err,
                     double now_ms)
{
    if (lobby->state != LOBBY_NAMING)
        return;
    if (!assertion) {
        lobby_fail(lobby, now_ms, err->message);
        return;
    }
    char text[2300]; /* longer than host_send allows */
    snprintf(text, sizeof text, "/trn %s,0,%s", lobby->settings.name, assertion);
    lobby->host.host.send(lobby->host.host.self, "", text);
}

/* |updateuser| NAME@!|1|...: the name is between rank and status. */
static void lobby_user(struct lobby *lobby, const struct protocol_line *line, double now_ms)
{
    struct protocol_text name = line->args[0];
    char id[PROTOCOL_ID];
    protocol_id(protocol_take(&name, '@'), id, sizeof id);
    bool ours = protocol_is(line->args[1], "1") && strcmp(id, lobby->id) == 0;
    if (!ours) {
        if (lobby->state == LOBBY_READY)
            host_say(&lobby->host.host, HOST_WARNING, "the server has changed our name to '%s'",
                     id);
        return;
    }
    if (lobby->state == LOBBY_READY)
        return;
    host_say(&lobby->host.host, HOST_NOTE, "logged in as %s", lobby->settings.name);
    lobby_enter(lobby, LOBBY_READY, now_ms);
    lobby->ask_ms = now_ms;
    for (int i = 0; i < lobby->battle_count; ++i)
        lobby->rejoin_ms = now_ms + LOBBY_REJOIN_MS;
}

static void lobby_name_taken(struct lobby *lobby, const struct protocol_line *line, double now_ms)
{
    char text[300];
    snprintf(text, sizeof text, "the name '%s' is not available: %.*s", lobby->settings.name,
             (int)(line->args[1].length < 200 ? line->args[1].length : 200),
             line->args[1].length ? line->args[1].at : "");
    /* After a lost connection the server may still think that we use the name, so the connection is
     * tried again. */
    if (lobby->count.reconnects == 0)
        lobby_fail(lobby, now_ms, text);
    else
        host_say(&lobby->host.host, HOST_NOTE, "%s", text);
}

/* --- challenges --- */

static int lobby_challenger(const struct lobby *lobby, const char *id)
{
    for (int i = 0; i < lobby->challenger_count; ++i)
        if (strcmp(lobby->challengers[i], id) == 0)
            return i;
    return -1;
}

static void lobby_forget(struct lobby *lobby, const char *id)
{
    int at = lobby_challenger(lobby, id);
    if (at < 0)
        return;
    --lobby->challenger_count;
    memmove(lobby->challengers[at], lobby->challengers[at + 1],
            (size_t)(lobby->challenger_count - at) * sizeof lobby->challengers[0]);
}

static bool lobby_wants(const struct lobby *lobby, const char *id)
{
    char wanted[PROTOCOL_ID];
    const struct lobby_settings *settings = &lobby->settings;
    protocol_id(protocol_text(settings->accept ? settings->accept_from : settings->challenge),
                wanted, sizeof wanted);
    if (settings->accept)
        return !wanted[0] || strcmp(wanted, id) == 0;
    return wanted[0] && strcmp(wanted, id) == 0; /* two clients may challenge each other */
}

/* A challenge from id; format "": it was withdrawn. */
static void lobby_challenge(struct lobby *lobby, const char *id, struct protocol_text format)
{
    if (format.length == 0) {
        lobby_forget(lobby, id);
        return;
    }
    if (lobby_challenger(lobby, id) >= 0)
        return;
    const struct host *host = &lobby->host.host;
    if (!protocol_is(format, lobby_format)) {
        host_say(host, HOST_NOTE, "a challenge of %s to %.*s is refused: only %s is played here",
                 id, (int)(format.length < 60 ? format.length : 60), format.at, lobby_format);
        host_send(host, "", "/reject %s", id);
    } else if (!lobby_wants(lobby, id)) {
        host_say(host, HOST_NOTE, "a challenge of %s is refused by the settings", id);
        host_send(host, "", "/reject %s", id);
    } else if (lobby->challenger_count < LOBBY_CHALLENGERS) {
        snprintf(lobby->challengers[lobby->challenger_count++], PROTOCOL_NAME, "%s", id);
    }
}

/* |pm| FROM| TO|/challenge FORMAT|...; without FORMAT the challenge was withdrawn. */
static void lobby_message(struct lobby *lobby, const struct protocol_line *line, double now_ms)
{
    char from[PROTOCOL_ID], to[PROTOCOL_ID];
    struct protocol_text from_name = line->args[0], to_name = line->args[1], text = line->args[2];
    protocol_id(protocol_take(&from_name, '@'), from, sizeof from);
    protocol_id(protocol_take(&to_name, '@'), to, sizeof to);
    if (protocol_starts(text, "/error")) {
        host_say(&lobby->host.host, HOST_WARNING, "the server says: %.*s",
                 (int)(text.length < 300 ? text.length : 300), text.at);
        lobby->challenged = false;
        lobby->ask_ms = now_ms + LOBBY_AGAIN_MS;
    }
    if (!protocol_starts(text, "/challenge"))
        return;
    protocol_take(&text, ' ');
    struct protocol_text format = text;
    if (strcmp(from, lobby->id) != 0) {
        lobby_challenge(lobby, from, format);
    } else if (format.length == 0 || strcmp(to, lobby->id) == 0) {
        lobby_forget(lobby, to);
    }
    /* The line may be about their challenge or ours; both count as withdrawn. */
    if (format.length == 0)
        lobby->challenged = false;
}

/* |updatechallenges|{"challengesFrom":{"user":"format"},...}: other versions of the server use
 * this. */
static void lobby_challenges(struct lobby *lobby, struct protocol_text text)
{
    json_t *root = json_loadb(text.length ? text.at : "", text.length, 0, NULL);
    const char *user;
    json_t *format;
    json_object_foreach(json_object_get(root, "challengesFrom"), user, format)
    {
        char id[PROTOCOL_ID];
        protocol_id(protocol_text(user), id, sizeof id);
        if (id[0] && json_is_string(format))
            lobby_challenge(lobby, id, protocol_text(json_string_value(format)));
    }
    json_decref(root);
}

static void lobby_popup(struct lobby *lobby, struct protocol_text text, double now_ms)
{
    host_say(&lobby->host.host, HOST_WARNING, "the server says: %.*s",
             (int)(text.length < 300 ? text.length : 300), text.length ? text.at : "");
    lobby->ask_ms = now_ms + LOBBY_AGAIN_MS;
    if (protocol_holds(text, "already challenging") || protocol_holds(text, "already searching"))
        return; /* our challenge or search is still open */
    if (protocol_holds(text, "less than 10 seconds") || protocol_holds(text, "spam"))
        lobby->ask_ms = now_ms + LOBBY_COOLDOWN_MS;
    lobby->challenged = lobby->searching = false;
}

/* |updatesearch|{"searching":[...],"games":{"battle-...":...}} */
static void lobby_search(struct lobby *lobby, struct protocol_text text)
{
    json_t *root = json_loadb(text.length ? text.at : "", text.length, 0, NULL);
    const json_t *searching = json_object_get(root, "searching");
    if (json_is_array(searching))
        lobby->searching = json_array_size(searching) > 0;
    json_decref(root);
}

/* --- frames --- */

static void lobby_odd(struct lobby *lobby, const struct protocol_line *line,
                      struct protocol_text text)
{
    if (++lobby->unknown <= 20)
        host_say(&lobby->host.host, HOST_WARNING, "%s: %.*s",
                 line->kind == PROTOCOL_BROKEN ? "an incomplete line" : "an unknown line",
                 (int)(text.length < 200 ? text.length : 200), text.at);
}

static void lobby_line(struct lobby *lobby, struct protocol_text text, double now_ms)
{
    struct protocol_line line;
    protocol_parse(text, &line);
    switch (line.kind) {
    case PROTOCOL_CHALLSTR:
        lobby_challstr(lobby, line.rest, now_ms);
        break;
    case PROTOCOL_UPDATEUSER:
        lobby_user(lobby, &line, now_ms);
        break;
    case PROTOCOL_NAMETAKEN:
        lobby_name_taken(lobby, &line, now_ms);
        break;
    case PROTOCOL_PM:
        lobby_message(lobby, &line, now_ms);
        break;
    case PROTOCOL_UPDATECHALLENGES:
        lobby_challenges(lobby, line.rest);
        break;
    case PROTOCOL_UPDATESEARCH:
        lobby_search(lobby, line.rest);
        break;
    case PROTOCOL_POPUP:
    case PROTOCOL_BIGERROR:
        lobby_popup(lobby, line.rest, now_ms);
        break;
    case PROTOCOL_UNKNOWN:
    case PROTOCOL_BROKEN:
        lobby_odd(lobby, &line, text);
        break;
    default:
        break;
    }
}

void lobby_frame(struct lobby *lobby, char *text, size_t length, double now_ms)
{
    ++lobby->count.frames;
    size_t changed = protocol_repair(text, length);
    if (changed && ++lobby->count.repaired <= 20)
        host_say(&lobby->host.host, HOST_WARNING, "a frame with %zu bytes that are not UTF-8",
                 changed);
    struct protocol_text rest = {text, length}, line;
    if (length > 0 && text[0] == '>') {
        protocol_next(&rest, &line);
        lobby_room(lobby, (struct protocol_text){line.at + 1, line.length - 1}, rest, now_ms);
        return;
    }
    while (protocol_next(&rest, &line))
        lobby_line(lobby, line, now_ms);
}

/* --- timed actions --- */

/* Number of battles that may still begin. */
static int lobby_room_left(const struct lobby *lobby)
{
    const struct lobby_settings *settings = &lobby->settings;
    int left = settings->concurrent - lobby->battle_count;
    if (settings->games > 0 && settings->games - lobby->count.started < left)
        left = settings->games - lobby->count.started;
    return left;
}

/* Challenges, accepts or searches.  The server makes the random teams, but the protocol needs a
 * team to be sent. */
static void lobby_seek(struct lobby *lobby, double now_ms)
{
    const struct lobby_settings *settings = &lobby->settings;
    const struct host *host = &lobby->host.host;
    if (lobby_room_left(lobby) <= 0 || lobby->challenged || lobby->searching ||
        now_ms < lobby->ask_ms)
        return;
    lobby->ask_ms = now_ms + LOBBY_AGAIN_MS;
    if (lobby->challenger_count > 0) {
        char id[PROTOCOL_NAME];
        memcpy(id, lobby->challengers[0], sizeof id);
        lobby_forget(lobby, id);
        host_send(host, "", "/utm null");
        host_send(host, "", "/accept %s", id);
        lobby->ask_ms = now_ms + 500; /* time for this battle to begin before the next is sought */
    } else if (settings->challenge[0]) {
        host_send(host, "", "/utm null");
        host_send(host, "", "/challenge %s, %s", settings->challenge, lobby_format);
        lobby->challenged = true;
        lobby->asked_ms = now_ms;
    } else if (settings->ladder) {
        host_send(host, "", "/utm null");
        host_send(host, "", "/search %s", lobby_format);
        lobby->searching = true;
    } else {
        lobby->ask_ms = now_ms;
    }
}

/* Withdraws an own challenge that was not answered: lobby_seek makes it again. */
static void lobby_withdraw(struct lobby *lobby, double now_ms)
{
    const struct lobby_settings *settings = &lobby->settings;
    double waited_ms = now_ms - lobby->asked_ms;
    if (!lobby->challenged || settings->repeat_ms <= 0 || waited_ms < settings->repeat_ms)
        return;
    host_say(&lobby->host.host, HOST_NOTE,
             "%s has not answered for %.0f s: the challenge is withdrawn and made again",
             settings->challenge, waited_ms / 1000);
    host_send(&lobby->host.host, "", "/cancelchallenge %s", settings->challenge);
    lobby->challenged = false;
    lobby->ask_ms = now_ms + LOBBY_COOLDOWN_MS;
}

void lobby_tick(struct lobby *lobby, double now_ms)
{
    lobby_battles_tick(lobby, now_ms);
    if (lobby->state != LOBBY_READY)
        return;
    if (lobby->rejoin_ms > 0 && now_ms >= lobby->rejoin_ms) {
        lobby->rejoin_ms = 0;
        lobby_rejoin(lobby);
    }
    lobby_withdraw(lobby, now_ms);
    lobby_seek(lobby, now_ms);
}
