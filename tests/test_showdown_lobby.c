/* The lobby and its battles with a scripted server: which messages are sent in answer to which. */
#include "showdown/lobby.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define ROOM "battle-gen8randombattle-7"

struct world {
    struct lobby lobby;
    struct lobby_settings settings;
    struct decide decide;
    char sent[4096]; /* messages sent since the last check: "ROOM|TEXT\n"... */
    char said[8192];
    char challstr[64];
    enum battle_result result;
    int over;
    double now_ms;
};

static void world_send(void *self, const char *room, const char *text)
{
    struct world *world = self;
    size_t length = strlen(world->sent);
    snprintf(world->sent + length, sizeof world->sent - length, "%s|%s\n", room, text);
}

static void world_say(void *self, enum host_level level, const char *line)
{
    struct world *world = self;
    size_t length = strlen(world->said);
    snprintf(world->said + length, sizeof world->said - length, "%d %s\n", (int)level, line);
}

static void world_login(void *self, const char *challstr)
{
    struct world *world = self;
    snprintf(world->challstr, sizeof world->challstr, "%s", challstr);
}

static void world_over(void *self, const struct battle *battle)
{
    struct world *world = self;
    world->result = battle->result;
    ++world->over;
}

static void world_open(struct world *world)
{
    struct lobby_host host = {{world, world_send, world_say}, world_login, world_over};
    world->settings.battle.decide = &world->decide;
    snprintf(world->settings.name, sizeof world->settings.name, "Banyan Bot");
    assert_int_equal(decide_open(&world->decide, "default", NULL), BANYAN_OK);
    lobby_open(&world->lobby, &world->settings, &host);
    lobby_connected(&world->lobby, world->now_ms);
}

static struct world *world_new(int games, int concurrent)
{
    struct world *world = calloc(1, sizeof *world);
    assert_non_null(world);
    world->settings.games = games;
    world->settings.concurrent = concurrent;
    world->now_ms = 1000;
    return world;
}

static void world_free(struct world *world)
{
    lobby_close(&world->lobby);
    decide_close(&world->decide);
    free(world);
}

/* Passes a frame to the lobby and runs everything that is due. */
static void hear(struct world *world, const char *text)
{
    char *frame = malloc(strlen(text) + 1);
    assert_non_null(frame);
    memcpy(frame, text, strlen(text) + 1);
    world->now_ms += 10;
    lobby_frame(&world->lobby, frame, strlen(frame), world->now_ms);
    free(frame);
    lobby_tick(&world->lobby, world->now_ms);
    while (lobby_decide(&world->lobby, world->now_ms))
        ;
}

static void wait_ms(struct world *world, double ms)
{
    world->now_ms += ms;
    lobby_tick(&world->lobby, world->now_ms);
}

/* Checks that exactly this was sent since the last call. */
static void expect_sent(struct world *world, const char *text)
{
    assert_string_equal(world->sent, text);
    world->sent[0] = 0;
}

static void expect_said(struct world *world, const char *piece)
{
    if (!strstr(world->said, piece))
        fail_msg("'%s' was not said, but: %s", piece, world->said);
    world->said[0] = 0;
}

static void log_in(struct world *world)
{
    hear(world, "|updateuser| Guest 1|0|101|{}\n|customgroups|[]\n|formats|,1|x");
    hear(world, "|challstr|4|abcd");
    expect_sent(world, "|/trn Banyan Bot,0,\n");
    hear(world, "|updateuser| Banyan Bot@!|1|101|{}");
    assert_int_equal(world->lobby.state, LOBBY_READY);
}

#define START                                                                  \
    "|player|p1|Foe|1|\n|player|p2|Banyan Bot|2|\n|gametype|singles\n|gen|8\n" \
    "|tier|[Gen 8] Random Battle\n|start\n|switch|p1a: Muk|Muk, L80|100/100\n" \
    "|switch|p2a: Mew|Mew, L80|300/300\n|turn|1"
#define REQUEST(rqid)                                                                       \
    ">" ROOM "\n|request|{\"active\":[{\"moves\":[{\"id\":\"surf\",\"pp\":9,\"maxpp\":9},"  \
    "{\"id\":\"roost\",\"pp\":9,\"maxpp\":9}]}],\"rqid\":" rqid                             \
    ",\"side\":{\"name\":\"Banyan Bot\",\"id\":\"p2\",\"pokemon\":[{\"ident\":\"p2: Mew\"," \
    "\"details\":\"Mew, L80\",\"condition\":\"300/300\",\"active\":true}]}}"

