"""Forces in a solid axle with a Watt linkage, against the seven equations of statics written for the axle and its crank."""

from __future__ import annotations

import numpy as np
import pytest

from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.hardpoint_books import hardpoint_book
from tests.suspension.test_suspension_types import AXLE, RADIUS, THREE, TOP_LINK, WATT

POINTS = {**THREE, "damper outer": (-60, 480, 260), "damper chassis": (-40, 430, 640)}
SETTINGS = [
    *AXLE,
    *(("corner load", "3000 N"), ("unsprung mass", 0), ("damper on", "axle"), ("wheelbase", "2700 mm")),
]
SPRINGS = [("name", "axle", "kind", "k"), ("spring", "rear", "spring", "30 N/mm")]
HEAD = ("name", "pose", *(f"{corner}.f{axis}" for corner in ("RL", "RR") for axis in "xyz"))
CASES = {"corner": ((0, 900, 3500), (0, 1500, 2500)), "drive": ((1200, 0, 3000), (1000, 0, 2800))}
MIRROR = np.array([1.0, -1.0, 1.0])


def statics(left, right):
    """Tensions of all rods and compressions of the springs, N: force and moment on the axle, moment about the crank's pivot.

    left, right: forces (3,) at the contacts. The axle takes the torque of driven wheels, which act with all of their force.
    """
    points = {name: np.array(at, dtype=float) for name, at in POINTS.items()}
    central = {row[1]: np.array(row[2:5], dtype=float) for row in (*TOP_LINK, *WATT)}
    pulls = {  # place on the axle or crank, and where it is drawn to
        "RL.link 1": (points["link 1 outer"], points["link 1 inner"]),
        "RR.link 1": (points["link 1 outer"] * MIRROR, points["link 1 inner"] * MIRROR),
        "rear.link 2": (central["link 2 outer"], central["link 2 inner"]),
        "rear.watt left": (central["watt left outer"], central["watt left inner"]),
        "rear.watt right": (central["watt right outer"], central["watt right inner"]),
    }
    for corner, side in (("RL", np.ones(3)), ("RR", MIRROR)):  # compression pushes away from the chassis
        outer, chassis = points["damper outer"] * side, points["damper chassis"] * side
        pulls[f"{corner}.spring"] = outer, 2 * outer - chassis
    columns = []
    for name, (at, towards) in pulls.items():
        along = (towards - at) / np.linalg.norm(towards - at)
        about_pivot = np.cross(at - central["watt pivot"], along)[0] if "watt" in name else 0.0
        columns.append([*along, *np.cross(at, along), about_pivot])
    load = np.zeros(7)
    for force, side in ((left, 1.0), (right, -1.0)):
        contact = points["wheel centre"] * (1.0, side, 1.0) - (0.0, 0.0, RADIUS)
        load += [*force, *np.cross(contact, force), 0.0]
    return dict(zip(pulls, np.linalg.solve(np.transpose(columns), -load), strict=True))


def test_rods_and_springs_of_a_watt_linkage_hold_the_axle_and_its_crank(tmp_path):
    rows = [HEAD, *((name, "design", *left, *right) for name, (left, right) in CASES.items())]
    others = {"Suspension springs": SPRINGS, "Load cases": rows}
    book = hardpoint_book(tmp_path / "b.xlsx", POINTS, SETTINGS, axle="rear", rows=(*TOP_LINK, *WATT), others=others)
    found = {column.name: column.values for column in run_suspension(book).base.loads.columns}
    for row, forces in enumerate(CASES.values()):
        expected = statics(*(np.array(force, dtype=float) for force in forces))
        told = {name: float(found[name][row]) for name in expected}
        assert told == pytest.approx(expected, abs=1e-8)
