"""Gas springs: forces, work, heights and frequencies in closed form; what is refused, doubted and told."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import simpson

import sheetmbs
from sheetmbs.engine.directions import element_rate, make_directions
from sheetmbs.model.model import Joint, Spring
from sheetmbs.problems.errors import WorkbookError
from tests.support.mechanisms import body, model, on, slide_axes
from tests.support.runs import start
from tests.support.spatial_books import at, axis, joint, space_book
from tests.support.spatial_books import body as row_of_body

G = 9.81
GAS = {"p0": 6e5, "V0": 1.5e-3, "area": 4e-3, "n": 1.3, "p_ambient": 1e5, "length0": 0.5}
MASS = 120.0


def sprung(height=0.5, speed=0.0, gas=None, gravity=G, **settings):
    """A mass on a vertical rail, on a gas spring that stands on the ground."""
    strut = Spring("strut", "gas", on("ground"), on("m"), gas or GAS)
    up = slide_axes(np.pi / 2)
    rail = Joint("rail", "translational", on("ground", axes=up), on("m", axes=up))
    weight = body("m", 0.0, height, mass=MASS, velocity=(0.0, speed, 0.0))
    return model((weight,), (rail,), springs=(strut,), gravity=(0.0, -gravity, 0.0), **settings)


def pushed(volume, n):
    """Work of the gas and of the pressure outside from V0 to a volume, as textbooks have it."""
    p0, v0 = GAS["p0"], GAS["V0"]
    by_gas = p0 * v0 * np.log(volume / v0) if n == 1.0 else p0 * v0 / (n - 1.0) * (1.0 - (v0 / volume) ** (n - 1.0))
    return by_gas - GAS["p_ambient"] * (volume - v0)


@pytest.mark.parametrize("n", [1.0, 1.0 + 1e-9, 1.3, 1.4, 0.8])
def test_expanding_gas_does_the_work_of_the_textbook(n):
    """Isothermal and polytropic, from V0 on and against the pressure outside."""
    result = sheetmbs.run(sprung(gas=GAS | {"n": n}, gravity=0.0, t_end=0.2))
    length, speed = (result.springs[f"strut.{name}"].to_numpy() for name in ("length", "rate"))
    force, pressure, found = (result.springs[f"strut.{name}"].to_numpy() for name in ("force", "pressure", "volume"))
    volume = GAS["V0"] + GAS["area"] * (length - GAS["length0"])
    assert length[-1] > 0.7
    assert 0.5 * MASS * speed**2 == pytest.approx(pushed(volume, n), rel=1e-6, abs=1e-9)
    assert found == pytest.approx(volume, rel=1e-12)
    assert pressure == pytest.approx(GAS["p0"] * (GAS["V0"] / volume) ** n, rel=1e-12)
    assert force == pytest.approx(-GAS["area"] * (pressure - GAS["p_ambient"]), rel=1e-12)


@pytest.mark.parametrize("integrator", ["dop853", "radau", "auto"])
def test_bouncing_on_gas_keeps_energy(integrator):
    result = sheetmbs.run(sprung(0.75, -1.5, t_end=2.0, integrator=integrator))
    assert result.springs["strut.length"].min() < 0.45
    total = result.constraints["total_energy"]
    assert np.ptp(total) < 1e-5 * result.constraints["kinetic_energy"].max()
    assert not result.sheets.problems


def rest():
    """Height and frequency on the gas, from A (p - p_ambient) = m g."""
    pressure = GAS["p_ambient"] + MASS * G / GAS["area"]
    volume = GAS["V0"] * (GAS["p0"] / pressure) ** (1.0 / GAS["n"])
    height = GAS["length0"] + (volume - GAS["V0"]) / GAS["area"]
    rate = np.sqrt(GAS["n"] * pressure * GAS["area"] ** 2 / (volume * MASS))
    return height, rate


def test_mass_rests_where_the_pressure_carries_it():
    found = sheetmbs.run(sprung(), analysis="equilibrium")
    assert found.bodies["m.y"][0] == pytest.approx(rest()[0], rel=1e-9)
    assert found.springs["strut.force"][0] == pytest.approx(-MASS * G, rel=1e-9)


def test_frequency_is_that_of_the_gas_at_rest():
    found = sheetmbs.run(sprung(), analysis="modes")
    assert found.modes["frequency"][0] == pytest.approx(rest()[1] / (2.0 * np.pi), rel=1e-7)


def test_rate_that_auto_goes_by_is_that_of_the_gas():
    height, rate = rest()
    run = start(sprung(height))
    found, element, decays = element_rate(run.arrays, run.work, make_directions(run.arrays))
    assert (element, decays) == (0, 0)
    assert found == pytest.approx(rate, rel=1e-9)


def test_damper_beside_the_gas_takes_the_energy_that_is_lost():
    result = sheetmbs.run(sprung(0.75, gas=GAS | {"c": 900.0}, t_end=3.0, t_step=0.005))
    lost = result.constraints["total_energy"].iloc[0] - result.constraints["total_energy"].iloc[-1]
    power = 900.0 * result.springs["strut.rate"] ** 2
    assert lost == pytest.approx(simpson(power, dx=0.005), rel=1e-5)
    assert result.bodies["m.y"].iloc[-1] == pytest.approx(rest()[0], abs=0.05)


def test_gas_pressed_below_its_least_volume_is_told_and_pushes_on():
    """Dropped from far above; the volume would be negative where the mass turns if the force did not go on."""
    thin = GAS | {"p0": 1.1e5, "V0": 1e-5, "area": 1e-4}
    result = sheetmbs.run(sprung(0.5, -12.0, gas=thin, t_end=0.03, t_step=1e-4))
    told = [problem for problem in result.sheets.problems if problem.code == "beyond-limit"]
    assert len(told) == 1
    assert told[0].severity == "warning"
    assert "strut" in told[0].found
    assert result.springs["strut.volume"].min() < 0.01 * thin["V0"]
    total = result.constraints["total_energy"]
    assert np.ptp(total) < 1e-5 * result.constraints["kinetic_energy"].max()
    assert not [each for each in sheetmbs.run(sprung(t_end=0.5)).sheets.problems if each.code == "beyond-limit"]


ROW = {"name": "strut", "type": "gas", "body_i": "ground", "body_j": "b", "point_i": "P", "point_j": "Q"}
FILLED = {"p0": "6 bar", "V0": "1.5 L", "area": "40 cm^2", "n": 1.3, "p_ambient": "1 bar"}


def book(path, *, analysis="dynamic", **cells):
    """A body on a vertical rail above a gas spring."""
    row = {name: value for name, value in (ROW | FILLED | cells).items() if value is not None}
    rail = joint("translational", point="P", **axis(0, 0, 1))
    settings = {"analysis": analysis, "gravity_z": -G}
    places = [at(), at(z=0.5, name="Q")]
    sheets = {"Bodies": [row_of_body(z=0.5)], "Points": places, "Joints": [rail], "Springs": [row]}
    return space_book(path, settings, **sheets)


def test_row_of_a_workbook_becomes_the_gas_spring(tmp_path):
    made = sheetmbs.read(book(tmp_path / "gas.xlsx"))
    assert not made.warnings
    assert made.springs[0].values == pytest.approx({name: GAS[name] for name in ("p0", "V0", "area", "n", "p_ambient")})


def test_pressure_outside_is_the_atmosphere_and_n_that_of_air_where_left_blank(tmp_path):
    path = book(tmp_path / "gas.xlsx", p_ambient=None, n=None)
    result = sheetmbs.run(sheetmbs.read(path))
    assert result.springs["strut.force"][0] == pytest.approx(-4e-3 * (6e5 - 101325.0), rel=1e-12)
    full = book(tmp_path / "full.xlsx", p_ambient="1013.25 mbar", n=1.4, length0="500 mm")
    assert np.array_equal(sheetmbs.run(sheetmbs.read(full)).springs, result.springs)


@pytest.mark.parametrize(
    ("cells", "code", "column"),
    [
        ({"p0": None}, "missing-value", "A"),
        ({"p0": -1}, "negative", "G"),
        ({"V0": 0}, "negative", "H"),
        ({"area": "40 mm"}, "wrong-dimension", "I"),
        ({"V0": "1.5 bar"}, "wrong-dimension", "H"),
        ({"n": -1}, "negative", "J"),
        ({"length0": "0.9 m"}, "impossible-spring", "H"),
    ],
    ids=str,
)
def test_numbers_that_cannot_be_are_refused_at_their_cell(cells, code, column, tmp_path):
    """In the last, the piston would have used up 1.6 of 1.5 litres at the start."""
    with pytest.raises(WorkbookError) as caught:
        sheetmbs.read(book(tmp_path / "broken.xlsx", **cells))
    assert [(each.code, each.cell.rstrip("12")) for each in caught.value.problems] == [(code, f"Springs!{column}")]


def test_pressure_of_a_gauge_is_doubted_at_its_cell(tmp_path):
    warnings = sheetmbs.read(book(tmp_path / "gauge.xlsx", p0="0.9 bar")).warnings
    assert [(each.code, each.cell) for each in warnings] == [("unlikely-number", "Springs!G2")]
    assert "absolute" in warnings[0].mend


def test_results_show_pressure_and_volume_and_charts_the_force(tmp_path):
    result = sheetmbs.run(sheetmbs.read(book(tmp_path / "gas.xlsx")))
    shown = [name for name in result.springs.columns if name != "time"]
    assert shown == [
        f"strut.{name}" for name in ("length", "rate", "spring_force", "damper_force", "force", "pressure", "volume")
    ]
    titles = [chart.title for chart in result.sheets.charts]
    assert {"Spring forces", "Gas pressures"} <= set(titles)
    still = sheetmbs.read(book(tmp_path / "rest.xlsx", analysis="equilibrium"))
    assert "Spring forces" in [section.title for section in sheetmbs.run(still).sheets.sections]


@pytest.mark.parametrize(
    ("values", "curves", "told"),
    [
        ({"p0": 6e5, "V0": 1e-3}, {}, "a gas spring needs area"),
        (GAS | {"k": 5.0}, {}, "a gas spring has no number k, but p0, V0"),
        (GAS, {"curve_k": "hard"}, "a gas spring has no curve curve_k, but none"),
    ],
)
def test_model_made_in_python_with_other_numbers_is_told_in_words(values, curves, told):
    made = sprung()
    with pytest.raises(ValueError, match=told):
        sheetmbs.run(replace(made, springs=(replace(made.springs[0], values=values, curves=curves),)))
