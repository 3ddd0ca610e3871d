"""Coefficients of the magic formula that a fit finds: in which stage, between which bounds, and from where.

Pure slip of an upright tyre at its nominal pressure is first, then camber, then pressure, of the lateral and longitudinal
force; then combined slip; last the aligning moment, which needs both forces (Pacejka and Besselink 2012, chapter 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Force = Literal["fx", "fy", "mz"]
State = Literal["upright", "camber", "pressure", "combined", "moment"]


@dataclass(frozen=True)
class FitStage:
    """One stage. force: whose readings count. state: of these readings. names: coefficients, in the order of their weight."""

    name: str
    force: Force
    state: State
    names: tuple[str, ...]


STAGES = (
    FitStage(
        "pure lateral",
        "fy",
        "upright",
        (
            *("PKY1", "PDY1", "PCY1", "PEY1", "PKY2", "PDY2", "PEY2", "PHY1", "PVY1", "PEY3", "PHY2", "PVY2", "PKY4"),
        ),
    ),
    FitStage(
        "lateral with camber",
        "fy",
        "camber",
        ("PKY6", "PVY3", "PDY3", "PHY3", "PKY3", "PKY7", "PVY4", "PEY4", "PKY5", "PEY5"),
    ),
    FitStage("lateral over pressure", "fy", "pressure", ("PPY1", "PPY3", "PPY2", "PPY4", "PPY5")),
    FitStage(
        "pure longitudinal",
        "fx",
        "upright",
        (
            *("PKX1", "PDX1", "PCX1", "PEX1", "PKX2", "PDX2", "PEX2", "PHX1", "PVX1", "PKX3", "PEX3", "PEX4"),
            *("PHX2", "PVX2"),
        ),
    ),
    FitStage("longitudinal with camber", "fx", "camber", ("PDX3",)),
    FitStage("longitudinal over pressure", "fx", "pressure", ("PPX1", "PPX3", "PPX2", "PPX4")),
    FitStage("combined lateral", "fy", "combined", (
        *("RBY1", "RCY1", "RBY2", "RBY3", "REY1", "RHY1", "RVY1", "RVY4", "RVY6", "RVY5"),
        *("REY2", "RHY2", "RVY2", "RVY3", "RBY4"),
    )),
    FitStage("combined longitudinal", "fx", "combined", ("RBX1", "RCX1", "RBX2", "REX1", "RHX1", "REX2", "RBX3")),
    FitStage(
        "aligning moment",
        "mz",
        "moment",
        (
            *("QDZ1", "QBZ1", "QCZ1", "QEZ1", "QDZ2", "QBZ2", "QHZ1", "QDZ6", "QEZ2", "QBZ3", "QEZ3", "QEZ4", "QHZ2"),
            *("QDZ7", "QBZ10", "QBZ9", "QDZ8", "QDZ3", "QBZ5", "QHZ3", "QDZ9", "QDZ4", "QBZ4", "QHZ4", "QEZ5"),
            *("QDZ10", "QDZ11", "PPZ1", "PPZ2", "SSZ1", "SSZ2", "SSZ3", "SSZ4"),
        ),
    ),
)  # fmt: skip

BOUNDS: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(("PCX1", "PCY1", "QCZ1", "RCX1", "RCY1"), (0.1, 3.0)),
    **dict.fromkeys(("PDX1", "PDY1"), (0.1, 5.0)),
    **dict.fromkeys(("PDX2", "PDY2", "PPX1", "PPX2", "PPX3", "PPX4", "PPY1", "PPY3", "PPY4", "PPY5"), (-5.0, 5.0)),
    **dict.fromkeys(("PDX3", "PDY3", "QDZ3", "QDZ4"), (-50.0, 50.0)),
    **dict.fromkeys(("PEX1", "PEY1", "REX1", "REY1", "QEZ1"), (-30.0, 5.0)),
    **dict.fromkeys(("PEX2", "PEX3", "PEY2", "REX2", "REY2", "QEZ2", "QEZ3"), (-30.0, 30.0)),
    **dict.fromkeys(("PEX4", "PEY3", "PKX3", "PKY3", "PPY2", "PPZ1", "PPZ2"), (-5.0, 5.0)),
    **dict.fromkeys(("PEY4", "RVY6"), (-100.0, 100.0)),
    "PEY5": (-500.0, 500.0),
    "PKX1": (1.0, 200.0),
    "PKX2": (-100.0, 100.0),
    "PKY1": (-200.0, -1.0),
    "PKY2": (0.1, 50.0),
    "PKY4": (0.5, 20.0),
    "PKY5": (-300.0, 300.0),
    **dict.fromkeys(("PKY6", "PKY7", "QEZ4", "RVY3"), (-10.0, 10.0)),
    **dict.fromkeys(("PHX1", "PHX2", "PHY1", "PHY2"), (-0.1, 0.1)),
    **dict.fromkeys(("PVX1", "PVX2", "PVY1", "PVY2", "SSZ1", "SSZ2"), (-1.0, 1.0)),
    **dict.fromkeys(("PVY3", "PVY4", "RVY5", "SSZ3", "SSZ4", "QDZ8", "QDZ9"), (-5.0, 5.0)),
    **dict.fromkeys(("PHY3", "QHZ3", "QHZ4", "RVY1", "RVY2"), (-2.0, 2.0)),
    **dict.fromkeys(("RBX1", "RBY1"), (0.5, 100.0)),
    **dict.fromkeys(("RBX2", "RBY2"), (-100.0, 100.0)),
    **dict.fromkeys(("RBX3", "RBY4"), (-5000.0, 5000.0)),
    **dict.fromkeys(("RBY3", "RHX1", "RHY1", "RHY2"), (-0.5, 0.5)),
    "RVY4": (-200.0, 200.0),
    "QBZ1": (0.5, 60.0),
    **dict.fromkeys(("QBZ2", "QBZ3", "QBZ4", "QBZ5"), (-20.0, 20.0)),
    "QBZ9": (-100.0, 500.0),
    **dict.fromkeys(("QBZ10", "QEZ5"), (-50.0, 50.0)),
    "QDZ1": (0.001, 1.0),
    **dict.fromkeys(("QDZ2", "QDZ6", "QDZ7"), (-0.5, 0.5)),
    **dict.fromkeys(("QDZ10", "QDZ11"), (-30.0, 30.0)),
    **dict.fromkeys(("QHZ1", "QHZ2"), (-0.2, 0.2)),
}  # fmt: skip
"""between which each coefficient may move where Variables says nothing: wider than what published tyres have"""

GENERIC: Mapping[str, float] = {
    "RBX1": 10.0, "RBX2": 10.0, "RCX1": 1.0, "RBY1": 10.0, "RBY2": 10.0, "RCY1": 1.0,
    "RVY4": 10.0, "RVY5": 1.9, "RVY6": 10.0, "PEX1": -0.5, "PEY1": -0.5,
    "QBZ1": 10.0, "QCZ1": 1.2, "QDZ1": 0.1, "QEZ1": -1.0, "QBZ9": 10.0, "QBZ10": 1.0,
}  # fmt: skip
"""from where coefficients begin that are missing or 0: at 0 no reading would depend on some that belong to them"""

FURTHER_STARTS: Mapping[str, Sequence[Mapping[str, float]]] = {
    "pure longitudinal": ({"PKX3": -0.2}, {"PKX3": 0.3}),
    "combined lateral": ({"RBY1": 25.0, "RCY1": 0.95, "REY1": 0.4}, {"REY1": -1.0}),
    "combined longitudinal": ({"RBX1": 20.0, "REX1": -1.0},),
}
"""by stage, further values from which coefficients begin that are missing or 0: the sum of squares has several minima there"""

WITH_CAMBER = frozenset(
    (
        *(
            "PDX3",
            "PDY3",
            "PEY4",
            "PEY5",
            "PKY3",
            "PKY5",
            "PKY6",
            "PKY7",
            "PHY3",
            "PVY3",
            "PVY4",
            "RBX3",
            "RBY4",
            "RVY3",
        ),
        *("QBZ4", "QBZ5", "QDZ3", "QDZ4", "QDZ8", "QDZ9", "QDZ10", "QDZ11", "QEZ5", "QHZ3", "QHZ4", "SSZ3", "SSZ4"),
    )
)
"""coefficients that count only where a wheel leans"""
EVEN = frozenset(("RBX2", "RBY2", "RVY4"))
"""coefficients whose sign changes nothing: forces depend on the cosine of their arctangent"""
WITH_LOAD = frozenset(
    (
        *(
            "PDX2",
            "PKX2",
            "PKX3",
            "PHX2",
            "PVX2",
            "PEX2",
            "PEX3",
            "REX2",
            "PDY2",
            "PEY2",
            "PHY2",
            "PVY2",
            "PKY2",
            "PKY4",
        ),
        *("PKY7", "PVY4", "REY2", "RHY2", "RVY2", "QBZ2", "QBZ3", "QDZ2", "QDZ7", "QDZ9", "QDZ11", "QEZ2", "QEZ3"),
        *("QHZ2", "QHZ4", "SSZ4"),
    )
)
"""coefficients that say how others change with the load"""
