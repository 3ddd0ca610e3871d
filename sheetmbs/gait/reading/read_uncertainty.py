"""The sheet Uncertainty: sources of error with their standard deviations, for all of a kind or for one element."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sheetmbs.gait.trial.error_sources import ErrorSource
from sheetmbs.gait.trial.gait_book import SIDES, SegmentRow, Trial
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, place_of, quoted
from sheetmbs.schema.uncertainty_inputs import AS_MEASURED, SOURCE_WORDS, SOURCES, SourceKind, SourceOfError
from sheetmbs.schema.validate import ValueFault, unit_of
from sheetmbs.workbook.reading.fields import is_empty
from sheetmbs.workbook.reading.input_table import InputTable, Record

BY_FOLD = {fold(each.word): each for each in SOURCES}
OF_SEGMENTS = (SourceKind.SKIN, SourceKind.MASS, SourceKind.COM, SourceKind.GYRATION)
OF_ALL = (SourceKind.DELAY, SourceKind.CUTOFF)
"""sources of which a trial has one: they are of nothing else"""


def read_uncertainty(table: InputTable, report: ProblemList) -> tuple[ErrorSource, ...] | None:
    """The rows that count; None without any row, where the usual ones hold. What is wrong is reported at its cell."""
    if next(table.records(), None) is None:
        return None
    found: list[ErrorSource] = []
    seen: dict[tuple[str, str], str] = {}
    for record in table.records():
        if not record.is_active:
            continue
        text, of = record.text("source"), record.text("of")
        record.settle("sd", "unit", "notes")
        kind = BY_FOLD.get(fold(text))
        if not text:
            continue
        place = record.place("source")
        if kind is None:
            mend = report.did_you_mean(text, SOURCE_WORDS, f"write one of {', '.join(SOURCE_WORDS)}")
            report.error("unknown-source", place, quoted(text), "there is no such source of error", mend)
            continue
        key = (kind.word, fold(of))
        if key in seen:
            rule = f"its deviation is given at {seen[key]} already"
            report.error("duplicate-name", place, quoted(text), rule, "take one of the rows away")
            continue
        seen[key] = str(place)
        sd = _deviation(record, kind, report)
        if sd is not None:
            found.append(ErrorSource(kind, sd[0], of, str(record.place("of"))))
        record.finish()
    return tuple(found)


def _deviation(record: Record, kind: SourceOfError, report: ProblemList) -> tuple[float | None] | None:
    """The deviation in SI, None within where it is as measured; None where it is wrong, which is reported."""
    cell, place = record.cell("sd"), record.place("sd")
    if cell is None or is_empty(cell):
        return None  # a required cell, which `settle` reports
    text = str(cell.value).strip()
    if fold(text) == fold(AS_MEASURED):
        if kind.word == SourceKind.NOISE:
            return (None,)
        rule = f"only {SourceKind.NOISE} is measured by the recording itself"
        report.error("not-a-number", place, quoted(text), rule, "write a number with its unit")
        return None
    if isinstance(cell.value, bool) or not isinstance(cell.value, int | float):
        words = f", or {AS_MEASURED}" if kind.word == SourceKind.NOISE else ""
        report.error("not-a-number", place, quoted(text), f"a standard deviation is a number{words}", "write a number")
        return None
    value = float(cell.value)
    if value < 0.0:
        rule = "a standard deviation is not negative"
        report.error("out-of-range", place, f"sd: {value:g}", rule, "write it without its sign")
        return None
    unit = record.text("unit")
    try:
        found = unit_of(unit, (kind.dimension,))
    except ValueFault as fault:
        report.error(
            fault.code, record.place("unit"), f"the unit {quoted(unit)} of {kind.word}", fault.problem, fault.mend
        )
        return None
    return (value if found is None else found.to_si(value),)


def check_owners(
    sources: Sequence[ErrorSource],
    trials: Sequence[Trial],
    centres: Sequence[str],
    segments: Sequence[SegmentRow],
    report: ProblemList,
    *,
    in_space: bool,
) -> None:
    """Report sources of what the workbook does not have. centres: names of joint centres."""
    markers = tuple(dict.fromkeys(label for trial in trials for label in trial.markers.labels))
    plates = tuple(
        dict.fromkeys(plate.name for trial in trials if trial.forces is not None for plate in trial.forces.plates)
    )
    of_segments = tuple(row.name for row in segments)
    known: Mapping[str, Sequence[str]] = {
        SourceKind.PLACEMENT: (*markers, *of_segments),
        SourceKind.NOISE: markers,
        SourceKind.CENTRE: centres,
        SourceKind.PLATE_POINT: plates if in_space else SIDES,
        SourceKind.PLATE_GAIN: plates,
        **dict.fromkeys(OF_SEGMENTS, of_segments),
        **dict.fromkeys(OF_ALL, ()),
    }
    for source in sources:
        names = known[source.kind.word]
        if not source.of or fold(source.of) in map(fold, names):
            continue
        place = place_of(source.cell)
        if not names:
            rule = f"there is one {source.kind.word} for all"
            report.error("unused-value", place, f"of: {quoted(source.of)}", rule, "clear the cell")
            continue
        mend = report.did_you_mean(source.of, names, "look up its name on the sheet that has it")
        report.error(
            "unknown-name", place, quoted(source.of), f"the workbook has no such owner of {source.kind.word}", mend
        )
