"""The sheets Joint centres and Segments, with what follows where cells are blank."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import nan
from typing import Any, cast

import numpy as np

from sheetmbs.gait.trial.gait_book import CentreRow, SegmentRow, Side
from sheetmbs.gait.trial.marker_synonyms import side_of
from sheetmbs.schema import units as u
from sheetmbs.schema.gait_inputs import CentreKind
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.workbook.cells.cells import CellKind
from sheetmbs.workbook.reading.input_table import InputTable, Record, cell_as_text, named_records
from sheetmbs.workbook.reading.registry import Registry

TABLES = {
    "foot": "foot",
    "shank": "shank",
    "leg": "shank",
    "calf": "shank",
    "thigh": "thigh",
    "hat": "hat",
    "trunk": "hat",
    "torso": "hat",
}
"""last words of a segment's name -> row of the anthropometry"""
FUNCTIONAL = (CentreKind.SCORE, CentreKind.SARA)
LEAST_OF_CLUSTER = 3
"""markers of a cluster of which the pose is known"""
PARTS = {"mass_fraction": (0.0, 1.0), "com": (-0.5, 1.5), "gyration": (0.0, 1.0)}
"""what these numbers may be: parts of the mass of the body, or of the length of the segment"""
ABOVE = {"foot": "shank", "shank": "thigh", "thigh": "hat"}


def words_of(text: str) -> tuple[str, ...]:
    """``RASIS; LASIS`` as its parts."""
    return tuple(part.strip() for part in re.split(r"[;,]", text) if part.strip())


def read_centres(table: InputTable, report: ProblemList) -> tuple[CentreRow, ...]:
    """The sheet Joint centres."""
    rows = []
    for record, name in named_records(table, Registry("joint centre", table.schema.name, report)):
        kind = record.choice("kind")
        above, _bar, below = record.text("markers").partition("|")
        markers, lower, near = words_of(above), words_of(below), words_of(record.text("near"))
        offset = np.array([record.number_or(axis, 0.0) for axis in "xyz"])
        side = cast("Side | None", record.choice("side") or side_of(name))
        if kind in FUNCTIONAL:
            _check_clusters(record, kind, markers, lower, near)
        else:
            _check_count(record, kind, (*markers, *lower), report)
        if kind in (CentreKind.HARRINGTON, CentreKind.BELL) and side is None:
            record.refuse("missing-value", "side", f"{kind} gives the hip of one side", "write right or left")
        trial = record.text("from_trial")
        if trial and kind not in (*FUNCTIONAL, CentreKind.SPHERE):
            record.refuse("unused-value", "from_trial", f"{kind} is found in every trial", "clear the cell")
        record.finish()
        if name and kind:
            cells = {column.name: record.cell_text(column.name) for column in table.schema.columns}
            both = (*markers, *lower)
            row = CentreRow(name, kind, both, offset, side, cells, below=len(lower), near=near, from_trial=trial)
            rows.append(row)
    return tuple(rows)


def _check_clusters(record: Record, kind: str, above: Sequence[str], below: Sequence[str], near: Sequence[str]) -> None:
    """Report clusters of too few markers, and an axis without a point."""
    if min(len(above), len(below)) < LEAST_OF_CLUSTER:
        problem = f"{kind} takes {LEAST_OF_CLUSTER} markers or more above, | and as many below"
        record.refuse(
            "wrong-number", "markers", problem, "write pelvis 1; pelvis 2; pelvis 3 | thigh 1; thigh 2; thigh 3"
        )
    if kind == CentreKind.SARA and not near:
        problem = "an axis has many points: the one nearest to the mean of these markers is the centre"
        record.refuse("missing-value", "near", problem, "name the markers beside the joint, with ; between")
    if kind != CentreKind.SARA and near:
        record.refuse("unused-value", "near", f"{kind} has a centre by itself", "clear the cell")


def _check_count(record: Record, kind: str, markers: Sequence[str], report: ProblemList) -> None:
    counts = {
        CentreKind.MARKER: (1, 1),
        CentreKind.OFFSET: (1, 1),
        CentreKind.MEAN: (1, 20),
        CentreKind.HARRINGTON: (3, 4),
        CentreKind.BELL: (3, 4),
        CentreKind.SPHERE: (3, 20),
    }
    if kind not in counts or not markers:
        return
    least, most = counts[kind]
    if not least <= len(markers) <= most:
        number = str(least) if least == most else f"{least} to {most}"
        found = f"markers: {'; '.join(markers)}"
        problem = f"{kind} takes {number}, with ; between"
        mend = "RASIS; LASIS; RPSIS; LPSIS, or the sacrum for the last two" if least == 3 else "correct the list"
        report.error("wrong-number", record.place("markers"), found, problem, mend)


def table_of(name: str) -> str | None:
    """``shank`` of ``right shank``: the row of the anthropometry that a segment's name tells."""
    return TABLES.get(fold(name).split()[-1] if name else "")


