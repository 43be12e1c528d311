"""HTML and SVG for notebooks: well-formed, complete, and escaped."""

import xml.etree.ElementTree as xml

import banyan
import banyan.show
import pytest
from conftest import GAMES, middle


def parsed(text):
    return xml.fromstring(f"<div>{text}</div>")


@pytest.mark.parametrize("name", GAMES)
def test_every_game(name):
    game = banyan.game(name)
    assert name in parsed(game._repr_html_()).itertext()
    state = middle(name, 3)
    assert len(list(parsed(banyan.show.state(state)).iter())) > 1
    search = banyan.Search(game)
    assert "without a root" in search._repr_html_()
    search.set_root(state)
    assert "0 simulations" in search._repr_html_()
    search.run(50)
    shown = list(parsed(search._repr_html_()).itertext())
    for player in state.movers:
        assert search.moves(player)[0].text in shown and game.player_names[player] in shown


def test_trees():
    search = banyan.Search("connect4")
    search.set_root(banyan.game("connect4").new())
    search.run(200)
    tree = banyan.show.Tree(search, 2)
    assert xml.fromstring(tree._repr_svg_()).tag.endswith("svg") and repr(tree)


def test_names_are_escaped():
    from test_define import Nim

    rules = {"name": "nim-<b>", "action_name": lambda self, state, player, action: f"<{action}&>", "draw": lambda self, s, v: "<&>"}
    game = banyan.define(type("Odd", (Nim,), rules))
    search = banyan.Search(game)
    search.set_root(game.new())
    search.run(20)
    shown = list(parsed(search._repr_html_()).itertext())
    assert "<1&>" in shown and "<&>" in shown
    assert "nim-<b>" in parsed(game._repr_html_()).itertext()
