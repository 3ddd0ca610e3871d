"""A workbook whose joint centres, segments and joints the conventional gait model makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from sheetmbs.gait.conventional.body_rows import MASSES, centre_rows, joint_rows, segment_names, segment_rows
from sheetmbs.gait.reading.read_anthropometry import read_anthropometry
from sheetmbs.gait.reading.read_segments import read_centres, segment_numbers
from sheetmbs.gait.reading.read_trials import LabelRow
from sheetmbs.gait.reading.resolve_points import KnownPoints
from sheetmbs.gait.trial.gait_book import (
    OF_LEG,
    OF_PELVIS,
    THORAX,
    CentreRow,
    ConventionalModel,
    JointRow,
    Processing,
    SegmentRow,
    Side,
    Trial,
)
from sheetmbs.gait.trial.marker_synonyms import model_name
from sheetmbs.schema import gait_inputs as inputs
from sheetmbs.schema.column import Sheet
from sheetmbs.schema.gait_anthropometry import ANTHROPOMETRY
from sheetmbs.schema.gait_inputs import BodyModel, CentreKind, HipRule, SegmentMethod
from sheetmbs.schema.names import fold, nearest
from sheetmbs.schema.problem_list import Place, ProblemList, place_of, quoted
from sheetmbs.workbook.reading.input_table import InputTable

TableOf = Callable[[Sheet], InputTable]
Rows = tuple[ConventionalModel, tuple[CentreRow, ...], tuple[SegmentRow, ...], tuple[JointRow, ...]]
OWN_MASSES = replace(
    inputs.SEGMENTS, columns=tuple(replace(each, required=each.name == "name") for each in inputs.SEGMENTS.columns)
)
"""the sheet Segments where a row gives masses alone"""
MAKES = "the conventional gait model makes it itself"


def read_conventional(
    table: TableOf,
    processing: Processing,
    sides: Sequence[Side],
    recorded: tuple[Sequence[Trial], Trial | None],
    names: Sequence[LabelRow],
    report: ProblemList,
) -> Rows | None:
    """The model and its rows; None where something is missing, which is reported. recorded: trials, and the standing one."""
    trials, static = recorded
    cell = processing.places["model"]
    measures = read_anthropometry(table(ANTHROPOMETRY), sides, report, is_needed=True)
    own_hips = _own_hips(table(inputs.JOINT_CENTRES), processing, sides, report)
    for sheet, first in ((inputs.GAIT_JOINTS, "name"), (inputs.ANATOMICAL_FRAMES, "segment")):
        _refuse_rows(table(sheet), first, report)
    if processing.kinematics != SegmentMethod.SEGMENTS:
        place = place_of(processing.places["kinematics"])
        rule = "the conventional gait model has kinematics of its own"
        report.error("kinematics", place, f"kinematics: {processing.kinematics}", rule, "write segments, or clear it")
    if static is None:
        rule = "it tells how the feet stand and how far the anterior spines are apart"
        mend = "add a sheet Markers static with the subject standing, or write model segments"
        report.error("missing-sheet", place_of(cell), "model: cgm", f"no sheet Markers static: {rule}", mend)
    markers = _markers([*trials, *([static] if static else [])], static, sides, names, place_of(cell), report)
    if measures is None or markers is None:
        return None
    model = ConventionalModel(measures, processing.hip_centre, processing.foot_flat, markers, cell)
    overrides = _overrides(table(OWN_MASSES), segment_names(model, sides), report)
    points = KnownPoints([*trials, *([static] if static else [])], (), names, report)
    resolved = tuple(
        replace(row, markers=tuple(points.resolve(each, row.cells["markers"]) for each in row.markers))
        for row in own_hips
    )
    centres = tuple(centre_rows(model, sides, resolved))
    segments, joints = tuple(segment_rows(model, sides, overrides)), tuple(joint_rows(model, sides))
    return model, centres, segments, joints


def is_conventional(processing: Processing) -> bool:
    """Whether that model makes the body."""
    return processing.model == BodyModel.CONVENTIONAL


def _own_hips(table: InputTable, processing: Processing, sides: Sequence[Side], report: ProblemList) -> list[CentreRow]:
    """Rows of Joint centres that the rule score needs; all others are refused."""
    if processing.hip_centre != HipRule.SCORE:
        _refuse_rows(table, "name", report)
        return []
    rows = read_centres(table, report)
    wanted = {fold(f"{side} hip centre"): f"{side} hip centre" for side in sides}
    hips = [replace(row, name=wanted[fold(row.name)]) for row in rows if fold(row.name) in wanted]
    for row in rows:
        if fold(row.name) not in wanted:
            mend = f"take the row away; with hip_centre score this sheet has {' and '.join(wanted.values())}"
            report.error("of-the-model", place_of(row.cells["name"]), quoted(row.name), MAKES, mend)
        elif row.kind != CentreKind.SCORE:
            place = place_of(row.cells["kind"])
            problem = "hip_centre on Processing is score"
            report.error("of-the-model", place, f"kind of {row.name}: {row.kind}", problem, "write score here too")
    for name in wanted.values():
        if name not in {row.name for row in hips}:
            place = place_of(processing.places["hip_centre"])
            problem = f"Joint centres has no row {name}"
            mend = f"add one: {name}, score, markers of the pelvis | markers of the thigh; or write davis"
            report.error("missing-row", place, "hip_centre: score", problem, mend)
    return hips


def _refuse_rows(table: InputTable, first: str, report: ProblemList) -> None:
    """An error for the rows of a sheet that the model makes, told once."""
    rows = [record for record in table.records() if record.is_active]
    for record in rows:
        record.settle(*(column.name for column in table.schema.columns))
    if rows:
        count = "1 row" if len(rows) == 1 else f"{len(rows)} rows"
        mend = "take them away, begin them with #, or write model segments on Processing"
        report.error("of-the-model", rows[0].place(first), f"{count} on {table.schema.name}", MAKES, mend)


def _overrides(table: InputTable, known: Sequence[str], report: ProblemList) -> dict[str, dict[str, float | str]]:
    """Masses that Segments gives to segments of the model."""
    by_fold = {fold(name): name for name in known}
    found: dict[str, dict[str, float | str]] = {}
    for record in table.records():
        if not record.is_active:
            continue
        text = record.text("name")
        name = by_fold.get(fold(text))
        others = [
            column.name for column in table.schema.columns if column.name not in ("name", "active", "notes", *MASSES)
        ]
        record.settle(*others)
        numbers = segment_numbers(record)
        filled = [column for column in others if record.given(column)]
        if text and name is None:
            near = nearest(text, known)
            mend = f"did you mean {near}?" if near else f"its segments are {', '.join(known)}"
            problem = "the conventional gait model has no such segment"
            report.error("unknown-segment", record.place("name"), quoted(text), problem, mend)
        elif name in found:
            record.refuse("duplicate-name", "name", f"{name} has a row already", "take one of them away")
        elif name is not None and filled:
            words = f"with model cgm a row here gives {', '.join(MASSES)} alone"
            record.refuse("of-the-model", filled[0], words, f"clear {' and '.join(filled)}")
        record.finish()
        if name is not None:
            cells = {f"cells.{column.name}": record.cell_text(column.name) for column in table.schema.columns}
            found[name] = {**cells, **{key: value for key, value in numbers.items() if value is not None}}
    return found


def _markers(
    trials: Sequence[Trial],
    static: Trial | None,
    sides: Sequence[Side],
    names: Sequence[LabelRow],
    place: Place,
    report: ProblemList,
) -> dict[str, str] | None:
    """The marker of each name of the model; None where one is missing, which is reported."""
    found: dict[str, str] = {}
    missing: dict[str, list[str]] = {}

    def seek(name: str, among: Sequence[Trial], *, must_be_seen: bool = False) -> bool:
        exact = KnownPoints(among, (), names, report).find(name)
        is_there = _is_seen if must_be_seen else _is_labelled
        without = [each.sheets[0] for each in among if exact is None or not is_there(each, exact)]
        if not without and exact is not None:
            found[name] = exact
        for sheet in without:
            missing.setdefault(name, []).append(sheet)
        return not without

    for name in (*OF_PELVIS, *(f"{side} {each}" for side in sides for each in OF_LEG)):
        seek(name, trials)
    for side in sides:
        seek(f"{side} heel", trials if static is None else [static])
    spines = [seek(f"{side} psis", trials, must_be_seen=True) for side in ("right", "left")]
    if not all(spines) and seek("sacrum", trials, must_be_seen=True):
        for side in ("right", "left"):
            missing.pop(f"{side} psis", None)
            found.pop(f"{side} psis", None)
    missing.pop("sacrum", None)
    wanted = dict(missing)
    for name in THORAX:
        seek(name, trials, must_be_seen=True)
    if not wanted or not trials:
        return found if trials else None
    _report_missing(wanted, trials, place, report)
    return None


def _is_labelled(trial: Trial, name: str) -> bool:
    return name in trial.markers.labels


def _is_seen(trial: Trial, name: str) -> bool:
    labels = trial.markers.labels
    return name in labels and bool(np.isfinite(trial.markers.positions[labels.index(name)]).all(axis=1).any())


def _report_missing(missing: dict[str, list[str]], trials: Sequence[Trial], place: Place, report: ProblemList) -> None:
    """One error for all markers that are missing, with the labels that they may be."""
    sheets = list(dict.fromkeys(sheet for each in missing.values() for sheet in each))
    labels = [label for trial in trials for label in trial.markers.labels]
    meant = dict(_meant(missing, labels))
    mend = "write on Marker names which labels they are"
    if meant:
        mend += ": " + ", ".join(f"{name} = {label}" for name, label in meant.items())
    problem = f"the conventional gait model needs them, and {', '.join(map(quoted, sheets))} has none of these names"
    report.error("unknown-marker", place, f"no marker {', '.join(missing)}", problem, mend)


def _meant(missing: dict[str, list[str]], labels: Sequence[str]) -> Iterator[tuple[str, str]]:
    for name in missing:
        others = [label for label in labels if label != name]
        label = next((each for each in others if model_name(each) == name), None) or nearest(name, others)
        if label:
            yield name, label
