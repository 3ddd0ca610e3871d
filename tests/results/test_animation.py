"""The sheet `mbs Animation`: the places that it draws are those of the results, in every frame and in every program."""

from __future__ import annotations

import re
import shutil
import zipfile
from dataclasses import replace
from itertools import pairwise

import numpy as np
import openpyxl
import pytest
from lxml import etree

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.results.pictures import moving_picture as frames_module
from sheetmbs.results.pictures.moving_picture import RESOLUTION, moving_picture, picture_of_cases
from sheetmbs.results.pictures.scene import COLOURS
from sheetmbs.results.pictures.strokes import PICTURES
from sheetmbs.workbook.writing.write import write_results
from tests.results.animated import (
    SHEET,
    WORKBOOKS,
    Shown,
    as_sheet_of_the_user,
    choose,
    run,
    set_settings,
    strokes_on_paper,
    with_settings,
)
from tests.support.excel import save_as_excel
from tests.support.formula_books import at, formulas_of
from tests.support.sample_results import (
    change_part,
    convert,
    loaded_sheet,
    needs_libreoffice,
    read_parts,
    sheet_names,
    sheet_part,
    write_parts,
)
from tests.support.validators import against_microsoft, against_schemas, broken_by_a_run, needs_schemas, needs_validator

needs_poppler = pytest.mark.skipif(shutil.which("pdftocairo") is None, reason="poppler is not installed")
X14 = "{http://schemas.microsoft.com/office/spreadsheetml/2009/9/main}"
CRANK = 80.0
"""mm: half the length of the crank of four-bar.xlsx is the distance of both its ends from its centre"""


@pytest.fixture(scope="module")
def four_bar(tmp_path_factory):
    """A workbook with the sheet, and its results."""
    path = with_settings("four-bar", tmp_path_factory.mktemp("animation") / "book.xlsx", animation="yes")
    return path, run(path)


@pytest.fixture
def book(four_bar, tmp_path):
    """A copy of that workbook."""
    path = tmp_path / "book.xlsx"
    shutil.copy(four_bar[0], path)
    return path


def crank_ends(result, times):
    """(times, 2, 2): both ends of the crank, from its centre and angle."""
    bodies = result.bodies
    rows = [int(np.argmin(np.abs(bodies["time"].to_numpy() - time))) for time in np.atleast_1d(times)]
    centre = bodies[["crank.x", "crank.y"]].to_numpy()[rows]
    angle = np.radians(bodies["crank.phi"].to_numpy()[rows])
    along = 0.5 * CRANK * np.column_stack((np.cos(angle), np.sin(angle)))
    return np.stack((centre - along, centre + along), axis=1)


def test_the_places_of_every_frame_are_those_of_the_results(four_bar):
    path, result = four_bar
    shown = Shown(path)
    times = shown.frames("time")
    assert len(times) == 101
    np.testing.assert_allclose(times[[0, -1]], result.bodies["time"].iloc[[0, -1]])
    np.testing.assert_allclose(np.diff(times), times[1] - times[0], rtol=1e-9)
    expected = crank_ends(result, times)
    found = np.stack(
        [np.column_stack((shown.frames(f"crank x {n}"), shown.frames(f"crank y {n}"))) for n in (1, 2)], axis=1
    )
    swapped = np.abs(found[0] - expected[0]).max() > 1.0
    size = np.ptp(expected.reshape(-1, 2), axis=0).max()
    np.testing.assert_allclose(found[:, ::-1] if swapped else found, expected, atol=5 * RESOLUTION * size)
    rows = np.searchsorted(result.points["time"], times - 1e-9)
    np.testing.assert_allclose(shown.frames("point P x 1"), result.points["P.x"].iloc[rows], atol=5 * RESOLUTION * size)


