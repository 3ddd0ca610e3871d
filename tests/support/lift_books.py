"""A wheel on a strut in a guide, which cases lift, set down, let hang or drop: a workbook small enough to be known by heart.

The strut stands upright over the wheel: its length is HEIGHT - y, so that every force on it is known in closed form.
"""

from __future__ import annotations

from pathlib import Path

import openpyxl

MASS, STIFFNESS, DAMPING, LENGTH = 20.0, 20_000.0, 300.0, 0.4
"""kg, N/m, N s/m, m"""
GRAVITY = 9.81
LIFT, DIP = 0.06, 0.03
"""m"""

SETTINGS = {"title": "wheel on a strut", "analysis": "kinematic", "t_end": 2, "t_step": 0.05}
BODIES = [["name", "mass", "inertia", "x [mm]", "y [mm]"], ["wheel", MASS, 0.5, 0, 0]]
POINTS = [
    ["name", "body", "x [mm]", "y [mm]", "report"],
    ["axle", "wheel", 0, 0, "yes"],
    ["mount", None, 0, LENGTH * 1000, None],
]
JOINTS = [["name", "type", "body_i", "body_j", "point", "axis_x", "axis_y"]]
JOINTS += [["guide", "translational", "ground", "wheel", "axle", 0, 1]]
SPRINGS = [["name", "body_i", "body_j", "point_i", "point_j", "k", "c", "length0"]]
SPRINGS += [["strut", "ground", "wheel", "mount", "axle", STIFFNESS, DAMPING, LENGTH]]
DRIVERS = [["name", "joint", "coordinate", "velocity", "expression", "active"]]
DRIVERS += [["lift", "guide", "displacement", None, f"{LIFT}*sin(pi*t)", None]]


def lift_book(path: Path, *, cases: dict[str, dict[str, object]] | None = None, **changed: object) -> Path:
    """Write the workbook. cases: settings of each, by its name. changed: rows of sheets, and settings, by their names."""
    settings = SETTINGS | {name: value for name, value in changed.items() if not isinstance(value, list)}
    sheets = {"Bodies": BODIES, "Points": POINTS, "Joints": JOINTS, "Springs": SPRINGS, "Drivers": DRIVERS}
    sheets |= {name: value for name, value in changed.items() if isinstance(value, list)}
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Settings"
    sheet.append(["setting", "value", *(f"case {name}" for name in cases or {})])
    names = dict.fromkeys([*settings, *(name for own in (cases or {}).values() for name in own)])
    for name in names:
        sheet.append([name, settings.get(name), *(own.get(name) for own in (cases or {}).values())])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def driver_rows(*rows: list[object]) -> list[list[object]]:
    """The sheet Drivers with other drivers: name, joint, coordinate, velocity, expression, active."""
    return [DRIVERS[0], *rows]


CASES: dict[str, dict[str, object]] = {
    "lifted": {},
    "dipped": {},
    "hanging": {"analysis": "equilibrium"},
    "dropped": {"analysis": "dynamic", "t_end": 0.5},
}
OF_CASES = driver_rows(
    ["lift", "guide", "displacement", None, f"{LIFT}*sin(pi*t)", "lifted"],
    ["dip", "guide", "displacement", None, f"-{DIP}*sin(pi*t)", "dipped"],
)


def book_of_cases(path: Path, **changed: object) -> Path:
    """The workbook with two sweeps of the same coordinate, one rest and one motion."""
    return lift_book(path, cases=CASES, **({"Drivers": OF_CASES} | changed))
