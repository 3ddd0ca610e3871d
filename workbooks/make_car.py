"""Make car.xlsx: a formula student car on four double wishbones, in bump, steer, heave, roll, at rest and on a bumpy road."""

from __future__ import annotations

import sys
from math import cos, pi
from pathlib import Path

from sketch import Line, View
from style import Column, Handout
from suspension import (
    BODY_COLUMNS,
    DRIVER_COLUMNS,
    HARDPOINTS,
    JOINT_COLUMNS,
    POINT_COLUMNS,
    SPRING_COLUMNS,
    WHEELBASE,
    Row,
    corner_bodies,
    corner_joints,
    corner_points,
    hardpoint,
    lump,
    strut,
    tyre,
)

CORNERS = ("FL", "FR", "RL", "RR")
CENTRE = (-790.0, 0.0, 290.0)
"""centre of mass of the sprung body with its driver"""
SPRUNG, SPRUNG_INERTIA = 240.0, (24.0, 95.0, 105.0)
LENGTH0 = {"F": 339.2, "R": 340.4}
"""mm, natural length of the struts of an axle"""
SPEED = 15000.0
"""mm/s, on the bumpy road"""
KINEMATIC = "bump; steer; heave; roll"
FREE = "equilibrium; road"
VIEW = View(azimuth=-145.0, elevation=24.0)
NONE3 = (None, None, None)

README = """
A formula student car: the sprung body with its driver on four double wishbones, a steering rack at the front, toe links at the
rear, struts on the lower arms, tyres as vertical springs and dampers. 22 bodies; axes of ISO 8855: x forward, y left, z up.

# Cases
bump: the body is held and both front wheels go up and down by 40 mm, then both rear wheels.

steer: the body is held and the rack goes left and right by 25 mm.

heave: the wheels stay on the road and the body goes up and down by 30 mm.

roll: the wheels stay on the road and the body rolls by 2 deg to either side, about a line along x 40 mm above the road.

equilibrium: the car stands on its tyres; wheel loads, strut forces and all reactions.

road: the car rolls over two bumps at 15 m/s, first with its left, then with its right wheels; the rear wheels meet them a
wheelbase later.

# Source
Hardpoints and masses of our own, of usual size; the front left corner is that of double-wishbone.xlsx.
tests/test_suspension.py checks loads, symmetry, virtual work and energy.

# How to run
sheetmbs run car.xlsx --case roll --output roll.xlsx

and likewise with the others, which sheetmbs cases car.xlsx lists; without --case the setting case counts.

# What to look at
mbs Charts: camber and toe of the wheels over their travel or the roll angle, wheel loads and body motion on the road.

mbs Joints: the reaction of every joint, in equilibrium and on the road.

mbs Springs: the wheel load is -fz of a tyre.

# What is not there
Tyres have no lateral forces yet: joints hold the car's x, y and yaw. There are no anti-roll bars.
"""


def make(folder: Path) -> Path:
    """Write the workbook into ``folder`` and return its path."""
    path = folder / "car.xlsx"
    book = Handout(path, "Formula student car", space=True)
    kinematic = ("kinematic",) * 3
    book.cases(
        ("bump", "steer", "heave", "roll", "equilibrium", "road"),
        [
            ("title", ("Formula student car", *NONE3, *NONE3), "", ""),
            ("dimension", ("3D", *NONE3, *NONE3), "", ""),
            ("case", ("roll", *NONE3, *NONE3), "", "the one that runs when none is asked for"),
            ("analysis", ("kinematic", None, *kinematic, "equilibrium", "dynamic"), "", ""),
            ("t_start", (0, *NONE3, *NONE3), "s", ""),
            (
                "t_end",
                (1, 2, *NONE3, None, 3),
                "s",
                "on the road the first bump comes at 1 s, after the car has settled",
            ),
            ("t_step", (0.02, None, *NONE3, None, 0.005), "s", "spacing of the result rows"),
        ],
    )
    points: list[Row] = [row for corner in CORNERS for row in corner_points(corner, f" {corner}")]
    points += [
        ("rack centre", None, 65, 0, 165, "no", ""),
        ("roll axis", None, -790, 0, 40, "no", ""),
        ("body centre", None, *CENTRE, "no", ""),
    ]
    book.table("Points", POINT_COLUMNS, points, "hardpoints of the four corners")
    book.table("Bodies", BODY_COLUMNS, _bodies(), "mass properties and positions at the start")
    book.table("Joints", JOINT_COLUMNS, _joints(), "joints of the corners, and what holds body and wheels in each case")
    book.table(
        "Drivers",
        DRIVER_COLUMNS,
        _drivers(),
        "what moves wheels, rack, body and road; numbers and expressions in m and rad",
    )
    springs = [strut(f" {corner}", "chassis", LENGTH0[corner[0]], FREE) for corner in CORNERS]
    springs += [tyre(f" {corner}", f"plate {corner}", FREE) for corner in CORNERS]
    book.table("Springs", SPRING_COLUMNS, springs, "struts and tyres")
    _curves(book)
    columns = [
        Column("title", width=44),
        Column("x", width=26),
        Column("y", width=64),
        Column("type", width=10),
        Column("active", width=14),
    ]
    book.table("Charts", columns, _charts(), "the charts of each case")
    book.finish(README, _sketch(), "")
    return path


