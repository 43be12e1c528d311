"""banyan.zoo beside PettingZoo's own checks."""

import warnings

import banyan
import pytest

pettingzoo = pytest.importorskip("pettingzoo", reason="SKIPPED: pettingzoo is not installed")
numpy = pytest.importorskip("numpy")

import banyan.zoo  # noqa: E402
from conftest import GAMES  # noqa: E402
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test  # noqa: E402

SHOWN = [name for name in GAMES if banyan.game(name).observation_shape]
AT_ONCE = [name for name in SHOWN if "simultaneous" in banyan.game(name).traits]
CYCLES = 250

# Warnings of PettingZoo about every game whose observation is a dict (also its own games), and about observations
# that are no pictures.
KNOWN = [
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Action mask numpy array is all zeros",  # of agents whose game is over
    "Observation numpy array is all zeros",  # an empty board
    "The observation contains negative numbers and is in the shape of a graphical",
    "Action mask is a single number",
    "Observation is a single number",
]


@pytest.fixture(autouse=True)
def strict():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in KNOWN:
            warnings.filterwarnings("ignore", message)
        yield


@pytest.mark.parametrize("form", ["dict", "array"])
@pytest.mark.parametrize("name", SHOWN)
def test_api(name, form):
    api_test(pettingzoo.make("aec", f"banyan/{name}-v0", observation=form), num_cycles=CYCLES)


@pytest.mark.parametrize("name", SHOWN)
def test_seeds(name):
    seed_test(lambda: banyan.zoo.AEC(name), num_cycles=CYCLES)


@pytest.mark.parametrize("name", AT_ONCE)
def test_parallel(name):
    for form in ("dict", "array"):
        env = pettingzoo.make("parallel", f"banyan/{name}-v0", observation=form)
        parallel_api_test(env, num_cycles=CYCLES)
    parallel_seed_test(lambda: banyan.zoo.Parallel(name), num_cycles=CYCLES)


def test_all_games_are_there():
    assert len(AT_ONCE) >= 3 and "rps" in AT_ONCE
    for name in GAMES:
        assert f"banyan/{name}-v0" in pettingzoo.aec_registry
        assert (f"banyan/{name}-v0" in pettingzoo.parallel_registry) == ("simultaneous" in banyan.game(name).traits)


def played(env, seed, rng):
    """Plays a game at random; returns what each agent got, and the states."""
    env.reset(seed=seed)
    got, states = dict.fromkeys(env.agents, 0.0), []
    for agent in env.agent_iter():
        observation, reward, over, _, info = env.last()
        got[agent] += reward
        states.append(env.banyan_state)
        mask = info["action_mask"]
        assert over or (mask == observation["action_mask"]).all()
        env.step(None if over else int(rng.choice(numpy.flatnonzero(mask))))
    return list(got.values()), states


@pytest.mark.parametrize("name", ["tictactoe", "pig-3", "kuhn", "rps", "bimatrix", "mushroom-n3"])
def test_a_game_is_the_game(name):
    rng = numpy.random.default_rng(1)
    for seed in range(5):
        env = banyan.zoo.AEC(name)
        got, states = played(env, seed, rng)
        assert got == list(states[-1].returns)


def test_choices_at_the_same_time_are_hidden():
    env = banyan.zoo.AEC("rps")
    env.reset(seed=1)
    before = env.observe("player_1")["observation"].copy()
    env.step(2)
    assert env.agent_selection == "player_1" and (env.observe("player_1")["observation"] == before).all()
    assert not env.infos["player_0"]["action_mask"].any()
    env.step(1)
    assert sorted(env.rewards.values()) == [-1.0, 1.0] and all(env.terminations.values())


def test_illegal_actions_lose():
    env = banyan.zoo.AEC("tictactoe")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0} and all(env.terminations.values())
    both = banyan.zoo.Parallel("rps")
    both.reset()
    _, rewards, over, _, _ = both.step({"player_0": 77, "player_1": 0})
    assert rewards == {"player_0": -1.0, "player_1": 1.0} and all(over.values()) and not both.agents


@pytest.mark.parametrize("action", [10**30, float("inf"), float("nan")])
def test_large_numbers_are_illegal(action):
    env = banyan.zoo.AEC("tictactoe")
    env.reset()
    env.step(action)
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0}


def test_negative_numbers_are_illegal():
    from test_define import Nim

    game = banyan.define(type("Headless", (Nim,), {"name": "nim-headless", "actions": 0}))
    env = banyan.zoo.AEC(game)
    env.reset()
    env.step(-1)  # as many actions are legal as a player ever has
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0}


def test_truncation():
    env = banyan.zoo.AEC("othello", max_cycles=4)
    env.reset(seed=1)
    for _ in range(4):
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
    assert all(env.truncations.values()) and not any(env.terminations.values())


def test_a_game_of_your_own():
    from test_define import Nim

    banyan.define(type("Zoo", (Nim,), {"name": "nim-zoo"}))
    env = pettingzoo.make("aec", banyan.zoo.register("nim-zoo"))
    assert played(env, 1, numpy.random.default_rng(1))[0] in ([1.0, -1.0], [-1.0, 1.0])


def test_misuse():
    with pytest.raises(banyan.BanyanError, match="in turn"):
        banyan.zoo.Parallel("tictactoe")
    with pytest.raises(banyan.BanyanError, match="'dict' or 'array'"):
        banyan.zoo.AEC("tictactoe", observation="x")
    for make, name in ((banyan.zoo.AEC, "tictactoe"), (banyan.zoo.Parallel, "rps")):
        with pytest.raises(banyan.BanyanError, match="render_mode is None or 'ansi'"):
            make(name, render_mode="human")
    with pytest.raises(banyan.BanyanError, match="call reset"):
        banyan.zoo.AEC("tictactoe", render_mode="ansi").render()
    env = banyan.zoo.Parallel("rps")
    with pytest.raises(banyan.BanyanError, match="over"):
        env.step({})
    env.reset()
    with pytest.raises(banyan.BanyanError, match="player_1 is missing"):
        env.step({"player_0": 0})
