"""Gait in space: poses of clusters, axes, angles and moments of joints against closed forms."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sheetmbs.gait.kinematics.clustered_segments import cluster_poses, left_out
from sheetmbs.gait.kinematics.rotations import (
    anatomical_axes,
    joint_angles,
    joint_axes,
    moment_in,
    quaternions,
    turning,
)
from sheetmbs.gait.kinetics.joint_loads import SpatialMotion, spatial_loads, spatial_power
from sheetmbs.gait.signals.derivatives import derivatives
from tests.support import gait_walker as walker

RATE = 100.0
TIME = np.arange(201) / RATE
THIGH = np.array(
    [[0.06, 0.10, 0.05], [0.05, -0.08, 0.07], [-0.04, 0.02, 0.09], [0.0, 0.12, -0.06], [-0.05, -0.1, 0.04]]
)
"""a cluster of five markers, m"""


def rates(values):
    return derivatives(values, RATE)


def swinging(time=TIME):
    """A rotation that leaves no axis out, with its angular velocity and acceleration from Euler's kinematic equations."""
    a, b, c = 0.5 * np.sin(3 * time), 0.3 * np.cos(2 * time), 0.4 * np.sin(4 * time + 1)
    a1, b1, c1 = 1.5 * np.cos(3 * time), -0.6 * np.sin(2 * time), 1.6 * np.cos(4 * time + 1)
    rotation = Rotation.from_euler("ZXY", np.column_stack((a, b, c)))
    node = np.column_stack((np.cos(a), np.sin(a), 0 * a))
    omega = np.outer(a1, [0, 0, 1]) + b1[:, None] * node + c1[:, None] * rotation.as_matrix()[:, :, 1]
    return rotation.as_matrix(), omega, np.column_stack((a, b, c))


def test_a_cluster_gives_its_pose_exactly_and_least_squares_of_noise():
    turned, _, _ = swinging()
    origin = np.column_stack((1.2 * TIME, 0.9 + 0.05 * np.sin(9 * TIME), 0.1 * TIME))
    markers = origin + np.einsum("nij,mj->mni", turned, THIGH)
    found = cluster_poses(THIGH, markers)
    assert np.abs(found.rotation - turned).max() < 1e-13
    assert np.abs(found.origin - origin).max() < 1e-13
    assert found.residual.max() < 1e-13
    assert np.abs(found.place(np.array([0.0, -0.4, 0.0])) - (origin + turned @ [0.0, -0.4, 0.0])).max() < 1e-13
    noisy = markers + 1e-3 * np.random.default_rng(1).normal(size=markers.shape)
    rough = cluster_poses(THIGH, noisy)
    assert np.allclose(np.linalg.det(rough.rotation), 1.0)
    angle = Rotation.from_matrix(rough.rotation @ np.swapaxes(turned, 1, 2)).magnitude()
    assert 0.002 < np.sqrt(np.mean(angle**2)) < 0.02
    aligned, _ = Rotation.align_vectors(noisy[:, 7] - noisy[:, 7].mean(0), THIGH - THIGH.mean(0))
    assert np.allclose(aligned.as_matrix(), rough.rotation[7], atol=1e-12)


def test_markers_that_lie_flat_or_are_few_give_a_pose_or_none():
    """Three of them lie in a plane, where reflections fit as well; two, or three on a line, tell nothing."""
    turned, _, _ = swinging()
    markers = np.einsum("nij,mj->mni", turned, THIGH)
    three = cluster_poses(THIGH[:3], markers[:3])
    assert np.abs(three.rotation - turned).max() < 1e-12
    markers[0, 10], markers[1, 10:20], markers[2, 10], markers[4, 30] = (np.nan,) * 4
    found = cluster_poses(THIGH, markers)
    assert np.flatnonzero(np.isnan(found.residual)).tolist() == [10]
    assert np.abs(np.delete(found.rotation - turned, 10, axis=0)).max() < 1e-12
    line = np.outer(np.arange(4.0), [0.1, 0.02, 0.0])
    assert np.all(np.isnan(cluster_poses(line, np.einsum("nij,mj->mni", turned, line)).origin))


def test_weights_count_and_a_marker_that_has_moved_is_found_by_leaving_it_out():
    turned, _, _ = swinging()
    markers = np.einsum("nij,mj->mni", turned, THIGH)
    markers[2] += [0.0, 0.02, 0.0]
    without = cluster_poses(THIGH, markers, np.array([1.0, 1.0, 0.0, 1.0, 1.0]))
    assert np.abs(without.rotation - turned).max() < 1e-12
    away = left_out(THIGH, markers)
    assert np.allclose(away[2], 0.02)
    assert np.all(away[[0, 1, 3, 4]] < 0.02)


