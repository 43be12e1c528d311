/* Pokémon: effects of conditions, abilities, items and Max moves, by hand from the published rules (Bulbapedia;
 * Showdown, data/). */
#include "games/pokemon/effects.h"
#include "games/pokemon/moves.h"
#include "pokemon_battle.h"

#include <stdlib.h>

static const char *const snorlax =
    "species=snorlax ability=thickfat moves=protect,bodyslam,rest,none"; /* hp 482 */

static const char *const wailord =
    "species=wailord ability=pressure moves=stealthrock,none,none,none";

static struct pokemon_mon *lead(struct pokemon *s, int side)
{
    return &s->sides[side].mons[s->sides[side].order[0]];
}

static uint64_t bit(int id)
{
    return (uint64_t)1 << id;
}

/* A battle of two Snorlax, hp 482. */
static void open_snorlax(struct pokemon *s)
{
    open_battle(s,
                (const char *const[2]){
                    snorlax, "species=charizard ability=solarpower moves=protect,none,none,none"},
                snorlax);
    assert_int_equal(lead(s, 0)->max_hp, 482);
}

/* --- the end of a turn --- */

enum chip {
    CHIP_BURN,
    CHIP_POISON,
    CHIP_TOXIC,
    CHIP_TOXIC_LATER,
    CHIP_CURSE,
    CHIP_SEED,
    CHIP_TRAP,
    CHIP_SAND,
    CHIP_HAIL,
    CHIP_RAIN,
    CHIP_GRASS,
    CHIP_LEFTOVERS,
    CHIP_SLUDGE,
    CHIP_VINES,
    CHIP_CANNON,
    CHIP_ROCKS,
    CHIP_WISH,
    CHIP_COUNT
};

static void put_chip(struct pokemon *s, int chip)
{
    struct pokemon_side *side = &s->sides[0];
    struct pokemon_mon *mon = lead(s, 0);
    static const uint8_t status[] = {[CHIP_BURN] = STATUS_BRN,
                                     [CHIP_POISON] = STATUS_PSN,
                                     [CHIP_TOXIC] = STATUS_TOX,
                                     [CHIP_TOXIC_LATER] = STATUS_TOX};
    mon->hp = 300;
    if (chip <= CHIP_TOXIC_LATER)
        mon->status = status[chip];
    mon->status_time = chip == CHIP_TOXIC_LATER ? 3 : 0;
    side->active.volatiles |= chip == CHIP_CURSE  ? bit(VOLATILE_CURSE)
                              : chip == CHIP_SEED ? bit(VOLATILE_LEECHSEED)
                              : chip == CHIP_TRAP ? bit(VOLATILE_PARTIALLYTRAPPED)
                                                  : 0;
    side->active.trap_turns = side->active.trap_start = chip == CHIP_TRAP ? 4 : 0;
    side->active.trap_divisor = chip == CHIP_TRAP ? 8 : 0;
    s->weather = chip == CHIP_SAND   ? WEATHER_SANDSTORM
                 : chip == CHIP_HAIL ? WEATHER_HAIL
                 : chip == CHIP_RAIN ? WEATHER_RAINDANCE
                                     : WEATHER_NONE;
    s->weather_turns = s->weather ? 3 : 0;
    s->terrain = chip == CHIP_GRASS ? TERRAIN_GRASSYTERRAIN : TERRAIN_NONE;
    s->terrain_turns = s->terrain ? 3 : 0;
    mon->item = chip == CHIP_LEFTOVERS ? ITEM_LEFTOVERS
                : chip == CHIP_SLUDGE  ? ITEM_BLACKSLUDGE
                                       : ITEM_NONE;
    side->condition[SIDE_GMAXVINELASH] = chip == CHIP_VINES ? 3 : 0;
    side->condition[SIDE_GMAXCANNONADE] = chip == CHIP_CANNON ? 3 : 0;
    side->condition[SIDE_GMAXVOLCALITH] = chip == CHIP_ROCKS ? 3 : 0;
    if (chip == CHIP_WISH)
        side->wish_there = 1, side->wish_turn = (uint8_t)(s->turn - 2), side->wish_hp = 300;
}

