"""Make flexible-four-bar.xlsx: a crank-rocker whose coupler bends, let go under gravity."""

from __future__ import annotations

import sys
from math import radians
from pathlib import Path

from flexible import Bar, Pin, charts, meeting, settings, toward, write
from style import Handout, Layout

BENDING = 40.0
"""N m^2: the coupler then bends by a twentieth of its length, which the theory of beams allows"""
GROUND, CRANK, COUPLER, ROCKER, START = 1.2, 0.5, 1.0, 1.0, 60.0

README = """
A crank-rocker let go from rest under gravity. Its coupler is a flexible beam with two shapes: how does it bend while the
linkage swings, and what moment and shear force does that mean in it?

# Source
After the first example of L. Zhang et al., AIMS Mathematics 8 (2023) 21501-21530: a four-link mechanism with a flexible beam,
under gravity alone, 1 kg for each metre. There all links are 1 m long; such a rhombus passes through singular positions and
hardly excites the second shape, so ours has a base of 1.2 m and a crank of 0.5 m. The source gives no stiffness; ours makes
the beam vibrate with 10 Hz on its two pins.

tests/project/test_workbooks_beams.py integrates the motion in three coordinates of its own: the crank's
angle and two amplitudes.

# How to run
{run}

# What to look at
mbs Bodies: coupler.q1 and coupler.q2, the amplitudes of the two shapes; coupler.deflection, in the middle, from the line
through both pins.

mbs Points: moment and shear at the middle and at the quarter of the coupler.

mbs Constraints: position_violation stays below 1e-10 m, total_energy at its first value, for nothing dissipates energy.

Make EI ten times as large on Beams: deflections become about ten times smaller, and the steps shorter.
"""


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    path = folder / "flexible-four-bar.xlsx"
    book = layout(path, "Four-bar with a flexible coupler")
    settings(book, "Four-bar with a flexible coupler", 3)
    a, d = (0.0, 0.0), (GROUND, 0.0)
    b = toward(a, radians(START), CRANK)
    c = meeting(b, COUPLER, d, ROCKER)
    lines = write(
        book,
        [Bar("crank", a, b, "turns about A"), Bar("rocker", d, c, "swings about D")],
        [Bar("coupler", b, c, "bends between B and C")],
        [
            Pin("A", "ground", "crank", a, "fixed pivot"),
            Pin("B", "crank", "coupler", b, "at end i of the beam"),
            Pin("C", "coupler", "rocker", c, "at end j of the beam"),
            Pin("D", "ground", "rocker", d, "fixed pivot"),
        ],
        BENDING,
    )
    charts(
        book,
        [
            ("Amplitudes of the two shapes", "time", "coupler.q1; coupler.q2", "line"),
            ("Deflection in the middle of the coupler", "time", "coupler.deflection", "line"),
            ("Bending moment", "time", "middle of coupler.moment; quarter of coupler.moment", "line"),
            ("Shear force", "time", "middle of coupler.shear; quarter of coupler.shear", "line"),
            ("Angles of the moving links", "time", "crank.phi; coupler.phi; rocker.phi", "line"),
            ("Energy", "time", "kinetic_energy; potential_energy; total_energy", "line"),
            ("Violation of the joints", "time", "position_violation", "line"),
        ],
    )
    book.finish(README, lines, "m")
    return path


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
