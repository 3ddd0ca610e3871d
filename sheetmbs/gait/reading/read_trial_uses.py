"""The sheet Trials: trials that are left out, and trials whose forces are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sheetmbs.gait.trial.gait_book import Trial
from sheetmbs.schema.gait_trials import TrialUse
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.workbook.reading.input_table import InputTable

STATIC = "static"


def used_trials(
    table: InputTable, trials: Sequence[Trial], functional: Sequence[Trial], condition: str, report: ProblemList
) -> tuple[Trial, ...]:
    """The trials that count, without the forces of those of which only angles do. What is wrong is reported.

    functional: trials that tell joint centres, whatever their row says. condition: of those that say none.
    """
    uses: dict[str, str] = {}
    conditions: dict[str, str] = {}
    known = {fold(trial.name) for trial in (*trials, *functional)}
    for record in table.records():
        name = record.text("trial")
        uses[fold(name)] = record.choice("use") or TrialUse.ALL
        conditions[fold(name)] = record.text("condition")
        record.number("speed")
        for column in table.schema.columns:
            record.settle(column.name)
        record.finish()
        if name and trials and fold(name) not in known and fold(name) != STATIC and uses[fold(name)] != TrialUse.NO:
            mend = report.did_you_mean(name, [each.name for each in trials], "write no in use, or take the row away")
            problem = f"there is no sheet Markers {name}"
            report.warning("unknown-name", record.place("trial"), quoted(name), problem, mend)
    kept = [trial for trial in trials if uses.get(fold(trial.name)) != TrialUse.NO]
    if trials and not kept:
        place = next(iter(table.records())).place("use")
        report.error("no-trial", place, "use: no of every trial", "results come from at least one", "use one of them")
    return tuple(
        replace(
            trial,
            counts_forces=uses.get(fold(trial.name)) != TrialUse.ANGLES,
            condition=conditions.get(fold(trial.name), "") or condition,
        )
        for trial in kept
    )
