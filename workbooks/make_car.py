"""Make car.xlsx: a formula student car on four double wishbones in eight runs."""

from __future__ import annotations

from math import cos, pi
from pathlib import Path

import readme
from formulas import Dimensions, Term, dimension, number, seen, written
from look import Cell
from sketch import Line, View
from style import Column, Handout, Layout, column_list, run_script
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
    RACK,
    RACK_CENTRE,
    REAR,
    SPRING_SHEET,
    Corner,
    Row,
    along,
    joint,
    laid,
    wheel_dimensions,
)

SPRUNG, CENTRE = 235.0, (-805.0, 0.0, 295.0)
SPRUNG_INERTIA, SPRUNG_PRODUCT = (24.0, 112.0, 118.0), 2.5
SPRINGS = {"front": (60.0, 2.2, 344.6), "rear": (62.0, 2.2, 343.9)}
"""N/mm, N s/mm, mm"""
BARS = {"front": 200, "rear": 140}
"""N m/rad, torsional stiffness of an anti-roll bar"""
TRAVEL, STEER, HEAVE, ROLL = 30.0, 30.0, 25.0, 2.0
SPEED, DURATION = 10.0, 3.0
CORNERS = tuple(Corner(axle, side, f" {axle.name[0].upper()}{side}") for axle in (FRONT, REAR) for side in ("L", "R"))
NAMES = tuple(corner.label.strip() for corner in CORNERS)
AT_REST = "equilibrium; cornering; braking"
HELD, STANDS, RESTS = "bump; steer", "steer; heave; roll", f"{AT_REST}; road"
VIEW = View(azimuth=-142.0, elevation=22.0)


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "car.xlsx", "Formula student car", space=True, rows=110)
    _settings(book)
    _dimensions(book)
    _points(book)
    _bodies(book)
    _joints(book)
    _drivers(book)
    _forces(book)
    _springs(book)
    _road(book)
    _charts(book)
    lines = [_floor(book)]
    lines += [line for corner in CORNERS for line in corner.lines(book, VIEW, bar=True, thin=True)]
    return book.finish(readme.text("car"), [*VIEW.axes((0.0, 0.0, 0.0), 220.0), *lines], "")


def _floor(book: Handout) -> Line:
    """The body's floor in the sketch."""
    corners = ("lower front FL", "lower front FR", "lower rear RR", "lower rear RL", "lower front FL")
    at = [seen(VIEW, *(number(book, "Points", name, axis) for axis in "xyz")) for name in corners]
    return Line("floor", at, (), "#9AA7B1", 2.25, markers="none", dashed=True)


def _settings(book: Handout) -> None:
    none, at_rest = (None,) * 8, ("equilibrium",) * 3
    book.cases(
        ("bump", "steer", "heave", "roll", "equilibrium", "cornering", "braking", "road"),
        [
            ("title", ("Formula student car", *none), "", ""),
            ("dimension", ("3D", *none), "", ""),
            ("case", ("bump", *none), "", "the run that is meant where none is named"),
            ("analysis", ("kinematic", *(None,) * 4, *at_rest, "dynamic"), "", ""),
            ("gravity_x", (0, *(None,) * 6, 9.81, None), "m/s^2", "braking at 1 g pulls forward"),
            (
                "gravity_y",
                (0, *(None,) * 5, -9.81, None, None),
                "m/s^2",
                "a steady left turn of 1 g pulls to the right",
            ),
            ("t_start", (-1, *(None,) * 4, *(0,) * 4), "s", "in kinematic runs the design position is passed at 0 s"),
            ("t_end", (1, *(None,) * 7, DURATION), "s", ""),
            ("t_step", (0.02, *(None,) * 7, 0.01), "s", ""),
        ],
    )


def _dimensions(book: Handout) -> None:
    made = Dimensions()
    gravity = wheel_dimensions(made, [FRONT, REAR])
    for name, (k, c, length) in SPRINGS.items():
        made.add(f"{name} spring", k, "N/mm")
        made.add(f"{name} damper", c, "N*s/mm")
        made.add(f"{name} spring length", length, "mm", "unloaded; set so that the car stands at its design height")
    speed = made.add("speed", SPEED, "m/s", "on the road")
    wheelbase = made.add("wheelbase", FRONT.x - REAR.x, "mm", "as on Points")
    made.add("delay", wheelbase / 1000 / speed, "s", "by which the rear wheels follow")
    masses, places = _masses()
    last = 2 + len(masses)
    total = made.add("mass", Term(f"SUM(Bodies!$B$3:$B${last})", sum(masses)), "kg", "of the whole car, with driver")
    x = book.letter("Bodies", "x", BODIES)
    moment = Term(
        f"SUMPRODUCT(Bodies!$B$3:$B${last},Bodies!${x}$3:${x}${last})",
        sum(m * x for m, x in zip(masses, places, strict=True)),
    )
    rear = made.add("rear wheel load", -(moment / wheelbase) * gravity / 2, "N", "of one rear tyre, at the start")
    made.add("front wheel load", total * gravity / 2 - rear, "N", "of one front tyre, at the start")
    book.parameters("Dimensions", made.rows, "wheels, springs, masses and speed: change a number and the others follow")


