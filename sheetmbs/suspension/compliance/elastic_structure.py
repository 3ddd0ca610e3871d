"""An axle whose bodies are held by springs where parts of it are elastic, and by constraints elsewhere.

Every body of both sides is free to move. A joint that stays gives rows phi(q) = its value at design; a bushing, an elastic
link or the mount of a rack gives springs of deformations s(q) instead, and springs, stops and bars of the axle stand beside
them. Connections in series at one joint add their compliances; what has none in a direction stays a constraint there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from sheetmbs.elements.joints.distance import DISTANCE as LINK
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.spherical import SPHERICAL
from sheetmbs.elements.joints.spherical_cylindrical import SPHERICAL_CYLINDRICAL as STRUT
from sheetmbs.engine.records import Floats
from sheetmbs.model.model import Curve
from sheetmbs.suspension.compliance.deformations import (
    ALONG,
    COSINE,
    DISTANCE,
    HEIGHT,
    RISE,
    TURN,
    UP,
    BodyDeformation,
)
from sheetmbs.suspension.compliance.elastic_connections import (
    Connection,
    across,
    compliance_of_stiffness,
    end_compliance,
    farthest,
    in_series,
    less,
    member_stiffness,
    spans,
)
from sheetmbs.suspension.compliance.elastic_rows import (
    BuiltJoint,
    ElasticJoint,
    ElasticStructure,
    ElementRow,
    PartSpring,
    WeightRow,
)
from sheetmbs.suspension.elastic.element_kind import PointDistance
from sheetmbs.suspension.elastic.holding_kinds import HOLDING, HOLDING_ACROSS, IN_PLACE
from sheetmbs.suspension.elastic.kinds.blade_bar import BladeLength
from sheetmbs.suspension.elastic.kinds.corner_spring import element_ends
from sheetmbs.suspension.elastic.spring_elements import AxleLaws, element_spans, lengths
from sheetmbs.suspension.kinematics.body_motion import BodyTurn
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.addons import joints_of, parts_of
from sheetmbs.suspension.layout.car import MIRROR, SIDES, AxleData
from sheetmbs.suspension.layout.elastic_parts import (
    BALL,
    BLADE_LINK,
    COLUMN,
    END,
    MEMBER,
    PIVOT,
    RACK_BAR,
    RACK_MOUNT,
    SPRING_END,
    WHEEL_BEARING,
    ElasticPart,
)
from sheetmbs.suspension.layout.type_table import BLADE, CHASSIS, RACK, WHEEL_CENTRE, PartJoint

RATE_OF = {RACK_MOUNT: "k", RACK_BAR: "k", COLUMN: "k_torsion"}
"""columns of the stiffnesses that hold a rack"""
Compliances = tuple[tuple[str, float], ...]
"""of parts by name, m/N"""
PartCurves = tuple[tuple[str, Curve], ...]
"""forces over deflection of parts by name"""
WHEEL, STRUT_ROD = "wheel", "strut rod"
"""bodies that elastic wheel bearings and strut tops add"""


def build(axle: AxleData, design: SweptAxle, laws: AxleLaws, like: ElasticStructure | None = None) -> ElasticStructure:
    """The structure of an axle with elastic parts. design: the axle at its design pose; laws: of its springs and bars.

    like: that of the same axle with other hardpoints, whose directions across others are chosen alike; it lends its origins.
    """
    return _Builder(axle, design, laws, like).built()


class _Builder:
    def __init__(self, axle: AxleData, design: SweptAxle, laws: AxleLaws, like: ElasticStructure | None = None) -> None:
        self.axle, self.design, self.laws, self.like = axle, design, laws, like
        self.out = ElasticStructure(axle)
        self._parts = {(part.name, side): part for part in axle.elastic for side in part.sides}
        self._points_read: dict[tuple[str, str], Floats] = {}
        self._parts_read: dict[tuple[str, str], ElasticPart | None] = {}

    def built(self) -> ElasticStructure:
        """Bodies, then joints, then what acts."""
        self._bodies()
        for side, joint in self._joints():
            prefix = self.axle.name if joint.is_central else self.axle.corner(side)
            self.out.owner = f"{prefix} {joint.name}"
            if not self._joint_again():
                self._new_joint(side, joint)
        self.out.owner = ""
        self._rack_drive()
        for side in SIDES:
            self._wheel(side)
        self._elements()
        self._weights()
        return self.out

    # --- bodies ---

    def _bodies(self) -> None:
        if self.like is not None:
            count = self.like.built[0].first[0]  # joints have added the others
            self.out.origins += self.like.origins[:count]
            self.out.bodies |= {name: number for name, number in self.like.bodies.items() if number < count}
            return
        self._body(CHASSIS, np.zeros(3))
        for part in parts_of(self.axle):
            for side in SIDES[:1] if part.is_central else SIDES:
                name = self.axle.body_name(part.name, side)
                if name != CHASSIS and name not in self.out.bodies:
                    self._body(name, self._point(side, part.at))
        for side in SIDES:
            if self._part(side, WHEEL_BEARING) is not None:
                self._body(self._name(WHEEL, side), self._point(side, WHEEL_CENTRE))
            if self._strut_top(side) is not None:
                self._body(self._name(STRUT_ROD, side), self._point(side, "strut top"))

    def _body(self, name: str, origin: Floats) -> None:
        number = self.out.bodies[name] = len(self.out.origins)
        self.out.origins.append(np.array(origin if self.like is None else self.like.origins[number], dtype=np.float64))

    def _name(self, body: str, side: str) -> str:
        return f"{self.axle.corner(side)} {body}"

    def _number(self, body: str, side: str) -> int:
        return self.out.bodies[self.axle.body_name(body, side)]

    def _point(self, side: str, name: str) -> Floats:
        found = self._points_read[side, name] = np.asarray(self.axle.points[side][name].position, dtype=np.float64)
        return found

    def _part(self, side: str, name: str) -> ElasticPart | None:
        found = self._parts_read[side, name] = self._parts.get((name, side))
        return found

    def _strut_top(self, side: str) -> ElasticPart | None:
        part = self._part(side, "strut top")
        return part if part is not None and part.place.kind == BALL and self.axle.type.has_strut else None

    def _across(self, axis: Floats) -> tuple[Floats, Floats]:
        chosen = self.out.beside
        chosen.append(farthest(axis) if self.like is None else self.like.beside[len(chosen)])
        return across(axis, chosen[-1])

    # --- joints ---

    def _joints(self) -> Iterator[tuple[str, PartJoint]]:
        if self.like is not None:
            yield from ((each.side, each.joint) for each in self.like.built)
            return
        for joint in joints_of(self.axle):
            for side in SIDES[:1] if joint.is_central else SIDES:
                yield side, joint

    def _joint_again(self) -> bool:
        """Add the next joint as the other structure has it, if all that it is made of is the same there."""
        number = len(self.out.built)
        if self.like is None:
            return False
        known = self.like.built[number]
        points, places = known.points.items(), self.axle.points
        is_same = (
            known.first == self.out.lengths
            and all(self._parts.get((name, side)) is part for (side, name), part in known.parts.items())
            and all(places[side][name].position.tolist() == at.tolist() for (side, name), at in points)
        )
        if is_same:
            for own, other, first, last in zip(self.out.lists, self.like.lists, known.first, known.last, strict=True):
                own.extend(other[first:last])
            bodies = range(known.first[0], known.last[0])
            if bodies:
                self.out.bodies |= {name: body for name, body in self.like.bodies.items() if body in bodies}
            self.out.built.append(known)
        return is_same

    def _new_joint(self, side: str, joint: PartJoint) -> None:
        self._points_read, self._parts_read = {}, {}
        first = self.out.lengths
        self._joint(side, joint)
        self.out.built.append(BuiltJoint(side, joint, self._points_read, self._parts_read, first, self.out.lengths))

    def _joint(self, side: str, joint: PartJoint) -> None:
        if joint.type == REVOLUTE.name:
            rows = [self._part(side, point) for point in joint.points]
            if len(joint.points) > 1 and any(row is not None and row.place.kind == PIVOT for row in rows):
                self._elastic_hinge(side, joint, rows)
            else:
                self._revolute(side, joint)
        elif joint.type == SPHERICAL.name:
            self._ball(side, joint)
        elif joint.type == LINK.name:
            self._link(side, joint)
        elif joint.type == STRUT.name:
            self._strut(side, joint)
        else:
            self._slide(side, joint)

    def _ends(self, side: str, joint: PartJoint) -> tuple[int, int]:
        return self._number(joint.body_i, side), self._number(joint.body_j, side)

    def _pin(self, bodies: tuple[int, int], at: Floats, directions: Floats) -> list[int]:
        """Hold two bodies at a point along directions (d, 3)."""
        return [self.out.hold(BodyDeformation(ALONG, *bodies, at, at, a)) for a in directions]

    def _revolute(self, side: str, joint: PartJoint) -> None:
        bodies, at = self._ends(side, joint), self._point(side, joint.points[0])
        axis = self._line(side, joint)
        self._pin(bodies, at, np.eye(3))
        for a in self._across(axis):
            self.out.hold(BodyDeformation(COSINE, *bodies, a=a, b=axis))

    def _line(self, side: str, joint: PartJoint) -> Floats:
        along = (
            np.array(joint.axis)
            if joint.axis is not None
            else self._point(side, joint.points[1]) - self._point(side, joint.points[0])
        )
        return np.asarray(along / np.linalg.norm(along))

    def _slide(self, side: str, joint: PartJoint) -> None:
        bodies, at, axis = self._ends(side, joint), self._point(side, joint.points[0]), self._line(side, joint)
        one, other = self._across(axis)
        self._pin(bodies, at, np.array([one, other]))
        for a, b in ((one, axis), (other, axis), (one, other)):
            self.out.hold(BodyDeformation(COSINE, *bodies, a=a, b=b))

    def _elastic_hinge(self, side: str, joint: PartJoint, rows: Sequence[ElasticPart | None]) -> None:
        """A hinge whose two pivots hold the arm each by itself; along the line it is held rigidly at most once."""
        bodies, line = self._ends(side, joint), self._line(side, joint)
        order = sorted(range(len(rows)), key=lambda k: rows[k] is not None)
        is_held_along = False
        for number, k in enumerate(order):
            point, part = joint.points[k], rows[k]
            at = self._point(side, point)
            if part is None:
                self._pin(bodies, at, np.eye(3))
                is_held_along = True
                continue
            axes = self._axes(side, part, line)
            connection = self._bushing(part, axes, side)
            if not connection.behind:
                rigid = connection.rigid
                if spans(rigid, line):
                    if is_held_along:
                        rigid = less(rigid, line)
                    is_held_along = True
                connection = replace(connection, held=rigid)
            self._connect(bodies, at, connection, freezes=number == 0)
            if number:
                for a in self._across(line):
                    self.out.frozen.append(self.out.add(BodyDeformation(ALONG, *bodies, at, at, a)))
            self._turning(side, bodies, axes, part)

    def _turning(self, side: str, bodies: tuple[int, int], axes: Floats, part: ElasticPart) -> None:
        """Moments about the axis of a pivot and about the other two."""
        axis, one, other = axes.T
        torsion, conical = part.number("k_torsion"), part.number("k_conical")
        curve = part.curves.get("torsion")
        if torsion or curve is not None:
            number = self.out.add(BodyDeformation(TURN, *bodies, a=one, b=one, c=other))
            self.out.springs.append(
                PartSpring(
                    ((number, 1.0),),
                    () if curve is not None else ((part.name, compliance_of_stiffness(torsion)),),
                    None if curve is not None else torsion,
                    () if curve is None else ((part.name, curve),),
                    preloads=False,
                    where=self.axle.corner(side),
                )
            )
        if conical:
            for a in (one, other):
                number = self.out.add(BodyDeformation(COSINE, *bodies, a=a, b=axis))
                self.out.springs.append(PartSpring(((number, 1.0),), ((part.name, 1.0 / conical),), conical))

    def _axes(self, side: str, part: ElasticPart, usual: Floats) -> Floats:
        """(3, 3) axes of a bushing as columns, the first its own."""
        axis = usual
        if part.axis is not None:
            axis = part.axis if side == "left" else part.axis * MIRROR
        elif part.towards:
            axis = self._point(side, part.towards) - self._point(side, part.place.point)
        axis = axis / np.linalg.norm(axis)
        return np.column_stack((axis, *self._across(axis)))

    def _bushing(self, part: ElasticPart, axes: Floats, side: str) -> Connection:
        """What a pivot or ball joint is by its own row."""
        both = part.number("k")
        radial, axial = (part.number(name) if both is None else both for name in ("k_radial", "k_axial"))
        curves = [part.curves.get(name, part.curves.get("k")) for name in ("axial", "radial", "radial")]
        own = np.array(
            [compliance_of_stiffness(axial), compliance_of_stiffness(radial), compliance_of_stiffness(radial)]
        )
        soft = axes @ np.diag(own) @ axes.T
        found = Connection(part.name, side, axes, {part.name: soft}, tuple(curves))
        if part.node is not None:
            node = part.node if side == "left" else np.diag(MIRROR) @ part.node @ np.diag(MIRROR)
            found = found.with_series(part.name, np.asarray(np.linalg.inv(node), dtype=np.float64))
        return found

    def _ball(self, side: str, joint: PartJoint) -> None:
        bodies, point = self._ends(side, joint), joint.points[0]
        part, legs = self._part(side, point), self._part(side, f"{joint.body_i} legs")
        at = self._point(side, point)
        if part is None and legs is None:
            self._pin(bodies, at, np.eye(3))
            return
        if part is not None:
            connection = self._bushing(part, self._axes(side, part, UP), side)
        else:
            connection = Connection(point, side, np.column_stack((UP, *self._across(UP))), {}, (None, None, None))
        if legs is not None:
            connection = connection.with_series(legs.name, self._legs(side, joint, legs))
        self._connect(bodies, at, connection)

    def _legs(self, side: str, joint: PartJoint, legs: ElasticPart) -> Floats:
        """(3, 3) compliance of an arm in its plane: K = sum over both legs of k e e'."""
        hinge = next(
            each for each in self.axle.type.joints if each.body_j == joint.body_i and each.type == REVOLUTE.name
        )
        ball, stiffness = self._point(side, joint.points[0]), np.zeros((3, 3))
        for which, name in zip(("front", "rear"), hinge.points, strict=True):
            leg = ball - self._point(side, name)
            length = float(np.linalg.norm(leg))
            k = member_stiffness(legs, length, f"{joint.body_i} {which} leg")
            stiffness += k * np.outer(leg, leg) / length**2
        return np.asarray(np.linalg.pinv(stiffness, rcond=1e-9, hermitian=True))

    def _link(self, side: str, joint: PartJoint) -> None:
        bodies = self._ends(side, joint)
        ends = tuple(self._point(side, name) for name in joint.points)
        form = BodyDeformation(DISTANCE, *bodies, ends[0], ends[1])
        soft, curves = self._along_member(side, joint.name, joint.points)
        if not soft and not curves:
            self.out.hold(form)
            return
        number = self.out.add(form)
        where = self.axle.name if joint.is_central else self.axle.corner(side)
        self.out.springs.append(PartSpring(((number, 1.0),), soft, in_series(soft), curves, where=where))
        self.out.frozen.append(number)

    def _along_member(self, side: str, name: str, points: Sequence[str]) -> tuple[Compliances, PartCurves]:
        """What gives way in series along a member: parts with a compliance, and parts with a curve."""
        ends = [self._point(side, each) for each in points]
        length = float(np.linalg.norm(ends[1] - ends[0]))
        found: list[tuple[str, float]] = []
        member = self._part(side, name)
        if member is not None and member.place.kind == MEMBER and not member.curves:
            found.append((name, 1.0 / member_stiffness(member, length, name)))
        along = (ends[1] - ends[0]) / length
        curves = []
        for point in (name, *points):
            part = self._part(side, point)
            if part is not None and part.place.kind == END:
                found += end_compliance(part, along, side)
            if part is not None and part.place.kind in (MEMBER, END) and "k" in part.curves:
                curves.append((point, part.curves["k"]))
        return tuple(found), tuple(curves)

    def _strut(self, side: str, joint: PartJoint) -> None:
        """A strut slides through its top; with an elastic top its rod is a body that the top holds by springs."""
        upright, chassis = self._ends(side, joint)
        top, axis = self._point(side, joint.points[0]), self._line(side, joint)
        part = self._strut_top(side)
        one, other = self._across(axis)
        if part is None:
            self._pin((upright, chassis), top, np.array([one, other]))
            return
        rod = self.out.bodies[self._name(STRUT_ROD, side)]
        self._pin((upright, rod), top, np.array([one, other]))
        for a, b in ((one, axis), (other, axis), (one, other)):
            self.out.hold(BodyDeformation(COSINE, upright, rod, a=a, b=b))
        self._connect((chassis, rod), top, self._bushing(part, self._axes(side, part, axis), side))

    def _connect(self, bodies: tuple[int, int], at: Floats, of: Connection, *, freezes: bool = True) -> None:
        """Springs where a connection gives way, constraints where it does not. freezes: it holds when all is at rest."""
        if not of.behind:
            self._bushing_rows(bodies, at, of, freezes=freezes)
            return
        name = f"{self._name(of.part, of.side)} behind"
        self._body(name, at)
        between = self.out.bodies[name]
        for a, b in ((0, 1), (0, 2), (1, 2)):
            self.out.hold(BodyDeformation(COSINE, bodies[0], between, a=np.eye(3)[a], b=np.eye(3)[b]))
        structure = Connection(of.part, of.side, of.axes, of.behind, (None, None, None))
        self._bushing_rows((bodies[0], between), at, structure, is_told=False)
        self._bushing_rows((between, bodies[1]), at, of, freezes=freezes)

    def _bushing_rows(
        self, bodies: tuple[int, int], at: Floats, of: Connection, *, freezes: bool = True, is_told: bool = True
    ) -> None:
        rows, held, directions = [], [], []
        for a, k, curve in of.springs:
            number = self.out.add(BodyDeformation(ALONG, *bodies, at, at, a))
            rows.append(len(self.out.springs))
            directions.append(a)
            shares = tuple((part, float(a @ soft @ a)) for part, soft in of.compliances.items())
            curves = () if curve is None else ((of.part, curve),)
            self.out.springs.append(
                PartSpring(
                    ((number, 1.0),),
                    () if curves else shares,
                    k,
                    curves,
                    joint=len(self.out.joints),
                    where=self.axle.corner(of.side),
                )
            )
            if freezes:
                self.out.frozen.append(number)
        for a in of.rigid:
            number = self.out.add(BodyDeformation(ALONG, *bodies, at, at, a))
            self.out.constraints.append(number)
            held.append(number)
            directions.append(a)
            if freezes:
                self.out.frozen.append(number)
        joint = ElasticJoint(
            of.part, of.side, of.axes, of.compliances, tuple(rows), tuple(held), np.array(directions), is_told
        )
        self.out.joints.append(joint)

    # --- rack, wheels, springs, weights ---

    def _rack_drive(self) -> None:
        """The rack against its driven place: held there, or by mount, rack and column in series."""
        axle = self.axle
        if not axle.is_steered:
            return
        at = self._point("left", axle.rack_point)
        rack = self._number(RACK, "left")
        number = self.out.add(BodyDeformation(ALONG, 0, rack, at, at, axle.rack_axis))
        self.out.rack = number
        soft: list[tuple[str, float]] = []
        curves: list[tuple[str, Curve]] = []
        for kind in (RACK_MOUNT, RACK_BAR, COLUMN):
            part = self._part("left", kind)
            if part is None or (kind == COLUMN and not np.isfinite(axle.rack_per_angle)):
                continue
            lever = abs(axle.rack_per_angle) if kind == COLUMN else 1.0
            curve, k = (part.curves.get("torsion" if kind == COLUMN else "k"), part.number(RATE_OF[kind]))
            if curve is not None:
                curves.append((kind, replace(curve, x=curve.x * lever, y=curve.y / lever)))
            elif k is not None:
                soft.append((kind, lever**2 / k))
        if soft or curves:
            self.out.rack_is_elastic = True
            parts = tuple(soft)
            spring = PartSpring(
                ((number, 1.0),), parts, in_series(parts), tuple(curves), is_driven=True, where=axle.name
            )
            self.out.springs.append(spring)

    def _wheel(self, side: str) -> None:
        """Bearing, and the heights and travels of a wheel."""
        axle, centre = self.axle, self._point(side, WHEEL_CENTRE)
        carrier = self._number(axle.wheel_carrier, side)
        spin = axle.spin_axis(side)
        hub = carrier
        bearing = self._part(side, WHEEL_BEARING)
        if bearing is not None:
            hub = self.out.bodies[self._name(WHEEL, side)]
            self._pin((carrier, hub), centre, np.eye(3))
            one, other = self._across(spin)
            self.out.hold(BodyDeformation(COSINE, carrier, hub, a=one, b=other))
            k = float(bearing.number("k_conical") or 1.0)
            for a in (one, other):
                number = self.out.add(BodyDeformation(COSINE, carrier, hub, a=a, b=spin))
                self.out.springs.append(PartSpring(((number, 1.0),), ((WHEEL_BEARING, 1.0 / k),), k))
                self.out.frozen.append(number)
        self.out.hubs[side] = hub
        radius = axle.number("tyre radius") or 0.0
        self.out.heights.append(self.out.add(BodyDeformation(HEIGHT, 0, hub, p_j=centre, a=UP, b=spin, radius=radius)))
        self.out.travels.append(self.out.add(BodyDeformation(ALONG, 0, carrier, p_j=centre, a=UP)))

    def _elements(self) -> None:
        senses = {} if self.like is None else {row.key: row.terms[0][1] for row in self.like.elements}
        senses = senses or {
            (row.name + part.suffix, part.side): part.sense
            for row in self.axle.springs
            for part in lengths(row, self.design)
        }
        for row, span in element_spans(self.axle):
            key = row.name + span.suffix, span.side
            sense = senses[key]
            number, ends = self._measured(span.of)
            terms = [(number, sense)]
            if span.less is not None:
                terms.append((self._measured(span.less)[0], -sense))
            self.out.elements.append(ElementRow(key, tuple(terms), ends, *self._soft_ends(span.side, span.of)))
        if not any(row.kind in (*HOLDING, *HOLDING_ACROSS) for row in self.axle.springs):
            self._springs_in_place()

    def _springs_in_place(self) -> None:
        """Where springs would act, if there are points for them."""
        ends = element_ends(IN_PLACE, self.axle)
        if all(map(self.axle.has_point, ends)):
            self.out.in_place = [self._measured(PointDistance(*((side, end) for end in ends)))[0] for side in SIDES]

    def _measured(self, of: object) -> tuple[int, tuple[str, ...]]:
        """The deformation that a span is, and the names of its two points."""
        if isinstance(of, BodyTurn):
            base = self._number(of.base, of.side) if of.base else 0
            body = self._number(of.body, of.side)
            return self.out.add(BodyDeformation(TURN, base, body, a=of.ahead, b=of.arm, c=of.beside)), ()
        if isinstance(of, BladeLength):
            side = of.side
            blade = self._number(BLADE, side)
            tip, end = self.axle.blade_tip(side), self._point(side, "bar link suspension")
            body = self._carrier(side, "bar link suspension")
            return self.out.add(BodyDeformation(DISTANCE, blade, body, tip, end)), (BLADE_LINK,)
        if not isinstance(of, PointDistance):
            raise TypeError(f"no deformation is known of {of!r}")
        (side, one), (far, other) = of.first, of.second
        bodies = self._carrier(far, other), self._carrier(side, one)
        form = BodyDeformation(DISTANCE, *bodies, self._point(far, other), self._point(side, one))
        return self.out.add(form), (one, other)

    def _carrier(self, side: str, point: str) -> int:
        """The body on which an element takes hold of a point: of an elastic strut top the rod below it."""
        if point == "strut top" and self._strut_top(side) is not None:
            return self.out.bodies[self._name(STRUT_ROD, side)]
        return self._number(self.axle.points[side][point].on, side)

    def _soft_ends(self, side: str, of: object) -> tuple[Compliances, PartCurves]:
        """What gives way at the ends of an element: parts with a compliance, and parts with a curve."""
        if isinstance(of, BladeLength):
            part = self._part(side, BLADE_LINK)
            if part is None:
                return (), ()
            if part.curves:
                return (), ((BLADE_LINK, part.curves["k"]),)
            length = float(np.linalg.norm(self._point(side, "bar link suspension") - self.axle.blade_tip(side)))
            return ((BLADE_LINK, 1.0 / member_stiffness(part, length, BLADE_LINK)),), ()
        if not isinstance(of, PointDistance):
            return (), ()
        found: list[tuple[str, float]] = []
        curves = []
        (near, one), (far, other) = of.first, of.second
        along = self._point(near, one) - self._point(far, other)
        along = along / np.linalg.norm(along)
        for where, point in ((near, one), (far, other)):
            part = self._part(where, point)
            if part is not None and part.place.kind in (SPRING_END, END):
                found += end_compliance(part, along, where)
                if "k" in part.curves:
                    curves.append((part.name, part.curves["k"]))
        return tuple(found), tuple(curves)

    def _weights(self) -> None:
        axle = self.axle
        for mass in axle.masses:
            weight = mass.mass * axle.gravity
            if not weight:
                continue
            if mass.slides_on:
                top, lower = mass.slides_on
                start, end = self._point(mass.side, top), self._point(mass.side, lower)
                along = (end - start) / np.linalg.norm(end - start)
                bodies = self._carrier(mass.side, top), self._number(axle.points[mass.side][lower].on, mass.side)
                number = self.out.add(BodyDeformation(RISE, *bodies, start, end))
                self.out.weights.append(WeightRow(number, weight * float((mass.at - start) @ along)))
                if bodies[0]:
                    number = self.out.add(BodyDeformation(ALONG, 0, bodies[0], p_j=start, a=UP))
                    self.out.weights.append(WeightRow(number, weight))
                continue
            body, at = mass.body, mass.at
            if mass.point:
                hardpoint = axle.points[mass.side][mass.point]
                body, at = axle.body_name(hardpoint.on, mass.side), hardpoint.position
            number = self.out.bodies.get(body, 0)
            if number:
                self.out.weights.append(
                    WeightRow(self.out.add(BodyDeformation(ALONG, 0, number, p_j=at, a=UP)), weight)
                )
