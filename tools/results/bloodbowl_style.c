/* How does a player play Blood Bowl, in the figures that a coach looks at?
 *
 *     cc -O2 -Iinclude -Isrc -o bloodbowl_style tools/results/bloodbowl_style.c build/libbanyan.a -lm
 *     ./bloodbowl_style BOARD PLAYER PLAYER [GAMES [SEED]]
 *
 * Plays GAMES (100) between two players, each as home in half of them, and prints what each of them did per game. */
#include "base/rng.h"
#include "games/bloodbowl/rules.h"

#include <banyan/player.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum style {
    STYLE_TOUCHDOWN,
    STYLE_TURN,
    STYLE_TURNOVER,
    STYLE_EARLY,
    STYLE_TWO_AGAINST,
    STYLE_ONE_DIE,
    STYLE_TWO_DICE,
    STYLE_THREE_DICE,
    STYLE_BLITZ,
    STYLE_DODGE,
    STYLE_GFI,
    STYLE_PICKUP,
    STYLE_PASS,
    STYLE_HANDOFF,
    STYLE_FOUL,
    STYLE_REROLL,
    STYLES
};

static const char *const style_names[STYLES] = {"touchdowns",
                                                "turns",
                                                "turnovers",
                                                "turnovers in the first two activations",
                                                "blocks of two dice against",
                                                "blocks of one die",
                                                "blocks of two dice",
                                                "blocks of three dice",
                                                "blitzes",
                                                "dodges",
                                                "squares gone for",
                                                "pickups tried",
                                                "passes",
                                                "hand-offs",
                                                "fouls",
                                                "rerolls of the team"};

struct tally {
    int points, games, draws, nil;
    long count[STYLES];
};

static void fail(const struct banyan_error *err)
{
    fprintf(stderr, "bloodbowl_style: %s\n", err->message);
    exit(2);
}

static void style_block(struct tally *t, const struct bb_state *s, const struct bb_action *a)
{
    const struct bb_frame *f = &s->frame[s->depth - 1];
    int victim = bb_at(s, a->square), player = f->player;
    if (victim == BB_NONE || player == BB_NONE)
        return;
    bool blitz = f->procedure == BB_BLITZ_ACTION;
    int dice = bb_block_dice(s, player, victim, s->player[player].square, blitz, false);
    ++t->count[dice < 0    ? STYLE_TWO_AGAINST
               : dice == 1 ? STYLE_ONE_DIE
               : dice == 2 ? STYLE_TWO_DICE
                           : STYLE_THREE_DICE];
    t->count[STYLE_BLITZ] += blitz;
}

static void style_move(struct tally *t, const struct bb_state *s, const struct bb_action *a)
{
    int player = s->frame[s->depth - 1].player;
    if (player == BB_NONE || a->length > 1)
        return;
    t->count[STYLE_DODGE] += bb_zones(s, player, s->player[player].square) > 0;
    t->count[STYLE_GFI] += s->player[player].moves >= bb_ma(s, player);
    t->count[STYLE_PICKUP] +=
        s->ball_out && s->ball_on_ground && !s->ball_carried && a->square == s->ball;
}

static void style_action(struct tally *t, const struct bb_state *s, const struct bb_action *a)
{
    switch (a->type) {
    case BB_DO_BLOCK:
        style_block(t, s, a);
        break;
    case BB_DO_MOVE:
        style_move(t, s, a);
        break;
    case BB_DO_PASS:
        ++t->count[STYLE_PASS];
        break;
    case BB_DO_HANDOFF:
        ++t->count[STYLE_HANDOFF];
        break;
    case BB_DO_FOUL:
        ++t->count[STYLE_FOUL];
        break;
    case BB_DO_USE_REROLL:
        ++t->count[STYLE_REROLL];
        break;
    default:
        break;
    }
}

static int style_used(const struct bb_state *s, int team)
{
    int n = 0;
    for (int i = bb_first(team); i < bb_end(s, team); ++i)
        n += bb_on_pitch(s, i) && bb_is(s, i, BB_USED);
    return n;
}

