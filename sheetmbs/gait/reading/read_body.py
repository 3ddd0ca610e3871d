"""What a body consists of: centres, segments, joints and axes, by the sheets or by the conventional gait model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sheetmbs.gait.reading.read_anthropometry import read_anthropometry
from sheetmbs.gait.reading.read_conventional import is_conventional, read_conventional
from sheetmbs.gait.reading.read_gait_joints import read_frames, read_joints
from sheetmbs.gait.reading.read_segments import read_centres, read_segments
from sheetmbs.gait.reading.read_trials import LabelRow
from sheetmbs.gait.reading.resolve_points import (
    KnownPoints,
    needed_centres,
    present_segments,
    resolved_centres,
    resolved_frames,
    resolved_segments,
)
from sheetmbs.gait.trial.gait_book import (
    CentreRow,
    ConventionalModel,
    FrameRow,
    JointRow,
    Processing,
    SegmentRow,
    Side,
    Trial,
)
from sheetmbs.schema import gait_inputs as inputs
from sheetmbs.schema.column import Sheet
from sheetmbs.schema.gait_anthropometry import ANTHROPOMETRY
from sheetmbs.schema.gait_inputs import SegmentMethod
from sheetmbs.schema.problem_list import ProblemList, place_of
from sheetmbs.workbook.reading.input_table import InputTable

OF_CONVENTIONAL = ("hip_centre", "foot_flat")
"""settings that count with the conventional gait model alone"""
TableOf = Callable[[Sheet], InputTable]


@dataclass(frozen=True)
class BodyRows:
    """The rows of a body, with exact names of points. model: that made them, None: the sheets."""

    centres: tuple[CentreRow, ...] = ()
    segments: tuple[SegmentRow, ...] = ()
    joints: tuple[JointRow, ...] = ()
    frames: tuple[FrameRow, ...] = ()
    model: ConventionalModel | None = None


def read_body(
    table: TableOf,
    processing: Processing,
    sides: Sequence[Side],
    recorded: tuple[Sequence[Trial], Trial | None],
    names: Sequence[LabelRow],
    report: ProblemList,
    *,
    in_space: bool,
) -> BodyRows:
    """The rows of a body. recorded: trials that walk, and the standing one. names: rows of Marker names."""
    if is_conventional(processing):
        if not in_space:
            place = place_of(processing.places["model"])
            problem = "that model has axes of segments in space"
            report.error("dimension", place, "model: cgm", problem, "write dimension 3D on Settings")
        made = read_conventional(table, processing, sides, recorded, names, report)
        return BodyRows() if made is None else BodyRows(*made[1:], (), made[0])
    read_anthropometry(table(ANTHROPOMETRY), sides, report, is_needed=False)
    for setting in OF_CONVENTIONAL:
        if setting in processing.places:
            problem = "only the conventional gait model has it"
            place = place_of(processing.places[setting])
            report.warning("unused-value", place, setting, problem, "write model cgm, or clear the cell")
    found = _of_sheets(table, sides, recorded, names, report, in_space=in_space)
    _warn_of_unused_joints(found.joints, processing, report, in_space=in_space)
    return found


def _warn_of_unused_joints(
    joints: Sequence[JointRow], processing: Processing, report: ProblemList, *, in_space: bool
) -> None:
    """A warning where rows say how segments are joined, and nothing joins them."""
    typed = [each for each in joints if each.kind or each.low is not None or each.high is not None]
    if typed and not (in_space and processing.kinematics == SegmentMethod.LEAST_SQUARES):
        problem = "segments are joined so by least squares in 3D alone"
        mend = "write kinematics least squares on Processing, or clear these columns"
        report.warning("unused-value", place_of(typed[0].cell), "type, low and high", problem, mend)


def _of_sheets(
    table: TableOf,
    sides: Sequence[Side],
    recorded: tuple[Sequence[Trial], Trial | None],
    names: Sequence[LabelRow],
    report: ProblemList,
    *,
    in_space: bool,
) -> BodyRows:
    trials, static = recorded
    centres = read_centres(table(inputs.JOINT_CENTRES), report)
    segments, known = read_segments(table(inputs.SEGMENTS), report)
    joints = read_joints(table(inputs.GAIT_JOINTS), segments, known, sides, report, in_space=in_space)
    frames = read_frames(table(inputs.ANATOMICAL_FRAMES), known)
    standing = [static] if static else []
    points = KnownPoints([*trials, *standing], centres, names, report, standing if in_space else None)
    segments, joints = present_segments(segments, joints, points, sides)
    centres = resolved_centres(needed_centres(centres, segments, points), points)
    segments = resolved_segments(segments, points)
    return BodyRows(centres, segments, joints, resolved_frames(frames, points))
