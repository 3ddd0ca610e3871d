"""Forces in space: springs and bushings pull as the slope of their energy says, and dampers only take energy."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import sheetmbs
from sheetmbs.elements.marker import triad
from sheetmbs.engine.static_forces import static_force
from sheetmbs.lower import lower
from sheetmbs.model.model import Curve, Force, Formula, Joint, Spring
from sheetmbs.schema.expression import parse
from tests.support.mechanisms import body as planar_body
from tests.support.mechanisms import model as planar_model
from tests.support.mechanisms import on
from tests.support.spatial_mechanisms import marker, rigid, space
from tests.support.springs import make_spring

TENSOR = np.array([[0.3, 0.02, -0.01], [0.02, 0.4, 0.03], [-0.01, 0.03, 0.35]])
BODIES = (
    rigid("a", (0.2, 0.1, -0.3), (0.5, -0.3, 0.8), mass=1.0, inertia=TENSOR),
    rigid("b", (1.1, -0.4, 0.6), (-0.7, 0.4, 0.2), mass=2.0, inertia=TENSOR),
)
TILTED = triad(np.array([0.3, -0.5, 0.8]))
STIFFNESS = np.array([300.0, 200.0, 100.0, 30.0, 20.0, 10.0])
AWAY = np.array([0.1, -0.2, 0.15, 0.3, -0.5, 0.4, -0.1, 0.1, 0.2, -0.6, 0.2, 0.7])


def ends(apart=(0.0, 0.0, 0.0)):
    place = np.array([0.6, 0.2, 0.1])
    return marker(BODIES, "a", place, TILTED), marker(BODIES, "b", place + np.array(apart), TILTED)


GAS = {"p0": 3e5, "V0": 2e-3, "area": 1e-3, "n": 1.3, "p_ambient": 1e5, "length0": 0.6}
X = np.linspace(-1.5, 1.5, 61)
CURVES = {  # of the curved bushing: force over deflection, antisymmetric or not
    "x": lambda x: 200.0 * x + 90.0 * x**3,
    "y": lambda x: 150.0 * np.sinh(x),
    "rx": lambda x: 20.0 * x + 6.0 * x**2,
    "ry": lambda x: 15.0 * np.tan(0.8 * x),
    "rz": lambda x: 5.0 * x + 9.0 * x**3,
}
SPRINGS = {
    "translational": make_spring("s", "translational", *ends((0.3, 0.2, -0.4)), k=50.0, force=2.0, natural=0.4),
    "rotational": make_spring("s", "rotational", *ends(), k=30.0, natural=0.2),
    "bushing": make_spring("s", "bushing", *ends((0.1, 0.0, 0.05)), stiffness=STIFFNESS),
    "gas": Spring("s", "gas", *ends((0.3, 0.2, -0.4)), GAS),
    "curved bushing": Spring(
        "s", "bushing", *ends((0.1, 0.0, 0.05)), {"kz": 50.0}, {f"curve_k{a}": a for a in ("x", "y", "rx", "ry", "rz")}
    ),
}


def with_curves(made):
    curves = tuple(Curve(name, X, law(X), "cubic") for name, law in CURVES.items())
    return replace(made, curves=curves)


def energy(kind, q):
    """Potential energy by scipy's rotations, in terms of the poses alone."""
    spring = SPRINGS[kind]
    turns = [Rotation.from_quat([*q[k + 4 : k + 7], q[k + 3]]) for k in (0, 7)]
    places = [
        q[k : k + 3] + turn.apply(end.origin) for k, turn, end in zip((0, 7), turns, (spring.i, spring.j), strict=True)
    ]
    axes = [turn.as_matrix() @ end.axes for turn, end in zip(turns, (spring.i, spring.j), strict=True)]
    apart = places[1] - places[0]
    if kind == "translational":
        length = np.linalg.norm(apart)
        return 25.0 * (length - 0.4) ** 2 + 2.0 * length
    if kind == "rotational":
        angle = np.arctan2(axes[1][:, 0] @ axes[0][:, 1], axes[1][:, 0] @ axes[0][:, 0])
        return 15.0 * (angle - 0.2) ** 2
    if kind == "gas":
        volume = GAS["V0"] + GAS["area"] * (np.linalg.norm(apart) - GAS["length0"])
        return -quad(lambda v: GAS["p0"] * (GAS["V0"] / v) ** GAS["n"] - GAS["p_ambient"], GAS["V0"], volume)[0]
    rest = TILTED.T @ np.array([0.1, 0.0, 0.05])
    bent = np.concatenate((axes[0].T @ apart - rest, Rotation.from_matrix(axes[0].T @ axes[1]).as_rotvec()))
    if kind == "curved bushing":
        through = {axis: CubicSpline(X, f(X), bc_type="not-a-knot") for axis, f in CURVES.items()}
        named = zip(("x", "y", "z", "rx", "ry", "rz"), bent, strict=True)
        return sum(25.0 * x**2 if axis == "z" else through[axis].integrate(0.0, x) for axis, x in named)
    return 0.5 * bent @ (STIFFNESS * bent)


