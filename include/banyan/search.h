/* Monte Carlo tree search, ask and tell.
 *
 *      +--> select:  descend from the root, return leaves that need a value --+
 *      |                                                                      v
 *      +--- update:  expand, back the values up the paths  <------- evaluator
 *
 * The two halves let one batch be gathered from one tree or from a thousand
 * games; banyan_search_run is the loop around them.  Values are vectors by
 * player in the game's return units everywhere.
 *
 * Whose tree?  In a game of alternate moves and open cards there is one tree:
 * every edge leads to the next mover's node.  Where movers choose at once or
 * cards are hidden, every player has a trunk of his own: his nodes are his
 * information sets, his edges lead to what he may see next.  An edge whose
 * future is not certain (dice, hidden cards, the others' simultaneous choice)
 * leads to outcomes, found by the game's key().
 *
 * Versions: structs that the caller fills begin with struct_size, their size as the caller's compiler saw
 * it; what a newer library adds behind it is then taken to be as it was before.  0 is refused.
 *
 * How long?  As long as one likes: the visits of an action are counted up to
 * 2^32 - 1, and from then on its mean is that of the last 2^32 visits or so.
 *
 * Threads: a search belongs to one thread at a time; different searches are independent of each other
 * where their evaluator is reentrant.  While no thread is in a function that takes the search without
 * const, and none of banyan_search_run, those that take it as const may be called by any number of
 * threads at once: they write nothing into it.
 */
#ifndef BANYAN_SEARCH_H
#define BANYAN_SEARCH_H

#include <banyan/evaluator.h>
#include <banyan/game.h>
#include <banyan/options.h>
#include <banyan/status.h>
#include <banyan/stop.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum banyan_search_rule {
    BANYAN_RULE_UCB1,       /* mean + 2 Cp sqrt(ln n / n_j)            (Auer 2002; Browne 2012) */
    BANYAN_RULE_UCB1_TUNED, /* UCB1 with the variance bound of Auer 2002, section 4 */
    BANYAN_RULE_PUCT,       /* mean + c prior sqrt(n) / (1 + n_j)       (Silver 2017) */
    BANYAN_RULE_GUMBEL,     /* Gumbel root, sequential halving; PUCT-like inside (Danihelka 2022) */
    BANYAN_RULE_REGRET      /* regret matching at simultaneous nodes    (Hart 2000, Lanctot 2013) */
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
    BANYAN_OPPONENTS_MAXN,     /* everybody maximises his own return */
    BANYAN_OPPONENTS_PARANOID, /* all others minimise the return of the player who searches */
    BANYAN_OPPONENTS_COALITION /* players of one side maximise the mean return of their side */
};

/* Proven results and score bounds, in games of 1 player or 2 with constant sum and neither dice, hidden
 * cards nor simultaneous moves, if the model of the opponents makes the two opponents; elsewhere without
 * effect.  They do not go with transpositions, where a key may leave out how a position came about, nor
 * with rule=regret, whose strategies mix. */
enum banyan_search_solver {
    BANYAN_SOLVER_OFF,
    BANYAN_SOLVER_ON,  /* with one of these options the search is refused: BANYAN_UNSUPPORTED */
    BANYAN_SOLVER_AUTO /* on, but off with one of these options */
};

/* What simulations draw anew where cards are hidden and there is no sampler of one's own. */
enum banyan_search_draw {
    BANYAN_DRAW_AUTO,   /* all with rule=regret, else hidden */
    BANYAN_DRAW_HIDDEN, /* what the player who searches does not know */
    BANYAN_DRAW_ALL /* what the others do not know of that player too: everything that chance has
                           decided is drawn, as an equilibrium of the whole game needs it */
};

/* What nodes are known by where cards are hidden. */
enum banyan_search_keys {
    BANYAN_KEYS_FULL,  /* all that their mover knows (key): what an equilibrium needs */
    BANYAN_KEYS_COARSE /* what the game thinks enough (coarse_keys); in a game that has none: full */
};

enum banyan_search_order { BANYAN_ORDER_RANDOM, BANYAN_ORDER_FIRST }; /* of unvisited children */

