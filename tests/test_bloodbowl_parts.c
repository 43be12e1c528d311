/* Blood Bowl: neighbours and assists against a naive count, paths by trying all of them, armour, injuries and set-ups
 * by hand. */
#include "bloodbowl_position.h"

#include <banyan/rng.h>

#include <stdlib.h>

/* --- neighbours --- */

enum { OPEN = 6 }; /* players a side on a small part of the pitch */

static const char *const setup_of_six =
    "quirks=rules home={0 3 1 1 0 0; 1 6 3 3 8; 2 6 4 3 8 GUARD; 3 6 3 3 8 TACKLE; 4 6 2 3 8; "
    "5 6 5 3 8 GUARD; 6 6 3 3 8} away={0 3 1 1 0 0; 1 6 3 3 8; 2 6 4 3 8 GUARD; 3 6 3 3 8 TACKLE; "
    "4 6 2 3 8; 5 6 5 3 8 GUARD; 6 6 3 3 8}";

static struct bb_state crowd(struct banyan_rng *rng)
{
    static const unsigned flags[] = {BB_BONE_HEADED, BB_HYPNOTIZED, BB_STUPID};
    struct bb_state s = position(setup_of_six);
    for (int team = BB_HOME; team <= BB_AWAY; ++team)
        for (int i = 1; i <= OPEN; ++i) {
            int x, y;
            do
                x = 12 + (int)banyan_rng_below(rng, 5), y = 7 + (int)banyan_rng_below(rng, 4);
            while (bb_at(&s, bb_square(x, y)) != BB_NONE);
            int player = stand(&s, team, i, x, y);
            int way = (int)banyan_rng_below(rng, 10);
            if (way == 0)
                bb_prone(&s, player);
            else if (way <= 3)
                bb_set(&s, player, flags[way - 1]);
        }
    return s;
}

static bool beside(int a, int b)
{
    return a != b && abs(bb_x(a) - bb_x(b)) <= 1 && abs(bb_y(a) - bb_y(b)) <= 1;
}

static bool is_fit(const struct bb_state *s, int player)
{
    return bb_is(s, player, BB_UP) && !bb_is(s, player, BB_BONE_HEADED | BB_HYPNOTIZED | BB_STUPID);
}

static bool guards(int player)
{
    int number = player % BB_TEAM_MAX + 1;
    return number == 2 || number == 5;
}

/* Whether a player is in the tackle zone of an opponent other than these two. */
static bool marked(const struct bb_state *s, int player, int but, int nor)
{
    int first = bb_first(bb_opponent(bb_team_of(player)));
    for (int i = first; i < first + OPEN; ++i)
        if (i != but && i != nor && is_fit(s, i) &&
            beside(s->player[i].square, s->player[player].square))
            return true;
    return false;
}

/* "A player may assist if he stands next to the enemy, has a tackle zone, and is in no other
 * enemy's": Guard lifts the last condition at blocks, not at fouls.  square: where the attacker is
 * when he blocks. */
static int assists(const struct bb_state *s, int attacker, int defender, int square, bool foul,
                   bool own)
{
    int first = bb_first(bb_team_of(own ? attacker : defender)), count = 0;
    int near = own ? s->player[defender].square : square;
    for (int i = first; i < first + OPEN; ++i)
        if (i != attacker && i != defender && is_fit(s, i) && beside(s->player[i].square, near))
            count += (guards(i) && !foul) || !marked(s, i, own ? defender : attacker, BB_NONE);
    return count;
}

/* The stronger side chooses: one die, two, or three with more than twice the strength. */
static int dice_of_block(int own, int other)
{
    return own == other ? 1 : own > 2 * other ? 3 : own > other ? 2 : other > 2 * own ? -3 : -2;
}

