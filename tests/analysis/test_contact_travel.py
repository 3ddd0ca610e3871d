"""Travel that counts at the contacts: rows, derivatives by it, and what does not depend on how travel is counted."""

import numpy as np
import openpyxl
import pytest

from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.hardpoint_books import ROCKER, SETTINGS, WISHBONES, hardpoint_book
from tests.suspension.test_suspension_types import AXLE, PANHARD, SWEEPS, THREE, TOP_LINK

POINTS = {**WISHBONES, **ROCKER}
SPRINGS = [("name", "axle", "kind", "k"), ("spring", "front", "spring", "35 N/mm")]
OWN = [*SETTINGS, ("actuation", "push-rod"), ("corner load", "645 N"), ("unsprung mass", 9)]
FINE = [("name", "type", "travel_from", "travel_to", "travel_step"), ("h", "heave", "19.8 mm", "20.2 mm", "0.1 mm")]


def swept(path, sweeps, of="contact"):
    settings = [*OWN, ("travel of", of)]
    return run_suspension(
        hardpoint_book(path, POINTS, settings, others={"Suspension springs": SPRINGS, "Sweeps": sweeps})
    )


def test_rows_of_a_sweep_are_those_of_the_contact(tmp_path):
    frame = swept(tmp_path / "b.xlsx", [FINE[0], ("h", "heave", "-20 mm", "20 mm", "5 mm")]).table("h").frame()
    assert frame["FL.contact_z"].to_numpy() == pytest.approx(frame["travel"].to_numpy(), abs=1e-10)
    assert abs(frame["FL.wheel_z"].iloc[-1] - 20.0) > 0.02


@pytest.mark.parametrize("value", ["FL.camber", "FL.toe", "FL.caster"])
def test_gradients_are_derivatives_by_travel_of_the_contact(tmp_path, value):
    frame = swept(tmp_path / "b.xlsx", FINE).table("h").frame()
    values = frame[value].to_numpy()
    near, far = (values[3] - values[1]) / 0.2, (values[4] - values[0]) / 0.4
    assert frame[f"{value}_gradient"][2] == pytest.approx((4 * near - far) / 3, rel=1e-7)


def test_curvatures_are_derivatives_of_gradients(tmp_path):
    frame = swept(tmp_path / "b.xlsx", FINE).table("h").frame()
    for value, bend in (("FL.camber_gradient", "FL.camber_curvature"), ("FL.motion_ratio", "FL.dmotion_ratio")):
        values = frame[value].to_numpy()
        near, far = (values[3] - values[1]) / 0.2, (values[4] - values[0]) / 0.4
        assert frame[bend][2] == pytest.approx((4 * near - far) / 3, rel=1e-7)


def test_wheel_rate_at_the_contact_is_the_derivative_of_its_load(tmp_path):
    frame = swept(tmp_path / "b.xlsx", FINE).table("h").frame()
    carried = (frame["FL.spring_force"] * frame["FL.motion_ratio"]).to_numpy()
    near, far = (carried[3] - carried[1]) / 0.2, (carried[4] - carried[0]) / 0.4
    assert frame["FL.wheel_rate"][2] == pytest.approx((4 * near - far) / 3, rel=1e-8)
    assert frame["FL.motion_ratio"].to_numpy() == pytest.approx(frame["FL.motion_ratio_contact"].to_numpy(), rel=1e-12)


def test_what_travel_means_changes_no_pose_at_design_and_no_roll(tmp_path):
    roll = [("name", "type", "roll_from", "roll_to", "roll_step"), ("r", "roll", "-2 deg", "2 deg", "1 deg")]
    contact, centre = (
        swept(tmp_path / f"{of}.xlsx", roll, of).table("r").frame() for of in ("contact", "wheel centre")
    )
    for name in (
        "FL.camber",
        "FL.toe",
        "front.roll_centre_height",
        "FL.roll_camber",
        "FL.fvsa",
    ):
        assert contact[name].to_numpy() == pytest.approx(centre[name].to_numpy(), rel=1e-9, abs=1e-9)


