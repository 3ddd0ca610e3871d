"""The example workbooks: the planar ones against independent references, and each as its script makes it."""

from __future__ import annotations

import importlib
import shutil
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from scipy.interpolate import CubicSpline

import sheetmbs
from sheetmbs.all_products import GAIT, SUSPENSION
from sheetmbs.gait.run_gait import run_gait
from tests.project import references
from tests.support.example_books import EXAMPLES, GAIT_BOOKS, HANDLING, MEASURED, STUDIES, SUSPENSIONS
from tests.support.opened import product_in
from tests.support.printed_gait import PRINTED_BODIES, PRINTED_REACTIONS, PRINTED_VIOLATIONS

FOLDER = Path(__file__).parents[2] / "workbooks"
NAMES = (
    *(path.stem for path in EXAMPLES),
    *SUSPENSIONS,
    *HANDLING,
    *STUDIES,
    *MEASURED,
    *(path.stem for path in GAIT_BOOKS if path.parent == FOLDER),
)
CLOSED_FORM = 1e-10
"""of the largest value of its kind: the setting ``tolerance``, to which positions and velocities are solved"""

DERIVATIVES = {
    ".x": ".vx", ".y": ".vy", ".phi": ".omega", ".vx": ".ax", ".vy": ".ay", ".omega": ".alpha",
    ".angle": ".rate", ".displacement": ".rate",
}  # fmt: skip


@cache
def run(name, **settings):
    """Results of a workbook, some of its settings replaced."""
    model = sheetmbs.read(FOLDER / f"{name}.xlsx")
    result = sheetmbs.run(replace(model, settings=replace(model.settings, **settings)))
    assert result.status == "done"
    return result


def columns_in_si(result):
    """All result columns by name. Lengths may be in mm and angles in deg, then their rates too."""
    columns = {}
    for frame in (result.bodies, result.points, result.joints, result.drivers, result.constraints):
        for name, unit in frame.attrs["units"].items():
            size = {"mm": 1e-3, "deg": np.pi / 180}.get(unit.split("/")[0], 1.0)
            values = frame[name].to_numpy() * size
            columns.setdefault(name, values)
    return columns


def kind(column):
    """Columns of one kind are measured by their largest value, so that one that should be 0 is judged fairly."""
    ending = column.rpartition(".")[2]
    kinds = {"length": "x y displacement", "force": "fx fy force", "moment": "m m_com moment", "velocity": "vx vy"}
    kinds |= {"acceleration": "ax ay", "angle": "phi angle"}
    return next((each for each, endings in kinds.items() if ending in endings.split()), ending)


def disagreements(columns, reference, tolerance):
    """Columns that are missing, or further from the reference than the tolerance times the largest value of their kind."""
    scales = {}
    for name, values in reference.items():
        scales[kind(name)] = max(scales.get(kind(name), 0.0), np.abs(values).max())
    found = []
    for name, values in reference.items():
        if name not in columns:
            found.append(f"{name} is missing")
            continue
        error = np.abs(columns[name] - values).max()
        if not error <= tolerance * scales[kind(name)]:
            found.append(f"{name} is off by {error:.3g}, {error / scales[kind(name)]:.3g} of {scales[kind(name)]:.3g}")
    return found


# --- the references among themselves -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "t_end"),
    [
        (references.pendulum, 10.0),
        (references.slider_crank, 0.4),
        (references.four_bar, 1.0),
        (references.quick_return, 4.0),
        (lambda t: gait().exactly(t), 0.957),
    ],
    ids=["pendulum", "slider-crank", "four-bar", "quick-return", "half-hat-leg"],
)
def test_velocities_and_accelerations_of_the_reference_are_the_derivatives_of_its_positions(reference, t_end):
    # Simpson's rule over pairs of steps; the ends of the guiding spans, where third derivatives jump, end such a pair
    t = np.linspace(0.0, t_end, 33 * 600 + 1)
    columns = reference(t)
    for name, values in columns.items():
        stem, point, ending = name.rpartition(".")
        rate = columns.get(stem + DERIVATIVES.get(point + ending, "?"))
        if rate is not None:
            mean_rate = (rate[:-2:2] + 4 * rate[1:-1:2] + rate[2::2]) / 6
            slope = (values[2::2] - values[:-2:2]) / (t[2::2] - t[:-2:2])
            assert np.abs(slope - mean_rate).max() <= 1e-9 * np.abs(rate).max() + 1e-10, name


