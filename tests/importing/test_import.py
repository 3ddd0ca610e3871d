"""Models of MUBODYNA: every section arrives on its sheet, every slip is named by its line, the motion is that of the file."""

import random
import re
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from scipy.interpolate import CubicSpline

import sheetmbs
from sheetmbs.command import cli
from sheetmbs.importing.to_workbook import read_mubodyna
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.writing.new_workbook import laid_out
from tests.support import mubodyna_texts as texts
from tests.support.opened import import_files

TIME_LINE = "0.0 0.5 0.0005 1 5 5"
CLEARANCE = "3 4 0.15 0.0 0.0 0.0 0.01 0.0095"
STEEL = "0.1 0.9 207D9 0.3 0.1 0.9 207D9 0.3 0.4"


@pytest.fixture
def file(tmp_path):
    """Writes a text and returns its path."""

    def write(content, encoding="utf-8"):
        path = tmp_path / "model.txt"
        path.write_bytes(content.encode(encoding) if isinstance(content, str) else content)
        return path

    return write


def rows(book, name):
    """Cells of a sheet by its first column, each a dict by header."""
    sheet = next(sheet for sheet in book.sheets if sheet.name == name)
    return {row[0]: dict(zip(sheet.headers, row, strict=True)) for row in sheet.rows}


def changed(text, old, new):
    """A text in which one place is different, and the number of the line where that begins."""
    assert text.count(old) == 1, old
    return text.replace(old, new), text[: text.index(old)].count("\n") + 1


def slips(path):
    """(code, line) of every slip in a file; none where it can be read."""
    try:
        read_mubodyna(path)
    except WorkbookError as error:
        return [(problem.code, int(problem.cell.removeprefix(f"{path}:"))) for problem in error.problems]
    return []


# --- what arrives where ----------------------------------------------------------------------------------------------


def test_every_section_arrives_on_its_sheet(file):
    book, _warnings = read_mubodyna(file(texts.slider_crank(clearances=[CLEARANCE], materials=[f"3 {STEEL}"])))
    assert [sheet.name for sheet in book.sheets] == [
        "Settings", "Bodies", "Points", "Joints", "Drivers", "Guiding", "ForceSeries", "Springs", "Clearances",
    ]  # fmt: skip
    bodies, joints, springs = rows(book, "Bodies"), rows(book, "Joints"), rows(book, "Springs")
    slider, block = bodies["body 4"], bodies["body 5"]
    assert (slider["mass"], slider["inertia"], slider["fx"], slider["x"]) == (
        0.8,
        0.001,
        -20.0,
        texts.consistent()[3, 0],
    )
    assert (block["x"], block["y"], block["vx"], block["fy"]) == (0.4, 0.6, 0.2, 5.0)
    assert list(joints) == ["revolute 1", "revolute 2", "revolute 3", "translational 1", "ground 1", "simple 1"]
    pin, slide = joints["revolute 3"], joints["translational 1"]
    assert [pin[k] for k in ("type", "body_i", "body_j", "xi_i", "eta_i", "xi_j", "eta_j")] == [
        "revolute", "body 3", "body 4", 0.15, 0.0, 0.0, 0.0,
    ]  # fmt: skip
    assert [slide[k] for k in ("body_i", "body_j", "xi_i", "xi2_i", "eta2_i", "xi_j")] == [
        "body 1",
        "body 4",
        0,
        2,
        0,
        0,
    ]
    assert [joints["ground 1"][k] for k in ("type", "body_i", "body_j")] == ["fixed", "ground", "body 1"]
    assert [joints["simple 1"][k] for k in ("type", "body_i", "coordinate")] == ["coordinate", "body 5", "phi"]
    driver = rows(book, "Drivers")["driver 1"]
    assert [driver[k] for k in ("body", "coordinate", "position", "velocity")] == ["body 2", "phi", 0.4, 12.0]
    assert [springs["spring 1"][k] for k in ("k", "c", "force", "length0")] == [400.0, 6.0, 2.0, 0.5]
    assert [springs["rotational spring 1"][k] for k in ("type", "k", "c", "angle0")] == ["rotational", 3.0, 0.1, 0.0]
    point = rows(book, "Points")["point 1"]
    assert [point[k] for k in ("body", "x", "y", "frame", "report")] == ["body 3", 0.0, 0.02, "body", "yes"]
    assert list(rows(book, "Guiding")) == list(rows(book, "ForceSeries")) == [float(t) for t in texts.TIMES]
    assert list(rows(book, "Guiding")[0.0]) == ["time", "body 5.x"]
    assert list(rows(book, "ForceSeries")[0.0].values()) == [0.0, 3.0, 0.0, 0.4, 0.5]


