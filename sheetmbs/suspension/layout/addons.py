"""What an axle may have besides the guidance of its wheels: rack, rocker and rod, damper, bars. Tables as of a type."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.layout.car import BLADE_AXIS, BLADE_END, AxleData, computed_once
from sheetmbs.suspension.layout.type_table import (
    AXLE,
    BAR,
    BLADE,
    CHASSIS,
    RACK,
    ROCKER,
    T_BASE,
    T_HEAD,
    UPRIGHT,
    WATT_CRANK,
    WHEEL_CENTRE,
    Part,
    PartJoint,
    PointRole,
    link,
)

LENGTHWISE, LATERAL = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
LINK_POINT = re.compile(r"(link [1-9]) (inner|outer)")


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
    SpringKind.U_BAR,
    has=lambda axle: axle.has_kind(SpringKind.U_BAR),
    points=lambda axle: (
        PointRole("bar link suspension", axle.bar_on, "end of the drop link on the suspension"),
        PointRole("bar link bar", BAR, "end of the drop link on the bar"),
        PointRole("bar axis", CHASSIS, "where the bar turns, on its axis"),
    ),
    parts=(Part(BAR, "bar axis"),),
    joints=_bar_joints,
)


def _stem(axle: AxleData) -> tuple[float, float, float]:
    """From the base of a T bar to the middle of its ends."""
    base = axle.points["left"]["T-bar base"].position
    ends = [axle.points[side]["bar link bar"].position for side in ("left", "right")]
    x, y, z = 0.5 * (ends[0] + ends[1]) - base
    return float(x), float(y), float(z)


def _t_bar_joints(axle: AxleData) -> tuple[PartJoint, ...]:
    return (
        PartJoint("T base pivot", "revolute", CHASSIS, T_BASE, ("T-bar base",), LATERAL, is_central=True),
        PartJoint("T head pivot", "revolute", T_BASE, T_HEAD, ("T-bar base",), _stem(axle), is_central=True),
        link("drop link", axle.bar_on, T_HEAD, "bar link suspension", "bar link bar"),
    )


T_BAR = AddOn(
    SpringKind.T_BAR,
    has=lambda axle: axle.has_kind(SpringKind.T_BAR),
    points=lambda axle: (
        PointRole("bar link suspension", axle.bar_on, "end of the drop link on the suspension"),
        PointRole("bar link bar", T_HEAD, "end of the drop link on the bar"),
        PointRole("T-bar base", CHASSIS, "foot of the T bar, about which it swings", is_central=True),
    ),
    parts=(Part(T_BASE, "T-bar base", is_central=True), Part(T_HEAD, "bar link bar", is_central=True)),
    joints=_t_bar_joints,
)

BLADE_BAR = AddOn(
    SpringKind.BLADE_BAR,
    has=lambda axle: axle.has_kind(SpringKind.BLADE_BAR),
    points=lambda axle: (
        PointRole("bar link suspension", axle.bar_on, "end of the drop link on the suspension"),
        PointRole(BLADE_END, BLADE, "tip of the blade, where its drop link hangs"),
        PointRole(BLADE_AXIS[0], CHASSIS, "where the blade turns, on its axis", is_central=True),
        PointRole(BLADE_AXIS[1], CHASSIS, "a second point on the axis of the blade", is_central=True),
    ),
    parts=(Part(BLADE, BLADE_AXIS[0], is_central=True),),
    joints=lambda _axle: (PartJoint("blade pivot", "revolute", CHASSIS, BLADE, BLADE_AXIS, is_central=True),),
)

KINGPIN = AddOn(
    "kingpin",
    has=lambda axle: axle.has_kingpin,
    points=lambda axle: (
        PointRole("kingpin lower", axle.type.wheel_carrier, "lower point of the steering axis"),
        PointRole("kingpin upper", axle.type.wheel_carrier, "upper point of the steering axis"),
        PointRole("tie rod inner", RACK, "inner joint of the tie rod, on the rack"),
        PointRole("tie rod outer", UPRIGHT, "outer joint of the tie rod"),
    ),
    parts=(Part(UPRIGHT, WHEEL_CENTRE),),
    joints=lambda axle: (
        PartJoint("kingpin", "revolute", axle.type.wheel_carrier, UPRIGHT, ("kingpin lower", "kingpin upper")),
        link("tie rod", RACK, UPRIGHT, "tie rod inner", "tie rod outer"),
    ),
)


def _axle_links(axle: AxleData) -> list[str]:
    """The links of a solid axle of which a point is given, in the order of their numbers."""
    given = {match[1] for match in map(LINK_POINT.fullmatch, axle.points["left"]) if match}
    return sorted(given, key=lambda name: int(name.split()[1]))


def _are_central(axle: AxleData, *names: str) -> bool:
    return all(axle.has_point(name) and axle.points["left"][name].is_central for name in names)


AXLE_LINKS = AddOn(
    "links of a solid axle",
    has=lambda axle: axle.type.wheel_carrier == AXLE,
    points=lambda axle: tuple(
        point
        for name in _axle_links(axle)
        for point in (
            PointRole(f"{name} inner", CHASSIS, f"joint of {name} on the body"),
            PointRole(f"{name} outer", AXLE, f"joint of {name} on the axle"),
        )
    ),
    parts=(),
    joints=lambda axle: tuple(
        replace(
            link(name, CHASSIS, AXLE, f"{name} inner", f"{name} outer"),
            is_central=_are_central(axle, f"{name} inner", f"{name} outer"),
        )
        for name in _axle_links(axle)
    ),
)

PANHARD_ROD = AddOn(
    "Panhard rod",
    has=lambda axle: axle.has_point("panhard inner") or axle.has_point("panhard outer"),
    points=lambda _axle: (
        PointRole("panhard inner", CHASSIS, "joint of the Panhard rod on the body", is_central=True),
        PointRole("panhard outer", AXLE, "joint of the Panhard rod on the axle", is_central=True),
    ),
    parts=(),
    joints=lambda _axle: (
        replace(link("panhard rod", CHASSIS, AXLE, "panhard inner", "panhard outer"), is_central=True),
    ),
)


def _watt_ends(axle: AxleData) -> tuple[str, str, str]:
    """Bodies of the pivot of the crank, of the inner ends of its links, and of the outer ones."""
    is_on_body = axle.has_point("watt pivot") and axle.points["left"]["watt pivot"].on == CHASSIS
    return (CHASSIS, WATT_CRANK, AXLE) if is_on_body else (AXLE, CHASSIS, WATT_CRANK)


def _watt_points(axle: AxleData) -> tuple[PointRole, ...]:
    pivot, inner, outer = _watt_ends(axle)
    ends = ((side, end, body) for side in ("left", "right") for end, body in (("inner", inner), ("outer", outer)))
    return (
        PointRole("watt pivot", pivot, "pivot of the crank of Watt's linkage", is_central=True),
        *(
            PointRole(f"watt {side} {end}", body, f"{end} joint of the {side} link of Watt's linkage", is_central=True)
            for side, end, body in ends
        ),
    )


def _watt_joints(axle: AxleData) -> tuple[PartJoint, ...]:
    pivot, inner, outer = _watt_ends(axle)
    links = (link(f"watt {s}", inner, outer, f"watt {s} inner", f"watt {s} outer") for s in ("left", "right"))
    return (
        PartJoint("watt pivot", "revolute", pivot, WATT_CRANK, ("watt pivot",), LENGTHWISE, is_central=True),
        *(replace(each, is_central=True) for each in links),
    )


WATT_LINKAGE = AddOn(
    "Watt's linkage",
    has=lambda axle: any(name.startswith("watt ") for name in axle.points["left"]),
    points=_watt_points,
    parts=(Part(WATT_CRANK, "watt pivot", is_central=True),),
    joints=_watt_joints,
)

ADDONS: tuple[AddOn, ...] = (
    *(RACK_SLIDE, ROD_AND_ROCKER, DAMPER, SPRING, U_BAR, T_BAR, BLADE_BAR),
    *(KINGPIN, AXLE_LINKS, PANHARD_ROD, WATT_LINKAGE),
)


def addons(axle: AxleData) -> list[AddOn]:
    """What an axle has besides the guidance of its wheels."""
    return [addon for addon in ADDONS if addon.has(axle)]


def roles_of(axle: AxleData) -> Iterator[PointRole]:
    """Every point that an axle needs."""
    for role in axle.type.points:
        yield replace(role, on=axle.wheel_carrier) if role.name == WHEEL_CENTRE else role
    for addon in addons(axle):
        yield from addon.points(axle)


def parts_of(axle: AxleData) -> Iterator[Part]:
    """Every body that is generated of an axle."""
    yield from axle.type.parts
    for addon in addons(axle):
        yield from addon.parts


@computed_once
def joints_of(axle: AxleData) -> tuple[PartJoint, ...]:
    """Every joint that is generated of an axle."""
    found = (*axle.type.joints, *(each for addon in addons(axle) for each in addon.joints(axle)))
    return tuple(joint for joint in found if joint.name not in axle.elastic_members)
