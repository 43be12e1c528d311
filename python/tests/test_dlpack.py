"""Arrays by DLPack, both ways: what torch.from_dlpack() and the tensors of PyTorch use."""

import gc
import sys

import banyan
import pytest

numpy = pytest.importorskip("numpy")


class Tensor:
    """Has no buffer, as a tensor of PyTorch: only __dlpack__."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_out():
    """Other packages use the memory of a memoryview without a copy, and keep it alive."""
    env = banyan.Env("othello", 4, seed=1)
    for view in (env.observations, env.masks, env.rewards, env.movers):
        theirs = numpy.from_dlpack(view.obj)
        assert numpy.shares_memory(theirs, numpy.asarray(view)) and theirs.dtype == numpy.asarray(view).dtype
        assert theirs.shape == view.shape
    planes = numpy.from_dlpack(env.observations.obj)
    before = planes.copy()
    env.step(numpy.asarray(env.masks)[:, 0].argmax(1))
    assert (planes != before).any()
    del env, view, theirs
    gc.collect()
    assert planes.sum() > 0
    capsule = banyan.game("othello").new().observe().obj.__dlpack__(stream=None, max_version=(1, 0))
    assert "dltensor" in repr(capsule)
    del capsule  # nobody took it over
    assert banyan.game("othello").new().observe().obj.__dlpack_device__() == (1, 0)


def test_in():
    state = banyan.game("othello").new()
    planes = numpy.zeros((3, 8, 8), numpy.float32)
    given = Tensor(planes)
    assert state.observe(out=given) is given
    assert planes.tolist() == state.observe().tolist()
    mask = numpy.zeros(65, numpy.int8)
    state.mask(out=Tensor(mask))
    assert mask.sum() == 4


def test_numbers_in():
    env, twin = banyan.Env("othello", 8, seed=1), banyan.Env("othello", 8, seed=1)
    for kind in (numpy.int64, numpy.int32, numpy.int16, numpy.uint8):
        actions = numpy.asarray(env.masks)[:, 0].argmax(1)
        env.step(Tensor(actions.astype(kind)))
        twin.step(actions)
        assert numpy.array_equal(env.observations, twin.observations)
    search = banyan.Search("othello", banyan.Evaluator(policy=True), batch=4, seed=1)
    search.set_root(banyan.game("othello").new())
    for kind in (numpy.float32, numpy.float64):
        leaves = search.select(4)
        n = len(leaves)
        search.update(leaves, Tensor(numpy.zeros(n, kind)), Tensor(numpy.zeros((n, 65), kind)))
    assert search.stats().simulations > 0


def test_references_are_given_back():
    planes = numpy.zeros((3, 8, 8), numpy.float32)
    state, count = banyan.game("othello").new(), sys.getrefcount(planes)
    for _ in range(100):
        state.observe(out=Tensor(planes))
        numpy.from_dlpack(state.observe().obj)
    gc.collect()
    assert sys.getrefcount(planes) == count


@pytest.mark.parametrize(
    "array",
    [
        numpy.zeros((3, 8, 8), numpy.float64),
        numpy.zeros((8, 8, 3), numpy.float32).transpose(2, 0, 1),
        numpy.zeros((3, 8), numpy.float32),
        numpy.zeros((1, 1, 1, 1, 1, 1, 1), numpy.float32),
        numpy.zeros((3, 8, 8), numpy.complex64),
    ],
)
def test_other_arrays_are_refused(array):
    with pytest.raises((TypeError, ValueError), match="float32 of shape"):
        banyan.game("othello").new().observe(out=Tensor(array))


def test_nonsense():
    class Liar:
        def __dlpack__(self):
            return 7

    class Failing:
        def __dlpack__(self):
            raise RuntimeError("no")

    for nonsense in (Liar(), Failing()):
        with pytest.raises(TypeError, match="float32 of shape"):
            banyan.game("othello").new().observe(out=nonsense)
    with pytest.raises(TypeError, match="no parameter"):
        banyan.game("othello").new().observe().obj.__dlpack__(where=1)
