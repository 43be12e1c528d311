/* Refuses options that cannot be combined, with each other or with the game, and structs of a size
 * that this library does not know. */
#include "base/struct_size.h"
#include "search/amaf.h"
#include "search/create.h"

enum banyan_status search_check_own_sizes(const struct banyan_search_options *options,
                                          struct banyan_error *err)
{
    const struct banyan_rule *rule = options->own_rule;
    const struct banyan_backup *backup = options->own_backup;
    const struct banyan_choice *choice = options->own_final;
    enum banyan_status status = BANYAN_OK;
    if (rule)
        status = struct_size_check("banyan_rule", rule->struct_size, sizeof *rule, err);
    if (backup && status == BANYAN_OK)
        status = struct_size_check("banyan_backup", backup->struct_size, sizeof *backup, err);
    if (choice && status == BANYAN_OK)
        status = struct_size_check("banyan_choice", choice->struct_size, sizeof *choice, err);
    return status;
}

/* Checks that the caller's structs have a size that this library knows. */
enum banyan_status search_check_sizes(const struct banyan_game *game,
                                      const struct banyan_search_options *options,
                                      const struct banyan_evaluator *evaluator,
                                      struct banyan_error *err)
{
    enum banyan_status status =
        struct_size_match("banyan_game", game->struct_size, sizeof *game, err);
    if (status == BANYAN_OK)
        status =
            struct_size_match("banyan_evaluator", evaluator->struct_size, sizeof *evaluator, err);
    if (status == BANYAN_OK)
        status =
            struct_size_check("banyan_search_options", options->struct_size, sizeof *options, err);
    return status;
}

/* Checks a search that needs tables of moves (amaf.h). */
static enum banyan_status check_amaf(const struct banyan_search *search, struct banyan_error *err)
{
    const struct banyan_game *game = search->game;
    const char *what =
        search->options.rule == BANYAN_RULE_GRAVE ? "rule=grave" : "progressive-history";
    if (search->trees > 1)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "%s is for games of alternate moves and open cards, not for %s", what,
                           game->name);
    if (!banyan_game_action_count(game))
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "%s needs a game that says how many actions there are "
                           "(action_count); %s does not",
                           what, game->name);
    if (search->options.threads > 1)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "%s serves one thread; use threads=1 and ensemble=N", what);
    return BANYAN_OK;
}

static enum banyan_status check_rule(const struct banyan_search *search, struct banyan_error *err)
{
    const struct banyan_rule *own = &search->own_rule;
    const struct banyan_search_options *options = &search->options;
    const char *name = own->name ? own->name : "own_rule";
    if (options->rule != BANYAN_RULE_UCB1)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "the rule '%s' takes the place of rule=ucb1: leave that option as it is",
                           name);
    if (!own->scores)
        return banyan_fail(err, BANYAN_INVALID, "the rule '%s' has no function scores", name);
    if (!own->reentrant && (options->threads > 1 || options->ensemble > 1))
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "the rule '%s' serves one thread; use threads=1 and ensemble=1", name);
    return BANYAN_OK;
}

static enum banyan_status check_backup(const struct banyan_search *search, struct banyan_error *err)
{
    const struct banyan_backup *own = &search->own_backup;
    const struct banyan_search_options *options = &search->options;
    const char *name = own->name ? own->name : "own_backup";
    if (!own->back)
        return banyan_fail(err, BANYAN_INVALID, "the backup '%s' has no function back", name);
    if (search->game->traits & BANYAN_SIMULTANEOUS)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "the backup '%s' is for games of one choice at a time, not for %s", name,
                           search->game->name);
    if (options->solver == BANYAN_SOLVER_ON || options->implicit_minimax > 0 ||
        options->world_baseline || amaf_is_wanted(options))
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "the backup '%s' does not go with solver=on, implicit-minimax, "
                           "progressive-history, world-baseline and rule=grave",
                           name);
    if (!own->reentrant && (options->threads > 1 || options->ensemble > 1))
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "the backup '%s' serves one thread; use threads=1 and ensemble=1", name);
    return BANYAN_OK;
}

