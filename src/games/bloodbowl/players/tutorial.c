/* The player "tutorial": the search that botbowl's tutorial publishes. */
#include "games/bloodbowl/players/tutorial.h"
#include "base/rng.h"
#include "games/bloodbowl/players/bot.h"
#include "games/bloodbowl/rules.h"
#include "games/bloodbowl/table.h"

#include <banyan/options.h>
#include <banyan/search.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Use of the spare bytes.  Home team: 1 + the player who searches.  Away team: these flags.  The
 * state itself: a number that is drawn anew after every action, unless SPARE_SAME is set. */
enum { SPARE_SAME = 1, SPARE_BOUNDED = 2 };

enum tutorial_order { TUTORIAL_FIRST, TUTORIAL_RANDOM };
enum tutorial_hash { TUTORIAL_NEVER, TUTORIAL_STATE };
enum tutorial_value { TUTORIAL_PUBLISHED, TUTORIAL_BOUNDED };
static const char *const tutorial_orders[] = {"first", "random", NULL};
static const char *const tutorial_hashes[] = {"never", "state", NULL};
static const char *const tutorial_values[] = {"published", "bounded", NULL};

struct tutorial_settings {
    int order, hash, value;
    bool rollout;
    int64_t simulations;
    uint64_t memory_bytes;
    double time_ms;
};

struct tutorial {
    struct tutorial_settings settings;
    struct banyan_evaluator evaluator;
    struct banyan_search *search;
    int seat;
};

#define AT(member) offsetof(struct tutorial_settings, member)
static const struct banyan_option tutorial_table[] = {
    {"simulations", BANYAN_OPTION_INT64, AT(simulations), 0, 1e12, NULL, 0,
     "simulations per decision; 0: no limit"},
    {"time", BANYAN_OPTION_TIME, AT(time_ms), 0, 1e9, NULL, 0, "time per decision; 0: no limit"},
    {"rollout", BANYAN_OPTION_BOOL, AT(rollout), 0, 0, NULL, 0,
     "play random actions until a turn counter changes, then evaluate"},
    {"order", BANYAN_OPTION_CHOICE, AT(order), 0, 0, tutorial_orders, 0,
     "order in which untried children are visited"},
    {"hash", BANYAN_OPTION_CHOICE, AT(hash), 0, 0, tutorial_hashes, 0,
     "which outcomes count as the same: never any, or those with the same state"},
    {"value", BANYAN_OPTION_CHOICE, AT(value), 0, 0, tutorial_values, 0,
     "published: a lost game is -1; bounded: all values are in 0..1"},
    {"memory", BANYAN_OPTION_SIZE, AT(memory_bytes), 1 << 20, 1e12, NULL, 0, "memory of the tree"},
    {0},
};
#undef AT

/* --- values --- */

static float tutorial_side(const struct bb_state *s, int team)
{
    const struct bb_team *t = &s->team[team];
    float sum = (float)t->score / 10;
    int carrier = s->ball_out && s->ball_carried ? bb_at(s, s->ball) : BB_NONE;
    if (carrier != BB_NONE && bb_team_of(carrier) == team)
        sum += 1 / 20.0f;
    sum -= (float)(t->listed[BB_CASUALTIES] + t->listed[BB_DUNGEON]) / 30;
    sum -= (float)t->listed[BB_KO] / 50;
    for (int i = bb_first(team); i < bb_end(s, team); ++i) {
        if (!bb_on_pitch(s, i) || bb_is(s, i, BB_UP))
            continue;
        sum -= bb_is(s, i, BB_STUNNED) ? 1 / 100.0f : 1 / 200.0f;
    }
    return sum;
}

/* Returns for both players: the opponent of the player who searches gets 1 - value. */
static void tutorial_returns(const struct banyan_game *game, const void *state, float *out)
{
    const struct bb_state *s = state;
    int viewer = s->team[BB_HOME].spare - 1, other = bb_opponent(viewer);
    bool bounded = s->team[BB_AWAY].spare & SPARE_BOUNDED;
    float value = 0.5f + tutorial_side(s, viewer) - tutorial_side(s, other);
    if (s->over) {
        int lead = s->team[viewer].score - s->team[other].score;
        value = lead > 0 ? 1 : lead == 0 ? 0.5f : bounded ? 0 : -1;
    }
    if (bounded)
        value = value < 0 ? 0 : value > 1 ? 1 : value;
    out[viewer] = value;
    out[other] = 1 - value;
}

