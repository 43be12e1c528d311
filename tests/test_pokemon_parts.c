/* Pokémon: what is hidden and drawn again, keys, texts and the calculator, each part against its rule. */
#include "games/pokemon/battle.h"
#include "games/pokemon/belief.h"
#include "games/pokemon/calc.h"
#include "games/pokemon/redraw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { FOE = 1, DRAWS = 400 };

static const struct banyan_game *game(void)
{
    const struct banyan_game *found;
    assert_int_equal(banyan_game_find("pokemon", &found, NULL), BANYAN_OK);
    return found;
}

static void start(struct pokemon *s, uint64_t seed)
{
    struct banyan_rng rng;
    banyan_rng_seed(&rng, seed);
    assert_int_equal(game()->init(game(), s, NULL, &rng, NULL), BANYAN_OK);
}

static struct pokemon_mon *lead(struct pokemon *s, int side)
{
    return &s->sides[side].mons[s->sides[side].order[0]];
}

static uint64_t bit(int id)
{
    return (uint64_t)1 << id;
}

/* --- shares of hp --- */

/* The hp that are shown as a percentage, found by trying all of them. */
static void shares_of_hp(void **unused)
{
    (void)unused;
    for (int max = 100; max <= 720; ++max)
        for (int percent = 0; percent <= 100; ++percent) {
            int least = -1, most = -1, low, high;
            for (int hp = 0; hp <= max; ++hp)
                if (hp_percent(hp, max) == percent) {
                    least = least < 0 ? hp : least;
                    most = hp;
                }
            hp_percent_range(percent, max, &low, &high);
            if (low != least || high != most)
                fail_msg("%d %% of %d: %d to %d, not %d to %d", percent, max, low, high, least,
                         most);
            if (most > 0)
                assert_int_equal(hp_percent(belief_hp(most, max, 333), 333), percent);
        }
    assert_int_equal(belief_hp(0, 200, 300), 0);
    assert_int_equal(belief_hp(200, 200, 300), 300);
    assert_int_equal(belief_hp(77, 200, 200), 77);
    assert_int_equal(hp_percent(1, 720), 1);
    assert_int_equal(hp_percent(719, 720), 99);
}

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

/* Only the first Pokémon of a side have not fainted. */
static void keep_only(struct pokemon_side *side, int left)
{
    for (int i = left; i < POKEMON_TEAM; ++i) {
        side->mons[i].hp = 0;
        side->mons[i].flags |= MON_FAINTED;
    }
    side->left = (uint8_t)left;
}

/* The turn has stopped because the first side's Pokémon leaves; the foe has n actions left. */
static void wait_for_foe(struct pokemon *s, int n)
{
    s->mid_turn = 1;
    s->request[0] = REQUEST_SWITCH;
    s->request[FOE] = REQUEST_NONE;
    s->queued = (uint8_t)n;
    for (int i = 0; i < n; ++i)
        s->queue[i] = (struct pokemon_action){
            .choice = CHOICE_MOVE, .side = FOE, .move = lead(s, FOE)->slots.id[0]};
}

