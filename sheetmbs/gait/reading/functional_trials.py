"""Trials that only tell joint centres, by the column from_trial of Joint centres: they give no results."""

from __future__ import annotations

from collections.abc import Mapping

from sheetmbs.gait.trial.gait_book import Trial
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.workbook.reading.input_table import InputTable


def trials_of_centres(table: InputTable) -> dict[str, Place]:
    """The names in from_trial, and where each stands first."""
    found: dict[str, Place] = {}
    for record in table.records():
        name = record.raw_text("from_trial").strip()
        if record.is_active and name:
            found.setdefault(name, record.place("from_trial"))
    return found


def functional_trials(
    wanted: Mapping[str, Place], trials: tuple[Trial, ...], report: ProblemList
) -> tuple[tuple[Trial, ...], tuple[Trial, ...]]:
    """The trials that walk, and those that only tell joint centres. wanted: names in from_trial, and their cells."""
    names = {fold(name) for name in wanted}
    for name, place in wanted.items():
        if fold(name) != "static" and fold(name) not in {fold(each.name) for each in trials}:
            mend = report.did_you_mean(name, [each.name for each in trials], "name the end of its sheet Markers ..")
            report.error("unknown-name", place, quoted(name), "there is no such trial", mend)
    walking = tuple(each for each in trials if fold(each.name) not in names)
    if trials and not walking:
        place = next(iter(wanted.values()))
        problem = "it tells a joint centre and gives no results, and no other trial walks"
        report.error(
            "missing-sheet", place, quoted(trials[0].name), problem, "add the sheet Markers of a trial that walks"
        )
    return walking, tuple(each for each in trials if fold(each.name) in names)
