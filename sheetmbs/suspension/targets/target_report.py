"""How far designs are from their targets: value, deviation and whether it is within, and columns beside those of sweeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.table import Table
from sheetmbs.suspension.designs.design_list import DESIGN_SEPARATOR, TARGET
from sheetmbs.suspension.elastic.element_kind import CurveLaw
from sheetmbs.suspension.metrics.metric import size
from sheetmbs.suspension.targets.target_rows import Target

BOUND_ROUNDING = 1e-9
"""of a bound: what is beyond it by less is rounding"""


@dataclass(frozen=True)
class JudgedTarget:
    """A target and what a design has instead, in the unit of its metric. design: its name, ``""`` the first.

    value, aim: of a target over a sweep at the row where it is farthest off; aim: NaN within a band. deviation: what is too
    much, 0 within a band. is_met: None where neither a band nor a tolerance says. rms, largest: over the rows of the sweep,
    NaN of a value at design.
    """

    target: Target
    design: str
    value: float
    aim: float
    deviation: float
    is_met: bool | None
    rms: float = nan
    largest: float = nan

    @property
    def shown(self) -> str:
        """The aim in words: a value, a band, or the name of a curve."""
        target = self.target
        if target.curve is not None:
            return target.curve.name
        if target.value is not None:
            return f"{target.value:.6g}"
        least, most = ("" if bound is None else f"{bound:.6g}" for bound in (target.least, target.most))
        return f"{least} .. {most}" if least and most else f"at least {least}" if least else f"at most {most}"


def judged_at_design(target: Target, design: str, found: Mapping[str, tuple[float, str]]) -> JudgedTarget:
    """A target of a value at design. found: values and units by column."""
    value = found[target.metric][0] if target.metric in found else nan
    off, aim = _off(target, np.array([value]), np.zeros(1))
    return JudgedTarget(target, design, value, float(aim[0]), float(off[0]), _is_met(target, off))


def judged_over_sweep(target: Target, design: str, table: Table) -> JudgedTarget:
    """A target over a sweep. table: of the sweep, with the columns of all designs."""
    value = _column(table, design, target.metric)
    off, aim = _off(target, value, _along(target, design, table))
    known = np.isfinite(off)
    if not np.any(known):
        return JudgedTarget(target, design, nan, nan, nan, None)
    worst = int(np.argmax(np.where(known, np.abs(off), -1.0)))
    rms = sqrt(float(np.mean(off[known] ** 2)))
    told = (float(value[worst]), float(aim[worst]), float(off[worst]))
    return JudgedTarget(target, design, *told, _is_met(target, off[known]), rms, abs(told[2]))


def _is_met(target: Target, off: Floats) -> bool | None:
    """Whether no deviation is beyond the tolerance; None where there is nothing that tells."""
    is_band = target.least is not None or target.most is not None
    if not np.all(np.isfinite(off)) or (target.tolerance is None and not is_band):
        return None
    bounds = [abs(bound) for bound in (target.least, target.most, target.tolerance) if bound is not None]
    return bool(
        np.max(np.abs(off), initial=0.0) <= (target.tolerance or 0.0) + BOUND_ROUNDING * max(bounds, default=0.0)
    )


def _off(target: Target, value: Floats, x: Floats) -> tuple[Floats, Floats]:
    """How far values are off at x (n,), SI, and what they should be, NaN where a band leaves that open."""
    if target.curve is not None or target.value is not None:
        aim = _aim(target, x)
        return value - aim, aim
    aim = np.full(len(value), nan)
    for bound, sign in ((target.least, 1.0), (target.most, -1.0)):
        if bound is not None:
            aim = np.where(sign * (bound - value) > 0.0, bound, aim)
    return np.where(np.isfinite(value), np.where(np.isfinite(aim), value - aim, 0.0), nan), aim


def _aim(target: Target, x: Floats) -> Floats:
    """The value or the curve at x, SI; NaN beyond the ends of a curve."""
    if target.curve is None:
        return np.full(len(x), nan if target.value is None else target.value)
    first, last = float(target.curve.x[0]), float(target.curve.x[-1])
    slack = BOUND_ROUNDING * (last - first)
    inside = (x >= first - slack) & (x <= last + slack)
    return np.where(inside, CurveLaw(target.curve)(x)[0] / size(target.unit), nan)


def own_column(design: str, name: str) -> str:
    """The column of a metric of a design on the sheet of a sweep."""
    return f"{design}{DESIGN_SEPARATOR}{name}" if design else name


def _column(table: Table, design: str, name: str) -> Floats:
    for column in (own_column(design, name), name):  # what a row is belongs to all designs
        if column in table.columns:
            return table.values[:, table.columns.index(column)]
    return np.full(len(table.values), nan)


def _along(target: Target, design: str, table: Table) -> Floats:
    """What a curve is given over, SI."""
    name = target.x or table.columns[0]
    at = table.columns.index(name) if name in table.columns else 0
    return _column(table, design, name) * size(table.units[at])


def with_targets(table: Table, judged: Sequence[JudgedTarget]) -> Table:
    """The sheet of a sweep with columns of what is aimed at: of all designs, or of one with its name."""
    columns: dict[str, tuple[str, Floats]] = {}
    for each in judged:
        target, owner = each.target, each.target.metric
        along = _along(target, each.design, table)
        aims = {"": _aim(target, along)} if target.least is None and target.most is None else {}
        aims |= {
            f" {word}": np.full(len(along), bound)
            for word, bound in (("min", target.least), ("max", target.most))
            if bound is not None
        }
        for ending, aim in aims.items():
            name = f"{TARGET}{DESIGN_SEPARATOR}{owner}{ending}"
            if name in columns and not np.array_equal(columns[name][1], aim, equal_nan=True):
                name = f"{TARGET}{DESIGN_SEPARATOR}{each.design}{DESIGN_SEPARATOR}{owner}{ending}"
            columns[name] = (target.unit, aim)
    if not columns:
        return table
    units, values = zip(*columns.values(), strict=True)
    return Table(
        table.name,
        (*table.columns, *columns),
        (*table.units, *units),
        np.column_stack((table.values, *values)),
        table.case,
        table.declared,
    )
