"""What the templates of gait hold: the exact planar walker as a laboratory would have recorded it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from gait_sheets import (
    CENTRE_HEADERS,
    JOINT_HEADERS,
    SEGMENT_HEADERS,
    Gait,
    Row,
    Setting,
    centre_rows,
    joint_rows,
    samples,
    segment_rows,
    stick_figure,
    write,
)
from sketch import Line
from style import Column, Layout
from walks import ACROSS, HIP_WIDTH, read_samples, walker_ground, walker_markers, walker_times

from sheetmbs.schema.gait_inputs import PROCESSING_SETTINGS

SUBJECT: tuple[Setting, ...] = (
    ("mass", 70, "kg", "with all that is carried; the plates check it"),
    ("height", 1.75, "m", "checks the units of the markers"),
    ("id", "walker", "", "a pseudonym; printed on the report"),
)
DEFAULTS = {rule.name: f"{rule.doc}; blank = {rule.default}" for rule in PROCESSING_SETTINGS}
WALKING: tuple[Setting, ...] = (("cutoff", 6, "Hz", f"{DEFAULTS['cutoff']}; auto: by residual analysis"),)
PLATES = (
    (
        "# FP1",
        "auto",
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        "corners in the order of C3D; needed with moments about a plate",
    ),
)
PLATE_HEADERS = "name foot " + " ".join(f"{axis}{corner}:mm" for corner in (1, 2, 3, 4) for axis in "xyz") + " notes"
NAMES: tuple[Row, ...] = (("# right knee", "RKNE"), ("# right heel", "RHEE"))
LEG = ("hip", "knee", "ankle", "heel", "mt5", "toe")

README = """
{about}

# What is in it
{held} Overwrite it with your own, or paste the export of your system as it is.

# How to run
{{run}}

mbs Gait report is the page to print; mbs Gait summary lists peaks, work, times and lengths, mbs Gait quality what they hang on.

# Model
{model}
"""
WALKER = """The walk of an exact planar walker of 70 kg, {what}: it was reckoned, not measured, so all its loads are known."""
BODY = """Seven rigid segments with masses after Winter's table: feet, shanks, thighs, trunk. Hips come from the pelvis by
Harrington's regression, knees and ankles are the middle of a lateral and a medial marker; z counts for that alone. Where you
have one marker a joint, write it alone on Joint centres."""
ONE_LEG = """Foot, shank and thigh of the right leg and the trunk, markers taken for joint centres, as in Winter's book. What
the trunk does to the hip is all that is known of the other half of the body."""
ABOUT = {
    "gait-2d": "Both legs and the trunk in the sagittal plane: from markers and force plates to angles, moments, powers.",
    "gait-2d-leg": "One leg and the trunk in the sagittal plane, as in Winter's book, in cm.",
}


def make(folder: Path, layout: Layout, name: str) -> Path:
    """Write the template of this name into ``folder``, laid out so, and return its path."""
    path = folder / f"{name}.xlsx"
    title = "Gait of one leg" if name == "gait-2d-leg" else "Gait in the plane"
    book = layout(path, title)
    gait, held, model = (_leg(title), "at 100 Hz in cm, x forward and y up", ONE_LEG)
    if name != "gait-2d-leg":
        gait, held, model = _both(title), "at 100 Hz in mm, x forward and z up", BODY
    words = WALKER.format(what=held)
    write(book, gait)
    book.finish(README.format(about=ABOUT[name], held=words, model=model), _sketch(), "m")
    return path


def _settings(title: str) -> tuple[Setting, ...]:
    return (
        ("title", title, "", "printed on the report"),
        ("analysis", "gait", "", ""),
        ("dimension", "2D", "", "the sagittal plane; 3D needs clusters, a standing trial and Anatomical frames"),
        ("gravity_y", -9.81, "m/s^2", "its magnitude counts; down whatever axis is up; blank = -9.81"),
    )


def _both(title: str) -> Gait:
    """Both legs in mm, x forward, y to the left, z up; each foot's force with its moment about the origin."""
    markers = walker_markers()
    values = np.column_stack([walker_times(), *(_lab(each) for each in markers.values())])
    headers = [f"{name}.{axis}" for name in markers for axis in "xyz"]
    time, feet = walker_ground()
    loads = []
    for side, (force, moment) in feet.items():
        across = ACROSS[side] * HIP_WIDTH / 1000.0
        spatial = np.column_stack((force, np.zeros(len(time))))
        turning = np.column_stack((-across * force[:, 1], across * force[:, 0], moment))
        loads += [_lab(spatial), _lab(turning)]
    quantities = ("fx", "fy", "fz", "mx", "my", "mz")
    return Gait(
        _settings(title),
        SUBJECT,
        WALKING,
        {
            "Markers": samples(("time", "s", "0.00"), headers, ["mm"] * len(headers), values, "0.00"),
            "Force plates": samples(
                ("time", "s", "0.000"),
                [f"{side}.{quantity}" for side in feet for quantity in quantities],
                [*("N",) * 3, *("N*m",) * 3] * len(feet),
                np.column_stack([time, *loads]).round(4),
                "0.00",
            ),
        },
        {
            "Plates": (PLATE_HEADERS, PLATES),
            "Marker names": ("model label", NAMES),
            "Joint centres": (CENTRE_HEADERS, centre_rows()),
            "Segments": (SEGMENT_HEADERS, segment_rows()),
            "Gait joints": (JOINT_HEADERS, joint_rows()),
        },
    )


