/* Connects the link, the lobby and the clock, until all battles are over. */
#include "showdown/client.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

enum { CLIENT_LOGIN_MS = 20000, CLIENT_WAIT_MS = 1000, CLIENT_WAIT_MOST_MS = 30000 };

struct client {
    struct client_settings *settings;
    const struct client_events *events;
    struct link *link;
    struct lobby lobby;
    bool connecting, was_ready;
    double connect_ms; /* when to connect again */
    double wait_ms;    /* before the next attempt */
    double ready_ms;   /* when the client was last logged in */
    int undropped;     /* decisions since the connection was last dropped on purpose */
    char why[200];     /* why the last connection ended */
};

void client_settings_default(struct client_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->lobby.games = 1;
    settings->lobby.concurrent = 1;
    settings->lobby.repeat_ms = 60000;
    settings->lobby.battle.time_ms = 1000;
    settings->lobby.battle.seed = 1;
    settings->lobby.battle.timer = true;
    settings->silence_s = 20;
    settings->patience_s = 120;
}

enum banyan_status client_settings_server(struct client_settings *settings, const char *text,
                                          struct banyan_error *err)
{
    bool public = strcmp(text, "showdown") == 0;
    if (public)
        text = "wss://sim3.psim.us";
    enum banyan_status status =
        link_address_parse(text, "/showdown/websocket", &settings->server, err);
    if (status != BANYAN_OK)
        return status;
    bool local = link_address_local(&settings->server);
    settings->throttle_ms = local ? 0 : 650;    /* the server requires 600 */
    settings->lobby.gap_ms = local ? 0 : 10500; /* the server requires 10 s between challenges */
    settings->lobby.assertion = !local;
    return link_address_parse("https://play.pokemonshowdown.com/action.php", "/", &settings->login,
                              err);
}

static void client_say(struct client *client, enum host_level level, const char *line)
{
    client->events->say(client->events->self, level, line);
}

/* --- the link's events --- */

static void client_opened(void *self)
{
    struct client *client = self;
    client->connecting = false;
    lobby_connected(&client->lobby, clock_now_ms());
}

static void client_frame(void *self, char *text, size_t length)
{
    struct client *client = self;
    lobby_frame(&client->lobby, text, length, clock_now_ms());
}

static void client_closed(void *self, const char *why)
{
    struct client *client = self;
    char line[300];
    double now_ms = clock_now_ms();
    snprintf(client->why, sizeof client->why, "%s", why);
    lobby_lost(&client->lobby, now_ms);
    client->connecting = false;
    client->connect_ms = now_ms + client->wait_ms;
    snprintf(line, sizeof line, "no connection: %.200s; next attempt in %.0f s", why,
             client->wait_ms / 1000);
    if (client->was_ready)
        client_say(client, HOST_WARNING, line);
    client->wait_ms *= 2;
    if (client->wait_ms > CLIENT_WAIT_MOST_MS)
        client->wait_ms = CLIENT_WAIT_MOST_MS;
}

static void client_reply(void *self, const char *body, size_t length, const char *why)
{
    struct client *client = self;
    char assertion[LOGIN_ASSERTION];
    struct banyan_error err;
    enum banyan_status status =
        body ? login_reply(body, length, client->settings->password[0] != 0, assertion, &err)
             : banyan_fail(&err, BANYAN_IO, "cannot log in at %s: %s", client->settings->login.host,
                           why);
    /* If the password was right before, a login server that cannot be reached now may be reachable
     * later. */
    if (!body && client->was_ready)
        link_drop(client->link, err.message);
    else
        lobby_assertion(&client->lobby, status == BANYAN_OK ? assertion : NULL, &err,
                        clock_now_ms());
}

/* --- the lobby's host --- */

static void client_send(void *self, const char *room, const char *text)
{
    struct client *client = self;
    link_send(client->link, room, text);
}

static void client_host_say(void *self, enum host_level level, const char *line)
{
    client_say(self, level, line);
}

static void client_wipe(char *secret, size_t size)
{
    volatile char *at = secret;
    for (size_t i = 0; i < size; ++i)
        at[i] = 0;
}

static void client_login(void *self, const char *challstr)
{
    struct client *client = self;
    const struct client_settings *settings = client->settings;
    char body[LOGIN_BODY];
    struct banyan_error err;
    if (login_request(settings->lobby.name, settings->password, challstr, body, &err) == BANYAN_OK)
        link_post(client->link, &settings->login, body);
    else
        lobby_assertion(&client->lobby, NULL, &err, clock_now_ms());
    client_wipe(body, sizeof body);
}

