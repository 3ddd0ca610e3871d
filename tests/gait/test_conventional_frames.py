"""The conventional model against markers that an independent maker put on from known angles, and printed numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sheetmbs.gait.conventional import model_angles, model_frames
from sheetmbs.gait.kinematics.rotations import joint_angles
from tests.gait.conventional_markers import ConventionalSubject, markers, standing, walking

SUBJECTS = {
    "plain": ConventionalSubject(),
    "turned wands": ConventionalSubject(thigh_turn=(0.3, -0.2), shank_turn=(-0.1, 0.25)),
    "torsion": ConventionalSubject(torsion=(0.4, 0.2), thigh_turn=(0.1, 0.1), trochanter=(0.06, 0.075)),
}
SIDES = (("right", 1.0), ("left", -1.0))
DEGREE, LENGTH = 1e-6, 1e-9


def _centres(subject: ConventionalSubject, seen: dict, number: int, side: str, sign: float) -> tuple:
    leg = 0.5 * sum(subject.leg)
    trochanter = (
        model_frames.trochanter_distance(subject.leg[number])
        if subject.trochanter is None
        else subject.trochanter[number]
    )
    width = float(np.mean(np.linalg.norm(seen["right asis"] - seen["left asis"], axis=1)))
    origin, pelvis = model_frames.pelvis_frame(seen["right asis"], seen["left asis"], seen["sacrum"])
    hip = origin + pelvis @ model_frames.davis_offset(leg, width, trochanter, subject.radius, sign)
    knee = model_frames.chord(
        hip,
        seen[f"{side} knee"],
        seen[f"{side} thigh wand"],
        0.5 * subject.knee[number] + subject.radius,
        -sign * subject.thigh_turn[number],
    )
    ankle = model_frames.chord(
        knee,
        seen[f"{side} ankle"],
        seen[f"{side} shank wand"],
        0.5 * subject.ankle[number] + subject.radius,
        -sign * subject.shank_turn[number],
    )
    return pelvis, hip, knee, ankle


@pytest.mark.parametrize("name", SUBJECTS)
@pytest.mark.parametrize(("number", "side", "sign"), [(k, *each) for k, each in enumerate(SIDES)])
def test_centres_and_angles_are_those_from_which_markers_were_made(
    name: str, number: int, side: str, sign: float
) -> None:
    subject, walk = SUBJECTS[name], walking()
    seen, axes = markers(subject, walk)
    pelvis, hip, knee, ankle = _centres(subject, seen, number, side, sign)
    for found, what in ((hip, "hip"), (knee, "knee"), (ankle, "ankle")):
        assert np.abs(found - seen[f"{side} {what} centre"]).max() < LENGTH
    thigh = model_frames.bone_frame(hip, knee, seen[f"{side} knee"], sign)
    bones = model_frames.bone_frame(knee, ankle, seen[f"{side} ankle"], sign)
    shank = model_frames.turned_about_y(bones, sign * subject.torsion[number])
    assert np.allclose(bones, axes[side]["ankle"], atol=1e-9)
    angles = walk.legs[number]
    assert np.degrees(np.abs(joint_angles(pelvis, thigh, side) - angles.hip)).max() < DEGREE
    bent = joint_angles(thigh, shank, side) * [-1.0, 1.0, 1.0]
    assert np.degrees(np.abs(bent - angles.knee)).max() < DEGREE
    own = walk.pelvis if side == "right" else walk.pelvis * [1.0, -1.0, -1.0]
    assert np.degrees(np.abs(model_angles.axial_angles(pelvis, side) - own)).max() < DEGREE


@pytest.mark.parametrize("side", ["right", "left"])
def test_the_foot_stands_behind_its_toe_as_in_the_standing_trial(side: str) -> None:
    """Alpha and beta of the standing trial and the foot that walks, by quaternions of scipy on the made axes."""
    subject, walk = ConventionalSubject(torsion=(0.2, 0.1)), walking()
    still, still_axes = markers(subject, standing(walk))
    own = still_axes[side]
    behind = model_frames.foot_frame(still[f"{side} ankle centre"], still[f"{side} toe"], own["ankle"])
    from_heel = model_frames.foot_frame(still[f"{side} heel"], still[f"{side} toe"], own["ankle"])
    assert np.allclose(behind, own["behind"], atol=1e-9)
    assert np.allclose(from_heel, own["from heel"], atol=1e-9)
    alpha, beta = model_angles.foot_offsets(behind, from_heel)
    relative = Rotation.from_matrix(own["behind"][0].T @ own["from heel"][0]).as_euler("ZYX")
    assert np.allclose([alpha, beta], relative[:2], atol=1e-9)
    assert abs(relative[2]) > np.radians(0.01)  # the third angle is there, and dropped
    moving, axes = markers(subject, walk)
    found = model_angles.foot_from_toe(
        model_frames.foot_frame(moving[f"{side} ankle centre"], moving[f"{side} toe"], axes[side]["ankle"]),
        alpha,
        beta,
    )
    made = Rotation.from_matrix(axes[side]["behind"]) * Rotation.from_euler("ZY", relative[:2])
    assert np.degrees(np.abs((Rotation.from_matrix(found).inv() * made).as_rotvec())).max() < DEGREE


def test_sides_mean_the_same() -> None:
    """A subject mirrored, right for left, has the same angles on the other side."""
    subject, walk = ConventionalSubject(), walking()
    _seen, axes = markers(subject, walk)
    mirror = np.diag([1.0, 1.0, -1.0])
    for side, other in (("right", "left"), ("left", "right")):
        ankle, foot = axes[side]["ankle"], axes[side]["behind"]
        one = model_angles.ankle_angles(ankle, foot, side)
        two = model_angles.ankle_angles(mirror @ ankle @ mirror, mirror @ foot @ mirror, other)
        assert np.allclose(one, two, atol=1e-12)
        ahead = model_angles.progression(foot, side)
        assert np.allclose(ahead, model_angles.progression(mirror @ foot @ mirror, other), atol=1e-12)


def test_signs_of_an_ankle_and_a_foot() -> None:
    """Toes up is dorsiflexion, toes inward rotation and progression, the sole inward adduction, on either side."""
    neutral = np.eye(3)[None]
    small = 0.1
    for side, sign in SIDES:
        up = Rotation.from_euler("z", small).as_matrix()[None]
        inward = Rotation.from_euler("y", sign * small).as_matrix()[None]
        toe = inward[0] @ [1.0, 0.0, 0.0]
        assert toe[2] * sign < 0.0  # towards the other leg
        inverted = Rotation.from_euler("x", sign * small).as_matrix()[None]
        outer_edge = inverted[0] @ [0.0, 0.0, sign]
        assert outer_edge[1] < 0.0  # the outer edge goes down: the sole looks inward
        for turned, which in ((up, 0), (inverted, 1), (inward, 2)):
            found = model_angles.ankle_angles(neutral, turned, side)[0]
            expected = np.zeros(3)
            expected[which] = small
            assert np.allclose(found, expected, atol=1e-12)
        assert np.allclose(model_angles.progression(inward, side), small)


def test_the_hip_of_a_public_subject() -> None:
    """Legs of 920 mm, spines 245.236 mm apart, markers of 14 mm: as its file has it."""
    trochanter = model_frames.trochanter_distance(0.920)
    assert trochanter == pytest.approx(0.069936)
    right = model_frames.davis_offset(0.920, 0.245236, trochanter, 0.007, 1.0)
    left = model_frames.davis_offset(0.920, 0.245236, trochanter, 0.007, -1.0)
    assert np.allclose(1e3 * right, [-48.64, -99.30, 79.23], atol=0.006)
    assert np.allclose(left, right * [1.0, 1.0, -1.0])


def test_a_chord_is_where_its_three_conditions_say() -> None:
    rng = np.random.default_rng(2)
    above, marker, wand = rng.normal(size=(3, 40, 3)) * 0.05 + np.array(
        [[[0, 0.4, 0]], [[0, 0, 0.05]], [[0, 0.2, 0.2]]]
    )
    centre = model_frames.chord(above, marker, wand, 0.058)
    assert np.allclose(np.linalg.norm(centre - marker, axis=1), 0.058, atol=1e-12)
    assert np.abs(np.sum((centre - marker) * (centre - above), axis=1)).max() < 1e-12
    normal = np.cross(above - marker, wand - marker)
    assert np.abs(np.sum(normal * (centre - marker), axis=1)).max() < 1e-12
    beyond = np.cross(above - marker, centre - marker)
    assert np.all(np.sum(normal * beyond, axis=1) < 0.0)  # the other side of the line


def test_no_centre_is_where_the_width_is_more_than_the_bone() -> None:
    above, marker, wand = (np.array([[0.0, y, z]]) for y, z in ((0.05, 0.0), (0.0, 0.05), (0.1, 0.1)))
    assert np.isnan(model_frames.chord(above, marker, wand, 0.08)).all()


def test_the_thorax_stands_upright_on_its_markers() -> None:
    turned = Rotation.from_euler("ZXY", [0.2, 0.1, -0.3]).as_matrix()
    local = {
        "c7": [-0.06, 0.1, 0.0],
        "t10": [-0.08, -0.1, 0.0],
        "clavicle": [0.06, 0.1, 0.0],
        "sternum": [0.08, -0.1, 0.0],
    }
    found = model_frames.thorax_frame(*((turned @ np.array(each))[None] for each in local.values()))
    assert np.allclose(found[0], turned, atol=1e-12)
