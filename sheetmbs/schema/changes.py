"""Cells that are to have other values than in the workbook."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

Changes = Mapping[str, float | str | bool | None]
"""values by addresses (``Dimensions!B3``) or defined names, in the unit of each cell; None empties a cell"""
NO_CHANGES: Changes = MappingProxyType({})
