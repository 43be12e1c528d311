/* Networks as evaluators and players that are made from text. */
#include "base/options.h"
#include "players/player.h"
#include "players/program/net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct net_settings {
    char backend[32], type[16];
    int threads, symmetries;
};

#define AT(member) offsetof(struct net_settings, member)
static const struct banyan_option net_table[] = {
    {"backend", BANYAN_OPTION_TEXT, AT(backend), 0, 0, NULL, 32,
     "plain, onednn or cuda; default: the best available"},
    {"type", BANYAN_OPTION_TEXT, AT(type), 0, 0, NULL, 16,
     "fp32 or bf16; default: the fastest reliable one"},
    {"threads", BANYAN_OPTION_INT, AT(threads), 1, 256, NULL, 0, "threads that compute one batch"},
    {"symmetries", BANYAN_OPTION_INT, AT(symmetries), 1, 64, NULL, 0,
     "number of images of a position, turned and mirrored, whose values and priors are averaged; "
     "at most all that the game has"},
    {0},
};
#undef AT

static void net_close(void *ctx)
{
    net_destroy(ctx);
}

/* The context of an evaluator: a network, and the file from which it was read; both owned. */
struct net_owner {
    struct net *net;
    struct nn_net *file;
};

static void net_owner_close(void *ctx)
{
    struct net_owner *owner = ctx;
    net_close(owner->net);
    nn_net_free(owner->file);
    free(owner);
}

static enum banyan_status net_owner_evaluate(void *ctx, struct banyan_leaf *leaves, int n,
                                             struct banyan_error *err)
{
    return net_evaluate(((struct net_owner *)ctx)->net, leaves, n, err);
}

/* Splits "FILE,options". */
static enum banyan_status net_split(const char *args, char *path, size_t size, const char **rest,
                                    struct banyan_error *err)
{
    size_t length = strcspn(args, ",");
    if (length == 0 || length >= size)
        return banyan_fail(err, BANYAN_INVALID,
                           "net needs the file of a network: "
                           "net:FILE[,backend=NAME,type=fp32,threads=1,symmetries=1]");
    memcpy(path, args, length);
    path[length] = 0;
    *rest = args + length + (args[length] == ',');
    return BANYAN_OK;
}

enum banyan_status net_evaluator_create(const struct banyan_game *game, const char *args,
                                        const struct banyan_offer *offers,
                                        struct banyan_evaluator *out, struct banyan_error *err)
{
    char path[1024];
    const char *rest;
    struct net_settings settings = {"", "", 1, 1};
    struct nn_arch arch;
    enum banyan_status status = net_arch_game(game, &arch, err);
    if (status == BANYAN_OK)
        status = net_split(args, path, sizeof path, &rest, err);
    if (status == BANYAN_OK)
        status = banyan_options_parse(net_table, &settings, rest, err);
    if (status != BANYAN_OK)
        return status;
    struct net_owner *owner = calloc(1, sizeof *owner);
    if (!owner)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a network");
    status = nn_net_read(&owner->file, path, NULL, err);
    if (status == BANYAN_OK)
        status = net_check(game, &owner->file->model.arch, path, err);
    if (status == BANYAN_OK)
        status = net_create(&owner->net, game, &owner->file->model, owner->file->params,
                            &(struct net_backend){settings.backend, settings.type, settings.threads,
                                                  settings.symmetries},
                            err);
    if (status != BANYAN_OK) {
        net_owner_close(owner);
        return status;
    }
    *out = (struct banyan_evaluator){.struct_size = sizeof(struct banyan_evaluator),
                                     .name = "net",
                                     .wants_actions = true,
                                     .ctx = owner,
                                     .reentrant = true,
                                     .evaluate = net_owner_evaluate,
                                     .close = net_owner_close};
    return BANYAN_OK;
}

/* Settings for the search with a network, unless the player's options say otherwise.  They
 * scored 0.60 in 200 games against the defaults of PUCT (1.25 and 0.2), in othello and mushroom
 * (docs/results.md). */
static const char net_search[] = "rule=puct,cpuct=0.7,fpu=0.1";

enum banyan_status net_player_create(const struct banyan_game *game, const char *args,
                                     const struct banyan_offer *offers, uint64_t seed,
                                     struct banyan_player *out, struct banyan_error *err)
{
    char path[1024], net[512], search[512], text[2400];
    const char *rest;
    enum banyan_status status = net_split(args, path, sizeof path, &rest, err);
    if (status != BANYAN_OK)
        return status;
    status = options_split(net_table, rest, net, search, sizeof net, err);
    if (status != BANYAN_OK)
        return status;
    snprintf(text, sizeof text, "%s,evaluator=(net:%s%s%s)%s%s", net_search, path, *net ? "," : "",
             net, *search ? "," : "", search);
    return player_mcts_create(game, text, offers, seed, out, err);
}
