"""The examples of docs/python.md do what the page says."""

import doctest
import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


@pytest.mark.skipif(not PAGE.exists(), reason="SKIPPED: the page is in the repository only")
def test_the_page():
    pytest.importorskip("numpy")
    pytest.importorskip("pettingzoo", reason="SKIPPED: gymnasium and pettingzoo are not installed")
    text = re.sub(r"^```.*$", "", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, "python.md", str(PAGE), 0)
    assert len(test.examples) > 30
    said = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert not said, "".join(said)
