/* A saved search with changed bytes.  The input's first byte says which search is saved.  Each
 * record of four bytes that follows is an offset and what is XORed to the byte there; the bytes
 * after the last record say where the file is cut off.  If the search cannot be loaded, the message
 * must say why, and another root can be set; if it can, it goes on as the saved one.  Inputs hold
 * changes, not files, so they stay valid when the format changes. */
#include "fuzz.h"

#include "../tests/memory_file.h"

#include <banyan/evaluator.h>
#include <banyan/search.h>

enum { SAVED_SIMULATIONS = 60 };

static const struct {
    const char *game, *options, *evaluator;
} saved_kinds[] = {
    {"tictactoe", "decisive=off", "rollout"},
    {"connect4", "transpositions,batch=4", "rollout"},
    {"pig", "rule=ucb1-tuned", "rollout"},
    {"kuhn", "worlds=3", "rollout"},
    {"rps", "rule=regret", "rollout"},
    {"hex-5x5", "rule=gumbel,final=sample", "uniform"},
    {"breakthrough", "ensemble=2,implicit-minimax=0.4", "rollout"},
    {"bloodbowl-1", "rule=puct,noise-weight=0.2", "rollout"},
};

struct saved_search {
    const struct banyan_game *game;
    struct banyan_search *search;
    struct banyan_evaluator evaluator;
    void *root;
};

static void saved_open(struct saved_search *s, int kind)
{
    struct banyan_search_options options;
    struct banyan_rng rng;
    struct banyan_error err;
    banyan_rng_seed(&rng, 1);
    banyan_search_options_default(&options);
    options.memory_bytes = 1u << 20;
    if (banyan_game_find(saved_kinds[kind].game, &s->game, &err) != BANYAN_OK)
        s->game = fuzz_game(saved_kinds[kind].game);
    s->root = calloc(1, s->game->state_size);
    FUZZ_CHECK(s->root);
    FUZZ_CHECK(s->game->init(s->game, s->root, NULL, &rng, &err) == BANYAN_OK);
    FUZZ_CHECK(banyan_options_parse(banyan_search_option_table(), &options,
                                    saved_kinds[kind].options, &err) == BANYAN_OK);
    FUZZ_CHECK(banyan_evaluator_create(s->game, saved_kinds[kind].evaluator, NULL, &s->evaluator,
                                       &err) == BANYAN_OK);
    FUZZ_CHECK(banyan_search_create(&s->search, s->game, &options, &s->evaluator, &err) ==
               BANYAN_OK);
}

static void saved_close(struct saved_search *s)
{
    banyan_search_destroy(s->search);
    banyan_evaluator_close(&s->evaluator);
    free(s->root);
}

static void saved_run(struct saved_search *s)
{
    const struct banyan_search_limits limits = {.struct_size = sizeof(struct banyan_search_limits),
                                                .simulations = SAVED_SIMULATIONS};
    FUZZ_CHECK(banyan_search_run(s->search, &limits, NULL) == BANYAN_OK);
}

/* Searches, without the first action of player 0 where the search can leave it out. */
static void saved_fill(struct saved_search *s)
{
    banyan_action *legal = calloc((size_t)s->game->max_legal, sizeof *legal);
    FUZZ_CHECK(legal && banyan_search_set_root(s->search, s->root, -1, NULL) == BANYAN_OK);
    if (s->game->movers(s->game, s->root) & 1 && s->game->legal(s->game, s->root, 0, legal) > 1)
        (void)banyan_search_avoid(s->search, 0, legal, 1, NULL);
    free(legal);
    saved_run(s);
}

/* Changes the file as the input says. */
static void saved_change(struct memory_file *file, const uint8_t *data, size_t size)
{
    for (; size >= 4; data += 4, size -= 4) {
        size_t at = (size_t)data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16;
        file->at[at % file->length] ^= data[3];
    }
    size_t cut = size > 0 ? data[0] : 0;
    if (size > 0)
        file->length = (size > 1 ? cut << 8 | data[1] : cut) % file->length;
}

static void saved_compare(struct saved_search *first, struct memory_file *file, int kind,
                          bool is_whole)
{
    struct saved_search second = {.game = NULL};
    struct banyan_error err = {.message = ""};
    saved_open(&second, kind);
    enum banyan_status status = banyan_search_load(second.search, memory_file_get, file, &err);
    FUZZ_CHECK((status == BANYAN_OK) == is_whole);
    if (is_whole) {
        saved_run(first);
        saved_run(&second);
        FUZZ_CHECK(banyan_search_signature(first->search) ==
                   banyan_search_signature(second.search));
    } else {
        FUZZ_CHECK(err.message[0] && memchr(err.message, 0, sizeof err.message));
        saved_fill(&second);
    }
    saved_close(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { KINDS = sizeof saved_kinds / sizeof *saved_kinds };
    int kind = size ? data[0] % KINDS : 0;
    struct saved_search first = {.game = NULL};
    struct memory_file file = {.space = SIZE_MAX};
    saved_open(&first, kind);
    saved_fill(&first);
    FUZZ_CHECK(banyan_search_save(first.search, memory_file_put, &file, NULL) == BANYAN_OK);
    size_t length = file.length;
    unsigned char *before = malloc(length);
    FUZZ_CHECK(before);
    memcpy(before, file.at, length);
    if (size > 1)
        saved_change(&file, data + 1, size - 1);
    saved_compare(&first, &file, kind,
                  file.length == length && memcmp(before, file.at, length) == 0);
    saved_close(&first);
    free(before);
    free(file.at);
    return 0;
}
