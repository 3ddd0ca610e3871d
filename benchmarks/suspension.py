"""What a suspension costs: poses, metrics, sweeps with load cases, and a whole run with its pages.

Processor time on the formula student car of `workbooks/`. The general kinematic analysis poses the same
corner at the same travels beside it, one driver motion over time; the largest distance of the wheel
centre between both is printed with the ratio.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks import machine, tables
from benchmarks.options import Options
from benchmarks.timing import in_turns
from sheetmbs.analysis.analyse import analyse
from sheetmbs.lower import lower
from sheetmbs.model import Model, Quadratic
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, level_placing
from sheetmbs.suspension.kinematics.sweeps import Sweep, swept_axle
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.metrics.columns import sweep_tables
from sheetmbs.suspension.product import read_suspension, run_suspension
from sheetmbs.suspension.solved_design import SolvedDesign, solve_designs
from sheetmbs.workbook.cells.cells import open_book

BOOK = Path(__file__).parents[1] / "workbooks" / "formula-student.xlsx"
POINTS = 101
TRAVEL = 25e-3
FRONT = "front"


def processor(work: Callable[[], object]) -> Callable[[], float]:
    """What does some work and returns its processor time, s."""

    def timed() -> float:
        began = time.process_time()
        work()
        return time.process_time() - began

    return timed


def bump() -> Sweep:
    """The front axle in heave over 101 rows."""
    none, travel = np.zeros(POINTS), np.linspace(-TRAVEL, TRAVEL, POINTS)
    return Sweep("bump", "heave", travel, none, none, none, ("travel",), axles=(FRONT,))


def over_time(system: AxleSystem) -> Model:
    """The left corner as a model of its own whose wheel travels the same way in one second."""
    part = system.parts[0]
    model = part.driven.lowered.model
    up = Quadratic(float(part.u[0]) - TRAVEL, 2.0 * TRAVEL, 0.0)
    drivers = [replace(driver, motion=up if driver.point else driver.motion) for driver in model.drivers]
    settings = replace(model.settings, analysis="kinematic", t_start=0.0, t_end=1.0, t_step=1.0 / (POINTS - 1))
    return replace(model, drivers=tuple(drivers), settings=settings)


def apart(system: AxleSystem, general: Model) -> float:
    """Largest distance of the wheel centre between both, m."""
    still = np.zeros(POINTS)
    travel = np.linspace(-TRAVEL, TRAVEL, POINTS)
    wheel = system.wheels(level_placing({"left": travel, "right": still}, still))[0]["left"]
    lowered = lower(general)
    solution = analyse(lowered)
    at = int(lowered.bodies.records[lowered.bodies.names[system.axle.body_name("upright", "left")]].q)
    return float(np.max(np.linalg.norm(wheel.centre.value - solution.q[:, at : at + 3], axis=1)))


def pose(system: AxleSystem) -> object:
    """Both corners over the sweep, with first and second derivatives."""
    travel = np.linspace(-TRAVEL, TRAVEL, POINTS)
    return system.wheels(level_placing(dict.fromkeys(SIDES, travel), np.zeros(POINTS)))


def measure_metrics(design: SolvedDesign) -> object:
    """Poses and all metrics of the axle over the sweep."""
    swept = {"bump": {FRONT: swept_axle(bump(), design.systems[FRONT])}}
    return sweep_tables(design.car, {"bump": bump()}, swept, design.laws)


def whole_run() -> object:
    """All designs, loads, pages and charts, from the workbook to a written copy."""
    with tempfile.TemporaryDirectory() as folder:
        return run_suspension(BOOK).save_somewhere(Path(folder) / "out.xlsx", backup=False, tell=lambda _problem: None)


SHOWN = {"what": "what", "ms": "ms", "poses": "poses", "us_per_pose": "microseconds a pose", "note": ""}


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save the table."""
    read = read_suspension(open_book(BOOK)).designs
    first = solve_designs(read[:1])[0]
    system, general = first.systems[FRONT], over_time(first.systems[FRONT])
    lowered = lower(general)
    sides = {
        "a corner in bump, with first and second derivatives": lambda: pose(system),
        "the same corner by the general kinematic analysis": lambda: analyse(lowered),
        "an axle in bump, poses and all metrics": lambda: measure_metrics(first),
        "one design: all sweeps and load cases, with metrics": lambda: solve_designs(read[:1])[0].tables,
        "two designs: from the workbook to the written copy": whole_run,
    }
    found = in_turns([processor(work) for work in sides.values()], options.runs)
    poses = {0: 2 * POINTS, 1: POINTS, 2: POINTS}
    poses[3] = sum(len(axle.placing.rack) for axles in first.swept.values() for axle in axles.values())
    per_pose = {number: 1e6 * found[number] / count for number, count in poses.items()}
    notes = {1: f"{per_pose[1] / per_pose[0]:.1f} times as long; apart by {1e3 * apart(system, general):.1e} mm"}
    rows = [
        {
            "what": what,
            "ms": 1e3 * seconds,
            "poses": poses.get(number),
            "us_per_pose": per_pose.get(number),
            "note": notes.get(number, ""),
        }
        for number, (what, seconds) in enumerate(zip(sides, found, strict=True))
    ]
    print(machine.measured_on(options.runs))
    tables.show(rows, SHOWN)
    if options.save:
        tables.save("suspension", rows)
        tables.into_readme("suspension", f"{machine.measured_on(options.runs)}\n\n{tables.markdown(rows, SHOWN)}")
