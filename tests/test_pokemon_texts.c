/* Pokémon: texts of battles, and the conditions whose numbers stand in them. */
#include "pokemon_whole.h"

/* --- conditions and their numbers --- */

#define FIELD(name) \
    offsetof(struct pokemon_active, name), sizeof((struct pokemon_active *)NULL)->name

/* The numbers that belong to a condition: they are 0 without it, and it cannot be without them. */
static const struct {
    int id;
    size_t offset, size;
    bool needed;
} numbers[] = {{VOLATILE_CONFUSION, FIELD(confusion), true},
               {VOLATILE_CONFUSION, FIELD(confusion_start), false},
               {VOLATILE_COUNTER, FIELD(counter_damage), false},
               {VOLATILE_MIRRORCOAT, FIELD(mirror_damage), false},
               {VOLATILE_DYNAMAX, FIELD(dynamax_turns), false},
               {VOLATILE_MAGNETRISE, FIELD(magnet_turns), true},
               {VOLATILE_PARTIALLYTRAPPED, FIELD(trap_turns), true},
               {VOLATILE_PARTIALLYTRAPPED, FIELD(trap_start), false},
               {VOLATILE_PARTIALLYTRAPPED, FIELD(trap_divisor), true},
               {VOLATILE_PARTIALLYTRAPPED, FIELD(trap_source), false},
               {VOLATILE_STALL, FIELD(stall_counter), true},
               {VOLATILE_STALL, FIELD(stall_turns), true},
               {VOLATILE_SUBSTITUTE, FIELD(substitute), true},
               {VOLATILE_TAUNT, FIELD(taunt_turns), true},
               {VOLATILE_THROATCHOP, FIELD(throat_turns), true},
               {VOLATILE_YAWN, FIELD(yawn_turns), true},
               {VOLATILE_CHOICELOCK, FIELD(choice_move), true},
               {VOLATILE_DISABLE, FIELD(disable_move), true},
               {VOLATILE_DISABLE, FIELD(disable_turns), true},
               {VOLATILE_ENCORE, FIELD(encore_move), true},
               {VOLATILE_ENCORE, FIELD(encore_turns), true},
               {VOLATILE_LOCKEDMOVE, FIELD(locked_move), true},
               {VOLATILE_LOCKEDMOVE, FIELD(locked_turns), true},
               {VOLATILE_LOCKEDMOVE, FIELD(locked_true), false},
               {VOLATILE_LOCKEDMOVE, FIELD(locked_start), false},
               {VOLATILE_TWOTURNMOVE, FIELD(charge_move), true},
               {VOLATILE_TWOTURNMOVE, FIELD(charge_turns), true},
               {VOLATILE_BOUNCE, FIELD(hidden_turns), true},
               {VOLATILE_FLY, FIELD(hidden_turns), true},
               {VOLATILE_PHANTOMFORCE, FIELD(hidden_turns), true}};

enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* A condition that ends takes its own numbers with it, and nothing else. */
static void conditions_end_alone(void **unused)
{
    static const struct {
        int id, flag;
    } flags[] = {{VOLATILE_COUNTER, ACTIVE_COUNTER_HIT},
                 {VOLATILE_MIRRORCOAT, ACTIVE_MIRROR_HIT},
                 {VOLATILE_FOCUSPUNCH, ACTIVE_LOST_FOCUS}};
    (void)unused;
    for (int id = 1; id < VOLATILE_COUNT; ++id) {
        struct pokemon s;
        struct battle b;
        struct pokemon_active own, other;
        start(&s, 1);
        memset(&s.sides[0].active, 0xff, sizeof own);
        memset(&s.sides[1].active, 0xff, sizeof own);
        memcpy(&own, &s.sides[0].active, sizeof own);
        memcpy(&other, &s.sides[1].active, sizeof other);
        own.volatiles &= ~bit(id);
        if (id == VOLATILE_TRAPPED || id == VOLATILE_TRAPPER)
            other.volatiles &= ~bit(id == VOLATILE_TRAPPED ? VOLATILE_TRAPPER : VOLATILE_TRAPPED);
        for (int i = 0; i < NUMBERS; ++i)
            if (numbers[i].id == id)
                memset((char *)&own + numbers[i].offset, 0, numbers[i].size);
        for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
            if (flags[i].id == id)
                own.flags &= (uint16_t)~flags[i].flag;
        battle_open(&b, &s, NULL);
        volatile_remove(&b, 0, id);
        if (memcmp(&own, &s.sides[0].active, sizeof own) != 0 ||
            memcmp(&other, &s.sides[1].active, sizeof other) != 0)
            fail_msg("condition %d ends with other numbers than its own", id);
    }
}

