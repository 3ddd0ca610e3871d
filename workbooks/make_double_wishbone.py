"""Make double-wishbone.xlsx: the front left corner of a formula student car in six runs."""

from __future__ import annotations

from math import cos
from pathlib import Path

import cad_texts
import readme
from formulas import Dimensions, Term, dimension, pi, term
from sketch import View
from style import Handout, Layout, column_list, run_script
from suspension import (
    BODIES,
    CHARTS,
    DRIVERS,
    FORCES,
    FRONT,
    GAUGE,
    HEIGHT,
    JOINTS,
    PARTS,
    POINTS,
    RACK_CENTRE,
    SPRING_SHEET,
    Corner,
    along,
    joint,
    laid,
    wheel_dimensions,
)

SPRUNG = 60.0
SPRING, DAMPER, LENGTH = 60.0, 2.2, 345.6
TRAVEL, STEER = 50.0, 30.0
BUMP, BUMP_LENGTH, BEFORE, SPEED = 40.0, 4.0, 2.0, 10.0
BRAKING, CORNERING = (-1600.0, 1200.0), (-1800.0, 1300.0)
HELD, FREE = "bump; steer; braking; cornering", "static; road"
VIEW = View(azimuth=28.0, elevation=16.0)


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "double-wishbone.xlsx", "Double wishbone", space=True)
    _settings(book)
    corner = Corner(FRONT)
    _dimensions(book)
    middle = ("rack middle", "rack", *RACK_CENTRE, "global", "no", "")
    book.table("Points", POINTS, [*corner.points(book, [], bar=False), middle], "the hardpoints, in mm")
    _bodies(book, corner)
    _mass_properties(book)
    _joints(book, corner)
    _drivers(book)
    _forces(book, corner)
    springs = [
        corner.spring(book, "from the lower arm to the chassis"),
        corner.damper(book, FREE, "beside it; bump and steer have no speed of their own"),
        corner.tyre(book, FREE, "vertical; unloaded at the start"),
    ]
    book.table("Springs", SPRING_SHEET, springs, "spring, damper and tyre")
    _curves(book)
    _charts(book)
    return book.finish(
        readme.text("double-wishbone"), [*VIEW.axes((0.0, 60.0, 0.0), 90.0), *corner.lines(book, VIEW, bar=False)], ""
    )


def _settings(book: Handout) -> None:
    none = (None,) * 6
    book.cases(
        ("bump", "steer", "static", "braking", "cornering", "road"),
        [
            ("title", ("Double wishbone", *none), "", ""),
            ("dimension", ("3D", *none), "", ""),
            ("case", ("bump", *none), "", "the run that is meant where none is named"),
            ("analysis", ("kinematic", None, None, *["equilibrium"] * 3, "dynamic"), "", ""),
            ("t_start", (-1, None, None, *[0] * 4), "s", "in bump and steer the design position is passed at 0 s"),
            ("t_end", (1, *[None] * 5, 2), "s", ""),
            ("t_step", (0.02, *[None] * 5, 0.005), "s", "1 mm of wheel travel, 0.6 mm of the rack"),
        ],
    )


def _dimensions(book: Handout) -> None:
    made = Dimensions()
    gravity = wheel_dimensions(made, [FRONT])
    made.add("front spring", SPRING, "N/mm")
    made.add("front damper", DAMPER, "N*s/mm")
    made.add("front spring length", LENGTH, "mm", "unloaded; set so that the corner stands at its design height")
    parts = ("lower arm", "upper arm", "tie rod", "wheel", "heading", "wheel plane")
    masses = [SPRUNG, *(PARTS.get(part, GAUGE)[0] for part in parts)]
    drawn = made.add("mass of CAD parts", 4.4, "kg", "upright and rack, as their texts on Mass properties say")
    total = Term(f"SUM(Bodies!$B$3:$B${4 + len(masses)})", sum(masses))
    made.add("weight", (total + drawn) * gravity, "N", "of the whole corner, which the tyre carries")
    made.add("braking, along", BRAKING[0], "N", "load of the road on the wheel, + forward")
    made.add("braking, up", BRAKING[1], "N")
    made.add("cornering, across", CORNERING[0], "N", "+ to the left: the left wheel is outside in a right turn")
    made.add("cornering, up", CORNERING[1], "N")
    made.add("bump height", BUMP, "mm")
    made.add("bump length", BUMP_LENGTH, "m", "from level to level, one wave of a cosine")
    made.add("speed", SPEED, "m/s")
    book.parameters("Dimensions", made.rows, "wheel, tyre, spring and bump: change a number and the others follow")