def test_formulas_pick_the_row_of_the_frame_and_hold_its_numbers(four_bar):
    path, _ = four_bar
    shown, formulas = Shown(path), formulas_of(as_sheet_of_the_user(path))
    picked_row, first = shown.head_row + 2, shown.head_row + 3
    cells = {name: at(f"Moved!{openpyxl.utils.get_column_letter(k)}{picked_row}") for name, k in shown.heads.items()}
    moving = {name: cell for name, cell in cells.items() if formulas.is_formula(cell)}
    assert {"frame", "time", "crank x 1", "coupler y 3", "joints x 4", "point P x 1"} <= moving.keys()
    assert "ground x 1" not in moving
    for frame, row in ((1, 0), (31, 30), (101, 100), (0, 0), (-5, 0), (5000, 100), (31.7, 30)):
        formulas.set_values({at("Moved!B4"): float(frame)})
        found = dict(zip(moving, formulas.values(list(moving.values())), strict=True))
        assert found == {name: shown.cells.cell(first + row, shown.heads[name]).value for name in moving}
    formulas.set_values({at("Moved!B4"): 1.0})
    assert dict(zip(cells, formulas.values(list(cells.values())), strict=True)) == shown.picked


def chart_of(path):
    """The chart of the sheet."""
    parts = read_parts(path)
    [part] = [name for name in parts if "/charts/chart" in name and f"'{SHEET}'!".encode() in parts[name]]
    return part, etree.fromstring(parts[part])


C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"


def series_of(path):
    """Name of each series, its two ranges and the numbers that it holds."""
    _, root = chart_of(path)
    found = {}
    for series in root.iter(f"{C}ser"):
        name = "".join(series.find(f"{C}tx").itertext())
        held = [
            (values.findtext(f".//{C}f"), {int(p.get("idx")): float(p[0].text) for p in values.iter(f"{C}pt")})
            for values in (series.find(f"{C}xVal"), series.find(f"{C}yVal"))
        ]
        found[name] = held
    return found


def test_the_chart_draws_the_picked_row_and_holds_its_numbers(four_bar):
    path, _ = four_bar
    cells = loaded_sheet(path, SHEET, data_only=True)
    series = series_of(path)
    assert list(series)[-5:] == ["crank", "coupler", "rocker", "centres of mass", "joints"]
    for name, held in series.items():
        for reference, numbers in held:
            first, _, last = reference.rpartition("!")[2].replace("$", "").partition(":")
            shown = [cell.value for row in cells[f"{first}:{last or first}"] for cell in row]
            assert numbers == {k: value for k, value in enumerate(shown) if value is not None}, name
    assert [len(numbers) for _, numbers in series["path of point P"]] == [101, 101]


def test_scales_are_equal_and_hold_all_frames(four_bar):
    path, _ = four_bar
    _, root = chart_of(path)
    ends, ticks = [], []
    for axis in root.iter(f"{C}valAx"):
        scaling = axis.find(f"{C}scaling")
        ends.append([float(scaling.find(f"{C}{end}").get("val")) for end in ("min", "max")])
        ticks.append(float(axis.find(f"{C}majorUnit").get("val")))
    assert ticks[0] == ticks[1]
    shown = Shown(path)
    for axis, (low, high) in zip("xy", ends, strict=True):
        places = np.concatenate([shown.frames(name) for name in shown.heads if re.search(rf" {axis} \d+$", name)])
        assert low < np.nanmin(places)
        assert high > np.nanmax(places)
    layout = root.find(f"{C}chart/{C}plotArea/{C}layout/{C}manualLayout")
    wide, high = (float(layout.find(f"{C}{side}").get("val")) for side in "wh")
    drawing = read_parts(path)
    [size] = re.findall(rb'<xdr:ext cx="(\d+)" cy="(\d+)"/>', b"".join(drawing[n] for n in drawing if "drawing3" in n))
    lengths = [end - start for start, end in ends]
    assert wide * int(size[0]) / lengths[0] == pytest.approx(high * int(size[1]) / lengths[1], rel=1e-3)