/* Numbers of a battle at their bounds and one beyond them. */
static void texts_have_bounds(void **unused)
{
    (void)unused;
    struct pokemon s, t;
    start(&s, 3);
    s.weather = s.weather_turns = s.terrain = s.terrain_turns = 0;
#define TRY(edit, good)                         \
    do {                                        \
        t = s;                                  \
        edit;                                   \
        if (is_readable(&t) != (good))          \
            fail_msg("%s: %d", #edit, !(good)); \
    } while (0)
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
#undef TRY
}

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

/* --- sets --- */

static bool has_move(const struct dex_set *set, int move)
{
    for (int i = 0; i < 4; ++i)
        if (set->moves[i] == move)
            return true;
    return false;
}

/* The probability that these counts are drawn from total one after another, in any order. */
static double in_any_order(const double *count, int n, double total)
{
    double sum = n ? 0 : 1;
    for (int i = 0; i < n; ++i) {
        double rest[4];
        for (int k = 0, at = 0; k < n; ++k)
            if (k != i)
                rest[at++] = count[k];
        sum += count[i] / total * in_any_order(rest, n - 1, total - count[i]);
    }
    return sum;
}

/* A Pokémon of the entry of which the first `seen` moves of a set are known, and nothing else. */
static struct pokemon_mon mon_of_entry(const struct dex_entry *entry, const struct dex_set *set,
                                       int seen)
{
    struct banyan_rng rng;
    struct pokemon_mon mon;
    banyan_rng_seed(&rng, 1);
    memset(&mon, 0, sizeof mon);
    setup_from_set(&mon, entry, &dex_sets[entry->first_set], &rng);
    memset(&mon.slots, 0, sizeof mon.slots);
    mon.slots.count = (uint8_t)seen;
    for (int i = 0; i < seen; ++i) {
        mon.slots.id[i] = set->moves[i];
        mon.slots.pp[i] = mon.slots.max_pp[i] = 3;
    }
    mon.seen = (uint8_t)(SEEN_SPECIES | ((1 << seen) - 1));
    return mon;
}

struct shown {
    int item, ability; /* 0: not seen */
};

static bool agrees(const struct dex_set *set, const struct pokemon_mon *mon, struct shown shown)
{
    for (int i = 0; i < mon->slots.count; ++i)
        if (!has_move(set, mon->slots.id[i]))
            return false;
    return (!shown.item || set->item == shown.item) &&
           (!shown.ability || set->ability == shown.ability);
}

/* By the definition: the share of the drawn sets that agree, and 0.4 % for all other combinations, each as
 * likely as its parts; the parts that were seen are certain. */
static double probability_of(const struct belief_candidates *of, const struct pokemon_mon *mon,
                             const struct dex_set *truth, struct shown shown)
{
    double fit = 0, same = 0, all = 0, draws = 0, items = 0, abilities = 0, count[4];
    int n = 0;
    for (int i = 0; i < of->count; ++i) {
        const struct dex_set *set = &dex_sets[of->first + i];
        bool equal = set->item == truth->item && set->ability == truth->ability;
        for (int k = 0; k < 4; ++k) {
            equal = equal && has_move(truth, set->moves[k]) && has_move(set, truth->moves[k]);
            draws += set->moves[k] ? set->count : 0;
        }
        fit += agrees(set, mon, shown) ? set->count : 0;
        same += equal && agrees(set, mon, shown) ? set->count : 0;
        all += set->count;
        items += set->item == truth->item ? set->count : 0;
        abilities += set->ability == truth->ability ? set->count : 0;
    }
    for (int k = 0; k < 4 && truth->moves[k]; ++k) {
        double with = 0;
        bool known = false;
        for (int i = 0; i < of->count; ++i)
            with += has_move(&dex_sets[of->first + i], truth->moves[k])
                        ? dex_sets[of->first + i].count
                        : 0;
        for (int i = 0; i < mon->slots.count; ++i)
            known |= mon->slots.id[i] == truth->moves[k];
        if (known)
            draws -= with;
        else
            count[n++] = with;
    }
    double parts = draws > 0 ? in_any_order(count, n, draws) : 1;
    parts *= (shown.item ? 1 : items / all) * (shown.ability ? 1 : abilities / all);
    double strange = fit > 0 ? 0.004 : 1;
    double sum = (fit > 0 ? (1 - strange) * same / fit : 0) + strange * parts;
    return sum > 1e-9 ? sum : 1e-9;
}

/* A set with parts of two others; false: they have too few moves. */
static bool mixed_set(const struct dex_set *a, const struct dex_set *b, struct dex_set *out)
{
    int count = 2;
    *out = *a;
    for (int k = 3; k >= 0 && count < 4; --k)
        if (b->moves[k] && b->moves[k] != out->moves[0] && b->moves[k] != out->moves[1] &&
            (count < 3 || b->moves[k] != out->moves[2]))
            out->moves[count++] = b->moves[k];
    out->item = b->item;
    return count == 4 && out->moves[1];
}

static void check_probability(const struct dex_entry *entry, const struct dex_set *truth, int way)
{
    struct belief belief;
    struct pokemon_mon mon = mon_of_entry(entry, truth, way % 3);
    struct belief_candidates of = belief_candidates(&mon);
    struct shown shown = {way & 4 ? truth->item : 0, way & 8 ? truth->ability : 0};
    belief_start(&belief, 0);
    mon.item = way & 16 ? ITEM_NONE : truth->item; /* taken away: it is the last item */
    mon.last_item = truth->item;
    mon.set_ability = truth->ability;
    mon.seen |= (uint8_t)((shown.item ? SEEN_ITEM : 0) | (shown.ability ? SEEN_ABILITY : 0));
    double right = probability_of(&of, &mon, truth, shown);
    double found = belief_probability(&belief.mons[0], &mon, truth);
    if (fabs(found - right) > 1e-5 * right)
        fail_msg("entry %d, case %d: %.9g, not %.9g", (int)(entry - dex_entries), way, found,
                 right);
}

static void probabilities_of_sets(void **unused)
{
    (void)unused;
    int mixed = 0;
    for (int i = 0; i < dex_entry_count; i += 2) {
        const struct dex_entry *entry = &dex_entries[i];
        const struct dex_set *first = &dex_sets[entry->first_set], *last = first + entry->sets - 1;
        struct pokemon_mon mon = mon_of_entry(entry, first, 0);
        struct dex_set truth;
        if (belief_candidates(&mon).entry != entry)
            continue;
        for (int way = 0; way < 24; ++way) {
            if (first->moves[2])
                check_probability(entry, first, way);
            if (mixed_set(first, last, &truth)) {
                check_probability(entry, &truth, way);
                ++mixed;
            }
        }
    }
    assert_true(mixed > 1000);
}

/* A Pokémon takes over what was not seen, and its hp stay the same share. */
static void check_assumed(const struct dex_entry *entry, const struct dex_set *set, bool large)
{
    const struct dex_spread *spread = &dex_spreads[set->spread];
    struct pokemon_mon mon = mon_of_entry(entry, set, 2);
    struct pokemon_active active;
    uint16_t stats[STAT_COUNT];
    memset(&active, 0, sizeof active);
    memset(mon.evs, 1, sizeof mon.evs);
    mon.max_hp = (uint16_t)(large ? 2 * mon.base_max_hp : mon.base_max_hp);
    mon.hp = (uint16_t)(mon.max_hp / 3);
    int percent = hp_percent(mon.hp, mon.max_hp);
    mon.item = ITEM_LIGHTBALL;
    mon.seen |= large ? SEEN_ITEM : 0;
    belief_assume(&mon, &active, set);
    dex_stats(entry->species, entry->level, spread->evs, spread->ivs, stats);
    assert_memory_equal(mon.evs, spread->evs, sizeof mon.evs);
    assert_memory_equal(mon.ivs, spread->ivs, sizeof mon.ivs);
    assert_memory_equal(mon.stats, stats + 1, sizeof mon.stats);
    assert_memory_equal(active.stats, stats + 1, sizeof active.stats);
    assert_int_equal(mon.base_max_hp, stats[STAT_HP]);
    assert_int_equal(mon.max_hp, large ? 2 * stats[STAT_HP] : stats[STAT_HP]);
    assert_int_equal(hp_percent(mon.hp, mon.max_hp), percent);
    assert_int_equal(mon.item, large ? ITEM_LIGHTBALL : set->item);
    assert_int_equal(mon.ability, set->ability);
    for (int k = 0; k < 4 && set->moves[k]; ++k) {
        assert_int_equal(mon.slots.count, k < 3 && !set->moves[k + 1] ? k + 1 : mon.slots.count);
        bool there = false;
        for (int i = 0; i < mon.slots.count; ++i)
            there |= mon.slots.id[i] == set->moves[k];
        assert_true(there);
    }
    for (int i = 0; i < mon.slots.count; ++i) {
        int pp = i < 2 ? 3 : dex_moves[mon.slots.id[i]].pp;
        assert_true(mon.slots.pp[i] == pp && mon.slots.max_pp[i] == pp);
    }
}

static void assumed_sets(void **unused)
{
    (void)unused;
    for (int i = 0; i < dex_entry_count; ++i) {
        const struct dex_entry *entry = &dex_entries[i];
        const struct dex_set *set = &dex_sets[entry->first_set] + i % entry->sets;
        if (!set->moves[2] || dex_species[entry->species].flags & SPECIES_IS_ONE_HP)
            continue;
        struct pokemon_mon mon = mon_of_entry(entry, set, 0);
        if (!conceal_hides_ability(&mon) || mon.base_max_hp < 100)
            continue;
        check_assumed(entry, set, false);
        check_assumed(entry, set, true);
    }
}

/* --- what is hidden --- */

struct length {
    uint8_t *left, *start;
};

/* Puts lengths where this many turns are left of this many. */
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

/* Of a substitute the other player sees only whether it was hit; a quarter of the maximum is whole. */
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

/* The bench is shuffled: each Pokémon is as often in each place; a disguise shows the last that has not
 * fainted. */
static void benches_are_shuffled(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    struct pokemon s;
    int counts[6][6];
    memset(counts, 0, sizeof counts);
    banyan_rng_seed(&rng, 3);
    start(&s, 9);
    for (int i = 0; i < 10 * DRAWS; ++i) {
        struct pokemon_side side = s.sides[0];
        redraw_bench_order(&side, &rng);
        for (int k = 0; k < 6; ++k)
            ++counts[k][side.order[k]];
    }
    assert_int_equal(counts[0][0], 10 * DRAWS);
    for (int k = 1; k < 6; ++k)
        for (int i = 1; i < 6; ++i)
            assert_in_range(counts[k][i], 7 * DRAWS / 4, 9 * DRAWS / 4);
    for (int shown = 0; shown < 6; ++shown)
        for (int gone = 0; gone < 6; ++gone) {
            struct pokemon_side side = s.sides[0];
            int first = shown == 0 ? 1 : 0, at = 5;
            for (int k = 0; k < 6; ++k)
                if (side.order[k] == first)
                    side.order[k] = side.order[0];
            side.order[0] = (uint8_t)first;
            side.active.illusion = (uint8_t)(shown + 1);
            if (gone != shown && gone != first)
                side.mons[gone].flags |= MON_FAINTED;
            redraw_bench_order(&side, &rng);
            while (side.mons[side.order[at]].flags & MON_FAINTED)
                --at;
            if (shown != first)
                assert_int_equal(side.order[at], shown);
        }
}

/* --- Illusion --- */

/* What the active Pokémon has shown since it came in happened to the other instead: its hp as a share, its
 * status, its moves; itself is again as it was when it came in. */
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

/* A move that was used and seen takes its own slot of the other Pokémon, else the first that was not seen,
 * with its PP; if there is none, the other cannot have used it. */
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

/* A Choice item locks its holder into the move that was seen, but not while it is Dynamaxed; no other item
 * does.  Whoever holds it can use no other move. */
static void choice_items_lock(void **unused)
{
    static const int items[] = {ITEM_CHOICEBAND, ITEM_CHOICESCARF, ITEM_CHOICESPECS,
                                ITEM_LEFTOVERS};
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 4);
    for (int way = 0; way < 16; ++way) {
        struct pokemon s;
        bool choice = way % 4 < 3, large = way & 4, gorilla = way & 8;
        start(&s, 10);
        struct pokemon_mon *mon = lead(&s, FOE);
        struct pokemon_active *a = &s.sides[FOE].active;
        mon->item = (uint8_t)items[way % 4];
        mon->ability = gorilla ? ABILITY_GORILLATACTICS : ABILITY_STURDY;
        a->last_move = mon->slots.id[2];
        a->volatiles = large ? bit(VOLATILE_DYNAMAX) : 0;
        redraw_active(&s, FOE, &rng);
        bool locked = choice && !large;
        assert_int_equal((a->volatiles & bit(VOLATILE_CHOICELOCK)) != 0, locked);
        assert_int_equal(a->choice_move, locked ? mon->slots.id[2] : 0);
        assert_int_equal(a->gorilla_move, gorilla ? mon->slots.id[2] : 0);
        banyan_action legal[16];
        int count = legal_actions(&s, FOE, legal), moves = 0;
        for (int i = 0; i < count; ++i)
            moves += legal[i] >> 16 == ACTION_MOVE;
        assert_int_equal(moves, !large && (locked || gorilla) ? 1 : 4);
    }
}

