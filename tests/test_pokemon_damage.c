/* Pokémon: the damage of attacks with each ability, item, weather, terrain and screen, computed by the published
 * formula (Bulbapedia: Damage; Showdown: modifiers in 4096ths). */
#include "games/pokemon/battle.h"
#include "games/pokemon/calc.h"
#include "pokemon_battle.h"

/* v times m / 4096, rounded to the nearest, halves down. */
static int modified(int v, int m)
{
    return (v * m + 2047) / 4096;
}

enum { ONE = 4096, HALF = 2048, UP_1_2 = 4915, UP_1_3 = 5325, UP_1_5 = 6144, TWICE = 8192 };

/* Who attacks whom, and what changes: factors of power, attack, defence, weather, own type and at the end; steps
 * of effectiveness.  0 stands for 1. */
struct attack {
    int move, power, own_type, target_type;
    int ability, item, target_ability, target_item;
    int weather, terrain, screen, status, target_status;
    int hp_share; /* of 12; 0: full */
    int p, a, d, w, stab, steps, f;
};

static const struct attack attacks[] = {
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, .p = 0},
    {MOVE_BODYSLAM, 85, TYPE_NORMAL, TYPE_WATER, .stab = UP_1_5},
    {MOVE_BODYSLAM, 85, TYPE_NORMAL, TYPE_STEEL, .stab = UP_1_5, .steps = -1},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_GROUND, .steps = 1},
    {MOVE_ICEBEAM, 90, TYPE_FIRE, TYPE_DRAGON, .steps = 1},
    /* power */
    {MOVE_BULLETPUNCH, 40, TYPE_FIRE, TYPE_NORMAL, ABILITY_TECHNICIAN, .p = UP_1_5},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, ABILITY_TECHNICIAN, .p = 0},
    {MOVE_BULLETPUNCH, 40, TYPE_FIRE, TYPE_NORMAL, ABILITY_IRONFIST, .p = UP_1_2},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, ABILITY_IRONFIST, .p = 0},
    {MOVE_CRUNCH, 80, TYPE_FIRE, TYPE_NORMAL, ABILITY_STRONGJAW, .p = UP_1_5},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, ABILITY_STRONGJAW, .p = 0},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, ABILITY_TOUGHCLAWS, .p = UP_1_3},
    {MOVE_EARTHQUAKE, 100, TYPE_FIRE, TYPE_NORMAL, ABILITY_TOUGHCLAWS, .p = 0},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, ABILITY_SHEERFORCE, .p = UP_1_3},
    {MOVE_EARTHQUAKE, 100, TYPE_FIRE, TYPE_NORMAL, ABILITY_SHEERFORCE, .p = 0},
    {MOVE_BRAVEBIRD, 120, TYPE_FIRE, TYPE_NORMAL, ABILITY_RECKLESS, .p = UP_1_2},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, ABILITY_RECKLESS, .p = 0},
    {MOVE_AURASPHERE, 80, TYPE_FIRE, TYPE_WATER, ABILITY_MEGALAUNCHER, .p = UP_1_5},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_MEGALAUNCHER, .p = 0},
    {MOVE_HYPERVOICE, 90, TYPE_FIRE, TYPE_WATER, ABILITY_PUNKROCK, .p = UP_1_3},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_PUNKROCK, .p = 0},
    {MOVE_IRONHEAD, 80, TYPE_FIRE, TYPE_NORMAL, ABILITY_STEELYSPIRIT, .p = UP_1_5},
    {MOVE_CRUNCH, 80, TYPE_FIRE, TYPE_NORMAL, ABILITY_DARKAURA, .p = 5448},
    {MOVE_MOONBLAST, 95, TYPE_FIRE, TYPE_NORMAL, ABILITY_FAIRYAURA, .p = 5448},
    {MOVE_CRUNCH, 80, TYPE_FIRE, TYPE_NORMAL, .target_ability = ABILITY_DARKAURA, .p = 5448},
    {MOVE_CRUNCH, 80, TYPE_FIRE, TYPE_NORMAL, ABILITY_DARKAURA, .target_ability = ABILITY_AURABREAK,
     .p = 3072},
    {MOVE_FLAMETHROWER, 90, TYPE_ICE, TYPE_NORMAL, .target_ability = ABILITY_DRYSKIN, .p = 5120},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, .item = ITEM_SILKSCARF, .p = UP_1_2},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .item = ITEM_SILKSCARF},
    {MOVE_THUNDERBOLT, 90, TYPE_FIRE, TYPE_NORMAL, .item = ITEM_MAGNET, .p = UP_1_2},
    {MOVE_THUNDERBOLT, 90, TYPE_FIRE, TYPE_NORMAL, .terrain = TERRAIN_ELECTRICTERRAIN, .p = UP_1_3},
    {MOVE_ENERGYBALL, 90, TYPE_FIRE, TYPE_NORMAL, .terrain = TERRAIN_GRASSYTERRAIN, .p = UP_1_3},
    {MOVE_PSYCHIC, 90, TYPE_FIRE, TYPE_NORMAL, .terrain = TERRAIN_PSYCHICTERRAIN, .p = UP_1_3},
    {MOVE_PSYCHIC, 90, TYPE_FLYING, TYPE_NORMAL, .terrain = TERRAIN_PSYCHICTERRAIN},
    {MOVE_THUNDERBOLT, 90, TYPE_FLYING, TYPE_NORMAL, .terrain = TERRAIN_ELECTRICTERRAIN},
    {MOVE_DRACOMETEOR, 130, TYPE_FIRE, TYPE_NORMAL, .terrain = TERRAIN_MISTYTERRAIN, .p = HALF},
    {MOVE_DRACOMETEOR, 130, TYPE_FIRE, TYPE_FLYING, .terrain = TERRAIN_MISTYTERRAIN},
    {MOVE_EARTHQUAKE, 100, TYPE_FIRE, TYPE_NORMAL, .terrain = TERRAIN_GRASSYTERRAIN, .p = HALF},
    {MOVE_KNOCKOFF, 65, TYPE_FIRE, TYPE_NORMAL, .target_item = ITEM_LEFTOVERS, .p = UP_1_5},
    {MOVE_KNOCKOFF, 65, TYPE_FIRE, TYPE_NORMAL, .p = 0},
    {MOVE_FACADE, 70, TYPE_FIRE, TYPE_WATER, .status = STATUS_PSN, .p = TWICE},
    {MOVE_HEX, 65, TYPE_FIRE, TYPE_WATER, .target_status = STATUS_PAR, .p = TWICE},
    {MOVE_HEX, 65, TYPE_FIRE, TYPE_WATER, .p = 0},
    /* attack */
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, ABILITY_HUGEPOWER, .a = TWICE},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_HUGEPOWER, .p = 0},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, ABILITY_GORILLATACTICS, .a = UP_1_5},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_GORILLATACTICS, .p = 0},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, ABILITY_HUSTLE, .a = UP_1_5},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_SOLARPOWER, .p = 0},
    {MOVE_ICEBEAM, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_SOLARPOWER, .weather = WEATHER_SUNNYDAY,
     .a = UP_1_5},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, ABILITY_SOLARPOWER, .weather = WEATHER_SUNNYDAY},
    {MOVE_IRONHEAD, 80, TYPE_FIRE, TYPE_NORMAL, ABILITY_STEELWORKER, .a = UP_1_5},
    {MOVE_THUNDERBOLT, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_TRANSISTOR, .a = UP_1_5},
    {MOVE_DRACOMETEOR, 130, TYPE_FIRE, TYPE_NORMAL, ABILITY_DRAGONSMAW, .a = UP_1_5},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_WATERBUBBLE, .a = TWICE},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, ABILITY_GUTS, .status = STATUS_PAR, .a = UP_1_5},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, ABILITY_GUTS, .p = 0},
    {MOVE_ENERGYBALL, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_OVERGROW, .hp_share = 4, .a = UP_1_5},
    {MOVE_ENERGYBALL, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_OVERGROW, .hp_share = 5},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_TORRENT, .hp_share = 4, .a = UP_1_5},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_TORRENT, .p = 0},
    {MOVE_BUGBUZZ, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_SWARM, .hp_share = 4, .a = UP_1_5},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_SWARM, .hp_share = 4},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_DEFEATIST, .hp_share = 6, .a = HALF},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_DEFEATIST, .hp_share = 7},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, .item = ITEM_CHOICEBAND, .a = UP_1_5},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .item = ITEM_CHOICEBAND},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .item = ITEM_CHOICESPECS, .a = UP_1_5},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, .item = ITEM_CHOICESPECS},
    {MOVE_FLAMETHROWER, 90, TYPE_ICE, TYPE_NORMAL, .target_ability = ABILITY_THICKFAT, .a = HALF},
    {MOVE_ICEBEAM, 90, TYPE_FIRE, TYPE_NORMAL, .target_ability = ABILITY_THICKFAT, .a = HALF},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .target_ability = ABILITY_THICKFAT},
    {MOVE_FLAMETHROWER, 90, TYPE_ICE, TYPE_NORMAL, .target_ability = ABILITY_WATERBUBBLE,
     .a = HALF},
    {MOVE_ICEBEAM, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_MOLDBREAKER,
     .target_ability = ABILITY_THICKFAT},
    {MOVE_ICEBEAM, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_TERAVOLT,
     .target_ability = ABILITY_THICKFAT},
    /* defence */
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, .target_ability = ABILITY_FURCOAT, .d = TWICE},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .target_ability = ABILITY_FURCOAT},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, .target_ability = ABILITY_MARVELSCALE,
     .target_status = STATUS_PAR, .d = UP_1_5},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, .target_ability = ABILITY_MARVELSCALE},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .target_item = ITEM_ASSAULTVEST, .d = UP_1_5},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, .target_item = ITEM_ASSAULTVEST},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_ROCK, .weather = WEATHER_SANDSTORM, .d = UP_1_5, .steps = 1},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_ROCK, .weather = WEATHER_SANDSTORM, .steps = -1},
    /* weather */
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .weather = WEATHER_RAINDANCE, .w = UP_1_5},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .weather = WEATHER_SUNNYDAY, .w = HALF},
    {MOVE_FLAMETHROWER, 90, TYPE_ICE, TYPE_NORMAL, .weather = WEATHER_SUNNYDAY, .w = UP_1_5},
    {MOVE_FLAMETHROWER, 90, TYPE_ICE, TYPE_NORMAL, .weather = WEATHER_RAINDANCE, .w = HALF},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .weather = WEATHER_HAIL},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_CLOUDNINE, .weather = WEATHER_RAINDANCE},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .target_ability = ABILITY_AIRLOCK,
     .weather = WEATHER_RAINDANCE},
    /* the own type, burns */
    {MOVE_SURF, 90, TYPE_WATER, TYPE_NORMAL, ABILITY_ADAPTABILITY, .stab = TWICE},
    {MOVE_ICEBEAM, 90, TYPE_WATER, TYPE_NORMAL, ABILITY_ADAPTABILITY, .p = 0},
    {MOVE_BODYSLAM, 85, TYPE_WATER, TYPE_WATER, .status = STATUS_BRN, .f = HALF},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .status = STATUS_BRN},
    /* at the end */
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .item = ITEM_LIFEORB, .f = 5324},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .target_ability = ABILITY_MULTISCALE, .f = HALF},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .target_ability = ABILITY_SHADOWSHIELD, .f = HALF},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_GROUND, .target_ability = ABILITY_FILTER, .steps = 1,
     .f = 3072},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .target_ability = ABILITY_FILTER},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_GROUND, .target_ability = ABILITY_SOLIDROCK, .steps = 1,
     .f = 3072},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_GROUND, .target_ability = ABILITY_PRISMARMOR, .steps = 1,
     .f = 3072},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_GROUND, ABILITY_MOLDBREAKER,
     .target_ability = ABILITY_PRISMARMOR, .steps = 1, .f = 3072},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_GROUND, ABILITY_MOLDBREAKER, .target_ability = ABILITY_FILTER,
     .steps = 1},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_GRASS, ABILITY_TINTEDLENS, .steps = -1, .f = TWICE},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_TINTEDLENS, .p = 0},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .target_ability = ABILITY_ICESCALES, .f = HALF},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, .target_ability = ABILITY_ICESCALES},
    {MOVE_HYPERVOICE, 90, TYPE_FIRE, TYPE_WATER, .target_ability = ABILITY_PUNKROCK, .f = HALF},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .target_ability = ABILITY_PUNKROCK},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, .target_ability = ABILITY_FLUFFY, .f = HALF},
    {MOVE_FLAMETHROWER, 90, TYPE_ICE, TYPE_NORMAL, .target_ability = ABILITY_FLUFFY, .f = TWICE},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .target_ability = ABILITY_FLUFFY},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, .screen = SIDE_REFLECT, .f = HALF},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .screen = SIDE_REFLECT},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .screen = SIDE_LIGHTSCREEN, .f = HALF},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, .screen = SIDE_LIGHTSCREEN},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, .screen = SIDE_AURORAVEIL, .f = HALF},
    {MOVE_BODYSLAM, 85, TYPE_FIRE, TYPE_WATER, .screen = SIDE_AURORAVEIL, .f = HALF},
    {MOVE_SURF, 90, TYPE_FIRE, TYPE_NORMAL, ABILITY_INFILTRATOR, .screen = SIDE_AURORAVEIL},
};

