/* The evaluators of the library: uniform, rollout, mast, heuristic, mixture,
 * cache and script, made from text (see <banyan/evaluator.h>). */
#include "search/evaluators.h"

#include "search/apply.h"

#include "base/offers.h"
#include "base/rng.h"
#include "base/struct_size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- uniform: no knowledge at all --- */

static void evaluator_flat_priors(struct banyan_leaf *leaf)
{
    for (int p = 0; p < leaf->game->players; ++p)
        for (int i = 0; (leaf->movers >> p & 1) && i < leaf->count[p]; ++i)
            leaf->priors[p][i] = 1.0f / (float)leaf->count[p];
}

static enum banyan_status uniform_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                           struct banyan_error *err)
{
    (void)ctx;
    (void)err;
    for (int i = 0; i < n; ++i) {
        for (int p = 0; p < leaves[i].game->players; ++p)
            leaves[i].values[p] = (leaves[i].game->return_min + leaves[i].game->return_max) / 2;
        evaluator_flat_priors(&leaves[i]);
    }
    return BANYAN_OK;
}

/* --- rollout --- */

struct rollout_settings {
    int count;  /* rollouts per leaf, averaged */
    int cutoff; /* plies after which the heuristic values the state; 0: play to the end */
    int policy;
    char policy_name[32];
};

#define AT(member) offsetof(struct rollout_settings, member)
static const struct banyan_option rollout_table[] = {
    {"count", BANYAN_OPTION_INT, AT(count), 1, 1000000, NULL, 0, "rollouts per leaf, averaged"},
    {"cutoff", BANYAN_OPTION_INT, AT(cutoff), 0, 1000000, NULL, 0,
     "plies after which the game's heuristic values the state; 0: play to the end"},
    {"policy", BANYAN_OPTION_TEXT, AT(policy_name), 0, 0, NULL,
     sizeof(((struct rollout_settings *)0)->policy_name), "one of the game's rollout policies"},
    {0},
};
#undef AT

struct rollout {
    struct rollout_settings settings;
    const struct banyan_game *game;
};

int banyan_game_action_count(const struct banyan_game *game)
{
    return game->action_count || game->action_bytes > 1 ? game->action_count : 256;
}

static void rollout_note(const struct banyan_game *game, struct banyan_playout *playout, int player,
                         banyan_action action)
{
    if (playout && playout->count < playout->room)
        playout->moves[playout->count++] =
            (uint32_t)(player * banyan_game_action_count(game)) + (uint32_t)action;
}

/* Plays random legal actions by the game's legal() and apply(), for games without a rollout
 * function of their own.  playout: where the actions are noted; NULL: nowhere.  False: no memory,
 * nothing was played. */
static bool rollout_generic(const struct banyan_game *game, void *state, int max_plies,
                            struct banyan_rng *rng, struct banyan_playout *playout)
{
    banyan_action stack[512], *legal = stack;
    if (game->max_legal > 512 && !(legal = malloc(sizeof *legal * (size_t)game->max_legal)))
        return false;
    struct banyan_dice dice;
    banyan_dice_drawn(&dice, rng);
    unsigned movers;
    for (int ply = 0; ply < max_plies && (movers = game->movers(game, state)) != 0; ++ply) {
        banyan_action joint[BANYAN_MAX_PLAYERS];
        for (int p = 0; p < game->players; ++p) {
            if (!(movers >> p & 1))
                continue;
            joint[p] = legal[rng_below(rng, (uint32_t)game->legal(game, state, p, legal))];
            rollout_note(game, playout, p, joint[p]);
        }
        apply_joint(game, state, joint, &dice);
    }
    if (legal != stack)
        free(legal);
    return true;
}

