"""Make formula-student.xlsx: both axles of a formula student car from its hardpoints to one page."""

from __future__ import annotations

from pathlib import Path

import readme
from car_sheets import Car, Row, sketched, write
from sketch import View
from style import Handout, Layout, run_script

VIEW = View(azimuth=-142.0, elevation=24.0)

FRONT = {
    "lower arm front": (140.0, 190.0, 114.0),
    "lower arm rear": (-150.0, 205.0, 120.0),
    "lower ball joint": (5.0, 575.0, 116.0),
    "upper arm front": (120.0, 250.0, 291.0),
    "upper arm rear": (-130.0, 258.0, 284.0),
    "upper ball joint": (-10.0, 548.0, 312.0),
    "tie rod inner": (44.0, 205.0, 148.0),
    "tie rod outer": (82.0, 580.0, 152.0),
    "wheel centre": (0.0, 610.0, 228.0),
    "rod outer": (5.0, 545.0, 135.0),
    "rod rocker": (0.0, 280.0, 500.0),
    "rocker pivot": (0.0, 235.0, 480.0),
    "rocker axis": (40.0, 235.0, 480.0),
    "damper rocker": (0.0, 225.0, 542.0),
    "damper chassis": (0.0, 30.0, 532.0),
    "bar link suspension": (0.0, 190.0, 485.0),
    "bar link bar": (0.0, 190.0, 305.0),
    "bar axis": (-70.0, 150.0, 300.0),
}
REAR = {
    "lower arm front": (-1380.0, 180.0, 133.0),
    "lower arm rear": (-1640.0, 205.0, 117.0),
    "lower ball joint": (-1540.0, 560.0, 118.0),
    "upper arm front": (-1400.0, 235.0, 284.0),
    "upper arm rear": (-1640.0, 245.0, 280.0),
    "upper ball joint": (-1552.0, 545.0, 316.0),
    "tie rod inner": (-1660.0, 218.0, 130.0),
    "tie rod outer": (-1622.0, 562.0, 130.0),
    "wheel centre": (-1545.0, 590.0, 228.0),
    "rod outer": (-1548.0, 512.0, 305.0),
    "rod rocker": (-1545.0, 258.0, 146.0),
    "rocker pivot": (-1545.0, 275.0, 118.0),
    "rocker axis": (-1505.0, 275.0, 118.0),
    "damper rocker": (-1545.0, 279.0, 58.0),
    "damper chassis": (-1545.0, 85.0, 62.0),
    "bar link suspension": (-1545.0, 320.0, 122.0),
    "bar link bar": (-1545.0, 320.0, 262.0),
    "bar axis": (-1610.0, 270.0, 258.0),
}
SETTINGS = (
    ("type", ("double wishbone", "double wishbone"), "", "how the wheels are guided"),
    ("actuation", ("push-rod", "pull-rod"), "", "a word for the reader: the points say which it is"),
    ("rod on", ("lower arm", "upper arm"), "", "where the rod stands on the wheel's side"),
    ("axes", ("ISO 8855",), "", "x forward, y to the left, z up; the origin is on the road under the front axle"),
    ("camber", (-1.5, -1.0), "deg", "+ top outboard"),
    ("toe", (-0.2, 0.15), "deg", "+ front inboard"),
    ("tyre radius", (228, 228), "mm", "loaded: the height of the wheel centre above the road"),
    ("tyre rate", (110, 110), "N/mm", "vertical stiffness of a tyre"),
    ("wheelbase", (1545,), "mm", ""),
    ("cg height", (290,), "mm", "of the whole car with its driver, above the road"),
    ("mass", (290,), "kg", "of the whole car with its driver"),
    ("weight front", (47,), "%", ""),
    ("unsprung mass", (9.5, 10), "kg", "of one corner"),
    ("brake front", (62,), "%", "share of the brake force"),
    ("drive rear", (100,), "%", "share of the driving force"),
    ("brakes", ("outboard", "outboard"), "", "their torque reaches the upright"),
    ("drive", ("inboard", "inboard"), "", "through halfshafts: its torque does not"),
    ("ride height", ("solve preload",), "", "preloads are found at which the car stands as drawn"),
    ("rack per turn", (85,), "mm", "rack travel to the left per turn to the left"),
    ("rim diameter", (254, 254), "mm", "for toe in mm"),
)
SPRINGS = (
    ("front spring", "front", "spring", 30, None, None, None, ""),
    ("front damper", "front", "damper", None, 1.2, None, None, ""),
    ("front bump stop", "front", "bump stop", 90, None, 24, None, "acts after 24 mm of damper travel"),
    ("front bar", "front", "U bar", "100 N*m/rad", None, None, None, "per radian of twist between its ends"),
    ("rear spring", "rear", "spring", 48, None, None, None, ""),
    ("rear damper", "rear", "damper", None, 1.8, None, None, ""),
    ("rear bump stop", "rear", "bump stop", 120, None, 19, None, "acts after 19 mm of damper travel"),
    ("rear bar", "rear", "U bar", "80 N*m/rad", None, None, None, ""),
    ("front spring", "front", "spring", 35, None, None, "B", "design B: the next spring in the box"),
)
CHANGED: tuple[Row, ...] = (
    ("front", "upper arm front", 120.0, 250.0, 299.0, "B", "design B: this bracket 8 mm higher, for anti-dive"),
)
SWEEPS = (
    ("heave", "heave", -30, 30, 2.5, None, None, None, None, None, None, None),
    ("single wheel", "single wheel", -30, 30, 2.5, None, None, None, None, None, None, None),
    ("roll", "roll", None, None, None, -2, 2, 0.1, None, None, None, None),
    ("steer", "steer", None, None, None, None, None, None, -25, 25, 2.5, None),
    ("full lock", "heave", -30, 30, 2.5, None, None, None, None, None, None, 25),
)
RANGES = (
    "name type travel_from:mm travel_to:mm travel_step:mm roll_from:deg roll_to:deg roll_step:deg "
    "rack_from:mm rack_to:mm rack_step:mm rack:mm"
)
TARGETS = (
    ("front.roll_centre_height", None, None, "20 mm", "45 mm", None, "at design"),
    ("roll_stiffness_front_share", None, None, "50 %", "60 %", None, "at design"),
    ("FL.camber", "heave", None, "-2.5 deg", "-0.4 deg", None, "through the whole travel"),
    ("FL.toe", "heave", "-0.2 deg", None, None, "0.1 deg", "next to no bump steer"),
)
LOAD_CASES = (
    ("static", None, None, None, None, "the weight alone"),
    ("braking", -1.4, None, None, None, ""),
    ("cornering left", None, 1.6, None, None, "a left turn: + is to the left"),
    ("cornering left, steered", None, 1.6, None, 15, "the rack steers into the turn"),
    ("braking in a turn", -0.9, 1.1, None, 10, ""),
    ("acceleration", 0.8, None, None, None, ""),
    ("bump", None, None, 3, None, "three times the weight"),
)
CAR = Car(
    SETTINGS,
    {"front": FRONT, "rear": REAR},
    CHANGED,
    {
        "Suspension springs": ("name axle kind k:N/mm c:N*s/mm gap:mm design notes", SPRINGS),
        "Sweeps": (RANGES, SWEEPS),
        "Load cases": ("name ax:g ay:g az:g rack:mm notes", LOAD_CASES),
        "Targets": ("metric sweep value min max tolerance notes", TARGETS),
        "Designs": ("name colour notes", (("base", "blue", ""), ("B", "orange", "higher bracket, stiffer spring"))),
    },
)


def make(folder: Path, layout: Layout = Handout, name: str = "formula-student") -> Path:
    """Write the workbook into ``folder``, laid out so and so called, and return its path."""
    book = layout(folder / f"{name}.xlsx", "Formula student suspension", space=True)
    write(book, CAR)
    return book.finish(readme.text("formula-student"), sketched(book, CAR, VIEW), "")


if __name__ == "__main__":
    run_script(make)
