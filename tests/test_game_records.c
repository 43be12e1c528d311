/* Records of games in our format: a record that is written can be read and replayed to the same
 * states, and one that breaks the rules is refused. */
#include "records/game_record.h"
#include "records/page.h"
#include "records/records.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { DICE = 1024, PLIES = 400 };

static struct banyan_error err;

/* A game of random choices, at most PLIES long, and all of its states. */
struct played {
    struct game_record record;
    const struct banyan_game *game;
    unsigned char *states; /* [PLIES + 1][state_size]; owned */
    char *line;            /* the record as it was written; owned */
};

static void *state_of(const struct played *played, int ply)
{
    return played->states + (size_t)ply * played->game->state_size;
}

static char *written(const struct game_record *record)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(game_record_write(record, file, &err), BANYAN_OK);
    size_t length = (size_t)ftell(file);
    char *text = calloc(1, length + 1);
    rewind(file);
    assert_true(text && fread(text, 1, length, file) == length);
    fclose(file);
    return text;
}

static void play_ply(struct played *played, int ply, struct banyan_rng *rng,
                     struct banyan_dice *dice)
{
    const struct banyan_game *game = played->game;
    void *now = state_of(played, ply), *next = state_of(played, ply + 1);
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    banyan_action *legal = malloc((size_t)game->max_legal * sizeof *legal);
    struct game_thought thoughts[BANYAN_MAX_PLAYERS];
    unsigned movers = game->movers(game, now);
    assert_non_null(legal);
    for (int p = 0; p < game->players; ++p) {
        thoughts[p] = (struct game_thought){0.25 * p, 1.5, (uint64_t)ply};
        if (movers >> p & 1)
            joint[p] = legal[banyan_rng_below(rng, (uint32_t)game->legal(game, now, p, legal))];
    }
    free(legal);
    memcpy(next, now, game->state_size);
    game->apply(game, next, joint, dice);
    const struct game_played step = {now, movers, joint, dice, ply % 2 ? thoughts : NULL};
    assert_int_equal(game_record_step(&played->record, &step, &err), BANYAN_OK);
}

static struct played play(const struct banyan_game *game, uint64_t seed)
{
    struct played played = {.game = game, .states = calloc(PLIES + 1, game->state_size)};
    struct banyan_die fallen[DICE];
    struct banyan_rng rng;
    struct banyan_dice dice;
    banyan_rng_seed(&rng, seed);
    banyan_dice_drawn(&dice, &rng);
    dice.log = fallen;
    dice.log_max = DICE;
    assert_non_null(played.states);
    assert_int_equal(game->init(game, state_of(&played, 0), NULL, &rng, &err), BANYAN_OK);
    assert_int_equal(game_record_begin(&played.record, game, state_of(&played, 0), &err),
                     BANYAN_OK);
    for (int p = 0; p < game->players; ++p)
        assert_int_equal(game_record_player(&played.record, p, p ? "\"<b>\"" : "a;b|c", &err),
                         BANYAN_OK);
    int ply = 0;
    while (ply < PLIES && game->movers(game, state_of(&played, ply)))
        play_ply(&played, ply++, &rng, &dice);
    game_record_end(&played.record, state_of(&played, ply));
    played.line = written(&played.record);
    return played;
}

static void forget(struct played *played)
{
    game_record_free(&played->record);
    free(played->states);
    free(played->line);
}

static struct game_record parsed(const char *line)
{
    struct game_record record;
    if (game_record_parse(&record, line, strlen(line), &err) != BANYAN_OK)
        fail_msg("%s: %.200s", err.message, line);
    return record;
}

/* A replay has every state of the game, and the parsed record is written as the same line. */
static void check_replay(const struct played *played)
{
    struct game_record record = parsed(played->line);
    struct game_replay replay;
    assert_int_equal(game_replay_begin(&replay, &record, &err), BANYAN_OK);
    assert_memory_equal(replay.state, played->states, played->game->state_size);
    while (replay.ply < record.plies) {
        if (game_replay_next(&replay, &err) != BANYAN_OK)
            fail_msg("%s: %s", played->game->name, err.message);
        if (memcmp(replay.state, state_of(played, replay.ply), played->game->state_size) != 0)
            fail_msg("%s: another state after ply %d", played->game->name, replay.ply);
    }
    if (game_replay_check(&replay, &err) != BANYAN_OK)
        fail_msg("%s: %s", played->game->name, err.message);
    game_replay_end(&replay);
    for (int ply = 0; ply < record.plies; ++ply)
        assert_string_equal(game_record_text(&record, ply), game_record_text(&played->record, ply));
    assert_string_equal(record.players[0], "a;b|c");
    char *again = written(&record);
    assert_string_equal(again, played->line);
    free(again);
    game_record_free(&record);
}

