/* One step of movement: going for it, dodging, arriving; leaping, standing up, picking up
 * (docs/games/bloodbowl-rules.md, "Movement"). */
#include "games/bloodbowl/rules.h"

enum { MOVE_GFI = BB_A, MOVE_DODGE = BB_B, MOVE_HELD = BB_C }; /* bits of a Move frame */

/* --- modifiers --- */

int bb_dodge_modifier(const struct bb_state *s, int player, int square)
{
    bool stunty = bb_skilled(s, player, BB_SKILL_STUNTY);
    bool titchy = bb_skilled(s, player, BB_SKILL_TITCHY);
    int modifier = 1 + titchy + bb_skilled(s, player, BB_SKILL_TWO_HEADS);
    unsigned tails = bb_opponents_with(s, player, BB_SKILL_PREHENSILE_TAIL,
                                       !bb_quirk(s, BB_QUIRK_PRONE_PRESENCE));
    for (; tails; tails &= tails - 1)
        --modifier;
    return stunty || titchy ? modifier : modifier - bb_zones(s, player, square);
}

int bb_pickup_modifier(const struct bb_state *s, int player, int square)
{
    int modifier = 1 + bb_skilled(s, player, BB_SKILL_EXTRA_ARMS);
    if (bb_skilled(s, player, BB_SKILL_BIG_HAND))
        return modifier;
    return modifier - bb_zones(s, player, square) - (s->weather == BB_POURING_RAIN);
}

/* Timmm-ber!: the number of standing adjacent team-mates whom no opponent marks. */
int bb_stand_up_modifier(const struct bb_state *s, int player)
{
    int square = s->player[player].square, n = 0;
    if (!bb_skilled(s, player, BB_SKILL_TIMMMBER))
        return 0;
    unsigned around = bb_around(s, square, bb_team_of(player));
    for (int i = 0; i < 8; ++i) {
        int mate = bb_at(s, square + bb_direction(s, i));
        n += (around >> i & 1) && bb_is(s, mate, BB_UP) &&
             bb_zones(s, mate, s->player[mate].square) == 0;
    }
    return n;
}

/* --- arriving --- */

bool bb_arrive(struct bb_play *p, int player)
{
    struct bb_state *s = p->s;
    if (bb_ball_lies_at(s, s->player[player].square) && !s->ball_carried) {
        if (bb_skilled(s, player, BB_SKILL_NO_HANDS))
            bb_run_bounce(p, BB_NONE, 0);
        else
            bb_run_for(p, BB_PICKUP, player);
        return false;
    }
    if (!bb_scores(s, player))
        return false;
    bb_run_for(p, BB_TOUCHDOWN, player);
    return true;
}

/* The opponents who may shadow a player about to leave the square, as a set of directions. */
static unsigned move_shadowers(const struct bb_state *s, int player)
{
    return bb_opponents_with(s, player, BB_SKILL_SHADOWING, true);
}

static void move_run_shadowing(struct bb_play *p, int player, int from, unsigned shadowers)
{
    if (!shadowers)
        return;
    struct bb_frame *f = bb_run_for(p, BB_SHADOWING, player);
    f->from = (uint16_t)from;
    f->around = (uint8_t)shadowers;
}

/* The player with Diving Tackle falls on the square that the dodger left. */
static void move_dive(struct bb_play *p, int tackler, int square)
{
    bb_move_player(p->s, tackler, square);
    if (!bb_quirk(p->s, BB_QUIRK_DIVING_TACKLE)) /* in botbowl the turnover removes the tackler's
                                                  * KnockDown frame, so the tackler stands */
        bb_prone(p->s, tackler);
    bb_run_knock_down(p, tackler, BB_NONE, BB_KNOCK_NO_ARMOR | BB_KNOCK_NO_INJURY);
}

/* A failed step: the player falls on the target square, or on the square where they stood. */
static bool move_fall(struct bb_play *p, int player, int square, int tackler)
{
    struct bb_state *s = p->s;
    int from = s->player[player].square;
    unsigned shadowers = move_shadowers(s, player);
    if (from != square)
        bb_move_player(s, player, square);
    move_run_shadowing(p, player, from, shadowers);
    bb_run_knock_down(p, player, BB_NONE, BB_KNOCK_TURNOVER);
    if (tackler != BB_NONE)
        move_dive(p, tackler, from);
    return true;
}

/* --- Move --- */

