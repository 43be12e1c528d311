"""Matches between two players; each player may be one of the library or written in Python.

    result = banyan.match("othello", "mcts:simulations=100", MyPlayer, games=200)

The games are those of `banyan match`: the two games of a round have the same opening, setup and dice, with seats
exchanged, and all random numbers depend on the seed and the number of the game only.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias

from banyan import _core
from banyan._core import BanyanError, Choice, Game, Player, State
from banyan.define import DEFINED

__all__ = ["MatchGame", "MatchPlayer", "MatchResult", "MatchStopped", "match"]


class MatchPlayer(Protocol):
    """The interface of a player that is written in Python.  Two more methods are optional:

    open(state, seat, seed): a game begins at state, and the player plays for seat.  If all random choices of the player
    depend on the seed alone, the match is the same every time.
    observe(before, action, after): action was played; called for the actions of all players, also in the opening.
    """

    def choose(self, state: State, /) -> int | Choice:
        """Return a legal action for the player's seat.  In a game with hidden cards state shows all cards: an honest
        player reads only state.observe(seat) or state.determinize(seat)."""


_Given: TypeAlias = str | Player | MatchPlayer | type[MatchPlayer] | Callable[[State], int | Choice]


class MatchGame(NamedTuple):
    """A game of a match."""

    number: int  # from 0; games 2n and 2n+1 are one round
    seats: tuple[int, ...]  # by seat: 0 is a, 1 is b
    returns: tuple[float, ...]  # by seat
    setup: str  # the first state: game.new(setup)
    moves: str  # all actions, also of the opening, as the program's --moves takes them
    plies: int


@dataclass(frozen=True)
class MatchResult:
    """The results of a match so far, for the first player, a.  A notebook shows them as a table."""

    game: Game
    players: tuple[str, str]  # their names
    games: int  # number of games that count
    games_wanted: int
    wins: int
    draws: int
    losses: int
    score: float  # mean points of a: 1 for a win, 1/2 for a draw; nan in a game of one player
    interval: tuple[float, float]  # 95 % interval of score by Wilson's formula, for independent games
    pair_interval: tuple[float, float] | None  # 95 % interval of score from the spread of whole rounds; often narrower
    elo: float  # the Elo difference for this score; -inf or inf if all games were lost or won
    elo_interval: tuple[float, float]
    llr: float | None  # log likelihood ratio of the SPRT
    llr_bounds: tuple[float, float] | None  # where the SPRT ends
    answer: str | None  # of the SPRT: 'elo0', 'elo1' or 'undecided'
    returns: tuple[float, float]  # mean return of a and of b
    _all: list[MatchGame] = field(repr=False, compare=False)

    @property
    def records(self) -> list[MatchGame]:
        """The games, by number."""
        return self._all[: self.games]

    def __str__(self) -> str:
        of = f"{self.game.name}: {self.players[0]} against {self.players[1]}, {self.games} games"
        if self.score != self.score:
            return f"{of}, mean returns {self.returns[0]:g} and {self.returns[1]:g}"
        low, high = self.interval
        text = f"{of}, +{self.wins} ={self.draws} -{self.losses}, score {self.score:.3f} [{low:.3f}, {high:.3f}]"
        if self.llr is not None and self.llr_bounds is not None:
            text += f", LLR {self.llr:.2f} in [{self.llr_bounds[0]:.2f}, {self.llr_bounds[1]:.2f}]: {self.answer}"
        return text

    def _repr_html_(self) -> str:
        from banyan import show

        return show.match(self)


class MatchStopped(KeyboardInterrupt):
    """Ctrl-C has ended a match.  The attribute `result` has the finished games."""

    def __init__(self, result: MatchResult) -> None:
        if not isinstance(result, MatchResult):
            raise TypeError(f"result must be a MatchResult, got {result!r:.80}")
        super().__init__(f"stopped after {result.games} of {result.games_wanted} games: {result}; .result holds them")
        self.result = result

    def __reduce__(self) -> tuple[type[MatchStopped], tuple[MatchResult]]:
        return type(self), (self.result,)


# --- players ---


class _Guest:
    """A player that is written in Python, with the methods that the table calls."""

    def __init__(self, player: Any) -> None:
        self._choose = getattr(player, "choose", player)
        self._open = getattr(player, "open", None)
        self._observe = getattr(player, "observe", None)

    def open(self, state: State, seat: int, seed: int) -> None:
        if self._open is not None:
            self._open(state, seat, seed)

    def choose(self, state: State) -> Any:
        action = self._choose(state)
        return action.action if isinstance(action, Choice) else action

    def observe(self, before: State, action: Any, after: State) -> None:
        if self._observe is not None:
            self._observe(before, action, after)


def _checked(rules: Game, player: Any, name: str) -> None:
    if isinstance(player, Player) and player.game != rules:
        raise BanyanError(f"{name} is a player of {player.game.name}, and the match is of {rules.name}")
    if isinstance(player, type) and not callable(getattr(player, "choose", None)):
        raise TypeError(f"{name} is a class without a method choose(self, state): {player!r}")
    if not isinstance(player, str) and not callable(getattr(player, "choose", player)):
        raise TypeError(
            f"{name} must be a text such as 'mcts:simulations=100', a function of a state that returns an action, or an "
            f"object or class with a method choose(state), got {player!r:.80}"
        )


def _name(player: Any) -> str:
    for name in (player, getattr(player, "name", None), getattr(player, "__name__", None)):
        if isinstance(name, str):
            return name
    return type(player).__name__


def _seated(rules: Game, player: Any) -> Any:
    """The player in the form that the table takes: in games of more than two players a tuple, one for each seat."""
    if isinstance(player, str):
        return player
    if rules.players > 2:
        return tuple(_Guest(player() if isinstance(player, type) else player) for _ in range(rules.players))
    return _Guest(player() if isinstance(player, type) else player)


def _is_alone(player: Any) -> bool:
    """Whether player is a single object, which can play only one game at a time."""
    return not isinstance(player, str | type)


# --- the match ---


def _number(name: str, value: Any, least: int, most: int) -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an int, got {value!r:.80}")
    number = int(value.__index__())
    if not least <= number <= most:
        raise ValueError(f"{name} is {least}..{most}, got {number}")
    return number


def _test(sprt: Any) -> tuple[float, float, float, float] | None:
    if sprt is None:
        return None
    wanted = "sprt is (elo0, elo1) or (elo0, elo1, alpha, beta) with -1000 <= elo0 < elo1 <= 1000 and errors below 0.5"
    if not isinstance(sprt, tuple | list) or len(sprt) not in (2, 4):
        raise TypeError(f"{wanted}, got {sprt!r:.80}")
    if not all(isinstance(number, int | float) for number in sprt):
        raise TypeError(f"{wanted}, got {sprt!r:.80}")
    elo0, elo1, alpha, beta = (*sprt, 0.05, 0.05)[:4]
    if not (-1000 <= elo0 < elo1 <= 1000 and 0 < alpha < 0.5 and 0 < beta < 0.5):
        raise ValueError(f"{wanted}, got {sprt!r:.80}")
    return float(elo0), float(elo1), float(alpha), float(beta)


class _Match:
    """Lets threads play the games at tables, and counts the games in the order of their numbers.

    The threads count the games, not the caller's thread, because Ctrl-C may interrupt that one at any line.
    """

    def __init__(self, rules: Game, names: tuple[str, str], games: int, tally: Any, watched: bool) -> None:
        self.rules, self.names, self.games, self.tally, self.watched = rules, names, games, tally, watched
        self.lock = threading.Lock()  # guards all members below
        self.next = 0
        self.counted: list[MatchGame] = []
        self.waiting: dict[int, MatchGame] = {}  # finished games that wait until all earlier games are counted
        self.decided = False
        self.told: queue.SimpleQueue[MatchResult | BaseException | None] = queue.SimpleQueue()

    def result(self) -> MatchResult:
        return MatchResult(self.rules, self.names, _all=self.counted, **self.tally.read())

    def claim(self) -> int:
        """The number of the game to play next; -1: no game is left."""
        with self.lock:
            if self.decided or self.next == self.games:
                return -1
            self.next += 1
            return self.next - 1

    def count(self, number: int) -> None:
        """Counts a finished game, unless the SPRT has decided."""
        played = self.waiting.pop(number)
        if not self.decided:
            self.decided = self.tally.add(played.number, played.seats, played.returns)
            self.counted.append(played)
            if self.watched:
                self.told.put(self.result())

    def work(self, table: Any) -> None:
        """Runs in a thread: plays until no game is left; the last thing that it puts into `told` is None."""
        number = -1
        try:
            while (number := self.claim()) >= 0 and (played := table.play(number)) is not None:
                with self.lock:
                    self.waiting[number] = MatchGame(*played)
                    while len(self.counted) in self.waiting:
                        self.count(len(self.counted))
        except BaseException as error:
            error.add_note(f"in game {number} of the match of {self.names[0]} against {self.names[1]}")
            self.told.put(error)
        finally:
            self.told.put(None)

    def play(self, tables: Sequence[Any], progress: Callable[[MatchResult], Any] | None) -> None:
        threads = [threading.Thread(target=self.work, args=(table,), daemon=True) for table in tables]
        try:
            for thread in threads:
                thread.start()
            going_on = len(threads)
            while going_on:
                told = self.told.get()
                if isinstance(told, BaseException):
                    raise told
                if self.decided:
                    self.stop(tables)
                if told is None:
                    going_on -= 1
                elif progress is not None:
                    progress(told)
        finally:
            self.stop(tables)
            for thread in threads:
                if thread.ident is not None:
                    thread.join()
            for number in sorted(self.waiting):  # games after one that was not finished
                self.count(number)

    def stop(self, tables: Sequence[Any]) -> None:
        for table in tables:
            table.stop()


def match(
    game: Game | str,
    a: _Given,
    b: _Given,
    games: int = 100,
    *,
    jobs: int = 2,
    seed: int = 1,
    sprt: tuple[float, float] | tuple[float, float, float, float] | None = None,
    opening_plies: int = 0,
    progress: Callable[[MatchResult], Any] | None = None,
) -> MatchResult:
    """Play games between two players, and return their results.

    a, b: a text that banyan.player() takes; a function of a state that returns an action; an object with a method
    choose(state), see banyan.MatchPlayer; or a class of such objects.  Each thread makes its own player from a text or
    class; with a function or object, and in games written in Python, one thread plays all games.
    jobs: number of threads.  The result does not depend on it, unless players are limited by time.
    sprt: (elo0, elo1) or (elo0, elo1, alpha, beta): the match ends when one of these Elo differences is far more likely.
    opening_plies: random plies at the start of each round.  Without them, all rounds are alike if neither the game nor
    the players use chance.
    progress(MatchResult) is called after each game, in the thread of the caller.

    Ctrl-C raises MatchStopped, a KeyboardInterrupt; an exception of a player or of progress ends the match, too.  Each
    of these exceptions has the finished games in its attribute `result`.
    """
    rules = _core.game(game)
    wanted = _number("games", games, 1, 10**12)
    threads = min(_number("jobs", jobs, 1, 1024), wanted)
    test = _test(sprt)
    number = _number("seed", seed, 0, (1 << 64) - 1)
    plies = _number("opening_plies", opening_plies, 0, rules.max_plies)
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be a function of a MatchResult, got {progress!r:.80}")
    if test and rules.players != 2:
        raise BanyanError(f"SPRT is for games of two players, and {rules.name} is for {rules.players}")
    for player, side in ((a, "a"), (b, "b")):
        _checked(rules, player, side)
        if rules.players > 2 and _is_alone(player) and hasattr(player, "open"):
            raise BanyanError(f"{rules.name} has {rules.players} seats, of which {side} has several: give a class")
    if a is b and _is_alone(a) and hasattr(a, "open"):
        raise BanyanError("a and b are one object, which would sit on both sides: give a class, or two objects")
    if rules.name in DEFINED or _is_alone(a) or _is_alone(b):
        threads = 1
    of = _Match(rules, (_name(a), _name(b)), wanted, _core._tally(rules, wanted, test), progress is not None)
    tables = [
        _core._table(rules, (_seated(rules, a), _seated(rules, b)), number, plies) for _ in range(threads)
    ]
    try:
        of.play(tables, progress)
    except KeyboardInterrupt as interrupt:
        raise MatchStopped(of.result()) from interrupt
    except BaseException as error:
        with contextlib.suppress(AttributeError, TypeError):
            error.result = of.result()  # type: ignore[attr-defined]
        raise
    return of.result()
