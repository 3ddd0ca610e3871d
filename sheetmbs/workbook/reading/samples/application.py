"""Points of application of measured forces: blank while there is no force, and never far from the mechanism."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.workbook.reading.samples.sample_warnings import SampleColumn

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]

FORCES = ("fx", "fy", "fz")
POINT = ("px", "py", "pz", "xi", "eta", "zeta")


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