static void begin(struct world *world)
{
    hear(world, ">" ROOM "\n|init|battle\n|title|Foe vs. Banyan Bot\n|j|Foe");
    hear(world, ">" ROOM "\n" START);
    assert_int_equal(world->lobby.battle_count, 1);
}

/* Logs in on the ladder and begins the first battle. */
static struct world *world_in_battle(void)
{
    struct world *world = world_new(1, 1);
    world->settings.ladder = true;
    world_open(world);
    log_in(world);
    begin(world);
    return world;
}

/* --- */

static void a_game_from_challenge_to_win(void **state)
{
    (void)state;
    struct world *world = world_new(1, 1);
    snprintf(world->settings.challenge, sizeof world->settings.challenge, "Foe");
    world->settings.battle.timer = true;
    world_open(world);
    log_in(world);
    expect_sent(world, "|/utm null\n|/challenge Foe, gen8randombattle\n");
    hear(world, "|pm| Banyan Bot| Foe|/challenge gen8randombattle|gen8randombattle|||");
    wait_ms(world, 20000);
    expect_sent(world, ""); /* the choice stands */
    begin(world);
    expect_sent(world, ROOM "|/timer on\n");
    assert_int_equal(world->lobby.battles[0]->tracker.viewer, 1);
    hear(world, REQUEST("3"));
    expect_sent(world, ROOM "|/choose move 1|3\n");
    hear(world, ">" ROOM "\n|request|{\"wait\":true,\"rqid\":4,\"side\":{\"id\":\"p2\"}}");
    expect_sent(world, "");
    hear(world, ">" ROOM "\n|faint|p1a: Muk\n|win|Banyan Bot");
    expect_sent(world, "|/leave " ROOM "\n");
    assert_int_equal(world->result, BATTLE_WON);
    assert_true(lobby_done(&world->lobby));
    wait_ms(world, 20000);
    expect_sent(world, "");
    world_free(world);
}

static void a_challenge_without_an_answer_is_repeated(void **state)
{
    (void)state;
    struct world *world = world_new(1, 1);
    snprintf(world->settings.challenge, sizeof world->settings.challenge, "Foe");
    world->settings.repeat_ms = 30000;
    world_open(world);
    log_in(world);
    expect_sent(world, "|/utm null\n|/challenge Foe, gen8randombattle\n");
    hear(world, "|pm| Banyan Bot| Foe|/challenge gen8randombattle|gen8randombattle|||");
    wait_ms(world, 29000);
    expect_sent(world, "");
    wait_ms(world, 2000);
    expect_sent(world, "|/cancelchallenge Foe\n");
    expect_said(world, "Foe has not answered for 31 s");
    hear(world, "|pm| Banyan Bot| Foe|/challenge");
    wait_ms(world, 12000);
    expect_sent(world, "|/utm null\n|/challenge Foe, gen8randombattle\n");
    begin(world); /* this time the user has accepted */
    world->sent[0] = 0;
    wait_ms(world, 60000);
    expect_sent(world, "");
    world_free(world);
}

static void challenges_that_are_accepted_and_refused(void **state)
{
    (void)state;
    struct world *world = world_new(0, 1);
    world->settings.accept = true;
    snprintf(world->settings.accept_from, sizeof world->settings.accept_from, "Foe");
    world_open(world);
    log_in(world);
    hear(world, "|pm| Other| Banyan Bot|/challenge gen8randombattle|gen8randombattle|||");
    expect_sent(world, "|/reject other\n");
    hear(world, "|pm|+Foe@!| Banyan Bot|/challenge gen9ou|gen9ou|||");
    expect_sent(world, "|/reject foe\n");
    expect_said(world, "only gen8randombattle is played here");
    hear(world, "|pm|+Foe@!| Banyan Bot|/challenge gen8randombattle|gen8randombattle|||");
    expect_sent(world, "|/utm null\n|/accept foe\n");
    begin(world);
    hear(world, "|pm|+Foe| Banyan Bot|/challenge gen8randombattle|gen8randombattle|||");
    wait_ms(world, 20000);
    expect_sent(world, ""); /* one battle at a time: the challenge waits */
    hear(world, ">" ROOM "\n|tie");
    expect_sent(world, "|/leave " ROOM "\n|/utm null\n|/accept foe\n");
    assert_int_equal(world->result, BATTLE_TIED);
    hear(world, "|updatechallenges|{\"challengesFrom\":{\"foe\":\"gen8randombattle\"}}");
    wait_ms(world, 5000);
    expect_sent(world, "|/utm null\n|/accept foe\n");
    world_free(world);
}

