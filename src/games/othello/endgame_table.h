/* The table of bounds: what is known about positions that may come again.
 *
 *     hash --> bucket of 4 entries; a whole position is the key, so a bound is
 *              never taken from another position
 *
 * When a bucket is full, the entry goes that is of an older solve, or else the
 * one that cost least to find out.
 */
#ifndef GAMES_OTHELLO_ENDGAME_TABLE_H
#define GAMES_OTHELLO_ENDGAME_TABLE_H

#include <stddef.h>
#include <stdint.h>

enum { TABLE_BUCKET = 4, TABLE_NO_MOVE = 64 };

struct table_entry {
    uint64_t own, other;
    int8_t lower, upper; /* of the score */
    uint8_t move[2];     /* the best so far and the one before; TABLE_NO_MOVE */
    uint8_t cost;        /* log2 of the nodes spent */
    uint8_t date;        /* of the solve; 0: free */
    uint8_t unused[2];
};

struct table {
    struct table_entry *entries; /* [buckets][TABLE_BUCKET], borrowed from the solver's block */
    uint64_t buckets;            /* < 2^32 */
    uint8_t date;                /* of this solve, 1..255 */
};

static inline struct table_entry *table_bucket(const struct table *table, uint64_t own,
                                               uint64_t other)
{
    uint64_t mix = own * 0x9e3779b97f4a7c15;
    mix = (mix ^ mix >> 29 ^ other) * 0xbf58476d1ce4e5b9;
    mix ^= mix >> 32;
    mix *= 0x94d049bb133111eb;
    return table->entries + TABLE_BUCKET * ((mix >> 32) * table->buckets >> 32);
}

static inline const struct table_entry *table_find(const struct table_entry *bucket, uint64_t own,
                                                   uint64_t other)
{
    for (int i = 0; i < TABLE_BUCKET; ++i)
        if (bucket[i].own == own && bucket[i].other == other)
            return bucket + i;
    return NULL;
}

static inline struct table_entry *table_victim(const struct table *table,
                                               struct table_entry *bucket)
{
    struct table_entry *victim = bucket;
    int least = 1 << 20;
    for (int i = 0; i < TABLE_BUCKET; ++i) {
        int worth = bucket[i].cost + (bucket[i].date == table->date ? 256 : 0);
        if (bucket[i].date == 0)
            return bucket + i;
        if (worth < least) {
            least = worth;
            victim = bucket + i;
        }
    }
    return victim;
}

/* Learns that a null-window search at alpha returned score with this move as its best. */
static inline void table_store(const struct table *table, uint64_t own, uint64_t other, int alpha,
                               int score, int move, unsigned cost)
{
    struct table_entry *bucket = table_bucket(table, own, other);
    struct table_entry *entry = (struct table_entry *)table_find(bucket, own, other);
    if (!entry) {
        entry = table_victim(table, bucket);
        *entry = (struct table_entry){.own = own, .other = other, .lower = -64, .upper = 64};
        entry->move[0] = entry->move[1] = TABLE_NO_MOVE;
    }
    if (score > alpha && score > entry->lower)
        entry->lower = (int8_t)score;
    if (score <= alpha && score < entry->upper)
        entry->upper = (int8_t)score;
    if ((score > alpha || entry->move[0] == TABLE_NO_MOVE) && entry->move[0] != move) {
        entry->move[1] = entry->move[0];
        entry->move[0] = (uint8_t)move;
    }
    entry->cost = (uint8_t)(cost > entry->cost ? cost : entry->cost);
    entry->date = table->date;
}

#endif
