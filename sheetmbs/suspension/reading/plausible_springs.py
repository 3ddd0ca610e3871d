"""Springs, stops and bars that can hardly be meant: a stiffness, a length or a shear modulus in another unit."""

from __future__ import annotations

from collections.abc import Iterator

from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.kinds.corner_spring import drawn_distance
from sheetmbs.suspension.layout.car import AxleData, CarData, SpringElement
from sheetmbs.suspension.layout.mass_data import corner_load

CODE = "implausible-value"
SQUEEZED = 1e-4, 0.6
"""m, by which the load of a wheel shortens a spring on its own"""
FREE_LENGTHS = 0.4, 2.5
"""of a spring, over its length at design"""
BARS = {"d": (0.0, 0.15, 1e3, "mm", "m"), "length": (0.0, 5.0, 1e3, "mm", "m"), "G": (1e9, 2e11, 1e-9, "GPa", "Pa")}
"""by column of a bar: least and most in SI, size and name of the unit in which it is told, and the unit in SI"""
STOPS = (SpringKind.BUMP_STOP, SpringKind.DROOP_STOP)
CARRYING = (SpringKind.SPRING, SpringKind.TORSION_BAR)
RESISTING = ("k", "c", "k_swing")


def warn_of_springs(car: CarData, axle: AxleData, report: ProblemList) -> None:
    """Add a warning at its cell for every number of Suspension springs that can hardly be meant."""
    load = corner_load(car, axle)
    for row in axle.springs:
        preload = row.number("preload")
        if row.kind == SpringKind.SPRING and preload is not None and preload < 0.0:
            rule, found = "a spring that carries is compressed, which is positive", f"preload is {preload:.4g} N"
            report.warning(CODE, row.places["preload"], f"{row.name}: {found}", rule, "look at its sign")
        for column in RESISTING:
            value = row.number(column)
            if value is not None and value < 0.0:
                rule = f"a negative {column} drives what it is to hold back"
                report.warning(CODE, row.places[column], f"{row.name}: {column} is negative", rule, "look at its sign")
        for column, found, rule, unit in (*_stiffness(axle, row, load), *_lengths(axle, row), *_bar(row)):
            mend = f"look at its unit: a number without one counts in {unit}, unless row 2 says which"
            report.warning(CODE, row.places[column], f"{row.name}: {column} is {found}", rule, mend)


def _stiffness(axle: AxleData, row: SpringElement, load: float | None) -> Iterator[tuple[str, str, str, str]]:
    """Column, what was found, rule and unit in SI. Beside another spring one may be as soft as one likes."""
    k = row.number("k")
    others = [each for each in axle.springs if each is not row and each.kind in (*CARRYING, SpringKind.THIRD_SPRING)]
    if not load or k is None or k < 0.0 or (row.kind in CARRYING and others):
        return
    if k == 0.0:
        if row.kind in CARRYING:
            yield "k", "0", f"it carries the load of a wheel, {load:.4g} N", "N/m"
        return
    low, high = SQUEEZED
    is_soft_stop = row.kind in STOPS and load / k > high
    if is_soft_stop or (row.kind == SpringKind.SPRING and not low <= load / k <= high):
        rule = f"the load of a wheel, {load:.4g} N, shortens it by {load / k * 1e3:.3g} mm"
        yield "k", f"{k * 1e-3:.4g} N/mm", rule, "N/m"


def _lengths(axle: AxleData, row: SpringElement) -> Iterator[tuple[str, str, str, str]]:
    """The same of a free length and a gap beside the length at design."""
    free, gap = row.number("free_length"), row.number("gap")
    if row.kind not in (SpringKind.SPRING, *STOPS) or (free is None and gap is None):
        return
    length = float(drawn_distance(row, axle, "left"))
    rule = f"its length at design is {length * 1e3:.4g} mm"
    low, high = FREE_LENGTHS
    if free is not None and not low * length <= free <= high * length:
        yield "free_length", f"{free * 1e3:.4g} mm", rule, "m"
    if gap is not None and gap > length:
        yield "gap", f"{gap * 1e3:.4g} mm", rule, "m"


def _bar(row: SpringElement) -> Iterator[tuple[str, str, str, str]]:
    """The same of what the stiffness of a bar follows from."""
    for column, (low, high, size, unit, si) in BARS.items():
        value = row.number(column)
        if value is not None and not low < value <= high:
            rule = f"that of a bar is between {low * size:g} and {high * size:g} {unit}"
            yield column, f"{value * size:.4g} {unit}", rule, si
