"""The ordinary model of a suspension moved through its sweeps: as results, as a picture in frames, as general result sheets."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from sheetmbs.analysis.analyse import analyse
from sheetmbs.lower import lower
from sheetmbs.model.model import Model
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.results.case_results import tables_of_cases
from sheetmbs.results.columns.collect import written
from sheetmbs.results.pictures.moving_picture import moving_picture, picture_of_cases
from sheetmbs.results.pictures.strokes import Rim
from sheetmbs.results.result_sheets import result_sheets
from sheetmbs.results.results import Results
from sheetmbs.schema.table import Table
from sheetmbs.suspension.generated.generate import point_name
from sheetmbs.suspension.generated.known_models import KnownModels
from sheetmbs.suspension.layout.car import SIDES, CarData
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE
from sheetmbs.suspension.ordinary_sheets import ordinary_sheets, swept_cases
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.workbook.cells.cells import Book, filled_cells
from sheetmbs.workbook.reading.read_workbook import CaseModels, build_each_case
from sheetmbs.workbook.sheets.sheet_contents import MovingPicture


def moved_sweeps(
    design: SolvedDesign, path: Path, asked: Collection[str], known: KnownModels | None = None
) -> tuple[dict[str, Results], Mapping[str, Sequence[Problem]]]:
    """The ordinary model of each sweep that is asked for, moved through it, and why others are none. path: of the workbook.

    known: models of the same design with other numbers, where one sweep is asked for again and again.
    """
    found = _sweep_models(design, path) if known is None else _known_sweep(design, path, known)
    moved = {name: _moved(model) for name, model in found.models.items() if name in asked}
    without_charts = {name: replace(each, sheets=replace(each.sheets, charts=())) for name, each in moved.items()}
    return without_charts, {name: tuple(problems) for name, problems in found.refused.items() if name in asked}


def _sweep_models(design: SolvedDesign, path: Path) -> CaseModels:
    sheets = {each.name: filled_cells(each) for each in ordinary_sheets(design, path.stem)}
    return build_each_case(Book(path, b"", sheets, {}))


def _known_sweep(design: SolvedDesign, path: Path, known: KnownModels) -> CaseModels:
    """The model of the only sweep of a design, of which only what differs from earlier ones is read."""
    (name,) = swept_cases(design)
    sheets = {each.name: filled_cells(each) for each in ordinary_sheets(design, path.stem)}
    found = CaseModels((name,), {}, {}, path, b"")
    try:
        found.models[name] = known.of(("moved", name), Book(path, b"", sheets, {}))
    except WorkbookError as error:
        found.refused[name] = error.problems
    return found


def _moved(model: Model) -> Results:
    lowered = lower(model)
    solution = analyse(lowered)
    return Results(model, solution.status, result_sheets(lowered, solution), lowered, solution)


def wheel_rims(design: SolvedDesign, model: Model) -> Iterator[Rim]:
    """The tyres of a suspension, about the axes on which its wheels spin."""
    for axle in design.car.axles:
        radius = axle.number("tyre radius")
        for side in SIDES:
            centre = next((each for each in model.points if each.name == point_name(axle, side, WHEEL_CENTRE)), None)
            if radius and centre is not None:
                axis = np.asarray(axle.spin_axis(side), dtype=np.float64)
                yield Rim(f"{axle.corner(side)} wheel", centre.marker, axis, radius)


def is_animated(car: CarData) -> bool:
    """Whether the sweeps are to be drawn on a sheet."""
    return car.settings.get("animation") == "yes"


def swept_picture(design: SolvedDesign, path: Path) -> MovingPicture | None:
    """All sweeps of a design in one picture; None where there is none."""
    projection = str(design.car.settings.get("projection", "yz"))
    pictures = {}
    for name, moved in moved_sweeps(design, path, swept_cases(design))[0].items():
        model = replace(moved.model, settings=replace(moved.model.settings, projection=projection))
        picture = moving_picture(model, moved.sheets.tables, tuple(wheel_rims(design, model)))
        if picture is not None:
            pictures[name] = picture
    return replace(picture_of_cases(pictures, "sweep"), course=("pose", "")) if pictures else None


SETTING = "detail"


def is_detailed(car: CarData) -> bool:
    """Whether the general result sheets are asked for."""
    return car.settings.get(SETTING) == "yes"


def detail_tables(design: SolvedDesign, path: Path) -> tuple[tuple[Table, ...], tuple[Problem, ...]]:
    """The tables of all sweeps, named as those of cases are, and warnings of sweeps that have none or break off."""
    found = _sweep_models(design, path)
    sheets = {name: _moved(model).sheets for name, model in found.models.items()}
    shown = {name: written(each, found.models[name].settings.results) for name, each in sheets.items()}
    told = found.refused | {name: each.problems for name, each in sheets.items()}
    tables = tables_of_cases(shown, found.names)
    cell = design.car.cells.get(SETTING, "Suspension")
    errors = ((name, next((each for each in told[name] if each.severity == "error"), None)) for name in told)
    warnings = [_warning(name, each, cell) for name, each in errors if each is not None]
    return tuple(table for case in tables.values() for table in case), tuple(warnings)


def _warning(sweep: str, problem: Problem, cell: str) -> Problem:
    rule = f"as an ordinary model it does not run to its end: {problem.found}, {problem.problem}"
    mend = f"see the sheet mbs Sweep {sweep}, which does not depend on it"
    return Problem("no-detail", "warning", cell, f"the general result sheets of the sweep {sweep}", rule, mend)
