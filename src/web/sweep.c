/* Searches every position of a recorded game. */
#include "web/sweep.h"

#include "base/movers.h"
#include "json/show.h"

#include <math.h>
#include <string.h>

enum { SWEEP_VALUES, SWEEP_BEST, SWEEP_LOSS, SWEEP_COLUMNS };

static const struct game_step *sweep_step(const struct sweep *sweep)
{
    return &sweep->record->steps[sweep->at.ply];
}

static bool sweep_is_hidden(const struct sweep *sweep)
{
    return (sweep->record->game->traits & BANYAN_HIDDEN) != 0;
}

/* --- one search --- */

/* The game's own estimate, which needs no simulated games; games without one use rollouts. */
static const char *sweep_evaluator(const struct banyan_game *game)
{
    return game->heuristic ? "heuristic" : "rollout";
}

/* Opens a search of the position with the knowledge of `viewer`; if `judged` is a player, the
 * search has their action `only` and no other.  The means of two such searches are compared.  A
 * proven mean and an estimated one would not be comparable, so the solver is off. */
static enum banyan_status sweep_search(struct sweep *sweep, struct banyan_error *err)
{
    const struct banyan_game *game = sweep->record->game;
    const struct analysis_question question = {
        .game = game->name, .options = "solver=off", .evaluator = sweep_evaluator(game)};
    struct analysis *analysis = &sweep->analysis;
    enum banyan_status status =
        analysis_open_at(analysis, &question, sweep->at.state, sweep->viewer, err);
    if (status == BANYAN_OK && sweep->judged >= 0)
        status = banyan_search_allow(analysis->search, sweep->judged, &sweep->only, 1, err);
    return status == BANYAN_OK ? analysis_aim(analysis, sweep->simulations, err) : status;
}

/* Whether legal() lists what was played.  A recording of another program may hold actions that change nothing, which
 * legal() leaves out. */
static bool sweep_is_legal(const struct sweep *sweep, int player)
{
    const struct banyan_game *game = sweep->record->game;
    banyan_action *legal = sweep->at.legal;
    int count = game->legal(game, sweep->at.state, player, legal), i = 0;
    while (i < count && legal[i] != sweep_step(sweep)->joint[player])
        ++i;
    return i < count;
}

/* Notes the best action of a player, and whether the played one must be searched to compare them. */
static void sweep_note_best(struct sweep *sweep, int player, const struct banyan_search_move *best)
{
    char text[BANYAN_TEXT_MAX];
    show_action(sweep->record->game, sweep->at.state, player, best->action, text, sizeof text);
    json_array_set_new(sweep->now[SWEEP_BEST], (size_t)player, json_string(text));
    if (best->action == sweep_step(sweep)->joint[player])
        json_array_set_new(sweep->now[SWEEP_LOSS], (size_t)player, json_real(0));
    else if (sweep_is_legal(sweep, player))
        sweep->pending |= 1u << player;
}

/* A player who chooses alone can expect the value of their best action; the mean of all simulations is lower, because
 * it counts worse actions too.  With a constant sum the other player gets the rest. */
static void sweep_improve_values(const struct sweep *sweep, float *values)
{
    const struct banyan_game *game = sweep->record->game;
    unsigned movers = sweep_step(sweep)->movers;
    int player = movers_first(movers);
    if (!movers_single(movers))
        return;
    values[player] = (float)sweep->best[player].mean;
    if (game->players == 2 && game->traits & BANYAN_ZERO_SUM)
        values[1 - player] = game->return_min + game->return_max - values[player];
}

/* Finds the best action of each player whom this search is for.  Nobody chose the plies of an opening, so they are not
 * judged. */
static enum banyan_status sweep_note_choices(struct sweep *sweep, struct banyan_error *err)
{
    bool is_opening = sweep->at.ply < sweep->record->opening_plies;
    enum banyan_status status = BANYAN_OK;
    for (int p = 0; p < sweep->record->game->players && status == BANYAN_OK; ++p) {
        struct banyan_search_move *best = &sweep->best[p];
        if (!(sweep_step(sweep)->movers >> p & 1) || (sweep->viewer >= 0 && p != sweep->viewer))
            continue;
        status = banyan_search_choose(sweep->analysis.search, p, best, err);
        if (status == BANYAN_OK && !is_opening && best->visits > 0)
            sweep_note_best(sweep, p, best);
    }
    return status;
}

/* Notes the results of the search of all actions: the best ones, and what the players of this view can expect. */
static enum banyan_status sweep_note_all(struct sweep *sweep, struct banyan_error *err)
{
    float values[BANYAN_MAX_PLAYERS];
    enum banyan_status status = sweep_note_choices(sweep, err);
    banyan_search_root_values(sweep->analysis.search, values);
    if (status == BANYAN_OK)
        sweep_improve_values(sweep, values);
    for (int p = 0; p < sweep->record->game->players; ++p)
        if (sweep->viewer < 0 || p == sweep->viewer)
            json_array_set_new(sweep->now[SWEEP_VALUES], (size_t)p, show_number(values[p]));
    return status;
}

/* Notes the result of the search of one action alone: first the best action, then the played one.
 * Each gets all simulations, because a mean falls while the other side finds better answers: only
 * means of equally long searches can be compared. */
