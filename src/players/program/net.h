/* A network as an evaluator: positions in, values and priors out.
 *
 *      leaf --encode, legal actions--> batch --backend--> logits of legal actions --softmax--> priors
 *                                                    +--> values of the viewer --> return units
 *
 * The network sees a leaf as each of its movers does; if several move, their values for every
 * player are averaged.  With `symmetries` it sees several images of each position (turned, mirrored),
 * and values and priors are the means over them: less error, for so many times the work.
 */
#ifndef PLAYERS_PROGRAM_NET_H
#define PLAYERS_PROGRAM_NET_H

#include "nn/backend.h"
#include "nn/checkpoint.h"

#include <banyan/evaluator.h>

/* A game, weights, a backend.  Any number of threads may evaluate at the same time: they share the
 * weights, and each thread has working memory of its own (where the backend can make only one, they
 * take turns).  No thread evaluates while weights are loaded. */
struct net;

/* Sets the fields of arch that the game gives: planes, policy, values.  BANYAN_UNSUPPORTED: the
 * game has no planes or no policy. */
enum banyan_status net_arch_game(const struct banyan_game *game, struct nn_arch *arch,
                                 struct banyan_error *err);

/* Checks that arch fits the game; name: the network's name in messages.  BANYAN_INVALID: the network
 * is for another game. */
enum banyan_status net_check(const struct banyan_game *game, const struct nn_arch *arch,
                             const char *name, struct banyan_error *err);

/* name, type: NULL or "": the best that is available */
struct net_backend {
    const char *name, *type;
    int threads;    /* threads of one batch; 0: one */
    int symmetries; /* number of images of a position, at most all that the game has; 0: one */
};

/* model is borrowed; params are copied (net_load changes them). */
enum banyan_status net_create(struct net **out, const struct banyan_game *game,
                              const struct nn_model *model, const float *params,
                              const struct net_backend *backend, struct banyan_error *err);
void net_destroy(struct net *net);
enum banyan_status net_load(struct net *net, const float *params, struct banyan_error *err);

/* Evaluates n leaves: the function evaluate of an evaluator, with ctx = net. */
enum banyan_status net_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                struct banyan_error *err);

/* An evaluator that borrows net. */
struct banyan_evaluator net_evaluator(struct net *net);

/* The backend's description, such as "plain fp32 avx2". */
const char *net_describe(const struct net *net);

/* Makes an evaluator and a player from text: FILE[,backend=NAME,type=fp32,threads=1,symmetries=1]; the
 * player also takes all options of mcts. */
enum banyan_status net_evaluator_create(const struct banyan_game *game, const char *args,
                                        const struct banyan_offer *offers,
                                        struct banyan_evaluator *out, struct banyan_error *err);
enum banyan_status net_player_create(const struct banyan_game *game, const char *args,
                                     const struct banyan_offer *offers, uint64_t seed,
                                     struct banyan_player *out, struct banyan_error *err);

#endif
