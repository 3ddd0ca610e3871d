"""What the double-wishbone corner and the car share: hardpoints, parts, and their rows on the sheets.

Axes after ISO 8855: x forward, y to the left, z upwards; the origin is on the road under the middle of the front axle. Lengths
in mm. Left-hand hardpoints are typed in, those of the right are their mirror images, by formula. On both sides camber is
positive where the wheel's top leans outboard, toe where its front points inboard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import cos, radians, sin

from formulas import Dimensions, Term, cosine, dimension, number, seen, tangent, term, written
from look import Cell, Formula
from sketch import Line, View
from style import Column, Handout, column_list

Row = tuple[Cell, ...]
Place = tuple[float, float, float]
ARMS, LINKS, SPRINGS, WHEELS, BODY = "#3E6A8F", "#B4532A", "#009E73", "#1F2933", "#9AA7B1"
"""colours of the sketch"""
FIRST_ROW = 3
"""of a table with a row of units"""
TRACKS = {"front": 1200.0, "rear": 1160.0}
"""between the contact points"""
HEIGHT, CAMBER = 228.0, -1.0
"""of the wheel centres, and camber"""
TOES = {"front": -0.1, "rear": 0.15}
"""deg, at the start"""
TYRE = {"stiffness": 110.0, "damping": 0.3}
"""N/mm, N s/mm"""
PLATE = 0.01
"""kg, of a road plate: light, so that its driver applies the tyre's load and next to nothing else"""
GAUGE = (0.001, (1e-5, 1e-5, 1e-5))
"""kg and kg m^2, of bodies that are there to measure and weigh next to nothing"""
G = 9.81


@dataclass(frozen=True)
class Axle:
    """An axle's left-hand side.

    name: front or rear. link: the rod that steers. hardpoints: name -> where. bar: points of the anti-roll bar.
    """

    name: str
    link: str
    x: float
    hardpoints: dict[str, Place]
    bar: dict[str, Place] = field(default_factory=dict)


FRONT = Axle(
    "front",
    "tie rod",
    0.0,
    {
        "lower front": (130.0, 215.0, 110.0),
        "lower rear": (-150.0, 215.0, 118.0),
        "lower ball": (4.0, 568.0, 125.0),
        "upper front": (110.0, 265.0, 285.0),
        "upper rear": (-130.0, 265.0, 275.0),
        "upper ball": (-12.0, 546.0, 325.0),
        "tie rod inner": (60.0, 218.0, 141.5),
        "tie rod outer": (70.0, 570.0, 160.0),
        "spring low": (-5.0, 450.0, 133.0),
        "spring top": (-5.0, 290.0, 420.0),
    },
    {"bar bearing": (-150.0, 200.0, 260.0), "bar end": (-45.0, 420.0, 262.0), "drop link": (-45.0, 420.0, 128.0)},
)
REAR = Axle(
    "rear",
    "toe link",
    -1550.0,
    {
        "lower front": (-1400.0, 230.0, 112.0),
        "lower rear": (-1690.0, 230.0, 118.0),
        "lower ball": (-1552.0, 548.0, 124.0),
        "upper front": (-1430.0, 270.0, 282.0),
        "upper rear": (-1670.0, 270.0, 276.0),
        "upper ball": (-1558.0, 528.0, 322.0),
        "toe link inner": (-1625.0, 249.5, 137.5),
        "toe link outer": (-1635.0, 550.0, 152.0),
        "spring low": (-1550.0, 440.0, 134.0),
        "spring top": (-1550.0, 290.0, 425.0),
    },
    {"bar bearing": (-1690.0, 200.0, 255.0), "bar end": (-1585.0, 420.0, 257.0), "drop link": (-1585.0, 420.0, 128.0)},
)
CARRIERS = {
    "lower front": "chassis",
    "lower rear": "chassis",
    "lower ball": "upright",
    "upper front": "chassis",
    "upper rear": "chassis",
    "upper ball": "upright",
    "tie rod inner": "rack",
    "tie rod outer": "upright",
    "toe link inner": "chassis",
    "toe link outer": "upright",
    "spring low": "lower arm",
    "spring top": "chassis",
    "bar bearing": "chassis",
    "bar end": "bar",
    "drop link": "lower arm",
}
REPORTED = ("lower ball", "upper ball", "contact")
ABOUT_POINTS = {
    "lower front": "axis of the lower arm",
    "lower rear": "axis of the lower arm",
    "upper front": "axis of the upper arm",
    "upper rear": "axis of the upper arm",
    "lower ball": "steering axis",
    "upper ball": "steering axis",
    "spring low": "spring and damper on the lower arm",
    "spring top": "spring and damper on the chassis",
    "bar bearing": "anti-roll bar on the chassis",
    "bar end": "end of the anti-roll bar's arm",
    "drop link": "on the lower arm",
}
PARTS: dict[str, tuple[float, tuple[float, float, float]]] = {
    "lower arm": (0.9, (0.0092, 0.0056, 0.0146)),
    "upper arm": (0.7, (0.0046, 0.0034, 0.0078)),
    "upright": (3.2, (0.016, 0.014, 0.008)),
    "tie rod": (0.25, (0.0026, 0.00002, 0.0026)),
    "toe link": (0.25, (0.0019, 0.00002, 0.0019)),
    "wheel": (7.5, (0.11, 0.19, 0.11)),
    "bar": (0.4, (0.0060, 0.0008, 0.0066)),
}
"""mass in kg and ixx, iyy, izz in kg m^2 about the centre of mass"""
RACK: tuple[float, tuple[float, float, float]] = (1.2, (0.02, 0.0002, 0.02))
RACK_CENTRE: Place = (60.0, 0.0, 141.5)

