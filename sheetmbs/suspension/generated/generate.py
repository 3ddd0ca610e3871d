"""From hardpoints to rows of the general sheets, each with its cell: of axles in sweeps, and of the free car on its tyres."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from sheetmbs.elements.forces.bushing_force import BUSHING
from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.spherical import SPHERICAL
from sheetmbs.elements.joints.translational import TRANSLATIONAL
from sheetmbs.elements.joints.universal import UNIVERSAL
from sheetmbs.engine.records import Floats
from sheetmbs.model.model import Model
from sheetmbs.suspension.layout.addons import joints_of, parts_of
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData, Hardpoint, Vector
from sheetmbs.suspension.layout.heavy_members import Member, members_of
from sheetmbs.suspension.layout.mass_data import corner_load, wheel_mass
from sheetmbs.suspension.layout.type_table import CHASSIS, RACK, WHEEL_CENTRE, Part, PartJoint

Value = str | float


@dataclass(frozen=True)
class GeneratedRow:
    """A row of a general sheet, SI. cell: the cell of a suspension sheet it came from; cells: of single columns.

    stands_for: columns that it says in another way, whose cells on a row of the user's own are in it already.
    """

    sheet: str
    name: str
    values: dict[str, Value]
    cell: str
    cells: Mapping[str, str] = field(default_factory=dict)
    stands_for: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class GeneratedCurve:
    """A curve, SI. x, y: (n,), in x_unit and y_unit. cell: the cell of a suspension sheet it came from."""

    name: str
    x: Floats
    y: Floats
    x_unit: str
    y_unit: str
    interpolation: str
    cell: str

    @property
    def columns(self) -> tuple[tuple[str, Sequence[str | float]], ...]:
        """Headers and the cells below them."""
        pair = (
            (f"{self.name}.x [{self.x_unit}]", self.x.tolist()),
            (f"{self.name}.y [{self.y_unit}]", self.y.tolist()),
        )
        is_cubic = self.interpolation == "cubic"
        return (*pair, (f"{self.name}.interpolation", ["cubic"])) if is_cubic else pair

    @property
    def mirrored(self) -> GeneratedCurve:
        """Tension over extension of what is compression over compression, and the other way round."""
        return replace(self, x=-self.x[::-1] + 0.0, y=-self.y[::-1] + 0.0)


def generated_rows(car: CarData, heavy: frozenset[str] = frozenset()) -> list[GeneratedRow]:
    """Every row that the suspension sheets stand for, in the order in which they are written.

    heavy: names of the bodies of links and strut rods that have one.
    """
    rows = [GeneratedRow("Bodies", CHASSIS, {"x": 0.0, "y": 0.0, "z": 0.0}, car.axles[0].cells.get("type", ""))]
    for make in (partial(_bodies, heavy=heavy), _points, partial(_joints, heavy=heavy), _drivers):
        for axle in car.axles:
            rows += make(axle)
    return rows


def _at(position: Vector) -> dict[str, Value]:
    return dict(zip("xyz", map(float, position), strict=True))


def _bodies(axle: AxleData, heavy: frozenset[str]) -> Iterator[GeneratedRow]:
    for side, part in _sides(parts_of(axle)):
        point = axle.points[side][_origin(axle, part)]
        position = _middle(axle, part) if part.is_central else point.position
        yield GeneratedRow("Bodies", axle.body_name(part.name, side), _at(position), point.cell)
    for member in members_of(axle):
        if member.body in heavy:
            cell = axle.points[member.side][member.joint.points[0]].cell
            yield GeneratedRow("Bodies", member.body, _at(member.middle), cell)


def _origin(axle: AxleData, part: Part) -> str:
    """The point at which a body stands: a rack where the rods of this type hang on it."""
    return axle.rack_point if part.name == RACK else part.at


def _middle(axle: AxleData, part: Part) -> Vector:
    """Where a body of the axle stands: between the points of both sides."""
    left, right = (axle.points[side][_origin(axle, part)].position for side in SIDES)
    return 0.5 * (left + right)


def _sides(each: Iterator[Part]) -> Iterator[tuple[str, Part]]:
    for part in each:
        for side in SIDES:
            if side == "left" or not part.is_central:
                yield side, part


def point_name(axle: AxleData, side: str, name: str) -> str:
    """Name of a hardpoint on the sheet Points."""
    owner = axle.name if axle.points[side][name].is_central else axle.corner(side)
    return f"{owner} {name}"


def _points(axle: AxleData) -> Iterator[GeneratedRow]:
    for side in SIDES:
        for point in axle.points[side].values():
            if point.is_central and side == "right":
                continue
            yield _point(axle, side, point)


def _point(axle: AxleData, side: str, point: Hardpoint) -> GeneratedRow:
    place = axle.blade_tip(side) if point.is_turned else point.position
    values = {"body": axle.body_name(point.on, side), **_at(place), "frame": "global"}
    if point.is_reported:
        values["report"] = "yes"
    cells = {"body": point.on_cell} if point.on_cell else {}
    return GeneratedRow("Points", point_name(axle, side, point.name), values, point.cell, cells)


def _joints(axle: AxleData, heavy: frozenset[str]) -> Iterator[GeneratedRow]:
    members = {(member.joint, member.side): member for member in members_of(axle) if member.body in heavy}
    for joint in joints_of(axle):
        for side in SIDES:
            if joint.is_central and side == "right":
                continue
            member = members.get((joint, side))
            yield from [_joint(axle, side, joint)] if member is None else heavy_joints(member)


def _joint(axle: AxleData, side: str, joint: PartJoint) -> GeneratedRow:
    values: dict[str, Value] = {
        "type": joint.type,
        "body_i": axle.body_name(joint.body_i, side),
        "body_j": axle.body_name(joint.body_j, side),
    }
    names = [point_name(axle, side, name) for name in joint.points]
    if joint.type == DISTANCE.name:
        values["point_i"], values["point_j"] = names
    else:
        values["point"] = names[0]
        if len(names) > 1:
            values["axis_point"] = names[1]
        elif joint.axis is not None:
            values |= dict(zip(("axis_x", "axis_y", "axis_z"), joint.axis, strict=True))
    owner = axle.name if joint.is_central else axle.corner(side)
    return GeneratedRow("Joints", f"{owner} {joint.name}", values, axle.points[side][joint.points[0]].cell)


def heavy_joints(member: Member) -> Iterator[GeneratedRow]:
    """The joints of a member that is a body: they hold what it holds without one, and keep it from spinning.

    A link: universal at its inner end, spherical at its outer one. A strut rod: spherical at its top, translational in the
    upright.
    """
    inner, outer = member.carriers
    at_inner, at_outer = (point_name(member.axle, member.side, name) for name in member.ends)
    points = member.axle.points[member.side]
    cell_inner, cell_outer = (points[name].cell for name in member.ends)
    if member.is_strut:
        top: dict[str, Value] = {"type": SPHERICAL.name, "body_i": inner, "body_j": member.body, "point": at_inner}
        slide: dict[str, Value] = {"type": TRANSLATIONAL.name, "body_i": outer, "body_j": member.body}
        slide |= {"point": at_outer, "axis_point": at_inner}
        yield GeneratedRow("Joints", f"{member.owner} {member.joint.name}", slide, cell_outer)
        yield GeneratedRow("Joints", at_inner, top, cell_inner)
        return
    universal: dict[str, Value] = {"type": UNIVERSAL.name, "body_i": inner, "body_j": member.body, "point": at_inner}
    for name, axis in zip(("axis", "axis2"), member.cross_axes, strict=True):
        universal |= {f"{name}_{letter}": float(part) for letter, part in zip("xyz", axis, strict=True)}
    ball: dict[str, Value] = {"type": SPHERICAL.name, "body_i": member.body, "body_j": outer, "point": at_outer}
    yield GeneratedRow("Joints", at_inner, universal, cell_inner)
    yield GeneratedRow("Joints", at_outer, ball, cell_outer)


def _drivers(axle: AxleData) -> Iterator[GeneratedRow]:
    for side in SIDES:
        centre = axle.points[side][WHEEL_CENTRE]
        values: dict[str, Value] = {
            "point": point_name(axle, side, WHEEL_CENTRE),
            "coordinate": "z",
            "position": float(centre.position[2]),
        }
        yield GeneratedRow("Drivers", travel_driver(axle, side), values, centre.cell)
    if axle.is_steered:
        values = {"joint": f"{axle.name} rack slide", "coordinate": "displacement"}
        yield GeneratedRow("Drivers", rack_driver(axle), values, axle.points["left"][axle.rack_point].cell)


def travel_driver(axle: AxleData, side: str) -> str:
    """Name of the driver of a wheel's travel."""
    return f"{axle.corner(side)} travel"


