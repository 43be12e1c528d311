/* The contract test reports games whose optional functions break a promise of <banyan/game.h>. */
#include "broken_games.h"

static void determinize_nothing(const struct banyan_game *game, void *state, int viewer,
                                struct banyan_rng *rng)
{
    (void)state, (void)viewer, (void)rng;
}

/* Draws always the lowest card that is left. */
static void determinize_lowest(const struct banyan_game *game, void *state, int viewer,
                               struct banyan_rng *rng)
{
    struct kuhn *s = state;
    s->card[!viewer] = s->card[viewer] == 0;
}

static enum banyan_status init_one_deal(const struct banyan_game *game, void *state,
                                        const char *setup, struct banyan_rng *rng,
                                        struct banyan_error *err)
{
    return kuhn()->init(kuhn(), state, setup, NULL, err);
}

static void determinize_own_card(const struct banyan_game *game, void *state, int viewer,
                                 struct banyan_rng *rng)
{
    kuhn()->determinize(kuhn(), state, !viewer, rng);
}

static uint64_t key_sees_all(const struct banyan_game *game, const void *state, int viewer)
{
    const struct kuhn *s = state;
    return kuhn()->key(kuhn(), state, viewer) ^ s->card[!viewer] * 0x9e3779b97f4a7c15u;
}

static uint64_t key_without_card(const struct banyan_game *game, const void *state, int viewer)
{
    struct kuhn s = *(const struct kuhn *)state;
    s.card[viewer] = 0;
    return kuhn()->key(kuhn(), &s, viewer);
}

static void coarse_keys_see_all(const struct banyan_game *game, const void *state, unsigned viewers,
                                uint64_t out[])
{
    for (int p = 0; p < 2; ++p)
        if (viewers >> p & 1)
            out[p] = key_sees_all(game, state, p);
}

static void coarse_keys_unstable(const struct banyan_game *game, const void *state,
                                 unsigned viewers, uint64_t out[])
{
    static unsigned calls;
    ++calls;
    for (int p = 0; p < 2; ++p)
        if (viewers >> p & 1)
            out[p] = kuhn()->key(kuhn(), state, p) + calls % 2;
}

static int draw_shows_all(const struct banyan_game *game, const void *state, int viewer, char *out,
                          size_t size)
{
    (void)viewer;
    return kuhn()->draw(kuhn(), state, -1, out, size);
}

static void encode_shows_all(const struct banyan_game *game, const void *state, int viewer,
                             float *planes)
{
    kuhn()->encode(kuhn(), state, viewer, planes);
    planes[0] = ((const struct kuhn *)state)->card[!viewer];
}

/* Shows the other player's card as one of its features. */
static void observe_shows_all(const struct banyan_game *game, const void *state, int viewer,
                              float *out)
{
    kuhn()->encode(kuhn(), state, viewer, out);
    out[KUHN_CARDS] = ((const struct kuhn *)state)->card[!viewer] > 0;
}

static void encode_half(const struct banyan_game *game, const void *state, int viewer,
                        float *planes)
{
    kuhn()->encode(kuhn(), state, viewer, planes);
    planes[1] /= 2;
}

static void encode_beyond_bounds(const struct banyan_game *game, const void *state, int viewer,
                                 float *planes)
{
    kuhn()->encode(kuhn(), state, viewer, planes);
    planes[KUHN_CARDS] *= 2;
}

static void features_short(struct banyan_game *game)
{
    ++game->planes[0];
}

/* Connect Four that counts full columns. */
static int count_all_columns(const struct banyan_game *game, const void *state, int player)
{
    return CONNECT4_COLUMNS;
}

/* Plays every column of Connect Four; returns what legal_count_after() must return. */
static uint64_t count_replies(const void *state, int player, int *ended)
{
    banyan_action legal[CONNECT4_COLUMNS], joint[2], out[CONNECT4_COLUMNS];
    int count = connect4()->legal(connect4(), state, player, legal);
    uint64_t sum = 0;
    *ended = 0;
    for (int i = 0; i < count; ++i) {
        struct connect4_state next = *(const struct connect4_state *)state;
        joint[player] = legal[i];
        connect4()->apply(connect4(), &next, joint, NULL);
        bool over = !connect4()->movers(connect4(), &next);
        *ended += over;
        sum += over ? 0 : (uint64_t)connect4()->legal(connect4(), &next, !player, out);
    }
    return sum;
}

/* Counts the replies to moves that end the game, too. */
static uint64_t count_after_the_end(const struct banyan_game *game, const void *state, int player,
                                    int *ended)
{
    return count_replies(state, player, ended) + (uint64_t)*ended;
}

/* Says that no move ends the game. */
static uint64_t count_no_end(const struct banyan_game *game, const void *state, int player,
                             int *ended)
{
    uint64_t sum = count_replies(state, player, ended);
    *ended = 0;
    return sum;
}

