"""Responses of studies: one number out of result columns, with its unit."""

from __future__ import annotations

import numpy as np
import pytest

from sheetmbs.model.model import Curve
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.table import Table
from sheetmbs.studies.responses.aggregation_functions import NoResponseError
from sheetmbs.studies.responses.column_response import ColumnResponse, column_response
from sheetmbs.studies.study_book import StudyResponse

TIME = np.array([0.0, 1.0, 3.0, 4.0])
X = np.array([0.0, 2.0, 2.0, -2.0])
FORCE = np.array([1.0, 5.0, 9.0, 17.0])
TABLES = {
    "mbs Bodies": Table("mbs Bodies", ("time", "slider.x"), ("s", "mm"), np.column_stack([TIME, X])),
    "mbs Springs": Table(
        "mbs Springs",
        ("time", "coil.force", "FL.push-rod"),
        ("s", "N", "deg"),
        np.column_stack([TIME, FORCE, 2 * FORCE]),
    ),
    "mbs Modes": Table("mbs Modes", ("mode", "frequency"), ("1", "Hz"), np.array([[1.0, 2.0], [2.0, 7.0]])),
}


def value(of: str, unit: str = "") -> float:
    """The value of a response over these tables."""
    return column_response(StudyResponse("r", of, unit=unit, place="Responses!B3"), "", TABLES, None).value(TABLES)


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        ("min(slider.x)", -2.0),
        ("max(slider.x)", 2.0),
        ("range(slider.x)", 4.0),
        ("first(coil.force)", 1.0),
        ("last(coil.force)", 17.0),
        ("mean(slider.x)", (1.0 + 4.0 + 0.0) / 4.0),  # areas of trapezia over the 4 s
        ("sum(slider.x)", 5.0),
        ("rms(slider.x)", np.sqrt((2.0 + 8.0 + 4.0) / 4.0)),
        ("at(slider.x, time, 0.5)", 1.0),
        ("at(coil.force, time, 2)", 7.0),
        ("at(coil.force, slider.x, 0)", 1.0),  # where x is 0 for the first time
        ("slope(coil.force, time, 0.5)", 4.0),
        ("slope(coil.force, time, 2)", 2.0),
        ("when(coil.force, time, 7)", 2.0),
        ("when(slider.x, time, -1)", 3.75),
        ("when(coil.force, slider.x, 3)", 1.0),
        ("max('FL.push-rod')", 34.0),
        ("max(coil.force)/mean(coil.force) - 1", 17.0 / ((3.0 + 14.0 + 13.0) / 4.0) - 1.0),
        ("max(slider.x + coil.force)", 15.0),
        ("max(slider.x, coil.force) + 0", None),
        ("max(max(slider.x), 3)", 3.0),
        ("max(if(slider.x > 1, coil.force, 0))", 9.0),
        ("mean(frequency)", 4.5),  # rows that are no times count alike
        ("sum(frequency)", 9.0),
        ("2^3 + min(slider.x)", 6.0),
        ("MAX(Slider.X)", 2.0),
    ],
)
def test_a_response_is_the_number_worked_out_by_hand(of: str, expected: float | None) -> None:
    if expected is None:
        with pytest.raises(WorkbookError, match="which has a value in every row"):
            value(of)
        return
    assert value(of) == pytest.approx(expected, rel=1e-12)


def test_the_slope_at_a_row_is_that_of_the_parabola_through_its_neighbours() -> None:
    x = np.array([0.0, 1.0, 3.0])
    table = {"mbs A": Table("mbs A", ("time", "a.y"), ("s", "m"), np.column_stack([x, 2.0 + 3.0 * x + 5.0 * x**2]))}
    response = column_response(StudyResponse("r", "slope(a.y, time, 1)"), "", table, None)
    assert response.value(table) == pytest.approx(13.0, rel=1e-12)


@pytest.mark.parametrize(
    ("of", "unit", "shown", "ratio"),
    [
        ("max(slider.x)", "m", "m", 1e-3),
        ("max(slider.x)", "", "mm", 1.0),
        ("max('FL.push-rod')", "rad", "rad", np.pi / 180.0),
        ("slope(coil.force, slider.x, 1)", "N/m", "N/m", 1e3),
        ("sum(coil.force)", "N*s", "N*s", 1.0),
        ("when(coil.force, time, 7)", "ms", "ms", 1e3),
        ("max(coil.force)*max(slider.x)", "N*m", "N*m", 1e-3),
        ("max(coil.force)/first(coil.force)", "%", "%", 100.0),
    ],
)
def test_a_response_is_converted_to_the_unit_asked_for(of: str, unit: str, shown: str, ratio: float) -> None:
    response = column_response(StudyResponse("r", of, unit=unit), "", TABLES, None)
    assert response.unit == shown
    assert response.value(TABLES) == pytest.approx(ratio * value(of), rel=1e-12)


