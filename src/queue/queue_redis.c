/* The queue in a Redis server: opening it, looking at it, and what its files share. */
#include "queue/queue_redis.h"

#include "queue/queue_kinds.h"

#include "base/clock.h"
#include "base/rng.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Takes a job.  Keys: run, jobs, done, bad; arguments: worker, how many leases may end, kinds of jobs
 * ("": any).  Leases that are over are looked for a few times a second by all workers together: `run`
 * has the time of the next look, and how far the present one has come; a worker for whom there is no
 * new job looks at once.  Jobs of other kinds that stand before the first one that fits go to the end
 * of the stream, as if they had not been taken; if fewer than 1,000 jobs wait and none of them fits,
 * they stay where they are.  Answers {"job", id, number, deliveries of the entry, deliveries before,
 * bytes}, {"wait", ms until a lease may end}, {"full"}, {"others"} (no job of these kinds was found),
 * {"absent"}, or {mode}. */
static const char script_take[] =
    "local run, jobs, done, bad = unpack(KEYS)\n"
    "local me, most, kinds = ARGV[1], tonumber(ARGV[2]), ARGV[3]\n"
    "local function field(values, name)\n"
    "  for i = 1, #values, 2 do if values[i] == name then return values[i + 1] end end\n"
    "  return ''\n"
    "end\n"
    "local function job(entry, count)\n"
    "  local v = entry[2]\n"
    "  return {'job', entry[1], field(v, 'n'), count, tonumber(field(v, 'd')) or 0, field(v, "
    "'b')}\n"
    "end\n"
    "local function fits(bytes)\n"
    "  local kind = string.match(bytes, '^%S*')\n"
    "  return kinds == '' or string.find(',' .. kinds .. ',', ',' .. kind .. ',', 1, true)\n"
    "end\n"
    "local function some_fit()\n"
    "  local last = '0-0'\n"
    "  for _, group in ipairs(redis.call('XINFO', 'GROUPS', jobs)) do\n"
    "    if field(group, 'name') == 'w' then last = field(group, 'last-delivered-id') end\n"
    "  end\n"
    "  local waiting = redis.call('XRANGE', jobs, '(' .. last, '+', 'COUNT', 1000)\n"
    "  for _, entry in ipairs(waiting) do\n"
    "    if fits(field(entry[2], 'b')) then return true end\n"
    "  end\n"
    "  return #waiting == 1000\n"
    "end\n"
    "local function leave(found)\n"
    "  redis.call('XACK', jobs, 'w', found[2])\n"
    "  redis.call('XDEL', jobs, found[2])\n"
    "  redis.call('XADD', jobs, '*', 'n', found[3], 'b', found[6], 'd', found[4] + found[5] - 1)\n"
    "end\n"
    "local state = redis.call('HMGET', run, 'mode', 'lease_ms', 'limit', 'look_ms', 'looked')\n"
    "if not (state[1] and state[2] and state[3]) then return {'absent'} end\n"
    "if state[1] ~= 'open' then return {state[1]} end\n"
    "if redis.call('XLEN', done) >= tonumber(state[3]) then return {'full'} end\n"
    "local lease, at = tonumber(state[2]), state[5] or '0-0'\n"
    "local pause = math.min(250, math.floor(lease / 10))\n"
    "local function judge(entry)\n"
    "  local taken = redis.call('XPENDING', jobs, 'w', entry[1], entry[1], 1)[1][4]\n"
    "  local found = job(entry, taken)\n"
    "  if not fits(found[6]) then\n"
    "    leave(found)\n"
    "  elseif taken + found[5] <= most then\n"
    "    return found\n"
    "  else\n"
    "    redis.call('XADD', done, '*', 'n', found[3], 'w', me, 'g', '1')\n"
    "    redis.call('XADD', bad, 'MAXLEN', '~', 1000, '*', 'n', found[3], 'w', me,\n"
    "      'why', 'its lease ended ' .. most .. ' times')\n"
    "    redis.call('XACK', jobs, 'w', entry[1])\n"
    "    redis.call('XDEL', jobs, entry[1])\n"
    "  end\n"
    "end\n"
    "local function look(now)\n"
    "  local found\n"
    "  for i = 1, 20 do\n"
    "    local claimed = redis.pcall('XAUTOCLAIM', jobs, 'w', me, lease, at, 'COUNT', 1)\n"
    "    if claimed.err then return {'absent'} end\n"
    "    at = claimed[1]\n"
    "    found = claimed[2][1] and judge(claimed[2][1])\n"
    "    if found or at == '0-0' then break end\n"
    "  end\n"
    "  redis.call('HSET', run, 'looked', at, 'look_ms', now + pause)\n"
    "  return found\n"
    "end\n"
    "local time = redis.call('TIME')\n"
    "local now, next = time[1] * 1000 + math.floor(time[2] / 1000), tonumber(state[4]) or 0\n"
    "local due = at ~= '0-0' or now >= next or next > now + pause\n"
    "local found = due and look(now)\n"
    "if found then return found end\n"
    "if kinds ~= '' and not some_fit() then return {'others'} end\n"
    "for i = 1, kinds == '' and 1 or math.min(redis.call('XLEN', jobs), 200) do\n"
    "  local fresh = redis.pcall('XREADGROUP', 'GROUP', 'w', me, 'COUNT', 1, 'STREAMS', jobs, "
    "'>')\n"
    "  if fresh and fresh.err then return {'absent'} end\n"
    "  if not fresh then break end\n"
    "  found = job(fresh[1][2][1], 1)\n"
    "  if fits(found[6]) then return found end\n"
    "  leave(found)\n"
    "end\n"
    "if kinds ~= '' then return {'others'} end\n"
    "found = not due and look(now)\n"
    "if found then return found end\n"
    "local least = lease\n"
    "for _, p in ipairs(redis.call('XPENDING', jobs, 'w', '-', '+', 100)) do\n"
    "  least = math.min(least, math.max(0, lease - p[3]))\n"
    "end\n"
    "return {'wait', least}\n";