static void sweep_note_alone(struct sweep *sweep)
{
    struct banyan_search_move move;
    int player = sweep->judged;
    double mean = NAN;
    if (banyan_search_root_moves(sweep->analysis.search, player, &move, 1) == 1)
        mean = move.mean;
    double loss = sweep->best[player].mean - mean;
    if (sweep->only == sweep->best[player].action)
        sweep->best[player].mean = mean;
    else
        json_array_set_new(sweep->now[SWEEP_LOSS], (size_t)player,
                           show_number(loss < 0 ? 0 : loss));
}

/* --- from search to search --- */

static void sweep_begin_ply(struct sweep *sweep)
{
    sweep->viewer = sweep->judged = -1;
    sweep->pending = 0;
    if (sweep->at.ply == sweep->record->plies) {
        sweep_stop(sweep);
        return;
    }
    if (sweep_is_hidden(sweep))
        sweep->viewer = movers_first(sweep_step(sweep)->movers);
    for (int i = 0; i < SWEEP_COLUMNS; ++i) {
        sweep->now[i] = json_array();
        for (int p = 0; p < sweep->record->game->players; ++p)
            json_array_append_new(sweep->now[i], json_null());
    }
}

static enum banyan_status sweep_end_ply(struct sweep *sweep, struct banyan_error *err)
{
    for (int i = 0; i < SWEEP_COLUMNS; ++i) {
        json_array_append_new(sweep->columns[i], sweep->now[i]);
        sweep->now[i] = NULL;
    }
    enum banyan_status status = game_replay_next(&sweep->at, err);
    if (status == BANYAN_OK)
        sweep_begin_ply(sweep);
    return status;
}

/* Chooses the next action to be searched alone; false: there is none. */
static bool sweep_next_alone(struct sweep *sweep)
{
    int before = sweep->judged;
    if (before >= 0 && sweep->only == sweep->best[before].action) {
        sweep->only = sweep_step(sweep)->joint[before];
        return true;
    }
    sweep->judged = movers_first(sweep->pending);
    sweep->pending &= sweep->pending - 1;
    if (sweep->judged >= 0)
        sweep->only = sweep->best[sweep->judged].action;
    return sweep->judged >= 0;
}

/* After a search: goes on to the search of one action alone, to the next player who chooses, or to
 * the next position. */
static enum banyan_status sweep_next(struct sweep *sweep, bool *ended, struct banyan_error *err)
{
    unsigned later = sweep->viewer < 0 ? 0 : sweep_step(sweep)->movers & (~1u << sweep->viewer);
    if (sweep_next_alone(sweep))
        return BANYAN_OK;
    *ended = !later;
    if (!later)
        return sweep_end_ply(sweep, err);
    sweep->viewer = movers_first(later);
    return BANYAN_OK;
}

enum banyan_status sweep_work(struct sweep *sweep, bool *ended, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    *ended = false;
    if (!sweep->analysis.game)
        status = sweep_search(sweep, err);
    if (status == BANYAN_OK && analysis_is_running(&sweep->analysis))
        status = analysis_slice(&sweep->analysis, err);
    if (status != BANYAN_OK || analysis_is_running(&sweep->analysis))
        return status;
    if (sweep->judged < 0)
        status = sweep_note_all(sweep, err);
    else
        sweep_note_alone(sweep);
    analysis_close(&sweep->analysis);
    return status == BANYAN_OK ? sweep_next(sweep, ended, err) : status;
}

/* --- open and close --- */

/* Replays the whole record once: that finds faults, and fills in the actions of all plies. */
static enum banyan_status sweep_check(struct game_record *record, struct banyan_error *err)
{
    struct game_replay replay;
    enum banyan_status status = game_replay_begin(&replay, record, err);
    if (status != BANYAN_OK)
        return status;
    status = game_replay_to(&replay, -1, err);
    game_replay_end(&replay);
    return status;
}

enum banyan_status sweep_open(struct sweep *sweep, struct game_record *record, int64_t simulations,
                              struct banyan_error *err)
{
    sweep_close(sweep);
    enum banyan_status status = sweep_check(record, err);
    if (status == BANYAN_OK)
        status = game_replay_begin(&sweep->at, record, err);
    if (status != BANYAN_OK)
        return status;
    sweep->record = record;
    sweep->simulations = simulations;
    sweep->running = true;
    for (int i = 0; i < SWEEP_COLUMNS; ++i)
        sweep->columns[i] = json_array();
    sweep_begin_ply(sweep);
    return BANYAN_OK;
}

void sweep_stop(struct sweep *sweep)
{
    analysis_close(&sweep->analysis);
    sweep->running = false;
}

void sweep_close(struct sweep *sweep)
{
    if (!sweep->record)
        return;
    sweep_stop(sweep);
    game_replay_end(&sweep->at);
    for (int i = 0; i < SWEEP_COLUMNS; ++i) {
        json_decref(sweep->now[i]);
        json_decref(sweep->columns[i]);
    }
    memset(sweep, 0, sizeof *sweep);
}

json_t *sweep_json(const struct sweep *sweep)
{
    return json_pack("{s:i, s:i, s:b, s:I, s:O, s:O, s:O}", "plies", sweep->record->plies, "done",
                     (int)json_array_size(sweep->columns[SWEEP_VALUES]), "running", sweep->running,
                     "simulations", (json_int_t)sweep->simulations, "values",
                     sweep->columns[SWEEP_VALUES], "best", sweep->columns[SWEEP_BEST], "loss",
                     sweep->columns[SWEEP_LOSS]);
}
