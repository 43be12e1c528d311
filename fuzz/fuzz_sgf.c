/* Games in the Smart Game Format, arbitrary bytes: a game that the rules allow is the same after it was
 * written and read again. */
#include "fuzz.h"

#include "records/sgf.h"

#include <limits.h>

/* Plays the game into state; false: it breaks the rules. */
static bool sgf_play(const struct sgf_game *sgf, uint64_t state[])
{
    static char setup[2 * BANYAN_TEXT_MAX + 16];
    struct banyan_error err = {.message = ""};
    snprintf(setup, sizeof setup, "%s moves:%s", sgf->settings, sgf->moves);
    enum banyan_status status = sgf->game->init(sgf->game, state, setup, NULL, &err);
    FUZZ_CHECK(status == BANYAN_OK || err.message[0]);
    return status == BANYAN_OK;
}

static void sgf_again(const struct sgf_game *sgf, const uint64_t state[])
{
    static char bytes[2 * BANYAN_TEXT_MAX];
    static struct sgf_game again;
    uint64_t after[BANYAN_STATE_MAX / 8];
    struct text text = text_start(bytes, sizeof bytes);
    sgf_write(&text, sgf->game, state, &sgf->about);
    FUZZ_CHECK(text.length < sizeof bytes);
    FUZZ_CHECK(sgf_read(bytes, text.length, INT_MAX, &again, NULL) == BANYAN_OK);
    FUZZ_CHECK(again.game == sgf->game && sgf_play(&again, after));
    FUZZ_CHECK(memcmp(state, after, sgf->game->state_size) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct sgf_game sgf;
    struct game_record record;
    struct banyan_error err = {.message = ""};
    uint64_t state[BANYAN_STATE_MAX / 8];
    enum banyan_status status = sgf_read((const char *)data, size, INT_MAX, &sgf, &err);
    FUZZ_CHECK(status == BANYAN_OK || err.message[0]);
    bool legal = status == BANYAN_OK && sgf_play(&sgf, state);
    if (legal)
        sgf_again(&sgf, state);
    status = sgf_record((const char *)data, size, 0, &record, &err);
    FUZZ_CHECK((status == BANYAN_OK) == legal);
    if (status == BANYAN_OK)
        game_record_free(&record);
    return 0;
}