static void every_game_comes_again(void **unused)
{
    (void)unused;
    const struct banyan_game *game;
    for (int i = 0; (game = banyan_game_at(i)); ++i)
        for (uint64_t seed = 1; seed <= 3; ++seed) {
            struct played played = play(game, seed);
            check_replay(&played);
            forget(&played);
        }
}

static const struct banyan_game *named(const char *name)
{
    const struct banyan_game *game;
    assert_int_equal(banyan_game_find(name, &game, &err), BANYAN_OK);
    return game;
}

/* A game that is taken back and continued is recorded like one that was played this way. */
static void plies_are_taken_back(void **unused)
{
    (void)unused;
    struct played played = play(named("pig"), 7);
    struct game_record *record = &played.record;
    game_record_cut(record, 5);
    assert_int_equal(record->plies, 5);
    assert_false(record->finished);
    for (int ply = 5; ply < 8; ++ply) {
        struct banyan_rng rng;
        struct banyan_die fallen[DICE];
        struct banyan_dice dice;
        banyan_rng_seed(&rng, (uint64_t)ply);
        banyan_dice_drawn(&dice, &rng);
        dice.log = fallen;
        dice.log_max = DICE;
        play_ply(&played, ply, &rng, &dice);
    }
    game_record_end(record, state_of(&played, 8));
    free(played.line);
    played.line = written(record);
    check_replay(&played);
    forget(&played);
}

/* --- what is refused --- */

/* The line with the first `from` replaced by `to`. */
static char *changed(const char *line, const char *from, const char *to)
{
    const char *at = strstr(line, from);
    if (!at)
        fail_msg("'%s' is not in %s", from, line);
    size_t room = strlen(line) + strlen(to) + 1;
    char *text = malloc(room);
    assert_non_null(text);
    snprintf(text, room, "%.*s%s%s", (int)(at - line), line, to, at + strlen(from));
    return text;
}

static const char tictactoe[] =
    "{\"record\":1,\"game\":\"tictactoe\",\"number\":0,\"players\":[\"a\",\"b\"],"
    "\"start\":\".../.../... x\",\"opening_plies\":0,\"plies\":5,\"actions\":\"a1 b1 a2 b2 a3\","
    "\"returns\":[1,-1],\"overstepped\":null,\"movers\":[[0],[1],[0],[1],[0]],"
    "\"codes\":[[\"0\"],[\"1\"],[\"3\"],[\"4\"],[\"6\"]]}";

static const char pig[] =
    "{\"record\":1,\"game\":\"pig\",\"number\":0,\"players\":[\"a\",\"b\"],"
    "\"start\":\"target=10 horizon=1000 scores=0,0 turn=0 player=1 ply=0\",\"plies\":2,"
    "\"actions\":\"roll roll\",\"returns\":[1,-1],\"overstepped\":null,"
    "\"dice\":[[[\"die\",6,5]],[[\"die\",6,6]]]}";

/* What verify prints of a line, and how many differences it counts. */
static uint64_t verified(const char *line, char *says, size_t size)
{
    struct game_record record;
    struct records_source *source;
    FILE *out = tmpfile();
    struct records_report report = {.out = out, .shown = 9};
    const struct records_format *format = records_format_at(0);
    assert_string_equal(format->name, "banyan");
    assert_non_null(out);
    snprintf(says, size, "%s", "");
    enum banyan_status status = game_record_parse(&record, line, strlen(line), &err);
    const struct banyan_game *game = status == BANYAN_OK ? record.game : named("tictactoe");
    if (status == BANYAN_OK)
        game_record_free(&record);
    assert_int_equal(records_open_memory("memory", line, strlen(line), &source, &err), BANYAN_OK);
    if (format->read(game, source, &report, &err) != BANYAN_OK)
        snprintf(says, size, "%s", err.message);
    rewind(out);
    if (!*says)
        says[fread(says, 1, size - 1, out)] = 0;
    fclose(out);
    records_close(source);
    return report.differences;
}

