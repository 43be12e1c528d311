/* The reader of game records on arbitrary bytes: whatever it gives out can be packed again, read
 * back, and played through or refused.  The same holds for jobs and results of a queue. */
#include "fuzz.h"

#include "train/job.h"
#include "train/played.h"
#include "train/samples.h"

/* A record that is accepted as a game can be replayed. */
static void fuzz_played(const struct record *record)
{
    struct game_record out;
    struct game_replay replay;
    if (played_convert(record, fuzz_game("tictactoe"), &out, NULL) != BANYAN_OK)
        return;
    FUZZ_CHECK(game_replay_begin(&replay, &out, NULL) == BANYAN_OK);
    FUZZ_CHECK(game_replay_to(&replay, -1, NULL) == BANYAN_OK);
    game_replay_end(&replay);
    game_record_free(&out);
}

/* A game that the rules allow gives training samples: at most one for each choice. */
static void fuzz_samples(const struct record *record)
{
    struct samples samples;
    FUZZ_CHECK(samples_begin(&samples, fuzz_game("tictactoe"), NULL) == BANYAN_OK);
    if (samples_read(&samples, record, NULL) == BANYAN_OK)
        FUZZ_CHECK(samples.count <= record->choice_count);
    samples_end(&samples);
}

static void fuzz_record(struct replay *replay, struct record *record)
{
    unsigned char *bytes;
    size_t size;
    struct record again = {.start = NULL};
    FUZZ_CHECK(record_pack(record, &bytes, &size, NULL) == BANYAN_OK);
    FUZZ_CHECK(record_unpack(&again, bytes, size, NULL) == BANYAN_OK);
    FUZZ_CHECK(again.choice_count == record->choice_count && again.number == record->number);
    free(bytes);
    record_free(&again);
    fuzz_played(record);
    fuzz_samples(record);
    (void)replay_add(replay, record, NULL);
}

/* Reads the bytes as a result: the line of a job, then games as frames. */
static void fuzz_result(struct replay *replay, const uint8_t *data, size_t size)
{
    struct job_play job, same;
    struct record record = {.start = NULL};
    char text[JOB_TEXT];
    size_t used;
    if (job_play_read(&job, data, size, &used, NULL) != BANYAN_OK)
        return;
    FUZZ_CHECK(job_play_write(&job, text) < JOB_TEXT && memcmp(text, data, strlen(text)) == 0);
    FUZZ_CHECK(job_play_of_number(job_play_number(&job), &same) && same.count == job.count &&
               same.first == job.first && same.generation == job.generation);
    for (; record_unframe(&record, data += used, size -= used, &used, NULL) == BANYAN_OK;)
        fuzz_record(replay, &record);
    record_free(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct banyan_game *game = fuzz_game("tictactoe");
    struct nn_arch arch = {.planes = 3, .height = 3, .width = 3, .actions = 9, .values = 1};
    struct record_reader *reader;
    struct replay *replay = NULL;
    struct record record = {.start = NULL};
    FUZZ_CHECK(game && replay_create(&replay, game, &arch, NULL) == BANYAN_OK);
    fuzz_result(replay, data, size);
    if (record_unpack(&record, data, size, NULL) == BANYAN_OK)
        fuzz_record(replay, &record);
    if (record_reader_parse(&reader, data, size, "fuzz", game->name, NULL) == BANYAN_OK) {
        while (record_reader_next(reader, &record))
            fuzz_record(replay, &record);
        record_reader_close(reader);
    }
    record_free(&record);
    replay_destroy(replay);
    return 0;
}