@pytest.mark.parametrize(
    ("number", "law", "film"),
    [
        (1, "pinkus-sternlicht", {"viscosity": 0.4, "length": 1.0}),
        (2, "hertz", {}),
        (3, "lankarani-nikravesh", {}),
        (4, "hunt-crossley", {}),
    ],
)
def test_a_clearance_joint_arrives_with_its_law_and_materials(file, number, law, film):
    book, warnings = read_mubodyna(file(texts.slider_crank(clearances=[CLEARANCE], materials=[f"{number} {STEEL}"])))
    loses = {} if law == "hertz" else {"restitution_i": 0.9, "restitution_j": 0.9}
    assert rows(book, "Clearances")["clearance 1"] == {
        "name": "clearance 1", "body_i": "body 3", "body_j": "body 4",
        "xi_i": 0.15, "eta_i": 0.0, "xi_j": 0.0, "eta_j": 0.0, "radius_i": 0.01, "radius_j": 0.0095, "law": law,
        "friction_i": 0.1, "young_i": 207e9, "poisson_i": 0.3,
        "friction_j": 0.1, "young_j": 207e9, "poisson_j": 0.3, **loses, **film, "notes": "lines 44 and 47",
    }  # fmt: skip
    assert ("bearing-length" in {warning.code for warning in warnings}) == bool(film)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_an_imported_model_with_a_clearance_runs(file, tmp_path, number):
    joint = {"clearances": [CLEARANCE], "materials": [f"{number} {STEEL}"], "with_wrist_pin": False}
    text = texts.slider_crank(**joint, time="0.0 0.02 0.0005 1 5 5")
    path = tmp_path / "imported.xlsx"
    path.write_bytes(laid_out(read_mubodyna(file(text))[0]))
    model = sheetmbs.read(path)
    assert model.warnings == ()
    result = sheetmbs.run(model)
    assert result.status == "done"
    eccentricity = result.clearances["clearance 1.eccentricity"].max()
    if number == 1:  # a film of one metre keeps the journal near the centre
        assert 1e-6 < eccentricity < 1e-4
    else:
        assert 4e-4 < eccentricity < 6e-4
        assert result.summary["impacts in clearance 1"] > 0


@pytest.mark.parametrize(
    ("number", "integrator"),
    [(1, "rk4"), (2, "kutta-merson"), (3, "rkv65"), (4, "bdf"), (5, "lsoda"), (6, "abm")],
)
def test_time_parameters_become_settings(file, number, integrator):
    text, _line = changed(texts.slider_crank(), TIME_LINE, f"0.1 0.4 0.002 {number} 3 4")
    settings = {name: row["value"] for name, row in rows(read_mubodyna(file(text))[0], "Settings").items()}
    expected = {"t_start": 0.1, "t_end": 0.4, "t_step": 0.002, "step": 0.002, "alpha": 3.0, "beta": 4.0}
    expected |= {"integrator": integrator, "formulation": "baumgarte", "initial_conditions": "given"}
    expected |= {"gravity_x": 0.0, "gravity_y": -9.81, "guiding_spline": "natural", "analysis": "dynamic"}
    assert {name: settings[name] for name in expected} == expected


@pytest.mark.parametrize(("number", "integrator"), [(1, "auto"), (3, "rkv65"), (6, "auto")])
def test_with_clearances_an_integrator_is_chosen_that_finds_contacts(file, number, integrator):
    text = texts.slider_crank(clearances=[CLEARANCE], materials=[f"3 {STEEL}"], time=f"0.0 0.5 0.0005 {number} 5 5")
    book, warnings = read_mubodyna(file(text))
    assert rows(book, "Settings")["integrator"]["value"] == integrator
    assert ("contacts-found" in {warning.code for warning in warnings}) == (integrator == "auto")


