/* The smallest search: the best first move of tic-tac-toe. */
#include <banyan/evaluator.h>
#include <banyan/search.h>

#include <stdio.h>

int main(void)
{
    const struct banyan_game *game;
    struct banyan_evaluator evaluator;
    struct banyan_search_options options;
    struct banyan_search *search = NULL;
    struct banyan_search_move best;
    struct banyan_error err;
    char state[64], move[16];
    banyan_search_options_default(&options);
    if (banyan_game_find("tictactoe", &game, &err) != BANYAN_OK ||
        banyan_evaluator_create(game, "rollout", NULL, &evaluator, &err) != BANYAN_OK ||
        banyan_search_create(&search, game, &options, &evaluator, &err) != BANYAN_OK ||
        game->init(game, state, NULL, NULL, &err) != BANYAN_OK ||
        banyan_search_set_root(search, state, -1, &err) != BANYAN_OK ||
        banyan_search_run(
            search,
            &(struct banyan_search_limits){.struct_size = sizeof(struct banyan_search_limits),
                                           .simulations = 10000},
            &err) != BANYAN_OK ||
        banyan_search_choose(search, 0, &best, &err) != BANYAN_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    game->action_format(game, state, 0, best.action, move, sizeof move);
    printf("%s, worth %.2f to X\n", move, best.mean);
    banyan_search_destroy(search);
    banyan_evaluator_close(&evaluator);
    return 0;
}
