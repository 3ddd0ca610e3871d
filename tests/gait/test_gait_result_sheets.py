"""Result sheets of gait hold what the exact walker does, in the workbook's signs and units."""

import numpy as np
import openpyxl
import pytest

from sheetmbs.gait.run_gait import run_gait
from sheetmbs.gait.sheets.course_tables import series_names, series_tables, stride_tables
from sheetmbs.gait.sheets.gait_columns import DECLARED, GAIT_RESULT_SHEETS
from sheetmbs.gait.sheets.shown_items import residual_items, shown_items
from sheetmbs.gait.strides.summary_items import SummaryItem, summary_items
from tests.gait.gait_courses import walker_trial
from tests.gait.gait_pages_made import QUALITY, shown, write_again, written
from tests.gait.test_gait_clusters import workbook as in_space
from tests.support import gait_walker as w
from tests.support.sample_results import loaded_sheet
from tests.support.validators import SCHEMAS, against_schemas, broken_by_a_run

PERCENT = np.linspace(0.0, 100.0, 101)
KINKS = np.array([0.0, 12.0, 50.0, 62.0, 100.0])
SMOOTH = np.abs(PERCENT[:, None] - KINKS).min(axis=1) > 3.0
"""away from where a foot takes over: loads of the walker have kinks there, which splines round"""


@pytest.fixture(scope="module")
def gait():
    return shown(trials=1, duration=6.0)


@pytest.fixture(scope="module")
def book(gait, tmp_path_factory):
    path = written(tmp_path_factory.mktemp("gait") / "walk.xlsx", gait)
    return path, openpyxl.load_workbook(path)


def tables(gait):
    return {table.name: dict(zip(table.columns, table.values.T, strict=True)) for table in stride_tables(gait)}


def close(found, exact):
    return np.allclose(found[SMOOTH], exact[SMOOTH], atol=2e-4 * np.abs(exact).max())


def column(book, sheet, name):
    rows = list(book[sheet].iter_rows(values_only=True))
    place = rows[0].index(name)
    return rows[1][place], [row[place] for row in rows[2:]]


def test_means_are_what_the_walker_does_over_its_stride(gait):
    at = w.PERIOD * (1.0 + PERCENT / 100.0)
    found, body, loads = tables(gait), w.walk(at), w.joint_loads(at)
    knee = np.degrees(body.pieces["right thigh"].angle.value - body.pieces["right shank"].angle.value)
    assert np.allclose(found["mbs Gait angles"]["right knee.angle.mean"], knee, atol=1e-3)
    trunk = np.degrees(body.pieces["trunk"].angle.value)
    assert np.allclose(found["mbs Gait angles"]["trunk.angle.mean"], trunk, atol=1e-3)
    load = loads["right ankle"]
    assert close(found["mbs Gait moments"]["right ankle.moment.mean"], -load.moment / w.MASS)
    assert close(found["mbs Gait moments"]["right ankle.fy.mean"], load.force[:, 1])
    assert close(found["mbs Gait powers"]["right ankle.power.mean"], load.power / w.MASS)
    support = loads["right knee"].moment - load.moment - loads["right hip"].moment
    assert close(found["mbs Gait moments"]["right support.moment.mean"], support / w.MASS)


def test_the_left_side_begins_with_its_own_strike(gait):
    at = w.PERIOD * (1.5 + PERCENT / 100.0)
    moment = -w.joint_loads(at)["left hip"].moment / w.MASS
    assert close(tables(gait)["mbs Gait moments"]["left hip.moment.mean"], moment)


def test_a_walker_that_repeats_itself_deviates_by_nothing_and_all_strides_count(gait):
    found = tables(gait)["mbs Gait angles"]
    strides = [name for name in found if name.startswith("right knee.angle.") and name.split(".")[-1].isdigit()]
    assert strides == [f"right knee.angle.{k}" for k in range(1, len(gait.of_side("right")) + 1)]
    assert np.nanmax(found["right knee.angle.sd"]) < 1e-3
    assert np.nanmax(found["right knee.angle.n"]) == len(strides)


def test_deviations_are_those_of_the_trials():
    """Two trials of one stride each, one of which is larger by 6 %: their SD is 6 % of the first by the root of 2."""
    found = tables(shown(trials=2, duration=2.1, edge=0.0))["mbs Gait angles"]
    first, second = found["left hip.angle.1"], found["left hip.angle.2"]
    n = found["left hip.angle.n"]
    both = n == 2
    assert both.any()
    expected = np.abs(second - first) / np.sqrt(2.0)
    assert np.allclose(found["left hip.angle.sd"][both], expected[both], atol=1e-12)
    assert np.allclose(second, 1.06 * first, atol=5e-3)