/* Where full states come from in a game with hidden information. */
struct banyan_search_sampler {
    void *ctx;
    /* Fills *out with a full state that viewer, who knows root, must hold possible. */
    void (*sample)(void *ctx, const void *root, int viewer, void *out, struct banyan_rng *rng);
};

struct banyan_search_options {
    size_t
        struct_size; /* sizeof(struct banyan_search_options), as banyan_search_options_default sets it */

    /* selection */
    enum banyan_search_rule rule;
    double exploration; /* UCB1: Cp, for rewards scaled to [0,1]; the default 0.5 is c = 1, the
                           classic c = sqrt 2 is 1/sqrt 2 = 0.7071.  In a game of returns [-1,1]
                           that search is written mean + c' sqrt(..) with c' = 2 sqrt 2. */
    bool raw_rewards;   /* exploration is in the game's own return units */
    double cpuct;       /* PUCT: c, for rewards of [0,1] (half of the c for [-1,1]) */
    double fpu; /* PUCT: value of an unvisited child = parent's mean - fpu * sqrt(visited prior
                   mass), in rewards of [0,1] */
    double puct_log_base; /* PUCT: c grows by ln((n + base + 1) / base); 0: c is constant */
    enum banyan_search_order order; /* which unvisited child is next */
    bool children_first; /* UCB1: every child once before any twice (the textbook); off: an
                            unvisited  child competes with the parent's mean as if visited once */
    int expand_visits;   /* a node is made on this visit; 1: at once, as where the evaluator writes
                          priors; 0: the default (2, regret matching 1) */
    double widen_factor,
        widen_power; /* progressive widening: at most factor * n^power children; factor 0: off */
    double progressive_bias; /* adds bias * prior / (n_j + 1) to UCB1; 0: off */
    int gumbel_actions;      /* Gumbel: actions considered at the root */
    double gumbel_visit,
        gumbel_scale; /* Gumbel: sigma(q) = (visit + most visits) * scale * q, q in [0,1] */
    double
        regret_explore; /* regret matching: share of uniform play mixed into the sampling, falling as 1/sqrt(1 + n/1000) */
    double noise_weight, noise_alpha; /* Dirichlet noise on root priors; weight 0: none */
    bool
        forced_playouts; /* PUCT root: at least sqrt(2 prior n) visits per visited child (KataGo) */

    /* model */
    enum banyan_search_opponents opponents;
    int side[BANYAN_MAX_PLAYERS]; /* coalition: players of equal number are one side */
    enum banyan_search_solver solver;
    /* Where the game knows decisive and anti-decisive moves (game.h) and utilities are opposed as for
     * the solver: nodes below the root hold these actions only; with any rule and evaluator.  A node
     * that becomes the root, or that a book's line passes, gets all legal actions. */
    bool decisive;
    bool transpositions; /* nodes of equal key are one */
    int worlds; /* hidden information: simulations share so many states drawn at the root, so that
                   others, who know their own cards, are seen more than once; 0: each draws its own */
    enum banyan_search_draw draw;
    bool availability; /* hidden information: exploration counts how often an action could be chosen
                          at an information set, in place of its visits (Cowling 2012) */
    enum banyan_search_keys keys; /* hidden information */
    int prebuild_depth; /* partial tree: to this depth nodes stand from the start, filled with <n/a,
                           0>, and a simulation passes through them without ending there */

    /* final choice */
    enum banyan_search_final final;
    double final_w1, final_w2; /* max-robust; mean and visits both scaled to [0,1] */
    bool final_agree; /* max-robust: search on (at most double) until most visited = highest mean */
    double temperature; /* sample: 0 = most visited */
    double secure_z;    /* secure: mean - z / sqrt(n), rewards in [0,1] */

    /* resources */
    uint64_t memory_bytes; /* hard cap on what the tree allocates */
    int batch;             /* leaves gathered per evaluation */
    int threads;           /* of banyan_search_run on this tree */
    int ensemble;          /* independent trees whose root statistics are added (root parallel) */
    bool reuse;            /* keep the subtree after a move */
    bool profile;          /* measure phases; costs a little */
    uint64_t seed;
    struct banyan_search_sampler sampler; /* sample == NULL: the game's determinize */
};

