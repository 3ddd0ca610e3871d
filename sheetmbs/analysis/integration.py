"""One run of an integrator over the reporting times of a dynamic analysis: how it is begun, and the loop around it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.choices import tolerances
from sheetmbs.analysis.diagnosis.jamming import has_jammed
from sheetmbs.analysis.diagnosis.pace import Pace
from sheetmbs.analysis.formulations import Kept
from sheetmbs.analysis.horizon import horizon
from sheetmbs.analysis.integrators.contacts.contact_log import Contacts
from sheetmbs.analysis.integrators.interface import Integrator, ReportedRows, Run
from sheetmbs.analysis.integrators.methods import integrator_over
from sheetmbs.analysis.integrators.stepping.corners import find_corners
from sheetmbs.analysis.integrators.stepping.driver import write_row
from sheetmbs.analysis.row_choice import RowChoice
from sheetmbs.analysis.start.initial import Start
from sheetmbs.analysis.start.structure import Structure
from sheetmbs.analysis.status import Status
from sheetmbs.analysis.switching import read_times
from sheetmbs.elements.integrators import INTEGRATORS
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.turns import ANGLE, count_turns
from sheetmbs.lower import Lowered, System
from sheetmbs.model import Settings

Floats = NDArray[np.float64]

CHUNK_SECONDS = 0.1
FIRST_CHUNK, LARGEST_CHUNK = 100, 1_000_000
SHARE = 0.02  # of rtol that a single step may err, so that after many steps the whole is right to about rtol
FINEST = 1e-13  # error of a step below which rounding speaks
AT_REST = 1e-6  # of the rate that leads over the model's size in the whole time: what is slower is rounding


@dataclass(frozen=True)
class Task:
    """What is to be integrated.

    times: (rows,) to be reported. switched: when formulas of time switch over, see `switching.py`.
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