static void records_that_break_the_rules(void **unused)
{
    (void)unused;
    static const struct {
        const char *line, *from, *to, *says;
    } cases[] = {
        {tictactoe, "a1 b1", "a1 a1", "ply 2: "},
        {tictactoe, "a1 b1", "a1 c1", "ply 2: 'c1' has the code 2 here, not 1"},
        {tictactoe, "[1,-1]", "[-1,1]", "X has the return -1"},
        {tictactoe, "[1,-1]", "null", "by Banyan's rules the game is over"},
        {tictactoe, "[[0],[1],", "[[1],[1],", "ply 1: by Banyan's rules other players choose"},
        {tictactoe, "\"plies\":5,\"actions\":\"a1 b1 a2 b2 a3\"",
         "\"plies\":4,\"actions\":\"a1 b1 a2 b2\"", "the game is not over after its last ply"},
        {tictactoe, "\"plies\":5", "\"plies\":6", "5 actions and says 6 plies"},
        {tictactoe, "\"plies\":5,\"actions\":\"", "\"plies\":6,\"actions\":\"b3 ", "ply 1: "},
        {tictactoe, "\"record\":1", "\"record\":2", "a later program wrote it"},
        {tictactoe, "\"tictactoe\"", "\"tictactow\"", "did you mean 'tictactoe'?"},
        {tictactoe, "\"start\":\"...", "\"start\":\"??.", "the start of the record"},
        {tictactoe, "[\"a\",\"b\"]", "[\"a\"]", "\"players\""},
        {tictactoe, "\"overstepped\":null", "\"overstepped\":2", "\"overstepped\""},
        {tictactoe, "[\"0\"]", "[0]", "\"codes\""},
        {tictactoe, "{", "", "not JSON"},
        {pig, "6,5", "6,1", "by Banyan's rules the game is not over"},
        {pig, "6,5", "6,7", "ply 1: "},
        {pig, "6,6]", "6,6],[\"die\",6,1]", "ply 2: the record has more dice"},
        {pig, "\"die\",6,5", "\"dye\",6,5", "\"dice\""},
        {pig, "\"dice\":", "\"d\":", "neither dice nor their seed"},
        {pig, ",[[\"die\",6,6]]", "", "\"dice\""},
        {tictactoe, "[1,-1]", "[1]", "a number for every player"},
        {tictactoe, "[1,-1]", "[1,\"-1\"]", "a number for every player"},
        {tictactoe, "[1,-1]", "[1,-1],\"points\":[1]", "\"points\""},
        {tictactoe, "[[0],[1],", "[[0],[2],", "\"movers\""},
        {tictactoe, "[[0],[1],", "[[0],[-1],", "\"movers\""},
        {tictactoe, "[[0],[1],", "[[0],[\"1\"],", "\"movers\""},
    };
    char says[4096];
    assert_int_equal(verified(tictactoe, says, sizeof says), 0);
    assert_string_equal(says, "");
    assert_int_equal(verified(pig, says, sizeof says), 0);
    assert_string_equal(says, "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char *line = changed(cases[i].line, cases[i].from, cases[i].to);
        verified(line, says, sizeof says);
        if (!strstr(says, cases[i].says))
            fail_msg("case %zu: '%s' lacks '%s'", i, says, cases[i].says);
        free(line);
    }
}

/* Too many dice are refused as such.  As many as a record may have are read, and here they are no
 * dice. */
static void records_with_many_dice(void **unused)
{
    (void)unused;
    static const char *const says[] = {"a list of [KIND, SIDES, VALUE]",
                                       "the record has 1048577 dice, and 1048576 are the most"};
    for (int extra = 0; extra < 2; ++extra) {
        struct game_record record;
        int count = (1 << 20) - 1 + extra; /* of ply 1; ply 2 has one more */
        char *zeros = malloc(2 * (size_t)count + 8), *at = zeros;
        assert_non_null(zeros);
        at += snprintf(zeros, 8, "[[");
        for (int i = 0; i < count; ++i, at += 2)
            memcpy(at, "0,", 2);
        at[-1] = 0;
        char *line = changed(pig, "[[[\"die\",6,5]", zeros);
        assert_int_equal(game_record_parse(&record, line, strlen(line), &err), BANYAN_CORRUPT);
        if (!strstr(err.message, says[extra]))
            fail_msg("'%s' lacks '%s'", err.message, says[extra]);
        free(line);
        free(zeros);
    }
}

