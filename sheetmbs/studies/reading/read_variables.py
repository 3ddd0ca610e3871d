"""The sheet Variables: what varies, from where to where."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, isnan, nan

from sheetmbs.problems.errors import Problem
from sheetmbs.products.varied_workbook import CellAt
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.schema.study_inputs import VARIABLES
from sheetmbs.schema.study_methods import STUDY_METHODS, StudyMethod
from sheetmbs.studies.reading.study_cells import StudyCells
from sheetmbs.studies.reading.study_fields import VARIABLE, StudyNames, has_percent_twice, numbers_in
from sheetmbs.studies.study_book import StudyVariable
from sheetmbs.workbook.reading.input_table import InputTable, Record

MOST_STEPS = 10_000


@dataclass(frozen=True)
class VariableNeeds:
    """What a row of Variables must say. is_linear: tolerances are carried by derivatives, where an sd alone is enough."""

    method: StudyMethod
    is_linear: bool = False

    @property
    def carries_sd(self) -> bool:
        """Whether only the standard deviation of a variable counts, and not how samples are spread."""
        return self.is_linear and self.method.is_production


def movable_variables(cells: StudyCells) -> tuple[StudyVariable, ...]:
    """The variables of a workbook, with or without a study, whose cells can be moved by hand; wrong rows are left out."""
    sheet = cells.book.find_sheet(VARIABLES.name)
    if sheet is None:
        return ()
    report = ProblemList(cells.book.sheets)
    listed = VariableNeeds(
        next(method for method in STUDY_METHODS.values() if method.is_listed)
    )  # it asks for no bounds
    table = InputTable(VARIABLES, sheet, report, "3D")
    return read_variables(table, cells, listed, StudyNames(report), report)


def read_variables(
    table: InputTable, cells: StudyCells, needs: VariableNeeds, names: StudyNames, report: ProblemList
) -> tuple[StudyVariable, ...]:
    """The variables that count. What is wrong is reported; a variable that is wrong is left out."""
    found: list[StudyVariable] = []
    taken: dict[CellAt, str] = {}
    for record in table.records():
        if not record.is_active:
            names.switched_off.setdefault(fold(record.text("name")), record.place("name"))
            continue
        variable = _variable(record, cells, needs, report)
        record.finish()
        if variable is None or not names.take(record, variable.name, VARIABLE):
            continue
        if variable.how == "value" and len({*variable.as_it_is}) > 1:
            rule = "with how = value all cells get the same number, but they hold different numbers now"
            mend = "choose offset to keep their differences, or percent to keep their ratios"
            held = ", ".join(f"{number:g}" for number in variable.as_it_is)
            report.warning("cells-differ", record.place("cell"), f"cells that hold {held}", rule, mend)
        for cell in variable.cells:
            if cell in taken:
                rule = f"the variable {quoted(taken[cell])} also varies the cell {cell[0]}!{cell[1]}"
                report.error(
                    "cell-varies-twice", record.place("cell"), "the same cell", rule, "remove it from one of them"
                )
            taken[cell] = variable.name
        found.append(variable)
    return tuple(found)


def _variable(record: Record, cells: StudyCells, needs: VariableNeeds, report: ProblemList) -> StudyVariable | None:
    method = needs.method
    name = record.text("name")
    at = cells.named_in(record, "cell", report)
    how, distribution = record.choice("how"), record.choice("distribution")
    low, high, sd = (_number(record, column, how) for column in ("low", "high", "sd"))
    steps, values = _steps(record, report), numbers_in(record, "values", report)
    if not name or not at or not how or not distribution or any(x is not None and isnan(x) for x in (low, high, sd)):
        return None
    if low is not None and high is not None and low > high:
        record.refuse("out-of-range", "high", f"low is {low:g} and high is {high:g}", "swap them, or correct one")
        return None
    as_it_is = tuple(cells.number(cell) for cell in at)
    units = list(dict.fromkeys(map(cells.unit, at)))
    if len(units) > 1 and how != "percent" and any(map(cells.holds_unit, at)):
        rule = f"the cells are in different units: {', '.join(unit or 'none' for unit in units)}"
        mend = "write all of them in one unit, or choose how = percent"
        record.refuse("units-differ", "cell", rule, mend)
        return None
    if how == "percent" and 0.0 in as_it_is:
        rule = "a cell that holds 0 stays 0 whatever the percentage"
        record.refuse("out-of-range", "how", rule, "choose offset, or write the values themselves")
        return None
    if needs.carries_sd and sd is not None and not record.given("distribution") and low is None and high is None:
        distribution = "normal"
    if method.is_sampling and distribution != "normal" and sd is not None:
        rule = f"it has no effect, since a {distribution} distribution has no standard deviation"
        mend = "choose the distribution normal, or clear sd"
        report.warning("unused-value", record.place("sd"), f"sd: {sd:g}", rule, mend)
    _note_unused(record, method, report)
    if not _is_spread(record, method, distribution, (low, high, sd), has_values=record.given("values")):
        return None
    variable = StudyVariable(
        name,
        at,
        as_it_is,
        low,
        high,
        steps,
        values,
        "offset" if how == "offset" else "percent" if how == "percent" else "value",
        "normal" if distribution == "normal" else "triangular" if distribution == "triangular" else "uniform",
        sd,
        cells.unit(at[0]),
        record.cell_text("name"),
    )
    if method.is_fit and not _is_within(record, variable):
        return None
    return variable if not method.is_sampling or _has_peak(record, variable) else None


def _note_unused(record: Record, method: StudyMethod, report: ProblemList) -> None:
    """Say which cells of a row count for nothing with its method, or beside others."""
    of_steps = "" if method.is_stepping else f"the method {method.name} takes no steps"
    of_samples = "" if method.is_sampling else f"the method {method.name} does not sample"
    reasons = {
        "steps": of_steps or ("values are given instead" if record.given("values") else ""),
        "values": of_steps,
        "distribution": of_samples,
        "sd": "" if method.is_fit else of_samples,
    }
    for column, reason in reasons.items():
        if reason and record.given(column):
            place, found = record.place(column), f"{column}: {record.raw_text(column)}"
            report.add(place, Problem("unused-value", "note", str(place), found, f"it has no effect: {reason}", ""))


def _number(record: Record, column: str, how: str) -> float | None:
    return nan if has_percent_twice(record, column, how) else record.number(column)


def _has_peak(record: Record, variable: StudyVariable) -> bool:
    """Whether a distribution with its peak at the value of the cell has that within its ends; reported where it has not."""
    low, high = variable.bounds
    if variable.distribution == "uniform" or low <= variable.as_it_is[0] <= high:
        return True
    ends = [f"{name} ends it at {end:g}" for name, end in (("low", low), ("high", high)) if isfinite(end)]
    rule = (
        f"a {variable.distribution} distribution has its peak at the value of the cell, {variable.as_it_is[0]:g}, and "
        f"{' and '.join(ends)}"
    )
    mend = "correct low and high; if they are changes from the cell, set how to offset or percent"
    record.refuse("out-of-range", "low", rule, mend)
    return False


def _steps(record: Record, report: ProblemList) -> int | None:
    steps = record.number("steps")
    if steps is None or isnan(steps):
        return None
    if steps != int(steps) or not 2 <= steps <= MOST_STEPS:
        rule = f"steps must be a whole number from 2 to {MOST_STEPS:,}, counting low and high"
        report.error("out-of-range", record.place("steps"), f"steps: {steps:g}", rule, "correct it")
        return None
    return int(steps)


def _is_spread(
    record: Record,
    method: StudyMethod,
    distribution: str,
    given: tuple[float | None, float | None, float | None],
    *,
    has_values: bool,
) -> bool:
    """Whether a row says what its method needs: a range, values or a standard deviation. Reported where it does not."""
    low, high, sd = given
    has_range = low is not None and high is not None
    if method.is_listed or (has_values and method.is_stepping):
        return True
    if method.is_fit:
        return _is_known_before(record, given)
    if method.is_sampling and distribution == "normal":
        if sd is None or sd <= 0.0:
            record.refuse(
                "missing-value", "sd", "a normal distribution needs a standard deviation", "write an sd greater than 0"
            )
            return False
        return True
    if not has_range:
        column = "high" if low is not None else "low"
        rule = f"the method {method.name} needs low and high of every variable"
        if method.is_stepping:
            rule += ", or values"
        record.refuse("missing-value", column, rule, "fill them in")
        return False
    if low == high:
        record.refuse("out-of-range", "high", "low and high are the same, so nothing varies", "correct one of them")
        return False
    return True


def _is_known_before(record: Record, given: tuple[float | None, float | None, float | None]) -> bool:
    """Whether a row says how well a fit knows its cell before: by an sd, or by both bounds. Reported where it does not."""
    low, high, sd = given
    if sd is not None and sd <= 0.0:
        mend = "write an sd greater than 0, or clear it and give low and high"
        record.refuse("out-of-range", "sd", "a standard deviation must be greater than 0", mend)
        return False
    if sd is None and (low is None or high is None):
        column = "sd" if low is None and high is None else "high" if low is not None else "low"
        rule = "a fit needs to know how well the cell is known before: an sd, or both low and high"
        record.refuse("missing-value", column, rule, "write an sd, or fill in low and high")
        return False
    if low is not None and high is not None and low >= high:
        record.refuse("out-of-range", "high", "low and high are the same, so nothing varies", "correct one of them")
        return False
    return True


def _is_within(record: Record, variable: StudyVariable) -> bool:
    """Whether a fit begins within its bounds: at the value of the cell. Reported where it does not."""
    low, high = variable.bounds
    value = variable.as_it_is[0]
    if low <= value <= high:
        return True
    column = "low" if value < low else "high"
    rule = f"the cell holds {value:g}, and a fit begins there, outside of the bounds {low:g} to {high:g}"
    mend = f"correct {column}; if it is a change from the cell, set how to offset or percent"
    record.refuse("out-of-range", column, rule, mend)
    return False
