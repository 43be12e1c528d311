/* Pokémon: what a player is told of choices and of what happened. */
#include "games/pokemon/battle.h"
#include "pokemon_battle.h"

static const struct banyan_game *game(void)
{
    const struct banyan_game *found;
    assert_int_equal(banyan_game_find("pokemon", &found, NULL), BANYAN_OK);
    return found;
}

/* Snorlax with these moves and Charizard, against another Charizard. */
static void open_with(struct pokemon *s, const char *moves)
{
    char own[160];
    snprintf(own, sizeof own, "species=snorlax ability=thickfat moves=%s", moves);
    open_battle(s,
                (const char *const[2]){
                    own, "species=charizard ability=solarpower moves=protect,none,none,none"},
                "species=charizard ability=solarpower moves=protect,none,none,none");
}

static void choices_in_words(void **unused)
{
    static const struct {
        const char *choice, *words;
    } rows[] = {
        {"move thunderbolt",
         "Thunderbolt\tElectric special, power 90, hits 100 %, PP 24 of 24, x2 against its type"},
        {"move stoneedge",
         "Stone Edge\tRock physical, power 100, hits 80 %, PP 8 of 8, x4 against its type"},
        {"move energyball",
         "Energy Ball\tGrass special, power 90, hits 100 %, PP 16 of 16, x1/4 against its type"},
        {"move earthquake",
         "Earthquake\tGround physical, power 100, hits 100 %, PP 16 of 16, no effect on its type"},
        {"move flamethrower",
         "Flamethrower\tFire special, power 90, hits 100 %, PP 24 of 24, x1/2 against its type"},
        {"move icebeam", "Ice Beam\tIce special, power 90, hits 100 %, PP 16 of 16"},
        {"move aurasphere",
         "Aura Sphere\tFighting special, power 80, PP 32 of 32, x1/2 against its type"},
        {"move thunderbolt dynamax",
         "Thunderbolt, Dynamax\tElectric special, power 130, PP 24 of 24, x2 against its type"},
        {"move swordsdance dynamax",
         "Swords Dance, Dynamax\tbecomes Max Guard: Normal status, PP 32 of 32"},
        {"move swordsdance", "Swords Dance\tNormal status, PP 32 of 32"},
        {"switch Charizard", "switch to Charizard\thp 318/318, Fire/Flying"}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        struct pokemon s;
        char text[BANYAN_TEXT_MAX], moves[64];
        banyan_action action;
        const char *name = strchr(rows[i].choice, ' ') + 1;
        bool is_move = strncmp(rows[i].choice, "move", 4) == 0;
        snprintf(moves, sizeof moves, "%.*s,none,none,none",
                 is_move ? (int)strcspn(name, " ") : (int)strlen("protect"),
                 is_move ? name : "protect");
        open_with(&s, moves);
        assert_int_equal(game()->action_parse(game(), &s, 0, rows[i].choice, &action, NULL),
                         BANYAN_OK);
        game()->describe(game(), &s, 0, action, text, sizeof text);
        size_t length = strlen(rows[i].words); /* the damage may follow */
        if (strncmp(text, rows[i].words, length) != 0 ||
            (text[length] && text[length] != ';' && text[length] != ',' && text[length] != '\n'))
            fail_msg("'%s', not '%s'", text, rows[i].words);
    }
}

static void expect(const char *text, const char *part, bool there)
{
    if ((strstr(text, part) != NULL) != there)
        fail_msg("'%s' %s '%s'", text, there ? "lacks" : "has", part);
}

/* Writes the step in words; tell() must return the length of the text. */
static void tell(const struct banyan_step *step, int viewer, char text[BANYAN_TEXT_MAX])
{
    int length = game()->tell(game(), step, viewer, text, BANYAN_TEXT_MAX);
    assert_int_equal(length, strlen(text));
}

