/* Blocks: assists, dice, the choice of a die and its result
 * (docs/games/bloodbowl-rules.md, "Blocking"). */
#include "games/bloodbowl/rules.h"

enum { /* bits of a Block frame; team = who chooses the die */
       BLOCK_BLITZ = BB_A,
       BLOCK_FRENZY = BB_B,
       BLOCK_GFI = BB_C,
       BLOCK_REVOLTED = BB_D, /* no block: Foul Appearance, or Frenzy was called off */
       BLOCK_DAUNTLESS = BB_E,
       BLOCK_DAUNTLESS_ROLLED = BB_F,
       BLOCK_PAID = BB_G /* the extra square of a second block has been paid */
};

enum block_phase {
    BLOCK_GO, /* GFI, Foul Appearance, Dump-Off, frenzy check */
    BLOCK_APPEARANCE,
    BLOCK_DUMP_OFF, /* asks */
    BLOCK_READY,
    BLOCK_ROLL,
    BLOCK_CHOOSE,           /* asks */
    BLOCK_JUGGERNAUT,       /* asks */
    BLOCK_WRESTLE_ATTACKER, /* asks */
    BLOCK_WRESTLE_DEFENDER  /* asks */
};

enum { BLOCK_HAS_DUMP_OFF = 1, BLOCK_HAS_APPEARANCE = 2 }; /* in f->number */

struct bb_frame *bb_run_block(struct bb_play *p, int attacker, int defender, bool blitz,
                              bool frenzy, bool gfi)
{
    struct bb_frame *f = bb_run_for(p, BB_BLOCK, attacker);
    f->other = (uint8_t)defender;
    f->bits =
        (uint16_t)((blitz ? BLOCK_BLITZ : 0) | (frenzy ? BLOCK_FRENZY : 0) | (gfi ? BLOCK_GFI : 0));
    return f;
}

/* --- strength --- */

/* Whether a fit player of the other team is next to `player`.  The player `but` and players on the
 * squares a and b do not count. */
static bool block_marked(const struct bb_state *s, int player, int but, int a, int b)
{
    int square = s->player[player].square, opponent = bb_opponent(bb_team_of(player));
    unsigned around = bb_around(s, square, opponent);
    for (int i = 0; i < 8; ++i) {
        int there = square + bb_direction(s, i);
        if (around >> i & 1 && there != a && there != b && bb_at(s, there) != but &&
            bb_fit(s, bb_at(s, there)))
            return true;
    }
    return false;
}

static int block_assists_for(const struct bb_state *s, int attacker, int defender, bool foul)
{
    int square = s->player[defender].square, n = 0;
    unsigned around = bb_around(s, square, bb_team_of(attacker));
    for (int i = 0; i < 8; ++i) {
        int mate = bb_at(s, square + bb_direction(s, i));
        if (!(around >> i & 1) || mate == attacker || !bb_is(s, mate, BB_UP))
            continue;
        bool guards = !foul && bb_skilled(s, mate, BB_SKILL_GUARD);
        if (guards && bb_quirk(s, BB_QUIRK_GUARD))
            ++n;
        else if (bb_fit(s, mate))
            n += guards || !block_marked(s, mate, defender, BB_NOWHERE, BB_NOWHERE);
    }
    return n;
}

static int block_assists_against(const struct bb_state *s, int attacker, int defender, int square,
                                 bool foul)
{
    int n = 0;
    unsigned around = bb_around(s, square, bb_team_of(defender));
    for (int i = 0; i < 8; ++i) {
        int mate = bb_at(s, square + bb_direction(s, i));
        if (!(around >> i & 1) || mate == defender || !bb_fit(s, mate))
            continue;
        n += (!foul && bb_skilled(s, mate, BB_SKILL_GUARD)) ||
             !block_marked(s, mate, BB_NONE, square, s->player[attacker].square);
    }
    return n;
}

struct bb_assists bb_assists(const struct bb_state *s, int attacker, int defender, int square,
                             bool foul)
{
    return (struct bb_assists){
        .own = block_assists_for(s, attacker, defender, foul),
        .against = block_assists_against(s, attacker, defender, square, foul),
    };
}

int bb_dice_of(int own, int against)
{
    if (own == against)
        return 1;
    if (own > against)
        return own > 2 * against ? 3 : 2;
    return 2 * own < against ? -3 : -2;
}

