"""The generated car in analyses of the general kind, and load cases against them."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest
from typer.testing import CliRunner

import sheetmbs
from sheetmbs.command.cli import app
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.written_out import write_out
from tests.support.car_books import BAR, FRONT, REAR
from tests.support.car_books import car_book as rocker_book
from tests.support.load_books import SPRINGS, car_book
from tests.support.sample_results import loaded_sheet, sheet_names

ROWS = [(*SPRINGS[0][:4], "c"), *(row[:4] for row in SPRINGS if row[2] in ("spring", "U bar"))]
ROWS += [(f"{axle} damper", axle, "damper", None, "2 N*s/mm") for axle in ("front", "rear")]
TYRES = ("tyre rate", "110 N/mm", "120 N/mm")
LEVEL = [TYRES, ("camber", 0, 0), ("toe", 0, 0)]


def free_car(path, analysis, *settings, springs=ROWS, others=()):
    rows = [("setting", "value"), ("analysis", analysis), *others]
    return car_book(path, springs=springs, settings=[*LEVEL, *settings], others={"Settings": rows})


def test_the_free_car_rests_at_design_with_the_preloads_that_were_solved(tmp_path):
    found = sheetmbs.run(sheetmbs.read(free_car(tmp_path / "b.xlsx", "equilibrium")))
    assert found.status == "done"
    for corner in ("FL", "FR", "RL", "RR"):
        assert found.springs[f"{corner} tyre.dz"].iloc[0] == pytest.approx(0.0, abs=1e-9)
    swept = run_suspension(car_book(tmp_path / "s.xlsx", springs=ROWS, settings=LEVEL)).table("heave").frame()
    design = int(np.argmin(np.abs(swept["travel"].to_numpy())))
    assert -found.springs["FL spring.force"].iloc[0] == pytest.approx(swept["FL.spring_force"].iloc[design], rel=1e-9)


def preloaded(tmp_path):
    """Springs with the preloads at which the car stands at design on Earth."""
    swept = run_suspension(car_book(tmp_path / "e.xlsx", springs=ROWS, settings=LEVEL)).at_design["base"]
    forces = {"front": swept["FL.spring_force"], "rear": swept["RL.spring_force"]}
    heads, *rows = ROWS
    given = [(*row, *[None] * (len(heads) - len(row)), forces[row[1]] if row[2] == "spring" else None) for row in rows]
    return [(*heads, "preload"), *given]


def test_a_heavier_car_rests_where_its_load_case_says(tmp_path):
    """The engine's own equilibrium of all bodies, with more gravity, against the load case of as many g."""
    springs = preloaded(tmp_path)
    path = free_car(tmp_path / "b.xlsx", "equilibrium", springs=springs, others=[("gravity_z", -9.81 * 1.3)])
    book = openpyxl.load_workbook(path)
    rows = book.create_sheet("Springs")
    rows.append(("name", "kx", "ky"))
    for corner in ("FL", "FR", "RL", "RR"):
        rows.append((f"{corner} tyre", 0, 0))  # contacts then scrub freely, as wheels that roll; a user's cells win
    book.save(path)
    found = sheetmbs.run(sheetmbs.read(path))
    cases = (("name", "az"), ("case", 1.3))
    loads = run_suspension(car_book(tmp_path / "s.xlsx", springs=springs, settings=LEVEL, cases=cases)).base.loads
    for corner in ("FL", "RL"):
        spring = -found.springs[f"{corner} spring.force"].iloc[0]
        # its tyres act at the point that touched at design; a wheel that leans rolls over to the side of it
        assert loads.column(f"{corner}.spring")[0] == pytest.approx(spring, rel=1e-3)
    sunk = found.springs["FL tyre.dz"].iloc[0]
    own = 0.5 * 280 * 9.81 * 1.3 * 0.47  # of which the tyre carries all at design
    assert sunk == pytest.approx(-(loads.column("FL.fz")[0] - own) / 110e3, abs=1e-5)