/* A die is a list of three numbers: a kind that the game knows, 0 to 32767 sides, and a value from
 * -32767 to 32767. */
static void dice_of_records(void **unused)
{
    (void)unused;
    static const struct {
        const char *die;
        int sides, value; /* sides -1: refused */
    } cases[] = {{"[\"die\",0,5]", 0, 5},
                 {"[\"die\",1,1]", 1, 1},
                 {"[\"die\",32767,5]", 32767, 5},
                 {"[\"die\",32768,5]", -1, 0},
                 {"[\"die\",-1,5]", -1, 0},
                 {"[\"die\",6,32767]", 6, 32767},
                 {"[\"die\",6,-32767]", 6, -32767},
                 {"[\"die\",6,32768]", -1, 0},
                 {"[\"die\",6,-32768]", -1, 0},
                 {"[\"die\",6,\"5\"]", -1, 0},
                 {"[\"die\",\"6\",5]", -1, 0},
                 {"[0,6,5]", 6, 5},
                 {"[-1,6,5]", -1, 0},
                 {"[32768,6,5]", -1, 0},
                 {"[\"die\",6]", -1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct game_record record;
        char *line = changed(pig, "[\"die\",6,5]", cases[i].die);
        enum banyan_status status = game_record_parse(&record, line, strlen(line), &err);
        if (status != (cases[i].sides < 0 ? BANYAN_CORRUPT : BANYAN_OK))
            fail_msg("%s: status %d", cases[i].die, (int)status);
        if (status == BANYAN_OK) {
            assert_int_equal(record.dice_count, 2);
            assert_int_equal(record.dice[0].sides, cases[i].sides);
            assert_int_equal(record.dice[0].value, cases[i].value);
            game_record_free(&record);
        }
        free(line);
    }
}

/* A log that is full may have lost dice: the record has none, and says so by having no column. */
static void dice_that_were_not_logged(void **unused)
{
    (void)unused;
    for (int room = 0; room <= 2; ++room) {
        const struct banyan_game *game = named("pig");
        struct game_record record;
        struct banyan_rng rng;
        struct banyan_dice dice;
        struct banyan_die log[2];
        unsigned char state[64] = {0}, next[64];
        banyan_rng_seed(&rng, 1);
        banyan_dice_drawn(&dice, &rng);
        dice.log = room ? log : NULL;
        dice.log_max = room;
        assert_int_equal(game->init(game, state, NULL, &rng, &err), BANYAN_OK);
        assert_int_equal(game_record_begin(&record, game, state, &err), BANYAN_OK);
        const banyan_action roll[2] = {0};
        memcpy(next, state, sizeof next);
        game->apply(game, next, roll, &dice);
        const struct game_played step = {state, game->movers(game, state), roll, &dice, NULL};
        assert_int_equal(game_record_step(&record, &step, &err), BANYAN_OK);
        game_record_end(&record, next);
        char *line = written(&record);
        assert_int_equal(record.dice_count, room == 2);
        assert_int_equal(strstr(line, "\"dice\"") != NULL, room == 2);
        assert_int_equal(dice.log_count, 0);
        free(line);
        game_record_free(&record);
    }
}

/* Writing to a full disk fails with the message of the system. */
static void a_full_disk(void **unused)
{
    (void)unused;
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    struct game_record record = parsed(tictactoe);
    assert_int_equal(game_record_write(&record, full, &err), BANYAN_IO);
    assert_non_null(strstr(err.message, "No space left"));
    assert_int_equal(page_write(&record, "x", full, &err), BANYAN_IO);
    assert_non_null(strstr(err.message, "No space left"));
    fclose(full);
    game_record_free(&record);
}

/* A player who lost on time or by an illegal action has lost, whatever the board says. */
static void games_lost_at_the_table(void **unused)
{
    (void)unused;
    char says[4096];
    char *three = changed(tictactoe, "\"plies\":5,\"actions\":\"a1 b1 a2 b2 a3\"",
                          "\"plies\":3,\"actions\":\"a1 b1 a2\"");
    char *late = changed(three, "\"overstepped\":null", "\"overstepped\":1");
    char *wrong = changed(three, "\"overstepped\":null",
                          "\"overstepped\":null,\"forfeited\":1,\"reason\":\"Not fit\"");
    char *other = changed(late, "\"overstepped\":1", "\"overstepped\":0");
    assert_int_equal(verified(late, says, sizeof says), 0);
    assert_int_equal(verified(wrong, says, sizeof says), 0);
    assert_int_equal(verified(other, says, sizeof says), 1);
    free(three);
    free(late);
    free(wrong);
    free(other);
}

/* FILE, FILE:PLY and FILE:GAME:PLY. */
static void places_in_files(void **unused)
{
    (void)unused;
    static const struct {
        const char *behind, *game;
        int ply;
    } cases[] = {{"", "tictactoe", -1},    {":3", "tictactoe", 3},   {":0", "tictactoe", 0},
                 {":2:1", "pig", 1},       {":1:2", "tictactoe", 2}, {":x", NULL, 0},
                 {":3:0", NULL, 0},        {":+3", NULL, 0},         {": 3", NULL, 0},
                 {":-1", NULL, 0},         {":3x", NULL, 0},         {":0:1", NULL, 0},
                 {":1:0", "tictactoe", 0}, {":2147483648", NULL, 0}};
    char path[] = "/tmp/test_game_records.XXXXXX", place[64];
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *out = fdopen(file, "w");
    fprintf(out, "%s\n\n%s\n", tictactoe, pig);
    fclose(out);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct game_record record;
        int ply;
        snprintf(place, sizeof place, "%s%s", path, cases[i].behind);
        enum banyan_status status = game_record_find(&record, place, &ply, &err);
        if (!cases[i].game) {
            assert_int_not_equal(status, BANYAN_OK);
            continue;
        }
        assert_int_equal(status, BANYAN_OK);
        assert_string_equal(record.game->name, cases[i].game);
        assert_int_equal(ply, cases[i].ply);
        game_record_free(&record);
    }
    unlink(path);
}

