/* What goes to a page over the wire: two deals that differ only in what the seat cannot see give the same bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "web/session.h"

#include <stdlib.h>
#include <string.h>

/* A page, and all bytes that it got. */
struct wire {
    struct outbox outbox;
    struct session session;
    char *bytes; /* caller frees */
    size_t length;
};

static void wire_hear(struct wire *wire)
{
    for (struct outbox_text *text; (text = outbox_take(&wire->outbox)); free(text)) {
        wire->bytes = realloc(wire->bytes, wire->length + text->length + 1);
        assert_non_null(wire->bytes);
        memcpy(wire->bytes + wire->length, text->bytes + OUTBOX_ROOM, text->length);
        wire->length += text->length;
        wire->bytes[wire->length] = 0;
    }
}

/* Sends a request, which it frees, and hears what comes until nothing is to be done. */
static void wire_say(struct wire *wire, json_t *request)
{
    struct message message;
    struct banyan_error err;
    char *text = json_dumps(request, JSON_COMPACT);
    assert_non_null(text);
    if (message_parse(text, strlen(text), &message, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    session_handle(&wire->session, &message);
    message_free(&message);
    free(text);
    json_decref(request);
    wire_hear(wire);
    while (session_work(&wire->session))
        wire_hear(wire);
    wire_hear(wire);
}

static void wire_sit(struct wire *wire, const char *game, const char *deal)
{
    memset(wire, 0, sizeof *wire);
    outbox_init(&wire->outbox, NULL, NULL);
    session_init(&wire->session, &wire->outbox, NULL);
    wire_say(wire, json_pack("{s:s, s:i, s:s, s:s, s:s, s:i}", "t", "sit", "id", 1, "game", game,
                             "seats", "human\nfirst", "position", deal, "seed", 1));
    assert_non_null(wire->session.table.game);
}

static void wire_end(struct wire *wire)
{
    session_free(&wire->session);
    outbox_free(&wire->outbox);
    free(wire->bytes);
}

/* What player 0 can tell of the position. */
static uint64_t wire_key(const struct wire *wire)
{
    const struct table *table = &wire->session.table;
    const void *now = table->states + (size_t)table->record.plies * table->game->state_size;
    return table->game->key(table->game, now, 0);
}

/* The first action that is offered; NULL: the game is over, or another player is to choose.  The caller frees it. */
static json_t *wire_offer(const struct wire *wire)
{
    json_t *now = table_json(&wire->session.table);
    const json_t *legal =
        json_array_get(json_object_get(json_object_get(now, "position"), "legal"), 0);
    json_t *action =
        json_object_get(json_array_get(json_object_get(legal, "actions"), 0), "action");
    json_incref(action);
    json_decref(now);
    return action;
}

/* Both pages take the first action. */
static void wires_play(struct wire *wires, const json_t *action)
{
    for (int i = 0; i < 2; ++i)
        wire_say(&wires[i], json_pack("{s:s, s:i, s:i, s:s}", "t", "play", "id", 2, "player", 0,
                                      "action", json_string_value(action)));
}

/* Plays two deals by the same choices.  As long as player 0 cannot tell them apart, the bytes are
 * the same.  Returns the number of these positions. */
static int same_bytes(const char *game, char *const deals[2])
{
    struct wire wires[2];
    int positions = 0;
    for (int i = 0; i < 2; ++i)
        wire_sit(&wires[i], game, deals[i]);
    assert_memory_not_equal(wires[0].session.table.states, wires[1].session.table.states,
                            wires[0].session.table.game->state_size);
    while (positions < 20 && wire_key(&wires[0]) == wire_key(&wires[1])) {
        json_t *action = wire_offer(&wires[0]);
        if (!action) /* the game is over, and everything is shown */
            break;
        assert_string_equal(wires[0].bytes, wires[1].bytes);
        ++positions;
        wires_play(wires, action);
        json_decref(action);
    }
    for (int i = 0; i < 2; ++i)
        wire_end(&wires[i]);
    return positions;
}

/* The text of a deal of pokemon; `redraw`: of one that player 0 cannot tell from it. */
static char *deal_teams(const struct banyan_game *game, uint64_t seed, bool redraw)
{
    struct banyan_rng rng;
    char *text = malloc(BANYAN_TEXT_MAX);
    void *state = calloc(1, game->state_size);
    assert_true(text && state);
    banyan_rng_seed(&rng, seed);
    assert_int_equal(game->init(game, state, NULL, &rng, NULL), BANYAN_OK);
    if (redraw)
        game->determinize(game, state, 0, &rng);
    game->format(game, state, text, BANYAN_TEXT_MAX);
    free(state);
    return text;
}

static void test_cards(void **state)
{
    (void)state;
    static char jack[] = "JQ", other[] = "JK";
    char *const deals[] = {jack, other};
    assert_int_equal(same_bytes("kuhn", deals), 2); /* then both cards are shown */
}

static void test_teams(void **state)
{
    (void)state;
    const struct banyan_game *game;
    int positions = 0;
    assert_int_equal(banyan_game_find("pokemon", &game, NULL), BANYAN_OK);
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        char *const deals[] = {deal_teams(game, seed, false), deal_teams(game, seed, true)};
        positions += same_bytes("pokemon", deals);
        free(deals[0]);
        free(deals[1]);
    }
    assert_true(positions >= 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cards), cmocka_unit_test(test_teams)};
    return cmocka_run_group_tests_name("the wire of a page", tests, NULL, NULL);
}
