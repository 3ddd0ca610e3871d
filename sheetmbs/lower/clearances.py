"""Joints with clearance as arrays."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from sheetmbs.engine.arrays import CLEARANCE, Records
from sheetmbs.lower.bodies import Frames
from sheetmbs.model import Clearance, Model, Settings


def lower_clearances(model: Model, frames: Frames) -> Records:
    """CLEARANCE records in the order of the workbook."""
    records = [_clearance(each, model.settings, frames) for each in model.clearances]
    return np.array(records, dtype=CLEARANCE).view(np.recarray)


def contact_stiffness(clearance: Clearance) -> float:
    """K of F = K d^1.5 for a cylinder in a hollow one, N/m^1.5, from Hertz's formula for spheres (Goldsmith 1960)."""
    yielding = sum((1.0 - nu**2) / (pi * e) for e, nu in zip(clearance.young, clearance.poisson, strict=True))
    radii = clearance.radius_i * clearance.radius_j / (clearance.radius_i - clearance.radius_j)
    return 4.0 / (3.0 * pi * yielding) * sqrt(radii)


def damping_factor(clearance: Clearance) -> float:
    """Chi of F = K d^1.5 (1 + chi d-dot/v0). The dry contact below an oil film is that of Lankarani and Nikravesh (1990)."""
    e = clearance.restitution
    if clearance.law == "hertz":
        return 0.0
    return 1.5 * (1.0 - e) if clearance.law == "hunt-crossley" else 0.75 * (1.0 - e**2)


def _clearance(given: Clearance, settings: Settings, frames: Frames) -> tuple[float, ...]:
    gap = given.radius_i - given.radius_j
    is_oiled = given.law == "pinkus-sternlicht"
    flow = given.viscosity * given.length * given.radius_j**3 if is_oiled else 0.0
    return (
        frames.of(given.i),
        frames.of(given.j),
        frames.names[given.i.body],
        frames.names[given.j.body],
        given.radius_i,
        gap,
        contact_stiffness(given),
        damping_factor(given),
        given.friction,
        settings.slip,
        settings.full_slip,
        settings.least_impact,
        flow / gap**2,
        2.0 * pi * flow / gap,
        settings.least_film,
        *given.i.axes.T.reshape(-1),
    )
