/* The contract: the functions that count actions must count those that legal() names. */
#include "contract/contract.h"

void contract_check_legal_count(struct contract *c, const void *state, int player)
{
    int said = contract_calls(c, "legal_count")->legal_count(c->game, state, player);
    contract_check(c, said == c->count[player], "legal_count() is %d, legal() names %d actions",
                   said, c->count[player]);
}

/* The number of actions that legal() names for all movers of state; adds 1 to *ended if nobody moves. */
static uint64_t counts_of_movers(struct contract *c, const void *state, int *ended)
{
    unsigned movers = contract_calls(c, "movers")->movers(c->game, state);
    uint64_t count = 0;
    for (int p = 0; p < c->game->players; ++p)
        if (movers >> p & 1)
            count += (uint64_t)contract_legal(c, state, p, c->actions);
    *ended += movers == 0;
    return count;
}

/* What legal_count_after() must return, by apply() and legal(). */
static uint64_t counts_after(struct contract *c, const void *state, int player, int *ended)
{
    banyan_action joint[BANYAN_MAX_PLAYERS] = {0};
    struct banyan_rng luck = c->rng;
    struct banyan_dice dice;
    uint64_t count = 0;
    banyan_dice_drawn(&dice, &luck); /* for an apply() that breaks its promise not to need dice */
    for (int i = 0; i < c->count[player]; ++i) {
        void *next = contract_copy(c, SLOT_COPY, state);
        joint[player] = c->legal[player][i];
        contract_calls(c, "apply")->apply(c->game, next, joint, &dice);
        count += counts_of_movers(c, next, ended);
    }
    return count;
}

void contract_check_legal_count_after(struct contract *c, const void *state, int player)
{
    int said_ended = -1, ended = 0;
    uint64_t said = contract_calls(c, "legal_count_after")
                        ->legal_count_after(c->game, state, player, &said_ended);
    uint64_t count = counts_after(c, state, player, &ended);
    contract_check(c, said == count,
                   "legal_count_after() is %llu, legal() names %llu actions after all actions",
                   (unsigned long long)said, (unsigned long long)count);
    contract_check(c, said_ended == ended,
                   "legal_count_after() says that %d actions end the game, and %d do", said_ended,
                   ended);
}