/* --- texts --- */

/* Whether the state can be read back; then it is the same, but for the match-ups, which follow from the
 * sets. */
static bool is_readable(const struct pokemon *s)
{
    static char text[BANYAN_TEXT_MAX];
    struct pokemon back;
    struct banyan_error err = {.message = ""};
    assert_in_range(game()->format(game(), s, text, sizeof text), 1, sizeof text - 1);
    if (game()->init(game(), &back, text, NULL, &err) != BANYAN_OK) {
        assert_int_not_equal(err.message[0], 0);
        return false;
    }
    memcpy(back.matchup, s->matchup, sizeof back.matchup);
    assert_memory_equal(s, &back, sizeof back);
    return true;
}

static void conditions_need_their_numbers(void **unused)
{
    (void)unused;
    struct pokemon s;
    start(&s, 2);
    assert_true(is_readable(&s));
    for (int i = 0; i < NUMBERS; ++i) {
        struct pokemon t = s;
        t.sides[FOE].active.volatiles |= bit(numbers[i].id);
        for (int k = 0; k < NUMBERS; ++k) /* the other numbers of this condition */
            if (numbers[k].id == numbers[i].id && k != i)
                *((char *)&t.sides[FOE].active + numbers[k].offset) = 1;
        if (is_readable(&t) == numbers[i].needed)
            fail_msg("condition %d without number %d", numbers[i].id, i);
        *((char *)&t.sides[FOE].active + numbers[i].offset) = 1;
        if (!is_readable(&t))
            fail_msg("condition %d with number %d", numbers[i].id, i);
    }
}

/* Numbers of a battle at their bounds and one beyond them: a copy of the battle is changed, and can
 * be read back only if `good`. */
#define TRY(edit, good)                         \
    do {                                        \
        t = s;                                  \
        edit;                                   \
        if (is_readable(&t) != (good))          \
            fail_msg("%s: %d", #edit, !(good)); \
    } while (0)

/* A battle without weather and terrain. */
static void start_plain(struct pokemon *s)
{
    start(s, 3);
    s->weather = s->weather_turns = s->terrain = s->terrain_turns = 0;
}

static void mons_have_bounds(void **unused)
{
    (void)unused;
    struct pokemon s, t;
    start_plain(&s);
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < POKEMON_TEAM; ++i) {
            struct pokemon_mon *mon = &t.sides[side].mons[i];
            TRY(mon->level = 1, true);
            TRY(mon->level = 0, false);
            TRY(mon->level = 100, true);
            TRY(mon->level = 101, false);
            TRY(mon->hp = mon->max_hp, true);
            TRY(mon->hp = (uint16_t)(mon->max_hp + 1), false);
            TRY(mon->hp = 1, true);
            TRY(mon->hp = 0, false);
            TRY(mon->flags |= MON_FAINTED, false); /* with hp left */
            TRY(mon->base_max_hp = 2000, true);
            TRY(mon->base_max_hp = 2001, false);
            TRY(mon->base_max_hp = 0, false);
            TRY(mon->max_hp = 4000, true);
            TRY(mon->max_hp = 4001, false);
            TRY(mon->species = 0, false);
            TRY(mon->base_species = 0, false);
            TRY(mon->set_species = 0, false);
            TRY(mon->slots.count = 0, false);
            TRY(mon->slots.count = 5, false);
            TRY(mon->slots.id[0] = MOVE_NONE, false);
            TRY(mon->status = STATUS_PAR, true);
            TRY(mon->status = STATUS_SLP, false);
            TRY((mon->status = STATUS_SLP, mon->status_time = 1), true);
        }
}