/* Plays random actions until a team's turn counter changes. */
static void tutorial_rollout(struct bb_state *s, struct banyan_rng *rng)
{
    struct banyan_dice dice;
    int home = s->team[BB_HOME].turn, away = s->team[BB_AWAY].turn;
    banyan_dice_drawn(&dice, rng);
    while (!s->over && s->team[BB_HOME].turn == home && s->team[BB_AWAY].turn == away) {
        struct bb_action action = bb_random_action(s, rng);
        bb_apply(s, &action, &dice);
    }
}

static enum banyan_status tutorial_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                            struct banyan_error *err)
{
    const struct tutorial_settings *settings = ctx;
    struct bb_state copy;
    (void)err;
    for (int i = 0; i < n; ++i) {
        const struct bb_state *s = leaves[i].state;
        if (settings->rollout) {
            copy = *s;
            tutorial_rollout(&copy, leaves[i].rng);
            s = &copy;
        }
        tutorial_returns(leaves[i].game, s, leaves[i].values);
    }
    return BANYAN_OK;
}

/* --- the game: teams are set up by formations only; the option hash decides which outcomes are
 * equal --- */

static bool tutorial_sets_up(const struct bb_state *s)
{
    return s->depth > 0 && !s->over && s->frame[s->depth - 1].procedure == BB_SETUP;
}

static bool tutorial_is_formation(banyan_action action)
{
    int type = action & 63;
    return type >= BB_DO_SETUP_FORMATION_WEDGE && type <= BB_DO_SETUP_FORMATION_SPREAD;
}

/* Only formations are legal at the start of a set-up.  If there is none, or the chosen one does not
 * complete the set-up, all actions are legal. */
static int tutorial_list(const struct bb_state *s, banyan_action *out)
{
    int n = bb_legal(s, out), kept = 0;
    if (!tutorial_sets_up(s) || s->idle > 0)
        return n;
    for (int i = 0; i < n; ++i)
        if (tutorial_is_formation(out[i]))
            out[kept++] = out[i];
    return kept ? kept : n;
}

static int tutorial_legal(const struct banyan_game *game, const void *state, int player,
                          banyan_action *out)
{
    return tutorial_list(state, out);
}

static void tutorial_apply(const struct banyan_game *game, void *state, const banyan_action joint[],
                           struct banyan_dice *dice)
{
    struct bb_state *s = state;
    int team = bb_asked(s);
    struct bb_action action = bb_action_unpack(s, joint[team]);
    bool formed = tutorial_sets_up(s) && tutorial_is_formation(joint[team]);
    bb_apply(s, &action, dice);
    if (formed && tutorial_sets_up(s) && bb_asked(s) == team && bb_setup_legal(s, team)) {
        action =
            (struct bb_action){.type = BB_DO_END_SETUP, .player = BB_NONE, .square = BB_NOWHERE};
        bb_apply(s, &action, dice);
    }
    if (s->team[BB_AWAY].spare & SPARE_SAME)
        return;
    uint32_t mark = (uint32_t)banyan_dice_roll(dice, BB_DIE_COIN, 1 << 15) << 15;
    mark |= (uint32_t)banyan_dice_roll(dice, BB_DIE_COIN, 1 << 15);
    memcpy(s->spare, &mark, sizeof mark);
}

static uint64_t tutorial_key(const struct banyan_game *game, const void *state, int viewer)
{
    const struct bb_state *s = state;
    if (s->team[BB_AWAY].spare & SPARE_SAME)
        return bloodbowl_variant(s->variant)->key(bloodbowl_variant(s->variant), state, viewer);
    uint32_t mark;
    memcpy(&mark, s->spare, sizeof mark);
    return rng_mix(mark);
}

static unsigned tutorial_movers(const struct banyan_game *game, const void *state)
{
    int team = bb_asked(state);
    return team == BB_NOBODY ? 0 : 1u << team;
}

static enum banyan_status tutorial_init(const struct banyan_game *game, void *state,
                                        const char *setup, struct banyan_rng *rng,
                                        struct banyan_error *err)
{
    (void)state, (void)setup, (void)rng;
    return banyan_fail(err, BANYAN_UNSUPPORTED,
                       "the tutorial's game has no setups: it starts from a state of Blood Bowl");
}

static int tutorial_format(const struct banyan_game *game, const void *state, char *out,
                           size_t size)
{
    const struct bb_state *s = state;
    return bloodbowl_variant(s->variant)->format(bloodbowl_variant(s->variant), state, out, size);
}