int bb_block_dice(const struct bb_state *s, int attacker, int defender, int square, bool blitz,
                  bool dauntless)
{
    int st = s->player[attacker].st, opponent = s->player[defender].st;
    struct bb_assists assists = bb_assists(s, attacker, defender, square, false);
    st += blitz && bb_skilled(s, attacker, BB_SKILL_HORNS);
    if (dauntless && st < opponent)
        st = opponent;
    return bb_dice_of(assists.own + st, assists.against + opponent);
}

/* --- before the dice --- */

void bb_block_start(struct bb_play *p, struct bb_frame *f)
{
    const struct bb_state *s = p->s;
    bool ball =
        bb_quirk(s, BB_QUIRK_DUMP_OFF) ? bb_under_ball(s, f->other) : bb_carries(s, f->other);
    if (ball && bb_skilled(s, f->other, BB_SKILL_DUMP_OFF) && !(f->bits & BLOCK_FRENZY))
        f->number |= BLOCK_HAS_DUMP_OFF;
    if (bb_skilled(s, f->other, BB_SKILL_FOUL_APPEARANCE))
        f->number |= BLOCK_HAS_APPEARANCE;
}

void bb_block_end(struct bb_play *p, const struct bb_frame *f)
{
    bb_set(p->s, f->player, BB_HAS_BLOCKED);
}

bool bb_foul_appearance_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    (void)a;
    enum bb_result result = bb_test(p, f, BB_DIE_FOUL_APPEARANCE, f->player, 2, 0);
    if (result == BB_FAILURE)
        bb_below(f)->bits |= BLOCK_REVOLTED;
    return result != BB_PENDING;
}

/* Whether the second block of Frenzy does not take place, because the defender no longer stands
 * next to the attacker. */
static bool block_off(const struct bb_state *s, const struct bb_frame *f)
{
    return !bb_on_pitch(s, f->other) || !bb_is(s, f->other, BB_UP) ||
           bb_out(s, s->player[f->other].square) ||
           !bb_adjacent(s->player[f->player].square, s->player[f->other].square);
}

static void block_roll(struct bb_play *p, struct bb_frame *f)
{
    struct bb_state *s = p->s;
    int dice = bb_block_dice(s, f->player, f->other, s->player[f->player].square,
                             f->bits & BLOCK_BLITZ, f->bits & BLOCK_DAUNTLESS);
    int count = dice < 0 ? -dice : dice;
    f->team = (uint8_t)bb_team_of(dice > 0 ? f->player : f->other);
    f->roll = (uint16_t)(count << 12);
    for (int i = 0; i < count; ++i) {
        int face = bb_d6(p, BB_DIE_BLOCK);
        f->roll = (uint16_t)(f->roll | (face == 6 ? 3 : face) << 3 * i);
    }
}

/* --- questions --- */

int bb_block_asks(const struct bb_state *s, const struct bb_frame *f)
{
    if (!bb_is(s, f->player, BB_UP))
        return BB_NOBODY;
    switch (f->phase) {
    case BLOCK_GO:
    case BLOCK_APPEARANCE: /* botbowl asks before these rolls, too, and ignores the answer */
        return f->number & BLOCK_HAS_DUMP_OFF && bb_quirk(s, BB_QUIRK_DUMP_OFF)
                   ? bb_team_of(f->other)
                   : BB_NOBODY;
    case BLOCK_DUMP_OFF:
    case BLOCK_WRESTLE_DEFENDER:
        return bb_team_of(f->other);
    case BLOCK_CHOOSE:
        return f->bits & BB_ROLLED || f->extra ? BB_NOBODY : f->team;
    case BLOCK_JUGGERNAUT:
    case BLOCK_WRESTLE_ATTACKER:
        return bb_team_of(f->player);
    default:
        return BB_NOBODY;
    }
}

void bb_block_choices(const struct bb_state *s, const struct bb_frame *f, struct bb_choices *out)
{
    int team = bb_block_asks(s, f);
    switch (f->phase) {
    case BLOCK_GO:
    case BLOCK_APPEARANCE:
    case BLOCK_DUMP_OFF:
        bb_offer_skill(out, BB_SKILL_DUMP_OFF, team, f->other);
        break;
    case BLOCK_JUGGERNAUT:
        bb_offer_skill(out, BB_SKILL_JUGGERNAUT, team, BB_NONE);
        break;
    case BLOCK_CHOOSE:
        bb_offer_block_dice(f, out, team, false);
        break;
    default:
        bb_offer_skill(out, BB_SKILL_WRESTLE, team, BB_NONE);
    }
}

/* --- results --- */

