/* The search over plans.
 *
 *    plan, plan, plan ... end of the turn | the opponent's plans ... | value
 *
 * Its game has the states of Blood Bowl, but an action is a whole plan of the script (bot.h):
 * `apply` plays the plan with the script's answers to all smaller questions, so an edge of the tree
 * leads from one choice of a plan to the next.  The key leaves out what hardly matters, such as how
 * badly a player who is out of play is hurt.  The game ends after a number of team turns, which the
 * state's spare bytes count; its result is the value of eval.h.
 */
#ifndef BLOODBOWL_AGENT_H
#define BLOODBOWL_AGENT_H

#include "games/bloodbowl/players/bot.h"

/* The game of plans for this variant (index into bb_variants). */
const struct banyan_game *agent_game(int variant);

/* Prepares a state as the root of a search: the game ends after `turns` team turns, the present one
 * included. */
void agent_root(struct bb_state *state, int turns);

/* Whether the state asks a question in the middle of a plan that a search may answer, too: block
 * dice, pushes, following up.  The actions at such a root are those of Blood Bowl, not plans;
 * agent_keep stores the plan that continues after the answer (NULL: none, or not known). */
bool agent_asks(const struct bb_state *state);
void agent_keep(struct bb_state *state, const struct bot_plan *plan);
banyan_action agent_answer(banyan_action action);

struct bot_plan agent_plan(banyan_action action);

struct agent_model {
    int finish;   /* team turns that the script plays before a leaf is evaluated */
    double trust; /* prior of the plan that the script would choose */
};

/* Makes the evaluator: values and priors of leaves.  model: borrowed. */
void agent_evaluator(const struct agent_model *model, struct banyan_evaluator *out);

enum banyan_status agent_player(const struct banyan_game *game, const char *args,
                                const struct banyan_offer *offers, uint64_t seed,
                                struct banyan_player *out, struct banyan_error *err);

#endif
