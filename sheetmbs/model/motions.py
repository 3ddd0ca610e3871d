"""Motions of the model, as functions of time: what drivers prescribe, and what loads follow. SI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from sheetmbs.schema.expression import Expression

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Quadratic:
    """The motion p + v t + a t^2/2, with t counted from t_start."""

    position: float
    """p: m or rad"""
    velocity: float
    """v: per s"""
    acceleration: float
    """a: per s^2"""


@dataclass(frozen=True)
class Formula:
    """A motion or load given by an expression."""

    expression: Expression
    """of t in s, and of the motion for loads"""
    scale: float = 1.0
    """its value times this is SI"""
    cell: str = ""
    """where it stands, for messages at run time"""


@dataclass(frozen=True)
class OfCurve:
    """A motion that follows a curve of `Model.curves` over time, read as a C2 cubic spline."""

    curve: str
    """name of the curve"""


@dataclass(frozen=True, eq=False)
class Series:
    """A motion through samples over time, a C2 cubic spline whose ends follow the setting ``guiding_spline``."""

    times: Vector
    """(n,) s"""
    values: Vector
    """(n,) SI"""


@dataclass(frozen=True, eq=False)
class MeasuredTurn:
    """One of three global axes about which a body turns as Euler parameters through samples over time tell."""

    times: Vector
    """(n,) s"""
    parameters: Vector
    """(n, 4) of unit length, e0 first, without jumps of sign; splines through them as of a series"""
    axis: int
    """0, 1, 2: x, y, z"""


Motion = Quadratic | Formula | OfCurve | Series | MeasuredTurn


ANGLES = ("phi", "angle", "rx", "ry", "rz")
"""coordinates of drivers that turn; rx, ry and rz: of a body about global axes"""
