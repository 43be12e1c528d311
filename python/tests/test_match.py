"""banyan.match: the games of the program's `banyan match`, also with players written in Python."""

import json
import math
import os
import pickle
import random
import signal
import subprocess
import threading

import banyan
import banyan.show
import pytest

PROGRAM = os.environ.get("BANYAN_PROGRAM")


class Wrapped:
    """A player of the library behind an object of Python."""

    text, game = "mcts:simulations=12", "tictactoe"

    def __init__(self):
        self.player = banyan.player(self.game, self.text)
        self.seen = []

    def open(self, state, seat, seed):
        self.player.open(state, seat, seed)

    def choose(self, state):
        return self.player.choose(state).action

    def observe(self, before, action, after):
        self.seen.append(action)
        self.player.observe(before, action, after)


def wrapped(name, text):
    return type("Wrapped", (Wrapped,), {"game": name, "text": text})


def first(state):
    return state.legal(state.player)[0]


class Dicey:
    """A game with dice for two, written in Python."""

    name = "match-dicey"
    players, max_legal, max_plies = 2, 2, 12
    traits = {"zero-sum", "chance"}

    def new(self, random):
        return 0, random.below(3), 0

    def movers(self, state):
        return state[0] % 2 if state[0] < 6 else ()

    def legal(self, state, player):
        return [0, 1]

    def apply(self, state, action, dice):
        return state[0] + 1, state[1], state[2] * 2 + dice.roll(6) * action

    def returns(self, state):
        return (1, -1) if (state[1] + state[2]) % 2 else (-1, 1)


@pytest.mark.skipif(not PROGRAM, reason="SKIPPED: BANYAN_PROGRAM does not name the program")
@pytest.mark.parametrize(
    "name, a, b, more",
    [
        ("othello-4x4", "mcts:simulations=20", "random", {"opening_plies": 2, "games": 31}),
        ("pig", "mcts:simulations=10", "random", {"seed": 7}),
        ("kuhn", "mcts:simulations=50", "random", {}),
        ("rps", "random", "first", {}),
        ("tictactoe", "perfect", "random", {"sprt": (0, 50), "games": 1000}),
        ("connect4", "random", "random", {"sprt": (-10, 10, 0.1, 0.2)}),
        ("bandit", "mcts:simulations=20", "random", {}),
        ("bloodbowl-1", "scripted", "random", {"games": 6}),
    ],
)
def test_the_same_as_the_program(name, a, b, more):
    games = more.setdefault("games", 40)
    words = [PROGRAM, "match", name, a, b, f"--games={games}", f"--seed={more.get('seed', 1)}", "--json", "-j2"]
    words += [f"--opening-plies={more['opening_plies']}"] if "opening_plies" in more else []
    words += ["--sprt=" + ",".join(map(str, more["sprt"]))] if "sprt" in more else []
    said = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    result = banyan.match(name, a, b, **more)
    player = said["players"][0]
    counts = (result.games, result.games_wanted, result.wins, result.draws, result.losses)
    assert counts == (said["games"], games, player["wins"], player["draws"], player["losses"])
    assert result.returns == pytest.approx([one["mean_return"] for one in said["players"]])
    assert len(result.records) == result.games
    if banyan.game(name).players == 1:
        assert math.isnan(result.score) and math.isnan(result.elo) and player["score"] is None
        return
    assert result.score == pytest.approx(said["score_a"]) and list(result.interval) == pytest.approx(said["ci95"])
    assert list(result.pair_interval) == pytest.approx(said["ci95_pairs"])
    for ours, theirs in zip((result.elo, *result.elo_interval), (said["elo"], *said["elo_ci95"]), strict=True):
        assert math.isinf(ours) if theirs is None else ours == pytest.approx(theirs)
    if "sprt" in more:
        assert result.llr == pytest.approx(said["sprt"]["llr"]) and result.answer == said["sprt"]["answer"]
        assert list(result.llr_bounds) == pytest.approx(said["sprt"]["bounds"])
    else:
        assert (result.llr, result.answer, result.llr_bounds) == (None, None, None)


@pytest.mark.skipif(not PROGRAM, reason="SKIPPED: BANYAN_PROGRAM does not name the program")
def test_the_same_games_as_the_program(tmp_path):
    file = tmp_path / "games.json"
    words = ["match", "pig", "mcts:simulations=5", "random", "--games=6", "--opening-plies=2", f"--save={file}"]
    subprocess.run([PROGRAM, *words], capture_output=True, check=True)
    saved = [json.loads(line) for line in file.read_text().splitlines()]
    records = banyan.match("pig", "mcts:simulations=5", "random", 6, opening_plies=2).records
    assert [(one.setup, one.moves) for one in records] == [(one["start"], one["actions"]) for one in saved]
    assert [list(one.returns) for one in records] == [one["returns"] for one in saved]


