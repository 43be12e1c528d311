/* Pokémon: what status moves, abilities that answer or come in, and items do, by hand from the published
 * descriptions of generation 8. */
#include "games/pokemon/battle.h"
#include "pokemon_battle.h"

/* One turn: Snorlax (hp 482) that never misses against Wailord (hp 502), which is faster and lays Stealth Rock.
 * Numbers of 0 stand for what is usual: full hp, no item, no change. */
struct turn {
    const char *move; /* of Snorlax */
    int ability, item, foe_ability, foe_item;
    int hp, foe_hp, status, weather;
    int8_t own[BOOST_COUNT], foe[BOOST_COUNT]; /* stages afterwards */
    int left, foe_left;                        /* hp afterwards, -1: not looked at */
    int status_after, foe_status;
    int condition, foe_condition;     /* of the active Pokémon, enum dex_volatile */
    int side, foe_side, turns;        /* enum dex_side, and its layers or turns */
    int weather_after, weather_turns; /* 0: as before */
    int item_after, foe_item_after;   /* -1: none */
};

enum { ANY = -1, GONE = -1 };

static const struct turn status_moves[] = {
    {"acidarmor", .own = {0, 2}},
    {"agility", .own = {0, 0, 0, 0, 2}},
    {"autotomize", .own = {0, 0, 0, 0, 2}},
    {"bellydrum", .own = {6}, .left = 241},
    {"bellydrum", .hp = 241, .left = 241}, /* half is too little */
    {"bulkup", .own = {1, 1}},
    {"calmmind", .own = {0, 0, 1, 1}},
    {"coil", .own = {1, 1, 0, 0, 0, 1}},
    {"cottonguard", .own = {0, 3}},
    {"curse", .own = {1, 1, 0, 0, -1}},
    {"dragondance", .own = {1, 0, 0, 0, 1}},
    {"focusenergy", .condition = VOLATILE_FOCUSENERGY},
    {"honeclaws", .own = {1, 0, 0, 0, 0, 1}},
    {"howl", .own = {1}},
    {"irondefense", .own = {0, 2}},
    {"nastyplot", .own = {0, 0, 2}},
    {"noretreat", .own = {1, 1, 1, 1, 1}, .condition = VOLATILE_NORETREAT},
    {"quiverdance", .own = {0, 0, 1, 1, 1}},
    {"rockpolish", .own = {0, 0, 0, 0, 2}},
    {"shellsmash", .own = {2, -1, 2, -1, 2}},
    {"shellsmash", .item = ITEM_WHITEHERB, .own = {2, 0, 2, 0, 2}, .item_after = GONE},
    {"shiftgear", .own = {1, 0, 0, 0, 2}},
    {"swordsdance", .own = {2}},
    {"swordsdance", .ability = ABILITY_SIMPLE, .own = {4}},
    {"swordsdance", .ability = ABILITY_CONTRARY, .own = {-2}},
    {"glare", .foe_status = STATUS_PAR},
    {"glare", .foe_ability = ABILITY_LIMBER},
    {"hypnosis", .foe_status = STATUS_SLP},
    {"lovelykiss", .foe_status = STATUS_SLP},
    {"lovelykiss", .foe_ability = ABILITY_INSOMNIA},
    {"sleeppowder", .foe_status = STATUS_SLP},
    {"sleeppowder", .foe_ability = ABILITY_OVERCOAT},
    {"spore", .foe_status = STATUS_SLP},
    {"stunspore", .foe_status = STATUS_PAR},
    {"thunderwave", .foe_status = STATUS_PAR},
    {"toxic", .foe_status = STATUS_TOX, .foe_left = 502 - 31},
    {"toxic", .foe_ability = ABILITY_MAGICBOUNCE, .status_after = STATUS_TOX, .left = 482 - 30},
    {"willowisp", .foe_status = STATUS_BRN, .foe_left = 502 - 31},
    {"willowisp", .foe_ability = ABILITY_WATERVEIL},
    {"yawn", .foe_condition = VOLATILE_YAWN},
    {"leechseed", .hp = 100, .foe_condition = VOLATILE_LEECHSEED, .left = 162, .foe_left = 440},
    {"taunt", .foe_condition = VOLATILE_TAUNT},
    {"taunt", .foe_ability = ABILITY_OBLIVIOUS},
    {"encore", .foe_condition = VOLATILE_ENCORE},
    {"destinybond", .condition = VOLATILE_DESTINYBOND},
    {"magnetrise", .condition = VOLATILE_MAGNETRISE},
    {"substitute", .condition = VOLATILE_SUBSTITUTE, .left = 362},
    {"lightscreen", .side = SIDE_LIGHTSCREEN, .turns = 4},
    {"lightscreen", .item = ITEM_LIGHTCLAY, .side = SIDE_LIGHTSCREEN, .turns = 7},
    {"reflect", .side = SIDE_REFLECT, .turns = 4},
    {"auroraveil", .side = 0},
    {"spikes", .foe_side = SIDE_SPIKES, .turns = 1},
    {"stickyweb", .foe_side = SIDE_STICKYWEB, .turns = 1},
    {"toxicspikes", .foe_side = SIDE_TOXICSPIKES, .turns = 1},
    {"stealthrock", .foe_side = SIDE_STEALTHROCK, .turns = 1},
    {"raindance", .weather_after = WEATHER_RAINDANCE, .weather_turns = 4},
    {"milkdrink", .hp = 100, .left = 341},
    {"recover", .hp = 100, .left = 341},
    {"recover", .hp = 400, .left = 482},
    {"roost", .hp = 100, .left = 341},
    {"slackoff", .hp = 100, .left = 341},
    {"softboiled", .hp = 100, .left = 341},
    {"shoreup", .hp = 100, .left = 341},
    {"junglehealing", .hp = 100, .status = STATUS_PAR, .left = 220},
    {"moonlight", .hp = 100, .left = 341},
    {"moonlight", .hp = 100, .weather = WEATHER_SUNNYDAY, .left = 421},
    {"morningsun", .hp = 100, .weather = WEATHER_RAINDANCE, .left = 220},
    {"synthesis", .hp = 100, .weather = WEATHER_RAINDANCE, .left = 220},
    {"synthesis", .hp = 100, .weather = WEATHER_SUNNYDAY, .left = 421},
    {"rest", .hp = 100, .left = 482, .status_after = STATUS_SLP},
    {"rest", .hp = 100, .ability = ABILITY_INSOMNIA, .left = 100},
    {"rest", .hp = 100, .item = ITEM_CHESTOBERRY, .left = 482, .item_after = GONE},
    {"painsplit", .hp = 100, .foe_hp = 402, .left = 251, .foe_left = 251},
    {"strengthsap", .hp = 100, .foe = {-1}, .left = 337}, /* Attack 237 */
    {"healbell", .status = STATUS_PAR},
    {"aromatherapy", .status = STATUS_BRN},
    {"trick", .item = ITEM_CHOICEBAND, .foe_item = ITEM_CHOICESCARF, .item_after = ITEM_CHOICESCARF,
     .foe_item_after = ITEM_CHOICEBAND},
    {"switcheroo", .item = ITEM_CHOICEBAND, .foe_item_after = ITEM_CHOICEBAND, .item_after = GONE},
    {"trick", .item = ITEM_CHOICEBAND, .foe_item = ITEM_CHOICESCARF,
     .foe_ability = ABILITY_STICKYHOLD},
};

