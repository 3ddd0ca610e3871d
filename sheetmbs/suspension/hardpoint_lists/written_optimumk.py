"""Hardpoints and wheels as OptimumKinematics exports them: a sheet for the car, and one for each axle.

Its wheel has a half track h at the road, offsets, camber g and radius R; its centre stands at x_o, h + y_o + R sin g,
R cos g + z_o. The offsets that give our wheel centre are written, the lateral one as 0.
"""

from __future__ import annotations

from math import cos, radians, sin

from sheetmbs.schema.filled import Cell
from sheetmbs.suspension.hardpoint_lists.exported_car import ExportedAxle, ExportedCar
from sheetmbs.suspension.layout.car import Vector
from sheetmbs.suspension.layout.program_names import OPTIMUMK
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE

Rows = list[list[Cell]]
HEAD: Rows = [
    ["User Options", "Length", "millimetre", "mm"],
    [None, "Angle", "degree", "deg"],
    [None, "Coordinate System", "[[1,0,0]\n [0,1,0]\n [0,0,1]]"],
]
BLOCKS = {
    "Double A-Arm": ("lower arm", "lower ball", "upper arm", "upper ball", "tie rod"),
    "Push Pull": ("rod ", "rocker", "damper"),
    "U-Bar": ("bar",),
}
"""blocks of points by the beginnings of their standard names"""
OF_A_SIDE = ("Push Pull", "U-Bar")
"""blocks whose names end in _L"""
CARRIERS = {"lower arm": "LowerAArm", "upper arm": "UpperAArm", "upright": "Upright"}


def optimumk_sheets(car: ExportedCar) -> dict[str, Rows]:
    """Rows by sheet. What OptimumK has no place for is reported."""
    sheets: dict[str, Rows] = {}
    if car.wheelbase is not None:
        sheets["Vehicle Setup"] = [*HEAD, ["Setup", "Reference Distance", car.wheelbase]]
    for axle in car.axles:
        shift = car.wheelbase if axle.name == "rear" and car.wheelbase is not None else 0.0
        sheets[f"{axle.name.capitalize()} Suspension"] = _axle_rows(car, axle, shift)
    return sheets


def _axle_rows(car: ExportedCar, axle: ExportedAxle, shift: float) -> Rows:
    """shift: mm from the front to the rear axle, added to x."""
    rows: Rows = list(HEAD)
    given = car.names(
        ExportedAxle(**{**vars(axle), "left": {name: at for name, at in axle.left.items() if name != WHEEL_CENTRE}}),
        OPTIMUMK,
        one_side=False,
    )
    for block, beginnings in BLOCKS.items():
        names = {name: known for name, known in given.items() if name.startswith(beginnings)}
        if not names:
            continue
        rows.append([block, "Point Name", "Left", None, None, None, "Right", None, None])
        rows.append([None, None, "X", "Y", "Z", None, "X", "Y", "Z"])
        for name, known in names.items():
            left, right = (_shifted(side[name], shift) for side in (axle.left, axle.right))
            rows.append([None, f"{known}_L" if block in OF_A_SIDE else known, *left, None, *right])
    rows += _wheels(axle, shift)
    if axle.rod_on in CARRIERS and "rod outer" in given:
        rows.append(["Attachment", "Element", None, "Attached To"])
        rows.append([None, "Push Pull", "NSMA_PPAttPnt", "Double A-Arm", CARRIERS[axle.rod_on]])
    return rows


def _shifted(at: Vector, shift: float) -> list[Cell]:
    return [float(at[0] + shift), float(at[1]), float(at[2])]


def _wheels(axle: ExportedAxle, shift: float) -> Rows:
    radius, camber = axle.radius or 0.0, radians(axle.camber)
    sides = [(_shifted(at[WHEEL_CENTRE], shift), sign) for at, sign in ((axle.left, 1.0), (axle.right, -1.0))]
    values: list[tuple[str, list[float]]] = [
        ("Half Track", [float(at[1] or 0.0) * sign - radius * sin(camber) for at, sign in sides]),
        ("Longitudinal Offset", [float(at[0] or 0.0) for at, _sign in sides]),
        ("Lateral Offset", [0.0, 0.0]),
        ("Vertical Offset", [float(at[2] or 0.0) - radius * cos(camber) for at, _sign in sides]),
        ("Static Camber", [axle.camber] * 2),
        ("Static Toe", [-axle.toe] * 2),
        *([("Rim Diameter", [axle.rim] * 2)] if axle.rim is not None else []),
        ("Tire Diameter", [2.0 * radius] * 2),
    ]
    rows: Rows = [["Wheels", "Point Name", "Left", None, None, None, "Right"]]
    return rows + [[None, name, left, None, None, None, right] for name, (left, right) in values]
