/* A whole session of `banyan showdown` with a server that sends arbitrary bytes: frames end with 0.
 * Lines, trackers, battles and the lobby take whatever comes; all that is sent is well formed. */
#include "fuzz.h"

#include "showdown/lobby.h"

struct session {
    struct lobby lobby;
    int sent;
};

static void session_send(void *self, const char *room, const char *text)
{
    struct session *session = self;
    ++session->sent;
    FUZZ_CHECK(text[0] == '/');
    FUZZ_CHECK(!strchr(text, '\n') && !strchr(room, '\n') && !strchr(room, '|'));
    FUZZ_CHECK(!room[0] || strncmp(room, "battle-gen8randombattle-", 24) == 0);
}

static void session_say(void *self, enum host_level level, const char *line)
{
    (void)self, (void)level;
    /* No text for the terminal has control characters. */
    for (; *line; ++line)
        FUZZ_CHECK((unsigned char)*line >= 0x20 && *line != 0x7F);
}

static void session_login(void *self, const char *challstr)
{
    (void)self;
    FUZZ_CHECK(strlen(challstr) < 1200);
}

static void session_over(void *self, const struct battle *battle)
{
    char line[300];
    (void)self;
    FUZZ_CHECK(battle->result != BATTLE_UNKNOWN);
    battle_view(battle, line, sizeof line);
}

static void session_check(const struct lobby *lobby)
{
    FUZZ_CHECK(lobby->battle_count >= 0 && lobby->battle_count <= LOBBY_BATTLES);
    FUZZ_CHECK(lobby->challenger_count >= 0 && lobby->challenger_count <= LOBBY_CHALLENGERS);
    for (int i = 0; i < lobby->battle_count; ++i) {
        char line[300];
        const struct tracker *tracker = &lobby->battles[i]->tracker;
        battle_view(lobby->battles[i], line, sizeof line);
        for (int side = 0; side < 2; ++side) {
            const struct tracker_side *of = &tracker->sides[side];
            FUZZ_CHECK(of->active < of->count && of->count <= TRACKER_TEAM);
            for (int j = 0; j < TRACKER_BOOSTS; ++j)
                FUZZ_CHECK(of->boosts[j] >= -6 && of->boosts[j] <= 6);
            for (int j = 0; j < of->count; ++j)
                FUZZ_CHECK(of->team[j].hp >= 0 && of->team[j].move_count <= TRACKER_MOVES);
        }
    }
}

static void session_settings(struct lobby_settings *settings, const struct decide *decide,
                             uint8_t choice)
{
    memset(settings, 0, sizeof *settings);
    settings->battle.decide = decide;
    settings->battle.timer = choice & 1;
    settings->games = 3;
    settings->concurrent = 2;
    settings->assertion = choice & 2;
    settings->ladder = choice & 4;
    settings->accept = !settings->ladder && choice & 8;
    snprintf(settings->name, sizeof settings->name, "banyan");
    if (!settings->ladder && !settings->accept)
        snprintf(settings->challenge, sizeof settings->challenge, "somebody");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct session session = {.sent = 0};
    struct lobby_settings settings;
    struct decide decide;
    struct lobby_host host = {{&session, session_send, session_say}, session_login, session_over};
    double now_ms = 1000;
    if (size < 1)
        return 0;
    static const char *const players[] = {"random", "max-base-power",
                                          "mcts:simulations=3,worlds=2,memory=1M", "heuristic"};
    FUZZ_CHECK(decide_open(&decide, players[data[0] >> 4 & 3], NULL) == BANYAN_OK);
    session_settings(&settings, &decide, data[0]);
    ++data, --size;
    lobby_open(&session.lobby, &settings, &host);
    lobby_connected(&session.lobby, now_ms);
    while (size > 0) {
        const uint8_t *end = memchr(data, 0, size);
        size_t length = end ? (size_t)(end - data) : size;
        char *frame = fuzz_take(&data, &size, length);
        if (size > 0)
            ++data, --size;
        if (length == 0) { /* the connection breaks, and is made again */
            lobby_lost(&session.lobby, now_ms);
            lobby_connected(&session.lobby, now_ms);
        }
        lobby_frame(&session.lobby, frame, length, now_ms);
        free(frame);
        session_check(&session.lobby);
        now_ms += 3000;
        lobby_tick(&session.lobby, now_ms);
        while (lobby_decide(&session.lobby, now_ms))
            ;
    }
    lobby_close(&session.lobby);
    decide_close(&decide);
    return 0;
}
