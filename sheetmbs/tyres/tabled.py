"""A tyre by a table: measured points on a grid of loads, cambers and pressures, with a curve over slip at each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import degrees, inf

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.engine.tyres.tabled_tyre import SlipCurves, TabledTyre
from sheetmbs.engine.tyres.tyre_states import TABLE, TyreKernel
from sheetmbs.tyres.given_values import TyreProblems
from sheetmbs.tyres.magic_tyre import TyreRow
from sheetmbs.tyres.monotone_slopes import monotone_slopes
from sheetmbs.tyres.plausible import check_cornering, check_friction
from sheetmbs.tyres.tyre import ALPHA, GAMMA, KAPPA, LOAD, NO_CURVES, NO_FORMULA, NO_SIMPLE, PRESSURE, SYMMETRIC, Tyre
from sheetmbs.tyres.tyre_points import TyrePoint

SAME = 1e-6
"""relative distance of values that are one line of the grid"""
MAX_CURVES = 0.8
"""curves per point, from which on points are no grid: a curve has two points or more"""
MAX_NAMED = 8
"""lines of a grid that a message names"""
READING = (
    "monotone cubics along slip, linear between loads, cambers and pressures; "
    "longitudinal and lateral slip do not influence each other"
)
OTHER_AXES = "write SAE or adapted SAE in the column axes, whichever the data is in, or correct the signs"


@dataclass(frozen=True)
class SlipPoint:
    """A point of a curve. values: the force, and Mz along slip angles."""

    load: float
    gamma: float
    pressure: float
    slip: float
    values: tuple[float, float]
    place: str


@dataclass(frozen=True)
class Line:
    """What the curves of a table are over. word: of the slip, with its unit and size for people."""

    word: str
    unit: str
    factor: float
    symmetric_sign: float
    """of the force under a change of side"""


ANGLES, RATIOS = Line("slip angle", "deg", degrees(1.0), -1.0), Line("slip ratio", "", 1.0, 1.0)


def tabled_tyre(points: Sequence[TyrePoint], row: TyreRow, problems: TyreProblems) -> Tyre | None:
    """The tyre; None where the points make no table, which is reported at their cells."""
    usual = row.pressure or 0.0
    is_symmetric = row.measured_side in ("", SYMMETRIC)
    if not points:
        rule, fix = "a table is made of the rows of Tyre data that name the tyre", "add measured points there"
        problems.error("missing-data", row.place, f"no data of {row.name}", rule, fix)
        return None
    across = [each for each in points if each.kappa == 0.0 and each.fy is not None]
    along = [each for each in points if each.alpha == 0.0 and each.fx is not None]
    _warn_of_combined(points, problems)
    _check_moments(across, problems)
    sides = [_slip_point(p, usual, p.alpha, (p.fy or 0.0, p.mz or 0.0)) for p in across]
    fronts = [_slip_point(p, usual, p.kappa, (p.fx or 0.0, 0.0)) for p in along]
    sides = sides if any(each.slip for each in sides) else []
    fronts = fronts if any(each.slip for each in fronts) else []
    if not sides and not fronts:
        rule = "a table needs fy over alpha, or fx over kappa, at each load"
        problems.error("missing-data", points[0].place, f"no curves of {row.name}", rule, "fill in the columns")
        return None
    scales = row.scales
    lateral = _curves(sides, ANGLES, (scales.mu_y, scales.c_y), problems, is_symmetric=is_symmetric)
    longitudinal = _curves(fronts, RATIOS, (scales.mu_x, scales.c_x), problems, is_symmetric=is_symmetric)
    if problems.has_errors:
        return None
    has_pressure = any(p.pressure is not None for p in points)
    low, high = _ranges(lateral, longitudinal, has_pressure=has_pressure, is_symmetric=is_symmetric)
    for place, name in ((ALPHA, "slip angles"), (GAMMA, "cambers"), (LOAD, "loads")):
        if low[place] > high[place] or (place == ALPHA and low[place] == high[place]):
            rule = f"all curves of a table have {name} in common, and these have none"
            fix = "measure over the same range at each load, camber and pressure; both sides where there is camber"
            problems.error("hole-in-table", points[0].place, f"the data of {row.name}", rule, fix)
            return None
    table = TabledTyre(lateral, longitudinal, int(is_symmetric))
    side = SYMMETRIC if is_symmetric else row.measured_side
    load = float(np.median(lateral.load if lateral.load.size else longitudinal.load))
    kernel = TyreKernel(TABLE, low, high, NO_FORMULA, NO_SIMPLE, table)
    facts = (("reading", READING), *_grid_facts(lateral, "fy over alpha"), *_grid_facts(longitudinal, "fx over kappa"))
    if row.pressure is None and has_pressure:
        lines = lateral.pressure if lateral.pressure.size else longitudinal.pressure
        usual = float(lines[len(lines) // 2])
    tyre = Tyre(row.name, "table", kernel, side, usual, 0.0, load, facts)
    _check_size(tyre, sides, row, problems)
    return None if problems.has_errors else tyre


def _slip_point(point: TyrePoint, usual: float, slip: float, values: tuple[float, float]) -> SlipPoint:
    pressure = usual if point.pressure is None else point.pressure
    return SlipPoint(point.load, point.gamma, pressure, slip, values, point.place)


def _warn_of_combined(points: Sequence[TyrePoint], problems: TyreProblems) -> None:
    combined = [point for point in points if point.kappa != 0.0 and point.alpha != 0.0]
    if combined:
        found = f"{len(combined)} points with alpha and kappa"
        rule = "a table holds pure cornering and pure braking or driving; these points do not count"
        problems.warning("unused-value", combined[0].place, found, rule, "fit a magic formula to use them")


def _check_moments(points: Sequence[TyrePoint], problems: TyreProblems) -> None:
    """Report points without Mz where others have it: a blank is not 0."""
    without = [point for point in points if point.mz is None]
    if without and len(without) < len(points):
        rule = "other points of this tyre have mz"
        place = without[0].places.get("mz", without[0].place)
        problems.error("hole-in-table", place, "mz is blank", rule, "fill it in, or clear mz of all points of the tyre")


def _lines(values: Sequence[float]) -> Floats:
    """The different values in rising order, those that differ by rounding together."""
    rising = np.unique(np.array(values, dtype=float) + 0.0)
    size = max(float(np.abs(rising).max(initial=0.0)), 1e-12)
    return rising[np.concatenate(([True], np.diff(rising) > SAME * size))]


def _line_of(lines: Floats, value: float) -> int:
    return int(np.argmin(np.abs(lines - value)))


def _curves(
    points: list[SlipPoint], line: Line, scales: tuple[float, float], problems: TyreProblems, *, is_symmetric: bool
) -> SlipCurves:
    """Curves at each load, camber and pressure; what is missing is reported."""
    if not points:
        return NO_CURVES
    _check_twice(points, line, problems)
    measured = len(points)
    if is_symmetric:
        points = _with_mirrored(points, line)
    loads, cambers, pressures = (_lines([get(p) for p in points]) for get in COORDINATES)
    if len(loads) * len(cambers) * len(pressures) > MAX_CURVES * measured:
        _report_no_grid(points[0], measured, (loads, cambers, pressures), problems)
        return NO_CURVES
    grouped: dict[tuple[int, int, int], list[SlipPoint]] = {}
    for point in points:
        key = _line_of(loads, point.load), _line_of(cambers, point.gamma), _line_of(pressures, point.pressure)
        grouped.setdefault(key, []).append(point)
    start, knots = [0], []
    for key in product(range(len(loads)), range(len(cambers)), range(len(pressures))):
        at = loads[key[0]], cambers[key[1]], pressures[key[2]]
        curve = _curve(grouped.get(key, []))
        if len(curve) < 2:
            near = next((p for p in points if _line_of(loads, p.load) == key[0]), points[0])
            _report_hole(near, at, curve, line, (loads, cambers, pressures), problems)
            continue
        knots += curve
        start.append(len(knots))
    if problems.has_errors:
        return NO_CURVES
    slip = np.array([point.slip for point in knots])
    value = np.array([point.values for point in knots]).T.copy()
    slope = np.zeros_like(value)
    for first, last in pairwise(start):
        for force in (0, 1):
            slope[force, first:last] = monotone_slopes(slip[first:last], value[force, first:last])
    return SlipCurves(loads, cambers, pressures, np.array(start, dtype=np.int64), slip, value, slope, *scales)


COORDINATES: tuple[Callable[[SlipPoint], float], ...] = (
    lambda point: point.load,
    lambda point: point.gamma,
    lambda point: point.pressure,
)


def _with_mirrored(points: list[SlipPoint], line: Line) -> list[SlipPoint]:
    """Points with the mirror images that a symmetric tyre has where nothing was measured."""
    sign = line.symmetric_sign
    held = [replace(p, values=(0.0, 0.0)) if sign < 0.0 and p.slip == 0.0 and p.gamma == 0.0 else p for p in points]
    curves: dict[tuple[float, float, float], list[SlipPoint]] = {}
    for point in held:
        curves.setdefault((point.load, point.gamma + 0.0, point.pressure), []).append(point)
    made: list[SlipPoint] = []
    for (load, gamma, pressure), own in curves.items():
        other = curves.get((load, -gamma + 0.0, pressure), [])
        is_one_sided = min(p.slip for p in other) >= 0.0 or max(p.slip for p in other) <= 0.0 if other else True
        if not other or (sign < 0.0 and is_one_sided):
            taken = {p.slip for p in other}
            for p in own:
                slip = sign * p.slip + 0.0
                if slip not in taken:
                    values = (sign * p.values[0] + 0.0, sign * p.values[1] + 0.0)
                    made.append(replace(p, gamma=-gamma + 0.0, slip=slip, values=values))
    return held + made


def _check_twice(points: Sequence[SlipPoint], line: Line, problems: TyreProblems) -> None:
    """Report two different values at one load, camber, pressure and slip."""
    first: dict[tuple[float, float, float, float], SlipPoint] = {}
    for point in points:
        other = first.setdefault((point.load, point.gamma, point.pressure, point.slip), point)
        if other.values != point.values:
            rule = f"another point at the same load, camber, pressure and {line.word} stands at {other.place}"
            shown = f"{line.word} {point.slip * line.factor:.6g} {line.unit}".strip()
            problems.error("given-twice", point.place, shown, rule, "keep one of them, or their mean")


def _curve(points: list[SlipPoint]) -> list[SlipPoint]:
    """The points of one curve in rising order of slip, each slip once."""
    by_slip = {point.slip + 0.0: point for point in points}
    return [by_slip[slip] for slip in sorted(by_slip)]


def _report_no_grid(
    first: SlipPoint, measured: int, lines: tuple[Floats, Floats, Floats], problems: TyreProblems
) -> None:
    counts = f"{len(lines[0])} loads, {len(lines[1])} cambers and {len(lines[2])} pressures in {measured} points"
    rule = "a table is a grid, with a curve over slip at every load, camber and pressure"
    fix = "write the nominal load, camber and pressure of each sweep, one point per slip, or take a magic formula"
    problems.error("no-grid", first.place, counts, rule, fix)


def _report_hole(
    near: SlipPoint,
    at: tuple[float, float, float],
    curve: list[SlipPoint],
    line: Line,
    lines: tuple[Floats, Floats, Floats],
    problems: TyreProblems,
) -> None:
    load, camber, pressure = at
    where = f"load {load:.6g} N, camber {degrees(camber):.4g} deg"
    if len(lines[2]) > 1:
        where += f", pressure {pressure / 1e3:.4g} kPa"
    count = "one point" if curve else "no points"
    grid = f"loads {_told(lines[0], 1.0)} N, cambers {_told(lines[1], degrees(1.0))} deg"
    rule = f"a table has a curve over {line.word} at every load with every camber and pressure: {grid}"
    fix = f"add points at {where}, or delete the rows that alone have that camber, load or pressure"
    problems.error("hole-in-table", near.place, f"{count} at {where}", rule, fix)


def _told(values: Floats, factor: float) -> str:
    shown = ", ".join(f"{value * factor:.6g}" for value in values[:MAX_NAMED])
    return f"{shown}, .." if len(values) > MAX_NAMED else shown


def _ranges(
    lateral: SlipCurves, longitudinal: SlipCurves, *, has_pressure: bool, is_symmetric: bool
) -> tuple[Floats, Floats]:
    """The ranges in which every curve is known."""
    low, high = np.full(5, -inf), np.full(5, inf)
    low[LOAD] = 0.0
    for curves, place in ((lateral, ALPHA), (longitudinal, KAPPA)):
        if not curves.slip.size:
            continue
        stretch = curves.friction_scale / curves.stiffness_scale
        low[place] = max(curves.slip[first] for first in curves.start[:-1]) * stretch
        high[place] = min(curves.slip[last - 1] for last in curves.start[1:]) * stretch
        if is_symmetric and place == ALPHA:
            high[place] = min(high[place], -low[place])
            low[place] = -high[place]
        for values, at in ((curves.load, LOAD), (curves.camber, GAMMA), (curves.pressure, PRESSURE)):
            if at != PRESSURE or has_pressure:
                low[at], high[at] = max(low[at], values[0]), min(high[at], values[-1])
    return low, high


def _grid_facts(curves: SlipCurves, what: str) -> Iterator[tuple[str, str]]:
    if curves.slip.size:
        text = f"loads {_told(curves.load, 1.0)} N; cambers {_told(curves.camber, degrees(1.0))} deg"
        if len(curves.pressure) > 1:
            text += f"; pressures {_told(curves.pressure, 1e-3)} kPa"
        yield what, f"{len(curves.slip)} points; {text}"


def _check_size(tyre: Tyre, sides: Sequence[SlipPoint], row: TyreRow, problems: TyreProblems) -> None:
    """Check the slope at no slip and the friction of the points."""
    lateral = tyre.kernel.table.lateral
    if not sides:
        return
    middle = len(lateral.load) // 2
    at = min(sides, key=lambda p: (abs(p.load - lateral.load[middle]), abs(p.gamma), abs(p.slip)))
    own = [p for p in sides if (p.load, p.gamma, p.pressure) == (at.load, at.gamma, at.pressure)]
    own.sort(key=lambda p: abs(p.slip))
    near = [p for p in own if p.slip != own[0].slip][:2]
    slope = np.mean([(p.values[0] - own[0].values[0]) / (p.slip - own[0].slip) for p in near]) / at.load
    check_cornering(
        float(slope) * row.scales.c_y, at.place, f"fy over alpha at fz {at.load:.6g} N", OTHER_AXES, problems
    )
    peak = max(sides, key=lambda p: abs(p.values[0]) / p.load)
    check_friction(abs(peak.values[0]) / peak.load * row.scales.mu_y, peak.place, "|fy|/fz", problems)