/* Of 482 hp: 1/16 is 30 (sand, hail, burn; Leftovers, Grassy Terrain), 1/8 is 60 (poison, Leech Seed, a partial
 * trap, Black Sludge unless of type Poison), 1/4 is 120 (Curse), 1/6 is 80 (the lasting G-Max moves unless of
 * the type); bad poison 30 for each turn; Wish half of the wisher's 300. */
static void ends_of_turns(void **unused)
{
    static const int changes[CHIP_COUNT] = {
        [CHIP_BURN] = -30,   [CHIP_POISON] = -60, [CHIP_TOXIC] = -30,  [CHIP_TOXIC_LATER] = -120,
        [CHIP_CURSE] = -120, [CHIP_SEED] = -60,   [CHIP_TRAP] = -60,   [CHIP_SAND] = -30,
        [CHIP_HAIL] = -30,   [CHIP_RAIN] = 0,     [CHIP_GRASS] = 30,   [CHIP_LEFTOVERS] = 30,
        [CHIP_SLUDGE] = -60, [CHIP_VINES] = -80,  [CHIP_CANNON] = -80, [CHIP_ROCKS] = -80,
        [CHIP_WISH] = 150};
    static const struct {
        int chip, type, change;
    } types[] = {{CHIP_SLUDGE, TYPE_POISON, 30}, {CHIP_SAND, TYPE_ROCK, 0},
                 {CHIP_SAND, TYPE_GROUND, 0},    {CHIP_SAND, TYPE_STEEL, 0},
                 {CHIP_HAIL, TYPE_ICE, 0},       {CHIP_VINES, TYPE_GRASS, 0},
                 {CHIP_CANNON, TYPE_WATER, 0},   {CHIP_ROCKS, TYPE_ROCK, 0},
                 {CHIP_GRASS, TYPE_FLYING, 0},   {CHIP_HAIL, TYPE_ROCK, -30}};
    (void)unused;
    for (int chip = 0; chip < CHIP_COUNT; ++chip) {
        struct pokemon s;
        open_snorlax(&s);
        s.turn = 5;
        put_chip(&s, chip);
        lead(&s, 1)->hp = 100;
        play_turn(&s, "move protect", "move protect");
        if (lead(&s, 0)->hp != 300 + changes[chip])
            fail_msg("case %d: %d hp", chip, lead(&s, 0)->hp);
        int both = chip == CHIP_SAND || chip == CHIP_HAIL ? -30
                   : chip == CHIP_GRASS                   ? 30
                   : chip == CHIP_SEED                    ? 60
                                                          : 0;
        assert_int_equal(lead(&s, 1)->hp, 100 + both);
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i) {
        struct pokemon s;
        open_snorlax(&s);
        put_chip(&s, types[i].chip);
        s.sides[0].active.types[0] = (uint8_t)types[i].type;
        play_turn(&s, "move protect", "move protect");
        if (lead(&s, 0)->hp != 300 + types[i].change)
            fail_msg("case %d, type %d: %d hp", types[i].chip, types[i].type, lead(&s, 0)->hp);
    }
}

/* Who has won after the last two, of these speeds, lost their last hp by burns: who faints first has lost. */
static int winner_of_burns(const int speeds[2], uint64_t seed)
{
    struct pokemon s;
    struct battle b;
    struct banyan_dice dice;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, seed);
    banyan_dice_drawn(&dice, &rng);
    open_snorlax(&s);
    for (int side = 0; side < 2; ++side) {
        for (int i = 1; i < POKEMON_TEAM; ++i) {
            struct pokemon_mon *mon = &s.sides[side].mons[s.sides[side].order[i]];
            mon->hp = 0;
            mon->flags |= MON_FAINTED;
        }
        s.sides[side].left = 1;
        s.sides[side].active.speed = (uint16_t)speeds[side];
        lead(&s, side)->hp = 1;
        lead(&s, side)->status = STATUS_BRN;
    }
    battle_open(&b, &s, &dice);
    residual_run(&b);
    return s.winner;
}