static void check_pair(const struct bb_state *s, int a, int d)
{
    int square = s->player[a].square;
    for (int foul = 0; foul < 2; ++foul) {
        struct bb_assists found = bb_assists(s, a, d, square, foul);
        assert_int_equal(found.own, assists(s, a, d, square, foul, true));
        assert_int_equal(found.against, assists(s, a, d, square, foul, false));
    }
    int own = s->player[a].st + assists(s, a, d, square, false, true);
    int other = s->player[d].st + assists(s, a, d, square, false, false);
    assert_int_equal(bb_block_dice(s, a, d, square, false, false), dice_of_block(own, other));
    int equal = s->player[a].st < s->player[d].st ? s->player[d].st - s->player[a].st : 0;
    assert_int_equal(bb_block_dice(s, a, d, square, false, true),
                     dice_of_block(own + equal, other));
}

static void check_square(const struct bb_state *s, int player, int square)
{
    int zones = 0;
    for (int i = 0; i < BB_PLAYERS; ++i)
        zones += s->player[i].number && bb_team_of(i) != bb_team_of(player) && is_fit(s, i) &&
                 beside(s->player[i].square, square);
    assert_int_equal(bb_zones(s, player, square), zones);
    for (int team = BB_HOME; team <= BB_AWAY; ++team) {
        unsigned set = bb_around(s, square, team);
        int count = 0, there = 0;
        for (int i = 0; i < 32; ++i)
            count += (set >> i & 1) != 0;
        for (int i = bb_first(team); i < bb_first(team) + OPEN; ++i)
            there += beside(s->player[i].square, square);
        assert_int_equal(count, there);
    }
}

static void check_tacklers(const struct bb_state *s, int player)
{
    for (int standing = 0; standing < 2; ++standing) {
        unsigned set = bb_opponents_with(s, player, BB_SKILL_TACKLE, standing);
        int tackler = bb_first(bb_opponent(bb_team_of(player))) + 2, count = 0;
        bool there = beside(s->player[tackler].square, s->player[player].square) &&
                     (!standing || bb_is(s, tackler, BB_UP));
        for (int i = 0; i < 32; ++i)
            count += (set >> i & 1) != 0;
        assert_int_equal(count, there);
    }
}

static void neighbours_are_counted(void **unused)
{
    (void)unused;
    struct banyan_rng rng;
    banyan_rng_seed(&rng, 1);
    for (int n = 0; n < 500; ++n) {
        struct bb_state s = crowd(&rng);
        for (int i = 0; i < BB_PLAYERS; ++i) {
            if (!s.player[i].number)
                continue;
            check_tacklers(&s, i);
            check_square(&s, i, s.player[i].square);
            check_square(&s, i, bb_square(11 + n % 7, 6 + n % 6));
            for (int d = 0; d < BB_PLAYERS; ++d)
                if (s.player[d].number && bb_team_of(d) != bb_team_of(i) && bb_is(&s, i, BB_UP) &&
                    beside(s.player[i].square, s.player[d].square))
                    check_pair(&s, i, d);
        }
    }
}

/* Home scores in the leftmost column of the pitch, away in the rightmost; each half has half of the
 * squares, and the bound on the number of actions follows from that. */
