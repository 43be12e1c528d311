/* Games of self-play in files: the actions played and the results of searches, but no planes.
 *
 *      file:   "BANYREC1" | frame | frame | ...
 *      frame:  u32 mark | u32 packed bytes | u32 bytes | u64 checksum of the packed | zstd data
 *      first frame: the game's name; every other frame: one finished game
 *
 * A frame is appended by one write.  A reader skips damaged bytes and continues at the next mark; a
 * writer that opens a file cuts off an incomplete last frame.
 */
#ifndef TRAIN_RECORD_H
#define TRAIN_RECORD_H

#include <banyan/game.h>
#include <banyan/status.h>

#include <stdbool.h>
#include <stdint.h>

/* One choice of one player. */
struct record_choice {
    banyan_action action;
    float value; /* value of the root for this player, return units */
    uint8_t player;
    bool taught; /* chosen by a full search, so its weights are a policy target */
    /* range of its actions and weights in the record's arrays; count 0: no search */
    int first, count;
};

struct record {
    int64_t generation, number; /* identifies the game in its run */
    char *start;                /* the first state as text; owned, like all below */
    float returns[BANYAN_MAX_PLAYERS];
    bool resigned;
    struct record_choice *choices; /* in order of play; simultaneous choices: lowest player first */
    int choice_count, choice_room;
    banyan_action *actions; /* of all choices: the legal actions */
    uint32_t *weights;      /* weights of these actions in the search: visits, or shares */
    int action_count, action_room;
    struct banyan_die *dice; /* all dice, in order */
    int die_count, die_room;
};

void record_clear(struct record *record); /* Empties the record, but keeps its memory. */
void record_free(struct record *record);

/* These append to the record; false: no memory. */
bool record_add_choice(struct record *record, const struct record_choice *choice);
bool record_add_action(struct record *record, banyan_action action, uint32_t weight);
bool record_add_die(struct record *record, const struct banyan_die *die);

/* The game as bytes, without frame or compression.  pack: *out is freed by the caller.  unpack
 * checks that all numbers are in range, but not that the moves are legal. */
enum banyan_status record_pack(const struct record *record, unsigned char **out, size_t *size,
                               struct banyan_error *err);
enum banyan_status record_unpack(struct record *record, const unsigned char *bytes, size_t size,
                                 struct banyan_error *err);

/* The game as a frame of a file, which the caller frees. */
enum banyan_status record_frame(const struct record *record, unsigned char **out, size_t *length,
                                struct banyan_error *err);
/* Reads the frame at the start of bytes; *used: its length.  BANYAN_CORRUPT: there is no undamaged
 * frame; other failures: those of record_unpack. */
enum banyan_status record_unframe(struct record *record, const void *bytes, size_t length,
                                  size_t *used, struct banyan_error *err);

/* --- files --- */

struct record_writer;

/* Opens or creates path for games of `game`, and cuts off an incomplete last frame.
 * BANYAN_INVALID: the file holds another game. */
enum banyan_status record_writer_open(struct record_writer **out, const char *path,
                                      const char *game, struct banyan_error *err);
/* Appends a game.  BANYAN_OK: it is completely in the file; else the file is as it was. */
enum banyan_status record_writer_add(struct record_writer *writer, const struct record *record,
                                     struct banyan_error *err);
/* The same for a game that is a frame already. */
enum banyan_status record_writer_add_frame(struct record_writer *writer, const void *frame,
                                           size_t length, struct banyan_error *err);
void record_writer_close(struct record_writer *writer);

struct record_reader;

enum banyan_status record_reader_open(struct record_reader **out, const char *path,
                                      const char *game, struct banyan_error *err);
enum banyan_status record_reader_parse(struct record_reader **out, const void *bytes, size_t size,
                                       const char *name, const char *game,
                                       struct banyan_error *err);
/* Reads the next undamaged game into *record (reused); false: there is none. */
bool record_reader_next(struct record_reader *reader, struct record *record);
/* Number of bytes that were skipped because they are damaged. */
uint64_t record_reader_damaged(const struct record_reader *reader);
void record_reader_close(struct record_reader *reader);

#endif