/* The faster Pokémon is hurt first at the end of a turn; of two equally fast ones either. */
static void burns_come_by_speed(void **unused)
{
    (void)unused;
    enum { GAMES = 60 };
    int won[WINNER_TIE + 1] = {0};
    for (uint64_t seed = 1; seed <= GAMES; ++seed)
        ++won[winner_of_burns((const int[2]){100, 100}, seed)];
    assert_int_equal(won[WINNER_FIRST] + won[WINNER_SECOND], GAMES);
    assert_in_range(won[WINNER_FIRST], GAMES / 4, GAMES * 3 / 4);
    assert_int_equal(winner_of_burns((const int[2]){100, 99}, 1), WINNER_SECOND);
    assert_int_equal(winner_of_burns((const int[2]){99, 100}, 1), WINNER_FIRST);
}

/* The counter of turns for Wish and future moves has one byte from generation 8 on (Showdown:
 * getOverflowedTurnCount): a Wish of turn 254 comes true on turn 255, one of turn 256 never. */
static void wishes_and_a_byte(void **unused)
{
    (void)unused;
    static const struct {
        int turn;
        bool heals;
    } rows[] = {{2, true}, {200, true}, {254, true}, {255, true}, {256, false}, {258, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct pokemon s;
        open_battle(&s,
                    (const char *const[2]){
                        "species=blissey ability=naturalcure moves=wish,protect,none,none",
                        "species=charizard ability=solarpower moves=protect,none,none,none"},
                    snorlax);
        s.turn = (uint16_t)rows[i].turn;
        lead(&s, 0)->hp = 10;
        play_turn(&s, "move wish", "move protect");
        assert_int_equal(lead(&s, 0)->hp, 10);
        play_turn(&s, "move protect", "move protect");
        int half = lead(&s, 0)->max_hp / 2;
        if (lead(&s, 0)->hp != 10 + (rows[i].heals ? half : 0))
            fail_msg("a Wish of turn %d: %d hp", rows[i].turn, lead(&s, 0)->hp);
    }
}

/* --- abilities that keep conditions away --- */

/* The status that an ability keeps away (bits), without sun and in it. */
static unsigned kept_status(int ability, bool sun)
{
    switch (ability) {
    case ABILITY_INSOMNIA:
    case ABILITY_VITALSPIRIT:
        return 1u << STATUS_SLP;
    case ABILITY_LIMBER:
        return 1u << STATUS_PAR;
    case ABILITY_PASTELVEIL:
        return 1u << STATUS_PSN | 1u << STATUS_TOX;
    case ABILITY_WATERBUBBLE:
    case ABILITY_WATERVEIL:
        return 1u << STATUS_BRN;
    case ABILITY_LEAFGUARD:
        return sun ? 1u << STATUS_SLP | 1u << STATUS_PAR | 1u << STATUS_PSN | 1u << STATUS_TOX |
                         1u << STATUS_BRN | 1u << STATUS_FRZ
                   : 0;
    default:
        return 0;
    }
}

static uint64_t kept_conditions(int ability, bool sun)
{
    switch (ability) {
    case ABILITY_INSOMNIA:
    case ABILITY_VITALSPIRIT:
        return bit(VOLATILE_YAWN);
    case ABILITY_LEAFGUARD:
        return sun ? bit(VOLATILE_YAWN) : 0;
    case ABILITY_INNERFOCUS:
        return bit(VOLATILE_FLINCH);
    case ABILITY_OWNTEMPO:
        return bit(VOLATILE_CONFUSION);
    case ABILITY_AROMAVEIL:
        return bit(VOLATILE_DISABLE) | bit(VOLATILE_ENCORE) | bit(VOLATILE_TAUNT);
    default:
        return 0;
    }
}

static void what_abilities_keep_away(void **unused)
{
    (void)unused;
    static const int conditions[] = {VOLATILE_YAWN,    VOLATILE_FLINCH,   VOLATILE_CONFUSION,
                                     VOLATILE_DISABLE, VOLATILE_ENCORE,   VOLATILE_TAUNT,
                                     VOLATILE_CURSE,   VOLATILE_LEECHSEED};
    struct pokemon s;
    struct battle b;
    open_snorlax(&s);
    battle_open(&b, &s, NULL);
    for (int sun = 0; sun < 2; ++sun) {
        s.weather = sun ? WEATHER_SUNNYDAY : WEATHER_RAINDANCE;
        for (int ability = 1; ability < ABILITY_COUNT; ++ability) {
            const struct ability_hooks *hooks = &ability_hooks[ability];
            for (int status = STATUS_NONE + 1; status < STATUS_FNT; ++status) {
                bool keeps = hooks->blocks_status && hooks->blocks_status(&b, 0, status);
                if (keeps != (kept_status(ability, sun) >> status & 1))
                    fail_msg("%s, status %d, sun %d", dex_abilities[ability].id, status, sun);
            }
            for (size_t i = 0; i < sizeof conditions / sizeof *conditions; ++i) {
                bool keeps = hooks->blocks_volatile && hooks->blocks_volatile(&b, 0, conditions[i]);
                if (keeps != (kept_conditions(ability, sun) >> conditions[i] & 1))
                    fail_msg("%s, condition %d, sun %d", dex_abilities[ability].id, conditions[i],
                             sun);
            }
        }
    }
}

/* --- speed --- */

/* Of a Speed of 200; paralysis halves (generation 7 on), stages add halves. */
static void speeds_by_hand(void **unused)
{
    static const struct {
        int ability, item, weather, terrain, status, stage, speed;
        bool lost_item;
    } rows[] = {{ABILITY_STURDY, 0, 0, 0, 0, 0, 200, false},
                {ABILITY_STURDY, 0, 0, 0, STATUS_PAR, 0, 100, false},
                {ABILITY_STURDY, 0, 0, 0, STATUS_BRN, 0, 200, false},
                {ABILITY_STURDY, 0, 0, 0, 0, 1, 300, false},
                {ABILITY_STURDY, 0, 0, 0, 0, 6, 800, false},
                {ABILITY_STURDY, 0, 0, 0, 0, -1, 133, false},
                {ABILITY_STURDY, 0, 0, 0, 0, -2, 100, false},
                {ABILITY_STURDY, 0, 0, 0, 0, -6, 50, false},
                {ABILITY_STURDY, ITEM_CHOICESCARF, 0, 0, 0, 0, 300, false},
                {ABILITY_STURDY, ITEM_CHOICESCARF, 0, 0, STATUS_PAR, 0, 150, false},
                {ABILITY_STURDY, ITEM_CHOICEBAND, 0, 0, 0, 0, 200, false},
                {ABILITY_CHLOROPHYLL, 0, WEATHER_SUNNYDAY, 0, 0, 0, 400, false},
                {ABILITY_CHLOROPHYLL, 0, WEATHER_RAINDANCE, 0, 0, 0, 200, false},
                {ABILITY_CHLOROPHYLL, ITEM_CHOICESCARF, WEATHER_SUNNYDAY, 0, 0, 0, 600, false},
                {ABILITY_SWIFTSWIM, 0, WEATHER_RAINDANCE, 0, 0, 0, 400, false},
                {ABILITY_SWIFTSWIM, 0, WEATHER_SUNNYDAY, 0, 0, 0, 200, false},
                {ABILITY_SANDRUSH, 0, WEATHER_SANDSTORM, 0, 0, 0, 400, false},
                {ABILITY_SANDRUSH, 0, WEATHER_HAIL, 0, 0, 0, 200, false},
                {ABILITY_SLUSHRUSH, 0, WEATHER_HAIL, 0, 0, 0, 400, false},
                {ABILITY_SLUSHRUSH, 0, WEATHER_SANDSTORM, 0, 0, 0, 200, false},
                {ABILITY_SLUSHRUSH, 0, WEATHER_HAIL, 0, STATUS_PAR, 0, 200, false},
                {ABILITY_SURGESURFER, 0, 0, TERRAIN_ELECTRICTERRAIN, 0, 0, 400, false},
                {ABILITY_SURGESURFER, 0, 0, TERRAIN_GRASSYTERRAIN, 0, 0, 200, false},
                {ABILITY_UNBURDEN, 0, 0, 0, 0, 0, 400, true},
                {ABILITY_UNBURDEN, 0, 0, 0, 0, 0, 200, false},
                {ABILITY_UNBURDEN, ITEM_LEFTOVERS, 0, 0, 0, 0, 200, true}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct pokemon s;
        struct battle b;
        open_snorlax(&s);
        battle_open(&b, &s, NULL);
        struct pokemon_active *a = &s.sides[0].active;
        struct pokemon_mon *mon = lead(&s, 0);
        a->stats[BOOST_SPE] = 200;
        a->boosts[BOOST_SPE] = (int8_t)rows[i].stage;
        mon->ability = (uint8_t)rows[i].ability;
        mon->item = (uint8_t)rows[i].item;
        mon->status = (uint8_t)rows[i].status;
        s.weather = (uint8_t)rows[i].weather;
        s.terrain = (uint8_t)rows[i].terrain;
        s.weather_turns = s.terrain_turns = 3;
        a->volatiles = rows[i].lost_item ? bit(VOLATILE_UNBURDEN) : 0;
        int speed = stats_get(&b, 0, BOOST_SPE, false, false);
        if (speed != rows[i].speed)
            fail_msg("row %d: %d, not %d", (int)i, speed, rows[i].speed);
    }
}

/* --- moves that cost hp --- */

/* Substitute needs more than a quarter, Clangorous Soul more than 33 %, both of the maximum; what they cost is
 * a quarter and 33 %, rounded down. */
static void costs_of_moves(void **unused)
{
    static const struct {
        const char *move;
        int max_hp, hp, left;
    } rows[] = {{"move substitute", 400, 100, 100},   {"move substitute", 400, 101, 1},
                {"move substitute", 402, 101, 1},     {"move substitute", 402, 100, 100},
                {"move clangoroussoul", 300, 99, 99}, {"move clangoroussoul", 300, 100, 1},
                {"move clangoroussoul", 301, 99, 99}, {"move clangoroussoul", 301, 100, 1}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct pokemon s;
        open_battle(&s,
                    (const char *const[2]){
                        "species=kommoo ability=soundproof "
                        "moves=substitute,clangoroussoul,protect,none",
                        "species=charizard ability=solarpower moves=protect,none,none,none"},
                    snorlax);
        struct pokemon_mon *mon = lead(&s, 0);
        mon->max_hp = mon->base_max_hp = (uint16_t)rows[i].max_hp;
        mon->hp = (uint16_t)rows[i].hp;
        play_turn(&s, rows[i].move, "move protect");
        if (mon->hp != rows[i].left)
            fail_msg("row %d: %d hp", (int)i, mon->hp);
        bool done = rows[i].left != rows[i].hp;
        bool soul = strstr(rows[i].move, "soul") != NULL;
        for (int k = BOOST_ATK; k <= BOOST_SPE; ++k)
            assert_int_equal(s.sides[0].active.boosts[k], done && soul);
        assert_int_equal(s.sides[0].active.substitute, done && !soul ? rows[i].max_hp / 4 : 0);
    }
}

/* --- Max moves --- */

/* The Max move of each type: a stage for the user or the foe, a weather or a terrain. */
static void max_moves_of_types(void **unused)
{
    static const struct {
        const char *move;
        int side, boost, stage, weather, terrain;
    } rows[] = {{"bodyslam", 1, BOOST_SPE, -1, 0, 0},
                {"bravebird", 0, BOOST_SPE, 1, 0, 0},
                {"closecombat", 0, BOOST_ATK, 1, 0, 0},
                {"sludgebomb", 0, BOOST_SPA, 1, 0, 0},
                {"earthquake", 0, BOOST_SPD, 1, 0, 0},
                {"ironhead", 0, BOOST_DEF, 1, 0, 0},
                {"dracometeor", 1, BOOST_ATK, -1, 0, 0},
                {"shadowball", 1, BOOST_DEF, -1, 0, 0},
                {"bugbuzz", 1, BOOST_SPA, -1, 0, 0},
                {"crunch", 1, BOOST_SPD, -1, 0, 0},
                {"flamethrower", 0, 0, 0, WEATHER_SUNNYDAY, 0},
                {"surf", 0, 0, 0, WEATHER_RAINDANCE, 0},
                {"stoneedge", 0, 0, 0, WEATHER_SANDSTORM, 0},
                {"icebeam", 0, 0, 0, WEATHER_HAIL, 0},
                {"thunderbolt", 0, 0, 0, 0, TERRAIN_ELECTRICTERRAIN},
                {"energyball", 0, 0, 0, 0, TERRAIN_GRASSYTERRAIN},
                {"moonblast", 0, 0, 0, 0, TERRAIN_MISTYTERRAIN},
                {"psychic", 0, 0, 0, 0, TERRAIN_PSYCHICTERRAIN}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct pokemon s;
        char own[128], action[64];
        snprintf(own, sizeof own, "species=charizard ability=sturdy moves=%s,protect,none,none",
                 rows[i].move);
        snprintf(action, sizeof action, "move %s dynamax", rows[i].move);
        open_battle(&s,
                    (const char *const[2]){
                        own, "species=charizard ability=solarpower moves=protect,none,none,none"},
                    wailord);
        lead(&s, 1)->base_max_hp = lead(&s, 1)->max_hp = lead(&s, 1)->hp = 2000;
        play_turn(&s, action, "move stealthrock");
        assert_int_equal(lead(&s, 0)->max_hp, 2 * lead(&s, 0)->base_max_hp);
        for (int side = 0; side < 2; ++side)
            for (int k = 0; k < BOOST_COUNT; ++k) {
                int stage =
                    rows[i].stage && side == rows[i].side && k == rows[i].boost ? rows[i].stage : 0;
                if (s.sides[side].active.boosts[k] != stage)
                    fail_msg("%s: stage %d of side %d is %d", rows[i].move, k, side,
                             s.sides[side].active.boosts[k]);
            }
        assert_int_equal(s.weather, rows[i].weather);
        assert_int_equal(s.weather_turns, rows[i].weather ? 4 : 0); /* of five */
        assert_int_equal(s.terrain, rows[i].terrain);
        assert_int_equal(s.terrain_turns, rows[i].terrain ? 4 : 0);
    }
}

/* A turn in which a Pokémon Gigantamaxes and uses a move, with luck of this seed. */
static void play_gmax(struct pokemon *s, const char *species, const char *move, uint64_t seed)
{
    const struct banyan_game *game;
    char own[128], action[64];
    banyan_action joint[2];
    struct banyan_dice dice;
    struct banyan_rng rng;
    snprintf(own, sizeof own, "species=%s ability=pressure moves=%s,protect,none,none", species,
             move);
    snprintf(action, sizeof action, "move %s dynamax", move);
    open_battle(s,
                (const char *const[2]){
                    own, "species=charizard ability=solarpower moves=protect,none,none,none"},
                wailord);
    assert_int_equal(banyan_game_find("pokemon", &game, NULL), BANYAN_OK);
    lead(s, 0)->flags |= MON_GIGANTAMAX;
    lead(s, 0)->hp = 20;
    lead(s, 0)->last_item = ITEM_SITRUSBERRY;
    s->sides[0].mons[3].status = STATUS_PAR;
    s->sides[0].mons[4].status = STATUS_FRZ;
    lead(s, 1)->base_max_hp = lead(s, 1)->max_hp = lead(s, 1)->hp = 1800;
    assert_int_equal(game->action_parse(game, s, 0, action, &joint[0], NULL), BANYAN_OK);
    assert_int_equal(game->action_parse(game, s, 1, "move stealthrock", &joint[1], NULL),
                     BANYAN_OK);
    banyan_rng_seed(&rng, seed);
    banyan_dice_drawn(&dice, &rng);
    game->apply(game, s, joint, &dice);
}

/* What a G-Max move leaves behind: a status or a condition of the foe, a condition of a side. */
static void gmax_moves_of_species(void **unused)
{
    static const struct {
        const char *species, *move;
        int status, condition, side, on_side, number;
    } rows[] = {
        {"garbodor", "gunkshot", STATUS_PSN, 0, 0, 0, 0},
        {"gengar", "shadowball", 0, VOLATILE_TRAPPED, 0, 0, 0},
        {"hatterene", "moonblast", 0, VOLATILE_CONFUSION, 0, 0, 0},
        {"lapras", "icebeam", 0, 0, 0, SIDE_AURORAVEIL, 4},
        {"copperajah", "ironhead", 0, 0, 1, SIDE_GMAXSTEELSURGE, 1},
        {"venusaur", "energyball", 0, 0, 1, SIDE_GMAXVINELASH, 3},
        {"coalossal", "stoneedge", 0, 0, 1, SIDE_GMAXVOLCALITH, 3},
        {"blastoise", "surf", 0, 0, 1, SIDE_GMAXCANNONADE, 3},
        {"rillaboom", "energyball", 0, 0, 0, 0, 0},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct pokemon s;
        play_gmax(&s, rows[i].species, rows[i].move, 1);
        assert_int_equal(lead(&s, 1)->status, rows[i].status);
        uint64_t right = rows[i].condition ? bit(rows[i].condition) : 0;
        assert_true(s.sides[1].active.volatiles == right);
        for (int side = 0; side < 2; ++side)
            for (int k = SIDE_STEALTHROCK + 1; k < SIDE_COUNT; ++k)
                if (s.sides[side].condition[k] !=
                    (rows[i].on_side && side == rows[i].side && k == rows[i].on_side
                         ? rows[i].number
                         : 0))
                    fail_msg("%s: condition %d of side %d is %d", rows[i].species, k, side,
                             s.sides[side].condition[k]);
        assert_int_equal(s.sides[0].mons[3].status, STATUS_PAR);
        assert_int_equal(lead(&s, 0)->hp, 40);
    }
}

/* Befuddle: asleep, paralysed or poisoned; Snooze: drowsy in half of the cases, unless the foe has a status;
 * Replenish: the Berry comes back in half of the cases; Finale heals a sixth; Sweetness cures the team. */
static void gmax_moves_by_chance(void **unused)
{
    (void)unused;
    enum { SEEDS = 60 };
    int status[STATUS_COUNT] = {0}, drowsy = 0, berries = 0;
    struct pokemon s;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        play_gmax(&s, "butterfree", "bugbuzz", seed);
        ++status[lead(&s, 1)->status];
        play_gmax(&s, "grimmsnarl", "crunch", seed);
        drowsy += (s.sides[1].active.volatiles & bit(VOLATILE_YAWN)) != 0;
        play_gmax(&s, "snorlax", "bodyslam", seed);
        bool eaten = lead(&s, 0)->hp > 40; /* eaten at once, because so few hp are left */
        assert_int_equal(lead(&s, 0)->hp, eaten ? 40 + lead(&s, 0)->base_max_hp / 4 : 40);
        berries += eaten;
    }
    assert_int_equal(status[STATUS_SLP] + status[STATUS_PAR] + status[STATUS_PSN], SEEDS);
    assert_in_range(status[STATUS_SLP], SEEDS / 6, SEEDS / 2);
    assert_in_range(status[STATUS_PAR], SEEDS / 6, SEEDS / 2);
    assert_in_range(status[STATUS_PSN], SEEDS / 6, SEEDS / 2);
    assert_in_range(drowsy, SEEDS / 4, 3 * SEEDS / 4);
    assert_in_range(berries, SEEDS / 4, 3 * SEEDS / 4);
    play_gmax(&s, "alcremie", "moonblast", 1);
    assert_int_equal(lead(&s, 0)->hp, 40 + lead(&s, 0)->max_hp / 6);
    play_gmax(&s, "appletun", "energyball", 1);
    for (int i = 0; i < POKEMON_TEAM; ++i)
        assert_int_equal(s.sides[0].mons[i].status, STATUS_NONE);
}