def read_segments(table: InputTable, report: ProblemList) -> tuple[tuple[SegmentRow, ...], Registry]:
    """The sheet Segments, and its names. Parents and rows of the anthropometry follow from names where they are blank."""
    registry = Registry("segment", table.schema.name, report)
    read = [(_segment(record, name, report), record) for record, name in named_records(table, registry)]
    rows = [(row, record) for row, record in read if row is not None]
    is_given = any(row["parent"] for row, _ in rows)
    for row, record in rows:
        if row["parent"]:
            row["parent"] = registry.resolve(row["parent"], record.place("parent"))
        elif not is_given:
            row["parent"] = _parent(row, [other for other, _ in rows])
        if row["parent"] == row["name"]:
            record.refuse("own-parent", "parent", "a segment hangs on another one", "name the segment above it")
    found = tuple(SegmentRow(**row) for row, _ in rows)
    _check_tree(found, {row["name"]: record for row, record in rows})
    return found, registry


def _segment(record: Record, name: str, report: ProblemList) -> dict[str, Any] | None:
    proximal, distal = record.text("proximal"), record.text("distal")
    side = record.choice("side") or side_of(name)
    table = record.choice("table") or table_of(name)
    markers = words_of(record.text("markers"))
    numbers = segment_numbers(record)
    row: dict[str, Any] = {
        "name": name,
        "side": side,
        "proximal": proximal,
        "distal": distal,
        "parent": record.text("parent"),
        "line": (record.text("line_from") or distal, record.text("line_to") or proximal),
        "table": table,
        **numbers,
        "length": _length(record),
        "markers": markers,
        "weights": _weights(record, len(markers), report),
        "cells": {column.name: record.cell_text(column.name) for column in record.table.schema.columns},
    }
    if table is None and all(numbers[key] is None for key in ("mass", "mass_fraction")):
        mend = "write foot, shank, thigh or hat in table, or mass or mass_fraction, com and gyration of its own"
        record.refuse("missing-value", "table", f"nothing tells the mass of {quoted(name)}", mend)
    record.finish()
    return row if name and proximal and distal else None


def segment_numbers(record: Record) -> dict[str, float | None]:
    """Mass, centre of mass and inertia that a row gives, in SI; what cannot be is reported."""
    numbers = {key: record.number(key) for key in ("mass", "mass_fraction", "com", "gyration", "inertia")}
    for key in ("mass", "mass_fraction", "gyration", "inertia"):
        if (numbers[key] or nan) <= 0.0 or numbers[key] == 0.0:
            record.refuse("out-of-range", key, f"{key} is greater than 0", "correct it, or clear the cell")
    for key, (least, most) in PARTS.items():
        value = numbers[key]
        if value is not None and not least <= value <= most:
            problem = f"{key} is a part of 1, as 0.433 of 43.3 %"
            record.refuse("out-of-range", key, problem, "write it as a part of 1, or clear the cell")
    return numbers


def _length(record: Record) -> float | str:
    cell = record.cell("length")
    if cell is None:
        record.settle("length")
        return "mean"
    if cell.kind is CellKind.TEXT and fold(str(cell.value)) in ("mean", "static"):
        record.settle("length")
        return fold(str(cell.value))
    value = record.number("length", u.LENGTH)
    if value is not None and not value > 0.0:
        record.refuse("out-of-range", "length", "it is mean, static, or a length greater than 0", "correct it")
    return value or "mean"


def _weights(record: Record, markers: int, report: ProblemList) -> tuple[float, ...]:
    cell = record.cell("weight")
    record.settle("weight")
    if cell is None:
        return (1.0,) * markers
    parts = words_of(cell_as_text(cell))
    try:
        weights = tuple(float(part) for part in parts)
    except ValueError:
        weights = ()
    if len(weights) == 1:
        weights *= max(markers, 1)
    if len(weights) != markers or any(weight < 0.0 for weight in weights):
        problem = "one number of 0 or more, or one for each marker, with ; between"
        report.error(
            "wrong-number", record.place("weight"), f"weight: {quoted(cell_as_text(cell))}", problem, "correct it"
        )
        return (1.0,) * markers
    return weights


def _parent(row: dict[str, Any], others: Sequence[dict[str, Any]]) -> str | None:
    """The segment above: the one that ends where this one begins, else that of the same side by the table."""
    above = ABOVE.get(row["table"] or "")
    candidates = [other for other in others if other["table"] == above and other["side"] in (row["side"], None)]
    joined = [other for other in candidates if fold(other["distal"]) == fold(row["proximal"])]
    found = joined or candidates
    return found[0]["name"] if above and found else None


def _check_tree(rows: Sequence[SegmentRow], records: dict[str, Record]) -> None:
    parents = {row.name: row.parent for row in rows}
    for row in rows:
        seen, name = [row.name], row.parent
        while name is not None and name not in seen:
            seen.append(name)
            name = parents.get(name)
        if name == row.name and row.parent != row.name:
            problem = f"{' above '.join(reversed(seen))}: a circle"
            records[row.name].refuse("circle-of-parents", "parent", problem, "clear the parent of the uppermost")
