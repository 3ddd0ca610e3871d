"""Principal moments and axes of inertia tensors; most bodies have theirs along the axes, and nothing is to be searched."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ROUNDING = 1e-12  # of the largest moment: a smaller one is none


def principal_moments(tensor: Floats) -> Floats:
    """(3,) in ascending order, of a symmetric tensor (3, 3)."""
    return np.asarray(np.sort(tensor.diagonal()) if _is_diagonal(tensor) else np.linalg.eigvalsh(tensor))


def principal_axes(tensor: Floats | None) -> tuple[Floats, Floats]:
    """Principal moments (3,), NaN where blank, and right-handed principal axes (3, 3) as columns, body coordinates."""
    if tensor is None:
        return np.full(3, np.nan), np.eye(3)
    if _is_diagonal(tensor):
        return tensor.diagonal().copy(), np.eye(3)
    moments, axes = np.linalg.eigh(tensor)
    moments = np.where(np.abs(moments) < ROUNDING * np.max(np.abs(moments)), 0.0, moments)
    return moments, axes * np.array([1.0, 1.0, np.linalg.det(axes)])


def _is_diagonal(tensor: Floats) -> bool:
    return bool(np.count_nonzero(tensor) == np.count_nonzero(tensor.diagonal()))