def _bodies(book: Handout, corner: Corner) -> None:
    parts = [row for row in corner.bodies(book, bar=False) if row[0] != "upright"]
    rows = [
        laid(
            BODIES,
            **dict(zip(("name", "mass", "ixx", "iyy", "izz"), ("chassis", SPRUNG, 3, 5, 5), strict=True)),
            **dict(zip("xyz", (0, 250, 290), strict=True)),
            active="yes",
            notes="the corner's share of the sprung mass; it does not turn",
        ),
        *parts,
        laid(BODIES, name="upright", active="yes", notes="mass, inertia and place from its text on Mass properties"),
        laid(BODIES, name="rack", active="yes", notes="of the steering; likewise"),
        corner.plate(FREE, "the road under the wheel: light, so that its driver shows the tyre's load"),
    ]
    book.table(
        "Bodies", BODIES, rows, "chassis, arms, upright, tie rod, wheel, rack: mass properties and places at the start"
    )


def _mass_properties(book: Handout) -> None:
    """Upright and rack as drawn in the car's coordinates, in which the hardpoints are: so the texts give their places."""
    upright = cad_texts.made_of(
        cad_texts.pairs((-4, 557, 225), (0.9, (5, -8, 75)), (0.5, (52, 10, 12)), (0.2, (-8, 105, 20)))
    )
    rack = cad_texts.made_of(cad_texts.pairs(RACK_CENTRE, (0.5, (0, 140, 0)), (0.1, (10, 20, 3))))
    texts = {"upright": cad_texts.solidworks("upright", upright), "rack": cad_texts.fusion("rack v3", rack)}
    book.texts("Mass properties", texts, "what SolidWorks reports of the upright and Fusion of the rack, as pasted")


def _joints(book: Handout, corner: Corner) -> None:
    up = along("z")
    rows = [
        joint("held", "fixed", "ground", "chassis", "the chassis does not move", HELD, point="spring top"),
        joint("slide", "translational", "ground", "chassis", "up and down only", FREE, point="spring top", **up),
        *corner.joints(book, "rack"),
        joint(
            "rack guide", "translational", "chassis", "rack", "positive to the left", point="rack middle", **along("y")
        ),
        corner.contact_joint("steer", "the wheel stands on the level road"),
        corner.plate_joint(FREE, "the road goes up and down"),
    ]
    book.table("Joints", JOINTS, rows, "hinges, ball joints and guides, and what each run holds")


def _drivers(book: Handout) -> None:
    moved = {"joint": "rack guide", "coordinate": "displacement"}
    road = {"joint": "plate guide", "coordinate": "displacement"}
    rows = [
        laid(
            DRIVERS,
            name="travel",
            body="wheel",
            coordinate="z",
            active="bump",
            expression=f"{HEIGHT / 1000:g} + {TRAVEL / 1000:g}*t",
            notes="height of the wheel's centre, in m: from below to above",
        ),
        laid(
            DRIVERS,
            **{"name": "steering", **moved, "active": "steer"},
            expression=f"{STEER / 1000:g}*t",
            notes="in m: from right to left",
        ),
        laid(DRIVERS, **{"name": "steering held", **moved, "active": "not steer"}, position=0, notes="straight ahead"),
        laid(
            DRIVERS,
            **{"name": "level road", **road, "active": "static"},
            position=0,
            notes="its force is the tyre's load",
        ),
        laid(
            DRIVERS,
            **{"name": "road", **road, "active": "road"},
            curve="road",
            notes="the road over time; its force is the tyre's load",
        ),
    ]
    book.table("Drivers", DRIVERS, rows, "what moves wheel, rack and road in each run")