def test_a_driver_of_a_file_counts_its_time_from_zero_whenever_the_analysis_starts(file):
    text, _line = changed(texts.slider_crank(), "2 3 0.4 12.0 0.0", "2 3 0.4 12.0 2.0")
    text, _line = changed(text, TIME_LINE, "0.1 0.4 0.002 1 5 5")
    driver = rows(read_mubodyna(file(text))[0], "Drivers")["driver 1"]
    assert driver["position"] == pytest.approx(0.4 + 12.0 * 0.1 + 0.5 * 2.0 * 0.1**2)
    assert driver["velocity"] == pytest.approx(12.0 + 2.0 * 0.1)
    assert driver["acceleration"] == 2.0


def test_rows_name_their_lines_and_keep_remarks(file):
    text = texts.slider_crank()
    joints = rows(read_mubodyna(file(text))[0], "Joints")
    first = text[: text.index("1 2  0.0")].count("\n") + 1
    assert joints["revolute 1"]["notes"] == f"line {first}: main bearing"
    assert joints["revolute 2"]["notes"] == f"line {first + 1}: crank pin"


def test_what_a_file_leaves_open_is_told(file):
    text, _line = changed(texts.slider_crank(), TIME_LINE, "0.0 0.5 0.0005 1 0 0")
    book, warnings = read_mubodyna(file(text))
    assert [warning.code for warning in warnings] == ["no-stabilisation", "application-point", "unloaded-angle"]
    assert {warning.severity for warning in warnings} == {"warning"}
    settings = rows(book, "Settings")
    assert (settings["alpha"]["value"], settings["beta"]["value"]) == (5.0, 5.0)
    assert "ALPHA = 0 and BETA = 0" in str(book.sections)


def test_one_factor_of_zero_is_taken_as_it_is(file):
    text, _line = changed(texts.slider_crank(), TIME_LINE, "0.0 0.5 0.0005 1 0 5")
    book, warnings = read_mubodyna(file(text))
    assert rows(book, "Settings")["alpha"]["value"] == 0.0
    assert "no-stabilisation" not in {warning.code for warning in warnings}


# --- how a file may be written ---------------------------------------------------------------------------------------


def test_comments_and_blank_lines_change_nothing(file):
    plain = texts.slider_crank()
    lines = plain.splitlines()
    spaced = [
        "! a model",
        "",
        *(each for line in lines for each in (line, "", "  # remark", "* remark", "C remark", "// x")),
    ]
    one, two = (read_mubodyna(file(text))[0].sheets for text in (plain, "\n".join(spaced)))
    without_lines = [re.sub(r"lines? [\d, and]+", "", repr(sheets)) for sheets in (one, two)]
    assert without_lines[0] == without_lines[1]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_any_usual_encoding_is_read(file, encoding):
    text, _line = changed(texts.slider_crank(), "crank pin", "tête de bielle")
    joints = rows(read_mubodyna(file(text, encoding))[0], "Joints")
    assert joints["revolute 2"]["notes"].endswith(": tête de bielle")


def test_minus_signs_of_a_printed_page_are_minus_signs(file):
    text, _line = changed(texts.slider_crank(), "-0.05 0.0   !", "\u22120.05 0.0   !")
    assert rows(read_mubodyna(file(text))[0], "Joints")["revolute 1"]["xi_j"] == -0.05


def test_sections_may_stand_in_any_order_and_empty_ones_may_be_missing(file):
    first, *others = re.split(r"\n\n(?=[A-Z(])", texts.slider_crank().strip())
    there = [section for section in others if "\n" in section]
    assert len(there) == len(others) - 2
    assert slips(file("\n\n".join([first, *reversed(there)]))) == []


# --- slips -----------------------------------------------------------------------------------------------------------

