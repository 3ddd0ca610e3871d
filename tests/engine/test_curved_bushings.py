"""Bushings with curves: linear ones are linear bushings, others act as springs with the same curves, corners and all."""

from dataclasses import replace

import numpy as np
import pytest

import sheetmbs
from sheetmbs.elements.forces import FORCE_TYPES
from sheetmbs.elements.forces.bushing_force import AXES
from sheetmbs.model.model import Curve, Joint, Spring
from sheetmbs.schema.input_columns import quantity
from tests.support.mechanisms import body, model, on, slide_axes
from tests.support.spatial_books import at, space_book
from tests.support.spatial_books import body as row_of_body
from tests.support.spatial_mechanisms import marker, rigid, space

STIFFNESS = dict(zip((f"k{axis}" for axis in AXES), (300.0, 200.0, 100.0, 30.0, 20.0, 10.0), strict=True))
DAMPING = dict(zip((f"c{axis}" for axis in AXES), (3.0, 2.0, 1.0, 0.3, 0.2, 0.1), strict=True))
BODIES = (
    rigid("a", (0.2, 0.1, -0.3), (0.5, -0.3, 0.8), mass=1.0, inertia=(0.3, 0.4, 0.35)),
    rigid(
        "b", (1.1, -0.4, 0.6), (-0.7, 0.4, 0.2), mass=2.0, inertia=(0.3, 0.5, 0.4), angular_velocity=(1.0, -2.0, 0.5)
    ),
)
X = np.array([-2.0, -0.5, 1.0, 3.0])


def by(integrator, made):
    return sheetmbs.run(replace(made, settings=replace(made.settings, integrator=integrator)))


def held(values, curves=None):
    """Two bodies in space with a bushing between them."""
    ends = (marker(BODIES, name, (0.6, 0.2, 0.1), np.eye(3)) for name in "ab")
    bush = Spring("bush", "bushing", *ends, values, {f"curve_{name}": name for name in curves or ()})
    straight = tuple(Curve(name, X, factor * X) for name, factor in (curves or {}).items())
    return replace(space(BODIES, springs=(bush,), gravity=(0.0, 0.0, 0.0), t_end=1.0), curves=straight)


@pytest.mark.parametrize("integrator", ["dop853", "radau"])
def test_straight_curves_are_the_numbers_they_stand_for(integrator):
    """All twelve of them: stiffnesses and dampings along and about all axes."""
    linear = by(integrator, held(STIFFNESS | DAMPING))
    curved = by(integrator, held({}, STIFFNESS | DAMPING))
    assert np.abs(curved.springs.to_numpy() - linear.springs.to_numpy()).max() < 1e-7
    assert np.abs(curved.constraints["total_energy"] - linear.constraints["total_energy"]).max() < 1e-7
    assert curved.summary["energy drift"] < 1e-6


def test_energy_of_a_bushing_that_hardens_stays():
    steep = tuple(Curve(axis, np.linspace(-2.0, 2.0, 81), 0.0) for axis in AXES)
    hard = tuple(
        replace(each, y=STIFFNESS[f"k{each.name}"] * (each.x + 4.0 * each.x**3), interpolation="cubic")
        for each in steep
    )
    ends = (marker(BODIES, name, (0.6, 0.2, 0.1), np.eye(3)) for name in "ab")
    bush = Spring("bush", "bushing", *ends, {}, {f"curve_k{axis}": axis for axis in AXES})
    made = replace(space(BODIES, springs=(bush,), gravity=(0.0, 0.0, 0.0), t_end=2.0), curves=hard)
    result = sheetmbs.run(made)
    assert result.summary["energy drift"] < 1e-6
    assert np.ptp(result.constraints["total_energy"]) < 1e-5


def on_stop(kind, integrator):
    """A slider against a stop with play, by a spring or by a bushing."""
    rail = Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("m", axes=slide_axes(0)))
    curve = Curve("stop", np.array([-1.0, -0.02, 0.05, 1.0]), np.array([-980.0, 0.0, 0.0, 1900.0]))
    slider = body("m", 0.0, mass=2.0, velocity=(1.5, 0.0, 0.0))
    if kind == "bushing":
        spring = Spring("s", "bushing", on("ground"), on("m"), {}, {"curve_kx": "stop"})
    else:
        spring = Spring("s", "translational", on("ground", -5.0), on("m"), {}, {"curve_k": "stop"})
    made = model((slider,), (rail,), springs=(spring,), gravity=(0.0, 0.0, 0.0), t_end=2.0, t_step=0.01)
    return by(integrator, replace(made, curves=(curve,)))


