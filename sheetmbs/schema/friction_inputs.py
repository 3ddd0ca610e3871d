"""The columns of friction on the sheet Joints."""

from __future__ import annotations

from sheetmbs.elements.recipe import CREEP_OF_HINGES, CREEP_OF_SLIDES, FRICTION
from sheetmbs.schema.column import Column, ColumnKind
from sheetmbs.schema.units import LENGTH, RATIO, VELOCITY

RADII = ", ".join(f"{kind.friction_radius} ({name})" for name, kind in FRICTION.items())
SLOWEST = f"{CREEP_OF_HINGES:g} rad/s times the radius; where it slides along an axis {CREEP_OF_SLIDES:g} m/s"

FRICTION_COLUMNS = (
    Column("friction", ColumnKind.NUMBER, f"coefficient of friction ({', '.join(FRICTION)})", (RATIO,), default="0"),
    Column("friction_radius", ColumnKind.NUMBER, RADII, (LENGTH,)),
    Column(
        "friction_velocity",
        ColumnKind.NUMBER,
        "sliding velocity within which friction grows",
        (VELOCITY,),
        default=SLOWEST,
    ),
)
