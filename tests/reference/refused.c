/* What a search refuses, and that a refusal changes nothing: the status of every wrong call that
 * the headers name, in a random game. */
#include "reference/pair.h"

#include "base/rng.h"
#include "search/create.h"

#include <banyan/exact.h>

#include <math.h>

/* --- making a search --- */

/* A search that is to be made: what banyan_search_create gets. */
struct making {
    struct banyan_game game;
    struct banyan_search_options options;
    struct banyan_evaluator evaluator;
};

static enum banyan_status make(const struct making *making)
{
    struct banyan_search *search = NULL;
    struct banyan_evaluator evaluator = making->evaluator;
    enum banyan_status status =
        banyan_search_create(&search, &making->game, &making->options, &evaluator, NULL);
    banyan_search_destroy(search);
    return status;
}

static struct making good_making(const struct pair *pair)
{
    struct making making = {pair->drawing->game, pair->drawing->options, pair->evaluator};
    making.options.memory_bytes = (uint64_t)4 << 20;
    making.options.root_pruning = 0; /* this option excludes many others */
    return making;
}

static void expect_status(struct pair *pair, const char *what, enum banyan_status found,
                          enum banyan_status right)
{
    compare_expect(pair, what, found, right);
}

static void refuse_sizes(struct pair *pair)
{
    struct making making = good_making(pair);
    struct banyan_search *search = NULL;
    expect_status(pair, "no game", BANYAN_INVALID,
                  banyan_search_create(&search, NULL, &making.options, &making.evaluator, NULL));
    expect_status(pair, "no options", BANYAN_INVALID,
                  banyan_search_create(&search, &making.game, NULL, &making.evaluator, NULL));
    expect_status(pair, "no evaluator", BANYAN_INVALID,
                  banyan_search_create(&search, &making.game, &making.options, NULL, NULL));
    making.game.struct_size = 0;
    expect_status(pair, "a game without a size", make(&making), BANYAN_INVALID);
    making.game.struct_size = sizeof making.game - 1;
    expect_status(pair, "a game of another size", make(&making), BANYAN_UNSUPPORTED);
    making = good_making(pair);
    making.evaluator.struct_size = sizeof making.evaluator + 1;
    expect_status(pair, "an evaluator of another size", make(&making), BANYAN_UNSUPPORTED);
    making = good_making(pair);
    making.options.struct_size = sizeof making.options + 1;
    expect_status(pair, "newer options", make(&making), BANYAN_UNSUPPORTED);
    making.options.struct_size = 0;
    expect_status(pair, "options without a size", make(&making), BANYAN_INVALID);
}

/* Options that exclude each other are refused. */
static void refuse_options(struct pair *pair)
{
    struct making making = good_making(pair);
    making.options.threads = -1;
    expect_status(pair, "fewer than no threads", make(&making), BANYAN_INVALID);
    making = good_making(pair);
    making.options.rule = BANYAN_RULE_GUMBEL;
    making.options.own_rule = NULL;
    making.options.draw = BANYAN_DRAW_ALL;
    expect_status(pair, "draw=all with gumbel", make(&making), BANYAN_UNSUPPORTED);
    making.options.draw = BANYAN_DRAW_HIDDEN;
    expect_status(pair, "draw=hidden with gumbel", make(&making), BANYAN_OK);
    making = good_making(pair);
    making.options.solver = BANYAN_SOLVER_ON;
    making.options.score_weight = 0;
    bool regret = making.options.rule == BANYAN_RULE_REGRET;
    making.options.transpositions = true;
    expect_status(pair, "solver=on with transpositions", make(&making), BANYAN_UNSUPPORTED);
    making.options.transpositions = false;
    bool proves = search_is_minimax(pair->whole) && !regret;
    expect_status(pair, "solver=on", make(&making), proves ? BANYAN_OK : BANYAN_UNSUPPORTED);
    making = good_making(pair);
    making.evaluator.reentrant = false;
    making.options.ensemble = making.options.threads = 1;
    expect_status(pair, "an evaluator for one thread", make(&making), BANYAN_OK);
    making.options.threads = 2;
    expect_status(pair, "such an evaluator in two threads", make(&making), BANYAN_UNSUPPORTED);
    making.options.threads = 1;
    making.options.ensemble = 2;
    expect_status(pair, "such an evaluator in two trees", make(&making), BANYAN_UNSUPPORTED);
}

