"""T-shaped anti-roll bars: a base that swings on the chassis and a head that twists about the stem."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema import units as u
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.element_kind import SETTING, TURNING_STIFFNESS_CURVE, ElementKind, Law, Span
from sheetmbs.suspension.elastic.kinds.u_bar import TUBE, TUBE_NEEDS, no_turn, tube_stiffness
from sheetmbs.suspension.kinematics.body_motion import turn_about
from sheetmbs.suspension.layout.car import SIDES, AxleData, SpringElement, Vector
from sheetmbs.suspension.layout.type_table import T_BASE, T_HEAD

SWING = " swing"
LATERAL = np.array([0.0, 1.0, 0.0])


def _turns(_row: SpringElement, axle: AxleData) -> Iterator[Span]:
    """Twist of the head about the stem, + where the left wheel is higher, and swing of the base about the lateral axis."""
    here, drawn = stem_of(axle), stem_of(axle.as_drawn)
    twist = turn_about("left", (T_BASE, T_HEAD), here, drawn)
    yield Span("", twist, grows_with=(1.0, -1.0))
    yield Span("", turn_about("left", ("", T_BASE), (LATERAL, here[0]), (LATERAL, drawn[0])), suffix=SWING)


def stem_of(axle: AxleData) -> tuple[Vector, Vector]:
    """Unit direction of the stem, from the base to the middle of the ends, and from the right end to the left (3,)."""
    left, right = (axle.points[side]["bar link bar"].position for side in SIDES)
    stem = 0.5 * (left + right) - axle.points["left"]["T-bar base"].position
    return np.asarray(stem / np.linalg.norm(stem, axis=-1, keepdims=True)), np.asarray(left - right)


def _law(row: SpringElement, suffix: str, _preload: Floats) -> Law:
    """Moment and stiffness over twist or swing."""
    k = (row.number("k_swing") or 0.0) if suffix else tube_stiffness(row)
    return lambda turned: (k * turned, np.full_like(turned, k))


T_BAR = ElementKind(
    SpringKind.T_BAR,
    "anti-roll bar with one stem",
    numbers=(("k", u.ROTATIONAL_STIFFNESS), ("k_swing", u.ROTATIONAL_STIFFNESS), *TUBE, SETTING),
    needs=(("k",), TUBE_NEEDS, ("k_of_setting", "setting")),
    spans=_turns,
    law=_law,
    drawn=no_turn,
    curves=(TURNING_STIFFNESS_CURVE,),
    texts=("on",),
    turns=True,
    is_bar=True,
)
