"""What rows of several sheets must have together: masses, a standing trial, coordinates across, seen markers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.gait.body.anthropometry import segment_mass
from sheetmbs.gait.reading.read_segments import table_of
from sheetmbs.gait.trial.gait_book import CentreRow, JointRow, Processing, SegmentRow, Subject, Trial
from sheetmbs.schema.gait_inputs import CentreKind
from sheetmbs.schema.problem_list import ProblemList, place_of, quoted

IN_SPACE = (
    *(CentreKind.HARRINGTON, CentreKind.BELL, CentreKind.SPHERE, CentreKind.SCORE, CentreKind.SARA),
    *(CentreKind.DAVIS, CentreKind.CHORD),
)
"""kinds of joint centres that need all three coordinates"""
OF_ANKLES = ("dorsiflexion", "plantarflexion")
MOST_LOADED = 0.5
"""of the weight, which a foot carries for a moment only"""
LONGEST_GAP = 1.0
"""s"""


def check_masses(segments: Sequence[SegmentRow], subject: Subject, report: ProblemList) -> None:
    """Report segments whose mass, centre of mass or inertia nothing tells."""
    for row in segments:
        if segment_mass(row, subject, is_proximal_first=True) is None:
            found = f"no mass, com and gyration of {quoted(row.name)}"
            problem = f"the table {subject.anthropometry} has no row for it"
            mend = "fill in mass (or mass_fraction), com and gyration (or inertia), or name a row in table"
            report.error("missing-value", place_of(row.cells["name"]), found, problem, mend)
        if row.mass is not None and 0.0 < subject.mass <= row.mass:
            found = f"mass of {row.name}: {row.mass:.4g} kg"
            problem = f"the whole body has {subject.mass:.4g} kg"
            report.error("out-of-range", place_of(row.cells["mass"]), found, problem, "correct it or its unit")
        meant = table_of(row.name)
        if meant and row.table and meant != row.table and row.mass is None and row.mass_fraction is None:
            found = f"table of {row.name}: {row.table}"
            problem = f"it takes the mass of a {row.table}"
            mend = f"write {meant}, or a mass of its own, or another name"
            report.warning("other-table", place_of(row.cells["table"]), found, problem, mend)


def check_limits(processing: Processing, subject: Subject, gravity: float, report: ProblemList) -> None:
    """Report a threshold that no foot reaches, and a gap limit that is no time."""
    weight = subject.mass * gravity
    if 0.0 < MOST_LOADED * weight <= processing.threshold:
        found = f"threshold: {processing.threshold:g} N"
        problem = f"a foot stands from there on, and the body weighs {weight:.0f} N"
        mend = "write a force that an unloaded plate does not reach, such as 20 N"
        report.error("out-of-range", place_of(processing.places["threshold"]), found, problem, mend)
    if processing.gap_limit > LONGEST_GAP:
        found = f"gap_limit: {processing.gap_limit:g} s"
        problem = f"no spline knows where a marker was for more than {LONGEST_GAP:g} s"
        place = place_of(processing.places["gap_limit"])
        report.warning("long-gap-limit", place, found, problem, "it counts seconds, not frames: write 0.1 s or so")


def check_hips(segments: Sequence[SegmentRow], centres: Sequence[CentreRow], report: ProblemList) -> None:
    """Report a segment of one side that begins at the hip of the other."""
    hips = {row.name: row for row in centres if row.kind in (CentreKind.HARRINGTON, CentreKind.BELL)}
    for segment in segments:
        row = hips.get(segment.proximal)
        if row is not None and None not in (row.side, segment.side) and row.side != segment.side:
            found = f"side of {row.name}: {row.side}"
            problem = f"{segment.name} begins there and is of the {segment.side} side"
            place = place_of(row.cells["side"])
            report.error("other-side", place, found, problem, f"write {segment.side}, or another proximal on Segments")


def check_joints(joints: Sequence[JointRow], segments: Sequence[SegmentRow], report: ProblemList) -> None:
    """Report joints whose lower segment does not hang on the upper one, and hips and knees that flex as ankles do."""
    above = {row.name: row.parent for row in segments}
    tables = {row.name: row.table for row in segments}
    for joint in joints:
        if tables.get(joint.distal) in ("thigh", "shank") and joint.positive in OF_ANKLES:
            problem = f"{joint.positive} is of ankles: hips and knees have flexion and extension"
            found = f"positive of the {joint.label}: {joint.positive}"
            report.warning("other-sense", place_of(joint.cell), found, problem, "write flexion or extension")
        if joint.proximal not in above or above.get(joint.distal) in (None, joint.proximal):
            continue
        found = f"the {joint.label} lies between {joint.proximal} and {joint.distal}"
        if above[joint.proximal] == joint.distal:
            problem = f"{joint.proximal} hangs on {joint.distal}, so that its load would be that of the joint above"
            report.error("reversed-joint", place_of(joint.cell), found, problem, "exchange proximal and distal")
        else:
            problem = f"{joint.distal} hangs on {above[joint.distal]}, and its load is that of the joint there"
            mend = f"write {above[joint.distal]} as proximal if that is meant; the angle is that of these two"
            report.warning("skipping-joint", place_of(joint.cell), found, problem, mend)


def check_height(processing: Processing, subject: Subject, report: ProblemList) -> None:
    """Report moments by weight and height of a subject whose height is not given."""
    if processing.moment_unit == "%BW*height" and subject.height is None:
        problem = "such moments are divided by the height of the subject"
        place = place_of(processing.places["moment_unit"])
        report.error("missing-setting", place, "moment_unit: '%BW*height'", problem, "add a row height to Subject")


def check_standing(
    segments: Sequence[SegmentRow], joints: Sequence[JointRow], static: Trial | None, report: ProblemList
) -> None:
    """Report lengths and neutral angles of a standing trial that is not there."""
    if static is not None:
        return
    asked = [row.cells["length"] for row in segments if row.length == "static"]
    asked += [row.cell for row in joints if row.neutral == "static"]
    for cell in asked:
        mend = "add a sheet Markers static with the subject standing, or write a number"
        report.error("missing-sheet", place_of(cell), "static", "there is no standing trial", mend)


def check_seen(
    trials: Sequence[Trial],
    segments: Sequence[SegmentRow],
    centres: Sequence[CentreRow],
    report: ProblemList,
    *,
    in_space: bool,
) -> None:
    """Report markers that a segment or joint centre needs and that are blank in all frames, or lack a coordinate.

    in_space: where only those of clusters must be seen, for they carry all others.
    """
    needed = {name for row in segments for name in row.markers}
    if not in_space:
        needed |= {name for row in segments for name in (row.proximal, row.distal, *row.line)}
        needed |= {name for row in centres for name in row.markers}
    across = {name: row for row in centres if row.kind in IN_SPACE for name in row.markers}
    for trial in trials:
        labels = trial.markers.labels
        for number, (label, positions) in enumerate(zip(labels, trial.markers.positions, strict=True)):
            seen = np.isfinite(positions).any(axis=0)
            if label in needed and seen.sum() < 2:
                problem = "a segment or joint centre needs it"
                place = trial.markers.headers[number]
                found = f"the marker {quoted(label)} is blank in all frames"
                report.error("unseen-marker", place, found, problem, "fill it in, or leave out what needs it")
            elif label in across and seen.any() and not seen.all():
                row = across[label]
                problem = f"{row.kind} needs x, y and z, and {quoted(label)} has two of them on {trial.sheets[0]}"
                mend = "add the third coordinate, or use mean or marker"
                report.error("missing-coordinate", place_of(row.cells["kind"]), row.kind, problem, mend)


def check_plates_in_space(trials: Sequence[Trial], report: ProblemList) -> None:
    """Report plates that lack a column without which their force in space is not whole."""
    for trial in trials:
        for plate in () if trial.forces is None else trial.forces.plates:
            missing = [f"{plate.name}.{name}" for name in plate.missing]
            if missing:
                problem = "in 3D a plate has fx, fy, fz with mx, my, mz, or with two directions of its pressure and tz"
                mend = "export them too, fill a column with 0 if that is what is meant, or write dimension 2D"
                report.error("missing-columns", plate.header, f"no column {', '.join(missing)}", problem, mend)
