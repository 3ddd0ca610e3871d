"""The sheets Markers and Force plates of every trial, with this workbook's names for the laboratory's labels."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import Literal, cast

from sheetmbs.gait.formats.lab_files import read_recording
from sheetmbs.gait.formats.named_subjects import of_one_subject
from sheetmbs.gait.trial.gait_book import GivenEvent, PlateRow, Side, Trial
from sheetmbs.gait.trial.recorded import Recorded, RecordedMarkers
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.gait_inputs import FORCE_PLATES, MARKERS, PLATES
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, place_of, quoted
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.input_table import InputTable

STATIC = "static"
SIDE_WORD = re.compile(r"^(right|left)(?![^\W_])|(?<![^\W_])(right|left)$", re.IGNORECASE)
"""a side at the start or the end of a name, with no letter or digit beside it"""
LONE_LETTER = re.compile(r"(?<![^\W_])[rl](?![^\W_])", re.IGNORECASE)
OTHER_SIDE = {"right": "left", "left": "right", "r": "l", "l": "r"}


@dataclass(frozen=True)
class LabelRow:
    """A row of Marker names."""

    model: str
    label: str
    place: Place


def read_marker_names(table: InputTable, report: ProblemList) -> tuple[tuple[LabelRow, ...], dict[str, float]]:
    """The sheet Marker names: labels of the laboratory, and cut-offs of single markers in Hz."""
    rows: list[LabelRow] = []
    cutoffs: dict[str, float] = {}
    for record in table.records():
        if not record.is_active:
            continue
        model, label, cutoff = record.text("model"), record.text("label"), record.number("cutoff")
        before = next((row for row in rows if fold(row.model) == fold(model)), None)
        same = next((row for row in rows if label and label_key(row.label) == label_key(label)), None)
        if before is not None:
            problem = f"{before.place} gives the label of {quoted(model)} already"
            report.error("duplicate-name", record.place("model"), quoted(model), problem, "take one of the rows away")
        elif same is not None:
            problem = f"{same.place} calls this marker {quoted(same.model)} already, and a marker has one name"
            report.error("duplicate-label", record.place("label"), quoted(label), problem, "correct one of the labels")
        if cutoff is not None and not cutoff > 0.0:
            record.refuse("out-of-range", "cutoff", "a cut-off is greater than 0", "correct it, or clear the cell")
        elif cutoff is not None:
            cutoffs[model] = cutoff
        record.finish()
        if model and label and same is None:
            rows.append(LabelRow(model, label, record.place("label")))
    return tuple(rows), cutoffs


def trial_sheets(sheets: Collection[str], of: str) -> dict[str, str]:
    """The sheets ``of`` (Markers, Force plates) by the name of their trial, ``""`` where they name none."""
    words = r"[\s_-]+".join(map(re.escape, of.split()))
    pattern = re.compile(rf"\s*{words}(?:[\s_-]+(\S.*))?\s*", re.IGNORECASE)
    found = ((pattern.fullmatch(name), name) for name in sheets)
    return {(match[1] or "").strip(): name for match, name in found if match}


def read_trials(
    sheets: Mapping[str, CellSheet], names: Sequence[LabelRow], placed: Collection[str], report: ProblemList
) -> tuple[tuple[Trial, ...], Trial | None]:
    """The trials that walk, and the standing one. What is missing is reported. placed: folded names of rows of Plates."""
    markers = trial_sheets(sheets, MARKERS.name)
    forces = {fold(trial): name for trial, name in trial_sheets(sheets, FORCE_PLATES.name).items()}
    known = {fold(trial) for trial in markers}
    for trial, name in forces.items():
        if trial not in known:
            mend = f"add a sheet {MARKERS.name} {trial}".rstrip()
            report.error("missing-sheet", Place(name), f"the sheet {quoted(name)}", "there are no markers of it", mend)
    read = [_trial(trial, name, forces.get(fold(trial)), sheets, placed, report) for trial, name in markers.items()]
    found = [trial for trial in read if trial is not None]
    _warn_of_unused(names, found, report)
    for each in found:
        _check_labels(names, each.markers, report)
    spelling: dict[str, str] = {}
    found = [replace(trial, markers=_renamed(trial.markers, names, spelling)) for trial in found]
    walking = tuple(trial for trial in found if fold(trial.name) != STATIC)
    if not walking and not report.has_errors:
        mend = "paste or import the trajectories of a trial"
        report.error("missing-sheet", Place(MARKERS.name), "no trial that walks", "a sheet Markers holds one", mend)
    return walking, next((trial for trial in found if fold(trial.name) == STATIC), None)


def _trial(
    name: str,
    markers: str,
    forces: str | None,
    sheets: Mapping[str, CellSheet],
    placed: Collection[str],
    report: ProblemList,
) -> Trial | None:
    of_markers = _recorded(sheets, markers, report)
    of_forces = _recorded(sheets, forces, report) if forces is not None else of_markers
    if of_markers.markers is None:
        is_form = of_markers.forces is None and len(trial_sheets(sheets, MARKERS.name)) > 1
        if not report.has_errors and not is_form:
            mend = "paste trajectories there, with time and <marker>.x, <marker>.y"
            report.error("no-markers", Place(markers), "no markers", "a trial is made of trajectories", mend)
        return None
    _check_placed(of_forces, placed, report)
    geometry = of_forces.geometry or of_markers.geometry
    return Trial(name, of_markers.markers, of_forces.forces, geometry, (markers, forces or markers))


def _check_placed(recorded: Recorded, placed: Collection[str], report: ProblemList) -> None:
    """Report plates that only the sheet Plates can place, and does not."""
    for plate in recorded.forces.plates if recorded.forces is not None else ():
        if plate.name in recorded.unplaced and fold(plate.name) not in placed:
            problem = "its export does not say where the plate lies"
            mend = f"add a row {plate.name} to the sheet {PLATES.name}, with corners x1 .. z4"
            report.error("unplaced-plate", plate.header, f"the plate {quoted(plate.name)}", problem, mend)


def _recorded(sheets: Mapping[str, CellSheet], name: str, report: ProblemList) -> Recorded:
    try:
        recorded = read_recording(sheets[name], report)
    except WorkbookError as error:
        for problem in error.problems:
            report.add(Place(name), problem)
        return Recorded()
    recorded, several = of_one_subject(recorded, None, name)
    if several is not None:
        report.add(place_of(several.cell), several)
    for note in recorded.notes:
        report.add(Place(name), Problem("as-recorded", "note", name, f"the sheet {quoted(name)}", note, ""))
    return recorded


def label_key(label: str) -> str:
    """The form in which two labels are the same: what is before ``:`` does not count, and a point is as good as a blank."""
    return fold(label.rpartition(":")[2].replace(".", "_"))


def _renamed(markers: RecordedMarkers, names: Sequence[LabelRow], spelling: dict[str, str]) -> RecordedMarkers:
    """Markers by this workbook's names. spelling: of each folded name as its first trial has it, added to."""
    by_label = {label_key(row.label): row.model for row in names}
    called = (by_label.get(label_key(label), label) for label in markers.labels)
    return replace(markers, labels=tuple(spelling.setdefault(fold(name), name) for name in called))


