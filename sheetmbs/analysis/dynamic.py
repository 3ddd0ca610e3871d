"""Dynamic analysis: forward in time from the initial conditions, by an integrator and a formulation of the constraints."""

from __future__ import annotations

import time
from collections.abc import Callable
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.choices import methods_of, tolerance_of, tolerances, what_happened, what_was_chosen, without_use
from sheetmbs.analysis.clearance_rules import what_journals_did
from sheetmbs.analysis.diagnosis import explain
from sheetmbs.analysis.diagnosis.jamming import has_jammed
from sheetmbs.analysis.diagnosis.stall_detection import Pace
from sheetmbs.analysis.driver_jumps import first_jump
from sheetmbs.analysis.formulations import Kept
from sheetmbs.analysis.horizon import horizon
from sheetmbs.analysis.integrators.contacts.contact_log import Contacts
from sheetmbs.analysis.integrators.interface import Integrator, ReportedRows, Run
from sheetmbs.analysis.integrators.methods import integrator_over
from sheetmbs.analysis.integrators.stepping.curve_breakpoints import find_corners
from sheetmbs.analysis.integrators.stepping.driver import write_row
from sheetmbs.analysis.integrators.stepping.missed_event_check import unseen
from sheetmbs.analysis.row_choice import RowChoice
from sheetmbs.analysis.skipped_switches import has_switches, skipped_by_steps
from sheetmbs.analysis.solution import Solution, reporting_times, without_motion
from sheetmbs.analysis.start.initial import Start
from sheetmbs.analysis.start.structure import Structure
from sheetmbs.analysis.status import Status
from sheetmbs.analysis.switched_rows import settle_rows
from sheetmbs.analysis.switching import switches
from sheetmbs.analysis.task import Task
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.integrators import INTEGRATORS
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.revolution_counts import ANGLE, count_turns
from sheetmbs.lower import Lowered, System
from sheetmbs.model.model import Settings
from sheetmbs.problems.errors import Problem

Floats = NDArray[np.float64]

CHUNK_SECONDS = 0.1
FIRST_CHUNK, LARGEST_CHUNK = 100, 1_000_000
SHARE = 0.02  # of rtol that a single step may err, so that after many steps the whole is right to about rtol
FINEST = 1e-13  # error of a step below which rounding speaks
AT_REST = 1e-6  # of the rate that leads over the model's size in the whole time: what is slower is rounding
CLOSE_BY = 1e-3  # of the time span: steps that fail so near to the jump of a driver fail because of it


def integrate(
    task: Task,
    name: str,
    formulation: str,
    progress: Callable[[float], None] | None = None,
    most: float = np.inf,
) -> tuple[Run, int, Integrator, System]:
    """Integrate by the method and the formulation of these names, or until no step can be taken.

    most: evaluations after which it is given up, as where the end would take days. Returns the run, a Status, the integrator
    and the system with the rows that were kept last.
    """
    chosen = RowChoice(task.lowered, task.structure, formulation)
    system = chosen.kept.system
    run = _begun(task, chosen.kept, name)
    status = int(Status.PAUSED)
    if system.work.fault[0] or has_jammed(system):
        status, run.row = int(Status.NOT_FINITE), 0
    integrator = integrator_over(run, name)
    first, last = float(task.times[0]), float(task.times[-1])
    chunk, pace = FIRST_CHUNK, Pace(first, last)
    while status == Status.PAUSED:
        since = time.perf_counter()
        status = integrator.advance(chosen.limit(chunk, integrator))
        chosen.look(run)
        if time.perf_counter() - since < CHUNK_SECONDS:
            chunk = min(2 * chunk, LARGEST_CHUNK)
        count = run.work.count
        if status == Status.PAUSED and (
            pace.is_hopeless(run.t, int(count[Count.STEPS])) or count[Count.EVALUATIONS] > most
        ):
            status = int(Status.STALLED)
        if progress is not None:
            progress(min(1.0, (run.t - first) / (last - first)))
    return run, status, integrator, chosen.kept.system


