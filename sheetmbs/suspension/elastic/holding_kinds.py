"""Which elements can hold the travels of an axle where its pose is given."""

from __future__ import annotations

from sheetmbs.schema.suspension_inputs import BAR_KINDS, SpringKind
from sheetmbs.suspension.layout.car import SpringElement

HOLDING = (SpringKind.SPRING, SpringKind.TORSION_BAR)
"""kinds of elements of a wheel that can hold its travel, in the order in which they are asked to"""
HOLDING_ACROSS = (SpringKind.THIRD_SPRING, SpringKind.ROLL_SPRING, *BAR_KINDS)
"""kinds of elements across an axle that can hold it, likewise"""
IN_PLACE = SpringElement("spring", "spring", {}, {})
"""a row without values: the spring that holds a wheel that has none of its own"""
