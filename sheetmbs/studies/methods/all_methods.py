"""All methods by name."""

from __future__ import annotations

from sheetmbs.studies.methods.enumerated import GRID, LISTED, ONE_AT_A_TIME
from sheetmbs.studies.methods.fit import FIT
from sheetmbs.studies.methods.global_sensitivity import SENSITIVITY
from sheetmbs.studies.methods.method import Method
from sheetmbs.studies.methods.optimise import OPTIMISE
from sheetmbs.studies.methods.pareto import PARETO
from sheetmbs.studies.methods.samples import LATIN_HYPERCUBE, SOBOL, TOLERANCE

METHODS: dict[str, Method] = {
    method.declared.name: method
    for method in (
        *(ONE_AT_A_TIME, GRID, LISTED, LATIN_HYPERCUBE, SOBOL),
        *(TOLERANCE, SENSITIVITY, OPTIMISE, PARETO, FIT),
    )
}
