/* Positions of Blood Bowl for tests: home's turn, players where the test wants them, dice by name. */
#ifndef TESTS_BLOODBOWL_POSITION_H
#define TESTS_BLOODBOWL_POSITION_H

#include "games/bloodbowl/rules.h"
#include "games/bloodbowl/table.h"
#include "games/bloodbowl/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static inline struct bb_state position(const char *setup)
{
    static const bool all[4] = {true, true, true, true};
    struct bb_state s;
    struct banyan_error err;
    if (bb_parse(&s, 4, setup, &err) != BANYAN_OK)
        fail_msg("%s", err.message);
    for (int i = 0; i < BB_PLAYERS; ++i)
        if (s.player[i].number)
            bb_to_list(&s, i, BB_RESERVES);
    s.current = BB_HOME;
    s.kick_first = s.kick_drive = BB_AWAY;
    s.order = BB_HOME;
    s.round = s.team[BB_HOME].turn = 1;
    bb_state_resume(&s, 1, all);
    return s;
}

static inline int stand(struct bb_state *s, int team, int number, int x, int y)
{
    int player = bb_first(team) + number - 1;
    bb_to_pitch(s, player, bb_square(x, y));
    return player;
}

static inline void give_ball(struct bb_state *s, int player)
{
    s->ball_out = s->ball_carried = s->ball_on_ground = 1;
    s->ball = s->player[player].square;
}

static const struct banyan_die no_dice[1];

/* Plays an action with these dice; all must be used. */
static inline void play(struct bb_state *s, int type, int player, int square,
                        const struct banyan_die *list, int count)
{
    struct banyan_dice dice;
    struct bb_action action = {
        .type = (uint8_t)type, .player = (uint8_t)player, .square = (uint16_t)square};
    banyan_dice_recorded(&dice, list, count);
    bb_apply(s, &action, &dice);
    if (dice.failed || dice.next != count)
        fail_msg("%d of %d dice used; %s", dice.next, count, dice.message);
}

#define DIE(kind, sides, value)     \
    {                               \
        BB_DIE_##kind, sides, value \
    }
#define PLAY(s, type, player, square, ...)                                              \
    do {                                                                                \
        const struct banyan_die list[] = {__VA_ARGS__};                                 \
        play(s, BB_DO_##type, player, square, list, (int)(sizeof list / sizeof *list)); \
    } while (0)
#define CHOOSE(s, type, player, square) play(s, BB_DO_##type, player, square, no_dice, 0)

#endif