/* Renews a lease, or returns the job.  Key: jobs; arguments: worker, id, deliveries, "renew" or
 * "release".  Answers 1, or 0 if the lease is no longer this worker's. */
static const char script_keep[] =
    "local jobs, me, id = KEYS[1], ARGV[1], ARGV[2]\n"
    "local p = redis.pcall('XPENDING', jobs, 'w', id, id, 1)\n"
    "if p.err or not p[1] or p[1][2] ~= me or p[1][4] ~= tonumber(ARGV[3]) then return 0 end\n"
    "if ARGV[4] == 'renew' then\n"
    "  redis.call('XCLAIM', jobs, 'w', me, 0, id, 'JUSTID')\n"
    "  return 1\n"
    "end\n"
    "local entry = redis.call('XRANGE', jobs, id, id)[1]\n"
    "if not entry then return 0 end\n"
    "local f, values = {d = '0'}, entry[2]\n"
    "for i = 1, #values, 2 do f[values[i]] = values[i + 1] end\n"
    "redis.call('XACK', jobs, 'w', id)\n"
    "redis.call('XDEL', jobs, id)\n"
    "redis.call('XADD', jobs, '*', 'n', f.n, 'b', f.b, 'd', f.d + ARGV[3] - 1)\n"
    "return 1\n";

/* Makes or keeps this process the owner for some time; 0 ms: it is no longer the owner.  Keys:
 * owner, run; arguments: its name, ms, the name of an owner who is dead, 1 if this process has been
 * the owner: then it stays the owner only if `run` does not name another process.  Answers {name of
 * another owner, or "", 1 if nobody was the owner}. */
static const char script_own[] =
    "local other = redis.call('GET', KEYS[1])\n"
    "if other and other ~= ARGV[1] and other ~= ARGV[3] then return {other, 0} end\n"
    "local last = redis.call('HGET', KEYS[2], 'owner')\n"
    "if ARGV[4] == '1' and not other and last and last ~= ARGV[1] then return {last, 1} end\n"
    "if ARGV[2] == '0' then redis.call('DEL', KEYS[1]) else\n"
    "  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end\n"
    "return {'', other and 0 or 1}\n";

/* The numbers of entries.  Key: a stream; arguments: the first id, how many.  Answers {last id, number,
 * ...}. */
static const char script_numbers[] =
    "local out = {''}\n"
    "for i, entry in ipairs(redis.call('XRANGE', KEYS[1], ARGV[1], '+', 'COUNT', ARGV[2])) do\n"
    "  out[1], out[i + 1] = entry[1], '0'\n"
    "  local v = entry[2]\n"
    "  for j = 1, #v, 2 do if v[j] == 'n' then out[i + 1] = v[j + 1] end end\n"
    "end\n"
    "return out\n";

/* Deletes jobs.  Key: jobs; arguments: their numbers. */
static const char script_withdraw[] =
    "local unwanted = {}\n"
    "for i = 1, #ARGV do unwanted[ARGV[i]] = true end\n"
    "for i, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+')) do\n"
    "  local v = entry[2]\n"
    "  for j = 1, #v, 2 do if v[j] == 'n' and unwanted[v[j + 1]] then\n"
    "    redis.call('XACK', KEYS[1], 'w', entry[1])\n"
    "    redis.call('XDEL', KEYS[1], entry[1])\n"
    "  end end\n"
    "end\n"
    "return 1\n";

