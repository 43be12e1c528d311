/* Default settings of a search, and the table of its options. */
#include <banyan/search.h>

#include "base/struct_size.h"

#include <stddef.h>

void banyan_search_options_init(struct banyan_search_options *options, size_t struct_size)
{
    struct banyan_search_options all = {
        .struct_size = struct_size,
        .rule = BANYAN_RULE_UCB1,
        .exploration = 0.5,
        .cpuct = 1.25,
        .fpu = 0.2,
        .order = BANYAN_ORDER_RANDOM,
        .children_first = true,
        .widen_power = 0.5,
        .gumbel_actions = 16,
        .gumbel_visit = 50,
        .gumbel_scale = 1,
        .noise_alpha = 0.3,
        .prior_temperature = 1,
        .root_prior_temperature = 1,
        .regret_explore = 0.2,
        .grave_visits = 50,
        .grave_bias = 1e-4,
        .opponents = BANYAN_OPPONENTS_MAXN,
        .solver = BANYAN_SOLVER_AUTO,
        .availability = true,
        .keys = BANYAN_KEYS_COARSE,
        .decisive = true,
        .score_scale = 10,
        .final = BANYAN_FINAL_ROBUST,
        .final_w1 = 1,
        .final_w2 = 1,
        .temperature = 1,
        .secure_z = 1,
        .memory_bytes = (uint64_t)256 << 20,
        .batch = 1,
        .threads = 1,
        .ensemble = 1,
        .reuse = true,
        .seed = 1,
    };
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        all.side[p] = p;
    struct_size_copy(options, struct_size, &all, sizeof all);
}

#define AT(member) offsetof(struct banyan_search_options, member)
#define SIDE(p)    offsetof(struct banyan_search_options, side) + p * sizeof(int)

static const char *const rules[] = {"ucb1",   "ucb1-tuned", "puct", "gumbel",
                                    "regret", "grave",      NULL};
static const char *const orders[] = {"random", "first", NULL};
static const char *const opponents[] = {"maxn", "paranoid", "coalition", NULL};
static const char *const solvers[] = {"off", "on", "auto", NULL};
static const char *const draws[] = {"auto", "hidden", "all", NULL};
static const char *const keys[] = {"full", "coarse", NULL};
static const char *const finals[] = {"max",    "robust",  "max-robust", "secure",
                                     "sample", "average", NULL};

