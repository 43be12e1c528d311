/* A team's turn and the activations it offers
 * (docs/games/bloodbowl-rules.md, "Turns and activations"). */
#include "games/bloodbowl/rules.h"

void bb_turn_start(struct bb_play *p, struct bb_frame *f)
{
    struct bb_state *s = p->s;
    s->current = f->team;
    s->idle = 0;
    if (f->bits & (BB_TURN_IS_BLITZ | BB_TURN_IS_QUICK_SNAP))
        return;
    s->team[f->team].turn = (uint8_t)f->number;
    bb_run_team(p, BB_TURN_STUNNED, f->team);
}

/* The bit of START_MOVE .. START_THROW_BOMB in the set of actions that a player may start. */
#define TURN_BIT(name) (1u << (BB_DO_##name - BB_DO_START_MOVE))

static bool turn_opponent_by(const struct bb_state *s, int player, bool standing)
{
    int square = s->player[player].square;
    unsigned around = bb_around(s, square, bb_opponent(bb_team_of(player)));
    for (int i = 0; i < 8; ++i)
        if (around >> i & 1 && bb_is(s, bb_at(s, square + bb_direction(s, i)), BB_UP) == standing)
            return true;
    return false;
}

static unsigned turn_offers(const struct bb_state *s, const struct bb_frame *f, int player)
{
    bool rooted = bb_is(s, player, BB_ROOTED), up = bb_is(s, player, BB_UP);
    unsigned offers = 0;
    if (!rooted)
        offers |= TURN_BIT(START_MOVE) | (f->bits & BB_TURN_BLITZ ? TURN_BIT(START_BLITZ) : 0);
    if (!rooted || bb_under_ball(s, player))
        offers |= (f->bits & BB_TURN_PASS ? TURN_BIT(START_PASS) : 0) |
                  (f->bits & BB_TURN_HANDOFF ? TURN_BIT(START_HANDOFF) : 0);
    if (f->bits & BB_TURN_FOUL && (!rooted || turn_opponent_by(s, player, false)))
        offers |= TURN_BIT(START_FOUL);
    if (!(f->bits & (BB_TURN_IS_BLITZ | BB_TURN_IS_QUICK_SNAP)) &&
        (up || bb_skilled(s, player, BB_SKILL_JUMP_UP)) && turn_opponent_by(s, player, true))
        offers |= TURN_BIT(START_BLOCK);
    if (up && bb_skilled(s, player, BB_SKILL_BOMBARDIER))
        offers |= TURN_BIT(START_THROW_BOMB);
    return offers;
}

void bb_turn_choices(const struct bb_state *s, const struct bb_frame *f, struct bb_choices *out)
{
    unsigned offers[BB_TEAM_MAX] = {0};
    int first = bb_first(f->team);
    for (int i = first; i < bb_end(s, f->team); ++i) {
        if (!bb_on_pitch(s, i) || bb_is(s, i, BB_USED))
            continue;
        if (f->bits & BB_TURN_IS_BLITZ && bb_zones(s, i, s->player[i].square) > 0)
            continue;
        offers[i - first] = turn_offers(s, f, i);
    }
    for (int type = BB_DO_START_MOVE; type <= BB_DO_START_THROW_BOMB; ++type) {
        bb_offer(out, type, f->team);
        for (int i = 0; i < s->team[f->team].players; ++i)
            if (offers[i] >> (type - BB_DO_START_MOVE) & 1)
                bb_offer_player(out, first + i);
        bb_offer_end(out);
    }
    bb_offer(out, BB_DO_END_TURN, f->team);
}

/* Queues the rolls for the player's negative traits in their order. */
static void turn_run_traits(struct bb_play *p, int player, int type)
{
    static const struct {
        uint8_t skill, procedure;
    } traits[] = {{BB_SKILL_BLOOD_LUST, BB_BLOOD_LUST},
                  {BB_SKILL_TAKE_ROOT, BB_TAKE_ROOT},
                  {BB_SKILL_WILD_ANIMAL, BB_WILD_ANIMAL},
                  {BB_SKILL_REALLY_STUPID, BB_REALLY_STUPID},
                  {BB_SKILL_BONE_HEAD, BB_BONE_HEAD}};
    for (size_t i = 0; i < sizeof traits / sizeof *traits; ++i) {
        if (!bb_skilled(p->s, player, traits[i].skill) ||
            (traits[i].procedure == BB_TAKE_ROOT && bb_is(p->s, player, BB_ROOTED)))
            continue;
        /* phase 1: for a block; 2: for a blitz */
        bb_run_for(p, traits[i].procedure, player)->phase = type == BB_DO_START_BLOCK   ? 1
                                                            : type == BB_DO_START_BLITZ ? 2
                                                                                        : 0;
    }
}