static void style_turns(struct tally *t, const struct bb_state *before,
                        const struct bb_state *after, const struct bb_action *a)
{
    const struct bb_frame *now = bb_turn_frame(before), *then = bb_turn_frame(after);
    if (!now || !(now->bits & BB_STARTED) || now->bits & (BB_TURN_IS_BLITZ | BB_TURN_IS_QUICK_SNAP))
        return;
    int team = now->team;
    if (then && then->team == team && then->number == now->number && before->half == after->half)
        return;
    bool scored = before->team[team].score != after->team[team].score;
    ++t[team].count[STYLE_TURN];
    if (a->type == BB_DO_END_TURN || scored)
        return;
    ++t[team].count[STYLE_TURNOVER];
    t[team].count[STYLE_EARLY] += style_used(before, team) < 2;
}

static void style_game(const struct banyan_game *game, struct banyan_player player[2], int home,
                       uint64_t seed, struct tally tally[2])
{
    static struct bb_state s, before;
    struct banyan_error err;
    struct banyan_rng rng;
    struct banyan_dice dice;
    struct tally seat[2] = {0};
    banyan_rng_seed(&rng, seed);
    banyan_dice_drawn(&dice, &rng);
    if (game->init(game, &s, "", &rng, &err) != BANYAN_OK)
        fail(&err);
    for (int i = 0; i < 2; ++i)
        if (player[i].open(player[i].ctx, &s, i ^ home, banyan_rng_next(&rng), &err) != BANYAN_OK)
            fail(&err);
    for (int team; (team = bb_asked(&s)) != BB_NOBODY;) {
        struct banyan_player *who = &player[team ^ home];
        struct banyan_player_move move;
        if (who->choose(who->ctx, &s, NULL, &move, &err) != BANYAN_OK)
            fail(&err);
        struct bb_action a = bb_action_unpack(&s, move.action);
        style_action(&seat[team], &s, &a);
        before = s;
        bb_apply(&s, &a, &dice);
        style_turns(seat, &before, &s, &a);
    }
    int lead = s.team[home].score - s.team[!home].score;
    for (int i = 0; i < 2; ++i) {
        struct tally *t = &tally[i];
        seat[i ^ home].count[STYLE_TOUCHDOWN] = s.team[i ^ home].score;
        for (int k = 0; k < STYLES; ++k)
            t->count[k] += seat[i ^ home].count[k];
        ++t->games;
        t->points += lead == 0 ? 1 : (lead > 0) == (i == 0) ? 2 : 0;
        t->draws += lead == 0;
        t->nil += s.team[0].score + s.team[1].score == 0;
    }
}

static void style_print(const struct tally tally[2], int games)
{
    printf("%d games, score of the first %.3f, %d draws, %d without a touchdown\n", games,
           tally[0].points / 2.0 / games, tally[0].draws, tally[0].nil);
    for (int k = 0; k < STYLES; ++k)
        printf("%-40s %6.2f %6.2f\n", style_names[k], (double)tally[0].count[k] / games,
               (double)tally[1].count[k] / games);
}

int main(int argc, char **argv)
{
    char name[40];
    const struct banyan_game *game;
    struct banyan_error err;
    struct banyan_player player[2];
    struct tally tally[2] = {0};
    if (argc < 4) {
        fprintf(stderr, "usage: bloodbowl_style BOARD PLAYER PLAYER [GAMES [SEED]]\n");
        return 2;
    }
    snprintf(name, sizeof name, "bloodbowl-%.20s", argv[1]);
    if (banyan_game_find(name, &game, &err) != BANYAN_OK)
        fail(&err);
    for (int i = 0; i < 2; ++i)
        if (banyan_player_create(game, argv[2 + i], NULL, 1, &player[i], &err) != BANYAN_OK)
            fail(&err);
    int games = argc > 4 ? atoi(argv[4]) : 100;
    uint64_t seed = argc > 5 ? strtoull(argv[5], NULL, 10) : 1;
    for (int i = 0; i < games; ++i)
        style_game(game, player, i & 1, seed * 1000003 + (uint64_t)i / 2, tally);
    style_print(tally, games);
    for (int i = 0; i < 2; ++i)
        banyan_player_close(&player[i]);
    return 0;
}
