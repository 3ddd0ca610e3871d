"""Bushings and links with curves in series with others: straight curves are their slopes, bent ones share one force."""

import numpy as np
import pytest

from sheetmbs.model.model import Curve
from sheetmbs.suspension.compliance.part_laws import PartLaw
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.car_books import car_book
from tests.support.compliance_books import SWEEPS

COLUMNS = ("axle", "part", "k", "k_radial", "k_axial", "k_torsion", "curve", "curve_of", "kxx", "kyy", "kzz", "kxy")
NODE = {"kxx": "9000 N/mm", "kyy": "7000 N/mm", "kzz": "12000 N/mm", "kxy": "2000 N/mm"}
CURVES = (
    ("soft.x", "soft.y", "hard.x", "hard.y", "shaft.x", "shaft.y"),
    ("mm", "kN", "mm", "kN", "deg", "N m"),
    (-5, -40, -5, -100, 0, 0),
    (5, 40, 5, 100, 10, 300),
)
CASES = (("name", "ax", "ay"), ("turn", -0.3, 0.8))
PAIRS = {
    "pivots on a structure": (
        {
            "lower arm front": {"k_radial": "8000 N/mm", "k_axial": "8000 N/mm", **NODE},
            "lower arm rear": {"k": "8000 N/mm"},
        },
        {"lower arm front": {"curve": "soft", "curve_of": "radial", "k_axial": "8000 N/mm", **NODE}},
    ),
    "ends of a link": (
        {
            "tie rod": {"k": "20000 N/mm"},
            "tie rod inner": {"k": "8000 N/mm"},
            "tie rod outer": {"k": "20000 N/mm", **NODE},
        },
        {"tie rod inner": {"curve": "soft"}, "tie rod outer": {"curve": "hard", **NODE}},
    ),
    "a ball joint on legs": (
        {"lower ball joint": {"k": "20000 N/mm"}, "lower arm legs": {"k": "40000 N/mm"}},
        {"lower ball joint": {"curve": "hard"}},
    ),
    "mount, rack and column": (
        {"rack mount": {"k": "8000 N/mm"}, "rack": {"k": "20000 N/mm"}, "column": {"k_torsion": "30 N m/deg"}},
        {"rack mount": {"curve": "soft"}, "column": {"curve": "shaft"}},
    ),
    "ends of a damper": (
        {"damper chassis": {"k": "8000 N/mm"}, "damper rocker": {"k": "20000 N/mm"}},
        {"damper chassis": {"curve": "soft"}},
    ),
}


def run(path, parts):
    rows = [
        tuple({"axle": "front", "part": name, **cells}.get(head) for head in COLUMNS) for name, cells in parts.items()
    ]
    others = {"Compliance": (COLUMNS, *rows), "Sweeps": SWEEPS, "Load cases": CASES, "Curves": CURVES}
    return run_suspension(car_book(path, others=others))


QUICK = ("pivots on a structure", "mount, rack and column")


@pytest.mark.parametrize(
    "what", [what if what in QUICK else pytest.param(what, marks=pytest.mark.nightly) for what in PAIRS]
)
def test_a_straight_curve_in_series_is_its_slope(tmp_path, what):
    numbers, curves = PAIRS[what]
    one, other = run(tmp_path / "numbers.xlsx", numbers), run(tmp_path / "curves.xlsx", {**numbers, **curves})
    told = 0
    for name, values in one.sweeps["heave"].items():
        if "_per_" in name and values.notna().any():
            told += 1
            assert other.sweeps["heave"][name].to_numpy() == pytest.approx(
                values.to_numpy(), rel=1e-8, abs=1e-8, nan_ok=True
            ), name
    assert told > 20
    for column in one.base.loads.columns:
        size = np.max(np.abs(column.values))
        if column.name != "residual" and not column.name.endswith("beyond"):
            assert other.base.loads.column(column.name) == pytest.approx(column.values, rel=1e-8, abs=1e-8 * (1 + size))


def test_parts_in_series_carry_one_force_and_share_the_deflection():
    """Two bent curves and a spring: each is at the force of all, and the shares add up to the whole."""
    x = np.array([0.0, 0.05, 0.2, 1.0]) * 1e-3
    bent = Curve("bent", x, np.array([0.0, 200.0, 2000.0, 30000.0]), "linear")
    other = Curve("other", x, np.array([0.0, 900.0, 1500.0, 4000.0]), "linear")
    law = PartLaw((("link", 1e-7),), (("inner", bent), ("outer", other)))
    whole = np.linspace(-2.5e-3, 2.5e-3, 41)
    force, stiffness = law(whole)
    of_bent, of_other = (np.interp(np.abs(force), curve.y, curve.x) for curve in (bent, other))
    past = sum(
        np.maximum(np.abs(force) - curve.y[-1], 0.0) * (curve.x[-1] - curve.x[-2]) / (curve.y[-1] - curve.y[-2])
        for curve in (bent, other)
    )
    assert np.sign(force) * (of_bent + of_other + past) + 1e-7 * force == pytest.approx(whole, abs=1e-15)
    assert 1.0 / stiffness == pytest.approx(sum(soft for _part, soft in law.compliances(whole)), rel=1e-12)
    assert law.where(float(force[-1])) == pytest.approx(whole[-1], rel=1e-12)
    outside = dict(law.beyond(whole))
    assert list(outside["outer"]) == list(np.abs(force) > 4000.0)