static void refuse_game(struct pair *pair)
{
    bool hidden = pair->drawing->game.traits & BANYAN_HIDDEN;
    struct making making = good_making(pair);
    making.game.max_legal = 65535;
    making.options.memory_bytes = (uint64_t)64 << 20;
    expect_status(pair, "too many actions", make(&making), BANYAN_UNSUPPORTED);
    making = good_making(pair);
    making.game.determinize = NULL;
    making.options.sampler.sample = NULL;
    expect_status(pair, "hidden cards that nobody can draw", make(&making),
                  hidden ? BANYAN_UNSUPPORTED : BANYAN_OK);
    making = good_making(pair);
    making.options.batch = 4096;
    making.options.memory_bytes = 1 << 17;
    expect_status(pair, "too little memory", make(&making), BANYAN_NO_MEMORY);
}

/* --- a search without a root, and one that was not run --- */

static bool stay(void *ctx, const char *text, size_t length)
{
    return ctx && text && !length;
}

static void hear_line(void *ctx, const banyan_action *line, int length, uint64_t visits,
                      double mean)
{
    *(double *)ctx += (double)line[0] + (double)length + (double)visits + mean;
}

static void refuse_rootless(struct pair *pair, struct banyan_search *search)
{
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = 1};
    struct banyan_search_tree_view view = {.format = BANYAN_TREE_TEXT};
    struct banyan_search_move move;
    struct banyan_error err = {.message = ""};
    struct banyan_leaf leaf;
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    double sum = 0;
    int mover;
    bool regret = pair->drawing->options.rule == BANYAN_RULE_REGRET &&
                  pair->drawing->game.traits & (BANYAN_SIMULTANEOUS | BANYAN_HIDDEN);
    expect_status(pair, "a run without a root", banyan_search_run(search, &limits, NULL),
                  BANYAN_INVALID);
    expect_status(pair, "a choice without a root", banyan_search_choose(search, 0, &move, &err),
                  BANYAN_INVALID);
    compare_expect(pair, "why there is no choice", strstr(err.message, "has no root") != NULL, 1);
    expect_status(pair, "a walk without a root", banyan_search_walk(search, 1, NULL, NULL),
                  regret ? BANYAN_INVALID : BANYAN_UNSUPPORTED);
    expect_status(pair, "a line without a root",
                  banyan_search_add_line(search, joint, 1, 0, 0, NULL), BANYAN_INVALID);
    expect_status(pair, "lines without a root",
                  banyan_search_each_line(search, 0, hear_line, &sum, NULL), BANYAN_INVALID);
    expect_status(pair, "a picture without a root",
                  banyan_search_write_tree(search, &view, stay, NULL, NULL), BANYAN_INVALID);
    compare_expect(pair, "leaves without a root", banyan_search_select(search, &leaf, 1), 0);
    compare_expect(pair, "a line of moves without a root",
                   banyan_search_pv(search, joint, &mover, 1), 0);
    compare_expect(pair, "moving on without a root",
                   banyan_search_advance(search, joint, &pair->state), 0);
}

static void refuse_limits(struct pair *pair, struct banyan_search *search)
{
    struct banyan_search_limits limits = {.struct_size = sizeof limits};
    expect_status(pair, "no limits", banyan_search_run(search, NULL, NULL), BANYAN_INVALID);
    expect_status(pair, "limits of 0", banyan_search_run(search, &limits, NULL), BANYAN_INVALID);
    limits.simulations = -1;
    limits.time_ms = -1;
    expect_status(pair, "limits below 0", banyan_search_run(search, &limits, NULL), BANYAN_INVALID);
    limits.simulations = 1;
    limits.struct_size = 0;
    expect_status(pair, "limits without a size", banyan_search_run(search, &limits, NULL),
                  BANYAN_INVALID);
    limits.struct_size = sizeof limits + 1;
    expect_status(pair, "newer limits", banyan_search_run(search, &limits, NULL),
                  BANYAN_UNSUPPORTED);
}

