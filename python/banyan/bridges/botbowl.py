"""Banyan's Blood Bowl players as agents of botbowl (github.com/njustesen/botbowl).

    from banyan.bridges.botbowl import Agent

    botbowl.register_bot("banyan", lambda name: Agent(name, ms=500))

    python -m banyan.bridges.botbowl --board 5 --opponent random --games 10     # matches, botbowl on PYTHONPATH

An agent reads the whole position from the game that it is given, which may be a copy, an unpickled game, or one that
the forward model has taken back.  `state(game)` is that position as a state of Banyan, for a search of your own.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import pathlib
import time
from collections.abc import Sequence
from typing import Any

import botbowl
from botbowl.core.model import Action, Agent as _Agent
from botbowl.core.table import ActionType

from banyan import _core
from banyan._core import BanyanError, Choice, State
from banyan.bridges._bloodbowl import Table, answer, board, state

__all__ = ["Agent", "play", "state"]

SHARES = 8  # a decision takes at most 1/SHARES of the time that is left for the turn
TURNS = 16  # turns of a team in a game: game_ms is divided among the turns that are left


def _offered(game: Any, kind: str, player: Any, at: tuple[int, int] | None) -> bool:
    """Whether botbowl offers the action.  In botbowl's enum, kinds of actions with the same number are one kind."""
    for choice in game.state.available_actions:
        if choice.action_type is not ActionType[kind] or choice.disabled:
            continue
        squares = [None if square is None else (square.x, square.y) for square in choice.positions]
        if squares and at not in squares:
            continue
        if player is None or not choice.players or any(player.player_id == one.player_id for one in choice.players):
            return True
    return False


def _ending(game: Any) -> Action:
    """An action that ends or declines something, if the player's decision cannot be used."""
    choices = [choice for choice in game.state.available_actions if not choice.disabled]
    ends = [choice for choice in choices if choice.action_type.name.startswith(("END", "DONT", "SELECT_NONE"))]
    choice = (ends or choices)[0]
    return Action(
        choice.action_type,
        position=choice.positions[0] if choice.positions else None,
        player=choice.players[0] if choice.players else None,
    )