static const char *const scripts[] = {script_take,    script_keep,     script_own,
                                      script_numbers, script_withdraw, NULL};

/* --- what the files share --- */

enum banyan_status redis_no_memory(struct banyan_error *err)
{
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a queue");
}

int64_t redis_number(const redisReply *reply)
{
    if (reply->type == REDIS_REPLY_INTEGER)
        return reply->integer;
    return reply->type == REDIS_REPLY_STRING ? (int64_t)strtoull(reply->str, NULL, 10) : 0;
}

const redisReply *redis_field(const redisReply *fields, const char *name)
{
    for (size_t i = 0; fields->type == REDIS_REPLY_ARRAY && i + 1 < fields->elements; i += 2)
        if (fields->element[i]->type == REDIS_REPLY_STRING &&
            strcmp(fields->element[i]->str, name) == 0)
            return fields->element[i + 1];
    return NULL;
}

struct redis_item *redis_item_create(const char *id, const redisReply *number,
                                     const redisReply *bytes)
{
    size_t length = bytes && bytes->type == REDIS_REPLY_STRING ? (size_t)bytes->len : 0;
    struct redis_item *item = calloc(1, sizeof *item + length);
    if (!item)
        return NULL;
    snprintf(item->id, sizeof item->id, "%s", id);
    if (length)
        memcpy(item->bytes, bytes->str, length);
    item->item = (struct queue_item){.number = number ? (uint64_t)redis_number(number) : 0,
                                     .bytes = item->bytes,
                                     .length = length,
                                     .worker = item->worker};
    return item;
}

void redis_item_unlink(struct redis_item **list, struct redis_item *item)
{
    while (*list && *list != item)
        list = &(*list)->next;
    if (*list)
        *list = item->next;
}

void redis_items_free(struct redis_item *list)
{
    while (list) {
        struct redis_item *next = list->next;
        free(list);
        list = next;
    }
}

enum queue_mode redis_mode(const char *name)
{
    enum queue_mode mode = QUEUE_OVER;
    while (mode != QUEUE_OPEN && strcmp(name, queue_mode_name(mode)) != 0)
        --mode;
    return mode;
}

/* --- looking --- */

static enum banyan_status redis_report(struct queue *base, const char *text,
                                       struct banyan_error *err)
{
    struct redis_queue *queue = (struct redis_queue *)base;
    struct redis_pipe pipe = {0};
    redis_pipe_add(&pipe, "SET %sw:%s %s EX 30", queue->prefix, queue->name, text);
    return redis_do(queue->link, &pipe, err);
}

/* redis_keys calls such a function for every key that starts with the queue's prefix and `begin`. */
typedef enum banyan_status redis_key_fn(void *ctx, struct redis_queue *queue, const char *key,
                                        struct banyan_error *err);

static enum banyan_status redis_keys(struct redis_queue *queue, const char *begin,
                                     redis_key_fn *each, void *ctx, struct banyan_error *err)
{
    char cursor[32] = "0";
    enum banyan_status status;
    do {
        struct redis_pipe pipe = {0};
        struct redis_answers answers;
        redis_pipe_add(&pipe, "SCAN %s MATCH %s%s* COUNT 1000", cursor, queue->prefix, begin);
        status = redis_run(queue->link, &pipe, &answers, err);
        if (status == BANYAN_OK)
            status = redis_check(queue->link, &answers, err);
        const redisReply *keys = NULL;
        if (status == BANYAN_OK) {
            snprintf(cursor, sizeof cursor, "%s", answers.at[0]->element[0]->str);
            keys = answers.at[0]->element[1];
        }
        for (size_t i = 0; status == BANYAN_OK && i < keys->elements; ++i)
            status = each(ctx, queue, keys->element[i]->str, err);
        redis_answers_free(&answers);
    } while (status == BANYAN_OK && strcmp(cursor, "0") != 0);
    return status;
}

struct redis_workers {
    int64_t count;
    queue_worker_fn *each;
    void *ctx;
};

static enum banyan_status redis_see_worker(void *ctx, struct redis_queue *queue, const char *key,
                                           struct banyan_error *err)
{
    struct redis_workers *workers = ctx;
    struct redis_pipe pipe = {0};
    struct redis_answers answers;
    if (!workers->each) {
        ++workers->count;
        return BANYAN_OK;
    }
    redis_pipe_add(&pipe, "GET %s", key);
    enum banyan_status status = redis_run(queue->link, &pipe, &answers, err);
    if (status == BANYAN_OK && answers.at[0]->type == REDIS_REPLY_STRING) {
        ++workers->count;
        workers->each(workers->ctx, key + strlen(queue->prefix) + 2, answers.at[0]->str);
    }
    redis_answers_free(&answers);
    return status;
}

