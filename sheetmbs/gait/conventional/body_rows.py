"""The rows that the conventional gait model makes in place of Joint centres, Segments and Gait joints.

Thigh: hip to knee, shank: knee to ankle, foot: ankle to toe, and with markers of the thorax a trunk from the middle of the hips
to that of the neck. Masses are those of the table, or of cells on Segments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sheetmbs.gait.conventional.model_frames import davis_offset
from sheetmbs.gait.trial.gait_book import CentreRow, ConventionalModel, JointRow, SegmentRow, Side
from sheetmbs.schema.gait_inputs import SEGMENTS, CentreKind, HipRule

MASSES = ("mass", "mass_fraction", "com", "gyration", "inertia")
"""columns of Segments that a workbook may give to a segment of the model"""
TRUNK, PELVIS = "trunk", "pelvis"
HIP_MIDDLE, NECK = "hip middle", "neck"
BELOW = (("thigh", "hip centre", "knee centre"), ("shank", "knee centre", "ankle centre"))
JOINTS = (("hip", "thigh", "flexion"), ("knee", "shank", "flexion"), ("ankle", "foot", "dorsiflexion"))
Overrides = Mapping[str, Mapping[str, float | str]]
"""segment -> column -> number in SI, and under ``cells.<column>`` where it stands"""


def sign_of(side: Side) -> float:
    """+1 of the right side, -1 of the left one."""
    return 1.0 if side == "right" else -1.0


def segment_names(model: ConventionalModel, sides: Sequence[Side]) -> list[str]:
    """The segments that the model makes."""
    legs = [f"{side} {segment}" for side in sides for segment in ("thigh", "shank", "foot")]
    return [*legs, *([TRUNK] if has_trunk(model, sides) else [])]


def has_trunk(model: ConventionalModel, sides: Sequence[Side]) -> bool:
    """Whether there is a trunk with a mass: it needs the markers of the thorax, and both hips."""
    return model.has_thorax and len(sides) == 2


def centre_rows(model: ConventionalModel, sides: Sequence[Side], own_hips: Sequence[CentreRow]) -> list[CentreRow]:
    """Joint centres from the pelvis down. own_hips: rows of the workbook, of the rule score."""
    rows: list[CentreRow] = []
    for side in sides:
        rows += [row for row in own_hips if row.name == f"{side} hip centre"] or [_hip(model, side)]
        rows += _chords(model, side)
    if has_trunk(model, sides):
        hips = tuple(f"{side} hip centre" for side in sides)
        neck = model.of("c7"), model.of("clavicle")
        rows.append(_centre(model, HIP_MIDDLE, CentreKind.MEAN, hips, None))
        rows.append(_centre(model, NECK, CentreKind.MEAN, neck, None))
    return rows


def _hip(model: ConventionalModel, side: Side) -> CentreRow:
    kind = CentreKind.HARRINGTON if model.hip_rule == HipRule.HARRINGTON else CentreKind.DAVIS
    measures = model.measures
    offset = davis_offset(
        measures.leg_length,
        model.inter_asis,
        measures.legs[side].trochanter,
        measures.radius,
        sign_of(side),
    )
    markers = model.of("right asis"), model.of("left asis"), *model.backs
    return _centre(model, f"{side} hip centre", kind, markers, side, offset=offset)


def _chords(model: ConventionalModel, side: Side) -> Iterator[CentreRow]:
    leg, radius = model.measures.legs[side], model.measures.radius
    above = f"{side} hip centre"
    for joint, wand, width, turn in (
        ("knee", "thigh wand", leg.knee_width, leg.thigh_rotation),
        ("ankle", "shank wand", leg.ankle_width, leg.shank_rotation),
    ):
        name = f"{side} {joint} centre"
        markers = model.of(f"{side} {joint}"), model.of(f"{side} {wand}"), above
        distance = 0.5 * width + radius
        yield _centre(model, name, CentreKind.CHORD, markers, side, distance=distance, turn=-sign_of(side) * turn)
        above = name


def _centre(
    model: ConventionalModel,
    name: str,
    kind: str,
    markers: tuple[str, ...],
    side: Side | None,
    *,
    offset: np.ndarray | None = None,
    distance: float = 0.0,
    turn: float = 0.0,
) -> CentreRow:
    cells = dict.fromkeys(("name", "kind", "markers", "side", "x", "y", "z"), model.cell)
    return CentreRow(name, kind, markers, np.zeros(3) if offset is None else offset, side, cells, distance, turn)


def segment_rows(model: ConventionalModel, sides: Sequence[Side], overrides: Overrides) -> list[SegmentRow]:
    """Segments with their masses."""
    rows: list[SegmentRow] = []
    trunk = TRUNK if has_trunk(model, sides) else None
    for side in sides:
        parent = trunk
        for table, proximal, distal in (*BELOW, ("foot", "ankle centre", "")):
            ends = f"{side} {proximal}", f"{side} {distal}" if distal else model.of(f"{side} toe")
            rows.append(_segment(model, f"{side} {table}", side, ends, parent, table, overrides))
            parent = f"{side} {table}"
    if trunk:
        rows.append(_segment(model, TRUNK, None, (NECK, HIP_MIDDLE), None, "hat", overrides))
    return rows


def _segment(
    model: ConventionalModel,
    name: str,
    side: Side | None,
    ends: tuple[str, str],
    parent: str | None,
    table: str,
    overrides: Overrides,
) -> SegmentRow:
    own = overrides.get(name, {})
    numbers = {column: own.get(column) for column in MASSES}
    cells = {column.name: str(own.get(f"cells.{column.name}", model.cell)) for column in SEGMENTS.columns}
    return SegmentRow(
        name=name,
        side=side,
        proximal=ends[0],
        distal=ends[1],
        parent=parent,
        line=(ends[1], ends[0]),
        table=table,
        length="mean",
        markers=(),
        weights=(),
        cells=cells,
        **{column: value if isinstance(value, float) else None for column, value in numbers.items()},
    )


def joint_rows(model: ConventionalModel, sides: Sequence[Side]) -> list[JointRow]:
    """Hip, knee and ankle of each side."""
    rows: list[JointRow] = []
    for side in sides:
        above = PELVIS
        for name, segment, positive in JOINTS:
            rows.append(JointRow(name, side, above, f"{side} {segment}", 0.0, positive, model.cell))
            above = f"{side} {segment}"
    return rows
