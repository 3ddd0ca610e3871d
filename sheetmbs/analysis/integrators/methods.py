"""Integrators made by their names. The list of them, and what each of them is, stands in `elements/integrators.py`.

A method is loaded, and compiled where that is still to be done, only where it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from sheetmbs.analysis.integrators.contacts.contacts import explicit_integrator
from sheetmbs.analysis.integrators.explicit.tableau import Tableau
from sheetmbs.analysis.integrators.interface import Integrator, Run
from sheetmbs.analysis.integrators.stepping.cornered import at_corners
from sheetmbs.elements.integrators import INTEGRATORS


def method_of(name: str) -> Any:
    """What makes the integrator of that name with a run, or its tableau."""
    module, found = INTEGRATORS[name].home.split(":")
    return getattr(import_module(f"{__package__}.{module}"), found)


def integrator_over(run: Run, name: str) -> Integrator:
    """The integrator of that name over a run, ending its steps at the corners of springs' curves."""
    method = method_of(name)
    if INTEGRATORS[name].chooses:
        return method(run)
    if isinstance(method, Tableau):
        return at_corners(run, lambda run: explicit_integrator(run, method))
    return at_corners(run, method)
