"""Make flyball-governor.xlsx: a governor whose slider hangs on stiff spring-dampers, IFToMM benchmark A05."""

from __future__ import annotations

from pathlib import Path

import readme
from formulas import Dimensions, Term, cosine, dimension, pi, place, seen, sine, term
from look import Cell
from sketch import Line, View
from style import Handout, Layout, column_list, run_script

LENGTH, SECTION, CUBE, DENSITY, BALL = 1.0, 0.01, 0.1, 3000.0, 5.0
ARM, SLOPE, REST, STIFFNESS, DAMPING, SPEED = 0.05, 30.0, 0.5, 8e5, 4e4, 60.0
VIEW = View(azimuth=-62.0, elevation=14.0)


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "flyball-governor.xlsx", "Flyball governor", space=True)
    book.run_settings(
        analysis=("dynamic", "the governor turns freely"),
        gravity_x=0,
        gravity_y=0,
        gravity_z=(-9.81, "gravity pulls down, along -z"),
        t_start=0,
        t_end=10,
        t_step=(0.01, "spacing of the result rows; the integrator chooses its own steps"),
    )
    _dimensions(book)
    _points(book)
    _bodies(book)
    book.table(
        "Joints",
        column_list("name :16, type :16, body_i :12, body_j :12, point :12, axis_x 0, axis_y 0, axis_z 0, notes :52"),
        [
            ("shaft bearing", "revolute", "ground", "shaft", "O", 0, 0, 1, "the shaft turns freely about z"),
            (
                "rail",
                "translational",
                "shaft",
                "slider",
                "S",
                0,
                0,
                1,
                "the slider moves along the shaft and turns with it",
            ),
            ("hinge 1", "revolute", "shaft", "rod 1", "H1", 0, 1, 0, ""),
            ("hinge 2", "revolute", "shaft", "rod 2", "H2", 0, 1, 0, ""),
        ],
        "bearing, rail and two hinges",
    )
    book.table(
        "Springs",
        column_list(
            "name :12, type :16, body_i :12, body_j :12, point_i :12, point_j :12, k [N/m] 0, c [N*s/m] 0, "
            "length0 [m] 0.000, notes :44"
        ),
        [
            (
                *(f"spring {side}", "translational", "slider", f"rod {side}", f"S{side}", f"M{side}"),
                *(dimension(book, name).cell for name in ("stiffness", "damping", "natural length")),
                "",
            )
            for side in (1, 2)
        ],
        "the stiff spring-dampers between slider and rods",
    )
    book.charts(
        [
            ("Height of the slider", "time", "slider.z", "line"),
            ("Speed of the shaft", "time", "shaft bearing.rate", "line"),
            ("Height of the slider over the shaft's speed", "shaft bearing.rate", "slider.z", "xy"),
            ("Height of a ball", "time", "B1.z", "line"),
            ("Path of a ball, seen from above", "B1.x", "B1.y", "xy"),
            ("Force of a spring-damper, + pulls", "time", "spring 1.force", "line"),
            ("Energy", "time", "kinetic_energy; potential_energy; total_energy", "line"),
        ],
        x=12,
        y=44,
    )
    return book.finish(readme.text("flyball-governor"), _sketch(book), "")


def _dimensions(book: Handout) -> None:
    made = Dimensions()
    length = made.add("length", LENGTH, "m", "of shaft and rods")
    side = made.add("section", SECTION, "m", "of shaft and rods, square")
    cube = made.add("cube", CUBE, "m", "side of the slider")
    density = made.add("density", DENSITY, "kg/m^3")
    ball = made.add("ball", BALL, "kg", "a point at the free end of each rod")
    made.add("arm", ARM, "m", "of the hinges and of the springs on the slider, from the shaft's line")
    made.add("slope", SLOPE, "deg", "of the rods below the horizontal at the start")
    made.add("s", REST, "m", "height of the slider at the start")
    made.add("stiffness", STIFFNESS, "N/m")
    made.add("damping", DAMPING, "N*s/m")
    made.add("natural length", REST, "m", "of the springs")
    speed = made.add("speed", SPEED, "rpm", "of the governor about z at the start")
    made.add("rate", 2 * pi() * speed / 60, "rad/s", "2 pi for 60 rpm")
    rod = made.add("mass of a rod", density * length * side**2, "kg", "and of the shaft")
    made.add("rod, along", rod * side**2 / 6, "kg*m^2", "inertia about its own line; the ball, a point, adds nothing")
    wide = made.add("rod, across", rod * (length**2 + side**2) / 12, "kg*m^2", "without its ball, through its middle")
    both = made.add("mass of rod and ball", rod + ball, "kg")
    centre = made.add("centre of rod and ball", (rod * length / 2 + ball * length) / both, "m", "from the hinge")
    made.add(
        "rod and ball, across",
        wide + rod * (centre - length / 2) ** 2 + ball * (length - centre) ** 2,
        "kg*m^2",
        "about their common centre of mass, by Steiner's theorem",
    )
    mass = made.add("mass of the slider", density * cube**3, "kg")
    made.add("slider", mass * cube**2 / 6, "kg*m^2", "inertia of the cube about any axis through its centre")
    book.parameters("Dimensions", made.rows, "the benchmark's data, our own sheet, and the mass properties that follow")