def fitted(paper, places):
    """One scale for both directions and a shift that bring points of the paper onto places; how far they are off."""
    paper, places = np.concatenate(paper), np.concatenate(places)
    ones, zeros = np.ones(len(paper)), np.zeros(len(paper))
    equations = np.concatenate(
        (np.column_stack((places[:, 0], ones, zeros)), np.column_stack((places[:, 1], zeros, ones)))
    )
    found, *_ = np.linalg.lstsq(equations, np.concatenate((paper[:, 0], paper[:, 1])), rcond=None)
    off = (equations @ found - np.concatenate((paper[:, 0], paper[:, 1]))) / found[0]
    return found, float(np.abs(off).max())


@needs_libreoffice
@needs_poppler
def test_two_frames_are_drawn_where_plot_draws_them_and_nothing_jumps(book, four_bar, tmp_path):
    _, result = four_bar
    fits = []
    for frame in (1, 38):
        choose(book, frame=frame)
        drawn = strokes_on_paper(book, tmp_path)
        time = Shown(book).frames("time")[frame - 1]
        axes = sheetmbs.plot(result, [time]).axes[0]
        paper, places = [], []
        for color in COLOURS[:3]:
            [line] = [line for line in axes.lines if line.get_color() == color and line.get_marker() != "+"]
            corners = len(np.unique(line.get_xydata(), axis=0))
            paper.append(drawn[color][0][:corners])
            places.append(line.get_xydata()[:corners])
        fit, off = fitted(paper, places)
        assert off < 0.5, "mm, of a mechanism of 460 mm"
        fits.append(fit)
    np.testing.assert_allclose(fits[0], fits[1], rtol=2e-3)


def control_parts(path):
    """The parts of the scroll bar of the sheet, by their kinds."""
    parts = read_parts(path)
    folder, _, name = sheet_part(path, SHEET).rpartition("/")
    arrows = etree.fromstring(parts[f"{folder}/_rels/{name}.rels"])
    targets = {arrow.get("Type").rpartition("/")[2]: arrow.get("Target").replace("../", "xl/") for arrow in arrows}
    return {kind: target for kind, target in targets.items() if kind in ("vmlDrawing", "ctrlProp")}


def test_the_scroll_bar_moves_the_cell_of_the_frame(four_bar):
    path, _ = four_bar
    parts, found = read_parts(path), control_parts(path)
    properties = etree.fromstring(parts[found["ctrlProp"]])
    assert properties.tag == f"{X14}formControlPr"
    asked = ("objectType", "fmlaLink", "min", "max", "val", "horiz")
    assert [properties.get(name) for name in asked] == ["Scroll", f"'{SHEET}'!$B$4", "1", "101", "1", "1"]
    shape = parts[found["vmlDrawing"]].decode()
    for said in (f"<x:FmlaLink>'{SHEET}'!$B$4</x:FmlaLink>", "<x:Min>1<", "<x:Max>101<", 'id="_x0000_s1025"'):
        assert said in shape
    assert b'<control shapeId="1025"' in parts[sheet_part(path, SHEET)]


@needs_libreoffice
def test_libreoffice_has_the_scroll_bar_and_calculates_the_frame(book, tmp_path):
    choose(book, frame=42)
    saved = convert(book, "ods", tmp_path / "made")
    with zipfile.ZipFile(saved) as archive:
        content = archive.read("content.xml").decode()
    [bar] = re.findall(r"<form:value-range [^>]*>", content)
    assert f'form:linked-cell="&apos;{SHEET}&apos;.B4"' in bar
    assert 'form:min-value="1"' in bar
    assert 'form:max-value="101"' in bar
    before, after = Shown(book), Shown(convert(book, "xlsx:Calc MS Excel 2007 XML", tmp_path / "again"))
    for name in before.heads:
        frames = before.frames(name)
        if not np.isnan(frames).any():
            assert after.picked[name] == pytest.approx(frames[41], rel=1e-12), name
    assert after.value("time") == pytest.approx(before.frames("time")[41])


