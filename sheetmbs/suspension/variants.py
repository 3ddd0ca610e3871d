"""Metrics of many variants of hardpoints of one axle: what studies and optimisers ask for.

A design is lowered once; each variant writes its coordinates into the arrays, and the formulas of metrics go through the poses
of some dozens of variants at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.spring_elements import LazyLaws, laws
from sheetmbs.suspension.kinematics.axle_system import by_side, level_placing, moved_drivers
from sheetmbs.suspension.kinematics.posed_variants import NoVariantsError, Places, VariantPart, VariantPoses
from sheetmbs.suspension.kinematics.sweeps import SweptAxle, swept_rows
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import MIRROR, SIDES, AxleData, Hardpoint, LazyItems
from sheetmbs.suspension.layout.type_table import T_HEAD
from sheetmbs.suspension.metrics.columns import metrics_over_poses
from sheetmbs.suspension.solved_design import SolvedDesign

PER_BLOCK = 64
"""variants whose poses go through the formulas together: more of them leave the cache of a processor"""


@dataclass(frozen=True, eq=False)
class VariantMetrics:
    """Metrics of V variants at n poses. names, units: of each; values: (V, n, metrics), NaN where a pose was not reached."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    values: Floats

    def of(self, name: str) -> Floats:
        """(V, n) of a metric, as its column is named."""
        return np.asarray(self.values[:, :, self.names.index(name)])

    @property
    def reached(self) -> NDArray[np.bool_]:
        """(V, n) whether a pose has any metric at all."""
        return np.asarray(~np.isnan(self.values).all(axis=2))


