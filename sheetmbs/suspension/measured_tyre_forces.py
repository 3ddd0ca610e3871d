"""Measured forces of tyres beside those of the tyres of the first design, reading by reading."""

from __future__ import annotations

import numpy as np

from sheetmbs.measured.measurement import Measurement
from sheetmbs.measured.residuals import Residuals, residuals
from sheetmbs.measured.tyre_measurements import FORCES, TyreMeasurement, read_tyre_measurements
from sheetmbs.schema.problem_list import place_of
from sheetmbs.suspension.layout.car_tyres import CarTyres
from sheetmbs.tyres.coefficient_model import states_of
from sheetmbs.tyres.measured_tyre import MeasuredTyre
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.sheets.sheet_contents import TYRE_POINTS

READING = "reading"
"""x of such measurements: the number of the reading, for a tyre has several inputs"""


def measured_tyres(tyres: CarTyres) -> tuple[MeasuredTyre, ...]:
    """The tyres of a car as measurements take them."""
    return tuple(MeasuredTyre(each.tyre, each.points, each.given, str(each.place)) for each in tyres.fitted)


def compared_tyres(
    book: Book, tyres: CarTyres, *, is_part: bool = False, is_alone: bool = False
) -> tuple[Residuals, ...]:
    """Measurements of tyres beside what the tyres do. is_part: those of other tyres are left out.

    is_alone: the workbook has nothing else that could be measured.
    Readings beyond the ranges of a tyre are outside: they are counted, and not compared. Raises WorkbookError with all that
    is wrong with them.
    """
    read = read_tyre_measurements(book, measured_tyres(tyres), is_part=is_part, is_alone=is_alone)
    return tuple(map(_compared, read))


def is_of_a_tyre(measurement: Measurement) -> bool:
    """Whether a measurement is one of the forces of a tyre, which belong to no sweep."""
    return measurement.sheet == TYRE_POINTS


def _compared(own: TyreMeasurement) -> Residuals:
    response = own.tyre.tyre.evaluate(states_of(own.tyre))
    computed = response.forces[:, FORCES.index(own.force)]
    places = [place_of(own.tyre.points[point].places[own.force]) for point in own.points]
    numbers = np.arange(1.0, len(own.points) + 1.0)
    measurement = Measurement(
        *(own.name, own.of, own.unit, "", TYRE_POINTS, READING, "1", TYRE_POINTS, numbers, own.y, own.sd, own.offset),
        *(places[0].sheet, places[0].column, np.array([place.row for place in places]), place_of(own.place)),
    )
    return residuals(measurement, np.where(response.outside, np.nan, computed)[own.points])
