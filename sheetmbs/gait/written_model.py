"""The model that a trial was solved with, as an ordinary workbook: bodies, joints, guiding series and measured forces.

In space bodies are guided and turned as measured. What `detail` asks for is what such a model gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from sheetmbs.elements.analyses import Analysis
from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.body.body_segments import SegmentMotions
from sheetmbs.gait.joint_courses import wrenches_in_space
from sheetmbs.gait.kinematics.rotations import quaternions
from sheetmbs.gait.kinetics.joint_loads import SegmentMotion, SpatialMotion, cross
from sheetmbs.gait.signals.gaps import bounds
from sheetmbs.gait.solve_trial import SolvedTrial, foot_wrenches
from sheetmbs.gait.solved_gait import SolvedGait
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.filled import Cell, FilledSheet, NewBook
from sheetmbs.schema.table import Table
from sheetmbs.workbook.cells.cells import Book, filled_cells
from sheetmbs.workbook.package.replace import create_book
from sheetmbs.workbook.reading.read_workbook import build_model
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets
from sheetmbs.workbook.writing.new_workbook import laid_out

MIN_SPLINE_FRAMES = 4
"""frames of a spline that is not-a-knot"""
PURPOSE = "A trial of gait as an ordinary model: its segments are guided as they were measured."
HOW = (
    "sheetmbs run {book}: forces and moments that guide the segments, on mbs Drivers.",
    "Weight, the measured force of the ground and these are in balance with the motion at every frame.",
)
BY_SEGMENT = "The moment of a joint is the sum over all segments below it of their guiding moments and forces about it."
BY_JOINT = (
    "The net moment of a joint is the sum of the guiding moments of all segments below it; legs are guided at the hip."
)
AXES = ("x", "y", "z")
EULER = ("e0", "e1", "e2", "e3")
SPATIAL_BODIES = (
    *("name", "mass", "ixx", "iyy", "izz", "ixy", "ixz", "iyz"),
    *AXES,
    *EULER,
    *("vx", "vy", "vz", "wx", "wy", "wz"),
)


def write_model(solved: SolvedGait, out: Path) -> None:
    """Write the first trial that has forces, else the first, into a new workbook. Raises WorkbookError."""
    trial = next((each for each in solved.trials if each.ground is not None), solved.trials[0])
    sheets = model_sheets(trial, solved)
    note = BY_JOINT if trial.motion.joined else BY_SEGMENT
    name = trial.courses.trial or "gait"
    how = ("How to run", (HOW[0].format(book=out.name), HOW[1], note))
    create_book(out, laid_out(NewBook(f"{name}: guided segments", PURPOSE, (how,), sheets)), out.stem)


def model_sheets(trial: SolvedTrial, solved: SolvedGait) -> tuple[FilledSheet, ...]:
    """The sheets of the model of a trial. Raises WorkbookError where too few frames hang together."""
    segments = list(trial.motion.segments.values())
    spatial = None if trial.in_space is None else list(trial.in_space.segments.values())
    run = _longest_run(_known(segments) if spatial is None else known_in_space(spatial), trial)
    time = trial.courses.time[run]
    settings: tuple[tuple[Cell, ...], ...] = (
        ("dimension", solved.book.dimension),
        ("analysis", Analysis.INVERSE_DYNAMIC),
        ("gravity_y", -solved.book.gravity),
        *((("gravity_z", 0.0),) if spatial is not None else ()),
        ("t_start", float(time[0])),
        ("t_end", float(time[-1])),
        ("t_step", 1.0 / trial.courses.rate),
        ("guiding_spline", "not-a-knot"),
    )
    written = FilledSheet("Settings", ("setting", "value"), settings)
    if spatial is not None:
        ground = {} if trial.ground is None else wrenches_in_space(trial.ground.feet, solved.book)
        return written, *sheets_in_space(spatial, ground, run, time)
    pins = _pins(trial.motion)
    sheets = [written, _planar_bodies(segments, pins, run), _guiding(trial.motion, pins, run, time)]
    if pins:
        sheets += _joints(trial.motion, pins, run)
    wrenches = foot_wrenches(trial, solved.book)
    if wrenches:
        sheets.append(_forces({each.name: each for each in segments}, wrenches, run, time))
    return tuple(sheets)


def _known(segments: Sequence[SegmentMotion]) -> Mask:
    whole = [np.isfinite(each.com).all(axis=1) & np.isfinite(each.angle) for each in segments]
    return np.asarray(np.all(whole, axis=0))


def _longest_run(whole: Mask, trial: SolvedTrial) -> slice:
    """The frames that are written: the longest without a gap."""
    found = max(bounds(whole), key=lambda each: each[1] - each[0], default=(0, -1))
    if found[1] - found[0] + 1 < MIN_SPLINE_FRAMES:
        sheet = trial.prepared.trial.sheets[0]
        problem = "a guided model needs some frames in which all segments are known"
        raise WorkbookError(
            Problem("no-frames", "error", sheet, "no frames without gaps", problem, "fill gaps, or leave segments out")
        )
    return slice(found[0], found[1] + 1)


def _pins(motion: SegmentMotions) -> dict[str, str]:
    """The massless bodies that carry legs, by the segment that hangs on each: the upper ends of what is joined to none above.

    A pin is guided along the measured joint centre, so that guiding a leg takes a force at its hip and pure moments.
    """
    upper = {each.parent for each in motion.segments.values() if each.name in motion.joined} - motion.joined
    return {each: f"{each} upper end" for each in motion.segments if each in upper}


def _planar_bodies(segments: Sequence[SegmentMotion], pins: Mapping[str, str], run: slice) -> FilledSheet:
    rows: list[tuple[Cell, ...]] = []
    for each in segments:
        place, speed = each.com[run][0], each.velocity[run][0]
        turn, rate = float(each.angle[run][0]), float(each.rate[run][0])
        if each.name in pins:
            end = each.proximal[run][0]
            swing = rate * np.array([place[1] - end[1], end[0] - place[0]])
            rows.append((pins[each.name], 0.0, 0.0, *map(float, end), 0.0, *map(float, speed + swing), 0.0))
        rows.append((each.name, each.mass, each.inertia, *map(float, place), turn, *map(float, speed), rate))
    return FilledSheet("Bodies", ("name", "mass", "inertia", "x", "y", "phi", "vx", "vy", "omega"), tuple(rows))


def _guiding(motion: SegmentMotions, pins: Mapping[str, str], run: slice, time: Vector) -> FilledSheet:
    """All angles, and the place of each segment that is joined to none above it: of its upper end where that is a pin."""
    headers, columns = ["time"], [time]
    for each in motion.segments.values():
        if each.name in pins:
            headers += [f"{pins[each.name]}.{axis}" for axis in ("x", "y", "phi")]
            columns += [*each.proximal[run].T, np.zeros(len(time))]
        elif each.name not in motion.joined:
            headers += [f"{each.name}.x", f"{each.name}.y"]
            columns += [*each.com[run].T]
        headers.append(f"{each.name}.phi")
        columns.append(each.angle[run])
    return FilledSheet("Guiding", tuple(headers), _rows(columns))


def _joints(motion: SegmentMotions, pins: Mapping[str, str], run: slice) -> tuple[FilledSheet, FilledSheet]:
    """Points and Joints: revolute ones with the segment above, or with the pin that carries a segment."""
    points: list[tuple[Cell, ...]] = []
    joints: list[tuple[Cell, ...]] = []
    for each in motion.segments.values():
        if each.name in pins or each.name in motion.joined:
            name = f"{each.name} joint"
            points.append((name, *map(float, each.proximal[run][0])))
            joints.append((name, "revolute", pins.get(each.name, each.parent), each.name, name))
    return (
        FilledSheet("Points", ("name", "x", "y"), tuple(points)),
        FilledSheet("Joints", ("name", "type", "body_i", "body_j", "point"), tuple(joints)),
    )


def _forces(
    segments: Mapping[str, SegmentMotion], wrenches: Mapping[str, Vector], run: slice, time: Vector
) -> FilledSheet:
    """The ground's force on each foot, and its moment about the centre of mass. wrenches: about the laboratory's origin."""
    headers, columns = ["time"], [time]
    for name, wrench in wrenches.items():
        moment = wrench[:, 2] - cross(segments[name].com, wrench[:, :2])
        headers += [f"{name}.fx", f"{name}.fy", f"{name}.moment"]
        columns += [wrench[:, 0][run], wrench[:, 1][run], moment[run]]
    return FilledSheet("ForceSeries", tuple(headers), _rows(columns))


def _rows(columns: Sequence[Vector]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(map(tuple, np.column_stack(columns).tolist()))


def known_in_space(segments: Sequence[SpatialMotion]) -> Mask:
    """(n,) frames in which all segments are known."""
    whole = [np.isfinite(each.com).all(axis=1) & np.isfinite(each.rotation).all(axis=(1, 2)) for each in segments]
    return np.asarray(np.all(whole, axis=0))


def sheets_in_space(
    segments: Sequence[SpatialMotion], wrenches: Mapping[str, Vector], frames: slice, time: Vector
) -> list[FilledSheet]:
    """Bodies, Guiding and ForceSeries over some frames.

    wrenches: by segment, (n, 6) force and moment about the laboratory's origin. time: (frames,) in s.
    """
    turned = {each.name: quaternions(each.rotation[frames])[:, [3, 0, 1, 2]] for each in segments}
    bodies: list[tuple[Cell, ...]] = []
    headers, columns = ["time"], [time[:, None]]
    for each in segments:
        inertia, start = each.inertia, frames.start
        spin = each.rotation[start].T @ each.omega[start]
        numbers = (
            *(each.mass, *np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]),
            *each.com[start],
            *turned[each.name][0],
            *each.velocity[start],
            *spin,
        )
        bodies.append((each.name, *map(float, numbers)))
        headers += [f"{each.name}.{name}" for name in (*AXES, *EULER)]
        columns += [each.com[frames], turned[each.name]]
    sheets = [
        FilledSheet("Bodies", SPATIAL_BODIES, tuple(bodies)),
        FilledSheet("Guiding", tuple(headers), _rows(columns)),
    ]
    if wrenches:
        coms = {each.name: each.com for each in segments}
        headers, columns = ["time"], [time[:, None]]
        for name, wrench in wrenches.items():
            moment = wrench[:, 3:] - np.cross(coms[name], wrench[:, :3])
            headers += [f"{name}.{quantity}" for quantity in ("fx", "fy", "fz", "mx", "my", "mz")]
            columns += [wrench[frames, :3], moment[frames]]
        sheets.append(FilledSheet("ForceSeries", tuple(headers), _rows(columns)))
    return sheets


def general_tables(solved: SolvedGait, path: Path) -> tuple[Table, ...]:
    """The tables where ``detail`` asks for them, named after their trials where there are several."""
    if not solved.book.processing.detail:
        return ()
    from sheetmbs.analysis.analyse import analyse
    from sheetmbs.lower import lower
    from sheetmbs.results.case_results import tables_of_cases
    from sheetmbs.results.result_sheets import result_sheets

    shown: dict[str, ResultSheets] = {}
    for trial in solved.trials:
        sheets = {each.name: filled_cells(each) for each in model_sheets(trial, solved)}
        lowered = lower(build_model(Book(path, b"", sheets, {})))
        shown[trial.courses.trial] = result_sheets(lowered, analyse(lowered))
    if len(shown) == 1:
        return next(iter(shown.values())).tables
    named = tables_of_cases(shown, list(shown))
    return tuple(table for tables in named.values() for table in tables)
