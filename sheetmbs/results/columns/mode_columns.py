"""Columns of `mbs Modes`: a row per mode."""

from __future__ import annotations

from dataclasses import replace

from sheetmbs.elements import result_column as r
from sheetmbs.elements.analyses import Analysis
from sheetmbs.elements.result_column import ResultColumn, ResultKind, result_columns
from sheetmbs.model.model import Beam

IMAGINARY = ".imag"
"""what the imaginary part of a component is called behind its name"""

MODE = ResultColumn("mode", "number of the mode", (r.COUNT,))
MODES = ResultKind(
    "",
    "mbs Modes",
    (
        *result_columns("frequency", "undamped natural frequency; empty where nothing vibrates", r.FREQUENCY),
        *result_columns("damping", "damping ratio: 1 and more dies away without vibrating, below 0 grows", r.RATIO),
        *result_columns("growth_rate", "real part of the eigenvalue: below 0 dies away, above 0 grows", r.GROWTH),
    ),
    lambda model: (model,) if model.settings.analysis == Analysis.MODES else (),
)


def _components(columns: tuple[ResultColumn, ...]) -> tuple[ResultColumn, ...]:
    """Components of a shape, and their imaginary parts."""
    imaginary = (
        replace(column, name=f"{column.name}{IMAGINARY}", doc="imaginary part, where a shape has one")
        for column in columns
    )
    return (*columns, *imaginary)


SHAPE = ResultKind(
    "body",
    "mbs Modes",
    _components(
        (
            *result_columns("x y", "displacement in the shape of the mode", r.LENGTH),
            *result_columns("z", "displacement in the shape of the mode", r.LENGTH, models=r.SPATIAL),
            *result_columns("phi", "rotation in the shape of the mode", r.ANGLE, models=r.PLANAR),
            *result_columns("rx ry rz", "small rotation about the global axes", r.ANGLE, models=r.SPATIAL),
        )
    ),
    lambda model: model.bodies if model.settings.analysis == Analysis.MODES else (),
)
BEAM_SHAPE = ResultKind(
    "beam",
    "mbs Modes",
    _components(
        (
            *result_columns("q#", "amplitude of one of its modes", r.METRES, models=r.PLANAR),
            *result_columns("s#", "amplitude of one of its static shapes", r.METRES, models=r.PLANAR),
        )
    ),
    lambda model: tuple(body for body in SHAPE.elements(model) if isinstance(body, Beam)),
)
