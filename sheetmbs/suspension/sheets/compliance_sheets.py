"""The sheets `mbs Compliance`, the 12 x 12 compliance at design, and `mbs Compliance Parts`, what each part has in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.table import Table, TextColumn
from sheetmbs.schema.units import parse_unit
from sheetmbs.suspension.compliance.axle_compliance import SPRINGS
from sheetmbs.suspension.designs.design_list import DESIGN_SEPARATOR
from sheetmbs.suspension.elastic.elastic_places import elastic_places
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.metrics.compliance import BRAKE, LATERAL, WHAT, compliance_of, load_vector
from sheetmbs.suspension.metrics.metric import AxlePoses, CornerPoses
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.workbook.sheets.sheet_contents import COMPLIANCE, COMPLIANCE_PARTS

LOADS, MOTIONS = ("fx", "fy", "fz", "mx", "my", "mz"), ("dx", "dy", "dz", "rx", "ry", "rz")
POINTS = ("contact", "wheel centre")
LENGTH = 1e3
"""mm in a metre: moments are in N mm, so that the matrix is as symmetric as it is in SI"""
READINGS = (("toe", LATERAL), ("camber", LATERAL), ("toe", BRAKE))
"""what the sheet of parts tells, and per which load"""
GEOMETRY, SUM = "geometry", "sum"


def compliance_tables(designs: Sequence[SolvedDesign]) -> list[Table]:
    """Both sheets; none where no axle has elastic parts."""
    having = [design for design in designs if design.elastic]
    return [_matrices(having), _parts(having)] if having else []


def _poses(design: SolvedDesign) -> Iterator[AxlePoses]:
    """Axles with elastic parts at their design poses."""
    for name in design.elastic:
        yield AxlePoses(design.car, design.at_rest[name], design.laws[name])


def part_readings(design: SolvedDesign) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Name, unit and what each part has in it, of every reading of a design."""
    for poses in _poses(design):
        yield from part_columns(poses)


def _corners(designs: Sequence[SolvedDesign]) -> list[str]:
    """Corners of all axles with elastic parts, front to rear."""
    axles = {axle.name: axle for design in designs for axle in design.car.axles if axle.name in design.elastic}
    return [axles[name].corner(side) for name in ("front", "rear") if name in axles for side in SIDES]


def _prefix(design: SolvedDesign) -> str:
    return f"{design.name}{DESIGN_SEPARATOR}" if design.name else ""


def _matrices(designs: Sequence[SolvedDesign]) -> Table:
    """A row for each motion of each wheel, at the contact and at the wheel centre, a column for each load."""
    corners = _corners(designs)
    texts: list[tuple[str, str, str, str]] = []
    rows = []
    for design in designs:
        for poses in _poses(design):
            compliance = compliance_of(poses)
            if compliance is None:
                continue
            own = [corner.name for corner in poses.corners]
            for number, point in enumerate(POINTS):
                values = in_mm(compliance.matrix(at_centre=bool(number))[0])
                for at, value in enumerate(values):
                    motion = MOTIONS[at % 6]
                    unit = "mm" if motion.startswith("d") else "rad"
                    texts.append((f"{_prefix(design)}{poses.axle.name}", point, f"{own[at // 6]}.{motion}", unit))
                    rows.append(_spread(corners, own, value))
    heads = ("axle", "at", "row", "row_unit")
    columns = (*heads, *(f"{corner}.{load}" for corner in corners for load in LOADS))
    units = ("", "", "", "", *("1/N" if load.startswith("f") else "1/(N*mm)" for _corner in corners for load in LOADS))
    counted = np.tile(np.arange(1.0, len(rows) + 1.0)[:, None], (1, len(heads)))
    shown = {at: TextColumn([each[at] for each in texts]) for at in range(len(heads))}
    return Table(COMPLIANCE, columns, units, np.hstack((counted, np.array(rows))), texts=shown, repeated=len(heads))


def _spread(corners: Sequence[str], own: Sequence[str], values: Floats) -> Floats:
    """(6 corners,) values of both wheels of an axle under the columns of all wheels; NaN of the others."""
    found = np.full(6 * len(corners), np.nan)
    for number, corner in enumerate(own):
        at = 6 * corners.index(corner)
        found[at : at + 6] = values[6 * number : 6 * number + 6]
    return found


def in_mm(matrix: Floats) -> Floats:
    """A compliance (12, 12) in SI with motions in mm and rad, loads in N and N mm: symmetric as it was."""
    motion, load = np.ones(12), np.ones(12)
    for side in range(len(SIDES)):
        motion[6 * side : 6 * side + 3] = LENGTH
        load[6 * side + 3 : 6 * side + 6] = 1.0 / LENGTH
    return motion[:, None] * matrix * load


def _parts(designs: Sequence[SolvedDesign]) -> Table:
    """A row for each part, a column for each reading of the left wheel of each axle, in the unit of the metric."""
    columns: dict[str, tuple[str, Mapping[str, float]]] = {}
    order: dict[str, None] = {}
    for design in designs:
        for poses in _poses(design):
            order |= dict.fromkeys(place.name for place in elastic_places(poses.axle))
            for name, unit, found in part_columns(poses):
                columns[f"{_prefix(design)}{name}"] = unit, found
    told = {part for _unit, found in columns.values() for part in found}
    parts = [*(part for part in order if part in told), SPRINGS, GEOMETRY, SUM]
    values = np.array([[found.get(part, np.nan) for _unit, found in columns.values()] for part in parts])
    counted = np.arange(1.0, len(parts) + 1.0)[:, None]
    units = ("", *(unit for unit, _found in columns.values()))
    return Table(
        COMPLIANCE_PARTS,
        ("part", *columns),
        units,
        np.hstack((counted, values)),
        texts={0: TextColumn(parts)},
        marked=(len(parts) - 1,),
    )


def part_columns(poses: AxlePoses) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Name, unit and what each part has in it, of every reading of the left wheel of an axle at its design pose."""
    compliance = compliance_of(poses)
    if compliance is None:
        return
    corner = poses.corners[0]
    unit = "deg/kN"
    size = parse_unit(unit).size
    for what, load in READINGS:
        vector = load_vector(poses.axle.word("brakes"), load, "")
        reading = reading_row(corner, what)
        shares = {part: float(each[0]) for part, each in compliance.part_shares(vector, reading).items()}
        whole = float(reading @ compliance.held.motion[0] @ vector)
        shares |= {GEOMETRY: whole - sum(shares.values()), SUM: whole}
        yield f"{corner.name}.{what}_per_{load}", unit, {part: value / size for part, value in shares.items()}


def reading_row(corner: CornerPoses, what: str) -> Floats:
    """(24,) coefficients of the motions of both wheels in what is read of one at its only pose."""
    reading = WHAT[what][0]
    return np.array([float(reading(corner, motion[None])[0]) for motion in np.eye(24)])
