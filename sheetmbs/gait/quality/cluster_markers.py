"""Markers of a cluster that do not lie where the others of it put them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.body.body_segments import Points
from sheetmbs.gait.kinematics.cluster_poses import FEWEST, cluster_poses, left_out
from sheetmbs.gait.quality.recorded_body import RecordedBody
from sheetmbs.gait.trial.gait_book import SegmentRow
from sheetmbs.workbook.reading.problem_list import ProblemList

Vector = NDArray[np.float64]

FAR = 0.040
"""m, beyond what skin moves: the largest that OpenSim's checklist allows between marker and model"""


def check_clusters(body: RecordedBody, standing: Points, report: ProblemList) -> None:
    """A warning for each marker that is far from where the others have it. standing: points of the standing trial."""
    for row in body.book.segments:
        for name, apart in disagreeing(row, body.points, standing).items():
            far = np.nan_to_num(apart) > FAR
            sample = int(np.searchsorted(body.prepared.time.index, np.flatnonzero(far)[0]))
            largest = 1e3 * float(np.nanmax(apart))
            found = f"{name} is up to {largest:.0f} mm from where the other markers of {row.name} put it"
            found = f"{found}, in {body.frames(far)}"
            problem = f"a cluster keeps its shape of the standing trial within {1e3 * FAR:g} mm"
            mend = (
                "look at its label and tracking there and in the standing trial, or leave it out of the column markers"
            )
            place = body.prepared.trial.markers.place(body.marker_of(name), sample)
            report.warning("marker-off-cluster", place, found, problem, mend)


def disagreeing(row: SegmentRow, points: Points, standing: Points) -> Mapping[str, Vector]:
    """Marker -> (n,) m from where the others put it, NaN in frames in which it is not the one that disagrees.

    Needs four markers: of three nobody can say which one is wrong.
    """
    names = row.markers
    if len(names) <= FEWEST:
        return {}
    local = np.stack([np.nanmean(standing[name], axis=0) for name in names])
    local = local - np.mean(local, axis=0)
    markers = np.stack([points[name] for name in names])
    apart = left_out(local, markers)
    if not (np.nan_to_num(apart) > FAR).any():
        return {}
    odd = np.argmin(np.nan_to_num(_without(local, markers), nan=np.inf), axis=0)
    found = {name: np.where(odd == index, apart[index], np.nan) for index, name in enumerate(names)}
    return {name: each for name, each in found.items() if (np.nan_to_num(each) > FAR).any()}


def _without(local: Vector, markers: Vector) -> Vector:
    """(m, n) rms in m by which the others miss their places once a marker is left out: least without the odd one."""
    kept = [np.arange(len(local)) != index for index in range(len(local))]
    return np.stack([cluster_poses(local[others], markers[others]).residual for others in kept])