@needs_validator
@needs_schemas
def test_validators_find_nothing_wrong(four_bar, tmp_path):
    path, before = four_bar[0], with_settings("four-bar", tmp_path / "before.xlsx", animation="yes")
    assert broken_by_a_run(path, before) == []
    assert against_schemas(path, before) == []
    assert against_microsoft([path]) == {}


def test_a_second_run_changes_nothing_and_keeps_the_frame(book):
    before = read_parts(book)
    run(book)
    changed = {name for name, part in read_parts(book).items() if part != before.get(name)}
    assert changed <= {sheet_part(book, "mbs Summary"), "docProps/core.xml"}  # times of the run
    choose(book, frame=33)
    run(book)
    shown = Shown(book)
    assert shown.value("frame") == 33
    assert shown.picked["time"] == shown.value("time") == shown.frames("time")[32]
    assert b'val="33"' in read_parts(book)[control_parts(book)["ctrlProp"]]
    choose(book, frame=9999)
    run(book)
    assert Shown(book).value("frame") == 101


def test_without_the_setting_the_sheet_and_all_its_parts_go(book):
    kept = read_parts(WORKBOOKS / "four-bar.xlsx")
    set_settings(book, animation="no")
    run(book)
    assert SHEET not in sheet_names(book)
    left = [name for name in read_parts(book) if "ctrlProps" in name or name.endswith(".vml")]
    assert left == [name for name in kept if "ctrlProps" in name or name.endswith(".vml")]
    assert not any(f"'{SHEET}'!".encode() in part for part in read_parts(book).values())


def test_a_copy_gets_the_sheet_and_the_workbook_stays(tmp_path):
    path = with_settings("pendulum", tmp_path / "book.xlsx", animation="yes")
    before = path.read_bytes()
    sheetmbs.run(sheetmbs.read(path)).save(tmp_path / "copy.xlsx")
    assert path.read_bytes() == before
    assert SHEET in sheet_names(tmp_path / "copy.xlsx")


def test_comments_and_names_of_the_user_stay_and_shapes_have_numbers_of_their_own(tmp_path):
    path = tmp_path / "book.xlsx"
    workbook = openpyxl.load_workbook(WORKBOOKS / "pendulum.xlsx")
    workbook["README"]["A1"].comment = openpyxl.comments.Comment("look here", "us")
    workbook.defined_names["pivot"] = openpyxl.workbook.defined_name.DefinedName("pivot", attr_text="Bodies!$A$1")
    workbook.save(path)
    set_settings(path, animation="yes")
    before = {name: part for name, part in read_parts(path).items() if name.endswith(".vml") or "comment" in name}
    assert len(before) == 2
    run(path)
    run(path)
    parts = read_parts(path)
    assert {name: parts[name] for name in before} == before
    own = control_parts(path)["vmlDrawing"]
    users = {number for name in before for number in re.findall(rb"_x0000_s(\d+)", parts[name])}
    assert users
    assert not users & set(re.findall(rb"_x0000_s(\d+)", parts[own]))
    assert "pivot" in openpyxl.load_workbook(path).defined_names


def edit_chart(path, old, new):
    """Change something in the chart, as its user does in a program."""
    part, _ = chart_of(path)
    change_part(path, part, old, new)


def test_a_chart_that_the_user_has_changed_follows_the_run_and_keeps_its_look(book):
    save_as_excel(book)
    edit_chart(book, COLOURS[1].lstrip("#"), "FF00FF")
    part, root = chart_of(book)
    joints = next(each for each in root.iter(f"{C}ser") if "joints" in "".join(each.find(f"{C}tx").itertext()))
    joints.getparent().remove(joints)
    parts = read_parts(book)
    parts[part] = etree.tostring(root)
    write_parts(book, parts)
    set_settings(book, t_step=0.02)
    result = run(book)
    series = series_of(book)
    assert "joints" not in series
    assert b"FF00FF" in read_parts(book)[chart_of(book)[0]]
    shown = Shown(book)
    assert len(shown.frames("time")) == len(result.bodies) < 101
    cells = shown.cells
    for held in series.values():
        for reference, numbers in held:
            first, _, last = reference.rpartition("!")[2].replace("$", "").partition(":")
            values = [cell.value for row in cells[f"{first}:{last or first}"] for cell in row]
            assert numbers == {k: value for k, value in enumerate(values) if value is not None}
    run(book)
    assert "joints" not in series_of(book)


