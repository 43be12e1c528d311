/* What a comparison is made of, drawn by seed: a random game, an evaluator, a search's options, and
 * a table of which options met which traits. */
#ifndef TESTS_REFERENCE_DRAW_H
#define TESTS_REFERENCE_DRAW_H

#include "reference/random_game.h"

#include <banyan/search.h>

/* How a leaf gets its values. */
struct draw_evaluator {
    struct banyan_evaluator evaluator;
    const struct banyan_game *game;
    uint64_t seed;
    bool noisy;     /* adds noise that is drawn from the leaf's stream */
    bool undecided; /* writes no priors for every second position */
    bool exact;     /* knows the exact value of positions before the last ply */
};

struct drawing {
    uint64_t seed;
    struct random_game_rules rules;
    struct random_game_functions functions;
    struct banyan_game game;
    struct random_game_state start;
    struct draw_evaluator evaluator;
    struct banyan_search_options options;
    struct banyan_rule own_rule; /* options.own_rule, if that is set */
    int viewer;
    int simulations; /* simulations at the first root */
    int later;       /* simulations at each later root */
    int64_t ends_at; /* number of the leaf that ends a run; 0: the run makes all simulations */
    bool fails;      /* the run ends by an error of the evaluator; otherwise by its stop flag */
    bool has_time;   /* the run also has a limit of time, which it never reaches */
    int moves;       /* number of roots after the first one */
    bool planned, explores;
    bool by_run;     /* by one call of banyan_search_run; otherwise by ask and tell */
    bool early;      /* the run may end when no further simulation can change the choice */
    bool fills;      /* more simulations than the tree has room for */
    bool leaves_out; /* some leaves never get their values, because the game moves on first */
    int lines;       /* lines of an opening book at the first root */
    bool limited;    /* players may choose only some actions at the first root */
};

/* Options and other settings that a comparison crosses with the traits of a game. Each is
 * counted only where it can make a difference; worlds, for example, only where cards are hidden. */
enum draw_option {
    DRAW_UCB1,
    DRAW_UCB1_PARENT,
    DRAW_OWN_RULE, /* UCB1 as a rule of your own */
    DRAW_TUNED,
    DRAW_PUCT,
    DRAW_GUMBEL,
    DRAW_REGRET,
    DRAW_GRAVE,
    DRAW_RAW_REWARDS,
    DRAW_LOG_BASE,
    DRAW_FORCED,
    DRAW_PRUNING, /* root pruning */
    DRAW_NOISE,
    DRAW_HEAT, /* prior temperature */
    DRAW_WIDENING,
    DRAW_BIAS,
    DRAW_HISTORY, /* progressive history */
    DRAW_IMPLICIT,
    DRAW_SCORE, /* score-weight */
    DRAW_ORDER_FIRST,
    DRAW_PARANOID,
    DRAW_COALITION,
    DRAW_SOLVER,
    DRAW_NO_SOLVER, /* in games in which it could prove something */
    DRAW_TRANSPOSITIONS,
    DRAW_WORLDS,
    DRAW_BASELINE, /* world baseline */
    DRAW_ALL,
    DRAW_AVAILABILITY,
    DRAW_RARE,
    DRAW_FULL_KEYS,
    DRAW_SAMPLER,
    DRAW_EXPAND_1,
    DRAW_EXPAND_3,
    DRAW_PREBUILD,
    DRAW_BATCH,
    DRAW_REUSE,
    DRAW_PRIORS, /* priors that the evaluator writes */
    DRAW_GAME_PRIORS,
    DRAW_OWN_PRIORS, /* the evaluator's, known when a node is made */
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
    DRAW_LIMITED,
    DRAW_OPTIONS
};

enum draw_trait {
    DRAW_TURNS, /* a game without any of the next three traits */
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
/* Prints one line for each option, with a - where a pair makes no sense, and then the reason. */
void draw_print(draw_table table);
/* Lists the pairs that make sense and were drawn fewer than `least` times. */
void draw_print_rare(draw_table table, uint64_t least);
/* The smallest number of draws of a pair that makes sense. */
uint64_t draw_least(draw_table table);
/* A drawing in words, for a failure. */
void draw_describe(const struct drawing *drawing, char *out, size_t size);

#endif