@pytest.mark.parametrize("name", ["tictactoe", "pig", "kuhn", "rps", "pig-3"])
def test_a_player_behind_an_object_is_the_same_player(name):
    text, plies = "mcts:simulations=12", 0 if name == "rps" else 1
    plain = banyan.match(name, text, "random", 8, opening_plies=plies)
    for a in (wrapped(name, text), *(() if name == "pig-3" else (wrapped(name, text)(), banyan.player(name, text)))):
        for jobs in (1, 3):
            behind = banyan.match(name, a, "random", 8, opening_plies=plies, jobs=jobs)
            assert behind.records == plain.records and behind.score == plain.score
    seats = [game.seats for game in plain.records]
    assert seats[0] != seats[1] and seats[:2] == seats[2:4]
    assert plain.records[0].setup == plain.records[1].setup


def test_every_action_is_told():
    player = Wrapped()
    result = banyan.match("tictactoe", player, first, 3, opening_plies=2)
    assert len(player.seen) == sum(game.plies for game in result.records)
    state = banyan.game("tictactoe").new(result.records[0].setup)
    for text, action in zip(result.records[0].moves.split(), player.seen):
        assert state.parse(text) == action
        state.apply(action)
    assert state.over and state.returns == result.records[0].returns


def test_nothing_depends_on_the_number_of_threads():
    results = [banyan.match("connect4", "mcts:simulations=5", "random", 30, jobs=jobs, seed=3) for jobs in (1, 2, 5)]
    assert results[0] == results[1] == results[2]
    assert results[0].records == results[1].records == results[2].records
    assert banyan.match("connect4", "mcts:simulations=5", "random", 30, seed=4).records != results[0].records


def test_the_test_ends_the_match():
    told = []
    result = banyan.match("tictactoe", "perfect", first, 10000, sprt=(0, 100), opening_plies=1, progress=told.append)
    assert result.answer == "elo1" and result.games < 1000 and result.llr >= result.llr_bounds[1]
    assert [one.games for one in told] == list(range(1, result.games + 1)) and told[-1] == result
    assert told[3].records == result.records[:4] and told[3].answer == "undecided"


def test_games_written_in_python():
    game = banyan.define(Dicey())
    results = [
        banyan.match(game, "mcts:simulations=10", lambda state: random.Random(state.setup).choice([0, 1]), 10, jobs=jobs)
        for jobs in (1, 4)
    ]
    assert results[0] == results[1]
    result = results[0]
    assert [game.setup for game in result.records[::2]] == [game.setup for game in result.records[1::2]]
    same = banyan.match(game, first, first, 40)  # no choice: the games of a round have the same dice
    assert [one.moves for one in same.records[::2]] == [one.moves for one in same.records[1::2]]
    assert [one.returns for one in same.records[::2]] == [one.returns for one in same.records[1::2]]
    assert same.score == 0.5 and same.pair_interval == (0.5, 0.5)


def test_a_rule_that_raises():
    class Broken(Dicey):
        name = "match-broken"

        def returns(self, state):
            raise ZeroDivisionError("in a rule")

    with pytest.raises(ZeroDivisionError, match="in a rule") as caught:
        banyan.match(banyan.define(Broken()), "mcts:simulations=10", "random", 10)
    assert caught.value.result.games == 0
    assert banyan.match(banyan.define(Dicey()), "random", "random", 10).games == 10


def test_players_that_fail():
    class Late(Wrapped):
        games = 0

        def open(self, state, seat, seed):
            super().open(state, seat, seed)
            self.games += 1

        def choose(self, state):
            return super().choose(state) if self.games < 5 else self.fail(state)

        def fail(self, state):
            raise LookupError("lost")

    with pytest.raises(LookupError, match="lost") as caught:
        banyan.match("tictactoe", Late(), "random", 100)
    assert caught.value.result.records == banyan.match("tictactoe", Wrapped(), "random", 4).records
    assert caught.value.__notes__ == ["in game 4 of the match of Late against random"]
    for answer, message in (
        (lambda self, state: 99, "99 is not legal for player [01] here"),
        (lambda self, state: None, "an action must be an int, got None"),
        (lambda self, state: "5", "an action must be an int"),
        (lambda self, state: -1, "an action is 0"),
    ):
        Late.fail = answer
        with pytest.raises((banyan.BanyanError, TypeError, ValueError), match=message):
            banyan.match("tictactoe", Late, "random", 100)


