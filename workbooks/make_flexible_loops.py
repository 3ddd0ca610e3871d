"""Make flexible-loops.xlsx: three loops in a row whose couplers bend, let go under gravity."""

from __future__ import annotations

from math import radians
from pathlib import Path

import readme
from flexible import Bar, Pin, meeting, settings, toward, write
from style import Handout, Layout, run_script

SPACING, START = 1.1, -60.0
RODS = {"rod 2": 1.0, "rod 8": 0.75, "rod 14": 0.95, "rod 18": 0.7}
BEAMS = ("beam 5", "beam 11", "beam 21")
BEAM = 1.0


def make(folder: Path, layout: Layout = Handout) -> Path:
    """Write the workbook into ``folder``, laid out so, and return its path."""
    book = layout(folder / "flexible-loops.xlsx", "Three loops with flexible beams")
    settings(book, 2)
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
    book.charts(
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
        x=20,
        y=66,
    )
    return book.finish(readme.text("flexible-loops"), lines, "m")


if __name__ == "__main__":
    run_script(make)
