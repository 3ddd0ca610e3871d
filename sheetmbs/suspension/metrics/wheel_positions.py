"""How far wheel centre and contact have come from design, and the distances of contacts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import cast

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.compliance.axle_compliance import contact_on_tyre
from sheetmbs.suspension.compliance.elastic_axle import ElasticPoses
from sheetmbs.suspension.kinematics.jets import Jet, Vec
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, Vector
from sheetmbs.suspension.metrics.car_contexts import CarPoses
from sheetmbs.suspension.metrics.metric import MM, AxlePoses, CornerPoses, Metric

WAYS = {"x": "forward", "y": "outboard", "z": "up"}
DESIGN = "design pose"
OTHERS = {("wheel", "x"): "recession x -1", ("contact", "y"): "half-track change", ("contact", "x"): "contact path"}


def _moved(name: str, way: Callable[..., Jet | Floats]) -> Iterator[Metric[CornerPoses]]:
    """Three metrics of a point of a wheel. way: how far it has come along an axis."""
    for axis, positive in WAYS.items():
        yield Metric(
            f"{name}_{axis}",
            f"{name} position less that at design, {positive}",
            positive,
            MM,
            partial(way, axis=axis),
            DESIGN,
            OTHERS.get((name, axis), ""),
        )


def _way(of: CornerPoses, axis: str, point: Callable[[Wheel], tuple[Vec, Vector]]) -> Jet:
    now, design = point(of.wheel)
    along = {"x": now.x, "y": now.y * of.wheel.s, "z": now.z}[axis]
    return along - design[..., "xyz".index(axis)] * (of.wheel.s if axis == "y" else 1.0)


def _contact_way(of: CornerPoses, axis: str) -> Jet | Floats:
    """As `_way` of the contact, with what an elastic tyre adds under the stepped load of a sweep."""
    moved = _way(of, axis, lambda wheel: (wheel.contact, wheel.design_contact))
    elastic = of.of_axle.swept.elastic
    if elastic is None or elastic.tells_compliance:
        return moved
    on_tyre = contact_on_tyre(cast("ElasticPoses", elastic), SIDES.index(of.side))[:, "xyz".index(axis)]
    return moved + on_tyre * (of.wheel.s if axis == "y" else 1.0)


def design_track(of: AxlePoses) -> Floats | float:
    """Distance of the contacts at design, m."""
    return of.left.design_contact[..., 1] - of.right.design_contact[..., 1]


POSITIONS: tuple[Metric[CornerPoses], ...] = (
    *_moved("wheel", partial(_way, point=lambda wheel: (wheel.centre, wheel.design_centre))),
    *_moved("contact", _contact_way),
)

TRACK: tuple[Metric[AxlePoses], ...] = (
    Metric("track", "y_CL - y_CR along the road", "wide", MM, lambda of: of.track, "road"),
    Metric("track_change", "track - track(design)", "wider", MM, lambda of: of.track - design_track(of), DESIGN),
)


def _wheelbase(of: CarPoses, side: str) -> Floats | None:
    """(n,) distance of the contacts of one side along the car, m; None of one axle."""
    if not {"front", "rear"} <= set(of.axles):
        return None
    front, rear = (of.spread(name, of.axles[name].swept.wheels[side].contact.value[:, 0]) for name in ("front", "rear"))
    return front - rear


def _wheelbase_change(of: CarPoses, side: str) -> Floats | None:
    found = _wheelbase(of, side)
    if found is None:
        return None
    front, rear = (of.axles[name].swept.wheels[side].design_contact[..., 0] for name in ("front", "rear"))
    return found - (front - rear)


WHEELBASES: tuple[Metric[CarPoses], ...] = tuple(
    Metric(name, definition, sign, MM, partial(find, side=side), reference)
    for side in SIDES
    for name, definition, sign, find, reference in (
        (f"wheelbase_{side}", f"x_CF - x_CR of the {side} wheels", "long", _wheelbase, "body"),
        (f"wheelbase_{side}_change", "wheelbase less that at design", "longer", _wheelbase_change, DESIGN),
    )
)
