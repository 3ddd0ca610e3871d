"""Static equilibrium: closed forms, minimal energy, stability, and who runs away where there is none."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import fsolve, minimize

import sheetmbs
from benchmarks.chains import hanging
from sheetmbs.model.model import Body, Curve, Driver, Force, Formula, Joint, OfCurve, Quadratic
from sheetmbs.schema.expression import parse
from tests.support.mechanisms import bar, body, hinge, model, on, slide_axes, windows
from tests.support.spatial_mechanisms import bricard, joined, marker, rigid, space
from tests.support.springs import make_spring

G = 9.81


def at_rest(made, **settings):
    return sheetmbs.run(replace(made, settings=replace(made.settings, **settings)), analysis="equilibrium")


def problems(result):
    return {problem.code for problem in result.sheets.problems}


def pendulum(angle):
    return model((bar("bob", (0, 0), (np.cos(angle), np.sin(angle))),), (hinge("pin", on("ground"), on("bob", -0.5)),))


@pytest.mark.parametrize("angle", [0.3, 1.5, 3.0, -1.5])
def test_pendulum_hangs_straight_down_from_wherever_it_starts(angle):
    result = at_rest(pendulum(angle))
    assert result.status == "done"
    assert len(result.bodies) == 1
    assert np.abs(result.bodies[["bob.x", "bob.y"]].to_numpy() - [0.0, -0.5]).max() < 1e-9
    assert abs(result.joints["pin.j.fy"][0] - G) < 1e-9
    assert not result.bodies[["bob.vx", "bob.ax", "bob.alpha"]].to_numpy().any()


def test_pendulum_on_its_head_is_nudged_and_says_so():
    result = at_rest(pendulum(np.pi / 2))
    assert "left-unstable" in problems(result)
    assert abs(result.bodies["bob.y"][0] + 0.5) < 1e-9


def test_stack_of_springs_settles_as_the_weights_say():
    masses, stiffness, names = (3.0, 2.0, 1.0), (500.0, 400.0, 300.0), ("low", "middle", "high")
    bodies = tuple(body(name, 0.0, k + 1.0, mass=m) for k, (name, m) in enumerate(zip(names, masses, strict=True)))
    rails = tuple(
        Joint(
            f"rail {name}",
            "translational",
            on("ground", axes=slide_axes(np.pi / 2)),
            on(name, axes=slide_axes(np.pi / 2)),
        )
        for name in names
    )
    ends = ("ground", *names)
    springs = tuple(
        make_spring(f"spring {k}", "translational", on(ends[k]), on(ends[k + 1]), k=stiffness[k], natural=1.0)
        for k in range(3)
    )
    result = at_rest(model(bodies, rails, springs=springs))
    carried = np.cumsum(masses[::-1])[::-1] * G
    heights = np.cumsum(1.0 - carried / np.array(stiffness))
    assert np.abs(result.bodies[[f"{name}.y" for name in names]].to_numpy()[0] - heights).max() < 1e-9
    assert np.abs(result.springs[[f"spring {k}.force" for k in range(3)]].to_numpy()[0] + carried).max() < 1e-8


@pytest.mark.parametrize(("start", "side"), [(0.3, 1), (0.02, 1), (-0.02, -1), (-0.5, -1)])
def test_toggle_snaps_to_the_side_on_which_it_starts(start, side):
    """Von Mises truss without weight: height h at which both springs are unstretched, to either side."""
    springs = tuple(
        make_spring(name, "translational", on("ground", x), on("pin"), k=1000.0, natural=np.hypot(1.0, 0.3))
        for name, x in (("left", -1.0), ("right", 1.0))
    )
    rail = Joint(
        "rail", "translational", on("ground", axes=slide_axes(np.pi / 2)), on("pin", axes=slide_axes(np.pi / 2))
    )
    result = at_rest(model((body("pin", 0.0, start),), (rail,), springs=springs, gravity=(0.0, 0.0, 0.0)))
    assert abs(result.bodies["pin.y"][0] - 0.3 * side) < 1e-8


def test_hanging_chain_takes_the_shape_of_least_energy():
    count, span = 8, 0.7
    names = [f"link {k}" for k in range(count)]
    length = 1.0 / count
    start = np.array(
        [np.full(count, length * np.cos(0.7)), length * np.sin(0.7) * np.where(np.arange(count) < count // 2, -1, 1)]
    )
    nodes = np.column_stack((np.zeros(2), np.cumsum(start, axis=1)))
    nodes[0] *= span / nodes[0, -1]
    bodies = tuple(
        replace(bar(name, nodes[:, k], nodes[:, k + 1]), inertia=np.diag([0, 0, length**2 / 12]))
        for k, name in enumerate(names)
    )
    ends = ["ground", *names, "ground"]
    joints = []
    for k in range(count + 1):
        left = on("ground") if k == 0 else on(ends[k], length / 2)
        right = on("ground", span) if k == count else on(ends[k + 1], -length / 2)
        joints.append(hinge(f"pin {k}", left, right))
    result = at_rest(model(bodies, joints))

    def height(angles):
        ys = np.concatenate(([0.0], np.cumsum(length * np.sin(angles))))
        return float(np.sum((ys[1:] + ys[:-1]) / 2))

    closed = [
        {"type": "eq", "fun": lambda a: np.sum(length * np.cos(a)) - span},
        {"type": "eq", "fun": lambda a: np.sum(length * np.sin(a))},
    ]
    found = minimize(height, np.linspace(-0.8, 0.8, count), constraints=closed, tol=1e-14, options={"maxiter": 500})
    angles = result.bodies[[f"{name}.phi" for name in names]].to_numpy()[0]
    assert np.abs(np.sin(angles) - np.sin(found.x)).max() < 1e-5
    total = result.joints["pin 0.j.fy"][0] + result.joints[f"pin {count}.i.fy"][0]
    assert abs(total - count * G) < 1e-8


@pytest.mark.parametrize("links", [7, 120])
def test_chain_of_any_length_hangs_in_the_catenary_of_its_bars(links):
    """Moments about a bar's middle: tan(angle_k) = (k - (n - 1)/2) m g/H, with H from the span."""
    slope = 0.6
    span, place = 2.0 * (links // 2) * np.cos(slope) + (links % 2) * np.cos(slope), np.arange(links) - 0.5 * (links - 1)
    made = hanging(links, slope)
    rise = sum(np.sin(body.angles[2]) for body in made.bodies)

    def angles(unknown):
        pull, middle = unknown
        return np.arctan((place - middle) * G / pull)

    def missing(unknown):
        return [np.cos(angles(unknown)).sum() - span, np.sin(angles(unknown)).sum() - rise]

    pull, middle = fsolve(missing, (0.7 * links * G, 0.0), xtol=1e-13)
    result = at_rest(made)
    assert result.status == "done"
    found = result.bodies[[body.name + ".phi" for body in made.bodies]].to_numpy()[0]
    assert np.abs(found - angles((pull, middle))).max() < 1e-9
    assert abs(abs(result.joints["hinge 0.i.fx"][0]) / pull - 1.0) < 1e-9


def test_long_chain_let_go_straight_to_the_side_ends_below_its_peg():
    links, slope = 60, 0.3
    points = np.arange(links + 1)[:, None] * np.array([np.cos(slope), np.sin(slope)])
    bars = [bar(f"bar {k}", points[k], points[k + 1]) for k in range(links)]
    pins = [hinge("peg", on("ground"), on("bar 0", -0.5))]
    pins += [hinge(f"pin {k}", on(f"bar {k}", 0.5), on(f"bar {k + 1}", -0.5)) for k in range(links - 1)]
    result = at_rest(model(bars, pins))
    assert result.status == "done"
    assert (
        np.abs(result.bodies[[f"bar {k}.y" for k in range(links)]].to_numpy()[0] + np.arange(links) + 0.5).max() < 1e-7
    )


def test_load_that_depends_on_position_balances_a_weight():
    push = Force(
        "push",
        on("mass"),
        (0.0, Formula(parse("200*exp(-mass.y)", lambda name: name == "mass.y")), 0.0),
        (0.0, 0.0, 0.0),
    )
    rail = Joint(
        "rail", "translational", on("ground", axes=slide_axes(np.pi / 2)), on("mass", axes=slide_axes(np.pi / 2))
    )
    made = replace(model((body("mass", mass=5.0),), (rail,)), forces=(push,))
    assert abs(at_rest(made).bodies["mass.y"][0] - np.log(200.0 / (5.0 * G))) < 1e-9


def test_spring_by_a_curve_carries_what_the_curve_says():
    curve = Curve("soft", np.array([-1.0, 0.0, 1.0]), np.array([-200.0, 0.0, 50.0]))
    spring = make_spring("s", "translational", on("ground", 0.0, 2.0), on("mass"), natural=1.0, curve_k="soft")
    rail = Joint(
        "rail", "translational", on("ground", axes=slide_axes(np.pi / 2)), on("mass", axes=slide_axes(np.pi / 2))
    )
    made = replace(model((body("mass", 0.0, 0.8, mass=2.0),), (rail,), springs=(spring,)), curves=(curve,))
    assert abs(at_rest(made).bodies["mass.y"][0] - (1.0 - 2.0 * G / 50.0)) < 1e-9


def test_driver_holds_its_value_at_the_start_and_reports_its_force():
    ram = Joint("ram", "distance", on("ground", 0.0, 1.0), on("bob", 0.5))
    drive = Driver("drive", None, "ram", "distance", Quadratic(0.8, 5.0, 0.0))
    made = replace(pendulum(-0.2), joints=(*pendulum(-0.2).joints, ram), drivers=(drive,))
    result = at_rest(made)
    tip = np.array([np.cos(result.bodies["bob.phi"][0]), np.sin(result.bodies["bob.phi"][0])])
    along = np.array([0.0, 1.0]) - tip
    assert abs(np.linalg.norm(along) - 0.8) < 1e-9
    lever = tip[0] * along[1] / 0.8 - tip[1] * along[0] / 0.8
    assert abs(abs(result.drivers["drive.force"][0]) - abs(0.5 * tip[0] * G / lever)) < 1e-8


@pytest.mark.parametrize(
    ("made", "who", "where"),
    [
        (model((body("stone"),)), "stone", "-y"),
        (
            replace(
                model(
                    (body("sledge"),),
                    (
                        Joint(
                            "rail", "translational", on("ground", axes=slide_axes(0)), on("sledge", axes=slide_axes(0))
                        ),
                    ),
                ),
                forces=(Force("wind", on("sledge"), (3.0, 0.0, 0.0), (0.0, 0.0, 0.0)),),
            ),
            "sledge",
            "+x",
        ),
        (space((rigid("stone"),)), "stone", "-z"),
    ],
)
def test_who_runs_away_is_named_with_the_direction(made, who, where):
    result = at_rest(made)
    assert result.status == "failed"
    told = next(problem.found for problem in result.sheets.problems if problem.code == "runs-away")
    assert who in told
    assert f"towards {where}" in told


def test_body_without_force_stays_where_it_is():
    made = model((body("puck", 0.3, -0.2, 0.5),), gravity=(0.0, 0.0, 0.0))
    result = at_rest(made)
    assert result.status == "done"
    assert np.abs(result.bodies[["puck.x", "puck.y", "puck.phi"]].to_numpy()[0] - [0.3, -0.2, 0.5]).max() == 0.0


@pytest.mark.parametrize("made", [windows(3, t_end=1.0), bricard()], ids=["windows", "bricard"])
def test_redundant_constraints_stop_nothing_and_the_reactions_carry_the_weight(made):
    result = at_rest(made)
    assert result.status == "done"
    up = "fy"
    on_ground = [
        f"{joint.name}.{side}.{up}"
        for joint in made.joints
        for side, marker_ in (("i", joint.i), ("j", joint.j))
        if marker_.body == "ground"
    ]
    weight = sum(each.mass for each in made.bodies) * G
    assert abs(result.joints[on_ground].to_numpy()[0].sum() + weight) < 1e-7


def table(k=(1000.0, 1500.0, 1200.0, 900.0)):
    """A plate on four springs with an eccentric load; guided by nothing."""
    plate = rigid("plate", (0.0, 0.0, 1.0), mass=10.0, inertia=(1.0, 1.0, 2.0))
    feet = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    springs = [
        make_spring(
            f"foot {n}",
            "translational",
            marker((), "ground", (x, y, 0.0), np.eye(3)),
            marker((plate,), "plate", (x, y, 1.0), np.eye(3)),
            k=k[n],
            natural=1.1,
        )
        for n, (x, y) in enumerate(feet)
    ]
    braces = [
        make_spring(
            f"brace {n}",
            "translational",
            marker((), "ground", (x, y, 0.0), np.eye(3)),
            marker((plate,), "plate", (feet[(n + 1) % 4][0], feet[(n + 1) % 4][1], 1.0), np.eye(3)),
            k=800.0,
        )
        for n, (x, y) in enumerate(feet)
    ]
    return space((plate,), springs=tuple(springs + braces)), plate


def test_table_on_springs_balances_forces_and_moments():
    made, plate = table()
    result = at_rest(made)
    assert result.status == "done"
    pose = result.bodies.iloc[0]
    e0, e = pose["plate.e0"], pose[["plate.e1", "plate.e2", "plate.e3"]].to_numpy()
    cross = np.array([[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]])
    turn = (2 * e0**2 - 1) * np.eye(3) + 2 * (np.outer(e, e) + e0 * cross)
    centre = pose[["plate.x", "plate.y", "plate.z"]].to_numpy()
    force, moment = np.array([0.0, 0.0, -10.0 * G]), np.zeros(3)
    for spring in made.springs:
        arm = turn @ spring.j.origin
        along = spring.i.origin - (centre + arm)
        length = np.linalg.norm(along)
        start = np.linalg.norm(spring.i.origin - spring.j.origin - plate.position)
        natural = spring.values.get("length0", start)
        pull = spring.values["k"] * (length - natural) * along / length
        force = force + pull
        moment = moment + np.cross(arm, pull)
    assert np.abs(force).max() < 1e-7
    assert np.abs(moment).max() < 1e-7


def test_bushing_gives_way_by_load_over_stiffness():
    beam = rigid("beam", (0.5, 0.0, 0.0), mass=2.0)
    root = make_spring(
        "root",
        "bushing",
        marker((), "ground", (0.0, 0.0, 0.0), np.eye(3)),
        marker((beam,), "beam", (0.0, 0.0, 0.0), np.eye(3)),
        stiffness=np.array([1e6, 2e6, 1e5, 1e4, 2e4, 3e4]),
    )
    result = at_rest(space((beam,), springs=(root,)))
    found = result.springs.iloc[0]
    assert abs(found["root.dz"] + 2.0 * G / 1e5) < 1e-9
    pitch = result.bodies["beam.pitch"][0]
    assert abs(2e4 * pitch - 0.5 * np.cos(pitch) * 2.0 * G) < 1e-6


def test_dynamic_run_from_the_equilibrium_stays_there():
    made, plate = table()
    pose = at_rest(made).bodies.iloc[0]
    settled = replace(
        plate,
        position=pose[["plate.x", "plate.y", "plate.z"]].to_numpy(dtype=float),
        euler=pose[["plate.e0", "plate.e1", "plate.e2", "plate.e3"]].to_numpy(dtype=float),
    )
    springs = tuple(
        replace(
            spring,
            values={
                "length0": float(np.linalg.norm(spring.i.origin - spring.j.origin - plate.position)),
                **spring.values,
            },
        )
        for spring in made.springs
    )
    moving = sheetmbs.run(replace(made, bodies=(settled,), springs=springs), analysis="dynamic").bodies
    assert (
        np.abs(moving[["plate.vx", "plate.vy", "plate.vz", "plate.wx", "plate.wy", "plate.wz"]].to_numpy()).max() < 1e-7
    )


def test_curve_over_time_counts_with_its_value_at_the_start():
    ramp = Curve("ramp", np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.1, 0.3, 0.2, 0.4]))
    rail = Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("mass", axes=slide_axes(0)))
    drive = Driver("drive", None, "rail", "displacement", OfCurve("ramp"))
    made = replace(model((body("mass"),), (rail,), drivers=(drive,)), curves=(ramp,))
    assert abs(at_rest(made, t_start=1.0).bodies["mass.x"][0] - 0.3) < 1e-10


def test_hinged_door_in_space_with_a_torsion_spring_opens_until_they_balance():
    """Hinge along y: the door's weight against k (angle - angle0)."""
    door = Body("door", mass=4.0, inertia=np.eye(3), position=np.array([0.5, 0.0, 0.0]))
    pin = joined((door,), "pin", "revolute", "ground", "door", (0, 0, 0), (0, 1, 0))
    spring = make_spring("torsion", "rotational", pin.i, pin.j, k=40.0, natural=0.0)
    result = at_rest(space((door,), (pin,), springs=(spring,)))
    angle = result.joints["pin.angle"][0]
    assert abs(40.0 * angle - 0.5 * np.cos(angle) * 4.0 * G) < 1e-8
    assert abs(result.springs["torsion.moment"][0] - 40.0 * angle) < 1e-8
