"""Finds the program `banyan`, which is not in the wheel."""

from __future__ import annotations

import os
import shutil

from banyan._core import BanyanError


def find(given: str | None) -> str:
    """The path of the program: `given`, else the environment variable BANYAN_PROGRAM, else `banyan` on the PATH."""
    found = given or os.environ.get("BANYAN_PROGRAM") or shutil.which("banyan")
    if not found or not shutil.which(found):
        raise BanyanError(f"the program 'banyan' is needed, and {found or 'PATH'} does not lead to it: give program=")
    return found
