"""banyan.gym beside Gymnasium itself: its checks, and its SyncVectorEnv step by step."""

import warnings

import banyan
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="SKIPPED: gymnasium is not installed")
numpy = pytest.importorskip("numpy")

import banyan.gym  # noqa: E402
from conftest import GAMES  # noqa: E402
from gymnasium.utils.env_checker import check_env, data_equivalence  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

SHOWN = [name for name in GAMES if banyan.game(name).observation_shape]
SMALL = ["tictactoe", "kuhn", "pig-3", "rps", "tree-4", "connect4", "bimatrix", "bandit"]


def opponents(name):
    return ["random"] if "simultaneous" in banyan.game(name).traits else ["random", "self"]


@pytest.mark.parametrize("name", SHOWN)
def test_check_env(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for opponent in opponents(name):
            check_env(gymnasium.make(f"banyan/{name}-v0", opponent=opponent, seat=0).unwrapped)


def test_every_game_shows_something():
    assert len(SHOWN) >= 37


def choose(rng, masks):
    """A legal action for each mask, and sometimes an illegal one; 0 or any other number if no action is legal."""
    actions = (masks * rng.random(masks.shape)).argmax(1)
    wild = rng.random(len(masks)) < 0.02
    return numpy.where(wild, rng.integers(0, masks.shape[1], len(masks)), actions)


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("name", SMALL)
def test_as_sync_vector_env(name, mode):
    """The same observations, rewards, ends and infos as Gymnasium's loop over single environments."""
    rng = numpy.random.default_rng(5)
    kinds = [{"opponent": o, "illegal": i} for o in opponents(name) for i in ("loss", "random")]
    for settings in [*kinds, {"opponent": "mcts:simulations=4"}, {"seat": "random"}, {"observation": "array"}]:
        ours = gymnasium.make_vec(f"banyan/{name}-v0", num_envs=5, autoreset_mode=mode, **settings)
        assert isinstance(ours.unwrapped, banyan.gym.VectorEnv)
        theirs = SyncVectorEnv([lambda: banyan.gym.Env(name, **settings)] * 5, autoreset_mode=mode)
        assert ours.single_observation_space == theirs.single_observation_space
        assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
        first, second = ours.reset(seed=9), theirs.reset(seed=9)
        assert data_equivalence(first, second, exact=True)
        for step in range(25 if settings.get("opponent", "")[:4] == "mcts" else 80):
            actions = choose(rng, first[-1]["action_mask"])
            first, second = ours.step(actions), theirs.step(actions)
            assert data_equivalence(first, second, exact=True), (step, settings)
            over = first[2]
            if mode == AutoresetMode.DISABLED and over.any():
                first, second = (env.reset(options={"reset_mask": over.copy()}) for env in (ours, theirs))
                assert data_equivalence(first[0], second[0], exact=True)
                first = first[0], {"action_mask": ours.unwrapped.action_masks().astype(numpy.int8)}
        ours.close(), theirs.close()


def test_rewards_are_returns():
    """In self-play of a zero-sum game the player who made the last move gets the reward of the win."""
    env = gymnasium.make_vec("banyan/connect4-v0", num_envs=64, opponent="self")
    masks = env.reset(seed=1)[1]["action_mask"]
    rng = numpy.random.default_rng(1)
    ends, won = 0, 0.0
    for _ in range(300):
        _, rewards, over, truncated, infos = env.step((masks * rng.random(masks.shape)).argmax(1))
        masks = infos["action_mask"]
        assert not truncated.any() and (rewards[~over] == 0).all() and (masks[over] == 0).all()
        ends += over.sum()
        won += rewards[over].sum()
    assert ends > 300 and won > 0.9 * ends  # except in draws, the player who has just played has won


def test_opponents():
    """A learner at random against players of three strengths."""
    results = []
    for opponent in ("random", "mcts:simulations=30", "perfect"):
        env = banyan.gym.Env("tictactoe", opponent=opponent, seat="random")
        env.action_space.seed(1)
        total = 0
        for game in range(60):
            _, info = env.reset(seed=game)
            over = False
            while not over:
                _, reward, over, _, info = env.step(env.action_space.sample(info["action_mask"]))
            total += reward
        results.append(total / 60)
    assert results[0] > -0.3 > -0.5 > results[1] >= results[2] - 0.15


def test_masks_are_everywhere():
    env = gymnasium.make("banyan/othello-v0")
    observation, info = env.reset(seed=1)
    mask = numpy.asarray(banyan.game("othello").new().mask())
    for shown in (observation["action_mask"], info["action_mask"], env.unwrapped.action_masks()):
        assert (shown == mask).all()
    assert info["action_mask"].dtype == numpy.int8 and env.unwrapped.action_masks().dtype == numpy.bool_
    action = env.action_space.sample(info["action_mask"])
    assert mask[action]


def test_illegal_actions():
    for illegal in ("loss", "random", "raise"):
        env = banyan.gym.Env("tictactoe", opponent="self", illegal=illegal)
        env.reset(seed=1)
        env.step(4)
        if illegal == "raise":
            with pytest.raises(banyan.BanyanError, match="action 4 is not legal"):
                env.step(4)
            env.step(0)
            continue
        _, reward, over, truncated, info = env.step(4)
        assert (reward, over, truncated) == ((-1.0, True, False) if illegal == "loss" else (0.0, False, False))
        assert sum(info["action_mask"]) == (0 if illegal == "loss" else 7)
        if over:
            with pytest.raises(banyan.BanyanError, match="call reset"):
                env.step(0)


@pytest.mark.parametrize("action", [10**30, -(10**30), 1 << 63, -1])
def test_large_actions_are_illegal(action):
    env, vector = banyan.gym.Env("tictactoe"), banyan.gym.VectorEnv("tictactoe", 2)
    env.reset(seed=1)
    assert env.step(action)[1:3] == (-1.0, True)
    vector.reset(seed=1)
    assert vector.step([action, 4])[2].tolist() == [True, False]


def test_the_learner_who_has_no_turn():
    """If the game ends before the learner chooses, the first step reports the end."""
    name = register(type("Short", (), {}), players=2)
    env = gymnasium.make(name, seat=1)
    env.reset(seed=1)
    _, reward, over, _, _ = env.unwrapped.step(0)
    assert over and reward == -1.0


def register(cls, players):
    def end(self, state):
        return () if state else 0

    rules = {
        "name": "short",
        "players": players,
        "max_legal": 1,
        "max_plies": 1,
        "actions": 2,
        "planes": (1, 1, 1),
        "traits": {"zero-sum"},
        "new": lambda self, random: 0,
        "movers": end,
        "legal": lambda self, state, player: [1],
        "apply": lambda self, state, action, dice: 1,
        "returns": lambda self, state: [1, -1],
        "observe": lambda self, state, viewer: [state],
    }
    banyan.define(type("Short", (cls,), rules))
    return banyan.gym.register("short")


def test_render_and_spec():
    env = gymnasium.make("banyan/connect4-v0", render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == env.unwrapped.state.draw(0)
    vector = gymnasium.make_vec("banyan/connect4-v0", num_envs=2, render_mode="ansi")
    vector.reset(seed=1)
    assert len(vector.render()) == 2
    again = gymnasium.make(env.spec)
    assert again.unwrapped.game == env.unwrapped.game


@pytest.mark.parametrize(
    "settings",
    [
        {"opponent": "nobody"},
        {"seat": 2},
        {"seat": "x"},
        {"illegal": "x"},
        {"observation": "x"},
        {"setup": "x"},
        {"render_mode": "human"},
    ],
)
def test_wrong_settings(settings):
    with pytest.raises(banyan.BanyanError):
        banyan.gym.Env("tictactoe", **settings)


def test_large_seeds():
    """Only the lowest 64 bits of a seed are used, in Env as in VectorEnv."""
    env, vector = banyan.gym.Env("kuhn"), banyan.gym.VectorEnv("kuhn", 3)
    seeds = [1 << 63, (1 << 64) - 1, (1 << 64) + 5]
    first = [env.reset(seed=seed)[0]["observation"] for seed in seeds]
    assert numpy.array_equal(numpy.array(first), vector.reset(seed=seeds)[0]["observation"])
    assert numpy.array_equal(first[2], env.reset(seed=5)[0]["observation"])
    vector.reset(seed=(1 << 64) - 1)


def test_misuse():
    with pytest.raises(banyan.BanyanError, match="at the same time"):
        banyan.gym.Env("rps", opponent="self")
    with pytest.raises(banyan.BanyanError, match="call reset"):
        banyan.gym.Env("rps").step(0)
    env = banyan.gym.VectorEnv("tictactoe", 3, autoreset_mode=AutoresetMode.DISABLED)
    for options in ({"reset_mask": [True] * 3}, {"reset_mask": numpy.zeros(3, bool)}, {"reset_mask": numpy.ones(2, bool)}):
        with pytest.raises(banyan.BanyanError, match="reset_mask"):
            env.reset(options=options)
    with pytest.raises(banyan.BanyanError, match="a list of 3"):
        env.reset(seed=[1, 2])
    for seeds in (1.5, "abc", numpy.int64(-4), [1, 2, -3], [1, 2, 3.5], ["a", "b", "c"]):
        with pytest.raises(banyan.BanyanError, match="seed"):
            env.reset(seed=seeds)
    with pytest.raises(banyan.BanyanError, match="render_mode"):
        banyan.gym.VectorEnv("tictactoe", 3, render_mode="human")
    env.reset(seed=[1, None, 3])
    with pytest.raises(banyan.BanyanError, match="shape"):
        env.step([0, 0])
