/* The course of a game: start, halves, touchdowns, turnovers, the end
 * (docs/games/bloodbowl-rules.md, "Course of a game"). */
#include "games/bloodbowl/rules.h"

bool bb_end_game_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    (void)f, (void)a;
    p->s->over = 1;
    return true;
}

bool bb_pregame_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    (void)f, (void)a;
    bb_run(p, BB_HALF)->number = 1;
    bb_run(p, BB_HALF)->number = 2;
    p->s->half = 1;
    p->s->team[BB_HOME].turn = p->s->team[BB_AWAY].turn = 0;
    return true;
}

void bb_start_game_choices(const struct bb_state *s, const struct bb_frame *f,
                           struct bb_choices *out)
{
    (void)f;
    bb_offer(out, BB_DO_START_GAME, bb_side(s, BB_AWAY));
}

bool bb_start_game_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    (void)f, (void)a;
    for (int team = BB_HOME; team <= BB_AWAY; ++team)
        for (int i = bb_first(team); i < bb_end(p->s, team); ++i)
            bb_to_list(p->s, i, BB_RESERVES);
    return true;
}

static int flow_2d6(struct bb_play *p, enum bb_die die)
{
    int first = bb_d6(p, die);
    return first + bb_d6(p, die);
}

/* phase 1: the kick-off table changes the weather; nice weather may then bring a gentle gust. */
bool bb_weather_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    static const uint8_t weather[13] = {[2] = BB_SWELTERING_HEAT,
                                        [3] = BB_VERY_SUNNY,
                                        [4] = BB_NICE,
                                        [5] = BB_NICE,
                                        [6] = BB_NICE,
                                        [7] = BB_NICE,
                                        [8] = BB_NICE,
                                        [9] = BB_NICE,
                                        [10] = BB_NICE,
                                        [11] = BB_POURING_RAIN,
                                        [12] = BB_BLIZZARD};
    struct bb_state *s = p->s;
    (void)a;
    int now = weather[flow_2d6(p, BB_DIE_WEATHER)];
    if (f->phase && now == BB_NICE && (s->weather == BB_NICE || !bb_quirk(s, BB_QUIRK_GUST)))
        s->gust = 1;
    s->weather = (uint8_t)now;
    return true;
}

/* docs/games/bloodbowl-rules.md, "Course of a game", step 3. */
bool bb_fans_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    int fans[2];
    (void)f, (void)a;
    for (int side = BB_HOME; side <= BB_AWAY; ++side) {
        int team = bb_side(s, side);
        fans[team] = flow_2d6(p, BB_DIE_FANS) + s->team[team].fan_factor;
    }
    s->spectators = (uint8_t)(fans[BB_HOME] + fans[BB_AWAY]);
    for (int team = BB_HOME; team <= BB_AWAY; ++team) {
        int own = fans[team], other = fans[bb_opponent(team)];
        s->team[team].fame = (uint8_t)(own >= 2 * other ? 2 : own > other);
    }
    return true;
}

void bb_coin_toss_choices(const struct bb_state *s, const struct bb_frame *f,
                          struct bb_choices *out)
{
    (void)f;
    bb_offer(out, BB_DO_HEADS, bb_side(s, BB_AWAY));
    bb_offer(out, BB_DO_TAILS, bb_side(s, BB_AWAY));
}

bool bb_coin_toss_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    (void)f, (void)a; /* the coach's call does not matter, because the coin is fair */
    p->s->toss =
        (uint8_t)bb_side(p->s, banyan_dice_chance(p->dice, BB_DIE_COIN, 1, 2) ? BB_AWAY : BB_HOME);
    bb_run(p, BB_KICK_RECEIVE);
    return true;
}

int bb_kick_receive_asks(const struct bb_state *s, const struct bb_frame *f)
{
    (void)f;
    return s->toss;
}

void bb_kick_receive_choices(const struct bb_state *s, const struct bb_frame *f,
                             struct bb_choices *out)
{
    (void)f;
    bb_offer(out, BB_DO_KICK, s->toss);
    bb_offer(out, BB_DO_RECEIVE, s->toss);
}

bool bb_kick_receive_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)f;
    int kicking = a->type == BB_DO_KICK ? s->toss : bb_opponent(s->toss);
    s->kick_first = s->kick_drive = (uint8_t)kicking;
    return true;
}

/* --- halves --- */

