"""Measured samples: what is wrong is told at its cell, what is only rounded is mended and told, and sound ones pass."""

import numpy as np
import pytest

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.reading.samples.faults import lost, spikes, uniform_times, wraps
from tests.support.guided_books import COUNT, FORCE, columns, guided_book, swing, times
from tests.support.planar_books import saved, sound_book

NOISE = np.random.default_rng(4)


def told(book, tmp_path):
    """(code, cell) of each warning and note about a workbook."""
    return [(each.code, each.cell) for each in sheetmbs.read(saved(book, tmp_path)).warnings]


def degrees(t):
    return np.degrees(swing(t))


def test_smooth_samples_raise_nothing(tmp_path):
    assert told(guided_book(), tmp_path) == []


# times


@pytest.mark.parametrize("decimals", [3, 4, 2])
def test_uniform_times_are_found_behind_any_number_of_decimals(decimals, tmp_path):
    rate = 150.0 if decimals > 2 else 30.0
    t = times(rate=rate)
    rounded = np.round(t, decimals)
    model = sheetmbs.read(saved(guided_book(t, guiding={"time [s]": rounded}, force={"time [s]": rounded}), tmp_path))
    assert [(each.code, each.severity, each.cell) for each in model.warnings] == [
        ("rounded-times", "note", "Guiding!A1"),
        ("rounded-times", "note", "ForceSeries!A1"),
    ]
    assert f"{10.0**-decimals:.3g}" in model.warnings[0].found
    steps = np.diff(model.drivers[0].motion.times)
    assert np.ptp(steps) < 1e-12
    assert steps[0] == pytest.approx(1 / rate, rel=1e-2)
    assert model.drivers[0].motion.times[-1] == rounded[-1]


def test_times_rounded_to_milliseconds_no_longer_shake_the_forces(tmp_path):
    t = times()
    rounded = np.round(t, 3)
    results = [
        sheetmbs.run(sheetmbs.read(saved(guided_book(t, guiding={"time [s]": each}), tmp_path)))
        for each in (t, rounded)
    ]
    exact, found = (each.drivers["leg.y.force"].to_numpy() for each in results)
    middle = slice(3, -3)
    assert np.max(np.abs(found - exact)[middle]) < 2e-3 * np.max(np.abs(exact))


@pytest.mark.parametrize("form", ["%.7g", "%.6g"])
def test_uniform_times_are_found_behind_so_many_digits_and_behind_single_precision(form):
    t = 3.0 + times(400, 120.0)
    printed = np.array([float(form % each) for each in t])
    even, _ = uniform_times(printed)
    assert np.allclose(np.diff(even), 1 / 120.0, rtol=1e-4)
    assert uniform_times(t.astype(np.float32).astype(float)) is not None


def test_uneven_times_stay_as_they_are():
    assert uniform_times(times()) is None
    assert uniform_times(np.array([0, 0.5, 1.1, 1.5])) is None
    assert uniform_times(np.round(np.arange(200) * 0.01 + NOISE.uniform(-0.002, 0.002, 200), 3)) is None
    assert uniform_times(np.sort(NOISE.uniform(0, 9, 60))) is None


@pytest.mark.parametrize(("step", "decimals"), [(0.001, 3), (0.01, 2), (0.02, 2), (0.01, 3), (1 / 150, 3)])
@pytest.mark.parametrize("missing", [1, 5, 10, 40])
def test_a_missing_row_is_no_rounding(step, decimals, missing):
    for count in (12, 60, 500):
        t = np.round(np.arange(count) * step, decimals)
        assert missing >= count - 1 or uniform_times(np.delete(t, missing)) is None


# angles that wrap


@pytest.mark.parametrize(
    ("turn", "low"),
    [(360.0, -180.0), (360.0, 0.0), (180.0, -90.0), (180.0, 0.0)],
    ids=["atan2", "0-360", "atan", "0-180"],
)
def test_an_angle_that_wraps_is_told_at_its_cell(turn, low, tmp_path):
    t = times()
    counted = 500.0 * t + degrees(t)
    wrapped = (counted - low) % turn + low
    first = int(np.flatnonzero(np.abs(np.diff(wrapped)) > turn / 2)[0]) + 1
    model = sheetmbs.read(saved(guided_book(t, guiding={"leg.phi [deg]": wrapped}), tmp_path))
    assert [each.code for each in model.warnings] == ["angle-wraps"] * int(np.sum(np.abs(np.diff(wrapped)) > turn / 2))
    assert model.warnings[0].cell == f"Guiding!D{first + 2}"
    assert f"add {turn:.0f} deg" in model.warnings[0].mend
    assert np.degrees(model.drivers[2].motion.values) == pytest.approx(wrapped)  # nothing is mended in silence


def test_angles_without_wraps_are_none_however_coarse():
    assert wraps(np.radians([0.0, 0, 0, 180, 180, 180, 180, 180])) == []
    assert wraps(np.radians([0.0, 0, 0, 5, 175, 180, 180, 180])) == []
    assert wraps(np.radians(np.arange(30) * 175.0)) == []
    assert wraps(np.radians(np.arange(30) * 90.0)) == []
    assert wraps(np.cumsum(NOISE.normal(0, 1.5, 60))) == []
    assert len(wraps(np.radians((np.arange(30) * 90.0) % 360.0))) == 7