/* clang-format off */
static const struct banyan_option options_table[] = {
    {"rule", BANYAN_OPTION_CHOICE, AT(rule), .choices = rules, .help = "selection rule: how a node chooses an action"},
    {"exploration", BANYAN_OPTION_REAL, AT(exploration), 0, 1e6, .help = "UCB1: Cp in mean + 2 Cp sqrt(ln n / n_j), rewards scaled to [0,1]"},
    {"raw-rewards", BANYAN_OPTION_BOOL, AT(raw_rewards), .help = "exploration constants are in the game's own units of return, not for rewards in [0,1]"},
    {"cpuct", BANYAN_OPTION_REAL, AT(cpuct), 0, 1e6, .help = "PUCT: c in mean + c prior sqrt(n) / (1 + n_j), rewards scaled to [0,1]"},
    {"fpu", BANYAN_OPTION_REAL, AT(fpu), -10, 10, .help = "PUCT: a child without visits counts as the mean of its parent minus fpu * sqrt(sum of the visited children's priors)"},
    {"puct-log-base", BANYAN_OPTION_REAL, AT(puct_log_base), 0, 1e9, .help = "PUCT: c grows by ln((n + base + 1) / base); 0: constant"},
    {"order", BANYAN_OPTION_CHOICE, AT(order), .choices = orders, .help = "order in which unvisited children are tried; first: the game's order"},
    {"children-first", BANYAN_OPTION_BOOL, AT(children_first), .help = "UCB1: visit every child once before any child twice"},
    {"expand-visits", BANYAN_OPTION_INT, AT(expand_visits), 0, 1000000, .help = "number of the visit at which a position becomes a node; 0: the rule's default"},
    {"widen-factor", BANYAN_OPTION_REAL, AT(widen_factor), 0, 1e6, .help = "progressive widening: children <= factor * n^power; 0: off"},
    {"widen-power", BANYAN_OPTION_REAL, AT(widen_power), 0, 1, .help = "progressive widening: power"},
    {"progressive-bias", BANYAN_OPTION_REAL, AT(progressive_bias), 0, 1e6, .help = "UCB1: adds bias * prior / (n_j + 1); 0: off"},
    {"progressive-history", BANYAN_OPTION_REAL, AT(progressive_history), 0, 1e6, .help = "UCB1: adds history * h / (losses + 1), where losses = n_j (1 - mean reward) and h is the mean reward in [0,1] of all simulations from this root that played the move; 0: off"},
    {"implicit-minimax", BANYAN_OPTION_REAL, AT(implicit_minimax), 0, 1, .help = "weight of the minimax value of the game's heuristic in the means that the rule compares, in games without luck and hidden cards; 0: off"},
    {"gumbel-actions", BANYAN_OPTION_INT, AT(gumbel_actions), 1, 65535, .help = "Gumbel: actions considered at the root"},
    {"gumbel-visit", BANYAN_OPTION_REAL, AT(gumbel_visit), 0, 1e6, .help = "Gumbel: a mean reward q counts sigma(q) = (visit + visits of the most visited action) * scale * q"},
    {"gumbel-scale", BANYAN_OPTION_REAL, AT(gumbel_scale), 0, 1e6, .help = "Gumbel: scale in the formula of gumbel-visit"},
    {"regret-explore", BANYAN_OPTION_REAL, AT(regret_explore), 0, 1, .help = "regret matching: share of moves drawn from all actions equally, at first; falls with the visits"},
    {"grave-visits", BANYAN_OPTION_INT, AT(grave_visits), 0, 1000000, .help = "GRAVE: simulations that a position needs before the values of later moves are read from it"},
    {"grave-bias", BANYAN_OPTION_REAL, AT(grave_bias), 0, 1e6, .help = "GRAVE: bias in a / (a + n + bias a n), the weight of the values of later moves, where `a` simulations contain the move and n visits begin with it"},
    {"grave-exploration", BANYAN_OPTION_REAL, AT(grave_exploration), 0, 1e6, .help = "GRAVE: Cp of an exploration term 2 Cp sqrt(ln n / (n_j + 1)), rewards scaled to [0,1]; 0: none"},
    {"grave-prior", BANYAN_OPTION_REAL, AT(grave_prior), 0, 1e6, .help = "GRAVE: visits that a prior counts as, with the mean reward r / (r + 1), where r is the prior divided by the mean prior; 0: priors are not read"},
    {"noise-weight", BANYAN_OPTION_REAL, AT(noise_weight), 0, 1, .help = "share of Dirichlet noise in the root's priors"},
    {"noise-alpha", BANYAN_OPTION_REAL, AT(noise_alpha), 1e-3, 1e3, .help = "Dirichlet noise: alpha"},
    {"prior-temperature", BANYAN_OPTION_REAL, AT(prior_temperature), 0.01, 100, .help = "priors become prior^(1/temperature): above 1 flatter, below 1 sharper"},
    {"root-prior-temperature", BANYAN_OPTION_REAL, AT(root_prior_temperature), 0.01, 100, .help = "as prior-temperature, for the root's priors alone; comes after prior-temperature and before noise"},
    {"root-pruning", BANYAN_OPTION_REAL, AT(root_pruning), 0, 100, .help = "final=robust: the root stops visiting an action that would not become the most visited one even with (simulations left) / root-pruning more visits; 0: off"},
    {"forced-playouts", BANYAN_OPTION_BOOL, AT(forced_playouts), .help = "PUCT root: at least sqrt(2 prior n) visits per visited child"},
    {"opponents", BANYAN_OPTION_CHOICE, AT(opponents), .choices = opponents, .help = "model of the other players"},
    {"side0", BANYAN_OPTION_INT, SIDE(0), 0, 7, .help = "opponents=coalition: side of the first player"},
    {"side1", BANYAN_OPTION_INT, SIDE(1), 0, 7, .help = "opponents=coalition: side of the second player"},
    {"side2", BANYAN_OPTION_INT, SIDE(2), 0, 7, .help = "opponents=coalition: side of the third player"},
    {"side3", BANYAN_OPTION_INT, SIDE(3), 0, 7, .help = "opponents=coalition: side of the fourth player"},
    {"side4", BANYAN_OPTION_INT, SIDE(4), 0, 7, .help = "opponents=coalition: side of the fifth player"},
    {"side5", BANYAN_OPTION_INT, SIDE(5), 0, 7, .help = "opponents=coalition: side of the sixth player"},
    {"side6", BANYAN_OPTION_INT, SIDE(6), 0, 7, .help = "opponents=coalition: side of the seventh player"},
    {"side7", BANYAN_OPTION_INT, SIDE(7), 0, 7, .help = "opponents=coalition: side of the eighth player"},
    {"solver", BANYAN_OPTION_CHOICE, AT(solver), .choices = solvers, .help = "prove results and bound scores, where the game allows it; auto: on, but off with transpositions=on, rule=regret or score-weight"},
    {"score-weight", BANYAN_OPTION_REAL, AT(score_weight), 0, 1, .help = "two players, games with points: share of the score in the value of a finished game; 0: off"},
    {"score-scale", BANYAN_OPTION_REAL, AT(score_scale), 1e-6, 1e9, .help = "a lead of m points counts m / (m + score-scale)"},
    {"decisive", BANYAN_OPTION_BOOL, AT(decisive), .help = "below the root try only the moves that win immediately, or that stop such a win of the opponent, where the game names them"},
    {"transpositions", BANYAN_OPTION_BOOL, AT(transpositions), .help = "positions of equal key share one node; solver=auto is then off"},
    {"worlds", BANYAN_OPTION_INT, AT(worlds), 0, 65535, .help = "hidden cards: number of full states that are drawn for a decision and shared by all simulations; 0: each simulation draws its own"},
    {"world-baseline", BANYAN_OPTION_BOOL, AT(world_baseline), .help = "with worlds: a simulation's result counts as its difference to the mean of its world, so that actions that only some worlds offer are compared fairly with the others"},
    {"draw", BANYAN_OPTION_CHOICE, AT(draw), .choices = draws, .help = "hidden cards: what each simulation draws anew. hidden: what the player who searches does not know; all: all that chance has decided, this player's own cards too, which an equilibrium needs; auto: all with rule=regret, else hidden"},
    {"availability", BANYAN_OPTION_BOOL, AT(availability), .help = "hidden cards: exploration counts how often an action could be chosen, in place of the node's visits"},
    {"rare-share", BANYAN_OPTION_BOOL, AT(rare_share), .help = "PUCT with availability: exploration of an action that could be chosen at a share s of the visits counts sqrt(s) times as much, so that what few worlds offer is tried less"},
    {"keys", BANYAN_OPTION_CHOICE, AT(keys), .choices = keys, .help = "hidden cards: which states share a node. full: those that the mover cannot tell apart; coarse: also those that the game calls similar, so there are fewer nodes with more visits each"},
    {"prebuild-depth", BANYAN_OPTION_INT, AT(prebuild_depth), 0, 64, .help = "depth of the partial tree that is built before the first simulation"},
    {"final", BANYAN_OPTION_CHOICE, AT(final), .choices = finals, .help = "final choice at the root"},
    {"w1", BANYAN_OPTION_REAL, AT(final_w1), 0, 1e6, .help = "final=max-robust: weight of the mean, which is scaled to [0,1]"},
    {"w2", BANYAN_OPTION_REAL, AT(final_w2), 0, 1e6, .help = "final=max-robust: weight of the share of visits"},
    {"agree", BANYAN_OPTION_BOOL, AT(final_agree), .help = "final=max-robust: search up to twice as long, until the most visited action also has the highest mean"},
    {"temperature", BANYAN_OPTION_REAL, AT(temperature), 0, 1e3, .help = "final=sample: probability in proportion to visits^(1/temperature); 0: the most visited action"},
    {"secure-z", BANYAN_OPTION_REAL, AT(secure_z), 0, 1e3, .help = "final=secure: z in mean - z / sqrt(n_j), rewards in [0,1]"},
    {"memory", BANYAN_OPTION_SIZE, AT(memory_bytes), 1 << 17, 1e12, .help = "hard cap on the bytes of the tree"},
    {"batch", BANYAN_OPTION_INT, AT(batch), 1, 4096, .help = "leaves evaluated in one call of the evaluator"},
    {"threads", BANYAN_OPTION_INT, AT(threads), 0, 256, .help =
     "threads on one tree; 0: one for each processor, or 1 where threads cannot share a tree"},
    {"ensemble", BANYAN_OPTION_INT, AT(ensemble), 1, 256, .help = "independent trees, each with its own threads, whose root statistics are added"},
    {"reuse", BANYAN_OPTION_BOOL, AT(reuse), .help = "keep the subtree after a move"},
    {"profile", BANYAN_OPTION_BOOL, AT(profile), .help = "measure the phases of the search"},
    {"seed", BANYAN_OPTION_INT64, AT(seed), -0x1p63, 0x1p63, .help = "seed of the search's random numbers"},
    {0},
};
/* clang-format on */

const struct banyan_option *banyan_search_option_table(void)
{
    return options_table;
}
