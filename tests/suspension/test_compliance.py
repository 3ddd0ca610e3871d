"""Elastic parts of suspensions: limits of stiff parts, where nothing moves, symmetry, and links by closed forms."""

import numpy as np
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.compliance.axle_compliance import CONTACT, AxleCompliance
from sheetmbs.suspension.compliance.elastic_axle import LOAD, TRAVEL, standing
from tests.support.compliance_books import bushed, part, run_compliance

G = 9.81
FACTORS = (1.0, 1e3, 1e6)


@pytest.fixture(scope="module")
def cars(tmp_path_factory):
    """The car with elastic parts, and with all of them a thousand and a million times stiffer."""
    folder = tmp_path_factory.mktemp("cars")
    return [
        run_compliance(folder / f"{factor:g}.xlsx", [*bushed(factor), *bushed(factor, "rear")]) for factor in FACTORS
    ]


def elastic(car, axle="front"):
    return car.base.elastic[axle]


def at_design(car, axle="front"):
    found = elastic(car, axle)
    height = found.design_values[found.travels][None]
    return found.solve(standing(TRAVEL, height), found.design_poses)


def test_static_angles_and_contacts_stay_what_the_sheet_says(cars):
    row = cars[0].sweeps["heave"].query("travel == 0").iloc[0]
    for column, wanted in (
        ("FL.toe", -0.15),
        ("FR.toe", -0.15),
        ("RL.camber", -0.8),
        ("FL.contact_x", 0),
        ("RL.contact_y", 0),
    ):
        assert row[column] == pytest.approx(wanted, abs=1e-10)
    assert elastic(cars[0]).design_load == pytest.approx(2 * [0.5 * 280 * G * 0.47], rel=1e-12)


def test_whatever_differs_from_rigid_members_falls_with_the_stiffness_of_the_parts(cars):
    tables = [car.sweeps["heave"] for car in cars]
    told = 0
    for column in tables[0].columns:
        kinematic = f"{column}_kinematic"
        if kinematic not in tables[0].columns:
            continue
        rigid = tables[0][kinematic].to_numpy()
        if not np.isfinite(rigid).all():
            continue
        size = np.max(np.abs(rigid))
        soft, stiff, stiffest = (np.max(np.abs(table[column].to_numpy() - rigid)) for table in tables)
        if soft > 1e-7 * max(size, 1e-3):
            told += 1
            assert stiff < 1.1e-3 * soft + 2e-7 * size, column
            assert stiffest < 1.1e-6 * soft + 2e-7 * size, column
    assert told > 100


@pytest.mark.parametrize(
    ("force", "kinematic"),
    [
        ("front.roll_centre_height_force", "front.roll_centre_height"),
        ("rear.roll_centre_height_force", "rear.roll_centre_height"),
        ("FL.anti_dive_force", "FL.anti_dive"),
        ("RR.anti_lift_force", "RR.anti_lift"),
    ],
)
def test_force_roll_centres_and_force_anti_effects_become_the_kinematic_ones(cars, force, kinematic):
    soft, _stiff, stiffest = (car.sweeps["heave"] for car in cars)
    assert np.max(np.abs(soft[force] - soft[kinematic])) > 0.1
    assert stiffest[force].to_numpy() == pytest.approx(stiffest[kinematic].to_numpy(), rel=2e-6, abs=2e-5)


def test_compliance_is_symmetric_as_solved(cars):
    for axle in ("front", "rear"):
        found = AxleCompliance(cars[0].base.swept["heave"][axle].elastic)
        for at_centre in (False, True):
            c = found.matrix(at_centre=at_centre)
            size = np.sqrt(np.einsum("nii->ni", c))
            assert np.max(np.abs(c - np.swapaxes(c, 1, 2)) / (size[:, :, None] * size[:, None])) < 1e-11