POINTS = column_list("name :22, body :16, x [mm] 0.00, y [mm] 0.00, z [mm] 0.00, frame :10, report :10, notes :52")
BODIES = column_list(
    "name :16, mass [kg] 0.000, ixx [kg*m^2] 0.00000, iyy [kg*m^2] 0.00000, izz [kg*m^2] 0.00000, "
    "ixz [kg*m^2] 0.00, x [mm] 0.00, y [mm] 0.00, z [mm] 0.00, yaw [deg] 0.000, roll [deg] 0.000, active :36, "
    "notes :58"
)
JOINTS = column_list(
    "name :22, type :20, body_i :16, body_j :16, point :20, point_i :18, point_j :18, axis_point :20, axis_x 0, "
    "axis_y 0, axis_z 0, axis2_x 0, axis2_y 0, axis2_z 0, axis_i_xi 0, axis_j_xi 0, "
    "initial_angle [deg] 0.000 :13, coordinate :12, active :36, notes :58"
)
DRIVERS = column_list(
    "name :18, body :14, joint :18, coordinate :14, position 0.000 :10, expression :28, curve :14, active :36, "
    "notes :64"
)
FORCES = column_list(
    "name :18, body :14, point :16, frame :10, fx [N] 0.0 :52, fy [N] 0.0 :52, fz [N] 0.0 :12, my [N*m] 0.0 :52, "
    "active :36, notes :64"
)
SPRING_SHEET = column_list(
    "name :18, type :16, body_i :16, body_j :16, point :18, point_i :18, point_j :18, axis_x 0, axis_y 0, "
    "axis_z 0, k [N/mm] 0.0## :16, c [N*s/mm] 0.0##, length0 [mm] 0.0, kz [N/mm] 0.0##, cz [N*s/mm] 0.0##, "
    "active :36, notes :58"
)
CHARTS = column_list("title :58, x :28, y :84, type :8, active :24")


def laid(columns: Sequence[Column], **cells: Cell) -> Row:
    """A row of a table from the cells that are not blank, by header."""
    unknown = set(cells) - {column.header for column in columns}
    if unknown:
        raise KeyError(unknown)
    return tuple(cells.get(column.header) for column in columns)


