"""Games in which a learner plays against players of the library; banyan.gym uses them."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from banyan._core import BanyanError, Env, Game, Player, State, game, player

_Ints = NDArray[numpy.int64]
_Words = NDArray[numpy.uint64]
_Bools = NDArray[numpy.bool_]

_GOLDEN = numpy.uint64(0x9E3779B97F4A7C15)


class Streams:
    """A stream of random numbers for each game (splitmix64): no game depends on the number of games."""

    def __init__(self, count: int, seed: int) -> None:
        self.state = numpy.random.default_rng(seed).integers(0, 1 << 64, count, numpy.uint64)

    def seed(self, which: _Bools, seeds: _Words) -> None:
        self.state[which] = _mixed(seeds + _GOLDEN)[which]

    def next(self, which: _Bools) -> NDArray[numpy.uint64]:
        """64 random bits for each of the games; only the streams of the games in `which` advance."""
        self.state[which] += _GOLDEN
        return _mixed(self.state)

    def below(self, which: _Bools, counts: _Ints) -> _Ints:
        """A number of 0..count-1 for each game."""
        high = self.next(which) >> numpy.uint64(32)
        return ((high * counts.astype(numpy.uint64)) >> numpy.uint64(32)).astype(numpy.int64)


def _mixed(x: NDArray[numpy.uint64]) -> NDArray[numpy.uint64]:
    x = (x ^ (x >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return x ^ (x >> numpy.uint64(31))


def observation_bounds(rules: Game) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
    """The least and the largest value of each number of an observation."""
    size = int(numpy.prod(rules.observation_shape or (0,)))
    low, high = (numpy.empty(size, numpy.float32) for _ in range(2))
    for feature in rules.features:
        part = slice(feature.at, feature.at + int(numpy.prod(feature.shape)))
        low[part] = min(feature.min, -1.0) if feature.hidden else feature.min
        high[part] = feature.max
    shape = rules.observation_shape or (0,)
    return low.reshape(shape), high.reshape(shape)


def render_mode(name: str | None) -> str | None:
    """Checks the argument of an environment."""
    if name not in (None, "ansi"):
        raise BanyanError(f"render_mode is None or 'ansi', got {name!r}")
    return name


def number_of(state: State, action: int, seat: int) -> int:
    """The index of an action in the policy head, or in State.legal()."""
    return state.index(action, seat) if state.game.policy_size else state.legal(seat).index(action)


class Seats:
    """`count` games.  A learner chooses for its seat, and `opponent` for the other seats; if it is "self", the learner
    chooses for all seats.

    After reset() and step() each game waits for its learner or is over.  Arrays are views: copy what you keep.
    """

    def __init__(self, name: Game | str, count: int, opponent: str, seat: int | str, setup: str, seed: int) -> None:
        self.game = game(name)
        self.count = count
        self.opponent = opponent
        self.selfplay = opponent == "self"
        self.env = Env(self.game, count, seed=seed, setup=setup, autoreset="disabled")
        self.masks = numpy.asarray(self.env.masks)
        self.movers = numpy.asarray(self.env.movers)
        self.shown = None if self.env.observations is None else numpy.asarray(self.env.observations)
        self.rewards = numpy.asarray(self.env.rewards)
        self.done = numpy.asarray(self.env.done)
        self.rows = self.masks.shape[1]
        self.width = self.masks.shape[2]
        self.all = numpy.arange(count)
        self.streams = Streams(count, seed)
        self.seat_wanted = self._check(seat)
        self.seats = numpy.zeros(count, numpy.int64)
        self.players: dict[tuple[int, int], Player] = {}
        self.late = numpy.zeros((count, self.game.players), numpy.float32)  # rewards before the learner's first turn

    def _check(self, seat: int | str) -> int | str:
        if self.game.observation_shape is None:
            raise BanyanError(f"{self.game.name} has no observation")
        if self.selfplay and self.rows > 1:
            raise BanyanError(
                f"in {self.game.name} players choose at the same time: name an opponent, such as 'random', or use "
                "banyan.zoo"
            )
        if not self.selfplay and self.game.players > 1 and self.opponent != "random":
            player(self.game, self.opponent)  # raises now if the player is not known
        if seat != "random" and not (isinstance(seat, int) and 0 <= seat < self.game.players):
            raise BanyanError(f"seat is 0..{self.game.players - 1} or 'random', got {seat!r}")
        return seat

    # --- whose turn ---

    def _turns(self) -> _Bools:
        """[count][rows]: True where a learner chooses."""
        return numpy.asarray(self.movers >= 0 if self.selfplay else self.movers == self.seats[:, None])

    def learner_rows(self) -> _Ints:
        return numpy.asarray(self._turns().argmax(1))

    # --- new games ---

    def reset(self, which: _Bools, seeds: _Words | None = None) -> None:
        if seeds is not None:
            self.streams.seed(which, seeds)
        self.env.reset(seed=seeds, which=which)
        if self.seat_wanted == "random":
            drawn = self.streams.below(which, numpy.full(self.count, self.game.players))
            self.seats[which] = drawn[which]
        elif isinstance(self.seat_wanted, int):
            self.seats[which] = self.seat_wanted
        for index, seat in list(self.players):
            if which[index]:
                del self.players[index, seat]
        self.late[which] = self._others_play()[which]

    def ended(self) -> _Bools:
        """[count]: True if the game is over."""
        return numpy.asarray((self.movers < 0).all(1))

    def choosers(self) -> _Ints:
        """The learner's seat in each game; in self-play, the player who chooses or, after the end, who chose last."""
        if not self.selfplay:
            return self.seats.copy()
        movers = self.movers[:, 0].astype(numpy.int64)
        return numpy.where(movers >= 0, movers, self.seats)

    def act(self, which: _Bools) -> None:
        """Notes who chooses in these games now: that player gets the reward of the step."""
        self.seats[which] = self.choosers()[which]

    # --- steps ---

    def legal(self, actions: _Ints) -> _Bools:
        """Whether each action is legal for the learner of its game."""
        inside = (actions >= 0) & (actions < self.width)
        mask = self.masks[self.all, self.learner_rows(), numpy.where(inside, actions, 0)]
        return numpy.asarray(inside & (mask != 0))

    def any_legal(self, which: _Bools) -> _Ints:
        """A random legal action of each learner."""
        return self._draw(which, self.masks[self.all, self.learner_rows()])

    def step(self, actions: _Ints, which: _Bools) -> NDArray[numpy.float32]:
        """Plays the learners' actions in the games of `which`, and the others' moves; returns all players' rewards."""
        joint = numpy.full((self.count, self.rows), self.env.HOLD, numpy.int64)
        turns = self._turns() & which[:, None]
        joint[which] = -1
        joint[turns] = numpy.broadcast_to(actions[:, None], joint.shape)[turns]
        if self.rows > 1:
            self._others_choose((self.movers >= 0) & ~turns & which[:, None], joint)
        self.env.step(joint)
        total = self.rewards.copy()
        if not self.selfplay:
            total += self._others_play()
        return total

    def _others_play(self) -> NDArray[numpy.float32]:
        """Plays the others' moves until each game waits for its learner or is over; returns the rewards."""
        total = numpy.zeros_like(self.rewards)
        while not self.selfplay:
            choosing = numpy.asarray(self.movers >= 0)
            which: _Bools = numpy.asarray(choosing.any(1) & ~self._turns().any(1))
            if not which.any():
                break
            joint = numpy.full((self.count, self.rows), self.env.HOLD, numpy.int64)
            joint[which] = -1
            self._others_choose(choosing & which[:, None], joint)
            self.env.step(joint)
            total += self.rewards
        return total

    def _others_choose(self, turns: _Bools, joint: _Ints) -> None:
        """Writes the opponents' actions in the games that `turns` marks."""
        for row in range(self.rows):
            which = turns[:, row]
            if not which.any():
                continue
            if self.opponent == "random":
                joint[which, row] = self._draw(which, self.masks[:, row])[which]
            else:
                for index in numpy.flatnonzero(which):
                    joint[index, row] = self._choose(int(index), int(self.movers[index, row]))

    def _draw(self, which: _Bools, masks: NDArray[numpy.int8]) -> _Ints:
        steps = masks.cumsum(1, dtype=numpy.int64)
        wanted = self.streams.below(which, steps[:, -1])
        return numpy.asarray((steps > wanted[:, None]).argmax(1))

    def _choose(self, index: int, seat: int) -> int:
        state = self.env.state(index)
        opponent = self.players.get((index, seat))
        if opponent is None:
            which = self.all == index
            seed = int(self.streams.next(which)[index])
            opponent = self.players[index, seat] = player(self.game, self.opponent, seed)
            opponent.open(state, seat, seed)
        return number_of(state, opponent.choose(state).action, seat)

    # --- what learners see ---

    def observations(self) -> NDArray[numpy.float32]:
        """[count][...] as the learners' seats see the games; of a finished game, its final state."""
        assert self.shown is not None
        rows = self.learner_rows()
        seen = self.shown[self.all, rows].copy()
        for index in numpy.flatnonzero(self.ended()):
            seen[index] = numpy.asarray(self.env.state(int(index)).observe(int(self.seats[index])))
        return numpy.asarray(seen)

    def action_masks(self) -> NDArray[numpy.int8]:
        """[count][width]: the legal actions of each learner; all 0 if the game is over."""
        return numpy.asarray(self.masks[self.all, self.learner_rows()])