static int tutorial_action_format(const struct banyan_game *game, const void *state, int player,
                                  banyan_action action, char *out, size_t size)
{
    const struct bb_state *s = state;
    return bloodbowl_variant(s->variant)
        ->action_format(bloodbowl_variant(s->variant), state, player, action, out, size);
}

static enum banyan_status tutorial_action_parse(const struct banyan_game *game, const void *state,
                                                int player, const char *text, banyan_action *out,
                                                struct banyan_error *err)
{
    const struct bb_state *s = state;
    return bloodbowl_variant(s->variant)
        ->action_parse(bloodbowl_variant(s->variant), state, player, text, out, err);
}

static const struct banyan_game tutorial_game = {
    .struct_size = sizeof(struct banyan_game),
    .name = "bloodbowl-tutorial",
    .title = "Blood Bowl as the tutorial searches it",
    .players = 2,
    .state_size = sizeof(struct bb_state),
    .action_bytes = 8,
    .max_legal = BB_MAX_LEGAL,
    .max_plies = BB_MAX_PLIES,
    .return_min = -1,
    .return_max = 2,
    .traits = BANYAN_CHANCE | BANYAN_ZERO_SUM,
    .init = tutorial_init,
    .movers = tutorial_movers,
    .legal = tutorial_legal,
    .apply = tutorial_apply,
    .returns = tutorial_returns,
    .key = tutorial_key,
    .format = tutorial_format,
    .action_format = tutorial_action_format,
    .action_parse = tutorial_action_parse,
    .dice_kinds = bb_die_names,
};

/* --- the player --- */

static void tutorial_root(struct bb_state *s, int seat, const struct tutorial_settings *settings)
{
    unsigned bits = (settings->hash == TUTORIAL_STATE ? SPARE_SAME : 0u) |
                    (settings->value == TUTORIAL_BOUNDED ? SPARE_BOUNDED : 0u);
    s->team[BB_HOME].spare = (uint8_t)(seat + 1);
    s->team[BB_AWAY].spare = (uint8_t)bits;
}

/* A node with n visits has a child with n_j.  The tutorial's value + 2 c sqrt(2 ln n / n_j) with
 * c = 0.707 is this search's mean + 2 Cp sqrt(ln n / n_j) with `exploration` Cp = 0.707 sqrt 2. */
static enum banyan_status tutorial_create(struct tutorial *t, uint64_t seed,
                                          struct banyan_error *err)
{
    struct banyan_search_options options;
    banyan_search_options_default(&options);
    options.rule = BANYAN_RULE_UCB1;
    options.exploration = 0.707 * 1.41421356;
    options.raw_rewards = true;
    options.children_first = true;
    options.order = t->settings.order == TUTORIAL_FIRST ? BANYAN_ORDER_FIRST : BANYAN_ORDER_RANDOM;
    options.final = BANYAN_FINAL_ROBUST;
    options.reuse = false;
    options.memory_bytes = t->settings.memory_bytes;
    options.seed = seed;
    banyan_search_destroy(t->search);
    t->search = NULL;
    return banyan_search_create(&t->search, &tutorial_game, &options, &t->evaluator, err);
}

static enum banyan_status tutorial_open(void *ctx, const void *state, int seat, uint64_t seed,
                                        struct banyan_error *err)
{
    struct tutorial *t = ctx;
    (void)state;
    t->seat = seat;
    return tutorial_create(t, banyan_rng_child(seed, "tutorial", 0), err);
}

static enum banyan_status tutorial_choose(void *ctx, const void *state,
                                          const struct banyan_player_clock *clock,
                                          struct banyan_player_move *out, struct banyan_error *err)
{
    struct tutorial *t = ctx;
    struct bb_state root = *(const struct bb_state *)state;
    banyan_action legal[BB_MAX_LEGAL];
    struct banyan_search_move move;
    struct banyan_search_stats stats;
    tutorial_root(&root, t->seat, &t->settings);
    *out = (struct banyan_player_move){.value = (double)NAN};
    if (tutorial_list(&root, legal) == 1 || (tutorial_sets_up(&root) && root.idle > 0)) {
        out->action = legal[0];
        bool formed = tutorial_sets_up(&root) && root.idle > 0 && bb_setup_legal(&root, t->seat);
        if (formed)
            out->action = bb_action_pack(&(struct bb_action){
                .type = BB_DO_END_SETUP, .player = BB_NONE, .square = BB_NOWHERE});
        return BANYAN_OK;
    }
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = t->settings.simulations,
                                          .time_ms = t->settings.time_ms,
                                          .stop = clock ? clock->stop : NULL};
    enum banyan_status status = banyan_search_set_root(t->search, &root, t->seat, err);
    if (status == BANYAN_OK)
        status = banyan_search_run(t->search, &limits, err);
    if (status == BANYAN_OK)
        status = banyan_search_choose(t->search, t->seat, &move, err);
    if (status != BANYAN_OK)
        return status;
    banyan_search_stats(t->search, &stats, sizeof stats);
    out->action = move.action;
    out->value = move.mean;
    out->simulations = stats.simulations;
    out->visits = move.visits;
    return BANYAN_OK;
}