void bb_move_start(struct bb_play *p, struct bb_frame *f)
{
    const struct bb_state *s = p->s;
    unsigned with = bb_opponents_with(s, f->player, BB_SKILL_TENTACLES, true);
    int square = s->player[f->player].square;
    for (int i = 0; i < 8; ++i)
        if (with >> i & 1 && bb_has_zone(s, bb_at(s, square + bb_direction(s, i))))
            f->around |= (uint8_t)(1u << i);
}

static void move_run_tentacles(struct bb_play *p, struct bb_frame *f)
{
    int i = 0;
    while (!(f->around >> i & 1))
        ++i;
    f->around &= (uint8_t) ~(1u << i);
    int holder = bb_at(p->s, p->s->player[f->player].square + bb_direction(p->s, i));
    bb_run_for(p, BB_TENTACLES, f->player)->other = (uint8_t)holder;
}

static void move_run_tests(struct bb_play *p, struct bb_frame *f)
{
    if (f->bits & MOVE_GFI)
        bb_run_for(p, BB_GFI, f->player)->square = f->square;
    if (f->bits & MOVE_DODGE)
        bb_run_for(p, BB_DODGE, f->player)->square = f->square;
    f->bits &= (uint16_t) ~(MOVE_GFI | MOVE_DODGE);
}

bool bb_move_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    if (f->bits & MOVE_HELD) {
        if (!bb_quirk(s, BB_QUIRK_TENTACLES))
            bb_run_for(p, BB_END_PLAYER_TURN, f->player);
        return true;
    }
    if (f->around) {
        move_run_tentacles(p, f);
        return false;
    }
    if (f->bits & (MOVE_GFI | MOVE_DODGE)) {
        move_run_tests(p, f);
        return false;
    }
    int from = s->player[f->player].square;
    unsigned shadowers = move_shadowers(s, f->player);
    if (bb_at(s, f->square) == BB_NONE)
        bb_move_player(s, f->player, f->square);
    if (f->other != BB_NONE) /* an opponent used Diving Tackle in the Dodge frame of this move */
        bb_move_player(s, f->other, from);
    if (bb_scores(s, f->player))
        shadowers = 0;
    move_run_shadowing(p, f->player, from, shadowers);
    bb_arrive(p, f->player);
    if (f->other != BB_NONE)
        bb_run_knock_down(p, f->other, BB_NONE, BB_KNOCK_NO_ARMOR | BB_KNOCK_NO_INJURY);
    return true;
}

bool bb_gfi_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    const struct bb_state *s = p->s;
    int modifier = s->weather != BB_BLIZZARD ? 0 : bb_quirk(s, BB_QUIRK_BLIZZARD_GFI) ? 1 : -1;
    (void)a;
    enum bb_result result = bb_test(p, f, BB_DIE_GFI, f->player, 2, modifier);
    if (result != BB_FAILURE)
        return result == BB_SUCCESS;
    return move_fall(p, f->player, f->square, BB_NONE);
}

bool bb_tentacles_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    const struct bb_state *s = p->s;
    (void)a;
    if (!(f->bits & BB_ROLLED) || bb_rerolling(f)) {
        int sum = bb_d6(p, BB_DIE_TENTACLES);
        sum += bb_d6(p, BB_DIE_TENTACLES);
        int gap = s->player[f->player].st - s->player[f->other].st;
        int needed = bb_quirk(s, BB_QUIRK_TENTACLES) ? 5 : 6;
        if (sum != 2 && (sum == 12 || sum + gap >= needed))
            return true;
        if (bb_ask_reroll(p, f, f->player) == BB_PENDING)
            return false;
    }
    bb_below(f)->bits |= MOVE_HELD;
    return true;
}

/* --- dodging --- */

/* DODGE_BREAK: Break Tackle was offered.  DODGE_DIVE: Diving Tackle was offered after the roll,
 * which is stored in `number`. */
enum { DODGE_BREAK = BB_A, DODGE_DIVE = BB_B };

void bb_dodge_start(struct bb_play *p, struct bb_frame *f)
{
    f->around = (uint8_t)bb_opponents_with(p->s, f->player, BB_SKILL_DIVING_TACKLE, true);
    f->from = p->s->player[f->player].square;
}

static int dodge_tackler(const struct bb_state *s, const struct bb_frame *f)
{
    int i = 0;
    while (!(f->around >> i & 1))
        ++i;
    return bb_at(s, f->from + bb_direction(s, i));
}

/* Whether an opponent may use Diving Tackle now: in botbowl before the roll, by the rules after a
 * successful roll (deviation 23). */
