"""The classical Runge-Kutta method of order 4 (Kutta 1901; Hairer, Norsett and Wanner 1993, table II.1.2)."""

from sheetmbs.analysis.integrators.explicit.tableau import fixed_step

RK4 = fixed_step(
    nodes=(0.0, 0.5, 0.5, 1.0),
    lower=((1, 0, 0.5), (2, 1, 0.5), (3, 2, 1.0)),
    weights=(1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0),
    order=4,
)