static void tutorial_close(void *ctx)
{
    struct tutorial *t = ctx;
    banyan_search_destroy(t->search);
    free(t);
}

static enum banyan_status tutorial_make(const char *args, struct tutorial **out,
                                        struct banyan_error *err)
{
    struct tutorial *t = *out = calloc(1, sizeof *t);
    if (!t)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for player 'tutorial'");
    t->settings.memory_bytes = (uint64_t)64 << 20;
    enum banyan_status status = banyan_options_parse(tutorial_table, &t->settings, args, err);
    if (t->settings.simulations == 0 && t->settings.time_ms <= 0)
        t->settings.simulations = 1000;
    t->evaluator = (struct banyan_evaluator){.struct_size = sizeof(struct banyan_evaluator),
                                             .name = "tutorial",
                                             .reentrant = true,
                                             .ctx = &t->settings,
                                             .evaluate = tutorial_evaluate};
    return status;
}

enum banyan_status tutorial_player(const struct banyan_game *game, const char *args,
                                   const struct banyan_offer *offers, uint64_t seed,
                                   struct banyan_player *out, struct banyan_error *err)
{
    struct tutorial *t;
    (void)game, (void)seed;
    enum banyan_status status = tutorial_make(args, &t, err);
    if (status == BANYAN_OK)
        *out = (struct banyan_player){.struct_size = sizeof(struct banyan_player),
                                      .ctx = t,
                                      .open = tutorial_open,
                                      .choose = tutorial_choose,
                                      .close = tutorial_close};
    else if (t)
        tutorial_close(t);
    return status;
}

/* --- measuring the player's speed --- */

/* The script plays to the first decision of an ordinary turn. */
static void tutorial_first_turn(struct bb_state *s, struct banyan_dice *dice)
{
    struct bot_plan plan[2];
    bool planned[2] = {false, false};
    const struct bb_frame *turn;
    while (!bot_plans_now(s) || !(turn = bb_turn_frame(s)) ||
           turn->bits & (BB_TURN_IS_BLITZ | BB_TURN_IS_QUICK_SNAP)) {
        int team = bb_asked(s);
        struct bb_action a = bot_next(&bot_usual, s, &plan[team], &planned[team]);
        bb_apply(s, &a, dice);
    }
}

enum banyan_status tutorial_measure(int variant, const char *args, double seconds,
                                    struct tutorial_rate *out, struct banyan_error *err)
{
    const struct banyan_game *game = bloodbowl_variant(variant);
    struct bb_state root;
    struct banyan_rng rng;
    struct banyan_dice dice;
    struct tutorial *t = NULL;
    struct banyan_search_stats stats;
    banyan_action legal[BB_MAX_LEGAL];
    banyan_rng_seed(&rng, 1);
    banyan_dice_drawn(&dice, &rng);
    enum banyan_status status = game->init(game, &root, "mode=path ask=human", &rng, err);
    if (status == BANYAN_OK)
        status = tutorial_make(args, &t, err);
    if (status == BANYAN_OK)
        status = tutorial_create(t, 1, err);
    if (status == BANYAN_OK) {
        tutorial_first_turn(&root, &dice);
        tutorial_root(&root, bb_asked(&root), &t->settings);
        out->actions = tutorial_legal(game, &root, bb_asked(&root), legal);
        status = banyan_search_set_root(t->search, &root, bb_asked(&root), err);
    }
    if (status == BANYAN_OK)
        status = banyan_search_run(
            t->search,
            &(struct banyan_search_limits){.struct_size = sizeof(struct banyan_search_limits),
                                           .time_ms = seconds * 1000},
            err);
    if (status == BANYAN_OK) {
        banyan_search_stats(t->search, &stats, sizeof stats);
        out->per_s = (double)stats.simulations / stats.elapsed_ms * 1000;
        out->iterations = stats.simulations;
        out->nodes = stats.nodes;
    }
    if (t)
        tutorial_close(t);
    return status;
}
