"""The model of a trial, written out, is an ordinary workbook that gives the same loads."""

import numpy as np
import openpyxl
import pytest

from sheetmbs import WorkbookError, read, run, run_gait
from sheetmbs.gait.written_model import write_model
from tests.support.gait_books import Recording, gait_book, walker_sheets

BELOW = {"hip": ("foot", "shank", "thigh"), "knee": ("foot", "shank"), "ankle": ("foot",)}


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    how = Recording(end=1.5, noise=0.001, settings={"cutoff": 6, "force_cutoff": "same"})
    return run_gait(gait_book(tmp_path_factory.mktemp("gait") / "walk.xlsx", walker_sheets(how))).solved


def test_the_written_model_run_by_itself_gives_the_same_moments(solved, tmp_path):
    write_model(solved, tmp_path / "model.xlsx")
    results = run(read(tmp_path / "model.xlsx"))
    drivers, bodies = results.drivers, results.bodies
    courses, motion = solved.trials[0].courses, solved.trials[0].motion
    assert len(drivers) == len(courses.time)
    for joint, below in BELOW.items():
        at = motion.segments[f"right {below[-1]}"].proximal
        moment = 0.0
        for name in (f"right {each}" for each in below):
            arm = np.column_stack((bodies[f"{name}.x"], bodies[f"{name}.y"])) - at
            fx, fy = drivers[f"{name}.x.force"].to_numpy(), drivers[f"{name}.y.force"].to_numpy()
            moment = moment + drivers[f"{name}.phi.moment"].to_numpy() + arm[:, 0] * fy - arm[:, 1] * fx
        assert np.allclose(moment, courses.joints[f"right {joint}"]["moment"], atol=1e-6)


@pytest.mark.parametrize("kinematics", ["chain", "least squares"])
def test_of_joined_legs_guiding_moments_below_a_joint_add_up_to_its_moment(kinematics, tmp_path):
    """With hips that lie apart, and a trunk: the leg hangs on a pin at its hip, so that nothing else turns it."""
    how = Recording(end=1.5, noise=0.001, settings={"cutoff": 6, "force_cutoff": "same", "kinematics": kinematics})
    sheets = walker_sheets(how)
    header = sheets["Markers"][0]
    ahead = [at for at, name in enumerate(header) if name.startswith("left") and name.endswith(".x")]
    for number, row in enumerate(sheets["Markers"][2:]):
        for at in ahead:
            row[at] += 0.02 * np.sin(0.05 * number)
    solved = run_gait(gait_book(tmp_path / "walk.xlsx", sheets)).solved
    write_model(solved, tmp_path / "model.xlsx")
    drivers = run(read(tmp_path / "model.xlsx")).drivers
    loads = solved.trials[0].loads.moment
    for side in ("right", "left"):
        for below in BELOW.values():
            moment = sum(drivers[f"{side} {each}.phi.moment"].to_numpy() for each in below)
            assert np.allclose(moment, loads[f"{side} {below[-1]}"], atol=1e-6)


def test_a_model_is_never_written_over_a_file(solved, tmp_path):
    there = tmp_path / "model.xlsx"
    there.write_bytes(b"mine")
    with pytest.raises(WorkbookError):
        write_model(solved, there)
    assert there.read_bytes() == b"mine"


def test_frames_with_gaps_are_left_out_of_the_model(tmp_path):
    sheets = walker_sheets(Recording(end=1.5))
    gone = sheets["Markers"][0].index("right knee.x")
    for row in sheets["Markers"][2:][40:60]:
        row[gone : gone + 3] = [None] * 3
    solved = run_gait(gait_book(tmp_path / "walk.xlsx", sheets)).solved
    write_model(solved, tmp_path / "model.xlsx")
    results = run(read(tmp_path / "model.xlsx"))
    assert results.drivers["time"].iloc[0] == pytest.approx(0.6)
    assert solved.trials[0].courses.time[60] == pytest.approx(0.6)


def test_general_sheets_where_detail_asks_for_them_are_those_of_the_written_model(tmp_path):
    sheets = walker_sheets(Recording(end=1.5, settings={"cutoff": 6, "force_cutoff": "same", "detail": "yes"}))
    results = run_gait(gait_book(tmp_path / "walk.xlsx", sheets))
    write_model(results.solved, tmp_path / "model.xlsx")
    ordinary = run(read(tmp_path / "model.xlsx"))
    tables = {table.name: table for table in results.sheets.tables}
    for table in ordinary.sheets.tables:
        assert np.allclose(tables[table.name].values, table.values, rtol=1e-9, atol=1e-9, equal_nan=True)
    assert {"mbs Bodies", "mbs Drivers"} <= set(tables)
    results.save(tmp_path / "out.xlsx")
    assert "mbs Drivers" in openpyxl.load_workbook(tmp_path / "out.xlsx").sheetnames
