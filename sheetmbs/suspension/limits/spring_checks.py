"""What springs and bars of a design do at its design pose: those that move nothing, are loose, give way, or hardly count."""

from __future__ import annotations

from collections.abc import Iterator
from math import pi

import numpy as np

from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.problems.errors import Problem
from sheetmbs.suspension.elastic.element_kind import PointDistance
from sheetmbs.suspension.elastic.kinds import KINDS
from sheetmbs.suspension.elastic.spring_elements import (
    carrying_thirds,
    element_spans,
    laws,
    left_at_design,
    stiffness,
)
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import CARRYING, SIDES, AxleData, CarData, SpringElement
from sheetmbs.suspension.layout.mass_data import corner_load
from sheetmbs.suspension.layout.type_table import CHASSIS
from sheetmbs.suspension.metrics.metric import AxlePoses

IMPLAUSIBLE = "implausible-value"
MIN_SLOPE = {False: 1e-6, True: 1e-3}
"""m/m of lengths, rad/m of angles: below them an element follows no wheel"""
MAX_UNEVEN_LOAD = 0.005
"""difference of both loads over their mean, up to which one third spring holds both wheels"""
MIN_BAR_SHARE = 0.02
"""of the roll stiffness of its axle"""
FREQUENCIES = 0.7, 7.0
"""Hz, of the sprung mass of a corner on its wheel rate"""
NO_RATE = 1e-9
"""of the largest entry of K, up to which a wheel rate is rounding alone"""
ON_AXIS = 1e-6
"""m, from the axis about which its body turns"""


def spring_problems(car: CarData, pose: SweptAxle) -> list[Problem]:
    """Everything about the springs of an axle. pose: it at its design pose alone."""
    known = laws(car, pose)
    of = AxlePoses(car, pose, known)
    dead = list(_dead(of))
    if dead:
        return dead
    loose = list(_loose(of))
    return [*loose, *_thirds(car, pose), *_rates(car, of, has_loose=bool(loose)), *_bars(of)]


def _cell(row: SpringElement, *columns: str) -> str:
    """The first of these cells that a row has, else that of its name."""
    return str(
        next(
            (row.places[each] for each in columns if each in row.places and row.values.get(each) is not None),
            row.places["name"],
        )
    )


def _stiffness_cell(row: SpringElement) -> str:
    """Where the stiffness of a row stands."""
    column = next((each for each in ("curve_k", "k_of_setting") if each in row.curves), "")
    return str(row.places[column]) if column else _cell(row, "k", "d")


def _dead(of: AxlePoses) -> Iterator[Problem]:
    """Elements whose length follows neither heave nor roll."""
    told: set[str] = set()
    for (row, span), part in zip(element_spans(of.axle), of.elements, strict=True):
        first = part.length.first[0, : len(SIDES)]
        slopes = np.abs([first.sum(), first[0] - first[1]])
        if row.name in told or not np.isfinite(slopes).all() or np.max(slopes) >= MIN_SLOPE[part.of_kind.turns]:
            continue
        told.add(row.name)
        cell, why = _cell(row, "point_i"), "its length changes neither in heave nor in roll"
        if isinstance(span.of, PointDistance):
            ends = span.of.first, span.of.second
            given = row.places.get("point_i") if row.values.get("point_i") is not None else None
            moving = next((end for end in ends if of.axle.points[end[0]][end[1]].on != CHASSIS), ends[0])
            cell = str(given or of.axle.points[moving[0]][moving[1]].cell)
            why = _why(of.axle, *ends) or why
        elif of.axle.has_point("bar link bar") and part.of_kind.is_bar:
            cell = of.axle.points["left"]["bar link bar"].cell
            why = "its arm does not turn with the wheels"
        found = f"the {of.axle.named(row.name)} moves nothing"
        mend = "name another point, or correct its place or the body that carries it"
        yield Problem("dead-element", "error", cell, found, why, mend)


def _why(axle: AxleData, first: tuple[str, str], second: tuple[str, str]) -> str:
    """Why the distance of two points, each its side and name, does not change; ``""`` for no plain reason."""
    bodies = [axle.body_name(axle.points[side][name].on, side) for side, name in (first, second)]
    if bodies[0] == bodies[1]:
        return f"both its ends, {first[1]} and {second[1]}, are on the body {bodies[0]}"
    for side, name in (first, second):
        point = axle.points[side][name]
        for hinge in joints_of(axle):
            if hinge.type != REVOLUTE.name or hinge.body_j != point.on or len(hinge.points) < len(SIDES):
                continue
            start, end = (axle.points[side][each].position for each in hinge.points)
            arm, along = point.position - start, end - start
            if np.linalg.norm(np.cross(along, arm)) <= ON_AXIS * np.linalg.norm(along):
                return f"{name} lies on the axis about which the {point.on} turns"
    return ""