/* --- Strength Sap --- */

/* It works if it lowers the target's Attack or heals the user by that Attack, and fails if neither: at full hp
 * against an ability that keeps stages, and against an Attack that is as low as it can be. */
static void strength_saps(void **unused)
{
    static const struct {
        int ability, hp, stage, result, left;
    } rows[] = {
        {ABILITY_STURDY, 482, 0, HIT_DONE, 482},   {ABILITY_STURDY, 100, 0, HIT_DONE, 300},
        {ABILITY_STURDY, 100, 2, HIT_DONE, 482}, /* twice the Attack */
        {ABILITY_STURDY, 100, -6, HIT_FAIL, 100},  {ABILITY_CLEARBODY, 100, 0, HIT_DONE, 300},
        {ABILITY_CLEARBODY, 482, 0, HIT_FAIL, 482}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct pokemon s;
        struct battle b;
        struct battle_move move = {.row = &dex_moves[dex_find_move("strengthsap")]};
        open_snorlax(&s);
        battle_open(&b, &s, NULL);
        lead(&s, 0)->hp = (uint16_t)rows[i].hp;
        lead(&s, 1)->ability = (uint8_t)rows[i].ability;
        s.sides[1].active.stats[BOOST_ATK] = 200;
        s.sides[1].active.boosts[BOOST_ATK] = (int8_t)rows[i].stage;
        int result = hit_strength_sap(&b, 0, 1, &move);
        if (result != rows[i].result || lead(&s, 0)->hp != rows[i].left)
            fail_msg("row %d: result %d, %d hp", (int)i, result, lead(&s, 0)->hp);
    }
}

