"""The types of suspension. A new one is its file here, and one line in `schema/suspension_inputs.py`."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from importlib import import_module

from sheetmbs.schema.suspension_inputs import SUSPENSION_TYPES
from sheetmbs.suspension.layout.type_table import SuspensionType


def _declared(home: str) -> SuspensionType:
    """The type that a module of this package declares. home: the module and the name of its constant."""
    module, constant = home.split(":")
    found: SuspensionType = getattr(import_module(f"{__name__}.{module}"), constant)
    return found


TYPES_BY_NAME = {name: replace(_declared(home), name=name) for name, home in SUSPENSION_TYPES.items()}


def type_of(name: str, points: Container[str]) -> SuspensionType:
    """The type of a name, or the variant of it that has one of the points."""
    known = TYPES_BY_NAME[name]
    variant = next((variant for point, variant in known.variants if point in points), known)
    return replace(variant, name=name)


def guessed_type(points: Container[str]) -> str:
    """The name of the type whose characteristic point is among the points of a list, else that of the first type."""
    known = (name for name, each in TYPES_BY_NAME.items() if each.known_by in points)
    return next(known, next(iter(TYPES_BY_NAME)))