def _masses() -> tuple[list[float], list[float]]:
    """Mass and x of every body without the road plates, in the order of the sheet Bodies."""
    masses, places = [SPRUNG, RACK[0]], [CENTRE[0], RACK_CENTRE[0]]
    for corner in CORNERS:
        at = corner.axle.hardpoints | corner.axle.bar
        for part, names in corner.means(bar=True).items():
            masses.append(PARTS[part][0])
            places.append(sum(at[name][0] for name in names) / len(names))
        masses += [PARTS["wheel"][0], GAUGE[0], GAUGE[0]]
        places += [corner.axle.x] * 3
    return masses, places


def _points(book: Handout) -> None:
    rows: list[Row] = [
        ("rack middle", "rack", *RACK_CENTRE, "global", "no", ""),
        ("body", "chassis", *CENTRE, "global", "no", "centre of mass of the sprung body"),
        (
            "roll axis",
            None,
            CENTRE[0],
            0,
            30,
            "global",
            "no",
            "about which the body turns in roll, near the roll centres",
        ),
        ("front bar", "chassis", FRONT.bar["bar bearing"][0], 0, FRONT.bar["bar bearing"][2], "global", "no", "middle"),
        ("rear bar", "chassis", REAR.bar["bar bearing"][0], 0, REAR.bar["bar bearing"][2], "global", "no", "middle"),
    ]
    for corner in CORNERS:
        rows += corner.points(book, rows, bar=True)
    book.table("Points", POINTS, rows, "the hardpoints, in mm; those of the right by formula")


def _bodies(book: Handout) -> None:
    def lump(name: str, mass: float, inertia: tuple[float, float, float], point: str, notes: str, **more: Cell) -> Row:
        head = dict(zip(("name", "mass", "ixx", "iyy", "izz"), (name, mass, *inertia), strict=True))
        place = {axis: number(book, "Points", point, axis).cell for axis in "xyz"}
        return laid(BODIES, **head, **place, active="yes", notes=notes, **more)

    rows = [
        lump("chassis", SPRUNG, SPRUNG_INERTIA, "body", "sprung body with its driver", ixz=SPRUNG_PRODUCT),
        lump("rack", *RACK, "rack middle", "of the steering"),
    ]
    for corner in CORNERS:
        rows += corner.bodies(book, bar=True)
    about = "the road under the wheel: light, so that its driver shows the tyre's load"
    rows += [corner.plate(RESTS, about if corner is CORNERS[0] else "") for corner in CORNERS]
    book.table(
        "Bodies",
        BODIES,
        rows,
        "sprung body, arms, uprights, rods, wheels, bars: mass properties and places at the start",
    )


def _joints(book: Handout) -> None:
    rows = [
        joint("held", "fixed", "ground", "chassis", "the body does not move", HELD, point="body"),
        joint(
            "lift",
            "translational",
            "ground",
            "chassis",
            "the body goes up and down",
            "heave",
            point="body",
            **along("z"),
        ),
        joint(
            "tilt", "revolute", "ground", "chassis", "positive: left side up", "roll", point="roll axis", **along("x")
        ),
        joint(
            "hold x",
            "coordinate",
            "chassis",
            "ground",
            "tyres do not hold the car along the road",
            RESTS,
            coordinate="x",
        ),
        joint("hold y", "coordinate", "chassis", "ground", "", RESTS, coordinate="y"),
        joint(
            *("hold yaw", "perpendicular", "ground", "chassis", "the body's eta stays square to x", RESTS),
            **along("x"),
            **along("y", "axis2"),
        ),
        joint(
            "rack guide", "translational", "chassis", "rack", "positive to the left", point="rack middle", **along("y")
        ),
    ]
    for corner in CORNERS:
        rows += corner.joints(book, "rack" if corner.axle is FRONT else "chassis")
        rows += corner.bar_joints()
        rows.append(corner.contact_joint(STANDS))
        rows.append(corner.plate_joint(RESTS))
    book.table("Joints", JOINTS, rows, "hinges, ball joints and guides, and what each run holds")


