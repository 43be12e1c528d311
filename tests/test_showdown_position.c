/* Compares the state that is built from lines and requests with the true battle, in recorded games
 * of the real simulator, seen by either player.
 *
 *     test_showdown_position             a few games in tests/data/pokemon
 *     test_showdown_position FILE...     games that tools/showdown_trace.js recorded
 */
#include "games/pokemon/text_fields.h"
#include "records/pokemon_json.h"
#include "showdown/position.h"
#include "showdown_traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int file_count;
static char **files;
static int decisions, built, disagreements, disagreeing;

/* --- counting what differs --- */

enum { WHATS = 96 };
static struct what {
    const char *name;
    int compared, differ;
    char example[200];
} whats[WHATS];

static void compare(const char *name, int64_t seen, int64_t truth, const char *where)
{
    int i = 0;
    while (i < WHATS - 1 && whats[i].name && strcmp(whats[i].name, name) != 0)
        ++i;
    struct what *what = &whats[i];
    what->name = name;
    ++what->compared;
    if (seen == truth)
        return;
    if (!what->differ++ || what->differ == 7)
        snprintf(what->example, sizeof what->example, "%s: %lld, truly %lld", where,
                 (long long)seen, (long long)truth);
}

/* --- states --- */

static int shown_percent(const struct pokemon_mon *mon)
{
    int percent = (100 * mon->hp + mon->max_hp - 1) / mon->max_hp;
    return percent == 100 && mon->hp < mon->max_hp ? 99 : percent;
}

static uint64_t move_sum(const struct pokemon_slots *slots, bool pp)
{
    uint64_t sum = 0;
    for (int i = 0; i < slots->count; ++i)
        sum += (uint64_t)slots->id[i] * (pp ? 1000u * slots->pp[i] + 1 : 1);
    return sum;
}

static void compare_own(const struct pokemon_side *seen, const struct pokemon_side *truth,
                        const char *where)
{
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon *a = &seen->mons[i], *b = &truth->mons[truth->order[i]];
        compare("own set species", a->set_species, b->set_species, where);
        compare("own hp", a->hp, b->hp, where);
        compare("own base max hp", a->base_max_hp, b->base_max_hp, where);
        compare("own moves", (int64_t)move_sum(&a->slots, false),
                (int64_t)move_sum(&b->slots, false), where);
        if (b->flags & MON_FAINTED)
            continue;
        compare("own species", a->species, b->species, where);
        compare("own base species", a->base_species, b->base_species, where);
        compare("own max hp", a->max_hp, b->max_hp, where);
        compare("own item", a->item, b->item, where);
        compare("own last item", a->item ? 0 : a->last_item, b->item ? 0 : b->last_item, where);
        compare("own ability", a->ability, b->ability, where);
        compare("own status", a->status, b->status, where);
        compare("own toxic stage", a->status == STATUS_TOX && i == 0 ? a->status_time : 0,
                b->status == STATUS_TOX && i == 0 ? b->status_time : 0, where);
        compare("own PP", (int64_t)move_sum(&a->slots, true), (int64_t)move_sum(&b->slots, true),
                where);
        compare("own stats", memcmp(a->stats, b->stats, sizeof a->stats), 0, where);
        /* secret of a benched Pokémon; public for the active one */
        int secret = MON_FOE_STATUS | (i > 0 ? MON_GIGANTAMAX : 0);
        compare("own flags", a->flags & ~secret, b->flags & ~secret, where);
        if (b->status == STATUS_SLP)
            compare("own sleep by the foe", a->flags & MON_FOE_STATUS, b->flags & MON_FOE_STATUS,
                    where);
    }
}

static const struct pokemon_mon *lead(const struct pokemon_side *side)
{
    return &side->mons[side->order[0]];
}

