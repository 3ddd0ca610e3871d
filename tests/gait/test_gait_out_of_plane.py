"""What a walk in space shows beside its sagittal plane: a trunk that leans sideways, seen from left, right and other axes."""

import numpy as np
import openpyxl
import pytest

from sheetmbs import read, run
from sheetmbs.gait.kinetics.joint_loads import spatial_loads
from sheetmbs.gait.run_gait import run_gait
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.shown_items import residual_items
from sheetmbs.gait.written_model import write_model
from tests.gait.test_gait_clusters import sheets_in_space
from tests.gait.test_gait_in_space import in_space
from tests.support import gait_walker as walker
from tests.support.gait_books import gait_book

TIME = np.arange(261) / 100.0
LEAN = 0.15 + 0.08 * np.sin(3.0 * TIME)
"""rad, of the trunk to the right"""
OTHER = {"right": "left", "left": "right"}
MIRRORED = {"z", "fz", "mx", "my"}
CYCLE = {"x": "z", "y": "x", "z": "y"}
"""axes of a laboratory whose x is up: z forward, x up, y to the right"""


def leaning():
    """Turns (n, 3, 3) about the line in which the walker walks."""
    forward = in_space(TIME[:1])[2][:, 0]
    skew = np.cross(forward, np.eye(3)).T
    outer = np.outer(forward, forward)
    cos, sin = np.cos(LEAN)[:, None, None], np.sin(LEAN)[:, None, None]
    return cos * np.eye(3) + sin * skew + (1.0 - cos) * outer


def renamed(name):
    side, _, rest = name.partition(" ") if " " in name else name.partition(".")
    return name.replace(side, OTHER[side], 1) if side in OTHER and rest else name


def mirrored(sheets):
    """The same walk in a mirror: left for right, and all that is across turned about."""
    found = dict(sheets)
    for sheet in ("Markers", "Markers static", "Force plates"):
        header, units, *rows = sheets[sheet]
        sign = np.array([-1.0 if name.rpartition(".")[2] in MIRRORED else 1.0 for name in header])
        found[sheet] = [[renamed(name) for name in header], units, *(sign * np.array(rows)).tolist()]
    return found


def turned_about(sheets):
    """The same walk in a laboratory whose axes have other letters."""
    found = dict(sheets)
    for sheet in ("Markers", "Markers static", "Force plates"):
        header, *rows = sheets[sheet]
        found[sheet] = [[header[0], *(name[:-1] + CYCLE[name[-1]] for name in header[1:])], *rows]
    axes = {"axis_forward": "+z", "axis_up": "+x"}
    found["Processing"] = [(row[0], axes.get(row[0], row[1])) for row in sheets["Processing"]]
    return found


@pytest.fixture(scope="module")
def sheets():
    return sheets_in_space(leaning())


@pytest.fixture(scope="module")
def results(sheets, tmp_path_factory):
    return run_gait(gait_book(tmp_path_factory.mktemp("gait") / "leaning.xlsx", sheets))


def test_hips_adduct_as_the_trunk_leans(results):
    """sin(adduction) = e1 . e3, z of the trunk on y of the thigh; mirrored on the left."""
    courses = results.solved.courses[0]
    thighs = walker.walk(TIME).pieces
    for side, sign in (("right", -1.0), ("left", 1.0)):
        upright = thighs[f"{side} thigh"].angle.value - np.pi / 2.0
        expected = np.arcsin(sign * np.sin(LEAN) * np.cos(upright))
        assert np.abs(courses.joints[f"{side} hip"]["adduction"] - expected).max() < 1e-6
        assert np.abs(courses.joints[f"{side} knee"]["adduction"]).max() < 1e-6


def test_left_is_right_in_a_mirror(results, sheets, tmp_path):
    plain = results.solved.courses[0].joints
    other = run_gait(gait_book(tmp_path / "mirror.xlsx", mirrored(sheets))).solved.courses[0].joints
    assert plain.keys() == other.keys()
    for label, course in plain.items():
        for quantity, values in course.items():
            sign = -1.0 if quantity == "fz" else 1.0
            seen = sign * other[renamed(label)][quantity]
            size = np.nanmax(np.abs(values))
            assert np.allclose(seen, values, rtol=0.0, atol=1e-7 * max(size, 1.0), equal_nan=True), (label, quantity)


