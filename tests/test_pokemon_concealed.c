/* Pokémon: what is hidden from the other player, Illusion, and keys. */
#include "games/pokemon/belief.h"
#include "games/pokemon/redraw.h"
#include "pokemon_whole.h"

enum { DRAWS = 400 };

/* --- what is hidden --- */

struct length {
    uint8_t *left, *start;
};

/* Writes conditions that have `left` turns left of a drawn length. */
static void set_lengths(struct pokemon_side *side, int left, int of)
{
    struct pokemon_active *a = &side->active;
    struct pokemon_mon *mon = &side->mons[side->order[0]];
    a->volatiles |=
        bit(VOLATILE_CONFUSION) | bit(VOLATILE_LOCKEDMOVE) | bit(VOLATILE_PARTIALLYTRAPPED);
    mon->status = STATUS_SLP;
    mon->flags |= MON_FOE_STATUS;
    a->confusion = a->locked_true = a->trap_turns = mon->status_time = (uint8_t)left;
    a->confusion_start = a->locked_start = a->trap_start = mon->status_start = (uint8_t)of;
}

/* Confusion lasts up to 5 turns as it is counted here, a locked move 3, a partial trap 6, sleep 4; of a
 * length only the turns that have passed stay. */
static void lengths_are_hidden(void **unused)
{
    (void)unused;
    for (int passed = 0; passed <= 7; ++passed)
        for (int left = 1; left <= 3; ++left) {
            struct pokemon s;
            start(&s, 5);
            set_lengths(&s.sides[FOE], left, left + passed);
            conceal_lengths(&s.sides[FOE]);
            const struct pokemon_active *a = &s.sides[FOE].active;
            const struct {
                int left, start, longest;
            } rows[] = {{a->confusion, a->confusion_start, 5},
                        {a->locked_true, a->locked_start, 3},
                        {a->trap_turns, a->trap_start, 6},
                        {lead(&s, FOE)->status_time, lead(&s, FOE)->status_start, 4}};
            for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
                assert_int_equal(rows[i].start,
                                 passed < rows[i].longest ? rows[i].longest : passed + 1);
                assert_int_equal(rows[i].start - rows[i].left, passed);
            }
        }
}

/* The lengths of the rules that exceed what has passed are drawn equally often: confusion 2 to 5, a locked
 * move 2 or 3, a partial trap 5 or 6, sleep 2 to 4. */
static void lengths_are_drawn(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    for (int passed = 0; passed <= 5; ++passed) {
        int counts[4][9];
        memset(counts, 0, sizeof counts);
        for (int i = 0; i < DRAWS; ++i) {
            struct pokemon s;
            start(&s, 6);
            set_lengths(&s.sides[FOE], 1, 1 + passed);
            conceal_lengths(&s.sides[FOE]);
            redraw_lengths(&s.sides[FOE], &rng);
            const struct pokemon_active *a = &s.sides[FOE].active;
            const uint8_t *const rows[4][2] = {
                {&a->confusion, &a->confusion_start},
                {&a->locked_true, &a->locked_start},
                {&a->trap_turns, &a->trap_start},
                {&lead(&s, FOE)->status_time, &lead(&s, FOE)->status_start}};
            for (int k = 0; k < 4; ++k) {
                assert_int_equal(*rows[k][1] - *rows[k][0], passed);
                assert_in_range(*rows[k][1], 1, 8);
                ++counts[k][*rows[k][1]];
            }
        }
        static const int bounds[4][2] = {{2, 5}, {2, 3}, {5, 6}, {2, 4}};
        for (int k = 0; k < 4; ++k) {
            int least = passed + 1 > bounds[k][0] ? passed + 1 : bounds[k][0];
            int most = least > bounds[k][1] ? least : bounds[k][1];
            int share = DRAWS / (most - least + 1);
            for (int n = 0; n <= 8; ++n)
                assert_in_range(counts[k][n], n < least || n > most ? 0 : share - share / 2,
                                n < least || n > most ? 0 : share + share / 2);
        }
    }
}

/* Of a substitute the other player sees only whether it was hit: unhurt it has a quarter of the
 * maximum. */