static void compare_active(const struct pokemon_side *seen, const struct pokemon_side *truth,
                           bool own, const char *where)
{
    const struct pokemon_active *a = &seen->active, *b = &truth->active;
    if (lead(truth)->flags & MON_FAINTED)
        return;
    const uint64_t secret = (uint64_t)1 << VOLATILE_CHOICELOCK | (uint64_t)1 << VOLATILE_UNBURDEN;
    const uint64_t passing = (uint64_t)1 << VOLATILE_ROOST | (uint64_t)1 << VOLATILE_PROTECT |
                             (uint64_t)1 << VOLATILE_MAXGUARD | (uint64_t)1 << VOLATILE_FLINCH;
    uint64_t ignore = passing | (own ? 0 : secret);
    for (int i = 1; i < VOLATILE_COUNT; ++i) {
        uint64_t bit = (uint64_t)1 << i;
        if ((a->volatiles & bit) == (b->volatiles & bit) || (bit & ignore))
            continue;
        char text[160];
        snprintf(text, sizeof text, "%s %s", where, text_volatile_names[i]);
        compare(own ? "own volatiles" : "foe's volatiles", (a->volatiles & bit) != 0,
                (b->volatiles & bit) != 0, text);
    }
    compare(own ? "own volatiles" : "foe's volatiles", 0, 0, where);
    compare("boosts", memcmp(a->boosts, b->boosts, sizeof a->boosts), 0, where);
    compare("types", (1 << a->types[0] | 1 << a->types[1]) & ~(1 << TYPE_NONE),
            (1 << b->types[0] | 1 << b->types[1]) & ~(1 << TYPE_NONE), where);
    compare("transformed", a->flags & ACTIVE_TRANSFORMED, b->flags & ACTIVE_TRANSFORMED, where);
    compare("turns in play", a->turns, b->turns, where);
    compare("moves tried", a->actions > 0, b->actions > 0, where);
    compare("Dynamax turns", a->dynamax_turns, b->dynamax_turns, where);
    compare("taunt turns", a->taunt_turns, b->taunt_turns, where);
    compare("encore turns", a->encore_turns, b->encore_turns, where);
    compare("encore move", a->encore_move, b->encore_move, where);
    compare("disable turns", a->disable_turns, b->disable_turns, where);
    compare("disabled move", a->disable_move, b->disable_move, where);
    compare("yawn turns", a->yawn_turns, b->yawn_turns, where);
    compare("Throat Chop turns", a->throat_turns, b->throat_turns, where);
    compare("Magnet Rise turns", a->magnet_turns, b->magnet_turns, where);
    compare("protect counter", a->stall_counter, b->stall_counter, where);
    compare("charged move", a->charge_move, b->charge_move, where);
    compare("charge turns", a->charge_turns, b->charge_turns, where);
    compare("hidden turns", a->hidden_turns, b->hidden_turns, where);
    compare("locked move", a->locked_move, b->locked_move, where);
    compare("locked turns", a->locked_turns, b->locked_turns, where);
    if (own && (b->volatiles & (uint64_t)1 << VOLATILE_CHOICELOCK))
        compare("own choice lock", a->choice_move, b->choice_move, where);
    compare("weight", a->weight, b->weight, where);
    compare("failed before", a->result_last == RESULT_FAILED, b->result_last == RESULT_FAILED,
            where);
    compare("ability counter", a->ability_counter, b->ability_counter, where);
    if (own)
        compare("own illusion", a->illusion != 0, b->illusion != 0, where);
    if (own)
        compare("own stored stats", memcmp(a->stats, b->stats, sizeof a->stats), 0, where);
}

/* Those of the foe's bench that were seen. */
static void compare_bench(const struct pokemon_side *seen, const struct pokemon_side *truth,
                          const char *where)
{
    for (int i = 1; i < POKEMON_TEAM; ++i)
        for (int k = 1; k < POKEMON_TEAM; ++k) {
            const struct pokemon_mon *a = &seen->mons[seen->order[i]];
            const struct pokemon_mon *b = &truth->mons[truth->order[k]];
            if (!(a->seen & SEEN_SPECIES) || a->set_species != b->set_species)
                continue;
            compare("bench's hp per cent", a->hp ? shown_percent(a) : 0,
                    b->hp ? shown_percent(b) : 0, where);
            compare("bench's status", a->status, b->status, where);
        }
}

