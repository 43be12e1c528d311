/* Self-play: many games at once, whose leaves share batches of the network. */
#include "train/play.h"

#include "base/rng.h"
#include "train/play_start.h"
#include "train/play_target.h"
#include "train/play_teacher.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(struct play_options, member)
/* clang-format off */
const struct banyan_option play_table[] = {
    {"at-once", BANYAN_OPTION_INT, AT(at_once), 1, 4096, NULL, 0, "games of one thread, whose positions make one batch"},
    {"threads", BANYAN_OPTION_INT, AT(threads), 1, 256, NULL, 0, "threads; each has its own copy of the network"},
    {"simulations", BANYAN_OPTION_INT, AT(simulations), 1, 1e9, NULL, 0, "simulations of a full search"},
    {"fast-simulations", BANYAN_OPTION_INT, AT(fast_simulations), 1, 1e9, NULL, 0, "simulations of a fast search, whose visits are not learned as a policy"},
    {"whole-share", BANYAN_OPTION_REAL, AT(whole_share), 0.001, 1, NULL, 0, "share of full searches"},
    {"random-plies", BANYAN_OPTION_INT, AT(random_plies), 0, 1000, NULL, 0, "each game begins after a random number of random plies, from 0 to this"},
    {"warm-plies", BANYAN_OPTION_INT, AT(warm_plies), 0, 1e6, NULL, 0, "number of choices at the start of a game that are drawn at temperature `warm`"},
    {"warm", BANYAN_OPTION_REAL, AT(warm), 0, 10, NULL, 0, "temperature of the first choices"},
    {"cold", BANYAN_OPTION_REAL, AT(cold), 0, 10, NULL, 0, "temperature of the later choices; 0: the most visited action"},
    {"resign", BANYAN_OPTION_REAL, AT(resign), 0, 0.5, NULL, 0, "resign below this expected reward of 0..1; 0: never"},
    {"audit", BANYAN_OPTION_REAL, AT(audit), 0, 1, NULL, 0, "share of games in which no player resigns"},
    {"prune", BANYAN_OPTION_BOOL, AT(prune), 0, 1, NULL, 0, "leave forced playouts out of the policy targets"},
    {"teacher", BANYAN_OPTION_TEXT, AT(teacher), 0, 0, NULL, sizeof(((struct play_options *)0)->teacher), "a player who plays in the network's place at first, such as mcts:evaluator=heuristic"},
    {"teacher-generations", BANYAN_OPTION_INT, AT(teacher_generations), 0, 1e9, NULL, 0, "number of generations that the teacher plays"},
    {"teacher-stray", BANYAN_OPTION_REAL, AT(teacher_stray), 0, 1, NULL, 0, "share of the teacher's choices that are replaced by a random legal action"},
    {0},
};
/* clang-format on */
#undef AT

void play_options_default(struct play_options *options)
{
    *options = (struct play_options){.at_once = 32,
                                     .threads = 1,
                                     .simulations = 100,
                                     .fast_simulations = 20,
                                     .whole_share = 1,
                                     .warm_plies = 10,
                                     .warm = 1,
                                     .cold = 0.25,
                                     .audit = 0.1,
                                     .prune = true,
                                     .teacher_stray = 0.1};
}

/* One game in progress. */
struct play_game {
    int64_t number;
    struct record record;
    struct banyan_search *search;
    struct banyan_rng rng;
    struct banyan_dice dice;
    struct banyan_die thrown[256]; /* dice of one apply */
    unsigned char *state, *before;
    unsigned waiting; /* movers of this position who have not chosen yet */
    banyan_action joint[BANYAN_MAX_PLAYERS];
    int player; /* the player who searches */
    int done, goal;
    bool whole, audited, rooted, active;
    int hopeless[BANYAN_MAX_PLAYERS]; /* number of choices in a row below `resign` */
};

struct play;

struct play_worker {
    struct play *play;
    struct net *net;              /* NULL: the teacher plays */
    struct play_teacher *teacher; /* NULL: the network plays */
    struct banyan_evaluator evaluator;
    struct play_game *games;    /* [at_once] */
    struct banyan_leaf *leaves; /* [at_once] */
    struct play_game **owners;  /* [at_once] the game of each leaf */
    struct banyan_search_move *rows;
    uint32_t *weights;
    banyan_action *legal;
    struct opening opening; /* random plies before the first position */
    int active;             /* number of games in progress */
    bool dry;               /* there was no next game */
    pthread_t thread;
    bool started;
};

