/* The tracker against the server: at every decision of recorded games, what the tracker has made of
 * the log's lines must agree with the request of the same moment about the own side.
 *
 *     test_showdown_tracker            the games in tests/data/showdown
 *     test_showdown_tracker FOLDER     those that `banyan showdown --save FOLDER` wrote
 */
#include "showdown/request.h"
#include "showdown/tracker.h"

#include <dirent.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct seen {
    int games, decisions, pokemon, items, abilities, moves, pp, strange;
};

static const char *folder = TEST_DATA "/showdown";

static char *whole_file(const char *room, const char *suffix, size_t *length)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s%s", folder, room, suffix);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("cannot read %s", path);
    char *text = malloc(8 << 20);
    assert_non_null(text);
    *length = fread(text, 1, (8 << 20) - 1, file);
    text[*length] = 0;
    fclose(file);
    return text;
}

static void feed(struct tracker *tracker, const char *log, size_t length)
{
    struct protocol_text rest = {log, length}, text;
    while (protocol_next(&rest, &text)) {
        struct protocol_line line;
        protocol_parse(text, &line);
        assert_int_not_equal(line.kind, PROTOCOL_UNKNOWN);
        assert_int_not_equal(line.kind, PROTOCOL_BROKEN);
        tracker_line(tracker, &line);
    }
}

static const struct tracker_pokemon *by_name(const struct tracker_side *side, const char *name)
{
    for (int i = 0; i < side->count; ++i)
        if (strcmp(side->team[i].name, name) == 0)
            return &side->team[i];
    return NULL;
}

/* Prints all differences, then fails once. */
static int differences;

#define DIFFERS(...) (print_message(__VA_ARGS__), print_message("\n"), (void)++differences)
#define SAME_TEXT(what, a, b)                                                                \
    do {                                                                                     \
        if (strcmp(a, b) != 0)                                                               \
            DIFFERS("%s turn %d, %s: %s is '%s', the server says '%s'", room, tracker->turn, \
                    truth->name, what, a, b);                                                \
    } while (0)

/* Whether it may have left with an ability that acts on the bench; lines show what it did only when the
 * Pokémon comes in again.  One that Trace had copied is not its ability any more. */
static bool left_with(const struct request_pokemon *truth, const char *ability)
{
    return !truth->active &&
           (strcmp(truth->ability, ability) == 0 || strcmp(truth->base_ability, "trace") == 0);
}

static void compare_pokemon(const char *room, const struct tracker *tracker,
                            const struct tracker_pokemon *seen, const struct request_pokemon *truth,
                            struct seen *count)
{
    ++count->pokemon;
    bool regenerates = left_with(truth, "regenerator"), cures = left_with(truth, "naturalcure");
    if (seen->fainted != truth->fainted ||
        (regenerates ? seen->hp > truth->hp : seen->hp != truth->hp) ||
        (!seen->fainted && seen->hp_max != truth->hp_max))
        DIFFERS("%s turn %d, %s: hp %d/%d%s, the server says %d/%d%s", room, tracker->turn,
                truth->name, seen->hp, seen->hp_max, seen->fainted ? " fainted" : "", truth->hp,
                truth->hp_max, truth->fainted ? " fainted" : "");
    if (truth->fainted)
        return;
    assert_int_equal(seen->level, truth->level);
    if (!cures)
        SAME_TEXT("status", seen->status, truth->status);
    if (seen->item_state == TRACKER_ITEM_HELD)
        SAME_TEXT("item", seen->item, truth->item);
    if (seen->item_state == TRACKER_ITEM_NONE)
        SAME_TEXT("item", "", truth->item);
    /* the ability stands for two; lines do not tell which */
    bool one = strncmp(truth->base_ability, "asone", 5) == 0;
    if (seen->ability[0] && !one)
        SAME_TEXT("ability", seen->ability, truth->ability);
    if (seen->base_ability[0] && !one)
        SAME_TEXT("base ability", seen->base_ability, truth->base_ability);
    count->items += seen->item_state != TRACKER_ITEM_UNKNOWN;
    count->abilities += seen->ability[0] != 0;
}

/* Checks that the Pokémon has every move that was seen. */
static void compare_moves(const char *room, const struct tracker *tracker,
                          const struct tracker_pokemon *seen, const struct request_pokemon *truth,
                          struct seen *count)
{
    if (truth->active && tracker->sides[tracker->viewer].transformed)
        return;
    for (int i = 0; i < seen->move_count; ++i) {
        bool found = false;
        for (int j = 0; j < REQUEST_MOVES; ++j)
            found |= strcmp(truth->moves[j], seen->moves[i].id) == 0;
        if (!found)
            DIFFERS("%s turn %d: %s does not have %s", room, tracker->turn, truth->name,
                    seen->moves[i].id);
        ++count->moves;
    }
}

/* Lines do not tell the PP that Max moves cost, nor those of Pressure if a failed move has no
 * target, so `used` is a lower bound. */
static bool pp_is_exact(const struct tracker *tracker)
{
    const struct tracker_side *foe = &tracker->sides[1 - tracker->viewer];
    bool exact = tracker->sides[tracker->viewer].dynamax_turn == 0;
    for (int i = 0; i < foe->count; ++i)
        exact &= strcmp(foe->team[i].base_ability, "pressure") != 0;
    return exact;
}

