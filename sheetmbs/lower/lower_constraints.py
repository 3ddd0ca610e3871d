"""Joints, drivers and guiding columns as constraint rows, in the order of the workbook."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements import JOINTS
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.recipe import RecipeRow
from sheetmbs.engine.codes import RowKind
from sheetmbs.engine.record_arrays import of_packed
from sheetmbs.engine.records import ROW, Records
from sheetmbs.lower.lower_bodies import FrameKey, Frames, LoweredBodies
from sheetmbs.lower.lower_meshes import ToothForce, add_coupling
from sheetmbs.lower.lower_motions import Motions
from sheetmbs.lower.lowering_cache import LoweringCache
from sheetmbs.lower.row_builder import Record, RowBuilder, TurnKey, Turns
from sheetmbs.model.model import Body, Driver, Joint, Model

Driven = tuple[str | None, str]
"""joint and coordinate of a driver"""
AXES = {"x": 0, "y": 1, "z": 2}
TURNS = {"rx": 0, "ry": 1, "rz": 2}
ALONG = 1.0 - 1e-9
"""Cosine from which on an axis counts as the normal of the plane."""


@dataclass(frozen=True)
class Constraint:
    """A joint, driver or guiding column as rows first .. first + count of the model.

    frame_i, frame_j: frames of the two sides as reported. swapped: its rows count body i as their body j.
    coordinate: what a driver or guiding column moves. gauges: the gauge that measures each coordinate of a joint.
    teeth: of a coupling whose teeth touch.
    """

    name: str
    what: str
    cell: str
    first: int
    count: int
    frame_i: int
    frame_j: int
    swapped: bool
    coordinate: str
    gauges: dict[str, int]
    teeth: ToothForce | None = None


@dataclass(frozen=True)
class LoweredConstraints:
    """All rows, further terms of rows, who owns them, and the gauges: rows that measure coordinates and constrain nothing."""

    rows: Records
    terms: Records
    constraints: tuple[Constraint, ...]
    owner: NDArray[np.int64]
    gauges: Records


@dataclass(frozen=True)
class _JointBuilt:
    """What a joint added, and on what that depends: its bodies, what is driven, what came before, frames and turns.

    before: numbers of rows, terms, gauges, and of the bodies. frames, turns: asked for by what they are, with the numbers
    that they had. records: packed rows, terms and gauges.
    """

    bodies: tuple[Body | None, Body | None]
    driven: frozenset[Driven]
    before: tuple[int, ...]
    frames: tuple[tuple[FrameKey, int], ...]
    turns: tuple[tuple[TurnKey, bool, int], ...]
    records: tuple[list[bytes], list[bytes], list[bytes]]
    constraint: Constraint

    def holds(self, joint: Joint, build: RowBuilder, driven: frozenset[Driven]) -> bool:
        """Whether it would be the same again; frames and turns are then known to ``build``."""
        are_bodies = all(mine is other for mine, other in zip(self.bodies, _bodies(joint, build), strict=True))
        if not are_bodies or self.before != _before(joint, build) or self.driven != driven:
            return False
        frames = [build.frames.known(key) == number for key, number in self.frames]
        turns = [build.turns.known(key, live=live) == number for key, live, number in self.turns]
        return all(frames) and all(turns)

    def add_to(self, build: RowBuilder) -> Constraint:
        """Add it once more."""
        for built, own in zip((build.rows, build.terms, build.gauges), self.records, strict=True):
            built.extend(own)
        return self.constraint


def lower_constraints(
    model: Model, bodies: LoweredBodies, frames: Frames, turns: Turns, motions: Motions, lowering_cache: LoweringCache
) -> LoweredConstraints:
    """Rows of joints, then of drivers and guiding columns. A row that holds a driven coordinate is left to the driver."""
    build = RowBuilder(model, bodies, frames, turns)
    driven = frozenset((driver.joint, driver.coordinate) for driver in model.drivers)
    joints = {joint.name: joint for joint in model.joints}
    constraints = [_add_joint(joint, joints, build, driven, lowering_cache) for joint in model.joints]
    for driver in model.drivers:
        record = _driver_row(driver, joints, build, motions.add(driver.motion))
        constraints.append(
            Constraint(
                name=driver.name,
                what="guiding" if driver.guiding else "driver",
                cell=driver.cell,
                first=len(build.rows),
                count=1,
                frame_i=int(record["frame_i"]),
                frame_j=int(record["frame_j"]),
                swapped=False,
                coordinate=driver.coordinate,
                gauges={},
            )
        )
        build.add(record)
    owner = np.repeat(np.arange(len(constraints)), [constraint.count for constraint in constraints])
    return LoweredConstraints(
        rows=of_packed(build.rows, ROW),
        terms=of_packed(build.terms, ROW),
        constraints=tuple(constraints),
        owner=owner.astype(np.int64),
        gauges=of_packed(build.gauges, ROW),
    )


def _bodies(joint: Joint, build: RowBuilder) -> tuple[Body | None, Body | None]:
    return build.bodies[joint.i.body], build.bodies[joint.j.body]


def _before(joint: Joint, build: RowBuilder) -> tuple[int, ...]:
    return *build.counts, build.frames.names[joint.i.body], build.frames.names[joint.j.body]


def _add_joint(
    joint: Joint, joints: dict[str, Joint], build: RowBuilder, driven: frozenset[Driven], lowering_cache: LoweringCache
) -> Constraint:
    """Add the rows and gauges of a joint."""
    built = lowering_cache.find("joint", joint)
    if isinstance(built, _JointBuilt) and built.holds(joint, build, driven):
        return built.add_to(build)
    build.begin()
    before = _before(joint, build)
    rows, terms, gauges = build.counts
    first_frame, first_turn = len(build.frames.requests), len(build.turns.requests)
    teeth = add_coupling(joint, joints, build) if joint.couples else None
    if not joint.couples:
        _add_joint_rows(joint, build, driven)
    kind = JOINTS[joint.type]
    constraint = Constraint(
        name=joint.name,
        what="joint",
        cell=joint.cell,
        first=rows,
        count=len(build.rows) - rows,
        frame_i=build.frames.of(teeth.i if teeth else joint.i),
        frame_j=build.frames.of(teeth.j if teeth else joint.j),
        swapped=kind.holds_coordinate,
        coordinate="",
        gauges={coordinate: gauges + k for k, coordinate in enumerate(kind.coordinates)},
        teeth=teeth,
    )
    for coordinate in kind.coordinates:
        build.add_gauge(build.gauge(joint, coordinate, live=False))
    is_kept = not lowering_cache.is_complete
    if is_kept and not joint.couples and not build.frames.beams:  # neither other joints nor sections of beams
        built = _JointBuilt(
            _bodies(joint, build),
            driven,
            before,
            tuple(dict.fromkeys(build.frames.requests[first_frame:])),
            tuple(dict.fromkeys(build.turns.requests[first_turn:])),
            (build.rows[rows:], build.terms[terms:], build.gauges[gauges:]),
            constraint,
        )
        lowering_cache.keep("joint", joint, built)
    return constraint


def _add_joint_rows(joint: Joint, build: RowBuilder, driven: frozenset[Driven]) -> None:
    """Rows of a joint but those that hold a driven coordinate. driven: (joint, coordinate) of all drivers."""
    for recipe in JOINTS[joint.type].rows:
        if (joint.name, recipe.holds) in driven:
            continue
        if recipe.kind is RowKind.COORDINATE:
            build.add(_coordinate_row(joint.i.body, joint.coordinate, build, joint.values.get(recipe.value), 0))
            continue
        if build.is_planar and vanishes_in_plane(recipe, joint.i, joint.j):
            continue
        offset = joint.values.get(recipe.value, build.distance(joint.i, joint.j)) if recipe.value else 0.0
        terms = []
        for further in recipe.plus:
            shift = build.angle(joint.i, joint.j) if further.kind is RowKind.TURN else 0.0
            term = build.row(further, joint.i, joint.j, shift)
            term["factor"] = further.factor(joint.values)
            terms.append(term)
        build.add(build.row(recipe, joint.i, joint.j, offset), terms)


def vanishes_in_plane(recipe: RecipeRow, i: Marker, j: Marker) -> bool:
    """Whether a row between frames of planar bodies is identically zero, so that the plane has taken care of it."""
    if recipe.kind is RowKind.COINCIDENT:
        return recipe.i == AXES["z"]
    if recipe.kind is RowKind.IN_PLANE:
        return bool(abs(i.axes[2, recipe.i]) > ALONG)
    if recipe.kind is RowKind.PERPENDICULAR:
        return bool((abs(i.axes[2, recipe.i]) > ALONG) != (abs(j.axes[2, recipe.j]) > ALONG))
    return False


def _coordinate_row(body: str, coordinate: str, build: RowBuilder, value: float | None, motion: int) -> Record:
    """x, y, z, phi or a turn of a body against ground; ``value`` None holds the initial one, motion 0 adds nothing to it."""
    ground, moving = Marker(GROUND), Marker(body, floating=True)
    if coordinate == "phi":
        return build.row(
            RecipeRow(RowKind.ANGLE), ground, moving, build.counted[body] if value is None else value, motion
        )
    if coordinate in TURNS:
        return build.row(RecipeRow(RowKind.ORIENTATION, i=TURNS[coordinate]), ground, moving, 0.0, motion)
    axis = AXES[coordinate]
    initial = float(build.place[body][0][axis])
    return build.row(RecipeRow(RowKind.COINCIDENT, i=axis), ground, moving, initial if value is None else value, motion)


def _driver_row(driver: Driver, joints: dict[str, Joint], build: RowBuilder, motion: int) -> Record:
    if driver.joint is not None:
        return build.gauge(joints[driver.joint], driver.coordinate, motion)
    if driver.ends is not None:
        i, j = driver.ends
        kind = (
            RecipeRow(RowKind.DISTANCE) if driver.spring else RecipeRow(RowKind.COINCIDENT, i=AXES[driver.coordinate])
        )
        return build.row(kind, i, j, 0.0, motion)
    if driver.body is None:
        raise ValueError(f"driver {driver.name} moves nothing")
    return _coordinate_row(driver.body, driver.coordinate, build, 0.0, motion)
