"""What the workbooks with flexible beams have in common: rods and beams between places of a plane, drawn and joined.

Their layout follows three examples of L. Zhang et al., A framework for establishing constraint Jacobian matrices of planar
rigid-flexible-multibody systems, AIMS Mathematics 8 (2023) 21501-21530, which gives neither stiffness nor section.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, degrees, hypot, sin
from typing import NamedTuple

from sketch import Line
from style import Column, Handout, column_list

DENSITY = 1.0
"""kg/m of rods and beams: 1 kg for a length of 1 m, as in the source"""
BENDING = 10.0
"""N m^2, chosen: a beam of 1 m on two pins then vibrates with 5 Hz"""
DIGITS = 9

Place = tuple[float, float]


class Bar(NamedTuple):
    """A rod or beam from one place to another."""

    name: str
    start: Place
    end: Place
    notes: str

    @property
    def length(self) -> float:
        """Its length."""
        return hypot(self.end[0] - self.start[0], self.end[1] - self.start[1])

    @property
    def angle(self) -> float:
        """Angle against x, in degrees."""
        return degrees(atan2(self.end[1] - self.start[1], self.end[0] - self.start[0]))


class Pin(NamedTuple):
    """A joint at a place. kind: revolute, or translational along the axis at this angle in degrees."""

    name: str
    body_i: str
    body_j: str
    place: Place
    notes: str
    kind: str = "revolute"
    axis: Place = (0.0, 0.0)


def write(
    book: Handout, rods: Sequence[Bar], beams: Sequence[Bar], pins: Sequence[Pin], bending: float = BENDING
) -> list[Line]:
    """Write bodies, beams of a bending stiffness in N m^2, points and joints; returns the lines of the sketch."""
    book.table(
        "Bodies",
        column_list(
            "name :12, mass [kg] 0.000000, inertia [kg*m^2] 0.000000000, x [m] 0.000000000, y [m] 0.000000000, "
            "phi [deg] 0.000000000, notes :44"
        ),
        [
            (
                rod.name,
                round(DENSITY * rod.length, DIGITS),
                round(DENSITY * rod.length**3 / 12.0, DIGITS),
                round((rod.start[0] + rod.end[0]) / 2.0, DIGITS),
                round((rod.start[1] + rod.end[1]) / 2.0, DIGITS),
                round(rod.angle, DIGITS),
                rod.notes,
            )
            for rod in rods
        ],
        "rigid rods: slender, with their frames in the middle",
    )
    book.table(
        "Beams",
        column_list(
            "name :12, length [m] 0.000000000, EI [N*m^2] 0.0, mass_per_length [kg/m] 0.0 :18, modes 0, "
            "ends :16, x [m] 0.000000000, y [m] 0.000000000, phi [deg] 0.000000000, notes :44"
        ),
        [
            (
                beam.name,
                round(beam.length, DIGITS),
                bending,
                DENSITY,
                2,
                "pinned-pinned",
                round(beam.start[0], DIGITS),
                round(beam.start[1], DIGITS),
                round(beam.angle, DIGITS),
                beam.notes,
            )
            for beam in beams
        ],
        "flexible beams: two shapes each, the frame at the first end",
    )
    middles = [
        (f"middle of {beam.name}", beam.name, beam.length / 2.0, 0.0, "body", "yes", "where it bends most")
        for beam in beams
    ]
    quarters = [
        (
            f"quarter of {beam.name}",
            beam.name,
            beam.length / 4.0,
            0.0,
            "body",
            "yes",
            "where the second shape is largest",
        )
        for beam in beams
    ]
    book.table(
        "Points",
        column_list("name :20, body :12, x [m] 0.000000000, y [m] 0.000000000, frame :10, report :10, notes :40"),
        [
            *(
                (f"at {pin.name}", "ground", *(round(x, DIGITS) for x in pin.place), "global", "no", "where a joint is")
                for pin in pins
            ),
            *middles,
            *quarters,
        ],
        "places of the joints, and where bending moments are reported",
    )
    slides = any(pin.kind == "translational" for pin in pins)
    book.table(
        "Joints",
        [
            Column("name", width=14),
            Column("type", width=14),
            Column("body_i", width=12),
            Column("body_j", width=12),
            Column("point", width=16),
            *(column_list("axis_x 0.000, axis_y 0.000") if slides else []),
            Column("notes", width=44),
        ],
        [
            (
                pin.name,
                pin.kind,
                pin.body_i,
                pin.body_j,
                f"at {pin.name}",
                *((pin.axis if pin.kind == "translational" else (None, None)) if slides else ()),
                pin.notes,
            )
            for pin in pins
        ],
        "pins and slides" if slides else "pins",
    )
    drawn = [Line(rod.name, [rod.start, rod.end], (rod.name, ""), label_at=_side(rod)) for rod in rods]
    return [*drawn, *(Line(beam.name, [beam.start, beam.end], ("", beam.name), colour="#B4532A") for beam in beams)]


def _side(rod: Bar) -> str:
    """Where the label at its first end is clear of a rod."""
    return "above" if rod.end[1] < rod.start[1] else "below"


def settings(book: Handout, t_end: float) -> None:
    """The sheet Settings: gravity alone moves the model."""
    book.run_settings(
        analysis=("dynamic", "gravity alone moves it, from rest"),
        gravity_x=0,
        gravity_y=(-9.81, "gravity pulls along -y"),
        t_start=0,
        t_end=t_end,
        t_step=(0.01, "spacing of the result rows; the integrator chooses its own steps"),
    )


def toward(place: Place, angle: float, length: float) -> Place:
    """The place at a distance in a direction, radians."""
    return place[0] + length * cos(angle), place[1] + length * sin(angle)


def meeting(one: Place, reach: float, other: Place, far: float) -> Place:
    """The place at the distances ``reach`` from one place and ``far`` from another, to the left of the line between them."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    apart = hypot(dx, dy)
    along = (apart**2 + reach**2 - far**2) / (2.0 * apart)
    above = (reach**2 - along**2) ** 0.5
    return one[0] + (along * dx - above * dy) / apart, one[1] + (along * dy + above * dx) / apart
