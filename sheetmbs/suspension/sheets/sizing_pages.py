"""The sheets mbs Members and mbs Packaging: a row for each member, and for each clearance, of each side and design."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sheetmbs.schema.units import parse_unit
from sheetmbs.suspension.designs.design_list import DESIGN_SEPARATOR
from sheetmbs.suspension.layout.car import CarData, ResultUnits
from sheetmbs.suspension.sheets.table_page import TableColumn, table_page
from sheetmbs.suspension.sheets.words import shown_unit
from sheetmbs.suspension.sizing.clearances import MemberClearance
from sheetmbs.suspension.sizing.member_strength import MemberStrength
from sheetmbs.suspension.sizing.sized_car import SizedCar, shown_pose
from sheetmbs.workbook.sheets.page_contents import Page
from sheetmbs.workbook.sheets.sheet_contents import CLEARANCES, SIZED_MEMBERS

AREA, STRESS, DEGREES, MASS = "mm^2", "MPa", "deg", "kg"
NO_UNIT = "N/N"
YES, NO = "yes", "no"
Shown = tuple[str, str, int, Callable[[MemberStrength], float]]
"""a column of numbers: name, unit, decimals, and its value in SI"""


def member_numbers(units: ResultUnits) -> tuple[Shown, ...]:
    """The columns of numbers of mbs Members, in their order."""
    force, length = units.force, units.length
    return (
        ("tension", force, 1, lambda of: of.tension),
        ("compression", force, 1, lambda of: of.compression),
        ("length", length, 3, lambda of: of.length),
        ("area", AREA, 4, lambda of: of.row.section.area),
        ("stress", STRESS, 2, lambda of: of.stress),
        ("yield_reserve", NO_UNIT, 3, lambda of: of.yield_reserve),
        ("slenderness", NO_UNIT, 2, lambda of: of.buckling.slenderness),
        ("buckling_load", force, 2, lambda of: of.buckling.load),
        ("buckling_reserve", NO_UNIT, 3, lambda of: of.buckling_reserve),
        ("rod_end_reserve", NO_UNIT, 3, lambda of: of.rod_end_reserve),
        ("inner_angle", DEGREES, 2, lambda of: of.angles[0]),
        ("outer_angle", DEGREES, 2, lambda of: of.angles[1]),
        ("mass", MASS, 4, lambda of: of.mass),
    )


def _angle_at(of: MemberStrength, units: ResultUnits) -> str:
    return "" if of.worst is None else str(shown_pose(of.worst, of.axle, of.side, units))


TEXTS_AFTER: Mapping[str, tuple[str, Callable[[MemberStrength, ResultUnits], str]]] = {
    "tension": ("tension_case", lambda of, _units: of.tension_case),
    "compression": ("compression_case", lambda of, _units: of.compression_case),
    "buckling_load": ("buckling_by", lambda of, _units: of.buckling.by),
    "outer_angle": ("angle_at", _angle_at),
}
"""columns of texts, by the column of numbers that each follows"""


LEAST_RESERVE, CLEARANCE = "least_reserve", "clearance"
SIZING_COLUMNS = frozenset((LEAST_RESERVE, CLEARANCE, *(name for name, *_rest in member_numbers(ResultUnits()))))
"""last words of the columns that follow from members and clearances, beside the metrics of the design pose"""


def sizing_units(car: CarData) -> dict[str, str]:
    """The units of these columns of a car that has not been solved yet."""
    found = {}
    for row in car.sized:
        axle = next(axle for axle in car.axles if axle.name == row.axle)
        found[f"{row.axle}.{LEAST_RESERVE}"] = NO_UNIT
        for owner in (row.axle,) if row.span.is_central else map(axle.corner, row.sides):
            found |= {f"{owner}.{row.span.name}.{name}": unit for name, unit, *_rest in member_numbers(car.units)}
    for pair in car.packaged:
        axle = next(axle for axle in car.axles if axle.name == pair.axle)
        found |= {f"{axle.corner(side)}.{pair.name}.{CLEARANCE}": car.units.length for side in pair.sides}
    return found


def sizing_values(sized: SizedCar) -> dict[str, tuple[float, str]]:
    """What members and clearances of a design are known by, as columns with their units: ``FL.tie rod.buckling_reserve``."""
    found = {f"{axle}.{LEAST_RESERVE}": (reserve.value, NO_UNIT) for axle, (_of, reserve) in sized.least.items()}
    for member in sized.members:
        for column, unit, _decimals, find in member_numbers(sized.units):
            found[f"{member.name}.{column}"] = find(member) / size_in(unit), unit
    unit = sized.units.length
    for each in sized.clearances:
        found[f"{each.axle.corner(each.side)}.{each.pair.name}.{CLEARANCE}"] = each.value / size_in(unit), unit
    return found


def size_in(unit: str) -> float:
    """How large one of a unit is in SI."""
    return parse_unit(unit).size


def members_page(designs: Mapping[str, SizedCar]) -> Page | None:
    """The sheet of the members of all designs, the first of which has no name; None where no member is sized."""
    rows = [(name, sized, member) for name, sized in designs.items() for member in sized.members]
    if not rows:
        return None
    columns = [TableColumn("member", "", None, [_named(name, member.name) for name, _sized, member in rows])]
    for column, unit, decimals, find in member_numbers(rows[0][1].units):
        values = [find(member) / size_in(unit) for _name, _sized, member in rows]
        columns.append(TableColumn(column, shown_unit(unit), decimals, values))
        if column in TEXTS_AFTER:
            head, tell = TEXTS_AFTER[column]
            columns.append(TableColumn(head, "", None, [tell(member, sized.units) for _name, sized, member in rows]))
    return table_page(SIZED_MEMBERS, columns)


def packaging_page(designs: Mapping[str, SizedCar]) -> Page | None:
    """The sheet of the clearances of all designs, likewise."""
    rows = [(name, sized, each) for name, sized in designs.items() for each in sized.clearances]
    if not rows:
        return None
    unit = rows[0][1].units.length
    poses = [shown_pose(each.worst, each.axle, each.side, sized.units) for _name, sized, each in rows]
    found: list[MemberClearance] = [each for _name, _sized, each in rows]
    return table_page(
        CLEARANCES,
        (
            TableColumn("name", "", None, [_named(name, each.pair.name) for name, _sized, each in rows]),
            TableColumn("corner", "", None, [each.axle.corner(each.side) for each in found]),
            TableColumn("clearance", unit, 3, [each.value / size_in(unit) for each in found]),
            TableColumn("least", unit, 3, [each.pair.least / size_in(unit) for each in found]),
            TableColumn("sweep", "", None, [pose.name for pose in poses]),
            TableColumn("travel", unit, 3, [pose.travel for pose in poses]),
            TableColumn("rack", unit, 3, [pose.rack for pose in poses]),
            TableColumn("ok", "", None, [YES if each.is_kept else NO for each in found]),
        ),
    )


def _named(design: str, name: str) -> str:
    return f"{design}{DESIGN_SEPARATOR}{name}" if design else name