def joint(name: str, kind: str, i: str, j: str, notes: str = "", active: str = "yes", **more: Cell) -> Row:
    """A row of Joints."""
    return laid(JOINTS, name=name, type=kind, body_i=i, body_j=j, active=active, notes=notes, **more)


def along(direction: str, prefix: str = "axis") -> dict[str, Cell]:
    """The three components of a direction x, y or z."""
    return {f"{prefix}_{axis}": int(axis == direction) for axis in "xyz"}


def wheel_dimensions(made: Dimensions, axles: Sequence[Axle]) -> Term:
    """What the places of the wheels are reckoned from, and their tyres. Returns gravity."""
    height = made.add("wheel centre", HEIGHT, "mm", "above the road at the start; bump on Drivers passes it")
    lean = made.add("camber", CAMBER, "deg", "at the start, + where the wheels' tops lean outboard")
    made.add("wheel radius", height / cosine(lean), "mm", "under the load at the start")
    for axle in axles:
        made.add(f"{axle.name} toe", TOES[axle.name], "deg", "at the start, + where the wheels' fronts point inboard")
        made.add(f"{axle.name} track", TRACKS[axle.name], "mm", "between the contact points, at the start")
    made.add("tyre stiffness", TYRE["stiffness"], "N/mm", "vertical")
    made.add("tyre damping", TYRE["damping"], "N*s/mm", "vertical")
    return made.add("gravity", G, "m/s^2", "for the loads below; Settings has its own")


def quoted(name: str) -> str:
    """A name as it stands in an expression."""
    return f"'{name}'" if " " in name else name