/* Unburden has doubled the speed of a Pokémon whose item was seen to go; Gluttony is awake, and whether Berserk has
 * been tried follows from a hit. */
static void drawn_abilities_have_worked(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 8);
    for (int way = 0; way < 16; ++way) {
        struct pokemon s;
        bool holds = way & 1, is_seen = way & 2, was_seen = way & 4, had = way & 8;
        start(&s, 10);
        struct pokemon_mon *mon = lead(&s, FOE);
        struct pokemon_active *a = &s.sides[FOE].active;
        mon->ability = mon->set_ability = mon->base_ability = ABILITY_UNBURDEN;
        mon->item = holds ? ITEM_LEFTOVERS : ITEM_NONE;
        mon->seen = (uint8_t)(SEEN_SPECIES | (is_seen ? SEEN_ITEM : 0));
        a->arrival.seen = (uint8_t)(SEEN_SPECIES | (was_seen ? SEEN_ITEM : 0));
        a->arrival.item = had ? ITEM_LEFTOVERS : ITEM_NONE;
        redraw_active(&s, FOE, &rng);
        /* it came in without one if that was seen then */
        bool lost = !holds && is_seen && (!was_seen || had);
        assert_int_equal((a->volatiles & bit(VOLATILE_UNBURDEN)) != 0, lost);
    }
    for (int way = 0; way < 6; ++way) {
        struct pokemon s;
        start(&s, 10);
        struct pokemon_mon *mon = lead(&s, FOE);
        struct pokemon_active *a = &s.sides[FOE].active;
        int ability = way % 3 == 0   ? ABILITY_GLUTTONY
                      : way % 3 == 1 ? ABILITY_BERSERK
                                     : ABILITY_STURDY;
        mon->ability = mon->set_ability = mon->base_ability = (uint8_t)ability;
        mon->seen = SEEN_SPECIES;
        a->ability_flags = 0;
        a->arrival.struck = way >= 3;
        redraw_active(&s, FOE, &rng);
        int right = ability == ABILITY_GLUTTONY ? ABILITY_GLUTTONY_AWAKE
                    : ability == ABILITY_BERSERK && way >= 3
                        ? ABILITY_BERSERK_KNOWN | ABILITY_CHECKED_BERSERK
                        : 0;
        assert_int_equal(a->ability_flags, right);
    }
}