def _outward(book: Handout, side: int, distance: Term | float) -> tuple[Term, Term, Term]:
    """The point of rod 1 or 2 at this distance from its hinge, at the start."""
    slope = dimension(book, "slope")
    x = dimension(book, "arm") + distance * cosine(slope)
    return (x if side == 1 else -x), term(0), dimension(book, "length") - distance * sine(slope)


def _points(book: Handout) -> None:
    arm, length, s = (dimension(book, name) for name in ("arm", "length", "s"))
    rows: list[tuple[Cell, ...]] = [
        ("O", "ground", 0, 0, 0, "no", "foot of the shaft, origin of the global frame"),
        ("S", "slider", 0, 0, s.cell, "no", "centre of the slider"),
    ]
    for side in (1, 2):
        x = arm if side == 1 else -arm
        middle, ball = _outward(book, side, length / 2), _outward(book, side, length)
        rows += [
            (f"H{side}", "shaft", x.cell, 0, length.cell, "no", "hinge"),
            (f"S{side}", "slider", x.cell, 0, s.cell, "no", "spring on the slider"),
            (f"M{side}", f"rod {side}", *(each.cell for each in middle), "no", "spring on the rod, in its middle"),
            (f"B{side}", f"rod {side}", *(each.cell for each in ball), "yes", "ball"),
        ]
    book.table(
        "Points",
        column_list("name :12, body :12, x [m] 0.000000, y [m] 0.000000, z [m] 0.000000, report :10, notes :48"),
        rows,
        "joints, springs and balls in the initial configuration, global coordinates",
    )


def _bodies(book: Handout) -> None:
    rate, slope, length = (dimension(book, name) for name in ("rate", "slope", "length"))
    along, across, cube = (dimension(book, name).cell for name in ("rod, along", "rod, across", "slider"))
    shaft = ("shaft", dimension(book, "mass of a rod").cell, across, across, along, 0, 0, (length / 2).cell)
    slider = ("slider", dimension(book, "mass of the slider").cell, cube, cube, cube, 0, 0, dimension(book, "s").cell)
    turning: tuple[Cell, ...] = (0, 0, 0, 0, 0, rate.cell)
    rows: list[tuple[Cell, ...]] = [(*shaft, *turning, "along z"), (*slider, *turning, "a cube around the shaft")]
    both = dimension(book, "rod and ball, across").cell
    for side in (1, 2):
        x, _, z = _outward(book, side, dimension(book, "centre of rod and ball"))
        rows.append(
            (
                *(f"rod {side}", dimension(book, "mass of rod and ball").cell, along, both, both),
                *(x.cell, 0, z.cell, 180 * (side - 1), slope.cell, (rate * x).cell),
                *((-rate * sine(slope)).cell, 0, (rate * cosine(slope)).cell),
                "rod and ball; xi from the hinge to the ball",
            )
        )
    book.table(
        "Bodies",
        column_list(
            "name :12, mass [kg] 0.000, ixx [kg*m^2] 0.000000, iyy [kg*m^2] 0.000000, izz [kg*m^2] 0.000000, "
            "x [m] 0.000000, y [m] 0.000000, z [m] 0.000000, yaw [deg] 0.000, pitch [deg] 0.000, "
            "vy [m/s] 0.000000, wx [rad/s] 0.000000, wy [rad/s] 0.000000, wz [rad/s] 0.000000, notes :44"
        ),
        rows,
        "shaft, slider and rods with their balls: mass properties, pose and velocity at the start",
    )


def _sketch(book: Handout) -> list[Line]:
    at = {name: seen(VIEW, *place(book, name)) for name in ("O", "S", "H1", "H2", "S1", "S2", "M1", "M2", "B1", "B2")}
    top = seen(VIEW, 0.0, 0.0, dimension(book, "length"))
    x, y, z = place(book, "S")
    half = dimension(book, "cube") / 2
    corners = [(-1, -1, -1), (1, -1, -1), (1, -1, 1), (-1, -1, 1), (-1, -1, -1)]
    return [
        *VIEW.axes((-0.75, 0.0, 0.0), 0.2),
        Line("spring 1", [at["S1"], at["M1"]], colour="#C0504D", width=1.75, markers="none", dashed=True),
        Line("spring 2", [at["S2"], at["M2"]], colour="#C0504D", width=1.75, markers="none", dashed=True),
        Line("shaft", [at["O"], top], ("O", ""), colour="#6B7780", markers="none", label_at="below"),
        Line("head", [at["H2"], top, at["H1"]], ("", "", ""), colour="#6B7780", markers="none"),
        Line(
            "slider",
            [seen(VIEW, x + half * float(i), y + half * float(j), z + half * float(k)) for i, j, k in corners],
            colour="#8A6D3B",
            markers="none",
        ),
        Line("rod 1", [at["H1"], at["B1"]], ("H1", "B1"), colour="#3E6A8F"),
        Line("rod 2", [at["H2"], at["B2"]], ("H2", "B2"), colour="#3E6A8F"),
    ]


if __name__ == "__main__":
    run_script(make)
