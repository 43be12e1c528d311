/* Monte Carlo tree search, ask and tell.
 *
 *      +--> select:  descend from the root, return leaves that need a value --+
 *      |                                                                      v
 *      +--- update:  expand, back the values up the paths  <------- evaluator
 *
 * The two halves let one batch be gathered from one tree or from a thousand games;
 * banyan_search_run is the loop around them.  Values are vectors by player, always in the game's
 * units of return.
 *
 * Trees: in a game of alternate moves and open cards there is one tree, and every edge leads to the
 * next mover's node.  In a game in which players may choose at the same time or cards are hidden, every
 * player has a tree of their own: its nodes are the player's information sets, its edges lead to what the
 * player may see next.  An edge that may lead to different states (dice, hidden cards, simultaneous
 * choices of others) has outcomes below it, which are found by the game's key().
 *
 * Leaves: a leaf that banyan_search_select has returned is outstanding until
 * banyan_search_update gets it back.
 *
 * Versions: a struct that the caller fills begins with struct_size, its size as
 * the caller's compiler saw it.  If a newer library has added members at the end, it uses their
 * defaults; a banyan_game, banyan_evaluator or banyan_player of another size is refused, and so is
 * every struct whose struct_size is 0.
 *
 * Length: a search may run for ever.  The visits of an action are counted up to
 * 2^32 - 1; from then on its mean is that of the last 2^32 visits or so.
 *
 * Ownership: the game, the evaluator and what options.sampler points to are
 * borrowed and must outlive the search.  Everything else is copied, or borrowed
 * for the call.
 *
 * Threads: a search belongs to one thread at a time.  Different searches are
 * independent of each other; those with the same evaluator need one that is
 * reentrant.  Functions that take a const search write nothing into it: any
 * number of threads may call them at the same time, while no thread is in a function that
 * takes the search without const.
 */
#ifndef BANYAN_SEARCH_H
#define BANYAN_SEARCH_H

#include <banyan/evaluator.h>
#include <banyan/game.h>
#include <banyan/options.h>
#include <banyan/rule.h>
#include <banyan/status.h>
#include <banyan/stop.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In the formulas of this file n is the number of visits of a node, n_j that of one of its
 * actions. */
enum banyan_search_rule {
    BANYAN_RULE_UCB1,       /* mean + 2 Cp sqrt(ln n / n_j)            (Auer 2002; Browne 2012) */
    BANYAN_RULE_UCB1_TUNED, /* UCB1 with the variance bound of Auer 2002, section 4 */
    BANYAN_RULE_PUCT,       /* mean + c prior sqrt(n) / (1 + n_j)       (Silver 2017) */
    BANYAN_RULE_GUMBEL,     /* sequential halving with Gumbel noise at the root (Danihelka 2022) */
    BANYAN_RULE_REGRET,     /* regret matching at simultaneous nodes    (Hart 2000, Lanctot 2013) */
    BANYAN_RULE_GRAVE       /* all-moves-as-first values of a close ancestor      (Cazenave 2015) */
};

enum banyan_search_final {
    BANYAN_FINAL_MAX,        /* highest mean */
    BANYAN_FINAL_ROBUST,     /* most visits */
    BANYAN_FINAL_MAX_ROBUST, /* highest w1 * mean + w2 * share of visits */
    BANYAN_FINAL_SECURE,     /* highest lower confidence bound */
    BANYAN_FINAL_SAMPLE,     /* in proportion to visits^(1/temperature) */
    BANYAN_FINAL_AVERAGE     /* sampled from the average strategy (regret matching) */
};

enum banyan_search_opponents {
    BANYAN_OPPONENTS_MAXN,     /* each player maximises their own return */
    BANYAN_OPPONENTS_PARANOID, /* all others minimise the return of the player who searches */
    BANYAN_OPPONENTS_COALITION /* players of one side maximise the mean return of their side */
};

