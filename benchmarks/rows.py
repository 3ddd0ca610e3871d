"""What a run costs besides solving: around the solve, and for each row of results.

Processor time of `lower`, of all of an analysis and of making its result sheets, with two rows and
with a thousand; solving alone is the time within the kernels of the integrator. No workbook is read or
written. Times are the least of all rounds: most are differences, and what else runs only adds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from benchmarks import machine, tables
from benchmarks.cases import CASES
from benchmarks.options import Options
from benchmarks.timing import in_turns
from sheetmbs.analysis import dynamic
from sheetmbs.analysis.analyse import analyse
from sheetmbs.analysis.integrators.interface import Integrator
from sheetmbs.lower import lower
from sheetmbs.model.model import Model
from sheetmbs.results.columns.motion_rows import reported
from sheetmbs.results.result_sheets import result_sheets

ROWS = 1000
NAMES = ("A01", "A02-2", "A03", "A04")


def processor(work: Callable[[], object]) -> Callable[[], float]:
    """What does some work and returns its processor time, s."""

    def timed() -> float:
        began = time.process_time()
        work()
        return time.process_time() - began

    return timed


def stepping(model: Model) -> Callable[[], float]:
    """What solves a model and returns the processor time of the integrator alone, s."""
    lowered, spent = lower(model), [0.0]

    class Timed:
        """An integrator whose steps are timed."""

        def __init__(self, integrator: Integrator) -> None:
            self.integrator = integrator

        def __getattr__(self, name: str) -> object:
            return getattr(self.integrator, name)

        def advance(self, limit: int) -> int:
            """As the integrator's."""
            began = time.process_time()
            status = self.integrator.advance(limit)
            spent[0] += time.process_time() - began
            return status

    def timed() -> float:
        usual, spent[0] = dynamic.integrator_over, 0.0
        dynamic.integrator_over = lambda run, name: Timed(usual(run, name))
        try:
            analyse(lowered)
        finally:
            dynamic.integrator_over = usual
        return spent[0]

    return timed


def with_rows(model: Model, rows: int) -> Model:
    """The model with so many rows after the first."""
    settings = model.settings
    return replace(model, settings=replace(settings, t_step=((settings.t_end or 0.0) - settings.t_start) / rows))


def whole(model: Model) -> None:
    """All but reading and writing."""
    lowered = lower(model)
    result_sheets(lowered, analyse(lowered))


def measured(name: str, runs: int) -> dict[str, tables.Value]:
    """The row of the table."""
    few, many = (with_rows(CASES[name].model(), rows) for rows in (1, ROWS))
    (one, short), (lowered, solution) = ((model, analyse(model)) for model in (lower(few), lower(many)))
    sides = [
        *(stepping(model) for model in (few, many)),
        processor(lambda: analyse(lower(few))),
        processor(lambda: whole(few)),
        processor(lambda: result_sheets(one, short)),
        processor(lambda: result_sheets(lowered, solution)),
        processor(lambda: reported(lowered, solution)),
    ]
    found = [1e3 * seconds for seconds in in_turns(sides, runs, min)]
    solve, solve_many, analysed, run, sheets, sheets_many, report = found
    return {
        "case": name,
        "solve_ms": solve,
        "around_ms": analysed - solve,
        "with_sheets_ms": run - solve,
        "rows_ms": solve_many - solve,
        "report_ms": report,
        "sheets_ms": sheets_many - sheets - report,
        "rows_over_solve": (solve_many - solve + sheets_many - sheets) / solve,
    }


SHOWN = {
    "case": "case",
    "solve_ms": "solve, ms",
    "around_ms": "lowering and all else around it, ms",
    "with_sheets_ms": "with result sheets of 2 rows, ms",
    "rows_ms": "1,000 rows: states, ms",
    "report_ms": "forces and energies, ms",
    "sheets_ms": "columns, ms",
    "rows_over_solve": "1,000 rows over solve",
}


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save the table."""
    names = NAMES[-1:] if options.quick else [name for name in NAMES if options.wanted(name)]
    rows = [measured(name, options.runs) for name in names]
    where = machine.measured_on(options.runs, "least")
    print(where)
    tables.show(rows, SHOWN)
    if options.save:
        tables.save("rows", rows)
        tables.into_readme("rows", f"{machine.measured_on(options.runs, 'least')}\n\n{tables.markdown(rows, SHOWN)}")