def _check_labels(names: Sequence[LabelRow], markers: RecordedMarkers, report: ProblemList) -> None:
    """Report labels that are, as they stand, the name which Marker names gives to another marker of the same trial."""
    there = {label_key(label): label for label in markers.labels}
    given = {fold(row.model): row for row in names if label_key(row.label) in there}
    renamed = {label_key(row.label) for row in names}
    for label, place in zip(markers.labels, markers.headers, strict=True):
        row = given.get(fold(label))
        if row is None or label_key(label) in renamed:
            continue
        other = there[label_key(row.label)]
        problem = f"{row.place} gives this name to the marker {quoted(other)}, so two markers would have it"
        mend = (
            f"if the two labels are exchanged, add the other half to Marker names: model {other}, label {label}; "
            f"else give one of the two markers another name there"
        )
        report.error("label-taken", place, f"the label {quoted(label)}", problem, mend)


def _warn_of_unused(names: Sequence[LabelRow], trials: Sequence[Trial], report: ProblemList) -> None:
    """Warn of labels that stand in no trial."""
    labels = {label_key(label): label for trial in trials for label in trial.markers.labels}
    for row in names:
        if labels and label_key(row.label) not in labels:
            mend = report.did_you_mean(row.label, sorted(labels.values()), "take the row away, or correct the label")
            report.warning("unknown-label", row.place, quoted(row.label), "no trial has a marker of this label", mend)


