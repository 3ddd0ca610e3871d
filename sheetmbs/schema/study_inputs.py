"""The input sheets of design studies: their columns, and the settings of the sheet Study."""

from __future__ import annotations

from collections.abc import Iterable

from sheetmbs.schema import units as u
from sheetmbs.schema.column import ACTIVE, ANY, CHOICE, NAME, NOTES, NUMBER, REFERENCE, TEXT, Column, SettingRule, Sheet
from sheetmbs.schema.names import fold
from sheetmbs.schema.study_methods import STUDY_METHODS

METHODS = tuple(STUDY_METHODS)
HOW = ("value", "offset", "percent")
DISTRIBUTIONS = ("uniform", "normal", "triangular")
INTERVALS = ("given", "estimated")
GOALS = ("minimise", "maximise", "target", "at most", "at least")


def _count(name: str, doc: str, default: int, least: int) -> SettingRule:
    return SettingRule(name, doc, (), u.RATIO, str(default), least=least)


STUDY_SETTINGS: tuple[SettingRule, ...] = (
    SettingRule("method", "how variants are chosen", METHODS, default=METHODS[0]),
    SettingRule("cases", "cases to run for each variant, separated by ;", is_text=True),
    _count("samples", "number of variants of the sampling methods", 64, 1),
    _count("seed", "seed of random numbers: the same seed gives the same variants", 0, 0),
    _count("budget", "largest number of variants that an optimisation may run", 500, 1),
    _count("keep", "number of variants whose curves are written to the workbook", 20, 0),
    _count("starts", "number of starts of a fit: the workbook as it is, further ones random", 1, 1),
    SettingRule(
        "interval",
        "whether a fit believes the sd of Measurements, or estimates their scale from the residuals",
        INTERVALS,
        default=INTERVALS[0],
    ),
    SettingRule("candidates", "result columns that might be measured too, separated by ;", is_text=True),
    SettingRule(
        "linear", "whether tolerances are carried by derivatives instead of samples", ("no", "yes"), default="no"
    ),
)

STUDY = Sheet(
    "Study",
    "settings of a design study: one per row",
    (
        Column("setting", NAME, "name of the setting", required=True),
        Column("value", ANY, "its value"),
        Column("unit", TEXT, "unit of the value; no setting here has one"),
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
            "address or defined name of a cell that holds a number; several cells, separated by ;, change together",
            required=True,
        ),
        Column("low", NUMBER, "lowest value, in the unit of the cell; for offset and percent the change"),
        Column("high", NUMBER, "highest value"),
        Column("steps", NUMBER, "number of values from low to high, both included", default="3"),
        Column("values", TEXT, "the values themselves, separated by ;, in place of low, high and steps"),
        Column("how", CHOICE, "what low, high and values are", default=HOW[0], choices=HOW),
        Column("distribution", CHOICE, "how samples are spread", default=DISTRIBUTIONS[0], choices=DISTRIBUTIONS),
        Column("sd", NUMBER, "standard deviation of a normal distribution; of a fit how well the cell is known before"),
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
    "responses, by which variants are judged: one number per row",
    (
        Column("name", NAME, "name of the response", required=True),
        Column("of", TEXT, "expression over result columns, or the address of a cell", required=True),
        Column("case", TEXT, "case from which it is taken", default="the first one of the study"),
        Column("goal", CHOICE, "goal for the response", default="only watched", choices=GOALS),
        Column("value", NUMBER, "target or limit, in the unit of the response"),
        Column("curve", REFERENCE, "target curve: the response is the rms distance from it", sheets=("Curves",)),
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