def test_series_of_new_bodies_come_to_a_changed_chart_and_those_of_old_ones_go(book, four_bar):
    picture = four_bar[1].animation()
    save_as_excel(book)
    edit_chart(book, COLOURS[1].lstrip("#"), "FF00FF")
    [motion] = picture.motions
    lines = tuple(replace(line, name="lever") if line.name == "rocker" else line for line in motion.lines)
    other = replace(picture, motions=(replace(motion, lines=lines),))
    write_results(book, None, replace(four_bar[1].sheets, animation=other))
    names = list(series_of(book))
    assert "rocker" not in names
    assert names[-1] == "lever"
    assert b"FF00FF" in read_parts(book)[chart_of(book)[0]]
    root = chart_of(book)[1]
    numbers = [each.find(f"{C}idx").get("val") for each in root.iter(f"{C}ser")]
    assert len(set(numbers)) == len(numbers)


def test_a_chart_that_only_a_program_has_saved_is_drawn_anew(book, four_bar):
    save_as_excel(book)
    run(book)
    assert list(series_of(book)) == list(series_of(four_bar[0]))
    assert "deleted" not in "".join(str(cell.value) for cell in Shown(book).cells["A"])


def test_a_deleted_chart_stays_away_and_the_sheet_says_so(book):
    parts = read_parts(book)
    part, _ = chart_of(book)
    [drawing] = [name for name in parts if name.startswith("xl/drawings/drawing") and b"mbs animation" in parts[name]]
    root = etree.fromstring(parts[drawing])
    root.remove(next(each for each in root if b"graphicFrame" in etree.tostring(each)))
    parts[drawing] = etree.tostring(root)
    del parts[part], parts[drawing.replace("drawings/", "drawings/_rels/") + ".rels"]
    parts["[Content_Types].xml"] = re.sub(
        rb'<Override PartName="/%s"[^>]*>' % part.encode(), b"", parts["[Content_Types].xml"]
    )
    write_parts(book, parts)
    for _ in range(2):
        run(book)
        assert not any(f"'{SHEET}'!".encode() in each for name, each in read_parts(book).items() if "charts/" in name)
        assert "You have deleted the chart" in Shown(book).cells["A3"].value
    assert "ctrlProp" in control_parts(book)


@pytest.fixture(scope="module")
def two_cases(tmp_path_factory):
    """A workbook with the motions of all its cases, and their results."""
    path = with_settings("double-wishbone", tmp_path_factory.mktemp("cases") / "book.xlsx", animation="yes")
    results = sheetmbs.run_cases(path)
    results.save()
    return path, results


def test_all_cases_are_on_one_chart_and_a_list_chooses_one(two_cases):
    path, results = two_cases
    shown, formulas = Shown(path), formulas_of(as_sheet_of_the_user(path))
    assert shown.value("case") == next(iter(results))
    [column] = [k for name, k in shown.heads.items() if name == "wheel z 1"]
    cell = at(f"Moved!{openpyxl.utils.get_column_letter(column)}{shown.head_row + 2}")
    places = shown.frames("wheel z 1")
    first = 0
    for case, result in results.items():
        alone = result.animation().motions[0]
        [line] = [line for line in alone.lines if line.name == "wheel"]
        count = len(alone.course)
        np.testing.assert_array_equal(places[first : first + count], line.y[:, 0])
        for frame in (1, 7, 5000):
            formulas.set_values({at("Moved!B4"): float(frame), at("Moved!B6"): case})
            assert formulas.values([cell]) == [line.y[min(frame, count) - 1, 0]]
        first += count
    assert first == len(places)
    rules = shown.cells.data_validations.dataValidation
    assert [(str(rule.sqref), rule.type) for rule in rules] == [("B4", "whole"), ("B6", "list")]
    listed = shown.cells[rules[1].formula1.replace("$", "")]
    assert [cell.value for (cell,) in listed] == list(results)


