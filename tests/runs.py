"""Runs for integrators that are driven directly: the start of a motion, as `analysis/dynamic.py` sets it up."""

import numpy as np

from sheetmbs.analysis.horizon import horizon
from sheetmbs.analysis.integrators.run import Feedback, Rows, Run
from sheetmbs.analysis.solution import reporting_times
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.turns import ANGLE, count_turns
from sheetmbs.lower import lower


def start(model, rtol=1e-8, project=1e-12, alpha=0.0, beta=0.0, step=0.0):
    """A run over all rows of a model that is assembled and without redundant rows; its first row is the start."""
    lowered = lower(model)
    settings = lowered.model.settings
    system = lowered.arrange()
    arrays, work = system.arrays, system.work
    times = reporting_times(settings.t_start, settings.t_end, settings.t_step)
    q, v = lowered.bodies.q.copy(), lowered.bodies.v.copy()
    nq, nv = len(q), len(v)
    rows = Rows(
        times,
        *(np.zeros((len(times), width)) for width in (nq, nv, nv)),
        np.zeros(len(times)),
        np.zeros((len(times), len(arrays.counted))),
    )
    rates = np.zeros(nq + nv + 1)
    evaluate(arrays, work, settings.t_start, q, v, rates, alpha, beta, project)
    count_turns(arrays.counted, work.pose, work.turn, settings.t_start)
    rows.q[0], rows.v[0], rows.a[0] = q, v, rates[nq : nq + nv]
    rows.turn[0] = work.turn[: len(arrays.counted), ANGLE]
    work.count[:] = 0
    size = np.where(lowered.bodies.velocity_class == 1, 1.0, lowered.bodies.length)
    fastest = max(np.max(np.abs(v) / size), np.sqrt(np.max(np.abs(rates[nq : nq + nv]) / size)))
    allowed = max(0.02 * rtol, 1e-13)
    return Run(
        arrays=arrays,
        work=work,
        rows=rows,
        horizon=horizon(lowered),
        feedback=Feedback(alpha, beta, project),
        allowed=allowed,
        step=step,
        first_step=min(allowed ** (1 / 8) / fastest if fastest > 0.0 else np.inf, times[-1] - times[0]),
        t=settings.t_start,
        y=np.concatenate((q, v, [0.0])),
        rates=rates,
        fastest=fastest,
    )


def to_the_end(method, run, limit=100000):
    """Advance to the last row. Returns the status."""
    integrator = method(run)
    status = 1
    while status == 1:
        status = integrator.advance(limit)
    return status


def violations(run):
    """Largest position residual of each reported row."""
    worst = []
    for row, t in enumerate(run.rows.times):
        evaluate(
            run.arrays, run.work, t, run.rows.q[row].copy(), run.rows.v[row].copy(), run.rates.copy(), 0.0, 0.0, 0.0
        )
        worst.append(np.max(np.abs(run.work.phi), initial=0.0))
    return np.array(worst)
