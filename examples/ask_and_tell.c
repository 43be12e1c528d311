/* Ask and tell: the search asks for the values of positions, and the program answers.
 *
 * Here the program values 16 positions of Connect Four at a time, as a neural network would.  The
 * "network" is one line of arithmetic: pieces in the middle columns are worth more. */
#include <banyan/evaluator.h>
#include <banyan/search.h>

#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 16, SIMULATIONS = 20000 };

/* Planes of encode(): [0] the mover's pieces, [1] the other's; the middle columns weigh most. */
static float value_of_planes(const struct banyan_game *game, const float *planes)
{
    int rows = game->planes[1], columns = game->planes[2];
    float score = 0;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            int at = row * columns + column;
            float weight = 1.0f / (float)(1 + abs(column - columns / 2));
            score += weight * (planes[at] - planes[rows * columns + at]);
        }
    return 0.05f * score;
}

static void value_leaf(struct banyan_leaf *leaf, float *planes)
{
    int mover = leaf->movers & 1 ? 0 : 1;
    leaf->game->encode(leaf->game, leaf->state, mover, planes);
    float value = value_of_planes(leaf->game, planes);
    leaf->values[mover] = value < -1 ? -1 : value > 1 ? 1 : value;
    leaf->values[1 - mover] = -leaf->values[mover];
}

static void search_with_batches(struct banyan_search *search, float *planes)
{
    struct banyan_leaf leaves[BATCH];
    struct banyan_search_stats stats = {0};
    while (stats.simulations < SIMULATIONS) {
        int count = banyan_search_select(search, leaves, BATCH);
        for (int i = 0; i < count; ++i)
            value_leaf(&leaves[i], planes);
        banyan_search_update(search, leaves, count);
        banyan_search_stats(search, &stats, sizeof stats);
    }
}

static void print_moves(const struct banyan_game *game, const void *state,
                        const struct banyan_search *search)
{
    struct banyan_search_move moves[16];
    int count = banyan_search_root_moves(search, 0, moves, 16);
    for (int i = 0; i < count; ++i) {
        char text[16];
        game->action_format(game, state, 0, moves[i].action, text, sizeof text);
        printf("%s  %8llu visits  %+.3f\n", text, (unsigned long long)moves[i].visits,
               moves[i].mean);
    }
}

int main(void)
{
    const struct banyan_game *game;
    struct banyan_search_options options;
    struct banyan_search *search = NULL;
    struct banyan_error err;
    banyan_search_options_default(&options);
    options.batch = BATCH;
    if (banyan_game_find("connect4", &game, &err) != BANYAN_OK)
        return 1;
    void *state = malloc(game->state_size);
    float *planes =
        malloc(sizeof *planes * (size_t)(game->planes[0] * game->planes[1] * game->planes[2]));
    /* No evaluate function: the values come from this program. */
    struct banyan_evaluator evaluator = {.struct_size = sizeof(struct banyan_evaluator),
                                         .name = "middle columns"};
    enum banyan_status status = state && planes ? BANYAN_OK : BANYAN_NO_MEMORY;
    if (status == BANYAN_OK)
        status = game->init(game, state, NULL, NULL, &err);
    if (status == BANYAN_OK)
        status = banyan_search_create(&search, game, &options, &evaluator, &err);
    if (status == BANYAN_OK)
        status = banyan_search_set_root(search, state, -1, &err);
    if (status == BANYAN_OK) {
        search_with_batches(search, planes);
        print_moves(game, state, search);
    } else {
        fprintf(stderr, "%s\n", banyan_status_name(status));
    }
    banyan_search_destroy(search);
    free(planes);
    free(state);
    return status == BANYAN_OK ? 0 : 1;
}
