"""Make double-wishbone.xlsx: a suspension corner in bump, steer, under its static load and on a road."""

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
    corner_bodies,
    corner_joints,
    corner_points,
    lump,
    strut,
    tyre,
)

SPRUNG = 62.0
"""kg on this corner"""
LENGTH0 = 339.7
"""mm, natural length of the strut: about 28 mm longer than at the start, so that the corner stands near its design height"""
HELD, FREE = "bump; steer", "static; road"
VIEW = View(azimuth=-150.0, elevation=20.0)

README = """
The front left corner of a formula student car: two wishbones, upright, tie rod, rack and a strut on the lower arm. Hardpoints
stand on Points, in mm, in the axes of ISO 8855: x forward, y left, z up.

# Cases
bump: the chassis is held, the wheel centre goes up and down by 50 mm. What do camber, toe and track do?

steer: the chassis is held, the rack goes left and right by 30 mm.

static: the chassis carries its share of the car on a vertical slide; where does it come to rest? Joints and strut show their
loads.

road: the same corner rolls over a bump of 40 mm at 10 m/s. Road heights stand on Curves.

# Source
Hardpoints of our own, of usual size. tests/test_suspension.py solves the linkage a second time by lengths alone.

# How to run
sheetmbs run double-wishbone.xlsx --case bump --output bump.xlsx

and likewise with steer, static and road; without --case the setting case counts.

# What to look at
mbs Charts: camber (roll of the upright; top inwards is positive here, which is negative camber), toe (yaw; the nose outwards is
positive) and track over the height of the wheel centre.

mbs Joints: the forces on each ball joint and hinge, in static and road.

mbs Summary: the tie rod may turn about its own axis; that idle rotation is named and stops nothing.

# Change it
Move tie outer up or down by 5 mm on Points and run bump again: the toe curve bends.
"""


def make(folder: Path) -> Path:
    """Write the workbook into ``folder`` and return its path."""
    path = folder / "double-wishbone.xlsx"
    book = Handout(path, "Double-wishbone corner", space=True)
    book.cases(
        ("bump", "steer", "static", "road"),
        [
            ("title", ("Double-wishbone corner", None, None, None, None), "", ""),
            ("dimension", ("3D", None, None, None, None), "", ""),
            ("case", ("bump", None, None, None, None), "", "the one that runs when none is asked for"),
            ("analysis", ("kinematic", None, None, "equilibrium", "dynamic"), "", ""),
            ("t_start", (0, None, None, None, None), "s", ""),
            ("t_end", (1, None, None, None, 2), "s", "the bump begins at 1 s, after the corner has settled"),
            ("t_step", (0.01, None, None, None, 0.002), "s", "spacing of the result rows"),
        ],
    )
    book.table(
        "Points", POINT_COLUMNS, [*corner_points("FL", ""), ("rack centre", None, 65, 0, 165, "no", "")], "hardpoints"
    )
    bodies = [
        lump("chassis", SPRUNG, (2, 2, 2), (0, 300, 350), "yes", "this corner's share of the sprung mass"),
        *corner_bodies("FL", ""),
        lump("rack", 1.0, (0.05, 0.001, 0.05), (65, 0, 165), "yes", "moves along y"),
        lump("road plate", 5.0, (0.1, 0.1, 0.1), (0, 600, 0), FREE, "under the wheel; moved by the road"),
    ]
    book.table("Bodies", BODY_COLUMNS, bodies, "mass properties and positions at the start")
    none3 = (None,) * 3
    joints = [
        ("chassis held", "fixed", "ground", "chassis", "strut upper", None, *none3, *none3, HELD, ""),
        (
            "chassis slide",
            "translational",
            "ground",
            "chassis",
            "strut upper",
            None,
            0,
            0,
            1,
            *none3,
            FREE,
            "up and down",
        ),
        ("rack slide", "translational", "chassis", "rack", "rack centre", None, 0, 1, 0, *none3, "yes", "along y"),
        *corner_joints("", "chassis", "rack"),
        ("plate slide", "translational", "ground", "road plate", "contact", None, 0, 0, 1, *none3, FREE, "up and down"),
    ]
    book.table("Joints", JOINT_COLUMNS, joints, "hinges of the arms, ball joints, slides")
    drivers = [
        (
            "wheel travel",
            "upright",
            None,
            "z",
            None,
            "0.228 + 0.05*sin(2*pi*t)",
            None,
            "bump",
            "height of the wheel centre",
        ),
        ("wheel held", "upright", None, "z", 0.228, None, None, "steer", ""),
        ("rack held", None, "rack slide", "displacement", 0, None, None, "not steer", ""),
        (
            "rack travel",
            None,
            "rack slide",
            "displacement",
            None,
            "0.03*sin(2*pi*t)",
            None,
            "steer",
            "left is positive",
        ),
        ("plate held", None, "plate slide", "displacement", 0, None, None, "static", ""),
        ("road", None, "plate slide", "displacement", None, None, "bump", "road", "height of the road under the wheel"),
    ]
    book.table("Drivers", DRIVER_COLUMNS, drivers, "what moves wheel, rack and road; numbers and expressions in m")
    springs = [strut("", "chassis", LENGTH0, FREE), tyre("", "road plate", FREE)]
    book.table("Springs", SPRING_COLUMNS, springs, "strut and tyre")
    curve_columns = [Column("bump.x", "s", "0.0000", 12), Column("bump.y", "mm", "0.0000", 12)]
    curve = [*curve_columns, Column("bump.interpolation", width=20)]
    book.series("Curves", curve, road_heights(), "the road: a bump of 1 m length and 40 mm height, met at 10 m/s")
    book.table("Charts", CHART_COLUMNS, CHARTS, "the charts of each case")
    book.finish(README, _sketch(), "")
    return path


