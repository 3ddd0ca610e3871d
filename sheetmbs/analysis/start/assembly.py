"""Whether a model closed the way it was meant: axes turned about by 180 degrees, and other branches of the mechanism.

Rows that make axes parallel are as well satisfied by opposite ones, and a loop may close on either side. Both come of a start
too far from the assembled configuration.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from sheetmbs.analysis.start.poses import common_axes, displacement, largest_turn, orientation, orientations
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.recipe import X, Z
from sheetmbs.elements.rotation import rotation_about, rotation_vector
from sheetmbs.engine.codes import BodyKind
from sheetmbs.engine.records import Floats
from sheetmbs.lower import Lowered
from sheetmbs.model.model import Body, Joint
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import sentence_list

Moves = list[tuple[Body, float, float]]

NOTICED = 0.01  # of the characteristic length, or rad: a correction this large is worth a warning
LISTED = 1e-4  # the same, from which on it is worth a line of the summary
SURELY_LESS = 0.1  # of that: coordinates that change by no more make no larger displacement or turn
MOST_LISTED = 10
QUARTER_TURN = 0.5 * np.pi
NEARLY = 0.9  # cosine of an angle between axes that the workbook means to be parallel
LEAST_SHARE = 0.5 * math.acos(NEARLY)  # rad: of two bodies that turn from there to opposite axes, one turns so far
HARDLY = 2.0 * math.sin(0.25 * LEAST_SHARE)  # of their size: coordinates that change by less turn no body so far
ALMOST_NONE = 1e-9


def moves(lowered: Lowered, given: Floats, assembled: Floats) -> Moves:
    """Bodies with how far (m) and by what angle (rad) they were moved, largest first; but for those hardly moved."""
    found: Moves = []
    if _largest_change(lowered, given, assembled) < SURELY_LESS * LISTED:
        return found
    for body in lowered.model.bodies:
        distance, angle = displacement(lowered, given, assembled, lowered.bodies.names[body.name])
        if _share(lowered, distance, angle) > LISTED:
            found.append((body, distance, angle))
    return sorted(found, key=lambda move: -_share(lowered, move[1], move[2]))


def listed(lowered: Lowered, moved: Moves) -> Iterator[tuple[str, str | int, str]]:
    """Lines for the summary: each body with its displacement and turn."""
    for body, distance, angle in moved[:MOST_LISTED]:
        yield f"moved to assemble: {body.name}", _amount(lowered, distance, angle), ""
    if len(moved) > MOST_LISTED:
        yield "further bodies moved to assemble", len(moved) - MOST_LISTED, ""


def warnings(lowered: Lowered, moved: Moves) -> Iterator[Problem]:
    """Warnings of bodies that had to be moved far, and of those that may have gone to another branch."""
    far = [move for move in moved if _share(lowered, move[1], move[2]) > NOTICED]
    if far:
        bodies = sentence_list([f"{body.name} (by {_amount(lowered, *by)})" for body, *by in far])
        yield Problem(
            "moved",
            "warning",
            far[0][0].cell,
            f"to assemble the model, {bodies} had to be moved by more than "
            f"{100 * NOTICED:.0f} % of the size of the model, or {NOTICED:.2g} rad",
            "the poses on Bodies should be near the assembled configuration",
            "compare the first row of mbs Bodies with the sheet Bodies",
        )
    turned = [body for body, _distance, angle in moved if angle > QUARTER_TURN]
    if turned:
        yield Problem(
            "branch",
            "warning",
            turned[0].cell,
            f"to assemble the model, {sentence_list([body.name for body in turned])} turned by more than a quarter turn",
            "so far from the poses given, the mechanism may have closed on another branch than the one meant",
            "look at the first row of mbs Bodies, and give poses on Bodies that are nearer to the assembled configuration",
        )


def _largest_change(lowered: Lowered, given: Floats, assembled: Floats) -> float:
    """The largest change of a coordinate between configurations (nq,), over its size."""
    return float(np.max(np.abs(assembled - given) / lowered.bodies.position_size, initial=0.0))


def flipped(lowered: Lowered, given: Floats, assembled: Floats) -> list[Joint]:
    """Joints that came to stand with their axes the wrong way round; not those that were given so."""
    if _largest_change(lowered, given, assembled) < HARDLY or largest_turn(lowered, given, assembled) < LEAST_SHARE:
        return []
    now = orientations(lowered, assembled)
    found = [joint for joint in lowered.model.joints if _is_opposite(lowered, joint, now)]
    before = orientations(lowered, given) if found else now
    return [joint for joint in found if not _is_opposite(lowered, joint, before, nearly=True)]


def opposite_axes_notes(lowered: Lowered, given: Floats) -> Iterator[Problem]:
    """A note on joints in space whose axes are opposite in the poses given."""
    if lowered.model.settings.dimension != "3D":
        return
    turns = orientations(lowered, given)
    joints = [joint for joint in lowered.model.joints if _third_axes(lowered, joint, turns) < -NEARLY]
    if joints:
        yield Problem(
            "opposite-axes",
            "note",
            joints[0].cell,
            f"in the poses given, the axes of {sentence_list([joint.name for joint in joints])} point opposite ways",
            "a joint works so too, and its angle or displacement counts along the axis on body i",
            "if it is not meant so, reverse the axis on one of its bodies",
        )


def turned_about(lowered: Lowered, joint: Joint, q: Floats) -> Iterator[Floats]:
    """Starts (nq,) in which one body of a joint is turned about the joint's point until the axes stand as they should."""
    for marker, other in ((joint.j, joint.i), (joint.i, joint.j)):
        if marker.body == GROUND:
            continue
        number = lowered.bodies.names[marker.body]
        record, turn = lowered.bodies.records[number], orientation(lowered, q, number)
        axes = turn @ marker.axes
        normal = axes[:, X] if record.kind == BodyKind.SPATIAL else np.array([0.0, 0.0, 1.0])
        goal = orientation(lowered, q, lowered.bodies.names[other.body]) @ other.axes
        vector = _alignment(joint, axes, goal, normal)
        arm = turn @ marker.origin
        shift = arm - rotation_about(vector) @ arm
        if record.kind != BodyKind.SPATIAL:
            moved = q.copy()
            moved[record.q : record.q + 3] += *shift[:2], vector[2]
            yield moved
            continue
        step = np.zeros(len(lowered.bodies.v))
        step[record.v : record.v + 3] = shift
        step[record.v + 3 : record.v + 6] = lowered.bodies.axes[number].T @ turn.T @ vector
        yield lowered.moved(q, step)


