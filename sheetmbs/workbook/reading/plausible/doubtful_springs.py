"""Springs at the start: strained beyond belief, and dampers that drive."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.workbook.reading.plausible.doubtful_view import View, warning

LONGEST, SHORTEST = 2.0, 0.1
"""length at the start over natural length: strained by 100 %, compressed by 90 %, which no coil spring can be"""
SIGNIFICANT = 1e-6
"""of the largest force of a curve"""


def strained_springs(view: View) -> Iterator[Problem]:
    """Springs with a stiffness whose natural length is not that of a spring of their length."""
    for spring in view.model.springs:
        if spring.type != "translational" or not spring.k or spring.curve_k or not spring.natural:
            continue
        length = float(np.linalg.norm(view.where(spring.j) - view.where(spring.i)))
        ratio = length / spring.natural
        if SHORTEST <= ratio <= LONGEST:
            continue
        strain = (
            f"strained by {100.0 * (ratio - 1.0):,.0f} %" if ratio > 1.0 else f"compressed to {100.0 * ratio:.2g} %"
        )
        yield warning(
            "strained-spring",
            view.cell(spring.cell, "length0"),
            f"{spring.name} is {length:.4g} m long at the start and {spring.natural:.4g} m unstrained: it is {strain}, "
            f"with {abs(spring.k * (length - spring.natural)):.4g} N",
            "few springs bear twice their length, and none a tenth of it",
            "correct length0 or its unit, or the points of the spring",
        )


def negative_damping(view: View) -> Iterator[Problem]:
    """Dampers that push the way they move."""
    curves = {curve.name: curve for curve in view.model.curves}
    rule = "a negative damping feeds energy in, and vibrations grow without end"
    for spring in view.model.springs:
        if spring.c < 0.0 and not spring.curve_c:
            found = f"{spring.name}: c = {spring.c:.6g} (SI)"
            yield warning("negative-damping", view.cell(spring.cell, "c"), found, rule, "write it positive")
        curve = curves.get(spring.curve_c or "")
        if curve is not None:
            drives = curve.x * curve.y < -SIGNIFICANT * np.max(np.abs(curve.y)) * np.max(np.abs(curve.x))
            if np.any(drives):
                k = int(np.argmax(drives))
                yield warning(
                    "negative-damping",
                    curve.cell,
                    f"{curve.name}, the damper curve of {spring.name}, is {curve.y[k]:.6g} at {curve.x[k]:.6g} (SI)",
                    rule,
                    "let force and velocity have the same sign: both count + when the ends are pulled apart",
                )
