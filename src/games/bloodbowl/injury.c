/* Falling and its results: armour, injury, casualty, apothecary, ejection
 * (docs/games/bloodbowl-rules.md, "Armour and injury"). */
#include "games/bloodbowl/rules.h"

void bb_run_knock_down(struct bb_play *p, int player, int inflictor, unsigned bits)
{
    struct bb_frame *f = bb_run_for(p, BB_KNOCK_DOWN, player);
    f->other = (uint8_t)inflictor;
    f->bits = (uint16_t)bits;
}

static struct bb_frame *injury_run(struct bb_play *p, enum bb_procedure procedure,
                                   const struct bb_frame *f)
{
    struct bb_frame *next = bb_run_for(p, procedure, f->player);
    next->other = f->other;
    return next;
}

bool bb_knock_down_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    bb_prone(s, f->player);
    if (f->player == s->active)
        bb_set(s, f->player, BB_USED);
    if (f->bits & BB_KNOCK_NO_ARMOR && !(f->bits & BB_KNOCK_NO_INJURY)) {
        struct bb_frame *injury = injury_run(p, BB_INJURY, f);
        if (f->bits & BB_KNOCK_CROWD) {
            injury->bits = BB_HURT_CROWD;
            injury->other = BB_NONE;
        }
    } else if (!(f->bits & BB_KNOCK_NO_ARMOR)) {
        injury_run(p, BB_ARMOR, f);
    }
    bb_drop_ball_at(p, s->player[f->player].square);
    if (f->bits & BB_KNOCK_TURNOVER)
        bb_run(p, BB_TURNOVER);
    return true;
}

/* --- armour --- */

static bool injury_inflictor_has(const struct bb_state *s, const struct bb_frame *f,
                                 enum bb_skill skill)
{
    return f->other != BB_NONE && bb_skilled(s, f->other, skill);
}

/* Whether the armour breaks; records the skill that made the difference. */
static bool injury_breaks(const struct bb_state *s, struct bb_frame *f, int sum)
{
    int needed = s->player[f->player].av + 1, result = sum + f->number;
    if (f->bits & BB_HURT_FOUL) {
        bool dirty = injury_inflictor_has(s, f, BB_SKILL_DIRTY_PLAYER) && result + 1 >= needed;
        if (dirty && (result < needed || bb_quirk(s, BB_QUIRK_DIRTY_PLAYER)))
            f->bits |= BB_HURT_USED_DIRTY;
        return dirty || result >= needed;
    }
    if (result >= needed || (sum >= 8 && injury_inflictor_has(s, f, BB_SKILL_CLAWS))) {
        if (bb_quirk(s, BB_QUIRK_MIGHTY_CLAWS) && result == needed - 1 &&
            injury_inflictor_has(s, f, BB_SKILL_MIGHTY_BLOW))
            f->bits |= BB_HURT_USED_MIGHTY;
        return true;
    }
    if (result != needed - 1 || !injury_inflictor_has(s, f, BB_SKILL_MIGHTY_BLOW))
        return false;
    f->bits |= BB_HURT_USED_MIGHTY;
    return true;
}

bool bb_armor_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    const struct bb_state *s = p->s;
    (void)a;
    int first = bb_d6(p, BB_DIE_ARMOR), second = bb_d6(p, BB_DIE_ARMOR);
    bool broken = injury_breaks(s, f, first + second);
    if (f->bits & BB_HURT_FOUL && first == second &&
        (broken || !bb_skilled(s, f->other, BB_SKILL_SNEAKY_GIT)))
        f->bits |= BB_HURT_EJECT;
    if (broken) {
        unsigned kept = BB_HURT_FOUL | BB_HURT_USED_MIGHTY | BB_HURT_USED_DIRTY;
        injury_run(p, BB_INJURY, f)->bits = (uint16_t)(f->bits & kept);
    }
    return true;
}

