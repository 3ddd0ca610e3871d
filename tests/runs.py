"""Runs for integrators that tests drive themselves."""

import numpy as np

from sheetmbs.analysis import initial
from sheetmbs.analysis.horizon import horizon
from sheetmbs.analysis.integrators.run import Feedback, Rows, Run
from sheetmbs.analysis.solution import reporting_times
from sheetmbs.analysis.status import Status
from sheetmbs.analysis.structure import find_structure
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.turns import ANGLE, count_turns
from sheetmbs.lower import lower

SHARE = 0.02  # of rtol that a single step may err


def run_of(model, rtol=1e-6, step=0.0):
    """A run over a model at its start, with projection. step: of a fixed-step method."""
    lowered = lower(model)
    settings = model.settings
    structure = find_structure(lowered, lowered.bodies.q, settings.t_start)
    start = initial.start(lowered, structure, lowered.arrange())
    arrays, work, _kept = _parts(lowered.arrange(structure.keep))
    times = reporting_times(settings.t_start, settings.t_end, settings.t_step)
    nq, nv, count = len(start.q), len(start.v), len(arrays.counted)
    widths = (nq, nv, nv)
    rows = Rows(
        times, *(np.zeros((len(times), width)) for width in widths), np.zeros(len(times)), np.zeros((len(times), count))
    )
    y = np.concatenate((start.q, start.v, [0.0]))
    rates = np.zeros(len(y))
    q, v, a = y[:nq], y[nq : nq + nv], rates[nq : nq + nv]
    work.count[:] = 0
    evaluate(arrays, work, settings.t_start, q, v, rates, 0.0, 0.0, 0.0)
    count_turns(arrays.counted, work.pose, work.turn, settings.t_start)
    rows.q[0], rows.v[0], rows.a[0], rows.turn[0] = q, v, a, work.turn[:count, ANGLE]
    size = np.where(arrays.velocity_class == 1, 1.0, arrays.length)
    fastest = float(np.max(np.abs(v) / size, initial=0.0))
    pace = max(fastest, float(np.sqrt(np.max(np.abs(a) / size, initial=0.0))))
    span = float(times[-1] - times[0])
    allowed = max(SHARE * rtol, min(rtol, 1e-13))
    return Run(
        arrays,
        work,
        rows,
        horizon(lowered),
        Feedback(0.0, 0.0, 1e-12),
        allowed,
        step,
        min(allowed**0.2 / pace if pace > 0.0 else span, span),
        settings.t_start,
        y,
        rates,
        fastest,
    )


def _parts(system):
    return system.arrays, system.work, system.kept


def finished(method, run):
    """The run after ``method`` has gone all its way over it."""
    integrator = method(run)
    status = Status.PAUSED
    while status == Status.PAUSED:
        status = integrator.advance(1000)
    assert status == Status.DONE
    return run