static void refuse_root(struct pair *pair, struct banyan_search *search)
{
    struct random_game_state over = pair->state;
    int players = pair->drawing->game.players;
    over.ply = over.rules.plies;
    expect_status(pair, "a viewer that is no player",
                  banyan_search_set_root(search, &pair->state, players, NULL), BANYAN_INVALID);
    expect_status(pair, "a game that is over", banyan_search_set_root(search, &over, -1, NULL),
                  BANYAN_INVALID);
    expect_status(pair, "the last player as viewer",
                  banyan_search_set_root(search, &pair->state, players - 1, NULL), BANYAN_OK);
}

static void refuse_choice(struct pair *pair, struct banyan_search *search)
{
    const struct banyan_game *game = &pair->drawing->game;
    unsigned movers = game->movers(game, &pair->state);
    struct banyan_search_move move;
    for (int p = -1; p <= game->players; ++p) /* nothing was simulated yet, or it is not the turn */
        expect_status(pair, "a choice of nothing, or of nobody",
                      banyan_search_choose(search, p, &move, NULL), BANYAN_INVALID);
    struct banyan_search_limits limits = {.struct_size = sizeof limits, .simulations = 1};
    expect_status(pair, "one simulation", banyan_search_run(search, &limits, NULL), BANYAN_OK);
    for (int p = -1; p <= game->players; ++p)
        expect_status(pair, "the choice of a player", banyan_search_choose(search, p, &move, NULL),
                      p >= 0 && movers >> p & 1 ? BANYAN_OK : BANYAN_INVALID);
}

/* --- books, walks and pictures --- */