def test_differences_of_equilibria_approach_the_compliance_with_the_square_of_the_load(cars):
    axle = elastic(cars[0])
    start = at_design(cars[0])
    exact = AxleCompliance(start).free.motion[0]
    load = np.tile(axle.design_load, (1, 1))
    for component in range(6):
        errors = []
        for size in (60.0, 30.0) if component < 3 else (20.0, 10.0):
            moved = []
            for sign in (1.0, -1.0):
                on = standing(LOAD, load.copy())
                (on.force if component < 3 else on.moment)[0, 0, component % 3] = sign * size
                found = axle.solve(on, start.poses)
                assert found.reached.all()
                moved.append(wheel_motion(axle, start, found))
            errors.append((moved[0] - moved[1]) / (2 * size) - exact[CONTACT, component])
        largest = np.max(np.abs(errors[0]))
        assert largest < 0.05 * np.max(np.abs(exact[CONTACT, component]))
        assert np.max(np.abs(errors[1])) == pytest.approx(0.25 * largest, rel=0.15)


def wheel_motion(axle, start, found):
    """(12,) how the points of both wheels that touch the road at design have moved, and how the wheels have turned."""
    moved = []
    for side, name in enumerate(("left", "right")):
        hub = axle.structure.hubs[name]
        contact = axle.points(start.poses, start.standing, at_centre=False)[0, side]
        first, last = (of.poses.place[0, hub] for of in (start, found))
        turn = found.poses.turn[0, hub] @ start.poses.turn[0, hub].T
        moved.append(last + turn @ (contact - first) - contact)
        angle = np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1))
        spin = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
        moved.append(spin * (0.5 if angle < 1e-9 else angle / (2 * np.sin(angle))))
    return np.concatenate(moved)


def test_parts_add_up_to_the_answer_of_the_axle(cars):
    found = AxleCompliance(at_design(cars[0]))
    load = np.zeros(24)
    load[[1, 7]] = 1.0
    reading = np.zeros(24)
    reading[5] = -1.0
    shares = found.part_shares(load, reading)
    whole = reading @ found.held.motion[0] @ load
    geometry = whole - sum(float(each[0]) for each in shares.values())
    assert abs(geometry) < 0.05 * abs(whole)
    assert set(shares) >= {
        "lower arm front",
        "lower arm legs",
        "tie rod",
        "rack mount",
        "column",
        "wheel bearing",
        "springs",
    }


def test_two_springs_in_series_make_one(tmp_path):
    """A tie rod of k on a rack mount of k, each wheel's own rod: C of the rod 1/k, that of the mount shared by both."""
    soft = [part("tie rod", k="20000 N/mm")]
    ends = [part("tie rod inner", k="60000 N/mm"), part("tie rod outer", k="30000 N/mm")]
    one = run_compliance(tmp_path / "a.xlsx", [*soft, *ends])
    other = run_compliance(tmp_path / "b.xlsx", [part("tie rod", k="10000 N/mm")])
    for column in (
        "FL.toe",
        "FR.camber",
        "FL.toe_per_lateral",
        "FL.toe_per_aligning_single",
        "FL.contact_dy_per_lateral_load",
    ):
        first, second = (car.sweeps["heave"][column].to_numpy() for car in (one, other))
        assert first == pytest.approx(second, rel=1e-12), column


LOADS = (
    (
        "name",
        "type",
        "travel_from",
        "travel_to",
        "travel_step",
        "force_from",
        "force_to",
        "force_step",
        "sense",
        "at",
        "hold",
    ),
    ("heave", "heave", "-10 mm", "10 mm", "10 mm"),
    ("lateral", "lateral force", None, None, None, "-20 N", "20 N", "20 N"),
    ("opposed", "lateral force", None, None, None, "-20 N", "20 N", "20 N", "opposed"),
    ("single", "lateral force", None, None, None, "-20 N", "20 N", "20 N", "single", None, "load"),
    ("braking", "longitudinal force", None, None, None, "-20 N", "20 N", "20 N"),
    ("drive", "longitudinal force", None, None, None, "-20 N", "20 N", "20 N", None, "wheel centre", "load"),
    ("aligning", "aligning torque", None, None, None, "-2 N m", "2 N m", "2 N m", "opposed"),
)
STEPPED = [
    ("lateral", "FL.toe", "FL.toe_per_lateral", 1.0),
    ("lateral", "FR.steer", "FR.steer_per_lateral", 1.0),
    ("opposed", "FR.camber", "FR.camber_per_lateral_opposed", 1.0),
    ("single", "FR.toe", "FR.toe_per_lateral_single_load", 1.0),
    ("single", "FL.camber", "FL.camber_per_lateral_single_load", 1.0),
    ("braking", "FL.toe", "FL.toe_per_braking", -1.0),
    ("braking", "FL.wheel_x", "FL.recession_per_braking", 1.0),
    ("drive", "FL.wheel_x", "FL.wheel_dx_per_drive_load", 1.0),
    ("drive", "RL.toe", "RL.toe_per_drive_load", 1.0),
    ("aligning", "FL.toe", "FL.toe_per_aligning_opposed", 1.0),
]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    rows = [*bushed(), *bushed(axle="rear")]
    return run_compliance(tmp_path_factory.mktemp("loaded") / "car.xlsx", rows, others={"Sweeps": LOADS})


