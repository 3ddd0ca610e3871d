"""Joints with clearance: laws of contact against closed forms, contacts at their right times, friction, films."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import sheetmbs
from sheetmbs.analysis.analyse import analyse
from sheetmbs.elements.clearance_laws import LAWS
from sheetmbs.elements.integrators import LOCATING
from sheetmbs.elements.marker import Marker, triad
from sheetmbs.lower import lower
from sheetmbs.model.model import Body, Clearance, Driver, Force, Formula, Friction, Joint, Model, Quadratic, Settings
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.expression import parse
from tests.support import references_clearance as reference
from tests.support.runs import TABLEAUX
from tests.support.springs import make_spring

MASS, SPEED = 0.14, 1.0
UP = np.array([0.0, 1.0, 0.0])
BEGAN, WHICH, IMPACT, LASTED, MOST = range(5)
CRANK, ROD, OMEGA = reference.CRANK, reference.ROD, reference.SPEED


def clearance(law="lankarani-nikravesh", i="ground", j="journal", e=0.9, **more):
    markers = more.pop("markers", (Marker(i), Marker(j)))
    return Clearance("pin", law, *markers, *reference.RADII, (207e9, 207e9), (0.3, 0.3), restitution=e, **more)


def thrown(
    law="lankarani-nikravesh", e=0.9, velocity=(SPEED, 0.0, 0.0), omega=0.0, gravity=0.0, joint=None, **settings
):
    """A journal in a bearing at rest, thrown from its centre."""
    given = {"t_end": 1.5e-3, "t_step": 1e-5, "rtol": 1e-9, "gravity": (0.0, -gravity, 0.0)} | settings
    spin = np.array([0.0, 0.0, omega])
    body = Body("journal", mass=MASS, inertia=np.eye(3) * 1e-5, velocity=np.array(velocity), angular_velocity=spin)
    return Model(settings=Settings(**given), bodies=(body,), clearances=(joint or clearance(law, e=e),))


def crank(joint=None, **settings):
    """The slider-crank with play in the wrist pin."""
    given = {"t_end": 2e-3, "t_step": 1e-5, "rtol": 1e-9} | settings
    axis, along = triad(np.array([0.0, 0.0, 1.0])), triad(np.array([1.0, 0.0, 0.0]))

    def at(body, x, axes=axis):
        return Marker(body, np.array([x, 0.0, 0.0]), axes)

    def body(name, mass, inertia, x, vy, omega):
        place, speed, spin = np.array([x, 0.0, 0.0]), np.array([0.0, vy, 0.0]), np.array([0.0, 0.0, omega])
        return Body(name, mass=mass, inertia=np.eye(3) * inertia, position=place, velocity=speed, angular_velocity=spin)

    bodies = (
        body("crank", 0.3, 1e-4, CRANK / 2, CRANK / 2 * OMEGA, OMEGA),
        body("rod", 0.21, 2.5e-4, CRANK + ROD / 2, CRANK / 2 * OMEGA, -CRANK / ROD * OMEGA),
        body("slider", 0.14, 1e-4, CRANK + ROD, 0.0, 0.0),
    )
    joints = (
        Joint("main", "revolute", at("ground", 0.0), at("crank", -CRANK / 2)),
        Joint("big end", "revolute", at("crank", CRANK / 2), at("rod", -ROD / 2)),
        Joint("guide", "translational", at("ground", CRANK + ROD, along), at("slider", 0.0, along)),
    )
    eye = Marker("rod", np.array([ROD / 2, 0.0, 0.0])), Marker("slider")
    joint = replace(joint or clearance(), i=eye[0], j=eye[1])
    motor = Driver("motor", None, "main", "angle", Quadratic(0.0, OMEGA, 0.0))
    return Model(settings=Settings(**given), bodies=bodies, joints=joints, drivers=(motor,), clearances=(joint,))


def solved(model):
    solution = analyse(lower(model))
    assert solution.status == "done", solution.problems
    return solution


@cache
def impacts_of_crank(**settings):
    return solved(crank(**settings)).impacts


# --- dry laws -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", ["lankarani-nikravesh", "hunt-crossley"])
@pytest.mark.parametrize("e", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99])
def test_speed_after_over_speed_before_an_impact_is_the_laws_closed_form(law, e):
    solution = solved(thrown(law, e, t_end=6e-4, rtol=1e-10))
    assert len(solution.impacts) == 1
    assert -solution.v[-1, 0] / SPEED == pytest.approx(reference.velocity_ratio(LAWS[law].chi(e)), rel=1e-8)


def test_an_elastic_contact_lasts_and_reaches_as_hertz_says():
    impacts = solved(thrown("hertz", rtol=1e-10, t_end=2e-3)).impacts
    k = reference.stiffness()
    lasts, depth = reference.hertz(MASS, SPEED, k)
    assert impacts[0, BEGAN] == pytest.approx(reference.GAP / SPEED, rel=1e-12)
    assert impacts[0, LASTED] == pytest.approx(lasts, rel=1e-9)
    assert impacts[0, MOST] == pytest.approx(k * depth**1.5, rel=1e-4)
    flight = 2 * reference.GAP / SPEED
    assert impacts[1, BEGAN] - impacts[0, BEGAN] - impacts[0, LASTED] == pytest.approx(flight, rel=1e-9)


def test_a_contact_never_pulls_even_where_the_journal_is_torn_off():
    # a sudden force tears the journal off the wall faster than it came
    model = thrown("hunt-crossley", 0.1, t_step=1e-6, t_end=6e-4)
    torn = Formula(parse("-if(t > 0.00052, 50000, 0)"))
    load = Force("load", Marker("journal"), (torn, 0.0, 0.0), (0.0, 0.0, 0.0))
    seen = sheetmbs.run(replace(model, forces=(load,))).clearances
    force, depth, contact = (seen[f"pin.{name}"] for name in ("normal_force", "penetration", "contact"))
    assert (force >= 0.0).all()
    assert ((force == 0.0) & (depth > 0.0) & (contact == 1.0)).any(), "the damping alone would pull there"


def test_reported_forces_have_the_v0_of_their_own_contact():
    model = thrown("lankarani-nikravesh", 0.5, t_end=8e-3, t_step=3e-6)
    result = sheetmbs.run(model)
    seen, bodies, impacts = result.clearances, result.bodies, result.impacts
    time, depth = seen["time"].to_numpy(), seen["pin.penetration"].to_numpy()
    last = np.searchsorted(impacts["time"], time, side="right") - 1
    touching = seen["pin.contact"].to_numpy() == 1.0
    assert len(set(last[touching])) > 2
    v0 = impacts["pin.speed"].to_numpy()[last]
    rate = np.sign(bodies["journal.x"]) * bodies["journal.vx"]
    expected = reference.stiffness() * depth**1.5 * (1.0 + LAWS["lankarani-nikravesh"].chi(0.5) * rate / v0)
    force = seen["pin.normal_force"].to_numpy()
    assert force[touching] == pytest.approx(expected[touching], rel=1e-6, abs=1e-3)
    assert (force[~touching] == 0.0).all()


# --- contacts at their times -----------------------------------------------------------------------------------------


def test_a_slider_crank_knocks_when_an_independent_integration_says():
    expected = reference.slider_crank_impacts(2e-3)
    impacts = impacts_of_crank()
    assert impacts[:, BEGAN] == pytest.approx(expected[:, 0], abs=1e-9)
    assert impacts[:, IMPACT] == pytest.approx(expected[:, 1], rel=1e-6)


@pytest.mark.parametrize("rtol", [1e-8, 1e-9, 1e-10])
def test_halving_the_tolerance_moves_no_impact_by_1e_8_seconds(rtol):
    one, other = impacts_of_crank(rtol=rtol), impacts_of_crank(rtol=rtol / 2)
    assert len(one) == len(other)
    assert np.max(np.abs(one[:, BEGAN] - other[:, BEGAN])) < 1e-8


@pytest.mark.parametrize("integrator", LOCATING)
def test_every_method_that_locates_contacts_finds_the_same_ones(integrator):
    assert impacts_of_crank(integrator=integrator)[:, BEGAN] == pytest.approx(impacts_of_crank()[:, BEGAN], abs=1e-9)


def test_all_explicit_methods_with_error_control_locate_contacts():
    assert set(LOCATING) == {"auto", *(name for name, method in TABLEAUX.items() if method.estimates)}


@pytest.mark.parametrize(("beyond", "contacts"), [(1e-9, 1), (-1e-9, 0)])
def test_a_journal_that_barely_touches_within_a_long_step_is_seen(beyond, contacts):
    # thrown up so that it turns at the wall; its path is a parabola, for which one step would do
    g = 9.81
    speed = np.sqrt(2.0 * g * (reference.GAP + beyond))
    turns = speed / g
    solution = solved(thrown("hertz", velocity=(0.0, speed, 0.0), gravity=g, t_end=1.9 * turns, t_step=1.9 * turns))
    assert len(solution.impacts) == contacts
    if contacts:
        touches = (speed - np.sqrt(speed**2 - 2.0 * g * reference.GAP)) / g
        assert solution.impacts[0, BEGAN] == pytest.approx(touches, abs=1e-9)


def test_more_contacts_than_there_was_room_for_are_all_told():
    joint = replace(clearance("hertz"), radius_j=0.009999)
    solution = solved(thrown(joint=joint, velocity=(5.0, 0.0, 0.0), t_end=0.09, t_step=0.01, rtol=1e-6))
    lasts, _depth = reference.hertz(MASS, 5.0, reference.stiffness(radius_j=0.009999))
    period = lasts + 2 * 1e-6 / 5.0
    assert len(solution.impacts) == int((0.09 - 1e-6 / 5.0) / period) + 1 > 1000


def test_a_start_in_contact_is_a_contact():
    model = thrown("hertz", velocity=(0.0, 0.0, 0.0), t_end=2e-4)
    pressed = replace(model.bodies[0], position=np.array([reference.GAP + 1e-5, 0.0, 0.0]))
    solution = solved(replace(model, bodies=(pressed,)))
    assert solution.impacts[0, BEGAN] == 0.0
    assert solution.impacts[0, MOST] == pytest.approx(reference.stiffness() * 1e-5**1.5, rel=1e-6)
    energy = 0.4 * reference.stiffness() * 1e-5**2.5
    assert 0.5 * MASS * solution.v[-1, 0] ** 2 == pytest.approx(energy, rel=1e-6)


def test_two_journals_are_located_independently_of_each_other():
    # two bodies that do not know of each other knock as each does alone
    one, other = thrown(t_end=5e-3), thrown(velocity=(0.7, 0.2, 0.0), t_end=5e-3)
    second = replace(other.bodies[0], name="second")
    joint = replace(clearance(), name="second pin", j=Marker("second"))
    both = solved(replace(one, bodies=(*one.bodies, second), clearances=(*one.clearances, joint))).impacts
    for number, alone in enumerate((one, other)):
        mine, expected = both[both[:, WHICH] == number], solved(alone).impacts
        assert mine[:, BEGAN] == pytest.approx(expected[:, BEGAN], abs=1e-9)


def test_auto_stays_with_the_method_that_locates_contacts_whatever_springs_there_are():
    model = thrown(t_end=0.01, t_step=1e-3)
    stiff = make_spring("damper", "rotational", Marker("ground"), Marker("journal"), c=5.0)
    result = sheetmbs.run(replace(model, springs=(stiff,)))
    assert result.summary["integrator"] == "auto: dop853"
    assert result.summary["integrator chosen because"] == "it finds when contacts begin and end"


def test_a_contact_in_space_is_the_one_in_the_plane():
    settings = {"velocity": (0.8, 0.3, 0.0), "omega": 200.0, "t_end": 4e-3}
    planar = solved(thrown(joint=clearance(friction=0.2), **settings)).impacts
    model = thrown(joint=clearance(friction=0.2), dimension="3D", **settings)
    # the same in a plane that leans: normal and velocities turned alike
    turn = triad(np.array([0.48, -0.6, 0.64]))
    body = model.bodies[0]
    moved = replace(body, velocity=turn @ body.velocity, angular_velocity=turn @ body.angular_velocity)
    markers = Marker("ground", axes=turn), Marker("journal", axes=turn)
    lain = Joint("face", "planar", *markers)
    joint = clearance(friction=0.2, markers=markers)
    spatial = solved(replace(model, bodies=(moved,), joints=(lain,), clearances=(joint,))).impacts
    assert len(planar) > 3
    assert spatial[:, :4] == pytest.approx(planar[:, :4], rel=1e-6, nan_ok=True)


# --- energy, momentum, friction ---------------------------------------------------------------------------------------


def two_free(law, e, friction):
    """A journal in a ring, both free."""
    ring = Body("ring", mass=0.3, inertia=np.eye(3) * 4e-5, velocity=np.array([-0.4, 0.2, 0.0]))
    spin = np.array([0.0, 0.0, 300.0])
    journal = Body(
        "journal", mass=MASS, inertia=np.eye(3) * 1e-5, velocity=np.array([1.0, 0.3, 0.0]), angular_velocity=spin
    )
    settings = Settings(gravity=(0.0, 0.0, 0.0), t_end=8e-3, t_step=2e-6, rtol=1e-10)
    return Model(
        settings=settings, bodies=(ring, journal), clearances=(clearance(law, i="ring", e=e, friction=friction),)
    )


@pytest.mark.parametrize(
    ("law", "e", "friction"),
    [("hertz", 1.0, 0.0), ("hertz", 1.0, 0.3), ("lankarani-nikravesh", 0.6, 0.3), ("hunt-crossley", 0.2, 0.1)],
)
def test_energy_never_grows_by_contact_and_momentum_is_kept(law, e, friction):
    result = sheetmbs.run(two_free(law, e, friction))
    energy = result.constraints["total_energy"].to_numpy()
    assert result.summary["impacts in pin"] > 2
    assert np.max(np.diff(energy)) < 1e-9 * energy[0]
    assert (energy[-1] < 0.9 * energy[0]) == (law != "hertz" or friction > 0.0)
    assert result.summary["energy drift"] < 1e-8 * energy[0]
    assert result.summary["accuracy check"] == "passed"
    assert result.summary["linear momentum drift"] < 1e-10
    assert result.summary["angular momentum drift"] < 1e-10


def test_a_sliding_journal_is_held_back_by_the_coefficient_of_friction_times_the_normal_force():
    model = thrown(joint=clearance(friction=0.2), omega=-1000.0, t_end=6e-4, t_step=1e-6)
    seen = sheetmbs.run(model).clearances
    touching = seen["pin.contact"] == 1.0
    ratio = (seen["pin.tangential_force"] / seen["pin.normal_force"])[touching].iloc[1:-1]
    assert ratio.to_numpy() == pytest.approx(0.2, abs=1e-12)
    slow = sheetmbs.run(thrown(joint=clearance(friction=0.2), omega=-1e-3, t_end=6e-4, t_step=1e-6))
    assert (slow.clearances["pin.tangential_force"] == 0.0).all(), "below the setting slip"


def test_friction_in_other_joints_and_knocks_go_together():
    model = crank()
    rub = Friction(0.1, 0.01)
    joints = tuple(replace(joint, friction=rub) if joint.name == "guide" else joint for joint in model.joints)
    rubbing = replace(model, joints=joints)
    result = sheetmbs.run(rubbing)
    finer = solved(replace(rubbing, settings=replace(rubbing.settings, rtol=5e-10))).impacts
    assert result.summary["accuracy check"] == "passed"
    assert result.joints["guide.friction_power"].max() > 1.0
    assert result.impacts["time"].to_numpy() == pytest.approx(finer[:, BEGAN], abs=1e-8)
    assert result.impacts["time"].iloc[1] != pytest.approx(impacts_of_crank()[1, BEGAN], abs=1e-8)


def test_the_summary_tells_impacts_longest_flight_and_largest_force():
    summary = sheetmbs.run(crank()).summary
    impacts = impacts_of_crank()
    assert summary["impacts in pin"] == len(impacts)
    assert summary["largest normal force in pin"] == pytest.approx(np.nanmax(impacts[:, MOST]))
    ends = np.concatenate(([0.0], impacts[:, BEGAN] + impacts[:, LASTED]))[: len(impacts)]
    assert summary["longest flight in pin"] == pytest.approx(np.max(impacts[:, BEGAN] - ends), abs=1e-9)


# --- films ------------------------------------------------------------------------------------------------------------


OIL = {"viscosity": 0.4, "length": 0.04}


def test_a_bearing_pressed_through_its_film_rests_on_dry_contact():
    joint = clearance("pinkus-sternlicht", e=0.5, **OIL)
    model = thrown(joint=joint, velocity=(0.0, 0.0, 0.0), t_end=0.2, t_step=1e-3, rtol=1e-7)
    loaded = replace(model, forces=(Force("load", Marker("journal"), (400.0, 0.0, 0.0), (0.0, 0.0, 0.0)),))
    result = sheetmbs.run(loaded)
    assert result.status == "done"
    seen = result.clearances
    assert seen["pin.contact"].iloc[-1] == 1.0
    assert seen["pin.penetration"].iloc[-1] == pytest.approx((400.0 / reference.stiffness()) ** (2 / 3), rel=1e-3)
    assert len(result.impacts) == 1, "the film lets it come to rest"


def test_a_turning_journal_settles_where_the_static_film_carries_its_load():
    joint = clearance("pinkus-sternlicht", e=1.0, **OIL)
    model = thrown(joint=joint, velocity=(0.0, 0.0, 0.0), omega=400.0, t_end=0.4, t_step=1e-2, rtol=1e-7)
    turning = Driver("motor", "journal", None, "phi", Quadratic(0.0, 400.0, 0.0))
    load = Force("load", Marker("journal"), (0.0, -30.0, 0.0), (0.0, 0.0, 0.0))
    heavy = replace(model, drivers=(turning,), forces=(load,))
    damped = make_spring(
        "support", "bushing", Marker("ground"), Marker("journal"), damping=np.array([300.0, 300.0, 0, 0, 0, 0])
    )
    result = sheetmbs.run(replace(heavy, springs=(damped,)))
    seen = result.clearances.iloc[-1]
    eps = seen["pin.eccentricity"] / reference.GAP
    scale = OIL["viscosity"] * OIL["length"] * reference.RADII[1] ** 3 / reference.GAP**2
    inwards, along = reference.film_pressure_force(eps, 400.0)
    assert scale * np.hypot(inwards, along) == pytest.approx(30.0, rel=1e-3)
    assert (seen["pin.normal_force"], seen["pin.tangential_force"]) == pytest.approx(
        (scale * inwards, scale * along), rel=1e-3
    )


def test_a_film_keeps_momentum_and_only_takes_energy():
    model = two_free("lankarani-nikravesh", 1.0, 0.0)
    model = replace(model, clearances=(clearance("pinkus-sternlicht", i="ring", e=1.0, **OIL),))
    result = sheetmbs.run(replace(model, settings=replace(model.settings, integrator="dop853", t_end=2e-3)))
    assert result.clearances["pin.eccentricity"].max() > 0.1 * reference.GAP
    assert np.max(np.abs(result.clearances["pin.tangential_force"])) > 1.0
    assert result.summary["linear momentum drift"] < 1e-10
    assert result.summary["angular momentum drift"] < 1e-12
    assert np.max(np.diff(result.constraints["total_energy"])) < 1e-12
    assert result.summary["accuracy check"] == "passed"


def test_oil_drags_a_turning_journal_and_its_bearing_together():
    # Petroff: 2 pi mu L R^3/c times the relative angular velocity, at the centre
    ring = Body("ring", mass=0.3, inertia=np.eye(3) * 4e-5)
    model = thrown(joint=clearance("pinkus-sternlicht", i="ring", e=1.0, **OIL), velocity=(0.0, 0.0, 0.0), omega=50.0)
    model = replace(model, bodies=(ring, model.bodies[0]))
    result = sheetmbs.run(replace(model, settings=replace(model.settings, t_end=1e-3)))
    drag = 2 * np.pi * OIL["viscosity"] * OIL["length"] * reference.RADII[1] ** 3 / reference.GAP
    relative = (result.bodies["journal.omega"] - result.bodies["ring.omega"]).to_numpy()
    expected = 50.0 * np.exp(-drag * (1 / 1e-5 + 1 / 4e-5) * result.bodies["time"].to_numpy())
    assert relative == pytest.approx(expected, rel=1e-6)
    assert result.summary["angular momentum drift"] < 1e-12


# --- what does not go together ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("integrator", ["rk4", "radau", "abm", "generalized-alpha"])
def test_methods_that_cannot_locate_contacts_are_refused(integrator):
    with pytest.raises(WorkbookError) as refused:
        analyse(lower(thrown(integrator=integrator)))
    assert "dop853" in refused.value.problems[0].problem


def test_an_oil_film_without_restitution_is_given_to_an_implicit_method():
    joint = clearance("pinkus-sternlicht", e=1.0, **OIL)
    runs = [sheetmbs.run(crank(joint, integrator=name, rtol=1e-7)) for name in ("dop853", "auto")]
    assert runs[1].summary["integrator"] == "auto: bdf"
    assert runs[1].summary["largest normal force in pin"] > 0.0
    paths = [run.clearances[["pin.path_x", "pin.path_y"]].to_numpy() for run in runs]
    assert paths[1] == pytest.approx(paths[0], abs=1e-4 * reference.GAP)


@pytest.mark.parametrize("analysis", ["kinematic", "inverse dynamic", "equilibrium", "modes"])
def test_other_analyses_are_refused(analysis):
    with pytest.raises(WorkbookError) as refused:
        analyse(lower(thrown(analysis=analysis)))
    assert "dynamic" in refused.value.problems[0].problem
