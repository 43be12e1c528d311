"""A network that the program exports gives the same search in onnxruntime."""

import json
import os
import pathlib
import subprocess

import banyan
import pytest

onnxruntime = pytest.importorskip("onnxruntime", reason="SKIPPED: onnxruntime is not installed")
numpy = pytest.importorskip("numpy")

import banyan.learn  # noqa: E402

PROGRAM = os.environ.get("BANYAN_PROGRAM")
WEIGHTS = pathlib.Path(__file__).parents[2] / "weights"


@pytest.mark.skipif(not PROGRAM or not WEIGHTS.exists(), reason="SKIPPED: no program or no weights beside the tests")
@pytest.mark.parametrize("name", ["othello", "mushroom"])
def test_exported_network(name, tmp_path):
    path = WEIGHTS / f"{name}.safetensors"
    subprocess.run([PROGRAM, "net", "export", path, tmp_path / "net.onnx"], check=True, capture_output=True)
    session = onnxruntime.InferenceSession(tmp_path / "net.onnx", providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]

    def network(observations):
        out = dict(zip(names, session.run(None, {"planes": observations}), strict=True))
        return out["value"], out["policy"]

    state = banyan.game(name).new(seed=1)
    search = banyan.Search(name, banyan.learn.evaluator(network))
    search.set_root(state)
    search.run(100)
    command = [PROGRAM, "search", name, f"--position={state.setup}", "--simulations=100", "--json", "--rule=puct"]
    done = subprocess.run([*command, f"--evaluator=net:{path},backend=plain"], capture_output=True, text=True, check=True)
    theirs = {row["action"]: row for row in json.loads(done.stdout)["root"]}
    for move in search.moves():
        assert abs(move.prior - theirs[move.text]["prior"]) < 1e-4
        assert move.visits == theirs[move.text]["visits"]