def _begun(task: Task, kept: Kept, name: str) -> Run:
    """A run at its start, row 0 reported. name: of the integrator."""
    lowered, start, times, first = task.lowered, task.start, task.times, float(task.read[0])
    settings, arrays, work = lowered.model.settings, kept.system.arrays, kept.system.work
    nq, nv, count = len(start.q), len(start.v), len(times)
    widths = (nq, nv, nv)
    q, v, a = (np.zeros((count, width)) for width in widths)
    y = np.concatenate((start.q, start.v, [0.0]))
    rates = np.zeros(len(y))
    work.count[:] = 0
    contacts = None
    if len(arrays.clearance) and INTEGRATORS[name].locates:
        contacts = Contacts(arrays, work, settings.t_start, y, count)
    evaluate(arrays, work, first, y[:nq], y[nq : nq + nv], rates, 0.0)
    count_turns(arrays.counted, work.pose, work.place, work.turn, settings.t_start)
    rows = ReportedRows(times, q, v, a, np.zeros(count), np.zeros((count, len(arrays.counted))))
    write_row(rows, 0, y, rates, work.turn, ANGLE)
    if (
        kept.project > 0.0 and settings.initial_conditions == "given"
    ):  # row 0 is as given, the motion is on the constraints
        evaluate(arrays, work, first, y[:nq], y[nq : nq + nv], rates, kept.project)
    size = np.where(lowered.bodies.velocity_class == 1, 1.0, lowered.bodies.length)
    fastest = float(np.max(np.abs(y[nq : nq + nv]) / size, initial=0.0))
    changing = float(np.sqrt(np.max(np.abs(rates[nq : nq + nv]) / size, initial=0.0)))
    usual, stiff = (max(SHARE * rtol, min(rtol, FINEST)) for rtol in tolerances(lowered))
    allowed = stiff if INTEGRATORS[name].is_stiff else usual
    span = float(times[-1] - times[0])
    rate = max(fastest, changing)
    if rate * span < AT_REST:  # errors must not be measured by what rounding moves
        rate = 1.0 / span
    step = _fixed_step(settings) if INTEGRATORS[name].has_fixed_step else 0.0
    run = Run(
        arrays=arrays,
        work=work,
        rows=rows,
        horizon=horizon(lowered, task.switched, allowed),
        allowed=allowed,
        allowed_otherwise=stiff,
        step=step,
        spectral_radius=settings.spectral_radius,
        first_step=min(allowed**0.125 / rate if rate > 0.0 else span, span),
        t=settings.t_start,
        y=y,
        rates=rates,
        fastest=rate,
        project=kept.project,
        contacts=contacts,
        from_step=settings.formulation == "baumgarte" and settings.feedback == "from-step",
        corners=None if step > 0.0 else find_corners(arrays, work),
    )
    if run.corners is not None:
        found = run.corners.see(run.t, run.y, run.rates, run.rate)
        run.corners.begin(found, run.corners.close(run.allowed, run.rate), run.horizon)
    return run


def _fixed_step(settings: Settings) -> float:
    """Step of methods of fixed step; 0 for an index-3 method that controls its error.

    That is one that was given a tolerance and no step, or chosen by ``auto`` without a step.
    """
    is_index_3 = INTEGRATORS[settings.integrator].is_index_3
    is_controlled = settings.rtol is not None if is_index_3 else settings.formulation == "index-3"
    if is_controlled and settings.step is None:
        return 0.0
    return float(settings.step or settings.t_step or 1.0)


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
    skipped = skipped_by_steps(task, run, integrate) if fixed and has_switches(task, run) else None
    seconds = perf_counter() - began
    mean = (run.t - settings.t_start) / max(int(system.work.count[Count.STEPS]), 1)
    count, rows = min(count, run.row), run.rows
    return Solution(
        analysis=Analysis.DYNAMIC,
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
