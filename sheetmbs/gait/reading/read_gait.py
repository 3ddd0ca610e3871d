"""A gait workbook, read and checked, with its sheets Settings, Subject and Processing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, cast

from sheetmbs.gait.reading.functional_trials import functional_trials, trials_of_centres
from sheetmbs.gait.reading.misnamed_tabs import misnamed_tabs
from sheetmbs.gait.reading.read_body import read_body
from sheetmbs.gait.reading.read_conventional import is_conventional
from sheetmbs.gait.reading.read_normative import read_normative
from sheetmbs.gait.reading.read_plates import read_plates
from sheetmbs.gait.reading.read_trial_uses import used_trials
from sheetmbs.gait.reading.read_trials import (
    exchange_plates,
    exchange_sides,
    read_events,
    read_marker_names,
    read_trials,
    trial_sheets,
)
from sheetmbs.gait.reading.read_uncertainty import check_owners, read_uncertainty
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
from sheetmbs.gait.trial.error_sources import USUAL
from sheetmbs.gait.trial.gait_book import GaitBook, Processing, Side, Subject, Trial
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema import gait_inputs as inputs
from sheetmbs.schema import units as u
from sheetmbs.schema.column import SettingRule, Sheet
from sheetmbs.schema.gait_inputs import PROCESSING_SETTINGS, SUBJECT_SETTINGS, SUBJECT_TEXTS
from sheetmbs.schema.gait_trials import TRIALS
from sheetmbs.schema.input_columns import CHARTS
from sheetmbs.schema.meanings import setting_advice
from sheetmbs.schema.names import fold, nearest
from sheetmbs.schema.problem_list import Place, ProblemList, place_of, quoted
from sheetmbs.schema.settings import SETTINGS_BY_FOLD, SETTINGS_SHEET
from sheetmbs.schema.uncertainty_inputs import UNCERTAINTY
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
PRINTED = ("id", "date", "condition", "speed", "logo", *SUBJECT_TEXTS)
LARGEST_EVENT_OFFSET = 0.5
"""s: more is longer than half a step, and would be of another event"""
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
    in_space = settings.get("dimension") == "3D"
    recorded, static = read_trials(book.sheets, names, plates, report)
    walking, functional = functional_trials(trials_of_centres(table(inputs.JOINT_CENTRES)), recorded, report)
    trials = used_trials(table(TRIALS), walking, functional, subject.printed.get("condition", ""), report)
    if processing.exchange_sides:
        trials, static = tuple(map(exchange_sides, trials)), None if static is None else exchange_sides(static)
        plates, functional = exchange_plates(plates), tuple(map(exchange_sides, functional))
    idle = {fold(each.name) for each in recorded} - {fold(each.name) for each in trials}
    events = read_events(table(inputs.EVENTS), trials, idle, report)
    charts = chart_rows(table(CHARTS))
    errors = read_uncertainty(table(UNCERTAINTY), report)
    normative = _norm_tab(book, tabs, processing, report)
    bands = read_normative(None if normative is None else book.sheets[normative], report)
    body = read_body(table, processing, subject.sides, (trials, static), names, report, in_space=in_space)
    centres, segments, joints, frames = body.centres, body.segments, body.joints, body.frames
    check_height(processing, subject, report)
    standing = [static] if static else []
    check_owners(errors or (), [*trials, *standing], [row.name for row in centres], segments, report, in_space=in_space)
    gravity = max((abs(float(value)) for name, value in settings.items() if name.startswith("gravity")), default=EARTH)
    check_limits(processing, subject, gravity, report)
    check_hips(segments, centres, report)
    check_joints(joints, segments, report)
    if trials:
        check_masses(segments, subject, report)
        check_standing(segments, joints, static, report)
        if not report.found(["number-as-text", "not-a-number"]):  # a column of texts would seem to be blank
            check_seen(trials, segments, centres, report, in_space=in_space and body.model is None)
            if in_space:
                check_plates_in_space(trials, report)
    if in_space and not is_conventional(processing):
        check_space(table(SETTINGS_SHEET), static, report)
    if body.model is None and not segments and not report.has_errors:
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
        USUAL if errors is None else errors,
        body.model,
        functional,
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
        elif tab not in of_trials and not fold(tab).startswith("mbs") and not _is_norm(tab):
            meant = nearest(tab, names.values())
            if meant and meant not in book.sheets:
                mend = f"call it {meant} if that is what it is"
                report.warning("near-miss-sheet", Place(tab), f"the sheet {quoted(tab)}", "it is not read", mend)
    return tabs | misnamed_tabs(book, tabs, of_trials, report)


def _norm_tab(book: Book, tabs: Mapping[str, str], processing: Processing, report: ProblemList) -> str | None:
    """The sheet of the norm: Normative, or the one of the bin that Processing names. A bin that is not there is reported."""
    if not processing.norm:
        return tabs.get(inputs.NORMATIVE.name)
    bins = {tab: fold(tab).removeprefix(fold(inputs.NORMATIVE.name)).strip() for tab in book.sheets if _is_norm(tab)}
    found = next((tab for tab, name in bins.items() if fold(processing.norm) in (name, fold(tab))), None)
    if found is None:
        names = [tab.partition(" ")[2] for tab in bins if " " in tab]
        mend = f"bins are {', '.join(names)}" if names else "sheetmbs norms --bins makes such sheets"
        place = place_of(processing.places["norm"])
        problem = f"there is no sheet {inputs.NORMATIVE.name} {processing.norm}"
        report.error("unknown-name", place, f"norm: {quoted(processing.norm)}", problem, mend)
    return found


def _is_norm(tab: str) -> bool:
    """Whether a sheet holds a norm, or one of its bins."""
    return fold(tab) == fold(inputs.NORMATIVE.name) or fold(tab).startswith(f"{fold(inputs.NORMATIVE.name)} ")


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
    for name in ("detail", "animation", "exchange_sides", "foot_flat", "bands", "residual_reduction"):
        values[name] = values[name] == "yes"
    values["points"] = _points(values["points"], given.places.get("points"), report)
    for name in ("colour_left", "colour_right"):
        values[name] = _colour(name, values[name], given.places.get(name), report)
    if values["cutoff"] == "none" and "edge" not in given.places:
        values["edge"] = 0.0
    values["event_offset"] = _event_offset(values["event_offset"], given.places.get("event_offset"), report)
    values["norm"] = values["norm"] or ""
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


def _event_offset(text: str, place: Place | None, report: ProblemList) -> str | tuple[float, float]:
    """``own``, ``none``, or the offsets of strikes and toe offs in s."""
    if fold(text) in ("own", "none"):
        return fold(text)
    try:
        strike, off = (float(part) for part in text.split(";"))
    except ValueError:
        problem = "it is own, none, or two numbers in s: that of strikes; that of toe offs"
        mend = "write it as -0.045; 0.010 (motion less plate), or clear the row for own"
        report.error("unknown-value", place or Place("Processing"), f"event_offset: {quoted(text)}", problem, mend)
        return "own"
    if max(abs(strike), abs(off)) > LARGEST_EVENT_OFFSET:
        problem = f"estimates miss plates by less than {LARGEST_EVENT_OFFSET:g} s"
        mend = "write both in s, as -0.045; 0.010"
        report.error("out-of-range", place or Place("Processing"), f"event_offset: {quoted(text)}", problem, mend)
    return strike, off


def _colour(name: str, text: str, place: Place | None, report: ProblemList) -> str:
    if not COLOUR.fullmatch(text) and place is not None:
        problem = "a colour is written with six hexadecimal digits: red, green, blue"
        report.error("wrong-colour", place, f"{name}: {quoted(text)}", problem, "write it as C00000")
    return text.removeprefix("#").upper()


def _shown(value: float | str) -> str:
    return f"{value:g} m/s" if isinstance(value, float) else value
