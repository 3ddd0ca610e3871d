"""Load cases of cars with elastic parts: balance, the limit of stiff parts, bushings in statics by hand, twisting bodies."""

import numpy as np
import pytest

from tests.support.compliance_books import bushed, part, run_compliance

G = 9.81
CASES = (
    ("name", "ax", "ay", "az", "FL.mz"),
    ("static", None, None, 1),
    ("cornering", None, 1.1, None),
    ("braking in a turn", -0.4, 0.8, None, "20 N m"),
)


def run(path, rows, **others):
    return run_compliance(path, rows, others={"Load cases": CASES, **others.pop("others", {})}, **others)


@pytest.fixture(scope="module")
def cars(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cars")
    found = [run(folder / f"{f:g}.xlsx", [*bushed(f), *bushed(f, "rear")]).base.loads for f in (1.0, 1e3)]
    return [*found, run(folder / "rigid.xlsx", []).base.loads]


def test_all_that_members_carry_becomes_what_rigid_ones_carry_as_parts_get_stiffer(cars):
    soft, stiff, rigid = cars
    assert not any(soft.failed)
    assert not any(stiff.marks)
    told = 0
    for column in rigid.columns:
        size = np.max(np.abs(column.values))
        first, second = (np.max(np.abs(each.column(column.name) - column.values)) for each in (soft, stiff))
        if column.name != "residual" and first > 1e-3 * size:
            told += 1
            assert second < 1.5e-3 * first + 1e-6 * size, column.name
    assert told > 50


def test_road_wheels_and_chassis_are_in_balance(cars):
    soft = cars[0]
    assert np.max(soft.column("residual")) < 1e-8
    vertical = sum(soft.column(f"{corner}.fz") for corner in ("FL", "FR", "RL", "RR"))
    assert vertical == pytest.approx(280 * G, rel=1e-9)
    assert soft.column("FL.fz")[1] < soft.column("FR.fz")[1]


def test_bushings_carry_what_their_hinge_carries(cars):
    soft = cars[0]
    for case in range(3):
        whole = np.array([soft.column(f"FL.lower arm hinge.f{axis}")[case] for axis in "xyz"])
        sizes = []
        for point in ("front", "rear"):
            radial, axial = (soft.column(f"FL.lower arm {point}.f_{way}")[case] for way in ("radial", "axial"))
            sizes.append(np.hypot(radial, axial))
        assert np.linalg.norm(whole) <= sum(sizes) * (1 + 1e-9)
        assert np.linalg.norm(whole) >= abs(sizes[0] - sizes[1]) * (1 - 1e-9)
    static = [soft.column(f"FL.lower arm front.d_{way}")[0] for way in ("radial", "axial")]
    turned = [soft.column(f"FL.lower arm front.d_{way}")[1] for way in ("radial", "axial")]
    assert np.max(np.abs(static)) < 1e-4  # mm: tyres and roll apart the car stands as at design
    assert np.max(np.abs(turned)) > 1e-3
    more = soft.column("FL.lower arm front.f_axial")[1] - soft.column("FL.lower arm front.f_axial")[0]
    assert turned[1] - static[1] == pytest.approx(more / 2000.0, rel=1e-3)


def test_a_body_that_twists_moves_load_transfer_to_the_stiffer_axle(tmp_path):
    """The softer the body, the more each half carries its own roll moment; a stiff one is a rigid body."""
    shares, loads = [], []
    for k in ("1e7 N m/deg", "2000 N m/deg", "400 N m/deg"):
        rows = [part("tie rod", k="50000 N/mm"), part("chassis", k_torsion=k)]
        car = run(tmp_path / f"{len(shares)}.xlsx", rows)
        shares.append(car.sweeps["heave"].query("travel == 0").iloc[0]["torsion_share"])
        loads.append(car.base.loads)
    rigid = run(tmp_path / "rigid.xlsx", [part("tie rod", k="50000 N/mm")])
    assert loads[0].column("FR.fz") == pytest.approx(rigid.base.loads.column("FR.fz"), rel=1e-4)
    assert shares[0] == pytest.approx(
        rigid.sweeps["heave"].query("travel == 0").iloc[0]["load_transfer_front_share"], abs=0.3
    )
    twists = [each.column("chassis_twist")[1] for each in loads]
    assert abs(twists[0]) < 1e-3 < abs(twists[1]) < abs(twists[2])
    assert shares[0] > shares[1] > shares[2]  # the front has the stiffer bar
    moved = [each.column("FR.fz")[1] - each.column("FL.fz")[1] for each in loads]
    assert moved[0] > moved[1] > moved[2]
    # the stiffer front rolls less, and k times the twist is what the body hands to it
    held = [-np.radians(twist) * np.degrees(k) for twist, k in zip(twists[1:], (2000.0, 400.0), strict=True)]
    assert 0 < held[1] < held[0] < 280 * G * 1.1 * 0.29
