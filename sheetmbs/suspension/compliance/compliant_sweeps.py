"""Sweeps of axles with elastic parts: each wheel stands on a pad that goes where the sweep says, and moves freely on it.

Each row is the equilibrium of bushings, springs and bars there; geometry is that of the linkage at the pose found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from sheetmbs.engine.records import Floats, Ints
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.suspension.compliance.axle_compliance import AxleCompliance
from sheetmbs.suspension.compliance.deformations import BodyPoses
from sheetmbs.suspension.compliance.elastic_axle import (
    LOAD,
    ROAD,
    TRAVEL,
    AxleStanding,
    ElasticAxle,
    ElasticPoses,
    Flags,
    standing,
)
from sheetmbs.suspension.compliance.elastic_rows import ElasticStructure
from sheetmbs.suspension.compliance.elastic_structure import build
from sheetmbs.suspension.compliance.linkage import start_poses, swept_linkage
from sheetmbs.suspension.elastic.spring_elements import AxleLaws
from sheetmbs.suspension.kinematics.axle_system import AxleSystem
from sheetmbs.suspension.kinematics.sweeps import SteppedLoad, Sweep, SweptAxle
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE

BUSHINGS_FREE = "free"
LOAD_ROUNDS = 30
LOAD_HELD = 1e-11
"""of the load of an axle, to which it is held"""


def elastic_axle(car: CarData, design: SweptAxle, laws: AxleLaws, like: ElasticStructure | None = None) -> ElasticAxle:
    """An axle with its elastic parts, of which it may have none. design: the axle at its design pose. like: as of `build`.

    Raises WorkbookError where its parts leave it free to move.
    """
    axle = design.axle
    is_free = car.settings.get("bushings at design") == BUSHINGS_FREE
    try:
        return ElasticAxle(build(axle, design, laws, like), laws, is_free=is_free)
    except np.linalg.LinAlgError:
        rule = "the elastic parts leave it free to move: something is held in no direction"
        mend = "look at parts whose stiffness is given in one direction alone"
        found = f"the {axle.name} axle"
        raise WorkbookError(Problem("loose-axle", "error", _first_cell(axle), found, rule, mend)) from None


def _first_cell(axle: AxleData) -> str:
    return next((part.cell for part in axle.elastic if part.cell), axle.cells.get("type", "Compliance"))


def compliant_axle(plan: Sweep, system: AxleSystem, elastic: ElasticAxle, rigid: SweptAxle) -> SweptAxle:
    """An axle along a sweep, each row in equilibrium. rigid: the same sweep of its rigid linkage, from which rows are found."""
    if rigid.rows.stop == rigid.rows.start:
        return rigid
    if plan.load is not None:
        found = _under_load(plan.load, _by_travel(elastic, rigid), elastic, start_poses(elastic, rigid), plan)
    else:
        on = _standing(plan, system, elastic, rigid)
        found = elastic.solve(on, start_poses(elastic, rigid))
    if plan.roll_about == "load" and elastic.is_sprung:
        found = _at_load(found)
    found = replace(found, tells_compliance=plan.is_vertical)
    kept = _around(found.reached, int(np.argmin(_apart(plan, rigid))) if len(found.reached) else 0)
    if kept.stop == kept.start:
        rule = "no equilibrium of its elastic parts was found at any of its rows"
        found_text = f"sweep {plan.name}, {system.axle.name} axle"
        mend = "look at stiffnesses that are very low, or sweep less"
        raise WorkbookError(Problem("no-equilibrium", "error", plan.cell, found_text, rule, mend))
    rows = slice(rigid.rows.start + kept.start, rigid.rows.start + kept.stop)
    return replace(swept_linkage(found.at(kept), system, rigid.placing.at(kept), rows), standing=rigid.standing)


def lost_rows(
    plans: Mapping[str, Sweep],
    swept: Mapping[str, Mapping[str, SweptAxle]],
    rigid: Mapping[str, Mapping[str, SweptAxle]],
) -> Iterator[Problem]:
    """Warnings of sweeps in which fewer rows have an equilibrium than the rigid linkage reaches."""
    for name, axles in swept.items():
        plan = plans[name]
        for axle, poses in axles.items():
            wanted = rigid[name][axle].rows if name in rigid else slice(0, plan.rows)
            lost = (wanted.stop - wanted.start) - (poses.rows.stop - poses.rows.start)
            if poses.elastic is not None and lost > 0:
                found = f"{name}: the {axle} axle has no equilibrium at {lost} of {plan.rows} rows"
                rule = "springs and elastic parts do not hold it there; their cells are empty"
                yield Problem(
                    "no-equilibrium", "warning", plan.cell, found, rule, "sweep less, or look at the stiffnesses"
                )


def compliant_design(system: AxleSystem, elastic: ElasticAxle, rigid: SweptAxle) -> SweptAxle:
    """An axle at its design pose, where its elastic parts carry what equilibrium asks for."""
    found = elastic.solve(_by_travel(elastic, rigid), start_poses(elastic, rigid))
    return swept_linkage(replace(found, tells_compliance=True), system, rigid.placing, rigid.rows)


def _by_travel(elastic: ElasticAxle, rigid: SweptAxle) -> AxleStanding:
    """Wheel centres held where the rigid linkage has them."""
    drawn = [elastic.axle.as_drawn.points[side][WHEEL_CENTRE].position[2] for side in SIDES]
    heights = np.stack([rigid.travel[side] + z for side, z in zip(SIDES, drawn, strict=True)], axis=1)
    return standing(TRAVEL, heights, rigid.placing.rack, _normals(rigid))


def _normals(rigid: SweptAxle) -> Floats:
    return np.asarray(rigid.wheels["left"].normal.value)


def _standing(plan: Sweep, system: AxleSystem, elastic: ElasticAxle, rigid: SweptAxle) -> AxleStanding:
    """What the sweep holds of the wheels in each row."""
    normals, rack = _normals(rigid), rigid.placing.rack
    if plan.is_at_equilibrium and elastic.is_sprung:
        return standing(LOAD, np.tile(elastic.design_load, (len(rack), 1)), rack, normals)
    turns = np.any(rigid.placing.roll) or np.any(rigid.placing.pitch)
    on_road = turns and plan.roll_about != "antisymmetric" and not plan.dampers
    if on_road or (system.axle.counts_at_contact and not turns):
        heights = np.stack([np.sum(normals * rigid.wheels[side].contact.value, axis=1) for side in SIDES], axis=1)
        return standing(ROAD, heights, rack, normals)
    return _by_travel(elastic, rigid)


def _at_load(found: ElasticPoses) -> ElasticPoses:
    """Both wheels raised on their road until they carry the load of the axle together."""
    wanted = float(np.sum(found.of.design_load))
    for _ in range(LOAD_ROUNDS):
        short = wanted - np.sum(found.load, axis=1)
        if np.max(np.abs(short)) <= LOAD_HELD * wanted:
            return found
        rate = np.sum(np.linalg.inv(height_compliance(found)), axis=(1, 2))
        values = found.standing.values + (short / rate)[:, None]
        found = found.of.solve(replace(found.standing, values=values), found.poses)
    return found


def height_compliance(found: ElasticPoses) -> Floats:
    """(n, 2, 2) how far contacts rise over the road per load of each, with springs acting, m/N."""
    return AxleCompliance(found).height_compliance


def _under_load(
    stepped: SteppedLoad, on: AxleStanding, elastic: ElasticAxle, start: BodyPoses, plan: Sweep
) -> ElasticPoses:
    """An axle under a stepped load. on: where it stands without it, whose heights or vertical loads are then held."""
    if stepped.holds_loads and not elastic.is_sprung:
        rule = "hold = load lets the wheels move on their springs, and no springs or no corner load are given"
        found = f"sweep {plan.name}, {elastic.axle.name} axle"
        raise WorkbookError(Problem("load-not-held", "error", plan.cell, found, rule, "add them, or set hold = height"))
    free = elastic.solve(on, start)
    loaded = under_load(stepped, on, free)
    return _continued(elastic.solve(loaded, free.poses), loaded, np.argsort(np.abs(stepped.values)))


def under_load(stepped: SteppedLoad, on: AxleStanding, free: ElasticPoses) -> AxleStanding:
    """What holds an axle under a stepped load: the heights or vertical loads of its wheels without it. on: without it."""
    heights = free.of.deformations.at(free.poses, on.normals).value[:, free.of.heights]
    held, values = (LOAD, free.load) if stepped.holds_loads else (ROAD, heights)
    amount = stepped.values[:, None] * np.array(stepped.factors)
    force, moment = np.zeros((2, len(amount), 2, 3))
    if stepped.quantity == "aligning_torque":
        moment[..., 2] = amount
    else:
        force[..., 1 if stepped.quantity == "lateral_force" else 0] = amount
    at_centre = np.full(on.rows, stepped.at_centre)
    return replace(on, held=held, values=values, force=force, moment=moment, at_centre=at_centre)


def _continued(found: ElasticPoses, on: AxleStanding, order: Ints) -> ElasticPoses:
    """Rows that were not reached at once, each from the nearest one that was and has less load of the same sign."""
    place, turn, load, held, reached = (
        *(found.poses.place.copy(), found.poses.turn.copy()),
        *(found.load.copy(), found.held.copy(), found.reached.copy()),
    )
    for row in order[~reached[order]]:
        beside = [each for each in (row - 1, row + 1) if 0 <= each < len(reached) and reached[each]]
        for each in beside:
            one = slice(row, row + 1)
            again = found.of.solve(on.at(one), BodyPoses(place[each : each + 1], turn[each : each + 1]))
            if again.reached[0]:
                place[row], turn[row], reached[row] = again.poses.place[0], again.poses.turn[0], True
                load[row], held[row] = again.load[0], again.held[0]
                break
    return replace(found, poses=BodyPoses(place, turn), load=load, held=held, reached=reached)


def _apart(plan: Sweep, rigid: SweptAxle) -> Floats:
    """How far each row is from design, or from the one without load."""
    if plan.load is not None:
        return np.abs(plan.load.values[rigid.rows])
    return np.asarray(sum(np.abs(rigid.travel[side]) for side in SIDES) + np.abs(rigid.placing.rack))


def _around(reached: Flags, middle: int) -> slice:
    """The rows that were reached around one of them."""
    first = last = middle
    while first > 0 and reached[first - 1]:
        first -= 1
    while last < len(reached) and reached[last]:
        last += 1
    return slice(first, last) if last > middle else slice(middle, middle)
