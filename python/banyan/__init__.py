"""Monte Carlo tree search for games of every kind.

    import banyan

    game = banyan.game("othello")
    search = banyan.Search(game, exploration=0.35)
    search.set_root(game.new())
    search.run(simulations=10_000)
    print(search.moves()[0])

docs/python.md of the project is the introduction.
"""

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

__all__ = [
    "BanyanError",
    "Choice",
    "Dice",
    "Env",
    "Evaluator",
    "Feature",
    "Game",
    "Leaves",
    "Move",
    "Player",
    "Random",
    "Search",
    "State",
    "Stats",
    "__version__",
    "define",
    "game",
    "games",
    "player",
    "search_options",
]