SLIPS = [
    ("  5 Rigid", "  6 Rigid", "count-wrong"),
    ("  3 Ideal", "  2 Ideal", "count-wrong@IDEAL_REVOLUTE_JOINTS"),
    (" 11 Guiding data", " 12 Guiding data", "count-wrong@GUIDING_CONSTRAINTS"),
    ("  1 Simple", "  0 Simple", "count-wrong@SIMPLE_CONSTRAINTS"),
    ("  1 Simple", "  x Simple", "unknown-heading"),
    ("  1 Simple", "1.5 Simple", "wrong-count"),
    ("  1 Simple con", "  1 Driving con", "count-out-of-place"),
    ("GENERIC_INFORMATION - Number of elements\n", "", "section-missing"),
    ("POINTS_OF_INTEREST", "POINTS_OF_INTREST", "unknown-heading"),
    ("SIMPLE_CONSTRAINTS", "GROUND_CONSTRAINTS", "section-twice"),
    ("1 2  0.0 0.0", "1 2  0.0 O.0", "too-few-values"),
    ("1 2  0.0 0.0", "1 2  0.0 0,0", "not-a-number"),
    ("1 2  0.0 0.0", "1 2  0.0 1e999", "not-a-number"),
    ("1 2  0.0 0.0", "1 2  0.0 0.0 0.0", "too-many-values"),
    ("1 2  0.0 0.0", "1 2  0.0", "too-few-values"),
    ("1 2  0.0 0.0", "1 9  0.0 0.0", "wrong-value"),
    ("1 2  0.0 0.0", "1 1  0.0 0.0", "same-body"),
    ("1 4 0.0 0.0 2.0 0.0 ", "1 4 0.0 0.0 0.0 0.0 ", "no-direction"),
    ("5 3\n", "5 4\n", "wrong-value"),
    ("2 3 0.4 12.0", "1 3 0.4 12.0", "prescribed-twice"),
    ("0.5 0.002\n", "-0.5 0.002\n", "wrong-value"),
    (TIME_LINE, "0.0 0.5 0.0005 7 5 5", "wrong-value"),
    (TIME_LINE, "0.0 0.5 0 1 5 5", "wrong-value"),
    (TIME_LINE, "0.5 0.0 0.0005 1 5 5", "no-time"),
    (TIME_LINE, "0.0 0.5 0.0005 1 5", "too-few-values"),
    (CLEARANCE, "3 4 0.15 0.0 0.0 0.0 0.0095 0.01", "no-clearance"),
    ("1 5 0.4 0.0 0.0", "1 5 0.4 0.6 0.0", "no-direction"),
    (f"3 {STEEL}", f"5 {STEEL}", "wrong-value"),
    (f"3 {STEEL}", f"1 {STEEL[:-3]}0.0", "no-viscosity"),
]


@pytest.mark.parametrize(("old", "new", "expected"), SLIPS, ids=[f"{new.strip()} {code}" for _old, new, code in SLIPS])
def test_a_slip_is_one_problem_at_its_line(file, old, new, expected):
    text, line = changed(texts.slider_crank(clearances=[CLEARANCE], materials=[f"3 {STEEL}"]), old, new)
    code, _at, section = expected.partition("@")
    if section:
        line = text[: text.index(section)].count("\n") + 1
    found = slips(file(text))
    assert found[0] == (code, line) or (code, line) in found
    assert len(found) == 1 or code in {"unknown-heading", "section-twice"}, found


def test_a_wrong_number_of_guided_coordinates_is_one_problem_whatever_the_width_of_the_samples(file):
    text, _line = changed(texts.gait(), "  6 Guiding constraints", "  5 Guiding constraints")
    assert slips(file(text)) == [("count-wrong", text[: text.index("GUIDING_CONSTRAINTS")].count("\n") + 1)]


def test_samples_that_run_backwards_or_end_too_early_are_named(file):
    text = texts.gait()
    backwards, line = changed(text, "0.435 1.06", "0.4 1.06")
    assert slips(file(backwards)) == [("times-not-increasing", line)]
    late, line = changed(text, "0.0000 0.9570 0.00145", "0.0000 0.9580 0.00145")
    assert {code for code, _line in slips(file(late))} == {"samples-too-short"}
    with pytest.raises(WorkbookError, match=rf"time 0\.957, while TIME_END = 0\.958 at line {line}"):
        read_mubodyna(file(late))


def test_more_equations_than_coordinates_are_refused(file):
    text, _line = changed(texts.slider_crank(), "  1 Ground", "  3 Ground")
    text, _line = changed(text, "GROUND_CONSTRAINTS\n1\n", "GROUND_CONSTRAINTS\n1\n3\n4\n")
    assert slips(file(text)) == [("too-many-constraints", 1)]