/* Counts rightly, but writes nothing to *ended. */
static uint64_t count_end_unwritten(const struct banyan_game *game, const void *state, int player,
                                    int *ended)
{
    int unused;
    return count_replies(state, player, &unused);
}

/* decisive() gives the first column, although it wins nothing. */
static int decisive_column(const struct banyan_game *game, const void *state, int player,
                           banyan_action *out)
{
    banyan_action legal[CONNECT4_COLUMNS];
    connect4()->legal(connect4(), state, player, legal);
    out[0] = legal[0];
    return 1;
}

static int decisive_backward(const struct banyan_game *game, const void *state, int player,
                             banyan_action *out)
{
    int n = connect4()->legal(connect4(), state, player, out);
    banyan_action first = out[0];
    out[0] = out[n - 1];
    out[n - 1] = first;
    return n;
}

static void bounds_too_tight(const struct banyan_game *game, const void *state, int player,
                             float *lo, float *hi)
{
    rps()->bounds(rps(), state, player, lo, hi);
    *hi = *hi > 0 && *lo < 0 ? 0 : *hi;
}

static void bounds_crossed(const struct banyan_game *game, const void *state, int player, float *lo,
                           float *hi)
{
    rps()->bounds(rps(), state, player, hi, lo);
}

static float heuristic_nan(const struct banyan_game *game, const void *state, int player)
{
    (void)state, (void)player;
    return NAN;
}

static float heuristic_one_sided(const struct banyan_game *game, const void *state, int player)
{
    (void)state;
    return player == 0 ? 0.5f : 0;
}

static void priors_not_one(const struct banyan_game *game, const void *state, int player,
                           const banyan_action *actions, int n, float *out)
{
    zero()->priors(zero(), state, player, actions, n, out);
    out[0] += 0.25f;
}

static void encode_hole(const struct banyan_game *game, const void *state, int viewer,
                        float *planes)
{
    float kept = planes[1];
    pig()->encode(pig(), state, viewer, planes);
    planes[1] = kept;
}

/* Players see who moves by number, not from their own side. */
static void encode_by_number(const struct banyan_game *game, const void *state, int viewer,
                             float *planes)
{
    pig()->encode(pig(), state, viewer, planes);
    planes[3] = ((const struct pig *)state)->mover == 0;
    planes[4] = 1 - planes[3];
}

static int policy_index_alike(const struct banyan_game *game, const void *state, int player,
                              banyan_action action)
{
    (void)state, (void)action;
    return 0;
}

static int policy_index_out(const struct banyan_game *game, const void *state, int player,
                            banyan_action action)
{
    return pig()->policy_index(pig(), state, player, action) + 1;
}

static banyan_action symmetry_action_off(const struct banyan_game *game, const void *state, int k,
                                         banyan_action action)
{
    (void)state, (void)k;
    return action == 2 ? 3 : action;
}

static banyan_action symmetry_action_backward(const struct banyan_game *game, const void *state,
                                              int k, banyan_action action)
{
    (void)state;
    return (action + (banyan_action)(2 * k)) % 3;
}

static void mirror_lazy(const struct banyan_game *game, const void *state, void *out)
{
    memcpy(out, state, sizeof(struct pig));
}

static void mirror_score_only(const struct banyan_game *game, const void *state, void *out)
{
    const struct pig *s = state;
    struct pig *image = out;
    *image = *s;
    image->mover = (uint8_t)!s->mover;
}

static void rollout_stops(const struct banyan_game *game, void *state, int policy, int max_plies,
                          struct banyan_rng *rng)
{
    pig()->rollout(pig(), state, policy, max_plies < 5 ? max_plies : 5, rng);
}

static void rollout_biased(const struct banyan_game *game, void *state, int policy, int max_plies,
                           struct banyan_rng *rng)
{
    struct pig *s = state;
    if (max_plies > 0 && pig()->movers(pig(), s))
        s->score[s->mover] = (uint16_t)(s->score[s->mover] + 20);
    pig()->rollout(pig(), state, policy, max_plies, rng);
}

static void rollout_greedy(const struct banyan_game *game, void *state, int policy, int max_plies,
                           struct banyan_rng *rng)
{
    pig()->rollout(pig(), state, policy, max_plies ? max_plies : 1, rng);
}

