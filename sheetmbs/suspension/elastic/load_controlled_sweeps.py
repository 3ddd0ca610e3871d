"""Sweeps in which loads are held, not travels: roll about load, and steering at equilibrium.

Of a wheel whose contact carries N along the road's normal n, with springs of tension F_e and an unsprung weight m g:

    N_j v_Cj,i.n summed over both wheels j = sum_e F_e l_e,i + m g v_Wj,i.n
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.suspension.elastic.spring_elements import AxleLaws, elements, stiffness
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, Placing, solved_pairs
from sheetmbs.suspension.kinematics.sweeps import Sweep, SweptAxle, placing_of, swept_at
from sheetmbs.suspension.layout.car import SIDES

LOAD_TOLERANCE = 1e-12
"""difference of a load from the one that is held, over that, at which it counts as held"""
MAX_STEPS = 60


def loaded_axle(sweep: Sweep, system: AxleSystem, laws: AxleLaws, standing: SweptAxle) -> SweptAxle:
    """An axle along a sweep whose loads are those where it stands.

    Raises WorkbookError without springs, or where none is found.
    """
    held = contact_loads(standing, laws)[0]
    if not np.all(np.isfinite(held)) or not system.axle.is_sprung:
        rule = "the load of an axle is held by springs, and no spring or no load of the car is given"
        raise WorkbookError(_problem(sweep, system, rule, "add springs and corner load, or hold the travel"))
    placing = placing_of(sweep, system, standing)
    find = _at_equilibrium if sweep.is_at_equilibrium else _rolled_about_load
    for _ in range(MAX_STEPS):
        swept = swept_at(system, placing)
        if swept.rows != slice(0, sweep.rows):
            return swept
        loads = contact_loads(swept, laws)
        is_held = loads - held if sweep.is_at_equilibrium else np.sum(loads - held, axis=1)
        if np.max(np.abs(is_held)) <= LOAD_TOLERANCE * np.max(held):
            return swept
        placing = find(placing, swept, laws, held)
    raise WorkbookError(_problem(sweep, system, "no travel was found at which the load is held", "sweep less"))


def _problem(sweep: Sweep, system: AxleSystem, rule: str, mend: str) -> Problem:
    found = f"sweep {sweep.name}, {system.axle.name} axle"
    return Problem("load-not-held", "error", sweep.cell, found, rule, mend)


def contact_loads(swept: SweptAxle, laws: AxleLaws) -> Floats:
    """(n, 2) loads of both contacts along the normal of the road, N."""
    carried = sum(part.force[:, None] * part.length.first for part in elements(swept, laws))
    slopes = []
    for side in SIDES:
        wheel = swept.wheels[side]
        slopes.append(wheel.over_both(wheel.normal.dot(wheel.contact)).first)
        unsprung = swept.axle.number("unsprung mass") or 0.0
        carried = carried + unsprung * swept.axle.gravity * wheel.over_both(wheel.normal.dot(wheel.centre)).first
    return solved_pairs(np.stack(slopes, axis=2), np.asarray(carried))


def _at_equilibrium(placing: Placing, swept: SweptAxle, laws: AxleLaws, held: Floats) -> Placing:
    """Travels nearer to those at which each wheel carries its load: Newton's method with the stiffness of the axle."""
    short = held - contact_loads(swept, laws)
    step = solved_pairs(_stiffness(swept, laws), short)
    return replace(placing, travel={side: placing.travel[side] + step[:, k] for k, side in enumerate(SIDES)})


def _rolled_about_load(placing: Placing, swept: SweptAxle, laws: AxleLaws, held: Floats) -> Placing:
    """Both wheels on a road raised to where they carry the load of the axle together."""
    short = np.sum(held - contact_loads(swept, laws), axis=1)
    raised = short / np.sum(_stiffness(swept, laws), axis=(1, 2))
    ground = {}
    for side in SIDES:
        wheel = swept.wheels[side]
        point = wheel.contact.value.copy()
        point[:, 2] += raised
        ground[side] = point
    return replace(placing, travel=swept.system.on_road(placing, ground))


def _stiffness(swept: SweptAxle, laws: AxleLaws) -> Floats:
    return stiffness(list(elements(swept, laws)))
