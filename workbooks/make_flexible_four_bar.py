"""Make flexible-four-bar.xlsx: a crank-rocker whose coupler bends, let go under gravity."""

from __future__ import annotations

from math import radians
from pathlib import Path

import readme
from flexible import Bar, Pin, meeting, settings, toward, write
from style import Handout, Layout, run_script

BENDING = 40.0
"""N m^2: the coupler then bends by a twentieth of its length, which the theory of beams allows"""
GROUND, CRANK, COUPLER, ROCKER, START = 1.2, 0.5, 1.0, 1.0, 60.0


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "flexible-four-bar.xlsx", "Four-bar with a flexible coupler")
    settings(book, 3)
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
    book.charts(
        [
            ("Amplitudes of the two shapes", "time", "coupler.q1; coupler.q2", "line"),
            ("Deflection in the middle of the coupler", "time", "coupler.deflection", "line"),
            ("Bending moment", "time", "middle of coupler.moment; quarter of coupler.moment", "line"),
            ("Shear force", "time", "middle of coupler.shear; quarter of coupler.shear", "line"),
            ("Angles of the moving links", "time", "crank.phi; coupler.phi; rocker.phi", "line"),
            ("Energy", "time", "kinetic_energy; potential_energy; total_energy", "line"),
            ("Violation of the joints", "time", "position_violation", "line"),
        ],
        x=20,
        y=66,
    )
    return book.finish(readme.text("flexible-four-bar"), lines, "m")


if __name__ == "__main__":
    run_script(make)
