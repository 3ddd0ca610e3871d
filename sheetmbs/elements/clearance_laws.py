"""Revolute joints with clearance: their laws of contact, and what runs them. Adding a law is its line in `LAWS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.integrators import LOCATING


@dataclass(frozen=True)
class Law:
    """A law F = K d^1.5 (1 + chi d-dot/v0) of dry contact, v0 the normal speed at which it began.

    chi: from the coefficient of restitution. is_damped: that must be given. is_oiled: there is a film before the contact.
    """

    name: str
    chi: Callable[[float], float]
    is_damped: bool = False
    is_oiled: bool = False


LAWS: dict[str, Law] = {
    law.name: law
    for law in (
        Law("hertz", lambda _e: 0.0),
        Law("lankarani-nikravesh", lambda e: 0.75 * (1.0 - e * e), is_damped=True),
        Law("hunt-crossley", lambda e: 1.5 * (1.0 - e), is_damped=True),
        Law("pinkus-sternlicht", lambda e: 0.75 * (1.0 - e * e), is_oiled=True),
    )
}


def has_memory(law: str, restitution: float) -> bool:
    """Whether forces depend on how a contact began; dry contact is located whether they do or not."""
    return not LAWS[law].is_oiled or restitution < 1.0


def unfit(analysis: str, integrator: str, *, with_memory: bool) -> tuple[str, str, str] | None:
    """Setting that does not go with clearances, the rule, and the mend; None where all is well."""
    if analysis != Analysis.DYNAMIC:
        return "analysis", "joints with clearance count in a dynamic analysis only", "choose dynamic, or an ideal joint"
    if with_memory and integrator not in LOCATING:
        found = f"when contacts begin and end is found by {', '.join(LOCATING)}"
        rule = f"{found}; only an oil film without restitution goes with all"
        return "integrator", rule, "choose auto"
    return None