@pytest.mark.nightly
def test_the_chosen_case_stays_and_one_that_is_gone_gives_way_to_the_first(two_cases, tmp_path):
    path, results = tmp_path / "book.xlsx", two_cases[1]
    shutil.copy(two_cases[0], path)
    last = list(results)[-1]
    choose(path, case=last, frame=12)
    sheetmbs.run_cases(path).save()
    shown = Shown(path)
    assert (shown.value("case"), shown.value("frame")) == (last, 12)
    assert shown.picked["time"] == shown.value("time")
    choose(path, case="nothing of this kind")
    sheetmbs.run_cases(path).save()
    assert Shown(path).value("case") == next(iter(results))


def test_cases_with_other_parts_are_drawn_as_alone(two_cases):
    pictures = {case: result.animation() for case, result in two_cases[1].items()}
    counts = {case: {line.name: line.x.shape[1] for line in each.motions[0].lines} for case, each in pictures.items()}
    assert counts["bump"]["joints"] < counts["steer"]["joints"]
    assert "plate" not in counts["bump"]
    assert "plate" in counts["road"]
    joined = picture_of_cases(pictures)
    assert [motion.name for motion in joined.motions] == list(pictures)
    for motion in joined.motions:
        alone = {line.name: line for line in pictures[motion.name].motions[0].lines}
        for line in motion.lines:
            frame = np.column_stack((line.x[0], line.y[0]))
            runs = [run[~np.isnan(run[:, 0])] for run in np.split(frame, np.flatnonzero(line.gaps))]
            ways = {
                (*a, *b) for run in runs for a, b in pairwise(map(tuple, run.tolist())) if a != b and line.look.width
            }
            if line.name not in alone:
                assert ways == set()
                assert not line.look.marker
                continue
            own = np.column_stack((alone[line.name].x[0], alone[line.name].y[0]))
            expected = [run[~np.isnan(run[:, 0])] for run in np.split(own, np.flatnonzero(alone[line.name].gaps))]
            if line.look.width:
                assert ways == {(*a, *b) for run in expected for a, b in pairwise(map(tuple, run.tolist())) if a != b}
            else:
                assert set(map(tuple, np.concatenate(runs))) == set(map(tuple, np.concatenate(expected)))


def test_marks_that_only_some_cases_have_are_left_out_and_named(two_cases):
    pictures = {case: result.animation() for case, result in two_cases[1].items()}
    [motion] = pictures["steer"].motions
    lines = tuple(line for line in motion.lines if line.name != "ground")
    joined = picture_of_cases(pictures | {"steer": replace(pictures["steer"], motions=(replace(motion, lines=lines),))})
    assert "ground" not in {line.name for motion in joined.motions for line in motion.lines}
    assert joined.remarks == ("Not drawn, because not all cases have them: ground.",)


def test_modes_swing_through_the_shapes_of_the_results(tmp_path):
    path = with_settings("quarter-car", tmp_path / "book.xlsx", animation="yes", analysis="modes")
    result = run(path)
    shown, modes = Shown(path), result.modes
    assert shown.value("mode").startswith("mode 1: ")
    frequency = float(re.search(r"([\d.]+) Hz", shown.value("mode"))[1])
    assert frequency == pytest.approx(modes["frequency"].iloc[0], rel=1e-3)
    assert shown.picked["phase"] == 0
    rest = result.bodies.iloc[0]
    moved = {name: shown.frames(f"{name} y 1")[:25] - rest[f"{name}.y"] for name in ("wheel", "body")}
    phase = np.radians(np.arange(25) * 15.0)
    ratio = np.abs(moved["body"]).max() / np.abs(moved["wheel"]).max()
    imaginary = "body.y.imag" in modes
    shape = {
        name: complex(modes[f"{name}.y"].iloc[0], modes[f"{name}.y.imag"].iloc[0] if imaginary else 0.0)
        for name in ("wheel", "body")
    }
    largest = {name: np.abs((shape[name] * np.exp(1j * phase)).real).max() for name in shape}
    assert ratio == pytest.approx(largest["body"] / largest["wheel"], rel=0.02)


