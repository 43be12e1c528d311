"""Games as environments of Gymnasium.

    import gymnasium
    import banyan.gym

    env = gymnasium.make("banyan/othello-v0", opponent="mcts:simulations=100")
    envs = gymnasium.make_vec("banyan/othello-v0", num_envs=1024, opponent="self")

A learner chooses for one seat; the other seats are played by `opponent`, any player of banyan.player().  With
opponent="self" the learner chooses for everybody, and each reward goes to the player who has just played.  The reward
is the return of the game in the step that ends it, and 0 before.

The mask of legal actions is in the observation ("action_mask"), in info["action_mask"] and in action_masks().
An illegal action loses the game; with illegal="random" a random legal action is played in its place, with
illegal="raise" it raises a BanyanError.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from banyan._core import BanyanError, Game, games
from banyan._seats import Seats, observation_bounds
from banyan._seats import render_mode as checked_mode
from banyan.define import DEFINED

__all__ = ["Env", "VectorEnv", "register"]

_ILLEGAL = ("loss", "random", "raise")
_FORMS = ("dict", "array")


class _Play:
    """The common part of Env and VectorEnv: games that end at different steps, and illegal actions."""

    def __init__(
        self, game: Game | str, count: int, opponent: str, seat: int | str, setup: str, illegal: str, observation: str
    ) -> None:
        if illegal not in _ILLEGAL or observation not in _FORMS:
            raise BanyanError(f"illegal is one of {_ILLEGAL} and observation one of {_FORMS}")
        self.seats = Seats(game, count, opponent, seat, setup, _any_seed())
        self.game, self.illegal, self.form = self.seats.game, illegal, observation
        self.over = numpy.ones(count, numpy.bool_)
        self.late = numpy.zeros((count, self.game.players), numpy.float32)
        low, high = observation_bounds(self.game)
        box = gymnasium.spaces.Box(low, high, dtype=numpy.float32)
        mask = gymnasium.spaces.Box(0, 1, (self.seats.width,), numpy.int8)
        both = gymnasium.spaces.Dict({"observation": box, "action_mask": mask})
        self.observation_space: gymnasium.Space[Any] = both if observation == "dict" else box
        self.action_space = gymnasium.spaces.Discrete(self.seats.width)

    def reset(self, which: NDArray[numpy.bool_], seeds: NDArray[numpy.uint64] | None = None) -> None:
        """Begins new games.  If a game ends before the learner's first turn, the next step reports the end."""
        self.seats.reset(which, seeds)
        self.late[which] = self.seats.late[which]
        self.over[which] = False

    def step(
        self, actions: NDArray[numpy.int64], which: NDArray[numpy.bool_]
    ) -> tuple[NDArray[numpy.float64], NDArray[numpy.bool_]]:
        """Plays in the games of `which`.  Returns the learners' rewards, and which games have ended."""
        seats = self.seats
        ended = seats.ended() & which
        legal = seats.legal(actions) | ended | ~which
        lost = numpy.zeros_like(legal)
        if not legal.all():
            actions, lost = self._mend(actions, legal)
        seats.act(which)
        total = seats.step(actions, which & ~ended & ~lost)
        total[ended] = self.late[ended]
        rewards = total[seats.all, seats.seats].astype(numpy.float64)
        rewards[lost] = self.game.returns[0]
        rewards[~which] = 0
        over = (seats.ended() | lost) & which
        self.over |= over
        return rewards, over

    def _mend(
        self, actions: NDArray[numpy.int64], legal: NDArray[numpy.bool_]
    ) -> tuple[NDArray[numpy.int64], NDArray[numpy.bool_]]:
        first = int((~legal).argmax())
        if self.illegal == "raise":
            raise BanyanError(f"game {first}: action {actions[first]} is not legal; the mask says which are")
        if self.illegal == "random":
            return numpy.where(legal, actions, self.seats.any_legal(~legal)), numpy.zeros_like(legal)
        return actions, ~legal

    def masks(self) -> NDArray[numpy.int8]:
        masks = self.seats.action_masks()
        masks[self.over] = 0
        return masks

    def look(self) -> tuple[Any, dict[str, Any]]:
        """The observations and infos of all games."""
        masks, shown = self.masks(), self.seats.observations()
        players = self.seats.choosers()
        info = {"action_mask": masks, "player": players}
        return ({"observation": shown, "action_mask": masks.copy()} if self.form == "dict" else shown), info