def _bodies() -> list[Row]:
    rows: list[Row] = [lump("chassis", SPRUNG, SPRUNG_INERTIA, CENTRE, "yes", "sprung body with driver")]
    for corner in CORNERS:
        rows += corner_bodies(corner, f" {corner}")
    rows.append(lump("rack", 1.0, (0.05, 0.001, 0.05), (65, 0, 165), "yes", "moves along y"))
    for corner in CORNERS:
        rows.append(
            lump(f"plate {corner}", 5.0, (0.1, 0.1, 0.1), hardpoint("contact", corner), FREE, "road under the wheel")
        )
    return rows


def _joints() -> list[Row]:
    held = (None, *NONE3, *NONE3)
    rows: list[Row] = []
    for corner in CORNERS:
        steering = "rack" if corner.startswith("F") else "chassis"
        rows += corner_joints(f" {corner}", "chassis", steering)
    rows += [
        ("rack slide", "translational", "chassis", "rack", "rack centre", None, 0, 1, 0, *NONE3, "yes", "along y"),
        ("body held", "fixed", "ground", "chassis", "body centre", *held, "bump; steer", ""),
        ("body lift", "translational", "ground", "chassis", "body centre", None, 0, 0, 1, *NONE3, "heave", ""),
        (
            "body roll",
            "revolute",
            "ground",
            "chassis",
            "roll axis",
            None,
            1,
            0,
            0,
            *NONE3,
            "roll",
            "right side down is positive",
        ),
        (
            "yaw held",
            "perpendicular",
            "ground",
            "chassis",
            None,
            None,
            1,
            0,
            0,
            0,
            1,
            0,
            FREE,
            "instead of lateral tyre forces",
        ),
    ]
    for corner in CORNERS:
        contact = f"contact {corner}"
        on_road = ("point-on-plane", "ground", f"upright {corner}", contact, None, 0, 0, 1, *NONE3, "heave; roll", "")
        slide = ("translational", "ground", f"plate {corner}", contact, None, 0, 0, 1, *NONE3, FREE, "up and down")
        rows += [(f"on road {corner}", *on_road), (f"plate slide {corner}", *slide)]
    return rows


def _drivers() -> list[Row]:
    height = HARDPOINTS["wheel centre"][2] / 1000
    rows: list[Row] = []
    for corner in CORNERS:
        moves = "t <= 1" if corner.startswith("F") else "t > 1"
        travel = f"{height:g} + if({moves}, 0.04*sin(2*pi*t)^3, 0)"
        rows.append(
            (
                f"travel {corner}",
                f"upright {corner}",
                None,
                "z",
                None,
                travel,
                None,
                "bump",
                "height of the wheel centre",
            )
        )
        rows.append((f"wheel held {corner}", f"upright {corner}", None, "z", height, None, None, "steer", ""))
    rows += [
        ("rack held", None, "rack slide", "displacement", 0, None, None, "not steer", ""),
        (
            "rack travel",
            None,
            "rack slide",
            "displacement",
            None,
            "0.025*sin(2*pi*t)",
            None,
            "steer",
            "left is positive",
        ),
        ("lift", None, "body lift", "displacement", None, "0.03*sin(2*pi*t)", None, "heave", ""),
        (
            "roll",
            None,
            "body roll",
            "angle",
            None,
            "2*pi/180*sin(2*pi*t)",
            None,
            "roll",
            "2 deg",
        ),
        ("x held", "chassis", None, "x", CENTRE[0] / 1000, None, None, FREE, "instead of tyre forces along the road"),
        ("y held", "chassis", None, "y", CENTRE[1] / 1000, None, None, FREE, ""),
    ]
    for corner in CORNERS:
        slide = f"plate slide {corner}"
        rows.append((f"plate held {corner}", None, slide, "displacement", 0, None, None, "equilibrium", ""))
        rows.append((f"road {corner}", None, slide, "displacement", None, None, f"road {corner}", "road", ""))
    return rows


