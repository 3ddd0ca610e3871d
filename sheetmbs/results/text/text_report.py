"""The text report in the order and the number formats of MUBODYNA, to be compared with what that program printed.

Description, then at every reported time bodies, points of interest, springs, reactions and violations, all in SI.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.forces.rotational_force import ROTATIONAL
from sheetmbs.elements.forces.translational_force import TRANSLATIONAL as TRANSLATIONAL_SPRING
from sheetmbs.elements.joints.coordinate import COORDINATE
from sheetmbs.elements.joints.fixed import FIXED
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.translational import TRANSLATIONAL
from sheetmbs.elements.marker import GROUND
from sheetmbs.engine.algebra.newton import DOGLEG, solve_positions
from sheetmbs.engine.codes import RowKind
from sheetmbs.importing.read_mubodyna import COORDINATES
from sheetmbs.lower import Lowered
from sheetmbs.lower.lower_constraints import Constraint
from sheetmbs.model.model import Beam, Joint
from sheetmbs.results.columns.beam_columns import beam_frames
from sheetmbs.results.columns.collect import Floats
from sheetmbs.results.text.text_description import Numbered, description, fixed, scientific, section, table
from sheetmbs.schema.table import Table

TITLES = {
    Analysis.DYNAMIC: "FORWARD DYNAMIC ANALYSIS",
    Analysis.INVERSE_DYNAMIC: "INVERSE DYNAMIC ANALYSIS",
    Analysis.KINEMATIC: "KINEMATIC ANALYSIS",
    Analysis.EQUILIBRIUM: "STATIC EQUILIBRIUM",
}
MOTION = ("BODY", "X", "Y", "PHI", "XD", "YD", "PHID", "XDD", "YDD", "PHIDD")
POINT = ("POINT", "X", "Y", "XD", "YD", "XDD", "YDD")
SPRING = ("SPRING", "L", "LD", "FS", "FD", "F")
TURNING_SPRING = ("SPRING", "ANGLE", "ANGLED", "MS", "MD", "M")
REACTION = ("JOINT NO.", "i", "FX-i", "FY-i", "M-i", "j", "FX-j", "FY-j", "M-j")
VIOLATION = ("CONSTRAINT", "Position violations", "Velocity violations")
LABELS = {FIXED.name: "GRO.", COORDINATE.name: "SIM."}
"""of joints that the program has no joint for; others are called by the first letters of their types"""
ORDER = (REVOLUTE.name, TRANSLATIONAL.name, FIXED.name, COORDINATE.name)
"""of joints, before all others"""
TURNING = (RowKind.PERPENDICULAR, RowKind.ANGLE, RowKind.TURN, RowKind.AZIMUTH)


@dataclass(frozen=True)
class ReportBlock:
    """A table that is printed at every time. head: its columns. first: of its rows. values: (times, rows, columns), SI."""

    name: str
    head: tuple[str, ...]
    first: tuple[str, ...]
    values: Floats


def text_report(lowered: Lowered, solution: Solution, tables: tuple[Table, ...]) -> Iterator[str]:
    """The lines of the report of a planar model. tables: of the result sheets."""
    this = Numbered(lowered.model, lowered.bodies.names)
    yield from description(this)
    yield from (f"*** {TITLES[solution.analysis]} ***", "")
    columns = _columns_in_si(lowered, tables)
    blocks = (_bodies(lowered, solution), _points(this, columns), *_springs(this, columns))
    reactions = _Reactions(this, columns) if solution.analysis != Analysis.KINEMATIC else None
    elements = _in_order(lowered)
    positions, velocities = violations(lowered, solution, elements)
    for n, t in enumerate(solution.times):
        yield from (f"TIME = {t:.5f}", "")
        for block in blocks:
            if block.first:
                yield from ([block.name, ""] if block.name else [])
                values = zip(block.first, block.values[n].tolist(), strict=True)
                yield from table(block.head, [(first, *(fixed(each, 3) for each in row)) for first, row in values])
        if reactions is not None and reactions.rows:
            yield from section("REACTION FORCES", reactions.at(n))
        if elements:
            pairs = enumerate(zip(positions[n].tolist(), velocities[n].tolist(), strict=True), start=1)
            rows = [(str(k), scientific(position), scientific(velocity)) for k, (position, velocity) in pairs]
            yield from section("CONSTRAINT VIOLATIONS", table(VIOLATION, rows))


def _columns_in_si(lowered: Lowered, tables: tuple[Table, ...]) -> dict[str, Floats]:
    """Columns of the result sheets by sheet and name; lengths and angles may stand there in the units of the workbook."""
    display = lowered.model.display
    sizes = {display.length[0]: display.length[1], display.angle[0]: display.angle[1]}
    return {
        f"{table.name}/{name}": table.values[:, k] * sizes.get(unit.split("/")[0], 1.0)
        for table in tables
        for k, (name, unit) in enumerate(zip(table.columns, table.units, strict=True))
    }


def _in_order(lowered: Lowered) -> list[Constraint]:
    """Joints in the program's order, drivers, guiding columns; those without a row of their own left out."""
    types = {joint.name: joint.type for joint in lowered.model.joints}

    def rank(element: Constraint) -> int:
        if element.what == "joint":
            kind = types[element.name]
            return ORDER.index(kind) if kind in ORDER else len(ORDER)
        return len(ORDER) + (1 if element.what == "driver" else 2)

    return sorted((element for element in lowered.elements if element.count), key=rank)