/* Plays state on for at most `plies` plies.  playout: where the moves are noted; NULL: nowhere.  False: no memory. */
static bool rollout_play(const struct rollout *rollout, void *state, int plies,
                         struct banyan_rng *rng, struct banyan_playout *playout)
{
    const struct banyan_game *game = rollout->game;
    if (playout ? !game->rollout_logged : !game->rollout)
        return rollout_generic(game, state, plies, rng, playout);
    if (playout)
        game->rollout_logged(game, state, rollout->settings.policy, plies, rng, playout);
    else
        game->rollout(game, state, rollout->settings.policy, plies, rng);
    return true;
}

void banyan_game_rollout(const struct banyan_game *game, void *state, int policy, int max_plies,
                         struct banyan_rng *rng)
{
    const struct rollout rollout = {.settings = {.policy = policy}, .game = game};
    rollout_play(&rollout, state, max_plies, rng, NULL);
}

void banyan_game_rollout_logged(const struct banyan_game *game, void *state, int policy,
                                int max_plies, struct banyan_rng *rng,
                                struct banyan_playout *playout)
{
    const struct rollout rollout = {.settings = {.policy = policy}, .game = game};
    rollout_play(&rollout, state, max_plies, rng, playout);
}

/* Writes the values of the state in which a rollout ended.  False: the game is not over there,
 * and has no heuristic. */
static bool rollout_values(const struct banyan_game *game, const struct banyan_score *score,
                           const void *state, float *values)
{
    if (!game->movers(game, state)) {
        banyan_score_returns(game, score, state, values);
        return true;
    }
    for (int p = 0; game->heuristic && p < game->players; ++p)
        values[p] = game->heuristic(game, state, p);
    return game->heuristic != NULL;
}

static enum banyan_status rollout_endless(const struct banyan_game *game, struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_INVALID,
                       "a rollout of %s is not over after max_plies=%d plies, and there is no "
                       "heuristic: the game's max_plies is too small",
                       game->name, game->max_plies);
}

/* Whether the moves of a rollout can be noted where the search reads them (amaf.h).  If only the
 * game's rollout() knows the policy, they cannot be noted, and the search learns from the moves in
 * the tree. */
static bool rollout_is_noted(const struct rollout *rollout)
{
    return rollout->game->rollout_logged || rollout->settings.policy == 0;
}

static enum banyan_status rollout_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                           struct banyan_error *err)
{
    const struct rollout *rollout = ctx;
    const struct banyan_game *game = rollout->game;
    int count = rollout->settings.count;
    int plies = rollout->settings.cutoff ? rollout->settings.cutoff : game->max_plies;
    _Alignas(16) unsigned char state[BANYAN_STATE_MAX];
    for (int i = 0; i < n; ++i) {
        struct banyan_leaf *leaf = &leaves[i];
        float values[BANYAN_MAX_PLAYERS], sums[BANYAN_MAX_PLAYERS] = {0};
        for (int k = 0; k < count; ++k) {
            memcpy(state, leaf->state, game->state_size);
            if (!rollout_play(rollout, state, plies, leaf->rng,
                              rollout_is_noted(rollout) ? leaf->playout : NULL))
                return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for the %d actions of a state",
                                   game->max_legal);
            if (!rollout_values(game, leaf->score, state, values))
                return rollout_endless(game, err);
            for (int p = 0; p < game->players; ++p)
                sums[p] += values[p];
        }
        for (int p = 0; p < game->players; ++p)
            leaf->values[p] = sums[p] / (float)count;
    }
    return BANYAN_OK;
}

static enum banyan_status rollout_policy(struct rollout *rollout, struct banyan_error *err)
{
    static const char *const only_random[] = {"random", NULL};
    const char *const *names =
        rollout->game->rollout_policies ? rollout->game->rollout_policies : only_random;
    for (int i = 0; names[i]; ++i) {
        if (strcmp(names[i], rollout->settings.policy_name) == 0) {
            rollout->settings.policy = i;
            return BANYAN_OK;
        }
    }
    char list[256] = "";
    for (int i = 0; names[i]; ++i)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", names[i]);
    return banyan_fail(err, BANYAN_NOT_FOUND, "%s has no rollout policy '%s'; it has: %s",
                       rollout->game->name, rollout->settings.policy_name, list);
}