def test_axes_of_a_shank_and_a_pelvis_are_those_of_isb():
    knee, ankle, lateral = np.array([0.0, 0.5, 0.1]), np.array([0.02, 0.1, 0.1]), np.array([0.01, 0.45, 0.15])
    for side in (1.0, -1.0):
        outer = knee + (lateral - knee) * [1.0, 1.0, side]
        axes = anatomical_axes(ankle, knee, outer, "yxz")
        assert np.allclose(axes.T @ axes, np.eye(3))
        assert np.isclose(np.linalg.det(axes), 1.0)
        assert np.allclose(axes[:, 1], (knee - ankle) / np.linalg.norm(knee - ankle))
        assert axes[0, 0] > 0.9, "forward"
        assert axes[2, 2] > 0.9, "to the right, of the left leg too"
        assert np.isclose(axes[:, 0] @ (outer - ankle), 0.0), "z lies in the plane of y and the point"
    left, right, back = np.array([0.0, 1.0, -0.12]), np.array([0.01, 1.01, 0.12]), np.array([-0.18, 1.02, 0.0])
    pelvis = anatomical_axes(left, right, back, "zyx")
    assert np.isclose(np.linalg.det(pelvis), 1.0)
    assert np.allclose(np.sign(np.diag(pelvis)), 1.0)
    assert np.isclose(pelvis[:, 1] @ (back - left), 0.0)
    with pytest.raises(ValueError, match="one line"):
        anatomical_axes(ankle, knee, knee + 0.1 * (knee - ankle), "yxz")


def test_angles_are_those_of_grood_and_suntay_and_mean_the_same_on_both_sides():
    turned, _, angles = swinging()
    proximal = Rotation.from_euler("ZXY", [0.2, 0.1, -0.3]).as_matrix() @ np.tile(np.eye(3), (len(TIME), 1, 1))
    assert np.abs(joint_angles(proximal, proximal @ turned, "right") - angles).max() < 1e-12
    mirror = np.diag([1.0, 1.0, -1.0])
    left = joint_angles(mirror @ proximal @ mirror, mirror @ proximal @ turned @ mirror, "left")
    assert np.abs(left - angles).max() < 1e-12
    turned[50] = np.nan
    found = joint_angles(proximal, proximal @ turned, "right")
    assert np.all(np.isnan(found[50]))
    assert np.abs(np.delete(found - angles, 50, axis=0)).max() < 1e-12


def test_a_thigh_that_swings_forward_flexes_and_one_that_swings_inward_adducts():
    upright = np.eye(3)[None]
    forward, inward, inside = (Rotation.from_rotvec(0.3 * np.eye(3)[k]).as_matrix()[None] for k in (2, 0, 1))
    assert (forward @ [0.0, -1.0, 0.0])[0, 0] > 0.0
    assert (inward @ [0.0, -1.0, 0.0])[0, 2] < 0.0, "the right leg, to the left"
    assert (inside @ [1.0, 0.0, 0.0])[0, 2] < 0.0, "the toes of the right foot, to the left"
    for k, turned in enumerate((forward, inward, inside)):
        assert np.allclose(joint_angles(upright, turned, "right")[0], 0.3 * np.eye(3)[k])


def test_angular_velocity_and_acceleration_come_from_quaternions_without_jumps():
    turned, omega, _ = swinging()
    found, second = turning(turned, rates)
    change = rates(omega.T)[0].T
    assert np.abs(found - omega)[5:-5].max() < 1e-5
    assert np.abs(second - change)[5:-5].max() < 2e-2
    around = Rotation.from_rotvec(np.outer(6.0 * TIME, [0.6, 0.0, 0.8])).as_matrix()
    spin, rest = turning(around, rates)
    assert np.abs(spin - [3.6, 0.0, 4.8])[5:-5].max() < 1e-5, "past a half turn"
    assert np.abs(rest)[5:-5].max() < 1e-2
    assert np.min(np.sum(quaternions(around)[1:] * quaternions(around)[:-1], axis=1)) > 0.99


def test_a_quaternion_whose_length_drifts_turns_no_faster():
    """Derivatives of q exp(2 t), which has the same direction."""
    turned, _, _ = swinging()

    def drifting(q):
        first, second = rates(q)
        return first + 2.0 * q, second + 4.0 * first + 4.0 * q

    for found, other in zip(turning(turned, drifting), turning(turned, rates), strict=True):
        assert np.abs(found - other).max() < 1e-4 * np.abs(other).max()