def test_both_contacts_of_a_solid_axle_are_where_the_sweep_says(tmp_path):
    rows = [*TOP_LINK, *PANHARD]
    settings = [*AXLE, ("travel of", "contact"), ("camber", "-1 deg")]
    found = run_suspension(
        hardpoint_book(tmp_path / "b.xlsx", THREE, settings, axle="rear", rows=rows, others={"Sweeps": SWEEPS})
    )
    one = found.table("one").frame()
    assert one["RL.contact_z"].to_numpy() == pytest.approx(np.linspace(-60, 60, 5), abs=1e-9)
    assert one["RR.contact_z"].to_numpy() == pytest.approx(np.zeros(5), abs=1e-9)


def test_a_point_that_is_to_be_reported_is_written_where_it_stands(tmp_path):
    book = hardpoint_book(tmp_path / "b.xlsx", POINTS, OWN, others={"Sweeps": FINE})
    opened = openpyxl.load_workbook(book)
    sheet = opened["Hardpoints"]
    sheet.cell(1, 7, "report")
    row = next(cell.row for cell in sheet["B"] if cell.value == "wheel centre")
    sheet.cell(row, 7, "yes")
    opened.save(book)
    frame = run_suspension(book).table("h").frame()
    assert frame["FL.wheel centre.z"].to_numpy() == pytest.approx(230.0 + frame["travel"].to_numpy(), abs=1e-9)
    assert frame["FR.wheel centre.y"].to_numpy() == pytest.approx(-frame["FL.wheel centre.y"].to_numpy(), abs=1e-9)
    moved = frame["FL.wheel centre.x"] - POINTS["wheel centre"][0]
    assert moved.to_numpy() == pytest.approx(frame["FL.wheel_x"].to_numpy(), abs=1e-9)
    assert "FL.lower ball joint.x" not in frame


CASES = [
    ("name", "pose", "travel_left", "travel_right", "rack", "FL.fx", "FL.fy", "FL.fz", "FR.fx", "FR.fy", "FR.fz"),
    ("turn", "given", "14 mm", "-9 mm", "11 mm", -400, 700, 1900, -200, 300, 800),
    ("design", "design", None, None, None, 0, 0, 900, 0, 0, 900),
    ("too far", "given", "300 mm", "300 mm", None, 0, 0, 900, 0, 0, 900),
]


def loads_of(path, cases, of):
    settings = [*OWN, ("travel of", of)]
    return run_suspension(
        hardpoint_book(path, POINTS, settings, others={"Suspension springs": SPRINGS, "Load cases": cases})
    ).base.loads


def test_given_travels_of_load_cases_are_those_of_the_contacts(tmp_path):
    """The same pose by the travels of its wheel centres carries the same; virtual work holds at both."""
    found = loads_of(tmp_path / "c.xlsx", CASES, "contact")
    assert found.column("FL.travel")[:2] == pytest.approx([14.0, 0.0], abs=1e-9)
    assert found.column("FR.travel")[:2] == pytest.approx([-9.0, 0.0], abs=1e-9)
    assert found.column("residual")[:2].max() < 1e-9
    assert found.failed == (False, False, True)
    sweeps = {
        "Sweeps": [("name", "type"), ("turn", "poses")],
        "Poses": [("sweep", "travel_left", "travel_right", "rack"), ("turn", "14 mm", "-9 mm", "11 mm")],
    }
    settings = [*OWN, ("travel of", "contact")]
    frame = run_suspension(hardpoint_book(tmp_path / "s.xlsx", POINTS, settings, others=sweeps)).table("turn").frame()
    raised = [float(frame[f"{corner}.wheel_z"].iloc[0]) for corner in ("FL", "FR")]
    assert abs(raised[0] - 14.0) > 0.02, "centre and contact rise differently there"
    centres = [CASES[0], (*CASES[1][:2], *(f"{travel!r} mm" for travel in raised), *CASES[1][4:])]
    expected = loads_of(tmp_path / "w.xlsx", centres, "wheel centre")
    for column in expected.columns:
        if not column.name.endswith(".travel"):
            near = {"rel": 1e-7, "abs": 1e-6}
            assert found.column(column.name)[0] == pytest.approx(column.values[0], **near), column.name
