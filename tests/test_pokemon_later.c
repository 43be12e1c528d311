/* Pokémon: what outlasts the turn in which it was caused, by hand from the published rules (Bulbapedia;
 * Showdown, data/conditions.ts): Future Sight, conditions that forbid moves, and Transform. */
#include "games/pokemon/battle.h"
#include "pokemon_battle.h"

static struct pokemon_mon *lead(struct pokemon *s, int side)
{
    return &s->sides[side].mons[s->sides[side].order[0]];
}

/* --- Future Sight: power 120, of the user's Special Attack, at the end of the turn after the next --- */

enum sender { STAYS, LEAVES, FAINTS };

/* Alakazam (Psychic) uses it against a target, and then stays in play, leaves for the bench, or faints there.  On
 * the bench its ability and its item do nothing; its own type and its Special Attack count everywhere. */
struct vision {
    const char *ability, *item;
    enum sender sender;
    const char *target; /* NULL: Wailord, Water */
    bool screen;        /* Light Screen at the target's side */
    int attack_4096, type_4096, end_4096, doubled;
    int cost; /* what the sender in play loses: 10, a tenth */
};

enum { ONE = 4096, HALF = 2048, UP_1_3 = 5324, UP_1_5 = 6144, TWICE = 8192 };

static const struct vision visions[] = {
    {"innerfocus", "none", STAYS, NULL, false, ONE, UP_1_5, ONE, 0, 0},
    {"innerfocus", "none", LEAVES, NULL, false, ONE, UP_1_5, ONE, 0, 0},
    {"innerfocus", "none", FAINTS, NULL, false, ONE, UP_1_5, ONE, 0, 0},
    {"innerfocus", "choicespecs", STAYS, NULL, false, UP_1_5, UP_1_5, ONE, 0, 0},
    {"innerfocus", "choicespecs", LEAVES, NULL, false, ONE, UP_1_5, ONE, 0, 0},
    {"innerfocus", "lifeorb", STAYS, NULL, false, ONE, UP_1_5, UP_1_3, 0, 10},
    {"innerfocus", "lifeorb", LEAVES, NULL, false, ONE, UP_1_5, ONE, 0, 0},
    {"adaptability", "none", STAYS, NULL, false, ONE, TWICE, ONE, 0, 0},
    {"adaptability", "none", LEAVES, NULL, false, ONE, UP_1_5, ONE, 0, 0},
    {"innerfocus", "none", STAYS, NULL, true, ONE, UP_1_5, HALF, 0, 0},
    {"infiltrator", "none", STAYS, NULL, true, ONE, UP_1_5, ONE, 0, 0},
    {"infiltrator", "none", LEAVES, NULL, true, ONE, UP_1_5, HALF, 0, 0},
    {"innerfocus", "none", LEAVES, "machamp", false, ONE, UP_1_5, ONE, 1, 0},
    {"innerfocus", "none", LEAVES, "metagross", false, ONE, UP_1_5, ONE, -2, 0},
    {"innerfocus", "none", LEAVES, "tyranitar", false, ONE, 0, ONE, 0, 0}, /* Dark: nothing */
};

/* v times m / 4096, rounded to the nearest, halves down. */
static int modified(int v, int m)
{
    return (v * m + 2047) / 4096;
}

static int damage_of(const struct vision *x, int attack, int defence, int percent)
{
    int damage = 42 * 120 * modified(attack, x->attack_4096) / defence / 50 + 2;
    damage = modified(damage * percent / 100, x->type_4096);
    for (int step = x->doubled; step != 0; step -= step > 0 ? 1 : -1)
        damage = step > 0 ? damage * 2 : damage / 2;
    return modified(damage, x->end_4096);
}

static void open_vision(struct pokemon *s, const struct vision *x)
{
    char sender[128], target[128];
    snprintf(sender, sizeof sender,
             "species=alakazam ability=%s item=%s moves=futuresight,none,none,none", x->ability,
             x->item);
    snprintf(target, sizeof target,
             "species=%s ability=pressure moves=stealthrock,lightscreen,none,none",
             x->target ? x->target : "wailord");
    open_battle(s,
                (const char *const[2]){sender, "species=charizard ability=solarpower item=lifeorb "
                                               "moves=nastyplot,none,none,none"},
                target);
    lead(s, 1)->hp = lead(s, 1)->max_hp = lead(s, 1)->base_max_hp = 900;
}

