"""Load cases of given travels on elastic parts: they meet cases at rest, stay in balance, and become those of rigid members."""

import numpy as np
import pytest

from sheetmbs.suspension.loads.solve_loads import UNHELD_POSE
from tests.support.car_books import SPRINGS
from tests.support.compliance_books import bushed, run_compliance

CORNERS = ("FL", "FR", "RL", "RR")
AXES = "xyz"
CASES = (
    ("name", "pose", "ax", "ay", "FL.mz"),
    ("at rest", None, -0.3, 0.8, "20 N m"),
    ("design", "design", None, None, None),
    ("turn at design", "design", None, 0.8, None),
)
HEADS = (
    *("name", "pose", "ax", "ay", "FL.mz"),
    *(f"{corner}.travel" for corner in CORNERS),
    *(f"{corner}.f{axis}" for corner in CORNERS for axis in AXES),
)
TOLD = ("residual", "pitch", "roll")


def run(path, factor, cases, **others):
    rows = [*bushed(factor), *bushed(factor, "rear")] if factor else []
    if "springs" in others:
        rows = [row for row in rows if row[1] != "damper chassis"]
    return run_compliance(path, rows, others={"Load cases": cases}, **others).base.loads


@pytest.fixture(scope="module")
def soft(tmp_path_factory):
    return run(tmp_path_factory.mktemp("soft") / "car.xlsx", 1.0, CASES)


def given_as(loads):
    """A case with the travels and forces of the first one."""
    travel = [f"{loads.column(f'{corner}.travel')[0]:.17g} mm" for corner in CORNERS]
    forces = [f"{loads.column(f'{corner}.f{axis}')[0]:.17g} N" for corner in CORNERS for axis in AXES]
    return HEADS, ("given", "given", -0.3, 0.8, "20 N m", *travel, *forces)


def test_a_case_held_where_another_rests_is_that_case(tmp_path, soft):
    """Locked springs then carry what their law says, and all members and bushings carry the same."""
    held = run(tmp_path / "held.xlsx", 1.0, given_as(soft))
    assert held.marks == ("",)
    names = [column.name for column in soft.columns if column.name not in TOLD]
    assert len(names) > 200
    for name in names:
        assert held.column(name)[0] == pytest.approx(soft.column(name)[0], abs=2e-6), name
    assert held.column("roll")[0] == pytest.approx(soft.column("roll")[0], abs=1e-8)


def test_held_travels_stand_where_the_case_says_and_everything_balances(soft):
    assert not any(soft.marks)
    for corner in CORNERS:
        assert soft.column(f"{corner}.travel")[1:] == pytest.approx([0.0, 0.0], abs=1e-9)
    assert np.max(soft.column("residual")) < 1e-9
    # at design nothing moves but what the pitch of a level car leaves
    assert abs(soft.column("FL.lower arm front.d_radial")[1]) < 1e-5
    assert soft.column("FL.lower arm front.d_radial")[2] > 1e-3


def test_what_members_carry_at_held_travels_becomes_what_rigid_ones_carry(tmp_path, soft):
    stiff = run(tmp_path / "stiff.xlsx", 1e3, CASES[:1] + CASES[2:])
    rigid = run(tmp_path / "rigid.xlsx", None, CASES[:1] + CASES[2:])
    told = 0
    for column in rigid.columns:
        size = np.max(np.abs(column.values))
        first, second = (np.abs(each.column(column.name)[-1] - column.values[-1]) for each in (soft, stiff))
        if column.name not in TOLD and size > 1e-3 and first > 1e-4 * size:
            told += 1
            assert second < 1.5e-3 * first + 1e-7 * size, column.name
    assert told > 20


def test_a_car_without_springs_is_held_in_their_place(tmp_path):
    """Contacts are held by what stands between the points of dampers, as of a car of rigid members."""
    found = [run(tmp_path / f"{factor}.xlsx", factor, CASES[:1] + CASES[2:], springs=()) for factor in (1.0, 1e3, None)]
    soft, stiff, rigid = (each.column("FL.push-rod")[1] for each in found)
    assert not any(found[0].marks)
    assert np.max(found[0].column("residual")) < 1e-9
    assert abs(soft - rigid) > 1e-4
    assert abs(stiff - rigid) < 1.5e-3 * abs(soft - rigid)


def test_where_springs_hold_no_travels_members_carry_what_rigid_ones_do_and_a_remark_says_so(tmp_path):
    """A bar alone holds roll and not both travels, so elastic parts have nothing to stand on."""
    bar_alone = tuple(row for row in SPRINGS if row[:2] != ("spring", "front"))
    cases = CASES[:1] + CASES[2:]
    soft, rigid = (run(tmp_path / f"{k}.xlsx", k, cases, springs=bar_alone) for k in (1.0, None))
    assert soft.marks == (UNHELD_POSE,) * 2
    for column in rigid.columns:
        assert soft.column(column.name) == pytest.approx(column.values, rel=1e-9, abs=1e-9), column.name