@pytest.mark.parametrize(
    ("of", "words"),
    [
        ("max(slidr.x)", "did you mean slider.x"),
        ("max('FL.pushrod')", "did you mean 'FL.push-rod'"),
        ("slider.x", "choose one number, for example max\\(slider.x\\)"),
        ("max(3)", "max needs a column here, not one number"),
        ("at(slider.x, time)", "at takes 3 arguments, not 2"),
        ("at(slider.x, time, time)", "at needs one number here, not a column"),
        ("maximum(slider.x)", "there is no such function"),
        ("max(slider.x", "it is never closed"),
        ("max slider.x", "needs its arguments in parentheses"),
        ("", "an empty expression"),
        ("max(slider.x) > 3", "a condition begins here"),
        ("max(FL.push-rod)", "there is no such result column"),
    ],
)
def test_a_wrong_response_is_told_at_its_cell(of: str, words: str) -> None:
    with pytest.raises(WorkbookError, match=words) as caught:
        value(of)
    assert caught.value.problems[0].cell == "Responses!B3"


@pytest.mark.parametrize("unit", ["N", "furlong", "m/s"])
def test_a_unit_that_does_not_fit_is_told(unit: str) -> None:
    with pytest.raises(WorkbookError, match="unit"):
        value("max(slider.x)", unit)


@pytest.mark.parametrize(
    ("of", "words"),
    [
        ("at(slider.x, time, 9)", "never reaches the value 9: it goes from 0 to 4"),
        ("when(coil.force, time, 0)", "never reaches the value 0"),
        ("1/min(slider.x - slider.x)", "it has no value"),
        ("max(log(slider.x))", "a division, root or logarithm in max is undefined"),
        ("max(slider.x + frequency)", "different numbers of rows"),
    ],
)
def test_a_variant_in_which_a_response_has_no_value_says_why(of: str, words: str) -> None:
    with pytest.raises(NoResponseError, match=words):
        value(of)


def test_only_the_rows_that_a_response_reads_need_a_value() -> None:
    """Some columns are blank in some rows, as an Ackermann percentage is about straight ahead."""
    rack, percentage = np.array([-2.0, -1.0, 0.0, 1.0, 2.0]), np.array([40.0, 30.0, np.nan, 50.0, 70.0])
    tables = {"mbs Sweep": Table("mbs Sweep", ("rack", "a"), ("mm", "%"), np.column_stack([rack, percentage]))}

    def found(of: str) -> float:
        return column_response(StudyResponse("r", of, place="Responses!B3"), "", tables, None).value(tables)

    assert (found("first(a)"), found("last(a)")) == (40.0, 70.0)
    assert found("at(a, rack, 1.5)") == pytest.approx(60.0)
    assert found("slope(a, rack, 1.5)") == pytest.approx(20.0)
    assert found("when(a, rack, 60)") == pytest.approx(1.5)
    for of in ("at(a, rack, 0.5)", "slope(a, rack, 0.5)", "when(a, rack, 45)"):
        with pytest.raises(NoResponseError, match=r"blank where rack is 0|never reaches the value 45"):
            found(of)


def test_blank_rows_are_left_out_as_in_a_spreadsheet_but_no_more_than_as_it_is() -> None:
    """A variant must not look good because rows of it are missing."""
    rack, some = np.array([-2.0, -1.0, 0.0, 1.0, 2.0]), np.array([40.0, 30.0, np.nan, 50.0, 70.0])

    def tables(a: list[float] | np.ndarray) -> dict[str, Table]:
        return {"mbs Sweep": Table("mbs Sweep", ("time", "a"), ("s", "N"), np.column_stack([rack, a]))}

    def made(of: str, base: list[float] | np.ndarray = some) -> ColumnResponse:
        return column_response(StudyResponse("r", of, place="Responses!B3"), "", tables(base), None)

    assert [made(f"{name}(a)").value(tables(some)) for name in ("min", "max", "range")] == [30.0, 70.0, 40.0]
    assert made("max(a - 2*a)").value(tables(some)) == -30.0
    assert made("sum(a)").value(tables(some)) == pytest.approx(35.0 + 80.0 + 60.0)
    elsewhere, more = [np.nan, 30.0, 45.0, 50.0, 70.0], [np.nan, 30.0, np.nan, 50.0, 70.0]
    assert made("min(a)").value(tables(elsewhere)) == 30.0
    with pytest.raises(
        NoResponseError, match="a on mbs Sweep is blank where time is -2, in 2 rows, in the baseline in 1"
    ):
        made("min(a)").value(tables(more))
    with pytest.raises(NoResponseError, match="a on mbs Sweep is blank where time is 0"):
        made("min(a)", elsewhere[1:2] * 5).value(tables(some))
    with pytest.raises(NoResponseError, match="a on mbs Sweep is blank in every row"):
        made("min(a)").value(tables([np.nan] * 5))
    with pytest.raises(NoResponseError, match="a division, root or logarithm in max is undefined"):
        made("max(log(a - 30))").value(tables([40.0, 20.0, np.nan, 50.0, 70.0]))


