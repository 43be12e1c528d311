"""The modules for other packages, called with wrong arguments: an error message of Banyan or of the package."""

import banyan
import banyan.show
import pytest
from misuse import GOOD, KINDS, STATE, tell_apart

numpy = pytest.importorskip("numpy")

from banyan import learn  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # NumPy warns about values that are not numbers


def even(observations):
    return numpy.zeros(len(observations)), numpy.zeros((len(observations), 65))


def test_learn():
    samples = learn.self_play("othello", even, 1, simulations=2, parallel=1, seed=1)
    good = GOOD | {"network": even, "games": 1, "name": "othello", "path": "none.npz", "parts": [samples]}
    for call in (learn.Samples.join, learn.Samples.load):
        assert tell_apart(call, KINDS + (OSError,), good) > 50
    search = banyan.Search("othello", learn.evaluator(len), memory=1 << 20)
    search.set_root(STATE)
    with pytest.raises(TypeError):
        search.run(2)


def test_self_play():
    for name, wrong in {
        "games": (0, -1, 1.5, "x", None),
        "simulations": (0, -1, 1.5, "x"),
        "parallel": (0, -1, "x"),
        "batch": (0, -1, "x"),
        "temperature": (-1.0, float("nan"), "x"),
        "random_plies": ("x",),
        "seed": ("x", -1),
        "network": (None, len, lambda seen: 1, lambda seen: (1, 2), lambda seen: (even(seen)[0], seen)),
        "nonsense": (1,),
    }.items():
        for value in wrong:
            with pytest.raises(KINDS) as caught:
                learn.self_play("othello", **{"network": even, "games": 1, "simulations": 2, **{name: value}})
            assert str(caught.value), (name, value)


def test_show():
    for call in (banyan.show.game, banyan.show.state, banyan.show.search, banyan.show.Tree, banyan.show.run, banyan.show.match):
        assert tell_apart(call) > 50


def test_gymnasium():
    gymnasium = pytest.importorskip("gymnasium")
    import banyan.gym

    theirs = KINDS + (gymnasium.error.Error, AssertionError)
    assert tell_apart(banyan.gym.Env) > 50
    assert tell_apart(banyan.gym.VectorEnv) > 50
    assert tell_apart(banyan.gym.register, theirs) > 20
    for env in (banyan.gym.Env("othello"), banyan.gym.VectorEnv("othello", 2), banyan.gym.Env("rps")):
        assert tell_apart(env.step, theirs) > 20  # before reset()
        env.reset(seed=1)
        assert tell_apart(env.step, theirs) > 20
        assert tell_apart(env.reset, theirs) > 20
        env.close()
        env.close()
        assert tell_apart(env.step, theirs) > 20


def test_pettingzoo():
    pytest.importorskip("pettingzoo")
    import banyan.zoo

    assert tell_apart(banyan.zoo.AEC) > 50 and tell_apart(banyan.zoo.Parallel) > 50
    for env in (banyan.zoo.AEC("othello"), banyan.zoo.Parallel("rps"), banyan.zoo.AEC("kuhn")):
        for begun in (False, True):
            if begun:
                env.reset(seed=1)
            for name in ("step", "reset", "observe", "observation_space", "action_space"):
                if hasattr(env, name):
                    assert tell_apart(getattr(env, name)) > 5, name
        env.close()


def test_pyspiel():
    pyspiel = pytest.importorskip("pyspiel")
    import banyan.bridges.pyspiel as bridge

    theirs = KINDS + (pyspiel.SpielError,)
    assert tell_apart(bridge.game, theirs) > 50
    assert tell_apart(bridge.Bot, theirs) > 50
    bot = bridge.Bot("tic_tac_toe", 0, "random")
    assert tell_apart(bot.step, theirs) > 20


def test_poke_env():
    pytest.importorskip("poke_env")
    from banyan.bridges.poke_env import Player

    for wrong in ({"seconds": 0}, {"seconds": "x"}, {"battle_format": "gen9ou"}, {"program": "/none"}, {"program": 5}):
        with pytest.raises(KINDS):
            Player(**wrong)