static void the_ladder(void **state)
{
    (void)state;
    struct world *world = world_new(2, 1);
    world->settings.ladder = true;
    world_open(world);
    log_in(world);
    expect_sent(world, "|/utm null\n|/search gen8randombattle\n");
    hear(world, "|updatesearch|{\"searching\":[\"gen8randombattle\"],\"games\":null}");
    wait_ms(world, 60000);
    expect_sent(world, "");
    hear(world, "|popup|You are banned from the ladder.");
    expect_said(world, "You are banned");
    wait_ms(world, 4000);
    expect_sent(world, "|/utm null\n|/search gen8randombattle\n");
    world_free(world);
}

static void answers_that_are_refused(void **state)
{
    (void)state;
    struct world *world = world_in_battle();
    hear(world, REQUEST("3"));
    world->sent[0] = 0;
    hear(world, ">" ROOM "\n|error|[Invalid choice] Can't move: no");
    expect_sent(world, ROOM "|/choose default|3\n");
    hear(world, ">" ROOM "\n|error|[Invalid choice] Can't move: no");
    expect_sent(world, ROOM "|/choose default\n");
    hear(world, ">" ROOM "\n|error|[Invalid choice] no\n|error|[Invalid choice] no");
    hear(world, ">" ROOM "\n|error|[Invalid choice] no");
    /* and nothing more, so that client and server do not repeat this for ever */
    expect_sent(world, ROOM "|/choose default\n");
    /* It is never too late to answer. */
    hear(world, REQUEST("5"));
    world->sent[0] = 0;
    hear(world, ">" ROOM "\n|error|[Invalid choice] Sorry, too late to make a different move; the "
                "next turn has already started");
    expect_sent(world, "");
    /* After a refused choice the server sends a fresh request, and the lobby waits for it. */
    hear(world, ">" ROOM "\n|error|[Unavailable choice] Can't switch: trapped");
    expect_sent(world, "");
    hear(world, REQUEST("6"));
    expect_sent(world, ROOM "|/choose move 1|6\n");
    hear(world, ">" ROOM "\n|error|[Unavailable choice] Can't switch: trapped");
    wait_ms(world, 5000);
    expect_sent(world, "");
    wait_ms(world, 6000);
    expect_sent(world, ROOM "|/choose default\n");
    const struct battle_count *count = &world->lobby.battles[0]->count;
    assert_int_equal(count->invalid, 5);
    assert_int_equal(count->late, 1);
    assert_int_equal(count->unavailable, 2);
    world_free(world);
}

static void what_cannot_be_read_is_survived(void **state)
{
    (void)state;
    struct world *world = world_in_battle();
    hear(world, ">" ROOM "\n|request|{\"active\":");
    expect_said(world, "not JSON");
    assert_non_null(strstr(world->sent, ROOM "|/choose default\n"));
    world->sent[0] = 0;
    hear(world,
         ">" ROOM "\n|-somethingnew|p1a: Muk|x\n|switch|p1a: Muk\n|move|p1a: Nobody|Nothing New|");
    expect_said(world, "an unknown line: |-somethingnew|p1a: Muk|x");
    hear(world, ">" ROOM "\n|switch|p1a: Gl\xFFitch|Glitch Forme, L7|100/100");
    expect_said(world, "not UTF-8");
    assert_string_equal(tracker_active(&world->lobby.battles[0]->tracker, 0)->species,
                        "Glitch Forme");
    hear(world, "");
    hear(world, "|");
    hear(world, ">");
    hear(world, ">\n");
    hear(world, ">battle-../../etc\n|init|battle");
    hear(world, "|pm|\n|updateuser|\n|nametaken|\n|updatesearch|[\n|updatechallenges|7\n|popup|");
    assert_int_equal(world->lobby.battle_count, 1);
    hear(world, ">battle-gen9ou-3\n|init|battle\n|title|x");
    expect_sent(world, "|/leave battle-gen9ou-3\n");
    expect_said(world, "only gen8randombattle is played here");
    hear(world, REQUEST("9"));
    expect_sent(world, ROOM "|/choose move 1|9\n");
    world_free(world);
}

