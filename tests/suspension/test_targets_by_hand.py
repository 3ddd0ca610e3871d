"""Deviations from targets of a car on semi-trailing arms, whose poses are rotations about a line, worked out by hand."""

from __future__ import annotations

from math import nan

import numpy as np
import openpyxl
import pytest
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq

from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.hardpoint_books import hardpoint_book
from tests.support.sample_results import loaded_sheet

RADIUS = 300.0
INNER, OUTER, WHEEL = (-250.0, 220.0, 250.0), (-180.0, 560.0, 235.0), (-600.0, 720.0, 300.0)
FRONT_INNER, FRONT_OUTER, FRONT_WHEEL = (1750.0, 200.0, 240.0), (1790.0, 540.0, 265.0), (1400.0, 700.0, 300.0)
SETTINGS = (
    ("type", "semi-trailing arm", "semi-trailing arm"),
    ("steering", "none", "none"),
    ("camber", "-0.8 deg", "-1.4 deg"),
    ("toe", "0.1 deg", "0.25 deg"),
    ("tyre radius", f"{RADIUS} mm", f"{RADIUS} mm"),
    ("wheelbase", "2000 mm"),
)
TRAVEL, ROLL = np.arange(-60.0, 61.0, 10.0), np.arange(-3.0, 3.5, 0.5)
SWEEPS = (
    ("name", "type", "travel_from", "travel_to", "travel_step", "roll_from", "roll_to", "roll_step"),
    ("heave", "heave", "-60 mm", "60 mm", "10 mm", None, None, None),
    ("roll", "roll", None, None, None, "-3 deg", "3 deg", "0.5 deg"),
)
HEADS = ("metric", "sweep", "x", "value", "min", "max", "curve", "tolerance", "design")
CAMBERS = (-50.0, -20.0, 15.0, 45.0), (-0.2, -1.1, -2.0, -2.9)
TOES = (-2.5, -1.5, -0.5), (0.9, 0.3, -0.1)
LEANS = (-0.05, 0.0, 0.05), (1.5, -1.4, -4.0)


class Arm:
    """A left wheel on an arm with a hinge from one point to another, mm."""

    def __init__(self, inner, outer, wheel, camber, toe):
        self.inner, self.wheel = np.array(inner), np.array(wheel)
        along = np.array(outer) - self.inner
        self.axis = along / np.linalg.norm(along)
        camber, toe = np.radians((camber, toe))
        self.spin = np.array([np.cos(camber) * np.sin(toe), np.cos(camber) * np.cos(toe), -np.sin(camber)])

    def turned(self, arm, angle):
        """Rodrigues' formula."""
        e = self.axis
        return arm * np.cos(angle) + np.cross(e, arm) * np.sin(angle) + e * (e @ arm) * (1.0 - np.cos(angle))

    def at(self, angle):
        """Wheel centre and spin axis."""
        return self.inner + self.turned(self.wheel - self.inner, angle), self.turned(self.spin, angle)

    def at_travel(self, travel):
        return self.at(brentq(lambda a: self.at(a)[0][2] - self.wheel[2] - travel, -0.6, 0.6, xtol=1e-15))

    def on_road(self, roll, ground):
        """Where the lowest point of the disc stands on a road turned about its line y = 0: n.(W - G) = R sqrt(1 - (n.w)^2)."""
        n = np.array([0.0, np.sin(roll), np.cos(roll)])

        def above(angle):
            centre, spin = self.at(angle)
            return n @ (centre - [0.0, 0.0, ground]) - RADIUS * np.sqrt(1.0 - (n @ spin) ** 2)

        return *self.at(brentq(above, -0.6, 0.6, xtol=1e-15)), n


def camber(spin):
    return -np.degrees(np.arcsin(spin[2]))


def toe(spin):
    return np.degrees(np.arctan2(spin[0], spin[1]))


def contact(centre, spin):
    up = np.array([0.0, 0.0, 1.0])
    down = up - (up @ spin) * spin
    return centre - RADIUS * down / np.linalg.norm(down)


FRONT, REAR = Arm(FRONT_INNER, FRONT_OUTER, FRONT_WHEEL, -0.8, 0.1), Arm(INNER, OUTER, WHEEL, -1.4, 0.25)
REAR_B = Arm(INNER, OUTER, WHEEL, -1.4, 0.6)


def heave(arm, find):
    return np.array([find(*arm.at_travel(travel)) for travel in TRAVEL])