static void substitutes_are_hidden(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    struct pokemon s, hit, whole;
    int least = 9999, most = 0;
    start(&s, 7);
    banyan_rng_seed(&rng, 2);
    int full = lead(&s, FOE)->max_hp / 4;
    for (int side = 0; side < 2; ++side) {
        s.sides[side].active.volatiles |= bit(VOLATILE_SUBSTITUTE);
        s.sides[side].active.substitute = (uint16_t)(lead(&s, side)->max_hp / 4);
    }
    hit = whole = s;
    hit.sides[FOE].active.substitute = (uint16_t)(full - 1);
    hit.sides[0].active.substitute -= 1;
    conceal(&hit, 0);
    conceal(&whole, 0);
    assert_int_equal(hit.sides[FOE].active.substitute, 1);
    assert_int_equal(whole.sides[FOE].active.substitute, lead(&whole, FOE)->max_hp / 4);
    assert_int_equal(hit.sides[0].active.substitute, 1);
    assert_int_equal(whole.sides[0].active.substitute, lead(&s, 0)->max_hp / 4);
    full = lead(&hit, FOE)->max_hp / 4;
    for (int i = 0; i < 50 * full; ++i) {
        struct pokemon drawn = hit;
        redraw_lengths(&drawn.sides[FOE], &rng);
        int hp = drawn.sides[FOE].active.substitute;
        least = hp < least ? hp : least;
        most = hp > most ? hp : most;
    }
    assert_int_equal(least, 1);
    assert_int_equal(most, full - 1);
    redraw_lengths(&whole.sides[FOE], &rng);
    assert_int_equal(whole.sides[FOE].active.substitute, lead(&whole, FOE)->max_hp / 4);
}

/* Everything that player 0 cannot see of the foe's side is gone. */
static void the_rest_is_hidden(void **unused)
{
    (void)unused;
    struct pokemon s;
    start(&s, 8);
    struct pokemon_side *foe = &s.sides[FOE];
    struct pokemon_active *a = &foe->active;
    struct pokemon_mon *mon = lead(&s, FOE);
    assert_int_equal(mon->slots.count, 4);
    mon->seen = SEEN_SPECIES | SEEN_MOVE << 1 | SEEN_MOVE << 3;
    mon->slots.used = 8;
    mon->last_item = ITEM_LIGHTBALL;
    uint16_t low = mon->slots.id[1], high = mon->slots.id[3];
    a->arrival.spent[1] = 2, a->arrival.spent[3] = 4;
    a->arrival.seen = 1 << 1;
    a->volatiles = CONCEALED_VOLATILES | bit(VOLATILE_TAUNT);
    a->flags = ACTIVE_COUNTER_HIT | ACTIVE_MIRROR_HIT | ACTIVE_RAISED;
    a->choice_move = a->counter_damage = a->mirror_damage = a->gorilla_move = 7;
    a->speed = 99;
    a->last_base = MOVE_BODYSLAM;
    a->arrival.status = STATUS_SLP, a->arrival.flags = MON_FOE_STATUS;
    a->arrival.status_time = 1, a->arrival.status_start = 3;
    a->ability_flags = a->ability_counter = 1;
    foe->order[1] = 5, foe->order[5] = 1;
    foe->wish_hp = 55;
    s.sides[0].active.speed = 98;
    const struct pokemon_action queue[] = {{.choice = CHOICE_DYNAMAX, .side = FOE},
                                           {.choice = CHOICE_MOVE, .side = 0, .move = MOVE_UTURN},
                                           {.choice = CHOICE_MOVE, .side = FOE, .move = MOVE_UTURN},
                                           {.choice = CHOICE_RESIDUAL, .side = FOE}};
    memcpy(s.queue, queue, sizeof queue);
    s.queued = 4;
    conceal(&s, 0);
    int swapped = low > high;
    assert_int_equal(mon->slots.count, 2);
    assert_int_equal(mon->slots.id[swapped], low);
    assert_int_equal(mon->slots.id[!swapped], high);
    assert_int_equal(mon->slots.used, 1 << !swapped);
    assert_int_equal(mon->seen, SEEN_SPECIES | 3);
    assert_int_equal(a->arrival.spent[swapped], 2);
    assert_int_equal(a->arrival.spent[!swapped], 4);
    assert_int_equal(a->arrival.seen, 1 << swapped);
    assert_true(mon->item == ITEM_NONE && mon->last_item == ITEM_NONE);
    assert_true(a->volatiles == bit(VOLATILE_TAUNT));
    assert_int_equal(a->flags, ACTIVE_RAISED);
    assert_int_equal(a->choice_move | a->counter_damage | a->mirror_damage | a->gorilla_move, 0);
    assert_int_equal(a->speed | s.sides[0].active.speed, 0);
    assert_int_equal(a->last_base, MOVE_STRUGGLE);
    assert_int_equal(a->arrival.status_time, 4); /* two turns have passed */
    assert_int_equal(a->arrival.status_start, 6);
    assert_int_equal(a->ability_flags | a->ability_counter, 0);
    assert_int_equal(foe->wish_hp, 0);
    for (int i = 1; i < POKEMON_TEAM; ++i) {
        const struct pokemon_mon none = {.hp = 0};
        assert_int_equal(foe->order[i], i);
        assert_memory_equal(&foe->mons[i], &none, sizeof none);
    }
    assert_int_equal(s.queued, 3);
    assert_true(s.queue[0].side == FOE && s.queue[0].choice == CHOICE_MOVE &&
                s.queue[0].move == MOVE_STRUGGLE && s.queue[0].mon == foe->order[0]);
    assert_true(s.queue[1].side == 0 && s.queue[1].move == MOVE_UTURN);
    assert_int_equal(s.queue[2].choice, CHOICE_RESIDUAL);
    assert_int_equal(s.queue[3].choice, CHOICE_NONE);
}

