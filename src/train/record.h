/* Games of self-play on disk: what was played and what the search thought, no planes.
 *
 *      file:   "BANYREC1" | frame | frame | ...
 *      frame:  u32 mark | u32 packed bytes | u32 bytes | u64 checksum of the packed | zstd data
 *      first frame: the game's name; every other frame: one finished game
 *
 * A frame is appended by one write.  A reader passes over what is damaged and goes on at the next
 * mark; a writer that opens a file cuts a torn last frame off.
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
    float value; /* of the root for this player, return units */
    uint8_t player;
    bool taught;      /* by a whole search: its weights are a lesson for the policy */
    int first, count; /* its actions and weights in the record's arrays; 0 of them: no search */
};

struct record {
    int64_t generation, number; /* of the game: no two are the same in a run */
    char *start;                /* the first state as text; owned, like all below */
    float returns[BANYAN_MAX_PLAYERS];
    bool resigned;
    struct record_choice *choices; /* in order of play; movers at once: by player */
    int choice_count, choice_room;
    banyan_action *actions; /* of all choices: what was legal */
    uint32_t *weights;      /* and how much the search thought of it: visits, or shares */
    int action_count, action_room;
    struct banyan_die *dice; /* all that were thrown, in order */
    int die_count, die_room;
};

void record_clear(struct record *record); /* empties, keeps the memory */
void record_free(struct record *record);

/* Appends; false: no memory. */
bool record_add_choice(struct record *record, const struct record_choice *choice);
bool record_add_action(struct record *record, banyan_action action, uint32_t weight);
bool record_add_die(struct record *record, const struct banyan_die *die);

/* Bytes without frame or compression.  pack: *out is freed by the caller.  unpack checks that
 * everything is in its bounds, not that the moves are legal. */
enum banyan_status record_pack(const struct record *record, unsigned char **out, size_t *size,
                               struct banyan_error *err);
enum banyan_status record_unpack(struct record *record, const unsigned char *bytes, size_t size,
                                 struct banyan_error *err);

/* --- files --- */

struct record_writer;

/* Opens or creates path for games of `game`; a torn last frame is cut off.  BANYAN_INVALID: the file
 * holds another game. */
enum banyan_status record_writer_open(struct record_writer **out, const char *path,
                                      const char *game, struct banyan_error *err);
/* On the disk, whole, when this returns BANYAN_OK; else the file is as it was. */
enum banyan_status record_writer_add(struct record_writer *writer, const struct record *record,
                                     struct banyan_error *err);
void record_writer_close(struct record_writer *writer);

struct record_reader;

enum banyan_status record_reader_open(struct record_reader **out, const char *path,
                                      const char *game, struct banyan_error *err);
enum banyan_status record_reader_parse(struct record_reader **out, const void *bytes, size_t size,
                                       const char *name, const char *game,
                                       struct banyan_error *err);
/* The next sound game into *record (reused); false: no more. */
bool record_reader_next(struct record_reader *reader, struct record *record);
/* Bytes that were passed over because they are damaged. */
uint64_t record_reader_damaged(const struct record_reader *reader);
void record_reader_close(struct record_reader *reader);

#endif
