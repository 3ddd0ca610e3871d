"""What an analysis at rest has found, element by element: tables and bars, for a single row makes no lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.model import Chart, Model
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.sheet_contents import SheetSection

SIZE = "size"
MOST_BARS = 24
"""More bars than this on one chart cannot be told apart."""
NOTHING = 1e-9
"""of the largest load: what is drawn as none"""


@dataclass(frozen=True)
class ElementKind:
    """One of the tables: of elements of a kind, one a row.

    columns: what follows their names on the result sheets, by the heads here. is_load: drawn as bars, if anything is not 0;
    with a head `SIZE` it is the length of the vector of the others.
    """

    title: str
    elements: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    is_load: bool = False
    has_size: bool = False


def sections(model: Model, tables: Sequence[Table]) -> tuple[SheetSection, ...]:
    """The tables of an analysis of one row, in the order in which a person asks: loads, then where everything is."""
    at_rest = [table for table in tables if table.columns[0] == "time" and len(table.values) == 1]
    columns = {n: (t.units[k], t.values[:, k]) for t in at_rest for k, n in enumerate(t.columns)}
    return tuple(section for kind in _kinds(model) for section in _filled(kind, columns))


def bars(found: Sequence[SheetSection], model: Model, length: float) -> Iterator[Chart]:
    """Charts of the loads: those that are not all 0 but for rounding. length: the characteristic one of the model, m."""
    loads = {kind.title for kind in _kinds(model) if kind.is_load}
    drawn = [section for section in found if section.title in loads]
    arms = {"N": 1.0, "N*m": length}
    largest = max((_largest(section) / arms.get(section.unit, 1.0) for section in drawn), default=0.0)
    for section in drawn:
        is_felt = _largest(section) > NOTHING * largest * arms.get(section.unit, 1.0)
        if is_felt and len(section.names) <= MOST_BARS:
            yield Chart(section.title, section.title, (section.column(section.heads[0]),), "bar")


def _largest(section: SheetSection) -> float:
    return float(np.nanmax(np.abs(section.values), initial=0.0))


def _filled(kind: ElementKind, columns: dict[str, tuple[str, NDArray[np.float64]]]) -> Iterator[SheetSection]:
    rows, names, unit = [], [], ""
    for element in kind.elements:
        found = [columns.get(f"{element}.{column}") for _, column in kind.columns]
        known = [each for each in found if each is not None]
        values = [np.nan if each is None else float(each[1][0]) for each in found]
        if not known or not np.any(np.isfinite(values)):
            continue
        unit = known[0][0]
        rows.append([float(np.sqrt(np.nansum(np.square(values)))), *values] if kind.has_size else values)
        names.append(element)
    if rows:
        heads = tuple(head for head, _ in kind.columns)
        yield SheetSection(kind.title, unit, (SIZE, *heads) if kind.has_size else heads, tuple(names), np.array(rows))


def _kinds(model: Model) -> Iterator[ElementKind]:
    axes = "xy" if model.settings.dimension == "2D" else "xyz"
    vector, moments = (tuple((axis, f"{load}{axis}") for axis in axes) for load in "fm")
    drivers = tuple(driver.name for driver in model.drivers)
    springs = [spring for spring in model.springs if spring.type != "bushing"]
    straight = tuple(spring.name for spring in springs if spring.type == "translational")
    turning = tuple(spring.name for spring in springs if spring.type == "rotational")
    bushings = tuple(spring.name for spring in model.springs if spring.type == "bushing")
    joints = tuple(joint.name for joint in model.joints)
    reactions = tuple((head, f"i.{column}") for head, column in vector)
    points = tuple(point.name for point in model.points if point.report)
    bodies = tuple(body.name for body in model.bodies)
    placed = tuple((axis, axis) for axis in axes)
    turned = (("phi", "phi"),) if len(axes) == 2 else tuple((angle, angle) for angle in ("yaw", "pitch", "roll"))
    yield ElementKind("Driver forces", drivers, (("force", "force"),), is_load=True)
    yield ElementKind("Driver moments", drivers, (("moment", "moment"),), is_load=True)
    yield ElementKind("Spring forces", straight, (("force", "force"),), is_load=True)
    yield ElementKind("Spring moments", turning, (("moment", "moment"),), is_load=True)
    yield ElementKind("Forces of bushings", bushings, vector, is_load=True, has_size=True)
    yield ElementKind(
        "Moments of bushings", bushings, moments if len(axes) == 3 else (("mz", "mz"),), has_size=len(axes) == 3
    )
    yield ElementKind("Reactions at joints", joints, reactions, is_load=True, has_size=True)
    yield ElementKind("Angles of joints", joints, (("angle", "angle"),))
    yield ElementKind("Displacements of joints", joints, (("displacement", "displacement"),))
    yield ElementKind("Spring lengths", straight, (("length", "length"),))
    yield ElementKind("Spring angles", turning, (("angle", "angle"),))
    yield ElementKind("Positions of points", points, placed)
    yield ElementKind("Positions of bodies", bodies, placed)
    yield ElementKind("Angles of bodies", bodies, turned)
