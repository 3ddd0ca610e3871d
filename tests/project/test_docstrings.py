"""Public docstrings can be read alone: in an editor's hover nobody sees what stood before."""

import ast
import re

import pytest

from tests.project.test_layers import MODULES, name_of, parsed

FRAGMENT = re.compile(r"(Of|Those|As|Its|By|Under|That|Whose)\b")
FEWEST_WORDS = 4


def first_lines(path):
    """Names of what is public in a module, with the first lines of their docstrings."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            name = getattr(node, "name", path.stem)
            text = ast.get_docstring(node)
            if text and not name.startswith("_"):
                yield name, text.splitlines()[0]


def is_fragment(line):
    return FRAGMENT.match(line) is not None or len(re.findall(r"[\w'-]+", line)) < FEWEST_WORDS


@pytest.mark.parametrize(
    "line", ["Of these.", "Under which strides hold it.", "Its number, with its name.", "Print the page."]
)
def test_fragments_are_recognised(line):
    assert is_fragment(line)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_public_docstrings_are_no_fragments(path):
    assert [(name, line) for name, line in first_lines(path) if is_fragment(line)] == []
