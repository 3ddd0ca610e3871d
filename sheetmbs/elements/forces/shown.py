"""Charts and tables that several force elements share: each part by itself, for a damper hides what a spring does."""

from __future__ import annotations

from typing import Any

from sheetmbs.elements.force_type import ForceValue
from sheetmbs.elements.result_column import (
    FORCE,
    LENGTH,
    VELOCITY,
    ChartPlace,
    DefaultChart,
    RestPlace,
    RestTable,
)

MAX_CHART_LINES = 8  # lines of a chart


def _is_elastic(spring: Any) -> Any:
    return spring.has("elastic")


def _is_damped(spring: Any) -> Any:
    return spring.has("damping")


def _acts(spring: Any) -> Any:
    return spring.has("actuator")


def part_charts(load: str, place: ChartPlace) -> tuple[DefaultChart, ...]:
    """Charts of what springs and dampers do."""
    return (
        DefaultChart(f"Spring {load}s", (f"spring_{load}",), place, of=_is_elastic, most=MAX_CHART_LINES),
        DefaultChart(f"Damper {load}s", (f"damper_{load}",), place, of=_is_damped, most=MAX_CHART_LINES),
    )


def actuator_chart(load: str, place: ChartPlace) -> DefaultChart:
    """Chart of the whole force or moment, where actuators have a part in it."""
    return DefaultChart(
        f"{load.capitalize()}s of springs with actuators", (load,), place, of=_acts, most=MAX_CHART_LINES
    )


LINE_VALUES = (
    ForceValue("length", LENGTH, "distance of its ends"),
    ForceValue("rate", VELOCITY, "rate of its length", aside=True),
    ForceValue("spring_force", FORCE, "force of the spring, positive where it pulls its ends together", part="elastic"),
    ForceValue("damper_force", FORCE, "force of the damper, positive where it pulls its ends together", part="damping"),
    ForceValue("force", FORCE, "sum of spring, damper and actuator", "force"),
)
LENGTH_CHART = DefaultChart("Spring lengths", ("length",), ChartPlace.DEFLECTIONS, moving=True, most=MAX_CHART_LINES)
LINE_AT_REST = (
    RestTable("Spring forces", (("force", "force"),), RestPlace.FORCES, is_load=True),
    RestTable("Spring lengths", (("length", "length"),), RestPlace.DEFLECTIONS),
)
"""of elements on the line between two points"""
