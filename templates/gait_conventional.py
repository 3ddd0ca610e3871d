"""What the template of the conventional gait model holds: the walker on a line, with the few markers of that model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gait_sheets import Gait, Row, Setting, samples, stick_figure, wrenches, write
from gait_walks import DEFAULTS, NAMES, PLATE_HEADERS, PLATES, SUBJECT, WALKING, lab_axes
from sketch import Line
from style import Layout
from walks import ACROSS, Numbers, line_ground, line_points, read_samples

from sheetmbs.gait.conventional.model_frames import davis_offset, trochanter_distance

NAME, TITLE = "gait-cgm", "Conventional gait model"
STANDING = 50
"""frames of the standing trial"""
LEG, RADIUS = 0.90, 0.007
"""m: length of both legs, and half the diameter of a marker"""
KNEE_WIDTH, ANKLE_WIDTH = 100.0, 70.0
"""mm"""
DEPTH, BEHIND = 155.0, 45.0
"""mm from the middle of the anterior spines to that of the posterior ones, and of these to either side"""
WAND = (140.0, 60.0)
"""mm of the tip of a wand up from the lateral marker along the segment, and outward"""
CHEST = {"c7": (-70.0, 0.0), "clavicle": (70.0, 0.0), "t10": (-90.0, -200.0), "sternum": (90.0, -200.0)}
"""mm forward and up of the shoulders, of the markers of the thorax"""
README = """
The walk of an exact walker in space, from the markers of the conventional gait model to angles and moments in three directions.

# What is in it
The walk of a walker of 70 kg on a line, at 100 Hz in mm, x forward and z up, and the same walker as it stands: it was reckoned,
not measured, so all its loads are known. Overwrite it with your own, or paste the exports of your system as they are: the walk
on Markers and Force plates, the standing trial on Markers static.

# How to run
{run}

mbs Gait report is the page to print; mbs Gait summary lists peaks, work, times and lengths, mbs Gait quality what they hang on.

# Model
With model cgm on Processing the program makes joint centres, segments and joints by itself: hips after Davis, knees and ankles
on chords from their lateral markers, masses after Winter's table. Anthropometry holds what is measured on the subject. Sheets
of the body stay empty; a row on Segments with a name such as right thigh may give that segment a mass of its own. Labels of
your system go on Marker names. Leave out c7, t10, clavicle and sternum where the thorax was not measured.
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
        ("dimension", "3D", "", "a standing trial and measures of the legs"),
        ("gravity_y", -9.81, "m/s^2", "its magnitude counts; down whatever axis is up; blank = -9.81"),
    )
    processing: tuple[Setting, ...] = (
        ("model", "cgm", "", DEFAULTS["model"]),
        ("moment_axes", "distal", "", DEFAULTS["moment_axes"]),
    )
    time, feet = line_ground()
    still = {name: np.tile(each, (STANDING, 1)) for name, each in markers("line-static").items()}
    loads = [lab_axes(part) for each in feet.values() for part in (each[:, :3], each[:, 3:])]
    return Gait(
        settings,
        (*SUBJECT, ("id", "walker", "", "a pseudonym; printed on the report")),
        (*WALKING, *processing),
        {
            "Markers": _tracks(read_samples("line-markers").column("time"), markers("line-markers")),
            "Markers static": _tracks(np.arange(STANDING) / 100.0, still),
            "Force plates": wrenches(time, list(feet), loads),
        },
        {
            "Anthropometry": ("setting right left value unit notes", _measures()),
            "Plates": (PLATE_HEADERS, PLATES),
            "Marker names": ("model label", NAMES),
        },
    )


