/* Audits: a share of the games of workers is played again here.  A game is a function of the settings, the
 * network and its number, so that the bytes must be the same. */
#include "train/loop_state.h"

#include "base/rng.h"
#include "nn/checkpoint.h"
#include "train/job_settings.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double audit_share_suspicious = 0.5; /* of workers whose results were refused before */

struct loop_auditor {
    struct banyan_rng rng; /* random numbers that no worker can foresee */
    struct nn_net *net;
    char hash[JOB_HASH + 1]; /* of the network */
    /* the game that is audited */
    int64_t next; /* its number; -1: play_run has begun it */
    const struct record *record;
    bool same;
};

static struct loop_auditor *audit_open(struct loop *loop)
{
    struct timespec now;
    if (loop->auditor)
        return loop->auditor;
    loop->auditor = calloc(1, sizeof *loop->auditor);
    clock_gettime(CLOCK_REALTIME, &now);
    if (loop->auditor)
        banyan_rng_seed(&loop->auditor->rng,
                        rng_mix((uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec) ^
                            (uint64_t)getpid());
    return loop->auditor;
}

bool loop_audit_wants(struct loop *loop, const char *worker)
{
    /* the bytes of other backends depend on the machine */
    if (!loop->job->queue || strcmp(loop->settings.loop.backend, "plain") != 0 || !audit_open(loop))
        return false;
    double share = loop->job->audit;
    if (share > 0 && share < audit_share_suspicious && loop_workers_is_suspicious(loop, worker))
        share = audit_share_suspicious;
    return rng_unit(&loop->auditor->rng) < share;
}

/* --- playing --- */

/* Gets the network that plays the present generation. */
static enum banyan_status audit_network(struct loop *loop, struct banyan_error *err)
{
    struct loop_auditor *auditor = loop->auditor;
    char path[LOOP_PATH];
    if (strcmp(auditor->hash, loop->games.network) == 0)
        return BANYAN_OK;
    nn_net_free(auditor->net);
    auditor->net = NULL;
    auditor->hash[0] = 0;
    loop_player_path(loop, loop->games.generation, path);
    enum banyan_status status = nn_net_read(&auditor->net, path, NULL, err);
    if (status == BANYAN_OK)
        memcpy(auditor->hash, loop->games.network, sizeof auditor->hash);
    return status;
}

static int64_t audit_next(void *ctx, bool idle)
{
    (void)idle;
    struct loop_auditor *auditor = ctx;
    int64_t number = auditor->next;
    auditor->next = -1;
    return number;
}

static enum banyan_status audit_compare(void *ctx, struct record *record, struct banyan_error *err)
{
    struct loop_auditor *auditor = ctx;
    unsigned char *ours = NULL, *theirs = NULL;
    size_t our_size, their_size;
    enum banyan_status status = record_pack(record, &ours, &our_size, err);
    if (status == BANYAN_OK)
        status = record_pack(auditor->record, &theirs, &their_size, err);
    auditor->same =
        status == BANYAN_OK && our_size == their_size && memcmp(ours, theirs, our_size) == 0;
    free(ours);
    free(theirs);
    return status;
}

enum banyan_status loop_audit(struct loop *loop, const struct record *record,
                              struct banyan_error *err)
{
    struct loop_auditor *auditor = loop->auditor;
    struct play_totals totals;
    enum banyan_status status = audit_network(loop, err);
    if (status != BANYAN_OK)
        return status;
    struct loop_settings settings = loop->settings;
    settings.play.threads = settings.play.at_once = 1;
    struct play_job job =
        job_settings_play(loop->game, &settings, auditor->net, record->generation);
    job.stop = loop->job->stop;
    job.next = audit_next;
    job.deliver = audit_compare;
    job.ctx = auditor;
    auditor->next = record->number;
    auditor->record = record;
    status = play_run(&job, &totals, err);
    if (status != BANYAN_OK || auditor->same)
        return status;
    return banyan_fail(err, BANYAN_ILLEGAL,
                       "game %lld of generation %lld is not what comes of playing it again",
                       (long long)record->number + 1, (long long)record->generation);
}

void loop_audit_free(struct loop *loop)
{
    if (loop->auditor)
        nn_net_free(loop->auditor->net);
    free(loop->auditor);
    loop->auditor = NULL;
}