@pytest.mark.parametrize("integrator", ["dop853", "radau"])
def test_stop_in_a_bushing_is_met_as_one_in_a_spring(integrator):
    """Steps end at its corners: energy is kept to the tolerance, as no step across one keeps it."""
    spring, bushing = (on_stop(kind, integrator) for kind in ("translational", "bushing"))
    assert np.abs(bushing.bodies["m.x"] - spring.bodies["m.x"]).max() < 1e-7
    assert np.ptp(bushing.constraints["total_energy"]) < 1e-6 * bushing.constraints["total_energy"].mean()


def test_turning_stop_in_a_bushing_keeps_energy():
    """Rotation vectors turn at T^-1 w, which corners are predicted by."""
    curve = Curve("stop", np.array([-3.0, -0.3, 0.4, 3.0]), np.array([-270.0, 0.0, 0.0, 260.0]))
    names = {f"curve_k{axis}": "stop" for axis in ("rx", "ry", "rz")}
    spun = (BODIES[0], replace(BODIES[1], angular_velocity=np.array([2.0, -3.0, 2.5])))
    ends = (marker(spun, name, (0.6, 0.2, 0.1), np.eye(3)) for name in "ab")
    bush = Spring("bush", "bushing", *ends, {"kx": 300.0, "ky": 300.0, "kz": 300.0}, names)
    made = space(spun, springs=(bush,), gravity=(0.0, 0.0, 0.0), t_end=2.0)
    result = sheetmbs.run(replace(made, curves=(curve,)))
    assert result.springs["bush.rz"].abs().max() > 0.45
    assert result.summary["energy drift"] < 1e-6


def test_deflection_beyond_a_curve_is_told():
    straight = held({"kx": 300.0}, {"ky": 200.0})
    short = replace(straight, curves=(Curve("ky", np.array([-1e-3, 1e-3]), np.array([-0.2, 0.2])),))
    told = [each for each in sheetmbs.run(short).sheets.problems if each.code == "beyond-curve"]
    assert len(told) == 1
    assert "dy of bush" in told[0].found


BUSH = {"name": "s", "type": "bushing", "body_i": "ground", "body_j": "b", "point": "P"}
TABLE = [{"rubber.x": f"{x} mm", "rubber.y": f"{y} kN"} for x, y in ((-10, -4), (0, 0), (10, 6))]


def test_columns_of_a_workbook_name_the_curves(tmp_path):
    row = BUSH | {"curve_kx": "rubber", "ky": 5, "curve_cz": "oil"}
    oil = [{"oil.x": f"{v} m/s", "oil.y": f"{v} kN"} for v in (-1, 0, 1)]
    rows = [a | b for a, b in zip(TABLE, oil, strict=True)]
    path = space_book(tmp_path / "bush.xlsx", Bodies=[row_of_body()], Points=[at()], Springs=[row], Curves=rows)
    made = sheetmbs.read(path)
    assert not made.warnings
    assert made.springs[0].curves == {"curve_kx": "rubber", "curve_cz": "oil"}
    assert made.springs[0].values == {"ky": 5.0}


@pytest.mark.parametrize(
    ("cells", "code"),
    [
        ({"curve_krx": "rubber"}, "wrong-dimension"),
        ({"curve_cx": "rubber"}, "wrong-dimension"),
        ({"curve_kx": "x"}, "unknown-curve"),
    ],
    ids=str,
)
def test_curve_that_does_not_fit_its_axis_is_refused(cells, code, tmp_path):
    sheets = {"Bodies": [row_of_body()], "Points": [at()], "Springs": [BUSH | cells], "Curves": TABLE}
    with pytest.raises(sheetmbs.WorkbookError) as caught:
        sheetmbs.read(space_book(tmp_path / "broken.xlsx", **sheets))
    assert (code, "Springs!F2") in [(each.code, each.cell) for each in caught.value.problems]


def test_number_beside_a_curve_is_told(tmp_path):
    sheets = {"Bodies": [row_of_body()], "Points": [at()], "Curves": TABLE}
    row = BUSH | {"kx": 3, "curve_kx": "rubber"}
    warnings = sheetmbs.read(space_book(tmp_path / "both.xlsx", **sheets, Springs=[row])).warnings
    assert [(each.code, each.cell) for each in warnings] == [("unused-value", "Springs!F2")]


def test_every_curve_of_an_element_is_over_a_value_that_it_finds():
    for element in FORCE_TYPES.values():
        for curve in element.curves:
            assert element.values[element.place(curve.argument)].quantity.si == quantity(curve.over).si