def road(corner: str) -> list[tuple[float, float]]:
    """Road height over time under a wheel: level, then a bump of 12 mm and 1.5 m length."""
    start = 1.0 + (0.25 if corner.endswith("R") else 0.0) + (WHEELBASE / SPEED if corner.startswith("R") else 0.0)
    start, span = round(start, 4), 0.1
    times = [0.0, 0.3, 0.6, 0.8, 0.9, 0.95]
    times += [round(start - each, 4) for each in (0.02, 0.01, 0.005) if start - each > 0.96]
    bump = [round(start + span * k / 20, 6) for k in range(21)]
    after = [round(start + span + each, 4) for each in (0.005, 0.01, 0.02, 0.05, 0.1, 0.3, 0.6, 1.0)]
    heights = [(t, 0.0) for t in sorted(set(times)) if t < start]
    heights += [(t, round(6.0 * (1.0 - cos(2.0 * pi * (t - start) / span)), 6)) for t in bump]
    return [*heights, *((t, 0.0) for t in after if t < 3.0), (3.0, 0.0)]


def _curves(book: Handout) -> None:
    columns, samples = [], {corner: road(corner) for corner in CORNERS}
    for corner in CORNERS:
        columns += [
            Column(f"road {corner}.x", "s", "0.0000", 13),
            Column(f"road {corner}.y", "mm", "0.0000", 13),
            Column(f"road {corner}.interpolation", width=24),
        ]
    rows = []
    for k in range(max(map(len, samples.values()))):
        row: list[float | str | None] = []
        for corner in CORNERS:
            row += [*samples[corner][k], "cubic" if k == 0 else None] if k < len(samples[corner]) else NONE3
        rows.append(tuple(row))
    book.series("Curves", columns, rows, "road heights under the four wheels")


def _charts() -> list[Row]:
    rolls = "; ".join(f"upright {corner}.roll" for corner in CORNERS)
    yaws = "; ".join(f"upright {corner}.yaw" for corner in CORNERS)
    return [
        ("Camber of the front left wheel over its travel", "upright FL.z", "upright FL.roll", "xy", "bump"),
        ("Toe of the front left wheel over its travel", "upright FL.z", "upright FL.yaw", "xy", "bump"),
        ("Toe of the rear left wheel over its travel", "upright RL.z", "upright RL.yaw", "xy", "bump"),
        ("Wheel travel", "time", "upright FL.z; upright RL.z", "line", "bump"),
        (
            "Steering angles over rack travel",
            "rack slide.displacement",
            "upright FL.yaw; upright FR.yaw",
            "xy",
            "steer",
        ),
        ("Camber over rack travel", "rack slide.displacement", "upright FL.roll; upright FR.roll", "xy", "steer"),
        ("Camber over heave", "body lift.displacement", "upright FL.roll; upright FR.roll", "xy", "heave"),
        ("Toe over heave", "body lift.displacement", "upright FL.yaw; upright RL.yaw", "xy", "heave"),
        ("Lean of the wheels over roll", "body roll.angle", rolls, "xy", "roll"),
        ("Toe over roll", "body roll.angle", yaws, "xy", "roll"),
        ("Way of the front contact points", "time", "contact FL.y; contact FR.y", "line", "roll"),
        ("Body on the road", "time", "chassis.z", "line", "road"),
        ("Roll and pitch of the body", "time", "chassis.roll; chassis.pitch", "line", "road"),
        ("Tyre forces on the road", "time", "; ".join(f"tyre {corner}.fz" for corner in CORNERS), "line", "road"),
        ("Struts", "time", "; ".join(f"strut {corner}.force" for corner in CORNERS), "line", "road"),
        ("Road under the left wheels", "time", "plate FL.z; plate RL.z", "line", "road"),
    ]


def _sketch() -> list[Line]:
    lines = VIEW.axes((-790.0, 0.0, 290.0), 250.0)
    parts = (
        (("lower front", "lower ball", "lower rear"), "#3E6A8F"),
        (("upper front", "upper ball", "upper rear"), "#3E6A8F"),
        (("lower ball", "upper ball", "wheel centre", "lower ball", "tie outer"), "#B4532A"),
        (("tie inner", "tie outer"), "#3E7C59"),
        (("strut lower", "strut upper"), "#9AA7B1"),
    )
    for corner in CORNERS:
        for number, (names, colour) in enumerate(parts):
            places = [VIEW.point(*hardpoint(name, corner)) for name in names]
            lines.append(Line(f"{corner} {number}", places, colour=colour, width=1.5, markers="none"))
    rack = [VIEW.point(*hardpoint("tie inner", corner)) for corner in ("FL", "FR")]
    lines.append(Line("rack", rack, colour="#1F2933", width=1.5, markers="none"))
    return lines


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
