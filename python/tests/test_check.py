"""banyan.check: what a game promises, and which promise it breaks."""

import pathlib
import runpy

import banyan
import pytest

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "python"


class Sound:
    """Two players take one or two of eleven stones; who takes the last one wins.  A die may take one more."""

    players, max_legal, max_plies, actions = 2, 2, 11, 2
    traits = {"zero-sum", "chance"}

    def __init__(self, name="check-sound"):
        self.name = name

    def new(self, random):
        return 11, 0

    def movers(self, state):
        return state[1] if state[0] > 0 else ()

    def legal(self, state, player):
        return [0, 1][: state[0]]

    def apply(self, state, action, dice):
        return max(0, state[0] - action - 1 - (dice.roll(6) == 6)), 1 - state[1]

    def returns(self, state):
        return (-1, 1) if state[1] == 0 else (1, -1)

    def action_name(self, state, player, action):
        return ["one", "two"][action]


def broken(**methods):
    """The faults of a game whose methods are replaced."""
    kind = type("Broken", (Sound,), methods)
    return banyan.check(banyan.define(kind("check-" + next(iter(methods)).replace("_", "-"))))


@pytest.mark.parametrize("name", ["tictactoe", "pig-3", "kuhn", "rps", "bandit"])
def test_the_librarys_games_are_sound(name):
    assert banyan.check(name, games=5) == []


def test_a_sound_game_in_python():
    assert banyan.check(banyan.define(Sound())) == []


@pytest.mark.skipif(not EXAMPLES.exists(), reason="SKIPPED: the examples are in the repository only")
@pytest.mark.parametrize(
    "file, kind", [("dots_and_boxes", "DotsAndBoxes"), ("tiles_2048", "Tiles"), ("liars_dice", "LiarsDice")]
)
def test_the_examples_are_sound(file, kind):
    rules = runpy.run_path(str(EXAMPLES / f"{file}.py"))[kind]
    try:
        rules = rules()
    except TypeError:
        rules = rules(*([2, 2] if file == "dots_and_boxes" else [3]))
    assert banyan.check(banyan.define(rules), games=10) == []


def test_a_broken_promise_has_its_place():
    (fault,) = broken(legal=lambda self, state, player: [1, 1] if state[0] == 6 else [0, 1][: state[0]])
    assert fault.function == "legal" and fault.game >= 0 and 1 <= fault.ply <= 10
    assert str(fault).startswith("check-legal: legal() gave the action 1 twice (game ")
    assert fault.error is None


def test_the_same_seed_finds_the_same():
    def shy(self, state, player):
        return [1, 1] if state[0] == 6 else [0, 1][: state[0]]

    assert broken(legal=shy) == broken(legal=shy)


def test_a_rule_that_raises():
    def apply(self, state, action, dice):
        if state[0] == 4:
            raise LookupError("no\nstones")
        return Sound.apply(self, state, action, dice)

    fault = broken(apply=apply)[-1]
    assert fault.function == "apply" and isinstance(fault.error, LookupError)
    assert str(fault) == f"check-apply: apply() raised LookupError: no stones (game {fault.game}, ply {fault.ply}, seed 1)"
    assert fault.game == 0 and 2 <= fault.ply <= 7


def test_where_a_rule_raises():
    """draw() raises only at its sixth call: the fault still names the function, the game and the ply."""
    state = {"calls": 0}

    def draw(self, position, viewer):
        state["calls"] += 1
        if state["calls"] > 5:
            raise LookupError("no picture")
        return "picture"

    (fault,) = broken(draw=draw)
    assert fault.function == "draw" and fault.game >= 0 and fault.ply >= 0
    assert f"(game {fault.game}, ply {fault.ply}, seed 1)" in str(fault)


@pytest.mark.parametrize(
    "methods, function",
    [
        ({"returns": lambda self, state: (5, -5)}, "returns"),
        ({"returns": lambda self, state: None}, "returns"),
        ({"returns": lambda self, state: (1, 1)}, "returns"),
        ({"movers": lambda self, state: 7}, "movers"),
        ({"movers": lambda self, state: ()}, "movers"),
        ({"movers": lambda self, state: 0}, "legal"),
        ({"legal": lambda self, state, player: []}, "legal"),
        ({"action_name": lambda self, state, player, action: "same"}, "action_name"),
        ({"heuristic": lambda self, state, player: 3}, "heuristic"),
        ({"read": lambda self, text: (11, 0)}, "new"),
        ({"new": lambda self, random: None}, "new"),
    ],
)
def test_other_promises(methods, function):
    faults = broken(**methods)
    assert faults, methods
    assert function in {fault.function for fault in faults}, faults


def test_ctrl_c():
    def legal(self, state, player):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken(legal=legal)


def test_wrong_calls():
    for words, kind in (
        (("nowhere",), banyan.BanyanError),
        ((5,), TypeError),
    ):
        with pytest.raises(kind):
            banyan.check(*words)
    for words, kind in (({"games": 0}, ValueError), ({"games": "x"}, TypeError), ({"seed": -1}, ValueError)):
        with pytest.raises(kind):
            banyan.check("tictactoe", **words)