def _bodies(lowered: Lowered, solution: Solution) -> ReportBlock:
    motion, frames = [], beam_frames(lowered, solution)
    for body in lowered.model.bodies:
        record = lowered.bodies.records[lowered.bodies.names[body.name]]
        parts = ((solution.q, record.q), (solution.v, record.v), (solution.a, record.v))
        if isinstance(body, Beam):
            motion.append(frames[:, record.beam])
        else:
            motion.append(np.concatenate([values[:, at : at + 3] for values, at in parts], axis=1))
    first = tuple(str(number) for number in range(1, len(motion) + 1))
    return ReportBlock("", MOTION, first, np.stack(motion, axis=1))


def _points(this: Numbered, columns: dict[str, Floats]) -> ReportBlock:
    names = [point.name for point in this.model.points if point.report]
    return _block("POINTS OF INTEREST", POINT, "mbs Points", names, ("x", "y", "vx", "vy", "ax", "ay"), columns)


def _springs(this: Numbered, columns: dict[str, Floats]) -> Iterator[ReportBlock]:
    straight = [spring.name for spring in this.model.springs if spring.type == TRANSLATIONAL_SPRING.name]
    turning = [spring.name for spring in this.model.springs if spring.type == ROTATIONAL.name]
    forces, moments = (("length", "force"), ("angle", "moment"))
    for title, head, names, (size, load) in (
        ("TRANSLATIONAL SPRINGS", SPRING, straight, forces),
        ("ROTATIONAL SPRINGS", TURNING_SPRING, turning, moments),
    ):
        parts = (size, "rate", f"spring_{load}", f"damper_{load}", load)
        yield _block(title, head, "mbs Springs", names, parts, columns)


def _block(
    title: str, head: tuple[str, ...], sheet: str, names: list[str], parts: tuple[str, ...], columns: dict[str, Floats]
) -> ReportBlock:
    values = [np.stack([columns[f"{sheet}/{name}.{part}"] for part in parts], axis=1) for name in names]
    first = tuple(str(number) for number in range(1, len(names) + 1))
    return ReportBlock(title, head, first, np.stack(values, axis=1) if values else np.zeros((0, 0, 0)))