/* Bullet Punch makes contact.  Abilities and items that answer contact take an eighth or a sixth of
 * the hp, or change a stage. */
static const struct turn answers[] = {
    {"bulletpunch", .foe_ability = ABILITY_ROUGHSKIN, .left = 422, .foe_left = ANY},
    {"bulletpunch", .foe_ability = ABILITY_IRONBARBS, .left = 422, .foe_left = ANY},
    {"bulletpunch", .foe_item = ITEM_ROCKYHELMET, .left = 402, .foe_left = ANY},
    {"bulletpunch", .foe_ability = ABILITY_ROUGHSKIN, .ability = ABILITY_MAGICGUARD,
     .foe_left = ANY},
    {"earthquake", .foe_ability = ABILITY_ROUGHSKIN, .foe_left = ANY},
    {"surf", .foe_item = ITEM_ROCKYHELMET, .foe_left = ANY},
    {"surf", .item = ITEM_LIFEORB, .left = 434, .foe_left = ANY},
    {"bulletpunch", .foe_ability = ABILITY_TANGLINGHAIR, .own = {0, 0, 0, 0, -1}, .foe_left = ANY},
    {"bulletpunch", .foe_ability = ABILITY_STAMINA, .foe = {0, 1}, .foe_left = ANY},
    {"surf", .foe_ability = ABILITY_STAMINA, .foe = {0, 1}, .foe_left = ANY},
    {"bulletpunch", .foe_ability = ABILITY_WEAKARMOR, .foe = {0, -1, 0, 0, 2}, .foe_left = ANY},
    {"surf", .foe_ability = ABILITY_WEAKARMOR, .foe_left = ANY},
    {"suckerpunch", .foe_ability = ABILITY_JUSTIFIED},
    {"knockoff", .foe_ability = ABILITY_JUSTIFIED, .foe = {1}, .foe_left = ANY},
    {"surf", .foe_ability = ABILITY_WATERCOMPACTION, .foe = {0, 2}, .foe_left = ANY},
    {"surf", .foe_ability = ABILITY_BERSERK, .foe_hp = 260, .foe = {0, 0, 1}, .foe_left = ANY},
    {"surf", .foe_ability = ABILITY_BERSERK, .foe_left = ANY},
    {"thunderbolt", .ability = ABILITY_SHEERFORCE, .foe_item = ITEM_WEAKNESSPOLICY,
     .foe = {2, 0, 2}, .foe_left = ANY, .foe_item_after = GONE},
    {"surf", .foe_item = ITEM_WEAKNESSPOLICY, .foe_left = ANY},
    {"hypervoice", .item = ITEM_THROATSPRAY, .own = {0, 0, 1}, .foe_left = ANY, .item_after = GONE},
    {"knockoff", .foe_item = ITEM_LEFTOVERS, .foe_left = ANY, .foe_item_after = GONE},
    {"knockoff", .foe_item = ITEM_LEFTOVERS, .foe_ability = ABILITY_STICKYHOLD, .foe_left = ANY},
};