def test_signs_and_units_of_moments_follow_processing():
    usual, other = shown(trials=1), shown(trials=1, signs="isb", moment_unit="N*m", moment="external")
    mine, theirs = tables(usual)["mbs Gait moments"], tables(other)["mbs Gait moments"]
    # clinical and internal is minus the moment of the mechanics at the hip, isb and external too
    assert np.allclose(
        theirs["right hip.moment.mean"], w.MASS * mine["right hip.moment.mean"], atol=1e-9, equal_nan=True
    )
    assert np.allclose(
        theirs["right knee.moment.mean"], -w.MASS * mine["right knee.moment.mean"], atol=1e-9, equal_nan=True
    )
    assert np.allclose(theirs["right knee.moment.sd"], w.MASS * mine["right knee.moment.sd"], atol=1e-9, equal_nan=True)
    table = next(table for table in stride_tables(other) if table.name == "mbs Gait moments")
    units = dict(zip(table.columns, table.units, strict=True))
    assert units["right hip.moment.mean"] == units["right hip.moment.1"] == "N*m, external flexion +"
    assert units["right hip.moment.sd"] == "N*m"


def test_sheets_have_headers_in_row_1_units_in_row_2_and_numbers_in_full(gait, book):
    _, read = book
    found = tables(gait)["mbs Gait moments"]
    unit, values = column(read, "mbs Gait moments", "right knee.moment.mean")
    assert unit == "N*m/kg, extensor +"
    assert np.array_equal(np.array(values, float), found["right knee.moment.mean"], equal_nan=True)
    assert column(read, "mbs Gait angles", "percent") == ("%", [float(k) for k in range(101)])


def test_the_series_holds_each_frame_as_the_trial_has_it(gait, book):
    trial, (_, read) = gait.trials[0], book
    for name, values, unit in (
        ("time", trial.time, "s"),
        ("right knee.rate", np.degrees(trial.joints["right knee"]["rate"]), "deg/s, flexion +"),
        ("left hip.moment", -trial.joints["left hip"]["moment"] / w.MASS, "N*m/kg, extensor +"),
        ("right foot.px", trial.feet["right"]["px"], "m, forward +"),
        ("left foot.m", trial.feet["left"]["m"], "N*m, CCW +"),
        ("com.y", trial.com[:, 1], "m"),
        ("residual.fx", trial.residual["fx"], "N"),
        ("edge", trial.edge.astype(float), None),
    ):
        found_unit, found = column(read, "mbs Gait series", name)
        assert found_unit == unit
        assert np.allclose(np.array(found, float), values, rtol=1e-15, atol=0, equal_nan=True)


def test_what_is_not_known_is_an_empty_cell(book):
    _, read = book
    _, places = column(read, "mbs Gait series", "right foot.px")
    assert None in places
    assert not [each for row in read["mbs Gait series"].iter_rows(values_only=True) for each in row if each == "nan"]


def test_names_of_series_are_no_longer_than_a_sheet_may_be_called_and_all_differ():
    names = series_names(["", "walk03", "a very long name of a trial 1", "a very long name of a trial 2", "WALK03"])
    assert names[:2] == ["mbs Gait series", "mbs Gait series walk03"]
    assert max(map(len, names)) <= 31
    assert len({name.casefold() for name in names}) == len(names)


def test_every_column_is_declared_with_what_it_is_and_its_unit(gait):
    documented = {sheet.name for sheet in GAIT_RESULT_SHEETS}
    for table in (*stride_tables(gait), *series_tables(gait)):
        assert table.name in documented
        assert len(table.declared) == len(table.columns)
        for name, unit, column_ in zip(table.columns, table.units, table.declared, strict=True):
            said = {quantity.si for quantity in column_.quantities}
            assert unit.partition(",")[0] in said, name
            assert column_.doc
    assert len(DECLARED) == sum(len(kind.columns) for sheet in GAIT_RESULT_SHEETS for kind in sheet.kinds)


def test_items_are_shown_as_their_columns_are(gait):
    found = {(each.item, each.side, each.joint): each for each in shown_items(gait, summary_items(gait.trials))}
    means = tables(gait)
    hip = means["mbs Gait moments"]["right hip.moment.mean"]
    assert found["moment max", "right", "hip"].value == pytest.approx(np.nanmax(hip), abs=0.02)
    assert found["moment min", "right", "hip"].value == pytest.approx(np.nanmin(hip), abs=0.02)
    assert found["moment max", "right", "hip"].at == pytest.approx(np.nanargmax(hip), abs=1.0)
    knee = means["mbs Gait angles"]["right knee.angle.mean"]
    assert found["angle max", "right", "knee"].value == pytest.approx(np.nanmax(knee), abs=0.1)
    assert found["stance", "left", ""].value == pytest.approx(100.0 * (0.5 + w.DOUBLE_SUPPORT), abs=1e-9)
    assert found["cadence", "", ""].value == pytest.approx(120.0 / w.PERIOD)
    assert found["cadence", "", ""].unit == "steps/min"
    assert found["speed", "", ""].value == pytest.approx(w.SPEED, rel=1e-3)
    assert found["moment max", "right", "ankle"].unit == "N*m/kg, plantarflexor +"