static void compare_foe(const struct pokemon_side *seen, const struct pokemon_side *truth,
                        const char *where)
{
    const struct pokemon_mon *a = lead(seen), *b = lead(truth);
    if (truth->active.illusion)
        return;
    compare("foe's set species", a->set_species, b->set_species, where);
    compare("foe's left", seen->left, truth->left, where);
    compare("foe's level", a->level, b->level, where);
    if (b->flags & MON_FAINTED) {
        compare("foe fainted", a->flags & MON_FAINTED, MON_FAINTED, where);
        return;
    }
    compare("foe's species", a->species, b->species, where);
    compare("foe's hp per cent", shown_percent(a), shown_percent(b), where);
    compare("foe's status", a->status, b->status, where);
    compare("foe's toxic stage", a->status == STATUS_TOX ? a->status_time : 0,
            b->status == STATUS_TOX ? b->status_time : 0, where);
    if (a->seen & SEEN_ITEM)
        compare("foe's item", a->item, b->item, where);
    if (a->seen & SEEN_ABILITY)
        compare("foe's ability", a->ability, b->ability, where);
    for (int i = 0; i < a->slots.count; ++i)
        if (a->seen >> i & 1) {
            bool there = false;
            for (int k = 0; k < b->slots.count; ++k)
                there |= b->slots.id[k] == a->slots.id[i];
            compare("foe's seen moves", there, 1, where);
        }
}

static void compare_field(const struct pokemon *seen, const struct pokemon *truth, int viewer,
                          const char *where)
{
    compare("turn", seen->turn, truth->turn, where);
    compare("weather", seen->weather * 100 + seen->weather_turns,
            truth->weather * 100 + truth->weather_turns, where);
    compare("terrain", seen->terrain * 100 + seen->terrain_turns,
            truth->terrain * 100 + truth->terrain_turns, where);
    compare("Trick Room", seen->trick_room, truth->trick_room, where);
    compare("requests", seen->request[0] * 10 + seen->request[1],
            truth->request[0] * 10 + truth->request[1], where);
    compare("mid turn", seen->mid_turn, truth->mid_turn, where);
    compare("queue", seen->queued, truth->queued, where);
    for (int side = 0; side < 2; ++side) {
        const struct pokemon_side *a = &seen->sides[side], *b = &truth->sides[side];
        for (int i = 1; i < SIDE_HAZARDS; ++i)
            compare("hazards", a->condition[i], b->condition[i], where);
        for (int i = 1; i < SIDE_HAZARDS; ++i)
            for (int k = 1; k < i; ++k)
                if (b->condition[i] && b->condition[k])
                    compare("order of hazards", a->stamp[i] < a->stamp[k],
                            b->stamp[i] < b->stamp[k], where);
        for (int i = SIDE_HAZARDS; i < SIDE_COUNT; ++i)
            compare(side == viewer ? "own screens" : "foe's screens", a->condition[i],
                    b->condition[i], where);
        compare("Dynamax used", a->dynamax_used, b->dynamax_used, where);
        compare("wish", a->wish_there * 256 + a->wish_turn, b->wish_there * 256 + b->wish_turn,
                where);
        compare("Future Sight", a->future_move * 256 + a->future_turn,
                b->future_move * 256 + b->future_turn, where);
        compare("Healing Wish", a->healing_wish, b->healing_wish, where);
    }
}

/* --- a game --- */

struct seat {
    struct tracker tracker;
    struct chronicle chronicle;
    struct position_memory memory;
};

static void hear(void *at, const char *text)
{
    struct seat *seat = at;
    struct protocol_line line;
    protocol_parse(protocol_text(text), &line);
    tracker_line(&seat->tracker, &line);
    chronicle_line(&seat->chronicle, &seat->tracker, &line);
}

