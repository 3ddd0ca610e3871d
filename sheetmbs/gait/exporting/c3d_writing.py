"""A C3D with markers, joint centres, events, and angles, moments and powers as groups of points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.trial.recorded import plate_axes
from sheetmbs.gait.trial.trial_courses import TrialCourses
from sheetmbs.importing.lines import refused

LIBRARY = "ezc3d"
"""imported where a file is written: it is not built for every machine"""
MM = 1e-3
MINUTE = 60.0
PLATE_TYPE, CHANNELS = 2, 6
"""type of force plates in C3D files, and its channels: three forces, and three moments about the origin of the plate"""
LABELS = {"heel strike": "Foot Strike", "toe off": "Foot Off"}
COMPONENTS = {
    "ANGLES": (("angle",), ("flexion", "adduction", "rotation")),
    "MOMENTS": (("moment",), ("moment_flexion", "moment_adduction", "moment_rotation"), ("mx", "my", "mz")),
    "POWERS": (("power",),),
}
"""quantities that make the x, y and z of a point of each group"""
UNITS = {"ANGLES": "ANGLE_UNITS", "MOMENTS": "MOMENT_UNITS", "POWERS": "POWER_UNITS"}


@dataclass(frozen=True)
class WrittenPlate:
    """A plate in our axes at the frames of the markers: force and moment about our origin (n, 3), corners (4, 3) in m."""

    name: str
    force: Vector
    moment: Vector
    corners: Vector


def write_c3d(file: Path, gait: GaitPresentation, courses: TrialCourses, plates: Sequence[WrittenPlate] = ()) -> None:
    """Write a trial. Raises WorkbookError where the library for it is not there."""
    if find_spec(LIBRARY) is None:
        rule, mend = "C3D files are written by ezc3d, which is not installed", "pip install ezc3d, or leave out --c3d"
        raise refused("no-c3d-writer", file.name, rule, mend)
    groups, units = _results(gait, courses)
    points = {label: course / MM for label, course in courses.points.items()} | {
        label: values for group in groups.values() for label, values in group.items()
    }
    made = import_module(LIBRARY).c3d()
    point = made["parameters"]["POINT"]
    point["RATE"]["value"] = [courses.rate]
    point["UNITS"]["value"] = ["mm"]
    point["LABELS"]["value"] = tuple(points)
    for name, group in groups.items():
        if group:
            made.add_parameter("POINT", name, list(group))
            made.add_parameter("POINT", UNITS[name], [units[name]])
    made.add_parameter("POINT", "X_SCREEN", ["+X"])
    made.add_parameter("POINT", "Y_SCREEN", ["+Y"])
    _add_points(made, points)
    made["header"]["points"]["first_frame"] = int(courses.frames[0]) - 1
    _add_events(made, courses)
    if plates:
        _add_plates(made, courses, plates)
    made.write(str(file))


def _results(gait: GaitPresentation, courses: TrialCourses) -> tuple[dict[str, dict[str, Vector]], dict[str, str]]:
    """Points by group and name, and units by group. A component that is not known is 0."""
    known = {each.key: each for each in gait.quantities}
    labels = list(dict.fromkeys(label for label, _quantity in known))
    groups: dict[str, dict[str, Vector]] = {name: {} for name in COMPONENTS}
    units = dict.fromkeys(COMPONENTS, "")
    for name, choices in COMPONENTS.items():
        for label in labels:
            for choice in choices:
                there = [known.get((label, quantity)) for quantity in choice]
                columns = [None if each is None else gait.course(courses, each) for each in there]
                if columns[0] is None:
                    continue
                nothing = np.zeros(len(courses.time))
                filled = [nothing if column is None else column for column in [*columns, None, None][:3]]
                groups[name][f"{label}.{choice[0].partition('_')[0]}"] = np.stack(filled, axis=1)
                units[name] = there[0].shown.unit if there[0] is not None else ""
                break
    return groups, units


def _add_points(made: Any, points: dict[str, Vector]) -> None:
    """Courses (n, 3); what is missing has the residual -1."""
    values = np.stack(list(points.values())).transpose(2, 0, 1)
    data = np.ones((4, *values.shape[1:]))
    missing = ~np.isfinite(values[:2]).all(axis=0)
    data[:3] = np.nan_to_num(values)
    data[:3, missing] = 0.0
    residuals = np.where(missing, -1.0, 0.0)[None]
    made["data"]["points"] = data
    made["data"]["meta_points"]["residuals"] = residuals


def _add_plates(made: Any, courses: TrialCourses, plates: Sequence[WrittenPlate]) -> None:
    """Plates of type 2: force and moment about the middle of the corners, in axes of the plate, one sample a frame."""
    channels, labels, corners = [], [], []
    for number, plate in enumerate(plates, start=1):
        axes, middle = plate_axes(plate.corners), plate.corners.mean(axis=0)
        moment = plate.moment - np.cross(middle, plate.force)
        channels += [*(plate.force @ axes).T, *(moment @ axes / MM).T]
        labels += [f"{letter}{axis}{number}" for letter in "FM" for axis in "xyz"]
        corners.append(plate.corners / MM)
    count = len(channels)
    analog = made["parameters"]["ANALOG"]
    analog["RATE"]["value"] = [courses.rate]
    analog["LABELS"]["value"] = labels
    analog["UNITS"]["value"] = [unit for _plate in plates for unit in ["N"] * 3 + ["Nmm"] * 3]
    analog["SCALE"]["value"] = [1.0] * count
    analog["OFFSET"]["value"] = [0] * count
    analog["DESCRIPTIONS"]["value"] = [plate.name for plate in plates for _channel in range(CHANNELS)]
    made["data"]["analogs"] = np.array(channels)[None]
    platform = made["parameters"]["FORCE_PLATFORM"]
    # the group is there, and its numbers stay whole where only values are set
    platform["USED"]["value"] = [len(plates)]
    platform["TYPE"]["value"] = [PLATE_TYPE] * len(plates)
    platform["ZERO"]["value"] = [1, 0]
    platform["CORNERS"]["value"] = np.stack(corners).transpose(2, 1, 0)
    platform["ORIGIN"]["value"] = np.zeros((3, len(plates)))
    platform["CHANNEL"]["value"] = np.arange(1, count + 1).reshape(len(plates), CHANNELS).T


def _add_events(made: Any, courses: TrialCourses) -> None:
    """Strikes and offs, of which the time counts from the camera's frame 1."""
    begin = (int(courses.frames[0]) - 1) / courses.rate - float(courses.time[0])
    events = sorted(courses.events, key=lambda each: each.time)
    if not events:
        return
    times = [each.time + begin for each in events]
    made.add_parameter("EVENT", "USED", [len(events)])
    made.add_parameter("EVENT", "CONTEXTS", [each.side.capitalize() for each in events])
    made.add_parameter("EVENT", "LABELS", [LABELS[each.kind] for each in events])
    made.add_parameter(
        "EVENT", "TIMES", np.array([[time // MINUTE for time in times], [time % MINUTE for time in times]])
    )
