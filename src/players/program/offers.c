/* The evaluators and players of the program that are not in the library: networks, outside
 * programs, and the user. */
#include "players/program/offers.h"

#include "players/program/net.h"

#define OFFERS_NET                                                                              \
    {                                                                                           \
        "net", "FILE,backend=NAME,...",                                                         \
            "a network from a file; as a player: mcts with this network, and with the options " \
            "of mcts",                                                                          \
            net_evaluator_create, net_player_create                                             \
    }

const struct banyan_offer program_offers_inside[] = {OFFERS_NET, {0}};

const struct banyan_offer program_offers[] = {
    OFFERS_NET,
    {"exec", "CMD", "an outside program (docs/protocol.md); exec:gtp:CMD for one that speaks GTP",
     NULL, player_exec_create},
    {"human", "", "you, at this terminal", NULL, player_human_create},
    {0},
};