def test_a_player_may_change_what_it_is_shown():
    def vandal(state):
        action = state.legal()[0]
        state.apply(action)
        return action

    assert banyan.match("tictactoe", vandal, "random", 8).records == banyan.match("tictactoe", first, "random", 8).records


def test_nobody_knows_the_dice():
    """If a player plays on in its copy of the state, the dice differ from those of the match."""
    guessed = []

    class Seer:
        def open(self, state, seat, seed):
            self.expected = None

        def choose(self, state):
            self.expected = state.after(state.legal()[0]).setup
            return state.legal()[0]

        def observe(self, before, action, after):
            if self.expected is not None:
                guessed.append(self.expected == after.setup)
            self.expected = None

    banyan.match("pig", Seer, "random", 10)
    assert len(guessed) > 50 and sum(guessed) < 0.5 * len(guessed)


@pytest.mark.parametrize("jobs", [1, 3])
def test_ctrl_c_loses_nothing(jobs):
    whole = banyan.match("connect4", "mcts:simulations=20", "random", 40)

    def interrupt(result):
        if result.games == 11:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt, match="stopped after") as caught:
        banyan.match("connect4", "mcts:simulations=20", "random", 10**6, jobs=jobs, progress=interrupt)
    assert isinstance(caught.value, banyan.MatchStopped)
    assert pickle.loads(pickle.dumps(caught.value)).result == caught.value.result
    result = caught.value.result
    assert result.games >= 11 and result.games_wanted == 10**6 and result.records[:11] == whole.records[:11]


def test_ctrl_c_while_players_think():
    """The signal reaches the thread that waits; the long decision of the player in C ends, too."""
    main = threading.main_thread().ident

    def one(state):
        signal.pthread_kill(main, signal.SIGINT)
        return state.legal()[0]

    with pytest.raises(banyan.MatchStopped) as caught:
        banyan.match("tictactoe", one, "mcts:simulations=10000000000,solver=off", 10)
    assert caught.value.result.games == 0 and str(caught.value).startswith("stopped after 0 of 10 games")


def test_an_exception_of_progress():
    def fail(result):
        if result.games == 3:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError) as caught:
        banyan.match("tictactoe", "random", "random", 10**6, progress=fail)
    assert caught.value.result.games >= 3


@pytest.mark.parametrize(
    "words, message",
    [
        ({"a": "nobody"}, "nobody"),
        ({"a": 5}, "a must be a text such as"),
        ({"b": None}, "b must be a text such as"),
        ({"a": int}, "class without a method choose"),
        ({"a": Wrapped()}, "is a state of othello"),
        ({"a": banyan.player("tictactoe", "random")}, "a is a player of tictactoe, and the match is of othello"),
        ({"games": 0}, "games is 1"),
        ({"games": 1.5}, "games must be an int"),
        ({"jobs": 0}, "jobs is 1"),
        ({"seed": -1}, "seed is 0"),
        ({"sprt": 5}, "sprt is"),
        ({"sprt": (10, 0)}, "sprt is"),
        ({"sprt": (0, 10, 0.7, 0.1)}, "sprt is"),
        ({"sprt": (0, float("nan"))}, "sprt is"),
        ({"sprt": (0, "x")}, "sprt is"),
        ({"opening_plies": -1}, "opening_plies is 0"),
        ({"game": "tictactoe", "opening_plies": 9}, "9 random plies at the start end every game"),
        ({"progress": 1}, "progress must be a function"),
        ({"game": "pig-3", "sprt": (0, 10)}, "SPRT is for games of two players"),
        ({"game": "pig-3", "a": Wrapped()}, "a has several: give a class"),
        ({"game": "nowhere"}, "nowhere"),
    ],
)
def test_wrong_matches(words, message):
    with pytest.raises((TypeError, ValueError, banyan.BanyanError), match=message):
        banyan.match(**{"game": "othello", "a": "random", "b": "first", "games": 2, **words})


def test_one_object_on_both_sides():
    player = Wrapped()
    with pytest.raises(banyan.BanyanError, match="one object"):
        banyan.match("tictactoe", player, player)
    assert banyan.match("tictactoe", first, first, 2).games == 2


def test_how_it_is_shown():
    result = banyan.match("tictactoe", "perfect", "random", 10, sprt=(0, 10))
    assert str(result).startswith("tictactoe: perfect against random, 10 games, +")
    assert "LLR" in str(result) and "undecided" in result._repr_html_() and "perfect" in banyan.show.match(result)
    assert "mean returns" in str(banyan.match("bandit", "random", "random", 2))
    assert "<p>" not in banyan.match("bandit", "random", "random", 2)._repr_html_()
