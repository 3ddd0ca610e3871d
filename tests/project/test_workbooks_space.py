"""The spatial example workbooks against independent references."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import sheetmbs
from tests.project import references_space as references
from tests.project.test_workbooks import columns_in_si

FOLDER = Path(__file__).parents[2] / "workbooks"
CLOSED_FORM = 1e-10
"""of the largest value of its kind: the setting ``tolerance``, to which positions and velocities are solved"""
KINDS = {
    "length": ("x", "y", "z", "displacement"),
    "velocity": ("vx", "vy", "vz"),
    "acceleration": ("ax", "ay", "az"),
    "angle": ("yaw", "pitch", "roll", "angle"),
    "angular velocity": ("wx", "wy", "wz"),
    "angular acceleration": ("alphax", "alphay", "alphaz"),
    "force": ("fx", "fy", "fz"),
    "moment": ("moment", "mx", "my", "mz"),
}
KIND_OF = {ending: kind for kind, endings in KINDS.items() for ending in endings}


@cache
def run(name, **settings):
    """Results of a workbook, some of its settings replaced."""
    model = sheetmbs.read(FOLDER / f"{name}.xlsx")
    result = sheetmbs.run(replace(model, settings=replace(model.settings, **settings)))
    assert result.status == "done"
    return result


def columns_of(result):
    """Result columns in SI, with the orientation of every body twice: from Euler parameters and from angles."""
    columns = columns_in_si(result)
    for name in [column.removesuffix(".e0") for column in columns if column.endswith(".e0")]:
        euler = np.stack([columns[f"{name}.e{k}"] for k in (1, 2, 3, 0)], axis=1)
        angles = np.stack([columns[f"{name}.{angle}"] for angle in ("yaw", "pitch", "roll")], axis=1)
        columns[f"{name}.turn"] = Rotation.from_quat(euler).as_matrix()
        columns[f"{name}.turn by angles"] = Rotation.from_euler("ZYX", angles).as_matrix()
    return columns


def disagreements(result, reference, tolerance):
    """Columns that are missing, or further from the reference than the tolerance times the largest value of their kind."""
    columns = columns_of(result)
    reference = dict(reference)
    reference |= {f"{name} by angles": values for name, values in reference.items() if name.endswith(".turn")}
    scales = {}
    for name, values in reference.items():
        ending = name.rpartition(".")[2]
        kind = KIND_OF.get(ending, ending)
        scales[kind] = max(scales.get(kind, 0.0), np.abs(values).max())
    found = []
    for name, values in reference.items():
        if name not in columns:
            found.append(f"{name} is missing")
            continue
        ending = name.rpartition(".")[2]
        scale = scales[KIND_OF.get(ending, ending)]
        error = np.abs(columns[name] - values).max()
        if not error <= tolerance * scale:
            found.append(f"{name} is off by {error:.3g}, {error / scale:.3g} of {scale:.3g}")
    return found


def times(result):
    return result.bodies["time"].to_numpy()


def motion_only(columns):
    """Without accelerations and forces."""
    return {
        name: values
        for name, values in columns.items()
        if KIND_OF.get(name.rpartition(".")[2]) not in ("acceleration", "angular acceleration", "force", "moment")
    }


# --- the references themselves -----------------------------------------------------------------------------------------


@cache
def bricard():
    return references.Bricard()


REFERENCES = {
    "slider-crank-3d": (references.slider_crank, 1.0),
    "wind-turbine": (references.wind_turbine, 30.0),
    "gyroscope": (lambda t: references.Gyroscope().columns(t), 0.4),
    "bricard": (lambda t: bricard().columns(t), 2.0),
}


@pytest.mark.parametrize("name", REFERENCES)
def test_velocities_and_accelerations_of_the_reference_are_the_derivatives_of_its_positions(name):
    reference, end = REFERENCES[name]
    t = np.linspace(0.0, end, 4001)
    columns = reference(t)
    checked = 0
    for column, values in columns.items():
        stem, _, ending = column.rpartition(".")
        rate = {"x": "vx", "y": "vy", "z": "vz", "vx": "ax", "vy": "ay", "vz": "az", "angle": "rate"}.get(ending)
        if rate and f"{stem}.{rate}" in columns:
            slope, expected = CubicSpline(t, values)(t, 1), columns[f"{stem}.{rate}"]
            assert np.abs(slope - expected)[20:-20].max() < 1e-6 * max(np.abs(expected).max(), 1e-3), column
            checked += 1
    assert checked > 15


@pytest.mark.parametrize("name", REFERENCES)
def test_angular_velocities_of_the_reference_turn_its_bodies(name):
    reference, end = REFERENCES[name]
    t = np.linspace(0.0, end, 8001)
    columns = reference(t)
    for body in [column.removesuffix(".turn") for column in columns if column.endswith(".turn")]:
        turns = Rotation.from_matrix(columns[f"{body}.turn"])
        steps = (turns[:-1].inv() * turns[1:]).as_rotvec() / np.diff(t)[:, None]
        spin = np.stack([columns[f"{body}.w{axis}"] for axis in "xyz"], axis=1)
        middle = (spin[1:] + spin[:-1]) / 2
        assert np.abs(steps - middle).max() < 1e-5 * max(np.abs(spin).max(), 1e-2), body


def test_rod_of_the_slider_crank_reference_keeps_its_length_and_its_wrist_square_to_the_path():
    columns = references.slider_crank(np.linspace(0.0, 1.0, 101))
    pin, wrist = (np.stack([columns[f"{name}.{axis}"] for axis in "xyz"], axis=1) for name in "BC")
    assert np.abs(np.linalg.norm(pin - wrist, axis=1) - 0.3).max() < 1e-15
    rod = columns["rod.turn"]
    assert np.abs(rod[:, :, 0] * 0.3 - (wrist - pin)).max() < 1e-15


def test_bricard_loop_of_the_reference_closes_at_every_position():
    w = np.linspace(0.0, 4 * np.pi, 301)
    corners, _, turns = references.Bricard.split(references.still(bricard().positions(w)))
    assert np.abs(corners[5].value - [0.0, 0.0, 1.0]).max() < 1e-14
    # the last hinge turns about x of the ground
    assert np.abs(turns[4].value[:, :, 0] - [1.0, 0.0, 0.0]).max() < 1e-14


def test_energies_of_the_bricard_reference_add_up_to_a_constant():
    columns = bricard().columns(np.linspace(0.0, 10.0, 101))
    total = columns["kinetic_energy"] + columns["potential_energy"]
    assert np.ptp(total) < 1e-10 * columns["kinetic_energy"].max()


# --- kinematics --------------------------------------------------------------------------------------------------------


def test_slider_crank_moves_as_the_length_of_its_rod_says():
    result = run("slider-crank-3d")
    assert disagreements(result, references.slider_crank(times(result)), CLOSED_FORM) == []


def test_slider_crank_starts_with_its_slider_at_two_tenths_of_a_metre():
    result = run("slider-crank-3d")
    assert result.bodies["slider.x"][0] == pytest.approx(200.0, abs=1e-12)


def test_slider_crank_has_no_freedom_left_and_no_constraint_too_many():
    summary = run("slider-crank-3d").summary
    assert (summary["degrees of freedom"], summary["redundant constraints"]) == (0, 0)


def test_wind_turbine_moves_as_its_chain_of_rotations_says():
    result = run("wind-turbine")
    assert disagreements(result, references.wind_turbine(times(result)), CLOSED_FORM) == []


def test_wind_turbine_has_the_hub_height_and_tip_speed_of_its_design():
    points = run("wind-turbine").points
    assert points["hub.z"][0] == pytest.approx(90.0, abs=1e-4)
    speed = np.linalg.norm(points[["tip 1.vx", "tip 1.vy", "tip 1.vz"]].iloc[0])
    assert speed == pytest.approx(63 * np.cos(np.radians(2.5)) * 12.1 * np.pi / 30, rel=1e-12)


# --- dynamics ----------------------------------------------------------------------------------------------------------


def test_gyroscope_moves_as_the_two_angles_of_its_rod_say():
    result = run("gyroscope")
    reference = references.Gyroscope().columns(times(result))
    assert disagreements(result, motion_only(reference), 1e-7) == []
    assert disagreements(result, reference, 5e-7) == []


def test_gyroscope_comes_nearer_to_its_two_angles_with_a_finer_tolerance():
    result = run("gyroscope", rtol=1e-11)
    assert disagreements(result, references.Gyroscope().columns(times(result)), 1e-9) == []


def test_gyroscope_precesses_in_the_mean_as_fast_as_the_rule_of_the_fast_gyroscope_says():
    result = run("gyroscope")
    pitch = CubicSpline(times(result), result.bodies["rod.pitch"])
    turning = [t for t in pitch.derivative().roots(extrapolate=False) if pitch(t, 2) > 0]  # the rod is highest
    yaw = CubicSpline(times(result), result.bodies["rod.yaw"])
    assert len(turning) > 25
    mean = (yaw(turning[-1]) - yaw(turning[0])) / (turning[-1] - turning[0])
    assert mean == pytest.approx(references.Gyroscope().approximation, rel=0.001)


def test_gyroscope_states_the_precession_that_its_rule_expects():
    sheet = openpyxl.load_workbook(FOLDER / "gyroscope.xlsx", data_only=True)["Dimensions"]
    stated = {row[0]: row[1] for row in sheet.iter_rows(values_only=True)}
    assert stated["expected precession"] == pytest.approx(references.Gyroscope().approximation, rel=1e-12)


def test_gyroscope_gains_the_energy_that_its_motor_gives():
    result = run("gyroscope")
    power = CubicSpline(times(result), result.drivers["motor.power"]).antiderivative()
    gained = result.constraints["total_energy"] - result.constraints["total_energy"][0]
    assert np.ptp(gained) > 0.1
    assert np.abs(gained - power(times(result))).max() < 1e-4 * np.ptp(gained)


PUBLISHED_P3 = (0.292609586, -0.889369143, -0.457189815)


def test_bricard_brings_p3_at_nine_seconds_to_where_the_benchmark_has_it():
    points = run("bricard").points
    row = points[np.isclose(points["time"], 9.0, atol=1e-9)].iloc[0]
    assert np.abs(row[["P3.x", "P3.y", "P3.z"]].to_numpy(dtype=float) - PUBLISHED_P3).max() < 1e-6


def test_bricard_reference_brings_p3_there_too():
    columns = bricard().columns(np.array([0.0, 9.0]))
    assert (
        np.abs([columns[f"P3.{axis}"][-1] - value for axis, value in zip("xyz", PUBLISHED_P3, strict=True)]).max()
        < 1e-9
    )


def test_bricard_moves_as_its_one_equation_of_motion_says():
    result = run("bricard")
    assert disagreements(result, bricard().columns(times(result)), 1e-8) == []


def test_bricard_has_one_freedom_and_one_redundant_constraint_named_by_its_hinges():
    result = run("bricard")
    assert result.summary["degrees of freedom"] == 1
    number, _, hinges = str(result.summary["redundant constraints"]).partition(": ")
    assert number == "1"
    assert set(hinges.split(", ")) <= {f"hinge {k}" for k in range(1, 7)}
    assert hinges


def test_bricard_keeps_its_energy():
    constraints = run("bricard").constraints
    assert np.ptp(constraints["total_energy"]) < 1e-8 * constraints["kinetic_energy"].max()


PUBLISHED_HEIGHT = 0.6196229179


def test_flyball_governor_has_its_slider_after_ten_seconds_where_the_benchmark_has_it():
    result = run("flyball-governor")
    assert times(result)[-1] == 10.0
    assert result.bodies["slider.z"].iloc[-1] == pytest.approx(PUBLISHED_HEIGHT, rel=1e-6)


def test_flyball_governor_moves_as_its_three_coordinates_say():
    result = run("flyball-governor")
    assert disagreements(result, references.Governor().columns(times(result)), 1e-6) == []


def test_flyball_governor_keeps_its_angular_momentum():
    result = run("flyball-governor")
    bodies, momentum = result.bodies, 0.0
    sheet = openpyxl.load_workbook(FOLDER / "flyball-governor.xlsx", data_only=True)["Bodies"]
    header = [cell.value for cell in sheet[1]]
    for row in (row for row in sheet.iter_rows(min_row=3, values_only=True) if row[0]):
        name, mass = row[0], row[header.index("mass")]
        inertia = [row[header.index(each)] for each in ("ixx", "iyy", "izz")]
        spin = np.stack([bodies[f"{name}.w{axis}"] for axis in "xyz"], axis=1) * np.pi / 180
        own = (columns_of(result)[f"{name}.turn"] @ (spin * inertia)[:, :, None])[:, 2, 0]
        momentum = (
            momentum
            + own
            + mass * (bodies[f"{name}.x"] * bodies[f"{name}.vy"] - bodies[f"{name}.y"] * bodies[f"{name}.vx"])
        )
    assert np.ptp(momentum) < 1e-7 * np.abs(momentum).max()


def test_mass_and_inertia_of_rod_and_ball_are_those_of_the_two_parts():
    sheet = openpyxl.load_workbook(FOLDER / "flyball-governor.xlsx", data_only=True)["Bodies"]
    header = [cell.value for cell in sheet[1]]
    rod = next(row for row in sheet.iter_rows(min_row=3, values_only=True) if row[0] == "rod 1")
    found = {name: rod[header.index(name)] for name in ("mass", "ixx", "iyy", "izz", "x", "z")}
    # rod as a row of many small cubes along its line, hinge at 0, with its ball
    places = (np.arange(2000) + 0.5) / 2000
    masses = np.append(np.full(2000, 0.3 / 2000), 5.0)
    places = np.append(places, 1.0)
    centre = (masses * places).sum() / masses.sum()
    across = (masses * (places - centre) ** 2).sum() + 0.3 * 0.01**2 / 12
    assert found["mass"] == pytest.approx(5.3, rel=1e-14)
    assert found["iyy"] == found["izz"] == pytest.approx(across, rel=1e-6)
    assert found["ixx"] == pytest.approx(0.3 * 2 * 0.01**2 / 12, rel=1e-12)
    assert found["x"] == pytest.approx(0.05 + centre * np.cos(np.pi / 6), rel=1e-12)
    assert found["z"] == pytest.approx(1 - centre / 2, rel=1e-12)


# --- all of them -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["slider-crank-3d", "wind-turbine", "gyroscope", "bricard", "flyball-governor"])
def test_euler_parameters_of_every_body_have_length_one_in_every_row(name):
    bodies = run(name).bodies
    for body in [column.removesuffix(".e0") for column in bodies if column.endswith(".e0")]:
        length = np.linalg.norm(bodies[[f"{body}.e{k}" for k in range(4)]], axis=1)
        assert np.abs(length - 1).max() < 1e-12, body


@pytest.mark.parametrize("name", ["gyroscope", "bricard", "flyball-governor"])
def test_constraints_of_the_dynamic_workbooks_are_met_in_every_row(name):
    constraints = run(name).constraints
    assert constraints["position_violation"].max() < 1e-10
    assert constraints["velocity_violation"].max() < 1e-10