void bb_ejection_end(struct bb_play *p, const struct bb_frame *f)
{
    if (f->bits & BB_HURT_EJECT)
        bb_run_for(p, BB_EJECTION, f->other);
}

/* --- injury --- */

static int injury_modifier(const struct bb_state *s, const struct bb_frame *f)
{
    int modifier = bb_skilled(s, f->player, BB_SKILL_STUNTY);
    bool foul = f->bits & BB_HURT_FOUL;
    modifier += !foul && !(f->bits & BB_HURT_USED_MIGHTY) &&
                injury_inflictor_has(s, f, BB_SKILL_MIGHTY_BLOW);
    modifier += foul && !(f->bits & BB_HURT_USED_DIRTY) &&
                injury_inflictor_has(s, f, BB_SKILL_DIRTY_PLAYER);
    return modifier;
}

static void injury_stun(struct bb_play *p, const struct bb_frame *f)
{
    struct bb_state *s = p->s;
    if (bb_skilled(s, f->player, BB_SKILL_BALL_AND_CHAIN)) {
        injury_run(p, BB_KNOCK_OUT, f);
    } else if (f->bits & BB_HURT_CROWD) {
        bb_to_reserves(s, f->player);
    } else {
        bb_prone(s, f->player);
        bb_set(s, f->player, BB_STUNNED);
    }
}

/* Whether the referee sees a double at the injury roll.  Sneaky Git hides a double at an armour
 * roll that fails; in botbowl it also hides one at the injury roll. */
static bool injury_is_seen(const struct bb_state *s, int fouler)
{
    return !bb_quirk(s, BB_QUIRK_SNEAKY_GIT) || !bb_skilled(s, fouler, BB_SKILL_SNEAKY_GIT);
}

bool bb_injury_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    const struct bb_state *s = p->s;
    (void)a;
    int first = bb_d6(p, BB_DIE_INJURY), second = bb_d6(p, BB_DIE_INJURY);
    int result = first + second + injury_modifier(s, f);
    if (f->bits & BB_HURT_FOUL && first == second && injury_is_seen(s, f->other))
        f->bits |= BB_HURT_EJECT;
    if (result >= 10) {
        injury_run(p, BB_CASUALTY, f)->phase = bb_skilled(s, f->player, BB_SKILL_DECAY);
        return true;
    }
    if (result - bb_skilled(s, f->player, BB_SKILL_THICK_SKULL) >= 8)
        injury_run(p, BB_KNOCK_OUT, f);
    else
        injury_stun(p, f);
    return true;
}

static void injury_knock_out(struct bb_state *s, int player)
{
    bb_remove(s, player);
    bb_to_list(s, player, BB_KO);
    bb_set(s, player, BB_KNOCKED_OUT | BB_UP);
}

bool bb_knock_out_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    if (s->team[bb_team_of(f->player)].apothecaries)
        injury_run(p, BB_APOTHECARY, f)->phase = 0;
    else
        injury_knock_out(s, f->player);
    return true;
}

/* --- casualties --- */

/* The result by the D68: 38 or less is badly hurt ... 61 or more is dead. */
static enum bb_injury injury_effect(int d68)
{
    static const uint8_t fifties[9] = {BB_INJURY_NONE, BB_INJURY_NIGGLING, BB_INJURY_NIGGLING,
                                       BB_INJURY_MA,   BB_INJURY_MA,       BB_INJURY_AV,
                                       BB_INJURY_AV,   BB_INJURY_AG,       BB_INJURY_ST};
    if (d68 >= 61)
        return BB_INJURY_DEAD;
    if (d68 >= 51)
        return fifties[d68 - 50];
    return d68 >= 41 ? BB_INJURY_MNG : BB_INJURY_NONE;
}

static int injury_d68(struct bb_play *p)
{
    int tens = bb_d6(p, BB_DIE_CASUALTY);
    return 10 * tens + banyan_dice_roll(p->dice, BB_DIE_CASUALTY, 8);
}

