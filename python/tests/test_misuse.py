"""Every public call with wrong arguments: an exception with a message, never a crash."""

import copy
import pickle
import threading

import banyan
import pytest
from misuse import KINDS, STATE, VALUES, Liar, parameters, tell_apart


class Race:
    """A game of three dice for two, written in Python; `at` is called by each of its rules."""

    name = "misuse-race"
    players, max_legal, max_plies, actions = 2, 2, 8, 2
    traits = {"zero-sum", "chance"}
    dice = None

    def at(self, rule):
        pass

    def new(self, random):
        self.at("new")
        self.random = random
        return 0, 0

    def movers(self, state):
        self.at("movers")
        return state[0] % 2 if state[0] < 8 else ()

    def legal(self, state, player):
        self.at("legal")
        return [0, 1]

    def apply(self, state, action, dice):
        self.at("apply")
        self.dice = dice
        return state[0] + 1, state[1] + dice.roll(6) * action

    def returns(self, state):
        return (1, -1) if state[1] % 2 else (-1, 1)

    def action_name(self, state, player, action):
        self.at("action_name")
        return "ab"[action]


RACE = Race()
DEFINED = banyan.define(RACE)


def rooted(game, *evaluator, state=None, **options):
    search = banyan.Search(game, *evaluator, memory=1 << 20, **options)
    search.set_root(state or banyan.game(game).new(seed=1))
    return search


def objects():
    """New objects of all public types."""
    used_up = rooted("othello", banyan.Evaluator())
    used = used_up.select()
    used_up.update(used, [0.0])
    asked = rooted("othello", banyan.Evaluator(policy=True))
    headless = rooted("bloodbowl-1", banyan.Evaluator(policy=True))
    both = rooted("rps", banyan.Evaluator(policy=True))
    own = DEFINED.new(seed=1)
    own.apply(0)
    return {
        "module": banyan,
        "game": banyan.game("othello"),
        "state": STATE.clone(),
        "over": banyan.game("tictactoe").new().rollout(seed=1),
        "rps": banyan.game("rps").new(),
        "kuhn": banyan.game("kuhn").new(seed=1),
        "bloodbowl": banyan.game("bloodbowl-1").new(seed=1),
        "pokemon": banyan.game("pokemon").new(seed=1),
        "own": own,
        "search": banyan.Search("othello", memory=1 << 20),
        "rooted": rooted("othello"),
        "asked": asked,
        "own-search": rooted(DEFINED),
        "walked": rooted("kuhn", rule="regret"),
        "leaves": asked.select(),
        "leaves-headless": headless.select(),
        "leaves-both": both.select(),
        "used": used,
        "player": banyan.player("othello", "mcts:simulations=5"),
        "own-player": banyan.player(DEFINED, "mcts:simulations=5"),
        "env": banyan.Env("othello", 2, seed=1),
        "env-both": banyan.Env("rps", 2, seed=1),
        "own-env": banyan.Env(DEFINED, 2, seed=1),
        "random": banyan.Random(1),
        "random-over": RACE.random,
        "dice-over": RACE.dice,
        "evaluator": banyan.Evaluator(len),
    }


_LEFT_OUT = ("train", "Run")  # test_runs.py


def calls():
    for name, thing in objects().items():
        for attribute in banyan.__all__ if name == "module" else dir(thing):
            owner = thing if name == "module" else type(thing)
            if attribute.startswith("__") or attribute in _LEFT_OUT or not callable(getattr(owner, attribute, None)):
                continue
            yield name, attribute


_KEPT = {}


def fresh(name):
    """States are copied; searches and players serve for many calls, as they do for a user."""
    if name not in _KEPT:
        _KEPT.update(objects())
    thing = _KEPT[name]
    if name == "own-search":
        thing.set_root(thing.state)  # a small tree: its rules are Python's
    return thing.clone() if isinstance(thing, banyan.State) else thing


@pytest.mark.parametrize("name, attribute", list(calls()))
def test_wrong_arguments(name, attribute):
    """Each call returns, or raises one of the allowed exceptions with a message."""
    assert tell_apart(getattr(fresh(name), attribute)) or attribute == "BanyanError"