def rear_lean():
    ground = contact(REAR.wheel, REAR.spin)[2]
    found = [REAR.on_road(roll, ground) for roll in np.radians(ROLL)]
    return np.array([-np.degrees(np.arcsin(spin @ n)) for _centre, spin, n in found])


def between(knots, values, x, *, cubic=False):
    """A curve over its own range alone."""
    knots = np.array(knots)
    aim = CubicSpline(knots, values, bc_type="natural")(x) if cubic else np.interp(x, knots, values)
    return np.where((x >= knots[0] - 1e-7) & (x <= knots[-1] + 1e-7), aim, nan)


def beyond(values, least=None, most=None):
    """How far outside a band."""
    low = np.zeros(len(values)) if least is None else np.minimum(values - least, 0.0)
    high = np.zeros(len(values)) if most is None else np.maximum(values - most, 0.0)
    return low + high


def rear_track(centre, spin):
    return 2.0 * contact(centre, spin)[1]


RL_CAMBER, FR_CAMBER = heave(REAR, lambda _c, w: camber(w)), heave(FRONT, lambda _c, w: camber(w))
ROWS = {
    "a value at design, in radians": (
        ("FL.camber", None, None, "-0.03 rad", None, None, None, "0.9 deg"),
        np.array([-0.8 + np.degrees(0.03)]),
        False,
    ),
    "a value over a sweep": (
        ("RR.toe", "heave", None, "0.25 deg", None, None, None, "0.02 rad"),
        heave(REAR, lambda _c, w: toe(w)) - 0.25,
        True,
    ),
    "a band in two units, of an axle": (
        ("rear.track", "heave", None, None, "1420 mm", "1.435 m"),
        beyond(heave(REAR, rear_track), 1420.0, 1435.0),
        False,
    ),
    "one bound": (
        ("FL.wheel_x", "heave", None, None, None, "4 mm", None, "20 mm"),
        beyond(heave(FRONT, lambda c, _w: c[0] - FRONT.wheel[0]), most=4.0),
        True,
    ),
    "outboard is to the right on the right": (
        ("FR.wheel_y", "heave", None, None, "-1 mm", "1 mm"),
        beyond(heave(FRONT, lambda c, _w: c[1] - FRONT.wheel[1]), -1.0, 1.0),
        False,
    ),
    "a cubic curve over travel": (
        ("RL.camber", "heave", None, None, None, None, "cambers"),
        RL_CAMBER - between(*CAMBERS, TRAVEL, cubic=True),
        None,
    ),
    "a curve over another metric": (
        ("FR.toe", "heave", "FR.camber", None, None, None, "toes", "3 deg"),
        heave(FRONT, lambda _c, w: toe(w)) - between(*TOES, FR_CAMBER),
        True,
    ),
    "a curve over roll, in radians": (
        ("RL.inclination", "roll", None, None, None, None, "leans"),
        rear_lean() - between(np.degrees(LEANS[0]), LEANS[1], ROLL),
        None,
    ),
}


def curves():
    heads = ("cambers.x [mm]", "cambers.y [deg]", "cambers.interpolation", "toes.x [deg]", "toes.y [deg]")
    yield (*heads, "leans.x [rad]", "leans.y [deg]")
    rows = max(map(len, (CAMBERS[0], TOES[0], LEANS[0])))
    for row in range(rows):
        cells = [each[row] if row < len(each) else None for each in (*CAMBERS, *TOES, *LEANS)]
        yield (*cells[:2], "cubic" if row == 0 else None, *cells[2:])


def written(path, *rows, points=1.0, unit="mm"):
    rear = {"arm inner": INNER, "arm outer": OUTER, "wheel centre": WHEEL}
    front = {"arm inner": FRONT_INNER, "arm outer": FRONT_OUTER, "wheel centre": FRONT_WHEEL}
    placed, others = (
        {name: tuple(points * each for each in place) for name, place in axle.items()} for axle in (front, rear)
    )
    hardpoint_book(
        path,
        placed,
        SETTINGS,
        unit=unit,
        rows=[("rear", name, *place) for name, place in others.items()],
        sweeps=SWEEPS,
        others={"Targets": [HEADS, *rows], "Curves": list(curves())},
    )
    book = openpyxl.load_workbook(path)
    book["Suspension"]["B1"], book["Suspension"]["C1"], book["Suspension"]["D1"] = "front", "rear", "design"
    book["Suspension"].append(("toe", None, "0.6 deg", "B"))
    book.save(path)
    return path


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    rows = [row for row, _off, _met in ROWS.values()]
    own = ("RL.toe", "heave", None, "0.6 deg", *[None] * 4, "B")
    return run_suspension(written(tmp_path_factory.mktemp("aims") / "car.xlsx", *rows, own))


