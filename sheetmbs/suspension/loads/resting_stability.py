"""Whether a car that balances would stay there: its stiffness against moving on the road, from the equations of its balance.

With all that follows of a move of the body taken out (travels and loads of wheels on the road), what is left are forces and
moments over height, pitch and roll, and over travels of wheels in the air. All eigenvalues of that are positive where it rests.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.records import Floats, Ints
from sheetmbs.suspension.loads.car_balance import Unknowns


def are_stable(matrix: Floats, of: Unknowns, lifted: NDArray[np.bool_], *, is_known: bool) -> NDArray[np.bool_]:
    """(n,) of cases whose same wheels are lifted. matrix: (n, k, k) derivatives of the equations by the unknowns.

    is_known: all loads are given, and travels follow.
    """
    travels, loads = (np.arange(each.start, each.stop) for each in (of.travels, of.loads))
    if is_known:
        return _are_positive(-_part(matrix, travels, travels))
    free = np.array([of.roll, of.pitch, of.height, *travels[lifted]])
    signs = np.array([-1.0, -1.0, 1.0, *[-1.0] * int(np.sum(lifted))])  # as the equations are written
    tied = np.concatenate((travels[~lifted], loads[~lifted]))
    follows = np.linalg.solve(_part(matrix, tied, tied), _part(matrix, tied, free))
    return _are_positive(signs[:, None] * (_part(matrix, free, free) - _part(matrix, free, tied) @ follows))


def _part(matrix: Floats, rows: Ints, columns: Ints) -> Floats:
    """(n, rows, columns) of matrices (n, k, k)."""
    return np.asarray(matrix[:, rows[:, None], columns])


def _are_positive(stiffness: Floats) -> NDArray[np.bool_]:
    return np.asarray(np.min(np.linalg.eigvals(stiffness).real, axis=1) > 0.0)
