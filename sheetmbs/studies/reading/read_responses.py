"""The sheet Responses: what is asked of a variant. What expressions mean is found out where there are results."""

from __future__ import annotations

from math import isnan
from typing import cast

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.studies.reading.study_fields import RESPONSE, StudyNames
from sheetmbs.studies.study_book import Goal, StudyResponse
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.input_table import InputTable, Record

NEED_VALUE = ("at most", "at least")
WEIGHTED = ("minimise", "maximise", "target")
"""goals of which the objective is the weighted sum"""


def read_responses(
    table: InputTable, curves: Context, names: StudyNames, report: ProblemList
) -> tuple[StudyResponse, ...]:
    """The responses that count. What is wrong is reported; a response that is wrong is left out."""
    found = []
    for record in table.records():
        if not record.is_active:
            continue
        response = _response(record, curves)
        record.finish()
        if response is None or not names.take(record, response.name, RESPONSE):
            continue
        if record.given("weight") and response.goal not in WEIGHTED:
            place, rule = (
                record.place("weight"),
                f"a weight has no effect with the goal {response.goal or 'left blank'}",
            )
            report.add(place, Problem("unused-value", "note", str(place), f"weight: {response.weight:g}", rule, ""))
        found.append(response)
    return tuple(found)


def _response(record: Record, curves: Context) -> StudyResponse | None:
    name, of = record.text("name"), record.text("of")
    case, x, unit = record.text("case"), record.text("x"), record.text("unit")
    goal, value = record.choice("goal"), record.number("value")
    weight = record.number_or("weight", 1.0)
    curve = record.reference("curve", curves.curves) if record.given("curve") else ""
    record.settle("curve")
    if not name or not of or curve is None or isnan(weight) or (value is not None and isnan(value)):
        return None
    if record.given("goal") and goal in ("", "only watched"):
        return None
    goal = "" if goal == "only watched" else goal
    if weight <= 0.0:
        record.refuse("out-of-range", "weight", "a weight must be greater than 0", "correct it, or clear the goal")
        return None
    if goal in NEED_VALUE and value is None:
        record.refuse("missing-value", "value", f"the goal {goal} needs a limit", "write it in the column value")
        return None
    if goal == "target" and value is None and not curve:
        record.refuse("missing-value", "value", "the goal target needs a value or a curve", "fill in one of them")
        return None
    if goal == "target" and value is not None and curve:
        record.refuse("unused-value", "value", "a target is a value or a curve, not both", "clear one of them")
        return None
    if value is not None and goal in ("", "minimise", "maximise"):
        mend = "write target, at most or at least as the goal, or clear the value"
        record.refuse("unused-value", "value", f"a value has no effect with the goal {goal or 'left blank'}", mend)
        return None
    if record.given("x") and not curve:
        record.refuse("unused-value", "x", "x belongs to a target curve", "name a curve, or clear x")
        return None
    if curve and goal == "maximise":
        record.refuse("unknown-value", "goal", "with a curve the response is the distance from it", "choose minimise")
        return None
    return StudyResponse(
        name,
        of,
        case,
        cast("Goal", goal),
        value,
        curve,
        weight,
        unit,
        place=record.cell_text("of"),
        x=x,
        value_place=record.cell_text("value"),
    )
