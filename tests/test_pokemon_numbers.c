/* Pokémon: damage against values computed by hand from the published formulas. */
#include "games/pokemon/calc.h"
#include "pokemon_battle.h"

/* Stealth Rock takes floor(hp * effectiveness of Rock / 8) (Showdown, data/moves.ts; Bulbapedia):
 *   Charizard  Fire 2, Flying 2: 4   hp 2*78+52+110 = 318:  318/2  = 159
 *   Ninetales  Fire 2                hp 2*73+52+110 = 308:  308/4  = 77
 *   Snorlax    Normal 1              hp 2*160+52+110 = 482: 482/8  = 60.25 -> 60
 *   Hitmonlee  Fighting 1/2          hp 2*50+52+110 = 262:  262/16 = 16.4 -> 16
 *   Steelix    Steel 1/2, Ground 1/2 hp 2*75+52+110 = 312:  312/32 = 9.75 -> 9
 * and nothing from a Pokémon with Heavy-Duty Boots. */
static void stealth_rock_by_effectiveness(void **unused)
{
    (void)unused;
    const struct {
        const char *mon, *name;
        int hp, taken;
    } cases[] = {
        {"species=charizard ability=solarpower moves=protect,none,none,none", "switch Charizard",
         318, 159},
        {"species=ninetales ability=flashfire moves=protect,none,none,none", "switch Ninetales",
         308, 77},
        {"species=snorlax ability=thickfat moves=protect,none,none,none", "switch Snorlax", 482,
         60},
        {"species=hitmonlee ability=limber moves=protect,none,none,none", "switch Hitmonlee", 262,
         16},
        {"species=steelix ability=sturdy moves=protect,none,none,none", "switch Steelix", 312, 9},
        {"species=charizard ability=solarpower item=heavydutyboots moves=protect,none,none,none",
         "switch Charizard", 318, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct pokemon s;
        open_battle(
            &s,
            (const char *const[2]){"species=wailord ability=pressure moves=protect,none,none,none",
                                   cases[i].mon},
            "species=cradily ability=stormdrain moves=stealthrock,none,none,none");
        assert_int_equal(s.sides[0].mons[1].max_hp, cases[i].hp);
        play_turn(&s, "move protect", "move stealthrock");
        play_turn(&s, cases[i].name, "move stealthrock");
        if (s.sides[0].mons[1].hp != cases[i].hp - cases[i].taken)
            fail_msg("%s: %d of %d hp left", cases[i].mon, s.sides[0].mons[1].hp, cases[i].hp);
    }
}

/* floor(floor(42 P A / D) / 50) + 2 at level 100, times 0.85 to 1 rounded down, times 1.5 for the own
 * type and 0.5 for a burn, each rounded with halves down (Bulbapedia: Damage, generation 5 on).
 * Snorlax, Attack 2*110+52+5 = 277, against Wailord, Defense 2*45+52+5 = 147, hp 502:
 *   Facade, power 70:      42*70*277/147 = 5540,  /50 = 110, +2 = 112: 95 -> 142 .. 112 -> 168
 *   Facade ill, power 140: 42*140*277/147 = 11080, 221, 223: 189 -> 283 .. 223 -> 334; a burn does not
 *                          halve it (generation 6 on)
 *   Body Slam, power 85:   42*85*277/147 = 6727, 134, 136: 115 -> 172 .. 136 -> 204
 *   Body Slam burnt:       172 -> 86 .. 204 -> 102
 * With Guts Attack is 1.5 times as high and a burn halves nothing: 415 (415.5):
 *   Body Slam:             42*85*415/147 = 10078, 201, 203: 172 -> 258 .. 203 -> 304 */
static void facade_and_burns(void **unused)
{
    (void)unused;
    const struct {
        int move, status, ability, least, most;
    } cases[] = {{MOVE_FACADE, STATUS_NONE, ABILITY_THICKFAT, 142, 168},
                 {MOVE_FACADE, STATUS_BRN, ABILITY_THICKFAT, 283, 334},
                 {MOVE_FACADE, STATUS_PAR, ABILITY_THICKFAT, 283, 334},
                 {MOVE_FACADE, STATUS_PSN, ABILITY_THICKFAT, 283, 334},
                 {MOVE_FACADE, STATUS_TOX, ABILITY_THICKFAT, 283, 334},
                 {MOVE_BODYSLAM, STATUS_NONE, ABILITY_THICKFAT, 172, 204},
                 {MOVE_BODYSLAM, STATUS_BRN, ABILITY_THICKFAT, 86, 102},
                 {MOVE_BODYSLAM, STATUS_PAR, ABILITY_THICKFAT, 172, 204},
                 {MOVE_BODYSLAM, STATUS_BRN, ABILITY_GUTS, 258, 304}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        static struct calc calc;
        struct pokemon s;
        int least, most;
        open_battle(&s,
                    (const char *const[2]){
                        "species=snorlax ability=thickfat moves=facade,bodyslam,protect,none",
                        "species=charizard ability=solarpower moves=protect,none,none,none"},
                    "species=wailord ability=pressure moves=protect,none,none,none");
        s.sides[0].mons[0].status = (uint8_t)cases[i].status;
        s.sides[0].mons[0].ability = (uint8_t)cases[i].ability;
        calc_attack(&s, 0, cases[i].move, false, &calc);
        assert_int_equal(calc.hp, 502);
        assert_true(calc_range(&calc, false, &least, &most));
        if (least != cases[i].least || most != cases[i].most)
            fail_msg("case %d: %d to %d, not %d to %d", (int)i, least, most, cases[i].least,
                     cases[i].most);
    }
}

/* --- what dice decide: by the log of each turn's dice --- */

enum { TURN_DICE = 256 };

struct turn {
    struct pokemon after;
    struct banyan_die dice[TURN_DICE];
    int count;
};

/* Plays a turn from s with luck of this seed. */
static void play_seeded(const struct pokemon *s, const char *const texts[2], uint64_t seed,
                        struct turn *turn)
{
    const struct banyan_game *game;
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct banyan_dice dice;
    struct banyan_rng rng;
    assert_int_equal(banyan_game_find("pokemon", &game, NULL), BANYAN_OK);
    turn->after = *s;
    for (int p = 0; p < 2; ++p)
        assert_int_equal(game->action_parse(game, s, p, texts[p], &joint[p], NULL), BANYAN_OK);
    banyan_rng_seed(&rng, seed);
    banyan_dice_drawn(&dice, &rng);
    dice.log = turn->dice;
    dice.log_max = TURN_DICE;
    game->apply(game, &turn->after, joint, &dice);
    turn->count = dice.log_count;
}

static int dice_of(const struct turn *turn, int kind, int *last)
{
    int count = 0;
    for (int i = 0; i < turn->count; ++i)
        if (turn->dice[i].kind == kind) {
            ++count;
            *last = turn->dice[i].value;
        }
    return count;
}

/* Bullet Seed hits two or three times in 35 % of cases each, four or five times in 15 % each (generation 5
 * on): of 20 numbers 7, 7, 3 and 3.  Each hit has its own damage. */
static void number_of_hits(void **unused)
{
    (void)unused;
    struct pokemon s;
    int seen[6] = {0}, by_number[20];
    memset(by_number, 0, sizeof by_number);
    open_battle(&s,
                (const char *const[2]){
                    "species=snorlax ability=thickfat moves=bulletseed,protect,none,none",
                    "species=charizard ability=solarpower moves=protect,none,none,none"},
                "species=wailord ability=pressure moves=stealthrock,none,none,none");
    const char *const texts[2] = {"move bulletseed", "move stealthrock"};
    for (uint64_t seed = 1; seed <= 600; ++seed) {
        struct turn turn;
        int number = -1, other;
        play_seeded(&s, texts, seed, &turn);
        if (dice_of(&turn, DIE_HITS, &number) == 0 || turn.after.sides[1].mons[0].hp == 0)
            continue; /* missed, or ended by fainting */
        int hits = dice_of(&turn, DIE_DAMAGE, &other);
        assert_in_range(hits, 2, 5);
        assert_true(number >= 0 && number < 20 &&
                    (!by_number[number] || by_number[number] == hits));
        by_number[number] = hits;
    }
    for (int i = 0; i < 20; ++i)
        ++seen[by_number[i]];
    assert_true(seen[2] == 7 && seen[3] == 7 && seen[4] == 3 && seen[5] == 3);
}

/* Effect Spore on contact (generation 5 on): 11 of 100 asleep, 10 paralysed, 9 poisoned, 70 nothing; nothing
 * to Grass types, and nothing without contact. */
static void effect_spore(void **unused)
{
    (void)unused;
    static const struct {
        const char *mon, *action;
        bool asked;
    } cases[] = {{"species=snorlax ability=thickfat moves=bodyslam,protect,none,none",
                  "move bodyslam", true},
                 {"species=snorlax ability=thickfat moves=hypervoice,protect,none,none",
                  "move hypervoice", false},
                 {"species=tangrowth ability=regenerator moves=bodyslam,protect,none,none",
                  "move bodyslam", false}};
    for (int i = 0; i < 3; ++i) {
        struct pokemon s;
        int by_number[100], seen[8] = {0}, known = 0;
        for (int n = 0; n < 100; ++n)
            by_number[n] = -1;
        open_battle(
            &s,
            (const char *const[2]){
                cases[i].mon, "species=charizard ability=solarpower moves=protect,none,none,none"},
            "species=amoonguss ability=effectspore moves=stealthrock,none,none,none");
        const char *const texts[2] = {cases[i].action, "move stealthrock"};
        for (uint64_t seed = 1; seed <= (cases[i].asked ? 1500 : 30); ++seed) {
            struct turn turn;
            int number = -1;
            play_seeded(&s, texts, seed, &turn);
            if (dice_of(&turn, DIE_EFFECT_SPORE, &number) == 0)
                continue;
            assert_true(cases[i].asked && number >= 0 && number < 100);
            known += by_number[number] < 0;
            by_number[number] = turn.after.sides[0].mons[0].status;
        }
        if (!cases[i].asked)
            continue;
        assert_int_equal(known, 100);
        for (int n = 0; n < 100; ++n)
            ++seen[by_number[n]];
        assert_true(seen[STATUS_SLP] == 11 && seen[STATUS_PAR] == 10 && seen[STATUS_PSN] == 9);
        assert_int_equal(seen[STATUS_NONE], 70);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stealth_rock_by_effectiveness),
        cmocka_unit_test(facade_and_burns),
        cmocka_unit_test(number_of_hits),
        cmocka_unit_test(effect_spore),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
