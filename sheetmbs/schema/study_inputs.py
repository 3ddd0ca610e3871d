"""The input sheets of design studies: their columns, and the settings of the sheet Study."""

from __future__ import annotations

from collections.abc import Iterable

from sheetmbs.schema import units as u
from sheetmbs.schema.column import Column, ColumnKind, SettingRule, Sheet
from sheetmbs.schema.names import fold
from sheetmbs.schema.study_methods import STUDY_METHODS

NUMBER, TEXT, NAME, CHOICE, FLAG = (
    ColumnKind.NUMBER,
    ColumnKind.TEXT,
    ColumnKind.NAME,
    ColumnKind.CHOICE,
    ColumnKind.FLAG,
)
METHODS = tuple(STUDY_METHODS)
HOW = ("value", "offset", "percent")
DISTRIBUTIONS = ("uniform", "normal", "triangular")
GOALS = ("minimise", "maximise", "target", "at most", "at least")
NOTES = Column("notes", TEXT, "for people; ignored")
ACTIVE = Column("active", FLAG, "no: as if the row were not there", default="yes")


def _count(name: str, doc: str, default: int, least: int) -> SettingRule:
    return SettingRule(name, doc, (), u.RATIO, str(default), least=least)


STUDY_SETTINGS: tuple[SettingRule, ...] = (
    SettingRule("method", "how variants are chosen", METHODS, default=METHODS[0]),
    SettingRule("cases", "cases that are run for each variant, separated by ;", is_text=True),
    _count("samples", "number of variants of the methods that sample", 64, 1),
    _count("seed", "the same number gives the same variants", 0, 0),
    _count("budget", "most variants that an optimisation may run", 500, 1),
    _count("keep", "number of variants whose curves go to the workbook", 20, 0),
)

STUDY = Sheet(
    "Study",
    "a study of designs in settings: one per row",
    (
        Column("setting", NAME, "name of the setting", required=True),
        Column("value", ColumnKind.ANY, "its value"),
        Column("unit", TEXT, "of numbers with a unit; none here has one"),
        NOTES,
    ),
)

VARIABLES = Sheet(
    "Variables",
    "cells that vary: one variable per row",
    (
        Column("name", NAME, "name of the variable", required=True),
        Column(
            "cell",
            TEXT,
            "address or defined name of a cell that holds a number; several, separated by ;, move together",
            required=True,
        ),
        Column("low", NUMBER, "lowest value, in the unit of the cell; for offset and percent the change"),
        Column("high", NUMBER, "highest value"),
        Column("steps", NUMBER, "number of values from low to high, both included", default="3"),
        Column("values", TEXT, "the values themselves, separated by ;, instead of low, high and steps"),
        Column("how", CHOICE, "what low, high and values are", default=HOW[0], choices=HOW),
        Column("distribution", CHOICE, "how samples are spread", default=DISTRIBUTIONS[0], choices=DISTRIBUTIONS),
        Column("sd", NUMBER, "standard deviation of a normal distribution"),
        ACTIVE,
        NOTES,
    ),
)

VARIANTS = Sheet(
    "Variants",
    "variants of the method list: one per row, a column for each variable",
    (Column("name", NAME, "name of the variant", required=True), ACTIVE, NOTES),
)

RESPONSES = Sheet(
    "Responses",
    "what becomes of a variant: one number per row",
    (
        Column("name", NAME, "name of the response", required=True),
        Column("of", TEXT, "expression over result columns, or the address of a cell", required=True),
        Column("case", TEXT, "case that it is taken from", default="the first one of the study"),
        Column("goal", CHOICE, "what is wanted of it", default="only watched", choices=GOALS),
        Column("value", NUMBER, "of a target or a limit, in the response's unit"),
        Column(
            "curve", ColumnKind.REFERENCE, "target curve: the response is the rms distance from it", sheets=("Curves",)
        ),
        Column("x", TEXT, "result column over which the curve is given", default="the first column of the sheet"),
        Column("weight", NUMBER, "weight of the goal", (u.RATIO,), default="1"),
        Column("unit", TEXT, "unit of the response", default="that of the columns"),
        ACTIVE,
        NOTES,
    ),
)

STUDY_SHEETS: tuple[Sheet, ...] = (STUDY, VARIABLES, VARIANTS, RESPONSES)
_ASKING = frozenset(fold(sheet.name) for sheet in (STUDY, VARIABLES))


def asks_for_study(sheets: Iterable[str]) -> bool:
    """Whether a workbook with sheets of these names asks for a study: it has the sheet Variables or Study."""
    return any(fold(name) in _ASKING for name in sheets)
