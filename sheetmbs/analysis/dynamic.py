"""Dynamic analysis: forward in time from the initial conditions, by an integrator and a formulation of the constraints."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis import explain
from sheetmbs.analysis.formulations import FORMULATIONS, Kept
from sheetmbs.analysis.horizon import horizon
from sheetmbs.analysis.initial import Start
from sheetmbs.analysis.integrators.automatic import IMPLICIT, Automatic
from sheetmbs.analysis.integrators.methods import FIXED_STEP, INTEGRATORS, STIFF
from sheetmbs.analysis.integrators.reporting import write_row
from sheetmbs.analysis.integrators.run import Integrator, Rows, Run
from sheetmbs.analysis.solution import Solution, reporting_times
from sheetmbs.analysis.status import Status
from sheetmbs.analysis.structure import Structure
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.turns import ANGLE, count_turns
from sheetmbs.errors import Problem, WorkbookError
from sheetmbs.lower import Lowered, System
from sheetmbs.model import Settings

Floats = NDArray[np.float64]
Details = tuple[tuple[str, float | str, str], ...]

DEFAULT_TOLERANCE, DEFAULT_OF_STIFF = 1e-8, 1e-7
CHUNK_SECONDS = 0.1
FIRST_CHUNK = 100
SHARE = 0.02  # of rtol that a single step may err, so that after many steps the whole is right to about rtol
FINEST = 1e-13  # error of a step below which rounding speaks


def integrated_motion(
    lowered: Lowered, structure: Structure, start: Start, progress: Callable[[float], None] | None
) -> Solution:
    """Motion at all reporting times, or until no step can be taken. Raises WorkbookError for methods not yet there."""
    settings = lowered.model.settings
    name = settings.integrator
    formulation = "projection" if settings.formulation == "auto" else settings.formulation
    if name not in INTEGRATORS:
        raise WorkbookError(_not_yet(lowered, "integrator", name, tuple(INTEGRATORS)))
    if formulation not in FORMULATIONS:
        raise WorkbookError(_not_yet(lowered, "formulation", formulation, ("auto", *FORMULATIONS)))
    system = lowered.arrange(structure.keep)
    kept = FORMULATIONS[formulation](system, settings)
    system = kept.system
    began = time.perf_counter()
    run = _begun(lowered, kept, start)
    status = int(Status.PAUSED)
    if system.work.fault[0]:
        status, run.row = int(Status.NOT_FINITE), 0
    integrator = INTEGRATORS[name](run)
    span = float(run.rows.times[-1] - settings.t_start)
    chunk = FIRST_CHUNK
    while status == Status.PAUSED:
        since = time.perf_counter()
        status = integrator.advance(chunk)
        if time.perf_counter() - since < CHUNK_SECONDS:
            chunk *= 2
        if progress is not None:
            progress(min(1.0, (run.t - settings.t_start) / span))
    seconds = time.perf_counter() - began
    problems: list[Problem] = list(start.problems)
    if status != Status.DONE:
        problems.append(_failure(lowered, system, status, run.t))
    if system.work.count[Count.UNCONVERGED]:
        problems.append(explain.not_converged(lowered, int(system.work.count[Count.UNCONVERGED])))
    fixed = name in FIXED_STEP
    mean = (run.t - settings.t_start) / max(int(system.work.count[Count.STEPS]), 1)
    rows = run.rows
    return Solution(
        analysis="dynamic",
        status="done" if status == Status.DONE else "failed",
        times=rows.times[: run.row],
        q=rows.q[: run.row],
        v=rows.v[: run.row],
        a=rows.a[: run.row],
        structure=structure,
        work=rows.work[: run.row],
        turns=rows.turn[: run.row],
        problems=tuple(problems),
        details=(
            *_choice(lowered, integrator, formulation),
            ("step", run.step, "s") if fixed else ("mean step", mean, "s"),
            *(() if fixed else _tolerance(lowered, integrator)),
            *_replaced(lowered),
            *_passages(run),
            *_choices(system),
        ),
        counts=system.work.count.copy(),
        seconds=seconds,
    )


def _begun(lowered: Lowered, kept: Kept, start: Start) -> Run:
    """A run at its start, row 0 reported."""
    settings, arrays, work = lowered.model.settings, kept.system.arrays, kept.system.work
    times = reporting_times(settings.t_start, float(settings.t_end or 0.0), float(settings.t_step or 1.0))
    nq, nv, count = len(start.q), len(start.v), len(times)
    widths = (nq, nv, nv)
    q, v, a = (np.zeros((count, width)) for width in widths)
    y = np.concatenate((start.q, start.v, [0.0]))
    rates = np.zeros(len(y))
    work.count[:] = 0
    evaluate(arrays, work, settings.t_start, y[:nq], y[nq : nq + nv], rates, 0.0)
    count_turns(arrays.counted, work.pose, work.turn, settings.t_start)
    rows = Rows(times, q, v, a, np.zeros(count), np.zeros((count, len(arrays.counted))))
    write_row(rows, 0, y, rates, work.turn, ANGLE)
    size = np.where(lowered.bodies.velocity_class == 1, 1.0, lowered.bodies.length)
    fastest = float(np.max(np.abs(y[nq : nq + nv]) / size, initial=0.0))
    changing = float(np.sqrt(np.max(np.abs(rates[nq : nq + nv]) / size, initial=0.0)))
    usual, stiff = (max(SHARE * rtol, min(rtol, FINEST)) for rtol in _tolerances(settings))
    allowed = stiff if settings.integrator in STIFF else usual
    span = float(times[-1] - times[0])
    rate = max(fastest, changing)
    return Run(
        arrays=arrays,
        work=work,
        rows=rows,
        horizon=horizon(lowered),
        allowed=allowed,
        allowed_otherwise=stiff,
        step=float(settings.step or settings.t_step or 1.0),
        first_step=min(allowed**0.125 / rate if rate > 0.0 else span, span),
        t=settings.t_start,
        y=y,
        rates=rates,
        fastest=rate,
        project=kept.project,
        from_step=settings.formulation == "baumgarte" and settings.feedback == "from-step",
    )


def _tolerances(settings: Settings) -> tuple[float, float]:
    """Relative tolerance of methods for motions that are not stiff, and of those for stiff ones."""
    return (DEFAULT_TOLERANCE, DEFAULT_OF_STIFF) if settings.rtol is None else (settings.rtol, settings.rtol)


def _tolerance(lowered: Lowered, integrator: Integrator) -> Details:
    """The tolerance, for the summary."""
    settings = lowered.model.settings
    usual, stiff = _tolerances(settings)
    is_stiff = settings.integrator in STIFF or (isinstance(integrator, Automatic) and integrator.name == IMPLICIT)
    return (("relative tolerance", stiff if is_stiff else usual, ""),)


def _choice(lowered: Lowered, integrator: Integrator, formulation: str) -> Details:
    """Integrator and formulation, and where they were chosen why, for the summary."""
    settings = lowered.model.settings
    found: list[tuple[str, float | str, str]] = [("integrator", settings.integrator, "")]
    if isinstance(integrator, Automatic):
        found = [("integrator", f"auto: {integrator.name}", "")]
        held = [(t, element) for t, name, element in integrator.switches if name == IMPLICIT]
        if held:
            t, element = held[0]
            which = explain.element_name(lowered, element)
            found.append(
                ("integrator chosen because", f"the stiffness of {which} held the steps back at t = {t:.4g} s", "")
            )
        else:
            found.append(("integrator chosen because", "accuracy, not stiffness, sets the steps", ""))
    if settings.formulation == "auto":
        reason = "it keeps all constraints at every step and has nothing to be tuned"
        return (*found, ("formulation", f"auto: {formulation}", ""), ("formulation chosen because", reason, ""))
    return (*found, ("formulation", formulation, ""))


def _replaced(lowered: Lowered) -> Details:
    """Bodies whose masses or inertias of zero were replaced, for the summary."""
    if not lowered.bodies.replaced:
        return ()
    return (("negligible mass or inertia instead of zero", explain.names(lowered.bodies.replaced), ""),)


def _passages(run: Run) -> tuple[tuple[str, str, str], ...]:
    """Where singular positions were passed, for the summary."""
    if not run.passages:
        return ()
    times = [f"{time:.4g}" for time in run.passed]
    more = f" and {run.passages - len(times)} more" if run.passages > len(times) else ""
    return (("passed a singular position near t =", ", ".join(times) + more, "s"),)


def _choices(system: System) -> tuple[tuple[str, int, str], ...]:
    """How often coordinate partitioning chose its dependent coordinates, for the summary."""
    count = int(system.work.count[Count.REPARTITIONS])
    return (("choices of coordinates", count, ""),) if count else ()


def _failure(lowered: Lowered, system: System, status: int, t: float) -> Problem:
    if system.work.fault[0]:
        return explain.formula_fault(lowered, system, t)
    return explain.step_failed(lowered, system, status, t)


def _not_yet(lowered: Lowered, setting: str, value: str, known: tuple[str, ...]) -> Problem:
    return Problem(
        "not-available",
        "error",
        lowered.model.settings.cells.get(setting, "Settings"),
        f"{setting} = {value}",
        "this version of sheetmbs does not have this method yet",
        f"choose one of {', '.join(known)}",
    )