class _Reactions:
    """Reactions on both bodies of every joint, then what drivers apply to their bodies; the ground has no centre of mass.

    rows: label, then for each body its number with the columns of force and moment about its centre of mass.
    """

    def __init__(self, this: Numbered, columns: dict[str, Floats]) -> None:
        self.rows: list[tuple[str, list[tuple[int, list[Floats]]]]] = []
        self._counted: dict[str, int] = {}
        rank = {kind: number for number, kind in enumerate(ORDER)}
        for joint in sorted(this.model.joints, key=lambda joint: rank.get(joint.type, len(ORDER))):
            sides = [_side(joint, side, this, columns) for side in ("i", "j")]
            self._add(LABELS.get(joint.type, f"{joint.type[:3].upper()}."), sides)
        for driver in this.drivers:
            turning = driver.coordinate == "phi"
            load = columns[f"mbs Drivers/{driver.name}.{'moment' if turning else 'force'}"]
            parts = [load if each == driver.coordinate else np.zeros_like(load) for each in COORDINATES]
            self._add("DRI.", [(this.numbers[driver.body or GROUND], parts)])

    def _add(self, kind: str, sides: list[tuple[int, list[Floats]]]) -> None:
        self._counted[kind] = self._counted.get(kind, 0) + 1
        self.rows.append((f"{kind} {self._counted[kind]}", sides))

    def at(self, n: int) -> list[str]:
        """The lines at a time."""
        rows = []
        for label, sides in self.rows:
            cells = [[str(number), *(fixed(float(part[n]), 3) for part in parts)] for number, parts in sides]
            rows.append([label, *(cell for side in cells for cell in side)])
        return table(REACTION, rows)


def _side(joint: Joint, side: str, this: Numbered, columns: dict[str, Floats]) -> tuple[int, list[Floats]]:
    """Number of a body of a joint, and the force and moment on it."""
    names = [f"mbs Joints/{joint.name}.{side}.{part}" for part in ("fx", "fy", "m_com")]
    unknown = np.full_like(columns[names[0]], np.nan)
    return this.numbers[(joint.i if side == "i" else joint.j).body], [columns.get(name, unknown) for name in names]


def violations(lowered: Lowered, solution: Solution, elements: list[Constraint]) -> tuple[Floats, Floats]:
    """(times, equations) of positions and of velocities, element by element, displacements before angles; planar models."""
    places, signs = _equations(lowered, elements)
    positions, velocities = _all_rows(lowered, solution)
    return positions[:, places] * signs, velocities[:, places] * signs


def _all_rows(lowered: Lowered, solution: Solution) -> tuple[Floats, Floats]:
    """(times, rows of the model) Phi and J v - nu."""
    system = lowered.arrange()
    arrays, work = system.arrays, system.work
    shape = len(solution.times), len(system.kept)
    positions, velocities = np.zeros(shape), np.zeros(shape)
    for n, t in enumerate(solution.read_times):
        solve_positions(arrays, work, t, solution.q[n].copy(), np.inf, DOGLEG)  # evaluates them, and moves nothing
        positions[n, system.kept] = work.phi
        moving = system.jacobian().times(solution.v[n] / arrays.scale)
        velocities[n, system.kept] = moving - work.motion[arrays.row.motion, 1]
    return positions, velocities


def _equations(lowered: Lowered, elements: list[Constraint]) -> tuple[NDArray[np.int64], Floats]:
    """Number of the row, and its sign, of every equation."""
    joints = {joint.name: joint for joint in lowered.model.joints}
    places: list[int] = []
    signs: list[float] = []
    for element in elements:
        own = range(element.first, element.first + element.count)
        kinds = lowered.constraints.rows.kind
        for row in sorted(own, key=lambda row: (kinds[row] in TURNING, row)):
            places.append(row)
            signs.append(_sign(lowered, joints[element.name], own, row) if element.what == "joint" else 1.0)
    return np.array(places, dtype=np.int64), np.array(signs)


def _sign(lowered: Lowered, joint: Joint, own: range, row: int) -> float:
    """The sign that turns one of our rows into body i minus body j, or into body minus ground.

    Our rows count body j against body i. Those of two perpendicular axes are sines of an angle that counts the other way round,
    those of a slide depend on the side on which its normal lies.
    """
    rows = lowered.constraints.rows
    is_turning = rows.kind[row] == RowKind.PERPENDICULAR
    if joint.type == TRANSLATIONAL.name:
        normal = next(rows[each] for each in own if rows.kind[each] == RowKind.IN_PLANE)
        axis = joint.i.axes[:, 2]
        side = float(np.sign(axis[0] * normal.ay - axis[1] * normal.ax))
        return side if is_turning else -side
    if joint.type == FIXED.name:
        towards = 1.0 if joint.i.body == GROUND else -1.0
        return -towards if is_turning else towards
    return -1.0 if joint.type == REVOLUTE.name else 1.0
