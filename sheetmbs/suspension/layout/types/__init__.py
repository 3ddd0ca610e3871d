"""The types of suspension, each a file and a line here."""

from __future__ import annotations

from collections.abc import Container

from sheetmbs.suspension.layout.type_table import SuspensionType
from sheetmbs.suspension.layout.types.double_wishbone import DOUBLE_WISHBONE
from sheetmbs.suspension.layout.types.macpherson import MACPHERSON
from sheetmbs.suspension.layout.types.multilink import MULTILINK
from sheetmbs.suspension.layout.types.solid_axle import SOLID_AXLE
from sheetmbs.suspension.layout.types.trailing_arm import SEMI_TRAILING_ARM, TRAILING_ARM

TYPES: tuple[SuspensionType, ...] = (
    DOUBLE_WISHBONE,
    MACPHERSON,
    MULTILINK,
    TRAILING_ARM,
    SEMI_TRAILING_ARM,
    SOLID_AXLE,
)

TYPES_BY_NAME: dict[str, SuspensionType] = {each.name: each for each in TYPES}


def type_of(name: str, points: Container[str]) -> SuspensionType:
    """The type of a name, or the variant of it that the points tell."""
    known = TYPES_BY_NAME[name]
    return next((variant for point, variant in known.variants if point in points), known)
