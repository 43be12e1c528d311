/* Computes the behaviour signature: one number over fixed searches and playouts. */
#include "cli/signature.h"

#include "cli/progress.h"

#include <banyan/evaluator.h>
#include <banyan/options.h>
#include <banyan/search.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNATURE_LONG = 1000, SIGNATURE_PLAYOUTS = 20, SIGNATURE_SEED = 20240229 };

struct signature {
    FILE *out;
    bool verbose;
    uint64_t sum; /* hash of all values so far */
};

/* Mixes a value into the hash; label: what the value is, in this game. */
static void signature_fold(struct signature *signature, const struct banyan_game *game,
                           const char *label, uint64_t value)
{
    if (signature->verbose)
        fprintf(signature->out, "%016" PRIx64 " %s %s\n", value, game->name, label);
    signature->sum = banyan_rng_child(signature->sum ^ value, game->name, 0);
    signature->sum = banyan_rng_child(signature->sum, label, 0);
}

uint64_t signature_play_out(const struct banyan_game *game, void *state, banyan_action *legal,
                            struct banyan_rng *rng)
{
    uint64_t plies = 0;
    unsigned movers;
    struct banyan_dice dice;
    banyan_dice_drawn(&dice, rng);
    for (; (movers = game->movers(game, state)) != 0; ++plies) {
        banyan_action joint[BANYAN_MAX_PLAYERS];
        for (int p = 0; p < game->players; ++p)
            if (movers >> p & 1)
                joint[p] =
                    legal[banyan_rng_below(rng, (uint32_t)game->legal(game, state, p, legal))];
        game->apply(game, state, joint, &dice);
    }
    return plies;
}

/* A hash of the final state's text, which differs in more cases than the returns do. */
static uint64_t signature_state(const struct banyan_game *game, const void *state, uint64_t hash)
{
    char text[BANYAN_TEXT_MAX] = "";
    game->format(game, state, text, sizeof text);
    return banyan_rng_child(hash, text, 0);
}

static enum banyan_status signature_playouts(struct signature *signature,
                                             const struct banyan_game *game, void *state,
                                             struct banyan_error *err)
{
    banyan_action *legal = malloc((size_t)game->max_legal * sizeof *legal);
    if (!legal)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the actions of %s", game->name);
    enum banyan_status status = BANYAN_OK;
    uint64_t hash = 0;
    for (uint64_t i = 0; status == BANYAN_OK && i < SIGNATURE_PLAYOUTS; ++i) {
        struct banyan_rng rng;
        banyan_rng_seed(&rng, banyan_rng_child(SIGNATURE_SEED, "playout", i));
        status = game->init(game, state, NULL, &rng, err);
        if (status != BANYAN_OK)
            break;
        hash = banyan_rng_child(hash, "plies", signature_play_out(game, state, legal, &rng));
        hash = signature_state(game, state, hash);
        if (game->rollout && (status = game->init(game, state, NULL, &rng, err)) == BANYAN_OK) {
            game->rollout(game, state, 0, game->max_plies, &rng);
            hash = signature_state(game, state, hash);
        }
    }
    free(legal);
    if (status == BANYAN_OK)
        signature_fold(signature, game, "playouts", hash);
    return status;
}

/* The searches.  One that a game cannot have is left out there. */
static const struct signature_search {
    const char *label, *options, *evaluator;
    int simulations; /* in games of up to SIGNATURE_LONG plies; a 40th in longer ones */
} signature_searches[] = {
    {"ucb1", "rule=ucb1", "rollout", 2000},
    {"ucb1-tuned", "rule=ucb1-tuned", "rollout", 2000},
    {"puct", "rule=puct", "rollout", 2000},
    {"gumbel", "rule=gumbel", "rollout", 2000},
    {"regret", "rule=regret", "rollout", 2000},
    {"grave", "rule=grave", "rollout", 400},
    {"mast", "rule=ucb1", "mast", 400},
    {"heuristic", "rule=puct,solver=off", "heuristic", 400},
    {"implicit", "rule=ucb1,implicit-minimax=0.5", "heuristic", 400},
    {"batch", "rule=puct,batch=8", "rollout", 400},
    {"transpositions", "rule=ucb1,transpositions=on,solver=off", "rollout", 400},
    {"full", "rule=ucb1,memory=128K", "uniform", 20000}, /* the tree is compacted now and then */
};

