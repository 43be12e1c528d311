/* Prints the result of a match as text and as JSON. */
#include "cli/match_report.h"

#include "cli/cli.h"
#include "cli/show.h"
#include "match/elo.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool report_is_duel(const struct match_report *report)
{
    return report->result->count == 2 && report->game->players == 2;
}

static double report_per(double sum, int64_t count)
{
    return count ? sum / (double)count : 0;
}

char *match_report_elo(double elo, char *out, size_t size)
{
    if (isfinite(elo))
        snprintf(out, size, "%+.0f", elo);
    else
        snprintf(out, size, "%s", isnan(elo) ? "?" : elo > 0 ? "+inf" : "-inf");
    return out;
}

static const char *report_answer(const struct match_report *report)
{
    static const char *const answers[] = {"undecided", "elo0", "elo1"};
    return answers[report->result->sprt];
}

void match_report_sprt(const struct argp_state *state, const char *text, struct sprt *sprt)
{
    char rest;
    int found = sscanf(text, "%lf,%lf,%lf,%lf%c", &sprt->elo0, &sprt->elo1, &sprt->alpha,
                       &sprt->beta, &rest);
    if ((found != 2 && found != 4) || !(sprt->elo0 < sprt->elo1) || sprt->elo0 < -1000 ||
        sprt->elo1 > 1000 || !(sprt->alpha > 0 && sprt->alpha < 0.5) ||
        !(sprt->beta > 0 && sprt->beta < 0.5))
        cli_usage(state,
                  "--sprt is ELO0,ELO1[,ALPHA,BETA] with ELO0 < ELO1 and errors below 0.5, "
                  "such as 0,10 or 0,10,0.05,0.05, not '%s'",
                  text);
}

/* --- text --- */

const char *match_report_name(const char *spec, char out[MATCH_REPORT_NAME + 1])
{
    size_t length = strlen(spec);
    if (length <= MATCH_REPORT_NAME)
        return spec;
    snprintf(out, MATCH_REPORT_NAME + 1, "%.17s..%s", spec, spec + length - 17);
    return out;
}

static void report_print_player(const struct match_report *report, int i, FILE *out)
{
    const struct match_player *player = &report->result->players[i];
    double lo, hi, score = match_score(player, &lo, &hi);
    char elo[3][16], name[MATCH_REPORT_NAME + 1];
    if (report->game->players == 1) {
        double mean = report_per(player->returns, player->games);
        double square = report_per(player->return_squares, player->games);
        double deviation = sqrt(fmax(0, square - mean * mean));
        fprintf(out, "%-36s %6" PRId64 " games, return %.4g +- %.2g (95 %%)\n",
                match_report_name(report->specs[i], name), player->games, mean,
                player->games ? ELO_Z95 * deviation / sqrt((double)player->games) : 0);
        return;
    }
    fprintf(out, "%-36s %6" PRId64 " %6" PRId64 " %6" PRId64 "  %.3f [%.3f, %.3f]",
            match_report_name(report->specs[i], name), player->wins, player->draws, player->losses,
            score, lo, hi);
    if (report->game->players == 2)
        fprintf(out, "  %s [%s, %s]",
                match_report_elo(elo_from_score(score), elo[0], sizeof elo[0]),
                match_report_elo(elo_from_score(lo), elo[1], sizeof elo[1]),
                match_report_elo(elo_from_score(hi), elo[2], sizeof elo[2]));
    fputc('\n', out);
}

static void report_print_time(const struct match_report *report, int i, FILE *out)
{
    const struct match_player *player = &report->result->players[i];
    char name[MATCH_REPORT_NAME + 1];
    fprintf(out, "%-36s %.3f ms per decision (longest %.1f)",
            match_report_name(report->specs[i], name),
            report_per(player->elapsed_ms, player->decisions), player->longest_ms);
    if (player->simulations)
        fprintf(out, ", %.0f simulations",
                report_per((double)player->simulations, player->decisions));
    if (player->overstepped)
        fprintf(out, ", %" PRId64 " games lost on time", player->overstepped);
    if (player->forfeited)
        fprintf(out, ", %" PRId64 " by breaking a rule", player->forfeited);
    fputc('\n', out);
}

