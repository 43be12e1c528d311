/* Plain second implementations of what the library offers beside the search: exact values, and
 * the evaluators of every game. */
#include "reference/pair.h"

#include "base/rng.h"

#include <banyan/exact.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- exact values --- */

enum { EXACT_STATES = 300 };

struct plain_exact {
    const struct banyan_game *game;
    struct random_game_state *met; /* [EXACT_STATES], no two equal */
    int met_count, left;
    double tolerance;
};

static void note_state(struct plain_exact *exact, const struct random_game_state *state)
{
    int at = 0;
    while (at < exact->met_count && memcmp(&exact->met[at], state, sizeof *state) != 0)
        ++at;
    if (at < EXACT_STATES)
        exact->met[at] = *state;
    exact->met_count += at == exact->met_count;
}

static bool value_of(struct plain_exact *exact, const struct random_game_state *state,
                     double *values);

/* The value of an action: its expectation over the dice. */
static bool value_behind(struct plain_exact *exact, const struct random_game_state *state,
                         int mover, banyan_action action, double *values)
{
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct banyan_dice dice;
    joint[mover] = action;
    memset(values, 0, BANYAN_MAX_PLAYERS * sizeof *values);
    banyan_dice_enumerated(&dice, NULL, 0);
    do {
        struct random_game_state next = *state;
        double outcome[BANYAN_MAX_PLAYERS];
        exact->game->apply(exact->game, &next, joint, &dice);
        if (!value_of(exact, &next, outcome))
            return false;
        for (int p = 0; p < exact->game->players; ++p)
            values[p] += dice.probability * outcome[p];
    } while (banyan_dice_advance(&dice));
    return true;
}

static int only_mover(unsigned movers)
{
    int mover = 0;
    while (!(movers >> mover & 1))
        ++mover;
    return mover;
}

/* The values that the mover's best action gives; of equal actions the first.  False: the game is
 * too large. */
static bool value_of(struct plain_exact *exact, const struct random_game_state *state,
                     double *values)
{
    const struct banyan_game *game = exact->game;
    banyan_action actions[RANDOM_GAME_LEGAL];
    unsigned movers = game->movers(game, state);
    float returns[BANYAN_MAX_PLAYERS];
    if (--exact->left < 0)
        return false;
    note_state(exact, state);
    if (!movers) {
        game->returns(game, state, returns);
        for (int p = 0; p < game->players; ++p)
            values[p] = (double)returns[p];
        return true;
    }
    int mover = only_mover(movers), count = game->legal(game, state, mover, actions);
    for (int i = 0; i < count; ++i) {
        double found[BANYAN_MAX_PLAYERS];
        if (!value_behind(exact, state, mover, actions[i], found))
            return false;
        if (i == 0 || found[mover] > values[mover] + exact->tolerance)
            memcpy(values, found, sizeof found);
    }
    return true;
}

static void compare_exact_rows(struct pair *pair, struct banyan_exact *kernel,
                               struct plain_exact *exact, const double *best)
{
    const struct banyan_game *game = exact->game;
    struct banyan_exact_action rows[RANDOM_GAME_LEGAL];
    banyan_action actions[RANDOM_GAME_LEGAL];
    double values[BANYAN_MAX_PLAYERS];
    int mover = only_mover(game->movers(game, &pair->state)), rows_count = 0;
    int count = game->legal(game, &pair->state, mover, actions);
    exact->left = EXACT_STATES;
    compare_expect(pair, "the status of exact actions", BANYAN_OK,
                   banyan_exact_actions(kernel, &pair->state, rows, &rows_count, NULL));
    compare_expect(pair, "exact actions", rows_count, count);
    for (int i = 0; i < count && pair->same; ++i) {
        value_behind(exact, &pair->state, mover, actions[i], values);
        compare_expect(pair, "an exact action", (double)rows[i].action, (double)actions[i]);
        compare_expect_near(pair, "an exact action's value", rows[i].value, values[mover]);
        compare_expect(pair, "an exact action is the best", rows[i].optimal,
                       values[mover] >= best[mover] - exact->tolerance);
    }
}

void compare_exact(struct pair *pair)
{
    const struct banyan_game *game = &pair->drawing->game;
    static struct random_game_state met[EXACT_STATES];
    struct plain_exact exact = {.game = game,
                                .met = met,
                                .left = EXACT_STATES,
                                .tolerance = 1e-9 * (double)(game->return_max - game->return_min)};
    struct banyan_exact *kernel = NULL;
    double values[BANYAN_MAX_PLAYERS], found[BANYAN_MAX_PLAYERS];
    bool fits = !(game->traits & (BANYAN_HIDDEN | BANYAN_SIMULTANEOUS));
    compare_expect(pair, "the status of exact values", fits ? BANYAN_OK : BANYAN_UNSUPPORTED,
                   banyan_exact_create(&kernel, game, (size_t)1 << 24, NULL));
    if (fits && game->movers(game, &pair->state) && value_of(&exact, &pair->state, values)) {
        int met_count = exact.met_count;
        compare_expect(pair, "the status of an exact value", BANYAN_OK,
                       banyan_exact_value(kernel, &pair->state, found, NULL));
        for (int p = 0; p < game->players; ++p)
            compare_expect_near(pair, "an exact value", found[p], values[p]);
        compare_expect(pair, "states with an exact value", (double)banyan_exact_states(kernel),
                       met_count);
        compare_exact_rows(pair, kernel, &exact, values);
    }
    banyan_exact_destroy(kernel);
}