@pytest.mark.parametrize("name", list(objects()))
def test_wrong_operations(name):
    thing = fresh(name)
    for value in [one for one in VALUES if type(one).__module__ != "numpy"] + [thing]:
        assert (thing == value) is not (thing != value)
        with pytest.raises(TypeError):
            thing < value
    for operation in (hash, len, iter, copy.copy, copy.deepcopy, pickle.dumps, repr, str):
        try:
            operation(thing)
        except KINDS + (AttributeError, pickle.PicklingError) as error:
            assert str(error)


@pytest.mark.parametrize("name", [name for name in objects() if name != "module"])
def test_attributes_are_only_read(name):
    thing = fresh(name)
    for attribute in dir(thing):
        if attribute.startswith("__") or name == "evaluator":
            continue
        try:
            getattr(thing, attribute)
        except KINDS as error:
            assert str(error)
        for value in (None, 1, STATE):
            with pytest.raises((AttributeError, TypeError)):
                setattr(thing, attribute, value)
        with pytest.raises((AttributeError, TypeError)):
            delattr(thing, attribute)


def test_types_that_nobody_makes():
    for kind in (banyan.Game, banyan.State, banyan.Leaves, banyan.Player, banyan.Dice):
        with pytest.raises(TypeError):
            kind()
        with pytest.raises(TypeError):
            kind.__new__(kind)
        with pytest.raises(TypeError):
            type("Mine", (kind,), {})


# --- wrong threads: a call of an object while another call of it is running ---


class Held:
    """A function that waits in its first call until `go` is set."""

    def __init__(self):
        self.inside, self.go = threading.Event(), threading.Event()

    def __call__(self, *_):
        if not self.inside.is_set():
            self.inside.set()
            assert self.go.wait(60)


def beside(call, thing, free):
    """Reads or calls every attribute of thing while call() runs in another thread.  Returns the refused attributes."""
    worker, refused = threading.Thread(target=call), set()
    worker.start()
    try:
        assert HELD.inside.wait(60)
        for attribute in dir(type(thing)):
            if attribute.startswith("__") or attribute in free:
                continue
            try:
                value = getattr(thing, attribute)
                if callable(value):
                    good = [GOOD_RACE[one.name] for one in parameters(value) if one.default is one.empty]
                    value(*good)
            except banyan.BanyanError as error:
                assert "going on" in str(error) or "goes on" in str(error), (attribute, error)
                refused.add(attribute)
    finally:
        HELD.go.set()
        worker.join()
    return refused


HELD = Held()
GOOD_RACE = {
    "state": DEFINED.new(seed=1),
    "before": DEFINED.new(seed=1),
    "after": DEFINED.new(seed=1).after(0),
    "action": 0,
    "actions": [0, 0],
    "seat": 0,
    "iterations": 1,
    "leaves": None,
    "values": [0.0],
    "index": 0,
}


@pytest.fixture
def held(monkeypatch):
    """Makes a new Held; a test sets RACE.at to it, so that the next call of a rule waits."""
    monkeypatch.setattr(f"{__name__}.HELD", Held())
    yield
    RACE.__dict__.pop("at", None)


def test_a_search_in_two_threads(held):
    def wait(leaves):
        HELD()
        return [0.0] * len(leaves)

    every = {"advance", "average_strategy", "best", "moves", "policy", "pv", "run", "select", "set_root"}
    every |= {"signature", "stats", "tree", "update", "value", "walk"}
    search = rooted(DEFINED, wait)
    assert beside(lambda: search.run(simulations=5), search, {"game", "state", "stop", "_repr_html_"}) == every
    assert search.run(simulations=5).simulations


@pytest.mark.parametrize("method", ["set_root", "advance", "moves", "tree", "best", "average_strategy", "select"])
def test_rules_do_not_let_other_threads_in(held, method):
    """While a rule runs, other threads can run, but their calls of the search are refused."""
    search = rooted(DEFINED, rule="regret") if method == "average_strategy" else rooted(DEFINED)
    if method != "select":
        search.run(20)
    good = [GOOD_RACE[one.name] for one in parameters(getattr(search, method)) if one.default is one.empty]
    RACE.at = HELD
    refused = beside(lambda: getattr(search, method)(*good), search, {"game", "state", "stop", "_repr_html_"})
    assert {"run", "moves", "set_root", "value"} <= refused