/* The request has the PP of the active Pokémon's moves. */
static void compare_pp(const char *room, const struct tracker *tracker,
                       const struct tracker_pokemon *seen, const struct request *request,
                       struct seen *count)
{
    if (tracker->sides[tracker->viewer].transformed)
        return;
    for (int i = 0; i < request->move_count; ++i)
        for (int j = 0; j < seen->move_count; ++j) {
            const struct request_move *move = &request->moves[i];
            if (move->pp < 0 || strcmp(move->id, seen->moves[j].id) != 0)
                continue;
            int used = move->pp_max - move->pp;
            /* Pressure cannot take more PP than there are */
            if ((move->pp > 0 ? used < seen->moves[j].used : used + 1 < seen->moves[j].used) ||
                (pp_is_exact(tracker) && used > seen->moves[j].used))
                DIFFERS("%s turn %d: %s used %s %d times, the server says %d", room, tracker->turn,
                        seen->name, move->id, seen->moves[j].used, used);
            ++count->pp;
        }
}

static void compare(const char *room, const struct tracker *tracker, const struct request *request,
                    struct seen *count)
{
    const struct tracker_side *side = &tracker->sides[tracker->viewer];
    for (int i = 0; i < request->team_count; ++i)
        if (strcmp(request->team[i].base_ability, "illusion") == 0)
            return; /* in these logs the lines disagree with the requests on purpose: see
                       test_showdown.c */
    ++count->decisions;
    for (int i = 0; i < request->team_count; ++i) {
        const struct request_pokemon *truth = &request->team[i];
        const struct tracker_pokemon *seen = by_name(side, truth->name);
        if (!seen)
            continue; /* has been on the bench so far */
        compare_pokemon(room, tracker, seen, truth, count);
        compare_moves(room, tracker, seen, truth, count);
        if (!truth->active)
            continue;
        if (seen != tracker_active(tracker, tracker->viewer))
            DIFFERS("%s turn %d: %s is active, the server says %s", room, tracker->turn,
                    tracker_active(tracker, tracker->viewer)->name, truth->name);
        compare_pp(room, tracker, seen, request, count);
        if (request->kind == REQUEST_FOR_MOVE)
            assert_int_equal(tracker_dynamaxed(tracker, tracker->viewer), request->dynamaxed);
        if (request->can_dynamax)
            assert_int_equal(side->dynamax_turn, 0);
    }
}

/* Returns how many bytes of the log it has read. */
static size_t decision(const char *room, const char *line, const char *log, size_t done,
                       struct tracker *tracker, struct seen *count)
{
    json_t *root = json_loads(line, 0, NULL);
    size_t bytes = (size_t)json_integer_value(json_object_get(root, "log_bytes"));
    char *text = json_dumps(json_object_get(root, "request"), JSON_COMPACT);
    assert_non_null(text);
    struct request request;
    struct banyan_error err;
    if (request_parse(text, strlen(text), &request, &err) != BANYAN_OK)
        fail_msg("%s: %s", room, err.message);
    assert_true(bytes >= done);
    feed(tracker, log + done, bytes - done);
    tracker->viewer = request.side;
    compare(room, tracker, &request, count);
    free(text);
    json_decref(root);
    return bytes;
}

static void game(const char *room, struct seen *count)
{
    size_t log_length, dump_length, done = 0;
    char *log = whole_file(room, ".log", &log_length);
    char *dump = whole_file(room, ".jsonl", &dump_length);
    struct tracker tracker;
    tracker_start(&tracker);
    for (char *line = strtok(dump, "\n"); line; line = strtok(NULL, "\n"))
        done = decision(room, line, log, done, &tracker, count);
    feed(&tracker, log + done, log_length - done);
    assert_true(tracker.over);
    if (tracker.strange)
        print_message("%s: %d strange lines, such as %s\n", room, tracker.strange,
                      tracker.strange_line);
    count->strange += tracker.strange;
    ++count->games;
    free(log);
    free(dump);
}

static void tracker_is_what_the_server_says(void **state)
{
    (void)state;
    struct seen count = {.games = 0};
    DIR *all = opendir(folder);
    assert_non_null(all);
    for (struct dirent *entry; (entry = readdir(all)) != NULL;) {
        char *suffix = strrchr(entry->d_name, '.');
        if (!suffix || strcmp(suffix, ".jsonl") != 0)
            continue;
        *suffix = 0;
        game(entry->d_name, &count);
    }
    closedir(all);
    print_message("%d games, %d decisions: %d Pokemon, %d items, %d abilities, %d moves and %d PP "
                  "compared, %d strange lines\n",
                  count.games, count.decisions, count.pokemon, count.items, count.abilities,
                  count.moves, count.pp, count.strange);
    assert_true(count.games > 0 && count.decisions > count.games && count.items > 0 &&
                count.moves > 0 && count.pp > 0);
    assert_int_equal(count.strange, 0);
    assert_int_equal(differences, 0);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        folder = argv[1];
    const struct CMUnitTest tests[] = {cmocka_unit_test(tracker_is_what_the_server_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
