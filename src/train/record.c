/* A game as bytes: numbers of variable length, in groups of seven bits. */
#include "train/record.h"

#include <stdlib.h>
#include <string.h>

enum { RECORD_VERSION = 1, RECORD_LIMIT = 1 << 24 };

void record_clear(struct record *record)
{
    free(record->start);
    record->start = NULL;
    record->generation = record->number = 0;
    record->resigned = false;
    memset(record->returns, 0, sizeof record->returns);
    record->choice_count = record->action_count = record->die_count = 0;
}

void record_free(struct record *record)
{
    free(record->start);
    free(record->choices);
    free(record->actions);
    free(record->weights);
    free(record->dice);
    memset(record, 0, sizeof *record);
}

static bool record_grow(void **block, int count, size_t size)
{
    void *more = realloc(*block, (size_t)count * size);
    if (more)
        *block = more;
    return more != NULL;
}

bool record_add_choice(struct record *record, const struct record_choice *choice)
{
    if (record->choice_count == record->choice_room) {
        int room = 2 * record->choice_room + 64;
        if (!record_grow((void **)&record->choices, room, sizeof *record->choices))
            return false;
        record->choice_room = room;
    }
    record->choices[record->choice_count++] = *choice;
    return true;
}

bool record_add_action(struct record *record, banyan_action action, uint32_t weight)
{
    if (record->action_count == record->action_room) {
        int room = 2 * record->action_room + 256;
        if (!record_grow((void **)&record->actions, room, sizeof *record->actions) ||
            !record_grow((void **)&record->weights, room, sizeof *record->weights))
            return false;
        record->action_room = room;
    }
    record->actions[record->action_count] = action;
    record->weights[record->action_count++] = weight;
    return true;
}

bool record_add_die(struct record *record, const struct banyan_die *die)
{
    if (record->die_count == record->die_room) {
        int room = 2 * record->die_room + 64;
        if (!record_grow((void **)&record->dice, room, sizeof *record->dice))
            return false;
        record->die_room = room;
    }
    record->dice[record->die_count++] = *die;
    return true;
}

/* --- writing --- */

struct bytes {
    unsigned char *at;
    size_t size, room;
    bool failed;
};

static void bytes_add(struct bytes *bytes, const void *from, size_t size)
{
    if (bytes->size + size > bytes->room) {
        size_t room = 2 * (bytes->room + size) + 256;
        unsigned char *more = realloc(bytes->at, room);
        if (!more) {
            bytes->failed = true;
            return;
        }
        bytes->at = more;
        bytes->room = room;
    }
    if (size)
        memcpy(bytes->at + bytes->size, from, size);
    bytes->size += size;
}

static void bytes_number(struct bytes *bytes, uint64_t value)
{
    unsigned char out[10];
    size_t n = 0;
    do {
        out[n] = (unsigned char)((value & 127) | (value > 127 ? 128 : 0));
        ++n;
    } while ((value >>= 7) != 0);
    bytes_add(bytes, out, n);
}

static void bytes_real(struct bytes *bytes, float value)
{
    uint32_t bits;
    unsigned char out[4];
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 4; ++i)
        out[i] = (unsigned char)(bits >> 8 * i);
    bytes_add(bytes, out, 4);
}

/* A code in which small negative numbers are short. */
static uint64_t bytes_zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0);
}

enum banyan_status record_pack(const struct record *record, unsigned char **out, size_t *size,
                               struct banyan_error *err)
{
    struct bytes bytes = {NULL, 0, 0, false};
    size_t start = record->start ? strlen(record->start) : 0;
    bytes_number(&bytes, RECORD_VERSION);
    bytes_number(&bytes, (uint64_t)record->generation);
    bytes_number(&bytes, (uint64_t)record->number);
    bytes_number(&bytes, start);
    bytes_add(&bytes, record->start, start);
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        bytes_real(&bytes, record->returns[p]);
    bytes_number(&bytes, record->resigned);
    bytes_number(&bytes, (uint64_t)record->choice_count);
    for (int i = 0; i < record->choice_count; ++i) {
        const struct record_choice *choice = &record->choices[i];
        bytes_number(&bytes, choice->action);
        bytes_real(&bytes, choice->value);
        bytes_number(&bytes, (unsigned)choice->player * 2u + choice->taught);
        bytes_number(&bytes, (uint64_t)choice->count);
        for (int j = choice->first; j < choice->first + choice->count; ++j) {
            bytes_number(&bytes, record->actions[j]);
            bytes_number(&bytes, record->weights[j]);
        }
    }
    bytes_number(&bytes, (uint64_t)record->die_count);
    for (int i = 0; i < record->die_count; ++i) {
        bytes_number(&bytes, bytes_zigzag(record->dice[i].kind));
        bytes_number(&bytes, bytes_zigzag(record->dice[i].sides));
        bytes_number(&bytes, bytes_zigzag(record->dice[i].value));
    }
    *out = bytes.at;
    *size = bytes.size;
    if (!bytes.failed)
        return BANYAN_OK;
    free(bytes.at);
    *out = NULL;
    return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game record");
}

