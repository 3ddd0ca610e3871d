"""A gait workbook, read and checked, with its sheets Settings, Subject and Processing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, cast

from sheetmbs.gait.reading.misnamed_tabs import misnamed_tabs
from sheetmbs.gait.reading.read_gait_joints import read_frames, read_joints
from sheetmbs.gait.reading.read_normative import read_normative
from sheetmbs.gait.reading.read_plates import read_plates
from sheetmbs.gait.reading.read_segments import read_centres, read_segments
from sheetmbs.gait.reading.read_trials import (
    exchange_plates,
    exchange_sides,
    read_events,
    read_marker_names,
    read_trials,
    trial_sheets,
)
from sheetmbs.gait.reading.resolve_points import (
    KnownPoints,
    needed_centres,
    present_segments,
    resolved_centres,
    resolved_frames,
    resolved_segments,
)
from sheetmbs.gait.reading.rows_together import (
    check_height,
    check_hips,
    check_joints,
    check_limits,
    check_masses,
    check_plates_in_space,
    check_seen,
    check_standing,
)
from sheetmbs.gait.trial.gait_book import GaitBook, Processing, Side, Subject, Trial
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema import gait_inputs as inputs
from sheetmbs.schema import units as u
from sheetmbs.schema.column import SettingRule, Sheet
from sheetmbs.schema.gait_inputs import PROCESSING_SETTINGS, SUBJECT_SETTINGS
from sheetmbs.schema.input_columns import CHARTS
from sheetmbs.schema.meanings import setting_advice
from sheetmbs.schema.names import fold, nearest
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.settings import SETTINGS_BY_FOLD, SETTINGS_SHEET
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.reading.elements.read_loads import chart_rows
from sheetmbs.workbook.reading.input_table import InputTable
from sheetmbs.workbook.reading.settings_rows import setting_value, settings_rows

EARTH = 9.81
IN_SETTINGS = (
    SettingRule("analysis", "gait", ("gait",)),
    SettingRule("dimension", "of the analysis", ("2D", "3D"), default="2D"),
    *(SettingRule(f"gravity_{axis}", "acceleration of gravity", (), u.ACCELERATION) for axis in "xyz"),
)
"""the settings of the sheet Settings that count in a gait workbook"""
SIDES_OF_WORDS: dict[str, tuple[Side, ...]] = {"both": ("right", "left"), "right": ("right",), "left": ("left",)}
PRINTED = ("id", "date", "condition", "speed")
COLOUR = re.compile(r"#?[0-9A-Fa-f]{6}")


def read_gait(book: Book) -> GaitBook:
    """What a gait workbook says. Raises WorkbookError with every problem found, each with its cell."""
    report = ProblemList(book.sheets)
    tabs = _tabs(book, report)

    def table(sheet: Sheet) -> InputTable:
        tab = tabs.get(sheet.name)
        return InputTable(sheet, None if tab is None else book.sheets[tab], report, "3D")

    settings = _settings(table(SETTINGS_SHEET), report)
    subject = read_subject(table(inputs.SUBJECT), report)
    names, cutoffs = read_marker_names(table(inputs.MARKER_NAMES), report)
    processing = read_processing(table(inputs.PROCESSING), cutoffs, report)
    plates = read_plates(table(inputs.PLATES), report)
    centres = read_centres(table(inputs.JOINT_CENTRES), report)
    segments, known = read_segments(table(inputs.SEGMENTS), report)
    in_space = settings.get("dimension") == "3D"
    joints = read_joints(table(inputs.GAIT_JOINTS), segments, known, subject.sides, report, in_space=in_space)
    frames = read_frames(table(inputs.ANATOMICAL_FRAMES), known)
    trials, static = read_trials(book.sheets, names, plates, report)
    if processing.exchange_sides:
        trials, static = tuple(map(exchange_sides, trials)), None if static is None else exchange_sides(static)
        plates = exchange_plates(plates)
    events = read_events(table(inputs.EVENTS), trials, report)
    charts = chart_rows(table(CHARTS))
    normative = tabs.get(inputs.NORMATIVE.name)
    bands = read_normative(None if normative is None else book.sheets[normative], report)
    standing = [static] if static else []
    points = KnownPoints([*trials, *standing], centres, names, report, standing if in_space else None)
    segments, joints = present_segments(segments, joints, points, subject.sides)
    centres = resolved_centres(needed_centres(centres, segments, points), points)
    segments = resolved_segments(segments, points)
    frames = resolved_frames(frames, points)
    check_height(processing, subject, report)
    gravity = max((abs(float(value)) for name, value in settings.items() if name.startswith("gravity")), default=EARTH)
    check_limits(processing, subject, gravity, report)
    check_hips(segments, centres, report)
    check_joints(joints, segments, report)
    if trials:
        check_masses(segments, subject, report)
        check_standing(segments, joints, static, report)
        if not report.found(["number-as-text", "not-a-number"]):  # a column of texts would seem to be blank
            check_seen(trials, segments, centres, report, in_space=in_space)
            if in_space:
                check_plates_in_space(trials, report)
    if in_space:
        check_space(table(SETTINGS_SHEET), static, report)
    if not segments and not report.has_errors:
        mend = "add a sheet Segments: name, proximal, distal; sheetmbs new gait-2d BOOK makes one"
        report.error("missing-sheet", Place(inputs.SEGMENTS.name), "no segments", "a body is made of them", mend)
    if report.has_errors:
        raise WorkbookError(report.problems())
    return GaitBook(
        subject,
        processing,
        cast("Literal['2D', '3D']", settings.get("dimension", "2D")),
        float(gravity),
        trials,
        static,
        plates,
        centres,
        segments,
        joints,
        frames,
        events,
        bands,
        tuple(report.problems()),
        charts,
    )


def check_space(table: InputTable, static: Trial | None, report: ProblemList) -> None:
    """Report a workbook in space that has no standing trial."""
    if static is None:
        place = next(record.place("value") for record in table.records() if fold(record.text("setting")) == "dimension")
        problem = "in 3D axes of segments come from a standing trial"
        report.error("static", place, "dimension: '3D'", problem, "add a sheet Markers static, or write 2D")


def _settings(table: InputTable, report: ProblemList) -> dict[str, float | str]:
    """The settings of the sheet Settings that gait knows; the others belong to other analyses."""
    by_fold = {fold(rule.name): rule for rule in IN_SETTINGS}
    found: dict[str, float | str] = {}
    places: dict[str, Place] = {}
    for record in table.records():
        text = record.text("setting")
        rule = by_fold.get(fold(text))
        record.settle("value", "unit")
        if text and fold(text) not in SETTINGS_BY_FOLD:
            problem = "there is no such setting"
            report.error("unknown-setting", record.place("setting"), quoted(text), problem, setting_advice(text))
        elif rule is not None and rule.name in places:
            problem = f"it is set at {places[rule.name]} already"
            mend = "take one of the rows away"
            report.error("duplicate-setting", record.place("setting"), quoted(text), problem, mend)
            continue
        elif rule is not None:
            places[rule.name] = record.place("value")
        cell = record.cell("value")
        value = None if rule is None or cell is None else setting_value(record, rule, "value", cell, report)
        if rule is not None and value is not None:
            found[rule.name] = value
    pulls = {name: value for name, value in found.items() if name.startswith("gravity")}
    if pulls and not any(pulls.values()):
        name = next(iter(pulls))
        problem, mend = "whoever walks has a weight", f"write its size in m/s^2, or clear the cell for {EARTH}"
        report.error("out-of-range", places[name], f"{name}: 0", problem, mend)
    return found


def _tabs(book: Book, report: ProblemList) -> dict[str, str]:
    """The tabs of input sheets by their names in the format; a tab that nearly has such a name is reported."""
    sheets = (SETTINGS_SHEET, CHARTS, *inputs.GAIT_SHEETS)
    names = {fold(sheet.name): sheet.name for sheet in sheets}
    of_trials = {
        tab for sheet in (inputs.MARKERS, inputs.FORCE_PLATES) for tab in trial_sheets(book.sheets, sheet.name).values()
    }
    tabs: dict[str, str] = {}
    for tab in book.sheets:
        name = names.get(fold(tab))
        if name is not None and name in tabs:
            problem = f"the sheet {quoted(tabs[name])} has the same name but for case, blanks, _ and -"
            report.error("duplicate-sheet", Place(tab), f"the sheet {quoted(tab)}", problem, "rename one of them")
        elif name is not None:
            tabs[name] = tab
        elif tab not in of_trials and not fold(tab).startswith("mbs"):
            meant = nearest(tab, names.values())
            if meant and meant not in book.sheets:
                mend = f"call it {meant} if that is what it is"
                report.warning("near-miss-sheet", Place(tab), f"the sheet {quoted(tab)}", "it is not read", mend)
    return tabs | misnamed_tabs(book, tabs, of_trials, report)


def read_subject(table: InputTable, report: ProblemList) -> Subject:
    """Who walks. What is missing is reported."""
    given = settings_rows(table, SUBJECT_SETTINGS, "a subject", report)
    values = given.values
    if values["anthropometry"] == "de leva" and values["sex"] is None:
        place = given.places.get("anthropometry", Place(table.schema.name))
        problem = "that table has one column for women and one for men"
        report.error("missing-setting", place, "no sex of the subject", problem, "add a row sex: female or male")
    return Subject(
        values["mass"] or 0.0,
        values["height"],
        values["sex"] or "",
        values["anthropometry"],
        SIDES_OF_WORDS[values["side"]],
        {name: _shown(values[name]) for name in PRINTED if values[name] is not None},
        {name: str(place) for name, place in given.places.items()},
    )


def read_processing(table: InputTable, cutoffs: Mapping[str, float], report: ProblemList) -> Processing:
    """How trials are processed. cutoffs: of single markers in Hz."""
    given = settings_rows(table, PROCESSING_SETTINGS, "the processing", report)
    values = given.values
    values["filter_order"] = int(values["filter_order"])
    for name in ("detail", "animation", "exchange_sides"):
        values[name] = values[name] == "yes"
    values["points"] = _points(values["points"], given.places.get("points"), report)
    for name in ("colour_left", "colour_right"):
        values[name] = _colour(name, values[name], given.places.get(name), report)
    if values["cutoff"] == "none" and "edge" not in given.places:
        values["edge"] = 0.0
    forward, up = values["axis_forward"], values["axis_up"]
    if "auto" not in (forward, up) and forward[1] == up[1]:
        place = given.places.get("axis_up", Place(table.schema.name))
        problem = f"axis_forward is {forward}, and forward is level"
        report.error("same-axes", place, f"axis_up: {up}", problem, "name two axes with different letters")
    places = {name: str(place) for name, place in given.places.items()}
    return Processing(**values, cutoffs=dict(cutoffs), places=places)


def _points(value: float, place: Place | None, report: ProblemList) -> int:
    if place is not None and value != int(value):
        problem = "points is a whole number"
        report.error("out-of-range", place, f"points: {value:g}", problem, "write 101 for steps of a percent")
    return int(value)


def _colour(name: str, text: str, place: Place | None, report: ProblemList) -> str:
    if not COLOUR.fullmatch(text) and place is not None:
        problem = "a colour is written with six hexadecimal digits: red, green, blue"
        report.error("wrong-colour", place, f"{name}: {quoted(text)}", problem, "write it as C00000")
    return text.removeprefix("#").upper()


def _shown(value: float | str) -> str:
    return f"{value:g} m/s" if isinstance(value, float) else value
