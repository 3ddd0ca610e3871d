"""Friction of joints, from their row on the sheet Joints."""

from __future__ import annotations

from sheetmbs.elements.recipe import JointType
from sheetmbs.elements.sliding_pairs import FRICTION
from sheetmbs.model.model import Friction
from sheetmbs.workbook.reading.record import Record

COLUMNS = ("friction", "friction_radius", "friction_velocity")
TYPES = ", ".join(FRICTION)


def read_friction(record: Record, joint_type: JointType) -> Friction | None:
    """Friction of a joint; None where it has none, or where what is said of it is wrong, which is reported."""
    kind = FRICTION.get(joint_type.name)
    coefficient = record.number("friction")
    if not coefficient:
        return None  # columns that belong to it and are filled in are found unused
    radius, velocity = record.number("friction_radius"), record.number("friction_velocity")
    if kind is None:
        problem = f"a joint of type {joint_type.name} has no friction, only {TYPES} have"
        record.refuse("no-friction", "friction", problem, "clear the cell, or model the resistance by a damper")
        return None
    if coefficient < 0.0:
        problem = "a coefficient of friction must not be negative"
        record.refuse("negative-friction", "friction", problem, "correct it; most are between 0.001 and 1")
    if radius is None and kind.needs_radius:
        problem = f"friction of a {joint_type.name} joint acts at {kind.friction_radius}"
        record.missing("friction_radius", problem, "fill it in")
    for name, value in (("friction_radius", radius), ("friction_velocity", velocity)):
        if value is not None and value <= 0.0:
            record.refuse("not-positive", name, f"{name} must be greater than 0", "correct it, or clear it")
    return Friction(coefficient, radius, velocity)
