"""Why an analysis cannot begin, in words: which joint, which time, what to change.

A joint may stand between the wrong bodies: it holds what a driver should move, and leaves a body loose elsewhere, so that no
joint is simply one too many. Every joint is tried with either end on every other body, at the same place and along the same
axes; of those that make a model whose drivers determine all motion, the one counts whose new body lies nearest to the joint
against the body it had.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.analysis.start.structure import Structure, find_structure
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.engine.algebra.newton import DOGLEG, solve_positions
from sheetmbs.engine.motion.operations import FAULTS, TapeFault
from sheetmbs.lower import Lowered, System, lower
from sheetmbs.lower.lower_constraints import Constraint
from sheetmbs.model.model import Beam, Joint, MeasuredTurn, Model
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import an, sentence_list

MOST_TRIED = 400
"""models, of a few milliseconds each, that are looked at for a better sentence"""

ALIKE = 1.1
"""ratio of gains that tell two joints apart: of those nearer to each other, the one that no driver moves is the likely one"""
WORST_NAMED = 3


@dataclass(frozen=True)
class MisplacedJoint:
    """A joint as given, and the bodies between which it would fit.

    gain: distance from the new body over that from the old. rivals: names of joints that fit as well elsewhere.
    """

    joint: Joint
    bodies: tuple[str, str]
    gain: float
    rivals: tuple[str, ...] = ()


def misplaced_joint(lowered: Lowered, structure: Structure) -> MisplacedJoint | None:
    """The joint that fits best between other bodies; None where none does, or where too many would have to be tried."""
    model = lowered.model
    if structure.undriven == 0:  # no body is loose, so nothing is missing elsewhere
        return None
    coupled = {name for joint in model.joints for name in joint.couples or ()}
    joints = [joint for joint in model.joints if joint.couples is None and joint.name not in coupled]
    if len(joints) * 2 * len(model.bodies) > MOST_TRIED or any(isinstance(body, Beam) for body in model.bodies):
        return None
    fitting = [
        MisplacedJoint(joint, (moved.i.body, moved.j.body), gain)
        for joint in joints
        for moved, gain in _moved(lowered, joint)
        if _is_determined(replace(model, joints=tuple(moved if each is joint else each for each in model.joints)))
    ]
    if not fitting:
        return None
    least = min(each.gain for each in fitting)
    driven = {driver.joint for driver in model.drivers}
    likely = [each for each in fitting if each.gain <= ALIKE * least]
    best = min(likely, key=lambda each: (each.joint.name in driven, each.gain))
    rivals = dict.fromkeys(each.joint.name for each in likely if each.joint is not best.joint)
    return replace(best, rivals=tuple(rivals))


def _moved(lowered: Lowered, joint: Joint) -> Iterator[tuple[Joint, float]]:
    """The joint with one end on another body, and how much nearer that lies."""
    places = {body.name: body.position for body in lowered.model.bodies}
    for is_j, end in enumerate((joint.i, joint.j)):
        where, axes = _in_space(lowered, places, end)
        for name in (GROUND, *places):
            if name in (joint.i.body, joint.j.body):
                continue
            turn = lowered.bodies.turns[name].T
            there = replace(end, body=name, origin=turn @ (where - places.get(name, np.zeros(3))), axes=turn @ axes)
            moved = replace(joint, j=there) if is_j else replace(joint, i=there)
            yield moved, _distance(places, name, where) / max(_distance(places, end.body, where), 1e-12)


def _in_space(lowered: Lowered, places: dict[str, np.ndarray], end: Marker) -> tuple[np.ndarray, np.ndarray]:
    """Global place (3,) and axes (3, 3) of a marker."""
    turn = lowered.bodies.turns[end.body]
    return places.get(end.body, np.zeros(3)) + turn @ end.origin, turn @ end.axes


def _distance(places: dict[str, np.ndarray], body: str, where: np.ndarray) -> float:
    """From the middle of a body; the ground is everywhere, as far as the median of bodies."""
    if body in places:
        return float(np.linalg.norm(places[body] - where))
    return float(np.median([np.linalg.norm(place - where) for place in places.values()]))


def _is_determined(model: Model) -> bool:
    """Whether drivers and joints determine all motion, and nothing contradicts a driver."""
    lowered = lower(model)
    structure = find_structure(lowered, lowered.bodies.q, model.settings.t_start, chooses_rows=False)
    return structure.undriven == 0 and not structure.conflicting


def worst_elements(lowered: Lowered, system: System) -> list[tuple[str, str, float]]:
    """Elements with the largest position residuals in the system's scratch: (name, cell, residual)."""
    size: dict[int, float] = {}
    for row, residual in zip(system.kept, np.abs(system.work.phi), strict=True):
        owner = int(lowered.constraints.owner[row])
        size[owner] = max(size.get(owner, 0.0), float(residual))
    ranked = sorted(size.items(), key=lambda item: -item[1])[:WORST_NAMED]
    most = ranked[0][1] if ranked else 0.0
    return [(lowered.elements[o].name, lowered.elements[o].cell, value) for o, value in ranked if value > 0.05 * most]


def driver_values(lowered: Lowered, system: System, t: float) -> str:
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
        f"at t = {t:.6g} s{driver_values(lowered, system, t)} the mechanism stands at a dead point: "
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
    on_the_way = f"; the joints on the way are {sentence_list(held)}" if held else ""
    return Problem(
        "over-driven",
        "error",
        drivers[-1].cell if drivers else "",
        f"{names} {'prescribes a motion' if is_one else 'prescribe motions'} that other drivers or joints already determine, "
        f"and differently{on_the_way}",
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
