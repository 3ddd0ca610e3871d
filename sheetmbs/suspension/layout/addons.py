"""What an axle may have besides the guidance of its wheels: rack, rocker and rod, damper, bars. Tables as of a type."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sheetmbs.suspension.layout.car import AxleData
from sheetmbs.suspension.layout.type_table import BAR, CHASSIS, RACK, ROCKER, Part, PartJoint, PointRole, link

LATERAL = (0.0, 1.0, 0.0)


@dataclass(frozen=True)
class AddOn:
    """Points, bodies and joints that an axle has if it says so. has: asks the axle."""

    name: str
    has: Callable[[AxleData], bool]
    points: Callable[[AxleData], tuple[PointRole, ...]]
    parts: tuple[Part, ...]
    joints: Callable[[AxleData], tuple[PartJoint, ...]]


def _rod_joints(axle: AxleData) -> tuple[PartJoint, ...]:
    return (
        PartJoint("rocker pivot", "revolute", CHASSIS, ROCKER, ("rocker pivot", "rocker axis")),
        link(axle.rod_name, axle.rod_on, ROCKER, "rod outer", "rod rocker"),
    )


def _bar_joints(axle: AxleData) -> tuple[PartJoint, ...]:
    second = "bar axis 2"
    has_second = axle.has_point(second)
    points = ("bar axis", second) if has_second else ("bar axis",)
    return (
        PartJoint("bar pivot", "revolute", CHASSIS, BAR, points, None if has_second else LATERAL),
        link("drop link", axle.bar_on, BAR, "bar link suspension", "bar link bar"),
    )


def _along(axle: AxleData) -> tuple[float, float, float]:
    x, y, z = map(float, axle.rack_axis)
    return x, y, z


RACK_SLIDE = AddOn(
    "rack",
    has=lambda axle: axle.is_steered,
    points=lambda _axle: (),
    parts=(Part(RACK, "tie rod inner", is_central=True),),
    joints=lambda axle: (
        PartJoint("rack slide", "translational", CHASSIS, RACK, (axle.rack_point,), _along(axle), is_central=True),
    ),
)

ROD_AND_ROCKER = AddOn(
    "rod and rocker",
    has=lambda axle: axle.has_rocker,
    points=lambda axle: (
        PointRole("rod outer", axle.rod_on, f"outer end of the {axle.rod_name}"),
        PointRole("rod rocker", ROCKER, f"end of the {axle.rod_name} on the rocker"),
        PointRole("rocker pivot", CHASSIS, "pivot of the rocker"),
        PointRole("rocker axis", CHASSIS, "a second point on the axis of the rocker"),
    ),
    parts=(Part(ROCKER, "rocker pivot"),),
    joints=_rod_joints,
)

DAMPER = AddOn(
    "damper",
    has=lambda axle: axle.needs_damper_points,
    points=lambda axle: (
        PointRole(axle.damper_point, axle.damper_body, "moving end of the damper"),
        PointRole("damper chassis", CHASSIS, "end of the damper on the chassis"),
    ),
    parts=(),
    joints=lambda _axle: (),
)

SPRING = AddOn(
    "spring beside the damper",
    has=lambda axle: axle.has_point("spring rocker") or axle.has_point("spring chassis"),
    points=lambda axle: (
        PointRole("spring rocker", axle.damper_body, "moving end of the spring"),
        PointRole("spring chassis", CHASSIS, "end of the spring on the chassis"),
    ),
    parts=(),
    joints=lambda _axle: (),
)

U_BAR = AddOn(
    "U bar",
    has=lambda axle: axle.has_kind("U bar"),
    points=lambda axle: (
        PointRole("bar link suspension", axle.bar_on, "end of the drop link on the suspension"),
        PointRole("bar link bar", BAR, "end of the drop link on the bar"),
        PointRole("bar axis", CHASSIS, "where the bar turns, on its axis"),
    ),
    parts=(Part(BAR, "bar axis"),),
    joints=_bar_joints,
)

ADDONS: tuple[AddOn, ...] = (RACK_SLIDE, ROD_AND_ROCKER, DAMPER, SPRING, U_BAR)


def addons(axle: AxleData) -> list[AddOn]:
    """What an axle has besides the guidance of its wheels."""
    return [addon for addon in ADDONS if addon.has(axle)]


def roles_of(axle: AxleData) -> Iterator[PointRole]:
    """Every point that an axle needs."""
    yield from axle.type.points
    for addon in addons(axle):
        yield from addon.points(axle)


def parts_of(axle: AxleData) -> Iterator[Part]:
    """Every body that is generated of an axle."""
    yield from axle.type.parts
    for addon in addons(axle):
        yield from addon.parts


def joints_of(axle: AxleData) -> Iterator[PartJoint]:
    """Every joint that is generated of an axle."""
    yield from axle.type.joints
    for addon in addons(axle):
        yield from addon.joints(axle)
