"""Travel that counts at the contacts, not at the wheel centres.

Of heights c(x) of the contacts over the drivers x, with the other drivers among c as they are, x(c) has

    x_c = B = c_x^-1          x_cc = -c_x^-1 (B^T c_xx B)

so that a pose has the derivatives  first B  and  B^T second B + first x_cc  by c.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sheetmbs.analysis.driven_positions import Poses
from sheetmbs.suspension.kinematics.jets import Jet


def by_contact_travel(poses: Poses, heights: Sequence[Jet]) -> Poses:
    """Poses with derivatives by the heights of the contacts, which take the place of as many first drivers."""
    count, drivers, _coordinates = poses.first.shape
    slope = np.tile(np.eye(drivers), (count, 1, 1))  # c_x: (n, contact, driver)
    bend = np.zeros((count, drivers, drivers, drivers))
    for number, height in enumerate(heights):
        slope[:, number] = height.first[:, :drivers]
        bend[:, number] = height.second[:, :drivers, :drivers]
    basis = np.linalg.inv(slope)  # (n, driver, contact)
    curved = np.einsum("nki,nmkl,nlj->nmij", basis, bend, basis, optimize=True)
    curvature = -np.einsum("nkm,nmij->nkij", basis, curved)
    first = np.einsum("nki,nkv->niv", basis, poses.first)
    second = np.einsum("nki,nklv,nlj->nijv", basis, poses.second, basis, optimize=True)
    second += np.einsum("nkij,nkv->nijv", curvature, poses.first)
    return replace(poses, first=first, second=second)
