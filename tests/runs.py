"""Runs of one integrator over a model made in Python, and a stiff model with a closed form."""

import numpy as np

from sheetmbs.analysis import initial
from sheetmbs.analysis.horizon import horizon
from sheetmbs.analysis.integrators.bdf import BackwardDifferentiation
from sheetmbs.analysis.integrators.run import Feedback, Rows, Run
from sheetmbs.analysis.solution import reporting_times
from sheetmbs.analysis.status import Status
from sheetmbs.analysis.structure import find_structure
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.turns import ANGLE, count_turns
from sheetmbs.lower import lower
from sheetmbs.model import Joint, Spring
from tests.mechanisms import body, model, on, slide_axes

STILL = (0.0, 0.0, 0.0)


def begun(made, rtol=1e-8, feedback=(0.0, 0.0, 1e-12)):
    """A run over a model, at its start."""
    lowered = lower(made)
    settings = made.settings
    structure = find_structure(lowered, lowered.bodies.q, settings.t_start)
    start = initial.start(lowered, structure, lowered.arrange())
    system = lowered.arrange(structure.keep)
    arrays, work = system.arrays, system.work
    nq, nv, turns = len(start.q), len(start.v), len(arrays.counted)
    times = reporting_times(settings.t_start, settings.t_end, settings.t_step)
    rows = Rows(
        times, *(np.zeros((len(times), n)) for n in (nq, nv, nv)), np.zeros(len(times)), np.zeros((len(times), turns))
    )
    y, rates = np.concatenate((start.q, start.v, [0.0])), np.zeros(nq + nv + 1)
    work.count[:] = 0
    evaluate(arrays, work, settings.t_start, y[:nq], y[nq : nq + nv], rates, feedback[0], feedback[1], 0.0)
    count_turns(arrays.counted, work.pose, work.turn, settings.t_start)
    rows.q[0], rows.v[0], rows.a[0], rows.turn[0] = y[:nq], start.v, rates[nq : nq + nv], work.turn[:turns, ANGLE]
    size = np.where(arrays.velocity_class == 1, 1.0, arrays.length)
    fastest = max(np.max(np.abs(start.v) / size), np.sqrt(np.max(np.abs(rates[nq : nq + nv]) / size)))
    allowed = max(0.02 * rtol, 1e-13)
    first = 0.01 * (times[-1] - times[0])
    return Run(
        arrays, work, rows, horizon(lowered), Feedback(*feedback), allowed, 0.0, first, times[0], y, rates, fastest
    )


def finished(made, rtol=1e-8, feedback=(0.0, 0.0, 1e-12), highest=5):
    """The run after its integration; it must have reached its end."""
    run = begun(made, rtol, feedback)
    method = BackwardDifferentiation(run, highest)
    while (status := method.advance(100)) == Status.PAUSED:
        pass
    assert status == Status.DONE
    assert run.t == run.rows.times[-1]
    return run


def counted(run, what):
    """A count of the run by its name in codes.Count."""
    return int(run.work.count[Count[what]])


def on_a_rail(k, c, **settings):
    """A mass of 1 kg at rest, 0.4 m beside its place of rest on a spring and damper."""
    spring = Spring("s", "translational", on("ground", -1.0), on("m"), k=k, c=c, natural=0.6)
    rail = Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("m", axes=slide_axes(0)))
    return model((body("m"),), (rail,), springs=(spring,), gravity=STILL, **settings)


def displacement(t, k, c):
    """Closed form of its motion, by the roots of s^2 + c s + k."""
    large = -(c + np.sqrt(complex(c * c - 4 * k))) / 2
    small = k / large
    return (0.4 * (small * np.exp(large * t) - large * np.exp(small * t)) / (small - large)).real