def test_a_row_of_the_free_car_alone_changes_no_sweep(tmp_path):
    """Its tyre, and the damping of a generated damper, on the user's sheet Springs."""
    plain, changed = (car_book(tmp_path / f"{name}.xlsx", springs=ROWS, settings=LEVEL) for name in ("p", "c"))
    book = openpyxl.load_workbook(changed)
    rows = book.create_sheet("Springs")
    for row in (("name", "kx", "c"), ("FL tyre", 0), ("FL front damper", None, "1 N*s/mm")):
        rows.append(row)
    book.save(changed)
    expected, found = (run_suspension(each) for each in (plain, changed))
    assert found.sheets.problems == expected.sheets.problems
    assert found.table("heave").values == pytest.approx(expected.table("heave").values, nan_ok=True)


def test_the_free_car_oscillates_at_the_ride_frequencies(tmp_path):
    found = sheetmbs.run(sheetmbs.read(free_car(tmp_path / "b.xlsx", "modes")))
    swept = run_suspension(car_book(tmp_path / "s.xlsx", springs=ROWS, settings=LEVEL)).table("heave").frame()
    design = int(np.argmin(np.abs(swept["travel"].to_numpy())))
    rides = [swept[f"{corner}.ride_frequency"].iloc[design] for corner in ("FL", "RL")]
    nearest = [float(np.min(np.abs(found.modes["frequency"].to_numpy() - ride))) for ride in rides]
    assert min(nearest) < 0.3, (rides, found.modes["frequency"].to_numpy())


def test_the_command_runs_the_free_car_and_writes_into_its_workbook(tmp_path):
    path = free_car(tmp_path / "b.xlsx", "dynamic", others=[("t_end", 0.05), ("t_step", 0.01)])
    found = CliRunner().invoke(app, ["run", str(path)])
    assert found.exit_code == 0, found.output
    names = sheet_names(path)
    assert "Suspension" in names
    assert "mbs Springs" in names
    assert "mbs Suspension" not in names
    assert "Bodies" not in names, "generated rows stay out of the user's sheets"


def test_what_the_free_car_cannot_have_is_told_at_its_cell(tmp_path):
    with pytest.raises(WorkbookError) as caught:
        sheetmbs.read(free_car(tmp_path / "b.xlsx", "equilibrium", ("tyre rate", None), springs=SPRINGS))
    told = {problem.cell: problem.found for problem in caught.value.problems}
    assert any("tyre rate" in found for found in told.values())


def test_what_is_written_out_carries_the_springs_with_the_forces_of_the_sweep(tmp_path):
    path = car_book(tmp_path / "b.xlsx", springs=ROWS, settings=LEVEL)
    swept = run_suspension(path).table("heave").frame()
    write_out(path, tmp_path / "out.xlsx")
    found = sheetmbs.run(sheetmbs.read(tmp_path / "out.xlsx", case="heave"))
    assert -found.springs["FL spring.spring_force"].to_numpy() == pytest.approx(
        swept["FL.spring_force"].to_numpy(), rel=1e-8
    )
    one = sheetmbs.run(sheetmbs.read(tmp_path / "out.xlsx", case="single wheel"))
    alone = run_suspension(path).table("single wheel").frame()
    assert np.abs(one.springs["front bar.moment"].to_numpy()) == pytest.approx(
        np.abs(alone["front.bar_torque"].to_numpy()), rel=1e-8, abs=1e-8
    )