static bool injury_missing(const struct bb_state *s, int player)
{
    for (unsigned injuries = s->player[player].injuries; injuries; injuries >>= 4)
        if ((injuries & 15) == BB_INJURY_MNG)
            return true;
    return false;
}

static void injury_apply(struct bb_state *s, int player, enum bb_injury effect)
{
    if (bb_on_pitch(s, player)) {
        bb_remove(s, player);
        bb_set(s, player, BB_UP);
        bb_clear(s, player, BB_STUNNED);
        bb_to_list(s, player, BB_CASUALTIES);
    }
    if (effect == BB_INJURY_NONE)
        return;
    if (effect != BB_INJURY_DEAD && effect != BB_INJURY_NULL && !injury_missing(s, player))
        bb_injure(s, player, BB_INJURY_MNG);
    if (effect != BB_INJURY_MNG)
        bb_injure(s, player, effect);
}

static bool injury_regenerates(struct bb_play *p, int player)
{
    struct bb_state *s = p->s;
    if (!bb_skilled(s, player, BB_SKILL_REGENERATION) ||
        !banyan_dice_test(p->dice, BB_DIE_REGENERATION, 6, 4))
        return false;
    if (bb_on_pitch(s, player))
        bb_to_reserves(s, player);
    return true;
}

/* phase 1: the player has Decay, so a second roll follows; 2: the player was eaten and is dead. */
bool bb_casualty_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    int d68 = injury_d68(p);
    if (f->phase == 2) {
        injury_apply(s, f->player, BB_INJURY_DEAD);
        return true;
    }
    if (s->team[bb_team_of(f->player)].apothecaries && bb_on_pitch(s, f->player)) {
        struct bb_frame *apothecary = injury_run(p, BB_APOTHECARY, f);
        apothecary->phase = 1;
        apothecary->number = (int8_t)injury_effect(d68);
        return true;
    }
    if (injury_regenerates(p, f->player))
        return true;
    injury_apply(s, f->player, injury_effect(d68));
    if (f->phase == 1)
        injury_run(p, BB_CASUALTY, f);
    return true;
}

/* --- the apothecary: phase 0 for a KO, 1 for a casualty, 2 for the choice between two rolls --- */

int bb_apothecary_asks(const struct bb_state *s, const struct bb_frame *f)
{
    (void)s;
    return bb_team_of(f->player);
}

void bb_apothecary_choices(const struct bb_state *s, const struct bb_frame *f,
                           struct bb_choices *out)
{
    int team = bb_team_of(f->player);
    (void)s;
    bb_offer(out, f->phase == 2 ? BB_DO_SELECT_FIRST_ROLL : BB_DO_USE_APOTHECARY, team);
    bb_offer(out, f->phase == 2 ? BB_DO_SELECT_SECOND_ROLL : BB_DO_DONT_USE_APOTHECARY, team);
}

static bool apothecary_ko(struct bb_state *s, int player, bool use)
{
    if (!use) {
        injury_knock_out(s, player);
        return true;
    }
    --s->team[bb_team_of(player)].apothecaries;
    if (bb_out(s, s->player[player].square)) { /* a player in the crowd can only go to the
                                                * reserves */
        bb_to_reserves(s, player);
        return true;
    }
    bb_prone(s, player);
    bb_set(s, player, BB_STUNNED);
    return true;
}

/* botbowl adds up the two dice, so the second roll is always badly hurt. */
static enum bb_injury apothecary_roll(struct bb_play *p)
{
    int tens = bb_d6(p, BB_DIE_APOTHECARY), ones = banyan_dice_roll(p->dice, BB_DIE_APOTHECARY, 8);
    return bb_quirk(p->s, BB_QUIRK_APOTHECARY) ? BB_INJURY_NONE : injury_effect(10 * tens + ones);
}

