/* All games: what gets a state writes into this state and nothing around it.
 *
 *     GUARD bytes | the state | GUARD bytes      the guards keep their pattern
 */
#include <banyan/game.h>
#include <banyan/observe.h>
#include <banyan/rng.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GUARD = 4096, GAMES = 24, PLIES = 120, PATTERNS = 3, MARGIN = 16 };

#define UNWRITTEN 77.125f /* no game has this number */

struct guarded {
    const struct banyan_game *game;
    unsigned char *bytes;
    unsigned char pattern;
};

static void *state_of(const struct guarded *g)
{
    return g->bytes + GUARD;
}

static void check_guards(const struct guarded *g, const char *function)
{
    const unsigned char *after = g->bytes + GUARD + g->game->state_size;
    for (int i = 0; i < GUARD; ++i)
        if (g->bytes[i] != g->pattern || after[i] != g->pattern)
            fail_msg("%s: %s writes %s the state", g->game->name, function,
                     g->bytes[i] != g->pattern ? "before" : "behind");
}

static void open_guarded(struct guarded *g, const struct banyan_game *game, unsigned char pattern)
{
    *g = (struct guarded){game, malloc(game->state_size + 2 * (size_t)GUARD), pattern};
    assert_non_null(g->bytes);
    memset(g->bytes, pattern, game->state_size + 2 * (size_t)GUARD);
    memset(state_of(g), 0, game->state_size);
}

/* Calls the functions that do not play an action, on a copy that has guards of its own. */
static void look_around(const struct guarded *g, struct guarded *copy, struct banyan_rng *rng)
{
    const struct banyan_game *game = g->game;
    float values[BANYAN_MAX_PLAYERS];
    char text[64];
    memcpy(state_of(copy), state_of(g), game->state_size);
    if (game->determinize) {
        game->determinize(game, state_of(copy), 0, rng);
        check_guards(copy, "determinize");
    }
    if (game->rollout) {
        game->rollout(game, state_of(copy), 0, 40, rng);
        check_guards(copy, "rollout");
    }
    if (game->mirror) {
        game->mirror(game, state_of(g), state_of(copy));
        check_guards(copy, "mirror");
    }
    game->returns(game, state_of(g), values);
    game->format(game, state_of(g), text, sizeof text);
    if (game->heuristic)
        game->heuristic(game, state_of(g), 0);
    check_guards(g, "returns, format or heuristic");
}

/* Numbers of a state: as many as there must be, and finite. */
static void check_numbers(const struct banyan_game *game, const float *numbers, int count,
                          const char *function)
{
    for (int i = 0; i < MARGIN; ++i)
        if (numbers[count + i] != UNWRITTEN)
            fail_msg("%s: %s writes more than %d numbers", game->name, function, count);
    for (int i = 0; i < count; ++i)
        if (!isfinite(numbers[i]) || numbers[i] == UNWRITTEN)
            fail_msg("%s: %s does not write number %d", game->name, function, i);
}

static void mark(float *numbers, int count)
{
    for (int i = 0; i < count + MARGIN; ++i)
        numbers[i] = UNWRITTEN;
}

static void look_at_numbers(const struct guarded *g, int mover, const banyan_action *legal,
                            int count)
{
    const struct banyan_game *game = g->game;
    int planes = game->planes[0] * game->planes[1] * game->planes[2];
    int size = banyan_observation_size(game), most = count > planes ? count : planes;
    most = most > size ? most : size;
    float *numbers = malloc(sizeof(float) * (size_t)(most + BANYAN_MAX_PLAYERS + MARGIN));
    assert_non_null(numbers);
    mark(numbers, game->players);
    game->returns(game, state_of(g), numbers);
    check_numbers(game, numbers, game->players, "returns");
    if (game->priors) {
        double sum = 0;
        mark(numbers, count);
        game->priors(game, state_of(g), mover, legal, count, numbers);
        check_numbers(game, numbers, count, "priors");
        for (int i = 0; i < count; ++i)
            sum += (double)numbers[i];
        if (fabs(sum - 1) > 1e-4)
            fail_msg("%s: the priors sum to %g", game->name, sum);
    }
    if (game->encode) {
        mark(numbers, planes);
        game->encode(game, state_of(g), mover, numbers);
        check_numbers(game, numbers, planes, "encode");
    }
    mark(numbers, size);
    banyan_observe(game, state_of(g), mover, numbers);
    check_numbers(game, numbers, size, "observe");
    for (int i = 0; game->policy_index && i < count; ++i)
        assert_in_range(game->policy_index(game, state_of(g), mover, legal[i]), 0,
                        game->policy_size - 1);
    free(numbers);
}

static void play_guarded(const struct banyan_game *game, uint64_t seed, banyan_action *legal)
{
    struct guarded g, copy;
    struct banyan_rng rng;
    struct banyan_dice dice;
    unsigned movers;
    static const unsigned char patterns[PATTERNS] = {0xa5, 2, 0};
    open_guarded(&g, game, patterns[seed % PATTERNS]);
    open_guarded(&copy, game, patterns[seed % PATTERNS]);
    banyan_rng_seed(&rng, seed);
    banyan_dice_drawn(&dice, &rng);
    assert_int_equal(game->init(game, state_of(&g), NULL, &rng, NULL), BANYAN_OK);
    check_guards(&g, "init");
    for (int ply = 0; ply < PLIES && (movers = game->movers(game, state_of(&g))) != 0; ++ply) {
        banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
        for (int p = 0; p < game->players; ++p)
            if (movers >> p & 1) {
                int count = game->legal(game, state_of(&g), p, legal);
                for (int i = 0; i < MARGIN; ++i)
                    assert_true(legal[game->max_legal + i] == 77);
                if (ply % 16 == 0)
                    look_at_numbers(&g, p, legal, count);
                joint[p] = legal[banyan_rng_below(&rng, (uint32_t)count)];
            }
        if (ply % 8 == 0)
            look_around(&g, &copy, &rng);
        game->apply(game, state_of(&g), joint, &dice);
        check_guards(&g, "apply or legal");
    }
    free(g.bytes);
    free(copy.bytes);
}

static void nothing_is_written_around_a_state(void **unused)
{
    (void)unused;
    for (int i = 0; banyan_game_at(i); ++i) {
        const struct banyan_game *game = banyan_game_at(i);
        banyan_action *legal = malloc(sizeof *legal * (size_t)(game->max_legal + MARGIN));
        assert_non_null(legal);
        for (int k = 0; k < MARGIN; ++k)
            legal[game->max_legal + k] = 77;
        for (uint64_t seed = 1; seed <= GAMES; ++seed)
            play_guarded(game, seed, legal);
        free(legal);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_written_around_a_state)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