def test_power_of_the_motor_in_the_reference_is_what_the_energies_and_the_pressure_take():
    t = np.linspace(0.0, 0.4, 20001)
    columns = references.slider_crank(t)
    pressure = np.where(columns["slider.vx"] > 0, -400.0, -50.0)
    energy = CubicSpline(t, columns["kinetic_energy"] + columns["potential_energy"])
    needed = energy(t, 1) - pressure * columns["slider.vx"]
    assert np.abs(needed - columns["motor.power"])[10:-10].max() < 1e-10 * np.abs(needed).max()


def test_power_of_the_guiding_forces_in_the_reference_is_what_energies_and_ground_force_take():
    t = np.linspace(0.0, 0.957, 33 * 600 + 1)
    columns, model = gait().exactly(t), gait()
    motion = [[columns[f"{name}.{ending}"] for ending in ("y", "vx", "vy", "omega")] for name in model.names]
    energy = sum(
        0.5 * mass * (vx**2 + vy**2) + 0.5 * inertia * omega**2 + mass * 9.81 * y
        for mass, inertia, (y, vx, vy, omega) in zip(model.masses, model.inertias, motion, strict=True)
    )
    fx, fy, px, py = model.load(t).T
    lever = (px - columns["foot.x"]) * fy - (py - columns["foot.y"]) * fx
    power = fx * columns["foot.vx"] + fy * columns["foot.vy"] + lever * columns["foot.omega"]
    power = power + columns["hat.x.force"] * columns["hat.vx"] + columns["hat.y.force"] * columns["hat.vy"]
    power = power + sum(columns[f"{name}.phi.moment"] * columns[f"{name}.omega"] for name in model.names)
    mean_power = (power[:-2:2] + 4 * power[1:-1:2] + power[2::2]) / 6
    gain = (energy[2::2] - energy[:-2:2]) / (t[2::2] - t[:-2:2])
    assert np.abs(gain - mean_power).max() < 1e-8 * np.abs(power).max()


def test_loops_of_the_references_close():
    four_bar = references.four_bar(np.linspace(0.0, 1.0, 501))
    b = 2 * np.array([four_bar["crank.x"], four_bar["crank.y"]])
    c = np.array([four_bar["C.x"], four_bar["C.y"]])
    assert np.abs(np.hypot(*(c - b)) - 0.260).max() < 1e-14
    slider = references.slider_crank(np.linspace(0.0, 0.4, 501))
    assert np.abs(np.hypot(slider["C.x"] - slider["B.x"], slider["C.y"] - slider["B.y"]) - 0.250).max() < 1e-15
    shaper = references.quick_return(np.linspace(0.0, 4.0, 501))
    assert np.abs(np.hypot(shaper["ram.x"] - shaper["D.x"], shaper["ram.y"] - shaper["D.y"]) - 0.250).max() < 1e-15
    assert np.abs(shaper["ram.y"] - 0.680).max() < 1e-15


def test_elliptic_functions_give_the_published_end_of_the_pendulum():
    end = references.pendulum(np.array([10.0]))
    assert end["bob.x"][0] == pytest.approx(-0.2750874626, abs=5e-11)
    assert end["bob.y"][0] == pytest.approx(-0.9614192051, abs=5e-11)


# --- pendulum --------------------------------------------------------------------------------------------------------


def test_pendulum_follows_the_elliptic_functions_for_ten_seconds():
    result = run("pendulum")
    reference = references.pendulum(result.bodies["time"].to_numpy())
    assert disagreements(columns_in_si(result), reference, 1e-6) == []


def test_pendulum_gains_digits_with_its_tolerance():
    result = run("pendulum", rtol=1e-12)
    reference = references.pendulum(result.bodies["time"].to_numpy())
    assert disagreements(columns_in_si(result), reference, 1e-10) == []


def test_pendulum_keeps_its_energy():
    constraints = run("pendulum").constraints
    assert np.abs(constraints["total_energy"]).max() < 1e-6 * 9.81
    assert constraints["position_violation"].max() < 1e-10