def road_heights() -> list[tuple[float, float, str | None]]:
    """Road height over time: half a cosine wave up and down between 1.0 and 1.1 s, level before and after."""
    level = [0.0, 0.3, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995]
    after = [1.105, 1.11, 1.12, 1.15, 1.2, 1.4, 1.7, 2.0]
    wave = [round(1.0 + 0.005 * k, 4) for k in range(21)]
    heights = [(t, 0.0) for t in level]
    heights += [(t, round(20.0 * (1.0 - cos(2.0 * pi * (t - 1.0) / 0.1)), 6)) for t in wave]
    heights += [(t, 0.0) for t in after]
    return [(t, z, "cubic" if k == 0 else None) for k, (t, z) in enumerate(heights)]


CHART_COLUMNS = [
    Column("title", width=40),
    Column("x", width=26),
    Column("y", width=44),
    Column("type", width=10),
    Column("active", width=22),
]
CHARTS = [
    ("Camber over wheel travel", "upright.z", "upright.roll", "xy", "bump"),
    ("Toe over wheel travel", "upright.z", "upright.yaw", "xy", "bump"),
    ("Contact point over wheel travel", "contact.y", "contact.z", "xy", "bump"),
    ("Caster over wheel travel", "upright.z", "upright.pitch", "xy", "bump"),
    ("Road wheel angle over rack travel", "rack slide.displacement", "upright.yaw", "xy", "steer"),
    ("Camber over rack travel", "rack slide.displacement", "upright.roll", "xy", "steer"),
    ("Heights of chassis and wheel", "time", "chassis.z; upright.z; road plate.z", "line", "road"),
    ("Strut", "time", "strut.spring_force; strut.damper_force", "line", "road"),
    ("Tyre force on the road", "time", "tyre.fz", "line", "road"),
    ("Lower ball joint", "time", "lower ball joint.j.fx; lower ball joint.j.fy; lower ball joint.j.fz", "line", "road"),
    ("Tie rod", "time", "tie rod outer.j.fy", "line", "road"),
]


def _sketch() -> list[Line]:
    at = {name: VIEW.point(*place) for name, place in HARDPOINTS.items()}

    def line(name: str, places: list[str], colour: str, **more: object) -> Line:
        return Line(name, [at[place] for place in places], colour=colour, **more)  # type: ignore[arg-type]

    return [
        *VIEW.axes((0.0, 250.0, 0.0), 120.0),
        line("lower arm", ["lower front", "lower ball", "lower rear"], "#3E6A8F"),
        line("upper arm", ["upper front", "upper ball", "upper rear"], "#3E6A8F"),
        line("upright", ["lower ball", "upper ball", "wheel centre", "lower ball", "tie outer"], "#B4532A"),
        line("tie rod", ["tie inner", "tie outer"], "#3E7C59"),
        line("strut", ["strut lower", "strut upper"], "#9AA7B1"),
        line("tyre", ["wheel centre", "contact"], "#9AA7B1", dashed=True, markers="none"),
    ]


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
