"""Coincident along a global axis k:  Phi = p_j[k] - p_i[k],  g_i = (-e_k; 0),  g_j = (e_k; 0),  gamma = 0."""

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.codes import X


@inline_kernel
def coincident(row, place, gradient, r):
    """Residual; writes the gradient."""
    gradient[r, row.k] = -1.0
    gradient[r, 6 + row.k] = 1.0
    return place[row.frame_j, X + row.k] - place[row.frame_i, X + row.k]
