"""Whole workbooks of two walks and a standing trial, as a laboratory fills them in: pelvis, medial markers, raw plates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from tests.gait.gait_plates import plate_sheets
from tests.support import gait_walker
from tests.support.gait_books import UNITS, Recording, Rows, to_lab

SPINES = "right asis; left asis; right psis; left psis"
ON_PELVIS = {"asis": (0.05, 0.09, 0.12), "psis": (-0.10, 0.095, 0.045)}
"""m forward and up of the hip, and outward"""
WIDTHS = {"knee": (0.14, 0.04), "ankle": (0.125, 0.05)}
"""m outward of the lateral and of the medial marker"""
STANDING = {
    "asis": (0.05, 1.03, 0.12),
    "psis": (-0.10, 1.035, 0.045),
    "knee": (0.01, 0.52, 0.14),
    "knee medial": (0.01, 0.52, 0.04),
    "ankle": (-0.005, 0.09, 0.125),
    "ankle medial": (-0.005, 0.09, 0.05),
    "heel": (-0.065, 0.02, 0.09),
    "mt5": (0.115, 0.02, 0.09),
    "toe": (0.185, 0.02, 0.09),
}
MEASURED = 3
"""contacts of a walk that plates carry; the others fall beside them"""
HOW = Recording(axes=("-y", "+z"), unit="mm", force_rate=300.0)
WALKS = {"walk01": replace(HOW, start=0.35, end=3.95), "walk02": replace(HOW, start=0.60, end=4.20)}
LEG = ("foot", "shank", "thigh")


def whole_book(
    centre: str = "harrington",
    subject: Mapping[str, object] | None = None,
    processing: Mapping[str, object] | None = None,
) -> dict[str, Rows]:
    """Two walks and a standing trial. centre: kind of the hips. subject, processing: further rows of these sheets."""
    asked = {"axis_forward": HOW.axes[0], "axis_up": HOW.axes[1], **(processing or {})}
    sheets: dict[str, Rows] = {
        "Settings": [("setting", "value"), ("analysis", "gait"), ("dimension", "2D")],
        "Subject": [("setting", "value", "unit"), ("mass", 70, "kg"), ("height", 1.75, "m"), *(subject or {}).items()],
        "Processing": [("setting", "value"), *asked.items()],
        "Joint centres": _centres(centre),
        "Segments": _segments(),
        "Gait joints": _joints(),
        "Markers static": _rows(np.arange(60) / 100.0, _shaken(np.arange(60) / 100.0, _standing())),
    }
    plates: Rows = []
    for number, (name, how) in enumerate(WALKS.items()):
        walking = _shaken(how.times, _walking(how.times))
        sheets[f"Markers {name}"] = _rows(how.times - how.start, walking)
        ground, made = _on_plates(how, f"{'AB'[number]}")
        sheets[f"Force plates {name}"] = ground
        plates += made if not plates else made[1:]
    return {**sheets, "Plates": plates}


def _walking(time: np.ndarray) -> dict[str, np.ndarray]:
    """Markers (n, 3) in m, in our axes."""
    body = gait_walker.walk(time)
    tilt = body.pieces["trunk"].angle.value - 0.5 * np.pi
    found = {"shoulder": _beside(body.points["shoulder"].value, 0.0)}
    for side, sign in UNITS.items():
        for name, (ahead, above, aside) in ON_PELVIS.items():
            on_it = np.column_stack(
                (ahead * np.cos(tilt) - above * np.sin(tilt), ahead * np.sin(tilt) + above * np.cos(tilt))
            )
            found[f"{side} {name}"] = _beside(body.points["hip"].value + on_it, sign * aside)
        for joint, (lateral, medial) in WIDTHS.items():
            centre = body.points[f"{side} {joint}"].value
            found[f"{side} {joint}"] = _beside(centre, sign * lateral)
            found[f"{side} {joint} medial"] = _beside(centre, sign * medial)
        for name in ("heel", "mt5", "toe"):
            found[f"{side} {name}"] = _beside(body.points[f"{side} {name}"].value, sign * gait_walker.WIDTH)
    return found


def _standing() -> dict[str, np.ndarray]:
    found = {"shoulder": np.array([[-0.01, 1.44, 0.0]])}
    for side, sign in UNITS.items():
        found |= {f"{side} {name}": np.array([[x, y, sign * z]]) for name, (x, y, z) in STANDING.items()}
    return found


def _beside(planar: np.ndarray, aside: float) -> np.ndarray:
    return np.column_stack((planar, np.full(len(planar), aside)))


def _shaken(time: np.ndarray, markers: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """With sines of 1 mm at 7 to 24 Hz in place of noise, of each coordinate its own: the same in every version of numpy."""
    found = {}
    for row, (name, each) in enumerate(markers.items()):
        number = 3 * row + np.arange(3)
        found[name] = each + 1e-3 * np.sin(2.0 * np.pi * (7.0 + number * 0.31) * time[:, None] + number)
    return found


def _rows(time: np.ndarray, markers: Mapping[str, np.ndarray]) -> Rows:
    lab = {name: to_lab(each, HOW.axes) * 1000.0 for name, each in markers.items()}
    header = ["time", *(f"{name}.{axis}" for name in lab for axis in "xyz")]
    return [header, ["s", *["mm"] * (len(header) - 1)], *np.column_stack((time, *lab.values())).tolist()]


def _on_plates(how: Recording, name: str) -> tuple[Rows, Rows]:
    """The sheets Force plates and Plates of the first contacts that are recorded whole."""
    sheets = plate_sheets(how)
    header, units, *rows = (list(row) for row in sheets["Force plates"])
    numbers = np.array(rows, dtype=float)
    numbers[:, 0] -= how.start
    ups = [place for place, each in enumerate(header) if each.endswith(".fz")]
    whole = [place for place in ups if np.abs(numbers[[0, -1], place]).max() < 1e-6][:MEASURED]
    kept = [0, *(column for place in whole for column in range(place - 2, place + 4))]
    header = [header[place].replace("FP", name) for place in kept]
    plates = [(row[0].replace("FP", name), *row[1:]) for row in sheets["Plates"]]
    used = {each.split(".")[0] for each in header}
    lists = [plates[0], *(row for row in plates[1:] if row[0] in used)]
    return [header, [units[place] for place in kept], *numbers[:, kept].tolist()], lists


def _centres(centre: str) -> Rows:
    rows: Rows = [("name", "kind", "markers", "side")]
    for side in UNITS:
        rows.append((f"{side} hip centre", centre, SPINES, side))
        rows += [(f"{side} {each} centre", "mean", f"{side} {each}; {side} {each} medial", None) for each in WIDTHS]
    return [*rows, ("hip middle", "mean", "right hip centre; left hip centre", None)]


def _segments() -> Rows:
    rows: Rows = [("name", "side", "proximal", "distal", "parent", "line_from", "line_to", "table", "length")]
    for side in UNITS:
        hip, knee, ankle = (f"{side} {each} centre" for each in ("hip", "knee", "ankle"))
        foot, shank, thigh = (f"{side} {each}" for each in LEG)
        rows.append((foot, side, ankle, f"{side} mt5", shank, f"{side} mt5", f"{side} heel", "foot", "static"))
        rows.append((shank, side, knee, ankle, thigh, None, None, "shank", "static"))
        rows.append((thigh, side, hip, knee, "trunk", None, None, "thigh", None))
    return [*rows, ("trunk", None, "shoulder", "hip middle", None, None, None, "hat", None)]


def _joints() -> Rows:
    rows: Rows = [("name", "side", "proximal", "distal", "neutral", "positive")]
    for side in UNITS:
        foot, shank, thigh = (f"{side} {each}" for each in LEG)
        rows.append(("hip", side, "trunk", thigh, None, "flexion"))
        rows.append(("knee", side, thigh, shank, None, "flexion"))
        rows.append(("ankle", side, shank, foot, "static", "dorsiflexion"))
    return rows
