"""Runs for tests that drive an integrator directly, from the initial conditions as the workbook would have them."""

from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis import initial
from sheetmbs.analysis.horizon import horizon
from sheetmbs.analysis.integrators.generalized_alpha import GeneralizedAlpha
from sheetmbs.analysis.integrators.run import Rows, Run
from sheetmbs.analysis.solution import reporting_times
from sheetmbs.analysis.status import Status
from sheetmbs.analysis.structure import find_structure
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.turns import ANGLE, count_turns
from sheetmbs.lower import lower

SHARE = 0.02  # of rtol, that a step may err


@dataclass(frozen=True)
class Motion:
    """Rows of a run, the run, its counts and how it ended. multiplier: those at the end, by row of the arrays."""

    run: Run
    status: Status
    steps: int
    rejections: int
    iterations: int

    @property
    def rows(self):
        return self.run.rows

    @property
    def q(self):
        return self.run.rows.q

    @property
    def v(self):
        return self.run.rows.v

    @property
    def a(self):
        return self.run.rows.a


def start(model, *, rtol=1e-4, step=0.0, project=0.0):
    """A run at its first row, made from a model."""
    lowered = lower(model)
    settings = model.settings
    everything = lowered.arrange()
    structure = find_structure(lowered, initial.assemble(lowered, everything, lowered.bodies.q, settings.t_start), 0.0)
    begun = initial.start(lowered, structure, everything)
    system = lowered.arrange(structure.keep)
    arrays, work = system.arrays, system.work
    nq, nv = len(begun.q), len(begun.v)
    times = reporting_times(settings.t_start, settings.t_end, settings.t_step)
    widths = (nq, nv, nv, len(arrays.counted))
    q, v, a, turn = (np.zeros((len(times), width)) for width in widths)
    rows = Rows(times, q, v, a, np.zeros(len(times)), turn)
    y = np.concatenate((begun.q, begun.v, [0.0]))
    rates = np.zeros(len(y))
    evaluate(arrays, work, settings.t_start, y[:nq], y[nq : nq + nv], rates, 0.0)
    count_turns(arrays.counted, work.pose, work.turn, settings.t_start)
    q[0], v[0], a[0], turn[0] = y[:nq], y[nq : nq + nv], rates[nq : nq + nv], work.turn[: len(arrays.counted), ANGLE]
    size = np.where(arrays.velocity_class == 1, 1.0, arrays.length)
    fastest = max(np.max(np.abs(v[0]) / size), np.sqrt(np.max(np.abs(a[0]) / size)))
    work.count[:] = 0
    return Run(
        arrays=arrays,
        work=work,
        rows=rows,
        horizon=horizon(lowered),
        project=project,
        allowed=SHARE * rtol,
        step=step,
        first_step=0.01 / fastest if fastest > 0.0 else times[-1] - times[0],
        t=float(times[0]),
        y=y,
        rates=rates,
        fastest=float(fastest),
    )


def finish(integrator, run, most=10_000_000):
    """The motion of a run to its end, or until no step can be taken."""
    status = Status(integrator.advance(most))
    count = run.work.count
    return Motion(run, status, int(count[1]), int(count[2]), int(count[4]))


def moved(model, rho=0.8, *, hht=False, **settings):
    """The motion of a model by generalized-alpha or hht."""
    run = start(model, **settings)
    return finish(GeneralizedAlpha(run, rho, hht=hht), run)