static void turn_use(struct bb_state *s, int type, bool given_back);

bool bb_turn_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    static const uint8_t activation[] = {
        [BB_DO_START_MOVE] = BB_MOVE_ACTION,       [BB_DO_START_BLOCK] = BB_BLOCK_ACTION,
        [BB_DO_START_BLITZ] = BB_BLITZ_ACTION,     [BB_DO_START_PASS] = BB_PASS_ACTION,
        [BB_DO_START_FOUL] = BB_FOUL_ACTION,       [BB_DO_START_HANDOFF] = BB_HANDOFF_ACTION,
        [BB_DO_START_THROW_BOMB] = BB_BOMB_ACTION,
    };
    struct bb_state *s = p->s;
    (void)f;
    if (a->type == BB_DO_END_TURN) {
        s->active = BB_NONE;
        bb_run(p, BB_END_TURN);
        return true;
    }
    s->active = a->player;
    bb_clear(s, a->player, BB_HYPNOTIZED);
    if (!bb_quirk(s, BB_QUIRK_TRAIT_KEEPS_ACTION))
        turn_use(s, activation[a->type], false);
    turn_run_traits(p, a->player, a->type);
    bb_run_for(p, activation[a->type], a->player);
    return false;
}

/* --- what all activations have in common --- */

static unsigned turn_resource(int procedure)
{
    switch (procedure) {
    case BB_BLITZ_ACTION:
        return BB_TURN_BLITZ;
    case BB_PASS_ACTION:
        return BB_TURN_PASS;
    case BB_HANDOFF_ACTION:
        return BB_TURN_HANDOFF;
    case BB_FOUL_ACTION:
        return BB_TURN_FOUL;
    default:
        return 0;
    }
}

static void turn_use(struct bb_state *s, int procedure, bool given_back)
{
    struct bb_frame *turn = bb_top_turn(s);
    unsigned resource = turn_resource(procedure);
    if (turn)
        turn->bits = (uint16_t)(given_back ? turn->bits | resource : turn->bits & ~resource);
}

void bb_activation_start(struct bb_play *p, struct bb_frame *f)
{
    static const uint8_t kind[BB_PROCEDURES] = {
        [BB_MOVE_ACTION] = BB_ACT_MOVE, [BB_BLITZ_ACTION] = BB_ACT_BLITZ,
        [BB_PASS_ACTION] = BB_ACT_PASS, [BB_HANDOFF_ACTION] = BB_ACT_HANDOFF,
        [BB_FOUL_ACTION] = BB_ACT_FOUL, [BB_BLOCK_ACTION] = BB_ACT_BLOCK,
        [BB_BOMB_ACTION] = BB_ACT_BOMB,
    };
    struct bb_state *s = p->s;
    if (f->bits & BB_ACTION_DUMP_OFF && !bb_quirk(s, BB_QUIRK_DUMP_OFF))
        return; /* it is the other team's turn */
    s->activation = kind[f->procedure];
    turn_use(s, f->procedure, false);
    bool blocks = f->procedure == BB_BLOCK_ACTION || f->procedure == BB_BOMB_ACTION;
    if (s->team[bb_team_of(f->player)].human && (blocks || !bb_is(s, f->player, BB_TRAIT_FAILED)))
        f->bits |= BB_ACTION_UNDO;
}

int bb_activation_asks(const struct bb_state *s, const struct bb_frame *f)
{
    return s->path_left ? BB_NOBODY : bb_team_of(f->player);
}

static void turn_undo(struct bb_play *p, const struct bb_frame *f)
{
    turn_use(p->s, f->procedure, true);
    if (p->s->idle < BB_MAX_IDLE)
        ++p->s->idle;
    bb_run(p, BB_UNDO);
}

/* --- moving, in all activations except block and bomb --- */

static int turn_rise_cost(const struct bb_state *s, int player)
{
    int ma = bb_ma(s, player);
    return bb_skilled(s, player, BB_SKILL_JUMP_UP) ? 0 : ma < 3 ? ma : 3;
}

static void turn_stand_up(struct bb_play *p, int player)
{
    struct bb_state *s = p->s;
    bool rolls = !bb_skilled(s, player, BB_SKILL_JUMP_UP) && bb_ma(s, player) < 3;
    bb_run_for(p, BB_STAND_UP, player)->phase = rolls;
    s->player[player].moves = (uint8_t)(s->player[player].moves + turn_rise_cost(s, player));
}