def in_space(time):
    """The planar walker with legs beside its middle, turned by some angle about the vertical, and its wrenches."""
    walk = walker.walk(time)
    parents, beside = {"trunk": None}, {"trunk": 0.0}
    for side, sign in (("right", 1.0), ("left", -1.0)):
        parents |= {f"{side} thigh": "trunk", f"{side} shank": f"{side} thigh", f"{side} foot": f"{side} shank"}
        beside |= {f"{side} {name}": sign * walker.WIDTH for name in ("thigh", "shank", "foot")}
    heading = Rotation.from_rotvec([0.0, 0.4, 0.0]).as_matrix()

    def spread(planar, across):
        return np.column_stack((planar, np.full(len(planar), across))) @ heading.T

    def about_z(course):
        return np.outer(course, [0.0, 0.0, 1.0]) @ heading.T

    segments = [
        SpatialMotion(
            name=each.name,
            parent=parents[each.name],
            mass=each.mass,
            inertia=np.diag([0.5 * each.inertia, 0.1 * each.inertia, each.inertia]),
            com=spread(each.com.value, beside[each.name]),
            velocity=spread(each.com.rate, 0.0),
            acceleration=spread(each.com.second, 0.0),
            rotation=heading @ Rotation.from_rotvec(np.outer(each.angle.value - np.pi / 2, [0, 0, 1])).as_matrix(),
            omega=about_z(each.angle.rate),
            alpha=about_z(each.angle.second),
            proximal=spread(each.proximal.value, beside[each.name]),
        )
        for each in walk.pieces.values()
    ]
    wrenches = {}
    for side, (force, moment) in walker.ground(time).items():
        across = beside[f"{side} foot"]
        own = np.column_stack((-across * force[:, 1], across * force[:, 0], moment)) @ heading.T
        wrenches[f"{side} foot"] = np.hstack((spread(force, 0.0), own))
    return segments, wrenches, heading


def test_the_planar_walker_in_space_has_its_planar_moments_in_every_set_of_axes():
    segments, wrenches, heading = in_space(TIME)
    by_name = {each.name: each for each in segments}
    found = spatial_loads(segments, wrenches, walker.GRAVITY)
    assert np.abs(found.residual[:, :3]).max() < 1e-9
    about_z = found.residual[:, 3:] @ heading[:, 2]
    assert np.abs(about_z).max() < 1e-9
    below = {"ankle": ("foot", "shank"), "knee": ("shank", "thigh"), "hip": ("thigh", "trunk")}
    for label, load in walker.joint_loads(TIME).items():
        side, joint = label.split()
        distal = by_name[f"{side} {below[joint][0]}"]
        upper = by_name[distal.parent]
        assert np.abs(found.force[distal.name] @ heading[:, :2] - load.force).max() < 1e-9
        for axes in ("jcs", "distal", "proximal"):
            own = moment_in(axes, found.moment[distal.name], upper.rotation, distal.rotation, side)
            at = own[:, 0] if axes == "jcs" else own[:, 2]
            assert np.abs(at - load.moment).max() < 1e-9
            assert np.abs(np.delete(own, 0 if axes == "jcs" else 2, axis=1)).max() < 1e-9
        assert np.abs(spatial_power(found, distal, upper) - load.power).max() < 1e-9
        whole = moment_in("global", found.moment[distal.name], upper.rotation, distal.rotation, side)
        assert np.allclose(whole, found.moment[distal.name])


def test_a_push_from_the_side_is_an_abduction_moment_on_either_side():
    """One segment held at its upper end: 100 N outward at its lower end ask for 40 N m of adduction, right and left."""
    still, upper = np.zeros((1, 3)), np.array([[0.0, 0.4, 0.0]])
    shank = SpatialMotion(
        "shank",
        None,
        1e-9,
        1e-9 * np.eye(3),
        still,
        still,
        still,
        np.eye(3)[None],
        still,
        still,
        upper,
    )
    for side, sign in (("right", 1.0), ("left", -1.0)):
        push = np.array([[0.0, 0.0, sign * 100.0, 0.0, 0.0, 0.0]])
        found = spatial_loads([shank], {"shank": push}, 9.81)
        jcs = moment_in("jcs", found.moment["shank"], np.eye(3)[None], np.eye(3)[None], side)
        assert np.allclose(jcs, [[0.0, 40.0, 0.0]], atol=1e-6)


def test_projections_on_joint_axes_do_not_add_up_to_the_vector_and_have_their_angles():
    turned, _, _ = swinging()
    still = np.tile(np.eye(3), (len(TIME), 1, 1))
    axes = joint_axes(still, turned)
    assert np.allclose(np.einsum("nij,nij->ni", axes, axes), 1.0)
    assert np.allclose(np.einsum("nj,nj->n", axes[:, 0], axes[:, 1]), 0.0)
    assert np.allclose(np.einsum("nj,nj->n", axes[:, 2], axes[:, 1]), 0.0)
    angle = joint_angles(still, turned, "right")[:, 1]
    assert np.allclose(np.einsum("nj,nj->n", axes[:, 0], axes[:, 2]), np.sin(angle))
