"""What errors and noise make of the courses of a trial in space, by tangents of its bodies and of their loads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.body_segments import Derivatives
from sheetmbs.gait.trial.disturbance import Disturbance, Disturbed
from sheetmbs.gait.trial.gait_book import SIDES, GaitBook, Side
from sheetmbs.gait.uncertainty.body_tangents import SpatialTangents, TrialTangent
from sheetmbs.gait.uncertainty.load_tangents import ChangedCourses, MovedTrial, course_changes, of_noise, together
from sheetmbs.gait.uncertainty.noise_response import LocalResponse

AT_ONCE = 48
"""errors that are carried on together: more need memory, and are no faster"""
Shown = Callable[[ChangedCourses], Vector]
"""(columns, errors, n) of changes as they are shown"""


def spatial_changes(
    found: Mapping[int, TrialTangent], tangents: SpatialTangents, book: GaitBook, rates: Derivatives, shown: Shown
) -> dict[int, Vector]:
    """(columns, n) by which one standard deviation of each error changes what is shown. found: tangents by their number."""
    alike: dict[frozenset[str], list[int]] = {}
    for number, each in found.items():
        alike.setdefault(each.touched, []).append(number)
    changes: dict[int, Vector] = {}
    for numbers in alike.values():
        for part in _parts(numbers):
            moved = together([found[number] for number in part], rates)
            values = _changes(moved, tangents, book, shown, len(part))
            changes |= {number: values[:, place] for place, number in enumerate(part)}
    return changes


def noise_responses(
    labels: Mapping[str, Side | None],
    tangents: SpatialTangents,
    book: GaitBook,
    rates: Derivatives,
    shown: Shown,
) -> dict[str, LocalResponse]:
    """How what is shown follows each filtered marker and its derivatives. labels: with the side that alone feels it."""
    count = len(next(iter(tangents.motion.segments.values())).com)
    sides, names = {row.name: row.side for row in book.segments}, list(labels)
    found: dict[str, LocalResponse] = {}
    for numbers in together_by_side([labels[name] for name in names]):
        own = [names[number] for number in numbers]
        both = [
            tangents.of(
                Disturbance({(Disturbed.FILTERED_MARKER, label): np.tile(axis, (count, 1)) for label in own}),
                tangents.standing,
            )
            for axis in np.eye(3)
        ]
        for label, side in zip(own, numbers.values(), strict=True):
            found[label] = _response(
                [each.of_side(side, sides, (label,)) for each in both], tangents, book, rates, shown
            )
    return found


def _response(
    axes: Sequence[TrialTangent], tangents: SpatialTangents, book: GaitBook, rates: Derivatives, shown: Shown
) -> LocalResponse:
    own = list(axes)
    if any(each.bodies.keys() != own[0].bodies.keys() for each in own):
        own = [_with_all(each, axes) for each in own]
    values = _changes(of_noise(own, rates), tangents, book, shown, 3 * len(own))
    # (columns, 3 of value, rate and second x 3 axes, n), the axes running fastest
    shaped = values.reshape(len(values), 3, len(own), -1)
    return LocalResponse(np.moveaxis(shaped, (2, 1, 0), (0, 1, 2)))


def together_by_side(sides: Sequence[Side | None]) -> Iterator[dict[int, Side | None]]:
    """Numbers of errors that may be tried at once, with the side that alone feels each: one of either side."""
    right, left = ([number for number, own in enumerate(sides) if own == side] for side in SIDES)
    for number, own in enumerate(sides):
        if own is None:
            yield {number: None}
    for one, other in zip_longest(right, left):
        yield {number: side for number, side in zip((one, other), SIDES, strict=True) if number is not None}


def _with_all(tangent: TrialTangent, others: Sequence[TrialTangent]) -> TrialTangent:
    """A tangent in which all bodies stand that any of several moves."""
    missing = {
        name: replace(body, turn=0.0 * body.turn, com=0.0 * body.com, proximal=0.0 * body.proximal)
        for each in others
        for name, body in each.bodies.items()
    }
    return replace(tangent, bodies={**missing, **tangent.bodies})


def _parts(numbers: Sequence[int]) -> list[Sequence[int]]:
    return [numbers[start : start + AT_ONCE] for start in range(0, len(numbers), AT_ONCE)]


def _changes(moved: MovedTrial, tangents: SpatialTangents, book: GaitBook, shown: Shown, errors: int) -> Vector:
    return shown(course_changes(moved, tangents.motion, tangents.loads, book, errors))
