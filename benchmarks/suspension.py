"""What a suspension costs: poses, metrics, sweeps with load cases, sensitivities, variants, and a whole run with its pages.

Processor time on the formula student car of `workbooks/`. The general kinematic analysis poses the same
corner at the same travels beside it, one driver motion over time; the largest distance of the wheel
centre between both is printed with the ratio. Sensitivities are compared with differences of variants,
and the variant that is the design itself with the design.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks import machine, tables
from benchmarks.options import Options
from benchmarks.timing import in_turns
from sheetmbs.analysis.analyse import analyse
from sheetmbs.engine.records import Floats
from sheetmbs.lower import lower
from sheetmbs.model.model import Model, Quadratic
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, axle_system, level_placing
from sheetmbs.suspension.kinematics.sweeps import Sweep, SweptAxle, swept_axle
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.layout.load_case import LoadCase
from sheetmbs.suspension.metrics.columns import metrics_over_poses, sweep_tables
from sheetmbs.suspension.read_design import ReadDesign
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.sensitivity.sensitivities import Sensitivities, sensitivities
from sheetmbs.suspension.solved_design import SolvedDesign, design_pose, solve_designs
from sheetmbs.suspension.suspension_results import read_suspension
from sheetmbs.suspension.variants import VariantStudy
from sheetmbs.workbook.cells.cells import open_book

BOOK = Path(__file__).parents[1] / "workbooks" / "formula-student.xlsx"
STRUTS = BOOK.with_name("macpherson.xlsx")
POINTS = 101
TRAVEL = 25e-3
FRONT = "front"
FEW = 41
VARIANTS = 320
CASES = 20
GRIP = 1.5
"""g, of the load cases that are added to those of the workbook: turns of the resultant"""
EIGHT = tuple(
    f"FL.{name}"
    for name in (
        *("camber", "toe", "caster", "kpi", "kingpin_offset"),
        *("camber_gradient", "toe_gradient", "motion_ratio"),
    )
)
VARIED = ("lower ball joint", "upper ball joint", "tie rod inner", "tie rod outer", "upper arm front")


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


def without_caches(system: AxleSystem) -> AxleSystem:
    """An axle that remembers no walk."""
    return replace(system, parts=tuple(replace(part) for part in system.parts))


def pose(system: AxleSystem) -> object:
    """Both corners over the sweep, with first and second derivatives."""
    travel = np.linspace(-TRAVEL, TRAVEL, POINTS)
    return without_caches(system).wheels(level_placing(dict.fromkeys(SIDES, travel), np.zeros(POINTS)))


def measure_metrics(design: SolvedDesign) -> object:
    """Poses and all metrics of the axle over the sweep."""
    swept = {"bump": {FRONT: swept_axle(bump(), without_caches(design.systems[FRONT]))}}
    return sweep_tables(design.car, {"bump": bump()}, swept, design.laws)


def over_few(design: SolvedDesign) -> SweptAxle:
    """The front axle in heave over the points of studies."""
    none, travel = np.zeros(FEW), np.linspace(-TRAVEL, TRAVEL, FEW)
    return swept_axle(
        Sweep("bump", "heave", travel, none, none, none, ("travel",), axles=(FRONT,)),
        without_caches(design.systems[FRONT]),
    )


def eight_sensitivities(design: SolvedDesign) -> Sensitivities:
    """Of eight metrics of a corner to all coordinates and lengths of its axle."""
    return sensitivities(design.car, over_few(design), design_pose(design.systems[FRONT]), EIGHT)


def parameters(design: SolvedDesign) -> int:
    """Coordinates and lengths to which sensitivities are found."""
    return len(eight_sensitivities(design).parameters)


def variant_study(design: SolvedDesign, metrics: Collection[str]) -> VariantStudy:
    """Of all coordinates of five points of a corner."""
    names = [f"{point}.{axis}" for point in VARIED for axis in "xyz"]
    return VariantStudy(design, FRONT, names, np.linspace(-TRAVEL, TRAVEL, FEW), metrics=metrics)


def varied(study: VariantStudy) -> Floats:
    """Places around those of the design."""
    shifts = np.random.default_rng(1).uniform(-3e-3, 3e-3, (VARIANTS, len(study.as_drawn)))
    return np.asarray(study.as_drawn + shifts)


def from_differences(design: SolvedDesign, study: VariantStudy) -> float:
    """Largest difference of sensitivities from central differences of variants, over the size of each metric's."""
    h = 5e-6
    steps = h * np.eye(len(study.as_drawn))
    up, down = (study.metrics(study.as_drawn + sign * steps).values for sign in (1.0, -1.0))
    by = np.moveaxis((up - down) / (2e3 * h), 0, -1)
    exact = eight_sensitivities(design)
    names = [each.name for each in exact.parameters]
    own = exact.by[:, :, [names.index(f"{point}.{axis}") for point in VARIED for axis in "xyz"]]
    return float(np.max(np.abs(own - by).max(axis=(0, 2)) / np.abs(own).max(axis=(0, 2))))


