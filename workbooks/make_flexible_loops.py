"""Make flexible-loops.xlsx: three loops in a row whose couplers bend, let go under gravity."""

from __future__ import annotations

import sys
from math import radians
from pathlib import Path

from flexible import Bar, Pin, charts, meeting, settings, toward, write
from style import Handout, Layout

SPACING, START = 1.1, -60.0
RODS = {"rod 2": 1.0, "rod 8": 0.75, "rod 14": 0.95, "rod 18": 0.7}
BEAMS = ("beam 5", "beam 11", "beam 21")
BEAM = 1.0

README = """
Four rods hang from the ground, and three flexible beams couple their lower ends: three closed loops that share their rods. Let
go from rest, they swing under gravity, and each beam bends in its own way.

# Source
After the second example of L. Zhang et al., AIMS Mathematics 8 (2023) 21501-21530: several closed loops, in which the bodies 5,
11 and 21 are flexible with two shapes each, moved by gravity only. The figure that shows how they are joined cannot be read
from the text: rods, their lengths from 0.7 to 1 m, their numbers and the layout are our own. Rods and beams weigh 1 kg for each
metre; the stiffness is chosen so that a beam vibrates with 5 Hz on its two pins.

tests/project/test_workbooks_beams.py integrates the motion in seven coordinates of its own: one angle and six amplitudes.

# How to run
{run}

# What to look at
mbs Bodies: the amplitudes q1 and q2 and the deflection of each beam.

mbs Summary: 7 degrees of freedom, one of the linkage and two of each beam.

mbs Constraints: position_violation stays below 1e-10 m, total_energy at its first value.
"""


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    path = folder / "flexible-loops.xlsx"
    book = layout(path, "Three loops with flexible beams")
    settings(book, "Three loops with flexible beams", 2)
    tops = [(SPACING * k, 0.0) for k in range(len(RODS))]
    lengths = list(RODS.values())
    ends = [toward(tops[0], radians(START), lengths[0])]
    for top, length in zip(tops[1:], lengths[1:], strict=True):
        ends.append(meeting(top, length, ends[-1], BEAM))
    names = list(RODS)
    pins = [Pin(f"pivot {k}", "ground", name, tops[k], "fixed pivot") for k, name in enumerate(names)]
    for k, beam in enumerate(BEAMS):
        pins.append(Pin(f"left of {beam}", names[k], beam, ends[k], "at end i of the beam"))
        pins.append(Pin(f"right of {beam}", beam, names[k + 1], ends[k + 1], "at end j of the beam"))
    lines = write(
        book,
        [Bar(name, tops[k], ends[k], f"hangs from pivot {k}") for k, name in enumerate(names)],
        [Bar(beam, ends[k], ends[k + 1], f"couples {names[k]} and {names[k + 1]}") for k, beam in enumerate(BEAMS)],
        pins,
    )
    charts(
        book,
        [
            (
                "Deflection in the middle of the beams",
                "time",
                "; ".join(f"{beam}.deflection" for beam in BEAMS),
                "line",
            ),
            ("Amplitudes of the first shapes", "time", "; ".join(f"{beam}.q1" for beam in BEAMS), "line"),
            ("Amplitudes of the second shapes", "time", "; ".join(f"{beam}.q2" for beam in BEAMS), "line"),
            ("Bending moments in the middle", "time", "; ".join(f"middle of {beam}.moment" for beam in BEAMS), "line"),
            ("Angles of the rods", "time", "; ".join(f"{name}.phi" for name in names), "line"),
            ("Energy", "time", "kinetic_energy; potential_energy; total_energy", "line"),
            ("Violation of the joints", "time", "position_violation", "line"),
        ],
    )
    book.finish(README, lines, "m")
    return path


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
