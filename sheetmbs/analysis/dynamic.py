"""Dynamic analysis: forward in time from the initial conditions, by an integrator and a formulation of the constraints."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from sheetmbs.analysis.choices import methods_of, tolerance_of, what_happened, what_was_chosen, without_use
from sheetmbs.analysis.clearance_rules import what_journals_did
from sheetmbs.analysis.diagnosis import explain
from sheetmbs.analysis.driver_jumps import first_jump
from sheetmbs.analysis.integration import Task, integrate
from sheetmbs.analysis.integrators.stepping.second_look import unseen
from sheetmbs.analysis.skipped_switches import has_switches, skipped_by_steps
from sheetmbs.analysis.solution import Solution, reporting_times, without_motion
from sheetmbs.analysis.start.initial import Start
from sheetmbs.analysis.start.structure import Structure
from sheetmbs.analysis.status import Status
from sheetmbs.analysis.switched_rows import settle_rows
from sheetmbs.analysis.switching import switches
from sheetmbs.elements.integrators import INTEGRATORS
from sheetmbs.engine.codes import Count
from sheetmbs.lower import Lowered
from sheetmbs.problems.errors import Problem

CLOSE_BY = 1e-3  # of the time span: steps that fail so near to the jump of a driver fail because of it


def integrated_motion(
    lowered: Lowered, structure: Structure, start: Start, progress: Callable[[float], None] | None
) -> Solution:
    """Motion at all reporting times, or until no step can be taken or a driver jumps.

    Raises WorkbookError where methods do not go together.
    """
    settings = lowered.model.settings
    name, formulation = methods_of(lowered)
    switched = switches(lowered)
    jump = first_jump(lowered, switched)
    times = reporting_times(settings.t_start, float(settings.t_end or 0.0), settings.row_step)
    count = len(times) if jump is None else jump.rows_before(times)
    if jump is not None:
        if not count:
            return without_motion("dynamic", structure, (len(start.q), len(start.v)), (*start.problems, jump.problem))
        times = np.append(times[:count], jump.t)  # the motion goes as far as the jump
    began = perf_counter()
    task = Task(lowered, structure, start, times, switched)
    run, status, integrator, system = integrate(task, name, formulation, progress)
    fixed = INTEGRATORS[name].has_fixed_step and run.step > 0.0
    problems: list[Problem] = list(start.problems)
    if fixed and settings.max_step is not None:
        problems.append(without_use(lowered, name))
    if jump is not None and jump.t - run.t < CLOSE_BY * (times[-1] - times[0]):
        problems.append(jump.problem)
    elif status != Status.DONE:
        from sheetmbs.analysis.diagnosis.failure import Reached, explained

        begin = np.concatenate((start.q, start.v, [0.0]))
        step = run.step if fixed else 0.0
        span = float(times[-1] - times[0])
        problems.append(explained(lowered, system, Reached(status, run.t, run.y, begin, step, span)))
    if system.work.count[Count.UNCONVERGED]:
        problems.append(explain.not_converged(lowered, int(system.work.count[Count.UNCONVERGED])))
    problems.extend(unseen(lowered, system, run))
    settle_rows(lowered, run, task.read)
    skipped = skipped_by_steps(task, run) if fixed and has_switches(task, run) else None
    seconds = perf_counter() - began
    mean = (run.t - settings.t_start) / max(int(system.work.count[Count.STEPS]), 1)
    count, rows = min(count, run.row), run.rows
    return Solution(
        analysis="dynamic",
        status="done" if status == Status.DONE and jump is None else "failed",
        times=times[:count],
        read=task.read[:count],
        q=rows.q[:count],
        v=rows.v[:count],
        a=rows.a[:count],
        structure=structure,
        work=rows.work[:count],
        rtol=None if fixed else tolerance_of(lowered, integrator, name),
        turns=rows.turn[:count],
        contacts=None if run.contacts is None else run.contacts.held[:count],
        impacts=None if run.contacts is None else run.contacts.impacts(),
        problems=tuple(problems),
        details=(
            *what_was_chosen(lowered, integrator, name, formulation),
            ("step", run.step, "s") if fixed else ("mean step", mean, "s"),
            *(() if fixed else (("relative tolerance", tolerance_of(lowered, integrator, name), ""),)),
            *what_happened(lowered, run),
            *what_journals_did(lowered, run),
        ),
        counts=system.work.count.copy(),
        seconds=seconds,
        skipped=None if skipped is None else skipped[:count],
    )
