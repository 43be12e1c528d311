/* The script's answers to all decisions other than the choice of a plan: dice, pushes, rerolls,
 * skills. */
#include "games/bloodbowl/players/bot_step.h"
#include "games/bloodbowl/rules.h"

static struct bb_action answer_bare(int type)
{
    return (struct bb_action){.type = (uint8_t)type, .player = BB_NONE, .square = BB_NOWHERE};
}

/* Option number n of a choice. */
static struct bb_action answer_option(const struct bb_choices *list, const struct bb_choice *choice,
                                      int n)
{
    struct bb_action a = answer_bare(choice->type);
    if (choice->count == 0)
        return a;
    const struct bb_option *option = &list->option[choice->first + n];
    a.player = option->player;
    a.square = option->square;
    a.length = option->steps;
    a.path = option->path;
    return a;
}

static bool answer_has(const struct bb_choices *list, int type)
{
    for (int i = 0; i < list->count; ++i)
        if (list->choice[i].type == type && !list->choice[i].disabled)
            return true;
    return false;
}

/* The first option of the choice of this type; if no choice has this type, the first option of the
 * first choice. */
static struct bb_action answer_typed(const struct bb_choices *list, int type)
{
    for (int i = 0; i < list->count; ++i)
        if (list->choice[i].type == type && !list->choice[i].disabled)
            return answer_option(list, &list->choice[i], 0);
    return answer_option(list, &list->choice[0], 0);
}

/* --- block dice --- */

/* The face of the best of the rolled dice (for the defender's coach: the worst); 0: no dice. */
static int answer_best_die(const struct bb_state *s, const struct bb_frame *block, bool attackers)
{
    int best = -1, best_face = 0;
    for (int i = 0; i < bb_dice_count(block); ++i) {
        int face = bb_lying(block, i), value = bot_face(s, block->player, block->other, face);
        if (best < 0 || (attackers ? value > best : value < best)) {
            best = value;
            best_face = face;
        }
    }
    return best_face;
}

static struct bb_action answer_block(const struct bb_state *s, const struct bb_frame *f,
                                     const struct bb_choices *list)
{
    bool dice = list->choice[0].type >= BB_DO_SELECT_ATTACKER_DOWN &&
                list->choice[0].type <= BB_DO_SELECT_DEFENDER_DOWN;
    if (dice)
        return answer_bare(BB_DO_SELECT_ATTACKER_DOWN - 1 +
                           answer_best_die(s, f, list->choice[0].team == bb_team_of(f->player)));
    bool yes = list->choice[0].skill == BB_SKILL_JUGGERNAUT ||
               (list->choice[0].skill == BB_SKILL_WRESTLE &&
                (bb_carries(s, f->other) || !bb_skilled(s, f->player, BB_SKILL_BLOCK)));
    return answer_typed(list, yes ? BB_DO_USE_SKILL : BB_DO_DONT_USE_SKILL);
}

/* --- rerolls --- */

/* Whether the result without a reroll is bad enough to use one. */
static bool answer_wants_reroll(const struct bot_points *points, const struct bb_state *s,
                                const struct bb_frame *rolled)
{
    bool mine = rolled->procedure == BB_BLOCK && rolled->team == bb_team_of(rolled->player);
    if (rolled->procedure != BB_BLOCK)
        return rolled->procedure != BB_FOUL_APPEARANCE && rolled->procedure != BB_TENTACLES &&
               rolled->procedure != BB_SHADOWING;
    int face = answer_best_die(s, rolled, mine);
    return (float)bot_face(s, rolled->player, rolled->other, face) <
           (bb_carries(s, rolled->other) ? points->reroll_carrier : points->reroll_block);
}

static struct bb_action answer_reroll(const struct bot_points *points, const struct bb_state *s,
                                      const struct bb_frame *f, const struct bb_choices *list)
{
    const struct bb_frame *rolled = f - 1;
    if (answer_has(list, BB_DO_USE_SKILL))
        return answer_typed(list, answer_wants_reroll(points, s, rolled) ? BB_DO_USE_SKILL
                                                                         : BB_DO_DONT_USE_SKILL);
    if (answer_wants_reroll(points, s, rolled))
        return answer_bare(BB_DO_USE_REROLL);
    if (answer_has(list, BB_DO_DONT_USE_REROLL))
        return answer_bare(BB_DO_DONT_USE_REROLL);
    return answer_bare(BB_DO_SELECT_ATTACKER_DOWN - 1 + answer_best_die(s, rolled, true));
}

/* --- pushes --- */

