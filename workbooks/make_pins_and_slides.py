"""Make pins-and-slides.xlsx: a chain of pins and slides with one flexible beam, closed by a last pin."""

from __future__ import annotations

import sys
from math import radians
from pathlib import Path

from flexible import Bar, Pin, charts, settings, toward, write
from style import Handout, Layout

ANGLES = {"rod 2": -40.0, "rod 4": -10.0, "beam 6": 10.0, "rod 8": 40.0}
SLIDING = ("rod 10", "rod 12", "rod 14", "rod 16", "rod 18")
OVERLAP = 0.5

README = """
Nine bodies in one loop: three rods and a flexible beam hang between pins, and five more rods slide in each other like a
telescope whose far end is pinned to the ground. Let go from rest, the chain falls, and the telescope runs out; its slides have
no stops.

# Source
After the third example of L. Zhang et al., AIMS Mathematics 8 (2023) 21501-21530, with its numbers: the joints 1, 3, 5, 7 and 9
are pins, 11, 13, 15 and 17 slides, and joint 19 closes the loop; the bodies 2, 4, 8, 10, 12, 14, 16 and 18 are rigid, so body
6 is the flexible one. All are 1 m long and weigh 1 kg. Stiffness and starting positions are our own, for the source gives none.

tests/project/test_workbooks_beams.py integrates the motion in nine coordinates of its own.

# How to run
{run}

# What to look at
mbs Bodies: the amplitudes of beam 6 and its deflection; mbs Joints: how far the slides have run out.

mbs Summary: 9 degrees of freedom, seven of the rods and two of the beam.

mbs Constraints: position_violation stays below 1e-10 m, total_energy at its first value.
"""


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    path = folder / "pins-and-slides.xlsx"
    book = layout(path, "Chain of pins and slides")
    settings(book, "Chain of pins and slides", 0.6)
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
    charts(
        book,
        [
            ("Amplitudes of the two shapes", "time", "beam 6.q1; beam 6.q2", "line"),
            ("Deflection in the middle of the beam", "time", "beam 6.deflection", "line"),
            ("Bending moment", "time", "middle of beam 6.moment; quarter of beam 6.moment", "line"),
            ("How far the slides have run out", "time", "; ".join(f"{name}.displacement" for name in slides), "line"),
            ("Angles", "time", "; ".join(f"{name}.phi" for name in (*ANGLES, "rod 10")), "line"),
            ("Energy", "time", "kinetic_energy; potential_energy; total_energy", "line"),
            ("Violation of joint 19", "time", "joint 19.position", "line"),
        ],
    )
    book.finish(README, lines, "m")
    return path


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
