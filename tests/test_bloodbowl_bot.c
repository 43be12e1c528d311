/* The scripted coach of Blood Bowl: always legal, in both modes, and far better than chance. */
#include "games/bloodbowl/bot.h"
#include "games/bloodbowl/game.h"
#include "games/bloodbowl/rules.h"
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

/* Players of both kinds sit down; seats bit t: the script plays team t. */
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
            struct bb_action a = bot_next(&s, &plan[team], &planned[team]);
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
                                           59}; /* wins of 60, about 98 % less luck */
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
            play(4, setup, 3, i,
                 &tally); /* the script against itself: only legality is looked at */
        }
}

/* Chances against the pathfinder of the engine: never higher, mostly equal. */
static void reach_agrees_with_the_pathfinder(void **unused)
{
    static struct bb_choices list;
    static struct bot_reach reach;
    struct bb_state s = state_new(4, "mode=path");
    struct banyan_rng rng;
    struct banyan_dice dice;
    banyan_action legal[BB_MAX_LEGAL];
    int seen = 0, equal = 0;
    (void)unused;
    banyan_rng_seed(&rng, 5);
    banyan_dice_drawn(&dice, &rng);
    for (int ply = 0; ply < 1500 && bb_asked(&s) != BB_NOBODY; ++ply) {
        const struct bb_frame *f = &s.frame[s.depth - 1];
        if (f->procedure == BB_MOVE_ACTION && !bb_quick_snap(&s)) {
            struct bot_view view;
            bot_look(&view, &s, bb_asked(&s));
            bot_find(&view, f->player, &reach);
            bb_list(&s, &list, true);
            for (int i = 0; i < list.choice[0].count && list.choice[0].type == BB_DO_MOVE; ++i) {
                const struct bb_option *option = &list.option[list.choice[0].first + i];
                double chance = (double)bot_chance(&reach, option->square);
                if (option->length == 1) /* the direct step, not the safest */
                    continue;
                ++seen;
                equal += chance > option->probability - 1e-4 && chance < option->probability + 1e-4;
                assert_true(chance > 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beats_random_on_every_board),
        cmocka_unit_test(scores_three_times_on_the_full_pitch),
        cmocka_unit_test(plays_paths_as_steps),
        cmocka_unit_test(plays_all_races),
        cmocka_unit_test(reach_agrees_with_the_pathfinder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