/* The solver proves results and bounds on returns.  It works in games without dice, hidden cards and
 * simultaneous moves, of one player, or of two whose returns have a constant sum and who are not on one side
 * (opponents=coalition).  It cannot be combined with transpositions, because a key may leave out how a
 * position was reached, with rule=regret, because its strategies are mixed, or with score_weight or
 * own_backup, because it proves returns. */
enum banyan_search_solver {
    BANYAN_SOLVER_OFF,
    BANYAN_SOLVER_ON,  /* where it cannot work, banyan_search_create returns BANYAN_UNSUPPORTED */
    BANYAN_SOLVER_AUTO /* on where it can work, else off */
};

/* What each simulation draws anew where cards are hidden and options.sampler is not set. */
enum banyan_search_draw {
    BANYAN_DRAW_AUTO,   /* all with rule=regret, else hidden */
    BANYAN_DRAW_HIDDEN, /* what the player who searches does not know */
    BANYAN_DRAW_ALL /* also that player's cards, which the others do not know: all that chance has
                           decided, which an equilibrium of the whole game needs */
};

/* Which key of the game is used to find nodes where cards are hidden. */
enum banyan_search_keys {
    BANYAN_KEYS_FULL,  /* key(): all that the mover knows, which an equilibrium needs */
    BANYAN_KEYS_COARSE /* coarse_keys(): less than that; in a game without coarse_keys: full */
};

/* The order in which unvisited children are tried: random, or that of the game's legal(). */
enum banyan_search_order { BANYAN_ORDER_RANDOM, BANYAN_ORDER_FIRST };

/* A function that draws full states in a game with hidden information. */
struct banyan_search_sampler {
    void *ctx;
    /* Writes to out[state_size] a full state that is possible given what viewer knows in root.  The threads of
     * one tree call it one at a time; those of an ensemble call it at the same time. */
    void (*sample)(void *ctx, const void *root, int viewer, void *out, struct banyan_rng *rng);
};

struct banyan_search_options {
    size_t
        struct_size; /* sizeof(struct banyan_search_options): set by banyan_search_options_default */

    /* selection */
    enum banyan_search_rule rule;
    double exploration; /* UCB1: Cp, for rewards scaled to [0,1].  The default 0.5 means c = 1 in
                           mean + c sqrt(ln n / n_j); the textbook's c = sqrt 2 means
                           Cp = 1/sqrt 2 = 0.7071, and for returns in [-1,1] c = 2 sqrt 2 */
    bool raw_rewards;   /* exploration is in the game's own units of return */
    double cpuct;       /* PUCT: c, for rewards of [0,1] (half of the c for [-1,1]) */
    double fpu;         /* PUCT: value of an unvisited child = parent's mean - fpu * sqrt(sum of the
                   visited children's priors), in rewards of [0,1] */
    double puct_log_base; /* PUCT: ln((n + base + 1) / base) is added to c; 0: c is constant */
    enum banyan_search_order order; /* which unvisited child is next */
    bool children_first; /* UCB1: visit every child once before any child twice (the textbook); off:
                           an unvisited child is scored as if it had one visit with the parent's
                           mean */
    int expand_visits;   /* a leaf becomes a node at this visit; 0: the default (2; regret matching:
                          1); always 1 if the evaluator writes priors */
    /* progressive widening: at most factor * n^power children; factor 0: off */
    double widen_factor, widen_power;
    double progressive_bias; /* adds bias * prior / (n_j + 1) to UCB1; 0: off */
    double
        implicit_minimax; /* share of the heuristic's minimax value in the means that rules get */
    int gumbel_actions;   /* Gumbel: actions considered at the root */
    /* Gumbel: sigma(q) = (visit + visits of the most visited action) * scale * q, where q is the
     * mean reward of an action, in [0,1] */
    double gumbel_visit, gumbel_scale;
    /* regret matching: share of uniform play mixed into the sampling, falling as (1 + n/1000)^(-1/3) */
    double regret_explore;
    int grave_visits;  /* GRAVE: a position needs this many simulations before the AMAF (all moves
                         as first) values of moves are read from it */
    double grave_bias; /* GRAVE: weight of an AMAF value = a / (a + n_j + bias a n_j), where
                          a simulations played the move there or later */
    double grave_exploration; /* GRAVE: Cp of an added term 2 Cp sqrt(ln n / (n_j + 1)); 0: none */
    double noise_weight, noise_alpha; /* Dirichlet noise on root priors; weight 0: none */
    /* PUCT root: at least sqrt(2 prior n) visits per visited child (KataGo) */
    bool forced_playouts;

