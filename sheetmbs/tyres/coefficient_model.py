"""Forces of a tyre at measured states as a function of its coefficients, and the limits that keep these physical."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.engine.tyres.magic_formula_coefficients import MagicFormula
from sheetmbs.engine.tyres.tyre_states import FORCES, GEOMETRY, MAGIC_FORMULA, TyreStates, tyre_values
from sheetmbs.tyres.coefficients import ASYMMETRIC, FAMILIES, IGNORED, SIMPLE
from sheetmbs.tyres.fitted_coefficients import BOUNDS, STAGES, FitStage
from sheetmbs.tyres.measured_tyre import MeasuredTyre
from sheetmbs.tyres.tyre import ALPHA, GAMMA, KAPPA, LOAD, PRESSURE, SYMMETRIC

STEP = 1e-5
"""of the width of a coefficient's bounds over root 12: halves a central difference, whose error is then below 1e-8 of it"""
MARGIN = 1e-4
"""by which a fit stays within a limit, so that what is left of a penalty does not pass it"""
SMALL_GAMMA, SMALL_SLIP, SMALL_KAPPA, SMALL_PRESSURE = 2e-3, 3e-3, 3e-3, 0.02
"""rad, rad, 1 and of the nominal pressure: within these a state counts as upright, without slip, or at nominal pressure"""


def fitted_names(tyre: MeasuredTyre, forces: Sequence[str]) -> list[str]:
    """The coefficients that readings of some forces may change, in the order in which they are found."""
    if tyre.tyre.kernel.model != MAGIC_FORMULA:
        return [name for name in SIMPLE if name in tyre.given]
    version = tyre.tyre.kernel.magic.version
    known = FAMILIES[version] - frozenset(IGNORED[version])
    if tyre.tyre.measured_side == SYMMETRIC:
        known -= frozenset(ASYMMETRIC)
    return [name for stage in STAGES if stage.force in forces for name in stage.names if name in known]


def usual_bounds(name: str, value: float) -> tuple[float, float]:
    """Between which a coefficient may move; wider where it is beyond that already. Those of simple tyres are above 0."""
    if name not in BOUNDS:
        return 0.01 * value, 10.0 * value
    low, high = BOUNDS[name]
    if low < value < high:
        return low, high
    return min(low, value - abs(value)), max(high, value + abs(value))


def states_of(tyre: MeasuredTyre) -> Floats:
    """(n, 6) the states of all its points."""
    own = tyre.tyre
    rows = [
        (
            *(point.kappa, point.alpha, point.gamma, point.load),
            own.pressure if point.pressure is None else point.pressure,
            own.speed if point.speed is None else point.speed,
        )
        for point in tyre.points
    ]
    return np.array(rows, dtype=float).reshape(-1, 6)


