"""Cells that are given other values for one run, and the formulas that move with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sheetmbs.formulas.cell_contents import ErrorValue, Value
from sheetmbs.formulas.workbook_formulas import WorkbookFormulas, in_words
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.problems.listing import sentence_list
from sheetmbs.schema.cell import Changes, Place
from sheetmbs.workbook.cells.book import ChangedCell, NewCells, cell_of, unknown_cell

MAX_NAMED_INPUTS = 4
"""inputs of a formula that a message names"""


def change_cells(formulas: WorkbookFormulas, changes: Changes) -> tuple[dict[str, NewCells], tuple[ChangedCell, ...]]:
    """Set cells. Returns by sheet all cells that have other values then, and what was changed.

    changes: values by addresses or defined names. Raises WorkbookError with everything that is wrong with them.
    """
    found = {written: _resolved(formulas, written) for written in changes}
    problems = [problem for each in found.values() for problem in each[1]]
    problems += _doubles({written: places for written, (places, _problems) in found.items()})
    if problems:
        raise WorkbookError(problems)
    given = {written: _value(changes[written]) for written in changes}
    changed = tuple(_changed(formulas, written, places, given[written]) for written, (places, _none) in found.items())
    values = {place: given[each.written] for each in changed for place in each.places}
    moved, refused = move_cells(formulas, values)
    unfit = [problem for each in changed if (problem := _text_for_number(formulas, each, given[each.written], moved))]
    if unfit:
        raise WorkbookError(unfit)
    new: dict[str, NewCells] = {}
    for place, value in {**values, **moved}.items():
        cell = unknown_cell(place, _no_value(place, value)) if isinstance(value, ErrorValue) else cell_of(place, value)
        new.setdefault(place.sheet, {})[place.row, place.column] = cell
    for place, why in refused.items():
        new.setdefault(place.sheet, {})[place.row, place.column] = unknown_cell(place, why)
    return new, changed


def move_cells(
    formulas: WorkbookFormulas, values: Mapping[Place, Value]
) -> tuple[dict[Place, Value], dict[Place, Problem]]:
    """Set cells. Returns the formulas that have other values then, and those that cannot be computed, and why."""
    depending = sorted(formulas.dependents(*values))
    before, refused = formulas.trusted(depending)
    formulas.set_values(values)
    after = zip(before, formulas.values(list(before)), strict=True)
    moved = {
        place: value
        for place, value in after
        if value != before[place] or type(value) is not type(before[place]) or formulas.is_unknown(place)
    }
    return moved, refused


def _text_for_number(
    formulas: WorkbookFormulas, changed: ChangedCell, value: Value, moved: Mapping[Place, Value]
) -> Problem | None:
    """What is wrong with a text where a number stood, if formulas that read it then have no value."""
    if not isinstance(value, str) or not isinstance(formulas.stored(changed.places[0]), float):
        return None
    lost = sorted(place for place in changed.moved if isinstance(moved.get(place), ErrorValue))
    if not lost:
        return None
    where = sentence_list([*map(str, lost)], 3)
    rule = f"formulas that read this cell calculate with its number, and would have no value: {where}"
    mend = "write a number with a decimal point, without its unit"
    return Problem("text-for-number", "error", changed.cell, in_words(value), rule, mend)


def _no_value(place: Place, value: ErrorValue) -> Problem:
    return Problem(
        "", "error", str(place), f"with the changed cells it gives {in_words(value)}", "it is not a value", ""
    )


def _resolved(formulas: WorkbookFormulas, written: str) -> tuple[list[Place], list[Problem]]:
    """The cells that a text stands for, and what is wrong with them."""
    try:
        places = formulas.resolve(written)
    except WorkbookError as error:
        return [], error.problems
    return places, [_of_formula(formulas, place) for place in places if formulas.is_formula(place)]


def refuse_formulas(formulas: WorkbookFormulas, places: Iterable[Place]) -> None:
    """Raise WorkbookError where cells that are to be set hold formulas."""
    problems = [_of_formula(formulas, place) for place in places if formulas.is_formula(place)]
    if problems:
        raise WorkbookError(problems)


def _of_formula(formulas: WorkbookFormulas, place: Place) -> Problem:
    inputs = [str(each) for each in formulas.inputs(place)]
    more = [f"{len(inputs) - MAX_NAMED_INPUTS} more"] if len(inputs) > MAX_NAMED_INPUTS else []
    named = sentence_list((*inputs[:MAX_NAMED_INPUTS], *more))
    rule = f"its value follows from {named}" if inputs else "its value follows from no other cell"
    mend = "set one of these" if inputs else "enter a value in place of the formula"
    return Problem("change-of-formula", "error", str(place), "a formula", rule, mend)


def _doubles(found: dict[str, list[Place]]) -> list[Problem]:
    first: dict[Place, str] = {}
    problems = []
    for written, places in found.items():
        for place in places:
            if place in first:
                rule = f"{first[place]} names this cell too"
                problems.append(Problem("changed-twice", "error", str(place), written, rule, "set it once"))
            first[place] = written
    return problems


def _value(given: Value) -> Value:
    return float(given) if isinstance(given, int) and not isinstance(given, bool) else given


def _changed(formulas: WorkbookFormulas, written: str, places: Sequence[Place], value: Value) -> ChangedCell:
    moved = formulas.dependents(*places)
    return ChangedCell(written, tuple(places), in_words(formulas.stored(places[0])), in_words(value), moved)
