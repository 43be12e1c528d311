/* The contract: the constants of a game's table, and which functions are there. */
#include "contract/contract.h"

#include <banyan/evaluator.h>
#include <banyan/observe.h>

#include <math.h>
#include <string.h>

static bool card_is_name(const char *name)
{
    size_t n = name ? strlen(name) : 0;
    return n > 0 && n == strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-.");
}

static void card_check_names(struct contract *c)
{
    const struct banyan_game *g = c->game;
    contract_check(c, card_is_name(g->name),
                   "name is not made of lower case letters, digits, '-' and '.'");
    contract_check(c, g->title && *g->title, "there is no title");
    int players = g->players < BANYAN_MAX_PLAYERS ? g->players : BANYAN_MAX_PLAYERS;
    for (int p = 0; g->player_names && p < players; ++p)
        contract_check(c, g->player_names[p] && *g->player_names[p], "player_names[%d] is empty",
                       p);
    for (const struct banyan_offer *offer = g->offers; offer && offer->name; ++offer)
        contract_check(c, offer->help && (offer->evaluator || offer->player),
                       "the offer '%s' has no help or offers nothing", offer->name);
}

static void card_check_numbers(struct contract *c)
{
    const struct banyan_game *g = c->game;
    int bytes = g->action_bytes;
    contract_check(c, g->players >= 1 && g->players <= BANYAN_MAX_PLAYERS,
                   "players is %d, and 1 to %d are possible", g->players, BANYAN_MAX_PLAYERS);
    contract_check(c, g->state_size >= 1 && g->state_size <= BANYAN_STATE_MAX,
                   "state_size is %zu, and 1 to %d bytes are possible", g->state_size,
                   BANYAN_STATE_MAX);
    contract_check(c, bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8,
                   "action_bytes is %d, and 1, 2, 4 and 8 are possible", bytes);
    contract_check(c, g->max_legal >= 1 && g->max_legal <= BANYAN_LEGAL_MAX,
                   "max_legal is %d, and 1 to %d are possible", g->max_legal, BANYAN_LEGAL_MAX);
    contract_check(c, g->max_plies >= 1, "max_plies is %d, and a game has one ply at least",
                   g->max_plies);
    contract_check(
        c, isfinite(g->return_min) && isfinite(g->return_max) && g->return_min < g->return_max,
        "return_min is %g and return_max %g: the first must be the smaller", (double)g->return_min,
        (double)g->return_max);
    contract_check(c, g->policy_size >= 0 && g->action_count >= 0,
                   "policy_size is %d and action_count %d, and both must be 0 or more",
                   g->policy_size, g->action_count);
    for (int i = 0; i < 3; ++i)
        contract_check(c, g->planes[i] >= 0 && g->planes[i] <= 65535,
                       "planes[%d] is %d, and 0 to 65535 are possible", i, g->planes[i]);
}

static void card_check_functions(struct contract *c)
{
    const struct banyan_game *g = c->game;
    const struct {
        bool there;
        const char *name;
    } required[] = {
        {g->init, "init"},
        {g->movers, "movers"},
        {g->legal, "legal"},
        {g->apply, "apply"},
        {g->returns, "returns"},
        {g->key, "key"},
        {g->format, "format"},
        {g->action_format, "action_format"},
        {g->action_parse, "action_parse"},
    };
    for (size_t i = 0; i < sizeof required / sizeof *required; ++i)
        contract_check(c, required[i].there, "%s is NULL, and every game needs it",
                       required[i].name);
}

/* Members of the table that need others. */
static void card_check_pairs(struct contract *c)
{
    const struct banyan_game *g = c->game;
    bool chance = (g->traits & BANYAN_CHANCE) != 0, hidden = (g->traits & BANYAN_HIDDEN) != 0;
    contract_check(c, chance == (g->dice_kinds != NULL),
                   "BANYAN_CHANCE and dice_kinds belong together: only one of them is there");
    contract_check(c, !hidden || g->determinize, "BANYAN_HIDDEN needs determinize()");
    contract_check(c, hidden || !g->coarse_keys, "coarse_keys() needs BANYAN_HIDDEN");
    contract_check(c, !g->legal_count_after || !(g->traits & (BANYAN_CHANCE | BANYAN_SIMULTANEOUS)),
                   "legal_count_after() is for games without dice and simultaneous choices");
    contract_check(c, !g->decisive || !(g->traits & ~(unsigned)BANYAN_ZERO_SUM),
                   "decisive() is for games without dice, hidden cards and simultaneous choices");
    contract_check(c, (g->policy_size > 0) == (g->policy_index != NULL),
                   "policy_size and policy_index() belong together: only one of them is there");
    bool planes = g->planes[0] > 0 && g->planes[1] > 0 && g->planes[2] > 0;
    contract_check(c, planes == (g->encode != NULL),
                   "planes and encode() belong together: only one of them is there");
    bool symmetric = g->symmetry && g->symmetry_action && g->symmetries >= 1;
    contract_check(c, symmetric || (!g->symmetry && !g->symmetry_action && g->symmetries <= 1),
                   "symmetries need symmetry() and symmetry_action()");
    contract_check(c, !g->mirror == !g->mirror_action, "mirror() needs mirror_action()");
    contract_check(c, !g->mirror || g->players == 2, "mirror() is for games of two players");
    contract_check(c, !g->targets || g->encode, "targets() needs encode()");
    contract_check(c, !g->board_cells || g->board, "board_cells() needs board()");
}

static void card_check_feature(struct contract *c, const struct banyan_feature *f)
{
    contract_check(
        c, card_is_name(f->name),
        "the name of feature '%s' is not made of lower case letters, digits, '-' and '.'", f->name);
    contract_check(c, f->help && *f->help, "feature %s has no help", f->name);
    contract_check(c, f->shape[0] > 0 && f->min < f->max,
                   "feature %s: its shape must be 1 or more, and its min below its max", f->name);
    contract_check(c, f->kind != BANYAN_FEATURE_FLAG || (f->min >= 0 && f->max <= 1),
                   "feature %s has the bounds %g..%g, and a flag is 0 or 1", f->name,
                   (double)f->min, (double)f->max);
    for (const struct banyan_feature *other = c->game->features; other != f; ++other)
        contract_check(c, strcmp(other->name, f->name) != 0, "two features are called %s", f->name);
}

/* Checks the table of features: names, bounds, and without observe() as many numbers as the planes
 * have. */
static void card_check_features(struct contract *c)
{
    const struct banyan_game *g = c->game;
    int size = banyan_observation_size(g);
    for (const struct banyan_feature *f = g->features; f && f->name; ++f)
        card_check_feature(c, f);
    contract_check(c, !g->observe || g->features, "observe() needs features");
    contract_check(
        c, g->observe || !g->features || (size_t)size == contract_planes(g),
        "the features have %d numbers and the planes %zu; without observe() they must be as many",
        size, contract_planes(g));
}

bool contract_check_card(struct contract *c)
{
    c->index = c->ply = -1;
    card_check_names(c);
    card_check_numbers(c);
    card_check_functions(c);
    card_check_pairs(c);
    if (c->faults == 0)
        card_check_features(c);
    return c->faults == 0;
}