def _measures() -> list[Row]:
    return [
        ("leg length", 1e3 * LEG, 1e3 * LEG, None, "mm", "from the anterior spine to the medial malleolus"),
        ("knee width", KNEE_WIDTH, KNEE_WIDTH, None, "mm", "across the epicondyles"),
        ("ankle width", ANKLE_WIDTH, ANKLE_WIDTH, None, "mm", "across the malleoli"),
        ("inter-asis", None, None, None, "mm", "blank = mean of the standing trial"),
        ("asis to trochanter", None, None, None, "mm", "blank = 0.1288 leg length - 48.56 mm"),
        ("marker diameter", None, None, 2e3 * RADIUS, "mm", "of the balls of the markers"),
        (
            "thigh rotation",
            None,
            None,
            None,
            "deg",
            "+ where the thigh wand stands in front of the frontal plane; blank = 0",
        ),
        ("shank rotation", None, None, None, "deg", "+ where the shank wand stands in front; blank = 0"),
        ("tibial torsion", None, None, None, "deg", "+ where the axis of the ankle is turned outward; blank = 0"),
        ("sole delta", None, None, None, "mm", "by which the heel stands higher than the toe; blank = 0"),
    ]


def markers(name: str) -> dict[str, Numbers]:
    """Markers (n, 3) in mm, x forward, y up, z to the right, of a file of points: the hips of the model are the walker's."""
    points = line_points(name)
    middle = 0.5 * (points["right hip"] + points["left hip"])
    upright = points["shoulder"] - middle
    upright = upright / np.linalg.norm(upright, axis=1, keepdims=True)
    right = points["right hip"] - points["left hip"]
    apart = np.linalg.norm(right, axis=1, keepdims=True)
    right = right / apart
    ahead = np.cross(upright, right)
    x, y, inward = 1e3 * davis_offset(LEG, 0.0, trochanter_distance(LEG), RADIUS, 1.0)
    spines, half = middle - x * ahead - y * upright, 0.5 * apart - inward
    found = {}
    for side, sign in ACROSS.items():
        found[f"{side} asis"] = spines + sign * half * right
        found[f"{side} psis"] = spines - DEPTH * ahead + sign * BEHIND * right
    for side, sign in ACROSS.items():
        found |= _leg(
            {each: points[f"{side} {each}"] for each in ("hip", "knee", "ankle", "heel", "mt5", "toe")}, side, sign
        )
    for label, (forward, up) in CHEST.items():
        found[label] = points["shoulder"] + forward * ahead + up * upright
    return found


def _leg(points: dict[str, Numbers], side: str, sign: float) -> dict[str, Numbers]:
    """Lateral markers on the axes of knee and ankle, which are square to the plane of the leg, and wands in their planes."""
    across = np.cross([1.0, 0.0, 0.0], points["hip"] - points["toe"])
    outward = sign * across / np.linalg.norm(across, axis=1, keepdims=True)
    found = {}
    for joint, above, width, wand in (
        ("knee", "hip", KNEE_WIDTH, "thigh wand"),
        ("ankle", "knee", ANKLE_WIDTH, "shank wand"),
    ):
        up = points[above] - points[joint]
        up = up / np.linalg.norm(up, axis=1, keepdims=True)
        lateral = points[joint] + (0.5 * width + 1e3 * RADIUS) * outward
        found[f"{side} {joint}"] = lateral
        found[f"{side} {wand}"] = lateral + WAND[0] * up + WAND[1] * outward
    return found | {f"{side} heel": points["heel"], f"{side} toe": points["mt5"]}


def _tracks(time: Numbers, found: dict[str, Numbers]) -> tuple[list, list[Row]]:
    headers = [f"{name}.{axis}" for name in found for axis in "xyz"]
    values = np.column_stack([time, *(lab_axes(each) for each in found.values())]).round(7)
    return samples(("time", "s", "0.00"), headers, ["mm"] * len(headers), values + 0.0, "0.00")


def _sketch() -> list[Line]:
    found = {name: each[:, :2] for name, each in markers("line-markers").items()}
    names = ("asis", "thigh wand", "knee", "shank wand", "ankle", "heel", "toe", "ankle")
    chains = {f"{side} leg": [f"{side} {name}" for name in names] for side in ("left", "right")}
    return stick_figure(found, chains, (30,), 1000.0)
