"""The exact walker on a line as a laboratory records it in space: a cluster of markers on each segment, and as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tests.gait import gait_line_walker as line
from tests.support import gait_walker as walker
from tests.support.gait_books import Rows

Vector = NDArray[np.float64]
RATE, FORCE_RATE = 100.0, 1000.0
CLUSTER = np.array([[0.07, -0.10, 0.04], [0.03, -0.16, 0.08], [-0.05, -0.22, 0.06], [0.05, -0.05, -0.05]])
ON_FOOT = np.array([[-0.06, -0.07, 0.0], [0.12, -0.05, 0.04], [0.11, -0.05, -0.04], [0.05, 0.02, 0.02]])
ON_TRUNK = np.array([[0.05, 0.09, 0.12], [0.05, 0.09, -0.12], [-0.10, 0.09, 0.05], [-0.10, 0.20, -0.05]])
"""m in the axes of a segment from its upper end, of the trunk from the hips"""
BESIDE = 0.05
"""m to the right of the upper end of a segment: a point in the plane of its first and third axis"""
STANDING = 20
FOOT_LINE = float(np.arctan2(*(walker.ANKLE - walker.MT5)[::-1]))
PARTS = {"thigh": ("hip", "knee"), "shank": ("knee", "ankle"), "foot": ("ankle", "mt5")}
JOINTS = {"hip": "thigh", "knee": "shank", "ankle": "foot"}


@dataclass(frozen=True)
class Pose:
    """Of a segment. origin: (n, 3) its upper end, of the trunk the middle of the hips. axes: (n, 3, 3), columns x, y, z."""

    origin: Vector
    axes: Vector

    def place(self, local: Vector) -> Vector:
        """(n, 3) of a point (3,) in m in its axes."""
        return np.asarray(self.origin + self.axes @ local)


def poses(points: Mapping[str, Vector]) -> dict[str, Pose]:
    """Of all segments, from points (n, 3) of the walker: y along trunk, thigh and shank, x along the sole of the foot."""
    right = np.tile([0.0, 0.0, 1.0], (len(points["shoulder"]), 1))
    middle = 0.5 * (points["right hip"] + points["left hip"])
    found = {"trunk": Pose(middle, _axes(_unit(points["shoulder"] - middle), right))}
    for side in line.ACROSS:
        across = np.tile(line.axis(side), (len(middle), 1))
        for part, (upper, lower) in PARTS.items():
            up = _unit(points[f"{side} {upper}"] - points[f"{side} {lower}"])
            if part == "foot":
                up = np.cross(across, _unit(points[f"{side} toe"] - points[f"{side} heel"]))
            found[f"{side} {part}"] = Pose(points[f"{side} {upper}"], _axes(up, across))
    return found


def _axes(up: Vector, right: Vector) -> Vector:
    return np.stack((np.cross(up, right), up, right), axis=2)


def _unit(vectors: Vector) -> Vector:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def cluster(name: str) -> Vector:
    """(4, 3) places in m of the markers on a segment, in its axes."""
    return ON_TRUNK if name == "trunk" else ON_FOOT if name.endswith("foot") else CLUSTER


def moving_points(time: Vector) -> dict[str, Vector]:
    """Points (n, 3) in m of the walker."""
    return {name: each.value for name, each in line.walk(time).points.items()}


def seen(points: Mapping[str, Vector]) -> dict[str, Vector]:
    """All markers (n, 3) of clusters."""
    return {
        f"{name} {number}": pose.place(local)
        for name, pose in poses(points).items()
        for number, local in enumerate(cluster(name), start=1)
    }


def recorded(time: Vector, noise: float) -> dict[str, Vector]:
    """The same of the walker at these times, with noise in m on each coordinate."""
    random = np.random.default_rng(7)
    markers = seen(moving_points(time))
    return {name: each + noise * random.standard_normal(each.shape) for name, each in markers.items()}


def space_book(time: Vector, force_time: Vector, markers: Mapping[str, Vector], cutoff: float) -> dict[str, Rows]:
    """All sheets of a workbook of this recording, in m, x forward and y up."""
    standing = line.standing()
    still = {name: pose.origin for name, pose in poses(standing).items()}
    ends = {
        f"{name} {end}": place
        for name, pose in poses(standing).items()
        for end, place in (
            ("upper", standing["shoulder"] if name == "trunk" else still[name]),
            ("lower", still[name] if name == "trunk" else standing[f"{name.split()[0]} {PARTS[name.split()[1]][1]}"]),
            ("ahead", pose.place(np.array([0.1, 0.0, 0.0]))),
            ("below", pose.place(np.array([0.0, -0.1, 0.0]))),
            ("beside", pose.place(np.array([0.0, 0.0, BESIDE]))),
        )
    }
    resting = {name: np.tile(each, (STANDING, 1)) for name, each in (seen(standing) | ends).items()}
    ground = line.ground(force_time)
    header = ["time", *(f"{side}.{name}" for side in ground for name in ("fx", "fy", "fz", "mx", "my", "mz"))]
    units = ["s", *(["N"] * 3 + ["N*m"] * 3) * len(ground)]
    return {
        "Settings": [("setting", "value"), ("analysis", "gait"), ("dimension", "3D")],
        "Subject": [("setting", "value", "unit"), ("mass", walker.MASS, "kg"), ("height", walker.HEIGHT, "m")],
        "Processing": [("setting", "value"), ("cutoff", cutoff), ("force_cutoff", "none")],
        "Segments": [("name", "proximal", "distal", "parent", "markers"), *_segments()],
        "Gait joints": [
            ("name", "side", "proximal", "distal"),
            *(
                (joint, side, "trunk" if joint == "hip" else f"{side} {above}", f"{side} {below}")
                for side in line.ACROSS
                for joint, above, below in (
                    ("hip", "", "thigh"),
                    ("knee", "thigh", "shank"),
                    ("ankle", "shank", "foot"),
                )
            ),
        ],
        "Anatomical frames": [
            ("segment", "origin", "axis_1", "from", "to", "plane", "order"),
            *((name, f"{name} upper", "y", f"{name} below", _origin(name), f"{name} beside", "yxz") for name in still),
        ],
        "Markers": _track_rows(time, markers),
        "Markers static": _track_rows(np.arange(STANDING) / RATE, resting),
        "Force plates": [header, units, *np.column_stack((force_time, *ground.values())).tolist()],
    }


def _origin(name: str) -> str:
    return f"{name} {'lower' if name == 'trunk' else 'upper'}"


def _segments() -> Rows:
    rows: Rows = [("trunk", "trunk upper", "trunk lower", None, _cluster_names("trunk"))]
    for side in line.ACROSS:
        above = "trunk"
        for part in PARTS:
            name = f"{side} {part}"
            rows.append((name, f"{name} upper", f"{name} lower", above, _cluster_names(name)))
            above = name
    return rows


def _cluster_names(name: str) -> str:
    return "; ".join(f"{name} {number}" for number in range(1, len(cluster(name)) + 1))


def _track_rows(time: Vector, markers: Mapping[str, Vector]) -> Rows:
    header = ["time", *(f"{name}.{axis}" for name in markers for axis in "xyz")]
    return [header, ["s", *["m"] * (len(header) - 1)], *np.column_stack((time, *markers.values())).tolist()]


def exact_moments(time: Vector) -> dict[str, Vector]:
    """(n, 3) on the distal segment about z of the proximal one, the floating axis and y of the distal one, by label."""
    found, moments = {}, line.joint_moments(time)
    all_poses = poses(moving_points(time))
    for side in line.ACROSS:
        for joint, below in JOINTS.items():
            above = (
                all_poses["trunk"] if joint == "hip" else all_poses[f"{side} {'thigh' if joint == 'knee' else 'shank'}"]
            )
            first, third = above.axes[:, :, 2], all_poses[f"{side} {below}"].axes[:, :, 1]
            axes = np.stack((first, _unit(np.cross(third, first)), third), axis=1)
            found[f"{side} {joint}"] = np.einsum("nij,nj->ni", axes, moments[f"{side} {joint}"])
    return found