@pytest.mark.parametrize("kind", SPRINGS)
def test_force_is_the_slope_of_the_energy(kind):
    lowered = lower(with_curves(space(BODIES, springs=(SPRINGS[kind],), gravity=(0.0, 0.0, 0.0))))
    system = lowered.arrange()
    q, force, h = lowered.moved(lowered.bodies.q, AWAY), np.zeros(12), 1e-5
    static_force(system.arrays, system.work, 0.0, q, np.zeros(12), force)
    slope = [
        (energy(kind, lowered.moved(q, h * e)) - energy(kind, lowered.moved(q, -h * e))) / (2 * h) for e in np.eye(12)
    ]
    assert np.abs(force + slope).max() < 1e-7 * np.abs(force).max()


def hinged(kind):
    """A rotational spring turns about the axis of a hinge."""
    return (Joint("hinge", "revolute", *ends()),) if kind == "rotational" else ()


@pytest.mark.parametrize("kind", SPRINGS)
def test_spring_between_free_bodies_keeps_energy_and_momentum(kind):
    without = {name: value for name, value in SPRINGS[kind].values.items() if name != "force"}
    spring = replace(SPRINGS[kind], values=without)
    moving = (replace(BODIES[0], angular_velocity=np.array([0.5, 1.0, -0.3])), BODIES[1])
    result = sheetmbs.run(
        with_curves(space(moving, hinged(kind), springs=(spring,), gravity=(0.0, 0.0, 0.0), t_end=2.0))
    )
    assert result.summary["energy drift"] < 1e-6
    assert result.summary["linear momentum drift"] < 1e-7
    assert result.summary["angular momentum drift"] < 1e-7


@pytest.mark.parametrize("kind", SPRINGS)
def test_damping_only_takes_energy(kind):
    bushed = dict(zip(("cx", "cy", "cz", "crx", "cry", "crz"), (3.0, 2.0, 1.0, 0.3, 0.2, 0.1), strict=True))
    damped = bushed if "bushing" in kind else {"c": 3.0} if kind == "gas" else {"force": 0.0, "c": 3.0}
    spring = replace(SPRINGS[kind], values=SPRINGS[kind].values | damped)
    moving = (replace(BODIES[0], angular_velocity=np.array([0.5, 1.0, -0.3])), BODIES[1])
    result = sheetmbs.run(
        with_curves(space(moving, hinged(kind), springs=(spring,), gravity=(0.0, 0.0, 0.0), t_end=1.0))
    )
    total = result.constraints["total_energy"].to_numpy()
    assert np.all(np.diff(total) < 1e-9)
    assert total[-1] < total[0] - 1e-3
    assert result.summary["energy drift"] < 1e-6
    assert result.summary["angular momentum drift"] < 1e-7


def test_planar_bushing_is_a_spring_in_two_directions_and_an_angle():
    root = make_spring("root", "bushing", on("ground"), on("m"), stiffness=np.array([100.0, 200.0, 0, 0, 0, 30.0]))
    push = Force("push", on("m"), (5.0, 4.0, 0.0), (0.0, 0.0, 3.0))
    made = planar_model((planar_body("m"),), springs=(root,), gravity=(0.0, 0.0, 0.0))
    found = sheetmbs.run(replace(made, forces=(push,)), analysis="equilibrium").bodies.iloc[0]
    assert found[["m.x", "m.y", "m.phi"]].to_numpy(dtype=float) == pytest.approx([0.05, 0.02, 0.1], abs=1e-9)


def test_force_in_body_axes_turns_with_its_body():
    thrust = Force("thrust", on("b"), (2.0, 0.0, 0.0), (0.0, 0.0, 0.0), in_body_axes=True)
    spinning = rigid("b", mass=2.0, inertia=(0.1, 0.1, 0.1), angular_velocity=(0.0, 0.0, 1.5))
    result = sheetmbs.run(replace(space((spinning,), gravity=(0.0, 0.0, 0.0), t_end=2.0), forces=(thrust,))).bodies
    turned = 1.5 * result["time"]
    assert np.abs(result["b.vx"] - np.sin(turned) / 1.5).max() < 1e-8
    assert np.abs(result["b.vy"] - (1.0 - np.cos(turned)) / 1.5).max() < 1e-8


def test_expression_of_angular_velocity_damps_a_spin():
    drag = Force("drag", on("b"), (0.0, 0.0, 0.0), (0.0, 0.0, Formula(parse("-0.2*b.wz", lambda name: name == "b.wz"))))
    spinning = rigid("b", inertia=(0.1, 0.1, 0.1), angular_velocity=(0.0, 0.0, 3.0))
    result = sheetmbs.run(replace(space((spinning,), gravity=(0.0, 0.0, 0.0)), forces=(drag,))).bodies
    assert np.abs(result["b.wz"] - 3.0 * np.exp(-2.0 * result["time"])).max() < 1e-7