    /* model */
    enum banyan_search_opponents opponents;
    int side[BANYAN_MAX_PLAYERS]; /* coalition: players with the same number here are on one side */
    enum banyan_search_solver solver;
    /* A node below the root holds only its decisive or anti-decisive moves, if the game names them there (game.h);
     * with opponents=maxn, or for at most two players who are not on one side; with any rule and evaluator.  A node
     * that becomes the root, or that a book's line passes, gets all legal actions. */
    bool decisive;
    bool transpositions; /* positions of equal key share one node */
    int worlds; /* hidden information: simulations share this number of states drawn at the root, so
                   that the information sets of the others are met more than once; 0: each simulation
                   draws its own state */
    /* With worlds: a simulation's result counts in the tree as its difference to the mean result of its world, plus
     * the mean of all.  Some actions can be chosen in some worlds only; without this they would seem better than
     * others where those worlds are better.  Not with own_backup. */
    bool world_baseline;
    enum banyan_search_draw draw;
    bool availability; /* hidden information: exploration counts how often an action could be chosen
                          at an information set, in place of the set's visits (Cowling 2012) */
    /* PUCT with availability: exploration of an action that could be chosen at a share s of the visits counts sqrt(s)
     * times as much, so that what few drawn hands offer is tried less. */
    bool rare_share;
    enum banyan_search_keys keys; /* hidden information */
    int prebuild_depth; /* partial tree: down to this depth the nodes exist before the first
                           simulation, without visits, and a simulation passes through them without
                           ending there */

    /* final choice */
    enum banyan_search_final final;
    double final_w1, final_w2; /* max-robust; mean and visits both scaled to [0,1] */
    bool final_agree;   /* max-robust: search longer, up to twice as long, until the most visited
                        action also has the highest mean */
    double temperature; /* sample: 0 = most visited */
    double secure_z;    /* secure: mean - z / sqrt(n_j), rewards in [0,1] */

    /* resources */
    uint64_t memory_bytes; /* hard cap on what the tree allocates */
    int batch;             /* leaves for each call of the evaluator */
    /* threads of banyan_search_run on one tree.  0: one for each processor that is online, but at most one for each
     * 8 MiB of memory; and only one with an ensemble, if threads would have to take turns, or if the
     * evaluator, own_rule or own_backup is not reentrant */
    int threads;
    int ensemble; /* independent trees whose root statistics are added (root parallel) */
    bool reuse;   /* keep the subtree after a move */
    bool profile; /* measure the time of each phase; costs a little speed */
    uint64_t seed;
    struct banyan_search_sampler sampler; /* sample == NULL: the game's determinize() */

    /* A selection rule of your own in place of rule=ucb1, copied; NULL: none.  Exploration constants,
     * progressive_bias and progressive_history have no effect on it. */
    const struct banyan_rule *own_rule;
    /* A backup and a final choice of your own; copied; NULL: none. */
    const struct banyan_backup *own_backup;
    const struct banyan_choice *own_final;

    /* Priors become prior^(1 / temperature), scaled to the sum 1: flatter above 1, sharper below 1, unchanged at 1.
     * root_prior_temperature is applied in addition at the root, before noise, but not to priors of
     * banyan_search_set_root_priors. */
    double prior_temperature, root_prior_temperature;

    /* Above 0: let `left` be the number of simulations that are left by the limits.  An action of the root gets no
     * more simulations once left / root_pruning more visits would not make it the most visited one.  1: leaves out
     * actions that cannot catch up; above 1: also actions that are unlikely to.  0: off.  Needs final=robust,
     * ensemble=1, any rule but gumbel and regret, and no own_final. */
    double root_pruning;