/* Fills *options with the defaults, and sets its struct_size. */
#define banyan_search_options_default(options) \
    banyan_search_options_init((options), sizeof(struct banyan_search_options))
void banyan_search_options_init(struct banyan_search_options *options, size_t struct_size);

/* What can be set by text ("mcts:simulations=1000,rule=puct"); static storage. */
const struct banyan_option *banyan_search_option_table(void);

/* When to stop; a zero or negative entry means "no limit of this kind". */
struct banyan_search_limits {
    size_t struct_size; /* sizeof(struct banyan_search_limits) */
    int64_t simulations;
    double time_ms;
    const banyan_flag *stop; /* set by another thread or a signal handler; may be NULL */
    bool early;              /* stop when no more simulations can change the final choice, by visits
                                and means (what the solver may still prove is not foreseen).  Never
                                where the choice is drawn, agree=on, or in an ensemble */
};

/* One root action, as a table row. */
struct banyan_search_move {
    banyan_action action;
    uint64_t visits; /* 2^32 - 1: so many or more */
    double mean;     /* return of the mover; NaN: not visited */
    float prior;     /* NaN: none, or the evaluator has not written it yet */
    float lo, hi;    /* proven bounds on the mover's return */
    double score;    /* of the selection rule now; NaN: not visited */
};

struct banyan_search_stats {
    uint64_t simulations; /* since the root was set */
    uint64_t nodes, edges, outcomes;
    uint64_t bytes_used, bytes_allocated; /* of the tree; allocated <= options.memory_bytes */
    uint64_t compactions;
    int max_depth;
    double mean_depth;
    double elapsed_ms; /* of the last run, wall clock */
};

/* Time and counts by phase (options.profile). */
struct banyan_search_profile {
    double select_ms, apply_ms, expand_ms, evaluate_ms, backup_ms, compact_ms;
    uint64_t selects, applies, expansions, evaluations, backups, copies, samples;
    uint64_t ucb_terms; /* edge scores computed */
    uint64_t depth[64]; /* histogram of leaf depths; the last counts all deeper */
};

struct banyan_search;

/* game and evaluator are borrowed and must outlive the search; options are copied.  BANYAN_INVALID names
 * an option outside of its range in the table, BANYAN_UNSUPPORTED what does not go together,
 * BANYAN_NO_MEMORY: options.memory_bytes is too little. */
enum banyan_status banyan_search_create(struct banyan_search **out, const struct banyan_game *game,
                                        const struct banyan_search_options *options,
                                        struct banyan_evaluator *evaluator,
                                        struct banyan_error *err);
void banyan_search_destroy(struct banyan_search *search);

/* Forgets everything, leaves that are out too, and starts at state (copied); viewer: the player who
 * searches, who matters for hidden information, paranoid opponents, Gumbel's root and where a run may
 * stop by itself.  A player's number is kept for all roots to come: for who searches while others think
 * too.  -1: the first mover of this root, and after banyan_search_advance of the next one: for self-play. */
enum banyan_status banyan_search_set_root(struct banyan_search *search, const void *state,
                                          int viewer, struct banyan_error *err);

/* Opening book: makes the nodes along a line of `length` actions from the root, and adds to the last
 * of them `visits` visits whose mean return for its mover is `mean`, as if they had been simulated;
 * visits 0: the nodes alone, <n/a, 0>.  A line counts for its last action only, so lines may come in
 * any order, and a node's visits are those of the edge to it or the sum over its own edges,
 * whichever is more.  Bounds of the solver come from
 * the rules alone.  No leaves may be out.  An ensemble adds
 * the line to each of its trees.
 *
 * BANYAN_ILLEGAL names the action that the rules forbid, BANYAN_NO_MEMORY: the tree is full (nothing
 * is thrown out for a book), BANYAN_UNSUPPORTED: not in this game (dice, hidden cards, simultaneous
 * choices, returns of several players that do not follow from one of them) or not with these
 * options (rule=gumbel, rule=regret, opponents other than maxn). */
enum banyan_status banyan_search_add_line(struct banyan_search *search, const banyan_action *line,
                                          int length, uint64_t visits, double mean,
                                          struct banyan_error *err);

