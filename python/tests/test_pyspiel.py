"""banyan.bridges.pyspiel beside OpenSpiel itself."""

import random
import sys

import banyan
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="SKIPPED: open_spiel is not installed")

import banyan.bridges.pyspiel as bridge  # noqa: E402
from conftest import any_action  # noqa: E402

NAMES = [
    "tic_tac_toe",
    "connect_four",
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "liars_dice",
    "pig",
    "matrix_rps",
    "goofspiel(num_cards=4)",
    "backgammon",
    "2048",
    "blackjack",
    "breakthrough(rows=6,columns=6)",
]


def replayed(spiel, state):
    """OpenSpiel's own state after the same history."""
    return bridge._Rules(spiel).at(eval(state.setup))


@pytest.mark.parametrize("name", NAMES)
def test_random_games(name):
    game, rng = bridge.game(name), random.Random(1)
    for seed in range(3):
        state = game.new(seed=seed)
        for _ in range(150):
            theirs = replayed(pyspiel.load_game(name), state)
            assert theirs.is_terminal() == state.over
            if state.over:
                assert list(state.returns) == pytest.approx(theirs.returns())
                break
            for player in state.movers:
                assert state.legal(player) == theirs.legal_actions(player)
                action = state.legal(player)[0]
                assert state.name(action, player) == theirs.action_to_string(player, action)
            state.apply(any_action(state, rng))


@pytest.mark.parametrize("name", NAMES)
def test_searches(name):
    game = bridge.game(name)
    search = banyan.Search(game, threads=1)
    search.set_root(game.new(seed=2), 0 if "hidden" in game.traits else -1)
    assert search.run(60).simulations == 60
    player = search.state.movers[0]
    assert sum(move.visits for move in search.moves(player)) >= 59
    if game.planes:
        assert search.state.observe(0).shape == game.planes


def test_worlds_keep_what_is_known():
    for name in ("leduc_poker", "liars_dice"):
        state = bridge.game(name).new(seed=3)
        state.apply(state.legal()[0])
        worlds = [state.determinize(1, seed=seed) for seed in range(60)]
        assert len({world.setup for world in worlds}) > 2 and {world.key(1) for world in worlds} == {state.key(1)}


def test_the_same_game_as_ours():
    """OpenSpiel's tic-tac-toe and the library's are searched alike: a win in one move is found in both."""
    ours, theirs = banyan.game("tictactoe").new(), bridge.game("tic_tac_toe").new()
    for action in (0, 4, 1, 5):
        ours.apply(action), theirs.apply(action)
    for state in (ours, theirs):
        search = banyan.Search(state.game)
        search.set_root(state)
        search.run(200)
        assert search.best() == 2 and search.moves()[0].lo == 1.0


def test_bots():
    spiel = pyspiel.load_game("tic_tac_toe")
    bots = [bridge.Bot(spiel, 0, "mcts:simulations=300"), pyspiel.make_uniform_random_bot(1, 5)]
    results = [pyspiel.evaluate_bots(spiel.new_initial_state(), bots, seed) for seed in range(10)]
    assert all(first >= 0 for first, _ in results) and sum(first for first, _ in results) > 5
    bot = bridge.Bot("kuhn_poker", 1, "mcts:simulations=50")
    state = pyspiel.load_game("kuhn_poker").new_initial_state()
    for action in (0, 1, 1):
        state.apply_action(action)
    assert bot.step(state) in (0, 1)


def test_threads_share_what_is_kept(monkeypatch):
    monkeypatch.setattr(bridge, "_KEPT", 20)
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        search = banyan.Search(bridge.game("connect_four"), threads=4)
        search.set_root(search.game.new())
        assert search.run(2000).simulations >= 2000
    finally:
        sys.setswitchinterval(before)


def test_a_game_of_very_many_actions():
    game = bridge.game("colored_trails")
    assert pyspiel.load_game("colored_trails").num_distinct_actions() > game.max_legal
    search = banyan.Search(game)
    search.set_root(game.new(seed=1))
    assert search.run(3).simulations == 3


def test_misuse():
    with pytest.raises(banyan.BanyanError, match="OpenSpiel"):
        bridge.game("no_such_game")
    state = pyspiel.load_game("kuhn_poker").new_initial_state()
    with pytest.raises(banyan.BanyanError, match="node of chance"):
        bridge.state_of(state)
    assert bridge.game("tic_tac_toe") is bridge.game("tic_tac_toe()")
    dark = bridge.game("dark_hex(board_size=3)").new()
    with pytest.raises(banyan.BanyanError, match="cannot draw"):
        dark.determinize(1)
    with pytest.raises(banyan.BanyanError, match="nothing to choose"):
        bridge.Bot("tic_tac_toe", 1).step(pyspiel.load_game("tic_tac_toe").new_initial_state())
