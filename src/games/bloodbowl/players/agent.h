/* The search over plans.
 *
 *     plan, plan, plan ... end of the turn | the opponent's plans ... | value
 *
 * Its game has the states of Blood Bowl, but its actions are whole plans of the scripted coach
 * (bot.h): `apply` plays one with the script's answers to all smaller questions, so that an edge
 * leads from one choice of a plan to the next.  What cannot matter is not in its key: a player who
 * is out is out, however badly he is hurt.  The game ends after a number of team turns, kept in the
 * state's spare bytes, with the value of eval.h as its result.
 */
#ifndef BLOODBOWL_AGENT_H
#define BLOODBOWL_AGENT_H

#include "games/bloodbowl/players/bot.h"

/* The game of plans on the board of this variant (index into bb_variants). */
const struct banyan_game *agent_game(int variant);

/* A state as its root: the game ends with the `turns`th team turn from here. */
void agent_root(struct bb_state *state, int turns);

/* Questions in the middle of a plan that a search may answer too: dice of a block, pushes, following
 * up.  At such a root the actions are the engine's own; kept is the plan that goes on afterwards
 * (NULL: none, or not known). */
bool agent_asks(const struct bb_state *state);
void agent_keep(struct bb_state *state, const struct bot_plan *plan);
banyan_action agent_answer(banyan_action action);

struct bot_plan agent_plan(banyan_action action);

struct agent_model {
    int finish;   /* team turns that the script plays on before a leaf is valued */
    double trust; /* prior of the script's own choice */
};

/* Values and priors of leaves; model: borrowed. */
void agent_evaluator(const struct agent_model *model, struct banyan_evaluator *out);

enum banyan_status agent_player(const struct banyan_game *game, const char *args,
                                const struct banyan_offer *offers, uint64_t seed,
                                struct banyan_player *out, struct banyan_error *err);

#endif