/* Prints the first player's results by seat, and points where the game counts them. */
static void report_print_seats(const struct match_report *report, FILE *out)
{
    for (int k = 0; k < 2; ++k) {
        char who[64];
        const struct match_seat *seat = &report->result->players[0].seat[k];
        snprintf(who, sizeof who, "  the first as %s", banyan_game_player_name(report->game, k));
        double lo, hi, score = match_seat_score(seat, &lo, &hi);
        fprintf(out, "%-36s %6" PRId64 " %6" PRId64 " %6" PRId64 "  %.3f [%.3f, %.3f]", who,
                seat->wins, seat->draws, seat->games - seat->wins - seat->draws, score, lo, hi);
        if (report->game->points)
            fprintf(out, "  points %.2f - %.2f", report_per(seat->points, seat->games),
                    report_per(seat->against, seat->games));
        fputc('\n', out);
    }
}

/* Prints by how much pairs (two games from the same start) reduce the variance of the score. */
static void report_print_saved(const struct match_result *result, FILE *out)
{
    double saved;
    if (!match_variance_saved(result, &saved))
        return;
    fprintf(out, "pairs %s %.0f %% of the variance", saved < 0 ? "add" : "save", 100 * fabs(saved));
    if (saved > 0 && saved < 0.99)
        fprintf(out, ", as good as %.2f times the games", 1 / (1 - saved));
    fputc('\n', out);
}

void match_report_rounds(const struct match_report *report, FILE *out)
{
    const struct match_result *result = report->result;
    double lo, hi;
    if (match_pair_interval(result, &lo, &hi))
        fprintf(out,
                "by whole rounds: score of the first [%.3f, %.3f]; points 0, 1/2, 1, 3/2, 2: "
                "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
                lo, hi, result->pairs[0], result->pairs[1], result->pairs[2], result->pairs[3],
                result->pairs[4]);
    report_print_saved(result, out);
    if (report->options->use_sprt)
        fprintf(out, "SPRT elo0 %g, elo1 %g: LLR %.2f in [%.2f, %.2f], %s\n",
                report->options->sprt.elo0, report->options->sprt.elo1, result->llr,
                sprt_lower(&report->options->sprt), sprt_upper(&report->options->sprt),
                result->sprt == SPRT_GO_ON  ? "undecided"
                : result->sprt == SPRT_ELO0 ? "elo0 holds"
                                            : "elo1 holds");
}

void match_report_print(const struct match_report *report, FILE *out)
{
    const struct match_result *result = report->result;
    int64_t games = result->games;
    fprintf(out, "%s: %" PRId64 " games, %" PRId64 " different, %.1f plies each, %.1f s\n",
            report->game->name, games, result->distinct_games,
            report_per((double)result->plies, games), result->elapsed_s);
    if (report->game->players > 1)
        fprintf(out, "%-36s %6s %6s %6s  %-21s%s\n", "", "wins", "draws", "losses",
                "score [95 %, Wilson]", report->game->players == 2 ? "   Elo" : "");
    for (int i = 0; i < result->count; ++i)
        report_print_player(report, i, out);
    for (int seat = 0; seat < report->game->players; ++seat)
        if (report->options->handicaps[seat])
            fprintf(out, "handicap as %s: %s\n", banyan_game_player_name(report->game, seat),
                    report->options->handicaps[seat]);
    if (report_is_duel(report)) {
        report_print_seats(report, out);
        match_report_rounds(report, out);
    }
    if (report->game->players > 1)
        fprintf(out, "whoever moves first won %" PRId64 ", drew %" PRId64 "\n", result->first_wins,
                result->first_draws);
    for (int i = 0; i < result->count; ++i)
        report_print_time(report, i, out);
    fflush(out);
}

/* --- JSON --- */

static json_t *report_interval(double lo, double hi)
{
    return json_pack("[o,o]", show_number(lo), show_number(hi));
}

static json_t *report_seats_json(const struct match_report *report, int i)
{
    json_t *seats = json_array();
    for (int k = 0; k < 2 && report_is_duel(report); ++k) {
        const struct match_seat *seat = &report->result->players[i].seat[k];
        double lo, hi, score = match_seat_score(seat, &lo, &hi);
        bool points = report->game->points;
        json_array_append_new(
            seats,
            json_pack("{s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "games", (json_int_t)seat->games,
                      "wins", (json_int_t)seat->wins, "draws", (json_int_t)seat->draws, "losses",
                      (json_int_t)(seat->games - seat->wins - seat->draws), "score",
                      show_number(score), "ci95", report_interval(lo, hi), "points",
                      points ? show_number(report_per(seat->points, seat->games)) : json_null(),
                      "points_against",
                      points ? show_number(report_per(seat->against, seat->games)) : json_null()));
    }
    return seats;
}

