"""What a new type of suspension costs: its file, and its line in the list of types. All else follows from both."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest

from sheetmbs.schema.suspension_inputs import BEARERS, SUSPENSION_TYPES
from sheetmbs.suspension.layout.types import TYPES_BY_NAME
from tests.support.hardpoint_books import hardpoint_book
from tests.support.package_copy import package_with, run_command, run_python

TYPE = '''
"""Swing axle: a half-axle that carries the wheel and turns about a line along the car."""

from sheetmbs.suspension.layout.type_table import CHASSIS, WHEEL_CENTRE, Part, PointRole, SuspensionType, hinge

ARM = "arm"
SWING_AXLE = SuspensionType(
    "a half-axle that carries the wheel and turns about a line along the car",
    points=(
        PointRole("half-axle front", CHASSIS, "front point of the line about which the half-axle turns"),
        PointRole("half-axle rear", CHASSIS, "rear point of that line"),
        PointRole(WHEEL_CENTRE, ARM, "middle of the wheel"),
    ),
    parts=(Part(ARM, WHEEL_CENTRE),),
    joints=(hinge("half-axle hinge", ARM, "half-axle front", "half-axle rear"),),
    wheel_carrier=ARM,
    carriers=(ARM,),
    known_by="half-axle front",
)
'''
FILE = {"suspension/layout/types/swing_axle.py": TYPE}
LINE = '    "swing axle": "swing_axle:SWING_AXLE",\n{}'
EDITS = {"schema/suspension_inputs.py": [('    "solid axle": "solid_axle:SOLID_AXLE",\n', LINE)]}

RADIUS, PIVOT, CENTRE, LOAD = 300.0, (250.0, 230.0), (700.0, 300.0), 3000.0
"""mm: of the wheel, and y, z of the line and of the wheel centre; N"""
POINTS = {
    "Half-Axle FRONT": (200.0, *PIVOT),
    "half axle rear": (-150.0, *PIVOT),
    "wheel centre": (0.0, *CENTRE),
    "damper outer": (20.0, 600.0, 250.0),
    "damper chassis": (20.0, 520.0, 620.0),
}
"""two names are spelled as people spell them"""
SETTINGS = (("type", "Swing axle"), ("tyre radius", f"{RADIUS} mm"), ("corner load", f"{LOAD} N"), ("detail", "yes"))
HEIGHT = CENTRE[1] - PIVOT[1]
LENGTH = float(np.hypot(CENTRE[0] - PIVOT[0], HEIGHT))
SHEETS = {
    "Suspension springs": [("name", "axle", "kind", "k"), ("spring", "rear", "spring", "40 N/mm")],
    "Targets": [("metric", "sweep", "value", "tolerance"), ("RL.camber", "heave", "0 deg", "9 deg")],
    "Study": [("setting", "value"), ("method", "grid"), ("cases", "heave")],
    "Variables": [("name", "cell", "values"), ("height", "Hardpoints!E5", "290; 300; 310")],
    "Responses": [("name", "of", "unit"), ("camber", "last(RL.camber)", "deg")],
}
SWEEPS = [("name", "type", "travel_from", "travel_to", "travel_step"), ("heave", "heave", "-50 mm", "50 mm", "25 mm")]


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package, of its guide and of the script that writes the tables, with one type more."""
    return package_with(tmp_path_factory.mktemp("code"), FILE, EDITS, ("docs",))


@pytest.fixture(scope="module")
def book(package, tmp_path_factory):
    """The workbook of a swing axle as `check`, `run` and `study` leave it."""
    path = tmp_path_factory.mktemp("books") / "swing.xlsx"
    hardpoint_book(path, POINTS, SETTINGS, axle="rear", sweeps=SWEEPS, others=SHEETS)
    for command in ("check", "run", "study"):
        run_command(package, command, str(path))
    return openpyxl.load_workbook(path)


def turned(travel, height=HEIGHT):
    """Angle, rad, by which the half-axle has turned when the wheel centre is higher by a travel, mm."""
    length = np.hypot(CENTRE[0] - PIVOT[0], height)
    return np.arcsin((height + travel) / length) - np.arcsin(height / length)


def columns(sheet):
    heads, _units, *rows = sheet.iter_rows(values_only=True)
    return dict(zip(heads, np.array(rows, dtype=object).T, strict=True))


