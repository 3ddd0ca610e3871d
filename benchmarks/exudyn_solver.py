"""exudyn's solvers with the settings that made them fastest; one thread, nothing written, no sensors."""

from __future__ import annotations

import time
from dataclasses import dataclass

from benchmarks.cases import Case
from benchmarks.exudyn_models import System, exudyn

METHODS = {
    "generalized-alpha": exudyn.DynamicSolverType.GeneralizedAlpha,
    "trapezoidal, index 2": exudyn.DynamicSolverType.TrapezoidalIndex2,
    "rk44": exudyn.DynamicSolverType.RK44,
    "rk67": exudyn.DynamicSolverType.RK67,
    "ode23": exudyn.DynamicSolverType.ODE23,
    "dopri5": exudyn.DynamicSolverType.DOPRI5,
}
ADAPTIVE = ("ode23", "dopri5")


@dataclass(frozen=True)
class Newton:
    """Newton's method of the implicit ones: modified, with the Jacobian of the step's start or an older one.

    tolerance: relative. iterations: with an old Jacobian before a new one is made. every_step: a new one at each step.
    """

    tolerance: float = 1e-5
    iterations: int = 8
    every_step: bool = True


class Exudyn:
    """A system with a method and its step (or, of an adaptive one, its tolerance), ready to be solved again and again.

    Raises RuntimeError where the solver gives up.
    """

    def __init__(self, case: Case, system: System, method: str, size: float, newton: Newton, *, sparse: bool) -> None:
        self._case, self._system, self._method = case, system, METHODS[method]
        adaptive = method in ADAPTIVE
        self._settings = settings = exudyn.SimulationSettings()
        settings.solution.file.write = False
        settings.solution.sensors.active = False
        settings.parallel.numberOfThreads = 1
        solvers = exudyn.LinearSolverType
        settings.linearSolver.solverType = solvers.EigenSparse if sparse else solvers.EigenDense
        settings.linearSolver.reuseAnalyzedPattern = sparse
        integration = settings.timeIntegration
        integration.endTime = case.t_end
        integration.verboseMode = 0
        integration.stepInformation = 0
        integration.adaptiveStep = adaptive
        integration.explicit.computeEndOfStepAccelerations = False
        integration.newton.useModifiedNewton = True
        integration.newton.modifiedNewtonJacUpdatePerStep = newton.every_step
        integration.newton.maxModifiedNewtonIterations = newton.iterations
        integration.newton.relativeTolerance = newton.tolerance
        if adaptive:
            integration.numberOfSteps = 100
            integration.relativeTolerance = integration.absoluteTolerance = size
        else:
            integration.numberOfSteps = round(case.t_end / size)
        self.solve()

    @property
    def error(self) -> float:
        """Of the last solution."""
        return self._case.error(self._system.position())

    def solve(self) -> float:
        """Seconds of one solution from the start."""
        began = time.perf_counter()
        try:
            self._system.mbs.SolveDynamic(
                self._settings, solverType=self._method, showHints=False, showCausingItems=False
            )
        except exudyn.SolverError as error:
            raise RuntimeError(str(error)) from error
        return time.perf_counter() - began