/* A Pokémon of no known species and level has nothing but Struggle. */
static void unknown_sets_are_drawn(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    struct belief belief;
    struct pokemon s, out;
    start(&s, 11);
    banyan_rng_seed(&rng, 5);
    belief_start(&belief, 0);
    lead(&s, FOE)->level = 3;
    lead(&s, FOE)->seen = SEEN_SPECIES;
    belief_draw(&belief, &s, &out, &rng);
    struct pokemon known = s;
    conceal(&known, 0);
    for (int i = 0; i < STAT_COUNT; ++i) /* what most sets have */
        assert_true(lead(&known, FOE)->evs[i] == 85 && lead(&known, FOE)->ivs[i] == 31);
    const struct pokemon_slots struggle = {
        .id = {MOVE_STRUGGLE}, .pp = {1}, .max_pp = {1}, .count = 1};
    assert_memory_equal(&lead(&out, FOE)->slots, &struggle, sizeof struggle);
    for (int i = 1; i < POKEMON_TEAM; ++i) { /* those that were not seen are drawn whole */
        const struct pokemon_mon *mon = &out.sides[FOE].mons[i];
        assert_true(mon->set_species && mon->hp == mon->max_hp && mon->slots.count >= 1);
    }
}

/* The move that the foe has chosen and not yet made is drawn among the moves of the drawn Pokémon. */
static void waiting_moves_are_drawn(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    struct belief belief;
    banyan_rng_seed(&rng, 7);
    belief_start(&belief, 0);
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        struct pokemon s, out;
        start(&s, seed);
        if (s.request[0] != REQUEST_MOVE || s.request[FOE] != REQUEST_MOVE)
            continue;
        wait_for_foe(&s, 1);
        s.queue[1] = (struct pokemon_action){.choice = CHOICE_RESIDUAL, .side = FOE};
        s.queued = 2;
        s.sides[0].active.last_move = MOVE_UTURN;
        belief_draw(&belief, &s, &out, &rng);
        const struct pokemon_mon *mon = lead(&out, FOE);
        bool own = false;
        assert_int_equal(out.queued, 2);
        assert_true(out.queue[0].side == FOE && out.queue[0].mon == out.sides[FOE].order[0]);
        assert_int_equal(out.queue[1].choice, CHOICE_RESIDUAL);
        for (int i = 0; i < mon->slots.count; ++i)
            own |= mon->slots.id[i] == out.queue[0].move;
        if (!own)
            fail_msg("seed %d: the foe waits with move %d", (int)seed, out.queue[0].move);
        assert_true(dex_moves[out.queue[0].move].priority <= 0);
    }
}

