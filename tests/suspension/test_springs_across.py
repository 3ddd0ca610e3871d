"""Heave, roll and cross springs and Z-bars between rockers, against the energy of the reported places of their ends."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import sheetmbs
from tests.support.across_books import BLADE, CROSS, GRID, HEADS, HEAVE, across_book, around

MIDDLES = ((0.0, 0.0), (10.0, 10.0), (8.0, -6.0))
BAR_HEADS = ("name", "axle", "kind", "k", "point_i", "point_j", "preload", "tension")
ZBAR = ("zbar", "front", "blade bar", "40 N/mm")


class Grid:
    """The sweep grid of a workbook, whose rows are nine poses around each of `MIDDLES`. Lengths in mm, forces in N."""

    def __init__(self, path, *, at=MIDDLES):
        self.results = sheetmbs.run(str(path))
        self.table = self.results.table("grid")
        self.count = len(at)

    def column(self, name):
        return self.table.values[:, self.table.columns.index(name)]

    def centre(self, name):
        return self.column(name).reshape(self.count, 9)[:, 4]

    def place(self, corner, point):
        return np.stack([self.column(f"{corner}.{point}.{axis}") for axis in "xyz"], axis=1)

    def slopes(self, values):
        """(m, 2) by the travels of the left and right wheel."""
        v = values.reshape(self.count, 3, 3)
        return np.stack([v[:, 2, 1] - v[:, 0, 1], v[:, 1, 2] - v[:, 1, 0]], axis=1) / (2.0 * GRID)

    def bends(self, values):
        """(m, 2, 2) second derivatives."""
        v = values.reshape(self.count, 3, 3)
        ll = (v[:, 2, 1] - 2.0 * v[:, 1, 1] + v[:, 0, 1]) / GRID**2
        rr = (v[:, 1, 2] - 2.0 * v[:, 1, 1] + v[:, 1, 0]) / GRID**2
        lr = (v[:, 2, 2] - v[:, 2, 0] - v[:, 0, 2] + v[:, 0, 0]) / (4.0 * GRID**2)
        return np.stack([np.stack([ll, lr], -1), np.stack([lr, rr], -1)], axis=1)

    @property
    def stiffness(self):
        """K of the columns of the sheet."""
        k_l, k_r = self.centre("FL.wheel_rate_single_held"), self.centre("FR.wheel_rate_single_held")
        coupling = self.centre("FL.wheel_rate") - k_l
        assert coupling == pytest.approx(self.centre("FR.wheel_rate") - k_r, rel=1e-10, abs=1e-10)
        return np.stack([np.stack([k_l, coupling], -1), np.stack([coupling, k_r], -1)], axis=1)


def distance(grid, left, right):
    return np.linalg.norm(grid.place("FL", left) - grid.place("FR", right), axis=1)


@pytest.fixture(scope="module")
def decoupled(tmp_path_factory):
    captive = [(*(*row, None)[:6], None, "yes") for row in (HEAVE, CROSS)]
    path = tmp_path_factory.mktemp("across") / "a.xlsx"
    return Grid(across_book(path, (BAR_HEADS, *captive), at=around(*MIDDLES)))


def test_rates_are_the_second_derivatives_of_the_energy_of_the_springs(decoupled):
    heave, cross = distance(decoupled, "heave end", "heave end"), distance(decoupled, "heave end", "roll end")
    preload = decoupled.centre("front.hs_force")[0]
    squeezed = heave[4] - heave
    energy = preload * squeezed + 0.5 * 25.0 * squeezed**2 + 0.5 * 30.0 * (cross[4] - cross) ** 2
    assert decoupled.stiffness == pytest.approx(decoupled.bends(energy), rel=2e-4, abs=2e-3)


def test_left_and_right_wheel_have_rates_of_their_own_with_a_cross_spring(decoupled):
    K = decoupled.stiffness
    assert np.all(np.abs(K[:, 0, 0] - K[:, 1, 1]) > 1.0)
    kinds = {"": (0, 1), "_roll": (0, -1)}
    for suffix, (_own, sign) in kinds.items():
        assert decoupled.centre(f"FL.wheel_rate{suffix}") == pytest.approx(K[:, 0, 0] + sign * K[:, 0, 1])
        assert decoupled.centre(f"FR.wheel_rate{suffix}") == pytest.approx(K[:, 1, 1] + sign * K[:, 0, 1])
    single = K[:, 0, 0] - K[:, 0, 1] ** 2 / K[:, 1, 1], K[:, 1, 1] - K[:, 0, 1] ** 2 / K[:, 0, 0]
    assert decoupled.centre("FL.wheel_rate_single") == pytest.approx(single[0])
    assert decoupled.centre("FR.wheel_rate_single") == pytest.approx(single[1])
    assert decoupled.centre("front.heave_rate") == pytest.approx(K.sum(axis=(1, 2)))


def test_columns_of_elements_across_the_axle_are_their_lengths_and_slopes(decoupled):
    for name, ends in (("hs", ("heave end", "heave end")), ("cs", ("heave end", "roll end"))):
        length = distance(decoupled, *ends)
        slopes = decoupled.slopes(length)
        assert decoupled.column(f"front.{name}_length") == pytest.approx(length, abs=1e-9)
        assert decoupled.centre(f"front.{name}_motion_ratio_heave") == pytest.approx(-slopes.sum(axis=1), abs=1e-5)
        assert decoupled.centre(f"front.{name}_motion_ratio_roll") == pytest.approx(
            slopes[:, 1] - slopes[:, 0], abs=1e-5
        )


def test_shares_of_all_elements_sum_up_to_the_whole(decoupled):
    for motion in ("heave", "roll"):
        whole = decoupled.centre(f"front.hs_{motion}_share") + decoupled.centre(f"front.cs_{motion}_share")
        assert whole == pytest.approx(100.0)


def test_a_third_spring_alone_carries_the_axle_by_virtual_work(tmp_path):
    grid = Grid(across_book(tmp_path / "a.xlsx", at=around((0.0, 0.0))), at=((0.0, 0.0),))
    slope = grid.slopes(distance(grid, "heave end", "heave end"))[0].sum()
    contact = grid.slopes(grid.column("FL.contact_z"))[0].sum()
    load = 2.0 * (645.0 * contact - 8.0 * 9.81)
    assert grid.centre("front.hs_force")[0] == pytest.approx(load / -slope, rel=1e-5)
    assert grid.centre("front.cs_force")[0] == pytest.approx(0.0, abs=1e-9)


def test_several_third_springs_settle_by_one_delta(tmp_path):
    second = ("second", "front", "third spring", "60 N/mm", "roll end")
    grid = Grid(across_book(tmp_path / "a.xlsx", (HEADS, HEAVE, second), at=around((0.0, 0.0))), at=((0.0, 0.0),))
    slopes = [grid.slopes(distance(grid, end, end))[0].sum() for end in ("heave end", "roll end")]
    contact = grid.slopes(grid.column("FL.contact_z"))[0].sum()
    load = 2.0 * (645.0 * contact - 8.0 * 9.81)
    ratios = [max(-each, 0.0) for each in slopes]
    delta = load / (25.0 * ratios[0] ** 2 + 60.0 * ratios[1] ** 2)
    assert grid.centre("front.hs_force")[0] == pytest.approx(25.0 * ratios[0] * delta, rel=1e-5)
    assert grid.centre("front.second_force")[0] == pytest.approx(60.0 * ratios[1] * delta, rel=1e-5, abs=1e-9)
    assert any(each.code == "settled-springs" for each in grid.results.sheets.problems)


def test_the_reference_rates_differ_by_the_squares_of_the_slopes_of_the_cross_spring():
    """Numbers of the contract: K_LL - K_RR = k (L_L^2 - L_R^2) + 0 force at design, whatever the geometry."""
    heave, roll = -0.8034343, -1.3390571
    left, right = 0.5 * (heave + roll), 0.5 * (heave - roll)
    assert pytest.approx(30.0 * (left**2 - right**2), abs=1e-4) == 56.81513 - 24.53980


def blade_book(path, *, right=None, at=MIDDLES, spring=HEAVE, cross=CROSS):
    points = [*BLADE, *([("blade end", *right, "right", None)] if right else [])]
    return across_book(path, (BAR_HEADS, (*spring, None, None), cross, ZBAR), points=points, at=around(*at))


def blade_energy(grid, right):
    """Energy of the links of a blade whose angle is where it has no slope, and that angle, by a search of its own."""

    pivot, arm = np.array([20.0, 0.0, 390.0]), np.array([60.0, 0.0, 0.0])
    arms = arm, (np.array(right) - pivot if right else -arm)
    ends = grid.place("FL", "bar link suspension"), grid.place("FR", "bar link suspension")
    drawn = [np.linalg.norm(end[4] - pivot - own) for end, own in zip(ends, arms, strict=True)]

    def longer(psi, row):
        turn = np.array([[np.cos(psi), -np.sin(psi), 0], [np.sin(psi), np.cos(psi), 0], [0, 0, 1]])
        return [np.linalg.norm(ends[k][row] - pivot - turn @ arms[k]) - drawn[k] for k in range(2)]

    def slope(psi, row):
        return sum(each**2 for each in longer(psi + 1e-4, row)) - sum(each**2 for each in longer(psi - 1e-4, row))

    psi = np.array([brentq(slope, -0.5, 0.5, args=(row,), xtol=1e-14) for row in range(len(ends[0]))])
    stretched = np.array([longer(each, row) for row, each in enumerate(psi)])
    return 20.0 * np.sum(stretched**2, axis=1), psi, stretched


@pytest.mark.parametrize("right", [None, (80.0, 0.0, 390.0)], ids=["turned", "alike"])
def test_a_blade_stands_where_its_energy_has_no_slope(tmp_path, right):
    with_blade = Grid(blade_book(tmp_path / "a.xlsx", right=right))
    energy, psi, longer = blade_energy(with_blade, right)
    assert with_blade.column("front.blade_angle") == pytest.approx(np.degrees(psi), abs=1e-5)
    for k, corner in enumerate(("FL", "FR")):
        assert with_blade.column(f"{corner}.blade_stroke") == pytest.approx(longer[:, k], abs=1e-6)
        assert with_blade.column(f"{corner}.blade_force") == pytest.approx(40.0 * longer[:, k], abs=1e-4)
    springs = Grid(across_book(tmp_path / "b.xlsx", (HEADS, HEAVE, CROSS), at=around(*MIDDLES)))
    assert with_blade.stiffness - springs.stiffness == pytest.approx(with_blade.bends(energy), rel=2e-3, abs=5e-3)


def test_turned_tips_are_free_in_heave_and_stiff_in_roll(tmp_path):
    grid = Grid(blade_book(tmp_path / "a.xlsx"))
    assert grid.centre("front.zbar_heave_share")[:2] == pytest.approx(0.0, abs=1e-6)
    assert grid.centre("front.zbar_roll_share")[0] > 20.0
    assert grid.centre("FL.blade_stroke")[1] == pytest.approx(0.0, abs=1e-9)


def test_tips_that_move_alike_are_stiff_in_heave_and_free_in_roll(tmp_path):
    grid = Grid(blade_book(tmp_path / "a.xlsx", right=(80.0, 0.0, 390.0)))
    assert grid.centre("front.zbar_heave_share")[0] > 10.0
    assert abs(grid.centre("front.zbar_roll_share")[0]) < 1e-6
