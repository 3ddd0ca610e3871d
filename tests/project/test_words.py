"""Words of choices are spelled where they are declared: everywhere else the code names the declaration."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import sheetmbs
from sheetmbs.elements import JOINTS
from sheetmbs.elements.forces import FORCE_TYPES
from sheetmbs.elements.integrators import INTEGRATORS
from sheetmbs.schema.gait_inputs import CENTRE_KINDS, SEGMENT_METHODS
from sheetmbs.schema.settings import ANALYSES
from sheetmbs.schema.study_methods import STUDY_METHODS
from sheetmbs.schema.suspension_inputs import SPRING_KINDS, SUSPENSION_TYPES

PACKAGE = Path(sheetmbs.__file__).parent


@dataclass(frozen=True)
class Choice:
    """A choice of users. field: the attribute, variable or key that holds its word. room: where ``field`` means this choice."""

    words: frozenset[str]
    field: str
    room: str = ""


CHOICES = (
    Choice(frozenset(STUDY_METHODS), "method", "studies/"),
    Choice(frozenset(ANALYSES), "analysis"),
    Choice(frozenset(INTEGRATORS), "integrator"),
    Choice(frozenset(JOINTS), "type"),
    Choice(frozenset(FORCE_TYPES), "type"),
    Choice(frozenset(SUSPENSION_TYPES), "type"),
    Choice(frozenset(SPRING_KINDS), "kind", "suspension/"),
    Choice(frozenset(CENTRE_KINDS), "kind", "gait/"),
    Choice(frozenset(SEGMENT_METHODS), "kinematics", "gait/"),
)
TABLES = {
    "STUDY_METHODS",
    "INTEGRATORS",
    "JOINTS",
    "FORCE_TYPES",
    "METHODS",
    "KINDS",
    "TYPES_BY_NAME",
    "has_kind",
    "joints",
}
"""names of tables and functions that take a word of a choice"""
DECLARATIONS = (
    *("elements/analyses.py", "elements/integrators.py", "elements/joints/", "elements/forces/"),
    *("schema/study_methods.py", "schema/suspension_inputs.py", "schema/gait_inputs.py"),
)
EXCEPTIONS = {
    "schema/synonyms.py": "gives the words of other programs for each of ours",
    "suspension/layout/types/three_link.py": "calls the body that carries a wheel a trailing arm, which is a type too",
    "workbook/charts/styled_charts.py": "hands XlsxWriter a type of error bars that is called fixed",
}
"""module -> why it spells such words"""


def name_of(node: ast.expr) -> str:
    """The last name in an expression such as ``model.settings.analysis``, ``row["kind"]`` or ``record.choice("kind")``."""
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str(name))) | ast.Call(args=[ast.Constant(value=str(name)), *_]):
            return name
        case ast.Subscript(value=inner) | ast.Call(func=inner):
            return name_of(inner)
    return ""


def texts(node: ast.AST | None) -> list[ast.Constant]:
    """The string literals that an expression is, or that a tuple, list or set holds."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return [each for each in parts if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def uses(tree: ast.Module) -> Iterator[tuple[str, ast.Constant]]:
    """String literals, each with the field that it is a value of, or that it is compared with; "" where that is unknown."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=others):
                sides = [left, *others]
                names = [name_of(side) for side in sides]
                yield from ((name, text) for side in sides for text in texts(side) for name in names)
            case ast.keyword(arg=str(name), value=value) | ast.AnnAssign(target=ast.Name(id=name), value=value):
                yield from ((name, text) for text in texts(value))
            case ast.Dict(keys=keys, values=values):
                pairs = zip(keys, values, strict=True)
                yield from (
                    (name, text)
                    for key, value in pairs
                    for text in texts(value)
                    for name in [key.value for key in texts(key)]
                )
            case ast.Match(subject=subject, cases=cases):
                patterns = [part for case in cases for part in ast.walk(case.pattern)]
                values = [part.value for part in patterns if isinstance(part, ast.MatchValue)]
                yield from ((name_of(subject), text) for value in values for text in texts(value))


def collections(tree: ast.Module) -> Iterator[list[ast.Constant]]:
    """The literals of each tuple, list, set or row of keys that holds several of them and no other values."""
    for node in ast.walk(tree):
        parts = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
        held = [each for each in parts if each is not None and not isinstance(each, ast.Starred)]
        if len(held) > 1 and all(isinstance(each, ast.Constant) for each in held):
            yield held


def lookups(tree: ast.Module) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name | ast.Attribute):
            found = texts(node.slice) if name_of(node.value) in TABLES else []
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            found = [text for each in node.args for text in texts(each)] if name_of(node.func) in TABLES else []
        else:
            found = []
        yield from found


def literal_types(tree: ast.Module) -> set[int]:
    """The literals in annotations such as ``Literal["right", "left"]``, which can hold nothing else."""
    types = [node for node in ast.walk(tree) if isinstance(node, ast.Subscript) and name_of(node.value) == "Literal"]
    return {id(part) for node in types for part in ast.walk(node.slice)}


def docstrings(tree: ast.Module) -> set[int]:
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def spelled_words(tree: ast.Module, module: str, choices: Iterable[Choice] = CHOICES) -> list[str]:
    """Words of choices that a module spells.

    A word of several parts, such as ``bump stop``, counts wherever it stands. A plain word, such as ``mean``, counts where it
    is the value of the field of its choice, is looked up in a table of choices, or stands in a row of words of one choice.
    """
    left_out = literal_types(tree) | docstrings(tree)
    fields, rows, looked_up = list(uses(tree)), list(collections(tree)), list(lookups(tree))
    literals = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    found: dict[int, str] = {}
    for choice in choices:
        whole = [text for text in literals if text.value in choice.words and not text.value.isalpha()]
        if choice.room in module:
            whole += [text for name, text in fields if name == choice.field and text.value in choice.words]
            whole += [text for text in looked_up if text.value in choice.words]
            whole += [text for row in rows if choice.words.issuperset(each.value for each in row) for text in row]
        found |= {id(text): f"line {text.lineno}: {text.value}" for text in whole if id(text) not in left_out}
    return sorted(found.values())


def modules() -> list[str]:
    paths = (path.relative_to(PACKAGE).as_posix() for path in sorted(PACKAGE.rglob("*.py")))
    return [path for path in paths if not path.startswith(DECLARATIONS)]


@pytest.mark.parametrize("module", [each for each in modules() if each not in EXCEPTIONS])
def test_no_second_module_spells_the_word_of_a_choice(module):
    assert spelled_words(ast.parse((PACKAGE / module).read_text(encoding="utf-8")), module) == []


def test_every_exception_spells_such_a_word():
    for module in EXCEPTIONS:
        assert spelled_words(ast.parse((PACKAGE / module).read_text(encoding="utf-8")), module), module


@pytest.mark.parametrize(
    "line",
    [
        'is_moved = settings.analysis == "dynamic"',
        'if joint.type not in {"revolute", "screw"}: pass',
        'ROW = {"type": "revolute", "body_i": "crank"}',
        'run(model, analysis="modes")',
        'ORDER = ("revolute", "translational")',
        'FRICTION = {"revolute": 1, "spherical": 2}',
        'entry = INTEGRATORS["radau"]',
        'STOP = "bump stop"',
        'match joint.type:\n    case "screw": pass',
    ],
)
def test_spelled_words_are_found(line):
    assert spelled_words(ast.parse(line), "lower/lower_model.py")


@pytest.mark.parametrize(
    "line",
    [
        'length = record.number("distance")',
        'heads = ("joint", "distance")',
        'Side = Literal["revolute", "screw"]',
        '"""modes"""',
    ],
)
def test_other_words_are_left_alone(line):
    assert not spelled_words(ast.parse(line), "lower/lower_model.py")
