"""The input sheet Measurements: which measured columns belong to which computed ones."""

from __future__ import annotations

from sheetmbs.schema import units as u
from sheetmbs.schema.column import ACTIVE, ANY, CHOICE, NAME, NOTES, NUMBER, TEXT, Column, Sheet
from sheetmbs.schema.names import fold

DATA_SHEET = "Measured"
"""name of the sheet of readings; further ones have a name of their own behind it"""
BRANCHES = ("both", "mean", "up", "down")
OFFSET_RULES = ("zero", "first", "fit")

MEASUREMENTS = Sheet(
    "Measurements",
    "measured columns that are compared with computed ones: one per row",
    (
        Column("name", NAME, "name of the measurement", required=True),
        Column(
            "of",
            TEXT,
            "result column that was measured, such as FL.toe or motor.moment; <tyre>.fx, .fy, .mz: Tyre data",
            required=True,
        ),
        Column("sheet", TEXT, "sheet of the readings", default=f"{DATA_SHEET}, or the only sheet of readings"),
        Column("column", TEXT, "header of the readings on that sheet; not needed of tyres", default="none"),
        Column(
            "sweep",
            TEXT,
            "sweep, load case, trial or case to which it belongs",
            default="that of which the sheet of readings has the name, else the first one that has the column",
        ),
        Column(
            "over", TEXT, "result column over which it was measured", default="the first swept one, time or percent"
        ),
        Column("over_column", TEXT, "header of that quantity on the sheet of readings", default="that of over"),
        Column("sign", NUMBER, "1 or -1: a value is sign x scale x reading + offset", (u.RATIO,), default="1"),
        Column("scale", NUMBER, "factor of a reading", (u.RATIO,), default="1"),
        Column(
            "offset",
            ANY,
            "number in the unit of the result column; zero: both curves count from their value at x = 0; first: from their "
            "value at the first reading used; fit: a constant found by least squares",
            u.EVERY_DIMENSION,
            default="0",
        ),
        Column("over_scale", NUMBER, "factor of x, which may be negative", (u.RATIO,), default="1"),
        Column(
            "over_offset", NUMBER, "what is added to x, in the unit of the column over", u.EVERY_DIMENSION, default="0"
        ),
        Column(
            "sd",
            NUMBER,
            "standard deviation of a reading, in the unit of the result column; needed to fit",
            u.EVERY_DIMENSION,
        ),
        Column("from", NUMBER, "least x of the readings used, in the unit of the column over", u.EVERY_DIMENSION),
        Column("to", NUMBER, "largest x of the readings used", u.EVERY_DIMENSION),
        Column(
            "branch",
            CHOICE,
            "readings of a loop that are used, by the direction of x; mean: halfway between both",
            default=BRANCHES[0],
            choices=BRANCHES,
        ),
        ACTIVE,
        NOTES,
    ),
)

MEASURED_BY_FOLD: dict[str, Sheet] = {fold(MEASUREMENTS.name): MEASUREMENTS}


def is_data_sheet(name: str) -> bool:
    """Whether a sheet may hold readings: it is called Measured, with a name behind it or none."""
    folded = fold(name)
    return folded == fold(DATA_SHEET) or folded.startswith(f"{fold(DATA_SHEET)} ")
