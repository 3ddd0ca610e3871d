"""A response over result columns, made ready for many variants."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sheetmbs.model.model import Curve
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.expression import Expression, ExpressionError, Node, Number, Reduce, Variable
from sheetmbs.schema.expression_evaluation import value_of
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.table import Table
from sheetmbs.schema.units import parse_unit
from sheetmbs.studies.responses.aggregation_functions import OF_ONE_ROW, ONE_COLUMN, TWO_COLUMNS, NoResponseError
from sheetmbs.studies.responses.followed_curve import FollowedCurve
from sheetmbs.studies.responses.response_language import RESERVED_WORDS, parse_response
from sheetmbs.studies.responses.response_units import ONE, NoUnitError, factor_to, measure_the_same, unit_of_response
from sheetmbs.studies.study_book import Flags, Floats, StudyResponse
from sheetmbs.studies.study_results import KeptCurve, TargetCurve
from sheetmbs.workbook.reading.context import GivenCurve

TIME = "time"
LOOK_UP = "look up the headers of the sheets mbs .."
NO_COLUMN = (
    "write an expression over result columns, such as max(slider.x), or the address of a cell as text, without ="
)
CELL = re.compile(r"!\$?[A-Za-z]{1,3}\$?\d")
"""the address of a cell on some sheet"""


@dataclass(frozen=True)
class ResultColumnAt:
    """A result column. unit: of its header."""

    sheet: str
    name: str
    unit: str

    def of(self, tables: Mapping[str, Table]) -> Floats:
        """Values of the column, shape (n,)."""
        table = tables[self.sheet]
        return table.values[:, table.columns.index(self.name)]


@dataclass(frozen=True)
class ColumnResponse:
    """A response whose names are found. columns: of the expression's variables. x: the column along which it is drawn.

    curve: followed, in the units of the columns. factor: from what the expression gives to ``unit``. blanks: by function in
    the expression, how many rows of what it reads are blank in the workbook as it is.
    """

    response: StudyResponse
    case: str
    expression: Expression
    columns: tuple[ResultColumnAt, ...]
    x: ResultColumnAt | None
    unit: str
    factor: float = 1.0
    curve: FollowedCurve | None = None
    blanks: Mapping[Node, int] = field(default_factory=dict)

    def home(self, sheet: str) -> str:  # noqa: ARG002 - as of cells, which read more cases
        """The case of a result sheet that it reads."""
        return self.case

    @property
    def needed(self) -> tuple[ResultColumnAt, ...]:
        """All columns that it reads."""
        return (*self.columns, *((self.x,) if self.x else ()))

    def value(self, tables: Mapping[str, Table]) -> float:
        """Value of the response in a variant. Raises NoResponseError where it has none."""
        if self.curve is not None and self.x is not None:
            found = self.curve.distance(self.x.of(tables), self._series(tables))
        else:
            found = self._number(tables)
        if not np.isfinite(found):
            raise NoResponseError("it has no value: a column is blank, or a division, root or logarithm is undefined")
        return found * self.factor

    def _number(self, tables: Mapping[str, Table]) -> float:
        found = np.asarray(self._of(self.expression.tree, tables))
        if found.size != 1:
            raise NoResponseError(f"it is one number, and its columns have {found.size} rows here")
        return float(found.item())

    def residuals(self, tables: Mapping[str, Table]) -> Floats:
        """What a search by least squares makes small: weighted differences from the target value or curve."""
        weight = float(np.sqrt(self.response.weight))
        if self.curve is not None and self.x is not None:
            found = self.curve.residuals(self.x.of(tables), self._series(tables))
            return weight * self.factor * found
        return np.array([weight * (self.value(tables) - (self.response.value or 0.0))])

    def drawn(self, variant: int, tables: Mapping[str, Table]) -> KeptCurve | None:
        """The first column that it reads over x, of a variant; None where it reads none over rows."""
        if self.x is None:
            return None
        y = self._series(tables) if self.curve is not None else self.columns[0].of(tables)
        first = self.columns[0]
        name = self.response.of.strip() if self.curve is not None else first.name
        along = self.x
        return KeptCurve(
            *(variant, self.response.name, self.case, along.name, along.unit, name, first.unit),
            *(along.of(tables), y),
        )

    @property
    def target(self) -> TargetCurve | None:
        """The target curve, in the units of the columns."""
        return None if self.curve is None else TargetCurve(self.response.name, self.curve.x, self.curve.y)

    def _series(self, tables: Mapping[str, Table]) -> Floats:
        return np.asarray(self._of(self.expression.tree, tables), dtype=np.float64)

    def _of(self, node: Node, tables: Mapping[str, Table]) -> Floats:
        def leaf(each: Node) -> Floats:
            if isinstance(each, Variable):
                return self.columns[each.index].of(tables)
            if isinstance(each, Reduce):
                return np.asarray(self._reduced(each, tables))
            raise TypeError(f"{each} is no part of a response")

        with np.errstate(all="ignore"):
            try:
                return value_of(node, leaf)
            except ValueError as error:
                if isinstance(error, NoResponseError):
                    raise
                raise NoResponseError("its columns have different numbers of rows") from None

    def _reduced(self, node: Reduce, tables: Mapping[str, Table]) -> float:
        arguments = [self._of(each, tables) for each in node.arguments]
        column = np.asarray(arguments[0], dtype=np.float64)
        if node.function in TWO_COLUMNS:
            if len(column) != len(arguments[1]):
                raise NoResponseError("its columns have different numbers of rows")
            found = TWO_COLUMNS[node.function](column, arguments[1], float(arguments[2]))
        elif node.function in OF_ONE_ROW:
            found = ONE_COLUMN[node.function](column, None)
        else:
            rows = self._counted(node, column, tables)
            times = self._times(node, tables)
            found = ONE_COLUMN[node.function](column[rows], None if times is None else times[rows])
        if not np.isfinite(found):
            raise NoResponseError(self._unknown(node, tables))
        return found

    def _counted(self, node: Reduce, column: Floats, tables: Mapping[str, Table]) -> Flags:
        """(n,) rows of a column that count: as in a spreadsheet those that are not blank, but no fewer than as it is.

        Else a variant could look good because some of its rows are missing.
        """
        is_known = np.isfinite(column)
        if is_known.all():
            return is_known
        is_blank = self._blank(node, tables)
        if (~is_known & ~is_blank).any():
            raise NoResponseError(_undefined(node))
        if is_blank.all() or int(is_blank.sum()) > self.blanks.get(node, 0):
            raise NoResponseError(self._unknown(node, tables))
        return is_known

    def count_blank(self, node: Reduce, tables: Mapping[str, Table]) -> int:
        """How many rows of what a function reads are blank."""
        lengths = {len(tables[self.columns[at].sheet].rows) for at in _variables_of(node)}
        return int(self._blank(node, tables).sum()) if len(lengths) == 1 else 0

    def _blank(self, node: Reduce, tables: Mapping[str, Table]) -> Flags:
        """(n,) rows in which a column that a function reads is blank."""
        columns = [self.columns[at].of(tables) for at in _variables_of(node)]
        return np.asarray(~np.isfinite(columns).all(axis=0))

    def _unknown(self, node: Reduce, tables: Mapping[str, Table]) -> str:
        """Why a column that is reduced has rows without a number."""
        for at in _variables_of(node):
            column, table = self.columns[at], tables[self.columns[at].sheet]
            rows = np.flatnonzero(~np.isfinite(column.of(tables)))
            if len(rows) == len(table.rows):
                return f"{column.name} on {column.sheet} is blank in every row"
            if len(rows):
                more = self.blanks.get(node, 0)
                where = f"is blank where {table.columns[0]} is {table.rows[rows[0]]:g}"
                return f"{column.name} on {column.sheet} {where}" + (
                    f", in {len(rows)} rows, in the baseline in {more}" if more and len(rows) > more else ""
                )
        return _undefined(node)

    def _times(self, node: Reduce, tables: Mapping[str, Table]) -> Floats | None:
        """The times of the rows of a reduction's column; None where rows are no times."""
        at = next(iter(_variables_of(node)), None)
        table = None if at is None else tables[self.columns[at].sheet]
        return table.rows if table is not None and table.columns[0] == TIME else None