static bool block_push(struct bb_play *p, const struct bb_frame *f, bool knock_down)
{
    struct bb_frame *push = bb_run_for(p, BB_PUSH, f->player);
    push->other = f->other;
    push->bits = (uint16_t)((knock_down ? BB_A : 0) | (f->bits & BLOCK_BLITZ ? BB_B : 0));
    return true;
}

/* By the rules, Frenzy continues only after a push. */
static void block_call_off_frenzy(struct bb_play *p, struct bb_frame *f)
{
    struct bb_frame *second = bb_below(f);
    if (!bb_quirk(p->s, BB_QUIRK_FRENZY_BOTH_DOWN) && second->procedure == BB_BLOCK &&
        second->bits & BLOCK_FRENZY && second->player == f->player)
        second->bits |= BLOCK_REVOLTED;
}

static bool block_both_down(struct bb_play *p, struct bb_frame *f)
{
    block_call_off_frenzy(p, f);
    if (!bb_skilled(p->s, f->other, BB_SKILL_BLOCK))
        bb_run_knock_down(p, f->other, f->player, 0);
    if (!bb_skilled(p->s, f->player, BB_SKILL_BLOCK))
        bb_run_knock_down(p, f->player, f->other, BB_KNOCK_TURNOVER);
    return true;
}

/* Both players fall without injury; it is a turnover only if the attacker had the ball. */
static bool block_wrestle(struct bb_play *p, struct bb_frame *f)
{
    unsigned bits = BB_KNOCK_NO_ARMOR | BB_KNOCK_NO_INJURY;
    bb_run_knock_down(p, f->other, f->player, bits);
    bb_run_knock_down(p, f->player, f->other,
                      bits | (bb_carries(p->s, f->player) ? BB_KNOCK_TURNOVER : 0));
    return true;
}

/* Whether `player` may use Wrestle against `other`: not if only `player` has Block. */
static bool block_wrestles(const struct bb_state *s, int player, int other)
{
    return bb_skilled(s, player, BB_SKILL_WRESTLE) &&
           !(bb_skilled(s, player, BB_SKILL_BLOCK) && !bb_skilled(s, other, BB_SKILL_BLOCK));
}

static bool block_defender_wrestles(const struct bb_state *s, const struct bb_frame *f)
{
    bool juggernaut = f->bits & BLOCK_BLITZ && bb_skilled(s, f->player, BB_SKILL_JUGGERNAUT);
    return !juggernaut && block_wrestles(s, f->other, f->player);
}

static bool block_try_wrestle(struct bb_play *p, struct bb_frame *f)
{
    if (block_wrestles(p->s, f->player, f->other))
        f->phase = BLOCK_WRESTLE_ATTACKER;
    else if (block_defender_wrestles(p->s, f))
        f->phase = BLOCK_WRESTLE_DEFENDER;
    else
        return block_both_down(p, f);
    return false;
}

static bool block_result(struct bb_play *p, struct bb_frame *f, int die)
{
    const struct bb_state *s = p->s;
    switch (die) {
    case BB_DO_SELECT_ATTACKER_DOWN:
        bb_run_knock_down(p, f->player, f->other, BB_KNOCK_TURNOVER);
        return true;
    case BB_DO_SELECT_BOTH_DOWN:
        if (f->bits & BLOCK_BLITZ && bb_skilled(s, f->player, BB_SKILL_JUGGERNAUT)) {
            f->phase = BLOCK_JUGGERNAUT;
            return false;
        }
        return block_try_wrestle(p, f);
    case BB_DO_SELECT_PUSH:
        return block_push(p, f, false);
    case BB_DO_SELECT_DEFENDER_STUMBLES:
        return block_push(p, f,
                          !bb_skilled(s, f->other, BB_SKILL_DODGE) ||
                              bb_skilled(s, f->player, BB_SKILL_TACKLE));
    default:
        return block_push(p, f, true);
    }
}

/* --- the procedure --- */

static bool block_answer(struct bb_play *p, struct bb_frame *f, bool yes);

