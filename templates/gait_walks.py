"""What the planar templates of gait hold: the exact walker and the runner as a laboratory would have recorded them."""

from __future__ import annotations

from collections.abc import Sequence
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
    wrenches,
    write,
)
from sketch import Line
from style import Column, Layout
from walks import ACROSS, HIP_WIDTH, RUNNER, WALKER, exact_ground, exact_markers, exact_times, read_samples

from sheetmbs.schema.gait_inputs import PROCESSING_SETTINGS

SUBJECT: tuple[Setting, ...] = (
    ("mass", 70, "kg", "with all that is carried; the plates check it"),
    ("height", 1.75, "m", "checks the units of the markers"),
)
DEFAULTS = {rule.name: f"{rule.doc}; blank = {rule.default}" for rule in PROCESSING_SETTINGS}
WALKING: tuple[Setting, ...] = (("cutoff", 6, "Hz", f"{DEFAULTS['cutoff']}; auto: by residual analysis"),)
RUNNING: tuple[Setting, ...] = (
    ("cutoff", 20, "Hz", f"{DEFAULTS['cutoff']}; what is faster than walking needs more"),
    ("threshold", 50, "N", f"{DEFAULTS['threshold']}; in flight plates of running belts read some newtons"),
)
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
OF_WALKER = """The walk of an exact planar walker of 70 kg, {what}: it was reckoned, not measured, so all its loads are
known."""
OF_RUNNER = """A run of a planar runner of 70 kg at 3.3 m/s, {what}: it was reckoned, not measured, so all its loads are
known."""
BODY = """Seven rigid segments with masses after Winter's table: feet, shanks, thighs, trunk. Hips come from the pelvis by
Harrington's regression, knees and ankles are the middle of a lateral and a medial marker; z counts for that alone. Where you
have one marker a joint, write it alone on Joint centres."""
ONE_LEG = """Foot, shank and thigh of the right leg and the trunk, markers taken for joint centres, as in Winter's book. What
the trunk does to the hip is all that is known of the other half of the body."""
LAB = "in mm, x forward and z up"
TITLES = {
    "gait-2d": "Gait in the plane",
    "gait-2d-running": "Running in the plane",
    "gait-2d-leg": "Gait of one leg",
}
ABOUT = {
    "gait-2d": "Both legs and the trunk in the sagittal plane: from markers and force plates to angles, moments, powers.",
    "gait-2d-running": "A run in the sagittal plane: cut-off 20 Hz, threshold 50 N, no double support.",
    "gait-2d-leg": "One leg and the trunk in the sagittal plane, as in Winter's book, in cm.",
}


def make(folder: Path, layout: Layout, name: str) -> Path:
    """Write the template of this name into ``folder``, laid out so, and return its path."""
    path = folder / f"{name}.xlsx"
    title = TITLES[name]
    book = layout(path, title)
    if name == "gait-2d-leg":
        gait, held, model = _leg(title), OF_WALKER.format(what="at 100 Hz in cm, x forward and y up"), ONE_LEG
    elif name == "gait-2d-running":
        gait, held, model = _both(title, RUNNER, RUNNING), OF_RUNNER.format(what=f"at 200 Hz {LAB}"), BODY
    else:
        gait, held, model = _both(title, WALKER, WALKING), OF_WALKER.format(what=f"at 100 Hz {LAB}"), BODY
    write(book, gait)
    who, frame = (RUNNER, 120) if name == "gait-2d-running" else (WALKER, 30)
    book.finish(README.format(about=ABOUT[name], held=held, model=model), _sketch(who, frame), "m")
    return path


def _settings(title: str) -> tuple[Setting, ...]:
    return (
        ("title", title, "", "printed on the report"),
        ("analysis", "gait", "", ""),
        ("dimension", "2D", "", "the sagittal plane; 3D needs clusters, a standing trial and Anatomical frames"),
        ("gravity_y", -9.81, "m/s^2", "its magnitude counts; down whatever axis is up; blank = -9.81"),
    )


def _who(who: str) -> Setting:
    return ("id", who, "", "a pseudonym; printed on the report")


def _both(title: str, who: str, processing: Sequence[Setting]) -> Gait:
    """Both legs in mm, x forward, y to the left, z up; each foot's force with its moment about the origin."""
    markers = exact_markers(who)
    values = np.column_stack([exact_times(who), *(lab_axes(each) for each in markers.values())])
    headers = [f"{name}.{axis}" for name in markers for axis in "xyz"]
    time, feet = exact_ground(who)
    loads = []
    for side, (force, moment) in feet.items():
        across = ACROSS[side] * HIP_WIDTH / 1000.0
        spatial = np.column_stack((force, np.zeros(len(time))))
        turning = np.column_stack((-across * force[:, 1], across * force[:, 0], moment))
        loads += [lab_axes(spatial), lab_axes(turning)]
    return Gait(
        _settings(title),
        (*SUBJECT, _who(who)),
        processing,
        {
            "Markers": samples(
                ("time", "s", "0.00" if who == WALKER else "0.000"), headers, ["mm"] * len(headers), values, "0.00"
            ),
            "Force plates": wrenches(time, list(feet), loads),
        },
        {
            "Plates": (PLATE_HEADERS, PLATES),
            "Marker names": ("model label", NAMES),
            "Joint centres": (CENTRE_HEADERS, centre_rows()),
            "Segments": (SEGMENT_HEADERS, segment_rows()),
            "Gait joints": (JOINT_HEADERS, joint_rows()),
        },
    )


def lab_axes(ours: np.ndarray) -> np.ndarray:
    """Vectors in x forward, y up, z right as x forward, y left, z up."""
    return np.asarray(np.column_stack((ours[:, 0], -ours[:, 2], ours[:, 1])) + 0.0)


def _leg(title: str) -> Gait:
    """The right leg and the trunk in cm, x forward and y up; force and centre of pressure of the foot."""
    markers = exact_markers(WALKER) | {"right hip": _hip()}
    points = {"rib": markers["shoulder"], **{name: markers[f"right {name}"] for name in LEG}}
    values = np.column_stack([exact_times(WALKER), *(each[:, :2] / 10.0 for each in points.values())]).round(9)
    headers = [f"{name}.{axis}" for name in points for axis in "xy"]
    time, feet = exact_ground(WALKER)
    force, moment = feet["right"]
    with np.errstate(divide="ignore", invalid="ignore"):
        pressure = np.where(force[:, 1] > 1.0, 100.0 * moment / force[:, 1], np.nan).round(3)
    rows = np.column_stack((time, force)).tolist()
    columns = [Column("time", "s", "0.000", 10), Column("right.fx", "N", "0.0", 12), Column("right.fy", "N", "0.0", 12)]
    columns.append(Column("right.px", "cm", "0.00", 12))
    places = [at if is_there else None for at, is_there in zip(pressure, np.isfinite(pressure), strict=True)]
    return Gait(
        _settings(title),
        (*SUBJECT, _who(WALKER), ("side", "right", "", "one leg")),
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


def _sketch(who: str, frame: int) -> list[Line]:
    markers = {name: each[:, :2] for name, each in exact_markers(who).items()}
    names = ("asis", "knee", "ankle", "heel", "mt5", "ankle")
    chains = {f"{side} leg": [f"{side} {name}" for name in names] for side in ("left", "right")}
    chains["trunk"] = ["shoulder", "right asis"]
    return stick_figure(markers, chains, (frame,), 1000.0)