static void flow_start_half(struct bb_play *p, int half)
{
    struct bb_state *s = p->s;
    int kicking = half == 1 ? s->kick_first : bb_opponent(s->kick_first);
    s->half = (uint8_t)half;
    s->round = 0;
    s->kick_drive = (uint8_t)kicking;
    s->order = (uint8_t)bb_opponent(kicking);
    bb_run(p, BB_CLEAR_BOARD);
    bb_run(p, BB_RESET_HALF);
    bb_run_team(p, BB_SETUP, kicking);
    bb_run_team(p, BB_SETUP, bb_opponent(kicking));
    bb_run(p, BB_KICKOFF);
}

static void flow_run_turn(struct bb_play *p, int team, int round)
{
    struct bb_team *t = &p->s->team[team];
    if (t->forfeits) { /* the turn marker moves on, although the turn is not played */
        --t->forfeits;
        t->turn = (uint8_t)round;
        return;
    }
    struct bb_frame *turn = bb_run_team(p, BB_TURN, team);
    turn->number = (int8_t)round;
    turn->bits = BB_TURN_BLITZ | BB_TURN_PASS | BB_TURN_HANDOFF | BB_TURN_FOUL;
}

enum { HALF_BEGIN, HALF_PREPARED, HALF_PLAYING };

bool bb_half_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    if (f->phase == HALF_BEGIN && f->number == 2) {
        bb_run_team(p, BB_PRE_KICKOFF, s->kick_first); /* the team that kicked first now receives */
        bb_run_team(p, BB_PRE_KICKOFF, bb_opponent(s->kick_first));
        f->phase = HALF_PREPARED;
        return false;
    }
    if (f->phase != HALF_PLAYING) {
        f->phase = HALF_PLAYING;
        flow_start_half(p, f->number);
        return false;
    }
    if (s->round >= bb_variant(s)->turns)
        return true;
    ++s->round;
    flow_run_turn(p, s->order, s->round);
    flow_run_turn(p, bb_opponent(s->order), s->round);
    return false;
}

bool bb_reset_half_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    (void)f, (void)a;
    for (int team = BB_HOME; team <= BB_AWAY; ++team) {
        p->s->team[team].rerolls = p->s->team[team].start_rerolls;
        p->s->team[team].turn = 0;
        p->s->team[team].forfeits = 0;
    }
    return true;
}

/* Each knocked-out player who was on the list at the start rolls once. */
bool bb_pre_kickoff_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    const struct bb_team *team = &s->team[f->team];
    (void)a;
    for (int i = 0; i < team->listed[BB_KO];) {
        int player = team->list[BB_KO][i];
        if (!banyan_dice_test(p->dice, BB_DIE_KO_READY, 6, 4)) {
            ++i;
            continue;
        }
        bb_unlist(s, player, BB_KO);
        bb_to_list(s, player, BB_RESERVES);
        bb_clear(s, player, BB_KNOCKED_OUT);
        bb_set(s, player, BB_UP);
    }
    return true;
}

/* End of a drive (docs/games/bloodbowl-rules.md, "Players and the ball"): the flags knocked out and
 * ejected stay. */
static void flow_clear_player(struct bb_play *p, int player)
{
    struct bb_state *s = p->s;
    struct bb_player *who = &s->player[player];
    s->pitch[who->square] = 0;
    who->flags = (uint16_t)(BB_UP | (who->flags & (BB_KNOCKED_OUT | BB_EJECTED)));
    who->used = 0;
    who->square = BB_NOWHERE;
    bb_to_list(s, player, BB_RESERVES);
    if (s->weather == BB_SWELTERING_HEAT && !banyan_dice_test(p->dice, BB_DIE_HEAT, 6, 2))
        bb_set(s, player, BB_HEATED);
}

bool bb_clear_board_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)f, (void)a;
    s->ball_out = s->ball_carried = s->ball_on_ground = 0;
    s->ball = BB_NOWHERE;
    if (!bb_quirk(s, BB_QUIRK_HEAT)) /* a player who collapsed has missed a drive */
        for (int i = 0; i < BB_PLAYERS; ++i)
            if (!bb_on_pitch(s, i))
                bb_clear(s, i, BB_HEATED);
    for (int side = BB_HOME; side <= BB_AWAY; ++side) {
        int team = bb_side(s, side);
        for (int i = bb_first(team); i < bb_end(s, team); ++i)
            if (bb_on_pitch(s, i))
                flow_clear_player(p, i);
    }
    return true;
}

/* --- scoring and ends of turns --- */

void bb_touchdown_start(struct bb_play *p, struct bb_frame *f)
{
    if (f->player == p->s->active && bb_is(p->s, f->player, BB_BLOOD_LUSTING))
        f->phase = 1;
}