/* Makes the rolls before the block, then applies the answer if there was a question. */
static bool block_prepare(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    if (f->bits & BLOCK_REVOLTED)
        return true;
    if (f->bits & BLOCK_FRENZY && f->bits & BLOCK_BLITZ && !bb_quirk(p->s, BB_QUIRK_FRENZY_FREE) &&
        f->phase == BLOCK_GO && !(f->bits & BLOCK_PAID)) {
        if (block_off(p->s, f))
            return true;
        f->bits |= BLOCK_PAID;
        ++p->s->player[f->player].moves;
    }
    if (f->bits & BLOCK_GFI) {
        f->bits &= (uint16_t)~BLOCK_GFI;
        bb_run_for(p, BB_GFI, f->player)->square = p->s->player[f->player].square;
        return false;
    }
    if (f->number & BLOCK_HAS_APPEARANCE) {
        f->number &= ~BLOCK_HAS_APPEARANCE;
        bb_run_for(p, BB_FOUL_APPEARANCE, f->player);
        f->phase = BLOCK_APPEARANCE;
        return false;
    }
    f->phase = f->number & BLOCK_HAS_DUMP_OFF ? BLOCK_DUMP_OFF : BLOCK_READY;
    return a->type != BB_DO_NOTHING && block_answer(p, f, a->type == BB_DO_USE_SKILL);
}

static bool block_ready(struct bb_play *p, struct bb_frame *f)
{
    struct bb_state *s = p->s;
    if (f->bits & BLOCK_FRENZY) {
        if (block_off(s, f))
            return true;
        s->player[f->player].used |= BB_USED_FRENZY;
    }
    if (s->player[f->other].st > s->player[f->player].st &&
        bb_skilled(s, f->player, BB_SKILL_DAUNTLESS) && !(f->bits & BLOCK_DAUNTLESS_ROLLED)) {
        f->bits |= BLOCK_DAUNTLESS_ROLLED;
        int needed = s->player[f->other].st - s->player[f->player].st + 1;
        if (bb_d6(p, BB_DIE_BLOCK) >= needed)
            f->bits |= BLOCK_DAUNTLESS;
    }
    f->phase = BLOCK_ROLL;
    return false;
}

static bool block_roll_step(struct bb_play *p, struct bb_frame *f)
{
    block_roll(p, f);
    f->phase = BLOCK_CHOOSE;
    bb_ask_reroll(p, f, f->player);
    return false;
}

static bool block_choose(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    if (f->bits & BB_ROLLED) {
        if (bb_rerolling(f))
            f->phase = BLOCK_ROLL;
        return false;
    }
    int die = f->extra ? f->extra : a->type;
    f->extra = 0;
    return block_result(p, f, die);
}

static bool block_answer(struct bb_play *p, struct bb_frame *f, bool yes)
{
    switch (f->phase) {
    case BLOCK_DUMP_OFF:
        f->phase = BLOCK_READY;
        if (yes)
            bb_run_for(p, BB_PASS_ACTION, f->other)->bits = BB_ACTION_DUMP_OFF;
        return false;
    case BLOCK_JUGGERNAUT:
        return yes ? block_push(p, f, false) : block_try_wrestle(p, f);
    case BLOCK_WRESTLE_ATTACKER:
        if (yes)
            return block_wrestle(p, f);
        if (!block_defender_wrestles(p->s, f))
            return block_both_down(p, f);
        f->phase = BLOCK_WRESTLE_DEFENDER;
        return false;
    default:
        return yes ? block_wrestle(p, f) : block_both_down(p, f);
    }
}

bool bb_block_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    switch (f->phase) {
    case BLOCK_GO:
        return block_prepare(p, f, a);
    case BLOCK_APPEARANCE:
        return f->bits & BLOCK_REVOLTED || block_prepare(p, f, a);
    case BLOCK_READY:
        return block_ready(p, f);
    case BLOCK_ROLL:
        return block_roll_step(p, f);
    case BLOCK_CHOOSE:
        return block_choose(p, f, a);
    default:
        return block_answer(p, f, a->type == BB_DO_USE_SKILL);
    }
}

/* --- stabbing: docs/games/bloodbowl-rules.md, "Blocking" --- */

bool bb_stab_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    const struct bb_state *s = p->s;
    (void)a;
    if (f->phase) { /* stabbing in a blitz costs a square */
        f->phase = 0;
        bb_run_for(p, BB_GFI, f->player)->square = s->player[f->player].square;
        return false;
    }
    int sum = bb_d6(p, BB_DIE_STAB);
    sum += bb_d6(p, BB_DIE_STAB);
    int needed = s->player[f->other].av + !bb_quirk(s, BB_QUIRK_STAB);
    int stakes = bb_skilled(s, f->player, BB_SKILL_STAKES) && s->team[bb_team_of(f->other)].undead;
    if (sum + stakes >= needed)
        bb_run_knock_down(p, f->other, f->player, BB_KNOCK_NO_ARMOR);
    return true;
}
