/* What a comparison is made of, drawn by seed: a random game, an evaluator, a search's options, and
 * a table of which options met which traits. */
#ifndef TESTS_REFERENCE_DRAW_H
#define TESTS_REFERENCE_DRAW_H

#include "reference/random_game.h"

#include <banyan/search.h>

/* How leaves get their values. */
struct draw_evaluator {
    struct banyan_evaluator evaluator;
    uint64_t seed;
    bool noisy;     /* adds noise drawn from the leaf's stream */
    bool undecided; /* writes no priors for every second position */
    bool exact;     /* knows the value of positions before the last ply */
};

struct drawing {
    uint64_t seed;
    struct random_game_rules rules;
    struct random_game_functions functions;
    struct banyan_game game;
    struct random_game_state start;
    struct draw_evaluator evaluator;
    struct banyan_search_options options;
    int viewer;
    int simulations; /* at the first root */
    int later;       /* at each root after it */
    int64_t ends_at; /* a run ends with this leaf, 0: with its last simulation */
    bool fails;      /* by an error of the evaluator, else by the flag that stops it */
    bool has_time;   /* a run may take a time that never is over */
    int moves;       /* roots after the first */
    bool planned, explores;
    bool by_run;     /* in one call of banyan_search_run, else asked and told */
    bool early;      /* which may end when nothing can change any more */
    bool fills;      /* more simulations than the tree has room for */
    bool leaves_out; /* some values are never given: the game moves on first */
    int lines;       /* of an opening book at the first root */
};

/* Options and other settings that a comparison crosses with the traits of a game: counted where they
 * make a difference, such as worlds where cards are hidden. */
enum draw_option {
    DRAW_UCB1,
    DRAW_UCB1_PARENT,
    DRAW_TUNED,
    DRAW_PUCT,
    DRAW_GUMBEL,
    DRAW_REGRET,
    DRAW_GRAVE,
    DRAW_RAW_REWARDS,
    DRAW_LOG_BASE,
    DRAW_FORCED,
    DRAW_NOISE,
    DRAW_WIDENING,
    DRAW_BIAS,
    DRAW_IMPLICIT,
    DRAW_ORDER_FIRST,
    DRAW_PARANOID,
    DRAW_COALITION,
    DRAW_SOLVER,
    DRAW_NO_SOLVER, /* where it could prove something */
    DRAW_TRANSPOSITIONS,
    DRAW_WORLDS,
    DRAW_ALL,
    DRAW_AVAILABILITY,
    DRAW_FULL_KEYS,
    DRAW_SAMPLER,
    DRAW_EXPAND_1,
    DRAW_EXPAND_3,
    DRAW_PREBUILD,
    DRAW_BATCH,
    DRAW_REUSE,
    DRAW_PRIORS, /* the evaluator writes them */
    DRAW_GAME_PRIORS,
    DRAW_NOISY,
    DRAW_EXACT,
    DRAW_FINAL_MAX,
    DRAW_FINAL_MAX_ROBUST,
    DRAW_FINAL_SECURE,
    DRAW_FINAL_SAMPLE,
    DRAW_FINAL_AVERAGE,
    DRAW_AGREE,
    DRAW_RUN,
    DRAW_EARLY,
    DRAW_ENSEMBLE,
    DRAW_FULL,
    DRAW_DECISIVE,
    DRAW_UNDECIDED,
    DRAW_LEAVES_OUT,
    DRAW_ENDS, /* by an error of the evaluator, or the stop flag */
    DRAW_HAS_TIME,
    DRAW_BOOK,
    DRAW_OPTIONS
};

enum draw_trait {
    DRAW_TURNS, /* neither of the next three */
    DRAW_DICE,
    DRAW_SIMULTANEOUS,
    DRAW_HIDDEN,
    DRAW_COARSE_KEYS,
    DRAW_1_PLAYER,
    DRAW_2_PLAYERS,
    DRAW_3_PLAYERS,
    DRAW_4_PLAYERS,
    DRAW_WIN_LOSS,
    DRAW_SHARES,
    DRAW_SCORES,
    DRAW_POINTS,
    DRAW_CONSTANT_SUM,
    DRAW_BOUNDS,
    DRAW_MEETING, /* different lines lead to one position */
    DRAW_TRAITS
};

typedef uint64_t draw_table[DRAW_OPTIONS][DRAW_TRAITS];

void draw(uint64_t seed, struct drawing *out);
void draw_count(const struct drawing *drawing, draw_table table);
/* One line for each option, with a - where a pair makes no sense; then why. */
void draw_print(draw_table table);
/* Lists the meaningful pairs that were drawn fewer than `least` times. */
void draw_print_rare(draw_table table, uint64_t least);
/* The smallest number of draws of a meaningful pair. */
uint64_t draw_least(draw_table table);
/* A drawing in words, for a failure. */
void draw_describe(const struct drawing *drawing, char *out, size_t size);

#endif