@dataclass(frozen=True, eq=False)
class CoefficientModel:
    """A tyre whose coefficients move. names: of these. states: (n, 6) as `TyreStates` has them, within the tyre's ranges."""

    tyre: MeasuredTyre
    names: tuple[str, ...]
    states: Floats
    range_states: Floats | None = None
    """(m, 6) states over whose range limits hold; None: its own"""

    @cached_property
    def start(self) -> Floats:
        """(p,) the coefficients as they are, in SI."""
        if not self.is_magic:
            return np.array([float(self.tyre.given[name].value) for name in self.names])
        return np.array([getattr(self.tyre.tyre.kernel.magic, name.lower()) for name in self.names], dtype=float)

    @property
    def is_magic(self) -> bool:
        """Whether the tyre is one of the magic formula."""
        return self.tyre.tyre.kernel.model == MAGIC_FORMULA

    def formula(self, values: Floats) -> MagicFormula:
        """The magic formula with coefficients (p,)."""
        named = {name.lower(): value for name, value in zip(self.names, values.tolist(), strict=True)}
        return replace(self.tyre.tyre.kernel.magic, **named)

    def forces(self, values: Floats) -> Floats:
        """(n, 3) Fx, Fy and Mz with coefficients (p,)."""
        kernel = self.tyre.tyre.kernel
        if self.is_magic:
            kernel = replace(kernel, magic=self.formula(values))
        else:
            fields = [name.lower().replace(" ", "_") for name in self.names]
            scaled = (values / self.start * np.array([getattr(kernel.simple, each) for each in fields])).tolist()
            kernel = replace(kernel, simple=replace(kernel.simple, **dict(zip(fields, scaled, strict=True))))
        count = len(self.states)
        rows = TyreStates(
            *(self.states, np.ones(count), np.zeros((count, len(FORCES), 1))),
            *(np.zeros((0, len(GEOMETRY), 1)), np.zeros(count, dtype=np.int64)),
        )
        tyre_values(kernel, rows)
        return np.asarray(rows.found[:, :3, 0])

    # ------------------------------------------------------------------ which readings a stage takes
    def rows_of(self, stage: FitStage) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """(n,) the states that a stage takes, with those of the stages before it."""
        kappa, alpha, gamma, _load, pressure, _speed = self.states.T
        nominal = self.tyre.tyre.kernel.magic.nompres
        is_nominal = np.abs(pressure - nominal) <= SMALL_PRESSURE * nominal
        is_pure = np.abs(kappa) <= SMALL_KAPPA if stage.force == "fy" else np.abs(alpha) <= SMALL_SLIP
        is_upright = np.abs(gamma) <= SMALL_GAMMA
        if stage.state == "upright":
            return np.asarray(is_pure & is_upright & is_nominal)
        if stage.state == "camber":
            return np.asarray(is_pure & is_nominal)
        return np.asarray(is_pure) if stage.state == "pressure" else np.ones(len(self.states), np.bool_)

    def has_new(self, stage: FitStage) -> bool:
        """Whether the data have states that a stage is about."""
        kappa, alpha, gamma, _load, pressure, _speed = self.states.T
        nominal = self.tyre.tyre.kernel.magic.nompres
        new = {
            "upright": np.ones(len(kappa), np.bool_),
            "camber": np.abs(gamma) > SMALL_GAMMA,
            "pressure": np.abs(pressure - nominal) > SMALL_PRESSURE * nominal,
            "combined": (np.abs(kappa) > SMALL_KAPPA) & (np.abs(alpha) > SMALL_SLIP),
            "moment": np.ones(len(kappa), np.bool_),
        }
        return bool(new[stage.state].any())

    # ------------------------------------------------------------------ limits
    def limits(self, values: Floats) -> dict[str, Floats]:
        """Return by name (m,) how far each limit is passed over the range of the data, at most 0 within it.

        Peak factors D are above 0, curvatures E at most 1; shape factors C have bounds above 0.
        """
        return dict(_limits(self.formula(values), self._corners)) if self.is_magic else {}

    @cached_property
    def _corners(self) -> Mapping[str, Floats]:
        """Load, pressure and camber at all corners of the range of the data, over which D and E are nearly bilinear."""
        formula = self.tyre.tyre.kernel.magic
        loads, pressures, cambers = (self._spread(place) for place in (LOAD, PRESSURE, GAMMA))
        load, pressure, camber = (each.ravel() for each in np.meshgrid(loads, pressures, cambers))
        nominal = formula.fnomin * formula.lfzo
        dpi = pressure / formula.nompres - 1.0 if formula.nompres > 0.0 else np.zeros_like(pressure)
        return {"dfz": load / nominal - 1.0, "dpi": dpi, "gamma": camber}

    def _spread(self, place: int) -> Floats:
        """Five values over the range of an input."""
        given = (self.states if self.range_states is None else self.range_states)[:, place]
        return np.unique(np.linspace(given.min(), given.max(), 5))

    def sees(self, place: int, small: float) -> bool:
        """Whether an input varies by more than a small amount."""
        return bool(np.ptp(self.states[:, place]) > small)

    @property
    def lacks(self) -> Mapping[str, bool]:
        """What the states do not have: camber, further loads, pressures, slip in both directions."""
        kappa, alpha = np.abs(self.states[:, KAPPA]), np.abs(self.states[:, ALPHA])
        return {
            "camber": not (np.abs(self.states[:, GAMMA]) > SMALL_GAMMA).any(),
            "load": not self.sees(LOAD, 1e-3 * float(self.states[:, LOAD].max())),
            "pressure": not self.sees(PRESSURE, SMALL_PRESSURE * float(self.states[:, PRESSURE].max())),
            "combined": not ((kappa > SMALL_KAPPA) & (alpha > SMALL_SLIP)).any(),
        }


def _limits(P: MagicFormula, corners: Mapping[str, Floats]) -> Iterator[tuple[str, Floats]]:
    dfz, dpi, gamma = corners["dfz"], corners["dpi"], corners["gamma"]
    lean = np.sin(gamma)
    ex, ey = P.pex1 + P.pex2 * dfz + P.pex3 * dfz**2, P.pey1 + P.pey2 * dfz
    mu_x = (P.pdx1 + P.pdx2 * dfz) * (1.0 + P.ppx3 * dpi + P.ppx4 * dpi**2) * (1.0 - P.pdx3 * gamma**2)
    mu_y = (P.pdy1 + P.pdy2 * dfz) * (1.0 + P.ppy3 * dpi + P.ppy4 * dpi**2) * (1.0 - P.pdy3 * lean**2)
    yield "the peak of the longitudinal force is above 0", MARGIN - mu_x
    yield "the peak of the lateral force is above 0", MARGIN - mu_y
    signs = (1.0, -1.0)
    curved_x = [ex * (1.0 - P.pex4 * sign) * P.lex for sign in signs]
    curved_y = [ey * (1.0 + P.pey5 * lean**2 - (P.pey3 + P.pey4 * lean) * sign) * P.ley for sign in signs]
    turned = (P.qez4 + P.qez5 * lean,)
    ez = P.qez1 + P.qez2 * dfz + P.qez3 * dfz**2
    curved_z = [ez * (1.0 + each * sign) for each in turned for sign in (*signs, 0.0)]
    for of, found in (
        ("longitudinal force", curved_x),
        ("lateral force", curved_y),
        ("trail", curved_z),
        ("longitudinal force under slip angles", [P.rex1 + P.rex2 * dfz]),
        ("lateral force under slip ratios", [P.rey1 + P.rey2 * dfz]),
    ):
        yield f"the curvature of the {of} is at most 1", np.concatenate(found) - 1.0 + MARGIN
