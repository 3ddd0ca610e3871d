"""Compliance of an axle: what equilibria and metrics over 41 poses cost, and how far these are from differences of equilibria.

Processor time of the front axle of the formula student car of `workbooks/` with bushings, links, rack and wheel bearings that
give way. The reference of the metrics is a central difference of two equilibria under a force; its error falls with the square.
Without springs, so that nothing carries a load at design, exudyn solves the same bushings, links and bearings.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import cast

import numpy as np
import openpyxl

from benchmarks import machine, tables
from benchmarks.options import Options
from sheetmbs.suspension.compliance.compliant_sweeps import compliant_axle, elastic_axle
from sheetmbs.suspension.compliance.elastic_axle import ElasticPoses
from sheetmbs.suspension.kinematics.sweeps import SteppedLoad, Sweep, SweptAxle, swept_axle
from sheetmbs.suspension.metrics.columns import metrics_over_poses
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.solved_design import SolvedDesign, design_pose

BOOK = Path(__file__).parents[1] / "workbooks" / "formula-student.xlsx"
FRONT = "front"
PIVOTS = ("lower arm front", "lower arm rear", "upper arm front", "upper arm rear")
ROWS = (
    ("axle", "part", "k", "k_radial", "k_axial", "k_torsion", "k_conical"),
    *((FRONT, name, None, "8 kN/mm", "2 kN/mm", "1 N*m/deg", None) for name in PIVOTS),
    *((FRONT, name, "30 kN/mm") for name in ("lower ball joint", "upper ball joint", "tie rod", "rack mount")),
    (FRONT, "wheel bearing", None, None, None, None, "20 kN*m/deg"),
)
POSES, TRAVEL = 41, 30e-3
FORCES = 200.0, 100.0
"""N, of the differences"""
LOADS = ("lateral", "braking", "drive", "aligning", "lateral_opposed")
EXUDYN_LOADS: dict[str, tuple[dict[str, tuple[float, float, float]], float]] = {
    "lateral": ({"left force": (0.0, 100.0, 0.0), "right force": (0.0, 100.0, 0.0)}, 0.1),
    "lateral_opposed": ({"left force": (0.0, 100.0, 0.0), "right force": (0.0, -100.0, 0.0)}, 0.1),
    "braking": ({"left force": (-100.0, 0.0, 0.0), "right force": (-100.0, 0.0, 0.0)}, 0.1),
    "aligning": ({"left moment": (0.0, 0.0, 10.0), "right moment": (0.0, 0.0, 10.0)}, 0.01),
    "aligning_single": ({"left moment": (0.0, 0.0, 10.0)}, 0.01),
}
"""N and N m on the wheels, and how many kN or kN m that is"""
METRICS = tuple(f"FL.{what}_per_{load}" for load in LOADS for what in ("toe", "camber"))
HEADINGS = {
    "what": "41 poses of an axle",
    "time": "processor time, ms",
    "apart": "apart from differences",
    "half": "half the force",
    "exudyn": "apart from exudyn, without springs",
}


@dataclass(frozen=True)
class Cost:
    """time: ms. apart, half: largest distance from differences of either force, over the largest value; exudyn: from that."""

    what: str
    time: float
    apart: float | None = None
    half: float | None = None
    exudyn: float | None = None


def solved(without: Sequence[str] = ()) -> SolvedDesign:
    """The design with elastic parts. without: sheets that are left out."""
    book = openpyxl.load_workbook(BOOK)
    for name in without:
        del book[name]
    sheet = book.create_sheet("Compliance")
    for row in ROWS:
        sheet.append(row)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "car.xlsx"
        book.save(path)
        return run_suspension(path).base


def processor(work: Callable[[], object], runs: int) -> float:
    """Median processor time, ms."""
    spent = []
    for _run in range(runs):
        began = time.process_time()
        work()
        spent.append(time.process_time() - began)
    return 1e3 * float(np.median(spent))


def apart_from_exudyn() -> float:
    """The largest distance of toe and camber per load from those of exudyn, over the largest value of the same load."""
    from benchmarks.exudyn_axle import ExudynAxle, Rates

    design = solved(("Suspension springs", "Load cases", "Targets"))
    system, held = design.systems[FRONT], design.laws[FRONT]
    axle = elastic_axle(design.car, design_pose(system), held)
    still = np.zeros(1)
    plan = Sweep("design", "heave", still, still, still, still, ("travel",), axles=(FRONT,))
    poses = compliant_axle(plan, system, axle, swept_axle(plan, system))
    degree = float(np.degrees(1.0))
    other = ExudynAxle(system.axle, Rates((2e6, 8e6, degree), 30e6, 30e6, 30e6, 20e3 * degree))
    worst = 0.0
    for name, (load, size) in EXUDYN_LOADS.items():
        wanted = tuple(f"FL.{what}_per_{name}" for what in ("toe", "camber"))
        names, _units, table = metrics_over_poses(design.car, poses, held, wanted)
        ours = table[0, [names.index(each) for each in wanted]]
        worst = max(worst, float(np.max(np.abs(other.per_unit(load, size) - ours)) / np.max(np.abs(ours))))
    return worst


def measured(runs: int) -> list[Cost]:
    """What equilibria and metrics cost, and how exact the metrics are."""
    design = solved()
    system, held = design.systems[FRONT], design.laws[FRONT]
    axle = elastic_axle(design.car, design_pose(system), held)
    none = np.zeros(POSES)
    heave = Sweep("heave", "heave", np.linspace(-TRAVEL, TRAVEL, POSES), none, none, none, ("travel",), axles=(FRONT,))
    rigid = swept_axle(heave, system)
    poses = compliant_axle(heave, system, axle, rigid)
    names, _units, table = metrics_over_poses(design.car, poses, held, METRICS)

    def fresh() -> SweptAxle:
        """The poses without anything that has been found of them."""
        wheels = {side: replace(wheel) for side, wheel in poses.wheels.items()}
        return replace(poses, wheels=wheels, elastic=replace(cast("ElasticPoses", poses.elastic)))

    def toe_per_lateral(force: float) -> np.ndarray:
        """(2,) toe and camber per kN at design."""
        two = np.array([-force, force])
        load = SteppedLoad("lateral_force", two)
        still = np.zeros(2)
        plan = Sweep("load", "lateral force", still, still, still, still, ("lateral_force",), axles=(FRONT,), load=load)
        under = compliant_axle(plan, system, axle, swept_axle(plan, system))
        found = metrics_over_poses(design.car, under, held, ("FL.toe", "FL.camber"))
        order = [found[0].index(name) for name in ("FL.toe", "FL.camber")]
        return np.diff(found[2][:, order], axis=0)[0] / (2e-3 * force)

    exact = table[POSES // 2, [names.index(f"FL.{what}_per_lateral") for what in ("toe", "camber")]]
    errors = [float(np.max(np.abs(toe_per_lateral(force) - exact)) / np.max(np.abs(exact))) for force in FORCES]
    return [
        Cost("equilibria", processor(lambda: compliant_axle(heave, system, axle, rigid), runs)),
        Cost(
            f"toe and camber of {len(LOADS)} loads",
            processor(lambda: metrics_over_poses(design.car, fresh(), held, METRICS), runs),
            errors[0],
            errors[1],
            apart_from_exudyn(),
        ),
    ]


def study(options: Options) -> None:
    """Time the axle and compare it."""
    found = [asdict(each) for each in measured(options.runs)]
    tables.show(found, HEADINGS)
    if options.save:
        tables.save("compliance", found)
        tables.into_readme("compliance", f"{machine.measured_on(options.runs)}\n\n{tables.markdown(found, HEADINGS)}")
