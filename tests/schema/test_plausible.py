"""What breaks no rule and can hardly be meant: each slip is told as a warning at its cell, and correct models pass."""

from pathlib import Path

import numpy as np
import pytest

import sheetmbs
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.reading.read_workbook import build_all_cases
from tests.support.example_books import EXAMPLES, is_of_gait, is_of_hardpoints
from tests.support.guided_books import COUNT, FORCE, columns, guided_book, times
from tests.support.opened import cases
from tests.support.planar_books import put, saved, sound_book
from tests.support.spatial_books import at, axis, body, joint, space_book

ROOT = Path(__file__).parents[2]
BOOKS = [
    *EXAMPLES,
    *(path for path in sorted(ROOT.glob("templates/*.xlsx")) if not is_of_hardpoints(path) and not is_of_gait(path)),
]


@pytest.fixture
def book():
    return sound_book()


def told(book, tmp_path):
    return [(each.code, each.cell) for each in sheetmbs.read(saved(book, tmp_path)).warnings]


def warned(path):
    """Warnings of a workbook, of all its cases if it has some."""
    return build_all_cases(open_book(path))[1] if cases(path) else list(sheetmbs.read(path).warnings)


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_no_example_and_no_template_raises_a_warning(path):
    assert warned(path) == []


def test_models_of_every_kind_of_element_raise_no_warning(book, tmp_path):
    assert told(book, tmp_path) == []


# masses and inertias


@pytest.mark.parametrize("pasted", [4500e3, 4500.0, 45.0], ids=["g mm^2", "kg mm^2", "kg cm^2"])
def test_an_inertia_in_another_unit_is_told_at_its_cell(pasted, book, tmp_path):
    cell = put(book, "Bodies", "crank", "inertia", f"{pasted} kg*m^2")
    assert told(book, tmp_path) == [("radius-of-gyration", cell)]


def test_an_inertia_of_a_body_in_space_in_another_unit_is_told(tmp_path):
    path = space_book(
        tmp_path / "m.xlsx",
        Bodies=[body(inertia=(1e5, 2e5, 2.5e5))],
        Points=[at(0.2), at(-0.3, name="Q")],
        Joints=[joint("revolute", **axis(0, 0, 1))],
    )
    assert [(each.code, each.cell) for each in sheetmbs.read(path).warnings] == [("radius-of-gyration", "Bodies!C2")]


def test_mass_and_inertia_exchanged_are_told(book, tmp_path):
    put(book, "Bodies", "rod", "mass", "0.04 kg")
    cell = put(book, "Bodies", "rod", "inertia", "2.4 kg*m^2")
    model = sheetmbs.read(saved(book, tmp_path))
    assert [(each.code, each.cell) for each in model.warnings] == [("mass-and-inertia", cell)]


def test_a_flywheel_and_a_body_of_next_to_no_mass_are_no_slips(book, tmp_path):
    put(book, "Bodies", "crank", "inertia", "0.3 kg*m^2")  # a disk of 1.4 m on a crank of 50 mm
    put(book, "Bodies", "ballast", "mass", "1e-6 kg")
    put(book, "Bodies", "ballast", "inertia", "1e-3 kg*m^2")
    assert told(book, tmp_path) == []


# bodies that nothing holds


def test_a_body_in_no_joint_is_told_and_one_in_flight_is_not(book, tmp_path):
    book["Bodies"].append(["cover", 1, 1000, 100, 100])
    cell = f"Bodies!A{book['Bodies'].max_row}"
    assert told(book, tmp_path) == [("loose-body", cell)]
    book["Bodies"].cell(book["Bodies"].max_row, 8).value = 2000
    assert told(book, tmp_path) == []


def two_bars(tmp_path, **sheets):
    bars = [body("one", 1.0), body("two", 1.0, x=1.0)]
    return sheetmbs.read(space_book(tmp_path / "m.xlsx", Bodies=bars, **sheets)).warnings


def test_a_mechanism_without_joints_is_told_once(tmp_path):
    assert [(each.code, each.cell) for each in two_bars(tmp_path)] == [("no-joints", "Bodies!A1")]
    spring = {"name": "s", "body_i": "one", "body_j": "two", "point_i": "P", "point_j": "Q", "k": 10}
    assert two_bars(tmp_path, Points=[at(), at(1.0, name="Q")], Springs=[spring]) == ()


# places


