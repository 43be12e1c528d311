"""Searches and players: the same tree as the program's, threads, Ctrl-C."""

import json
import math
import os
import random
import signal
import subprocess
import threading
import time

import banyan
import pytest
from conftest import middle

PROGRAM = os.environ.get("BANYAN_PROGRAM")


def searched(state, simulations=300, **options):
    search = banyan.Search(state.game, **options)
    search.set_root(state)
    search.run(simulations)
    return search


def from_program(search, simulations, options):
    """What `banyan search --json` says about the same position."""
    words = [f"--{name}={value}" for name, value in options.items()]
    done = subprocess.run(
        [PROGRAM, "search", search.game.name, f"--position={search.state.setup}"]
        + [f"--simulations={simulations}", "--json", *words],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def near(a, b):
    return (b is None and math.isnan(a)) or math.isclose(a, b, rel_tol=1e-7, abs_tol=1e-7)


@pytest.mark.skipif(not PROGRAM, reason="SKIPPED: BANYAN_PROGRAM does not name the program")
@pytest.mark.parametrize("rule", ["ucb1", "puct", "regret"])
def test_same_tree_as_the_program(name, rule):
    options = {"rule": rule, "seed": 5}
    search = searched(middle(name, 4), 300, **options)
    theirs = from_program(search, 300, options)
    ours = {(p, m.text): m for p in search.state.movers for m in search.moves(p)}
    rows = {(row["player"], row["action"]): row for row in theirs["root"]}
    assert rows
    for key, move in ours.items():
        if key not in rows:  # the program shows at most max_legal rows of a player
            shown = [row["visits"] for (player, _), row in rows.items() if player == key[0]]
            assert len(shown) == search.game.max_legal and move.visits <= min(shown)
            continue
        assert rows[key]["visits"] == move.visits
        assert near(move.mean, rows[key]["mean"]) and near(move.prior, rows[key]["prior"])
    assert all(near(a, b) for a, b in zip(search.value, theirs["values"], strict=True))


def test_a_search_repeats_itself(name):
    state = middle(name, 6)
    first, second = searched(state, 100), searched(state, 100)
    assert first.signature == second.signature


def test_signatures_tell_trees_apart():
    state = banyan.game("othello").new()
    trees = {searched(state, 100, seed=seed).signature for seed in range(5)}
    assert len(trees) == 5


def test_results(name):
    search = searched(middle(name, 3), 200, solver="off")
    for player in search.state.movers:
        moves = search.moves(player)
        assert [m.visits for m in moves] == sorted((m.visits for m in moves), reverse=True)
        assert search.best(player) in search.state.legal(player)
        policy = search.policy(player)
        assert math.isclose(sum(policy.values()), 1)
        assert [policy[m.action] for m in moves[:1]] == [max(policy.values())]
    assert search.stats().simulations == 200
    assert all(player in range(search.game.players) for player, _ in search.pv())


def test_tree_formats():
    search = searched(banyan.game("tictactoe").new(), 50)
    assert search.tree().startswith("root")
    assert json.loads(search.tree(1, "json"))
    assert "<svg" in search.tree(format="svg") and "digraph" in search.tree(format="dot")


def test_advance_keeps_the_tree():
    state = banyan.game("othello").new()
    search = searched(state, 2000)
    action = search.best()
    visits = search.moves()[0].visits
    state.apply(action)
    assert search.advance(action, state)
    assert search.state == state
    assert 0 < sum(move.visits for move in search.moves()) <= visits


def test_average_strategy_of_many_states():
    """The opponent's node has the actions of all drawn teams, more than are legal in one state."""
    search = searched(banyan.game("pokemon").new(seed=3), 300, rule="regret")
    shares = search.average_strategy(1)
    assert len(shares) > search.game.max_legal
    assert {move.action for move in search.moves(1) if move.visits} <= set(shares)
    assert math.isclose(sum(shares.values()), 1)


def test_average_strategy_of_rock_paper_scissors():
    search = searched(banyan.game("rps").new(), 20000, rule="regret")
    for player in (0, 1):
        shares = search.average_strategy(player)
        assert all(abs(share - 1 / 3) < 0.1 for share in shares.values())


def wait_until_running(search):
    while True:
        try:
            search.stats()
        except banyan.BanyanError as error:
            assert "running" in str(error)
            return


def test_other_threads_go_on_meanwhile():
    search = banyan.Search("othello", memory=1 << 24)
    search.set_root(banyan.game("othello").new())
    begun = threading.Event()

    def run():
        begun.set()
        search.run(seconds=600)

    thread = threading.Thread(target=run)
    thread.start()
    begun.wait()
    wait_until_running(search)
    time.sleep(0.1)
    started = time.monotonic()
    search.stop()
    thread.join()
    assert time.monotonic() - started < 60
    done = search.stats().simulations
    assert search.run(5).simulations == done + 5


def interrupt(search):
    """Ctrl-C, a moment after the search has begun to run."""
    wait_until_running(search)
    time.sleep(1)
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("evaluator", ["rollout", lambda leaves: [0.0] * len(leaves)])
def test_ctrl_c_ends_a_run(evaluator):
    search = banyan.Search("othello", evaluator, memory=1 << 24)
    search.set_root(banyan.game("othello").new())
    thread = threading.Thread(target=interrupt, args=(search,))
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        search.run(seconds=600)
    thread.join()
    done = search.stats().simulations
    assert done > 0, "what was found is kept"
    search.run(simulations=10)
    assert search.stats().simulations >= done + 10


def test_ctrl_c_ends_a_decision():
    player = banyan.player("othello", "mcts:time=60s,memory=16M")
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        player.choose(banyan.game("othello").new())
    timer.join()


@pytest.mark.parametrize("name", ["tictactoe", "pig", "kuhn", "rps", "bloodbowl-1", "pokemon"])
def test_players_play(name):
    state = banyan.game(name).new(seed=1)
    texts = ["mcts:simulations=20", "random"]
    players = [banyan.player(name, texts[p % 2], seed=p) for p in range(state.game.players)]
    for seat, player in enumerate(players):
        player.open(state, seat, seed=9)
    for _ in range(30):
        if state.over:
            break
        joint = {seat: players[seat].choose(state).action for seat in state.movers}
        before = state.clone()
        state.apply(joint)
        for player in players:
            player.observe(before, joint, state)


def test_choice():
    state = banyan.game("tictactoe").new()
    choice = banyan.player("tictactoe", "perfect").choose(state)
    assert choice.value == 0 and choice.text == state.name(choice.action)
    quick = banyan.player("connect4", "best").choose(banyan.game("connect4").new(), seconds=0.05)
    assert quick.seconds < 60


def test_best_beats_random():
    wins = 0
    for seed in range(4):
        state = banyan.game("connect4").new(seed=seed)
        pair = [banyan.player("connect4", "mcts:simulations=5000", seed), random.Random(seed)]
        while not state.over:
            mine = state.player == seed % 2
            state.apply(pair[0].choose(state).action if mine else pair[1].choice(state.legal()))
        wins += state.returns[seed % 2] > 0
    assert wins == 4


def test_walks_come_near_an_equilibrium():
    game = banyan.game("kuhn")
    search = banyan.Search(game, rule="regret", seed=1)
    search.set_root(game.new("deal=QK"), viewer=0)
    assert search.walk(20000).simulations == 20000
    pass_, bet = (search.average_strategy(0)[action] for action in sorted(search.average_strategy(0)))
    assert pass_ > 0.98 > bet  # a queen is never bet first
    with pytest.raises(ValueError, match="iterations"):
        search.walk(0)
    plain = banyan.Search("othello")
    with pytest.raises(banyan.BanyanError, match="no root|set_root"):
        plain.walk(1)
    plain.set_root(banyan.game("othello").new())
    with pytest.raises(banyan.BanyanError, match="rule=regret"):
        plain.walk(1)