def test_all_slips_are_told_at_once_in_the_order_of_their_lines(file):
    text, first = changed(texts.slider_crank(), "1 2  0.0 0.0", "1 9  0.0 0.0")
    text, second = changed(text, "5 3\n", "5 4\n")
    text, third = changed(text, TIME_LINE, "0.0 0.5 -1 9 5 5")
    assert [line for _code, line in slips(file(text))] == [first, second, third, third]


def test_whatever_is_wrong_with_a_file_is_told_by_its_line_or_else_its_workbook_can_be_read(file, tmp_path):
    rng = random.Random(5)  # noqa: S311 - the same slips in every run
    words = ["O.5", "1,5", "nan", "1e999", "-3", "0", "2.5", "99", "abc", "1.5.2", "=1+1", "5 5", ""]
    readable = 0
    for n in range(300):
        lines = (texts.gait() if n % 2 else texts.slider_crank()).splitlines()
        at, way = rng.randrange(len(lines)), rng.random()
        if way < 0.3:
            del lines[at]
        elif way < 0.5:
            lines.insert(at, rng.choice([*lines, "GUIDING", "garbage here", "1 2 3"]))
        elif lines[at]:
            pieces = lines[at].split()
            pieces[rng.randrange(len(pieces))] = rng.choice(words)
            lines[at] = " ".join(pieces)
        path, book = file("\n".join(lines)), tmp_path / "made.xlsx"
        found = slips(path)
        assert all(1 <= line <= len(lines) for _code, line in found)
        if not found and n % 5 == 0:
            book.write_bytes(laid_out(read_mubodyna(path)[0]))
            assert sheetmbs.read(book).bodies
            readable += 1
    assert readable > 3


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "file-empty"),
        (b"\n\n ! nothing\n", "file-empty"),
        (b"PK\x03\x04xx", "not-a-text"),
        (b"\x00\x01", "not-a-text"),
    ],
)
def test_a_file_that_is_no_model_is_refused(file, content, code):
    with pytest.raises(WorkbookError) as error:
        read_mubodyna(file(content))
    assert [problem.code for problem in error.value.problems] == [code]


@pytest.mark.parametrize(("name", "code"), [("none.txt", "file-missing"), (".", "file-is-folder")])
def test_a_file_that_is_not_there_is_refused(tmp_path, name, code):
    with pytest.raises(WorkbookError) as error:
        read_mubodyna(tmp_path / name)
    assert [problem.code for problem in error.value.problems] == [code]


# --- the workbook ----------------------------------------------------------------------------------------------------


def test_an_imported_workbook_says_where_it_came_from_and_reads_without_a_word(file, tmp_path):
    book = tmp_path / "made.xlsx"
    import_files("mubodyna", [file(texts.slider_crank())], book)
    made = openpyxl.load_workbook(book)
    assert made.sheetnames[:3] == ["README", "Settings", "Bodies"]
    words = " ".join(str(cell.value) for row in made["README"].iter_rows() for cell in row if cell.value)
    assert "model.txt" in words
    assert "1 translational joint," in words
    assert [cell.value for cell in made["Bodies"][2]][:4] == ["units", "kg", "kg*m^2", "m"]
    assert all(made[name].freeze_panes for name in made.sheetnames[1:])
    assert sheetmbs.read(book).warnings == ()


def test_a_remark_is_never_a_formula(tmp_path):
    text, _line = changed(texts.slider_crank(), "crank pin", "=1+1")
    path = tmp_path / "=HYPERLINK(1).txt"
    path.write_text(text)
    import_files("mubodyna", [path], tmp_path / "made.xlsx")
    made = openpyxl.load_workbook(tmp_path / "made.xlsx")
    assert [cell.value for sheet in made for row in sheet.iter_rows() for cell in row if cell.data_type == "f"] == []


def test_problems_of_an_imported_workbook_are_coloured(file, tmp_path):
    import_files("mubodyna", [file(texts.gait())], tmp_path / "made.xlsx")
    made = openpyxl.load_workbook(tmp_path / "made.xlsx")
    assert "mbs Problems" in made.defined_names["mbs_problem_cells"].value
    assert all(made[name].conditional_formatting for name in made.sheetnames[1:])


