"""The metrics that rows of Handling have, by type: what targets and studies may name before anything is solved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sheetmbs.schema.handling_inputs import HandlingType
from sheetmbs.suspension.handling.lap_sensitivities import SENSITIVITIES
from sheetmbs.suspension.layout.handling_row import HandlingRow

RATIO, DEG, DEG_PER_G, PER_DEG, SECONDS, SPEED = "-", "deg", "deg/g", "1/deg", "s", "m/s"
TURNS = ("", "_right")
"""endings of metrics of the left and of the right turn"""


def _largest(name: str) -> dict[str, str]:
    """A largest ay and where it is, of both turns."""
    return {
        f"{name}{turn}{ending}": unit
        for turn in TURNS
        for ending, unit in (("", RATIO), ("_beta", DEG), ("_steer_input", DEG))
    }


def _of_turns(units: Mapping[str, str]) -> dict[str, str]:
    return {f"{name}{turn}": unit for name, unit in units.items() for turn in TURNS}


_DIAGRAM = {
    "stability": RATIO,
    "control": PER_DEG,
    "weathervane": PER_DEG,
    "understeer_gradient": DEG_PER_G,
    "sideslip_gradient": DEG_PER_G,
    "roll_gradient": DEG_PER_G,
    **_largest("max_trimmed_ay"),
    **_largest("max_ay"),
    **_of_turns({"limit_balance": RATIO}),
}
_GRADIENTS = {
    "understeer_gradient": DEG_PER_G,
    "understeer_gradient_wheels": DEG_PER_G,
    "roll_gradient": DEG_PER_G,
    "sideslip_gradient": DEG_PER_G,
    "steering_torque_gradient": "N*m/g",
}
_CIRCLE = {
    **_of_turns(_GRADIENTS),
    **{f"{name}_difference": unit for name, unit in _GRADIENTS.items()},
    "characteristic_speed": SPEED,
    **_largest("max_trimmed_ay"),
}
METRICS: Mapping[str, Mapping[str, str]] = {
    HandlingType.YAW_MOMENT: _DIAGRAM,
    HandlingType.CIRCLE: _CIRCLE,
    HandlingType.ENVELOPE: {"max_ax": RATIO, "min_ax": RATIO, **_of_turns({"max_trimmed_ay": RATIO})},
    HandlingType.SKIDPAD: {**_of_turns({"lap_time": SECONDS}), **_CIRCLE},
    HandlingType.ACCELERATION: {"time": SECONDS, "end_speed": SPEED},
    HandlingType.LAP: {
        "lap_time": SECONDS,
        "mean_speed": SPEED,
        "top_speed": SPEED,
        **{name: each.unit for name, each in SENSITIVITIES.items()},
    },
}
"""units of metrics by type of row; a row may lack one that its car has not, such as a torque without a steering wheel"""


def first_row_with(rows: Sequence[HandlingRow], metric: str) -> HandlingRow | None:
    """The first row that has a metric."""
    return next((row for row in rows if metric in METRICS[row.type]), None)


def units_of_rows(rows: Sequence[HandlingRow]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Names of rows and the units of their metrics."""
    for row in rows:
        yield row.name, METRICS[row.type]
