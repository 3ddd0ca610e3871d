"""Kinematic analysis, and with it the motion of inverse dynamics: positions, velocities, accelerations from the drivers.

Nikravesh (1988), sec. 5.2 and 13.1, by appended driving constraints.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

import numpy as np

from sheetmbs.analysis.diagnosis.locking import locked
from sheetmbs.analysis.driver_jumps import first_jump
from sheetmbs.analysis.formulations import RowWatch
from sheetmbs.analysis.horizon import read_times, switches
from sheetmbs.analysis.solution import Solution, reporting_times
from sheetmbs.analysis.start.initial import METHODS, Start
from sheetmbs.analysis.start.start_problems import formula_fault, singular, under_driven
from sheetmbs.analysis.start.structure import Structure, free_bodies
from sheetmbs.engine.algebra.newton import DONE, NOT_CLOSED, DrivenMotion, move_through
from sheetmbs.engine.records import Floats
from sheetmbs.lower import Lowered
from sheetmbs.problems.errors import Problem, WorkbookError

CHUNK_SECONDS = 0.1
MOST_MORE = 16  # times as many rows as in the chunk before
FIRST_CHUNK = 1  # a row may take many small steps, and in between somebody may want to stop the analysis


def driven_motion(
    lowered: Lowered, structure: Structure, start: Start, progress: Callable[[float], None] | None
) -> Solution:
    """Motion of a fully driven model at all reporting times, or those before a driver jumps.

    Raises WorkbookError where it is not fully driven. Idle rotations keep the rate of the start, for velocities change as
    little as they must.
    """
    settings = lowered.model.settings
    analysis = settings.analysis
    if structure.undriven > 0:
        raise WorkbookError(under_driven(structure, free_bodies(lowered, structure, settings.t_start), analysis))
    system = lowered.measuring if np.all(structure.keep) else lowered.arrange(structure.keep, lowered.sizes())
    times = reporting_times(settings.t_start, float(settings.t_end or 0.0), settings.row_step)
    switched = switches(lowered)
    read, jump = read_times(times, switched), first_jump(lowered, switched)
    if jump is not None:
        read = read[: jump.rows_before(times)]
        times = times[: len(read)]
    nq, nv = len(start.q), len(start.v)
    turns = len(system.arrays.counted)
    Q, V, ACC, TURNS = (np.zeros((len(times), width)) for width in (nq, nv, nv, turns))
    q, v, a = start.q.copy(), start.v.copy(), np.zeros(nv)
    way = float(settings.tolerance), METHODS[settings.position_solver]
    motion = DrivenMotion(read, Q, V, ACC, TURNS, q, v, a, np.zeros(nv), *way)
    system.work.count[:], system.work.turn[:] = 0, 0.0
    problems: list[Problem] = list(start.problems)
    row, why, chunk, look = 0, DONE, FIRST_CHUNK, RowWatch()
    began = perf_counter()
    while row < len(times) and why == DONE:
        since = perf_counter()
        last = min(row + (1 if structure.redundant else chunk), len(times))
        row, why = move_through(system.arrays, system.work, motion, row, last)
        other = None if why == NOT_CLOSED else look.other(lowered, structure, system, float(times[min(row, last - 1)]))
        if (
            other is not None
        ):  # the last row is found again: rows that have come to depend on each other tell few digits
            row, structure, before, why = row - (why == DONE), other, system.work, DONE
            system = lowered.arrange(structure.keep, lowered.sizes())
            system.work.turn[:], system.work.count[:] = before.turn, before.count
            q, v, a = _state(start, Q, V, ACC, row)
            motion = replace(motion, q=q, v=v, a=a, jerk=np.zeros(nv))
        more = CHUNK_SECONDS / max(perf_counter() - since, CHUNK_SECONDS / MOST_MORE)
        chunk = min(max(int(chunk * more), chunk), len(times))
        if progress is not None:
            progress(row / len(times))
    seconds = perf_counter() - began
    if why == DONE and jump is not None:
        problems.append(jump.problem)
    elif why != DONE:
        reached = float(system.work.reached[0])
        if system.work.fault[0]:
            problems.append(formula_fault(lowered, system, reached))
        elif why == NOT_CLOSED:
            problems.append(locked(lowered, system, reached, float(times[row]), (start.q, motion.q)))
        else:
            problems.append(singular(lowered, system, reached))
    return Solution(
        analysis=analysis,
        status="done" if why == DONE and jump is None else "failed",
        times=times[:row],
        read=read[:row],
        q=Q[:row],
        v=V[:row],
        a=ACC[:row],
        turns=TURNS[:row],
        structure=structure,
        problems=tuple(problems),
        details=(("position solver", settings.position_solver, ""),),
        counts=system.work.count.copy(),
        seconds=seconds,
    )


def _state(start: Start, Q: Floats, V: Floats, ACC: Floats, row: int) -> tuple[Floats, Floats, Floats]:
    """The state from which the motion to a row begins: the row before, or the start."""
    if row == 0:
        return start.q.copy(), start.v.copy(), np.zeros_like(start.v)
    return Q[row - 1].copy(), V[row - 1].copy(), ACC[row - 1].copy()
