/* Negative traits, Blood Lust, Hypnotic Gaze, throwing team-mates, bombs
 * (docs/games/bloodbowl-rules.md, "Skills"). */
#include "games/bloodbowl/rules.h"

/* --- negative traits: phase 1 for a block, 2 for a blitz --- */

static int trait_target(const struct bb_state *s, const struct bb_frame *f)
{
    if (f->procedure == BB_WILD_ANIMAL)
        return f->phase ? 2 : 4;
    if (f->procedure != BB_REALLY_STUPID)
        return 2;
    int square = s->player[f->player].square;
    unsigned around = bb_around(s, square, bb_team_of(f->player));
    for (int i = 0; i < 8; ++i)
        if (around >> i & 1 &&
            !bb_skilled(s, bb_at(s, square + bb_direction(s, i)), BB_SKILL_REALLY_STUPID))
            return 2;
    return 4;
}

static const struct {
    uint8_t die;
    uint16_t flag;
    bool passes; /* the trait ends with the next successful roll */
} traits[BB_PROCEDURES] = {
    [BB_BONE_HEAD] = {BB_DIE_BONE_HEAD, BB_BONE_HEADED, true},
    [BB_REALLY_STUPID] = {BB_DIE_REALLY_STUPID, BB_STUPID, true},
    [BB_WILD_ANIMAL] = {BB_DIE_WILD_ANIMAL, BB_WILD, true},
    [BB_TAKE_ROOT] = {BB_DIE_TAKE_ROOT, BB_ROOTED, false},
    [BB_BLOOD_LUST] = {BB_DIE_BLOOD_LUST, BB_BLOOD_LUSTING, false},
};

static bool trait_failed(struct bb_play *p, const struct bb_frame *f)
{
    bb_set(p->s, f->player, (unsigned)traits[f->procedure].flag | BB_TRAIT_FAILED);
    if (traits[f->procedure].passes)
        bb_run_for(p, BB_END_PLAYER_TURN, f->player);
    else if (f->procedure == BB_BLOOD_LUST && f->phase == 1)
        bb_run_for(p, BB_BLOCK_OR_MOVE, f->player);
    return true;
}

bool bb_trait_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    switch (
        bb_test(p, f, (enum bb_die)traits[f->procedure].die, f->player, trait_target(s, f), 0)) {
    case BB_PENDING:
        return false;
    case BB_SUCCESS:
        if (traits[f->procedure].passes)
            bb_clear(s, f->player, traits[f->procedure].flag);
        return true;
    default:
        return trait_failed(p, f);
    }
}

/* --- Blood Lust --- */

void bb_block_or_move_choices(const struct bb_state *s, const struct bb_frame *f,
                              struct bb_choices *out)
{
    int team = bb_team_of(f->player);
    (void)s;
    bb_offer(out, BB_DO_START_BLOCK, team);
    bb_offer_player(out, f->player);
    bb_offer(out, BB_DO_START_MOVE, team);
    bb_offer_player(out, f->player);
}

bool bb_block_or_move_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    int player = f->player;
    if (a->type == BB_DO_START_BLOCK)
        return true;
    bb_purge(p, false);
    bb_run_for(p, BB_MOVE_ACTION, player);
    return true;
}

static int thrall_squares(const struct bb_state *s, int player, uint16_t *out)
{
    int square = s->player[player].square, n = 0;
    unsigned around = bb_around(s, square, bb_team_of(player));
    for (int i = 0; i < 8; ++i) {
        int to = square + bb_direction(s, i);
        if (around >> i & 1 && !bb_skilled(s, bb_at(s, to), BB_SKILL_BLOOD_LUST))
            out[n++] = (uint16_t)to;
    }
    return n;
}

int bb_eat_thrall_asks(const struct bb_state *s, const struct bb_frame *f)
{
    uint16_t squares[8];
    return f->phase == 0 && thrall_squares(s, f->player, squares) ? bb_team_of(f->player)
                                                                  : BB_NOBODY;
}

void bb_eat_thrall_choices(const struct bb_state *s, const struct bb_frame *f,
                           struct bb_choices *out)
{
    uint16_t squares[8];
    int n = thrall_squares(s, f->player, squares);
    bb_offer(out, BB_DO_SELECT_PLAYER, bb_team_of(f->player));
    for (int i = 0; i < n; ++i)
        bb_offer_square(out, squares[i]);
}

bool bb_eat_thrall_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    if (a->type == BB_DO_SELECT_PLAYER) {
        bb_run_knock_down(p, bb_at(s, a->square), BB_NONE, BB_KNOCK_NO_ARMOR);
        f->phase = 1;
        return true;
    }
    bb_below(f)->bits |= BB_EAT_FAILED;
    bb_drop_ball_at(p, s->player[f->player].square);
    bb_run(p, BB_TURNOVER);
    bb_to_reserves(s, f->player);
    return true;
}

void bb_eat_thrall_end(struct bb_play *p, const struct bb_frame *f)
{
    bb_clear(p->s, f->player, BB_BLOOD_LUSTING);
}

/* --- Hypnotic Gaze --- */

int bb_gaze_modifier(const struct bb_state *s, int player)
{
    return 1 - bb_zones(s, player, s->player[player].square);
}