def test_the_imported_slider_crank_moves_as_it_must(file, tmp_path):
    book = tmp_path / "made.xlsx"
    import_files("mubodyna", [file(texts.slider_crank())], book)
    result = sheetmbs.run(sheetmbs.read(book))
    assert result.status == "done"
    bodies, t = result.bodies, result.bodies["time"].to_numpy()
    expected = np.array([texts.consistent(each) for each in t])
    for number in (1, 2, 3, 4):
        names = [f"body {number}.{each}" for each in ("x", "y", "phi", "vx", "vy", "omega")]
        assert np.abs(bodies[names].to_numpy() - expected[:, number - 1]).max() < 2e-7
    guide = CubicSpline(texts.TIMES, 0.4 + 0.05 * np.sin(4 * texts.TIMES), bc_type="natural")
    assert np.abs(bodies["body 5.x"] - guide(t)).max() < 2e-6
    # m y'' = 5 - m g - pull y/l, the spring to (0.4, 0) pulls with k (l - l0) + c l' + f along a line that the guide inclines
    dx, dy = bodies["body 5.x"] - 0.4, bodies["body 5.y"]
    length = np.hypot(dx, dy)
    rate = (dx * bodies["body 5.vx"] + dy * bodies["body 5.vy"]) / length
    pull = 400.0 * (length - 0.5) + 6.0 * rate + 2.0
    assert np.abs(2.0 * bodies["body 5.ay"] - (5.0 - 2.0 * 9.81 - pull * dy / length)).max() < 1e-9
    turning = result.springs["rotational spring 1.moment"]
    assert np.abs(turning - (3.0 * bodies["body 2.phi"] + 0.1 * bodies["body 2.omega"])).max() < 1e-9


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def call(monkeypatch, capsys):
    """The program in this process: (exit status, standard output, standard error)."""

    def program(*arguments):
        monkeypatch.setattr("sys.argv", ["sheetmbs", *map(str, arguments)])
        status = cli.call()
        streams = capsys.readouterr()
        return status, streams.out, streams.err

    return program


def test_import_makes_a_workbook_and_never_writes_over_one(file, tmp_path, call):
    path, book = file(texts.gait()), tmp_path / "gait.xlsx"
    status, out, err = call("import", "mubodyna", path, book)
    assert (status, out) == (0, "")
    assert f"{book}: made from {path}." in err
    before = book.read_bytes()
    status, _out, err = call("import", "mubodyna", path, book)
    assert status == 2
    assert "never overwritten" in err
    assert book.read_bytes() == before


def test_import_of_a_wrong_file_makes_nothing_and_names_the_lines(file, tmp_path, call):
    text, line = changed(texts.gait(), "2 3 -0.178095", "2 7 -0.178095")
    path, book = file(text), tmp_path / "gait.xlsx"
    status, out, err = call("import", "mubodyna", path, book)
    assert (status, out, book.exists()) == (2, "", False)
    assert f"wrong-value  {path}:{line}  J = 7; bodies are numbered from 1 to 4" in err
    assert f"{book} was not made" in err


@pytest.mark.parametrize(
    ("form", "name", "code"),
    [
        ("mubodina", "a.xlsx", "unknown-format"),
        ("mubodyna", "a.xls", "wrong-extension"),
        ("mubodyna", "x/a.xlsx", "folder"),
    ],
)
def test_import_with_a_wrong_word_is_refused(file, tmp_path, call, form, name, code):
    status, _out, err = call("import", form, file(texts.gait()), tmp_path / name)
    assert status == 2
    assert code in err
    assert [path.name for path in Path(tmp_path).iterdir()] == ["model.txt"]


def test_import_prints_what_was_open_as_json(file, tmp_path, call):
    import json

    status, out, _err = call("import", "mubodyna", file(texts.gait()), tmp_path / "gait.xlsx", "--json")
    found = json.loads(out)
    assert (status, found["status"]) == (0, "done")
    assert [problem["code"] for problem in found["problems"]] == ["no-stabilisation", "application-point"]