def _drivers(book: Handout) -> None:
    def driver(name: str, active: str, notes: str, **cells: Cell) -> Row:
        return laid(DRIVERS, name=name, active=active, notes=notes, **cells)

    rack = {"joint": "rack guide", "coordinate": "displacement"}
    rows = [
        driver("steering", "steer", "in m: from right to left", **rack, expression=f"{STEER / 1000:g}*t"),
        driver("steering held", "not steer", "straight ahead", **rack, position=0),
        driver(
            *("body lift", "heave", "in m: from below to above"),
            joint="lift",
            coordinate="displacement",
            expression=f"{HEAVE / 1000:g}*t",
        ),
        driver(
            *("body roll", "roll", "2 deg, in rad: from right side up to left side up"),
            joint="tilt",
            coordinate="angle",
            expression=f"{ROLL:g}*pi/180*t",
        ),
    ]
    for corner in CORNERS:
        n = corner.named
        road: dict[str, Cell] = {"joint": n("plate guide"), "coordinate": "displacement"}
        rows += [
            driver(
                *(n("travel"), "bump", "height of the wheel's centre, in m: from below to above"),
                body=n("wheel"),
                coordinate="z",
                expression=f"{HEIGHT / 1000:g} + {TRAVEL / 1000:g}*t",
            ),
            driver(n("level road"), AT_REST, "its force is the tyre's load", **road, position=0),
            driver(n("road"), "road", "its force is the tyre's load", **road, curve=n("road")),
        ]
    book.table("Drivers", DRIVERS, rows, "what moves rack, body, wheels and road in each run")


def _forces(book: Handout) -> None:
    rows: list[Row] = []
    for corner in CORNERS:
        load = dimension(book, f"{corner.axle.name} wheel load")
        notes = "a bushing is unloaded at the start: this is what the tyre carries there" if not rows else ""
        rows += corner.preload((load * 1).cell, (-load).cell, RESTS, notes)
    terms = {"k": 1000 * dimension(book, "tyre stiffness"), "r": dimension(book, "wheel radius")}
    carried = []
    for corner in CORNERS:
        terms[corner.axle.name] = dimension(book, f"{corner.axle.name} wheel load")
        carried.append(f"({{{corner.axle.name}}}-{{k}}*'{corner.named('contact')}'.z)")
    notes = "as hard as the tyre carries, across the wheel's heading"
    for corner, load in zip(CORNERS, carried, strict=True):
        rows.append(corner.side_force("cornering", notes, load, **terms))
        notes = ""
    notes = "as hard as the tyre carries, along the wheel's heading"
    for corner, load in zip(CORNERS, carried, strict=True):
        cells = (written(text, **terms) for text in (f"-{load}", f"-{{r}}/1000*{load}", f"{{r}}/1000*{load}"))
        rows += corner.brake_force("braking", notes, *cells)
        notes = ""
    book.table("Forces", FORCES, rows, "the tyres' loads at the start, and what the road does in cornering and braking")


def _springs(book: Handout) -> None:
    rows = [corner.spring(book) for corner in CORNERS]
    rows += [corner.damper(book, RESTS) for corner in CORNERS]
    for axle in (FRONT, REAR):
        mark = axle.name[0].upper()
        rows.append(
            laid(
                SPRING_SHEET,
                name=f"{axle.name} bar",
                type="rotational",
                body_i=f"bar {mark}L",
                body_j=f"bar {mark}R",
                point=f"{axle.name} bar",
                **along("y"),
                k=f"{BARS[axle.name]} N*m/rad",
                active="yes",
                notes="torsion between the arms of the anti-roll bar",
            )
        )
    rows += [corner.tyre(book, RESTS, "vertical; unloaded at the start") for corner in CORNERS]
    book.table("Springs", SPRING_SHEET, rows, "springs, dampers, anti-roll bars, tyres")


def profile(metres: float) -> tuple[float, float]:
    """Height of the road in mm, left and right: one bump for both, one for either side, then waves."""

    def hump(start: float, length: float, height: float) -> float:
        way = (metres - start) / length
        return height / 2 * (1 - cos(2 * pi * way)) if 0 < way < 1 else 0.0

    both = hump(2, 3, 25)
    left = both + hump(7, 3, 20) + sum(hump(14 + 3 * k, 3, 12) for k in range(2))
    right = both + hump(10, 3, 20) + sum(hump(15.5 + 3 * k, 3, 12) for k in range(2))
    return round(left, 3), round(right, 3)


