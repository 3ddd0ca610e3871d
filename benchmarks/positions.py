"""Dogleg against Levenberg-Marquardt and plain Newton: assembling from perturbed starts, and whole kinematic analyses.

A start is the assembled configuration with every body displaced and turned at random: by a normal deviate times ``moved`` of
the characteristic length, and as many radians. The three solvers of the product take their steps in the same coordinates and
with the same factor, so that only the choice of steps differs. Steps are least in the measure of mass, as where initial
conditions are corrected, or in that of geometry, as in a kinematic analysis.

For planar mechanisms that drivers determine fully, MINPACK's Powell (hybrj) and Levenberg-Marquardt (lmder) solve the same
residuals with the same Jacobian, as an independent check.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import root

from benchmarks import plots, tables, timing
from benchmarks.cases import windows
from benchmarks.chains import chain
from benchmarks.options import Options
from benchmarks.ready import Ready, from_workbook, ready
from sheetmbs.analysis.start.initial import METHODS
from sheetmbs.analysis.start.poses import orientation, position
from sheetmbs.compiled import kernel
from sheetmbs.engine.algebra.newton import DOGLEG, solve_positions
from sheetmbs.engine.codes import BodyKind, Count
from sheetmbs.engine.vec import copy
from sheetmbs.lower import Lowered, System, lower
from sheetmbs.model.model import Model

Floats = NDArray[np.float64]

NAMES = {"dogleg": "dogleg", "levenberg-marquardt": "Levenberg-Marquardt", "newton": "Newton"}
MINPACK = {"hybr": "MINPACK hybrj", "lm": "MINPACK lmder"}
MOVED = (0.01, 0.03, 0.1, 0.3, 1.0)
STARTS = 200
STARTS_QUICK = 20
GEOMETRY = "geometry"
TOLERANCE = 1e-10
SAME = 1e-6  # of the characteristic length: bodies stand in the same place
WORKBOOKS = (
    "slider-crank", "four-bar", "quick-return", "slider-crank-3d", "wind-turbine", "double-wishbone", "car",
    "andrews", "bricard", "compressor", "flyball-governor", "four-bar-windows", "gyroscope",
)  # fmt: skip
MADE: dict[str, Callable[[], Model]] = {
    "40 windows": lambda: windows(40),
    "chain of 40 links": lambda: chain(40, 1.0),
}
KINEMATIC = ("slider-crank", "four-bar", "quick-return", "slider-crank-3d", "wind-turbine", "double-wishbone", "car")
FEW = 10
"""rows of a coarse kinematic analysis: the solver then starts far from where it must end"""
ITERATIONS, FACTORISATIONS = int(Count.ITERATIONS), int(Count.FACTORISATIONS)


@kernel
def solve_all(A, W, t, starts, tolerance, method, ends, open_still, iterations) -> None:  # noqa: ANN001, PLR0913 - typed by numba
    """Solve from each of ``starts`` (n, nq). ends (n, nq), open_still (n,) and iterations (n,) receive what came of it."""
    for n in range(starts.shape[0]):
        for k in range(W.turn.shape[0]):
            for c in range(W.turn.shape[1]):
                W.turn[k, c] = 0.0
        before = W.count[ITERATIONS]
        copy(starts[n], ends[n])
        open_still[n] = solve_positions(A, W, t, ends[n], tolerance, method)
        iterations[n] = W.count[ITERATIONS] - before


class Mechanism:
    """A model with its assembled configuration at t_start, as the solvers meet it when a workbook is run: with all its rows."""

    def __init__(self, name: str, model: Model) -> None:
        self.name = name
        self.lowered: Lowered = lower(model)
        self.systems: dict[str, System] = {
            "mass": self.lowered.arrange(),
            GEOMETRY: self.lowered.arrange(weights=self.lowered.sizes()),
        }
        self.t = model.settings.t_start
        self.assembled = self.lowered.bodies.q.copy()
        arrays, work = self.systems[GEOMETRY].arrays, self.systems[GEOMETRY].work
        self.rows = len(arrays.row)
        if solve_positions(arrays, work, self.t, self.assembled, TOLERANCE, DOGLEG):
            raise RuntimeError(f"{name} cannot be assembled")
        self.is_planar = all(body.kind == BodyKind.PLANAR for body in arrays.body[1:])
        self.is_driven = model.settings.analysis in {"kinematic", "inverse dynamic"}

    def starts(self, moved: float, count: int) -> Floats:
        """(count, nq) configurations around the assembled one, the same at every call."""
        bodies = self.lowered.bodies
        size = np.where(bodies.velocity_class == 1, 1.0, bodies.length)
        steps = moved * size * np.random.default_rng(1).normal(size=(count, len(size)))
        return np.array([self.lowered.moved(self.assembled, step) for step in steps])

    def shifts(self, first: Floats, second: Floats) -> Floats:
        """(bodies, n) how far bodies move between configurations (..., nq), over the characteristic length."""
        names = list(self.lowered.bodies.names.values())[1:]
        moves = [position(self.lowered, second, body) - position(self.lowered, first, body) for body in names]
        return np.linalg.norm(np.array(moves), axis=-1) / self.lowered.bodies.length

    def way(self, first: Floats, second: Floats) -> Floats:
        """(n,) root of the sum of squares of all shifts and turns (rad, of small ones)."""
        names = list(self.lowered.bodies.names.values())[1:]
        turns = [orientation(self.lowered, second, body) - orientation(self.lowered, first, body) for body in names]
        squares = self.shifts(first, second) ** 2 + 0.5 * np.sum(np.array(turns) ** 2, axis=(-2, -1))
        return np.sqrt(np.sum(squares, axis=0))


def _solver(
    mechanism: Mechanism, measure: str, starts: Floats, method: int
) -> Callable[[], tuple[Floats, Floats, Floats, float, float]]:
    arrays, work = mechanism.systems[measure].arrays, mechanism.systems[measure].work
    count = len(starts)
    ends, is_open, iterations = np.zeros_like(starts), np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)

    def solve() -> tuple[Floats, Floats, Floats, float, float]:
        work.count[:] = 0
        began = time.perf_counter()
        solve_all(arrays, work, mechanism.t, starts, TOLERANCE, method, ends, is_open, iterations)
        seconds = time.perf_counter() - began
        return ends, is_open == 0, iterations, float(work.count[FACTORISATIONS]) / count, seconds

    return solve


def _minpack(mechanism: Mechanism, starts: Floats, method: str) -> tuple[Floats, Floats, Floats]:
    """Ends, which of them are closed, and evaluations of the residuals."""
    system = mechanism.systems[GEOMETRY]
    arrays, work = system.arrays, system.work

    def residual(q: Floats) -> tuple[Floats, Floats]:
        solve_positions(arrays, work, mechanism.t, q.copy(), np.inf, DOGLEG)
        return work.phi.copy(), system.jacobian().dense() / arrays.scale

    found = [root(residual, start, jac=True, method=method, options={"xtol": 1e-13}) for start in starts]
    ends = np.array([each.x for each in found])
    closed = np.array([np.max(np.abs(residual(end)[0])) <= TOLERANCE for end in ends])
    return ends, closed, np.array([each.nfev for each in found])


def _outcome(
    mechanism: Mechanism, starts: Floats, ends: Floats, closed: Floats, evaluations: Floats
) -> dict[str, tables.Value]:
    """What a solver made of the starts."""
    way = mechanism.way(starts, ends) / mechanism.way(starts, mechanism.assembled)
    kept = np.max(mechanism.shifts(ends, mechanism.assembled), axis=0) < SAME
    any_closed = bool(np.any(closed))
    return {
        "starts": len(starts),
        "closed": float(np.mean(closed)),
        "closed_as_it_was": float(np.mean(closed & kept)) if mechanism.is_driven else None,
        "way": float(np.median(way[closed])) if any_closed else None,
        "evaluations": float(np.mean(evaluations[closed])) if any_closed else None,
        "most_evaluations": int(np.max(evaluations[closed])) if any_closed else None,
    }


def from_starts(mechanism: Mechanism, moved: float, count: int, runs: int) -> Iterator[dict[str, tables.Value]]:
    """One row for each measure and solver."""
    starts = mechanism.starts(moved, count)
    head = {"mechanism": mechanism.name, "rows": mechanism.rows, "moved": moved}
    for measure in mechanism.systems:
        solvers = {name: _solver(mechanism, measure, starts, METHODS[key]) for key, name in NAMES.items()}
        seconds = timing.in_turns([lambda solve=solve: solve()[-1] for solve in solvers.values()], runs)
        for (name, solve), spent in zip(solvers.items(), seconds, strict=True):
            ends, closed, iterations, factorisations, _ = solve()
            yield {
                **head,
                "measure": measure,
                "solver": name,
                **_outcome(
                    mechanism, starts, ends, closed, iterations + 1
                ),  # the residual at the end is found once more
                "factorisations": factorisations,
                "us_per_start": 1e6 * spent / count,
            }
    if mechanism.is_planar and mechanism.is_driven and mechanism.rows == starts.shape[1]:
        for method, name in MINPACK.items():
            yield {
                **head,
                "measure": "none",
                "solver": name,
                **_outcome(mechanism, starts, *_minpack(mechanism, starts, method)),
            }


def assembling(options: Options) -> list[dict[str, tables.Value]]:
    """Rows of all mechanisms, perturbations and solvers."""
    rows: list[dict[str, tables.Value]] = []
    makers = {name: partial(from_workbook, name) for name in WORKBOOKS} | MADE
    for name, make in makers.items():
        if not options.wanted(name):
            continue
        mechanism = Mechanism(name, make())
        for moved in MOVED[2:3] if options.quick else MOVED:
            rows += from_starts(mechanism, moved, STARTS_QUICK if options.quick else STARTS, options.runs)
    return rows


def moving(options: Options) -> list[dict[str, tables.Value]]:
    """Rows of all driven mechanisms, row distances and solvers."""
    rows: list[dict[str, tables.Value]] = []
    for name in KINEMATIC:
        if not options.wanted(name):
            continue
        model = from_workbook(name)
        prepared = ready(model)
        span = float(model.settings.t_end or 0.0) - model.settings.t_start
        for step in (model.settings.t_step, span / FEW):
            rows += _analyses(name, prepared.having(t_step=step), options.runs)
    return rows


def _analyses(name: str, prepared: Ready, runs: int) -> Iterator[dict[str, tables.Value]]:
    sides = {shown: prepared.having(position_solver=key) for key, shown in NAMES.items()}
    seconds = timing.in_turns([lambda side=side: side.run().seconds for side in sides.values()], runs)
    found = {shown: side.run() for shown, side in sides.items()}
    dogleg = next(iter(found.values()))
    for (shown, solution), spent in zip(found.items(), seconds, strict=True):
        done = min(len(dogleg.q), len(solution.q))
        apart = np.abs(solution.q[:done] - dogleg.q[:done]) / prepared.lowered.bodies.position_size
        yield {
            "mechanism": name,
            "rows": len(solution.times),
            "solver": shown,
            "status": solution.status,
            "evaluations": int(solution.counts[ITERATIONS]),
            "ms": 1e3 * spent,
            "times_dogleg": spent / seconds[0],
            "differs": float(np.max(apart, initial=0.0)),
        }


def summary(rows: list[dict[str, tables.Value]], measure: str) -> list[dict[str, tables.Value]]:
    """Means over the mechanisms, for each size of perturbation and solver of ours."""
    found: list[dict[str, tables.Value]] = []
    for moved in MOVED:
        for solver in NAMES.values():
            some, base = (
                [row for row in rows if (row["moved"], row["solver"], row["measure"]) == (moved, each, measure)]
                for each in (solver, NAMES["dogleg"])
            )
            if not some:
                continue
            ratios = [
                _number(row, "us_per_start") / _number(first, "us_per_start")
                for row, first in zip(some, base, strict=True)
            ]
            found.append(
                {
                    "measure": measure,
                    "moved": moved,
                    "solver": solver,
                    "not_closed": 100.0 * (1.0 - _mean(some, "closed")),
                    "as_it_was": 100.0 * _mean(some, "closed_as_it_was"),
                    "way": _mean(some, "way"),
                    "evaluations": _mean(some, "evaluations"),
                    "times_dogleg": float(np.exp(np.mean(np.log(ratios)))),
                }
            )
    return found


def _number(row: dict[str, tables.Value], column: str) -> float:
    value = row[column]
    return float(value) if isinstance(value, int | float) else np.nan


def _mean(rows: list[dict[str, tables.Value]], column: str) -> float:
    return float(np.nanmean([_number(row, column) for row in rows]))


def draw(rows: list[dict[str, tables.Value]]) -> None:
    """Starts that were not closed, and residuals evaluated for those that were, over the size of the perturbation."""
    made, axes = plots.figure(9.6, 7.2, rows=2, columns=2)
    for measure, (failures, work) in (("mass", axes[:2]), (GEOMETRY, axes[2:])):
        means = summary(rows, measure)
        for colour, solver in zip(plots.OURS, NAMES.values(), strict=False):
            some = [row for row in means if row["solver"] == solver]
            moved = [_number(row, "moved") for row in some]
            is_ours = solver == NAMES["dogleg"]
            plots.line(failures, moved, [_number(row, "not_closed") for row in some], solver, colour, strong=is_ours)
            plots.line(work, moved, [_number(row, "evaluations") for row in some], solver, colour, strong=is_ours)
        failures.set(
            title=f"Starts that stay open: measure of {measure}", ylabel="% of the starts, mean of the mechanisms"
        )
        work.set(title="Work where it closes", ylabel="residuals evaluated per start, mean")
    for each in axes:
        plots.logarithmic(each, upwards=False)
        each.set_ylim(bottom=0.0)
        each.set_xlabel("perturbation, of the characteristic length and in rad")
    axes[0].legend()
    plots.save(made, "positions")


ASSEMBLING = {
    "measure": "steps least in",
    "moved": "perturbation",
    "solver": "solver",
    "not_closed": "stay open, %",
    "as_it_was": "driven ones back where they were, %",
    "way": "way gone / perturbation",
    "evaluations": "residuals per closed start",
    "times_dogleg": "time / dogleg's",
}
MOVING = {
    "mechanism": "mechanism",
    "rows": "rows",
    "solver": "solver",
    "status": "status",
    "evaluations": "residuals",
    "ms": "ms",
    "times_dogleg": "time / dogleg's",
    "differs": "differs from dogleg's by",
}


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save both tables, the picture and the section of README.md."""
    assembled, moved = assembling(options), moving(options)
    tables.show(assembled)
    means = [row for measure in ("mass", GEOMETRY) for row in summary(assembled, measure)]
    tables.show(means, ASSEMBLING)
    tables.show(moved, MOVING)
    if options.save:
        tables.save("positions", assembled)
        tables.save("positions-motion", moved)
        draw(assembled)
        tables.into_readme("positions", tables.markdown(means, ASSEMBLING))
        tables.into_readme("positions motion", tables.markdown(moved, MOVING))
