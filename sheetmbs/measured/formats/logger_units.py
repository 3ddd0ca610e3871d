"""Units as loggers write them, in the words of ours."""

from __future__ import annotations

from dataclasses import replace

from sheetmbs.measured.formats.text_tables import ReadColumns

OURS = {
    "G": "g0",
    "g": "g0",
    "#": "",
    "ratio": "",
    "bool": "",
    "no unit": "",
    "km/hr": "km/h",
    "deg/sec": "deg/s",
    "sec": "s",
}
"""a logger's g is an acceleration; numbers without a unit are counted"""


def with_our_units(columns: ReadColumns) -> ReadColumns:
    """The columns of a logger with units that are known here; any other stays as it is."""
    return replace(columns, units=tuple(OURS.get(unit, unit) for unit in columns.units))
