"""Texts of CAD programs give the mass, place and inertia of the body they describe, whatever their layout, or say why not."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.cad_body import body_of
from sheetmbs.schema.cad_numbers import MARK, NUMBER, decimal_sign, printed, text_of_number
from sheetmbs.schema.cad_text import read_text
from tests.spatial_books import space_book

TEXTS = Path(__file__).parents[1] / "workbooks" / "cad_texts.py"
spec = importlib.util.spec_from_file_location("cad_texts", TEXTS)
cad = importlib.util.module_from_spec(spec)
sys.modules["cad_texts"] = cad
spec.loader.exec_module(cad)

ARM = cad.made_of(
    [(0.8, (30.0, -12.0, 5.0)), (0.5, (-40.0, 55.0, 21.0)), (0.7, (12.0, 33.0, -60.0)), (0.4, (75.0, 8.0, 44.0))]
)
NEAR = {"rtol": 0.0, "atol": 1e-8}
LAYOUTS = {
    **{
        f"SolidWorks, {unit}, {notation or 'no'} note": cad.solidworks("arm", ARM, unit, decimals, notation)
        for unit, decimals in (("grams", 2), ("kilograms", 8), ("pounds", 6))
        for notation in ("positive", "negative", "")
    },
    **{
        f"Fusion, {unit}{' in tabs' if equals != ' = ' else ''}": cad.fusion("arm v7", ARM, unit, decimals, equals)
        for unit, decimals in (("g", 3), ("kg", 9), ("lbmass", 7))
        for equals in (" = ", "\t")
    },
}


def parsed(lines, *, planar=False):
    return body_of(read_text(lines), planar=planar)


def comma(lines):
    return [re.sub(r"(\d)\.(\d)", r"\1,\2", line) for line in lines]


def in_groups(lines):
    """With thousands in groups, as 1.234,56."""
    return [
        re.sub(r"\d+,\d+", lambda m: f"{int(m[0].split(',')[0]):,}".replace(",", ".") + "," + m[0].split(",")[1], line)
        for line in comma(lines)
    ]


def book_of(path, rows, bodies=None, settings=None):
    """A workbook whose sheet Mass properties has these rows of cells."""
    space_book(path, settings, Bodies=bodies or [{"name": "arm", "mass": None}])
    book = openpyxl.load_workbook(path)
    sheet = book.create_sheet("Mass properties")
    for row, cells in enumerate(rows, start=1):
        for column, cell in enumerate(cells, start=1):
            if cell not in ("", None):
                sheet.cell(row, column, cell)
    book.save(path)
    return path


def read(tmp_path, lines, bodies=None, settings=None, name="arm"):
    return sheetmbs.read(book_of(tmp_path / "b.xlsx", [[name], *([line] for line in lines)], bodies, settings))


def problems(tmp_path, rows, bodies=None, settings=None):
    path = book_of(tmp_path / "b.xlsx", rows, bodies, settings)
    try:
        found = sheetmbs.read(path).warnings
    except WorkbookError as error:
        found = error.problems
    return [(each.code, each.cell, each.severity) for each in found]


def is_arm(body, scale=1.0):
    assert body.mass == pytest.approx(ARM.mass, abs=5e-6 * scale)
    np.testing.assert_allclose(body.position, ARM.centre, rtol=0, atol=6e-6)
    np.testing.assert_allclose(body.inertia, ARM.at_centre, **NEAR)


# --- what texts give -------------------------------------------------------------------------------------------------


def test_the_made_body_has_the_tensor_that_the_parallel_axis_theorem_demands():
    c = ARM.centre
    moved = ARM.at_centre + ARM.mass * (c @ c * np.eye(3) - np.outer(c, c))
    np.testing.assert_allclose(ARM.at_origin, moved, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_and_unit_system_gives_the_same_body(tmp_path, layout):
    model = read(tmp_path, LAYOUTS[layout])
    is_arm(model.bodies[0])
    assert model.warnings == ()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("changed", [comma, in_groups])
def test_decimal_commas_and_groups_of_thousands_change_nothing(layout, changed):
    body, slips = parsed(changed(LAYOUTS[layout]))
    as_printed, _ = parsed(LAYOUTS[layout])
    assert slips == []
    assert body.mass == as_printed.mass
    assert np.array_equal(body.centre, as_printed.centre)
    assert np.array_equal(body.tensor, as_printed.tensor)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_text_may_be_split_at_its_tabs_or_stand_in_one_cell(tmp_path, layout):
    lines = LAYOUTS[layout]
    split = [["arm"], *(line.split("\t") for line in lines)]
    one = [["arm"], [], ["\n".join(lines)]]
    for rows in (split, one):
        is_arm(sheetmbs.read(book_of(tmp_path / "b.xlsx", rows)).bodies[0])


def test_numbers_that_a_spreadsheet_program_made_of_split_text_count_as_printed(tmp_path):
    rows = [["arm"], *([_number(cell) for cell in line.split("\t")] for line in LAYOUTS["Fusion, g in tabs"])]
    assert any(isinstance(cell, float) for row in rows for cell in row)
    is_arm(sheetmbs.read(book_of(tmp_path / "b.xlsx", rows)).bodies[0])


def _number(cell):
    return float(cell) if re.fullmatch(r"-?\d+\.\d+", cell) else cell


def test_texts_of_several_bodies_stand_side_by_side(tmp_path):
    other = cad.made_of(
        [(2 * m, p) for m, p in ((0.5, (1.0, 20.0, 3.0)), (0.7, (50.0, 6.0, -7.0)), (0.1, (8.0, 9.0, 80.0)))]
    )
    left, right = (cad.solidworks("x", each) for each in (ARM, other))
    width = 5
    rows = [["arm", *[None] * (width - 1), "rod"]]
    for one, two in zip(left, right, strict=True):
        cells = one.split("\t")
        rows.append([*cells, *[None] * (width - len(cells)), *two.split("\t")])
    arm, rod = sheetmbs.read(
        book_of(tmp_path / "b.xlsx", rows, [{"name": "arm", "mass": None}, {"name": "rod"}])
    ).bodies
    is_arm(arm)
    assert rod.mass == pytest.approx(other.mass)
    np.testing.assert_allclose(rod.inertia, other.at_centre, **NEAR)


SPANISH = {
    "Mass properties of": "Propiedades de masa de",
    "Mass =": "Masa =",
    "Center of mass:": "Centro de masa:",
    "Principal axes of inertia and principal moments of inertia": "Ejes y momentos principales de inercia",
    "Taken at the center of mass and aligned with the output coordinate system.": "Obtenidos en el centro de masa.",
    "Taken at the center of mass.": "Medido desde el centro de masa.",
    "Taken at the output coordinate system.": "Medido desde el sistema de coordenadas de salida.",
    "Moments of inertia": "Momentos de inercia",
    "grams *  square millimeters": "gramos *  milímetros cuadrados",
    "millimeters": "milímetros",
    "grams": "gramos",
}
GERMAN = dict(zip(SPANISH, (
    *("Masseneigenschaften von", "Masse =", "Massenmittelpunkt:", "Hauptträgheitsachsen und Hauptträgheitsmomente"),
    "Bezogen auf den Massenmittelpunkt, ausgerichtet auf das Ausgabekoordinatensystem.",
    *("Bezogen auf den Massenmittelpunkt.", "Bezogen auf das Ausgabekoordinatensystem.", "Trägheitsmomente"),
    *("Gramm *  Quadratmillimeter", "Millimeter", "Gramm"),
), strict=True))  # fmt: skip
FRENCH = dict(zip(SPANISH, (
    *("Propriétés de masse de", "Masse =", "Centre de masse:", "Principaux axes et moments d'inertie"),
    *("Pris au centre de masse, alignés.", "Pris au centre de masse.", "Pris au système de sortie.", "Moments d'inertie"),
    *("grammes *  millimètres carrés", "millimètres", "grammes"),
), strict=True))  # fmt: skip


@pytest.mark.parametrize("words", [SPANISH, GERMAN, FRENCH])
def test_solidworks_is_read_in_other_languages(tmp_path, words):
    text = "\n".join(cad.solidworks("arm", ARM, notation=""))
    for english, other in words.items():
        text = text.replace(english, other)
    assert "mass " not in text
    is_arm(read(tmp_path, comma(text.splitlines())).bodies[0])


@pytest.mark.parametrize("as_cells", [False, True])
def test_numbers_in_powers_of_ten_are_read_with_as_many_digits_as_they_have(tmp_path, as_cells):
    rows = [["arm"]]
    for line in cad.fusion("arm", ARM, "g", 9, "\t"):
        cells = line.split("\t")
        if cells[-1].replace(".", "").lstrip("-").isdigit():
            text = f"{float(cells[-1]):.3E}"
            cells[-1] = float(text) if as_cells else text
        rows.append(cells)
    body = sheetmbs.read(book_of(tmp_path / "b.xlsx", rows)).bodies[0]
    np.testing.assert_allclose(body.inertia, ARM.at_centre, rtol=6e-4)


def test_inertia_about_the_origin_alone_is_moved_to_the_centre(tmp_path):
    lines = cad.solidworks("arm", ARM, decimals=5)
    second = max(n for n, line in enumerate(lines) if line.startswith("Moments of inertia"))
    first = next(n for n, line in enumerate(lines) if line.startswith("Moments of inertia"))
    is_arm(read(tmp_path, lines[:first] + lines[second:]).bodies[0])


def test_remarks_that_the_user_overrode_something_are_no_hindrance(tmp_path):
    text = "\n".join(cad.solidworks("arm", ARM))
    text = text.replace("Mass =", "Mass (user-overridden) =").replace(
        "Center of mass:", "Center of Mass (user-overridden):"
    )
    is_arm(read(tmp_path, text.splitlines()).bodies[0])


# --- signs -----------------------------------------------------------------------------------------------------------


def test_products_are_elements_of_the_tensor_whose_sign_is_that_of_minus_the_integral():
    # two points on the line y = x: the integral of xy is positive, so the tensor element is negative
    two = cad.made_of(cad.pairs((0, 0, 0), (1.0, (50, 50, 0)), (0.1, (0, 0, 30))))
    for lines in (cad.solidworks("two", two), cad.solidworks("two", two, notation="negative"), cad.fusion("two", two)):
        assert parsed(lines)[0].tensor[0, 1] == pytest.approx(-2 * 0.05 * 0.05)
    positive = next(line for line in cad.solidworks("two", two) if "Lxx" in line)
    assert "Lxy = 5000000.00" in positive


@pytest.mark.parametrize("kept", ["axes", "origin"])
def test_the_sign_of_products_without_a_note_is_found_from_axes_or_from_the_tensor_about_the_origin(kept):
    negative = [
        line.replace(" (Using negative tensor notation.)", "")
        for line in cad.solidworks("a", ARM, "grams", 4, "negative")
    ]
    principal = next(n for n, line in enumerate(negative) if line.startswith("Principal"))
    first, second = [n for n, line in enumerate(negative) if line.startswith("Moments of inertia")]
    lines = negative[:second] if kept == "axes" else negative[:principal] + negative[first:]
    body, slips = parsed(lines)
    assert slips == []
    np.testing.assert_allclose(body.tensor, ARM.at_centre, **NEAR)


def test_a_sign_that_nothing_tells_is_assumed_with_a_warning(tmp_path):
    lines = cad.solidworks("arm", ARM, notation="")
    principal = next(n for n, line in enumerate(lines) if line.startswith("Principal"))
    first, second = [n for n, line in enumerate(lines) if line.startswith("Moments of inertia")]
    model = read(tmp_path, lines[:principal] + lines[first:second])
    assert [warning.code for warning in model.warnings] == ["sign-assumed"]
    is_arm(model.bodies[0])


def test_a_note_that_contradicts_the_numbers_is_an_error():
    text = "\n".join(cad.solidworks("arm", ARM)).replace("positive tensor", "negative tensor")
    body, slips = parsed(text.splitlines())
    assert [slip.code for slip in slips] == ["contradictory-inertia"]
    assert "with the other notation all fit" in slips[0].problem
    assert body.tensor is None


# --- any body, any layout --------------------------------------------------------------------------------------------


COORDINATE = st.integers(-3000, 3000).map(lambda n: n / 10)
POINTS = st.lists(
    st.tuples(st.integers(1, 500).map(lambda n: n / 100), st.tuples(COORDINATE, COORDINATE, COORDINATE)),
    min_size=4,
    max_size=8,
)
SOLIDWORKS_PRINTERS = st.tuples(
    *(st.just(cad.solidworks), st.sampled_from(list(cad.SOLIDWORKS_UNITS)), st.integers(2, 8)),
    st.sampled_from(["positive", "negative"]),
)
FUSION_PRINTERS = st.tuples(
    *(st.just(cad.fusion), st.sampled_from(list(cad.FUSION_UNITS)), st.integers(3, 9)), st.sampled_from([" = ", "\t"])
)


@settings(deadline=None, max_examples=200)
@given(POINTS, SOLIDWORKS_PRINTERS | FUSION_PRINTERS, st.sampled_from([list, comma, in_groups]))
def test_any_body_printed_in_any_layout_is_read_back_to_its_last_digit_or_refused_for_having_too_few(
    points, printer, changed
):
    write, unit, decimals, style = printer
    body = cad.made_of(points)
    found, slips = parsed(changed(write("b", body, unit, decimals, style)))
    *_, per_kg, per_m = (cad.SOLIDWORKS_UNITS if write is cad.solidworks else cad.FUSION_UNITS)[unit]
    half = 0.5000001 * 10.0**-decimals
    if any(slip.severity == "error" for slip in slips):
        assert {slip.code for slip in slips} <= {"few-digits", "impossible-inertia", "no-mass"}
        least, *_, most = np.linalg.eigvalsh(body.at_centre)  # of a rod the least is 0, and rounding of the most
        assert (least - 1e-14 * most) * per_kg * per_m**2 < 4 * half or body.mass * per_kg < half
        return
    assert abs(found.mass - body.mass) <= half / per_kg
    assert np.max(np.abs(found.centre - body.centre)) <= half / per_m
    assert np.max(np.abs(found.tensor - body.at_centre)) <= half / per_kg / per_m**2 + 1e-12


@given(st.floats(-1e12, 1e12) | st.integers(-(10**9), 10**9).map(float))
def test_the_text_of_a_number_cell_is_that_number(value):
    text = text_of_number(value)
    assert re.fullmatch(NUMBER, text)
    assert printed(text, ",").value == value
    assert decimal_sign([text, "1,5"]) == ","


@given(st.floats(1e-6, 1e9), st.integers(0, 6), st.sampled_from([".", ","]))
def test_a_number_with_groups_is_read_as_its_digits_say(value, decimals, sign):
    other = "," if sign == "." else "."
    text = f"{value:,.{decimals}f}".replace(",", "g").replace(".", sign).replace("g", other)
    found = printed(text, sign)
    assert found.value == float(f"{value:.{decimals}f}")
    assert found.half == pytest.approx(0.5 * 10.0**-decimals)
    assert MARK not in text


LINES = st.sampled_from(list(LAYOUTS.values()))
BITS = st.sampled_from(
    [
        "Lxx =",
        "( grams )",
        "= 1e999",
        "1.2.3,4",
        "-",
        "Mass = ",
        "\t",
        "(",
        "0.00",
        "9" * 400,
        "Ixy",
        "x" * 2000,
        "\ue000",
    ]
)


@settings(deadline=None, max_examples=300)
@given(LINES, st.data())
def test_texts_that_are_cut_and_stirred_give_a_body_or_slips_but_never_a_traceback(lines, data):
    text = "\n".join(lines)
    for _ in range(data.draw(st.integers(1, 4))):
        begin = data.draw(st.integers(0, len(text)))
        end = min(len(text), begin + data.draw(st.integers(0, 60) | st.integers(0, 2000)))
        text = text[:begin] + data.draw(BITS | st.text(max_size=5) | st.just("")) + text[end:]
    body, slips = parsed(text.splitlines(), planar=data.draw(st.booleans()))
    assert all(slip.found and slip.problem and slip.mend for slip in slips)
    if body.tensor is not None:
        assert np.all(np.isfinite(body.tensor))


# --- on Bodies -------------------------------------------------------------------------------------------------------


def test_a_text_equals_the_same_numbers_typed_on_bodies(tmp_path):
    lines = cad.fusion("arm", ARM, "kg", 9)
    numbers = dict(re.findall(r"(I[xyz]{2}) = (\S+)", "\n".join(lines[: lines.index("", 6)])))
    centre = re.findall(r"(-?\d\.\d+) m", lines[4])
    cells = {name.lower(): float(numbers[name]) for name in ("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")}
    cells |= {axis: float(place) for axis, place in zip("xyz", centre, strict=True)}
    typed = sheetmbs.read(
        space_book(
            tmp_path / "typed.xlsx",
            Bodies=[{"name": "arm", "mass": float(re.search(r"\d\.\d+", lines[2])[0]), **cells}],
        )
    ).bodies[0]
    pasted = read(tmp_path, lines).bodies[0]
    assert pasted.mass == typed.mass
    assert np.array_equal(pasted.inertia, typed.inertia)
    assert np.array_equal(pasted.position, typed.position)


def test_the_texts_of_the_example_give_the_bodies_that_their_point_masses_make():
    path = Path(__file__).parents[1] / "workbooks" / "double-wishbone.xlsx"
    pasted = {body.name: body for body in sheetmbs.read(path).bodies}
    assert pasted["upright"].mass == 3.2
    np.testing.assert_allclose(pasted["upright"].position, (-0.004, 0.557, 0.225), rtol=1e-15)
    np.testing.assert_allclose(pasted["rack"].position, (0.06, 0.0, 0.1415), rtol=1e-15)
    x, y, z = np.array([(5, -8, 75), (52, 10, 12), (-8, 105, 20)]).T / 1000.0
    m = 2 * np.array([0.9, 0.5, 0.2])
    expected = [[m @ (y**2 + z**2), -m @ (x * y), -m @ (x * z)]]
    np.testing.assert_allclose(pasted["upright"].inertia[:1], expected, rtol=0, atol=1e-11)


def test_a_planar_model_takes_mass_place_and_the_moment_about_z(tmp_path):
    planar = {"dimension": "2D"}
    body = read(tmp_path, LAYOUTS["SolidWorks, grams, positive note"], settings=planar).bodies[0]
    assert body.mass == pytest.approx(ARM.mass)
    np.testing.assert_allclose(body.position, [*ARM.centre[:2], 0.0], atol=6e-6)
    np.testing.assert_allclose(body.inertia, np.diag([0.0, 0.0, ARM.at_centre[2, 2]]), **NEAR)


def test_a_typed_place_is_that_of_the_centre_of_mass(tmp_path):
    body = read(tmp_path, LAYOUTS["Fusion, g"], [{"name": "arm", "x": 1, "y": 2, "z": 3, "yaw": 0.3}]).bodies[0]
    np.testing.assert_allclose(body.position, (1.0, 2.0, 3.0))
    np.testing.assert_allclose(body.inertia, ARM.at_centre, **NEAR)


def test_a_part_in_coordinates_of_its_own_is_placed_by_its_origin_and_turned_about_it(tmp_path):
    row = {"name": "arm", "cad_x": 1, "cad_y": 2, "cad_z": 3, "yaw": "90 deg"}
    body = read(tmp_path, LAYOUTS["Fusion, kg"], [row]).bodies[0]
    x, y, z = ARM.centre
    np.testing.assert_allclose(body.position, (1.0 - y, 2.0 + x, 3.0 + z), atol=1e-8)
    row = {"name": "arm", "cad_x": 1, "cad_y": 2, "phi": "90 deg"}
    body = read(tmp_path, LAYOUTS["Fusion, kg"], [row], {"dimension": "2D"}).bodies[0]
    np.testing.assert_allclose(body.position, (1.0 - y, 2.0 + x, 0.0), atol=1e-8)


def test_what_a_text_does_not_give_is_typed_on_bodies(tmp_path):
    row = {"name": "arm", "ixx": 0.1, "iyy": 0.1, "izz": 0.1, "x": 0, "y": 0, "z": 0}
    body = read(tmp_path, ["Mass = 2.4 kilograms"], [row]).bodies[0]
    assert body.mass == 2.4
    np.testing.assert_allclose(body.inertia, 0.1 * np.eye(3))


def test_a_kinematic_analysis_takes_the_place_from_a_text_too(tmp_path):
    body = read(tmp_path, LAYOUTS["Fusion, kg"], settings={"analysis": "kinematic"}).bodies[0]
    np.testing.assert_allclose(body.position, ARM.centre, atol=1e-8)


def test_a_text_counts_as_long_as_the_row_of_its_body_does(tmp_path):
    bodies = [{"name": "arm", "active": "no"}, {"name": "b", "mass": 1, "ixx": 1, "iyy": 1, "izz": 1}]
    assert problems(tmp_path, [["arm"], ["\n".join(LAYOUTS["Fusion, g"])]], bodies) == []


def test_a_name_that_begins_with_a_hash_switches_its_text_off(tmp_path):
    row = {"name": "arm", "mass": 1, "ixx": 1, "iyy": 1, "izz": 1}
    body = read(tmp_path, LAYOUTS["Fusion, g"], [row], name="# arm").bodies[0]
    assert body.mass == 1.0


def test_reading_texts_needs_neither_numba_nor_scipy(tmp_path):
    path = book_of(tmp_path / "b.xlsx", [["arm"], ["\n".join(LAYOUTS["Fusion, g"])]])
    heavy = "*(sys.modules.keys() & {'numba', 'scipy', 'pandas'})"
    code = f"import sys; from sheetmbs.command import cli; status = cli.call(); print(status, {heavy})"
    done = subprocess.run([sys.executable, "-c", code, "check", str(path)], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "0", done


# --- what is wrong ---------------------------------------------------------------------------------------------------

SOLIDWORKS, FUSION = LAYOUTS["SolidWorks, grams, positive note"], LAYOUTS["Fusion, g"]
BODY = {"name": "arm", "mass": None}
LAST = len(SOLIDWORKS) + 1


def row_of(lines, text):
    """Sheet row of the first line that holds a text."""
    return next(n for n, line in enumerate(lines, start=2) if text in line)


def number_behind(lines, name):
    return re.search(rf"{name} = (\S+)", "\n".join(lines))[1]


def with_number(name, number):
    """The lines of SolidWorks with another number behind the first mark of that name."""
    return (
        "\n".join(SOLIDWORKS)
        .replace(f"{name} = {number_behind(SOLIDWORKS, name)}", f"{name} = {number}", 1)
        .splitlines()
    )


OTHER = cad.made_of(cad.pairs((1, 2, 3), (1, (4, 5, 60)), (2, (9, 80, 7))))
MASS = number_behind(SOLIDWORKS, "Mass")
BROKEN = {
    "inertia edited": (with_number("Lzz", "1000000.00"), "contradictory-inertia", "Moments"),
    "mass edited": (with_number("Mass", "2500.00"), "contradictory-inertia", "Moments"),
    "product edited": (with_number("Lxy", "0.00"), "unsymmetric", "Lyx"),
    "principal moment edited": (with_number("Px", "2.00"), "contradictory-inertia", "Moments"),
    "a line lost": ([line for line in SOLIDWORKS if "Lyy" not in line], "half-a-text", "Moments"),
    "cut in the middle": (SOLIDWORKS[: row_of(SOLIDWORKS, "Lzx") - 2], "half-a-text", "Moments"),
    "no number": (with_number("Lxx", ""), "no-number", "Lxx"),
    "no heading": ([line for line in SOLIDWORKS if "(" not in line], "no-unit", "X ="),
    "no unit of mass": ([line.replace(f"{MASS} grams", MASS) for line in SOLIDWORKS], "no-unit", "Mass ="),
    "twice": ([*SOLIDWORKS, *cad.solidworks("b", OTHER)], "given-twice", None),
    "two decimal signs": (with_number("Mass", "2400,5"), "decimal-sign", None),
    "no mass": (with_number("Mass", "0.00"), "no-mass", "Mass ="),
    "centre lost": ([line for line in FUSION if not line.startswith("Center")], "missing-value", "Bodies!A2"),
    "one tensor without heading": ([line for line in FUSION[:15] if "Moment" not in line], "no-unit", "Ixx"),
    "few digits": (cad.solidworks("arm", ARM, "kilograms", 2), "few-digits", "Moments"),
    "nothing": (["a remark"], "no-mass-properties", "arm"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_a_wrong_text_is_a_sentence_at_its_line(tmp_path, case):
    lines, code, where = BROKEN[case]
    found = problems(tmp_path, [["arm"], *([line] for line in lines)])
    assert code in [each[0] for each in found], found
    cell = next(each[1] for each in found if each[0] == code)
    if where and "!" in where:
        assert cell == where
    elif where == "arm":
        assert cell == "Mass properties!A1"
    elif where:
        assert cell == f"Mass properties!A{row_of(lines, where)}"


def test_an_impossible_tensor_is_refused():
    lines = ["Mass = 1.00 kilograms", "Moments of inertia: ( kilograms * square meters )"]
    rows = [
        "Lxx = 1.000\tLxy = 0.000\tLxz = 0.000",
        "Lyx = 0.000\tLyy = 1.000\tLyz = 0.000",
        "Lzx = 0.000\tLzy = 0.000\tLzz = {}",
    ]
    for moment, codes in (("2.000", []), ("2.001", []), ("2.100", ["impossible-inertia"])):
        assert [slip.code for slip in parsed([*lines, *rows[:2], rows[2].format(moment)])[1]] == codes


def test_density_times_volume_must_be_the_mass_but_for_parts_that_were_overridden():
    def codes(mass):
        lines = [
            f"Mass = {mass} grams",
            "Density = 0.0027 grams per cubic millimeter",
            "Volume = 100000.00 cubic millimeters",
        ]
        return [(slip.code, slip.severity) for slip in parsed(lines)[1]]

    assert codes("270.00") == codes("274.00") == []
    assert codes("290.00") == [("mass-density", "error")]
    assert (
        parsed(
            [
                "Mass (user-overridden) = 290.00 grams",
                "Density = 0.0027 grams per cubic millimeter",
                "Volume = 100000.00 cubic millimeters",
            ]
        )[1][0].severity
        == "warning"
    )


@pytest.mark.parametrize(
    ("cells", "code", "cell"),
    [
        ({"mass": 2}, "two-ways-mass", "Bodies!B2"),
        ({"ixx": 2}, "two-ways-mass", "Bodies!C2"),
        ({"iyz": 0.1}, "two-ways-mass", "Bodies!C2"),
        ({"shape": "sphere", "radius": 1, "density": 1}, "two-ways-mass", "Bodies!C2"),
        ({"x": 1, "y": 2}, "missing-value", "Bodies!A2"),
        ({"yaw": 0.1}, "missing-value", "Bodies!A2"),
        ({"x": 1, "y": 2, "z": 3, "cad_x": 1}, "two-ways-place", "Bodies!F2"),
    ],
)
def test_nothing_that_a_text_gives_may_be_given_on_bodies_too(tmp_path, cells, code, cell):
    found = problems(tmp_path, [["arm"], ["\n".join(SOLIDWORKS)]], [BODY | cells])
    assert found == [(code, cell, "error")]


def test_the_origin_of_cad_coordinates_without_a_text_is_a_warning(tmp_path):
    row = {"name": "b", "mass": 1, "ixx": 1, "iyy": 1, "izz": 1, "cad_x": 2}
    found = problems(tmp_path, [], [row])
    assert found == [("unused-value", "Bodies!F2", "warning")]


@pytest.mark.parametrize(
    ("rows", "code", "cell"),
    [
        ([["leg"], ["\n".join(SOLIDWORKS)]], "unknown-body", "Mass properties!A1"),
        ([["arm", "ARM"], ["\n".join(SOLIDWORKS)] * 2], "duplicate-name", "Mass properties!B1"),
        ([[line] for line in SOLIDWORKS], "no-body-name", "Mass properties!A1"),
        ([["\n".join(SOLIDWORKS)]], "no-body-name", "Mass properties!A1"),
        ([[None, "arm"], [SOLIDWORKS[0]], *([None, line] for line in SOLIDWORKS[1:])], "no-body-name", "Mass properties!A2"),
        ([["arm"], *([line] for line in SOLIDWORKS), [None, "#REF!"]], "error-value", f"Mass properties!B{LAST + 1}"),
    ],
)  # fmt: skip
def test_names_above_the_texts_are_those_of_bodies(tmp_path, rows, code, cell):
    found = problems(
        tmp_path, rows, [BODY | {"mass": 1, "ixx": 1, "iyy": 1, "izz": 1}] if code != "unknown-body" else None
    )
    assert (code, cell, "error") in found


def test_a_number_that_became_a_date_is_named(tmp_path):
    path = book_of(tmp_path / "b.xlsx", [["arm"], *(line.split("\t") for line in LAYOUTS["Fusion, g in tabs"])])
    book = openpyxl.load_workbook(path)
    cell = book["Mass properties"].cell(10, 3)
    cell.value, cell.number_format = 45000, "dd.mm.yyyy"
    book.save(path)
    with pytest.raises(WorkbookError) as error:
        sheetmbs.read(path)
    assert [(each.code, each.cell) for each in error.value.problems] == [("date-as-number", "Mass properties!C10")]


# --- shapes ----------------------------------------------------------------------------------------------------------


def between(x, square, least, most):
    return (abs(x) < 0.2) & (square > least) & (square < most)


@pytest.mark.parametrize(
    ("cells", "inside"),
    [
        (
            {"shape": "box", "length": 0.4, "width": 0.3, "height": 0.2},
            lambda x, y, z: between(x, np.maximum(abs(y) / 0.15, abs(z) / 0.1), -1.0, 1.0),
        ),
        ({"shape": "cylinder", "length": 0.4, "radius": 0.1}, lambda x, y, z: between(x, y * y + z * z, -1.0, 0.01)),
        (
            {"shape": "tube", "length": 0.4, "radius": 0.1, "inner_radius": 0.06},
            lambda x, y, z: between(x, y * y + z * z, 0.0036, 0.01),
        ),
        ({"shape": "sphere", "radius": 0.2}, lambda x, y, z: x * x + y * y + z * z < 0.04),
    ],
)
def test_shapes_have_the_mass_and_moments_of_their_volume(tmp_path, cells, inside):
    h = 0.4 / 160
    x, y, z = np.meshgrid(*[np.arange(-0.2 + h / 2, 0.2, h)] * 3, indexing="ij", sparse=True)
    full = inside(x, y, z)
    mass = 2700.0 * h**3 * np.count_nonzero(full)
    expected = [2700.0 * h**3 * np.sum(full * across) for across in (y**2 + z**2, x**2 + z**2, x**2 + y**2)]
    row = {"name": "b", "density": 2700.0} | cells
    space = sheetmbs.read(space_book(tmp_path / "3.xlsx", Bodies=[row])).bodies[0]
    plane = sheetmbs.read(space_book(tmp_path / "2.xlsx", {"dimension": "2D"}, Bodies=[row])).bodies[0]
    assert space.mass == plane.mass == pytest.approx(mass, rel=3e-3)
    assert np.diag(space.inertia) == pytest.approx(expected, rel=6e-3)
    assert np.count_nonzero(space.inertia - np.diag(np.diag(space.inertia))) == 0
    assert plane.inertia[2, 2] == space.inertia[2, 2]
