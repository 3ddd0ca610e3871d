"""Where a mechanism cannot go on: a linkage that locks, a dead point, a singular position, friction that jams.

Positions in which constraints become dependent are looked for along the way that a state (q, v) is on: positions at t + d from
those a little earlier, moved by v and closed again. Where they close no more, the last that do are sought by halving. Dependent
are the constraints whose Jacobian without units has the smallest singular value, with the largest entries of its left singular
vector.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import acos, degrees

import numpy as np

from sheetmbs.analysis.start.ranks import most_dependent
from sheetmbs.analysis.start.start_problems import driver_values, worst_elements
from sheetmbs.elements.joints.constant_velocity import CONSTANT_VELOCITY
from sheetmbs.engine.algebra.newton import DOGLEG, solve_positions
from sheetmbs.engine.codes import R11, R33
from sheetmbs.engine.records import Floats
from sheetmbs.engine.work import JAMMED
from sheetmbs.lower import Lowered, System
from sheetmbs.lower.lower_constraints import Constraint
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import sentence_list

VANISHED, SHRUNK = 1e-4, 0.1  # singular value; the same, as a share of that at the start
MAIN_SHARE = 0.3  # of the singular vector's largest entry: what is named
PLACES = 40  # on the way ahead
HALVINGS = 30
NEARLY_FOLDED = 160.0  # deg between shafts, beyond which a position that is singular is so for that reason
CLOSED = 1e-8  # residual over the characteristic length


def dead_point(lowered: Lowered, system: System, t: float, y: Floats, start: Floats, reach: float) -> Problem | None:
    """The sentence about the most singular position from t to t + reach, None if constraints stay independent.

    y, start: (nq + nv + 1,) states at t and at the beginning, with which it is compared.
    """
    nq = len(lowered.bodies.q)
    geometry = _geometry(lowered, system)
    if geometry is None:
        return None
    at_start, _ = most_dependent(geometry, start[:nq], t)
    ways = [(t, y[:nq]), *(_ahead(lowered, geometry, t, y, reach) if reach > 0.0 else ())]
    sizes = [most_dependent(geometry, q, time)[0] for time, q in ways]
    worst = int(np.argmin(sizes))
    if sizes[worst] > max(VANISHED, SHRUNK * at_start):
        return None
    time, q = ways[worst]
    dependent = _dependent(lowered, geometry, q, time)
    folded = _folded(lowered, geometry, dependent, time)
    return folded or _dependence_problem(dependent, time, driver_values(lowered, geometry, time))


def locking_loop(lowered: Lowered, system: System, t: float, q: Floats, start: Floats) -> list[Constraint]:
    """Joints and drivers that come to depend on each other where a mechanism locks; none where nothing does.

    q, start: (nq,) positions at t and at the beginning, with which they are compared.
    """
    geometry = _geometry(lowered, system)
    if geometry is None:
        return []
    at_start, _ = most_dependent(geometry, start, t)
    here, _ = most_dependent(geometry, q, t)
    return [] if here > max(VANISHED, SHRUNK * at_start) else _dependent(lowered, geometry, q, t)


def _geometry(lowered: Lowered, system: System) -> System | None:
    """The rows of a system without masses, None where there are none or too many of them."""
    keep = np.zeros(len(lowered.constraints.rows), dtype=np.bool_)
    keep[system.kept] = True
    geometry = lowered.arrange(keep, lowered.sizes())
    return geometry if 0 < len(geometry.kept) <= len(lowered.bodies.v) else None


def _ahead(lowered: Lowered, geometry: System, t: float, y: Floats, reach: float) -> Iterator[tuple[float, Floats]]:
    """Closed positions at later times, up to t + reach or as far as they close."""
    nq, tolerance = len(lowered.bodies.q), CLOSED * lowered.bodies.length
    q, v = y[:nq], y[nq:-1]

    def closed(q: Floats, past: float, later: float) -> Floats | None:
        found = lowered.moved(q, (later - past) * v)
        is_open = solve_positions(geometry.arrays, geometry.work, t + later, found, tolerance, DOGLEG)
        return None if is_open else found

    past = 0.0
    for later in np.linspace(0.0, reach, PLACES + 1)[1:]:
        onward = closed(q, past, float(later))
        if onward is None:
            beyond = float(later)
            for _ in range(HALVINGS):
                middle = 0.5 * (past + beyond)
                found = closed(q, past, middle)
                if found is None:
                    beyond = middle
                else:
                    q, past = found, middle
            yield t + past, q
            return
        q, past = onward, float(later)
        yield t + past, q


def _dependent(lowered: Lowered, geometry: System, q: Floats, t: float) -> list[Constraint]:
    """The constraints that depend on each other, those with the largest share first."""
    _size, vector = most_dependent(geometry, q, t)
    share: dict[int, float] = {}
    for row, part in zip(geometry.kept, np.abs(vector), strict=True):
        owner = int(lowered.constraints.owner[row])
        share[owner] = max(share.get(owner, 0.0), float(part))
    most = max(share.values())
    ranked = sorted(share.items(), key=lambda item: -item[1])
    return [lowered.elements[owner] for owner, part in ranked if part > MAIN_SHARE * most]


def _folded(lowered: Lowered, geometry: System, dependent: list[Constraint], t: float) -> Problem | None:
    """A constant-velocity joint among them whose shafts lie folded on each other at the positions in the scratch."""
    rotation, joints = geometry.work.pose[:, R11 : R33 + 1], {joint.name: joint for joint in lowered.model.joints}
    for element in dependent:
        joint = joints.get(element.name) if element.what == "joint" else None
        if joint is None or joint.type != CONSTANT_VELOCITY.name:
            continue
        bodies = lowered.bodies.names
        i, j = (rotation[bodies[each.body]].reshape(3, 3) @ each.axes[:, 2] for each in joint.markers)
        angle = degrees(acos(min(max(float(i @ j), -1.0), 1.0)))
        if angle > NEARLY_FOLDED:
            return Problem(
                "shafts-folded",
                "error",
                element.cell,
                f"at t = {t:.6g} s the shafts of {joint.name} lie folded on each other, at {angle:.0f} deg",
                "a constant-velocity joint holds the rates of its shafts together at any angle but 180 deg",
                "keep the shafts away from there, or drive both of them in a kinematic or inverse dynamic analysis",
            )
    return None


def cell_of_loop(dependent: list[Constraint]) -> str:
    """The cell of the joint with the largest share, else of the driver."""
    return next((element.cell for element in dependent if element.what == "joint"), dependent[0].cell)


def blocked_motion(dependent: list[Constraint]) -> str:
    """The joints of a loop and the drivers that they stop, in words."""
    joints = [element.name for element in dependent if element.what == "joint"]
    drivers = [element.name for element in dependent if element.what != "joint"]
    does = "lets" if len(joints) == 1 else "let"
    return f"{sentence_list(joints) or 'its joints'} {does} {sentence_list(drivers) or 'its drivers'} move no further"


def _dependence_problem(dependent: list[Constraint], t: float, stops: str) -> Problem:
    drivers = [element for element in dependent if element.what != "joint"]
    joints = sentence_list([element.name for element in dependent if element.what == "joint"])
    if drivers:
        return Problem(
            "locked",
            "error",
            cell_of_loop(dependent),
            f"at t = {t:.6g} s{stops} the mechanism locks: {blocked_motion(dependent)}",
            "every joint must be able to close as far as drivers move, and no dead point may stand in their way",
            "check the lengths of the links in this loop and the range of its drivers, or drive another body or joint",
        )
    return Problem(
        "singular-position",
        "error",
        dependent[0].cell,
        f"at t = {t:.6g} s the mechanism comes to a singular position that could not be crossed: there {joints} "
        f"{'constrains' if len(dependent) == 1 else 'constrain'} the same direction",
        "where constraints become dependent, the motion may go on in more than one way",
        "choose integrator and formulation auto, a slightly different rtol, or a start from which the position is missed",
    )


def locked(lowered: Lowered, system: System, t: float, goal: float, way: tuple[Floats, Floats]) -> Problem:
    """The mechanism cannot follow its drivers any further. way: (nq,) positions at the start and at time t."""
    open_ones, reached = worst_elements(lowered, system), driver_values(lowered, system, t)
    loop = locking_loop(lowered, system, t, way[1], way[0])
    if loop:
        cell, why = cell_of_loop(loop), blocked_motion(loop)
    else:
        cell = open_ones[0][1] if open_ones else ""
        why = f"{sentence_list([name for name, _cell, _value in open_ones]) or 'its joints'} cannot close"
    return Problem(
        "locked",
        "error",
        cell,
        f"the mechanism moves as far as t = {t:.6g} s{reached} and locks on the way to {goal:.6g} s: {why}",
        "every joint must be able to close at every reported time",
        "check the lengths of the links in this loop and the range of its drivers",
    )


def has_jammed(system: System) -> bool:
    """Whether the last state that was looked at has no reactions because of friction."""
    return int(system.work.friction.state[JAMMED]) > 0


def jammed(lowered: Lowered, constraint: int, t: float) -> Problem:
    """A joint whose friction grows faster with its reactions than these can balance."""
    joint = lowered.model.joints[constraint]
    if joint.couples is not None:
        return Problem(
            "teeth-wedge",
            "error",
            joint.cell,
            f"at t = {t:.6g} s no tooth force of {joint.name} balances what it does to its bearings",
            "the force that separates teeth moves soft bearings, here so far that the teeth press harder than before",
            "stiffen the bearings, give them damping, or choose a smaller pressure_angle",
        )
    coefficient = joint.friction.coefficient if joint.friction else 0.0
    return Problem(
        "friction-jams",
        "error",
        joint.cell,
        f"at t = {t:.6g} s {joint.name} jams: with friction = {coefficient:g} no reactions and friction balance each other",
        "friction adds to the reactions that cause it; where it adds as much as it takes, a rigid model has no motion",
        "choose a smaller friction, a more even load or a longer guide, or model the elasticity that lets it jam by a spring",
    )


def where_jammed(lowered: Lowered, system: System, t: float) -> Problem:
    """The same for the joint that jammed last."""
    return jammed(lowered, int(lowered.frictions[int(system.work.friction.state[JAMMED]) - 1].owner), t)