/* Abilities that keep an attack away: nothing happens, a quarter of the hp is healed (125 of 502),
 * or a stage rises. */
static const struct turn absorbed[] = {
    {"thunderbolt", .foe_ability = ABILITY_VOLTABSORB, .foe_hp = 300, .foe_left = 425},
    {"surf", .foe_ability = ABILITY_WATERABSORB, .foe_hp = 300, .foe_left = 425},
    {"surf", .foe_ability = ABILITY_DRYSKIN, .foe_hp = 300, .foe_left = 425},
    {"thunderbolt", .foe_ability = ABILITY_LIGHTNINGROD, .foe = {0, 0, 1}},
    {"thunderbolt", .foe_ability = ABILITY_MOTORDRIVE, .foe = {0, 0, 0, 0, 1}},
    {"surf", .foe_ability = ABILITY_STORMDRAIN, .foe = {0, 0, 1}},
    {"energyball", .foe_ability = ABILITY_SAPSIPPER, .foe = {1}},
    {"flamethrower", .foe_ability = ABILITY_FLASHFIRE, .foe_condition = VOLATILE_FLASHFIRE},
    {"earthquake", .foe_ability = ABILITY_LEVITATE},
    {"hypervoice", .foe_ability = ABILITY_SOUNDPROOF},
    {"shadowball", .foe_ability = ABILITY_BULLETPROOF},
    {"bodyslam", .foe_ability = ABILITY_WONDERGUARD},
    {"bulletpunch", .foe_ability = ABILITY_QUEENLYMAJESTY},
};

/* Berries are eaten as soon as hp are few enough, orbs work at the end of the turn. */
static const struct turn items[] = {
    {"protect", .item = ITEM_SITRUSBERRY, .hp = 241, .left = 361, .item_after = GONE},
    {"protect", .item = ITEM_SITRUSBERRY, .hp = 242, .left = 242},
    {"protect", .item = ITEM_FIGYBERRY, .hp = 120, .left = 280, .item_after = GONE},
    {"protect", .item = ITEM_FIGYBERRY, .hp = 121, .left = 121},
    {"protect", .item = ITEM_FIGYBERRY, .ability = ABILITY_GLUTTONY, .hp = 241, .left = ANY,
     .item_after = ANY},
    {"protect", .item = ITEM_SALACBERRY, .hp = 120, .left = 120, .own = {0, 0, 0, 0, 1},
     .item_after = GONE},
    {"protect", .item = ITEM_LUMBERRY, .status = STATUS_PAR, .item_after = GONE},
    {"protect", .item = ITEM_CHESTOBERRY, .status = STATUS_PAR, .status_after = STATUS_PAR},
    {"protect", .item = ITEM_TOXICORB, .status_after = STATUS_TOX},
    {"protect", .item = ITEM_FLAMEORB, .status_after = STATUS_BRN},
    {"protect", .item = ITEM_LEFTOVERS, .hp = 100, .left = 130},
    {"protect", .item = ITEM_SITRUSBERRY, .hp = 100, .foe_ability = ABILITY_UNNERVE, .left = 100},
};

