"""Joint centres that the motion of a trial tells: balls and hinges between two clusters, and spheres about a segment.

Nothing is filtered before: where clusters are is a mean over many frames anyway.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.joint_centres import centre_of_spheres
from sheetmbs.gait.kinematics.clustered_segments import ClusterPoses, cluster_poses
from sheetmbs.gait.kinematics.functional_joints import fit_axis, fit_centre, mean_shape
from sheetmbs.gait.trial.gait_book import CentreRow, FunctionalFit, GaitBook, Trial
from sheetmbs.schema.gait_inputs import CentreKind
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, place_of

LEAST_MOTION = np.radians(20.0)
"""least range of motion of one cluster against the other that determines a centre well"""
MOST_RESIDUAL = 0.015
"""m: clusters on one segment each, with skin under them, leave about half of it"""
LEAST_FRAMES = 10
"""that see both clusters"""
COLLINEAR = 1e-3
"""least second extent of a cluster over its widest one: markers with less lie on a line"""


def with_functional_centres(book: GaitBook, report: ProblemList) -> GaitBook:
    """A workbook whose functional centres are known in their clusters. What cannot be found is reported."""
    rows = tuple(_fitted(row, book, report) for row in book.centres)
    return replace(book, centres=rows)


def _fitted(row: CentreRow, book: GaitBook, report: ProblemList) -> CentreRow:
    is_sphere = row.kind == CentreKind.SPHERE and row.from_trial
    if row.kind not in (CentreKind.SCORE, CentreKind.SARA) and not is_sphere:
        return row
    trial = _trial(row, book)
    if trial is None:
        return row  # which the reader has told
    clusters = _of_sphere(row, book) if is_sphere else row.clusters
    markers = dict(zip(trial.markers.labels, trial.markers.positions, strict=True))
    place = place_of(row.cells["markers"])
    missing = [name for name in (*clusters[0], *clusters[1]) if name not in markers]
    if missing or len(clusters[0]) < 3:
        found = f"{row.name}: no {', '.join(missing) or 'cluster of the segment above'}"
        problem = f"{trial.sheets[0]} does not have it, whose motion tells the centre"
        report.error("unknown-marker", place, found, problem, "name markers that it has, or another from_trial")
        return row
    seen = [np.stack([markers[name] for name in names]) for names in clusters]
    shapes = [_shape(each, row, trial, report) for each in (seen[:1] if is_sphere else seen)]
    known = [shape for shape in shapes if shape is not None]
    if len(known) < len(shapes):
        return row
    poses = [cluster_poses(shape, each) for shape, each in zip(known, seen, strict=False)]
    together = np.all([np.isfinite(each.origin).all(axis=1) for each in poses], axis=0)
    if together.sum() < LEAST_FRAMES:
        found = f"{row.name}: {together.sum()} frames of {trial.sheets[0]} see both clusters"
        report.error("few-frames", place, found, f"a centre takes {LEAST_FRAMES} or more", "name markers that are seen")
        return row
    fit = _sphere(poses[0], seen[1]) if is_sphere else _joint(row, poses)
    if fit is None:
        found = f"{row.name}: its markers hardly move, or in a plane, in {trial.sheets[0]}"
        report.error("no-centre", place, found, "a sphere needs motion in three directions", "name another trial")
        return row
    _judge(row, fit, trial, report)
    return replace(row, markers=clusters[0] if is_sphere else row.markers, shapes=tuple(known), fit=fit)


def _trial(row: CentreRow, book: GaitBook) -> Trial | None:
    """The trial whose motion tells a centre."""
    if not row.from_trial or fold(row.from_trial) == "static":
        return book.static
    return next((each for each in book.functional if fold(each.name) == fold(row.from_trial)), None)


def _of_sphere(row: CentreRow, book: GaitBook) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The cluster of the segment above, and the markers that move about it."""
    below = next((each for each in book.segments if each.proximal == row.name), None)
    above = next((each for each in book.segments if below is not None and each.name == below.parent), None)
    return (() if above is None else above.markers), row.markers


def _shape(markers: Vector, row: CentreRow, trial: Trial, report: ProblemList) -> Vector | None:
    """(m, 3) of a cluster; None where it has none, which is reported."""
    place = place_of(row.cells["markers"])
    try:
        shape = mean_shape(markers)
    except ValueError as error:
        found = f"{row.name}: {error} of a cluster together in {trial.sheets[0]}"
        report.error(
            "few-frames", place, found, "the shape of a cluster is that of whole frames", "leave one of them out"
        )
        return None
    sizes = np.linalg.svd(shape, compute_uv=False)
    if not np.isfinite(sizes).all() or sizes[1] < COLLINEAR * sizes[0]:
        found = f"{row.name}: the markers of a cluster lie on one line"
        report.error("cluster-on-line", place, found, "how it turns nobody knows", "name one that lies beside it")
        return None
    return shape


def _joint(row: CentreRow, poses: list[ClusterPoses]) -> FunctionalFit:
    fit = fit_axis if row.kind == CentreKind.SARA else fit_centre
    return fit(poses[0], poses[1])


def _sphere(above: ClusterPoses, markers: Vector) -> FunctionalFit | None:
    """The centre of spheres in axes of the cluster above. Its residual is that of the radii."""
    seen = np.einsum("nij,mni->mnj", above.rotation, markers - above.origin)
    centre = centre_of_spheres(seen)
    if centre is None:
        return None
    away = seen - centre
    radii = np.linalg.norm(away, axis=2)
    missed = radii - np.nanmean(radii, axis=1, keepdims=True)
    count = int(np.isfinite(radii).all(axis=0).sum())
    return FunctionalFit(
        np.stack((centre, centre)), None, float(np.sqrt(np.nanmean(missed**2))), np.nan, _angle_of(away), count
    )


def _angle_of(arms: Vector) -> float:
    """The largest angle in rad between a marker's arm (m, n, 3) and its mean, twice: the range of its motion."""
    units = arms / np.linalg.norm(arms, axis=2, keepdims=True)
    middle = np.nanmean(units, axis=1, keepdims=True)
    middle = middle / np.linalg.norm(middle, axis=2, keepdims=True)
    return float(2.0 * np.arccos(np.clip(np.nanmin(np.sum(units * middle, axis=2)), -1.0, 1.0)))


def _judge(row: CentreRow, fit: FunctionalFit, trial: Trial, report: ProblemList) -> None:
    if fit.motion < LEAST_MOTION:
        found = f"{row.name} follows from {np.degrees(fit.motion):.0f} deg of motion in {trial.sheets[0]}"
        problem = f"below {np.degrees(LEAST_MOTION):.0f} deg noise moves such a centre by centimetres"
        mend = "name in from_trial a trial in which the joint moves widely, on a sheet Markers of its own"
        cell = row.cells["from_trial" if row.from_trial else "kind"]
        report.warning("little-motion", place_of(cell), found, problem, mend)
    if fit.residual > MOST_RESIDUAL:
        found = f"{row.name} was found with a residual of {1e3 * fit.residual:.0f} mm rms in {trial.sheets[0]}"
        problem = (
            f"sound ones leave {1e3 * MOST_RESIDUAL:.0f} mm at most: its markers do not all move with their segment"
        )
        mend = "name above | below markers that sit on one segment each"
        report.warning("loose-clusters", place_of(row.cells["markers"]), found, problem, mend)
