"""The sheets Subject and Processing, checked, in SI, defaults filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sheetmbs.gait.trial.gait_book import Processing, Side, Subject
from sheetmbs.schema.gait_inputs import PROCESSING_SETTINGS, SUBJECT_SETTINGS
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.workbook.reading.input_table import InputTable
from sheetmbs.workbook.reading.settings_rows import settings_rows

SIDES: dict[str, tuple[Side, ...]] = {"both": ("right", "left"), "right": ("right",), "left": ("left",)}
PRINTED = ("id", "date", "condition", "speed")
COLOUR = re.compile(r"#?[0-9A-Fa-f]{6}")


def read_subject(table: InputTable, report: ProblemList) -> Subject:
    """Who walks. What is missing is reported."""
    given = settings_rows(table, SUBJECT_SETTINGS, "a subject", report)
    values = given.values
    if values["anthropometry"] == "de leva" and values["sex"] is None:
        place = given.places.get("anthropometry", Place(table.schema.name))
        problem = "that table has one column for women and one for men"
        report.error("missing-setting", place, "no sex of the subject", problem, "add a row sex: female or male")
    return Subject(
        values["mass"] or 0.0,
        values["height"],
        values["sex"] or "",
        values["anthropometry"],
        SIDES[values["side"]],
        {name: _shown(values[name]) for name in PRINTED if values[name] is not None},
        {name: str(place) for name, place in given.places.items()},
    )


def read_processing(table: InputTable, cutoffs: Mapping[str, float], report: ProblemList) -> Processing:
    """How trials are processed. cutoffs: of single markers in Hz."""
    given = settings_rows(table, PROCESSING_SETTINGS, "the processing", report)
    values = given.values
    values["filter_order"] = int(values["filter_order"])
    for name in ("detail", "animation", "exchange_sides"):
        values[name] = values[name] == "yes"
    values["points"] = _points(values["points"], given.places.get("points"), report)
    for name in ("colour_left", "colour_right"):
        values[name] = _colour(name, values[name], given.places.get(name), report)
    if values["cutoff"] == "none" and "edge" not in given.places:
        values["edge"] = 0.0
    forward, up = values["axis_forward"], values["axis_up"]
    if "auto" not in (forward, up) and forward[1] == up[1]:
        place = given.places.get("axis_up", Place(table.schema.name))
        problem = f"axis_forward is {forward}, and forward is level"
        report.error("same-axes", place, f"axis_up: {up}", problem, "name two axes with different letters")
    places = {name: str(place) for name, place in given.places.items()}
    return Processing(**values, cutoffs=dict(cutoffs), places=places)


def _points(value: float, place: Place | None, report: ProblemList) -> int:
    if place is not None and value != int(value):
        problem = "points is a whole number"
        report.error("out-of-range", place, f"points: {value:g}", problem, "write 101 for steps of a percent")
    return int(value)


def _colour(name: str, text: str, place: Place | None, report: ProblemList) -> str:
    if not COLOUR.fullmatch(text) and place is not None:
        problem = "a colour is written with six hexadecimal digits: red, green, blue"
        report.error("wrong-colour", place, f"{name}: {quoted(text)}", problem, "write it as C00000")
    return text.removeprefix("#").upper()


def _shown(value: float | str) -> str:
    return f"{value:g} m/s" if isinstance(value, float) else value