class VariantStudy:
    """An axle of a design whose hardpoints are to be moved, again and again.

    coordinates: which, as items of Adjustments name them, ``lower ball joint.z``: of the left side in axes of ISO 8855; a right
    point moves as the mirror image of the left one. travel: (n,) of both wheels from design, m; rack: (n,) m, None at rest.
    metrics: names of columns, ``FL.camber``.

    Raises ValueError for names that the axle does not have, and NoVariantsError where something else than hardpoints says how
    the axle stands.
    """

    def __init__(
        self,
        design: SolvedDesign,
        axle: str,
        coordinates: Sequence[str],
        travel: Floats,
        rack: Floats | None = None,
        metrics: Collection[str] = (),
    ) -> None:
        self._car, self._metrics = design.car, tuple(metrics)
        self._system = design.systems[axle]
        self._axle = self._system.axle
        self._coordinates = [self._coordinate(name) for name in coordinates]
        still = np.zeros_like(travel)
        self._placing = level_placing(dict.fromkeys(SIDES, travel), still if rack is None else rack)
        if self._axle.drawn is not None:
            raise NoVariantsError("adjustments or the workbook's own rows have changed it")
        if self._axle.counts_at_contact:
            raise NoVariantsError("its travel is that of the contacts")
        if any(joint.body_j == T_HEAD for joint in joints_of(self._axle)):
            raise NoVariantsError("the stem of its T bar follows from points of both sides")
        self._parts = {side: VariantPart(part, self._axle) for part in self._system.parts for side in part.sides[:1]}
        self._part_of = {side: part.sides[0] for part in self._system.parts for side in part.sides}

    def _coordinate(self, name: str) -> tuple[str, int]:
        point, _, along = name.rpartition(".")
        if not self._axle.has_point(point) or along not in ("x", "y", "z"):
            raise ValueError(
                f"{name} is no coordinate of a point of the {self._axle.name} axle, such as {self._example}"
            )
        return point, "xyz".index(along)

    @property
    def _example(self) -> str:
        return f"{next(iter(self._axle.points['left']))}.z"

    @property
    def as_drawn(self) -> Floats:
        """(coordinates,) values of the design itself, m."""
        points = self._axle.points["left"]
        return np.array([points[point].position[along] for point, along in self._coordinates])

    def metrics(self, values: Floats) -> VariantMetrics:
        """Metrics of variants, given the values of their coordinates (V, coordinates), m."""
        if values.ndim != 2 or values.shape[1] != len(self._coordinates):
            raise ValueError(f"values of {len(self._coordinates)} coordinates are asked for, in rows")
        blocks = [self._of_block(values[first : first + PER_BLOCK]) for first in range(0, len(values), PER_BLOCK)]
        names, units, _values = blocks[0]
        return VariantMetrics(names, units, np.concatenate([found for _names, _units, found in blocks]))

    def swept(self, values: Floats) -> tuple[SweptAxle, SweptAxle]:
        """One variant at its poses and at its design pose. values: (coordinates,) m."""
        places = self._places(values[None, :])
        points = {
            side: {name: replace(point, position=places[side][name][0]) for name, point in own.items()}
            for side, own in self._axle.points.items()
        }
        axle = replace(self._axle, points=points)
        found = {
            first: part.posed(places, moved_drivers(part.part, self._axle, self._placing))
            for first, part in self._parts.items()
        }

        def posed(*, at_design: bool) -> SweptAxle:
            placing = level_placing(dict.fromkeys(SIDES, np.zeros(1)), np.zeros(1)) if at_design else self._placing
            still = np.zeros(len(placing.rack))

            def wheel(side: str) -> Wheel:
                part, both = self._parts[self._part_of[side]].part, found[self._part_of[side]]
                return Wheel(axle, side, by_side(both.design if at_design else both.poses, part, side), still, still)

            wheels = LazyItems(SIDES, wheel)
            return SweptAxle(replace(self._system, axle=axle), wheels, slice(0, len(still)), placing)

        return posed(at_design=False), posed(at_design=True)

    def at_design(self, values: Floats) -> SweptAxle:
        """Variants (V, coordinates) at their design poses, one after the other."""
        return self._together(values, self._poses_of(self._places(values)), 1, at_design=True)

    def each_of(self, together: SweptAxle) -> Iterator[SweptAxle]:
        """Each of several variants at their design poses by itself, as an axle that is drawn so."""
        one = level_placing(dict.fromkeys(SIDES, np.zeros(1)), np.zeros(1))
        moved = {name for name, _along in self._coordinates}
        for row in range(len(together.placing.rack)):
            points = {
                side: dict(own)
                | {name: replace(own[name], position=together.axle.points[side][name].position[row]) for name in moved}
                for side, own in self._axle.points.items()
            }
            axle, poses = replace(self._axle, points=points), swept_rows(together, np.array([row])).wheels
            wheels = {side: replace(wheel, axle=axle) for side, wheel in poses.items()}
            yield SweptAxle(replace(self._system, axle=axle), wheels, slice(0, 1), one)

    def with_places(self, values: Floats, repeated: int) -> AxleData:
        """The axle with the points of all variants (V, coordinates), each as often as it has poses."""
        return _with_places(self._axle, self._places(values), repeated)

    def _poses_of(self, places: Places) -> Callable[[str], VariantPoses]:
        @cache
        def posed(first: str) -> VariantPoses:
            part = self._parts[first]
            return part.posed(places, moved_drivers(part.part, self._axle, self._placing))

        return posed

    def _together(
        self, values: Floats, posed: Callable[[str], VariantPoses], repeated: int, *, at_design: bool
    ) -> SweptAxle:
        axle = self.with_places(values, repeated)
        still = np.zeros(len(values) * repeated)

        def wheel(side: str) -> Wheel:
            part, found = self._parts[self._part_of[side]].part, posed(self._part_of[side])
            return Wheel(axle, side, by_side(found.design if at_design else found.poses, part, side), still, still)

        at = level_placing(dict.fromkeys(SIDES, still), still) if at_design else self._placing.repeated(len(values))
        return SweptAxle(replace(self._system, axle=axle), LazyItems(SIDES, wheel), slice(0, len(still)), at)

    def _of_block(self, values: Floats) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
        rows, posed = len(self._placing.rack), self._poses_of(self._places(values))
        design = self._together(values, posed, 1, at_design=True)
        swept = replace(self._together(values, posed, rows, at_design=False), design=design)
        names, units, found = metrics_over_poses(
            self._car, swept, LazyLaws(lambda: laws(self._car, design)), self._metrics
        )
        return names, units, found.reshape(len(values), rows, -1)

    def _places(self, values: Floats) -> Places:
        """Where every hardpoint is in every variant."""
        places = {
            side: {name: np.tile(point.position, (len(values), 1)) for name, point in points.items()}
            for side, points in self._axle.points.items()
        }
        for number, (name, along) in enumerate(self._coordinates):
            shift = values[:, number] - self._axle.points["left"][name].position[along]
            for side in SIDES:
                is_mirrored = side == "right" and not self._axle.points[side][name].is_central
                places[side][name][:, along] += shift * (MIRROR[along] if is_mirrored else 1.0)
        return places


def _with_places(axle: AxleData, places: Places, repeated: int) -> AxleData:
    """An axle whose points have the places of every variant, each as often as it has poses."""

    def placed(side: str, name: str) -> Hardpoint:
        return replace(axle.points[side][name], position=np.repeat(places[side][name], repeated, axis=0))

    return replace(axle, points={side: LazyItems(axle.points[side], partial(placed, side)) for side in SIDES})
