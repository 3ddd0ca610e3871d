"""Doubts about measured samples, each told at its cell: times that were rounded, angles that wrap, samples lost or far off.

Only rounded times are corrected, and a note says so: nothing else could have been meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.elements.marker import Vector
from sheetmbs.problems.errors import Problem
from sheetmbs.schema import units as u
from sheetmbs.schema.cell import column_letters
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.schema.uniform_times import uniform_times
from sheetmbs.workbook.reading.fields import Field
from sheetmbs.workbook.reading.samples.faults import lost, spikes, wraps

MAX_LOST_FORCE_SAMPLES = 2
"""samples: a force may well be 0 for longer between two contacts"""


@dataclass(frozen=True)
class SampleColumn:
    """A column of samples. values: (n,) in SI. rows: (n,) of the sheet."""

    field: Field
    values: Vector
    rows: Sequence[int]

    def place(self, index: int) -> Place:
        """The cell of a sample."""
        header = self.field.header.place
        return Place(header.sheet, self.rows[index], header.column)

    def shown(self, index: int) -> str:
        """A sample in the unit of its column."""
        return in_unit(float(self.values[index]), self.field)


def in_unit(value: float, field: Field) -> str:
    """A number in SI as text in the unit of its column."""
    return f"{value / field.unit.size:.6g} {field.unit.text}" if field.unit else f"{value:.6g}"


def uniform_if_rounded(times: Vector, field: Field, report: ProblemList) -> Vector:
    """The times (n,), or the uniform ones that they are but for rounding, with a note that says so."""
    size = field.unit.size if field.unit else 1.0
    uniform = uniform_times(times / size) if np.isfinite(times).all() else None
    if uniform is None:
        return times
    even, digit = uniform
    name = field.unit.text if field.unit else "s"
    step = (even[-1] - even[0]) / (len(even) - 1)
    place = field.header.place
    report.add(
        place,
        Problem(
            "rounded-times",
            "note",
            str(place),
            f"{len(times):,} times that are uniform apart from rounding (to {digit:.3g} {name})",
            f"uniform times are used, {step:.10g} {name} apart ({1.0 / (step * size):.6g} a second) from the first to the "
            "last, because rounded ones would disturb all accelerations",
            "to decide it yourself, give times with all their digits, for instance by a formula",
        ),
    )
    exact = even * size
    exact[0], exact[-1] = times[0], times[-1]  # which must cover the analysis as they did
    return exact


def warn_of_motion_samples(column: SampleColumn, dimension: u.Dimension, report: ProblemList) -> None:
    """Warn of samples of a prescribed coordinate that were lost, that wrap and that are far off, each sample once."""
    if not np.isfinite(column.values).all():
        return
    gone = [sample for each in lost(column.values) for sample in range(each.first, each.last + 1)]
    _warn_of_lost(column, report, longest=None)
    wrapped = wraps(column.values) if dimension is u.ANGLE and not gone else []
    for each in wrapped:
        degrees = round(float(np.degrees(abs(each.turn))))
        period = (
            f"{degrees} deg" if column.field.unit and column.field.unit.text == "deg" else f"{abs(each.turn):.10g} rad"
        )
        sign = "add" if each.turn > 0 else "subtract"
        report.warning(
            "angle-wraps",
            column.place(each.index),
            f"{column.field.header.name} jumps from {column.shown(each.index - 1)} to {column.shown(each.index)}",
            f"it looks like an angle that starts again after {degrees} deg; a guided angle must continue, or the spline turns "
            "the body back within one step",
            f"{sign} {period} from this row on (and so again at every such row)",
        )
    known = {*gone, *(sample for each in wrapped for sample in range(each.index - 3, each.index + 3))}
    for index in spikes(column.values):
        if index not in known:
            report.warning(
                "sample-far-off",
                column.place(index),
                f"{column.field.header.name} is {column.shown(index)} between {column.shown(index - 1)} and "
                f"{column.shown(index + 1)}",
                "one sample is far off the curve through all others near it; the spline runs through it, and accelerations "
                "and forces near it are those of an impact",
                "correct it, or delete its row: times need not be evenly spaced",
            )


def warn_of_force_samples(column: SampleColumn, report: ProblemList) -> None:
    """Warn of a sample or two of a force that were lost."""
    if np.isfinite(column.values).all():
        _warn_of_lost(column, report, longest=MAX_LOST_FORCE_SAMPLES)


def _warn_of_lost(column: SampleColumn, report: ProblemList, *, longest: int | None) -> None:
    for each in lost(column.values, longest=longest):
        sides = [column.shown(k) for k in (each.first - 1, each.last + 1) if 0 <= k < len(column.values)]
        where = f"{'between' if len(sides) > 1 else 'beside'} {' and '.join(sides)}"
        letters = column_letters(column.field.header.place.column)
        until = f" down to {letters}{column.rows[each.last]}" if each.last > each.first else ""
        report.warning(
            "sample-lost",
            column.place(each.first),
            f"{column.field.header.name} is 0{until} {where}",
            "many programs write 0 for a sample that they lost; the spline runs through it, and accelerations and forces "
            "near it are those of an impact",
            "fill in what it should be, or delete the row: times need not be evenly spaced",
        )
