"""Pictures of mechanisms: what is drawn stands where the results say."""

import sys
from pathlib import Path

import numpy as np
import pytest

import sheetmbs

WORKBOOKS = Path(__file__).parents[2] / "workbooks"


@pytest.fixture(scope="module")
def four_bar():
    return sheetmbs.run(sheetmbs.read(WORKBOOKS / "four-bar.xlsx"))


@pytest.fixture(scope="module")
def in_space():
    return sheetmbs.run(sheetmbs.read(WORKBOOKS / "slider-crank-3d.xlsx"))


def drawn(axes, x, y, tolerance=1e-6):
    """Whether some line of a picture has a point there."""
    return any(
        np.any(np.hypot(np.asarray(line.get_xdata()) - x, np.asarray(line.get_ydata()) - y) < tolerance)
        for line in axes.lines
    )


def test_ends_of_the_lines_are_where_the_points_are(four_bar):
    row = four_bar.points.iloc[30]
    axes = sheetmbs.plot(four_bar, [row["time"]]).axes[0]
    for name in {column.rpartition(".")[0] for column in four_bar.points.columns[1:]}:
        for line in axes.lines:
            if np.array_equal(line.get_xdata(), four_bar.points[f"{name}.x"]):
                line.remove()  # its path
                break
        assert drawn(axes, row[f"{name}.x"], row[f"{name}.y"]), name


def test_results_draw_themselves_as_the_function_does(four_bar):
    time = four_bar.points["time"].iloc[30]
    own, other = four_bar.plot([time]).axes[0], sheetmbs.plot(four_bar, [time]).axes[0]
    assert len(own.lines) == len(other.lines) > 0
    for line, same in zip(own.lines, other.lines, strict=True):
        assert np.array_equal(line.get_xydata(), same.get_xydata())


def test_three_views_and_an_oblique_one_show_a_mechanism_in_space(in_space):
    row = in_space.points.iloc[40]
    figure = sheetmbs.plot(in_space, [row["time"]])
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "side view, x-z",
        "front view, y-z",
        "top view, x-y",
        "oblique view",
    ]
    pin = next(name for name in {column.rpartition(".")[0] for column in in_space.points.columns[1:]})
    x, y, z = (row[f"{pin}.{axis}"] for axis in "xyz")
    for axes, (across, up) in zip(figure.axes, ((x, z), (y, z), (x, y)), strict=False):
        assert drawn(axes, across, up)


def test_every_body_is_named_once(four_bar):
    names = [text.get_text() for text in sheetmbs.plot(four_bar).legends[0].get_texts()]
    assert names == ["crank", "coupler", "rocker", "ground"]


def test_beginning_middle_and_end_are_shown_by_default(four_bar):
    assert sheetmbs.plot(four_bar).get_suptitle() == "Four-bar linkage at t = 0, 0.5, 1 s"


def test_time_outside_of_the_run_is_refused_in_words(four_bar):
    with pytest.raises(ValueError, match="the time 7 s lies outside of the run, which goes from 0 to 1 s"):
        sheetmbs.plot(four_bar, [0.5, 7.0])


def test_missing_matplotlib_is_told_with_the_command_that_installs_it(four_bar, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r'pip install "sheetmbs\[plot\]"'):
        sheetmbs.plot(four_bar)


def test_springs_and_slides_are_drawn(tmp_path):
    result = sheetmbs.run(sheetmbs.read(WORKBOOKS / "andrews.xlsx"))
    figure = sheetmbs.plot(result, [0.0])
    start = result.points.iloc[0]
    zigzags = [line for line in figure.axes[0].lines if len(line.get_xdata()) == 20]
    assert len(zigzags) == 1
    assert abs(zigzags[0].get_xdata()[0] - start["D.x"]) < 1e-6
    assert abs(zigzags[0].get_xdata()[-1] - 14.0) < 1e-6
    path = tmp_path / "andrews.png"
    figure.savefig(path, dpi=40)
    assert path.stat().st_size > 3000


@pytest.fixture(scope="module")
def quarter_car():
    return sheetmbs.run(sheetmbs.read(WORKBOOKS / "quarter-car.xlsx"))


def test_shapes_are_drawn_at_rest_and_swung_out_to_both_sides(quarter_car):
    figure = sheetmbs.plot(quarter_car)
    assert [axes.get_title(loc="left") for axes in figure.axes] == [
        "mode 1: 1.353 Hz, damping ratio 0.288",
        "mode 2: 11.61 Hz, damping ratio 0.28",
    ]
    for axes, (_, mode) in zip(figure.axes, quarter_car.modes.iterrows(), strict=True):
        heights = [[], []]
        for line in axes.lines:
            if line.get_marker() == "+":
                heights[int(np.asarray(line.get_ydata())[0] > 0.5)].append(np.asarray(line.get_ydata())[0])
        for (rest, back, forth), middle, name in zip(heights, (0.3, 0.7), ("wheel", "body"), strict=True):
            assert abs(rest - middle) < 1e-9
            assert abs(forth + back - 2 * middle) < 1e-9
            assert (forth - middle) * mode[f"{name}.y"] > 0.0
        swung = [forth - rest for rest, _back, forth in heights]
        assert abs(swung[0] * mode["body.y"] - swung[1] * mode["wheel.y"]) < 1e-9


def test_shapes_of_a_mechanism_in_space_are_drawn():
    top = sheetmbs.run(sheetmbs.read(WORKBOOKS / "gyroscope.xlsx"), analysis="modes")
    figure = sheetmbs.plot(top)
    assert all(axes.get_title(loc="left").startswith("mode ") for axes in figure.axes)


def test_shapes_have_no_times(quarter_car):
    with pytest.raises(ValueError, match="no times"):
        sheetmbs.plot(quarter_car, [0.0])
