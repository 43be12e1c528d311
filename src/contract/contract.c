/* What the checks of a game's contract share: guarded memory, the report, plain random play. */
#include "contract/contract.h"

#include <banyan/observe.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the report --- */

uint64_t contract_hash(const void *bytes, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
    for (size_t i = 0; i < size; ++i)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

/* Whether message is about a new promise: messages that differ only in numbers are about the same one. */
static bool contract_is_new(struct contract *c, const char *message)
{
    char bare[CONTRACT_MESSAGE];
    size_t length = 0;
    for (; *message; ++message)
        if (!strchr("0123456789.-+", *message))
            bare[length++] = *message;
    uint64_t hash = contract_hash(bare, length);
    for (int i = 0; i < c->faults; ++i)
        if (c->told[i] == hash)
            return false;
    c->told[c->faults] = hash;
    return true;
}

bool contract_stopped(const struct contract *c)
{
    return banyan_flag_is_set(c->options->stop);
}

static void contract_tell(struct contract *c, const char *message)
{
    char line[BANYAN_MESSAGE_MAX], place[64];
    if (c->faults == CONTRACT_FAULTS || contract_stopped(c) || !contract_is_new(c, message))
        return;
    snprintf(place, sizeof place, " (game %d, ply %d, seed %llu)", c->index, c->ply,
             (unsigned long long)c->options->seed);
    snprintf(line, sizeof line, "%s: %s%s", c->game->name, message, c->index < 0 ? "" : place);
    for (char *at = line; *at; ++at) /* one line of text, whatever the game wrote */
        if ((unsigned char)*at < ' ')
            *at = ' ';
    if (c->faults++ == 0)
        memcpy(c->first, line, sizeof line);
    if (c->options->report)
        c->options->report(c->options->ctx, line);
}

bool contract_check(struct contract *c, bool ok, const char *format, ...)
{
    if (ok)
        return true;
    char message[CONTRACT_MESSAGE];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    contract_tell(c, message);
    return false;
}

const struct banyan_game *contract_calls(const struct contract *c, const char *function)
{
    if (c->options->calls)
        c->options->calls(c->options->ctx, function, c->index, c->ply);
    return c->game;
}

bool contract_sometimes(struct contract *c, uint32_t n)
{
    return banyan_rng_below(&c->rng, n) == 0;
}

/* --- slots --- */

enum { GUARD_BYTE = 0xa5 };

bool contract_all(const void *bytes, int byte, size_t size)
{
    const unsigned char *at = bytes;
    unsigned char other = 0;
    for (size_t i = 0; i < size; ++i)
        other |= (unsigned char)(at[i] ^ byte);
    return other == 0;
}

void *contract_copy(struct contract *c, enum contract_slot to, const void *state)
{
    return memcpy(c->slot[to], state, c->game->state_size);
}

bool contract_same(const struct contract *c, const void *a, const void *b)
{
    return memcmp(a, b, c->game->state_size) == 0;
}

void *contract_soil(struct contract *c, enum contract_slot to, int byte)
{
    return memset(c->slot[to], byte, c->game->state_size);
}

/* Whether guard[CONTRACT_GUARD] is unchanged; if it is not, restores it. */
static bool contract_guarded(unsigned char *guard)
{
    bool whole = contract_all(guard, GUARD_BYTE, CONTRACT_GUARD);
    if (!whole)
        memset(guard, GUARD_BYTE, CONTRACT_GUARD);
    return whole;
}

void contract_check_guard(struct contract *c, enum contract_slot slot, const char *name)
{
    unsigned char *state = c->slot[slot];
    contract_check(c, contract_guarded(state - CONTRACT_GUARD), "%s wrote before the state", name);
    contract_check(c, contract_guarded(state + c->game->state_size),
                   "%s wrote past the end of the state", name);
}

void contract_mend_guards(struct contract *c, enum contract_slot slot)
{
    contract_guarded(c->slot[slot] - CONTRACT_GUARD);
    contract_guarded(c->slot[slot] + c->game->state_size);
}

void contract_keep(struct contract *c)
{
    contract_copy(c, SLOT_KEPT, c->slot[SLOT_STATE]);
}

void contract_check_kept(struct contract *c, const char *name)
{
    if (!contract_check(c, contract_same(c, c->slot[SLOT_KEPT], c->slot[SLOT_STATE]),
                        "%s changed the state, which it must only read", name))
        contract_copy(c, SLOT_STATE, c->slot[SLOT_KEPT]);
}

/* --- plain random play, with which rollouts are compared --- */

int contract_first(unsigned movers)
{
    int player = 0;
    while (movers && !(movers >> player & 1))
        ++player;
    return player;
}

int contract_legal(struct contract *c, const void *state, int player, banyan_action *out)
{
    int n = contract_calls(c, "legal")->legal(c->game, state, player, out),
        most = c->game->max_legal;
    return n < 0 ? 0 : n > most ? most : n;
}

void contract_returns(const struct contract *c, const void *final, float *out)
{
    float room[BANYAN_MAX_PLAYERS + CONTRACT_GUARD] = {0};
    contract_calls(c, "returns")->returns(c->game, final, room);
    memcpy(out, room, (size_t)c->game->players * sizeof *out);
}

void contract_choose(struct contract *c, const void *state, struct banyan_rng *rng,
                     banyan_action joint[])
{
    unsigned movers = contract_calls(c, "movers")->movers(c->game, state);
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p) {
        joint[p] = UINT64_MAX;
        if (p >= c->game->players || !(movers >> p & 1))
            continue;
        int n = contract_legal(c, state, p, c->actions);
        joint[p] = c->actions[n > 0 ? banyan_rng_below(rng, (uint32_t)n) : 0];
    }
}

