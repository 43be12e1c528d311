/* Makes new states, and packs actions into numbers. */
#include "games/bloodbowl/rules.h"

#include <string.h>

void bb_state_clear(struct bb_state *s, int variant)
{
    memset(s, 0, sizeof *s);
    s->variant = (uint8_t)variant;
    s->quirks = BB_ALL_QUIRKS;
    s->weather = BB_NICE;
    s->half = 1;
    s->ball = s->bomb = s->path_square = BB_NOWHERE;
    s->current = s->toss = s->kick_first = s->kick_drive = s->order = BB_NOBODY;
    s->active = BB_NONE;
    for (int i = 0; i < BB_PLAYERS; ++i)
        s->player[i].square = BB_NOWHERE;
}

static void state_push(struct bb_state *s, const uint8_t *running, int count)
{
    struct bb_play play = {.s = s};
    for (int i = count; i-- > 0;)
        bb_run(&play, running[i]);
}

void bb_state_begin(struct bb_state *s)
{
    static const uint8_t running[] = {BB_START_GAME, BB_WEATHER, BB_FANS,
                                      BB_COIN_TOSS,  BB_PREGAME, BB_END_GAME};
    state_push(s, running, sizeof running);
    s->frame[s->depth - 1].bits |= BB_STARTED;
}

static struct bb_frame *state_run(struct bb_play *play, enum bb_procedure procedure, unsigned bits)
{
    struct bb_frame *f = bb_run(play, procedure);
    f->bits = (uint16_t)bits;
    return f;
}

/* The Half frame of the present half has begun.  In half 1 the Half frame of half 2, which has not
 * begun, is below it. */
void bb_state_resume(struct bb_state *s, int waiting_turns, const bool available[4])
{
    struct bb_play play = {.s = s};
    unsigned all = BB_TURN_BLITZ | BB_TURN_PASS | BB_TURN_HANDOFF | BB_TURN_FOUL, now = 0;
    memset(s->frame, 0, sizeof s->frame);
    s->depth = 0;
    state_run(&play, BB_END_GAME, 0);
    state_run(&play, BB_PREGAME, BB_STARTED | BB_DONE);
    if (s->half == 1)
        state_run(&play, BB_HALF, 0)->number = 2;
    struct bb_frame *half = state_run(&play, BB_HALF, BB_STARTED);
    half->number = (int8_t)s->half;
    half->phase = 2;
    for (int i = 0; i < waiting_turns; ++i) {
        struct bb_frame *turn = state_run(&play, BB_TURN, all);
        turn->team = (uint8_t)bb_opponent(s->current);
        turn->number = (int8_t)s->round;
    }
    for (int i = 0; i < 4; ++i)
        now |= available[i] ? (unsigned)BB_TURN_BLITZ << i : 0;
    struct bb_frame *turn = state_run(&play, BB_TURN, now | BB_STARTED);
    turn->team = s->current;
    turn->number = (int8_t)s->round;
}

void bb_state_activate(struct bb_state *s, enum bb_procedure procedure)
{
    struct bb_play play = {.s = s};
    state_run(&play, procedure, BB_STARTED)->player = s->active;
}

/* --- actions --- */

banyan_action bb_action_pack(const struct bb_action *a)
{
    banyan_action packed = a->type;
    if (a->length)
        return packed | (banyan_action)a->length << 6 | a->path << 22;
    packed |= (banyan_action)(a->player == BB_NONE ? 0 : a->player + 1) << 6;
    return packed | (banyan_action)(a->square == BB_NOWHERE ? 0 : a->square + 1) << 12;
}

static bool state_path_type(int type)
{
    return type == BB_DO_MOVE || type == BB_DO_BLOCK || type == BB_DO_STAB ||
           type == BB_DO_HANDOFF || type == BB_DO_FOUL;
}

struct bb_action bb_action_unpack(const struct bb_state *s, banyan_action packed)
{
    struct bb_action a = {.type = packed & 63, .player = BB_NONE, .square = BB_NOWHERE};
    unsigned player = packed >> 6 & 63, square = packed >> 12 & 1023;
    if (state_path_type(a.type) && square == 0) {
        a.length = (uint8_t)player;
        a.path = packed >> 22;
        int end = s->player[s->frame[s->depth - 1].player].square;
        for (int i = 0; i < a.length; ++i)
            end += bb_d8(s, a.path >> 3 * i & 7);
        a.square = (uint16_t)end;
        return a;
    }
    a.player = player ? (uint8_t)(player - 1) : BB_NONE;
    a.square = square ? (uint16_t)(square - 1) : BB_NOWHERE;
    return a;
}
