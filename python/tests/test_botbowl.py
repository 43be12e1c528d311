"""banyan.bridges.botbowl: recorded decisions without botbowl, and whole games with a checkout of botbowl."""

import copy
import gzip
import json
import os
import pathlib
import pickle
import random
import re
import socket
import subprocess
import sys
import threading

import banyan
import botbowl_games as games
import pytest
from banyan.bridges import _bloodbowl as bridge

ROOT = pathlib.Path(__file__).parents[2]
RECORDED = ROOT / "tests" / "data" / "botbowl" / "decisions.jsonl.gz"
PROGRAM = os.environ.get("BANYAN_PROGRAM")
CHECKOUT = os.environ.get("BANYAN_BOTBOWL")
recorded = pytest.mark.skipif(not RECORDED.exists(), reason="SKIPPED: these records are in the repository only")
live = pytest.mark.skipif(not CHECKOUT, reason="SKIPPED: BANYAN_BOTBOWL does not name a checkout of botbowl")
outside = pytest.mark.filterwarnings("ignore")  # botbowl's gym and docker warn


def decisions():
    with gzip.open(RECORDED, "rt") as file:
        return [json.loads(line) for line in file]


# --- recorded decisions ---


@recorded
def test_recorded_decisions():
    """At every recorded decision the state has the actions that botbowl offered, and can be played on."""
    kinds = set()
    for row in decisions():
        game = games.read(row["game"])
        state = bridge.state(game, seed=1)
        shown = [json.loads(choice) for choice in row["offered"]]
        ours = games.legal(game, state)
        assert not games.differs(row["offered"], ours), (row["kind"], shown)
        assert state.game.new(state.setup) == state
        kinds.add(row["kind"].split()[-1])
        assert state.rollout(seed=1).over
    assert {"Setup", "Turn", "Block", "Push", "FollowUp", "Reroll", "Dodge", "Apothecary", "Interception"} <= kinds


@recorded
def test_unknown_procedures_are_told():
    row = next(row for row in decisions() if row["kind"].split()[-1] == "Turn")
    game = games.read(row["game"])
    turn = game.state.stack.items[-1]
    turn.__class__ = type("Wizard", (), {})
    with pytest.raises(banyan.BanyanError, match="Wizard"):
        bridge.setup(game)
    game.arena.width = 9
    with pytest.raises(banyan.BanyanError, match="9 squares wide"):
        bridge.board(game)
    with pytest.raises(banyan.BanyanError, match="no game of botbowl"):
        bridge.setup(object())


@recorded
def test_damaged_positions_are_refused():
    game = games.read(decisions()[0]["game"])
    text = bridge.setup(game)
    rules = banyan.game(bridge.board(game))
    rules.new(text)
    other = re.sub(r"position \d+", "position 7", text)
    for damaged in (text[:-1], text + " 1", text.replace("stack", "stack ", 1), other):
        with pytest.raises(banyan.BanyanError):
            rules.new(damaged)
    someone = re.sub(r" position \d+(.*)( EndGame 0 2) 255", lambda found: forged(found[1] + found[2] + " 15"), text)
    with pytest.raises(banyan.BanyanError, match="eleven numbers"):
        rules.new(someone)


def forged(numbers):
    return f" position {bridge._hash(numbers)}{numbers}"


# --- games in botbowl ---


@pytest.fixture
def botbowl():
    if not CHECKOUT:
        pytest.skip("SKIPPED: BANYAN_BOTBOWL does not name a checkout of botbowl")
    module = pytest.importorskip("botbowl", reason="SKIPPED: what botbowl needs is not installed")
    import banyan.bridges.botbowl  # noqa: F401

    return module


def watched(seed, seen):
    """A random opponent; every decision of both sides is compared with what Banyan makes of it."""

    def watch(game):
        state = bridge.state(game)
        found = games.differs(games.offered(game), games.legal(game, state))
        assert not found, (game.get_procedure_names(), found)
        seen.append(state)

    return games.random_agent("random", seed, watch)


def agent(**options):
    from banyan.bridges.botbowl import Agent

    return Agent("banyan", **({"player": "agent", "ms": 2} | options))


def play(*agents, **options):
    from banyan.bridges.botbowl import play

    return play(*agents, **options)


@live
@outside
@pytest.mark.parametrize("size, teams", [(11, ("orc", "wood-elf")), (3, ("human", "human")), (1, ("human", "human"))])
def test_agents_play(botbowl, size, teams, tmp_path, capsys):
    seen, ours = [], agent(show=True, save=tmp_path, turn_ms=50, game_ms=1000)
    game = play(ours, watched(1, seen), size=size, teams=teams, seed=1)
    assert game.state.game_over and ours.differences == 0 and ours.why == ""
    assert ours.decisions > 20 and seen
    assert " simulations, " in capsys.readouterr().out
    rows = [json.loads(line) for line in next(tmp_path.iterdir()).read_text().splitlines()]
    assert len(rows) == ours.decisions
    rules = banyan.game(f"bloodbowl-{size}")
    for row in rows[:20]:
        state = rules.new(row["position"])
        assert state.parse(row["action"]) in state.legal()


