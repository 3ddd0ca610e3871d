"""A tyre that is ready to be evaluated: its kernel with the ranges, sides and remarks that belong to it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.engine.tyres.magic_formula_coefficients import VERSION_6_1, MagicFormula
from sheetmbs.engine.tyres.simple_models import SimpleTyre
from sheetmbs.engine.tyres.tabled_tyre import SlipCurves, TabledTyre
from sheetmbs.engine.tyres.tyre_states import (
    FORCES,
    GEOMETRY,
    MAGIC_FORMULA,
    TABLE,
    TyreKernel,
    TyreStates,
    tyre_derivatives,
    tyre_values,
)

KAPPA, ALPHA, GAMMA, LOAD, PRESSURE = range(5)
"""places of inputs in ranges and derivatives"""
MAX_SLIP_ANGLE = 1.57
"""rad: beyond it the tangent of a slip angle means nothing"""
SYMMETRIC = "symmetric"
NOTHING: Floats = np.zeros(0)
NO_CURVES = SlipCurves(
    *(NOTHING, NOTHING, NOTHING, np.zeros(1, dtype=np.int64), NOTHING, np.zeros((2, 0)), np.zeros((2, 0))), 1.0, 1.0
)
NO_TABLE = TabledTyre(NO_CURVES, NO_CURVES, 0)
NO_SIMPLE = SimpleTyre(*[0.0] * len(fields(SimpleTyre)))
NO_FORMULA = MagicFormula(VERSION_6_1, *[0.0] * (len(fields(MagicFormula)) - 1))
"""records of the models that a tyre is not"""


@dataclass(frozen=True, eq=False)
class TyreResponse:
    """What a tyre does at n states, SI, rad; 0 where it carries nothing, NaN where its model does not tell it.

    forces: (n, 7) by `FORCES`. geometry: (n, 4) by `GEOMETRY`. partials: (n, 7, 5) of the forces by slip ratio, slip angle,
    camber, load and pressure; empty where they were not asked for. outside: (n,) where inputs lie beyond the ranges.
    """

    forces: Floats
    geometry: Floats
    partials: Floats
    outside: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]

    def force(self, name: str) -> Floats:
        """One of the forces by its name, such as ``fy``."""
        return self.forces[:, FORCES.index(name)]

    def length(self, name: str) -> Floats:
        """One of the radii and relaxation lengths by its name, such as ``re``."""
        return self.geometry[:, GEOMETRY.index(name)]

    def partial(self, name: str, place: int) -> Floats:
        """The derivative of a force by the input at a place, such as ``ALPHA``."""
        return self.partials[:, FORCES.index(name), place]


@dataclass(frozen=True, eq=False)
class Tyre:
    """One tyre. model: its word. measured_side: left, right or symmetric. pressure, speed: that count where a state has none.

    load: at which it is drawn and described, N. facts: what a reader should know of it, each with its heading.
    """

    name: str
    model: str
    kernel: TyreKernel
    measured_side: str
    pressure: float
    speed: float
    load: float
    facts: tuple[tuple[str, str], ...] = ()

    def side_factor(self, side: str) -> float:
        """-1 for a wheel whose tyre is the mirror image of the measured one, else 1. side: of the car, left or right."""
        return 1.0 if self.measured_side in (SYMMETRIC, side) else -1.0

    @cached_property
    def has_geometry(self) -> bool:
        """Whether its model tells radii and relaxation lengths."""
        return self.kernel.model == MAGIC_FORMULA

    def states(
        self, kappa: Floats | float, alpha: Floats | float, gamma: Floats | float, load: Floats | float
    ) -> Floats:
        """States at its pressure and speed, (n, 6); numbers alone count for all states."""
        columns = np.broadcast_arrays(kappa, alpha, gamma, load, self.pressure, self.speed)
        return np.stack([np.atleast_1d(column) for column in columns], axis=-1).astype(float)

    def evaluate(self, states: Floats, *, side: str = "", derivatives: bool = False) -> TyreResponse:
        """What it does at states.

        Parameters
        ----------
        states
            (n, 6) slip ratio, slip angle, camber, load, pressure and speed of a wheel as mounted, SI and rad.
        side
            Side of the car, left or right; blank as it was measured, without mirroring.
        derivatives
            Whether the derivatives of the forces are wanted too.
        """
        count = len(states)
        width = 6 if derivatives else 1
        factor = np.full(count, self.side_factor(side) if side else 1.0)
        geometry = np.zeros((count, len(GEOMETRY), width) if self.has_geometry else (0, len(GEOMETRY), 1))
        rows = TyreStates(
            np.ascontiguousarray(states, dtype=float),
            factor,
            np.zeros((count, len(FORCES), width)),
            geometry,
            np.zeros(count, dtype=np.int64),
        )
        (tyre_derivatives if derivatives else tyre_values)(self.kernel, rows)
        forces = rows.found[:, :, 0]
        if self.kernel.model == TABLE:
            forces = self._with_stiffnesses(forces, states)
        lengths = geometry[:, :, 0] if self.has_geometry else np.full((count, len(GEOMETRY)), np.nan)
        lengths = np.where((lengths == 0.0) & (rows.state[:, [LOAD]] > 0.0), np.nan, lengths)
        partials = rows.found[:, :, 1:] if derivatives else np.zeros((count, len(FORCES), 0))
        return TyreResponse(forces, lengths, partials, rows.outside > 0)

    def _with_stiffnesses(self, forces: Floats, states: Floats) -> Floats:
        """Forces of a table with the slopes of its curves at no slip."""
        straight = np.array(states, dtype=float)
        straight[:, [KAPPA, ALPHA]] = 0.0
        count = len(states)
        rows = TyreStates(
            *(straight, np.ones(count), np.zeros((count, len(FORCES), 6))),
            *(np.zeros((0, len(GEOMETRY), 1)), np.zeros(count, dtype=np.int64)),
        )
        tyre_derivatives(self.kernel, rows)
        found = forces.copy()
        found[:, FORCES.index("kxk")] = rows.found[:, FORCES.index("fx"), 1 + KAPPA]
        found[:, FORCES.index("kya")] = rows.found[:, FORCES.index("fy"), 1 + ALPHA]
        return found
