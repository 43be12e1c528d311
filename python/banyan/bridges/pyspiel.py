"""Any game of OpenSpiel, searched by Banyan; any player of Banyan as a bot of OpenSpiel.

    import banyan.bridges.pyspiel as bridge

    game = bridge.game("leduc_poker")                 # a banyan.Game
    search = banyan.Search(game)
    search.set_root(game.new(seed=1))
    search.run(1000)

    bot = bridge.Bot("connect_four", 0, "mcts:simulations=1000")
    pyspiel.evaluate_bots(state, [bot, other], seed=1)
"""

from __future__ import annotations

import contextlib
from array import array
from collections import OrderedDict
from typing import Any

import pyspiel

from banyan._core import BanyanError, Dice, Game, Player, Random, State, player
from banyan.define import LEGAL_MAX, define

__all__ = ["Bot", "game", "state_of"]

_KEPT = 8192  # states of OpenSpiel that are remembered
_PARTS = 32767  # probabilities of chance are rounded to multiples of 1 / _PARTS for the dice
_TRIES = 1000  # deals that are drawn before an error says that none fits
_DEFINED: dict[str, Game] = {}


class _Rules:
    """The rules of a game of OpenSpiel.  A state is its history: the actions of all players and of chance."""

    def __init__(self, spiel: Any) -> None:
        kind = spiel.get_type()
        if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD or kind.chance_mode == _sampled():
            raise BanyanError(f"{kind.short_name}: mean field games and sampled chance cannot be searched")
        self.spiel, self.name = spiel, f"pyspiel:{spiel}"
        self.title = kind.long_name
        self.players = spiel.num_players()
        if self.players > 8:
            raise BanyanError(f"{self.name} has {self.players} players; at most 8 are possible")
        self.actions = spiel.num_distinct_actions()
        self.max_legal = min(self.actions, LEGAL_MAX)  # no state has more legal actions
        self.max_plies = max(1, spiel.max_game_length())
        self.return_min, self.return_max = spiel.min_utility(), spiel.max_utility()
        self.state_size = 2048
        self.resamples = True
        self.traits = self._traits(kind)
        wide = max(self.actions, spiel.max_chance_outcomes()) > 1 << 16
        self.code = "I" if wide else "H"
        self.kept: OrderedDict[bytes, Any] = OrderedDict()
        self.tensor = kind.provides_information_state_tensor and "hidden" in self.traits
        if self.tensor or kind.provides_observation_tensor:
            self.planes = self._planes()
            self.observe = self._observe

    def _traits(self, kind: Any) -> set[str]:
        told = {
            "chance": kind.chance_mode != pyspiel.GameType.ChanceMode.DETERMINISTIC,
            "simultaneous": kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS,
            "hidden": kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            "zero-sum": self._constant_sum(kind),
        }
        return {trait for trait, holds in told.items() if holds}

    def _constant_sum(self, kind: Any) -> bool:
        sums = {pyspiel.GameType.Utility.ZERO_SUM: 0.0, pyspiel.GameType.Utility.CONSTANT_SUM: None}
        if kind.utility not in sums:
            return False
        total = sums[kind.utility]
        total = self.spiel.utility_sum() if total is None else total
        return bool(total == self.players * (self.return_min + self.return_max) / 2)

    # --- histories ---

    def at(self, history: bytes) -> Any:
        """The state of OpenSpiel after a history; callers do not change it."""
        known = self.kept.get(history)
        if known is not None:
            with contextlib.suppress(KeyError):  # another thread of the search may have removed it
                self.kept.move_to_end(history)
            return known
        state = self.spiel.new_initial_state()
        left = list(array(self.code, history))
        while left:
            count = self.players if state.is_simultaneous_node() else 1
            self._play(state, left[:count])
            del left[:count]
        return self._keep(history, state)

    def _keep(self, history: bytes, state: Any) -> Any:
        self.kept[history] = state
        if len(self.kept) > _KEPT:
            self.kept.popitem(last=False)
        return state

    @staticmethod
    def _play(state: Any, actions: list[int]) -> None:
        if state.is_simultaneous_node():
            state.apply_actions(actions)
        else:
            state.apply_action(actions[0])

    def history(self, actions: list[int]) -> bytes:
        return array(self.code, actions).tobytes()

    def _settle(self, history: bytes, state: Any, luck: Any) -> bytes:
        """Lets chance play until a player chooses or the game is over; luck(outcomes) draws."""
        while state.is_chance_node():
            outcome = luck(state.chance_outcomes())
            state.apply_action(outcome)
            history += self.history([outcome])
        self._keep(history, state)
        return history

    # --- the rules ---

    def new(self, random: Random) -> bytes:
        return self._settle(b"", self.spiel.new_initial_state(), lambda outcomes: _drawn(outcomes, random))

    def movers(self, history: bytes) -> Any:
        state = self.at(history)
        if state.is_terminal():
            return ()
        if state.is_simultaneous_node():
            return tuple(p for p in range(self.players) if state.legal_actions(p))
        return state.current_player()

    def legal(self, history: bytes, player: int) -> list[int]:
        actions: list[int] = self.at(history).legal_actions(player)
        return actions

    def apply(self, history: bytes, action: Any, dice: Dice) -> bytes:
        state = self.at(history).clone()
        chosen = [action]
        if state.is_simultaneous_node():
            chosen = [action.get(p, 0) for p in range(self.players)]
        elif isinstance(action, dict):
            chosen = list(action.values())
        self._play(state, chosen)

        def draw(outcomes: list[tuple[int, float]]) -> int:
            if len({share for _, share in outcomes}) == 1:
                return outcomes[dice.pick(len(outcomes))][0]
            left = 1.0
            for one, share in outcomes[:-1]:
                part = round(_PARTS * min(1.0, share / left))
                if part and dice.chance(part, _PARTS):
                    return one
                left -= share
            return outcomes[-1][0]

        return self._settle(history + self.history(chosen), state, draw)

    def returns(self, history: bytes) -> list[float]:
        returns: list[float] = self.at(history).returns()
        return returns

    # --- what players know ---

    def key(self, history: bytes, viewer: int) -> Any:
        if "hidden" not in self.traits:
            return history
        state = self.at(history)
        chooser = "over" if state.is_terminal() else state.current_player()
        return f"{viewer} {chooser} {self._seen(state, viewer)}"

    def determinize(self, history: bytes, viewer: int, random: Random) -> bytes:
        if self.resamples:
            try:
                return self.history(self.at(history).resample_from_infostate(viewer, random.unit).history())
            except pyspiel.SpielError:
                self.resamples = False
        if not {"chance", "hidden"} <= self.traits or "simultaneous" in self.traits:
            raise BanyanError(f"{self.name}: OpenSpiel cannot draw what a player does not know in this game")
        for _ in range(_TRIES):
            drawn = self._deal_again(history, viewer, random)
            if drawn is not None:
                return drawn
        raise BanyanError(f"{self.name}: no deal was found that fits what player {viewer} knows")

    def _deal_again(self, history: bytes, viewer: int, random: Random) -> bytes | None:
        """Draws each outcome of chance anew from the outcomes that viewer cannot tell from the one in history; None: no
        outcome fits."""
        ours, theirs = self.spiel.new_initial_state(), self.spiel.new_initial_state()
        for action in array(self.code, history):
            ours.apply_action(action)
            if theirs.is_chance_node():
                fits = [
                    (outcome, share)
                    for outcome, share in theirs.chance_outcomes()
                    if self._seen(theirs.child(outcome), viewer) == self._seen(ours, viewer)
                ]
                if not fits:
                    return None
                action = _drawn(fits, random)
            elif action not in theirs.legal_actions():
                return None
            theirs.apply_action(action)
        return self.history(theirs.history())

    def _seen(self, state: Any, viewer: int) -> str:
        kind = self.spiel.get_type()
        text = state.information_state_string if kind.provides_information_state_string else state.observation_string
        seen: str = text(viewer)
        return seen

    def _planes(self) -> tuple[int, int, int]:
        shape = (
            self.spiel.information_state_tensor_shape() if self.tensor else self.spiel.observation_tensor_shape()
        )
        if len(shape) == 1:
            return shape[0], 1, 1
        rows = 1
        for size in shape[2:]:
            rows *= size
        return (shape[0], shape[1], rows) if len(shape) > 2 else (1, shape[0], shape[1])

    def _observe(self, history: bytes, viewer: int) -> list[float]:
        state = self.at(history)
        numbers: list[float] = (
            state.information_state_tensor(viewer) if self.tensor else state.observation_tensor(viewer)
        )
        return numbers

    def action_name(self, history: bytes, player: int, action: int) -> str:
        name: str = self.at(history).action_to_string(player, action)
        return name

    def draw(self, history: bytes, viewer: int) -> str:
        state = self.at(history)
        if viewer < 0 or "hidden" not in self.traits or state.is_terminal():
            return f"{state}\n"
        return f"{self._seen(state, viewer)}\n"