@live
@outside
def test_pickled_copies(botbowl):
    """botbowl's own framework: a server with the agent, to which every game comes pickled."""
    from botbowl.ai.competition.python_socket import PythonSocketClient, PythonSocketServer

    with socket.socket() as free:
        free.bind(("", 0))
        port = free.getsockname()[1]
    ours = agent()
    server = PythonSocketServer(ours, port, "token")
    server.socket_ = None
    threading.Thread(target=server.run, daemon=True).start()
    for seed in range(20):
        seen = []
        client = PythonSocketClient("banyan", socket.gethostname(), port, "token", connection_timeout=60)
        sides = [client, watched(seed, seen)]
        game = play(*sides[:: 1 if seed % 2 else -1], size=1 if seed % 10 else 3, seed=seed)
        assert game.state.game_over and seen and ours.differences == 0, ours.why


@live
@outside
def test_deep_copies(botbowl):
    """The opponent copies the game, with our agent in it, at every decision."""
    for seed in range(20):
        texts = []

        def look(game):
            texts.append(bridge.setup(game))
            twin = copy.deepcopy(game)
            assert bridge.setup(twin) == texts[-1]
            mine = twin.home_agent if hasattr(twin.home_agent, "differences") else twin.away_agent
            mine.act(twin)  # a copy of the agent answers, too, though it is not asked
            assert mine.differences == 0, mine.why

        ours = agent()
        sides = [ours, games.random_agent("random", seed, look)]
        game = play(*sides[:: 1 if seed % 2 else -1], size=1 if seed % 10 else 3, seed=seed)
        assert game.state.game_over and texts and ours.differences == 0, ours.why


@live
@outside
def test_forward_model(botbowl):
    """A game that the forward model takes back is read as it was before; a pickled game is read, too."""
    from botbowl import Action, ActionType

    human = [botbowl.Agent(name, human=True) for name in ("home", "away")]
    game = play(*human, size=3, seed=4)
    game.config.fast_mode = True
    game.enable_forward_model()
    game.step(Action(ActionType.START_GAME))
    rng, marks, ours = random.Random(4), [], agent()
    for _ in range(40):
        game.step(games.chosen(game, rng))
        if game.state.game_over:
            break
        marks.append((game.get_step(), bridge.setup(game)))
        assert bridge.setup(pickle.loads(pickle.dumps(game))) == marks[-1][1]
        ours.act(game)
    for step, text in reversed(marks):
        game.revert(step)
        assert bridge.setup(game) == text


@live
@outside
def test_illegal_names_are_told(botbowl):
    with pytest.raises(banyan.BanyanError, match="agent"):
        agent(player="agnet")
    with pytest.raises(banyan.BanyanError, match="ms"):
        agent(ms=0)


@live
@outside
def test_command_line(botbowl):
    from banyan.bridges.botbowl import main

    assert main(["--board=1", "--games=2", "--ms=2"]) == 0


# --- the dice: Banyan's own engine comes to the same position ---


class Followed:
    """A game of botbowl, step by step with its dice in `banyan bloodbowl follow`."""

    def __init__(self, game):
        self.game, self.table, self.pending = game, bridge.Table(game), None
        game.rng = games.Noted(game.rng, game)
        self.program = subprocess.Popen(
            [PROGRAM, "bloodbowl", "follow"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.states = self.differences = 0
        self.rules = banyan.game(bridge.board(game))

    def tell(self, line):
        self.program.stdin.write(json.dumps(line) + "\n")
        self.program.stdin.flush()
        return json.loads(self.program.stdout.readline())

    def position(self, state):
        """As docs/json.md has it, taken over from a state of Banyan."""
        command = [PROGRAM, "bloodbowl", "position", state.game.name, state.setup]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    def at(self, game):
        state = bridge.state(game)
        if self.pending is None:
            self.tell(self.position(state))
        else:
            line, self.pending = self.pending, None
            answer = self.tell(line | {"dice": game.rng.log})
            self.states += 1
            if "error" in answer or self.compared(answer["engine"]) != self.compared(state.setup):
                self.differences += 1
                print(game.get_procedure_names(), answer, state.setup, file=sys.stderr)
                self.tell(self.position(state))

    @staticmethod
    def compared(text):
        """Without the check number, and without how often a setup was changed, which botbowl does not count."""
        words = text[text.index(" game ") :].split()
        return words[2:15] + words[16:]

    def decided(self, game, action):
        who = action.player and self.table.name(action.player)
        line = {"act": [action.action_type.name, who, games.place(action.position)]}
        for choice in game.state.available_actions:
            for path in choice.paths if choice.action_type == action.action_type else []:
                if path.get_last_step() == action.position:
                    line["path"] = {"steps": [games.place(step) for step in path.steps]}
        self.pending, game.rng.log = line, []

    def end(self):
        self.program.stdin.close()
        self.program.wait()


@live
@outside
@pytest.mark.skipif(not PROGRAM, reason="SKIPPED: BANYAN_PROGRAM does not name the program")
def test_every_state_follows_from_the_dice(botbowl):
    games.note_dice()
    states = 0
    for seed in range(8):
        follower = []

        def watch(game):
            if not follower:
                follower.append(Followed(game))
            follower[0].at(game)

        sides = [games.random_agent(name, 2 * seed + i, watch) for i, name in enumerate("ab")]
        for side in sides:
            plain = side.act

            def act(game, plain=plain):
                action = plain(game)
                follower[0].decided(game, action)
                return action

            side.act = act
        size = (1, 3, 5, 11)[seed % 4]
        games.play_on(*sides, size=size, teams=games.trained(size, seed), paths=size == 3, seed=seed)
        follower[0].end()
        assert follower[0].differences == 0
        states += follower[0].states
    assert states > 1000