/* level 100, attack and special attack 200, both defences 150 */
static int damage_of(const struct attack *x, int percent, bool crit)
{
#define FACTOR(m) ((m) ? (m) : ONE)
    int power = modified(x->power, FACTOR(x->p)), attack = modified(200, FACTOR(x->a));
    int damage = 42 * power * attack / modified(150, FACTOR(x->d)) / 50 + 2;
    damage = modified(damage, FACTOR(x->w));
    damage = crit ? damage * 3 / 2 : damage;
    damage = damage * percent / 100;
    damage = modified(damage, FACTOR(x->stab));
    damage = x->steps > 0 ? damage * 2 : x->steps < 0 ? damage / 2 : damage;
    bool screened = x->screen && crit; /* critical hits ignore screens */
    return modified(damage, screened ? ONE : FACTOR(x->f));
#undef FACTOR
}

static void open_attack(struct pokemon *s, const struct attack *x)
{
    open_battle(
        s,
        (const char *const[2]){"species=snorlax ability=sturdy moves=bodyslam,none,none,none",
                               "species=charizard ability=solarpower moves=protect,none,none,none"},
        "species=wailord ability=pressure moves=protect,none,none,none");
    struct pokemon_mon *mon = &s->sides[0].mons[0], *target = &s->sides[1].mons[0];
    struct pokemon_active *own = &s->sides[0].active, *other = &s->sides[1].active;
    for (int k = BOOST_ATK; k <= BOOST_SPD; ++k)
        own->stats[k] = 200, other->stats[k] = 150;
    own->types[0] = (uint8_t)x->own_type, other->types[0] = (uint8_t)x->target_type;
    own->types[1] = other->types[1] = TYPE_NONE;
    mon->ability = (uint8_t)(x->ability ? x->ability : ABILITY_STURDY);
    target->ability = (uint8_t)(x->target_ability ? x->target_ability : ABILITY_PRESSURE);
    mon->item = (uint8_t)x->item, target->item = (uint8_t)x->target_item;
    mon->status = (uint8_t)x->status, target->status = (uint8_t)x->target_status;
    mon->max_hp = mon->base_max_hp = 480;
    mon->hp = (uint16_t)(x->hp_share ? 40 * x->hp_share : 480);
    target->hp = target->max_hp = target->base_max_hp = 900;
    s->weather = (uint8_t)x->weather, s->weather_turns = x->weather ? 3 : 0;
    s->terrain = (uint8_t)x->terrain, s->terrain_turns = x->terrain ? 3 : 0;
    if (x->screen)
        s->sides[1].condition[x->screen] = 3;
}

static void attacks_by_the_formula(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof attacks / sizeof *attacks; ++i)
        for (int crit = 0; crit < 2; ++crit) {
            static struct calc calc;
            const struct attack *x = &attacks[i];
            struct pokemon s;
            int least = 0, most = 0;
            open_attack(&s, x);
            calc_attack(&s, 0, x->move, false, &calc);
            assert_true(calc_range(&calc, crit, &least, &most));
            if (least != damage_of(x, 85, crit) || most != damage_of(x, 100, crit))
                fail_msg("row %d, critical %d: %s, ability %s against %s, item %s: %d to %d, not "
                         "%d to %d",
                         (int)i, crit, dex_moves[x->move].id, dex_abilities[x->ability].id,
                         dex_abilities[x->target_ability].id, dex_items[x->item].id, least, most,
                         damage_of(x, 85, crit), damage_of(x, 100, crit));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attacks_by_the_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
