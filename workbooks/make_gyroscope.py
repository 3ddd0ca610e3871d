"""Make gyroscope.xlsx: a fast wheel at the end of a rod that is held at its other end only."""

from __future__ import annotations

from math import cos, sin, tau
from pathlib import Path

import readme
from formulas import Dimensions, dimension, pi, place, seen
from look import Formula
from sketch import Line, View
from style import Handout, Layout, column_list, run_script

ROD, ROD_RADIUS, WHEEL_RADIUS, THICKNESS, HEIGHT, DENSITY, SPIN = 100.0, 5.0, 150.0, 20.0, 1000.0, 7850.0, 60.0
GRAVITY = 9.81
VIEW = View(azimuth=-55.0, elevation=24.0)


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "gyroscope.xlsx", "Gyroscope", space=True)
    book.run_settings(
        analysis=("dynamic", "the spin is driven, the rod moves freely"),
        gravity_x=0,
        gravity_y=0,
        gravity_z=(-GRAVITY, "gravity pulls down, along -z"),
        t_start=0,
        t_end=(4, "almost one turn of the precession, 27 nods"),
        t_step=(0.005, "thirty rows per nod"),
    )
    _dimensions(book)
    _bodies(book)
    book.table(
        "Points",
        column_list("name :14, body :14, x [mm] 0.000, y [mm] 0.000, z [mm] 0.000, report :10, notes :52"),
        [
            ("O", "ground", 0, 0, dimension(book, "height").cell, "no", "Cardan joint, on a pole"),
            (
                "W",
                "wheel",
                dimension(book, "rod length").cell,
                0,
                dimension(book, "height").cell,
                "yes",
                "centre of the wheel",
            ),
        ],
        "the ends of the rod in the initial configuration, global coordinates",
    )
    book.table(
        "Joints",
        column_list(
            "name :16, type :16, body_i :11, body_j :11, point :9, axis_x 0, axis_y 0, axis_z 0, axis2_x 0, "
            "axis2_y 0, axis2_z 0, notes :60"
        ),
        [
            (
                *("Cardan joint", "universal", "ground", "rod", "O"),
                *(0, 0, 1, 0, 1, 0),
                "turns about the vertical and about the rod's y axis, but not about the rod's line",
            ),
            (*("bearing", "revolute", "rod", "wheel", "W"), *(1, 0, 0, None, None, None), "the wheel's axle: the rod"),
        ],
        "the pole's Cardan joint and the wheel's bearing",
    )
    book.table(
        "Drivers",
        column_list(
            "name :14, joint :16, coordinate :12, position [rad] 0.000 :12, velocity [rad/s] 0.000 :12, notes :52"
        ),
        [("motor", "bearing", "angle", 0, dimension(book, "spin").cell, "between rod and wheel")],
        "the motor that keeps the spin",
    )
    book.charts(
        [
            ("Path of the wheel's centre, seen from above", "W.x", "W.y", "xy"),
            ("Height of the wheel's centre", "time", "W.z", "line"),
            ("Nodding: pitch of the rod", "time", "rod.pitch", "line"),
            ("Precession: turning rate of the rod", "time", "rod.wz", "line"),
            ("Nodding against precession", "rod.wz", "rod.wy", "xy"),
            (
                "Force of the Cardan joint on the rod",
                "time",
                "Cardan joint.j.fx; Cardan joint.j.fy; Cardan joint.j.fz",
                "line",
            ),
            ("Moment of the motor", "time", "motor.moment", "line"),
        ],
        x=12,
        y=34,
    )
    return book.finish(readme.text("gyroscope"), _sketch(book), "")


