/* Pokémon: how abilities and conditions answer where a Pokémon has just fainted, or cannot go on, by hand from the
 * published rules (Showdown, data/abilities.ts and data/conditions.ts). */
#include "games/pokemon/abilities.h"
#include "pokemon_battle.h"

/* A battle whose first side answers and whose second side has just used Body Slam, a move of contact. */
struct answer {
    struct pokemon s;
    struct battle b;
    struct banyan_dice dice;
    struct banyan_rng rng;
    struct battle_move move;
};

static struct pokemon_mon *lead(struct answer *a, int side)
{
    return &a->s.sides[side].mons[a->s.sides[side].order[0]];
}

static void answer_open(struct answer *a, const char *own)
{
    memset(a, 0, sizeof *a);
    banyan_rng_seed(&a->rng, 1);
    banyan_dice_drawn(&a->dice, &a->rng);
    open_battle(&a->s,
                (const char *const[2]){
                    own, "species=charizard ability=solarpower moves=protect,none,none,none"},
                "species=snorlax ability=thickfat moves=bodyslam,none,none,none");
    battle_open(&a->b, &a->s, &a->dice);
    use_fill(&a->move, MOVE_BODYSLAM);
}

enum way { UNHURT, NO_HP, COUNTED_AS_FAINTED, WAYS };

static void faint(struct answer *a, int side, enum way way)
{
    if (way == NO_HP)
        lead(a, side)->hp = 0;
    else if (way == COUNTED_AS_FAINTED)
        lead(a, side)->flags |= MON_FAINTED;
}

/* Cramorant spits its prey at a Pokémon that hit it, which costs a quarter of the hp and a stage of
 * Defence, or paralyses.  It keeps the prey where that Pokémon has fainted, and while it is itself
 * out of reach. */
static void prey_is_spat_at_who_is_there(void **unused)
{
    (void)unused;
    for (int gorging = 0; gorging < 2; ++gorging) {
        for (int way = UNHURT; way <= WAYS; ++way) {
            static struct answer a;
            answer_open(&a, "species=cramorant ability=gulpmissile moves=surf,none,none,none");
            struct pokemon_mon *own = lead(&a, 0), *foe = lead(&a, 1);
            int prey = gorging ? SPECIES_CRAMORANTGORGING : SPECIES_CRAMORANTGULPING;
            own->species = (uint16_t)prey;
            if (way == WAYS)
                a.s.sides[0].active.volatiles |= (uint64_t)1 << VOLATILE_FLY;
            faint(&a, 1, (enum way)way);
            int hp = foe->hp;
            guard_gulp_missile(&a.b, 0, 1, &a.move, 50);
            assert_int_equal(hp - foe->hp, way == UNHURT ? 482 / 4 : 0);
            assert_int_equal(own->species, way == UNHURT ? SPECIES_CRAMORANT : prey);
            assert_int_equal(a.s.sides[1].active.boosts[BOOST_DEF],
                             way == UNHURT && !gorging ? -1 : 0);
            assert_int_equal(foe->status, way == UNHURT && gorging ? STATUS_PAR : STATUS_NONE);
        }
    }
}

/* Pickpocket takes the item of a Pokémon that touched its holder, unless the holder has an item or
 * has fainted. */
static void a_thief_that_fainted_takes_nothing(void **unused)
{
    (void)unused;
    for (int way = UNHURT; way < WAYS; ++way) {
        for (int full = 0; full < 2; ++full) {
            static struct answer a;
            answer_open(&a, "species=weavile ability=pickpocket moves=protect,none,none,none");
            struct pokemon_mon *own = lead(&a, 0), *foe = lead(&a, 1);
            own->item = full ? ITEM_LIFEORB : ITEM_NONE;
            foe->item = ITEM_LEFTOVERS;
            faint(&a, 0, (enum way)way);
            guard_pickpocket(&a.b, 0, 1, &a.move, 0);
            bool takes = way == UNHURT && !full;
            assert_int_equal(own->item, takes ? ITEM_LEFTOVERS : full ? ITEM_LIFEORB : ITEM_NONE);
            assert_int_equal(foe->item, takes ? ITEM_NONE : ITEM_LEFTOVERS);
        }
    }
}

/* A Pokémon that is out of reach in the first turn of a move comes back at the end of the second,
 * even if it could not attack. */
static void who_cannot_attack_comes_back(void **unused)
{
    static const int away[] = {VOLATILE_FLY, VOLATILE_BOUNCE, VOLATILE_PHANTOMFORCE};
    (void)unused;
    for (int side = 0; side < 2; ++side) {
        for (size_t i = 0; i < sizeof away / sizeof *away; ++i) {
            static struct answer a;
            answer_open(&a, "species=snorlax ability=thickfat moves=bodyslam,none,none,none");
            struct pokemon_active *active = &a.s.sides[side].active;
            active->volatiles |= (uint64_t)1 << away[i];
            active->hidden_turns = 2;
            residual_run(&a.b);
            assert_int_equal(active->volatiles >> away[i] & 1, 1);
            residual_run(&a.b);
            assert_int_equal(active->volatiles >> away[i] & 1, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prey_is_spat_at_who_is_there),
        cmocka_unit_test(a_thief_that_fainted_takes_nothing),
        cmocka_unit_test(who_cannot_attack_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
