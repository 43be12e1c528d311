/* A search of the library and the reference side by side, with access to their internals. */
#ifndef TESTS_REFERENCE_PAIR_H
#define TESTS_REFERENCE_PAIR_H

#include "reference/compare.h"
#include "search/search.h"

enum { PAIR_SEARCHES = 3, PAIR_BATCH = 16 };

/* The choices that one tree of the library's search made. */
struct told {
    struct plain_told *choices; /* [size] */
    int count, size;
};

struct pair {
    const struct drawing *drawing;
    struct comparison *comparison;
    int searches; /* number of trees; more than one is an ensemble */
    struct plain *plains[PAIR_SEARCHES];
    struct told told[PAIR_SEARCHES];
    struct banyan_game game;     /* the game as the library gets it */
    struct banyan_search *whole; /* the library's search, with the other trees of its ensemble */

    /* the two trees that are compared now: the library's (the kernel) and the reference's */
    struct banyan_search *kernel;
    struct plain *plain;

    struct banyan_evaluator evaluator; /* the evaluator of both searches */
    banyan_flag stop;                  /* stop flag of a run; set when the run is to end */
    int64_t ends_in;                   /* number of leaves after which the run ends; 0: it makes
                                          all simulations */
    int simulations;                   /* simulations to make at this root */

    struct banyan_rng rng;      /* random choices of the calls that both searches get */
    struct banyan_rng imagined; /* random states and actions for questions that change nothing */
    struct random_game_state state;
    uint64_t compactions; /* number of compactions before this simulation */
    bool same;
};

/* The nodes that a compaction kept, by their visits. */
struct kept {
    uint64_t least, most_dropped;
};

/* Notes the first difference. */
void compare_differ(struct pair *pair, const char *what, double kernel, double plain);
void compare_expect(struct pair *pair, const char *what, double kernel, double plain);
/* Checks that two sums of the same numbers, perhaps added in another order, are equal but for
 * rounding. */
void compare_expect_near(struct pair *pair, const char *what, double kernel, double plain);

/* Compares what is read at the root besides rows and values; player moves there. */
void compare_variation(struct pair *pair, int player);
void compare_average(struct pair *pair, int player);

/* Compares what is written of the trees: lines of a book; text, XML or JSON. */
void compare_lines(struct pair *pair);
void compare_pictures(struct pair *pair);
/* Takes names of outcomes out of a written tree; text has room for 8 more bytes in each line. */
void forget_outcome_names(char *text, enum banyan_search_tree_format format);
/* Compares pictures of the same boxes. */
void compare_drawn(struct pair *pair);

/* Compares the numbers of nodes, edges and outcomes, and the depths of simulations. */
void compare_statistics(struct pair *pair);

/* Compares what the library computes without a search, at the pair's state. */
void compare_exact(struct pair *pair);
void compare_evaluator(struct pair *pair);
void compare_endless(struct pair *pair);
void compare_walk(struct pair *pair);

/* Compares whether a run may end now. */
void compare_decided(struct pair *pair);

/* Compares the fingerprints of two equal searches. */
void compare_twin(struct pair *pair);

/* Makes wrong calls, and compares their status. */
void compare_refusals(struct pair *pair);

/* Sets equal options, by their names and values as text. */
bool options_by_text(const struct banyan_search_options *drawn, struct banyan_search_options *out,
                     struct banyan_error *err);

/* Compares everything that both trees hold. */
void compare_trees(struct pair *pair);

/* After a compaction: the reference removes the nodes that the kernel has removed, which are the
 * least visited. */
void compare_forget(struct pair *pair);

#endif