def _loose(of: AxlePoses) -> Iterator[Problem]:
    """Springs that are longer at design than without load."""
    told: set[str] = set()
    for part in of.elements:
        row = next((row for row in of.axle.springs if row.name == part.name), None)
        held = of.laws[part.name, part.side]
        if row is None or row.number("free_length") is None or held.loose is None or row.name in told:
            continue
        installed = float(part.length.value[0])
        if float(held.loose[0]) >= installed:
            continue
        told.add(row.name)
        free = row.number("free_length") or 0.0
        found = f"{row.name}: loose at design"
        rule = f"its free length is {free * 1e3:.2f} mm, and its ends are {installed * 1e3:.2f} mm apart there"
        mend = "give a longer spring, or tension = yes if it is held at both ends"
        yield Problem("loose-spring", "warning", _cell(row, "free_length"), found, rule, mend)


def _thirds(car: CarData, pose: SweptAxle) -> Iterator[Problem]:
    """What third springs that carry an axle cannot do, and how several of them share its load."""
    axle = pose.axle
    thirds = carrying_thirds(car, axle)
    if not thirds or corner_load(car, axle) is None:
        return
    load = left_at_design(car, pose)[0][0]
    cell = str(thirds[0].places["name"])
    if abs(load[0] - load[1]) > MAX_UNEVEN_LOAD * abs(np.mean(load)):
        corners = [f"{axle.corner(side)} {value:.0f} N" for side, value in zip(SIDES, load, strict=True)]
        found = f"one third spring cannot hold {' and '.join(corners)}"
        rule = "it carries both wheels alike, so that their sum is held and not their difference"
        mend = "give a preload to a roll spring or to springs of the wheels, or make both sides alike"
        yield Problem("uneven-load", "warning", cell, found, rule, mend)
    if len(thirds) > 1:
        names = " and ".join(row.name for row in thirds)
        rule = "they share the load of the axle as if it settled on all of them by one travel"
        mend = "give preload or free_length of all but one to share it otherwise"
        yield Problem("settled-springs", "note", cell, f"{names} of the {axle.name} axle have no preload", rule, mend)


def _rates(car: CarData, of: AxlePoses, *, has_loose: bool) -> Iterator[Problem]:
    """Wheel rates at design that push the wheel away, or carry the body at a frequency that no car has.

    has_loose: a spring is loose there, which is the reason of a rate of 0 and has been told.
    """
    K, axle = of.stiffness, of.axle
    row = next((row for kind in CARRYING for row in axle.springs if row.kind == kind), None)
    if K is None or row is None or not np.isfinite(K).all():
        return
    cell = _stiffness_cell(row)
    for number, side in enumerate(SIDES):
        rate, rounding = float(K[0, number].sum()), NO_RATE * float(np.max(np.abs(K)))
        if has_loose and abs(rate) <= rounding:
            continue
        if rate <= rounding:
            elastic, geometric = (
                sum(float(getattr(part, which)[0, number].sum()) for part in of.elements)
                for which in ("elastic", "geometric")
            )
            found = f"the wheel rate of {axle.corner(side)} at design is {rate * 1e-3:.3f} N/mm"
            rule = (
                f"k MR^2 gives {elastic * 1e-3:.3f} N/mm and F dMR/dz {geometric * 1e-3:.3f} N/mm: the wheel gives way"
            )
            mend = "give a stiffer spring, or a motion ratio that falls less in bump"
            yield Problem("falling-rate", "warning", cell, found, rule, mend)
            return
        load = corner_load(car, axle)
        sprung = None if load is None else load / axle.gravity - (axle.number("unsprung mass") or 0.0)
        if sprung is not None and sprung > 0.0:
            frequency = float(np.sqrt(rate / sprung)) / (2.0 * pi)
            if not FREQUENCIES[0] <= frequency <= FREQUENCIES[1]:
                found = f"{row.name}: the body of {axle.corner(side)} moves at {frequency:.2f} Hz on its wheel rate"
                rule = f"that of a car is between {FREQUENCIES[0]:g} and {FREQUENCIES[1]:g} Hz"
                mend = f"look at the unit of its stiffness and of the masses; the wheel rate is {rate * 1e-3:.3f} N/mm"
                yield Problem(IMPLAUSIBLE, "warning", cell, found, rule, mend)
                return


def _bars(of: AxlePoses) -> Iterator[Problem]:
    """Bars that hardly count in roll."""
    whole = of.roll_stiffness
    if whole is None or not np.isfinite(whole).all() or not float(whole[0]) > 0.0:
        return
    for row in of.axle.springs:
        if not KINDS[row.kind].is_bar:
            continue
        parts = [part for part in of.elements if part.kind == row.kind and part.name.startswith(row.name)]
        share = float(of.along_roll(stiffness(parts))[0] / whole[0])
        if 0.0 < share < MIN_BAR_SHARE:  # a stiffness of 0 is a bar that is taken off
            found = f"{row.name}: it makes {100.0 * share:.2g} % of the roll stiffness of the {of.axle.name} axle"
            rule = "a bar that is worth its weight makes more than 2 %"
            mend = "look at the unit of its stiffness: N m/rad without one, N/m for the tip of a blade"
            yield Problem(IMPLAUSIBLE, "warning", _stiffness_cell(row), found, rule, mend)
