"""Rows of type g-g: the largest and the smallest ax over ay at each speed."""

from __future__ import annotations

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.table import Table, TextColumn
from sheetmbs.suspension.handling.envelope import EnvelopeGrid, envelope_grid
from sheetmbs.suspension.handling.envelope_surface import surface_curves
from sheetmbs.suspension.handling.handling_table import HANDLING_SHEET, ChartCurve, HandlingFound, ReadOff
from sheetmbs.suspension.handling.tyred_car import HandlingCar
from sheetmbs.suspension.layout.handling_row import ENVELOPE_SPEEDS, HandlingRow

USUAL_COUNT = 25
"""values of ay from limit to limit"""


def solve_envelope(car: HandlingCar, row: HandlingRow, rack_range: tuple[float, float]) -> HandlingFound:
    """The envelopes of a row, one for each speed."""
    speed = np.array(row.speeds or ENVELOPE_SPEEDS)
    found = envelope_grid(car, speed, _asked(car, row), USUAL_COUNT, rack_range)
    gravity = car.steady.kernel.gravity
    read_offs, curves = [], []
    for number, own in enumerate(speed):
        label = float(own) if len(speed) > 1 else None
        middle = int(np.argmin(np.abs(found.ay[number])))
        for name, values, way in (("max_ax", found.most, "largest"), ("min_ax", found.least, "smallest")):
            doc = f"{way} ax in trim at ay = 0, over g"
            read_offs.append(ReadOff(name, float(values[number, middle]) / gravity, "-", doc, label))
        for sense, ending, turn in ((0, "", "left"), (1, "_right", "right")):
            value = float(abs(found.limit[number, sense])) / gravity
            doc = f"largest ay in trim in a {turn} turn, the wheels rolling free, over g"
            read_offs.append(ReadOff(f"max_trimmed_ay{ending}", value, "-", doc, label))
        over = np.concatenate((found.ay[number], found.ay[number, ::-1], found.ay[number, :1])) / gravity
        ax = np.concatenate((found.most[number], found.least[number, ::-1], found.most[number, :1])) / gravity
        curves.append(ChartCurve(f"{3.6 * own:.0f} km/h", over, ax, ""))
    known = tuple(each for each in read_offs if np.isfinite(each.value))
    table, surface = _table(row, found, gravity), surface_curves(speed, curves)
    return HandlingFound(row, table, known, curves, ("ay/g", "ax/g"), lost=found.lost, surface=surface)


def _asked(car: HandlingCar, row: HandlingRow) -> Floats | None:
    """(n,) ay in m/s^2, None where the row leaves it to the program."""
    given = row.range("ay")
    if given.first is None or given.last is None:
        return None
    step = (given.last - given.first) / (USUAL_COUNT - 1) if given.step is None else given.step
    return np.arange(given.first, given.last + 1e-9 * step, step) * car.steady.kernel.gravity


def _table(row: HandlingRow, found: EnvelopeGrid, gravity: float) -> Table:
    count = found.ay.shape[1]
    columns = (
        np.repeat(found.speed, count),
        found.ay.ravel(),
        found.ay.ravel() / gravity,
        found.most.ravel(),
        found.least.ravel(),
    )
    none = np.full(len(columns[0]), np.nan)
    values = np.stack((*columns, none, none, found.outside.ravel()), axis=1)
    texts = [[text for own in each for text in own] for each in (found.most_by, found.least_by)]
    notes = {
        3: "largest acceleration along the path in trim, by the drive",
        4: "smallest acceleration along the path in trim, by the brakes",
        5: "what limits ax_max: the wheel that can do no more, springs of a wheel that give way, power of the drive, lift of a "
        "wheel, lock of the rack",
        6: "what limits ax_min",
        7: "wheels whose tyre is outside the range of its data at either limit",
    }
    return Table(
        f"{HANDLING_SHEET}{row.name}",
        ("speed", "ay", "ay_g", "ax_max", "ax_min", "limit_max", "limit_min", "extrapolated"),
        ("m/s", "m/s^2", "-", "m/s^2", "m/s^2", "", "", "-"),
        values,
        texts={5: TextColumn(texts[0]), 6: TextColumn(texts[1])},
        decimals=4,
        notes=notes,
    )
