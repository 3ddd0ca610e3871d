"""Flexible beams: their shapes in the coordinates of `engine/bodies/beam_body.py`, and their sections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.elements.beam_shapes import BeamSpace
from sheetmbs.engine.arrays import BEAM, SECTION, Beams
from sheetmbs.engine.record_arrays import as_records
from sheetmbs.engine.records import Floats, Records
from sheetmbs.model.model import Beam

MIDDLE = 0.5


@dataclass(frozen=True, eq=False)
class LoweredBeam:
    """A beam in the coordinates p that make both its inertia m p-dot^2/2 and its elastic energy sums of squares.

    space: its shapes. basis: (n, n), the amplitudes of these are basis @ p, those across it first. inertia: about the centre of
    mass, undeformed. lag: (n,) by what angle the mean axes of the beam turn ahead of its frame per unit of p. lean, stiffness,
    damping: (n,); coupling, softening: (n, n) as in `engine/arrays.py`. means: (2, n) of X and Y over the beam.
    shortened: (n, n) mean over the beam of what the shapes shorten it by. shortens: whether it shortens as it bends. chord:
    (n,) angle between its frame and the line along which places count, 0 but by the linear theory.
    """

    beam: Beam
    space: BeamSpace
    basis: Floats
    inertia: float
    lag: Floats
    lean: Floats
    coupling: Floats
    softening: Floats
    stiffness: Floats
    damping: Floats
    means: Floats
    shortened: Floats
    chord: Floats
    shortens: bool = True

    @property
    def modes(self) -> int:
        """Number of modal coordinates."""
        return len(self.basis)

    @property
    def mass(self) -> float:
        """Mass of the beam, kg."""
        return self.beam.mass_per_length * self.beam.length

    @property
    def radius(self) -> float:
        """Radius of gyration, m: deflections much smaller than it leave the equations of the beam linear."""
        return float(np.sqrt(self.inertia / self.mass))

    def shapes(self, xi: float) -> Floats:
        """(3, n) displacement along and across the beam against the centre of mass, and slope, at xi from end i."""
        share = np.array([xi / self.beam.length])
        along, across = _shapes(self.space, share)
        _, slope = _shapes(self.space, share, 1)
        turned = np.concatenate((along, across, slope / self.beam.length)) @ self.basis
        turned[1] -= self.chord * xi
        turned[2] -= self.chord
        turned[:2] -= self.means
        return np.asarray(turned)

    def shortening(self, xi: float) -> Floats:
        """(n, n) G: the section at xi moves by -p G p/2 along the beam, against the centre of mass, as the beam bends."""
        if not self.shortens:
            return np.zeros_like(self.basis)
        share, weight = self.space.nodes(end=xi / self.beam.length)
        return _slopes_squared(self.space, self.basis, self.beam.length, share, weight) - self.shortened

    def frame(self) -> tuple[Floats, Floats]:
        """`shapes` and `shortening` of the floating frame, in which end i lies at rest."""
        return np.vstack((-self.means, -self.chord)), -self.shortened

    def linear(self, *, along_chord: bool) -> LoweredBeam:
        """The same beam by the linear theory: its points move across a line only, of its frame or through its ends."""
        none = np.zeros_like(self.basis)
        chord = np.zeros(len(self.basis))
        if along_chord:
            ends = self.space.across(np.array([0.0, 1.0]))
            chord = (ends[1] - ends[0]) @ self.basis[: ends.shape[1]] / self.beam.length
        lag = self.lag - chord
        return replace(
            self,
            lag=lag,
            means=self.means - np.vstack((np.zeros_like(chord), 0.5 * self.beam.length * chord)),
            softening=-self.inertia * np.outer(lag, lag),
            chord=chord,
            shortened=none,
            shortens=False,
        )


def lower_beam(beam: Beam, space: BeamSpace) -> LoweredBeam:
    """Integrals over the beam by Gauss's rule, which is exact to rounding for its shapes."""
    share, weight = space.nodes()
    mass, length = beam.mass_per_length * beam.length, beam.length
    root = np.sqrt(weight)[:, None]
    along, across = _shapes(space, share)
    stretched, _ = _shapes(space, share, 1)
    _, bent = _shapes(space, share, 2)
    means = np.vstack((weight @ along, weight @ across))
    place = length * (share - MIDDLE)
    lag = (weight * place) @ across / (length**2 / 12.0)
    along, across = along - means[0], across - means[1] - np.outer(place, lag)
    bending = space.across(share[:0]).shape[1]
    basis, stiffness = _diagonalised(
        (root * across, root * along),
        (
            root * bent * np.sqrt(beam.bending_stiffness / length**3),
            root * stretched * np.sqrt((beam.axial_stiffness or 0.0) / length),
        ),
        bending,
    )
    along, across, lag = along @ basis, across @ basis, lag @ basis
    crossed = mass * (across.T * weight) @ along
    _, slope = _shapes(space, share, 1)
    slope = slope @ basis / length - lag
    return LoweredBeam(
        beam=beam,
        space=space,
        basis=basis,
        inertia=mass * length**2 / 12.0,
        lag=lag,
        lean=mass * (weight * place) @ along,
        coupling=crossed - crossed.T,
        softening=mass * (slope.T * (weight * 0.5 * length**2 * share * (1.0 - share))) @ slope,
        stiffness=stiffness,
        damping=2.0 * beam.damping * np.sqrt(mass * stiffness),
        means=means @ basis,
        shortened=_slopes_squared(space, basis, length, share, weight * (1.0 - share)),
        chord=np.zeros(len(basis)),
    )