def _any_seed() -> int:
    return int(numpy.random.SeedSequence().generate_state(1, numpy.uint64)[0])


def _words(seeds: list[int]) -> NDArray[numpy.uint64]:
    """Seeds as words of 64 bits; of a larger seed only the lowest 64 bits are used."""
    return numpy.array([int(seed) & ((1 << 64) - 1) for seed in seeds], numpy.uint64)


def _actions(actions: Any) -> NDArray[numpy.int64]:
    """Actions as integers of 64 bits; those that have more bits become others that are illegal, too."""
    try:
        return numpy.asarray(actions, numpy.int64)
    except OverflowError:
        return numpy.asarray(numpy.clip(numpy.asarray(actions, object), -1, (1 << 63) - 1), numpy.int64)


def _first(thing: Any) -> Any:
    return {name: part[0] for name, part in thing.items()} if isinstance(thing, dict) else thing[0]


class Env(gymnasium.Env[Any, Any]):
    """One game at a time.

    game: a Game or its name.  opponent: a player of the library, or "self".  seat: the learner's seat, a number from
    0, or "random".  setup: the setup of each new game, as for Game.new().  illegal: "loss", "random" or "raise".
    observation: "dict", or "array" without the mask.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}

    def __init__(
        self,
        game: Game | str,
        *,
        opponent: str = "random",
        seat: int | str = 0,
        setup: str = "",
        illegal: str = "loss",
        observation: str = "dict",
        render_mode: str | None = None,
    ) -> None:
        self._play = _Play(game, 1, opponent, seat, setup, illegal, observation)
        self.game = self._play.game
        self.observation_space = self._play.observation_space
        self.action_space = self._play.action_space
        self.render_mode = checked_mode(render_mode)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._play.reset(numpy.ones(1, numpy.bool_), None if seed is None else _words([seed]))
        return self._look()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self._play.over[0]:
            raise BanyanError("the game is over, or has not begun: call reset()")
        rewards, over = self._play.step(_actions([int(action)]), numpy.ones(1, numpy.bool_))
        observation, info = self._look()
        return observation, float(rewards[0]), bool(over[0]), False, info

    def _look(self) -> tuple[Any, dict[str, Any]]:
        observation, info = self._play.look()
        return _first(observation), {"action_mask": info["action_mask"][0], "player": int(info["player"][0])}

    def action_masks(self) -> NDArray[numpy.bool_]:
        """Which actions are legal; sb3-contrib calls this method."""
        return numpy.asarray(self._play.masks()[0] != 0)

    @property
    def state(self) -> Any:
        """A copy of the State."""
        return self._play.seats.env.state(0)

    def render(self) -> Any:
        return self.state.draw(int(self._play.seats.choosers()[0])) if self.render_mode else None


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Many games that take each step together, in C.

    The parameters are those of Env; autoreset_mode: any of gymnasium.vector.AutoresetMode.
    Observations, rewards and infos equal those of a SyncVectorEnv of Env.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        *,
        opponent: str = "random",
        seat: int | str = 0,
        setup: str = "",
        illegal: str = "loss",
        observation: str = "dict",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
    ) -> None:
        self._play = _Play(game, num_envs, opponent, seat, setup, illegal, observation)
        self.game = self._play.game
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**Env.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = checked_mode(render_mode)
        self.single_observation_space = self._play.observation_space
        self.single_action_space = self._play.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._all = numpy.ones(num_envs, numpy.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed if isinstance(seed, int) else None)
        which = self._reset_mask(options)
        seeds = self._seeds(seed)
        known = numpy.array([one is not None for one in seeds]) & which
        if known.any():
            self._play.reset(known, _words([one or 0 for one in seeds]))
        if (which & ~known).any():
            self._play.reset(which & ~known)
        observation, info = self._play.look()
        return observation, self._infos(info, which)

    def _reset_mask(self, options: dict[str, Any] | None) -> NDArray[numpy.bool_]:
        if options is not None and not isinstance(options, dict):
            raise BanyanError(f"options is a dict, such as {{'reset_mask': array}}, got {options!r:.60}")
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return self._all
        if not isinstance(mask, numpy.ndarray) or mask.dtype != numpy.bool_ or mask.shape != (self.num_envs,):
            raise BanyanError(f"options['reset_mask'] must be an array of bool of shape ({self.num_envs},)")
        if not mask.any():
            raise BanyanError("options['reset_mask'] is False for all games: none would begin")
        return mask

    def _seeds(self, seed: int | list[int | None] | None) -> list[int | None]:
        if isinstance(seed, int | numpy.integer) and seed < 0:
            raise BanyanError(f"seed is an int of 0 or more, got {seed!r}")
        if seed is None or isinstance(seed, int | numpy.integer):
            return [None if seed is None else int(seed) + i for i in range(self.num_envs)]
        if isinstance(seed, str) or not hasattr(seed, "__len__") or len(seed) != self.num_envs:
            raise BanyanError(f"seed is an int or a list of {self.num_envs} (num_envs), got {seed!r:.60}")
        for one in seed:
            if one is not None and not (isinstance(one, int | numpy.integer) and one >= 0):
                raise BanyanError(f"seeds are ints of 0 and more, or None, got {one!r:.60}")
        return list(seed)

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[numpy.float64], NDArray[numpy.bool_], NDArray[numpy.bool_], dict[str, Any]]:
        actions = _actions(actions)
        if actions.shape != (self.num_envs,):
            raise BanyanError(f"actions are an array of shape ({self.num_envs},), got {actions.shape}")
        begin = self._play.over.copy()
        if begin.any() and self.autoreset_mode != AutoresetMode.NEXT_STEP:
            raise BanyanError(f"game {int(begin.argmax())} is over: call reset(options={{'reset_mask': ...}})")
        rewards, over = self._play.step(actions, ~begin)
        infos: dict[str, Any] = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP and over.any():
            infos = self._final(over)
            begin = over
        if begin.any():
            self._play.reset(begin)
        observation, info = self._play.look()
        return observation, rewards, over, numpy.zeros_like(over), {**infos, **self._infos(info, self._all)}

    def _infos(self, info: dict[str, Any], which: NDArray[numpy.bool_]) -> dict[str, Any]:
        """The infos as Gymnasium collects them: each has an array "_name" that says which games have it."""
        infos: dict[str, Any] = {}
        for name, values in info.items():
            values[~which] = 0
            infos[name], infos[f"_{name}"] = values, which.copy()
        return infos

    def _final(self, over: NDArray[numpy.bool_]) -> dict[str, Any]:
        observation, info = self._play.look()
        final = numpy.full(self.num_envs, None, dtype=object)
        for index in numpy.flatnonzero(over):
            one = observation
            final[index] = {k: v[index] for k, v in one.items()} if isinstance(one, dict) else one[index]
        return {
            "final_obs": final,
            "_final_obs": over.copy(),
            "final_info": self._infos(info, over),
            "_final_info": over.copy(),
        }

    def action_masks(self) -> NDArray[numpy.bool_]:
        """[num_envs][actions]: which actions are legal."""
        return numpy.asarray(self._play.masks() != 0)

    def render(self) -> Any:
        if self.render_mode is None:
            return None
        seats = self._play.seats
        chooser = seats.choosers()
        return tuple(seats.env.state(i).draw(int(chooser[i])) for i in range(self.num_envs))


def register(name: str) -> str:
    """Registers a game as an environment of Gymnasium, and returns its id, "banyan/NAME-v0".

    The library's games are registered by `import banyan.gym`; games of banyan.define() by this call.
    """
    id = f"banyan/{name}-v0"
    gymnasium.register(
        id=id, entry_point="banyan.gym:Env", vector_entry_point="banyan.gym:VectorEnv", kwargs={"game": name}
    )
    return id


for _name in games():
    if _name not in DEFINED:
        register(_name)
