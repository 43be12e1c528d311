/* What an activation offers: squares to move, leap, block, foul, hand off, gaze and pass to
 * (docs/games/bloodbowl-rules.md, "Turns and activations" and "Movement").  Paths are in path/. */
#include "games/bloodbowl/rules.h"

struct offers {
    uint16_t square[24];
    int count;
};

static void targets_add(struct offers *to, int square)
{
    to->square[to->count++] = (uint16_t)square;
}

/* --- squares --- */

static struct offers targets_move(const struct bb_state *s, int player)
{
    struct offers to = {.count = 0};
    const struct bb_player *who = &s->player[player];
    bool may = bb_quick_snap(s) ? who->moves == 0
                                : !bb_is(s, player, BB_ROOTED) &&
                                      who->moves + 1 <= bb_ma(s, player) + bb_gfis(s, player);
    if (!bb_is(s, player, BB_UP) && !bb_quirk(s, BB_QUIRK_CRAWL))
        may = false;
    for (int i = 0; may && i < 8; ++i) {
        int square = who->square + bb_direction(s, i);
        if (bb_at(s, square) == BB_NONE && !bb_out(s, square))
            targets_add(&to, square);
    }
    return to;
}

static struct offers targets_leap(const struct bb_state *s, int player)
{
    struct offers to = {.count = 0};
    const struct bb_player *who = &s->player[player];
    if (!bb_can_use(s, player, BB_SKILL_LEAP, BB_USED_LEAP) || bb_quick_snap(s))
        return to;
    int most = bb_ma(s, player) + bb_gfis(s, player);
    const struct bb_variant *v = bb_variant(s);
    int x0 = bb_x(who->square), y0 = bb_y(who->square);
    for (int y = y0 - 2; y <= y0 + 2; ++y)
        for (int x = x0 - 2; x <= x0 + 2; ++x) {
            if (x < 1 || y < 1 || x > v->width - 2 || y > v->height - 2)
                continue;
            int square = bb_square(x, y), distance = bb_distance(who->square, square);
            if (distance == 0 || bb_at(s, square) != BB_NONE || who->moves + distance > most ||
                (distance == 1 && !bb_quirk(s, BB_QUIRK_LEAP)))
                continue;
            targets_add(&to, square);
        }
    return to;
}

/* The neighbours of one team; up: those who stand, otherwise those who do not. */
static struct offers targets_neighbours(const struct bb_state *s, int player, int team, bool up)
{
    struct offers to = {.count = 0};
    int square = s->player[player].square;
    unsigned around = bb_around(s, square, team);
    for (int i = 0; i < 8; ++i)
        if (around >> i & 1 && bb_is(s, bb_at(s, square + bb_direction(s, i)), BB_UP) == up)
            targets_add(&to, square + bb_direction(s, i));
    return to;
}

/* Moves that a block costs a blitzer: one square, and standing up (deviation 9). */
static int targets_blitz_cost(const struct bb_state *s, int player)
{
    bool prone = !bb_is(s, player, BB_UP) && !bb_skilled(s, player, BB_SKILL_JUMP_UP);
    return prone ? 4 : 1;
}

static struct offers targets_block(const struct bb_state *s, int player, bool blitz)
{
    struct offers none = {.count = 0};
    if (bb_is(s, player, BB_HAS_BLOCKED))
        return none;
    if (!blitz && !bb_is(s, player, BB_UP) && !bb_skilled(s, player, BB_SKILL_JUMP_UP))
        return none;
    if (blitz && bb_is(s, player, BB_ROOTED) && !bb_quirk(s, BB_QUIRK_ROOTED_BLITZ))
        return none;
    if (blitz && s->player[player].moves + targets_blitz_cost(s, player) >
                     bb_ma(s, player) + bb_gfis(s, player))
        return none;
    return targets_neighbours(s, player, bb_opponent(bb_team_of(player)), true);
}

static struct offers targets_foul(const struct bb_state *s, int player)
{
    return targets_neighbours(s, player, bb_opponent(bb_team_of(player)), false);
}

static struct offers targets_handoff(const struct bb_state *s, int player)
{
    struct offers all, to = {.count = 0};
    if (!bb_carries(s, player))
        return to;
    all = targets_neighbours(s, player, bb_team_of(player), true);
    for (int i = 0; i < all.count; ++i)
        if (bb_can_catch(s, bb_at(s, all.square[i])))
            targets_add(&to, all.square[i]);
    return to;
}

static struct offers targets_gaze(const struct bb_state *s, const struct bb_frame *f)
{
    struct offers all, to = {.count = 0};
    if (f->procedure != BB_MOVE_ACTION || !bb_skilled(s, f->player, BB_SKILL_HYPNOTIC_GAZE) ||
        !bb_is(s, f->player, BB_UP))
        return to;
    all = targets_neighbours(s, f->player, bb_opponent(bb_team_of(f->player)), true);
    for (int i = 0; i < all.count; ++i)
        if (bb_has_zone(s, bb_at(s, all.square[i])))
            targets_add(&to, all.square[i]);
    return to;
}

