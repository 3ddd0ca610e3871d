"""Flexible beams: their mode shapes in the coordinates of `engine/bodies/beam_body.py`, and their sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.beam_shapes import axial, transverse
from sheetmbs.engine.beam_arrays import BEAM, SECTION, Beams
from sheetmbs.engine.record_arrays import as_records
from sheetmbs.engine.records import Records
from sheetmbs.model import Beam

Floats = NDArray[np.float64]

MIDDLE = 0.5


@dataclass(frozen=True, eq=False)
class LoweredBeam:
    """A beam in the coordinates p that make both its inertia m p-dot^2/2 and its elastic energy sums of squares.

    basis: (n, n), its modal coordinates are basis @ p, those across it first. lever, lean, stiffness: (n,); coupling, damping:
    (n, n); inertia, rest: moments of inertia as in `engine/arrays.py`. means: (2, n) of X and Y over the beam.
    """

    beam: Beam
    basis: Floats
    inertia: float
    rest: float
    lever: Floats
    lean: Floats
    coupling: Floats
    stiffness: Floats
    damping: Floats
    means: Floats

    @property
    def modes(self) -> int:
        """Number of modal coordinates."""
        return len(self.basis)

    @property
    def mass(self) -> float:
        """Mass, kg."""
        return self.beam.mass_per_length * self.beam.length

    @property
    def radius(self) -> float:
        """Radius of gyration, m, of ``rest``: deflections much smaller than it leave the equations of the beam linear."""
        return float(np.sqrt(self.rest / self.mass))

    def shapes(self, xi: float) -> Floats:
        """(3, n) displacement along and across the beam against the centre of mass, and slope, at xi from end i."""
        along, across = _shapes(self.beam, np.array([xi / self.beam.length]))
        _, slope = _shapes(self.beam, np.array([xi / self.beam.length]), 1)
        turned = np.concatenate((along, across, slope / self.beam.length)) @ self.basis
        turned[:2] -= self.means
        return np.asarray(turned)

    def frame(self) -> Floats:
        """(3, n) the same of the floating frame, in which end i lies at rest."""
        return np.vstack((-self.means, np.zeros(self.modes)))


def lower_beam(beam: Beam) -> LoweredBeam:
    """Integrals over the beam by Gauss's rule, which is exact to rounding for its shapes."""
    nodes, weights = np.polynomial.legendre.leggauss(40 + 4 * beam.modes)
    share, weight = MIDDLE * (nodes + 1.0), MIDDLE * weights
    mass, length = beam.mass_per_length * beam.length, beam.length
    along, across = _shapes(beam, share)
    stretched, _ = _shapes(beam, share, 1)
    _, bent = _shapes(beam, share, 2)
    elastic = beam.bending_stiffness / length**3 * (bent.T * weight) @ bent
    elastic += (beam.axial_stiffness or 0.0) / length * (stretched.T * weight) @ stretched
    means = np.vstack((weight @ along, weight @ across))
    along, across = along - means[0], across - means[1]
    inertia = mass * ((along.T * weight) @ along + (across.T * weight) @ across)
    basis, stiffness = _diagonalised(elastic, inertia, mass, beam.modes)
    along, across = along @ basis, across @ basis
    place = length * (share - MIDDLE)
    lever, lean = mass * (weight * place) @ across, mass * (weight * place) @ along
    crossed = mass * (across.T * weight) @ along
    whole = mass * length**2 / 12.0
    return LoweredBeam(
        beam=beam,
        basis=basis,
        inertia=whole,
        rest=whole - float(lever @ lever) / mass,
        lever=lever,
        lean=lean,
        coupling=crossed - crossed.T,
        stiffness=stiffness,
        damping=_damping(stiffness, mass * np.eye(len(basis)) - np.outer(lever, lever) / whole, beam.damping),
        means=means @ basis,
    )


def _shapes(beam: Beam, share: Floats, order: int = 0) -> tuple[Floats, Floats]:
    """(points, n) along and across the beam, of all modal coordinates: those across come first."""
    bending = transverse(beam.ends, beam.modes, share, order)
    none = np.zeros_like(bending)
    if beam.axial_stiffness is None:
        return none, bending
    return np.hstack((none, axial(beam.modes, share, order))), np.hstack((bending, none))


def _diagonalised(elastic: Floats, inertia: Floats, mass: float, modes: int) -> tuple[Floats, Floats]:
    """Basis (n, n) in which the inertia is ``mass`` times the identity and the elastic matrix diagonal, and that diagonal.

    What is across and what is along a beam stay apart.
    """
    basis, diagonal = np.zeros_like(elastic), np.zeros(len(elastic))
    for first in range(0, len(elastic), modes):
        part = slice(first, first + modes)
        root = np.linalg.inv(np.linalg.cholesky(inertia[part, part] / mass))
        diagonal[part], turned = np.linalg.eigh(root @ elastic[part, part] @ root.T)
        basis[part, part] = root.T @ turned
    return basis, diagonal


def _damping(stiffness: Floats, inertia: Floats, ratio: float) -> Floats:
    """Damping matrix that gives each mode of the free beam the same damping ratio. inertia: (n, n) of these motions."""
    root = np.linalg.cholesky(inertia)
    inverse = np.linalg.inv(root)
    squares, turned = np.linalg.eigh(inverse * stiffness @ inverse.T)
    back = root @ turned
    return np.asarray(2.0 * ratio * (back * np.sqrt(squares)) @ back.T)


def beam_tables(
    beams: Sequence[LoweredBeam], bodies: Records, numbers: Sequence[int], sections: Sequence[tuple[int, int, float]]
) -> Beams:
    """All beams as arrays. numbers: theirs among the bodies. sections: (body, beam, xi) of those behind the floating frames."""
    sizes = [beam.modes for beam in beams]
    at, square = _starts(sizes), _starts([size**2 for size in sizes])
    records = [
        (number, bodies.q[number], bodies.v[number], beam.modes, at[k], square[k], beam.mass, beam.inertia, beam.rest)
        for k, (beam, number) in enumerate(zip(beams, numbers, strict=True))
    ]
    own = [(number, k, 0.0) for k, number in enumerate(numbers)]
    places = [*own, *sections]
    starts = _starts([3 * sizes[k] for _, k, _ in places])
    shapes = [beam.frame() for beam in beams] + [beams[k].shapes(xi) for _, k, xi in sections]
    middles = [xi - MIDDLE * beams[k].beam.length for _, k, xi in places]
    return Beams(
        record=as_records(np.array(records, dtype=BEAM)),
        section=as_records(
            np.array(
                [(body, k, x, start) for (body, k, _), x, start in zip(places, middles, starts, strict=True)],
                dtype=SECTION,
            )
        ),
        shape=_flat(shapes),
        lever=_flat([beam.lever for beam in beams]),
        lean=_flat([beam.lean for beam in beams]),
        coupling=_flat([beam.coupling for beam in beams]),
        stiffness=_flat([beam.stiffness for beam in beams]),
        damping=_flat([beam.damping for beam in beams]),
    )


def _starts(sizes: Sequence[int]) -> list[int]:
    return [0, *np.cumsum(sizes, dtype=np.int64).tolist()][: len(sizes)]


def _flat(parts: Sequence[Floats]) -> Floats:
    return np.concatenate([np.zeros(0), *(part.reshape(-1) for part in parts)])