/* --- pages --- */

static char *page_of(const struct played *played)
{
    struct game_record record = parsed(played->line);
    char *page = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&page, &size);
    assert_non_null(out);
    if (page_write(&record, "x <b>.jsonl", out, &err) != BANYAN_OK)
        fail_msg("%s: %s", played->game->name, err.message);
    fclose(out);
    game_record_free(&record);
    return page;
}

/* The data inside of the page. */
static json_t *data_of(const char *page)
{
    static const char mark[] = "id=\"data\">";
    const char *at = strstr(page, mark);
    assert_non_null(at);
    at += sizeof mark - 1;
    const char *end = strchr(at, '<');
    assert_true(strncmp(end, "</script>", 9) == 0);
    json_t *data = json_loadb(at, (size_t)(end - at), 0, NULL);
    assert_non_null(data);
    return data;
}

/* Board number index of the page, put together from its lines as the page does it. */
static void check_board(const json_t *data, size_t index, const char *want)
{
    const json_t *board = json_array_get(json_object_get(data, "boards"), index);
    const json_t *lines = json_object_get(data, "lines");
    for (size_t i = 0; i < json_array_size(board); ++i) {
        size_t number = (size_t)json_integer_value(json_array_get(board, i));
        const json_t *line = json_array_get(lines, number);
        assert_true(json_is_string(line));
        size_t length = json_string_length(line);
        assert_memory_equal(want, json_string_value(line), length);
        want += length + (want[length] == '\n');
    }
    assert_string_equal(want, "");
}

static void check_real(double want, const json_t *got)
{
    if (isnan(want))
        assert_true(json_is_null(got));
    else
        assert_true(fabs(json_number_value(got) - want) < 1e-5);
}

static const json_t *entry_of(const json_t *row, const char *key, size_t index)
{
    return json_array_get(json_object_get(row, key), index);
}

