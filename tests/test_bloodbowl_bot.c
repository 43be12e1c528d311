/* The scripted coach of Blood Bowl: always legal, in both modes, and far better than chance. */
#include "games/bloodbowl/players/agent.h"
#include "games/bloodbowl/players/bot.h"
#include "games/bloodbowl/players/eval.h"
#include "games/bloodbowl/rules.h"
#include "games/bloodbowl/table.h"
#include "games/bloodbowl/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

struct tally {
    int games, wins, draws, scored, conceded, decisions;
};

static struct bb_state state_new(int variant, const char *setup)
{
    struct bb_state s;
    struct banyan_error err;
    if (bb_parse(&s, variant, setup, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    return s;
}

/* Plays one game; if bit t of seats is set, the script plays team t, otherwise random actions
 * are played. */
static void play(int variant, const char *setup, unsigned seats, uint64_t seed, struct tally *tally)
{
    struct bb_state s = state_new(variant, setup);
    struct banyan_rng rng;
    struct banyan_dice dice;
    struct bot_plan plan[2];
    bool planned[2] = {false, false};
    banyan_action legal[BB_MAX_LEGAL];
    banyan_rng_seed(&rng, seed);
    banyan_dice_drawn(&dice, &rng);
    for (int team; (team = bb_asked(&s)) != BB_NOBODY;) {
        int n = bb_legal(&s, legal);
        banyan_action chosen = legal[banyan_rng_below(&rng, (uint32_t)n)];
        if (seats >> team & 1) {
            struct bb_action a = bot_next(&bot_usual, &s, &plan[team], &planned[team]);
            chosen = bb_action_pack(&a);
            if (!bot_legal(&s, &chosen)) {
                char text[200], draw[8192];
                bb_action_format(&s, &a, text, sizeof text);
                bb_draw(&s, draw, sizeof draw);
                fail_msg("'%s' is not legal in %s\n%s", text,
                         bb_procedure_names[s.frame[s.depth - 1].procedure], draw);
            }
            ++tally->decisions;
        }
        struct bb_action a = bb_action_unpack(&s, chosen);
        bb_apply(&s, &a, &dice);
    }
    int me = seats & 1 ? BB_HOME : BB_AWAY, lead = s.team[me].score - s.team[!me].score;
    ++tally->games;
    tally->wins += lead > 0;
    tally->draws += lead == 0;
    tally->scored += s.team[me].score;
    tally->conceded += s.team[!me].score;
}

static void match(int variant, const char *setup, int games, struct tally *tally)
{
    *tally = (struct tally){0};
    for (int i = 0; i < games; ++i)
        play(variant, setup, i % 2 ? 2 : 1, (uint64_t)i + 1, tally);
    print_message("%s %s: %d games, %d won, %d drawn, %.2f : %.2f touchdowns, %d decisions each\n",
                  bb_variants[variant].name, setup, tally->games, tally->wins, tally->draws,
                  (double)tally->scored / tally->games, (double)tally->conceded / tally->games,
                  tally->decisions / tally->games);
}

static void beats_random_on_every_board(void **unused)
{
    static const int least[BB_VARIANTS] = {52, 58, 58, 59,
                                           59}; /* wins of 60: about 98 % expected, less a margin */
    (void)unused;
    for (int variant = 0; variant < BB_VARIANTS; ++variant) {
        struct tally tally;
        match(variant, "mode=step", 60, &tally);
        assert_true(tally.wins >= least[variant]);
    }
}

static void scores_three_times_on_the_full_pitch(void **unused)
{
    struct tally tally;
    (void)unused;
    match(4, "mode=path", 20, &tally);
    assert_true(tally.scored >= 3 * tally.games);
}

static void plays_paths_as_steps(void **unused)
{
    struct tally tally;
    (void)unused;
    for (int variant = 0; variant < BB_VARIANTS; ++variant) {
        match(variant, "mode=path", 6, &tally);
        assert_true(tally.wins >= 5);
    }
}

static void plays_all_races(void **unused)
{
    static const char *const race[] = {"amazon", "chaos-dwarf", "chaos",  "dark-elf", "lizardmen",
                                       "orc",    "skaven",      "undead", "vampire",  "wood-elf"};
    (void)unused;
    for (size_t i = 0; i < sizeof race / sizeof *race; ++i)
        for (int human = 0; human < 2; ++human) {
            char setup[96];
            struct tally tally;
            snprintf(setup, sizeof setup, "mode=%s ask=%s home=%s away=%s", human ? "path" : "step",
                     human ? "human" : "bot", race[i], race[(i + 3) % 10]);
            tally = (struct tally){0};
            play(4, setup, 3, i, &tally); /* script against script: only legality is checked */
        }
}

/* Compares the script's chances with those of the engine's pathfinder: never higher, mostly
 * equal. */
static void reach_agrees_with_the_pathfinder(void **unused)
{
    static struct bb_choices list;
    static struct bot_reach reach;
    struct bb_state s = state_new(4, "mode=path");
    struct banyan_rng rng;
    struct banyan_dice dice;
    banyan_action legal[BB_MAX_LEGAL];
    struct bot_points points;
    int seen = 0, equal = 0;
    (void)unused;
    assert_int_equal(bot_points_parse(&points, "hopeless=0.1", NULL), BANYAN_OK);
    banyan_rng_seed(&rng, 5);
    banyan_dice_drawn(&dice, &rng);
    for (int ply = 0; ply < 1500 && bb_asked(&s) != BB_NOBODY; ++ply) {
        const struct bb_frame *f = &s.frame[s.depth - 1];
        if (f->procedure == BB_MOVE_ACTION && !bb_quick_snap(&s)) {
            struct bot_view view;
            bot_look(&view, &points, &s, bb_asked(&s));
            bot_find(&view, f->player, &reach);
            bb_list(&s, &list, true);
            for (int i = 0; i < list.choice[0].count && list.choice[0].type == BB_DO_MOVE; ++i) {
                const struct bb_option *option = &list.option[list.choice[0].first + i];
                double chance = (double)bot_chance(&reach, option->square);
                /* the script takes the direct step, not the safest path */
                if (option->length == 1 ||
                    option->probability < 0.11) /* the script leaves out hopeless paths */
                    continue;
                ++seen;
                equal += chance > option->probability - 1e-4 && chance < option->probability + 1e-4;
                assert_true(chance > 0 || option->probability < 0.2);
            }
        }
        int n = bb_legal(&s, legal);
        struct bb_action a = bb_action_unpack(&s, legal[banyan_rng_below(&rng, (uint32_t)n)]);
        bb_apply(&s, &a, &dice);
    }
    assert_true(seen > 2000);
    print_message("%d of %d chances are the pathfinder's\n", equal, seen);
    assert_true(equal * 10 >= seen * 9);
}

/* --- values --- */

static void random_plies(struct bb_state *s, struct banyan_rng *rng, int plies)
{
    struct banyan_dice dice;
    banyan_action legal[BB_MAX_LEGAL];
    banyan_dice_drawn(&dice, rng);
    for (; plies > 0 && bb_asked(s) != BB_NOBODY; --plies) {
        int n = bb_legal(s, legal);
        struct bb_action a = bb_action_unpack(s, legal[banyan_rng_below(rng, (uint32_t)n)]);
        bb_apply(s, &a, &dice);
    }
}

static void value_is_fair_and_bounded(void **unused)
{
    struct banyan_rng rng;
    (void)unused;
    banyan_rng_seed(&rng, 9);
    for (int i = 0; i < 400; ++i) {
        struct bb_state mirrored, s = state_new(i % BB_VARIANTS, "mode=step");
        random_plies(&s, &rng, (int)banyan_rng_below(&rng, 700));
        float value = bb_value(&s, BB_HOME);
        assert_true(value >= -1 && value <= 1);
        assert_true(value == -bb_value(&s, BB_AWAY));
        bb_mirror(&s, &mirrored);
        assert_true(value == bb_value(&mirrored, BB_AWAY));
    }
}

/* Home's first player is alone with the ball, x columns from the left. */
static struct bb_state carrier_at(int x)
{
    struct bb_state s = state_new(1, "mode=step");
    struct banyan_rng rng;
    struct banyan_dice dice;
    banyan_rng_seed(&rng, 2);
    banyan_dice_drawn(&dice, &rng);
    bot_rollout(&s, 12, &dice);
    while (!bot_plans_now(&s) || bb_asked(&s) != BB_HOME ||
           bb_turn_frame(&s)->bits & (BB_TURN_IS_BLITZ | BB_TURN_IS_QUICK_SNAP))
        bot_rollout(&s, 1, &dice);
    for (int i = 0; i < BB_PLAYERS; ++i)
        if (bb_on_pitch(&s, i))
            bb_remove(&s, i);
    bb_put(&s, 0, bb_square(x, 3));
    s.player[0].flags = BB_UP;
    s.player[0].moves = s.player[0].used = 0;
    s.ball = s.player[0].square;
    s.ball_out = s.ball_carried = s.ball_on_ground = 1;
    return s;
}

static void nearer_is_better(void **unused)
{
    (void)unused;
    for (int x = 2; x < 12; ++x) {
        struct bb_state near = carrier_at(x), far = carrier_at(x + 1);
        assert_true(bb_value(&near, BB_HOME) >= bb_value(&far, BB_HOME));
        assert_true(bb_value(&far, BB_HOME) > 0);
    }
}

static void runs_into_an_open_end_zone(void **unused)
{
    struct bb_state s = carrier_at(8);
    struct bot_plan plan;
    bool planned = false;
    struct banyan_rng rng;
    struct banyan_dice dice;
    (void)unused;
    banyan_rng_seed(&rng, 4);
    banyan_dice_drawn(&dice, &rng);
    int before = s.team[BB_HOME].score;
    for (int i = 0; i < 12 && s.team[BB_HOME].score == before && bb_asked(&s) == BB_HOME; ++i) {
        struct bb_action a = bot_next(&bot_usual, &s, &plan, &planned);
        bb_apply(&s, &a, &dice);
    }
    assert_int_equal(s.team[BB_HOME].score, before + 1);
}

/* The script answers every kind of question that the rules can ask. */
static void takes_over_anywhere(void **unused)
{
    static const char *const setup[] = {"mode=path home=orc away=wood-elf",
                                        "mode=step ask=human home=vampire away=dark-elf"};
    struct banyan_rng rng;
    (void)unused;
    banyan_rng_seed(&rng, 31);
    for (int i = 0; i < 200; ++i) {
        struct bb_state s = state_new(4, setup[i % 2]);
        struct banyan_dice dice;
        struct bot_plan plan[2];
        bool planned[2] = {false, false};
        random_plies(&s, &rng, (int)banyan_rng_below(&rng, 900));
        banyan_dice_drawn(&dice, &rng);
        for (int k = 0, team; k < 40 && (team = bb_asked(&s)) != BB_NOBODY; ++k) {
            struct bb_action a = bot_next(&bot_usual, &s, &plan[team], &planned[team]);
            banyan_action packed = bb_action_pack(&a);
            bool legal = bot_legal(&s, &packed);
            if (!legal && s.frame[s.depth - 1].procedure != BB_SETUP) {
                char text[200];
                bb_action_format(&s, &a, text, sizeof text);
                fail_msg("'%s' is not legal in %s", text,
                         bb_procedure_names[s.frame[s.depth - 1].procedure]);
            }
            a = bb_action_unpack(&s, packed);
            bb_apply(&s, &a, &dice);
        }
    }
}

/* --- the search --- */

static int agent_plays(int variant, const char *setup, uint64_t seed, int *fallbacks)
{
    const struct banyan_game *game = NULL;
    struct banyan_player player;
    struct banyan_error err;
    struct banyan_rng rng;
    struct banyan_dice dice;
    banyan_action legal[BB_MAX_LEGAL];
    struct bb_state s = state_new(variant, setup);
    int hash = 0;
    banyan_rng_seed(&rng, seed);
    banyan_dice_drawn(&dice, &rng);
    assert_int_equal(agent_player(game, "simulations=40", NULL, seed, &player, &err), BANYAN_OK);
    assert_int_equal(player.open(player.ctx, &s, BB_HOME, seed, &err), BANYAN_OK);
    for (int team; (team = bb_asked(&s)) != BB_NOBODY;) {
        int n = bb_legal(&s, legal), found = 0;
        banyan_action chosen = legal[banyan_rng_below(&rng, (uint32_t)n)];
        if (team == BB_HOME) {
            struct banyan_player_move move;
            assert_int_equal(player.choose(player.ctx, &s, NULL, &move, &err), BANYAN_OK);
            chosen = move.action;
            for (int i = 0; i < n; ++i)
                found += legal[i] == chosen;
            *fallbacks += !found;
        }
        hash = (int)(((unsigned)hash * 31 + (unsigned)chosen) & 0xffffff);
        struct bb_action a = bb_action_unpack(&s, chosen);
        bb_apply(&s, &a, &dice);
    }
    player.close(player.ctx);
    return s.team[BB_HOME].score > s.team[BB_AWAY].score ? hash : -hash;
}

static void agent_wins_and_repeats_itself(void **unused)
{
    int wins = 0, fallbacks = 0;
    (void)unused;
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        const char *setup = seed % 2 ? "mode=step" : "mode=path";
        int first = agent_plays(1, setup, seed, &fallbacks);
        wins += first > 0;
        assert_int_equal(first, agent_plays(1, setup, seed, &fallbacks));
    }
    assert_int_equal(fallbacks, 0);
    assert_int_equal(wins, 4);
}

static void plans_are_a_game(void **unused)
{
    const struct banyan_game *game = agent_game(4);
    struct bb_state s = state_new(4, "mode=step");
    struct banyan_rng rng;
    struct banyan_dice dice;
    banyan_action actions[64];
    float values[2];
    int seen = 0;
    (void)unused;
    banyan_rng_seed(&rng, 12);
    banyan_dice_drawn(&dice, &rng);
    while (!bot_plans_now(&s))
        bot_rollout(&s, 1, &dice);
    agent_root(&s, 4);
    while (game->movers(game, &s)) {
        int team = bb_asked(&s), n = game->legal(game, &s, team, actions);
        assert_true(n >= 1 && n <= game->max_legal);
        assert_int_equal(game->movers(game, &s), 1u << team);
        banyan_action joint[2] = {actions[0], actions[0]};
        joint[team] = actions[banyan_rng_below(&rng, (uint32_t)n)];
        game->apply(game, &s, joint, &dice);
        ++seen;
    }
    assert_true(seen > 4);
    game->returns(game, &s, values);
    assert_true(values[0] == -values[1]);
}

/* Also when moving square by square, a player who has picked up the ball runs on and scores, and
 * does not turn back. */
static void fetches_and_scores(void **unused)
{
    int fetched = 0, scored = 0;
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        struct bb_state s = carrier_at(8);
        struct bot_plan plan;
        bool planned = false, has = false;
        struct banyan_rng rng;
        struct banyan_dice dice;
        int before = s.team[BB_HOME].score;
        s.ball = (uint16_t)bb_square(6, 4);
        s.ball_carried = 0;
        banyan_rng_seed(&rng, seed);
        banyan_dice_drawn(&dice, &rng);
        while (s.team[BB_HOME].score == before && bb_turn_frame(&s) && s.current == BB_HOME) {
            struct bb_action a = bot_next(&bot_usual, &s, &plan, &planned);
            bb_apply(&s, &a, &dice);
            has = has || (s.ball_carried && s.ball == s.player[0].square);
        }
        fetched += has;
        scored += s.team[BB_HOME].score > before;
    }
    assert_true(fetched >= 10);
    assert_int_equal(scored, fetched);
}

