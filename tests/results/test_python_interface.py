"""What Python users expect of an object: paths are taken, names are found, and nothing floods the screen."""

from pathlib import Path

import pytest

import sheetmbs

WORKBOOKS = Path(__file__).parents[2] / "workbooks"
LONGEST_REPR = 300
"""characters that still are a line or two on a screen"""


@pytest.fixture(scope="module")
def crank():
    return sheetmbs.run(WORKBOOKS / "slider-crank.xlsx")


@pytest.fixture(scope="module")
def car():
    return sheetmbs.run(WORKBOOKS / "formula-student.xlsx")


@pytest.fixture(scope="module")
def walk():
    return sheetmbs.run(WORKBOOKS / "gait-walk.xlsx")


def test_a_path_is_run_as_what_was_read_from_it(crank):
    whole = sheetmbs.run(sheetmbs.read(WORKBOOKS / "slider-crank.xlsx"))
    assert whole.bodies.equals(crank.bodies)


@pytest.mark.parametrize("name", ["formula-student", "gait-walk"])
def test_what_is_read_of_any_kind_of_workbook_can_be_run(name, request):
    results = sheetmbs.run(sheetmbs.read(WORKBOOKS / f"{name}.xlsx"))
    other = request.getfixturevalue({"formula-student": "car", "gait-walk": "walk"}[name])
    assert type(results) is type(other)
    assert all(results[sheet].equals(other[sheet]) for sheet in other.sheet_names)


def test_cells_are_changed_for_a_run_and_not_for_what_was_read(crank):
    book = WORKBOOKS / "slider-crank.xlsx"
    heavier = sheetmbs.run(book, changes={"Settings!B7": crank.model.settings.t_end / 2})
    assert heavier.bodies["time"].iloc[-1] == pytest.approx(crank.model.settings.t_end / 2)
    with pytest.raises(TypeError, match=r"give them to sheetmbs\.read"):
        sheetmbs.run(crank.model, changes={"Settings!B7": 1.0})


def test_elements_are_found_by_name_and_a_wrong_name_lists_those_that_there_are(crank):
    model = crank.model
    assert model.bodies["crank"] is model.bodies[0]
    assert model.bodies[:2] == tuple(model.bodies)[:2]
    with pytest.raises(KeyError, match=r"did you mean crank\? there are crank, rod, slider"):
        model.bodies["krank"]


def test_sheets_are_frames_by_name_with_or_without_the_prefix(crank):
    assert crank["bodies"].equals(crank.bodies)
    assert crank["mbs Bodies"].attrs["units"]["time"] == "s"
    with pytest.raises(KeyError, match="did you mean Bodies"):
        crank["boddies"]


def test_a_copy_of_a_frame_has_units_and_meanings_of_its_own(crank):
    frame = crank.bodies
    copy, column = frame.copy(), frame["time"]
    copy.attrs["units"]["time"] = "min"
    copy.attrs["meanings"].clear()
    assert column.attrs["units"]["time"] == "s"
    assert frame.attrs["units"]["time"] == crank["mbs Bodies"].attrs["units"]["time"] == "s"
    assert frame.attrs["meanings"]["time"]


def test_the_frames_of_a_suspension_hold_its_sweeps_and_metrics(car):
    assert set(car.sweeps) == {name.removeprefix("mbs Sweep ") for name in car.sheet_names}
    heave = car.sweeps["heave"]
    middle = heave.loc[heave["FL.travel"].abs().idxmin()] if "FL.travel" in heave else heave.iloc[len(heave) // 2]
    assert car.metrics.loc["FL.camber", "base"] == pytest.approx(middle["FL.camber"], abs=1e-6)
    assert car.metrics.loc["FL.camber", "unit"] == "deg"
    with pytest.raises(KeyError, match=r"did you mean heave"):
        car.table("heeve")


def test_the_frames_of_gait_hold_items_and_series(walk):
    steps = walk.summary
    stance = steps[(steps["item"] == "stance") & (steps["side"] == "right")]["value"].iloc[0]
    assert 0.5 < stance < 0.7
    [series] = walk.series.values()
    assert len(series) == len(walk.solved.courses[0].time)


@pytest.mark.parametrize("name", ["crank", "car", "walk"])
def test_what_a_notebook_shows_is_short(name, request):
    results = request.getfixturevalue(name)
    assert len(repr(results)) < LONGEST_REPR
    assert f"{type(results).__name__} " in repr(results)
    html = results._repr_html_()
    assert all(sheet in html for sheet in results.sheet_names)
    read = sheetmbs.read(
        WORKBOOKS / {"crank": "slider-crank.xlsx", "car": "formula-student.xlsx", "walk": "gait-walk.xlsx"}[name]
    )
    assert len(repr(read)) < LONGEST_REPR


def test_the_package_shows_its_public_names_alone():
    assert dir(sheetmbs) == sorted([*sheetmbs.__all__, "__version__"])
    assert all(getattr(sheetmbs, name) is not None for name in sheetmbs.__all__)
