/* Pokémon: tables, recorded battles, random play, texts. */
#include "games/pokemon/pokemon.h"
#include "records/records.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct banyan_game *game(void)
{
    const struct banyan_game *found;
    assert_int_equal(banyan_game_find("pokemon", &found, NULL), BANYAN_OK);
    return found;
}

/* --- tables --- */

static void test_names_are_found(void **unused)
{
    (void)unused;
    for (int i = 1; i < SPECIES_COUNT; ++i)
        assert_int_equal(dex_find_species(dex_species[i].id), i);
    for (int i = 1; i < MOVE_COUNT; ++i)
        assert_int_equal(dex_find_move(dex_moves[i].id), i);
    for (int i = 1; i < ABILITY_COUNT; ++i)
        assert_int_equal(dex_find_ability(dex_abilities[i].id), i);
    for (int i = 1; i < ITEM_COUNT; ++i)
        assert_int_equal(dex_find_item(dex_items[i].id), i);
    assert_int_equal(dex_find_move("splash"), 0);
    assert_int_equal(dex_find_species(""), 0);
}

static void test_stats(void **unused)
{
    (void)unused;
    static const uint8_t evs[] = {85, 85, 85, 85, 85, 85}, ivs[] = {31, 31, 31, 31, 31, 31};
    uint16_t stats[STAT_COUNT];
    dex_stats(SPECIES_GARCHOMP, 73, evs, ivs, stats);
    assert_int_equal(stats[STAT_HP], (2 * 108 + 31 + 21 + 100) * 73 / 100 + 10);
    assert_int_equal(stats[STAT_ATK], (2 * 130 + 31 + 21) * 73 / 100 + 5);
    dex_stats(SPECIES_SHEDINJA, 100, evs, ivs, stats);
    assert_int_equal(stats[STAT_HP], 1);
}

static void test_type_chart(void **unused)
{
    (void)unused;
    assert_int_equal(dex_effectiveness[TYPE_WATER][TYPE_FIRE], 1);
    assert_int_equal(dex_effectiveness[TYPE_FIRE][TYPE_WATER], -1);
    assert_int_equal(dex_effectiveness[TYPE_NORMAL][TYPE_WATER], 0);
    assert_true(dex_immune_types[TYPE_GROUND] >> TYPE_FLYING & 1);
    assert_false(dex_immune_types[TYPE_WATER]);
    assert_int_equal(dex_moves[MOVE_EARTHQUAKE].max_power, 130);
    assert_int_equal(dex_max_moves[TYPE_FLYING], MOVE_MAXAIRSTREAM);
}

static void test_set_prior(void **unused)
{
    (void)unused;
    uint32_t total = 0;
    for (int i = 0; i < dex_entry_count; ++i) {
        const struct dex_entry *entry = &dex_entries[i];
        uint32_t count = 0;
        assert_in_range(entry->first_set + entry->sets, 1, dex_set_count);
        for (int k = 0; k < entry->sets; ++k)
            count += dex_sets[entry->first_set + k].count;
        assert_int_equal(count, entry->count);
        total += entry->count;
    }
    assert_int_equal(total, dex_entry_total);
}

/* --- recorded battles --- */

