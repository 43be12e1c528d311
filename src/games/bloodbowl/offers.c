/* What an activation offers: squares to move, leap, block, foul, hand off, gaze, pass to
 * (docs/games/bloodbowl-rules.md, "Turns and activations" and "Movement").  Paths are in path/. */
#include "games/bloodbowl/rules.h"

struct offers {
    uint16_t square[24];
    int count;
};

static void offers_add(struct offers *to, int square)
{
    to->square[to->count++] = (uint16_t)square;
}

/* --- squares --- */

static struct offers offers_move(const struct bb_state *s, int player)
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
            offers_add(&to, square);
    }
    return to;
}

static struct offers offers_leap(const struct bb_state *s, int player)
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
            offers_add(&to, square);
        }
    return to;
}

/* Neighbours of one team who stand, or do not. */
static struct offers offers_neighbours(const struct bb_state *s, int player, int team, bool up)
{
    struct offers to = {.count = 0};
    int square = s->player[player].square;
    unsigned around = bb_around(s, square, team);
    for (int i = 0; i < 8; ++i)
        if (around >> i & 1 && bb_is(s, bb_at(s, square + bb_direction(s, i)), BB_UP) == up)
            offers_add(&to, square + bb_direction(s, i));
    return to;
}

/* What a block costs a blitzer: a square, and standing up (deviation 9). */
static int offers_blitz_cost(const struct bb_state *s, int player)
{
    bool prone = !bb_is(s, player, BB_UP) && !bb_skilled(s, player, BB_SKILL_JUMP_UP);
    return prone ? 4 : 1;
}

static struct offers offers_block(const struct bb_state *s, int player, bool blitz)
{
    struct offers none = {.count = 0};
    if (bb_is(s, player, BB_HAS_BLOCKED))
        return none;
    if (!blitz && !bb_is(s, player, BB_UP) && !bb_skilled(s, player, BB_SKILL_JUMP_UP))
        return none;
    if (blitz && bb_is(s, player, BB_ROOTED) && !bb_quirk(s, BB_QUIRK_ROOTED_BLITZ))
        return none;
    if (blitz && s->player[player].moves + offers_blitz_cost(s, player) >
                     bb_ma(s, player) + bb_gfis(s, player))
        return none;
    return offers_neighbours(s, player, bb_opponent(bb_team_of(player)), true);
}

static struct offers offers_foul(const struct bb_state *s, int player)
{
    return offers_neighbours(s, player, bb_opponent(bb_team_of(player)), false);
}

static struct offers offers_handoff(const struct bb_state *s, int player)
{
    struct offers all, to = {.count = 0};
    if (!bb_carries(s, player))
        return to;
    all = offers_neighbours(s, player, bb_team_of(player), true);
    for (int i = 0; i < all.count; ++i)
        if (bb_can_catch(s, bb_at(s, all.square[i])))
            offers_add(&to, all.square[i]);
    return to;
}

static struct offers offers_gaze(const struct bb_state *s, const struct bb_frame *f)
{
    struct offers all, to = {.count = 0};
    if (f->procedure != BB_MOVE_ACTION || !bb_skilled(s, f->player, BB_SKILL_HYPNOTIC_GAZE) ||
        !bb_is(s, f->player, BB_UP))
        return to;
    all = offers_neighbours(s, f->player, bb_opponent(bb_team_of(f->player)), true);
    for (int i = 0; i < all.count; ++i)
        if (bb_has_zone(s, bb_at(s, all.square[i])))
            offers_add(&to, all.square[i]);
    return to;
}

static struct offers offers_mates(const struct bb_state *s, const struct bb_frame *f)
{
    struct offers all, to = {.count = 0};
    if (f->procedure != BB_PASS_ACTION || !bb_skilled(s, f->player, BB_SKILL_THROW_TEAM_MATE) ||
        !bb_is(s, f->player, BB_UP))
        return to;
    all = offers_neighbours(s, f->player, bb_team_of(f->player), true);
    for (int i = 0; i < all.count; ++i)
        if (bb_skilled(s, bb_at(s, all.square[i]), BB_SKILL_RIGHT_STUFF))
            offers_add(&to, all.square[i]);
    return to;
}

/* --- the numbers shown beside them --- */

static void offers_gfi_target(const struct bb_state *s, struct bb_option *option)
{
    bb_add_target(option, s->weather == BB_BLIZZARD ? 3 : 2);
}

static void offers_pickup_target(const struct bb_state *s, int player, struct bb_option *option)
{
    if (bb_ball_lies_at(s, option->square))
        bb_add_target(option, bb_agility(s->player[player].ag) -
                                  bb_pickup_modifier(s, player, option->square));
}

static void offers_move_targets(const struct bb_state *s, int player, struct bb_option *option)
{
    const struct bb_player *who = &s->player[player];
    if (bb_quick_snap(s))
        return;
    if (who->moves + 1 > bb_ma(s, player))
        offers_gfi_target(s, option);
    if (bb_zones(s, player, who->square) > 0)
        bb_add_target(option, bb_agility(who->ag) - bb_dodge_modifier(s, player, option->square));
    offers_pickup_target(s, player, option);
}

