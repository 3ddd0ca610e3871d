"""Why an analysis cannot begin, in words: which joint, which time, what to change."""

from __future__ import annotations

import numpy as np

from sheetmbs.analysis.start.misplaced_joints import MisplacedJoint
from sheetmbs.analysis.start.structure import Structure
from sheetmbs.engine.algebra.newton import DOGLEG, solve_positions
from sheetmbs.engine.motion.operations import FAULTS, TapeFault
from sheetmbs.lower import Lowered, System
from sheetmbs.lower.lower_constraints import Constraint
from sheetmbs.model.model import MeasuredTurn
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import an, sentence_list

WORST_NAMED = 3


def worst_elements(lowered: Lowered, system: System) -> list[tuple[str, str, float]]:
    """Elements with the largest position residuals in the system's scratch: (name, cell, residual)."""
    size: dict[int, float] = {}
    for row, residual in zip(system.kept, np.abs(system.work.phi), strict=True):
        owner = int(lowered.constraints.owner[row])
        size[owner] = max(size.get(owner, 0.0), float(residual))
    ranked = sorted(size.items(), key=lambda item: -item[1])[:WORST_NAMED]
    most = ranked[0][1] if ranked else 0.0
    return [(lowered.elements[o].name, lowered.elements[o].cell, value) for o, value in ranked if value > 0.05 * most]


def stops_at(lowered: Lowered, system: System, t: float) -> str:
    """The values of the drivers at a time, each in its own unit, as a parenthesis; "" without drivers."""
    q = lowered.bodies.q.copy()
    solve_positions(system.arrays, system.work, t, q, np.inf, DOGLEG)
    values = dict(zip(system.kept, system.work.motion[system.arrays.row.motion, 0], strict=True))
    places = []
    drivers = [element for element in lowered.elements if element.what != "joint"]
    for driver, element in zip(lowered.model.drivers, drivers, strict=True):
        if element.first in values and not isinstance(driver.motion, MeasuredTurn):
            display = lowered.model.display
            unit, size = driver.unit or (display.angle if driver.is_angle else display.length)
            what = element.name if element.what == "guiding" else f"{driver.coordinate} of {element.name}"
            places.append(f"{what} = {values[element.first] / size:.4g} {unit}")
    return f" ({sentence_list(places, WORST_NAMED)})" if places else ""


def not_assembled(lowered: Lowered, system: System, t: float) -> Problem:
    """The constraints cannot be met at the start."""
    worst = worst_elements(lowered, system)
    gaps = sentence_list([f"{name} (by {value:.3g})" for name, _cell, value in worst])
    return Problem(
        "not-assembled",
        "error",
        worst[0][1] if worst else "",
        f"at t = {t:.6g} s the model cannot be assembled: what stays open is {gaps}",
        "joints, drivers and guiding columns must be able to hold together",
        "check points, lengths and the values of drivers at t_start, or start nearer to the assembled position",
    )


def singular(lowered: Lowered, system: System, t: float) -> Problem:
    """The drivers do not determine the velocities at this position."""
    drivers = [element for element in lowered.elements if element.what != "joint"]
    return Problem(
        "singular-position",
        "error",
        drivers[0].cell if drivers else "",
        f"at t = {t:.6g} s{stops_at(lowered, system, t)} the mechanism stands at a dead point: "
        "its drivers do not determine its velocities there",
        "joints and drivers together must determine all velocities at every time",
        "drive another body or joint, or keep the motion away from this position",
    )


def under_driven(structure: Structure, free: tuple[str, ...], analysis: str) -> Problem:
    """Motion is left free where none may be: that of some bodies."""
    number = structure.undriven
    freedoms = "1 degree of freedom is" if number == 1 else f"{number} degrees of freedom are"
    return Problem(
        "under-driven",
        "error",
        "Drivers",
        f"{freedoms} not driven: {sentence_list(free)} can still move",
        f"{an(analysis)} analysis needs as many drivers and guiding columns as there are degrees of freedom",
        f"add {'a driver' if number == 1 else f'{number} drivers'}, or choose the analysis dynamic",
    )


def over_driven(
    lowered: Lowered, structure: Structure, spare: list[Constraint], misplaced: MisplacedJoint | None
) -> Problem:
    """Drivers and joints that contradict each other.

    spare: joints that alone say no more than the rest. misplaced: a joint that would leave the drivers their freedom between
    other bodies.
    """
    drivers = [element for element in lowered.elements if element.name in structure.conflicting]
    names, is_one = sentence_list([driver.name for driver in drivers]), len(drivers) == 1
    rule = "joints must leave each driver and guiding column a freedom to move"
    if misplaced is not None:
        joint, fitting = misplaced.joint, sentence_list(misplaced.bodies)
        rivals = f", or correct those of {sentence_list(misplaced.rivals)}" if misplaced.rivals else ""
        return Problem(
            "over-driven",
            "error",
            joint.cell,
            f"{joint.name} between {joint.i.body} and {joint.j.body} leaves {names} no freedom to move",
            rule,
            f"correct body_i and body_j of {joint.name}: between {fitting} it would leave this freedom{rivals}",
        )
    if spare:
        joints, is_single = sentence_list([joint.name for joint in spare]), len(spare) == 1
        return Problem(
            "over-driven",
            "error",
            spare[0].cell,
            f"{joints} {'holds' if is_single else 'hold'} what {names} {'prescribes' if is_one else 'prescribe'}, "
            "and differently",
            rule,
            f"remove {joints if is_single else 'one of these joints'}, or give it a type that leaves this freedom",
        )
    others = [element for element in lowered.elements if element.name in structure.redundant_names]
    held = [element.name for element in others if element.what == "joint"]
    told = f"; the joints on the way are {sentence_list(held)}" if held else ""
    return Problem(
        "over-driven",
        "error",
        drivers[-1].cell if drivers else "",
        f"{names} {'prescribes a motion' if is_one else 'prescribe motions'} that other drivers or joints already determine, "
        f"and differently{told}",
        "there may be no more drivers and guiding columns than degrees of freedom",
        f"remove {names if is_one else 'one of them'}, or a joint that holds this motion",
    )


def formula_fault(lowered: Lowered, system: System, t: float) -> Problem:
    """A formula has no value."""
    fault, program = (int(number) for number in system.work.fault)
    formula = lowered.formulas[program]
    return Problem(
        "no-value",
        "error",
        formula.cell,
        f'the expression "{formula.expression.text}" has no value near t = {t:.6g} s: {FAULTS[TapeFault(fault)]}',
        "an expression must have a finite value, velocity and acceleration at all times of the analysis",
        "change the expression, or guard it with if(...)",
    )
