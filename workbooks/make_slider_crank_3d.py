"""Make slider-crank-3d.xlsx: a crank that turns across the path of its slider, after Haug (1989)."""

from __future__ import annotations

from pathlib import Path

import readme
from formulas import angle_of, cosine, dimension, place, root, seen, sine
from sketch import Line, View
from style import Handout, Layout, column_list, run_script

RADIUS, ROD, SIDE, HEIGHT, START, SPEED = 80.0, 300.0, 100.0, 120.0, 0.0, -60.0
VIEW = View(azimuth=-58.0, elevation=22.0)


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "slider-crank-3d.xlsx", "Slider-crank in space", space=True)
    book.run_settings(
        analysis=("kinematic", "the motor fixes the motion; masses are left out, for they do not matter"),
        t_start=0,
        t_end=(1, "one turn"),
        t_step=(0.005, "1.8 degrees of crank angle"),
    )
    book.parameters(
        "Dimensions",
        [
            ("crank radius", RADIUS, "mm", "crank bearing to crank pin"),
            ("rod length", ROD, "mm", "crank pin to wrist"),
            ("bearing at y", SIDE, "mm", "of the crank, beside the slider's path"),
            ("bearing at z", HEIGHT, "mm", "of the crank, above the slider's path"),
            ("start angle", START, "deg", "crank at t = 0, turned from straight up about the x axis"),
            ("speed", SPEED, "rpm", "of the crank about the x axis"),
        ],
        "the design, our own sheet: change a number and the others follow",
    )
    _points(book)
    _bodies(book)
    _joints(book)
    book.table(
        "Drivers",
        column_list(
            "name :14, joint :16, coordinate :12, position [deg] 0.000 :12, velocity [deg/s] 0.000 :12, notes :52"
        ),
        [
            (
                "motor",
                "crank bearing",
                "angle",
                0,
                (dimension(book, "speed") * 360 / 60).cell,
                "turned from the start angle; speed from Dimensions",
            )
        ],
        "the motor turns the crank at constant speed",
    )
    book.charts(
        [
            ("Position of the slider", "time", "slider.x", "line"),
            ("Velocity of the slider", "time", "slider.vx", "line"),
            ("Acceleration of the slider", "time", "slider.ax", "line"),
            ("Slider over crank angle", "crank bearing.angle", "slider.x", "xy"),
            ("Angular velocity of the rod, its own axes", "time", "rod.wx; rod.wy; rod.wz", "line"),
            ("Path of the crank pin, seen against x", "B.y", "B.z", "xy"),
        ],
        title=40,
        x=20,
        y=30,
    )
    return book.finish(readme.text("slider-crank-3d"), _sketch(book), "")


def _points(book: Handout) -> None:
    radius, rod, side, height, start = (
        dimension(book, name) for name in ("crank radius", "rod length", "bearing at y", "bearing at z", "start angle")
    )
    y, z = side - radius * sine(start), height + radius * cosine(start)
    wrist = root(rod**2 - (y) ** 2 - (z) ** 2)
    book.table(
        "Points",
        column_list("name :14, body :14, x [mm] 0.000, y [mm] 0.000, z [mm] 0.000, report :10, notes :52"),
        [
            ("A", "ground", 0, side.cell, height.cell, "no", "crank bearing"),
            ("B", "rod", 0, y.cell, z.cell, "yes", "crank pin"),
            ("C", "slider", wrist.cell, 0, 0, "yes", "wrist"),
        ],
        "joints in the initial configuration, global coordinates",
    )


def _bodies(book: Handout) -> None:
    a, b, c = (place(book, name) for name in "ABC")
    along = [c[k] - b[k] for k in range(3)]
    level = root(along[0] ** 2 + along[1] ** 2)
    book.table(
        "Bodies",
        column_list(
            "name :14, x [mm] 0.000, y [mm] 0.000, z [mm] 0.000, yaw [deg] 0.000, pitch [deg] 0.000, "
            "roll [deg] 0.000, notes :52"
        ),
        [
            (
                "crank",
                *(((a[k] + b[k]) / 2).cell for k in range(3)),
                0,
                0,
                dimension(book, "start angle").cell,
                "frame in the middle of the crank, zeta towards the crank pin",
            ),
            (
                "rod",
                *(((b[k] + c[k]) / 2).cell for k in range(3)),
                angle_of(along[0], along[1]).cell,
                angle_of(level, b[2] - c[2]).cell,
                0,
                "frame in the middle of the rod, xi from the crank pin to the wrist",
            ),
            ("slider", c[0].cell, 0, 0, 0, 0, 0, "moves along x"),
        ],
        "crank, rod and slider and their pose at the start",
    )


def _joints(book: Handout) -> None:
    b, c = place(book, "B"), place(book, "C")
    pin = [b[2] - c[2], c[1] - b[1]]
    """y and z of x times the direction of the rod: the wrist's hinge is square to the slider's path and to the rod"""
    book.table(
        "Joints",
        column_list(
            "name :16, type :22, body_i :11, body_j :11, point :9, point_i :9, point_j :9, axis_x 0, axis_y 0, "
            "axis_z 0, axis2_x 0.000, axis2_y 0.000, axis2_z 0.000, notes :52"
        ),
        [
            _joint("crank bearing", "revolute", "ground", "crank", "A", axis=(1, 0, 0)),
            _joint("crank pin", "spherical", "crank", "rod", "B"),
            _joint(
                *("wrist", "revolute-cylindrical", "slider", "rod", "C"),
                axis=(1, 0, 0),
                axis2=(0, pin[0].cell, pin[1].cell),
                notes="the rod hinges on a sleeve that turns and slides about the slider's line; its hinge is square to both",
            ),
            _joint(
                *("stop", "distance", "slider", "rod", None),
                ends=("C", "B"),
                notes="keeps the sleeve in the slider's middle, one rod length from the crank pin",
            ),
            _joint("guide", "translational", "ground", "slider", "C", axis=(1, 0, 0), notes="along the x axis"),
        ],
        "hinge, ball, hinge on a sleeve, stop and guide",
    )


def _joint(
    name: str,
    kind: str,
    body_i: str,
    body_j: str,
    point: str | None,
    ends: tuple[str | None, str | None] = (None, None),
    axis: tuple[object, ...] = (None, None, None),
    axis2: tuple[object, ...] = (None, None, None),
    notes: str = "",
) -> tuple[object, ...]:
    return (name, kind, body_i, body_j, point, *ends, *axis, *axis2, notes)


def _sketch(book: Handout) -> list[Line]:
    a, b, c = (place(book, name) for name in "ABC")

    block = [(-30.0, -18.0), (30.0, -18.0), (30.0, 18.0), (-30.0, 18.0), (-30.0, -18.0)]
    return [
        *VIEW.axes((0.0, 0.0, 0.0), 60.0),
        Line(
            "guide",
            [seen(VIEW, c[0] - 110.0, 0.0, 0.0), seen(VIEW, c[0] + 110.0, 0.0, 0.0)],
            colour="#9AA7B1",
            width=1.5,
            markers="none",
        ),
        Line("slider", [seen(VIEW, c[0] + dx, 0.0, dz) for dx, dz in block], colour="#8A6D3B", markers="none"),
        Line("rod", [seen(VIEW, *b), seen(VIEW, *c)], ("B", "C"), colour="#5B8C5A", label_at="right"),
        Line("crank", [seen(VIEW, *a), seen(VIEW, *b)], ("A", ""), colour="#3E6A8F", label_at="left"),
    ]


if __name__ == "__main__":
    run_script(make)