@pytest.mark.parametrize(("name", "column"), [("pivot", "x"), ("wrist", "y"), ("hanger", "x")])
def test_a_point_a_thousand_times_too_far_is_told_at_its_coordinate(name, column, book, tmp_path):
    cell = put(book, "Points", name, column, "400 m")
    assert told(book, tmp_path)[:1] == [("far-away", cell)]


def test_a_body_a_thousand_times_too_far_is_told_at_its_coordinate(book, tmp_path):
    cell = put(book, "Bodies", "rod", "x", "250 m")
    assert ("far-away", cell) in told(book, tmp_path)


def test_one_slip_does_not_hide_another(book, tmp_path):
    far = put(book, "Points", "hanger", "y", "800 m")
    inertia = put(book, "Bodies", "crank", "inertia", "4500 kg*m^2")
    assert {("far-away", far), ("radius-of-gyration", inertia)} <= set(told(book, tmp_path))


@pytest.mark.parametrize(("body", "frame"), [("rod", "body"), ("rod", "global"), ("slider", "body")])
def test_a_far_point_that_only_a_body_carries_is_told(body, frame, book, tmp_path):
    book["Points"].append(["tip", body, "400 m", 0, frame, "yes"])
    assert ("far-away", f"Points!C{book['Points'].max_row}") in told(book, tmp_path)


def test_a_far_point_of_a_body_towards_which_an_axis_leads_is_no_slip(tmp_path):
    near = [at(x, y, name=f"N{x}{y}", body="b") for x in (0, 1) for y in (0, 1)]
    points = [*near, {"name": "horizon", "body": "b", "x": 0, "y": 0, "z": 1e5}]
    for column, expected in (({"axis_point": "horizon"}, []), (axis(0, 0, 1), ["far-away"])):
        joints = [joint("revolute", point="N00", **column)]
        book = space_book(tmp_path / "m.xlsx", Bodies=[body(inertia=(0.2, 0.2, 0.2))], Points=points, Joints=joints)
        assert [each.code for each in sheetmbs.read(book).warnings] == expected


def test_an_end_that_is_far_away_in_body_coordinates_is_told_at_its_coordinate(book, tmp_path):
    sheet = book["Springs"]
    for column, header in enumerate(("xi_i [mm]", "eta_i [mm]", "xi_j [mm]", "eta_j [mm]"), start=sheet.max_column + 1):
        sheet.cell(1, column).value = header
    sheet.append(["strap", "translational", "rod", "slider"])
    for column, value in enumerate((10, 0, 0, 400e3), start=sheet.max_column - 3):
        sheet.cell(sheet.max_row, column).value = value
    sheet.cell(sheet.max_row, 7).value = 1e-9
    cell = f"{sheet.title}!{sheet.cell(sheet.max_row, sheet.max_column).coordinate}"
    assert ("far-away", cell) in told(book, tmp_path)


def test_a_far_point_that_only_gives_a_direction_is_no_slip(book, tmp_path):
    book["Points"].append(["horizon", None, 1e6, 0])
    assert told(book, tmp_path) == []


CORNERS = {"FL": (1.3, 0.7), "FR": (1.3, -0.7), "RL": (-1.3, 0.7), "RR": (-1.3, -0.7)}


def chassis(tmp_path, **wrong):
    """A body with points at four corners. wrong: names (with _ for a blank) and what stands as y instead."""
    points = [
        at(x, y * part, 0.2, name=f"{name} {corner}") | {"body": "b"}
        for corner, (x, y) in CORNERS.items()
        for name, part in (("upper ball", 0.9), ("lower ball", 1.0), ("spring top", 0.7))
    ]
    for point in points:
        point["y"] = wrong.get(point["name"].replace(" ", "_"), point["y"])
    points += [at(0.0, 0.0, 0.5, name="left stop", body="b"), at(0.0, 0.0, 0.5, name="right stop", body="b")]
    book = space_book(
        tmp_path / "m.xlsx", Bodies=[body()], Points=points, Joints=[joint("spherical", point="left stop")]
    )
    return [(each.code, each.cell) for each in sheetmbs.read(book).warnings]


@pytest.mark.parametrize(("name", "row"), [("lower_ball_FL", 3), ("spring_top_RR", 13), ("upper_ball_FR", 5)])
def test_a_point_on_the_side_of_its_mirror_image_is_told(name, row, tmp_path):
    assert chassis(tmp_path) == []
    y = CORNERS[name[-2:]][1] * {"l": 1.0, "u": 0.9, "s": 0.7}[name[0]]
    assert chassis(tmp_path, **{name: -y}) == [("wrong-side", f"Points!C{row}")]