# --- mechanisms ------------------------------------------------------------------------------------------------------


def test_slider_crank_has_the_motion_torque_and_reactions_of_the_closed_form():
    result = run("slider-crank")
    reference = references.slider_crank(result.bodies["time"].to_numpy())
    assert disagreements(columns_in_si(result), reference, CLOSED_FORM) == []


def test_slider_crank_moves_the_same_when_only_its_kinematics_are_asked_for():
    result = run("slider-crank", analysis="kinematic")
    reference = references.slider_crank(result.bodies["time"].to_numpy())
    motion = {
        name: values for name, values in reference.items() if name.split(".")[0] in ("crank", "rod", "slider", "C")
    }
    assert disagreements(columns_in_si(result), motion, CLOSED_FORM) == []


def test_slider_crank_integrated_as_a_driven_dynamic_system_needs_the_same_torque():
    result = run("slider-crank", analysis="dynamic")
    reference = references.slider_crank(result.bodies["time"].to_numpy())
    assert disagreements(columns_in_si(result), reference, 1e-7) == []


def test_four_bar_moves_as_freudenstein_says():
    result = run("four-bar")
    reference = references.four_bar(result.bodies["time"].to_numpy())
    assert disagreements(columns_in_si(result), reference, CLOSED_FORM) == []


def test_quick_return_moves_as_the_closed_form_says():
    result = run("quick-return")
    reference = references.quick_return(result.bodies["time"].to_numpy())
    assert disagreements(columns_in_si(result), reference, CLOSED_FORM) == []


def test_quick_return_cuts_as_much_longer_than_it_returns_as_its_geometry_says():
    result = run("quick-return", t_step=0.001)
    turn = result.bodies["time"].to_numpy() < 1.9995
    cutting = (result.bodies["ram.vx"].to_numpy()[turn] < 0).mean()
    swing = np.degrees(np.arcsin(120 / 320))
    assert cutting == pytest.approx((180 + 2 * swing) / 360, abs=1e-3)


# --- gait ------------------------------------------------------------------------------------------------------------

TIMES = tuple(PRINTED_BODIES)
HALF_A_UNIT = 0.5e-3 * (1 + 1e-9)
"""of the third decimal, in which bodies and reactions are printed"""


def numbers(text):
    return np.array([float(word) for word in text.split()])


def sheet_numbers(sheet, first_row, first_column):
    rows = openpyxl.load_workbook(FOLDER / "half-hat-leg.xlsx", data_only=True)[sheet].iter_rows(
        min_row=first_row, min_col=first_column, values_only=True
    )
    return np.array([[float(cell) for cell in row] for row in rows if isinstance(row[0], int | float)])


@cache
def gait():
    """The reference of the gait example, fed with the workbook's numbers."""
    sheet = openpyxl.load_workbook(FOLDER / "half-hat-leg.xlsx")["Bodies"]
    masses, inertias = (np.array([sheet.cell(row, column).value for row in range(3, 7)]) for column in (2, 3))
    arms = np.array([[-0.294065, 0.136005], [-0.178095, 0.176707], [-0.231393, 0.06105]])
    return references.Gait(masses, inertias, arms, sheet_numbers("Guiding", 3, 1), sheet_numbers("ForceSeries", 3, 1))


def frame_at(frame, time):
    """The row of a result table at this time."""
    times = frame["time"].to_numpy()
    row = int(np.argmin(np.abs(times - time)))
    assert times[row] == pytest.approx(time, abs=1e-9)
    return frame.iloc[row]


@pytest.mark.parametrize("time", TIMES)
def test_gait_reproduces_every_printed_position_velocity_and_acceleration(time):
    row = frame_at(run("half-hat-leg").bodies, time)
    endings = ("x", "y", "phi", "vx", "vy", "omega", "ax", "ay", "alpha")
    names = [f"{body}.{ending}" for body in references.Gait.names for ending in endings]
    printed = numbers(PRINTED_BODIES[time])
    assert len(printed) == 36
    off = {
        name: (row[name], value)
        for name, value in zip(names, printed, strict=True)
        if not abs(row[name] - value) <= HALF_A_UNIT
    }
    assert off == {}


