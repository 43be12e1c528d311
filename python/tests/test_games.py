"""Games and states: what the C library does, seen from Python."""

import copy
import json
import pickle
import random

import banyan
import pytest
from conftest import any_action, middle

PLIES = 60


def test_game_says_what_is_fixed(name):
    game = banyan.game(name)
    assert (game.name, game) == (name, banyan.game(game))
    assert len(game.player_names) == game.players and game.returns[0] < game.returns[1]
    assert game.traits <= {"chance", "simultaneous", "hidden", "zero-sum"}
    assert pickle.loads(pickle.dumps(game)) == game and hash(game) == hash(banyan.game(name))
    assert banyan.player(game, game.best).game == game


def test_random_game(name):
    """Movers, legal actions, texts, indices, copies and pickles at each ply of a random game."""
    rng = random.Random(7)
    state = banyan.game(name).new(seed=7)
    for _ in range(PLIES):
        if state.over:
            break
        for player in state.movers:
            legal = state.legal(player)
            assert 1 <= len(legal) <= state.game.max_legal
            action = rng.choice(legal)
            assert state.parse(state.name(action, player), player) == action
            assert state.legal_array(player).tolist() == legal
        before = state.clone()
        step = any_action(state, rng)
        assert before.after(step, seed=3) == before.after(step, seed=3)
        for twin in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert twin == state and twin.bytes == state.bytes
            assert twin.apply(step) == state.after(step), "the dice of a copy go on as the state's own"
        assert state == before
        assert state.apply(step) is state
        assert banyan.game(name).new(state.setup, seed=1) == state
    if state.over:
        least, most = state.game.returns
        assert state.movers == () and state.player == -1
        assert all(least <= value <= most for value in state.returns)


def test_policy_and_observation(name):
    state = middle(name, 5)
    game = state.game
    for player in state.movers:
        if game.policy_size:
            mask = state.mask(player)
            assert mask.shape == (game.policy_size,) and mask.format == "b"
            legal = state.legal(player)
            indices = [state.index(action, player) for action in legal]
            assert sorted(indices) == [i for i, bit in enumerate(mask.tolist()) if bit]
            assert [state.action(i, player) for i in indices] == legal
        if game.planes:
            planes = state.observe(player)
            assert planes.shape == game.planes and planes.format == "f"


def test_estimates(name):
    state = middle(name, 5)
    least, most = state.game.returns
    for player in range(state.game.players):
        low, high = state.bounds(player)
        assert least <= low <= high <= most
    end = state.rollout(seed=5)
    assert end.over and end == state.rollout(seed=5)
    assert state.symmetries()[0] == state


def test_hidden_cards_are_drawn_anew():
    state = banyan.game("kuhn").new(seed=2)
    drawn = {state.determinize(0, seed=seed).setup for seed in range(20)}
    assert len(drawn) == 2
    assert {state.determinize(0, seed=seed).key(0) for seed in range(20)} == {state.key(0)}


def test_arrays_of_the_caller():
    numpy = pytest.importorskip("numpy")
    state = banyan.game("othello").new()
    planes = numpy.full((3, 8, 8), 7, numpy.float32)
    assert state.observe(0, planes) is planes
    assert (planes == numpy.asarray(state.observe(0))).all()
    mask = numpy.zeros(65, numpy.int8)
    state.mask(out=mask)
    assert mask.sum() == len(state.legal())
    legal = state.legal_array(out=numpy.zeros(60, numpy.uint64))
    assert legal.tolist() == state.legal()


def test_seeds_make_games():
    pig = banyan.game("pig").new(seed=4)
    assert pig == banyan.game("pig").new(seed=4)
    rolls = {pig.after(pig.parse("roll"), seed=seed).setup for seed in range(50)}
    assert len(rolls) == 6


def test_pictures():
    state = banyan.game("tictactoe").new()
    assert str(state) == state.draw() and "X to move" in str(state)
    assert repr(state) == f"banyan.game('tictactoe').new({state.setup!r})"
    assert state._repr_svg_() is None or state._repr_svg_().startswith("<svg")


def test_observations_as_json(name):
    game = banyan.game(name)
    state = game.new(seed=3)
    for viewer in range(game.players):
        observation = json.loads(state.observe_json(viewer))
        assert list(observation) == [feature.name for feature in game.features]
    assert "null" in banyan.game("pokemon").new(seed=1).observe_json(0)
    assert json.loads(banyan.game("kuhn").new("deal=QK").observe_json(1))["card"] == [0, 0, 1]
