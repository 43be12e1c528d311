"""Monte Carlo tree search for games of every kind.

    import banyan

    game = banyan.game("othello")
    search = banyan.Search(game, exploration=0.35)
    search.set_root(game.new())
    search.run(simulations=10_000)
    print(search.moves()[0])

docs/python.md of the project is the introduction.
"""

from typing import TYPE_CHECKING, Any

from banyan._core import (
    BanyanError,
    Choice,
    Dice,
    Env,
    Feature,
    Game,
    Leaves,
    Move,
    Player,
    Random,
    Search,
    State,
    Stats,
    __version__,
    game,
    games,
    player,
    search_options,
)
from banyan.define import define
from banyan.evaluator import Evaluator

if TYPE_CHECKING:
    from banyan.checks import Fault, check
    from banyan.matches import MatchGame, MatchPlayer, MatchResult, MatchStopped, match
    from banyan.runs import Run, train

__all__ = [
    "BanyanError",
    "Choice",
    "Dice",
    "Env",
    "Evaluator",
    "Fault",
    "Feature",
    "Game",
    "Leaves",
    "MatchGame",
    "MatchPlayer",
    "MatchResult",
    "MatchStopped",
    "Move",
    "Player",
    "Random",
    "Run",
    "Search",
    "State",
    "Stats",
    "__version__",
    "check",
    "define",
    "game",
    "games",
    "match",
    "player",
    "search_options",
    "train",
]


# These modules import much of Python's standard library, so they are loaded only on first use.
_LATER = {
    "Fault": "checks",
    "MatchGame": "matches",
    "MatchPlayer": "matches",
    "MatchResult": "matches",
    "MatchStopped": "matches",
    "Run": "runs",
    "check": "checks",
    "match": "matches",
    "train": "runs",
}


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'banyan' has no attribute '{name}'")
    import importlib

    return getattr(importlib.import_module(f"banyan.{_LATER[name]}"), name)
