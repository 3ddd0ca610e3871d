"""Rows of Handling as motions of the ordinary model: the car posed in each state, the road under it, and its tyre forces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.engine.records import Floats, Ints
from sheetmbs.schema.table import Table
from sheetmbs.suspension.handling.handling_table import HandlingFound
from sheetmbs.suspension.kinematics.axle_system import level_placing
from sheetmbs.suspension.kinematics.sweeps import Sweep, SweptAxle
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.loads.road import road
from sheetmbs.suspension.solved_design import SolvedDesign

POSED = "handling"
"""the type of the sweeps that stand for rows of Handling"""
NEEDED = ("rack", "roll", "pitch", "heave")
MIN_ROWS = 2
"""of a motion"""


@dataclass(frozen=True, eq=False)
class PosedRow:
    """A row of Handling whose n states are poses. rows: of its sheet, in the order of the motion; table: these alone.

    road: (n, 3) a place on it, and normals: (n, 3). contacts, forces: (n, 3) m and N by corner, in the axes of the car.
    """

    found: HandlingFound
    rows: Ints
    table: Table
    road: Floats
    normals: Floats
    contacts: Mapping[str, Floats]
    forces: Mapping[str, Floats]


def posed_rows(design: SolvedDesign) -> tuple[SolvedDesign, dict[str, PosedRow]]:
    """The design with a sweep for each row of Handling that has states, and these rows by name."""
    plans: dict[str, Sweep] = {}
    swept: dict[str, Mapping[str, SweptAxle]] = {}
    posed: dict[str, PosedRow] = {}
    for found in design.handling.found:
        table = found.table
        if not {*NEEDED, *(f"{axle.corner(side)}.travel" for axle in design.car.axles for side in SIDES)} <= {
            *table.columns
        }:
            continue
        rows = _in_order(table)
        if len(rows) < MIN_ROWS:
            continue
        name = found.row.name
        own = replace(table, values=table.values[rows], texts={}, marked=())
        axles = {axle: _at(design, axle, own) for axle in design.systems}
        if any(axle.rows != slice(0, len(rows)) for axle in axles.values()):
            continue
        rack = _column(own, "rack") * 1e-3
        still = np.zeros(len(rows))
        plans[name] = Sweep(name, POSED, still, still, rack, still, ("rack",))
        swept[name] = axles
        posed[name] = _posed(design, found, rows, own, axles)
    return replace(design, plans=plans, swept=swept), posed


def _column(table: Table, name: str) -> Floats:
    return np.asarray(table.values[:, table.columns.index(name)])


def _in_order(table: Table) -> Ints:
    """The rows with an equilibrium; lines of constant beta run to and fro, so that neighbours are near to each other."""
    good = np.flatnonzero(np.isfinite(_column(table, "heave")))
    keys = [_column(table, name)[good] for name in ("speed", "beta") if name in table.columns]
    if "CN" not in table.columns or "curvature" in table.columns:
        return good
    changes = np.any([np.diff(key) != 0.0 for key in keys], axis=0) if len(good) > 1 else np.zeros(0, dtype=bool)
    lines = np.split(good, np.flatnonzero(changes) + 1)
    return np.concatenate([line[::-1] if number % 2 else line for number, line in enumerate(lines)])


def _at(design: SolvedDesign, axle: str, table: Table) -> SweptAxle:
    """An axle at the states of a row."""
    system = design.systems[axle]
    travel = {side: _column(table, f"{system.axle.corner(side)}.travel") * 1e-3 for side in SIDES}
    rack = _column(table, "rack") * 1e-3 if system.axle.is_steered else np.zeros(len(table.values))
    placing = level_placing(travel, rack)
    wheels, rows = system.wheels(placing)
    return SweptAxle(system, wheels, rows, placing.at(rows))


def _posed(
    design: SolvedDesign, found: HandlingFound, rows: Ints, table: Table, axles: Mapping[str, SweptAxle]
) -> PosedRow:
    roll, pitch = (np.radians(_column(table, name)) for name in ("roll", "pitch"))
    ground = road(roll, pitch, np.zeros(len(rows)))
    front = design.car.axles[0]
    middle = np.mean([front.design_contact(side) for side in SIDES], axis=0)
    place = middle - _column(table, "heave")[:, None] * 1e-3 * ground.up
    contacts, forces = {}, {}
    for axle in design.car.axles:
        for side in SIDES:
            corner, wheel = axle.corner(side), axles[axle.name].wheels[side]
            spin, centre = wheel.spin.value, wheel.centre.value
            if np.mean(spin[:, 1]) < 0.0:
                spin = -spin
            down = ground.up - spin * np.sum(spin * ground.up, axis=1, keepdims=True)
            down /= np.linalg.norm(down, axis=1, keepdims=True)
            contacts[corner] = centre - (axle.number("tyre radius") or 0.0) * down
            heading = np.cross(spin, ground.up)
            heading /= np.linalg.norm(heading, axis=1, keepdims=True)
            left = np.cross(ground.up, heading)
            along, across, up = (_column(table, f"{corner}.{each}")[:, None] for each in ("fx", "fy", "fz"))
            forces[corner] = along * heading + across * left + up * ground.up
    return PosedRow(found, rows, table, place, ground.up, contacts, forces)