@pytest.mark.parametrize("time", TIMES)
def test_gait_reproduces_every_printed_reaction(time):
    row = frame_at(run("half-hat-leg").joints, time)
    names = [
        f"{joint}.{side}.{ending}"
        for joint in references.Gait.joints
        for side in ("i", "j")
        for ending in ("fx", "fy", "m_com")
    ]
    printed = numbers(PRINTED_REACTIONS[time])
    assert len(printed) == 18
    off = {
        name: (row[name], value)
        for name, value in zip(names, printed, strict=True)
        if not abs(row[name] - value) <= HALF_A_UNIT
    }
    assert off == {}


def half_of_the_last_digit(printed):
    """Four significant digits behind ``0.``: half a unit of the fourth."""
    exponents = np.floor(np.log10(np.maximum(np.abs(printed), 1e-99))) + 1
    return np.where(printed == 0.0, 1e-12, 0.5e-4 * 10.0**exponents * (1 + 1e-6))


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize(("ending", "part"), [("position", 0), ("velocity", 1)])
def test_gait_reproduces_the_printed_violations(time, ending, part):
    row = frame_at(run("half-hat-leg").constraints, time)
    printed = numbers(PRINTED_VIOLATIONS[time]).reshape(2, 12)[part]
    tolerance = half_of_the_last_digit(printed)
    off = {}
    for k, joint in enumerate(references.Gait.joints):
        pair = slice(2 * k, 2 * k + 2)
        found = row[f"{joint}.{ending}"]
        if not abs(found - np.linalg.norm(printed[pair])) <= np.linalg.norm(tolerance[pair]):
            off[joint] = (found, printed[pair])
    for k, column in enumerate(references.Gait.guided, start=6):
        found = row[f"{column}.{ending}"]
        if not abs(found - abs(printed[k])) <= tolerance[k]:
            off[column] = (found, printed[k])
    assert off == {}
    worst = np.abs(printed).argmax()
    assert row[f"{ending}_violation"] == pytest.approx(abs(printed[worst]), abs=tolerance[worst])


def test_gait_with_checked_initial_conditions_is_refused_for_the_violations_that_were_printed():
    with pytest.raises(
        sheetmbs.WorkbookError,
        match=r"(?s)ankle is violated: positions by 6\.78e-06 .*hat\.y is violated: velocities by 0\.01228",
    ):
        run("half-hat-leg", initial_conditions="check")


def test_gait_reference_reproduces_the_printed_bodies_and_violations_too():
    states = gait().stabilised(*initial_state(), 0.00145, 660)
    for time, step in zip(TIMES, (0, 331, 660), strict=True):
        _, q, v, a, violation, rate = states[step]
        found = np.array([q.reshape(4, 3), v.reshape(4, 3), a.reshape(4, 3)]).transpose(1, 0, 2).ravel()
        assert np.abs(found - numbers(PRINTED_BODIES[time])).max() <= HALF_A_UNIT
        printed = numbers(PRINTED_VIOLATIONS[time])
        assert (np.abs(np.concatenate([violation, rate]) - printed) <= half_of_the_last_digit(printed)).all()


def initial_state():
    sheet = openpyxl.load_workbook(FOLDER / "half-hat-leg.xlsx")["Bodies"]
    rows = np.array([[sheet.cell(row, column).value for column in range(4, 10)] for row in range(3, 7)])
    return rows[:, :3].ravel(), rows[:, 3:].ravel()


def test_gait_takes_the_same_660_steps_as_the_reference():
    result = run("half-hat-leg")
    states = gait().stabilised(*initial_state(), 0.00145, 660)
    assert len(result.bodies) == len(states)
    endings = ("x", "y", "phi", "vx", "vy", "omega", "ax", "ay", "alpha")
    for part, state in enumerate((1, 2, 3)):
        names = [f"{body}.{ending}" for body in references.Gait.names for ending in endings[3 * part : 3 * part + 3]]
        expected = np.array([each[state] for each in states])
        assert np.abs(result.bodies[names].to_numpy() - expected).max() < 1e-11 * np.abs(expected).max(), names


def test_gait_inverse_dynamics_meets_the_guiding_series_and_balances_every_segment():
    result = run("half-hat-leg", analysis="inverse dynamic")
    reference = gait().exactly(result.bodies["time"].to_numpy())
    assert disagreements(columns_in_si(result), reference, CLOSED_FORM) == []


