"""Force laws of suspension elements, and the preloads at which the car stands at design."""

from __future__ import annotations

from math import nan

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.curve_law import CurveLaw
from sheetmbs.suspension.elastic.element_kind import ElementLength
from sheetmbs.suspension.elastic.kinds import KINDS
from sheetmbs.suspension.elastic.spring_elements import HeldLaw, lengths
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData, SpringElement
from sheetmbs.suspension.layout.mass_data import GRAVITY, corner_load

LEAST_RATIO = 1e-9
"""spring travel per wheel travel below which a spring carries nothing"""


def laws(car: CarData, design: SweptAxle) -> dict[tuple[str, str], HeldLaw]:
    """The law of every element by its name and side. design: the axle at its design pose alone, or several axles at theirs.

    Springs that say nothing of their force carry what is left of the load at design, in equal shares.
    """
    axle = design.axle
    parts = [(row, part) for row in axle.springs for part in lengths(row, design)]
    forces = [_at_design(row, part, axle) for row, part in parts]
    unsprung = _unsprung_at_design(design)
    left = {side: _carried_at_design(car, axle, design.wheels[side]) - unsprung[side] for side in SIDES}
    for (_row, part), force in zip(parts, forces, strict=True):
        for number, side in enumerate(SIDES):
            if force is not None:
                left[side] = left[side] + force * part.length.first[:, number]
    unknown = [(row.name, part) for (row, part), force in zip(parts, forces, strict=True) if force is None]
    solved = _solved(unknown, np.stack([left[side] for side in SIDES], axis=-1))
    found: dict[tuple[str, str], HeldLaw] = {}
    for (row, part), force in zip(parts, forces, strict=True):
        carried = solved[row.name, part.side] if force is None else force
        own = axle.spring_row(row, part.suffix, part.side)
        law = _no_law if own is None else KINDS[row.kind].law(own, part.suffix, carried)
        drawn = KINDS[row.kind].drawn
        at = part.length.value if drawn is None else drawn(row, axle.as_drawn, part.side)
        found[row.name + part.suffix, part.side] = HeldLaw(law, np.atleast_1d(at))
    return found


def _no_law(longer: Floats) -> tuple[Floats, Floats]:
    """The law of a spring that is taken away."""
    return np.zeros_like(longer), np.zeros_like(longer)


def _solved(unknown: list[tuple[str, ElementLength]], load: Floats) -> dict[tuple[str, str], Floats]:
    """Compression forces with which springs carry loads (V, 2) on both travels, each of a wheel the same share of it."""
    found: dict[tuple[str, str], Floats] = {}
    count = np.array([max(sum(part.side == side for _name, part in unknown), 1) for side in SIDES])
    for name in dict.fromkeys(name for name, _part in unknown):
        both = [part for each, part in unknown if each == name]
        at = [SIDES.index(part.side) for part in both]
        ratios = -np.stack([part.length.first[:, at] for part in both], axis=-1)
        effective = np.isfinite(load).all(axis=1) & (np.abs(np.linalg.det(ratios)) > LEAST_RATIO ** len(both))
        forces = np.full((len(load), len(both)), nan)
        forces[effective] = np.linalg.solve(ratios[effective], (load / count)[effective][:, at, None])[..., 0]
        found |= {(name, part.side): force for part, force in zip(both, forces.T, strict=True)}
    return found


def _carried_at_design(car: CarData, axle: AxleData, wheel: Wheel) -> Floats:
    """(V,) generalised force of the contact load on the travel of a corner at design; NaN where nothing tells the load."""
    load = corner_load(car, axle)
    return np.asarray((nan if load is None else load) * wheel.contact_velocity[:, 2])


def _unsprung_at_design(design: SweptAxle) -> dict[str, Floats]:
    """(V,) what unsprung masses take of it on the travel of either wheel."""
    taken = dict.fromkeys(SIDES, np.zeros(1))
    for mass in design.axle.masses:
        wheel = design.wheels[mass.side]
        height = wheel.over_both(wheel.mass_place(mass).z)
        for number, side in enumerate(SIDES):
            taken[side] = taken[side] + mass.mass * GRAVITY * height.first[:, number]
    return taken


def _at_design(of_axle: SpringElement, part: ElementLength, axle: AxleData) -> Floats | None:
    """(V,) compression force at design, N or N m; None where that is to be found. of_axle: its row on Suspension springs."""
    row = axle.spring_row(of_axle, part.suffix, part.side)
    if row is None:
        return np.zeros_like(part.length.value)
    given, free = row.number("preload"), row.number("free_length")
    none = np.zeros_like(part.length.value)
    if given is not None:
        return given + none
    if free is not None:
        is_own = free == of_axle.number("free_length")  # a length that Springs has is that from perch to perch
        compressed = free - part.length.value + (axle.perches.get(part.side, 0.0) if is_own else 0.0)
        if "curve_k" in row.curves:
            return CurveLaw(row.curves["curve_k"])(compressed)[0]
        return np.asarray((row.number("k") or 0.0) * compressed)
    is_link = axle.has_point(f"{row.name} inner")
    return None if KINDS[row.kind].is_solved and not is_link else none
