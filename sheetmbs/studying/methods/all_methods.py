"""All methods by name."""

from __future__ import annotations

from sheetmbs.studying.methods.global_sensitivity import SENSITIVITY
from sheetmbs.studying.methods.grid import GRID
from sheetmbs.studying.methods.listed import LISTED
from sheetmbs.studying.methods.method import Method
from sheetmbs.studying.methods.one_at_a_time import ONE_AT_A_TIME
from sheetmbs.studying.methods.optimise import OPTIMISE
from sheetmbs.studying.methods.pareto import PARETO
from sheetmbs.studying.methods.samples import LATIN_HYPERCUBE, SOBOL, TOLERANCE

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        *(ONE_AT_A_TIME, GRID, LISTED, LATIN_HYPERCUBE, SOBOL),
        *(TOLERANCE, SENSITIVITY, OPTIMISE, PARETO),
    )
}
