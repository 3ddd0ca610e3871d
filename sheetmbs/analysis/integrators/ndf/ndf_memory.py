"""What a run by numerical differentiation formulas keeps from step to step and needs in one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from sheetmbs.analysis.integrators.ndf.differences import DIFFERENCES
from sheetmbs.analysis.integrators.stepping.driver import record
from sheetmbs.compiled import Bundle
from sheetmbs.engine.arrays import Arrays
from sheetmbs.engine.records import Floats, Floats2, Ints, Records

UNKNOWN_RATE = 0.3  # of convergence, that is counted on before one is seen

# order: of the formula, 0: the method must begin anew. spacing: of the states whose differences are known; equal: steps taken
# with it; rejected: tries in vain since as many equal steps were taken as the order has. seen: rate of convergence of the
# corrector's last iteration; trusted: the one that the next step counts on; factored: c of the factors, 0 none;
# rank: vectors of Z, 0 as long as there are none. rate: what errors of velocities are measured by in the step under way, the
# largest of |v|/L and |omega|; diverged: whether its corrector did.
NDF_STATE = np.dtype(
    [
        ("order", "i8"),
        ("spacing", "f8"),
        ("equal", "i8"),
        ("rejected", "i8"),
        ("seen", "f8"),
        ("trusted", "f8"),
        ("factored", "f8"),
        ("rank", "i8"),
        ("rate", "f8"),
        ("diverged", "?"),
    ]
)


@dataclass(frozen=True, eq=False)
class NdfMemory(Bundle):
    """Memory of a run; n = nq + nv + 1, d degrees of freedom."""

    state: Annotated[Records, NDF_STATE]  # (1,)
    difference: Floats2  # (DIFFERENCES, n) of the states, the newest of which is row 0
    start: Floats  # (n,) derivative of the newest state
    predicted: Floats  # (n,)
    past: Floats  # (n,) what the corrector knows: y = past + c f(t, y)
    x: Floats  # (n,) iterate of the corrector
    x_v: Floats  # (nv,) view of x
    trial: Floats  # (n,) its copy that is evaluated
    trial_q: Floats  # (nq,) view of trial
    trial_v: Floats  # (nv,) view of trial
    rates: Floats  # (n,) derivative of the iterate
    moved: Floats  # (n,) derivative beside it, or a change
    basis: Floats2  # (d, nv) Z
    by_position: Floats2  # (d, d) A_q
    by_velocity: Floats2  # (d, d) A_v
    matrix: Floats2  # (d, d) factors of I - c A_v - c^2 A_q
    swap: Ints  # (d,)
    residual: Floats  # (nv,) mass-scaled
    along: Floats  # (d,) residual along Z
    still: Floats  # (nr,) zeros


def make_memory(arrays: Arrays) -> NdfMemory:
    """Memory for a run over a model, without differences and matrices yet."""
    nq, nv, nr = len(arrays.position_size), len(arrays.scale), len(arrays.row)
    n, d = nq + nv + 1, max(nv - nr, 1)
    x, trial = np.zeros(n), np.zeros(n)
    return NdfMemory(
        state=record(NDF_STATE, seen=1.0, trusted=UNKNOWN_RATE),
        difference=np.zeros((DIFFERENCES, n)),
        start=np.zeros(n),
        predicted=np.zeros(n),
        past=np.zeros(n),
        x=x,
        x_v=x[nq : nq + nv],
        trial=trial,
        trial_q=trial[:nq],
        trial_v=trial[nq : nq + nv],
        rates=np.zeros(n),
        moved=np.zeros(n),
        basis=np.zeros((d, nv)),
        by_position=np.zeros((d, d)),
        by_velocity=np.zeros((d, d)),
        matrix=np.zeros((d, d)),
        swap=np.zeros(d, dtype=np.int64),
        residual=np.zeros(nv),
        along=np.zeros(d),
        still=np.zeros(nr),
    )