def _lab(ours: np.ndarray) -> np.ndarray:
    """Vectors in x forward, y up, z right as x forward, y left, z up."""
    return np.asarray(np.column_stack((ours[:, 0], -ours[:, 2], ours[:, 1])) + 0.0)


def _leg(title: str) -> Gait:
    """The right leg and the trunk in cm, x forward and y up; force and centre of pressure of the foot."""
    markers = walker_markers() | {"right hip": _hip()}
    points = {"rib": markers["shoulder"], **{name: markers[f"right {name}"] for name in LEG}}
    values = np.column_stack([walker_times(), *(each[:, :2] / 10.0 for each in points.values())]).round(9)
    headers = [f"{name}.{axis}" for name in points for axis in "xy"]
    time, feet = walker_ground()
    force, moment = feet["right"]
    with np.errstate(divide="ignore", invalid="ignore"):
        pressure = np.where(force[:, 1] > 1.0, 100.0 * moment / force[:, 1], np.nan).round(3)
    rows = np.column_stack((time, force)).tolist()
    columns = [Column("time", "s", "0.000", 10), Column("right.fx", "N", "0.0", 12), Column("right.fy", "N", "0.0", 12)]
    columns.append(Column("right.px", "cm", "0.00", 12))
    places = [at if is_there else None for at, is_there in zip(pressure, np.isfinite(pressure), strict=True)]
    return Gait(
        _settings(title),
        (*SUBJECT, ("side", "right", "", "one leg")),
        WALKING,
        {
            "Markers": samples(("time", "s", "0.00"), headers, ["cm"] * len(headers), values, "0.00"),
            "Force plates": (columns, [(*row, at) for row, at in zip(rows, places, strict=True)]),
        },
        {
            "Plates": (PLATE_HEADERS, PLATES),
            "Marker names": ("model label", NAMES),
            "Segments": (
                SEGMENT_HEADERS,
                (
                    (
                        "right foot",
                        "right",
                        "ankle",
                        "mt5",
                        "right shank",
                        "mt5",
                        "heel",
                        "foot",
                        "its angle: mt5 to heel",
                    ),
                    ("right shank", "right", "knee", "ankle", "right thigh", None, None, "shank", ""),
                    ("right thigh", "right", "hip", "knee", "trunk", None, None, "thigh", ""),
                    ("trunk", None, "rib", "hip", None, None, None, "hat", "the root"),
                ),
            ),
            "Gait joints": (JOINT_HEADERS, joint_rows(("right",))),
        },
    )


def _hip() -> np.ndarray:
    """The walker's hip, which its both legs share."""
    planar = read_samples("walker-markers").point("hip")
    return np.column_stack((planar, np.full(len(planar), HIP_WIDTH)))


def _sketch() -> list[Line]:
    markers = {name: each[:, :2] for name, each in walker_markers().items()}
    names = ("asis", "knee", "ankle", "heel", "mt5", "ankle")
    chains = {f"{side} leg": [f"{side} {name}" for name in names] for side in ("left", "right")}
    chains["trunk"] = ["shoulder", "right asis"]
    return stick_figure(markers, chains, (30,), 1000.0)
