/* Fits the weights of a position's features (points.def) to the results of games, and prints them as options:
 *
 *     tools/pokemon_weights [GAMES]
 *
 * Both sides of a game draw their choices from the priors, sharpened (the third power): that is
 * stronger than the scripted players, and a game takes a tenth of a millisecond.  Every position in
 * which both must choose is one row: its features and who won.  Logistic regression by Newton's
 * method is fitted to nine of ten rows; the other rows give its log loss on unseen positions.
 *
 * The priors use substitutes badly, so games played by them cannot give this weight: it is left out. */
#include "games/pokemon/players/evaluate.h"
#include "games/pokemon/players/priors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = FEATURE_COUNT, TURNS = 1024 };

static const char *const names[N] = {
#define VALUE(feature, name, weight, text) "value-" name,
#define PRIOR(member, name, points, text)
#include "games/pokemon/players/points.def"
#undef VALUE
#undef PRIOR
};

struct rows {
    float *x; /* [count][N + 1]: 1 or 0, then the features */
    size_t count, room;
};

static banyan_action choose(const struct pokemon *s, int player, struct banyan_rng *rng)
{
    banyan_action legal[16];
    float priors[16];
    double sum = 0;
    int count = legal_actions(s, player, legal), i = 0;
    priors_pokemon(NULL, s, player, legal, count, priors);
    for (int k = 0; k < count; ++k) {
        priors[k] *= priors[k] * priors[k];
        sum += (double)priors[k];
    }
    double draw = banyan_rng_unit(rng) * sum;
    while (i < count - 1 && (draw -= (double)priors[i]) >= 0)
        ++i;
    return legal[i];
}

static void play(const struct banyan_game *game, struct banyan_rng *rng, struct rows *rows)
{
    struct pokemon s;
    struct banyan_dice dice;
    float returns[2];
    size_t first = rows->count;
    banyan_dice_drawn(&dice, rng);
    game->init(game, &s, NULL, rng, NULL);
    for (unsigned movers; (movers = game->movers(game, &s)) != 0;) {
        if (movers == 3 && rows->count - first < TURNS) {
            if (rows->count == rows->room) {
                rows->room = 2 * rows->room + 4096;
                rows->x = realloc(rows->x, rows->room * (N + 1) * sizeof *rows->x);
                if (!rows->x)
                    exit(EXIT_FAILURE);
            }
            evaluate_features(&s, 0, rows->x + rows->count++ * (N + 1) + 1);
        }
        banyan_action joint[2] = {0, 0};
        for (int p = 0; p < 2; ++p)
            if (movers >> p & 1)
                joint[p] = choose(&s, p, rng);
        game->apply(game, &s, joint, &dice);
    }
    game->returns(game, &s, returns);
    for (size_t i = first; i < rows->count; ++i)
        rows->x[i * (N + 1)] = (returns[0] + 1) / 2;
}

static double chance(const double w[N], const float *row)
{
    double z = 0;
    for (int k = 0; k < N; ++k)
        z += w[k] * (double)row[k + 1];
    return 1 / (1 + exp(-z));
}

/* Solves h[.][0..N-1] d = h[.][N] in place and adds d to w. */
static void solve(double h[N][N + 1], double w[N])
{
    for (int k = 0; k < N; ++k) {
        double pivot = h[k][k];
        for (int m = k; m <= N; ++m)
            h[k][m] /= pivot;
        for (int j = 0; j < N; ++j) {
            double t = h[j][k];
            for (int m = k; j != k && m <= N; ++m)
                h[j][m] -= t * h[k][m];
        }
    }
    for (int k = 0; k < N; ++k)
        w[k] += h[k][N];
}

static void fit(const struct rows *rows, size_t count, double w[N])
{
    static double h[N][N + 1];
    for (int step = 0; step < 10; ++step) {
        memset(h, 0, sizeof h);
        for (size_t i = 0; i < count; ++i) {
            const float *row = rows->x + i * (N + 1);
            double p = chance(w, row), miss = (double)row[0] - p, curve = p * (1 - p) + 1e-9;
            for (int k = 0; k < N; ++k) {
                double x = (double)row[k + 1];
                h[k][N] += miss * x;
                for (int m = 0; m < N && x != 0; ++m)
                    h[k][m] += curve * x * (double)row[m + 1];
            }
        }
        for (int k = 0; k < N; ++k) { /* a little towards 0 */
            h[k][k] += 5;
            h[k][N] -= 5 * w[k];
        }
        solve(h, w);
    }
}

static double log_loss(const struct rows *rows, size_t from, const double w[N])
{
    double sum = 0;
    for (size_t i = from; i < rows->count; ++i) {
        const float *row = rows->x + i * (N + 1);
        double p = chance(w, row);
        sum -= log((double)row[0] > 0.5 ? p : 1 - p);
    }
    return sum / (double)(rows->count - from);
}

int main(int argc, char **argv)
{
    long games = argc > 1 ? atol(argv[1]) : 15000;
    const struct banyan_game *game;
    struct banyan_rng rng;
    struct rows rows = {.x = NULL};
    double w[N] = {0};
    banyan_rng_seed(&rng, 5);
    if (banyan_game_find("pokemon", &game, NULL) != BANYAN_OK)
        return EXIT_FAILURE;
    for (long i = 0; i < games; ++i)
        play(game, &rng, &rows);
    size_t learned = rows.count * 9 / 10;
    fit(&rows, learned, w);
    fprintf(stderr,
            "logistic regression on %zu positions of %ld games; on the tenth of them that was kept "
            "back the log loss "
            "is %.4f (0.6931: knows nothing)\n",
            rows.count, games, log_loss(&rows, learned, w));
    for (int k = 0, n = 0; k < N; ++k) /* tanh z is 2 / (1 + exp -2z) - 1 */
        if (k != FEATURE_SUBSTITUTE)
            printf("%s%s=%.4f", n++ ? "," : "", names[k], w[k] / 2);
    printf("\n");
    free(rows.x);
    return EXIT_SUCCESS;
}