/* Of each drawn bench no species comes twice, and no type more than twice. */
static void drawn_teams_are_teams(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    struct belief belief;
    belief_start(&belief, 0);
    banyan_rng_seed(&rng, 6);
    for (uint64_t seed = 1; seed <= 60; ++seed) {
        struct pokemon s, out;
        start(&s, seed);
        belief_draw(&belief, &s, &out, &rng);
        int of_type[TYPE_COUNT] = {0};
        for (int i = 0; i < POKEMON_TEAM; ++i) {
            const struct pokemon_mon *mon = &out.sides[FOE].mons[i];
            const struct dex_species *row = &dex_species[mon->set_species];
            for (int k = 0; k < i; ++k)
                assert_int_not_equal(row->base,
                                     dex_species[out.sides[FOE].mons[k].set_species].base);
            ++of_type[row->types[0]];
            if (row->types[1] != TYPE_NONE)
                ++of_type[row->types[1]];
            assert_true(mon->gender == 'M' || mon->gender == 'F' || mon->gender == 0 ||
                        mon->gender == 'N');
        }
        for (int type = 0; type < TYPE_NONE; ++type)
            assert_in_range(of_type[type], 0, 2);
    }
}

/* How many of a team an attack of this type hurts doubly (steps 1) or four times (steps 2), or more. */
static int weak_to(const struct pokemon_side *side, int type, int steps)
{
    int count = 0;
    for (int i = 0; i < POKEMON_TEAM; ++i) {
        const uint8_t *types = dex_species[side->mons[i].set_species].types;
        int sum = 0;
        bool immune = false;
        for (int k = 0; k < 2; ++k)
            if (types[k] != TYPE_NONE) {
                sum += dex_effectiveness[type][types[k]];
                immune |= dex_immune_types[type] >> types[k] & 1;
            }
        count += !immune && sum >= steps;
    }
    return count;
}