static void pitches_of_variants(void **unused)
{
    static const struct {
        const char *name;
        int index, width, height; /* with the crowd */
    } rows[] = {{"bloodbowl-1", 0, 6, 5},   {"bloodbowl-3", 1, 14, 7},   {"bloodbowl-5", 2, 18, 11},
                {"bloodbowl-7", 3, 22, 11}, {"bloodbowl-11", 4, 28, 17}, {"bloodbowl", 4, 28, 17}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const struct banyan_game *game;
        struct bb_state s;
        uint16_t squares[BB_SQUARES];
        int width = rows[i].width, height = rows[i].height;
        int half = (width - 2) * (height - 2) / 2;
        assert_int_equal(banyan_game_find(rows[i].name, &game, NULL), BANYAN_OK);
        assert_int_equal(game->max_legal, 16 * (half + 1) + 200);
        assert_int_equal(bb_parse(&s, rows[i].index, "", NULL), BANYAN_OK);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                int square = bb_square(x, y);
                bool out = x == 0 || y == 0 || x == width - 1 || y == height - 1;
                assert_int_equal(bb_out(&s, square), out);
                assert_int_equal(bb_end_zone(&s, square, BB_HOME), !out && x == 1);
                assert_int_equal(bb_end_zone(&s, square, BB_AWAY), !out && x == width - 2);
                assert_int_equal(bb_own_half(&s, square, BB_HOME), !out && x >= width / 2);
                assert_int_equal(bb_own_half(&s, square, BB_AWAY), !out && x < width / 2);
            }
        for (int team = BB_HOME; team <= BB_AWAY; ++team) {
            assert_int_equal(bb_half_squares(&s, team, squares), half);
            for (int k = 0; k < half; ++k)
                assert_true(bb_own_half(&s, squares[k], team));
        }
    }
}

/* --- paths --- */

enum { STEPS = 6, MOVEMENT = 4 }; /* two of the steps are gone for */

/* The chance of leaving a square for another with AG 3: a 4 is needed, 1 less for every dodge, 1
 * more for each tackle zone on the new square.  Nothing is rolled if no opponent stands next to the
 * old square. */
static double step_chance(const struct bb_state *s, int player, int from, int to, int step)
{
    int needed = 4 - 1 + bb_zones(s, player, to);
    needed = needed < 2 ? 2 : needed > 6 ? 6 : needed;
    double chance = bb_zones(s, player, from) ? (7 - needed) / 6.0 : 1;
    return step > MOVEMENT ? chance * 5 / 6 : chance;
}

/* best[square]: the highest probability of all ways to a square, found step by step. */
static void best_ways(const struct bb_state *s, int player, double best[BB_SQUARES])
{
    static double now[BB_SQUARES], next[BB_SQUARES];
    memset(now, 0, sizeof now);
    memset(best, 0, BB_SQUARES * sizeof *best);
    now[s->player[player].square] = 1;
    for (int step = 1; step <= STEPS; ++step) {
        memset(next, 0, sizeof next);
        for (int y = 1; y < 16; ++y)
            for (int x = 1; x < 27; ++x)
                for (int i = 0; i < 9; ++i) {
                    int from = bb_square(x, y), to = bb_square(x + i % 3 - 1, y + i / 3 - 1);
                    if (now[from] <= 0 || bb_out(s, to) ||
                        (bb_at(s, to) != BB_NONE && bb_at(s, to) != player))
                        continue;
                    double chance = now[from] * step_chance(s, player, from, to, step);
                    next[to] = chance > next[to] && to != from ? chance : next[to];
                }
        for (int i = 0; i < BB_SQUARES; ++i)
            best[i] = next[i] > best[i] ? next[i] : best[i];
        memcpy(now, next, sizeof now);
    }
}

/* By the rules a path is the most probable one to its square, and there is one to every square in reach;
 * botbowl's are never more probable. */
