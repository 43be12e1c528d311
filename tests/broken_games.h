/* Games that break one promise of <banyan/game.h> each: a game of the library whose table is changed.
 * The contract test must report every one of them (test_contract_fails*.c). */
#ifndef TESTS_BROKEN_GAMES_H
#define TESTS_BROKEN_GAMES_H

#include <banyan/check.h>

#include "games/bandit/bandit.h"
#include "games/connect4/connect4.h"
#include "games/kuhn/kuhn.h"
#include "games/matrix/matrix.h"
#include "games/pig/pig.h"
#include "games/tree/tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- the games that are changed --- */

static inline const struct banyan_game *pig(void)
{
    return pig_variant(0);
}

static inline const struct banyan_game *kuhn(void)
{
    return kuhn_variant(0);
}

const struct banyan_game *connect4_variant(int index);

static inline const struct banyan_game *connect4(void)
{
    return connect4_variant(0);
}

static inline const struct banyan_game *rps(void)
{
    return matrix_variant(0);
}

static inline const struct banyan_game *zero(void)
{
    return tree_variant(2);
}

static inline const struct banyan_game *bandit(void)
{
    return bandit_variant(0);
}

typedef const struct banyan_game *base_fn(void);

/* --- changes --- */

typedef void spoil_fn(struct banyan_game *game);

/* SPOIL: spoil_NAME() gives a member another value.  SPOIL_WITH: it gives it another function. */
#define SPOIL(NAME, MEMBER, VALUE)                     \
    static void spoil_##NAME(struct banyan_game *game) \
    {                                                  \
        game->MEMBER = (VALUE);                        \
    }
#define SPOIL_WITH(FUNCTION, MEMBER) SPOIL(FUNCTION, MEMBER, FUNCTION)

struct broken_game {
    base_fn *base;
    spoil_fn *spoil;
    const char *said; /* text that the test's report must contain */
};

/* --- the test --- */

enum { BROKEN_REPORT = 16384 };

static inline void broken_gather(void *ctx, const char *message)
{
    char *report = ctx;
    size_t used = strlen(report);
    snprintf(report + used, BROKEN_REPORT - used, "%s\n", message);
}

/* Checks a game; all that the check reports goes to report[BROKEN_REPORT]. */
static inline enum banyan_status broken_check(const struct banyan_game *game, char *report,
                                              struct banyan_error *err)
{
    struct banyan_check_options options;
    banyan_check_options_default(&options);
    options.seed = 2026;
    options.games = 40;
    options.state_bytes = 3e4;
    options.report = broken_gather;
    options.ctx = report;
    report[0] = 0;
    return banyan_game_check(game, &options, NULL, err);
}

/* Fails unless the check refuses each of the games, for the reason that its row says. */
static inline void broken_games_are_found(const struct broken_game *rows, size_t count)
{
    static char report[BROKEN_REPORT];
    int missed = 0;
    for (size_t i = 0; i < count; ++i) {
        struct banyan_error err = {.message = ""};
        struct banyan_game game = *rows[i].base();
        rows[i].spoil(&game);
        enum banyan_status status = broken_check(&game, report, &err);
        bool first = strncmp(err.message, report, strlen(err.message)) == 0;
        if (status != BANYAN_INVALID || !strstr(report, rows[i].said) || !first) {
            printf("row %zu: expected \"%s\" in:\n%s(%s)\n", i, rows[i].said, report, err.message);
            ++missed;
        }
    }
    assert_int_equal(missed, 0);
}

#endif