    /* UCB1: adds weight * h / (losses + 1), where h is the mean reward of the simulations from this root that
     * played the move at any time, and losses is n_j (1 - mean reward) of the action; 0: off */
    double progressive_history;

    /* GRAVE: a prior counts as this many visits, whose mean reward is r / (r + 1), where r is the prior divided by
     * the mean prior of the node's actions; 0: priors are not read */
    double grave_prior;

    /* Games of two players with points(): the value of a finished game depends on its score, too (struct banyan_score
     * in evaluator.h), at the leaves of the tree and at the end of playouts.  Weight 0: off.  Above 0 the solver is
     * off, because it proves returns.  Values of heuristics and networks stay as they are, and so do returns in
     * banyan_search_walk. */
    double score_weight, score_scale;
};

/* Fills *options with the defaults, and sets its struct_size. */
#define banyan_search_options_default(options) \
    banyan_search_options_init((options), sizeof(struct banyan_search_options))
void banyan_search_options_init(struct banyan_search_options *options, size_t struct_size);

/* Returns the table of the options that can be set by text ("rule=puct,cpuct=1.5"); static storage. */
const struct banyan_option *banyan_search_option_table(void);

struct banyan_search;

/* When a run stops.  A number that is 0 or negative sets no limit. */
struct banyan_search_limits {
    size_t struct_size;      /* sizeof(struct banyan_search_limits) */
    int64_t simulations;     /* most simulations of this run */
    double time_ms;          /* most milliseconds of this run, by the wall clock */
    const banyan_flag *stop; /* set by another thread or a signal handler; may be NULL */
    bool early; /* stop when the simulations that are left cannot change the final choice by
                                visits and means (what the solver may still prove is not foreseen).
                                Where the root has several actions, this has no effect if the
                                choice is drawn, with final_agree or own_final, or in an ensemble */
    /* Called about every progress_ms milliseconds (0: as often as the clock is read) by a thread of the
     * run, while no other thread changes the search: it may call every function that takes a const search, such as
     * banyan_search_root_moves and those of tree.h, and copy what other threads need.  False ends the run as
     * `stop` does.  NULL: none.  Not with an ensemble. */
    bool (*progress)(void *ctx, const struct banyan_search *search);
    void *progress_ctx;
    double progress_ms;
};

/* One action of a node with its statistics. */
struct banyan_search_move {
    banyan_action action;
    uint64_t visits; /* 2^32 - 1 means that number or more */
    double mean;     /* return of the mover; NaN: not visited */
    float prior;     /* NaN: none, or the evaluator has not written it yet */
    float lo,
        hi; /* proven bounds on the mover's return; the game's range where nothing is proven */
    double score; /* what the selection rule maximises, as of now; NaN: not visited */
};

struct banyan_search_stats {
    uint64_t simulations; /* since the root was set or advanced */
    uint64_t nodes, edges, outcomes;
    uint64_t bytes_used, bytes_allocated; /* of the tree; allocated <= options.memory_bytes */
    uint64_t compactions;
    int max_depth;
    double mean_depth;
    double elapsed_ms; /* of the last run, wall clock */
    int threads;       /* of all trees together; with threads=0 the number that was chosen */
};

/* Time and counts by phase (options.profile), of all threads and trees together. */
struct banyan_search_profile {
    double select_ms, apply_ms, expand_ms, evaluate_ms, backup_ms, compact_ms;
    uint64_t selects, applies, expansions, evaluations, backups, copies, samples;
    uint64_t ucb_terms; /* edge scores computed */
    uint64_t depth[64]; /* histogram of leaf depths; the last counts all deeper */
};

/* Makes a search without a root.  BANYAN_INVALID: an option is outside of its range in the table;
 * BANYAN_UNSUPPORTED: two things cannot be combined (the message names them); BANYAN_NO_MEMORY:
 * options.memory_bytes is too little, or more than the system gives. */
enum banyan_status banyan_search_create(struct banyan_search **out, const struct banyan_game *game,
                                        const struct banyan_search_options *options,
                                        struct banyan_evaluator *evaluator,
                                        struct banyan_error *err);