static void refuse_lines(struct pair *pair, struct banyan_search *search)
{
    const struct banyan_game *game = &pair->drawing->game;
    banyan_action line[64], actions[RANDOM_GAME_LEGAL];
    struct random_game_state state = pair->state;
    float low = game->return_min, high = game->return_max;
    double sum = 0;
    int length = 0;
    if (banyan_search_each_line(search, 0, hear_line, &sum, NULL) != BANYAN_OK) {
        line[0] = 0;
        expect_status(pair, "a line of a game without books",
                      banyan_search_add_line(search, line, 1, 1, (double)low, NULL),
                      BANYAN_UNSUPPORTED);
        return;
    }
    for (unsigned m; (m = game->movers(game, &state)) != 0; ++length) {
        banyan_action joint[BANYAN_MAX_PLAYERS];
        game->legal(game, &state, m & 1 ? 0 : 1, actions);
        line[length] = joint[0] = joint[1] = actions[0];
        game->apply(game, &state, joint, NULL);
    }
    line[length] = line[0];
    const struct {
        const char *what;
        int length;
        uint64_t visits;
        double mean;
        enum banyan_status right;
    } calls[] = {{"a line without actions", 0, 1, (double)low, BANYAN_INVALID},
                 {"a mean below the returns", 1, 1, (double)low - 0.5, BANYAN_INVALID},
                 {"a mean above the returns", 1, 1, (double)high + 0.5, BANYAN_INVALID},
                 {"no mean", 1, 1, NAN, BANYAN_INVALID},
                 {"a line that goes on behind the end", length + 1, 1, (double)low, BANYAN_ILLEGAL},
                 {"more visits than a book may have", 1, ((uint64_t)1 << 30) + 1, (double)low,
                  BANYAN_INVALID},
                 {"a line without visits", length, 0, NAN, BANYAN_OK},
                 {"a line to the end", length, 1, (double)low, BANYAN_OK},
                 {"a line of the highest mean", 1, 1, (double)high, BANYAN_OK}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
        expect_status(pair, calls[i].what,
                      banyan_search_add_line(search, line, calls[i].length, calls[i].visits,
                                             calls[i].mean, NULL),
                      calls[i].right);
    line[0] = 0;
    expect_status(pair, "an action that is not legal",
                  banyan_search_add_line(search, line, 1, 1, (double)low, NULL), BANYAN_ILLEGAL);
}

static void refuse_pictures(struct pair *pair, struct banyan_search *search)
{
    struct banyan_search_tree_view view = {.format = (enum banyan_search_tree_format)6};
    expect_status(pair, "a format that there is not",
                  banyan_search_write_tree(search, &view, stay, NULL, NULL), BANYAN_INVALID);
    for (int format = BANYAN_TREE_TEXT; format <= BANYAN_TREE_HTML; ++format) {
        view.format = (enum banyan_search_tree_format)format;
        view.depth = 1;
        expect_status(pair, "a picture that nobody takes",
                      banyan_search_write_tree(search, &view, stay, NULL, NULL), BANYAN_IO);
    }
}

/* Stopped before its first iteration a walk leaves all as it was. */
static void refuse_walk(struct pair *pair, struct banyan_search *search)
{
    struct banyan_error err = {.message = ""};
    banyan_flag stop = {0};
    uint64_t before = banyan_search_signature(search);
    bool regret = pair->drawing->options.rule == BANYAN_RULE_REGRET &&
                  pair->drawing->game.traits & (BANYAN_SIMULTANEOUS | BANYAN_HIDDEN);
    banyan_flag_set(&stop);
    expect_status(pair, "a walk that is stopped", banyan_search_walk(search, 2, &stop, &err),
                  regret ? BANYAN_INTERRUPTED : BANYAN_UNSUPPORTED);
    compare_expect(pair, "a stopped walk changes the tree",
                   banyan_search_signature(search) != before, 0);
}

/* --- what may be applied --- */

/* A joint action is legal if the action of each mover is.  Actions of players who do not move have
 * no effect.  The number 0 is never a legal action here. */
static void refuse_illegal(struct pair *pair, int max_legal)
{
    struct banyan_game game = pair->drawing->game;
    struct random_game_state over = pair->state;
    banyan_action actions[RANDOM_GAME_LEGAL], joint[BANYAN_MAX_PLAYERS] = {0};
    unsigned movers = game.movers(&game, &pair->state);
    game.max_legal = max_legal;
    over.ply = over.rules.plies;
    for (int p = 0; p < game.players; ++p)
        if (movers >> p & 1)
            joint[p] = actions[game.legal(&game, &pair->state, p, actions) - 1];
    compare_expect(pair, "a legal action", apply_is_legal(&game, &pair->state, joint), 1);
    compare_expect(pair, "an action after the end", apply_is_legal(&game, &over, joint), 0);
    for (int p = 0; p < game.players; ++p) {
        banyan_action kept = joint[p];
        joint[p] = 0;
        compare_expect(pair, "an action that may not be played",
                       apply_is_legal(&game, &pair->state, joint), !(movers >> p & 1));
        joint[p] = kept;
    }
}

/* --- all of it --- */

/* The amount of memory grows: at first it is too little, for the table or for the actions of a
 * level of the recursion; then it is enough, and from there on the value is always the same. */
static void refuse_small_memory(struct pair *pair, int max_legal)
{
    struct banyan_game wide = pair->drawing->game, *game = &wide;
    double first[BANYAN_MAX_PLAYERS] = {0}, values[BANYAN_MAX_PLAYERS];
    bool enough = false;
    wide.max_legal = max_legal;
    for (size_t bytes = 64; bytes <= (size_t)1 << 18 && pair->same; bytes += bytes / 2) {
        struct banyan_exact *exact = NULL;
        enum banyan_status status = banyan_exact_create(&exact, game, bytes, NULL);
        if (status == BANYAN_OK)
            status = banyan_exact_value(exact, &pair->state, values, NULL);
        if (!enough && status == BANYAN_OK)
            memcpy(first, values, sizeof first);
        expect_status(pair, "an exact value with little memory", status,
                      enough || status == BANYAN_OK ? BANYAN_OK : BANYAN_NO_MEMORY);
        enough = enough || status == BANYAN_OK;
        for (int p = 0; enough && p < game->players; ++p)
            compare_expect(pair, "an exact value with more memory", values[p], first[p]);
        if (exact && enough)
            compare_expect(
                pair, "states in that memory",
                (double)banyan_exact_states(exact) * (double)game->state_size < (double)bytes, 1);
        banyan_exact_destroy(exact);
    }
}

static void refuse_exact(struct pair *pair)
{
    const struct banyan_game *game = &pair->drawing->game;
    struct banyan_exact *exact = NULL;
    double values[BANYAN_MAX_PLAYERS];
    banyan_flag stop = {0};
    if (game->traits & (BANYAN_HIDDEN | BANYAN_SIMULTANEOUS))
        return;
    expect_status(pair, "exact values without memory", banyan_exact_create(&exact, game, 16, NULL),
                  BANYAN_NO_MEMORY);
    refuse_small_memory(pair, pair->drawing->game.max_legal);
    refuse_small_memory(pair, 3000);
    expect_status(pair, "exact values", banyan_exact_create(&exact, game, 1 << 20, NULL),
                  BANYAN_OK);
    banyan_flag_set(&stop);
    banyan_exact_set_stop(exact, &stop);
    expect_status(pair, "a stopped exact value",
                  banyan_exact_value(exact, &pair->state, values, NULL), BANYAN_INTERRUPTED);
    banyan_exact_destroy(exact);
}

static void refuse_evaluators(struct pair *pair)
{
    static const struct {
        const char *text;
        enum banyan_status right;
    } texts[] = {{"nonesuch", BANYAN_NOT_FOUND},
                 {"uniform:x", BANYAN_INVALID},
                 {"heuristic:x", BANYAN_INVALID},
                 {"script:", BANYAN_INVALID},
                 {"script:1 x", BANYAN_INVALID},
                 {"script:1 2  ", BANYAN_OK},
                 {"rollout:count=0", BANYAN_INVALID},
                 {"rollout:policy=x", BANYAN_NOT_FOUND},
                 {"rollout:policy=random", BANYAN_OK},
                 {"mixture:heuristic", BANYAN_INVALID},
                 {"mixture:weight=2,uniform|uniform", BANYAN_INVALID},
                 {"mixture:heuristic|nonesuch", BANYAN_NOT_FOUND},
                 {"mixture:nonesuch|heuristic", BANYAN_NOT_FOUND},
                 {"cache:size=0,uniform", BANYAN_INVALID},
                 {"cache:nonesuch", BANYAN_NOT_FOUND},
                 {"cache:size=3,mixture:weight=0.5,uniform|heuristic", BANYAN_OK}};
    const struct banyan_game *game = &pair->drawing->game;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        struct banyan_evaluator evaluator;
        expect_status(pair, texts[i].text,
                      banyan_evaluator_create(game, texts[i].text, NULL, &evaluator, NULL),
                      texts[i].right);
        banyan_evaluator_close(&evaluator);
    }
    struct banyan_game plain = *game;
    struct banyan_evaluator evaluator;
    plain.heuristic = NULL;
    expect_status(pair, "a heuristic that there is not",
                  banyan_evaluator_create(&plain, "heuristic", NULL, &evaluator, NULL),
                  BANYAN_UNSUPPORTED);
    plain.state_size = 8193;
    expect_status(pair, "rollouts of a large state",
                  banyan_evaluator_create(&plain, "rollout", NULL, &evaluator, NULL),
                  BANYAN_UNSUPPORTED);
}

void compare_refusals(struct pair *pair)
{
    struct making making = good_making(pair);
    struct banyan_search *search = NULL;
    refuse_sizes(pair);
    refuse_options(pair);
    refuse_game(pair);
    refuse_illegal(pair, pair->drawing->game.max_legal);
    refuse_illegal(pair, 5000);
    refuse_exact(pair);
    refuse_evaluators(pair);
    expect_status(
        pair, "a search", BANYAN_OK,
        banyan_search_create(&search, &making.game, &making.options, &making.evaluator, NULL));
    if (!search)
        return;
    refuse_rootless(pair, search);
    refuse_root(pair, search);
    refuse_limits(pair, search);
    refuse_choice(pair, search);
    refuse_walk(pair, search);
    refuse_pictures(pair, search);
    refuse_lines(pair, search);
    banyan_search_destroy(search);
}