/* --- reading --- */

struct take {
    const unsigned char *at, *end;
    bool failed;  /* the record cannot be read */
    bool refused; /* because there is no memory */
};

static void take_room(struct take *take, bool added)
{
    take->refused |= !added;
    take->failed |= !added;
}

static uint64_t take_number(struct take *take, uint64_t max)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        if (take->at == take->end)
            break;
        unsigned char byte = *take->at++;
        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128)) {
            take->failed |= value > max;
            return value > max ? 0 : value;
        }
    }
    take->failed = true;
    return 0;
}

static float take_real(struct take *take)
{
    uint32_t bits = 0;
    float value;
    if (take->end - take->at < 4) {
        take->failed = true;
        return 0;
    }
    for (int i = 0; i < 4; ++i)
        bits |= (uint32_t)*take->at++ << 8 * i;
    memcpy(&value, &bits, sizeof value);
    take->failed |= !(value >= -1e30f && value <= 1e30f); /* rejects NaN, too */
    return value;
}

static int64_t take_signed(struct take *take, uint64_t magnitude)
{
    uint64_t value = take_number(take, 2 * magnitude + 1);
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

static void take_choice(struct take *take, struct record *record)
{
    struct record_choice choice = {.action = take_number(take, UINT64_MAX)};
    choice.value = take_real(take);
    unsigned who = (unsigned)take_number(take, 2 * BANYAN_MAX_PLAYERS - 1);
    choice.player = (uint8_t)(who / 2);
    choice.taught = who & 1;
    choice.first = record->action_count;
    choice.count = (int)take_number(take, RECORD_LIMIT);
    for (int i = 0; i < choice.count && !take->failed; ++i) {
        banyan_action action = take_number(take, UINT64_MAX);
        uint32_t weight = (uint32_t)take_number(take, UINT32_MAX);
        take_room(take, record_add_action(record, action, weight));
    }
    take_room(take, record_add_choice(record, &choice));
}

static void take_die(struct take *take, struct record *record)
{
    struct banyan_die die;
    die.kind = (int16_t)take_signed(take, INT16_MAX);
    die.sides = (int16_t)take_signed(take, INT16_MAX);
    die.value = (int32_t)take_signed(take, INT32_MAX);
    take_room(take, record_add_die(record, &die));
}

enum banyan_status record_unpack(struct record *record, const unsigned char *bytes, size_t size,
                                 struct banyan_error *err)
{
    struct take take = {.at = bytes, .end = bytes + size};
    record_clear(record);
    uint64_t version = take_number(&take, UINT64_MAX);
    if (version != RECORD_VERSION)
        return banyan_fail(err, BANYAN_UNSUPPORTED,
                           "a game record of version %llu; this program knows version %d",
                           (unsigned long long)version, RECORD_VERSION);
    record->generation = (int64_t)take_number(&take, INT64_MAX);
    record->number = (int64_t)take_number(&take, INT64_MAX);
    size_t start = (size_t)take_number(&take, BANYAN_TEXT_MAX);
    if (take.failed || (size_t)(take.end - take.at) < start || memchr(take.at, 0, start))
        return banyan_fail(err, BANYAN_CORRUPT, "a game record is damaged");
    record->start = calloc(1, start + 1);
    if (!record->start)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game record");
    memcpy(record->start, take.at, start);
    take.at += start;
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        record->returns[p] = take_real(&take);
    record->resigned = take_number(&take, 1) != 0;
    int choices = (int)take_number(&take, RECORD_LIMIT);
    for (int i = 0; i < choices && !take.failed; ++i)
        take_choice(&take, record);
    int dice = (int)take_number(&take, RECORD_LIMIT);
    for (int i = 0; i < dice && !take.failed; ++i)
        take_die(&take, record);
    if (take.refused)
        return banyan_fail(err, BANYAN_NO_MEMORY, "no memory for a game record");
    if (take.failed || take.at != take.end)
        return banyan_fail(err, BANYAN_CORRUPT, "a game record is damaged");
    return BANYAN_OK;
}