void banyan_search_destroy(struct banyan_search *search);

/* Forgets everything, outstanding leaves too, and starts at state (copied).
 *
 * viewer: the player who searches; it matters for hidden information, paranoid opponents, Gumbel's
 * root, root_pruning, and whether a run may end early.  The viewer stays the same for all roots to
 * come, also where other players move.  -1, for self-play: the first mover of this root, and after
 * banyan_search_advance the first mover of the next root. */
enum banyan_status banyan_search_set_root(struct banyan_search *search, const void *state,
                                          int viewer, struct banyan_error *err);

/* Returns the root's state, borrowed until the root changes; NULL: none is set. */
const void *banyan_search_root(const struct banyan_search *search);

/* Opening book: makes the nodes along a line of `length` actions from the root, and adds to the
 * last action `visits` visits whose mean return for its mover is `mean`, as if they had been
 * simulated; visits 0: only makes the nodes.  A line counts for its last action only, so lines may
 * come in any order, and the visits of a node are those of the edge to it, or the sum over the
 * node's own edges if that is more.  Bounds of the solver come from the rules alone.  An ensemble
 * adds the line to each of its trees.  Precondition: no leaf is outstanding.
 *
 * BANYAN_INVALID: no root is set, or a number is out of range; BANYAN_ILLEGAL: the message names an action
 * that the rules or the limits of the root forbid; BANYAN_NO_MEMORY: the tree is full (no node is removed to
 * make room for a book); BANYAN_UNSUPPORTED: not in this game (dice, hidden cards, simultaneous choices,
 * more than two players, or two without a constant sum) or not with these options (rule=gumbel,
 * rule=regret, opponents other than maxn, own_backup). */
enum banyan_status banyan_search_add_line(struct banyan_search *search, const banyan_action *line,
                                          int length, uint64_t visits, double mean,
                                          struct banyan_error *err);

/* Writes a book: calls fn for every line from the root in which each action has at least min_visits
 * visits; actions without visits, which only longer lines of a book go through, do not count.  A line
 * comes before the lines that continue it, the most visited first.  With transpositions the lines below a
 * node come only once; an ensemble calls fn for tree after tree.  line[length] is borrowed for the call;
 * mean is the mean return of the mover of the last action.  BANYAN_UNSUPPORTED as for
 * banyan_search_add_line. */
typedef void banyan_search_line_fn(void *ctx, const banyan_action *line, int length,
                                   uint64_t visits, double mean);
enum banyan_status banyan_search_each_line(const struct banyan_search *search, uint64_t min_visits,
                                           banyan_search_line_fn *fn, void *ctx,
                                           struct banyan_error *err);

/* Moves the root to the next position: joint was played and led to state.  Keeps the subtree if
 * options.reuse is set and there is one, and returns whether it did (an ensemble: in any tree).  Outstanding leaves are taken
 * back as if they had not been asked for: banyan_search_update must not get them any more.  If the
 * player who searches changes (viewer -1), the subtree is dropped where it was valid only for the previous
 * one: with hidden cards (unless all of them are drawn, as by draw=all), and with paranoid opponents (unless
 * there are two players with a constant sum). */
bool banyan_search_advance(struct banyan_search *search, const banyan_action joint[],
                           const void *state);

/* Restrict what player may choose at the root, until the root changes: to these actions, or to all but these.
 * n = 0 lifts the restriction.  The root of the tree and the final choice then have no other action; an
 * action that was left out loses its statistics, and the priors of the others sum to 1.  An action that comes
 * back begins anew, with the prior of banyan_search_set_root_priors if there is one, else with that of the game.
 * Where cards are hidden, a simulation of a state in which none of these actions is legal is not restricted.  An
 * ensemble restricts each of its trees.  Precondition: no leaf is outstanding.
 *
 * BANYAN_ILLEGAL: the message names an action that is not legal at the root; BANYAN_INVALID: player does not
 * choose at the root, or no action is left; BANYAN_UNSUPPORTED: with transpositions, which share the root's node with
 * other positions; BANYAN_NO_MEMORY. */
