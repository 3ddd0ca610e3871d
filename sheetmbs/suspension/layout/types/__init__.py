"""The types of suspension, each a file and a line here."""

from __future__ import annotations

from sheetmbs.suspension.layout.type_table import SuspensionType
from sheetmbs.suspension.layout.types.double_wishbone import DOUBLE_WISHBONE
from sheetmbs.suspension.layout.types.macpherson import MACPHERSON
from sheetmbs.suspension.layout.types.multilink import MULTILINK
from sheetmbs.suspension.layout.types.trailing_arm import SEMI_TRAILING_ARM, TRAILING_ARM

TYPES: tuple[SuspensionType, ...] = (DOUBLE_WISHBONE, MACPHERSON, MULTILINK, TRAILING_ARM, SEMI_TRAILING_ARM)

TYPES_BY_NAME: dict[str, SuspensionType] = {each.name: each for each in TYPES}
