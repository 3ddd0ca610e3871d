"""Solved trials as files: markers (.trc), forces (.mot with external_loads.xml), angles and moments (.sto), and C3D.

Everything is in x forward, y up, z to the subject's right, as OpenSim has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from sheetmbs.files.whole_file import write_whole
from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.exporting.c3d_writing import WrittenPlate, write_c3d
from sheetmbs.gait.exporting.external_loads import external_loads
from sheetmbs.gait.gait_results import prepared_gait
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.solve_trial import SolvedTrial
from sheetmbs.gait.solved_gait import solve_gait
from sheetmbs.gait.trial.trial_courses import TrialCourses
from sheetmbs.importing.lines import refused
from sheetmbs.schema.names import NOT_IN_SHEET_NAMES
from sheetmbs.workbook.cells.cells import open_book

KINDS = ("trc", "mot", "sto", "c3d")
MM = 1e-3
DECIMALS = 9
"""decimals of values in mm, m, N and N m: read back they are the same to 1e-9"""
MARGIN = 0.1
"""m around where the foot presses, of a plate that nobody has placed"""
NOT_IN_NAMES = re.compile(rf"[{re.escape(NOT_IN_SHEET_NAMES)}\s]+")
SHOWN = ("angle", "flexion", "adduction", "rotation", "moment")
"""how quantities of the .sto begin"""


def export_trials(path: Path, folder: Path, kinds: Sequence[str] = ()) -> list[Path]:
    """Solve a workbook and write its trials into a folder, of which no file may be there already.

    kinds: of `KINDS`; none of them means all. Returns the files. Raises WorkbookError where the workbook cannot be solved or a
    file is there.
    """
    solved = solve_gait(prepared_gait(open_book(path)))
    gait = GaitPresentation(solved.book, solved.courses)
    shown = {each.trial: each for each in gait.trials}
    wanted = kinds or KINDS
    files: list[tuple[Path, Callable[[Path], None]]] = []
    for trial in solved.trials:
        stem = NOT_IN_NAMES.sub("_", trial.courses.trial) or path.stem
        courses = shown[trial.courses.trial]
        if "trc" in wanted:
            files.append((folder / f"{stem}.trc", _text(marker_text(courses, f"{stem}.trc"))))
        if "mot" in wanted and trial.ground is not None:
            files.append((folder / f"{stem}.mot", _text(force_text(trial, f"{stem}.mot"))))
            name = "external_loads.xml" if len(solved.trials) == 1 else f"{stem}_external_loads.xml"
            files.append((folder / name, _text(external_loads(trial, f"{stem}.mot"))))
        if "sto" in wanted:
            files.append((folder / f"{stem}.sto", _text(course_text(gait, courses, f"{stem}.sto"))))
        if "c3d" in wanted:
            files.append(
                (folder / f"{stem}.c3d", partial(write_c3d, gait=gait, courses=courses, plates=written_plates(trial)))
            )
    there = next((file for file, _write in files if file.exists()), None)
    if there is not None:
        raise refused("file-exists", f"{there} is there", "no file is overwritten", "name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for file, write in files:
        write(file)
    return [file for file, _write in files]


def _text(content: str) -> Callable[[Path], None]:
    def write(file: Path) -> None:
        write_whole(file, lambda whole: whole.write(content.encode()), is_new=True)

    return write


def _shown(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.{DECIMALS}f}"


def marker_text(courses: TrialCourses, name: str) -> str:
    """Filtered markers and joint centres as a TRC in mm."""
    points = {
        label: np.where(np.isfinite(course[:, 2:]).any(), course, np.column_stack((course[:, :2], 0.0 * course[:, 0])))
        for label, course in courses.points.items()
        if np.isfinite(course[:, :2]).any()
    }
    count, rate = len(courses.time), f"{courses.rate:.10g}"
    rows = [
        ["PathFileType", "4", "(X/Y/Z)", name],
        [
            "DataRate",
            "CameraRate",
            "NumFrames",
            "NumMarkers",
            "Units",
            "OrigDataRate",
            "OrigDataStartFrame",
            "OrigNumFrames",
        ],
        [rate, rate, str(count), str(len(points)), "mm", rate, str(int(courses.frames[0])), str(count)],
        ["Frame#", "Time", *(cell for label in points for cell in (label, "", ""))],
        ["", "", *(f"{axis}{at}" for at in range(1, len(points) + 1) for axis in "XYZ")],
        [""],
    ]
    values = np.concatenate(list(points.values()), axis=1) / MM
    for at, row in enumerate(values):
        rows.append([str(int(courses.frames[at])), f"{courses.time[at]:.12g}", *map(_shown, row)])
    return "\n".join("\t".join(row) for row in rows) + "\n"


def force_text(trial: SolvedTrial, name: str) -> str:
    """The wrench of each plate at its centre of pressure as a .mot; where there is none, at the origin."""
    heads, columns = ["time"], [trial.courses.time]
    for plate, (force, pressure, torque) in plate_wrenches(trial).items():
        heads += [f"ground_force_{plate}_v{axis}" for axis in "xyz"] + [
            f"ground_force_{plate}_p{axis}" for axis in "xyz"
        ]
        heads += [f"ground_torque_{plate}_{axis}" for axis in "xyz"]
        columns += [*force.T, *pressure.T, *torque.T]
    return _storage(name, heads, np.stack(columns, axis=1), is_degrees=True)


def plate_wrenches(trial: SolvedTrial) -> dict[str, tuple[Vector, Vector, Vector]]:
    """Force, centre of pressure and moment about that, (n, 3) each, by plate. Blank is 0."""
    found = {}
    for name, plate in (trial.ground.plates if trial.ground is not None else {}).items():
        axes = trial.prepared.axes
        force, moment, pressure = (
            np.nan_to_num(axes.apply(each)) for each in (plate.force, plate.moment, plate.pressure)
        )
        found[NOT_IN_NAMES.sub("_", name)] = force, pressure, moment - np.cross(pressure, force)
    return found


def written_plates(trial: SolvedTrial) -> list[WrittenPlate]:
    """The plates of a trial in our axes. One that nobody has placed lies around where the foot presses on it."""
    axes = trial.prepared.axes
    geometry = {each.name: each.corners for each in trial.prepared.trial.geometry}
    found = []
    for name, plate in (trial.ground.plates if trial.ground is not None else {}).items():
        force, moment = (np.nan_to_num(axes.apply(each)) for each in (plate.force, plate.moment))
        corners = geometry.get(name)
        placed = _around(axes.apply(plate.pressure)) if corners is None else axes.apply(corners)
        found.append(WrittenPlate(name, force, moment, placed))
    return found


def _around(pressure: Vector) -> Vector:
    """(4, 3) the corners of a level rectangle around points (n, 3), in the order of C3D, its z downward."""
    known = pressure[np.isfinite(pressure).all(axis=1)]
    low, high = (known.min(axis=0), known.max(axis=0)) if len(known) else (np.zeros(3), np.zeros(3))
    (left, floor, near), (right, _, far) = low - MARGIN, high + MARGIN
    floor += MARGIN
    return np.array([[right, floor, far], [left, floor, far], [left, floor, near], [right, floor, near]])


def course_text(gait: GaitPresentation, courses: TrialCourses, name: str) -> str:
    """Angles in deg and moments in their unit as a .sto with our names of columns."""
    heads, columns = ["time"], [courses.time]
    for each in gait.quantities:
        values = gait.course(courses, each) if each.quantity.startswith(SHOWN) else None
        if values is not None:
            heads.append(each.name)
            columns.append(values)
    return _storage(name, heads, np.stack(columns, axis=1), is_degrees=True)


def _storage(name: str, heads: Sequence[str], values: Vector, *, is_degrees: bool) -> str:
    """A .mot or .sto of OpenSim; what is missing is nan."""
    head = [name, "version=1", f"nRows={len(values)}", f"nColumns={len(heads)}"]
    head += [f"inDegrees={'yes' if is_degrees else 'no'}", "endheader", "\t".join(heads)]
    rows = ["\t".join("nan" if np.isnan(value) else f"{value:.12g}" for value in row) for row in values.tolist()]
    return "\n".join([*head, *rows]) + "\n"