/* --- Illusion --- */

/* If the active Pokémon is taken for another one, what it has shown since it came in has happened
 * to the other: its hp as a share, its status, its moves.  It is then as it was before it came in.
 */
static void explanations_are_exchanged(void **unused)
{
    (void)unused;
    for (int whole = 0; whole < 2; ++whole) {
        struct pokemon s;
        start(&s, 15);
        struct pokemon_side *side = &s.sides[FOE];
        struct pokemon_mon *from = &side->mons[0], *to = &side->mons[3];
        struct pokemon_active *a = &side->active, *own = &s.sides[0].active;
        from->hp = (uint16_t)(from->max_hp / 2);
        from->status = STATUS_TOX, from->status_time = 2, from->flags |= MON_FOE_STATUS;
        a->arrival = (struct pokemon_arrival){.hp = from->max_hp, .seen = SEEN_SPECIES};
        a->volatiles = bit(VOLATILE_SUBSTITUTE);
        a->substitute = (uint16_t)(from->max_hp / 4 - !whole);
        a->hurt = from->hp;
        own->volatiles = bit(VOLATILE_PARTIALLYTRAPPED);
        own->trap_source = 0, own->hit_by = 1 | 1 << 2;
        s.queue[0] = (struct pokemon_action){.choice = CHOICE_MOVE, .side = FOE, .mon = 0};
        s.queue[1] = (struct pokemon_action){.choice = CHOICE_MOVE, .side = 0, .mon = 0};
        s.queued = 2;
        int percent = hp_percent(from->hp, from->max_hp);
        disguise_pass(&s, FOE, 3);
        assert_int_equal(hp_percent(to->hp, to->max_hp), percent);
        assert_int_equal(hp_percent(a->hurt, to->max_hp), percent);
        assert_true(to->status == STATUS_TOX && to->status_time == 2 &&
                    (to->flags & MON_FOE_STATUS));
        assert_true(from->hp == from->max_hp && from->status == STATUS_NONE);
        assert_false(from->flags & MON_FOE_STATUS);
        assert_int_equal(a->substitute, whole ? to->max_hp / 4 : 1);
        assert_true(side->order[0] == 3 && side->order[3] == 0);
        assert_memory_equal(a->stats, to->stats, sizeof a->stats);
        assert_memory_equal(a->types, dex_species[to->species].types, sizeof a->types);
        assert_int_equal(a->weight, dex_species[to->species].weight);
        assert_true(own->trap_source == 3 && own->hit_by == (1 << 3 | 1 << 2));
        assert_true(s.queue[0].mon == 3 && s.queue[1].mon == 0);
        assert_int_equal(a->arrival.hp, to->max_hp);
    }
}