static void active_mons_have_bounds(void **unused)
{
    (void)unused;
    struct pokemon s, t;
    start_plain(&s);
    struct pokemon_active *active = &t.sides[FOE].active;
    for (int i = 0; i < BOOST_COUNT; ++i) {
        TRY(active->boosts[i] = 6, true);
        TRY(active->boosts[i] = 7, false);
        TRY(active->boosts[i] = -6, true);
        TRY(active->boosts[i] = -7, false);
    }
    for (int i = 0; i < STAT_COUNT - 1; ++i) {
        TRY(active->stats[i] = 1, true);
        TRY(active->stats[i] = 0, false);
        TRY(active->stats[i] = 3000, true);
        TRY(active->stats[i] = 3001, false);
    }
    TRY(active->illusion = 6, true);
    TRY(active->illusion = 7, false);
    TRY(active->trap_source = 5, true);
    TRY(active->trap_source = 6, false);
    TRY(active->dynamax_turns = 3, true);
    TRY(active->dynamax_turns = 4, false);
    TRY((active->slots = t.sides[0].mons[0].slots, active->flags |= ACTIVE_TRANSFORMED), true);
    TRY(active->flags |= ACTIVE_TRANSFORMED, false); /* without moves */
    TRY((active->slots.count = 1, active->slots.id[0] = MOVE_BODYSLAM,
         active->flags |= ACTIVE_TRANSFORMED),
        true);
    TRY((active->slots = t.sides[0].mons[0].slots, active->slots.count = 5,
         active->flags |= ACTIVE_TRANSFORMED),
        false);
    TRY((active->slots.count = 1, active->flags |= ACTIVE_TRANSFORMED), false);
}

static void teams_have_bounds(void **unused)
{
    (void)unused;
    struct pokemon s, t;
    start_plain(&s);
    struct pokemon_side *side = &t.sides[FOE];
    TRY((side->order[1] = 2, side->order[2] = 1), true);
    TRY(side->order[1] = 2, false);
    TRY(side->order[5] = 6, false);
    TRY(side->left = 5, false);
    TRY((side->left = 5, side->mons[4].hp = 0, side->mons[4].flags |= MON_FAINTED), true);
    TRY(side->web_source = 11, true);
    TRY(side->web_source = 12, false);
    TRY(side->future_source = 5, true);
    TRY(side->future_source = 6, false);
    TRY(side->wish_source = 5, true);
    TRY(side->wish_source = 6, false);
}

static void battles_have_bounds(void **unused)
{
    (void)unused;
    struct pokemon s, t;
    start_plain(&s);
    struct pokemon_side *side = &t.sides[FOE];
    TRY(t.turn = 0, false);
    TRY(t.turn = POKEMON_TURN_LIMIT + 1, true);
    TRY(t.turn = POKEMON_TURN_LIMIT + 2, false);
    TRY((t.weather = WEATHER_RAINDANCE, t.weather_turns = 1), true);
    TRY(t.weather = WEATHER_RAINDANCE, false);
    TRY((t.weather = 0, t.weather_turns = 1), false);
    TRY((t.terrain = TERRAIN_GRASSYTERRAIN, t.terrain_turns = 1), true);
    TRY((t.terrain = TERRAIN_GRASSYTERRAIN, t.terrain_turns = 0), false);
    TRY((t.terrain = 0, t.terrain_turns = 1), false);
    TRY(t.request[0] = REQUEST_NONE, true);
    TRY(t.request[0] = REQUEST_SWITCH, true);
    TRY(t.request[0] = REQUEST_SWITCH + 1, false);
    TRY(t.mid_turn = 1, false);
    TRY(t.winner = WINNER_TIE, false);
    TRY((t.winner = WINNER_TIE, t.request[0] = t.request[1] = REQUEST_NONE), true);
    TRY((t.winner = WINNER_TIE + 1, t.request[0] = t.request[1] = REQUEST_NONE), false);
    TRY(t.request[0] = t.request[1] = REQUEST_NONE, false);
    TRY((keep_only(side, 1), t.request[FOE] = REQUEST_SWITCH), false);
    TRY((keep_only(side, 2), t.request[FOE] = REQUEST_SWITCH), true);
    for (int n = 0; n <= 5; ++n)
        TRY(wait_for_foe(&t, n), n <= 4);
}