enum banyan_status banyan_search_allow(struct banyan_search *search, int player,
                                       const banyan_action *actions, int n,
                                       struct banyan_error *err);
enum banyan_status banyan_search_avoid(struct banyan_search *search, int player,
                                       const banyan_action *actions, int n,
                                       struct banyan_error *err);

/* Gives player's actions at the root these priors, until the root changes; actions that are not named get 0, and the
 * sum is scaled to 1.  They take the place of the evaluator's or the game's as soon as the root has its node.  Noise is
 * added to them later; if it was added already, it is lost with the priors that these replace.  An ensemble gets
 * them in each of its trees.  Precondition: no leaf is outstanding.
 *
 * BANYAN_UNSUPPORTED: the search keeps no priors (with rule=ucb1, for example, unless an option or the evaluator
 * needs them), or cards are hidden and player is not the one who searches; BANYAN_ILLEGAL: the message names an
 * action that is not legal at the root; BANYAN_INVALID: player does not choose there, or the priors are negative, not
 * finite, or all 0; BANYAN_NO_MEMORY. */
enum banyan_status banyan_search_set_root_priors(struct banyan_search *search, int player,
                                                 const banyan_action *actions, const float *priors,
                                                 int n, struct banyan_error *err);

/* Asks: descends up to max times, writes the leaves that need values to leaves[max], and returns how many they are.
 * They may be fewer than max, or none: a simulation that ends in a finished game is counted immediately, a leaf that
 * is outstanding is not sent twice, a full tree is compacted only when no leaf is outstanding, and with threads=1 at
 * most options.batch leaves can be outstanding. */
int banyan_search_select(struct banyan_search *search, struct banyan_leaf *leaves, int max);

/* Sets how many simulations the next calls of banyan_search_select will ask for (sequential halving
 * divides them among its phases; banyan_search_run sets this number itself); and, until the root
 * changes, whether the root explores by noise and forced playouts, as the options say. */
void banyan_search_plan(struct banyan_search *search, int64_t simulations, bool explore);

/* Tells: expands n leaves and backs their values up.  Leaves may come back in any order and in parts.  The
 * priors of a leaf are 0 when it is handed out; if the evaluator leaves all of them 0, the game's priors are
 * taken instead, or equal ones. */
void banyan_search_update(struct banyan_search *search, const struct banyan_leaf *leaves, int n);

/* Selects, evaluates and updates until a limit is reached or the root's value is proven: BANYAN_OK.
 * BANYAN_INTERRUPTED: limits->stop or limits->progress ended the run earlier, and what was found until then is
 * kept.  BANYAN_INVALID: no root or no limit is set.  If the evaluator fails, its status is returned. */
enum banyan_status banyan_search_run(struct banyan_search *search,
                                     const struct banyan_search_limits *limits,
                                     struct banyan_error *err);

/* Writes the final choice for player, a mover at the root: the favourite of options.final among the
 * actions that are not proven.  It is legal in the root's state, also where cards are hidden and
 * the player's node lists actions of other states.
 *
 * With rule=gumbel the favourite is the best action by noise, prior and mean among those that
 * sequential halving visited most, except with options.final sample and average.
 *
 * With the solver the value of the favourite is its mean, clipped to its bounds; an action that
 * guarantees more than this value is chosen in its place.  A proven action guarantees its value, any other
 * action its lower bound.  Where visits decide, a proven action that has more visits than the favourite, and
 * whose value is at least the root's mean, is chosen in its place, too.  An action that cannot be better than
 * another one and may be worse is never chosen; so if an action is proven to give the highest return of the
 * game, such an action is chosen. BANYAN_FINAL_SAMPLE draws by visits from all actions that are
 * left, proven ones included.
 *
 * If there were too few simulations to make a root node for this player, the choice is a random
 * legal action with 0 visits.  BANYAN_INVALID: there was no simulation, and nothing is kept from an
 * earlier root or a book. */
