"""The walk of the template gait-3d under the labels of marker sets, as files of laboratories."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import openpyxl
from scipy.spatial.transform import Rotation

from sheetmbs.gait.importing.sheet_rows import PageRows
from sheetmbs.gait.joint_centres import harrington
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.writing.add_inputs import fill_cells

TEMPLATE = Path(__file__).parents[2] / "templates" / "gait-3d.xlsx"
SIDES = {"right": "R", "left": "L"}


@cache
def walk(sheet="Markers"):
    """Times (n,), and positions (n, 3) in mm by name: what the template shows, and hips and middles made from that."""
    page = openpyxl.load_workbook(TEMPLATE, data_only=True)[sheet]
    heads = [cell.value for cell in page[1]]
    rows = np.array([row for row in page.iter_rows(min_row=3, values_only=True) if row[0] is not None], float)
    found = {
        head[:-2]: rows[:, at : at + 3] for at, head in enumerate(heads) if head is not None and head.endswith(".x")
    }
    found["sacrum"] = 0.5 * (found["right psis"] + found["left psis"])
    spines = [1e-3 * found[name] for name in ("right asis", "left asis", "sacrum")]
    for side, sign in (("right", 1.0), ("left", -1.0)):
        found[f"{side} hip"] = 1e3 * harrington(*_to_inner(spines), sign) @ INNER
        found[f"{side} shank top"] = found[f"{side} shank 1"]
        found[f"{side} acromion"] = found["sacrum"] + np.array([0.0, 180.0 * -sign, 480.0])
        for joint, segment in (("knee", "thigh"), ("ankle", "shank")):
            if f"{side} {joint} medial" not in found:
                found[f"{side} {joint} medial"] = _carried(found, f"{side} {segment}", f"{side} {joint} medial")
    found["c7"] = found["sacrum"] + np.array([0.0, 0.0, 500.0])
    found["t10"] = found["sacrum"] + np.array([0.0, 0.0, 300.0])
    found["clavicle"] = found["sacrum"] + np.array([120.0, 0.0, 460.0])
    found["sternum"] = found["sacrum"] + np.array([140.0, 0.0, 320.0])
    return rows[:, 0], found


def _carried(found, segment, marker):
    """The course of a marker that only the standing trial has, moved with the four markers of a segment."""
    standing = walk("Markers static")[1]
    names = [f"{segment} {at}" for at in (1, 2, 3, 4)]
    cluster = np.stack([standing[name].mean(axis=0) for name in names])
    middle = cluster.mean(axis=0)
    local = standing[marker].mean(axis=0) - middle
    courses = np.stack([found[name] for name in names], axis=1)
    middles = courses.mean(axis=1)
    turns = [Rotation.align_vectors(seen - at, cluster - middle)[0] for seen, at in zip(courses, middles, strict=True)]
    return middles + np.stack([turn.apply(local) for turn in turns])


INNER = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""rows: forward, up and right of a laboratory with x forward and z up"""


def _to_inner(points):
    return [each @ INNER.T for each in points]


def trc(labels, sheet="Markers"):
    """A TRC with markers of the walk. labels: by name in `walk`, in which ``S`` is the letter of the side."""
    time, points = walk(sheet)
    chosen = {}
    for name, label in labels.items():
        for side in SIDES if "{s}" in name else [""]:
            known = name.replace("{s}", side)
            if known in points:
                chosen[label.replace("{S}", SIDES.get(side, "")).replace("{s}", SIDES.get(side, "").lower())] = points[
                    known
                ]
    rate = (len(time) - 1) / (time[-1] - time[0])
    rows = [
        ["PathFileType", "4", "(X/Y/Z)", "walk.trc"],
        [
            "DataRate",
            "CameraRate",
            "NumFrames",
            "NumMarkers",
            "Units",
            "OrigDataRate",
            "OrigDataStartFrame",
            "OrigNumFrames",
        ],
        [f"{rate:.6f}", f"{rate:.6f}", str(len(time)), str(len(chosen)), "mm", f"{rate:.6f}", "1", str(len(time))],
        ["Frame#", "Time", *(cell for label in chosen for cell in (label, "", ""))],
        ["", "", *(f"{axis}{at}" for at in range(1, len(chosen) + 1) for axis in "XYZ")],
        [""],
    ]
    values = np.concatenate(list(chosen.values()), axis=1)
    for at, row in enumerate(values):
        rows.append([str(at + 1), f"{time[at]:.6f}", *(f"{value:.5f}" for value in row)])
    return "\n".join("\t".join(row) for row in rows) + "\n"


@cache
def forces():
    """The forces of both feet as a text of our own columns."""
    page = openpyxl.load_workbook(TEMPLATE, data_only=True)["Force plates"]
    rows = [row for row in page.iter_rows(values_only=True) if row[0] is not None]
    return "\n".join(",".join("" if cell is None else str(cell) for cell in row) for row in rows) + "\n"


def settle(path, sheet, **values):
    """Write settings into the rows of Subject or Processing that have their names; the rest of the workbook stays unread."""
    page = PageRows(open_book(path).find_sheet(sheet))
    for name, value in values.items():
        row = page.row_of(name, "setting") or page.add()
        page.write(row, "setting", name)
        page.write(row, "value", value)
    fill_cells(path, {page.cells.name: page.filling}, lambda _path: None)