def flipped_axes_problem(joints: list[Joint], *, is_corrected: bool) -> Problem:
    """Axes the wrong way round, in words. is_corrected: turning a body about has put them right."""
    names = sentence_list([joint.name for joint in joints])
    if is_corrected:
        return Problem(
            "flipped",
            "warning",
            joints[0].cell,
            f"from the poses given, the axes of {names} would have met the wrong way round",
            "a joint is satisfied by opposite axes too; a body of it was turned about before assembling",
            "give poses on Bodies that are nearer to the assembled configuration",
        )
    bodies = sentence_list(sorted({m.body for joint in joints for m in (joint.i, joint.j) if m.body != GROUND}))
    return Problem(
        "flipped",
        "error",
        joints[0].cell,
        f"the model closes only with the axes of {names} the wrong way round: turned by 180 degrees against each other",
        "the axes of both bodies of a joint must point the same way in the assembled configuration",
        f"reverse the axis on one body of the joint, or give poses of {bodies} on Bodies that are nearer to the assembled ones",
    )


def _share(lowered: Lowered, distance: float, angle: float) -> float:
    return max(distance / lowered.bodies.length, angle)


def _amount(lowered: Lowered, distance: float, angle: float) -> str:
    unit, size = lowered.model.display.length
    return f"{distance / size:.4g} {unit} and {np.degrees(angle):.3g} deg"


def _axes(lowered: Lowered, marker: Marker, turns: Floats) -> Floats:
    """(3, 3) global axes of a marker."""
    return np.asarray(turns[lowered.bodies.names[marker.body]] @ marker.axes)


def _cosines(lowered: Lowered, joint: Joint, turns: Floats) -> list[float]:
    """Cosines of the angles between the axes that the markers are to have in common. turns: see `orientations`."""
    common = common_axes(joint.type)
    if not common:
        return []
    cosines = (_axes(lowered, joint.i, turns) * _axes(lowered, joint.j, turns)).sum(axis=0).tolist()
    return [cosines[axis] for axis in common]


def _third_axes(lowered: Lowered, joint: Joint, turns: Floats) -> float:
    """Cosine of the angle between the third axes, 1 where they need not be parallel."""
    return (_cosines(lowered, joint, turns) or [1.0])[-1]


def _is_opposite(lowered: Lowered, joint: Joint, turns: Floats, *, nearly: bool = False) -> bool:
    """Whether axes that should coincide are opposite; ``nearly``: and all of them as good as parallel."""
    cosines = _cosines(lowered, joint, turns)
    return any(cosine < 0.0 for cosine in cosines) and not (nearly and any(abs(cosine) < NEARLY for cosine in cosines))


def _alignment(joint: Joint, axes: Floats, goal: Floats, normal: Floats) -> Floats:
    """(3,) global rotation vector from the axes of a marker to those of the other one; for the third alone, the shortest.

    normal: axis to turn about where the third axes are opposite.
    """
    if len(common_axes(joint.type)) > 1:
        return rotation_vector(goal @ axes.T)
    between = np.cross(axes[:, Z], goal[:, Z])
    sine = float(np.linalg.norm(between))
    direction = between / sine if sine > ALMOST_NONE else normal
    return np.asarray(direction * np.arctan2(sine, axes[:, Z] @ goal[:, Z]))
