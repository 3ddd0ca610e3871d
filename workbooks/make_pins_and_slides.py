"""Make pins-and-slides.xlsx: a chain of pins and slides with one flexible beam, closed by a last pin."""

from __future__ import annotations

from math import radians
from pathlib import Path

import readme
from flexible import Bar, Pin, settings, toward, write
from style import Handout, Layout, run_script

ANGLES = {"rod 2": -40.0, "rod 4": -10.0, "beam 6": 10.0, "rod 8": 40.0}
SLIDING = ("rod 10", "rod 12", "rod 14", "rod 16", "rod 18")
OVERLAP = 0.5


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "pins-and-slides.xlsx", "Chain of pins and slides")
    settings(book, 0.6)
    place = (0.0, 0.0)
    bars, pins, before = [], [], "ground"
    for number, (name, angle) in enumerate(ANGLES.items()):
        end = toward(place, radians(angle), 1.0)
        bars.append(Bar(name, place, end, "bends" if name.startswith("beam") else "hangs between two pins"))
        pins.append(Pin(f"joint {2 * number + 1}", before, name, place, "pin"))
        place, before = end, name
    pins.append(Pin("joint 9", before, SLIDING[0], place, "pin: here the telescope begins"))
    start = place
    for number, name in enumerate(SLIDING):
        left = (start[0] + OVERLAP * number, start[1])
        bars.append(Bar(name, left, (left[0] + 1.0, left[1]), "slides"))
        if number:
            kind = {"kind": "translational", "axis": (1.0, 0.0)}
            pins.append(Pin(f"joint {9 + 2 * number}", SLIDING[number - 1], name, left, "slide along the rods", **kind))
    last = bars[-1].end
    pins.append(Pin("joint 19", SLIDING[-1], "ground", last, "pin: closes the loop"))
    rods = [bar for bar in bars if not bar.name.startswith("beam")]
    lines = write(book, rods, [bar for bar in bars if bar.name.startswith("beam")], pins)
    slides = [f"joint {number}" for number in (11, 13, 15, 17)]
    book.charts(
        [
            ("Amplitudes of the two shapes", "time", "beam 6.q1; beam 6.q2", "line"),
            ("Deflection in the middle of the beam", "time", "beam 6.deflection", "line"),
            ("Bending moment", "time", "middle of beam 6.moment; quarter of beam 6.moment", "line"),
            ("How far the slides have run out", "time", "; ".join(f"{name}.displacement" for name in slides), "line"),
            ("Angles", "time", "; ".join(f"{name}.phi" for name in (*ANGLES, "rod 10")), "line"),
            ("Energy", "time", "kinetic_energy; potential_energy; total_energy", "line"),
            ("Violation of joint 19", "time", "joint 19.position", "line"),
        ],
        x=20,
        y=66,
    )
    return book.finish(readme.text("pins-and-slides"), lines, "m")


if __name__ == "__main__":
    run_script(make)
