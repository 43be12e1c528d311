/* Games played ahead: while the network learns from a generation, the next one is played already, by the best
 * network of one generation earlier.  A rule says which network plays, so the games do not depend on how fast
 * anything was:
 *
 *      generation N is played by the best network after generation N - 1 - ahead
 *
 * With ahead, each generation's network is kept as a file of its own until the generation is over:
 * player.gNNNNN.safetensors, a hard link to the network that was the best. */
#include "train/loop_state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void loop_player_path(const struct loop *loop, int64_t generation, char out[LOOP_PATH])
{
    char name[48] = "best.safetensors";
    if (loop->settings.loop.ahead)
        snprintf(name, sizeof name, "player.g%05lld.safetensors", (long long)generation);
    loop_path(loop, out, name);
}

/* Lets the network of this name play a generation, unless the generation has its network
 * already. */
static enum banyan_status ahead_keep(const struct loop *loop, int64_t generation, const char *name,
                                     struct banyan_error *err)
{
    char from[LOOP_PATH], to[LOOP_PATH];
    loop_path(loop, from, name);
    loop_player_path(loop, generation, to);
    if (link(from, to) == 0 || errno == EEXIST)
        return BANYAN_OK;
    return banyan_fail(err, BANYAN_IO, "cannot write '%s': %s", to, strerror(errno));
}

enum banyan_status loop_ahead_begin(const struct loop *loop, struct banyan_error *err)
{
    int64_t generation = loop->now.generation;
    char before[LOOP_PATH];
    if (!loop->settings.loop.ahead)
        return BANYAN_OK;
    loop_player_path(loop, generation - 1, before);
    remove(before);
    enum banyan_status status = ahead_keep(loop, generation, "best.safetensors", err);
    return status == BANYAN_OK ? ahead_keep(loop, generation + 1, "best.safetensors", err) : status;
}

enum banyan_status loop_ahead_publish(const struct loop *loop, struct banyan_error *err)
{
    if (!loop->settings.loop.ahead)
        return BANYAN_OK;
    return ahead_keep(loop, loop->now.generation + 2,
                      loop->now.published ? "candidate.safetensors" : "best.safetensors", err);
}
