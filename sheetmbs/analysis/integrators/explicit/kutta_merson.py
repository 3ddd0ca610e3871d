"""Kutta-Merson, order 4 in five stages (Merson 1957; Hairer, Norsett and Wanner 1993, table II.4.1), with a fixed step."""

from sheetmbs.analysis.integrators.explicit.tableau import fixed_step

KUTTA_MERSON = fixed_step(
    nodes=(0.0, 1.0 / 3.0, 1.0 / 3.0, 0.5, 1.0),
    lower=(
        (1, 0, 1.0 / 3.0),
        (2, 0, 1.0 / 6.0),
        (2, 1, 1.0 / 6.0),
        (3, 0, 0.125),
        (3, 2, 0.375),
        (4, 0, 0.5),
        (4, 2, -1.5),
        (4, 3, 2.0),
    ),
    weights=(1.0 / 6.0, 0.0, 0.0, 2.0 / 3.0, 1.0 / 6.0),
    order=4,
)