/* The row of a ply: who chose what, what they thought of it, and the dice. */
static void check_ply(const struct played *played, int ply, const json_t *row)
{
    const struct banyan_game *game = played->game;
    const struct game_step *step = &played->record.steps[ply];
    char text[BANYAN_TEXT_MAX];
    size_t count = 0;
    for (int p = 0; p < game->players; ++p) {
        if (!(step->movers >> p & 1))
            continue;
        game->action_format(game, state_of(played, ply), p, step->joint[p], text, sizeof text);
        assert_int_equal(json_integer_value(entry_of(row, "by", count)), p);
        assert_string_equal(json_string_value(entry_of(row, "actions", count)), text);
        check_real(ply % 2 ? 0.25 * p : (double)NAN, entry_of(row, "values", count));
        check_real(ply % 2 ? 1.5 : (double)NAN, entry_of(row, "ms", count));
        assert_int_equal(json_integer_value(entry_of(row, "simulations", count)),
                         ply % 2 ? ply : 0);
        ++count;
    }
    assert_int_equal(json_array_size(json_object_get(row, "by")), count);
    const json_t *dice = json_object_get(row, "dice");
    assert_int_equal(json_is_string(dice), step->dice_count > 0 && game->dice_kinds);
    if (step->dice_count && strcmp(game->name, "pig") == 0) {
        snprintf(text, sizeof text, "%d", played->record.dice[step->dice_first].value);
        assert_non_null(strstr(json_string_value(dice), text));
    }
}

static void check_score(const struct played *played, int ply, const json_t *data)
{
    float points[BANYAN_MAX_PLAYERS];
    const json_t *scores = json_object_get(data, "scores");
    assert_int_equal(json_is_array(scores), played->game->points != NULL);
    if (!played->game->points)
        return;
    played->game->points(played->game, state_of(played, ply), points);
    for (int p = 0; p < played->game->players; ++p)
        check_real((double)points[p],
                   json_array_get(json_array_get(scores, (size_t)ply), (size_t)p));
}

static void check_page(const struct played *played)
{
    const struct banyan_game *game = played->game;
    int (*draw)(const struct banyan_game *, const void *, int, char *, size_t) =
        game->svg ? game->svg : game->draw;
    static char want[1 << 20];
    char *page = page_of(played);
    json_t *data = data_of(page);
    size_t plies = json_array_size(json_object_get(data, "plies"));
    assert_int_equal(plies, played->record.plies);
    assert_int_equal(json_array_size(json_object_get(data, "boards")), plies + 1);
    for (size_t ply = 0; draw && ply <= plies && strncmp(game->name, "bloodbowl", 9); ply += 7) {
        draw(game, state_of(played, (int)ply), -1, want, sizeof want);
        check_board(data, ply, want);
    }
    for (size_t ply = 0; ply < plies; ++ply)
        check_ply(played, (int)ply, json_array_get(json_object_get(data, "plies"), ply));
    for (size_t ply = 0; ply <= plies; ++ply)
        check_score(played, (int)ply, data);
    check_real((double)game->return_min, entry_of(data, "range", 0));
    check_real((double)game->return_max, entry_of(data, "range", 1));
    for (int p = 0; p < game->players; ++p)
        assert_string_equal(json_string_value(entry_of(data, "seats", (size_t)p)),
                            banyan_game_player_name(game, p));
    assert_string_equal(json_string_value(json_array_get(json_object_get(data, "players"), 0)),
                        "a;b|c");
    json_decref(data);
    free(page);
}

static void every_game_has_a_page(void **unused)
{
    (void)unused;
    const struct banyan_game *game;
    for (int i = 0; (game = banyan_game_at(i)); ++i) {
        struct played played = play(game, 5);
        check_page(&played);
        forget(&played);
    }
}