/* --- Haze --- */

/* Haze takes away all stages of both sides, and writes nothing behind the state. */
static void haze_clears_both(void **unused)
{
    (void)unused;
    static struct {
        struct pokemon s;
        unsigned char behind[4096];
    } at;
    open_battle(
        &at.s,
        (const char *const[2]){"species=weezinggalar ability=levitate moves=haze,none,none,none",
                               "species=charizard ability=solarpower moves=protect,none,none,none"},
        wailord);
    memset(at.behind, 2, sizeof at.behind);
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < BOOST_COUNT; ++k)
            at.s.sides[side].active.boosts[k] = (int8_t)(side ? k - 6 : 6 - k);
    play_turn(&at.s, "move haze", "move stealthrock");
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < BOOST_COUNT; ++k)
            assert_int_equal(at.s.sides[side].active.boosts[k], 0);
    for (size_t i = 0; i < sizeof at.behind; ++i)
        assert_int_equal(at.behind[i], 2);
}

/* --- Emergency Exit --- */

/* It makes its holder leave, and nobody else, unless it leaves already or nobody is left. */
static void emergency_exits(void **unused)
{
    (void)unused;
    for (int way = 0; way < 5; ++way) {
        struct pokemon s;
        struct battle b;
        open_snorlax(&s);
        battle_open(&b, &s, NULL);
        struct pokemon_active *own = &s.sides[0].active, *other = &s.sides[1].active;
        lead(&s, 0)->ability = way == 3 ? ABILITY_STURDY : ABILITY_EMERGENCYEXIT;
        other->flags |= ACTIVE_SWITCH | ACTIVE_EXIT;
        own->flags |= way == 1 ? ACTIVE_SWITCH : way == 2 ? ACTIVE_FORCED : 0;
        for (int i = 1; i < POKEMON_TEAM && way == 4; ++i) {
            s.sides[0].mons[i].flags |= MON_FAINTED;
            s.sides[0].mons[i].hp = 0;
            s.sides[0].left = 1;
        }
        update_emergency_exit(&b, 0);
        assert_int_equal((own->flags & ACTIVE_EXIT) != 0, way == 0);
        assert_int_equal((own->flags & ACTIVE_SWITCH) != 0, way <= 1);
        assert_int_equal((other->flags & ACTIVE_SWITCH) != 0, way != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_of_turns),        cmocka_unit_test(burns_come_by_speed),
        cmocka_unit_test(wishes_and_a_byte),    cmocka_unit_test(what_abilities_keep_away),
        cmocka_unit_test(speeds_by_hand),       cmocka_unit_test(costs_of_moves),
        cmocka_unit_test(max_moves_of_types),   cmocka_unit_test(gmax_moves_of_species),
        cmocka_unit_test(gmax_moves_by_chance), cmocka_unit_test(strength_saps),
        cmocka_unit_test(haze_clears_both),     cmocka_unit_test(emergency_exits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