/* Reads the counts from the answers to redis_count's commands. */
static void redis_read_counts(const struct redis_answers *answers, struct queue_counts *out)
{
    const redisReply *mode = answers->at[0], *pending = answers->at[2], *oldest = answers->at[3];
    *out = (struct queue_counts){.waiting = redis_number(answers->at[1]),
                                 .given = redis_number(answers->at[4]),
                                 .bad = redis_number(answers->at[5])};
    out->mode = mode->type == REDIS_REPLY_STRING ? redis_mode(mode->str) : QUEUE_OVER;
    if (pending->type == REDIS_REPLY_ARRAY && pending->elements > 0)
        out->leased = redis_number(pending->element[0]);
    out->waiting -= out->leased < out->waiting ? out->leased : out->waiting;
    for (size_t i = 0; oldest->type == REDIS_REPLY_ARRAY && i < oldest->elements; ++i) {
        double idle_ms = (double)redis_number(oldest->element[i]->element[2]);
        if (idle_ms > out->oldest_lease_ms)
            out->oldest_lease_ms = idle_ms;
    }
}

static enum banyan_status redis_count(struct queue *base, struct queue_counts *out,
                                      queue_worker_fn *each, void *ctx, struct banyan_error *err)
{
    struct redis_queue *queue = (struct redis_queue *)base;
    struct redis_workers workers = {.each = each, .ctx = ctx};
    struct redis_pipe pipe = {0};
    struct redis_answers answers;
    const char *p = queue->prefix;
    redis_pipe_add(&pipe, "HGET %srun mode", p);
    redis_pipe_add(&pipe, "XLEN %sjobs", p);
    redis_pipe_add(&pipe, "XPENDING %sjobs w", p);
    redis_pipe_add(&pipe, "XPENDING %sjobs w - + 1000", p);
    redis_pipe_add(&pipe, "XLEN %sdone", p);
    redis_pipe_add(&pipe, "XLEN %sbad", p);
    enum banyan_status status = redis_run(queue->link, &pipe, &answers, err);
    if (status == BANYAN_OK)
        redis_read_counts(&answers, out);
    redis_answers_free(&answers);
    if (status == BANYAN_OK)
        status = redis_keys(queue, "w:", redis_see_worker, &workers, err);
    out->workers = workers.count;
    return status;
}

/* --- changing --- */

static enum banyan_status redis_delete_key(void *ctx, struct redis_queue *queue, const char *key,
                                           struct banyan_error *err)
{
    (void)ctx;
    struct redis_pipe pipe = {0};
    redis_pipe_add(&pipe, "UNLINK %s", key);
    return redis_do(queue->link, &pipe, err);
}

enum banyan_status redis_delete(struct redis_queue *queue, const char *begin,
                                struct banyan_error *err)
{
    return redis_keys(queue, begin, redis_delete_key, NULL, err);
}

static enum banyan_status redis_clear(struct queue *base, struct banyan_error *err)
{
    struct redis_queue *queue = (struct redis_queue *)base;
    if (queue->owner)
        redis_owner_forget(queue);
    return redis_delete(queue, "", err);
}

static enum banyan_status redis_set_mode(struct queue *base, enum queue_mode mode,
                                         struct banyan_error *err)
{
    struct redis_queue *queue = (struct redis_queue *)base;
    struct redis_pipe look = {0}, pipe = {0};
    struct redis_answers answers;
    if (queue->owner)
        return redis_owner_set_mode(queue, mode, err);
    redis_pipe_add(&look, "EXISTS %srun", queue->prefix);
    enum banyan_status status = redis_run(queue->link, &look, &answers, err);
    if (status != BANYAN_OK)
        return status;
    bool there = redis_number(answers.at[0]) == 1;
    redis_answers_free(&answers);
    if (!there)
        return banyan_fail(err, BANYAN_NOT_FOUND, "there is no queue '%s' at %s",
                           redis_link_name(queue->link), redis_link_shown(queue->link));
    redis_pipe_add(&pipe, "HSET %srun mode %s", queue->prefix, queue_mode_name(mode));
    if (mode == QUEUE_OVER)
        redis_pipe_add(&pipe, "DEL %sjobs", queue->prefix);
    return redis_do(queue->link, &pipe, err);
}

/* --- opening, closing --- */