/* How good it is for the coach of `team` when `pushed` is moved to the square. */
static int answer_push_points(const struct bb_state *s, int team, int pushed, int square)
{
    int foe = bb_team_of(pushed) != team, points = 0;
    if (bb_out(s, square))
        return foe ? 1000 : -1000;
    const struct bb_variant *v = bb_variant(s);
    int y = bb_y(square), edge = y == 1 || y == v->height - 2;
    int there = bb_at(s, square);
    points += foe ? 3 * edge : -3 * edge;
    points += foe ? bot_far(s, bb_team_of(pushed), square) : -bot_far(s, team, square);
    if (bb_carries(s, pushed))
        return bot_far(s, bb_team_of(pushed), square) == 0 ? (foe ? -500 : 500) : points * 3;
    if (s->ball_out && !s->ball_carried && square == s->ball)
        points -= 4;
    else if (s->ball_out)
        points += (foe ? 1 : -1) * bb_distance(square, s->ball);
    if (there != BB_NONE) /* another player stands there and is pushed, too: better an opponent
                           * than a team-mate */
        points += bb_team_of(there) == team ? -4 : 2;
    return points;
}

static struct bb_action answer_push(const struct bb_state *s, const struct bb_frame *f,
                                    const struct bb_choices *list)
{
    if (list->choice[0].type != BB_DO_PUSH)
        return answer_typed(list, BB_DO_USE_SKILL); /* Stand Firm */
    int best = 0, best_points = 0, team = list->choice[0].team;
    for (int i = 0; i < list->choice[0].count; ++i) {
        int points =
            answer_push_points(s, team, f->other, list->option[list->choice[0].first + i].square);
        if (i == 0 || points > best_points) {
            best = i;
            best_points = points;
        }
    }
    return answer_option(list, &list->choice[0], best);
}

/* A blocker follows up; with the ball only into the end zone, or forwards to a free square. */
static struct bb_action answer_follow_up(const struct bb_state *s, const struct bb_frame *f)
{
    struct bb_action a = answer_bare(BB_DO_FOLLOW_UP);
    int from = s->player[f->player].square, team = bb_team_of(f->player);
    bool free = bb_zones(s, f->player, f->square) == 0;
    bool follow = !bb_carries(s, f->player) || bb_end_zone(s, f->square, team) ||
                  (free && bot_far(s, team, f->square) < bot_far(s, team, from));
    a.square = (uint16_t)(follow ? f->square : from);
    return a;
}

/* --- the rest --- */

static struct bb_action answer_skill(const struct bb_choices *list)
{
    bool no = list->choice[0].skill == BB_SKILL_DUMP_OFF;
    return answer_typed(list, no ? BB_DO_DONT_USE_SKILL : BB_DO_USE_SKILL);
}

static struct bb_action answer_other(const struct bb_state *s, const struct bb_choices *list)
{
    static const uint8_t wanted[] = {BB_DO_START_GAME,       BB_DO_TAILS,     BB_DO_RECEIVE,
                                     BB_DO_USE_APOTHECARY,   BB_DO_USE_BRIBE, BB_DO_START_BLOCK,
                                     BB_DO_SELECT_FIRST_ROLL};
    for (size_t i = 0; i < sizeof wanted; ++i)
        if (answer_has(list, wanted[i]))
            return answer_typed(list, wanted[i]);
    if (answer_has(list, BB_DO_PASS)) /* by a player with Dump-Off */
        return answer_typed(list, BB_DO_DONT_USE_SKILL);
    if (answer_has(list, BB_DO_USE_SKILL) || answer_has(list, BB_DO_DONT_USE_SKILL))
        return answer_skill(list);
    if (list->choice[0].type == BB_DO_SELECT_PLAYER &&
        list->option[list->choice[0].first].player != BB_NONE)
        return bot_receiver(s, list);
    return answer_typed(list, list->choice[0].type);
}

bool bot_plans_now(const struct bb_state *s)
{
    return bb_asked(s) != BB_NOBODY && s->frame[s->depth - 1].procedure == BB_TURN;
}

struct bb_action bot_answer(const struct bot_points *points, const struct bb_state *s,
                            const struct bot_plan *plan, bool whole)
{
    const struct bb_frame *f = &s->frame[s->depth - 1];
    struct bb_choices list;
    switch (f->procedure) {
    case BB_SETUP:
        return bot_setup(s);
    case BB_PLACE_BALL:
        return bot_kick(s);
    case BB_MOVE_ACTION:
    case BB_BLITZ_ACTION:
    case BB_PASS_ACTION:
    case BB_HANDOFF_ACTION:
    case BB_FOUL_ACTION:
    case BB_BLOCK_ACTION:
        if (f->procedure == BB_PASS_ACTION && (f->bits & BB_ACTION_DUMP_OFF || f->other != BB_NONE))
            break; /* no Dump-Off; but a team-mate who was picked up must be thrown */
        return bot_activation(points, s, plan, whole);
    case BB_FOLLOW_UP:
        return answer_follow_up(s, f);
    default:
        break;
    }
    bb_list(s, &list, false);
    switch (f->procedure) {
    case BB_BLOCK:
        return answer_block(s, f, &list);
    case BB_REROLL:
        return answer_reroll(points, s, f, &list);
    case BB_PUSH:
        return answer_push(s, f, &list);
    default:
        return answer_other(s, &list);
    }
}
