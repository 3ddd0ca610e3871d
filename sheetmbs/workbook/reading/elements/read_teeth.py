"""Angles of the teeth of gears and racks, from their row on the sheet Joints."""

from __future__ import annotations

from math import degrees, pi

from sheetmbs.workbook.reading.record import Record

RIGHT_ANGLE = 0.5 * pi
STEEPEST = RIGHT_ANGLE - 1e-6
"""rad: steeper teeth than any, whose tangent is still a number"""


def read_teeth(record: Record) -> dict[str, float]:
    """The angles that are given, rad; one that no tooth has is reported."""
    values = {}
    for name, lowest in (("pressure_angle", 0.0), ("helix_angle", -STEEPEST)):
        if name not in record.table.fields or record.table.dimension not in record.table.fields[name].column.models:
            continue
        angle = record.number(name)
        if angle is None:
            continue
        values[name] = angle
        if not lowest <= angle <= STEEPEST:
            span = "from 0 to less than 90 deg" if lowest == 0.0 else "more than -90 deg and less than 90 deg"
            is_in_degrees = abs(angle) < degrees(RIGHT_ANGLE) and abs(angle) > RIGHT_ANGLE
            mend = f"write {angle:g} deg if degrees are meant" if is_in_degrees else "correct it, or clear it"
            record.refuse("wrong-angle", name, f"{name} of a tooth must be {span}", mend)
    return values