class Agent(_Agent):
    """A player of Banyan in botbowl.

    player: as banyan.player() takes it: "agent", "agent:turns=3", "scripted", "mcts:simulations=500" ...
    ms: the time of a decision.  turn_ms, game_ms: the most time for all decisions of a turn, of a game; None: no limit.
    If botbowl's own clock is stricter, that clock counts.  show: print each decision with its value.  save: a folder;
    each decision is added to the file of its game there, as a line of JSON with its position.
    last: the latest decision, a banyan.Choice.  decisions: their number.  differences: the number of decisions in which
    the position could not be read or botbowl did not offer the action; why: the reason of the latest difference.
    """

    def __init__(
        self,
        name: str = "banyan",
        player: str = "agent",
        *,
        ms: float = 100,
        turn_ms: float | None = None,
        game_ms: float | None = None,
        seed: int = 0,
        show: bool = False,
        save: str | pathlib.Path | None = None,
    ) -> None:
        super().__init__(name)
        for what, value in (("ms", ms), ("turn_ms", turn_ms), ("game_ms", game_ms)):
            if value is not None and not 0 < value <= 1e9:
                raise BanyanError(f"{what} is above 0 and at most 1e9, not {value}")
        _core.player("bloodbowl-1", player, seed)  # a wrong name is told at once
        self.text, self.seed, self.show = player, seed, show
        self.ms, self.turn_ms, self.game_ms = ms, turn_ms, game_ms
        self.save = pathlib.Path(save) if save else None
        self._forget()

    def _forget(self) -> None:
        self._player: _core.Player | None = None
        self._turn: tuple[Any, ...] = ()
        self._spent_turn = self._spent_game = 0.0
        self.decisions = self.differences = 0
        self.why = ""
        self.last: Choice | None = None

    # A game is copied and pickled with its agents.  The copy of an agent makes a new player at its first decision.

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_player": None, "last": None}

    # botbowl calls these

    def new_game(self, game: Any, team: Any) -> None:
        self._forget()

    def end_game(self, game: Any) -> None:
        self._player = None

    def act(self, game: Any) -> Action:
        begin = time.perf_counter()
        self.decisions += 1
        table = Table(game)
        self._see_turn(table)
        try:
            return self._decide(table, begin)
        except BanyanError as why:
            self.differences += 1
            self.why = f"{' '.join(game.get_procedure_names())}: {why}"
            return _ending(game)
        finally:
            spent = 1000 * (time.perf_counter() - begin)
            self._spent_turn += spent
            self._spent_game += spent

    # the parts of act()

    def _see_turn(self, table: Table) -> None:
        """In each new turn drops the player and its tree, so that the next decision makes a new one."""
        s = table.state
        scores = tuple(team.state.score for team in table.teams)
        turn = (board(table.game), s.half, s.round, table.team(s.current_team), scores)
        if turn != self._turn:
            self._turn, self._spent_turn, self._player = turn, 0.0, None

    def _seconds(self, table: Table, begin: float) -> float:
        """The seconds for this decision, without the time that reading the position has taken."""
        limits = [self.ms]
        if self.turn_ms is not None:
            limits.append((self.turn_ms - self._spent_turn) / SHARES)
        if self.game_ms is not None:
            left = max(1, TURNS + 1 - 8 * (table.state.half - 1) - table.state.round)
            limits.append((self.game_ms - self._spent_game) / left / SHARES)
        team = table.team(table.game.active_team)
        clocks = [1000 * clock.get_seconds_left() for clock in table.state.clocks if table.team(clock.team) == team]
        limits += [left / SHARES for left in clocks if left < math.inf]
        return max(0.001, min(limits) / 1000 - (time.perf_counter() - begin))

    def _decide(self, table: Table, begin: float) -> Action:
        position = state(table.game)
        if self._player is None:
            self._player = _core.player(board(table.game), self.text, self.seed)
        choice = self._player.choose(position, seconds=self._seconds(table, begin))
        self.last = choice
        kind, player, at = answer(table, choice.text)
        self._tell(table, position, choice, 1000 * (time.perf_counter() - begin))
        if not _offered(table.game, kind, player, at):
            raise BanyanError(f"botbowl does not offer {choice.text}")
        square = None if at is None else table.game.get_square(*at)
        return Action(ActionType[kind], position=square, player=player)

    def _tell(self, table: Table, position: State, choice: Choice, ms: float) -> None:
        if not self.show and not self.save:
            return
        s = table.state
        row: dict[str, Any] = {
            "half": s.half, "round": s.round, "side": "HA"[position.player], "action": choice.text,
            "value": None if math.isnan(choice.value) else round(choice.value, 4),
            "simulations": choice.simulations, "ms": round(ms, 1),
        }  # fmt: skip
        if self.show:
            value = "" if row["value"] is None else f", value {row['value']:+.2f}"
            print(
                f"{self.name} {row['half']}/{row['round']} {row['side']}: {choice.text}{value},"
                f" {choice.simulations} simulations, {row['ms']:.0f} ms",
                flush=True,
            )
        if self.save:
            self.save.mkdir(parents=True, exist_ok=True)
            with open(self.save / f"{table.game.game_id}.jsonl", "a", encoding="utf-8") as file:
                file.write(json.dumps(row | {"position": position.setup}) + "\n")


# --- matches ---