static json_t *report_player_json(const struct match_report *report, int i)
{
    const struct match_player *player = &report->result->players[i];
    double lo, hi, score = match_score(player, &lo, &hi);
    bool alone = report->game->players == 1;
    return json_pack(
        "{s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:o}", "player",
        report->specs[i], "games", (json_int_t)player->games, "wins", (json_int_t)player->wins,
        "draws", (json_int_t)player->draws, "losses", (json_int_t)player->losses, "score",
        alone ? json_null() : show_number(score), "ci95",
        alone ? json_null() : report_interval(lo, hi), "mean_return",
        show_number(player->games ? player->returns / (double)player->games : (double)NAN),
        "ms_per_move", show_number(report_per(player->elapsed_ms, player->decisions)), "longest_ms",
        show_number(player->longest_ms), "simulations", (json_int_t)player->simulations,
        "overstepped", (json_int_t)player->overstepped, "forfeited", (json_int_t)player->forfeited,
        "seats", report_seats_json(report, i));
}

static json_t *report_sprt_json(const struct match_report *report)
{
    const struct sprt *sprt = &report->options->sprt;
    if (!report->options->use_sprt)
        return json_null();
    return json_pack(
        "{s:f, s:f, s:f, s:f, s:o, s:o, s:s}", "elo0", sprt->elo0, "elo1", sprt->elo1, "alpha",
        sprt->alpha, "beta", sprt->beta, "llr", show_number(report->result->llr), "bounds",
        report_interval(sprt_lower(sprt), sprt_upper(sprt)), "answer", report_answer(report));
}

/* The keys of a match of two: a is the first player on the command line. */
static void report_duel_json(const struct match_report *report, json_t *object)
{
    const struct match_result *result = report->result;
    const struct match_player *a = &result->players[0];
    double lo, hi, pair_lo, pair_hi, saved, score = match_score(a, &lo, &hi);
    bool paired = match_pair_interval(result, &pair_lo, &pair_hi);
    bool compared = match_variance_saved(result, &saved);
    json_t *pairs = json_array();
    for (int k = 0; k < MATCH_PAIR_OUTCOMES; ++k)
        json_array_append_new(pairs, json_integer(result->pairs[k]));
    json_t *duel = json_pack(
        "{s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "a",
        report->specs[0], "b", report->specs[1], "wins_a", (json_int_t)a->wins, "draws",
        (json_int_t)a->draws, "wins_b", (json_int_t)a->losses, "score_a", show_number(score),
        "ci95", report_interval(lo, hi), "ci95_method", "wilson", "elo",
        show_number(elo_from_score(score)), "elo_ci95",
        report_interval(elo_from_score(lo), elo_from_score(hi)), "pairs", pairs, "ci95_pairs",
        paired ? report_interval(pair_lo, pair_hi) : json_null(), "variance_saved",
        compared ? show_number(saved) : json_null(), "sprt", report_sprt_json(report));
    json_object_update(object, duel);
    json_decref(duel);
}

json_t *match_report_json(const struct match_report *report)
{
    const struct match_result *result = report->result;
    json_t *object = json_object(), *players = json_array(), *handicaps = json_array();
    for (int i = 0; i < result->count; ++i)
        json_array_append_new(players, report_player_json(report, i));
    for (int seat = 0; seat < report->game->players; ++seat)
        json_array_append_new(handicaps, json_pack("s?", report->options->handicaps[seat]));
    json_object_set_new(object, "game", json_string(report->game->name));
    if (report_is_duel(report))
        report_duel_json(report, object);
    json_t *rest = json_pack(
        "{s:I, s:I, s:I, s:o, s:I, s:I, s:o, s:I, s:o, s:b, s:o}", "games",
        (json_int_t)result->games, "games_wanted", (json_int_t)result->games_wanted,
        "distinct_games", (json_int_t)result->distinct_games, "mean_plies",
        show_number(report_per((double)result->plies, result->games)), "first_wins",
        (json_int_t)result->first_wins, "first_draws", (json_int_t)result->first_draws, "players",
        players, "seed", (json_int_t)report->options->seed, "handicaps", handicaps, "interrupted",
        (int)result->interrupted, "elapsed_s", show_number(result->elapsed_s));
    json_object_update(object, rest);
    json_decref(rest);
    return object;
}
