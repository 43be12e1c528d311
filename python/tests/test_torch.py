"""banyan.torch beside the program's own networks; banyan.learn."""

import json
import os
import pathlib
import subprocess

import banyan
import pytest

torch = pytest.importorskip("torch", reason="SKIPPED: torch is not installed (Debian: python3-torch)")
numpy = pytest.importorskip("numpy")

import banyan.learn  # noqa: E402
import banyan.torch  # noqa: E402

PROGRAM = os.environ.get("BANYAN_PROGRAM")
WEIGHTS = pathlib.Path(__file__).parents[2] / "weights"
needs_program = pytest.mark.skipif(
    not PROGRAM or not WEIGHTS.exists(), reason="SKIPPED: no program or no weights beside the tests"
)


@pytest.fixture(autouse=True)
def one_thread():
    torch.set_num_threads(1)
    torch.manual_seed(1)


def from_program(name, setup, net, simulations):
    command = [PROGRAM, "search", name, f"--position={setup}", f"--simulations={simulations}", "--json", "--rule=puct"]
    done = subprocess.run([*command, f"--evaluator=net:{net},backend=plain"], capture_output=True, text=True, check=True)
    return {row["action"]: row for row in json.loads(done.stdout)["root"]}


def compare(name, net, path, plies=8, simulations=120):
    """Plays on and compares the root of each search."""
    state = banyan.game(name).new(seed=1)
    for _ in range(plies):
        search = banyan.Search(name, banyan.torch.evaluator(net))
        search.set_root(state)
        search.run(simulations)
        theirs = from_program(name, state.setup, path, simulations)
        for move in search.moves():
            assert abs(move.prior - theirs[move.text]["prior"]) < 1e-4
            assert move.visits == theirs[move.text]["visits"], (state.setup, move)
        state.apply(search.best())
        if state.over:
            break


@needs_program
@pytest.mark.parametrize("name", ["othello", "mushroom"])
def test_the_search_of_the_c_network(name):
    path = WEIGHTS / f"{name}.safetensors"
    compare(name, banyan.torch.Net.load(path), path, plies=2, simulations=60)


@needs_program
@pytest.mark.parametrize("arch", ["", "channels=8,blocks=3,norm=none,pool=2", "head-norm=on,channels=5,blocks=1"])
def test_the_program_plays_what_torch_saves(tmp_path, arch):
    net = banyan.torch.Net.of("connect4", arch)
    for parameter in net.parameters():
        parameter.data += 0.1 * torch.randn_like(parameter)
    net.save(tmp_path / "net.safetensors")
    compare("connect4", net, tmp_path / "net.safetensors", plies=3)
    again = banyan.torch.Net.load(tmp_path / "net.safetensors")
    assert all((again.state_dict()[name] == tensor).all() for name, tensor in net.state_dict().items())


def test_learning():
    """A small network learns who wins in tic-tac-toe from its own games: its loss falls, and it blocks a line."""
    net = banyan.torch.Net.of("tictactoe", "channels=16,blocks=1")
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    losses = []
    for generation in range(3):
        samples = banyan.learn.self_play(
            "tictactoe", banyan.torch.network(net), 40, simulations=60, seed=generation
        )
        assert len(samples) > 200 and samples.observations.shape[1:] == (3, 3, 3)
        assert numpy.allclose(samples.policies.sum(1), 1, atol=1e-5) and set(samples.values[:, 0]) <= {-1, 0, 1}
        net.train()
        for _ in range(60):
            optimizer.zero_grad()
            total = banyan.torch.loss(net, samples)
            total.backward()
            optimizer.step()
            losses.append(float(total))
    assert losses[-1] < 0.8 * losses[0]
    search = banyan.Search("tictactoe", banyan.torch.evaluator(net))
    state = banyan.game("tictactoe").new()
    for action in (4, 8, 3):
        state.apply(action)
    search.set_root(state)
    search.run(100)
    assert search.best() == 5


def test_values_of_many_players():
    """In values of n players the player who chooses comes first."""

    def knows(observations):
        values = numpy.zeros((len(observations), 3), numpy.float32)
        values[:, 0] = 0.5
        return values, numpy.zeros((len(observations), 2), numpy.float32)

    search = banyan.Search("pig-3", banyan.learn.evaluator(knows))
    search.set_root(banyan.game("pig-3").new(seed=1))
    search.run(1)
    low, high = banyan.game("pig-3").returns
    assert search.value[0] == pytest.approx((low + high) / 2 + (high - low) / 4)
    assert search.value[1] == pytest.approx((low + high) / 2)


def test_samples_of_three_players():
    def even(observations):
        return numpy.zeros((len(observations), 3), numpy.float32), numpy.zeros((len(observations), 2), numpy.float32)

    samples = banyan.learn.self_play("pig-3", even, 2, simulations=4, seed=1, random_plies=10)
    sums = samples.values.sum(1)
    assert samples.values.shape[1] == 3 and sums.max() - sums.min() < 1e-4


def test_misuse(tmp_path):
    batch = "norm=batch,planes=1,height=1,width=1,actions=1"
    for text, message in (("channels=3", "lacks 'planes'"), ("x=1", "has no 'x'"), (batch, "norm=batch")):
        with pytest.raises(banyan.BanyanError, match=message):
            banyan.torch.Net(text)
    (tmp_path / "x").write_bytes(b"nonsense")
    with pytest.raises(banyan.BanyanError, match="not a safetensors file"):
        banyan.torch.Net.load(tmp_path / "x")
    with pytest.raises(banyan.BanyanError, match="no planes"):
        banyan.torch.Net.of("bloodbowl-1")
    with pytest.raises(banyan.BanyanError, match="games with turns"):
        banyan.learn.self_play("rps", None, 1)

    def wrong(observations):
        return numpy.zeros((len(observations), 5)), numpy.zeros((len(observations), 9))

    with pytest.raises(banyan.BanyanError, match="shape"):
        banyan.learn.self_play("tictactoe", wrong, 1, simulations=2)


def test_tensors_share_memory():
    """Tensors go in and out without NumPy and without a copy."""
    env = banyan.Env("connect4", 8, seed=1)
    planes, masks = torch.from_dlpack(env.observations.obj), torch.from_dlpack(env.masks.obj)
    assert planes.shape == (8, 1, 3, 6, 7) and planes.data_ptr() == torch.from_dlpack(env.observations.obj).data_ptr()
    before = planes.clone()
    env.step(masks[:, 0].argmax(1))
    assert not torch.equal(planes, before)
    out = torch.zeros(3, 6, 7)
    assert env.state(0).observe(out=out) is out and torch.equal(out, planes[0, 0])
    search = banyan.Search("connect4", banyan.Evaluator(policy=True), batch=4, seed=1)
    search.set_root(banyan.game("connect4").new())
    leaves = search.select(4)
    search.update(leaves, torch.zeros(len(leaves)), torch.zeros(len(leaves), 7))
    assert search.stats().simulations > 0
