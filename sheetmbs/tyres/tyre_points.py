"""Measured points of tyres, and the axes that they are written in.

Of SAE J670 (y right, z down) slip angle, lateral force, load, Mz and My change sign, a half turn about x; of adapted SAE, with
loads above 0 and positive forces at positive slip angles, lateral force, Mz and My do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

ISO, SAE, ADAPTED_SAE = "ISO", "SAE", "adapted SAE"


@dataclass(frozen=True)
class TyrePoint:
    """A state of a tyre with what was measured there, SI and rad. places: of its cells by column.

    pressure, speed: None where those of the tyre count. fx, fy, mz: None where they were not measured.
    """

    places: dict[str, str]
    load: float
    alpha: float
    kappa: float
    gamma: float
    pressure: float | None = None
    speed: float | None = None
    fx: float | None = None
    fy: float | None = None
    mz: float | None = None
    sweep: str = ""

    @property
    def place(self) -> str:
        """The cell of its load."""
        return self.places["fz"]


def _negative(value: float | None) -> float | None:
    return None if value is None else -value + 0.0


def in_iso(point: TyrePoint, axes: str) -> TyrePoint:
    """A point in the axes of ISO 8855. axes: in which it is written."""
    if axes == ISO:
        return point
    turned = replace(point, fy=_negative(point.fy), mz=_negative(point.mz))
    return turned if axes == ADAPTED_SAE else replace(turned, alpha=-point.alpha + 0.0, load=-point.load)
