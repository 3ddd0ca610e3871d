"""Points and bodies that lie absurdly far from all others: mm typed where metres count."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.workbook.reading.plausible.doubtful_view import View, are_near, warning


def far_places(view: View) -> Iterator[Problem]:
    """Bodies and points that are apart from the rest by orders of magnitude, each at the coordinate that takes it there."""
    located = (*view.bodies, *view.points)
    near = are_near(np.array([each.where for each in located]))
    if np.all(near):
        return
    others = [each.where for each, is_near in zip(located, near, strict=True) if is_near]
    middle = np.median(others, axis=0)
    extent = float(np.max(np.linalg.norm(others - middle, axis=1)))
    directions = _directions(view)
    for each, is_near in zip(located, near, strict=True):
        if is_near or each.cell in directions:
            continue
        away = each.where - middle
        axis = int(np.argmax(np.abs(away)))
        distance = float(np.linalg.norm(away))
        yield warning(
            "far-away",
            view.cell(each.cell, each.columns[axis]),
            f"{each.name} lies {distance:.4g} m from the middle of all others, which are at most {extent:.4g} m from it",
            f"it is {distance / extent:,.0f} times as far away as they are",
            "a number without a unit is in m: write mm in the header or the cell if that is meant, or correct it",
        )


def _directions(view: View) -> set[str]:
    """Cells of points that nothing takes hold of: they may stand for a direction, and such a one may well be far away."""
    held = np.array([view.where(marker) for marker in (*view.ends, *(force.marker for force in view.model.forces))])
    return {
        each.cell
        for each in view.points
        if len(held) and not np.any(np.all(np.isclose(held, each.where, rtol=1e-9, atol=0.0), axis=1))
    }
