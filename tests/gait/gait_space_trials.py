"""The trial of the template gait-3d with a millimetre of noise, on force plates in their own axes, for faults to be planted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import openpyxl

from sheetmbs import WorkbookError
from tests.support.books import save_rows
from tests.support.opened import checked as check_gait

TEMPLATE = Path(__file__).parents[2] / "templates" / "gait-3d.xlsx"
SHEETS = ("Settings", "Subject", "Processing", "Joint centres", "Segments", "Gait joints", "Anatomical frames")
SAMPLED = ("Markers", "Markers static", "Force plates")
LONG, WIDE = 0.6, 0.5
TRANSDUCER = np.array([0.002, -0.001, 0.045])
AXES = (np.diag([1.0, -1.0, -1.0]), np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]]))
"""rows are axes of plates, which lie along the walk and across in turn"""
ORIGIN = ("ox", "oy", "oz")


def trial(noise=1.0):
    """Its sheets, as lists of rows. noise: in mm."""
    book = openpyxl.load_workbook(TEMPLATE, data_only=True)
    sheets = {name: [list(row) for row in book[name].iter_rows(values_only=True)] for name in (*SHEETS, *SAMPLED)}
    random = np.random.default_rng(1)
    for name in ("Markers", "Markers static"):
        for row in sheets[name][2:]:
            row[1:] = (np.array(row[1:], float) + noise * random.standard_normal(len(row) - 1)).tolist()
    return sheets | _on_plates(sheets["Force plates"])


def _on_plates(rows):
    """Forces and moments about the transducers of one plate a contact, and where plates lie."""
    values = np.nan_to_num(np.array(rows[2:], float))
    time, names = values[:, 0], rows[0]
    contacts = []
    for side in ("right", "left"):
        load = values[:, names.index(f"{side}.fx") : names.index(f"{side}.fx") + 6]
        ends = np.flatnonzero(np.diff(np.concatenate(([False], load[:, 2] > 1.0, [False])).astype(int)))
        contacts += [(first, last, load) for first, last in zip(ends[::2], ends[1::2], strict=True)]
    header, units, columns = ["time"], ["s"], [time]
    places = [["name", "foot", *(f"{axis}{k}" for k in (1, 2, 3, 4) for axis in "xyz"), *ORIGIN, "axes", "sign"]]
    places.append(["units", None, *["m"] * 15, None, None])
    for number, (first, last, load) in enumerate(sorted(contacts, key=lambda each: each[0]), start=1):
        alone = np.zeros_like(load)
        alone[first:last] = load[first:last]
        force, moment = alone[:, :3], alone[:, 3:]
        well = force[:, 2] > 30.0
        under = [np.median(-moment[well, 1] / force[well, 2]), np.median(moment[well, 0] / force[well, 2])]
        axes, sign = AXES[number % 2], 1.0 if number % 2 else -1.0
        middle = np.array([under[0] + 0.02, under[1] + 0.03 * sign, 0.0])
        own = moment - np.cross(middle + TRANSDUCER @ axes, force)
        header += [f"FP{number}.{kind}{axis}" for kind in "fm" for axis in "xyz"]
        units += ["N"] * 3 + ["N*m"] * 3
        columns += [*(force @ axes.T).T, *(own @ axes.T).T]
        size = (LONG, WIDE) if axes[0, 0] else (WIDE, LONG)
        ways = ((1, 1), (-1, 1), (-1, -1), (1, -1))
        corners = [middle + 0.5 * (a * size[0] * axes[0] + b * size[1] * axes[1]) for a, b in ways]
        numbers = np.concatenate((*corners, TRANSDUCER)).tolist()
        places.append([f"FP{number}", "auto", *numbers, "own", "reaction"])
    return {"Force plates": [header, units, *np.column_stack(columns).tolist()], "Plates": places}


def columns_of(rows, name):
    """Of a marker."""
    return [k for k, cell in enumerate(rows[0]) if str(cell).rpartition(".")[0] == name]


def exchange(sheets, one, other, sheet="Markers", first=0, last=None):
    """Two labels in some frames."""
    rows = sheets[sheet]
    for row in rows[2 + first : None if last is None else 2 + last]:
        for a, b in zip(columns_of(rows, one), columns_of(rows, other), strict=True):
            row[a], row[b] = row[b], row[a]


def cluster(sheets, segment, markers):
    """Other markers for a segment."""
    rows = sheets["Segments"]
    row = next(row for row in rows if row[0] == segment)
    row[rows[0].index("markers")] = markers


def corners_of(row):
    """Of a row of Plates, as a view (4, 3) of numbers."""
    return np.array(row[2:14]).reshape(4, 3)


def move_plates(sheets, way, rows=slice(2, None)):
    """Where the workbook says that plates lie."""
    for row in sheets["Plates"][rows]:
        row[2:14] = (corners_of(row) + way).ravel().tolist()


def problems_of(folder, change=None, noise=1.0):
    """What check finds once the sheets were changed."""
    sheets = trial(noise)
    if change:
        change(sheets)
    path = save_rows(folder / "walk.xlsx", sheets)
    try:
        return list(check_gait(path)[1])
    except WorkbookError as error:
        return list(error.problems)
