"""banyan.train and banyan.Run: a run of the program, read while it goes on and after it."""

import os
import pathlib
import subprocess
import threading

import banyan
import banyan.show
import pytest

numpy = pytest.importorskip("numpy")

PROGRAM = os.environ.get("BANYAN_PROGRAM")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="SKIPPED: BANYAN_PROGRAM does not name the program")
SMALL = {
    "loop": {"generations": 2, "games": 12, "window": 200, "gate_games": 0, "test": "random", "test_games": 4, "test_stop": False},
    "play": {"simulations": 8, "threads": 1},
    "net": {"channels": 4, "blocks": 1},
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return banyan.train("tictactoe", tmp_path_factory.mktemp("runs") / "run", **SMALL)


def test_what_a_run_has_done(run):
    first, second = run.generations
    assert (first.generation, second.generation, first.games) == (1, 2, 12)
    assert first.published is True and first.policy_loss > first.entropy > 0
    assert [(test.generation, test.opponent, test.games) for test in run.tests][:1] == [(1, "random", 4)]
    assert all(0 <= test.score <= 1 for test in run.tests)
    assert run.best.exists() and run.game == banyan.game("tictactoe")
    assert "2 generations of tictactoe" in repr(run)
    assert "policy loss" in run._repr_html_() and "random" in banyan.show.run(run)


def test_games_are_those_that_were_played(run):
    """The samples of each game fit together: shapes, sums, discs on the board, and signs of the values."""
    seen = set()
    for played in run.games():
        seen.add((played.generation, played.number))
        samples = played.samples
        assert samples.observations.shape == (len(samples), 3, 3, 3) and samples.policies.shape == (len(samples), 9)
        assert numpy.allclose(samples.policies.sum(1), 1) and numpy.allclose(samples.values.sum(1), 0)
        assert numpy.all(numpy.diff(played.choices) > 0) and numpy.abs(played.searched).max() <= 1
        # one more disc with each choice, and no weight on a taken cell
        taken = samples.observations[:, :2].sum((1, 2, 3))
        assert numpy.array_equal(taken, played.choices)
        assert not (samples.policies * (samples.observations[:, :2].sum(1).reshape(len(samples), 9) > 0)).any()
        # the result is that of the player who chooses, so its sign changes from ply to ply
        signs = samples.values[:, 0] * (1 - 2 * (played.choices % 2))
        assert numpy.all(signs == signs[0])
    assert seen == {(generation, number) for generation in (1, 2) for number in range(12)}


def test_samples_of_some_generations(run):
    every, first, second = run.samples(), run.samples(last=1), run.samples(first=2)
    assert len(every) == len(first) + len(second) and len(first) > 12
    assert numpy.array_equal(every.policies, numpy.concatenate([first.policies, second.policies]))
    assert every.observations.flags.writeable
    with pytest.raises(banyan.BanyanError, match="no games of the generations from 3"):
        run.samples(first=3)


def test_a_run_goes_on_and_tells_of_its_generations(run):
    told = []
    more = SMALL["loop"] | {"generations": 3}
    again = banyan.train("tictactoe", run.path, **SMALL | {"loop": more}, on_generation=told.append)
    assert [generation.generation for generation in told] == [3]
    assert len(again.generations) == 3 and again.samples(first=3)


def test_a_run_is_read_while_it_goes_on(tmp_path):
    """While a run is written, each reading finds whole games only, and no fewer than the reading before."""
    counts, done = [], threading.Event()

    def follow():
        while not done.is_set() or not counts:
            try:
                counts.append(sum(1 for _ in banyan.Run(tmp_path / "run").games()))
            except banyan.BanyanError:  # the folder is not there yet
                continue

    reader = threading.Thread(target=follow)
    reader.start()
    try:
        banyan.train("tictactoe", tmp_path / "run", **SMALL)
    finally:
        done.set()
        reader.join()
    assert counts == sorted(counts)
    assert sum(1 for _ in banyan.Run(tmp_path / "run").games()) == 24


def test_an_exception_stops_the_run_where_it_can_go_on(tmp_path):
    def fail(generation):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        banyan.train("tictactoe", tmp_path / "run", **SMALL, on_generation=fail)
    assert banyan.train("tictactoe", tmp_path / "run").generations[-1].generation == 2


def test_games_that_stand_twice_count_once(run, tmp_path):
    """A process has died after writing a game to its file, and another process has played the game again."""
    copy = tmp_path / "run"
    (copy / "records").mkdir(parents=True)
    (copy / "options").write_bytes((run.path / "options").read_bytes())
    whole = (run.path / "records" / "g00001.rec").read_bytes()
    for name in ("g00001.rec", "g00001.1.rec"):
        (copy / "records" / name).write_bytes(whole)
    assert sum(1 for _ in banyan.Run(copy).games()) == 12
    (copy / "records" / "g00001.1.rec").unlink()
    (copy / "records" / "g00001.rec").write_bytes(whole[:-7])  # cut off while it was written
    assert sum(1 for _ in banyan.Run(copy).games()) == 11
    (copy / "records" / "g00001.rec").write_bytes(b"nonsense")
    with pytest.raises(banyan.BanyanError, match="is not a file of game records"):
        list(banyan.Run(copy).games())
    assert banyan.Run(copy).generations == []


def test_the_first_games_alone(run):
    """If the caller stops after some games, closing the iterator does not wait for the others."""
    games = run.games()
    assert next(games).generation == 1
    games.close()


def test_wrong_folders_and_settings(tmp_path, monkeypatch):
    with pytest.raises(banyan.BanyanError, match="no folder of `banyan train`"):
        banyan.Run(tmp_path)
    (tmp_path / "options").write_text("play threads=1\n")
    with pytest.raises(banyan.BanyanError, match="does not name the game"):
        banyan.Run(tmp_path)
    (tmp_path / "options").write_text("game nowhere\n")
    with pytest.raises(banyan.BanyanError, match="nowhere"):
        banyan.Run(tmp_path)
    (tmp_path / "options").write_text("game tictactoe\n")
    (tmp_path / "run.db").write_bytes(b"no database, but long enough to be read as one" * 50)
    with pytest.raises(banyan.BanyanError, match="cannot be read"):
        banyan.Run(tmp_path).generations
    with pytest.raises(banyan.BanyanError, match="did you mean 'generations'"):
        banyan.train("tictactoe", tmp_path / "new", loop={"generation": 1})
    with pytest.raises(banyan.BanyanError, match="simulations=0: must be"):
        banyan.train("tictactoe", tmp_path / "new", play={"simulations": 0})
    with pytest.raises(banyan.BanyanError, match="give program="):
        banyan.train("tictactoe", tmp_path / "new", program=str(tmp_path / "none"))
    monkeypatch.delenv("BANYAN_PROGRAM")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(banyan.BanyanError, match="PATH"):
        banyan.train("tictactoe", tmp_path / "new")


def test_the_command_wants_a_pipe(run):
    file = str(next(iter(sorted((run.path / "records").glob("*.rec")))))
    done = subprocess.run([PROGRAM, "samples", "tictactoe", file], capture_output=True, check=True)
    assert done.stdout.startswith(b'{"samples": 1, "game": "tictactoe", "observation": 27, "policy": 9, "players": 2}\n')
    for words, why in (([], "needs GAME"), (["othello", file], "holds games of 'tictactoe'"), (["kuhn"], "needs GAME")):
        done = subprocess.run([PROGRAM, "samples", *words], capture_output=True, text=True)
        assert done.returncode == 2 and why in done.stderr
    assert pathlib.Path(file).exists()
