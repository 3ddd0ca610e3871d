"""Points and bodies that lie absurdly far from all others: mm typed where metres count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sheetmbs.errors import Problem
from sheetmbs.workbook.plausible.view import Located, View, warning

FAR = 50.0
"""times the distance of all nearer ones from the middle"""
FEWEST = 4
"""places that lie near each other, for others to be far"""
NOWHERE = 1e-9
"""part of the largest distance: what is nearer to the middle is at it"""


def far_places(view: View) -> Iterator[Problem]:
    """Bodies and points that are apart from the rest by orders of magnitude, each at the coordinate that takes it there."""
    located = (*view.bodies, *view.points)
    far = _far(located) if len(located) > FEWEST else []
    if not far:
        return
    others = [each.where for each in located if each not in far]
    middle = np.median(others, axis=0)
    extent = float(np.max(np.linalg.norm(others - middle, axis=1)))
    directions = _directions(view)
    for each in far:
        if each.cell in directions:
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


def _far(located: Sequence[Located]) -> list[Located]:
    """Those beyond the widest gap in distances from the middle, if it is wide enough and they are the lesser part."""
    places = np.array([each.where for each in located])
    distances = np.linalg.norm(places - np.median(places, axis=0), axis=1)
    order = np.argsort(distances)
    ordered = distances[order]
    for k in range(max(FEWEST, len(ordered) // 2 + 1), len(ordered)):
        if ordered[k - 1] > NOWHERE * ordered[-1] and ordered[k] > FAR * ordered[k - 1]:
            return [located[place] for place in sorted(order[k:].tolist())]
    return []


def _directions(view: View) -> set[str]:
    """Cells of points that nothing takes hold of: they may stand for a direction, and such a one may well be far away."""
    held = np.array([view.where(marker) for marker in (*view.ends, *(force.marker for force in view.model.forces))])
    return {
        each.cell
        for each in view.points
        if len(held) and not np.any(np.all(np.isclose(held, each.where, rtol=1e-9, atol=0.0), axis=1))
    }
