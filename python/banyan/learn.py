"""Lets a network play against itself, and returns the positions as arrays to learn from.

    samples = banyan.learn.self_play("connect4", network, games=64, simulations=50)

network(observations[n, ...]) returns (values, logits): values[n] of -1..1 for the player who chooses, or
values[n, players], where the player who chooses comes first; logits[n, policy_size].  One call evaluates positions of
all games in progress.
"""

from __future__ import annotations

import json
import math
import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any

import numpy
from numpy.typing import NDArray

from banyan._core import BanyanError, Game, Leaves, Search, State, game
from banyan.evaluator import Evaluator

__all__ = ["Played", "Samples", "evaluator", "read_games", "self_play"]

_Floats = NDArray[numpy.float32]
_Network = Callable[[_Floats], tuple[Any, Any]]


def _returns(rules: Game, values: Any, rows: list[tuple[int, int]], leaves: int) -> _Floats:
    """Converts the network's values, -1..1 for each row, to returns[leaves][players]; a leaf with several rows gets
    their mean."""
    given = numpy.asarray(values, numpy.float32).reshape(len(rows), -1)
    players, low, high = rules.players, *rules.returns
    if given.shape[1] == 1 and players == 2 and "zero-sum" in rules.traits:
        given = numpy.concatenate([given, -given], 1)
    if given.shape[1] != players:
        raise BanyanError(f"values must be of shape (n, {players}) in {rules.name}, got {numpy.shape(values)}")
    out = numpy.zeros((leaves, players), numpy.float32)
    count = numpy.zeros(leaves, numpy.float32)
    at = numpy.array(rows, numpy.int64).reshape(-1, 2)
    middle, half = numpy.float32((low + high) / 2), numpy.float32((high - low) / 2)
    for k in range(players):
        numpy.add.at(out, (at[:, 0], (at[:, 1] + k) % players), middle + half * given[:, k])
    numpy.add.at(count, at[:, 0], numpy.float32(1))
    return numpy.asarray(out / numpy.maximum(count, 1)[:, None], numpy.float32)


def evaluator(network: _Network) -> Evaluator:
    """An evaluator for Search() that calls the network."""

    def evaluate(leaves: Leaves) -> tuple[_Floats, Any]:
        values, logits = network(numpy.asarray(leaves.observations()))
        states = leaves.states[:1]
        return _returns(states[0].game, values, leaves.rows, len(leaves)), logits

    return Evaluator(evaluate, policy=True)


_FIELDS = ("observations", "policies", "values")


@dataclass
class Samples:
    """Samples to learn from: a row for each choice."""

    observations: _Floats  # [n, ...]
    policies: _Floats  # [n, policy_size], the shares of visits
    values: _Floats  # [n, players], the returns scaled to -1..1; the player who chose comes first

    def __len__(self) -> int:
        return len(self.values)

    @staticmethod
    def join(parts: list[Samples]) -> Samples:
        """Joins several Samples of one game."""
        parts = list(parts)
        if not parts or not all(isinstance(part, Samples) for part in parts):
            raise TypeError(f"join() takes a list of Samples, at least one, got {parts!r:.60}")
        return Samples(*(numpy.concatenate([getattr(part, field) for part in parts]) for field in _FIELDS))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file of NumPy (.npz); an existing file is replaced only when the new one is complete."""
        new = f"{os.fspath(path)}.tmp"
        with open(new, "wb") as file:
            numpy.savez_compressed(file, observations=self.observations, policies=self.policies, values=self.values)
        os.replace(new, path)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Samples:
        """Reads a file that save() has written."""
        with open(os.fspath(path), "rb") as raw:
            try:
                with numpy.load(raw, allow_pickle=False) as file:
                    arrays = [numpy.asarray(file[field], numpy.float32) for field in _FIELDS]
            except Exception as why:  # of NumPy, zipfile, zlib and tokenize
                raise BanyanError(f"{os.fspath(path)} holds no samples: {why}") from why
        observations, policies, values = arrays
        dimensions = observations.ndim >= 2 and policies.ndim == 2 and values.ndim == 2
        if not dimensions or not len(observations) == len(policies) == len(values):
            raise BanyanError(f"{os.fspath(path)} holds no samples: its arrays do not fit each other")
        return Samples(observations, policies, values)


@dataclass
class Played:
    """A game of self-play of `banyan train`: the positions in which a full search chose."""

    generation: int
    number: int  # in its generation, from 0
    samples: Samples
    searched: _Floats  # [n] values of the searches, -1..1, for the player who chose
    choices: NDArray[numpy.int32]  # [n] number of each choice in the game, from 0


def read_games(rules: Game, stream: IO[bytes]) -> Iterator[Played]:
    """Reads what `banyan samples` writes (docs/nn.md); raises EOFError if it ends in the middle of a game."""
    line = stream.readline()
    if not line:
        return
    try:
        head = json.loads(line)
        name, width, players = head["game"], head["policy"], head["players"]
    except (ValueError, LookupError, TypeError) as why:
        raise BanyanError(f"this is not what `banyan samples` writes: {why!r:.80}") from why
    if name != rules.name:
        raise BanyanError(f"these are games of {name}, and not of {rules.name}")
    shape = rules.observation_shape or ()

    def take(kind: str, *sizes: int) -> Any:
        size = numpy.dtype(kind).itemsize * math.prod(sizes)
        data = stream.read(size)
        if len(data) < size:
            raise EOFError("the games end in the middle of one")
        return numpy.frombuffer(data, kind).reshape(sizes)

    while numbers := stream.read(24):
        if len(numbers) < 24:
            raise EOFError("the games end in the middle of one")
        generation, number, n = struct.unpack("<3q", numbers)
        samples = Samples(take("<f4", n, *shape), take("<f4", n, width), take("<f4", n, players))
        yield Played(generation, number, samples, take("<f4", n), take("<i4", n))


class _Playing:
    """A game that is being played."""

    def __init__(self, rules: Game, options: dict[str, Any], seed: int) -> None:
        self.state: State = rules.new(seed=seed)
        self.search = Search(rules, Evaluator(policy=True), **{"rule": "puct", "seed": seed % (1 << 31), **options})
        self.search.set_root(self.state)
        self.seen: list[tuple[int, _Floats, _Floats]] = []

    def choose(self, random: numpy.random.Generator, temperature: float) -> None:
        """Plays an action that is drawn in proportion to visits ** (1 / temperature); 0: the most visited one.

        The only simulation of a search visits no action: then the network's policy takes the place of visits."""
        seat = self.state.player
        moves = self.search.moves()
        visited = any(move.visits for move in moves)
        shares = self.search.policy() if visited else {move.action: move.prior for move in moves}
        policy = numpy.zeros(self.state.game.policy_size, numpy.float32)
        for action, share in shares.items():
            policy[self.state.index(action)] = share
        self.seen.append((seat, numpy.asarray(self.state.observe()).copy(), policy))
        weights = numpy.array(list(shares.values()))
        best = int(weights.argmax())
        drawn = (weights / weights.max()) ** (1 / temperature) if temperature > 0 else weights
        pick = int(random.choice(len(weights), p=drawn / drawn.sum())) if temperature > 0 else best
        self.state.apply(list(shares)[pick])
        if not self.state.over:
            self.search.set_root(self.state)

    def samples(self) -> Samples:
        low, high = self.state.game.returns
        returns = [(2 * value - low - high) / (high - low) for value in self.state.returns]
        values = [returns[seat:] + returns[:seat] for seat, _, _ in self.seen]
        return Samples(
            numpy.stack([seen for _, seen, _ in self.seen]),
            numpy.stack([policy for _, _, policy in self.seen]),
            numpy.array(values, numpy.float32),
        )