def test_an_angle_that_wraps_in_the_curve_of_a_driver_is_told(tmp_path):
    book = sound_book()
    book["Drivers"].delete_rows(2)
    book["Drivers"].append(["motor", None, "hinge", "angle", None, None, None, None, "turn"])
    for row, values in enumerate([("turn.x [s]", "turn.y [deg]"), *((k / 10, k * 36 % 360) for k in range(25))], 1):
        for column, value in enumerate(values, 7):
            book["Curves"].cell(row, column).value = value
    assert told(book, tmp_path) == [("angle-wraps", "Curves!H12"), ("angle-wraps", "Curves!H22")]


# samples that were lost, samples far off


@pytest.mark.parametrize(("first", "last"), [(60, 60), (50, 57), (0, 2), (118, 120)])
def test_samples_lost_to_0_are_told_once_at_the_first(first, last, tmp_path):
    t = times()
    phi = degrees(t)
    phi[first : last + 1] = 0.0
    assert told(guided_book(t, guiding={"leg.phi [deg]": phi}), tmp_path) == [("sample-lost", f"Guiding!D{first + 2}")]


def test_a_lost_sample_of_a_force_is_told_and_a_foot_in_the_air_is_not(tmp_path):
    force = columns(times())[1]["leg.fy [N]"]
    force[60] = 0.0
    assert told(guided_book(force={"leg.fy [N]": force}), tmp_path) == [("sample-lost", "ForceSeries!C62")]


@pytest.mark.parametrize("by", [-0.5, 0.08, 30.0])
def test_a_sample_far_off_is_told_at_its_cell(by, tmp_path):
    x = columns(times())[0]["leg.x [m]"]
    x[77] += by
    assert told(guided_book(guiding={"leg.x [m]": x}), tmp_path) == [("sample-far-off", "Guiding!B79")]


def test_what_is_sharp_but_meant_is_no_fault():
    ramp = np.concatenate((np.zeros(20), np.arange(20.0), np.full(20, 20.0)))
    steps = np.repeat([0.0, 1.0, 0.0, 1.0], 20)
    bump = np.zeros(40)
    bump[20] = 1.0
    triangle = np.concatenate((np.arange(20.0), np.arange(18.0, -1.0, -1.0)))
    for values in (
        ramp,
        steps,
        bump,
        triangle,
        1.0 + steps,
        NOISE.normal(0, 1, 2000),
        np.cumsum(NOISE.normal(0, 1, 2000)),
    ):
        assert spikes(values) == []
        assert lost(values) == []


# where forces act


def test_a_blank_point_where_no_force_acts_is_legal_and_changes_nothing(tmp_path):
    _, sound = columns(times())
    blank = [value if force else None for value, force in zip(sound["leg.px [mm]"], sound["leg.fy [N]"], strict=True)]
    model = sheetmbs.read(saved(guided_book(force={"leg.px [mm]": blank}), tmp_path))
    assert model.warnings == ()
    series = model.force_series[0]
    assert series.point[FORCE, 0] == pytest.approx(sound["leg.px [mm]"][FORCE] / 1000)
    assert set(np.round(series.point[: FORCE.start, 0], 12)) == {round(series.point[FORCE.start, 0], 12)}


def test_blank_points_of_a_force_are_one_problem_that_names_their_range(tmp_path):
    _, sound = columns(times())
    blank = list(sound["leg.px [mm]"])
    blank[FORCE.start + 5 : FORCE.start + 30] = [None] * 25
    with pytest.raises(WorkbookError) as caught:
        sheetmbs.read(saved(guided_book(force={"leg.px [mm]": blank}), tmp_path))
    [problem] = caught.value.problems
    assert (problem.code, problem.cell) == ("missing-value", f"ForceSeries!D{FORCE.start + 7}")
    assert f"D{FORCE.start + 7}:D{FORCE.start + 31}" in problem.found


def test_a_point_that_is_0_without_force_does_not_bend_the_others_and_is_told(tmp_path):
    _, sound = columns(times())
    zero = np.where(sound["leg.fy [N]"] > 0, sound["leg.px [mm]"], 0.0)
    model = sheetmbs.read(saved(guided_book(force={"leg.px [mm]": zero}), tmp_path))
    assert [(each.code, each.cell) for each in model.warnings] == [("point-without-force", "ForceSeries!D2")]
    assert np.min(model.force_series[0].point[:, 0]) > 0.5
    assert len(sound["leg.px [mm]"]) == COUNT


# after the run


def root_forces(book, tmp_path):
    results = sheetmbs.run(sheetmbs.read(saved(book, tmp_path)))
    found = [each for each in results.sheets.problems if each.code == "root-forces"]
    force = np.hypot(results.drivers["leg.x.force"], results.drivers["leg.y.force"])
    return found, float(np.max(force))


def test_guiding_that_must_push_harder_than_weight_and_measured_forces_is_told(tmp_path):
    sound, found = columns(times())[0], root_forces(guided_book(), tmp_path)
    assert found[0] == []
    spiked = sound["leg.x [m]"].copy()
    spiked[70] += 0.05
    [problem], largest = root_forces(guided_book(guiding={"leg.x [m]": spiked}), tmp_path)
    assert problem.cell == "Guiding!B1"
    assert largest > 12.0 * 9.81 + 704.6
    assert f"{largest:.4g} N" in problem.found