@pytest.mark.parametrize(("sweep", "column", "metric", "sign"), STEPPED)
def test_sweeps_of_loads_begin_with_the_slopes_that_metrics_tell(loaded, sweep, column, metric, sign):
    table = loaded.sweeps[sweep]
    force = table.iloc[:, 0].to_numpy() * 1e-3  # kN or kN m
    slope = (table[column].to_numpy()[-1] - table[column].to_numpy()[0]) / (force[-1] - force[0])
    wanted = loaded.sweeps["heave"].query("travel == 0").iloc[0][metric]
    assert sign * slope == pytest.approx(wanted, rel=1e-4)
    assert table.iloc[1][column] == pytest.approx(loaded.sweeps["heave"].query("travel == 0").iloc[0][column], abs=1e-9)


def test_wheels_that_hold_their_loads_move_and_those_that_hold_heights_do_not(loaded):
    held, free = loaded.base.swept["braking"]["front"].elastic, loaded.base.swept["drive"]["front"].elastic
    assert np.ptp(held.assembled.evaluated.value[:, held.of.heights], axis=0) == pytest.approx(0, abs=1e-13)
    assert np.min(np.ptp(held.load, axis=0)) > 1.0
    assert np.min(np.ptp(free.assembled.evaluated.value[:, free.of.heights], axis=0)) > 1e-5
    assert np.ptp(free.load, axis=0) == pytest.approx(0, abs=1e-9)


def frame(car, name):
    return next(table for table in car.sheets.tables if table.name == name).frame()


def test_the_sheet_of_compliance_is_symmetric_and_gives_the_metrics(cars):
    rows = frame(cars[0], "mbs Compliance")
    contact = rows[(rows["axle"] == "front") & (rows["at"] == "contact")]
    columns = [f"{corner}.{load}" for corner in ("FL", "FR") for load in ("fx", "fy", "fz", "mx", "my", "mz")]
    c = contact[columns].to_numpy(dtype=float)
    size = np.sqrt(np.diag(c))
    assert np.max(np.abs(c - c.T) / np.outer(size, size)) < 1e-11
    assert list(contact["row"])[:6] == ["FL.dx", "FL.dy", "FL.dz", "FL.rx", "FL.ry", "FL.rz"]
    z = [2, 8]
    held = c - c[:, z] @ np.linalg.solve(c[np.ix_(z, z)], c[z])
    row = cars[0].sweeps["heave"].query("travel == 0").iloc[0]
    assert row["FL.contact_dy_per_lateral"] == pytest.approx(1e3 * (held[1, 1] + held[1, 7]), rel=1e-9)
    assert row["FL.contact_dy_per_lateral_load"] == pytest.approx(1e3 * (c[1, 1] + c[1, 7]), rel=1e-9)
    # of a wheel that leans by 1.2 deg the third component of its rotation is its steer angle to 2 %
    assert row["FL.steer_per_lateral"] == pytest.approx(np.degrees(1e3 * (held[5, 1] + held[5, 7])), rel=0.02)
    track = row["front.track"]
    roll = track**2 / (c[2, 2] - c[2, 8] - c[8, 2] + c[8, 8]) * 1e-3 * np.pi / 180
    assert row["front.roll_stiffness_compliant"] == pytest.approx(roll, rel=1e-9)


