"""The sheet Uncertainty of gait workbooks: which inputs are uncertain, and by how much."""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.schema import units as u
from sheetmbs.schema.column import ACTIVE, ANY, NOTES, TEXT, Column, Sheet
from sheetmbs.schema.units import Dimension

MM = 1e-3
AS_MEASURED = "as measured"
"""sd of noise: what the residual analysis of each marker found"""


class SourceKind:
    """The words of the column source."""

    PLACEMENT = "marker placement"
    CENTRE = "joint centre"
    SKIN = "skin"
    NOISE = "noise"
    PLATE_POINT = "plate point"
    PLATE_GAIN = "plate gain"
    DELAY = "delay"
    MASS = "mass"
    COM = "com"
    GYRATION = "gyration"
    CUTOFF = "cut-off"


@dataclass(frozen=True)
class SourceOfError:
    """A kind of source. dimension: of its sd. doc: what is drawn. default: one standard deviation where no sheet says it, SI.

    by_table: where it differs by the row of the anthropometric table of the segment; a segment without a row counts as
    ``hat``. None as default: as measured.
    """

    word: str
    dimension: Dimension
    doc: str
    default: float | None
    by_table: tuple[tuple[str, float], ...] = ()

    def usual(self, table: str | None) -> float | None:
        """The default of a segment with this row of the anthropometric table."""
        return dict(self.by_table).get(table or "hat", self.default)


SOURCES = (
    SourceOfError(
        SourceKind.PLACEMENT,
        u.LENGTH,
        "constant offset of a marker along each axis of its segment",
        5 * MM,
        (("thigh", 10 * MM), ("hat", 10 * MM)),
    ),
    SourceOfError(SourceKind.CENTRE, u.LENGTH, "the same of a joint centre that a regression places", 12 * MM),
    SourceOfError(
        SourceKind.SKIN,
        u.LENGTH,
        "shift of all markers of a segment along its line, in step with the flexion at its upper joint",
        0.0,
        (("thigh", 8 * MM), ("shank", 4 * MM), ("foot", 2 * MM)),
    ),
    SourceOfError(SourceKind.NOISE, u.LENGTH, "white noise of every sample of every marker, before the filter", None),
    SourceOfError(
        SourceKind.PLATE_POINT,
        u.LENGTH,
        "constant shift of the force of a plate, in 2D of a foot, along each level axis",
        4 * MM,
    ),
    SourceOfError(SourceKind.PLATE_GAIN, u.RATIO, "gain of all channels of a plate", 0.007),
    SourceOfError(SourceKind.DELAY, u.TIME, "delay of forces against markers", 1e-3),
    SourceOfError(SourceKind.MASS, u.RATIO, "mass of one segment, the others unchanged", 0.075),
    SourceOfError(SourceKind.COM, u.RATIO, "centre of mass of a segment along its line, in parts of its length", 0.03),
    SourceOfError(SourceKind.GYRATION, u.RATIO, "radius of gyration of a segment", 0.075),
    SourceOfError(SourceKind.CUTOFF, u.FREQUENCY, "cut-off of the filter", 0.5),
)
"""in the order of the columns of ``mbs Gait uncertainty``"""
SOURCE_WORDS = tuple(each.word for each in SOURCES)

UNCERTAINTY = Sheet(
    "Uncertainty",
    "what is uncertain in a gait recording, and by how much: its rows replace all usual ones",
    (
        Column("source", TEXT, f"what is uncertain: {', '.join(SOURCE_WORDS)}", required=True),
        Column("sd", ANY, "one standard deviation of it; of noise also the words as measured", required=True),
        Column("unit", TEXT, "unit of the deviation: mm, ms, Hz, % or 1", required=True),
        Column(
            "of", TEXT, "the marker, joint centre, segment, plate or foot that it holds for; blank: each of its kind"
        ),
        ACTIVE,
        NOTES,
    ),
)