static void redis_close(struct queue *base)
{
    struct redis_queue *queue = (struct redis_queue *)base;
    if (queue->link)
        redis_link_hurry(queue->link);
    redis_owner_close(queue);
    redis_link_close(queue->link);
    redis_items_free(queue->taken);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
}

static const struct queue_functions redis_functions = {
    .offer = redis_offer,
    .offer_later = redis_offer_later,
    .withdraw = redis_withdraw,
    .take = redis_take,
    .renew = redis_renew,
    .renew_all = redis_renew_all,
    .release = redis_release,
    .give = redis_give,
    .fetch = redis_fetch,
    .acknowledge = redis_acknowledge,
    .acknowledge_later = redis_acknowledge_later,
    .put = redis_put,
    .get = redis_get,
    .drop = redis_drop,
    .report = redis_report,
    .set_mode = redis_set_mode,
    .count = redis_count,
    .inspect = redis_inspect,
    .clear = redis_clear,
    .close = redis_close,
};

/* Eight digits that are the same for processes that see each other: those that run since the same
 * boot of a machine, in the same container. */
static void redis_name_machine(char out[9])
{
    char text[256] = "", hash[QUEUE_HASH + 1];
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    size_t length = file ? fread(text, 1, 64, file) : 0;
    if (file)
        fclose(file);
    ssize_t more = readlink("/proc/self/ns/pid", text + length, sizeof text - length);
    queue_hash(text, length + (more > 0 ? (size_t)more : 0), hash);
    snprintf(out, 9, "%.8s", hash);
}

/* Makes the name of a worker, "HOST-PROCESS-RANDOM", or of an owner, "HOST-MACHINE-PROCESS-RANDOM",
 * from which other processes know whether they can see the owner's process. */
static void redis_make_name(char out[QUEUE_NAME + 1], enum queue_role role)
{
    char host[48] = "";
    enum { HOST = 32 };
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    gethostname(host, HOST);
    for (char *at = host; *at; ++at)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._", *at))
            *at = '_';
    size_t length = strlen(host);
    if (role == QUEUE_OWNER) {
        host[length++] = '-';
        redis_name_machine(host + length);
    }
    uint64_t random = rng_mix((uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec +
                              ((uint64_t)getpid() << 40));
    snprintf(out, QUEUE_NAME + 1, "%s-%d-%06x", host, (int)getpid(), (unsigned)(random >> 40));
}

/* Refuses a queue whose owner is a program with another protocol. */
static enum banyan_status redis_check_protocol(struct redis_queue *queue, struct banyan_error *err)
{
    struct redis_pipe pipe = {0};
    struct redis_answers answers;
    redis_pipe_add(&pipe, "HGET %srun protocol", queue->prefix);
    enum banyan_status status = redis_run(queue->link, &pipe, &answers, err);
    if (status != BANYAN_OK)
        return status;
    const redisReply *found = answers.at[0];
    if (found->type == REDIS_REPLY_STRING && redis_number(found) != REDIS_PROTOCOL)
        status = banyan_fail(err, BANYAN_UNSUPPORTED,
                             "the queue '%s' at %s has protocol %s, this program has %d: the same "
                             "version on all machines, or `banyan queue clear`",
                             redis_link_name(queue->link), redis_link_shown(queue->link),
                             found->str, REDIS_PROTOCOL);
    redis_answers_free(&answers);
    return status;
}

enum banyan_status queue_redis_open(struct queue **out, const char *url,
                                    const struct queue_settings *settings, struct banyan_error *err)
{
    struct redis_queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return redis_no_memory(err);
    queue->queue.can = &redis_functions;
    queue->queue.stop = settings->stop;
    queue->lease_ms = settings->lease_ms;
    queue->limit = settings->limit;
    snprintf(queue->kinds, sizeof queue->kinds, "%s", settings->kinds ? settings->kinds : "");
    pthread_mutex_init(&queue->lock, NULL);
    if (settings->name)
        snprintf(queue->name, sizeof queue->name, "%s", settings->name);
    else
        redis_make_name(queue->name, settings->role);
    enum banyan_status status = redis_link_open(&queue->link, url, settings, scripts, err);
    if (status == BANYAN_OK) {
        queue->prefix = redis_link_prefix(queue->link);
        if (settings->role != QUEUE_VISITOR)
            status = redis_check_protocol(queue, err);
    }
    if (status == BANYAN_OK && settings->role == QUEUE_OWNER)
        status = redis_owner_open(queue, err);
    if (status == BANYAN_OK)
        *out = &queue->queue;
    else
        redis_close(&queue->queue);
    return status;
}
