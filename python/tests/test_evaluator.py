"""Evaluators written in Python, and ask and tell."""

import math

import banyan
import pytest
from conftest import middle
from test_define import Nim


def rooted(name, evaluator, **options):
    search = banyan.Search(name, evaluator, **options)
    search.set_root(banyan.game(name).new(seed=1))
    return search


def heuristic(leaves):
    players = leaves.states[0].game.players
    return [[state.heuristic(p) for p in range(players)] for state in leaves.states]


@pytest.mark.parametrize("batch", [1, 8])
def test_same_tree_as_its_twin_in_c(batch):
    """The heuristic of a game that has no priors, called from C and from Python."""
    ours = rooted("connect4", heuristic, batch=batch)
    ours.run(500)
    theirs = rooted("connect4", "heuristic", batch=batch)
    theirs.run(500)
    assert ours.signature == theirs.signature


def middle_of_range(leaves):
    game = leaves.states[0].game
    return [[sum(game.returns) / 2] * game.players] * len(leaves)


def test_uniform_evaluator_in_every_game(name):
    """`uniform` gives all actions the same prior; so does its twin in Python, also in games without a policy head."""

    def alike(leaves):
        width = leaves.masks().shape[1]
        return middle_of_range(leaves), [[0.0] * width] * len(leaves.rows)

    signatures = []
    for evaluator in (banyan.Evaluator(alike, policy=True), "uniform"):
        search = banyan.Search(name, evaluator, rule="ucb1")
        search.set_root(middle(name, 3))
        search.run(100)
        signatures.append(search.signature)
    assert signatures[0] == signatures[1]


def test_values_of_the_mover():
    """In a zero-sum game of two a value may be one number: that of the player who chooses."""

    def by_mover(leaves):
        return [state.heuristic(state.player) for state in leaves.states]

    first, second = rooted("othello", by_mover), rooted("othello", heuristic)
    first.run(300)
    second.run(300)
    assert first.signature == second.signature


@pytest.mark.parametrize("batch", [1, 4])
def test_policy_without_a_policy_head(batch):
    """Logits are in the order of State.legal()."""

    def loves(leaves):
        states, rows = leaves.states, []
        for leaf, player in leaves.rows:
            legal = states[leaf].legal(player)
            logits = [float(action % 7) for action in legal] + [9.0] * (game.max_legal - len(legal))
            rows.append(logits)
        return middle_of_range(leaves), rows

    game = banyan.define(type("Headless", (Nim,), {"name": "headless", "actions": 0}))
    assert not game.policy_size
    state = game.new()
    search = banyan.Search(game, banyan.Evaluator(loves, policy=True), batch=batch)
    search.set_root(state)
    search.run(100)
    weights = {action: math.exp(action % 7) for action in state.legal()}
    for move in search.moves():
        assert math.isclose(move.prior, weights[move.action] / sum(weights.values()), rel_tol=1e-4)


def test_policy_leads_the_search():
    def loves(leaves):
        logits = [[0.0] * 65 for _ in leaves.rows]
        for row in logits:
            row[37] = 5.0
        return [0.0] * len(leaves), logits

    search = rooted("othello", banyan.Evaluator(loves, policy=True))
    search.run(200)
    favourite = search.moves()[0]
    assert favourite.action == 37
    assert math.isclose(favourite.prior, math.exp(5) / (math.exp(5) + 3), rel_tol=1e-5)


def test_arrays():
    numpy = pytest.importorskip("numpy")
    seen = []

    def network(leaves):
        planes, masks = numpy.asarray(leaves.observations()), numpy.asarray(leaves.masks())
        seen.append(len(leaves))
        assert planes.shape == (len(leaves), 3, 8, 8) and planes.dtype == numpy.float32
        assert (masks.sum(1) == [len(state.legal()) for state in leaves.states]).all()
        assert all(
            (planes[i] == numpy.asarray(state.observe())).all() for i, state in enumerate(leaves.states)
        )
        out = numpy.zeros_like(planes)
        assert leaves.observations(out) is out and (out == planes).all()
        return numpy.tanh(planes.sum((1, 2, 3)) - 64), numpy.zeros((len(leaves), 65))

    search = rooted("othello", banyan.Evaluator(network, policy=True), batch=16)
    search.run(300)
    assert max(seen) > 8 and search.stats().simulations == 300