/* The other way: calls fn for every line from the root whose last edge, and every edge before it,
 * has at least min_visits visits: a line before those that go on from it, the most visited first.
 * With transpositions what lies below a node is told once; an ensemble tells tree after tree.
 * line[length] is borrowed for the call; mean: of the mover of the last action. */
typedef void banyan_search_line_fn(void *ctx, const banyan_action *line, int length,
                                   uint64_t visits, double mean);
enum banyan_status banyan_search_each_line(const struct banyan_search *search, uint64_t min_visits,
                                           banyan_search_line_fn *fn, void *ctx,
                                           struct banyan_error *err);

/* The game went on: joint was played and state came of it.  Keeps the subtree when options.reuse
 * says so and there is one; then returns true.  Leaves that are out are taken back as if they had not
 * been asked for: banyan_search_update must not get them any more.  Where the player who searches
 * changes (viewer -1) nothing is kept that only was right for the last one: what hidden cards looked
 * like, and what paranoid opponents want, unless two share a constant sum. */
bool banyan_search_advance(struct banyan_search *search, const banyan_action joint[],
                           const void *state);

/* Asks: descends up to max times and fills leaves that need values; returns how many.  May be fewer
 * than max, also 0: a simulation that ended in a finished game is counted at once, a leaf that is
 * already waiting is not sent twice, and when the tree is full all leaves come back before it is
 * compacted.  One at a time. */
int banyan_search_select(struct banyan_search *search, struct banyan_leaf *leaves, int max);

/* Says what the next calls of banyan_search_select are for, until the root changes: how many
 * simulations will be asked for (sequential halving shares them out; banyan_search_run says so by
 * itself), and whether the root explores, by noise and forced playouts as the options say. */
void banyan_search_plan(struct banyan_search *search, int64_t simulations, bool explore);

/* Tells: expands and backs up.  Leaves may come back in any order, in parts.  Priors are 0 in a leaf that
 * was asked for; left so they are no opinion, and the game's priors, or equal ones, stand in. */
void banyan_search_update(struct banyan_search *search, const struct banyan_leaf *leaves, int n);

/* select, evaluate and update until a limit is reached: BANYAN_OK.  BANYAN_INTERRUPTED: limits->stop
 * ended it before; what was found until then is there.  BANYAN_INVALID: no root or no limit is set; or
 * the evaluator's own status. */
enum banyan_status banyan_search_run(struct banyan_search *search,
                                     const struct banyan_search_limits *limits,
                                     struct banyan_error *err);

/* The final choice for player (a mover at the root), by options.final among the actions that are not
 * proven.  It is legal in the root's state: where cards are hidden the node of player may list actions
 * of other states too (those that another player's cards may be), which are not chosen.  With the solver the rule's favourite counts with its mean, clipped to its bounds, and gives
 * way to an action that guarantees more: a proven one its value, another its lower bound.  Where visits
 * decide, it also gives way to a proven action with more visits that is worth the root's mean.  An action
 * that cannot be better than another and may be worse is never chosen, so a proven result at the end
 * of the range always is.  BANYAN_FINAL_SAMPLE draws by visits from all that are left, proven ones
 * included. Where the simulations were too few for a node of this player at the root, it
 * is a random legal action of 0 visits; BANYAN_INVALID where there were none at all and nothing was
 * kept from an earlier root or a book. */
enum banyan_status banyan_search_choose(struct banyan_search *search, int player,
                                        struct banyan_search_move *out, struct banyan_error *err);

/* Regret matching: player's average strategy, the one that approaches an equilibrium, at the root
 * (state NULL) or in any state of the tree that he can tell from others.  Writes at most max
 * entries, which sum to 1; returns how many, 0 with other rules or where the search never was. */
int banyan_search_average_strategy(const struct banyan_search *search, const void *state,
                                   int player, banyan_action *actions, double *out, int max);

/* External-sampling regret minimisation over the nodes of the search (rule=regret; small games of
 * hidden cards or simultaneous moves): walks `iterations` times from states drawn by the sampler.
 * For an equilibrium of the whole game all that chance decides must be drawn, the viewer's cards too:
 * options.draw does so unless it says otherwise, a sampler of one's own has to.  BANYAN_INTERRUPTED: by stop (may be NULL). */