bool bb_gaze_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    enum bb_result result =
        bb_test(p, f, BB_DIE_GAZE, f->player, bb_agility(s->player[f->player].ag),
                bb_gaze_modifier(s, f->player));
    if (result == BB_SUCCESS)
        bb_set(s, f->other, BB_HYPNOTIZED);
    return result != BB_PENDING;
}

/* --- throwing team-mates: the player who flies is `player` in Land frames, `other` in AlwaysHungry
 * and Escape frames --- */

void bb_land_start(struct bb_play *p, struct bb_frame *f)
{
    struct bb_state *s = p->s;
    bb_clear(s, f->player, BB_IN_AIR);
    bb_put(s, f->player, s->player[f->player].square);
}

bool bb_land_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    int square = s->player[f->player].square, zones = bb_zones(s, f->player, square);
    (void)a;
    enum bb_result result =
        bb_test(p, f, BB_DIE_LAND, f->player, bb_agility(s->player[f->player].ag),
                bb_quirk(s, BB_QUIRK_LANDING) ? zones : -zones);
    if (result == BB_PENDING)
        return false;
    bool carries = bb_carries(s, f->player);
    if (result == BB_FAILURE)
        bb_run_knock_down(p, f->player, BB_NONE, carries ? BB_KNOCK_TURNOVER : 0);
    else if (bb_scores(s, f->player))
        bb_run_for(p, BB_TOUCHDOWN, f->player);
    else if (s->ball_out && s->ball == square && !carries)
        bb_run_bounce(p, BB_NONE, 0);
    return true;
}

bool bb_always_hungry_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    (void)a;
    enum bb_result result = bb_test(p, f, BB_DIE_ALWAYS_HUNGRY, f->player, 2, 0);
    if (result == BB_FAILURE) {
        bb_run_for(p, BB_ESCAPE, f->player)->other = f->other;
        bb_run_for(p, BB_END_PLAYER_TURN, f->player);
    }
    return result != BB_PENDING;
}

bool bb_escape_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    (void)a;
    enum bb_result result = bb_test(p, f, BB_DIE_ESCAPE, f->other, 2, 0);
    if (result == BB_SUCCESS) {
        bb_run_for(p, BB_LAND, f->other);
    } else if (result == BB_FAILURE) {
        bb_run_for(p, BB_CASUALTY, f->other)->phase = 2;
        if (bb_ball_lies_at(s, s->player[f->other].square)) {
            bb_run_bounce(p, BB_NONE, 0);
            bb_run(p, BB_POSSESSION);
        }
        bb_run_for(p, BB_END_PLAYER_TURN, f->player);
    }
    return result != BB_PENDING;
}

/* --- bombs (BB2016; botbowl cannot play them) --- */

void bb_bomb_action_choices(const struct bb_state *s, const struct bb_frame *f,
                            struct bb_choices *out)
{
    const struct bb_variant *v = bb_variant(s);
    int team = bb_team_of(f->player), from = s->player[f->player].square;
    int farthest = s->weather == BB_BLIZZARD ? 2 : 4;
    bb_offer(out, BB_DO_THROW_BOMB, team);
    for (int y = 1; y < v->height - 1; ++y)
        for (int x = 1; x < v->width - 1; ++x) {
            int to = bb_square(x, y);
            if (to != from && bb_pass_range(from, to) <= farthest)
                bb_offer_square(out, to);
        }
    bb_offer(out, BB_DO_END_PLAYER_TURN, team);
    if (f->bits & BB_ACTION_UNDO)
        bb_offer(out, BB_DO_UNDO, team);
}

bool bb_bomb_action_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    bool own = f->player == s->active; /* otherwise a player who caught the bomb throws it back */
    if (a->type == BB_DO_UNDO) {
        bb_run(p, BB_UNDO);
        return true;
    }
    if (a->type == BB_DO_THROW_BOMB) {
        s->bomb_out = 1;
        s->bomb = s->player[f->player].square;
        struct bb_frame *pass = bb_run_for(p, BB_PASS_ATTEMPT, f->player);
        pass->square = a->square;
        pass->bits = BB_PASS_BOMB | BB_PASS_INTERCEPTED;
    } else if (s->bomb_out) {
        bb_run(p, BB_EXPLODE);
    }
    if (own)
        bb_run_for(p, BB_END_PLAYER_TURN, f->player);
    return true;
}

void bb_bomb_action_end(struct bb_play *p, const struct bb_frame *f)
{
    (void)f;
    p->s->bomb_out = 0;
    p->s->bomb = BB_NOWHERE;
}

/* The player on the square is knocked down, players next to it on a 4 or more.  A turnover
 * follows only if one of them is in the team whose turn it is. */
bool bb_explode_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    bool own = false;
    (void)f, (void)a;
    if (!s->bomb_out || bb_out(s, s->bomb))
        return true;
    for (int i = -1; i < 8; ++i) {
        int there = bb_at(s, s->bomb + (i < 0 ? 0 : bb_direction(s, i)));
        if (there == BB_NONE || (i >= 0 && !banyan_dice_test(p->dice, BB_DIE_BOMB, 6, 4)))
            continue;
        own |= bb_team_of(there) == s->current;
        bb_run_knock_down(p, there, BB_NONE, 0);
    }
    if (own)
        bb_run(p, BB_TURNOVER);
    s->bomb_out = 0;
    s->bomb = BB_NOWHERE;
    return true;
}
