"""All layouts of measured text, one line each: a text has the first of them that recognises it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class MeasuredFormat:
    """A layout. files, starts: what they are and what tells them, for people.

    home: its module in `sheetmbs.measured.formats`, which has `recognises(lines)` and `read(text, source)`.
    """

    files: str
    starts: str
    home: str

    @property
    def module(self) -> Any:
        """The module that reads it."""
        return import_module(f"sheetmbs.measured.formats.{self.home}")


MEASURED_FORMATS = (
    MeasuredFormat("CSV of MoTeC i2", "Format, MoTeC CSV File", "motec_text"),
    MeasuredFormat("CSV of AiM Race Studio", "Format, AiM CSV File", "aim_text"),
    MeasuredFormat("text of MTS K&C rigs", "MTS and K&C in its first lines, or MTS793", "mts_text"),
    MeasuredFormat("CSV and other text", "names, units, then numbers", "plain_text"),
)


def file_kinds() -> str:
    """All layouts, for help pages."""
    return ", ".join(each.files for each in MEASURED_FORMATS)
