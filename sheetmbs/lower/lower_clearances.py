"""Joints with clearance as arrays."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from sheetmbs.elements.clearance_laws import LAWS
from sheetmbs.engine.record_arrays import as_records
from sheetmbs.engine.records import CLEARANCE, Records
from sheetmbs.lower.lower_bodies import Frames
from sheetmbs.model.model import Clearance, Model, Settings


def lower_clearances(model: Model, frames: Frames) -> Records:
    """CLEARANCE records in the order of the workbook."""
    records = [_clearance(each, model.settings, frames) for each in model.clearances]
    return as_records(np.array(records, dtype=CLEARANCE))


def contact_stiffness(clearance: Clearance) -> float:
    """K of F = K d^1.5 for a cylinder in a hollow one, N/m^1.5, from Hertz's formula for spheres (Goldsmith 1960)."""
    yielding = sum((1.0 - nu**2) / (pi * e) for e, nu in zip(clearance.young, clearance.poisson, strict=True))
    radii = clearance.radius_i * clearance.radius_j / (clearance.radius_i - clearance.radius_j)
    return 4.0 / (3.0 * pi * yielding) * sqrt(radii)


def _clearance(given: Clearance, settings: Settings, frames: Frames) -> tuple[float, ...]:
    gap = given.radius_i - given.radius_j
    flow = given.viscosity * given.length * given.radius_j**3 if LAWS[given.law].is_oiled else 0.0
    return (
        frames.of(given.i),
        frames.of(given.j),
        frames.body_of(given.i),
        frames.body_of(given.j),
        given.radius_i,
        gap,
        contact_stiffness(given),
        LAWS[given.law].chi(given.restitution),
        given.friction,
        settings.slip,
        settings.full_slip,
        settings.least_impact,
        flow / gap**2,
        2.0 * pi * flow / gap,
        settings.least_film,
        *given.i.axes.T.reshape(-1),
    )
