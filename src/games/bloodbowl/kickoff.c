/* The kick-off and its table (docs/games/bloodbowl-rules.md, "Kick-off"). */
#include "games/bloodbowl/rules.h"

static int kickoff_receiver(const struct bb_state *s)
{
    return bb_opponent(s->kick_drive);
}

bool bb_kickoff_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    (void)f, (void)a;
    p->s->gust = 0;
    bb_run(p, BB_PLACE_BALL);
    bb_run(p, BB_SCATTER)->bits = BB_BALL_KICK;
    bb_run(p, BB_KICKOFF_TABLE);
    bb_run(p, BB_LAND_KICK);
    return true;
}

int bb_place_ball_asks(const struct bb_state *s, const struct bb_frame *f)
{
    (void)f;
    return s->kick_drive;
}

void bb_place_ball_choices(const struct bb_state *s, const struct bb_frame *f,
                           struct bb_choices *out)
{
    uint16_t squares[BB_SQUARES];
    int n = bb_half_squares(s, kickoff_receiver(s), squares);
    (void)f;
    bb_offer(out, BB_DO_PLACE_BALL, s->kick_drive);
    bb_offer_squares(out, squares, n);
}

bool bb_place_ball_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)f;
    s->ball_out = 1;
    s->ball_carried = s->ball_on_ground = 0;
    s->ball = a->square;
    return true;
}

/* --- the table --- */

static void kickoff_riot(struct bb_play *p)
{
    struct bb_state *s = p->s;
    int turn = s->team[kickoff_receiver(s)].turn, effect;
    if (turn == 7)
        effect = -1;
    else if (turn == 0)
        effect = 1;
    else
        effect = banyan_dice_test(p->dice, BB_DIE_RIOT, 6, 4) ? -1 : 1;
    for (int team = BB_HOME; team <= BB_AWAY; ++team)
        if (effect > 0 || s->team[team].turn > 0)
            s->team[team].turn = (uint8_t)(s->team[team].turn + effect);
    if (!bb_quirk(s, BB_QUIRK_RIOT)) /* by the rules a riot changes the number of turns of this
                                      * half */
        s->round = (uint8_t)(s->round + effect < 0 ? 0 : s->round + effect);
}

/* Cheering Fans and Brilliant Coaching: the team with the higher roll gets a reroll; at a tie both
 * do. */
static void kickoff_rerolls(struct bb_play *p, enum bb_die die)
{
    struct bb_state *s = p->s;
    int result[2];
    for (int side = BB_HOME; side <= BB_AWAY; ++side) {
        int t = bb_side(s, side);
        const struct bb_team *team = &s->team[t];
        result[t] = banyan_dice_roll(p->dice, (int)die, 3) + team->fame +
                    (die == BB_DIE_FANS_CHEER ? team->cheerleaders : team->coaches);
    }
    for (int t = BB_HOME; t <= BB_AWAY; ++t)
        if (result[t] >= result[bb_opponent(t)])
            ++s->team[t].rerolls;
}

static int kickoff_victim(struct bb_play *p, int team)
{
    uint8_t players[BB_TEAM_MAX];
    int n = 0;
    for (int i = bb_first(team); i < bb_end(p->s, team); ++i)
        if (bb_on_pitch(p->s, i))
            players[n++] = (uint8_t)i;
    return n ? players[banyan_dice_pick(p->dice, BB_DIE_ROCK, n)] : BB_NONE;
}

/* Throw a Rock: home's victim is drawn first, but away's victim is knocked down first. */
static void kickoff_rock(struct bb_play *p)
{
    struct bb_state *s = p->s;
    int team[2] = {bb_side(s, BB_HOME), bb_side(s, BB_AWAY)};
    int result[2], victim[2] = {BB_NONE, BB_NONE};
    for (int i = 0; i < 2; ++i)
        result[i] = banyan_dice_roll(p->dice, BB_DIE_ROCK, 3) + s->team[team[i]].fame;
    for (int i = 0; i < 2; ++i)
        if (result[i] <= result[!i])
            victim[i] = kickoff_victim(p, team[i]);
    for (int i = 1; i >= 0; --i)
        if (victim[i] != BB_NONE)
            bb_run_knock_down(p, victim[i], BB_NONE, BB_KNOCK_NO_ARMOR);
}

static void kickoff_invade(struct bb_play *p, int player)
{
    struct bb_state *s = p->s;
    int fame = s->team[bb_opponent(bb_team_of(player))].fame;
    /* needs 6 or more after adding the opponent's fame; a natural 1 always fails */
    if (!banyan_dice_test(p->dice, BB_DIE_INVASION, 6, bb_clamp(6 - fame)))
        return;
    if (bb_skilled(s, player, BB_SKILL_BALL_AND_CHAIN)) {
        bb_run_for(p, BB_KNOCK_OUT, player);
        return;
    }
    bb_prone(s, player);
    bb_set(s, player, BB_STUNNED);
}

/* The player of the team on the pitch with the lowest shirt number above `number`. */
static int kickoff_next(const struct bb_state *s, int team, int number)
{
    int next = BB_NONE;
    for (int i = bb_first(team); i < bb_end(s, team); ++i)
        if (bb_on_pitch(s, i) && s->player[i].number > number &&
            (next == BB_NONE || s->player[i].number < s->player[next].number))
            next = i;
    return next;
}