KINDS = [
    ("name", "axle", "kind", "k", "c", "curve_k", "curve_c", "preload", "gap", "point_i", "k_swing"),
    ("spring", "front", "spring", None, None, "rising"),
    ("damper", "front", "damper", None, None, None, "damping", 120.0),
    ("bump stop", "front", "bump stop", "300 N/mm", None, None, None, None, "4 mm"),
    ("droop stop", "front", "droop stop", None, None, "stop", None, None, "3 mm"),
    ("third", "front", "third spring", "20 N/mm", None, None, None, None, None, "damper rocker"),
    ("third damper", "front", "third damper", None, "1 N*s/mm", None, None, 40.0, None, "damper rocker"),
    ("T", "front", "T bar", 200.0, None, None, None, None, None, None, 90.0),
    ("twisted", "rear", "torsion bar", 900.0),
    ("droop stop", "rear", "droop stop", "200 N/mm", None, None, None, None, "2 mm"),
    ("bump stop", "rear", "bump stop", None, None, "stop", None, None, "3 mm"),
    ("third", "rear", "third spring", None, None, "rising", None, 60.0, None, "damper rocker"),
    ("damper", "rear", "damper", None, "2 N*s/mm"),
    ("bar", "rear", "U bar", 120.0),
]
CURVES = [
    ("rising.x", "rising.y", "rising.interpolation", "damping.x", "damping.y", "stop.x", "stop.y"),
    ("mm", "N", None, "m/s", "N", "mm", "N"),
    (-30, -900, "cubic", -1, -900, 0, 0),
    (0, 0, None, 0, 0, 2, 150),
    (30, 1100, None, 0.5, 700, 9, 1900),
    (70, 3500, None, 1, 1000, None, None),
]


SHORT = [
    ("name", "type", "travel_from", "travel_to", "travel_step", "side"),
    ("heave", "heave", "-12 mm", "12 mm", "4 mm"),
    ("single wheel", "single wheel", "-12 mm", "12 mm", "4 mm", "left"),
]


def car_of_all_kinds(path, *others):
    t_bar = {name: FRONT[name] for name in FRONT if name not in BAR}
    t_bar |= {
        "bar link suspension": (0, 200, 360),
        "bar link bar": (-60, 90, 290),
        "T-bar base": (-60, 0, 150, "centre"),
    }
    settings = {"camber": (0, 0), "toe": (0, 0)}
    more = {"Curves": CURVES, "Sweeps": SHORT, **({"Settings": [("setting", "value"), *others]} if others else {})}
    return rocker_book(path, settings, front=t_bar, rear=REAR, springs=KINDS, others=more)


@pytest.mark.parametrize("sweep", ["heave", "single wheel"])
def test_springs_of_all_kinds_written_out_have_the_forces_of_the_sweep(tmp_path, sweep):
    path = car_of_all_kinds(tmp_path / "b.xlsx")
    swept = run_suspension(path).table(sweep).frame()
    write_out(path, tmp_path / "out.xlsx")
    found = sheetmbs.run(sheetmbs.read(tmp_path / "out.xlsx", case=sweep)).springs
    compared = {}
    for column in swept.columns:
        owner, _, quantity = column.partition(".")
        name, _, what = quantity.rpartition("_")
        own = f"{owner} {name.replace('_', ' ')}"
        if what == "force" and f"{own}.force" in found and "damper" not in name:
            expected, given = swept[column].to_numpy(), -found[f"{own}.force"].to_numpy()
        elif what == "torque" and f"{own}.moment" in found:
            expected, given = np.abs(swept[column].to_numpy()), np.abs(found[f"{own}.moment"].to_numpy())
        else:
            continue
        assert given == pytest.approx(expected, rel=1e-8, abs=1e-6), column
        compared[own] = float(np.max(np.abs(expected)))
    assert len(compared) == 17, compared
    idle = {name for name, most in compared.items() if most < 1e-3}
    right_stops = {f"{corner} {stop} stop" for corner in ("FR", "RR") for stop in ("bump", "droop")}
    assert idle <= ({"rear bar", "front T"} if sweep == "heave" else right_stops)


def test_the_free_car_with_springs_of_all_kinds_rests_at_design(tmp_path):
    found = sheetmbs.run(sheetmbs.read(car_of_all_kinds(tmp_path / "b.xlsx", ("analysis", "equilibrium"))))
    assert found.status == "done"
    for corner in ("FL", "FR", "RL", "RR"):
        assert found.springs[f"{corner} tyre.dz"].iloc[0] == pytest.approx(0.0, abs=1e-9)
    assert found.springs["FL damper.force"].iloc[0] == pytest.approx(-120.0, rel=1e-12)
    assert found.springs["front third damper.force"].iloc[0] == pytest.approx(-40.0, rel=1e-12)
    assert found.springs["rear third.force"].iloc[0] == pytest.approx(-60.0, rel=1e-9)


