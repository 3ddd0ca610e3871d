"""A linear tyre or one by Fiala from its few coefficients."""

from __future__ import annotations

from math import inf

import numpy as np

from sheetmbs.engine.tyres.simple_models import SimpleTyre
from sheetmbs.engine.tyres.tyre_states import FIALA, LINEAR, TyreKernel
from sheetmbs.schema.names import did_you_mean
from sheetmbs.tyres.coefficients import SIMPLE
from sheetmbs.tyres.given_values import GivenValues, TyreProblems
from sheetmbs.tyres.magic_tyre import TyreCoefficients, TyreRow
from sheetmbs.tyres.plausible import check_cornering, check_friction, check_trail
from sheetmbs.tyres.tyre import MAX_SLIP_ANGLE, NO_FORMULA, NO_TABLE, SYMMETRIC, Tyre

STIFFNESS, PER_LOAD, CAMBER, SLIP, TRAIL, FRICTION, FRICTION_MIN = SIMPLE
USUAL_LOAD = 3000.0
"""N, at which tyres are drawn that know no load of their own"""


def simple_tyre(model: str, given: GivenValues, row: TyreRow, problems: TyreProblems) -> Tyre | None:
    """The tyre; None where it cannot be, which is reported. model: linear or fiala."""
    found = TyreCoefficients(given, row)
    for name in given:
        if name not in SIMPLE or (model == "linear" and name == FRICTION_MIN):
            own = ", ".join(each.lower() for each in SIMPLE if model != "linear" or each != FRICTION_MIN)
            rule = f"coefficients of the model {model} are {own}"
            fix = did_you_mean(name.lower(), own.split(", "), "correct the name, or the model")
            problems.error("unknown-coefficient", found.place(name), name.lower(), rule, fix)
    for name in SIMPLE:
        if found.has(name) and found[name] <= 0.0:
            rule = f"{name.lower()} is above 0, in the axes of ISO 8855 and of one tyre"
            fix = "change its sign: Fy = -C alpha" if found[name] < 0.0 else "correct it, or delete the row"
            problems.error("out-of-range", found.place(name), f"{name.lower()}: {found[name]:g}", rule, fix)
    _check_given(model, found, row, problems)
    friction = found[FRICTION] if found.has(FRICTION) else inf
    least = found[FRICTION_MIN] if found.has(FRICTION_MIN) else friction
    if least > friction:
        rule = "friction of a sliding tyre is at most friction"
        problems.error(
            "out-of-range", found.place(FRICTION_MIN), f"friction_min: {least:g}", rule, "correct one of them"
        )
    if problems.has_errors:
        return None
    scales = row.scales
    values = SimpleTyre(
        found[STIFFNESS] * scales.c_y,
        found[PER_LOAD] * scales.c_y,
        found[CAMBER],
        found[SLIP] * scales.c_x,
        found[TRAIL],
        friction * scales.mu_y,
        least * scales.mu_y,
    )
    if found.has(FRICTION):
        check_friction(values.friction, found.place(FRICTION), "friction", problems)
    if found.has(TRAIL):
        check_trail(values.trail, found.place(TRAIL), problems)
    if found.has(PER_LOAD):
        shown = f"{PER_LOAD.lower()}: {found[PER_LOAD]:g} 1/rad"
        check_cornering(-values.cornering_stiffness_per_load, found.place(PER_LOAD), shown, "", problems)
    low, high = np.full(5, -inf), np.full(5, inf)
    low[1], high[1], low[3] = -MAX_SLIP_ANGLE, MAX_SLIP_ANGLE, 0.0
    kernel = TyreKernel(LINEAR if model == "linear" else FIALA, low, high, NO_FORMULA, values, NO_TABLE)
    facts = (("reading", EQUATIONS[model]),)
    return Tyre(row.name, model, kernel, row.measured_side or SYMMETRIC, row.pressure or 0.0, 0.0, USUAL_LOAD, facts)


EQUATIONS = {
    "linear": "Fy = -C alpha - G gamma, Fx = K kappa, both shortened to friction Fz; Mz = -t Fy; no radii",
    "fiala": "brush of Fiala with friction that falls with slip; Mx = My = 0; no radii",
}


def _check_given(model: str, found: TyreCoefficients, row: TyreRow, problems: TyreProblems) -> None:
    both = [name for name in (STIFFNESS, PER_LOAD) if found.has(name)]
    if len(both) == 2:
        rule = "the cornering stiffness is given once: as it is, or per load"
        problems.error("given-twice", found.place(PER_LOAD), " and ".join(both).lower(), rule, "delete one of the rows")
    elif not both:
        rule = f"a {model} tyre needs cornering stiffness in N/rad, or cornering stiffness per load in 1/rad"
        fix = "add a row to Tyre coefficients"
        problems.error("missing-coefficient", row.place, f"no cornering stiffness of {row.name}", rule, fix)
    if model == "fiala":
        for name in (FRICTION, SLIP):
            if not found.has(name):
                rule, fix = f"a fiala tyre needs {name.lower()}", "add a row to Tyre coefficients"
                problems.error("missing-coefficient", row.place, f"no {name.lower()} of {row.name}", rule, fix)
    if row.scales.mu_x != row.scales.mu_y:
        rule = f"a {model} tyre has one friction in all directions"
        found_scales = f"scale_mu_x {row.scales.mu_x:g}, scale_mu_y {row.scales.mu_y:g}"
        problems.error("two-values", row.place, found_scales, rule, "write the same factor in both cells")