static bool apothecary_heal(struct bb_play *p, int player, enum bb_injury effect)
{
    struct bb_state *s = p->s;
    if (injury_regenerates(p, player))
        return true;
    if (effect == BB_INJURY_NONE && !bb_quirk(s, BB_QUIRK_APOTHECARY))
        bb_to_reserves(s, player); /* badly hurt, treated by the apothecary */
    else
        injury_apply(s, player, effect);
    return true;
}

bool bb_apothecary_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    enum bb_injury first = (enum bb_injury)f->number;
    if (f->phase == 0)
        return apothecary_ko(s, f->player, a->type == BB_DO_USE_APOTHECARY);
    if (f->phase == 2) {
        bool second = a->type == BB_DO_SELECT_SECOND_ROLL;
        return apothecary_heal(p, f->player, second ? (enum bb_injury)f->extra : first);
    }
    if (a->type == BB_DO_USE_APOTHECARY) {
        --s->team[bb_team_of(f->player)].apothecaries;
        f->extra = (uint8_t)apothecary_roll(p);
        f->phase = 2;
        return false;
    }
    if (!injury_regenerates(p, f->player))
        injury_apply(s, f->player, bb_quirk(s, BB_QUIRK_APOTHECARY) ? BB_INJURY_NULL : first);
    return true;
}

/* --- fouls and ejections --- */

/* Number of team-mates of `player` next to `victim` who assist a foul. */
static int foul_helpers(const struct bb_state *s, int player, int victim)
{
    int square = s->player[victim].square, n = 0;
    unsigned around = bb_around(s, square, bb_team_of(player));
    for (int i = 0; i < 8; ++i) {
        int mate = bb_at(s, square + bb_direction(s, i));
        if (!(around >> i & 1) || mate == player || !bb_fit(s, mate))
            continue;
        n += bb_zones(s, mate, s->player[mate].square) <= 1;
    }
    return n;
}

int bb_foul_modifier(const struct bb_state *s, int fouler, int victim)
{
    if (bb_quirk(s, BB_QUIRK_FOUL_ASSIST))
        return foul_helpers(s, fouler, victim) - foul_helpers(s, victim, fouler);
    struct bb_assists assists = bb_assists(s, fouler, victim, s->player[fouler].square, true);
    return assists.own - assists.against;
}

bool bb_foul_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    (void)a;
    struct bb_frame *armor = bb_run_for(p, BB_ARMOR, f->other);
    armor->other = f->player;
    armor->number = (int8_t)bb_foul_modifier(p->s, f->player, f->other);
    armor->bits = BB_HURT_FOUL;
    return true;
}

/* Asks while the team has bribes. */
int bb_ejection_asks(const struct bb_state *s, const struct bb_frame *f)
{
    int team = bb_team_of(f->player);
    return s->team[team].bribes ? team : BB_NOBODY;
}

void bb_ejection_choices(const struct bb_state *s, const struct bb_frame *f, struct bb_choices *out)
{
    int team = bb_team_of(f->player);
    (void)s;
    bb_offer(out, BB_DO_USE_BRIBE, team);
    bb_offer(out, BB_DO_DONT_USE_BRIBE, team);
}

bool bb_ejection_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    struct bb_team *team = &s->team[bb_team_of(f->player)];
    if (bb_is(s, f->player, BB_EJECTED))
        return true;
    if (a->type == BB_DO_USE_BRIBE) {
        --team->bribes;
        if (banyan_dice_test(p->dice, BB_DIE_BRIBE, 6, 2))
            return true;
        if (team->bribes)
            return false;
    }
    bb_drop_ball_at(p, s->player[f->player].square);
    bb_run(p, BB_TURNOVER);
    bb_remove(s, f->player);
    bb_to_list(s, f->player, BB_DUNGEON);
    bb_set(s, f->player, BB_EJECTED | BB_UP);
    return true;
}
