"""Eigenvalues and shapes of linearised equations, those without stiffness set apart.

A motion n with K n = 0 is a rigid-body mode, of eigenvalue 0. Coordinates z = (z_n, z_c) are chosen so, and the state without
z_n, (z_c, z_c', z_n'), has the other eigenvalues: their double zeros, which rounding would tear apart, are single ones there.
Time is counted in units of the fastest vibration. Without damping, symmetric equations are solved as such.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.modes.linearised import Linear
from sheetmbs.engine.records import Floats

Complexes = NDArray[np.complex128]

UNSURE = 30.0  # times the difference between two orders: what counts as none
ROUNDING = 1e-14  # of the largest stiffness
LEFT_OVER = 1e-10  # of the largest force over the characteristic length: forces that are not quite in balance
SLOW = 1e-11  # of the fastest rate: what counts as none
SYMMETRIC = 1e-9
TIED = 9  # decimals, in units of the fastest rate, to which rates are distinguished when they are put in order


@dataclass(frozen=True)
class Eigenvalues:
    """One of each pair of conjugates. values: (n,) 1/s. shapes: (d, n) in the coordinates z of `Linear`.

    rigid: how many stand first, with the eigenvalue 0.
    """

    values: Complexes
    shapes: Complexes
    rigid: int


def eigenvalues(linear: Linear, length: float) -> Eigenvalues:
    """Rigid-body modes, vibrations by frequency, then what does not vibrate by its rate.

    length: characteristic length, m.
    """
    count = len(linear.mass)
    if not count:
        return Eigenvalues(np.zeros(0, complex), np.zeros((0, 0), complex), 0)
    basis, rigid = _rigid_first(linear, length)
    root = np.linalg.cholesky(basis.T @ linear.mass @ basis)
    change = basis @ np.linalg.inv(root).T  # z in coordinates in which the mass is 1
    stiffness, damping = change.T @ linear.stiffness @ change, change.T @ linear.damping @ change
    stiffness[:, :rigid] = 0.0
    damped = _size(damping)
    rate = max(np.sqrt(_size(stiffness)), damped)
    if rate == 0.0:
        return Eigenvalues(np.zeros(rigid, complex), _readable(linear, basis[:, :rigid]), rigid)
    noise = SLOW * rate + UNSURE * _size(change.T @ linear.unsure_damping @ change)
    if damped <= noise and _is_symmetric(stiffness[rigid:, rigid:]):
        values, vectors = _undamped(stiffness, rigid)
    else:
        values, vectors = _damped(stiffness / rate**2, damping / rate, rigid)
        values = values * rate
        moving = np.abs(values) > noise
        values, vectors = values[moving], vectors[:, moving]
    values = np.where(np.abs(values.real) <= noise, 1j * values.imag, values)
    values = np.where(np.abs(values.imag) <= SLOW * rate, values.real + 0j, values)
    one_of_two = values.imag >= 0.0
    values, vectors = values[one_of_two], vectors[:, one_of_two]
    vibrates = values.imag > 0.0
    order = np.lexsort((-values.real, np.round(np.abs(values) / rate, TIED), ~vibrates))
    shapes = np.column_stack((_readable(linear, basis[:, :rigid]), change @ vectors[:, order]))
    return Eigenvalues(np.concatenate((np.zeros(rigid, complex), values[order])), shapes, rigid)


def _size(matrix: Floats) -> float:
    """The largest singular value; `numpy.linalg.norm` takes twice the time to find it for a small matrix."""
    return float(np.linalg.svd(matrix, compute_uv=False)[0])


def _rigid_first(linear: Linear, length: float) -> tuple[Floats, int]:
    """Orthonormal basis (d, d) of z whose first vectors have no stiffness, and how many these are."""
    _, sizes, right = np.linalg.svd(linear.stiffness)
    unsure = np.linalg.norm(linear.unsure_stiffness @ right.T, axis=0)
    none = sizes <= UNSURE * unsure + ROUNDING * sizes[0] + LEFT_OVER * linear.force / length
    return np.vstack((right[none], right[~none])).T, int(np.sum(none))


def _readable(linear: Linear, motions: Floats) -> Complexes:
    """The same space (d, n) of rigid-body motions by a basis in which each has a coordinate to itself."""
    rows = (linear.displacements @ motions).T
    found = motions.T.copy()
    for k in range(len(rows)):
        row, pivot = divmod(int(np.argmax(np.abs(rows[k:]))), rows.shape[1])
        for each in (rows, found):
            each[[k, k + row]] = each[[k + row, k]]
        for other in range(len(rows)):
            if other != k:
                share = rows[other, pivot] / rows[k, pivot]
                rows[other] -= share * rows[k]
                found[other] -= share * found[k]
    return np.asarray(found.T, dtype=np.complex128)


def _is_symmetric(matrix: Floats) -> bool:
    return bool(np.linalg.norm(matrix - matrix.T) <= SYMMETRIC * np.linalg.norm(matrix))


def _undamped(stiffness: Floats, rigid: int) -> tuple[Complexes, Complexes]:
    """Modes of z'' = -K z with symmetric K; a negative eigenvalue of K gives a growing and a decaying motion."""
    count = len(stiffness)
    if rigid == count:
        return np.zeros(0, complex), np.zeros((count, 0), complex)
    own = stiffness[rigid:, rigid:]
    squares, vectors = np.linalg.eigh(0.5 * (own + own.T))
    values, shapes = [], []
    for square, vector in zip(squares, vectors.T, strict=True):
        # rigid-body coordinates follow: -lambda^2 z_n = K_nc z_c
        follow = stiffness[:rigid, rigid:] @ vector / square
        root = np.sqrt(complex(-square))
        for value in (root, -root) if square < 0.0 else (root,):
            values.append(value)
            shapes.append(np.concatenate((follow, vector)) + 0j)
    return np.array(values), np.array(shapes).T


def _damped(stiffness: Floats, damping: Floats, rigid: int) -> tuple[Complexes, Complexes]:
    """Modes of the state (z_c, z'); vectors: z' over its eigenvalue."""
    count = len(stiffness)
    soft = count - rigid
    state = np.zeros((soft + count, soft + count))
    state[:soft, soft + rigid :] = np.eye(soft)
    state[soft:, :soft] = -stiffness[:, rigid:]
    state[soft:, soft:] = -damping
    values, vectors = np.linalg.eig(state)
    shapes = vectors[soft:] / np.where(values == 0.0, 1.0, values)
    return np.asarray(values, dtype=np.complex128), np.asarray(shapes, dtype=np.complex128)