/* A move that was seen takes the slot that it has in the other Pokémon, with its PP; if the other
 * does not have it, it takes the first slot that was not seen; if there is no such slot, the other
 * cannot have used it. */
static void moves_of_the_other(void **unused)
{
    (void)unused;
    for (int seen = 0; seen < 16; ++seen)
        for (int own = -1; own < 4; ++own) {
            struct pokemon s;
            start(&s, 16);
            struct pokemon_side *side = &s.sides[FOE];
            struct pokemon_mon *from = &side->mons[0], *to = &side->mons[3];
            const int move = from->slots.id[1], pp = from->slots.pp[1];
            assert_true(from->slots.count == 4 && to->slots.count == 4);
            for (int i = 0; i < 4; ++i)
                assert_int_not_equal(to->slots.id[i], move);
            if (own >= 0)
                to->slots.id[own] = (uint16_t)move, to->slots.pp[own] = to->slots.max_pp[own] = 5;
            to->seen = (uint8_t)(SEEN_SPECIES | seen);
            from->seen = SEEN_SPECIES | SEEN_MOVE << 1;
            from->slots.used = 2 | 4; /* of the third slot nothing was seen */
            from->slots.pp[1] = (uint8_t)(pp - 2);
            side->active.arrival =
                (struct pokemon_arrival){.hp = from->max_hp, .seen = SEEN_SPECIES, .spent = {0, 2}};
            to->hp = to->max_hp;
            int slot = own;
            for (int i = 3; i >= 0 && own < 0; --i)
                slot = seen >> i & 1 ? slot : i;
            assert_int_equal(disguise_possible(side, 3), slot >= 0);
            disguise_pass(&s, FOE, 3);
            assert_int_equal(from->slots.pp[1], pp);
            if (slot < 0)
                continue;
            assert_int_equal(to->slots.id[slot], move);
            assert_int_equal(to->slots.pp[slot], (own < 0 ? dex_moves[move].pp : 5) - 2);
            assert_int_equal(to->seen, SEEN_SPECIES | seen | 1 << slot);
            assert_int_equal(to->slots.used, 1 << slot);
        }
}
/* --- keys --- */

static uint64_t coarse(const struct pokemon *s, int viewer)
{
    uint64_t out[2] = {0, 0};
    key_coarse(game(), s, 1u << viewer, out);
    assert_int_equal(out[!viewer], 0);
    return out[viewer];
}

/* What both players see, and what is counted on the field, tells states apart; what the coarse key leaves out
 * does not. */