static void a_battle_too_many_is_forfeited(void **state)
{
    (void)state;
    struct world *world = world_new(0, LOBBY_BATTLES);
    world->settings.accept = true;
    world_open(world);
    log_in(world);
    for (int i = 0; i <= LOBBY_BATTLES; ++i) {
        char text[120];
        world->said[0] = 0;
        snprintf(text, sizeof text, ">battle-gen8randombattle-%d\n|init|battle\n|title|x", i);
        expect_sent(world, "");
        hear(world, text);
    }
    expect_sent(world, "battle-gen8randombattle-64|/forfeit\n|/leave battle-gen8randombattle-64\n");
    expect_said(world, "battle-gen8randombattle-64: forfeited: too many battles");
    assert_int_equal(world->lobby.battle_count, LOBBY_BATTLES);
    world_free(world);
}

static void a_battle_goes_on_after_a_disconnect(void **state)
{
    (void)state;
    struct world *world = world_in_battle();
    hear(world, REQUEST("3"));
    hear(world, ">" ROOM "\n|move|p2a: Mew|Surf|p1a: Muk\n|-damage|p1a: Muk|40/100\n|turn|2");
    struct tracker before = world->lobby.battles[0]->tracker;
    lobby_lost(&world->lobby, world->now_ms);
    wait_ms(world, 2000);
    lobby_connected(&world->lobby, world->now_ms);
    world->sent[0] = 0;
    log_in(world);
    expect_sent(world, ""); /* no second game is begun */
    /* The server sends the whole log again, then the request and the choice that was sent for
     * it. */
    hear(world, ">" ROOM "\n|init|battle\n|title|Foe vs. Banyan Bot\n" START
                "\n|move|p2a: Mew|Surf|p1a: Muk\n|-damage|p1a: Muk|40/100\n|turn|2");
    assert_memory_equal(&before, &world->lobby.battles[0]->tracker, sizeof before);
    char request[1000];
    snprintf(request, sizeof request, "%s\n|sentchoice|move 2", REQUEST("5"));
    hear(world, request);
    expect_sent(world, "");
    hear(world, REQUEST("7"));
    expect_sent(world, ROOM "|/choose move 1|7\n");
    hear(world, ">" ROOM "\n|win|Foe");
    assert_int_equal(world->result, BATTLE_LOST);
    assert_int_equal(world->lobby.count.battles.rebuilt, 1);
    world_free(world);
}

/* Removes a file of the battle from the folder; false: the folder does not have it. */
static bool took_file(const char *folder, const char *suffix)
{
    char path[256];
    snprintf(path, sizeof path, "%s/" ROOM ".%s", folder, suffix);
    return unlink(path) == 0;
}

