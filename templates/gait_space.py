"""What the template of gait in space holds: the walker on a line, seen by clusters of markers, and as it stands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gait_sheets import Gait, Row, Setting, joint_rows, samples, stick_figure, wrenches, write
from gait_walks import DEFAULTS, NAMES, PLATE_HEADERS, PLATES, SUBJECT, WALKING, lab_axes
from sketch import Line
from style import Layout
from walks import ACROSS, ANKLE_WIDTH, KNEE_WIDTH, PELVIS, Numbers, line_ground, line_points, read_samples

NAME, TITLE = "gait-3d", "Gait in space"
STANDING = 50
"""frames of the standing trial"""
FOOT_WIDTH = 42.0
"""mm of the outer and the inner metatarsal from the middle of the foot"""
ON_THIGH = ((75.0, -120.0, 40.0), (40.0, -160.0, 75.0), (-45.0, -230.0, 65.0), (55.0, -300.0, 50.0))
ON_SHANK = ((55.0, -90.0, 30.0), (20.0, -130.0, 60.0), (-40.0, -200.0, 45.0), (35.0, -290.0, 40.0))
"""mm forward, up along the segment from its upper end, and outward"""
TAKEN_OFF = ("knee medial", "ankle medial", "acromion")
"""markers that only the standing trial has"""
README = """
The walk of an exact walker in space, from clusters of markers and force plates to angles and moments in three directions.

# What is in it
The walk of a walker of 70 kg on a line, at 100 Hz in mm, x forward and z up, and the same walker as it stands: it was reckoned,
not measured, so all its loads are known. Overwrite it with your own, or paste the exports of your system as they are: the walk
on Markers and Force plates, the standing trial on Markers static.

# How to run
{run}

mbs Gait report is the page to print; mbs Gait summary lists peaks, work, times and lengths, mbs Gait quality what they hang on.

