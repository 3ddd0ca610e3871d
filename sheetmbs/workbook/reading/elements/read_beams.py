"""Flexible beams from their sheet."""

from __future__ import annotations

from dataclasses import replace
from math import isnan

import numpy as np

from sheetmbs.elements.rotation import euler_of_angles
from sheetmbs.model.model import Beam
from sheetmbs.schema import input_columns
from sheetmbs.schema.problem_list import Place, quoted
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.input_table import Record, named_records
from sheetmbs.workbook.reading.mass_properties import MassTexts
from sheetmbs.workbook.reading.parse_cache import KnownParts
from sheetmbs.workbook.reading.placing import Pose, components, planar_pose

POSITIVE_COLUMNS = ("length", "EI", "mass_per_length", "EA")
MAX_MODES = 10
STANDARD_MODES = 2


def read_beams(context: Context, poses: KnownParts[Pose], texts: MassTexts) -> tuple[Beam, ...]:
    """Beams, which count as bodies; their poses are entered in ``poses``."""
    table = context.table(input_columns.BEAMS)
    beams = []
    for record, name in named_records(table, context.bodies):
        beam, pose = context.parts.of_record(record, _beam, name)
        text = texts.of(name)
        if text:
            problem, mend = "the mass of a beam is its mass_per_length times its length", "delete this text"
            context.report.error("text-of-beam", text.place, quoted(text.name), problem, mend)
        if name:
            beams.append(beam)
            poses[name] = pose
    if beams and context.settings.dimension != "2D":
        mend = "set dimension to 2D, or build the beam from bodies and bushings"
        context.report.error(
            "planar-only", Place(input_columns.BEAMS.name), "a beam", "beams are for planar models", mend
        )
    return tuple(beams)


def _beam(record: Record, name: str) -> tuple[Beam, Pose]:
    values = {column: _positive(record, column) for column in POSITIVE_COLUMNS}
    ends = record.choice("ends")
    phi = record.number_or("phi", 0.0)
    length, mass_per_length = values["length"] or 1.0, values["mass_per_length"] or 1.0
    beam = Beam(
        name,
        record.cell_text("name"),
        mass_per_length * length,
        position=components(record, ("x", "y")),
        angles=np.array([0.0, 0.0, phi]),
        euler=euler_of_angles(phi, 0.0, 0.0),
        velocity=components(record, ("vx", "vy")),
        angular_velocity=np.array([0.0, 0.0, record.number_or("omega", 0.0)]),
        length=length,
        mass_per_length=mass_per_length,
        bending_stiffness=values["EI"] or 1.0,
        axial_stiffness=values["EA"],
        modes=_modes(record),
        ends=ends,
        damping=_ratio(record),
    )
    record.finish()
    pose = planar_pose(float(beam.position[0]), float(beam.position[1]), float(beam.angles[2]))
    return beam, replace(pose, centre=np.array([0.5 * beam.length, 0.0, 0.0]))


def _positive(record: Record, column: str) -> float | None:
    value = record.number(column)
    if value is not None and not isnan(value) and value <= 0.0:
        record.refuse("not-positive", column, f"{column} must be greater than 0", "correct the value")
        return None
    return None if value is None or isnan(value) else value


def _modes(record: Record) -> int:
    value = record.number_or("modes", float(STANDARD_MODES))
    if not (value.is_integer() and 1 <= value <= MAX_MODES):
        if not isnan(value):
            problem = f"modes is a whole number from 1 to {MAX_MODES}"
            record.refuse("out-of-range", "modes", problem, "two or three are enough for most mechanisms")
        return STANDARD_MODES
    return int(value)


def _ratio(record: Record) -> float:
    value = record.number_or("damping", 0.0)
    if value < 0.0:
        record.refuse("negative", "damping", "damping must not be negative", "correct the value")
        return 0.0
    return value
