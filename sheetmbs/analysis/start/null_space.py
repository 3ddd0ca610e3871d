"""Motions that constraints allow: an orthonormal basis of the null space of J, of many rows by `fronts`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.start.frontal_elimination import eliminate
from sheetmbs.analysis.start.ranks import CLEAR, FEW, MANY
from sheetmbs.lower import Lowered, System

Floats = NDArray[np.float64]

INDEPENDENT = 1e-9  # of the largest singular value of J, or of a row of unit length


def tangent_space(lowered: Lowered, system: System) -> Floats:
    """(nv, freedoms) orthonormal basis in the system's weights, at the Jacobian that stands in its scratch."""
    jacobian = system.jacobian()
    rows = jacobian.height
    if not rows:
        return np.eye(jacobian.width)
    if rows > FEW:
        owners = lowered.bodies.owner, lowered.constraints.owner[system.kept]
        bodies, elements = (np.unique(owner, return_inverse=True)[1] for owner in owners)
        found = eliminate(jacobian.of_unit_rows().transposed, bodies, elements, INDEPENDENT)
        dropped, kept = found.gap
        if rows > MANY or dropped * CLEAR < INDEPENDENT < kept / CLEAR:
            return found.null_basis()
    _, sizes, right = np.linalg.svd(jacobian.dense(), full_matrices=True)
    return np.asarray(right[int(np.sum(sizes > INDEPENDENT * sizes[0])) :].T)