def read_events(
    table: InputTable, trials: Sequence[Trial], idle: Collection[str], report: ProblemList
) -> tuple[GivenEvent, ...]:
    """Read the sheet Events. idle: folded names of recorded trials that give no results, nor have events."""
    events = []
    by_fold = {fold(trial.name): trial for trial in trials}
    for record in table.records():
        if not record.is_active:
            continue
        kind, side, name = record.choice("event"), record.choice("side"), record.text("trial")
        trial = by_fold.get(fold(name)) if name else trials[0] if len(trials) == 1 else None
        if trial is None and name and fold(name) not in idle:
            mend = report.did_you_mean(name, [each.name for each in trials], "name the end of its sheet Markers ..")
            report.error("unknown-name", record.place("trial"), quoted(name), "there is no such trial", mend)
        elif trial is None and trials and not name:
            record.refuse("missing-value", "trial", "there are several trials", "name one of them")
        time, frame = record.number("time"), record.number("frame")
        if time is None and frame is None:
            record.refuse("missing-value", "time", "an event has a time or a frame", "fill in one of them")
        source = record.choice("source")
        record.finish()
        if trial is None or not kind or not side:
            continue
        events.append(
            GivenEvent(
                cast("Literal['heel strike', 'toe off']", kind),
                cast("Side", side),
                nan if time is None else time,
                nan if frame is None else frame,
                trial.name,
                record.cell_text("frame" if time is None else "time"),
                "file" if source == "file" else "given",
            )
        )
    return tuple(events)


def exchange_sides(trial: Trial) -> Trial:
    """A trial with right and left exchanged in all names of markers, and of plates that are named right and left."""
    labels = trial.markers.labels
    markers = replace(trial.markers, labels=tuple(of_other_side(each, labels) for each in labels))
    forces = trial.forces
    if forces is not None:
        plates = tuple(replace(each, name=OTHER_SIDE.get(fold(each.name), each.name)) for each in forces.plates)
        forces = replace(forces, plates=plates)
    geometry = tuple(replace(each, name=OTHER_SIDE.get(fold(each.name), each.name)) for each in trial.geometry)
    return replace(trial, markers=markers, forces=forces, geometry=geometry)


def exchange_plates(plates: Mapping[str, PlateRow]) -> dict[str, PlateRow]:
    """Rows of Plates by the folded names of the plates, for plates whose names were exchanged."""
    return {OTHER_SIDE.get(name, name): row for name, row in plates.items()}


def of_other_side(label: str, labels: Collection[str]) -> str:
    """``left knee`` of ``right knee``; ``L_KNE`` of ``R_KNE`` where labels has both, itself where it tells no side.

    The side of a name is its first word, else its last one. That of a laboratory's label is a letter: one that stands alone,
    else the first one, else the last.
    """
    found = SIDE_WORD.search(label)
    if found is not None:
        return f"{label[: found.start()]}{OTHER_SIDE[found[0].casefold()]}{label[found.end() :]}"
    places = [each.start() for each in LONE_LETTER.finditer(label)]
    for place in (*places, 0, len(label) - 1):
        letter = label[place]
        other = OTHER_SIDE.get(letter.casefold(), letter)
        mirrored = f"{label[:place]}{other.upper() if letter.isupper() else other}{label[place + 1 :]}"
        if mirrored != label and mirrored in labels:
            return mirrored
    return label
