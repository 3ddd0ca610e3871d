"""Masses, centres of mass and radii of gyration of segments, from a table whose endpoints are named."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sheetmbs.gait.trial.gait_book import SegmentRow, Subject

TABLE = Path(__file__).with_name("anthropometry.csv")
SOURCES = {
    "winter": "Winter, Biomechanics and Motor Control of Human Movement, 4th ed., table 4.1, after Dempster (1955)",
    "de leva": "de Leva, J. Biomech. 29 (1996), table 4",
}


@dataclass(frozen=True)
class BodyPart:
    """A row of the table. mass: fraction of the body's. com, gyration: fractions of the length, com from its first end."""

    mass: float
    com: float
    gyration: float
    ends: tuple[str, str]


@dataclass(frozen=True)
class SegmentMass:
    """A segment's mass in kg, and where it lies. com: fraction of the length from the proximal end.

    gyration: about the centre of mass by length, None where inertia, in kg m^2, is given.
    """

    mass: float
    com: float
    gyration: float | None
    inertia: float | None


@cache
def body_parts(table: str, sex: str) -> dict[str, BodyPart]:
    """The rows of a table by segment. The trunk of de Leva's is what the limbs leave of the body, with Winter's shares."""
    with TABLE.open(encoding="utf-8", newline="") as rows:
        found = {
            row["segment"]: BodyPart(
                float(row["mass_fraction"]), float(row["com"]), float(row["gyration"]), (row["from"], row["to"])
            )
            for row in csv.DictReader(rows)
            if row["table"] == table and row["sex"] in ("", sex)
        }
    if table == "de leva":
        trunk = body_parts("winter", "")["hat"]
        limbs = 2.0 * sum(part.mass for part in found.values())
        found["hat"] = BodyPart(1.0 - limbs, trunk.com, trunk.gyration, trunk.ends)
    return found


def segment_mass(row: SegmentRow, subject: Subject, *, is_proximal_first: bool) -> SegmentMass | None:
    """The mass of a segment; None where neither its own cells nor the table tell it.

    is_proximal_first: whether the end that the table names first stands in the column proximal.
    """
    parts = {} if subject.anthropometry == "custom" else body_parts(subject.anthropometry, subject.sex)
    part = parts.get(row.table or "")
    mass = row.mass
    if mass is None:
        fraction = row.mass_fraction if row.mass_fraction is not None else part.mass if part else None
        mass = None if fraction is None else fraction * subject.mass
    com = row.com
    if com is None and part is not None:
        com = part.com if is_proximal_first else 1.0 - part.com
    gyration = None
    if row.inertia is None:
        gyration = row.gyration if row.gyration is not None else part.gyration if part else None
    if mass is None or com is None or (row.inertia is None and gyration is None):
        return None
    return SegmentMass(mass, com, gyration, row.inertia)