def test_the_sheet_of_parts_adds_up_to_the_metrics(cars):
    rows = frame(cars[0], "mbs Compliance Parts").set_index("part")
    row = cars[0].sweeps["heave"].query("travel == 0").iloc[0]
    for column in ("FL.toe_per_lateral", "FL.camber_per_lateral", "RL.toe_per_braking"):
        assert rows.loc["sum", column] == pytest.approx(row[column], rel=1e-9)
        assert rows[column].drop("sum").sum() == pytest.approx(row[column], rel=1e-9)
    stiffer = frame(cars[1], "mbs Compliance Parts").set_index("part")["FL.toe_per_lateral"]
    assert stiffer["tie rod"] == pytest.approx(1e-3 * rows.loc["tie rod", "FL.toe_per_lateral"], rel=0.02)


# --- a planar wishbone ---

FACE = {
    "lower arm front": (150, 250, 100),
    "lower arm rear": (-150, 250, 100),
    "lower ball joint": (0, 600, 100),
    "upper arm front": (150, 300, 300),
    "upper arm rear": (-150, 300, 300),
    "upper ball joint": (0, 600, 300),
    "tie rod inner": (100, 250, 150),
    "tie rod outer": (100, 600, 150),
    "wheel centre": (0, 650, 230),
}
"""mm: everything in planes across the car, arms and tie rod level, kingpin upright over the contact's line across"""


def test_a_planar_wishbone_gives_way_as_by_hand(tmp_path):
    """Level arms carry F z_u/(z_u - z_l) and -F z_l/(z_u - z_l); the rigid tie rod carries nothing and holds its end."""
    k_lower, k_upper = 12000.0, 7000.0  # N/mm of each leg
    rows = [
        part(f"{which} arm legs", axle, k=f"{k} N/mm")
        for axle in ("front", "rear")
        for which, k in (("lower", k_lower), ("upper", k_upper))
    ]
    flat = {"camber": (0, 0), "toe": (0, 0), "actuation": None, "tyre radius": ("230 mm", "230 mm")}
    rear = {name: (x - 1550.0, y, z) for name, (x, y, z) in FACE.items()}
    springs = (("name", "axle", "kind", "k"),)
    car = run_compliance(tmp_path / "flat.xlsx", rows, settings=flat, front=FACE, rear=rear, springs=springs)
    row = car.sweeps["heave"].query("travel == 0").iloc[0]
    stiff = [2 * k * reach**2 / (150**2 + reach**2) for k, reach in ((k_lower, 350), (k_upper, 300))]
    force, low, high = 1000.0, 100.0, 300.0
    lower, upper = force * high / (high - low) / stiff[0], -force * low / (high - low) / stiff[1]

    def across(z):
        return lower + (upper - lower) * (z - low) / (high - low)

    assert row["FL.contact_dy_per_lateral"] == pytest.approx(across(0.0), rel=1e-9)
    assert row["FL.camber_per_lateral"] == pytest.approx(np.degrees((upper - lower) / (high - low)), rel=1e-9)
    assert row["FL.toe_per_lateral"] == pytest.approx(np.degrees(across(150.0) / 100.0), rel=1e-9)
    assert row["FR.camber_per_lateral"] == pytest.approx(-row["FL.camber_per_lateral"], rel=1e-9)
    assert row["front.lateral_stiffness"] == pytest.approx(1000.0 / across(0.0), rel=1e-9)
    assert row["front.roll_centre_height_force"] == pytest.approx(0.0, abs=1e-6)
    assert "FL.camber_per_lateral_load" not in row.index


# --- mistakes ---