static bool dodge_dives(const struct bb_state *s, const struct bb_frame *f)
{
    return f->around && (f->bits & DODGE_DIVE || bb_quirk(s, BB_QUIRK_DIVING_TACKLE));
}

int bb_dodge_asks(const struct bb_state *s, const struct bb_frame *f)
{
    int team = bb_team_of(f->player);
    return dodge_dives(s, f) ? bb_opponent(team) : f->bits & DODGE_BREAK ? team : BB_NOBODY;
}

void bb_dodge_choices(const struct bb_state *s, const struct bb_frame *f, struct bb_choices *out)
{
    int team = bb_team_of(f->player);
    if (dodge_dives(s, f))
        bb_offer_skill(out, BB_SKILL_DIVING_TACKLE, bb_opponent(team), dodge_tackler(s, f));
    else
        bb_offer_skill(out, BB_SKILL_BREAK_TACKLE, team, f->player);
}

static bool dodge_done(struct bb_frame *f)
{
    bb_below(f)->other = f->other;
    return true;
}

static bool dodge_failed(struct bb_play *p, struct bb_frame *f)
{
    if (bb_ask_reroll(p, f, f->player) == BB_PENDING)
        return false;
    return move_fall(p, f->player, f->square, f->other);
}

static int dodge_modifier(const struct bb_state *s, const struct bb_frame *f)
{
    return bb_dodge_modifier(s, f->player, f->square) - (f->other != BB_NONE ? 2 : 0);
}

static bool dodge_may_break(const struct bb_state *s, const struct bb_frame *f)
{
    const struct bb_player *who = &s->player[f->player];
    return bb_can_use(s, f->player, BB_SKILL_BREAK_TACKLE, BB_USED_BREAK_TACKLE) &&
           who->st > who->ag;
}

/* Judges a roll that both coaches can see: Diving Tackle might turn it into a failure, Break Tackle
 * into a success. */
static bool dodge_judge(struct bb_play *p, struct bb_frame *f, int roll)
{
    const struct bb_player *who = &p->s->player[f->player];
    int modifier = dodge_modifier(p->s, f), ag = bb_agility(who->ag);
    if (roll >= bb_clamp(ag - modifier)) {
        if (!f->around || f->other != BB_NONE || roll >= bb_clamp(ag - modifier + 2))
            return dodge_done(f);
        f->bits |= DODGE_DIVE;
        f->number = (int8_t)roll;
        return false;
    }
    if (!dodge_may_break(p->s, f) || roll + modifier < bb_agility(who->st))
        return dodge_failed(p, f);
    f->bits |= DODGE_BREAK;
    return false;
}

static bool dodge_roll(struct bb_play *p, struct bb_frame *f)
{
    struct bb_state *s = p->s;
    if (f->around || dodge_may_break(s, f))
        return dodge_judge(p, f, bb_d6(p, BB_DIE_DODGE));
    int target = bb_clamp(bb_agility(s->player[f->player].ag) - dodge_modifier(s, f));
    return banyan_dice_test(p->dice, BB_DIE_DODGE, 6, target) ? dodge_done(f) : dodge_failed(p, f);
}

static bool dodge_dive(struct bb_play *p, struct bb_frame *f, bool dives)
{
    if (dives)
        f->other = (uint8_t)dodge_tackler(p->s, f);
    f->around = dives ? 0 : (uint8_t)(f->around & (f->around - 1));
    if (!(f->bits & DODGE_DIVE) || f->around)
        return false;
    f->bits &= (uint16_t)~DODGE_DIVE;
    return dodge_judge(p, f, f->number);
}

bool bb_dodge_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    if (dodge_dives(s, f))
        return dodge_dive(p, f, a->type == BB_DO_USE_SKILL);
    if (f->bits & DODGE_BREAK) {
        f->bits &= (uint16_t)~DODGE_BREAK;
        if (a->type != BB_DO_USE_SKILL)
            return dodge_failed(p, f);
        s->player[f->player].used |= BB_USED_BREAK_TACKLE;
        return dodge_done(f);
    }
    if (f->bits & BB_ROLLED && !bb_rerolling(f))
        return move_fall(p, f->player, f->square, f->other);
    return dodge_roll(p, f);
}

/* --- shadowing: docs/games/bloodbowl-rules.md, "Skills" --- */

/* The opponent in this direction who may shadow.  A player who has just used Diving Tackle lies on
 * the square that was left. */
static int shadowing_from(const struct bb_state *s, const struct bb_frame *f, int direction)
{
    int there = bb_at(s, f->from + bb_direction(s, direction));
    return there != BB_NONE ? there : bb_at(s, f->from);
}

