/* banyan bench --profile mushroom: where the time of a search goes. */
#include "cli/bench/bench_mushroom.h"
#include "cli/timing.h"

#include <banyan/evaluator.h>
#include <banyan/search.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROFILE_SIMULATIONS = 400 }; /* a move; the largest published number */

/* Sums over all searches of one game. */
struct profile_sum {
    struct banyan_search_profile of;
    uint64_t simulations, depths, plies;
    double run_s; /* processor time */
};

static void profile_add(const struct banyan_search *search, struct profile_sum *sum)
{
    struct banyan_search_profile p;
    struct banyan_search_stats stats;
    banyan_search_profile(search, &p, sizeof p);
    banyan_search_stats(search, &stats, sizeof stats);
    sum->of.select_ms += p.select_ms;
    sum->of.apply_ms += p.apply_ms;
    sum->of.expand_ms += p.expand_ms;
    sum->of.evaluate_ms += p.evaluate_ms;
    sum->of.backup_ms += p.backup_ms;
    sum->of.compact_ms += p.compact_ms;
    sum->of.applies += p.applies;
    sum->of.copies += p.copies;
    sum->of.ucb_terms += p.ucb_terms;
    for (int d = 0; d < (int)(sizeof p.depth / sizeof *p.depth); ++d)
        sum->depths += (uint64_t)d * p.depth[d];
    sum->simulations += stats.simulations;
    ++sum->plies;
}

/* A new search for each ply, as the published program has it; plays the choice. */
static enum banyan_status profile_ply(const struct banyan_game *game, void *state,
                                      const struct banyan_search_options *options,
                                      struct banyan_evaluator *evaluator, struct profile_sum *sum,
                                      struct banyan_error *err)
{
    struct banyan_search *search = NULL;
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .simulations = PROFILE_SIMULATIONS};
    struct banyan_search_move move = {.action = 0};
    int mover = game->movers(game, state) & 1 ? 0 : 1;
    enum banyan_status status = banyan_search_create(&search, game, options, evaluator, err);
    if (status == BANYAN_OK)
        status = banyan_search_set_root(search, state, -1, err);
    double start = timing_cpu_s();
    if (status == BANYAN_OK)
        status = banyan_search_run(search, &limits, err);
    sum->run_s += timing_cpu_s() - start;
    if (status == BANYAN_OK)
        status = banyan_search_choose(search, mover, &move, err);
    if (status == BANYAN_OK) {
        banyan_action joint[2] = {move.action, move.action};
        profile_add(search, sum);
        game->apply(game, state, joint, NULL);
    }
    banyan_search_destroy(search);
    return status;
}

/* Nanoseconds for one copy of a state. */
static double profile_copy_ns(const struct banyan_game *game, void *state, double seconds)
{
    enum { BLOCK = 4096 };
    unsigned char *copies = malloc(16 * game->state_size);
    double start = timing_cpu_s(), now = start;
    uint64_t count = 0;
    for (; copies && now - start < seconds; now = timing_cpu_s())
        for (int i = 0; i < BLOCK; ++i, ++count)
            memcpy(copies + (size_t)(i & 15) * game->state_size, state, game->state_size);
    free(copies);
    return count ? 1e9 * (now - start) / (double)count : 0;
}

static void profile_row(const char *what, double ours, const char *unit, const char *theirs)
{
    printf("%-38s %14.1f %-2s %12s\n", what, ours, unit, theirs);
}

static void profile_print(const struct profile_sum *sum, double copy_ns)
{
    const struct banyan_search_profile *p = &sum->of;
    double phases =
        p->select_ms + p->apply_ms + p->expand_ms + p->evaluate_ms + p->backup_ms + p->compact_ms;
    double share = phases > 0 ? 100 / phases : 0;
    double each = sum->simulations ? 1 / (double)sum->simulations : 0;
    printf("\none game, %d simulations per move, %d plies, %.0f simulations/s while profiling\n",
           PROFILE_SIMULATIONS, (int)sum->plies, (double)sum->simulations / sum->run_s);
    printf("%-38s %14s    %12s\n", "profile", "ours", "published");
    profile_row("simulations, share of the run", phases / (10 * sum->run_s), "%", "81.9 %");
    profile_row("  edge selection, share of these", share * p->select_ms, "%", "");
    profile_row("  state reconstruction (apply)", share * p->apply_ms, "%", "46.8 %");
    profile_row("  new nodes (legal, priors)", share * p->expand_ms, "%", "");
    profile_row("  leaf value", share * p->evaluate_ms, "%", "");
    profile_row("  backup", share * p->backup_ms, "%", "");
    profile_row("state copy (copies x ns of one)", share * 1e-6 * copy_ns * (double)p->copies, "%",
                "45.9 %");
    profile_row("state copies per game", (double)p->copies, "", "");
    profile_row("reconstructions per game", (double)sum->simulations, "", "507");
    profile_row("replay length (actions from the root)", each * (double)p->applies, "", "2.1");
    profile_row("selection depth", each * (double)sum->depths, "", "");
    profile_row("UCB evaluations per simulation", each * (double)p->ucb_terms, "", "");
    printf("%-38s %14s    %12s\n", "state cache hit rate", "no cache", "79.5 %");
}

enum banyan_status bench_mushroom_profile(const struct banyan_game *game, double seconds,
                                          struct banyan_error *err)
{
    struct banyan_search_options options;
    struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                         .name = NULL};
    struct profile_sum sum = {.plies = 0};
    void *state = malloc(game->state_size);
    banyan_search_options_default(&options);
    options.solver = false;
    options.profile = true;
    enum banyan_status status =
        state ? BANYAN_OK : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a state");
    if (status == BANYAN_OK)
        status = game->init(game, state, "seed=1", NULL, err);
    double copy_ns = status == BANYAN_OK ? profile_copy_ns(game, state, seconds) : 0;
    if (status == BANYAN_OK)
        status = banyan_evaluator_create(game, "heuristic", NULL, &evaluator, err);
    while (status == BANYAN_OK && game->movers(game, state))
        status = profile_ply(game, state, &options, &evaluator, &sum, err);
    if (status == BANYAN_OK)
        profile_print(&sum, copy_ns);
    if (evaluator.evaluate)
        banyan_evaluator_close(&evaluator);
    free(state);
    return status;
}