def _think(playing: list[_Playing], network: _Network, simulations: int, batch: int) -> None:
    """Searches in all games until each has its simulations; one call of the network evaluates leaves of all games."""
    rules = playing[0].state.game
    busy = playing
    while busy:
        asked = [(one.search, one.search.select(batch)) for one in busy]
        seen = [numpy.asarray(leaves.observations()) for _, leaves in asked if len(leaves)]
        values, logits = network(numpy.concatenate(seen)) if seen else (numpy.zeros((0, 1)), numpy.zeros((0, 1)))
        at = 0
        for search, leaves in asked:
            part = slice(at, at + len(leaves))
            at += len(leaves)
            if len(leaves):
                search.update(leaves, _returns(rules, values[part], leaves.rows, len(leaves)), logits[part])
        busy = [one for one in busy if one.search.stats().simulations < simulations]


def self_play(
    name: Game | str,
    network: _Network,
    games: int,
    *,
    simulations: int = 100,
    parallel: int = 64,
    batch: int = 4,
    temperature: float = 1.0,
    random_plies: int = 1 << 30,
    seed: int | None = None,
    **options: Any,
) -> Samples:
    """Plays games of the network against itself.

    parallel: games at the same time; batch: leaves of each game in one call of the network.  In the first random_plies
    plies an action is drawn in proportion to visits ** (1 / temperature); later the most visited action is played.
    options: options of the searches; noise_weight is 0.25 unless it is given.
    """
    rules = game(name)
    if "simultaneous" in rules.traits or not rules.policy_size or rules.observation_shape is None:
        raise BanyanError(f"{rules.name}: self_play() is for games with turns, a policy head and an observation")
    for word, number in {"games": games, "simulations": simulations, "parallel": parallel, "batch": batch}.items():
        if not isinstance(number, int | numpy.integer) or number < 1:
            raise BanyanError(f"{word} is a whole number of at least 1, got {number!r}")
    if not 0 <= temperature < math.inf:
        raise BanyanError(f"temperature is 0 or more, got {temperature!r}")
    random = numpy.random.default_rng(seed)
    left, playing, done = games, list[_Playing](), list[Samples]()
    options = {"batch": batch, "noise_weight": 0.25, **options}
    while left or playing:
        while left and len(playing) < parallel:
            playing.append(_Playing(rules, options, int(random.integers(1 << 63))))
            left -= 1
        _think(playing, network, simulations, batch)
        for one in playing:
            one.choose(random, temperature if len(one.seen) < random_plies else 0.0)
        done += [one.samples() for one in playing if one.state.over]
        playing = [one for one in playing if not one.state.over]
    return Samples.join(done)
