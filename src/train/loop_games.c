/* The games of a run: shares them out among processes, stores them, and fills the window.
 *
 *      number --> lock on its byte: no other process plays it --> own file of the generation -->
 *      index
 *
 * A process that dies loses its locks, so other processes can play its unfinished games. */
#include "base/clock.h"
#include "train/loop_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every process that plays has its own file. */
static void games_file(char out[48], int64_t generation, int worker)
{
    if (worker == 0)
        snprintf(out, 48, "records/g%05lld.rec", (long long)generation);
    else
        snprintf(out, 48, "records/g%05lld.%d.rec", (long long)generation, worker);
}

static enum banyan_status games_room(struct loop *loop, int64_t games, struct banyan_error *err)
{
    loop->records = calloc((size_t)games, sizeof *loop->records);
    loop->done = calloc((size_t)games, sizeof *loop->done);
    loop->done_count = 0;
    if (loop->records && loop->done)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for %lld games", (long long)games);
}

static void games_free(struct loop *loop, int64_t games)
{
    for (int64_t i = 0; loop->records && i < games; ++i)
        record_free(&loop->records[i]);
    free(loop->records);
    free(loop->done);
    loop->records = NULL;
    loop->done = NULL;
}

/* --- reading --- */

static enum banyan_status games_read_file(struct loop *loop, const char *name, int64_t generation,
                                          int64_t games, struct banyan_error *err)
{
    char path[LOOP_PATH];
    struct record_reader *reader;
    struct record record = {.start = NULL};
    loop_path(loop, path, name);
    enum banyan_status status = record_reader_open(&reader, path, loop->game->name, err);
    if (status == BANYAN_NOT_FOUND)
        return BANYAN_OK;
    if (status != BANYAN_OK)
        return status;
    while (record_reader_next(reader, &record)) {
        bool wanted = record.generation == generation && record.number >= 0 &&
                      record.number < games && !loop->records[record.number].start;
        if (!wanted)
            continue; /* a game counts once */
        status = train_database_add_game(loop->ledger, &record, name, err);
        if (status != BANYAN_OK)
            break;
        if (!loop->done[record.number])
            ++loop->done_count;
        loop->done[record.number] = true;
        loop->records[record.number] = record;
        memset(&record, 0, sizeof record);
    }
    record_free(&record);
    record_reader_close(reader);
    return status;
}

/* Reads the stored games of a generation into loop->records. */
static enum banyan_status games_read(struct loop *loop, int64_t generation, int64_t games,
                                     struct banyan_error *err)
{
    enum banyan_status status = train_database_begin(loop->ledger, err);
    for (int worker = 0; worker < LOOP_WORKERS && status == BANYAN_OK; ++worker) {
        char name[48];
        games_file(name, generation, worker);
        status = games_read_file(loop, name, generation, games, err);
    }
    enum banyan_status ended =
        train_database_commit(loop->ledger, status == BANYAN_OK ? err : NULL);
    return status == BANYAN_OK ? ended : status;
}

/* A game that the index has but no file was damaged: it will be played again. */
static enum banyan_status games_forget(struct loop *loop, int64_t games, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    for (int64_t i = 0; i < games && status == BANYAN_OK; ++i)
        if (!loop->done[i])
            status = train_database_forget_game(loop->ledger, loop->now.generation, i, err);
    return status;
}

/* --- playing --- */

/* Self-play asks whether this process plays this game. */
static bool games_claim(void *ctx, int64_t number)
{
    struct loop *loop = ctx;
    bool known = loop->done[number];
    if (known || !loop_lock_take(loop, LOOP_LOCK_GAMES + number))
        return false;
    /* another process may have finished it before we had the lock */
    if (train_database_has_game(loop->ledger, loop->now.generation, number, &known, NULL) ==
            BANYAN_OK &&
        !known)
        return true;
    loop_lock_drop(loop, LOOP_LOCK_GAMES + number);
    return false;
}

/* Stores a finished game: first in its file, then in the index. */
static enum banyan_status games_deliver(void *ctx, struct record *record, struct banyan_error *err)
{
    struct loop *loop = ctx;
    char name[48];
    int64_t number = record->number;
    games_file(name, record->generation, loop->worker);
    enum banyan_status status = record_writer_add(loop->writer, record, err);
    if (status == BANYAN_OK)
        status = train_database_add_game(loop->ledger, record, name, err);
    if (status != BANYAN_OK)
        return status;
    loop_lock_drop(loop, LOOP_LOCK_GAMES + number);
    loop->done[number] = true;
    if (loop->roles & LOOP_LEARNS) {
        loop->records[number] = *record;
        memset(record, 0, sizeof *record);
    }
    loop_progress(loop, "games", ++loop->done_count, loop->settings.loop.games);
    return BANYAN_OK;
}