struct play {
    const struct play_job *job;
    atomic_bool ending;
    pthread_mutex_t lock; /* guards the members below */
    int64_t next;         /* number of the next game, if the job has no function for it */
    struct play_totals totals;
    enum banyan_status status;
    struct banyan_error error;
};

static void play_fail(struct play *play, enum banyan_status status, const struct banyan_error *err)
{
    pthread_mutex_lock(&play->lock);
    if (play->status == BANYAN_OK) {
        play->status = status;
        play->error = *err;
    }
    pthread_mutex_unlock(&play->lock);
    /* relaxed order is enough: a thread that sees the flag late only plays on for a while */
    atomic_store_explicit(&play->ending, true, memory_order_relaxed);
}

/* --- beginning and end of a game --- */

static void play_game_close(struct play_game *game)
{
    banyan_search_destroy(game->search);
    game->search = NULL;
    game->active = false;
}

static void play_number(const struct play_job *job, struct play_game *game, int64_t number)
{
    uint64_t seed = banyan_rng_child(job->seed, "generation", (uint64_t)job->generation);
    banyan_rng_seed(&game->rng, banyan_rng_child(seed, "game", (uint64_t)number));
    record_clear(&game->record);
    game->record.generation = job->generation;
    game->record.number = game->number = number;
}

static enum banyan_status play_begin(struct play_worker *worker, struct play_game *game,
                                     int64_t number, struct banyan_error *err)
{
    const struct play_job *job = worker->play->job;
    struct banyan_search_options options = *job->search;
    play_number(job, game, number);
    options.seed = rng_next(&game->rng);
    options.batch = options.threads = options.ensemble = 1;
    game->audited = rng_unit(&game->rng) < job->options->audit;
    game->rooted = false;
    game->waiting = 0;
    memset(game->hopeless, 0, sizeof game->hopeless);
    banyan_dice_drawn(&game->dice, &game->rng);
    game->dice.log = game->thrown;
    game->dice.log_max = (int)(sizeof game->thrown / sizeof *game->thrown);
    enum banyan_status status =
        play_start(job, &worker->opening, game->state, &game->rng, &game->record, err);
    if (status == BANYAN_OK)
        status = banyan_search_create(&game->search, job->game, &options, &worker->evaluator, err);
    game->active = status == BANYAN_OK;
    worker->active += game->active;
    return status;
}

static enum banyan_status play_deliver(struct play_worker *worker, struct play_game *game,
                                       struct banyan_error *err)
{
    struct play *play = worker->play;
    pthread_mutex_lock(&play->lock);
    enum banyan_status status = play->job->deliver(play->job->ctx, &game->record, err);
    ++play->totals.games;
    play->totals.choices += game->record.choice_count;
    pthread_mutex_unlock(&play->lock);
    worker->active -= game->active;
    play_game_close(game);
    return status;
}

/* --- a choice --- */

static double play_reward(const struct banyan_game *rules, double value)
{
    return (value - rules->return_min) / ((double)rules->return_max - rules->return_min);
}

/* Whether the player resigns: after two hopeless choices in a row (never if `resign` is 0, since no
 * reward is lower), and only in games of two players with a constant sum, where the other player
 * wins then. */
static bool play_resigns(const struct play_job *job, struct play_game *game, double value)
{
    const struct play_options *options = job->options;
    int *hopeless = &game->hopeless[game->player];
    *hopeless = play_reward(job->game, value) < options->resign ? *hopeless + 1 : 0;
    if (job->game->players != 2 || !(job->game->traits & BANYAN_ZERO_SUM) || game->audited ||
        *hopeless < 2)
        return false;
    game->record.resigned = true;
    game->record.returns[game->player] = job->game->return_min;
    game->record.returns[1 - game->player] = job->game->return_max;
    return true;
}

static bool play_note_choice(struct play_worker *worker, struct play_game *game, int count,
                             const struct record_choice *choice)
{
    struct record *record = &game->record;
    struct record_choice noted = *choice;
    noted.first = record->action_count;
    noted.count = count;
    for (int i = 0; i < count; ++i)
        if (!record_add_action(record, worker->rows[i].action, worker->weights[i]))
            return false;
    return record_add_choice(record, &noted);
}

static void play_chosen(struct play_game *game, banyan_action action)
{
    game->joint[game->player] = action;
    game->waiting &= ~(1u << game->player);
}