/* Everybody sees the own hp exactly, and the foe's in per cent. */
static void events_in_words(void **unused)
{
    (void)unused;
    struct pokemon before, after;
    open_with(&before, "protect,none,none,none");
    before.sides[1].condition[SIDE_REFLECT] = 2;
    after = before;
    after.sides[0].mons[0].hp = 382; /* of 482: 80 % */
    after.sides[1].mons[0].status = STATUS_PAR;
    after.sides[0].active.boosts[BOOST_SPA] = 2;
    after.sides[0].condition[SIDE_STICKYWEB] = 1, after.sides[0].stamp[SIDE_STICKYWEB] = 1;
    after.sides[0].condition[SIDE_SPIKES] = 1, after.sides[0].stamp[SIDE_SPIKES] = 2;
    after.sides[1].condition[SIDE_REFLECT] = 0;
    after.weather = WEATHER_HAIL, after.weather_turns = 5;
    after.terrain = TERRAIN_GRASSYTERRAIN, after.terrain_turns = 5;
    after.trick_room = 5;
    for (int viewer = -1; viewer < 2; ++viewer) {
        char text[BANYAN_TEXT_MAX];
        const struct banyan_step step = {.before = &before, .after = &after};
        tell(&step, viewer, text);
        expect(text, "Snorlax: 482 -> 382/482\n", viewer != 1);
        expect(text, "Snorlax: 100 -> 80 %\n", viewer == 1);
        expect(text, "Charizard is paralysed\n", true);
        expect(text, "Snorlax: Sp. Atk +2, now +2\n", true);
        expect(text,
               viewer < 0    ? "  Sticky Web on p1's side\n"
               : viewer == 0 ? "  Sticky Web on your side\n"
                             : "  Sticky Web on the foe's side\n",
               true);
        expect(text, "  Spikes on ", true);
        expect(text, "  Reflect ends on ", true);
        expect(text, "  it hails\n", true);
        expect(text, "  the terrain is grassy\n", true);
        expect(text, "  Trick Room begins\n", true);
        const struct banyan_step back = {.before = &after, .after = &before};
        tell(&back, viewer, text);
        expect(text, "Charizard is healthy again\n", true);
        expect(text, "  the weather clears\n", true);
        expect(text, "  the terrain ends\n", true);
        expect(text, "  Trick Room ends\n", true);
        const struct banyan_step same = {.before = &after, .after = &after};
        tell(&same, viewer, text);
        assert_string_equal(text, "");
    }
    struct pokemon more = after;
    char text[BANYAN_TEXT_MAX];
    const struct banyan_step step = {.before = &after, .after = &more};
    more.sides[0].condition[SIDE_SPIKES] =
        2; /* a layer more is told, a turn less of a screen is not */
    tell(&step, 0, text);
    assert_string_equal(text, "  Spikes on your side\n");
    more = after;
    more.sides[0].mons[0].hp = 0;
    tell(&step, 0, text);
    expect(text, "Snorlax: 382 -> 0/482, fainted\n", true);
}

/* An item that is taken away when it is seen is told, as far as the viewer knows it. */
static void a_seen_item_is_told(void **unused)
{
    (void)unused;
    struct pokemon before, after;
    char text[BANYAN_TEXT_MAX];
    const struct banyan_step step = {.before = &before, .after = &after};
    open_with(&before, "protect,none,none,none");
    before.sides[0].mons[0].item = ITEM_LEFTOVERS;
    before.sides[0].mons[0].seen &= (uint8_t)~SEEN_ITEM;
    after = before;
    after.sides[0].mons[0].seen |= SEEN_ITEM;
    tell(&step, 0, text);
    expect(text, "Snorlax shows its item: Leftovers\n", true);
    after.sides[0].mons[0].item = 0;
    tell(&step, 0, text);
    expect(text, "Snorlax shows its item: Leftovers\n", true);
    before.sides[0].mons[0].item = 0;
    tell(&step, 0, text);
    expect(text, "Snorlax has no item\n", true);
}

/* Dynamax lasts three turns, the one in which it begins included. */
static void a_sheet_counts_the_turns_of_dynamax_that_are_left(void **unused)
{
    static const char *const rows[] = {"  Dynamaxed for 2 more turns\n",
                                       "  Dynamaxed for 1 more turn\n"};
    struct pokemon s;
    char text[BANYAN_TEXT_MAX];
    (void)unused;
    open_with(&s, "swordsdance,none,none,none");
    play_turn(&s, "move swordsdance dynamax", "move protect");
    for (int i = 0; i < 2; ++i) {
        for (int viewer = -1; viewer < 2; ++viewer) {
            game()->sheet(game(), &s, viewer, text, sizeof text);
            expect(text, rows[i], true);
        }
        play_turn(&s, "move swordsdance", "move protect");
    }
    game()->sheet(game(), &s, 0, text, sizeof text);
    expect(text, "Dynamaxed", false);
}

static void a_sheet_tells_whose_team_it_is(void **unused)
{
    static const char *const rows[3][2] = {{"p1's team, 6 left, Dynamax not used:\n  Snorlax ",
                                            "\np2's team, 6 left, Dynamax not used:\n  Charizard "},
                                           {"your team, 6 left, Dynamax not used:\n  Snorlax ",
                                            "\nthe foe, 6 left, Dynamax not used:\n  Charizard "},
                                           {"your team, 6 left, Dynamax not used:\n  Charizard ",
                                            "\nthe foe, 6 left, Dynamax not used:\n  Snorlax "}};
    struct pokemon s;
    char text[BANYAN_TEXT_MAX];
    (void)unused;
    open_with(&s, "protect,none,none,none");
    for (int viewer = -1; viewer < 2; ++viewer) {
        game()->sheet(game(), &s, viewer, text, sizeof text);
        assert_memory_equal(text, rows[viewer + 1][0], strlen(rows[viewer + 1][0]));
        expect(text, rows[viewer + 1][1], true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_in_words),
        cmocka_unit_test(events_in_words),
        cmocka_unit_test(a_seen_item_is_told),
        cmocka_unit_test(a_sheet_counts_the_turns_of_dynamax_that_are_left),
        cmocka_unit_test(a_sheet_tells_whose_team_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