@dataclass(frozen=True)
class Corner:
    """One corner of the car. side: L or R. label: put behind every name, with its space; ``""`` where there is one corner."""

    axle: Axle
    side: str = "L"
    label: str = ""

    @property
    def _half_track(self) -> float:
        return TRACKS[self.axle.name] / 2

    @property
    def sign(self) -> int:
        """Of y, and of angles that the other side has mirrored."""
        return 1 if self.side == "L" else -1

    def named(self, name: str) -> str:
        """The name of this corner's part or point."""
        return name if name in {"chassis", "rack", "ground"} else f"{name}{self.label}"

    def points(self, book: Handout, above: Sequence[Row], *, bar: bool) -> list[Row]:
        """Rows of Points. above: rows that stand before them, among them the left-hand ones."""
        rows: list[Row] = []
        for name, place in (self.axle.hardpoints | (self.axle.bar if bar else {})).items():
            cells: Sequence[Cell] = place
            if self.side == "R":
                row = next(n for n, each in enumerate(above, FIRST_ROW) if each[0] == f"{name}{self.label[:-1]}L")
                cells = [
                    Formula(f"={'-' if axis == 'D' else ''}${axis}${row}", value * (-1 if axis == "D" else 1))
                    for axis, value in zip("CDE", place, strict=True)
                ]
            report = "yes" if name in REPORTED else "no"
            rows.append(
                (
                    *(self.named(name), self.named(CARRIERS[name]), *cells),
                    *("global", report, "" if self.side == "R" else ABOUT_POINTS.get(name, "steering")),
                )
            )
        radius = dimension(book, "wheel radius")
        n = self.named
        lowest, patch = (
            "the wheel's lowest point, however it stands",
            "for loads: where contact is at the start, on the wheel",
        )
        about = (lowest, patch) if self.side == "L" else ("", "")
        rows.append((n("wheel centre"), n("wheel"), 0, 0, 0, "body", "no", ""))
        rows.append(
            (n("spindle"), n("wheel"), 0, 60, 0, "body", "no", "on the wheel's axis, to the left of its centre")
        )
        rows.append((n("contact"), n("wheel plane"), 0, 0, (-radius).cell, "body", "yes", about[0]))
        rows.append((n("patch"), n("wheel"), 0, 0, (-radius).cell, "body", "no", about[1]))
        return rows

    def means(self, *, bar: bool) -> dict[str, tuple[str, ...]]:
        """Part -> hardpoints; their mean is its centre of mass, as that of two equal tubes that meet in the last one."""
        link = self.axle.link
        found: dict[str, tuple[str, ...]] = {
            "lower arm": ("lower front", "lower rear", "lower ball", "lower ball"),
            "upper arm": ("upper front", "upper rear", "upper ball", "upper ball"),
            "upright": ("lower ball", "upper ball"),
            link: (f"{link} inner", f"{link} outer"),
        }
        return found | ({"bar": ("bar bearing", "bar end")} if bar else {})

    def bodies(self, book: Handout, *, bar: bool) -> list[Row]:
        """Rows of Bodies: arms, upright, steering rod, half of the anti-roll bar, wheel, and what measures how it stands."""
        rows = [self._body(part, *self._mean(book, names)) for part, names in self.means(bar=bar).items()]
        half, height = dimension(book, f"{self.axle.name} track") / 2, dimension(book, "wheel centre")
        camber, toe = dimension(book, "camber"), dimension(book, f"{self.axle.name} toe")
        y = half + height * tangent(camber) * cosine(toe)
        if self.side == "L":
            camber, toe = -camber, -toe
        else:
            y = -y
        place = [each.cell for each in (term(self.axle.x), y, height)]
        about = {
            "wheel": "centre of mass at its centre; fixed to the upright, as if braked",
            "heading": "measures: stays upright and turns with the wheel's heading",
            "wheel plane": "measures: lies in the wheel, xi level, so contact is lowest",
        }
        turned = {"wheel": (toe.cell, camber.cell), "heading": (toe.cell, 0), "wheel plane": (toe.cell, camber.cell)}
        for part, (yaw, roll) in turned.items():
            notes = about[part] if self.side == "L" else ""
            rows.append(self._body(part, *place, yaw=yaw, roll=roll, notes=notes))
        return rows

    def joints(self, book: Handout, steered_by: str) -> list[Row]:
        """Rows of Joints that act in every case. steered_by: rack or chassis."""
        n, link = self.named, self.axle.link
        about = {
            "lower arm": "hinge through both points on the chassis",
            "upper arm": "likewise",
            "link": "a universal joint, so that the rod does not spin about its line",
            "wheel": "as the brake holds it: its loads go into the upright",
            "toe": "its angle is the toe, + in",
            "camber": "its angle is the camber, + top outboard",
        }
        if self.side == "R" or self.axle.name == "rear":
            about = dict.fromkeys(about, "")
        hinges = [
            joint(
                *(n(f"{arm} hinge"), "revolute", "chassis", n(f"{arm} arm"), about[f"{arm} arm"]),
                point=n(f"{arm} front"),
                axis_point=n(f"{arm} rear"),
            )
            for arm in ("lower", "upper")
        ]
        balls = [
            joint(n(f"{arm} ball joint"), "spherical", n(f"{arm} arm"), n("upright"), point=n(f"{arm} ball"))
            for arm in ("lower", "upper")
        ]
        return [
            *hinges,
            *balls,
            joint(
                *(n(f"{link} in"), "universal", steered_by, n(link), about["link"]),
                point=n(f"{link} inner"),
                **along("x"),
                **along("z", "axis2"),
            ),
            joint(n(f"{link} out"), "spherical", n(link), n("upright"), point=n(f"{link} outer")),
            joint(n("wheel bearing"), "fixed", n("upright"), n("wheel"), about["wheel"], point=n("wheel centre")),
            joint(
                *(n("toe"), "parallel", "ground", n("heading"), about["toe"]),
                axis_x=0,
                axis_y=0,
                axis_z=-self.sign,
                initial_angle=dimension(book, f"{self.axle.name} toe").cell,
            ),
            joint(
                *(n("camber"), "revolute", n("heading"), n("wheel plane"), about["camber"]),
                point=n("wheel centre"),
                axis_i_xi=-self.sign,
                axis_j_xi=-self.sign,
                initial_angle=dimension(book, "camber").cell,
            ),
            joint(
                *(n("spin"), "revolute", n("wheel plane"), n("wheel")),
                point=n("wheel centre"),
                axis_point=n("spindle"),
            ),
        ]

    def bar_joints(self) -> list[Row]:
        """Rows of Joints of this half of the anti-roll bar."""
        n = self.named
        link = joint(n("drop link"), "distance", n("bar"), n("lower arm"), point_i=n("bar end"), point_j=n("drop link"))
        return [joint(n("bar bearing"), "revolute", "chassis", n("bar"), point=n("bar bearing"), **along("y")), link]

    def spring(self, book: Handout, notes: str = "") -> Row:
        """The row of Springs with the spring."""
        k, length = (dimension(book, f"{self.axle.name} spring{what}").cell for what in ("", " length"))
        return self._strut("spring", "yes", notes, k=k, length0=length)

    def damper(self, book: Handout, active: str, notes: str = "") -> Row:
        """The row of Springs with the damper, which acts where wheels move in their own time."""
        return self._strut("damper", active, notes, c=dimension(book, f"{self.axle.name} damper").cell)

    def _strut(self, name: str, active: str, notes: str, **cells: Cell) -> Row:
        n = self.named
        ends = {"body_i": n("lower arm"), "body_j": "chassis", "point_i": n("spring low"), "point_j": n("spring top")}
        return laid(SPRING_SHEET, name=n(name), type="translational", **ends, **cells, active=active, notes=notes)

    def tyre(self, book: Handout, active: str, notes: str = "") -> Row:
        """The row of Springs with the tyre, vertical, between the wheel's lowest point and the road plate."""
        return laid(
            SPRING_SHEET,
            name=self.named("tyre"),
            type="bushing",
            body_i=self.named("plate"),
            body_j=self.named("wheel plane"),
            point=self.named("contact"),
            kz=dimension(book, "tyre stiffness").cell,
            cz=dimension(book, "tyre damping").cell,
            active=active,
            notes=notes,
        )

    def plate(self, active: str, notes: str = "") -> Row:
        """The row of Bodies with the road under the wheel: a light plate."""
        place = (self.axle.x, self.sign * self._half_track, 0)
        return laid(
            BODIES,
            name=self.named("plate"),
            mass=PLATE,
            ixx=1e-4,
            iyy=1e-4,
            izz=2e-4,
            **dict(zip("xyz", place, strict=True)),
            active=active,
            notes=notes,
        )

    def preload(self, load: Cell, back: Cell, active: str, notes: str = "") -> list[Row]:
        """Rows of Forces with the load that the tyre carries at the start. load, back: on wheel and plate."""
        n, shared = self.named, {"active": active, "notes": notes}
        return [
            laid(FORCES, name=n("tyre on wheel"), body=n("wheel plane"), point=n("contact"), fz=load, **shared),
            laid(FORCES, name=n("tyre on road"), body=n("plate"), fz=back, active=active),
        ]

    def side_force(self, name: str, notes: str, force: str, **terms: Term) -> Row:
        """The row of Forces with which the road pushes the wheel across its heading, to the left; acts in the case so named.

        force: an expression with ``{name}`` of terms.
        """
        yaw = f"{quoted(self.named('heading'))}.yaw"
        fx, fy = written(f"-{force}*sin({yaw})", **terms), written(f"{force}*cos({yaw})", **terms)
        return self._road_force(name, name, notes, fx=fx, fy=fy)

    def brake_force(self, name: str, notes: str, force: Cell, torque: Cell, back: Cell) -> list[Row]:
        """Rows of Forces with which the road pushes the braked wheel along its heading, forward.

        In the wheel plane's axes, for its xi is the heading. torque: of the brake about the wheel's axis, which takes away
        what the force has about it. back: the same on the wheel, from which it goes to the upright.
        """
        n = self.named
        pair = {"frame": "body", "active": name}
        return [
            self._road_force(name, name, notes, frame="body", fx=force, my=torque),
            laid(
                FORCES,
                name=n(f"{name}, brake"),
                body=n("wheel"),
                my=back,
                notes="the brake on the wheel" if notes else "",
                **pair,
            ),
        ]

    def _road_force(self, name: str, active: str, notes: str, **cells: Cell) -> Row:
        n = self.named
        return laid(
            FORCES, name=n(name), body=n("wheel plane"), point=n("contact"), active=active, notes=notes, **cells
        )

    def wheel_load(self, name: str, load: Cell) -> Row:
        """The row of Forces with which the road carries the wheel where there is no tyre."""
        return self._road_force(f"{name} load", name, "", fz=load)

    def plate_joint(self, active: str, notes: str = "") -> Row:
        """The row of Joints by which the plate goes up and down."""
        n = self.named
        return joint(
            *(n("plate guide"), "translational", "ground", n("plate"), notes, active), point=n("contact"), **along("z")
        )

    def contact_joint(self, active: str, notes: str = "") -> Row:
        """The row of Joints that keeps the wheel on the level road where there is no tyre."""
        n = self.named
        return joint(
            *(n("on the road"), "point-on-plane", "ground", n("wheel plane"), notes, active),
            point=n("contact"),
            **along("z"),
        )

    def lines(self, book: Handout, view: View, *, bar: bool, thin: bool = False) -> list[Line]:
        """Lines of the sketch."""
        link = self.axle.link
        paths = [
            ("lower arm", ("lower front", "lower ball", "lower rear"), ARMS),
            ("upper arm", ("upper front", "upper ball", "upper rear"), ARMS),
            ("upright", (f"{link} outer", "lower ball", "upper ball", f"{link} outer"), WHEELS),
            (link, (f"{link} inner", f"{link} outer"), LINKS),
            ("spring", ("spring low", "spring top"), SPRINGS),
        ]
        if bar:
            paths.append(("bar", ("bar bearing", "bar end", "drop link"), BODY))
        width = 1.25 if thin else 2.25
        drawn = []
        for name, points, colour in paths:
            at = [seen(view, *(number(book, "Points", self.named(each), axis) for axis in "xyz")) for each in points]
            drawn.append(Line(self.named(name), at, (), colour, width, markers="none" if thin else "circle"))
        centre = [number(book, "Bodies", self.named("wheel"), axis) for axis in "xyz"]
        radius = dimension(book, "wheel radius")
        rim = []
        for k in range(25):
            angle = radians(15.0 * k)
            rim.append(seen(view, centre[0] + radius * cos(angle), centre[1], centre[2] + radius * sin(angle)))
        drawn.append(Line(self.named("wheel"), rim, (), WHEELS, width, markers="none"))
        return drawn

    def _body(self, part: str, x: Cell, y: Cell, z: Cell, yaw: Cell = 0, roll: Cell = 0, notes: str = "") -> Row:
        mass, (ixx, iyy, izz) = PARTS.get(part, GAUGE)
        cells = {"name": self.named(part), "mass": mass, "ixx": ixx, "iyy": iyy, "izz": izz, "x": x, "y": y, "z": z}
        return laid(BODIES, **cells, yaw=yaw, roll=roll, active="yes", notes=notes)

    def _mean(self, book: Handout, names: Iterable[str]) -> list[Cell]:
        """The mean of points, by formula."""
        places = [self.named(name) for name in names]
        cells: list[Cell] = []
        for axis in "xyz":
            terms = [number(book, "Points", place, axis) for place in places]
            total = terms[0]
            for each in terms[1:]:
                total = total + each
            cells.append((total / len(terms)).cell)
        return cells
