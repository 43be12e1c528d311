/* A network as an evaluator of positions: values and priors. */
#include "players/program/net.h"

#include "base/movers.h"
#include "nn/ops.h"
#include "nn/plugin.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What a thread needs to evaluate a batch: memory for `room` positions and `action_room` actions. */
struct net_scratch {
    void *ctx; /* of the backend */
    bool is_taken;
    struct net_scratch *next;
    int room, action_room;
    float *planes, *values, *logits;
    int *start;
    int32_t *actions;
    unsigned char *image; /* [state_size], if there are several images of a position */
};

struct net {
    const struct banyan_game *game;
    const struct nn_model *model;
    const struct nn_backend *backend;
    int images;               /* symmetries 0 .. images - 1 of each position are evaluated */
    struct net_scratch first; /* its context has the weights */
    pthread_mutex_t lock;     /* for the list of scratch memory and is_taken */
    pthread_cond_t freed;     /* signalled when scratch memory is given back */
};

/* --- checks that a network fits a game --- */

static int net_values(const struct banyan_game *game)
{
    bool mirrored = game->players == 2 && (game->traits & BANYAN_ZERO_SUM);
    return mirrored ? 1 : game->players;
}

enum banyan_status net_arch_game(const struct banyan_game *game, struct nn_arch *arch,
                                 struct banyan_error *err)
{
    if (!game->encode || !game->planes[0] || !game->policy_index || !game->policy_size)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "no network can play %s: the game has no planes or no policy",
                           game->name);
    arch->planes = game->planes[0];
    arch->height = game->planes[1];
    arch->width = game->planes[2];
    arch->actions = game->policy_size;
    arch->values = net_values(game);
    return BANYAN_OK;
}

enum banyan_status net_check(const struct banyan_game *game, const struct nn_arch *arch,
                             const char *name, struct banyan_error *err)
{
    struct nn_arch wanted = *arch;
    enum banyan_status status = net_arch_game(game, &wanted, err);
    if (status != BANYAN_OK)
        return status;
    if (!nn_arch_equal(&wanted, arch))
        return banyan_fail(err, BANYAN_INVALID,
                           "'%s' is a network for another game: it takes %dx%dx%d planes and %d "
                           "actions, %s has %dx%dx%d and %d",
                           name, arch->planes, arch->height, arch->width, arch->actions, game->name,
                           wanted.planes, wanted.height, wanted.width, wanted.actions);
    return BANYAN_OK;
}

/* --- a context --- */

static void net_scratch_close(const struct net *net, struct net_scratch *scratch)
{
    if (scratch->ctx)
        net->backend->close(scratch->ctx);
    free(scratch->planes);
    free(scratch->values);
    free(scratch->logits);
    free(scratch->start);
    free(scratch->actions);
    free(scratch->image);
}

void net_destroy(struct net *net)
{
    if (!net)
        return;
    for (struct net_scratch *scratch = net->first.next, *next; scratch; scratch = next) {
        next = scratch->next;
        net_scratch_close(net, scratch);
        free(scratch);
    }
    net_scratch_close(net, &net->first);
    pthread_cond_destroy(&net->freed);
    pthread_mutex_destroy(&net->lock);
    free(net);
}

enum banyan_status net_create(struct net **out, const struct banyan_game *game,
                              const struct nn_model *model, const float *params,
                              const struct net_backend *backend, struct banyan_error *err)
{
    struct nn_backend_options options = {.threads = backend->threads ? backend->threads : 1};
    const char *type = backend->type ? backend->type : "";
    *out = NULL;
    if (strlen(type) >= sizeof options.type)
        return banyan_fail(err, BANYAN_INVALID, "type=%s: the types are fp32 and bf16", type);
    memcpy(options.type, type, strlen(type) + 1);
    enum banyan_status status = net_check(game, &model->arch, "this network", err);
    if (status != BANYAN_OK)
        return status;
    struct net *net = calloc(1, sizeof *net);
    if (!net)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    net->game = game;
    net->model = model;
    int all = game->symmetry ? game->symmetries : 1;
    net->images = backend->symmetries < 1     ? 1
                  : backend->symmetries < all ? backend->symmetries
                                              : all;
    pthread_mutex_init(&net->lock, NULL);
    pthread_cond_init(&net->freed, NULL);
    status = nn_backend_open(backend->name ? backend->name : "", model, &options, &net->backend,
                             &net->first.ctx, err);
    if (status == BANYAN_OK)
        status = net->backend->load(net->first.ctx, params, err);
    if (status != BANYAN_OK) {
        net_destroy(net);
        return status;
    }
    *out = net;
    return BANYAN_OK;
}