def test_sides_that_are_not_mirror_images_are_none(tmp_path):
    moved = {f"{name}_{corner}": 0.3 for name in ("upper_ball", "lower_ball", "spring_top") for corner in ("FL", "FR")}
    assert chassis(tmp_path, **moved, upper_ball_RL=0.1, lower_ball_RL=0.2, spring_top_RL=0.3) == []


# springs, dampers, gravity


def test_a_spring_strained_beyond_belief_is_told_at_its_length(book, tmp_path):
    for length in ("49 mm", "90 m"):
        cell = put(book, "Springs", "buffer", "length0", length)
        assert told(book, tmp_path) == [("strained-spring", cell)]
    for length in ("51 mm", 0, 300):
        put(book, "Springs", "buffer", "length0", length)
        assert told(book, tmp_path) == []


def test_a_damper_that_drives_is_told(book, tmp_path):
    cell = put(book, "Springs", "buffer", "c", -0.02)
    assert told(book, tmp_path) == [("negative-damping", cell)]
    put(book, "Springs", "buffer", "c", None)
    book["Springs"].cell(1, 12).value = "curve_c"
    book["Springs"].cell(2, 12).value = "damper"
    for row, values in enumerate((["damper.x [m/s]", "damper.y [N]"], [-1, -5], [0, 0], [1, 5]), 1):
        for column, value in enumerate(values, 6):
            book["Curves"].cell(row, column).value = value
    assert told(book, tmp_path) == []
    book["Curves"].cell(2, 7).value = 5
    assert told(book, tmp_path) == [("negative-damping", "Curves!F2")]


def test_gravity_in_mm_without_its_unit_is_told(book, tmp_path):
    book["Settings"]["C6"] = None
    assert told(book, tmp_path) == [("large-gravity", "Settings!B6")]


def test_gravity_of_a_workbook_all_in_mm_is_no_slip(tmp_path):
    path = space_book(
        tmp_path / "m.xlsx",
        {"gravity_z": -9810},
        Bodies=[body("b", 0.002, (30.0, 30.0, 30.0), x=100.0)],
        Points=[at(), at(250.0, name="Q")],
        Joints=[joint("revolute", **axis(0, 1, 0))],
    )
    assert sheetmbs.read(path).warnings == ()


# measured motion and forces


def test_accelerations_that_are_mostly_noise_are_told_and_filtered_ones_are_not(tmp_path):
    noise = np.random.default_rng(7).normal(0.0, 1.0, (COUNT, 2))
    sound, _ = columns(times())
    noisy = {
        "leg.x [m]": sound["leg.x [m]"] + 1e-3 * noise[:, 0],
        "leg.phi [deg]": sound["leg.phi [deg]"] + noise[:, 1],
    }
    book = guided_book(guiding=noisy)
    assert told(book, tmp_path) == [("noisy-motion", "Guiding!B1"), ("noisy-motion", "Guiding!D1")]
    quiet = {"leg.x [m]": sound["leg.x [m]"] + 1e-7 * noise[:, 0]}
    assert told(guided_book(guiding=quiet), tmp_path) == []


def test_the_rounding_of_results_pasted_back_is_no_noise(tmp_path):
    at_rest = np.full(COUNT, 0.3) + 1e-16 * np.arange(COUNT) % 3
    digits = np.round(columns(times())[0]["leg.y [m]"], 9)
    assert told(guided_book(guiding={"leg.x [m]": at_rest, "leg.y [m]": digits}), tmp_path) == []


@pytest.mark.parametrize("factor", [1000.0, 450.0])
def test_a_force_that_acts_far_from_everything_is_told_at_its_cell(factor, tmp_path):
    _, sound = columns(times())
    row = FORCE.start + 10
    point = sound["leg.px [mm]"].copy()
    point[row] *= factor
    assert told(guided_book(force={"leg.px [mm]": point}), tmp_path) == [("far-point", f"ForceSeries!D{row + 2}")]
    all_of_it = sound["leg.px [mm]"] * factor
    assert told(guided_book(force={"leg.px [mm]": all_of_it}), tmp_path) == [
        ("far-point", f"ForceSeries!D{FORCE.start + 2}")
    ]


def test_a_point_far_away_without_a_force_is_nothing(tmp_path):
    _, sound = columns(times())
    point = sound["leg.px [mm]"].copy()
    point[5] = 450e3
    assert told(guided_book(force={"leg.px [mm]": point}), tmp_path) == []
