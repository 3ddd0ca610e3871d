"""What a metric is: one declaration from which columns of results, the sheet of definitions and the docs are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Generic, TypeVar

from sheetmbs.engine.records import Floats
from sheetmbs.schema.units import parse_unit
from sheetmbs.suspension.kinematics.jets import Jet

Found = Jet | Floats | None
"""values at n poses, SI, with derivatives where they have them, NaN where a pose has none; None: there is no such metric"""
Of = TypeVar("Of")

DEG, MM, PERCENT, NEWTON, RATE, HERTZ, PER_G = "deg", "mm", "%", "N", "N/mm", "Hz", "deg/g"
SLOPE = "mm/mm"
OVER_G = "/g"
"""per acceleration of gravity, which as a unit of inputs is a gram"""


@dataclass(frozen=True)
class Metric(Generic[Of]):
    """A metric. definition: its formula. sign: what + means. reference: what it is relative to. others: names elsewhere.

    name: of its column; ``{}`` stands for the name of an element. unit: in which it is shown. find: at all poses, in SI.
    needs: settings without which its cells are empty.
    """

    name: str
    definition: str
    sign: str
    unit: str
    find: Callable[[Of], Found]
    reference: str = ""
    others: str = ""
    needs: tuple[str, ...] = ()


@cache
def size(unit: str) -> float:
    """How large one of a unit of a metric is in SI."""
    return 1.0 if unit == HERTZ else parse_unit(unit.removesuffix(OVER_G)).size


def values(found: Jet | Floats) -> Floats:
    """The values at n poses of what a metric found."""
    return found.value if isinstance(found, Jet) else found