enum banyan_status net_load(struct net *net, const float *params, struct banyan_error *err)
{
    return net->backend->load(net->first.ctx, params, err);
}

const char *net_describe(const struct net *net)
{
    return net->backend->describe(net->first.ctx);
}

/* --- scratch memory: for as many threads as have evaluated at the same time --- */

/* Makes scratch memory for another thread, and marks it as taken.  NULL: the backend has only one
 * context, or there is no memory. */
static struct net_scratch *net_add_scratch(struct net *net)
{
    struct net_scratch *scratch = net->backend->share ? calloc(1, sizeof *scratch) : NULL;
    if (scratch && net->backend->share(net->first.ctx, &scratch->ctx, NULL) != BANYAN_OK) {
        free(scratch);
        return NULL;
    }
    if (scratch) {
        scratch->is_taken = true;
        scratch->next = net->first.next;
        net->first.next = scratch;
    }
    return scratch;
}

/* Takes scratch memory. If all of it is taken and no more can be made, it waits for some. */
static struct net_scratch *net_take_scratch(struct net *net)
{
    struct net_scratch *scratch;
    pthread_mutex_lock(&net->lock);
    for (;;) {
        for (scratch = &net->first; scratch && scratch->is_taken;)
            scratch = scratch->next;
        if (scratch || (scratch = net_add_scratch(net)))
            break;
        pthread_cond_wait(&net->freed, &net->lock);
    }
    scratch->is_taken = true;
    pthread_mutex_unlock(&net->lock);
    return scratch;
}

static void net_give_scratch(struct net *net, struct net_scratch *scratch)
{
    pthread_mutex_lock(&net->lock);
    scratch->is_taken = false;
    pthread_cond_signal(&net->freed);
    pthread_mutex_unlock(&net->lock);
}

/* --- a batch --- */

static bool net_grow(void **block, size_t count, size_t size)
{
    void *more = realloc(*block, count * size);
    if (more)
        *block = more;
    return more != NULL;
}

/* Makes room for this many positions and actions, and for some more, so that it seldom grows. */
static enum banyan_status net_reserve(const struct net *net, struct net_scratch *scratch,
                                      int positions, int actions, struct banyan_error *err)
{
    const struct nn_arch *arch = &net->model->arch;
    size_t planes = (size_t)arch->planes * (size_t)nn_arch_cells(arch);
    bool good = true;
    if (positions > scratch->room) {
        size_t room = (size_t)positions + (size_t)scratch->room / 2;
        good = net_grow((void **)&scratch->planes, room * planes, sizeof *scratch->planes) &&
               net_grow((void **)&scratch->values, room * (size_t)arch->values,
                        sizeof *scratch->values) &&
               net_grow((void **)&scratch->start, room + 1, sizeof *scratch->start);
        scratch->room = good ? (int)room : 0;
    }
    if (good && actions > scratch->action_room) {
        size_t room = (size_t)actions + (size_t)scratch->action_room / 2;
        good = net_grow((void **)&scratch->logits, room, sizeof *scratch->logits) &&
               net_grow((void **)&scratch->actions, room, sizeof *scratch->actions);
        scratch->action_room = good ? (int)room : 0;
    }
    if (good && net->images > 1 && !scratch->image)
        good = (scratch->image = malloc(net->game->state_size)) != NULL;
    return good ? BANYAN_OK : banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a batch");
}

/* Where the next position of a batch goes. */
struct net_place {
    int position, action;
};

/* Encodes image k of what player p of the leaf sees. */
static void net_fill_image(const struct net *net, struct net_scratch *scratch,
                           const struct banyan_leaf *leaf, int p, int k, struct net_place *place)
{
    const struct banyan_game *game = net->game;
    const struct nn_arch *arch = &net->model->arch;
    size_t planes = (size_t)arch->planes * (size_t)nn_arch_cells(arch);
    const void *state = leaf->state;
    if (k > 0) {
        game->symmetry(game, leaf->state, k, scratch->image);
        state = scratch->image;
    }
    game->encode(game, state, p, scratch->planes + (size_t)place->position * planes);
    for (int j = 0; j < leaf->count[p]; ++j) {
        banyan_action action = leaf->actions[p][j];
        if (k > 0)
            action = game->symmetry_action(game, leaf->state, k, action);
        scratch->actions[place->action++] = game->policy_index(game, state, p, action);
    }
    scratch->start[++place->position] = place->action;
}

