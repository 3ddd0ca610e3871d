"""The sheet `mbs Modes`: frequencies, damping ratios and shapes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.solution import Modes, Solution
from sheetmbs.engine.codes import BodyKind
from sheetmbs.lower import Lowered
from sheetmbs.model import Beam, Chart
from sheetmbs.results.charting.chosen_charts import MOST_SERIES
from sheetmbs.schema.table import Table

Complexes = NDArray[np.complex128]

SHEET = "mbs Modes"
ROTATIONS = ("phi", "rx", "ry", "rz")
REAL = 1e-6
"""of a shape's largest component: how large its imaginary parts may be before they are shown"""

IMAGINARY = ".imag"
FIRST_COORDINATE = 4
"""column"""
DRAWN = 6
"""modes by which is chosen what charts show"""
NOISE = 1e-9
"""of a shape's largest component: what is written as 0"""


def modes(lowered: Lowered, solution: Solution) -> Table | None:
    """One row per mode. A frequency is |lambda|/(2 pi), the undamped one; a motion that does not vibrate has none.

    Shapes are in the units of the coordinates and so large that the component that counts most (angles times the characteristic
    length) is 1 in its own unit and real; where others are not, columns of imaginary parts follow.
    """
    if solution.modes is None:
        return None
    names, units, factors, sizes, shapes = _components(lowered, solution.q[0], solution.modes)
    values = solution.modes.values
    scaled = _normalised(shapes, sizes, factors)
    columns: list[tuple[str, str, NDArray[np.float64]]] = [
        ("mode", "", np.arange(1.0, len(values) + 1.0)),
        ("frequency", "Hz", _frequencies(values)),
        ("damping", "1", _damping(values)),
        ("growth_rate", "1/s", values.real + 0.0),
        *((name, unit, row.real) for name, unit, row in zip(names, units, scaled, strict=True)),
    ]
    if np.any(np.abs(scaled.imag * factors[:, None] / sizes[:, None]) > REAL * _largest(scaled, sizes, factors)):
        columns += [
            (f"{name}{IMAGINARY}", unit, row.imag) for name, unit, row in zip(names, units, scaled, strict=True)
        ]
    return Table(
        SHEET,
        tuple(name for name, _, _ in columns),
        tuple(unit for _, unit, _ in columns),
        np.column_stack([column for _, _, column in columns]),
    )


def mode_charts(table: Table) -> Iterator[Chart]:
    """Frequencies, and what moves most in the modes: displacements, rotations and bending apart, for their units differ."""
    if not len(table.values):
        return
    yield Chart("Frequencies", "mode", ("frequency",), "bar")
    shown = [name for name in table.columns[FIRST_COORDINATE:] if not name.endswith(IMAGINARY)]
    turning = [name for name in shown if name.rpartition(".")[2] in ROTATIONS]
    bending = [name for name in shown if _is_amplitude(name)]
    for title, names in (
        ("Shapes: displacements", [name for name in shown if name not in {*turning, *bending}]),
        ("Shapes: rotations", turning),
        ("Shapes: bending of beams", bending),
    ):
        part = {name: np.max(np.abs(table.values[:DRAWN, table.columns.index(name)])) for name in names}
        chosen = sorted((name for name in names if part[name] > 0.0), key=lambda name: -part[name])[:MOST_SERIES]
        if chosen:
            yield Chart(title, "mode", tuple(f"{SHEET}!{name}" for name in names if name in chosen), "bar")


def _is_amplitude(name: str) -> bool:
    """Whether a column is the amplitude of a shape of a beam."""
    return name.rpartition(".")[2].startswith("q")


def _frequencies(values: Complexes) -> NDArray[np.float64]:
    return np.where((values.imag == 0.0) & (values != 0.0), np.nan, np.abs(values) / (2.0 * np.pi))


def _damping(values: Complexes) -> NDArray[np.float64]:
    """Damping ratios: 1 of what dies away without vibrating, negative of what grows, none of a rigid-body mode."""
    size = np.abs(values)
    return np.where(size > 0.0, -values.real / np.where(size > 0.0, size, 1.0) + 0.0, np.nan)


def _components(
    lowered: Lowered, q: NDArray[np.float64], found: Modes
) -> tuple[list[str], list[str], NDArray[np.float64], NDArray[np.float64], Complexes]:
    """Names, units, their sizes in SI, what each component is measured by, and (components, modes) shapes in SI."""
    display, length = lowered.model.display, lowered.bodies.length
    names, units, factors, sizes, rows = [], [], [], [], []
    for body, coordinate, row in _coordinates(lowered, q, found.shapes):
        turns = coordinate in ROTATIONS
        unit, factor = display.angle if turns else display.length
        if _is_amplitude(f"{body}.{coordinate}"):
            unit, factor = "m", 1.0
        names.append(f"{body}.{coordinate}")
        units.append(unit)
        factors.append(factor)
        sizes.append(1.0 if turns else length)
        rows.append(row)
    shapes = np.array(rows, dtype=np.complex128).reshape(len(rows), found.shapes.shape[1])
    return names, units, np.array(factors), np.array(sizes), shapes


def _coordinates(lowered: Lowered, q: NDArray[np.float64], shapes: Complexes) -> Iterator[tuple[str, str, Complexes]]:
    """Body, coordinate and its row of the shapes; a small rotation in space as a vector with global components."""
    for body in lowered.model.bodies:
        record = lowered.bodies.records[lowered.bodies.names[body.name]]
        own = shapes[record.q : record.q + record.nq]
        if record.kind == BodyKind.SPATIAL:
            e0, e1, e2, e3 = q[record.q + 3 : record.q + 7]
            turn = 2.0 * np.array([[-e1, e0, -e3, e2], [-e2, e3, e0, -e1], [-e3, -e2, e1, e0]])
            yield from ((body.name, name, row) for name, row in zip("xyz", own[:3], strict=True))
            yield from ((body.name, name, row) for name, row in zip(("rx", "ry", "rz"), turn @ own[3:], strict=True))
        else:
            yield from ((body.name, name, row) for name, row in zip(("x", "y", "phi"), own[:3], strict=True))
        if isinstance(body, Beam):
            amplitudes = lowered.bodies.beams[body.name].basis @ own[3:]
            yield from ((body.name, f"q{k}", row) for k, row in enumerate(amplitudes, start=1))


def _largest(scaled: Complexes, sizes: NDArray[np.float64], factors: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.max(np.abs(scaled) * (factors / sizes)[:, None], axis=0, initial=0.0))


def _normalised(shapes: Complexes, sizes: NDArray[np.float64], factors: NDArray[np.float64]) -> Complexes:
    found = np.zeros_like(shapes)
    for k, shape in enumerate(shapes.T):
        weighed = np.abs(shape) / sizes
        if not np.any(weighed > 0.0):
            continue
        # the first of those that are as large but for rounding, so that the choice does not depend on it
        main = int(np.flatnonzero(weighed > (1.0 - REAL) * np.max(weighed))[0])
        found[:, k] = shape / shape[main] * factors[main] / factors
    seen = NOISE * _largest(found, sizes, factors)
    real, imaginary = (
        np.where(np.abs(part) * (factors / sizes)[:, None] > seen, part, 0.0) for part in (found.real, found.imag)
    )
    return np.asarray(real + 1j * imaginary)