def _road(book: Handout) -> None:
    ways = [round(-1.6 + 0.2 * k, 1) for k in range(160)]
    columns = column_list("distance [m] 0.0 :12, left [mm] 0.000 :12, right [mm] 0.000 :12")
    book.series(
        "Road profile",
        columns,
        [(way, *profile(way)) for way in ways],
        "height of the road, left and right; our own sheet",
    )
    speed, delay = dimension(book, "speed"), dimension(book, "delay")
    rows: list[Row] = []
    for k, way in enumerate(ways):
        cells: list[Cell] = []
        distance = Term(f"'Road profile'!$A${k + 3}", way)
        for corner in CORNERS:
            time = distance / speed if corner.axle is FRONT else distance / speed + delay
            height = Term(
                f"'Road profile'!${'B' if corner.side == 'L' else 'C'}${k + 3}", profile(way)[corner.side == "R"]
            )
            cells += [time.cell, height.cell]
        rows.append(tuple(cells))
    pairs = [
        column
        for corner in CORNERS
        for column in (
            Column(f"{corner.named('road')}.x", "s", "0.0000", 13),
            Column(f"{corner.named('road')}.y", "mm", "0.000", 13),
        )
    ]
    book.series("Curves", pairs, rows, "the road under each wheel over time, from Road profile, speed and delay")


def _charts(book: Handout) -> None:
    def each(pattern: str, names: tuple[str, ...] = NAMES) -> str:
        return "; ".join(pattern.format(name) for name in names)

    ball = "; ".join(f"lower ball joint FL.j.f{axis}" for axis in "xyz")
    rows = [
        (
            "Camber over wheel travel (+ top outboard)",
            "wheel FL.z",
            each("camber {}.angle", ("FL", "RL")),
            "line",
            "bump",
        ),
        ("Toe over wheel travel (+ in)", "wheel FL.z", each("toe {}.angle", ("FL", "RL")), "line", "bump"),
        ("Half track over wheel travel", "wheel FL.z", each("contact {}.y", ("FL", "RL")), "line", "bump"),
        (
            "Spring forces over wheel travel (negative pushes)",
            "wheel FL.z",
            each("spring {}.force", ("FL", "RL")),
            "line",
            "bump",
        ),
        (
            "Steering angles over rack travel (+ to the left)",
            "rack guide.displacement",
            each("heading {}.yaw", ("FL", "FR")),
            "line",
            "steer",
        ),
        (
            "Camber over rack travel (+ top outboard)",
            "rack guide.displacement",
            each("camber {}.angle", ("FL", "FR")),
            "line",
            "steer",
        ),
        (
            "Camber over the height of the body (+ top outboard)",
            "lift.displacement",
            each("camber {}.angle", ("FL", "RL")),
            "line",
            "heave",
        ),
        (
            "Toe over the height of the body (+ in)",
            "lift.displacement",
            each("toe {}.angle", ("FL", "RL")),
            "line",
            "heave",
        ),
        (
            "Half track over the height of the body",
            "lift.displacement",
            each("contact {}.y", ("FL", "RL")),
            "line",
            "heave",
        ),
        ("Camber on the road over roll (+ top outboard)", "tilt.angle", each("camber {}.angle"), "line", "roll"),
        ("Steer of the wheels over roll (+ to the left)", "tilt.angle", each("heading {}.yaw"), "line", "roll"),
        ("Spring lengths over roll", "tilt.angle", each("spring {}.length"), "line", "roll"),
        ("Twist of the anti-roll bars over roll", "tilt.angle", "front bar.angle; rear bar.angle", "line", "roll"),
        ("Road under the front wheels", "time", "plate FL.z; plate FR.z", "line", "road"),
        ("Height of the body's centre of mass", "time", "chassis.z", "line", "road"),
        ("Pitch and roll of the body", "time", "chassis.pitch; chassis.roll", "line", "road"),
        ("Loads of the tyres", "time", each("road {}.force"), "line", "road"),
        ("Acceleration of the body", "time", "chassis.az", "line", "road"),
        ("Springs (negative pushes)", "time", each("spring {}.force"), "line", "road"),
        ("Dampers (negative pushes)", "time", each("damper {}.force"), "line", "road"),
        ("Anti-roll bars", "time", "front bar.moment; rear bar.moment", "line", "road"),
        ("Lower ball joint front left, on the upright", "time", ball, "line", "road"),
        ("Camber on the road (+ top outboard)", "time", each("camber {}.angle"), "line", "road"),
    ]
    book.table("Charts", CHARTS, rows, "the charts of each run")


if __name__ == "__main__":
    run_script(make)
