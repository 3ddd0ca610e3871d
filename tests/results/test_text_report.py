"""The text report: the manual's printed numbers digit for digit, its order, its signs, and a file that harms no other."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import sheetmbs
from sheetmbs.command import cli
from sheetmbs.importing.to_workbook import read_mubodyna
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.results.text.text_description import fixed, scientific
from sheetmbs.workbook.writing.new_workbook import laid_out
from tests.support import mubodyna_texts as texts
from tests.support.printed_gait import PRINTED_BODIES, PRINTED_REACTIONS, PRINTED_VIOLATIONS
from tests.support.shared import shared

WORKBOOKS = Path(__file__).parents[2] / "workbooks"
MANUAL = shared("seeds") / "000_254159eeacb580c9.txt"
GUIDE = CubicSpline(texts.TIMES, 0.4 + 0.05 * np.sin(4 * texts.TIMES), bc_type="natural")
FRAMES = {0.0: "0.00000", 0.47995: "0.47995", 0.957: "0.95700"}
HEADINGS = (
    "GENERIC_INFORMATION", "INITIAL_CONDITIONS", "INERTIA_PROPERTIES", "CONSTANT_APPLIED_FORCES", "IDEAL_REVOLUTE_JOINTS",
    "TRANSLATIONAL_JOINTS", "GROUND_CONSTRAINTS", "SIMPLE_CONSTRAINTS", "DRIVING_CONSTRAINTS", "GUIDING_CONSTRAINTS",
    "TRANSLATIONAL_SPRINGS", "ROTATIONAL_SPRINGS", "APPLIED_FORCES", "POINTS_OF_INTEREST", "TIME_PARAMETERS",
)  # fmt: skip


def imported(text, folder):
    """The model of an input file, as it comes out of the workbook made from it."""
    path, book = folder / "model.txt", folder / "model.xlsx"
    path.write_text(text)
    book.write_bytes(laid_out(read_mubodyna(path)[0]))
    return sheetmbs.read(book)


def report(model, folder):
    """The text report of a run."""
    return sheetmbs.run(model).report(folder / "report.txt").read_text()


@pytest.fixture(scope="module")
def gait(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gait")
    return report(imported(texts.gait(), folder), folder)


def frame(text, time):
    """What is reported at a time, without that line."""
    return text.partition(f"TIME = {time}\n")[2].partition("\nTIME = ")[0]


def table(text, title):
    """The numbers of a table, row by row as they are printed; first columns that are words left out."""
    lines = text.partition(title)[2].lstrip("\n").split("\n\n")[0].splitlines()[1:]
    return [re.sub(r"^ +[A-Z]+\. ", " ", line).split() for line in lines]


@cache
def printed(values, decimals):
    """Numbers of the manual as it prints them, by column of the report."""
    return [f"{float(word):.{decimals}f}" for word in values.split()]


@pytest.mark.parametrize("time", FRAMES)
def test_the_imported_gait_gives_the_printed_bodies_digit_for_digit(gait, time):
    rows = table(frame(gait, FRAMES[time]), "BODY")
    assert [row[0] for row in rows] == ["1", "2", "3", "4"]
    assert [word for row in rows for word in row[1:]] == printed(PRINTED_BODIES[time], 3)


@pytest.mark.parametrize("time", FRAMES)
def test_the_imported_gait_gives_the_printed_reactions_digit_for_digit(gait, time):
    rows = table(frame(gait, FRAMES[time]), "REACTION FORCES")
    assert [(row[0], row[1], row[5]) for row in rows] == [("1", "1", "2"), ("2", "2", "3"), ("3", "3", "4")]
    assert [word for row in rows for word in row[2:5] + row[6:]] == printed(PRINTED_REACTIONS[time], 3)


@pytest.mark.parametrize("time", FRAMES)
def test_the_imported_gait_gives_the_printed_violations_digit_for_digit_and_sign_for_sign(gait, time):
    rows = table(frame(gait, FRAMES[time]), "CONSTRAINT VIOLATIONS")
    words = [word if word != "0" else "0.0000E+00" for word in PRINTED_VIOLATIONS[time].split()]
    assert [row[0] for row in rows] == [str(number) for number in range(1, 13)]
    assert [row[1] for row in rows] + [row[2] for row in rows] == words


@pytest.mark.skipif(not MANUAL.exists(), reason="the manual is not here")
def test_the_input_listed_in_the_manual_gives_the_output_printed_there(tmp_path):
    manual = MANUAL.read_text(encoding="utf-8").replace("```", "")
    listing = manual[manual.index("GENERIC_INFORMATION - ") : manual.index("The output results for the two first")]
    output = manual[manual.index("*** MULTIBODY SYSTEM") : manual.index("8. REFERENCES\n\n- BAUMGARTE")]
    found = report(imported(listing, tmp_path), tmp_path)
    first = "TIME = 0.00000"
    expected = output[: output.index(first)].replace("Guid_3\t...", "Guid_3 Guid_4 Guid_5 Guid_6")
    mine = found[found.index("*** MULTIBODY") : found.index(first)]
    assert mine.split() == [word for word in expected.split() if word != "..."]
    for time in FRAMES.values():
        assert frame(found, time).split() == frame(output, time).split(), time


@pytest.mark.parametrize(("number", "viscosity"), [(1, "0.4000"), (4, "0.0000")])
def test_clearances_are_listed_with_law_and_materials(tmp_path, number, viscosity):
    steel = "0.1 0.9 207D9 0.3 0.2 0.8 200D9 0.25"
    joint = ["3 4 0.15 0.0 0.0 0.0 0.01 0.0095"]
    times = "0.0 0.0005 0.0005 1 5 5"
    text = texts.slider_crank(clearances=joint, materials=[f"{number} {steel} 0.4"], time=times, with_wrist_pin=False)
    found = report(imported(text, tmp_path), tmp_path)
    assert "   1 Clearance revolute joint" in found
    assert table(found, "CLEARANCE_REVOLUTE_JOINTS\n") == [
        ["3", "4", "0.1500", "0.0000", "0.0000", "0.0000", "0.0100", "0.0095"]
    ]
    # of friction and restitution the means count
    either = [
        ["0.1500", "0.8500", young, poisson] for young, poisson in (("0.2070E+12", "0.3000"), ("0.2000E+12", "0.2500"))
    ]
    assert table(found, "MECHANICAL_PROPERTIES\n") == [[str(number), *either[0], *either[1], viscosity]]


def test_the_report_has_the_sections_and_tables_of_the_manual_in_its_order(tmp_path):
    found = report(imported(texts.slider_crank(), tmp_path), tmp_path)
    description, _, motion = found.partition("*** FORWARD DYNAMIC ANALYSIS ***")
    assert [line for line in description.splitlines() if line in HEADINGS] == list(HEADINGS)
    assert motion.count("TIME = ") == 1001
    titles = (
        "        BODY",
        "POINTS OF INTEREST",
        "TRANSLATIONAL SPRINGS",
        "ROTATIONAL SPRINGS",
        "REACTION",
        "CONSTRAINT",
    )
    places = [frame(motion, "0.25000").index(title) for title in titles]
    assert places == sorted(places)


def test_counts_and_data_of_the_description_are_those_of_the_input(tmp_path):
    text = texts.slider_crank()
    found = report(imported(text, tmp_path), tmp_path)
    counts = [int(line.split()[0]) for line in text.splitlines()[1:15]]
    assert [
        int(row[0]) for row in (line.split() for line in found.partition("INFORMATION\n\n")[2].splitlines()[:14])
    ] == counts
    assert table(found, "TRANSLATIONAL_SPRINGS")[0] == [
        "1",
        "5",
        "0.4000",
        "0.0000",
        "0.0000",
        "0.0000",
        "400.0000",
        "6.0000",
        "2.0000",
        "0.5000",
    ]
    assert table(found, "ROTATIONAL_SPRINGS") == [["1", "2", "3.0000", "0.1000"]]
    assert table(found, "DRIVING_CONSTRAINTS") == [["2", "3", "0.4000", "12.0000", "0.0000"]]
    assert table(found, "CONSTANT_APPLIED_FORCES")[3] == ["-20.0000", "-7.8480", "0.0000"]
    assert table(found, "GROUND_CONSTRAINTS") == [["1"]]
    assert table(found, "SIMPLE_CONSTRAINTS") == [["5", "3"]]
    assert table(found, "POINTS_OF_INTEREST") == [["3", "0.0000", "0.0200"]]
    assert "NAMES" not in found


def points_of(bodies, body, xi, eta):
    x, y, phi = bodies[3 * body - 3 : 3 * body]
    return np.array([x + np.cos(phi) * xi - np.sin(phi) * eta, y + np.sin(phi) * xi + np.cos(phi) * eta])


def equations(q, t):
    """Constraint equations of the slider-crank as in the textbook behind the program (Nikravesh 1988, ch. 4), |PQ| = 1."""
    phi = q[2::3]
    pins = [(1, 2, 0.0, -0.05), (2, 3, 0.05, -0.15), (3, 4, 0.15, 0.0)]
    found = [points_of(q, i, xi_i, 0.0) - points_of(q, j, xi_j, 0.0) for i, j, xi_i, xi_j in pins]
    p, direction = points_of(q, 1, 0.0, 0.0), points_of(q, 1, 0.0, 0.0) - points_of(q, 1, 1.0, 0.0)
    d = points_of(q, 4, 0.0, 0.0) - p
    slide = [direction[0] * d[1] - direction[1] * d[0], phi[0] - phi[3]]
    guide = float(GUIDE(t))
    driver = texts.ANGLE + texts.SPEED * t
    return np.concatenate([*found, slide, q[:3], [phi[4]], [phi[1] - driver], [q[12] - guide]])


def test_violations_have_the_order_and_the_signs_of_the_textbook(tmp_path):
    rng = np.random.default_rng(3)
    offsets, rates = (1e-3 * rng.standard_normal((5, 3)) for _ in range(2))
    text = texts.slider_crank(offsets=offsets, rates=rates, time="0.0 0.001 0.001 1 5 5")
    found = report(imported(text, tmp_path), tmp_path)
    states = texts.consistent() + np.hstack([offsets, rates])
    q, v, h = states[:, :3].ravel(), states[:, 3:].ravel(), 1e-6
    rows = table(frame(found, "0.00000"), "CONSTRAINT VIOLATIONS")
    positions, velocities = (np.array([float(row[k]) for row in rows]) for k in (1, 2))
    expected = equations(q, 0.0)
    expected[7] = 0.0  # angles of slides, grounds and simple constraints are counted from the start
    expected[8:12] = 0.0
    assert len(rows) == len(expected) == 14
    slopes = (equations(q + h * v, h) - equations(q - h * v, -h)) / (2 * h)
    assert np.abs(slopes).min() > 1e-6
    for numbers, exact in ((positions, expected), (velocities, slopes)):
        assert (np.abs(numbers - exact) <= 1e-3 * np.abs(exact) + 1e-8).all(), numbers - exact


def test_reactions_are_those_on_the_bodies_and_balance_a_pendulum(tmp_path):
    found = report(sheetmbs.read(WORKBOOKS / "pendulum.xlsx"), tmp_path)
    rows = table(frame(found, "0.00000"), "REACTION FORCES")
    assert rows, found[:400]
    for row in rows:
        assert row[1] == "0"
        assert float(row[2]) == -float(row[5])


def test_drivers_points_and_springs_are_those_of_the_result_sheets(tmp_path):
    result = sheetmbs.run(imported(texts.slider_crank(), tmp_path))
    found = frame(result.report(tmp_path / "report.txt").read_text(), "0.25000")
    row = 500
    moment, point, length = (
        f"{sheet[name].to_numpy()[row]:.3f}"
        for sheet, name in (
            (result.drivers, "driver 1.moment"),
            (result.points, "point 1.x"),
            (result.springs, "spring 2.length"),
        )
    )
    driven = next(line for line in found.splitlines() if "DRI. 1" in line)
    assert driven.split() == ["DRI.", "1", "2", "0.000", "0.000", moment]
    assert table(found, "POINTS OF INTEREST")[0][1] == point
    assert table(found, "TRANSLATIONAL SPRINGS")[1][1] == length


def test_names_stand_in_the_report_of_a_workbook_that_was_not_imported(tmp_path):
    found = report(sheetmbs.read(WORKBOOKS / "half-hat-leg.xlsx"), tmp_path)
    assert re.search(r"NAMES\n\n   1 hat\n   2 thigh\n   3 shank\n   4 foot\n", found)


@pytest.mark.parametrize(
    ("name", "analysis", "title"),
    [
        ("four-bar", "kinematic", "KINEMATIC ANALYSIS"),
        ("slider-crank", "inverse dynamic", "INVERSE DYNAMIC ANALYSIS"),
        ("pendulum", "equilibrium", "STATIC EQUILIBRIUM"),
        ("compressor", "dynamic", "FORWARD DYNAMIC ANALYSIS"),
        ("quick-return", "kinematic", "KINEMATIC ANALYSIS"),
    ],
)
def test_every_planar_workbook_has_a_report_in_si_without_nan(name, analysis, title, tmp_path):
    model = sheetmbs.read(WORKBOOKS / f"{name}.xlsx", analysis=analysis)
    if analysis != "equilibrium":
        settings = model.settings
        model = replace(model, settings=replace(settings, t_end=settings.t_start + 3 * settings.t_step))
    result = sheetmbs.run(model)
    found = result.report(tmp_path / "report.txt").read_text()
    assert f"*** {title} ***" in found
    assert "nan" not in found.lower()
    assert ("REACTION FORCES" in found) == (analysis != "kinematic")
    unit = result.bodies.attrs["units"][f"{model.bodies[0].name}.x"]
    x = result.bodies[f"{model.bodies[0].name}.x"].to_numpy()[0] * {"m": 1.0, "mm": 1e-3}[unit]
    assert table(frame(found, f"{model.settings.t_start:.5f}"), "BODY")[0][1] == fixed(float(x), 3)


def test_beams_are_reported_by_their_frames_and_named_among_what_bends(tmp_path):
    result = sheetmbs.run(replace_end(sheetmbs.read(WORKBOOKS / "flexible-four-bar.xlsx")))
    found = result.report(tmp_path / "report.txt").read_text()
    number = [body.name for body in result.model.bodies].index("coupler") + 1
    assert f"FURTHER_ELEMENTS\n\nbodies that bend, given by their frames at end i: {number}\n" in found
    last = f"{result.bodies['time'].iloc[-1]:.5f}"
    row = table(frame(found, last), "BODY")[number - 1]
    wanted = result.bodies.iloc[-1]
    assert row[1:3] == [fixed(float(wanted[f"coupler.{axis}"]), 3) for axis in "xy"]
    assert row[3] == fixed(float(np.radians(wanted["coupler.phi"])), 3)
    assert row[9] == fixed(float(np.radians(wanted["coupler.alpha"])), 3)
    assert "nan" not in found.lower()


# --- the file --------------------------------------------------------------------------------------------------------


def test_a_model_in_space_has_no_report_and_nothing_is_written(tmp_path):
    result = sheetmbs.run(replace_end(sheetmbs.read(WORKBOOKS / "gyroscope.xlsx")))
    with pytest.raises(WorkbookError, match="planar models"):
        result.report(tmp_path / "report.txt")
    assert list(tmp_path.iterdir()) == []


def replace_end(model):
    """The model over two rows."""
    settings = model.settings
    return replace(model, settings=replace(settings, t_end=settings.t_start + 2 * settings.t_step))


def test_a_report_replaces_one_of_ours_and_no_other_file(tmp_path):
    result = sheetmbs.run(replace_end(sheetmbs.read(WORKBOOKS / "pendulum.xlsx")))
    path = tmp_path / "report.txt"
    first = result.report(path).read_text()
    assert result.report(path).read_text() == first
    old = tmp_path / "old.txt"
    old.write_text("*** MULTIBODY SYSTEM DESCRIPTION ***\n")
    with pytest.raises(WorkbookError, match="is no report of sheetmbs"):
        result.report(old)
    assert old.read_text() == "*** MULTIBODY SYSTEM DESCRIPTION ***\n"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["old.txt", "report.txt"]


def test_a_report_that_cannot_be_finished_leaves_nothing_behind(tmp_path, monkeypatch):
    result = sheetmbs.run(replace_end(sheetmbs.read(WORKBOOKS / "pendulum.xlsx")))

    def broken(*_anything):
        yield "a line"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sheetmbs.results.text.text_report.text_report", broken)
    with pytest.raises(WorkbookError, match="no room left"):
        result.report(tmp_path / "report.txt")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "target", "code"),
    [
        ("gyroscope", "report.txt", "no-report"),
        ("pendulum", "missing/report.txt", "no-folder"),
        ("pendulum", ".", "report-is-folder"),
        ("pendulum", "book.xlsx", "foreign-report"),
    ],
)
def test_a_report_that_cannot_be_written_is_refused_before_anything_is_computed(
    name, target, code, tmp_path, monkeypatch, capsys
):
    book = tmp_path / "book.xlsx"
    content = (WORKBOOKS / f"{name}.xlsx").read_bytes()
    book.write_bytes(content)
    monkeypatch.setattr("sheetmbs.mechanism.mechanism_run.run_model", None)
    monkeypatch.setattr("sys.argv", ["sheetmbs", "run", str(book), "--report", str(tmp_path / target)])
    assert cli.call() == 2
    assert code in capsys.readouterr().err
    assert book.read_bytes() == content
    assert [path.name for path in tmp_path.iterdir()] == ["book.xlsx"]


def test_run_writes_the_report_beside_the_results(tmp_path, monkeypatch):
    book, path = tmp_path / "book.xlsx", tmp_path / "report.txt"
    book.write_bytes((WORKBOOKS / "pendulum.xlsx").read_bytes())
    monkeypatch.setattr("sys.argv", ["sheetmbs", "run", str(book), "--report", str(path)])
    assert cli.call() == 0
    assert path.read_text().startswith("*** SHEETMBS REPORT book.xlsx ***\n\n*** MULTIBODY SYSTEM DESCRIPTION ***\n")


# --- numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0000E+00"), (-7.058e-7, "-0.7058E-06"), (0.53459e-3, "0.5346E-03"), (1.0, "0.1000E+01"),
        (9.99996, "0.1000E+02"), (123456.0, "0.1235E+06"), (1e-120, "0.1000E-119"), (float("nan"), ""),
    ],
)  # fmt: skip
def test_small_numbers_are_printed_as_fortran_does(value, text):
    assert scientific(value) == text
    assert not text or float(text) == pytest.approx(value, rel=1e-3)


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.2345, "1.234"), (-0.0004, "0.000"), (-0.0006, "-0.001"), (207e9, "0.2070E+12"), (float("nan"), "")],
)
def test_what_rounds_to_zero_has_no_sign_and_what_is_too_long_an_exponent(value, text):
    assert fixed(value, 3) == text