static enum banyan_status rollout_create(const struct banyan_game *game, const char *args,
                                         const struct banyan_offer *offers,
                                         struct banyan_evaluator *out, struct banyan_error *err)
{
    struct rollout *rollout = calloc(1, sizeof *rollout);
    if (!rollout)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for an evaluator");
    rollout->game = game;
    rollout->settings = (struct rollout_settings){.count = 1, .policy_name = "random"};
    enum banyan_status status = banyan_options_parse(rollout_table, &rollout->settings, args, err);
    if (status == BANYAN_OK)
        status = rollout_policy(rollout, err);
    if (status == BANYAN_OK && rollout->settings.cutoff && !game->heuristic)
        status = banyan_fail(err, BANYAN_UNSUPPORTED,
                             "%s has no heuristic, which rollout:cutoff=%d needs", game->name,
                             rollout->settings.cutoff);
    if (status == BANYAN_OK && game->state_size > BANYAN_STATE_MAX)
        status = banyan_fail(err, BANYAN_UNSUPPORTED, "states of %s are larger than %d bytes",
                             game->name, BANYAN_STATE_MAX);
    if (status != BANYAN_OK) {
        free(rollout);
        return status;
    }
    *out = (struct banyan_evaluator){.struct_size = sizeof(struct banyan_evaluator),
                                     .name = "rollout",
                                     .ctx = rollout,
                                     .reentrant = true,
                                     .evaluate = rollout_evaluate,
                                     .close = free};
    return BANYAN_OK;
}

/* --- heuristic: the game's own estimate.  Most leaves are never visited again, so the game
 * is asked for priors only when a node is made --- */

static enum banyan_status heuristic_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                             struct banyan_error *err)
{
    (void)ctx;
    (void)err;
    for (int i = 0; i < n; ++i) {
        struct banyan_leaf *leaf = &leaves[i];
        const struct banyan_game *game = leaf->game;
        for (int p = 0; p < game->players; ++p)
            leaf->values[p] = game->heuristic(game, leaf->state, p);
    }
    return BANYAN_OK;
}

static enum banyan_status heuristic_create(const struct banyan_game *game, const char *args,
                                           const struct banyan_offer *offers,
                                           struct banyan_evaluator *out, struct banyan_error *err)
{
    if (*args)
        return banyan_fail(err, BANYAN_INVALID, "the evaluator 'heuristic' takes no options");
    if (!game->heuristic)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "%s has no heuristic; use rollout", game->name);
    *out = (struct banyan_evaluator){.struct_size = sizeof(struct banyan_evaluator),
                                     .name = "heuristic",
                                     .reentrant = true,
                                     .game_priors = game->priors != NULL,
                                     .evaluate = heuristic_evaluate};
    return BANYAN_OK;
}

static enum banyan_status uniform_create(const struct banyan_game *game, const char *args,
                                         const struct banyan_offer *offers,
                                         struct banyan_evaluator *out, struct banyan_error *err)
{
    (void)game;
    if (*args)
        return banyan_fail(err, BANYAN_INVALID, "the evaluator 'uniform' takes no options");
    *out = (struct banyan_evaluator){.struct_size = sizeof(struct banyan_evaluator),
                                     .name = "uniform",
                                     .reentrant = true,
                                     .wants_actions = true,
                                     .evaluate = uniform_evaluate};
    return BANYAN_OK;
}

/* --- script: values from a list, for worked examples --- */

struct script {
    int count, next;
    float values[];
};

static enum banyan_status script_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                          struct banyan_error *err)
{
    struct script *script = ctx;
    (void)err;
    for (int i = 0; i < n; ++i) {
        float value = script->values[script->next];
        if (script->next + 1 < script->count)
            ++script->next;
        const struct banyan_game *game = leaves[i].game;
        for (int p = 0; p < game->players;
             ++p) /* the others share the rest of a constant sum equally */
            leaves[i].values[p] =
                p == 0
                    ? value
                    : ((game->return_min + game->return_max) * (float)game->players / 2 - value) /
                          (float)(game->players - 1);
    }
    return BANYAN_OK;
}

