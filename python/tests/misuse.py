"""Generates calls with wrong arguments, and has the kinds of exceptions that they may raise."""

import datetime
import inspect
import itertools
import random
import zlib

import banyan

STATE = banyan.game("othello").new()


class Liar:
    """An object with __index__, which changes the state while the number is read."""

    def __init__(self, state):
        self.state = state

    def __index__(self):
        if not self.state.over:
            self.state.apply(self.state.legal()[0])
        return 19


class Tensor:
    """An object whose __dlpack__ returns no memory."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self):
        return self.capsule


class Raising:
    """An object whose special methods all raise."""

    def fail(self, *_):
        raise ValueError("this object fails")

    __index__ = __float__ = __len__ = __getitem__ = __iter__ = __bool__ = __call__ = __dlpack__ = __fspath__ = fail


VALUES = [
    None,
    -1,
    0,
    3,
    True,
    1 << 63,
    1 << 64,
    -(1 << 70),
    1.5,
    1j,
    float("nan"),
    float("inf"),
    "",
    "x",
    "othello",
    "d3\0",
    "\ud800",
    "ä" * 1000,
    b"bytes",
    bytearray(4),
    memoryview(bytearray(16))[::2],
    [],
    [1.0, "x"],
    [[]],
    {},
    {0: 1},
    {0: 0, 1: 0},
    {7: 1},
    {"x": None},
    {1, 2},
    range(3),
    object(),
    STATE,
    banyan.game("rps").new(),
    banyan.game("othello"),
    len,
    int,
    Raising(),
    Tensor(None),
    Tensor(datetime.datetime_CAPI),
]
try:
    import numpy

    VALUES += [
        numpy.zeros(2),
        numpy.zeros((2, 65), numpy.int8),
        numpy.zeros((3, 8, 8), numpy.float32)[:, ::-1],
        numpy.full((2, 2), numpy.nan),
        numpy.array(5),
        numpy.array([None, "x"], object),
        numpy.zeros(2, [("a", numpy.int32), ("b", numpy.float64)]),
        numpy.float32("nan"),
    ]
except ImportError:
    pass

KINDS = (TypeError, ValueError, OverflowError, banyan.BanyanError)

# The right arguments, by name of parameter, for calls in which another argument is wrong.
GOOD = {
    "a": "random",
    "action": 19,
    "actions": [19, 19],
    "after": STATE.after(19),
    "at_least": 2,
    "b": "random",
    "before": STATE,
    "count": 1,
    "evaluator": "rollout",
    "fn": len,
    "game": "othello",
    "index": 0,
    "items": [1, 2],
    "iterations": 1,
    "n": 3,
    "name": "othello",
    "p": 1,
    "player": 0,
    "q": 2,
    "rules": object,
    "seat": 0,
    "sides": 6,
    "simulations": 5,
    "state": STATE,
    "text": "d3",
    "values": [0.0],
    "viewer": 0,
}


def parameters(function):
    """The parameters of a function or a type; [] if it has no signature."""
    try:
        return [one for one in inspect.signature(function).parameters.values() if one.kind != one.VAR_KEYWORD]
    except ValueError:
        return []


def is_long(name, value):
    """Whether this argument would make the call long, not wrong."""
    try:
        return name == "seconds" and float(value) > 0
    except (TypeError, ValueError, OverflowError):
        return False


def pairs(name, most=250):
    """Some pairs of values; each name has its own pairs."""
    every = list(itertools.product(VALUES, repeat=2))
    return random.Random(zlib.crc32(name.encode())).sample(every, most)


def wrong_calls(function, good=None):
    """Yields arguments for calls of the function, (positional, by name); in nearly all calls at least one is wrong."""
    known = parameters(function)
    yield (), {}
    yield from (((value,), {}) for value in VALUES)
    yield from ((both, {}) for both in pairs(getattr(function, "__name__", "")))
    yield (STATE,), {"nonsense_": 1}
    for one in known:
        others = {
            other.name: (good or GOOD).get(other.name)
            for other in known
            if other.name != one.name and other.default is other.empty and other.kind == other.POSITIONAL_OR_KEYWORD
        }
        if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY):
            yield from (((), others | {one.name: value}) for value in VALUES if not is_long(one.name, value))


def tell_apart(call, kinds=KINDS, good=None):
    """Calls call() with wrong arguments; each call returns, or raises one of `kinds` with a message.  Returns how many
    calls raise."""
    failures = 0
    for positional, named in wrong_calls(call, good):
        try:
            call(*positional, **named)
        except kinds as error:
            failures += 1
            assert str(error) and not isinstance(error, UnicodeDecodeError), (call, positional, named)
    return failures