/* Whether every mover is a player and has 1 to max_legal actions; if not, c->why says so. */
static bool contract_goes_on(struct contract *c, const void *state, unsigned movers)
{
    if (movers >> c->game->players)
        return snprintf(c->why, sizeof c->why,
                        "reaches a position where movers() is %#x, which names somebody who is no "
                        "player",
                        movers),
               false;
    for (int p = 0; p < c->game->players; ++p)
        if (movers >> p & 1) {
            int n = contract_calls(c, "legal")->legal(c->game, state, p, c->actions);
            if (n < 1 || n > c->game->max_legal)
                return snprintf(c->why, sizeof c->why, "reaches a position with %d legal actions",
                                n),
                       false;
        }
    return true;
}

int contract_play_out(struct contract *c, void *state, struct banyan_rng *rng)
{
    struct banyan_dice dice;
    banyan_action joint[BANYAN_MAX_PLAYERS];
    banyan_dice_drawn(&dice, rng);
    for (int ply = 0; ply <= c->game->max_plies && !c->endless; ++ply) {
        c->endless = ply == CONTRACT_PLIES;
        unsigned movers = contract_calls(c, "movers")->movers(c->game, state);
        if (movers == 0)
            return ply;
        if (!contract_goes_on(c, state, movers))
            return contract_stopped(c) ? ply : -1;
        contract_choose(c, state, rng, joint);
        contract_calls(c, "apply")->apply(c->game, state, joint, &dice);
        if (contract_stopped(c))
            return ply;
    }
    if (c->endless)
        snprintf(c->why, sizeof c->why, "does not end within %d moves", CONTRACT_PLIES);
    else
        snprintf(c->why, sizeof c->why, "is longer than max_plies, which is %d",
                 c->game->max_plies);
    return -1;
}

/* --- opening and closing --- */

size_t contract_planes(const struct banyan_game *game)
{
    return (size_t)game->planes[0] * (size_t)game->planes[1] * (size_t)game->planes[2];
}

static bool contract_open_slots(struct contract *c)
{
    size_t size = c->game->state_size + 2 * CONTRACT_GUARD;
    for (int s = 0; s < SLOTS; ++s) {
        unsigned char *memory = malloc(size);
        if (!memory)
            return false;
        memset(memory, GUARD_BYTE, size);
        c->slot[s] = memory + CONTRACT_GUARD; /* aligned as malloc's memory is */
    }
    return true;
}

bool contract_open(struct contract *c)
{
    const struct banyan_game *game = c->game;
    size_t legal = (size_t)game->max_legal + CONTRACT_ACTIONS, planes = contract_planes(game);
    size_t observation = (size_t)banyan_observation_size(game);
    planes = planes > observation ? planes : observation;
    for (const char *const *at = c->options->setups; at && *at; ++at)
        ++c->setup_count;
    bool whole = contract_open_slots(c);
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        whole = (c->legal[p] = malloc(legal * sizeof(banyan_action))) && whole;
    c->actions = malloc(legal * sizeof(banyan_action));
    c->mapped = malloc(legal * sizeof(banyan_action));
    c->text = calloc(1, BANYAN_TEXT_MAX + CONTRACT_GUARD);
    c->text_2 = calloc(1, BANYAN_TEXT_MAX + CONTRACT_GUARD);
    c->planes = malloc((planes + CONTRACT_GUARD) * sizeof(float));
    c->planes_2 = malloc((planes + CONTRACT_GUARD) * sizeof(float));
    c->priors = malloc(((size_t)game->max_legal + CONTRACT_GUARD) * sizeof(float));
    c->taken = malloc((size_t)game->policy_size + 1);
    c->seen = calloc(CONTRACT_KEYS, sizeof *c->seen);
    c->board = calloc(1, sizeof *c->board);
    c->board_2 = calloc(1, sizeof *c->board_2);
    return whole && c->board && c->board_2 && c->actions && c->mapped && c->text && c->text_2 &&
           c->planes && c->planes_2 && c->priors && c->taken && c->seen;
}

void contract_close(struct contract *c)
{
    for (int s = 0; s < SLOTS; ++s)
        if (c->slot[s])
            free(c->slot[s] - CONTRACT_GUARD);
    for (int p = 0; p < BANYAN_MAX_PLAYERS; ++p)
        free(c->legal[p]);
    free(c->actions);
    free(c->mapped);
    free(c->text);
    free(c->text_2);
    free(c->planes);
    free(c->planes_2);
    free(c->priors);
    free(c->taken);
    free(c->seen);
    free(c->board);
    free(c->board_2);
}