enum banyan_status banyan_search_walk(struct banyan_search *search, int64_t iterations,
                                      const banyan_flag *stop, struct banyan_error *err);

/* Rows of player's root actions, the most visited first: all, or the first max of them.  Returns how
 * many were written.  Where cards are hidden these are the actions of all states that were drawn and
 * that player's node does not tell apart; they may be more than max_legal. */
int banyan_search_root_moves(const struct banyan_search *search, int player,
                             struct banyan_search_move *rows, int max);

/* Mean value by player over the simulations through the root, out[players]; NaN while there is none.
 * After banyan_search_advance these are, with dice, hidden cards or simultaneous choices, the kept
 * ones that went on from the root's node (the viewer's, or that of the first player who moves); where
 * the viewer of a game with hidden cards does not move none is kept. */
void banyan_search_root_values(const struct banyan_search *search, float *out);

/* Principal variation from the root: most visited actions; with dice or hidden cards it follows the
 * most visited outcome.  Writes at most max actions and their movers; returns how many. */
int banyan_search_pv(const struct banyan_search *search, banyan_action *actions, int *movers,
                     int max);

/* out_size: sizeof *out, as the caller knows the struct. */
void banyan_search_stats(const struct banyan_search *search, struct banyan_search_stats *out,
                         size_t out_size);
void banyan_search_profile(const struct banyan_search *search, struct banyan_search_profile *out,
                           size_t out_size);

/* A fingerprint of the whole tree: equal trees, equal numbers.  For tests and the signature. */
uint64_t banyan_search_signature(const struct banyan_search *search);

/* --- the tree, to look at --- */

enum banyan_search_tree_format {
    BANYAN_TREE_TEXT,
    BANYAN_TREE_XML, /* <ActionNode p= visits= score= actions=> and <ChanceNode ... action=> nested
                      */
    BANYAN_TREE_JSON,
    BANYAN_TREE_DOT,
    BANYAN_TREE_SVG,
    BANYAN_TREE_HTML /* self-contained page around the SVG */
};

struct banyan_search_tree_view {
    enum banyan_search_tree_format format;
    int depth;           /* levels of actions shown; 0: all */
    uint64_t min_visits; /* smaller subtrees are left out */
    int max_children;    /* of a node, and outcomes of an action: most visited ones; 0: all */
};

/* Takes the next length bytes of a text (no 0 at the end); false: it cannot, and nothing more comes. */
typedef bool banyan_write_fn(void *ctx, const char *text, size_t length);

/* Writes the tree as text through write(ctx, ...), piece by piece.  BANYAN_INVALID: no such format, or
 * too many lines for a picture; BANYAN_IO: write returned false; BANYAN_NO_MEMORY. */
enum banyan_status banyan_search_write_tree(const struct banyan_search *search,
                                            const struct banyan_search_tree_view *view,
                                            banyan_write_fn *write, void *ctx,
                                            struct banyan_error *err);

/* What one simulation did, step by step, in this order: (select | expand)* simulate backup*. */
enum banyan_search_trace_event {
    BANYAN_TRACE_SELECT,   /* a node chose among its edges; rows: the edges with their scores */
    BANYAN_TRACE_EXPAND,   /* a node took an action for the first time; rows: its actions */
    BANYAN_TRACE_SIMULATE, /* the leaf got values */
    BANYAN_TRACE_BACKUP /* an edge of the path, from the leaf up, got them: rows are its node's */
};

struct banyan_search_trace {
    enum banyan_search_trace_event event;
    uint64_t simulation; /* 1, 2, ... */
    int depth;           /* of the node: 0 = root; simulate: of the leaf */
    int player;          /* mover of the node */
    const void *state;   /* at the node (select, expand, simulate); NULL at backup */
    double parent_visits;
    const struct banyan_search_move *rows;
    int count, chosen;   /* chosen: -1 none */
    const float *values; /* simulate, backup: by player */
};

typedef void banyan_search_trace_fn(void *ctx, const struct banyan_search_trace *trace);

/* fn is called for every simulation from now on; NULL ends it.  One thread, batch 1. */
void banyan_search_set_trace(struct banyan_search *search, banyan_search_trace_fn *fn, void *ctx);

#ifdef __cplusplus
}
#endif
#endif