def test_stops_along_a_cubic_written_out_have_its_forces_with_few_samples(tmp_path, monkeypatch):
    cubic = [[*row, ("stop.interpolation", "N", "cubic", None, None, None)[at]] for at, row in enumerate(CURVES)]
    cubic[1][-1] = None
    monkeypatch.setitem(globals(), "CURVES", [tuple(row) for row in cubic])
    path = car_of_all_kinds(tmp_path / "b.xlsx")
    swept = run_suspension(path).table("heave").frame()
    write_out(path, tmp_path / "out.xlsx")
    found = sheetmbs.run(sheetmbs.read(tmp_path / "out.xlsx", case="heave")).springs
    for corner, name in (("FL", "droop stop"), ("RL", "bump stop")):
        expected = swept[f"{corner}.{name}_force"].to_numpy()
        assert np.abs(expected).max() > 300.0
        assert -found[f"{corner} {name}.force"].to_numpy() == pytest.approx(expected, abs=2e-9 * np.abs(expected).max())
    sheet = loaded_sheet(tmp_path / "out.xlsx", "Curves")
    heads = [str(cell.value) for cell in sheet[1]]
    at = next(k for k, head in enumerate(heads, start=1) if head.startswith("rear bump stop tension.x"))
    assert sum(isinstance(row[at - 1].value, float | int) for row in sheet.iter_rows()) < 60


BLADE_POINTS = {
    "blade end": (80, 0, 330, "left"),
    "blade pivot": (20, 0, 350, "centre"),
    "blade axis": (20, 0, 450, "centre"),
}


def frequencies_with_blade(path, rows, bodies=()):
    """Of the modes of a car whose blade has turned tips, Hz, below those of the blade by itself."""
    front = {name: at for name, at in FRONT.items() if name not in BAR or name == "bar link suspension"}
    springs = [
        ("name", "axle", "kind", "k", "c"),
        ("fs", "front", "spring", "35 N/mm"),
        ("rs", "rear", "spring", "35 N/mm"),
    ]
    others = {"Settings": [("setting", "value"), ("analysis", "modes")], **({"Bodies": bodies} if bodies else {})}
    settings = {TYRES[0]: TYRES[1:], "camber": (0, 0), "toe": (0, 0)}
    book = rocker_book(path, settings, front={**front, **BLADE_POINTS}, springs=[*springs, *rows], others=others)
    model = sheetmbs.read(book)
    found = sheetmbs.run(model)
    return np.sort(found.modes["frequency"].to_numpy()), [each.code for each in model.warnings]


def test_a_blade_of_hardly_any_inertia_raises_roll_and_leaves_heave(tmp_path):
    zbar = ("zbar", "front", "blade bar", "40 N/mm")
    own, codes = frequencies_with_blade(tmp_path / "own.xlsx", [zbar])
    assert "inertia-of-a-bar" in codes
    light = [("name", "ixx", "iyy", "izz", "ixy", "ixz", "iyz"), ("front blade", 1e-6, 1e-6, 1e-6, 0, 0, 0)]
    given, codes = frequencies_with_blade(tmp_path / "light.xlsx", [zbar], light)
    assert "inertia-of-a-bar" not in codes
    soft, _codes = frequencies_with_blade(tmp_path / "soft.xlsx", [(*zbar[:3], "0.001 N/mm")], light)
    assert own[:10] == pytest.approx(given[:10], rel=2e-4)
    heave, roll, pitch = 0, 1, 2
    assert given[[heave, pitch]] == pytest.approx(soft[[heave, pitch]], rel=1e-6)
    assert given[roll] > 1.05 * soft[roll]
