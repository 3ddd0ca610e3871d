"""Fits of hardpoints to measured columns: what they cost, and how often their 95 % bands hold what was planted.

Cars of the templates, their eight kinematic points drawn from the prior of 1 mm, readings with noise of .005 deg and .05 mm in
twelve columns of 41 poses of heave and steer. Processor time of this process. The reference of a derivative is a central
difference of poses, whose error falls with the square of its step.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import openpyxl

from benchmarks import machine, tables
from benchmarks.options import Options
from sheetmbs.products.varied_workbook import CellAt, ColumnPoints
from sheetmbs.studies.fitting.directions import directions
from sheetmbs.studies.fitting.estimate import estimate
from sheetmbs.studies.fitting.fit_space import FitSpace, Floats
from sheetmbs.studies.fitting.solve_fit import fit_all
from sheetmbs.suspension.column_slopes import ColumnSlopes
from sheetmbs.suspension.compliant_slopes import CompliantSlopes
from sheetmbs.suspension.varied_cells import VariedDesign
from sheetmbs.workbook.cells.cells import open_book

TEMPLATES = Path(__file__).parents[1] / "templates"
CARS = ("suspension-double-wishbone", "suspension-formula-student", "suspension-macpherson")
NOT_KINEMATIC = ("wheel centre", "rod", "rocker", "damper", "bar", "spring", "link bar", "strut lower")
"""how points begin that carry springs alone, or that readings of the wheel know anyway"""
HEAVE = ("FL.camber", "FL.toe", "FL.wheel_x", "FL.wheel_y", "FL.caster", "FL.kpi")
STEER = ("FL.steer", "FL.camber", "FL.wheel_x", "FL.wheel_y", "FL.wheel_z", "FL.caster")
POSES, SEEDS, QUICK_SEEDS = 41, 400, 20
PRIOR, ANGLE_NOISE, LENGTH_NOISE = 1.0, 0.005, 0.05
"""mm, deg, mm"""
APART = 0.01
"""in scales, between places that are timed"""
STEP = 1e-3
"""mm, of the difference that derivatives are compared with"""

HEADINGS = {
    "car": "car",
    "coordinates": "coordinates",
    "values": "columns, ms",
    "slopes": "with all derivatives, ms",
    "apart": "derivatives apart from differences",
    "fit": "a fit, ms",
    "held": "truth within 95 %, %",
    "unseen": "unseen directions, least",
    "most_unseen": "most",
}


@dataclass(frozen=True)
class FittedCar:
    """What a car took, and how often its bands held the truth. values, slopes, fit: ms of processor time."""

    car: str
    coordinates: int
    values: float
    slopes: float
    apart: float
    fit: float
    held: float
    unseen: int
    most_unseen: int


@dataclass
class _Readings:
    """Columns of a car over their noise, by coordinates in scales of their priors."""

    space: FitSpace
    columns: ColumnSlopes | CompliantSlopes
    noise: list[float]
    y: Floats

    def computed(self, scaled: Floats) -> Floats | None:
        """(n,) columns over their noise; None where a pose is not reached, or a stiffness is not positive."""
        try:
            found = self.columns.values(self.space.values(scaled))
        except ValueError:
            return None
        whole = np.concatenate([each / sd for each, sd in zip(found, self.noise, strict=True)])
        return whole if np.isfinite(whole).all() else None

    def residuals(self, scaled: Floats) -> Floats | None:
        """(n,) readings less columns."""
        found = self.computed(scaled)
        return None if found is None else self.y - found

    def jacobian(self, scaled: Floats) -> Floats:
        """(n, p) of the residuals."""
        found = self.columns.slopes(self.space.values(scaled))
        return -np.vstack([each / sd for each, sd in zip(found, self.noise, strict=True)]) * self.space.scale


def read_car(name: str) -> _Readings:
    """A template with the coordinates of its kinematic front points as variables."""
    path = TEMPLATES / f"{name}.xlsx"
    cells: list[CellAt] = []
    seen = set()
    for number, row in enumerate(openpyxl.load_workbook(path)["Hardpoints"].iter_rows(values_only=True), 1):
        point = str(row[1])
        if row[0] == "front" and point not in seen and not point.startswith(NOT_KINEMATIC):
            seen.add(point)
            cells += [("Hardpoints", f"{letter}{number}") for letter in "CDE"]
    points = [
        ColumnPoints(case, column, over, "mm", np.linspace(-reach, reach, POSES))
        for case, over, reach, columns in (("heave", "travel", 30.0, HEAVE), ("steer", "rack", 20.0, STEER))
        for column in columns
    ]
    columns = ColumnSlopes(VariedDesign(open_book(path), cells, points), points)
    start = columns.start
    free = np.full(len(start), np.inf)
    space = FitSpace(start, -free, free, np.full(len(start), PRIOR))
    noise = [LENGTH_NOISE if "wheel_" in each.column else ANGLE_NOISE for each in points]
    return _Readings(space, columns, noise, np.zeros(0))


RIG = "suspension-kc-rig"
RIG_LOADS = 17
RIG_POINTS = (
    *("lower arm front", "lower arm rear", "lower ball joint", "upper arm front", "upper ball joint"),
    *("tie rod inner", "tie rod outer"),
)
RIG_COORDINATES = 20
"""the first ones of these points"""
SOFT_PIVOTS = {"lower arm front": 12, "lower arm rear": 8}
"""kN/mm, elastic parts beside those of the template"""
STIFFNESS_PRIOR = 0.3
"""prior sd of a stiffness over the stiffness"""
RIG_SWEEPS = (
    ("lateral", "lateral_force", "N", 2e3, ("FL.camber", "FL.toe", "FL.wheel_y")),
    ("opposed", "lateral_force", "N", 2e3, ("FL.camber", "FL.toe", "FL.wheel_y")),
    ("braking", "longitudinal_force", "N", 3e3, ("FL.toe", "FL.camber", "FL.wheel_x")),
    ("drive", "longitudinal_force", "N", 2e3, ("FL.toe", "FL.wheel_x")),
    ("aligning", "aligning_torque", "N*m", 200.0, ("FL.toe", "FL.steer")),
)
"""sweeps of loads: name, over, unit, to either side, columns"""


def rig_book(path: Path) -> Path:
    """A copy of the template with elastic parts that has six of these and five sweeps of loads."""
    book = openpyxl.load_workbook(TEMPLATES / f"{RIG}.xlsx")
    for name, rows in (
        ("Compliance", [{"axle": "front", "part": part, "k": k} for part, k in SOFT_PIVOTS.items()]),
        ("Sweeps", [{"name": "drive", "type": "longitudinal force", "at": "wheel centre"}]),
    ):
        heads = [cell.value for cell in book[name][1]]
        for row in rows:
            book[name].append([row.get(head) for head in heads])
    ranges = dict(zip(("force_from", "force_to", "force_step"), ("-2 kN", "2 kN", "1 kN"), strict=True))
    heads = [cell.value for cell in book["Sweeps"][1]]
    for head, value in ranges.items():
        book["Sweeps"].cell(book["Sweeps"].max_row, heads.index(head) + 1).value = value
    book.save(path)
    return path


def read_rig() -> _Readings:
    """The template with elastic parts: 20 coordinates and six stiffnesses, 12 columns of heave and those of five loads."""
    with TemporaryDirectory() as folder:
        path = rig_book(Path(folder) / f"{RIG}.xlsx")
        book, sheets = open_book(path), openpyxl.load_workbook(path)
    rows = enumerate(sheets["Hardpoints"].iter_rows(values_only=True), 1)
    cells: list[CellAt] = [("Hardpoints", f"{axis}{n}") for n, row in rows if row[1] in RIG_POINTS for axis in "CDE"]
    stiff = [n for n, row in enumerate(sheets["Compliance"].iter_rows(values_only=True), 1) if row[0] == "front"]
    cells = [*cells[:RIG_COORDINATES], *(("Compliance", f"C{number}") for number in stiff)]
    x = np.linspace(-30.0, 30.0, POSES)
    both = [column.replace("FL", side) for side in ("FL", "FR") for column in HEAVE]
    points = [ColumnPoints("heave", column, "travel", "mm", x) for column in both]
    for case, over, unit, reach, names in RIG_SWEEPS:
        steps = np.linspace(-reach, reach, RIG_LOADS)
        points += [ColumnPoints(case, column, over, unit, steps) for column in names]
    columns = CompliantSlopes(VariedDesign(book, cells, points), points)
    start = columns.start
    free = np.full(len(start), np.inf)
    priors = np.concatenate([np.full(RIG_COORDINATES, PRIOR), STIFFNESS_PRIOR * start[RIG_COORDINATES:]])
    space = FitSpace(start, -free, free, priors)
    noise = [LENGTH_NOISE if "wheel_" in each.column else ANGLE_NOISE for each in points]
    return _Readings(space, columns, noise, np.zeros(0))


def processor(work: Callable[[Floats], object], at: Floats, runs: int) -> float:
    """Median processor time, ms, each run a little farther on: a place where it has just been costs nothing."""
    found = []
    for run in range(1, runs + 1):
        began = time.process_time()
        work(at + run * APART)
        found.append(time.process_time() - began)
    return 1e3 * float(np.median(found))


def apart(car: _Readings) -> float:
    """Largest distance of derivatives along a random direction from a central difference, over the largest derivative."""
    along = np.random.default_rng(1).standard_normal(len(car.space.start))
    exact = -car.jacobian(np.zeros(len(along))) @ along
    ahead, behind = car.computed(STEP * along), car.computed(-STEP * along)
    if ahead is None or behind is None:
        return float("nan")
    return float(np.max(np.abs((ahead - behind) / (2.0 * STEP) - exact)) / np.max(np.abs(exact)))


def coverage(car: _Readings, seeds: int) -> tuple[float, list[int], float]:
    """Share of truths within their bands, unseen directions of every seed, and the processor time of a fit, ms."""
    held, unseen, spent = 0, [], []
    count = len(car.space.start)
    for seed in range(seeds):
        random = np.random.default_rng(seed)
        truth = random.standard_normal(count)
        planted = car.computed(truth)
        if planted is None:
            continue
        own = replace(car, y=planted + random.standard_normal(len(planted)))
        began = time.process_time()
        search = fit_all(own.space, own)
        spent.append(time.process_time() - began)
        if search is None:
            continue
        at = search.best.solution
        jacobian = own.jacobian(at)
        found = directions(own.space, at, jacobian, own.residuals)
        parts = np.array([each.parts for each in found if each.verdict == "unseen"]).reshape(-1, count)
        residuals = own.residuals(at)
        by_values = jacobian / own.space.scale
        known = estimate(own.space, own.space.values(at), by_values, residuals, unseen=parts)  # type: ignore[arg-type]
        values = own.space.values(truth)
        held += int(np.sum((values >= known.low_95) & (values <= known.high_95)))
        unseen.append(len(parts))
    return held / (count * len(unseen)), unseen, 1e3 * float(np.median(spent))


def measured(name: str, options: Options) -> FittedCar:
    """Time a car and fit it again and again."""
    car = read_rig() if name == RIG else read_car(name)
    still = np.zeros(len(car.space.start))
    car.computed(still)
    car.jacobian(still)
    share, unseen, fit = coverage(car, QUICK_SEEDS if options.quick else SEEDS)
    return FittedCar(
        name.removeprefix("suspension-"),
        len(still),
        processor(car.computed, still, options.runs),
        processor(car.jacobian, still, options.runs),
        apart(car),
        fit,
        100.0 * share,
        min(unseen),
        max(unseen),
    )


def study(options: Options) -> None:
    """Time and fit every car."""
    found = [asdict(measured(name, options)) for name in (*CARS, RIG) if options.wanted(name)]
    tables.show(found, HEADINGS)
    if options.save:
        tables.save("fits", found)
        tables.into_readme("fits", f"{machine.measured_on(options.runs)}\n\n{tables.markdown(found, HEADINGS)}")