def _slopes_squared(space: BeamSpace, basis: Floats, length: float, share: Floats, weight: Floats) -> Floats:
    """(n, n) weighted integral of the products of the slopes of all shapes, m."""
    _, slope = _shapes(space, share, 1)
    slope = slope @ basis
    return np.asarray((slope.T * weight) @ slope / length)


def _shapes(space: BeamSpace, share: Floats, order: int = 0) -> tuple[Floats, Floats]:
    """(points, n) along and across the beam, of all modal coordinates: those across come first."""
    across, along = space.across(share, order), space.along(share, order)
    return np.hstack((np.zeros_like(across), along)), np.hstack((across, np.zeros_like(along)))


def _diagonalised(values: tuple[Floats, Floats], strains: tuple[Floats, Floats], bending: int) -> tuple[Floats, Floats]:
    """Basis (n, n) in which the inertia is the mass times the identity and the elastic matrix diagonal, and that diagonal.

    values, strains: (points, n) of what is across and what is along a beam, which stay apart; squared and summed up, the former
    are the inertia over the mass and the latter the elastic matrix. bending: number of shapes across the beam.
    """
    count = values[0].shape[1]
    basis, diagonal = np.zeros((count, count)), np.zeros(count)
    for part, value, strain in zip((slice(bending), slice(bending, count)), values, strains, strict=True):
        if part.stop == part.start:
            continue
        _, triangle = np.linalg.qr(value[:, part])
        inverse = np.linalg.inv(triangle)
        _, sizes, turned = np.linalg.svd(strain[:, part] @ inverse, full_matrices=False)
        diagonal[part] = sizes[::-1] ** 2
        basis[part, part] = inverse @ turned[::-1].T
    return basis, diagonal


def beam_tables(
    beams: Sequence[LoweredBeam], bodies: Records, numbers: Sequence[int], sections: Sequence[tuple[int, int, float]]
) -> Beams:
    """All beams as arrays. numbers: theirs among the bodies. sections: (body, beam, xi) of those behind the floating frames."""
    sizes = [beam.modes for beam in beams]
    at, square = _starts(sizes), _starts([size**2 for size in sizes])
    records = [
        (number, bodies.q[number], bodies.v[number], beam.modes, at[k], square[k], beam.mass, beam.inertia)
        for k, (beam, number) in enumerate(zip(beams, numbers, strict=True))
    ]
    places = [*((number, k, 0.0) for k, number in enumerate(numbers)), *sections]
    starts = _starts([3 * sizes[k] for _, k, _ in places])
    squares = _starts([sizes[k] ** 2 for _, k, _ in places])
    frames = [beam.frame() for beam in beams]
    shapes = [shape for shape, _ in frames] + [beams[k].shapes(xi) for _, k, xi in sections]
    shortening = [square for _, square in frames] + [beams[k].shortening(xi) for _, k, xi in sections]
    middles = [xi - MIDDLE * beams[k].beam.length for _, k, xi in places]
    return Beams(
        record=as_records(np.array(records, dtype=BEAM)),
        section=as_records(
            np.array(
                [
                    (body, k, x, start, matrix)
                    for (body, k, _), x, start, matrix in zip(places, middles, starts, squares, strict=True)
                ],
                dtype=SECTION,
            )
        ),
        shape=_flat(shapes),
        shortening=_flat(shortening),
        lag=_flat([beam.lag for beam in beams]),
        lean=_flat([beam.lean for beam in beams]),
        coupling=_flat([beam.coupling for beam in beams]),
        softening=_flat([beam.softening for beam in beams]),
        stiffness=_flat([beam.stiffness for beam in beams]),
        damping=_flat([beam.damping for beam in beams]),
    )


def _starts(sizes: Sequence[int]) -> list[int]:
    return [0, *np.cumsum(sizes, dtype=np.int64).tolist()][: len(sizes)]


def _flat(parts: Sequence[Floats]) -> Floats:
    return np.concatenate([np.zeros(0), *(part.reshape(-1) for part in parts)])
