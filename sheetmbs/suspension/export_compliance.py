"""Kinematics and compliance as one table of CSV, as vehicle models take them: wheels over travel, roll, and loads on them."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import cast

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.compliance.compliant_sweeps import compliant_axle, elastic_axle
from sheetmbs.suspension.compliance.elastic_axle import ElasticPoses
from sheetmbs.suspension.kinematics.sweeps import SteppedLoad, Sweep, SweptAxle, swept_axle
from sheetmbs.suspension.metrics.columns import sweep_tables
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.solved_design import SolvedDesign, design_pose
from sheetmbs.workbook.package.replace import create_file

TRAVEL, ROLL = 30e-3, np.radians(3.0)
FORCE, TORQUE = 1000.0, 100.0
"""N and N m on each wheel, at the ends of the loads"""
STEPS = 21
DIGITS = 12
"""significant digits of the table: equilibria are known to about as many"""
OVER = ("travel", "roll", "lateral_force", "longitudinal_force", "aligning_torque")
"""columns that say what a row is; all others of them are 0 there"""
WHEEL = ("wheel_x", "wheel_y", "wheel_z", "contact_x", "contact_y", "steer", "inclination", "caster")
"""metrics of each wheel; wheel_y and contact_y are outboard"""


def export_compliance(book: Path, file: Path) -> int:
    """Write the table of the first design of a workbook. Returns how many rows it has. Raises WorkbookError."""
    design = run_suspension(book).base
    rows = list(_rows(design))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    heads = dict.fromkeys(name for row in rows for name in row)
    writer.writerow(heads)
    for row in rows:
        writer.writerow([_written(row.get(name, "")) for name in heads])
    create_file(file, text.getvalue().encode())
    return len(rows)


def _written(value: float | str) -> str:
    """A cell: a number without what rounding leaves behind, or nothing where there is none."""
    if isinstance(value, str):
        return value
    return f"{value:.{DIGITS}g}" if isfinite(value) else ""


def table_plans() -> Iterator[Sweep]:
    """What the rows of the table go over, each by itself."""
    ends = np.linspace(-1.0, 1.0, STEPS)
    ends[STEPS // 2] = 0.0
    none = np.zeros(STEPS)
    yield Sweep("travel", "heave", TRAVEL * ends, none, none, none, ("travel",))
    yield Sweep("roll", "roll", none, ROLL * ends, none, none, ("roll",))
    for quantity, values in (
        ("lateral_force", FORCE * ends),
        ("longitudinal_force", FORCE * 0.5 * (ends - 1.0)),
        ("aligning_torque", TORQUE * ends),
    ):
        load = SteppedLoad(quantity, values, holds_loads=True)
        name = quantity.replace("_", " ")
        yield Sweep(name, name, none, none, none, none, (quantity,), load=load)


def _rows(design: SolvedDesign) -> Iterator[dict[str, float | str]]:
    """All rows, by the heads of their columns."""
    elastic = {
        name: elastic_axle(design.car, design_pose(system), design.laws[name])
        for name, system in design.systems.items()
    }
    for plan in table_plans():
        held = plan
        if plan.load is not None and not all(axle.is_sprung for axle in elastic.values()):
            held = _at_heights(plan)
        swept = {
            name: compliant_axle(held, system, elastic[name], swept_axle(held, system))
            for name, system in design.systems.items()
        }
        wanted = [
            f"{axle.corner(side)}.{name}" for axle in design.car.axles for side in ("left", "right") for name in WHEEL
        ]
        table = sweep_tables(design.car, {held.name: held}, {held.name: swept}, design.laws, wanted)[held.name]
        heads = [f"{name} [{unit}]" for name, unit in zip(table.columns, table.units, strict=True)]
        loads = _loads(design, swept, held.rows)
        for number, values in enumerate(table.values):
            row: dict[str, float | str] = {"over": plan.swept[0]}
            row |= {f"{name} [{_unit(design, name)}]": 0.0 for name in OVER}
            row |= {head: float(value) for head, value in zip(heads, values, strict=True)}
            row |= {head: float(column[number]) for head, column in loads.items()}
            yield row


def _at_heights(plan: Sweep) -> Sweep:
    """A sweep of a load with the contacts held, where no springs hold the wheels."""
    return plan if plan.load is None else replace(plan, load=replace(plan.load, holds_loads=False))


def _unit(design: SolvedDesign, name: str) -> str:
    return design.car.units.of({"travel": "mm", "roll": "deg", "aligning_torque": "N*m"}.get(name, "N"))


def _loads(design: SolvedDesign, swept: dict[str, SweptAxle], count: int) -> dict[str, Floats]:
    """Vertical loads of all wheels, N."""
    found = {}
    for name, axle in swept.items():
        for at, side in enumerate(("left", "right")):
            values = np.full(count, np.nan)
            if axle.elastic is not None:
                values[axle.rows] = cast("ElasticPoses", axle.elastic).load[:, at]
            found[f"{design.systems[name].axle.corner(side)}.fz [N]"] = values
    return found