def test_a_player_in_two_threads(held):
    player = banyan.player(DEFINED, "mcts:simulations=5")
    state = DEFINED.new(seed=1)
    RACE.at = HELD
    refused = beside(lambda: player.choose(state), player, {"name", "game", "stop"})
    assert refused == {"open", "choose", "observe"}
    assert player.choose(state).simulations


def test_an_env_in_two_threads(held):
    env = banyan.Env(DEFINED, 2, seed=1)
    RACE.at = HELD
    arrays = {"observations", "masks", "movers", "rewards", "done", "final_observations", "game", "HOLD"}
    assert beside(lambda: env.step([0, 0]), env, arrays) == {"step", "reset", "state"}
    env.step([0, 0])


@pytest.mark.parametrize("method", ["moves", "tree", "run", "set_root", "select"])
def test_rules_that_use_the_search_they_serve(method):
    """A rule that calls the search that is calling it gets an error, and so does the caller of the search."""
    search = rooted(DEFINED)
    search.run(20)
    good = [GOOD_RACE[one.name] for one in parameters(getattr(search, method)) if one.default is one.empty]

    def touch(rule):
        RACE.__dict__.pop("at", None)
        search.set_root(GOOD_RACE["state"])

    RACE.at = touch
    try:
        with pytest.raises(banyan.BanyanError, match="running"):
            getattr(search, method)(*(good or ([5] if method == "run" else [])))
    finally:
        RACE.__dict__.pop("at", None)


def test_leaves_of_a_search_that_moves_on(held):
    """Waiting leaves cannot be read while another thread sets a new root of their search."""
    search = rooted(DEFINED, banyan.Evaluator())
    leaves = search.select(2)
    RACE.at = HELD
    worker = threading.Thread(target=lambda: search.set_root(GOOD_RACE["state"]))
    worker.start()
    try:
        assert HELD.inside.wait(60)
        for read in (lambda: leaves.states, lambda: leaves.rows, leaves.masks):
            with pytest.raises(banyan.BanyanError, match="running|no longer valid"):
                read()
    finally:
        HELD.go.set()
        worker.join()
    with pytest.raises(banyan.BanyanError, match="no longer valid"):
        search.update(leaves, [0.0, 0.0])


def test_more_items_than_a_die_has_sides():
    class Wide(Race):
        name = "misuse-wide"

        def apply(self, state, action, dice):
            return state[0] + 1, len(dice.shuffle(range(32767 + action)))

    state = banyan.define(Wide).new(seed=1)
    assert state.after(0)
    with pytest.raises(ValueError, match="at most 32767, got 32768"):
        state.after(1)


def test_luck_inside_a_rule():
    """Dice and Random while they live, with every wrong argument, and after the rule has returned."""
    seen = []

    class Lucky(Race):
        name = "misuse-lucky"

        def new(self, random):
            seen.append([tell_apart(getattr(random, name)) for name in ("below", "shuffle")])
            return 0, 0

        def apply(self, state, action, dice):
            names = ("roll", "pick", "test", "chance", "shuffle")
            seen.append([tell_apart(getattr(dice, name)) for name in names])
            self.dice = dice
            return state[0] + 1, 0

    lucky = Lucky()
    state = banyan.define(lucky).new(seed=1)
    state.apply(0)
    assert len(seen) >= 2 and all(count > 20 for counts in seen for count in counts)
    with pytest.raises(ValueError, match="lives only"):
        lucky.dice.roll(6)


def test_items_that_outlive_the_rule():
    """shuffle() reads its items, which may be any iterable, before it draws; wrong items raise."""
    random = banyan.Random(1)
    assert sorted(random.shuffle(iter([1, 2, 3]))) == [1, 2, 3]
    for wrong in (5, None, Liar):
        with pytest.raises(TypeError):
            random.shuffle(wrong)


