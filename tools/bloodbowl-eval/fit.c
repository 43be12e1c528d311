/* Fits the value of Blood Bowl positions to games of the script: prints src/games/bloodbowl/players/eval_data.c.
 *
 *     tools/bloodbowl-eval/fit [GAMES]
 *
 * Both sides play the script, with one plan in seven drawn at random from its list.  The first
 * decision of each team turn is a sample; its label is who scored the next touchdown of the half.
 * The weights are those of a multinomial logistic regression (Newton's method, a small ridge), one
 * for each mode and size of pitch. */
#include "base/numeric.h"
#include "games/bloodbowl/players/bot.h"
#include "games/bloodbowl/players/eval_features.h"
#include "games/bloodbowl/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { F = EVAL_FEATURES, P = 2 * F, FIT_ODD = 7, FIT_STEPS = 25 };

struct sample {
    float x[F], squads;
    uint8_t mode, owner, next, half; /* next: 0 the owner scores, 1 the other, 2 nobody */
    int8_t lead, turns;              /* home's lead; turns left a side, all halves */
    /* who receives at this kick-off, and at that of half 2: 1 home, -1 away, 0 none */
    int8_t receiver, later;
    int8_t mine, theirs, result;
};

struct data {
    struct sample *sample;
    int count, room, open; /* open: the first sample whose `next` is not known yet */
};

static struct sample *data_add(struct data *d)
{
    if (d->count == d->room) {
        d->room = 2 * d->room + 1024;
        d->sample = realloc(d->sample, (size_t)d->room * sizeof *d->sample);
        if (!d->sample)
            exit(1);
    }
    memset(&d->sample[d->count], 0, sizeof *d->sample);
    return &d->sample[d->count++];
}

static void fit_close(struct data *d, int scorer)
{
    for (; d->open < d->count; ++d->open) {
        struct sample *s = &d->sample[d->open];
        s->next = (uint8_t)(scorer == BB_NOBODY ? 2 : scorer == s->owner ? 0 : 1);
    }
}

static void fit_sample(struct data *d, const struct bb_state *s)
{
    struct eval_view view;
    if (!eval_look(s, &view))
        return;
    struct sample *to = data_add(d);
    memcpy(to->x, view.x, sizeof to->x);
    to->squads = view.squads;
    to->mode = (uint8_t)view.mode;
    to->owner = (uint8_t)view.owner;
    to->half = s->half;
    to->lead = (int8_t)(s->team[BB_HOME].score - s->team[BB_AWAY].score);
    to->mine = (int8_t)view.turns[BB_HOME];
    to->theirs = (int8_t)view.turns[BB_AWAY];
    to->later = (int8_t)(s->half == 1 ? (s->kick_first == BB_HOME ? 1 : -1) : 0);
    to->receiver = (int8_t)(view.owner == BB_HOME ? 1 : -1);
}

static void fit_game(struct data *d, int variant, struct banyan_rng *rng)
{
    const struct banyan_game *game = bloodbowl_variant(variant);
    struct bb_state s;
    struct bot_plan plan[2];
    struct bot_plans plans;
    bool planned[2] = {false, false};
    struct banyan_dice dice;
    int first = d->count, clock = -1;
    banyan_dice_drawn(&dice, rng);
    game->init(game, &s, NULL, rng, NULL);
    for (int team; (team = bb_asked(&s)) != BB_NOBODY;) {
        int home = s.team[BB_HOME].score, away = s.team[BB_AWAY].score, half = s.half;
        const struct bb_frame *turn = bb_turn_frame(&s);
        bool plans_now = bot_plans_now(&s);
        int now = plans_now ? team | s.half << 1 | turn->number << 3 | (turn->bits & BB_E) << 8
                  : s.depth && s.frame[s.depth - 1].procedure == BB_PLACE_BALL ? 1 << 20
                                                                               : clock;
        if (now != clock)
            fit_sample(d, &s);
        clock = now;
        struct bb_action a = bot_next(&bot_usual, &s, &plan[team], &planned[team]);
        if (plans_now && banyan_rng_below(rng, FIT_ODD) == 0) {
            struct bot_view view;
            bot_look(&view, &bot_usual, &s, team);
            bot_list(&view, 2, true, &plans);
            plan[team] = plans.plan[banyan_rng_below(rng, (uint32_t)plans.count)];
            planned[team] = plan[team].player != BB_NONE;
            a = bot_begin(&plan[team]);
        }
        banyan_action packed = bb_action_pack(&a);
        bot_legal(&s, &packed);
        a = bb_action_unpack(&s, packed);
        bb_apply(&s, &a, &dice);
        if (s.team[BB_HOME].score > home)
            fit_close(d, BB_HOME);
        else if (s.team[BB_AWAY].score > away)
            fit_close(d, BB_AWAY);
        else if (s.half != half || s.over)
            fit_close(d, BB_NOBODY);
    }
    int lead = s.team[BB_HOME].score - s.team[BB_AWAY].score;
    fit_close(d, BB_NOBODY);
    for (; first < d->count; ++first)
        d->sample[first].result = (int8_t)((lead > 0) - (lead < 0));
}

/* --- regression --- */

static void fit_chances(const float *x, const double *w, double p[2])
{
    double odds[2];
    for (int k = 0; k < 2; ++k) {
        double sum = 0;
        for (int i = 0; i < F; ++i)
            sum += w[k * F + i] * (double)x[i];
        odds[k] = exp(sum > 30 ? 30 : sum);
    }
    for (int k = 0; k < 2; ++k)
        p[k] = odds[k] / (1 + odds[0] + odds[1]);
}