static void paths_by_trying_all(void **unused)
{
    (void)unused;
    static double best[BB_SQUARES];
    static struct bb_choices list;
    struct banyan_rng rng;
    int compared = 0;
    banyan_rng_seed(&rng, 5);
    for (int n = 0; n < 60; ++n) {
        struct bb_state s = position(n % 3 ? "mode=path quirks=rules home={0 3 1 1 0 0; 1 4 3 3 8}"
                                           : "mode=path home={0 3 1 1 0 0; 1 4 3 3 8}");
        int runner = stand(&s, BB_HOME, 1, 3 + (int)banyan_rng_below(&rng, 22), 8);
        for (int i = 1; i <= 9; ++i) {
            int x = bb_x(s.player[runner].square) - 4 + (int)banyan_rng_below(&rng, 9);
            int y = 4 + (int)banyan_rng_below(&rng, 9);
            if (!bb_out(&s, bb_square(x, y)) && x > 0 && bb_at(&s, bb_square(x, y)) == BB_NONE)
                stand(&s, BB_AWAY, i, x, y);
        }
        s.team[BB_HOME].rerolls = 0;
        CHOOSE(&s, START_MOVE, runner, BB_NOWHERE);
        best_ways(&s, runner, best);
        bb_list(&s, &list, true);
        int offered = 0, reachable = 0;
        for (int i = 0; i < list.count; ++i)
            for (int k = 0; list.choice[i].type == BB_DO_MOVE && k < list.choice[i].count; ++k) {
                const struct bb_option *option = &list.option[list.choice[i].first + k];
                double right = best[option->square], found = option->probability;
                if (beside(option->square, s.player[runner].square)) /* one step, no detour */
                    right = step_chance(&s, runner, s.player[runner].square, option->square, 1);
                if (n % 3 ? found < right - 1e-9 || found > right + 1e-9 : found > right + 1e-9)
                    fail_msg("position %d, to %d,%d: %g, not %g", n, bb_x(option->square),
                             bb_y(option->square), found, right);
                ++offered;
            }
        for (int i = 0; i < BB_SQUARES; ++i)
            reachable += best[i] > 0 && i != s.player[runner].square;
        assert_int_equal(offered, reachable);
        compared += offered;
    }
    assert_true(compared > 2000);
}

/* --- armour --- */

/* AV breaks on a higher sum; Mighty Blow adds 1 to it or to the injury, Claws break on 8 or more.  Injury: 8
 * knocks out, 7 stuns. */
static void check_armor(int av, const char *skills, int first, int second)
{
    char setup[200];
    snprintf(setup, sizeof setup,
             "quirks=rules home={0 3 1 1 0 0; 1 6 3 3 8 %s} away={0 3 1 1 0 0; 1 6 3 3 %d; 2 6 3 3 "
             "8}",
             skills, av);
    struct bb_state s = position(setup);
    int killer = stand(&s, BB_HOME, 1, 14, 8), victim = stand(&s, BB_AWAY, 1, 13, 8), sum;
    bool mighty = strstr(skills, "MIGHTY_BLOW"), claws = strstr(skills, "CLAWS");
    sum = first + second;
    bool plain = sum > av || (claws && sum >= 8), broken = plain || (mighty && sum + 1 > av);
    struct bb_play p = {.s = &s};
    bb_run_knock_down(&p, victim, killer, 0);
    const struct banyan_die list[] = {DIE(ARMOR, 6, first), DIE(ARMOR, 6, second),
                                      DIE(INJURY, 6, 3), DIE(INJURY, 6, 4)};
    play(&s, BB_DO_NOTHING, BB_NONE, BB_NOWHERE, list, broken ? 4 : 2);
    bool out = broken && mighty && plain; /* the 1 goes to the injury: 8 */
    if (bb_is(&s, victim, BB_STUNNED) != (broken && !out) ||
        bb_is(&s, victim, BB_KNOCKED_OUT) != out)
        fail_msg("AV %d, %s, %d + %d", av, skills, first, second);
}

static void armour_by_hand(void **unused)
{
    static const char *const skills[] = {"", "MIGHTY_BLOW", "CLAWS", "MIGHTY_BLOW CLAWS"};
    (void)unused;
    for (int av = 5; av <= 10; ++av)
        for (int k = 0; k < 4; ++k)
            for (int first = 1; first <= 6; ++first)
                for (int second = 1; second <= 6; ++second)
                    check_armor(av, skills[k], first, second);
}

/* A player keeps every injury; the first one stands in the lowest bits. */
static void injuries_are_kept(void **unused)
{
    static const uint8_t list[] = {BB_INJURY_MNG, BB_INJURY_AG, BB_INJURY_NIGGLING, BB_INJURY_DEAD};
    (void)unused;
    struct bb_state s = position("");
    for (int i = 0; i < 4; ++i) {
        bb_injure(&s, 0, list[i]);
        for (int k = 0; k < 4; ++k)
            assert_int_equal(s.player[0].injuries >> 4 * k & 15, k <= i ? list[k] : 0);
    }
}