def _drawn(outcomes: list[tuple[int, float]], random: Random) -> int:
    """Draws one of (outcome, share) in proportion to the shares, which need not sum to 1."""
    left = random.unit() * sum(share for _, share in outcomes)
    for action, share in outcomes:
        left -= share
        if left < 0:
            return action
    return outcomes[-1][0]


def _sampled() -> Any:
    return pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC


def _loaded(name: Any) -> Any:
    if not isinstance(name, str | pyspiel.Game):
        raise BanyanError(f"a game of OpenSpiel is a name or a pyspiel.Game, got {name!r:.60}")
    try:
        return pyspiel.load_game(name) if isinstance(name, str) else name
    except pyspiel.SpielError as error:
        raise BanyanError(f"OpenSpiel: {error}") from None


def game(name: Any) -> Game:
    """A game of OpenSpiel as a banyan.Game: "connect_four", "kuhn_poker(players=3)", or an object of pyspiel.

    A game can last up to about 1000 actions, those of chance included (500 if their numbers exceed 16 bits).
    """
    spiel = _loaded(name)
    text = str(spiel)
    if text not in _DEFINED:
        _DEFINED[text] = define(_Rules(spiel))
    return _DEFINED[text]


def state_of(state: Any) -> State:
    """A state of OpenSpiel as a banyan.State.  It must not be a chance node, because nobody chooses there."""
    if not isinstance(state, pyspiel.State):
        raise BanyanError(f"a state of OpenSpiel is a pyspiel.State, got {state!r:.60}")
    if state.is_chance_node():
        raise BanyanError("this is a node of chance: apply its outcome first")
    rules = game(state.get_game())
    spiel = state.get_game()
    wide = max(spiel.num_distinct_actions(), spiel.max_chance_outcomes()) > 1 << 16
    return rules.new(repr(array("I" if wide else "H", state.history()).tobytes()))


class Bot(pyspiel.Bot):  # type: ignore[misc,unused-ignore]
    """A player of Banyan for pyspiel.evaluate_bots() and other functions that take bots.

    name: as for game().  seat: the number of the bot's player.  text: as for banyan.player().
    """

    def __init__(self, name: Any, seat: int, text: str = "mcts:simulations=1000", seed: int = 0) -> None:
        super().__init__()
        self.game, self.seat = game(name), seat
        self.player: Player = player(self.game, text, seed)

    def restart_at(self, state: Any) -> None:
        pass

    def restart(self) -> None:
        pass

    def step(self, state: Any) -> int:
        ours = state_of(state)
        if self.seat not in ours.movers:
            raise BanyanError(f"player {self.seat} has nothing to choose here")
        self.player.open(ours, self.seat)
        return self.player.choose(ours).action
