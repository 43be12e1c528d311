"""banyan.bridges.poke_env: recorded battles without a server, and poke-env's own players on the real one."""

import asyncio
import json
import os
import pathlib
import socket
import subprocess
import time

import banyan
import pytest

poke_env = pytest.importorskip("poke_env", reason="SKIPPED: poke-env is not installed")

from banyan.bridges.poke_env import Player  # noqa: E402
from poke_env import AccountConfiguration, ServerConfiguration  # noqa: E402
from poke_env.player import MaxBasePowerPlayer, RandomPlayer  # noqa: E402

PROGRAM = os.environ.get("BANYAN_PROGRAM")
ROOT = pathlib.Path(__file__).parents[2]
LOGS = sorted((ROOT / "tests" / "data" / "showdown").glob("battle-*.jsonl"))
needs_program = pytest.mark.skipif(not PROGRAM, reason="SKIPPED: BANYAN_PROGRAM does not name the program")


def replayed(path, **options):
    """Feeds a recorded battle to a Player as a server would; returns its choices and those of the record."""
    log = path.with_suffix(".log").read_bytes()
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    name = rows[0]["request"]["side"]["name"] if isinstance(rows[0]["request"], dict) else rows[0]["player"]
    player = Player(AccountConfiguration(name, None), start_listening=False, program=PROGRAM, **options)
    sent = []

    async def message(text, room=""):
        sent.append((text, room))

    player.ps_client.send_message = message
    room = f">{rows[0]['room']}"

    async def play():
        await player._handle_battle_message([[room], ["", "init", "battle"]])
        at = 0
        for row in rows[:6]:
            lines = log[at : row["log_bytes"]].decode().splitlines()
            at = row["log_bytes"]
            await player._handle_battle_message([[room], *[line.split("|") for line in lines]])
            request = row["request"] if isinstance(row["request"], str) else json.dumps(row["request"])
            await player._handle_battle_message([[room], ["", "request", request]])
        await player._handle_battle_message([[room], ["", "win", name]])
        await player._handle_battle_message([[room], ["", "deinit"]])
        assert not player._deciding  # no process is left, since nobody would end it

    asyncio.run(play())
    return [text for text, _ in sent], rows[:6]


@needs_program
@pytest.mark.skipif(not LOGS, reason="SKIPPED: the recorded battles are in the repository only")
@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_recorded_battles(path, capfd):
    choices, rows = replayed(path, player="mcts:simulations=50", seconds=60, seed=3)
    chosen = [text for text in choices if text.startswith("/choose ")]
    assert len(chosen) == len(rows), choices
    for text, row in zip(chosen, rows, strict=True):
        request = row["request"] if isinstance(row["request"], dict) else json.loads(row["request"])
        kind = text.split()[1]
        assert kind in ("move", "switch") and text.endswith(f"|{request['rqid']}")
        if kind == "move":
            assert "active" in request
    again, _ = replayed(path, player="mcts:simulations=50", seconds=60, seed=3)
    assert again == choices
    assert "not searched" not in capfd.readouterr().err


@needs_program
def test_misuse():
    with pytest.raises(banyan.BanyanError, match="only format"):
        Player(battle_format="gen9ou", start_listening=False, program=PROGRAM)
    with pytest.raises(banyan.BanyanError, match="program="):
        Player(start_listening=False, program="/nowhere/banyan")
    with pytest.raises(banyan.BanyanError, match="seconds"):
        Player(start_listening=False, program=PROGRAM, seconds=0)


@pytest.fixture
def server():
    """The real server on a free port; the test is skipped if it is not installed."""
    start = ROOT / "tools" / "showdown" / "start"
    if not (ROOT / "tools" / "showdown" / "node_modules" / ".package-lock.json").exists():  # npm writes it last
        pytest.skip("SKIPPED: no Showdown server beside the tests (make showdown-server installs it)")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([start, str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
    while True:  # ends at the latest when a server that cannot start exits
        code = process.poll()
        if code == 77:
            pytest.skip("SKIPPED: npm cannot install the Showdown server")
        assert code is None, "the server did not start"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            break
        except OSError:
            time.sleep(0.2)
    yield ServerConfiguration(f"ws://127.0.0.1:{port}/showdown/websocket", "http://127.0.0.1:9/?")
    process.terminate()
    process.wait()


@needs_program
def test_on_the_real_server(server):
    """Games against poke-env's own players: all are finished, and most are won.

    The server draws the teams, and a good player loses some battles.  Most battles are against random play, so about
    one run in 5,000 has fewer wins than the test demands."""
    games = int(os.environ.get("BANYAN_SHOWDOWN_GAMES", "4"))

    async def play():
        common = {"server_configuration": server, "max_concurrent_battles": 2, "log_level": 40}
        ours = Player(AccountConfiguration("banyanbot", None), player="mcts:simulations=300", program=PROGRAM, **common)
        for number, (kind, count) in enumerate([(RandomPlayer, games - games // 4), (MaxBasePowerPlayer, games // 4)]):
            name = AccountConfiguration(f"other{number}", None)
            other = kind(name, battle_format="gen8randombattle", **common)
            await asyncio.wait_for(ours.battle_against(other, n_battles=count), 900)
        return ours.n_finished_battles, ours.n_won_battles

    finished, won = asyncio.run(play())
    assert finished == games and won >= games // 2
