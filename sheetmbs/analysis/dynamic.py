"""Dynamic analysis: forward in time from the initial conditions.

Index 1 with projection by default; ``lagrange`` integrates as it is, ``baumgarte`` adds his feedback of violations.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis import explain
from sheetmbs.analysis.failure import Reached, explained
from sheetmbs.analysis.horizon import horizon
from sheetmbs.analysis.initial import Start
from sheetmbs.analysis.integrators.explicit import (
    CLOCK_PLACES,
    ORIGIN,
    PASSED,
    PASSED_AT,
    RATE,
    STEP,
    TIME,
    integrate,
)
from sheetmbs.analysis.integrators.methods import METHODS
from sheetmbs.analysis.pace import Pace
from sheetmbs.analysis.solution import Solution, reporting_times
from sheetmbs.analysis.status import Status
from sheetmbs.analysis.structure import Structure
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.turns import ANGLE, count_turns
from sheetmbs.errors import Problem, WorkbookError
from sheetmbs.jit import Stopwatch
from sheetmbs.lower import Lowered

Floats = NDArray[np.float64]

DEFAULT_TOLERANCE = 1e-8
PROJECTION = 1e-12  # residual of positions over the characteristic length after each step
CHUNK_SECONDS = 0.1
SHARE = 0.02  # of rtol that a single step may err, so that after many steps the whole is right to about rtol
FINEST = 1e-13  # error of a step below which rounding speaks
FIRST_CHUNK = 100
FORMULATIONS = ("projection", "lagrange", "baumgarte")


def integrated_motion(
    lowered: Lowered, structure: Structure, start: Start, progress: Callable[[float], None] | None
) -> Solution:
    """Motion at all reporting times, or until no step can be taken. Raises WorkbookError for methods not yet there."""
    settings = lowered.model.settings
    name = "dop853" if settings.integrator == "auto" else settings.integrator
    formulation = "projection" if settings.formulation == "auto" else settings.formulation
    if name not in METHODS:
        raise WorkbookError(_not_yet(lowered, "integrator", name, ("auto", *METHODS)))
    if formulation not in FORMULATIONS:
        raise WorkbookError(_not_yet(lowered, "formulation", formulation, ("auto", *FORMULATIONS)))
    method = METHODS[name]
    fixed = not np.any(method.error)
    alpha, beta = (settings.alpha, settings.beta) if formulation == "baumgarte" else (0.0, 0.0)
    project = min(PROJECTION, settings.tolerance) if formulation == "projection" else 0.0
    rtol = DEFAULT_TOLERANCE if settings.rtol is None else settings.rtol
    allowed = max(SHARE * rtol, min(rtol, FINEST))
    step = float(settings.step or settings.t_step or 0.0) if fixed else 0.0

    system = lowered.arrange(structure.keep)
    times = reporting_times(settings.t_start, float(settings.t_end or 0.0), float(settings.t_step or 1.0))
    nq, nv = len(start.q), len(start.v)
    arrays, work = system.arrays, system.work
    Q, V, ACC, TURNS = (np.zeros((len(times), width)) for width in (nq, nv, nv, len(arrays.counted)))
    supplied = np.zeros(len(times))
    reach = horizon(lowered)
    y = np.concatenate((start.q, start.v, [0.0]))
    stages = np.zeros((len(method.c), len(y)))
    good = np.full((2, len(y)), np.nan)
    work.count[:] = 0
    status, row, chunk = int(Status.PAUSED), 1, FIRST_CHUNK
    span = float(times[-1] - times[0])
    watch, pace = Stopwatch(), Pace(settings.t_start, float(times[-1]))
    q, v, rates = y[:nq], y[nq : nq + nv], stages[0]
    evaluate(arrays, work, settings.t_start, q, v, rates, alpha, beta, 0.0)
    count_turns(arrays.counted, work.pose, work.turn, settings.t_start)
    Q[0], V[0], ACC[0], TURNS[0] = q, v, rates[nq : nq + nv], work.turn[: len(arrays.counted), ANGLE]
    if project > 0.0 and settings.initial_conditions == "given":  # row 0 is as given, the motion is on the constraints
        evaluate(arrays, work, settings.t_start, q, v, rates, alpha, beta, project)
    clock = _clock(lowered, v, rates[nq : nq + nv], step, span, allowed ** (1.0 / method.order))
    if work.fault[0]:
        status, row = int(Status.NOT_FINITE), 0
    while status == Status.PAUSED:
        since = time.perf_counter()
        status, row = integrate(
            arrays,
            work,
            method,
            allowed,
            step,
            alpha,
            beta,
            project,
            times,
            reach,
            len(times),
            row,
            y,
            stages,
            good,
            np.zeros(len(y)),
            clock,
            chunk,
            Q,
            V,
            ACC,
            supplied,
            TURNS,
        )
        if time.perf_counter() - since < CHUNK_SECONDS:
            chunk *= 2
        if status == Status.PAUSED and pace.is_hopeless(float(clock[TIME]), int(work.count[Count.STEPS])):
            status = int(Status.STALLED)
        if progress is not None:
            progress(min(1.0, (float(clock[TIME]) - settings.t_start) / span))
    seconds = watch.seconds()
    problems: list[Problem] = list(start.problems)
    if status != Status.DONE:
        begin = np.concatenate((start.q, start.v, [0.0]))
        problems.append(explained(lowered, system, Reached(status, float(clock[TIME]), y, begin, step, span)))
    return Solution(
        analysis="dynamic",
        status="done" if status == Status.DONE else "failed",
        times=times[:row],
        q=Q[:row],
        v=V[:row],
        a=ACC[:row],
        structure=structure,
        work=supplied[:row],
        rtol=None if fixed else rtol,
        turns=TURNS[:row],
        problems=tuple(problems),
        details=(
            *_details(lowered, name, formulation, None if fixed else rtol, step or span / max(int(work.count[1]), 1)),
            *_passages(clock),
        ),
        counts=work.count.copy(),
        seconds=seconds,
    )


def _details(
    lowered: Lowered, name: str, formulation: str, rtol: float | None, step: float
) -> tuple[tuple[str, float | str, str], ...]:
    """What was chosen, for the summary. step: the fixed or the mean one."""
    settings = lowered.model.settings
    found: list[tuple[str, float | str, str]] = [
        ("integrator", f"auto: {name}" if settings.integrator == "auto" else name, ""),
        ("formulation", f"auto: {formulation}" if settings.formulation == "auto" else formulation, ""),
        ("step" if rtol is None else "mean step", step, "s"),
    ]
    if rtol is not None:
        found.append(("relative tolerance", rtol, ""))
    if lowered.bodies.replaced:
        found.append(("negligible mass or inertia instead of zero", explain.names(lowered.bodies.replaced), ""))
    return tuple(found)


def _passages(clock: Floats) -> tuple[tuple[str, str, str], ...]:
    """Where singular positions were passed, for the summary."""
    count = int(clock[PASSED])
    if not count:
        return ()
    times = [f"{time:.4g}" for time in clock[PASSED_AT : PASSED_AT + count]]
    more = f" and {count - len(times)} more" if count > len(times) else ""
    return (("passed a singular position near t =", ", ".join(times) + more, "s"),)


def _clock(lowered: Lowered, v: Floats, a: Floats, step: float, span: float, share: float) -> Floats:
    """Clock of the integrator at the start; its first step is ``share`` of the time scale of the motion where not fixed."""
    bodies = lowered.bodies
    size = np.where(bodies.velocity_class == 1, 1.0, bodies.length)
    rate = max(float(np.max(np.abs(v) / size, initial=0.0)), float(np.sqrt(np.max(np.abs(a) / size, initial=0.0))))
    clock = np.zeros(CLOCK_PLACES)
    clock[TIME] = clock[ORIGIN] = lowered.model.settings.t_start
    clock[RATE] = rate
    clock[STEP] = step if step > 0.0 else min(share / rate if rate > 0.0 else span, span)
    return clock


def _not_yet(lowered: Lowered, setting: str, value: str, known: tuple[str, ...]) -> Problem:
    return Problem(
        "not-available",
        "error",
        lowered.model.settings.cells.get(setting, "Settings"),
        f"{setting} = {value}",
        "this version of sheetmbs does not have this method yet",
        f"choose one of {', '.join(known)}",
    )