/* --- evaluators --- */

/* A leaf and its values by two evaluators. */
struct asked {
    struct banyan_leaf leaf;
    struct random_game_state state;
    struct banyan_rng rng;
    banyan_action actions[BANYAN_MAX_PLAYERS][RANDOM_GAME_LEGAL];
    float priors[BANYAN_MAX_PLAYERS][RANDOM_GAME_LEGAL];
};

static void open_leaf(struct asked *asked, const struct banyan_game *game,
                      const struct random_game_state *state, uint64_t seed)
{
    memset(asked, 0, sizeof *asked);
    banyan_rng_seed(&asked->rng, seed);
    asked->state = *state;
    asked->leaf = (struct banyan_leaf){.game = game,
                                       .state = &asked->state,
                                       .movers = game->movers(game, state),
                                       .rng = &asked->rng};
    for (int p = 0; p < game->players; ++p) {
        if (!(asked->leaf.movers >> p & 1))
            continue;
        asked->leaf.count[p] = game->legal(game, state, p, asked->actions[p]);
        asked->leaf.actions[p] = asked->actions[p];
        asked->leaf.priors[p] = asked->priors[p];
    }
}

static void heuristic_values(const struct banyan_game *game, const struct random_game_state *state,
                             double *values)
{
    for (int p = 0; p < game->players; ++p)
        values[p] = (double)game->heuristic(game, state, p);
}

/* Plays at random from the leaf, for at most so many plies (0: to the end). values: the returns
 * if the game is over; returns whether it is. */
static bool play_out(const struct asked *asked, struct banyan_rng *rng, int most, double *values)
{
    const struct banyan_game *game = asked->leaf.game;
    struct random_game_state state = asked->state;
    float returns[BANYAN_MAX_PLAYERS];
    struct banyan_dice dice;
    int plies = 0;
    banyan_dice_drawn(&dice, rng);
    for (unsigned m; (m = game->movers(game, &state)) && (!most || plies < most); ++plies) {
        banyan_action actions[RANDOM_GAME_LEGAL], joint[BANYAN_MAX_PLAYERS] = {0};
        for (int p = 0; p < game->players; ++p)
            if (m >> p & 1)
                joint[p] = actions[rng_below(rng, (uint32_t)game->legal(game, &state, p, actions))];
        game->apply(game, &state, joint, &dice);
    }
    heuristic_values(game, &state, values);
    if (game->movers(game, &state))
        return false;
    game->returns(game, &state, returns);
    for (int p = 0; p < game->players; ++p)
        values[p] = (double)returns[p];
    return true;
}

/* The mean over `count` such games; a game that is not over counts with the value of the
 * heuristic. */
static void rollout_values(const struct asked *asked, struct banyan_rng *rng, int count, int cutoff,
                           double *values)
{
    memset(values, 0, BANYAN_MAX_PLAYERS * sizeof *values);
    for (int i = 0; i < count; ++i) {
        double ends[BANYAN_MAX_PLAYERS];
        play_out(asked, rng, cutoff, ends);
        for (int p = 0; p < asked->leaf.game->players; ++p)
            values[p] += ends[p] / count;
    }
}

enum {
    ASK_UNIFORM,
    ASK_ROLLOUT,
    ASK_HEURISTIC,
    ASK_MIXTURE,
    ASK_CACHE,
    ASK_SCRIPT,
    ASK_PRIORS,
    ASK_KINDS
};

/* The text of an evaluator, and the value that it must give. */
struct question {
    int kind, count, cutoff;
    bool uniform_first, cached; /* ASK_PRIORS: a mixture with an evaluator that writes priors */
    double weight;
    char text[128];
};

static void draw_question(struct question *question, uint64_t draw)
{
    int count = 1 + (int)(draw >> 8 & 3), cutoff = (int)(draw >> 16 & 3);
    double weight = (double)(draw >> 24 & 7) / 8;
    *question = (struct question){.kind = (int)(draw % ASK_KINDS),
                                  .count = count,
                                  .cutoff = cutoff,
                                  .uniform_first = draw >> 28 & 1,
                                  .cached = draw >> 29 & 1,
                                  .weight = weight};
    const char *around = question->kind == ASK_CACHE ? "cache:size=2," : "";
    char *text = question->text;
    if (question->kind == ASK_UNIFORM || question->kind == ASK_HEURISTIC)
        snprintf(text, sizeof question->text, "%s",
                 question->kind == ASK_UNIFORM ? "uniform" : "heuristic");
    else if (question->kind == ASK_PRIORS)
        snprintf(text, sizeof question->text, "%smixture:weight=%g,%s",
                 question->cached ? "cache:size=1," : "", weight,
                 question->uniform_first ? "uniform|heuristic" : "heuristic|uniform");
    else if (question->kind == ASK_SCRIPT)
        snprintf(text, sizeof question->text, "script:%d %d", count, cutoff);
    else if (question->kind == ASK_MIXTURE)
        snprintf(text, sizeof question->text,
                 "mixture:weight=%g,heuristic|rollout:count=%d,cutoff=%d", weight, count, cutoff);
    else
        snprintf(text, sizeof question->text, "%srollout:count=%d,cutoff=%d", around, count,
                 cutoff);
}

