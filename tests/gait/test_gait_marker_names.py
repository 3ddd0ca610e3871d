"""What a name of a point means: a joint centre, then a marker by this workbook's names, then a label; and never two things."""

import copy

import numpy as np
import pytest

from sheetmbs import WorkbookError, run_gait
from sheetmbs.gait.trial.marker_synonyms import model_names
from sheetmbs.schema.names import are_of_two_sides, nearest
from tests.support.gait_books import Recording, gait_book, walker_sheets

HOW = Recording(end=1.5)


def relabelled(sheets, names, sheet="Markers"):
    """Markers under other labels: name of the walker -> label."""
    header = sheets[sheet][0]
    for at, text in enumerate(header):
        name, _, axis = text.rpartition(".")
        if name in names:
            header[at] = f"{names[name]}.{axis}"


def renamed(sheets, name, other):
    """A point of Segments under another name."""
    sheets["Segments"] = [tuple(other if cell == name else cell for cell in row) for row in sheets["Segments"]]


def mapped(sheets, *rows):
    sheets["Marker names"] = [("model", "label"), *rows]


def moments(folder, sheets):
    courses = run_gait(gait_book(folder / "walk.xlsx", sheets)).solved.courses[0]
    return {label: course["moment"] for label, course in courses.joints.items()}


def problems(folder, sheets):
    with pytest.raises(WorkbookError) as caught:
        run_gait(gait_book(folder / "walk.xlsx", sheets))
    return caught.value.problems


def header_cell(sheets, start, sheet="Markers"):
    """The cell of the first header that begins so."""
    from openpyxl.utils import get_column_letter

    at = next(at for at, text in enumerate(sheets[sheet][0], start=1) if text.startswith(start))
    return f"{sheet}!{get_column_letter(at)}1"


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return moments(tmp_path_factory.mktemp("gait"), walker_sheets(HOW))


def are_the_same(found, expected):
    return all(np.allclose(found[label], expected[label], atol=1e-9, equal_nan=True) for label in expected)


@pytest.mark.parametrize("written", ["right hip", "R_GTR", "r gtr", "R.GTR", "Anna:R.GTR"])
def test_a_mapped_marker_is_found_by_its_name_and_by_its_label(written, plain, tmp_path):
    sheets = walker_sheets(HOW)
    relabelled(sheets, {"right hip": "R_GTR"})
    mapped(sheets, ("right hip", "R_GTR"))
    renamed(sheets, "right hip", written)
    assert are_the_same(moments(tmp_path, sheets), plain)


def test_a_joint_centre_comes_before_a_marker_of_its_name_and_may_be_made_of_it(plain, tmp_path):
    sheets = walker_sheets(HOW)
    sheets["Joint centres"] = [("name", "kind", "markers"), ("Right Knee", "marker", "right knee")]
    assert are_the_same(moments(tmp_path, sheets), plain)


def test_a_name_comes_before_a_label(plain, tmp_path):
    """Of a whole exchange of labels: each name is the marker that Marker names gives it to, and no label is meant."""
    sheets = walker_sheets(HOW)
    relabelled(sheets, {"right knee": "left knee", "left knee": "right knee"})
    mapped(sheets, ("right knee", "left knee"), ("left knee", "right knee"))
    assert are_the_same(moments(tmp_path, sheets), plain)


@pytest.mark.parametrize(("model", "label"), [("right knee", "left knee"), ("right knee", "right heel")])
def test_a_label_that_is_the_name_of_another_marker_is_an_error_at_its_cell(model, label, tmp_path):
    """Half an exchange is one of them: two markers would have one name, and the last column won."""
    sheets = walker_sheets(HOW)
    mapped(sheets, (model, label))
    (found,) = [each for each in problems(tmp_path, sheets) if each.code == "label-taken"]
    assert found.cell == header_cell(sheets, model)
    assert "Marker names!B2" in found.problem
    assert f"model {label}, label {model}" in found.mend


def test_a_name_whose_marker_another_trial_lacks_takes_no_label_there(plain, tmp_path):
    """A trial of the workbook's own names beside one of the laboratory's labels."""
    sheets = walker_sheets(HOW)
    sheets["Markers b"], sheets["Force plates b"] = copy.deepcopy(sheets["Markers"]), sheets["Force plates"]
    relabelled(sheets, {"right hip": "R_GTR"}, "Markers b")
    mapped(sheets, ("right hip", "R_GTR"))
    assert are_the_same(moments(tmp_path, sheets), plain)


def test_labels_that_trials_spell_in_other_ways_are_one_marker(plain, tmp_path):
    sheets = walker_sheets(HOW)
    sheets["Markers b"], sheets["Force plates b"] = copy.deepcopy(sheets["Markers"]), sheets["Force plates"]
    relabelled(sheets, {"right knee": "Right_Knee"}, "Markers b")
    found = run_gait(gait_book(tmp_path / "walk.xlsx", sheets)).solved.courses
    for course in found:
        assert are_the_same({label: each["moment"] for label, each in course.joints.items()}, plain)


def test_two_names_of_one_label_are_an_error(tmp_path):
    sheets = walker_sheets(HOW)
    relabelled(sheets, {"right hip": "R_GTR"})
    mapped(sheets, ("right hip", "R_GTR"), ("pelvis", "R_GTR"))
    found = problems(tmp_path, sheets)
    assert [(each.code, each.cell) for each in found] == [("duplicate-label", "Marker names!B3")]


@pytest.mark.parametrize("other", ["rkc", "later"])
def test_a_joint_centre_is_made_of_what_stands_above_it(other, tmp_path):
    sheets = walker_sheets(HOW)
    rows = [("rkc", "mean", f"{other}; right knee"), ("later", "marker", "right knee")]
    sheets["Joint centres"] = [("name", "kind", "markers"), *rows]
    renamed(sheets, "right knee", "rkc")
    found = problems(tmp_path, sheets)
    assert [(each.code, each.cell) for each in found] == [("not-above", "Joint centres!C2")]


def test_what_is_proposed_is_of_the_same_side(tmp_path):
    sheets = walker_sheets(HOW)
    relabelled(sheets, {"left knee": "lknee", "right knee": "R.KNE"})
    mapped(sheets, ("right knee", "R_KNE"))
    renamed(sheets, "left knee", "lknee")
    renamed(sheets, "right knee", "rknee")
    advice = {each.mend for each in problems(tmp_path, sheets) if each.code == "unknown-marker"}
    assert advice
    assert all("R_KNE" in each or "right knee" in each for each in advice), advice


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("rknee", "lknee"),
        ("R_GTR", "L_GTR"),
        ("R_GTRX", "L_GTR"),
        ("RASIS", "LASIS"),
        ("KNE_R", "KNE_L"),
        ("kneer", "kneel"),
        ("right thigh", "left thigh"),
        ("thigh right", "thigh left"),
        ("Med.R_Knee", "Med.L_Knee"),
    ],
)
def test_a_name_of_the_other_side_is_never_proposed(one, other):
    assert are_of_two_sides(one, other)
    assert are_of_two_sides(other, one)
    assert nearest(one, [other]) is None
    assert nearest(other, [one]) is None
    assert nearest(f"{one}x", [other, one]) == one


def test_a_label_that_is_a_model_name_is_that_marker():
    assert model_names(["R.Knee", "right knee"]) == {}
    assert model_names(["R.Knee"]) == {"right knee": "R.Knee"}
