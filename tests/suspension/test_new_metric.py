"""What a new metric costs: its declaration in a file of its topic, and the line of that topic in the list of all metrics."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest

from tests.support.hardpoint_books import STRUT, hardpoint_book
from tests.support.package_copy import package_with, run_command, run_python

METRIC = '''
"""How far the rim of a wheel is from the road."""

from sheetmbs.suspension.metrics.metric import MM, CornerPoses, Metric


def _clearance(of):
    """Height of the wheel centre over the contact along the normal of the road, less what the rim takes of it."""
    height = (of.wheel.centre - of.wheel.contact).dot(of.wheel.normal)
    return height * (1.0 - 0.5 * of.number("rim diameter") / of.wheel.radius)


RIM_CLEARANCE: tuple[Metric[CornerPoses], ...] = (
    Metric(
        "rim_clearance",
        "(W - C).n (1 - D/(2 R)), D the rim diameter, R the tyre radius",
        "above the road",
        MM,
        _clearance,
        "road",
        "rim ground clearance",
        ("rim diameter",),
    ),
)
'''
FILE = {"suspension/metrics/rim_clearance.py": METRIC}
EDITS = {
    "suspension/metrics/all_metrics.py": [
        (
            "from sheetmbs.suspension.metrics.wheel_rates",
            "from sheetmbs.suspension.metrics.rim_clearance import RIM_CLEARANCE\n{}",
        ),
        ("    *WHEEL_RATES,\n", "{}    *RIM_CLEARANCE,\n"),
    ],
}
RADIUS, DIAMETER, INCH = 310.0, 420.0, 25.4
"""mm"""
SETTINGS = (*(("type", "macpherson"), ("camber", "-1.5 deg"), ("tyre radius", f"{RADIUS} mm"), ("sensitivity", "yes")),)
RIM = ("rim diameter", f"{DIAMETER} mm")
SHEETS = {
    "Targets": [("metric", "sweep", "min"), ("FL.rim_clearance", "heave", "99.98 mm")],
    "Study": [("setting", "value"), ("method", "grid"), ("cases", "heave")],
    "Variables": [("name", "cell", "values"), ("rim", "Suspension!B6", "400; 420; 440")],
    "Responses": [("name", "of", "unit"), ("clearance", "first(FL.rim_clearance)", "mm")],
}
SWEEPS = [("name", "type", "travel_from", "travel_to", "travel_step"), ("heave", "heave", "-50 mm", "50 mm", "10 mm")]


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package, of its guide and of the script that writes the tables, with one metric more."""
    return package_with(tmp_path_factory.mktemp("code"), FILE, EDITS, ("docs",))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("books")


@pytest.fixture(scope="module")
def book(package, folder):
    """A workbook in which the metric has all that it needs, as `run` and `study` leave it."""
    path = hardpoint_book(
        folder / "rim.xlsx", STRUT, (*SETTINGS, (*RIM[:1], DIAMETER, None, "mm")), sweeps=SWEEPS, others=SHEETS
    )
    for command in ("run", "study"):
        run_command(package, command, str(path))
    return openpyxl.load_workbook(path)


@pytest.fixture(scope="module")
def imperial(package, folder):
    """A workbook in inches, and without what the metric needs on its second axle, as `run` leaves it."""
    points = {name: tuple(part / INCH for part in place) for name, place in STRUT.items()}
    rear = [("rear", name, *place) for name, place in points.items()]
    settings = [(name, value, None if name == RIM[0] else value) for name, value in (*SETTINGS, RIM)]
    path = hardpoint_book(folder / "inches.xlsx", points, settings, unit="in", rows=rear, sweeps=SWEEPS)
    sheet = (changed := openpyxl.load_workbook(path))["Suspension"]
    sheet["C1"] = "rear"
    changed.save(path)
    run_command(package, "run", str(path))
    return openpyxl.load_workbook(path)


def columns(book):
    """Columns of the sweep, and their units."""
    heads, units, *rows = book["mbs Sweep heave"].iter_rows(values_only=True)
    return dict(zip(heads, np.array(rows, dtype=float).T, strict=True)), dict(zip(heads, units, strict=True))


def texts(sheet):
    return [[str(cell) for cell in row if cell is not None] for row in sheet.iter_rows(values_only=True)]


def by_hand(inclination, diameter=DIAMETER):
    """Of a wheel disc that leans: R - D/2 along the disc, mm. inclination: deg."""
    return (RADIUS - 0.5 * diameter) * np.cos(np.radians(inclination))


def test_every_wheel_has_its_column(book):
    found, units = columns(book)
    for corner in ("FL", "FR"):
        assert units[f"{corner}.rim_clearance"] == "mm"
        assert found[f"{corner}.rim_clearance"] == pytest.approx(by_hand(found[f"{corner}.inclination"]), abs=1e-9)
    assert np.ptp(found["FL.rim_clearance"]) > 1e-3


def test_it_is_in_the_unit_of_the_hardpoints_and_empty_without_what_it_needs(imperial):
    found, units = columns(imperial)
    assert units["FL.rim_clearance"] == "in"
    assert found["FL.rim_clearance"] * INCH == pytest.approx(by_hand(found["FL.inclination"]), abs=1e-9)
    assert np.isnan(found["RL.rim_clearance"]).all()
    page = [" ".join(row) for row in texts(imperial["mbs Suspension"])]
    assert any("rim diameter of the rear axle would give toe at the rim, rim clearance" in line for line in page), page[
        -9:
    ]


def test_a_sheet_says_what_it_is(book):
    (row,) = (row for row in texts(book["mbs Suspension Metrics"]) if row[:1] == ["FL.rim_clearance"])
    assert row[1:] == [
        *("rim clearance", "(W - C).n (1 - D/(2 R)), D the rim diameter, R the tyre radius"),
        *("above the road", "mm", "road", "rim ground clearance"),
    ]


def test_its_change_with_a_hardpoint_is_written_where_sensitivities_are_asked_for(book):
    rows = {row[0]: row for row in texts(book["mbs Suspension Sensitivity"]) if row}
    assert rows["FL.rim_clearance"][1] == "mm/mm"
    assert len(rows["FL.rim_clearance"]) == len(rows["FL.camber"])


def test_a_target_may_be_set_for_it(book):
    found, _units = columns(book)
    assert set(found["target/FL.rim_clearance min"]) == {99.98}
    short = 99.98 - found["FL.rim_clearance"].min()
    line, *_ = [
        row for row in texts(book["mbs Suspension"]) if any("rim clearance, front left" in cell for cell in row)
    ]
    assert f"off by {short:.3f} mm at most" in " ".join(line), line


def test_a_study_takes_it_as_a_response(book):
    heads, _units, _base, *rows = book["mbs Study"].iter_rows(values_only=True)
    found, _units = columns(book)
    for row in rows:
        known = dict(zip(heads, row, strict=True))
        assert known["clearance"] == pytest.approx(by_hand(found["FL.inclination"][0], known["rim"]), abs=1e-9)
    assert len(rows) == 3


def test_the_guide_lists_it(package):
    table = run_python(package, "-c", "import docs.tables; print(docs.tables.table('wheel metrics'))")
    assert "| `FL.rim_clearance` | (W - C).n (1 - D/(2 R)), D the rim diameter" in table