def test_other_letters_of_axes_change_nothing(results, sheets, tmp_path):
    other = run_gait(gait_book(tmp_path / "cycle.xlsx", turned_about(sheets)))
    for table, again in zip(results.sheets.tables, other.sheets.tables, strict=True):
        assert (table.name, table.columns, table.units) == (again.name, again.columns, again.units)
        assert np.allclose(table.values, again.values, rtol=1e-7, atol=1e-6, equal_nan=True)


def test_the_whole_body_has_its_centre_and_its_residual_in_space(tmp_path):
    solved = run_gait(gait_book(tmp_path / "upright.xlsx", sheets_in_space())).solved
    courses = solved.courses[0]
    segments, wrenches, _ = in_space(TIME)
    exact = spatial_loads(segments, wrenches, walker.GRAVITY)
    assert np.abs(courses.com - exact.com).max() < 1e-9
    assert np.ptp(courses.com[:, 2]) > 0.3, "it walks across the laboratory"
    inner = slice(15, -15)
    for index, name in enumerate(("fx", "fy", "fz", "mx", "my", "mz")):
        error = (courses.residual[name] - exact.residual[:, index])[inner]
        assert np.sqrt(np.nanmean(error**2)) < 2.0, name
    assert np.isfinite(courses.residual["mx"]).sum() > 100


def test_sheets_show_what_is_out_of_the_plane(results, tmp_path):
    items = [each for each in results.items if each.item == "adduction max" and each.joint == "hip"]
    assert [each.side for each in items] == ["right", "left"]
    right, left = (each.value for each in items)
    assert right < 0.0 < left
    book = openpyxl.load_workbook(results.save(tmp_path / "shown.xlsx"))
    rows = {tuple(row[:3]): row for row in book["mbs Gait summary"].values}
    shown = rows["adduction max", "left", "hip"]
    assert shown[3] == pytest.approx(np.degrees(left))
    assert shown[6] == "deg, adduction +"
    assert rows["moment adduction max", "right", "knee"][6] == "N*m/kg, adductor +"
    series = [cell.value for cell in book["mbs Gait series"][1]]
    assert {"residual.fz", "residual.mx", "com.z", "right foot.fz", "left foot.pz"} <= set(series)
    report = book["mbs Gait report"]
    words = {cell.value for row in report for cell in row if isinstance(cell.value, str)}
    assert any(each.startswith("Left side, adduction and rotation") for each in words)
    assert {"moment add., max", "rotation, min"} <= words
    titles = [chart.title.tx.rich.p[0].r[0].t for chart in report._charts]
    counts = {
        "Hip adduction": 3,
        "Knee adduction moment": 3,
        "Ankle rotation moment": 2,
        "Hip angle": 2,
        "Hip flexion": 1,
    }
    assert {each: titles.count(each) for each in counts} == counts


def test_an_external_moment_has_the_other_sign_and_says_so(sheets, results, tmp_path):
    processing = [*sheets["Processing"], ("moment", "external")]
    external = run_gait(gait_book(tmp_path / "external.xlsx", sheets | {"Processing": processing}))
    name = "right hip.moment_adduction.mean"
    (own, own_unit), (other, other_unit) = (_column(each, name) for each in (results, external))
    assert np.allclose(own, -other, equal_nan=True)
    assert np.nanmax(np.abs(own)) > 0.01
    assert (own_unit, other_unit) == ("N*m/kg, adductor +", "N*m/kg, external adduction +")


def _column(results, name):
    table = next(each for each in results.sheets.tables if name in each.columns)
    index = table.columns.index(name)
    return table.values[:, index], table.units[index]