static enum banyan_status signature_create(const struct banyan_game *game,
                                           const struct signature_search *of,
                                           struct banyan_evaluator *evaluator,
                                           struct banyan_search **search, struct banyan_error *err)
{
    struct banyan_search_options options;
    banyan_search_options_default(&options);
    options.seed = SIGNATURE_SEED;
    enum banyan_status status =
        banyan_options_parse(banyan_search_option_table(), &options, of->options, err);
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(game, of->evaluator, NULL, evaluator, err);
    if (status == BANYAN_OK)
        status = banyan_search_create(search, game, &options, evaluator, err);
    return status;
}

/* Searches the position; *out: the hash of the tree. */
static enum banyan_status signature_run(const struct banyan_game *game, const void *state,
                                        const struct signature_search *of, uint64_t *out,
                                        struct banyan_error *err)
{
    struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                         .name = NULL};
    struct banyan_search *search = NULL;
    bool long_game = game->max_plies > SIGNATURE_LONG; /* each simulation plays a long game */
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = of->simulations / (long_game ? 40 : 1)};
    enum banyan_status status = signature_create(game, of, &evaluator, &search, err);
    if (status == BANYAN_OK)
        status = banyan_search_set_root(search, state, -1, err);
    if (status == BANYAN_OK)
        status = banyan_search_run(search, &limits, err);
    if (status == BANYAN_OK)
        *out = banyan_search_signature(search);
    if (search)
        banyan_search_destroy(search);
    if (evaluator.evaluate)
        banyan_evaluator_close(&evaluator);
    return status;
}

/* Whether the search makes sense in the game: regret matching is for simultaneous choices, and a
 * small tree for games with few actions and open cards. */
static bool signature_applies(const struct banyan_game *game, const struct signature_search *of)
{
    if (strcmp(of->label, "regret") == 0)
        return (game->traits & BANYAN_SIMULTANEOUS) != 0;
    return strcmp(of->label, "full") != 0 ||
           (game->max_legal <= 100 && !(game->traits & BANYAN_HIDDEN));
}

static enum banyan_status signature_search_one(struct signature *signature,
                                               const struct banyan_game *game, void *state,
                                               const struct signature_search *of,
                                               struct banyan_error *err)
{
    struct banyan_rng rng;
    uint64_t value = 0;
    banyan_rng_seed(&rng, banyan_rng_child(SIGNATURE_SEED, "position", 0));
    enum banyan_status status = game->init(game, state, NULL, &rng, err);
    if (status == BANYAN_OK)
        status = signature_run(game, state, of, &value, err);
    if (status == BANYAN_OK)
        signature_fold(signature, game, of->label, value);
    return status == BANYAN_UNSUPPORTED ? BANYAN_OK : status;
}

static enum banyan_status signature_game(struct signature *signature,
                                         const struct banyan_game *game, struct banyan_error *err)
{
    enum { SEARCHES = sizeof signature_searches / sizeof *signature_searches };
    void *state = calloc(1, game->state_size);
    if (!state)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state of %s", game->name);
    enum banyan_status status = signature_playouts(signature, game, state, err);
    for (int i = 0; status == BANYAN_OK && i < SEARCHES; ++i)
        if (signature_applies(game, &signature_searches[i]))
            status = signature_search_one(signature, game, state, &signature_searches[i], err);
    free(state);
    return status;
}

enum banyan_status signature_print(const struct banyan_game *only, bool verbose, FILE *out,
                                   struct banyan_error *err)
{
    struct signature signature = {.out = out, .verbose = verbose};
    const struct banyan_game *game;
    enum banyan_status status = BANYAN_OK;
    struct progress progress;
    uint64_t count = 0;
    while (banyan_game_at((int)count))
        ++count;
    progress_start(&progress, "games", count);
    for (int i = 0; status == BANYAN_OK && (game = banyan_game_at(i)); ++i) {
        progress_step(&progress, (uint64_t)i, game->name);
        if (!only || strcmp(only->name, game->name) == 0)
            status = signature_game(&signature, game, err);
    }
    progress_end(&progress);
    if (status == BANYAN_OK)
        fprintf(out, "%016" PRIx64 "\n", signature.sum);
    return status;
}
