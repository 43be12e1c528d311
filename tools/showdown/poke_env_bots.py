#!/usr/bin/env python3
"""poke-env's own players on a running server (make showdown-server), against each other or banyan.

    poke_env_bots.py random|maxpower|heuristic random|maxpower|heuristic [GAMES]
    poke_env_bots.py random|maxpower|heuristic NAME [GAMES]

The second form challenges NAME, for instance `banyan showdown --server localhost:8000 --name NAME
--accept --games GAMES`.  Prints how many games the first player won, with a 95 % interval (Wilson).  Needs
poke-env (pip install poke-env, or its src folder on PYTHONPATH).
"""
import argparse
import asyncio
import math
import sys
import time

try:
    from poke_env import AccountConfiguration, ServerConfiguration
    from poke_env.player import MaxBasePowerPlayer, RandomPlayer, SimpleHeuristicsPlayer
except ImportError as missing:
    sys.exit(f"poke_env_bots.py: poke-env is needed (pip install poke-env): {missing}")

PLAYERS = {
    "random": RandomPlayer,
    "maxpower": MaxBasePowerPlayer,
    "heuristic": SimpleHeuristicsPlayer,
}


def wilson(won, games):
    """The 95 % interval of a share."""
    z, n = 1.959964, max(games, 1)
    p = won / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    width = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(middle - width, 0), min(middle + width, 1)


def player(kind, seat, options):
    server = ServerConfiguration(f"ws://localhost:{options.port}/showdown/websocket", "http://127.0.0.1:9/?")
    name = f"pe{kind[:6]}{seat}x{int(time.time()) % 100000}"
    return PLAYERS[kind](
        account_configuration=AccountConfiguration(name, None),
        server_configuration=server,
        battle_format="gen8randombattle",
        max_concurrent_battles=options.at_once,
        log_level=40,
    )


async def play(options):
    first = player(options.player, 0, options)
    if options.opponent in PLAYERS:
        await first.battle_against(player(options.opponent, 1, options), n_battles=options.games)
    else:
        await first.send_challenges(options.opponent, n_challenges=options.games)
    low, high = wilson(first.n_won_battles, first.n_finished_battles)
    print(
        f"{options.player} (poke-env) against {options.opponent}: "
        f"{first.n_won_battles} won, {first.n_tied_battles} tied of {first.n_finished_battles}, "
        f"{first.n_won_battles / max(first.n_finished_battles, 1):.3f} [{low:.3f}, {high:.3f}]"
    )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("player", choices=PLAYERS)
    parser.add_argument("opponent", help="one of these too, or the NAME of the user to challenge")
    parser.add_argument("games", type=int, nargs="?", default=100)
    parser.add_argument("--port", type=int, default=8000, help="of the server on this machine")
    parser.add_argument("--at-once", type=int, default=4, help="battles at the same time")
    asyncio.run(play(parser.parse_args()))


if __name__ == "__main__":
    main()
