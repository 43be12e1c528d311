"""Runs of `banyan train`: starts, follows and reads them.

    run = banyan.train("connect4", "run", loop={"generations": 10}, on_generation=print)
    samples = banyan.Run("run").samples(first=5)

The program `banyan` does the training, in one process or many (docs/nn.md).  A run can be read while it is trained.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from banyan import _program
from banyan._core import BanyanError, Game, game

if TYPE_CHECKING:
    from banyan.learn import Played, Samples

__all__ = ["Generation", "Run", "Test", "train"]

_Settings = Mapping[str, str | int | float | bool]


class Generation(NamedTuple):
    """The figures of a finished generation."""

    generation: int  # from 1
    games: int
    choices: int
    positions: int  # with a policy target
    window: int  # positions that were learned from
    step: int  # of the optimizer
    policy_loss: float  # cross-entropy; it cannot be less than entropy
    entropy: float
    value_loss: float  # squared error
    gate_games: int  # of the new network against the best one
    gate_score: float  # share of points of the new network
    published: bool  # the new network became the best one
    elo: float  # Elo of the best network minus that of the first one, measured by the gates
    play_s: float
    learn_s: float
    gate_s: float


class Test(NamedTuple):
    """The best network against a fixed opponent, after a generation."""

    generation: int
    opponent: str
    games: int
    losses: int
    score: float  # share of points


# Columns of the database whose names are not those above.
_NAMES = {"policy_loss": "policy", "value_loss": "value"}


class Run:
    """A run of `banyan train` in a folder; it may be in training while it is read.

    program: the path of the program `banyan`; None: the environment variable BANYAN_PROGRAM, or `banyan` on the PATH.
    Only games() and samples() need the program.
    """

    def __init__(self, path: str | os.PathLike[str], *, program: str | None = None) -> None:
        self.path = pathlib.Path(path)
        self._given = program
        try:
            words = (self.path / "options").read_text(encoding="utf-8", errors="replace").split(None, 2)
        except OSError as why:
            raise BanyanError(f"{self.path} is no folder of `banyan train`: {why}") from None
        if words[:1] != ["game"] or len(words) < 2:
            raise BanyanError(f"{self.path / 'options'} is damaged: its first line does not name the game")
        self.game: Game = game(words[1])

    def __repr__(self) -> str:
        return f"banyan.Run({str(self.path)!r}): {len(self.generations)} generations of {self.game.name}"

    def _repr_html_(self) -> str:
        from banyan import show

        return show.run(self)

    @property
    def best(self) -> pathlib.Path:
        """The file of the best network; the player is f"net:{run.best}"."""
        return self.path / "best.safetensors"

    def _rows(self, query: str) -> list[dict[str, Any]]:
        import sqlite3

        if not (self.path / "run.db").exists():
            return []
        address = (self.path / "run.db").resolve().as_uri() + "?mode=ro"
        try:
            with contextlib.closing(sqlite3.connect(address, timeout=10, uri=True)) as database:
                database.row_factory = sqlite3.Row
                return [dict(row) for row in database.execute(query)]
        except sqlite3.Error as why:
            if "no such table" in str(why):  # the program has not made the table yet
                return []
            raise BanyanError(f"{self.path / 'run.db'} cannot be read: {why}") from None

    @property
    def generations(self) -> list[Generation]:
        """The finished generations."""
        columns = ", ".join(f"{_NAMES.get(name, name)} AS {name}" for name in Generation._fields)
        rows = self._rows(f"SELECT {columns} FROM generations ORDER BY generation")
        return [Generation(**row | {"published": bool(row["published"])}) for row in rows]

    @property
    def tests(self) -> list[Test]:
        """The tests of the best network, by generation."""
        columns = ", ".join(Test._fields)
        return [Test(**row) for row in self._rows(f"SELECT {columns} FROM exams ORDER BY generation, opponent")]

    def _files(self, first: int, last: int | None) -> list[str]:
        found = []
        for file in sorted((self.path / "records").glob("g*.rec")):
            match = re.fullmatch(r"g(\d+)(\.\d+)?\.rec", file.name)
            if match and first <= int(match[1]) and (last is None or int(match[1]) <= last):
                found.append(str(file))
        return found

    def games(self, first: int = 1, last: int | None = None) -> Iterator[Played]:
        """The games of self-play of the generations first..last, each with its positions; last=None: to the newest."""
        from banyan import learn

        files = self._files(first, last)
        if not files:
            return
        words = [_program.find(self._given), "samples", self.game.name, *files]
        seen = set()
        with tempfile.TemporaryFile() as said, subprocess.Popen(words, stdout=subprocess.PIPE, stderr=said) as process:
            assert process.stdout
            with contextlib.suppress(EOFError):  # the program has failed: _ended() says why
                for played in learn.read_games(self.game, process.stdout):
                    if (played.generation, played.number) not in seen:  # two processes may have played the same game
                        seen.add((played.generation, played.number))
                        yield played
            _ended(process, said)

    def samples(self, first: int = 1, last: int | None = None) -> Samples:
        """The positions of the generations first..last as arrays: see banyan.learn.Samples."""
        from banyan import learn

        games = [played.samples for played in self.games(first, last)]
        if not games:
            upto = "" if last is None else f" to {last}"
            raise BanyanError(f"{self.path} has no games of the generations from {first}{upto}")
        return learn.Samples.join(games)


def _ended(process: subprocess.Popen[Any], said: Any) -> None:
    """Waits for the program; if it has failed, raises its message."""
    if process.wait() == 0:
        return
    said.seek(0)
    lines = said.read().decode(errors="replace").strip().splitlines()
    why = lines[-1] if lines else f"banyan ended with code {process.returncode}"
    raise BanyanError(re.sub(r"^banyan( \w+)?: ", "", why))


def _words(part: str, settings: _Settings | None) -> list[str]:
    words = []
    for name, value in (settings or {}).items():
        shown = {True: "on", False: "off"}[value] if isinstance(value, bool) else value
        words.append(f"--{part}={name.replace('_', '-')}={shown}")
    return words


def train(
    name: Game | str,
    run: str | os.PathLike[str],
    *,
    loop: _Settings | None = None,
    play: _Settings | None = None,
    search: _Settings | None = None,
    optimizer: _Settings | None = None,
    net: _Settings | None = None,
    on_generation: Callable[[Generation], Any] | None = None,
    program: str | None = None,
) -> Run:
    """Train a network for a game by self-play, in the folder run; an existing run is continued.

    loop: options of the run, for example {"generations": 20, "games": 500}; play: options of self-play; search: of the
    searches of self-play; optimizer: of the optimizer; net: of a new network.  `banyan train GAME --list-options`
    lists them all.  on_generation(Generation) is called after each generation.  Ctrl-C stops the run; the next call
    continues it.
    program: the path of the program `banyan`; None: the environment variable BANYAN_PROGRAM, or `banyan` on the PATH.
    """
    rules = game(name)
    command = [_program.find(program), "train", rules.name, f"--run={os.fspath(run)}"]
    parts = {"option": loop, "play": play, "search": search, "optimizer": optimizer, "net": net}
    for part, settings in parts.items():
        command += _words(part, settings)
    known = len(Run(run).generations) if (pathlib.Path(run) / "options").exists() else 0
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said, start_new_session=True
        )
        assert process.stdout
        try:
            for _ in process.stdout:  # a line for each generation, and some more
                if on_generation is None:
                    continue
                for generation in Run(run).generations[known:]:
                    known += 1
                    on_generation(generation)
            _ended(process, said)
        except BaseException:
            process.send_signal(signal.SIGINT)  # one SIGINT: the program stops so that the run can be continued
            process.wait()
            raise
        finally:
            process.stdout.close()
    return Run(run, program=program)