/* Ends the search of game->player.  *over: the player resigned. */
static enum banyan_status play_choose(struct play_worker *worker, struct play_game *game,
                                      bool *over, struct banyan_error *err)
{
    const struct play_job *job = worker->play->job;
    const struct play_options *options = job->options;
    struct banyan_search_move chosen;
    int count =
        banyan_search_root_moves(game->search, game->player, worker->rows, job->game->max_legal);
    enum banyan_status status = banyan_search_choose(game->search, game->player, &chosen, err);
    if (status != BANYAN_OK)
        return status;
    bool warm = game->record.choice_count < options->warm_plies;
    double temperature = warm ? options->warm : options->cold;
    float values[BANYAN_MAX_PLAYERS];
    banyan_search_root_values(game->search, values);
    if (temperature > 0 && job->search->rule != BANYAN_RULE_GUMBEL &&
        /* an action whose result is proven, and is not the worst, is kept */
        !(chosen.lo >= chosen.hi && chosen.lo > job->game->return_min))
        chosen = worker->rows[play_target_draw(worker->rows, count, temperature, &game->rng)];
    play_target_weights(job->game, job->search, options->prune, worker->rows, count,
                        worker->weights);
    struct record_choice choice = {.action = chosen.action,
                                   .value = values[game->player],
                                   .player = (uint8_t)game->player,
                                   .taught = game->whole};
    if (!play_note_choice(worker, game, count, &choice))
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game");
    *over = play_resigns(job, game, (double)values[game->player]);
    play_chosen(game, chosen.action);
    return BANYAN_OK;
}

/* --- from one position to the next --- */

static bool play_keeps_tree(const struct play_job *job)
{
    return job->search->reuse && !(job->game->traits & (BANYAN_HIDDEN | BANYAN_SIMULTANEOUS));
}

static enum banyan_status play_apply(struct play_worker *worker, struct play_game *game,
                                     struct banyan_error *err)
{
    const struct banyan_game *rules = worker->play->job->game;
    game->dice.log_count = 0;
    memcpy(game->before, game->state, rules->state_size);
    rules->apply(rules, game->state, game->joint, &game->dice);
    if (game->dice.log_count == game->dice.log_max)
        return banyan_fail(err, BANYAN_UNSUPPORTED, "one move of %s throws more than %d dice",
                           rules->name, game->dice.log_max - 1);
    for (int i = 0; i < game->dice.log_count; ++i)
        if (!record_add_die(&game->record, &game->thrown[i]))
            return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game");
    if (game->rooted && play_keeps_tree(worker->play->job) && rules->movers(rules, game->state))
        banyan_search_advance(game->search, game->joint, game->state);
    else
        game->rooted = false;
    return BANYAN_OK;
}

/* Plays the joint action if all movers have chosen, and begins the search of the next mover.
 * *over: no player moves. */
static enum banyan_status play_step(struct play_worker *worker, struct play_game *game, bool *over,
                                    struct banyan_error *err)
{
    const struct play_job *job = worker->play->job;
    const struct banyan_game *rules = job->game;
    enum banyan_status status = BANYAN_OK;
    if (!game->waiting && game->record.choice_count)
        status = play_apply(worker, game, err);
    if (status == BANYAN_OK && !game->waiting)
        game->waiting = rules->movers(rules, game->state);
    if (status != BANYAN_OK || !game->waiting) {
        *over = true;
        if (status == BANYAN_OK)
            rules->returns(rules, game->state, game->record.returns);
        return status;
    }
    game->player = 0;
    while (!(game->waiting >> game->player & 1))
        ++game->player;
    game->done = game->goal = 0;
    if (rules->legal(rules, game->state, game->player, worker->legal) == 1) {
        struct record_choice only = {.action = worker->legal[0], .player = (uint8_t)game->player};
        play_chosen(game, worker->legal[0]);
        if (!play_note_choice(worker, game, 0, &only))
            return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game");
        return BANYAN_OK; /* without simulations to do, the caller calls play_step again */
    }
    if (!play_keeps_tree(job)) /* if several players move, each one searches a new tree */
        status = banyan_search_set_root(game->search, game->state, game->player, err);
    else if (!game->rooted) /* after this the player to move is the one who searches */
        status = banyan_search_set_root(game->search, game->state, -1, err);
    game->rooted = true;
    game->whole =
        job->options->whole_share >= 1 || rng_unit(&game->rng) < job->options->whole_share;
    game->goal = game->whole ? job->options->simulations : job->options->fast_simulations;
    banyan_search_plan(game->search, game->goal, game->whole);
    return status;
}