enum banyan_status banyan_search_choose(struct banyan_search *search, int player,
                                        struct banyan_search_move *out, struct banyan_error *err);

/* Regret matching: writes player's average strategy, which approaches an equilibrium, at the root
 * (state NULL) or at the player's information set of a state in the tree: at most max actions with
 * their probabilities, which sum to 1 over all actions of the information set.  Where cards are hidden it may
 * have more actions than max_legal; the root has as many as banyan_search_root_moves writes, or fewer.  Returns
 * how many were written; 0 with other rules, or if the search has not visited the information set
 * (with transpositions also without memory to look for it).  The strategies of an ensemble's trees are added,
 * weighted by their visits. */
int banyan_search_average_strategy(const struct banyan_search *search, const void *state,
                                   int player, banyan_action *actions, double *out, int max);

/* External-sampling MCCFR (Lanctot 2009) over the nodes of the search, for rule=regret and small
 * games of hidden cards or simultaneous moves.  Each iteration makes one traversal of the game for every
 * player; with hidden cards it begins with a state that is drawn anew.  For an equilibrium of the whole game all that
 * chance decides must be drawn, the viewer's cards too: BANYAN_DRAW_AUTO does so, and options.sampler, if set,
 * must do so as well.  BANYAN_INTERRUPTED: *stop was set (stop may be NULL); BANYAN_NO_MEMORY: the tree is full, and
 * the last traversal was given up. */
enum banyan_status banyan_search_walk(struct banyan_search *search, int64_t iterations,
                                      const banyan_flag *stop, struct banyan_error *err);

/* Writes player's root actions, the most visited first, at most max rows; returns how many.  Where cards are
 * hidden the rows are the actions of all drawn states that the player cannot tell apart, which may be more than
 * max_legal. */
int banyan_search_root_moves(const struct banyan_search *search, int player,
                             struct banyan_search_move *rows, int max);

/* Writes the mean return of each player over the simulations through the root, out[players]; NaN
 * while there are none.  After banyan_search_advance, in games with dice, hidden cards or
 * simultaneous choices, the kept simulations that count are those through the root node of the
 * viewer or, if the viewer does not move, of the first mover; with hidden cards and a viewer who does not
 * move none of them count. */
void banyan_search_root_values(const struct banyan_search *search, float *out);

/* Writes the principal variation from the root, the most visited actions and their movers, at most max; returns
 * how many.  With dice, hidden cards or simultaneous choices it follows the most visited outcome.
 * Where every player has a tree of their own, it has only the viewer's actions.  An ensemble gives
 * that of its first tree. */
int banyan_search_pv(const struct banyan_search *search, banyan_action *actions, int *movers,
                     int max);

/* Write what the search has done.  out_size: sizeof *out, as the caller's compiler saw the struct. */
void banyan_search_stats(const struct banyan_search *search, struct banyan_search_stats *out,
                         size_t out_size);
void banyan_search_profile(const struct banyan_search *search, struct banyan_search_profile *out,
                           size_t out_size);

/* Returns a fingerprint of the whole tree: equal trees have equal numbers. */
uint64_t banyan_search_signature(const struct banyan_search *search);

/* --- a search that is continued later --- */

/* A function of the caller that takes the next length bytes.  Returns false if it cannot; then it
 * is not called again. */
typedef bool banyan_search_save_fn(void *ctx, const void *bytes, size_t length);
/* A function of the caller that writes the next length bytes to bytes[length].  Returns false if
 * there are fewer, or they cannot be read. */
typedef bool banyan_search_load_fn(void *ctx, void *bytes, size_t length);

/* Writes a search with its tree through write(ctx, ...), piece by piece.  banyan_search_load makes a search of these
 * bytes that continues as if it had not been interrupted: with one thread it makes the same tree (except that with
 * hidden cards a full tree may be compacted at another time).  Precondition: no leaf is outstanding.  What belongs
 * to an evaluator, to options.sampler or to a rule of your own is not written, nor are priors of
 * banyan_search_set_root_priors that the root's node does not have yet, which it gets with the next simulation.
 *
 * BANYAN_UNSUPPORTED: rule=grave or progressive_history, whose tables are not written; BANYAN_INVALID: no root
 * is set; BANYAN_IO: write returned false. */
