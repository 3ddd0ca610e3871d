"""Points and bodies that lie absurdly far from all others: mm typed where metres count."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.elements.marker import GROUND
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import fold
from sheetmbs.workbook.reading.plausible.warning_view import (
    MAX_RELATIVE_DISTANCE,
    MIN_NEAR_PLACES,
    View,
    are_near,
    warning,
)

MAX_GRAVITY = 1000.0
"""m/s^2, a hundred times the Earth's"""
MAX_SIZE_IN_METRES = 10.0
"""m; a workbook all without units whose bodies lie further apart may well be in mm, s and consistent masses"""


def far_places(view: View) -> Iterator[Problem]:
    """Bodies, points and ends of elements that are apart from the rest by orders of magnitude, each at its coordinate."""
    located = (*view.bodies, *view.points)
    near = are_near(np.array([each.where for each in located]))
    others = [each.where for each, is_near in zip(located, near, strict=True) if is_near]
    if not others:
        return
    middle = np.median(others, axis=0)
    extent = float(np.max(np.linalg.norm(others - middle, axis=1)))
    directions = _directions(view)
    far = [each for each, is_near in zip(located, near, strict=True) if not (is_near or each.cell in directions)]
    if len(others) >= MIN_NEAR_PLACES and extent > 0.0:
        far += [
            each
            for each in view.free_ends
            if float(np.linalg.norm(each.where - middle)) > MAX_RELATIVE_DISTANCE * extent
        ]
    for each in far:
        away = each.where - middle
        axis = int(np.argmax(np.abs(away)))
        distance = float(np.linalg.norm(away))
        yield warning(
            "far-away",
            view.cell(each.cell, each.columns[axis]),
            f"{each.name} is {distance:.4g} m from the middle of all others, which are at most {extent:.4g} m from it",
            f"it is {distance / extent:,.0f} times as far away as they are",
            "a number without a unit is in m: write mm in the header or the cell if that is meant, or correct it",
        )


def _directions(view: View) -> set[str]:
    """Cells of points that may only stand for a direction, and such a one may well be far away.

    These are points to which the axis of a row leads, and points of the ground; in both cases nothing takes hold of them.
    """
    held = np.array([view.where(marker) for marker in (*view.ends, *(force.marker for force in view.model.forces))])
    named = view.named_directions
    return {
        located.cell
        for located, point in zip(view.points, view.model.points, strict=True)
        if (point.marker.body == GROUND or fold(point.name) in named)
        and len(held)
        and not np.any(np.all(np.isclose(held, located.where, rtol=1e-9, atol=0.0), axis=1))
    }


def upward_gravity(view: View) -> Iterator[Problem]:
    """Gravity along +y, or in space along +z, where bodies have mass: its sign was forgotten, or the axis points down."""
    settings = view.model.settings
    place = int(np.argmax(np.abs(settings.gravity)))
    value, has_weight = settings.gravity[place], any(body.mass for body in view.model.bodies)
    if place == 0 or value <= 0.0 or not has_weight:
        return
    axis = "xyz"[place]
    yield warning(
        "gravity-upwards",
        settings.cells.get(f"gravity_{axis}", view.sheet("Settings")),
        f"gravity_{axis} = {value:.4g} m/s^2, which pulls all masses towards +{axis}",
        f"gravity is an acceleration along the axes: where {axis} points up, it is negative",
        f"write {-value:.4g} m/s^2, unless {axis} points down in this model",
    )


def large_gravity(view: View) -> Iterator[Problem]:
    """Gravity that no machine bears, unless the workbook has units of its own, which it then leaves blank everywhere."""
    settings = view.model.settings
    size = float(np.linalg.norm(settings.gravity))
    if size <= MAX_GRAVITY or (view.size > MAX_SIZE_IN_METRES and not view.has_units()):
        return
    place = int(np.argmax(np.abs(settings.gravity)))
    axis, usual = "xyz"[place], float(np.copysign(9.81, settings.gravity[place]))
    yield warning(
        "large-gravity",
        settings.cells.get(f"gravity_{axis}", view.sheet("Settings")),
        f"gravity is {size:.4g} m/s^2, {size / 9.80665:,.0f} times the Earth's",
        "a number without a unit is in SI, here in m/s^2",
        f"write mm/s^2 in the column unit, or {usual}",
    )
