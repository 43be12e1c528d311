"""Games that are written in Python."""

from __future__ import annotations

import ast
import math
import struct
from collections.abc import Callable
from typing import Any

from banyan import _core
from banyan._core import BanyanError, Game

_TRAITS = ("chance", "simultaneous", "hidden", "zero-sum")
_NEEDED = ("new", "movers", "legal", "apply", "returns")
_METHODS = (
    "new",
    "read",
    "movers",
    "legal",
    "apply",
    "returns",
    "key",
    "determinize",
    "action_name",
    "heuristic",
    "priors",
    "observe",
    "points",
    "draw",
    "svg",
)
_SETTINGS: dict[str, Any] = {
    "title": None,
    "return_min": -1.0,
    "return_max": 1.0,
    "actions": 0,
    "planes": None,
    "state_size": 1024,
}
_STATE_SIZE_MAX = 2048
_NUMBERS_MAX = 1 << 20  # numbers in an observation
LEGAL_MAX = 65534  # as game.h says
_RETURN_MAX = 1e30  # returns and their differences are float32


class _Infinite(ast.NodeTransformer):
    """Replaces the name inf, which repr() writes, by its number."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(math.inf) if node.id == "inf" else node


def _single(number: float) -> float:
    """The number as the library keeps it, a float32."""
    return float(struct.unpack("<f", struct.pack("<f", number))[0])


class _Rules:
    """Reads the members of the user's object; an exception names the first one that is missing or wrong."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.name = self.setting("name", str)
        if not self.name or not self.name.isprintable():
            raise self.wrong(f"'name' must be a text to print, such as 'nim', got {self.name!r}")
        self.players = self.number("players", 1, 8)
        self.max_legal = self.number("max_legal", 1, LEGAL_MAX)
        self.max_plies = self.number("max_plies", 1, (1 << 31) - 1)
        self.actions = self.number("actions", 0, 1 << 24)
        self.state_size = self.number("state_size", 16, _STATE_SIZE_MAX)
        self.title = self.setting("title", (str, type(None))) or self.name
        self.range = self.bound("return_min"), self.bound("return_max")
        self.traits = self.read_traits()
        self.planes = self.read_planes()
        self.methods = tuple(self.method(name) for name in _METHODS)
        low, high = self.range
        if not -_RETURN_MAX <= low < high <= _RETURN_MAX or _single(low) == _single(high):
            raise self.wrong(
                f"return_min must be below return_max as a float32, both within {_RETURN_MAX:g}, got {self.range}"
            )
        if self.name in _core.games() and self.name not in DEFINED:
            raise self.wrong("the library has a game of this name: choose another")

    def wrong(self, message: str) -> BanyanError:
        name = getattr(self.rules, "name", None) or type(self.rules).__name__
        return BanyanError(f"{name}: {message}")

    def setting(self, name: str, kinds: Any) -> Any:
        if not hasattr(self.rules, name) and name not in _SETTINGS:
            raise self.wrong(f"the class needs an attribute '{name}'")
        value = getattr(self.rules, name, _SETTINGS.get(name))
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise self.wrong(f"'{name}' must be {getattr(kinds, '__name__', 'a number')}, got {value!r}")
        return value

    def number(self, name: str, least: int, most: int) -> int:
        value: int = self.setting(name, int)
        if not least <= value <= most:
            raise self.wrong(f"'{name}' is {least}..{most}, got {value}")
        return value

    def bound(self, name: str) -> float:
        value = self.setting(name, (int, float))
        try:
            return float(value)
        except OverflowError:
            return math.inf if value > 0 else -math.inf

    def read_traits(self) -> int:
        traits = getattr(self.rules, "traits", ())
        if not isinstance(traits, set | frozenset | list | tuple):
            raise self.wrong(f"'traits' must be a set, such as {{'zero-sum'}}, got {traits!r}")
        unknown = [trait for trait in traits if trait not in _TRAITS]
        if unknown:
            raise self.wrong(f"traits are {', '.join(map(repr, _TRAITS))}; got {unknown[0]!r}")
        return sum(1 << bit for bit, trait in enumerate(_TRAITS) if trait in traits)

    def read_planes(self) -> tuple[int, int, int]:
        planes = getattr(self.rules, "planes", None)
        has_observe = hasattr(self.rules, "observe")
        if has_observe != (planes is not None):
            raise self.wrong("'planes' and observe() go together: (channels, height, width) of its array")
        if planes is None:
            return 0, 0, 0
        if not isinstance(planes, tuple | list) or len(planes) != 3 or not all(isinstance(n, int) for n in planes):
            raise self.wrong(f"'planes' must be (channels, height, width), got {planes!r}")
        if min(planes) < 1 or math.prod(planes) > _NUMBERS_MAX:
            raise self.wrong(f"'planes' are 1..{_NUMBERS_MAX} numbers, got {planes!r}")
        return planes[0], planes[1], planes[2]

    def method(self, name: str) -> Callable[..., Any] | None:
        wanted = name in _NEEDED or ("hidden" in getattr(self.rules, "traits", ()) and name in ("key", "determinize"))
        method = getattr(self.rules, name, None)
        if wanted and not callable(method):
            why = "" if name in _NEEDED else ", since it has hidden cards"
            raise self.wrong(f"the class needs a method {name}(){why}")
        return self.read if name == "read" and method is None else method

    def read(self, text: str) -> Any:
        try:
            return ast.literal_eval(_Infinite().visit(ast.parse(text.lstrip(" \t"), mode="eval")))
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise self.wrong(f"'{text}' is not a state: State.setup writes one") from None


DEFINED: set[str] = set()  # the names of the games that define() has made


def define(rules: Any) -> Game:
    """Make a Game of a class, or of an object, whose methods are the rules.

    The state of such a game is a plain value: numbers except NaN, texts, bytes, tuples and lists of them.  Each call
    of a method gets its own copy of the state.  The result of a method must depend on its arguments alone.

    Attributes: name; players; max_legal, the most actions that a player ever has; max_plies, the most calls of
    apply() that a game takes; and, if the defaults do not fit, title, return_min=-1, return_max=1, traits=(), a set of
    'chance', 'simultaneous', 'hidden' and 'zero-sum'; actions=0, or a number above all actions, which gives the game
    a policy head; planes=(C, H, W), the shape of observe(); state_size=1024, the bytes of the largest state.

    Methods every game has:
      new(random) -> state              random: a banyan.Random to deal from
      movers(state) -> player           with 'simultaneous' a tuple of players; () at the end of the game
      legal(state, player) -> [action]  ints, at least one, always in the same order
      apply(state, action, dice) -> state   with 'simultaneous' action is {player: action}; dice: a banyan.Dice
      returns(state) -> [number]        one for each player, when the game is over

    With 'hidden': key(state, viewer) -> what viewer knows, and determinize(state, viewer, random) -> a random state
    that agrees with what viewer knows.

    Optional: action_name(state, player, action) -> str; heuristic(state, player) -> return;
    priors(state, player, actions) -> weights; observe(state, viewer) -> array; points(state); draw(state,
    viewer) and svg(state, viewer) -> str, where viewer -1 sees everything; read(text) -> state.

    If a method raises an exception, the function of Banyan that called the method raises it again.
    """
    checked = _Rules(rules() if isinstance(rules, type) else rules)
    low, high = checked.range
    DEFINED.add(checked.name)
    return _core._define(
        checked.name,
        checked.title,
        checked.players,
        checked.max_legal,
        checked.max_plies,
        low,
        high,
        checked.actions,
        checked.planes,
        checked.state_size,
        checked.traits,
        checked.methods,
    )