enum banyan_status banyan_search_save(const struct banyan_search *search,
                                      banyan_search_save_fn *write, void *ctx,
                                      struct banyan_error *err);

/* Reads what banyan_search_save has written into a search of the same game, options and kind of
 * evaluator; what this search held before is lost.  Only files of machines with the same order of bytes
 * can be read.  If reading fails, the search has no root; while a leaf is outstanding nothing is read, and it
 * stays as it is (BANYAN_INVALID).  A checksum finds files that were damaged by accident, not files that were
 * made to do harm.
 *
 * BANYAN_INVALID: not a saved search, an incomplete or damaged one, or one of another game or other
 * options, as the message says; BANYAN_NO_MEMORY. */
enum banyan_status banyan_search_load(struct banyan_search *search, banyan_search_load_fn *read,
                                      void *ctx, struct banyan_error *err);

/* --- the tree, to look at --- */

enum banyan_search_tree_format {
    BANYAN_TREE_TEXT,
    BANYAN_TREE_XML, /* nested <ActionNode p= visits= score= actions=> and <ChanceNode ... action=> */
    BANYAN_TREE_JSON,
    BANYAN_TREE_DOT,
    BANYAN_TREE_SVG,
    BANYAN_TREE_HTML /* self-contained page around the SVG */
};

struct banyan_search_tree_view {
    enum banyan_search_tree_format format;
    int depth;           /* levels of actions shown; 0: all, at most 512 */
    uint64_t min_visits; /* smaller subtrees are left out */
    int max_children;    /* most children of a node and outcomes of an action to show, the most
                            visited ones; 0: all */
};

/* A function of the caller that takes the next length bytes of a text, without a 0 at the end. It
 * returns false if it cannot; then it is not called again. */
typedef bool banyan_write_fn(void *ctx, const char *text, size_t length);

/* Writes the tree as text through write(ctx, ...), piece by piece.  With transpositions, a position that was
 * met on several ways stands below each of them, which may be an endless tree.  BANYAN_INVALID: no such format,
 * too many lines for a picture, or with transpositions more than 1,048,576 lines; BANYAN_IO: write returned
 * false; BANYAN_NO_MEMORY. */
enum banyan_status banyan_search_write_tree(const struct banyan_search *search,
                                            const struct banyan_search_tree_view *view,
                                            banyan_write_fn *write, void *ctx,
                                            struct banyan_error *err);

/* The steps of one simulation, in this order: (select | expand)* simulate backup*. */
enum banyan_search_trace_event {
    BANYAN_TRACE_SELECT,   /* a node chose a tried action; rows: its actions with their scores */
    BANYAN_TRACE_EXPAND,   /* a node took an action for the first time; rows: its actions */
    BANYAN_TRACE_SIMULATE, /* the leaf got values */
    BANYAN_TRACE_BACKUP    /* an edge of the path got the values, from the leaf up; rows: actions of
                           its node */
};

struct banyan_search_trace {
    enum banyan_search_trace_event event;
    uint64_t simulation;  /* 1, 2, ... */
    int depth;            /* of the node: 0 = root, the same for choices at the same time;
                            simulate: of the leaf */
    int player;           /* mover of the node */
    const void *state;    /* at the node (select, expand, simulate); NULL at backup */
    double parent_visits; /* of the node itself, the parent of its actions */
    const struct banyan_search_move *rows;
    int count, chosen;   /* chosen: -1 none */
    const float *values; /* simulate, backup: by player */
};

typedef void banyan_search_trace_fn(void *ctx, const struct banyan_search_trace *trace);

/* Calls fn for every simulation from now on, in the thread that searches; NULL ends it.  The search must have
 * one thread and batch 1. */
void banyan_search_set_trace(struct banyan_search *search, banyan_search_trace_fn *fn, void *ctx);

#ifdef __cplusplus
}
#endif
#endif
