/* All moves as first: what moves are worth wherever they are played later (Brügmann 1993).
 *
 *     path:     root -a-> node -b-> node -c-> leaf      playout: d e f ... , value
 *               table      no table   table
 *                 a b c d e f ...       c d e f ...     moves that count in the tables
 *
 * A table belongs to a position and has an entry for every move of every player: the sum of the
 * values for that player over the simulations in which they played the move there or later, and
 * their number.  A move is a player and an action, which means the same in all states (game.h).
 *
 * Only positions with enough visits have a table.  A node reads its own table or that of its
 * closest ancestor over which enough simulations have passed (GRAVE, Cazenave 2015, section 3),
 * else the root's.  Tables are found by the key of the position.  So they outlive compaction and a
 * move of the root, and paths that come to the same position share one.
 *
 * Progressive history reads the root's table only, so no other position has one then.
 */
#ifndef SEARCH_AMAF_H
#define SEARCH_AMAF_H

#include "search/search.h"

struct amaf_entry {
    float sum; /* of the values for the player who moves */
    uint32_t visits;
};

/* One decision of a simulation. */
struct amaf_step {
    uint32_t table; /* of the position; 0: it has none */
    uint32_t move;
};

/* A move of a simulation with the value for its player. */
struct amaf_move {
    uint32_t move;
    float value;
};

struct amaf {
    int actions, moves;    /* actions of a player; of all players */
    int log_room;          /* moves of a playout that count */
    bool only_roots;       /* no other position has a table */
    uint64_t bytes;        /* of everything below */
    uint32_t begin_visits; /* a position gets a table at this visit */
    uint32_t least;        /* simulations that a table needs before it is read */

    unsigned char *tables; /* [table_room] of table_bytes: struct amaf_table, entries[moves] */
    size_t table_bytes;
    uint32_t table_count, table_room;
    uint32_t *index; /* [index_size] numbers of tables by key, open addressing; 0: empty */
    uint32_t index_size;

    uint32_t closest; /* the table that the node of this decision reads; 0: none */
    uint32_t root;    /* the root's table; 0: no simulation has begun there yet */
    uint32_t *marks;  /* [moves] the simulation that has met the move last */
    uint32_t mark;
    struct amaf_move *list; /* [moves] those of a simulation, each of them once */
};

/* Makes tables of at most `bytes` for the moves of game; NULL: no memory, or too little for two. */
struct amaf *amaf_create(const struct banyan_game *game,
                         const struct banyan_search_options *options, uint64_t bytes);
void amaf_destroy(struct amaf *amaf);

/* Forgets all tables; amaf_make_room does so only if more than half of the room is taken. */
void amaf_clear(struct amaf *amaf);
void amaf_make_room(struct amaf *amaf);

/* Before node chooses at the end of the simulation's path: finds its table, and the one to read. */
void amaf_arrive(struct banyan_search *search, struct simulation *simulation,
                 const struct tree_node *node);
/* The last step of the path is this action of mover. */
void amaf_chosen(struct banyan_search *search, struct simulation *simulation, int mover,
                 banyan_action action);
/* Counts the moves of a simulation in the tables of its path. */
void amaf_backup(struct banyan_search *search, const struct simulation *simulation);

/* Whether the options need tables. */
static inline bool amaf_is_wanted(const struct banyan_search_options *options)
{
    bool history = options->rule == BANYAN_RULE_UCB1 && options->progressive_history > 0;
    return options->rule == BANYAN_RULE_GRAVE || (history && !options->own_rule);
}

/* The entries of a table for mover's actions; table 0: NULL. */
const struct amaf_entry *amaf_entries(const struct amaf *amaf, uint32_t table, int mover);

/* The share of the AMAF mean in a score, from the visits of both:
 * amaf / (amaf + own + bias * amaf * own)  (Silver 2009; Cazenave 2015, section 3). */
static inline double amaf_share(double amaf, double own, double bias)
{
    return amaf / (amaf + own + bias * amaf * own);
}

#endif
