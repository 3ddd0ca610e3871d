"""Hardpoints as texts of other programs: a listing and a file of Lotus, a subsystem of Adams/Car."""

from __future__ import annotations

from collections.abc import Sequence

from sheetmbs.suspension.hardpoint_lists.exported_car import ExportedAxle, ExportedCar, number_text
from sheetmbs.suspension.hardpoint_lists.shark_file import LABELS, LINES_PER_POINT
from sheetmbs.suspension.layout.car import Vector
from sheetmbs.suspension.layout.program_names import ADAMS, LOTUS

WIDTH = 18


def lotus_listing(car: ExportedCar) -> str:
    """A listing as Lotus SHARK prints it: x rearward, y outboard, z up, the left side."""
    lines = ["LOTUS SUSPENSION ANALYSIS", ""]
    for axle in car.axles:
        lines += [f"{axle.name.upper()} SUSPENSION", ""]
        lines += [_columns("X", "Y", "Z"), _columns("(mm)", "(mm)", "(mm)")]
        names = car.names(axle, LOTUS, one_side=True)
        for number, (name, label) in enumerate(names.items(), start=1):
            lines.append(f"{_columns(*_of_lotus(axle.left[name]))}  POINT:{number} {label}")
        lines.append("")
    return "\n".join(lines)


def shark_file(car: ExportedCar) -> str:
    """A .shk file: labels in TEMP_SETTINGS, coordinates and the loaded radius in a block of each axle."""
    names = [car.names(axle, LOTUS, one_side=True) for axle in car.axles]
    lines = [LABELS, str(len(names))]
    for axle, known in zip(car.axles, names, strict=True):
        lines += [axle.type, f"1 {len(known)}", "Upright"]
        for name, label in known.items():
            coordinates = " ".join(_of_lotus(axle.left[name]))
            numbers = [coordinates, " ".join(["0"] * 9), " ".join(["0"] * 7)]
            lines += [label, *[label] * (LINES_PER_POINT - len(numbers)), *numbers]
    for axle, known in zip(car.axles, names, strict=True):
        lines += [f"{axle.name.upper()} SUSPENSION", "1"]
        lines += [" ".join(_of_lotus(axle.left[name])) for name in known]
        lines.append(number_text(axle.radius or 0.0))
    return "\n".join([*lines, ""])


def adams_subsystem(car: ExportedCar) -> str:
    """A subsystem of Adams/Car: x rearward, the left side at y < 0. Each axle has a header with its role."""
    lines = ["[MDI_HEADER]", " FILE_TYPE = 'sub'", " FILE_VERSION = 4.0", " FILE_FORMAT = 'ASCII'"]
    lines += ["[UNITS]", " LENGTH = 'mm'", " ANGLE = 'degrees'"]
    for axle in car.axles:
        lines += ["[SUBSYSTEM_HEADER]", " MAJOR_ROLE = 'suspension'", f" MINOR_ROLE = '{axle.name}'"]
        lines += ["[HARDPOINT]", "{hardpoint_name  symmetry  x_value  y_value  z_value}"]
        for name, known in car.names(axle, ADAMS, one_side=False).items():
            lines += _of_adams(axle, name, known)
        lines += ["[PARAMETER]", "{parameter_name  symmetry  type  value}"]
        for parameter, value in (("camber_angle", axle.camber), ("toe_angle", axle.toe)):
            lines.append(f" '{parameter}' 'left/right' 'real' {number_text(value)}")
    return "\n".join([*lines, ""])


def _of_adams(axle: ExportedAxle, name: str, known: str) -> list[str]:
    """The lines of a point: one of both sides, or one of each."""
    if axle.is_mirrored(name):
        return [f" '{known}' 'left/right' {_rearward(axle.left[name])}"]
    sides = (("left", axle.left), ("right", axle.right))
    return [f" '{known}' '{side}' {_rearward(points[name])}" for side, points in sides]


def _rearward(at: Vector) -> str:
    return " ".join(map(number_text, (-at[0], -at[1], at[2])))


def _of_lotus(at: Vector) -> Sequence[str]:
    return [number_text(-at[0]), number_text(at[1]), number_text(at[2])]


def _columns(*texts: str) -> str:
    return "".join(f"{text:>{WIDTH}}" for text in texts)