/* Continues game until it needs the values of a leaf (true), or is over or has failed (false). */
static bool play_until_leaf(struct play_worker *worker, struct play_game *game,
                            struct banyan_leaf *leaf, enum banyan_status *status,
                            struct banyan_error *err)
{
    for (;;) {
        bool over = false;
        while (game->done < game->goal) {
            ++game->done;
            if (banyan_search_select(game->search, leaf, 1) == 1)
                return true;
        }
        if (game->goal)
            *status = play_choose(worker, game, &over, err);
        game->goal = 0;
        if (*status == BANYAN_OK && !over)
            *status = play_step(worker, game, &over, err);
        if (*status == BANYAN_OK && over)
            *status = play_deliver(worker, game, err);
        if (*status != BANYAN_OK || over)
            return false;
    }
}

/* --- a thread --- */

/* The next game that no thread has; -1: none. */
static int64_t play_next(struct play_worker *worker)
{
    struct play *play = worker->play;
    const struct play_job *job = play->job;
    int64_t number = -1;
    pthread_mutex_lock(&play->lock);
    if (atomic_load_explicit(&play->ending, memory_order_relaxed))
        number = -1;
    else if (job->next)
        number = job->next(job->ctx, worker->active == 0);
    else if (play->next < job->games)
        number = play->next++;
    pthread_mutex_unlock(&play->lock);
    worker->dry = number < 0;
    return number;
}

/* Plays on in one place of the batch until its game needs the values of a leaf: true.  False: the place
 * is empty, or something failed.  *asked: the next game has been asked for. */
static bool play_fill(struct play_worker *worker, struct play_game *game, struct banyan_leaf *leaf,
                      bool *asked, enum banyan_status *status, struct banyan_error *err)
{
    while (*status == BANYAN_OK) {
        if (!game->active) {
            if (*asked)
                return false;
            *asked = true;
            int64_t number = play_next(worker);
            if (number < 0)
                return false;
            *status = play_begin(worker, game, number, err);
        }
        if (*status == BANYAN_OK && play_until_leaf(worker, game, leaf, status, err))
            return true;
    }
    return false;
}

/* Fills the batch with leaves; returns their number.  Begins at most one game, so that threads and
 * processes which start at the same time get equal shares. */
static int play_gather(struct play_worker *worker, enum banyan_status *status,
                       struct banyan_error *err)
{
    int n = 0;
    bool asked = false;
    worker->dry = false;
    for (int i = 0; i < worker->play->job->options->at_once && *status == BANYAN_OK; ++i) {
        struct play_game *game = &worker->games[i];
        if (play_fill(worker, game, &worker->leaves[n], &asked, status, err))
            worker->owners[n++] = game;
    }
    return n;
}

/* Plays the games of a teacher, one after the other. */
static enum banyan_status play_work_teacher(struct play_worker *worker, struct banyan_error *err)
{
    const struct play_job *job = worker->play->job;
    struct play_game *game = &worker->games[0];
    enum banyan_status status = BANYAN_OK;
    for (int64_t number; status == BANYAN_OK && (number = play_next(worker)) >= 0;) {
        play_number(job, game, number);
        status = play_start(job, &worker->opening, game->state, &game->rng, &game->record, err);
        if (status == BANYAN_OK)
            status =
                play_teacher_game(worker->teacher, game->state, &game->rng, &game->record, err);
        if (status == BANYAN_OK)
            status = play_deliver(worker, game, err);
        if (banyan_flag_is_set(job->stop))
            status = banyan_fail(err, BANYAN_INTERRUPTED, "interrupted");
    }
    return status;
}

static void *play_work(void *argument)
{
    struct play_worker *worker = argument;
    struct play *play = worker->play;
    struct banyan_error err = {.message = ""};
    enum banyan_status status = BANYAN_OK;
    int64_t evaluations = 0, batches = 0;
    if (worker->teacher)
        status = play_work_teacher(worker, &err);
    while (!worker->teacher && status == BANYAN_OK &&
           !atomic_load_explicit(&play->ending, memory_order_relaxed)) {
        int n = play_gather(worker, &status, &err);
        if (status != BANYAN_OK || (n == 0 && worker->dry))
            break;
        if (n == 0) /* the only game that was begun is over already */
            continue;
        status = worker->evaluator.evaluate(worker->evaluator.ctx, worker->leaves, n, &err);
        for (int i = 0; i < n && status == BANYAN_OK; ++i)
            banyan_search_update(worker->owners[i]->search, &worker->leaves[i], 1);
        evaluations += n;
        ++batches;
        if (banyan_flag_is_set(play->job->stop))
            status = banyan_fail(&err, BANYAN_INTERRUPTED, "interrupted");
    }
    if (status != BANYAN_OK)
        play_fail(play, status, &err);
    pthread_mutex_lock(&play->lock);
    play->totals.evaluations += evaluations;
    play->totals.batches += batches;
    pthread_mutex_unlock(&play->lock);
    return NULL;
}

