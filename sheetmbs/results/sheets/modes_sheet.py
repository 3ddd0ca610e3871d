"""The sheet `mbs Modes`: frequencies, damping ratios and shapes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.solution import Modes, Solution
from sheetmbs.elements.result_column import ResultKind
from sheetmbs.engine.codes import BodyKind
from sheetmbs.lower import Lowered
from sheetmbs.model.model import Beam, Chart
from sheetmbs.results.charting.default_charts import MAX_SERIES
from sheetmbs.results.columns.collect import CollectedColumns, shown
from sheetmbs.results.columns.mode_columns import BEAM_SHAPE, IMAGINARY, MODE, MODES, SHAPE
from sheetmbs.schema.table import Table

Complexes = NDArray[np.complex128]

SHEET = MODES.sheet
ROTATIONS = ("phi", "rx", "ry", "rz")
MAX_IMAGINARY_SHARE = 1e-6
"""of a shape's largest component: how large its imaginary parts may be before they are shown"""

FIRST_COORDINATE = 4
"""column"""
MODES_FOR_CHARTS = 6
"""modes by which is chosen what charts show"""
SHAPE_NOISE = 1e-9
"""of a shape's largest component: what is written as 0"""


def modes(lowered: Lowered, solution: Solution, asked: Collection[str] | None = None) -> Table | None:
    """One row per mode. A frequency is |lambda|/(2 pi), the undamped one; a motion that does not vibrate has none.

    asked: names of columns; where no shape is among them none is found. None: all of them.

    Shapes are in the units of the coordinates and so large that the component that counts most (angles times the characteristic
    length) is 1 in its own unit and real; where others are not, columns of imaginary parts follow.
    """
    if solution.modes is None:
        return None
    values = solution.modes.values
    columns = CollectedColumns(SHEET, lowered.model.display, np.arange(1.0, len(values) + 1.0), MODE)
    columns.add(MODES, "", "frequency", _frequencies(values))
    columns.add(MODES, "", "damping", _damping(values))
    columns.add(MODES, "", "growth_rate", values.real + 0.0)
    if asked is None or not set(asked) <= {*columns.names, MODE.name}:
        _add_shapes(lowered, solution.q[0], solution.modes, columns)
    return columns.table()


def _add_shapes(lowered: Lowered, q: NDArray[np.float64], found: Modes, columns: CollectedColumns) -> None:
    """Every component of all shapes. q: (nq,) about which they swing."""
    components = _components(lowered, q, found)
    sizes = np.array([component.size for component in components])
    factors = np.array([component.factor for component in components])
    shapes = np.array([component.shape for component in components], dtype=np.complex128)
    scaled = _normalised(shapes.reshape(len(components), len(found.values)), sizes, factors)
    parts = [("", scaled.real)]
    if np.any(np.abs(scaled.imag) / sizes[:, None] > MAX_IMAGINARY_SHARE * _largest(scaled, sizes)):
        parts.append((IMAGINARY, scaled.imag))
    for ending, part in parts:
        for component, row in zip(components, part, strict=True):
            columns.add(component.kind, component.body, component.name + ending, row)


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
        part = {name: np.max(np.abs(table.values[:MODES_FOR_CHARTS, table.columns.index(name)])) for name in names}
        chosen = sorted((name for name in names if part[name] > 0.0), key=lambda name: -part[name])[:MAX_SERIES]
        if chosen:
            yield Chart(title, "mode", tuple(f"{SHEET}!{name}" for name in names if name in chosen), "bar")


def _is_amplitude(name: str) -> bool:
    """Whether a column is the amplitude of a shape of a beam."""
    return name.rpartition(".")[2].startswith(("q", "s"))


def _frequencies(values: Complexes) -> NDArray[np.float64]:
    return np.where((values.imag == 0.0) & (values != 0.0), np.nan, np.abs(values) / (2.0 * np.pi))


def _damping(values: Complexes) -> NDArray[np.float64]:
    """Damping ratios: 1 of what dies away without vibrating, negative of what grows, none of a rigid-body mode."""
    size = np.abs(values)
    return np.where(size > 0.0, -values.real / np.where(size > 0.0, size, 1.0) + 0.0, np.nan)


@dataclass(frozen=True)
class Component:
    """A component of all shapes. shape: (modes,) in SI. size: what it is measured by. factor: size of its unit in SI."""

    kind: ResultKind
    body: str
    name: str
    shape: Complexes
    size: float
    factor: float


def _components(lowered: Lowered, q: NDArray[np.float64], found: Modes) -> list[Component]:
    components = []
    for body, coordinate, row in _coordinates(lowered, q, found.shapes):
        kind = BEAM_SHAPE if _is_amplitude(coordinate) else SHAPE
        factor = shown(kind.column(coordinate).quantities[0], lowered.model.display)[1]
        size = 1.0 if coordinate in ROTATIONS else lowered.bodies.length
        components.append(Component(kind, body, coordinate, row, size, factor))
    return components


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
            placed = _frame(lowered, body.name, q) @ own if isinstance(body, Beam) else own[:3]
            yield from ((body.name, name, row) for name, row in zip(("x", "y", "phi"), placed, strict=True))
        if isinstance(body, Beam):
            beam = lowered.bodies.beams[body.name]
            yield from (
                (body.name, name, row) for name, row in zip(beam.space.names, beam.basis @ own[3:], strict=True)
            )


def _frame(lowered: Lowered, name: str, q: NDArray[np.float64]) -> NDArray[np.float64]:
    """(3, nq of the beam) what small changes of the coordinates of a beam do to the position and angle of its frame."""
    beam, record = lowered.bodies.beams[name], lowered.bodies.records[lowered.bodies.names[name]]
    p = q[record.q + 3 : record.q + record.nq]
    shape, shortening = beam.frame()
    phi = q[record.q + 2] - beam.lag @ p  # of the line along which places on the beam count
    c, s = np.cos(phi), np.sin(phi)
    turn = np.array([[c, -s], [s, c]])
    x, y = -0.5 * beam.beam.length + shape[0] @ p - 0.5 * p @ shortening @ p, shape[1] @ p
    turned = turn @ np.array([-y, x])
    found = np.zeros((3, record.nq))
    found[:2, :2], found[2, 2] = np.eye(2), 1.0
    found[:2, 2] = turned
    found[:2, 3:] = turn @ np.vstack((shape[0] - shortening @ p, shape[1])) - np.outer(turned, beam.lag)
    found[2, 3:] = shape[2] - beam.lag
    return found


def _largest(shapes: Complexes, sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.max(np.abs(shapes) / sizes[:, None], axis=0, initial=0.0))


def _normalised(shapes: Complexes, sizes: NDArray[np.float64], factors: NDArray[np.float64]) -> Complexes:
    """Shapes in SI, scaled so that the component that counts most is 1 in its own unit; factors: sizes of the units."""
    found = np.zeros_like(shapes)
    for k, shape in enumerate(shapes.T):
        weighed = np.abs(shape) / sizes
        if not np.any(weighed > 0.0):
            continue
        # the first of those that are as large but for rounding, so that the choice does not depend on it
        main = int(np.flatnonzero(weighed > (1.0 - MAX_IMAGINARY_SHARE) * np.max(weighed))[0])
        found[:, k] = shape / shape[main] * factors[main]
    seen = SHAPE_NOISE * _largest(found, sizes)
    real, imaginary = (np.where(np.abs(part) / sizes[:, None] > seen, part, 0.0) for part in (found.real, found.imag))
    return np.asarray(real + 1j * imaginary)
