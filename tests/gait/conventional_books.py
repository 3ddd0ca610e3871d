"""Workbooks of the conventional gait model from made markers, as a laboratory would type them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import openpyxl

from tests.gait.conventional_markers import ON_THIGH, ConventionalSubject, Vector, Walk, markers, standing

RATE = 100.0
NAMES = ("asis", "psis", "thigh wand", "knee", "shank wand", "ankle", "heel", "toe")
Rows = Sequence[Sequence[object]]


def measures(subject: ConventionalSubject) -> list[list[object]]:
    """Rows of Anthropometry: setting, right, left, value, unit."""
    mm, degrees = 1e3, 180.0 / np.pi
    rows: list[list[object]] = [
        ["leg length", *(mm * each for each in subject.leg), None, "mm"],
        ["knee width", *(mm * each for each in subject.knee), None, "mm"],
        ["ankle width", *(mm * each for each in subject.ankle), None, "mm"],
        ["marker diameter", None, None, 2e3 * subject.radius, "mm"],
        ["thigh rotation", *(degrees * each for each in subject.thigh_turn), None, "deg"],
        ["shank rotation", *(degrees * each for each in subject.shank_turn), None, "deg"],
        ["tibial torsion", *(degrees * each for each in subject.torsion), None, "deg"],
    ]
    if subject.trochanter is not None:
        rows.append(["asis to trochanter", *(mm * each for each in subject.trochanter), None, "mm"])
    return rows


def book(
    path: Path,
    walk: Walk,
    subject: ConventionalSubject,
    *,
    still: Walk | None = None,
    processing: Mapping[str, object] | None = None,
    anthropometry: Rows | None = None,
    moved: Mapping[str, Vector] | None = None,
    sheets: Mapping[str, Rows] | None = None,
    height: float = 1.75,
    with_sacrum: bool = False,
    with_thighs: bool = False,
    trials: Mapping[str, Walk] | None = None,
) -> Path:
    """A workbook without plates, unfiltered; z of the laboratory is to the left and y up is z.

    trials: further ones, by the names of their sheets.
    moved: by marker, what is added to it (3,) in m in both trials. sheets: rows of others.
    """
    names = [f"{side} {name}" for side in ("right", "left") for name in NAMES]
    if with_sacrum:
        names = [name for name in names if "psis" not in name] + ["sacrum"]
    if with_thighs:
        names += [f"{side} {name}" for side in ("right", "left") for name in ON_THIGH]
    found = openpyxl.Workbook()
    found.remove(found.active)
    settings = {"model": "cgm", "cutoff": "none", "axis_forward": "+x", "axis_up": "+z", **(processing or {})}
    _sheet(found, "Settings", [["setting", "value"], ["analysis", "gait"], ["dimension", "3D"]])
    _sheet(found, "Subject", [["setting", "value", "unit"], ["mass", 70, "kg"], ["height", height, "m"]])
    rows = [[name, value] for name, value in settings.items() if value is not None]
    _sheet(found, "Processing", [["setting", "value"], *rows])
    typed = measures(subject) if anthropometry is None else anthropometry
    _sheet(found, "Anthropometry", [["setting", "right", "left", "value", "unit"], *typed])
    recorded = {"Markers": walk, "Markers static": standing(walk) if still is None else still, **(trials or {})}
    for tab, trial in recorded.items():
        points, _axes = markers(subject, trial)
        seen = {name: points[name] + (moved or {}).get(name, 0.0) for name in names}
        _sheet(found, tab, _tracks(seen))
    for tab, own in (sheets or {}).items():
        _sheet(found, tab, own)
    found.save(path)
    return path


def _tracks(seen: Mapping[str, Vector]) -> Rows:
    count = len(next(iter(seen.values())))
    time = np.arange(count) / RATE
    columns = [time, *(each[:, k] for each in map(_laboratory, seen.values()) for k in range(3))]
    headers = ["time", *(f"{name}.{axis}" for name in seen for axis in "xyz")]
    return [headers, ["s", *("m",) * (len(headers) - 1)], *np.column_stack(columns).tolist()]


def _laboratory(ours: Vector) -> Vector:
    """x forward, y up, z right as x forward, y left, z up."""
    return np.column_stack((ours[:, 0], -ours[:, 2], ours[:, 1]))


def _sheet(book: openpyxl.Workbook, name: str, rows: Rows) -> None:
    sheet = book.create_sheet(name)
    for row in rows:
        sheet.append([None if isinstance(each, float) and np.isnan(each) else each for each in row])


def longer(walk: Walk, repeats: int) -> Walk:
    """The same walk several times over, each where the last one ended."""
    step = walk.origin[-1] - walk.origin[0]
    origin = np.concatenate([walk.origin + number * step * [1.0, 0.0, 0.0] for number in range(repeats)])
    legs = tuple(
        replace(
            leg,
            hip=np.tile(leg.hip, (repeats, 1)),
            knee=np.tile(leg.knee, (repeats, 1)),
            toe=np.tile(leg.toe, (repeats, 1)),
        )
        for leg in walk.legs
    )
    return replace(walk, pelvis=np.tile(walk.pelvis, (repeats, 1)), origin=origin, legs=(legs[0], legs[1]))
