"""The centre about which markers of a segment move on spheres, seen from the segment above (functional method).

With positions p_k(t) of marker k in axes of the upper segment the centre c and the squares of the radii make

    |p_k|^2 = 2 p_k . c + (r_k^2 - |c|^2)

linear in c and one constant for each marker (Gamage and Lasenby, J. Biomech. 35, 2002, without their bias).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
FLAT = 1e-6
"""part of the largest singular value below which markers move in a plane, or not at all"""


def centre_of_spheres(markers: Vector) -> Vector | None:
    """(3,) of markers (m, n, 3) that move about it; None where they hardly move or move in a plane. NaN is missing."""
    rows, right, count = [], [], len(markers)
    for k, positions in enumerate(markers):
        seen = positions[np.isfinite(positions).all(axis=1)]
        which = np.zeros((len(seen), count))
        which[:, k] = 1.0
        rows.append(np.column_stack((2.0 * seen, which)))
        right.append(np.sum(seen**2, axis=1))
    matrix, known = np.vstack(rows), np.concatenate(right)
    centred = np.vstack([row[:, :3] - row[:, :3].mean(axis=0) for row in rows if len(row)])
    sizes = np.linalg.svd(centred, compute_uv=False)
    if sizes[-1] < FLAT * sizes[0] or sizes[0] == 0.0:
        return None
    return np.asarray(np.linalg.lstsq(matrix, known, rcond=None)[0][:3])
