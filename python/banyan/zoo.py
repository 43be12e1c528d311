"""Games as environments of PettingZoo.

    import pettingzoo
    import banyan.zoo

    env = pettingzoo.make("aec", "banyan/othello-v0")
    env = pettingzoo.make("parallel", "banyan/rps-v0")

Every game is an AEC environment: players who choose at the same time are asked one after the other, and do not
see each other's choices.  Games in which players choose at the same time are Parallel environments, too.

The reward is the return of the game in the step that ends it, and 0 before.  The mask of legal actions is in the
observation ("action_mask") and in the infos.  An agent that plays an illegal action loses the game.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy
import pettingzoo
from numpy.typing import NDArray

from banyan._core import BanyanError, Game, State, game, games
from banyan._seats import observation_bounds
from banyan._seats import render_mode as checked_mode
from banyan.define import DEFINED

__all__ = ["AEC", "Parallel", "register"]


class _Table:
    """The common part of AEC and Parallel: a game, its agents and their observations."""

    def __init__(self, name: Game | str, setup: str, observation: str, max_cycles: int | None) -> None:
        if observation not in ("dict", "array"):
            raise BanyanError(f"observation is 'dict' or 'array', got {observation!r}")
        self.game = game(name)
        if self.game.observation_shape is None:
            raise BanyanError(f"{self.game.name} has no observation")
        self.setup, self.form, self.max_cycles = setup, observation, max_cycles
        self.width = self.game.policy_size or self.game.max_legal
        self.agents = [f"player_{p}" for p in range(self.game.players)]
        self.seat = {agent: p for p, agent in enumerate(self.agents)}
        self.spaces = {agent: self._space() for agent in self.agents}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self.width) for agent in self.agents}
        self.random = numpy.random.default_rng()
        self.state: State = self.game.new(setup)
        self.cycles = 0

    def _space(self) -> gymnasium.Space[Any]:
        low, high = observation_bounds(self.game)
        box = gymnasium.spaces.Box(low, high, dtype=numpy.float32)
        mask = gymnasium.spaces.Box(0, 1, (self.width,), numpy.int8)
        return gymnasium.spaces.Dict({"observation": box, "action_mask": mask}) if self.form == "dict" else box

    def known(self, agent: str) -> str:
        if agent not in self.agents:
            raise BanyanError(f"no agent is called {agent!r}; there are {', '.join(self.agents)}")
        return agent

    def begin(self, seed: int | None) -> None:
        if seed is not None:
            self.random = numpy.random.default_rng(seed)
        self.state = self.game.new(self.setup, seed=int(self.random.integers(1 << 63)))
        self.cycles = 0

    def mask(self, agent: str) -> NDArray[numpy.int8]:
        """The mask of the agent's legal actions; all 0 if the agent does not choose."""
        mask = numpy.zeros(self.width, numpy.int8)
        player = self.seat[agent]
        if player in self.state.movers:
            if self.game.policy_size:
                self.state.mask(player, mask)
            else:
                mask[: len(self.state.legal(player))] = 1
        return mask

    def observe(self, agent: str, mask: NDArray[numpy.int8]) -> Any:
        seen = numpy.asarray(self.state.observe(self.seat[agent]))
        return {"observation": seen, "action_mask": mask} if self.form == "dict" else seen

    def action(self, agent: str, number: Any) -> int | None:
        """The action with this number in the mask; None: it is not legal."""
        player = self.seat[agent]
        try:
            if self.game.policy_size:
                return self.state.action(int(number), player)
            return dict(enumerate(self.state.legal(player))).get(int(number))
        except (BanyanError, ValueError, OverflowError):
            return None

    def apply(self, actions: dict[str, int | None]) -> dict[str, float] | None:
        """Plays the actions of all agents who choose; returns each agent's return if the game is over, else None."""
        self.cycles += 1
        losers = [agent for agent, action in actions.items() if action is None]
        if losers:
            return self._forfeit(losers)
        self.state.apply({self.seat[agent]: action for agent, action in actions.items() if action is not None})
        if not self.state.over:
            return None
        return dict(zip(self.agents, self.state.returns, strict=True))

    def _forfeit(self, losers: list[str]) -> dict[str, float]:
        """The least return for agents that played an illegal action; in a zero-sum game the others share the rest."""
        least, most = self.game.returns
        others = len(self.agents) - len(losers)
        rest = (least + most) / 2
        if "zero-sum" in self.game.traits and others:
            rest = (rest * len(self.agents) - least * len(losers)) / others
        return {agent: least if agent in losers else rest for agent in self.agents}

    def too_long(self) -> bool:
        return self.max_cycles is not None and self.cycles >= self.max_cycles