/* Of battles that are won no file stays; of lost ones all. */
static void only_losses_are_saved(void **state)
{
    (void)state;
    static const struct {
        const char *end;
        bool only_losses, kept;
    } cases[] = {{"|win|Banyan Bot", false, true},
                 {"|win|Banyan Bot", true, false},
                 {"|tie", true, false},
                 {"|win|Foe", true, true}};
    char folder[] = "banyan-test-losses-XXXXXX";
    assert_non_null(mkdtemp(folder));
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char end[64];
        struct world *world = world_new(1, 1);
        world->settings.ladder = true;
        world->settings.battle.folder = folder;
        world->settings.battle.only_losses = cases[i].only_losses;
        world_open(world);
        log_in(world);
        begin(world);
        hear(world, REQUEST("3"));
        snprintf(end, sizeof end, ">" ROOM "\n%s", cases[i].end);
        hear(world, end);
        assert_int_equal(world->over, 1);
        assert_int_equal(took_file(folder, "jsonl"), cases[i].kept);
        assert_int_equal(took_file(folder, "log"), cases[i].kept);
        assert_int_equal(took_file(folder, "html"), cases[i].kept);
        assert_int_equal(strstr(world->said, "cannot") == NULL, 1);
        world_free(world);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* A line of another battle in the file of decisions is named, and the files are written all the same. */
static void decisions_that_do_not_fit_are_named(void **state)
{
    (void)state;
    char folder[] = "banyan-test-unfit-XXXXXX", path[256];
    assert_non_null(mkdtemp(folder));
    struct world *world = world_new(1, 1);
    world->settings.ladder = true;
    world->settings.battle.folder = folder;
    world_open(world);
    log_in(world);
    begin(world);
    hear(world, REQUEST("3"));
    snprintf(path, sizeof path, "%s/" ROOM ".jsonl", folder);
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs("{\"room\":\"another\",\"turn\":9,\"log_bytes\":5}\n", file);
    fclose(file);
    hear(world, ">" ROOM "\n|win|Banyan Bot");
    expect_said(world, ROOM ": the page leaves out 1 of 2 decisions, which do not fit the log");
    assert_true(took_file(folder, "jsonl") && took_file(folder, "log") &&
                took_file(folder, "html"));
    world_free(world);
    assert_int_equal(rmdir(folder), 0);
}

static void a_battle_that_does_not_come_back(void **state)
{
    (void)state;
    struct world *world = world_in_battle();
    lobby_lost(&world->lobby, world->now_ms);
    lobby_connected(&world->lobby, world->now_ms);
    world->sent[0] = 0;
    log_in(world);
    wait_ms(world, 5000);
    expect_sent(world, "|/join " ROOM "\n");
    hear(world, ">" ROOM "\n|noinit|nonexistent|The room \"" ROOM "\" does not exist.");
    assert_int_equal(world->over, 1);
    assert_int_equal(world->result, BATTLE_ABANDONED);
    wait_ms(world, 4000); /* the lobby plays another one instead */
    assert_non_null(strstr(world->sent, "|/search gen8randombattle\n"));
    /* A battle that was announced but sends nothing is replaced too. */
    begin(world);
    lobby_lost(&world->lobby, world->now_ms);
    lobby_connected(&world->lobby, world->now_ms);
    world->sent[0] = 0;
    log_in(world);
    wait_ms(world, 60000);
    assert_int_equal(world->over, 2);
    assert_int_equal(world->result, BATTLE_ABANDONED);
    world_free(world);
}

static void names(void **state)
{
    (void)state;
    struct world *world = world_new(1, 1);
    world->settings.ladder = world->settings.assertion = true;
    world_open(world);
    hear(world, "|challstr|4|abcd");
    assert_string_equal(world->challstr, "4|abcd");
    expect_sent(world, "");
    lobby_assertion(&world->lobby, "4,banyan;f0", NULL, world->now_ms);
    expect_sent(world, "|/trn Banyan Bot,0,4,banyan;f0\n");
    hear(world, "|nametaken|Banyan Bot|Your authentication token was invalid.");
    assert_int_equal(world->lobby.state, LOBBY_FAILED);
    assert_non_null(strstr(world->lobby.error.message, "token was invalid"));
    world_free(world);
}

static void a_throttled_answer_is_sent_again(void **state)
{
    (void)state;
    struct world *world = world_in_battle();
    hear(world, REQUEST("3"));
    world->sent[0] = 0;
    hear(world, ">" ROOM "\n|raw|<strong class=\"message-throttle-notice\">too quickly</strong>");
    expect_sent(world, ROOM "|/choose move 1|3\n");
    world_free(world);
}

static void the_server_keeps_time(void **state)
{
    (void)state;
    struct world *world = world_in_battle();
    hear(world, ">" ROOM "\n|inactive|Time left: 150 sec this turn | 90 sec total | 60 sec grace");
    const struct battle *battle = world->lobby.battles[0];
    assert_true(battle->clock_s == 90 && battle->clock_turn_s == 150);
    hear(world, ">" ROOM "\n|inactiveoff|Battle timer is now OFF.");
    assert_true(battle->clock_s < 0);
    hear(world, ">" ROOM "\n|-message|Banyan Bot lost due to inactivity.\n|\n|win|Foe");
    assert_int_equal(world->lobby.count.battles.timed_out, 1);
    assert_int_equal(world->result, BATTLE_LOST);
    world_free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_from_challenge_to_win),
        cmocka_unit_test(a_challenge_without_an_answer_is_repeated),
        cmocka_unit_test(challenges_that_are_accepted_and_refused),
        cmocka_unit_test(the_ladder),
        cmocka_unit_test(answers_that_are_refused),
        cmocka_unit_test(what_cannot_be_read_is_survived),
        cmocka_unit_test(a_battle_too_many_is_forfeited),
        cmocka_unit_test(a_battle_goes_on_after_a_disconnect),
        cmocka_unit_test(only_losses_are_saved),
        cmocka_unit_test(decisions_that_do_not_fit_are_named),
        cmocka_unit_test(a_battle_that_does_not_come_back),
        cmocka_unit_test(names),
        cmocka_unit_test(a_throttled_answer_is_sent_again),
        cmocka_unit_test(the_server_keeps_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