# Model
Seven rigid segments with masses after Winter's table, each on its cluster of markers. Markers static has the markers of Joint
centres and Anatomical frames as well, of which the medial ones and those of the shoulders come off before the walk. Axes after
the ISB: x forward, y up, z to the right. The trunk moves with the pelvis here: with markers on it name those.
"""


def make(folder: Path, layout: Layout) -> Path:
    """Write the template into ``folder``, laid out so, and return its path."""
    path = folder / f"{NAME}.xlsx"
    book = layout(path, TITLE)
    write(book, _gait())
    book.finish(README, _sketch(), "m")
    return path


def _gait() -> Gait:
    settings: tuple[Setting, ...] = (
        ("title", TITLE, "", "printed on the report"),
        ("analysis", "gait", "", ""),
        ("dimension", "3D", "", "clusters, a standing trial and Anatomical frames"),
        ("gravity_y", -9.81, "m/s^2", "its magnitude counts; down whatever axis is up; blank = -9.81"),
    )
    axes: Setting = ("moment_axes", "jcs", "", DEFAULTS["moment_axes"])
    time, feet = line_ground()
    still = {name: np.tile(each, (STANDING, 1)) for name, each in markers("line-static").items()}
    moving = {name: each for name, each in markers("line-markers").items() if not name.endswith(TAKEN_OFF)}
    loads = [lab_axes(part) for each in feet.values() for part in (each[:, :3], each[:, 3:])]
    return Gait(
        settings,
        (*SUBJECT, ("id", "walker", "", "a pseudonym; printed on the report")),
        (*WALKING, axes),
        {
            "Markers": _tracks(read_samples("line-markers").column("time"), moving),
            "Markers static": _tracks(np.arange(STANDING) / 100.0, still),
            "Force plates": wrenches(time, list(feet), loads),
        },
        {
            "Plates": (PLATE_HEADERS, PLATES),
            "Marker names": ("model label", NAMES),
            "Joint centres": ("name kind markers side notes", _centres()),
            "Segments": ("name side proximal distal parent table markers notes", _segments()),
            "Gait joints": ("name side proximal distal neutral:deg positive notes", _joints()),
            "Anatomical frames": ("segment origin axis_1 from to plane order notes", _frames()),
        },
    )


def markers(name: str) -> dict[str, Numbers]:
    """Markers (n, 3) in mm, x forward, y up, z to the right, of a file of points."""
    points = line_points(name)
    middle = 0.5 * (points["right hip"] + points["left hip"])
    upright = points["shoulder"] - middle
    upright = upright / np.linalg.norm(upright, axis=1, keepdims=True)
    right = np.tile([0.0, 0.0, 1.0], (len(upright), 1))
    ahead = np.cross(upright, right)
    width, depth = PELVIS
    spines = middle + (0.24 * depth + 9.9) * ahead + (0.30 * width + 10.9) * upright
    found = {}
    for side, sign in ACROSS.items():
        found[f"{side} asis"] = spines + sign * width / 2.0 * right
        found[f"{side} psis"] = spines - depth * ahead + sign * 45.0 * right
        found[f"{side} acromion"] = points["shoulder"] + sign * 180.0 * right
    for side, sign in ACROSS.items():
        hip, knee, ankle, heel, mt5, toe = (
            points[f"{side} {each}"] for each in ("hip", "knee", "ankle", "heel", "mt5", "toe")
        )
        across = np.cross([1.0, 0.0, 0.0], hip - toe)
        outward = sign * across / np.linalg.norm(across, axis=1, keepdims=True)
        for segment, upper, lower, cluster in (("thigh", hip, knee, ON_THIGH), ("shank", knee, ankle, ON_SHANK)):
            up = (upper - lower) / np.linalg.norm(upper - lower, axis=1, keepdims=True)
            forward = sign * np.cross(up, outward)
            for number, (x, y, z) in enumerate(cluster, start=1):
                found[f"{side} {segment} {number}"] = upper + x * forward + y * up + z * outward
        for joint, centre, reach in (("knee", knee, KNEE_WIDTH), ("ankle", ankle, ANKLE_WIDTH)):
            found[f"{side} {joint}"] = centre + reach * outward
            found[f"{side} {joint} medial"] = centre - reach * outward
        found |= {f"{side} heel": heel, f"{side} toe": toe}
        found[f"{side} mt5"], found[f"{side} mt1"] = mt5 + FOOT_WIDTH * outward, mt5 - FOOT_WIDTH * outward
    return found


def _tracks(time: Numbers, found: dict[str, Numbers]) -> tuple[list, list[Row]]:
    headers = [f"{name}.{axis}" for name in found for axis in "xyz"]
    values = np.column_stack([time, *(lab_axes(each) for each in found.values())]).round(7)
    return samples(("time", "s", "0.00"), headers, ["mm"] * len(headers), values + 0.0, "0.00")


def _centres() -> list[Row]:
    spines = "right asis; left asis; right psis; left psis"
    words = "regression from the pelvis; or bell, sphere"
    rows: list[Row] = [(f"{side} hip centre", "harrington", spines, side, words) for side in ACROSS]
    rows += [
        ("hip middle", "mean", "right hip centre; left hip centre", None, "lower end of the trunk"),
        ("shoulder middle", "mean", "right acromion; left acromion", None, "its upper end"),
        ("back", "mean", "right psis; left psis", None, "for the axes of the pelvis"),
    ]
    for side in ACROSS:
        for joint in ("knee", "ankle"):
            pair = f"{side} {joint}; {side} {joint} medial"
            rows.append((f"{side} {joint} centre", "mean", pair, None, "the medial one comes off before the walk"))
        rows.append((f"{side} forefoot", "mean", f"{side} mt5; {side} mt1", None, "lower end of the foot"))
    return rows


def _segments() -> list[Row]:
    rows: list[Row] = []
    for side in ACROSS:
        hip, knee, ankle = (f"{side} {joint} centre" for joint in ("hip", "knee", "ankle"))
        sole = "; ".join(f"{side} {each}" for each in ("heel", "mt5", "mt1", "toe"))
        shank, thigh = ("; ".join(f"{side} {each} {k}" for k in range(1, 5)) for each in ("shank", "thigh"))
        foot = (f"{side} foot", side, ankle, f"{side} forefoot", f"{side} shank", "foot", sole)
        rows.append((*foot, "three markers or more that do not lie on a line"))
        rows.append((f"{side} shank", side, knee, ankle, f"{side} thigh", "shank", shank, ""))
        rows.append((f"{side} thigh", side, hip, knee, "trunk", "thigh", thigh, ""))
    words = "the root; it moves with the pelvis: name markers on the trunk where you have them"
    pelvis = "right asis; left asis; right psis; left psis"
    rows.append(("trunk", None, "shoulder middle", "hip middle", None, "hat", pelvis, words))
    return rows


def _joints() -> list[Row]:
    words = {"hip": "thigh - pelvis", "knee": "shank - thigh", "ankle": "foot - shank"}
    return [
        (name, side, above, below, None, positive, words[str(name)])
        for name, side, above, below, _, positive, _ in joint_rows()
    ]


def _frames() -> list[Row]:
    words = "z from left to right, y upright on the plane of the four spines"
    rows: list[Row] = [("trunk", "hip middle", "z", "left asis", "right asis", "back", "zyx", words)]
    for side in ACROSS:
        hip, knee, ankle = (f"{side} {joint} centre" for joint in ("hip", "knee", "ankle"))
        outer = f"{side} knee"
        rows.append((f"{side} thigh", hip, "y", knee, hip, outer, "yxz", "y along the bone, z towards the outer knee"))
        rows.append((f"{side} shank", knee, "y", ankle, knee, outer, "yxz", "the same"))
        foot = (f"{side} foot", ankle, "x", f"{side} heel", f"{side} toe", f"{side} mt5", "xyz")
        rows.append((*foot, "x from heel to toe, y upright on the sole"))
    return rows


def _sketch() -> list[Line]:
    found = {name: each[:, :2] for name, each in markers("line-markers").items()}
    names = ("asis", "thigh 2", "knee", "shank 2", "ankle", "heel", "mt5", "ankle")
    chains = {f"{side} leg": [f"{side} {name}" for name in names] for side in ("left", "right")}
    return stick_figure(found, chains, (30,), 1000.0)
