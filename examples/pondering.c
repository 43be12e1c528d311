/* Pondering: the search runs in its own thread while the other player thinks.  After the other
 * player's move the search keeps the part of the tree below this move. */
#include <banyan/evaluator.h>
#include <banyan/search.h>

#include <pthread.h>
#include <stdio.h>
#include <time.h>

struct pondering {
    struct banyan_search *search;
    banyan_flag stop;
    enum banyan_status status;
    struct banyan_error err;
};

static void *ponder(void *ctx)
{
    struct pondering *pondering = ctx;
    struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                          .stop = &pondering->stop}; /* no other limit */
    pondering->status = banyan_search_run(pondering->search, &limits, &pondering->err);
    return NULL;
}

static void other_player_thinks(void)
{
    struct timespec time = {.tv_nsec = 200000000};
    nanosleep(&time, NULL);
}

static int play(const struct banyan_game *game, struct banyan_search *search, void *state,
                struct banyan_error *err)
{
    struct pondering pondering = {.search = search};
    struct banyan_search_stats stats;
    banyan_action joint[2];
    pthread_t thread;
    if (pthread_create(&thread, NULL, ponder, &pondering) != 0)
        return 1;
    other_player_thinks();
    banyan_flag_set(&pondering.stop);
    pthread_join(thread, NULL);
    banyan_search_stats(search, &stats, sizeof stats);
    printf("%llu simulations while the other player thought\n",
           (unsigned long long)stats.simulations);

    /* Black plays d3; the part of the tree below d3 is kept. */
    if (game->action_parse(game, state, 0, "d3", &joint[0], err) != BANYAN_OK)
        return 1;
    game->apply(game, state, joint, NULL);
    bool kept = banyan_search_advance(search, joint, state);
    struct banyan_search_move best;
    if (banyan_search_run(
            search,
            &(struct banyan_search_limits){.struct_size = sizeof(struct banyan_search_limits),
                                           .simulations = 1000},
            err) != BANYAN_OK ||
        banyan_search_choose(search, 1, &best, err) != BANYAN_OK)
        return 1;
    printf("%s; after 1000 more the answer has %llu visits\n",
           kept ? "kept a subtree" : "kept nothing", (unsigned long long)best.visits);
    return kept && best.visits > 1000 ? 0 : 1;
}

int main(void)
{
    const struct banyan_game *game;
    struct banyan_evaluator evaluator;
    struct banyan_search_options options;
    struct banyan_search *search = NULL;
    struct banyan_error err = {.message = "no thread"};
    char state[64];
    int result = 1;
    banyan_search_options_default(&options);
    if (banyan_game_find("othello", &game, &err) == BANYAN_OK &&
        banyan_evaluator_create(game, "rollout", NULL, &evaluator, &err) == BANYAN_OK) {
        if (banyan_search_create(&search, game, &options, &evaluator, &err) == BANYAN_OK &&
            game->init(game, state, NULL, NULL, &err) == BANYAN_OK &&
            banyan_search_set_root(search, state, -1, &err) == BANYAN_OK)
            result = play(game, search, state, &err);
        banyan_search_destroy(search);
        banyan_evaluator_close(&evaluator);
    }
    if (result)
        fprintf(stderr, "%s\n", err.message);
    return result;
}
