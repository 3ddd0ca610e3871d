"""Docstrings of public things are whole sentences, and constants say what they bound."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import sheetmbs

PACKAGE = Path(sheetmbs.__file__).parent
ROOMS = ("elements", "model", "problems", "results", "schema", "viewing")
"""rooms whose constants are checked"""
FRAGMENT_WORDS = {"Of", "Those", "As", "Its", "By", "Under", "That", "Whose"}
MIN_WORDS = 4
VAGUE_CONSTANTS = {"FEWEST", "MOST", "FAR", "NEAR", "LEAST", "STILL"}
MODULES = sorted(PACKAGE.rglob("*.py"))


def public_docstrings(node: ast.AST, name: str) -> Iterator[tuple[str, str]]:
    """Names and docstrings of a module, and of its public classes, functions and methods."""
    if text := ast.get_docstring(node):
        yield name, text
    if isinstance(node, ast.Module | ast.ClassDef):
        for child in node.body:
            if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and child.name[0] != "_":
                yield from public_docstrings(child, f"{name}.{child.name}")


def is_fragment(text: str) -> bool:
    words = text.split("\n\n", maxsplit=1)[0].split()
    return len(words) < MIN_WORDS or words[0].rstrip(".,:;") in FRAGMENT_WORDS


def vague_constants(tree: ast.Module) -> list[str]:
    names = []
    for statement in tree.body:
        targets = getattr(statement, "targets", [getattr(statement, "target", None)])
        names += [node.id for target in targets if target for node in ast.walk(target) if isinstance(node, ast.Name)]
    return sorted(VAGUE_CONSTANTS.intersection(names))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_public_docstrings_are_whole_sentences(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert [name for name, text in public_docstrings(tree, path.stem) if is_fragment(text)] == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_constants_say_what_they_bound(path):
    assert vague_constants(ast.parse(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("text", ["Of these.", "Those of some tags that are within rows.", "Distance, m."])
def test_fragments_are_found(text):
    tree = ast.parse(f'class Beam:\n    def length(self):\n        """{text}"""\n')
    assert [name for name, found in public_docstrings(tree, "m") if is_fragment(found)] == ["m.Beam.length"]


@pytest.mark.parametrize("line", ["MOST = 6", "STILL: float = 0.1", "SLOW, FEWEST = 1, 2"])
def test_vague_constants_are_found(line):
    assert len(vague_constants(ast.parse(line))) == 1