def test_the_largest_of_a_moment_whose_sign_turns_is_its_smallest():
    gait = shown(trials=1)
    item = SummaryItem("moment min, first 30 %", "right", "hip", -140.0, 7.0, 3, "N*m", (8.0,))
    (found, *_), mass = list(shown_items(gait, [item])), w.MASS
    assert (found.item, found.value, found.sd) == (
        "moment max, first 30 %",
        pytest.approx(140.0 / mass),
        pytest.approx(7.0 / mass),
    )


def test_the_residual_is_told_with_its_share_of_the_ground_force():
    gait = shown(trials=1)
    trial = gait.trials[0]
    trial.residual["fx"][:] = 3.0
    trial.residual["fy"][:] = -4.0
    trial.residual["m"][:] = 2.0
    trial.residual["m"][50:55] = np.nan
    trial.residual["fx"][trial.edge] = 900.0
    found = {(each.item, each.unit): each for each in residual_items(gait)}
    both = sum(foot["fy"] for foot in trial.feet.values())
    peak = np.hypot(sum(foot["fx"] for foot in trial.feet.values()), both)[~trial.edge].max()
    assert found["residual force, rms", "N"].value == pytest.approx(5.0)
    assert found["residual force, peak", "% of peak ground force"].value == pytest.approx(500.0 / peak)
    of_height = found["residual moment, peak", "% of peak ground force x height"].value
    assert of_height == pytest.approx(200.0 / (peak * w.HEIGHT))
    assert found["residual force, rms", "N"].n == len(trial.time) - 5 - np.sum(trial.edge), (
        "filters know less near the ends"
    )


def test_of_one_leg_nothing_is_said_of_a_residual_but_that_it_cannot_be():
    (only,) = residual_items(shown(trials=1, sides=("right",)))
    assert str(only.value).startswith("not determinable")


def test_the_summary_says_how_the_numbers_were_made_and_which_stride_is_which(gait, book):
    _, read = book
    rows = list(read["mbs Gait summary"].iter_rows(values_only=True))
    assert rows[0][:8] == ("item", "side", "joint", "value", "sd", "n", "unit", "at")
    said = {row[0]: row[3] for row in rows if row[0]}
    assert said["filter"] == (
        "4th order zero-lag Butterworth, -3 dB at 6.00 Hz (7.43 Hz a pass), forces the same, derivative spline"
    )
    assert ("line of the angle", "right knee to right hip") not in said.items()
    lines = [row[3] for row in rows if row[0] == "line of the angle"]
    assert "right thigh: right knee to right hip" in lines
    first = next(k for k, row in enumerate(rows) if row[0] == "Strides")
    assert rows[first + 1][:6] == ("stride", "side", "trial", "start", "end", "toe off")
    stride = gait.of_side("right")[0]
    assert rows[first + 3][0:2] == (1, "right")
    assert rows[first + 3][3:6] == pytest.approx((stride.start, stride.end, 62.0))


def test_events_stand_with_source_and_plate(gait, book):
    _, read = book
    rows = list(read["mbs Gait events"].iter_rows(values_only=True))
    first = ("event", "side", "time", "frame", "trial", "source", "plate", "offset")
    assert rows[0] == (*first, "u", "other method", "first")
    assert rows[1][2] == "s"
    assert len(rows) == 2 + len(gait.trials[0].events)
    assert rows[2][:4] == ("heel strike", "right", 0.0, 1)
    assert rows[2][5:7] == ("force", "FP1")


def test_tables_of_quality_stand_under_their_titles(book):
    _, read = book
    values = [row[:4] for row in read["mbs Gait quality"].iter_rows(values_only=True)]
    title = next(k for k, row in enumerate(values) if row[0] == QUALITY[1].title)
    assert values[title + 1][:3] == ("marker", "noise", "advised")
    assert values[title + 2][1:3] == ("m", "Hz")
    assert values[title + 3][:3] == ("RKNE", 0.00093, 7.4)


