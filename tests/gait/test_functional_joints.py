"""Functional centres and axes: exact for clean balls and hinges, near for noisy ones, and what they say of themselves."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from sheetmbs.gait.kinematics import functional_joints
from sheetmbs.gait.kinematics.clustered_segments import ClusterPoses, cluster_poses

FRAMES = 300
CENTRE = np.array([0.03, -0.11, 0.08])
ABOVE = np.array([[0.12, 0.02, 0.0], [-0.1, 0.04, 0.09], [-0.08, 0.0, -0.1], [0.1, -0.03, -0.09]])
BELOW = np.array([[0.06, -0.12, 0.07], [-0.05, -0.2, 0.06], [0.05, -0.28, 0.03], [-0.02, -0.15, -0.06]])


def _moved(kind: str, seed: int, span: float = 60.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Markers (4, n, 3) above and below, and the centre (n, 3): the cluster below turns about it by a span in degrees."""
    rng = np.random.default_rng(seed)
    base = Rotation.from_euler("zxy", rng.normal(size=(FRAMES, 3)) * 0.1)
    origin = rng.normal(size=(FRAMES, 3)) * 0.2
    phase = np.linspace(0.0, 6.0 * np.pi, FRAMES)
    half = np.radians(0.5 * span)
    if kind == "ball":
        turn = Rotation.from_rotvec(half * np.stack((np.sin(phase), np.sin(2.3 * phase), np.cos(phase)), 1) * 0.9)
    else:
        turn = Rotation.from_rotvec(half * np.sin(phase)[:, None] * _axis())
    above = np.stack([base.apply(each) + origin for each in ABOVE])
    whole = base * turn
    below = np.stack([whole.apply(each) + base.apply(CENTRE) + origin for each in BELOW])
    return above, below, base.apply(CENTRE) + origin


def _axis() -> np.ndarray:
    axis = np.array([0.1, 0.2, 1.0])
    return axis / np.linalg.norm(axis)


def _poses(markers: np.ndarray) -> ClusterPoses:
    return cluster_poses(functional_joints.mean_shape(markers), markers)


@pytest.mark.parametrize("seed", range(3))
def test_the_centre_of_a_clean_ball_is_exact(seed: int) -> None:
    above, below, centre = _moved("ball", seed)
    poses = _poses(above), _poses(below)
    fit = functional_joints.fit_centre(*poses)
    assert np.abs(functional_joints.both_ways(*poses, fit) - centre).max() < 1e-9
    assert fit.residual < 1e-12
    assert fit.condition < 50.0
    assert fit.frames == FRAMES


@pytest.mark.parametrize("seed", range(3))
def test_the_axis_of_a_clean_hinge_is_exact(seed: int) -> None:
    above, below, centre = _moved("hinge", seed)
    poses = _poses(above), _poses(below)
    fit = functional_joints.fit_axis(*poses)
    assert fit.axes is not None
    base = cluster_poses(ABOVE, above).rotation
    along = poses[0].rotation @ fit.axes[0]
    true = base @ _axis()
    assert np.linalg.norm(np.cross(along, true), axis=1).max() < 1e-6
    assert np.linalg.norm(np.cross(poses[1].rotation @ fit.axes[1], true), axis=1).max() < 1e-6
    near = centre + 0.07 * true + 0.05 * np.cross(true, [0.0, 1.0, 0.0])
    found = functional_joints.nearest_on_axis(*poses, fit, near)
    wanted = centre + np.sum((near - centre) * true, axis=1, keepdims=True) * true
    assert np.abs(found - wanted).max() < 1e-9
    assert np.degrees(fit.motion) == pytest.approx(60.0, abs=0.1)


@pytest.mark.parametrize("seed", range(4))
def test_a_millimetre_of_noise_moves_the_centre_by_less_than_one_and_the_axis_by_half_a_degree(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    above, below, centre = _moved("ball", seed)
    noisy = tuple(each + 1e-3 * rng.normal(size=each.shape) for each in (above, below))
    poses = tuple(map(_poses, noisy))
    fit = functional_joints.fit_centre(*poses)
    true = np.mean(np.einsum("nji,nj->ni", poses[0].rotation, centre - poses[0].origin), axis=0)
    assert np.linalg.norm(fit.centres[0] - true) < 1e-3
    above, below, centre = _moved("hinge", seed)
    poses = tuple(_poses(each + 1e-3 * rng.normal(size=each.shape)) for each in (above, below))
    fit = functional_joints.fit_axis(*poses)
    assert fit.axes is not None
    true = np.mean(np.einsum("nji,nj->ni", poses[0].rotation, cluster_poses(ABOVE, above).rotation @ _axis()), axis=0)
    assert np.degrees(np.linalg.norm(np.cross(fit.axes[0], true / np.linalg.norm(true)))) < 0.5
    assert 0.2e-3 < fit.residual < 3e-3


def test_less_motion_has_a_worse_condition_and_a_smaller_range() -> None:
    wide, narrow = (functional_joints.fit_centre(*map(_poses, _moved("ball", 1, span)[:2])) for span in (60.0, 10.0))
    assert narrow.condition > 3.0 * wide.condition
    assert np.degrees(narrow.motion) < 20.0 < np.degrees(wide.motion)


def test_frames_that_do_not_see_a_cluster_do_not_count() -> None:
    above, below, centre = _moved("ball", 2)
    below[:2, 50:90] = np.nan
    poses = _poses(above), _poses(below)
    fit = functional_joints.fit_centre(*poses)
    assert fit.frames == FRAMES - 40
    there = np.isfinite(poses[1].origin).all(axis=1)
    assert np.abs(functional_joints.both_ways(*poses, fit) - centre)[there].max() < 1e-9


def test_a_cluster_that_no_frame_sees_whole_is_refused() -> None:
    above, _below, _centre = _moved("ball", 2)
    above[0] = np.nan
    with pytest.raises(ValueError, match="no frame sees all markers"):
        functional_joints.mean_shape(above)
