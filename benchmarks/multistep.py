"""The multistep method abm against dopri5, and dop853 beside them: error, evaluations and time over the tolerance.

A thesis whose models and integrators ours are the counterparts of found Adams (ode113) 1.8 to 2.9 times as fast as Dormand
and Prince (ode45) on a pendulum, a slider-crank and two governors (its table 3, without accuracies). Here both are compared
at equal error, with the constraints kept by projection after each step and without (lagrange).

The error is the largest of a position over its size at the end, against our own dop853 at the finest tolerance that reaches
the end; what the next coarser one differs by tells how far that can be trusted. `benchmarks.iftomm` compares with references
of others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks import plots, tables, timing
from benchmarks.cases import windows
from benchmarks.chains import chain
from benchmarks.options import Options
from benchmarks.ratio import sure_errors
from benchmarks.ready import Ready, from_workbook, ready, without_rows
from sheetmbs.analysis.solution import Solution
from sheetmbs.engine.codes import Count
from sheetmbs.model.model import Model
from sheetmbs.problems.errors import WorkbookError

INTEGRATORS = ("dopri5", "abm", "dop853")
FORMULATIONS = ("projection", "lagrange")
TOLERANCES = tuple(10.0**-power for power in range(3, 12))
TOLERANCES_QUICK = TOLERANCES[2:7:2]
FINEST = (1e-11, 1e-10, 1e-9, 1e-8)
EQUAL_ERROR = 1e-6
TRUSTED = 3.0  # times the doubt about the reference: a smaller error is not an error
MODELS: dict[str, Callable[[], Model]] = {
    "A01": lambda: without_rows(from_workbook("pendulum")),
    "slider-crank": lambda: without_rows(from_workbook("compressor")),
    "A02 N=2": lambda: without_rows(windows(2), 10.0),
    "A03": lambda: without_rows(from_workbook("andrews")),
    "A04": lambda: without_rows(from_workbook("bricard")),
    "A05": lambda: without_rows(from_workbook("flyball-governor"), 0.3),
    "chain of 40": lambda: chain(40, 5.0),
}
WITH_PROJECTION_ALONE = ("A02 N=2",)
"""passes through positions where what drifts goes another way"""


def available(prepared: Ready) -> tuple[str, ...]:
    """The integrators that this version has."""
    found = []
    for name in INTEGRATORS:
        try:
            prepared.having(integrator=name, rtol=1e-3).run()
        except WorkbookError:
            print(f"{name} is not there yet and is left out")
            continue
        found.append(name)
    return tuple(found)


def difference(first: Solution, second: Solution, prepared: Ready) -> float:
    """Largest difference of two ends, over the sizes of the positions."""
    return float(np.max(np.abs(first.q[-1] - second.q[-1]) / prepared.lowered.bodies.position_size))


def reference(prepared: Ready) -> tuple[Solution, float]:
    """The finest run that reaches the end, and its difference from the next. Raises RuntimeError if there are no two."""
    runs = (prepared.having(integrator="dop853", rtol=rtol).run() for rtol in FINEST)
    done = [run for run in runs if run.status == "done"]
    if len(done) < 2:
        raise RuntimeError("no two runs of dop853 at fine tolerances reach the end")
    return done[0], difference(done[0], done[1], prepared)


def measured(
    name: str, prepared: Ready, integrators: tuple[str, ...], options: Options
) -> Iterator[dict[str, tables.Value]]:
    """Rows of one model: every formulation, integrator and tolerance."""
    exact, doubt = reference(prepared)
    sides = [
        (formulation, integrator, rtol, prepared.having(formulation=formulation, integrator=integrator, rtol=rtol))
        for formulation in (FORMULATIONS[:1] if name in WITH_PROJECTION_ALONE else FORMULATIONS)
        for integrator in integrators
        for rtol in (TOLERANCES_QUICK if options.quick else TOLERANCES)
    ]
    seconds = timing.in_turns([lambda side=side: side.run().seconds for *_, side in sides], options.runs)
    for (formulation, integrator, rtol, side), spent in zip(sides, seconds, strict=True):
        solution = side.run()
        done = solution.status == "done"
        yield {
            "model": name,
            "formulation": formulation,
            "integrator": integrator,
            "rtol": rtol,
            "status": solution.status,
            "error": difference(solution, exact, prepared) if done else None,
            "doubt": doubt,
            "evaluations": int(solution.counts[Count.EVALUATIONS]),
            "steps": int(solution.counts[Count.STEPS]),
            "rejections": int(solution.counts[Count.REJECTIONS]),
            "ms": 1e3 * spent,
        }


def number(row: tables.Row, column: str) -> float:
    """A number of a row as such, not a number where it is not known."""
    value = row[column]
    return float(value) if isinstance(value, int | float) else np.nan


def series(
    rows: list[dict[str, tables.Value]], model: str, formulation: str, integrator: str
) -> list[dict[str, tables.Value]]:
    """The runs of one line of the diagram that end, from coarse to fine, as far as the reference can judge them.

    A run counts with the largest error of itself and all finer ones, so that an error which happens to pass through zero
    wins nothing.
    """
    wanted = (model, formulation, integrator)
    some = [
        row
        for row in rows
        if (row["model"], row["formulation"], row["integrator"]) == wanted and row["status"] == "done"
    ]
    errors = sure_errors([number(row, "error") for row in some])
    known = [(row, error) for row, error in zip(some, errors, strict=True) if error > TRUSTED * number(row, "doubt")]
    return [{**row, "error": error} for row, error in known]


def at_error(some: list[dict[str, tables.Value]], column: str, error: float) -> float:
    """Cost at an error, between the runs on either side of it; not a number outside of them."""
    errors = np.log([number(row, "error") for row in some][::-1])
    costs = np.log([number(row, column) for row in some][::-1])
    if len(some) < 2 or not errors[0] <= np.log(error) <= errors[-1]:
        return float("nan")
    return float(np.exp(np.interp(np.log(error), errors, costs)))


def shared_error(lines: list[list[dict[str, tables.Value]]]) -> float:
    """The usual error, or that next to it which all lines reach and none begins below; not a number if there is none."""
    ends = [[number(row, "error") for row in line] for line in lines if len(line) > 1]
    if not ends:
        return float("nan")
    least, most = max(map(min, ends)), min(map(max, ends))
    return float(np.clip(EQUAL_ERROR, least, most)) if least < most else float("nan")


def at_equal_error(rows: list[dict[str, tables.Value]]) -> list[dict[str, tables.Value]]:
    """Evaluations and time at the same error, for each model and formulation."""
    found: list[dict[str, tables.Value]] = []
    for model, formulation in dict.fromkeys((str(row["model"]), str(row["formulation"])) for row in rows):
        lines = {integrator: series(rows, model, formulation, integrator) for integrator in INTEGRATORS}
        error = shared_error(list(lines.values()))
        line: dict[str, tables.Value] = {"model": model, "formulation": formulation, "error": error}
        for integrator, some in lines.items():
            for column in ("evaluations", "ms"):
                cost = at_error(some, column, error)
                line[f"{integrator}_{column}"] = None if np.isnan(cost) else cost
        first, second = line["dopri5_ms"], line["abm_ms"]
        line["gain"] = float(first) / float(second) if first and second else None
        found.append(line)
    return found


def draw(rows: list[dict[str, tables.Value]]) -> None:
    """Time over error, one diagram for each model; constraints kept by projection, and dashed without."""
    models = list(dict.fromkeys(str(row["model"]) for row in rows))
    across = 3
    down = -(-len(models) // across)
    made, axes = plots.figure(10.5, 3.1 * down, rows=down, columns=across)
    for each, model in zip(axes, models, strict=False):
        for colour, integrator in zip(plots.OURS, INTEGRATORS, strict=False):
            for formulation in FORMULATIONS:
                some = series(rows, model, formulation, integrator)
                if some:
                    errors = [number(row, "error") for row in some]
                    times = [number(row, "ms") for row in some]
                    is_plain = formulation == "lagrange"
                    plots.line(each, errors, times, integrator + ", no projection" * is_plain, colour, peer=is_plain)
        plots.logarithmic(each)
        each.invert_xaxis()
        each.set(title=model, xlabel="error at the end", ylabel="ms")
    for each in axes[len(models) :]:
        each.set_axis_off()
    handles, labels = axes[0].get_legend_handles_labels()
    made.legend(handles, labels, loc="outside lower center", ncols=len(INTEGRATORS))
    plots.save(made, "multistep")


SHOWN = {
    "model": "model",
    "formulation": "formulation",
    "error": "error",
    "dopri5_evaluations": "dopri5, evaluations",
    "abm_evaluations": "abm",
    "dop853_evaluations": "dop853",
    "dopri5_ms": "dopri5, ms",
    "abm_ms": "abm",
    "dop853_ms": "dop853",
    "gain": "time of dopri5 / of abm",
}


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save the tables, the picture and the section of README.md."""
    rows: list[dict[str, tables.Value]] = []
    integrators: tuple[str, ...] = ()
    for name, make in MODELS.items():
        if options.wanted(name):
            prepared = ready(make())
            integrators = integrators or available(prepared)
            rows += measured(name, prepared, integrators, options)
    equal = at_equal_error(rows)
    if options.quick or options.only:
        tables.show(rows)
    tables.show(equal, SHOWN)
    if options.save:
        tables.save("multistep", rows)
        tables.save("multistep-equal-error", equal)
        draw(rows)
        tables.into_readme("multistep", tables.markdown(equal, SHOWN))
