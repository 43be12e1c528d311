"""Every public call with arguments that cannot be meant: an exception with a message, never a crash."""

import datetime
import itertools
import pickle

import banyan
import pytest

STATE = banyan.game("othello").new()


class Liar:
    """Says it is a number, and changes the state while it is read."""

    def __init__(self, state):
        self.state = state

    def __index__(self):
        if not self.state.over:
            self.state.apply(self.state.legal()[0])
        return 19


class Tensor:
    """Hands over what is no memory."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self):
        return self.capsule


def objects():
    """Something of each public type, made anew."""
    over = banyan.game("tictactoe").new().rollout(seed=1)
    search = banyan.Search("othello", memory=1 << 20)
    rooted = banyan.Search("othello", memory=1 << 20)
    rooted.set_root(STATE)
    used = rooted.select()
    rooted.update(used, [0.0])
    rps = banyan.game("rps").new()
    asked = banyan.Search("othello", banyan.Evaluator(policy=True), memory=1 << 20)
    asked.set_root(STATE)
    player = banyan.player("othello", "mcts:simulations=5")
    walked = banyan.Search("kuhn", rule="regret", memory=1 << 20)
    walked.set_root(banyan.game("kuhn").new(seed=1))
    return {
        "module": banyan,
        "game": banyan.game("othello"),
        "state": STATE.clone(),
        "over": over,
        "rps": rps,
        "kuhn": banyan.game("kuhn").new(seed=1),
        "bloodbowl": banyan.game("bloodbowl-1").new(seed=1),
        "pokemon": banyan.game("pokemon").new(seed=1),
        "search": search,
        "rooted": rooted,
        "asked": asked,
        "leaves": asked.select(),
        "used": used,
        "player": player,
        "env": banyan.Env("othello", 2, seed=1),
        "random": banyan.Random(1),
        "walked": walked,
    }


VALUES = [
    None,
    -1,
    0,
    3,
    1 << 63,
    1 << 64,
    -(1 << 70),
    1.5,
    float("nan"),
    "",
    "x",
    "d3\0",
    "\ud800",
    b"bytes",
    bytearray(4),
    [],
    {},
    {0: 1},
    {0: 0, 1: 0},
    {7: 1},
    object(),
    STATE,
    banyan.game("rps").new(),
    len,
    Tensor(None),
    Tensor(datetime.datetime_CAPI),
]
KINDS = (TypeError, ValueError, OverflowError, banyan.BanyanError)


def calls():
    for name, thing in objects().items():
        for attribute in dir(thing):
            owner = thing if name == "module" else type(thing)
            if attribute.startswith("__") or not callable(getattr(owner, attribute)):
                continue
            if name == "module" and attribute not in ("define", "game", "player", "games", "Search", "Random"):
                continue
            yield name, attribute


@pytest.mark.parametrize("name, attribute", list(calls()))
def test_wrong_arguments(name, attribute):
    """0 to 2 arguments of all kinds: a result or one of our exceptions, whose message says something."""
    failures = 0
    for count in (0, 1, 2):
        for arguments in itertools.product(VALUES, repeat=count):
            if attribute == "run" and isinstance(arguments[:1], tuple) and arguments[:1] == (1 << 63,):
                continue
            if attribute == "run" and arguments and isinstance(arguments[0], int) and arguments[0] > 100:
                continue
            thing = fresh(name)
            try:
                getattr(thing, attribute)(*arguments)
            except KINDS as error:
                failures += 1
                assert str(error), (name, attribute, arguments)
    assert failures or attribute in ("clear",)


_KEPT = {}


def fresh(name):
    """States are copied; searches and players serve for many calls, as they do for a user."""
    if name not in _KEPT:
        _KEPT.update(objects())
    thing = _KEPT[name]
    return thing.clone() if isinstance(thing, banyan.State) else thing


@pytest.mark.parametrize("name, attribute", list(calls()))
def test_unknown_names(name, attribute):
    thing = fresh(name)
    with pytest.raises(TypeError):
        getattr(thing, attribute)(STATE, nonsense_=1)


def test_numbers_that_lie():
    state = STATE.clone()
    with pytest.raises(banyan.BanyanError):
        for _ in range(100):
            state.apply(Liar(state))
    state = STATE.clone()
    with pytest.raises(banyan.BanyanError):
        for _ in range(100):
            state.name(Liar(state))


@pytest.mark.parametrize("option", [{"nonsense": 1}, {"explorationn": 1}, {"time": 5}])
def test_unknown_options(option):
    with pytest.raises(TypeError, match=next(iter(option))):
        banyan.Search("othello", **option)


@pytest.mark.parametrize(
    "option",
    [
        {"threads": -1},
        {"threads": 100000},
        {"batch": -1},
        {"ensemble": 0},
        {"rule": "x"},
        {"rule": 7},
        {"exploration": float("nan")},
        {"memory": 1},
        {"seed": "x"},
        {"reuse": 3},
        {"solver": "on", "transpositions": True},
    ],
)
def test_bad_options(option):
    with pytest.raises(banyan.BanyanError) as caught:
        banyan.Search("othello", **option)
    assert caught.value.status in ("invalid", "unsupported", "out of memory") or caught.value.status


def test_did_you_mean():
    with pytest.raises(TypeError, match="did you mean 'exploration'"):
        banyan.Search("othello", exploratoin=1)
    with pytest.raises(banyan.BanyanError, match="did you mean 'othello'") as caught:
        banyan.game("otello")
    assert caught.value.status == "not found"


@pytest.mark.parametrize("shape", [(3, 8, 7), (8, 8), (3, 8, 8, 1), (0,)])
def test_wrong_arrays(shape):
    numpy = pytest.importorskip("numpy")
    for kind in (numpy.float32, numpy.float64, numpy.int8, numpy.uint64):
        with pytest.raises((TypeError, ValueError)):
            STATE.observe(out=numpy.zeros(shape, kind))
    frozen = numpy.zeros((3, 8, 8), numpy.float32)
    frozen.flags.writeable = False
    with pytest.raises((TypeError, ValueError)):
        STATE.observe(out=frozen)
    with pytest.raises((TypeError, ValueError)):
        STATE.observe(out=numpy.zeros((3, 8, 16), numpy.float32)[:, :, ::2])


def test_pickles_that_lie():
    good = pickle.dumps(STATE)
    for at in range(0, len(good), 3):
        bad = bytearray(good)
        bad[at] ^= 0x21
        try:
            state = pickle.loads(bytes(bad))
        except Exception:
            continue
        if isinstance(state, banyan.State) and not state.over:
            assert state.legal()


@pytest.mark.parametrize("text", ["position", "position 1", "position 0 ", "position 99999999999999", "game 0 0 0"])
def test_positions_of_other_programs(text):
    """Their hash is that of the text behind it (docs/games/bloodbowl.md)."""
    with pytest.raises(banyan.BanyanError, match="Blood Bowl"):
        banyan.game("bloodbowl-3").new(text)
    plain = banyan.game("bloodbowl-3").new(seed=1).setup
    with pytest.raises(banyan.BanyanError, match="check number"):
        banyan.game("bloodbowl-3").new(plain.replace(" game ", " position "))
