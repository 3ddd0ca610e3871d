"""Tables of the page `mbs Gait quality`: what the data tell of themselves, and by how much peaks depend on choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from sheetmbs.gait.quality.checked_trials import frames_in_words, recorded_body, solved_body
from sheetmbs.gait.quality.whole_body import best_delay, carried_mass, residual_parts, unexplained_power
from sheetmbs.gait.sheets.shown_items import PeakChanges
from sheetmbs.gait.solve_trial import SolvedTrial
from sheetmbs.gait.solved_gait import SolvedGait
from sheetmbs.workbook.sheets.list_pages import Listed
from sheetmbs.workbook.sheets.page_contents import SummaryValue

Row = tuple[SummaryValue, ...]


CONTACT_HEADS = (
    "trial",
    "plate",
    "foot",
    "start",
    "end",
    "found by",
    "whole",
    "right speed",
    "left speed",
    "under right",
    "under left",
)
CONTACT_UNITS = ("", "", "", "s", "s", "", "", "m/s", "m/s", "%", "%")
MARKER_HEADS = ("trial", "marker", "noise", "advised cut-off", "cut-off", "filled", "left blank")
MARKER_UNITS = ("", "", "mm", "Hz", "Hz", "", "")
LENGTH_HEADS = ("trial", "segment", "mean", "sd", "sd by mean")
ERROR_HEADS = ("trial", "marker", "rms", "largest")
LENGTH_UNITS = ("", "", "m", "mm", "%")


def quality_tables(solved: SolvedGait, changes: PeakChanges) -> list[Listed]:
    """All tables, in their order; those that would be empty are left out. changes: of peaks under other choices."""
    found = [
        _sensitivity(changes),
        _table("Whole body", ("trial", "what", "value", "unit"), solved, _whole_body, own=(2,), wide=(1, 3)),
        _table("Feet on plates", CONTACT_HEADS, solved, _contacts, CONTACT_UNITS, own=(3, 4, 7, 8, 9, 10)),
        _table("Markers", MARKER_HEADS, solved, _markers, MARKER_UNITS, own=(2, 3, 4), wide=(1, 5, 6)),
        _table("Lengths of segments", LENGTH_HEADS, solved, _lengths, LENGTH_UNITS, own=(2, 3, 4), wide=(1,)),
        _table("Markers from the model", ERROR_HEADS, solved, _errors, ("", "", "mm", "mm"), own=(2, 3), wide=(1,)),
    ]
    return [each for each in found if each.rows]


def _table(
    title: str,
    heads: tuple[str, ...],
    solved: SolvedGait,
    rows_of: Callable[[SolvedTrial, SolvedGait], Iterator[Row]],
    units: tuple[str, ...] = (),
    *,
    own: tuple[int, ...] = (),
    wide: tuple[int, ...] = (),
) -> Listed:
    """A table whose rows each trial gives."""
    rows = tuple(row for trial in solved.trials for row in rows_of(trial, solved))
    return Listed(title, heads, rows, units, own=own, wide=wide)


def _sensitivity(found: PeakChanges) -> Listed:
    """The change of each peak under each other choice, in the units of the results."""
    rows = [(*key, value, unit, *found.changes[key]) for key, (value, unit) in found.peaks.items()]
    heads = ("peak", "side", "joint", "value", "unit", *(each.name for each in found.choices))
    numbers = (3, *range(5, len(heads)))
    return Listed("Change of each peak", heads, tuple(rows), own=numbers)


def _whole_body(trial: SolvedTrial, solved: SolvedGait) -> Iterator[Row]:
    body, name = solved_body(trial, solved.book), trial.courses.trial
    if body is None:
        return
    mass = carried_mass(body)
    if mass is not None:
        yield name, "mass that the plates carry", mass, "kg"
    delay = best_delay(body)
    if delay is not None:
        yield name, "delay that fits best, to be added to force times", 1e3 * delay[0], "ms"
        yield name, "residual force, rms, now", delay[1], "N"
        yield name, "residual force, rms, with that delay", delay[2], "N"
    parts = residual_parts(body)
    if parts is not None:
        yield name, "residual force, largest", 100.0 * parts[0], "% of the largest ground force"
    power = unexplained_power(body)
    if power is not None:
        yield name, "power of joints and ground less the rate of energy, rms", power, "W"


def _contacts(trial: SolvedTrial, _solved: SolvedGait) -> Iterator[Row]:
    for each in () if trial.ground is None else trial.ground.of_contacts:
        whole = any(
            contact.whole and each.plate in contact.plates and contact.start < each.end and each.start < contact.end
            for contact in trial.courses.contacts
        )
        foot, by = each.side or "not known", each.by or "nothing"
        numbers = [_known(found.get(side)) for found in (each.speeds, each.under) for side in ("right", "left")]
        under = [None if value is None else 100.0 * value for value in numbers[2:]]
        yield (
            trial.courses.trial,
            each.plate,
            foot,
            each.start,
            each.end,
            by,
            "yes" if whole else "no",
            *numbers[:2],
            *under,
        )


def _known(value: float | None) -> float | None:
    return None if value is None or not np.isfinite(value) else float(value)


def _markers(trial: SolvedTrial, _solved: SolvedGait) -> Iterator[Row]:
    prepared = trial.prepared
    for index, label in enumerate(prepared.labels):
        filled, gone = (np.any(mask[index], axis=0) for mask in (prepared.filled, prepared.left | prepared.dropped))
        seen = ~np.all(prepared.left[index], axis=1)
        gone = np.any((prepared.left | prepared.dropped)[index][seen], axis=0) if seen.any() else gone
        words = [frames_in_words(mask, prepared.time.frames) if mask.any() else "" for mask in (filled, gone)]
        noise = _known(1e3 * prepared.advice.noise[index])
        yield (
            prepared.trial.name,
            label,
            noise,
            _known(prepared.advice.advised[index]),
            _known(trial.cutoffs[index]),
            *words,
        )


def _lengths(trial: SolvedTrial, solved: SolvedGait) -> Iterator[Row]:
    for row, length in recorded_body(trial.prepared, solved.book).segments():
        if np.isfinite(length).any():
            mean, sd = float(np.nanmean(length)), float(np.nanstd(length))
            yield trial.courses.trial, row.name, mean, 1e3 * sd, 100.0 * sd / mean if mean else None


def _errors(trial: SolvedTrial, _solved: SolvedGait) -> Iterator[Row]:
    errors = trial.motion.errors if trial.in_space is None else trial.in_space.errors
    for name, error in errors.items():
        if np.isfinite(error).any():
            rms = float(np.sqrt(np.nanmean(error**2)))
            yield trial.courses.trial, name, 1e3 * rms, 1e3 * float(np.nanmax(error))