def _variables_of(node: Node) -> list[int]:
    if isinstance(node, Variable):
        return [node.index]
    return (
        [] if isinstance(node, Number) else [i for each in getattr(node, "arguments", ()) for i in _variables_of(each)]
    )


def _undefined(node: Reduce) -> str:
    return f"a division, root or logarithm in {node.function} is undefined in some row"


def _reductions_in(node: Node) -> list[Reduce]:
    inner = [found for each in getattr(node, "arguments", ()) for found in _reductions_in(each)]
    return [node, *inner] if isinstance(node, Reduce) else inner


class KnownColumns:
    """The columns of a case by their folded names. found: the first of each name; others of it stand on other sheets."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self.tables = tables
        self._all: dict[str, list[ResultColumnAt]] = {}
        for sheet, table in tables.items():
            for name, unit in zip(table.columns, table.units, strict=True):
                self._all.setdefault(fold(name), []).append(ResultColumnAt(sheet, name, _without_sign(unit)))
        self.found = {name: columns[0] for name, columns in self._all.items()}

    def together(self, names: Iterable[str]) -> tuple[ResultColumnAt, ...]:
        """The columns of names. One that several sheets have, such as time, is that of a sheet where another one stands."""
        folded = [fold(name) for name in names]
        sheets = [self.found[name].sheet for name in folded if len(self._all[name]) == 1]
        return tuple(self.beside(name, sheets) for name in folded)

    def beside(self, name: str, sheets: Iterable[str]) -> ResultColumnAt:
        """The column of a name on the first of some sheets that has it, else the first one of all sheets."""
        by_sheet = {column.sheet: column for column in reversed(self._all[fold(name)])}
        return next((by_sheet[sheet] for sheet in sheets if sheet in by_sheet), self.found[fold(name)])

    def __call__(self, name: str) -> bool:
        """Whether there is a column of a name."""
        return fold(name) in self.found

    def has_one_row(self, name: str) -> bool:
        """Whether a column is one number, as those of a pose, a load case or a state of rest are."""
        return len(self.tables[self.found[fold(name)].sheet].rows) == 1

    def names(self) -> Sequence[str]:
        """All names, as responses write them."""
        return [column_name(each.name) for each in self.found.values()]

    def first_of(self, sheet: str) -> ResultColumnAt:
        """The first column of a sheet, which says what its rows are."""
        table = self.tables[sheet]
        return ResultColumnAt(sheet, table.columns[0], _without_sign(table.units[0]))


def _without_sign(unit: str) -> str:
    """The unit alone of one that also says what is positive: ``deg, flexion +``."""
    return unit.partition(",")[0] if unit.endswith(" +") else unit


def column_name(name: str) -> str:
    """The name of a result column as an expression has it, in quotes where it needs them."""
    is_plain = all(part.isidentifier() for part in name.split(".")) and fold(name) not in RESERVED_WORDS
    return name if is_plain else "'" + name.replace("'", "''") + "'"


def column_response(
    response: StudyResponse, case: str, tables: Mapping[str, Table], curve: Curve | None
) -> ColumnResponse:
    """A response made ready. tables: of its case, with all columns. Raises WorkbookError where it means nothing there."""
    known = KnownColumns(tables)
    try:
        expression = parse_response(response.of, known, is_series=curve is not None, has_one_row=known.has_one_row)
    except ExpressionError as error:
        raise WorkbookError(_refused(response, error, known, case)) from None
    if not expression.variables:
        rule, mend = "it reads no result column, so it is the same in every variant", NO_COLUMN
        raise response.refusal("wrong-response", f"of: {response.of}", rule, mend)
    columns = known.together(expression.variables)
    time = next((column.unit for column in columns if tables[column.sheet].columns[0] == TIME), "")
    unit = unit_of_response(expression.tree, [column.unit for column in columns], "s" if time else "")
    try:
        factor = factor_to(response.unit, unit)
    except NoUnitError as error:
        found = f"unit: {response.unit}"
        raise response.refusal("wrong-unit", found, str(error), "correct the unit") from None
    x = _along(response, columns, known)
    followed = None
    if curve is not None and x is not None:
        followed = FollowedCurve.of(curve, _size(x.unit), _size(unit))
    shown = response.unit or ("" if unit == "1" else unit)
    made = ColumnResponse(response, case, expression, columns, x, shown, factor, followed)
    return replace(made, blanks={node: made.count_blank(node, tables) for node in _reductions_in(expression.tree)})


def _along(response: StudyResponse, columns: Sequence[ResultColumnAt], known: KnownColumns) -> ResultColumnAt | None:
    """The column along which a response is drawn and its curve given. Raises WorkbookError where there is none such."""
    if response.x:
        name = response.x.strip("'")
        if not known(name):
            mend = did_you_mean(name, [each.name for each in known.found.values()], LOOK_UP)
            raise response.refusal("unknown-column", f"x: {response.x}", "there is no such result column", mend)
        return known.beside(name, [column.sheet for column in columns])
    if not columns or len(known.tables[columns[0].sheet].rows) < 2:
        return None
    return known.first_of(columns[0].sheet)


def _size(unit: str) -> float:
    return parse_unit(unit).size if unit and unit != "1" else 1.0


def _refused(response: StudyResponse, error: ExpressionError, known: KnownColumns, case: str) -> Problem:
    """What is wrong with an expression, with the nearest column where one is unknown."""
    if CELL.search(response.of):
        rule = "an expression reads result columns, and a cell must be named alone"
        mend = "write the formula into a cell of your own, and name that cell"
        return Problem("wrong-response", "error", response.place, f"of: {response.of}", rule, mend)
    name = error.found.partition("'")[2].rpartition("'")[0].strip("'")
    mend = error.mend
    if error.problem.startswith("there is no such result column"):
        unquoted = next((each for each in known.names() if each[0] == "'" and _holds(response.of, each)), "")
        mend = f"put the name in quotes: {unquoted}" if unquoted else did_you_mean(name, known.names(), error.mend)
    where = f" in the case {case}" if case and "no such result column" in error.problem else ""
    return Problem("wrong-response", "error", response.place, error.found, f"{error.problem}{where}", mend)


def _holds(text: str, quoted: str) -> bool:
    """Whether a text has a name without its quotes."""
    return quoted.strip("'").replace("''", "'").casefold() in text.casefold()


def curve_unit_problems(made: ColumnResponse, given: GivenCurve) -> Iterator[Problem]:
    """Errors of units that measure something else, warnings where numbers without a unit count as SI and columns do not."""
    name = given.curve.name
    axes = [("y", given.y_units, made.columns[0])]
    if made.x is not None:
        axes.insert(0, ("x", given.x_units, made.x))
    for axis, units, column in axes:
        if column.unit in ("", ONE):
            continue
        shown = parse_unit(column.unit)
        wrong = next(((place, unit) for place, unit in units if not measure_the_same(unit, shown)), None)
        if wrong is not None:
            place, unit = wrong
            rule = f"it is compared with {column.name} on {column.sheet}, which is in {column.unit}"
            mend = f"correct the unit, or name another column in {made.response.place} or x of its row"
            yield Problem("wrong-dimension", "error", str(place), f"{name}.{axis}: the unit {unit.text}", rule, mend)
        elif not units and shown.size != 1.0:
            rule = f"numbers without a unit are in SI, and {column.name}, with which they are compared, is in {column.unit}"
            mend = f"head the column {name}.{axis} [{column.unit}], if that is meant"
            yield Problem("curve-in-si", "warning", str(given.first), f"{name}.{axis} without a unit", rule, mend)
