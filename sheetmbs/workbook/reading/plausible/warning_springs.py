"""Springs at the start: strained beyond belief, and dampers that drive."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.elements.forces import FORCE_TYPES
from sheetmbs.elements.forces.translational_force import TRANSLATIONAL
from sheetmbs.problems.errors import Problem
from sheetmbs.workbook.reading.plausible.warning_view import View, warning

MAX_LENGTH_RATIO, MIN_LENGTH_RATIO = 2.0, 0.1
"""length at the start over natural length: strained by 100 %, compressed by 90 %, which no coil spring can be"""
MIN_FORCE_RATIO = 1e-6
"""of the largest force of a curve"""


def strained_springs(view: View) -> Iterator[Problem]:
    """Springs with a stiffness whose natural length is not that of a spring of their length."""
    for spring in view.model.springs:
        k, natural = spring.values.get("k"), spring.values.get("length0")
        if spring.type != TRANSLATIONAL.name or not k or "curve_k" in spring.curves or not natural:
            continue
        length = float(np.linalg.norm(view.where(spring.j) - view.where(spring.i)))
        ratio = length / natural
        if MIN_LENGTH_RATIO <= ratio <= MAX_LENGTH_RATIO:
            continue
        strain = (
            f"strained by {100.0 * (ratio - 1.0):,.0f} %" if ratio > 1.0 else f"compressed to {100.0 * ratio:.2g} %"
        )
        yield warning(
            "strained-spring",
            view.cell(spring.cell, "length0"),
            f"{spring.name} is {length:.4g} m long at the start and {natural:.4g} m unstrained: it is {strain}, "
            f"with {abs(k * (length - natural)):.4g} N",
            "few springs can be stretched to twice their length, and none can be compressed to a tenth of it",
            "correct length0 or its unit, or the points of the spring",
        )


def negative_damping(view: View) -> Iterator[Problem]:
    """Dampers that push the way they move."""
    curves = {curve.name: curve for curve in view.model.curves}
    rule = "a negative damping feeds energy in, and vibrations grow without end"
    for spring in view.model.springs:
        for column in FORCE_TYPES[spring.type].making("damping"):
            value, curve = spring.values.get(column, 0.0), curves.get(spring.curves.get(column, ""))
            if value < 0.0 and f"curve_{column}" not in spring.curves:
                found = f"{spring.name}: {column} = {value:.6g} (SI)"
                yield warning("negative-damping", view.cell(spring.cell, column), found, rule, "write it positive")
            if curve is None:
                continue
            drives = curve.x * curve.y < -MIN_FORCE_RATIO * np.max(np.abs(curve.y)) * np.max(np.abs(curve.x))
            if np.any(drives):
                k = int(np.argmax(drives))
                yield warning(
                    "negative-damping",
                    curve.cell,
                    f"{curve.name}, the damper curve of {spring.name}, is {curve.y[k]:.6g} at {curve.x[k]:.6g} (SI)",
                    rule,
                    "give force and velocity the same sign: both are positive when the ends are pulled apart",
                )


def unlikely_numbers(view: View) -> Iterator[Problem]:
    """Numbers that the declaration of an element holds for a likely mistake."""
    for spring in view.model.springs:
        declared = FORCE_TYPES[spring.type]
        doubt = declared.warning(declared.given(spring.values))
        if doubt is not None:
            column, found, mend = doubt
            rule = f"this is unusual for a {declared.called}"
            yield warning("unlikely-number", view.cell(spring.cell, column), f"{spring.name}: {found}", rule, mend)
