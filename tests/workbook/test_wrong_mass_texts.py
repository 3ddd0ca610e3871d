"""Mass properties pasted from CAD programs: what is wrong in them, or given twice, is a sentence at its line."""

import re
import subprocess
import sys

import openpyxl
import pytest

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from tests.support.cad_texts_read import ARM, LAYOUTS, book_of, cad, is_arm, parsed, problems, read


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
