"""Banyan's Pokémon search as a Player of poke-env.

    from banyan.bridges.poke_env import Player

    player = Player(player="mcts", seconds=0.5)
    await player.battle_against(RandomPlayer(battle_format="gen8randombattle"), n_battles=10)

The program `banyan` decides, in one process for each battle: it gets every line that poke-env gets, records what was
seen of the opponent, and searches.  poke-env's event loop awaits the answer, so other battles go on.
"""

from __future__ import annotations

import asyncio
from typing import Any

import poke_env.player
from poke_env.player.battle_order import BattleOrder

from banyan import _program
from banyan._core import BanyanError

__all__ = ["Player"]

FORMAT = "gen8randombattle"


class _Order(BattleOrder):
    """A choice in the server's own words."""

    def __init__(self, text: str) -> None:
        self._text = text

    @property
    def message(self) -> str:
        return self._text


class _Battle:
    """The process that decides in one battle."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin and process.stdout
        self.process, self.into, self.out = process, process.stdin, process.stdout

    async def tell(self, lines: list[str]) -> None:
        self.into.write("".join(f"{line}\n" for line in lines).encode())
        await self.into.drain()

    async def ask(self) -> str:
        """The choice, or "" if there is nothing to choose."""
        self.into.write(b"\n")
        await self.into.drain()
        return (await self.out.readline()).decode().strip()

    async def end(self) -> None:
        self.into.close()
        await self.process.wait()


class Player(poke_env.player.Player):
    """A player of `banyan showdown` (docs/showdown.md) for the format gen8randombattle.

    player: "mcts", "mcts:simulations=2000", "heuristic", ...  seconds: for each decision.  program: the path of the
    program `banyan`; None: the environment variable BANYAN_PROGRAM, or `banyan` on the PATH.  save: a folder for
    replays, logs and decisions.
    Further arguments are those of poke_env.player.Player.
    """

    def __init__(
        self,
        *args: Any,
        player: str = "mcts",
        seconds: float = 1.0,
        seed: int = 1,
        program: str | None = None,
        save: str | None = None,
        **settings: Any,
    ) -> None:
        if settings.setdefault("battle_format", FORMAT) != FORMAT:
            raise BanyanError(f"{FORMAT} is the only format, not {settings['battle_format']}")
        if not 0.001 <= seconds <= 1000:
            raise BanyanError(f"seconds is 0.001 to 1000, got {seconds}")
        options = [f"--player={player}", f"--time={round(seconds * 1000)}ms", f"--seed={seed}"]
        options += [f"--save={save}"] if save else []
        self._command = [_program.find(program), "showdown", "--pipe", *options]
        self._deciding: dict[str, _Battle] = {}
        self._over: set[str] = set()  # rooms of finished battles, to which the server still sends lines
        super().__init__(*args, **settings)

    async def _battle(self, room: str) -> _Battle:
        if room not in self._deciding:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                f"--name={self.username}",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
            self._deciding[room] = _Battle(process)
            await self._deciding[room].tell([f">{room}"])
        return self._deciding[room]

    async def _handle_battle_message(self, split_messages: list[list[str]]) -> None:
        room = split_messages[0][0].lstrip(">")
        if room in self._over:
            await super()._handle_battle_message(split_messages)
            return
        lines = ["|".join(parts) for parts in split_messages[1:]]
        battle = await self._battle(room)
        await battle.tell([line for line in lines if line])
        await super()._handle_battle_message(split_messages)
        if any(parts[1:2] in (["win"], ["tie"]) for parts in split_messages[1:]):
            del self._deciding[room]
            self._over.add(room)
            await battle.end()

    async def _choose(self, battle: Any) -> Any:
        choice = await (await self._battle(battle.battle_tag.lstrip(">"))).ask()
        return _Order(choice) if choice else self.choose_default_move()

    def choose_move(self, battle: Any) -> Any:
        """Returns an awaitable of the order, so that the event loop can do other work meanwhile."""
        return self._choose(battle)

    def teampreview(self, battle: Any) -> str:
        return "/choose default"
