"""Runs for integrators that are driven directly: the start of a motion, as `analysis/dynamic.py` sets it up."""

import numpy as np

from sheetmbs.analysis.horizon import horizon
from sheetmbs.analysis.integrators.explicit.tableau import Tableau
from sheetmbs.analysis.integrators.interface import ReportedRows, Run, Status
from sheetmbs.analysis.integrators.methods import method_of
from sheetmbs.analysis.solution import reporting_times
from sheetmbs.analysis.start import initial
from sheetmbs.analysis.start.structure import find_structure
from sheetmbs.elements.integrators import INTEGRATORS
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.revolution_counts import ANGLE, count_turns
from sheetmbs.lower import lower

TABLEAUX = {name: method_of(name) for name in INTEGRATORS if isinstance(method_of(name), Tableau)}
"""the explicit Runge-Kutta methods"""


def start(model, rtol=1e-8, project=1e-12, step=0.0):
    """A run of a model; its first row is the start."""
    lowered = lower(model)
    settings = lowered.model.settings
    structure = find_structure(lowered, lowered.bodies.q, settings.t_start)
    given = initial.start(lowered, structure, lowered.arrange())
    system = lowered.arrange(structure.keep)
    arrays, work = system.arrays, system.work
    times = reporting_times(settings.t_start, settings.t_end, settings.t_step)
    q, v = given.q.copy(), given.v.copy()
    nq, nv = len(q), len(v)
    rows = ReportedRows(
        times,
        *(np.zeros((len(times), width)) for width in (nq, nv, nv)),
        np.zeros(len(times)),
        np.zeros((len(times), len(arrays.counted))),
    )
    rates = np.zeros(nq + nv + 1)
    evaluate(arrays, work, settings.t_start, q, v, rates, project)
    count_turns(arrays.counted, work.pose, work.place, work.turn, settings.t_start)
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
        project=project,
        allowed=allowed,
        step=step,
        first_step=min(allowed ** (1 / 8) / fastest if fastest > 0.0 else np.inf, times[-1] - times[0]),
        t=settings.t_start,
        y=np.concatenate((q, v, [0.0])),
        rates=rates,
        fastest=fastest,
    )


def advanced(method, model, limit=100000, **more):
    """The run of a model after it was advanced to its last row."""
    run = start(model, **more)
    integrator = method(run)
    status = Status.PAUSED
    while status == Status.PAUSED:
        status = integrator.advance(limit)
    assert status == Status.DONE
    return run


def violations(run):
    """Largest position and velocity residuals of each reported row."""
    arrays, work, found = run.arrays, run.work, []
    for row, t in enumerate(run.rows.times):
        q, v = run.rows.q[row].copy(), run.rows.v[row].copy()
        evaluate(arrays, work, t, q, v, np.zeros(len(run.y)), 0.0)
        drift = [row_speed(arrays, work, k, v) for k in range(len(arrays.row))]
        found.append((np.max(np.abs(work.phi), initial=0.0), np.max(np.abs(drift), initial=0.0)))
    return np.array(found)


def row_speed(arrays, work, k, v):
    """Residual of one velocity equation."""
    record = arrays.row[k]
    total = -work.nu[k]
    for body, entry in ((record.body_i, record.entry_i), (record.body_j, record.entry_j)):
        if body:
            at, nv = arrays.body[body].v, arrays.body[body].nv
            total += work.jacobian[entry : entry + nv] @ (v[at : at + nv] / arrays.scale[at : at + nv])
    return total
