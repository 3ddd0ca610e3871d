"""Euler parameters on the sheet Guiding: how bodies are turned, over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sheetmbs.model.model import Driver, MeasuredTurn
from sheetmbs.schema.problem_list import Place, quoted
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.elements.read_loads import Driven, claim
from sheetmbs.workbook.reading.fields import Field

Vector = NDArray[np.float64]

EULER = ("e0", "e1", "e2", "e3")
TURNS = ("rx", "ry", "rz")
NORM_TOLERANCE = 0.01
"""by which the length of measured Euler parameters may differ from 1"""
MAX_INITIAL_ROTATION = 150.0
"""deg from the initial orientation, beyond which nobody knows which way round the body is to turn"""
MAX_ROTATION_STEP = 90.0
"""deg between two samples, likewise"""


def read_orientation(
    body: str,
    columns: dict[str, tuple[Field, Vector]],
    times: Vector,
    rows: Sequence[int],
    initial: Vector | None,
    driven: Driven,
    context: Context,
) -> Iterator[Driver]:
    """The three drivers of a body whose Euler parameters are guided.

    columns: those that are there, with values (n,). times: (n,) s. rows: of the sheet. initial: (4,) as Bodies turns it.
    """
    missing = [name for name in EULER if name not in columns]
    first = next(iter(columns.values()))[0].header.place
    report = context.report
    if missing:
        wanted = ", ".join(f"{body}.{name}" for name in missing)
        problem = "the orientation of a body is guided by all four of e0, e1, e2, e3"
        report.error("missing-column", first, f"no {wanted}", problem, "add them, or take the others away")
        return
    parameters = np.column_stack([columns[name][1] for name in EULER])
    sizes = np.linalg.norm(parameters, axis=1)
    wrong = np.flatnonzero(~(np.abs(sizes - 1.0) <= NORM_TOLERANCE))
    if len(wrong):
        place = Place(first.sheet, rows[int(wrong[0])], columns["e0"][0].header.place.column)
        found = f"Euler parameters of {quoted(body)} with the length {sizes[wrong[0]]:.6g}, in {len(wrong)} rows"
        report.error("euler-norm", place, found, "their squares add up to 1", "correct them; e0 is the scalar")
        return
    parameters = parameters / sizes[:, None]
    steps = np.sum(parameters[1:] * parameters[:-1], axis=1)
    parameters[1:] *= np.cumprod(np.where(steps < 0.0, -1.0, 1.0))[:, None]  # e and -e are the same turn
    angles = 2.0 * np.degrees(np.arccos(np.minimum(np.abs(steps), 1.0)))
    if angles.size and angles.max() > MAX_ROTATION_STEP:
        worst = int(np.flatnonzero(angles > MAX_ROTATION_STEP)[0])
        place = Place(first.sheet, rows[worst + 1], columns["e0"][0].header.place.column)
        found = f"{quoted(body)} turns by {angles[worst]:.4g} deg from row {rows[worst]} to row {rows[worst + 1]}"
        problem = f"between samples nobody knows which way beyond {MAX_ROTATION_STEP:g} deg"
        report.error("coarse-orientation", place, found, problem, "correct the row, or sample more often")
        return
    if initial is not None and not _starts_near(body, parameters, initial, times, first, context):
        return
    for axis, name in enumerate(TURNS):
        if claim(driven, ("body", body, name), first, context):
            motion = MeasuredTurn(times, parameters, axis)
            yield Driver(f"{body}.{name}", body, None, name, motion, guiding=True, cell=str(first))


def _starts_near(body: str, parameters: Vector, initial: Vector, times: Vector, place: Place, context: Context) -> bool:
    """Report a body that lies turned round in Bodies against where guiding has it at the start."""
    at_start = parameters[int(np.argmin(np.abs(times - context.settings.t_start)))]
    apart = 2.0 * float(np.degrees(np.arccos(np.minimum(abs(at_start @ initial) / np.linalg.norm(initial), 1.0))))
    if apart <= MAX_INITIAL_ROTATION:
        return True
    found = f"{quoted(body)} begins {apart:.4g} deg from how Bodies turns it"
    mend = "write the first e0, e1, e2, e3 on Bodies too"
    context.report.error("far-orientation", place, found, "both must be nearly the same at t_start", mend)
    return False
