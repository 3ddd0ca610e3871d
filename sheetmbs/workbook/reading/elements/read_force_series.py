"""Measured loads and where they act: the sheet ForceSeries."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from sheetmbs.model.model import ForceSeries
from sheetmbs.schema import input_columns
from sheetmbs.schema.column import Column
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import quoted
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.elements.read_loads import COMPONENTS
from sheetmbs.workbook.reading.elements.read_series import SeriesSamples, read_samples
from sheetmbs.workbook.reading.elements.series_headers import quantity_advice
from sheetmbs.workbook.reading.fields import Header
from sheetmbs.workbook.reading.samples.application import without_holes
from sheetmbs.workbook.reading.samples.sample_warnings import SampleColumn, doubt_force

IN_GLOBAL, IN_BODY = ("px", "py", "pz"), ("xi", "eta", "zeta")


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
            doubt_force(columns[name], context.report)
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
        mend = "use Forces with a point and an expression, or take these columns away"
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