def test_its_wheel_turns_about_the_line_with_the_half_axle(book):
    found = columns(book["mbs Sweep heave"])
    angle = turned(found["travel"].astype(float))
    start = np.arcsin(HEIGHT / LENGTH)
    assert found["RL.camber"].astype(float) == pytest.approx(-np.degrees(angle), abs=1e-9)
    contact = PIVOT[0] + LENGTH * np.cos(start + angle) + RADIUS * np.sin(angle)
    assert found["rear.track"].astype(float) == pytest.approx(2.0 * contact, abs=1e-7)


def test_its_spring_carries_the_corner_load_by_virtual_work(book):
    """Of the load case of 1 g: the road does as much work on the wheel as the spring takes up, per turn of the half-axle."""
    heads, _units, static, *_others = book["mbs Loads"].iter_rows(values_only=True)
    loads = dict(zip(heads, static, strict=True))
    arm, end = (np.array(POINTS[name][1:]) - PIVOT for name in ("damper outer", "damper chassis"))
    along = (end - arm) / np.linalg.norm(end - arm)
    lever = arm[0] * along[1] - arm[1] * along[0]
    assert loads["RL.fz"] == pytest.approx(LOAD)
    assert loads["RL.spring"] * lever == pytest.approx(LOAD * (CENTRE[0] - PIVOT[0]))


def test_it_has_all_sheets_and_its_name_in_the_summary(book):
    names = (
        "mbs Suspension",
        "mbs Suspension Charts",
        "mbs Suspension Model",
        "mbs Suspension Metrics",
        "mbs Joints heave",
    )
    assert set(names) <= set(book.sheetnames)
    summary = [row[:2] for row in book["mbs Summary"].iter_rows(values_only=True)]
    assert ("rear suspension", "swing axle") in summary
    model = {cell for row in book["mbs Suspension Model"].iter_rows(values_only=True) for cell in row}
    assert {"RL half-axle hinge", "RR arm"} <= model


def test_targets_and_studies_take_its_metrics(book):
    found = columns(book["mbs Sweep heave"])
    assert set(found["target/RL.camber"]) == {0.0}
    table = [row for row in book["mbs Study"].iter_rows(values_only=True) if isinstance(row[0], int | float)]
    heads = next(row for row in book["mbs Study"].iter_rows(values_only=True) if "camber" in row)
    by_height = {row[heads.index("height")]: row[heads.index("camber")] for row in table}
    for height in (290.0, 300.0, 310.0):
        assert by_height[height] == pytest.approx(-np.degrees(turned(50.0, height - PIVOT[1])), abs=1e-9)


def test_a_list_of_its_points_is_known_and_a_missing_one_is_asked_for(package, tmp_path):
    rows = "\n".join(f"rear,{name},{x},{y},{z}" for name, (x, y, z) in POINTS.items())
    listed, made = tmp_path / "list.csv", tmp_path / "made.xlsx"
    listed.write_text(f"axle,point,x [mm],y [mm],z [mm]\n{rows}\n", encoding="utf-8")
    run_command(package, "import", "hardpoints", str(listed), str(made))
    settings = dict(row[:2] for row in openpyxl.load_workbook(made)["Suspension"].iter_rows(values_only=True))
    assert settings["type"] == "swing axle"
    points = {name: place for name, place in POINTS.items() if "rear" not in name}
    path = hardpoint_book(tmp_path / "missing.xlsx", points, SETTINGS, axle="rear")
    with pytest.raises(AssertionError, match="a swing axle needs it: rear point of that line"):
        run_command(package, "check", str(path))


def test_the_guide_lists_it_with_its_points(package):
    page = run_python(package, "-c", "import docs.tables; print(docs.tables.table('suspension types'))")
    assert "| `swing axle` | a half-axle that carries the wheel" in page
    assert "half-axle front, half-axle rear, wheel centre" in page


def test_words_of_the_settings_are_those_of_the_declared_types():
    assert list(TYPES_BY_NAME) == list(SUSPENSION_TYPES)
    carriers = dict.fromkeys(body for each in TYPES_BY_NAME.values() for body in each.carriers)
    assert sorted(carriers) == sorted(BEARERS)
