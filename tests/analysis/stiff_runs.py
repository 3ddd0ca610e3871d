"""Runs of backward differentiation, and a stiff model with a closed form."""

import numpy as np

from sheetmbs.analysis.integrators.interface import Status
from sheetmbs.analysis.integrators.ndf.bdf import BackwardDifferentiation
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate as evaluate  # noqa: PLC0414 - tests of kernels are told by such lines
from sheetmbs.model.model import Joint
from tests.support.mechanisms import body, model, on, slide_axes
from tests.support.runs import start
from tests.support.springs import make_spring

STILL = (0.0, 0.0, 0.0)


def begun(made, rtol=1e-8, feedback=(0.0, 0.0, 1e-12)):
    """A run over a model, at its start. feedback: Baumgarte's alpha and beta, and the residual to project to."""
    run = start(made, rtol, project=feedback[2])
    run.work.feedback[:2] = feedback[:2]
    run.first_step = 0.01 * (run.rows.times[-1] - run.rows.times[0])
    return run


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
    spring = make_spring("s", "translational", on("ground", -1.0), on("m"), k=k, c=c, natural=0.6)
    rail = Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("m", axes=slide_axes(0)))
    return model((body("m"),), (rail,), springs=(spring,), gravity=STILL, **settings)


def displacement(t, k, c):
    """Closed form of its motion, by the roots of s^2 + c s + k."""
    large = -(c + np.sqrt(complex(c * c - 4 * k))) / 2
    small = k / large
    return (0.4 * (small * np.exp(large * t) - large * np.exp(small * t)) / (small - large)).real
