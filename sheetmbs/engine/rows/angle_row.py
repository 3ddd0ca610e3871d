"""Angle of body j against body i, both planar or ground, counted past a turn.

Phi = phi_j - phi_i                             g_i = (0; -e_z),  g_j = (0; e_z),  gamma = 0
"""

from sheetmbs.compiled import inline_kernel
from sheetmbs.engine.codes import PHI


@inline_kernel
def angle(row, pose, gradient, r):
    """Residual; writes the gradient."""
    gradient[r, 5] = -1.0
    gradient[r, 11] = 1.0
    return pose[row.body_j, PHI] - pose[row.body_i, PHI]