static void turn_move(struct bb_play *p, int player, int square)
{
    struct bb_state *s = p->s;
    struct bb_player *who = &s->player[player];
    struct bb_frame *move = bb_run_for(p, BB_MOVE, player);
    move->square = (uint16_t)square;
    if (who->moves + 1 > bb_ma(s, player))
        move->bits |= BB_A; /* goes for it */
    if (!bb_quick_snap(s) && !bb_has(who, BB_SKILL_BALL_AND_CHAIN) &&
        bb_zones(s, player, who->square) > 0)
        move->bits |= BB_B; /* dodges */
    ++who->moves;
}

static void turn_leap(struct bb_play *p, int player, int square)
{
    struct bb_state *s = p->s;
    struct bb_player *who = &s->player[player];
    int distance = bb_distance(who->square, square);
    int beyond = who->moves + distance - bb_ma(s, player);
    if (beyond > distance &&
        !bb_quirk(s, BB_QUIRK_LEAP_GFI)) /* going for it on earlier squares has been rolled
                                          * already */
        beyond = distance;
    for (int i = 0; i < beyond; ++i)
        bb_run_for(p, BB_GFI, player)->square = (uint16_t)square;
    bb_run_for(p, BB_LEAP, player)->square = (uint16_t)square;
    who->moves = (uint8_t)(who->moves + distance);
}

/* --- what ends an activation --- */

static bool turn_blitz(struct bb_play *p, int player, int type, int square)
{
    struct bb_state *s = p->s;
    int defender = bb_at(s, square), cost = 1;
    int left = bb_moves_left(s, player, false), all = bb_moves_left(s, player, true);
    if (!bb_is(s, player, BB_UP)) {
        if (bb_quirk(s, BB_QUIRK_BLITZ_STAND_UP))
            cost += bb_skilled(s, player, BB_SKILL_JUMP_UP) ? 0 : 3;
        else
            left -= turn_rise_cost(s, player), all -= turn_rise_cost(s, player);
        turn_stand_up(p, player);
    }
    s->player[player].moves = (uint8_t)(s->player[player].moves + cost);
    if (type == BB_DO_STAB) {
        struct bb_frame *stab = bb_run_for(p, BB_STAB, player);
        stab->other = (uint8_t)defender;
        stab->phase = left < cost;
        bb_run_for(p, BB_END_PLAYER_TURN, player);
        return true;
    }
    bb_run_block(p, player, defender, true, false, left < cost);
    if (bb_skilled(s, player, BB_SKILL_FRENZY) && all >= cost + 1)
        bb_run_block(p, player, defender, true, true, left < cost + 1);
    return false;
}

static bool turn_hand_off(struct bb_play *p, int player, int square)
{
    struct bb_frame *handoff = bb_run_for(p, BB_HANDOFF, player);
    handoff->square = (uint16_t)square;
    bb_run_for(p, BB_END_PLAYER_TURN, player);
    return true;
}

static bool turn_foul(struct bb_play *p, int player, int square)
{
    bb_run_for(p, BB_FOUL, player)->other = (uint8_t)bb_at(p->s, square);
    bb_run_for(p, BB_END_PLAYER_TURN, player);
    return true;
}

static bool turn_gaze(struct bb_play *p, int player, int square)
{
    bb_run_for(p, BB_HYPNOTIC_GAZE, player)->other = (uint8_t)bb_at(p->s, square);
    bb_run_for(p, BB_END_PLAYER_TURN, player);
    return true;
}

static bool turn_pass(struct bb_play *p, const struct bb_frame *f, int square)
{
    bool dump_off = f->bits & BB_ACTION_DUMP_OFF;
    struct bb_frame *pass = bb_run_for(p, BB_PASS_ATTEMPT, f->player);
    pass->square = (uint16_t)square;
    pass->bits = dump_off ? BB_PASS_DUMP_OFF : 0;
    if (!dump_off) {
        turn_use(p->s, BB_PASS_ACTION, false);
        bb_run_for(p, BB_END_PLAYER_TURN, f->player);
    }
    return true;
}

static bool turn_pick_up_mate(struct bb_play *p, struct bb_frame *f, int square)
{
    struct bb_state *s = p->s;
    f->other = (uint8_t)bb_at(s, square);
    bb_set(s, f->other, BB_IN_AIR);
    s->pitch[square] = 0;
    if (bb_skilled(s, f->player, BB_SKILL_ALWAYS_HUNGRY))
        bb_run_for(p, BB_ALWAYS_HUNGRY, f->player)->other = f->other;
    return false;
}

static bool turn_throw_mate(struct bb_play *p, struct bb_frame *f, int square)
{
    struct bb_frame *pass = bb_run_for(p, BB_PASS_ATTEMPT, f->player);
    pass->other = f->other;
    pass->square = (uint16_t)square;
    bb_run_for(p, BB_END_PLAYER_TURN, f->player);
    return true;
}