/* A ball carrier who is marked may block the marking player and run on. */
static void blitzes_from_where_it_stands(void **unused)
{
    const struct banyan_game *game = agent_game(1);
    struct bb_state s = carrier_at(8);
    banyan_action actions[64];
    int found = 0;
    (void)unused;
    int marker = bb_first(BB_AWAY);
    bb_put(&s, marker, bb_square(7, 3));
    s.player[marker].flags = BB_UP;
    agent_root(&s, 2);
    int n = game->legal(game, &s, BB_HOME, actions);
    for (int i = 0; i < n; ++i) {
        struct bot_plan plan = agent_plan(actions[i]);
        found += plan.start == BB_DO_START_BLITZ && plan.stand == s.player[0].square &&
                 plan.target == s.player[marker].square;
    }
    assert_int_equal(found, 1);
}

/* The question after a block can be a root too: the engine's choices, and after each of them a
 * whole turn. */
static void questions_are_roots(void **unused)
{
    const struct banyan_game *game = agent_game(4);
    struct banyan_rng rng;
    struct banyan_dice dice;
    int seen = 0;
    (void)unused;
    banyan_rng_seed(&rng, 21);
    banyan_dice_drawn(&dice, &rng);
    for (int k = 0; k < 4; ++k) {
        struct bb_state s = state_new(4, "mode=step");
        struct bot_plan plan[2];
        bool planned[2] = {false, false};
        for (int team; (team = bb_asked(&s)) != BB_NOBODY;) {
            banyan_action actions[64], legal[BB_MAX_LEGAL];
            int n = agent_asks(&s) ? bb_legal(&s, legal) : 0;
            struct bb_state root = s;
            agent_root(&root, 2);
            agent_keep(&root, NULL);
            int m = n ? game->legal(game, &root, team, actions) : 0;
            assert_int_equal(m, n);
            for (int i = 0; i < n; ++i) {
                struct bb_state after = root;
                banyan_action joint[2] = {actions[i], actions[i]};
                assert_true(agent_answer(actions[i]) == legal[i]);
                game->apply(game, &after, joint, &dice);
                assert_true(!game->movers(game, &after) || bot_plans_now(&after));
                ++seen;
            }
            struct bb_action a = bot_next(&bot_usual, &s, &plan[team], &planned[team]);
            bb_apply(&s, &a, &dice);
        }
    }
    assert_true(seen > 100);
}

