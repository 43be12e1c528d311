"""Evaluators written in Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banyan._core import Leaves


class Evaluator:
    """A function that estimates the values of positions and, with policy=True, the priors of their actions.

    fn(leaves) returns values, or with policy=True (values, logits), as Search.update() takes them.
    Without fn, Search.run() cannot be used, only Search.select() and Search.update().
    """

    def __init__(self, fn: Callable[[Leaves], Any] | None = None, *, policy: bool = False) -> None:
        self.fn = fn
        self.policy = policy

    def __call__(self, leaves: Leaves) -> Any:
        if self.fn is None:
            raise TypeError("this evaluator has no function: use Search.select() and Search.update()")
        return self.fn(leaves)
