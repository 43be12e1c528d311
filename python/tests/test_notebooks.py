"""The notebooks of docs/notebooks run from the first cell to the last; they assert their figures themselves."""

import importlib.util
import json
import pathlib

import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "docs" / "notebooks"
PAGES = sorted(FOLDER.glob("*.ipynb"))


@pytest.mark.skipif(not PAGES, reason="SKIPPED: the notebooks are in the repository only")
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_notebook(path):
    page = json.loads(path.read_text(encoding="utf-8"))
    for package in page["metadata"]["banyan"]["needs"]:
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"SKIPPED: {path.name} needs {package}")
    names = {"__name__": "__main__"}
    for number, cell in enumerate(page["cells"]):
        assert not cell.get("outputs"), "cells are kept without outputs"
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path.name}[{number}]", "exec"), names)


def test_there_are_notebooks():
    assert not FOLDER.exists() or len(PAGES) >= 6