@pytest.mark.parametrize("before", range(4))
def test_messages_with_texts_of_the_caller(before):
    """A text that is cut within a character is still a message."""
    text, othello = "x" * before + "ä" * 1000, banyan.game("othello")
    for call in (
        lambda: banyan.game(text),
        lambda: banyan.player(othello, text),
        lambda: banyan.Search(othello, text),
        lambda: banyan.Search(othello, rule=text),
        lambda: othello.new(text),
        lambda: othello.new().parse(text),
    ):
        with pytest.raises(banyan.BanyanError, match="ä|\ufffd"):
            call()


def test_numbers_that_lie():
    state = STATE.clone()
    with pytest.raises(banyan.BanyanError):
        for _ in range(100):
            state.apply(Liar(state))
    state = STATE.clone()
    with pytest.raises(banyan.BanyanError):
        for _ in range(100):
            state.name(Liar(state))


class Changing:
    """An array that calls change() while it is opened, for example to play in a state."""

    def __init__(self, array, change):
        self.array, self.change = array, change

    def __dlpack__(self):
        self.change()
        return self.array.__dlpack__()

    def __getitem__(self, part):
        return self.array[part]


def test_arrays_that_change_the_state():
    numpy = pytest.importorskip("numpy")
    state, other = STATE.clone(), STATE.after(19)
    array = numpy.zeros(64, numpy.uint64)
    assert list(state.legal_array(out=Changing(array, other.legal))) == state.legal()
    board = banyan.game("tictactoe").new()

    def play_on():
        while not board.over:
            board.apply(board.legal()[0])

    with pytest.raises(banyan.BanyanError, match="over"):
        board.mask(out=Changing(numpy.zeros(9, numpy.int8), play_on))
    board = banyan.game("tictactoe").new()
    with pytest.raises(banyan.BanyanError, match="over"):
        board.legal_array(out=Changing(array, play_on))
    search = rooted("othello", banyan.Evaluator())
    for method, room in (("masks", numpy.zeros((1, 65), "i1")), ("observations", numpy.zeros((1, 3, 8, 8), "f4"))):
        read = getattr(search.select(), method)
        with pytest.raises(banyan.BanyanError, match="no longer valid"):
            read(Changing(room, lambda: search.set_root(STATE)))


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


def test_what_a_beginner_tries():
    with pytest.raises(TypeError, match=r"State.parse\('d3'\) reads a text"):
        STATE.after("d3")
    with pytest.raises(TypeError, match=r"limit of run\(simulations"):
        banyan.Search("othello", simulations=100)
    search = rooted("othello", lambda leaves: 0.5)
    with pytest.raises(ValueError, match="1 finite numbers, those of the player who chooses, or"):
        search.run(1)
    assert set(dir(banyan)) == set(banyan.__all__)


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


def test_arrays_that_begin_within_a_number():
    numpy = pytest.importorskip("numpy")

    def shifted(values, kind):
        whole = numpy.frombuffer(b"\0" + numpy.array(values, kind).tobytes(), numpy.uint8).copy()
        return whole[1:].view(kind)

    with pytest.raises(TypeError, match="aligned"):
        STATE.observe(out=shifted(numpy.zeros(192), numpy.float32).reshape(3, 8, 8))
    with pytest.raises(TypeError, match="aligned"):
        STATE.legal_array(out=shifted(range(60), numpy.uint64))
    env = banyan.Env("othello", 2)
    env.step(shifted([19, 26], numpy.int64))
    search = rooted("othello", banyan.Evaluator())
    search.update(search.select(), shifted([0.5], numpy.float32))
    assert [env.state(0), env.state(1)] == [STATE.after(19), STATE.after(26)]
    assert search.value[0] == 0.5


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
    """In such a text "position" is followed by a hash of the rest (docs/games/bloodbowl.md)."""
    with pytest.raises(banyan.BanyanError, match="Blood Bowl"):
        banyan.game("bloodbowl-3").new(text)
    plain = banyan.game("bloodbowl-3").new(seed=1).setup
    with pytest.raises(banyan.BanyanError, match="check number"):
        banyan.game("bloodbowl-3").new(plain.replace(" game ", " position "))
