"""Texts of CAD programs give the mass, place and inertia of the body they describe, whatever their layout and language."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sheetmbs
from sheetmbs.schema.cad_numbers import MARK, NUMBER, decimal_sign, printed, text_of_number
from tests.support.cad_texts_read import ARM, LAYOUTS, NEAR, book_of, cad, is_arm, parsed, problems, read
from tests.support.spatial_books import space_book


def comma(lines):
    return [re.sub(r"(\d)\.(\d)", r"\1,\2", line) for line in lines]


def in_groups(lines):
    """With thousands in groups, as 1.234,56."""
    return [
        re.sub(r"\d+,\d+", lambda m: f"{int(m[0].split(',')[0]):,}".replace(",", ".") + "," + m[0].split(",")[1], line)
        for line in comma(lines)
    ]


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
    path = Path(__file__).parents[2] / "workbooks" / "double-wishbone.xlsx"
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