/* Injury: up to 7 stunned, 8 and 9 knocked out, 10 on a casualty; Stunty adds 1; with Thick Skull 8 only stuns. */
static void check_injury(const char *skills, int first, int second)
{
    char setup[160];
    snprintf(setup, sizeof setup, "quirks=rules away={0 3 1 1 0 0; 1 6 3 3 8 %s; 2 6 3 3 8}",
             skills);
    struct bb_state s = position(setup);
    int killer = stand(&s, BB_HOME, 1, 14, 8), victim = stand(&s, BB_AWAY, 1, 13, 8);
    int sum = first + second + (strstr(skills, "STUNTY") != NULL);
    bool thick = strstr(skills, "THICK_SKULL"), casualty = sum >= 10;
    bool out = !casualty && sum - thick >= 8;
    struct bb_play p = {.s = &s};
    bb_run_knock_down(&p, victim, killer, 0);
    const struct banyan_die list[] = {DIE(ARMOR, 6, 6),      DIE(ARMOR, 6, 6),
                                      DIE(INJURY, 6, first), DIE(INJURY, 6, second),
                                      DIE(CASUALTY, 6, 1),   DIE(CASUALTY, 8, 1)};
    play(&s, BB_DO_NOTHING, BB_NONE, BB_NOWHERE, list, casualty ? 6 : 4);
    if ((s.team[BB_AWAY].listed[BB_CASUALTIES] == 1) != casualty ||
        (s.team[BB_AWAY].listed[BB_KO] == 1) != out ||
        bb_is(&s, victim, BB_STUNNED) != (!casualty && !out))
        fail_msg("%s, injury %d + %d", skills, first, second);
}

static void injuries_by_hand(void **unused)
{
    static const char *const skills[] = {"", "STUNTY", "THICK_SKULL", "STUNTY THICK_SKULL"};
    (void)unused;
    for (int k = 0; k < 4; ++k)
        for (int first = 1; first <= 6; ++first)
            for (int second = 1; second <= 6; ++second)
                check_injury(skills[k], first, second);
}

/* The casualty table: D6 for tens and D8: up to 38 badly hurt, 41 to 48 misses the next game, 51 and 52 niggling, 53
 * and 54 movement, 55 and 56 armour, 57 agility, 58 strength (all of these miss it too), 61 on dead. */
static void casualties_by_hand(void **unused)
{
    static const int fifties[9] = {0,
                                   BB_INJURY_NIGGLING,
                                   BB_INJURY_NIGGLING,
                                   BB_INJURY_MA,
                                   BB_INJURY_MA,
                                   BB_INJURY_AV,
                                   BB_INJURY_AV,
                                   BB_INJURY_AG,
                                   BB_INJURY_ST};
    (void)unused;
    for (int six = 1; six <= 6; ++six)
        for (int eight = 1; eight <= 8; ++eight) {
            struct bb_state s = position("quirks=rules away={0 3 1 1 0 0; 1 6 3 3 8; 2 6 3 3 8}");
            int killer = stand(&s, BB_HOME, 1, 14, 8), victim = stand(&s, BB_AWAY, 1, 13, 8);
            struct bb_play p = {.s = &s};
            bb_run_knock_down(&p, victim, killer, 0);
            PLAY(&s, NOTHING, BB_NONE, BB_NOWHERE, DIE(ARMOR, 6, 6), DIE(ARMOR, 6, 6),
                 DIE(INJURY, 6, 6), DIE(INJURY, 6, 5), DIE(CASUALTY, 6, six),
                 DIE(CASUALTY, 8, eight));
            int right = six < 4    ? 0
                        : six == 4 ? BB_INJURY_MNG
                        : six == 5 ? BB_INJURY_MNG | fifties[eight] << 4
                                   : BB_INJURY_DEAD;
            if (s.player[victim].injuries != right)
                fail_msg("%d%d: %x, not %x", six, eight, s.player[victim].injuries, right);
            assert_int_equal(s.team[BB_AWAY].listed[BB_CASUALTIES], 1);
            assert_int_equal(s.team[BB_AWAY].list[BB_CASUALTIES][0], victim);
        }
}

