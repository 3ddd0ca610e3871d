"""Peaks under another choice than the workbook's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sheetmbs.gait.strides.summary_items import SummaryItem

OF_CENTRE = "centre"
"""what a variant is about that has joint centres elsewhere, followed by the way"""


@dataclass(frozen=True)
class Variant:
    """Peaks under another choice.

    name: ``cut-off +1 Hz``. about: what is chosen otherwise, ``cut-off``. size: by how much, ``1 Hz``, either way.
    items: in SI and the signs of the mechanics.
    """

    name: str
    about: str
    size: str
    items: Sequence[SummaryItem]