static void play_worker_destroy(struct play_worker *worker)
{
    for (int i = 0; worker->games && i < worker->play->job->options->at_once; ++i) {
        play_game_close(&worker->games[i]);
        record_free(&worker->games[i].record);
        free(worker->games[i].state);
        free(worker->games[i].before);
    }
    free(worker->games);
    free(worker->leaves);
    free(worker->owners);
    free(worker->rows);
    free(worker->weights);
    free(worker->legal);
    opening_destroy(&worker->opening);
    play_teacher_destroy(worker->teacher);
    net_destroy(worker->net);
}

static enum banyan_status play_worker_evaluator(struct play_worker *worker,
                                                const struct play_job *job,
                                                struct banyan_error *err)
{
    const struct net_backend backend = {job->backend, job->type, 1, 1};
    enum banyan_status status = play_teacher_create(&worker->teacher, job, err);
    if (status != BANYAN_OK || worker->teacher)
        return status;
    status = net_create(&worker->net, job->game, job->model, job->params, &backend, err);
    if (status == BANYAN_OK)
        worker->evaluator = net_evaluator(worker->net);
    return status;
}

static enum banyan_status play_worker_create(struct play_worker *worker, struct play *play,
                                             struct banyan_error *err)
{
    const struct play_job *job = play->job;
    size_t games = (size_t)job->options->at_once, legal = (size_t)job->game->max_legal;
    worker->play = play;
    enum banyan_status status = play_worker_evaluator(worker, job, err);
    if (status == BANYAN_OK)
        status = opening_create(&worker->opening, job->game, err);
    if (status != BANYAN_OK)
        return status;
    worker->games = calloc(games, sizeof *worker->games);
    worker->leaves = calloc(games, sizeof *worker->leaves);
    worker->owners = calloc(games, sizeof(struct play_game *));
    worker->rows = calloc(legal, sizeof *worker->rows);
    worker->weights = calloc(legal, sizeof *worker->weights);
    worker->legal = calloc(legal, sizeof *worker->legal);
    bool good = worker->games && worker->leaves && worker->owners && worker->rows &&
                worker->weights && worker->legal;
    for (size_t i = 0; good && i < games; ++i) {
        worker->games[i].state = malloc(job->game->state_size);
        worker->games[i].before = malloc(job->game->state_size);
        good = worker->games[i].state && worker->games[i].before;
    }
    return good ? BANYAN_OK : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for %zu games", games);
}

/* --- all threads --- */

enum banyan_status play_run(const struct play_job *job, struct play_totals *totals,
                            struct banyan_error *err)
{
    struct play play = {.job = job, .status = BANYAN_OK};
    struct play_worker *workers = calloc((size_t)job->options->threads, sizeof *workers);
    if (!workers)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for self-play");
    pthread_mutex_init(&play.lock, NULL);
    atomic_init(&play.ending, false);
    struct banyan_error why = {.message = ""};
    enum banyan_status status = BANYAN_OK;
    for (int i = 0; i < job->options->threads; ++i) {
        if (status == BANYAN_OK)
            status = play_worker_create(&workers[i], &play, &why);
        workers[i].play = &play;
    }
    if (status != BANYAN_OK)
        play_fail(&play, status, &why);
    for (int i = 1; i < job->options->threads && status == BANYAN_OK; ++i)
        workers[i].started = pthread_create(&workers[i].thread, NULL, play_work, &workers[i]) == 0;
    if (status == BANYAN_OK)
        play_work(&workers[0]);
    for (int i = 0; i < job->options->threads; ++i) {
        if (workers[i].started)
            pthread_join(workers[i].thread, NULL);
    }
    for (int i = 0; i < job->options->threads; ++i)
        play_worker_destroy(&workers[i]);
    free(workers);
    pthread_mutex_destroy(&play.lock);
    *totals = play.totals;
    if (play.status != BANYAN_OK && err)
        *err = play.error;
    return play.status;
}
