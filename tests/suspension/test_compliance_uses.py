"""Compliance where it is used: in targets, in studies of stiffnesses, and in the table that vehicle models take."""

import csv

import numpy as np
import pytest

from sheetmbs.studies.running.run_study import StudyOptions, run_study
from sheetmbs.suspension.export_compliance import export_compliance
from tests.support.compliance_books import HEADS, compliance_book, part, run_compliance

UNITS = ("units", None, *("N/mm",) * 3, *("N*m/deg",) * 2, *(None,) * 6)
RATE = 20.0
"""kN/mm"""
ROWS = [part("tie rod", k=f"{RATE} kN/mm"), part("lower arm legs", k="40 kN/mm")]
CASES = (("name", "ay"), ("corner", 1.0))
READ = {
    "Load cases": CASES,
    "Measured": (("tie",), ("N",), (250.0,)),
    "Measurements": (("name", "of", "column", "sweep"), ("gauge", "FL.tie rod", "tie", "corner")),
    "Targets": (
        ("metric", "sweep", "max"),
        ("FL.toe_per_lateral", None, "0.001 deg/kN"),
        ("FL.toe_kinematic", None, "5 deg"),
        ("FL.lower ball joint.d_radial", "corner", "10 mm"),
        ("measured(gauge)", None, "1 N"),
    ),
}


@pytest.fixture(scope="module")
def aimed(tmp_path_factory):
    rows = [*ROWS, part("lower ball joint", k="30 kN/mm")]
    return run_compliance(tmp_path_factory.mktemp("aimed") / "car.xlsx", rows, others=READ)


def test_targets_may_be_of_compliance_and_of_what_bushings_do_in_a_load_case(aimed):
    judged = {each.target.metric: each for each in aimed.targets}
    assert set(judged) == {row[0] for row in READ["Targets"][1:]}
    met = {name: each.is_met for name, each in judged.items()}
    assert met["FL.toe_kinematic"]
    assert met["FL.lower ball joint.d_radial"]
    assert not met["FL.toe_per_lateral"]


def test_a_target_may_be_the_residual_of_a_load_case(aimed):
    judged = {each.target.metric: each for each in aimed.targets}["measured(gauge)"]
    assert not judged.is_met
    (found,) = aimed.measured
    columns = {column.name: column for column in aimed.base.loads.columns}
    assert found.rms == pytest.approx(abs(250.0 - columns["FL.tie rod"].values[0]), rel=1e-9)


def test_a_study_of_a_stiffness_finds_what_the_part_has_in_the_metric(tmp_path):
    """Toe per force of a tie rod in series is a part over its stiffness: doubled, half of that is gone."""
    sheets = {
        "Compliance": (HEADS, UNITS, ("front", "tie rod", 1e3 * RATE)),
        "Study": (("setting", "value"), ("method", "grid")),
        "Variables": (("name", "cell", "values"), ("k", "Compliance!C3", f"{1e3 * RATE}; {2e3 * RATE}")),
        "Responses": (("name", "of", "case"), ("toe", "at(FL.toe_per_lateral, travel, 0)", "heave")),
    }
    path = compliance_book(tmp_path / "car.xlsx", [], others=sheets)
    found = run_study(path, path.read_bytes(), StudyOptions(workers=1))
    assert found.variants.done.all()
    stiffness, toe = found.variants.values[:, 0], found.variants.responses[:, 0]
    base, half = (toe[np.isclose(stiffness, k)][0] for k in (1e3 * RATE, 2e3 * RATE))
    assert half == pytest.approx(0.5 * base, rel=0.01)
    assert abs(base) > 1e-4


def test_the_exported_table_has_the_slopes_of_the_metrics(tmp_path):
    path = compliance_book(tmp_path / "car.xlsx", ROWS)
    car = run_compliance(tmp_path / "same.xlsx", ROWS)
    count = export_compliance(path, tmp_path / "kc.csv")
    rows = list(csv.DictReader((tmp_path / "kc.csv").read_text().splitlines()))
    assert len(rows) == count
    assert list(rows[0])[:3] == ["over", "travel [mm]", "roll [deg]"]
    assert {row["over"] for row in rows} == {
        *("travel", "roll", "lateral_force", "longitudinal_force", "aligning_torque"),
    }
    at_rest = car.sweeps["heave"].query("travel == 0").iloc[0]
    for over, column, metric, size in (
        ("lateral_force", "lateral_force [N]", "FL.steer_per_lateral_load", 1e3),
        ("aligning_torque", "aligning_torque [N*m]", "FL.steer_per_aligning_load", 1e3),
    ):
        own = [row for row in rows if row["over"] == over]
        x, steer = (np.array([float(row[name]) for row in own]) for name in (column, "FL.steer [deg]"))
        middle = int(np.argmin(np.abs(x)))
        assert x[middle] == 0.0
        slope = (steer[middle + 1] - steer[middle - 1]) / (x[middle + 1] - x[middle - 1]) * size
        assert slope == pytest.approx(at_rest[metric], rel=1e-3)
        loads = np.array([float(row["FL.fz [N]"]) for row in own])
        assert np.ptp(loads) < 1e-6  # vertical loads stay, wheels move on their springs