MISTAKES = [
    ((part("lower arm frint", k="1 kN/mm"),), "B2", "did you mean lower arm front"),
    ((part("tie rod", k="-5 N/mm"),), "C2", "greater than 0"),
    ((part("tie rod", k=0),), "C2", "rigid is left blank"),
    ((part("lower arm front", k="1 kN/mm", k_axial="2 kN/mm"),), "E2", "clear k or k_axial"),
    ((part("tie rod"),), "C2", "Members"),
    ((part("tie rod", E="200 GPa"),), "I2", "area"),
    ((part("lower arm front"),), "B2", "k_radial"),
    ((part("lower arm front", k="1 kN/mm", axis="sideways"),), "L2", "hinge"),
    ((part("rack", k="1 kN/mm", side="left"),), "M2", "no side"),
    ((part("tie rod", k="1 kN/mm"), part("tie rod", k="2 kN/mm")), "B3", "row already"),
    ((part("lower arm front", curve="nowhere"),), "J2", "nowhere"),
    ((part("wheel bearing", k="5 kN/mm"),), "B2", "k_conical"),
    ((part("upper ball joint", axle="middle", k="5 kN/mm"),), "A2", "middle"),
]


@pytest.mark.parametrize(("rows", "cell", "words"), MISTAKES, ids=[f"{each[1]} {each[2]}" for each in MISTAKES])
def test_mistakes_are_told_at_their_cells(tmp_path, rows, cell, words):
    with pytest.raises(WorkbookError) as raised:
        run_compliance(tmp_path / "wrong.xlsx", list(rows))
    found = [str(each) for each in raised.value.problems if f"Compliance!{cell}" in each.cell]
    assert any(words in each for each in found), [str(each) for each in raised.value.problems]


def test_implausible_stiffnesses_and_cells_that_do_not_count_are_warned_of(tmp_path):
    car = run_compliance(tmp_path / "car.xlsx", [part("tie rod", k="1e14 N/m", k_conical="3 N m/deg")])
    told = {each.cell: str(each) for each in car.sheets.problems}
    assert "N/m" in told["Compliance!C2"]
    assert "not used" in told["Compliance!G2"]


def test_rows_without_effect_leave_everything_as_it_was(tmp_path):
    plain = run_compliance(tmp_path / "a.xlsx", [])
    assert not plain.base.elastic
    assert not any("_per_lateral" in column or "_kinematic" in column for column in plain.sweeps["heave"].columns)


def test_curves_count_like_the_numbers_that_they_say(tmp_path):
    """A straight curve is its slope; a progressive one is read where it gives the preload, and marked beyond its end."""
    curves = ("straight.x", "straight.y"), ("mm", "N"), (0, 0), (2, 16000)
    rows = [part("lower arm front", curve="straight", curve_of="radial", k_axial="2000 N/mm")]
    line = [part("lower arm front", k_radial="8000 N/mm", k_axial="2000 N/mm")]
    first, second = (
        run_compliance(tmp_path / f"{name}.xlsx", own, others={"Curves": curves}).sweeps["heave"]
        for name, own in (("a", rows), ("b", line))
    )
    for column in ("FL.toe", "FL.camber_per_lateral", "front.lateral_stiffness"):
        assert first[column].to_numpy() == pytest.approx(second[column].to_numpy(), rel=1e-9)


def test_a_load_without_elastic_parts_and_a_side_that_does_not_count_are_warned_of(tmp_path):
    head = ("name", "type", "force_from", "force_to", "force_step", "side")
    sweeps = (head, ("push", "lateral force", "-1 kN", "1 kN", "1 kN", "right"))
    told = [
        {
            each.cell: str(each)
            for each in run_compliance(tmp_path / f"{k}.xlsx", rows, others={"Sweeps": sweeps}).sheets.problems
        }
        for k, rows in enumerate(([], [part("tie rod", k="20 kN/mm")]))
    ]
    assert "moves nothing" in told[0]["Sweeps!B2"]
    assert "Sweeps!B2" not in told[1]
    assert "both wheels" in told[1]["Sweeps!F2"]


def test_a_bushing_far_too_soft_ends_in_numbers_or_remarks(tmp_path):
    """A case of the default ones is lost on its way then; others are found."""
    car = run_compliance(
        tmp_path / "soft.xlsx", [part("lower arm front", k_radial="8 N/mm")], others={"Load cases": ()}
    )
    loads = car.base.loads
    travel = loads.column("FL.travel")
    assert len(travel) == len(loads.marks) > 5
    assert np.isfinite(car.sweeps["heave"]["FL.toe"].to_numpy()).all()
    assert all(mark or np.isfinite(x) for mark, x in zip(loads.marks, travel, strict=True))
