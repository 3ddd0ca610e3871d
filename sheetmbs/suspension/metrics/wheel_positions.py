"""How far wheel centre and contact have come from design, and the distances of contacts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.jets import Jet, Vec
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, Vector
from sheetmbs.suspension.metrics.car_contexts import CarPoses
from sheetmbs.suspension.metrics.metric import MM, AxlePoses, CornerPoses, Metric

WAYS = {"x": "forward", "y": "outboard", "z": "up"}
DESIGN = "design pose"
OTHERS = {("wheel", "x"): "recession x -1", ("contact", "y"): "half-track change", ("contact", "x"): "contact path"}


def _moved(name: str, point: Callable[[Wheel], tuple[Vec, Vector]]) -> Iterator[Metric[CornerPoses]]:
    """Three metrics of a point of a wheel. point: where it is, and where it is at design."""
    for axis, way in WAYS.items():
        yield Metric(
            f"{name}_{axis}",
            f"{name} position less that at design, {way}",
            way,
            MM,
            partial(_way, axis=axis, point=point),
            DESIGN,
            OTHERS.get((name, axis), ""),
        )


def _way(of: CornerPoses, axis: str, point: Callable[[Wheel], tuple[Vec, Vector]]) -> Jet:
    now, design = point(of.wheel)
    along = {"x": now.x, "y": now.y * of.wheel.s, "z": now.z}[axis]
    return along - design[..., "xyz".index(axis)] * (of.wheel.s if axis == "y" else 1.0)


def design_track(of: AxlePoses) -> Floats | float:
    """Distance of the contacts at design, m."""
    return of.left.design_contact[..., 1] - of.right.design_contact[..., 1]


POSITIONS: tuple[Metric[CornerPoses], ...] = (
    *_moved("wheel", lambda wheel: (wheel.centre, wheel.design_centre)),
    *_moved("contact", lambda wheel: (wheel.contact, wheel.design_contact)),
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