/* Encodes what every mover of every leaf sees; returns the number of positions. */
static int net_fill(const struct net *net, struct net_scratch *scratch,
                    const struct banyan_leaf *leaves, int n)
{
    struct net_place place = {0, 0};
    scratch->start[0] = 0;
    for (int i = 0; i < n; ++i)
        for (int p = movers_first(leaves[i].movers); p < net->game->players; ++p)
            for (int k = 0; leaves[i].movers >> p & 1 && k < net->images; ++k)
                net_fill_image(net, scratch, &leaves[i], p, k, &place);
    return place.position;
}

/* Adds a mover's values, in return units, to the values of the leaf. */
static void net_add_values(const struct net *net, const float *said, int viewer,
                           struct banyan_leaf *leaf)
{
    const struct banyan_game *game = net->game;
    float middle = (game->return_min + game->return_max) / 2;
    float half = (game->return_max - game->return_min) / 2;
    for (int k = 0; k < game->players; ++k) {
        int p = (viewer + k) % game->players;
        float value = net->model->arch.values > 1 ? said[k] : k ? -said[0] : said[0];
        leaf->values[p] += middle + half * value;
    }
}

/* Sets the priors of player p to the mean over its images, which begin at `position`, and adds their mean
 * values to those of the leaf. */
static void net_read_images(const struct net *net, const struct net_scratch *scratch, int position,
                            struct banyan_leaf *leaf, int p)
{
    int values = net->model->arch.values, count = leaf->count[p];
    float *said = scratch->values + (size_t)position * (size_t)values, *priors = leaf->priors[p];
    for (int k = 0; k < net->images; ++k) {
        float *logits = scratch->logits + scratch->start[position + k];
        ops_softmax(count, logits);
        for (int j = 0; j < count; ++j)
            priors[j] = k ? priors[j] + logits[j] : logits[j];
        for (int v = 0; k && v < values; ++v)
            said[v] += said[k * values + v];
    }
    if (net->images > 1) {
        for (int j = 0; j < count; ++j)
            priors[j] /= (float)net->images;
        for (int v = 0; v < values; ++v)
            said[v] /= (float)net->images;
    }
    net_add_values(net, said, p, leaf);
}

static void net_read(const struct net *net, const struct net_scratch *scratch,
                     struct banyan_leaf *leaves, int n)
{
    int position = 0;
    for (int i = 0; i < n; ++i) {
        struct banyan_leaf *leaf = &leaves[i];
        int movers = 0;
        memset(leaf->values, 0, sizeof leaf->values);
        for (int p = 0; p < net->game->players; ++p) {
            if (!(leaf->movers >> p & 1))
                continue;
            net_read_images(net, scratch, position, leaf, p);
            position += net->images;
            ++movers;
        }
        for (int p = 0; p < net->game->players; ++p)
            leaf->values[p] /= (float)movers;
    }
}

static enum banyan_status net_compute(const struct net *net, struct net_scratch *scratch,
                                      struct banyan_leaf *leaves, int n, struct banyan_error *err)
{
    int positions = 0, actions = 0;
    for (int i = 0; i < n; ++i)
        for (int p = 0; p < net->game->players; ++p)
            if (leaves[i].movers >> p & 1) {
                positions += net->images;
                actions += net->images * leaves[i].count[p];
            }
    enum banyan_status status = net_reserve(net, scratch, positions, actions, err);
    if (status != BANYAN_OK)
        return status;
    struct nn_request request = {.count = net_fill(net, scratch, leaves, n),
                                 .planes = scratch->planes,
                                 .start = scratch->start,
                                 .actions = scratch->actions,
                                 .logits = scratch->logits,
                                 .values = scratch->values};
    status = net->backend->forward(scratch->ctx, &request, err);
    if (status == BANYAN_OK)
        net_read(net, scratch, leaves, n);
    return status;
}

enum banyan_status net_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                struct banyan_error *err)
{
    struct net *net = ctx;
    struct net_scratch *scratch = net_take_scratch(net);
    enum banyan_status status = net_compute(net, scratch, leaves, n, err);
    net_give_scratch(net, scratch);
    return status;
}

struct banyan_evaluator net_evaluator(struct net *net)
{
    return (struct banyan_evaluator){.struct_size = sizeof(struct banyan_evaluator),
                                     .name = "net",
                                     .wants_actions = true,
                                     .ctx = net,
                                     .reentrant = true,
                                     .evaluate = net_evaluate};
}
