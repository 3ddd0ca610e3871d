"""What workbooks of gait share: a walk as rows of plain values, and their sheets in the order in which they are filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from choices import DECLARED
from look import Cell
from sketch import Line
from style import Column, Handout, column_list

from sheetmbs.schema.names import fold
from sheetmbs.workbook.writing.printed_inputs import NOTHING

Row = tuple[Cell, ...]
Setting = tuple[str, Cell, str, str]
SIDES = ("right", "left")
WIDE = {"notes": 60.0, "name": 20.0, "markers": 52.0, "model": 20.0, "label": 20.0}
COLOURS = {"right": "#1F5FA8", "left": "#C00000", "trunk": "#6B5B95"}
STANDING = "the standing trial, in which joint centres and axes of segments are found"
TABLES = ("Plates", "Marker names", "Joint centres", "Segments", "Gait joints")


class GaitHandout(Handout):
    """A workbook of gait, of which the report alone is printed."""

    def _set_print_area(self, sheet: Any, row: int, column: int) -> None:
        """None: input sheets without a print area stay off the paper."""

    def _points_of_sketch(self, sheet: Any, lines: Sequence[Line], *, rows: int) -> None:
        """The same, off the paper by a print area of one blank cell: programs count this sheet as one of the user's own."""
        super()._points_of_sketch(sheet, lines, rows=rows)
        sheet.print_area(NOTHING.replace("$", ""))


@dataclass(frozen=True)
class Gait:
    """What a workbook says of a walk.

    settings, subject, processing: (setting, value, unit, notes). series: columns with their units, and rows, of Markers and
    Force plates. tables: headers with their units, and rows, of the other sheets.
    """

    settings: Sequence[Setting]
    subject: Sequence[Setting]
    processing: Sequence[Setting]
    series: Mapping[str, tuple[Sequence[Column], Sequence[Row]]]
    tables: Mapping[str, tuple[str, Sequence[Row]]] = field(default_factory=dict)


def write(book: Handout, gait: Gait) -> None:
    """Write the sheets of a walk in their order."""
    book.settings(gait.settings)
    columns = column_list("setting :18, value :20, unit :9, notes :82")
    for name, rows in (("Subject", gait.subject), ("Processing", gait.processing)):
        if rows:
            book.table(name, columns, rows, DECLARED[fold(name)].doc)
    for name, (series, samples) in gait.series.items():
        declared = DECLARED.get(fold(name))
        book.series(name, series, samples, STANDING if declared is None else declared.doc)
    for name, (headers, rows) in gait.tables.items():
        book.declared(name, headers, rows, WIDE)


def samples(
    first: tuple[str, str, str], headers: Sequence[str], units: Sequence[str], values: np.ndarray, numbers: str
) -> tuple[list[Column], list[Row]]:
    """Columns and rows of a series. first: header, unit and number format of the first column. values: (n, 1 + headers)."""
    name, unit, form = first
    columns = [Column(name, unit, form, 10)]
    columns += [
        Column(header, each, numbers, max(11.0, len(header) + 2.0)) for header, each in zip(headers, units, strict=True)
    ]
    return columns, [tuple(row) for row in values.tolist()]


def wrenches(time: np.ndarray, sides: Sequence[str], parts: Sequence[np.ndarray]) -> tuple[list[Column], list[Row]]:
    """Columns and rows of the force and the moment about the origin on each side. parts: those of each, (n, 3), N and N m."""
    headers = [f"{side}.{quantity}" for side in sides for quantity in ("fx", "fy", "fz", "mx", "my", "mz")]
    units = [*("N",) * 3, *("N*m",) * 3] * len(sides)
    return samples(("time", "s", "0.000"), headers, units, np.column_stack([time, *parts]).round(4), "0.00")


def centre_rows(sides: Sequence[str] = SIDES) -> list[Row]:
    """Hips by Harrington, knees and ankles as means, from markers with the names of the templates: name, kind, markers."""
    rows: list[Row] = []
    for side in sides:
        spines = "right asis; left asis; right psis; left psis"
        rows.append((f"{side} hip centre", "harrington", spines, "regression from the pelvis; or bell, or marker"))
        for joint in ("knee", "ankle"):
            words = "middle of both markers; with one marker alone write only that one"
            rows.append((f"{side} {joint} centre", "mean", f"{side} {joint}; {side} {joint} medial", words))
    return rows


def segment_rows(sides: Sequence[str] = SIDES, trunk: str = "trunk") -> list[Row]:
    """Feet, shanks and thighs between those centres, and a trunk, ``""`` for none.

    Each row: name, side, proximal, distal, parent, line_from, line_to, table, notes.
    """
    rows: list[Row] = []
    for side in sides:
        hip, knee, ankle = (f"{side} {joint} centre" for joint in ("hip", "knee", "ankle"))
        sole = (f"{side} mt5", f"{side} heel")
        about = "its angle is that of the line from mt5 to heel, 180 deg on the floor"
        rows.append((f"{side} foot", side, ankle, f"{side} mt5", f"{side} shank", *sole, "foot", about))
        rows.append((f"{side} shank", side, knee, ankle, f"{side} thigh", None, None, "shank", ""))
        rows.append((f"{side} thigh", side, hip, knee, trunk or None, None, None, "thigh", ""))
    if trunk:
        words = "the root; without a marker at the shoulder it counts as absent"
        rows.append((trunk, None, "shoulder", f"{sides[0]} hip centre", None, None, None, "hat", words))
    return rows


def joint_rows(sides: Sequence[str] = SIDES, trunk: str = "trunk") -> list[Row]:
    """Hip, knee and ankle of each side; without a trunk the hip is seen against the vertical.

    Each row: name, side, proximal, distal, neutral, positive, notes.
    """
    rows: list[Row] = []
    words = "thigh - trunk" if trunk else "thigh against the vertical: the trunk was not measured"
    for side in sides:
        rows.append(("hip", side, trunk or "ground", f"{side} thigh", None, "flexion", words))
        rows.append(("knee", side, f"{side} thigh", f"{side} shank", None, "flexion", "thigh - shank"))
        rows.append(("ankle", side, f"{side} shank", f"{side} foot", 90, "dorsiflexion", "foot - shank - neutral"))
    return rows


SEGMENT_HEADERS = "name side proximal distal parent line_from line_to table notes"
JOINT_HEADERS = "name side proximal distal neutral:deg positive notes"
CENTRE_HEADERS = "name kind markers notes"


def stick_figure(
    markers: Mapping[str, np.ndarray], chains: Mapping[str, Sequence[str]], frames: Sequence[int], size: float
) -> list[Line]:
    """A body in some frames as lines of a sketch, labelled in the last one.

    markers: (n, 2) forward and up. chains: markers along each line. size: of the unit of the sketch in that of markers.
    """
    lines = []
    for frame in frames:
        for name, chain in chains.items():
            points = [tuple((markers[each][frame] / size).round(4).tolist()) for each in chain]
            is_last = frame == frames[-1]
            side = name.partition(" ")[0]
            labels = tuple(each.removeprefix(f"{side} ") for each in chain) if is_last else ()
            width, kind = (2.25, "circle") if is_last else (1.0, "none")
            at = "right" if side != "left" else "left"
            lines.append(
                Line(f"{name} {frame}", points, labels, COLOURS.get(side, "#6B7780"), width, markers=kind, label_at=at)
            )
    return lines
