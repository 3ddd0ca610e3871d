"""The sheets Gait joints and Anatomical frames, with what follows where they are blank."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import radians
from typing import Any, cast

from sheetmbs.gait.trial.gait_book import FrameRow, JointRow, SegmentRow, Side
from sheetmbs.gait.trial.marker_synonyms import side_of
from sheetmbs.schema import units as u
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.workbook.cells.cells import CellKind
from sheetmbs.workbook.reading.input_table import InputTable, Record
from sheetmbs.workbook.reading.registry import Registry

JOINT_ABOVE = {"foot": "ankle", "shank": "knee", "thigh": "hip"}
"""row of the anthropometry -> the joint above such a segment"""
POSITIVE_OF = {"ankle": "dorsiflexion"}
NEUTRAL_ANKLE = radians(90.0)
"""of a line from heel to toe"""
VERTICAL = "ground"


def read_joints(
    table: InputTable,
    segments: Sequence[SegmentRow],
    known: Registry,
    sides: Collection[str],
    report: ProblemList,
    *,
    in_space: bool,
) -> tuple[JointRow, ...]:
    """The sheet Gait joints; where it is not there or empty, a joint above each segment of the table.

    in_space: where angles are those between axes of segments, and an ankle whose neutral is blank has none.
    """
    ankle = 0.0 if in_space else NEUTRAL_ANKLE
    registry: set[tuple[str, str | None]] = set()
    rows = []
    for record in table.records():
        name = record.text("name")
        proximal = record.text("proximal")
        distal = record.text("distal")
        upper = _upper(proximal, record, known)
        lower = known.resolve(distal, record.place("distal")) if distal else None
        side = cast("Side | None", record.choice("side") or side_of(distal) or side_of(name))
        neutral = _neutral(record)
        positive = record.choice("positive") or POSITIVE_OF.get(_joint_name(lower, segments), "flexion")
        plain = _plain_name(name, side)
        if (fold(plain), side) in registry:
            record.refuse("duplicate-name", "name", f"there is a {side or ''} {plain} already", "give it another name")
        registry.add((fold(plain), side))
        kind, (low, high) = record.choice("type"), _limits(record)
        record.finish()
        if plain and upper and lower:
            if neutral is None:
                neutral = ankle if _joint_name(lower, segments) == "ankle" else 0.0
            cell = record.cell_text("name")
            rows.append(JointRow(plain, side, upper, lower, cast("Any", neutral), positive, cell, kind, low, high))
    if not rows and not report.has_errors:
        rows = _default_joints(segments, ankle)
    return tuple(row for row in rows if row.side is None or row.side in sides)


def _limits(record: Record) -> tuple[float | None, float | None]:
    """Between which the flexion stays, in rad."""
    low, high = record.number("low", u.ANGLE), record.number("high", u.ANGLE)
    if low is not None and high is not None and not low < high:
        record.refuse("out-of-range", "high", "it is greater than low", "exchange both, or correct one")
        return None, None
    return low, high


def _upper(text: str, record: Record, known: Registry) -> str | None:
    if fold(text) == VERTICAL:
        return VERTICAL
    return known.resolve(text, record.place("proximal")) if text else None


def _plain_name(name: str, side: str | None) -> str:
    """``knee`` of ``right knee``: results are headed by side and plain name."""
    words = name.split()
    return " ".join(words[1:]) if side and len(words) > 1 and fold(words[0]) == side else name


def _joint_name(distal: str | None, segments: Sequence[SegmentRow]) -> str:
    table = next((row.table for row in segments if row.name == distal), None)
    return JOINT_ABOVE.get(table or "", "")


def _neutral(record: Record) -> float | str | None:
    cell = record.cell("neutral")
    if cell is not None and cell.kind is CellKind.TEXT and fold(str(cell.value)) == "static":
        record.settle("neutral")
        return "static"
    return record.number("neutral", u.ANGLE)


def _default_joints(segments: Sequence[SegmentRow], ankle: float) -> list[JointRow]:
    rows = []
    for wanted in ("hip", "knee", "ankle"):
        for row in segments:
            name = JOINT_ABOVE.get(row.table or "")
            if name != wanted or (row.parent is None and name != "hip"):
                continue
            above = row.parent or VERTICAL
            positive = POSITIVE_OF.get(name, "flexion")
            neutral = ankle if name == "ankle" else 0.0
            rows.append(JointRow(name, row.side, above, row.name, neutral, positive, row.cells["name"]))
    return rows


def read_frames(table: InputTable, known: Registry) -> tuple[FrameRow, ...]:
    """The sheet Anatomical frames."""
    rows: list[FrameRow] = []
    for record in table.records():
        segment = record.text("segment")
        name = known.resolve(segment, record.place("segment")) if segment else None
        if name is not None and name in [row.segment for row in rows]:
            problem = "a segment has one row of axes"
            record.refuse("duplicate-name", "segment", problem, "take one of the rows away")
        texts = [record.text(column) for column in ("origin", "from", "to", "plane")]
        axis, order = record.choice("axis_1"), record.choice("order") or "yxz"
        if axis and order and order[0] != axis:
            problem = f"order begins with the axis that is made first, {axis}"
            record.refuse("wrong-order", "order", problem, "make both agree")
        record.finish()
        if name and all(texts) and axis:
            origin, start, end, plane = texts
            rows.append(FrameRow(name, origin, (start, end), plane, order, record.cell_text("segment")))
    return tuple(rows)