static struct offers targets_mates(const struct bb_state *s, const struct bb_frame *f)
{
    struct offers all, to = {.count = 0};
    if (f->procedure != BB_PASS_ACTION || !bb_skilled(s, f->player, BB_SKILL_THROW_TEAM_MATE) ||
        !bb_is(s, f->player, BB_UP))
        return to;
    all = targets_neighbours(s, f->player, bb_team_of(f->player), true);
    for (int i = 0; i < all.count; ++i)
        if (bb_skilled(s, bb_at(s, all.square[i]), BB_SKILL_RIGHT_STUFF))
            targets_add(&to, all.square[i]);
    return to;
}

/* --- the rolls shown beside the choices --- */

static void targets_gfi_target(const struct bb_state *s, struct bb_option *option)
{
    bb_add_target(option, s->weather == BB_BLIZZARD ? 3 : 2);
}

static void targets_pickup_target(const struct bb_state *s, int player, struct bb_option *option)
{
    if (bb_ball_lies_at(s, option->square))
        bb_add_target(option, bb_agility(s->player[player].ag) -
                                  bb_pickup_modifier(s, player, option->square));
}

static void targets_move_targets(const struct bb_state *s, int player, struct bb_option *option)
{
    const struct bb_player *who = &s->player[player];
    if (bb_quick_snap(s))
        return;
    if (who->moves + 1 > bb_ma(s, player))
        targets_gfi_target(s, option);
    if (bb_zones(s, player, who->square) > 0)
        bb_add_target(option, bb_agility(who->ag) - bb_dodge_modifier(s, player, option->square));
    targets_pickup_target(s, player, option);
}

static void targets_block_numbers(const struct bb_state *s, int player, bool blitz, bool stab,
                                  struct bb_option *option)
{
    const struct bb_player *who = &s->player[player];
    int victim = bb_at(s, option->square);
    bool prone = !bb_is(s, player, BB_UP);
    if (blitz && who->moves + targets_blitz_cost(s, player) > bb_ma(s, player)) {
        if (prone && bb_has(who, BB_SKILL_JUMP_UP)) {
            int target = bb_agility(who->ag) + 2;
            option->target[option->targets++] = (uint8_t)(target < 6 ? target : 6);
        }
        bb_add_target(option, 2);
    }
    if (stab)
        option->target[option->targets++] =
            (uint8_t)(s->player[victim].av + 1 +
                      (bb_has(who, BB_SKILL_STAKES) && s->team[bb_team_of(victim)].undead));
    else
        option->dice = (int8_t)bb_block_dice(s, player, victim, who->square, blitz, false);
}

static void targets_foul_target(const struct bb_state *s, int player, struct bb_option *option)
{
    int victim = bb_at(s, option->square);
    int target = s->player[victim].av + 1 - bb_foul_modifier(s, player, victim);
    option->target[option->targets++] = (uint8_t)(target < 2 ? 2 : target > 12 ? 12 : target);
}

/* --- lists --- */

static void targets_squares(const struct bb_state *s, const struct bb_frame *f, int type,
                            const struct offers *to, struct bb_choices *out)
{
    int player = f->player;
    bb_offer(out, type, bb_team_of(player));
    if (type == BB_DO_HYPNOTIC_GAZE)
        out->choice[out->count - 1].skill = BB_SKILL_HYPNOTIC_GAZE;
    for (int i = 0; i < to->count; ++i) {
        struct bb_option *option = bb_offer_square(out, to->square[i]);
        if (!out->annotate)
            continue;
        if (type == BB_DO_MOVE)
            targets_move_targets(s, player, option);
        else if (type == BB_DO_BLOCK || type == BB_DO_STAB)
            targets_block_numbers(s, player, f->procedure == BB_BLITZ_ACTION, type == BB_DO_STAB,
                                  option);
        else if (type == BB_DO_FOUL)
            targets_foul_target(s, player, option);
        else if (type == BB_DO_HANDOFF)
            bb_add_target(
                option, bb_agility(s->player[player].ag) -
                            bb_catch_modifier(s, bb_at(s, to->square[i]), BB_CATCH_HANDOFF, false));
        else if (type == BB_DO_HYPNOTIC_GAZE)
            bb_add_target(option, bb_agility(s->player[player].ag) - bb_gaze_modifier(s, player));
        else if (type == BB_DO_PICKUP_TEAM_MATE && bb_skilled(s, player, BB_SKILL_ALWAYS_HUNGRY))
            bb_add_target(option, 2);
    }
    bb_offer_end(out);
}

static void targets_list(const struct bb_state *s, const struct bb_frame *f, int type,
                         struct offers to, struct bb_choices *out)
{
    targets_squares(s, f, type, &to, out);
}

/* The blocks of a BlockAction or, in step mode, of a BlitzAction. */
static void targets_blocks(const struct bb_state *s, const struct bb_frame *f,
                           struct bb_choices *out)
{
    struct offers to = targets_block(s, f->player, f->procedure == BB_BLITZ_ACTION);
    targets_squares(s, f, BB_DO_BLOCK, &to, out);
    if (bb_skilled(s, f->player, BB_SKILL_STAB))
        targets_squares(s, f, BB_DO_STAB, &to, out);
}