def curved(x: list[float], y: list[float], of: str = "slider.x", **more: str) -> float:
    """The distance of a column from a curve, given in SI."""
    response = StudyResponse("r", of, curve="wanted", **more)  # type: ignore[arg-type]
    curve = Curve("wanted", np.array(x), np.array(y))
    return column_response(response, "", TABLES, curve).value(TABLES)


def test_a_column_that_lies_on_its_target_curve_has_no_distance() -> None:
    assert curved([0.0, 1.0, 3.0, 4.0], [0.0, 2e-3, 2e-3, -2e-3]) == pytest.approx(0.0, abs=1e-15)


def test_a_column_beside_its_target_curve_has_that_distance_in_its_own_unit() -> None:
    assert curved([1.0, 3.0], [5e-3, 5e-3]) == pytest.approx(3.0, rel=1e-12)


def test_a_difference_that_grows_evenly_has_the_rms_of_a_straight_line() -> None:
    assert curved([0.0, 1.0], [0.0, 0.0]) == pytest.approx(2.0 / np.sqrt(3.0), rel=1e-12)


def test_a_curve_may_be_given_over_another_column() -> None:
    tables = {
        "mbs A": Table("mbs A", ("time", "a.x", "a.y"), ("s", "m", "m"), np.array([[0, 2, 5], [1, 1, 3], [2, 0, 1.0]]))
    }
    curve = Curve("wanted", np.array([0.0, 2.0]), np.array([1.0, 5.0]))
    response = column_response(StudyResponse("r", "a.y", curve="wanted", x="a.x"), "", tables, curve)
    assert response.value(tables) == pytest.approx(0.0, abs=1e-15)


def test_units_of_gait_that_say_what_is_positive_are_converted_too() -> None:
    angle = Table("mbs A", ("time", "knee.angle"), ("s", "deg, flexion +"), np.array([[0.0, 0.0], [1.0, 90.0]]))
    asked = StudyResponse("r", "max(knee.angle)", unit="rad", place="Responses!B3")
    assert column_response(asked, "", {"mbs A": angle}, None).value({"mbs A": angle}) == pytest.approx(np.pi / 2)
    curve = Curve("wanted", np.array([0.0, 1.0]), np.array([0.0, np.pi / 2]))
    followed = column_response(StudyResponse("r", "knee.angle", curve="wanted"), "", {"mbs A": angle}, curve)
    assert followed.value({"mbs A": angle}) == pytest.approx(0.0, abs=1e-12)
    assert followed.unit == "deg"


def test_a_name_that_several_sheets_have_is_read_from_the_sheet_of_its_neighbours() -> None:
    """Time stands on every sheet, and rows of one sheet need not be those of another."""
    few = Table("mbs Few", ("time", "knock.force"), ("s", "N"), np.array([[0.5, 3.0], [2.5, 7.0]]))
    tables = {**TABLES, "mbs Few": few}
    of = "at(knock.force, time, 1.5) + last(time)"
    made = column_response(StudyResponse("r", of, place="Responses!B3"), "", tables, None)
    assert {column.sheet for column in made.needed} == {"mbs Few"}
    assert made.value(tables) == pytest.approx(5.0 + 2.5)
    curve = Curve("wanted", np.array([0.5, 2.5]), np.array([3.0, 7.0]))
    followed = column_response(StudyResponse("r", "knock.force", curve="wanted", x="time"), "", tables, curve)
    assert followed.value(tables) == pytest.approx(0.0, abs=1e-12)


def test_results_that_do_not_cover_a_target_curve_have_no_distance() -> None:
    with pytest.raises(NoResponseError, match="the target curve goes from 0 to 5, and the results only from 0 to 4"):
        curved([0.0, 5.0], [0.0, 0.0])


def test_the_squares_of_a_searchs_residuals_add_up_to_about_the_distance() -> None:
    x = np.linspace(0.0, 1.0, 201)
    tables = {"mbs A": Table("mbs A", ("time", "a.y"), ("s", "m"), np.column_stack([x, np.sin(5 * x)]))}
    curve = Curve("wanted", np.array([0.0, 1.0]), np.array([0.2, 0.3]))
    response = column_response(StudyResponse("r", "a.y", curve="wanted", weight=4.0), "", tables, curve)
    assert np.linalg.norm(response.residuals(tables)) == pytest.approx(2.0 * response.value(tables), rel=0.02)