/* a x = b in place, a symmetric and positive: Cholesky. */
static void fit_solve(double a[P][P], double b[P])
{
    for (int i = 0; i < P; ++i) {
        for (int j = 0; j <= i; ++j) {
            double sum = a[i][j];
            for (int k = 0; k < j; ++k)
                sum -= a[i][k] * a[j][k];
            a[i][j] = i == j ? sqrt(sum) : sum / a[j][j];
        }
        for (int k = 0; k < i; ++k)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (int i = P - 1; i >= 0; --i) {
        for (int k = i + 1; k < P; ++k)
            b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
}

static double fit_mode(const struct data *d, int mode, double w[P], int *count)
{
    static double hessian[P][P];
    double gradient[P], loss = 0;
    memset(w, 0, P * sizeof *w);
    for (int step = 0; step < FIT_STEPS; ++step) {
        loss = 0;
        *count = 0;
        memset(hessian, 0, sizeof hessian);
        for (int i = 0; i < P; ++i) {
            gradient[i] = -1.0 * w[i];
            hessian[i][i] = 1.0;
        }
        for (int n = 0; n < d->count; ++n) {
            const struct sample *s = &d->sample[n];
            double p[2];
            if (s->mode != mode)
                continue;
            ++*count;
            fit_chances(s->x, w, p);
            loss -= log(s->next < 2 ? p[s->next] : 1 - p[0] - p[1]);
            for (int k = 0; k < 2; ++k)
                for (int i = 0; i < F; ++i) {
                    if (s->x[i] == 0)
                        continue;
                    gradient[k * F + i] += ((s->next == k) - p[k]) * (double)s->x[i];
                    for (int m = 0; m <= k; ++m) {
                        double c = (double)s->x[i] * (k == m ? p[k] * (1 - p[k]) : -p[k] * p[m]);
                        int end = k == m ? i + 1 : F;
                        for (int j = 0; j < end; ++j)
                            hessian[k * F + i][m * F + j] += c * (double)s->x[j];
                    }
                }
        }
        fit_solve(hessian, gradient);
        for (int i = 0; i < P; ++i)
            w[i] += gradient[i];
    }
    return loss / (*count ? *count : 1);
}

/* --- what may still happen --- */

static double fit_receive(const double *w, int receivers, int kickers, float squads)
{
    float x[F];
    double p[2];
    eval_look_at_kick(receivers, kickers, squads, x);
    fit_chances(x, w, p);
    return p[0] - p[1];
}

static double fit_spread_loss(const struct data *d, const double *kick, double a, double b)
{
    double loss = 0;
    int n = 0;
    for (int i = 0; i < d->count; ++i) {
        const struct sample *s = &d->sample[i];
        if (s->mode != EVAL_KICK)
            continue;
        double turns = 0.5 * (s->mine + s->theirs), sum = s->lead;
        sum += s->receiver > 0 ? fit_receive(kick, s->mine, s->theirs, s->squads)
                               : -fit_receive(kick, s->theirs, s->mine, s->squads);
        if (s->later) {
            turns += 8;
            sum += s->later * fit_receive(kick, 8, 8, (float)(s->later * s->receiver) * s->squads);
        }
        if (turns == 0)
            continue;
        double z = sum / sqrt(a + b * turns), value = z / sqrt(1 + z * z);
        loss += (value - s->result) * (value - s->result);
        ++n;
    }
    return n ? loss / n : 0;
}

static void fit_spread(const struct data *d, const double *kick, float out[2])
{
    double best = 1e9;
    for (double a = 0.02; a < 1.3; a *= 1.5)
        for (double b = 0.01; b < 1.3; b *= 1.25) {
            double loss = fit_spread_loss(d, kick, a, b);
            if (loss >= best)
                continue;
            best = loss;
            out[0] = (float)a;
            out[1] = (float)b;
        }
    fprintf(stderr, "  spread %.3f %.3f: squared error %.4f\n", (double)out[0], (double)out[1],
            best);
}

static void fit_print(const double w[P])
{
    printf("{");
    for (int k = 0; k < 2; ++k) {
        printf("{");
        for (int i = 0; i < F; ++i)
            printf("%.4ff%s", w[k * F + i], i + 1 < F ? ", " : "");
        printf("}%s", k ? "}" : ", ");
    }
    printf(",\n");
}

int main(int argc, char **argv)
{
    int games = argc > 1 ? atoi(argv[1]) : 1000;
    printf("/* The weights of eval.c, fitted by tools/bloodbowl-eval/fit %d. */\n"
           "#include \"games/bloodbowl/players/eval_features.h\"\n\n"
           "const struct eval_weights eval_weights[BB_VARIANTS] = {\n",
           games);
    for (int variant = 0; variant < BB_VARIANTS; ++variant) {
        struct data d = {.sample = NULL};
        struct banyan_rng rng;
        double w[P];
        float spread[2] = {0, 0};
        banyan_rng_seed(&rng, (uint64_t)variant + 1);
        for (int i = 0; i < games; ++i)
            fit_game(&d, variant, &rng);
        printf("{{");
        for (int mode = 0; mode < EVAL_MODES; ++mode) {
            int count;
            double loss = fit_mode(&d, mode, w, &count);
            fprintf(stderr, "board %d mode %d: %d samples, log loss %.4f\n",
                    bb_variants[variant].number, mode, count, loss);
            fit_print(w);
            if (mode == EVAL_KICK)
                fit_spread(&d, w, spread);
        }
        printf("}, {%.4ff, %.4ff}},\n", (double)spread[0], (double)spread[1]);
        free(d.sample);
    }
    printf("};\n");
    return 0;
}