def from_design(design: SolvedDesign, study: VariantStudy) -> float:
    """Largest difference of the variant that is the design itself from the design, in the units of metrics."""
    _names, _units, found = metrics_over_poses(design.car, over_few(design), design.laws[FRONT], EIGHT)
    return float(np.max(np.abs(study.metrics(study.as_drawn[None]).values[0] - found)))


def with_cases(read: ReadDesign) -> ReadDesign:
    """A design with 20 load cases: its own, and others around the circle of grip."""
    angles = np.linspace(0.0, 2.0 * np.pi, CASES - len(read.cases), endpoint=False)
    added = (
        LoadCase(f"{np.degrees(angle):.0f} deg", "", ax=GRIP * float(np.cos(angle)), ay=GRIP * float(np.sin(angle)))
        for angle in angles
    )
    return replace(read, cases=(*read.cases, *added))


def with_new_axles(read: ReadDesign) -> ReadDesign:
    """A design whose axles are still to be made and posed."""
    return replace(read, systems={name: axle_system(read.model, each.axle) for name, each in read.systems.items()})


def whole_design(read: ReadDesign) -> object:
    """Make the axles of a design, pose them through all sweeps, and fill the sheets of these."""
    return solve_designs([with_new_axles(read)])[0].tables


def whole_run() -> object:
    """All designs, loads, pages and charts, from the workbook to a written copy."""
    with tempfile.TemporaryDirectory() as folder:
        return run_suspension(BOOK).save_somewhere(Path(folder) / "out.xlsx", backup=False, tell=lambda _problem: None)


SHOWN = {"what": "what", "ms": "ms", "poses": "poses", "us_per_pose": "microseconds a pose", "note": ""}


def study(options: Options) -> None:
    """Run, print, and where all was asked for, save the table."""
    read = read_suspension(open_book(BOOK)).designs
    loaded, first = with_cases(read[0]), solve_designs(read[:1])[0]
    system, general = first.systems[FRONT], over_time(first.systems[FRONT])
    lowered = lower(general)
    strut = solve_designs(read_suspension(open_book(STRUTS)).designs[:1])[0]
    eight, all_metrics = variant_study(first, EIGHT), variant_study(first, ())
    values = varied(eight)
    sides = {
        "a corner in bump, with first and second derivatives": lambda: pose(system),
        "the same corner by the general kinematic analysis": lambda: analyse(lowered),
        "an axle in bump, poses and all metrics": lambda: measure_metrics(first),
        f"one design: all sweeps and {CASES} load cases, with metrics": lambda: whole_design(loaded),
        "two designs: from the workbook to the written copy": whole_run,
        "sensitivities of 8 metrics of a corner at 41 points": lambda: eight_sensitivities(first),
        f"{VARIANTS} variants of a corner at 41 points, 8 metrics": lambda: eight.metrics(values),
        f"{VARIANTS} variants of an axle at 41 points, all metrics": lambda: all_metrics.metrics(values),
        "sensitivities of 8 metrics of a MacPherson corner at 41 points": lambda: eight_sensitivities(strut),
    }
    found = in_turns([processor(work) for work in sides.values()], options.runs)
    poses = {0: 2 * POINTS, 1: POINTS, 2: POINTS}
    poses |= {5: FEW, 6: VARIANTS * FEW, 7: VARIANTS * FEW, 8: FEW}
    poses[3] = sum(len(axle.placing.rack) for axles in first.swept.values() for axle in axles.values())
    per_pose = {number: 1e6 * found[number] / count for number, count in poses.items()}
    notes = {
        1: f"{per_pose[1] / per_pose[0]:.1f} times as long; apart by {1e3 * apart(system, general):.1e} mm",
        5: f"to {parameters(first)}; {from_differences(first, eight):.0e} from differences of variants",
        6: f"{60.0 * VARIANTS / found[6]:,.0f} a minute; {from_design(first, eight):.0e} from the design as swept",
        7: f"{60.0 * VARIANTS / found[7]:,.0f} a minute",
        8: f"to {parameters(strut)}",
    }
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