bool bb_touchdown_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    if (f->phase == 1) {
        f->phase = 2;
        bb_run_for(p, BB_EAT_THRALL, f->player);
        return false;
    }
    if (f->bits & BB_EAT_FAILED)
        return true;
    int team = bb_team_of(f->player);
    ++s->team[team].score;
    s->kick_drive = (uint8_t)team;
    bb_run(p, BB_END_TURN)->phase = 1;
    return true;
}

bool bb_turnover_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    (void)f, (void)a;
    p->s->active = BB_NONE;
    bb_run(p, BB_END_TURN);
    return true;
}

static void flow_reset_turn(struct bb_state *s, int team)
{
    s->team[team].reroll_used = 0;
    for (int i = bb_first(team); i < bb_end(s, team); ++i) {
        struct bb_player *who = &s->player[i];
        who->moves = who->used = 0;
        who->flags &= (uint16_t) ~(BB_USED | BB_HAS_BLOCKED | BB_TRAIT_FAILED);
    }
}

/* A turn of this round that has not begun; NULL: the round is over. */
static const struct bb_frame *flow_waiting_turn(const struct bb_state *s)
{
    const struct bb_frame *top = &s->frame[s->depth - 1];
    return top->procedure == BB_TURN && !(top->bits & BB_STARTED) ? top : NULL;
}

/* A team that scores in the opponent's turn does not play its own next turn. */
static void flow_forfeit(struct bb_play *p, int team)
{
    struct bb_state *s = p->s;
    const struct bb_frame *waiting = flow_waiting_turn(s);
    if (waiting && waiting->team == team) {
        s->team[team].turn = (uint8_t)waiting->number;
        s->frame[--s->depth] = (struct bb_frame){0};
        p->base = s->depth;
    } else if (s->round < bb_variant(s)->turns) {
        s->team[team].forfeits = 1;
    }
}

/* Whether turns are left for another drive.  `next`: the team whose turn would follow; botbowl
 * looks only at the turn counter of that team. */
static bool flow_another_drive(const struct bb_state *s, int next)
{
    int turns = bb_variant(s)->turns;
    return bb_quirk(s, BB_QUIRK_NEXT_DRIVE) ? s->team[next].turn < turns
                                            : flow_waiting_turn(s) || s->round < turns;
}

/* Removes the frames of this turn; phase 1: after a touchdown, so a kick-off follows if there are
 * turns left. */
bool bb_end_turn_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    bool scored = f->phase == 1;
    (void)a;
    bb_purge(p, true);
    if (s->current != BB_NOBODY)
        flow_reset_turn(s, s->current);
    int next = s->current == BB_NOBODY ? bb_side(s, BB_HOME) : bb_opponent(s->current);
    if (scored && s->current != BB_NOBODY && s->kick_drive != s->current &&
        !bb_quirk(s, BB_QUIRK_SCORING_TURN))
        flow_forfeit(p, s->kick_drive);
    if (scored && flow_another_drive(s, next)) {
        bb_run(p, BB_CLEAR_BOARD);
        bb_run_team(p, BB_PRE_KICKOFF, bb_side(s, BB_AWAY));
        bb_run_team(p, BB_PRE_KICKOFF, bb_side(s, BB_HOME));
        bb_run_team(p, BB_SETUP, s->kick_drive);
        bb_run_team(p, BB_SETUP, bb_opponent(s->kick_drive));
        bb_run(p, BB_KICKOFF);
    }
    s->current = BB_NOBODY;
    s->activation = BB_ACT_NONE;
    return true;
}

bool bb_turn_stunned_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    for (int i = bb_first(f->team); i < bb_end(s, f->team); ++i)
        if (bb_is(s, i, BB_STUNNED)) {
            bb_clear(s, i, BB_STUNNED);
            bb_set(s, i, BB_USED);
        }
    return true;
}

/* A vampire who still must feed does so first (docs/games/bloodbowl-rules.md, "Skills"). */
bool bb_end_player_turn_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    int player = f->player;
    (void)a;
    if (bb_is(s, player, BB_BLOOD_LUSTING)) {
        bb_run_for(p, BB_EAT_THRALL, player);
        return false;
    }
    bb_purge(p, false);
    bb_set(s, player, BB_USED);
    bb_clear(s, player, BB_HAS_BLOCKED);
    s->player[player].moves = 0;
    s->active = BB_NONE;
    s->activation = BB_ACT_NONE;
    return true;
}

bool bb_undo_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    (void)f, (void)a;
    p->s->active = BB_NONE;
    p->s->activation = BB_ACT_NONE;
    return true;
}