static void keys_tell_apart(void **unused)
{
    (void)unused;
    struct pokemon s;
    start(&s, 12);
    s.sides[0].mons[2].seen |= SEEN_SPECIES;
    s.sides[FOE].mons[0].seen |= SEEN_SPECIES;
    s.sides[FOE].mons[4].seen |= SEEN_SPECIES;
    for (int side = 0; side < 2; ++side) {
        s.sides[side].active.volatiles |= bit(VOLATILE_SUBSTITUTE);
        s.sides[side].active.substitute = (uint16_t)(lead(&s, side)->max_hp / 4);
    }
#define CHANGE(edit, in_full, in_coarse)                                                     \
    do {                                                                                     \
        struct pokemon t = s;                                                                \
        edit;                                                                                \
        for (int viewer = 0; viewer < 2; ++viewer) {                                         \
            if ((key_full(game(), &s, viewer) != key_full(game(), &t, viewer)) != (in_full)) \
                fail_msg("%s in the full key of player %d", #edit, viewer);                  \
            if ((coarse(&s, viewer) != coarse(&t, viewer)) != (in_coarse))                   \
                fail_msg("%s in the coarse key of player %d", #edit, viewer);                \
        }                                                                                    \
    } while (0)
    CHANGE(t.weather = WEATHER_HAIL, true, true);
    CHANGE(t.weather_turns = 3, true, false);
    CHANGE(t.terrain = TERRAIN_GRASSYTERRAIN, true, true);
    CHANGE(t.terrain_turns = 3, true, false);
    CHANGE(t.trick_room = 3, true, true);
    CHANGE(t.ion_deluge = 1, true, false);
    CHANGE(t.turn = 9, true, false);
    CHANGE(t.last_success = 9, true, false);
    CHANGE(t.winner = WINNER_TIE, true, true);
    CHANGE(t.mid_turn = 1, true, false);
    CHANGE(t.request[0] = REQUEST_SWITCH, true, true);
    CHANGE(t.request[1] = REQUEST_SWITCH, true, true);
    for (int side = 0; side < 2; ++side) {
#define ACTIVE(edit, in_full, in_coarse)             \
    CHANGE(                                          \
        {                                            \
            struct pokemon_side *p = &t.sides[side]; \
            struct pokemon_active *a = &p->active;   \
            (void)a;                                 \
            edit;                                    \
        },                                           \
        in_full, in_coarse)
        for (int i = 0; i < BOOST_COUNT; ++i)
            ACTIVE(a->boosts[i] = -1, true, true);
        ACTIVE(a->types[0] ^= 1, true, true);
        ACTIVE(a->types[1] ^= 1, true, true);
        ACTIVE(a->dynamax_turns = 2, true, true);
        ACTIVE(a->encore_move = 5, true, true);
        ACTIVE(a->disable_move = 5, true, true);
        ACTIVE(a->charge_move = 5, true, true);
        ACTIVE(a->locked_move = 5, true, true);
        ACTIVE(a->taunt_turns = 2, true, false);
        ACTIVE(a->volatiles |= bit(VOLATILE_YAWN), true, true);
        ACTIVE(a->substitute -= 1, true, false);
        ACTIVE(p->dynamax_used = 1, true, true);
        ACTIVE(p->wish_there = 1, true, true);
        ACTIVE(p->future_move = 1, true, true);
        ACTIVE(p->future_turn = 1, true, false);
        for (int i = SIDE_NONE + 1; i < SIDE_COUNT; ++i)
            ACTIVE(p->condition[i] = 1, true, true);
        ACTIVE(p->mons[p->order[0]].status = STATUS_BRN, true, true);
        ACTIVE(p->mons[p->order[0]].hp /= 2, true, true);
        ACTIVE(p->mons[p->order[0]].species += 1, true, true);
        ACTIVE(p->mons[side ? 4 : 2].hp /= 2, true, true);
        ACTIVE(p->mons[side ? 4 : 2].status = STATUS_PSN, true, true);
        ACTIVE(p->mons[side ? 4 : 2].species += 1, true, true);
#undef ACTIVE
    }
#undef CHANGE
}

/* The key contains the PP that a seen move has spent, and whether it was seen before the Pokémon
 * came in. */
static void keys_of_moves(void **unused)
{
    (void)unused;
    struct pokemon s;
    start(&s, 13);
    struct pokemon_mon *mon = lead(&s, FOE);
    mon->seen |= SEEN_MOVE << 1;
    uint64_t key = key_full(game(), &s, 0);
    for (int slot = 0; slot < 4; ++slot) {
        struct pokemon t = s;
        t.sides[FOE].active.arrival.spent[slot] = 1;
        assert_int_equal(key_full(game(), &t, 0) != key, slot == 1);
        t = s;
        t.sides[FOE].active.arrival.seen |= (uint8_t)(1 << slot);
        assert_int_equal(key_full(game(), &t, 0) != key, slot == 1);
        t = s;
        lead(&t, FOE)->slots.used |= (uint8_t)(1 << slot);
        assert_int_equal(key_full(game(), &t, 0) != key, slot == 1);
        t = s;
        lead(&t, FOE)->slots.pp[slot] -= 1;
        assert_int_equal(key_full(game(), &t, 0) != key, slot == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explanations_are_exchanged),
        cmocka_unit_test(moves_of_the_other),
        cmocka_unit_test(lengths_are_hidden),
        cmocka_unit_test(lengths_are_drawn),
        cmocka_unit_test(substitutes_are_hidden),
        cmocka_unit_test(the_rest_is_hidden),
        cmocka_unit_test(keys_tell_apart),
        cmocka_unit_test(keys_of_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
