"""Ranges of cells put together, so that cells in many of them are looked at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sheetmbs.formulas.cell_contents import Area


def united(areas: Iterable[Area]) -> list[Area]:
    """Fewer ranges with the same cells: those that lie one below or beside the other, or overlap so, become one.

    Formulas of running sums read ranges of 1, 2, 3 .. cells: looking at each would take the square of their number.
    """
    below = _joined(areas, lambda area: (area.sheet, area.left, area.right), "top", "bottom")
    return _joined(below, lambda area: (area.sheet, area.top, area.bottom), "left", "right")


def _joined(areas: Iterable[Area], sides: Callable[[Area], object], first: str, last: str) -> list[Area]:
    """Join ranges with the same two sides along the other direction."""
    groups: dict[object, list[Area]] = {}
    for area in dict.fromkeys(areas):
        groups.setdefault(sides(area), []).append(area)
    found = []
    for group in groups.values():
        group.sort(key=lambda area: int(getattr(area, first)))
        whole = group[0]
        for area in group[1:]:
            if getattr(area, first) <= getattr(whole, last) + 1:
                whole = whole._replace(**{last: max(getattr(whole, last), getattr(area, last))})
            else:
                found.append(whole)
                whole = area
        found.append(whole)
    return found