def _forces(book: Handout, corner: Corner) -> None:
    load = dimension(book, "weight")
    notes = "a bushing is unloaded at the start: this is what the tyre carries there"
    rows = corner.preload((load * 1).cell, (-load).cell, FREE, notes)
    along = dimension(book, "braking, along")
    torque = dimension(book, "wheel radius") / 1000 * along
    about = "in the wheel's plane: x is along its heading; the brake takes the torque"
    rows += corner.brake_force("braking", about, (along * 1).cell, torque.cell, (-torque).cell)
    about = "across the wheel's heading"
    rows.append(corner.side_force("cornering", about, "({across})", across=dimension(book, "cornering, across")))
    rows += [corner.wheel_load(case, (dimension(book, f"{case}, up") * 1).cell) for case in ("braking", "cornering")]
    book.table("Forces", FORCES, rows, "the tyre's load at the start, and loads of braking and cornering")


def _curves(book: Handout) -> None:
    speed, height, length = (dimension(book, name) for name in ("speed", "bump height", "bump length"))
    rows = []
    for metres in _distances():
        way = metres - BEFORE
        y = term(0)
        if 0.0 <= way <= BUMP_LENGTH:
            phase = 2 * pi() * way / length
            y = height / 2 * (1 - Term(f"COS({phase.text})", cos(phase.value)))
        rows.append(((term(metres) / speed).cell, y.cell))
    columns = column_list("road.x [s] 0.0000 :12, road.y [mm] 0.000 :12")
    book.series(
        "Curves", columns, rows, "height of the road under the wheel over time: level, and one bump from 2 m on"
    )


def _distances() -> list[float]:
    """Where the road's height is given, in metres."""
    close = [round(1.8 + 0.1 * k, 1) for k in range(45)]
    return [0.0, 0.5, 1.0, 1.5, *close, 6.5, 7.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0]


def _charts(book: Handout) -> None:
    def ball(name: str) -> str:
        return "; ".join(f"{name}.j.f{axis}" for axis in "xyz")

    rows = [
        ("Camber over wheel travel (+ top outboard)", "wheel.z", "camber.angle", "line", "bump"),
        ("Toe over wheel travel (+ in)", "wheel.z", "toe.angle", "line", "bump"),
        ("Half track over wheel travel", "wheel.z", "contact.y", "line", "bump"),
        ("Wheelbase over wheel travel", "wheel.z", "contact.x", "line", "bump"),
        ("Spring force over wheel travel (negative pushes)", "wheel.z", "spring.force", "line", "bump"),
        ("Steering angle over rack travel (+ to the left)", "rack guide.displacement", "heading.yaw", "line", "steer"),
        ("Camber over rack travel (+ top outboard)", "rack guide.displacement", "camber.angle", "line", "steer"),
        ("Way of the contact point over the road", "contact.x", "contact.y", "xy", "steer"),
        ("Road", "time", "plate.z", "line", "road"),
        ("Heights of wheel and chassis", "time", "wheel.z; chassis.z", "line", "road"),
        ("Load of the tyre", "time", "road.force", "line", "road"),
        ("Acceleration of the chassis", "time", "chassis.az", "line", "road"),
        ("Spring and damper (negative pushes)", "time", "spring.force; damper.force", "line", "road"),
        ("Lower ball joint, on the upright", "time", ball("lower ball joint"), "line", "road"),
        ("Upper ball joint, on the upright", "time", ball("upper ball joint"), "line", "road"),
        ("Tie rod, on the upright", "time", ball("tie rod out"), "line", "road"),
        ("Camber (+ top outboard) and toe (+ in) over the bump", "time", "camber.angle; toe.angle", "line", "road"),
    ]
    book.table("Charts", CHARTS, rows, "the charts of each run")


if __name__ == "__main__":
    run_script(make)