/* A player who was pushed into the crowd at a corner has no tackle zones on the pitch. */
static void no_zones_from_the_crowd(void **unused)
{
    (void)unused;
    static const char text[] =
        "mode=step ask=bot/bot quirks=1099511627774 home={3 3 1 2 0 0; 1 7 3 3 8 BLOCK; "
        "3 6 3 3 8 SURE_HANDS PASS} away={3 3 1 2 0 0; 1 7 3 3 8 BLOCK; 3 6 3 3 8 "
        "SURE_HANDS PASS} game 2523398744 2 7 1 0 21 1 1 0 1 0 16 2 0 0 1 0 1 0 0 0 0 "
        "131 31 31 0 team 0 7 3 0 0 0 1 0 1 1 0 0 0 team 0 7 2 1 0 0 0 0 1 17 0 0 0 p "
        "32 1 0 0 0 p 31 1 0 0 0 p 97 1 0 0 0 p 31 1 0 0 0 stack EndGame 0 2 255 255 0 "
        "0 0 0 31 31 0 Pregame 0 2 255 255 0 0 0 3 31 31 0 Half 2 2 255 255 0 2 0 1 31 "
        "31 0 Turn 0 1 255 255 0 7 0 481 31 31 0 BlockAction 0 2 16 255 0 0 0 3 31 31 0 "
        "EndPlayerTurn 0 2 16 255 0 0 0 0 31 31 0 Block 5 1 16 0 0 0 0 19 31 31 4100 "
        "Push 4 1 16 0 0 0 0 547 32 65 0 KnockDown 0 2 0 255 0 0 0 160 31 31 0 FollowUp "
        "0 2 16 0 0 0 0 1 65 31 0";
    const struct banyan_game *game;
    struct bb_state s, mirrored;
    assert_int_equal(banyan_game_find("bloodbowl-1", &game, NULL), BANYAN_OK);
    assert_int_equal(game->init(game, &s, text, NULL, NULL), BANYAN_OK);
    bb_mirror(&s, &mirrored);
    assert_true(bb_value(&s, BB_AWAY) == bb_value(&mirrored, BB_HOME));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beats_random_on_every_board),
        cmocka_unit_test(scores_three_times_on_the_full_pitch),
        cmocka_unit_test(plays_paths_as_steps),
        cmocka_unit_test(plays_all_races),
        cmocka_unit_test(reach_agrees_with_the_pathfinder),
        cmocka_unit_test(value_is_fair_and_bounded),
        cmocka_unit_test(no_zones_from_the_crowd),
        cmocka_unit_test(nearer_is_better),
        cmocka_unit_test(runs_into_an_open_end_zone),
        cmocka_unit_test(takes_over_anywhere),
        cmocka_unit_test(agent_wins_and_repeats_itself),
        cmocka_unit_test(plans_are_a_game),
        cmocka_unit_test(fetches_and_scores),
        cmocka_unit_test(blitzes_from_where_it_stands),
        cmocka_unit_test(questions_are_roots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
