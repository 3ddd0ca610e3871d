"""Dynamic analysis: forward in time from the initial conditions, by an integrator and a formulation of the constraints.

Steps of fixed length may pass over switches of forces, corners of curves and sharp knots. Within such a step forces are no
polynomial, and a part of it is done with the wrong ones. Neither the balance of energy nor any other law need tell of it, for
the work is summed up at the same places as the forces. So where forces switch, the motion is found once more by `auto`, whose
steps end at every switch, and the difference is counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter

import numpy as np

from sheetmbs.analysis.choices import (
    chosen_methods,
    clearance_totals,
    methods_of,
    not_converged,
    run_events,
    tolerance_of,
    tolerances,
    unused_max_step,
)
from sheetmbs.analysis.diagnosis.locking import has_jammed
from sheetmbs.analysis.driver_jumps import first_jump
from sheetmbs.analysis.formulations import Kept, RowChoice
from sheetmbs.analysis.horizon import horizon, read_times, switches, switches_by_motion
from sheetmbs.analysis.integrators.contacts.contact_log import Contacts
from sheetmbs.analysis.integrators.interface import Integrator, ReportedRows, Run, Status
from sheetmbs.analysis.integrators.methods import integrator_over
from sheetmbs.analysis.integrators.stepping.curve_breakpoints import find_corners
from sheetmbs.analysis.integrators.stepping.driver import stops, write_row
from sheetmbs.analysis.postprocessing import missed_forces, settle_rows
from sheetmbs.analysis.solution import Solution, reporting_times, without_motion
from sheetmbs.analysis.start.initial import Start
from sheetmbs.analysis.start.structure import Structure
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.integrators import INTEGRATORS
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.records import Floats
from sheetmbs.engine.revolution_counts import ANGLE, count_turns
from sheetmbs.lower import Lowered, System
from sheetmbs.model.model import Settings
from sheetmbs.problems.errors import Problem

CHUNK_SECONDS = 0.1
FIRST_CHUNK, LARGEST_CHUNK = 100, 1_000_000
SHARE = 0.02  # of rtol that a single step may err, so that after many steps the whole is right to about rtol
FINEST = 1e-13  # error of a step below which rounding speaks
AT_REST = 1e-6  # of the rate that leads over the model's size in the whole time: what is slower is rounding
CLOSE_BY = 1e-3  # of the time span: steps that fail so near to the jump of a driver fail because of it
MIN_STEPS_JUDGED = 100_000  # steps after which their mean length tells how many are still to come
MAX_STEPS_AHEAD = 1e9  # steps to come: days, even of a small model
METHOD, FORMULATION, RTOL = "auto", "projection", 1e-8  # by which the motion is found once more
DEAREST, AT_LEAST = 20.0, 200_000  # times the evaluations of the run, or so many, after which its error stays unknown


@dataclass(frozen=True)
class Task:
    """What is to be integrated.

    times: (rows,) to be reported. switched: when formulas of time switch over, see `horizon.switches`.
    """

    lowered: Lowered
    structure: Structure
    start: Start
    times: Floats
    switched: Floats

    @cached_property
    def read(self) -> Floats:
        """(rows,) times at which functions of time are read at each row."""
        return read_times(self.times, self.switched)


class Pace:
    """Watches the steps of one integration. end: time at which it is to end."""

    def __init__(self, begin: float, end: float) -> None:
        self._end = end
        self._time, self._steps = begin, 0

    def is_hopeless(self, t: float, steps: int) -> bool:
        """Whether the last steps were so short that the end is out of reach. t, steps: reached and taken so far."""
        taken = steps - self._steps
        if taken < MIN_STEPS_JUDGED:
            return False
        mean = (t - self._time) / taken
        self._time, self._steps = t, steps
        return self._end - t > MAX_STEPS_AHEAD * mean


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
        since = perf_counter()
        status = integrator.advance(chosen.limit(chunk, integrator))
        chosen.look(run)
        if perf_counter() - since < CHUNK_SECONDS:
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
    size = lowered.bodies.velocity_size
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
        found = run.corners.measure(run.t, run.y, run.rates, run.rate)
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


def has_switches(task: Task, run: Run) -> bool:
    """Whether there is anything at which steps of an adaptive method end: a switch, a corner of a curve, a sharp knot."""
    if find_corners(run.arrays, run.work) is not None or switches_by_motion(task.lowered):
        return True
    return len(stops(run.horizon, float(task.times[-1]))) > 1  # the last one is the end


def skipped_by_steps(task: Task, run: Run) -> Floats:
    """(rows,) relative error of the motion at each row, positions and velocities measured as errors of steps are.

    0 at rows that the other method does not reach.
    """
    most = max(DEAREST * float(run.work.count[Count.EVALUATIONS]), AT_LEAST)
    settings = replace(task.lowered.model.settings, integrator=METHOD, formulation="auto", rtol=RTOL, atol=None)
    finer = replace(task.lowered, model=replace(task.lowered.model, settings=settings))
    other, _status, _integrator, _system = integrate(replace(task, lowered=finer), METHOD, FORMULATION, most=most)
    both, arrays = min(run.row, other.row), run.arrays
    size = np.where(arrays.velocity_class == 1, 1.0, arrays.length)
    error = np.zeros(len(task.times))
    if both:
        rate = max(float(np.max(np.abs(other.rows.v[:both]) / size, initial=0.0)), other.rate)
        q = np.max(np.abs(run.rows.q[:both] - other.rows.q[:both]) / arrays.position_size, axis=1, initial=0.0)
        v = np.max(np.abs(run.rows.v[:both] - other.rows.v[:both]) / size, axis=1, initial=0.0)
        error[:both] = np.maximum(q, v / rate)
    return error


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
        problems.append(unused_max_step(lowered, name))
    if jump is not None and jump.t - run.t < CLOSE_BY * (times[-1] - times[0]):
        problems.append(jump.problem)
    elif status != Status.DONE:
        from sheetmbs.analysis.diagnosis.failure import Reached, explained

        begin = np.concatenate((start.q, start.v, [0.0]))
        step = run.step if fixed else 0.0
        span = float(times[-1] - times[0])
        problems.append(explained(lowered, system, Reached(status, run.t, run.y, begin, step, span)))
    if system.work.count[Count.UNCONVERGED]:
        problems.append(not_converged(lowered, int(system.work.count[Count.UNCONVERGED])))
    problems.extend(missed_forces(lowered, system, run))
    settle_rows(lowered, run, task.read)
    skipped = skipped_by_steps(task, run) if fixed and has_switches(task, run) else None
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
            *chosen_methods(lowered, integrator, name, formulation),
            ("step", run.step, "s") if fixed else ("mean step", mean, "s"),
            *(() if fixed else (("relative tolerance", tolerance_of(lowered, integrator, name), ""),)),
            *run_events(lowered, run),
            *clearance_totals(lowered, run),
        ),
        counts=system.work.count.copy(),
        seconds=seconds,
        skipped=None if skipped is None else skipped[:count],
    )
