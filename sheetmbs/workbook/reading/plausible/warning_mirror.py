"""Points and bodies of a left and a right side, told by their names: one of them on the wrong side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import fold
from sheetmbs.workbook.reading.plausible.warning_view import Located, View, warning

SIDES = {"left": "right", "l": "r", "lh": "rh", "fl": "fr", "rl": "rr", "bl": "br", "lf": "rf", "lr": "rr", "lb": "rb"}
"""a word of a name on the left, and the word in its place on the right"""
PART = re.compile(r"[a-z]+|[0-9]+|[^a-z0-9]+")
MIRROR_TOLERANCE = 0.02
"""of the size of the mechanism, by which mirror images may differ"""
MIN_PLANE_DISTANCE = 0.1
"""of the size: nearer to the plane of symmetry no side is meant"""
MIN_MIRROR_PAIRS = 2
"""pairs that are mirror images, for another to be none"""


@dataclass(frozen=True)
class Pair:
    """An element on the left and the one on the right."""

    left: Located
    right: Located


def mirror_images(view: View) -> Iterator[Problem]:
    """Elements that lie where their partner lies, while other pairs of left and right are images of each other."""
    for located in (view.points, view.bodies):
        pairs = _pairs(located)
        for axis in range(3):
            apart = [pair for pair in pairs if _are_apart(pair, axis, view.size)]
            if not apart:
                continue
            middle = float(np.median([_middle(pair, axis) for pair in apart]))
            images = [pair for pair in apart if abs(_middle(pair, axis) - middle) <= MIRROR_TOLERANCE * view.size]
            if len(images) < max(MIN_MIRROR_PAIRS, len(pairs) // 2):
                continue
            side = float(np.sign(np.median([pair.left.where[axis] - middle for pair in images])))
            for pair in pairs:
                if _are_together(pair, axis, middle, view.size):
                    is_left = float(np.sign(pair.left.where[axis] - middle)) != side
                    wrong, other = (pair.left, pair.right) if is_left else (pair.right, pair.left)
                    name = "xyz"[axis]
                    yield warning(
                        "wrong-side",
                        view.cell(wrong.cell, wrong.columns[axis]),
                        f"{wrong.name} lies on the same side as {other.name}: {name} = {wrong.where[axis]:.6g} m",
                        f"{len(images)} other pairs of left and right are mirror images of each other",
                        f"change the sign of its {name}",
                    )


def _pairs(located: Sequence[Located]) -> list[Pair]:
    by_name = {fold(each.name): each for each in located}
    found = []
    for name, each in by_name.items():
        parts = PART.findall(name)
        for k, part in enumerate(parts):
            partner = by_name.get("".join([*parts[:k], SIDES[part], *parts[k + 1 :]])) if part in SIDES else None
            if partner is not None:
                found.append(Pair(each, partner))
                break
    return found


def _middle(pair: Pair, axis: int) -> float:
    """Coordinate of the plane in which the two would be mirrored."""
    return float(0.5 * (pair.left.where[axis] + pair.right.where[axis]))


def _are_apart(pair: Pair, axis: int, size: float) -> bool:
    """Whether both lie alike but for this coordinate, in which they are apart."""
    gap = np.abs(pair.left.where - pair.right.where)
    return bool(np.all(np.delete(gap, axis) <= MIRROR_TOLERANCE * size) and gap[axis] > MIN_PLANE_DISTANCE * size)


def _are_together(pair: Pair, axis: int, middle: float, size: float) -> bool:
    """Whether both lie alike, away from the plane between the sides."""
    gap = np.abs(pair.left.where - pair.right.where)
    distance = abs(pair.left.where[axis] - middle)
    return bool(np.all(gap <= MIRROR_TOLERANCE * size) and distance > 0.5 * MIN_PLANE_DISTANCE * size)
