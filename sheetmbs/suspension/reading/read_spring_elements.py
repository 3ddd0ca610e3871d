"""The sheet Suspension springs: what acts between body and wheels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from sheetmbs.model.model import Curve
from sheetmbs.schema import units as u
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.schema.suspension_inputs import BAR_KINDS, SpringKind
from sheetmbs.suspension.elastic.element_kind import CurveLaw, ElementKind
from sheetmbs.suspension.elastic.kinds import KINDS
from sheetmbs.suspension.elastic.kinds.third_spring import CROSSING
from sheetmbs.suspension.elastic.kinds.torsion_bar import twisted_hinge
from sheetmbs.suspension.layout.aliases import standard_name
from sheetmbs.suspension.layout.car import CORNERS, HELPER_K, HELPER_TRAVEL, SIDES, AxleData, SpringElement
from sheetmbs.suspension.layout.type_table import ROCKER
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.input_table import InputTable, Record

ENDS = ("point_i", "point_j")
TWICE = (
    ("k", "d", "the stiffness of a bar is given, or follows from d, di, length and G"),
    ("preload", "free_length", "what a spring carries at design is given, or follows from its free length"),
)
"""columns of which one says what the other does, and why"""
POINT_J_NEEDED = (SpringKind.ROLL_SPRING, SpringKind.ROLL_DAMPER)
MAX_BLOCK_TRAVEL = 0.3
"""m, of any helper spring"""


def read_spring_elements(
    table: InputTable, axles: tuple[str, ...], curves: Context, report: ProblemList
) -> dict[str, tuple[SpringElement, ...]]:
    """Spring elements by axle. axles: those of which hardpoints are given. curves: with the sheet Curves read."""
    found: dict[str, dict[str, SpringElement]] = {axle: {} for axle in axles}
    for record in table.records():
        if not record.is_active:
            continue
        axle, kind, name = record.choice("axle"), record.choice("kind"), record.text("name")
        if not axle or not kind or not name:
            continue
        name = own_name(name, _owners(axle, kind, record))
        element = _element(record, KINDS[kind], name, curves, report)
        if element is None:
            continue
        if axle not in found:
            rule = f"no hardpoints of the {axle} axle are given"
            report.error("unknown-axle", record.place("axle"), f"axle: {axle}", rule, "add them, or take the row away")
        elif name in found[axle]:
            rule = f"the {axle} axle has an element of this name already"
            report.error("duplicate-name", record.place("name"), quoted(name), rule, "rename one of them")
        else:
            found[axle][name] = element
    return {axle: _with_helpers(axle, tuple(each.values()), report) for axle, each in found.items()}


def _owners(axle: str, kind: str, record: Record) -> tuple[str, ...]:
    """What results put before the name of an element: its axle where it stands across, else the corner of its only side."""
    if kind in CROSSING or kind in BAR_KINDS:
        return (axle,)
    side = fold(record.raw_text("side"))
    return (CORNERS[axle, side],) if side in SIDES else ()


def own_name(name: str, owners: Iterable[str]) -> str:
    """The name of an element without that of its axle or corner, which results put before it."""
    return next(
        (
            name[len(owner) + 1 :].strip()
            for owner in owners
            if fold(name).startswith(f"{fold(owner)} ") and name[len(owner) + 1 :].strip()
        ),
        name,
    )


def _with_helpers(axle: str, rows: tuple[SpringElement, ...], report: ProblemList) -> tuple[SpringElement, ...]:
    """Springs with the helper that stands in series with them, which has no ends of its own."""
    helpers = [row for row in rows if row.kind == SpringKind.HELPER_SPRING]
    if not helpers:
        return rows
    springs = [row for row in rows if row.kind == SpringKind.SPRING]
    helper = helpers[0]
    if len(helpers) > 1:
        rule = f"the {axle} axle has the helper spring {helper.name} already"
        report.error("given-twice", helpers[1].places["name"], quoted(helpers[1].name), rule, "take one of them away")
    per_side = max((sum(side in row.sides for row in springs) for side in SIDES), default=0)
    if per_side != 1:
        rule = "a helper spring stands in series with the spring of its axle"
        found = (
            f"the {axle} axle has {per_side or 'no'} springs on a side" if springs else f"the {axle} axle has no spring"
        )
        report.error("no-spring", helper.places["name"], f"{helper.name}: {found}", rule, "give one row of kind spring")
        return rows
    for column, value in (("k", helper.number("k")), ("block_travel", helper.number("block_travel"))):
        if value is not None and not value > 0.0:
            rule = f"{column} of a helper spring is above 0"
            report.error("out-of-range", helper.places[column], f"{column}: {value:.4g}", rule, "correct it")
            return rows
    travel = helper.number("block_travel") or 0.0
    if travel > MAX_BLOCK_TRAVEL:
        rule = f"no helper spring is compressed by more than {MAX_BLOCK_TRAVEL * 1e3:.0f} mm"
        mend = "look at its unit: a number without one counts in m, unless row 2 says which"
        report.warning(
            "implausible-value", helper.places["block_travel"], f"block_travel: {travel * 1e3:.4g} mm", rule, mend
        )
    added = {HELPER_K: helper.number("k"), HELPER_TRAVEL: helper.number("block_travel")}
    return tuple(
        replace(row, values={**row.values, **added, "tension": _both_pull(row, helper)})
        if row.kind == SpringKind.SPRING
        else row
        for row in rows
    )


def _both_pull(row: SpringElement, helper: SpringElement) -> str | None:
    """Two springs in series pull where both are captive."""
    return "yes" if row.is_captive and helper.is_captive else None


def _element(
    record: Record, kind: ElementKind, name: str, curves: Context, report: ProblemList
) -> SpringElement | None:
    """One element; None where a cell that it needs is blank, which is reported."""
    values: dict[str, float | str | None] = {
        column: record.number(column, dimension) for column, dimension in kind.numbers
    }
    values |= {column: record.text(column) or None for column in kind.texts}
    named = {column: _curve(record, column, over, gives, curves) for column, over, gives in kind.curves}
    given = {column for column, value in {**values, **named}.items() if value is not None}
    if kind.has_side:
        values["side"] = record.choice("side")
    if kind.can_pull:
        values["tension"] = "yes" if record.flag("tension") else None
    _set(record, kind, values, named, report)
    given |= {"k"} & {column for column, value in values.items() if value is not None}
    record.settle("design", *kind.texts, *kind.idle)
    record.finish()
    if any(record.given(column) for column, _over, _gives in kind.curves if column not in given):
        return None  # a curve that is not there, which is reported
    if record.given("setting") and named.get("k_of_setting") is not None and values.get("k") is None:
        return None  # a setting beyond its curve, which is reported
    if kind.needs and not any(given >= set(group) for group in kind.needs):
        ways = ", or ".join(" and ".join(group) for group in kind.needs)
        column = next(each for each in kind.needs[0] if each not in given)
        report.error(
            "missing-value", record.place(column), f"{column} is blank", f"a {kind.name} needs {ways}", "fill it in"
        )
        return None
    if {"k", "curve_k"} <= given:
        rule = "a stiffness is a number or a curve"
        report.error("given-twice", record.place("curve_k"), "k and curve_k", rule, "clear one of them")
        return None
    if not _is_sound(record, values, report):
        return None
    own = [column for column, _dimension in kind.numbers if record.given(column)]
    places = {
        column: record.place(column) for column in ("name", *own, *kind.texts, *(each[0] for each in kind.curves))
    }
    element = SpringElement(
        name, kind.name, values, places, {column: curve for column, curve in named.items() if curve is not None}
    )
    return element if _is_reached(element, record, report) else None


def _set(
    record: Record,
    kind: ElementKind,
    values: dict[str, float | str | None],
    named: Mapping[str, Curve | None],
    report: ProblemList,
) -> None:
    """Take the stiffness of a bar from its curve at its setting."""
    curve, setting = named.get("k_of_setting"), values.get("setting")
    if curve is None or not isinstance(setting, float):
        return
    other = next((column for column in ("k", "d") if values.get(column) is not None), None)
    if other is not None:
        rule = f"the stiffness of a {kind.name} is given, or follows from its setting"
        report.error("given-twice", record.place(other), f"{other} and k_of_setting", rule, "clear one of them")
        return
    first, last = float(curve.x[0]), float(curve.x[-1])
    if not first <= setting <= last:
        rule = f"the curve {curve.name} gives it from {first:g} to {last:g}, and is not continued"
        report.error("out-of-range", record.place("setting"), f"setting: {setting:g}", rule, "correct one of them")
        return
    values["k"] = float(CurveLaw(curve)(np.array([setting]))[0][0])


def _is_sound(record: Record, values: Mapping[str, float | str | None], report: ProblemList) -> bool:
    """Whether its numbers go together; reported where they do not."""
    for one, other, rule in TWICE:
        if values.get(one) is not None and values.get(other) is not None:
            report.error("given-twice", record.place(other), f"{one} and {other}", rule, f"clear {one} or {other}")
            return False
    closed, opened = (values.get(column) for column in ("min_length", "max_length"))
    if isinstance(closed, float) and isinstance(opened, float) and not closed < opened:
        found, rule = (
            f"max_length: {opened * 1e3:.4g} mm",
            f"an open damper is longer than a closed one, {closed * 1e3:.4g} mm",
        )
        report.error("out-of-range", record.place("max_length"), found, rule, "correct one of them")
        return False
    gap, outer, inner = (values.get(column) for column in ("gap", "d", "di"))
    if isinstance(gap, float) and gap < 0.0:
        rule = "a stop touches at design or further on: its gap is 0 or more"
        report.error("out-of-range", record.place("gap"), f"gap: {gap * 1e3:.4g} mm", rule, "correct it")
        return False
    if isinstance(outer, float) and isinstance(inner, float) and not 0.0 <= inner < outer:
        rule = f"the inner diameter of a tube is smaller than its outer one, {outer * 1e3:.4g} mm"
        report.error("out-of-range", record.place("di"), f"di: {inner * 1e3:.4g} mm", rule, "correct one of them")
        return False
    return True


def _curve(record: Record, column: str, over: u.Dimension, gives: u.Dimension, curves: Context) -> Curve | None:
    """The curve that a cell names, in SI."""
    name = curves.curve(record, column, over, gives, over_time=False)
    known = curves.given_curves.get(name) if name else None
    return None if known is None else known.curve


def _is_reached(element: SpringElement, record: Record, report: ProblemList) -> bool:
    """Whether the curve of a spring ever has its preload; reported where it has not."""
    preload, curve = element.number("preload"), element.curves.get("curve_k")
    if preload is None or curve is None:
        return True
    try:
        CurveLaw(curve).where(preload)
    except ValueError as fault:
        mend = "correct the preload or the curve"
        report.error("out-of-range", record.place("preload"), f"preload: {preload:g} N", str(fault), mend)
        return False
    return True


def between_known_points(springs: Iterable[SpringElement], points: Iterable[str]) -> tuple[SpringElement, ...]:
    """Springs with the names of their ends as the hardpoints have them. points: names of these.

    A spring that stands for a link is strained both ways.
    """
    known = {fold(name): name for name in points}

    def end(text: float | str | None) -> float | str | None:
        return known.get(fold(standard_name(text)[0]), text) if isinstance(text, str) else text

    def placed(spring: SpringElement) -> dict[str, float | str | None]:
        values = {**spring.values, **{each: end(spring.values.get(each)) for each in ENDS if each in spring.values}}
        return {**values, "tension": "yes"} if fold(f"{spring.name} inner") in known else values

    return tuple(replace(spring, values=placed(spring)) for spring in springs)


def check_ends(axle: AxleData, report: ProblemList) -> None:
    """Report points between which an element acts and that are not there, and bars without a hinge."""
    for spring in axle.springs:
        for column in ENDS:
            point = spring.values.get(column)
            if point is not None and not axle.has_point(str(point)):
                mend = report.did_you_mean(str(point), list(axle.points["left"]), "add it to Hardpoints")
                rule = f"the {axle.name} axle has no such hardpoint"
                report.error("unknown-point", spring.places[column], quoted(str(point)), rule, mend)
        if spring.kind in CROSSING and spring.values.get("point_i") is None:
            rule = f"a {spring.kind} acts between a point of the left side and one of the right, else its mirror image"
            mend = "name a hardpoint, on the rocker or where it sits"
            report.error("missing-value", spring.places["point_i"], "point_i is blank", rule, mend)
        if spring.kind in POINT_J_NEEDED and spring.values.get("point_j") is None:
            rule = f"a {spring.kind} acts between a point of the left side and another one of the right"
            mend = "name a hardpoint: of a cross spring the roll end of the right rocker"
            report.error("missing-value", spring.places["point_j"], "point_j is blank", rule, mend)
        if spring.kind == SpringKind.TORSION_BAR and not report.has_errors and twisted_hinge(axle) is None:
            rule = f"a torsion bar is twisted by a rocker or an arm, and a {axle.type.name} has none"
            report.error("unknown-value", spring.places["name"], quoted(spring.name), rule, "take the row away")
    bars = [spring for spring in axle.springs if spring.kind in BAR_KINDS]
    bearers = [*([ROCKER] if axle.has_rocker else []), *axle.type.carriers]
    if bars and axle.bar_on not in bearers:
        rule = f"the drop link of this bar hangs on one of {', '.join(bearers)}"
        report.error("unknown-value", bars[0].places["on"], f"on: {axle.bar_on}", rule, "name one of these")
    if len({spring.kind for spring in bars}) > 1:
        rule = f"the {axle.name} axle has a {bars[0].kind} already, at the same points"
        report.error("given-twice", bars[1].places["name"], quoted(bars[1].name), rule, "take one of them away")