/* the leaf is in the evaluator's call number `call` (0, 1) */
static void right_values(const struct question *question, const struct asked *asked,
                         struct banyan_rng *rng, int call, double *values)
{
    const struct banyan_game *game = asked->leaf.game;
    double middle = ((double)game->return_min + (double)game->return_max) / 2;
    double heuristic[BANYAN_MAX_PLAYERS];
    for (int p = 0; p < game->players; ++p)
        values[p] = middle;
    heuristic_values(game, &asked->state, heuristic);
    if (question->kind == ASK_ROLLOUT || question->kind == ASK_MIXTURE ||
        (question->kind == ASK_CACHE && call == 0))
        rollout_values(asked, rng, question->count, question->cutoff, values);
    for (int p = 0; p < game->players; ++p) {
        double first = call ? question->cutoff : question->count;
        if (question->kind == ASK_MIXTURE)
            values[p] = question->weight * heuristic[p] + (1 - question->weight) * values[p];
        double share = question->uniform_first ? 1 - question->weight : question->weight;
        if (question->kind == ASK_PRIORS)
            values[p] = share * heuristic[p] + (1 - share) * middle;
        if (question->kind == ASK_HEURISTIC)
            values[p] = heuristic[p];
        if (question->kind == ASK_SCRIPT)
            values[p] = p == 0 ? first : (middle * game->players - first) / (game->players - 1);
    }
}

/* Evaluates the same position twice. */
void compare_evaluator(struct pair *pair)
{
    const struct banyan_game *game = &pair->drawing->game;
    struct banyan_evaluator evaluator;
    struct question question;
    struct asked asked;
    struct banyan_rng rng;
    struct banyan_error err = {.message = ""};
    double right[BANYAN_MAX_PLAYERS] = {0};
    draw_question(&question, banyan_rng_child(pair->drawing->seed, "question", 0));
    open_leaf(&asked, game, &pair->state, pair->drawing->seed);
    rng = asked.rng;
    compare_expect(pair, question.text, BANYAN_OK,
                   banyan_evaluator_create(game, question.text, NULL, &evaluator, &err));
    for (int call = 0; call < 2 && pair->same; ++call) {
        memset(asked.priors, 0, sizeof asked.priors);
        compare_expect(pair, "the status of an evaluator", BANYAN_OK,
                       evaluator.evaluate(evaluator.ctx, &asked.leaf, 1, &err));
        if (question.kind != ASK_CACHE || call == 0)
            right_values(&question, &asked, &rng, call, right);
        for (int p = 0; p < game->players; ++p)
            compare_expect(
                pair, question.text,
                fabs((double)asked.leaf.values[p] - right[p]) < 1e-5 * fmax(1, fabs(right[p])), 1);
        bool has_priors = question.kind == ASK_UNIFORM || question.kind == ASK_PRIORS;
        compare_expect(pair, "an evaluator says that it writes priors", evaluator.wants_actions,
                       has_priors);
        for (int p = 0; p < game->players && has_priors; ++p)
            for (int i = 0; i < asked.leaf.count[p]; ++i)
                compare_expect(pair, "an equal prior", (double)asked.priors[p][i],
                               (double)(1.0f / (float)asked.leaf.count[p]));
        compare_expect(pair, "draws of an evaluator", (double)asked.rng.s[0], (double)rng.s[0]);
    }
    if (pair->same)
        banyan_evaluator_close(&evaluator);
}

/* A game that ends after one ply, and has no heuristic for positions that are not over. */
void compare_endless(struct pair *pair)
{
    struct banyan_game game = pair->drawing->game;
    struct banyan_evaluator evaluator;
    struct asked asked;
    struct banyan_error err = {.message = ""};
    double values[BANYAN_MAX_PLAYERS];
    game.heuristic = NULL;
    game.max_plies = 1;
    compare_expect(pair, "the status of a cutoff without a heuristic", BANYAN_UNSUPPORTED,
                   banyan_evaluator_create(&game, "rollout:cutoff=1", NULL, &evaluator, &err));
    compare_expect(pair, "the status of a rollout", BANYAN_OK,
                   banyan_evaluator_create(&game, "rollout", NULL, &evaluator, &err));
    open_leaf(&asked, &pair->drawing->game, &pair->state, pair->drawing->seed);
    struct banyan_rng rng = asked.rng;
    bool over = play_out(&asked, &rng, 1, values);
    compare_expect(pair, "the status of a rollout that is not over",
                   over ? BANYAN_OK : BANYAN_INVALID,
                   evaluator.evaluate(evaluator.ctx, &asked.leaf, 1, &err));
    if (pair->same)
        banyan_evaluator_close(&evaluator);
}