static int shadowing_next(const struct bb_state *s, const struct bb_frame *f)
{
    int i = 0;
    while (!(f->around >> i & 1))
        ++i;
    return shadowing_from(s, f, i);
}

void bb_shadowing_start(struct bb_play *p, struct bb_frame *f)
{
    const struct bb_state *s = p->s;
    for (int i = 0; i < 8; ++i) {
        int there = shadowing_from(s, f, i);
        if (there == BB_NONE || !bb_has_zone(s, there) || bb_is(s, there, BB_ROOTED))
            f->around &= (uint8_t) ~(1u << i);
    }
}

int bb_shadowing_asks(const struct bb_state *s, const struct bb_frame *f)
{
    (void)s;
    bool waits = f->around && !(f->bits & BB_ROLLED);
    return waits ? bb_opponent(bb_team_of(f->player)) : BB_NOBODY;
}

void bb_shadowing_choices(const struct bb_state *s, const struct bb_frame *f,
                          struct bb_choices *out)
{
    bb_offer_skill(out, BB_SKILL_SHADOWING, bb_opponent(bb_team_of(f->player)),
                   shadowing_next(s, f));
}

bool bb_shadowing_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    if (!f->around)
        return true;
    if (a->type == BB_DO_DONT_USE_SKILL) {
        f->around &= (uint8_t)(f->around - 1);
        return f->around == 0;
    }
    if (f->bits & BB_ROLLED && !bb_rerolling(f))
        return true;
    int shadower = shadowing_next(s, f);
    int sum = bb_d6(p, BB_DIE_SHADOWING);
    sum += bb_d6(p, BB_DIE_SHADOWING);
    int gap = bb_ma(s, f->player) - bb_ma(s, shadower);
    if (sum != 2 && sum + gap <= 7) {
        if (bb_at(s, f->from) == BB_NONE)
            bb_move_player(s, shadower, f->from);
        return true;
    }
    return bb_ask_reroll(p, f, shadower) == BB_FAILURE;
}

/* --- leaping --- */

void bb_leap_start(struct bb_play *p, struct bb_frame *f)
{
    p->s->player[f->player].used |= BB_USED_LEAP;
}

bool bb_leap_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    enum bb_result result =
        bb_test(p, f, BB_DIE_LEAP, f->player, bb_agility(s->player[f->player].ag),
                bb_skilled(s, f->player, BB_SKILL_VERY_LONG_LEGS));
    if (result == BB_PENDING)
        return false;
    bb_move_player(s, f->player, f->square);
    if (result == BB_SUCCESS)
        bb_arrive(p, f->player);
    else
        bb_run_knock_down(p, f->player, BB_NONE, BB_KNOCK_TURNOVER);
    return true;
}

/* --- getting up, picking up --- */

/* phase 1: the player's MA is below 3, so standing up needs a roll of 4 or more. */
bool bb_stand_up_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    enum bb_result result = BB_SUCCESS;
    (void)a;
    if (f->phase)
        result = bb_test(p, f, BB_DIE_STAND_UP, f->player, 4, bb_stand_up_modifier(s, f->player));
    if (result == BB_SUCCESS) {
        bb_set(s, f->player, BB_UP);
    } else if (result == BB_FAILURE) {
        bb_prone(s, f->player);
        bb_run_for(p, BB_END_PLAYER_TURN, f->player);
    }
    return result != BB_PENDING;
}

bool bb_jump_up_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    enum bb_result result =
        bb_test(p, f, BB_DIE_JUMP_UP, f->player, bb_agility(s->player[f->player].ag), 2);
    if (result == BB_SUCCESS)
        bb_set(s, f->player, BB_UP);
    else if (result == BB_FAILURE)
        bb_run_for(p, BB_END_PLAYER_TURN, f->player);
    return result != BB_PENDING;
}

bool bb_pickup_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    enum bb_result result =
        bb_test(p, f, BB_DIE_PICKUP, f->player, bb_agility(s->player[f->player].ag),
                bb_pickup_modifier(s, f->player, s->ball));
    if (result == BB_SUCCESS) {
        s->ball_carried = 1;
        if (bb_scores(s, f->player))
            bb_run_for(p, BB_TOUCHDOWN, f->player);
    } else if (result == BB_FAILURE) {
        bb_run_bounce(p, BB_NONE, 0);
        bb_run(p, BB_TURNOVER);
    }
    return result != BB_PENDING;
}
