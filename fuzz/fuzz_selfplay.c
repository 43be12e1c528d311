/* The reader of game records on arbitrary bytes: whatever it gives out can be packed again, read
 * back, and played through or refused. */
#include "fuzz.h"

#include "train/replay.h"

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
    (void)replay_add(replay, record, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct banyan_game *game = fuzz_game("tictactoe");
    struct nn_arch arch = {.planes = 3, .height = 3, .width = 3, .actions = 9, .values = 1};
    struct record_reader *reader;
    struct replay *replay;
    struct record record = {.start = NULL};
    FUZZ_CHECK(game && replay_create(&replay, game, &arch, NULL) == BANYAN_OK);
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
