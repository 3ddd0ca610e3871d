"""Friction and cornering stiffness that tyres do not have: mistakes of units and of axes."""

from __future__ import annotations

from sheetmbs.tyres.given_values import TyreProblems

FRICTION = (0.2, 3.0)
"""coefficients of friction of tyres on roads"""
CORNERING = (5.0, 60.0)
"""1/rad: cornering stiffness per load of tyres"""
PER_LOAD = {"slip stiffness": (1.0, 150.0), "camber stiffness": (0.1, 10.0)}
"""stiffnesses per load of tyres of cars and motorcycles, 1 and 1/rad"""
TRAIL = (5e-4, 0.3)
"""m: pneumatic trails, from that of a kart to that of a lorry"""


def check_friction(friction: float, place: str, what: str, problems: TyreProblems) -> None:
    """Warn of friction that no tyre has."""
    if not FRICTION[0] <= friction <= FRICTION[1]:
        rule = f"friction of tyres is between {FRICTION[0]:g} and {FRICTION[1]:g}"
        fix = "look at the coefficient and at the scale factors"
        problems.warning("unlikely-friction", place, f"{what} = {friction:.4g}", rule, fix)


def check_cornering(slope: float, place: str, shown: str, fix: str, problems: TyreProblems) -> None:
    """Check dFy/dalpha over load, 1/rad: below 0 in the axes of ISO 8855, and of the size that tyres have.

    fix: what to do where the sign is wrong.
    """
    if slope > 0.0:
        rule = "in the axes of ISO 8855 a positive slip angle gives a negative side force; this is the other way round, as SAE"
        problems.error("wrong-sign", place, shown, rule, fix)
    elif not CORNERING[0] <= -slope <= CORNERING[1]:
        rule = f"cornering stiffness per load of tyres is between {CORNERING[0]:g} and {CORNERING[1]:g} 1/rad"
        unit = "is a force in kN, or an angle in degrees?"
        found = f"{shown}: cornering stiffness per load {-slope:.4g} 1/rad"
        problems.warning("unlikely-stiffness", place, found, f"{rule}; {unit}", "correct the value or its unit")


def check_stiffness(name: str, stiffness: float, load: float, place: str, problems: TyreProblems) -> None:
    """Warn of a slip or camber stiffness that no tyre has. stiffness: at a load, N or N/rad. load: N."""
    low, high = PER_LOAD[name]
    if not low <= stiffness / load <= high:
        found = f"{name} {stiffness:.4g} N at {load:.5g} N: {stiffness / load:.3g} times the load"
        rule = f"{name} of tyres is between {low:g} and {high:g} times the load"
        problems.warning("unlikely-stiffness", place, found, rule, "correct the value or its unit: kN, % or degrees?")


def check_trail(trail: float, place: str, problems: TyreProblems) -> None:
    """Warn of a pneumatic trail that no tyre has. trail: m."""
    if not TRAIL[0] <= trail <= TRAIL[1]:
        rule = f"pneumatic trails of tyres are between {1e3 * TRAIL[0]:g} and {1e3 * TRAIL[1]:g} mm"
        fix = "look at its unit: a number without one counts in m"
        problems.warning("unlikely-trail", place, f"trail: {trail:.4g} m", rule, fix)