static void client_over(void *self, const struct battle *battle)
{
    struct client *client = self;
    client->events->over(client->events->self, battle);
}

/* --- the loop --- */

static enum banyan_status client_connect(struct client *client, double now_ms,
                                         struct banyan_error *err)
{
    const struct client_settings *settings = client->settings;
    bool tried = client->why[0] != 0;
    if (tried && !client->was_ready)
        return banyan_fail(err, BANYAN_IO, "no connection to %s port %d: %s", settings->server.host,
                           settings->server.port, client->why);
    if (now_ms - client->ready_ms > settings->patience_s * 1000.0)
        return banyan_fail(err, BANYAN_IO, "no connection to %s port %d for %d s: %s",
                           settings->server.host, settings->server.port, settings->patience_s,
                           client->why);
    if (now_ms < client->connect_ms)
        return BANYAN_OK;
    client->connecting = true;
    client->lobby.count.reconnects += client->was_ready;
    link_connect(client->link, &settings->server);
    return BANYAN_OK;
}

/* The most time for one login; then it is tried again.  The first login is tried once and has the
 * whole patience_s, because a server that has just started is slow. */
static double client_login_ms(const struct client *client)
{
    return client->was_ready ? CLIENT_LOGIN_MS : client->settings->patience_s * 1000.0;
}

static enum banyan_status client_watch(struct client *client, double now_ms,
                                       struct banyan_error *err)
{
    struct lobby *lobby = &client->lobby;
    switch (lobby->state) {
    case LOBBY_FAILED:
        *err = lobby->error;
        return err->status;
    case LOBBY_OFFLINE:
        return client->connecting ? BANYAN_OK : client_connect(client, now_ms, err);
    case LOBBY_READY:
        client->was_ready = true;
        client->wait_ms = CLIENT_WAIT_MS;
        client->ready_ms = now_ms;
        return BANYAN_OK;
    case LOBBY_CONNECTED:
    case LOBBY_NAMING:
        if (now_ms - lobby->state_ms > client_login_ms(client)) {
            lobby->state_ms = now_ms;
            link_drop(client->link, lobby->state == LOBBY_NAMING
                                        ? "the server refuses the name"
                                        : "the server has not sent a challstr");
        }
        return BANYAN_OK;
    }
    return BANYAN_OK;
}

static void client_forced_drop(struct client *client)
{
    if (client->settings->drop_every && ++client->undropped >= client->settings->drop_every) {
        client->undropped = 0;
        link_drop(client->link, "dropped because of --drop-every");
    }
}

static enum banyan_status client_loop(struct client *client, const banyan_flag *stop,
                                      struct banyan_error *err)
{
    struct lobby *lobby = &client->lobby;
    for (;;) {
        double now_ms = clock_now_ms();
        enum banyan_status status = client_watch(client, now_ms, err);
        if (status != BANYAN_OK)
            return status;
        lobby_tick(lobby, now_ms);
        /* Everything in the queue, including the last `leave`, is sent first. */
        if (lobby_done(lobby) && (link_queued(client->link) == 0 || lobby->state != LOBBY_READY))
            return BANYAN_OK;
        if (banyan_flag_is_set(stop))
            return banyan_fail(err, BANYAN_INTERRUPTED, "stopped");
        bool busy = lobby_decide(lobby, now_ms);
        if (busy) {
            client->events->moved(client->events->self, lobby);
            client_forced_drop(client);
        }
        link_service(client->link, !busy);
    }
}

enum banyan_status client_run(struct client_settings *settings, const struct client_events *events,
                              const banyan_flag *stop, struct lobby_count *count,
                              struct banyan_error *err)
{
    struct client client = {.settings = settings, .events = events, .wait_ms = CLIENT_WAIT_MS};
    client.ready_ms = clock_now_ms();
    struct lobby_host host = {{&client, client_send, client_host_say}, client_login, client_over};
    int connect_s = settings->patience_s / 6 > 20 ? settings->patience_s / 6 : 20;
    if (connect_s > settings->patience_s)
        connect_s = settings->patience_s;
    struct link_settings link = {settings->ca_file, settings->throttle_ms, settings->silence_s,
                                 connect_s};
    struct link_events link_events = {&client, client_opened, client_frame, client_closed,
                                      client_reply};
    memset(count, 0, sizeof *count);
    lobby_open(&client.lobby, &settings->lobby, &host);
    client.link = link_create(&link, &link_events, err);
    enum banyan_status status = client.link ? client_loop(&client, stop, err) : err->status;
    *count = client.lobby.count;
    link_destroy(client.link);
    lobby_close(&client.lobby);
    client_wipe(settings->password, sizeof settings->password);
    return status;
}