/* A page says how the game ended. */
static void results_of_pages(void **unused)
{
    (void)unused;
    static const char three[] = "\"plies\":3,\"actions\":\"a1 b1 a2\"",
                      five[] = "\"plies\":5,\"actions\":\"a1 b1 a2 b2 a3\"";
    static const struct {
        const char *plies, *returns, *says;
    } cases[] = {
        {five, "\"returns\":[1,-1]", "X wins, 1 : -1"},
        {three, "\"returns\":null", "not finished"},
        {three, "\"overstepped\":1,\"returns\":[1,-1]", "O ran out of time"},
        {three, "\"overstepped\":0,\"returns\":[-1,1]", "X ran out of time"},
        {three, "\"forfeited\":0,\"returns\":[-1,1]", "X broke a rule"},
        {three, "\"forfeited\":1,\"reason\":\"Not fit\",\"returns\":[1,-1]",
         "O broke a rule: Not fit"},
        {"\"plies\":9,\"actions\":\"a1 b1 c1 b2 a2 a3 b3 c2 c3\"", "\"returns\":[0,0]",
         "a draw, 0 : 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char line[1024];
        snprintf(line, sizeof line,
                 "{\"record\":1,\"game\":\"tictactoe\",\"number\":0,\"players\":[\"a;b|c\",\"b\"],"
                 "\"start\":\".../.../... x\",\"opening_plies\":0,%s,%s}",
                 cases[i].plies, cases[i].returns);
        struct played played = {.game = named("tictactoe"), .line = line};
        char *page = page_of(&played);
        json_t *data = data_of(page);
        const char *result = json_string_value(json_object_get(data, "result"));
        if (!result || strncmp(result, cases[i].says, strlen(cases[i].says)) != 0)
            fail_msg("case %zu: '%s' instead of '%s'", i, result, cases[i].says);
        json_decref(data);
        free(page);
    }
}

/* A record need not have the points of a game that counts points: then a page shows the returns. */
static void results_without_points(void **unused)
{
    (void)unused;
    struct played played = play(named("othello"), 5);
    char says[64];
    assert_true(played.record.finished && played.record.has_points);
    snprintf(says, sizeof says, " wins, %g : %g", (double)played.record.returns[0],
             (double)played.record.returns[1]);
    played.record.has_points = false;
    free(played.line);
    played.line = written(&played.record);
    char *page = page_of(&played);
    json_t *data = data_of(page);
    const char *result = json_string_value(json_object_get(data, "result"));
    if (!result || !strstr(result, says))
        fail_msg("'%s' instead of '...%s'", result, says);
    json_decref(data);
    free(page);
    forget(&played);
}

/* Names and sources are text, not parts of the page, and the page fetches nothing. */
static void pages_are_safe(void **unused)
{
    (void)unused;
    struct played played = play(named("mushroom"), 5);
    free(played.line);
    assert_int_equal(
        game_record_player(&played.record, 0, "</script><script>alert(1)</script>", &err),
        BANYAN_OK);
    played.line = written(&played.record);
    char *page = page_of(&played);
    json_t *data = data_of(page);
    assert_string_equal(json_string_value(json_array_get(json_object_get(data, "players"), 0)),
                        "</script><script>alert(1)</script>");
    json_decref(data);
    assert_null(strstr(page, "<script>alert"));
    assert_null(strstr(page, "<b>"));
    for (const char *at = page; (at = strstr(at, "http")); at += 4)
        assert_true(strncmp(at, "http://www.w3.org/2000/svg", 26) == 0);
    free(page);
    forget(&played);
}

/* A record that breaks the rules has no page. */
static void wrong_records_have_no_page(void **unused)
{
    (void)unused;
    char *line = changed(tictactoe, "a1 b1", "a1 a1");
    struct game_record record = parsed(line);
    FILE *out = tmpfile();
    assert_non_null(out);
    assert_int_not_equal(page_write(&record, "x", out, &err), BANYAN_OK);
    assert_true(strncmp(err.message, "ply 2: ", 7) == 0);
    assert_int_equal(ftell(out), 0);
    fclose(out);
    game_record_free(&record);
    free(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_game_comes_again),
        cmocka_unit_test(plies_are_taken_back),
        cmocka_unit_test(records_that_break_the_rules),
        cmocka_unit_test(games_lost_at_the_table),
        cmocka_unit_test(dice_of_records),
        cmocka_unit_test(records_with_many_dice),
        cmocka_unit_test(dice_that_were_not_logged),
        cmocka_unit_test(a_full_disk),
        cmocka_unit_test(places_in_files),
        cmocka_unit_test(every_game_has_a_page),
        cmocka_unit_test(results_of_pages),
        cmocka_unit_test(results_without_points),
        cmocka_unit_test(pages_are_safe),
        cmocka_unit_test(wrong_records_have_no_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