/* --- Safe Throw --- */

/* "If intercepted, the passer rolls a D6 as for an unmodified AG test; if it succeeds the interception is
 * cancelled": it is a roll of its own, which Catch does not reroll. */
static void safe_throws(void **unused)
{
    (void)unused;
    for (int roll = 2; roll <= 5; ++roll) {
        struct bb_state s = position("home={0 3 1 1 0 0; 1 6 3 3 8 SAFE_THROW CATCH PASS} "
                                     "away={0 3 1 1 0 0; 1 6 3 3 8; 2 6 3 3 8}");
        int passer = stand(&s, BB_HOME, 1, 14, 8), thief = stand(&s, BB_AWAY, 1, 11, 8);
        s.team[BB_HOME].rerolls = s.team[BB_AWAY].rerolls = 0;
        give_ball(&s, passer);
        CHOOSE(&s, START_PASS, passer, BB_NOWHERE);
        CHOOSE(&s, PASS, BB_NONE, bb_square(8, 8));
        assert_int_equal(bb_asked(&s), BB_AWAY);
        if (roll >= 4) /* AG 3; then the pass, 6, and the ball bounces */
            PLAY(&s, SELECT_PLAYER, thief, BB_NOWHERE, DIE(INTERCEPT, 6, 6),
                 DIE(INTERCEPT, 6, roll), DIE(PASS, 6, 6), DIE(BOUNCE, 8, 5));
        else
            PLAY(&s, SELECT_PLAYER, thief, BB_NOWHERE, DIE(INTERCEPT, 6, 6),
                 DIE(INTERCEPT, 6, roll));
        assert_int_equal(bb_carries(&s, thief), roll < 4);
        assert_int_equal(s.current, BB_AWAY); /* nobody of home has the ball */
    }
}

/* --- set-ups --- */

/* "No more than two players in each wide zone, at least three on the line of scrimmage": the wide zones are
 * rows 1 to 4 and 12 to 15 of fifteen. */
static void check_setup(int top, int bottom, int line, bool good)
{
    struct bb_state s = position("");
    s.kick_drive = BB_AWAY;
    int number = 1;
    for (int i = 0; i < line; ++i)
        stand(&s, BB_HOME, number++, 14, 6 + i);
    for (int i = 0; i < top; ++i)
        stand(&s, BB_HOME, number++, 16, 4 - i);
    for (int i = 0; i < bottom; ++i)
        stand(&s, BB_HOME, number++, 16, 12 + i);
    for (int i = 0; number <= 11; ++i)
        stand(&s, BB_HOME, number++, 18 + i / 7, 5 + i % 7);
    if (bb_setup_legal(&s, BB_HOME) != good)
        fail_msg("%d and %d in the wide zones, %d on the line", top, bottom, line);
}

static void setups_by_hand(void **unused)
{
    (void)unused;
    for (int top = 0; top <= 3; ++top)
        for (int bottom = 0; bottom <= 3; ++bottom)
            for (int line = 2; line <= 4; ++line)
                check_setup(top, bottom, line, top <= 2 && bottom <= 2 && line >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_counted), cmocka_unit_test(pitches_of_variants),
        cmocka_unit_test(paths_by_trying_all),    cmocka_unit_test(armour_by_hand),
        cmocka_unit_test(injuries_are_kept),      cmocka_unit_test(injuries_by_hand),
        cmocka_unit_test(casualties_by_hand),     cmocka_unit_test(safe_throws),
        cmocka_unit_test(setups_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
