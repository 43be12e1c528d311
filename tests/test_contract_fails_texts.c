/* The contract test reports games whose init, format, action_format and action_parse break a promise of <banyan/game.h>. */
#include "broken_games.h"

static enum banyan_status init_leaves_bytes(const struct banyan_game *game, void *state,
                                            const char *setup, struct banyan_rng *rng,
                                            struct banyan_error *err)
{
    struct kuhn full;
    enum banyan_status status = kuhn()->init(kuhn(), &full, setup, rng, err);
    memcpy(state, &full, sizeof full - 1);
    return status;
}

static enum banyan_status init_takes_all(const struct banyan_game *game, void *state,
                                         const char *setup, struct banyan_rng *rng,
                                         struct banyan_error *err)
{
    if (kuhn()->init(kuhn(), state, setup, rng, err) != BANYAN_OK)
        kuhn()->init(kuhn(), state, "", rng, err);
    return BANYAN_OK;
}

static enum banyan_status init_silent(const struct banyan_game *game, void *state,
                                      const char *setup, struct banyan_rng *rng,
                                      struct banyan_error *err)
{
    (void)err;
    return kuhn()->init(kuhn(), state, setup, rng, NULL);
}

static enum banyan_status init_unchecked(const struct banyan_game *game, void *state,
                                         const char *setup, struct banyan_rng *rng,
                                         struct banyan_error *err)
{
    enum banyan_status status = pig()->init(pig(), state, setup, rng, err);
    int turn;
    const char *found = setup ? strstr(setup, "turn=") : NULL;
    if (found && sscanf(found, "turn=%d", &turn) == 1) { /* even if it is out of range */
        ((struct pig *)state)->turn = (uint16_t)turn;
        return BANYAN_OK;
    }
    return status;
}

static int format_lossy(const struct banyan_game *game, const void *state, char *out, size_t size)
{
    struct pig s = *(const struct pig *)state;
    s.ply = 0;
    return pig()->format(pig(), &s, out, size);
}

static int format_short_count(const struct banyan_game *game, const void *state, char *out,
                              size_t size)
{
    int n = pig()->format(pig(), state, out, size);
    return n < (int)size ? n : (int)size - 1;
}

static int format_two_lines(const struct banyan_game *game, const void *state, char *out,
                            size_t size)
{
    int n = pig()->format(pig(), state, out, size);
    char *blank = n < (int)size ? strchr(out, ' ') : NULL;
    if (blank)
        *blank = '\n';
    return n;
}

static enum banyan_status parse_takes_illegal(const struct banyan_game *game, const void *state,
                                              int player, const char *text, banyan_action *out,
                                              struct banyan_error *err)
{
    if (strcmp(text, "hold") != 0)
        return pig()->action_parse(pig(), state, player, text, out, err);
    *out = PIG_HOLD;
    return BANYAN_OK;
}

static enum banyan_status parse_odd_status(const struct banyan_game *game, const void *state,
                                           int player, const char *text, banyan_action *out,
                                           struct banyan_error *err)
{
    if (pig()->action_parse(pig(), state, player, text, out, NULL) == BANYAN_OK)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_IO, "no");
}

static int action_format_alike(const struct banyan_game *game, const void *state, int player,
                               banyan_action action, char *out, size_t size)
{
    (void)action;
    return rps()->action_format(rps(), state, player, 0, out, size);
}

static int format_without_end(const struct banyan_game *game, const void *state, char *out,
                              size_t size)
{
    char text[BANYAN_TEXT_MAX];
    int length = pig()->format(pig(), state, text, sizeof text);
    if (size > (size_t)length)
        memcpy(out, text, (size_t)length);
    return length;
}

static int format_without_size(const struct banyan_game *game, const void *state, char *out,
                               size_t size)
{
    memset(out, 'p', 100);
    out[100] = 0;
    return 100;
}

static enum banyan_status init_fails(const struct banyan_game *game, void *state, const char *setup,
                                     struct banyan_rng *rng, struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_IO, "the deck is lost");
}

SPOIL_WITH(init_leaves_bytes, init)
SPOIL_WITH(init_takes_all, init)
SPOIL_WITH(init_silent, init)
SPOIL_WITH(init_unchecked, init)
SPOIL_WITH(format_lossy, format)
SPOIL_WITH(format_short_count, format)
SPOIL_WITH(format_two_lines, format)
SPOIL_WITH(parse_takes_illegal, action_parse)
SPOIL_WITH(parse_odd_status, action_parse)
SPOIL_WITH(action_format_alike, action_format)
SPOIL_WITH(format_without_end, format)
SPOIL_WITH(format_without_size, format)
SPOIL_WITH(init_fails, init)

static const struct broken_game broken[] = {
    {kuhn, spoil_init_leaves_bytes, "gave different bytes"},
    {kuhn, spoil_init_takes_all, "init() took \"xyzzy"},
    {kuhn, spoil_init_silent, "init() failed without a message"},
    {pig, spoil_init_unchecked, "init() took"},
    {pig, spoil_format_lossy, "init() made another state"},
    {pig, spoil_format_short_count, "for a small buffer"},
    {pig, spoil_format_two_lines, "more than one line"},
    {pig, spoil_parse_takes_illegal, "accepted an action that legal() does not give"},
    {pig, spoil_parse_odd_status, "returned 'input/output'"},
    {rps, spoil_action_format_alike, "gave another action"},
    {pig, spoil_format_without_end, "format() did not write the 0 that ends its"},
    {pig, spoil_format_without_size, "format() overran a small buffer"},
    {pig, spoil_init_fails, "init(\"\") failed: the deck is lost"},
};

static void test_each_is_found(void **unused)
{
    (void)unused;
    broken_games_are_found(broken, sizeof broken / sizeof *broken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_is_found),
    };
    return cmocka_run_group_tests_name("contract fails: texts", tests, NULL, NULL);
}
