"""Runs for tests that drive an integrator directly, from the initial conditions as the workbook would have them."""

from dataclasses import dataclass

from sheetmbs.analysis.integrators.alpha.generalized_alpha import GeneralizedAlpha
from sheetmbs.analysis.integrators.interface import Run, Status
from tests.support.runs import start as begun


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
    run = begun(model, rtol, project=project, step=step)
    span = run.rows.times[-1] - run.rows.times[0]
    run.first_step = 0.01 / run.fastest if run.fastest > 0.0 else span
    return run


def finish(integrator, run, most=10_000_000):
    """The motion of a run to its end, or until no step can be taken."""
    status = Status(integrator.advance(most))
    count = run.work.count
    return Motion(run, status, int(count[1]), int(count[2]), int(count[4]))


def moved(model, rho=0.8, *, hht=False, **settings):
    """The motion of a model by generalized-alpha or hht."""
    run = start(model, **settings)
    return finish(GeneralizedAlpha(run, rho, hht=hht), run)