def test_the_written_model_of_a_trial_in_space_gives_the_same_moments(results, sheets, tmp_path):
    write_model(results.solved, tmp_path / "model.xlsx")
    alone = run(read(tmp_path / "model.xlsx"))
    assert [each.code for each in alone.sheets.problems] == []
    trial = results.solved.trials[0]
    loads, segments = trial.loads, trial.in_space.segments
    chains = {"foot": ("foot",), "shank": ("foot", "shank"), "thigh": ("foot", "shank", "thigh")}

    def vector(sheet, name, quantities):
        return np.column_stack([sheet[f"{name}.{each}"] for each in quantities])

    assert len(alone.drivers) == len(trial.courses.time)
    for side in ("right", "left"):
        for upper, below in chains.items():
            moment = 0.0
            for name in (f"{side} {each}" for each in below):
                force = vector(alone.drivers, name, ("x.force", "y.force", "z.force"))
                arm = vector(alone.bodies, name, "xyz") - segments[f"{side} {upper}"].proximal
                moment = moment + vector(alone.drivers, name, ("rx.moment", "ry.moment", "rz.moment"))
                moment = moment + np.cross(arm, force)
            exact = loads.moment[f"{side} {upper}"]
            assert np.abs(exact).max() > 10.0
            assert np.abs(moment - exact).max() < 1e-6, (side, upper)
    detailed = sheets | {"Processing": [*sheets["Processing"], ("detail", "yes")]}
    shown = run_gait(gait_book(tmp_path / "detail.xlsx", detailed)).sheets
    # the axes of its feet stand aslant, so its ankles have a mean that is none of a walk
    assert {each.code for each in shown.problems if each.severity == "warning"} <= {"plausible-angles"}
    own = next(each for each in shown.tables if each.name == "mbs Drivers")
    assert "trunk.rz.moment" in own.columns
    found = own.values[:, own.columns.index("right foot.rx.moment")]
    assert np.allclose(found, alone.drivers["right foot.rx.moment"], atol=1e-6)


def test_the_size_of_the_residual_counts_all_three_directions(results):
    gait = GaitPresentation(results.solved.book, results.solved.courses)
    found = next(each for each in residual_items(gait) if each.item == "residual force, peak")
    residual = gait.trials[0].residual
    size = np.sqrt(sum(residual[name] ** 2 for name in ("fx", "fy", "fz")))
    assert found.value == pytest.approx(np.nanmax(size))
    assert found.value > np.nanmax(np.hypot(residual["fx"], residual["fy"])), "it leans"


def test_one_marker_that_leaves_its_cluster_is_named_at_its_cell_with_its_frames(sheets, results, tmp_path):
    """It drifts away and back, so that no leap tells of it."""
    assert not [each for each in results.solved.problems if each.code == "marker-off-cluster"]
    header, units, *rows = (list(row) for row in sheets["Markers"])
    at = header.index("left thigh 3.y")
    for row, away in zip(rows[100:141], 0.08 * np.sin(np.linspace(0.0, np.pi, 41)), strict=True):
        row[at] += away
    told = run_gait(gait_book(tmp_path / "off.xlsx", sheets | {"Markers": [header, units, *rows]})).solved.problems
    [found] = [each for each in told if each.code == "marker-off-cluster"]
    first, last = 101 + 7, 141 - 7
    assert found.cell == f"Markers!{openpyxl.utils.get_column_letter(at)}{first + 2}"
    assert found.found == (
        f"left thigh 3 is up to 80 mm from where the other markers of left thigh put it, in frames {first}-{last}"
    )


def test_one_millimetre_of_noise_is_no_marker_off_its_cluster(sheets, tmp_path):
    header, units, *rows = sheets["Markers"]
    noisy = np.array(rows)
    noisy[:, 1:] += 1e-3 * np.random.default_rng(3).standard_normal(noisy[:, 1:].shape)
    told = run_gait(gait_book(tmp_path / "noisy.xlsx", sheets | {"Markers": [header, units, *noisy.tolist()]}))
    assert not [each for each in told.solved.problems if each.code == "marker-off-cluster"]