def test_one_position_is_drawn_without_a_scroll_bar(tmp_path):
    path = with_settings("quarter-car", tmp_path / "book.xlsx", animation="yes", analysis="equilibrium")
    result = run(path)
    shown = Shown(path)
    assert shown.picked["body y 1"] == pytest.approx(result.bodies["body.y"].iloc[0], abs=1e-4)
    assert control_parts(path) == {}
    assert "One position: there is no motion." in [cell.value for cell in shown.cells["A"]]
    run(path)


def test_a_misspelt_plane_is_an_error_at_its_cell_and_a_planar_model_has_its_own(tmp_path):
    path = with_settings("pendulum", tmp_path / "book.xlsx", animation="yes", projection="zx")
    with pytest.raises(WorkbookError) as told:
        sheetmbs.read(path)
    problem = told.value.problems[0]
    assert (problem.code, problem.cell[:10]) == ("unknown-value", "Settings!B")
    assert "xz, xy or yz" in str(problem)
    set_settings(path, projection="yz")
    model = sheetmbs.read(path)
    assert [each.code for each in model.warnings] == ["unused-value"]
    picture = sheetmbs.run(model).animation()
    assert picture.axes == ("x", "y")
    set_settings(path, projection="x-y")
    assert sheetmbs.read(path).warnings == ()


@pytest.mark.parametrize(("plane", "columns"), [("xy", "xy"), ("xz", "xz"), ("yz", "yz")])
def test_a_model_in_space_is_seen_in_the_plane_asked_for(tmp_path, plane, columns):
    path = with_settings("slider-crank-3d", tmp_path / "book.xlsx", animation="yes", projection=plane)
    result = sheetmbs.run(sheetmbs.read(path))
    [motion] = result.animation().motions
    name = next(line.name for line in motion.lines if line.has_path)
    [line] = [line for line in motion.lines if line.name == name]
    rows = np.searchsorted(result.points["time"], motion.course - 1e-9)
    own = name.removeprefix("point ")
    for axis, found in zip(columns, (line.x, line.y), strict=True):
        np.testing.assert_allclose(found[:, 0], result.points[f"{own}.{axis}"].iloc[rows], atol=1e-2)


def test_rows_without_places_are_no_frames(four_bar):
    model, tables = four_bar[1].model, four_bar[1].sheets.tables
    bodies = next(table for table in tables if table.name == "mbs Bodies")
    values = bodies.values.copy()
    values[40:, bodies.columns.index("rocker.x")] = np.nan
    picture = moving_picture(model, [replace(bodies, values=values)])
    assert len(picture.motions[0].course) == 40
    values[:, 1] = np.nan
    assert moving_picture(model, [replace(bodies, values=values)]) is None


def test_large_pictures_have_fewer_frames_and_say_what_they_leave_out(four_bar, monkeypatch):
    model, tables = four_bar[1].model, four_bar[1].sheets.tables
    monkeypatch.setattr(frames_module, "MAX_NUMBERS", 1200)
    assert len(moving_picture(model, tables).motions[0].course) < 101
    monkeypatch.setattr(frames_module, "MAX_PLACES", 9)
    picture = moving_picture(model, tables)
    assert "joints" not in [line.name for line in picture.motions[0].lines]
    assert any(remark.startswith("Left out") and "joints" in remark for remark in picture.remarks)


def test_a_spring_of_no_length_has_as_many_places_as_any_other():
    shapes = [draw(np.zeros(2), np.array([length, 0.0]), 0.1) for draw in PICTURES.values() for length in (0.0, 1.0)]
    assert [each.shape for each in shapes[::2]] == [each.shape for each in shapes[1::2]]
    assert np.nanmax(np.abs(shapes[0])) == 0.0
