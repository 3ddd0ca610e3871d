"""Make truck-handling.xlsx: an off-road car on the tyre of Chrono's HMMWV, in a diagram, on a circle and under braking."""

from __future__ import annotations

from pathlib import Path

import readme
from car_sheets import Car, Point, sketched, write
from sketch import View
from style import Handout, Layout, run_script

from sheetmbs.tyres.given_values import TyreProblems
from sheetmbs.tyres.property_lines import read_property_text

TYRE_FILE = Path(__file__).parents[1] / "tests" / "tyres" / "files" / "HMMWV_Pac02Tire.tir"
TYRE = "HMMWV"
SOURCE = "HMMWV_Pac02Tire.tir of Project Chrono (projectchrono/chrono), copyright 2013 Chrono Development Team, BSD-3"
VIEW = View(azimuth=-142.0, elevation=24.0)
WHEELBASE = 3300.0

FRONT: dict[str, Point] = {
    "lower arm front": (220.0, 380.0, 330.0),
    "lower arm rear": (-230.0, 380.0, 334.0),
    "lower ball joint": (8.0, 800.0, 320.0),
    "upper arm front": (160.0, 450.0, 560.0),
    "upper arm rear": (-190.0, 450.0, 552.0),
    "upper ball joint": (-14.0, 770.0, 585.0),
    "tie rod inner": (-170.0, 405.0, 402.0),
    "tie rod outer": (-178.0, 785.0, 396.0),
    "wheel centre": (0.0, 910.0, 455.0),
    "damper outer": (0.0, 660.0, 345.0),
    "damper chassis": (0.0, 560.0, 800.0),
}
TOE_LINK = {"tie rod inner": (-150.0, 405.0, 400.0), "tie rod outer": (-150.0, 785.0, 394.0)}
REAR: dict[str, Point] = {name: (x - WHEELBASE, y, z) for name, (x, y, z) in {**FRONT, **TOE_LINK}.items()}
SETTINGS = (
    ("type", ("double wishbone", "double wishbone"), "", "how the wheels are guided"),
    ("steering", ("rack", "none"), "", ""),
    ("axes", ("ISO 8855",), "", "x forward, y to the left, z up; the origin is on the road under the front axle"),
    ("camber", (-0.3, -0.3), "deg", "+ top outboard"),
    ("toe", (0.0, 0.0), "deg", "+ front inboard"),
    ("tyre radius", (455, 455), "mm", "loaded: the height of the wheel centre above the road"),
    ("wheelbase", (WHEELBASE,), "mm", ""),
    ("cg height", (760,), "mm", "of the whole car, above the road"),
    ("mass", (2500,), "kg", ""),
    ("weight front", (52,), "%", ""),
    ("unsprung mass", (95, 95), "kg", "of one corner"),
    ("brake front", (58,), "%", "share of the brake force"),
    ("drive rear", (50,), "%", "both axles are driven alike"),
    ("ride height", ("solve preload",), "", "preloads are found at which the car stands as drawn"),
    ("rack per turn", (-60,), "mm", "negative: the rack lies behind the axle"),
    ("drag area", (2.2,), "m^2", "Cx A"),
)
SPRINGS = (
    ("front spring", "front", "spring", 150, None, ""),
    ("front damper", "front", "damper", None, 9, ""),
    ("front bump stop", "front", "bump stop", 300, None, 60),
    ("rear spring", "rear", "spring", 140, None, ""),
    ("rear damper", "rear", "damper", None, 9, ""),
    ("rear bump stop", "rear", "bump stop", 300, None, 60),
)
HANDLING = (
    ("diagram", "yaw moment", 60, None, -7, 7, 1, -60, 60, 10),
    ("circle", "circle", None, 40, None, None, None, None, None, None),
)
LOAD_CASES = (
    ("static", None, None, None, None, "the weight alone"),
    ("braking", "tyres", 60, -0.4, None, ""),
    ("braking into a left turn", "tyres", 60, -0.25, 0.35, "rack and slip angles are found"),
)
TARGETS = (
    ("max_trimmed_ay", "diagram", 0.5, None, "over g"),
    ("understeer_gradient", "circle", "0 deg/g", None, "it understeers"),
)


def _coefficients() -> list[tuple[str, str, str | float, str, str]]:
    """All keys of the file that the magic formula reads, with their comments."""
    problems = TyreProblems()
    lines = read_property_text(TYRE_FILE.read_text(encoding="latin-1"), TYRE_FILE.name, problems)
    rows = []
    for name, written in lines.words.items():
        given = lines.values.get(name)
        if given is None:
            continue
        number = given.value if isinstance(given.value, float) else given.as_written
        rows.append((TYRE, written, number, lines.unit_of(name) or "", given.comment or ""))
    return rows


CAR = Car(
    SETTINGS,
    {"front": FRONT, "rear": REAR},
    tables={
        "Suspension springs": (
            "name axle kind k:N/mm c:N*s/mm gap:mm",
            [(*row[:5], row[5] or None) for row in SPRINGS],
        ),
        "Load cases": ("name method speed:km/h ax:g ay:g notes", LOAD_CASES),
        "Targets": ("metric sweep min max notes", TARGETS),
        "Tyres": ("name model notes", ((TYRE, "magic formula", SOURCE),)),
        "Tyre coefficients": ("tyre coefficient value unit notes", _coefficients()),
        "Handling": (
            "name type speed:km/h radius:m beta_from:deg beta_to:deg beta_step:deg rack_from:mm rack_to:mm rack_step:mm",
            HANDLING,
        ),
    },
)


def make(folder: Path, layout: Layout = Handout, name: str = "truck-handling") -> Path:
    """Write the workbook into ``folder``, laid out so and so called, and return its path."""
    book = layout(folder / f"{name}.xlsx", "Off-road car on a licence-clean tyre", space=True)
    write(book, CAR)
    return book.finish(readme.text("truck-handling"), sketched(book, CAR, VIEW), "")


if __name__ == "__main__":
    run_script(make)
