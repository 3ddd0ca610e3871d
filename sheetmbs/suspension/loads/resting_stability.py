"""Whether a car that balances would stay there: its stiffness against moving on the road, from the equations of its balance.

With all that follows of a move of the body taken out (travels and loads of wheels on the road), what is left are forces and
moments over height, pitch and roll, and over travels of wheels in the air. All eigenvalues of that are positive where it rests.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.loads.car_balance import Unknowns


def is_stable(matrix: Floats, of: Unknowns, lifted: NDArray[np.bool_], *, is_known: bool) -> bool:
    """matrix: (k, k) derivatives of the equations by the unknowns. is_known: all loads are given, and travels follow."""
    travels, loads = (np.arange(each.start, each.stop) for each in (of.travels, of.loads))
    if is_known:
        return _is_positive(-matrix[np.ix_(travels, travels)])
    free = np.array([of.roll, of.pitch, of.height, *travels[lifted]])
    signs = np.array([-1.0, -1.0, 1.0, *[-1.0] * int(np.sum(lifted))])  # as the equations are written
    tied = np.concatenate((travels[~lifted], loads[~lifted]))
    follows = np.linalg.solve(matrix[np.ix_(tied, tied)], matrix[np.ix_(tied, free)])
    left = matrix[np.ix_(free, free)] - matrix[np.ix_(free, tied)] @ follows
    return _is_positive(signs[:, None] * left)


def _is_positive(stiffness: Floats) -> bool:
    return bool(np.min(np.linalg.eigvals(stiffness).real) > 0.0)
