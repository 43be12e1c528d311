"""banyan.learn without PyTorch: samples of self-play, and their files."""

import io
import json
import struct

import banyan
import pytest

numpy = pytest.importorskip("numpy")

from banyan import learn  # noqa: E402


def even(observations):
    return numpy.zeros(len(observations)), numpy.zeros((len(observations), 9))


def test_samples_are_training_data():
    samples = learn.self_play("tictactoe", even, games=6, simulations=20, seed=1)
    assert len(samples.observations) == len(samples.policies) == len(samples) > 6 * 4
    assert numpy.allclose(samples.policies.sum(1), 1) and numpy.abs(samples.values).max() <= 1
    assert numpy.allclose(samples.values.sum(1), 0)  # zero-sum
    again = learn.self_play("tictactoe", even, games=6, simulations=20, seed=1)
    assert numpy.array_equal(samples.policies, again.policies)


def test_files(tmp_path):
    path = tmp_path / "samples.npz"
    samples = learn.self_play("tictactoe", even, games=2, simulations=10, seed=1)
    samples.save(path)
    read = learn.Samples.load(path)
    for field in ("observations", "policies", "values"):
        assert numpy.array_equal(getattr(samples, field), getattr(read, field))
    assert len(learn.Samples.join([samples, read])) == 2 * len(samples)
    assert list(tmp_path.iterdir()) == [path]


def test_damaged_files_are_told(tmp_path):
    path = tmp_path / "samples.npz"
    learn.self_play("tictactoe", even, games=1, simulations=5, seed=1).save(path)
    whole = path.read_bytes()
    for damaged in (b"", b"nonsense", whole[:200], whole[: len(whole) // 2], whole[:-1]):
        path.write_bytes(damaged)
        with pytest.raises(banyan.BanyanError, match="holds no samples"):
            learn.Samples.load(path)
    numpy.savez(path, observations=numpy.zeros(3))
    with pytest.raises(banyan.BanyanError, match="holds no samples"):
        learn.Samples.load(path)
    numpy.savez(path, observations=numpy.zeros((3, 1)), policies=numpy.zeros((3, 9)), values=numpy.zeros((2, 2)))
    with pytest.raises(banyan.BanyanError, match="do not fit"):
        learn.Samples.load(path)
    for shapes in (((), (2,), (2, 2)), ((3, 1), (3,), (3, 2)), ((3,), (3, 9), (3, 2))):
        arrays = {field: numpy.zeros(shape) for field, shape in zip(("observations", "policies", "values"), shapes)}
        numpy.savez(path, **arrays)
        with pytest.raises(banyan.BanyanError, match="do not fit"):
            learn.Samples.load(path)
    numpy.save(tmp_path / "one.npy", numpy.zeros(3))
    with pytest.raises(banyan.BanyanError, match="holds no samples"):
        learn.Samples.load(tmp_path / "one.npy")
    with pytest.raises(FileNotFoundError):
        learn.Samples.load(tmp_path / "none.npz")


def test_files_with_wrong_bits_are_told(tmp_path):
    path = tmp_path / "samples.npz"
    learn.self_play("tictactoe", even, games=1, simulations=5, seed=1).save(path)
    whole = path.read_bytes()
    for at in range(0, len(whole), 31):
        for bit in range(8):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :])
            try:
                assert learn.Samples.load(path).values.ndim == 2
            except banyan.BanyanError as error:
                assert "holds no samples" in str(error)


def test_games_of_a_stream():
    """A stream that is cut after the first line raises EOFError, unless it is cut between two games."""
    rules = banyan.game("tictactoe")
    head = json.dumps({"game": "tictactoe", "policy": 9, "players": 2}).encode() + b"\n"
    shapes = [(2, *rules.observation_shape), (2, rules.policy_size), (2, 2), (2,)]
    one = struct.pack("<3q", 5, 7, 2) + b"".join(numpy.zeros(shape, "<f4").tobytes() for shape in shapes)
    one += numpy.array([1, 3], "<i4").tobytes()
    games = list(learn.read_games(rules, io.BytesIO(head + 2 * one)))
    assert [(game.generation, game.number, game.choices.tolist()) for game in games] == 2 * [(5, 7, [1, 3])]
    for cut in range(1, len(one)):
        with pytest.raises(EOFError):
            list(learn.read_games(rules, io.BytesIO(head + one + one[:cut])))
    with pytest.raises(banyan.BanyanError, match="games of tictactoe, and not of othello"):
        list(learn.read_games(banyan.game("othello"), io.BytesIO(head + one)))
    for other in (b"text\n", b"[]\n", b"{}\n"):
        with pytest.raises(banyan.BanyanError, match="banyan samples"):
            list(learn.read_games(rules, io.BytesIO(other)))


def test_small_temperatures():
    samples = learn.self_play("tictactoe", even, games=1, simulations=20, temperature=1e-3, seed=1)
    assert len(samples) >= 5


def test_one_simulation():
    """It visits no action, so that the network's policy is what the samples hold."""

    def ordered(observations):
        return numpy.zeros(len(observations)), numpy.tile(numpy.arange(9.0), (len(observations), 1))

    for rule in ("puct", "gumbel"):
        samples = learn.self_play(
            "tictactoe", ordered, games=2, simulations=1, temperature=0, noise_weight=0, seed=1, rule=rule
        )
        assert numpy.allclose(samples.policies.sum(1), 1) and samples.policies[0].argmax() == 8
