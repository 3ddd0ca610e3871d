"""What the sheet Settings says of a suspension: gravity and title. It is checked as in any workbook."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, place_of
from sheetmbs.suspension.layout.car import EARTH
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.elements.read_settings import read_settings

SWEPT = fold("suspension")
TIMELESS = "equilibrium"
"""analysis that asks for no times, as sweeps do not"""
GRAVITIES = 1.5, 100.0
"""m/s^2, between a number in g and one in cm/s^2"""


@dataclass(frozen=True)
class GeneralSettings:
    """gravity: m/s^2, downwards. title: of the workbook, ``""`` where it has none."""

    gravity: float = EARTH
    title: str = ""


def read_general_settings(cells: CellSheet | None, report: ProblemList) -> GeneralSettings:
    """Read the sheet Settings of a suspension, if there is one; report what is wrong with it."""
    if cells is None:
        return GeneralSettings()
    settings, _cases = read_settings(_without_analysis(cells), report, analysis=TIMELESS, dimension="3D")
    _check_dimension(cells, settings.cells.get("dimension", ""), report)
    return GeneralSettings(_gravity(settings.gravity, settings.cells, report), settings.title or "")


def _without_analysis(cells: CellSheet) -> CellSheet:
    """The sheet without the row that asks for sweeps, a word which other workbooks do not have."""
    asking = [
        row
        for row, found in cells.rows.items()
        if [fold(str(cell.value)) for _column, cell in sorted(found.items())][:2] == ["analysis", SWEPT]
    ]
    return replace(cells, rows=cells.rows.without(asking)) if asking else cells


def _check_dimension(cells: CellSheet, cell: str, report: ProblemList) -> None:
    """A suspension lives in space."""
    place = place_of(cell)
    found = cells.rows.cell(place.row, place.column) if cell else None
    if found is not None and fold(str(found.value)) == fold("2D"):
        rule = "a suspension is a model in space"
        report.error("wrong-dimension", place, "dimension: 2D", rule, "write 3D, or take the row away")


def _gravity(along: tuple[float, float, float], cells: dict[str, str], report: ProblemList) -> float:
    """Size of gravity, which pulls down: z points up in the model, whatever the axes of Hardpoints are."""
    for axis, value in zip("xy", along, strict=False):
        if value != 0.0 and value == value:  # noqa: PLR0124 - NaN has been reported
            found, rule = (
                f"gravity_{axis} = {value:.4g} m/s^2",
                "a car stands on a level road, and gravity acts along z",
            )
            mend = "take the row away; what pulls the car along or across are ax and ay of a load case"
            report.error("gravity-sideways", place_of(cells[f"gravity_{axis}"]), found, rule, mend)
    down = -along[2]
    if "gravity_z" not in cells or not abs(down) < float("inf"):
        return EARTH
    place, found = place_of(cells["gravity_z"]), f"gravity_z = {along[2]:.4g} m/s^2"
    if down <= 0.0:
        rule = "z points up here, whatever the axes of Hardpoints, and weight holds a car on the road: gravity_z is negative"
        report.error("gravity-upwards", place, found, rule, f"write {-abs(along[2]) or -EARTH:.4g}")
        return EARTH
    if not GRAVITIES[0] <= down <= GRAVITIES[1]:
        rule = f"that is {down / EARTH:.3g} times the Earth's; a number without a unit counts in m/s^2"
        report.warning("large-gravity", place, found, rule, f"write {-EARTH}, or mm/s^2 in the column unit")
    return down