static void open_turn(struct pokemon *s, const struct turn *row)
{
    char own[128];
    snprintf(own, sizeof own, "species=snorlax ability=noguard moves=%s,none,none,none", row->move);
    open_battle(s,
                (const char *const[2]){
                    own, "species=charizard ability=solarpower moves=protect,none,none,none"},
                "species=wailord ability=waterveil moves=stealthrock,none,none,none");
    struct pokemon_mon *mon = &s->sides[0].mons[0], *foe = &s->sides[1].mons[0];
    mon->ability = (uint8_t)(row->ability ? row->ability : ABILITY_NOGUARD);
    foe->ability = (uint8_t)(row->foe_ability ? row->foe_ability : ABILITY_STURDY);
    if (row->ability && row->foe_ability == 0)
        foe->ability = ABILITY_NOGUARD; /* so that nothing misses */
    if (row->foe_ability == ABILITY_UNNERVE)
        s->sides[1].active.ability_flags |= ABILITY_UNNERVED; /* it has come in */
    mon->item = (uint8_t)row->item, foe->item = (uint8_t)row->foe_item;
    mon->hp = (uint16_t)(row->hp ? row->hp : 482);
    foe->hp = (uint16_t)(row->foe_hp ? row->foe_hp : 502);
    mon->status = (uint8_t)row->status;
    s->weather = (uint8_t)row->weather, s->weather_turns = row->weather ? 3 : 0;
}

static void check_number(const struct turn *row, const char *what, int found, int right)
{
    if (right != ANY && found != right)
        fail_msg("%s (%s, %s against %s, %s): %s %d, not %d", row->move,
                 dex_abilities[row->ability].id, dex_items[row->item].id,
                 dex_abilities[row->foe_ability].id, dex_items[row->foe_item].id, what, found,
                 right);
}

static void check_item(const struct turn *row, const char *what, int found, int before, int after)
{
    if (after != ANY || strcmp(row->move, "protect") != 0 || row->ability != ABILITY_GLUTTONY)
        check_number(row, what, found, after == GONE ? ITEM_NONE : after ? after : before);
}

static void check_side(const struct turn *row, const struct pokemon_side *side, int condition,
                       bool has_rocks)
{
    for (int k = SIDE_NONE + 1; k < SIDE_COUNT; ++k) {
        int right = k == condition ? row->turns : has_rocks && k == SIDE_STEALTHROCK;
        check_number(row, "condition of a side", side->condition[k], right);
    }
}

static void check_turn(const struct turn *row)
{
    struct pokemon s;
    char action[40];
    open_turn(&s, row);
    snprintf(action, sizeof action, "move %s", row->move);
    play_turn(&s, action, "move stealthrock");
    const struct pokemon_mon *mon = &s.sides[0].mons[0], *foe = &s.sides[1].mons[0];
    const struct pokemon_active *a = &s.sides[0].active, *other = &s.sides[1].active;
    for (int k = 0; k < BOOST_COUNT; ++k) {
        if (a->boosts[k] != row->own[k] || other->boosts[k] != row->foe[k])
            fail_msg("%s: stage %d is %d, and %d of the foe", row->move, k, a->boosts[k],
                     other->boosts[k]);
    }
    check_number(row, "hp", mon->hp, row->left ? row->left : row->hp ? row->hp : 482);
    check_number(row, "the foe's hp", foe->hp,
                 row->foe_left ? row->foe_left
                 : row->foe_hp ? row->foe_hp
                               : 502);
    check_number(row, "status", mon->status, row->status_after);
    check_number(row, "the foe's status", foe->status, row->foe_status);
    uint64_t own = a->volatiles & ~((uint64_t)1 << VOLATILE_CHOICELOCK);
    uint64_t theirs = other->volatiles & ~((uint64_t)1 << VOLATILE_CHOICELOCK);
    own &= ~((uint64_t)1 << VOLATILE_STALL), own &= ~((uint64_t)1 << VOLATILE_TRAPPED);
    check_number(row, "condition", own == (row->condition ? (uint64_t)1 << row->condition : 0), 1);
    check_number(row, "the foe's condition",
                 theirs == (row->foe_condition ? (uint64_t)1 << row->foe_condition : 0), 1);
    check_side(row, &s.sides[0], row->side, true);
    check_side(row, &s.sides[1], row->foe_side, false);
    check_number(row, "weather", s.weather, row->weather_after ? row->weather_after : row->weather);
    check_number(row, "turns of weather", s.weather_turns,
                 row->weather_turns ? row->weather_turns
                 : row->weather     ? 2
                                    : 0);
    check_item(row, "item", mon->item, row->item, row->item_after);
    check_item(row, "the foe's item", foe->item, row->foe_item, row->foe_item_after);
}

