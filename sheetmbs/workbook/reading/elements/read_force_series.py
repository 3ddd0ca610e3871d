"""Measured loads and where they act: the sheet ForceSeries."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.marker import Vector
from sheetmbs.model.model import ForceSeries
from sheetmbs.problems.errors import Problem
from sheetmbs.schema import input_columns
from sheetmbs.schema.column import Column
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.elements.read_loads import COMPONENTS
from sheetmbs.workbook.reading.elements.read_series import SeriesSamples, quantity_advice, read_samples
from sheetmbs.workbook.reading.fields import Header
from sheetmbs.workbook.reading.samples.sample_warnings import SampleColumn, warn_of_force_samples

IN_GLOBAL, IN_BODY = ("px", "py", "pz"), ("xi", "eta", "zeta")
Mask = NDArray[np.bool_]
FORCES = ("fx", "fy", "fz")
POINT = ("px", "py", "pz", "xi", "eta", "zeta")


def read_force_series(context: Context, beams: Collection[str]) -> tuple[ForceSeries, ...]:
    """Measured loads, one per body that has columns on ForceSeries. beams: names of those bodies that bend."""
    known = tuple(
        column.name
        for column in input_columns.FORCE_SERIES.columns[1:]
        if column.is_numeric and context.settings.dimension in column.models
    )

    unread: set[str | None] = set()

    def resolve(header: Header, element: str, quantity: str) -> tuple[str, str, Column] | None:
        body = context.bodies.resolve(element, header.place)
        column = input_columns.FORCE_SERIES.by_fold.get(fold(quantity))
        if column is None or column.name not in known:
            found = f"the header {quoted(header.text)}"
            problem = f"a body has {', '.join(known)} here"
            mend = quantity_advice(element, quantity, input_columns.FORCES, known, context, "use one of these")
            context.report.error("wrong-coordinate", header.place, found, problem, mend)
            unread.add(body)
            return None
        return ("body", body, column) if body else None

    samples = read_samples(input_columns.FORCE_SERIES, context, resolve, holes=(*IN_GLOBAL, *IN_BODY))
    if samples is None:
        return ()
    bodies = dict.fromkeys(channel.element for channel in samples.channels)
    return tuple(_force_series(body, samples, context, beams) for body in bodies if body not in unread)


def _force_series(body: str, samples: SeriesSamples, context: Context, beams: Collection[str]) -> ForceSeries:
    columns = {
        channel.quantity: SampleColumn(channel.field, array, samples.rows)
        for channel, array in zip(samples.channels, samples.values, strict=True)
        if channel.element == body
    }
    for name in ("fx", "fy", "fz"):
        if name in columns:
            warn_of_force_samples(columns[name], context.report)
    values, unknown = without_holes(columns, samples.times, context.report)
    places = {name: column.field.header.place for name, column in columns.items()}
    first = next(iter(places.values()))
    in_global, in_body = set(IN_GLOBAL) & values.keys(), set(IN_BODY) & values.keys()
    if in_global and in_body:
        wrong = places[min(in_body)]
        problem = "the point of application is given twice, in global and in body coordinates"
        context.report.error("two-ways-application", wrong, f"columns of {body}", problem, "keep one of them")
    if (in_global or in_body) and body in beams:
        wrong = places[min(in_global | in_body)]
        problem = "on a beam a load of ForceSeries acts in the middle; its point cannot move along a beam"
        mend = "use Forces with a point and an expression, or delete these columns"
        context.report.error("moving-load-on-beam", wrong, f"columns of {body}", problem, mend)
    loads = COMPONENTS[context.settings.dimension]
    if not values.keys() & set(loads):
        problem = f"{body} has a point of application but no force"
        names = [f"{body}.{component}" for component in loads]
        mend = f"add {', '.join(names[:-1])} or {names[-1]}"
        context.report.error("no-force", first, f"columns of {body}", problem, mend)
    zero = np.zeros(len(samples.times))
    place = IN_GLOBAL if in_global else IN_BODY
    turning = ("mx", "my", "mz") if context.settings.dimension == "3D" else ("", "", "moment")
    return ForceSeries(
        body,
        samples.times,
        force=np.column_stack([values.get(name, zero) for name in ("fx", "fy", "fz")]),
        moment=np.column_stack([values.get(name, zero) for name in turning]),
        point=np.column_stack([values.get(name, zero) for name in place]),
        point_frame="global" if in_global else "body" if in_body else "centre",
        cell=str(first),
        rows=samples.rows,
        unknown=unknown,
    )


def without_holes(
    columns: Mapping[str, SampleColumn], times: Vector, report: ProblemList
) -> tuple[dict[str, Vector], Mask]:
    """The samples (n,) of one body's columns by quantity, and (n,) where its point is not known, but between those beside it.

    A point has no meaning without a force, and force plates give nothing or 0 there. Read as it stands, a 0 would bend the
    spline of the point while the force acts; so it is passed over, with a note. A blank point of a force is reported.
    """
    values = {name: column.values for name, column in columns.items()}
    acts: Mask = np.zeros(len(times), np.bool_)
    unknown = acts.copy()
    for name in FORCES:
        if name in columns:
            acts |= values[name] != 0.0  # and where it is not known
    for name in POINT:
        if name not in columns:
            continue
        is_blank = np.isnan(values[name])
        _report_holes(columns[name], is_blank & acts, report)
        passed = ~acts & (is_blank | _is_idle_zero(values[name], acts))
        if np.any(passed & ~is_blank):
            _tell_of_zeros(columns[name], passed & ~is_blank, report)
        unknown |= passed
        known = ~passed & ~is_blank
        if known.any():
            values[name] = np.where(passed, np.interp(times, times[known], values[name][known]), values[name])
        else:
            values[name] = np.where(passed, 0.0, values[name])
    return values, unknown


def _is_idle_zero(values: Vector, acts: Mask) -> Mask:
    """Samples of a point that are 0 where no force acts, although it is elsewhere wherever one does."""
    loaded = values[acts & np.isfinite(values)]
    if not len(loaded) or np.any(loaded == 0.0):
        return np.zeros(len(values), np.bool_)
    idle: Mask = (values == 0.0) & ~acts
    return idle


def _report_holes(column: SampleColumn, holes: Mask, report: ProblemList) -> None:
    """One problem for all blank cells of a column beside which a force acts."""
    found = np.flatnonzero(holes)
    if len(found):
        place = column.place(int(found[0]))
        report.error(
            "missing-value",
            place,
            f"{column.field.header.name} is blank in {_cells(column, found)}",
            "a force acts there, and a force acts at a point",
            "fill it in; it may be blank only where all components of the force are 0",
        )


def _tell_of_zeros(column: SampleColumn, zeros: Mask, report: ProblemList) -> None:
    found = np.flatnonzero(zeros)
    place: Place = column.place(int(found[0]))
    report.add(
        place,
        Problem(
            "point-without-force",
            "note",
            str(place),
            f"{column.field.header.name} is 0 in {_cells(column, found)}, where no force acts",
            "a point without a force means nothing, and a jump to 0 would bend the curve through the others: these cells are "
            "read as blank",
            "",
        ),
    )


def _cells(column: SampleColumn, found: NDArray[np.intp]) -> str:
    """``C3:C77``, or ``120 cells from C3 to C177`` where they are not one range."""
    first, last = column.place(int(found[0])), column.place(int(found[-1]))
    letters = str(first).rpartition("!")[2].rstrip("0123456789")
    if len(found) == 1:
        return f"{letters}{first.row}"
    if len(found) == found[-1] - found[0] + 1:
        return f"{letters}{first.row}:{letters}{last.row}"
    return f"{len(found):,} cells from {letters}{first.row} to {letters}{last.row}"