class AEC(pettingzoo.AECEnv):
    """A game whose agents are asked one after the other.

    game: a Game or its name.  setup: the setup of each new game, as for Game.new().  observation: "dict", or "array"
    with the mask in the infos only.  max_cycles: number of turns after which a game is truncated.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "name": "banyan", "is_parallelizable": False}

    def __init__(
        self,
        game: Game | str,
        *,
        setup: str = "",
        observation: str = "dict",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._table = _Table(game, setup, observation, max_cycles)
        self.game = self._table.game
        self.metadata = {**AEC.metadata, "name": f"{self.game.name}_v0"}
        self.possible_agents = list(self._table.agents)
        self.observation_spaces, self.action_spaces = self._table.spaces, self._table.action_spaces
        self.render_mode = checked_mode(render_mode)
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[self._table.known(agent)]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[self._table.known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._table.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._turn()

    def _turn(self) -> None:
        """Asks the agents that choose now; at the end of the game, each agent for its last step."""
        movers = self._table.state.movers
        self._waiting = [self.possible_agents[p] for p in movers] or list(self.agents)
        self._chosen: dict[str, int | None] = {}
        self.agent_selection = self._waiting[0]
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _mask(self, agent: str) -> NDArray[numpy.int8]:
        over = self.terminations.get(agent) or self.truncations.get(agent)
        mask = self._table.mask(agent)
        return numpy.zeros_like(mask) if over or agent in self._chosen else mask

    def observe(self, agent: str) -> Any:
        return self._table.observe(self._table.known(agent), self._mask(agent))

    def step(self, action: Any) -> None:
        if not self.agents:
            raise BanyanError("the game is over, or has not begun: call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._chosen[agent] = self._table.action(agent, action)
        self.infos[agent] = {"action_mask": self._mask(agent)}
        left = [other for other in self._waiting if other not in self._chosen]
        if left:
            self.agent_selection = left[0]
        else:
            self._play()
        self._accumulate_rewards()

    def _play(self) -> None:
        returns = self._table.apply(self._chosen)
        if returns is not None:
            self.rewards = returns
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._table.too_long():
            self.truncations = dict.fromkeys(self.agents, True)
        self._turn()

    @property
    def banyan_state(self) -> State:
        """A copy of the State."""
        return self._table.state.clone()

    def render(self) -> Any:
        if self.render_mode is None:
            return None
        if not hasattr(self, "agent_selection"):
            raise BanyanError("the game has not begun: call reset()")
        return self._table.state.draw(self._table.seat[self.agent_selection])

    def close(self) -> None:
        pass


class Parallel(pettingzoo.ParallelEnv[str, Any, Any]):
    """A game whose players choose at the same time; the parameters are those of AEC.

    If an agent does not choose in a turn, only action 0 is in its mask, and infos[agent]["chooses"] is False.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "name": "banyan"}

    def __init__(
        self,
        game: Game | str,
        *,
        setup: str = "",
        observation: str = "dict",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._table = _Table(game, setup, observation, max_cycles)
        self.game = self._table.game
        if "simultaneous" not in self.game.traits:
            raise BanyanError(f"in {self.game.name} players choose in turn: use banyan.zoo.AEC")
        self.metadata = {**Parallel.metadata, "name": f"{self.game.name}_v0"}
        self.possible_agents = list(self._table.agents)
        self.agents: list[str] = []
        self.observation_spaces, self.action_spaces = self._table.spaces, self._table.action_spaces
        self.render_mode = checked_mode(render_mode)

    @property
    def max_cycles(self) -> int | None:
        """Turns after which a game is truncated."""
        return self._table.max_cycles

    @max_cycles.setter
    def max_cycles(self, cycles: int | None) -> None:
        self._table.max_cycles = cycles

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[self._table.known(agent)]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[self._table.known(agent)]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        self._table.begin(seed)
        self.agents = list(self.possible_agents)
        return self._look()

    def _choosers(self) -> list[str]:
        return [self.possible_agents[p] for p in self._table.state.movers]

    def _look(self) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        choosers = self._choosers()
        masks = {agent: self._table.mask(agent) for agent in self.agents}
        for agent, mask in masks.items():
            mask[0] |= agent not in choosers
        infos = {agent: {"action_mask": masks[agent].copy(), "chooses": agent in choosers} for agent in self.agents}
        return {agent: self._table.observe(agent, masks[agent]) for agent in self.agents}, infos

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        if not self.agents:
            raise BanyanError("the game is over, or has not begun: call reset()")
        if not isinstance(actions, dict):
            raise BanyanError(f"actions are a dict, {{agent: action}}, got {actions!r:.60}")
        missing = [agent for agent in self._choosers() if agent not in actions]
        if missing:
            raise BanyanError(f"the action of {missing[0]} is missing")
        returns = self._table.apply({agent: self._table.action(agent, actions[agent]) for agent in self._choosers()})
        over, cut = returns is not None, returns is None and self._table.too_long()
        observations, infos = self._look()
        agents = self.agents
        if over or cut:
            self.agents = []
        return (
            observations,
            returns or dict.fromkeys(agents, 0.0),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, cut),
            infos,
        )

    @property
    def banyan_state(self) -> State:
        """A copy of the State."""
        return self._table.state.clone()

    def render(self) -> Any:
        return self._table.state.draw(-1) if self.render_mode else None

    def close(self) -> None:
        pass


def register(name: str) -> str:
    """Registers a game in PettingZoo's registries, and returns its id, "banyan/NAME-v0".

    The library's games are registered by `import banyan.zoo`; games of banyan.define() by this call.
    """
    id = f"banyan/{name}-v0"
    pettingzoo.register("aec", id, "banyan.zoo:AEC", kwargs={"game": name})
    if "simultaneous" in game(name).traits:
        pettingzoo.register("parallel", id, "banyan.zoo:Parallel", kwargs={"game": name})
    return id


for _name in games():
    if _name not in DEFINED:
        register(_name)