def test_sheets_stand_in_their_order_and_the_report_is_seen_first(book):
    _, read = book
    assert read.active.title == "mbs Gait report"
    assert [name for name in read.sheetnames if name.startswith("mbs Gait")] == [
        "mbs Gait report",
        "mbs Gait summary",
        "mbs Gait clinical",
        "mbs Gait angles",
        "mbs Gait moments",
        "mbs Gait powers",
        "mbs Gait consistency",
        "mbs Gait events",
        "mbs Gait quality",
        "mbs Gait series",
    ]


def test_without_forces_there_are_no_sheets_of_moments_and_powers():
    gait = shown(trials=1, forces=False)
    assert list(tables(gait)) == ["mbs Gait angles"]
    (series,) = series_tables(gait)
    assert not [name for name in series.columns if "moment" in name or "power" in name or "foot.f" in name]


def test_a_workbook_in_space_shows_its_other_angles_and_moments(tmp_path):
    results = run_gait(in_space(tmp_path / "space.xlsx"))
    found = {table.name: table for table in results.sheets.tables}
    moments = found["mbs Gait moments"]
    units = dict(zip(moments.columns, moments.units, strict=True))
    assert units["right hip.moment_adduction.mean"] == "N*m/kg, adductor +"
    assert units["left knee.moment_rotation.mean"] == "N*m/kg, internal rotator +"
    assert units["left knee.moment_flexion.mean"] == units["left knee.moment.mean"] == "N*m/kg, extensor +"
    angles = dict(zip(found["mbs Gait angles"].columns, found["mbs Gait angles"].values.T, strict=True))
    assert np.array_equal(angles["right hip.flexion.mean"], angles["right hip.angle.mean"], equal_nan=True)
    assert np.nanmax(np.abs(angles["left ankle.adduction.mean"])) < 1e-3
    assert {"right knee.fz", "right knee.rotation"} <= set(found["mbs Gait series"].columns)
    for table in found.values():
        assert len(table.declared) == len(table.columns)
    path = results.save()
    assert openpyxl.load_workbook(path).active.title == "mbs Gait report"


def test_a_stride_whose_forces_are_not_known_throughout_is_not_counted_with_moments(tmp_path):
    gait = shown(trials=1, duration=6.0)
    hidden = {"left hip", "left knee", "left ankle"}
    trial = gait.trials[0]
    for label in hidden:
        for quantity in ("moment", "power", "fx", "fy"):
            trial.joints[label][quantity][150:160] = np.nan
    again = type(gait)(gait.book, [trial])
    lost = [each.start < 1.6 and each.end > 1.5 for each in again.of_side("left")]
    assert again.has_moments("left") == [not each for each in lost]
    assert any(lost)
    rows = list(loaded_sheet(written(tmp_path / "lost.xlsx", again), "mbs Gait summary").values)
    said = [row[6] for row in rows if row[1] == "left" and isinstance(row[0], int)]
    assert said == ["no: not known in every frame" if each else "yes" for each in lost]


def test_a_trial_too_short_for_a_stride_still_has_its_series(tmp_path):
    gait = shown(trials=1, duration=0.8)
    assert list(stride_tables(gait)) == []
    path = written(tmp_path / "short.xlsx", gait)
    read = openpyxl.load_workbook(path)
    assert read["mbs Gait series"].max_row == 2 + 80
    said = [str(cell.value) for row in read["mbs Gait report"].iter_rows() for cell in row if cell.value]
    assert any(text.startswith("No stride") for text in said)
    assert not read["mbs Gait report"]._charts
    first = next(row[0].row for row in read["mbs Gait report"].iter_rows() if row[0].value == "How it was made")
    assert first < 10  # no room for charts that are not there


def test_what_is_written_keeps_to_the_schemas_and_to_the_rules_of_excel(tmp_path):
    before = tmp_path / "before.xlsx"
    empty = openpyxl.Workbook()
    empty.active.title = "Processing"
    empty.save(before)
    for name, gait in (("both", shown()), ("one", shown(sides=("left",))), ("steps", shown(trials=1, points=52))):
        path = written(tmp_path / f"{name}.xlsx", gait)
        assert broken_by_a_run(path, before) == []
        if SCHEMAS.is_dir():
            assert against_schemas(path, before) == []


def test_a_second_run_gives_the_same_file(tmp_path):
    gait = shown(trials=1)
    path = written(tmp_path / "twice.xlsx", gait)
    first = path.read_bytes()
    assert write_again(path, gait).read_bytes() == first


def test_walking_the_same_with_another_name_of_the_trial_changes_no_number():
    gait, other = shown(trials=1), shown(trials=1)
    named = walker_trial(other.book, "walk07")
    again = type(other)(other.book, [named])
    mine, theirs = tables(gait), tables(again)
    assert all(np.array_equal(mine[s][c], theirs[s][c], equal_nan=True) for s in mine for c in mine[s])