/* Pruning at the root compares visits, so it needs a final choice by visits. */
static enum banyan_status check_pruning(const struct banyan_search *search,
                                        struct banyan_error *err)
{
    const struct banyan_search_options *options = &search->options;
    bool by_visits = options->final == BANYAN_FINAL_ROBUST && !options->own_final;
    bool plans = options->rule == BANYAN_RULE_GUMBEL || options->rule == BANYAN_RULE_REGRET;
    if (options->root_pruning > 0 && (!by_visits || plans || options->ensemble > 1))
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "root-pruning is for the most visited action: use final=robust, "
                           "ensemble=1 and another rule than gumbel and regret");
    return BANYAN_OK;
}

/* solver=on is refused where the solver would have no effect; solver=auto is for options that serve many games. */
static enum banyan_status check_solver(const struct banyan_search *search, struct banyan_error *err)
{
    const struct banyan_search_options *options = &search->options;
    if (options->solver != BANYAN_SOLVER_ON)
        return BANYAN_OK;
    if (options->transpositions)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "solver=on does not go with transpositions=on: use solver=auto or off");
    if (options->rule == BANYAN_RULE_REGRET)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "solver=on does not go with rule=regret: use solver=auto or off");
    const char *why = search_not_minimax(search);
    if (why)
        return banyan_fail(
            err, BANYAN_UNSUPPORTED,
            "solver=on is for games without luck and hidden cards, of one player or of two "
            "opponents with a constant sum, one choice at a time; %s %s: use solver=auto or off",
            search->game->name, why);
    return BANYAN_OK;
}

/* Checks score-weight.  The solver proves returns alone, so it cannot be combined with a score. */
static enum banyan_status check_score(const struct banyan_search *search, struct banyan_error *err)
{
    const struct banyan_game *game = search->game;
    if (search->options.score_weight <= 0)
        return BANYAN_OK;
    if (game->players != 2 || !game->points)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "score-weight is for games of two players with points, not for %s",
                           game->name);
    if (search->options.solver == BANYAN_SOLVER_ON)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "solver=on does not go with score-weight: use solver=auto or off");
    return BANYAN_OK;
}

enum banyan_status search_check(const struct banyan_search *search, struct banyan_error *err)
{
    const struct banyan_game *game = search->game;
    if (game->max_legal > TREE_ACTIONS_MAX)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "%s has more than %d actions in a state",
                           game->name, TREE_ACTIONS_MAX);
    if ((game->traits & BANYAN_HIDDEN) && !game->determinize && !search->options.sampler.sample)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "%s hides cards, but has neither determinize() nor a sampler",
                           game->name);
    if (search->options.draw == BANYAN_DRAW_ALL && search->options.rule == BANYAN_RULE_GUMBEL)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "draw=all does not go with rule=gumbel, which searches from what one "
                           "player knows: use draw=auto or hidden");
    if (search->options.threads > 1 && !search->evaluator->reentrant)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "the evaluator '%s' serves one thread; use threads=1 and batch=N",
                           search->evaluator->name);
    if (search->options.implicit_minimax > 0 && !(search_is_minimax(search) && game->heuristic))
        return banyan_fail(
            err, BANYAN_UNSUPPORTED,
            "implicit-minimax is for games with a heuristic, without luck and hidden "
            "cards, of one player or of two opponents with a constant sum; %s %s",
            game->name, game->heuristic ? search_not_minimax(search) : "has no heuristic");
    enum banyan_status status = check_solver(search, err);
    if (status == BANYAN_OK)
        status = check_pruning(search, err);
    if (status == BANYAN_OK)
        status = check_score(search, err);
    if (status == BANYAN_OK && search->options.own_backup)
        status = check_backup(search, err);
    if (status != BANYAN_OK)
        return status;
    if (search->options.own_final && !search->own_final.choose)
        return banyan_fail(err, BANYAN_INVALID, "the final choice '%s' has no function choose",
                           search->own_final.name ? search->own_final.name : "own_final");
    if (search->options.own_rule)
        return check_rule(search, err);
    return amaf_is_wanted(&search->options) ? check_amaf(search, err) : BANYAN_OK;
}