# --- the files -------------------------------------------------------------------------------------------------------


@pytest.fixture
def make(monkeypatch):
    """The function that makes the workbook of this name into a folder."""
    monkeypatch.syspath_prepend(str(FOLDER))
    return lambda name, folder: importlib.import_module(f"make_{name.replace('-', '_')}").make(folder)


def contents(path, *, data_only):
    """Every cell, drop-down, width and frozen pane of a workbook."""
    found = {}
    for sheet in openpyxl.load_workbook(path, data_only=data_only).worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value is not None:
                    found[sheet.title, cell.coordinate] = (cell.value, cell.number_format, cell.font.color.rgb)
        found[sheet.title, "panes"] = sheet.freeze_panes
        found[sheet.title, "widths"] = {letter: size.width for letter, size in sheet.column_dimensions.items()}
        found[sheet.title, "lists"] = sorted(
            (str(each.sqref), each.formula1) for each in sheet.data_validations.dataValidation
        )
    return found


@pytest.mark.parametrize("name", NAMES)
def test_committed_workbook_is_what_its_script_makes(name, make, tmp_path):
    made = make(name, tmp_path)
    for data_only in (False, True):
        assert contents(made, data_only=data_only) == contents(FOLDER / f"{name}.xlsx", data_only=data_only)


@pytest.mark.parametrize("name", NAMES)
def test_making_a_workbook_twice_gives_the_same_bytes(name, make, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    assert make(name, first).read_bytes() == make(name, second).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_workbook_is_read_without_a_word_of_warning(name):
    book = FOLDER / f"{name}.xlsx"
    product = product_in(book)
    if product is SUSPENSION:
        assert sheetmbs.run_suspension(book).sheets.problems == ()
    elif product is GAIT:
        assert run_gait(book).solved.problems == ()
    else:
        assert sheetmbs.read(book).warnings == ()


@pytest.mark.parametrize("name", NAMES)
def test_workbook_begins_with_a_readme_and_freezes_its_headers(name):
    book = openpyxl.load_workbook(FOLDER / f"{name}.xlsx")
    assert book.sheetnames[0] == "README"
    assert len(book["README"]._charts) == 1
    assert all(sheet.freeze_panes for sheet in book.worksheets[1:])
    first = next(name for name in ("Hardpoints", "Joints", "Gait joints") if name in book.sheetnames)
    assert book[first].data_validations.dataValidation


ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>"""


RECORDED = {"gait-walk"}
"""workbooks of recordings, in which nothing is calculated"""


@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_libreoffice_opens_every_workbook_and_calculates_the_values_that_it_holds(tmp_path):
    profile = tmp_path / "profile" / "user"
    profile.mkdir(parents=True)
    (profile / "registrymodifications.xcu").write_text(ALWAYS_RECALCULATE, encoding="utf-8")
    out = tmp_path / "out"
    subprocess.run(
        [
            *("soffice", f"-env:UserInstallation={profile.parent.as_uri()}", "--headless", "--convert-to", "xlsx"),
            *("--outdir", str(out), *(str(FOLDER / f"{name}.xlsx") for name in NAMES)),
        ],
        check=True,
        capture_output=True,
    )
    for name in NAMES:
        written = openpyxl.load_workbook(FOLDER / f"{name}.xlsx")
        held = openpyxl.load_workbook(FOLDER / f"{name}.xlsx", data_only=True)
        calculated = openpyxl.load_workbook(out / f"{name}.xlsx", data_only=True)
        assert calculated.sheetnames == held.sheetnames
        formulas = [
            (sheet.title, cell.coordinate)
            for sheet in written
            for row in sheet.iter_rows()
            for cell in row
            if cell.data_type == "f"
        ]
        assert formulas or name in RECORDED
        for sheet, cell in formulas:
            value, expected = calculated[sheet][cell].value, held[sheet][cell].value
            if isinstance(expected, int | float):
                assert value == pytest.approx(expected, rel=1e-12, abs=1e-10), (name, sheet, cell)
            else:
                assert (value or "") == (expected or ""), (name, sheet, cell)