/* out: where the first difference is told; NULL: nowhere. */
static struct records_report verify_memory_to(FILE *out, const char *text)
{
    struct records_report report = {.out = out, .shown = 1};
    struct records_source *source;
    struct banyan_error err = {.message = ""};
    const struct records_format *format = NULL;
    for (int i = 0; records_format_at(i); ++i)
        if (strcmp(records_format_at(i)->name, "pokemon") == 0)
            format = records_format_at(i);
    assert_non_null(format);
    assert_int_equal(records_open_memory("memory", text, strlen(text), &source, &err), BANYAN_OK);
    if (format->read(game(), source, &report, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    records_close(source);
    return report;
}

static struct records_report verify_memory(const char *text)
{
    return verify_memory_to(NULL, text);
}

/* Battles of Pokémon Showdown: chosen because together they use many moves, abilities and items
 * (cover), and because what happens in them happens in few battles (rare). */
static void test_recorded_battles(void **unused)
{
    static const struct {
        const char *path;
        uint64_t games, steps;
    } files[] = {{TEST_DATA "/pokemon/cover.jsonl.gz", 60, 2357},
                 {TEST_DATA "/pokemon/rare.jsonl.gz", 53, 2575}};
    (void)unused;
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        struct records_report report = {.out = stderr, .shown = 20};
        struct banyan_error err = {.message = ""};
        if (records_verify(game(), NULL, files[i].path, &report, &err) != BANYAN_OK)
            fail_msg("%s", err.message);
        assert_int_equal(report.games, files[i].games);
        assert_int_equal(report.steps, files[i].steps);
        assert_int_equal(report.differences, 0);
        assert_int_equal(report.whole, files[i].games);
    }
}

/* The first steps of a game as one text. */
static char *first_lines(int count)
{
    struct records_source *source;
    char *text = calloc(1, 1 << 20), *line;
    size_t used = 0, length;
    assert_int_equal(records_open(TEST_DATA "/pokemon/cover.jsonl.gz", &source, NULL), BANYAN_OK);
    for (int i = 0; i < count; ++i) {
        assert_int_equal(records_line(source, &line, &length, NULL), BANYAN_OK);
        assert_true(used + length + 2 < 1 << 20);
        memcpy(text + used, line, length);
        used += length;
        text[used++] = '\n';
    }
    records_close(source);
    return text;
}

/* A game without steps is not whole, whatever the game before it was. */
static void test_games_without_steps(void **unused)
{
    (void)unused;
    enum { FIRST_GAME = 64 };
    char *text = first_lines(FIRST_GAME), *end = strstr(text, "{\"t\":\"end\"");
    assert_non_null(end);
    size_t length = strlen(text), game_line = strcspn(text, "\n") + 1, end_line = strlen(end);
    assert_true(length + game_line + end_line < 1 << 20);
    memcpy(text + length, text, game_line);
    memcpy(text + length + game_line, end, end_line);
    struct records_report report = verify_memory(text);
    assert_int_equal(report.games, 2);
    assert_int_equal(report.whole, 1);
    free(text);
}

/* An error in a record is found. */
static void test_differences_are_seen(void **unused)
{
    (void)unused;
    char *text = first_lines(6);
    assert_int_equal(verify_memory(text).differences, 0);
    char *last = text;
    for (int i = 0; i < 5; ++i)
        last = strchr(last, '\n') + 1;
    char *hp = strstr(last, "\"hp\":");
    assert_non_null(hp);
    hp[5] = hp[5] == '1' ? '2' : '1';
    assert_int_equal(verify_memory(text).differences, 1);
    free(text);
}

/* The dice of the first step are compared, too, and the message says only what differs. */
static void test_dice_of_the_start(void **unused)
{
    (void)unused;
    static const char die[] = "[\"c\",90,100,1,\"hitStepAccuracy|||toxic\"]";
    char *text = first_lines(2), *said = NULL, *dice = strstr(text, "\"rng\":[");
    size_t size = 0;
    FILE *out = open_memstream(&said, &size);
    assert_non_null(out);
    assert_non_null(dice);
    dice += strlen("\"rng\":[");
    memmove(dice + sizeof die - 1, dice, strlen(dice) + 1);
    memcpy(dice, die, sizeof die - 1);
    assert_int_equal(verify_memory_to(out, text).differences, 1);
    fclose(out);
    const char *says = strstr(said, "start: ");
    assert_non_null(says);
    says += strlen("start: ");
    assert_memory_equal(says, "dice: 0 of 1 used\n", strlen("dice: 0 of 1 used\n"));
    free(said);
    free(text);
}

/* Where the choices begin that the server offered after the first decision. */
static char *choices_of(char *text)
{
    char *line = strchr(strchr(text, '\n') + 1, '\n') + 1, *legal = strstr(line, "\"legal\":[");
    assert_non_null(legal);
    return legal + strlen("\"legal\":[");
}

/* The number of differences that verify finds in the record if `others` follow the last of these
 * choices. */
static uint64_t differences_with(const char *others)
{
    char *text = first_lines(3), *end = strchr(choices_of(text), ']');
    assert_non_null(end);
    memmove(end + strlen(others), end, strlen(end) + 1);
    memcpy(end, others, strlen(others));
    uint64_t differences = verify_memory(text).differences;
    free(text);
    return differences;
}

/* The server's choices are Banyan's: each of them up to the sixteenth is looked at. */
static void test_legal_choices_are_compared(void **unused)
{
    (void)unused;
    char *text = first_lines(3), *first = choices_of(text), others[512] = "";
    int offered = 1;
    for (const char *at = first; *at != ']'; ++at)
        offered += *at == ',';
    assert_in_range(offered, 2, 13);
    char *comma = strchr(first, ',');
    assert_int_equal(differences_with(""), 0);
    for (; offered < 15; ++offered) /* named again: nothing new */
        sprintf(others + strlen(others), ",%.*s", (int)(comma - first), first);
    assert_int_equal(differences_with(others), 0);
    strcat(others, ",\"move 9\"");
    assert_int_equal(differences_with(others), 1);
    assert_int_equal(differences_with(",\"switch 1\""), 1);
    memmove(first, comma + 1, strlen(comma + 1) + 1);
    assert_int_equal(verify_memory(text).differences, 1); /* one of Banyan's is missing */
    free(text);
}

/* --- random play --- */

static void play_random(struct pokemon *s, struct banyan_rng *rng, int plies)
{
    game()->rollout(game(), s, 0, plies, rng);
}

static void test_random_games_end(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    int wins[2] = {0, 0};
    banyan_rng_seed(&rng, 42);
    for (int i = 0; i < 500; ++i) {
        struct pokemon s;
        float returns[2];
        assert_int_equal(game()->init(game(), &s, NULL, &rng, NULL), BANYAN_OK);
        play_random(&s, &rng, game()->max_plies);
        assert_int_equal(game()->movers(game(), &s), 0);
        game()->returns(game(), &s, returns);
        assert_true(returns[0] + returns[1] == 0.0f);
        wins[0] += returns[0] > 0;
        wins[1] += returns[1] > 0;
    }
    assert_in_range(wins[0], 180, 320); /* both sides win equally often */
    assert_in_range(wins[1], 180, 320);
}

static void test_state_texts(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    char text[BANYAN_TEXT_MAX];
    banyan_rng_seed(&rng, 7);
    for (int i = 0; i < 200; ++i) {
        struct pokemon s, back;
        assert_int_equal(game()->init(game(), &s, NULL, &rng, NULL), BANYAN_OK);
        play_random(&s, &rng, i % 60);
        assert_in_range(game()->format(game(), &s, text, sizeof text), 1, sizeof text - 1);
        assert_int_equal(game()->init(game(), &back, text, NULL, NULL), BANYAN_OK);
        assert_memory_equal(&s, &back, sizeof s);
    }
}

static void test_bad_texts(void **unused)
{
    (void)unused;
    static const char *const bad[] = {"nonsense",
                                      "battle",
                                      "battle turn=1 | p3 order=0",
                                      "battle turn=x",
                                      "battle turn=1 | p1.0 species=missingno",
                                      "teams | p1.0 species=snorlax",
                                      "battle | p1 order=0,1,2,3,4,4"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        struct pokemon s;
        struct banyan_error err = {.message = ""};
        assert_int_not_equal(game()->init(game(), &s, bad[i], NULL, &err), BANYAN_OK);
        assert_int_not_equal(err.message[0], 0);
    }
}

/* A player who has not seen the foe's bench gets a drawn one; what the player has seen stays. */
static void test_determinize(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    int changed = 0;
    banyan_rng_seed(&rng, 11);
    for (int i = 0; i < 100; ++i) {
        struct pokemon s, other;
        assert_int_equal(game()->init(game(), &s, NULL, &rng, NULL), BANYAN_OK);
        play_random(&s, &rng, i % 30);
        other = s;
        game()->determinize(game(), &other, 0, &rng);
        assert_true(game()->key(game(), &s, 0) == game()->key(game(), &other, 0));
        assert_memory_equal(s.sides[0].mons, other.sides[0].mons, sizeof s.sides[0].mons);
        for (int k = 0; k < POKEMON_TEAM; ++k) {
            const struct pokemon_mon *a = &s.sides[1].mons[k], *c = &other.sides[1].mons[k];
            if (a->seen & SEEN_SPECIES)
                assert_int_equal(a->set_species, c->set_species);
            changed += a->set_species != c->set_species;
        }
    }
    assert_true(changed > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_found),
        cmocka_unit_test(test_stats),
        cmocka_unit_test(test_type_chart),
        cmocka_unit_test(test_set_prior),
        cmocka_unit_test(test_recorded_battles),
        cmocka_unit_test(test_games_without_steps),
        cmocka_unit_test(test_differences_are_seen),
        cmocka_unit_test(test_dice_of_the_start),
        cmocka_unit_test(test_legal_choices_are_compared),
        cmocka_unit_test(test_random_games_end),
        cmocka_unit_test(test_state_texts),
        cmocka_unit_test(test_bad_texts),
        cmocka_unit_test(test_determinize),
    };
    return cmocka_run_group_tests_name("pokemon", tests, NULL, NULL);
}
