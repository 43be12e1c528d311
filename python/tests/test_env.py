"""Many games at once: the arrays say what the states say, in every game."""

import array
import random

import banyan
import pytest

GAMES, STEPS = 3, 25


def any_actions(env, rng):
    """A legal action for each row; rows without a player get -1, which is ignored."""
    return [
        [rng.choice(legal) if (legal := [a for a, bit in enumerate(row) if bit]) else -1 for row in game]
        for game in env.masks.tolist()
    ]


def check(env):
    for i in range(len(env)):
        state = env.state(i)
        for row, player in enumerate(env.movers.tolist()[i]):
            mask = env.masks.tolist()[i][row]
            if player < 0:
                assert not any(mask)
                continue
            assert player in state.movers
            if state.game.policy_size:
                assert mask == state.mask(player).tolist()
            else:
                assert sum(mask) == len(state.legal(player))
            if env.observations is not None:
                assert env.observations.tolist()[i][row] == state.observe(player).tolist()


def test_every_game(name):
    rng = random.Random(3)
    env = banyan.Env(name, GAMES, seed=5)
    check(env)
    for step in range(STEPS):
        env.step(any_actions(env, rng))
        if step % 8 == 0:
            check(env)
    twin = banyan.Env(name, GAMES, seed=5)
    env.reset(seed=5)
    assert [env.state(i) for i in range(GAMES)] == [twin.state(i) for i in range(GAMES)]


@pytest.mark.parametrize("mode", ["next-step", "same-step", "disabled"])
def test_autoreset(mode):
    env = banyan.Env("tictactoe", 1, autoreset=mode)
    for action in (0, 3, 1, 4, 2):
        assert not env.done[0]
        env.step([action])
    assert env.done[0] and env.rewards.tolist() == [[1.0, -1.0]]
    start = banyan.game("tictactoe").new()
    assert (env.state(0) == start) == (mode == "same-step")
    if mode == "next-step":
        env.step([-1])
        assert not env.done[0] and env.rewards.tolist() == [[0.0, 0.0]]
    elif mode == "disabled":
        env.step([-1])
        assert env.done[0] and env.rewards.tolist() == [[0.0, 0.0]]
        env.reset(which=[True])
    assert env.state(0) == start


def test_numpy_sees_each_step_without_a_copy():
    numpy = pytest.importorskip("numpy")
    env = banyan.Env("othello", 64, seed=1)
    planes, masks = numpy.asarray(env.observations), numpy.asarray(env.masks)
    assert planes.shape == (64, 1, 3, 8, 8) and masks.shape == (64, 1, 65)
    rng = numpy.random.default_rng(1)
    ended = 0
    for _ in range(200):
        before = planes.copy()
        actions = (masks[:, 0] * rng.random((64, 65))).argmax(1)
        for kind in (numpy.int32, numpy.int64):
            assert (actions == actions.astype(kind)).all()
        env.step(actions.astype(rng.choice([numpy.int32, numpy.int64, numpy.uint8])))
        assert not (before == planes).all()
        ended += int(numpy.asarray(env.done).sum())
    assert ended > 100


def test_released_views_free_nothing():
    env = banyan.Env("tictactoe", 2, seed=1)
    with env.observations as shown:
        assert shown.shape[:2] == (2, 1)
    for name in ("masks", "movers", "rewards", "done", "final_observations"):
        getattr(env, name).release()
    env.step([4, 4])
    assert [row[0][4] for row in env.masks.tolist()] == [0, 0]
    assert env.observations.tolist()[0][0] == env.state(0).observe(1).tolist()


def test_threads_change_nothing():
    rng = random.Random(4)
    envs = [banyan.Env("pig", 13, seed=2, setup="target=20", autoreset="same-step", threads=n) for n in (1, 4)]
    for _ in range(40):
        actions = any_actions(envs[0], rng)
        for env in envs:
            env.step(actions)
        for name in ("observations", "masks", "movers", "rewards", "done", "final_observations"):
            assert getattr(envs[0], name).tolist() == getattr(envs[1], name).tolist()


@pytest.mark.parametrize("mode", ["next-step", "same-step", "disabled"])
def test_final_observations(mode):
    env = banyan.Env("tictactoe", 1, autoreset=mode)
    for action in (0, 3, 1, 4, 2):
        assert env.final_observations.tolist()[0] == [[[[0.0] * 3] * 3] * 3] * 2
        env.step([action])
    state = banyan.game("tictactoe").new()
    for action in (0, 3, 1, 4, 2):
        state.apply(action)
    assert env.final_observations.tolist()[0] == [state.observe(p).tolist() for p in range(2)]


def test_numbers_that_are_no_action():
    """The bits of 2**63 are those of Env.HOLD."""
    numpy = pytest.importorskip("numpy")
    env = banyan.Env("tictactoe", 2)
    for number in (1 << 63, (1 << 64) - 1):
        with pytest.raises(ValueError, match="below 2"):
            env.step(numpy.array([0, number], numpy.uint64))
        with pytest.raises(ValueError, match="below 2"):
            env.step([0, number])
    env.step(numpy.array([0, 8], numpy.uint64))
    env.step([banyan.Env.HOLD, 0])
    assert env.movers.tolist() == [[1], [0]]


def test_seeds_of_64_bits():
    numpy = pytest.importorskip("numpy")
    seeds = [(1 << 64) - 1, 1 << 63]
    envs = [banyan.Env("kuhn", 2, seed=1) for _ in range(2)]
    envs[0].reset(seed=seeds)
    envs[1].reset(seed=numpy.array(seeds, numpy.uint64))
    alone = [banyan.Env("kuhn", 1, seed=seed) for seed in seeds]
    for env in envs:
        assert [env.state(i) for i in range(2)] == [one.state(0) for one in alone]


def test_misuse():
    env = banyan.Env("tictactoe", 2)
    before = [env.state(i) for i in range(2)]
    for actions in (None, 3, "ab", [0], [0, 9], [0, -1], [0, 1.5], [[0, 0], [0, 0]], [0, 1 << 70], {}):
        with pytest.raises((TypeError, ValueError, banyan.BanyanError)) as caught:
            env.step(actions)
        assert str(caught.value)
        assert [env.state(i) for i in range(2)] == before
    for wrong in ({"games": 0}, {"autoreset": "x"}, {"setup": "?"}, {"seed": "x"}, {"threads": 0}, {"nonsense": 1}):
        with pytest.raises((TypeError, ValueError, banyan.BanyanError)):
            banyan.Env("tictactoe", **wrong)
    for seeds in (-1, [-1, 2], [1 << 64, 2], array.array("q", [-1, 2])):
        with pytest.raises(ValueError, match="seed"):
            env.reset(seed=seeds)
    with pytest.raises(ValueError):
        env.state(2)
    env.step([0, 8])