static void targets_pass(const struct bb_state *s, const struct bb_frame *f, int type,
                         struct bb_choices *out)
{
    const struct bb_variant *v = bb_variant(s);
    int player = f->player, from = s->player[player].square;
    int farthest = 4 + bb_skilled(s, player, BB_SKILL_HAIL_MARY_PASS);
    if (type == BB_DO_THROW_TEAM_MATE || s->weather == BB_BLIZZARD)
        farthest = 2;
    if (f->bits & BB_ACTION_DUMP_OFF)
        farthest = 1;
    bb_offer(out, type, bb_team_of(player));
    for (int y = 1; y < v->height - 1; ++y)
        for (int x = 1; x < v->width - 1; ++x) {
            int to = bb_square(x, y);
            if (to != from && bb_pass_range(from, to) <= farthest)
                bb_offer_square(out, to);
        }
    bb_offer_end(out);
    if (f->bits & BB_ACTION_DUMP_OFF)
        bb_offer(out, BB_DO_DONT_USE_SKILL, bb_team_of(player))->skill = BB_SKILL_DUMP_OFF;
}

static bool targets_paths(const struct bb_state *s)
{
    return s->paths && !bb_quick_snap(s);
}

static void targets_ways(const struct bb_state *s, const struct bb_frame *f, struct bb_choices *out)
{
    if (targets_paths(s)) {
        bb_path_choices(s, f, out);
        return;
    }
    targets_list(s, f, BB_DO_MOVE, targets_move(s, f->player), out);
    if (s->paths)
        return;
    if (f->procedure == BB_BLITZ_ACTION)
        targets_blocks(s, f, out);
    else if (f->procedure == BB_HANDOFF_ACTION)
        targets_list(s, f, BB_DO_HANDOFF, targets_handoff(s, f->player), out);
    else if (f->procedure == BB_FOUL_ACTION)
        targets_list(s, f, BB_DO_FOUL, targets_foul(s, f->player), out);
}

static void targets_end(const struct bb_frame *f, struct bb_choices *out)
{
    int team = bb_team_of(f->player);
    bb_offer(out, BB_DO_END_PLAYER_TURN, team);
    if (f->bits & BB_ACTION_UNDO)
        bb_offer(out, BB_DO_UNDO, team);
}

void bb_activation_choices(const struct bb_state *s, const struct bb_frame *f,
                           struct bb_choices *out)
{
    bool passes = f->procedure == BB_PASS_ACTION;
    if (passes && f->other != BB_NONE) { /* holding a team-mate to throw */
        targets_pass(s, f, BB_DO_THROW_TEAM_MATE, out);
        return;
    }
    if (f->bits & BB_ACTION_DUMP_OFF && !bb_quirk(s, BB_QUIRK_DUMP_OFF)) {
        targets_pass(s, f, BB_DO_PASS, out);
        return;
    }
    targets_ways(s, f, out);
    if (!bb_is(s, f->player, BB_UP))
        bb_offer(out, BB_DO_STAND_UP, bb_team_of(f->player));
    targets_list(s, f, BB_DO_LEAP, targets_leap(s, f->player), out);
    targets_list(s, f, BB_DO_HYPNOTIC_GAZE, targets_gaze(s, f), out);
    targets_list(s, f, BB_DO_PICKUP_TEAM_MATE, targets_mates(s, f), out);
    if (passes && bb_carries(s, f->player))
        targets_pass(s, f, BB_DO_PASS, out);
    targets_end(f, out);
}

void bb_block_action_choices(const struct bb_state *s, const struct bb_frame *f,
                             struct bb_choices *out)
{
    targets_blocks(s, f, out);
    targets_end(f, out);
}

/* --- whether an activation offers anything but its end --- */

static bool targets_way(const struct bb_state *s, const struct bb_frame *f)
{
    if (targets_paths(s))
        return bb_path_exists(s, f);
    if (targets_move(s, f->player).count)
        return true;
    return !s->paths &&
           ((f->procedure == BB_BLITZ_ACTION && targets_block(s, f->player, true).count) ||
            (f->procedure == BB_HANDOFF_ACTION && targets_handoff(s, f->player).count) ||
            (f->procedure == BB_FOUL_ACTION && targets_foul(s, f->player).count));
}

bool bb_activation_only_ends(const struct bb_state *s, const struct bb_frame *f)
{
    if (f->procedure == BB_BLOCK_ACTION)
        return !(f->bits & BB_ACTION_UNDO) && !targets_block(s, f->player, false).count;
    if (f->procedure < BB_MOVE_ACTION || f->procedure > BB_FOUL_ACTION ||
        f->bits & BB_ACTION_UNDO || !bb_is(s, f->player, BB_UP))
        return false;
    if (f->procedure == BB_PASS_ACTION && (f->other != BB_NONE || bb_carries(s, f->player)))
        return false;
    return !targets_way(s, f) && !targets_leap(s, f->player).count && !targets_gaze(s, f).count &&
           !targets_mates(s, f).count;
}
