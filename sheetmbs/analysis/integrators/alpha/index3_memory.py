"""Coefficients of the generalized-alpha method, and what a run of it keeps from step to step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sheetmbs.analysis.integrators.stepping.driver import record
from sheetmbs.compiled import Bundle
from sheetmbs.engine.records import Floats, Floats2, Ints, Records

LARGEST_DENSE = 400  # coordinates: beyond that a dense factor takes longer than short steps

# last: length of the last step, 0 for none; of_b, of_matrix: lengths for which b holds, and for which the matrix was factored;
# held: steps taken since the length changed; power: at the start of the last step; noise: what rounding left in it.
# fresh: derivatives must be found anew; dense: the dense matrix is in use; stale: its tangents must be renewed; renewed: they
# were in the step under way. Of Newton's method in the step under way: how it ended, the power there, rate of convergence and
# last correction. rate: what errors of velocities are measured by, the largest of |v|/L and |omega|.
ALPHA_STATE = np.dtype(
    [(name, "f8") for name in ("last", "of_b", "of_matrix", "power", "noise", "rate")]
    + [("held", "i8")]
    + [(name, "?") for name in ("fresh", "dense", "stale", "renewed")]
    + [("ended", "i8"), ("end_power", "f8"), ("convergence", "f8"), ("left", "f8")]
)


@dataclass(frozen=True, eq=False)
class Coefficients(Bundle):
    """Coefficients of the generalized-alpha method, see `coefficients`."""

    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float
    offset: float  # b stands for the acceleration at t + offset h
    position_error: float  # of h^3 q''' in one step
    velocity_error: float  # of h^3 q'''' in one step
    mass: float  # (1 - alpha_m)/(1 - alpha_f): change of a with b


@dataclass(frozen=True, eq=False)
class AlphaMemory(Bundle):
    """What a run of the method keeps between steps and needs in one; accelerations are mass-scaled."""

    state: Annotated[Records, ALPHA_STATE]  # (1,)
    start: Floats  # (nq + nv + 1,) derivative at the start of the step
    b: Floats  # (nv,) acceleration-like variable
    a: Floats  # (nv,) accelerations
    jerk: Floats  # (nv,) difference of the accelerations of the last step over its length
    multiplier: Floats  # (nr,)
    new_b: Floats  # (nv,)
    new_a: Floats  # (nv,)
    new_jerk: Floats  # (nv,)
    new_multiplier: Floats  # (nr,)
    shift: Floats  # (nv,) J^T eta
    total: Floats  # (nv,) Q + J^T lambda
    shifted: Floats  # (nv,) the same at a displaced state
    delta: Floats  # (nv,) correction of b
    further: Floats  # (nv,) correction of the shift; scratch
    wanted: Floats  # (nr,)
    change: Floats  # (nr,) correction of the multipliers
    end: Floats  # (nq + nv + 1,) state at the end of the step
    end_rates: Floats  # (nq + nv + 1,)
    trial: Floats  # (nq + nv + 1,)
    stiffness: Floats2  # (nv, nv) K
    damping: Floats2  # (nv, nv) D
    matrix: Floats2  # (nv + nr, nv + nr) factors
    pivot: Ints  # (nv + nr,)
    right: Floats  # (nv + nr,)
    row_size: Floats  # (nr,) lengths of the rows of J in the matrix


def coefficients(rho: float, *, hht: bool) -> Coefficients:
    """Coefficients of the generalized-alpha method with spectral radius rho at infinity.

    Chung and Hulbert (1993), eq. 25; with ``hht`` those of Hilber, Hughes and Taylor (1977), alpha_m = 0.
    Raises ValueError where no stable method has this rho: 0 to 1, with ``hht`` 1/2 to 1.
    """
    if not (0.5 if hht else 0.0) <= rho <= 1.0:
        raise ValueError(f"spectral radius {rho:g}: it lies between {0.5 if hht else 0} and 1")
    alpha_m = 0.0 if hht else (2.0 * rho - 1.0) / (rho + 1.0)
    alpha_f = (1.0 - rho) / (1.0 + rho) if hht else rho / (rho + 1.0)
    offset = alpha_m - alpha_f
    gamma = 0.5 - offset
    beta = 0.25 * (1.0 - offset) ** 2
    return Coefficients(
        alpha_m,
        alpha_f,
        beta,
        gamma,
        offset,
        position_error=1.0 / 6.0 - beta - 0.5 * offset,
        velocity_error=1.0 / 12.0 + offset * (alpha_m - 0.5) - offset**2,
        mass=(1.0 - alpha_m) / (1.0 - alpha_f),
    )


def make_memory(nq: int, nv: int, nr: int) -> AlphaMemory:
    """Memory for a model of these numbers of positions, velocities and rows."""
    size = nv + nr if nv <= LARGEST_DENSE else 0

    def zeros(*shape: int) -> Floats:
        return np.zeros(shape)

    dense = nv if size else 0
    state = nq + nv + 1
    return AlphaMemory(
        state=record(ALPHA_STATE, fresh=True),
        start=zeros(state),
        b=zeros(nv),
        a=zeros(nv),
        jerk=zeros(nv),
        multiplier=zeros(nr),
        new_b=zeros(nv),
        new_a=zeros(nv),
        new_jerk=zeros(nv),
        new_multiplier=zeros(nr),
        shift=zeros(nv),
        total=zeros(nv),
        shifted=zeros(nv),
        delta=zeros(nv),
        further=zeros(nv),
        wanted=zeros(nr),
        change=zeros(nr),
        end=zeros(state),
        end_rates=zeros(state),
        trial=zeros(state),
        stiffness=zeros(dense, dense),
        damping=zeros(dense, dense),
        matrix=zeros(size, size),
        pivot=np.zeros(size, dtype=np.int64),
        right=zeros(size),
        row_size=zeros(nr),
    )