/* Plays two turns, the one in which Future Sight is used and the next one; nothing else that is
 * chosen hurts anybody. */
static void wait_for_vision(struct pokemon *s, const struct vision *x)
{
    play_turn(s, "move futuresight", x->screen ? "move lightscreen" : "move stealthrock");
    if (x->sender == STAYS) {
        play_turn(s, "move futuresight", "move stealthrock");
        return;
    }
    play_turn(s, "switch charizard", "move stealthrock");
    if (x->sender == FAINTS) {
        struct pokemon_mon *sender = &s->sides[0].mons[0];
        sender->hp = 0;
        sender->flags |= MON_FAINTED;
        --s->sides[0].left;
    }
}

static void check_vision(int row)
{
    const struct vision *x = &visions[row];
    struct pokemon s;
    open_vision(&s, x);
    wait_for_vision(&s, x);
    assert_true(s.sides[1].future_move != 0);
    struct pokemon_mon sender = s.sides[0].mons[0];
    int hp = lead(&s, 1)->hp, own_hp = lead(&s, 0)->hp;
    int attack = sender.stats[BOOST_SPA], defence = lead(&s, 1)->stats[BOOST_SPD];
    bool stays = x->sender == STAYS;
    play_turn(&s, stays ? "move futuresight" : "move nastyplot", "move stealthrock");
    int lost = hp - lead(&s, 1)->hp;
    bool right = false;
    for (int percent = 85; percent <= 100; ++percent)
        right |= lost == damage_of(x, attack, defence, percent);
    if (!right)
        fail_msg("row %d: %d, not %d to %d", row, lost, damage_of(x, attack, defence, 85),
                 damage_of(x, attack, defence, 100));
    assert_int_equal(own_hp - lead(&s, 0)->hp, x->cost ? lead(&s, 0)->max_hp / x->cost : 0);
    assert_true(s.sides[1].future_move == 0 && s.sides[1].future_turn == 0 &&
                s.sides[1].future_source == 0);
    if (stays)
        return;
    /* the one in play and the one on the bench are as they would be without it */
    assert_memory_equal(&s.sides[0].mons[0], &sender, sizeof sender);
    assert_int_equal(lead(&s, 0)->species, dex_find_species("charizard"));
    assert_int_equal(s.sides[0].active.boosts[BOOST_SPA], 2);
}

static void visions_come_true(void **unused)
{
    (void)unused;
    for (int row = 0; row < (int)(sizeof visions / sizeof *visions); ++row)
        check_vision(row);
}

/* It hits whoever is in play then, and nobody where that Pokémon has fainted. */
static void visions_hit_who_is_there(void **unused)
{
    (void)unused;
    for (int fainted = 0; fainted < 2; ++fainted) {
        struct pokemon s;
        struct battle b;
        struct banyan_dice dice;
        struct banyan_rng rng;
        banyan_rng_seed(&rng, 1);
        banyan_dice_drawn(&dice, &rng);
        open_battle(&s,
                    (const char *const[2]){
                        "species=wailord ability=pressure moves=stealthrock,none,none,none",
                        "species=charizard ability=solarpower moves=dragondance,none,none,none"},
                    "species=alakazam ability=innerfocus moves=futuresight,none,none,none");
        play_turn(&s, "move stealthrock", "move futuresight");
        play_turn(&s, "switch charizard", "move futuresight");
        int hp = fainted ? 0 : lead(&s, 0)->max_hp;
        assert_int_equal(lead(&s, 0)->hp, lead(&s, 0)->max_hp);
        lead(&s, 0)->hp = (uint16_t)hp;
        battle_open(&b, &s, &dice);
        hit_future(&b, 0);
        assert_int_equal(lead(&s, 0)->hp < hp, !fainted);
        assert_int_equal(s.sides[0].mons[0].hp, s.sides[0].mons[0].max_hp);
        assert_true(!s.sides[0].future_move && b.user == -1 && b.target == -1 && !b.move);
    }
}