def play(
    home: Any,
    away: Any,
    *,
    size: int = 11,
    teams: Sequence[Any] = ("human", "human"),
    paths: bool = True,
    seed: int = 1,
) -> Any:
    """Plays a game of two agents on a pitch for `size` players a side, and returns it.

    teams: botbowl's teams, or the names of its files.
    """
    config = botbowl.load_config(f"gym-{size}")
    config.competition_mode = False
    config.fast_mode = True
    config.pathfinding_enabled = config.pathfinding_directly_to_adjacent = paths
    rules = botbowl.load_rule_set(config.ruleset, all_rules=False)
    sides = [
        botbowl.load_team_by_filename(team, rules, board_size=size) if isinstance(team, str) else team for team in teams
    ]
    game = botbowl.Game(
        f"banyan-{seed}", *sides, home, away, config, arena=botbowl.load_arena(config.arena), ruleset=rules, seed=seed
    )
    game.init()
    return game


def _interval(points: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    z, p = 1.96, points / games
    middle, spread = p + z * z / (2 * games), z * math.sqrt(p * (1 - p) / games + z * z / (4 * games * games))
    return (middle - spread) / (1 + z * z / games), (middle + spread) / (1 + z * z / games)


def _opponent(name: str, file: str | None) -> Any:
    if file:
        spec = importlib.util.spec_from_file_location("opponent", file)
        if spec is None or spec.loader is None:
            raise BanyanError(f"{file} is no file of Python")
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    return botbowl.make_bot(name)


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("banyan.bridges.botbowl", description="Banyan against a bot of botbowl.")
    parser.add_argument("--board", type=int, default=11, choices=(1, 3, 5, 7, 11))
    parser.add_argument("--mode", default="path", choices=("path", "step"))
    parser.add_argument("--games", type=int, default=2, help="half of them as home, half as away")
    parser.add_argument("--opponent", default="random", help="a registered bot of botbowl")
    parser.add_argument("--file", help="the Python file that registers it")
    parser.add_argument("--team", default="human")
    parser.add_argument("--opponent-team", help="default: the same team")
    parser.add_argument("--player", default="agent", help="a player of `banyan list`")
    parser.add_argument("--ms", type=float, default=100, help="time of a decision")
    parser.add_argument("--turn-ms", type=float, help="time of a turn; default: no limit")
    parser.add_argument("--game-ms", type=float, help="time of a game; default: no limit")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print each decision with its value")
    parser.add_argument("--save", help="a folder for the decisions, one file for each game")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    """Plays the match of the command line; returns the number of differences (see Agent)."""
    options = _arguments(words)
    scores, touchdowns, differences = [0, 0, 0], [0, 0], 0
    opponent = _opponent(options.opponent, options.file)
    teams = (options.team, options.opponent_team or options.team)
    for i in range(options.games):
        agent = Agent(
            "banyan", options.player, ms=options.ms, turn_ms=options.turn_ms, game_ms=options.game_ms,
            seed=options.seed + i, show=options.show, save=options.save,
        )  # fmt: skip
        order = slice(None, None, 1 if i % 2 == 0 else -1)
        seats, sides = (agent, opponent)[order], teams[order]
        game = play(*seats, size=options.board, teams=sides, paths=options.mode == "path", seed=options.seed + i // 2)
        own, other = [team.state.score for team in (game.state.home_team, game.state.away_team)][order]
        scores[0 if own > other else 1 if own == other else 2] += 1
        touchdowns[0] += own
        touchdowns[1] += other
        differences += agent.differences
        print(
            f"game {i + 1}, banyan {'home' if i % 2 == 0 else 'away'}: {own}:{other}; {agent.decisions} decisions,"
            f" {agent.differences} differences{agent.why and ' (' + agent.why + ')'}",
            flush=True,
        )
    points = scores[0] + scores[1] / 2
    low, high = _interval(points, max(1, options.games))
    print(
        f"won {scores[0]}, drawn {scores[1]}, lost {scores[2]}; score {100 * points / max(1, options.games):.1f} %"
        f" ({100 * low:.1f} to {100 * high:.1f}); touchdowns {touchdowns[0]}:{touchdowns[1]}"
    )
    return differences


if __name__ == "__main__":
    raise SystemExit(1 if main() else 0)
