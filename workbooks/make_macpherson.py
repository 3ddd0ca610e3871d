"""Make macpherson.xlsx: the steered strut axle of a small passenger car, from its hardpoints to one page."""

from __future__ import annotations

from pathlib import Path

import readme
from car_sheets import Car, sketched, write
from sketch import View
from style import Handout, Layout, run_script

VIEW = View(azimuth=-142.0, elevation=20.0)

FRONT = {
    "lower arm front": (20.0, 355.0, 205.0),
    "lower arm rear": (-285.0, 370.0, 214.0),
    "lower ball joint": (5.0, 700.0, 190.0),
    "strut lower": (-8.0, 650.0, 420.0),
    "strut top": (-50.0, 595.0, 860.0),
    "tie rod inner": (-130.0, 325.0, 262.0),
    "tie rod outer": (-138.0, 672.0, 252.0),
    "wheel centre": (0.0, 735.0, 295.0),
    "bar link suspension": (40.0, 640.0, 470.0),
    "bar link bar": (45.0, 635.0, 215.0),
    "bar axis": (-215.0, 350.0, 222.0),
}
SETTINGS = (
    ("type", ("macpherson",), "", "a lower arm, and a strut that turns and slides in its top mount"),
    ("steering", ("rack",), "", ""),
    ("axes", ("ISO 8855",), "", "x forward, y to the left, z up; the origin is on the road under the front axle"),
    ("camber", (-0.5,), "deg", "+ top outboard"),
    ("toe", (0.1,), "deg", "+ front inboard"),
    ("tyre radius", (295,), "mm", "loaded: the height of the wheel centre above the road"),
    ("tyre rate", (200,), "N/mm", "vertical stiffness of a tyre"),
    ("wheelbase", (2490,), "mm", ""),
    ("cg height", (520,), "mm", "of the whole car, above the road"),
    ("mass", (1100,), "kg", "with its driver"),
    ("weight front", (61,), "%", ""),
    ("unsprung mass", (32,), "kg", "of one corner"),
    ("brake front", (72,), "%", "share of the brake force"),
    ("drive rear", (0,), "%", "front-wheel drive"),
    ("drive", ("inboard",), "", "through halfshafts"),
    ("rack per turn", (-48,), "mm", "negative: the rack lies behind the axle"),
)
HEADERS = "name axle kind k:N/mm c:N*s/mm gap:mm on d:mm length:mm G:GPa design notes"
SPRINGS = (
    ("spring", "front", "spring", 21, None, None, None, None, None, None, None, "between the points of the strut"),
    ("damper", "front", "damper", None, 1.6, None, None, None, None, None, None, "the same"),
    ("bump stop", "front", "bump stop", 60, None, 40, None, None, None, None, None, ""),
    ("droop stop", "front", "droop stop", 120, None, 65, None, None, None, None, None, ""),
    ("bar", "front", "U bar", None, None, None, "upright", 20, 900, 80, None, "a solid bar, its links on the struts"),
    ("bar", "front", "U bar", None, None, None, "upright", 22, 900, 80, "B", "design B: a thicker bar"),
)
CHANGED = (("front", "lower arm rear", -285.0, 370.0, 208.0, "B", "design B: rear bush 6 mm lower"),)
RANGES = (
    "name type travel_from:mm travel_to:mm travel_step:mm roll_from:deg roll_to:deg roll_step:deg "
    "rack_from:mm rack_to:mm rack_step:mm rack:mm"
)
SWEEPS = (
    ("heave", "heave", -60, 60, 5, None, None, None, None, None, None, None),
    ("single wheel", "single wheel", -60, 60, 5, None, None, None, None, None, None, None),
    ("roll", "roll", None, None, None, -4, 4, 0.2, None, None, None, None),
    ("steer", "steer", None, None, None, None, None, None, -65, 65, 5, None),
    ("full lock", "heave", -60, 60, 5, None, None, None, None, None, None, 65),
)
TARGETS = (
    ("front.roll_centre_height", None, "40 mm", "90 mm", None, "at design"),
    ("FL.kingpin_offset", None, "-10 mm", "15 mm", None, "at design"),
    ("FL.ride_frequency", None, 1.1, 1.4, None, "at design"),
)
CAR = Car(
    SETTINGS,
    {"front": FRONT},
    CHANGED,
    {
        "Suspension springs": (HEADERS, SPRINGS),
        "Sweeps": (RANGES, SWEEPS),
        "Targets": ("metric sweep min max tolerance notes", TARGETS),
        "Designs": ("name colour notes", (("base", "blue", ""), ("B", "orange", "lower rear bush, thicker bar"))),
    },
)


def make(folder: Path, layout: Layout = Handout, name: str = "macpherson") -> Path:
    """Write the workbook into ``folder``, laid out so and so called, and return its path."""
    book = layout(folder / f"{name}.xlsx", "MacPherson front axle", space=True)
    write(book, CAR)
    return book.finish(readme.text("macpherson"), sketched(book, CAR, VIEW), "")


if __name__ == "__main__":
    run_script(make)
