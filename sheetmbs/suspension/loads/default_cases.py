"""The load cases of a workbook that gives none and tells the masses of its car."""

from __future__ import annotations

from sheetmbs.suspension.layout.load_case import LoadCase


def default_cases(lock: float, *, brakes: bool, along: bool) -> tuple[LoadCase, ...]:
    """lock: rack travel of full lock that steers to the left, m. brakes: whether the share of the brakes is known.

    along: whether loads of a car that brakes or drives are known.
    """
    cases = [
        LoadCase("static 1 g", ""),
        LoadCase("3 g vertical", "", az=3.0),
        LoadCase("braking 1.4 g", "", ax=-1.4),
        LoadCase("cornering left 1.6 g", "", ay=1.6),
        LoadCase("cornering right 1.6 g", "", ay=-1.6),
        LoadCase("left 1.6 g, full lock", "", ay=1.6, rack=lock),
        LoadCase("right 1.6 g, full lock", "", ay=-1.6, rack=-lock),
        LoadCase("braking in a left turn", "", ax=-0.9, ay=1.1, rack=0.6 * lock),
        LoadCase("braking in a right turn", "", ax=-0.9, ay=-1.1, rack=-0.6 * lock),
        LoadCase("acceleration 0.8 g", "", ax=0.8),
        LoadCase("reverse braking 0.7 g", "", ax=0.7, force_by="brakes"),
        LoadCase("kerb", "", ax=-0.5, az=3.0),
    ]
    cases = [case for case in cases if along or not case.ax]
    return tuple(case for case in cases if brakes or not case.ax or case.maker_of_force() != "brakes")
