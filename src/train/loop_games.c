/* The games of a run: their files, and the window that learning draws from. */
#include "base/clock.h"
#include "train/loop_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void loop_games_file(char out[48], int64_t generation, int worker)
{
    if (worker == 0)
        snprintf(out, 48, "records/g%05lld.rec", (long long)generation);
    else
        snprintf(out, 48, "records/g%05lld.%d.rec", (long long)generation, worker);
}

static enum banyan_status games_room(struct loop *loop, int64_t generation, int64_t games,
                                     struct banyan_error *err)
{
    loop->games = (struct loop_games){.generation = generation,
                                      .records = calloc((size_t)games, sizeof(struct record)),
                                      .failed = calloc((size_t)games, 1)};
    if (loop->games.records && loop->games.failed)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for %lld games", (long long)games);
}

static void games_free(struct loop *loop, int64_t games)
{
    for (int64_t i = 0; loop->games.records && i < games; ++i)
        record_free(&loop->games.records[i]);
    free(loop->games.records);
    free(loop->games.failed);
    record_writer_close(loop->games.writer);
    loop->games = (struct loop_games){.generation = 0};
}

/* --- reading --- */

static enum banyan_status games_read_file(struct loop *loop, const char *name, int64_t games,
                                          struct banyan_error *err)
{
    char path[LOOP_PATH];
    struct loop_games *into = &loop->games;
    struct record_reader *reader;
    struct record record = {.start = NULL};
    loop_path(loop, path, name);
    enum banyan_status status = record_reader_open(&reader, path, loop->game->name, err);
    if (status == BANYAN_NOT_FOUND)
        return BANYAN_OK;
    if (status != BANYAN_OK)
        return status;
    while (record_reader_next(reader, &record)) {
        bool wanted = record.generation == into->generation && record.number < games &&
                      !into->records[record.number].start;
        if (!wanted)
            continue; /* a game counts once */
        status = train_database_add_game(loop->database, &record, name, NULL, err);
        if (status != BANYAN_OK)
            break;
        ++into->done;
        if (record.number >= into->read_end)
            into->read_end = record.number + 1;
        into->records[record.number] = record;
        memset(&record, 0, sizeof record);
    }
    record_free(&record);
    record_reader_close(reader);
    return status;
}

/* Reads the stored games of a generation into loop->games. */
static enum banyan_status games_read(struct loop *loop, int64_t games, struct banyan_error *err)
{
    enum banyan_status status = train_database_begin(loop->database, err);
    for (int worker = 0; worker < LOOP_WORKERS && status == BANYAN_OK; ++worker) {
        char name[48];
        loop_games_file(name, loop->games.generation, worker);
        status = games_read_file(loop, name, games, err);
    }
    enum banyan_status ended =
        train_database_commit(loop->database, status == BANYAN_OK ? err : NULL);
    return status == BANYAN_OK ? ended : status;
}

/* Forgets games that are in the database but in no file: the file was damaged, so they are played again. */
static enum banyan_status games_forget(struct loop *loop, int64_t games, struct banyan_error *err)
{
    enum banyan_status status = BANYAN_OK;
    for (int64_t i = 0; i < games && status == BANYAN_OK; ++i)
        if (!loop->games.records[i].start)
            status = train_database_forget_game(loop->database, loop->games.generation, i, err);
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
        struct record *record = &loop->games.records[i];
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

/* Opens the games of a generation: those that are stored, and the file for the others. */
static enum banyan_status games_open(struct loop *loop, int64_t generation,
                                     struct banyan_error *err)
{
    int64_t games = loop->settings.loop.games;
    char path[LOOP_PATH], name[48];
    loop_games_file(name, generation, 0);
    loop_path(loop, path, name);
    enum banyan_status status = games_room(loop, generation, games, err);
    if (status == BANYAN_OK)
        status = games_read(loop, games, err);
    if (status == BANYAN_OK)
        status = games_forget(loop, games, err);
    if (status == BANYAN_OK)
        status = record_writer_open(&loop->games.writer, path, loop->game->name, err);
    loop_player_path(loop, generation, path);
    if (status == BANYAN_OK)
        status = loop_queue_network(loop, path, loop->games.network, err);
    return status;
}

void loop_games_close(struct loop *loop)
{
    games_free(loop, loop->settings.loop.games);
}

/* Starts the games of the next generation already, if the run plays ahead. */
static enum banyan_status games_ahead(struct loop *loop, struct banyan_error *err)
{
    int64_t next = loop->now.generation + 1;
    if (!loop->settings.loop.ahead || loop->job->once || next > loop->settings.loop.generations)
        return BANYAN_OK;
    enum banyan_status status = games_open(loop, next, err);
    return status == BANYAN_OK ? loop_queue_offer(loop, err) : status;
}

/* The seconds that the games of a generation take; 0: none of them was played in this call.  Games that were
 * stored before a stop count as the others: without them, a generation in which a run goes on would look far
 * too fast.  (A run that plays ahead counts only the time in which it does nothing else.) */
static double games_seconds(const struct loop *loop, int64_t stored, double start_ms)
{
    double seconds = (clock_now_ms() - start_ms) / 1000;
    int64_t games = loop->settings.loop.games, played = games - stored;
    if (played <= 0)
        return 0;
    return loop->settings.loop.ahead ? seconds : seconds * (double)games / (double)played;
}

enum banyan_status loop_games_play(struct loop *loop, struct banyan_error *err)
{
    int64_t games = loop->settings.loop.games;
    double start_ms = clock_now_ms();
    enum banyan_status status = loop_ahead_begin(loop, err);
    if (status == BANYAN_OK && loop->games.generation != loop->now.generation)
        status = games_open(loop, loop->now.generation, err);
    int64_t stored = loop->games.done;
    while (status == BANYAN_OK && loop->games.done < games)
        status = loop_queue_step(loop, err);
    if (status == BANYAN_INTERRUPTED)
        loop_queue_close(loop);
    if (status == BANYAN_OK)
        status = games_to_window(loop, games, err);
    loop_games_close(loop);
    if (status == BANYAN_OK)
        status = games_ahead(loop, err);
    loop->now.play_s = games_seconds(loop, stored, start_ms);
    return status;
}

enum banyan_status loop_games_refill(struct loop *loop, int64_t last, struct banyan_error *err)
{
    /* begins with the first game, so that the window drops the same old games as if the run had
     * never stopped */
    for (int64_t first = 1; first <= last; ++first) {
        enum banyan_status status = games_room(loop, first, LOOP_GAMES_MAX, err);
        if (status == BANYAN_OK)
            status = games_read(loop, LOOP_GAMES_MAX, err);
        if (status == BANYAN_OK)
            status = games_to_window(loop, loop->games.read_end, err);
        games_free(loop, loop->games.read_end); /* the rest of the room was never touched */
        if (status != BANYAN_OK)
            return status;
    }
    return BANYAN_OK;
}
