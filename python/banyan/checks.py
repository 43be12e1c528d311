"""Checks whether a game does what banyan.define(), or the header game.h, requires.

    for fault in banyan.check(game):
        print(fault)
"""

from __future__ import annotations

import re
import traceback
from typing import NamedTuple

from banyan import _core
from banyan._core import Game
from banyan.define import DEFINED

__all__ = ["Fault", "check"]

# For functions of game.h whose method in a game written in Python has another name: that name.
_METHODS = {"init": "new", "encode": "observe", "action_format": "action_name", "action_parse": "action_name"}


class Fault(NamedTuple):
    """A promise that a game breaks."""

    message: str  # what is wrong, in one line
    function: str | None  # the function of game.h or, of a game written in Python, the method; None: no single one
    game: int | None  # number of the game in which the fault was seen; None: no single game
    ply: int | None
    error: BaseException | None = None  # what a method of a game written in Python has raised

    def __str__(self) -> str:
        return self.message


def _fault(rules: Game, message: str) -> Fault:
    place = re.search(r" \(game (\d+), ply (\d+), seed \d+\)$", message)
    function = re.search(r"([a-z_]+)\(", message[len(rules.name) : place.start() if place else None])
    called = function[1] if function else None
    if called and rules.name in DEFINED:
        called = _METHODS.get(called, called)
    return Fault(message, called, int(place[1]) if place else None, int(place[2]) if place else None)


def _raised(rules: Game, error: Exception, where: int, ply: int, seed: int) -> Fault:
    """The exception of a method as a fault."""
    known = where >= 0
    place = f" (game {where}, ply {ply}, seed {seed})" if known else ""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:  # no method raised: the library refused the result of a method
        named = re.search(r"([a-z_]+)\(\)", str(error))
        method, message = named[1] if named else None, str(error)
    else:
        method = frames[0].name
        message = f"{rules.name}: {method}() raised {type(error).__name__}: {error}".replace("\n", " ")
    return Fault(message + place, method, where if known else None, ply if known else None, error)


def check(game: Game | str, *, games: int = 1000, seed: int = 1) -> list[Fault]:
    """Play a game at random and return the promises that it breaks: [] if none was seen broken.

    At the positions of the games it checks what game.h promises of each function: legal actions, dice, texts, keys,
    hidden cards, observations, ...  It cannot know whether the rules are right.

    games: the most games that are played; fewer if states are large.  The same seed and number of a game give the same
    game again.  The check of a game written in Python ends when one of its methods raises.
    """
    rules = _core.game(game)
    if isinstance(games, bool) or not isinstance(games, int) or isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"games and seed are ints, got {games!r:.40} and {seed!r:.40}")
    if not 1 <= games < 1 << 30 or not 0 <= seed < 1 << 64:
        raise ValueError(f"games is 1..2**30-1 and seed 0..2**64-1, got {games} and {seed}")
    told: list[str] = []
    where, ply, error = _core._check(rules, told, games, seed, rules.name in DEFINED)
    if error is not None and not isinstance(error, Exception):
        raise error
    faults = [_fault(rules, message) for message in told]
    return faults + ([_raised(rules, error, where, ply, seed)] if error else [])