/* The generator's rules for a team: each species once, each type at most twice, at most three Pokémon weak and one
 * doubly weak to a type, at most one of level 100; sets and genders are those of the tables. */
static void teams_keep_the_rules(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    int most_weak = 0, most_doubly = 0, genders[2] = {0, 0};
    banyan_rng_seed(&rng, 9);
    for (int n = 0; n < 600; ++n) {
        struct pokemon_side side = {.left = 0};
        setup_team(&side, &rng);
        assert_int_equal(side.left, POKEMON_TEAM);
        int of_type[TYPE_COUNT] = {0}, hundreds = 0;
        for (int i = 0; i < POKEMON_TEAM; ++i) {
            const struct pokemon_mon *mon = &side.mons[i];
            const struct dex_species *row = &dex_species[mon->set_species];
            assert_int_equal(side.order[i], i);
            for (int k = 0; k < i; ++k)
                assert_int_not_equal(row->base, dex_species[side.mons[k].set_species].base);
            ++of_type[row->types[0]];
            of_type[row->types[1]] += row->types[1] != TYPE_NONE;
            hundreds += mon->level == 100;
            assert_true(mon->hp == mon->max_hp && mon->max_hp == mon->base_max_hp);
            if (!row->gender)
                ++genders[mon->gender == 'F'];
            assert_true(mon->gender == 'M' || mon->gender == 'F' || row->gender == 'N');
        }
        assert_in_range(hundreds, 0, 1);
        for (int type = 0; type < TYPE_NONE; ++type) {
            int weak = weak_to(&side, type, 1), doubly = weak_to(&side, type, 2);
            assert_in_range(of_type[type], 0, 2);
            assert_in_range(weak, 0, 3);
            assert_in_range(doubly, 0, 1);
            most_weak = weak > most_weak ? weak : most_weak;
            most_doubly = doubly > most_doubly ? doubly : most_doubly;
        }
    }
    assert_true(most_weak == 3 && most_doubly == 1);
    assert_in_range(genders[0], genders[1] * 4 / 5, genders[1] * 5 / 4);
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

/* What was spent of a move that was seen, and whether it was seen before the Pokémon came in, is known. */
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

/* --- the calculator --- */

static void knock_outs_by_hand(void **unused)
{
    (void)unused;
    static struct calc calc = {
        .amounts = {{0, false, 0.25}, {10, false, 0.5}, {20, true, 0.25}}, .count = 3, .hp = 30};
    int least = 0, most = 0;
    /* three times 10 at least on average: of 64 ways of three attacks (0: 1, 10: 2, 20: 1 of 4) those with 30
     * or more: 20 20 20: 1; 20 20 10: 6; 20 20 0: 3; 20 10 10: 12; 20 10 0: 12; 10 10 10: 8; of two: 20 20: 1
     * and 20 10: 4 of 16 */
    assert_true(calc_knock_out(&calc, 0) == 0);
    assert_true(calc_knock_out(&calc, 1) == 0);
    assert_true(fabs(calc_knock_out(&calc, 2) - 5.0 / 16) < 1e-12);
    assert_true(fabs(calc_knock_out(&calc, 3) - 42.0 / 64) < 1e-12);
    assert_true(calc_range(&calc, false, &least, &most));
    assert_true(least == 10 && most == 10);
    assert_true(calc_range(&calc, true, &least, &most));
    assert_true(least == 20 && most == 20);
    calc.count = 2;
    assert_false(calc_range(&calc, true, &least, &most));
    calc.hp = 1;
    assert_true(fabs(calc_knock_out(&calc, 1) - 0.5) < 1e-12);
}

/* The amounts of an attack are all different and sorted; Super Fang takes half. */
static void amounts_are_sorted(void **unused)
{
    (void)unused;
    static const int moves[] = {MOVE_BODYSLAM, MOVE_EARTHQUAKE, MOVE_ICEBEAM, MOVE_SURF};
    static struct calc calc;
    struct pokemon s;
    for (uint64_t seed = 1; seed <= 20; ++seed)
        for (int k = 0; k < 4; ++k) {
            double sum = 0, hits = 0;
            start(&s, seed);
            calc_attack(&s, 0, moves[k], false, &calc);
            for (int i = 0; i < calc.count; ++i) {
                const struct calc_amount *x = &calc.amounts[i];
                assert_true(!i || x[-1].crit < x->crit ||
                            (x[-1].crit == x->crit && x[-1].damage < x->damage));
                sum += x->chance;
                hits += x->damage ? x->chance : 0;
            }
            assert_true(fabs(sum - 1) < 1e-9 && fabs(hits - calc.hits) < 1e-9);
        }
    start(&s, 1);
    struct pokemon_mon *mon = lead(&s, FOE);
    memset(s.sides[FOE].active.types, TYPE_NONE, 2);
    mon->ability = ABILITY_STURDY;
    mon->hp = mon->max_hp = 303;
    calc_attack(&s, 0, MOVE_SUPERFANG, false, &calc);
    int least, most;
    assert_true(calc_range(&calc, false, &least, &most));
    assert_true(least == 151 && most == 151);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_hp),
        cmocka_unit_test(conditions_end_alone),
        cmocka_unit_test(conditions_need_their_numbers),
        cmocka_unit_test(texts_have_bounds),
        cmocka_unit_test(texts_have_sections),
        cmocka_unit_test(sides_have_bounds),
        cmocka_unit_test(explanations_are_exchanged),
        cmocka_unit_test(moves_of_the_other),
        cmocka_unit_test(probabilities_of_sets),
        cmocka_unit_test(assumed_sets),
        cmocka_unit_test(lengths_are_hidden),
        cmocka_unit_test(lengths_are_drawn),
        cmocka_unit_test(substitutes_are_hidden),
        cmocka_unit_test(the_rest_is_hidden),
        cmocka_unit_test(benches_are_shuffled),
        cmocka_unit_test(choice_items_lock),
        cmocka_unit_test(drawn_abilities_have_worked),
        cmocka_unit_test(unknown_sets_are_drawn),
        cmocka_unit_test(waiting_moves_are_drawn),
        cmocka_unit_test(drawn_teams_are_teams),
        cmocka_unit_test(teams_keep_the_rules),
        cmocka_unit_test(keys_tell_apart),
        cmocka_unit_test(keys_of_moves),
        cmocka_unit_test(knock_outs_by_hand),
        cmocka_unit_test(amounts_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