static enum banyan_status games_play_ours(struct loop *loop, struct banyan_error *err)
{
    const struct loop_options *options = &loop->settings.loop;
    char path[LOOP_PATH], name[48];
    struct play_totals totals;
    games_file(name, loop->now.generation, loop->worker);
    loop_path(loop, path, name);
    struct play_job job = {.game = loop->game,
                           .options = &loop->settings.play,
                           .search = &loop->settings.search,
                           .model = &loop->model,
                           .params = loop->best,
                           .backend = options->backend,
                           .type = options->type,
                           .setup = options->setup[0] ? options->setup : NULL,
                           .seed = options->seed,
                           .generation = loop->now.generation,
                           .games = options->games,
                           .claim = games_claim,
                           .stop = loop->job->stop,
                           .deliver = games_deliver,
                           .ctx = loop};
    enum banyan_status status = record_writer_open(&loop->writer, path, loop->game->name, err);
    if (status == BANYAN_OK)
        status = play_run(&job, &totals, err);
    record_writer_close(loop->writer);
    loop->writer = NULL;
    /* games that were begun and not finished are free again */
    for (int64_t i = 0; i < options->games; ++i)
        loop_lock_drop(loop, LOOP_LOCK_GAMES + i);
    return status;
}

/* Whether a game is neither finished nor being played. */
static bool games_wanted(struct loop *loop)
{
    for (int64_t i = 0; i < loop->settings.loop.games; ++i) {
        if (!games_claim(loop, i))
            continue;
        loop_lock_drop(loop, LOOP_LOCK_GAMES + i);
        return true;
    }
    return false;
}

/* Waits until the index has all games of the generation. */
static enum banyan_status games_until_all(struct loop *loop, struct banyan_error *err)
{
    int64_t games = loop->settings.loop.games, known = 0;
    enum banyan_status status = BANYAN_OK;
    while (status == BANYAN_OK) {
        status = train_database_count_games(loop->ledger, loop->now.generation, games, &known, err);
        if (status != BANYAN_OK || known >= games)
            break;
        if (loop->roles & LOOP_PLAYS && games_wanted(loop))
            status = games_play_ours(loop, err);
        else
            status = loop_wait(loop, err);
    }
    return status;
}

/* --- the window --- */

/* Adds the games in the order of their numbers, whatever the order in which they ended. */
static enum banyan_status games_to_window(struct loop *loop, int64_t games,
                                          struct banyan_error *err)
{
    const struct banyan_game *game = loop->game;
    float middle = (game->return_min + game->return_max) / 2;
    int64_t before = replay_positions(loop->replay);
    for (int64_t i = 0; i < games; ++i) {
        struct record *record = &loop->records[i];
        if (!record->start)
            continue;
        ++loop->now.games;
        loop->now.choices += record->choice_count;
        loop->now.first_wins += record->returns[0] > middle;
        loop->now.draws += !(record->returns[0] > middle || record->returns[0] < middle);
        int hold = loop->settings.loop.hold;
        bool held = hold && i % hold == hold - 1;
        enum banyan_status status = replay_add(held ? loop->held : loop->replay, record, err);
        if (status != BANYAN_OK)
            return status;
    }
    loop->now.positions = replay_positions(loop->replay) - before;
    replay_trim(loop->replay, loop->settings.loop.window);
    if (loop->settings.loop.hold)
        replay_trim(loop->held, loop->settings.loop.window / loop->settings.loop.hold);
    loop->now.window = replay_positions(loop->replay);
    return BANYAN_OK;
}

/* Plays or waits.  A process that learns waits until it has read every game. */
static enum banyan_status games_gather(struct loop *loop, struct banyan_error *err)
{
    int64_t games = loop->settings.loop.games;
    enum banyan_status status = games_read(loop, loop->now.generation, games, err);
    if (status == BANYAN_OK && loop->roles & LOOP_PLAYS)
        status = games_forget(loop, games, err);
    if (status == BANYAN_OK)
        status = games_until_all(loop, err);
    if (!(loop->roles & LOOP_LEARNS))
        return status;
    if (status == BANYAN_OK)
        status = games_read(loop, loop->now.generation, games, err);
    while (status == BANYAN_OK && loop->done_count < games) {
        status = games_forget(loop, games, err);
        if (status == BANYAN_OK)
            status = games_until_all(loop, err);
        if (status == BANYAN_OK)
            status = games_read(loop, loop->now.generation, games, err);
    }
    return status;
}

enum banyan_status loop_games_play(struct loop *loop, struct banyan_error *err)
{
    int64_t games = loop->settings.loop.games;
    double start_ms = clock_now_ms();
    enum banyan_status status = games_room(loop, games, err);
    if (status == BANYAN_OK)
        status = games_gather(loop, err);
    if (status == BANYAN_OK && loop->roles & LOOP_LEARNS)
        status = games_to_window(loop, games, err);
    games_free(loop, games);
    loop->now.play_s = (clock_now_ms() - start_ms) / 1000;
    return status;
}

enum banyan_status loop_games_refill(struct loop *loop, int64_t last, struct banyan_error *err)
{
    enum { GAMES_MAX = 1 << 20 };
    /* begins with the first game, so that the window drops the same old games as in the first
     * run */
    for (int64_t first = 1; first <= last; ++first) {
        enum banyan_status status = games_room(loop, GAMES_MAX, err);
        if (status == BANYAN_OK)
            status = games_read(loop, first, GAMES_MAX, err);
        if (status == BANYAN_OK)
            status = games_to_window(loop, GAMES_MAX, err);
        games_free(loop, GAMES_MAX);
        if (status != BANYAN_OK)
            return status;
    }
    return BANYAN_OK;
}
