/* The table of bounds: lower and upper bounds of the scores of positions that may occur again.
 *
 *    hash --> bucket of 4 entries; the whole board is the key, so that a bound
 *             is never taken from another position
 *
 * When a bucket is full, a new entry replaces one from an earlier solve, or if there is none, the
 * one that took the fewest nodes to compute.
 */
#ifndef GAMES_OTHELLO_ENDGAME_BOUNDS_H
#define GAMES_OTHELLO_ENDGAME_BOUNDS_H

#include "base/compiler.h"
#include "games/othello/board.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOUNDS_BUCKET = 4, BOUNDS_NO_MOVE = 64 };

struct bounds_entry {
    struct board board;
    int8_t lower, upper; /* of the score */
    uint8_t move[2];     /* the best move so far and the one before it, or BOUNDS_NO_MOVE */
    uint8_t cost;        /* log2 of the nodes searched */
    uint8_t date;        /* number of the last solve that wrote the entry; 0: free */
    uint8_t unused[2];
};

struct bounds_table {
    struct bounds_entry *entries; /* [buckets][BOUNDS_BUCKET], borrowed */
    uint64_t buckets;             /* < 2^32 */
    uint8_t date;                 /* number of this solve, 1..255 */
};

/* The result of one null-window search. */
struct bounds_fact {
    int alpha, score; /* if score > alpha, the true score is at least `score`; otherwise at most */
    int move;
    uint64_t nodes;
};

static inline struct bounds_entry *bounds_bucket(const struct bounds_table *table,
                                                 struct board board)
{
    uint64_t mix = board.own * 0x9e3779b97f4a7c15;
    mix = (mix ^ mix >> 29 ^ board.other) * 0xbf58476d1ce4e5b9;
    mix = (mix ^ mix >> 32) * 0x94d049bb133111eb;
    return table->entries + BOUNDS_BUCKET * ((mix >> 32) * table->buckets >> 32);
}

/* Starts to fetch the memory that bounds_find will read. */
static inline void bounds_prefetch(const struct bounds_table *table, struct board board)
{
    const struct bounds_entry *bucket = bounds_bucket(table, board);
    memory_prefetch(bucket);
    memory_prefetch(bucket + BOUNDS_BUCKET - 1);
}

static inline struct bounds_entry *bounds_in_bucket(struct bounds_entry *bucket, struct board board)
{
    for (int i = 0; i < BOUNDS_BUCKET; ++i)
        if (bucket[i].board.own == board.own && bucket[i].board.other == board.other)
            return bucket + i;
    return NULL;
}

/* The entry of this board; NULL: there is none. */
static inline const struct bounds_entry *bounds_find(const struct bounds_table *table,
                                                     struct board board)
{
    return bounds_in_bucket(bounds_bucket(table, board), board);
}

static inline struct bounds_entry *bounds_victim(struct bounds_entry *bucket, uint8_t date)
{
    struct bounds_entry *victim = bucket;
    int least = INT32_MAX;
    for (int i = 0; i < BOUNDS_BUCKET; ++i) {
        int worth = bucket[i].cost + (bucket[i].date == date ? 256 : 0);
        if (worth < least) {
            least = worth;
            victim = bucket + i;
        }
    }
    return victim;
}

static inline void bounds_store(const struct bounds_table *table, struct board board,
                                const struct bounds_fact *fact)
{
    struct bounds_entry *bucket = bounds_bucket(table, board);
    struct bounds_entry *entry = bounds_in_bucket(bucket, board);
    uint8_t cost = (uint8_t)bits_last64(fact->nodes | 1);
    if (!entry) {
        entry = bounds_victim(bucket, table->date);
        *entry = (struct bounds_entry){
            .board = board, .lower = -64, .upper = 64, .move = {BOUNDS_NO_MOVE, BOUNDS_NO_MOVE}};
    }
    if (fact->score > fact->alpha && fact->score > entry->lower)
        entry->lower = (int8_t)fact->score;
    if (fact->score <= fact->alpha && fact->score < entry->upper)
        entry->upper = (int8_t)fact->score;
    bool better = fact->score > fact->alpha || entry->move[0] == BOUNDS_NO_MOVE;
    if (better && entry->move[0] != fact->move) {
        entry->move[1] = entry->move[0];
        entry->move[0] = (uint8_t)fact->move;
    }
    entry->cost = cost > entry->cost ? cost : entry->cost;
    entry->date = table->date;
}

#endif