static void kickoff_invasion(struct bb_play *p)
{
    for (int side = BB_HOME; side <= BB_AWAY; ++side) {
        int team = bb_side(p->s, side), player = kickoff_next(p->s, team, 0);
        for (; player != BB_NONE; player = kickoff_next(p->s, team, p->s->player[player].number))
            kickoff_invade(p, player);
    }
}

static void kickoff_turn(struct bb_play *p, int team, bool blitz)
{
    struct bb_frame *turn = bb_run_team(p, BB_TURN, team);
    turn->bits =
        blitz ? BB_TURN_IS_BLITZ | BB_TURN_BLITZ | BB_TURN_PASS | BB_TURN_HANDOFF | BB_TURN_FOUL
              : BB_TURN_IS_QUICK_SNAP;
}

bool bb_kickoff_table_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)f, (void)a;
    int result = bb_d6(p, BB_DIE_KICKOFF);
    result += bb_d6(p, BB_DIE_KICKOFF);
    switch (result) {
    case 2: /* Get the Ref */
        ++s->team[BB_HOME].bribes;
        ++s->team[BB_AWAY].bribes;
        break;
    case 3:
        kickoff_riot(p);
        break;
    case 4: /* Perfect Defence */
        bb_run_team(p, BB_SETUP, s->kick_drive)->phase = 1;
        break;
    case 5:
        bb_run(p, BB_HIGH_KICK);
        break;
    case 6:
        kickoff_rerolls(p, BB_DIE_FANS_CHEER);
        break;
    case 7: /* Changing Weather */
        bb_run(p, BB_WEATHER)->phase = 1;
        break;
    case 8:
        kickoff_rerolls(p, BB_DIE_COACHING);
        break;
    case 9: /* Quick Snap */
        kickoff_turn(p, kickoff_receiver(s), false);
        break;
    case 10:
        kickoff_turn(p, s->kick_drive, true);
        break;
    case 11:
        kickoff_rock(p);
        break;
    default: /* 12, Pitch Invasion */
        kickoff_invasion(p);
    }
    return true;
}

/* --- High Kick --- */

static bool kickoff_may_catch(const struct bb_state *s, int player)
{
    return bb_on_pitch(s, player) && bb_is(s, player, BB_UP) &&
           bb_zones(s, player, s->player[player].square) == 0;
}

int bb_high_kick_asks(const struct bb_state *s, const struct bb_frame *f)
{
    int team = kickoff_receiver(s);
    (void)f;
    if (!bb_own_half(s, s->ball, team) || bb_at(s, s->ball) != BB_NONE)
        return BB_NOBODY;
    for (int i = bb_first(team); i < bb_end(s, team); ++i)
        if (kickoff_may_catch(s, i))
            return team;
    return BB_NOBODY;
}

void bb_high_kick_choices(const struct bb_state *s, const struct bb_frame *f,
                          struct bb_choices *out)
{
    int team = kickoff_receiver(s);
    (void)f;
    bb_offer(out, BB_DO_SELECT_PLAYER, team);
    for (int i = bb_first(team); i < bb_end(s, team); ++i)
        if (kickoff_may_catch(s, i))
            bb_offer_player(out, i);
    bb_offer(out, BB_DO_SELECT_NONE, team);
}

bool bb_high_kick_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    (void)f;
    if (a->type == BB_DO_SELECT_PLAYER)
        bb_move_player(p->s, a->player, p->s->ball);
    return true;
}

/* --- landing --- */

bool bb_land_kick_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)f, (void)a;
    if (!bb_own_half(s, s->ball, kickoff_receiver(s))) {
        bb_run(p, BB_TOUCHBACK);
        return true;
    }
    if (s->gust) {
        s->gust = 0;
        bb_run(p, BB_SCATTER)->bits = BB_BALL_KICK | BB_BALL_GUST;
        return false;
    }
    s->ball_on_ground = 1;
    int catcher = bb_catcher(s, s->ball);
    if (catcher == BB_NONE)
        bb_run_bounce(p, BB_NONE, BB_BALL_KICK);
    else
        bb_run_catch(p, catcher, BB_CATCH_KICK);
    return true;
}

static bool kickoff_stands(const struct bb_state *s, int player)
{
    return bb_on_pitch(s, player) && bb_is(s, player, BB_UP);
}

int bb_touchback_asks(const struct bb_state *s, const struct bb_frame *f)
{
    int team = kickoff_receiver(s);
    (void)f;
    for (int i = bb_first(team); i < bb_end(s, team); ++i)
        if (kickoff_stands(s, i))
            return team;
    return BB_NOBODY;
}

void bb_touchback_choices(const struct bb_state *s, const struct bb_frame *f,
                          struct bb_choices *out)
{
    int team = kickoff_receiver(s);
    (void)f;
    bb_offer(out, BB_DO_SELECT_PLAYER, team);
    for (int i = bb_first(team); i < bb_end(s, team); ++i)
        if (kickoff_stands(s, i))
            bb_offer_player(out, i);
}

bool bb_touchback_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    uint16_t squares[BB_SQUARES];
    (void)f;
    if (a->type == BB_DO_SELECT_PLAYER) {
        s->ball = s->player[a->player].square;
        s->ball_carried = 1;
    } else {
        int n = bb_half_squares(s, kickoff_receiver(s), squares);
        s->ball = squares[banyan_dice_pick(p->dice, BB_DIE_TOUCHBACK, n)];
        s->ball_carried = 0;
    }
    s->ball_on_ground = 1;
    return true;
}