def _dimensions(book: Handout) -> None:
    made = Dimensions()
    rod = made.add("rod length", ROD, "mm", "Cardan joint to the wheel's centre")
    rod_radius = made.add("rod radius", ROD_RADIUS, "mm")
    radius = made.add("wheel radius", WHEEL_RADIUS, "mm", "a plain disc")
    thickness = made.add("wheel thickness", THICKNESS, "mm")
    made.add("height", HEIGHT, "mm", "of the Cardan joint above the ground")
    density = made.add("density", DENSITY, "kg/m^3", "of steel")
    spin = made.add("spin", SPIN, "rad/s", "of the wheel against the rod")
    gravity = made.add("gravity", GRAVITY, "m/s^2", "for the rule of the fast gyroscope below")
    wheel = made.add("wheel mass", density * pi() * radius**2 * thickness / 1e9, "kg")
    bar = made.add("rod mass", density * pi() * rod_radius**2 * rod / 1e9, "kg")
    axial = made.add("axial inertia", wheel * radius**2 / 2, "kg*mm^2", "of the wheel about its axle")
    across = made.add(
        "transverse inertia", wheel * (3 * radius**2 + thickness**2) / 12, "kg*mm^2", "through its centre"
    )
    made.add("rod axial inertia", bar * rod_radius**2 / 2, "kg*mm^2")
    thin = made.add("rod transverse inertia", bar * (3 * rod_radius**2 + rod**2) / 12, "kg*mm^2", "through its centre")
    joint = made.add(
        "inertia about the joint",
        across + wheel * rod**2 + thin + bar * (rod / 2) ** 2,
        "kg*mm^2",
        "of wheel and rod, square to the rod",
    )
    made.add(
        "expected precession",
        (wheel * rod + bar * rod / 2) * 1000 * gravity / (axial * spin),
        "rad/s",
        "moment of the weights / (axial inertia x spin)",
    )
    made.add(
        "expected nodding", axial * spin / joint / (2 * pi()), "Hz", "axial inertia x spin / inertia about the joint"
    )
    book.parameters("Dimensions", made.rows, "rod, wheel and spin, our own sheet, and what the rule expects")


def _bodies(book: Handout) -> None:
    rod, height = dimension(book, "rod length"), dimension(book, "height")
    book.table(
        "Bodies",
        column_list(
            "name :12, mass [kg] 0.000000, ixx [kg*mm^2] 0.000 :12, iyy [kg*mm^2] 0.000 :12, "
            "izz [kg*mm^2] 0.000 :12, x [mm] 0.000, y [mm] 0.000, z [mm] 0.000, yaw [rad] 0.000, "
            "pitch [rad] 0.000, roll [rad] 0.000, wx [rad/s] 0.000, wy [rad/s] 0.000, wz [rad/s] 0.000, notes :52"
        ),
        [
            (
                "rod",
                *_inertia(book, "rod mass", "rod axial inertia", "rod transverse inertia"),
                *((rod / 2).cell, 0, height.cell),
                *(0, 0, 0, 0, 0, 0),
                "xi from the Cardan joint to the wheel; level and at rest at the start",
            ),
            (
                "wheel",
                *_inertia(book, "wheel mass", "axial inertia", "transverse inertia"),
                *(rod.cell, 0, height.cell),
                *(0, 0, 0, dimension(book, "spin").cell, 0, 0),
                "spins about xi from the start",
            ),
        ],
        "rod and wheel: mass properties from Dimensions, pose and velocity at the start",
    )


def _inertia(book: Handout, mass: str, axial: str, transverse: str) -> tuple[Formula, Formula, Formula, Formula]:
    across = dimension(book, transverse).cell
    return dimension(book, mass).cell, dimension(book, axial).cell, across, across


def _sketch(book: Handout) -> list[Line]:
    (x, y, z), centre = place(book, "O"), place(book, "W")
    radius = dimension(book, "wheel radius")
    rim = [(cos(turn), sin(turn)) for turn in (tau * k / 48 for k in range(49))]
    return [
        *VIEW.axes((-170.0, 0.0, 720.0), 70.0),
        Line("pole", [seen(VIEW, x, y, z - 280.0), seen(VIEW, x, y, z)], colour="#9AA7B1", width=3, markers="none"),
        Line(
            "wheel",
            [seen(VIEW, centre[0], centre[1] + radius * v, centre[2] + radius * w) for v, w in rim],
            colour="#5B8C5A",
            markers="none",
        ),
        Line("rod", [seen(VIEW, x, y, z), seen(VIEW, *centre)], ("O", "W"), colour="#3E6A8F"),
    ]


if __name__ == "__main__":
    run_script(make)