static void decide(const json_t *game, const json_t *step, struct seat *seat, int side,
                   const struct pokemon *truth, const char *where)
{
    struct request request;
    struct pokemon state;
    struct belief belief;
    struct banyan_rng rng;
    struct banyan_error err;
    char text[512], long_where[160];
    const struct banyan_game *rules;
    if (json_is_null(json_array_get(json_object_get(step, "rq"), (size_t)side)))
        return;
    traces_request(game, step, side, &request);
    position_remember(&seat->memory, &request, &seat->tracker);
    banyan_rng_seed(&rng, (uint64_t)decisions++);
    struct position_source source = {&request, &seat->tracker, &seat->chronicle, &seat->memory,
                                     NULL};
    if (position_build(&source, &state, &belief, &rng, &err) != BANYAN_OK) {
        print_message("%s: not built: %s\n", where, err.message);
        return;
    }
    ++built;
    snprintf(long_where, sizeof long_where, "%s turn %d p%d", where, truth->turn, side + 1);
    int different = position_differences(&request, &state, text, sizeof text);
    bool illusion = truth->sides[!side].active.illusion != 0;
    if (different && !illusion) {
        if (++disagreeing <= 20)
            print_message("%s: %s\n", long_where, text);
        disagreements += different;
    }
    assert_int_equal(banyan_game_find("pokemon", &rules, &err), BANYAN_OK);
    char *whole = malloc(32768);
    struct pokemon again;
    rules->format(rules, &state, whole, 32768);
    if (rules->init(rules, &again, whole, NULL, &err) != BANYAN_OK ||
        memcmp(&again, &state, sizeof state))
        fail_msg("%s: no sound state: %s\n%s", long_where, err.message, whole);
    free(whole);
    compare_field(&state, truth, side, long_where);
    compare_own(&state.sides[side], &truth->sides[side], long_where);
    compare_foe(&state.sides[!side], &truth->sides[!side], long_where);
    compare_bench(&state.sides[!side], &truth->sides[!side], long_where);
    compare_active(&state.sides[side], &truth->sides[side], true, long_where);
    if (!illusion)
        compare_active(&state.sides[!side], &truth->sides[!side], false, long_where);
}

static struct seat seats[2];

static void start_game(void)
{
    for (int side = 0; side < 2; ++side) {
        tracker_start(&seats[side].tracker);
        chronicle_start(&seats[side].chronicle);
        memset(&seats[side].memory, 0, sizeof seats[side].memory);
        seats[side].tracker.viewer = side;
    }
}

static void play_step(const json_t *game, const json_t *step, const char *name)
{
    struct pokemon truth;
    struct banyan_error err;
    char where[128];
    for (int side = 0; side < 2; ++side)
        traces_tell(step, side, hear, &seats[side]);
    if (pokemon_json_state(game, step, &truth, &err) != BANYAN_OK || truth.winner)
        return;
    snprintf(where, sizeof where, "%s game %d step %d", name,
             (int)json_integer_value(json_object_get(game, "id")),
             (int)json_integer_value(json_object_get(step, "n")));
    for (int side = 0; side < 2; ++side)
        decide(game, step, &seats[side], side, &truth, where);
}

static void states_are_what_the_battle_was(void **state)
{
    (void)state;
    const struct traces_reader reader = {start_game, play_step};
    traces_read(&reader, files, file_count);
    print_message("%d decisions, %d built, %d where request and engine offer different choices "
                  "(%d choices)\n",
                  decisions, built, disagreeing, disagreements);
    int64_t compared = 0, differ = 0;
    for (int i = 0; i < WHATS && whats[i].name; ++i) {
        compared += whats[i].compared;
        differ += whats[i].differ;
        if (whats[i].differ)
            print_message("%-24s %7d of %7d differ  %s\n", whats[i].name, whats[i].differ,
                          whats[i].compared, whats[i].example);
        if (strcmp(whats[i].name, "order of hazards") == 0)
            assert_int_equal(whats[i].differ, 0);
    }
    print_message("%lld members compared, %lld differ\n", (long long)compared, (long long)differ);
    assert_true(built > 0);
    assert_int_equal(built, decisions);
    assert_true(disagreeing * 1000 <= built);
    assert_true(differ * 1000 <= compared);
}

int main(int argc, char **argv)
{
    file_count = argc - 1;
    files = argv + 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(states_are_what_the_battle_was)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