def test_simultaneous_choices_have_a_row_for_each_mover():
    rows = []

    def look(leaves):
        rows.extend(leaves.rows)
        return middle_of_range(leaves)

    state = middle("pokemon", 2)
    search = banyan.Search("pokemon", look)
    search.set_root(state, 0)
    search.run(20)
    assert {player for _, player in rows} == {0, 1}


def test_exceptions_come_out():
    calls = []

    def fails(leaves):
        calls.append(len(leaves))
        if len(calls) == 5:
            raise KeyError("five")
        return [0.0] * len(leaves)

    search = rooted("othello", fails)
    with pytest.raises(KeyError, match="five"):
        search.run(1000)
    assert search.stats().simulations >= 4
    search.run(10)


def test_leaves_do_not_outlive_the_call():
    kept = []

    def keeps(leaves):
        kept.append(leaves)
        return [0.0] * len(leaves)

    rooted("othello", keeps).run(3)
    with pytest.raises(banyan.BanyanError, match="no longer valid"):
        kept[0].observations()


@pytest.mark.parametrize(
    "answer",
    [None, "x", [], [0.0, 0.0], [math.nan], [[0.0, 0.0, 0.0]], [2.0], object(), ([0.0], [[0.0] * 65])],
)
def test_wrong_answers(answer):
    search = rooted("othello", lambda leaves: answer)
    with pytest.raises((TypeError, ValueError, banyan.BanyanError)):
        search.run(10)


def test_the_search_is_busy_in_its_evaluator():
    def greedy(leaves):
        search.run(1)

    search = rooted("othello", greedy)
    with pytest.raises(banyan.BanyanError, match="running"):
        search.run(10)


def test_ask_and_tell_is_run():
    """select() and update() by hand make the tree that run() makes."""
    asked = rooted("othello", banyan.Evaluator(), batch=4)
    while asked.stats().simulations < 200:
        leaves = asked.select(min(4, 200 - asked.stats().simulations))
        asked.update(leaves, heuristic(leaves) if len(leaves) else [])
    ran = rooted("othello", heuristic, batch=4)
    ran.run(200)
    assert asked.signature == ran.signature


def test_leaves_of_many_games_in_one_batch():
    searches = [rooted("othello", banyan.Evaluator(policy=True), batch=2, seed=s) for s in range(8)]
    for _ in range(50):
        batches = [search.select(2) for search in searches]
        for search, leaves in zip(searches, batches, strict=True):
            search.update(leaves, [0.0] * len(leaves), [[0.0] * 65] * len(leaves))
    assert all(search.stats().simulations >= 50 for search in searches)


def test_leaves_are_used_once():
    search = rooted("othello", banyan.Evaluator())
    leaves = search.select()
    with pytest.raises(banyan.BanyanError, match="wait for their values"):
        search.run(10)
    search.update(leaves, [0.0])
    with pytest.raises(banyan.BanyanError, match="no longer valid"):
        search.update(leaves, [0.0])
    leaves = search.select()
    search.set_root(banyan.game("othello").new())
    with pytest.raises(banyan.BanyanError, match="no longer valid"):
        search.update(leaves, [0.0])


def test_a_new_root_takes_outstanding_leaves_back():
    state = banyan.game("othello").new()
    for move_on in (lambda search: search.set_root(state), lambda search: search.advance(19, state.after(19))):
        search = rooted("othello", "rollout")
        search.select(3)
        move_on(search)
        assert search.run(50).simulations == 50
