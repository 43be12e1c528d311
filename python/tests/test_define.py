"""Games written in Python: they give the same trees as their twins in C, work in all calls that take a game, and their
exceptions reach the caller."""

import array
import copy
import math
import os
import pickle
import random
import signal
import subprocess
import sys
import threading

import banyan
import pytest
from conftest import any_action


class Duel:
    """The game of twin.c: state is (cards, scores, round)."""

    name = "duel"
    players, max_legal, max_plies, actions = 2, 4, 3, 4
    traits = frozenset({"chance", "simultaneous", "hidden", "zero-sum"})

    def new(self, random):
        return (1 + random.below(6), 1 + random.below(6)), (0, 0), 0

    def movers(self, state):
        return (0, 1) if state[2] < 3 else ()

    def legal(self, state, player):
        return list(range(state[0][player] // 2 + 1))

    def apply(self, state, actions, dice):
        cards, scores, turn = state
        die = dice.roll(6)
        gained = [actions[p] + 1 if cards[p] + die >= 7 else -actions[p] for p in (0, 1)]
        return cards, (scores[0] + gained[0], scores[1] + gained[1]), turn + 1

    def heuristic(self, state, player):
        return (state[1][player] - state[1][1 - player]) / 32

    def returns(self, state):
        return [self.heuristic(state, p) for p in (0, 1)]

    def key(self, state, viewer):
        cards, scores, turn = state
        return viewer + 2 * cards[viewer] + 100 * turn + 1000 * (50 + scores[0]) + 100000 * (50 + scores[1])

    def determinize(self, state, viewer, random):
        drawn = 1 + random.below(6)
        return (state[0][0], drawn) if viewer == 0 else (drawn, state[0][1]), state[1], state[2]


class Nim:
    """Players take 1 to 3 of 12 stones in turn; who takes the last stone wins."""

    name = "nim-12"
    players, max_legal, max_plies, actions = 2, 3, 12, 4
    traits = frozenset({"zero-sum"})
    planes = (1, 1, 13)

    def new(self, random):
        return 12, 0

    def movers(self, state):
        return state[1] if state[0] else ()

    def legal(self, state, player):
        return [n for n in (1, 2, 3) if n <= state[0]]

    def apply(self, state, action, dice):
        return state[0] - action, 1 - state[1]

    def returns(self, state):
        return [1, -1] if state[1] else [-1, 1]

    def action_name(self, state, player, action):
        return f"take {action}"

    def heuristic(self, state, player):
        return 0.5 if (state[0] % 4 != 0) == (player == state[1]) else -0.5

    def observe(self, state, viewer):
        return [[[float(n == state[0]) for n in range(13)]]]

    def draw(self, state, viewer):
        return "|" * state[0] + "\n"


DUEL, NIM = banyan.define(Duel), banyan.define(Nim())
TWIN = os.environ.get("BANYAN_TWIN")
OPTIONS = [
    {"rule": "ucb1"},
    {"rule": "regret"},
    {"rule": "puct", "noise_weight": 0.25},
    {"rule": "ucb1-tuned", "batch": 4},
    {"rule": "ucb1", "expand_visits": 1, "draw": "all"},
]


def twin(seed, simulations, evaluator, **options):
    words = [f"{name.replace('_', '-')}={value}" for name, value in options.items()]
    command = [TWIN, str(seed), str(simulations), evaluator, *words]
    out = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(out.stdout)


def searched(game, evaluator, seed, simulations, **options):
    search = banyan.Search(game, evaluator, **options)
    search.set_root(banyan.game(game).new(seed=seed), 0)
    search.run(simulations)
    return search


@pytest.mark.skipif(not TWIN, reason="SKIPPED: no BANYAN_TWIN, the program of twin.c")
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("evaluator", ["rollout", "heuristic", "uniform"])
def test_the_tree_of_its_twin_in_c(options, evaluator):
    for seed in (1, 2):
        assert searched(DUEL, evaluator, seed, 400, **options).signature == twin(seed, 400, evaluator, **options)


@pytest.mark.skipif(not TWIN, reason="SKIPPED: no BANYAN_TWIN, the program of twin.c")
def test_with_an_evaluator_in_python_too():
    def lead(leaves):
        return [[Duel().heuristic(eval(state.setup), p) for p in (0, 1)] for state in leaves.states]

    for options in OPTIONS:
        ours = searched(DUEL, lead, 3, 400, **options)
        assert ours.signature == twin(3, 400, "heuristic", **options)


def test_a_game_like_others():
    state = banyan.game("duel").new(seed=5)
    assert state.game == DUEL and "duel" in banyan.games() and DUEL.traits == Duel.traits
    again = DUEL.new(state.setup)
    assert again == state and again.bytes == state.bytes
    worlds = {state.determinize(0, seed=seed).setup for seed in range(50)}
    assert len(worlds) == 6 and all(DUEL.new(world).key(0) == state.key(0) for world in worlds)


def test_a_search_finds_the_winning_move():
    search = searched(NIM, "rollout", 1, 2000)
    assert search.best() in (1, 2, 3)
    search = banyan.Search(NIM)
    search.set_root(NIM.new("(7, 0)"))
    search.run(1000)
    assert search.best() == 3
    assert {move.text: move.lo for move in search.moves()}["take 3"] == 1.0
    assert "take 3" in search.tree()


def test_a_state_is_a_state():
    state = NIM.new(seed=1)
    assert state.legal() == [1, 2, 3] and state.player == 0 and not state.over
    assert state.name(2) == "take 2" and state.parse("take 3") == 3
    assert str(state) == "||||||||||||\n"
    assert state.after(2) == NIM.new("(10, 1)") and state == NIM.new()
    for twin_ in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert twin_ == state
    assert state.observe().tolist()[0][0][12] == 1.0 and NIM.planes == (1, 1, 13)
    assert state.mask().tolist() == [0, 1, 1, 1] and state.index(3) == 3
    assert state.rollout(seed=1).over
    with pytest.raises(banyan.BanyanError, match="'take 4' is not a legal action"):
        state.parse("take 4")
    with pytest.raises(banyan.BanyanError, match="'12 apples' is not a state"):
        NIM.new("12 apples")
    assert state.key(0) == NIM.new().key(0) != state.after(1).key(0)


@pytest.mark.parametrize("game", [DUEL, NIM])
def test_random_games(game):
    rng = random.Random(1)
    for seed in range(20):
        state = game.new(seed=seed)
        plies = 0
        while not state.over:
            assert game.new(state.setup) == state
            state.apply(any_action(state, rng))
            plies += 1
        assert plies <= game.max_plies and sum(state.returns) == 0


@pytest.mark.parametrize("game", [DUEL, NIM])
def test_env(game):
    rng = random.Random(1)
    env = banyan.Env(game, 4, seed=1)
    ended = 0
    for _ in range(30):
        masks = env.masks.tolist()
        env.step([[rng.choice([a for a, bit in enumerate(row) if bit] or [-1]) for row in one] for one in masks])
        ended += sum(env.done.tolist())
    assert ended > 4


def test_players():
    player = banyan.player(NIM, "mcts:simulations=300", seed=1)
    assert player.choose(NIM.new("(7, 0)")).action == 3
    assert banyan.player(NIM, "perfect").choose(NIM.new("(6, 1)")).action == 2
    player = banyan.player(DUEL, "random", seed=1)
    state = DUEL.new("((5, 1), (0, 0), 0)")
    player.open(state, 0)
    assert {player.choose(state).action for _ in range(40)} == {0, 1, 2}


def test_evaluators_see_it():
    seen = []

    def look(leaves):
        seen.extend(leaves.states)
        assert leaves.observations().shape == (len(leaves), 1, 1, 13)
        return [state.heuristic(state.player) for state in leaves.states]

    searched(NIM, look, 1, 50)
    assert all(state.game == NIM for state in seen)


def test_shuffles_and_dice():
    class Cards(Nim):
        name = "cards"
        traits = frozenset({"chance"})
        state_size = 512

        def new(self, random):
            return tuple(random.shuffle(range(20))), 3

        def movers(self, state):
            return 0 if state[1] else ()

        def legal(self, state, player):
            return [1]

        def apply(self, state, action, dice):
            kept.append(dice)
            faces = (dice.roll(6, 3), dice.pick(4), dice.test(6, 4), dice.chance(1, 3), dice.roll(sides=2))
            assert 1 <= faces[0] <= 6 and 0 <= faces[1] < 4 and faces[2] in (False, True)
            return tuple(dice.shuffle(state[0], kind=1)), state[1] - 1

        def returns(self, state):
            return 0, 0

        def observe(self, state, viewer):
            return [0.0] * 13

    kept = []
    game = banyan.define(Cards)
    state = game.new(seed=1)
    assert sorted(eval(state.setup)[0]) == list(range(20)) and state != game.new(seed=2)
    assert state.after(1, seed=1) == state.after(1, seed=1) != state.after(1, seed=2)
    with pytest.raises(ValueError, match="lives only during the call"):
        kept[0].roll(6)
    for wrong in ((0,), (6, 255), (6, -1), ("x",), (40000,)):
        with pytest.raises((TypeError, ValueError)):
            banyan.define(type("Wrong", (Cards,), {"apply": lambda self, s, a, d, w=wrong: d.roll(*w)})).new().apply(1)
    first, second = banyan.Random(7), banyan.Random(7)
    assert [first.below(1000) for _ in range(5)] == [second.below(1000) for _ in range(5)]
    assert 0 <= first.unit() < 1


class Boom(Exception):
    pass


def broken(method, answer):
    """Nim, in which `method` fails from its 20th call on: it raises Boom or returns a wrong answer."""

    calls = [0]

    def fails(self, *args):
        calls[0] += 1
        if calls[0] < 20:
            return getattr(super(game, self), method)(*args)
        if answer is Boom:
            raise Boom(method)
        return answer

    game = type("Broken", (Nim,), {"name": f"broken-{method}", method: fails})
    return banyan.define(game)


ANSWERS = {
    "movers": [Boom, 2, -1, (0, 1), "x", None, 0.5, object()],
    "legal": [Boom, [], [1] * 4, [-1], ["x"], None, [4], [1 << 70], 3],
    "apply": [Boom, object(), "x" * 2000, {1: 2}.keys()],
    "returns": [Boom, [1], [1, 2], [math.nan, 0], None, "ab", [1, 1, 1]],
    "heuristic": [Boom, "x", None, 7, [0.0, 0.0]],
    "action_name": [Boom, 3, None],
}


@pytest.mark.parametrize("method", list(ANSWERS))
def test_exceptions_come_out_of_a_search(method):
    for answer in ANSWERS[method]:
        game = broken(method, answer)
        search = banyan.Search(game, "heuristic" if method == "heuristic" else "rollout", solver=False)
        search.set_root(game.new())
        with pytest.raises(Boom if answer is Boom else (banyan.BanyanError, ValueError)) as caught:
            search.run(10_000)
            for _ in range(40):
                search.moves()
        assert method in str(caught.value) or answer is not Boom
        if method != "action_name":
            with pytest.raises(banyan.BanyanError, match="no root"):
                search.run(1)


@pytest.mark.parametrize("method", list(ANSWERS))
def test_exceptions_come_out_of_everything(method):
    for answer in ANSWERS[method][:2]:
        game = broken(method, answer)
        with pytest.raises((Boom, banyan.BanyanError)):
            for _ in range(100):
                state = game.new()
                state.heuristic(0)
                while not state.over:
                    str(state), repr(state), state.name(state.legal()[0])
                    state.apply(state.legal()[-1])
                assert state.returns
        with pytest.raises((Boom, banyan.BanyanError)):
            env = banyan.Env(game, 4)
            for _ in range(100):
                env.step([env.state(i).legal()[0] if not env.state(i).over else 0 for i in range(4)])
            env.state(0).heuristic(0), env.state(0).name(env.state(0).legal()[0])
        with pytest.raises((Boom, banyan.BanyanError)):
            player = banyan.player(game, "mcts:simulations=50,evaluator=heuristic,solver=off")
            for _ in range(10):
                player.choose(game.new())


@pytest.mark.parametrize("call", ["open", "choose", "observe"])
def test_a_player_after_an_exception(call):
    """After an exception the player's data of the game may be wrong, so it forgets them and begins again."""
    fails = [False]

    class Failing(Nim):
        name = f"failing-{call}"

        def movers(self, state):
            if fails[0] and call == "open":
                raise Boom
            return super().movers(state)

        def legal(self, state, player):
            if fails[0]:
                raise Boom
            return super().legal(state, player)

    game = banyan.define(Failing)
    player = banyan.player(game, "mcts:simulations=50,solver=off")
    state = game.new()
    if call != "open":
        player.open(state, 0)
    fails[0] = True
    with pytest.raises(Boom):
        player.open(state, 0) if call == "open" else player.choose(state)
    fails[0] = False
    if call == "observe":
        with pytest.raises(banyan.BanyanError, match="in no game yet"):
            player.observe(state, 1, state.after(1))
    assert player.choose(state).simulations


def test_exceptions_come_out_of_ask_and_tell():
    game = broken("legal", Boom)
    search = banyan.Search(game, banyan.Evaluator(), solver=False)
    search.set_root(game.new())
    with pytest.raises(Boom):
        for _ in range(200):
            leaves = search.select(2)
            search.update(leaves, [0.0] * len(leaves))
    with pytest.raises(banyan.BanyanError, match="no root"):
        search.select()


def test_a_run_after_an_exception():
    """A call that raised has no effect on later calls."""
    game = broken("legal", Boom)
    with pytest.raises(Boom):
        for _ in range(30):
            game.new().legal()
    assert NIM.new().legal() == [1, 2, 3]
    assert searched(NIM, "rollout", 1, 100).signature == searched(NIM, "rollout", 1, 100).signature


def test_exceptions_that_are_caught_in_a_rule():
    """If a rule or an evaluator calls the library and catches the exception, the run goes on."""

    class Bad(Nim):
        name = "bad-inside"

        def legal(self, state, player):
            raise Boom

    bad = banyan.define(Bad).new()

    def catches(*_):
        with pytest.raises(Boom):
            bad.legal()
        return 0.0

    class Careful(Nim):
        name = "careful"
        heuristic = catches

    game = banyan.define(Careful)
    for evaluator in ("heuristic", lambda leaves: [catches() for _ in range(len(leaves))]):
        search = banyan.Search(game, evaluator, solver=False)
        search.set_root(game.new())
        assert search.run(50).simulations == 50
    player = lambda state: int(catches()) or state.legal()[0]  # noqa: E731
    assert banyan.match(game, player, "random", 4).games == 4


def test_a_rule_that_raises_before_the_evaluator():
    """A rule raises, then the evaluator calls the library: the run still raises, and the wrong tree is dropped."""
    game = broken("movers", Boom)

    def evaluate(leaves):
        leaves.masks()
        return [0.0] * len(leaves)

    search = banyan.Search(game, evaluate, solver=False, batch=8)
    search.set_root(game.new())
    with pytest.raises(Boom):
        search.run(1000)
    with pytest.raises(banyan.BanyanError, match="no root"):
        search.moves()


def test_states_of_another_definition():
    first, second = (banyan.define(type("Twice", (Nim,), {"name": "defined-twice"})) for _ in range(2))
    with pytest.raises(banyan.BanyanError, match="another definition of defined-twice"):
        banyan.Search(second).set_root(first.new())


def test_threads_of_the_library():
    game = broken("legal", Boom)
    search = banyan.Search(game, threads=2)
    search.set_root(game.new())
    with pytest.raises(Boom):
        search.run(100_000)
    search = banyan.Search(NIM, threads=2, solver=False)
    search.set_root(NIM.new())
    assert search.run(500).simulations >= 500


def test_exceptions_in_two_threads_at_once():
    """The calling thread and a thread of the library raise in one run: neither exception appears in the next run."""
    both, fails = threading.Barrier(2), [True]

    class Twice(Nim):
        name = "broken-twice"

        def legal(self, state, player):
            if fails[0] and self.runs:
                both.wait(60)
                raise Boom(threading.get_ident())
            return super().legal(state, player)

    Twice.runs = False
    game = banyan.define(Twice)
    search = banyan.Search(game, threads=2, solver=False)
    search.set_root(game.new())
    search.run(10)
    Twice.runs = True
    with pytest.raises(Boom):
        search.run(100_000)
    fails[0] = False
    search.set_root(game.new())
    assert search.run(500).simulations >= 500


@pytest.mark.parametrize("call", ["step", "reset"])
def test_exceptions_in_threads_of_an_env(call):
    """Rules raise in threads of the library, which play the steps of an Env."""
    fails = [False]

    class Failing(Nim):
        name = f"broken-env-{call}"

        def legal(self, state, player):
            if fails[0] and threading.current_thread() is not threading.main_thread():
                raise Boom
            return super().legal(state, player)

    game = banyan.define(Failing)
    env = banyan.Env(game, 8, threads=4)
    actions = [env.state(i).legal()[0] for i in range(8)]
    fails[0] = True
    with pytest.raises(Boom):
        env.step(actions) if call == "step" else env.reset()
    fails[0] = False
    env.reset()
    env.step(actions)
    search = banyan.Search(game, threads=2, solver=False)
    search.set_root(game.new())
    assert search.run(500).simulations >= 500


def test_an_exception_ends_all_runs_of_the_game():
    """Two searches run at once, and rules raise in their threads: both runs end, and neither keeps a wrong tree."""
    both, fails = threading.Barrier(2), [False]
    ours = set()

    class Shared(Nim):
        name = "broken-shared"

        def legal(self, state, player):
            if fails[0] and threading.get_ident() not in ours:
                raise Boom
            return super().legal(state, player)

    game, caught = banyan.define(Shared), []

    def search():
        ours.add(threading.get_ident())
        one = banyan.Search(game, threads=2, solver=False)
        one.set_root(game.new())
        one.run(10)
        both.wait(60)
        fails[0] = True
        try:
            one.run(seconds=600)
        except Boom as error:
            caught.append(error)
        both.wait(60)  # until then no new thread can have the identity of one of ours
        with pytest.raises(banyan.BanyanError, match="no root"):
            one.moves()

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(caught) == 2
    fails[0] = False
    search = banyan.Search(game, threads=2, solver=False)
    search.set_root(game.new())
    assert search.run(500).simulations >= 500


@pytest.mark.parametrize("end", ["choose", "observe", "open", "close"])
def test_a_player_who_thinks_in_the_background(end):
    """The player's own thread calls the rules while others run, and ends when the player is called or deleted."""
    thinks = threading.Event()

    class Pondered(Nim):
        name = f"pondered-{end}"

        def legal(self, state, player):
            if threading.current_thread() is not threading.main_thread():
                thinks.set()
            return super().legal(state, player)

    game = banyan.define(Pondered)
    player = banyan.player(game, "mcts:ponder=on,simulations=20,solver=off")
    start = game.new()
    player.open(start, 0)
    after = start.after(1)
    player.observe(start, 1, after)
    assert thinks.wait(60)
    if end == "choose":
        assert player.choose(after.after(1)).simulations
    elif end == "observe":
        player.observe(after, 1, after.after(1))
    elif end == "open":
        player.open(start, 1)
    del player
    assert game.new().legal() == [1, 2, 3]


def test_ctrl_c_keeps_the_tree():
    main, asked, enough = threading.main_thread().ident, [0], threading.Event()

    def evaluate(leaves):
        asked[0] += len(leaves)
        if asked[0] > 200:
            enough.set()
        return [0.0] * len(leaves)

    def interrupt():
        enough.wait()
        signal.pthread_kill(main, signal.SIGINT)

    search = banyan.Search(NIM, evaluate, solver=False)
    search.set_root(NIM.new())
    thread = threading.Thread(target=interrupt)
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        search.run(seconds=600)
    thread.join()
    assert search.stats().simulations > 100
    before = search.stats().simulations
    search.run(10)
    assert search.moves() and before


def test_other_threads_go_on():
    """A second thread sees that the search is running, and ends it: so it ran at the same time as the search."""
    search = banyan.Search(NIM, solver=False)
    search.set_root(NIM.new())
    main = threading.main_thread().ident

    def watch():
        while True:
            try:
                search.stats()
            except banyan.BanyanError as error:
                assert "running" in str(error)
                break
        signal.pthread_kill(main, signal.SIGINT)

    thread = threading.Thread(target=watch)
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        search.run(seconds=600)
    thread.join()


@pytest.mark.parametrize(
    "change, message",
    [
        ({"name": None}, "'name'"),
        ({"name": "othello"}, "the library has a game of this name"),
        ({"players": 0}, "'players' is 1..8"),
        ({"players": 9}, "'players' is 1..8"),
        ({"max_legal": "3"}, "'max_legal' must be int"),
        ({"max_legal": 65535}, "'max_legal' is 1..65534"),
        ({"name": ""}, "'name' must be a text to print"),
        ({"name": "a\nb"}, "'name' must be a text to print"),
        ({"name": "\ud800"}, "'name' must be a text to print"),
        ({"return_max": float("inf")}, "both within 1e\\+30"),
        ({"return_max": 1e300}, "both within 1e\\+30"),
        ({"return_max": 10**400}, "both within 1e\\+30"),
        ({"return_min": 1, "return_max": 1 + 1e-12}, "as a float32"),
        ({"return_min": 0, "return_max": 1e-300}, "as a float32"),
        ({"planes": 3}, "'planes' must be"),
        ({"planes": (1 << 16, 1 << 16, 1 << 16)}, "'planes' are 1..1048576 numbers"),
        ({"legal": None}, "needs a method legal"),
        ({"traits": {"dice"}}, "traits are 'chance'"),
        ({"traits": {"hidden"}}, "needs a method key"),
        ({"return_min": 2}, "return_min must be below return_max"),
        ({"planes": None}, "'planes' and observe"),
        ({"planes": (1, 2)}, "must be .channels"),
        ({"state_size": 4096}, "'state_size' is 16..2048"),
        ({"actions": True}, "'actions'"),
    ],
)
def test_wrong_classes(change, message):
    with pytest.raises(banyan.BanyanError, match=message):
        banyan.define(type("Wrong", (Nim,), {"name": "wrong", **change}))


def test_wrong_states():
    for value in ({1: 2}, {3}, object(), (1, [object()]), 1j):
        game = banyan.define(type("Wrong", (Nim,), {"name": "wrong", "new": lambda self, random, v=value: v}))
        with pytest.raises(banyan.BanyanError, match="a state is made of"):
            game.new()
    with pytest.raises(banyan.BanyanError, match="needs an attribute 'name'"):
        banyan.define(object())


def test_wrong_states_of_moves():
    """marshal would store an array, or a number of NumPy, as bytes."""
    deep = ()
    for _ in range(600):
        deep = (deep,)
    for value, got in [
        ((array.array("d", [1.0]), 1), "array"),
        (memoryview(b"12"), "memoryview"),
        (bytearray(b"12"), "bytearray"),
        ({1}, "set"),
        ([1, {1: 2}], "dict"),
        ((math.nan, 0), "nan"),
        (deep, "tuple"),
    ]:
        moved = banyan.define(Changed(apply=lambda state, action, dice, value=value: value)).new()
        with pytest.raises(banyan.BanyanError, match=f"a state is made of .* got {got}$"):
            moved.apply(1)
        dealt = banyan.define(
            Changed(
                traits={"hidden", "zero-sum"},
                key=lambda state, viewer: 0,
                determinize=lambda state, viewer, random, value=value: value,
            )
        ).new()
        with pytest.raises(banyan.BanyanError, match=f"a state is made of .* got {got}$"):
            dealt.determinize(0, seed=1)


def test_infinite_numbers_are_read_again():
    game = banyan.define(Changed(new=lambda random: (12, 0, math.inf, [-math.inf, "inf"], "nan")))
    state = game.new()
    assert game.new(state.setup) == state and pickle.loads(pickle.dumps(state)) == state
    for text in ("(infinite, 0)", "nan", "inf()", "inf.real"):
        with pytest.raises(banyan.BanyanError, match="is not a state"):
            game.new(text)


def test_names_that_are_not_ascii():
    game = banyan.define(Changed(action_name=lambda state, player, action: "♞♟é"[action - 1]))
    state = game.new()
    assert [state.parse(state.name(action)) for action in state.legal()] == state.legal()
    assert banyan.check(game, games=3) == []


@pytest.mark.parametrize("text", ["a\0" + "x" * 40, "\ud800"])
def test_texts_that_c_cannot_hold(text):
    game = banyan.define(Changed(draw=lambda state, viewer: text, action_name=lambda state, player, action: text))
    state = game.new()
    with pytest.raises(banyan.BanyanError, match=r"draw\(\) returns a str without NUL and lone surrogates"):
        state.draw()
    with pytest.raises(banyan.BanyanError, match=r"action_name\(\) returns a str without NUL and lone surrogates"):
        state.name(1)


def test_odd_names_are_no_harm_to_other_doors():
    """gym and zoo register only the games of the library: names of other games may be invalid ids there."""
    pytest.importorskip("gymnasium", reason="SKIPPED: gymnasium is not installed")
    program = """
import banyan, sys
sys.path.append({folder!r})
from test_define import Nim
banyan.define(type("Odd", (Nim,), {{"name": "odd name (1)"}}))
import banyan.gym, gymnasium
assert "banyan/othello-v0" in gymnasium.registry and "banyan/duel-v0" not in gymnasium.registry
"""
    folder = os.path.dirname(__file__)
    subprocess.run([sys.executable, "-c", program.format(folder=folder)], check=True)


class Changed(Nim):
    """Nim with some members replaced."""

    def __init__(self, **members):
        self.name = "nim-changed"
        for name, member in members.items():
            setattr(self, name, member)


def test_common_mistakes_are_named():
    with pytest.raises(banyan.BanyanError, match="'traits' must be a set"):
        banyan.define(Changed(traits="zero-sum"))
    with pytest.raises(banyan.BanyanError, match=r"a state is None: new\(\), apply\(\)"):
        banyan.define(Changed(apply=lambda state, action, dice: None)).new().apply(1)
    with pytest.raises(banyan.BanyanError, match="max_plies=3 plies"):
        banyan.define(Changed(max_plies=3, legal=lambda state, player: [1])).new().rollout(seed=1)
