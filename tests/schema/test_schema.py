"""Names, headers and the declarations of sheets."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sheetmbs.analysis.formulations import FORMULATIONS
from sheetmbs.analysis.integrators.explicit.tableau import Tableau
from sheetmbs.analysis.integrators.methods import method_of
from sheetmbs.elements import JOINTS
from sheetmbs.model.model import Settings
from sheetmbs.schema.column import ColumnKind
from sheetmbs.schema.input_columns import JOINTS as JOINTS_SHEET
from sheetmbs.schema.input_columns import SHEETS
from sheetmbs.schema.names import fold, name_fault, nearest
from sheetmbs.schema.settings import SETTINGS
from sheetmbs.schema.validate import choice, is_blank_unit, split_header, split_parentheses

SHEET_NAMES = [sheet.name for sheet in SHEETS]
COLUMNS = [(sheet, column) for sheet in SHEETS for column in sheet.columns]


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@given(st.text(max_size=60))
def test_composed_and_decomposed_text_fold_alike(text):
    assert fold(unicodedata.normalize("NFC", text)) == fold(unicodedata.normalize("NFD", text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("body_i", "Body I"),
        ("body_i", " BODY-i "),
        ("body_i", "body\u00a0i"),
        ("crank pin", "Crank  Pin"),
        ("Straße", "STRASSE"),
        ("\u00e9", "e\u0301"),
        ("mass\n", "mass"),
        ("tie rod-5", "tie rod 5"),
        ("rack_-5", "Rack -5"),
    ],
)
def test_case_blanks_underscores_and_hyphens_do_not_count(one, other):
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("bodyi", "body_i"), ("rod1", "rod 1"), ("a", "b"), ("o", "ö"), ("rack -5", "rack 5"), ("-5", "5")],
)
def test_other_differences_count(one, other):
    assert fold(one) != fold(other)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Joint", "Joints"),
        ("Body", "Bodies"),
        ("Force Series", "ForceSeries"),
        ("Curve", "Curves"),
        ("Drviers", "Drivers"),
        ("Setting", "Settings"),
        ("Sprngs", "Springs"),
        ("Sheet1", None),
        ("Data", None),
        ("README", None),
        ("Notes", None),
        ("", None),
    ],
)
def test_a_near_miss_is_recognised_and_nothing_else(text, meant):
    assert nearest(text, SHEET_NAMES) == meant


@given(st.text(max_size=30), st.lists(st.text(min_size=1, max_size=30), max_size=8))
def test_the_nearest_name_is_one_of_the_names(text, names):
    assert nearest(text, names) in {None, *names}


@given(st.text(min_size=3, max_size=20).filter(lambda text: len(fold(text).replace(" ", "")) > 2))
def test_a_name_is_nearest_to_itself(text):
    assert nearest(text, [text]) == text


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("crank", None),
        ("=A1", None),
        ("+x @home -1", None),
        ("x" * 100, None),
        ("x" * 101, "name-too-long"),
        ("crank.x", "name-with-point"),
        ("GROUND ", "name-reserved"),
        ("two\nlines", "name-with-control-character"),
        ("=cmd|' /C calc'!A0", "name-is-command"),
    ],
)
def test_names_follow_the_rules(name, code):
    assert (name_fault(name) or (None,))[0] == code


HEADER_NAME = st.text(st.characters(exclude_characters="[]", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)
UNIT_TEXT = st.text(st.characters(exclude_characters="[]", exclude_categories=["Cs", "Cc"]), max_size=12)


@given(HEADER_NAME, UNIT_TEXT, st.sampled_from(["", " ", "\n"]))
def test_a_header_is_parted_into_name_and_unit(name, unit, gap):
    found_name, found_unit = split_header(f"{name}{gap}[{unit}]")
    assert found_name == name.strip()
    assert found_unit == unit.strip()


@given(HEADER_NAME)
def test_a_header_without_brackets_has_no_unit(name):
    assert split_header(name) == (name.strip(), None)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("mass (kg)", ("mass", "kg")),
        ("c (N/(m/s))", ("c", "N/(m/s)")),
        ("mass (estimated)", None),
        ("mass ()", None),
        ("mass", None),
    ],
)
def test_only_a_unit_in_parentheses_is_taken_for_one(text, parts):
    assert split_parentheses(text) == parts


def test_a_dash_is_no_unit():
    assert all(is_blank_unit(text) for text in ("", " ", "-", "\u2013"))
    assert not is_blank_unit("1")


@pytest.mark.parametrize(("sheet", "column"), COLUMNS, ids=lambda each: each.name)
def test_every_column_is_declared_completely(sheet, column):
    assert column.doc
    assert (column.kind is ColumnKind.CHOICE) == bool(column.choices)
    assert (column.kind is ColumnKind.REFERENCE) == bool(column.sheets)
    assert set(column.sheets) <= set(SHEET_NAMES)
    assert not column.dimensions or column.is_numeric
    assert column.kind is not ColumnKind.CHOICE or column.default in {"", *column.choices}
    assert sheet.column(column.name) is column


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_no_two_columns_of_a_sheet_fold_alike(sheet):
    assert len(sheet.by_fold) == len(sheet.columns)


def test_every_joint_can_be_written_on_the_sheet():
    assert set(JOINTS_SHEET.column("type").choices) == set(JOINTS)
    own = {row.value for joint in JOINTS.values() for row in joint.rows if row.value}
    assert own <= {column.name for column in JOINTS_SHEET.columns}


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_has_its_place_in_the_model(setting):
    fields = set(Settings.__dataclass_fields__)
    assert setting.attribute in fields | {"", "gravity_x", "gravity_y", "gravity_z"}
    assert setting.doc
    if setting.choices:
        assert getattr(Settings(), setting.attribute) == setting.choices[0]


@given(st.sampled_from([setting for setting in SETTINGS if setting.choices]), st.data())
def test_words_are_found_however_they_are_written(setting, data):
    word = data.draw(st.sampled_from(setting.choices))
    written = data.draw(
        st.sampled_from([word, word.upper(), f" {word} ", word.replace("-", "_"), word.replace(" ", "-")])
    )
    assert choice(written, setting.choices) == word


def test_every_integrator_and_formulation_of_the_settings_is_there():
    by_name = {setting.name: set(setting.choices) for setting in SETTINGS}
    assert all(callable(method_of(name)) or isinstance(method_of(name), Tableau) for name in by_name["integrator"])
    assert by_name["formulation"] == {"auto", *FORMULATIONS}
