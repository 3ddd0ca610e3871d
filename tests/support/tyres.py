"""Tyres for tests: files with their sources, and tyres made of them or of a few coefficients."""

from pathlib import Path

from sheetmbs.tyres.coefficients import dimension_of, plain_name
from sheetmbs.tyres.given_values import GivenValue, TyreProblems
from sheetmbs.tyres.made_tyre import make_tyre
from sheetmbs.tyres.magic_tyre import TyreRow
from sheetmbs.tyres.property_lines import read_property_text
from tests.support.tyre_equations import Formula

FILES = Path(__file__).parents[1] / "tyres" / "files"
NAMES = {52: "MagicFormula52_Parameters.tir", 61: "MagicFormula61_Parameters.tir", 62: "MagicFormula62_Parameters.tir"}
HMMWV = "HMMWV_Pac02Tire.tir"


def text_of(name):
    return (FILES / name).read_text(encoding="latin-1")


def read_text(text, name="tyre.tir", **row):
    """The tyre of a text, None where it is refused, and all problems."""
    problems = TyreProblems()
    lines = read_property_text(text, name, problems)
    tyre = (
        None
        if problems.has_errors
        else make_tyre("magic formula", lines.values, (), TyreRow("T", "Tyres!A2", **row), problems)
    )
    return tyre, problems.found


def of_file(version, **row):
    tyre, problems = read_text(text_of(NAMES[version]), **row)
    assert [each for each in problems if each.severity == "error"] == []
    return tyre


def formula(version, **changed):
    """The independent transcription with the coefficients of a file."""
    lines = read_property_text(text_of(NAMES[version]), "tyre.tir", TyreProblems())
    values = {name: each.value for name, each in lines.values.items() if isinstance(each.value, float)}
    return Formula(version, **{**values, **changed})


def simple(model, **values):
    """A linear or fiala tyre; names of coefficients with _ for blanks."""
    given = {}
    for key, value in values.items():
        name = plain_name(key)
        assert dimension_of(name)
        given[name] = GivenValue(name, float(value), "Tyre coefficients!C2", str(value))
    problems = TyreProblems()
    return make_tyre(model, given, (), TyreRow("S", "Tyres!A2"), problems), problems.found
