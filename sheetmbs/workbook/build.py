"""From the sheets of a workbook to a model."""

from __future__ import annotations

from sheetmbs.errors import WorkbookError
from sheetmbs.model import Model
from sheetmbs.workbook.build_bodies import read_bodies
from sheetmbs.workbook.build_curves import read_curves
from sheetmbs.workbook.build_joints import read_joints, read_points
from sheetmbs.workbook.build_loads import Driven, read_charts, read_drivers, read_forces
from sheetmbs.workbook.build_series import read_force_series, read_guiding
from sheetmbs.workbook.build_settings import read_settings
from sheetmbs.workbook.build_springs import read_springs
from sheetmbs.workbook.cases import find_cases
from sheetmbs.workbook.cells import Book
from sheetmbs.workbook.context import Context
from sheetmbs.workbook.input_sheets import input_sheets
from sheetmbs.workbook.registry import Registry
from sheetmbs.workbook.report import Report


def build_model(book: Book, analysis: str | None = None, case: str | None = None) -> Model:
    """The model in an open workbook. Raises WorkbookError with everything that is wrong, and warnings, in its order."""
    report = Report(book.sheets)
    sheets = input_sheets(book, report)
    settings, cases = read_settings(sheets.get("Settings"), report, analysis, case)
    joints_and_drivers = Registry("joint", "Joints", report)
    context = Context(
        sheets,
        report,
        settings,
        cases,
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


def list_cases(book: Book) -> list[tuple[str, str]]:
    """The cases of an open workbook, each with its analysis."""
    report = Report(book.sheets)
    cells = input_sheets(book, report).get("Settings")
    return [(name, read_settings(cells, report, None, name)[0].analysis) for name in find_cases(cells).names]