/* BLOCK, STAB, HANDOFF or FOUL against the player on the neighbouring square. */
static bool turn_act_on(struct bb_play *p, struct bb_frame *f, int type, int square)
{
    switch (type) {
    case BB_DO_FOUL:
        return turn_foul(p, f->player, square);
    case BB_DO_HANDOFF:
        return turn_hand_off(p, f->player, square);
    default:
        return turn_blitz(p, f->player, type, square);
    }
}

/* --- paths: one square per step of the engine (bloodbowl-rules.md, "Paths") --- */

static void turn_start_path(struct bb_state *s, int player, const struct bb_action *a)
{
    s->path = a->path;
    s->path_left = a->length;
    s->path_action = a->type;
    s->path_square = s->player[player].square;
}

static void turn_clear_path(struct bb_state *s)
{
    s->path = 0;
    s->path_left = s->path_action = 0;
    s->path_square = BB_NOWHERE;
}

static bool turn_follow(struct bb_play *p, struct bb_frame *f)
{
    struct bb_state *s = p->s;
    if (!bb_is(s, f->player, BB_UP) && !bb_quick_snap(s)) {
        turn_stand_up(p, f->player);
        return false;
    }
    int from = s->player[f->player].square;
    if (from != s->path_square && !bb_quirk(s, BB_QUIRK_PATH_JUMP)) {
        turn_clear_path(s); /* a player held by Tentacles does not finish the path */
        return false;
    }
    int to = s->path_square + bb_d8(s, s->path & 7), type = s->path_action;
    s->path >>= 3;
    s->path_square = (uint16_t)to;
    if (--s->path_left == 0)
        turn_clear_path(s);
    if (bb_at(s, to) != BB_NONE) {
        turn_clear_path(s);
        return type != BB_DO_MOVE && bb_adjacent(from, to) && turn_act_on(p, f, type, to);
    }
    turn_move(p, f->player, to);
    return false;
}

/* --- the step of Move, Blitz, Pass, Handoff and Foul actions --- */

static bool turn_act(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    switch (a->type) {
    case BB_DO_END_PLAYER_TURN:
        bb_run_for(p, BB_END_PLAYER_TURN, f->player);
        return true;
    case BB_DO_STAND_UP:
        turn_stand_up(p, f->player);
        return false;
    case BB_DO_LEAP:
        turn_leap(p, f->player, a->square);
        return false;
    case BB_DO_HYPNOTIC_GAZE:
        return turn_gaze(p, f->player, a->square);
    case BB_DO_PASS:
        return turn_pass(p, f, a->square);
    case BB_DO_PICKUP_TEAM_MATE:
        return turn_pick_up_mate(p, f, a->square);
    case BB_DO_THROW_TEAM_MATE:
        return turn_throw_mate(p, f, a->square);
    case BB_DO_DONT_USE_SKILL: /* the coach declined Dump-Off */
        return true;
    case BB_DO_MOVE:
        break;
    default:
        if (bb_adjacent(s->player[f->player].square, a->square))
            return turn_act_on(p, f, a->type, a->square);
    }
    if (a->length == 0) {
        turn_move(p, f->player, a->square);
        return false;
    }
    turn_start_path(s, f->player, a);
    return false;
}

bool bb_activation_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    if (a->type == BB_DO_NOTHING)
        return turn_follow(p, f);
    if (a->type == BB_DO_UNDO) {
        turn_undo(p, f);
        return true;
    }
    f->bits &= (uint16_t)~BB_ACTION_UNDO;
    return turn_act(p, f, a);
}

/* --- blocking without moving --- */

bool bb_block_action_step(struct bb_play *p, struct bb_frame *f, const struct bb_action *a)
{
    struct bb_state *s = p->s;
    int player = f->player;
    if (a->type == BB_DO_UNDO) {
        turn_undo(p, f);
        return true;
    }
    if (a->type == BB_DO_END_PLAYER_TURN) {
        bb_run_for(p, BB_END_PLAYER_TURN, player);
        return true;
    }
    int defender = bb_at(s, a->square);
    if (!bb_is(s, player, BB_UP))
        bb_run_for(p, BB_JUMP_UP, player);
    if (a->type == BB_DO_STAB) {
        bb_run_for(p, BB_STAB, player)->other = (uint8_t)defender;
    } else {
        bb_run_block(p, player, defender, false, false, false);
        if (bb_skilled(s, player, BB_SKILL_FRENZY))
            bb_run_block(p, player, defender, false, true, false);
    }
    bb_run_for(p, BB_END_PLAYER_TURN, player);
    return true;
}