def of(results, metric, design=""):
    return next(each for each in results.targets if each.target.metric == metric and each.design == design)


@pytest.mark.parametrize("what", ROWS)
def test_a_deviation_is_that_worked_out_by_hand(found, what):
    (metric, sweep, *_rest), off, is_met = ROWS[what]
    judged = of(found, metric)
    worst = off[np.nanargmax(np.abs(off))]
    assert judged.deviation == pytest.approx(worst, abs=2e-9)
    assert judged.is_met is is_met
    if sweep:
        assert judged.largest == pytest.approx(abs(worst), abs=2e-9)
        assert judged.rms == pytest.approx(np.sqrt(np.nanmean(off**2)), abs=2e-9)
    if not np.isnan(judged.aim):
        assert judged.value - judged.aim == pytest.approx(worst, abs=2e-9)


def test_a_target_of_one_design_is_judged_by_its_own_geometry(found):
    off = heave(REAR_B, lambda _c, w: toe(w)) - 0.6
    judged = of(found, "RL.toe", "B")
    assert judged.rms == pytest.approx(np.sqrt(np.mean(off**2)), abs=2e-9)
    assert not [each for each in found.targets if each.target.metric == "RL.toe" and not each.design]


def test_targets_of_all_designs_are_judged_in_each(found):
    off = heave(REAR_B, lambda _c, w: toe(w)) - 0.25
    assert of(found, "RR.toe", "B").largest == pytest.approx(np.abs(off).max(), abs=2e-9)


@pytest.mark.parametrize(("unit", "size"), [("m", 1e-3), ("in", 1.0 / 25.4)])
def test_deviations_are_in_the_units_of_the_hardpoints(tmp_path, unit, size):
    rows = [ROWS[what][0] for what in ("a band in two units, of an axle", "a cubic curve over travel")]
    results = run_suspension(written(tmp_path / "b.xlsx", *rows, points=size, unit=unit))
    off = ROWS["a band in two units, of an axle"][1]
    track, bend = of(results, "rear.track"), of(results, "RL.camber")
    assert track.target.unit == unit
    assert track.largest == pytest.approx(size * np.abs(off).max(), rel=1e-8)
    assert bend.rms == pytest.approx(np.sqrt(np.nanmean(ROWS["a cubic curve over travel"][1] ** 2)), abs=2e-9)


def test_the_written_sheets_hold_targets_and_deviations(tmp_path):
    path = written(tmp_path / "b.xlsx", *(row for row, _off, _met in ROWS.values()))
    results = run_suspension(path)
    results.save_somewhere(tmp_path / "out.xlsx", backup=False, tell=lambda _problem: None)
    sheets = openpyxl.load_workbook(tmp_path / "out.xlsx", data_only=True)
    heads, *rows = sheets["mbs Sweep heave"].iter_rows(values_only=True)
    at = next(number for number, head in enumerate(heads) if str(head).startswith("target/RL.camber"))
    numbers = [row for row in rows if isinstance(row[0], (int, float))]
    aim = [nan if row[at] is None else row[at] for row in numbers]
    assert aim == pytest.approx(between(*CAMBERS, TRAVEL, cubic=True), abs=1e-9, nan_ok=True)
    texts = [str(cell) for row in sheets["mbs Suspension"].iter_rows(values_only=True) for cell in row if cell]
    off = np.abs(ROWS["a value over a sweep"][1])
    told = next(text for text in texts if "over heave" in text and "toe" in text and "0.25" in text)
    assert f"{off.max():.2f}" in told
    assert told.endswith("✓")


def test_two_targets_of_one_metric_are_both_told_on_the_page(tmp_path):
    rows = [
        ("FL.camber", None, None, "-1 deg", None, None, None, "0.5 deg"),
        ("FL.camber", None, None, None, None, "-2.5 deg"),
    ]
    results = run_suspension(written(tmp_path / "b.xlsx", *rows))
    results.save_somewhere(tmp_path / "out.xlsx", backup=False, tell=lambda _problem: None)
    page = loaded_sheet(tmp_path / "out.xlsx", "mbs Suspension", data_only=True)
    cells = [cell for row in page.iter_rows(values_only=True) for cell in row if cell is not None]
    assert -1.0 in cells, "the first in the table"
    assert any("at most -2.5" in str(cell) and str(cell).endswith("✗") for cell in cells), "the other at the foot"
