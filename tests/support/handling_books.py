"""Workbooks of cars on tyres for tests: one that a single-track model describes, and formula student cars."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.car_books import car_book

LENGTH, FRONT_ARM, REAR_ARM = 1.55, 0.80, 0.75
FRONT_STIFFNESS, REAR_STIFFNESS, MASS = 30000.0, 36000.0, 300.0
CORNERS = ("FL", "FR", "RL", "RR")
UPRIGHT_KINGPIN = {  # mm; level arms, the kingpin vertical through the contact, the tie rod along the rack
    "lower arm front": (100, 200, 130),
    "lower arm rear": (-100, 200, 130),
    "lower ball joint": (0, 600, 130),
    "upper arm front": (100, 200, 330),
    "upper arm rear": (-100, 200, 330),
    "upper ball joint": (0, 600, 330),
    "tie rod inner": (80, 200, 230),
    "tie rod outer": (80, 600, 230),
    "wheel centre": (0, 600, 230),
    "damper outer": (0, 500, 130),
    "damper chassis": (0, 300, 530),
}
BEHIND = {name: (x - 1e3 * LENGTH, y, z) for name, (x, y, z) in UPRIGHT_KINGPIN.items()}
UPRIGHT_CAR = {
    "type": ("double wishbone", "double wishbone"),
    "actuation": ("direct", "direct"),
    "camber": ("0 deg", "0 deg"),
    "toe": ("0 deg", "0 deg"),
    "tyre rate": None,
    "cg height": ("0 mm",),
    "mass": (f"{MASS} kg",),
    "weight front": (REAR_ARM / LENGTH,),
}
TWO_SPRINGS = (
    ("name", "axle", "kind", "k"),
    ("spring", "front", "spring", "35 N/mm"),
    ("spring", "rear", "spring", "40 N/mm"),
)
COEFFICIENTS = ("tyre", "coefficient", "value")
HANDLING = (
    "name",
    "type",
    "speed",
    "radius",
    "rack",
    "beta_from",
    "beta_to",
    "beta_step",
    "rack_from",
    "rack_to",
    "rack_step",
)


def handled(path: Path):
    """What the rows of Handling of a workbook have come to, by name."""
    return {found.row.name: found for found in run_suspension(path).base.handling.found}


def read_off(found, metric, speed=None):
    """A number that is read off a row."""
    (value,) = [each.value for each in found.read_offs if each.metric == metric and each.speed == speed]
    return value


def column(found, name):
    """A column of the sheet of a row, in its unit."""
    return np.asarray(found.table.values[:, found.table.columns.index(name)])


def on_path(found, k, corner):
    """Force of a wheel along and across the path and up, from the columns of a sheet."""
    angle = np.radians(column(found, f"{corner}.steer")[k] - column(found, "beta")[k])
    fx, fy = column(found, f"{corner}.fx")[k], column(found, f"{corner}.fy")[k]
    return np.array(
        [
            fx * np.cos(angle) - fy * np.sin(angle),
            fx * np.sin(angle) + fy * np.cos(angle),
            column(found, f"{corner}.fz")[k],
        ]
    )


def linear_tyres(friction=None):
    """The sheets of linear tyres: two on each axle."""
    values = [("F", "cornering stiffness", FRONT_STIFFNESS / 2), ("R", "cornering stiffness", REAR_STIFFNESS / 2)]
    values += [(name, "slip stiffness", 30000.0) for name in "FR"]
    values += [] if friction is None else [(name, "friction", friction) for name in "FR"]
    return {
        "Tyres": [("name", "axle", "model"), ("F", "front", "linear"), ("R", "rear", "linear")],
        "Tyre coefficients": [COEFFICIENTS, *values],
    }


def single_track_book(path, rows, friction=None, settings=None, others=None):
    """A car that is a single-track model. rows: of Handling."""
    sheets = {**linear_tyres(friction), "Handling": [HANDLING, *rows], **(others or {})}
    return car_book(
        path,
        {**UPRIGHT_CAR, **(settings or {})},
        front=UPRIGHT_KINGPIN,
        rear=BEHIND,
        springs=TWO_SPRINGS,
        others=sheets,
    )


def student_book(path, rows, friction=1.5, settings=None, others=None):
    """A formula student car with rockers and bars on linear tyres with friction. rows: of Handling."""
    sheets = {**linear_tyres(friction), "Handling": [HANDLING, *rows], **(others or {})}
    return car_book(path, {**STUDENT, **(settings or {})}, others=sheets)


STUDENT = {"drive rear": (1.0,)}