/* --- conditions that forbid moves --- */

enum { DISABLED = 1, TAUNTED = 2, CHOPPED = 4, ENCORED = 8, LOCKED = 16, ALL_WAYS = 32 };

/* Disable: that move; Taunt: moves of status; Throat Chop: moves of sound; Encore and a Choice item: all but
 * one. */
static bool is_forbidden(int ways, int slot)
{
    static const struct {
        bool has_sound, is_status;
    } moves[4] = {{false, false}, {true, false}, {false, true}, {true, true}};
    return (ways & DISABLED && slot == 0) || (ways & TAUNTED && moves[slot].is_status) ||
           (ways & CHOPPED && moves[slot].has_sound) || (ways & ENCORED && slot != 1) ||
           (ways & LOCKED && slot != 2);
}

static void put_ways(struct pokemon *s, int ways)
{
    static const struct {
        int way, id;
    } conditions[] = {{DISABLED, VOLATILE_DISABLE},
                      {TAUNTED, VOLATILE_TAUNT},
                      {CHOPPED, VOLATILE_THROATCHOP},
                      {ENCORED, VOLATILE_ENCORE},
                      {LOCKED, VOLATILE_CHOICELOCK}};
    struct pokemon_active *a = &s->sides[0].active;
    for (int i = 0; i < 5; ++i)
        if (ways & conditions[i].way)
            a->volatiles |= (uint64_t)1 << conditions[i].id;
    a->disable_move = (uint16_t)(ways & DISABLED ? dex_find_move("bodyslam") : 0);
    a->encore_move = (uint16_t)(ways & ENCORED ? dex_find_move("boomburst") : 0);
    a->choice_move = (uint16_t)(ways & LOCKED ? dex_find_move("toxic") : 0);
    lead(s, 0)->item = ways & LOCKED ? ITEM_CHOICEBAND : ITEM_NONE;
}

static void conditions_forbid_moves(void **unused)
{
    (void)unused;
    for (int ways = 0; ways < ALL_WAYS; ++ways) {
        struct pokemon s;
        struct battle b;
        open_battle(&s,
                    (const char *const[2]){
                        "species=snorlax ability=thickfat moves=bodyslam,boomburst,toxic,roar",
                        "species=charizard ability=solarpower moves=protect,none,none,none"},
                    "species=wailord ability=pressure moves=stealthrock,none,none,none");
        put_ways(&s, ways);
        battle_open(&b, &s, NULL);
        turn_disable_moves(&b, 0);
        for (int slot = 0; slot < 4; ++slot)
            if ((lead(&s, 0)->slots.disabled >> slot & 1) != is_forbidden(ways, slot))
                fail_msg("conditions %d: move %d is %sforbidden", ways, slot,
                         is_forbidden(ways, slot) ? "not " : "");
    }
}

/* A choice that nothing binds any more, without the item or the move, forbids nothing and ends. */
static void choices_end_with_their_item(void **unused)
{
    (void)unused;
    for (int way = 0; way < 2; ++way) {
        struct pokemon s;
        struct battle b;
        open_battle(&s,
                    (const char *const[2]){
                        "species=snorlax ability=thickfat moves=bodyslam,boomburst,toxic,roar",
                        "species=charizard ability=solarpower moves=protect,none,none,none"},
                    "species=wailord ability=pressure moves=stealthrock,none,none,none");
        put_ways(&s, LOCKED);
        if (way == 0)
            lead(&s, 0)->item = ITEM_LEFTOVERS;
        else
            s.sides[0].active.choice_move = (uint16_t)dex_find_move("surf");
        battle_open(&b, &s, NULL);
        turn_disable_moves(&b, 0);
        assert_int_equal(lead(&s, 0)->slots.disabled, 0);
        assert_false(has_volatile(&b, 0, VOLATILE_CHOICELOCK));
    }
}

/* A partial trap takes an eighth at the end of a turn as long as the Pokémon that set it is there: not before it
 * has been there for a turn, not after it has left or fainted.  Then the trap is gone. */
