"""Gait beside what another laboratory found of the same trial: over time and over the stride, in the report's charts."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest
from lxml import etree
from typer.testing import CliRunner

from sheetmbs.command.cli import app
from sheetmbs.gait.run_gait import run_gait
from tests.support.gait_books import gait_book, walker_sheets
from tests.support.sample_results import read_parts

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
COLUMNS = ("name", "of", "column", "over", "over_column", "offset")


@pytest.fixture(scope="module")
def computed(tmp_path_factory):
    """The walker without measurements."""
    return run_gait(gait_book(tmp_path_factory.mktemp("plain") / "walk.xlsx", walker_sheets()))


def with_measured(path, rows, readings):
    return gait_book(path, {**walker_sheets(), "Measurements": [COLUMNS, *rows], "Measured": readings})


def charts(path):
    return [etree.fromstring(xml) for name, xml in read_parts(path).items() if "/charts/chart" in name]


def titled(path, title):
    return next(each for each in charts(path) if title in "".join(each.find(f"{C}chart/{C}title").itertext()))


def test_over_time_a_course_is_compared_by_the_cubic_through_its_frames(tmp_path, computed):
    series = computed["mbs Gait series"]
    assert series.attrs["units"]["right knee.angle"] == "deg, flexion +"
    times = series["time"].to_numpy()[50:200:5]
    angle = series["right knee.angle"].to_numpy()[50:200:5]
    rows = [("goniometer", "right knee.angle", "knee", "time", "t", "fit")]
    readings = [("t", "knee"), ("s", "rad"), *zip(times, np.radians(angle + 4.0), strict=True)]
    row = run_gait(with_measured(tmp_path / "walk.xlsx", rows, readings))["mbs Measured"].iloc[0]
    assert row["n"] == 30
    assert row["rms"] < 1e-9


def test_over_the_stride_the_mean_is_meant_and_the_report_shows_the_points(tmp_path, computed):
    means = computed["mbs Gait moments"]
    percent = means["percent"].to_numpy()[::10]
    moment = means["right knee.moment.mean"].to_numpy()[::10]
    rows = [("lab", "right knee.moment", "M", None, None, None)]
    readings = [("percent", "M"), ("%", "N*m/kg"), *zip(percent, moment + 0.1, strict=True)]
    book = with_measured(tmp_path / "walk.xlsx", rows, readings)
    results = run_gait(book)
    row = results["mbs Measured"].iloc[0]
    assert (row["of"], row["n"]) == ("right knee.moment.mean", len(percent))
    assert row["bias"] == pytest.approx(0.1)
    results.save()
    chart = titled(book, "Knee moment")
    series = {each.findtext(f"{C}tx//{C}v"): each for each in chart.iter(f"{C}ser")}
    points = series["measured lab"]
    held = {int(each.get("idx")): float(each.findtext(f"{C}v")) for each in points.iterfind(f"{C}val//{C}pt")}
    assert held == pytest.approx({10 * k: value + 0.1 for k, value in enumerate(moment)})
    assert points.find(f"{C}marker/{C}symbol").get("val") == "circle"
    assert "mbs Residuals" in openpyxl.load_workbook(book).sheetnames


def test_mistakes_are_told_with_the_nearest_name(tmp_path):
    rows = [("lab", "right kne.moment", "M", None, None, None)]
    book = with_measured(tmp_path / "walk.xlsx", rows, [("percent", "M"), ("%", "N*m/kg"), (0, 1)])
    for command in ("check", "run"):
        done = CliRunner().invoke(app, [command, str(book)])
        assert done.exit_code == 2
        assert "right knee.moment" in " ".join(done.output.split())
        assert "Measurements!B2" in done.output