static enum banyan_status script_create(const struct banyan_game *game, const char *args,
                                        const struct banyan_offer *offers,
                                        struct banyan_evaluator *out, struct banyan_error *err)
{
    (void)game;
    struct script *script = calloc(1, sizeof *script + (strlen(args) + 1) * sizeof(float));
    if (!script)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for an evaluator");
    const char *at = args;
    for (char *end;; at = end) {
        float value = strtof(at, &end);
        if (end == at)
            break;
        script->values[script->count++] = value;
    }
    while (*at == ' ')
        ++at;
    if (*at || script->count == 0) {
        free(script);
        return banyan_fail(err, BANYAN_INVALID,
                           "script needs numbers, separated by blanks, not '%s'", at);
    }
    *out = (struct banyan_evaluator){.struct_size = sizeof(struct banyan_evaluator),
                                     .name = "script",
                                     .ctx = script,
                                     .evaluate = script_evaluate,
                                     .close = free};
    return BANYAN_OK;
}

/* --- evaluators by name --- */

static const struct banyan_offer evaluator_list[] = {
    {"uniform", "", "the middle of the range of returns as value; equal priors", uniform_create,
     NULL},
    {"rollout", "count=1,cutoff=0,policy=random",
     "play on to the end, or for `cutoff` plies and then use the heuristic", rollout_create, NULL},
    {"mast", "epsilon=0.4,grams=1",
     "play on to the end, with a preference for moves that did well in earlier playouts",
     evaluator_mast_create, NULL},
    {"heuristic", "", "the game's own estimate and priors", heuristic_create, NULL},
    {"mixture", "weight=0.5,A|B", "weight * A + (1 - weight) * B", evaluator_mixture_create, NULL},
    {"cache", "size=N,A", "A, with a table that keeps its values for up to N positions",
     evaluator_cache_create, NULL},
    {"script", "V V ...", "these values of the first player in this order; the last one repeats",
     script_create, NULL},
    {0},
};

const struct banyan_offer *banyan_evaluator_list(void)
{
    return evaluator_list;
}

/* Whether the evaluator that an offer has made can be used. */
static enum banyan_status evaluator_check(const struct banyan_evaluator *evaluator,
                                          const struct banyan_offer *offer,
                                          struct banyan_error *err)
{
    enum banyan_status status =
        struct_size_match("banyan_evaluator", evaluator->struct_size, sizeof *evaluator, err);
    if (status == BANYAN_OK && !evaluator->evaluate)
        status = banyan_fail(err, BANYAN_INVALID,
                             "the offer '%s' made an evaluator without a function evaluate()",
                             offer->name);
    return status;
}

enum banyan_status banyan_evaluator_create(const struct banyan_game *game, const char *text,
                                           const struct banyan_offer *offers,
                                           struct banyan_evaluator *out, struct banyan_error *err)
{
    const struct offers all = {game, offers, evaluator_list, OFFERS_EVALUATOR};
    const struct banyan_offer *offer;
    const char *args;
    *out = (struct banyan_evaluator){.struct_size = sizeof *out};
    enum banyan_status status = offers_find(&all, text, &offer, &args, err);
    if (status == BANYAN_OK)
        status = offer->evaluator(game, args, offers, out, err);
    if (status != BANYAN_OK) { /* nothing was made */
        memset(out, 0, sizeof *out);
        return status;
    }
    status = evaluator_check(out, offer, err);
    if (status != BANYAN_OK)
        banyan_evaluator_close(out);
    return status;
}

void banyan_evaluator_close(struct banyan_evaluator *evaluator)
{
    if (evaluator->close)
        evaluator->close(evaluator->ctx);
    memset(evaluator, 0, sizeof *evaluator);
}
