/* The evaluators and players of the program that are not in the library: networks, outside
 * programs, and the user. */
#include "players/program/offers.h"

#include "players/program/net.h"

const struct banyan_offer program_offers[] = {
    {"net", "FILE,backend=NAME,...",
     "a network from a file; as a player: mcts with this network, and with the options of mcts",
     net_evaluator_create, net_player_create},
    {"exec", "CMD", "an outside program (docs/protocol.md); exec:gtp:CMD for one that speaks GTP",
     NULL, player_exec_create},
    {"human", "", "you, at this terminal", NULL, player_human_create},
    {0},
};
