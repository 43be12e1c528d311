"""Settings and functions that all tests of the Python package use."""

import os
import random
import signal
import sys

# Products of small matrices gain nothing from threads, and on a busy machine the threads wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import banyan  # noqa: E402
import pytest  # noqa: E402

GAMES = banyan.games()

# botbowl is not on PyPI: BANYAN_BOTBOWL is the path of a checkout.
if os.environ.get("BANYAN_BOTBOWL"):
    sys.path.insert(0, os.environ["BANYAN_BOTBOWL"])

# A shell starts background processes with SIGINT ignored, but the tests of Ctrl-C need SIGINT.
signal.signal(signal.SIGINT, signal.default_int_handler)


def any_action(state, rng):
    """A random action as State.apply() takes it."""
    if len(state.movers) == 1:
        return rng.choice(state.legal())
    return {player: rng.choice(state.legal(player)) for player in state.movers}


def middle(name, plies, seed=1):
    """A state of the game after some random plies, before its end."""
    rng = random.Random(seed)
    state = banyan.game(name).new(seed=seed)
    for _ in range(plies):
        after = state.after(any_action(state, rng))
        if after.over:
            break
        state = after
    return state


@pytest.fixture(params=GAMES)
def name(request):
    return request.param