#define CHECK_ALL(rows)                                     \
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) \
    check_turn(&rows[i])

static void moves_of_status(void **unused)
{
    (void)unused;
    CHECK_ALL(status_moves);
}

static void abilities_that_answer(void **unused)
{
    (void)unused;
    CHECK_ALL(answers);
}

static void abilities_that_absorb(void **unused)
{
    (void)unused;
    CHECK_ALL(absorbed);
}

static void items_of_turns(void **unused)
{
    (void)unused;
    CHECK_ALL(items);
}

/* --- coming in --- */

static void abilities_that_come_in(void **unused)
{
    static const struct {
        const char *ability;
        int weather, terrain, side, boost, stage;
    } rows[] = {{"drought", WEATHER_SUNNYDAY, 0, 0, 0, 0},
                {"drizzle", WEATHER_RAINDANCE, 0, 0, 0, 0},
                {"sandstream", WEATHER_SANDSTORM, 0, 0, 0, 0},
                {"snowwarning", WEATHER_HAIL, 0, 0, 0, 0},
                {"electricsurge", 0, TERRAIN_ELECTRICTERRAIN, 0, 0, 0},
                {"grassysurge", 0, TERRAIN_GRASSYTERRAIN, 0, 0, 0},
                {"mistysurge", 0, TERRAIN_MISTYTERRAIN, 0, 0, 0},
                {"psychicsurge", 0, TERRAIN_PSYCHICTERRAIN, 0, 0, 0},
                {"intimidate", 0, 0, 1, BOOST_ATK, -1},
                {"intrepidsword", 0, 0, 0, BOOST_ATK, 1},
                {"dauntlessshield", 0, 0, 0, BOOST_DEF, 1},
                {"download", 0, 0, 0, BOOST_SPA, 1}, /* the foe's defences are equal */
                {"sturdy", 0, 0, 0, 0, 0}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct pokemon s;
        char second[128];
        snprintf(second, sizeof second, "species=charizard ability=%s moves=protect,none,none,none",
                 rows[i].ability);
        open_battle(&s,
                    (const char *const[2]){
                        "species=snorlax ability=noguard moves=protect,none,none,none", second},
                    "species=wailord ability=waterveil moves=spikes,none,none,none");
        play_turn(&s, "switch Charizard", "move spikes");
        assert_int_equal(s.weather, rows[i].weather);
        assert_int_equal(s.weather_turns, rows[i].weather ? 4 : 0);
        assert_int_equal(s.terrain, rows[i].terrain);
        assert_int_equal(s.terrain_turns, rows[i].terrain ? 4 : 0);
        for (int side = 0; side < 2; ++side)
            for (int k = 0; k < BOOST_COUNT; ++k) {
                int right =
                    rows[i].stage && side == rows[i].side && k == rows[i].boost ? rows[i].stage : 0;
                if (s.sides[side].active.boosts[k] != right)
                    fail_msg("%s: stage %d of side %d is %d", rows[i].ability, k, side,
                             s.sides[side].active.boosts[k]);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_of_status),        cmocka_unit_test(abilities_that_answer),
        cmocka_unit_test(abilities_that_absorb),  cmocka_unit_test(items_of_turns),
        cmocka_unit_test(abilities_that_come_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
