"""The games of examples/python in small form; tests/slow_python.sh has the figures in full."""

import pathlib
import runpy

import banyan
import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "examples" / "python"
pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="SKIPPED: the examples are in the repository only")


def run(name, *words):
    return runpy.run_path(str(FOLDER / f"{name}.py"))["main"](list(words))


def test_dots_and_boxes():
    assert run("dots_and_boxes", "1x1", "2x1", "2x2") == {"1x1": -1, "2x1": 0, "2x2": 2}


def test_2048():
    assert run("tiles_2048", "--games=2", "--simulations=5", "--seed=4") > 3000  # random play has 1,100


def test_names_of_actions():
    for file, rules, name, all_names in (
        ("tiles_2048", "Tiles", (), {"up", "right", "down", "left"}),
        ("liars_dice", "LiarsDice", (3,), {"1x1", "1x2", "1x3", "2x1", "2x2", "2x3"}),
    ):
        state = banyan.define(runpy.run_path(str(FOLDER / f"{file}.py"))[rules](*name)).new(seed=1)
        names = [state.name(action) for action in state.legal()]
        assert len(set(names)) == len(names) > 1 and set(names) <= all_names


def test_liars_dice():
    even = runpy.run_path(str(FOLDER / "liars_dice.py"))
    for sides, value in ((3, 5 / 9), (4, None)):
        rules = even["LiarsDice"](sides)

        def strategy(die, said):
            legal = rules.legal((die, die, said, 0), 0)
            return dict.fromkeys(legal, 1 / len(legal))

        far = even["exploitability"](rules, strategy)
        assert far == pytest.approx(value or far) and far > 0.5
    assert run("liars_dice", "--walks=100") > run("liars_dice", "--walks=10000") < 0.02
    assert run("liars_dice", "--simulations=50000") < 0.1