static void offers_block_numbers(const struct bb_state *s, int player, bool blitz, bool stab,
                                 struct bb_option *option)
{
    const struct bb_player *who = &s->player[player];
    int victim = bb_at(s, option->square);
    bool prone = !bb_is(s, player, BB_UP);
    if (blitz && who->moves + offers_blitz_cost(s, player) > bb_ma(s, player)) {
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

static void offers_foul_target(const struct bb_state *s, int player, struct bb_option *option)
{
    int victim = bb_at(s, option->square);
    int target = s->player[victim].av + 1 - bb_foul_modifier(s, player, victim);
    option->target[option->targets++] = (uint8_t)(target < 2 ? 2 : target > 12 ? 12 : target);
}

/* --- lists --- */

static void offers_squares(const struct bb_state *s, const struct bb_frame *f, int type,
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
            offers_move_targets(s, player, option);
        else if (type == BB_DO_BLOCK || type == BB_DO_STAB)
            offers_block_numbers(s, player, f->procedure == BB_BLITZ_ACTION, type == BB_DO_STAB,
                                 option);
        else if (type == BB_DO_FOUL)
            offers_foul_target(s, player, option);
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

static void offers_list(const struct bb_state *s, const struct bb_frame *f, int type,
                        struct offers to, struct bb_choices *out)
{
    offers_squares(s, f, type, &to, out);
}

/* Blocks of a BlockAction or, square by square, of a BlitzAction. */
static void offers_blocks(const struct bb_state *s, const struct bb_frame *f,
                          struct bb_choices *out)
{
    struct offers to = offers_block(s, f->player, f->procedure == BB_BLITZ_ACTION);
    offers_squares(s, f, BB_DO_BLOCK, &to, out);
    if (bb_skilled(s, f->player, BB_SKILL_STAB))
        offers_squares(s, f, BB_DO_STAB, &to, out);
}

static void offers_pass(const struct bb_state *s, const struct bb_frame *f, int type,
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

static bool offers_paths(const struct bb_state *s)
{
    return s->paths && !bb_quick_snap(s);
}

static void offers_ways(const struct bb_state *s, const struct bb_frame *f, struct bb_choices *out)
{
    if (offers_paths(s)) {
        bb_path_choices(s, f, out);
        return;
    }
    offers_list(s, f, BB_DO_MOVE, offers_move(s, f->player), out);
    if (s->paths)
        return;
    if (f->procedure == BB_BLITZ_ACTION)
        offers_blocks(s, f, out);
    else if (f->procedure == BB_HANDOFF_ACTION)
        offers_list(s, f, BB_DO_HANDOFF, offers_handoff(s, f->player), out);
    else if (f->procedure == BB_FOUL_ACTION)
        offers_list(s, f, BB_DO_FOUL, offers_foul(s, f->player), out);
}

static void offers_end(const struct bb_frame *f, struct bb_choices *out)
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
    if (passes && f->other != BB_NONE) { /* with a team-mate in his hands */
        offers_pass(s, f, BB_DO_THROW_TEAM_MATE, out);
        return;
    }
    if (f->bits & BB_ACTION_DUMP_OFF && !bb_quirk(s, BB_QUIRK_DUMP_OFF)) {
        offers_pass(s, f, BB_DO_PASS, out);
        return;
    }
    offers_ways(s, f, out);
    if (!bb_is(s, f->player, BB_UP))
        bb_offer(out, BB_DO_STAND_UP, bb_team_of(f->player));
    offers_list(s, f, BB_DO_LEAP, offers_leap(s, f->player), out);
    offers_list(s, f, BB_DO_HYPNOTIC_GAZE, offers_gaze(s, f), out);
    offers_list(s, f, BB_DO_PICKUP_TEAM_MATE, offers_mates(s, f), out);
    if (passes && bb_carries(s, f->player))
        offers_pass(s, f, BB_DO_PASS, out);
    offers_end(f, out);
}

void bb_block_action_choices(const struct bb_state *s, const struct bb_frame *f,
                             struct bb_choices *out)
{
    offers_blocks(s, f, out);
    offers_end(f, out);
}

/* --- is there anything to do but to end? --- */

static bool offers_way(const struct bb_state *s, const struct bb_frame *f)
{
    if (offers_paths(s))
        return bb_path_exists(s, f);
    if (offers_move(s, f->player).count)
        return true;
    return !s->paths &&
           ((f->procedure == BB_BLITZ_ACTION && offers_block(s, f->player, true).count) ||
            (f->procedure == BB_HANDOFF_ACTION && offers_handoff(s, f->player).count) ||
            (f->procedure == BB_FOUL_ACTION && offers_foul(s, f->player).count));
}

bool bb_activation_only_ends(const struct bb_state *s, const struct bb_frame *f)
{
    if (f->procedure == BB_BLOCK_ACTION)
        return !(f->bits & BB_ACTION_UNDO) && !offers_block(s, f->player, false).count;
    if (f->procedure < BB_MOVE_ACTION || f->procedure > BB_FOUL_ACTION ||
        f->bits & BB_ACTION_UNDO || !bb_is(s, f->player, BB_UP))
        return false;
    if (f->procedure == BB_PASS_ACTION && (f->other != BB_NONE || bb_carries(s, f->player)))
        return false;
    return !offers_way(s, f) && !offers_leap(s, f->player).count && !offers_gaze(s, f).count &&
           !offers_mates(s, f).count;
}
