/* Opening books of arbitrary bytes: a line with the name of a game, then the file.  The lines that
 * are read are put into a small tree, which must stay correct: it is searched and saved, and its
 * book can be read. */
#include "fuzz.h"

#include "players/book.h"

#include <banyan/evaluator.h>
#include <banyan/search.h>

enum { BOOK_SIMULATIONS = 20, BOOK_LINES = 200 };

static void book_line(void *ctx, const banyan_action *line, int length, uint64_t visits,
                      double mean)
{
    const struct banyan_game *game = ctx;
    FUZZ_CHECK(line && length >= 1 && length <= game->max_plies && visits >= 1);
    double slack = 1e-6 * ((double)game->return_max - (double)game->return_min);
    FUZZ_CHECK(mean >= game->return_min - slack && mean <= game->return_max + slack);
}

static void book_search(const struct banyan_game *game, const struct book *book, const void *state,
                        struct banyan_search *search)
{
    struct banyan_error err = {.message = ""};
    const struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                                .simulations = BOOK_SIMULATIONS};
    enum banyan_status status = book_apply(book, game, state, search, &err);
    if (status != BANYAN_OK)
        FUZZ_CHECK(err.message[0] && memchr(err.message, 0, sizeof err.message));
    if (status == BANYAN_UNSUPPORTED)
        return;
    FUZZ_CHECK(banyan_search_run(search, &limits, &err) == BANYAN_OK);
    status = banyan_search_each_line(search, 1, book_line, (void *)game, &err);
    FUZZ_CHECK(status == BANYAN_OK || status == BANYAN_UNSUPPORTED);
}

static void book_try(const struct banyan_game *game, const struct book *book)
{
    struct banyan_search_options options;
    struct banyan_evaluator evaluator;
    struct banyan_search *search = NULL;
    struct banyan_rng rng;
    struct banyan_error err;
    void *state = calloc(1, game->state_size);
    FUZZ_CHECK(state);
    banyan_rng_seed(&rng, 1);
    banyan_search_options_default(&options);
    options.memory_bytes = 2u << 20;
    options.solver =
        book->count % 2 ? BANYAN_SOLVER_ON : BANYAN_SOLVER_OFF; /* both ways to choose */
    FUZZ_CHECK(game->init(game, state, NULL, &rng, &err) == BANYAN_OK);
    FUZZ_CHECK(banyan_evaluator_create(game, "uniform", NULL, &evaluator, &err) == BANYAN_OK);
    if (banyan_search_create(&search, game, &options, &evaluator, &err) == BANYAN_OK &&
        banyan_search_set_root(search, state, -1, &err) == BANYAN_OK)
        book_search(game, book, state, search);
    banyan_search_destroy(search);
    banyan_evaluator_close(&evaluator);
    free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *name = fuzz_line(&data, &size);
    const struct banyan_game *game = fuzz_game(name);
    struct book book;
    struct banyan_error err = {.message = ""};
    if (game && book_read_memory(&book, "fuzz", data, size, &err) == BANYAN_OK) {
        if (book.count <= BOOK_LINES)
            book_try(game, &book);
        book_free(&book);
    } else if (game) {
        FUZZ_CHECK(err.message[0] && memchr(err.message, 0, sizeof err.message));
    }
    free(name);
    return 0;
}