def rack_driver(axle: AxleData) -> str:
    """Name of the driver of an axle's rack."""
    return f"{axle.name} {RACK}"


def standing_rows(car: CarData, axle: AxleData, model: Model) -> Iterator[GeneratedRow]:
    """Rows of an axle that stand. model: of its sweeps, with the masses of the workbook's own Bodies."""
    yield from _wheels(axle, model)
    yield from _tyres(car, axle)


def _wheels(axle: AxleData, model: Model) -> Iterator[GeneratedRow]:
    """Wheels with the unsprung mass, as discs, on bearings that the brake holds."""
    radius = axle.number("tyre radius") or 0.0
    for side in SIDES:
        mass = wheel_mass(model, axle, side)
        centre, spin = axle.points[side][WHEEL_CENTRE], axle.spin_axis(side)
        corner = axle.corner(side)
        disc = 0.25 * mass * radius**2
        at = dict(zip("xyz", map(float, centre.position), strict=True))
        values: dict[str, Value] = {**at, "mass": mass, "ixx": disc, "iyy": 2.0 * disc, "izz": disc}
        yield GeneratedRow("Bodies", f"{corner} wheel", values, centre.cell)
        bearing: dict[str, Value] = {
            "type": REVOLUTE.name,
            "body_i": axle.body_name(axle.wheel_carrier, side),
            "body_j": f"{corner} wheel",
            "point": point_name(axle, side, WHEEL_CENTRE),
            **dict(zip(("axis_x", "axis_y", "axis_z"), map(float, spin), strict=True)),
        }
        yield GeneratedRow("Joints", f"{corner} wheel bearing", bearing, centre.cell)
        brake: dict[str, Value] = {"joint": f"{corner} wheel bearing", "coordinate": "angle", "position": 0.0}
        yield GeneratedRow("Drivers", f"{corner} brake", brake, centre.cell)


def _tyres(car: CarData, axle: AxleData) -> Iterator[GeneratedRow]:
    """Tyres as springs at the contacts at design, with the load that they carry there."""
    rate, load = axle.number("tyre rate") or 0.0, corner_load(car, axle) or 0.0
    for side in SIDES:
        corner, cell = axle.corner(side), axle.points[side][WHEEL_CENTRE].cell
        contact = dict(zip("xyz", map(float, axle.design_contact(side)), strict=True))
        carrier = axle.body_name(axle.wheel_carrier, side)
        point: dict[str, Value] = {"body": carrier, **contact, "frame": "global"}
        yield GeneratedRow("Points", f"{corner} contact", point, cell)
        tyre: dict[str, Value] = {
            "type": BUSHING.name,
            "body_i": "ground",
            "body_j": carrier,
            "point": f"{corner} contact",
        }
        yield GeneratedRow("Springs", f"{corner} tyre", {**tyre, **dict.fromkeys(("kx", "ky", "kz"), rate)}, cell)
        force: dict[str, Value] = {"body": carrier, "point": f"{corner} contact", "fz": load}
        yield GeneratedRow("Forces", f"{corner} tyre load", force, cell)
