"""From the sheets of a workbook to a model."""

from __future__ import annotations

from sheetmbs.errors import WorkbookError
from sheetmbs.model import Model
from sheetmbs.schema.column import Sheet
from sheetmbs.schema.names import fold, nearest
from sheetmbs.schema.sheets import SHEETS, SHEETS_BY_FOLD
from sheetmbs.workbook.build_bodies import read_bodies, read_joints, read_points
from sheetmbs.workbook.build_curves import read_curves
from sheetmbs.workbook.build_loads import Driven, read_charts, read_drivers, read_forces, read_springs
from sheetmbs.workbook.build_series import read_force_series, read_guiding
from sheetmbs.workbook.build_settings import read_settings
from sheetmbs.workbook.cells import Book, CellSheet
from sheetmbs.workbook.context import Context
from sheetmbs.workbook.fields import HEADER_ROW, is_empty
from sheetmbs.workbook.registry import Registry
from sheetmbs.workbook.report import Place, Report

OWN_SHEETS = "mbs "


def build_model(book: Book, analysis: str | None = None) -> Model:
    """The model in an open workbook. Raises WorkbookError with everything that is wrong, and warnings, in its order."""
    report = Report(book.sheets)
    sheets = _input_sheets(book, report)
    settings, places = read_settings(sheets.get("Settings"), report, analysis)
    if settings.dimension == "3D":
        mend = "write 2D, or use a later version"
        found, problem = "a 3D model", "this version reads planar models only"
        report.error("not-yet", places["dimension"], found, problem, mend)
        raise WorkbookError(report.problems())
    joints_and_drivers = Registry("joint", "Joints", report)
    context = Context(
        sheets,
        report,
        settings,
        bodies=Registry("body", "Bodies", report),
        points=Registry("point", "Points", report),
        joints=joints_and_drivers,
        drivers=Registry("driver", "Drivers", report, (joints_and_drivers,)),
        forces=Registry("force", "Forces", report),
        springs=Registry("spring", "Springs", report),
        curves=Registry("curve", "Curves", report),
        given_curves={},
    )
    model = _read_elements(book, context)
    if report.has_errors:
        raise WorkbookError(report.problems())
    return model


def _read_elements(book: Book, context: Context) -> Model:
    driven: Driven = {}
    bodies, poses, display = read_bodies(context)
    scene = read_points(context, poses)
    curves = read_curves(context)
    joints = read_joints(context, scene)
    drivers = read_drivers(context, bodies, joints, driven)
    guiding = read_guiding(context, joints, driven)
    forces = read_forces(context, scene)
    force_series = read_force_series(context)
    springs = read_springs(context, scene)
    charts = read_charts(context)
    return Model(
        context.settings,
        bodies,
        tuple(scene.points.values()),
        joints,
        (*drivers, *guiding),
        forces,
        force_series,
        springs,
        curves,
        charts,
        display,
        source=book.path,
        warnings=tuple(context.report.problems()),
    )


def _input_sheets(book: Book, report: Report) -> dict[str, CellSheet]:
    """The sheets of the format, by their names in it. What is missing, doubled, hidden or nearly right is reported."""
    sheets: dict[str, CellSheet] = {}
    found: dict[str, str] = {}
    near: dict[str, str] = {}
    for name in book.sheets:
        if fold(name).startswith(OWN_SHEETS):
            continue
        schema = SHEETS_BY_FOLD.get(fold(name))
        if schema is None:
            meant = nearest(name, [sheet.name for sheet in SHEETS])
            if meant:
                near[meant] = name
                mend = f"call it {meant} if that is what it is"
                report.warning("near-miss-sheet", Place(name), f"the sheet {name}", "it is not read", mend)
            continue
        if schema.name in found:
            problem = f"the sheet {found[schema.name]} has the same name but for case, blanks, _ and -"
            report.error("duplicate-sheet", Place(name), f"the sheet {name}", problem, "rename one of them")
            continue
        found[schema.name] = name
        cells = _open_sheet(book, name, report)
        if cells is None:
            continue
        sheets[schema.name] = cells
        if cells.hidden:
            mend = "show it, or rename it if it is not to count"
            report.warning("hidden-sheet", Place(name), f"the hidden sheet {name}", "it is read all the same", mend)
        if not schema.readable and _has_data(cells):
            mend = "rename or empty the sheet, or use a later version"
            report.error("not-yet", Place(name), f"the sheet {name}", "this version cannot read it", mend)
    for schema in SHEETS:
        if schema.required and schema.name not in found:
            _report_missing(schema, near.get(schema.name), report)
    return sheets


def _has_data(cells: CellSheet) -> bool:
    """Whether a sheet holds more than headers."""
    return any(
        not is_empty(cell) for row, content in cells.rows.items() if row > HEADER_ROW for cell in content.values()
    )


def _report_missing(schema: Sheet, meant: str | None, report: Report) -> None:
    mend = f"rename the sheet {meant}" if meant else f"add a sheet {schema.name}: {schema.doc}"
    problem = "a model needs this sheet"
    report.error("missing-sheet", Place(schema.name), f"no sheet {schema.name}", problem, mend)


def _open_sheet(book: Book, name: str, report: Report) -> CellSheet | None:
    try:
        return book.sheets[name]
    except WorkbookError as error:
        for problem in error.problems:
            report.add(Place(name), problem)
        return None