#undef TRY

/* There are two sides of six Pokémon each, and nothing else. */
static void texts_have_sections(void **unused)
{
    static const struct {
        const char *more;
        bool good;
    } rows[] = {{" | p1 left=6", true},
                {" | p2 left=6", true},
                {" | p0 left=6", false},
                {" | p3 left=6", false},
                {" | p1.5 hp=1", true},
                {" | p1.6 hp=1", false},
                {" | p1.x hp=1", false},
                {" | p2.active speed=1", true},
                {" | p2.passive speed=1", false},
                {" | x left=6", false},
                {" | p1 left", false},
                {" | p1 left=6,6", false},
                {" | p1 left=", false},
                {" | p1 left=6x", false},
                {" | p1 left=256", false},
                {" | p1 order=0,1,2,3,4", false},
                {" | p1.0 gender=M", true},
                {" | p1.0 gender=X", false},
                {" | p1.0 item=none", true},
                {" | p1.0 item=nothing", false},
                {" | p2.active volatiles=taunted", false}};
    (void)unused;
    static char text[BANYAN_TEXT_MAX + 64];
    struct pokemon s, back;
    start(&s, 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        int length = game()->format(game(), &s, text, BANYAN_TEXT_MAX);
        snprintf(text + length, 64, "%s", rows[i].more);
        if ((game()->init(game(), &back, text, NULL, NULL) == BANYAN_OK) != rows[i].good)
            fail_msg("'%s' is %s", rows[i].more, rows[i].good ? "refused" : "taken");
    }
}

/* Layers and turns of each condition of a side (Showdown, data/conditions and moves). */
static void sides_have_bounds(void **unused)
{
    static const struct {
        int id, most;
    } rows[] = {{SIDE_STEALTHROCK, 1},   {SIDE_SPIKES, 3},         {SIDE_TOXICSPIKES, 2},
                {SIDE_STICKYWEB, 1},     {SIDE_GMAXSTEELSURGE, 1}, {SIDE_REFLECT, 8},
                {SIDE_LIGHTSCREEN, 8},   {SIDE_AURORAVEIL, 8},     {SIDE_GMAXVINELASH, 4},
                {SIDE_GMAXCANNONADE, 4}, {SIDE_GMAXVOLCALITH, 4}};
    (void)unused;
    struct pokemon s;
    start(&s, 4);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        for (int n = 1; n <= rows[i].most + 1; ++n) {
            struct pokemon t = s;
            t.sides[0].condition[rows[i].id] = (uint8_t)n;
            if (rows[i].id < SIDE_HAZARDS) {
                assert_false(is_readable(&t)); /* without its place in the order */
                t.sides[0].stamp[rows[i].id] = 1;
            }
            assert_int_equal(is_readable(&t), n <= rows[i].most);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_end_alone), cmocka_unit_test(conditions_need_their_numbers),
        cmocka_unit_test(mons_have_bounds),     cmocka_unit_test(active_mons_have_bounds),
        cmocka_unit_test(teams_have_bounds),    cmocka_unit_test(battles_have_bounds),
        cmocka_unit_test(texts_have_sections),  cmocka_unit_test(sides_have_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