SPOIL_WITH(determinize_nothing, determinize)
SPOIL_WITH(determinize_lowest, determinize)
SPOIL_WITH(init_one_deal, init)
SPOIL_WITH(determinize_own_card, determinize)
SPOIL_WITH(key_sees_all, key)
SPOIL_WITH(key_without_card, key)
SPOIL_WITH(coarse_keys_see_all, coarse_keys)
SPOIL_WITH(coarse_keys_unstable, coarse_keys)
SPOIL(coarse_keys_open, coarse_keys, coarse_keys_see_all)
SPOIL_WITH(draw_shows_all, draw)
SPOIL_WITH(encode_shows_all, encode)
SPOIL_WITH(encode_half, encode)
SPOIL_WITH(encode_beyond_bounds, encode)
SPOIL_WITH(observe_shows_all, observe)
SPOIL_WITH(count_all_columns, legal_count)
SPOIL_WITH(count_after_the_end, legal_count_after)
SPOIL_WITH(count_no_end, legal_count_after)
SPOIL_WITH(count_end_unwritten, legal_count_after)
SPOIL_WITH(decisive_column, decisive)
SPOIL_WITH(decisive_backward, decisive)
SPOIL_WITH(bounds_too_tight, bounds)
SPOIL_WITH(bounds_crossed, bounds)
SPOIL_WITH(heuristic_nan, heuristic)
SPOIL_WITH(heuristic_one_sided, heuristic)
SPOIL_WITH(priors_not_one, priors)
SPOIL_WITH(encode_hole, encode)
SPOIL_WITH(encode_by_number, encode)
SPOIL_WITH(policy_index_alike, policy_index)
SPOIL_WITH(policy_index_out, policy_index)
SPOIL_WITH(symmetry_action_off, symmetry_action)
SPOIL_WITH(symmetry_action_backward, symmetry_action)
SPOIL_WITH(mirror_lazy, mirror)
SPOIL_WITH(mirror_score_only, mirror)
SPOIL_WITH(rollout_stops, rollout)
SPOIL_WITH(rollout_biased, rollout)
SPOIL_WITH(rollout_greedy, rollout)

static const struct broken_game broken[] = {
    {kuhn, spoil_determinize_nothing, "never changed anything"},
    {kuhn, spoil_determinize_lowest, "determinize() gives the same state for every rng"},
    {kuhn, spoil_init_one_deal, "init() dealt the same state in all of"},
    {kuhn, spoil_determinize_own_card, "changed key() of its viewer"},
    {kuhn, spoil_key_sees_all, "changed key() of its viewer"},
    {kuhn, spoil_key_without_card, "is the same in two states whose draws differ"},
    {kuhn, spoil_coarse_keys_see_all, "changed coarse_keys() of its viewer"},
    {kuhn, spoil_coarse_keys_see_all, "coarse_keys() differ where key()"},
    {kuhn, spoil_coarse_keys_unstable, "alone and with others differ"},
    {pig, spoil_coarse_keys_open, "coarse_keys() needs BANYAN_HIDDEN"},
    {kuhn, spoil_draw_shows_all, "draw() shows player"},
    {kuhn, spoil_encode_shows_all, "encode() shows player"},
    {kuhn, spoil_observe_shows_all, "observe() shows player"},
    {kuhn, spoil_encode_half, "feature card has 0.5"},
    {kuhn, spoil_encode_beyond_bounds, "its bounds -1..1 forbid"},
    {kuhn, features_short, "the features have 6 numbers and the planes 7"},
    {connect4, spoil_count_all_columns, "legal_count() is 7"},
    {connect4, spoil_count_after_the_end, "legal_count_after() is"},
    {connect4, spoil_count_no_end, "legal_count_after() says that 0 actions end the game, and 1"},
    {connect4, spoil_count_end_unwritten, "says that -1 actions end the game, and 0 do"},
    {pig, spoil_count_no_end, "legal_count_after() is for games without dice"},
    {rps, spoil_count_no_end, "legal_count_after() is for games without dice"},
    {connect4, spoil_decisive_column, "that keep the other player from winning"},
    {connect4, spoil_decisive_column, "must name one action"},
    {connect4, spoil_decisive_column, "nobody threatens to win here: it must return 0"},
    {connect4, spoil_decisive_backward, "are those of legal(), in its order"},
    {rps, spoil_bounds_too_tight, "for player 0 at ply 0, who got 1"},
    {rps, spoil_bounds_crossed, "lo must be <= hi"},
    {pig, spoil_heuristic_nan, "outside return_min..return_max, which is -1..1"},
    {pig, spoil_heuristic_one_sided, "changes heuristic()"},
    {zero, spoil_priors_not_one, "priors() sum to 1.25"},
    {pig, spoil_encode_hole, "to plane value 1"},
    {pig, spoil_encode_by_number, "mirror() changes number 3"},
    {pig, spoil_policy_index_alike, "for two legal actions"},
    {pig, spoil_policy_index_out, "policy_index() is 2"},
    {rps, spoil_symmetry_action_off, "are not the image of the legal ones"},
    {rps, spoil_symmetry_action_backward, "gives another state than apply()"},
    {pig, spoil_mirror_lazy, "mirror() has other movers"},
    {pig, spoil_mirror_score_only, "mirror() changes heuristic()"},
    {pig, spoil_rollout_stops, "does not end the game"},
    {pig, spoil_rollout_biased, "by the random rollout"},
    {pig, spoil_rollout_greedy, "of 0 plies changes"},
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
    return cmocka_run_group_tests_name("contract fails: optional functions", tests, NULL, NULL);
}