static void traps_need_their_trapper(void **unused)
{
    (void)unused;
    enum { THERE, LEFT, JUST_CAME, FAINTED, WAYS };
    for (int way = 0; way < WAYS; ++way) {
        struct pokemon s;
        struct battle b;
        struct banyan_dice dice;
        struct banyan_rng rng;
        banyan_rng_seed(&rng, 1);
        banyan_dice_drawn(&dice, &rng);
        open_battle(&s,
                    (const char *const[2]){
                        "species=snorlax ability=thickfat moves=bodyslam,none,none,none",
                        "species=charizard ability=solarpower moves=protect,none,none,none"},
                    "species=wailord ability=pressure moves=stealthrock,none,none,none");
        struct pokemon_active *a = &s.sides[0].active;
        a->volatiles |= (uint64_t)1 << VOLATILE_PARTIALLYTRAPPED;
        a->trap_turns = a->trap_start = 4;
        a->trap_divisor = 8;
        a->trap_source = way == LEFT ? 3 : s.sides[1].order[0];
        s.sides[1].active.turns = way == JUST_CAME ? 0 : 1;
        if (way == FAINTED)
            lead(&s, 1)->hp = 0;
        int hp = lead(&s, 0)->hp;
        battle_open(&b, &s, &dice);
        residual_run(&b);
        assert_int_equal(hp - lead(&s, 0)->hp, way == THERE ? 482 / 8 : 0);
        assert_int_equal(a->volatiles >> VOLATILE_PARTIALLYTRAPPED & 1, way == THERE);
    }
}

/* --- Transform --- */

/* The copy has its model's stages, and Focus Energy only where the model has it (generation 6 on). */
static void copies_have_what_models_have(void **unused)
{
    (void)unused;
    for (int way = 0; way < 4; ++way) {
        struct pokemon s;
        struct battle b;
        struct banyan_dice dice;
        struct banyan_rng rng;
        const uint64_t focused = (uint64_t)1 << VOLATILE_FOCUSENERGY;
        banyan_rng_seed(&rng, 1);
        banyan_dice_drawn(&dice, &rng);
        open_battle(&s,
                    (const char *const[2]){
                        "species=ditto ability=limber moves=transform,none,none,none",
                        "species=charizard ability=solarpower moves=protect,none,none,none"},
                    "species=wailord ability=pressure moves=stealthrock,surf,none,none");
        struct pokemon_active *copy = &s.sides[0].active, *model = &s.sides[1].active;
        copy->volatiles |= way & 1 ? focused : 0;
        model->volatiles |= way & 2 ? focused : 0;
        for (int k = 0; k < BOOST_COUNT; ++k)
            model->boosts[k] = (int8_t)(k - 3);
        battle_open(&b, &s, &dice);
        assert_true(forme_transform(&b, 0, 1));
        assert_int_equal((copy->volatiles & focused) != 0, (way & 2) != 0);
        assert_int_equal((model->volatiles & focused) != 0, (way & 2) != 0);
        assert_memory_equal(copy->boosts, model->boosts, sizeof copy->boosts);
        assert_memory_equal(copy->stats, model->stats, sizeof copy->stats);
        assert_memory_equal(copy->types, model->types, sizeof copy->types);
        assert_int_equal(copy->weight, model->weight);
        for (int k = 0; k < 2; ++k) {
            const struct pokemon_slots *slots = &lead(&s, 1)->slots;
            assert_int_equal(copy->slots.id[k], slots->id[k]);
            assert_int_equal(copy->slots.pp[k], 5);
            assert_int_equal(copy->slots.max_pp[k], 5);
        }
        assert_int_equal(lead(&s, 0)->ability, ABILITY_PRESSURE);
        assert_int_equal(lead(&s, 0)->max_hp, 2 * 48 + 162); /* the own hp stay */
        assert_false(forme_transform(&b, 0, 1));             /* not twice */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(visions_come_true),        cmocka_unit_test(visions_hit_who_is_there),
        cmocka_unit_test(conditions_forbid_moves),  cmocka_unit_test(choices_end_with_their_item),
        cmocka_unit_test(traps_need_their_trapper), cmocka_unit_test(copies_have_what_models_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
